#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Quantise a checkpoint of the detector and write the model file that platen runs.

    export_detector.py [--out models/regions.platen] [--platen PROGRAM] CHECKPOINT

As export.py does it for the recognizer: batch norms folded, ranges measured on drawn sheets, s8
weights per output channel, u8 activations per tensor. Prints the noise of each layer, and recall and
precision of the cores on held-out crops in floats and in integers.
"""
import argparse
import hashlib
import os

import numpy as np
import torch

import detector
import export
import onnx_file
import train_detector

TILE = 256                      # rows
CALIBRATION_SEED, CALIBRATION_CROPS = 20261121, 48
STEP = np.float32(1 / 255)      # of the input: 0 = white, 255 = black


def graph(net):
    """The layers of a folded net in order; layer i makes tensor i + 1, tensor 0 is the input."""
    layers = [export.Layer(f'stem.{i}', triple[0], i, relu=True) for i, triple in enumerate(net.stem)]
    for i, block in enumerate(net.blocks):
        start = len(layers)
        layers.append(export.Layer(f'block.{i}.first', block.first, start, relu=True))
        layers.append(export.Layer(f'block.{i}.second', block.second, start + 1, residual=start, relu=True))
    layers.append(export.Layer('head', net.head, len(layers)))
    return layers


def value_of(sample):
    return sample.float() * STEP


def crops(seed, count):
    """u8 inputs (1, 1, TILE, TILE)."""
    x = train_detector.Pool(seed, count // 2, 10 ** 9, TILE).batch(count)[0]
    return [(x[i:i + 1] * 255).round().to(torch.uint8) for i in range(count)]


def maps():
    """Names of the channels."""
    return [f'core.{y}.{x}' for y in range(detector.ROWS) for x in range(detector.COLUMNS)] + ['height']


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('checkpoint')
    parser.add_argument('--out', default=os.path.join(export.ROOT, 'models', 'regions.platen'))
    parser.add_argument('--net', default='r48', choices=detector.NETS)
    parser.add_argument('--version', default='1')
    onnx_file.add_program(parser, export.ROOT)
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    with open(args.checkpoint, 'rb') as f:
        digest = hashlib.sha256(f.read()).hexdigest()
    net = detector.fold_batchnorm(detector.load(args.checkpoint, args.net))
    layers, samples = graph(net), crops(CALIBRATION_SEED, CALIBRATION_CROPS)
    ranges = [(STEP, 0)] + [export.best_range(h) for h in export.histograms(layers, samples, value_of)[1:-1]]
    export.quantise(layers, ranges)
    noise = export.report_noise(layers, ranges, samples[:16], value_of)
    held = train_detector.held_out(TILE)
    integers = lambda x: torch.cat([export.run_integer(layers, ranges, (v * 255).round()[None])[-1] for v in x])
    for name, run in (('floats', net), ('int8', integers)):
        figures = {k: round(v, 4) for k, v in train_detector.figures(run, held).items()}
        print(name, figures)
    meta = {'name': 'regions', 'version': args.version, 'licence': 'BSD-2-Clause', 'architecture': args.net,
            'training': 'synthetic sheets from free fonts and texts of Debian packages (train/)',
            'quantisation': f's8 weights per output channel, u8 activations per tensor, ranges of {CALIBRATION_CROPS} drawn crops',
            'checkpoint_sha256': digest, 'maps': ' '.join(maps()), 'stride': detector.STRIDE, 'xheight': f'{detector.XHEIGHT:g}',
            **noise, **{f'score.{k}': v for k, v in figures.items()}}
    onnx_file.write(onnx_file.detector(layers, ranges, TILE, meta), args.out, args.platen)


if __name__ == '__main__':
    main()
