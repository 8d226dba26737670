#include <immintrin.h>
#include <string.h>

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

static void gathered(const struct pl_warp *w, uint8_t *dst, size_t from, size_t to)
{
    const __m512i ramp = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512i xs = _mm512_mullo_epi32(ramp, _mm512_set1_epi32((int)w->dx));
    __m512i ys = _mm512_mullo_epi32(ramp, _mm512_set1_epi32((int)w->dy));
    for (; from + 16 <= to; from += 16) {
        __m128i v = sample16(w->src, w->stride, w->x + (int64_t)from * w->dx,
                             w->y + (int64_t)from * w->dy, xs, ys);
        memcpy(dst + from, &v, 16);
    }
    pl_warp_plain(w, dst, from, to);
}

static inline __m512i widen32(const uint8_t *p, __mmask32 m)
{
    return _mm512_cvtepu8_epi16(_mm256_maskz_loadu_epi8(m, p));
}

/* left * 128 + (right - left) * f: no step leaves 16 bits. */
static inline __m512i blend32(const uint8_t *p, __mmask32 m, __m512i f)
{
    __m512i left = widen32(p, m), right = widen32(p + 1, m);
    return _mm512_add_epi16(_mm512_slli_epi16(left, 7),
                            _mm512_mullo_epi16(_mm512_sub_epi16(right, left), f));
}

/* Samples of successive pixels, where m is set; fractions and results in 16 bits each. */
static inline __m512i flat32(const uint8_t *p, size_t stride, __mmask32 m, __m512i x, __m512i y)
{
    __m512i fx = _mm512_srli_epi16(x, 9), fy = _mm512_srli_epi16(y, 9);
    __m512i gy = _mm512_sub_epi16(_mm512_set1_epi16(128), fy);
    __m512i top = blend32(p, m, fx), bottom = blend32(p + stride, m, fx);
    __m512i lo =
        _mm512_madd_epi16(_mm512_unpacklo_epi16(top, bottom), _mm512_unpacklo_epi16(gy, fy));
    __m512i hi =
        _mm512_madd_epi16(_mm512_unpackhi_epi16(top, bottom), _mm512_unpackhi_epi16(gy, fy));
    const __m512i half = _mm512_set1_epi32(8192);
    return _mm512_packus_epi32(_mm512_srli_epi32(_mm512_add_epi32(lo, half), 14),
                               _mm512_srli_epi32(_mm512_add_epi32(hi, half), 14));
}

/* 0, step, ... 31 step modulo 2^16. */
static inline __m512i ramp32(int64_t step)
{
    short ramp[32];
    for (int i = 0; i < 32; i++)
        ramp[i] = (short)(i * step);
    return _mm512_loadu_si512(ramp);
}

static void flat(const struct pl_warp *w, uint8_t *dst, size_t from, size_t to)
{
    __m512i xs = ramp32(w->dx), ys = ramp32(w->dy);
    for (size_t i = from, run; i < to; i += run) {
        run = pl_warp_run(w, i, to);
        for (size_t j = 0; j < run; j += 32) {
            __mmask32 m = run - j < 32 ? (1u << (run - j)) - 1 : 0xffffffff;
            int64_t x = w->x + (int64_t)(i + j) * w->dx, y = w->y + (int64_t)(i + j) * w->dy;
            const uint8_t *p = w->src + (size_t)(y >> 16) * w->stride + (size_t)(x >> 16);
            __m512i v = flat32(p, w->stride, m, _mm512_add_epi16(xs, _mm512_set1_epi16((short)x)),
                               _mm512_add_epi16(ys, _mm512_set1_epi16((short)y)));
            _mm512_mask_cvtepi16_storeu_epi8(dst + i + j, m, v);
        }
    }
}

static void inside(const struct pl_warp *w, uint8_t *dst, size_t from, size_t to)
{
    (pl_warp_is_flat(w) ? flat : gathered)(w, dst, from, to);
}

static void warp_row(uint8_t *dst, size_t n, const uint8_t *src, size_t stride_bytes, int32_t width,
                     int32_t height, int64_t x, int64_t y, int64_t dx, int64_t dy, uint8_t border)
{
    struct pl_warp w = {src, stride_bytes, width, height, x, y, dx, dy, border};
    pl_warp_parts(&w, dst, n, inside);
}

void pl_warp_init_avx512(struct pl_kernels *k);
void pl_warp_init_avx512(struct pl_kernels *k)
{
    k->warp_row = warp_row;
}
