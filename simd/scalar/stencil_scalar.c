/* SPDX-License-Identifier: BSD-2-Clause */
/* The law of the kernels on a few neighbouring pixels. */
#include "simd/kernels.h"

static void or_u8(uint8_t *dst, const uint8_t *const *rows, size_t k, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned v = 0;
        for (size_t j = 0; j < k; j++)
            v |= rows[j][i];
        dst[i] = (uint8_t)v;
    }
}

static void and_u8(uint8_t *dst, const uint8_t *const *rows, size_t k, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned v = 255;
        for (size_t j = 0; j < k; j++)
            v &= rows[j][i];
        dst[i] = (uint8_t)v;
    }
}

static void max_u8(uint8_t *dst, const uint8_t *const *rows, size_t k, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint8_t v = 0;
        for (size_t j = 0; j < k; j++)
            v = rows[j][i] > v ? rows[j][i] : v;
        dst[i] = v;
    }
}

static void min_u8(uint8_t *dst, const uint8_t *const *rows, size_t k, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint8_t v = 255;
        for (size_t j = 0; j < k; j++)
            v = rows[j][i] < v ? rows[j][i] : v;
        dst[i] = v;
    }
}

/* Column i + d, the ends repeating. */
static size_t column(size_t i, int d, size_t n)
{
    int64_t x = (int64_t)i + d;
    return x < 0 ? 0 : x >= (int64_t)n ? n - 1 : (size_t)x;
}

/* By insertion: the fifth of nine. */
static void median3_row(uint8_t *dst, const uint8_t *const rows[3], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint8_t sorted[9];
        size_t m = 0;
        for (int d = -1; d <= 1; d++)
            for (int j = 0; j < 3; j++) {
                uint8_t v = rows[j][column(i, d, n)];
                size_t at = m++;
                for (; at && sorted[at - 1] > v; at--)
                    sorted[at] = sorted[at - 1];
                sorted[at] = v;
            }
        dst[i] = sorted[4];
    }
}

static void binomial5_row(uint8_t *dst, const uint8_t *const rows[5], size_t n)
{
    static const unsigned weights[5] = {1, 4, 6, 4, 1};
    for (size_t i = 0; i < n; i++) {
        unsigned sum = 128;
        for (int d = -2; d <= 2; d++)
            for (int j = 0; j < 5; j++)
                sum += weights[d + 2] * weights[j] * rows[j][column(i, d, n)];
        dst[i] = (uint8_t)(sum >> 8);
    }
}

void pl_stencil_init_scalar(struct pl_kernels *k);
void pl_stencil_init_scalar(struct pl_kernels *k)
{
    k->or_u8 = or_u8;
    k->and_u8 = and_u8;
    k->max_u8 = max_u8;
    k->min_u8 = min_u8;
    k->median3_row = median3_row;
    k->binomial5_row = binomial5_row;
}
