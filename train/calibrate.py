#!/usr/bin/python3
"""How far the confidence of a checkpoint can be believed, and the temperature that mends it.

    calibrate.py [--net NAME] [--lines N] [--data DIR] CHECKPOINT

The confidence of a character is the greatest posterior of its class in its run of frames. Logits
divided by a temperature make all of them bolder or meeker and change no text (Guo et al., On
Calibration of Modern Neural Networks, ICML 2017). The temperature of least log loss on generated
lines is fitted here; export.py divides the last layer's scale by it. Prints that temperature, and the
log loss and expected calibration error (ten bins) at 1 and there, on generated and on real lines.
"""
import argparse
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


def readings(logits, text, temperature, fold=str):
    """Confidence and correctness of each character that the best path of logits (T, C) reads; none where
    fold changes the length of the text."""
    posterior = (logits / temperature).softmax(1)
    read, confidence, previous = [], [], 0
    for frame, best in enumerate(logits.argmax(1).tolist()):
        if best and best != previous:
            read.append(CHARSET[best - 1])
            confidence.append(0.)
        if best:
            confidence[-1] = max(confidence[-1], posterior[frame, best].item())
        previous = best
    folded = fold(''.join(read))
    right = np.zeros(len(folded), bool)
    for match in difflib.SequenceMatcher(None, folded, fold(text), autojunk=False).get_matching_blocks():
        right[match.a:match.a + match.size] = True
    return list(zip(confidence, right)) if len(folded) == len(read) else []


def measure(pairs, temperature, fold=str):
    """Log loss and expected calibration error per character of [(logits (T, C), text)]."""
    found = np.array([r for logits, text in pairs for r in readings(logits, text, temperature, fold)])
    p, right = found[:, 0].clip(1e-6, 1 - 1e-6), found[:, 1]
    loss = -(right * np.log(p) + (1 - right) * np.log(1 - p)).mean()
    bins = np.minimum((p * BINS).astype(int), BINS - 1)
    return loss, sum(abs((p - right)[bins == b].sum()) for b in range(BINS)) / len(p)


def fit(pairs):
    """The temperature of least log loss: golden section over its logarithm."""
    low, high = map(math.log, BOUNDS)
    golden = (math.sqrt(5) - 1) / 2
    while high - low > .01:
        a, b = high - golden * (high - low), low + golden * (high - low)
        if measure(pairs, math.exp(a))[0] < measure(pairs, math.exp(b))[0]:
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
    parser.add_argument('--net', default='Bs', choices=model.NETS)
    parser.add_argument('--lines', type=int, default=LINES)
    parser.add_argument('--data', default=evaluate.DATA)
    args = parser.parse_args()
    torch.set_num_threads(1)
    net = model.load(args.checkpoint, args.net)
    sets = {'generated': (run(net, [(line.quantise(g), t) for g, t in generate.lines(SEED, args.lines)]), str)}
    for name, crops in evaluate.load_sets(args.data).items():
        fold = str.casefold if 'cer_ci' in evaluate.SETS[name] else str
        sets[name] = run(net, [(line.strip_of_crop(crop), text.strip()) for _, crop, text in crops]), fold
    temperature = fit(sets['generated'][0])
    print(f'temperature {temperature:.3f}')
    for name, (pairs, fold) in sets.items():
        figures = [f'log loss {loss:.4f}, calibration error {100 * error:.2f} %'
                   for loss, error in (measure(pairs, t, fold) for t in (1, temperature))]
        print(f'{name:<14} {figures[0]} -> {figures[1]}')


if __name__ == '__main__':
    main()
