#!/usr/bin/python3
"""The weighted mean of checkpoints of one network.

    mean.py --out OUT.pt SHARE CHECKPOINT [SHARE CHECKPOINT ...]

A run that starts from a checkpoint often loses on old kinds of lines what it gains on new ones; the mean of both
ends loses less than either (Wortsman et al., "Model soups", 2022). Shares are scaled to a sum of 1. Counters, which are
whole numbers, come from the last checkpoint.
"""
import argparse

import model


def mean(shares, states):
    """The weighted mean of state dicts with the same keys and shapes."""
    total = sum(shares)
    if total <= 0:
        raise ValueError(f'the shares sum to {total}')
    out = {}
    for key, last in states[-1].items():
        if any(s.keys() != states[-1].keys() or s[key].shape != last.shape for s in states):
            raise ValueError(f'{key}: the checkpoints are of different networks')
        out[key] = (sum(share / total * s[key] for share, s in zip(shares, states))
                    if last.is_floating_point() else last)
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
