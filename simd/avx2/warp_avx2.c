/* SPDX-License-Identifier: BSD-2-Clause */
#define PL_BYTES 32
#include "simd/bytes.h"

#define V_SAMPLES 16

static inline __m256i load32(const uint8_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

static inline void v_interleave(uint8_t *pairs, const uint8_t *p)
{
    __m128i a = _mm_loadu_si128((const __m128i *)(const void *)p);
    __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(p + 1));
    _mm_storeu_si128((__m128i *)(void *)pairs, _mm_unpacklo_epi8(a, b));
    _mm_storeu_si128((__m128i *)(void *)(pairs + 16), _mm_unpackhi_epi8(a, b));
}

/* Pixels are taken 128 lower, as signed bytes: the sums of products then fit 16 bits. */
static inline void v_blend(uint8_t *dst, const uint8_t *top, const uint8_t *bottom, vu16 fx,
                           vu16 fy)
{
    const __m256i flip = _mm256_set1_epi8(-128), half = _mm256_set1_epi32(8192 + (128 << 14));
    __m256i wx = (__m256i)((128 - fx) | (fx << 8)), wy = (__m256i)fy, gy = (__m256i)(128 - fy);
    __m256i t = _mm256_maddubs_epi16(wx, _mm256_xor_si256(load32(top), flip));
    __m256i b = _mm256_maddubs_epi16(wx, _mm256_xor_si256(load32(bottom), flip));
    __m256i lo = _mm256_madd_epi16(_mm256_unpacklo_epi16(t, b), _mm256_unpacklo_epi16(gy, wy));
    __m256i hi = _mm256_madd_epi16(_mm256_unpackhi_epi16(t, b), _mm256_unpackhi_epi16(gy, wy));
    __m256i v = _mm256_packs_epi32(_mm256_srli_epi32(_mm256_add_epi32(lo, half), 14),
                                   _mm256_srli_epi32(_mm256_add_epi32(hi, half), 14));
    __m128i px = _mm_packus_epi16(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    _mm_storeu_si128((__m128i *)(void *)dst, px);
}

#include "simd/warp_strip.h"

void pl_warp_init_avx2(struct pl_kernels *k);
void pl_warp_init_avx2(struct pl_kernels *k)
{
    k->warp_row = warp_row;
}
