#include <immintrin.h>

#include "simd/pixel_scalar.h"
#include "simd/window.h"

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

static inline __m256i window8(const uint32_t *prefix, size_t i, uint32_t r)
{
    return _mm256_sub_epi32(load32(prefix + i + 2 * (size_t)r + 1), load32(prefix + i));
}

/* Four window sums as the double quotients by an area; `bias` is 2^31 + area / 2 + 0.5. The half
 * keeps the product with the inverse away from the integers by 0.5 / area, far more than its
 * rounding error, so that truncation gives the quotient of integers. */
static inline __m128i mean4(__m128i s, __m256d bias, __m256d inverse)
{
    __m256d v = _mm256_cvtepi32_pd(_mm_xor_si128(s, _mm_set1_epi32(INT32_MIN)));
    return _mm256_cvttpd_epi32(_mm256_mul_pd(_mm256_add_pd(v, bias), inverse));
}

/* Columns [x, end) of a block, whose windows are whole; returns the first one not done. */
static size_t boxmean_whole(uint8_t *out, const uint32_t *prefix, size_t x, size_t end, uint32_t r,
                            uint32_t area)
{
    __m256d inverse = _mm256_set1_pd(1 / (double)area);
    __m256d bias = _mm256_set1_pd(2147483648.0 + (double)(area / 2) + 0.5);
    for (; x + 8 <= end; x += 8) {
        __m256i s = window8(prefix, x, r);
        __m128i v = _mm_packs_epi32(mean4(_mm256_castsi256_si128(s), bias, inverse),
                                    mean4(_mm256_extracti128_si256(s, 1), bias, inverse));
        _mm_storel_epi64((__m128i *)(void *)(out + x), _mm_packus_epi16(v, v));
    }
    return x;
}

static void boxmean_row(uint8_t *out, const uint32_t *sum, size_t n, uint32_t r, uint32_t rows)
{
    if (r > PL_WINDOW_MAX_R) {
        pl_boxmean_row_scalar(out, sum, n, r, rows);
        return;
    }
    uint32_t prefix[PL_WINDOW_PREFIX];
    for (size_t first = 0; first < n; first += PL_WINDOW_BLOCK) {
        size_t count = n - first < PL_WINDOW_BLOCK ? n - first : PL_WINDOW_BLOCK;
        pl_window_prefix(prefix, sum, n, first, count, r);
        size_t whole = n > r ? n - r : 0; /* windows of columns r..whole-1 are not clipped */
        size_t end = whole < first + count ? whole : first + count;
        for (size_t i = 0; i < count; i++) {
            size_t x = first + i;
            if (x >= r && x + 8 <= end) {
                i = boxmean_whole(out + first, prefix, i, end - first, r, rows * (2 * r + 1)) - 1;
                continue;
            }
            size_t lo = x > r ? x - r : 0, hi = x + r < n ? x + r : n - 1;
            uint64_t area = (uint64_t)rows * (hi - lo + 1);
            uint32_t s = prefix[i + 2 * (size_t)r + 1] - prefix[i];
            out[x] = (uint8_t)((s + area / 2) / area);
        }
    }
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
    k->boxmean_row = boxmean_row;
    k->resize_rows = resize_rows;
}
