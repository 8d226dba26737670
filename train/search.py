#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Successive halving among the networks of model.py, each grown from one checkpoint.

    search.py --init CHECKPOINT --shards DIR --held SHARD --out DIR [--lines N] NET...

All candidates see the same lines in the same order with the same seed and schedule. In each round they
start anew from the checkpoint, the better half (by the loss on the held-out shard) goes on to twice
the lines. Prints a row per run as Markdown: multiply-adds for a line of 32 x 320, parameters,
CPU minutes, loss per character on held-out lines and error rates on the real ones.
"""
import argparse
import csv
import os
import subprocess
import sys

import torch

import model

HERE = os.path.dirname(os.path.abspath(__file__))


def multiply_adds(name):
    """Of a line of 32 x 320."""
    net, total = model.build(name).eval(), 0

    def count(layer, inputs, output):
        nonlocal total
        total += output[0].numel() * layer.weight[0].numel()
    for layer in net.modules():
        if isinstance(layer, (torch.nn.Conv1d, torch.nn.Conv2d)):
            layer.register_forward_hook(count)
    with torch.no_grad():
        net(torch.zeros(1, 1, 32, 320))
    return total


def run(args, name, lines, last):
    """Train one candidate; the last row of its evaluations. Real lines only in the last round."""
    folder = os.path.join(args.out, f'{name}-{lines}')
    subprocess.run([sys.executable, os.path.join(HERE, 'train.py'), '--spool', args.shards, '--keep', '--held', args.held,
                    '--run', folder, '--init', args.init, '--net', name, '--lines', str(lines), '--rate', str(args.rate),
                    '--every', '1000', '--seed', '7', *([] if last else ['--data', 'none'])], check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(folder, 'evaluations.csv'), newline='') as f:
        return list(csv.DictReader(f))[-1]


def report(name, lines, row):
    parameters = sum(p.numel() for p in model.build(name).parameters())
    rates = ' | '.join(f'{100 * float(row[k]):.2f}' if k in row else ''
                       for k in ('lines_uw3.cer', 'lines_modern.cer', 'lines_sroie.cer_ci', 'lines_funsd.cer_ns'))
    print(f'| {name} | {lines:,} | {multiply_adds(name) / 1e6:.0f} M | {parameters / 1e6:.2f} M '
          f'| {float(row["cpu_minutes"]):.1f} | {float(row["held.loss"]):.4f} | {rates} |', flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('nets', nargs='+', choices=model.NETS)
    parser.add_argument('--init', required=True)
    parser.add_argument('--shards', required=True)
    parser.add_argument('--held', required=True)
    parser.add_argument('--out', required=True)
    parser.add_argument('--lines', type=int, default=4000, help='of the first round')
    parser.add_argument('--rate', type=float, default=6e-4)
    args = parser.parse_args()
    nets, lines = args.nets, args.lines
    print('| net | lines | multiply-adds | parameters | CPU min | held-out loss | uw3 cer | modern cer | sroie cer_ci | funsd cer_ns |')
    print('|---|---|---|---|---|---|---|---|---|---|')
    while nets:
        results = {name: run(args, name, lines, len(nets) < 4) for name in nets}
        for name in nets:
            report(name, lines, results[name])
        nets = sorted(nets, key=lambda n: float(results[n]['held.loss']))[:len(nets) // 2]
        lines *= 2


if __name__ == '__main__':
    main()
