#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Draws pages with a table each, and their truth: draw.py DIR N [SEED [GREY]].

A page has prose above and below the table. Tables are ruled all over, ruled but for rows, ruled between
rows only, or not at all; cells have words or figures, some are empty, some hold several lines, and
where rules part the cells some span columns. GREY is that of the rules, 0 where it is not given. DIR/NNN.png and DIR/NNN.json:
{"tables": [{"cells": [[row, column, rows, columns, text], ...]}], "words": [[x0, y0, x1, y1, text], ...]},
where the text of a cell is its words parted by single blanks.
"""
import json
import os
import random
import sys

from PIL import Image, ImageDraw, ImageFont

FONTS = ['/usr/share/fonts/truetype/liberation2/Liberation%s-Regular.ttf' % f for f in ('Sans', 'Serif', 'Mono')]
WORDS = ('anchor basin cable dock engine ferry gauge harbour island jetty keel ladder mooring net oar pier quay '
         'rope sail tide valve winch yard the and of for with new old large small').split()
WIDTH, HEIGHT, LEFT, RIGHT = 1654, 1400, 140, 1514


class Page:
    def __init__(self, rng):
        self.rng = rng
        self.image = Image.new('L', (WIDTH, HEIGHT), 255)
        self.pen = ImageDraw.Draw(self.image)
        self.font = ImageFont.truetype(rng.choice(FONTS), rng.randint(24, 32))
        self.step = int(self.font.size * 1.25)
        self.words = []

    def write(self, x, y, text):
        """Draws a line whose top is y, and notes its words."""
        for word in text.split():
            w = self.font.getlength(word)
            self.pen.text((x, y), word, 0, self.font)
            box = self.pen.textbbox((x, y), word, self.font)
            self.words.append([*map(round, box), word])
            x += w + self.font.getlength(' ')

    def wrap(self, text, width):
        lines = ['']
        for word in text.split():
            more = (lines[-1] + ' ' + word).strip()
            if lines[-1] and self.font.getlength(more) > width:
                lines.append(word)
            else:
                lines[-1] = more
        return lines

    def prose(self, y, rows):
        for line in self.wrap(' '.join(self.rng.choices(WORDS, k=200)), RIGHT - LEFT)[:rows]:
            self.write(LEFT, y, line)
            y += self.step
        return y


def contents(rng, rows, columns):
    """Kinds of columns, and the texts of cells."""
    kinds = ['words'] + [rng.choice(('words', 'figures', 'figures', 'date')) for _ in range(columns - 1)]
    make = {'words': lambda: ' '.join(rng.choices(WORDS, k=rng.randint(1, 4))),
            'figures': lambda: '%.2f' % (rng.random() * 10 ** rng.randint(1, 4)),
            'date': lambda: '%02d/%02d/%d' % (rng.randint(1, 28), rng.randint(1, 12), rng.randint(1990, 2026))}
    grid = [[rng.choice(WORDS).capitalize() for _ in kinds]]
    for _ in range(rows - 1):
        grid.append([make[k]() if i == 0 or rng.random() > .1 else '' for i, k in enumerate(kinds)])
    return kinds, grid


def table(page, y, style, grey):
    rng, font = page.rng, page.font
    rows, columns = rng.randint(4, 9), rng.randint(3, 6)
    kinds, grid = contents(rng, rows, columns)
    pad = font.size // 2 if style in ('all', 'columns') else font.size
    most = (RIGHT - LEFT) / columns - 2 * pad
    widths = [max(min(max(font.getlength(r[c]) for r in grid), most), 3 * font.size) for c in range(columns)]
    x = [LEFT]
    for w in widths:
        x.append(x[-1] + w + 2 * pad)
    spans = {}
    if style == 'all' and columns > 3 and rng.random() < .5:
        spans[rng.randint(1, rows - 1), 1] = 2
    edges, cells = [y], []
    for r in range(rows):
        height, column = page.step, 0
        while column < columns:
            n = spans.get((r, column), 1)
            text = grid[r][column]
            inner = x[column + n] - x[column] - 2 * pad
            lines = page.wrap(text, inner) if text else []
            if style in ('none', 'rows') or kinds[column] != 'words':
                lines = lines[:1]
            for k, line in enumerate(lines):
                right = kinds[column] == 'figures' and r
                at = x[column + n] - pad - font.getlength(line) if right else x[column] + pad
                page.write(at, edges[-1] + 6 + k * page.step, line)
            height = max(height, page.step * len(lines))
            cells.append([r, column, 1, n, ' '.join(lines)])
            column += n
        edges.append(edges[-1] + height + (12 if style == 'all' else 6))
    rules(page, style, x, edges, spans, grey)
    return cells, edges[-1]


def rules(page, style, x, edges, spans, grey):
    line = lambda *p: page.pen.line(p, grey, 2)
    for i, y in enumerate(edges):
        if style in ('all', 'rows') or (style == 'columns' and i in (0, 1, len(edges) - 1)):
            line(x[0], y, x[-1], y)
    for r in range(len(edges) - 1):
        for c, at in enumerate(x):
            if style in ('all', 'columns') and (r, c - 1) not in spans:
                line(at, edges[r], at, edges[r + 1])


def draw(seed, path, grey):
    rng = random.Random(seed)
    page = Page(rng)
    y = page.prose(100, rng.randint(2, 5))
    cells, y = table(page, y + page.step, ('all', 'columns', 'rows', 'none')[seed % 4], grey)
    page.prose(y + page.step, 3)
    page.image.save(path + '.png', dpi=(200, 200))
    with open(path + '.json', 'w') as f:
        json.dump({'tables': [{'cells': cells}], 'words': page.words}, f)


if __name__ == '__main__':
    os.makedirs(sys.argv[1], exist_ok=True)
    first, grey = (*map(int, sys.argv[3:5]), 0, 0)[:2]
    for i in range(int(sys.argv[2])):
        draw(first + i, '%s/%03d' % (sys.argv[1], i), grey)
