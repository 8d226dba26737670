#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Labels pictures of pages for the detector by agreement: what the detector of somebody else and the rules of platen both
find is text, where they differ nothing is said.

    label_pages.py --detector FILE [--platen PROGRAM] OUT PICTURE...

Writes OUT/NAME.png and .json for labels.Pages. FILE is a network of the DB family for operation db; it teaches, and no weight of it is
shipped. Every line that one of the two finds is read; a line is text if the reading is sure and the other one covers the
line, too, unsure if only one of this holds. Pages of which too little is sure are left out.
"""
import argparse
import json
import os
import subprocess

import cv2
import numpy as np

import labels

OPERATION = 'gray,invert:auto,background | {} | ctc'
SURE = .85                   # confidence of a line that is text
LEGIBLE = .5                 # below that, a line that only one finds is no text
COVERED = .6                 # of a line's area, that the other one must find
LEAST = .6                   # of a page's readable lines that both find
ZOOM = .25                   # at which areas are compared


def found(platen, detector, paths):
    """{path: [[(confidence, [(text, box)]) of each line] of each block]} by a detect operation."""
    done = subprocess.run([platen, '-q', '-j1', '-p', OPERATION.format(detector), '-f', 'ndjson', *paths], stdout=subprocess.PIPE, check=False)
    return {page['path']: [[(l['conf'], [(w['text'], w['box']) for w in l['words']]) for l in block['lines']]
                           for block in page.get('blocks', [])]
            for page in map(json.loads, done.stdout.decode().splitlines()) if page['status'] == 'ok'}


def box_of(words):
    boxes = np.array([box for _, box in words])
    return (*boxes[:, :2].min(0).tolist(), *boxes[:, 2:].max(0).tolist())


def covered(box, others, shape):
    """Share of a box that boxes of others cover."""
    x0, y0, x1, y1 = (round(v * ZOOM) for v in box)
    mask = np.zeros((max(1, y1 - y0), max(1, x1 - x0)), np.uint8)
    for other in others:
        a0, b0, a1, b1 = (round(v * ZOOM) for v in other)
        mask[max(0, b0 - y0):max(0, b1 - y0), max(0, a0 - x0):max(0, a1 - x0)] = 1
    return float(mask.mean())


def agreed(grey, teacher, rules):
    """(lines, unsure quads, share of the readable lines that both find) of a page."""
    boxes = [[box_of(words) for block in page for _, words in block if words] for page in (teacher, rules)]
    lines, unsure, readable = [], [], 0
    for number, block in enumerate(teacher):
        for confidence, words in block:
            if not words:
                continue
            both = covered(box_of(words), boxes[1], grey.shape) >= COVERED
            readable += confidence >= SURE
            line = labels.line_of(grey, words, number) if both and confidence >= SURE else None
            if line:
                lines.append(line)
            elif both or confidence >= LEGIBLE:
                unsure.append(labels.quad_of(box_of(words)))
    for block in rules:
        for confidence, words in block:
            if words and covered(box_of(words), boxes[0], grey.shape) < COVERED and confidence >= LEGIBLE:
                unsure.append(labels.quad_of(box_of(words)))
                readable += confidence >= SURE
    return lines, unsure, len(lines) / max(1, readable)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('out')
    parser.add_argument('picture', nargs='+')
    parser.add_argument('--detector', required=True)
    parser.add_argument('--platen', default=os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'build', 'cli', 'platen'))
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    teacher, rules = (found(args.platen, d, args.picture) for d in (f'db:model={args.detector}:side=1536', 'lines'))
    count = 0
    for path in teacher.keys() & rules.keys():
        grey = cv2.imread(path, cv2.IMREAD_GRAYSCALE)
        lines, unsure, share = agreed(grey, teacher[path], rules[path])
        if lines and share >= LEAST:
            labels.write(os.path.join(args.out, os.path.splitext(os.path.basename(path))[0]), grey, lines, unsure)
            count += 1
    print(count, 'of', len(args.picture), 'pages')


if __name__ == '__main__':
    main()
