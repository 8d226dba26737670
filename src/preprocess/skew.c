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
/* Edges are put together by upright strips so wide. */
#define STRIP_PX 16
#define STRIP_MARGIN (STRIP_PX / 2 + 1) /* rows above and below, up to 45 degrees */
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

/* Projections of edges. n_bins: the height and twice the width, and what strips take besides; a
 * multiple of the widest bin. */
struct search {
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

/* Along an angle the bin of a point is (y + x * slope + offset) >> shift in 16.16. */
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
static uint64_t score(const struct search *se, double deg, int shift)
{
    const struct edges *es = se->es;
    size_t part = es->n / 4, used = se->n_bins >> shift;
    /* the offset keeps the bin positive up to 45 degrees */
    struct projection p = {se->bins, slope_of(deg), (int64_t)es->ink->width << 16, 16 + shift};
    memset(se->bins, 0, used * sizeof(*se->bins));
    for (size_t i = 0; i < part; i++)
        for (size_t k = 0; k < 4; k++)
            project(&p, &es->e[k * part + i]);
    for (size_t i = 4 * part; i < es->n; i++)
        project(&p, &es->e[i]);
    uint64_t sum = 0;
    for (size_t i = 0; i < used; i++)
        sum += (uint64_t)se->bins[i] * se->bins[i];
    return sum;
}

/* Puts the edges together by strips that lie along `deg`: for an angle that differs from it by d, a
 * point is off by no more than STRIP_PX / 2 * tan(d) and the rounding. */
static void gather(struct search *se, double deg)
{
    int64_t slope = slope_of(deg);
    se->strips_deg = deg;
    memset(se->strips, 0, se->n_strips * se->strip_rows);
    for (size_t i = 0; i < se->es->n; i++) {
        struct edge e = se->es->e[i];
        int64_t to_middle = e.x % STRIP_PX - STRIP_PX / 2;
        int64_t row = STRIP_MARGIN + e.y + ((to_middle * slope + 32768) >> 16);
        uint8_t *w = se->strips + (size_t)(e.x / STRIP_PX) * se->strip_rows + row;
        *w = (uint8_t)PL_MIN(*w + e.weight, 255);
    }
}

/* As score(), from the strips, into bins of 2^shift px. */
static uint64_t score_strips(const struct search *se, double deg, int shift)
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
static struct peak sweep(struct search *se, double from, double to, double step, int shift,
                         bool strips)
{
    struct peak p = {.deg = from};
    int steps = (int)lround((to - from) / step);
    uint64_t last = 0;
    double left = 0, right = 0;
    bool want_right = false;
    double reach = PL_MIN((to - from) / 2, NEAR_DEG); /* of one set of strips */
    for (int i = 0; i <= steps; i++) {
        double deg = from + i * step;
        if (strips && (i == 0 || deg > se->strips_deg + reach + step / 2))
            gather(se, deg + reach);
        uint64_t s = strips ? score_strips(se, deg, shift) : score(se, deg, shift);
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

static void search(struct search *se, double max_deg, double sure, double *ret_angle,
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
    struct search se = {.k = env->k,
                        .es = es,
                        .n_bins = (height + 2 * (width + STRIP_PX + STRIP_MARGIN) + 3) & ~(size_t)3,
                        .n_strips = width / STRIP_PX + 1,
                        .strip_rows = height + 2 * STRIP_MARGIN};
    size_t bins_bytes = se.n_bins * sizeof(*se.bins), strips_bytes = se.n_strips * se.strip_rows;
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
        s = search_edges(env, &es, max_deg, sure, ret_angle, ret_confidence, err);
    pl_bufpool_put(env->bufs, es.e, es.max * sizeof(*es.e));
    return s;
}
