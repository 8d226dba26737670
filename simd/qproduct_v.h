/* SPDX-License-Identifier: BSD-2-Clause */
/* What the bodies of qgemm_v.h and qwinograd_v.h share, in the vocabulary of qgemm_v.h. */
#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 32")
#if V_LANES == 4
#define BLOCK_VECTORS 4
#elif V_LANES == 8
#define BLOCK_VECTORS 2
#else
#define BLOCK_VECTORS 1
#endif

/* V_LANES channels from `oc` on of pixel px, to be stored by v_store_u8(). */
INLINE vi requantized(vi acc, vf scale, const struct pl_requant *q, size_t px, size_t oc)
{
    vf f = v_mul(v_cvt_f32(acc), scale);
    if (q->residual) {
        vi r = v_widen_u8(q->residual + px * q->residual_step + oc);
        r = v_sub_i32(r, v_set1_i32(q->residual_zero));
        f = v_add_f32(f, v_mul(v_cvt_f32(r), v_set1_f32(q->residual_scale)));
    }
    f = v_min(f, v_set1_f32((float)(255 - q->zero)));
    return v_add_i32(v_cvt_i32(f), v_set1_i32(q->zero));
}

/* Stores n vectors of V_LANES channels behind each other. */
INLINE void store_blocks(uint8_t *p, const vi *v, const int n)
{
#ifdef v_store_blocks
    v_store_blocks(p, v, n);
#else
    UNROLL for (int j = 0; j < n; j++) v_store_u8(p + j * V_LANES, v[j]);
#endif
}

/* Pixels of the tile that begins at px: half of one at the end, if that is enough. */
INLINE size_t tile_size(size_t px, size_t n_px, size_t whole, size_t half)
{
    if (n_px >= whole && n_px - px > half)
        return whole;
    return half && n_px >= half ? half : 1;
}

/* Its first pixel: the last tile is moved back so that it ends with the row (what it computes twice
 * comes out the same). */
INLINE size_t tile_at(size_t px, size_t n_px, size_t tile)
{
    return px + tile <= n_px ? px : n_px - tile;
}
