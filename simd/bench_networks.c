/* SPDX-License-Identifier: BSD-2-Clause */
/* One case for each kernel of networks: arguments as those of platen's models. */
#include "simd/kernel_bench.h"

#include <string.h>

enum { CHANNELS = 64, RUNS = 3, RUN_BYTES = 48, TAPS = 8 };

static const int32_t no_bias[CHANNELS];
static const float scales[CHANNELS] = {[0 ... CHANNELS - 1] = 1 / 8192.f};
static const int8_t narrow_weights[CHANNELS * RUNS * RUN_BYTES] = {
    [0 ... sizeof(narrow_weights) - 1] = 7};
static const struct pl_requant relu = {.zero = 0};

/* A convolution of 3 x 3 over 16 channels to 64, on one pixel for every 1024 of the picture. */
static struct pl_qgemm convolution(const struct pl_bench_data *d)
{
    size_t n_px = pl_bench_area(d) / 1024;
    return (struct pl_qgemm){.src = d->px,
                             .src_step = RUN_BYTES / 3,
                             .run_stride = (n_px + 2) * RUN_BYTES / 3,
                             .runs = RUNS,
                             .run_bytes = RUN_BYTES,
                             .n_px = n_px,
                             .n_oc = CHANNELS,
                             .weights = narrow_weights,
                             .narrow = true,
                             .bias = no_bias,
                             .scale = scales,
                             .dst_step = CHANNELS};
}

size_t pl_bench_qgemm_u8(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    struct pl_qgemm g = convolution(d);
    k->qgemm_u8(d->out, &g, &relu);
    return g.n_px * g.n_oc;
}

size_t pl_bench_qgemm_f32(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    struct pl_qgemm g = convolution(d);
    k->qgemm_f32(d->out, &g);
    return g.n_px * g.n_oc;
}

/* A row of 32 tiles of 64 channels, there, times 16 channels, and back. */
enum { Q_TILES = 32, Q_POINTS = PL_QWINOGRAD_POINTS };

size_t pl_bench_qwinograd_in(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    const size_t step = (Q_TILES + 1) * CHANNELS;
    k->qwinograd_in(d->out, step, d->px, (Q_TILES * PL_QWINOGRAD_OUT + 2) * CHANNELS, Q_TILES,
                    CHANNELS);
    return (size_t)Q_POINTS * Q_TILES * CHANNELS;
}

size_t pl_bench_qwinograd_mul(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    static const int16_t weights[Q_POINTS * CHANNELS * PL_QGEMM_BLOCK];
    const struct pl_qwinograd_mul m = {.tiles = (const int16_t *)(const void *)d->px,
                                       .point_step = Q_TILES * CHANNELS,
                                       .n = Q_TILES,
                                       .channels = CHANNELS,
                                       .inputs = CHANNELS,
                                       .weights = weights};
    k->qwinograd_mul(d->out, &m);
    return (size_t)Q_POINTS * Q_TILES * PL_QGEMM_BLOCK;
}

size_t pl_bench_qwinograd_out(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    const struct pl_qwinograd_out o = {.sums = (const int32_t *)(const void *)d->px,
                                       .point_step = (size_t)Q_TILES * PL_QGEMM_BLOCK,
                                       .bias = no_bias,
                                       .scale = scales,
                                       .rows = PL_QWINOGRAD_OUT,
                                       .width = (size_t)Q_TILES * PL_QWINOGRAD_OUT,
                                       .row_step = (size_t)Q_TILES * PL_QWINOGRAD_OUT * CHANNELS,
                                       .px_step = CHANNELS};
    k->qwinograd_out(d->out, &o, &relu);
    return o.rows * o.width * PL_QGEMM_BLOCK;
}

size_t pl_bench_qdw_u8(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    struct pl_qdw q = {.src = d->px,
                       .n_px = pl_bench_area(d) / CHANNELS,
                       .channels = CHANNELS,
                       .taps = TAPS,
                       .weights = (const int8_t *)d->px,
                       .bias = no_bias,
                       .scale = scales};
    k->qdw_u8(d->out, &q, &relu);
    return q.n_px * q.channels;
}

/* The rows of one guess of the shipped language model: seven of 32768, 32 wide. The table is made
 * of the picture's bytes, its scales too: what they hold does not matter to the time. */
size_t pl_bench_embed_sum_u8(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    enum { WIDTH = 32, ROWS = 7 };
    size_t table_rows = pl_bench_area(d) * 4 / (WIDTH + 8), n = pl_bench_area(d) / WIDTH;
    uint32_t state = 1, rows[ROWS];
    for (size_t i = 0; i < n; i++) {
        for (size_t r = 0; r < ROWS; r++) {
            state = state * 1664525 + 1013904223;
            rows[r] = (uint32_t)((uint64_t)state * PL_MIN(table_rows, (size_t)32768) >> 32);
        }
        k->embed_sum_u8((float *)d->out + i * WIDTH, WIDTH, d->px, rows, ROWS);
    }
    return n * WIDTH;
}

/* The steps of lines, of as many classes as the shipped recognizer has. */
size_t pl_bench_softmax_top(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    enum { CLASSES = 255 };
    const size_t n = PL_MIN(pl_bench_area(d), (size_t)1 << 16) / CLASSES;
    k->softmax_top((uint32_t *)d->out + n, d->out, d->reals, n, CLASSES);
    return n * CLASSES;
}

size_t pl_bench_quantize_u8(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    k->quantize_u8(d->out, d->reals, pl_bench_area(d), 0.7f, 3);
    return pl_bench_area(d);
}

size_t pl_bench_dequantize_u8(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    k->dequantize_u8(d->out, d->px, pl_bench_area(d), 0.7f, 3);
    return pl_bench_area(d);
}

size_t pl_bench_qadd_u8(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    const struct pl_qadd q = {
        .a_zero = 3, .b_zero = 9, .zero = 7, .a_ratio = 0.3f, .b_ratio = 0.6f};
    k->qadd_u8(d->out, d->px, d->px + pl_bench_area(d), pl_bench_area(d), &q);
    return pl_bench_area(d);
}

/* Pictures of 96 channels. */
size_t pl_bench_qscale_u8(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    enum { DEEP = 96 };
    const size_t n = pl_bench_area(d) / DEEP;
    k->qscale_u8(d->out, d->px, n, DEEP, d->reals, 3, 7);
    return n * DEEP;
}

/* Eight rows at a time of 40 pixels and 96 channels, 3 by 3 taps. */
size_t pl_bench_qplane_u8(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    enum { DEEP = 96, PX = 40, ROWS = 8, ROW = (PX + 2) * DEEP };
    static const int8_t weights[DEEP * 3 * 4] = {1, -2, 3};
    static const int32_t bias[DEEP];
    const struct pl_requant q = {.zero = 3};
    struct pl_qplane p = {.row_stride = ROW,
                          .stride = 1,
                          .down = 1,
                          .channels = DEEP,
                          .n_px = PX,
                          .n_rows = ROWS,
                          .kernel_h = 3,
                          .kernel_w = 3,
                          .weights = weights,
                          .bias = bias,
                          .scale = d->reals};
    const size_t rows = (pl_bench_area(d) / (PX * DEEP) - 4) / ROWS * ROWS;
    for (size_t y = 0; y < rows; y += ROWS) {
        p.src = d->px + y * ROW;
        k->qplane_u8((uint8_t *)d->out + y * PX * DEEP, &p, &q);
    }
    return rows * PX * DEEP;
}

/* A 1x1 convolution of 64 to 64 channels over 480 pixels, as the driver hands blocks out. */
size_t pl_bench_sgemm(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    enum { DEPTH = 64, BLOCK = 480 };
    const struct pl_sgemm g = {.m = DEPTH,
                               .n = BLOCK,
                               .k = DEPTH,
                               .a = d->reals,
                               .b = d->reals + DEPTH * DEPTH,
                               .b_step = BLOCK,
                               .c = d->out,
                               .c_step = BLOCK};
    k->sgemm(&g);
    return g.m * g.n;
}

/* A plane of 3 by 3 taps. */
size_t pl_bench_sdw(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    static const float weights[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
    size_t tap[9];
    const struct pl_sdw s = {.src = d->reals,
                             .weights = weights,
                             .tap = tap,
                             .n_taps = 9,
                             .across = 3,
                             .row_step = d->width,
                             .width = d->width - 2,
                             .height = PL_MIN(d->height, (size_t)32) - 2};
    for (size_t t = 0; t < 9; t++)
        tap[t] = t / 3 * d->width + t % 3;
    k->sdw(d->out, &s);
    return s.width * s.height;
}

/* Rows of tiles of a plane, there and back. */
size_t pl_bench_winograd_in(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    enum { TILES = 64, ROWS = 8 };
    for (size_t i = 0; i < ROWS; i++)
        k->winograd_in((float *)d->out + i * TILES, ROWS * TILES, d->reals + i * TILES,
                       (size_t)2 * TILES, TILES, TILES);
    return (size_t)16 * ROWS * TILES;
}

size_t pl_bench_winograd_out(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    enum { TILES = 64, ROWS = 8 };
    for (size_t i = 0; i < ROWS; i++)
        k->winograd_out((float *)d->out + 16 * i * TILES, (size_t)4 * TILES, 4, (size_t)4 * TILES,
                        d->reals + i * TILES, (size_t)ROWS * TILES, 0.5f);
    return (size_t)16 * ROWS * TILES;
}

/* Rows of 320 numbers, two of which fall on one. */
size_t pl_bench_max_taps_f32(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    enum { WIDTH = 320, ROWS = 32 };
    for (size_t i = 0; i < ROWS; i++)
        k->max_taps_f32((float *)d->out + i * WIDTH, d->reals + i * WIDTH, WIDTH, 1, 2, WIDTH);
    return (size_t)ROWS * WIDTH;
}

size_t pl_bench_act_f32(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    const size_t n = PL_MIN(pl_bench_area(d), (size_t)1 << 16);
    const struct pl_act_use use = {.act = PL_ACT_GELU};
    k->act_f32(d->out, d->reals, NULL, n, &use);
    return n;
}

size_t pl_bench_softmax_part(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    enum { ROW = 256 };
    const size_t n = PL_MIN(pl_bench_area(d), (size_t)1 << 16) / ROW;
    float sum = 0, *row = d->out;
    for (size_t i = 0; i < n; i++) {
        float top = -100;
        memcpy(row, d->reals + i * ROW, ROW * sizeof(*row));
        k->softmax_part(row, ROW, 0.5f, &top, &sum);
    }
    return n * ROW;
}

/* A tile of scores: queries side by side, keys below each other. */
size_t pl_bench_softmax_columns(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    enum { QUERIES = 48, KEYS = 256 };
    float top[QUERIES], sum[QUERIES] = {0}, factor[QUERIES], *m = d->out;
    for (size_t i = 0; i < QUERIES; i++)
        top[i] = -100;
    memcpy(m, d->reals, (size_t)QUERIES * KEYS * sizeof(*m));
    k->softmax_columns(m, QUERIES, KEYS, QUERIES, top, sum, factor);
    return (size_t)QUERIES * KEYS;
}

/* Rows of a layer normalization. */
enum { NORMALIZED = 128 };

size_t pl_bench_moments_f32(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    const size_t n = PL_MIN(pl_bench_area(d), (size_t)1 << 16) / NORMALIZED;
    double *out = d->out;
    for (size_t i = 0; i < n; i++)
        k->moments_f32(out + 2 * i, out + 2 * i + 1, d->reals + i * NORMALIZED, NORMALIZED);
    return n * NORMALIZED;
}

size_t pl_bench_normalize_f32(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    const size_t n = PL_MIN(pl_bench_area(d), (size_t)1 << 16) / NORMALIZED;
    for (size_t i = 0; i < n; i++)
        k->normalize_f32((float *)d->out + i * NORMALIZED, d->reals + i * NORMALIZED, NORMALIZED,
                         127.5, 1 / 60.0, d->reals, d->reals + NORMALIZED);
    return n * NORMALIZED;
}

/* Rows of an embedding. */
enum { EMBEDDING = 256 };

size_t pl_bench_axpy_f32(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    const size_t n = pl_bench_area(d) / EMBEDDING;
    for (size_t i = 0; i < n; i++)
        k->axpy_f32(d->out, d->reals + i * EMBEDDING, EMBEDDING, 1e-9f);
    return n * EMBEDDING;
}

size_t pl_bench_axpy_f16(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    const size_t n = pl_bench_area(d) / EMBEDDING;
    for (size_t i = 0; i < n; i++)
        k->axpy_f16(d->out, (const uint16_t *)(const void *)d->px + i * EMBEDDING, EMBEDDING,
                    1e-9f);
    return n * EMBEDDING;
}

size_t pl_bench_axpy_u8(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    const size_t n = pl_bench_area(d) / EMBEDDING;
    for (size_t i = 0; i < n; i++)
        k->axpy_u8(d->out, d->px + i * EMBEDDING, EMBEDDING, 1e-9f, 0);
    return n * EMBEDDING;
}

size_t pl_bench_lstm_cell(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    enum { CELLS = 96 };
    const size_t n = PL_MIN(pl_bench_area(d), (size_t)1 << 16) / (4 * CELLS);
    float *c = d->out;
    for (size_t i = 0; i < CELLS; i++)
        c[i] = 0;
    for (size_t i = 0; i < n; i++)
        k->lstm_cell(c + CELLS, c, d->reals + i * 4 * CELLS, d->reals, CELLS);
    return n * CELLS;
}

size_t pl_bench_gru_cell(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    enum { CELLS = 96 };
    const size_t n = PL_MIN(pl_bench_area(d), (size_t)1 << 16) / (3 * CELLS);
    float *h = d->out;
    for (size_t i = 0; i < CELLS; i++)
        h[i] = 0;
    for (size_t i = 0; i < n; i++)
        k->gru_cell(h, d->reals + i * 3 * CELLS, d->reals, CELLS);
    return n * CELLS;
}
