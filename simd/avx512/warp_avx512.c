/* SPDX-License-Identifier: BSD-2-Clause */
#define PL_BYTES 64
#include "simd/bytes.h"

#define V_SAMPLES 32

static inline __m512i widen32(const uint8_t *p)
{
    return _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)(const void *)p));
}

static inline void v_interleave(uint8_t *pairs, const uint8_t *p)
{
    __m512i right = _mm512_slli_epi16(widen32(p + 1), 8);
    _mm512_storeu_si512(pairs, _mm512_or_si512(widen32(p), right));
}

/* Pixels are taken 128 lower, as signed bytes: the sums of products then fit 16 bits. */
static inline void v_blend(uint8_t *dst, const uint8_t *top, const uint8_t *bottom, vu16 fx,
                           vu16 fy)
{
    const __m512i flip = _mm512_set1_epi8(-128), half = _mm512_set1_epi32(8192 + (128 << 14));
    __m512i wx = (__m512i)((128 - fx) | (fx << 8)), wy = (__m512i)fy, gy = (__m512i)(128 - fy);
    __m512i t = _mm512_maddubs_epi16(wx, _mm512_xor_si512(_mm512_loadu_si512(top), flip));
    __m512i b = _mm512_maddubs_epi16(wx, _mm512_xor_si512(_mm512_loadu_si512(bottom), flip));
    __m512i lo = _mm512_madd_epi16(_mm512_unpacklo_epi16(t, b), _mm512_unpacklo_epi16(gy, wy));
    __m512i hi = _mm512_madd_epi16(_mm512_unpackhi_epi16(t, b), _mm512_unpackhi_epi16(gy, wy));
    __m512i v = _mm512_packs_epi32(_mm512_srli_epi32(_mm512_add_epi32(lo, half), 14),
                                   _mm512_srli_epi32(_mm512_add_epi32(hi, half), 14));
    _mm256_storeu_si256((__m256i *)(void *)dst, _mm512_cvtepi16_epi8(v));
}

#include "simd/warp_strip.h"

void pl_warp_init_avx512(struct pl_kernels *k);
void pl_warp_init_avx512(struct pl_kernels *k)
{
    k->warp_row = warp_row;
}
