/* PNG's filters undone on sixteen rows at once, as a skewed wavefront: lane r works on row r, bpp
 * bytes behind row r - 1. What a lane needs is then at hand: left is its own result bpp steps ago,
 * above is that of lane r - 1 at the same step, above left what was above bpp steps ago. No row
 * waits for itself, whatever mix of filters the rows have. Bytes come and go by transposing blocks
 * of 16 x 16. Wider levels gain nothing: the chain from left to right is what takes the time. */
#include <immintrin.h>
#include <stdbool.h>
#include <string.h>

#include "simd/kernels.h"
#include "simd/unfilter.h"

#define LANES 16
#define MAX_BPP 4

/* Sixteen rows, and lanes of 255 for the filter that each has. */
struct wave {
    uint8_t *row[LANES];  /* behind the filter byte */
    const uint8_t *above; /* of row 0, or NULL */
    ptrdiff_t n;
    __m128i sub, up, average, paeth;
};

/* Four rounds of a perfect shuffle of 256 bytes are the transpose. */
static inline void shuffle(const __m128i *from, __m128i *to)
{
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) {
        to[2 * i] = _mm_unpacklo_epi8(from[i], from[i + 8]);
        to[2 * i + 1] = _mm_unpackhi_epi8(from[i], from[i + 8]);
    }
}

static inline void transpose(__m128i v[LANES])
{
    __m128i t[LANES];
    shuffle(v, t);
    shuffle(t, v);
    shuffle(v, t);
    shuffle(t, v);
}

static inline __m128i difference(__m128i a, __m128i b)
{
    return _mm_sub_epi8(_mm_max_epu8(a, b), _mm_min_epu8(a, b));
}

/* In bytes: pa = |b - c|, pb = |a - c|, and pc = |(b - c) + (a - c)| is their sum where both have
 * one sign, so that it is never the least, and else their difference. */
static inline __m128i paeth(__m128i a, __m128i b, __m128i c)
{
    __m128i pa = difference(b, c), pb = difference(a, c);
    __m128i b_over = _mm_cmpeq_epi8(_mm_max_epu8(b, c), b);
    __m128i a_over = _mm_cmpeq_epi8(_mm_max_epu8(a, c), a);
    __m128i pc = _mm_or_si128(difference(pa, pb), _mm_cmpeq_epi8(a_over, b_over));
    __m128i least = _mm_min_epu8(pa, _mm_min_epu8(pb, pc));
    __m128i b_or_c = _mm_blendv_epi8(c, b, _mm_cmpeq_epi8(pb, least));
    return _mm_blendv_epi8(b_or_c, a, _mm_cmpeq_epi8(pa, least));
}

static inline __m128i predict(const struct wave *w, __m128i a, __m128i b, __m128i c)
{
    __m128i odd = _mm_and_si128(_mm_xor_si128(a, b), _mm_set1_epi8(1));
    __m128i average = _mm_sub_epi8(_mm_avg_epu8(a, b), odd);
    __m128i p = _mm_and_si128(a, w->sub);
    p = _mm_or_si128(p, _mm_and_si128(b, w->up));
    p = _mm_or_si128(p, _mm_and_si128(average, w->average));
    return _mm_or_si128(p, _mm_and_si128(paeth(a, b, c), w->paeth));
}

/* Bytes t..t+15 of a row of n; those outside it are zeros. */
static inline __m128i load_part(const uint8_t *row, ptrdiff_t t, ptrdiff_t n)
{
    uint8_t part[LANES] = {0};
    for (ptrdiff_t i = t < 0 ? -t : 0; i < LANES && t + i < n; i++)
        part[i] = row[t + i];
    return _mm_loadu_si128((const __m128i *)part);
}

static inline void store_part(uint8_t *row, ptrdiff_t t, ptrdiff_t n, __m128i v)
{
    uint8_t part[LANES];
    _mm_storeu_si128((__m128i *)part, v);
    for (ptrdiff_t i = t < 0 ? -t : 0; i < LANES && t + i < n; i++)
        row[t + i] = part[i];
}

/* A lane whose row has not begun sees zeros in all places, and so stays zero. */
static inline __attribute__((always_inline)) void run_wave(const struct wave *w, ptrdiff_t bpp)
{
    __m128i a[MAX_BPP], c[MAX_BPP], v[LANES];
    for (int i = 0; i < MAX_BPP; i++)
        a[i] = c[i] = _mm_setzero_si128();
    for (ptrdiff_t t = 0; t < w->n + (LANES - 1) * bpp; t += LANES) {
        bool inside = t >= (LANES - 1) * bpp && t + LANES <= w->n;
        for (ptrdiff_t r = 0; r < LANES; r++)
            v[r] = inside ? _mm_loadu_si128((const __m128i *)(w->row[r] + t - r * bpp))
                          : load_part(w->row[r], t - r * bpp, w->n);
        uint8_t above[2 * LANES] = {0};
        if (w->above)
            _mm_storeu_si128((__m128i *)(above + LANES),
                             inside ? _mm_loadu_si128((const __m128i *)(w->above + t))
                                    : load_part(w->above, t, w->n));
        transpose(v);
#pragma GCC unroll 16
        for (int i = 0; i < LANES; i++) {
            /* lane 0 gets the row above, the others the lane before them */
            __m128i first = _mm_loadu_si128((const __m128i *)(above + i + 1));
            __m128i b = _mm_alignr_epi8(a[0], first, 15);
            v[i] = _mm_add_epi8(v[i], predict(w, a[0], b, c[0]));
            for (ptrdiff_t k = 0; k + 1 < bpp; k++) {
                a[k] = a[k + 1];
                c[k] = c[k + 1];
            }
            a[bpp - 1] = v[i];
            c[bpp - 1] = b;
        }
        transpose(v);
        for (ptrdiff_t r = 0; r < LANES; r++)
            if (inside)
                _mm_storeu_si128((__m128i *)(w->row[r] + t - r * bpp), v[r]);
            else
                store_part(w->row[r], t - r * bpp, w->n, v[r]);
    }
}

static void add_above(uint8_t *row, const uint8_t *above, size_t n)
{
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        _mm_storeu_si128((__m128i *)(row + i),
                         _mm_add_epi8(_mm_loadu_si128((const __m128i *)(row + i)),
                                      _mm_loadu_si128((const __m128i *)(above + i))));
    for (; i < n; i++)
        row[i] = (uint8_t)(row[i] + above[i]);
}

/* Rows that have no need of their own bytes. */
static void simple_rows(uint8_t *rows, size_t n_rows, size_t n, const uint8_t *above)
{
    for (size_t y = 0; y < n_rows; y++, rows += n + 1) {
        if (rows[0] == PL_PNG_UP && above)
            add_above(rows + 1, above, n);
        above = rows + 1;
    }
}

static bool are_simple(const uint8_t *rows, size_t n_rows, size_t n)
{
    for (size_t y = 0; y < n_rows; y++)
        if (rows[y * (n + 1)] != PL_PNG_NONE && rows[y * (n + 1)] != PL_PNG_UP)
            return false;
    return true;
}

static void wave_rows(uint8_t *rows, size_t n, size_t bpp, const uint8_t *above)
{
    struct wave w = {.above = above, .n = (ptrdiff_t)n};
    uint8_t filter[LANES];
    for (size_t r = 0; r < LANES; r++) {
        filter[r] = rows[r * (n + 1)];
        w.row[r] = rows + r * (n + 1) + 1;
    }
    __m128i f = _mm_loadu_si128((const __m128i *)filter);
    w.sub = _mm_cmpeq_epi8(f, _mm_set1_epi8(PL_PNG_SUB));
    w.up = _mm_cmpeq_epi8(f, _mm_set1_epi8(PL_PNG_UP));
    w.average = _mm_cmpeq_epi8(f, _mm_set1_epi8(PL_PNG_AVERAGE));
    w.paeth = _mm_cmpeq_epi8(f, _mm_set1_epi8(PL_PNG_PAETH));
    switch (bpp) {
    case 1:
        run_wave(&w, 1);
        break;
    case 2:
        run_wave(&w, 2);
        break;
    case 3:
        run_wave(&w, 3);
        break;
    default:
        run_wave(&w, 4);
    }
}

static void png_unfilter(uint8_t *rows, size_t n_rows, size_t row_bytes, size_t bpp,
                         const uint8_t *above)
{
    size_t step = row_bytes + 1;
    for (size_t y = 0; y < n_rows;) {
        size_t k = n_rows - y < LANES ? n_rows - y : LANES;
        uint8_t *from = rows + y * step;
        if (are_simple(from, k, row_bytes))
            simple_rows(from, k, row_bytes, above);
        else if (k == LANES)
            wave_rows(from, row_bytes, bpp, above);
        else
            for (size_t r = 0; r < k; r++)
                pl_png_unfilter_row(from + r * step, row_bytes, bpp,
                                    r ? from + (r - 1) * step + 1 : above);
        y += k;
        above = rows + (y - 1) * step + 1;
    }
}

void pl_unfilter_init_sse42(struct pl_kernels *k);
void pl_unfilter_init_sse42(struct pl_kernels *k)
{
    k->png_unfilter = png_unfilter;
}
