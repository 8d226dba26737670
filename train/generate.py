# SPDX-License-Identifier: BSD-2-Clause
"""Synthetic text lines: rendered, set among neighbours and rules, "scanned", cropped.

A line is made in a style (STYLES): what is written, in which faces, at which resolution, how
it is inked and digitised. Lengths below are in em of the line unless they say px. spool.py writes
them for train.py.
"""
import collections
import math
import random

import cv2
import numpy as np

import cyrillic_greek
import fonts
import line
import text as texts
from masks import accent_of, glyph_mask, ink_box, paste
from typesetting import FRAME, LOWERED, PLAIN, RAISED, THIN, UNREAD, typeset

Style = collections.namedtuple('Style', 'share kinds faces em stretch effects')
# faces: weights of fonts.SETS; em: lowest and highest scan resolution in px per em;
# stretch: spread of the horizontal scale and its centre; effects: see Scan.
PROSE = dict(prose=60, words=4, labelled=5, values=5, item=8, label=2, code=3, leader=2, quoted=6, table=3,
             letter=6, random=2, shout=1, foreign=11, place=2, language=60, formula=2, science=8)
FORM = dict(prose=22, words=12, labelled=18, values=14, item=8, label=14, shout=4, code=1, table=3, random=2.5, letter=4, foreign=7, place=3, language=34, single=3, science=4)
SHOP = dict(receipt=45, labelled=18, shout=9, values=9, label=6, words=6, prose=6, random=2, table=3, foreign=7, language=12)
SCREEN = dict(prose=32, words=6, labelled=10, values=13, item=6, label=5, code=14, table=12, quoted=4, random=3, shout=1, foreign=12, place=2, language=44, formula=2, science=8)
STYLES = {
    'office': Style(27, PROSE, dict(any=60, book=18, sans=20), (15, 50), (.05, 1), dict(bilevel=.4, halftone=.08, coarse=.07)),
    'book': Style(14, dict(PROSE, values=2, table=0, code=0, entry=60), dict(book=1), (20, 52), (.06, 1),
                  dict(bilevel=.6, uneven=.4, spread=.45, press=.45)),
    'form': Style(25, FORM, dict(typewriter=28, sans=38, any=34), (8, 21), (.07, 1),
                  dict(bilevel=.45, rules=3, spread=.35, halftone=.04, coarse=.1, press=.08)),
    'typewriter': Style(13, dict(FORM, prose=45, letter=12), dict(typewriter=1), (14, 46), (.06, 1),
                        dict(bilevel=.5, uneven=.4, spread=.4, jitter=.5, rules=2, press=.25, clog=.3)),
    'receipt': Style(21, SHOP, dict(receipt=70, sans=20, mono=10), (14, 42), (.13, .86),
                     dict(bilevel=.2, faint=.5, spread=.4, blur=.8, uneven=.25, coarse=.15, double=.22, shake=.08)),
    'dots': Style(5, dict(SHOP, prose=15), dict(receipt=50, mono=50), (18, 42), (.12, .92),
                  dict(bilevel=.15, dots=1, faint=.4, blur=.8, double=.15)),
    'screen': Style(6, SCREEN, dict(sans=55, any=45), (10, 26), (.03, 1), dict(bilevel=0, noise=.15, clean=1)),
    'card': Style(2, dict(mrz=60, labelled=10, label=10, values=20), dict(ocr=75, mono=15, sans=10), (13, 36), (.06, 1), dict(bilevel=.2, uneven=.3)),
    'fax': Style(4, FORM, dict(any=60, typewriter=20, sans=20), (14, 36), (.06, 1), dict(bilevel=1, fax=1, spread=.4, coarse=.15)),
}
# Times the weights of the kinds of text, for what a network is to read or to learn: see towards.
TOWARDS = {'foreign': dict(language=4, foreign=2, prose=.25, words=.25, letter=.25, quoted=.5, shout=.5, science=2),
           'english': dict(language=.5),
           'rare': dict(language=1.5, foreign=4),
           'science': dict(language=.15, foreign=.6, science=8)}
WIDEST = 656                 # px of a strip; see train.WIDEST
LINES = {'latin': texts.Lines, 'cyrillic-greek': cyrillic_greek.Lines}
CARONS = {'ď': 'd', 'ť': 't', 'ľ': 'l', 'Ľ': 'L'}
SMALLEST_MARK = .55          # of a font's own height: an acute of old books, in which it is a dot that leans
STAMPED, HOLLOW = .02, .015  # of lines: a stamp stands over them; they are outlines, from 22 px per em on
MOVED = .4                   # of lines with letters that are not English: the accents are moved
BAYER = np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]], np.float32) / 16 - .47


def towards(style, aim):
    """A style for a network that reads English alone, or all but that, or learns signs of technical pages, which are then
    in a third of the lines, or letters of few languages: `aim` is a key of TOWARDS."""
    return style._replace(kinds={kind: weight * TOWARDS[aim].get(kind, 1) for kind, weight in style.kinds.items()})


class Renderer:
    """Masks of lines: uint8 (h, w), 255 = ink, with the row of the baseline."""

    def __init__(self, rng):
        self.rng = rng

    def draw(self, face, size, string, effects):
        """One line in one face, whole or letter by letter."""
        r, font = self.rng, face.font(size)
        ascent, descent = font.getmetrics()
        if string.isupper() and len(string) <= 40 and not effects.get('dots') and r.random() < .1:
            return self.spaced(font, size, string, effects, r.uniform(.15, .7))
        if not string.isascii() and 'ı' in face.characters and not effects.get('dots') and r.random() < MOVED:
            return self.spaced(font, size, string, effects, accents=r.choice(('dead', 'low')) if face.monospaced else 'low')
        if string == string.translate(UNREAD) and (effects.get('dots') or r.random() < .68 and r.random() > effects.get('jitter', 0)):
            mask, (_, top) = glyph_mask(font, string)
            canvas = np.zeros((max(ascent + descent, top + mask.shape[0]) + 2, mask.shape[1] + 4), np.uint8)
            paste(canvas, mask, 2, max(0, top))
            return canvas, ascent
        return self.spaced(font, size, string, effects)

    def glyph(self, font, character, accents):
        """Mask of a character and its offset. `accents` moves what stands above letters: "low" is the type of old books, whose
        accents nearly touch and may be little larger than a dot, "dead" the keys of a typewriter that do not move the carriage, with accents that stand high
        and aside and a caron on letters that print gives an apostrophe."""
        r, found = self.rng, accents and accent_of(font, character)
        if accents == 'dead' and character in CARONS:
            found, letter = accent_of(font, 'č'), glyph_mask(font, CARONS[character])
            if not found:
                return glyph_mask(font, character)
            (mark, (x, y)), _ = found
            # The caron rests on the letter, or reaches into it by half of its own height at most.
            found = (mark, (x + r.uniform(0, .1) * font.size, letter[1][1] - mark.shape[0] * r.uniform(.5, 1.1))), letter
        elif not found:
            return glyph_mask(font, character)
        (mark, (x, y)), (letter, (left, top)) = found
        space = top - y - mark.shape[0]
        if accents == 'low':
            if r.random() < .5:
                small = self.smaller(mark, r.uniform(SMALLEST_MARK, 1))
                x, y, mark = x + (mark.shape[1] - small.shape[1]) / 2, y + mark.shape[0] - small.shape[0], small
            x, y = x + r.uniform(-.02, .06) * font.size, y + space * r.uniform(.2, 1.3)
        elif character not in CARONS:
            x, y = x + r.uniform(-.1, .1) * font.size, y - (character.islower() and r.uniform(0, .25) * font.size)
        x, y = round(x), round(y)
        origin = min(x, left), min(y, top)
        canvas = np.zeros((max(y + mark.shape[0], top + letter.shape[0]) - origin[1],
                           max(x + mark.shape[1], left + letter.shape[1]) - origin[0]), np.uint8)
        paste(canvas, letter, left - origin[0], top - origin[1])
        paste(canvas, mark, x - origin[0], y - origin[1])
        return canvas, origin

    @staticmethod
    def smaller(mark, scale):
        """A mark in a smaller size, at least 1 x 1."""
        height, width = (max(1, round(side * scale)) for side in mark.shape)
        return cv2.resize(mark, (width, height), interpolation=cv2.INTER_AREA)

    def spaced(self, font, size, string, effects, wide=0, accents=None):
        """Letter by letter: letter-spacing (`wide` ems, as headings have it), wide or narrow word gaps, typewriter jitter,
        the whole pixels of a coarse printer, fading, moved accents."""
        r = self.rng
        spacing = size * (wide or r.choice((0, r.uniform(-.03, .02), r.uniform(0, .1), r.uniform(0, .3) ** 1.5)))
        gap = size * (wide * r.uniform(.7, 1.5) or r.choice((0, r.uniform(-.09, 0), r.uniform(0, .5), r.uniform(0, .5))))
        shake = size * (r.uniform(.005, .05) if r.random() < max(.3, effects.get('jitter', 0)) else 0)
        pixel = size / r.uniform(7, 18) if shake == 0 and r.random() < .2 else 1
        fade = r.uniform(.4, 1) if r.random() < .2 else 1
        thin = r.uniform(.15, .65) * (font.getlength(' ') + gap)
        ascent, descent = font.getmetrics()
        width = font.getlength(string.replace(THIN, ' ').translate(UNREAD)) + len(string) * (spacing + max(0, gap)) + string.count(FRAME) * size / 2
        canvas = np.zeros((ascent + descent + 8, int(width) + 24), np.uint8)
        small, up, down, off = r.uniform(.5, .72), r.uniform(.26, .42) * size, r.uniform(.08, .22) * size, None
        x, frame, pad = 6.0, None, r.uniform(.12, .3) * size
        for character in string:
            if character == FRAME and frame is None:
                frame, x = x, x + pad
                continue
            if character == FRAME:
                self.frame(canvas, frame, x + pad, ascent + 4, size)
                frame, x = None, x + 1.5 * pad
                continue
            if character == THIN:
                x += thin
                continue
            if character in (RAISED, LOWERED):
                off = up if character == RAISED else -down
                continue
            if character != ' ':
                mask, (left, top) = self.glyph(font, character, accents)
                if off and mask.size:
                    mask = self.smaller(mask, small)
                    left, top = left * small, max(-4, ascent - off + small * (top - ascent))
                if fade < 1:
                    mask = (mask * r.uniform(fade, 1)).astype(np.uint8)
                place = round(x / pixel) * pixel + left + r.uniform(-shake, shake) * .6
                paste(canvas, mask, round(place), round(top + 4 + r.uniform(-shake, shake)))
            x += font.getlength(character) * (small if off else 1) + spacing + (gap if character == ' ' else 0)
            off = None
        return canvas, ascent + 4

    def frame(self, canvas, left, right, baseline, size):
        """The frame of a key, its corners cut, grey or black."""
        r = self.rng
        top, bottom = max(1, baseline - size * r.uniform(.82, .95)), min(len(canvas) - 2, baseline + size * r.uniform(.2, .3))
        corner = size * r.choice((0, .08, .16))
        x, y = (left, left + corner, right - corner, right), (top, top + corner, bottom - corner, bottom)
        points = np.array([(x[i], y[j]) for i, j in ((1, 0), (2, 0), (3, 1), (3, 2), (2, 3), (1, 3), (0, 2), (0, 1))])
        cv2.polylines(canvas, [points.round().astype(np.int32)], True, r.randint(90, 255), max(1, round(size * r.uniform(.02, .07))), cv2.LINE_AA)

    def dots(self, face, string):
        """A line of pins: the face at 8 to 15 px, one disc per pixel; about 40 px per em."""
        r = self.rng
        size = r.choice((9, 10, 11, 12, 14, 16)) if len(face.sizes) > 1 else face.sizes[0]
        try:
            mask, baseline = self.draw(face, size, string, dict(dots=1))
        except OSError:                      # a pixel font that lacks the size
            return self.dots(fonts.pick(r, 'mono', string.translate(UNREAD)), string)
        pitch = max(2, round(40 / size))
        radius = pitch * r.uniform(.38, .7)
        grid = np.zeros((mask.shape[0] * pitch, mask.shape[1] * pitch), np.float32)
        grid[pitch // 2::pitch, pitch // 2::pitch] = mask > 110
        reach = int(math.ceil(radius))
        y, x = np.mgrid[-reach:reach + 1, -reach:reach + 1]
        disc = np.clip(radius + .5 - np.hypot(x, y), 0, 1).astype(np.float32)
        return (255 * np.clip(cv2.filter2D(grid, -1, disc), 0, 1)).astype(np.uint8), baseline * pitch, size * pitch

    def line(self, style, string, face_set):
        """(mask, baseline row, px per em); the part after a colon sometimes in another face."""
        r = self.rng
        face = fonts.pick(r, face_set, string.translate(PLAIN))
        string = typeset(r, face, string, face_set == 'book')
        size = r.choice(face.sizes)
        if style.effects.get('dots') and (len(face.sizes) > 1 or r.random() < .5):
            return self.dots(face, string)
        if len(face.sizes) <= 1 or size < 24:            # a pixel font: keep its pixels square
            mask, baseline = self.draw(face, size, string, style.effects)
            zoom = max(1, round(36 / size))
            return np.repeat(np.repeat(mask, zoom, 0), zoom, 1), baseline * zoom, size * zoom
        cut = string.find(':') + 1
        if 3 < cut < len(string) and string[cut] == ' ' and r.random() < .35:
            other = fonts.pick(r, face_set if r.random() < .5 else 'typewriter')
            if other.sizes == face.sizes and other.characters.issuperset(string):
                return self.beside(self.draw(face, size, string[:cut], style.effects),
                                   self.draw(other, size, string[cut:].strip(), style.effects), size)
        return *self.draw(face, size, string, style.effects), size

    def beside(self, first, second, size):
        """Two masks on one baseline with a blank between them."""
        (a, base_a), (b, base_b) = first, second
        base, gap = max(base_a, base_b), int(size * self.rng.uniform(.2, 1.2))
        canvas = np.zeros((base + max(a.shape[0] - base_a, b.shape[0] - base_b), a.shape[1] + gap + b.shape[1]), np.uint8)
        paste(canvas, a, 0, base - base_a)
        paste(canvas, b, a.shape[1] + gap, base - base_b)
        return canvas, base, size


class Scene:
    """A line on a larger canvas with its surroundings; box = ink of the line in the canvas."""

    def __init__(self, rng, mask, baseline, em):
        self.rng, self.em = rng, em
        self.room = int(em * 1.1)
        self.canvas = np.zeros((mask.shape[0] + 2 * self.room, mask.shape[1] + 2 * self.room), np.uint8)
        paste(self.canvas, mask, self.room, self.room)
        self.box, self.baseline = ink_box(self.canvas), baseline + self.room

    def neighbours(self, recent):
        """Lines above and below at a pitch of 1.05 to 1.9 em."""
        r, pitch = self.rng, self.em * self.rng.uniform(1.05, 1.9)
        for direction in (-1, 1):
            if recent and r.random() < .7:
                mask, baseline, em = r.choice(recent)
                if not .6 < em / self.em < 1.6:
                    continue
                x = r.randint(-mask.shape[1] // 3, self.canvas.shape[1] // 2) if r.random() < .4 else self.room
                paste(self.canvas, mask, x, int(self.baseline + direction * pitch - baseline))

    def rules(self, amount):
        """Underlines, dotted lines, table and box rules; amount scales how often."""
        r, (x0, y0, x1, y1), em = self.rng, self.box, self.em
        height, width = self.canvas.shape
        thick = max(1, round(em * r.choice((.03, .05, .05, .08, .1))))
        if r.random() < .06 * amount:                       # underline, also right through descenders
            y = self.baseline + r.randint(max(1, int(.04 * em)), int(.25 * em))
            self.rule((0 if r.random() < .5 else x0, y), (width if r.random() < .5 else x1, y), thick)
        elif r.random() < .03 * amount:
            y, step = self.baseline + r.randint(2, int(.25 * em)), r.randint(int(.12 * em), int(.25 * em))
            for x in range(0, width, step):
                self.canvas[y:y + thick + 1, x:x + thick + 1] = 255
        if r.random() < .03 * amount:
            self.strike_out(min(thick, max(1, round(.06 * em))))
        for y in (y0 - r.uniform(.08, .35) * em, y1 + r.uniform(.08, .35) * em):
            if r.random() < .06 * amount:                   # the sides of a box or a table row
                self.rule((0, int(y)), (width, int(y)), thick)
        for x in (x0 - r.uniform(.1, .5) * em, x1 + r.uniform(.1, .5) * em):
            if r.random() < .04 * amount:
                self.rule((int(x), 0), (int(x), height), thick)
        self.cell_rules(.25 * amount, thick)

    def strike_out(self, thick):
        """A stroke through the line or the end of it, as through old prices and words of a contract: they are read."""
        r, (x0, _, x1, _) = self.rng, self.box
        y = self.baseline - r.randint(int(.18 * self.em), int(.36 * self.em))
        self.rule((x0 if r.random() < .5 else r.randint(x0, (x0 + x1) // 2), y), (x1, y), thick)

    def rule(self, start, end, thick):
        cv2.line(self.canvas, start, end, 255, thick)

    def cell_rules(self, chance, thick):
        """Vertical rules through gaps wider than an em; they are not text."""
        if self.rng.random() > chance:
            return
        x0, y0, x1, y1 = self.box
        columns = self.canvas[y0:y1, x0:x1].max(0) > 0
        edges = np.flatnonzero(np.diff(columns.astype(np.int8)))
        for a, b in zip(edges[::2], edges[1::2]):
            if b - a > 1.0 * self.em:
                x = x0 + int(a + (b - a) * self.rng.uniform(.3, .7))
                self.rule((x, 0), (x, self.canvas.shape[0]), thick)

    def warp(self):
        """A wavy baseline, a small rotation, a shear."""
        r, canvas = self.rng, self.canvas
        height, width = canvas.shape
        if r.random() < .12:
            x = np.arange(width, dtype=np.float32)
            wave = r.uniform(.02, .1) * self.em * np.sin(x / (r.uniform(.5, 3) * width) * 6.28 + r.uniform(0, 6.28))
            rows = np.arange(height, dtype=np.float32)[:, None] + wave[None].astype(np.float32)
            canvas = cv2.remap(canvas, np.broadcast_to(x, rows.shape).astype(np.float32), rows, cv2.INTER_LINEAR)
        if r.random() < .5:
            limit = .2 * self.em / max(60, self.box[2] - self.box[0])
            slope = max(-limit, min(limit, math.radians(r.gauss(0, .35 if r.random() < .92 else 1.3))))
            shear = r.gauss(0, .03) if r.random() < .9 else r.uniform(-.2, .2)
            matrix = np.array([[1, shear, -shear * height / 2], [slope, 1, -slope * width / 2]], np.float32)
            canvas = cv2.warpAffine(canvas, matrix, (width, height), flags=cv2.INTER_LINEAR)
        self.canvas = canvas

    def cut(self):
        """Cut the canvas loosely around the line; returns (mask, rows of the ink in it)."""
        r, (x0, y0, x1, y1), em = self.rng, self.box, self.em
        above, below = r.uniform(.15, .8) * em, r.uniform(.15, .8) * em
        left, right = r.uniform(0, .5) * em, r.uniform(0, .5) * em
        if r.random() < .05:                     # a crop that cuts into the first or last letter
            left, right = r.choice(((-r.uniform(0, .1) * em, right), (left, -r.uniform(0, .1) * em)))
        top, first = max(0, int(y0 - above)), max(0, int(x0 - left))
        part = self.canvas[top:int(math.ceil(y1 + below)), first:int(math.ceil(x1 + right))]
        return part, (y0 - top, y1 - top, self.baseline - top)


class Scan:
    """Turns a mask into the grey picture of a scanner, camera, fax or screen."""

    def __init__(self, rng, generator):
        self.rng = rng
        self.noise = generator.standard_normal((300, 4096)).astype(np.float32)

    def field(self, shape):
        """White noise of this shape."""
        h, w = shape
        if h > 300 or w > 4096:
            return np.tile(self.noise, (h // 300 + 1, w // 4096 + 1))[:h, :w]
        y, x = self.rng.randrange(301 - h), self.rng.randrange(4097 - w)
        return self.noise[y:y + h, x:x + w]

    def slow(self, shape, amplitude):
        """A smooth random field within +-amplitude."""
        h, w = shape
        coarse = self.field((self.rng.randint(2, 4), max(2, int(w / max(8, h) * self.rng.uniform(.3, 1.5)) + 1)))
        return cv2.resize(np.clip(coarse * .6, -1, 1) * amplitude, (w, h), interpolation=cv2.INTER_LINEAR)

    def ink(self, mask, em, effects):
        """Ink coverage 0..1 (float32) of a scaled mask: uneven, speckled, spread, blurred."""
        r, ink = self.rng, mask.astype(np.float32) * np.float32(1 / 255)
        if effects.get('clean'):
            return ink
        if r.random() < effects.get('press', .04):
            ink = self.press(ink, em)
        if r.random() < effects.get('clog', 0):
            ink = self.clogged(ink, em)
        if em > 22 and r.random() < HOLLOW:
            ink = self.hollow(ink, em)
        if r.random() < effects.get('faint', 0) * .4:
            ink = self.worn(ink)
        q = r.random()
        if q < .06 + .3 * effects.get('uneven', 0):
            ink = np.clip(ink * (1 + self.slow(ink.shape, r.uniform(.3, .8))), 0, 1)
        elif q < .12 + .5 * effects.get('uneven', 0):
            grain = cv2.GaussianBlur(self.field(ink.shape), (0, 0), r.uniform(.5, 1.2))
            ink = ink * np.clip(grain * r.uniform(.8, 2.2) + r.uniform(.55, 1.2), 0, 1)
        if r.random() < max(.2, effects.get('spread', 0)):
            ink = self.spread(ink, em)
        if r.random() < max(.6, effects.get('blur', 0)):
            ink = cv2.GaussianBlur(ink, (0, 0), r.uniform(.25, .35 + em * .028))
        if r.random() < effects.get('shake', .01):           # a hand that was not still
            length = max(2, round(em * r.uniform(.04, .12)))
            ink = cv2.blur(ink, (length, 1) if r.random() < .5 else (1, length))
        return ink

    def press(self, ink, em):
        """Type pressed on rough paper: whole patches of edges too fat, so that letters touch, or
        so thin that strokes break."""
        r = self.rng
        patches = cv2.GaussianBlur(self.field(ink.shape), (0, 0), em * r.uniform(.02, .2)) if r.random() < .85 else self.field(ink.shape)
        patches = patches / (float(patches.std()) + 1e-6)
        soft = cv2.GaussianBlur(ink, (0, 0), em * r.uniform(.01, .03))
        level = np.clip(r.uniform(.28, .5) + patches * r.uniform(.04, .13), .12, .65)
        return np.clip((soft - level) * r.uniform(4, 14) + .5, 0, 1)

    def clogged(self, ink, em):
        """Types full of lint and ink: what is hollow in a, e, o and the like is partly or wholly filled."""
        r, size = self.rng, max(2, round(em * self.rng.uniform(.05, .13)))
        filled = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))
        share = r.uniform(.3, 1)
        return filled * share + ink * (1 - share)

    def hollow(self, ink, em):
        """The outlines of letters alone, as posters and forms have them."""
        return cv2.morphologyEx(ink, cv2.MORPH_GRADIENT, np.ones((max(2, round(em * self.rng.uniform(.03, .07))),) * 2, np.uint8))

    def stamped(self, grey, em, tones):
        """Rings and strokes of a stamp or a pen over the line, lighter than its ink."""
        r, (h, w), (paper, dark) = self.rng, grey.shape, tones
        over = np.zeros(grey.shape, np.uint8)
        for _ in range(r.randint(1, 5)):
            at, thick = (r.randint(0, w), r.randint(-h, 2 * h)), max(1, round(em * r.uniform(.06, .3)))
            if r.random() < .5:
                cv2.circle(over, at, round(em * r.uniform(.5, 5)), 255, thick, cv2.LINE_AA)
            else:
                cv2.line(over, at, (at[0] + round(em * r.uniform(-4, 4)), r.randint(-h, 2 * h)), 255, thick, cv2.LINE_AA)
        cover = cv2.GaussianBlur(over, (0, 0), r.uniform(.4, 1)).astype(np.float32) / 255
        return np.minimum(grey, grey + (dark + (paper - dark) * r.uniform(.35, .8) - grey) * cover)

    def worn(self, ink):
        """A thermal head with dead or cold spots: rows or columns printed faintly or not at all."""
        r, (h, w) = self.rng, ink.shape
        if r.random() < .5:
            strength = np.clip(1.1 - np.abs(self.field((1, w))) * r.uniform(.1, .45), .15, 1)
        else:
            strength = np.clip(r.uniform(.75, 1.2) + np.abs(self.field((h, 1))) * r.uniform(-.4, .1), .3, 1)
        return ink * strength

    def spread(self, ink, em):
        """Fatter or thinner strokes."""
        r = self.rng
        kernel = np.ones((2, 2) if em < 30 or r.random() < .6 else (3, 3), np.uint8)
        if r.random() < .55:
            share = r.uniform(.3, 1) if em > 14 else r.uniform(.2, .8)
            return cv2.dilate(ink, kernel) * share + ink * (1 - share)
        share = r.uniform(.3, .8 if em > 22 else .4)
        return cv2.erode(ink, kernel) * share + ink * (1 - share)

    def tones(self, effects):
        """Grey levels (paper, ink)."""
        r = self.rng
        if r.random() < effects.get('faint', 0):
            paper = r.uniform(190, 255)
            return paper, paper - r.uniform(35, 120)
        if r.random() < .55:
            return r.uniform(225, 255), r.uniform(0, 70)
        paper = r.uniform(120, 255)
        return paper, r.uniform(0, paper - 60)

    def threshold(self, grey, mask, tones, effects):
        """To black and white at a jittered level, or by an ordered dither."""
        r, (paper, dark) = self.rng, tones
        if r.random() < effects.get('halftone', 0):
            if r.random() < .5:                     # a grey background dithered
                grey = grey - r.uniform(.05, .4) * (paper - dark) * (1 - mask / np.float32(255))
            tile = np.tile(BAYER, (grey.shape[0] // 4 + 1, grey.shape[1] // 4 + 1))[:grey.shape[0], :grey.shape[1]]
            level = dark + (paper - dark) * (r.uniform(.4, .6) + r.uniform(.6, 1.1) * tile)
        else:
            level = (dark + paper) / 2 + (paper - dark) * r.gauss(.03, .1)
            level = min(max(level, dark + (paper - dark) * .2), dark + (paper - dark) * .82)
            wanted, got = float(mask.mean()) / 255, float((grey <= level).mean())
            if not .7 * wanted < got < 1.7 * wanted + .03:           # illegible: neither lost nor drowned
                level = float(np.quantile(grey, min(.9, wanted * r.uniform(.9, 1.2) + .003)))
        grey = np.where(grey > level, 255., 0.).astype(np.float32)
        if r.random() < .35:
            self.pepper(grey, 0, 255)
        return cv2.GaussianBlur(grey, (0, 0), r.uniform(.3, .7)) if r.random() < .25 else grey

    def pepper(self, grey, dark, light):
        """Single dark and light pixels, in place."""
        field, limit = self.field(grey.shape), self.rng.uniform(2.1, 3.3)
        grey[field > limit], grey[field < -limit] = dark, light

    def digitise(self, mask, em, effects):
        """The grey picture (uint8) of a mask already at scan resolution."""
        r = self.rng
        ink, tones = self.ink(mask, em, effects), self.tones(effects)
        paper = tones[0]
        if r.random() < .25:
            paper = paper + self.slow(ink.shape, r.uniform(3, 28))
        if r.random() < .05:
            paper = paper - cv2.GaussianBlur(self.field(ink.shape), (0, 0), r.uniform(1, 4)) * r.uniform(5, 30)
        grey = paper + (tones[1] - paper) * ink
        if r.random() < STAMPED and not effects.get('clean'):
            grey = self.stamped(grey, em, tones)
        if r.random() < effects.get('noise', .6):
            grey = grey + self.field(ink.shape) * (r.uniform(1, 9) if r.random() < .75 else r.uniform(8, 24))
        if r.random() < effects.get('bilevel', 0):
            grey = self.threshold(grey, mask, tones, effects)
        elif r.random() < .05 and not effects.get('clean'):
            self.pepper(grey, r.uniform(0, 90), r.uniform(160, 255))
        grey = np.clip(grey, 0, 255).astype(np.uint8)
        if r.random() < .035:
            grey = 255 - grey
        return self.jpeg(grey) if r.random() < .3 else grey

    def jpeg(self, grey):
        quality = [cv2.IMWRITE_JPEG_QUALITY, self.rng.randint(20, 85)]
        return cv2.imdecode(cv2.imencode('.jpg', grey, quality)[1], cv2.IMREAD_GRAYSCALE)


def crop_rows(rng, grey, rows, em):
    """The crop a detector would make of a loosely cut line.

    rows = (ink top, ink bottom, baseline) in px of grey, as drawn. Three in four are trimmed to
    their ink by the algorithm of the product (line.trim) with a jittered margin; the others are
    font boxes, tight or loose boxes.
    """
    top, bottom, baseline = rows
    height = bottom - top
    if rng.random() < .75:
        found = line.ink_rows(grey)
        if found and abs(found[0] - top) < .4 * height + 2 and abs(found[1] - bottom) < .4 * height + 2:
            size = found[1] - found[0]
            centre, spread = line.MARGIN, .05
            if rng.random() < .4:
                above, below = rng.uniform(-.02, .2), rng.uniform(-.02, .2)
            else:
                above, below = rng.gauss(centre, spread), rng.gauss(centre, spread)
            return grey[max(0, round(found[0] - above * size)):max(4, round(found[1] + below * size))]
    q = rng.random()
    if q < .4:
        first, last = top - rng.uniform(-.03, .22) * em, bottom + rng.uniform(-.03, .22) * em
    elif q < .8:
        first = min(baseline - em * rng.uniform(.72, 1.05), top + .04 * em)
        last = max(baseline + em * rng.uniform(.18, .42), bottom - .04 * em)
    else:
        first, last = top - em * rng.uniform(0, .5), bottom + em * rng.uniform(0, .5)
    return grey[max(0, round(first)):max(4, round(last))]


class Generator:
    """Lines from a seed, in one of the styles; the same seed gives the same lines (with the same packages)."""

    def __init__(self, seed, styles=tuple(STYLES.values())):
        self.rng, self.styles = random.Random(seed), styles
        self.texts = LINES[texts.ALPHABET](random.Random(seed + 1))
        self.renderer = Renderer(self.rng)
        self.scan = Scan(self.rng, np.random.default_rng(seed + 2))
        self.recent = []

    def remember(self, drawn):
        """Keep some drawn lines as neighbours of later ones."""
        if self.rng.random() < .3:
            self.recent.append(drawn)
        if len(self.recent) > 80:
            self.recent.pop(self.rng.randrange(len(self.recent)))

    def resolution(self, low, high):
        """px per em, half uniform, half log-uniform."""
        if self.rng.random() < .5:
            return self.rng.uniform(low, high)
        return math.exp(self.rng.uniform(math.log(low), math.log(high)))

    def one(self):
        """(uint8 grey (32, W), text), or None where the line cannot be used."""
        r = self.rng
        style = r.choices(self.styles, [s.share for s in self.styles])[0]
        face_set = r.choices(list(style.faces), style.faces.values())[0]
        string = self.texts.line(style.kinds)
        drawn = self.renderer.line(style, string, face_set)
        if ink_box(drawn[0]) is None:
            return None
        scene = Scene(r, *drawn)
        if r.random() < .62:
            scene.neighbours(self.recent)
        self.remember(drawn)
        scene.rules(style.effects.get('rules', 1))
        scene.warp()
        grey = self.scanned(style, *scene.cut(), drawn[2])
        text = texts.squeeze(string)
        if grey is None or grey.shape[1] < line.STRIDE * line.frames_needed(text):
            return None
        return grey, text

    def scanned(self, style, mask, rows, size):
        """Scale a cut mask to the style's resolution, digitise and crop it: a strip or None."""
        r, em = self.rng, self.resolution(*style.em)
        scale, stretch = em / size, math.exp(r.gauss(math.log(style.stretch[1]), style.stretch[0]))
        if r.random() < style.effects.get('double', 0):      # a till's double width or double height
            stretch *= r.choice((r.uniform(1.4, 1.9), r.uniform(.5, .65)))
        squash = r.choice((.5, 1, 1)) if style.effects.get('fax') else 1     # a coarse fax has half the rows
        shape = max(8, round(mask.shape[1] * scale * stretch)), max(8, round(mask.shape[0] * scale * squash))
        if shape[0] * line.HEIGHT / shape[1] > 4 * WIDEST:
            return None
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        grey = self.scan.digitise(cv2.resize(mask, shape, interpolation=how), em, style.effects)
        if r.random() < style.effects.get('coarse', 0):      # enlarged by somebody before us
            zoom = r.uniform(1.2, 2.2)
            grey = cv2.resize(grey, None, fx=zoom, fy=zoom, interpolation=r.choice((cv2.INTER_NEAREST, cv2.INTER_CUBIC)))
        if squash < 1:
            grey = np.repeat(grey, 2, 0)
        factor = grey.shape[0] / mask.shape[0]
        grey = crop_rows(r, grey, [y * factor for y in rows], size * factor)
        if grey.shape[0] < 5 or grey.shape[1] * line.HEIGHT / grey.shape[0] > WIDEST:
            return None
        return line.resize(grey)


def lines(seed, count):
    """`count` pairs (uint8 grey (32, W), text)."""
    generator = Generator(seed)
    while count:
        made = generator.one()
        if made is not None:
            yield made
            count -= 1
