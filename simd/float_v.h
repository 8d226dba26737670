/* SPDX-License-Identifier: BSD-2-Clause */
/* Bodies of the float kernels in the compiler's vector types: included by one file per ISA after
 * vf, vi, LANES, the operations of simd/float_math.h, vload(), vstore(), vload_n(), vstore_n(),
 * which touch the first n lanes alone and load zeros into the others, and vload_f16() and
 * vload_u8(), which load what is to become floats. With V_OWN_SGEMM the file has an sgemm() of its
 * own, otherwise it gives what sgemm_v.h names. */
#include <math.h>
#include <string.h>

#include "simd/float_math.h"
#include "simd/kernels.h"

#define INLINE static inline __attribute__((always_inline))

#ifndef V_OWN_SGEMM
#include "simd/sgemm_v.h"
#endif
#include "simd/softmax_v.h"

static void axpy_f32(float *dst, const float *src, size_t n, float a)
{
    const vf va = vset(a);
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        vstore(dst + i, vfma(va, vload(src + i), vload(dst + i)));
    if (i < n)
        vstore_n(dst + i, vfma(va, vload_n(src + i, n - i), vload_n(dst + i, n - i)), n - i);
}

static void axpy_f16(float *dst, const uint16_t *src, size_t n, float a)
{
    const vf va = vset(a);
    uint16_t last[LANES] = {0};
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        vstore(dst + i, vfma(va, vload_f16(src + i), vload(dst + i)));
    if (i == n)
        return;
    memcpy(last, src + i, (n - i) * sizeof(*last));
    vstore_n(dst + i, vfma(va, vload_f16(last), vload_n(dst + i, n - i)), n - i);
}

static void axpy_u8(float *dst, const uint8_t *src, size_t n, float a, float b)
{
    const vf va = vset(a), vb = vset(b);
    uint8_t last[LANES] = {0};
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        vstore(dst + i, vfma(va, vload_u8(src + i), vload(dst + i) + vb));
    if (i == n)
        return;
    memcpy(last, src + i, n - i);
    vstore_n(dst + i, vfma(va, vload_u8(last), vload_n(dst + i, n - i) + vb), n - i);
}

/* A tile of a plane. A sum waits for its last tap: with a register less a row some products stand
 * still (bench/runs/2026-11-27-avx2-fp32-7.md). */
#define SDW_ROWS 4
#define SDW_REGS 3

/* Adds the taps in their order, each to all sums of a tile, of which src is the first pixel. */
INLINE void sdw_add_taps(vf sum[SDW_ROWS][SDW_REGS], const struct pl_sdw *d, const float *src,
                         size_t rows, size_t regs, size_t last)
{
    for (size_t t = 0; t < d->n_taps; t++) {
        const vf w = vset(d->weights[t]);
        const float *p = src + d->tap[t];
#pragma GCC unroll 4
        for (size_t r = 0; r < rows; r++)
#pragma GCC unroll 3
            for (size_t v = 0; v < regs; v++)
                sum[r][v] = vfma(w,
                                 last == LANES ? vload(p + r * d->row_step + v * LANES)
                                               : vload_n(p + r * d->row_step + v * LANES, last),
                                 sum[r][v]);
    }
}

/* Adds what row `row` of a tile of src gives to the rows from..to-1 of the sums. */
INLINE void sdw_add_row(vf sum[SDW_ROWS][SDW_REGS], const struct pl_sdw *d, const float *src,
                        size_t row, size_t from, size_t to, size_t regs, size_t last)
{
    for (size_t t = 0; t < d->across; t++) {
        const float *p = src + row * d->row_step + d->tap[t];
        vf x[SDW_REGS];
#pragma GCC unroll 3
        for (size_t v = 0; v < regs; v++)
            x[v] = last == LANES ? vload(p + v * LANES) : vload_n(p + v * LANES, last);
#pragma GCC unroll 4
        for (size_t r = from; r < to; r++) {
            const vf w = vset(d->weights[(row - r) * d->across + t]);
#pragma GCC unroll 3
            for (size_t v = 0; v < regs; v++)
                sum[r][v] = vfma(w, x[v], sum[r][v]);
        }
    }
}

/* Adds taps that are SDW_ROWS - 1 rows or more: what is loaded serves every row of the sums that it
 * meets, and each sum takes its taps in their order all the same. */
INLINE void sdw_add_rows(vf sum[SDW_ROWS][SDW_REGS], const struct pl_sdw *d, const float *src,
                         size_t regs, size_t last)
{
    const size_t rows = d->n_taps / d->across;
    sdw_add_row(sum, d, src, 0, 0, 1, regs, last);
    sdw_add_row(sum, d, src, 1, 0, 2, regs, last);
    sdw_add_row(sum, d, src, 2, 0, 3, regs, last);
    for (size_t row = 3; row < rows; row++)
        sdw_add_row(sum, d, src, row, 0, 4, regs, last);
    sdw_add_row(sum, d, src, rows, 1, 4, regs, last);
    sdw_add_row(sum, d, src, rows + 1, 2, 4, regs, last);
    sdw_add_row(sum, d, src, rows + 2, 3, 4, regs, last);
}

/* `rows` rows by `regs` registers of a plane. */
INLINE void sdw_tile(float *dst, const struct pl_sdw *d, size_t y, size_t x, size_t rows,
                     size_t regs, size_t last)
{
    const float *src = d->src + y * d->row_step + x;
    vf sum[SDW_ROWS][SDW_REGS];
#pragma GCC unroll 4
    for (size_t r = 0; r < rows; r++)
#pragma GCC unroll 3
        for (size_t v = 0; v < regs; v++)
            sum[r][v] = vset(d->bias);
    if (rows == SDW_ROWS && d->across && d->n_taps >= (SDW_ROWS - 1) * d->across)
        sdw_add_rows(sum, d, src, regs, last);
    else
        sdw_add_taps(sum, d, src, rows, regs, last);
    dst += y * d->width + x;
#pragma GCC unroll 4
    for (size_t r = 0; r < rows; r++)
#pragma GCC unroll 3
        for (size_t v = 0; v < regs; v++)
            if (last == LANES)
                vstore(dst + r * d->width + v * LANES, sum[r][v]);
            else
                vstore_n(dst + r * d->width + v * LANES, sum[r][v], last);
}

INLINE void sdw_rows(float *dst, const struct pl_sdw *d, size_t y, size_t rows)
{
    size_t x = 0;
    for (; x + SDW_REGS * LANES <= d->width; x += SDW_REGS * LANES)
        sdw_tile(dst, d, y, x, rows, SDW_REGS, LANES);
    if (x + 2 * LANES <= d->width) {
        sdw_tile(dst, d, y, x, rows, 2, LANES);
        x += 2 * LANES;
    } else if (x + LANES <= d->width) {
        sdw_tile(dst, d, y, x, rows, 1, LANES);
        x += LANES;
    }
    if (x < d->width)
        sdw_tile(dst, d, y, x, rows, 1, d->width - x);
}

static void sdw(float *dst, const struct pl_sdw *d)
{
    size_t y = 0;
    for (; y + SDW_ROWS <= d->height; y += SDW_ROWS)
        sdw_rows(dst, d, y, SDW_ROWS);
    for (; y < d->height; y++)
        sdw_rows(dst, d, y, 1);
}

#if LANES == 16
#define V_EVEN_ODD(a, b)                                                                           \
    __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 17, 19, 21, 23, 25, 27, 29, 31)
#define V_LOW_TURNS(a, b)                                                                          \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define V_HIGH_TURNS(a, b)                                                                         \
    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#elif LANES == 8
#define V_EVEN_ODD(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6, 9, 11, 13, 15)
#define V_LOW_TURNS(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define V_HIGH_TURNS(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#else
#define V_EVEN_ODD(a, b) __builtin_shufflevector(a, b, 0, 2, 5, 7)
#define V_LOW_TURNS(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define V_HIGH_TURNS(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#endif

/* All points of `tiles` tiles, a register of them or less. `tiles` is LANES as a constant where it
 * can be: then the loads are whole. */
INLINE void winograd_in_tiles(float *dst, size_t step, const float *src, size_t part, size_t width,
                              size_t tiles)
{
    vf t[6][6], d[6], p[6];
#pragma GCC unroll 6
    for (size_t c = 0; c < 6; c++) {
#pragma GCC unroll 6
        for (size_t r = 0; r < 6; r++) {
            const float *at = src + (r % 4 * 6 + c) * part + r / 4 * width;
            d[r] = tiles == LANES ? vload(at) : vload_n(at, tiles);
        }
        math_tile_in(t[c], d);
    }
#pragma GCC unroll 6
    for (size_t a = 0; a < 6; a++) {
#pragma GCC unroll 6
        for (size_t c = 0; c < 6; c++)
            d[c] = t[c][a];
        math_tile_in(p, d);
#pragma GCC unroll 6
        for (size_t b = 0; b < 6; b++)
            if (tiles == LANES)
                vstore(dst + (6 * a + b) * step, p[b]);
            else
                vstore_n(dst + (6 * a + b) * step, p[b], tiles);
    }
}

/* The last register begins early enough to be full: some tiles are computed twice. */
static void winograd_in(float *dst, size_t step, const float *src, size_t part, size_t width,
                        size_t n)
{
    for (size_t i = 0; n >= LANES && i < n; i += LANES) {
        const size_t at = i + LANES <= n ? i : n - LANES;
        winograd_in_tiles(dst + at, step, src + at, part, width, LANES);
    }
    if (n < LANES)
        winograd_in_tiles(dst, step, src, part, width, n);
}

/* One row of the outputs of a register of tiles, column by column: t has the points along b. */
INLINE void winograd_out_row(vf line[4], const vf t[6], vf bias)
{
    vf y[4];
    math_tile_out(y, t);
#pragma GCC unroll 4
    for (size_t c = 0; c < 4; c++)
        y[c] += bias;
    const vf even_low = V_LOW_TURNS(y[0], y[2]), even_high = V_HIGH_TURNS(y[0], y[2]);
    const vf odd_low = V_LOW_TURNS(y[1], y[3]), odd_high = V_HIGH_TURNS(y[1], y[3]);
    line[0] = V_LOW_TURNS(even_low, odd_low);
    line[1] = V_HIGH_TURNS(even_low, odd_low);
    line[2] = V_LOW_TURNS(even_high, odd_high);
    line[3] = V_HIGH_TURNS(even_high, odd_high);
}

/* The outputs of `tiles` tiles, of which `columns` columns are written; as winograd_in_tiles(). */
INLINE void winograd_out_tiles(float *dst, size_t dst_step, size_t rows, const float *src,
                               size_t step, float bias, size_t tiles, size_t columns)
{
    vf t[4][6], m[6], y[4], line[4];
#pragma GCC unroll 6
    for (size_t b = 0; b < 6; b++) {
#pragma GCC unroll 6
        for (size_t a = 0; a < 6; a++)
            m[a] = tiles == LANES ? vload(src + (6 * a + b) * step)
                                  : vload_n(src + (6 * a + b) * step, tiles);
        math_tile_out(y, m);
#pragma GCC unroll 4
        for (size_t r = 0; r < 4; r++)
            t[r][b] = y[r];
    }
    for (size_t r = 0; r < rows; r++) {
        float some[4 * LANES];
        float *to = columns == 4 * LANES ? dst + r * dst_step : some;
        winograd_out_row(line, t[r], vset(bias));
#pragma GCC unroll 4
        for (size_t v = 0; v < 4; v++)
            vstore(to + v * LANES, line[v]);
        if (columns < 4 * LANES)
            memcpy(dst + r * dst_step, some, columns * sizeof(*some));
    }
}

/* As above, over the tiles that are whole; what then is left is less than a register, or one tile.
 */
static void winograd_out(float *dst, size_t dst_step, size_t rows, size_t width, const float *src,
                         size_t step, float bias)
{
    const size_t full = width / 4 >= LANES ? width / 4 : 0, left = width - 4 * full;
    for (size_t k = 0; k < full; k += LANES) {
        const size_t at = k + LANES <= full ? k : full - LANES;
        winograd_out_tiles(dst + 4 * at, dst_step, rows, src + at, step, bias, LANES, 4 * LANES);
    }
    if (left)
        winograd_out_tiles(dst + 4 * full, dst_step, rows, src + full, step, bias, (left + 3) / 4,
                           left);
}

/* A register of numbers `stride` apart, which is 1 or 2; reads none beyond the last of them. */
INLINE vf max_load(const float *p, size_t stride)
{
    if (stride == 1)
        return vload(p);
    return V_EVEN_ODD(vload(p), vload(p + LANES - 1));
}

/* `regs` registers of numbers; it and the stride are constants where this is called. */
INLINE void max_registers(float *dst, const float *src, size_t stride, size_t taps, size_t step,
                          size_t regs)
{
    vf largest[4];
#pragma GCC unroll 4
    for (size_t v = 0; v < regs; v++)
        largest[v] = vset(-INFINITY);
    for (size_t t = 0; t < taps; t++)
#pragma GCC unroll 4
        for (size_t v = 0; v < regs; v++) {
            const vf x = max_load(src + t * step + v * LANES * stride, stride);
            largest[v] = vsel((vi)(x != x), x, vmax(x, largest[v]));
        }
#pragma GCC unroll 4
    for (size_t v = 0; v < regs; v++)
        vstore(dst + v * LANES, largest[v]);
}

/* The registers of n numbers, of which the last begins early enough to be full; returns how many
 * numbers they hold: n, or none. */
INLINE size_t max_vectors(float *dst, const float *src, size_t n, size_t stride, size_t taps,
                          size_t step)
{
    size_t i = 0;
    for (; i + 4 * LANES <= n; i += 4 * LANES)
        max_registers(dst + i, src + i * stride, stride, taps, step, 4);
    for (; n >= LANES && i < n; i += LANES) {
        const size_t at = n - i < LANES ? n - LANES : i;
        max_registers(dst + at, src + at * stride, stride, taps, step, 1);
    }
    return n >= LANES ? n : 0;
}

static void max_taps_f32(float *dst, const float *src, size_t n, size_t stride, size_t taps,
                         size_t step)
{
    size_t i = 0;
    if (stride == 1)
        i = max_vectors(dst, src, n, 1, taps, step);
    else if (stride == 2)
        i = max_vectors(dst, src, n, 2, taps, step);
    for (; i < n; i++) {
        float largest = -INFINITY;
        for (size_t t = 0; t < taps; t++) {
            const float x = src[i * stride + t * step];
            largest = x > largest || x != x ? x : largest;
        }
        dst[i] = largest;
    }
}

/* A register of numbers, and of what is added to them where z is not NULL. */
INLINE vf act_step(vf x, vf z, bool add, enum pl_act act, const struct pl_act_use *use)
{
    x = math_act(act, add ? x + z : x, vset(use->a), vset(use->b));
    return use->scaled ? x * vset(use->factor) + vset(use->offset) : x;
}

INLINE void act_row(float *dst, const float *src, const float *z, size_t n, enum pl_act act,
                    const struct pl_act_use *use)
{
    const struct pl_act_use u = *use;
    const vf zero = vset(0.0f);
    size_t i = 0;
    for (; i + 2 * LANES <= n; i += 2 * LANES) {
        const vf x = vload(src + i), y = vload(src + i + LANES);
        const vf p = z ? vload(z + i) : zero, q = z ? vload(z + i + LANES) : zero;
        vstore(dst + i, act_step(x, p, z, act, &u));
        vstore(dst + i + LANES, act_step(y, q, z, act, &u));
    }
    for (; i < n; i += LANES) {
        const size_t left = n - i < LANES ? n - i : LANES;
        const vf p = z ? vload_n(z + i, left) : zero;
        vstore_n(dst + i, act_step(vload_n(src + i, left), p, z, act, &u), left);
    }
}

#define ACT(name)                                                                                  \
    case name:                                                                                     \
        act_row(dst, src, z, n, name, use);                                                        \
        break

static void act_f32(float *dst, const float *src, const float *z, size_t n,
                    const struct pl_act_use *use)
{
    switch (use->act) {
        ACT(PL_ACT_RELU);
        ACT(PL_ACT_CLIP);
        ACT(PL_ACT_HARD_SIGMOID);
        ACT(PL_ACT_HARD_SWISH);
        ACT(PL_ACT_LEAKY_RELU);
        ACT(PL_ACT_SIGMOID);
        ACT(PL_ACT_SWISH);
        ACT(PL_ACT_TANH);
        ACT(PL_ACT_ERF);
        ACT(PL_ACT_GELU);
        ACT(PL_ACT_NONE);
    default:
        act_row(dst, src, z, n, PL_ACT_EXP, use);
    }
}

/* Floats, and what becomes of them in binary64: vectors of one size on every level but the widest,
 * which the compiler takes apart where registers are shorter. (GCC 12 keeps sums on the stack that
 * are longer than a register of AVX2.) */
#if LANES == 16
#define V_WIDE 8
#else
#define V_WIDE 4
#endif
typedef float v_some __attribute__((vector_size(V_WIDE * sizeof(float))));
typedef double v_wide __attribute__((vector_size(V_WIDE * sizeof(double))));

INLINE double mean_of(const float *x, size_t n, double middle, bool squares)
{
    v_wide sum[8 / V_WIDE] = {{0}};
    double part[8];
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
#pragma GCC unroll 2
        for (size_t v = 0; v < 8 / V_WIDE; v++) {
            v_some in;
            memcpy(&in, x + i + v * V_WIDE, sizeof(in));
            const v_wide d = __builtin_convertvector(in, v_wide) - middle;
            sum[v] += squares ? d * d : d;
        }
    memcpy(part, sum, sizeof(part));
    for (; i < n; i++) {
        const double d = (double)x[i] - middle;
        part[i % 8] += squares ? d * d : d;
    }
    return (((part[0] + part[1]) + (part[2] + part[3])) +
            ((part[4] + part[5]) + (part[6] + part[7]))) /
           (double)n;
}

static void moments_f32(double *mean, double *variance, const float *x, size_t n)
{
    *mean = mean_of(x, n, 0, false);
    *variance = mean_of(x, n, *mean, true);
}

INLINE void normalize_rows(float *dst, const float *src, size_t n, double mean, double inv,
                           const float *scale, const float *bias, bool add)
{
    size_t i = 0;
    for (; i + V_WIDE <= n; i += V_WIDE) {
        v_some x, mul, sum = {0};
        memcpy(&x, src + i, sizeof(x));
        memcpy(&mul, scale + i, sizeof(mul));
        if (add)
            memcpy(&sum, bias + i, sizeof(sum));
        const v_wide y = (__builtin_convertvector(x, v_wide) - mean) * inv;
        x = __builtin_convertvector(y, v_some) * mul;
        x = add ? x + sum : x;
        memcpy(dst + i, &x, sizeof(x));
    }
    for (; i < n; i++) {
        const float y = (float)(((double)src[i] - mean) * inv) * scale[i];
        dst[i] = add ? y + bias[i] : y;
    }
}

static void normalize_f32(float *dst, const float *src, size_t n, double mean, double inv,
                          const float *scale, const float *bias)
{
    if (bias)
        normalize_rows(dst, src, n, mean, inv, scale, bias, true);
    else
        normalize_rows(dst, src, n, mean, inv, scale, bias, false);
}

/* Number k of gate `at` from both sides: their sum. */
INLINE vf gate_of(const float *x, const float *r, size_t at, size_t left)
{
    return vload_n(x + at, left) + vload_n(r + at, left);
}

static void lstm_cell(float *h, float *c, const float *x, const float *r, size_t n)
{
    for (size_t k = 0; k < n; k += LANES) {
        const size_t left = n - k < LANES ? n - k : LANES;
        const vf i = math_sigmoid(gate_of(x, r, k, left));
        const vf o = math_sigmoid(gate_of(x, r, n + k, left));
        const vf f = math_sigmoid(gate_of(x, r, 2 * n + k, left));
        const vf g = math_tanh(gate_of(x, r, 3 * n + k, left));
        const vf cell = vfma(f, vload_n(c + k, left), i * g);
        vstore_n(c + k, cell, left);
        vstore_n(h + k, o * math_tanh(cell), left);
    }
}

static void gru_cell(float *h, const float *x, const float *r, size_t n)
{
    for (size_t k = 0; k < n; k += LANES) {
        const size_t left = n - k < LANES ? n - k : LANES;
        const vf z = math_sigmoid(gate_of(x, r, k, left));
        const vf reset = math_sigmoid(gate_of(x, r, n + k, left));
        const vf t =
            math_tanh(vfma(reset, vload_n(r + 2 * n + k, left), vload_n(x + 2 * n + k, left)));
        vstore_n(h + k, vfma(z, vload_n(h + k, left) - t, t), left);
    }
}

#define FLOAT_INIT(isa)                                                                            \
    void pl_float_init_##isa(struct pl_kernels *k);                                                \
    void pl_float_init_##isa(struct pl_kernels *k)                                                 \
    {                                                                                              \
        k->sgemm = sgemm;                                                                          \
        k->axpy_f32 = axpy_f32;                                                                    \
        k->axpy_f16 = axpy_f16;                                                                    \
        k->axpy_u8 = axpy_u8;                                                                      \
        k->sdw = sdw;                                                                              \
        k->winograd_in = winograd_in;                                                              \
        k->winograd_out = winograd_out;                                                            \
        k->max_taps_f32 = max_taps_f32;                                                            \
        k->act_f32 = act_f32;                                                                      \
        k->softmax_part = softmax_part;                                                            \
        k->softmax_columns = softmax_columns;                                                      \
        k->moments_f32 = moments_f32;                                                              \
        k->normalize_f32 = normalize_f32;                                                          \
        k->lstm_cell = lstm_cell;                                                                  \
        k->gru_cell = gru_cell;                                                                    \
    }
