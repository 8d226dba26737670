/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "tests/kernels/tester.h"

void pl_test_colsum_u8(struct kt *t)
{
    for (size_t i = 0, n; (n = kt_size(i)) != SIZE_MAX; i++)
        for (int side = 0; side < KT_SIDES; side++)
            for (int nulls = 0; nulls < 8; nulls++) {
                uint8_t *add = kt_buf(0, n, side), *sub = kt_buf(1, n, side);
                uint32_t *sum = kt_buf(2, n * 4, side), *sq = kt_buf(3, n * 4, side);
                uint32_t *want = kt_buf(4, n * 4, side), *want_sq = kt_buf(5, n * 4, side);
                kt_fill(t, add, n, KT_RANDOM);
                kt_fill(t, sub, n, KT_RANDOM);
                kt_fill(t, sum, n * 4, KT_RANDOM);
                kt_fill(t, sq, n * 4, KT_RANDOM);
                memcpy(want, sum, n * 4);
                memcpy(want_sq, sq, n * 4);
                const uint8_t *a = nulls & 1 ? NULL : add, *s = nulls & 2 ? NULL : sub;
                for (size_t j = 0; j < n; j++) {
                    want[j] += (a ? a[j] : 0u) - (s ? s[j] : 0u);
                    want_sq[j] += (a ? a[j] * a[j] : 0u) - (s ? (uint32_t)(s[j] * s[j]) : 0u);
                }
                t->k->colsum_u8(sum, nulls & 4 ? NULL : sq, a, s, n);
                kt_equal(t, want, sum, n * 4, "sum, n, nulls", n, (size_t)nulls);
                if (!(nulls & 4))
                    kt_equal(t, want_sq, sq, n * 4, "squares, n, nulls", n, (size_t)nulls);
            }
}

static void fill_weights(struct kt *t, int16_t *w, size_t taps)
{
    int rest = 16384;
    for (size_t i = 0; i + 1 < taps; i++) {
        w[i] = (int16_t)((int)(kt_random(t) % 9000) - 3000);
        rest -= w[i];
    }
    w[taps - 1] = (int16_t)rest;
}

void pl_test_resize_rows(struct kt *t)
{
    static const size_t counts[] = {1, 2, 3, 4, 5, 7};
    const uint8_t *rows[7];
    for (size_t i = 0, n; (n = kt_size(i)) != SIZE_MAX; i++)
        for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++)
            for (int side = 0; side < KT_SIDES; side++) {
                size_t taps = counts[c];
                int16_t *w = kt_buf(0, taps * 2, side);
                fill_weights(t, w, taps);
                uint8_t *want = kt_buf(1, n, side), *got = kt_buf(2, n, side);
                for (size_t j = 0; j < taps; j++) { /* the rows share a few slots */
                    uint8_t *row = kt_buf(3 + (int)(j % 5), n, side);
                    kt_fill(t, row, n, kt_random(t) % 4 ? KT_RANDOM : KT_ONES);
                    rows[j] = row;
                }
                for (size_t x = 0; x < n; x++) {
                    int64_t acc = 8192;
                    for (size_t j = 0; j < taps; j++)
                        acc += rows[j][x] * w[j];
                    acc >>= 14;
                    want[x] = (uint8_t)(acc < 0 ? 0 : acc > 255 ? 255 : acc);
                }
                t->k->resize_rows(got, rows, w, taps, n);
                kt_equal(t, want, got, n, "n, taps", n, taps);
            }
}

void pl_test_halve_rows(struct kt *t)
{
    for (size_t i = 0, n; (n = kt_size(i)) != SIZE_MAX; i++)
        for (int side = 0; side < KT_SIDES; side++)
            for (int pattern = 0; pattern < KT_PATTERNS; pattern++) {
                uint8_t *top = kt_buf(0, 2 * n, side), *bottom = kt_buf(1, 2 * n, side);
                uint8_t *want = kt_buf(2, n, side), *got = kt_buf(3, n, side);
                kt_fill(t, top, 2 * n, pattern);
                kt_fill(t, bottom, 2 * n, kt_random(t) % 2 ? KT_RANDOM : (enum kt_pattern)pattern);
                for (size_t x = 0; x < n; x++) {
                    unsigned sum = top[2 * x];
                    sum += top[2 * x + 1];
                    sum += bottom[2 * x];
                    sum += bottom[2 * x + 1];
                    want[x] = (uint8_t)(sum / 4 + (sum % 4 >= 2));
                }
                t->k->halve_rows(got, top, bottom, n);
                kt_equal(t, want, got, n, "n, pattern", n, pattern);
            }
}

void pl_test_resize_cols(struct kt *t)
{
    for (size_t i = 0, n; (n = kt_size(i)) != SIZE_MAX; i++)
        for (size_t taps = 1; taps < 20; taps++)
            for (int side = 0; side < KT_SIDES; side++) {
                size_t width = taps + kt_random(t) % 200;
                uint8_t *src = kt_buf(0, width, side);
                int32_t *start = kt_buf(1, n * 4, side);
                int16_t *w = kt_buf(2, n * taps * 2, side);
                uint8_t *want = kt_buf(3, n, side), *got = kt_buf(4, n, side);
                kt_fill(t, src, width, kt_random(t) % 4 ? KT_RANDOM : KT_ONES);
                for (size_t x = 0; x < n; x++) {
                    start[x] = (int32_t)(kt_random(t) % (width - taps + 1));
                    fill_weights(t, w + x * taps, taps);
                    int64_t acc = 8192;
                    for (size_t j = 0; j < taps; j++)
                        acc += src[(size_t)start[x] + j] * w[x * taps + j];
                    acc >>= 14;
                    want[x] = (uint8_t)(acc < 0 ? 0 : acc > 255 ? 255 : acc);
                }
                t->k->resize_cols(got, src, start, w, taps, n);
                kt_equal(t, want, got, n, "n, taps", n, taps);
            }
}

static void warp_case(struct kt *t, size_t n, int w, int h, enum kt_side side)
{
    size_t stride = (size_t)w + kt_random(t) % 9;
    size_t bytes = stride * (size_t)(h - 1) + (size_t)w;
    uint8_t *src = kt_buf(0, bytes, side);
    uint8_t *want = kt_buf(1, n, side), *got = kt_buf(2, n, side);
    kt_fill(t, src, bytes, KT_RANDOM);
    if (kt_random(t) % 2) /* the steepest steps from pixel to pixel */
        for (size_t i = 0; i < bytes; i++)
            src[i] = src[i] & 1 ? 255 : 0;
    int64_t range = (int64_t)(w + h) << 16;
    int64_t x = (int64_t)(kt_random(t) % (uint64_t)(2 * range)) - range / 2;
    int64_t y = (int64_t)(kt_random(t) % (uint64_t)(2 * range)) - range / 2;
    bool small = kt_random(t) % 2; /* as a deskew has it: about one pixel a step */
    int64_t dx = (int32_t)kt_random(t), dy = (int32_t)kt_random(t);
    bool huge = kt_random(t) % 8 == 0;
    dx = huge ? dx * 256 : dx >> 13;
    dy = huge ? dy * 256 : dy >> 13;
    if (small) { /* from inside */
        dx = 65536 + (int64_t)(kt_random(t) % 1801) - 900;
        dy = kt_random(t) % 8 ? (int64_t)(kt_random(t) % 20001) - 10000 : 0;
        x = (int64_t)(kt_random(t) % (uint32_t)w) * 65536 - 40000;
        y = (int64_t)(kt_random(t) % (uint32_t)h) * 65536 - 40000;
    }
    if (kt_random(t) % 4 == 0) { /* samples exactly on pixels, rows and the edge */
        x &= ~(int64_t)255, y &= ~(int64_t)255;
        dx &= ~(int64_t)255, dy &= ~(int64_t)255;
    }
    t->ref->warp_row(want, n, src, stride, w, h, x, y, dx, dy, 201);
    t->k->warp_row(got, n, src, stride, w, h, x, y, dx, dy, 201);
    kt_equal(t, want, got, n, "n, width", n, (size_t)w);
}

void pl_test_warp_row(struct kt *t)
{
    static const int sizes[][2] = {{1, 1}, {2, 1}, {1, 3}, {5, 4}, {64, 33}, {333, 40}, {1200, 9}};
    for (size_t i = 0, n; (n = kt_size(i)) != SIZE_MAX; i++)
        for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
            for (int round = 0; round < 8; round++)
                warp_case(t, n, sizes[s][0], sizes[s][1], (enum kt_side)(round % KT_SIDES));
    /* the middle of four pixels, and the edge of the picture, by hand */
    const uint8_t px[4] = {10, 20, 30, 40};
    uint8_t out[3];
    t->k->warp_row(out, 3, px, 2, 2, 2, -65536, 32768, 98304, 0, 100);
    kt_equal(t, (const uint8_t[]){100, 25, 100}, out, 3, "by hand", 0, 0);
}

void pl_test_transpose_u8(struct kt *t)
{
    for (size_t w = 0; w < 70; w += 1 + w / 9)
        for (size_t h = 0; h < 300; h += 1 + h / 9)
            for (int side = 0; side < KT_SIDES; side++) {
                size_t ss = w + kt_random(t) % 5, ds = h + kt_random(t) % 5;
                size_t sn = h ? ss * (h - 1) + w : 0, dn = w ? ds * (w - 1) + h : 0;
                uint8_t *src = kt_buf(0, sn, side), *got = kt_buf(1, dn, side);
                uint8_t *want = kt_buf(2, dn, side);
                kt_fill(t, src, sn, KT_RANDOM);
                kt_fill(t, got, dn, KT_RANDOM);
                memcpy(want, got, dn); /* what lies between the rows stays */
                for (size_t y = 0; y < h; y++)
                    for (size_t x = 0; x < w; x++)
                        want[x * ds + y] = src[y * ss + x];
                t->k->transpose_u8(got, ds, src, ss, w, h);
                kt_equal(t, want, got, dn, "w, h", w, h);
            }
}
