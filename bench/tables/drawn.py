#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes the truth of lists in born-digital PDFs for score.py: drawn.py DIR DPI PDF... [DRAWINGS].

The first page of each PDF is read by pdfminer (Debian: python3-pdfminer, python3-pil), DIR/NAME.json is written in pixels of a rendering with DPI. A report writer shows each
field by one operator, with exact edges, so no rule of a page reader is needed: what one operator shows is a
cell; rows that have cells under each other, whose left edges, right edges or middles are the same,
are a table, and so is what stands above them as names of the columns. The columns are those of the kind
of rows with the most cells; cells of other rows span those that they reach into. Words that are in no such row,
as the lines of wrapped cells, are left out, so that score.py takes no note of them. Pages without such rows are not written.
With a folder DRAWINGS, tables are drawn there to be looked at.
"""
import io
import json
import os
import statistics
import subprocess
import sys

from PIL import Image, ImageDraw
from pdfminer.converter import PDFLayoutAnalyzer
from pdfminer.layout import LTChar
from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
from pdfminer.pdfpage import PDFPage

SAME = 0.6        # points by which edges of cells in one column differ at most
LEVEL = 1.0       # points by which the baselines of a row differ at most
LEAST_ROWS = 3    # of a table
FAR = 16          # heights of type from a row to the next one of its kind at most
HEAD = 2.5        # heights of type from the names of columns to the first row at most


class Shown(PDFLayoutAnalyzer):
    """Keeps the characters of each operator that shows text."""

    def __init__(self, resources):
        super().__init__(resources, laparams=None)
        self.shown = []

    def render_string(self, *args):
        self.shown.append([])
        super().render_string(*args)

    def render_char(self, *args):
        before = len(self.cur_item._objs)
        width = super().render_char(*args)
        self.shown[-1] += [o for o in self.cur_item._objs[before:] if isinstance(o, LTChar)]
        return width

    def receive_layout(self, page):
        self.page = page


class Cell:
    def __init__(self, chars):
        self.chars = chars
        self.x0, self.x1 = chars[0].x0, chars[-1].x1
        self.base, self.size = chars[0].matrix[5], chars[0].size

    def words(self, height):
        """[x0, y0, x1, y1, text], from the top of the page."""
        words, open_word = [], False
        for c in self.chars:
            text = c.get_text()
            if text.isspace():
                open_word = False
                continue
            box = [c.x0, height - c.y1, c.x1, height - c.y0, text]
            if open_word:
                w = words[-1]
                box = [w[0], min(w[1], box[1]), c.x1, max(w[3], box[3]), w[4] + text]
                words.pop()
            words.append(box)
            open_word = True
        return words


def read_cells(path):
    """The cells of the first page, and its height."""
    resources = PDFResourceManager()
    device = Shown(resources)
    with open(path, 'rb') as f:
        PDFPageInterpreter(resources, device).process_page(next(PDFPage.get_pages(f)))
    cells = []
    for shown in device.shown:
        run = []
        for c in [c for c in shown if c.upright] + [None]:
            if run and (c is None or not -0.3 * c.size < c.x0 - run[-1].x1 < 0.6 * c.size):
                while run and run[-1].get_text().isspace():
                    run.pop()
                last = cells[-1] if cells else None
                if run and last and last.base == run[0].matrix[5] and abs(run[0].x0 - last.x1) < 0.03 * last.size:
                    cells[-1] = Cell(last.chars + run)
                elif run:
                    cells.append(Cell(run))
                run = []
            if c and (run or not c.get_text().isspace()):
                run.append(c)
    return cells, device.page.bbox[3]


def rows_of(cells):
    rows = []
    for c in sorted(cells, key=lambda c: -c.base):
        if rows and rows[-1][0].base - c.base < LEVEL:
            rows[-1].append(c)
        else:
            rows.append([c])
    return [sorted(r, key=lambda c: c.x0) for r in rows]


def overlap(a, b):
    return min(a.x1, b.x1) - max(a.x0, b.x0)


def aligned(a, b):
    return overlap(a, b) > 0 and (abs(a.x0 - b.x0) < SAME or abs(a.x1 - b.x1) < SAME
                                  or abs(a.x0 + a.x1 - b.x0 - b.x1) < 2 * SAME)


def same_kind(a, b):
    """Whether most cells of both rows stand under each other."""
    n = sum(any(aligned(c, d) for d in b) for c in a)
    return n >= 2 and 2 * n > max(len(a), len(b))


def kinds_of(rows):
    """Rows of one kind each, by their indices."""
    kinds = []
    for i, row in enumerate(rows):
        for kind in kinds:
            last = rows[kind[-1]]
            if last[0].base - row[0].base < FAR * row[0].size and same_kind(last, row):
                kind.append(i)
                break
        else:
            kinds.append([i])
    return [k for k in kinds if len(k) >= LEAST_ROWS]


def tables_of(rows):
    """Tables by the indices of their kinds of rows: kinds that take turns are of one table."""
    tables = []
    for kind in sorted(kinds_of(rows)):
        if tables and kind[0] < max(k[-1] for k in tables[-1]):
            tables[-1].append(kind)
        else:
            tables.append([kind])
    return tables


def columns_of(rows):
    """[x0, x1] of each column of rows of one kind."""
    columns = []
    for row in rows:
        for c in row:
            under = [k for k in columns if any(aligned(c, d) for d in k)]
            for k in under:
                columns.remove(k)
            columns.append(sum(under, [c]))
    least = max(2, len(rows) // 4)
    columns = sorted([min(c.x0 for c in k), max(c.x1 for c in k)] for k in columns if len(k) >= least)
    joined = []
    for x0, x1 in columns:
        if joined and joined[-1][1] - x0 > 0.5 * min(x1 - x0, joined[-1][1] - joined[-1][0]):
            joined[-1][1] = max(joined[-1][1], x1)
        else:
            joined.append([x0, x1])
    return joined


def span_of(cell, columns):
    """First and last column that the cell reaches into; None where it reaches into none."""
    wide = lambda k: min(cell.x1, k[1]) - max(cell.x0, k[0])
    least = lambda k: 0.3 * min(cell.x1 - cell.x0, k[1] - k[0])
    inside = [i for i, k in enumerate(columns) if wide(k) > least(k)]
    return (inside[0], inside[-1]) if inside else None


def lay(row, columns):
    """[first column, last column, cell] of the cells of a row that are in columns."""
    return [[*span_of(c, columns), c] for c in row if span_of(c, columns)]


def part_columns(table, n):
    """Parts columns in which cells of a row stand beside each other: [row, column, rows, columns, cells]."""
    parts = [max([1] + [sum(first == c for first, _, _ in row) for row in table]) for c in range(n)]
    start = [sum(parts[:c]) for c in range(n + 1)]
    cells = []
    for r, row in enumerate(table):
        for c in range(n):
            inside = [(last, own) for first, last, own in row if first == c]
            for i, (last, own) in enumerate(inside):
                left = start[c] + i
                right = start[c] + i + 1 if i + 1 < len(inside) else start[last + 1]
                cells.append([r, left, 1, right - left, own])
    return cells


def head_rows(rows, first, columns):
    """The indices of rows above row `first` that name columns."""
    found = []
    for i in range(first - 1, max(first - 4, -1), -1):
        below = rows[found[-1] if found else first][0]
        spans = [span_of(c, columns) for c in rows[i]]
        single = {s[0] for s in spans if s and s[0] == s[1]}
        if rows[i][0].base - below.base > HEAD * below.size or len(single) < max(2, 0.6 * len(spans)):
            break
        found.append(i)
    return found[::-1]


def table_of(rows, kinds):
    """[row, column, rows, columns, lines of characters] of each cell of a table; names of columns over several rows are one."""
    main = max(kinds, key=lambda k: statistics.median(len(rows[i]) for i in k))
    columns = columns_of([rows[i] for i in main])
    if len(columns) < 2:
        return []
    indices = sorted(sum(kinds, []))
    head = {}
    for i in head_rows(rows, indices[0], columns):
        for first, last, c in lay(rows[i], columns):
            head.setdefault(first, [first, last, []])
            head[first][1] = max(last, head[first][1])
            head[first][2].append(c)
    body = [[[first, last, [c]] for first, last, c in lay(rows[i], columns)] for i in indices]
    return part_columns(([list(head.values())] if head else []) + body, len(columns))


def truth_of(table, words, height, scale):
    """The cells of a table with their texts; adds its words."""
    cells = []
    for r, c, n_rows, n_columns, lines in table:
        own = [w for line in lines for w in line.words(height)]
        words += [[round(v * scale) for v in w[:4]] + [w[4]] for w in own]
        cells.append([r, c, n_rows, n_columns, ' '.join(w[4] for w in own)])
    return {'cells': cells}


def draw(pdf, path, tables, height, scale):
    """Draws the cells into the page's picture."""
    pages = subprocess.run(['pdftoppm', '-r', str(72 * scale), '-l', '1', '-png', pdf], stdout=subprocess.PIPE, check=True)
    image = Image.open(io.BytesIO(pages.stdout)).convert('RGB')
    pen = ImageDraw.Draw(image)
    for i, table in enumerate(tables):
        colour = ('red', 'blue', 'green')[i % 3]
        for r, c, _, n, lines in table:
            for line in lines:
                box = [v * scale for v in (line.x0, height - line.base - 0.8 * line.size, line.x1, height - line.base + 0.2 * line.size)]
                pen.rectangle(box, outline=colour)
                pen.text((box[0], box[1] - 8), '%d,%d' % (r, c) + ('+%d' % (n - 1) if n > 1 else ''), colour)
    image.save(path)


def main():
    folder, dpi, *pdfs = sys.argv[1:]
    drawings = pdfs.pop() if os.path.isdir(pdfs[-1]) else None
    scale = float(dpi) / 72
    os.makedirs(folder, exist_ok=True)
    for pdf in pdfs:
        name = os.path.splitext(os.path.basename(pdf))[0]
        cells, height = read_cells(pdf)
        rows = rows_of(cells)
        tables = [t for t in (table_of(rows, kinds) for kinds in tables_of(rows)) if t]
        words = []
        truth = {'tables': [truth_of(t, words, height, scale) for t in tables], 'words': words}
        if tables:
            with open(os.path.join(folder, name + '.json'), 'w', encoding='utf-8') as f:
                json.dump(truth, f)
        if drawings:
            draw(pdf, os.path.join(drawings, name + '.png'), tables, height, scale)


if __name__ == '__main__':
    main()
