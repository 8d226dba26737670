#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes corpus/language/seed.platen: a small valid language model."""
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', '..', 'train'))
import language_file  # noqa: E402

SYMBOLS, ROWS, WIDTH = ' aAb0.?', 5, 6


def main():
    rng = np.random.default_rng(2)
    q = rng.integers(0, 256, (ROWS, WIDTH)).astype(np.uint8)
    ends = rng.random((ROWS, 2)).astype('<f4').view(np.uint8).reshape(ROWS, 8)
    table = np.concatenate([q, ends], 1).tobytes()
    meta = {'name': 'seed.lm', 'version': '1', 'licence': 'BSD-2-Clause'}
    content = language_file.language(meta, SYMBOLS, table, rng.standard_normal((WIDTH, len(SYMBOLS))),
                                 rng.standard_normal(len(SYMBOLS)))
    with open(os.path.join(HERE, 'corpus', 'language', 'seed.platen'), 'wb') as f:
        f.write(content)


if __name__ == '__main__':
    main()
