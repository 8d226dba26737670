#include <immintrin.h>
#include <string.h>

#include "simd/pixel_scalar.h"
#include "simd/warp_span.h"

/* Two neighbours in the low bytes of each lane, weighted by (128 - f, f). */
static inline __m256i blend(__m256i pair, __m256i weights)
{
    __m256i left = _mm256_and_si256(pair, _mm256_set1_epi32(0xff));
    __m256i right = _mm256_and_si256(_mm256_slli_epi32(pair, 8), _mm256_set1_epi32(0xff0000));
    return _mm256_madd_epi16(_mm256_or_si256(left, right), weights);
}

static inline __m256i weights_of(__m256i fixed)
{
    __m256i f = _mm256_and_si256(_mm256_srli_epi32(fixed, 9), _mm256_set1_epi32(127));
    return _mm256_or_si256(_mm256_sub_epi32(_mm256_set1_epi32(128), f), _mm256_slli_epi32(f, 16));
}

/* Eight samples from (x, y) on, all inside. */
static inline __m128i sample8(const uint8_t *src, size_t stride, int64_t x, int64_t y, __m256i xs,
                              __m256i ys)
{
    const uint8_t *base = src + (size_t)(y >> 16) * stride + (size_t)(x >> 16);
    __m256i vx = _mm256_add_epi32(xs, _mm256_set1_epi32((int)(x & 0xffff)));
    __m256i vy = _mm256_add_epi32(ys, _mm256_set1_epi32((int)(y & 0xffff)));
    __m256i at = _mm256_add_epi32(
        _mm256_mullo_epi32(_mm256_srai_epi32(vy, 16), _mm256_set1_epi32((int)stride)),
        _mm256_srai_epi32(vx, 16));
    __m256i wx = weights_of(vx);
    __m256i top = blend(_mm256_i32gather_epi32((const int *)(const void *)base, at, 1), wx);
    __m256i bottom =
        blend(_mm256_i32gather_epi32((const int *)(const void *)(base + stride), at, 1), wx);
    __m256i both = _mm256_or_si256(top, _mm256_slli_epi32(bottom, 16));
    __m256i v = _mm256_madd_epi16(both, weights_of(vy));
    v = _mm256_srli_epi32(_mm256_add_epi32(v, _mm256_set1_epi32(8192)), 14);
    __m128i w = _mm_packus_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    return _mm_packus_epi16(w, w);
}

static void warp_row(uint8_t *dst, size_t n, const uint8_t *src, size_t stride_bytes, int32_t width,
                     int32_t height, int64_t x, int64_t y, int64_t dx, int64_t dy, uint8_t border)
{
    size_t lo = 0, hi = 0, i;
    if (!pl_warp_span(n, width, height, stride_bytes, x, y, dx, dy, &lo, &hi))
        lo = hi = 0;
    const __m256i ramp = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i xs = _mm256_mullo_epi32(ramp, _mm256_set1_epi32((int)dx));
    __m256i ys = _mm256_mullo_epi32(ramp, _mm256_set1_epi32((int)dy));
    for (i = lo; i + 8 <= hi; i += 8) {
        __m128i v = sample8(src, stride_bytes, x + (int64_t)i * dx, y + (int64_t)i * dy, xs, ys);
        memcpy(dst + i, &v, 8);
    }
    pl_warp_row_scalar(dst, lo, src, stride_bytes, width, height, x, y, dx, dy, border);
    pl_warp_row_scalar(dst + i, n - i, src, stride_bytes, width, height, x + (int64_t)i * dx,
                       y + (int64_t)i * dy, dx, dy, border);
}

void pl_warp_init_avx2(struct pl_kernels *k);
void pl_warp_init_avx2(struct pl_kernels *k)
{
    k->warp_row = warp_row;
}
