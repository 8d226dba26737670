/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "tests/kernels/tester.h"

typedef void combine_fn(uint8_t *dst, const uint8_t *const *rows, size_t k, size_t n);
typedef uint8_t pair_fn(uint8_t a, uint8_t b);

static uint8_t either(uint8_t a, uint8_t b)
{
    return a | b;
}

static uint8_t both(uint8_t a, uint8_t b)
{
    return a & b;
}

static uint8_t larger(uint8_t a, uint8_t b)
{
    return a > b ? a : b;
}

static uint8_t smaller(uint8_t a, uint8_t b)
{
    return a < b ? a : b;
}

static void combine(struct kt *t, combine_fn *f, pair_fn *pair)
{
    for (size_t i = 0, n; (n = kt_size(i)) != SIZE_MAX; i++)
        for (size_t k = 1; k <= 4; k++)
            for (int side = 0; side < KT_SIDES; side++) {
                const uint8_t *rows[4];
                uint8_t *want = kt_buf(4, n, side), *got = kt_buf(5, n, side);
                for (size_t j = 0; j < k; j++) {
                    uint8_t *row = kt_buf((int)j, n, side);
                    kt_fill(t, row, n, KT_RANDOM);
                    rows[j] = row;
                    for (size_t x = 0; x < n; x++)
                        want[x] = j ? pair(want[x], row[x]) : row[x];
                }
                f(got, rows, k, n);
                kt_equal(t, want, got, n, "n, rows", n, k);
                f(kt_buf(0, n, side), rows, k, n);
                kt_equal(t, want, rows[0], n, "in place, n, rows", n, k);
                /* parts of one row into its beginning */
                size_t part = n / 2, at = n - part;
                const uint8_t *const parts[2] = {rows[0], rows[0] + at};
                for (size_t x = 0; x < part; x++)
                    want[x] = pair(rows[0][x], rows[0][x + at]);
                f(kt_buf(0, n, side), parts, 2, part);
                kt_equal(t, want, rows[0], part, "one row, n", n, 0);
            }
}

void pl_test_or_u8(struct kt *t)
{
    combine(t, t->k->or_u8, either);
}

void pl_test_and_u8(struct kt *t)
{
    combine(t, t->k->and_u8, both);
}

void pl_test_max_u8(struct kt *t)
{
    combine(t, t->k->max_u8, larger);
}

void pl_test_min_u8(struct kt *t)
{
    combine(t, t->k->min_u8, smaller);
}

static size_t column(size_t i, int d, size_t n)
{
    if (d < 0)
        return i < (size_t)-d ? 0 : i - (size_t)-d;
    return i + (size_t)d < n ? i + (size_t)d : n - 1;
}

static int by_value(const void *a, const void *b)
{
    return *(const uint8_t *)a - *(const uint8_t *)b;
}

static void expect_median(uint8_t *want, const uint8_t *const *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint8_t v[9];
        for (int j = 0; j < 9; j++)
            v[j] = rows[j / 3][column(i, j % 3 - 1, n)];
        qsort(v, 9, 1, by_value);
        want[i] = v[4];
    }
}

static void expect_binomial(uint8_t *want, const uint8_t *const *rows, size_t n)
{
    static const double w[5] = {1, 4, 6, 4, 1};
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < 25; j++)
            sum += w[j / 5] * w[j % 5] * rows[j / 5][column(i, j % 5 - 2, n)];
        want[i] = (uint8_t)(sum / 256 + .5);
    }
}

typedef void row_fn(uint8_t *dst, const uint8_t *const *rows, size_t n);

static void stencil_case(struct kt *t, row_fn *f, row_fn *expect, int count, size_t n)
{
    for (int side = 0; side < KT_SIDES; side++)
        for (int pattern = 0; pattern < KT_PATTERNS; pattern++) {
            const uint8_t *rows[5];
            uint8_t *want = kt_buf(5, n, side), *got = kt_buf(6, n, side);
            for (int j = 0; j < count; j++) {
                uint8_t *row = kt_buf(j, n, side);
                kt_fill(t, row, n, pattern);
                rows[j] = row;
            }
            expect(want, rows, n);
            f(got, rows, n);
            kt_equal(t, want, got, n, "n, pattern", n, (size_t)pattern);
        }
}

/* Bodies may work in blocks of 4096 columns: sizes around those too. */
static void stencil(struct kt *t, row_fn *f, row_fn *expect, int count)
{
    for (size_t i = 0, n; (n = kt_size(i)) != SIZE_MAX; i++)
        stencil_case(t, f, expect, count, n);
    for (size_t n = 4093; n < 4102; n++)
        stencil_case(t, f, expect, count, n);
    for (size_t n = 8190; n < 8195; n++)
        stencil_case(t, f, expect, count, n);
}

void pl_test_median3_row(struct kt *t)
{
    stencil(t, t->k->median3_row, expect_median, 3);
}

void pl_test_binomial5_row(struct kt *t)
{
    stencil(t, t->k->binomial5_row, expect_binomial, 5);
    const uint8_t px[1] = {77}, *const rows[5] = {px, px, px, px, px};
    uint8_t out[1];
    t->k->binomial5_row(out, rows, 1);
    kt_equal(t, px, out, 1, "one pixel", 0, 0);
}
