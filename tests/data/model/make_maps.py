#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes maps.platen beside itself: a detector with few channels and random weights, a fixture of several
tests; the argument is the program."""
import os
import sys
from types import SimpleNamespace

import numpy as np
import torch

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', '..', '..', 'train'))
import onnx_file      # noqa: E402

#         input, residual, relu, kernel, stride, channels in and out
NODES = [(0, None, 1, 3, 2, 1, 16), (1, None, 1, 3, 2, 16, 16), (2, None, 1, 3, 2, 16, 16), (3, None, 1, 3, 1, 16, 16),
         (4, 3, 1, 3, 1, 16, 16), (5, None, 0, 1, 1, 16, 3)]
HEIGHT = 32
SCALE = np.float32(1 / 255)


def layer(rng, i):
    source, residual, relu, kernel, stride, inputs, outputs = NODES[i]
    spread = 1.6 / (inputs * kernel * kernel) ** .5 / 73      # outputs about as large as inputs
    return SimpleNamespace(name=f'n{i}', source=source, residual=residual, relu=relu, groups=1,
                           stride=(stride, stride), pad=(kernel // 2,) * 2,
                           q=torch.from_numpy(rng.integers(-127, 128, (outputs, inputs, kernel, kernel))),
                           step=torch.full((outputs,), spread),
                           bias_int=torch.from_numpy(rng.integers(-5000, 5000, outputs)))


def main():
    rng = np.random.default_rng(2)
    layers = [layer(rng, i) for i in range(len(NODES))]
    ranges = [(SCALE, 0)] * len(NODES)
    meta = {'name': 'maps', 'version': '1', 'licence': 'BSD-2-Clause', 'maps': 'core.0.0 core.1.0 height', 'stride': 8}
    onnx_file.write(onnx_file.detector(layers, ranges, HEIGHT, meta), os.path.join(HERE, 'maps.platen'), sys.argv[1])


if __name__ == '__main__':
    main()
