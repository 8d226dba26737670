# SPDX-License-Identifier: BSD-2-Clause
"""Texts of technical pages: names of programs, formulas. `r` is a random.Random."""
import re


def identifier(r, word):
    """A name of a program or of a file, the words that word() gives joined: with_the_part, MAX_SIZE, _part2."""
    words = [w for w in (re.sub('[^a-z]', '', word()) for _ in range(r.choice((2, 2, 2, 3)))) if w] or ['a']
    name = r.choice(('', '', '', '', '', '_', '__')) + '_'.join(words) + r.choice(('', '', '', '', '', '_', str(r.randint(0, 99)), f'_{r.randint(0, 9)}'))
    return name.upper() if r.random() < .3 else name


def term(r):
    """A part of a formula: 3x, f(x), x2, (a + b), 0.5, sin x."""
    letter = r.choice('abcdefghijkmnpqrstuvwxyzABCEFGHKMNPQRSTVWXYZ')
    return r.choice((letter, letter, letter, f'{r.randint(2, 20)}{letter}', f'{letter}{r.randint(0, 9)}', f'{letter}{r.randint(0, 9)}',
                     f'{letter}{r.randint(0, 3)}{r.choice("xyz")}{r.randint(1, 3)}', f'{letter}({r.choice("xytn")})', str(r.randint(0, 100)), f'{r.random() * 10:.2f}',
                     f"({letter} {r.choice('+-')} {r.choice('abcxyz')})", f"{r.choice(('sin', 'cos', 'log', 'exp', 'ln', 'max'))} {letter}", f'|{letter}|', f'-{letter}', f'{letter}/{r.choice("abckmnxyz")}'))


def formula(r):
    """Terms with signs between them, at times with the formula's number."""
    text = term(r)
    for _ in range(r.choice((1, 2, 2, 3, 4))):
        text += r.choice((' + ', ' - ', ' – ', ' = ', ' = ', ' / ', ' < ', ' > ', ' × ')) + term(r)
    return text + r.choice(('', '', '', ',', '.', f' ({r.randint(1, 9)}.{r.randint(1, 30)})'))
