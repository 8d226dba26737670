/* SPDX-License-Identifier: BSD-2-Clause */
/* The ways of summing products of bytes that qgemm_v.h names, each for a tile of n_px pixels and
 * n_vec vectors of output channels, which are constants where they are called: part of qgemm_v.h.
 *
 * u8 x s8 sums stay exact: vpmaddubsw would saturate, so bytes are widened to 16 bits first and
 * summed by pmaddwd, even and odd bytes apart, which leaves the order of the lanes as it is. With
 * narrow weights (qgemm.h) vpmaddubsw is exact, and so is one 16-bit addition behind it; with
 * paired ones vpmaddubsw alone. */
#include <string.h>

/* With a dot product the accumulators fill the registers: 24 x 1, 12 x 2, 8 x 3 or 6 x 4 (pixels x
 * vectors). Without one, more than one vector gains nothing: the widening is shared by the pixels.
 */
#ifdef V_HAS_DOT
#define V_TILE_PX 24
#define V_ACCUMULATORS 24
#elif defined(V_HAS_STEP)
#define V_ACCUMULATORS (V_TILE_PX * BLOCK_VECTORS)
#else
#define V_ACCUMULATORS (V_TILE_PX * V_TILE_VECTORS)
#endif

INLINE int32_t load_dword(const uint8_t *p)
{
    int32_t v;
    memcpy(&v, p, sizeof(v));
    return v;
}

#if !defined(V_HAS_DOT) && !defined(V_HAS_STEP)
#define V_SPLIT
INLINE vi v_dot(vi acc, vi u, vi s)
{
    vi even = v_madd_i16(v_even_u8(u), v_even_s8(s));
    return v_add_i32(acc, v_add_i32(even, v_madd_i16(v_odd_u8(u), v_odd_s8(s))));
}
#endif

/* Where the weights of a vector of output channels begin; the next four inputs are 64 bytes on. */
INLINE const int8_t *weights_of(const struct pl_qgemm *g, size_t oc)
{
    return g->weights + (oc & ~(size_t)15) * g->runs * g->run_bytes + (oc & 15) * 4;
}

/* The activations of a tile as its inner loop wants them. */
struct qgemm_tile {
    size_t px;          /* index of its first pixel */
    const uint8_t *src; /* of its first pixel */
#ifdef V_SPLIT
    /* of each run `run_pairs` pairs of even bytes, then as many of odd bytes, those of a pixel
     * `px_pairs` after those of the one before; NULL where the weights are narrow */
    const int32_t *pairs;
    size_t px_pairs, run_pairs;
#endif
#ifdef V_SIGNED_INPUTS
    const int32_t *start; /* of the sums of its channels */
#endif
};

#ifdef V_HAS_DOT
INLINE void dot_sums(vi *acc, const struct pl_qgemm *g, const struct qgemm_tile *t, size_t oc,
                     const int n_px, const int n_vec)
{
    const int8_t *w = weights_of(g, oc);
    const size_t block = PL_QGEMM_BLOCK * g->runs * g->run_bytes, step = g->src_step;
    for (size_t r = 0; r < g->runs; r++) {
        /* a pointer to every third pixel: the two between are addressed by index */
        const uint8_t *a[(V_TILE_PX + 2) / 3];
        UNROLL for (int i = 0; i < (n_px + 2) / 3; i++) a[i] =
            t->src + r * g->run_stride + (size_t)(3 * i) * step;
        for (size_t k = 0; k < g->run_bytes; k += 4, w += 64) {
            vi b[4];
            UNROLL for (int j = 0; j < n_vec; j++) b[j] = v_load_bytes(w + (size_t)j * block);
            UNROLL for (int i = 0; i < n_px; i++)
            {
                vi x = v_set1_i32(load_dword(a[i / 3] + (size_t)(i % 3) * step));
                UNROLL for (int j = 0; j < n_vec; j++) acc[i * n_vec + j] =
                    v_dot(acc[i * n_vec + j], x, b[j]);
            }
            UNROLL for (int i = 0; i < (n_px + 2) / 3; i++) a[i] += 4;
        }
    }
}
#elif defined(V_HAS_STEP)
INLINE void step_sums(vi *acc, const struct pl_qgemm *g, const struct qgemm_tile *t, size_t oc,
                      const int n_px, const int n_vec)
{
    const int8_t *w = weights_of(g, oc);
    for (size_t r = 0; r < g->runs; r++) {
        const uint8_t *a = t->src + r * g->run_stride;
        for (size_t k = 0; k < g->run_bytes; k += 4, w += 64) {
            v_weights b[V_WEIGHTS];
            v_load_weights(b, w);
            UNROLL for (int i = 0; i < n_px; i++)
            {
                v_inputs x = v_load_inputs(a + (size_t)i * g->src_step + k);
                UNROLL for (int j = 0; j < n_vec; j++) acc[i * n_vec + j] =
                    v_step(acc[i * n_vec + j], x, b, j);
            }
        }
    }
}
#else
#ifdef v_maddubs
/* Adds the products of four inputs of each pixel: `a` is where those of the first one lie, `at` how
 * many bytes into each w[] their weights. Exact for paired weights. */
INLINE void add_paired(vi *acc, const struct pl_qgemm *g, const uint8_t *a, int8_t const *const *w,
                       size_t at, const int n_px, const int n_vec)
{
    const vi ones = v_set1_i16(1);
    vi b[4];
    UNROLL for (int j = 0; j < n_vec; j++) b[j] = v_load_bytes(w[j] + at);
    UNROLL for (int i = 0; i < n_px; i++)
    {
        vi x = v_set1_i32(load_dword(a + (size_t)i * g->src_step));
        UNROLL for (int j = 0; j < n_vec; j++)
        {
            vi *sum = &acc[i * n_vec + j];
            *sum = v_add_i32(*sum, v_madd_i16(v_maddubs(x, b[j]), ones));
        }
    }
}

/* For narrow weights: eight inputs at a time. */
INLINE void narrow_sums(vi *acc, const struct pl_qgemm *g, const struct qgemm_tile *t, size_t oc,
                        const int n_px, const int n_vec)
{
    const vi ones = v_set1_i16(1);
    const int8_t *w[4];
    UNROLL for (int j = 0; j < n_vec; j++) w[j] = weights_of(g, oc + (size_t)j * V_LANES);
    size_t at = 0; /* in w */
    for (size_t r = 0; r < g->runs; r++) {
        const uint8_t *a = t->src + r * g->run_stride, *end = a + g->run_bytes;
        for (; a + 8 <= end; a += 8, at += 128) {
            vi b[4], c[4];
            UNROLL for (int j = 0; j < n_vec; j++)
            {
                b[j] = v_load_bytes(w[j] + at);
                c[j] = v_load_bytes(w[j] + at + 64);
            }
            UNROLL for (int i = 0; i < n_px; i++)
            {
                const uint8_t *p = a + (size_t)i * g->src_step;
                vi x = v_set1_i32(load_dword(p)), y = v_set1_i32(load_dword(p + 4));
                UNROLL for (int j = 0; j < n_vec; j++)
                {
                    vi sums = v_add_i16(v_maddubs(x, b[j]), v_maddubs(y, c[j]));
                    vi *sum = &acc[i * n_vec + j];
                    *sum = v_add_i32(*sum, v_madd_i16(sums, ones));
                }
            }
        }
        if (a < end) {
            add_paired(acc, g, a, w, at, n_px, n_vec);
            at += 64;
        }
    }
}

/* For paired weights: four inputs at a time. */
INLINE void paired_sums(vi *acc, const struct pl_qgemm *g, const struct qgemm_tile *t, size_t oc,
                        const int n_px, const int n_vec)
{
    const int8_t *w[4];
    UNROLL for (int j = 0; j < n_vec; j++) w[j] = weights_of(g, oc + (size_t)j * V_LANES);
    size_t at = 0; /* in w */
    for (size_t r = 0; r < g->runs; r++) {
        const uint8_t *a = t->src + r * g->run_stride, *end = a + g->run_bytes;
        for (; a < end; a += 4, at += 64)
            add_paired(acc, g, a, w, at, n_px, n_vec);
    }
}
#endif

INLINE void wide_sums(vi *acc, const struct pl_qgemm *g, const struct qgemm_tile *t, size_t oc,
                      const int n_px, const int n_vec)
{
    const size_t k4 = g->run_bytes / 4;
    const int8_t *w[4];
    UNROLL for (int j = 0; j < n_vec; j++) w[j] = weights_of(g, oc + (size_t)j * V_LANES);
    size_t at = 0; /* in w */
    for (size_t r = 0; r < g->runs; r++)
        for (size_t k = 0; k < k4; k++, at += 64) {
            vi even[4], odd[4];
            UNROLL for (int j = 0; j < n_vec; j++)
            {
                vi b = v_load_bytes(w[j] + at);
                even[j] = v_even_s8(b);
                odd[j] = v_odd_s8(b);
            }
            const int32_t *p = t->pairs + 2 * r * t->run_pairs + k, *q = p + t->run_pairs;
            UNROLL for (int i = 0; i < n_px; i++)
            {
                vi x = v_set1_i32(p[(size_t)i * t->px_pairs]);
                vi y = v_set1_i32(q[(size_t)i * t->px_pairs]);
                UNROLL for (int j = 0; j < n_vec; j++)
                {
                    vi *sum = &acc[i * n_vec + j];
                    *sum =
                        v_add_i32(*sum, v_add_i32(v_madd_i16(x, even[j]), v_madd_i16(y, odd[j])));
                }
            }
        }
}
#endif

#ifndef V_SIGNED_INPUTS
#define SUMS_START(g, t, oc) ((g)->bias + (oc))
#else
#define SUMS_START(g, t, oc) ((t)->start)

/* Where the sums of a block of channels start, k4 groups of four weights each. */
static void raise_sums(int32_t start[PL_QGEMM_BLOCK], const int32_t *bias, const int8_t *w,
                       size_t k4)
{
    for (size_t c = 0; c < PL_QGEMM_BLOCK; c += V_LANES) {
        vi sum = v_set1_i32(0);
        for (size_t k = 0; k < k4; k++)
            sum = v_dot(sum, v_set1_i32(0x01010101), v_load_bytes(w + 64 * k + 4 * c));
        v_store_i32(start + c, v_load_i32(bias + c) + sum * 128);
    }
}
#endif
