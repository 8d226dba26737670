/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "tests/kernels/tester.h"

/* Every size, both sides, all patterns. */
#define FOR_CASES(n, side, pattern)                                                                \
    for (size_t i_ = 0, n; (n = kt_size(i_)) != SIZE_MAX; i_++)                                    \
        for (int side = 0; side < KT_SIDES; side++)                                                \
            for (int pattern = 0; pattern < KT_PATTERNS; pattern++)

static size_t bytes_of(size_t n)
{
    return (n + 7) / 8;
}

static bool bit(const uint8_t *bits, size_t i)
{
    return bits[i / 8] >> (7 - i % 8) & 1;
}

/* n bits, zeros behind them. */
static void put_bits(uint8_t *bits, size_t n, const bool *v)
{
    memset(bits, 0, bytes_of(n));
    for (size_t i = 0; i < n; i++)
        if (v[i])
            bits[i / 8] |= (uint8_t)(1 << (7 - i % 8));
}

void pl_test_threshold_bits(struct kt *t)
{
    static const uint8_t levels[] = {0, 1, 127, 128, 254, 255};
    bool ink[1023];
    FOR_CASES(n, side, pattern)
    {
        for (size_t l = 0; l < sizeof(levels); l++) {
            uint8_t *src = kt_buf(0, n, side);
            uint8_t *want = kt_buf(1, bytes_of(n), side), *got = kt_buf(2, bytes_of(n), side);
            kt_fill(t, src, n, pattern);
            for (size_t i = 0; i < n; i++)
                ink[i] = src[i] <= levels[l];
            put_bits(want, n, ink);
            kt_fill(t, got, bytes_of(n), KT_ONES);
            t->k->threshold_bits(got, src, n, levels[l]);
            kt_equal(t, want, got, bytes_of(n), "n, level", n, levels[l]);
        }
    }
    const uint8_t row[10] = {0, 200, 200, 5, 5, 200, 200, 200, 200, 7};
    uint8_t out[2] = {0xff, 0xff};
    t->k->threshold_bits(out, row, 10, 5);
    kt_equal(t, (const uint8_t[]){0x98, 0x00}, out, 2, "by hand", 0, 0);
}

void pl_test_unpack_bits(struct kt *t)
{
    FOR_CASES(n, side, pattern)
    {
        uint8_t *src = kt_buf(0, bytes_of(n), side);
        uint8_t *want = kt_buf(1, n, side), *got = kt_buf(2, n, side);
        kt_fill(t, src, bytes_of(n), pattern);
        uint8_t zero = (uint8_t)kt_random(t), one = (uint8_t)kt_random(t);
        for (size_t i = 0; i < n; i++)
            want[i] = bit(src, i) ? one : zero;
        t->k->unpack_bits(got, src, n, zero, one);
        kt_equal(t, want, got, n, "n", n, 0);
    }
}

void pl_test_count_bits(struct kt *t)
{
    FOR_CASES(n, side, pattern)
    {
        uint8_t *src = kt_buf(0, bytes_of(n), side);
        kt_fill(t, src, bytes_of(n), pattern);
        size_t want = 0, got = t->k->count_bits(src, n);
        for (size_t i = 0; i < n; i++)
            want += bit(src, i);
        kt_equal(t, &want, &got, sizeof(want), "n", n, 0);
    }
}

void pl_test_colsum_bits(struct kt *t)
{
    FOR_CASES(n, side, pattern)
    {
        uint8_t *src = kt_buf(0, bytes_of(n), side);
        uint32_t *want = kt_buf(1, 4 * n, side), *got = kt_buf(2, 4 * n, side);
        kt_fill(t, src, bytes_of(n), pattern);
        kt_fill(t, got, 4 * n, KT_RANDOM); /* it adds to what is there */
        for (size_t i = 0; i < n; i++)
            want[i] = got[i] + bit(src, i);
        t->k->colsum_bits(got, src, n);
        kt_equal(t, want, got, 4 * n, "n", n, 0);
    }
}

void pl_test_sum_u8(struct kt *t)
{
    FOR_CASES(n, side, pattern)
    {
        uint8_t *src = kt_buf(0, n, side);
        kt_fill(t, src, n, pattern);
        uint64_t want = 0, got = t->k->sum_u8(src, n);
        for (size_t i = 0; i < n; i++)
            want += src[i];
        kt_equal(t, &want, &got, sizeof(want), "n", n, 0);
    }
    uint8_t *big = kt_buf(0, KT_SLOT_BYTES, KT_TAIL);
    memset(big, 255, KT_SLOT_BYTES);
    uint64_t want = 255 * KT_SLOT_BYTES, got = t->k->sum_u8(big, KT_SLOT_BYTES);
    kt_equal(t, &want, &got, sizeof(want), "large", 0, 0);
}

typedef void spread_fn(uint8_t *dst, const uint8_t *src, size_t n, unsigned left, unsigned right);

/* Of a bit, those in its window that lie in the row: any of them, or all. */
static void expect_spread(uint8_t *want, const uint8_t *src, size_t n, unsigned left,
                          unsigned right, bool any)
{
    bool v[8200];
    for (size_t i = 0; i < n; i++) {
        size_t from = i < left ? 0 : i - left, to = i + right < n ? i + right : n - 1, set = 0;
        for (size_t j = from; j <= to; j++)
            set += bit(src, j);
        v[i] = any ? set > 0 : set == to - from + 1;
    }
    put_bits(want, n, v);
}

static void spread_case(struct kt *t, spread_fn *f, bool any, size_t n, enum kt_side side)
{
    unsigned right = kt_random(t) % 3 ? kt_random(t) % 64 : kt_random(t) % 4;
    unsigned left = kt_random(t) % (kt_random(t) % 2 ? 64 - right : 1);
    uint8_t *src = kt_buf(0, bytes_of(n), side), *got = kt_buf(1, bytes_of(n), side);
    uint8_t *want = kt_buf(2, bytes_of(n), side);
    kt_fill(t, src, bytes_of(n), KT_RANDOM);
    if (kt_random(t) % 4) /* few are set, or few are not */
        for (size_t i = 0; i < bytes_of(n); i++)
            src[i] = (kt_random(t) % 16 ? 0 : src[i]) ^ (any ? 0 : 255);
    kt_fill(t, got, bytes_of(n), KT_ONES);
    expect_spread(want, src, n, left, right, any);
    f(got, src, n, left, right);
    kt_equal(t, want, got, bytes_of(n), "left, right", left, right);
    f(src, src, n, left, right);
    kt_equal(t, want, src, bytes_of(n), "in place, left, right", left, right);
}

static void spread(struct kt *t, spread_fn *f, bool any)
{
    for (size_t i = 0, n; (n = kt_size(i)) != SIZE_MAX; i++)
        for (int round = 0; round < 10; round++)
            for (int side = 0; side < KT_SIDES; side++) {
                spread_case(t, f, any, n, side);
                spread_case(t, f, any, 8 * n + kt_random(t) % 8, side);
            }
}

void pl_test_dilate_bits(struct kt *t)
{
    spread(t, t->k->dilate_bits, true);
}

void pl_test_erode_bits(struct kt *t)
{
    spread(t, t->k->erode_bits, false);
}
