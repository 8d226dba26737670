#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes small valid files: corpus/language/seed.platen and accents.platen, language models, the first one with words, and corpus/identifier/seed.platen."""
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', '..', 'train'))
import language_file  # noqa: E402
import words  # noqa: E402

SYMBOLS, ACCENTS, ROWS, WIDTH = ' aAb0.?', ' aA.«ÀßàЯя?', 5, 6
WORDS = ['ab', 'abba', 'b', 'bab', 'né']
LANGUAGES = ['en', 'de', 'und', 'und-Cyrl']


def write(kind, content, name='seed'):
    with open(os.path.join(HERE, 'corpus', kind, name + '.platen'), 'wb') as f:
        f.write(content)


def main():
    rng = np.random.default_rng(2)
    q = rng.integers(0, 256, (ROWS, WIDTH)).astype(np.uint8)
    ends = rng.random((ROWS, 2)).astype('<f4').view(np.uint8).reshape(ROWS, 8)
    table = np.concatenate([q, ends], 1).tobytes()
    meta = {'name': 'seed.lm', 'version': '1', 'licence': 'BSD-2-Clause'}
    content = language_file.language(dict(meta, word_gain='1.5'), SYMBOLS, table, rng.standard_normal((WIDTH, len(SYMBOLS))),
                                 rng.standard_normal(len(SYMBOLS)), words.automaton(WORDS))
    write('language', content)
    accents = dict(meta, name='accents.lm', language='xx')
    meta['name'] = 'seed.lang'
    write('identifier', language_file.identifier(meta, LANGUAGES, table, rng.standard_normal((WIDTH, len(LANGUAGES))),
                                                 rng.standard_normal(len(LANGUAGES))))
    write('language', language_file.language(accents, ACCENTS, table, rng.standard_normal((WIDTH, len(ACCENTS))),
                                             rng.standard_normal(len(ACCENTS))), 'accents')


if __name__ == '__main__':
    main()
