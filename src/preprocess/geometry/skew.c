/* SPDX-License-Identifier: BSD-2-Clause */
/* Skew from the lower edges of ink: along the text's direction they pile up on the baselines, so
 * the sum of squares of their projection peaks there (Postl's criterion on Baird's fiducial points:
 * W. Postl, ICPR 1986; H. Baird, SPSE 1987). */
#include <math.h>
#include <string.h>

#include "preprocess/ops.h"
#include "preprocess/geometry/geometry_tuning.def"

/* Edges are put together by upright strips so wide. */
#define STRIP_PX 16
#define LONG_POINTS 8 /* of a long run */
#define ANGLES 4      /* that the edges are projected along while they are read once */
#define STRIP_MARGIN (STRIP_PX / 2 + 1) /* rows above and below, up to 45 degrees */
/* A lower edge of ink, as one point of its column with a weight. */
struct edge {
    int32_t y, weight;
};

struct edges {
    const struct pl_bits *ink;
    struct edge *e; /* column by column, in each from top to bottom */
    size_t *ends;   /* of the columns in e */
    size_t n;
};

/* Of row y the ink that has paper below. */
static void find_lower(const struct pl_bits *ink, int y, uint8_t *lower)
{
    const uint8_t *row = pl_bits_row(ink, y);
    size_t bytes = (size_t)ink->bytes.width;
    if (y + 1 == ink->height) {
        memcpy(lower, row, bytes);
        return;
    }
    const uint8_t *below = pl_bits_row(ink, y + 1);
    for (size_t i = 0; i < bytes; i++)
        lower[i] = (uint8_t)(row[i] & ~below[i]);
}

static size_t count_edges(const struct pl_bits *ink, uint8_t *lower)
{
    size_t n = 0;
    for (int y = 0; y < ink->height; y++) {
        find_lower(ink, y, lower);
        n += pl_bits_count_runs(lower, (size_t)ink->bytes.width);
    }
    return n;
}

/* The first `most` edges, row by row. runs: of these, and of a row more. */
static void collect_edges(const struct pl_bits *ink, size_t most, uint8_t *lower,
                          struct pl_run *runs)
{
    size_t n = 0;
    for (int y = 0; y < ink->height && n < most; y++) {
        find_lower(ink, y, lower);
        n += pl_bits_runs(lower, (size_t)ink->bytes.width, y, runs + n);
    }
}

/* Length beyond which a run is no letter's. */
static int longest_of(const struct edges *es)
{
    return PL_MAX(es->ink->width / EDGE_CAP, EDGE_CAP_PX);
}

/* In how many points a run counts: a letter's in one. A long one, which a rule leaves, is spread
 * along its length: as one point it would say nothing of its own direction, and the points of a
 * grid's rules would line up from column to column along false ones. */
static int points_of(struct pl_run r, int longest)
{
    return r.x1 - r.x0 <= longest ? 1 : PL_MIN(LONG_POINTS, longest);
}

/* Of point i of n. */
static int column_of(struct pl_run r, int i, int n)
{
    return (int)(r.x0 + (int64_t)(r.x1 - r.x0) * (2 * i + 1) / (2 * n));
}

static void count_points(struct edges *es, const struct pl_run *runs, size_t n_runs)
{
    int width = es->ink->width, longest = longest_of(es);
    memset(es->ends, 0, (size_t)width * sizeof(*es->ends));
    for (size_t k = 0; k < n_runs; k++)
        for (int i = 0, n = points_of(runs[k], longest); i < n; i++)
            es->ends[column_of(runs[k], i, n)]++;
    es->n = 0;
    for (int x = 0; x < width; x++) {
        size_t n = es->ends[x];
        es->ends[x] = es->n; /* until its edges are there */
        es->n += n;
    }
}

/* In a column all edges move by the same when the page is turned. */
static void sort_by_column(struct edges *es, const struct pl_run *runs, size_t n_runs)
{
    int longest = longest_of(es);
    for (size_t k = 0; k < n_runs; k++) {
        int n = points_of(runs[k], longest);
        struct edge e = {runs[k].y, PL_MIN(runs[k].x1 - runs[k].x0, longest) / n};
        for (int i = 0; i < n; i++)
            es->e[es->ends[column_of(runs[k], i, n)]++] = e;
    }
}

/* Projections of edges. n_bins: the height and twice the width, and what strips take besides; a
 * multiple of the widest bin. There are so many for each of ANGLES. */
struct skew_search {
    const struct pl_kernels *k;
    const struct edges *es;
    uint32_t *bins;
    size_t n_bins;
    uint8_t *strips; /* weights by row (up to 255), strip behind strip */
    size_t n_strips, strip_rows;
    double strips_deg; /* the angle that they lie along */
};

static int64_t slope_of(double deg)
{
    return llround(tan(deg * M_PI / 180) * 65536);
}

static uint64_t sum_of_squares(const uint32_t *bins, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (uint64_t)bins[i] * bins[i];
    return sum;
}

/* Sums of squares of the projections along from + first * step and the next, ANGLES in all, into
 * bins of 2^shift px. The sums stay exact. */
static void score(const struct skew_search *se, double from, double step, int first, int shift,
                  uint64_t ret[ANGLES])
{
    const struct edges *es = se->es;
    size_t used = se->n_bins >> shift, i = 0;
    int width = es->ink->width;
    int64_t slope[ANGLES], down[ANGLES]; /* in 16.16 */
    for (int k = 0; k < ANGLES; k++) {
        slope[k] = slope_of(from + (first + k) * step);
        down[k] = (int64_t)width << 16; /* keeps the bin positive up to 45 degrees */
    }
    memset(se->bins, 0, ANGLES * used * sizeof(*se->bins));
    for (int x = 0; x < width; x++) {
        uint32_t whole[ANGLES];
        for (int k = 0; k < ANGLES; k++) {
            whole[k] = (uint32_t)(down[k] >> 16);
            down[k] += slope[k];
        }
        for (; i < es->ends[x]; i++) {
            uint32_t y = (uint32_t)es->e[i].y, weight = (uint32_t)es->e[i].weight;
            for (size_t k = 0; k < ANGLES; k++)
                se->bins[k * used + ((y + whole[k]) >> shift)] += weight;
        }
    }
    for (size_t k = 0; k < ANGLES; k++)
        ret[k] = sum_of_squares(se->bins + k * used, used);
}

/* Puts the edges together by strips that lie along `deg`: for an angle that differs from it by d, a
 * point is off by no more than STRIP_PX / 2 * tan(d) and the rounding. */
static void gather(struct skew_search *se, double deg)
{
    const struct edges *es = se->es;
    int64_t slope = slope_of(deg);
    size_t i = 0;
    se->strips_deg = deg;
    memset(se->strips, 0, se->n_strips * se->strip_rows);
    for (int x = 0; x < es->ink->width; x++) {
        int64_t to_middle = x % STRIP_PX - STRIP_PX / 2;
        int64_t first = STRIP_MARGIN + ((to_middle * slope + 32768) >> 16);
        uint8_t *strip = se->strips + (size_t)(x / STRIP_PX) * se->strip_rows + first;
        for (; i < es->ends[x]; i++) {
            uint8_t *w = strip + es->e[i].y;
            *w = (uint8_t)PL_MIN(*w + es->e[i].weight, 255);
        }
    }
}

/* As score() for one angle, from the strips. */
static uint64_t score_strips(const struct skew_search *se, double deg, int shift)
{
    int64_t slope = slope_of(deg), first = se->es->ink->width + STRIP_PX;
    size_t bin = (size_t)1 << shift;
    memset(se->bins, 0, se->n_bins * sizeof(*se->bins));
    for (size_t i = 0; i < se->n_strips; i++) {
        int64_t middle = (int64_t)i * STRIP_PX + STRIP_PX / 2;
        se->k->colsum_u8(se->bins + first + ((middle * slope + 32768) >> 16), NULL,
                         se->strips + i * se->strip_rows, NULL, se->strip_rows);
    }
    uint64_t sum = 0;
    for (size_t i = 0; i + bin <= se->n_bins; i += bin) {
        uint64_t weight = 0;
        for (size_t k = 0; k < bin; k++)
            weight += se->bins[i + k];
        sum += weight * weight;
    }
    return sum;
}

struct peak {
    double deg;
    uint64_t best, sum;
    int n;
};

/* The best of from, from + step, ... up to `to`, refined by the parabola through its neighbours.
 * strips: estimates, for a fraction of the time. */
static struct peak sweep(struct skew_search *se, double from, double to, double step, int shift,
                         bool strips)
{
    struct peak p = {.deg = from};
    int steps = (int)lround((to - from) / step);
    uint64_t last = 0, scores[ANGLES];
    double left = 0, right = 0;
    bool want_right = false;
    double reach = PL_MIN((to - from) / 2, NEAR_DEG); /* of one set of strips */
    for (int i = 0; i <= steps; i++) {
        double deg = from + i * step;
        if (strips && (i == 0 || deg > se->strips_deg + reach + step / 2))
            gather(se, deg + reach);
        if (!strips && i % ANGLES == 0)
            score(se, from, step, i, shift, scores);
        uint64_t s = strips ? score_strips(se, deg, shift) : scores[i % ANGLES];
        p.sum += s / 16;
        p.n++;
        if (want_right) {
            right = (double)s;
            want_right = false;
        }
        if (s > p.best) {
            p.best = s;
            p.deg = deg;
            left = (double)last;
            right = 0;
            want_right = true;
        }
        last = s;
    }
    double curve = left - 2 * (double)p.best + right;
    if (left > 0 && right > 0 && curve < 0)
        p.deg += step * PL_CLAMP(0.5 * (left - right) / curve, -0.5, 0.5);
    return p;
}

/* How far the best stands out of the mean. */
static double prominence(const struct peak *p)
{
    return p->sum ? (double)p->best / (16 * (double)p->sum / p->n) : 1;
}

/* The higher of two, over the angles of both. */
static struct peak higher(const struct peak *a, const struct peak *b)
{
    struct peak p = b->best > a->best ? *b : *a;
    p.sum = a->sum + b->sum;
    p.n = a->n + b->n;
    return p;
}

static void search(struct skew_search *se, double max_deg, double sure, double *ret_angle,
                   double *ret_confidence)
{
    /* bins as wide as an error of half a step smears a page's width, but finer than text lines */
    double near = PL_MIN(max_deg, NEAR_DEG), next = near + COARSE_STEP_DEG;
    struct peak p = sweep(se, -near, near, COARSE_STEP_DEG, 2, false);
    if (next <= max_deg && (prominence(&p) < sure || fabs(p.deg) > near - COARSE_STEP_DEG)) {
        struct peak left = sweep(se, -max_deg, -next, COARSE_STEP_DEG, 2, true);
        struct peak right = sweep(se, next, max_deg, COARSE_STEP_DEG, 2, true);
        p = higher(&left, &p);
        p = higher(&p, &right);
    }
    *ret_confidence = prominence(&p);
    double at = p.deg;
    p = sweep(se, at - COARSE_STEP_DEG, at + COARSE_STEP_DEG, FINE_STEP_DEG, 1, false);
    at = p.deg;
    p = sweep(se, at - FINE_STEP_DEG, at + FINE_STEP_DEG, LAST_STEP_DEG, 0, false);
    *ret_angle = p.deg;
}

static platen_status search_edges(const struct pl_env *env, const struct edges *es, double max_deg,
                                  double sure, double *ret_angle, double *ret_confidence,
                                  struct platen_error *err)
{
    size_t width = (size_t)es->ink->width, height = (size_t)es->ink->height;
    struct skew_search se = {.k = env->k,
                             .es = es,
                             .n_bins =
                                 (height + 2 * (width + STRIP_PX + STRIP_MARGIN) + 3) & ~(size_t)3,
                             .n_strips = width / STRIP_PX + 1,
                             .strip_rows = height + 2 * STRIP_MARGIN};
    size_t bins_bytes = ANGLES * se.n_bins * sizeof(*se.bins),
           strips_bytes = se.n_strips * se.strip_rows;
    se.bins = pl_bufpool_get(env->bufs, bins_bytes);
    se.strips = pl_bufpool_get(env->bufs, strips_bytes);
    bool ok = se.bins && se.strips;
    if (ok)
        search(&se, max_deg, sure, ret_angle, ret_confidence);
    pl_bufpool_put(env->bufs, se.bins, bins_bytes);
    pl_bufpool_put(env->bufs, se.strips, strips_bytes);
    return ok ? PLATEN_OK : pl_fail_nomem(err, bins_bytes + strips_bytes, "the skew search");
}

/* Where the edges of es->ink are; at most every second pixel of a row starts one. */
static platen_status take_edges(const struct pl_env *env, struct edges *es,
                                struct platen_error *err)
{
    size_t width = (size_t)es->ink->width, row_bytes = (size_t)es->ink->bytes.width;
    /* noise beyond a quarter of that says nothing */
    size_t most = width * (size_t)es->ink->height / 8 + 16, runs_bytes = 0, n_runs = 0;
    struct pl_run *runs = NULL;
    uint8_t *lower = pl_bufpool_get(env->bufs, row_bytes);
    es->ends = pl_bufpool_get(env->bufs, width * sizeof(*es->ends));
    if (lower && es->ends) {
        n_runs = PL_MIN(count_edges(es->ink, lower), most);
        runs_bytes = (n_runs + width / 2 + 1) * sizeof(*runs);
        runs = pl_bufpool_get(env->bufs, runs_bytes);
    }
    if (runs) {
        collect_edges(es->ink, n_runs, lower, runs);
        count_points(es, runs, n_runs);
        es->e = pl_bufpool_get(env->bufs, es->n * sizeof(*es->e));
    }
    if (es->e)
        sort_by_column(es, runs, n_runs);
    bool ok = es->e != NULL;
    pl_bufpool_put(env->bufs, lower, row_bytes);
    pl_bufpool_put(env->bufs, runs, runs_bytes);
    return ok ? PLATEN_OK : pl_fail_nomem(err, row_bytes + runs_bytes, "the skew search");
}

platen_status pl_skew_find(const struct pl_env *env, const struct pl_bits *ink, double max_deg,
                           double sure, double *ret_angle, double *ret_confidence,
                           struct platen_error *err)
{
    struct edges es = {.ink = ink};
    *ret_angle = 0;
    *ret_confidence = 1;
    platen_status s = take_edges(env, &es, err);
    if (!s && es.n)
        s = search_edges(env, &es, max_deg, sure, ret_angle, ret_confidence, err);
    pl_bufpool_put(env->bufs, es.e, es.n * sizeof(*es.e));
    pl_bufpool_put(env->bufs, es.ends, (size_t)ink->width * sizeof(*es.ends));
    return s;
}
