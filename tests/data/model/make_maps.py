#!/usr/bin/python3
"""Writes maps.platen beside itself and into the corpus of fuzz_model: a detector with few channels and
random weights, the fixture of tests/unit/test_nn.c and test_model.c."""
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', '..', '..', 'train'))
import container      # noqa: E402

#         input, residual, relu, kernel, stride, channels in and out
NODES = [(0, None, 1, 3, 2, 1, 16), (1, None, 1, 3, 2, 16, 16), (2, None, 1, 3, 2, 16, 16), (3, None, 1, 3, 1, 16, 16),
         (4, 3, 1, 3, 1, 16, 16), (5, None, 0, 1, 1, 16, 3)]
HEIGHT, DIVISORS = 32, (1, 2, 4, 8, 8, 8, 8)


def node(rng, i):
    source, residual, relu, kernel, stride, inputs, outputs = NODES[i]
    spread = 1.6 / (inputs * kernel * kernel) ** .5 / 73      # outputs about as large as inputs
    return dict(name=f'n{i}', op=container.CONV, relu=relu, input=source, output=i + 1, residual=residual,
                kernel=(kernel, kernel), stride=(stride, stride), pad_y=(kernel // 2,) * 2, pad_x=kernel // 2,
                weights=rng.integers(-127, 128, (outputs, inputs, kernel, kernel)).astype(np.int8),
                bias=rng.integers(-5000, 5000, outputs), multiplier=np.full(outputs, spread))


def main():
    rng, last = np.random.default_rng(2), len(NODES)
    tensors = [dict(float=i == last, zero=0 if i == last else 7 * (i % 2), height=HEIGHT // d, divisor=d,
                    channels=([1] + [16] * (last - 1) + [3])[i],
                    scale=0 if i == last else 1 / 255) for i, d in enumerate(DIVISORS)]
    content = container.detector({'name': 'maps', 'version': '1', 'licence': 'BSD-2-Clause'}, ('core.0.0', 'core.1.0', 'height'),
                                 tensors, [node(rng, i) for i in range(last)])
    for folder in (HERE, os.path.join(HERE, '..', '..', 'fuzz', 'corpus', 'model')):
        with open(os.path.join(folder, 'maps.platen'), 'wb') as f:
            f.write(content)


if __name__ == '__main__':
    main()
