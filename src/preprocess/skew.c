/* Skew from the lower edges of ink: along the text's direction they pile up on the baselines, so
 * the sum of squares of their projection peaks there (Postl's criterion on Baird's fiducial points:
 * W. Postl, ICPR 1986; H. Baird, SPSE 1987). */
#include <math.h>
#include <string.h>

#include "preprocess/ops.h"

#define COARSE_STEP_DEG 0.25
#define FINE_STEP_DEG 0.05
#define LAST_STEP_DEG 0.01
/* An edge longer than this share of the width is a rule or a picture's border: it counts no more
 * than a word would. */
#define EDGE_CAP_DIVISOR 40

/* A lower edge of ink, as one point with a weight. */
struct edge {
    int32_t x, y, weight;
};

struct edges {
    struct edge *e;
    size_t n, max;
    int width, height;
};

static void add_row(struct edges *es, const uint8_t *row, const uint8_t *below, int y, int cap)
{
    for (int x = 0; x < es->width;) {
        uint64_t eight;
        if (x + 8 <= es->width && (memcpy(&eight, row + x, 8), eight == UINT64_MAX)) {
            x += 8;
            continue;
        }
        if (row[x] || (below && !below[x])) {
            x++;
            continue;
        }
        int x0 = x;
        while (x < es->width && !row[x] && !(below && !below[x]))
            x++;
        if (es->n < es->max)
            es->e[es->n++] = (struct edge){(x0 + x) / 2, y, PL_MIN(x - x0, cap)};
    }
}

static void collect(struct edges *es, const struct pl_image *im)
{
    int cap = PL_MAX(im->width / EDGE_CAP_DIVISOR, 4);
    for (int y = 0; y < im->height; y++)
        add_row(es, pl_image_row(im, y), y + 1 < im->height ? pl_image_row(im, y + 1) : NULL, y,
                cap);
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
                           (int64_t)es->width << 16, /* keeps the bin positive up to 45 degrees */
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

static void search(const struct edges *es, uint32_t *bins, size_t n_bins, double max_deg,
                   double *ret_angle, double *ret_confidence)
{
    /* bins as wide as an error of half a step smears a page's width, but finer than text lines */
    struct peak p = sweep(es, bins, n_bins, -max_deg, max_deg, COARSE_STEP_DEG, 2);
    *ret_confidence = p.sum ? (double)p.best / (16 * (double)p.sum / p.n) : 1;
    double at = p.deg;
    p = sweep(es, bins, n_bins, at - COARSE_STEP_DEG, at + COARSE_STEP_DEG, FINE_STEP_DEG, 1);
    at = p.deg;
    p = sweep(es, bins, n_bins, at - FINE_STEP_DEG, at + FINE_STEP_DEG, LAST_STEP_DEG, 0);
    *ret_angle = p.deg;
}

platen_status pl_skew_find(const struct pl_env *env, const struct pl_image *bilevel, double max_deg,
                           double *ret_angle, double *ret_confidence, struct platen_error *err)
{
    *ret_angle = 0;
    *ret_confidence = 1;
    struct edges es = {.width = bilevel->width, .height = bilevel->height};
    /* at most every second pixel of a row starts an edge; noise beyond a quarter says nothing */
    es.max = (size_t)bilevel->width * (size_t)bilevel->height / 8 + 16;
    size_t n_bins = (size_t)bilevel->height + 2 * (size_t)bilevel->width + 3;
    size_t edge_bytes = es.max * sizeof(*es.e), bin_bytes = n_bins * sizeof(uint32_t);
    es.e = pl_bufpool_get(env->bufs, edge_bytes);
    uint32_t *bins = es.e ? pl_bufpool_get(env->bufs, bin_bytes) : NULL;
    if (bins) {
        collect(&es, bilevel);
        if (es.n)
            search(&es, bins, n_bins, max_deg, ret_angle, ret_confidence);
    }
    bool ok = bins != NULL;
    pl_bufpool_put(env->bufs, bins, bin_bytes);
    pl_bufpool_put(env->bufs, es.e, edge_bytes);
    return ok ? PLATEN_OK : pl_fail_nomem(err, edge_bytes + bin_bytes, "the skew search");
}
