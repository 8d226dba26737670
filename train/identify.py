#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Trains what tells the language of a page by its text, and writes models/NAME.lang.platen.

    identify.py [--misread DIR] [--minutes M] [--rows N] [--width D] [--out FILE]

Pieces of words (`features`) each choose a row of one table; the mean of the rows goes through a linear layer, which
gives a score for each language (Joulin et al., arXiv:1607.01759). Besides the languages there are classes of what a
recognizer makes of a script that it does not read (misread.py), and one of codes and figures that are in no
language. platen-model(5) is the law of the file and of what is computed.
"""
import argparse
import glob
import os
import random
import re
import time
import unicodedata

import numpy as np
import torch

import language_file
import lm
import manuals
from language_file import is_letter, small

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
UNREAD = 'und'               # codes and figures; misread scripts are und-Cyrl and so on
MOST = 600_000               # characters of a language
ORDERS = 4
LONGEST = 40                 # characters of a word


def words(text):
    """The runs of letters and digits of a text, digits as '0'."""
    return [w for w in re.split('[\x01]+', ''.join('0' if '0' <= c <= '9' else c if is_letter(ord(c)) else '\x01'
                                                    for c in text)) if w]


def mix(h, symbol):
    h = (h + symbol + 1) * 0x9E3779B1 & 0xffffffff
    return h ^ h >> 15


def shape(word):
    """The kinds of a word's characters, equal neighbours once: digit, capital, small letter."""
    kinds = [1 if c == '0' else 2 if small(ord(c)) != ord(c) else 3 for c in word]
    return [k for i, k in enumerate(kinds) if not i or k != kinds[i - 1]]


def features(word, rows):
    """The rows of a word: of its pieces of one to four characters, its ends counting as blanks, and of its shape."""
    word = word[:LONGEST]
    symbols = [32] + [small(ord(c)) for c in word] + [32]
    found = []
    for start in range(len(symbols)):
        h = 0
        for order, symbol in enumerate(symbols[start:start + ORDERS], 1):
            h = mix(h, symbol)
            if order > 1 or symbol != 32:
                found.append(h + order)
    h = 0
    for kind in shape(word):
        h = mix(h, kind)
    found.append(h + ORDERS + 1)
    return [mix(f & 0xffffffff, 0) * rows >> 32 for f in found]


def corpus():
    """{language: (words of running text in order, listed words)}"""
    found = {}
    for language in manuals.SOURCES:
        text = ' '.join(manuals.paragraphs(language, MOST))
        if language == 'en':
            text += ' ' + ' '.join(line for line in lm.corpus(1, 20000))[:4 * MOST]
        listed = manuals.listed(language)
        found[language] = words(text), random.Random(9).sample(listed, min(len(listed), 40000))
    return found


def plain(c):
    return unicodedata.normalize('NFD', c)[0]


class Noise:
    """What a reader gets wrong: accents lost, characters taken for others of the language, dropped, capitals."""

    def __init__(self, text):
        self.letters = [c for w in text[:5000] for c in w] or list('abc')

    def word(self, r, word, rate, accents):
        out = [plain(c) if r.random() < accents else c for c in word]
        out = [r.choice(self.letters) if r.random() < rate else c for c in out if r.random() > rate / 3]
        return ''.join(out)

    def typed(self, r, text, machine=2000):
        """The text as typewriters write it that lack some accented letters, another machine every `machine` words."""
        accented, lost = sorted({c for c in self.letters if plain(c) != c and plain(c).isascii()}), {}
        for i, word in enumerate(text):
            if i % machine == 0:
                lost = {ord(c): plain(c) for c in r.sample(accented, r.randint(0, len(accented)))}
            yield word.translate(lost)


def codes(r, n):
    """Words of no language."""
    letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
    kinds = (lambda: '0' * r.randint(1, 8), lambda: ''.join(r.choice(letters) for _ in range(r.randint(1, 4))),
             lambda: ''.join(r.choice(letters + '000000') for _ in range(r.randint(3, 10))),
             lambda: ''.join(r.choice(letters.lower()) for _ in range(r.randint(1, 3))))
    return [r.choice(kinds)() for _ in range(n)]


class Text:
    """The rows of a text's words, one behind the other: of those from a to b they are rows[ends[a]:ends[b]]."""

    def __init__(self, cache, text):
        found = [cache(w) for w in text]
        self.words = len(text)
        self.rows = np.concatenate(found)
        self.ends = np.concatenate([[0], np.cumsum([len(f) for f in found])])

    def slice(self, r, n):
        at = r.randrange(max(1, self.words - n))
        return self.rows[self.ends[at]:self.ends[min(self.words, at + n)]]


class Snippets:
    def __init__(self, misread, rows):
        self.rows, self.cache, r = rows, {}, random.Random(3)
        texts = corpus()
        for path in sorted(glob.glob(os.path.join(misread, '*.txt'))) if misread else ():
            name = os.path.basename(path)[:-4]
            with open(path, encoding='utf-8') as f:
                found = words(f.read())
            if name in texts:                     # a language as its letters are misread
                texts[name] = texts[name][0] + found, texts[name][1]
            else:
                texts[f'{UNREAD}-{name}'] = found, []
        self.names = [*texts, UNREAD]
        self.codes = Text(self.rows_of, codes(r, 20000))
        self.held, self.kept = {UNREAD: self.codes}, {UNREAD: [(1, self.codes)]}
        for name, (text, listed) in texts.items():
            print(name, len(text), len(listed), flush=True)
            cut = len(text) // 20
            if cut > 100:
                self.held[name] = Text(self.rows_of, text[:cut])
            self.kept[name] = self.variants(r, text[cut:], [w for x in listed for w in words(x)],
                                            name.startswith(UNREAD))

    def variants(self, r, text, listed, misread):
        """[(how often, text)]: as it is, with errors, without accents, typed, in capitals, listed words alone."""
        if misread:
            return [(1, Text(self.rows_of, text))]
        found = [(.15 if len(text) > 2000 else 10, Text(self.rows_of, listed))] if listed else []
        text = text if len(text) > 2000 else listed
        noise = Noise(text)
        for share, rate, accents in ((.45, 0, 0), (.2, .03, 0), (.15, .06, .3)):
            noisy = [noise.word(r, w, rate, accents) for w in text] if rate else text
            found.append((share, Text(self.rows_of, [w for w in noisy if w])))
        found.append((.15, Text(self.rows_of, list(noise.typed(r, text)))))
        found.append((.08, Text(self.rows_of, [w.upper() for w in text[:20000]])))
        return found

    def rows_of(self, word):
        if word not in self.cache:
            self.cache[word] = np.array(features(word, self.rows), np.int64)
        return self.cache[word]

    def draw(self, r, name, held):
        """The rows of a few words or many, figures and codes among them."""
        n = int(2 ** r.uniform(1.5, 6.5))
        variants = self.kept[name]
        text = self.held[name] if held else r.choices([v for _, v in variants], [share for share, _ in variants])[0]
        bag = text.slice(r, n)
        more = r.random() < .3 and not name.startswith(UNREAD)
        return np.concatenate([bag, self.codes.slice(r, r.randint(1, max(1, n // 3)))]) if more else bag

    def batch(self, r, n, held=False):
        rows, offsets, weights, labels = [], [], [], []
        shares = [3 if name == 'en' else 1 for name in self.names]
        at = 0
        for name in r.choices(self.names, shares, k=n):
            if held and name not in self.held:
                continue
            bag = self.draw(r, name, held)
            offsets.append(at)
            at += len(bag)
            rows.append(bag)
            weights.append(np.full(len(bag), 1 / len(bag), np.float32))
            labels.append(self.names.index(name))
        return (torch.from_numpy(np.concatenate(rows)), torch.tensor(offsets),
                torch.from_numpy(np.concatenate(weights)), torch.tensor(labels))


class Model(torch.nn.Module):
    def __init__(self, rows, width, classes):
        super().__init__()
        self.table = torch.nn.EmbeddingBag(rows, width, mode='sum', sparse=True)
        torch.nn.init.normal_(self.table.weight, std=.1)
        self.out = torch.nn.Linear(width, classes)

    def forward(self, rows, offsets, weights):
        return self.out(self.table(rows, offsets, per_sample_weights=weights))


def measure(net, data):
    with torch.no_grad():
        right = torch.cat([net(*batch[:3]).argmax(1) == batch[3] for batch in data])
    return right.float().mean().item()


def train(args):
    r = random.Random(1)
    data = Snippets(args.misread, args.rows)
    held = [data.batch(random.Random(i), 500, True) for i in range(6)]
    net = Model(args.rows, args.width, len(data.names))
    sparse = torch.optim.Adagrad([net.table.weight], lr=args.rate)
    dense = torch.optim.Adam(net.out.parameters(), lr=1e-2)
    begin, step, budget, sums = time.process_time(), 0, args.minutes * 60, 0
    while time.process_time() - begin < budget:
        left = max(.02, 1 - (time.process_time() - begin) / budget)
        for group, rate in ((sparse, args.rate), (dense, 1e-2)):
            group.param_groups[0]['lr'] = rate * left
        rows, offsets, weights, labels = data.batch(r, 256)
        loss = torch.nn.functional.cross_entropy(net(rows, offsets, weights), labels)
        sparse.zero_grad()
        dense.zero_grad()
        loss.backward()
        sparse.step()
        dense.step()
        step, sums = step + 1, .98 * sums + .02 * loss.item()
        if step % 1000 == 0:
            print(f'step {step}, {1 - left:.0%}: loss {sums:.3f}, held out {measure(net, held):.4f}', flush=True)
    return net, data.names, held


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--misread', help='folder of SCRIPT.txt and LANGUAGE.txt, which misread.py makes')
    parser.add_argument('--minutes', type=float, default=5, help='of processor time')
    parser.add_argument('--rows', type=int, default=12288)
    parser.add_argument('--width', type=int, default=24)
    parser.add_argument('--rate', type=float, default=.5)
    parser.add_argument('--name', default='eng.lang')
    parser.add_argument('--version', default='1')
    parser.add_argument('--out', default=os.path.join(ROOT, 'models', 'eng.lang.platen'))
    return parser.parse_args()


def main():
    args = arguments()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    net, names, held = train(args)
    table = lm.packed_table(net)
    print(f'quantised: held out {measure(net, held):.4f}')
    meta = {'name': args.name, 'version': args.version, 'licence': 'BSD-2-Clause',
            'training': 'texts of Debian packages (train/identify.py)'}
    content = language_file.identifier(meta, names, table, net.out.weight.detach().numpy().T,
                                       net.out.bias.detach().numpy())
    lm.write(args.out, content)


if __name__ == '__main__':
    main()
