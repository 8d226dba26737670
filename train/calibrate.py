#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""How far the confidence of a checkpoint can be believed, and the temperature that mends it.

    calibrate.py [--net NAME] [--lines N] [--data DIR] CHECKPOINT

The confidence of a character is the greatest posterior of its class in its run of frames. Logits
divided by a temperature make all of them bolder or meeker and change no text (Guo et al., On
Calibration of Modern Neural Networks, ICML 2017). The temperature of least log loss on generated
lines is fitted here; export.py divides the last layer's scale by it. Prints that temperature, and the
log loss and expected calibration error (ten bins) at 1 and there, on generated and on real lines.
"""
import argparse
import collections
import difflib
import math

import numpy as np
import torch

import evaluate
import generate
import line
import model
from text import CHARSET

SEED, LINES = 20261122, 400
BOUNDS = .5, 2.
BINS = 10


Readings = collections.namedtuple('Readings', 'logits first right')


def readings(pairs, fold=str):
    """What the best paths of [(logits (T, C), text)] read: the logits of all frames of characters (F, C), for
    each character its first frame among them, and whether it is right. A line whose length fold
    changes is left out."""
    rows, first, right, frames = [], [], [], 0
    for logits, text in pairs:
        best = logits.argmax(1).numpy()
        spoken = np.flatnonzero(best)
        begins = (best != np.concatenate(([0], best[:-1])))[spoken]
        read = ''.join(CHARSET[c - 1] for c in best[spoken[begins]])
        if len(fold(read)) != len(read):
            continue
        matched = np.zeros(len(read), bool)
        for match in difflib.SequenceMatcher(None, fold(read), fold(text), autojunk=False).get_matching_blocks():
            matched[match.a:match.a + match.size] = True
        rows.append(logits.numpy()[spoken])
        first.append(frames + np.flatnonzero(begins))
        right.append(matched)
        frames += len(spoken)
    return Readings(*map(np.concatenate, (rows, first, right)))


def measure(read, temperature):
    """Log loss and expected calibration error per character."""
    scaled = (read.logits - read.logits.max(1, keepdims=True)) / temperature
    confidence = np.maximum.reduceat(1 / np.exp(scaled).sum(1), read.first)
    p = confidence.clip(1e-6, 1 - 1e-6)
    loss = -np.where(read.right, np.log(p), np.log(1 - p)).mean()
    bins = np.minimum((p * BINS).astype(int), BINS - 1)
    return loss, sum(abs((p - read.right)[bins == b].sum()) for b in range(BINS)) / len(p)


def fit(read):
    """The temperature of least log loss: golden section over its logarithm."""
    low, high = map(math.log, BOUNDS)
    golden = (math.sqrt(5) - 1) / 2
    while high - low > .01:
        a, b = high - golden * (high - low), low + golden * (high - low)
        if measure(read, math.exp(a))[0] < measure(read, math.exp(b))[0]:
            high = b
        else:
            low = a
    return math.exp((low + high) / 2)


@torch.no_grad()
def run(net, pairs):
    """[(logits, text)] of [(quantised strip, text)]."""
    return [(net(torch.from_numpy(line.batch([strip])))[:, 0], text) for strip, text in pairs]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('checkpoint')
    parser.add_argument('--net', default=model.NET, choices=model.NETS)
    parser.add_argument('--lines', type=int, default=LINES)
    parser.add_argument('--data', default=evaluate.DATA)
    args = parser.parse_args()
    torch.set_num_threads(1)
    net = model.load(args.checkpoint, args.net)
    sets = {'generated': readings(run(net, [(line.quantise(g), t) for g, t in generate.lines(SEED, args.lines)]))}
    for name, crops in evaluate.load_sets(args.data).items():
        fold = str.casefold if 'cer_ci' in evaluate.SETS[name] else str
        sets[name] = readings(run(net, [(line.strip_of_crop(crop), text.strip()) for _, crop, text in crops]), fold)
    temperature = fit(sets['generated'])
    print(f'temperature {temperature:.3f}')
    for name, read in sets.items():
        figures = [f'log loss {loss:.4f}, calibration error {100 * error:.2f} %'
                   for loss, error in (measure(read, t) for t in (1, temperature))]
        print(f'{name:<14} {figures[0]} -> {figures[1]}')


if __name__ == '__main__':
    main()
