# SPDX-License-Identifier: BSD-2-Clause
"""Lines cut by platen itself from degraded pages, so that training and running see the same crops.

A page is one or two columns of lines in one style of generate.py, turned a little and "scanned" as
a whole; `cut` (cut.c) then does what platen does, and its boxes are matched to what was written.
"""
import math
import os
import subprocess
import tempfile

import cv2
import numpy as np

import generate
import line
import masks
import text as texts

PIPELINES = ('gray,invert:auto,deskew | lines', 'gray,invert:auto,background,deskew | lines')
PAGES = 6                    # drawn before `cut` is asked
LONGEST = 40                 # characters of a line: about generate.WIDEST px
OVERLAP = .6                 # of heights, of a box and the line written there
SLACK = .4                   # ems that the ends of the two may differ


class Page:
    """Ink coverage of a page at scan resolution, and the (box, text) of its lines."""

    def __init__(self, maker, style):
        self.r, self.style, self.renderer = maker.rng, style, maker.renderer
        self.em = maker.resolution(max(10, style.em[0]), min(44, style.em[1]))
        self.stretch = math.exp(self.r.gauss(math.log(style.stretch[1]), style.stretch[0]))
        self.rows, self.lines = self.r.randint(6, 16), []
        columns = self.r.choice((1, 1, 2))
        self.wide = 24 * self.em
        self.canvas = np.zeros((round((self.rows * 1.9 + 4) * self.em), round((columns * 25 + 3) * self.em)), np.uint8)
        for column in range(columns):
            self.column(maker, round((1.5 + 25 * column) * self.em))

    def column(self, maker, left):
        """Lines one below the other, headings and blank rows between."""
        r, y = self.r, round(2 * self.em)
        face_set = r.choices(list(self.style.faces), self.style.faces.values())[0]
        pitch = self.em * r.uniform(1.1, 1.75)
        indent = r.choice((0, 0, 1.5, 'centre'))
        for _ in range(self.rows):
            string = self.shortened(texts.squeeze(maker.texts.line(self.style.kinds)))
            mask = self.mask(string, face_set)
            if mask is not None and mask[0].shape[1] < self.wide:
                x = (self.wide - mask[0].shape[1]) / 2 if indent == 'centre' else indent * self.em * (r.random() < .3)
                self.place(*mask, left + round(x), y, string)
            y += round(pitch * r.choice((1, 1, 1, 1, 1, 1.6)))
            if y > self.canvas.shape[0] - 2 * self.em:
                break

    def shortened(self, string):
        if len(string) > LONGEST:
            string = string[:string.rfind(' ', 1, LONGEST)] if ' ' in string[1:LONGEST] else string[:LONGEST]
        return string.strip()

    def mask(self, string, face_set):
        """(mask at scan resolution, row of the baseline), or None."""
        mask, baseline, size = self.renderer.line(self.style, string, face_set)
        box = masks.ink_box(mask)
        if box is None:
            return None
        scale = self.em / size
        shape = max(2, round(mask.shape[1] * scale * self.stretch)), max(2, round(mask.shape[0] * scale))
        return cv2.resize(mask, shape, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR), baseline * scale

    def place(self, mask, baseline, x, y, string):
        top = round(y - baseline)
        masks.paste(self.canvas, mask, x, top)
        box = masks.ink_box(mask)
        if box:
            box = box[0] + x, box[1] + top, box[2] + x, box[3] + top
            self.lines.append((box, string))
            self.ornaments(box, y)

    def ornaments(self, box, y):
        """Underlines, rules between the rows, boxes around lines."""
        r, em, often = self.r, self.em, self.style.effects.get('rules', 1)
        thick = max(1, round(em * r.choice((.03, .05, .08))))
        if r.random() < .05 * often:
            cv2.line(self.canvas, (box[0], y + round(.14 * em)), (box[2], y + round(.14 * em)), 255, thick)
        if r.random() < .03 * often:
            low = y + round(.42 * em)
            cv2.line(self.canvas, (box[0], low), (box[0] + round(self.wide), low), 255, thick)
        if r.random() < .02 * often:
            near = round(em * r.uniform(.15, .4))
            cv2.rectangle(self.canvas, (box[0] - near, box[1] - near), (box[2] + near, box[3] + near), 255, thick)

    def turned(self):
        """The canvas and the boxes, turned a little about the middle."""
        angle = self.r.gauss(0, .5) if self.r.random() < .7 else 0
        h, w = self.canvas.shape
        matrix = cv2.getRotationMatrix2D((w / 2, h / 2), angle, 1)
        canvas = cv2.warpAffine(self.canvas, matrix, (w, h), flags=cv2.INTER_LINEAR) if angle else self.canvas
        return canvas, [(*turned(box, matrix), string) for box, string in self.lines]


def turned(box, matrix):
    """The box around a box that an affine matrix has moved."""
    x0, y0, x1, y1 = box
    corners = np.array([[x0, y0, 1], [x1, y0, 1], [x0, y1, 1], [x1, y1, 1]]) @ matrix.T
    return (*corners.min(0), *corners.max(0))


def parse(output):
    """(number of the page, box, quantised strip) of every line that `cut` wrote."""
    at = 0
    while at < len(output):
        end = output.index(b'\n', at)
        number, *box, width = map(int, output[at:end].split())
        size = line.HEIGHT * width
        yield number, box, np.frombuffer(output, np.uint8, size, end + 1).reshape(line.HEIGHT, width)
        at = end + 1 + size


def overlap(a, b):
    """Shared rows of two boxes over the rows of the higher one."""
    return max(0, min(a[3], b[3]) - max(a[1], b[1])) / max(1, max(a[3] - a[1], b[3] - b[1]))


def match(box, written, em):
    """The text written in a box, or None where it is not just one whole line."""
    inside = [w for w in written if overlap(box, w) > .2 and min(box[2], w[2]) > max(box[0], w[0])]
    if len(inside) != 1 or overlap(box, inside[0]) < OVERLAP:
        return None
    if max(abs(box[0] - inside[0][0]), abs(box[2] - inside[0][2])) > SLACK * em:
        return None
    return inside[0][4]


class Maker:
    """An endless stream of (grey (32, W), text) for a generate.Generator; `cut` is the program."""

    def __init__(self, generator, cut):
        self.generator, self.cut, self.pairs = generator, cut, []

    match = staticmethod(match)

    def page(self):
        styles = [s for s in self.generator.styles if not s.effects.get('dots')]
        style = self.generator.rng.choices(styles, [s.share for s in styles])[0]
        page = Page(self.generator, style)
        canvas, boxes = page.turned()
        return self.generator.scan.digitise(canvas, page.em, style.effects), boxes, page.em

    def take(self):
        while not self.pairs:
            self.fill()
        return self.pairs.pop()

    def fill(self):
        pages = [self.page() for _ in range(PAGES)]
        with tempfile.TemporaryDirectory() as folder:
            names = [os.path.join(folder, f'{i}.png') for i in range(len(pages))]
            for name, (grey, _, _) in zip(names, pages):
                cv2.imwrite(name, grey, [cv2.IMWRITE_PNG_COMPRESSION, 1])
            done = subprocess.run([self.cut, self.generator.rng.choice(PIPELINES), *names], check=True, capture_output=True)
        for number, box, strip in parse(done.stdout):
            string = self.match(box, *pages[number][1:])
            if string and line.STRIDE * line.frames_needed(string) <= strip.shape[1] <= generate.WIDEST:
                self.pairs.append((255 - strip, string))
        self.generator.rng.shuffle(self.pairs)
