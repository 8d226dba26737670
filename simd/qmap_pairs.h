/* SPDX-License-Identifier: BSD-2-Clause */
/* The depthwise kernel of qmap_v.h, which includes this, for the levels without a dot product of
 * bytes: two rows of the kernel at a time, whose bytes lie in the strip as pairs of 16-bit numbers.
 * All a sum does is one product of pairs, exact, and one addition for each of them. */

/* For 16 channels at p a pair of 16-bit numbers each: the bytes of p and of p + step. */
INLINE void store_pairs(uint8_t *out, const uint8_t *p, size_t step)
{
    const __m128i a = _mm_loadu_si128((const void *)p);
    const __m128i b = _mm_loadu_si128((const void *)(p + step));
    const __m128i front = _mm_unpacklo_epi8(a, b), back = _mm_unpackhi_epi8(a, b);
#ifdef __AVX2__
    _mm256_storeu_si256((void *)out, _mm256_cvtepu8_epi16(front));
    _mm256_storeu_si256((void *)(out + 32), _mm256_cvtepu8_epi16(back));
#else
    const __m128i zero = _mm_setzero_si128();
    _mm_storeu_si128((void *)out, _mm_unpacklo_epi8(front, zero));
    _mm_storeu_si128((void *)(out + 16), _mm_unpackhi_epi8(front, zero));
    _mm_storeu_si128((void *)(out + 32), _mm_unpacklo_epi8(back, zero));
    _mm_storeu_si128((void *)(out + 48), _mm_unpackhi_epi8(back, zero));
#endif
}

/* strip[x][pair] = for 16 channels the numbers of two rows; each is read by kernel_w sums. */
INLINE void build_strip(uint8_t *strip, const uint8_t *src, const struct pl_qplane *p, size_t n)
{
    for (size_t x = 0; x < n; x++)
        for (size_t i = 0; i < p->kernel_h; i += 2, strip += 64)
            store_pairs(strip, src + i * p->row_stride + x * p->channels, p->row_stride);
}

/* Widens the weights of V_LANES channels, four rows together, to pairs w[column][pair]. */
INLINE void widen_weights(vi *w, const int8_t *from, const struct pl_qplane *p)
{
    for (size_t j = 0; j < p->kernel_w; j++)
        for (size_t i = 0; i < p->kernel_h; i += 4, from += 64) {
            const vi v = v_load_bytes(from);
            const vi even = V_MM(srai_epi16)(V_MM(slli_epi16)(v, 8), 8);
            const vi odd = V_MM(srai_epi16)(v, 8), low = v_set1_i32(0xffff);
            *w++ = (even & low) | V_MM(slli_epi32)(odd, 16);
            if (i + 2 < p->kernel_h)
                *w++ = V_MM(srli_epi32)(even, 16) | (odd & ~low);
        }
}

/* V_LANES channels from c on of n_px pixels from px on, which is a constant: their sums do not wait
 * for each other. `step` is from pixel to pixel in the strip. */
INLINE void plane_px(uint8_t *dst, const uint8_t *strip, const struct pl_qplane *p,
                     const struct pl_requant *q, size_t c, size_t px, const vi *w, size_t taps,
                     size_t step, const int n_px)
{
    vi acc[TILE_PX];
    const vi start = v_load_i32(p->bias + c);
    UNROLL for (int t = 0; t < n_px; t++) acc[t] = start;
    for (size_t k = 0; k < taps; k++, strip += 64) {
        /* pointers to every third pixel: the two between are addressed by index */
        const uint8_t *at[] = {strip, strip + 3 * step, strip + 6 * step};
        UNROLL for (int t = 0; t < n_px; t++)
        {
            const vi in = v_load_bytes(at[t / 3] + (size_t)(t % 3) * step);
            acc[t] = v_add_i32(acc[t], V_MM(madd_epi16)(in, w[k]));
        }
    }
    UNROLL for (int t = 0; t < n_px; t++) plane_store(dst, acc[t], p, q, c, px + (size_t)t);
}

/* V_LANES channels from c on of n pixels, with the weights `from` on. */
static __attribute__((noinline)) void plane_strip(uint8_t *dst, const uint8_t *strip,
                                                  const int8_t *from, const struct pl_qplane *p,
                                                  const struct pl_requant *q, size_t c, size_t px,
                                                  size_t n)
{
    const size_t pairs = (p->kernel_h + 1) / 2, taps = pairs * p->kernel_w;
    const size_t step = p->stride * pairs * 64;
    vi w[PL_QPLANE_MAX_KERNEL * PL_QPLANE_MAX_KERNEL / 2];
    size_t t = 0;
    widen_weights(w, from, p);
    for (; t + TILE_PX <= n; t += TILE_PX)
        plane_px(dst, strip + t * step, p, q, c, px + t, w, taps, step, TILE_PX);
    for (; t < n; t++)
        plane_px(dst, strip + t * step, p, q, c, px + t, w, taps, step, 1);
}
