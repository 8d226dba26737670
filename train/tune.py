# SPDX-License-Identifier: BSD-2-Clause
"""Quantization-aware fine-tuning: the last lines of a training run, with the integer runner's rounding.

The layers of export.graph are run in floats, but weights and activations are rounded and clipped
as export.quantise will do it; gradients pass the rounding straight through (Bengio et al., 2013).
"""
import math
import random

import torch
from torch.nn import functional as F

import train


def rounded(x, low, high):
    """x rounded and held in low..high; the gradient is that of the clamp."""
    held = x.clamp(low, high)
    return held + (held.round() - held).detach()


def weights(layer):
    """The weights as s8 steps per output channel give them."""
    step = (layer.weight.detach().flatten(1).abs().amax(1) / 127).clamp(min=1e-9).view(-1, 1, 1, 1)
    return rounded(layer.weight / step, -127, 127) * step


def activations(x, scale, zero):
    """A tensor as u8 of this scale and zero point gives it."""
    return rounded(x / float(scale), -zero, 255 - zero) * float(scale)


def logits(layers, ranges, strips):
    """Logits (T, N, C) of float strips (N, 1, 32, W)."""
    tensors = [strips]
    for i, layer in enumerate(layers):
        y = layer.convolve(layer.padded(tensors[layer.source]), weights(layer), layer.bias)
        if layer.residual is not None:
            y = y + tensors[layer.residual]
        if i + 1 == len(ranges):
            return y[:, :, 0].permute(2, 0, 1)
        tensors.append(activations(F.relu(y) if layer.relu else y, *ranges[i + 1]))
    raise AssertionError('the last layer makes logits')


def tune(layers, ranges, spool, lines, rate=2e-5, columns=12800):
    """Move weights and biases of the layers in place on that many lines of a spool, which stay there."""
    rng = random.Random(3)
    parameters = [p.requires_grad_() for layer in layers for p in (layer.weight, layer.bias)]
    optimizer = torch.optim.Adam(parameters, lr=rate, betas=(.9, .99))
    seen, losses = 0, []
    with torch.enable_grad():
        for strips, texts in train.batches(train.Stream(spool, rng, keep=True), columns, rng, lambda: train.WIDEST):
            optimizer.param_groups[0]['lr'] = rate * .5 * (1 + math.cos(math.pi * min(1, seen / lines)))
            loss = train.ctc(logits(layers, ranges, torch.from_numpy(strips)), texts)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            seen += len(texts)
            losses.append(loss.item())
            if seen >= lines:
                break
    for p in parameters:
        p.requires_grad_(False)
    quarter = max(1, len(losses) // 4)
    print(f'tuned on {seen} lines: loss {sum(losses[:quarter]) / quarter:.4f} -> {sum(losses[-quarter:]) / quarter:.4f}')
