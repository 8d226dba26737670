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
    double offset; /* of the line that it starts, in the fit of all: from its foot */
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
        l->v[l->n++] = (struct letter){b, x, b.y1 + y, (b.y0 + b.y1) / 2.0 + y, 0, NONE, false};
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

/* Sums over the feet of a line, from the foot of its first letter. */
struct feet {
    double n, x, y, xx, xy, yy, from, to;
};

/* Of those that lie near the line so far: of g and p, of commas and of raised signs they fall out.
 */
static struct feet sum_feet(const struct row_letters *l, uint32_t first, double slope,
                            double offset, double near)
{
    struct feet f = {.from = INFINITY, .to = -INFINITY};
    double x0 = l->v[first].x, y0 = l->v[first].foot;
    for (uint32_t i = first; i != NONE; i = l->v[i].next) {
        double x = l->v[i].x - x0, y = l->v[i].foot - y0;
        if (fabs(y - offset - slope * x) > near)
            continue;
        f.n++;
        f.x += x;
        f.y += y;
        f.xx += x * x;
        f.xy += x * y;
        f.yy += y * y;
        f.from = fmin(f.from, x);
        f.to = fmax(f.to, x);
    }
    return f;
}

/* What is near in the round of a fit after one with `near`. */
static double nearer(const struct row_letters *l, double near)
{
    return fmax(fmax(near / 2, l->height * LINE_FEET), LINE_FEET_PX);
}

/* Least squares through the feet. Slopes are relative to the one that the letters were collected
 * for. */
static bool fit(const struct row_letters *l, uint32_t first, struct line *ret)
{
    double slope = 0, offset = 0, near = l->height;
    for (int round = 0; round < LINE_FIT_ROUNDS; round++) {
        struct feet f = sum_feet(l, first, slope, offset, near);
        double d = f.n * f.xx - f.x * f.x;
        if (f.n < LINE_LETTERS || f.to - f.from < LINE_LENGTH * l->height || !(d > 0))
            return false;
        slope = (f.n * f.xy - f.x * f.y) / d;
        offset = (f.y - slope * f.x) / f.n;
        near = nearer(l, near);
        *ret = (struct line){slope, f.to - f.from};
    }
    return true;
}

/* Sums over lines of what their feet differ from the lines' own middles. told: letters that tell
 * of the slope. root_xx is of the roots of the lines' xx, and the last three are of their xx and
 * xy, multiplied. */
struct shared_sums {
    double told, xx, xy, yy, root_xx, xx_xx, xx_xy, xy_xy;
};

/* Adds the line that starts with letter i, and has its offset follow the slope so far. */
static void add_line(const struct row_letters *l, uint32_t i, double slope, double near,
                     struct shared_sums *sums)
{
    struct feet f = sum_feet(l, i, slope, l->v[i].offset, near);
    if (f.n < WORD_LETTERS)
        return;
    double xx = f.xx - f.x * f.x / f.n, xy = f.xy - f.x * f.y / f.n;
    l->v[i].offset = (f.y - slope * f.x) / f.n;
    sums->told += f.n - 1;
    sums->xx += xx;
    sums->xy += xy;
    sums->yy += f.yy - f.y * f.y / f.n;
    sums->root_xx += sqrt(xx);
    sums->xx_xx += xx * xx;
    sums->xx_xy += xx * xy;
    sums->xy_xy += xy * xy;
}

/* The standard error of the slope: by how the feet scatter about their lines, as letters sit a
 * little high or low; by how the lines differ, which need not run parallel; and by the rounding of
 * feet to pixels, half of which is taken to be the same in all lines, as in rows that stand whole
 * pixels apart. The largest of these counts. */
static double error_of(const struct shared_sums *s, double slope)
{
    double scatter = (s->yy - slope * s->xy) / (s->told - 1) * s->xx;
    double lines = s->xy_xy - 2 * slope * s->xx_xy + slope * slope * s->xx_xx;
    double rounding = (s->xx + s->root_xx * s->root_xx / 4) / 12;
    return sqrt(fmax(fmax(scatter, lines), rounding)) / s->xx;
}

/* The slope that all lines share, each at its own height: short ones, as a table or a form has
 * them, tell as much as they are long. Infinite error: all comes from fewer lines than must agree.
 */
static double fit_shared(const struct row_letters *l, double *ret_error)
{
    double slope = 0, near = l->height;
    for (int round = 0; round < LINE_FIT_ROUNDS; round++) {
        struct shared_sums sums = {0};
        for (size_t i = 0; i < l->n; i++)
            if (!l->v[i].has_before)
                add_line(l, (uint32_t)i, slope, near, &sums);
        *ret_error = INFINITY;
        if (!(sums.root_xx * sums.root_xx >= AGREEING_LINES * sums.xx && sums.xx > 0))
            return 0;
        slope = sums.xy / sums.xx;
        near = nearer(l, near);
        *ret_error = error_of(&sums, slope);
    }
    return slope;
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
    double error, shared = fit_shared(&l, &error);
    *ret = (struct pl_line_skew){.lines = l.n_lines,
                                 .shared_deg = atan(slope - shared) * 180 / M_PI,
                                 .shared_error_deg = atan(error) * 180 / M_PI};
    if (l.n_lines) {
        double spread = quantile(&l, 0.75) - quantile(&l, 0.25);
        ret->parallel = spread <= PARALLEL_DEG * M_PI / 180;
        double found = ret->parallel ? quantile(&l, 0.5) : densest_slope(&l, spread);
        ret->deg = atan(slope - found) * 180 / M_PI;
    }
    pl_bufpool_put(env->bufs, l.v, bytes);
    return PLATEN_OK;
}
