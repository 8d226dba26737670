/* SPDX-License-Identifier: BSD-2-Clause */
#define PL_BYTES 16
#include "simd/bytes.h"

#define V_SAMPLES 8

static inline __m128i load8(const uint8_t *p)
{
    return _mm_loadl_epi64((const __m128i *)(const void *)p);
}

/* 8 x 8 bytes: three rounds of interleaving. */
static void block8(uint8_t *dst, size_t dst_stride, const uint8_t *src, size_t src_stride)
{
    __m128i a[4], b[4];
    for (size_t i = 0; i < 4; i++)
        a[i] = _mm_unpacklo_epi8(load8(src + 2 * i * src_stride),
                                 load8(src + (2 * i + 1) * src_stride));
    b[0] = _mm_unpacklo_epi16(a[0], a[1]);
    b[1] = _mm_unpackhi_epi16(a[0], a[1]);
    b[2] = _mm_unpacklo_epi16(a[2], a[3]);
    b[3] = _mm_unpackhi_epi16(a[2], a[3]);
    for (size_t i = 0; i < 2; i++) {
        __m128i lo = _mm_unpacklo_epi32(b[i], b[i + 2]), hi = _mm_unpackhi_epi32(b[i], b[i + 2]);
        uint8_t *d = dst + 4 * i * dst_stride;
        _mm_storel_epi64((__m128i *)(void *)d, lo);
        _mm_storel_epi64((__m128i *)(void *)(d + dst_stride), _mm_srli_si128(lo, 8));
        _mm_storel_epi64((__m128i *)(void *)(d + 2 * dst_stride), hi);
        _mm_storel_epi64((__m128i *)(void *)(d + 3 * dst_stride), _mm_srli_si128(hi, 8));
    }
}

#include "simd/transpose.h"

static inline void v_interleave(uint8_t *pairs, const uint8_t *p)
{
    _mm_storeu_si128((__m128i *)(void *)pairs, _mm_unpacklo_epi8(load8(p), load8(p + 1)));
}

static inline __m128i load16(const uint8_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

/* Pixels are taken 128 lower, as signed bytes: the sums of products then fit 16 bits. */
static inline void v_blend(uint8_t *dst, const uint8_t *top, const uint8_t *bottom, vu16 fx,
                           vu16 fy)
{
    const __m128i flip = _mm_set1_epi8(-128), half = _mm_set1_epi32(8192 + (128 << 14));
    __m128i wx = (__m128i)((128 - fx) | (fx << 8)), wy = (__m128i)fy, gy = (__m128i)(128 - fy);
    __m128i t = _mm_maddubs_epi16(wx, _mm_xor_si128(load16(top), flip));
    __m128i b = _mm_maddubs_epi16(wx, _mm_xor_si128(load16(bottom), flip));
    __m128i lo = _mm_madd_epi16(_mm_unpacklo_epi16(t, b), _mm_unpacklo_epi16(gy, wy));
    __m128i hi = _mm_madd_epi16(_mm_unpackhi_epi16(t, b), _mm_unpackhi_epi16(gy, wy));
    __m128i v = _mm_packs_epi32(_mm_srli_epi32(_mm_add_epi32(lo, half), 14),
                                _mm_srli_epi32(_mm_add_epi32(hi, half), 14));
    _mm_storel_epi64((__m128i *)(void *)dst, _mm_packus_epi16(v, v));
}

#include "simd/warp_strip.h"

void pl_warp_init_sse42(struct pl_kernels *k);
void pl_warp_init_sse42(struct pl_kernels *k)
{
    k->warp_row = warp_row;
    k->transpose_u8 = transpose_u8;
}
