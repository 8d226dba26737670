/* SPDX-License-Identifier: BSD-2-Clause */
#define PL_BYTES 16
#include "simd/pixel_vector.h"

#include "simd/hist.h"

#define LUMA_RG _mm_set1_epi32(19235 << 16 | 9798)
/* blue, and the rounding constant against a 1 */
#define LUMA_B1 _mm_set1_epi32(16384 << 16 | 3735)

static uint8_t luma(unsigned r, unsigned g, unsigned b)
{
    return (uint8_t)((9798 * r + 19235 * g + 3735 * b + 16384) >> 15);
}

/* Luma of four pixels whose bytes the shuffles pick as (R, G) and (B, -) in 16 bits each. */
static inline __m128i luma4(__m128i px, __m128i pick_rg, __m128i pick_b)
{
    __m128i rg = _mm_shuffle_epi8(px, pick_rg);
    __m128i b1 = _mm_or_si128(_mm_shuffle_epi8(px, pick_b), _mm_set1_epi32(1 << 16));
    __m128i y = _mm_add_epi32(_mm_madd_epi16(rg, LUMA_RG), _mm_madd_epi16(b1, LUMA_B1));
    return _mm_srli_epi32(y, 15);
}

static inline void store16(uint8_t *dst, __m128i a, __m128i b, __m128i c, __m128i d)
{
    __m128i v = _mm_packus_epi16(_mm_packus_epi32(a, b), _mm_packus_epi32(c, d));
    _mm_storeu_si128((__m128i *)(void *)dst, v);
}

static inline __m128i load16(const uint8_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static void gray_rgb(uint8_t *dst, const uint8_t *rgb, size_t n)
{
    const __m128i rg = _mm_setr_epi8(0, -1, 1, -1, 3, -1, 4, -1, 6, -1, 7, -1, 9, -1, 10, -1);
    const __m128i b = _mm_setr_epi8(2, -1, -1, -1, 5, -1, -1, -1, 8, -1, -1, -1, 11, -1, -1, -1);
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        const uint8_t *p = rgb + 3 * i;
        __m128i v0 = load16(p), v1 = load16(p + 16), v2 = load16(p + 32);
        store16(dst + i, luma4(v0, rg, b), luma4(_mm_alignr_epi8(v1, v0, 12), rg, b),
                luma4(_mm_alignr_epi8(v2, v1, 8), rg, b), luma4(_mm_srli_si128(v2, 4), rg, b));
    }
    for (; i < n; i++)
        dst[i] = luma(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
}

static void gray_rgba(uint8_t *dst, const uint8_t *rgba, size_t n)
{
    const __m128i rg = _mm_setr_epi8(0, -1, 1, -1, 4, -1, 5, -1, 8, -1, 9, -1, 12, -1, 13, -1);
    const __m128i b = _mm_setr_epi8(2, -1, -1, -1, 6, -1, -1, -1, 10, -1, -1, -1, 14, -1, -1, -1);
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        const uint8_t *p = rgba + 4 * i;
        store16(dst + i, luma4(load16(p), rg, b), luma4(load16(p + 16), rg, b),
                luma4(load16(p + 32), rg, b), luma4(load16(p + 48), rg, b));
    }
    for (; i < n; i++)
        dst[i] = luma(rgba[4 * i], rgba[4 * i + 1], rgba[4 * i + 2]);
}

static void rgb_rgba(uint8_t *dst, const uint8_t *rgba, size_t n)
{
    const __m128i rgb = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        __m128i v[4];
        for (size_t k = 0; k < 4; k++)
            v[k] = _mm_shuffle_epi8(load16(rgba + 4 * i + 16 * k), rgb);
        __m128i *to = (__m128i *)(void *)(dst + 3 * i);
        _mm_storeu_si128(to, _mm_or_si128(v[0], _mm_slli_si128(v[1], 12)));
        _mm_storeu_si128(to + 1, _mm_or_si128(_mm_srli_si128(v[1], 4), _mm_slli_si128(v[2], 8)));
        _mm_storeu_si128(to + 2, _mm_or_si128(_mm_srli_si128(v[2], 8), _mm_slli_si128(v[3], 4)));
    }
    for (; i < n; i++)
        memcpy(dst + 3 * i, rgba + 4 * i, 3);
}

void pl_pixel_init_sse42(struct pl_kernels *k);
void pl_pixel_init_sse42(struct pl_kernels *k)
{
    install_elementwise(k);
    k->gray_rgb = gray_rgb;
    k->gray_rgba = gray_rgba;
    k->rgb_rgba = rgb_rgba;
    k->hist_u8 = hist_u8;
}
