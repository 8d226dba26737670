# SPDX-License-Identifier: BSD-2-Clause
"""The line recognizer: a convolutional stem, then residual blocks along the line, then CTC.

Only 3x3 and 1x1 convolutions, depthwise convolutions along the line, ReLU and additions, so
that an integer runner needs few kernels and a line never depends on its neighbours.
"""
import torch
from torch import nn
from torch.nn import functional as F

from text import CHARSET

CLASSES = len(CHARSET) + 1      # 0 is the blank of CTC
KERNELS = (7, 11, 15, 11, 15, 11)
BS = dict(stem=(16, 32, 48, 64, 96), width=192, kernels=KERNELS)
NETS = {'BsL': dict(BS, kernels=(11, 15, 23, 15, 31, 15, 31, 15)),
        'Bs': BS,
        'Bt': dict(stem=(16, 16, 32, 48, 64), width=128, kernels=KERNELS[:5]),
        # the candidates of search.py
        'Bs7': dict(BS, kernels=KERNELS + (31,)),
        'Bs8': dict(BS, kernels=KERNELS + (31, 15)),
        'BsK': dict(BS, kernels=(11, 15, 23, 15, 31, 15)),
        'BsE3': dict(BS, factor=3),
        'BsW': dict(BS, stem=(16, 32, 64, 80, 128)),
        'Bs5': dict(BS, kernels=KERNELS[:5]),
        # reads lines before BsL does: four of its blocks, half as wide inside
        'Quick': dict(BS, stem=(16, 16, 24, 32, 48), kernels=(11, 15, 31, 15), factor=.75)}
NET = 'BsL'                     # the shipped one


def narrowed(net, percent):
    """A network whose stem and blocks have so many percent of the channels inside, in whole vectors of the kernels."""
    return dict(net, stem=tuple(max(16, 8 * round(c * percent / 800)) for c in net['stem']),
                factor=16 * round(net['width'] * percent / 800) / net['width'])


NETS.update({f'BsL{p}': narrowed(NETS['BsL'], p) for p in (88, 75, 63, 50)})      # of prune.py


def conv_bn(inputs, outputs, kernel=3, stride=1, padding=1):
    """Convolution, batch norm, ReLU."""
    return nn.Sequential(nn.Conv2d(inputs, outputs, kernel, stride, padding, bias=False),
                         nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


class Stem(nn.Module):
    """(N, 1, 32, W) -> (N, width, W / 4): strides instead of pooling, last a 2x1 convolution."""

    def __init__(self, channels, width):
        super().__init__()
        a, b, c, d, e = channels
        self.layers = nn.Sequential(
            conv_bn(1, a, stride=2), conv_bn(a, b),                  # 16 x W/2
            conv_bn(b, c, stride=2), conv_bn(c, c),                  # 8 x W/4
            conv_bn(c, d, stride=(2, 1)), conv_bn(d, d),             # 4 x W/4
            conv_bn(d, e, stride=(2, 1)),                            # 2 x W/4
            conv_bn(e, width, kernel=(2, 1), padding=0))             # 1 x W/4

    def forward(self, x):
        return self.layers(x).squeeze(2)


class Block(nn.Module):
    """x + project(relu(expand(depthwise(x)))) over (N, width, T); batch norm after each."""

    def __init__(self, width, kernel, factor=2):
        super().__init__()
        self.depthwise = nn.Conv1d(width, width, kernel, 1, kernel // 2, groups=width, bias=False)
        self.depthwise_bn = nn.BatchNorm1d(width)
        inner = round(width * factor)
        self.expand = nn.Conv1d(width, inner, 1, bias=False)
        self.expand_bn = nn.BatchNorm1d(inner)
        self.project = nn.Conv1d(inner, width, 1, bias=False)
        self.project_bn = nn.BatchNorm1d(width)
        nn.init.zeros_(self.project_bn.weight)       # a block starts as the identity

    def forward(self, x):
        y = self.depthwise_bn(self.depthwise(x))
        y = F.relu(self.expand_bn(self.expand(y)), inplace=True)
        return x + self.project_bn(self.project(y))


class Recognizer(nn.Module):
    """Strips (N, 1, 32, W) -> logits (T, N, CLASSES), T = W / 4, the layout of ctc_loss."""

    def __init__(self, stem, width, kernels, factor=2):
        super().__init__()
        self.stem = Stem(stem, width)
        self.blocks = nn.Sequential(*[Block(width, k, factor) for k in kernels])
        self.dropout = nn.Dropout(.1)
        self.head = nn.Conv1d(width, CLASSES, 1)

    def forward(self, x):
        return self.head(self.dropout(self.blocks(self.stem(x)))).permute(2, 0, 1)


def build(name=NET):
    """A fresh network of one of the NETS."""
    return Recognizer(**NETS[name])


def fold_pair(conv, norm):
    """A copy of conv that computes norm(conv(x)) in evaluation mode; it has a bias."""
    gain = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    new = type(conv)(conv.in_channels, conv.out_channels, conv.kernel_size, conv.stride,
                     conv.padding, groups=conv.groups, bias=True)
    shape = [-1] + [1] * (conv.weight.dim() - 1)
    bias = conv.bias if conv.bias is not None else 0
    new.weight.data = (conv.weight * gain.view(shape)).detach().clone()
    new.bias.data = (norm.bias + (bias - norm.running_mean) * gain).detach().clone()
    return new


def fold_batchnorm(net):
    """Fold every batch norm of net into the convolution before it, in place; returns net.

    Afterwards the stem is nn.Sequential of (conv, Identity, ReLU) triples and a block's three
    `_bn` members are Identity.
    """
    net.eval()
    for triple in net.stem.layers:
        triple[0], triple[1] = fold_pair(triple[0], triple[1]), nn.Identity()
    for block in net.blocks:
        for name in ('depthwise', 'expand', 'project'):
            setattr(block, name, fold_pair(getattr(block, name), getattr(block, name + '_bn')))
            setattr(block, name + '_bn', nn.Identity())
    return net


def read_state(path):
    """The state dict of a checkpoint (fp16 or fp32), as fp32."""
    state = torch.load(path, map_location='cpu')
    return {k: v.float() if v.is_floating_point() else v for k, v in state.items()}


def characters(path):
    """How many characters of CHARSET a checkpoint knows."""
    return len(read_state(path)['head.bias']) - 1


def load(path, name=NET):
    """A network in evaluation mode with the weights of a checkpoint of its kind; a checkpoint that knows
    fewer characters gets silent classes for the rest."""
    net, old = grow(path, name), read_state(path)
    if any(old[k].shape != v.shape for k, v in net.state_dict().items() if not k.startswith('head.')):
        raise ValueError(f'{path} is not a {name}')
    return net.eval()


def grow(path, name):
    """A network with the weights of a checkpoint of a smaller one; it computes nearly the same.

    Old classes keep their rows; new ones begin with a low bias, so that they are silent. Longer kernels
    begin with the old taps in their middle. Blocks that the checkpoint lacks stay the identity. New
    channels begin small at random and unheard: what reads them has zeros there. Of layers that got
    narrower the first channels are kept.
    """
    net, old = build(name), read_state(path)
    for key, new in net.state_dict().items():
        if key not in old:
            continue
        was = old[key]
        if new.dim() and new.shape != was.shape:
            initial = new.clone()
            new.mul_(.1 if key.endswith('weight') and new.dim() > 1 else 1)
            if new.dim() > 1:
                new[:, was.shape[1]:] = 0 if was.shape[1] > 1 else initial[:, was.shape[1]:]
            if key == 'head.bias':
                new[:] = was.min() - 3
            if key.endswith('depthwise.weight'):
                new.copy_(initial)
                new[:len(was)] = 0
                side = (new.shape[2] - was.shape[2]) // 2
                new[:len(was), :, side:side + was.shape[2]] = was
                continue
            part = tuple(slice(min(a, b)) for a, b in zip(new.shape, was.shape))
            new[part] = was[part]
        else:
            new.copy_(was)
    return net


def sound(net, known):
    """Lets characters from the `known`-th on be heard that grow() silenced and no training has raised yet: their biases become
    at least the lowest of the others. AdamW moves a bias by its rate at most, so a short run cannot."""
    with torch.no_grad():
        bias = net.head.bias
        bias[1 + known:] = bias[1 + known:].clamp(min=float(bias[1:1 + known].min()))


def recast(path, name, alphabet, alike):
    """A network for CHARSET with the weights of a checkpoint of another alphabet. Characters that both have keep their
    rows of the head, others begin as the one that they look like (alike), else small at random, no less likely than others."""
    net, old = build(name), read_state(path)
    rows = {c: i + 1 for i, c in enumerate(alphabet[:len(old['head.bias']) - 1])}
    head = {key: old.pop('head.' + key) for key in ('weight', 'bias')}
    net.load_state_dict(old, strict=False)
    with torch.no_grad():
        net.head.weight.mul_(head['weight'].std() / net.head.weight.std())
        net.head.bias.fill_(float(head['bias'][1:].median()))
        for at, character in enumerate(['', *CHARSET]):
            row = rows.get(character, rows.get(alike.get(character))) if at else 0
            if row is not None:
                net.head.weight[at], net.head.bias[at] = head['weight'][row], head['bias'][row]
    return net


def save(state, path):
    """Write a state dict as fp16 weights."""
    torch.save({k: v.half() if v.is_floating_point() else v for k, v in state.items()}, path)
