# SPDX-License-Identifier: BSD-2-Clause
"""The detector: where a picture has text lines, and how high their small letters are.

Fully convolutional, 3x3 and 1x1 convolutions, ReLU and additions only, so that it runs as the
recognizer does. One step of the output covers STRIDE x STRIDE px; its channels are the logits of
ROWS x COLUMNS parts of that square being core of a line (the band between baseline and x-height,
thinned by SHRINK above and below), row by row, and last log2 of the x-height over XHEIGHT.
"""
import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

import model
from sheets import XHEIGHT

STRIDE, ROWS, COLUMNS = 8, 4, 2
CORE = ROWS * COLUMNS
SHRINK = .12                    # of the x-height, on both sides of the band
NETS = {'r48': dict(stem=(16, 32, 48), blocks=4), 'r64': dict(stem=(16, 32, 64), blocks=3)}


class Block(nn.Module):
    """x + second(relu(first(x))), 3x3 convolutions with batch norm; then ReLU."""

    def __init__(self, width):
        super().__init__()
        self.first = nn.Conv2d(width, width, 3, 1, 1, bias=False)
        self.first_bn = nn.BatchNorm2d(width)
        self.second = nn.Conv2d(width, width, 3, 1, 1, bias=False)
        self.second_bn = nn.BatchNorm2d(width)
        nn.init.zeros_(self.second_bn.weight)

    def forward(self, x):
        y = F.relu(self.first_bn(self.first(x)), inplace=True)
        return F.relu(x + self.second_bn(self.second(y)), inplace=True)


class Detector(nn.Module):
    """(N, 1, H, W) of 0 = white .. 1 = black -> (N, CORE + 1, H / 8, W / 8)."""

    def __init__(self, stem, blocks):
        super().__init__()
        inputs = (1,) + stem
        self.stem = nn.Sequential(*[model.conv_bn(a, b, stride=2) for a, b in zip(inputs, stem)])
        self.blocks = nn.Sequential(*[Block(stem[-1]) for _ in range(blocks)])
        self.head = nn.Conv2d(stem[-1], CORE + 1, 1)
        nn.init.constant_(self.head.bias[:CORE], -2)

    def forward(self, x):
        return self.head(self.blocks(self.stem(x)))


def build(name='r48'):
    return Detector(**NETS[name])


def load(path, name='r48'):
    net = build(name)
    net.load_state_dict(model.read_state(path))
    return net.eval()


def fold_batchnorm(net):
    """Fold every batch norm into the convolution before it, in place; returns net."""
    net.eval()
    for triple in net.stem:
        triple[0], triple[1] = model.fold_pair(triple[0], triple[1]), nn.Identity()
    for block in net.blocks:
        for name in ('first', 'second'):
            setattr(block, name, model.fold_pair(getattr(block, name), getattr(block, name + '_bn')))
            setattr(block, name + '_bn', nn.Identity())
    return net


def core_map(out):
    """The core logits (N, CORE + 1, h, w) as one picture (N, ROWS h, COLUMNS w)."""
    n, _, h, w = out.shape
    return out[:, :CORE].reshape(n, ROWS, COLUMNS, h, w).permute(0, 3, 1, 4, 2).reshape(n, ROWS * h, COLUMNS * w)


def draw(shape, quads, values, zoom=2):
    """uint8 picture, `zoom` times `shape`, of filled quads."""
    out = np.zeros((shape[0] * zoom, shape[1] * zoom), np.uint8)
    for quad, value in zip(quads, values):
        cv2.fillConvexPoly(out, np.round(np.asarray(quad) * zoom * 16).astype(np.int32), value, cv2.LINE_8, 4)
    return out


def thinned(quad):
    """The band of a line without SHRINK of its height above and below."""
    down = quad[[3, 2, 1, 0]] - quad
    return quad + SHRINK * down


def targets(shape, lines, unsure):
    """Of a sheet padded to multiples of STRIDE: share of core per part (uint8, 255 = all; ROWS h x
    COLUMNS w), weight of the parts (uint8 0 or 1), log2 height per step (float32; NaN = no text)."""
    h, w = (v // STRIDE for v in shape)
    size = COLUMNS * w, ROWS * h
    core = cv2.resize(draw(shape, [thinned(l.quad) for l in lines], [255] * len(lines)), size, interpolation=cv2.INTER_AREA)
    out = cv2.resize(draw(shape, unsure, [255] * len(unsure)), size, interpolation=cv2.INTER_AREA)
    logs = [128 + 40 * np.log2(l.xheight / XHEIGHT) for l in lines]
    high = draw(shape, [l.quad for l in lines], [int(round(v)) for v in logs], zoom=1)
    high = high.reshape(h, STRIDE, w, STRIDE).max((1, 3)).astype(np.float32)
    return core, ((out < 128) | (core > 0)).astype(np.uint8), np.where(high > 0, (high - 128) / 40, np.nan).astype(np.float32)


def losses(out, core, weight, high):
    """(cross-entropy and Dice of the cores, error of the heights) of a batch."""
    logits = core_map(out.float())
    spread = F.binary_cross_entropy_with_logits(logits, core, weight, reduction='sum') / weight.sum()
    p = torch.sigmoid(logits) * weight
    dice = 1 - (2 * (p * core).sum() + 1) / ((p * weight).sum() + (core * weight).sum() + 1)
    known = ~torch.isnan(high)
    error = F.smooth_l1_loss(out[:, CORE].float()[known], high[known], beta=.2) if known.any() else out.sum() * 0
    return spread + .5 * dice, error
