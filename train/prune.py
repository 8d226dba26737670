#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Makes a narrower network of a trained one: takes out the channels that its layers hear least.

    prune.py [--from NET] --to NET [--blocks N,N...] --shard SHARD CHECKPOINT OUT.pt

A channel between two layers counts by what it adds to the second: the mean of its squares on lines of the
shard, times the squares of the weights that read it (He and others, Channel pruning, 2017, by the magnitude of what
is passed on and not of the weights alone). With --blocks only these blocks stay. The channels that count most stay, in their order. Prints the
multiply-adds of a line of 32 x 320 and the loss per character on other lines of the shard, before and after; the network
is then trained on:

    train.py --init OUT.pt --net NET --teacher CHECKPOINT ...
"""
import argparse

import torch

import line
import model
import search
import train

LINES = 64                  # of the shard that channels are heard on; behind them come those of the loss


def joints(net):
    """[(the layers whose outputs are pruned together, with their norm; the layer that reads them)]."""
    stem = net.stem.layers
    found = [(stem[i][0], stem[i][1], stem[i + 1][0]) for i in range(len(stem) - 1)]
    return found + [(b.expand, b.expand_bn, b.project) for b in net.blocks]


@torch.no_grad()
def heard(net, strips):
    """The weight of each channel at each of the joints."""
    power = []

    def listen(reader):
        def hook(_, inputs):
            x = inputs[0]
            power.append((reader, x.square().mean([d for d in range(x.dim()) if d != 1])))
        return hook
    hooks = [reader.register_forward_pre_hook(listen(reader)) for _, _, reader in joints(net)]
    for strip in strips:
        net(torch.from_numpy(line.batch([strip])))
    for hook in hooks:
        hook.remove()
    return [sum(p for layer, p in power if layer is reader)
            * reader.weight.square().sum([d for d in range(reader.weight.dim()) if d != 1]) for _, _, reader in joints(net)]


@torch.no_grad()
def prune(net, name, strips):
    """The network `name`, whose layers are narrower, with the channels of net that count most on the strips."""
    small, state = model.build(name).eval(), net.state_dict()
    names = {module: key for key, module in net.named_modules()}
    for (writer, norm, reader), weights, narrow in zip(joints(net), heard(net, strips), joints(small)):
        kept = weights.topk(narrow[0].out_channels).indices.sort().values
        for layer in writer, norm:
            for key in layer.state_dict():
                full = f'{names[layer]}.{key}'
                if state[full].dim():
                    state[full] = state[full][kept]
        state[f'{names[reader]}.weight'] = state[f'{names[reader]}.weight'][:, kept]
    small.load_state_dict(state)
    return small


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('checkpoint')
    parser.add_argument('out')
    parser.add_argument('--from', dest='large', default=model.NET, choices=model.NETS)
    parser.add_argument('--to', required=True, choices=model.NETS)
    parser.add_argument('--blocks', metavar='N,N...', help='the blocks that stay, by their numbers')
    parser.add_argument('--shard', required=True, help='lines of spool.py')
    args = parser.parse_args()
    net, pairs = model.load(args.checkpoint, args.large), train.read_shard(args.shard)
    if args.blocks:
        net.blocks = torch.nn.Sequential(*[net.blocks[int(n)] for n in args.blocks.split(',')])
    small = prune(net, args.to, [line.quantise(grey) for grey, _ in pairs[:LINES]])
    model.save(small.state_dict(), args.out)
    for name, one in (args.large, net), (args.to, small):
        loss = train.held_loss(one, pairs[LINES:LINES + train.HELD])
        print(f'{name}: {search.multiply_adds(name) / 1e6:.0f} M multiply-adds, loss {loss:.4f} per character')


if __name__ == '__main__':
    main()
