/* SPDX-License-Identifier: BSD-2-Clause */
/* The int8 GEMM on AMX tiles: the packed weights are a tile's layout as they stand, a row of 64
 * bytes holds four inputs of sixteen output channels. The tile product is exact in int32 like the
 * others, and the epilogue is the one of every level. Fewer than sixteen pixels go to the VNNI
 * body, as does the depthwise layer. */
#include "simd/kernels.h"

#include "simd/qgemm_v512.h"

#define V_HAS_DOT
#define V_GEMM_ONLY

#define v_dot(acc, u, s) _mm512_dpbusd_epi32(acc, u, s)

#include "simd/qgemm_v.h"

#define PX 16      /* pixels of a tile: its rows */
#define K_BYTES 64 /* bytes of a pixel in a tile's row */

/* Intel SDM, LDTILECFG: palette 1, then columns in bytes and rows of the eight tiles. Tiles 0..3
 * sum (2 groups of pixels x 2 blocks of channels); 4 and 5 are inputs and weights of 64 bytes of K,
 * 6 and 7 those of what is left of a run. */
struct tile_config {
    uint8_t palette, start_row, reserved[14];
    uint16_t bytes[16];
    uint8_t rows[16];
};

static void configure(size_t rest)
{
    struct tile_config c = {.palette = 1};
    for (int i = 0; i < 8; i++) {
        c.bytes[i] = 64;
        c.rows[i] = 16;
    }
    if (rest) {
        c.bytes[6] = (uint16_t)rest;
        c.rows[7] = (uint8_t)(rest / 4);
    }
    _tile_loadconfig(&c);
}

struct amx_sums {
    int32_t v[2][2][PX][PL_QGEMM_BLOCK]; /* group of pixels, block of channels */
};

/* One step of K: a and b are the first group's inputs and the first block's weights; the second
 * ones lie a2 and b2 bytes on. */
#define STEP(A, B, groups, blocks)                                                                 \
    do {                                                                                           \
        _tile_loadd(A, a, step);                                                                   \
        _tile_loadd(B, b, 64);                                                                     \
        _tile_dpbusd(0, A, B);                                                                     \
        if ((groups) == 2) {                                                                       \
            if ((blocks) == 2) {                                                                   \
                _tile_loadd(B, b + b2, 64);                                                        \
                _tile_dpbusd(1, A, B);                                                             \
                _tile_loadd(A, a + a2, step);                                                      \
                _tile_dpbusd(3, A, B);                                                             \
                _tile_loadd(B, b, 64);                                                             \
                _tile_dpbusd(2, A, B);                                                             \
            } else {                                                                               \
                _tile_loadd(A, a + a2, step);                                                      \
                _tile_dpbusd(2, A, B);                                                             \
            }                                                                                      \
        } else if ((blocks) == 2) {                                                                \
            _tile_loadd(B, b + b2, 64);                                                            \
            _tile_dpbusd(1, A, B);                                                                 \
        }                                                                                          \
    } while (0)

/* Sums of `groups` x 16 pixels from src on and `blocks` x 16 channels from weights w on. */
INLINE void tile_products(struct amx_sums *out, const struct pl_qgemm *g, const uint8_t *src,
                          const int8_t *w, size_t a2, const int groups, const int blocks)
{
    const size_t step = g->src_step, b2 = PL_QGEMM_BLOCK * g->runs * g->run_bytes;
    const int8_t *b = w;
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    for (size_t r = 0; r < g->runs; r++) {
        const uint8_t *a = src + r * g->run_stride;
        size_t k = 0;
        for (; k + K_BYTES <= g->run_bytes; k += K_BYTES, a += K_BYTES, b += 16 * K_BYTES)
            STEP(4, 5, groups, blocks);
        if (k < g->run_bytes) {
            STEP(6, 7, groups, blocks);
            b += 16 * (g->run_bytes - k);
        }
    }
    _tile_stored(0, out->v[0][0], 64);
    if (blocks == 2)
        _tile_stored(1, out->v[0][1], 64);
    if (groups == 2)
        _tile_stored(2, out->v[1][0], 64);
    if (groups == 2 && blocks == 2)
        _tile_stored(3, out->v[1][1], 64);
}

/* The sums of sixteen pixels from px on and one block of channels, to where they belong. */
INLINE void finish(const struct target *d, const struct pl_qgemm *g,
                   const int32_t sums[PX][PL_QGEMM_BLOCK], size_t px, size_t oc)
{
    const vi bias = v_load_i32(g->bias + oc);
    const vf scale = v_load_f32(g->scale + oc);
    for (size_t i = 0; i < PX; i++) {
        vi acc = v_add_i32(v_load_i32(sums[i]), bias);
        size_t at = (px + i) * g->dst_step + oc;
        if (d->u8)
            v_store_u8(d->u8 + at, requantized(acc, scale, d->q, px + i, oc));
        else
            store_some(d->f32 + at, v_mul(v_cvt_f32(acc), scale), (ptrdiff_t)(g->n_oc - oc));
    }
}

/* `blocks` blocks of channels over all pixels: their weights stay in the first-level cache. */
INLINE void tile_column(const struct target *d, const struct pl_qgemm *g, size_t oc,
                        const int blocks)
{
    struct amx_sums s;
    const int8_t *w = weights_of(g, oc);
    for (size_t px = 0; px < g->n_px; px += 2 * PX) {
        bool two = g->n_px - px > PX;
        size_t first = tile_at(px, g->n_px, PX), second = tile_at(px + PX, g->n_px, PX);
        const uint8_t *src = g->src + first * g->src_step;
        if (two)
            tile_products(&s, g, src, w, (second - first) * g->src_step, 2, blocks);
        else
            tile_products(&s, g, src, w, 0, 1, blocks);
        for (int j = 0; j < blocks; j++) {
            finish(d, g, s.v[0][j], first, oc + (size_t)j * PL_QGEMM_BLOCK);
            if (two)
                finish(d, g, s.v[1][j], second, oc + (size_t)j * PL_QGEMM_BLOCK);
        }
    }
}

static void tile_gemm(const struct target *d, const struct pl_qgemm *g)
{
    if (g->n_px < PX) {
        gemm(d, g);
        return;
    }
    configure(g->run_bytes % K_BYTES);
    size_t oc = 0;
    for (; oc + PL_QGEMM_BLOCK < g->n_oc; oc += 2 * PL_QGEMM_BLOCK)
        tile_column(d, g, oc, 2);
    if (oc < g->n_oc)
        tile_column(d, g, oc, 1);
    _tile_release();
}

static void amx_qgemm_u8(uint8_t *dst, const struct pl_qgemm *g, const struct pl_requant *q)
{
    struct target d = {dst, NULL, q};
    tile_gemm(&d, g);
}

static void amx_qgemm_f32(float *dst, const struct pl_qgemm *g)
{
    struct target d = {NULL, dst, NULL};
    tile_gemm(&d, g);
}

void pl_qgemm_init_amx(struct pl_kernels *k);
void pl_qgemm_init_amx(struct pl_kernels *k)
{
    k->qgemm_u8 = amx_qgemm_u8;
    k->qgemm_f32 = amx_qgemm_f32;
}
