/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>
#include <string.h>

#include "tests/kernels/tester.h"

enum { TABLE_ROWS = 9 };

/* Random rows with scales and offsets of the size that models have. */
static void fill_table(struct kt *t, uint8_t *table, size_t width, int pattern)
{
    for (size_t r = 0; r < TABLE_ROWS; r++) {
        uint8_t *row = table + r * (width + 8);
        float scale = (float)(kt_random(t) % 1000 + 1) / 77777.f;
        float offset = (float)(int32_t)kt_random(t) / 1e9f;
        kt_fill(t, row, width, pattern);
        memcpy(row + width, &scale, sizeof(scale));
        memcpy(row + width + 4, &offset, sizeof(offset));
    }
}

/* The sum in doubles: what the floats must be close to. */
static double exact(const uint8_t *table, size_t width, const uint32_t *rows, size_t n, size_t d)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        const uint8_t *row = table + rows[i] * (width + 8);
        float scale, offset;
        memcpy(&scale, row + width, sizeof(scale));
        memcpy(&offset, row + width + 4, sizeof(offset));
        sum += row[d] * (double)scale + (double)offset;
    }
    return sum;
}

static void check(struct kt *t, size_t width, size_t n, enum kt_side side, int pattern)
{
    uint8_t *table = kt_buf(0, TABLE_ROWS * (width + 8), side);
    uint32_t *rows = kt_buf(1, n * 4, side);
    float *want = kt_buf(2, width * 4, side), *got = kt_buf(3, width * 4, side);
    fill_table(t, table, width, pattern);
    for (size_t i = 0; i < n; i++)
        rows[i] = kt_random(t) % TABLE_ROWS; /* the last row ends at the guard page */
    t->ref->embed_sum_u8(want, width, table, rows, n);
    t->k->embed_sum_u8(got, width, table, rows, n);
    kt_equal(t, want, got, width * 4, "width, rows", width, n);
    for (size_t d = 0; d < width; d++)
        if (fabs((double)got[d] - exact(table, width, rows, n, d)) > 1e-4)
            kt_fail(t, "element %zu of %zu from %zu rows is %g", d, width, n, (double)got[d]);
}

/* Rows of logits: random, all the same, or with ties, far values and -infinity. */
static void fill_logits(struct kt *t, float *v, size_t n, int kind)
{
    static const float some[] = {0, 3.5f, 3.5f, -1e30f, -87.5f, -INFINITY, 40};
    for (size_t i = 0; i < n; i++)
        v[i] = kind == 0   ? (float)(int32_t)kt_random(t) / 1e8f
               : kind == 1 ? -2.5f
                           : some[kt_random(t) % (sizeof(some) / sizeof(*some))];
}

static void check_softmax(struct kt *t, const float *rows, size_t n, size_t width,
                          const uint32_t *best, const float *share)
{
    for (size_t i = 0; i < n; i++, rows += width) {
        double sum = 0;
        for (size_t j = 0; j < width; j++) {
            if (rows[j] > rows[best[i]] || (rows[j] >= rows[best[i]] && j < best[i]))
                kt_fail(t, "of %zu the largest is %zu, not %u", width, j, best[i]);
            sum += exp((double)rows[j] - (double)rows[best[i]]);
        }
        if (fabs((double)share[i] * sum - 1) > 1e-5)
            kt_fail(t, "the share of %u of %zu is %g", best[i], width, (double)share[i]);
    }
}

void pl_test_softmax_top(struct kt *t)
{
    size_t width;
    for (size_t i = 0; (width = kt_size(i)) != SIZE_MAX; i++)
        for (int kind = 0; width && kind < 3; kind++)
            for (size_t n = 0; n < 4; n++) {
                const enum kt_side side = kt_random(t) % 2;
                float *rows = kt_buf(0, n * width * 4, side);
                uint32_t *want = kt_buf(1, n * 4, side), *got = kt_buf(2, n * 4, side);
                float *share = kt_buf(3, n * 4, side), *share2 = kt_buf(4, n * 4, side);
                fill_logits(t, rows, n * width, kind);
                for (size_t r = 0; r < n; r++)
                    rows[r * width + kt_random(t) % width] = 3.5f;
                t->ref->softmax_top(want, share, rows, n, width);
                t->k->softmax_top(got, share2, rows, n, width);
                kt_equal(t, want, got, n * 4, "best of width, rows", width, n);
                kt_equal(t, share, share2, n * 4, "share of width, rows", width, n);
                check_softmax(t, rows, n, width, got, share2);
            }
}

void pl_test_embed_sum_u8(struct kt *t)
{
    static const size_t counts[] = {0, 1, 2, 7, 16};
    size_t width;
    for (size_t i = 0; (width = kt_size(i)) != SIZE_MAX; i++)
        for (int side = 0; side < KT_SIDES; side++)
            for (int pattern = 0; pattern < KT_PATTERNS; pattern++)
                for (size_t c = 0; c < sizeof(counts) / sizeof(*counts); c++)
                    check(t, width, counts[c], side, pattern);
}
