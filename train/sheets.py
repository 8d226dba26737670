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
import text as texts

XHEIGHT = 9.0                # px of a small letter where the network works: the middle of what is drawn
SPREAD = .31                 # of log(x-height) between sheets
NEAR = 2.2                   # x-heights: wider gaps part two lines of one row

# Written words: quads are (4, 2) float arrays, clockwise from the top left of the text, in px of
# the sheet; xheight and the quads' edges follow the ink of the face, not of the single letters.
Word = collections.namedtuple('Word', 'text quad')
Line = collections.namedtuple('Line', 'words quad xheight block')


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
            box = generate.ink_box(whole)
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
        return Type(self.writer.renderer, self.style, max(3.2, self.xheight * factor), sets)

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
            generate.paste(self.canvas, mask, left, round(y - baseline))
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
        patch = PICTURES[self.r.choice(list(PICTURES))](self.r, self.writer.scan, (y1 - y0, x1 - x0), self.em)
        if self.r.random() < .3:
            patch[:2], patch[-2:], patch[:, :2], patch[:, -2:] = 255, 255, 255, 255
        part = self.canvas[y0:y1, x0:x1]
        np.maximum(part, patch, out=part)


# ---- pictures: functions of (rng, scan, (height, width), em) that give coverage, uint8

def clouds(r, scan, shape, em):
    """Smooth noise on several scales: photographs, stains, marbled paper."""
    total = np.zeros(shape, np.float32)
    size = r.uniform(.3, 4) * em
    for _ in range(r.randint(1, 4)):
        coarse = scan.field((max(2, int(shape[0] / size) + 2), max(2, int(shape[1] / size) + 2)))
        total += cv2.resize(coarse, shape[::-1], interpolation=cv2.INTER_CUBIC)
        size = max(1.5, size * .45)
    total /= total.std() + 1e-6
    if r.random() < .4:
        return ((total > r.uniform(-.5, 1.2)) * r.randint(80, 255)).astype(np.uint8)
    return np.clip(total * r.uniform(20, 80) + r.uniform(10, 160), 0, 255).astype(np.uint8)


def stones(r, scan, shape, em):
    """Grains of one size with dark joints or shaded bodies."""
    out = np.zeros(shape, np.uint8)
    size = r.uniform(.15, 1.6) * em
    count = int(min(1500, shape[0] * shape[1] / (size * size) * r.uniform(.2, 1.2)))
    fill = r.random() < .5
    for _ in range(count):
        axes = size * r.uniform(.4, 1), size * r.uniform(.3, 1)
        centre = r.uniform(0, shape[1]), r.uniform(0, shape[0])
        cv2.ellipse(out, (centre, axes, r.uniform(0, 180)), r.randint(60, 255), -1 if fill or min(axes) < 3 else max(1, round(.06 * em)), cv2.LINE_AA)
    return out


def plant(r, scan, shape, em):
    """Stems with leaves and veins, solid or as a drawing."""
    out = np.zeros(shape, np.uint8)
    tone, solid = r.randint(90, 255), r.random() < .7
    for _ in range(r.randint(1, 4)):
        at, angle = np.array([r.uniform(0, shape[1]), shape[0] * r.uniform(.5, 1)]), r.uniform(-2.4, -.8)
        for _ in range(r.randint(6, 30)):
            angle += r.gauss(0, .18)
            new = at + em * r.uniform(.4, 1.2) * np.array([math.cos(angle), math.sin(angle)])
            cv2.line(out, tuple(np.round(at).astype(int).tolist()), tuple(np.round(new).astype(int).tolist()), tone, max(1, round(em * r.uniform(.05, .2))), cv2.LINE_AA)
            if r.random() < .7:
                side = angle + r.choice((-1, 1)) * r.uniform(.3, 1.3)
                length = em * r.uniform(.4, 3)
                middle = new + .5 * length * np.array([math.cos(side), math.sin(side)])
                cv2.ellipse(out, (middle.tolist(), (length, length * r.uniform(.15, .5)), math.degrees(side)), tone, -1 if solid else 1, cv2.LINE_AA)
            at = new
    return out


def fibres(r, scan, shape, em):
    """Hairs, scratches and creases."""
    out = np.zeros(shape, np.uint8)
    for _ in range(int(r.uniform(.1, 2) * shape[0] * shape[1] / (em * em) * .5) + 1):
        x, y, angle, length = r.uniform(0, shape[1]), r.uniform(0, shape[0]), r.uniform(0, 6.28), em * r.uniform(.3, 3)
        bend = r.uniform(-.6, .6)
        points = [(x + length * t * math.cos(angle + bend * t), y + length * t * math.sin(angle + bend * t)) for t in (0, .25, .5, .75, 1)]
        cv2.polylines(out, [np.round(points).astype(np.int32)], False, r.randint(40, 220), 1, cv2.LINE_AA)
    return out


def bars(r, scan, shape, em):
    """Bar codes, hatching, gratings, rulers."""
    pitch = em * r.uniform(.08, .6)
    widths = np.repeat([r.random() < .5 for _ in range(int(shape[1] / pitch) + 2)], max(1, round(pitch)))[:shape[1]]
    out = np.zeros(shape, np.uint8)
    out[:, :len(widths)] = widths * 255
    return cv2.flip(cv2.resize(out, shape[::-1]), 1) if r.random() < .7 else cv2.resize(np.ascontiguousarray(out.T), shape[::-1])


def checks(r, scan, shape, em):
    """Squares: matrix codes, charts of colours, crosswords."""
    size = em * r.choice((.15, .3, 1, 2.5))
    cells = scan.field((int(shape[0] / size) + 1, int(shape[1] / size) + 1))
    tones = (cells > 0) * 255. if r.random() < .5 else np.clip(128 + 70 * cells, 0, 255)
    return cv2.resize(tones.astype(np.uint8), shape[::-1], interpolation=cv2.INTER_NEAREST)


def strokes(r, scan, shape, em):
    """Dashes, dots, ticks and arcs as large as letters, on rows or anywhere."""
    out = np.zeros(shape, np.uint8)
    rows = r.random() < .5
    for _ in range(int(shape[0] * shape[1] / (em * em) * r.uniform(.1, .8)) + 1):
        x, y = r.uniform(0, shape[1]), r.uniform(0, shape[0])
        y = round(y / (1.5 * em)) * 1.5 * em if rows else y
        axes, start = (em * r.uniform(.05, .5), em * r.uniform(.05, .5)), r.uniform(0, 360)
        cv2.ellipse(out, (round(x), round(y)), tuple(map(round, axes)), r.uniform(0, 180), start, start + r.uniform(10, 300),
                    r.randint(120, 255), max(1, round(em * r.uniform(.04, .15))), cv2.LINE_AA)
    return out


def plot(r, scan, shape, em):
    """Axes and curves."""
    out = np.zeros(shape, np.uint8)
    x = np.arange(0, shape[1], 2)
    for _ in range(r.randint(1, 4)):
        y = shape[0] * (.5 + .4 * np.sin(x / shape[1] * r.uniform(2, 20) + r.uniform(0, 6)) * r.uniform(.2, 1))
        cv2.polylines(out, [np.stack([x, y], 1).astype(np.int32)], False, 255, max(1, round(.06 * em)), cv2.LINE_AA)
    out[-2:], out[:, :2] = 255, 255
    return out


PICTURES = dict(clouds=clouds, stones=stones, plant=plant, fibres=fibres, bars=bars, checks=checks, strokes=strokes, plot=plot)


# ---- layouts: methods that fill a sheet

class Layouts:
    """The kinds of pages; each method fills self.sheet."""

    KINDS = dict(prose=22, table=16, form=18, receipt=16, letter=8, labels=18, slide=6, blank=6)

    def __init__(self, sheet):
        self.sheet, self.r, self.texts = sheet, sheet.r, sheet.writer.texts
        self.height, self.width = sheet.canvas.shape

    def fill(self, kind):
        getattr(self, kind)()
        r, s = self.r, self.sheet
        if r.random() < .12:
            s.stamp(r.uniform(.2, .8) * self.width, r.uniform(.2, .8) * self.height)
        if r.random() < .15:
            s.signature(r.uniform(.1, .7) * self.width, r.uniform(.3, .95) * self.height, s.em * r.uniform(.5, 1.5))
        if r.random() < .12:                                   # dirt of the edges
            wide = round(s.em * r.uniform(.5, 3))
            s.picture(*r.choice(((0, 0, wide, self.height), (self.width - wide, 0, self.width, self.height), (0, 0, self.width, wide))))

    def prose(self):
        r, s = self.r, self.sheet
        columns = r.choice((1, 1, 2, 2, 3))
        gutter, left = s.em * r.uniform(1, 3), s.em * r.uniform(.3, 3)
        wide = (self.width - 2 * left - (columns - 1) * gutter) / columns
        top = s.em * r.uniform(.5, 3)
        if r.random() < .4:                                    # running head, page number
            kind = s.type(.85)
            s.blocks += 1
            s.row(left, top, self.texts.line(dict(words=1, shout=1)), kind)
            s.row(self.width - left, top, str(r.randint(1, 400)), kind, 'right')
            if r.random() < .5:
                s.rule((left, top + .6 * s.em), (self.width - left, top + .6 * s.em))
            top += 2 * s.em
        align = r.choice(('left', 'justify', 'justify'))
        for c in range(columns):
            x, y = left + c * (wide + gutter), top
            while y < self.height - s.em:
                q = r.random()
                if q < .12:
                    y = s.heading(x, y + .6 * s.em, wide)
                elif q < .2:
                    high = s.em * r.uniform(3, 10)
                    s.picture(x, y - .5 * s.em, x + wide, y + high)
                    y = s.paragraph(x, y + high + 1.5 * s.em, wide, s.type(.85), r.randint(1, 2)) + .5 * s.em
                else:
                    y = s.paragraph(x, y, wide, s.body, r.randint(1, 9), align) + r.choice((0, 0, .6)) * s.em
            if c and r.random() < .3:
                s.rule((x - gutter / 2, top), (x - gutter / 2, self.height))

    def letter(self):
        r, s = self.r, self.sheet
        left, y = s.em * r.uniform(1, 5), s.em * 2
        y = s.heading(left, y, self.width - left, r.choice((1.5, 2.2)))
        for _ in range(r.randint(2, 5)):
            s.row(r.choice((left, left, self.width * .6)), y, self.texts.address() if r.random() < .7 else self.texts.name(), s.body)
            y += 1.25 * s.em
        s.row(r.choice((left, self.width * .6)), y + s.em, self.texts.date(), s.body)
        y += 3.5 * s.em
        while y < self.height - 6 * s.em:
            y = s.paragraph(left, y, self.width - 2 * left, s.body, r.randint(2, 8), r.choice(('left', 'justify'))) + s.em
        s.signature(left, y + s.em, s.em)
        s.row(left, y + 3.5 * s.em, self.texts.name(), s.body)

    def cell(self):
        return self.r.choice((self.texts.number, self.texts.amount, self.texts.word, self.texts.date, self.texts.code,
                              self.texts.number, self.texts.label, lambda: self.r.choice('-xX01*/.ABN')))()

    def table(self, x0=None, y0=None, x1=None, y1=None):
        r, s = self.r, self.sheet
        x0, x1 = x0 or s.em * r.uniform(.3, 2), x1 or self.width - s.em * r.uniform(.3, 2)
        y, y1 = y0 or s.em * r.uniform(1, 4), y1 or self.height
        if y0 is None and r.random() < .6:
            y = s.heading(x0, y, x1 - x0, 1.2)
        edges, x = [x0], x0
        while x < x1 - 3 * s.em:
            x += s.em * r.uniform(3, 11)
            edges.append(min(x, x1))
        first = s.em * r.uniform(6, 14) if r.random() < .5 else 0
        edges = [x0] + [e + first for e in edges[1:] if e + first < x1] + [x1]
        pitch, ruled, barred = s.em * r.uniform(1.15, 2.2), r.random() < .5, r.random() < .5
        aligned = [r.choice(('left', 'right', 'centre')) for _ in edges]
        pad, top, kind = .4 * s.em, y - pitch, s.body
        while y < y1 - .5 * s.em:
            s.blocks += 1
            for k, (a, b) in enumerate(zip(edges, edges[1:])):
                if r.random() < .85:
                    string = self.texts.span(int((b - a) / (.6 * s.em)) + 2) if k == 0 and r.random() < .7 else self.cell()
                    room = max(2, int((b - a - 2 * pad) / (.58 * kind.em * kind.stretch)))
                    where = a + pad if k == 0 else dict(left=a + pad, right=b - pad, centre=(a + b) / 2)[aligned[k]]
                    s.row(where, y, string[:room].strip() or '0', kind, 'left' if k == 0 else aligned[k])
            if ruled or r.random() < .04:
                s.rule((x0, y + .3 * pitch), (x1, y + .3 * pitch), 1 if r.random() < .8 else None)
            y += pitch
        if barred:
            for e in edges:
                s.rule((e, top), (e, y), max(1, round(.05 * s.em)))

    def form(self):
        r, s = self.r, self.sheet
        y, left, right = s.em * 2, s.em * r.uniform(.2, 2), self.width - s.em * r.uniform(.2, 2)
        filled = s.type(r.uniform(.85, 1.25), dict(typewriter=2, any=1))
        small = s.type(r.uniform(.65, 1))
        if r.random() < .6:
            y = s.heading(left, y, right - left)
        while y < self.height - s.em:
            q = r.random()
            if q < .45:                                        # a row of boxes
                high, x = s.em * r.uniform(1.5, 3.6), left
                cells = sorted(r.uniform(left, right) for _ in range(r.randint(0, 3))) + [right]
                for e in cells:
                    s.box(x, y, e, y + high)
                    self.field(x, y, e, high, small, filled)
                    x = e
                y += high + r.choice((0, 0, s.em))
            elif q < .75:                                      # label, line to write on
                y += s.em * r.uniform(1.2, 1.8)
                x = left
                for _ in range(r.randint(1, 3)):
                    x = s.row(x, y, self.texts.line(dict(label=3, words=1)), s.body) + .4 * s.em
                    end = min(right, x + s.em * r.uniform(3, 14))
                    if r.random() < .6:
                        s.row(x + .3 * s.em, y - r.uniform(0, .15) * s.em, self.texts.value(), filled)
                    self.leader(x, end, y)
                    x = end + s.em
                    if x > right - 4 * s.em:
                        break
            elif q < .85:                                      # check boxes
                y += s.em * 1.4
                x = left
                while x < right - 6 * s.em:
                    side = .7 * s.em
                    s.box(x, y - side, x + side, y)
                    q = r.random()
                    if q < .15:
                        s.rule((x, y - side), (x + side, y), 1)
                    elif q < .4:
                        s.row(x + side / 2, y - .12 * side, r.choice('xXxXvV1*'), s.body, 'centre')
                    x = s.row(x + 1.2 * s.em, y, self.texts.line(dict(label=1, words=2)), s.body) + 1.5 * s.em
            elif q < .92:
                y = s.paragraph(left, y + 1.4 * s.em, right - left, small, r.randint(1, 4))
            else:
                self.table(left, y + 2 * s.em, right, min(self.height, y + s.em * r.uniform(5, 12)))
                y += 12 * s.em
        if r.random() < .4:
            s.box(left, s.em, right, self.height - s.em)

    def field(self, x, y, end, high, small, filled):
        """A box of a form: a label at its top left or in its middle, mostly filled in."""
        r, s = self.r, self.sheet
        s.blocks += 1
        room = max(1, int((end - x - .6 * s.em) / (.55 * small.em)))
        label = self.texts.line(dict(label=4, words=1))[:room].strip() or 'No'
        where = y + small.up + .25 * s.em
        after = s.row(x + .3 * s.em, where, label, small)
        room = max(0, int((end - x - s.em) / (.6 * filled.em)))
        if room and r.random() < .7:
            value = self.texts.value()[:room].strip()
            if high > 2.2 * s.em:
                s.row(x + r.uniform(.3, 1.2) * s.em, y + high - .4 * s.em, value, filled)
            elif after + s.em < end:
                s.row(after + .8 * s.em, where, value[:max(1, int((end - after - s.em) / (.6 * filled.em)))], filled)

    def leader(self, x, end, y):
        r, s = self.r, self.sheet
        if r.random() < .6:
            s.rule((x, y + .15 * s.em), (end, y + .15 * s.em), 1)
        elif r.random() < .7:
            for k in range(int((end - x) / (.35 * s.em))):
                cv2.circle(s.canvas, (round(x + .35 * s.em * k), round(y)), max(1, round(.05 * s.em)), 255, -1)

    def receipt(self, x0=0, y0=0, x1=None, y1=None):
        r, s = self.r, self.sheet
        x1, y1 = x1 or self.width, y1 or self.height
        left, right, y = x0 + s.em * r.uniform(.3, 2.5), x1 - s.em * r.uniform(.3, 2.5), y0 + s.em * r.uniform(1.5, 3)
        middle, pitch = (left + right) / 2, s.em * r.uniform(1.0, 1.5)
        room = max(4, int((right - left) / (.55 * s.em)))
        s.blocks += 1
        if r.random() < .5:
            kind = s.type(r.uniform(1.2, 2.2))
            s.row(middle, y + kind.em * .5, self.texts.line(dict(words=1, shout=1))[:room // 2].strip() or 'SHOP', kind, 'centre')
            y += kind.em * 1.3 + pitch
        for _ in range(r.randint(2, 7)):
            s.row(middle, y, self.texts.address()[:room].strip(), s.body, 'centre')
            y += pitch
        while y < y1 - s.em:
            q = r.random()
            if q < .12:
                s.blocks += 1
                y += r.choice((.5, 1)) * pitch
            elif q < .24:
                if r.random() < .5:
                    s.row(left, y, r.choice('-=*_') * room, s.body)
                    s.lines.pop()                              # a rule of signs is no text
                else:
                    s.rule((left, y - .3 * s.em), (right, y - .3 * s.em))
            elif q < .7:
                price = f'{r.random() * 10 ** r.randint(1, 3):.2f}'
                s.row(left, y, self.texts.receipt_line()[:max(3, room - 10)].strip() or 'X', s.body)
                s.row(right, y, price, s.body, 'right')
            else:
                s.row(r.choice((left, left, middle)), y, self.texts.line(dict(receipt=2, labelled=2, shout=1))[:room].strip() or 'X', s.body, 'left')
            y += pitch

    def labels(self):
        """A sheet of a collection: pictures over all of it, paper labels with a few lines stuck on."""
        r, s = self.r, self.sheet
        for _ in range(r.randint(1, 4)):
            x, y = r.uniform(-.2, .7) * self.width, r.uniform(-.2, .7) * self.height
            s.picture(x, y, x + r.uniform(.3, 1) * self.width, y + r.uniform(.3, 1) * self.height)
        for _ in range(r.randint(1, 4)):
            wide, rows = s.em * r.uniform(8, 26), r.randint(2, 10)
            kind, high = s.type(r.choice((.8, 1, 1, 1.2))), 0
            high = (rows + 2) * kind.em * 1.4
            x, y = r.uniform(0, max(1, self.width - wide)), r.uniform(0, max(1, self.height - high))
            self.clear(x, y, x + wide, y + high)
            if r.random() < .5:
                s.box(x, y, x + wide, y + high)
            at, align = y + 1.8 * kind.em, r.choice(('left', 'centre'))
            room = max(3, int((wide - kind.em) / (.55 * kind.em * kind.stretch)))
            s.blocks += 1
            if r.random() < .4:
                big = s.type(r.uniform(1.2, 1.8))
                s.row(x + wide / 2, at, self.texts.line(dict(words=2, shout=1))[:room // 2].strip() or 'Herb.', big, 'centre')
                at += 1.4 * big.em
            while at < y + high - .4 * kind.em:
                string = self.texts.line(dict(prose=3, values=2, labelled=2, letter=1, foreign=3))[:room].strip() or 'x'
                if r.random() < .12:
                    s.signature(x + kind.em, at, kind.em * .6)
                else:
                    s.row(x + (wide / 2 if align == 'centre' else .6 * kind.em), at, string, kind, align)
                at += kind.em * r.uniform(1.1, 1.5)

    def clear(self, x0, y0, x1, y1):
        """Paper over what is there; lines that are covered go."""
        s, (x0, y0, x1, y1) = self.sheet, (max(0, round(v)) for v in (x0, y0, x1, y1))
        s.canvas[y0:y1, x0:x1] = self.r.choice((0, 0, 0, 25))
        keep = [l for l in s.lines if l.quad[:, 0].max() < x0 or l.quad[:, 0].min() > x1 or
                l.quad[:, 1].max() + l.xheight < y0 or l.quad[:, 1].min() - l.xheight > y1]
        gone = [l for l in s.lines if not any(l is k for k in keep)]
        s.unsure += [w.quad for l in gone for w in l.words]
        s.lines = keep

    def slide(self):
        r, s = self.r, self.sheet
        for _ in range(r.randint(4, 14)):
            x, y = r.uniform(0, .8) * self.width, r.uniform(.02, .98) * self.height
            kind = s.type(r.choice((.7, 1, 1, 1.4, 2, 3)))
            band = s.canvas[max(0, round(y - 1.6 * kind.em)):round(y + .8 * kind.em)]
            if band.size and not band[:, round(x):].any():
                s.blocks += 1
                s.row(x, y, self.texts.line(dict(prose=2, words=2, labelled=2, shout=1)), kind)
        for _ in range(r.randint(0, 3)):
            x, y = r.uniform(0, .8) * self.width, r.uniform(0, .8) * self.height
            high, wide = r.uniform(3, 8) * s.em, r.uniform(4, 15) * s.em
            if not s.canvas[round(y):round(y + high), round(x):round(x + wide)].any():
                s.picture(x, y, x + wide, y + high)

    def blank(self):
        """No text at all."""
        for _ in range(self.r.randint(0, 6)):
            x, y = self.r.uniform(-.2, .8) * self.width, self.r.uniform(-.2, .8) * self.height
            self.sheet.picture(x, y, x + self.r.uniform(.1, 1) * self.width, y + self.r.uniform(.1, 1) * self.height)


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
        kind = r.choices(list(Layouts.KINDS), Layouts.KINDS.values())[0]
        zoom = r.choice((1, 1, 1.5, 2))                        # drawn and scanned larger, then scaled down
        xheight = zoom * min(19.0, max(4.0, math.exp(r.gauss(math.log(XHEIGHT), SPREAD))))
        width, height = (round(zoom * side * r.uniform(.75, 1.15)) for _ in range(2))
        style = generate.STYLES[r.choice(self.STYLES[kind])]
        sheet = Sheet(r, self, width, height, xheight, style)
        if r.random() < .1 and kind != 'labels':               # a coloured or textured ground
            sheet.canvas[:] = clouds(r, self.scan, sheet.canvas.shape, sheet.em) // r.randint(2, 6)
        Layouts(sheet).fill(kind)
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
