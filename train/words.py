#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Gives language model files the words of their language.

    words.py [--version N] FILE...
    words.py --list LANGUAGE... DIR

The second form writes them one a line into DIR/LANGUAGE.txt. The words are those of the packs of tessdata_fast (Apache-2.0; Debian's tesseract-ocr-LANG), as many as fit, packed into a
minimal automaton (Daciuk and others, Computational Linguistics 26(1), 2000). platen-model(5) is the law of the section.
"""
import argparse
import collections
import os
import random
import re
import struct
import subprocess
import tempfile
import unicodedata

import language_file
import languages
import manuals
import text as texts
from language_file import is_letter

MOST_EDGES = 50_000          # of the automaton: 200 kB
BRIEF_EDGES = 25_000         # of that of a language in manuals.BRIEF
MOST = 5_000_000             # characters of running text in which they are counted
RARER = 20                   # times: see ranked()
LETTERS = 2, 24              # of a word
CREDIT = 'words of tessdata_fast, Apache-2.0'
# Logarithm that a character of a word gains, at weight 1 of the language model: bench/runs/2026-11-27-words.md has what others
# give. The model of English knows most words itself.
GAIN, GAINS = 1.5, {'en': .5}
PACKS = '/usr/share/tesseract-ocr/5/tessdata/{}.traineddata'
LISTS = {'af': 'afr', 'az': 'aze', 'be': 'bel', 'bg': 'bul', 'br': 'bre', 'ca': 'cat', 'cs': 'ces', 'cy': 'cym', 'da': 'dan', 'de': 'deu',
         'el': 'ell', 'en': 'eng', 'eo': 'epo', 'es': 'spa', 'et': 'est', 'eu': 'eus', 'fi': 'fin', 'fo': 'fao', 'fr': 'fra', 'fy': 'fry',
         'ga': 'gle', 'gd': 'gla', 'gl': 'glg', 'hr': 'hrv', 'ht': 'hat', 'hu': 'hun', 'id': 'ind', 'is': 'isl', 'it': 'ita', 'ku': 'kmr',
         'la': 'lat', 'lb': 'ltz', 'lt': 'lit', 'lv': 'lav', 'mk': 'mkd', 'mt': 'mlt', 'nl': 'nld', 'no': 'nor', 'oc': 'oci', 'pl': 'pol',
         'pt': 'por', 'ro': 'ron', 'ru': 'rus', 'sk': 'slk', 'sl': 'slv', 'sq': 'sqi', 'sr': 'srp', 'sv': 'swe', 'sw': 'swa', 'tl': 'fil',
         'tr': 'tur', 'uk': 'ukr', 'vi': 'vie'}


def is_word(word):
    return LETTERS[0] <= len(word) <= LETTERS[1] and all(is_letter(ord(c)) for c in word)


def listed(language):
    """The words of a pack of tessdata_fast, in small letters."""
    with tempfile.TemporaryDirectory() as folder:
        part = lambda name: os.path.join(folder, 'x.' + name)
        quiet = dict(check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        subprocess.run(['combine_tessdata', '-u', PACKS.format(LISTS[language]), part('')], **quiet)
        subprocess.run(['dawg2wordlist', part('lstm-unicharset'), part('lstm-word-dawg'), part('words')], **quiet)
        with open(part('words'), encoding='utf-8') as f:
            return {word for word in f.read().translate(languages.COMMA if language == 'ro' else {}).lower().split() if is_word(word)}


def bare(word):
    """A word without its accents; letters of Cyrillic as й have none that is left out."""
    strip = lambda c: unicodedata.normalize('NFD', c)[0] if c < '\u0400' or c >= '\u0530' else c
    return ''.join(map(strip, word))


def ranked(known, text):
    """Known words, the most useful first: those of running text as often as they stand there, then short ones. The lists are
    of the web, where accents are left out: a word that text has RARER times less often than with other accents goes."""
    counted, most = collections.Counter(word for word in re.findall(r'[^\W\d_]+', text.lower()) if word in known), {}
    for word, count in counted.items():
        most[bare(word)] = max(count, most.get(bare(word), 0))
    kept = [word for word in known if RARER * counted[word] >= most.get(bare(word), 0)]
    return sorted(kept, key=lambda word: (-counted[word], len(word), word))


def words_of(language):
    """The words of a language, ranked."""
    if language == 'en':
        return ranked(listed(language), texts.Lines(random.Random(1)).prose)
    return ranked(listed(language), ' '.join(manuals.paragraphs(language, MOST) + languages.prose(language)))


def meta_of(language):
    """What the metadata of a file tell of its words."""
    return {'words': CREDIT, 'word_gain': f'{GAINS.get(language, GAIN):g}'}


def automaton(words):
    """The section of these words: u32 root, then edges as platen-model(5) has them."""
    known, edges, path, before = {}, [0], [[]], b''

    def freeze(depth):
        """Stores the nodes of the path below `depth`, the deepest first, or finds their like."""
        while len(path) > depth + 1:
            node = tuple(path.pop())
            if node and node not in known:
                known[node] = len(edges)
                edges.extend(node[:-1] + (node[-1] | 1 << 9,))
            path[-1][-1] |= known.get(node, 0) << 10

    for word in sorted({word.encode() for word in words}):
        same = next((i for i, (a, b) in enumerate(zip(word, before)) if a != b), min(len(word), len(before)))
        freeze(same)
        for byte in word[same:]:
            path[-1].append(byte)
            path.append([])
        path[-2][-1] |= 1 << 8
        before = word
    path.insert(0, [0])
    freeze(0)
    return struct.pack('<I', path[0][0] >> 10) + struct.pack(f'<{len(edges)}I', *edges)


def fitting(words, language):
    """The section of as many of the first words as may stand in a file, but for a two hundredth; also how many."""
    most = BRIEF_EDGES if language in manuals.BRIEF else MOST_EDGES
    section, count, beyond = automaton([]), 0, len(words) + 1
    middle = len(words)
    while beyond - count > max(1, len(words) // 200):
        tried = automaton(words[:middle])
        if len(tried) <= 4 * most:
            section, count = tried, middle
        else:
            beyond = middle
        middle = (count + beyond) // 2
    return section, count


def spelt(section, word):
    """Whether a section knows a word."""
    root, *edges = struct.unpack(f'<{len(section) // 4}I', section)
    node, whole = root, False
    for byte in word.encode():
        while node and edges[node] & 255 != byte:
            node = 0 if edges[node] >> 9 & 1 else node + 1
        if not node:
            return False
        node, whole = edges[node] >> 10, bool(edges[node] >> 8 & 1)
    return whole


def put(path, version):
    """Writes the words of its language into a language model file, in the place of those that it has."""
    with open(path, 'rb') as f:
        sections = language_file.sections(f.read())
    meta = dict(line.split('=', 1) for line in sections['META'].decode().splitlines())
    sections['WORD'], count = fitting(words_of(meta['language']), meta['language'])
    sections['META'] = language_file.meta_text({**meta, 'version': version or meta['version'], **meta_of(meta['language'])})
    with open(path, 'wb') as f:
        f.write(language_file.pack(1, sections))
    print(f'{path}: {count} words, {len(sections["WORD"])} bytes', flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('file', nargs='+')
    parser.add_argument('--version', help='of the files (default: as it was)')
    parser.add_argument('--list', action='store_true', help='write lists, of LANGUAGE... into DIR')
    args = parser.parse_args()
    if args.list:
        *chosen, folder = args.file
        for language in chosen:
            with open(os.path.join(folder, language + '.txt'), 'w', encoding='utf-8') as f:
                f.write('\n'.join(sorted(listed(language))) + '\n')
        return
    for path in args.file:
        put(path, args.version)


if __name__ == '__main__':
    main()
