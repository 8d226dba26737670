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

static int height_class(int height_px)
{
    return PL_MIN((int)(HEIGHT_CLASSES * log2(height_px)), N_CLASSES - 1);
}

/* Returns the mean height in a class and its neighbours, in px; 0 where nothing has weight. */
static double mean_around(const double *w, int class)
{
    const double weight = weight_around(w, class);
    double sum = 0;
    for (int i = PL_MAX(class - HEIGHT_SPREAD, 0);
         i <= PL_MIN(class + HEIGHT_SPREAD, N_CLASSES - 1); i++)
        sum += w[i] * exp2((i + 0.5) / HEIGHT_CLASSES);
    return weight > 0 ? sum / weight : 0;
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
    double by_height[N_CLASSES] = {0}, by_root[N_CLASSES] = {0};
    for (uint32_t i = 0; i < found->survey.n_blobs; i++) {
        const struct pl_blob *b = &found->survey.blobs[i];
        int h = pl_rect_height(b->box);
        if (b->group < 0 || found->groups[b->group].n < ROW_GLYPHS)
            continue;
        const int class = height_class(h);
        by_height[class] += h;
        by_root[class] += pl_blob_is_dot(b) ? 0 : sqrt(h);
    }
    int best = heaviest(by_height, N_CLASSES);
    int far_smaller =
        heaviest(by_root, PL_MAX(best - (int)(HEIGHT_CLASSES * log2(POSTER_RATIO)), 1));
    if (weight_around(by_root, far_smaller) > weight_around(by_root, best))
        best = far_smaller;
    return mean_around(by_height, best);
}

/* Returns the height of most ink but circles among blobs from `least` to `most` px high; 0
 * where there are none. What covers half of the page is its ground. */
static double lone_height(const struct pl_survey *survey, int least, int most)
{
    double by_ink[N_CLASSES] = {0};
    for (uint32_t i = 0; i < survey->n_blobs; i++) {
        const double ink = (double)survey->blobs[i].ink_px;
        const int h = pl_rect_height(survey->blobs[i].box);
        if (survey->blobs[i].kind != PL_BLOB_CIRCLE && h >= least && h <= most &&
            2 * ink < (double)survey->width * survey->height)
            by_ink[height_class(h)] += ink;
    }
    return mean_around(by_ink, heaviest(by_ink, N_CLASSES));
}

/* Of a page without chains: of letters that are no dust and no pictures, as far as there are any; a
 * single one may fill the page. */
static double height_without_chains(const struct pl_survey *survey)
{
    const double usual = lone_height(survey, LONE_LEAST_PX, survey->max_height);
    return usual > 0 ? usual : lone_height(survey, survey->min_height, survey->height);
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
        found->survey.size = height_without_chains(&found->survey);
    found->survey.slope = usual_slope(found, v);
    if (!pl_bow_find(found, BOW_PAGE))
        return false;
    if (found->survey.bowed)
        found->survey.slope = usual_slope(found, v);
    return true;
}
