/* SPDX-License-Identifier: BSD-2-Clause */
/* Bodies of the decoding kernels in the compiler's vector types: included by one file per ISA after
 * PL_BYTES (the register's width) and load_u8_f32() (as many bytes as floats fit, as floats). */
#include <math.h>
#include <string.h>

#include "simd/kernels.h"

#define LANES (PL_BYTES / 4)

typedef float vf32 __attribute__((vector_size(PL_BYTES)));
typedef int32_t vi32 __attribute__((vector_size(PL_BYTES)));

static inline vf32 load_u8_f32(const uint8_t *p);

/* The sums of up to four registers stay in them while all rows pass. */
static inline __attribute__((always_inline)) void sum_block(float *dst, size_t width,
                                                            const uint8_t *table,
                                                            const uint32_t *rows, size_t n_rows,
                                                            size_t at, size_t registers)
{
    vf32 sum[4] = {{0}, {0}, {0}, {0}};
    for (size_t i = 0; i < n_rows; i++) {
        const uint8_t *row = table + rows[i] * (width + 8);
        float scale, offset;
        memcpy(&scale, row + width, sizeof(scale));
        memcpy(&offset, row + width + 4, sizeof(offset));
#pragma GCC unroll 4
        for (size_t r = 0; r < registers; r++)
            sum[r] += load_u8_f32(row + at + r * LANES) * scale + offset;
    }
#pragma GCC unroll 4
    for (size_t r = 0; r < registers; r++)
        memcpy(dst + at + r * LANES, &sum[r], sizeof(sum[r]));
}

static void embed_sum_u8(float *dst, size_t width, const uint8_t *table, const uint32_t *rows,
                         size_t n_rows)
{
    size_t at = 0;
    for (; at + 4 * LANES <= width; at += 4 * LANES)
        sum_block(dst, width, table, rows, n_rows, at, 4);
    if (at + 2 * LANES <= width) {
        sum_block(dst, width, table, rows, n_rows, at, 2);
        at += 2 * LANES;
    }
    if (at + LANES <= width) {
        sum_block(dst, width, table, rows, n_rows, at, 1);
        at += LANES;
    }
    for (; at < width; at++) {
        float sum = 0;
        for (size_t i = 0; i < n_rows; i++) {
            const uint8_t *row = table + rows[i] * (width + 8);
            float scale, offset;
            memcpy(&scale, row + width, sizeof(scale));
            memcpy(&offset, row + width + 4, sizeof(offset));
            sum += (float)row[at] * scale + offset;
        }
        dst[at] = sum;
    }
}

#define PARTS 16

static inline vf32 load_f32(const float *p)
{
    vf32 v;
    memcpy(&v, p, sizeof(v));
    return v;
}

static inline vi32 select_i32(vi32 mask, vi32 a, vi32 b)
{
    return (mask & a) | (~mask & b);
}

static inline vf32 select_f32(vi32 mask, vf32 a, vf32 b)
{
    return (vf32)select_i32(mask, (vi32)a, (vi32)b);
}

/* pl_expf() of base/fmath.h for x <= 0. */
static inline vf32 exp_f32(vf32 x)
{
    const vi32 under = x < -87.f;
    x = select_f32(under, (vf32){0} - 87.f, x);
    const vf32 n = (x * 1.44269504f + 12582912.f) - 12582912.f;
    const vf32 r = x - n * 0.693359375f - n * -2.12194440e-4f;
    vf32 p = r * 1.9875691500e-4f + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    const vf32 y = p * r * r + r + 1;
    return (vf32)(~under & ((vi32)y + (__builtin_convertvector(n, vi32) << 23)));
}

/* A row in blocks of PARTS floats, the last one filled up with -infinity. */
struct blocks {
    const float *row;
    size_t whole, n;
    float last[PARTS];
};

static inline struct blocks blocks_of(const float *row, size_t width)
{
    struct blocks b = {row, width / PARTS, (width + PARTS - 1) / PARTS, {0}};
    for (size_t j = 0; j < PARTS; j++)
        b.last[j] = b.whole * PARTS + j < width ? row[b.whole * PARTS + j] : -INFINITY;
    return b;
}

static inline const float *block_at(const struct blocks *b, size_t i)
{
    return i < b->whole ? b->row + i * PARTS : b->last;
}

static inline uint32_t index_of_largest(const struct blocks *b)
{
    vf32 most = (vf32){0} - INFINITY;
    vi32 at = {0}, here;
    int32_t lane[LANES], best;
    float value[LANES];
    for (int j = 0; j < LANES; j++)
        lane[j] = j;
    memcpy(&here, lane, sizeof(here));
    for (size_t i = 0; i < b->n; i++)
        for (size_t j = 0; j < PARTS; j += LANES, here += LANES) {
            const vf32 v = load_f32(block_at(b, i) + j);
            const vi32 more = v > most;
            most = select_f32(more, v, most);
            at = select_i32(more, here, at);
        }
    memcpy(lane, &at, sizeof(lane));
    memcpy(value, &most, sizeof(value));
    best = 0;
    for (int j = 1; j < LANES; j++)
        if (value[j] > value[best] || (value[j] >= value[best] && lane[j] < lane[best]))
            best = j;
    return (uint32_t)lane[best];
}

static inline float sum_of_exp(const struct blocks *b, float largest)
{
    vf32 sum[PARTS / LANES] = {{0}};
    float part[PARTS];
    for (size_t i = 0; i < b->n; i++)
        for (size_t j = 0; j < PARTS / LANES; j++)
            sum[j] += exp_f32(load_f32(block_at(b, i) + j * LANES) - largest);
    memcpy(part, sum, sizeof(part));
    for (size_t apart = PARTS / 2; apart; apart /= 2)
        for (size_t j = 0; j < apart; j++)
            part[j] += part[j + apart];
    return part[0];
}

static void softmax_top(uint32_t *best, float *share, const float *rows, size_t n, size_t width)
{
    for (size_t i = 0; i < n; i++, rows += width) {
        const struct blocks b = blocks_of(rows, width);
        best[i] = index_of_largest(&b);
        share[i] = 1 / sum_of_exp(&b, rows[best[i]]);
    }
}
