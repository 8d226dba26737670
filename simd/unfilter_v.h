/* SPDX-License-Identifier: BSD-2-Clause */
/* PNG's filters undone on up to sixteen rows at once, as a skewed wavefront: lane r works on row r,
 * bpp bytes behind row r - 1. What a lane needs is then at hand: left is its own result bpp steps
 * ago, above is that of lane r - 1 at the same step, above left what was above bpp steps ago. No
 * row waits for itself, whatever mix of filters the rows have. Bytes come and go by transposing
 * blocks of 16 x 16. Wider levels gain little: the chain from left to right is what takes the
 * time, and is why two waves take turns.
 *
 * Included by one file per ISA after the vocabulary: vb, a vector of 16 bytes with & | ^;
 * v_load v_store v_set1 v_add v_sub v_max v_min
 * v_eq                255 where bytes are equal, else 0
 * v_select(m, a, b)   a where m is 255, b where it is 0
 * v_average           floor((a + b) / 2)
 * v_low v_high        the bytes of the lower or of the upper halves in turns
 * v_shift_in(a, b)    the last byte of b, then the first fifteen of a */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "simd/kernels.h"
#include "simd/unfilter.h"

#define LANES 16
#define MAX_BPP 4

/* Fewer rows than this go one by one. */
#define MIN_ROWS 3

/* Up to sixteen rows, and lanes of 255 for the filter that each has. */
struct wave {
    uint8_t *rows;        /* each behind its filter byte */
    const uint8_t *above; /* of row 0, or NULL */
    ptrdiff_t n, n_rows;
    vb sub, up, average, paeth;
};

/* Four rounds of a perfect shuffle of 256 bytes are the transpose. */
static inline void shuffle(const vb *from, vb *to)
{
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) {
        to[2 * i] = v_low(from[i], from[i + 8]);
        to[2 * i + 1] = v_high(from[i], from[i + 8]);
    }
}

static inline void transpose(vb v[LANES])
{
    vb t[LANES];
    shuffle(v, t);
    shuffle(t, v);
    shuffle(v, t);
    shuffle(t, v);
}

static inline vb difference(vb a, vb b)
{
    return v_sub(v_max(a, b), v_min(a, b));
}

/* In bytes: pa = |b - c|, pb = |a - c|, and pc = |(b - c) + (a - c)| is their sum where both have
 * one sign, so that it is never the least, and else their difference. */
static inline vb paeth(vb a, vb b, vb c)
{
    vb pa = difference(b, c), pb = difference(a, c);
    vb b_over = v_eq(v_max(b, c), b);
    vb a_over = v_eq(v_max(a, c), a);
    vb pc = difference(pa, pb) | v_eq(a_over, b_over);
    vb least = v_min(pa, v_min(pb, pc));
    vb b_or_c = v_select(v_eq(pb, least), b, c);
    return v_select(v_eq(pa, least), a, b_or_c);
}

static inline vb predict(const struct wave *w, vb a, vb b, vb c)
{
    return (a & w->sub) | (b & w->up) | (v_average(a, b) & w->average) |
           (paeth(a, b, c) & w->paeth);
}

/* 255 for those of bytes t..t+15 that a row of n has. */
static inline vb part_mask(ptrdiff_t t, ptrdiff_t n)
{
    static const uint8_t ones[3 * LANES] = {[LANES] = 255, 255, 255, 255, 255, 255, 255, 255,
                                            255,           255, 255, 255, 255, 255, 255, 255};
    ptrdiff_t before = t < -LANES ? LANES : t < 0 ? -t : 0;
    ptrdiff_t inside = n - t < 0 ? 0 : n - t < LANES ? n - t : LANES;
    return v_load(ones + LANES - before) & v_load(ones + 2 * LANES - inside);
}

/* Bytes t..t+15 of a row of n; those outside it are zeros. */
static inline vb load_bytes(const uint8_t *row, ptrdiff_t t, ptrdiff_t n)
{
    uint8_t part[LANES] = {0};
    for (ptrdiff_t i = t < 0 ? -t : 0; i < LANES && t + i < n; i++)
        part[i] = row[t + i];
    return v_load(part);
}

static inline void store_bytes(uint8_t *row, ptrdiff_t t, ptrdiff_t n, vb v)
{
    uint8_t part[LANES];
    v_store(part, v);
    for (ptrdiff_t i = t < 0 ? -t : 0; i < LANES && t + i < n; i++)
        row[t + i] = part[i];
}

/* Whether bytes t..t+15 of row r lie among the rows' bytes, be it in its neighbours. */
static inline bool reaches(const struct wave *w, ptrdiff_t r, ptrdiff_t t)
{
    ptrdiff_t at = r * (w->n + 1) + 1 + t;
    return at >= 0 && at + LANES <= w->n_rows * (w->n + 1);
}

static inline vb load_part(const struct wave *w, ptrdiff_t r, ptrdiff_t t)
{
    const uint8_t *row = w->rows + r * (w->n + 1) + 1;
    if (reaches(w, r, t))
        return v_load(row + t) & part_mask(t, w->n);
    return load_bytes(row, t, w->n);
}

static inline void store_part(const struct wave *w, ptrdiff_t r, ptrdiff_t t, vb v)
{
    uint8_t *row = w->rows + r * (w->n + 1) + 1;
    if (reaches(w, r, t))
        v_store(row + t, v_select(part_mask(t, w->n), v, v_load(row + t)));
    else
        store_bytes(row, t, w->n, v);
}

static inline void load_block(const struct wave *w, vb v[LANES], ptrdiff_t t, ptrdiff_t bpp,
                              bool inside)
{
    for (ptrdiff_t r = 0; r < LANES; r++)
        if (inside)
            v[r] = v_load(w->rows + r * (w->n + 1) + 1 + t - r * bpp);
        else if (r < w->n_rows)
            v[r] = load_part(w, r, t - r * bpp);
        else
            v[r] = v_set1(0);
}

static inline void store_block(const struct wave *w, const vb v[LANES], ptrdiff_t t, ptrdiff_t bpp,
                               bool inside)
{
    for (ptrdiff_t r = 0; r < w->n_rows; r++)
        if (inside)
            v_store(w->rows + r * (w->n + 1) + 1 + t - r * bpp, v[r]);
        else
            store_part(w, r, t - r * bpp, v[r]);
}

/* What a wave carries from block to block and within one. */
struct flow {
    vb a[MAX_BPP], c[MAX_BPP]; /* left and above left */
    vb v[LANES];
    uint8_t above[2 * LANES]; /* the second half: of row 0 */
    bool inside;
};

/* Brings bytes t.. of row 0, and those behind them of the other rows, into lanes. */
static inline __attribute__((always_inline)) void take_block(const struct wave *w, struct flow *f,
                                                             ptrdiff_t t, ptrdiff_t bpp)
{
    f->inside = w->n_rows == LANES && t >= (LANES - 1) * bpp && t + LANES <= w->n;
    load_block(w, f->v, t, bpp, f->inside);
    if (w->above)
        v_store(f->above + LANES, f->inside ? v_load(w->above + t) : load_bytes(w->above, t, w->n));
    transpose(f->v);
}

/* A lane whose row has not begun sees zeros in all places, and so stays zero. */
static inline __attribute__((always_inline)) void advance(const struct wave *w, struct flow *f,
                                                          int i, ptrdiff_t bpp)
{
    /* lane 0 gets the row above, the others the lane before them */
    vb b = v_shift_in(f->a[0], v_load(f->above + i + 1));
    f->v[i] = v_add(f->v[i], predict(w, f->a[0], b, f->c[0]));
    for (ptrdiff_t k = 0; k + 1 < bpp; k++) {
        f->a[k] = f->a[k + 1];
        f->c[k] = f->c[k + 1];
    }
    f->a[bpp - 1] = f->v[i];
    f->c[bpp - 1] = b;
}

static inline __attribute__((always_inline)) void give_block(const struct wave *w, struct flow *f,
                                                             ptrdiff_t t, ptrdiff_t bpp)
{
    transpose(f->v);
    store_block(w, f->v, t, bpp, f->inside);
}

/* One wave, or two whose steps take turns, as each waits for itself most of the time. The second
 * follows so far behind that the last row of the first is done where it looks at it. */
static inline __attribute__((always_inline)) void run_waves(const struct wave *w, int n_waves,
                                                            ptrdiff_t bpp)
{
    struct flow f[2] = {{.inside = false}};
    ptrdiff_t lag = ((LANES - 1) * bpp + 2 * LANES - 1) & ~(ptrdiff_t)(LANES - 1);
    ptrdiff_t end = w->n + (LANES - 1) * bpp + (n_waves - 1) * lag;
    for (ptrdiff_t t = 0; t < end; t += LANES) {
        for (int k = 0; k < n_waves; k++)
            take_block(&w[k], &f[k], t - k * lag, bpp);
#pragma GCC unroll 16
        for (int i = 0; i < LANES; i++)
            for (int k = 0; k < n_waves; k++)
                advance(&w[k], &f[k], i, bpp);
        for (int k = 0; k < n_waves; k++)
            give_block(&w[k], &f[k], t - k * lag, bpp);
    }
}

static void add_above(uint8_t *row, const uint8_t *above, size_t n)
{
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        v_store(row + i, v_add(v_load(row + i), v_load(above + i)));
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

static struct wave wave_of(uint8_t *rows, size_t n_rows, size_t n, const uint8_t *above)
{
    struct wave w = {.rows = rows, .above = above, .n = (ptrdiff_t)n, .n_rows = (ptrdiff_t)n_rows};
    uint8_t filter[LANES] = {0};
    for (size_t r = 0; r < n_rows; r++)
        filter[r] = rows[r * (n + 1)];
    vb f = v_load(filter);
    w.sub = v_eq(f, v_set1(PL_PNG_SUB));
    w.up = v_eq(f, v_set1(PL_PNG_UP));
    w.average = v_eq(f, v_set1(PL_PNG_AVERAGE));
    w.paeth = v_eq(f, v_set1(PL_PNG_PAETH));
    return w;
}

static void one_wave(const struct wave *w, size_t bpp)
{
    switch (bpp) {
    case 1:
        run_waves(w, 1, 1);
        break;
    case 2:
        run_waves(w, 1, 2);
        break;
    case 3:
        run_waves(w, 1, 3);
        break;
    default:
        run_waves(w, 1, 4);
    }
}

static void two_waves(const struct wave w[2], size_t bpp)
{
    switch (bpp) {
    case 1:
        run_waves(w, 2, 1);
        break;
    case 2:
        run_waves(w, 2, 2);
        break;
    case 3:
        run_waves(w, 2, 3);
        break;
    default:
        run_waves(w, 2, 4);
    }
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Up to two waves of rows; returns how many. */
static size_t wave_rows(uint8_t *rows, size_t n_rows, size_t n, size_t bpp, const uint8_t *above)
{
    size_t first = least(n_rows, LANES), second = least(n_rows - first, LANES);
    uint8_t *behind = rows + first * (n + 1);
    struct wave w[2] = {wave_of(rows, first, n, above)};
    if (second < MIN_ROWS || are_simple(behind, second, n)) {
        one_wave(w, bpp);
        return first;
    }
    w[1] = wave_of(behind, second, n, behind - n);
    two_waves(w, bpp);
    return first + second;
}

static void png_unfilter(uint8_t *rows, size_t n_rows, size_t row_bytes, size_t bpp,
                         const uint8_t *above)
{
    size_t step = row_bytes + 1;
    for (size_t y = 0, k; y < n_rows; y += k) {
        uint8_t *from = rows + y * step;
        k = least(n_rows - y, LANES);
        if (are_simple(from, k, row_bytes))
            simple_rows(from, k, row_bytes, above);
        else if (k >= MIN_ROWS)
            k = wave_rows(from, n_rows - y, row_bytes, bpp, above);
        else
            for (size_t r = 0; r < k; r++)
                pl_png_unfilter_row(from + r * step, row_bytes, bpp,
                                    r ? from + (r - 1) * step + 1 : above);
        above = from + (k - 1) * step + 1;
    }
}
