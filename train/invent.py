#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Whether the language model invents: error rates of drawn lines that it cannot know, without it and with it.

    invent.py --platen PROGRAM [--lines N] [--seed N] [--models DIR] [WEIGHT...]

For each kind of text below, N lines are drawn and scanned as for training and read with `--lm off` and each
WEIGHT (default auto); prints the characters wrong in a hundred. `prose` is what the model is made for.
"""
import argparse
import os
import subprocess
import tempfile

import cv2

import generate
import text as texts


def several(value, low, high):
    return lambda lines: ' '.join(value(lines) for _ in range(lines.rng.randint(low, high)))


KINDS = {'amounts': several(texts.Lines.amount, 1, 3), 'dates and times': several(lambda t: f'{t.date()} {t.time()}', 1, 1),
         'codes': several(texts.Lines.code, 1, 3), 'names': several(texts.Lines.proper, 1, 4),
         'nonwords': several(texts.Lines.nonword, 1, 4), 'addresses': several(texts.Lines.address, 1, 1),
         'other languages': lambda t: t.foreign_line(), 'prose': lambda t: t.span(45)}


def draw(folder, kind, seed, count):
    """`count` pictures of lines of a kind below folder; {name: text}."""
    generator, truth = generate.Generator(seed), {}
    make = KINDS[kind]
    generator.texts.line = lambda kinds: ''.join(c for c in make(generator.texts) if c in texts.CHARSET)[:84].strip() or '0'
    while len(truth) < count:
        drawn = generator.one()
        if drawn:
            name = f'{len(truth):05d}'
            cv2.imwrite(os.path.join(folder, name + '.png'), drawn[0])
            truth[name] = drawn[1]
    return truth


def distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            diagonal, row[j] = row[j], min(diagonal + (x != y), row[j] + 1, row[j - 1] + 1)
    return row[-1]


def rate(args, folder, truth, weight):
    """Characters wrong in a hundred."""
    wrong = 0
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([args.platen, '-q', '-p', '@line', '--lm', weight, '-f', 'txt', '-o', out, folder], check=True,
                       env=dict(os.environ, PLATEN_MODELS=args.models))
        for name, want in truth.items():
            with open(os.path.join(out, name + '.txt'), encoding='utf-8') as f:
                wrong += distance(want, ' '.join(f.read().split()))
    return 100 * wrong / sum(map(len, truth.values()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--platen', required=True)
    parser.add_argument('--models', default=os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'models'))
    parser.add_argument('--lines', type=int, default=700, help='of each kind')
    parser.add_argument('--seed', type=int, default=77)
    parser.add_argument('weights', nargs='*', default=['auto'])
    args = parser.parse_args()
    print('| lines of | characters |', ' | '.join(f'lm {w}' for w in ['off', *args.weights]), '|')
    print('|' + '---|' * (3 + len(args.weights)))
    for kind in KINDS:
        with tempfile.TemporaryDirectory() as folder:
            truth = draw(folder, kind, args.seed, args.lines)
            rates = [rate(args, folder, truth, w) for w in ['off', *args.weights]]
        print('|', kind, '|', sum(map(len, truth.values())), '|', ' | '.join(f'{x:.2f}' for x in rates), '|', flush=True)


if __name__ == '__main__':
    main()
