#include <immintrin.h>
#include <string.h>

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

static void gathered(const struct pl_warp *w, uint8_t *dst, size_t from, size_t to)
{
    const __m256i ramp = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i xs = _mm256_mullo_epi32(ramp, _mm256_set1_epi32((int)w->dx));
    __m256i ys = _mm256_mullo_epi32(ramp, _mm256_set1_epi32((int)w->dy));
    for (; from + 8 <= to; from += 8) {
        __m128i v = sample8(w->src, w->stride, w->x + (int64_t)from * w->dx,
                            w->y + (int64_t)from * w->dy, xs, ys);
        memcpy(dst + from, &v, 8);
    }
    pl_warp_plain(w, dst, from, to);
}

static inline __m256i widen16(const uint8_t *p)
{
    return _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(const void *)p));
}

/* left * 128 + (right - left) * f: no step leaves 16 bits. */
static inline __m256i blend16(const uint8_t *p, __m256i f)
{
    __m256i left = widen16(p), right = widen16(p + 1);
    return _mm256_add_epi16(_mm256_slli_epi16(left, 7),
                            _mm256_mullo_epi16(_mm256_sub_epi16(right, left), f));
}

/* Sixteen samples of successive pixels; the fractions in 16 bits each. */
static inline __m128i flat16(const uint8_t *p, size_t stride, __m256i x, __m256i y)
{
    __m256i fx = _mm256_srli_epi16(x, 9), fy = _mm256_srli_epi16(y, 9);
    __m256i gy = _mm256_sub_epi16(_mm256_set1_epi16(128), fy);
    __m256i top = blend16(p, fx), bottom = blend16(p + stride, fx);
    __m256i lo =
        _mm256_madd_epi16(_mm256_unpacklo_epi16(top, bottom), _mm256_unpacklo_epi16(gy, fy));
    __m256i hi =
        _mm256_madd_epi16(_mm256_unpackhi_epi16(top, bottom), _mm256_unpackhi_epi16(gy, fy));
    const __m256i half = _mm256_set1_epi32(8192);
    __m256i v = _mm256_packus_epi32(_mm256_srli_epi32(_mm256_add_epi32(lo, half), 14),
                                    _mm256_srli_epi32(_mm256_add_epi32(hi, half), 14));
    return _mm_packus_epi16(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
}

/* 0, step, ... 15 step modulo 2^16. */
static inline __m256i ramp16(int64_t step)
{
    const __m256i ramp = _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm256_mullo_epi16(ramp, _mm256_set1_epi16((short)step));
}

static void flat(const struct pl_warp *w, uint8_t *dst, size_t from, size_t to)
{
    __m256i xs = ramp16(w->dx), ys = ramp16(w->dy);
    for (size_t i = from, run; i < to; i += run) {
        run = pl_warp_run(w, i, to);
        for (size_t j = 0; j < run && run >= 16; j += 16) {
            j = j + 16 <= run ? j : run - 16; /* the last group overlaps the one before */
            int64_t x = w->x + (int64_t)(i + j) * w->dx, y = w->y + (int64_t)(i + j) * w->dy;
            const uint8_t *p = w->src + (size_t)(y >> 16) * w->stride + (size_t)(x >> 16);
            __m128i v = flat16(p, w->stride, _mm256_add_epi16(xs, _mm256_set1_epi16((short)x)),
                               _mm256_add_epi16(ys, _mm256_set1_epi16((short)y)));
            _mm_storeu_si128((__m128i *)(void *)(dst + i + j), v);
        }
        if (run < 16)
            pl_warp_plain(w, dst, i, i + run);
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

void pl_warp_init_avx2(struct pl_kernels *k);
void pl_warp_init_avx2(struct pl_kernels *k)
{
    k->warp_row = warp_row;
}
