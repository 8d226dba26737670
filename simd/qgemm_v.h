/* SPDX-License-Identifier: BSD-2-Clause */
/* The int8 kernels for one level; each qgemm_<isa>.c defines the vocabulary and includes this.
 *
 *   vi, vf              vectors of V_LANES int32 and floats (4, 8 or 16 lanes)
 *   v_load_i32 v_load_f32 v_store_f32 v_set1_i32 v_set1_f32 v_add_i32 v_sub_i32
 *   v_cvt_f32 v_cvt_i32 (nearest even) v_mul v_add_f32 v_min v_max
 *   v_load_bytes        4 V_LANES bytes
 *   v_widen_u8          V_LANES bytes to int32
 *   v_store_u8          V_LANES int32 of at most 255 to bytes, negative ones as 0
 *   v_store_blocks(p, v, n)   where it is quicker, the same for n vectors behind each other
 *   v_store_some(p, f, n)     where it is quicker, the first n of V_LANES floats, all where n is
 * more v_store_quads(out, p, step)   for 16 bytes at p those of p, p + step, p + 2 step, p + 3 step
 * and one of these ways of summing products:
 *   V_HAS_DOT           v_dot: acc[i] + the sum of four u8 x s8 products of lane i, exact
 *   V_HAS_STEP          v_dot; and for the 16 channels of a block V_WEIGHTS registers of v_weights,
 *                       v_load_weights(b, w), v_inputs v_load_inputs(p) of four inputs and
 *                       v_step(acc, x, b, j), which adds their products to vector j of the block;
 *                       V_TILE_PX pixels of a tile, V_HALF_PX half of it
 *   neither             v_madd_i16 v_even_u8 v_odd_u8 v_even_s8 v_odd_s8 (bytes 0, 2, ... or 1, 3,
 *                       ... as 16-bit); V_TILE_PX, V_HALF_PX, V_TILE_VECTORS: pixels and vectors
 *                       of output channels of a tile; for narrow and paired weights, where there
 *                       is one, v_maddubs (u8 x s8, two products to a 16-bit sum) and with it
 *                       v_add_i16 v_set1_i16
 * With V_SIGNED_INPUTS, v_dot takes signed bytes for its inputs; v_load_inputs and v_store_quads
 * give them 128 lower, and the sums start higher by as much.
 * With V_GEMM_ONLY it gives gemm() for the includer's own entry points, and no depthwise body. */
#include <string.h>

#include "simd/qproduct_v.h"
#include "simd/qgemm_sums_v.h"

/* Where a tile is a block of channels in two vectors, there are tiles of one as well: those of half
 * a block, behind which lies a vector of sums that are where they start, since its weights are 0.
 */
#if defined(v_maddubs) && BLOCK_VECTORS == 2 && V_TILE_VECTORS == 2
#define V_HALVES
#endif

INLINE void tile_start(vi *acc, const int32_t *start, const int n_px, const int n_vec)
{
    UNROLL for (int j = 0; j < n_vec; j++)
    {
        vi first = v_load_i32(start + (size_t)j * V_LANES);
        UNROLL for (int i = 0; i < n_px; i++) acc[i * n_vec + j] = first;
    }
}

/* One way of the above to sum products. */
typedef void sums_fn(vi *acc, const struct pl_qgemm *g, const struct qgemm_tile *t, size_t oc,
                     const int n_px, const int n_vec);

INLINE void tile_u8(uint8_t *dst, const struct pl_qgemm *g, const struct pl_requant *q,
                    const struct qgemm_tile *t, size_t oc, const int n_px, const int n_vec,
                    sums_fn *const sums)
{
    vi acc[V_ACCUMULATORS];
    tile_start(acc, SUMS_START(g, t, oc), n_px, n_vec);
    sums(acc, g, t, oc, n_px, n_vec);
    UNROLL for (int i = 0; i < n_px; i++)
    {
        const size_t px = t->px + (size_t)i;
        uint8_t *p = dst + px * g->dst_step + oc;
#ifdef V_HALVES
        if (n_vec < V_TILE_VECTORS) {
            const size_t c = oc + V_LANES;
            const vi start = v_load_i32(g->bias + c);
            v_store_u8(p + V_LANES, requantized(start, v_load_f32(g->scale + c), q, px, c));
        }
#endif
        vi *v = &acc[i * n_vec];
        UNROLL for (int j = 0; j < n_vec; j++)
        {
            size_t c = oc + (size_t)j * V_LANES;
            v[j] = requantized(v[j], v_load_f32(g->scale + c), q, px, c);
        }
        store_blocks(p, v, n_vec);
    }
}

/* The first n of V_LANES floats, all where n is more. */
INLINE void store_some(float *dst, vf f, ptrdiff_t n)
{
#ifdef v_store_some
    v_store_some(dst, f, n);
#else
    if (n >= V_LANES) {
        v_store_f32(dst, f);
    } else if (n > 0) {
        float all[V_LANES];
        v_store_f32(all, f);
        memcpy(dst, all, (size_t)n * sizeof(*all));
    }
#endif
}

INLINE void tile_f32(float *dst, const struct pl_qgemm *g, const struct qgemm_tile *t, size_t oc,
                     const int n_px, const int n_vec, sums_fn *const sums)
{
    vi acc[V_ACCUMULATORS];
    tile_start(acc, SUMS_START(g, t, oc), n_px, n_vec);
    sums(acc, g, t, oc, n_px, n_vec);
    UNROLL for (int i = 0; i < n_px; i++) UNROLL for (int j = 0; j < n_vec; j++)
    {
        size_t c = oc + (size_t)j * V_LANES;
        vf f = v_mul(v_cvt_f32(acc[i * n_vec + j]), v_load_f32(g->scale + c));
        store_some(dst + (t->px + (size_t)i) * g->dst_step + c, f, (ptrdiff_t)(g->n_oc - c));
    }
#ifdef V_HALVES
    for (size_t c = oc + V_LANES, i = 0; n_vec < V_TILE_VECTORS && i < (size_t)n_px; i++)
        store_some(dst + (t->px + i) * g->dst_step + c,
                   v_mul(v_cvt_f32(v_load_i32(g->bias + c)), v_load_f32(g->scale + c)),
                   (ptrdiff_t)(g->n_oc - c));
#endif
}

/* One tile, bytes or floats out: exactly one of the two pointers is set. */
struct target {
    uint8_t *u8;
    float *f32;
    const struct pl_requant *q;
};

typedef void tile_fn(const struct target *d, const struct pl_qgemm *g, const struct qgemm_tile *t,
                     size_t oc);

/* A function of its own for each shape: inlined into its loops, GCC 12 keeps accumulators on the
 * stack. */
#define TILE(way, n_px, n_vec)                                                                     \
    static __attribute__((noinline)) void way##_##n_px##x##n_vec(                                  \
        const struct target *d, const struct pl_qgemm *g, const struct qgemm_tile *t, size_t oc)   \
    {                                                                                              \
        if (d->u8)                                                                                 \
            tile_u8(d->u8, g, d->q, t, oc, n_px, n_vec, way##_sums);                               \
        else                                                                                       \
            tile_f32(d->f32, g, t, oc, n_px, n_vec, way##_sums);                                   \
    }
#define TILE_OF(way, n_px, n_vec) TILE(way, n_px, n_vec)
#define TILE_NAME(way, n_px, n_vec) way##_##n_px##x##n_vec
#define TILE_NAME_OF(way, n_px, n_vec) TILE_NAME(way, n_px, n_vec)

/* Tiles of three sizes: whole, half (0 = there is none), and of one pixel, for short rows. */
struct qgemm_tiles {
    size_t whole, half;
    tile_fn *fn[3];
};

/* All pixels of the channels of one tile: their weights stay in the first-level cache. */
INLINE void column(const struct target *d, const struct pl_qgemm *g, const struct qgemm_tile *first,
                   size_t oc, const struct qgemm_tiles *tiles)
{
    for (size_t px = 0, n; px < g->n_px; px += n) {
        struct qgemm_tile t = *first;
        n = tile_size(px, g->n_px, tiles->whole, tiles->half);
        t.px = tile_at(px, g->n_px, n);
        t.src = g->src + t.px * g->src_step;
        (n == tiles->whole ? tiles->fn[0] : n > 1 ? tiles->fn[1] : tiles->fn[2])(d, g, &t, oc);
    }
}

#ifdef V_HAS_DOT
TILE(dot, 1, 1)
TILE(dot, 1, 2)
TILE(dot, 1, 3)
TILE(dot, 1, 4)
TILE(dot, 4, 3)
TILE(dot, 3, 4)
TILE(dot, 24, 1)
TILE(dot, 12, 2)
TILE(dot, 8, 3)
TILE(dot, 6, 4)

/* By the number of blocks; half tiles where most of the work is. */
static const struct qgemm_tiles dot_tiles[] = {{24, 0, {dot_24x1, NULL, dot_1x1}},
                                               {12, 0, {dot_12x2, NULL, dot_1x2}},
                                               {8, 4, {dot_8x3, dot_4x3, dot_1x3}},
                                               {6, 3, {dot_6x4, dot_3x4, dot_1x4}}};

INLINE void gemm(const struct target *d, const struct pl_qgemm *g)
{
    size_t blocks = (g->n_oc + PL_QGEMM_BLOCK - 1) / PL_QGEMM_BLOCK, n = 0;
    for (size_t b = 0; b < blocks; b += n) {
        size_t left = blocks - b;
        n = left == 5 || left == 6 ? 3 : left < 4 ? left : 4;
        column(d, g, &(struct qgemm_tile){0}, b * PL_QGEMM_BLOCK, &dot_tiles[n - 1]);
    }
}
#endif

#ifdef V_HAS_STEP
TILE_OF(step, 1, BLOCK_VECTORS)
TILE_OF(step, V_HALF_PX, BLOCK_VECTORS)
TILE_OF(step, V_TILE_PX, BLOCK_VECTORS)

static const struct qgemm_tiles step_tiles = {V_TILE_PX,
                                              V_HALF_PX,
                                              {TILE_NAME_OF(step, V_TILE_PX, BLOCK_VECTORS),
                                               TILE_NAME_OF(step, V_HALF_PX, BLOCK_VECTORS),
                                               TILE_NAME_OF(step, 1, BLOCK_VECTORS)}};

INLINE void gemm(const struct target *d, const struct pl_qgemm *g)
{
    for (size_t oc = 0; oc < g->n_oc; oc += PL_QGEMM_BLOCK) {
        struct qgemm_tile t = {0};
#ifdef V_SIGNED_INPUTS
        int32_t start[PL_QGEMM_BLOCK];
        raise_sums(start, g->bias + oc, weights_of(g, oc), g->runs * g->run_bytes / 4);
        t.start = start;
#endif
        column(d, g, &t, oc, &step_tiles);
    }
}
#elif defined(V_SPLIT)
/* Splits n bytes, a multiple of 4, into pairs of even and of odd bytes. */
INLINE void split_bytes(int32_t *even, int32_t *odd, const uint8_t *src, size_t n)
{
    size_t i = 0;
    for (; i + 4 * V_LANES <= n; i += 4 * V_LANES) {
        vi v = v_load_bytes(src + i);
        v_store_i32(even + i / 4, v_even_u8(v));
        v_store_i32(odd + i / 4, v_odd_u8(v));
    }
    for (; i < n; i += 4) {
        uint32_t v = (uint32_t)load_dword(src + i);
        even[i / 4] = (int32_t)(v & 0x00ff00ffu);
        odd[i / 4] = (int32_t)((v >> 8) & 0x00ff00ffu);
    }
}

/* Splits what a tile of n_px pixels reads: each byte of a run once, where pixels share it. */
INLINE void split_tile(int32_t *pairs, struct qgemm_tile *t, const struct pl_qgemm *g, size_t n_px)
{
    const bool shared = g->src_step <= g->run_bytes && g->src_step % 4 == 0;
    const size_t k4 = g->run_bytes / 4, n = (shared ? g->src_step : g->run_bytes) / 4;
    const uint8_t *src = g->src + t->px * g->src_step;
    t->pairs = pairs;
    t->px_pairs = n;
    t->run_pairs = (n_px - 1) * n + k4;
    for (size_t r = 0; r < g->runs; r++, src += g->run_stride, pairs += 2 * t->run_pairs) {
        int32_t *odd = pairs + t->run_pairs;
        if (shared)
            split_bytes(pairs, odd, src, 4 * t->run_pairs);
        for (size_t i = 0; i < n_px && !shared; i++)
            split_bytes(pairs + i * n, odd + i * n, src + i * g->src_step, g->run_bytes);
    }
}

TILE_OF(wide, 1, V_TILE_VECTORS)
TILE_OF(wide, V_HALF_PX, V_TILE_VECTORS)
TILE_OF(wide, V_TILE_PX, V_TILE_VECTORS)
#ifdef v_maddubs
TILE_OF(narrow, 1, V_TILE_VECTORS)
TILE_OF(narrow, V_HALF_PX, V_TILE_VECTORS)
TILE_OF(narrow, V_TILE_PX, V_TILE_VECTORS)
TILE_OF(paired, 1, V_TILE_VECTORS)
TILE_OF(paired, V_HALF_PX, V_TILE_VECTORS)
TILE_OF(paired, V_TILE_PX, V_TILE_VECTORS)
#endif
#ifdef V_HALVES
TILE_OF(wide, 1, 1)
TILE_OF(wide, V_HALF_PX, 1)
TILE_OF(wide, V_TILE_PX, 1)
TILE_OF(narrow, 1, 1)
TILE_OF(narrow, V_HALF_PX, 1)
TILE_OF(narrow, V_TILE_PX, 1)
TILE_OF(paired, 1, 1)
TILE_OF(paired, V_HALF_PX, 1)
TILE_OF(paired, V_TILE_PX, 1)
#endif

#define TILES_OF(way, n_vec)                                                                       \
    {                                                                                              \
        V_TILE_PX, V_HALF_PX,                                                                      \
        {                                                                                          \
            TILE_NAME_OF(way, V_TILE_PX, n_vec), TILE_NAME_OF(way, V_HALF_PX, n_vec),              \
                TILE_NAME_OF(way, 1, n_vec)                                                        \
        }                                                                                          \
    }
#ifdef v_maddubs
#define WAYS_OF(n_vec)                                                                             \
    {                                                                                              \
        TILES_OF(wide, n_vec), TILES_OF(paired, n_vec), TILES_OF(narrow, n_vec)                    \
    }
#define way_of(g) ((g)->narrow ? 2 : (g)->paired)
#else
#define WAYS_OF(n_vec)                                                                             \
    {                                                                                              \
        TILES_OF(wide, n_vec)                                                                      \
    }
#define way_of(g) 0
#endif
#ifdef V_HALVES
#define V_HALF_VECTORS 1
#else
#define V_HALF_VECTORS V_TILE_VECTORS
#endif

/* The tiles for the channels from oc on. */
INLINE const struct qgemm_tiles *tiles_at(const struct pl_qgemm *g, size_t oc)
{
    static const struct qgemm_tiles tiles[2][3] = {WAYS_OF(V_TILE_VECTORS),
                                                   WAYS_OF(V_HALF_VECTORS)};
    return &tiles[g->half_block && oc + PL_QGEMM_BLOCK >= g->n_oc][way_of(g)];
}

/* All channels of a tile of pixels, whose bytes are split once; `size` is the place of the tile's
 * size among three. */
static void row(const struct target *d, const struct pl_qgemm *g, int32_t *pairs, size_t at,
                size_t n_px, int size)
{
    struct qgemm_tile t = {.px = at};
    split_tile(pairs, &t, g, n_px);
    for (size_t oc = 0; oc < g->n_oc; oc += V_TILE_VECTORS * V_LANES)
        tiles_at(g, oc)->fn[size](d, g, &t, oc);
}

static void gemm_wide(const struct target *d, const struct pl_qgemm *g)
{
    int32_t pairs[V_TILE_PX * PL_QGEMM_MAX_K / 2];
    for (size_t px = 0, n; px < g->n_px; px += n) {
        n = tile_size(px, g->n_px, V_TILE_PX, V_HALF_PX);
        row(d, g, pairs, tile_at(px, g->n_px, n), n, n == V_TILE_PX ? 0 : n > 1 ? 1 : 2);
    }
}

INLINE void gemm(const struct target *d, const struct pl_qgemm *g)
{
#ifdef v_maddubs
    const bool bytes = g->narrow || g->paired;
    for (size_t oc = 0; bytes && oc < g->n_oc; oc += V_TILE_VECTORS * V_LANES)
        column(d, g, &(struct qgemm_tile){0}, oc, tiles_at(g, oc));
    if (bytes)
        return;
#endif
    gemm_wide(d, g);
}
#endif

#ifndef V_GEMM_ONLY
static void qgemm_u8(uint8_t *dst, const struct pl_qgemm *g, const struct pl_requant *q)
{
    struct target d = {dst, NULL, q};
    gemm(&d, g);
}

static void qgemm_f32(float *dst, const struct pl_qgemm *g)
{
    struct target d = {NULL, dst, NULL};
    gemm(&d, g);
}

/* Pixels of a depthwise layer whose strip fits the first-level cache. */
#define DW_PX 128
#define DW_TOGETHER 4 /* pixels that are summed side by side */

/* strip[t] = for 16 channels the bytes of pixels t, t + 1, t + 2, t + 3: what one dot product of
 * four taps reads. Each is built once and read by taps / 4 sums. */
INLINE void build_strip(uint8_t *strip, const uint8_t *src, size_t channels, size_t n)
{
    for (size_t t = 0; t < n; t++)
        v_store_quads(strip + t * 64, src + t * channels, channels);
}

/* A strip of pixels, and what becomes of it for V_LANES channels. */
struct dw_strip {
    const uint8_t *strip;
    const int8_t *weights;
    size_t groups; /* of four taps */
    vi start;
    vf scale;
    struct pl_requant q;
    uint8_t *dst;
    size_t step; /* from pixel to pixel in dst */
};

/* n_px pixels from t on: their sums do not wait for each other. */
INLINE void dw_px(const struct dw_strip *l, size_t t, const int n_px)
{
    vi acc[DW_TOGETHER];
    UNROLL for (int i = 0; i < n_px; i++) acc[i] = l->start;
    for (size_t j = 0; j < l->groups; j++) {
        const vi w = v_load_bytes(l->weights + 64 * j);
        UNROLL for (int i = 0; i < n_px; i++) acc[i] =
            v_dot(acc[i], v_load_bytes(l->strip + (t + (size_t)i + 4 * j) * 64), w);
    }
    UNROLL for (int i = 0; i < n_px; i++)
        v_store_u8(l->dst + (t + (size_t)i) * l->step, requantized(acc[i], l->scale, &l->q, 0, 0));
}

/* V_LANES channels from c on of n pixels of a block. */
INLINE void dw_lanes(uint8_t *dst, const uint8_t *strip, const struct pl_qdw *d,
                     const struct pl_requant *q, size_t c, size_t n, const int32_t *start)
{
    const struct dw_strip l = {.strip = strip + c % 16 * 4,
                               .weights = d->weights + c / 16 * 16 * d->taps + c % 16 * 4,
                               .groups = d->taps / 4,
                               .start = v_load_i32(start + c % 16),
                               .scale = v_load_f32(d->scale + c),
                               .q = {.zero = q->zero},
                               .dst = dst + c,
                               .step = d->channels};
    size_t t = 0;
    for (; t + DW_TOGETHER <= n; t += DW_TOGETHER)
        dw_px(&l, t, DW_TOGETHER);
    for (; t < n; t++)
        dw_px(&l, t, 1);
}

static void qdw_u8(uint8_t *dst, const struct pl_qdw *d, const struct pl_requant *q)
{
    uint8_t strip[(DW_PX + PL_QDW_MAX_TAPS) * 64];
    for (size_t c = 0; c < d->channels; c += 16) {
#ifdef V_SIGNED_INPUTS
        int32_t start[PL_QGEMM_BLOCK];
        raise_sums(start, d->bias + c, d->weights + c * d->taps, d->taps / 4);
#else
        const int32_t *start = d->bias + c;
#endif
        for (size_t px = 0; px < d->n_px; px += DW_PX) {
            size_t n = d->n_px - px < DW_PX ? d->n_px - px : DW_PX;
            build_strip(strip, d->src + px * d->channels + c, d->channels, n + d->taps - 4);
            for (int v = 0; v < BLOCK_VECTORS; v++)
                dw_lanes(dst + px * d->channels, strip, d, q, c + (size_t)v * V_LANES, n, start);
        }
    }
}
#endif
