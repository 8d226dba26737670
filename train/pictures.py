# SPDX-License-Identifier: BSD-2-Clause
"""What stands on a page and is no text: each a function of (rng, scan, (height, width), em) that gives coverage, uint8."""
import math

import cv2
import numpy as np


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
