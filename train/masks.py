# SPDX-License-Identifier: BSD-2-Clause
"""Masks of letters: uint8 arrays (h, w), 255 = ink. How they are drawn, pasted and measured, and how an accent is told from its letter."""
import unicodedata

import numpy as np

ABOVE = set('\u0300\u0301\u0302\u0303\u0308\u030a\u030b\u030c')         # marks that stand above letters
DOTLESS = {c: 'ı' for c in 'íìîïĩ'}


def glyph_mask(font, string):
    """Mask of a string (uint8, h x w) and its offset (x, y) below the ascender line."""
    mask, offset = font.getmask2(string, 'L')
    return np.asarray(mask, dtype=np.uint8).reshape(mask.size[1], mask.size[0]), offset


def accent_of(font, character):
    """The accent above a letter: (mask of the accent, its (x, y)), (mask of the letter alone, its (x, y)), or None where
    there is none or it touches the letter."""
    bare = DOTLESS.get(character, unicodedata.normalize('NFD', character)[0])
    if bare == character or not ABOVE & set(unicodedata.normalize('NFD', character)[1:]):
        return None
    mask, (left, top) = glyph_mask(font, character)
    letter, offset = glyph_mask(font, bare)
    rows = np.flatnonzero(mask[:max(0, offset[1] - top)].max(1, initial=0))
    if len(rows) == 0 or letter.size == 0 or top + rows[-1] + 1 >= offset[1]:
        return None
    mark = mask[rows[0]:rows[-1] + 1]
    columns = np.flatnonzero(mark.max(0))
    return ((mark[:, columns[0]:columns[-1] + 1], (left + int(columns[0]), top + int(rows[0]))), (letter, offset))


def paste(canvas, mask, x, y):
    """Draw a mask into a canvas (the darker wins), cut to fit."""
    left, top = max(0, -x), max(0, -y)
    x, y = max(0, x), max(0, y)
    h, w = min(mask.shape[0] - top, canvas.shape[0] - y), min(mask.shape[1] - left, canvas.shape[1] - x)
    if h > 0 and w > 0:
        part = canvas[y:y + h, x:x + w]
        np.maximum(part, mask[top:top + h, left:left + w], out=part)


def ink_box(mask):
    """(x0, y0, x1, y1) of the ink, or None."""
    rows, columns = np.flatnonzero(mask.max(1)), np.flatnonzero(mask.max(0))
    if len(rows) == 0:
        return None
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1
