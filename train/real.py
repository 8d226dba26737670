# SPDX-License-Identifier: BSD-2-Clause
"""Real lines with checked text: packs of line crops that may train shipped weights.

A pack is NAME.tar.gz with the pictures and NAME.tsv with their texts (columns file, text, lang, document, kind, width,
height, cer_platen). Which packs there are, how often their lines are drawn and which lines are left out is said in
PACKS; packs that stand there alone are read, since the holders of others limit what may be done with them (README.md).
Where there is no folder of packs, training goes on with drawn lines alone.
"""
import bisect
import collections
import csv
import difflib
import functools
import itertools
import json
import os
import re
import subprocess
import tarfile
import tempfile

import cv2
import numpy as np

import line
import words as lists
from text import CHARSET, squeeze

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = os.path.join(os.environ.get('PLATEN_DATA', os.path.join(ROOT, '..', 'shared', 'data')), 'train', 'lines')

# share: how often a line is drawn beside those of other packs; most: the error rate of an earlier version from which on a
# transcript is not believed; edited: the text is an edition with blanks after marks where the typist left none; accents: the
# language whose accents of today the lines must have: of books that write `habia` a network learns to read `había` so, too.
Pack = collections.namedtuple('Pack', 'share most edited accents', defaults=[None])
PACKS = {'ehri': Pack(1, .2, True), 'art': Pack(1, .35, False), 'fes': Pack(3, .35, False, 'es'), 'fit': Pack(1, .35, False),
         'ajax': Pack(.5, .25, False), 'books': Pack(.6, .2, False)}
MARKS = '.,:;!?)/-'
# Documents of the evaluation sets: none of them is in a pack, and one that comes in by mistake is refused.
KEPT = ('DR-19400712-US', 'BF-19380509b_EN', 'WL1375B310', 'BF-19380111_DE', 'JMP020', 'BF-19380314-CZ', 'JMP001', 'JMP008',
        'DR-19410127-DK', 'DR-19431111-DK', 'BF-19380423_SK', 'BF-19380420_SK', '1884_Lausanne', '1880_Bern', '1886_Zuerich',
        '1887_Winterthur', 'galdos', 'pardo_bazan', 'Come_mi_accadde')

Line = collections.namedtuple('Line', 'picture text language cuts')       # picture: the bytes of the file; cuts: see cuts_of


def rows_of(path, most):
    """{file: (text, language)} of the lines of a table that may be trained on."""
    known, found = set(CHARSET), {}
    with open(path, encoding='utf-8', newline='') as f:
        for row in csv.DictReader(f, delimiter='\t', quoting=csv.QUOTE_NONE):
            kept = [name for name in KEPT if name.lower() in row['document'].lower()]
            if kept:
                raise ValueError(f'{path}: {row["document"]} belongs to the evaluation sets')
            text = squeeze(row['text'])
            if text and set(text) <= known and float(row['cer_platen']) <= most:
                found[row['file']] = text, row['lang']
    return found


@functools.lru_cache(None)
def accented(language):
    """Words without an accent that a language writes with one today, and only so: `habia`, not `esta`."""
    known = set(lists.words_of(language))
    return {lists.bare(word) for word in known} - known


def has_accents(text, language):
    """Whether all words of a text have the accents of today."""
    return accented(language).isdisjoint(re.findall(r'[^\W\d_]+', text.lower()))


def read(folder, name):
    """The lines of a pack of PACKS, in the order of its archive."""
    pack, found = PACKS[name], []
    rows = rows_of(os.path.join(folder, name + '.tsv'), pack.most)
    if pack.accents:
        rows = {file: row for file, row in rows.items() if has_accents(row[0], pack.accents)}
    with tarfile.open(os.path.join(folder, name + '.tar.gz')) as archive:
        for member in archive:
            if member.isfile() and os.path.basename(member.name) in rows:
                found.append(Line(archive.extractfile(member).read(), *rows[os.path.basename(member.name)], []))
    return found


def same_places(a, b):
    """Pairs of places at which two texts have the same character, in runs."""
    for run in difflib.SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks():
        yield from zip(range(run.a, run.a + run.size), range(run.b, run.b + run.size))


def ends_of(words):
    """How many characters that are no blank stand before the end of each word."""
    return list(itertools.accumulate(len(word.replace(' ', '')) for word in words))


def seen_in(words, text):
    """A test whether the words of a reading agree with the text on both sides of its n-th character that is no blank:
    the number of characters before that place in the reading, or None."""
    same = dict(same_places(text.replace(' ', ''), ''.join(words).replace(' ', '')))
    return lambda n: same[n] if n in same and same.get(n - 1) == same[n] - 1 else None


def spaced_as(words, text):
    """The text without the blanks after marks that a reading, given as its words, does not have, where both agree on the
    characters on either side."""
    place, gaps, out, at = seen_in(words, text), set(ends_of(words)), '', 0
    for character, before in zip(text, ' ' + text):
        if character == ' ' and before in MARKS and place(at) not in gaps | {None}:
            continue
        out += character
        at += character != ' '
    return out


def cuts_of(words, boxes, text):
    """[(x, characters of the text before it)] of the blanks at which a line may be cut: those that the text has and a
    reading of it, given as words and their boxes, where both agree on the characters on either side."""
    place, found, at = seen_in(words, text), [], 0
    gaps = {end: (a[2] + b[0]) // 2 for end, a, b in zip(ends_of(words), boxes, boxes[1:]) if a[2] <= b[0]}
    for number, character in enumerate(text):
        if character == ' ' and place(at) in gaps:
            found.append((gaps[place(at)], number + 1))
        at += character != ' '
    return found


def readings(program, pictures):
    """[(words, their boxes)] of what the program platen reads of pictures of lines, without its language model."""
    with tempfile.TemporaryDirectory() as folder:
        for number, picture in enumerate(pictures):
            with open(os.path.join(folder, f'{number}.webp'), 'wb') as f:
                f.write(picture)
        done = subprocess.run([program, '-q', '-j1', '-p', '@line', '--lm', 'off', '-f', 'ndjson', folder],
                              stdout=subprocess.PIPE, check=False)
    found = [([], [])] * len(pictures)
    for page in map(json.loads, done.stdout.decode().splitlines()):
        words = [word for block in page.get('blocks', []) for one in block['lines'] for word in one['words']]
        number = int(os.path.splitext(os.path.basename(page['path']))[0])
        found[number] = [word['text'] for word in words], [word['box'] for word in words]
    return found


def read_by(program, lines, edited):
    """The lines with the places where they may be cut and, of an edited pack, the blanks that platen sees."""
    found = []
    for one, (words, boxes) in zip(lines, readings(program, [one.picture for one in lines])):
        one = one._replace(text=spaced_as(words, one.text)) if edited else one
        found.append(one._replace(cuts=cuts_of(words, boxes, one.text)))
    return found


def degrade(grey, rng):
    """The picture as another scanner would have it: coarser, blurred, paler, noisy, black and white, or as it is."""
    if rng.random() < .35:
        zoom = rng.uniform(.55, 1)
        grey = cv2.resize(grey, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
    if rng.random() < .15:
        grey = cv2.GaussianBlur(grey, (0, 0), rng.uniform(.4, .9))
    if rng.random() < .2:
        low = rng.uniform(0, 90)
        grey = (low + grey * (255 - low) / 255).astype(np.uint8)
    if rng.random() < .2:
        noise = np.random.default_rng(rng.getrandbits(32)).standard_normal(grey.shape, np.float32)
        grey = np.clip(grey + noise * rng.uniform(2, 12), 0, 255).astype(np.uint8)
    if rng.random() < .2:
        low, high = line.grey_range(grey)
        grey = np.where(grey > low + (high - low) * rng.uniform(.35, .65), 255, 0).astype(np.uint8)
    return grey


def part(one, width, most, rng):
    """(left, right, text) of a part of a line, whole words and at most so wide, as long as it can be from where it begins;
    the whole line where it fits; None where no part does."""
    ends = [(0, 0), *one.cuts, (width, len(one.text) + 1)]
    if width <= most:
        return 0, width, one.text
    first = rng.randrange(len(ends) - 1)
    fitting = [end for end in ends[first + 1:] if end[0] - ends[first][0] <= most]
    if not fitting:
        return None
    return ends[first][0], fitting[-1][0], one.text[ends[first][1]:fitting[-1][1] - 1]


def strip(one, rng, widest):
    """(strip (32, W), text) of a line or a part of it, its margins jittered; None where it is too wide or no line."""
    grey = cv2.imdecode(np.frombuffer(one.picture, np.uint8), cv2.IMREAD_GRAYSCALE)
    if grey is None or min(grey.shape) < 5:
        return None
    rows = line.ink_rows(grey) or (0, grey.shape[0])
    height = min(grey.shape[0], (1 + 2 * line.MARGIN) * (rows[1] - rows[0]))
    chosen = part(one, grey.shape[1], .9 * widest * height / line.HEIGHT, rng)
    if not chosen:
        return None
    left, right, text = chosen
    margins = [rng.gauss(line.MARGIN, .05) for _ in range(2)]
    grey = line.trim(degrade(grey[:, left:right], rng), *margins)
    if grey.shape[0] < 5 or grey.shape[1] * line.HEIGHT / grey.shape[0] > widest:
        return None
    return line.resize(grey), text


class Maker:
    """An endless stream of (grey (32, W), text) from the packs that lie in a folder. A program platen reads the lines once:
    where wide ones may be cut, and which blanks of edited texts were typed. Without one, both kinds are left out. `languages`,
    a key of generate.TOWARDS, leaves out English lines (foreign) or all others (english, science, rare)."""

    def __init__(self, folder, rng, widest, program=None, languages=None):
        self.rng, self.widest, self.lines, shares = rng, widest, [], []
        for name, pack in PACKS.items():
            if os.path.exists(os.path.join(folder, name + '.tsv')) and (program or not pack.edited):
                found = [one for one in read(folder, name)
                         if not languages or ('eng' in one.language) != (languages == 'foreign')]
                found = read_by(program, found, pack.edited) if program and found else found
                self.lines += found
                shares += [pack.share] * len(found)
        if not self.lines:
            raise FileNotFoundError(f'{folder}: none of the packs {", ".join(PACKS)}')
        self.ends = list(itertools.accumulate(shares))

    def take(self):
        """A line that can be spelled in the width of its strip."""
        while True:
            chosen = self.lines[bisect.bisect(self.ends, self.rng.random() * self.ends[-1])]
            made = strip(chosen, self.rng, self.widest)
            if made and made[0].shape[1] >= line.STRIDE * line.frames_needed(made[1]):
                return made
