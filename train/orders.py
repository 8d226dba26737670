# SPDX-License-Identifier: BSD-2-Clause
"""Lines that platen cuts from born-digital pages: real layouts, typefaces and texts, exact to the letter.

The pages are PDFs with a text layer, drawn once and then "scanned" anew each time, as drawn pages are (pages.py). A line of
platen is one of training if it holds whole words only.
"""
import os
import tarfile
import tempfile

import cv2

import label_orders
import pages
import real
import text as texts

ARCHIVE = os.path.join(os.path.dirname(real.FOLDER), 'orders.tar')
DPI = 200
POINTS = 8                   # of most of the type on these pages
SCALES = .42, 1.25           # of the drawn page, the lowest and highest
ASIDE = .35                  # of the height of a word: it may stand above or below its line by as much,
CUT = .08                    # and before or behind it by so much
BLANK = .2                   # of the height: words nearer than that have no blank to be seen between them
SHORT = 4                    # characters: most cells hold no more, and
KEPT = .35                   # this share of such lines is enough


def words_of(grey, blocks, dpi):
    """[(x0, y0, x1, y1, text)] of the words of a page that have ink, in pixels."""
    found = []
    for block in blocks:
        for row in block:
            for text, box in row:
                ink = label_orders.ink_of(grey, [v * dpi / 72 for v in box]) if text.strip() else None
                if ink:
                    found.append((*ink, texts.squeeze(text)))
    return found


def drawn(archive):
    """[(PNG of the page, its words)] of an archive of PDFs."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(archive) as tar:
            tar.extractall(folder)
        for pdf in sorted(os.path.join(folder, name) for name in os.listdir(folder)):
            covered = label_orders.pictures(pdf)
            for number, blocks in enumerate(label_orders.pages(pdf), 1):
                if blocks and covered.get(number, 0) <= label_orders.MOST_PICTURE:
                    grey = label_orders.drawn(pdf, number, DPI, folder)
                    found.append((cv2.imencode('.png', grey)[1], words_of(grey, blocks, DPI)))
    return found


def match(box, written):
    """The words written in a box, or None where one of them is only partly in it or two touch."""
    inside = []
    for word in written:
        height, width = word[3] - word[1], word[2] - word[0]
        down = min(box[3], word[3]) - max(box[1], word[1])
        across = min(box[2], word[2]) - max(box[0], word[0])
        if down <= ASIDE * height or across <= 0:
            continue
        if down < (1 - ASIDE) * height or across < width - 1 - CUT * height:
            return None
        inside.append(word)
    inside.sort()
    rows = [(max(a[1], b[1]), min(a[3], b[3]), b[0] - a[2]) for a, b in zip(inside, inside[1:])]
    if any(bottom <= top or gap < BLANK * (bottom - top) for top, bottom, gap in rows):
        return None
    return ' '.join(word[4] for word in inside) or None


class Maker(pages.Maker):
    """An endless stream of (grey (32, W), text) from the pages of ARCHIVE."""

    def __init__(self, generator, cut, found):
        super().__init__(generator, cut)
        self.found = found

    def match(self, box, written, em):
        string = match(box, written)
        return string if len(string or '') > SHORT or self.generator.rng.random() < KEPT else None

    def page(self):
        r = self.generator.rng
        styles = [s for s in self.generator.styles if s.faces.get('sans') and not s.effects.get('dots')]
        style = r.choices(styles, [s.share for s in styles])[0]
        picture, words = r.choice(self.found)
        ink = 255 - cv2.imdecode(picture, cv2.IMREAD_GRAYSCALE)
        scale, angle = r.uniform(*SCALES), r.gauss(0, .4) if r.random() < .6 else 0
        height, width = (round(side * scale) for side in ink.shape)
        ink = cv2.resize(ink, (width, height), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), angle, 1)
        if angle:
            ink = cv2.warpAffine(ink, matrix, (width, height), flags=cv2.INTER_LINEAR)
        boxes = [(*pages.turned([v * scale for v in word[:4]], matrix), word[4]) for word in words]
        em = POINTS * DPI / 72 * scale
        return self.generator.scan.digitise(ink, em, style.effects), boxes, em
