/* SPDX-License-Identifier: BSD-2-Clause */
#include "simd/pixel_scalar.h"
#include "simd/resize_cols_x86.h"

static inline __m128i load16(const void *p)
{
    return _mm_loadu_si128((const __m128i *)p);
}

static inline __m128i widen8(const uint8_t *p)
{
    return p ? _mm_cvtepu8_epi16(_mm_loadl_epi64((const __m128i *)(const void *)p))
             : _mm_setzero_si128();
}

static inline void add4(uint32_t *p, __m128i v)
{
    _mm_storeu_si128((__m128i *)(void *)p, _mm_add_epi32(load16(p), v));
}

static void colsum_u8(uint32_t *sum, uint32_t *sumsq, const uint8_t *add, const uint8_t *sub,
                      size_t n)
{
    const __m128i zero = _mm_setzero_si128();
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        __m128i a = widen8(add ? add + i : NULL), s = widen8(sub ? sub + i : NULL);
        /* a^2 - s^2 = (a - s)(a + s): both fit 16 bits */
        __m128i d = _mm_sub_epi16(a, s), t = _mm_add_epi16(a, s);
        add4(sum + i, _mm_cvtepi16_epi32(d));
        add4(sum + i + 4, _mm_cvtepi16_epi32(_mm_srli_si128(d, 8)));
        if (sumsq) {
            add4(sumsq + i,
                 _mm_madd_epi16(_mm_unpacklo_epi16(d, zero), _mm_unpacklo_epi16(t, zero)));
            add4(sumsq + i + 4,
                 _mm_madd_epi16(_mm_unpackhi_epi16(d, zero), _mm_unpackhi_epi16(t, zero)));
        }
    }
    pl_colsum_u8_scalar(sum + i, sumsq ? sumsq + i : NULL, add ? add + i : NULL,
                        sub ? sub + i : NULL, n - i);
}

static void resize_rows(uint8_t *dst, const uint8_t *const *rows, const int16_t *weights,
                        size_t taps, size_t n)
{
    size_t x = 0;
    for (; x + 8 <= n; x += 8) {
        __m128i lo = _mm_set1_epi32(8192), hi = lo;
        for (size_t j = 0; j < taps; j += 2) {
            bool pair = j + 1 < taps;
            uint32_t w =
                (uint16_t)weights[j] | (pair ? (uint32_t)(uint16_t)weights[j + 1] << 16 : 0);
            __m128i both = _mm_set1_epi32((int)w);
            __m128i a = widen8(rows[j] + x), b = widen8(rows[j + pair] + x);
            lo = _mm_add_epi32(lo, _mm_madd_epi16(_mm_unpacklo_epi16(a, b), both));
            hi = _mm_add_epi32(hi, _mm_madd_epi16(_mm_unpackhi_epi16(a, b), both));
        }
        __m128i v = _mm_packs_epi32(_mm_srai_epi32(lo, 14), _mm_srai_epi32(hi, 14));
        _mm_storel_epi64((__m128i *)(void *)(dst + x), _mm_packus_epi16(v, v));
    }
    for (; x < n; x++) {
        int32_t acc = 8192;
        for (size_t j = 0; j < taps; j++)
            acc += rows[j][x] * weights[j];
        acc >>= 14;
        dst[x] = (uint8_t)(acc < 0 ? 0 : acc > 255 ? 255 : acc);
    }
}

static inline __m128i quarters(const uint8_t *top, const uint8_t *bottom)
{
    const __m128i one = _mm_set1_epi8(1), half = _mm_set1_epi16(2);
    __m128i sum =
        _mm_add_epi16(_mm_maddubs_epi16(load16(top), one), _mm_maddubs_epi16(load16(bottom), one));
    return _mm_srli_epi16(_mm_add_epi16(sum, half), 2);
}

static void halve_rows(uint8_t *dst, const uint8_t *top, const uint8_t *bottom, size_t n)
{
    size_t i = 0;
    for (; i + 16 <= n; i += 16)
        _mm_storeu_si128((__m128i *)(void *)(dst + i),
                         _mm_packus_epi16(quarters(top + 2 * i, bottom + 2 * i),
                                          quarters(top + 2 * i + 16, bottom + 2 * i + 16)));
    for (; i < n; i++)
        dst[i] =
            (uint8_t)((top[2 * i] + top[2 * i + 1] + bottom[2 * i] + bottom[2 * i + 1] + 2) >> 2);
}

void pl_filter_init_sse42(struct pl_kernels *k);
void pl_filter_init_sse42(struct pl_kernels *k)
{
    k->colsum_u8 = colsum_u8;
    k->resize_rows = resize_rows;
    k->resize_cols = resize_cols;
    k->halve_rows = halve_rows;
}
