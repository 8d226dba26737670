/* SPDX-License-Identifier: BSD-2-Clause */
/* Bodies of the int8 kernels of qmap.h in the vocabulary of qgemm_v.h; each qmap_<isa>.c includes
 * that of its level and V_PLANE_PAIRS (qmap_pairs.h), or gives its way of summing products:
 *   vw             the weights of V_LANES channels and four rows as the sum wants them
 *   vw_load(p)     from 4 V_LANES bytes
 *   vw_dot(a,x,w)  a[i] + the sum of four u8 x s8 products of lane i, exact
 * vw_load() and vw_dot() agree with v_store_quads() on the order of the 4 V_LANES bytes. With
 * V_SIGNED_INPUTS the products are s8 x s8, and v_store_quads() gives bytes 128 lower. With
 * V_PLANE_ONLY it gives qplane_u8() alone. */
#include <stdbool.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 32")

/* Pixels of a strip, which fits the first-level cache. */
#define STRIP_PX 32

/* From the limits on: stores V_LANES bytes. */
INLINE void store_limited(uint8_t *dst, vf f, int32_t zero)
{
    f = v_min(f, v_set1_f32((float)(255 - zero)));
    v_store_u8(dst, v_add_i32(v_cvt_i32(f), v_set1_i32(zero)));
}

INLINE vf load_centred(const uint8_t *p, int32_t zero)
{
    return v_cvt_f32(v_sub_i32(v_widen_u8(p), v_set1_i32(zero)));
}

#ifndef V_PLANE_ONLY
static void quantize_u8(uint8_t *dst, const float *src, size_t n, float inv_scale, int32_t zero)
{
    size_t i = 0;
    for (; i + V_LANES <= n; i += V_LANES)
        store_limited(dst + i, v_mul(v_load_f32(src + i), v_set1_f32(inv_scale)), zero);
    if (i < n) {
        float in[V_LANES] = {0};
        uint8_t out[V_LANES];
        memcpy(in, src + i, (n - i) * sizeof(*in));
        store_limited(out, v_mul(v_load_f32(in), v_set1_f32(inv_scale)), zero);
        memcpy(dst + i, out, n - i);
    }
}

static void dequantize_u8(float *dst, const uint8_t *src, size_t n, float scale, int32_t zero)
{
    size_t i = 0;
    for (; i + V_LANES <= n; i += V_LANES)
        v_store_f32(dst + i, v_mul(load_centred(src + i, zero), v_set1_f32(scale)));
    for (; i < n; i++)
        dst[i] = (float)(src[i] - zero) * scale;
}

INLINE vf add_two(const uint8_t *a, const uint8_t *b, const struct pl_qadd *q)
{
    const vf x = v_mul(load_centred(a, q->a_zero), v_set1_f32(q->a_ratio));
    return v_add_f32(x, v_mul(load_centred(b, q->b_zero), v_set1_f32(q->b_ratio)));
}

static void qadd_u8(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n,
                    const struct pl_qadd *q)
{
    size_t i = 0;
    for (; i + V_LANES <= n; i += V_LANES)
        store_limited(dst + i, add_two(a + i, b + i, q), q->zero);
    if (i < n) {
        uint8_t x[V_LANES] = {0}, y[V_LANES] = {0}, out[V_LANES];
        memcpy(x, a + i, n - i);
        memcpy(y, b + i, n - i);
        store_limited(out, add_two(x, y, q), q->zero);
        memcpy(dst + i, out, n - i);
    }
}

static void qscale_u8(uint8_t *dst, const uint8_t *src, size_t n_px, size_t channels,
                      const float *factor, int32_t src_zero, int32_t zero)
{
    for (size_t i = 0; i < n_px; i++, src += channels, dst += channels)
        for (size_t c = 0; c < channels; c += V_LANES)
            store_limited(dst + c, v_mul(load_centred(src + c, src_zero), v_load_f32(factor + c)),
                          zero);
}

#endif

/* Limits, rounds and stores V_LANES channels from c on of pixel px. */
INLINE void plane_store(uint8_t *dst, vi acc, const struct pl_qplane *p, const struct pl_requant *q,
                        size_t c, size_t px)
{
    vf f = v_mul(v_cvt_f32(acc), v_load_f32(p->scale + c));
    if (q->residual)
        f = v_add_f32(f,
                      v_mul(load_centred(q->residual + px * q->residual_step + c, q->residual_zero),
                            v_set1_f32(q->residual_scale)));
    store_limited(dst + px * p->channels + c, f, q->zero);
}

#ifdef V_PLANE_PAIRS
#define TILE_PX 8    /* pixels whose sums are taken together */
#define STRIP_STEP 2 /* rows of the input that lie together in a strip */
#include "simd/qmap_pairs.h"
#else
/* Pixels whose sums are taken together: the loads of what two of them read are shared. */
#define TILE_PX 4
#define STRIP_STEP 4

/* strip[x][quad] = for 16 channels the bytes of four rows: what one dot product reads. Each is
 * built once and read by kernel_w sums. */
INLINE void build_strip(uint8_t *strip, const uint8_t *src, const struct pl_qplane *p, size_t n)
{
    const size_t quads = (p->kernel_h + 3) / 4;
    for (size_t x = 0; x < n; x++)
        for (size_t i = 0; i < quads; i++, strip += 64)
            v_store_quads(strip, src + 4 * i * p->row_stride + x * p->channels, p->row_stride);
}

/* What the sums of V_LANES channels begin with. */
INLINE vi plane_start(const int32_t *bias, const vw *w, size_t taps)
{
    const vi start = v_load_i32(bias);
#ifdef V_SIGNED_INPUTS
    vi lower = v_set1_i32(0);
    for (size_t k = 0; k < taps; k++)
        lower = vw_dot(lower, v_set1_i32((int32_t)0x80808080), w[k]);
    return v_sub_i32(start, lower);
#else
    (void)w;
    (void)taps;
    return start;
#endif
}

/* The sum of one pixel, which begins with acc. */
INLINE vi plane_sum(vi acc, const uint8_t *strip, const vw *w, size_t taps)
{
    for (size_t k = 0; k < taps; k++)
        acc = vw_dot(acc, v_load_bytes(strip + k * 64), w[k]);
    return acc;
}

/* The same of TILE_PX pixels; what two of them read is loaded once. The sizes are constants. */
INLINE void plane_sums(vi *acc, const uint8_t *strip, const vw *w, const size_t width,
                       const size_t quads, const size_t stride)
{
    UNROLL for (size_t k = 0; k < ((TILE_PX - 1) * stride + width) * quads; k++)
    {
        const vi in = v_load_bytes(strip + k * 64);
        UNROLL for (size_t t = 0; t < TILE_PX; t++)
        {
            const size_t tap = k - t * stride * quads; /* beyond all where k is before pixel t */
            if (tap < width * quads)
                acc[t] = vw_dot(acc[t], in, w[tap]);
        }
    }
}

/* V_LANES channels from c on of n pixels, with the weights `from` on; in tiles where the sizes are
 * constants: the weights then stay in registers. */
INLINE void plane_lanes(uint8_t *dst, const uint8_t *strip, const int8_t *from,
                        const struct pl_qplane *p, const struct pl_requant *q, size_t c, size_t px,
                        size_t n, const bool tiles, const size_t width, const size_t quads,
                        const size_t stride)
{
    const size_t taps = width * quads, step = stride * quads * 64, end = px + n;
    vw w[PL_QPLANE_MAX_KERNEL * PL_QPLANE_MAX_KERNEL / 4];
    for (size_t k = 0; k < taps; k++)
        w[k] = vw_load(from + 64 * k);
    const vi start = plane_start(p->bias + c, w, taps);
    for (; tiles && px + TILE_PX <= end; px += TILE_PX, strip += TILE_PX * step) {
        vi acc[TILE_PX] = {start, start, start, start};
        plane_sums(acc, strip, w, width, quads, stride);
        UNROLL for (size_t t = 0; t < TILE_PX; t++) plane_store(dst, acc[t], p, q, c, px + t);
    }
    for (; px < end; px++, strip += step)
        plane_store(dst, plane_sum(start, strip, w, taps), p, q, c, px);
}

/* All kernels, and those that networks use most with their sizes as constants. */
static __attribute__((noinline)) void plane_strip(uint8_t *dst, const uint8_t *strip,
                                                  const int8_t *from, const struct pl_qplane *p,
                                                  const struct pl_requant *q, size_t c, size_t px,
                                                  size_t n)
{
    const size_t quads = (p->kernel_h + 3) / 4, width = p->kernel_w, stride = p->stride;
    if (width == 3 && quads == 1 && stride == 1)
        plane_lanes(dst, strip, from, p, q, c, px, n, true, 3, 1, 1);
    else if (width == 3 && quads == 1 && stride == 2)
        plane_lanes(dst, strip, from, p, q, c, px, n, true, 3, 1, 2);
    else if (width == 5 && quads == 2 && stride == 1)
        plane_lanes(dst, strip, from, p, q, c, px, n, true, 5, 2, 1);
    else if (width == 5 && quads == 2 && stride == 2)
        plane_lanes(dst, strip, from, p, q, c, px, n, true, 5, 2, 2);
    else
        plane_lanes(dst, strip, from, p, q, c, px, n, false, width, quads, stride);
}
#endif

/* Returns how many rows of the output find all that they read in the rows of one strip. */
static size_t strip_serves(const struct pl_qplane *p)
{
    const size_t rows = (p->kernel_h + STRIP_STEP - 1) / STRIP_STEP * STRIP_STEP;
    return (rows - p->kernel_h) / p->down + 1;
}

/* The weights of 16 channels for a row of the output that begins `down` rows, 1 to 3, below a
 * strip: each column has four rows in a word, the first in its lowest byte. */
static void move_weights(uint32_t *to, const int8_t *from, const struct pl_qplane *p, size_t down)
{
    const size_t quads = (p->kernel_h + 3) / 4;
    uint32_t above[16], here[16] = {0};
    for (size_t k = 0; k < p->kernel_w * quads; k++, from += 64, to += 16) {
        if (k % quads == 0)
            memset(here, 0, sizeof(here));
        memcpy(above, here, sizeof(above));
        memcpy(here, from, sizeof(here));
        for (size_t c = 0; c < 16; c++)
            to[c] = here[c] << (8 * down) | above[c] >> (32 - 8 * down);
    }
}

static void qplane_u8(uint8_t *dst, const struct pl_qplane *p, const struct pl_requant *q)
{
    /* so many output pixels that their inputs fit the strip */
    const size_t most = (STRIP_PX - 1) / p->stride + 1, serves = strip_serves(p);
    const size_t bytes = p->kernel_w * ((p->kernel_h + 3) / 4) * 64;
    uint8_t strip[(STRIP_PX + PL_QPLANE_MAX_KERNEL) * (PL_QPLANE_MAX_KERNEL / STRIP_STEP) * 64];
    uint32_t moved[STRIP_STEP - 1][PL_QPLANE_MAX_KERNEL * PL_QPLANE_MAX_KERNEL * 4];
    for (size_t c = 0; c < p->channels; c += 16) {
        const int8_t *weights = p->weights + c / 16 * bytes;
        for (size_t i = 1; i < serves && i < p->n_rows; i++)
            move_weights(moved[i - 1], weights, p, i * p->down);
        for (size_t row = 0; row < p->n_rows; row += serves)
            for (size_t px = 0; px < p->n_px; px += most) {
                const size_t n = p->n_px - px < most ? p->n_px - px : most;
                const uint8_t *src = p->src + row * p->down * p->row_stride + c;
                build_strip(strip, src + px * p->stride * p->channels, p,
                            (n - 1) * p->stride + p->kernel_w);
                for (size_t i = 0; i < serves && row + i < p->n_rows; i++)
                    for (size_t v = 0; v < 16; v += V_LANES)
                        plane_strip(dst, strip + 4 * v,
                                    (i ? (const int8_t *)moved[i - 1] : weights) + 4 * v, p, q,
                                    c + v, (row + i) * p->n_px + px, n);
            }
    }
}

#ifndef V_PLANE_ONLY
#define QMAP_INIT(isa)                                                                             \
    void pl_qmap_init_##isa(struct pl_kernels *k);                                                 \
    void pl_qmap_init_##isa(struct pl_kernels *k)                                                  \
    {                                                                                              \
        k->quantize_u8 = quantize_u8;                                                              \
        k->dequantize_u8 = dequantize_u8;                                                          \
        k->qadd_u8 = qadd_u8;                                                                      \
        k->qscale_u8 = qscale_u8;                                                                  \
        k->qplane_u8 = qplane_u8;                                                                  \
    }
#endif
