#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Trains a language model of characters and writes models/eng.lm.platen, or of another language models/TAG.lm.platen.

    lm.py [--language TAG] [--minutes M] [--rows N] [--width D] [--out FILE]

The next character of a line is guessed from what stands before it. Seven contexts (`hashes`) each
choose a row of one table; the rows are added up, and a linear layer makes the scores of the next
character. English is trained on the texts that the line generator draws from (text.py), cut into lines, other languages on
prose, manuals and lists of words (manuals.py); no real document. platen-model(5) is the law of the file and of what is computed.
"""
import argparse
import collections
import hashlib
import os
import random
import time

import numpy as np
import torch

import language_file
import languages
import manuals
import spoken
import text as texts
import words
from language_file import is_letter, small

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LETTERS = 'abcdefghijklmnopqrstuvwxyz'
# Symbol 0 ends words and lines; digits are all '0'; what is not here is the last symbol.
SYMBOLS = ' ' + LETTERS + LETTERS.upper() + '0' + '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~' + '\ufffd'
SAME = str.maketrans('123456789‘’“”–—', "000000000''\"\"--")
MOST_SYMBOLS = 256           # that a file may have
MOST = 5_000_000             # characters of running text of a language
PROSE = 3                    # times that it counts
LEAST_LINES = 10_000         # of frequent and of listed words, where there is little running text
RARE = 50                    # a letter that the text has less often has no symbol, nor a mark
CONTEXTS = 7
LONGEST_WORD = 15            # letters of a word that count for its context
PAD = 16                     # blanks before a line


class Alphabet:
    """The symbols of a model: their numbers, and which are letters."""

    def __init__(self, symbols):
        points = [ord(c) for c in symbols]
        self.symbols, numbers = symbols, {c: i for i, c in enumerate(points[:-1])}
        self.numbers = np.full(0x110000, len(symbols) - 1, np.uint8)
        for c, i in numbers.items():
            self.numbers[c] = i
        self.small = np.array([numbers.get(small(c), i) for i, c in enumerate(points)], np.uint8)
        self.letter = np.array([is_letter(c) for c in points[:-1]] + [False])

    def encode(self, string):
        """Symbols of a text (uint8)."""
        return self.numbers[np.frombuffer(string.translate(SAME).encode('utf-32-le'), '<u4')]


def mix(h, symbols):
    h = (h + symbols.astype(np.uint32) + np.uint32(1)) * np.uint32(0x9E3779B1)
    return h ^ (h >> np.uint32(15))


def hashes(alphabet, symbols, at, rows):
    """Rows (len(at), CONTEXTS) for guessing symbols[at]; symbols begin with PAD blanks."""
    folded, out = alphabet.small[symbols], []
    h = np.zeros(len(at), np.uint32)
    for order in range(1, 4):                                 # the last 1, 2, 3 characters
        h = mix(h, symbols[at - order])
        out.append(h + np.uint32(order))
    h = np.zeros(len(at), np.uint32)
    for order in range(1, 7):                                 # the last 4, 5, 6, case folded
        h = mix(h, folded[at - order])
        if order > 3:
            out.append(h + np.uint32(order))
    h, alive = np.zeros(len(at), np.uint32), np.ones(len(at), bool)
    for back in range(1, LONGEST_WORD + 1):                   # the word so far, case folded
        s = folded[at - back]
        alive &= alphabet.letter[s]
        h = np.where(alive, mix(h, s), h)
    out.append(h + np.uint32(7))
    final = [mix(o, np.zeros(1, np.uint32)) for o in out]
    return np.stack([(f.astype(np.uint64) * np.uint64(rows) >> np.uint64(32)).astype(np.int64)
                     for f in final], 1)


def cut(rng, prose, change):
    """Lines of 25 to 90 characters of running text, each changed."""
    at = 0
    while at < len(prose) - 100:
        end = prose.find(' ', at + rng.randint(25, 90))
        yield change(prose[at:end])
        at = end + 1


def corpus(seed, templates):
    """Lines of English running text in order, and template lines among them; a list of strings."""
    r = random.Random(seed)
    maker = texts.Lines(r)

    def talked(line):
        line = line.split(' ')
        if r.random() < .1:
            line.insert(r.randint(0, len(line)), r.choice(spoken.SPOKEN))
        return maker.recase(' '.join(line))

    lines = list(cut(r, maker.prose, talked))
    kinds = dict(labelled=12, values=8, item=4, receipt=12, shout=3, label=8, quoted=2, table=4, letter=8,
                 words=6)
    lines += [texts.squeeze(maker.line(kinds)) for _ in range(templates)]
    for words in (maker.words, maker.names):
        for start in range(0, len(words), 6):
            lines.append(' '.join(r.sample(words, 6)))
    r.shuffle(lines)
    return lines


def corpus_of(language, seed):
    """(lines of another language; its symbols). Prose counts PROSE times, and there are lines of frequent and of listed words, half
    as many of each kind as of running text, or LEAST_LINES: papers are no manuals."""
    r, frequent = random.Random(seed), manuals.Frequent(language)
    prose = ' '.join(manuals.paragraphs(language, MOST) + languages.prose(language) * (PROSE - 1))

    def recase(line):
        q = r.random()
        return languages.upper(line, language) if q < .12 else line.title() if q < .18 else line

    lines, words = list(cut(r, prose, recase)), manuals.listed(language)
    half = max(len(lines) // 2, LEAST_LINES)
    lines += [recase(' '.join(frequent.draw(r, 7))) for _ in range(half if frequent.words else 0)]
    lines += [recase(' '.join(r.choice(words) for _ in range(6))) for _ in range(min(half, len(words)))]
    r.shuffle(lines)
    count = collections.Counter(c for line in lines for c in line.translate(SAME) if not c.isascii())
    found = [c for c, n in count.most_common(MOST_SYMBOLS - len(SYMBOLS)) if n >= RARE and c.isprintable()]
    return lines, SYMBOLS[:-1] + ''.join(sorted(found)) + SYMBOLS[-1]


def stream(alphabet, lines):
    """Symbols of all lines, PAD blanks before each; positions to guess, the end of a line included."""
    pad = ' ' * PAD
    symbols = alphabet.encode(''.join(pad + line for line in lines) + pad)
    lengths = np.array([len(line) for line in lines])
    starts = np.cumsum(lengths + PAD) - lengths
    at = np.concatenate([np.arange(s, s + n) for s, n in zip(starts, lengths)])
    return symbols, at


class Model(torch.nn.Module):
    def __init__(self, rows, width, symbols):
        super().__init__()
        self.table = torch.nn.EmbeddingBag(rows, width, mode='sum', sparse=True)
        torch.nn.init.normal_(self.table.weight, std=.05)
        self.out = torch.nn.Linear(width, symbols)

    def forward(self, rows):
        return self.out(self.table(rows))


def bits(net, alphabet, symbols, at, rows):
    """Mean bits per character: all, and letters within words."""
    with torch.no_grad():
        loss = torch.cat([torch.nn.functional.cross_entropy(
            net(torch.from_numpy(hashes(alphabet, symbols, part, rows))),
            torch.from_numpy(symbols[part].astype(np.int64)), reduction='none')
            for part in np.array_split(at, max(1, len(at) // 8192))]).numpy() / np.log(2)
    return loss.mean(), loss[alphabet.letter[symbols[at]]].mean()


def train(args):
    lines, names = (corpus(1, args.templates), SYMBOLS) if args.language == 'en' else corpus_of(args.language, 1)
    alphabet = Alphabet(names)
    held, lines = lines[:2000], lines[2000:]
    held_symbols, held_at = stream(alphabet, held)
    symbols, at = stream(alphabet, lines)
    print(f'{len(lines)} lines, {len(at)} characters, {len(names)} symbols: {names[len(SYMBOLS) - 1:]}', flush=True)
    net = Model(args.rows, args.width, len(names))
    sparse = torch.optim.Adagrad([net.table.weight], lr=args.rate)
    dense = torch.optim.Adam(net.out.parameters(), lr=2e-3)
    rng, begin, step, wall = np.random.default_rng(1), time.process_time(), 0, time.time()
    budget = args.minutes * 60
    while time.process_time() - begin < budget:
        done = (time.process_time() - begin) / budget
        for group, rate in ((sparse, args.rate), (dense, 2e-3)):
            group.param_groups[0]['lr'] = rate * max(.02, 1 - done)
        part = at[rng.integers(0, len(at), 4096)]
        loss = torch.nn.functional.cross_entropy(net(torch.from_numpy(hashes(alphabet, symbols, part, args.rows))),
                                                 torch.from_numpy(symbols[part].astype(np.int64)))
        sparse.zero_grad()
        dense.zero_grad()
        loss.backward()
        sparse.step()
        dense.step()
        step += 1
        if step % 500 == 0:
            a, b = bits(net, alphabet, held_symbols, held_at[:40000], args.rows)
            print(f'step {step} ({done:.0%}, {time.time() - wall:.0f} s): {loss.item() / np.log(2):.3f} bits, '
                  f'held out {a:.3f}, letters {b:.3f}', flush=True)
    return net, (alphabet, held_symbols, held_at)


def quantise(table):
    """Row-wise u8: value = q * scale + offset."""
    low, high = table.min(1), table.max(1)
    scale = np.maximum((high - low) / 255, 1e-9).astype(np.float32)
    q = np.clip(np.rint((table - low[:, None]) / scale[:, None]), 0, 255).astype(np.uint8)
    return q, scale, low.astype(np.float32)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--language', default='en', choices=list(manuals.SOURCES))
    parser.add_argument('--minutes', type=float, default=15, help='of processor time')
    parser.add_argument('--rows', type=int, help='of the table (default: 32768 of English, 16384 of others, 8192 of those in manuals.BRIEF)')
    parser.add_argument('--width', type=int, help='of a row (default: 32 of English, 16 of others)')
    parser.add_argument('--rate', type=float, default=.15)
    parser.add_argument('--templates', type=int, default=60000, help='template lines of English')
    parser.add_argument('--version', default='1')
    parser.add_argument('--out')
    args = parser.parse_args()
    args.rows = args.rows or (32768 if args.language == 'en' else 8192 if args.language in manuals.BRIEF else 16384)
    args.width = args.width or (32 if args.language == 'en' else 16)
    args.name = 'eng.lm' if args.language == 'en' else args.language + '.lm'
    args.out = args.out or os.path.join(ROOT, 'models', args.name + '.platen')
    return args


def packed_table(net):
    """The table of a network as files have it: rows of bytes, each with its scale and offset behind it. The
    network computes with these from now on."""
    q, scale, offset = quantise(net.table.weight.detach().numpy())
    net.table.weight.data = torch.from_numpy(q * scale[:, None] + offset[:, None])
    return np.concatenate([q, scale[:, None].view(np.uint8), offset[:, None].view(np.uint8)], 1).tobytes()


def write(path, content):
    with open(path, 'wb') as f:
        f.write(content)
    print(f'{path}: {len(content)} bytes, sha256 {hashlib.sha256(content).hexdigest()}')


def main():
    args = arguments()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    net, (alphabet, symbols, at) = train(args)
    table = packed_table(net)
    print('quantised: %.3f bits, letters %.3f' % bits(net, alphabet, symbols, at, args.rows))
    meta = {'name': args.name, 'version': args.version, 'language': args.language, 'licence': 'BSD-2-Clause',
            'training': 'texts and lists of words of Debian packages (train/lm.py)'}
    meta |= words.meta_of(args.language)
    known = words.fitting(words.words_of(args.language), args.language)[0]
    content = language_file.language(meta, alphabet.symbols, table, net.out.weight.detach().numpy().T,
                                     net.out.bias.detach().numpy(), known)
    write(args.out, content)


if __name__ == '__main__':
    main()
