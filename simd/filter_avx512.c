#include <immintrin.h>

#include "simd/kernels.h"

/* The low `n` lanes, all sixteen when n >= 16. */
static inline __mmask16 lanes(size_t n)
{
    return (__mmask16)(n >= 16 ? 0xffffu : (1u << n) - 1);
}

static void colsum_u8(uint32_t *sum, uint32_t *sumsq, const uint8_t *add, const uint8_t *sub,
                      size_t n)
{
    for (size_t i = 0; i < n; i += 16) {
        __mmask16 m = lanes(n - i);
        __m512i a =
            add ? _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(m, add + i)) : _mm512_setzero_si512();
        __m512i s =
            sub ? _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(m, sub + i)) : _mm512_setzero_si512();
        __m512i d = _mm512_sub_epi32(a, s);
        /* a^2 - s^2 = (a - s)(a + s): both fit 16 bits, and the upper half of a + s is zero */
        __m512i q = _mm512_madd_epi16(d, _mm512_add_epi32(a, s));
        _mm512_mask_storeu_epi32(sum + i, m,
                                 _mm512_add_epi32(_mm512_maskz_loadu_epi32(m, sum + i), d));
        if (sumsq)
            _mm512_mask_storeu_epi32(sumsq + i, m,
                                     _mm512_add_epi32(_mm512_maskz_loadu_epi32(m, sumsq + i), q));
    }
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
