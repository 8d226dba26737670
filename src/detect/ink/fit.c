/* SPDX-License-Identifier: BSD-2-Clause */
/* The line of writing through a group: baseline, x-height, and the farthest ink that counts. */
#include <assert.h>
#include <math.h>

#include "detect/ink/ink_steps.h"
#include "detect/ink/sort.h"
#include "detect/ink/ink_tuning.def"

bool pl_blob_stands(const struct pl_blob *b, double size)
{
    int h = pl_rect_height(b->box);
    return h >= TYPICAL_MIN * size && h <= TYPICAL_MAX * size;
}

/* Returns how far from the baseline, in px, a glyph may end that stands on it. */
static double tolerance_of(const struct pl_fit *f)
{
    return PL_MAX(1.0, ON_BASELINE * f->size);
}

/* Returns where the blob ends below, as if the rows of the page were straight. */
static double foot(const struct pl_blob *b, const struct pl_fit *f)
{
    return f->bow ? b->box.y1 - pl_bow_at(f->bow, pl_blob_x(b), f->height) : b->box.y1;
}

bool pl_fit_stands(const struct pl_blob *b, const struct pl_fit *f)
{
    return fabs(b->box.y1 - pl_fit_y(f, pl_blob_x(b))) <= tolerance_of(f);
}

/* Returns the median height of the group's glyphs. */
static double median_height(const struct pl_found *found, const struct pl_group *g, double *v)
{
    uint32_t n = 0;
    double tallest = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        v[i] = pl_rect_height(pl_group_blob(found, g, i)->box);
        tallest = PL_MAX(tallest, v[i]);
    }
    for (uint32_t i = 0; i < g->n; i++) /* dots and dashes would pull it down */
        if (v[i] > DOT_OF_TALLEST * tallest || v[i] > DOT_OF_PAGE * found->survey.size)
            v[n++] = v[i];
    return pl_median(v, n);
}

/* Returns the median slope between glyphs half the group apart (the estimate of Theil and Sen, on
 * n / 2 pairs); `fallback` where too few pairs tell. */
static double pair_slope(const struct pl_found *found, const struct pl_group *g,
                         const struct pl_fit *f, double fallback, double *v)
{
    uint32_t n = 0;
    for (uint32_t i = 0, j = g->n / 2; j < g->n; i++, j++) {
        const struct pl_blob *a = pl_group_blob(found, g, i), *b = pl_group_blob(found, g, j);
        double dx = pl_blob_x(b) - pl_blob_x(a);
        if (pl_blob_stands(a, f->size) && pl_blob_stands(b, f->size) && dx > PAIR_SPAN * f->size)
            v[n++] = (foot(b, f) - foot(a, f)) / dx;
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
static double base_along(const struct pl_found *found, const struct pl_group *g,
                         const struct pl_fit *f, double slope, double *v, uint32_t *ret_n)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        const struct pl_blob *b = pl_group_blob(found, g, i);
        if (pl_blob_stands(b, f->size))
            v[n++] = foot(b, f) - slope * pl_blob_x(b);
    }
    return fullest_level(v, n, tolerance_of(f), ret_n);
}

/* Moves the baseline to the least squares through the feet of glyphs within `tolerance` of it,
 * where these are enough and lie far enough apart. */
static void refine(const struct pl_found *found, const struct pl_group *g, struct pl_fit *f)
{
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, x0 = g->box.x0;
    for (uint32_t i = 0; i < g->n; i++) {
        const struct pl_blob *b = pl_group_blob(found, g, i);
        double x = pl_blob_x(b), y = foot(b, f);
        if (!pl_blob_stands(b, f->size) || !pl_fit_stands(b, f))
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
        const struct pl_blob *b = pl_group_blob(found, g, i);
        if (pl_blob_stands(b, f->size))
            v[n++] = pl_fit_y(f, pl_blob_x(b)) - b->box.y0;
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
    const struct pl_blob *b = pl_group_blob(found, g, i);
    int h = pl_rect_height(b->box);
    return base - b->box.y1 >= RAISED * f->xheight && h >= FIGURE_MIN * f->size &&
           h <= FIGURE_MAX * f->size && pl_rect_width(b->box) <= FIGURE_WIDE * h &&
           (i == 0 || pl_group_blob(found, g, i - 1)->box.x1 <= b->box.x0) &&
           (i + 1 == g->n || pl_group_blob(found, g, i + 1)->box.x0 >= b->box.x1);
}

/* Returns whether glyph i of the group stands above a letter that is no higher than `tallest`. */
static bool is_on_letter(const struct pl_found *found, const struct pl_group *g, uint32_t i,
                         const struct pl_fit *f, double tallest)
{
    const struct pl_blob *letter = pl_diacritic_letter(found, g, i);
    return letter && letter->box.y1 > pl_group_blob(found, g, i)->box.y1 &&
           pl_fit_y(f, pl_blob_x(letter)) - letter->box.y0 <= tallest;
}

/* Sets the ascent and descent of *f to the farthest ink above and below the baseline. Ink far
 * beyond the rest (of a letter that touches the next row, of a stroke of a frame) does not count; a
 * raised figure and what stands on a letter count whole. */
static void extremes(const struct pl_found *found, const struct pl_group *g, struct pl_fit *f,
                     double *v)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        const struct pl_blob *b = pl_group_blob(found, g, i);
        if (pl_blob_stands(b, f->size))
            v[n++] = pl_fit_y(f, pl_blob_x(b)) - b->box.y0;
    }
    pl_sort_doubles(v, n);
    double high = n ? v[(n - 1) * HIGH_PERCENT / 100] : f->size,
           tallest = PL_MAX(TALL * f->xheight, TALLER * high);
    f->ascent = f->descent = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        const struct pl_blob *b = pl_group_blob(found, g, i);
        double y = pl_fit_y(f, pl_blob_x(b)), up = y - b->box.y0, down = b->box.y1 - y;
        if (up <= tallest || is_raised_figure(found, g, i, f, y) ||
            is_on_letter(found, g, i, f, tallest))
            f->ascent = PL_MAX(f->ascent, up);
        if (down <= DEEP * f->xheight)
            f->descent = PL_MAX(f->descent, down);
    }
    if (!(f->ascent > 0)) /* all glyphs are far above the baseline */
        f->ascent = high;
}

/* Sets slope and base of the group's baseline. Its own slope is taken where at least as many
 * of its glyphs stand on one line along it as along the page's slope: strokes of a picture in the
 * row tell a false one. */
static void set_baseline(const struct pl_found *found, const struct pl_group *g, struct pl_fit *f,
                         double *scratch)
{
    bool is_long = g->n >= SLOPE_GLYPHS && pl_rect_width(g->box) >= SLOPE_SPAN * f->size;
    uint32_t usual, own;
    f->slope = found->survey.slope;
    f->base = base_along(found, g, f, f->slope, scratch, &usual);
    if (!is_long)
        return;
    double slope = pair_slope(found, g, f, found->survey.slope, scratch);
    double base = base_along(found, g, f, slope, scratch, &own);
    if (fabs(slope) <= MAX_SLOPE && own >= usual) {
        f->slope = slope;
        f->base = base;
    }
    refine(found, g, f);
}

static void fit_group(const struct pl_found *found, struct pl_group *g, double *scratch)
{
    assert(g->n > 0);
    struct pl_fit f = {.size = median_height(found, g, scratch)};
    if (found->survey.bowed) {
        f.bow = &found->survey.bow;
        f.height = pl_bow_height(f.bow, g->box);
    }
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
