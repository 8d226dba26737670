/* SPDX-License-Identifier: BSD-2-Clause */
#include <immintrin.h>

#include "simd/kernels.h"

/* The weights as high * 256 + low with both parts in a signed byte, four pixels a register's lane:
 * 9798 = 38 * 256 + 70, 19235 = 75 * 256 + 35, 3735 = 15 * 256 - 105; the fourth byte counts
 * nothing, whatever it is. */
#define LUMA_HIGH _mm512_set1_epi32(15 << 16 | 75 << 8 | 38)
#define LUMA_LOW _mm512_set1_epi32((256 - 105) << 16 | 35 << 8 | 70)

/* Sixteen pixels of four bytes. */
static inline __m512i luma16(__m512i px)
{
    __m512i high = _mm512_dpbusd_epi32(_mm512_setzero_si512(), px, LUMA_HIGH);
    __m512i y = _mm512_dpbusd_epi32(_mm512_set1_epi32(16384), px, LUMA_LOW);
    return _mm512_srli_epi32(_mm512_add_epi32(y, _mm512_slli_epi32(high, 8)), 15);
}

/* Packing works in quarters: the permutation puts the groups of four pixels back into order. */
static inline void store64(uint8_t *dst, __m512i a, __m512i b, __m512i c, __m512i d)
{
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    __m512i v = _mm512_packus_epi16(_mm512_packus_epi32(a, b), _mm512_packus_epi32(c, d));
    _mm512_storeu_si512(dst, _mm512_permutexvar_epi32(order, v));
}

/* The low 48 bytes as sixteen pixels of four. */
static inline __m512i spread_rgb(__m512i px)
{
    const __m512i quarters = _mm512_setr_epi32(0, 1, 2, 3, 3, 4, 5, 6, 6, 7, 8, 9, 9, 10, 11, 12);
    const __m512i pixels =
        _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1));
    return _mm512_shuffle_epi8(_mm512_permutexvar_epi32(quarters, px), pixels);
}

/* The low n, at most 64, bits. */
static inline __mmask64 low_bits(size_t n)
{
    return n < 64 ? ((__mmask64)1 << n) - 1 : ~(__mmask64)0;
}

static void gray_rgb(uint8_t *dst, const uint8_t *rgb, size_t n)
{
    size_t i = 0;
    for (; i + 64 + 6 <= n; i += 64) { /* the last load reads 16 bytes more than its pixels */
        const uint8_t *p = rgb + 3 * i;
        store64(dst + i, luma16(spread_rgb(_mm512_loadu_si512(p))),
                luma16(spread_rgb(_mm512_loadu_si512(p + 48))),
                luma16(spread_rgb(_mm512_loadu_si512(p + 96))),
                luma16(spread_rgb(_mm512_loadu_si512(p + 144))));
    }
    for (; i < n; i += 16) {
        size_t left = n - i < 16 ? n - i : 16;
        __m512i px = _mm512_maskz_loadu_epi8(low_bits(3 * left), rgb + 3 * i);
        _mm512_mask_cvtepi32_storeu_epi8(dst + i, (__mmask16)low_bits(left),
                                         luma16(spread_rgb(px)));
    }
}

static void gray_rgba(uint8_t *dst, const uint8_t *rgba, size_t n)
{
    size_t i = 0;
    for (; i + 64 <= n; i += 64) {
        const uint8_t *p = rgba + 4 * i;
        store64(dst + i, luma16(_mm512_loadu_si512(p)), luma16(_mm512_loadu_si512(p + 64)),
                luma16(_mm512_loadu_si512(p + 128)), luma16(_mm512_loadu_si512(p + 192)));
    }
    for (; i < n; i += 16) {
        __mmask16 m = (__mmask16)low_bits(n - i < 16 ? n - i : 16);
        __m512i px = _mm512_maskz_loadu_epi32(m, rgba + 4 * i);
        _mm512_mask_cvtepi32_storeu_epi8(dst + i, m, luma16(px));
    }
}

void pl_pixel_init_avx512vnni(struct pl_kernels *k);
void pl_pixel_init_avx512vnni(struct pl_kernels *k)
{
    k->gray_rgb = gray_rgb;
    k->gray_rgba = gray_rgba;
}
