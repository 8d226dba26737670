/* SPDX-License-Identifier: BSD-2-Clause */
#define PL_BYTES 32
#include "simd/pixel_vector.h"

static uint8_t luma(unsigned r, unsigned g, unsigned b)
{
    return (uint8_t)((9798 * r + 19235 * g + 3735 * b + 16384) >> 15);
}

/* (R, G) and (B, 1) in 16 bits each, times their weights; the 1 carries the rounding. */
static inline __m256i luma8(__m256i rg, __m256i b1)
{
    __m256i y = _mm256_add_epi32(_mm256_madd_epi16(rg, _mm256_set1_epi32(19235 << 16 | 9798)),
                                 _mm256_madd_epi16(b1, _mm256_set1_epi32(16384 << 16 | 3735)));
    return _mm256_srli_epi32(y, 15);
}

/* Packing works in halves: this puts the groups of four back into order. */
static inline void store32(uint8_t *dst, __m256i a, __m256i b, __m256i c, __m256i d)
{
    __m256i v = _mm256_packus_epi16(_mm256_packus_epi32(a, b), _mm256_packus_epi32(c, d));
    v = _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
    _mm256_storeu_si256((__m256i *)(void *)dst, v);
}

static inline __m256i load32(const uint8_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

/* Eight pixels: the low 24 of 32 bytes, four pixels into each half. */
static inline __m256i luma8_rgb(const uint8_t *p)
{
    const __m256i rg = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, -1, 1, -1, 3, -1, 4, -1, 6, -1, 7, -1, 9, -1, 10, -1));
    const __m256i b = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(2, -1, -1, -1, 5, -1, -1, -1, 8, -1, -1, -1, 11, -1, -1, -1));
    __m256i v = _mm256_permutevar8x32_epi32(load32(p), _mm256_setr_epi32(0, 1, 2, 3, 3, 4, 5, 6));
    __m256i b1 = _mm256_or_si256(_mm256_shuffle_epi8(v, b), _mm256_set1_epi32(1 << 16));
    return luma8(_mm256_shuffle_epi8(v, rg), b1);
}

static void gray_rgb(uint8_t *dst, const uint8_t *rgb, size_t n)
{
    size_t i = 0;
    for (; i + 32 + 3 <= n; i += 32) { /* the last load reads 8 bytes more than its pixels */
        const uint8_t *p = rgb + 3 * i;
        store32(dst + i, luma8_rgb(p), luma8_rgb(p + 24), luma8_rgb(p + 48), luma8_rgb(p + 72));
    }
    for (; i < n; i++)
        dst[i] = luma(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
}

static inline __m256i luma8_rgba(const uint8_t *p)
{
    __m256i v = load32(p);
    __m256i rb = _mm256_and_si256(v, _mm256_set1_epi32(0x00ff00ff));
    __m256i ga = _mm256_srli_epi16(v, 8);
    __m256i y = _mm256_add_epi32(_mm256_madd_epi16(rb, _mm256_set1_epi32(3735 << 16 | 9798)),
                                 _mm256_madd_epi16(ga, _mm256_set1_epi32(19235)));
    return _mm256_srli_epi32(_mm256_add_epi32(y, _mm256_set1_epi32(16384)), 15);
}

static void gray_rgba(uint8_t *dst, const uint8_t *rgba, size_t n)
{
    size_t i = 0;
    for (; i + 32 <= n; i += 32) {
        const uint8_t *p = rgba + 4 * i;
        store32(dst + i, luma8_rgba(p), luma8_rgba(p + 32), luma8_rgba(p + 64), luma8_rgba(p + 96));
    }
    for (; i < n; i++)
        dst[i] = luma(rgba[4 * i], rgba[4 * i + 1], rgba[4 * i + 2]);
}

/* Sixteen tables of 16 entries. A shuffle gives 0 where the number's top bit is set, so table i,
 * whose number is 16 i less, speaks from 16 i on and, as the differences wrap, again from 128 on
 * for the first eight; each holds what changes from the one before it. */
static void lut_u8(uint8_t *dst, const uint8_t *src, size_t n, const uint8_t lut[256])
{
    __m256i t[16], x[16];
    size_t i = 0;
    for (size_t k = 0; k < 16; k++)
        t[k] = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)(lut + 16 * k)));
    for (size_t k = 0; k < 16; k++) {
        x[k] = k ? _mm256_xor_si256(t[k], t[k - 1]) : t[k];
        x[k] = k < 8 ? x[k] : _mm256_xor_si256(x[k], x[k - 8]);
    }
    for (; i + 32 <= n; i += 32) {
        __m256i at = _mm256_loadu_si256((const void *)(src + i));
        __m256i v = _mm256_shuffle_epi8(x[0], at);
#pragma GCC unroll 16
        for (size_t k = 1; k < 16; k++) {
            at = k < 9 ? _mm256_sub_epi8(at, _mm256_set1_epi8(16))
                       : _mm256_subs_epi8(at, _mm256_set1_epi8(16));
            v = _mm256_xor_si256(v, _mm256_shuffle_epi8(x[k], at));
        }
        _mm256_storeu_si256((void *)(dst + i), v);
    }
    for (; i < n; i++)
        dst[i] = lut[src[i]];
}

void pl_pixel_init_avx2(struct pl_kernels *k);
void pl_pixel_init_avx2(struct pl_kernels *k)
{
    install_elementwise(k);
    k->gray_rgb = gray_rgb;
    k->gray_rgba = gray_rgba;
    k->lut_u8 = lut_u8;
}
