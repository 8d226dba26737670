/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>
#include <string.h>

#include "simd/qgemm.h"
#include "tests/kernels/tester.h"

/* Slots: 0 src, 1 weights, 2 bias, 3 scale, 4 residual, 5 want, 6 got. */
struct shape {
    size_t n_px, n_oc, runs, run_bytes;
};

static size_t blocks(size_t n_oc)
{
    return (n_oc + PL_QGEMM_BLOCK - 1) / PL_QGEMM_BLOCK;
}

/* Multipliers over the whole range of a byte, and now and then ties and the limits of the format.
 */
static void fill_scales(struct kt *t, float *scale, size_t n, size_t k)
{
    static const float some[] = {0.5f, 0.25f, 1.f, 1e-12f, 1e6f};
    for (size_t i = 0; i < n; i++) {
        scale[i] = (float)(1 + kt_random(t) % 1000) / 1000.f / (128.f * (float)k);
        if (kt_random(t) % 4 == 0)
            scale[i] = some[kt_random(t) % 5];
    }
}

static void fill_bias(struct kt *t, int32_t *bias, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bias[i] = kt_random(t) % 16 ? (int32_t)(kt_random(t) % 200001) - 100000
                                    : (kt_random(t) % 2 ? 1 << 30 : -(1 << 30));
}

static int8_t *weight_of(int8_t *w, const struct shape *s, size_t o, size_t run, size_t byte)
{
    size_t k = run * s->run_bytes + byte;
    return &w[((o / 16 * (s->runs * s->run_bytes / 4) + k / 4) * 16 + o % 16) * 4 + k % 4];
}

/* The weights of bytes at, at + 1 and, of narrow ones, at + 4 and at + 5 of a run, as far as there
 * are any: those above 0 come to PL_QGEMM_NARROW at most, and often to just that; as those below 0.
 */
static void fill_lane(struct kt *t, int8_t *w, const struct shape *s, size_t o, size_t run,
                      size_t at, bool narrow)
{
    int left[2] = {PL_QGEMM_NARROW, PL_QGEMM_NARROW};
    for (size_t j = 0; j < (narrow ? 4 : 2); j++) {
        size_t byte = at + j / 2 * 4 + j % 2;
        if (byte >= s->run_bytes)
            return;
        size_t below = kt_random(t) % 2;
        int v = kt_random(t) % 2 ? left[below] : (int)(kt_random(t) % (size_t)(left[below] + 1));
        v = v > 127 && !below ? 127 : v;
        left[below] -= v;
        *weight_of(w, s, o, run, byte) = (int8_t)(below ? -v : v);
    }
}

static void fill_limited(struct kt *t, int8_t *w, const struct shape *s, bool narrow)
{
    for (size_t o = 0; o < blocks(s->n_oc) * PL_QGEMM_BLOCK; o++)
        for (size_t run = 0; run < s->runs; run++)
            for (size_t at = 0; at < s->run_bytes; at += narrow && at % 4 ? 6 : 2)
                fill_lane(t, w, s, o, run, at, narrow);
}

/* Puts one unit too much into a lane. */
static void spoil(struct kt *t, int8_t *w, const struct shape *s, bool narrow)
{
    size_t o = kt_random(t) % s->n_oc, run = kt_random(t) % s->runs;
    size_t at =
        kt_random(t) % (s->run_bytes / 8 + (s->run_bytes % 8 != 0)) * 8 + kt_random(t) % 2 * 2;
    int sign = kt_random(t) % 2 ? 1 : -1;
    for (size_t j = 0; j < 4 && at + j / 2 * 4 + j % 2 < s->run_bytes; j++)
        *weight_of(w, s, o, run, at + j / 2 * 4 + j % 2) = 0;
    *weight_of(w, s, o, run, at) = (int8_t)(sign * 100);
    bool pair = !narrow || at + 4 >= s->run_bytes || kt_random(t) % 2;
    *weight_of(w, s, o, run, pair ? at + 1 : at + 4 + kt_random(t) % 2) = (int8_t)(sign * 29);
}

static bool is_limited(const int8_t *w, const struct shape *s, bool narrow)
{
    return narrow ? pl_qgemm_is_narrow(w, s->n_oc, s->runs, s->run_bytes)
                  : pl_qgemm_is_paired(w, s->n_oc, s->runs * s->run_bytes);
}

/* Weights at the limit of what is narrow or paired, or by one unit beyond it; gives whether they
 * are. */
static bool make_limited(struct kt *t, int8_t *w, const struct shape *s, bool narrow)
{
    fill_limited(t, w, s, narrow);
    if (!is_limited(w, s, narrow) || !is_limited(w, s, false))
        kt_fail(t, "limited weights are taken for wide ones");
    if (kt_random(t) % 4)
        return true;
    spoil(t, w, s, narrow);
    if (is_limited(w, s, narrow))
        kt_fail(t, "wide weights are taken for limited ones");
    return false;
}

static struct pl_qgemm make_gemm(struct kt *t, struct shape s, enum kt_side side)
{
    size_t k = s.runs * s.run_bytes, padded = blocks(s.n_oc) * PL_QGEMM_BLOCK;
    struct pl_qgemm g = {.src_step = 1 + kt_random(t) % (s.run_bytes + 3),
                         .run_stride = s.run_bytes + kt_random(t) % 7,
                         .runs = s.runs,
                         .run_bytes = s.run_bytes,
                         .n_px = s.n_px,
                         .n_oc = s.n_oc};
    size_t src = (s.n_px - 1) * g.src_step + (s.runs - 1) * g.run_stride + s.run_bytes;
    uint8_t *px = kt_buf(0, src, side);
    int8_t *w = kt_buf(1, padded * k, side);
    int32_t *bias = kt_buf(2, padded * 4, side);
    float *scale = kt_buf(3, padded * 4, side);
    kt_fill(t, px, src, kt_random(t) % 3 ? KT_RANDOM : KT_ONES);
    kt_fill(t, w, padded * k, KT_RANDOM);
    if (kt_random(t) % 4 == 0) /* pairs that saturate 16 bits */
        memset(w, kt_random(t) % 2 ? 127 : -128, padded * k);
    else if (kt_random(t) % 2)
        g.narrow = make_limited(t, w, &s, true);
    else if (kt_random(t) % 2)
        g.paired = make_limited(t, w, &s, false);
    fill_bias(t, bias, padded);
    fill_scales(t, scale, padded, k);
    g.src = px;
    g.weights = w;
    g.bias = bias;
    g.scale = scale;
    return g;
}

/* Takes the weights of the last channels: all of half a block, or all but one of them. */
static void make_half(struct kt *t, struct pl_qgemm *g, const struct shape *s)
{
    int8_t *w = (int8_t *)g->weights;
    const size_t padded = blocks(s->n_oc) * PL_QGEMM_BLOCK, k = s->runs * s->run_bytes;
    const bool but_one = kt_random(t) % 4 == 0;
    const size_t one_o = padded - 1 - kt_random(t) % 8, one_k = kt_random(t) % k;
    for (size_t o = padded - PL_QGEMM_BLOCK / 2; o < padded; o++)
        for (size_t i = 0; i < k; i++)
            *weight_of(w, s, o, i / s->run_bytes, i % s->run_bytes) = 0;
    if (but_one)
        *weight_of(w, s, one_o, one_k / s->run_bytes, one_k % s->run_bytes) = 1;
    g->half_block = pl_qgemm_has_half_block(w, s->n_oc, k);
    if (g->half_block == but_one)
        kt_fail(t, "half a block is not told from a whole one");
}

static int32_t accumulate(const struct pl_qgemm *g, size_t px, size_t oc)
{
    size_t k4 = g->runs * g->run_bytes / 4;
    int32_t acc = g->bias[oc];
    for (size_t r = 0, k = 0; r < g->runs; r++)
        for (size_t b = 0; b < g->run_bytes; b++, k++)
            acc += g->src[px * g->src_step + r * g->run_stride + b] *
                   g->weights[((oc / 16 * k4 + k / 4) * 16 + oc % 16) * 4 + k % 4];
    return acc;
}

static uint8_t requantise(int32_t acc, float scale, const struct pl_requant *q, size_t px, size_t c)
{
    float f = (float)acc * scale;
    if (q->residual)
        f = f +
            (float)(q->residual[px * q->residual_step + c] - q->residual_zero) * q->residual_scale;
    f = fminf(f, (float)(255 - q->zero));
    f = fmaxf(f, (float)-q->zero);
    return (uint8_t)((int)rintf(f) + q->zero);
}

static struct pl_requant make_requant(struct kt *t, const struct shape *s, enum kt_side side)
{
    struct pl_requant q = {.zero = kt_random(t) % 2 ? (int32_t)(kt_random(t) % 256) : 0};
    if (s && kt_random(t) % 2) {
        q.residual_step = s->n_oc + kt_random(t) % 20;
        size_t n = (s->n_px - 1) * q.residual_step + s->n_oc;
        uint8_t *r = kt_buf(4, n, side);
        kt_fill(t, r, n, KT_RANDOM);
        q.residual = r;
        q.residual_zero = (int32_t)(kt_random(t) % 256);
        q.residual_scale = 0.37f;
    }
    return q;
}

static const size_t pixels[] = {1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 23, 24, 25, 31, 49, 129};

void pl_test_qgemm_u8(struct kt *t)
{
    static const size_t channels[] = {16, 32, 48, 64, 96, 112};
    static const size_t runs[][2] = {{1, 4}, {1, 16}, {3, 12}, {3, 48}, {2, 100}, {1, 384}};
    for (size_t p = 0; p < sizeof(pixels) / sizeof(pixels[0]); p++)
        for (size_t c = 0; c < sizeof(channels) / sizeof(channels[0]); c++)
            for (size_t r = 0; r < sizeof(runs) / sizeof(runs[0]); r++) {
                struct shape s = {pixels[p], channels[c], runs[r][0], runs[r][1]};
                enum kt_side side = (enum kt_side)(kt_random(t) % KT_SIDES);
                struct pl_qgemm g = make_gemm(t, s, side);
                if (kt_random(t) % 2)
                    make_half(t, &g, &s);
                struct pl_requant q = make_requant(t, &s, side);
                g.dst_step = s.n_oc + kt_random(t) % 5;
                size_t n = (s.n_px - 1) * g.dst_step + s.n_oc;
                uint8_t *want = kt_buf(5, n, side), *got = kt_buf(6, n, side);
                kt_fill(t, got, n, KT_RANDOM);
                memcpy(want, got, n);
                for (size_t i = 0; i < s.n_px; i++)
                    for (size_t o = 0; o < s.n_oc; o++)
                        want[i * g.dst_step + o] =
                            requantise(accumulate(&g, i, o), g.scale[o], &q, i, o);
                t->k->qgemm_u8(got, &g, &q);
                kt_equal(t, want, got, n, "pixels, channels", s.n_px, s.n_oc);
            }
}

void pl_test_qgemm_f32(struct kt *t)
{
    static const size_t channels[] = {1, 3, 15, 16, 17, 33, 64, 109, 130};
    for (size_t p = 0; p < sizeof(pixels) / sizeof(pixels[0]); p++)
        for (size_t c = 0; c < sizeof(channels) / sizeof(channels[0]); c++) {
            struct shape s = {pixels[p], channels[c], 1 + p % 3, 4 + 4 * (kt_random(t) % 50)};
            enum kt_side side = (enum kt_side)(kt_random(t) % KT_SIDES);
            struct pl_qgemm g = make_gemm(t, s, side);
            if (kt_random(t) % 2)
                make_half(t, &g, &s);
            g.dst_step = s.n_oc + kt_random(t) % 5;
            size_t n = (s.n_px - 1) * g.dst_step + s.n_oc;
            float *want = kt_buf(5, n * 4, side), *got = kt_buf(6, n * 4, side);
            kt_fill(t, got, n * 4, KT_RANDOM);
            memcpy(want, got, n * 4);
            for (size_t i = 0; i < s.n_px; i++)
                for (size_t o = 0; o < s.n_oc; o++)
                    want[i * g.dst_step + o] = (float)accumulate(&g, i, o) * g.scale[o];
            t->k->qgemm_f32(got, &g);
            kt_equal(t, want, got, n * 4, "pixels, channels", s.n_px, s.n_oc);
        }
}

void pl_test_qdw_u8(struct kt *t)
{
    for (size_t p = 0; p < sizeof(pixels) / sizeof(pixels[0]); p++)
        for (size_t channels = 16; channels <= 192; channels += 16 + channels)
            for (size_t taps = 4; taps <= PL_QDW_MAX_TAPS; taps += 4) {
                enum kt_side side = (enum kt_side)(kt_random(t) % KT_SIDES);
                size_t src = (pixels[p] + taps - 1) * channels, n = pixels[p] * channels;
                uint8_t *px = kt_buf(0, src, side);
                int8_t *w = kt_buf(1, channels * taps, side);
                int32_t *bias = kt_buf(2, channels * 4, side);
                float *scale = kt_buf(3, channels * 4, side);
                kt_fill(t, px, src, kt_random(t) % 3 ? KT_RANDOM : KT_ONES);
                kt_fill(t, w, channels * taps, KT_RANDOM);
                fill_bias(t, bias, channels);
                fill_scales(t, scale, channels, taps);
                struct pl_qdw d = {px, pixels[p], channels, taps, w, bias, scale};
                struct pl_requant q = make_requant(t, NULL, side);
                uint8_t *want = kt_buf(5, n, side), *got = kt_buf(6, n, side);
                for (size_t i = 0; i < pixels[p]; i++)
                    for (size_t c = 0; c < channels; c++) {
                        int32_t acc = bias[c];
                        for (size_t k = 0; k < taps; k++)
                            acc += px[(i + k) * channels + c] *
                                   w[((c / 16 * (taps / 4) + k / 4) * 16 + c % 16) * 4 + k % 4];
                        want[i * channels + c] = requantise(acc, scale[c], &q, i, c);
                    }
                t->k->qdw_u8(got, &d, &q);
                kt_equal(t, want, got, n, "pixels, taps", pixels[p], taps);
            }
}
