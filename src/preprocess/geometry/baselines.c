/* SPDX-License-Identifier: BSD-2-Clause */
/* Skew from the baselines of single text lines, each fitted to the feet of its letters: what most
 * of them agree on is right where a page's lines do not run parallel (bent paper, labels stuck on
 * askew), and where one barcode or table outweighs the print in a projection of the whole page. */
#include <math.h>
#include <stdlib.h>

#include "preprocess/binarize/ink.h"
#include "preprocess/ops.h"
#include "preprocess/geometry/geometry_tuning.def"
#include "preprocess/binarize/binarize_tuning.def"

#define MAX_LETTERS 30000
#define NONE UINT32_MAX

/* A letter in coordinates in which text runs along x, but for what is looked for. */
struct letter {
    struct pl_rect box; /* of the page */
    double x, foot, middle;
    uint32_t next;
    bool has_before;
};

struct line {
    double slope, length;
};

struct row_letters {
    struct letter *v;
    struct line *lines;
    size_t n, n_lines;
    int height;
};

static int by_left_edge(const void *a, const void *b)
{
    const struct letter *p = a, *q = b;
    if (p->box.x0 != q->box.x0)
        return p->box.x0 < q->box.x0 ? -1 : 1;
    return (p->box.y0 > q->box.y0) - (p->box.y0 < q->box.y0);
}

static int by_slope(const void *a, const void *b)
{
    const struct line *p = a, *q = b;
    return (p->slope > q->slope) - (p->slope < q->slope);
}

static void collect_letters(struct row_letters *l, const struct pl_ink *ink, double slope)
{
    for (size_t i = 0; i < ink->cs.n && l->n < MAX_LETTERS; i++) {
        struct pl_rect b = ink->cs.comps[i].box;
        int w = pl_rect_width(b), h = pl_rect_height(b);
        if (100 * h < LETTER_LOW_PERCENT * l->height || 100 * h > LETTER_HIGH_PERCENT * l->height ||
            w > LETTER_ASPECT * h || h > LETTER_ASPECT * w)
            continue;
        double x = (b.x0 + b.x1) / 2.0, y = slope * x;
        l->v[l->n++] = (struct letter){b, x, b.y1 + y, (b.y0 + b.y1) / 2.0 + y, NONE, false};
    }
    qsort(l->v, l->n, sizeof(*l->v), by_left_edge);
}

/* The letter that follows letter i in its line: the nearest to the right at the same height that
 * follows no other. */
static uint32_t follower(const struct row_letters *l, size_t i)
{
    const struct letter *a = &l->v[i];
    int reach = a->box.x1 + LINE_GAP * l->height;
    for (size_t j = i + 1; j < l->n && l->v[j].box.x0 <= reach; j++) {
        const struct letter *b = &l->v[j];
        if (!b->has_before && b->x > a->box.x1 &&
            fabs(b->middle - a->middle) < l->height * LINE_LEVEL)
            return (uint32_t)j;
    }
    return NONE;
}

/* Least squares through the feet that lie near the line so far; those of g and p, of commas and of
 * raised signs fall out. Slopes are relative to the one that the letters were collected for. */
static bool fit(const struct row_letters *l, uint32_t first, struct line *ret)
{
    double slope = 0, offset = 0, near = l->height;
    for (int round = 0; round < LINE_FIT_ROUNDS; round++) {
        double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, from = INFINITY, to = -INFINITY;
        double x0 = l->v[first].x, y0 = l->v[first].foot;
        for (uint32_t i = first; i != NONE; i = l->v[i].next) {
            double x = l->v[i].x - x0, y = l->v[i].foot - y0;
            if (fabs(y - offset - slope * x) > near)
                continue;
            n++;
            sx += x;
            sy += y;
            sxx += x * x;
            sxy += x * y;
            from = fmin(from, x);
            to = fmax(to, x);
        }
        double d = n * sxx - sx * sx;
        if (n < LINE_LETTERS || to - from < LINE_LENGTH * l->height || !(d > 0))
            return false;
        slope = (n * sxy - sx * sy) / d;
        offset = (sy - slope * sx) / n;
        near = fmax(fmax(near / 2, l->height * LINE_FEET), LINE_FEET_PX);
        *ret = (struct line){slope, to - from};
    }
    return true;
}

static void find_lines(struct row_letters *l)
{
    for (size_t i = 0; i < l->n; i++) {
        uint32_t next = follower(l, i);
        l->v[i].next = next;
        if (next != NONE)
            l->v[next].has_before = true;
    }
    for (size_t i = 0; i < l->n; i++)
        if (!l->v[i].has_before && fit(l, (uint32_t)i, &l->lines[l->n_lines]))
            l->n_lines++;
    qsort(l->lines, l->n_lines, sizeof(*l->lines), by_slope);
}

/* The slope below which `share` of the lines' length lies. */
static double quantile(const struct row_letters *l, double share)
{
    double total = 0, seen = 0;
    size_t i = 0;
    for (size_t k = 0; k < l->n_lines; k++)
        total += l->lines[k].length;
    while (i + 1 < l->n_lines && (seen += l->lines[i].length) < share * total)
        i++;
    return l->lines[i].slope;
}

/* Length of the lines near `slope`, by the biweight kernel of that width; their mean slope. */
static double density(const struct row_letters *l, double slope, double width, double *ret_mean)
{
    double sum = 0, weighted = 0;
    for (size_t i = 0; i < l->n_lines; i++) {
        double u = (l->lines[i].slope - slope) / width;
        double w = fabs(u) < 1 ? l->lines[i].length * (1 - u * u) * (1 - u * u) : 0;
        sum += w;
        weighted += w * l->lines[i].slope;
    }
    *ret_mean = weighted / sum;
    return sum;
}

/* Where the slopes are densest, seen as broadly as their middle half is wide: the middle of an even
 * fan, and the greatest part of a page whose parts run in different directions. */
static double densest_slope(const struct row_letters *l, double spread)
{
    double most = 0, mean, best = 0;
    for (size_t i = 0; i < l->n_lines; i++) {
        double d = density(l, l->lines[i].slope, KERNEL_SPREADS * spread, &mean);
        if (d > most) {
            most = d;
            best = mean;
        }
    }
    return best;
}

platen_status pl_skew_of_lines(const struct pl_env *env, const struct pl_ink *ink, double about_deg,
                               struct pl_line_skew *ret, struct platen_error *err)
{
    size_t n = PL_MIN(ink->cs.n, (size_t)MAX_LETTERS) + 1;
    size_t bytes = n * (sizeof(struct letter) + sizeof(struct line));
    struct row_letters l = {.v = pl_bufpool_get(env->bufs, bytes),
                            .height = pl_ink_letter_height(ink)};
    double slope = tan(about_deg * M_PI / 180);
    if (!l.v)
        return pl_fail_nomem(err, bytes, "the letters' boxes");
    l.lines = (struct line *)(l.v + n);
    if (l.height)
        collect_letters(&l, ink, slope);
    find_lines(&l);
    *ret = (struct pl_line_skew){.lines = l.n_lines};
    if (l.n_lines) {
        double spread = quantile(&l, 0.75) - quantile(&l, 0.25);
        ret->parallel = spread <= PARALLEL_DEG * M_PI / 180;
        double found = ret->parallel ? quantile(&l, 0.5) : densest_slope(&l, spread);
        ret->deg = atan(slope - found) * 180 / M_PI;
    }
    pl_bufpool_put(env->bufs, l.v, bytes);
    return PLATEN_OK;
}
