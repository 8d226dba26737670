/* SPDX-License-Identifier: BSD-2-Clause */
#define PL_BYTES 64
#include "simd/pixel_vector.h"

static inline __m512i luma16(__m512i y)
{
    return _mm512_srli_epi32(_mm512_add_epi32(y, _mm512_set1_epi32(16384)), 15);
}

/* Sixteen pixels of three bytes: four into each quarter, then as (R, G) and (B, -). */
static inline __m512i luma16_rgb(__m512i px)
{
    const __m512i spread = _mm512_setr_epi32(0, 1, 2, 3, 3, 4, 5, 6, 6, 7, 8, 9, 9, 10, 11, 12);
    const __m512i rg = _mm512_broadcast_i32x4(
        _mm_setr_epi8(0, -1, 1, -1, 3, -1, 4, -1, 6, -1, 7, -1, 9, -1, 10, -1));
    const __m512i b = _mm512_broadcast_i32x4(
        _mm_setr_epi8(2, -1, -1, -1, 5, -1, -1, -1, 8, -1, -1, -1, 11, -1, -1, -1));
    __m512i v = _mm512_permutexvar_epi32(spread, px);
    __m512i y =
        _mm512_madd_epi16(_mm512_shuffle_epi8(v, rg), _mm512_set1_epi32(19235 << 16 | 9798));
    return luma16(
        _mm512_add_epi32(y, _mm512_madd_epi16(_mm512_shuffle_epi8(v, b), _mm512_set1_epi32(3735))));
}

static inline __m512i luma16_rgba(__m512i px)
{
    __m512i rb = _mm512_and_si512(px, _mm512_set1_epi32(0x00ff00ff));
    __m512i y = _mm512_madd_epi16(rb, _mm512_set1_epi32(3735 << 16 | 9798));
    __m512i ga = _mm512_srli_epi16(px, 8);
    return luma16(_mm512_add_epi32(y, _mm512_madd_epi16(ga, _mm512_set1_epi32(19235))));
}

static inline void store16(uint8_t *dst, __m512i y, __mmask16 m)
{
    _mm512_mask_cvtepi32_storeu_epi8(dst, m, y);
}

static void gray_rgb(uint8_t *dst, const uint8_t *rgb, size_t n)
{
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        __m512i px = _mm512_maskz_loadu_epi32(0x0fff, rgb + 3 * i);
        _mm_storeu_si128((__m128i *)(void *)(dst + i), _mm512_cvtepi32_epi8(luma16_rgb(px)));
    }
    if (i < n) {
        __mmask64 bytes = ((__mmask64)1 << 3 * (n - i)) - 1;
        store16(dst + i, luma16_rgb(_mm512_maskz_loadu_epi8(bytes, rgb + 3 * i)),
                (__mmask16)((1u << (n - i)) - 1));
    }
}

static void gray_rgba(uint8_t *dst, const uint8_t *rgba, size_t n)
{
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        __m512i px = _mm512_loadu_si512(rgba + 4 * i);
        _mm_storeu_si128((__m128i *)(void *)(dst + i), _mm512_cvtepi32_epi8(luma16_rgba(px)));
    }
    if (i < n) {
        __mmask16 m = (__mmask16)((1u << (n - i)) - 1);
        store16(dst + i, luma16_rgba(_mm512_maskz_loadu_epi32(m, rgba + 4 * i)), m);
    }
}

/* Entries of 32 numbers in 16-bit lanes: each fetches a pair of entries, of which it takes one. */
static inline __m512i look_up(const __m512i t[4], __m512i at)
{
    const __m512i pair = _mm512_srli_epi16(at, 1);
    const __m512i low = _mm512_permutex2var_epi16(t[0], pair, t[1]);
    const __m512i high = _mm512_permutex2var_epi16(t[2], pair, t[3]);
    const __mmask32 upper = _mm512_test_epi16_mask(at, _mm512_set1_epi16(128));
    const __m512i v = _mm512_mask_blend_epi16(upper, low, high);
    const __m512i odd = _mm512_and_si512(_mm512_slli_epi16(at, 3), _mm512_set1_epi16(8));
    return _mm512_and_si512(_mm512_srlv_epi16(v, odd), _mm512_set1_epi16(255));
}

static void lut_u8(uint8_t *dst, const uint8_t *src, size_t n, const uint8_t lut[256])
{
    __m512i t[4];
    for (size_t i = 0; i < 4; i++)
        t[i] = _mm512_loadu_si512(lut + 64 * i);
    for (size_t i = 0; i < n; i += 64) {
        const __mmask64 m = n - i < 64 ? ((__mmask64)1 << (n - i)) - 1 : ~(__mmask64)0;
        const __m512i at = _mm512_maskz_loadu_epi8(m, src + i);
        const __m512i even = look_up(t, _mm512_and_si512(at, _mm512_set1_epi16(255)));
        const __m512i odd = look_up(t, _mm512_srli_epi16(at, 8));
        _mm512_mask_storeu_epi8(dst + i, m, _mm512_or_si512(even, _mm512_slli_epi16(odd, 8)));
    }
}

void pl_pixel_init_avx512(struct pl_kernels *k);
void pl_pixel_init_avx512(struct pl_kernels *k)
{
    install_elementwise(k);
    k->gray_rgb = gray_rgb;
    k->gray_rgba = gray_rgba;
    k->lut_u8 = lut_u8;
}
