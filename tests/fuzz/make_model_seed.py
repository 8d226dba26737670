#!/usr/bin/python3
"""Writes corpus/model/seed.platen: a small valid model with every kind of node."""
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', '..', 'train'))
import container      # noqa: E402

CONV, DWCONV = container.CONV, container.DWCONV
#         op, input, residual, relu, kernel, stride, pad_y, pad_x, channels in and out
NODES = [(CONV, 0, None, 1, (3, 3), (2, 2), (1, 1), 1, 1, 16),
         (CONV, 1, None, 1, (2, 1), (1, 1), (0, 0), 0, 16, 16),
         (DWCONV, 2, None, 0, (1, 5), (1, 1), (0, 0), 2, 16, 16),
         (CONV, 3, 2, 0, (1, 1), (1, 1), (0, 0), 0, 16, 16),
         (CONV, 4, None, 0, (1, 1), (1, 1), (0, 0), 0, 16, 3)]
HEIGHTS, DIVISORS = (4, 2, 1, 1, 1, 1), (1, 2, 2, 2, 2, 2)


def node(rng, i):
    op, source, residual, relu, kernel, stride, pad_y, pad_x, inputs, outputs = NODES[i]
    shape = (outputs, kernel[1]) if op == DWCONV else (outputs, inputs, *kernel)
    return dict(name=f'n{i}', op=op, relu=relu, input=source, output=i + 1, residual=residual,
                kernel=kernel, stride=stride, pad_y=pad_y, pad_x=pad_x,
                weights=rng.integers(-127, 128, shape).astype(np.int8),
                bias=rng.integers(-5000, 5000, outputs), multiplier=np.full(outputs, .01))


def main():
    rng = np.random.default_rng(1)
    channels = (1,) + tuple(n[-1] for n in NODES)
    last = len(NODES)
    tensors = [dict(float=i == last, zero=0 if i == last else 9 * i, height=HEIGHTS[i],
                    divisor=DIVISORS[i], channels=channels[i], scale=0 if i == last else .5)
               for i in range(last + 1)]
    meta = {'name': 'seed', 'version': '1', 'licence': 'BSD-2-Clause', 'pad_left': 1, 'pad_right': 2}
    with open(os.path.join(HERE, 'corpus', 'model', 'seed.platen'), 'wb') as f:
        f.write(container.build(meta, 'aé', tensors, [node(rng, i) for i in range(last)]))


if __name__ == '__main__':
    main()
