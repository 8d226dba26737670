#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Error rates of a checkpoint on sets of real line pictures, with the data's own score.py.

    evaluate.py [--data DIR] [--out DIR] [--tesseract] CHECKPOINT
    evaluate.py [--data DIR] --worst N TEXTS         the worst lines of TEXTS/SET/NAME.txt, which bench/accuracy keeps
    evaluate.py --worst N --sheet FILE.png CHECKPOINT    the worst of 20 N generated lines, with their pictures

DIR holds lines_uw3/ and so on (NAME.png and NAME.gt.txt) and score.py; by default it is
$PLATEN_DATA, else shared/data beside the project. Nothing there is ever trained on.
"""
import argparse
import glob
import importlib.util
import os
import subprocess
import tempfile

import cv2
import numpy as np
import torch

import generate
import line
import model
import spool
from text import CHARSET

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.environ.get('PLATEN_DATA', os.path.join(ROOT, '..', 'shared', 'data'))
SETS = {'lines_uw3': ('cer',), 'lines_modern': ('cer',),      # the measures of each set
        'lines_sroie': ('cer_ci',), 'lines_funsd': ('cer_ns', 'cer')}


def load_set(folder):
    """[(name, grey crop, text)] of a folder of line pictures."""
    found = []
    for path in sorted(glob.glob(os.path.join(folder, '*.gt.txt'))):
        stem = path[:-len('.gt.txt')]
        picture = next(p for p in (stem + '.png', stem + '.jpg') if os.path.exists(p))
        with open(path, encoding='utf-8', errors='replace') as f:
            found.append((os.path.basename(stem), cv2.imread(picture, cv2.IMREAD_GRAYSCALE),
                          f.read()))
    return found


def load_sets(data=DATA):
    """{set: [(name, grey crop, text)]} of the sets that exist under data."""
    return {s: load_set(os.path.join(data, s)) for s in SETS if os.path.isdir(os.path.join(data, s))}


def load_scorer(data=DATA):
    """The module score.py of the evaluation data."""
    spec = importlib.util.spec_from_file_location('score', os.path.join(data, 'score.py'))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def greedy(logits):
    """Best path of CTC: logits (T, N, C) -> N strings."""
    texts = []
    for path in logits.argmax(2).T.tolist():
        kept = [c for p, c in zip([0] + path, path) if c and c != p and c <= len(CHARSET)]
        texts.append(''.join(CHARSET[c - 1] for c in kept))
    return texts


def recognize(net, strips, bucket=32):
    """Texts of quantised strips, each run alone, blank up to a multiple of `bucket` columns: few
    shapes, because oneDNN compiles its kernels for each."""
    with torch.no_grad():
        return [greedy(net(torch.from_numpy(line.batch([s], -(-line.padded_width(s.shape[1]) // bucket) * bucket))))[0]
                for s in strips]


def score(scorer, texts, truths):
    """{measure: rate} over a set."""
    total = {}
    for text, truth in zip(texts, truths):
        for k, v in scorer.counts(truth, text, None, False).items():
            total[k] = tuple(a + b for a, b in zip(total.get(k, (0,) * len(v)), v))
    return scorer.rates(total)


def evaluate(read, data=DATA):
    """{set: (rates, texts)} of read, a function from a list of crops to their texts."""
    scorer, results = load_scorer(data), {}
    for name, items in load_sets(data).items():
        texts = read([crop for _, crop, _ in items])
        results[name] = score(scorer, texts, [truth for _, _, truth in items]), texts
    return results


def reader(net):
    """A function from grey crops to texts."""
    return lambda crops: recognize(net, [line.strip_of_crop(c) for c in crops])


def tesseract(crops, scale_below=0):
    """Texts by `tesseract --psm 7`, with a 10-pixel border; crops lower than scale_below
    are first scaled to 48 rows."""
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.join(folder, f'{i:05d}.png') for i in range(len(crops))]
        for name, crop in zip(names, crops):
            if crop.shape[0] < scale_below:
                factor = 48 / crop.shape[0]
                crop = cv2.resize(crop, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC)
            paper = int(np.quantile(crop, .9))
            cv2.imwrite(name, cv2.copyMakeBorder(crop, 10, 10, 10, 10, cv2.BORDER_CONSTANT, value=paper))
        with open(os.path.join(folder, 'list'), 'w') as f:
            f.write('\n'.join(names) + '\n')
        env = dict(os.environ, OMP_THREAD_LIMIT='1')
        out = subprocess.run(['tesseract', f.name, '-', '--psm', '7', '-l', 'eng'], env=env,
                             check=True, capture_output=True, text=True).stdout
    return [page.strip() for page in out.split('\f')[:len(crops)]]


def report(title, results):
    """One line: the main measures of each set in percent."""
    parts = [f'{s[6:]} ' + ' '.join(f'{m} {100 * rates[m]:.2f}' for m in SETS[s] + ('line_ci',))
             for s, (rates, _) in results.items()]
    print(f'{title}: ' + ' | '.join(parts), flush=True)


def write_texts(results, folder, data):
    """NAME.txt per line, for score.py and for reading the errors."""
    for name, items in load_sets(data).items():
        os.makedirs(os.path.join(folder, name), exist_ok=True)
        for (stem, _, _), text in zip(items, results[name][1]):
            with open(os.path.join(folder, name, stem + '.txt'), 'w', encoding='utf-8') as f:
                f.write(text + '\n')


def worst(folder, data, count):
    """Prints the lines with most errors: errors by the set's first measure, set, truth, text read."""
    scorer, found = load_scorer(data), []
    for name, items in load_sets(data).items():
        for stem, _, truth in items:
            with open(os.path.join(folder, name, stem + '.txt'), encoding='utf-8') as f:
                text = f.read().strip()
            errors = scorer.counts(truth, text, None, False)[SETS[name][0]][0]
            found.append((-errors, name, truth.strip(), text))
    for errors, name, truth, text in sorted(found)[:count]:
        if errors:
            print(f'{-errors:3d}  {name[6:]:7s} {truth}\n{"":13s}{text}')


def worst_generated(net, path, count, seed=20261123):
    """The `count` generated lines with the greatest share of errors: a contact sheet, and their texts."""
    scorer, found = load_scorer(), []
    for grey, truth in generate.lines(seed, 20 * count):
        text = recognize(net, [line.quantise(grey)])[0]
        found.append((-scorer.distance(truth, text) / len(truth), grey, truth, text))
    found = sorted(found, key=lambda row: row[0])[:count]
    spool.sheet(path, [(grey, f'{truth}\n   {text}') for _, grey, truth, text in found], -(-count // 2))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('checkpoint', nargs='?')
    parser.add_argument('--worst', type=int, metavar='N', help='list lines instead')
    parser.add_argument('--sheet', metavar='FILE', help='of generated lines, with --worst')
    parser.add_argument('--net', default=model.NET)
    parser.add_argument('--data', default=DATA)
    parser.add_argument('--out', help='write the texts read, per set, into this folder')
    parser.add_argument('--tesseract', action='store_true', help='also score tesseract (slow)')
    args = parser.parse_args()
    torch.set_num_threads(1)
    if args.worst and args.sheet:
        worst_generated(model.load(args.checkpoint, args.net), args.sheet, args.worst)
        return
    if args.worst:
        worst(args.checkpoint, args.data, args.worst)
        return
    if args.checkpoint:
        results = evaluate(reader(model.load(args.checkpoint, args.net)), args.data)
        report(args.checkpoint, results)
        if args.out:
            write_texts(results, args.out, args.data)
    if args.tesseract:
        report('tesseract as is', evaluate(tesseract, args.data))
        report('tesseract scaled', evaluate(lambda c: tesseract(c, 44), args.data))


if __name__ == '__main__':
    main()
