/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "tests/kernels/tester.h"

/* Every size, both sides, all patterns. */
#define FOR_CASES(n, side, pattern)                                                                \
    for (size_t i_ = 0, n; (n = kt_size(i_)) != SIZE_MAX; i_++)                                    \
        for (int side = 0; side < KT_SIDES; side++)                                                \
            for (int pattern = 0; pattern < KT_PATTERNS; pattern++)

static void luma(struct kt *t, size_t channels, void (*ref)(uint8_t *, const uint8_t *, size_t),
                 void (*f)(uint8_t *, const uint8_t *, size_t))
{
    FOR_CASES(n, side, pattern)
    {
        uint8_t *src = kt_buf(0, n * channels, side);
        uint8_t *want = kt_buf(1, n, side), *got = kt_buf(2, n, side);
        kt_fill(t, src, n * channels, pattern);
        ref(want, src, n);
        f(got, src, n);
        kt_equal(t, want, got, n, "n, pattern", n, (size_t)pattern);
        for (size_t i = 0; i < n; i++) { /* the definition itself, in reals */
            const uint8_t *p = src + i * channels;
            double y = (9798. * p[0] + 19235. * p[1] + 3735. * p[2]) / 32768;
            if (got[i] != (uint8_t)(y + .5))
                kt_fail(t, "pixel %zu of %zu is %u, not %g", i, n, got[i], y);
        }
    }
}

/* Colours whose luma is exactly a half above an integer: a wrong rounding constant shows. */
static void halves(struct kt *t, size_t channels, void (*f)(uint8_t *, const uint8_t *, size_t))
{
    enum { N = 200 };
    uint8_t *src = kt_buf(0, N * channels, KT_TAIL), *want = kt_buf(1, N, KT_TAIL);
    uint8_t *got = kt_buf(2, N, KT_TAIL);
    for (size_t i = 0; i < N;) {
        uint32_t v = kt_random(t), sum = 9798 * (v >> 24) + 19235 * (v >> 16 & 255);
        for (uint32_t b = 0; b < 256 && i < N; b++)
            if ((sum + 3735 * b) % 32768 == 16384) {
                const uint8_t px[4] = {(uint8_t)(v >> 24), (uint8_t)(v >> 16), (uint8_t)b, 77};
                memcpy(src + i * channels, px, channels);
                want[i++] = (uint8_t)((sum + 3735 * b) / 32768 + 1);
            }
    }
    f(got, src, N);
    kt_equal(t, want, got, N, "halves, channels", channels, 0);
}

void pl_test_gray_rgb(struct kt *t)
{
    halves(t, 3, t->k->gray_rgb);
    luma(t, 3, t->ref->gray_rgb, t->k->gray_rgb);
}

void pl_test_gray_rgba(struct kt *t)
{
    halves(t, 4, t->k->gray_rgba);
    luma(t, 4, t->ref->gray_rgba, t->k->gray_rgba);
}

void pl_test_rgb_rgba(struct kt *t)
{
    FOR_CASES(n, side, pattern)
    {
        uint8_t *src = kt_buf(0, 4 * n, side);
        uint8_t *want = kt_buf(1, 3 * n, side), *got = kt_buf(2, 3 * n, side);
        kt_fill(t, src, 4 * n, pattern);
        for (size_t i = 0; i < 3 * n; i++)
            want[i] = src[i / 3 * 4 + i % 3];
        t->k->rgb_rgba(got, src, n);
        kt_equal(t, want, got, 3 * n, "n, pattern", n, (size_t)pattern);
    }
}

void pl_test_invert_u8(struct kt *t)
{
    FOR_CASES(n, side, pattern)
    {
        uint8_t *src = kt_buf(0, n, side), *want = kt_buf(1, n, side), *got = kt_buf(2, n, side);
        kt_fill(t, src, n, pattern);
        for (size_t i = 0; i < n; i++)
            want[i] = (uint8_t)(255 - src[i]);
        t->k->invert_u8(got, src, n);
        kt_equal(t, want, got, n, "n", n, 0);
        t->k->invert_u8(src, src, n);
        kt_equal(t, want, src, n, "in place, n", n, 0);
    }
}

void pl_test_threshold_u8(struct kt *t)
{
    static const uint8_t levels[] = {0, 1, 127, 128, 254, 255};
    FOR_CASES(n, side, pattern)
    {
        for (size_t l = 0; l < sizeof(levels); l++) {
            uint8_t *src = kt_buf(0, n, side), *want = kt_buf(1, n, side),
                    *got = kt_buf(2, n, side);
            kt_fill(t, src, n, pattern);
            for (size_t i = 0; i < n; i++)
                want[i] = src[i] > levels[l] ? 255 : 0;
            t->k->threshold_u8(got, src, n, levels[l]);
            kt_equal(t, want, got, n, "n, level", n, levels[l]);
            t->k->threshold_u8(src, src, n, levels[l]);
            kt_equal(t, want, src, n, "in place, n, level", n, levels[l]);
        }
    }
}

/* Rows of n pixels that begin n + gap apart; what lies between them does not count. */
static void hist_rows(struct kt *t, size_t n, size_t rows, size_t gap, enum kt_side side,
                      enum kt_pattern pattern)
{
    size_t bytes = rows * (n + gap) - gap;
    uint8_t *src = kt_buf(0, bytes, side);
    uint32_t want[256], *got = kt_buf(1, sizeof(want), side);
    kt_fill(t, src, bytes, pattern);
    if (pattern == KT_RANDOM && rows % 2) /* runs of equal pixels of any length */
        for (size_t i = 1; i < bytes; i++)
            src[i] = kt_random(t) % 32 ? src[i - 1] : src[i];
    for (uint32_t i = 0; i < 256; i++)
        want[i] = got[i] = i * 77; /* it adds to what is there */
    for (size_t i = 0; i < rows * n; i++)
        want[src[i / n * (n + gap) + i % n]]++;
    t->k->hist_u8(got, src, n + gap, n, rows);
    kt_equal(t, want, got, sizeof(want), "n, rows", n, rows);
}

void pl_test_hist_u8(struct kt *t)
{
    FOR_CASES(n, side, pattern)
    {
        for (size_t rows = 1; rows < 40; rows += 19)
            hist_rows(t, n, rows, rows % 3 * 5, side, pattern);
    }
    hist_rows(t, 9000, 100, 0, KT_TAIL, KT_RANDOM);
}

void pl_test_lut_u8(struct kt *t)
{
    FOR_CASES(n, side, pattern)
    {
        uint8_t *src = kt_buf(0, n, side), *want = kt_buf(1, n, side), *got = kt_buf(2, n, side);
        uint8_t *lut = kt_buf(3, 256, side);
        kt_fill(t, src, n, pattern);
        kt_fill(t, lut, 256, KT_RANDOM);
        for (size_t i = 0; i < n; i++)
            want[i] = lut[src[i]];
        t->k->lut_u8(got, src, n, lut);
        kt_equal(t, want, got, n, "n", n, 0);
        t->k->lut_u8(src, src, n, lut);
        kt_equal(t, want, src, n, "in place, n", n, 0);
    }
}

void pl_test_gain_row(struct kt *t)
{
    static const uint16_t fractions[] = {0, 256, 32768, 65280, 65535};
    FOR_CASES(n, side, pattern)
    {
        uint8_t *src = kt_buf(0, n, side), *want = kt_buf(1, n, side), *got = kt_buf(2, n, side);
        uint16_t *a = kt_buf(3, 2 * n, side), *b = kt_buf(4, 2 * n, side);
        uint16_t f = fractions[n % 5];
        kt_fill(t, src, n, pattern);
        kt_fill(t, (uint8_t *)a, 2 * n, KT_RANDOM);
        kt_fill(t, (uint8_t *)b, 2 * n, pattern);
        for (size_t i = 0; i < n; i++)
            a[i] = (uint16_t)(kt_random(t) % 2 ? a[i] : 4096); /* gains of about one, and any */
        for (size_t i = 0; i < n; i++) {
            uint64_t g = ((uint64_t)a[i] * (65535u - f) >> 16) + ((uint64_t)b[i] * f >> 16);
            uint64_t v = ((src[i] * g >> 8) + 8) / 16;
            want[i] = (uint8_t)(v > 255 ? 255 : v);
        }
        t->k->gain_row(got, src, n, a, b, f);
        kt_equal(t, want, got, n, "n, f", n, f);
        t->k->gain_row(src, src, n, a, b, f);
        kt_equal(t, want, src, n, "in place, n, f", n, f);
    }
}

void pl_test_norm_u8_f32(struct kt *t)
{
    FOR_CASES(n, side, pattern)
    {
        uint8_t *src = kt_buf(0, n, side);
        float *want = kt_buf(1, n * 4, side), *got = kt_buf(2, n * 4, side);
        kt_fill(t, src, n, pattern);
        t->ref->norm_u8_f32(want, src, n, 127.3f, 1 / 58.1f);
        t->k->norm_u8_f32(got, src, n, 127.3f, 1 / 58.1f);
        kt_equal(t, want, got, n * 4, "n", n, 0);
    }
}
