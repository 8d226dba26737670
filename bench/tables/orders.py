#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes the truth of the tables of pages_orders for score.py: orders.py DATA/pages_orders DIR.

orders.json, beside this program, has the edges of the tables of each page in pixels, told by eye before any
program's tables were looked at: "columns" and "rows", "spans" ([row, column, rows, columns]) of cells that are
more than one place, and boxes of words that the data has and nobody sees. Rows that were wrapped are one row,
labels and values in columns of their own are tables, text that runs on is none. The words are
those of the data's NAME.boxes.json; a cell has those whose middle lies in it.
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def places(table):
    """[row, column, rows, columns] of each cell, in the order of reading."""
    spans = [tuple(s) for s in table['spans']]
    covered = {(r + i, c + k) for r, c, rows, columns in spans for i in range(rows) for k in range(columns)}
    free = ((r, c, 1, 1) for r in range(len(table['rows']) - 1) for c in range(len(table['columns']) - 1))
    return sorted(spans + [p for p in free if p[:2] not in covered])


def cells(table, words):
    """The same with the cell's text."""
    x, y = table['columns'], table['rows']
    for r, c, rows, columns in places(table):
        inside = [w[4] for w in words if x[c] <= (w[0] + w[2]) / 2 < x[c + columns] and y[r] <= (w[1] + w[3]) / 2 < y[r + rows]]
        yield [r, c, rows, columns, ' '.join(inside)]


def main():
    data, folder = sys.argv[1:]
    with open(os.path.join(HERE, 'orders.json'), encoding='utf-8') as f:
        pages = json.load(f)
    os.makedirs(folder, exist_ok=True)
    for name, page in pages.items():
        with open(os.path.join(data, name + '.boxes.json'), encoding='utf-8') as f:
            words = [w for w in json.load(f)['words'] if w[:4] not in page['unseen']]
        truth = {'words': words, 'tables': [{'cells': list(cells(t, words))} for t in page['tables']]}
        with open(os.path.join(folder, name + '.json'), 'w', encoding='utf-8') as f:
            json.dump(truth, f)


if __name__ == '__main__':
    main()
