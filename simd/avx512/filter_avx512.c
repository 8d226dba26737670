/* SPDX-License-Identifier: BSD-2-Clause */
#include <immintrin.h>

#include "simd/pixel_scalar.h"

static inline __m512i widen_or_zero(const uint8_t *p, size_t i)
{
    return p ? _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)(p + i)))
             : _mm512_setzero_si512();
}

static inline void add_to(uint32_t *sum, __m512i v)
{
    _mm512_storeu_si512(sum, _mm512_add_epi32(_mm512_loadu_si512(sum), v));
}

static void colsum_u8(uint32_t *sum, uint32_t *sumsq, const uint8_t *add, const uint8_t *sub,
                      size_t n)
{
    size_t i = 0;
    for (; i + 16 <= n && !sumsq; i += 16)
        add_to(sum + i, _mm512_sub_epi32(widen_or_zero(add, i), widen_or_zero(sub, i)));
    for (; i + 16 <= n; i += 16) {
        __m512i a = widen_or_zero(add, i), s = widen_or_zero(sub, i), d = _mm512_sub_epi32(a, s);
        add_to(sum + i, d);
        /* a^2 - s^2 = (a - s)(a + s): both fit 16 bits, and the upper half of a + s is zero */
        add_to(sumsq + i, _mm512_madd_epi16(d, _mm512_add_epi32(a, s)));
    }
    pl_colsum_u8_scalar(sum + i, sumsq ? sumsq + i : NULL, add ? add + i : NULL,
                        sub ? sub + i : NULL, n - i);
}

static void resize_rows(uint8_t *dst, const uint8_t *const *rows, const int16_t *weights,
                        size_t taps, size_t n)
{
    for (size_t x = 0; x < n; x += 32) {
        __mmask32 m = n - x >= 32 ? 0xffffffffu : (1u << (n - x)) - 1;
        __m512i lo = _mm512_set1_epi32(8192), hi = lo;
        for (size_t j = 0; j < taps; j += 2) {
            bool pair = j + 1 < taps;
            uint32_t w =
                (uint16_t)weights[j] | (pair ? (uint32_t)(uint16_t)weights[j + 1] << 16 : 0);
            __m512i both = _mm512_set1_epi32((int)w);
            __m512i a = _mm512_cvtepu8_epi16(_mm256_maskz_loadu_epi8(m, rows[j] + x));
            __m512i b = _mm512_cvtepu8_epi16(_mm256_maskz_loadu_epi8(m, rows[j + pair] + x));
            lo = _mm512_add_epi32(lo, _mm512_madd_epi16(_mm512_unpacklo_epi16(a, b), both));
            hi = _mm512_add_epi32(hi, _mm512_madd_epi16(_mm512_unpackhi_epi16(a, b), both));
        }
        __m512i v = _mm512_packs_epi32(_mm512_srai_epi32(lo, 14), _mm512_srai_epi32(hi, 14));
        v = _mm512_max_epi16(v, _mm512_setzero_si512());
        _mm512_mask_cvtusepi16_storeu_epi8(dst + x, m, v);
    }
}

void pl_filter_init_avx512(struct pl_kernels *k);
void pl_filter_init_avx512(struct pl_kernels *k)
{
    k->colsum_u8 = colsum_u8;
    k->resize_rows = resize_rows;
}
