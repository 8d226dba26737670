/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "simd/qwinograd.h"
#include "tests/kernels/tester.h"

/* Slots: 0 src, 1 tiles, 2 weights, 3 sums, 4 bias and scale, 5 residual, 6 want, 7 got. */
enum { OUT = PL_QWINOGRAD_OUT, SIDE = PL_QWINOGRAD_SIDE, POINTS = PL_QWINOGRAD_POINTS };
enum { BLOCK = PL_QGEMM_BLOCK };

static const int input_rows[SIDE][SIDE] = {{4, 0, -5, 0, 1, 0},  {0, -4, -4, 1, 1, 0},
                                           {0, 4, -4, -1, 1, 0}, {0, -2, -1, 2, 1, 0},
                                           {0, 2, -1, -2, 1, 0}, {0, 4, 0, -5, 0, 1}};
static const int weight_rows[SIDE][3] = {{6, 0, 0}, {-4, -4, -4}, {-4, 4, -4},
                                         {1, 2, 4}, {1, -2, 4},   {0, 0, 3}};

/* Bytes 0 and 255 in each tile, so that point `at` of the even tiles is as large as it can be, and
 * of the odd ones as small. */
static void fill_extreme(uint8_t *src, size_t row, size_t n, size_t channels, size_t at)
{
    for (size_t r = 0; r < SIDE; r++)
        for (size_t i = 0; i < (n * OUT + 2) * channels; i++) {
            const size_t x = i / channels, column = x % (2 * OUT);
            const int weight = input_rows[at / SIDE][r] * input_rows[at % SIDE][column % SIDE];
            src[r * row + i] = (weight > 0) == (column < SIDE) ? 255 : 0;
        }
}

static void points_of(struct kt *t, size_t n, size_t channels, size_t extreme)
{
    const enum kt_side side = (enum kt_side)(kt_random(t) % KT_SIDES);
    const size_t line = (n * OUT + 2) * channels, row = line + kt_random(t) % 9;
    const size_t step = n * channels + kt_random(t) % 9;
    const size_t bytes = ((POINTS - 1) * step + n * channels) * sizeof(int16_t);
    uint8_t *src = kt_buf(0, (SIDE - 1) * row + line, side);
    int16_t *want = kt_buf(6, bytes, side), *got = kt_buf(7, bytes, side);
    kt_fill(t, src, (SIDE - 1) * row + line, KT_RANDOM);
    if (extreme < POINTS)
        fill_extreme(src, row, n, channels, extreme);
    memset(want, 0, bytes);
    memset(got, 0, bytes);
    for (size_t p = 0; p < POINTS; p++)
        for (size_t i = 0; i < n * channels; i++) {
            int sum = 0;
            for (size_t d = 0; d < POINTS; d++)
                sum +=
                    input_rows[p / SIDE][d / SIDE] * input_rows[p % SIDE][d % SIDE] *
                    src[d / SIDE * row + (i / channels * OUT + d % SIDE) * channels + i % channels];
            want[p * step + i] = (int16_t)sum;
            if (want[p * step + i] != sum)
                kt_fail(t, "point %zu does not fit 16 bits: %d", p, sum);
        }
    t->k->qwinograd_in(got, step, src, row, n, channels);
    kt_equal(t, want, got, bytes, "tiles, channels", n, channels);
}

void pl_test_qwinograd_in(struct kt *t)
{
    for (size_t n = 1; n < 20; n++)
        for (size_t channels = 16; channels <= 80; channels += 16)
            points_of(t, n, channels, kt_random(t) % (2 * POINTS));
    for (size_t p = 0; p < POINTS; p++)
        points_of(t, 2, 16, p);
}

static void fill_numbers(struct kt *t, int16_t *p, size_t n)
{
    static const int16_t some[] = {INT16_MIN, INT16_MAX, -1, 0};
    kt_fill(t, p, n * sizeof(*p), KT_RANDOM);
    for (size_t i = 0; kt_random(t) % 2 && i < n; i++)
        p[i] = some[kt_random(t) % 4];
}

static void products_of(struct kt *t, size_t n, size_t inputs)
{
    const enum kt_side side = (enum kt_side)(kt_random(t) % KT_SIDES);
    struct pl_qwinograd_mul m = {.n = n, .channels = (inputs + 15) / 16 * 16, .inputs = inputs};
    const size_t tile = n * m.channels, bytes = POINTS * n * BLOCK * sizeof(int32_t);
    m.point_step = tile + kt_random(t) % 9;
    m.half = kt_random(t) % 3 == 0;
    int16_t *tiles = kt_buf(1, ((POINTS - 1) * m.point_step + tile) * sizeof(*tiles), side);
    int16_t *weights = kt_buf(2, POINTS * inputs * BLOCK * sizeof(*weights), side);
    int32_t *want = kt_buf(6, bytes, side), *got = kt_buf(7, bytes, side);
    fill_numbers(t, tiles, (POINTS - 1) * m.point_step + tile);
    fill_numbers(t, weights, POINTS * inputs * BLOCK);
    for (size_t i = 0; m.half && i < POINTS * inputs * BLOCK; i++)
        weights[i] = i % (2 * BLOCK) < BLOCK ? weights[i] : 0;
    m.tiles = tiles;
    m.weights = weights;
    for (size_t p = 0; p < POINTS; p++)
        for (size_t i = 0; i < n * BLOCK; i++) {
            int64_t sum = 0;
            for (size_t k = 0; k < inputs; k++)
                sum += (int64_t)tiles[p * m.point_step + i / BLOCK * m.channels + k] *
                       weights[((p * inputs + k) / 2 * BLOCK + i % BLOCK) * 2 + k % 2];
            want[p * n * BLOCK + i] = (int32_t)(uint32_t)sum;
        }
    kt_fill(t, got, bytes, KT_RANDOM);
    t->k->qwinograd_mul(got, &m);
    kt_equal(t, want, got, bytes, "tiles, inputs", n, inputs);
}

void pl_test_qwinograd_mul(struct kt *t)
{
    for (size_t n = 1; n < 20; n++)
        for (size_t inputs = 2; inputs < 70; inputs += 2 + 4 * (kt_random(t) % 4))
            products_of(t, n, inputs);
}

/* A convolution of `channels` channels to 16, of bytes and weights of 3 x 3. */
struct layer {
    size_t channels, n, rows, width;
    uint8_t *src;    /* [6][4 n + 2][channels] */
    int8_t *weights; /* [channels][16][9] */
};

/* What the three kernels make of it. The sums are one element from their end to the next point. */
static void convolve_by_tiles(struct kt *t, const struct layer *l, struct pl_qwinograd_out *o,
                              const struct pl_requant *q, uint8_t *dst)
{
    const size_t line = (l->n * OUT + 2) * l->channels;
    int16_t *tiles = kt_buf(1, POINTS * l->n * l->channels * sizeof(*tiles), KT_TAIL);
    int16_t *weights = kt_buf(2, POINTS * l->channels * BLOCK * sizeof(*weights), KT_TAIL);
    int32_t *sums = kt_buf(3, POINTS * l->n * BLOCK * sizeof(*sums), KT_TAIL);
    const struct pl_qwinograd_mul m = {.tiles = tiles,
                                       .point_step = l->n * l->channels,
                                       .n = l->n,
                                       .channels = l->channels,
                                       .inputs = l->channels,
                                       .weights = weights};
    for (size_t i = 0; i < POINTS * l->channels * BLOCK; i++) {
        const size_t p = i / (l->channels * BLOCK), k = i / (2 * BLOCK) % (l->channels / 2);
        const int8_t *w = l->weights + ((2 * k + i % 2) * BLOCK + i / 2 % BLOCK) * 9;
        weights[i] = 0;
        for (size_t d = 0; d < 9; d++)
            weights[i] = (int16_t)(weights[i] + weight_rows[p / SIDE][d / 3] *
                                                    weight_rows[p % SIDE][d % 3] * w[d]);
    }
    t->k->qwinograd_in(tiles, l->n * l->channels, l->src, line, l->n, l->channels);
    t->k->qwinograd_mul(sums, &m);
    o->sums = sums;
    o->point_step = l->n * BLOCK;
    t->k->qwinograd_out(dst, o, q);
}

/* And what one sum for each output makes of it, by the law of struct pl_requant. */
static void convolve(const struct kt *t, const struct layer *l, const struct pl_qwinograd_out *o,
                     const struct pl_requant *q, uint8_t *dst)
{
    for (size_t at = 0; at < l->rows * l->width; at++) {
        const size_t r = at / l->width, x = at % l->width;
        uint8_t *px = dst + r * o->row_step + x * o->px_step;
        struct pl_requant one = *q;
        int8_t nothing[4 * BLOCK] = {0};
        const uint8_t zeros[4] = {0};
        int32_t bias[BLOCK];
        for (size_t c = 0; c < BLOCK; c++) {
            bias[c] = o->bias[c];
            for (size_t k = 0; k < 9 * l->channels; k++)
                bias[c] +=
                    l->weights[(k / 9 * BLOCK + c) * 9 + k % 9] *
                    l->src[((r + k % 9 / 3) * (l->n * OUT + 2) + x + k % 3) * l->channels + k / 9];
        }
        one.residual = q->residual ? q->residual + r * o->row_step + x * q->residual_step : NULL;
        const struct pl_qgemm g = {.src = zeros,
                                   .runs = 1,
                                   .run_bytes = 4,
                                   .n_px = 1,
                                   .n_oc = BLOCK,
                                   .weights = nothing,
                                   .bias = bias,
                                   .scale = o->scale};
        t->ref->qgemm_u8(px, &g, &one);
    }
}

/* Fills with numbers at random, or so that sums are as large as they get. */
static void fill_layer(struct kt *t, struct layer *l, bool extreme)
{
    const size_t px = SIDE * (l->n * OUT + 2) * l->channels, taps = 9 * l->channels * BLOCK;
    kt_fill(t, l->src, px, extreme ? KT_ONES : KT_RANDOM);
    kt_fill(t, l->weights, taps, KT_RANDOM);
    for (size_t i = 0; extreme && i < taps; i++)
        l->weights[i] = i / 9 % 2 ? 127 : -128;
}

static void layer_of(struct kt *t, size_t width, size_t channels, bool extreme)
{
    const enum kt_side side = (enum kt_side)(kt_random(t) % KT_SIDES);
    struct layer l = {.channels = channels, .n = (width + OUT - 1) / OUT, .width = width};
    l.rows = 1 + kt_random(t) % OUT;
    struct pl_qwinograd_out o = {
        .rows = l.rows, .width = width, .px_step = BLOCK + kt_random(t) % 5};
    o.row_step = width * o.px_step + kt_random(t) % 5;
    const size_t bytes = (l.rows - 1) * o.row_step + (width - 1) * o.px_step + BLOCK;
    struct pl_requant q = {.zero = (int32_t)(kt_random(t) % 256), .residual_step = o.px_step};
    l.src = kt_buf(0, SIDE * (l.n * OUT + 2) * channels, side);
    l.weights = kt_buf(5, 9 * channels * BLOCK, side);
    fill_layer(t, &l, extreme);
    int32_t *bias = kt_buf(4, BLOCK * (sizeof(int32_t) + sizeof(float)), side);
    float *scale = (float *)(void *)(bias + BLOCK);
    for (size_t c = 0; c < BLOCK; c++) {
        bias[c] = (int32_t)(kt_random(t) % 20001) - 10000;
        scale[c] = (float)(1 + kt_random(t) % 1000) / 3e4f / (float)channels;
        scale[c] = extreme ? 120.0f / (1 << 25) : scale[c];
    }
    o.bias = bias;
    o.scale = scale;
    uint8_t *want = kt_buf(6, bytes, side), *got = kt_buf(7, bytes, side);
    uint8_t residual[4 * 80 * (BLOCK + 6)];
    kt_fill(t, got, bytes, KT_RANDOM);
    memcpy(want, got, bytes);
    if (kt_random(t) % 2) {
        kt_fill(t, residual, sizeof(residual), KT_RANDOM);
        q.residual = residual;
        q.residual_zero = (int32_t)(kt_random(t) % 256);
        q.residual_scale = 0.37f;
    }
    convolve(t, &l, &o, &q, want);
    convolve_by_tiles(t, &l, &o, &q, got);
    kt_equal(t, want, got, bytes, "columns, channels", width, channels);
}

void pl_test_qwinograd_out(struct kt *t)
{
    for (size_t width = 1; width < 70; width++)
        layer_of(t, width, 16 + 16 * (kt_random(t) % 3), false);
    for (size_t channels = 16; channels <= 112; channels += 16)
        layer_of(t, 1 + kt_random(t) % 9, channels, true);
}
