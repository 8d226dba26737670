#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Labels pages of born-digital PDFs with the exact boxes of their words (poppler's pdftotext and pdftoppm).

    label_orders.py [--dpi N] [--most N] OUT PDF...

Writes OUT/NAME-PAGE.png and .json for labels.Pages. The boxes of the text layer are those of the font; ink within them
gives the boxes of the words, and the letters the x-height and baseline; signs that stand alone (a slash, %, a dash) have those of the
lines whose font is as high as theirs. A line with smaller text on it is a watermark. Watermarks and rows of dots, dashes or underscores are neither text nor none. A word without ink, as white text on
white has none, is left out; a page with a picture that covers much of it too, since text may stand in it that the text layer does not know.
"""
import argparse
import glob
import os
import subprocess
import tempfile
from xml.etree import ElementTree

import cv2
import numpy as np

import labels
from sheets import Line, Word

SPACE = '{http://www.w3.org/1999/xhtml}'
NEAR = 2.2                   # heights of the words: wider gaps part two lines of one row
DARK = .9                    # of the paper's grey: darker is ink
ALIKE = 1.1                  # times as high is a font as high as another
LEADERS = set('._-–—=*~')   # of which rows are drawn to lead the eye or to be written on
BEHIND = 1.7                 # times the x-height of text on it: more is a watermark
MOST_PICTURE = .05           # of a page that pictures may cover


def pages(pdf):
    """[[[(text, box in points)] of each line] of each block] of every page of a PDF."""
    done = subprocess.run(['pdftotext', '-bbox-layout', pdf, '-'], check=True, capture_output=True)
    text = done.stdout.decode('utf-8', 'ignore')
    text = ''.join(c for c in text if c >= ' ' or c in '\n\t')
    for page in ElementTree.fromstring(text.split('?>')[-1]).iter(SPACE + 'page'):
        box = lambda e: tuple(float(e.get(k)) for k in ('xMin', 'yMin', 'xMax', 'yMax'))
        yield [[[(w.text or '', box(w)) for w in l.iter(SPACE + 'word')] for l in b.iter(SPACE + 'line')]
               for b in page.iter(SPACE + 'block')]


def pictures(pdf):
    """{page: share of it that pictures cover at most}, by their sizes in `pdfimages -list`."""
    table = subprocess.run(['pdfimages', '-list', pdf], check=True, capture_output=True, text=True).stdout
    found = {}
    for row in table.splitlines()[2:]:
        cells = row.split()
        across, down = cells[-4:-2]                # px per inch; from the end, since an inline picture has one cell less before
        inches = float(cells[3]) / float(across) * float(cells[4]) / float(down)
        found[int(cells[0])] = found.get(int(cells[0]), 0) + inches / (8.5 * 11)
    return found


def ink_of(grey, box):
    """The box of the ink in a box, or None: darker than most of what is there, or lighter on a dark ground."""
    x0, y0 = (max(0, int(v)) for v in box[:2])
    part = grey[y0:int(np.ceil(box[3])), x0:int(np.ceil(box[2]))]
    if part.size == 0:
        return None
    paper = int(np.median(part))
    ink = part < DARK * paper if paper > 127 else part > paper + .1 * 255
    rows, columns = np.flatnonzero(ink.any(1)), np.flatnonzero(ink.any(0))
    if len(rows) < 2:
        return None
    return x0 + int(columns[0]), y0 + int(rows[0]), x0 + int(columns[-1]) + 1, y0 + int(rows[-1]) + 1


def parts(words):
    """A row of (text, box, ...) words parted at wide gaps."""
    out = []
    for word in words:
        box = word[1]
        if out and box[0] - out[-1][-1][1][2] <= NEAR * .5 * (box[3] - box[1]) and box[0] > out[-1][-1][1][0]:
            out[-1].append(word)
        else:
            out.append([word])
    return out


def font_box(part):
    """(bottom, height) of the font of (text, ink box, font box) words, in pixels."""
    top, bottom = (float(np.median([font[k] for *_, font in part])) for k in (1, 3))
    return bottom, bottom - top


def like(part, measured, number):
    """The line of signs that stand alone, by (font height, x-height, drop of the baseline above the font's bottom) of measured lines; or None."""
    bottom, height = font_box(part)
    near = [(x / h, drop / h) for h, x, drop in measured if max(h / height, height / h) <= ALIKE]
    if not near or any(len(text) > 1 and set(text) <= LEADERS or '_' in text for text, *_ in part):
        return None
    xheight, drop = (float(np.median(v)) * height for v in zip(*near))
    x0, x1, low = min(ink[0] for _, ink, _ in part), max(ink[2] for _, ink, _ in part), bottom - drop
    return Line([Word(text, labels.quad_of(ink)) for text, ink, _ in part], labels.quad_of((x0, low - xheight, x1, low)), xheight, number)


def under_text(line, lines):
    """Whether smaller text stands on a line, as on a watermark."""
    a, b = line.quad[0], line.quad[2]
    return any(line.xheight > BEHIND * l.xheight and (l.quad[0] < b).all() and (l.quad[2] > a).all() for l in lines)


def labelled(grey, blocks, scale):
    """(lines, unsure quads) of a page drawn at `scale` pixels per point."""
    lines, alone, measured, unsure = [], [], [], []
    for number, block in enumerate(blocks):
        for row in block:
            fonts = [(text, [v * scale for v in box]) for text, box in row if text.strip()]
            words = [(text, ink_of(grey, font), font) for text, font in fonts]
            for part in parts([word for word in words if word[1]]):
                line = labels.line_of(grey, [(text, ink) for text, ink, _ in part], number)
                if line:
                    bottom, height = font_box(part)
                    measured.append((height, line.xheight, bottom - float(line.quad[2:, 1].mean())))
                    lines.append(line)
                else:
                    alone.append((part, number))
    behind = [line for line in lines if under_text(line, lines)]
    lines = [line for line in lines if not any(line is other for other in behind)]
    unsure += [word.quad for line in behind for word in line.words]
    for part, number in alone:
        line = like(part, measured, number)
        if line:
            lines.append(line)
        else:
            unsure += [labels.quad_of(ink) for _, ink, _ in part]
    return lines, unsure


def drawn(pdf, page, dpi, folder):
    """A page as grey pixels."""
    stem = os.path.join(folder, 'page')
    subprocess.run(['pdftoppm', '-gray', '-r', str(dpi), '-f', str(page), '-l', str(page), '-singlefile', pdf, stem], check=True)
    return cv2.imread(stem + '.pgm', cv2.IMREAD_GRAYSCALE)


def label(pdf, out, dpi, most):
    """Labels at most `most` pages of a PDF; returns how many."""
    covered, count = pictures(pdf), 0
    for number, blocks in enumerate(pages(pdf), 1):
        if count == most or covered.get(number, 0) > MOST_PICTURE or not blocks:
            continue
        with tempfile.TemporaryDirectory() as folder:
            grey = drawn(pdf, number, dpi, folder)
        name = os.path.splitext(os.path.basename(pdf))[0]
        labels.write(os.path.join(out, f'{name}-{number}'), grey, *labelled(grey, blocks, dpi / 72))
        count += 1
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('out')
    parser.add_argument('pdf', nargs='+', help='files, or folders of them')
    parser.add_argument('--dpi', type=int, default=150)
    parser.add_argument('--most', type=int, default=3, help='pages of one file')
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    files = [f for p in args.pdf for f in (sorted(glob.glob(os.path.join(p, '*.pdf'))) if os.path.isdir(p) else [p])]
    print(sum(label(pdf, args.out, args.dpi, args.most) for pdf in files), 'pages of', len(files), 'files')


if __name__ == '__main__':
    main()
