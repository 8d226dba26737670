#include <immintrin.h>
#include <string.h>

#include "simd/pixel_scalar.h"
#include "simd/warp_span.h"

/* Two neighbours in the low bytes of each lane, weighted by (128 - f, f). */
static inline __m512i blend(__m512i pair, __m512i weights)
{
    __m512i left = _mm512_and_si512(pair, _mm512_set1_epi32(0xff));
    __m512i right = _mm512_and_si512(_mm512_slli_epi32(pair, 8), _mm512_set1_epi32(0xff0000));
    return _mm512_madd_epi16(_mm512_or_si512(left, right), weights);
}

static inline __m512i weights_of(__m512i fixed)
{
    __m512i f = _mm512_and_si512(_mm512_srli_epi32(fixed, 9), _mm512_set1_epi32(127));
    return _mm512_or_si512(_mm512_sub_epi32(_mm512_set1_epi32(128), f), _mm512_slli_epi32(f, 16));
}

/* Sixteen samples from (x, y) on, all inside. */
static inline __m128i sample16(const uint8_t *src, size_t stride, int64_t x, int64_t y, __m512i xs,
                               __m512i ys)
{
    const uint8_t *base = src + (size_t)(y >> 16) * stride + (size_t)(x >> 16);
    __m512i vx = _mm512_add_epi32(xs, _mm512_set1_epi32((int)(x & 0xffff)));
    __m512i vy = _mm512_add_epi32(ys, _mm512_set1_epi32((int)(y & 0xffff)));
    __m512i at = _mm512_add_epi32(
        _mm512_mullo_epi32(_mm512_srai_epi32(vy, 16), _mm512_set1_epi32((int)stride)),
        _mm512_srai_epi32(vx, 16));
    __m512i wx = weights_of(vx);
    __m512i top = blend(_mm512_i32gather_epi32(at, base, 1), wx);
    __m512i bottom = blend(_mm512_i32gather_epi32(at, base + stride, 1), wx);
    __m512i both = _mm512_or_si512(top, _mm512_slli_epi32(bottom, 16));
    __m512i v = _mm512_madd_epi16(both, weights_of(vy));
    v = _mm512_srli_epi32(_mm512_add_epi32(v, _mm512_set1_epi32(8192)), 14);
    return _mm512_cvtepi32_epi8(v);
}

static void warp_row(uint8_t *dst, size_t n, const uint8_t *src, size_t stride_bytes, int32_t width,
                     int32_t height, int64_t x, int64_t y, int64_t dx, int64_t dy, uint8_t border)
{
    size_t lo = 0, hi = 0, i;
    if (!pl_warp_span(n, width, height, stride_bytes, x, y, dx, dy, &lo, &hi))
        lo = hi = 0;
    const __m512i ramp = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512i xs = _mm512_mullo_epi32(ramp, _mm512_set1_epi32((int)dx));
    __m512i ys = _mm512_mullo_epi32(ramp, _mm512_set1_epi32((int)dy));
    for (i = lo; i + 16 <= hi; i += 16) {
        __m128i v = sample16(src, stride_bytes, x + (int64_t)i * dx, y + (int64_t)i * dy, xs, ys);
        memcpy(dst + i, &v, 16);
    }
    pl_warp_row_scalar(dst, lo, src, stride_bytes, width, height, x, y, dx, dy, border);
    pl_warp_row_scalar(dst + i, n - i, src, stride_bytes, width, height, x + (int64_t)i * dx,
                       y + (int64_t)i * dy, dx, dy, border);
}

void pl_warp_init_avx512(struct pl_kernels *k);
void pl_warp_init_avx512(struct pl_kernels *k)
{
    k->warp_row = warp_row;
}
