# SPDX-License-Identifier: BSD-2-Clause
"""Real pages with their lines for the detector, in files: NAME.png (grey) and NAME.json beside it.

    {"lines": [{"quad": [[x, y] * 4], "xheight": px, "block": number, "words": [["text", [[x, y] * 4]], ...]}, ...],
     "unsure": [[[x, y] * 4], ...]}

Lines and words are those of sheets.py, in pixels of the picture: the quad of a line goes from the x-height to the baseline. They
stand in reading order; a line is followed by the next one of its block, the last one of a block by the first of the next. What lies in
`unsure` is neither text nor none. label_orders.py and label_pages.py write such files, Pages hands them to the training.
"""
import glob
import json
import math
import os

import cv2
import numpy as np

from sheets import USUAL, Line, Word, wanted_xheight

DESCENDING = set('gjpqyçşţșțąęįųģķļņŗýÿQJ,;()[]{}|@$/§_„‚«»¿')      # ink below the baseline, or none that stands on it
LOW = set('gpqy.,;:-–—_')                                            # ink nowhere above the x-height
SMALL = set('acemnorsuvwxz')
TALL = set('bdfhklABCDEFGHIKLMNOPRSTUVWXYZ0123456789ß')
RISING = set('$()[]{}|/\\@§ÀÁÂÃÄÅÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝČĎĚŇŘŠŤŮŽĆŃŚŹŻŐŰĞİ')          # ink above the capitals
SMALL_PER_TALL = .69         # x-height over the height of capitals and ascenders, the median of our faces
SMALL_PER_RISING = .58       # and over that of what rises higher


def fit(points, height):
    """(intercept, slope) of the baseline through points (x, y); level where they say little about its slope."""
    x, y = np.array(points, float).T
    if len(points) < 3 or np.ptp(x) < 6 * height:
        return float(np.median(y)), 0.0
    slope, intercept = np.polyfit(x, y, 1)
    away = np.abs(y - intercept - slope * x)
    near = away <= max(1.5, 2 * np.median(away))
    slope, intercept = np.polyfit(x[near], y[near], 1)
    return float(intercept), float(slope)


def baseline_of(text, grey, box):
    """The row below the last one of the letters that stand on the baseline, of a word with its ink box; None where no
    letter does. Below descenders it is where the ink of the rows falls most in the lower half of the box."""
    if not set(text) & (SMALL | TALL):
        return None
    if not set(text) & DESCENDING:
        return box[3]
    x0, y0, x1, y1 = (int(v) for v in box)
    part = grey[y0:y1, x0:x1].astype(np.float32)
    middle = (y1 - y0) // 2
    if part.size == 0 or middle < 3:
        return None
    ink = np.abs(part - np.median(part)).sum(1)
    falls = ink[middle:-1] - ink[middle + 1:]
    return y0 + middle + int(np.argmax(falls)) + 1


def band(grey, words):
    """(quad from x-height to baseline, x-height) of a line of (text, ink box) words, by what the letters of each say about
    its upper and lower edge; None where none of them tells."""
    height = float(np.median([box[3] - box[1] for _, box in words]))
    standing = [(text, box, baseline_of(text, grey, box)) for text, box in words]
    standing = [(text, box, base) for text, box, base in standing if base is not None]
    sure = [(text, box, base) for text, box, base in standing if not set(text) & DESCENDING] or standing
    if not sure:
        return None
    at, slope = fit([((box[0] + box[2]) / 2, base) for _, box, base in sure], height)
    small, tall, rising = [], [], []
    for text, (x0, y0, x1, _) in words:
        rise = at + slope * (x0 + x1) / 2 - y0
        if set(text) & RISING:
            rising += [rise] * len(text)
        elif set(text) & TALL:
            tall += [rise] * len(text)
        elif set(text) & SMALL and set(text) <= SMALL | LOW:
            small += [rise] * len(text)
    xheight = next((share * float(np.median(rises)) for share, rises in
                    ((1, small), (SMALL_PER_TALL, tall), (SMALL_PER_RISING, rising)) if rises), 0)
    if xheight < 2:
        return None
    x0, x1 = min(b[0] for _, b in words), max(b[2] for _, b in words)
    low = [at + slope * x for x in (x0, x1)]
    return np.array([[x0, low[0] - xheight], [x1, low[1] - xheight], [x1, low[1]], [x0, low[0]]]), xheight


def quad_of(box):
    x0, y0, x1, y1 = box
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], float)


def line_of(grey, words, block):
    """The Line of (text, ink box) words, or None."""
    found = band(grey, words)
    return found and Line([Word(text, quad_of(box)) for text, box in words], *found, block)


def write(stem, grey, lines, unsure):
    plain = lambda quad: np.round(np.asarray(quad, float), 2).tolist()
    cv2.imwrite(stem + '.png', grey)
    with open(stem + '.json', 'w', encoding='utf-8') as f:
        json.dump({'lines': [dict(quad=plain(l.quad), xheight=round(l.xheight, 2), block=l.block,
                                  words=[[w.text, plain(w.quad)] for w in l.words]) for l in lines],
                   'unsure': [plain(q) for q in unsure]}, f, ensure_ascii=False)


def read(stem):
    """(grey, lines, unsure) of a page."""
    with open(stem + '.json', encoding='utf-8') as f:
        page = json.load(f)
    lines = [Line([Word(text, np.array(quad)) for text, quad in l['words']], np.array(l['quad']), l['xheight'], l['block'])
             for l in page['lines']]
    return cv2.imread(stem + '.png', cv2.IMREAD_GRAYSCALE), lines, [np.array(q) for q in page['unsure']]


class Pages:
    """An endless stream of parts of the pages of folders, at the scale of the network."""

    def __init__(self, folders, scan, rng):
        self.stems = [path[:-len('.json')] for folder in folders for path in sorted(glob.glob(os.path.join(folder, '*.json')))]
        if not self.stems:
            raise FileNotFoundError(f'no labelled page in {", ".join(folders)}')
        self.scan, self.r = scan, rng

    def sheet(self, side=640):
        """(grey uint8 (h, w), lines, unsure quads) of a part of a page, as sheets.Writer.sheet gives them."""
        r = self.r
        grey, lines, unsure = read(r.choice(self.stems))
        middle = float(np.median([l.xheight for l in lines])) if lines else USUAL * 2
        scale = min(1.5, wanted_xheight(r) / middle)
        turn = math.radians(r.gauss(0, .7)) if r.random() < .5 else 0
        h, w = grey.shape
        x, y = r.uniform(0, max(0, w * scale - side)), r.uniform(0, max(0, h * scale - side))
        cos, sin = scale * math.cos(turn), scale * math.sin(turn)
        move = np.array([[cos, sin, -x], [-sin, cos, -y]])
        size = round(min(side, w * scale)), round(min(side, h * scale))
        if scale < .7:                               # area means: a picture made much smaller by warpAffine alone loses strokes
            small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            part = cv2.warpAffine(small, move @ np.diag([1 / scale, 1 / scale, 1]), size, flags=cv2.INTER_LINEAR,
                                  borderMode=cv2.BORDER_REPLICATE)
        else:
            part = cv2.warpAffine(grey, move, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return self.damaged(part), *self.moved(lines, unsure, move, size, scale)

    def moved(self, lines, unsure, move, size, scale):
        """The lines and quads that a part of the page shows, in its pixels."""
        quad = lambda q: q @ move[:, :2].T + move[:, 2]
        shown = lambda q: (q.max(0) > 0).all() and (q.min(0) < size).all()
        out = []
        for l in lines:
            moved = Line([Word(w.text, quad(w.quad)) for w in l.words], quad(l.quad), l.xheight * scale, l.block)
            if shown(moved.quad):
                out.append(moved)
        return out, [q for q in map(quad, unsure) if shown(q)]

    def damaged(self, grey):
        """Sometimes noisy, or black and white."""
        r = self.r
        if r.random() < .3:
            grey = np.clip(grey + self.scan.field(grey.shape) * r.uniform(1, 12), 0, 255).astype(np.uint8)
        if r.random() < .15:
            low, high = np.quantile(grey, (.01, .9))
            grey = np.where(grey > low + (high - low) * r.uniform(.4, .75), 255, 0).astype(np.uint8)
        return grey
