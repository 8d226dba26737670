/* SPDX-License-Identifier: BSD-2-Clause */
/* Bodies of the local means and thresholds: included by one file per ISA after PL_BYTES (the
 * register's width) and these on LANES = PL_BYTES / 4 lanes are defined:
 *   v_scan(v), v_last(v)        the sum of lanes 0..i in lane i; the last lane in all
 *   v_from_u32(v), v_sqrt(v)    with one rounding
 *   v_max(a, b)                 of floats
 *   v_pixels(p)                 LANES bytes as integers
 *   v_store_above(p, a, b)      LANES bytes, 255 where a > b and 0 elsewhere; floats
 *   v_store_above_i32(p, a, b)  the same of integers */
#include <string.h>

#include "simd/local_scalar.h"
#include "simd/window.h"

#define PREFIX_ROOM (PL_WINDOW_PREFIX + LANES)

static inline vu32 v_load_u32(const uint32_t *p)
{
    vu32 v;
    memcpy(&v, p, sizeof(v));
    return v;
}

static inline void v_store_u32(uint32_t *p, vu32 v)
{
    memcpy(p, &v, sizeof(v));
}

static inline vf32 v_splat(float x)
{
    return x - (vf32){0};
}

static inline vf32 v_from_i32(vi32 v)
{
    return __builtin_convertvector(v, vf32);
}

/* prefix[j] = the sum of v[first - r .. first - r + j - 1], columns outside 0..n-1 counting
 * nothing, modulo 2^32: the window of output first + i is prefix[i + 2 r + 1] - prefix[i]. Written
 * are count + 2 r + 1 of them and LANES more for the last, partial group. */
static void window_prefix(uint32_t *prefix, const uint32_t *v, size_t n, size_t first, size_t count,
                          uint32_t r)
{
    size_t m = count + 2 * (size_t)r, skip = first < r ? r - first : 0, from = first + skip - r;
    size_t j = skip < m ? skip : m, inside = n - from < m - j ? n - from : m - j, u = 0;
    memset(prefix, 0, (j + 1) * sizeof(*prefix));
    vu32 carry = {0};
    for (; u + LANES <= inside; u += LANES) {
        vu32 sums = v_scan(v_load_u32(v + from + u));
        v_store_u32(prefix + j + u + 1, sums + carry);
        carry += v_last(sums); /* one addition from step to step */
    }
    uint32_t total = carry[0];
    for (; u < inside; u++)
        prefix[j + u + 1] = total += v[from + u];
    for (j += inside + 1; j < m + 1 + LANES; j++)
        prefix[j] = total;
}

/* The windows of one row. */
struct row {
    uint8_t *out;
    const uint8_t *src;
    size_t n;
    uint32_t r, rows;
};

/* Columns of the windows around x .. x + LANES - 1, clipped to 0..n-1, times rows. */
static inline vi32 clipped_area(const struct row *w, size_t x)
{
    vi32 at, hi, lo, end = (int32_t)w->n - 1 - (vi32){0};
    for (int i = 0; i < LANES; i++)
        at[i] = (int32_t)x + i;
    hi = at + (int32_t)w->r;
    lo = at - (int32_t)w->r;
    hi = (hi & (hi < end)) | (end & (hi >= end));
    lo &= lo > 0;
    return (hi - lo + 1) * (int32_t)w->rows;
}

static inline bool is_clipped(const struct row *w, size_t x)
{
    return x < w->r || x + LANES + w->r > w->n;
}

/* Mean and mean of squares of LANES windows. */
struct moments {
    vf32 mean, squares, inverse; /* inverse: 1 / area */
};

static inline struct moments v_moments(const struct row *w, const uint32_t *ps, const uint32_t *pq,
                                       size_t x, vf32 full)
{
    size_t window = 2 * (size_t)w->r + 1;
    vf32 inverse = full;
    if (is_clipped(w, x))
        inverse = 1.0f / v_from_i32(clipped_area(w, x));
    vf32 s = v_from_i32((vi32)(v_load_u32(ps + window) - v_load_u32(ps)));
    vf32 q = v_from_u32(v_load_u32(pq + window) - v_load_u32(pq));
    return (struct moments){s * inverse, q * inverse, inverse};
}

static inline vf32 v_variance(const struct moments *m)
{
    return v_max(m->squares - m->mean * m->mean, v_splat(0));
}

struct parameters {
    float a, b, c;
};

static inline vf32 sauvola(const struct moments *m, const struct parameters *p)
{
    return m->mean * (p->a + v_sqrt(v_variance(m)) * p->b);
}

static inline vf32 wolf(const struct moments *m, const struct parameters *p)
{
    return m->mean - (m->mean - p->c) * (p->a - v_sqrt(v_variance(m)) * p->b);
}

static inline vf32 nick(const struct moments *m, const struct parameters *p)
{
    vf32 spread = m->squares - m->mean * m->mean * m->inverse;
    return m->mean + v_sqrt(v_max(spread, v_splat(0))) * p->a;
}

/* The prefix sums around a group of LANES columns from x on, and what all groups share. */
struct group {
    const struct row *w;
    const uint32_t *ps, *pq;
    size_t x;
    vf32 full;
    vi32 full_area;
    const struct parameters *p;
    int32_t c;
};

/* Writes LANES bytes for the LANES pixels at src. */
typedef void group_fn(uint8_t *out, const uint8_t *src, const struct group *g);

/* Whole groups in place, the last one by way of copies. */
static inline __attribute__((always_inline)) void each_group(struct group *g, size_t first,
                                                             size_t count, group_fn *fn)
{
    const struct row *w = g->w;
    const uint32_t *ps = g->ps, *pq = g->pq;
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        struct group here = {w, ps + i, pq + i, first + i, g->full, g->full_area, g->p, g->c};
        fn(w->out + first + i, w->src + first + i, &here);
    }
    if (i < count) {
        uint8_t px[LANES] = {0}, out[LANES];
        struct group here = {w, ps + i, pq + i, first + i, g->full, g->full_area, g->p, g->c};
        memcpy(px, w->src + first + i, count - i);
        fn(out, px, &here);
        memcpy(w->out + first + i, out, count - i);
    }
}

static inline __attribute__((always_inline)) void
threshold_row(const struct row *w, const uint32_t *sum, const uint32_t *sumsq,
              const struct parameters *p, group_fn *fn)
{
    uint32_t ps[PREFIX_ROOM], pq[PREFIX_ROOM];
    struct group g = {
        .w = w, .ps = ps, .pq = pq, .full = v_splat(1 / (float)(w->rows * (2 * w->r + 1))), .p = p};
    for (size_t first = 0; first < w->n; first += PL_WINDOW_BLOCK) {
        size_t count = w->n - first < PL_WINDOW_BLOCK ? w->n - first : PL_WINDOW_BLOCK;
        window_prefix(ps, sum, w->n, first, count, w->r);
        window_prefix(pq, sumsq, w->n, first, count, w->r);
        each_group(&g, first, count, fn);
    }
}

#define GROUP_FN(threshold)                                                                        \
    static inline void threshold##_group(uint8_t *out, const uint8_t *src, const struct group *g)  \
    {                                                                                              \
        struct moments m = v_moments(g->w, g->ps, g->pq, g->x, g->full);                           \
        v_store_above(out, v_from_i32(v_pixels(src)), threshold(&m, g->p));                        \
    }

GROUP_FN(sauvola)
GROUP_FN(wolf)
GROUP_FN(nick)

static inline void mean_group(uint8_t *out, const uint8_t *src, const struct group *g)
{
    size_t window = 2 * (size_t)g->w->r + 1;
    vi32 area = is_clipped(g->w, g->x) ? clipped_area(g->w, g->x) : g->full_area;
    vi32 s = (vi32)(v_load_u32(g->ps + window) - v_load_u32(g->ps));
    v_store_above_i32(out, (v_pixels(src) + g->c) * area, s);
}

static void sauvola_row(uint8_t *out, const uint8_t *src, const uint32_t *sum,
                        const uint32_t *sumsq, size_t n, uint32_t r, uint32_t rows, float k,
                        float dynamic)
{
    struct row w = {out, src, n, r, rows};
    struct parameters p = {.a = 1 - k, .b = k / dynamic};
    if (r > PL_WINDOW_MAX_R)
        pl_sauvola_row_scalar(out, src, sum, sumsq, n, r, rows, k, dynamic);
    else
        threshold_row(&w, sum, sumsq, &p, sauvola_group);
}

static void wolf_row(uint8_t *out, const uint8_t *src, const uint32_t *sum, const uint32_t *sumsq,
                     size_t n, uint32_t r, uint32_t rows, float k, float darkest, float max_dev)
{
    struct row w = {out, src, n, r, rows};
    struct parameters p = {.a = k, .b = k / max_dev, .c = darkest};
    if (r > PL_WINDOW_MAX_R)
        pl_wolf_row_scalar(out, src, sum, sumsq, n, r, rows, k, darkest, max_dev);
    else
        threshold_row(&w, sum, sumsq, &p, wolf_group);
}

static void nick_row(uint8_t *out, const uint8_t *src, const uint32_t *sum, const uint32_t *sumsq,
                     size_t n, uint32_t r, uint32_t rows, float k)
{
    struct row w = {out, src, n, r, rows};
    struct parameters p = {.a = k};
    if (r > PL_WINDOW_MAX_R)
        pl_nick_row_scalar(out, src, sum, sumsq, n, r, rows, k);
    else
        threshold_row(&w, sum, sumsq, &p, nick_group);
}

static float maxvar_row(const uint32_t *sum, const uint32_t *sumsq, size_t n, uint32_t r,
                        uint32_t rows)
{
    if (r > PL_WINDOW_MAX_R)
        return pl_maxvar_row_scalar(sum, sumsq, n, r, rows);
    struct row w = {NULL, NULL, n, r, rows};
    uint32_t ps[PREFIX_ROOM], pq[PREFIX_ROOM];
    vf32 full = v_splat(1 / (float)(rows * (2 * r + 1))), largest = v_splat(0);
    float ret = 0;
    for (size_t first = 0; first < n; first += PL_WINDOW_BLOCK) {
        size_t count = n - first < PL_WINDOW_BLOCK ? n - first : PL_WINDOW_BLOCK, i = 0;
        window_prefix(ps, sum, n, first, count, r);
        window_prefix(pq, sumsq, n, first, count, r);
        for (; i + LANES <= count; i += LANES) {
            struct moments m = v_moments(&w, ps + i, pq + i, first + i, full);
            largest = v_max(v_variance(&m), largest);
        }
        if (i < count) {
            struct moments m = v_moments(&w, ps + i, pq + i, first + i, full);
            vf32 v = v_variance(&m);
            for (size_t j = 0; j < count - i; j++)
                ret = v[j] > ret ? v[j] : ret;
        }
    }
    for (size_t j = 0; j < LANES; j++)
        ret = largest[j] > ret ? largest[j] : ret;
    return ret;
}

static void mean_row(uint8_t *out, const uint8_t *src, const uint32_t *sum, size_t n, uint32_t r,
                     uint32_t rows, int32_t c)
{
    if (r > PL_WINDOW_MAX_R) {
        pl_mean_row_scalar(out, src, sum, n, r, rows, c);
        return;
    }
    struct row w = {out, src, n, r, rows};
    uint32_t ps[PREFIX_ROOM];
    struct group g = {.w = &w,
                      .ps = ps,
                      .pq = ps,
                      .full_area = (int32_t)(rows * (2 * r + 1)) - (vi32){0},
                      .c = c};
    for (size_t first = 0; first < n; first += PL_WINDOW_BLOCK) {
        size_t count = n - first < PL_WINDOW_BLOCK ? n - first : PL_WINDOW_BLOCK;
        window_prefix(ps, sum, n, first, count, r);
        each_group(&g, first, count, mean_group);
    }
}

static void install_local(struct pl_kernels *k)
{
    k->sauvola_row = sauvola_row;
    k->wolf_row = wolf_row;
    k->nick_row = nick_row;
    k->maxvar_row = maxvar_row;
    k->mean_row = mean_row;
}
