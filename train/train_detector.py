#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Train the detector on synthetic sheets that it draws as it goes, and on real pages with labels (see README.md).

    train_detector.py --run RUN --minutes 60 [--init WEIGHTS] [--pages FOLDER --share .3]

Crops of a pool of sheets; a sheet is replaced after --reuse crops. RUN receives curve.csv and
ckpt.pt, the fp16 moving average of the weights. The learning rate follows a cosine of the wall clock.
"""
import argparse
import csv
import math
import os
import random
import time

import cv2
import numpy as np
import torch

import detector
import labels
import model
import sheets
import train

HELD_SEED, HELD = 77, 64


class Pool:
    """Sheets in memory with their targets, and crops of them."""

    def __init__(self, seed, size, reuse, side, folders=(), share=0.):
        self.writer, self.rng = sheets.Writer(seed), random.Random(seed)
        self.size, self.reuse, self.side, self.sheets, self.owed = size, reuse, side, [], 0.0
        self.pages, self.share = labels.Pages(folders, self.writer.scan, random.Random(seed + 3)) if folders else None, share

    def draw(self):
        source = self.pages if self.pages and self.rng.random() < self.share else self.writer
        grey, lines, unsure = source.sheet()
        pad = [(-v) % detector.STRIDE for v in grey.shape]
        grey = np.pad(grey, ((0, pad[0]), (0, pad[1])), mode='edge')
        return grey, *detector.targets(grey.shape, lines, unsure)

    def crop(self):
        """A crop side x side and its targets, at a multiple of STRIDE; sometimes of other contrast."""
        r = self.rng
        grey, core, weight, high = r.choice(self.sheets)
        n, s = self.side // detector.STRIDE, detector.STRIDE
        y, x = (r.randint(0, v // s - n) if v // s > n else 0 for v in grey.shape)
        grey = grey[y * s:(y + n) * s, x * s:(x + n) * s]
        if r.random() < .3:
            level = np.linspace(0, 1, 256) ** r.uniform(.5, 1.9)
            low, high_end = r.uniform(0, .35), r.uniform(.65, 1)
            grey = cv2.LUT(grey, (255 * (low + (high_end - low) * level)).astype(np.uint8))
        a, b = detector.ROWS, detector.COLUMNS
        return grey, core[y * a:(y + n) * a, x * b:(x + n) * b], weight[y * a:(y + n) * a, x * b:(x + n) * b], high[y:y + n, x:x + n]

    def batch(self, count):
        """Tensors (input, core, weight, height) of `count` crops."""
        while len(self.sheets) < self.size:
            self.sheets.append(self.draw())
        self.owed += count / self.reuse
        while self.owed >= 1:
            self.sheets[self.rng.randrange(self.size)] = self.draw()
            self.owed -= 1
        grey, core, weight, high = zip(*[self.crop() for _ in range(count)])
        value = lambda v: torch.from_numpy(np.stack(v)).float()
        return 1 - value(grey)[:, None] / 255, value(core) / 255, value(weight), value(high)


def held_out(side):
    """Crops that are never trained on."""
    pool = Pool(HELD_SEED, HELD // 2, 10 ** 9, side)
    return pool.batch(HELD)


@torch.no_grad()
def figures(net, held):
    """Loss, recall and precision of the cores, error of the heights in octaves, on held-out crops."""
    x, core, weight, high = held
    out = torch.cat([net(x[i:i + 8]) for i in range(0, len(x), 8)])
    loss, _ = detector.losses(out, core, weight, high)
    found, wanted = (detector.core_map(out) > 0) & (weight > 0), (core > .5) & (weight > 0)
    both, known = (found & wanted).sum().item(), ~torch.isnan(high)
    return {'held.loss': loss.item(), 'recall': both / wanted.sum().item(), 'precision': both / max(1, found.sum().item()),
            'height': (out[:, detector.CORE][known] - high[known]).abs().mean().item()}


class Run:
    """One training run: network, average, optimizer and the files of its folder."""

    def __init__(self, args):
        self.args = args
        torch.manual_seed(args.seed)
        torch.set_num_threads(1)
        self.net = detector.load(args.init, args.net).train() if args.init else detector.build(args.net)
        self.net.to(memory_format=torch.channels_last)
        self.average, self.optimizer = train.Average(self.net, args.average), train.optimizer_of(self.net)
        self.held, self.pool = held_out(args.side), Pool(args.seed, args.pool, args.reuse, args.side, args.pages, args.share)
        self.start, self.steps = time.time(), 0
        os.makedirs(args.run, exist_ok=True)

    def step(self):
        done = min(1, (time.time() - self.start) / 60 / self.args.minutes)
        for group in self.optimizer.param_groups:
            group['lr'] = self.args.rate * min(1, (self.steps + 5) / 100) * (.5 * (1 + math.cos(math.pi * done)) + .003)
        x, core, weight, high = self.pool.batch(self.args.batch)
        with torch.autocast('cpu', dtype=torch.bfloat16, enabled=bool(self.args.bf16)):
            out = self.net(x.contiguous(memory_format=torch.channels_last))
        loss, error = detector.losses(out, core, weight, high)
        self.optimizer.zero_grad()
        (loss + .3 * error).backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 2.0)
        self.optimizer.step()
        self.steps += 1
        self.average.update(self.net)
        return loss.item(), done

    def checkpoint(self, loss):
        """Figures of the averaged weights to curve.csv, the weights to ckpt.pt."""
        net = detector.build(self.args.net)
        net.load_state_dict(self.average.state)
        row = dict(minutes=(time.time() - self.start) / 60, steps=self.steps, loss=loss, **figures(net.eval(), self.held))
        path = os.path.join(self.args.run, 'curve.csv')
        new = not os.path.exists(path)
        with open(path, 'a', newline='') as f:
            writer = csv.DictWriter(f, row.keys())
            if new:
                writer.writeheader()
            writer.writerow({k: round(v, 4) for k, v in row.items()})
        print({k: round(v, 4) for k, v in row.items()}, flush=True)
        model.save(self.average.state, path[:-9] + 'ckpt.tmp')
        os.replace(path[:-9] + 'ckpt.tmp', path[:-9] + 'ckpt.pt')

    def train(self):
        losses, saved, done = [], time.time(), 0
        self.net.train()
        while done < 1:
            loss, done = self.step()
            losses.append(loss)
            if time.time() - saved > 60 * self.args.every or done >= 1:
                self.checkpoint(sum(losses) / len(losses))
                losses, saved = [], time.time()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--run', required=True)
    parser.add_argument('--minutes', type=float, required=True)
    parser.add_argument('--init', help='start from these weights')
    parser.add_argument('--pages', nargs='+', default=[], metavar='FOLDER', help='labelled pages (labels.py)')
    parser.add_argument('--share', type=float, default=.3, help='of the sheets that are parts of those pages')
    parser.add_argument('--net', default='r48', choices=detector.NETS)
    parser.add_argument('--rate', type=float, default=3e-3)
    parser.add_argument('--batch', type=int, default=8)
    parser.add_argument('--side', type=int, default=256, help='px of a crop, a multiple of 8')
    parser.add_argument('--pool', type=int, default=64, help='sheets in memory')
    parser.add_argument('--reuse', type=int, default=20, help='crops of a sheet')
    parser.add_argument('--average', type=float, default=.995)
    parser.add_argument('--every', type=float, default=4, help='minutes between checkpoints')
    parser.add_argument('--bf16', type=int, default=int(train.has_bf16('cpu')))
    parser.add_argument('--seed', type=int, default=1)
    Run(parser.parse_args()).train()


if __name__ == '__main__':
    main()
