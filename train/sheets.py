# SPDX-License-Identifier: BSD-2-Clause
"""Labelled pages for the detector: a sheet is drawn at about the scale at which the network sees it.

A sheet holds blocks of text (prose in columns, tables, forms, receipts, letters, labels of a
collection, lines scattered as on slides) among what is no text: rules, boxes, bars, stamps,
pictures, plants, stones, paper fibres, scribbles. Every word and line is known by its quad.
The sheet is bent a little and "scanned" by generate.Scan, as the lines of the recognizer are.
"""
import collections
import math
import random

import cv2
import numpy as np

import fonts
import generate
import layouts
import masks
import pictures
import text as texts

XHEIGHT = 9.0                # px of a small letter in which the network tells heights
USUAL = 7.5                  # px of a small letter where the network works: the middle of what is drawn
SPREAD = .36                 # of log(x-height) between sheets
LEAST, MOST = 3.3, 19.0      # px, between which it lies
SMALLEST = 2.8               # px of a small letter of the smallest type beside it
TITLES = .12                 # of the sheets, whose letters are TITLE px high: a heading may stand on any page
TITLE = 15.0, 30.0
NEAR = 2.2                   # x-heights: wider gaps part two lines of one row

# Written words: quads are (4, 2) float arrays, clockwise from the top left of the text, in px of
# the sheet; xheight and the quads' edges follow the ink of the face, not of the single letters.
Word = collections.namedtuple('Word', 'text quad')
Line = collections.namedtuple('Line', 'words quad xheight block')


def wanted_xheight(rng):
    """The x-height in px of a sheet."""
    if rng.random() < TITLES:
        return rng.uniform(*TITLE)
    return min(MOST, max(LEAST, math.exp(rng.gauss(math.log(USUAL), SPREAD))))


class Type:
    """A face at a size: masks of words at the scale of the sheet, and its measures in px."""

    def __init__(self, renderer, style, xheight, sets=None):
        r = renderer.rng
        sets = sets or style.faces
        self.face = fonts.pick(r, r.choices(list(sets), sets.values())[0])
        self.renderer, self.style = renderer, style
        self.size = r.choice(self.face.sizes)
        font = self.face.font(self.size)
        box = font.getbbox('x', anchor='ls')
        self.scale = xheight / max(1, -box[1])
        self.xheight, self.em = xheight, self.size * self.scale
        self.up = -font.getbbox('Hd', anchor='ls')[1] * self.scale
        self.down = max(0, font.getbbox('pg', anchor='ls')[3]) * self.scale
        self.blank = max(font.getlength(' ') * self.scale, .5 * xheight)
        self.stretch = math.exp(r.gauss(math.log(style.stretch[1]), style.stretch[0]))
        self.masks = {}

    def mask(self, word):
        """(uint8 mask, row of the baseline in it) of a word."""
        if word not in self.masks:
            whole, baseline = self.renderer.draw(self.face, self.size, word, {'dots': self.size < 24})
            box = masks.ink_box(whole)
            if box is None:
                return None
            whole = whole[:, box[0]:box[2]]
            shape = max(2, round(whole.shape[1] * self.scale * self.stretch)), max(3, round(whole.shape[0] * self.scale))
            how = cv2.INTER_AREA if self.scale < 1 else cv2.INTER_LINEAR
            self.masks[word] = cv2.resize(whole, shape, interpolation=how), baseline * self.scale
        return self.masks[word]


class Sheet:
    """Ink coverage (uint8, 255 = ink) and the lines written on it."""

    def __init__(self, rng, writer, width, height, xheight, style):
        self.r, self.writer, self.style, self.xheight = rng, writer, style, xheight
        self.canvas = np.zeros((height, width), np.uint8)
        self.lines, self.blocks, self.unsure = [], 0, []
        self.body = Type(writer.renderer, style, xheight)
        self.em = self.body.em

    # ---- writing

    def type(self, factor=1.0, sets=None):
        return Type(self.writer.renderer, self.style, max(SMALLEST, self.xheight * factor), sets)

    def row(self, x, y, string, kind, align='left', width=None, strength=255):
        """A row of text with its baseline at y; wide gaps make several lines of it. Returns its right end."""
        words = [kind.mask(w) if w else None for w in string.split(' ')]
        gaps, at, placed = kind.blank * self.r.uniform(.8, 1.2), 0.0, []
        names = string.split(' ')
        if width and len(words) > 1:                    # justified
            bare = sum(m[0].shape[1] for m in words if m)
            gaps = min(max((width - bare) / (len(words) - 1), .6 * gaps), 2.5 * gaps)
        for name, m in zip(names, words):
            if m:
                placed.append((at, name, m))
                at += m[0].shape[1]
            at += gaps
        if not placed:
            return x
        right = placed[-1][0] + placed[-1][2][0].shape[1]
        x -= {'left': 0, 'centre': right / 2, 'right': right}[align]
        run = []
        for at, name, (mask, baseline) in placed:
            left = round(x + at)
            if run and left - run[-1][1].quad[1][0] > NEAR * kind.xheight:
                self.note(run, kind)
                run = []
            if strength < 255:
                mask = (mask * (strength / 255)).astype(np.uint8)
            masks.paste(self.canvas, mask, left, round(y - baseline))
            run.append((left, Word(name, self.quad(left, left + mask.shape[1], y, kind))))
        self.note(run, kind)
        return x + right

    @staticmethod
    def quad(x0, x1, y, kind):
        return np.array([[x0, y - kind.up], [x1, y - kind.up], [x1, y + kind.down], [x0, y + kind.down]])

    def note(self, run, kind):
        """A line is kept by its words; its quad goes from the x-height to the baseline."""
        words = [w for _, w in run]
        x0, x1, y = words[0].quad[0][0], words[-1].quad[1][0], words[0].quad[2][1] - kind.down
        band = np.array([[x0, y - kind.xheight], [x1, y - kind.xheight], [x1, y], [x0, y]])
        self.lines.append(Line(words, band, kind.xheight, self.blocks))

    def paragraph(self, x, y, width, kind, rows, align='left'):
        """Running text; returns the baseline after it."""
        r, lead = self.r, kind.em * self.r.uniform(1.0, 1.45)
        self.blocks += 1
        per = max(6, int(width / (kind.em * .5 * kind.stretch)))
        for k in range(rows):
            if y > self.canvas.shape[0] + kind.em:
                break
            string = self.writer.texts.span(int(per * (1 if k < rows - 1 else r.uniform(.1, 1))))
            full = align == 'justify' and k < rows - 1
            indent = 1.5 * kind.em if k == 0 and r.random() < .3 else 0
            words, used = [], indent
            for w in string.split(' '):
                m = kind.mask(w)
                used += (m[0].shape[1] if m else 0) + kind.blank
                if words and used > width + kind.blank:
                    break
                words.append(w)
            self.row(x + (width / 2 if align == 'centre' else indent), y, ' '.join(words), kind,
                     'centre' if align == 'centre' else 'left', width - indent if full else None)
            y += lead
        return y

    def heading(self, x, y, width, factor=None):
        kind = self.type(factor or self.r.choice((1.2, 1.5, 2, 3)))
        self.blocks += 1
        string = self.writer.texts.line(dict(shout=3, words=2, prose=1, label=1))
        per = max(3, int(width / (kind.em * .6)))
        self.row(x, y + kind.up - self.body.up, string[:per].strip(), kind, self.r.choice(('left', 'left', 'centre')) if x > width / 2 else 'left')
        return y + kind.em * self.r.uniform(1.2, 2)

    # ---- what is no text

    def rule(self, a, b, thick=None):
        thick = thick or max(1, round(self.em * self.r.choice((.03, .05, .08, .12))))
        cv2.line(self.canvas, tuple(map(round, a)), tuple(map(round, b)), self.r.choice((255, 255, 200, 120)), thick)

    def box(self, x0, y0, x1, y1, thick=None):
        thick = thick or max(1, round(self.em * self.r.choice((.03, .05, .08))))
        cv2.rectangle(self.canvas, (round(x0), round(y0)), (round(x1), round(y1)), 255, thick)

    def signature(self, x, y, size):
        """Handwriting: neither text nor no text, left out of the loss."""
        points, at = [], np.array([x, y], float)
        for _ in range(self.r.randint(8, 26)):
            at = at + (self.r.uniform(.0, .6) * size, 0)
            points.append(at + (self.r.uniform(-.4, .3) * size, self.r.uniform(-1, 1) * size))
        points = np.array(points)
        smooth = np.array([cv2.GaussianBlur(np.repeat(points[:, k], 6)[None], (0, 0), 3)[0] for k in (0, 1)]).T
        cv2.polylines(self.canvas, [np.round(smooth).astype(np.int32)], False, self.r.randint(140, 255),
                      max(1, round(size * .08)), cv2.LINE_AA)
        low, high = smooth.min(0) - 2, smooth.max(0) + 2
        self.unsure.append(np.array([low, (high[0], low[1]), high, (low[0], high[1])]))

    def stamp(self, x, y):
        """A ring or frame with a few words across what is there."""
        size, value = self.em * self.r.uniform(2.5, 5), self.r.randint(70, 200)
        if self.r.random() < .5:
            cv2.ellipse(self.canvas, ((x, y), (2.2 * size, 2 * size * self.r.uniform(.5, 1)), 0), value, max(1, round(self.em * .1)), cv2.LINE_AA)
        else:
            self.box(x - 1.6 * size, y - .5 * size, x + 1.6 * size, y + .5 * size)
        kind = self.type(self.r.uniform(.9, 1.8))
        self.blocks += 1
        self.row(x, y + kind.xheight / 2, self.writer.texts.line(dict(shout=2, values=1))[:14].strip(), kind, 'centre', strength=value)

    def picture(self, x0, y0, x1, y1):
        """Something that is no text, in a rectangle of the sheet."""
        x0, y0 = max(0, round(x0)), max(0, round(y0))
        x1, y1 = min(self.canvas.shape[1], round(x1)), min(self.canvas.shape[0], round(y1))
        if x1 - x0 < 8 or y1 - y0 < 8:
            return
        patch = pictures.PICTURES[self.r.choice(list(pictures.PICTURES))](self.r, self.writer.scan, (y1 - y0, x1 - x0), self.em)
        if self.r.random() < .3:
            patch[:2], patch[-2:], patch[:, :2], patch[:, -2:] = 255, 255, 255, 255
        part = self.canvas[y0:y1, x0:x1]
        np.maximum(part, patch, out=part)


class Writer:
    """Endless scanned sheets from a seed."""

    STYLES = dict(prose=('office', 'book', 'fax', 'typewriter'), table=('office', 'screen', 'form'), form=('form', 'office', 'fax', 'typewriter'),
                  receipt=('receipt', 'receipt', 'dots'), letter=('office', 'typewriter', 'fax'),
                  labels=('typewriter', 'office', 'book'), slide=('screen', 'office'), blank=('office', 'receipt', 'form'))

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.texts = texts.Lines(random.Random(seed + 1))
        self.renderer = generate.Renderer(self.rng)
        self.scan = generate.Scan(self.rng, np.random.default_rng(seed + 2))

    def sheet(self, side=640):
        """(grey uint8 (h, w), lines, quads that are neither text nor none) of one page."""
        r = self.rng
        kind = r.choices(list(layouts.Layouts.KINDS), layouts.Layouts.KINDS.values())[0]
        zoom = r.choice((1, 1, 1.5, 2))                        # drawn and scanned larger, then scaled down
        xheight = zoom * wanted_xheight(r)
        width, height = (round(zoom * side * r.uniform(.75, 1.15)) for _ in range(2))
        style = generate.STYLES[r.choice(self.STYLES[kind])]
        sheet = Sheet(r, self, width, height, xheight, style)
        if r.random() < .1 and kind != 'labels':               # a coloured or textured ground
            sheet.canvas[:] = pictures.clouds(r, self.scan, sheet.canvas.shape, sheet.em) // r.randint(2, 6)
        layouts.Layouts(sheet).fill(kind)
        if r.random() < .06:                                   # white on black, in part
            y = r.randrange(height)
            sheet.canvas[y:y + round(r.uniform(2, 12) * sheet.em)] ^= 255
        return self.finish(sheet, zoom, photographed=r.random() < dict(receipt=.4, labels=.4).get(kind, .12))

    def finish(self, sheet, zoom, photographed):
        """Show-through, bending, scan, uneven light, down to the scale of the network."""
        r, canvas = self.rng, sheet.canvas
        if r.random() < .12:                                   # the other side of the leaf
            back = cv2.GaussianBlur(cv2.flip(canvas, 1), (0, 0), r.uniform(.5, 2)) * r.uniform(.08, .3)
            canvas = np.maximum(canvas, back.astype(np.uint8))
        matrix = self.bend(canvas.shape, photographed)
        h, w = canvas.shape
        canvas = cv2.warpPerspective(canvas, matrix, (w, h), flags=cv2.INTER_LINEAR, borderValue=r.choice((0, 0, 200)) if photographed else 0)
        grey = self.scan.digitise(canvas, sheet.em, sheet.style.effects)
        if photographed or r.random() < .15:
            light = 1 + self.scan.slow(grey.shape, r.uniform(.1, .5))
            grey = np.clip(grey * light, 0, 255).astype(np.uint8)
        move = np.diag([1 / zoom, 1 / zoom, 1]) @ matrix
        if zoom > 1:
            grey = cv2.resize(grey, (round(w / zoom), round(h / zoom)), interpolation=cv2.INTER_AREA)
        quad = lambda q: cv2.perspectiveTransform(np.asarray(q, np.float64)[None], move)[0]
        lines = [Line([Word(t, quad(q)) for t, q in l.words], quad(l.quad), l.xheight / zoom, l.block) for l in sheet.lines]
        return grey, lines, [quad(q) for q in sheet.unsure]

    def bend(self, shape, photographed):
        """A turn, and of a photograph a slight perspective."""
        r, (h, w) = self.rng, shape
        turn = cv2.getRotationMatrix2D((w / 2, h / 2), r.gauss(0, 2.2 if photographed else .6), 1)
        turn = np.vstack([turn, [0, 0, 1]])
        if not photographed:
            return turn
        corners = np.float32([[0, 0], [w, 0], [w, h], [0, h]])
        moved = corners + np.float32([[r.uniform(-.04, .04) * w, r.uniform(-.04, .04) * h] for _ in corners])
        return cv2.getPerspectiveTransform(corners, moved).astype(np.float64) @ turn
