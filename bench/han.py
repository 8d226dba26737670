#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Draws pages of Chinese and says how much of them was read wrongly.

    bench/han.py draw KEYS DIR N [down]  N pages of text from the catalogues of this machine's programs (zh_CN), of
                                         the characters in KEYS, the --keys of a model; DIR/NN.png and DIR/NN.txt
    bench/han.py score DIR OUT           the share of wrong characters in OUT/NN.txt, blanks apart

Pages have lines of full width, first lines of paragraphs two characters in, and Latin words among the Han. With
`down` the lines are columns from right to left, with the forms that marks have there, and no Latin words.
Needs fonts-noto-cjk, and for `down` a Pillow with libraqm.
"""
import gettext
import glob
import os
import random
import re
import sys

from PIL import Image, ImageDraw, ImageFilter, ImageFont

FONTS = ['/usr/share/fonts/opentype/noto/Noto%sCJK-Regular.ttc' % f for f in ('Sans', 'Serif')]
SIMPLIFIED = 2  # the face for it in these collections
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM, SIZE, STEP = 1654, 2339, 150, 1504, 180, 2139, 44, 76


def sentences(keys):
    """Messages that are mostly Han and of characters that the model has."""
    found = set()
    for path in sorted(glob.glob('/usr/share/locale/zh_CN/LC_MESSAGES/*.mo')):
        with open(path, 'rb') as f:
            texts = gettext.GNUTranslations(f)._catalog.values()
        found |= {t for t in texts if isinstance(t, str) and sum('\u4e00' <= c <= '\u9fff' for c in t) > 8
                  and keys.issuperset(t) and '%' not in t}
    return sorted(found)


def draw_page(rng, texts, down):
    """The picture and its lines."""
    font = ImageFont.truetype(rng.choice(FONTS), SIZE, index=SIMPLIFIED)
    width, height = (HEIGHT, WIDTH) if down else (WIDTH, HEIGHT)
    image = Image.new('L', (width, height), 255)
    pen, lines, y, rest = ImageDraw.Draw(image), [], TOP, ''
    way = {'direction': 'ttb', 'language': 'zh-CN'} if down else {}
    while y < BOTTOM:
        x = LEFT + (0 if rest else 2 * SIZE)
        rest = rest or ''.join(rng.choice(texts).rstrip('。') + '。' for _ in range(8))
        n = 1
        while n < len(rest) and x + font.getlength(rest[:n + 1], **way) <= RIGHT:
            n += 1
        pen.text((width - y, x) if down else (x, y), rest[:n], 20, font, **way)
        lines.append(rest[:n])
        rest, y = rest[n:], y + STEP
    return image.filter(ImageFilter.GaussianBlur(.6)), lines


def draw(keys, folder, n, down=''):
    with open(keys, encoding='utf-8') as f:
        texts = sentences(set(f.read().split('\n')) | {' '})
    if down:
        texts = [t for t in texts if not re.search('[A-Za-z]', t)]
    if not texts:
        sys.exit('no catalogue in zh_CN is installed')
    os.makedirs(folder, exist_ok=True)
    for i in range(int(n)):
        image, lines = draw_page(random.Random(i), texts, down)
        image.save('%s/%02d.png' % (folder, i))
        with open('%s/%02d.txt' % (folder, i), 'w', encoding='utf-8') as f:
            f.write('\n'.join(lines) + '\n')


def distance(a, b):
    """Of Levenshtein."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row = row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(last[j] + 1, row[-1] + 1, last[j - 1] + (x != y)))
    return row[-1]


def score(folder, out):
    wrong = of = 0
    for path in sorted(glob.glob(folder + '/*.txt')):
        with open(path, encoding='utf-8') as f, open(os.path.join(out, os.path.basename(path)), encoding='utf-8') as g:
            want, got = (''.join(x.read().split()) for x in (f, g))
        wrong += distance(want, got)
        of += len(want)
    print('%d of %d characters are wrong: %.2f %%' % (wrong, of, 100 * wrong / of))


if len(sys.argv) in (5, 6) and sys.argv[1] == 'draw' and sys.argv[5:] in ([], ['down']):
    draw(*sys.argv[2:])
elif len(sys.argv) == 4 and sys.argv[1] == 'score':
    score(*sys.argv[2:])
else:
    sys.exit(__doc__)
