#include <immintrin.h>
#include <string.h>

#include "simd/pixel_scalar.h"
#include "simd/window.h"

/* The low `n` lanes, all sixteen when n >= 16. */
static inline __mmask16 lanes(size_t n)
{
    return (__mmask16)(n >= 16 ? 0xffffu : (1u << n) - 1);
}

static void colsum_u8(uint32_t *sum, uint32_t *sumsq, const uint8_t *add, const uint8_t *sub,
                      size_t n)
{
    for (size_t i = 0; i < n; i += 16) {
        __mmask16 m = lanes(n - i);
        __m512i a =
            add ? _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(m, add + i)) : _mm512_setzero_si512();
        __m512i s =
            sub ? _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(m, sub + i)) : _mm512_setzero_si512();
        __m512i d = _mm512_sub_epi32(a, s);
        /* a^2 - s^2 = (a - s)(a + s): both fit 16 bits, and the upper half of a + s is zero */
        __m512i q = _mm512_madd_epi16(d, _mm512_add_epi32(a, s));
        _mm512_mask_storeu_epi32(sum + i, m,
                                 _mm512_add_epi32(_mm512_maskz_loadu_epi32(m, sum + i), d));
        _mm512_mask_storeu_epi32(sumsq + i, m,
                                 _mm512_add_epi32(_mm512_maskz_loadu_epi32(m, sumsq + i), q));
    }
}

struct sauvola {
    __m512 base, slope, full; /* full: 1 / area of an unclipped window */
    __m512i rows;
    size_t n;
    uint32_t r;
};

/* 1 / area of the windows around x..x+15, clipped to 0..n-1. */
static inline __m512 clipped_inverse(const struct sauvola *c, size_t x)
{
    __m512i at =
        _mm512_add_epi32(_mm512_set1_epi32((int)x),
                         _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    __m512i radius = _mm512_set1_epi32((int)c->r);
    __m512i hi = _mm512_min_epi32(_mm512_add_epi32(at, radius), _mm512_set1_epi32((int)c->n - 1));
    __m512i lo = _mm512_max_epi32(_mm512_sub_epi32(at, radius), _mm512_setzero_si512());
    __m512i columns = _mm512_add_epi32(_mm512_sub_epi32(hi, lo), _mm512_set1_epi32(1));
    return _mm512_div_ps(_mm512_set1_ps(1),
                         _mm512_cvtepi32_ps(_mm512_mullo_epi32(columns, c->rows)));
}

static void sauvola_block(const struct sauvola *c, uint8_t *out, const uint8_t *src,
                          const uint32_t *ps, const uint32_t *pq, size_t first, size_t count)
{
    size_t window = 2 * (size_t)c->r + 1;
    for (size_t i = 0; i < count; i += 16) {
        size_t x = first + i;
        __mmask16 m = lanes(count - i);
        __m512i s =
            _mm512_sub_epi32(_mm512_loadu_si512(ps + i + window), _mm512_loadu_si512(ps + i));
        __m512i q =
            _mm512_sub_epi32(_mm512_loadu_si512(pq + i + window), _mm512_loadu_si512(pq + i));
        bool clipped = x < c->r || x + 16 + c->r > c->n;
        __m512 inverse = clipped ? clipped_inverse(c, x) : c->full;
        __m512 mean = _mm512_mul_ps(_mm512_cvtepi32_ps(s), inverse);
        __m512 var =
            _mm512_sub_ps(_mm512_mul_ps(_mm512_cvtepu32_ps(q), inverse), _mm512_mul_ps(mean, mean));
        __m512 dev = _mm512_sqrt_ps(_mm512_max_ps(var, _mm512_setzero_ps()));
        __m512 t = _mm512_mul_ps(mean, _mm512_add_ps(c->base, _mm512_mul_ps(dev, c->slope)));
        __m512 v = _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(m, src + x)));
        _mm_mask_storeu_epi8(out + x, m, _mm_movm_epi8(_mm512_cmp_ps_mask(v, t, _CMP_GT_OQ)));
    }
}

static void sauvola_row(uint8_t *out, const uint8_t *src, const uint32_t *sum,
                        const uint32_t *sumsq, size_t n, uint32_t r, uint32_t rows, float k,
                        float dynamic)
{
    if (r > PL_WINDOW_MAX_R) {
        pl_sauvola_row_scalar(out, src, sum, sumsq, n, r, rows, k, dynamic);
        return;
    }
    /* room for the loads of a last, partial group of sixteen */
    uint32_t ps[PL_WINDOW_PREFIX + 16], pq[PL_WINDOW_PREFIX + 16];
    memset(ps, 0, sizeof(ps));
    memset(pq, 0, sizeof(pq));
    struct sauvola c = {.base = _mm512_set1_ps(1 - k),
                        .slope = _mm512_set1_ps(k / dynamic),
                        .full = _mm512_set1_ps(1 / (float)(rows * (2 * r + 1))),
                        .rows = _mm512_set1_epi32((int)rows),
                        .n = n,
                        .r = r};
    for (size_t first = 0; first < n; first += PL_WINDOW_BLOCK) {
        size_t count = n - first < PL_WINDOW_BLOCK ? n - first : PL_WINDOW_BLOCK;
        pl_window_prefix(ps, sum, n, first, count, r);
        pl_window_prefix(pq, sumsq, n, first, count, r);
        sauvola_block(&c, out, src, ps, pq, first, count);
    }
}

static void resize_rows(uint8_t *dst, const uint8_t *const *rows, const int16_t *weights,
                        size_t taps, size_t n)
{
    for (size_t x = 0; x < n; x += 32) {
        __mmask32 m = n - x >= 32 ? 0xffffffffu : (1u << (n - x)) - 1;
        __m512i lo = _mm512_set1_epi32(8192), hi = lo;
        for (size_t j = 0; j < taps; j += 2) {
            bool pair = j + 1 < taps;
            uint32_t w =
                (uint16_t)weights[j] | (pair ? (uint32_t)(uint16_t)weights[j + 1] << 16 : 0);
            __m512i both = _mm512_set1_epi32((int)w);
            __m512i a = _mm512_cvtepu8_epi16(_mm256_maskz_loadu_epi8(m, rows[j] + x));
            __m512i b = _mm512_cvtepu8_epi16(_mm256_maskz_loadu_epi8(m, rows[j + pair] + x));
            lo = _mm512_add_epi32(lo, _mm512_madd_epi16(_mm512_unpacklo_epi16(a, b), both));
            hi = _mm512_add_epi32(hi, _mm512_madd_epi16(_mm512_unpackhi_epi16(a, b), both));
        }
        __m512i v = _mm512_packs_epi32(_mm512_srai_epi32(lo, 14), _mm512_srai_epi32(hi, 14));
        v = _mm512_max_epi16(v, _mm512_setzero_si512());
        _mm512_mask_cvtusepi16_storeu_epi8(dst + x, m, v);
    }
}

void pl_filter_init_avx512(struct pl_kernels *k);
void pl_filter_init_avx512(struct pl_kernels *k)
{
    k->colsum_u8 = colsum_u8;
    k->sauvola_row = sauvola_row;
    k->resize_rows = resize_rows;
}
