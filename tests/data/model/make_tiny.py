#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes tiny.platen and tiny.line beside itself, a fixture of several tests; the argument is the program.

tiny.platen is a network of the shipped kind with few channels and random weights. tiny.line is one
made-up strip (32 x 96 bytes) and the logits that the network computes for it in floats, before
quantisation (24 x 255 little-endian f32).
"""
import os
import sys

import numpy as np
import torch

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', '..', '..', 'train'))
import export         # noqa: E402
import line           # noqa: E402
import model          # noqa: E402
import onnx_file      # noqa: E402


def network():
    """Random weights whose activations keep their size from layer to layer."""
    torch.manual_seed(3)
    net = model.Recognizer(stem=(16, 16, 16, 16, 16), width=32, kernels=(7, 15))
    for name, p in net.named_parameters():
        if p.dim() > 1:
            fan_in = p[0].numel()
            p.data = torch.randn(p.shape) * (2 / fan_in) ** .5
        elif name.endswith('bn.weight'):
            p.data = torch.rand(p.shape) * .5 + .5
        elif name.endswith('bias'):
            p.data = torch.randn(p.shape) * .1
    return model.fold_batchnorm(net)


def strip(rng, width):
    """Strokes on blank paper."""
    out = np.full((1, 1, line.HEIGHT, width), line.ZERO, np.uint8)
    for _ in range(width // 6):
        x, y = rng.integers(line.PAD, width - line.PAD - 3), rng.integers(4, 20)
        out[0, 0, y:y + rng.integers(2, 10), x:x + rng.integers(1, 4)] = rng.integers(120, 256)
    return torch.from_numpy(out)


def main():
    torch.set_grad_enabled(False)
    torch.set_num_threads(1)
    rng = np.random.default_rng(5)
    layers, samples = export.graph(network()), [strip(rng, 96) for _ in range(24)]
    ranges = [(np.float32(1 / line.SCALE), line.ZERO)]
    ranges += [export.best_range(h) for h in export.histograms(layers, samples)[1:-1]]
    export.quantise(layers, ranges)
    export.report_noise(layers, ranges, samples)
    meta = {'name': 'tiny', 'version': '1', 'licence': 'BSD-2-Clause', **export.contract()}
    onnx_file.write(onnx_file.recognizer(layers, ranges, line.HEIGHT, meta), os.path.join(HERE, 'tiny.platen'), sys.argv[1])
    logits = export.run_float(layers, export.value_of(samples[0]))[-1][0, :, 0].T
    with open(os.path.join(HERE, 'tiny.line'), 'wb') as f:
        f.write(samples[0].numpy().tobytes() + logits.numpy().astype('<f4').tobytes())


if __name__ == '__main__':
    main()
