/* SPDX-License-Identifier: BSD-2-Clause */
/* The line of writing through a group: baseline, x-height, and the farthest ink that counts. */
#include <assert.h>
#include <math.h>

#include "detect/ink/ink_steps.h"
#include "detect/ink/sort.h"
#include "detect/ink/ink_tuning.def"

static double mid_x(const struct pl_blob *b)
{
    return 0.5 * (b->box.x0 + b->box.x1);
}

/* Returns blob number i of the group, from the left. */
static const struct pl_blob *member(const struct pl_found *found, const struct pl_group *g,
                                    uint32_t i)
{
    return &found->survey.blobs[found->members[g->first + i]];
}

/* Returns whether a blob of a group with glyphs of `size` px tells where the baseline is: a dot, a
 * dash or a bracket does not. */
static bool is_typical(const struct pl_blob *b, double size)
{
    int h = pl_rect_height(b->box);
    return h >= TYPICAL_MIN * size && h <= TYPICAL_MAX * size;
}

/* Returns how far from the baseline, in px, a glyph may end that stands on it. */
static double tolerance_of(const struct pl_fit *f)
{
    return PL_MAX(1.0, ON_BASELINE * f->size);
}

/* Returns the median height of the group's glyphs. */
static double median_height(const struct pl_found *found, const struct pl_group *g, double *v)
{
    uint32_t n = 0;
    double tallest = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        v[i] = pl_rect_height(member(found, g, i)->box);
        tallest = PL_MAX(tallest, v[i]);
    }
    for (uint32_t i = 0; i < g->n; i++) /* dots and dashes would pull it down */
        if (v[i] > DOT_OF_TALLEST * tallest || v[i] > DOT_OF_PAGE * found->survey.size)
            v[n++] = v[i];
    return pl_median(v, n);
}

/* Returns the median slope between glyphs half the group apart (the estimate of Theil and Sen, on
 * n / 2 pairs); `fallback` where too few pairs tell. */
static double pair_slope(const struct pl_found *found, const struct pl_group *g, double size,
                         double fallback, double *v)
{
    uint32_t n = 0;
    for (uint32_t i = 0, j = g->n / 2; j < g->n; i++, j++) {
        const struct pl_blob *a = member(found, g, i), *b = member(found, g, j);
        double dx = mid_x(b) - mid_x(a);
        if (is_typical(a, size) && is_typical(b, size) && dx > PAIR_SPAN * size)
            v[n++] = (b->box.y1 - a->box.y1) / dx;
    }
    return n >= SLOPE_GLYPHS / 2 ? pl_median(v, n) : fallback;
}

/* Returns the mean of the most values of v[0..n) that lie within `tolerance` of each other, and how
 * many these are. Of equally many the upper ones are taken, since descenders hang below the
 * baseline. Sorts v. */
static double fullest_level(double *v, uint32_t n, double tolerance, uint32_t *ret_n)
{
    uint32_t best = 0, best_first = 0;
    pl_sort_doubles(v, n);
    for (uint32_t i = 0, j = 0; i < n; i++) {
        while (j < n && v[j] - v[i] <= tolerance)
            j++;
        if (j - i > best) {
            best = j - i;
            best_first = i;
        }
    }
    double sum = 0;
    for (uint32_t i = best_first; i < best_first + best; i++)
        sum += v[i];
    *ret_n = best;
    return best ? sum / best : 0;
}

/* Returns the level on which most glyphs stand along a slope, and how many do. */
static double base_along(const struct pl_found *found, const struct pl_group *g, double slope,
                         double size, double tolerance, double *v, uint32_t *ret_n)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        const struct pl_blob *b = member(found, g, i);
        if (is_typical(b, size))
            v[n++] = b->box.y1 - slope * mid_x(b);
    }
    return fullest_level(v, n, tolerance, ret_n);
}

/* Moves the baseline to the least squares through the feet of glyphs within `tolerance` of it,
 * where these are enough and lie far enough apart. */
static void refine(const struct pl_found *found, const struct pl_group *g, struct pl_fit *f,
                   double tolerance)
{
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, x0 = g->box.x0;
    for (uint32_t i = 0; i < g->n; i++) {
        const struct pl_blob *b = member(found, g, i);
        double x = mid_x(b), y = b->box.y1;
        if (!is_typical(b, f->size) || fabs(y - pl_fit_y(f, x)) > tolerance)
            continue;
        x -= x0;
        n++;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    double d = n * sxx - sx * sx;
    if (n < SLOPE_GLYPHS || d < n * n * f->size * f->size)
        return;
    f->slope = (n * sxy - sx * sy) / d;
    f->base = (sy - f->slope * sx) / n - f->slope * x0;
}

/* Returns the height of small letters: the lower of two levels of tops where both are frequent,
 * else the only one. */
static double small_height(const struct pl_found *found, const struct pl_group *g,
                           const struct pl_fit *f, double *v)
{
    uint32_t n = 0, level;
    for (uint32_t i = 0; i < g->n; i++) {
        const struct pl_blob *b = member(found, g, i);
        if (is_typical(b, f->size))
            v[n++] = pl_fit_y(f, mid_x(b)) - b->box.y0;
    }
    double tolerance = PL_MAX(1.0, TOPS_LEVEL * f->size), low, all = n;
    low = fullest_level(v, n, tolerance, &level);
    uint32_t kept = 0, below = 0;
    for (uint32_t i = 0; i < n; i++)
        if (v[i] < SMALL_BELOW * low && v[i] > SMALL_ABOVE * low)
            v[below++] = v[i];
        else
            kept++;
    if (kept && below >= SMALL_SHARE * all)
        low = fullest_level(v, below, tolerance, &level);
    return low > 0 ? low : f->size;
}

/* Returns whether glyph i of the group is a raised figure: it stands above the baseline, is no dash
 * and has no letter below it. */
static bool is_raised_figure(const struct pl_found *found, const struct pl_group *g, uint32_t i,
                             const struct pl_fit *f, double base)
{
    const struct pl_blob *b = member(found, g, i);
    int h = pl_rect_height(b->box);
    return base - b->box.y1 >= RAISED * f->xheight && h >= FIGURE_MIN * f->size &&
           h <= FIGURE_MAX * f->size && pl_rect_width(b->box) <= FIGURE_WIDE * h &&
           (i == 0 || member(found, g, i - 1)->box.x1 <= b->box.x0) &&
           (i + 1 == g->n || member(found, g, i + 1)->box.x0 >= b->box.x1);
}

/* Sets the ascent and descent of *f to the farthest ink above and below the baseline. Ink far
 * beyond the rest (of a letter that touches the next row, of a stroke of a frame) does not count; a
 * raised figure counts whole. */
static void extremes(const struct pl_found *found, const struct pl_group *g, struct pl_fit *f,
                     double *v)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        const struct pl_blob *b = member(found, g, i);
        if (is_typical(b, f->size))
            v[n++] = pl_fit_y(f, mid_x(b)) - b->box.y0;
    }
    pl_sort_doubles(v, n);
    double high = n ? v[(n - 1) * HIGH_PERCENT / 100] : f->size,
           tallest = PL_MAX(TALL * f->xheight, TALLER * high);
    f->ascent = f->descent = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        const struct pl_blob *b = member(found, g, i);
        double y = pl_fit_y(f, mid_x(b)), up = y - b->box.y0, down = b->box.y1 - y;
        if (up <= tallest || is_raised_figure(found, g, i, f, y))
            f->ascent = PL_MAX(f->ascent, up);
        if (down <= DEEP * f->xheight)
            f->descent = PL_MAX(f->descent, down);
    }
    if (!(f->ascent > 0)) /* all glyphs are far above the baseline */
        f->ascent = high;
}

/* ---- bowed baselines ---- */

/* Returns how many glyphs stand on the baseline. */
static uint32_t count_on(const struct pl_found *found, const struct pl_group *g,
                         const struct pl_fit *f, double tolerance)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        const struct pl_blob *b = member(found, g, i);
        n += is_typical(b, f->size) && fabs(b->box.y1 - pl_fit_y(f, mid_x(b))) <= tolerance;
    }
    return n;
}

/* Sums for least squares of y = c0 + c1 t + c2 t^2. */
struct square_sums {
    double t[5], y[3];
};

static void add_point(struct square_sums *s, double t, double y)
{
    double p = 1;
    for (int i = 0; i < 5; i++, p *= t) {
        s->t[i] += p;
        if (i < 3)
            s->y[i] += p * y;
    }
}

/* Adds the parabola of the sums, in t = (x - x0) / (x1 - x0), to the baseline. Returns false where
 * the points do not tell one. */
static bool add_parabola(const struct square_sums *s, struct pl_fit *f)
{
    const double *t = s->t, *y = s->y, w = f->x1 - f->x0;
    double a = t[2] * t[4] - t[3] * t[3], b = t[1] * t[4] - t[2] * t[3],
           c = t[1] * t[3] - t[2] * t[2];
    double d = t[0] * a - t[1] * b + t[2] * c;
    if (!(fabs(d) > 1e-9))
        return false;
    double c0 = (y[0] * a - y[1] * b + y[2] * c) / d;
    double c1 = (t[0] * (y[1] * t[4] - y[2] * t[3]) - t[1] * (y[0] * t[4] - y[2] * t[2]) +
                 t[2] * (y[0] * t[3] - y[1] * t[2])) /
                d;
    double c2 = (t[0] * (t[2] * y[2] - t[3] * y[1]) - t[1] * (t[1] * y[2] - t[3] * y[0]) +
                 t[2] * (t[1] * y[1] - t[2] * y[0])) /
                d;
    f->bend += c2 / (w * w); /* c1 t + c2 t^2 = (c1 + c2) t + c2 t (t - 1) */
    f->slope += (c1 + c2) / w;
    f->base += c0 - (c1 + c2) / w * f->x0;
    return true;
}

/* Cuts the row into BOW_STRETCHES and moves the baseline to the parabola through the levels on
 * which their glyphs stand. Returns false where too few stretches have a level. */
static bool follow(const struct pl_found *found, const struct pl_group *g, struct pl_fit *f,
                   double tolerance, double *v)
{
    struct square_sums s = {0};
    uint32_t stretches = 0, on;
    for (uint32_t k = 0, i = 0; k < BOW_STRETCHES; k++) {
        double end = f->x0 + (f->x1 - f->x0) * (k + 1) / BOW_STRETCHES, sum = 0;
        uint32_t n = 0;
        for (; i < g->n && (mid_x(member(found, g, i)) < end || k + 1 == BOW_STRETCHES); i++)
            if (is_typical(member(found, g, i), f->size)) {
                double x = mid_x(member(found, g, i));
                v[n++] = member(found, g, i)->box.y1 - pl_fit_y(f, x);
                sum += x;
            }
        if (n < BOW_STRETCH_GLYPHS)
            continue;
        double level = fullest_level(v, n, BOW_LEVEL * tolerance, &on);
        add_point(&s, (sum / n - f->x0) / (f->x1 - f->x0), level);
        stretches++;
    }
    return stretches >= BOW_STRETCHES / 2 + 1 && add_parabola(&s, f);
}

/* Bows the baseline *f of a long row. Returns false where the row is too short to tell. */
static bool fit_bow(const struct pl_found *found, const struct pl_group *g, struct pl_fit *f,
                    double *v)
{
    f->x0 = g->box.x0;
    f->x1 = g->box.x1;
    if (g->n < BOW_GLYPHS || f->x1 - f->x0 < BOW_SPAN * f->size)
        return false;
    for (int i = 0; i < BOW_ROUNDS; i++)
        if (!follow(found, g, f, tolerance_of(f), v))
            return false;
    return true;
}

bool pl_fit_bend(const struct pl_found *found, const struct pl_group *g, double *scratch,
                 double *ret)
{
    struct pl_fit f = g->fit;
    bool told = fit_bow(found, g, &f, scratch);
    *ret = f.bend;
    return told;
}

/* Bows the baseline of a long row where most rows of the page bow, this one bows alike, and clearly
 * more of its glyphs then stand on it. */
static void bow(const struct pl_found *found, const struct pl_group *g, struct pl_fit *f, double *v)
{
    double width = pl_rect_width(g->box), tolerance = tolerance_of(f);
    struct pl_fit c = *f;
    if (!(found->survey.bend != 0 && fit_bow(found, g, &c, v)))
        return;
    double far = fabs(c.bend) * width * width / 4, share = c.bend / found->survey.bend;
    if (share >= BOW_ALIKE && share <= 1 / BOW_ALIKE && far >= MIN_BOW * f->size &&
        count_on(found, g, &c, tolerance) >= BOW_MORE * count_on(found, g, f, tolerance))
        *f = c;
}

/* Sets slope, base and bend of the group's baseline. Its own slope is taken where at least as many
 * of its glyphs stand on one line along it as along the page's slope: strokes of a picture in the
 * row tell a false one. */
static void set_baseline(const struct pl_found *found, const struct pl_group *g, struct pl_fit *f,
                         double *scratch)
{
    bool is_long = g->n >= SLOPE_GLYPHS && pl_rect_width(g->box) >= SLOPE_SPAN * f->size;
    double tolerance = tolerance_of(f);
    uint32_t usual, own;
    f->slope = found->survey.slope;
    f->base = base_along(found, g, f->slope, f->size, tolerance, scratch, &usual);
    if (!is_long)
        return;
    double slope = pair_slope(found, g, f->size, found->survey.slope, scratch);
    double base = base_along(found, g, slope, f->size, tolerance, scratch, &own);
    if (fabs(slope) <= MAX_SLOPE && own >= usual) {
        f->slope = slope;
        f->base = base;
    }
    refine(found, g, f, tolerance);
    bow(found, g, f, scratch);
}

static void fit_group(const struct pl_found *found, struct pl_group *g, double *scratch)
{
    assert(g->n > 0);
    struct pl_fit f = {.size = median_height(found, g, scratch)};
    set_baseline(found, g, &f, scratch);
    f.xheight = small_height(found, g, &f, scratch);
    extremes(found, g, &f, scratch);
    g->fit = f;
}

bool pl_fit_groups(struct pl_found *found)
{
    double *scratch = PL_SURVEY_NEW(&found->survey, double, found->survey.n_blobs);
    if (!scratch)
        return false;
    for (uint32_t i = 0; i < found->n_groups; i++)
        fit_group(found, &found->groups[i], scratch);
    return true;
}
