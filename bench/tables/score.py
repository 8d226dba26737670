#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Scores the tables of platen's json: score.py TRUTH_DIR JSON_DIR [NAME...].

Truth is as draw.py writes it. Recognition does not count: the words of the truth are put into the cell of
platen in which their middle lies, and their texts are compared. Measures, means over pages:

cells     F1 of cells that have text: one is right when its words are those of a cell of the truth.
adjacent  F1 of pairs of cells with text that are neighbours in a row or column, as ICDAR 2013's
          table competition has it (Göbel et al., A Methodology for Evaluating Algorithms for Table
          Understanding in PDF Documents, 2012), cells told by their text.
teds      1 - distance / nodes of the larger tree, of table, rows and cells with their spans and texts
          (Zhong et al., Image-based table recognition, 2020), where nodes are mapped to their own kind and
          texts differ by their Levenshtein distance. Tables of a page are joined, one below the other.
false     cells of tables on pages whose truth has none.
"""
import collections
import glob
import json
import os
import sys


def text_of(words):
    return ' '.join(w[4] for w in words)


def platen_cells(page, words):
    """[row, column, rows, columns, text] of each table, the words of the truth in the cells."""
    tables = []
    for block in page['blocks']:
        if 'table' not in block:
            continue
        cells = []
        for c in block['table']['cells']:
            x0, y0, x1, y1 = c['box']
            inside = [w for w in words if x0 <= (w[0] + w[2]) / 2 < x1 and y0 <= (w[1] + w[3]) / 2 < y1]
            cells.append([c['row'], c['column'], c['rows'], c['columns'], text_of(inside)])
        tables.append(cells)
    return tables


def f1(got, want):
    got, want = collections.Counter(got), collections.Counter(want)
    both = sum((got & want).values())
    return 2 * both / (sum(got.values()) + sum(want.values())) if got or want else 1.0


def relations(cells):
    """Each cell with text and the next one with text to its right and below."""
    at = {}
    for r, c, rows, columns, text in cells:
        for i in range(r, r + rows):
            for k in range(c, c + columns):
                at[i, k] = (r, c, text)
    out = set()
    height, width = max(k[0] for k in at) + 1, max(k[1] for k in at) + 1
    for r, c, rows, columns, text in cells:
        if not text:
            continue
        for i in range(r, r + rows):
            k = next((k for k in range(c + columns, width) if at.get((i, k), ('', '', ''))[2]), None)
            out |= {('right', text, at[i, k])} if k is not None else set()
        for k in range(c, c + columns):
            i = next((i for i in range(r + rows, height) if at.get((i, k), ('', '', ''))[2]), None)
            out |= {('below', text, at[i, k])} if i is not None else set()
    return [(way, a, b[2]) for way, a, b in out]


def levenshtein(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for k, y in enumerate(b, 1):
            last, row[k] = row[k], min(row[k] + 1, row[k - 1] + 1, last + (x != y))
    return row[-1]


def align(a, b, gap, cost):
    row = [0.0]
    for y in b:
        row.append(row[-1] + gap(y))
    for x in a:
        last, row[0] = row[0], row[0] + gap(x)
        for k, y in enumerate(b, 1):
            last, row[k] = row[k], min(row[k] + gap(x), row[k - 1] + gap(y), last + cost(x, y))
    return row[-1]


def rows_of(tables):
    rows = []
    for cells in tables:
        for r in range(max((c[0] for c in cells), default=-1) + 1):
            rows.append([(c[2], c[3], c[4]) for c in cells if c[0] == r])
    return rows


def cell_cost(x, y):
    if x[:2] != y[:2]:
        return 1.0
    if x[2] == y[2]:
        return 0.0
    return levenshtein(x[2], y[2]) / max(len(x[2]), len(y[2]))


def teds(got, want):
    got, want = rows_of(got), rows_of(want)
    known = {}

    def row_cost(x, y):
        key = tuple(x), tuple(y)
        if key not in known:
            known[key] = align(x, y, lambda c: 1.0, cell_cost)
        return known[key]

    distance = align(got, want, lambda r: 1.0 + len(r), row_cost)
    nodes = max(1 + len(t) + sum(map(len, t)) for t in (got, want))
    return 1 - distance / nodes


def score(truth, page):
    got = platen_cells(page, truth['words'])
    want = [[[*c[:4], text_of([(0, 0, 0, 0, w) for w in c[4].split()])] for c in t['cells']] for t in truth['tables']]
    texts = lambda tables: [' '.join(sorted(c[4].split())) for t in tables for c in t if c[4]]
    pairs = lambda tables: [p for t in tables for p in relations(t)]
    return f1(texts(got), texts(want)), f1(pairs(got), pairs(want)), teds(got, want)


def main():
    truth_dir, json_dir, *names = sys.argv[1:]
    names = names or sorted(os.path.basename(f)[:-5] for f in glob.glob(truth_dir + '/*.json'))
    sums, false = [], 0
    for name in names:
        with open('%s/%s.json' % (truth_dir, name)) as f:
            truth = json.load(f)
        with open('%s/%s.json' % (json_dir, name)) as f:
            page = json.load(f)
        if not truth['tables']:
            false += sum(len(t) for t in platen_cells(page, truth['words']))
            continue
        sums.append(score(truth, page))
        print('%-16s cells %5.1f  adjacent %5.1f  teds %5.1f' % (name, *(100 * v for v in sums[-1])))
    print('%-16s cells %5.1f  adjacent %5.1f  teds %5.1f  false %d'
          % ('all', *(100 * sum(v) / max(len(sums), 1) for v in zip(*sums)), false))


if __name__ == '__main__':
    main()
