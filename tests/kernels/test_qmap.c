/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>
#include <string.h>

#include "simd/qmap.h"
#include "tests/kernels/tester.h"

/* Slots: 0 and 1 src, 2 weights or factors, 3 bias, 4 scale, 5 want, 6 got, 7 residual. */

static uint8_t limited(float f, int zero)
{
    f = f < (float)(255 - zero) ? f : (float)(255 - zero);
    f = f > (float)-zero ? f : (float)-zero;
    return (uint8_t)((int)rintf(f) + zero);
}

static int some_byte(struct kt *t)
{
    return kt_random(t) % 4 ? (int)(kt_random(t) % 256) : (int)(kt_random(t) % 2) * 255;
}

static float some_ratio(struct kt *t)
{
    static const float some[] = {0.5f, 0.25f, 1.f, 1e-12f, 1e6f};
    return kt_random(t) % 4 ? (float)(1 + kt_random(t) % 4000) / 1000.f : some[kt_random(t) % 5];
}

void pl_test_quantize_u8(struct kt *t)
{
    static const float odd[] = {NAN, INFINITY, -INFINITY, -0.f, 1e-40f, 3e38f, 127.5f, -0.5f};
    for (size_t i = 0; kt_size(i) != SIZE_MAX; i++)
        for (enum kt_side side = 0; side < KT_SIDES; side++) {
            const size_t n = kt_size(i);
            const float inv = some_ratio(t);
            const int zero = some_byte(t);
            float *src = kt_buf(0, 4 * n, side);
            uint8_t *want = kt_buf(5, n, side), *got = kt_buf(6, n, side);
            for (size_t k = 0; k < n; k++) {
                src[k] = ((float)(kt_random(t) % 4096) - 2048) / 8;
                if (kt_random(t) % 8 == 0)
                    src[k] = odd[kt_random(t) % 8];
                want[k] = limited(src[k] * inv, zero);
            }
            t->k->quantize_u8(got, src, n, inv, zero);
            kt_equal(t, want, got, n, "size, zero", n, (size_t)zero);
        }
}

void pl_test_dequantize_u8(struct kt *t)
{
    for (size_t i = 0; kt_size(i) != SIZE_MAX; i++)
        for (enum kt_side side = 0; side < KT_SIDES; side++) {
            const size_t n = kt_size(i);
            const float scale = some_ratio(t);
            const int zero = some_byte(t);
            uint8_t *src = kt_buf(0, n, side);
            float *want = kt_buf(5, 4 * n, side), *got = kt_buf(6, 4 * n, side);
            kt_fill(t, src, n, KT_RANDOM);
            for (size_t k = 0; k < n; k++)
                want[k] = (float)(src[k] - zero) * scale;
            t->k->dequantize_u8(got, src, n, scale, zero);
            kt_equal(t, want, got, 4 * n, "size, zero", n, (size_t)zero);
        }
}

void pl_test_qadd_u8(struct kt *t)
{
    for (size_t i = 0; kt_size(i) != SIZE_MAX; i++)
        for (enum kt_side side = 0; side < KT_SIDES; side++) {
            const size_t n = kt_size(i);
            struct pl_qadd q = {.a_zero = some_byte(t),
                                .b_zero = some_byte(t),
                                .zero = some_byte(t),
                                .a_ratio = some_ratio(t),
                                .b_ratio = -some_ratio(t)};
            uint8_t *a = kt_buf(0, n, side), *b = kt_buf(1, n, side);
            uint8_t *want = kt_buf(5, n, side), *got = kt_buf(6, n, side);
            kt_fill(t, a, n, KT_RANDOM);
            kt_fill(t, b, n, KT_RANDOM);
            for (size_t k = 0; k < n; k++) {
                float f = (float)(a[k] - q.a_zero) * q.a_ratio;
                f = f + (float)(b[k] - q.b_zero) * q.b_ratio;
                want[k] = limited(f, q.zero);
            }
            t->k->qadd_u8(got, a, b, n, &q);
            kt_equal(t, want, got, n, "size, zero", n, (size_t)q.zero);
            t->k->qadd_u8(a, a, b, n, &q);
            kt_equal(t, want, a, n, "in place: size, zero", n, (size_t)q.zero);
        }
}

void pl_test_qscale_u8(struct kt *t)
{
    for (size_t px = 1; px < 20; px++)
        for (size_t channels = 16; channels <= 112; channels += 16) {
            const enum kt_side side = (enum kt_side)(px % KT_SIDES);
            const size_t n = px * channels;
            const int src_zero = some_byte(t), zero = some_byte(t);
            uint8_t *src = kt_buf(0, n, side);
            float *factor = kt_buf(2, 4 * channels, side);
            uint8_t *want = kt_buf(5, n, side), *got = kt_buf(6, n, side);
            kt_fill(t, src, n, KT_RANDOM);
            for (size_t c = 0; c < channels; c++)
                factor[c] = kt_random(t) % 20 ? some_ratio(t) : NAN;
            for (size_t k = 0; k < n; k++)
                want[k] = limited((float)(src[k] - src_zero) * factor[k % channels], zero);
            t->k->qscale_u8(got, src, px, channels, factor, src_zero, zero);
            kt_equal(t, want, got, n, "pixels, channels", px, channels);
        }
}

/* What the kernel may read, and what it computes. */
static void check_plane(struct kt *t, struct pl_qplane p, enum kt_side side)
{
    const size_t quads = (p.kernel_h + 3) / 4, width = (p.n_px - 1) * p.stride + p.kernel_w;
    const size_t weights = p.channels * p.kernel_w * quads * 4, n_px = p.n_rows * p.n_px;
    const size_t n = n_px * p.channels, rows = (p.n_rows - 1) * p.down + 4 * quads;
    p.row_stride = width * p.channels + kt_random(t) % 5;
    const size_t bytes = (rows - 1) * p.row_stride + width * p.channels;
    uint8_t *src = kt_buf(0, bytes, side), *want = kt_buf(5, n, side), *got = kt_buf(6, n, side);
    int8_t *w = kt_buf(2, weights, side);
    int32_t *bias = kt_buf(3, 4 * p.channels, side);
    float *scale = kt_buf(4, 4 * p.channels, side);
    struct pl_requant q = {.zero = some_byte(t)};
    if (kt_random(t) % 2) {
        q.residual_step = p.channels + kt_random(t) % 9;
        uint8_t *r = kt_buf(7, (n_px - 1) * q.residual_step + p.channels, side);
        kt_fill(t, r, (n_px - 1) * q.residual_step + p.channels, KT_RANDOM);
        q.residual = r;
        q.residual_zero = some_byte(t);
        q.residual_scale = 0.37f;
    }
    kt_fill(t, src, bytes, kt_random(t) % 3 ? KT_RANDOM : KT_ONES);
    kt_fill(t, w, weights, KT_RANDOM);
    for (size_t k = 0; k < weights; k++) /* rows that are not there */
        if (k / 64 % quads * 4 + k % 4 >= p.kernel_h)
            w[k] = 0;
    for (size_t c = 0; c < p.channels; c++) {
        bias[c] = (int32_t)(kt_random(t) % 20001) - 10000;
        scale[c] = some_ratio(t) / 500;
    }
    p.src = src;
    p.weights = w;
    p.bias = bias;
    p.scale = scale;
    for (size_t i = 0; i < n; i++) {
        const size_t px = i / p.channels, c = i % p.channels;
        const uint8_t *from =
            src + px / p.n_px * p.down * p.row_stride + px % p.n_px * p.stride * p.channels + c;
        int32_t acc = bias[c];
        for (size_t k = 0; k < p.kernel_h * p.kernel_w; k++) {
            const size_t y = k / p.kernel_w, x = k % p.kernel_w;
            acc += from[y * p.row_stride + x * p.channels] *
                   w[((c / 16 * p.kernel_w + x) * quads + y / 4) * 64 + c % 16 * 4 + y % 4];
        }
        float f = (float)acc * scale[c];
        if (q.residual)
            f = f +
                (float)(q.residual[px * q.residual_step + c] - q.residual_zero) * q.residual_scale;
        want[i] = limited(f, q.zero);
    }
    t->k->qplane_u8(got, &p, &q);
    kt_equal(t, want, got, n, "pixels, rows", p.n_px, p.n_rows);
}

void pl_test_qplane_u8(struct kt *t)
{
    static const size_t pixels[] = {1, 2, 15, 16, 17, 31, 32, 33, 67},
                        kernels[] = {1, 2, 3, 5, 7, 16};
    for (size_t p = 0; p < sizeof(pixels) / sizeof(*pixels); p++)
        for (size_t h = 0; h < 6; h++)
            for (size_t w = 0; w < 6; w++)
                check_plane(t,
                            (struct pl_qplane){.stride = 1 + kt_random(t) % 3,
                                               .down = 1 + kt_random(t) % 3,
                                               .n_rows = 1 + kt_random(t) % 5,
                                               .channels = 16 + 16 * (kt_random(t) % 3),
                                               .n_px = pixels[p],
                                               .kernel_h = kernels[h],
                                               .kernel_w = kernels[w]},
                            (enum kt_side)(kt_random(t) % KT_SIDES));
}
