#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes what a recognizer makes of scripts that it does not read, DIR/SCRIPT.txt, and of languages of whose letters it takes one
for others, DIR/LANGUAGE.txt, for identify.py.

    misread.py --platen build/cli/platen [--pages N] DIR

Pages of translated manuals are drawn and read upright and upside down: the way up of a page is guessed by what is
read, so that a page in such a script may be turned over.
"""
import argparse
import glob
import json
import os
import random
import subprocess
import tempfile

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

import languages
import manuals

# ISO 15924: folders of manuals, and the language by which faces are found.
SCRIPTS = {'Cyrl': (('ru', 'uk', 'sr'), 'ru'), 'Grek': (('el',), 'el'), 'Arab': (('ar', 'fa'), 'fa'), 'Deva': (('hi', 'mr'), 'hi'),
           'Hans': (('zh_CN', 'ja'), 'zh'), 'Hang': (('ko',), 'ko'), 'Hebr': (('he',), 'he'), 'Thai': (('th',), 'th'),
           'Armn': (('hy',), 'hy'), 'Geor': (('ka',), 'ka'), 'Beng': (('bn', 'as'), 'bn'), 'Gujr': (('gu',), 'gu'),
           'Guru': (('pa',), 'pa'), 'Taml': (('ta',), 'ta'), 'Telu': (('te',), 'te'), 'Knda': (('kn',), 'kn'), 'Mlym': (('ml',), 'ml'),
           'Orya': (('or',), 'or'), 'Sinh': (('si',), 'si'), 'Ethi': (('am',), 'am'),
           'Khmr': (('km',), 'km'), 'Mymr': (('my',), 'my')}
BADLY = ('az',)              # its ə is read as e and ü
WIDTH, HEIGHT, MARGIN = 1400, 900, 50
MOST = 400_000               # characters of a language


def faces(language):
    out = subprocess.run(['fc-list', f':lang={language}', 'file'], capture_output=True, text=True, check=True).stdout
    found = sorted(line.split(':')[0] for line in out.splitlines())
    return [f for f in found if f.endswith(('.ttf', '.otf', '.ttc')) and not any(x in f for x in ('Braille', 'Emoji', 'Symbol'))]


def is_foreign(block):
    """Whether most of a text is beyond the letters of Latin script."""
    return sum(ord(c) > 0x36f for c in block) > .5 * len(block.replace(' ', ''))


def texts(folder, wanted=is_foreign):
    """The paragraphs of a folder of manuals that are wanted, in random but fixed order."""
    paths = languages.pages(folder, languages.MANUALS)
    random.Random(3).shuffle(paths)
    found, total = [], 0
    for path in paths:
        for block in filter(wanted, languages.blocks(path)):
            found.append(block)
            total += len(block)
        if total > MOST:
            break
    return ' '.join(found)


def draw(r, text, font, wide):
    """A page of lines of the text."""
    page = Image.new('L', (WIDTH, HEIGHT), r.randint(220, 255))
    pen, y, at = ImageDraw.Draw(page), MARGIN, r.randrange(max(1, len(text) - 5000))
    while y < HEIGHT - 2 * MARGIN:
        line = text[at:at + (r.randint(12, 30) if wide else r.randint(25, 60))]
        end = line.rfind(' ')
        line = line[:end] if not wide and end > 5 else line
        at += len(line) + 1
        pen.text((MARGIN, y), line, font=font, fill=r.randint(0, 60))
        y += int(font.size * r.uniform(1.3, 1.7))
    if r.random() < .5:
        page = page.filter(ImageFilter.GaussianBlur(r.uniform(.3, 1.1)))
    noise = np.random.default_rng(r.randrange(1 << 30)).integers(-12, 12, (HEIGHT, WIDTH))
    page = Image.fromarray((np.asarray(page).astype(int) + noise).clip(0, 255).astype(np.uint8))
    return page.point(lambda v: 255 * (v > 140)).convert('1') if r.random() < .5 else page


def read(platen, folder, way):
    """What is read of the pages of a folder, turned so many degrees; every line, however doubtful."""
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([platen, '-q', '--model', 'eng', '--orient', way, '--lm', 'off', '--min-conf', '0', '-f', 'json', '-o', out, folder],
                       check=True)
        for path in sorted(glob.glob(os.path.join(out, '**', '*.json'), recursive=True)):
            with open(path, encoding='utf-8') as f:
                for block in json.load(f)['blocks']:
                    yield from (line['text'] for line in block['lines'])


def write(args, name, language, sources, ways):
    """Draws pages of texts in the faces of a language, and writes what is read of them."""
    r, fonts = random.Random(5), faces(language)
    with tempfile.TemporaryDirectory() as folder, open(os.path.join(args.out, name + '.txt'), 'w', encoding='utf-8') as f:
        for n in range(args.pages):
            font = ImageFont.truetype(r.choice(fonts), r.randint(22, 44))
            draw(r, r.choice(sources), font, name == 'Hans').save(os.path.join(folder, f'{n:03}.png'))
        for way in ways:
            f.writelines(line + '\n' for line in read(args.platen, folder, way))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--platen', required=True)
    parser.add_argument('--pages', type=int, default=40, help='of each script or language')
    parser.add_argument('out')
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    for script, (folders, language) in SCRIPTS.items():
        sources = [text for text in map(texts, folders) if text]
        write(args, script, language, sources, ('0', '180'))
    for language in BADLY:
        write(args, language, language, [texts(language, lambda block: manuals.is_own(block, language))], ('0',))


if __name__ == '__main__':
    main()
