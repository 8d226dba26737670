/* Skew from the lower edges of ink: along the text's direction they pile up on the baselines, so
 * the sum of squares of their projection peaks there (Postl's criterion on Baird's fiducial points:
 * W. Postl, ICPR 1986; H. Baird, SPSE 1987). */
#include <math.h>
#include <string.h>

#include "preprocess/ops.h"

#define COARSE_STEP_DEG 0.25
#define FINE_STEP_DEG 0.05
#define LAST_STEP_DEG 0.01
#define NEAR_DEG 5.0 /* few pages are turned farther */
/* An edge longer than this share of the width is a rule or a picture's border: it counts no more
 * than a word would. */
#define EDGE_CAP_DIVISOR 40

/* A lower edge of ink, as one point with a weight. */
struct edge {
    int32_t x, y, weight;
};

struct edges {
    const struct pl_bits *ink;
    uint8_t *lower;      /* a row: ink that has paper below */
    struct pl_run *runs; /* of such a row */
    struct edge *e;
    size_t n, max;
};

static void find_lower(const struct edges *es, int y)
{
    const uint8_t *row = pl_bits_row(es->ink, y);
    bool last = y + 1 == es->ink->height;
    const uint8_t *below = last ? NULL : pl_bits_row(es->ink, y + 1);
    for (size_t i = 0; i < (size_t)es->ink->bytes.width; i++)
        es->lower[i] = below ? (uint8_t)(row[i] & ~below[i]) : row[i];
}

static size_t count_edges(const struct edges *es)
{
    size_t n = 0;
    for (int y = 0; y < es->ink->height; y++) {
        find_lower(es, y);
        n += pl_bits_count_runs(es->lower, (size_t)es->ink->bytes.width);
    }
    return n;
}

static void collect(struct edges *es)
{
    int cap = PL_MAX(es->ink->width / EDGE_CAP_DIVISOR, 4);
    for (int y = 0; y < es->ink->height; y++) {
        find_lower(es, y);
        size_t n = pl_bits_runs(es->lower, (size_t)es->ink->bytes.width, y, es->runs);
        for (size_t i = 0; i < n && es->n < es->max; i++) {
            struct pl_run r = es->runs[i];
            es->e[es->n++] = (struct edge){(r.x0 + r.x1) / 2, y, PL_MIN(r.x1 - r.x0, cap)};
        }
    }
}

/* A projection along an angle: the bin of a point is (y + x * slope + offset) >> shift in 16.16. */
struct projection {
    uint32_t *bins;
    int64_t slope, offset;
    int shift;
};

static void project(const struct projection *p, const struct edge *e)
{
    int64_t pos = ((int64_t)e->y << 16) + e->x * p->slope + p->offset;
    p->bins[pos >> p->shift] += (uint32_t)e->weight;
}

/* Sum of squares of the projection along `deg` into bins of 2^shift px. The sums stay exact.
 * Neighbours in a row fall into the same bin and would wait for each other: four parts of the page
 * are gone through at once. */
static uint64_t score(const struct edges *es, uint32_t *bins, size_t n_bins, double deg, int shift)
{
    size_t part = es->n / 4, used = (n_bins >> shift) + 1;
    struct projection p = {bins, llround(tan(deg * M_PI / 180) * 65536),
                           (int64_t)es->ink->width
                               << 16, /* keeps the bin positive up to 45 degrees */
                           16 + shift};
    memset(bins, 0, used * sizeof(*bins));
    for (size_t i = 0; i < part; i++)
        for (size_t k = 0; k < 4; k++)
            project(&p, &es->e[k * part + i]);
    for (size_t i = 4 * part; i < es->n; i++)
        project(&p, &es->e[i]);
    uint64_t sum = 0;
    for (size_t i = 0; i < used; i++)
        sum += (uint64_t)bins[i] * bins[i];
    return sum;
}

struct peak {
    double deg;
    uint64_t best, sum;
    int n;
};

/* The best of from, from + step, ... up to `to`, refined by the parabola through its neighbours. */
static struct peak sweep(const struct edges *es, uint32_t *bins, size_t n_bins, double from,
                         double to, double step, int shift)
{
    struct peak p = {.deg = from};
    int steps = (int)lround((to - from) / step);
    uint64_t last = 0;
    double left = 0, right = 0;
    bool want_right = false;
    for (int i = 0; i <= steps; i++) {
        double deg = from + i * step;
        uint64_t s = score(es, bins, n_bins, deg, shift);
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

static platen_status search(const struct pl_env *env, const struct edges *es, double max_deg,
                            double sure, double *ret_angle, double *ret_confidence,
                            struct platen_error *err)
{
    size_t n_bins = (size_t)es->ink->height + 2 * (size_t)es->ink->width + 3;
    size_t bytes = n_bins * sizeof(uint32_t);
    uint32_t *bins = pl_bufpool_get(env->bufs, bytes);
    if (!bins)
        return pl_fail_nomem(err, bytes, "the skew search");
    /* bins as wide as an error of half a step smears a page's width, but finer than text lines */
    double near = PL_MIN(max_deg, NEAR_DEG), next = near + COARSE_STEP_DEG;
    struct peak p = sweep(es, bins, n_bins, -near, near, COARSE_STEP_DEG, 2);
    if (next <= max_deg && (prominence(&p) < sure || fabs(p.deg) > near - COARSE_STEP_DEG)) {
        struct peak left = sweep(es, bins, n_bins, -max_deg, -next, COARSE_STEP_DEG, 2);
        struct peak right = sweep(es, bins, n_bins, next, max_deg, COARSE_STEP_DEG, 2);
        p = higher(&left, &p);
        p = higher(&p, &right);
    }
    *ret_confidence = prominence(&p);
    double at = p.deg;
    p = sweep(es, bins, n_bins, at - COARSE_STEP_DEG, at + COARSE_STEP_DEG, FINE_STEP_DEG, 1);
    at = p.deg;
    p = sweep(es, bins, n_bins, at - FINE_STEP_DEG, at + FINE_STEP_DEG, LAST_STEP_DEG, 0);
    *ret_angle = p.deg;
    pl_bufpool_put(env->bufs, bins, bytes);
    return PLATEN_OK;
}

/* Where the edges of es->ink are; at most every second pixel of a row starts one. */
static platen_status take_edges(const struct pl_env *env, struct edges *es,
                                struct platen_error *err)
{
    size_t row_bytes = (size_t)es->ink->bytes.width;
    size_t runs_bytes = ((size_t)es->ink->width / 2 + 1) * sizeof(struct pl_run);
    es->lower = pl_bufpool_get(env->bufs, row_bytes);
    es->runs = pl_bufpool_get(env->bufs, runs_bytes);
    if (es->lower && es->runs) {
        /* noise beyond a quarter of that says nothing */
        size_t most = (size_t)es->ink->width * (size_t)es->ink->height / 8 + 16;
        es->max = PL_MIN(count_edges(es), most);
        es->e = pl_bufpool_get(env->bufs, es->max * sizeof(*es->e));
    }
    bool ok = es->e;
    if (ok)
        collect(es);
    pl_bufpool_put(env->bufs, es->lower, row_bytes);
    pl_bufpool_put(env->bufs, es->runs, runs_bytes);
    return ok ? PLATEN_OK : pl_fail_nomem(err, es->max * sizeof(*es->e), "the skew search");
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
        s = search(env, &es, max_deg, sure, ret_angle, ret_confidence, err);
    pl_bufpool_put(env->bufs, es.e, es.max * sizeof(*es.e));
    return s;
}
