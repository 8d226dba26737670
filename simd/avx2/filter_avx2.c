/* SPDX-License-Identifier: BSD-2-Clause */
#include "simd/pixel_scalar.h"
#include "simd/resize_cols_x86.h"

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

/* Of four outputs, whose pixels lie within sixteen from `base` on, the partial sums: two each. */
static inline __m256i dot4x4(const uint8_t *base, __m128i offsets, __m256i weights)
{
    const __m128i each = _mm_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
    const __m128i next = _mm_set1_epi32(0x03020100);
    __m128i pick = _mm_add_epi8(_mm_shuffle_epi8(offsets, each), next);
    __m128i px = _mm_shuffle_epi8(_mm_loadu_si128((const void *)base), pick);
    return _mm256_madd_epi16(_mm256_cvtepu8_epi16(px), weights);
}

static inline __m256i load_weights(const int16_t *w, size_t taps, __m256i keep)
{
    if (taps == 4)
        return load32(w);
    __m128i a = _mm_loadl_epi64((const void *)w), b = _mm_loadl_epi64((const void *)(w + taps));
    __m128i c = _mm_loadl_epi64((const void *)(w + 2 * taps));
    __m128i d = _mm_loadl_epi64((const void *)(w + 3 * taps));
    __m256i v = _mm256_setr_m128i(_mm_unpacklo_epi64(a, b), _mm_unpacklo_epi64(c, d));
    return _mm256_and_si256(v, keep);
}

/* Sums of outputs 0..3 and 4..7 to eight bytes. */
static inline void finish8(uint8_t *dst, __m256i a, __m256i b)
{
    __m256i v = _mm256_add_epi32(_mm256_hadd_epi32(a, b), _mm256_set1_epi32(8192));
    v = _mm256_srai_epi32(v, 14); /* 0 1 4 5, 2 3 6 7 */
    v = _mm256_packus_epi16(_mm256_packs_epi32(v, v), v);
    __m128i px = _mm_unpacklo_epi16(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    _mm_storel_epi64((void *)dst, px);
}

/* Up to four taps; returns how many outputs are done. Goes on while the pixels of each four outputs
 * lie within sixteen that may be read, which enlarging and scaling to a third keep to. */
static size_t columns_of_few(uint8_t *dst, const uint8_t *src, const int32_t *start,
                             const int16_t *weights, size_t taps, size_t n)
{
    const __m256i keep = _mm256_set1_epi64x((long long)(UINT64_MAX >> (64 - 16 * taps)));
    const __m128i most = _mm_set1_epi32(12);
    int64_t last = start[n - 1] + (int64_t)taps - 16;
    size_t i = 0;
    for (; (i + 7) * taps + 4 <= n * taps; i += 8) {
        __m128i s = _mm_loadu_si128((const void *)(start + i));
        __m128i t = _mm_loadu_si128((const void *)(start + i + 4));
        s = _mm_sub_epi32(s, _mm_set1_epi32(start[i]));
        t = _mm_sub_epi32(t, _mm_set1_epi32(start[i + 4]));
        __m128i within = _mm_cmpeq_epi32(_mm_max_epu32(_mm_max_epu32(s, t), most), most);
        if (start[i] > last || start[i + 4] > last || _mm_movemask_epi8(within) != 0xffff)
            break;
        const int16_t *w = weights + i * taps;
        finish8(dst + i, dot4x4(src + start[i], s, load_weights(w, taps, keep)),
                dot4x4(src + start[i + 4], t, load_weights(w + 4 * taps, taps, keep)));
    }
    return i;
}

static void resize_cols_wide(uint8_t *dst, const uint8_t *src, const int32_t *start,
                             const int16_t *weights, size_t taps, size_t n)
{
    size_t done = n && taps <= 4 ? columns_of_few(dst, src, start, weights, taps, n) : 0;
    resize_cols(dst + done, src, start + done, weights + done * taps, taps, n - done);
}

static inline __m256i quarters(const uint8_t *top, const uint8_t *bottom)
{
    const __m256i one = _mm256_set1_epi8(1), half = _mm256_set1_epi16(2);
    __m256i sum = _mm256_add_epi16(_mm256_maddubs_epi16(load32(top), one),
                                   _mm256_maddubs_epi16(load32(bottom), one));
    return _mm256_srli_epi16(_mm256_add_epi16(sum, half), 2);
}

static void halve_rows(uint8_t *dst, const uint8_t *top, const uint8_t *bottom, size_t n)
{
    size_t i = 0;
    for (; i + 32 <= n; i += 32) {
        __m256i v = _mm256_packus_epi16(quarters(top + 2 * i, bottom + 2 * i),
                                        quarters(top + 2 * i + 32, bottom + 2 * i + 32));
        store32(dst + i, _mm256_permute4x64_epi64(v, 0xd8));
    }
    for (; i < n; i++)
        dst[i] =
            (uint8_t)((top[2 * i] + top[2 * i + 1] + bottom[2 * i] + bottom[2 * i + 1] + 2) >> 2);
}

void pl_filter_init_avx2(struct pl_kernels *k);
void pl_filter_init_avx2(struct pl_kernels *k)
{
    k->colsum_u8 = colsum_u8;
    k->resize_rows = resize_rows;
    k->halve_rows = halve_rows;
    k->resize_cols = resize_cols_wide;
}
