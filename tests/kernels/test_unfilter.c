/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "tests/kernels/tester.h"

/* The predictors as ISO/IEC 15948 writes them, for encoding. */
static int predictor(int filter, int a, int b, int c)
{
    int p = a + b - c, pa = p > a ? p - a : a - p, pb = p > b ? p - b : b - p,
        pc = p > c ? p - c : c - p;
    switch (filter) {
    case 1:
        return a;
    case 2:
        return b;
    case 3:
        return (a + b) >> 1;
    case 4:
        return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
    default:
        return 0;
    }
}

/* Filters a picture row by row; the kernel must bring it back. only: one filter, or -1 for a mix.
 */
static void there_and_back(struct kt *t, size_t n, size_t n_rows, size_t bpp, int only,
                           enum kt_side side, enum kt_pattern pattern)
{
    size_t bytes = n_rows * (n + 1);
    uint8_t *want = kt_buf(0, bytes, side), *got = kt_buf(1, bytes, side);
    uint8_t *above = kt_random(t) % 3 ? kt_buf(2, n, side) : NULL;
    kt_fill(t, want, bytes, pattern);
    if (above)
        kt_fill(t, above, n, KT_RANDOM);
    for (size_t y = 0; y < n_rows; y++) {
        uint8_t *row = want + y * (n + 1);
        const uint8_t *up = y ? row - n : above;
        row[0] = (uint8_t)(only >= 0 ? only : (int)(kt_random(t) % 5));
        got[y * (n + 1)] = row[0];
        for (size_t i = 0; i < n; i++) {
            int a = i < bpp ? 0 : row[1 + i - bpp], b = up ? up[i] : 0;
            int c = i < bpp || !up ? 0 : up[i - bpp];
            got[y * (n + 1) + 1 + i] = (uint8_t)(row[1 + i] - predictor(row[0], a, b, c));
        }
    }
    t->k->png_unfilter(got, n_rows, n, bpp, above);
    kt_equal(t, want, got, bytes, "row bytes, rows", n, n_rows);
}

/* Every (a, b, c) of a byte's extremes and near them. */
static void near_ties(struct kt *t)
{
    static const uint8_t v[] = {0, 1, 2, 3, 64, 127, 128, 129, 192, 253, 254, 255};
    enum { N = sizeof(v) };
    for (size_t bpp = 1; bpp <= 4; bpp++)
        for (int i = 0; i < N * N * N; i++) {
            uint8_t a = v[i % N], b = v[i / N % N], c = v[i / N / N];
            uint8_t above[8], rows[16 * 9] = {0};
            memset(above, c, bpp);
            memset(above + bpp, b, bpp);
            rows[0] = 4; /* Paeth: the first pixel is above's, so that left becomes a */
            memset(rows + 1, (uint8_t)(a - c), bpp);
            for (int y = 1; y < 16; y++)
                rows[y * (2 * bpp + 1)] = (uint8_t)(y % 5);
            t->k->png_unfilter(rows, 16, 2 * bpp, bpp, above);
            for (size_t k = 0; k < bpp; k++) {
                uint8_t want[2] = {a, (uint8_t)predictor(4, a, b, c)};
                uint8_t got[2] = {rows[1 + k], rows[1 + bpp + k]};
                kt_equal(t, want, got, 2, "tie", (size_t)i, bpp);
            }
        }
}

void pl_test_png_unfilter(struct kt *t)
{
    static const size_t heights[] = {0, 1, 2, 3, 5, 15, 16, 17, 19, 21, 33, 51};
    for (size_t i = 0, n; (n = kt_size(i)) != SIZE_MAX; i++)
        for (size_t h = 0; h < sizeof(heights) / sizeof(heights[0]); h++)
            for (size_t bpp = 1; bpp <= 4; bpp++)
                for (int side = 0; side < KT_SIDES; side++)
                    there_and_back(t, n * bpp, heights[h], bpp, (int)(kt_random(t) % 6) - 1, side,
                                   kt_random(t) % KT_PATTERNS);
    for (int only = -1; only < 5; only++)
        for (int pattern = 0; pattern < KT_PATTERNS; pattern++)
            for (size_t bpp = 1; bpp <= 4; bpp++)
                there_and_back(t, 100 * bpp, 32, bpp, only, KT_TAIL, pattern);
    near_ties(t);
}
