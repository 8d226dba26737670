# SPDX-License-Identifier: BSD-2-Clause
"""The input contract of the recognizer: from a grey crop to the quantised strip.

The C code does the same, step by step; a change here is a change of the contract.
Grey is 0 = black ... 255 = white; a strip is uint8 of shape (32, W).
"""
import cv2
import numpy as np

HEIGHT = 32          # rows of a strip
STRIDE = 4           # columns per output frame: T = W / 4
MARGIN = 0.08        # blank rows kept above and below the ink, in ink heights
PAD = 8              # blank columns on each side
SCALE = 160          # quantisation: q = round(v * 160) + 48, so v in -0.3 .. 1.29
ZERO = 48            # q of a blank column (v = 0)
MIN_RANGE = 24       # least distance of the two grey quantiles

cv2.setNumThreads(1)


def grey_range(grey):
    """The 1 % and 97 % grey quantiles (ink, paper) as floats, at least MIN_RANGE apart."""
    total = np.cumsum(np.bincount(grey.reshape(-1), minlength=256))
    n = grey.size
    lo, hi = np.searchsorted(total, [int(.01 * n), min(n - 1, int(.97 * n))], side='right')
    if hi - lo < MIN_RANGE:
        middle = (lo + hi) / 2
        return middle - MIN_RANGE / 2, middle + MIN_RANGE / 2
    return float(lo), float(hi)


def ink_rows(grey):
    """First and past-last row of the line's ink in a grey crop, or None when it is blank.

    Rows inked over more than 80 % of the width are rules and do not count, nor do rows with
    less than 0.4 %. The row run with most ink is the line, after split_run; runs nearer than a
    quarter of its height (dots of i, accents, underscores) belong to it unless they are cut by
    the crop's edge.
    """
    lo, hi = grey_range(grey)
    mask = grey < (lo + hi) / 2
    if mask.mean() > .5:                     # light text on dark paper
        mask = ~mask
    posts = mask.mean(0) > .9                # sides of a box, unless it is all the ink there is
    if posts.mean() < .1:
        mask = mask & ~posts
    count = mask.sum(1).astype(np.int64)
    count[count > .8 * grey.shape[1]] = 0
    count[count < max(1, .004 * grey.shape[1])] = 0
    edges = np.flatnonzero(np.diff(np.concatenate([[0], (count > 0).astype(np.int8), [0]])))
    if len(edges) == 0:
        return None
    runs = edges.reshape(-1, 2).tolist()
    runs = [part for run in runs for part in split_run(count, *run)]
    weights = [count[a:b].sum() for a, b in runs]
    return join_runs(runs, weights, grey.shape[0])


def split_run(count, top, bottom):
    """Part a run from a neighbouring line that touches it and is cut by the crop's edge.

    The parting row has less than 15 % of the run's highest row count and leaves at the edge
    at most 40 % of the run's rows; of the row counts there it is the least.
    """
    peak, size = count[top:bottom].max(), bottom - top
    parts = [[top, bottom]]
    reach = int(.4 * size)
    if top == 0 and reach:
        row = int(np.argmin(count[:reach]))
        if row and count[row] < .15 * peak < count[:row].max():
            parts = [[0, row], [row, bottom]]
    if bottom == len(count) and reach:
        row = len(count) - 1 - int(np.argmin(count[::-1][:reach]))
        if row < bottom - 1 and count[row] < .15 * peak < count[row:].max():
            parts = parts[:-1] + [[parts[-1][0], row + 1], [row + 1, bottom]]
    return parts


def join_runs(runs, weights, height):
    """Grow the heaviest row run over its close neighbours; see ink_rows."""
    k = int(np.argmax(weights))
    top, bottom = runs[k]
    gap = max(1, .25 * (bottom - top))
    for a, b in runs[:k][::-1]:
        if top - b > gap or a == 0:
            break
        top = a
    for a, b in runs[k + 1:]:
        if a - bottom > gap or b == height:
            break
        bottom = b
    return int(top), int(bottom)


def trim(grey, above=MARGIN, below=MARGIN):
    """Cut a grey crop to its ink rows and a margin on both sides, in ink heights."""
    rows = ink_rows(grey)
    if rows is None or rows[1] - rows[0] < 4:
        return grey
    top, bottom = rows
    height = bottom - top
    first = max(0, int(round(top - above * height)))
    last = min(grey.shape[0], int(round(bottom + below * height)))
    return grey[first:last] if last - first >= 4 else grey


def resize(grey):
    """Scale to 32 rows, the width alike: by area when shrinking, else bilinear."""
    h, w = grey.shape
    width = max(STRIDE, int(round(w * HEIGHT / h)))
    how = cv2.INTER_AREA if h > HEIGHT else cv2.INTER_LINEAR
    return cv2.resize(grey, (width, HEIGHT), interpolation=how)


def quantise(grey):
    """Normalise a 32-row strip by its grey range: uint8, same shape, ZERO = paper."""
    lo, hi = grey_range(grey)
    value = (hi - np.arange(256)) / (hi - lo)
    table = np.clip(np.floor(value * SCALE + .5) + ZERO, 0, 255).astype(np.uint8)
    return table[grey]


def padded_width(width):
    """Width of a strip with its blank columns, a multiple of STRIDE."""
    return -(-(width + 2 * PAD) // STRIDE) * STRIDE


def batch(strips, width=0):
    """Quantised strips -> float32 (N, 1, 32, W), W at least `width`, else for the widest."""
    width = max([width] + [padded_width(s.shape[1]) for s in strips])
    out = np.full((len(strips), 1, HEIGHT, width), ZERO, np.uint8)
    for row, strip in zip(out, strips):
        row[0, :, PAD:PAD + strip.shape[1]] = strip
    return (out.astype(np.float32) - ZERO) * np.float32(1 / SCALE)


def frames_needed(text):
    """Least number of output frames that can spell text (a blank between doubled letters)."""
    return len(text) + sum(a == b for a, b in zip(text, text[1:])) + 1


def strip_of_crop(grey):
    """The whole way: grey crop of one line -> quantised strip (32, W)."""
    return quantise(resize(trim(grey)))
