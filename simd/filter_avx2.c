#include <immintrin.h>

#include "simd/pixel_scalar.h"

static inline __m256i load32(const void *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

static inline void store32(void *p, __m256i v)
{
    _mm256_storeu_si256((__m256i *)p, v);
}

static inline __m256i widen8(const uint8_t *p)
{
    return p ? _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)p))
             : _mm256_setzero_si256();
}

static void colsum_u8(uint32_t *sum, uint32_t *sumsq, const uint8_t *add, const uint8_t *sub,
                      size_t n)
{
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        __m256i a = widen8(add ? add + i : NULL), s = widen8(sub ? sub + i : NULL);
        __m256i d = _mm256_sub_epi32(a, s);
        /* a^2 - s^2 = (a - s)(a + s): both fit 16 bits, and the upper half of a + s is zero */
        __m256i q = _mm256_madd_epi16(d, _mm256_add_epi32(a, s));
        store32(sum + i, _mm256_add_epi32(load32(sum + i), d));
        if (sumsq)
            store32(sumsq + i, _mm256_add_epi32(load32(sumsq + i), q));
    }
    pl_colsum_u8_scalar(sum + i, sumsq ? sumsq + i : NULL, add ? add + i : NULL,
                        sub ? sub + i : NULL, n - i);
}

static void resize_rows(uint8_t *dst, const uint8_t *const *rows, const int16_t *weights,
                        size_t taps, size_t n)
{
    size_t x = 0;
    for (; x + 16 <= n; x += 16) {
        __m256i lo = _mm256_set1_epi32(8192), hi = lo;
        for (size_t j = 0; j < taps; j += 2) {
            bool pair = j + 1 < taps;
            uint32_t w =
                (uint16_t)weights[j] | (pair ? (uint32_t)(uint16_t)weights[j + 1] << 16 : 0);
            __m256i both = _mm256_set1_epi32((int)w);
            __m256i a = _mm256_cvtepu8_epi16(_mm_loadu_si128((const void *)(rows[j] + x)));
            __m256i b = _mm256_cvtepu8_epi16(_mm_loadu_si128((const void *)(rows[j + pair] + x)));
            lo = _mm256_add_epi32(lo, _mm256_madd_epi16(_mm256_unpacklo_epi16(a, b), both));
            hi = _mm256_add_epi32(hi, _mm256_madd_epi16(_mm256_unpackhi_epi16(a, b), both));
        }
        __m256i v = _mm256_packs_epi32(_mm256_srai_epi32(lo, 14), _mm256_srai_epi32(hi, 14));
        v = _mm256_permute4x64_epi64(_mm256_packus_epi16(v, v), 0x08);
        _mm_storeu_si128((void *)(dst + x), _mm256_castsi256_si128(v));
    }
    for (; x < n; x++) {
        int32_t acc = 8192;
        for (size_t j = 0; j < taps; j++)
            acc += rows[j][x] * weights[j];
        acc >>= 14;
        dst[x] = (uint8_t)(acc < 0 ? 0 : acc > 255 ? 255 : acc);
    }
}

void pl_filter_init_avx2(struct pl_kernels *k);
void pl_filter_init_avx2(struct pl_kernels *k)
{
    k->colsum_u8 = colsum_u8;
    k->resize_rows = resize_rows;
}
