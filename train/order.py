# SPDX-License-Identifier: BSD-2-Clause
"""Reading order of drawn pages: what columns cost.

    python3 train/order.py [--platen build/cli/platen] [--score ../shared/data/score.py] [--pages 8]
                           [--seed 1] [--keep DIR] [-- PLATEN OPTIONS]

Pages of prose and of forms are drawn in layouts whose reading order is known, and read by platen. Prints the
character error rate of each layout, without regard to case (small capitals); what a layout has more than
`single`, which is the same prose in one column, comes from its columns: lines fused or parted at gutters, and
order. The seed fixes the pages.
"""
import argparse
import importlib.machinery
import importlib.util
import os
import subprocess
import sys
import tempfile

import cv2
import numpy as np

import generate
import masks
import sheets

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WIDTH, HEIGHT = 1700, 2200           # A letter page at 200 dpi
XHEIGHT = 12, 16


class Page:
    """One page of prose; each layout draws its parts in the order in which they are read."""

    LAYOUTS = ('single', 'two', 'three', 'title', 'newspaper', 'stacked', 'sidebar', 'aside', 'index', 'figure', 'footnotes',
               'form', 'heads', 'table', 'contents', 'initials', 'scripts', 'underlines', 'curved')

    def __init__(self, writer, style):
        self.r = writer.rng
        self.sheet = sheets.Sheet(self.r, writer, WIDTH, HEIGHT, self.r.uniform(*XHEIGHT), generate.STYLES[style])
        self.em = self.sheet.em
        self.left, self.top = self.em * self.r.uniform(3, 6), self.em * self.r.uniform(4, 6)
        self.right, self.bottom = WIDTH - self.left, HEIGHT - self.em * self.r.uniform(3, 5)
        self.gutter = self.em * self.r.uniform(1.2, 2.8)
        self.align = self.r.choice(('left', 'justify', 'justify'))
        self.sag = 0                          # px by which the middle of a row hangs below its ends

    def fill(self, x, y, width, bottom, kind=None, align=None, heads=.1):
        """Paragraphs down to the bottom."""
        s, kind = self.sheet, kind or self.sheet.body
        while y < bottom - kind.em:
            if y < bottom - 6 * s.em and self.r.random() < heads:
                y = self.head(x, y + .4 * s.em, width, 1.15)
            room = int((bottom - y) / (1.45 * kind.em)) + 1
            y = s.paragraph(x, y, width, kind, min(room, self.r.randint(2, 9)), align or self.align) + self.r.choice((0, 0, .5)) * s.em
        return y

    def head(self, x, y, width, factor):
        """A heading on one row that fills up to nine tenths of the width; returns the baseline after it."""
        s, kind = self.sheet, self.sheet.type(factor)
        y += kind.up - s.body.up
        words, used = [], 0.0
        for word in self.sheet.writer.texts.span(60).split(' '):
            mask = kind.mask(word)
            used += (mask[0].shape[1] if mask else 0) + kind.blank
            if words and used > .9 * width:
                break
            words.append(word)
        s.blocks += 1
        s.row(x, y, ' '.join(words), kind)
        return y + 1.6 * kind.em

    def columns(self, n, x0, y, x1, bottom, **more):
        width = (x1 - x0 - (n - 1) * self.gutter) / n
        for c in range(n):
            self.fill(x0 + c * (width + self.gutter), y, width, bottom, **more)

    def single(self):
        self.columns(1, self.left, self.top, self.right, self.bottom)

    def two(self):
        self.columns(2, self.left, self.top, self.right, self.bottom)

    def three(self):
        self.columns(3, self.left, self.top, self.right, self.bottom, heads=.05)

    def title(self):
        y = self.head(self.left, self.top, self.right - self.left, self.r.uniform(1.6, 2.6))
        self.columns(self.r.choice((2, 3)), self.left, y + self.em, self.right, self.bottom)

    def newspaper(self):
        """A full column beside a wide title, a picture and the columns below it."""
        n = self.r.choice((3, 4))
        width = (self.right - self.left - (n - 1) * self.gutter) / n
        self.fill(self.left, self.top, width, self.bottom, heads=0)
        x = self.left + width + self.gutter
        y = self.head(x, self.top, self.right - x, self.r.uniform(2, 3))
        high = self.em * self.r.uniform(8, 20)
        self.sheet.box(x, y, self.right, y + high)
        self.columns(n - 1, x, y + high + 2 * self.em, self.right, self.bottom, heads=0)

    def stacked(self):
        """Two articles of different numbers of columns, each under its title."""
        middle = self.r.uniform(.4, .6) * HEIGHT
        for n, top, bottom in zip(self.r.sample((1, 2, 3), 2), (self.top, middle + 2 * self.em), (middle, self.bottom)):
            y = self.head(self.left, top, self.right - self.left, self.r.uniform(1.4, 2))
            self.columns(n, self.left, y, self.right, bottom)

    def sidebar(self):
        """A narrow column of facts at the left of running text."""
        edge = self.left + self.r.uniform(.24, .32) * (self.right - self.left)
        y = self.head(self.left, self.top, edge - self.left, 1.3)
        while y < self.bottom - 8 * self.em:
            for _ in range(self.r.randint(3, 6)):
                self.sheet.row(self.left, y, self.sheet.writer.texts.label(), self.sheet.body)
                y += 1.3 * self.em
            y = self.sheet.paragraph(self.left, y + self.em, edge - self.left, self.sheet.body, self.r.randint(2, 6)) + self.em
        self.columns(1, edge + self.gutter, self.top, self.right, self.bottom)

    def aside(self):
        """Running text, at its right a column of smaller print that ends early."""
        edge = self.left + self.r.uniform(.62, .72) * (self.right - self.left)
        self.columns(1, self.left, self.top, edge, self.bottom)
        self.fill(edge + self.gutter, self.top, self.right - edge - self.gutter, self.r.uniform(.5, .9) * HEIGHT,
                  self.sheet.type(.8), 'left')

    def index(self):
        """Columns of short entries, as of an index."""
        n = self.r.choice((2, 3))
        width = (self.right - self.left - (n - 1) * self.gutter) / n
        kind, lead = self.sheet.body, self.em * self.r.uniform(1.1, 1.3)
        for c in range(n):
            x, y = self.left + c * (width + self.gutter), self.top
            while y < self.bottom:
                entry = self.sheet.writer.texts.span(int(self.r.uniform(.35, .85) * width / (.5 * self.em * kind.stretch)))
                words, used = [], 0.0
                for word in entry.split(' '):
                    used += kind.mask(word)[0].shape[1] + kind.blank
                    if words and used > width:
                        break
                    words.append(word)
                self.sheet.row(x, y, ' '.join(words), kind)
                y += lead

    def figure(self):
        """A figure and its caption over both columns."""
        y = self.top + self.em * self.r.uniform(8, 16)
        self.sheet.box(self.left, self.top, self.right, y)
        y = self.sheet.paragraph(self.left, y + 2 * self.em, self.right - self.left, self.sheet.type(.85), self.r.randint(1, 3))
        self.columns(2, self.left, y + 1.5 * self.em, self.right, self.bottom)

    def footnotes(self):
        """Two columns, notes in smaller print over the whole width below them."""
        end = self.bottom - 8 * self.em
        self.columns(2, self.left, self.top, self.right, end)
        self.sheet.rule((self.left, end + 1.5 * self.em), (self.right, end + 1.5 * self.em))
        self.fill(self.left, end + 3 * self.em, self.right - self.left, self.bottom, self.sheet.type(.8), heads=0)

    def form(self):
        """Labels, each with what was written beside it or a little lower, in one or two pairs a row; prose below."""
        s, y, writer = self.sheet, self.top, self.sheet.writer
        filled = s.type(self.r.uniform(.9, 1.2), dict(typewriter=2, any=1))
        half = (self.right - self.left) / 2
        while y < self.bottom - 16 * self.em:
            pairs = self.r.choice((1, 1, 2))
            row = [(self.left + i * half, s.body, writer.texts.label()) for i in range(pairs)]
            row += [(x + .45 * half, filled, writer.texts.value()[:18]) for x, _, _ in row if self.r.random() < .8]
            drop = self.r.choice((0, 0, .15)) * self.em
            for x, kind, string in sorted(row, key=lambda part: part[0]):
                s.row(x, y + drop * (kind is filled), string[:int(.45 * half / (.7 * kind.em))], kind)
            y += self.em * self.r.choice((1.8, 2.4, 2.4, 3.2))
        self.fill(self.left, y + self.em, self.right - self.left, self.bottom, heads=0)

    def heads(self):
        """Two columns under a head of rows at both ends, above a foot with a number."""
        s, texts, small = self.sheet, self.sheet.writer.texts, self.sheet.type(.9)
        for k in range(self.r.randint(1, 3)):
            s.row(self.left, self.top + 1.3 * k * s.em, texts.label(), small)
            s.row(self.right, self.top + 1.3 * k * s.em, texts.label(), small, 'right')
        end = self.bottom - 5 * s.em
        self.columns(2, self.left, self.top + 8 * s.em, self.right, end)
        s.row(self.left, self.bottom, texts.label(), small)
        s.row(self.right, self.bottom, str(self.r.randint(2, 300)), small, 'right')

    def table(self):
        """A table with its caption between prose: read row by row."""
        s, texts, kind = self.sheet, self.sheet.writer.texts, self.sheet.type(.9)
        y = self.fill(self.left, self.top, self.right - self.left, .3 * HEIGHT) + s.em
        y = s.paragraph(self.left, y, self.right - self.left, kind, 1) + .6 * s.em
        n, ruled = self.r.randint(3, 6), self.r.random() < .5
        first, pitch, wide = .3 * (self.right - self.left), 1.6 * s.em, .7 * (self.right - self.left) / n
        room = int(.8 * wide / (.6 * kind.em * kind.stretch))
        top, rows = y, self.r.randint(8, 18)
        for k in range(rows):
            cells = [texts.label() if k else texts.label().upper()] + \
                    [self.r.choice(('%d', '%.1f', '%.2f')) % self.r.uniform(1, 900) if k else texts.label() for _ in range(n)]
            s.row(self.left + .3 * s.em, y, cells[0][:int(.9 * first / (.6 * kind.em * kind.stretch))].strip(), kind)
            for c, cell in enumerate(cells[1:], 1):
                s.row(self.left + first + c * wide - .3 * s.em, y, cell[:room].strip(), kind, 'right')
            y += pitch
            if ruled or k in (0, rows - 1):
                s.rule((self.left, y - pitch + .5 * s.em), (self.right, y - pitch + .5 * s.em), 2)
        for x in [self.left] + [self.left + first + c * wide for c in range(n + 1)] if ruled else ():
            s.rule((x, top - s.em), (x, y - pitch + .5 * s.em), 2)
        self.fill(self.left, y + s.em, self.right - self.left, self.bottom)

    def contents(self):
        """Titles, dots and numbers."""
        s, y, texts = self.sheet, self.top, self.sheet.writer.texts
        pitch, spread = s.em * self.r.uniform(1.3, 1.8), s.em * self.r.uniform(.25, .8)
        while y < self.bottom:
            x = self.left + self.r.choice((0, 0, 2)) * s.em
            end = s.row(x, y, texts.span(self.r.randint(8, 36)), s.body) + .4 * s.em
            number = s.body.mask(str(self.r.randint(1, 400)))
            string = next(k for k, m in s.body.masks.items() if m is number)
            stop = self.right - number[0].shape[1] - .4 * s.em
            for k in range(int((stop - end) / spread)):
                cv2.circle(s.canvas, (round(8 * (stop - k * spread)), round(8 * (y - .06 * s.em))), round(8 * .07 * s.em), 255, -1, cv2.LINE_AA, 3)
            s.row(self.right, y, string, s.body, 'right')
            y += pitch

    def initials(self):
        """Paragraphs that start with a letter two or three rows high."""
        n = self.r.choice((1, 2))
        width = (self.right - self.left - (n - 1) * self.gutter) / n
        for c in range(n):
            x, y = self.left + c * (width + self.gutter), self.top
            while y < self.bottom - 8 * self.em:
                y = self.initial(x, y, width) + self.em
                y = self.fill(x, y, width, min(y + 16 * self.em, self.bottom), heads=0) + self.em

    def initial(self, x, y, width):
        s, kind, lead = self.sheet, self.sheet.body, self.em * self.r.uniform(1.1, 1.4)
        rows = self.r.choice((2, 3))
        big = s.type(1)
        big.scale *= ((rows - 1) * lead + kind.up) / big.up
        strings = [s.writer.texts.span(int(.9 * width / (.5 * kind.em * kind.stretch))) for _ in range(rows)]
        first = s.writer.texts.span(40)
        while not first[:2].isalpha() or not first[0].isascii():
            first = s.writer.texts.span(40)
        mask, baseline = big.mask(first[0].upper())
        masks.paste(s.canvas, mask, round(x), round(y + (rows - 1) * lead - baseline))
        start = x + mask.shape[1] + .25 * kind.em
        for k, string in enumerate([first[1:]] + strings[1:]):
            room, words, used = x + width - start, [], 0.0
            for w in string.split(' '):
                m = kind.mask(w)
                used += (m[0].shape[1] if m else 0) + kind.blank
                if words and used > room:
                    break
                words.append(w)
            s.row(start, y + k * lead, ' '.join(words), kind)
            if k == 0:
                line = s.lines[-1]
                first_line = [line.words[0]._replace(text=first[0].upper() + line.words[0].text)] + line.words[1:]
                s.lines[-1] = line._replace(words=first_line)
        return s.paragraph(x, y + rows * lead, width, kind, self.r.randint(2, 4))

    def scripts(self):
        """Prose with raised and lowered figures behind words, and a note below with its raised number."""
        s, y, kind = self.sheet, self.top, self.sheet.body
        small = s.type(1)
        small.scale *= self.r.uniform(.6, .72)
        lead = s.em * self.r.uniform(1.25, 1.6)
        while y < self.bottom:
            x, words = self.left, []
            for w in s.writer.texts.span(200).split(' '):
                mask = kind.mask(w)
                if not mask:
                    continue
                if x + mask[0].shape[1] + 1.2 * s.em > self.right:
                    break
                masks.paste(s.canvas, mask[0], round(x), round(y - mask[1]))
                x, extra = x + mask[0].shape[1] + .06 * s.em, ''
                if self.r.random() < .12 and w[-1].isalpha():
                    extra = str(self.r.randint(1, self.r.choice((9, 30))))
                    shift = self.r.choice((-.36, -.36, .18)) * s.em
                    high = small.mask(extra)
                    masks.paste(s.canvas, high[0], round(x), round(y + shift - high[1]))
                    x += high[0].shape[1]
                words.append(sheets.Word(w + extra, None))
                x += kind.blank
            s.lines.append(sheets.Line(words, None, kind.xheight, 0))
            y += lead

    def underlines(self):
        """Prose with rules under words and under whole rows, at and below the baseline."""
        s = self.sheet
        self.fill(self.left, self.top, self.right - self.left, self.bottom)
        thick = max(1, round(s.em * self.r.uniform(.04, .09)))
        for line in s.lines:
            if self.r.random() < .5:
                i = self.r.randrange(len(line.words))
                j = self.r.choice((i, len(line.words) - 1))
                y = line.quad[2][1] + self.r.uniform(.08, .22) * s.em
                s.rule((line.words[i].quad[0][0], y), (line.words[j].quad[1][0], y), thick)

    def curved(self):
        """One column of a book that lay open under the camera."""
        self.single()
        self.sag = self.em * self.r.uniform(.5, 2.5) * self.r.choice((-1, 1))
        self.spine = self.r.choice((-.3, 0, 1, 1.3))     # where the curve is steepest

    def bent(self, ink):
        """Rows fall towards the spine: by the square of the distance from it, more at the foot of the page."""
        x, y = np.meshgrid(np.arange(WIDTH, dtype=np.float32), np.arange(HEIGHT, dtype=np.float32))
        u = np.clip(1 - np.abs(x / WIDTH - self.spine), 0, 1) ** 3
        return cv2.remap(ink, x, y - np.float32(self.sag) * u * (.5 + y / HEIGHT), cv2.INTER_LINEAR)

    def picture(self):
        """Grey, turned a little, with the soft edges and the noise of a scan."""
        r, ink = self.r, self.bent(self.sheet.canvas) if self.sag else self.sheet.canvas
        turn = cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), r.gauss(0, .3), 1)
        ink = cv2.GaussianBlur(cv2.warpAffine(ink, turn, (WIDTH, HEIGHT)), (0, 0), .6)
        noise = np.random.default_rng(r.randrange(1 << 30)).normal(0, 4, ink.shape)
        return np.clip(245 - ink * .9 + noise, 0, 255).astype(np.uint8)

    def text(self):
        return '\n'.join(' '.join(w.text for w in line.words) for line in self.sheet.lines)


def draw(folder, layout, n, seed):
    os.makedirs(folder, exist_ok=True)
    for i in range(n):
        writer = sheets.Writer(seed * 1000 + i)        # the same faces and sizes in every layout
        page = Page(writer, ('office', 'book')[i % 2])
        getattr(page, layout)()
        cv2.imwrite(f'{folder}/{i:02}.png', page.picture())
        with open(f'{folder}/{i:02}.gt.txt', 'w') as f:
            f.write(page.text())


def error_rate(scorer, folder, out):
    edits = length = 0
    for name in sorted(os.listdir(folder)):
        if name.endswith('.gt.txt'):
            truth = open(f'{folder}/{name}').read()
            read = open(f'{out}/{name[:-7]}.txt').read()
            c = scorer.counts(truth, read, 'cer', False)['cer_ci']
            edits, length = edits + c[0], length + c[1]
    return 100 * edits / length


def load_scorer(path):
    loader = importlib.machinery.SourceFileLoader('score', path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader('score', loader))
    loader.exec_module(module)
    return module


def main():
    argv, options = sys.argv[1:], []
    if '--' in argv:
        argv, options = argv[:argv.index('--')], argv[argv.index('--') + 1:]
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--platen', default=os.path.join(ROOT, 'build/cli/platen'))
    ap.add_argument('--score', default=os.path.join(ROOT, '../shared/data/score.py'))
    ap.add_argument('--pages', type=int, default=8)
    ap.add_argument('--seed', type=int, default=1)
    ap.add_argument('--keep', help='folder for pages and texts; pages that are there are not drawn again')
    a = ap.parse_args(argv)
    scorer, keep = load_scorer(a.score), a.keep or tempfile.mkdtemp()
    print('| layout | pages | cer % |\n|---|---|---|')
    for layout in Page.LAYOUTS:
        folder, out = f'{keep}/{layout}', f'{keep}/out/{layout}'
        if not os.path.exists(folder):
            draw(folder, layout, a.pages, a.seed)
        subprocess.run([a.platen, '-q', '-f', 'txt', '-o', out, *options, folder], check=True)
        print(f'| {layout} | {a.pages} | {error_rate(scorer, folder, out):.2f} |', flush=True)


if __name__ == '__main__':
    main()
