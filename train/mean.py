#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""The weighted mean of checkpoints of one network.

    mean.py --out OUT.pt SHARE CHECKPOINT [SHARE CHECKPOINT ...]

A run that starts from a checkpoint often loses on old kinds of lines what it gains on new ones; the mean of both
ends loses less than either (Wortsman et al., "Model soups", 2022). Characters that a checkpoint does not know come from the others. Shares are scaled to a sum of 1. Counters, which are
whole numbers, come from the last checkpoint.
"""
import argparse

import torch

import model


def mean_of(shares, parts):
    """The weighted mean of tensors of one shape but for their rows: rows that some lack are the mean of the others."""
    out = torch.zeros_like(max(parts, key=len) if parts[0].dim() else parts[0])
    total = torch.zeros(len(out), *[1] * (out.dim() - 1)) if out.dim() else 0
    for share, part in zip(shares, parts):
        if out.dim():
            out[:len(part)] += share * part
            total[:len(part)] += share
        else:
            out, total = out + share * part, total + share
    return out / total


def mean(shares, states):
    """The weighted mean of state dicts with the same keys and shapes, but that some know fewer characters."""
    if min(shares) < 0 or not sum(shares):
        raise ValueError(f'the shares are {shares}')
    if any(s.keys() != states[-1].keys() for s in states):
        raise ValueError('the checkpoints are of different networks')
    out = {}
    for key, last in states[-1].items():
        rows = 1 if key.startswith('head.') else 0
        if any(s[key].shape[rows:] != last.shape[rows:] for s in states):
            raise ValueError(f'{key}: the checkpoints are of different networks')
        out[key] = mean_of(shares, [s[key] for s in states]) if last.is_floating_point() else last
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--out', required=True)
    parser.add_argument('pairs', nargs='+', metavar='SHARE CHECKPOINT')
    args = parser.parse_args()
    if len(args.pairs) % 2:
        parser.error('a share before each checkpoint')
    shares = [float(s) for s in args.pairs[::2]]
    model.save(mean(shares, [model.read_state(p) for p in args.pairs[1::2]]), args.out)


if __name__ == '__main__':
    main()
