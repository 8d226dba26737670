/* SPDX-License-Identifier: BSD-2-Clause */
/* Bodies of the kernels of qwinograd.h in the vocabulary of qgemm_v.h, the compiler's vector types
 * and these words:
 *
 *   v_widen_shorts(p)      8 bytes to 16 bits each, 16 where V_LANES is more than 4
 *   V_TILE_PX, V_HALF_PX   tiles that are multiplied together, and half as many
 *   V_TILE_VECTORS         vectors of channels that are multiplied with them
 * and one of these ways of summing products of 16-bit numbers:
 *   v_dot_i16(acc, x, w)   acc[i] + the sum of the two products of lane i
 *   v_weights, v_inputs    registers; v_load_pairs(w, p, n) for the weights of n vectors of
 * channels and two inputs, v_load_pair(p) for two inputs of a tile, and v_add_pairs(acc, x, w, j),
 * which adds their products to vector j */
#include <stdbool.h>
#include <string.h>

#include "simd/qproduct_v.h"

enum { OUT = PL_QWINOGRAD_OUT, SIDE = PL_QWINOGRAD_SIDE, POINTS = PL_QWINOGRAD_POINTS };

/* Numbers of 16 bits, and sums modulo 2^32. */
#define SHORTS (V_LANES == 4 ? 8 : 16)
typedef uint16_t shorts __attribute__((vector_size(2 * SHORTS)));
typedef uint32_t words __attribute__((vector_size(4 * V_LANES)));
typedef int32_t signed_words __attribute__((vector_size(4 * V_LANES)));

/* t = B' d of six numbers of each lane. */
INLINE void to_points(shorts t[SIDE], const shorts d[SIDE])
{
    const shorts even = d[4] - (d[2] << 2), odd = d[3] - (d[1] << 2);
    const shorts far = d[4] - d[2], apart = (d[3] - d[1]) << 1;
    t[0] = ((d[0] - d[2]) << 2) + far;
    t[1] = even + odd;
    t[2] = even - odd;
    t[3] = far + apart;
    t[4] = far - apart;
    t[5] = d[5] - d[3] - (apart << 1);
}

/* Tiles whose columns are transformed before their rows are: they stay in a first-level cache. */
#define STRIP_TILES 4

/* SHORTS channels of n tiles, at most STRIP_TILES, of `channels`. */
INLINE void in_strip(int16_t *dst, size_t point_step, const uint8_t *src, size_t row, size_t n,
                     size_t channels)
{
    shorts columns[STRIP_TILES * OUT + 2][SIDE], d[SIDE], t[SIDE];
    for (size_t x = 0; x < n * OUT + 2; x++) {
        UNROLL for (size_t r = 0; r < SIDE; r++) d[r] =
            (shorts)v_widen_shorts(src + r * row + x * channels);
        to_points(columns[x], d);
    }
    for (size_t i = 0; i < n; i++, dst += channels)
        for (size_t a = 0; a < SIDE; a++) {
            UNROLL for (size_t c = 0; c < SIDE; c++) d[c] = columns[i * OUT + c][a];
            to_points(t, d);
            UNROLL for (size_t b = 0; b < SIDE; b++)
                memcpy(dst + (a * SIDE + b) * point_step, &t[b], sizeof(t[b]));
        }
}

static void qwinograd_in(int16_t *dst, size_t point_step, const uint8_t *src, size_t row, size_t n,
                         size_t channels)
{
    for (size_t i = 0; i < n; i += STRIP_TILES)
        for (size_t c = 0; c < channels; c += SHORTS)
            in_strip(dst + i * channels + c, point_step, src + i * OUT * channels + c, row,
                     n - i < STRIP_TILES ? n - i : STRIP_TILES, channels);
}

#ifdef v_dot_i16
typedef vi v_weights, v_inputs;
#define V_WEIGHTS V_TILE_VECTORS

INLINE void v_load_pairs(v_weights w[V_WEIGHTS], const int16_t *p, const int n)
{
    UNROLL for (int j = 0; j < n; j++) w[j] = v_load_i32(p + j * 2 * V_LANES);
}

INLINE v_inputs v_load_pair(const int16_t *p)
{
    int32_t pair;
    memcpy(&pair, p, sizeof(pair));
    return v_set1_i32(pair);
}

INLINE vi v_add_pairs(vi acc, v_inputs x, const v_weights w[V_WEIGHTS], int j)
{
    return v_dot_i16(acc, x, w[j]);
}
#endif

/* Vectors of half a block of channels. */
#if BLOCK_VECTORS == 4
#define HALF_VECTORS 2
#else
#define HALF_VECTORS 1
#endif

/* n_px tiles by n_vec vectors of channels at one point. */
INLINE void mul_some(int32_t *dst, const struct pl_qwinograd_mul *m, const int16_t *tiles,
                     const int16_t *weights, const int n_px, const int n_vec)
{
    vi acc[V_TILE_PX * V_TILE_VECTORS];
    UNROLL for (int i = 0; i < n_px * n_vec; i++) acc[i] = v_set1_i32(0);
    for (size_t k = 0; k < m->inputs; k += 2, weights += 2 * PL_QGEMM_BLOCK) {
        v_weights w[V_WEIGHTS];
        v_load_pairs(w, weights, n_vec);
        UNROLL for (int i = 0; i < n_px; i++)
        {
            const v_inputs x = v_load_pair(tiles + (size_t)i * m->channels + k);
            UNROLL for (int j = 0; j < n_vec; j++) acc[i * n_vec + j] =
                v_add_pairs(acc[i * n_vec + j], x, w, j);
        }
    }
    UNROLL for (int i = 0; i < n_px; i++) UNROLL for (int j = 0; j < n_vec; j++)
        v_store_i32(dst + i * PL_QGEMM_BLOCK + j * V_LANES, acc[i * n_vec + j]);
}

/* A function of its own for each shape: inlined into its loops, GCC 12 keeps accumulators on the
 * stack. */
typedef void mul_fn(int32_t *dst, const struct pl_qwinograd_mul *m, const int16_t *tiles,
                    const int16_t *weights);
#define MUL(n_px, n_vec)                                                                           \
    static __attribute__((noinline)) void mul_##n_px##x##n_vec(                                    \
        int32_t *dst, const struct pl_qwinograd_mul *m, const int16_t *tiles,                      \
        const int16_t *weights)                                                                    \
    {                                                                                              \
        mul_some(dst, m, tiles, weights, n_px, n_vec);                                             \
    }
#define MUL_OF(n_px, n_vec) MUL(n_px, n_vec)
#define MUL_NAME(n_px, n_vec) mul_##n_px##x##n_vec
#define MUL_NAME_OF(n_px, n_vec) MUL_NAME(n_px, n_vec)
/* Those of so many vectors: of V_TILE_PX tiles, of half as many and of one. */
#define MULS(n_vec)                                                                                \
    {                                                                                              \
        MUL_NAME_OF(V_TILE_PX, n_vec), MUL_NAME_OF(V_HALF_PX, n_vec), MUL_NAME_OF(1, n_vec)        \
    }

MUL_OF(1, V_TILE_VECTORS)
MUL_OF(V_HALF_PX, V_TILE_VECTORS)
MUL_OF(V_TILE_PX, V_TILE_VECTORS)
static mul_fn *const muls[] = MULS(V_TILE_VECTORS);

/* All tiles at all points, as many channels as the functions take. */
INLINE void mul_vectors(int32_t *dst, const struct pl_qwinograd_mul *m, const int16_t *weights,
                        mul_fn *const fn[3])
{
    for (size_t p = 0; p < POINTS; p++, weights += PL_QGEMM_BLOCK * m->inputs)
        for (size_t i = 0, n; i < m->n; i += n) {
            n = tile_size(i, m->n, V_TILE_PX, V_HALF_PX);
            const size_t at = tile_at(i, m->n, n);
            mul_fn *mul = n == V_TILE_PX ? fn[0] : n > 1 ? fn[1] : fn[2];
            mul(dst + (p * m->n + at) * PL_QGEMM_BLOCK, m,
                m->tiles + p * m->point_step + at * m->channels, weights);
        }
}

#if BLOCK_VECTORS > 1
#if BLOCK_VECTORS == V_TILE_VECTORS
MUL_OF(1, HALF_VECTORS)
MUL_OF(V_HALF_PX, HALF_VECTORS)
MUL_OF(V_TILE_PX, HALF_VECTORS)
static mul_fn *const halves[] = MULS(HALF_VECTORS);
#else
#define halves muls
#endif

/* The first eight channels; the sums of the others are 0. */
static void mul_half(int32_t *dst, const struct pl_qwinograd_mul *m)
{
    mul_vectors(dst, m, m->weights, halves);
    for (size_t i = 0; i < POINTS * m->n; i++)
        memset(dst + i * PL_QGEMM_BLOCK + PL_QGEMM_BLOCK / 2, 0, PL_QGEMM_BLOCK / 2 * sizeof(*dst));
}
#endif

static void qwinograd_mul(int32_t *dst, const struct pl_qwinograd_mul *m)
{
#if BLOCK_VECTORS > 1
    if (m->half) {
        mul_half(dst, m);
        return;
    }
#endif
    for (size_t c = 0; c < PL_QGEMM_BLOCK; c += V_TILE_VECTORS * V_LANES)
        mul_vectors(dst + c, m, m->weights + 2 * c, muls);
}

/* y = A' m of six sums of each lane. */
INLINE void to_outputs(words y[OUT], const words m[SIDE])
{
    const words s = m[1] + m[2], d = m[1] - m[2], u = m[3] + m[4], v = m[3] - m[4];
    y[0] = m[0] + s + u;
    y[1] = d + (v << 1);
    y[2] = s + (u << 2);
    y[3] = d + ((v + m[5]) << 3);
}

/* y[r][b] = the rows A' makes of the points of a vector of channels, which begin at m. */
INLINE void column_outputs(words y[OUT][SIDE], const int32_t *m, size_t point_step)
{
    words in[SIDE], out[OUT];
    UNROLL for (size_t b = 0; b < SIDE; b++)
    {
        UNROLL for (size_t a = 0; a < SIDE; a++)
            memcpy(&in[a], m + (a * SIDE + b) * point_step, sizeof(in[a]));
        to_outputs(out, in);
        UNROLL for (size_t r = 0; r < OUT; r++) y[r][b] = out[r];
    }
}

/* The 16 channels of a row of a tile that begins at column x of the output. */
INLINE void out_row(uint8_t *dst, const struct pl_qwinograd_out *o, const struct pl_requant *q,
                    words (*y)[OUT][SIDE], size_t r, size_t x)
{
    words sums[BLOCK_VECTORS][OUT];
    UNROLL for (int v = 0; v < BLOCK_VECTORS; v++) to_outputs(sums[v], y[v][r]);
    for (size_t i = x; i < x + OUT && i < o->width; i++) {
        vi bytes[BLOCK_VECTORS];
        UNROLL for (int v = 0; v < BLOCK_VECTORS; v++)
        {
            const signed_words sum = (signed_words)(sums[v][i - x] * PL_QWINOGRAD_NINTH) >> 6;
            bytes[v] = requantized(v_add_i32(v_load_i32(o->bias + v * V_LANES), (vi)sum),
                                   v_load_f32(o->scale + v * V_LANES), q, i, (size_t)v * V_LANES);
        }
        store_blocks(dst + i * o->px_step, bytes, BLOCK_VECTORS);
    }
}

static void qwinograd_out(uint8_t *dst, const struct pl_qwinograd_out *o,
                          const struct pl_requant *q)
{
    for (size_t x = 0; x < o->width; x += OUT) {
        words y[BLOCK_VECTORS][OUT][SIDE];
        struct pl_requant row = *q;
        UNROLL for (int v = 0; v < BLOCK_VECTORS; v++)
            column_outputs(y[v], o->sums + x / OUT * PL_QGEMM_BLOCK + v * V_LANES, o->point_step);
        for (size_t r = 0; r < o->rows; r++) {
            out_row(dst + r * o->row_step, o, &row, y, r, x);
            row.residual = row.residual ? row.residual + o->row_step : NULL;
        }
    }
}

#define QWINOGRAD_INIT(isa)                                                                        \
    void pl_qwinograd_init_##isa(struct pl_kernels *k);                                            \
    void pl_qwinograd_init_##isa(struct pl_kernels *k)                                             \
    {                                                                                              \
        k->qwinograd_in = qwinograd_in;                                                            \
        k->qwinograd_mul = qwinograd_mul;                                                          \
        k->qwinograd_out = qwinograd_out;                                                          \
    }
