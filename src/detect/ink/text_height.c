/* SPDX-License-Identifier: BSD-2-Clause */
/* The usual height, slope and bow of a page's text, as its chains tell them. */
#include <math.h>

#include "detect/ink/ink_steps.h"
#include "detect/ink/sort.h"
#include "detect/ink/ink_tuning.def"

/* Classes in which heights of glyphs are counted: 16 octaves of HEIGHT_CLASSES. */
#define N_CLASSES (12 * 16)

/* Returns the weight of a class together with its neighbours. */
static double weight_around(const double *w, int class)
{
    double sum = 0;
    for (int i = PL_MAX(class - HEIGHT_SPREAD, 0);
         i <= PL_MIN(class + HEIGHT_SPREAD, N_CLASSES - 1); i++)
        sum += w[i];
    return sum;
}

/* Returns the index of that of the first n classes which is heaviest together with its neighbours.
 */
static int heaviest(const double *w, int n)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        if (weight_around(w, i) > weight_around(w, best))
            best = i;
    return best;
}

bool pl_blob_is_dot(const struct pl_blob *b)
{
    return b->ink_px > DOT_INK * pl_rect_width(b->box) * pl_rect_height(b->box);
}

/* Returns the usual height of glyphs; 0 where no chain tells it. A glyph counts by its height, so
 * that specks do not outvote letters, and only in chains of ROW_GLYPHS and more: dirt has few
 * neighbours of its own height on its own level. The large letters of a poster would outvote its
 * text by that: far smaller glyphs win where they are more by the root of the height, dots of
 * dotted lines left out. */
static double usual_height(const struct pl_found *found)
{
    double by_height[N_CLASSES] = {0}, by_root[N_CLASSES] = {0}, sum = 0;
    for (uint32_t i = 0; i < found->survey.n_blobs; i++) {
        const struct pl_blob *b = &found->survey.blobs[i];
        int h = pl_rect_height(b->box);
        if (b->group < 0 || found->groups[b->group].n < ROW_GLYPHS)
            continue;
        int class = PL_MIN((int)(HEIGHT_CLASSES * log2(h)), N_CLASSES - 1);
        by_height[class] += h;
        by_root[class] += pl_blob_is_dot(b) ? 0 : sqrt(h);
    }
    int best = heaviest(by_height, N_CLASSES);
    int far_smaller =
        heaviest(by_root, PL_MAX(best - (int)(HEIGHT_CLASSES * log2(POSTER_RATIO)), 1));
    if (weight_around(by_root, far_smaller) > weight_around(by_root, best))
        best = far_smaller;
    for (int i = PL_MAX(best - HEIGHT_SPREAD, 0); i <= PL_MIN(best + HEIGHT_SPREAD, N_CLASSES - 1);
         i++)
        sum += by_height[i] * exp2((i + 0.5) / HEIGHT_CLASSES);
    const double weight = weight_around(by_height, best);
    return weight > 0 ? sum / weight : 0;
}

/* Returns the median height of all blobs within the limits of a glyph's: for pages without chains.
 */
static double lone_height(const struct pl_survey *survey, double *v)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < survey->n_blobs; i++) {
        int h = pl_rect_height(survey->blobs[i].box);
        if (h >= survey->min_height && h <= survey->max_height)
            v[n++] = h;
    }
    return pl_median(v, n);
}

/* Returns the median slope of long chains, each counted by its glyphs. */
static double usual_slope(const struct pl_found *found, double *v)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < found->n_groups; i++) {
        const struct pl_group *g = &found->groups[i];
        if (g->n < SLOPE_GLYPHS || pl_rect_width(g->box) < SLOPE_SPAN * g->fit.size)
            continue;
        for (uint32_t j = 0; j < g->n; j++)
            v[n++] = g->fit.slope;
    }
    return pl_median(v, n);
}

bool pl_text_height(struct pl_found *found)
{
    double *v = PL_SURVEY_NEW(&found->survey, double, found->survey.n_blobs);
    found->survey.bowed = false; /* so that pl_fit_groups() fits straight lines */
    if (!v || !pl_fit_groups(found))
        return false;
    found->survey.size = usual_height(found);
    if (!(found->survey.size > 0))
        found->survey.size = lone_height(&found->survey, v);
    found->survey.slope = usual_slope(found, v);
    if (!pl_bow_find(found, BOW_PAGE))
        return false;
    if (found->survey.bowed)
        found->survey.slope = usual_slope(found, v);
    return true;
}
