#include <immintrin.h>
#include <string.h>

#include "simd/kernels.h"

/* All taps of one output are read in groups of four or of eight; where the last group is not full,
 * its surplus pixels meet weights that `keep` made zero. */
struct groups {
    size_t taps, padded; /* padded: taps rounded up to whole groups */
    __m128i keep;        /* of the weights of the last group */
};

static struct groups make_groups(size_t taps)
{
    size_t size = taps <= 4 ? 4 : 8, padded = (taps + size - 1) / size * size;
    int16_t keep[8] = {0};
    for (size_t j = 0; j < taps - (padded - size); j++)
        keep[j] = -1;
    return (struct groups){taps, padded, _mm_loadu_si128((const __m128i *)(const void *)keep)};
}

static inline __m128i load8(const void *p)
{
    return _mm_loadl_epi64((const __m128i *)p);
}

static inline __m128i dot_to_4(const struct groups *g, const uint8_t *p, const int16_t *w)
{
    int32_t px;
    memcpy(&px, p, sizeof(px));
    return _mm_madd_epi16(_mm_cvtepu8_epi16(_mm_cvtsi32_si128(px)),
                          _mm_and_si128(load8(w), g->keep));
}

static inline __m128i dot_any(const struct groups *g, const uint8_t *p, const int16_t *w)
{
    __m128i acc = _mm_setzero_si128();
    for (size_t j = 0; j < g->padded; j += 8) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(w + j));
        v = j + 8 == g->padded ? _mm_and_si128(v, g->keep) : v;
        acc = _mm_add_epi32(acc, _mm_madd_epi16(_mm_cvtepu8_epi16(load8(p + j)), v));
    }
    return acc;
}

typedef __m128i dot_fn(const struct groups *g, const uint8_t *p, const int16_t *w);

/* Four outputs from the partial sums of each. */
static inline __attribute__((always_inline)) void four(uint8_t *dst, const uint8_t *src,
                                                       const int32_t *start, const int16_t *w,
                                                       const struct groups *g, dot_fn *dot)
{
    __m128i a = dot(g, src + start[0], w), b = dot(g, src + start[1], w + g->taps);
    __m128i c = dot(g, src + start[2], w + 2 * g->taps);
    __m128i d = dot(g, src + start[3], w + 3 * g->taps);
    __m128i v = _mm_hadd_epi32(_mm_hadd_epi32(a, b), _mm_hadd_epi32(c, d));
    v = _mm_srai_epi32(_mm_add_epi32(v, _mm_set1_epi32(8192)), 14);
    v = _mm_packs_epi32(v, v);
    v = _mm_packus_epi16(v, v);
    memcpy(dst, &v, 4);
}

static uint8_t plain(const uint8_t *p, const int16_t *w, size_t taps)
{
    int32_t acc = 8192;
    for (size_t j = 0; j < taps; j++)
        acc += p[j] * w[j];
    acc >>= 14;
    return (uint8_t)(acc < 0 ? 0 : acc > 255 ? 255 : acc);
}

/* Groups reach behind the taps of an output, but never behind the pixels of the last output nor
 * behind the weights. */
static inline __attribute__((always_inline)) void columns(uint8_t *dst, const uint8_t *src,
                                                          const int32_t *start,
                                                          const int16_t *weights, size_t taps,
                                                          size_t n, dot_fn *dot)
{
    struct groups g = make_groups(taps);
    int64_t last_start = start[n - 1] + (int64_t)taps - (int64_t)g.padded;
    __m128i last = _mm_set1_epi32((int32_t)(last_start > -1 ? last_start : -1));
    for (size_t i = 0; i < n; i += 4) {
        bool fits = (i + 3) * taps + g.padded <= n * taps;
        if (fits) {
            __m128i s = _mm_loadu_si128((const __m128i *)(const void *)(start + i));
            fits = _mm_testz_si128(_mm_cmpgt_epi32(s, last), _mm_set1_epi32(-1));
        }
        if (fits)
            four(dst + i, src, start + i, weights + i * taps, &g, dot);
        else
            for (size_t u = i; u < n && u < i + 4; u++)
                dst[u] = plain(src + start[u], weights + u * taps, taps);
    }
}

static void resize_cols(uint8_t *dst, const uint8_t *src, const int32_t *start,
                        const int16_t *weights, size_t taps, size_t n)
{
    if (n && taps <= 4)
        columns(dst, src, start, weights, taps, n, dot_to_4);
    else if (n)
        columns(dst, src, start, weights, taps, n, dot_any);
}

void pl_filter_init_sse42(struct pl_kernels *k);
void pl_filter_init_sse42(struct pl_kernels *k)
{
    k->resize_cols = resize_cols;
}
