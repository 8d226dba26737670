#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes synthetic lines for train.py, or a picture of some to look at.

    spool.py [OPTION]... DIR                   shards, for ever
    spool.py [OPTION]... --sheet FILE.png      a contact sheet

With --cut, which cut.c becomes, a share of the drawn lines is cut by platen itself from whole pages (pages.py), and with --orders a
share of all from born-digital ones (orders.py). With --real, a
share of all lines is real (real.py); --platen names the program that tells where
those may be cut and which blanks of edited texts were typed. With --towards foreign, most running text is of other languages
than English, and so are all real lines; with --towards english and science the reverse; with --towards rare, words of
languages with letters that no other has come often, and real lines are English.
"""
import argparse
import glob
import os
import random
import time

import cv2
import numpy as np

import generate
import line
import orders
import pages
import real

PAGE_SHARE = .3              # of the drawn lines, where there is a program that cuts them


class Source:
    """Drawn lines of a seed, and among them by their shares real ones of a real.Maker and those of orders.drawn."""

    def __init__(self, seed, styles, cut=None, maker=None, share=0, found=None, orders_share=0):
        self.generator = generate.Generator(seed, styles)
        self.pages = pages.Maker(self.generator, cut) if cut else None
        self.maker, self.share = maker, share
        self.orders, self.orders_share = orders.Maker(self.generator, cut, found) if found else None, orders_share

    def take(self):
        """(uint8 grey (32, W), text), or None where a line cannot be used."""
        if self.maker and self.maker.rng.random() < self.share:
            return self.maker.take()
        if self.orders and self.generator.rng.random() < self.orders_share / (1 - self.share):
            return self.orders.take()
        if self.pages and self.generator.rng.random() < PAGE_SHARE:
            return self.pages.take()
        return self.generator.one()

    def lines(self, count):
        """`count` pairs (uint8 grey (32, W), text)."""
        while count:
            made = self.take()
            if made is not None:
                yield made
                count -= 1


def write_shard(path, pairs):
    """Write lines for train.read_shard, by rename."""
    pairs = list(pairs)
    temporary = path + '.tmp'
    with open(temporary, 'wb') as f:
        np.savez(f, widths=np.array([g.shape[1] for g, _ in pairs], np.int32),
                 columns=np.concatenate([g.T.reshape(-1) for g, _ in pairs]),
                 texts=np.array('\n'.join(t for _, t in pairs)))
    os.replace(temporary, path)


def fill(spool, seed, ahead, source, size=2000):
    """Write shard after shard, of source(seed), but stay at most `ahead` shards before the reader."""
    os.makedirs(spool, exist_ok=True)
    while True:
        while len(glob.glob(os.path.join(spool, 'shard-*.npz'))) >= ahead:
            time.sleep(5)
        start = time.process_time()
        write_shard(os.path.join(spool, f'shard-{seed:06d}.npz'), source(seed).lines(size))
        print(f'shard {seed}: {size / (time.process_time() - start):.0f} lines per CPU second', flush=True)
        seed += 1


def sheet(path, pairs, rows=40, width=700):
    """A contact sheet of two columns of strips; the texts go to standard output."""
    picture = np.full((36 * rows, 2 * width), 128, np.uint8)
    for k, (grey, text) in enumerate(pairs):
        y, x = k // 2 * 36, k % 2 * width
        picture[y:y + line.HEIGHT, x:x + grey.shape[1]] = grey[:, :width]
        print(k, text)
    cv2.imwrite(path, picture)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder', nargs='?')
    parser.add_argument('--sheet')
    parser.add_argument('--cut', help='the program that cut.c becomes')
    parser.add_argument('--real', type=float, default=0, metavar='SHARE', help='share of real lines')
    parser.add_argument('--seed', type=int, default=1000)
    parser.add_argument('--ahead', type=int, default=40, help='shards kept waiting in the folder')
    parser.add_argument('--platen', metavar='PROGRAM', help='reads the real lines')
    parser.add_argument('--orders', type=float, default=0, metavar='SHARE', help='share of lines of born-digital pages')
    parser.add_argument('--towards', choices=generate.TOWARDS, help='what the network will read')
    args = parser.parse_args()
    if args.orders and not args.cut:
        parser.error('--orders needs --cut')
    styles = [generate.towards(s, args.towards) if args.towards else s for s in generate.STYLES.values()]
    maker = real.Maker(real.FOLDER, random.Random(args.seed + 3), generate.WIDEST, args.platen, args.towards) if args.real else None
    found = orders.drawn(orders.ARCHIVE) if args.orders else None
    source = lambda seed: Source(seed, styles, args.cut, maker, args.real, found, args.orders)
    if args.sheet:
        sheet(args.sheet, source(args.seed).lines(80))
    if args.folder:
        fill(args.folder, args.seed, args.ahead, source)


if __name__ == '__main__':
    main()
