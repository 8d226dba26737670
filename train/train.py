#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Train the line recognizer on a stream of synthetic lines (see README.md).

    spool.py --cut build/train/cut --real .2 SPOOL &
    train.py --spool SPOOL --run RUN --minutes 120 [--init WEIGHTS [--teacher WEIGHTS]] [--resume]

Shards are taken from SPOOL (and deleted there) as they appear; a window of them stays in
memory, so that lines are seen again when the generator is the slower one. RUN receives
curve.csv, evaluations.csv, ckpt.pt (fp16 moving average of the weights) with ckpt.json, and
state.pt for --resume. The learning rate follows a cosine of the wall clock.
"""
import argparse
import csv
import functools
import glob
import json
import math
import os
import random
import signal
import time

import cv2
import numpy as np
os.environ.setdefault('ONEDNN_PRIMITIVE_CACHE_CAPACITY', '20000')     # before torch starts
import torch
from torch.nn import functional as F

import evaluate
import fonts
import line
import model
from text import ALIKE, CHARSET, CHARSETS

INDEX = {c: i + 1 for i, c in enumerate(CHARSET)}
POOL = 3000                 # lines put into buckets of width together
BUCKET = 32                 # widths of batches are multiples of this
WINDOW = 60                 # shards kept in memory
HELD = 500                  # lines of the held-out shard that are measured on
LEGIBLE = .8, 2.            # loss per character: see ctc(); only from trained weights on
WIDEST = 672                # wider lines are left out: oneDNN 2.7 gives wrong bf16 gradients above 700, and takes six times as
                            # long per column in 32-bit floats


def read_shard(path):
    """[(uint8 grey (32, W), text)] of a file written by generate.write_shard."""
    with np.load(path) as z:
        widths, columns, texts = z['widths'], z['columns'], str(z['texts']).split('\n')
    ends = np.cumsum(widths.astype(np.int64)) * line.HEIGHT
    return [(columns[e - w * line.HEIGHT:e].reshape(w, line.HEIGHT).T, t)
            for e, w, t in zip(ends, widths, texts)]


class Stream:
    """Lines from a spool folder: new ones first, then again those of the window."""

    def __init__(self, folder, rng, keep=False):
        self.folder, self.rng, self.keep, self.read = folder, rng, keep, set()
        self.shards, self.fresh, self.repeated = [], [], 0

    def refill(self, wanted):
        """Read shards until `wanted` new lines are there or the spool is empty."""
        for path in sorted(set(glob.glob(os.path.join(self.folder, 'shard-*.npz'))) - self.read):
            if len(self.fresh) >= wanted:
                return
            shard = read_shard(path)
            if self.keep:
                self.read.add(path)
            else:
                os.unlink(path)
            self.shards = self.shards[1 - WINDOW:] + [shard]
            self.fresh += shard

    def take(self, count):
        """`count` pairs (strip, text); waits for the first shard only."""
        self.refill(count)
        while not self.shards:
            time.sleep(2)
            self.refill(count)
        taken, self.fresh = self.fresh[:count], self.fresh[count:]
        while len(taken) < count:
            taken.append(self.rng.choice(self.rng.choice(self.shards)))
            self.repeated += 1
        return taken


def jitter(grey, text, rng, spread=.05):
    """A strip of slightly other width; sometimes other contrast or a row higher or lower."""
    width = int(grey.shape[1] * math.exp(rng.gauss(0, spread)))
    width = max(width, line.frames_needed(text) * line.STRIDE, 8)
    if rng.random() < .6:
        grey = cv2.resize(grey, (width, line.HEIGHT), interpolation=cv2.INTER_LINEAR)
    if rng.random() < .1:
        grey = cv2.LUT(grey, (255 * np.linspace(0, 1, 256) ** rng.uniform(.6, 1.6)).astype(np.uint8))
    return grey


def batches(stream, columns, rng, widest):
    """Endless batches (float32 (N, 1, 32, W), texts) of about `columns` columns in all.

    W is a multiple of BUCKET and N follows from it: few shapes, because oneDNN compiles its
    kernels for each, and a varying amount of blank padding on the right. Strips wider than
    widest() are left out.
    """
    waiting = {}
    while True:
        groups = []
        for grey, text in stream.take(POOL):
            strip = line.quantise(jitter(grey, text, rng))
            width = -(-line.padded_width(strip.shape[1]) // BUCKET) * BUCKET
            if width > widest():
                continue
            group = waiting.setdefault(width, [])
            group.append((strip, text))
            if len(group) == max(1, columns // width):
                groups.append((width, waiting.pop(width)))
        rng.shuffle(groups)
        for width, group in groups:
            yield line.batch([s for s, _ in group], width), [t for _, t in group]


def ctc(logits, texts, legible=None, fresh=frozenset()):
    """CTC loss per character of logits (T, N, C). With legible = (low, high), lines that are read so badly that
    nobody could read them count less: fully up to a loss of `low` per character, from `high` on not at all. Lines with
    a `fresh` character, which the network cannot know yet, count fully."""
    lengths = torch.tensor([len(t) for t in texts])
    targets = torch.tensor([INDEX[c] for t in texts for c in t])
    frames = torch.full((len(texts),), logits.shape[0], dtype=torch.long)
    losses = F.ctc_loss(logits.float().log_softmax(2), targets, frames, lengths,
                        reduction='none', zero_infinity=True)
    if legible:
        low, high = legible
        weights = ((high - losses.detach() / lengths) / (high - low)).clamp(0, 1)
        weights[[i for i, text in enumerate(texts) if not fresh.isdisjoint(text)]] = 1
        losses = losses * weights
    return losses.sum() / lengths.sum()


def taught(logits, lessons, texts):
    """How far the posteriors of logits are from those of a teacher's logits, both (T, N, C): the Kullback-Leibler divergence, a
    mean over the frames (Hinton and others, Distilling the knowledge in a neural network, 2015). Lines that the teacher
    does not read as their texts count nothing, so that it keeps what it can and hinders nothing new."""
    right = torch.tensor([read == text for read, text in zip(evaluate.greedy(lessons), texts)], device=logits.device)
    apart = F.kl_div(logits.float().log_softmax(2), lessons.float().log_softmax(2), log_target=True, reduction='none').sum(2)
    return (apart * right).mean()


@torch.no_grad()
def held_loss(net, pairs, group=20):
    """CTC loss per character of (grey, text) pairs, those of like width run together."""
    pairs, total = sorted(pairs, key=lambda pair: pair[0].shape[1]), 0.0
    for at in range(0, len(pairs), group):
        greys, texts = zip(*pairs[at:at + group])
        loss = ctc(net(torch.from_numpy(line.batch([line.quantise(grey) for grey in greys]))), texts)
        total += float(loss) * sum(map(len, texts))
    return total / sum(len(text) for _, text in pairs)


def centres(strip, text):
    """A guess of the frame under the middle of each character of a padded strip (32, W).

    The advance widths of an ordinary face are spread over the extent of the ink.
    """
    ink = np.flatnonzero((strip > .5).any(0))
    if len(ink) == 0:
        return []
    ends = np.cumsum([0] + [advance_width(c) for c in text])
    middles = (ends[1:] + ends[:-1]) / 2 / ends[-1]
    return ((ink[0] + (ink[-1] - ink[0]) * middles) / line.STRIDE).astype(int).tolist()


@functools.lru_cache(None)
def advance_width(character):
    """Width of a character in an ordinary face."""
    face = next(f for f in fonts.faces() if f.path.endswith('/LiberationSerif-Regular.ttf'))
    return face.font(36).getlength(character)


class WarmStart:
    """The first minutes from random weights, which CTC alone would spend on "all is blank".

    On narrow lines each character is asked for at its guessed frame, and the blank elsewhere
    (cross-entropy); once that is roughly learned, its weight falls to zero and CTC takes over.
    """

    LEARNED, STEPS = 2.3, 300        # cross-entropy that is good enough; steps of the change-over

    def __init__(self, needed):
        self.weight, self.running = (1.0, 9.0) if needed else (0.0, 0.0)

    def widest(self):
        """Widest strip to train on at present."""
        return 192 if self.weight == 1 else 352 if self.weight > 0 else WIDEST

    def loss(self, ctc_loss, logits, strips, texts):
        """The loss of a batch: logits (T, N, C), strips (N, 1, 32, W)."""
        if self.weight == 0:
            return ctc_loss
        at = [(t, n, INDEX[c]) for n, (strip, text) in enumerate(zip(strips, texts))
              for t, c in zip(centres(strip[0], text), text)]
        frame, number, wanted = torch.tensor(at, device=logits.device).T
        scores = logits.float().log_softmax(2)
        spoken = -scores[frame, number, wanted].mean()
        self.advance(spoken.item())
        silent = torch.ones(scores.shape[:2], dtype=torch.bool, device=logits.device)
        silent[frame, number] = False
        silent[1:] &= silent[:-1].clone()          # the frame after a centre may go either way
        if self.weight == 1:
            return spoken - .25 * scores[..., 0][silent].mean() + .01 * ctc_loss
        return (1 - .7 * self.weight) * ctc_loss + .7 * self.weight * spoken

    def advance(self, loss):
        self.running = .95 * self.running + .05 * loss
        if self.weight < 1 or self.running < self.LEARNED:
            self.weight = max(0.0, self.weight - 1 / self.STEPS)


class Average:
    """Exponential moving average of a network's state, quick at first."""

    def __init__(self, net, decay):
        self.decay, self.steps = decay, 0
        self.state = {k: v.detach().clone() for k, v in net.state_dict().items()}

    @torch.no_grad()
    def update(self, net):
        self.steps += 1
        keep = min(self.decay, (1 + self.steps) / (10 + self.steps))
        for k, v in net.state_dict().items():
            if v.is_floating_point():
                self.state[k].lerp_(v, 1 - keep)
            else:
                self.state[k].copy_(v)


def optimizer_of(net):
    """AdamW, weight decay on matrices only."""
    matrices = [p for p in net.parameters() if p.dim() > 1]
    vectors = [p for p in net.parameters() if p.dim() <= 1]
    return torch.optim.AdamW([dict(params=matrices, weight_decay=.01),
                              dict(params=vectors, weight_decay=0)], lr=0, betas=(.9, .98))


def begin(args):
    """(the network that a run begins with, the characters that it cannot know yet)."""
    if not args.init:
        return model.build(args.net), frozenset()
    if args.recast:
        return model.recast(args.init, args.net, CHARSETS['latin'], ALIKE), frozenset(CHARSET) - frozenset(CHARSETS['latin'])
    net, known = model.grow(args.init, args.net), args.known or model.characters(args.init)
    if args.known:
        model.sound(net, known)
    return net, frozenset(CHARSET[known:])


class Run:
    """One training run: network, average, optimizer, counters and the files of its folder."""

    def __init__(self, args):
        self.args, self.rng, self.stopped = args, random.Random(args.seed), False
        torch.manual_seed(args.seed)
        self.device = torch.device(args.device)
        self.net, self.fresh = begin(args)
        self.net.to(self.device, memory_format=torch.channels_last)
        self.teacher = model.load(args.teacher, args.teacher_net).to(self.device) if args.teacher else None
        self.average = Average(self.net, args.average)
        self.optimizer = optimizer_of(self.net)
        self.count = dict(steps=0, lines=0, minutes=0.0, cpu_minutes=0.0)
        os.makedirs(args.run, exist_ok=True)
        if args.resume:
            self.restore()
        self.warm = WarmStart(needed=not args.init and self.count['steps'] == 0)
        self.stream = Stream(args.spool, self.rng, args.keep)
        self.held = read_shard(args.held)[:HELD] if args.held else []
        self.start = time.time() - 60 * self.count['minutes']
        self.cpu_start = time.process_time() - 60 * self.count['cpu_minutes']

    def file(self, name):
        return os.path.join(self.args.run, name)

    def restore(self):
        saved = torch.load(self.file('state.pt'), map_location=self.device)
        self.net.load_state_dict(saved['net'])
        self.optimizer.load_state_dict(saved['optimizer'])
        self.average.state, self.average.steps = saved['average'], saved['average_steps']
        self.count = saved['count']
        self.rng.seed(self.args.seed + self.count['steps'])

    def done(self):
        """Share of the run that is over: of its minutes, or of its lines where they are counted."""
        if self.args.lines:
            return min(1, self.count['lines'] / self.args.lines)
        return min(1, self.count['minutes'] / self.args.minutes)

    def rate(self):
        """Learning rate now: a short warm-up, then a cosine."""
        done = self.done()
        return self.args.rate * min(1, (self.count['steps'] + 10) / 200) * \
            (.5 * (1 + math.cos(math.pi * done)) + .003)

    def step(self, strips, texts):
        """One optimizer step; returns the loss."""
        for group in self.optimizer.param_groups:
            group['lr'] = self.rate()
        x = torch.from_numpy(strips).to(self.device).contiguous(memory_format=torch.channels_last)
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=bool(self.args.bf16)):
            logits = self.net(x)
        loss = self.warm.loss(ctc(logits, texts, LEGIBLE if self.args.init else None, self.fresh), logits, strips, texts)
        if self.teacher:
            with torch.no_grad():
                lessons = self.teacher(x)
            loss = loss + self.args.lesson * taught(logits, lessons, texts)
        (loss / self.args.accumulate).backward()
        self.count['steps'] += 1
        if self.count['steps'] % self.args.accumulate == 0:
            self.update()
        self.count['lines'] += len(texts)
        self.count['minutes'] = (time.time() - self.start) / 60
        self.count['cpu_minutes'] = (time.process_time() - self.cpu_start) / 60
        return loss.item()

    def update(self):
        """Move the weights by the gradients gathered since the last time."""
        norm = torch.nn.utils.clip_grad_norm_(self.net.parameters(), 2.0)
        if torch.isfinite(norm):
            self.optimizer.step()
            self.average.update(self.net)
        self.optimizer.zero_grad()

    def log(self, name, row):
        """Append a dict to a CSV file of the run."""
        new = not os.path.exists(self.file(name))
        with open(self.file(name), 'a', newline='') as f:
            writer = csv.DictWriter(f, row.keys())
            if new:
                writer.writeheader()
            writer.writerow({k: round(v, 5) if isinstance(v, float) else v for k, v in row.items()})

    def checkpoint(self):
        """Write ckpt.pt, ckpt.json and state.pt, each by rename."""
        figures = dict(self.count, net=self.args.net, **self.evaluate())
        model.save(self.average.state, self.file('ckpt.tmp'))
        os.replace(self.file('ckpt.tmp'), self.file('ckpt.pt'))
        with open(self.file('json.tmp'), 'w') as f:
            json.dump(figures, f, indent=1)
        os.replace(self.file('json.tmp'), self.file('ckpt.json'))
        torch.save(dict(net=self.net.state_dict(), average=self.average.state,
                        average_steps=self.average.steps, count=self.count,
                        optimizer=self.optimizer.state_dict()), self.file('state.tmp'))
        os.replace(self.file('state.tmp'), self.file('state.pt'))

    def evaluate(self):
        """Figures of the averaged weights: loss on held-out lines, rates on the real sets, where there are any."""
        net = model.build(self.args.net)
        net.load_state_dict({k: v.cpu() for k, v in self.average.state.items()})
        net.eval()
        figures = {'held.loss': held_loss(net, self.held)} if self.held else {}
        if os.path.isdir(self.args.data):
            results = evaluate.evaluate(evaluate.reader(net), self.args.data)
            figures.update({f'{s}.{m}': results[s][0][m] for s in results for m in evaluate.SETS[s] + ('line_ci',)})
        self.log('evaluations.csv', dict(self.count, **figures))
        print('eval', dict(lines=self.count['lines']), {k: round(100 * v, 2) for k, v in figures.items()}, flush=True)
        return figures

    def stop(self, *_):
        self.stopped = True

    def train(self):
        """Train until the minutes are used up, or SIGTERM comes."""
        losses, logged, saved = [], time.time(), time.time()
        signal.signal(signal.SIGTERM, self.stop)
        self.net.train()
        for strips, texts in batches(self.stream, self.args.columns, self.rng, self.warm.widest):
            losses.append(self.step(strips, texts))
            if time.time() - logged > 30:
                logged = time.time()
                self.log('curve.csv', dict(self.count, rate=self.rate(), repeated=self.stream.repeated,
                                           loss=sum(losses) / len(losses)))
                losses = []
            if time.time() - saved > 60 * self.args.every:
                self.checkpoint()
                saved = time.time()
            if self.done() >= 1 or self.stopped:
                break
        self.checkpoint()


def has_bf16(device, about='/proc/cpuinfo'):
    """Whether the device computes in bf16 itself. Where that is emulated, training takes many times as long."""
    if device != 'cpu':
        return True
    try:
        with open(about, encoding='utf-8') as f:
            flags = f.read().split()
    except OSError:
        return False
    return 'avx512_bf16' in flags or 'amx_bf16' in flags


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--spool', required=True, help='folder that spool.py fills')
    parser.add_argument('--keep', action='store_true', help='leave the shards in the spool')
    parser.add_argument('--held', help='a shard to measure the loss on')
    parser.add_argument('--run', required=True, help='folder of the results')
    parser.add_argument('--minutes', type=float, default=60, help='wall minutes in all, resumed ones included')
    parser.add_argument('--lines', type=int, help='lines in all, instead of minutes')
    parser.add_argument('--net', default=model.NET, choices=model.NETS)
    parser.add_argument('--init', help='start from these weights')
    parser.add_argument('--known', type=int, metavar='N', help='how many characters those read well, if not all they have')
    parser.add_argument('--recast', action='store_true', help='those weights are of the alphabet latin, the run is of another')
    parser.add_argument('--teacher', help='weights whose posteriors count beside the text, on lines that they read right')
    parser.add_argument('--teacher-net', default=model.NET, choices=model.NETS)
    parser.add_argument('--lesson', type=float, default=1, help='what a frame of the teacher counts beside a character of the text')
    parser.add_argument('--resume', action='store_true', help='go on from state.pt of the run')
    parser.add_argument('--rate', type=float, default=1.5e-3, help='peak learning rate')
    parser.add_argument('--columns', type=int, default=12800, help='columns of a batch')
    parser.add_argument('--accumulate', type=int, default=1, help='batches whose gradients are summed to one step')
    parser.add_argument('--average', type=float, default=.999, help='decay of the weight average')
    parser.add_argument('--every', type=float, default=5, help='minutes between checkpoints')
    parser.add_argument('--device', default='cuda' if torch.cuda.is_available() else 'cpu')
    parser.add_argument('--bf16', type=int, help='mixed precision (0: none); by default where the device has it')
    parser.add_argument('--threads', type=int, default=1)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--data', default=evaluate.DATA, help='evaluation data')
    args = parser.parse_args()
    args.bf16 = has_bf16(args.device) if args.bf16 is None else args.bf16
    return args


if __name__ == '__main__':
    arguments_ = arguments()
    torch.set_num_threads(arguments_.threads)
    Run(arguments_).train()
