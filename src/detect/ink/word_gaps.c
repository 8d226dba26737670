/* SPDX-License-Identifier: BSD-2-Clause */
/* A group as a line of the result tree: its words, by the gaps between its glyphs. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "detect/ink/ink_steps.h"
#include "detect/obstacles/obstacles.h"
#include "detect/ink/sort.h"
#include "detect/ink/ink_tuning.def"

/* Fills ret[] with the boxes of the group's blobs, those that overlap in x as one, from left to
 * right. Returns how many. */
static uint32_t join_overlaps(const struct pl_found *found, const struct pl_group *g,
                              struct pl_rect *ret)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        struct pl_rect r = found->survey.blobs[found->members[g->first + i]].box;
        if (n && r.x0 <= ret[n - 1].x1)
            ret[n - 1] = pl_rect_union(ret[n - 1], r);
        else
            ret[n++] = r;
    }
    return n;
}

/* Returns the width from which a gap parts words: the middle of the widest step in the sorted list
 * of gaps, where steps far from the usual width count less. `gaps` is scratch for n numbers. */
static double gap_threshold(const struct pl_rect *r, uint32_t n, double size, double *gaps)
{
    double best = 0, ret = USUAL_WORD_GAP * size;
    for (uint32_t i = 0; i + 1 < n; i++)
        gaps[i] = r[i + 1].x0 - r[i].x1;
    if (n < 2)
        return ret;
    uint32_t m = n - 1;
    pl_sort_doubles(gaps, m);
    for (uint32_t i = 0; i + 1 < m; i++) {
        double mid = 0.5 * (gaps[i] + PL_MIN(gaps[i + 1], WIDEST_GAP * size));
        double step =
            (gaps[i + 1] - gaps[i]) / (GAP_PULL * size + fabs(mid - USUAL_WORD_GAP * size));
        if (mid > MIN_WORD_GAP * size && mid < MAX_LETTER_GAP * size && step > best) {
            best = step;
            ret = mid;
        }
    }
    return ret;
}

/* Joins the boxes r[0..n) of letters to those of words. Returns how many words there are. */
static uint32_t join_letters(struct pl_rect *r, uint32_t n, double threshold)
{
    uint32_t words = n ? 1 : 0;
    for (uint32_t i = 1; i < n; i++)
        if (r[i].x0 - r[words - 1].x1 < threshold)
            r[words - 1] = pl_rect_union(r[words - 1], r[i]);
        else
            r[words++] = r[i];
    return words;
}

/* Returns the part of r between the ascent and the descent of the line, whose curve is NULL where
 * it is straight, rounded outward; all of it where it is lower than that: small type may stand
 * deep. */
static struct pl_rect clip(struct pl_rect r, const struct pl_fit *f, const struct pl_curve *curve)
{
    if (pl_rect_height(r) < f->ascent)
        return r;
    double least, most;
    pl_curve_range(curve, f->slope, r.x0, r.x1, &least, &most);
    int y0 = (int)floor(f->base + least - f->ascent), y1 = (int)ceil(f->base + most + f->descent);
    struct pl_rect c = {r.x0, PL_MAX(r.y0, y0), r.x1, PL_MIN(r.y1, y1)};
    return pl_rect_empty(c) ? r : c;
}

/* Returns the ink of the group, without that far out of its rows. */
static uint64_t ink_of(const struct pl_found *found, const struct pl_group *g)
{
    uint64_t ink = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        const struct pl_blob *b = &found->survey.blobs[found->members[g->first + i]];
        ink += b->ink_px - pl_leftover_outside(found, b);
    }
    return ink;
}

/* Returns the mean length of the runs of ink in a group, px. */
static double stroke_of(const struct pl_found *found, const struct pl_group *g)
{
    double ink = 0, runs = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        const struct pl_blob *b = pl_group_blob(found, g, i);
        ink += b->ink_px;
        runs += b->n_runs;
    }
    return runs > 0 ? ink / runs : 0;
}

bool pl_line_emit(struct pl_found *found, const struct pl_group *g, struct pl_line *ret)
{
    assert(g->n > 0);
    struct pl_rect *gaps = PL_SURVEY_NEW(&found->survey, struct pl_rect, g->n);
    double *scratch = PL_SURVEY_NEW(&found->survey, double, g->n);
    struct pl_curve *curve = NULL;
    if (!gaps || !scratch)
        return false;
    if (g->fit.bow) {
        curve = PL_SURVEY_NEW(&found->survey, struct pl_curve, 1);
        if (!curve)
            return false;
        *curve = pl_bow_row(g->fit.bow, g->fit.height);
    }
    uint32_t n = join_overlaps(found, g, gaps);
    n = join_letters(gaps, n, gap_threshold(gaps, n, g->fit.size, scratch));
    struct pl_rect box = clip(g->box, &g->fit, curve);
    for (uint32_t i = 0; i < n; i++) {
        gaps[i] = clip(gaps[i], &g->fit, curve);
        box = pl_rect_union(box, gaps[i]);
    }
    *ret = (struct pl_line){.box = box,
                            .base_y = g->fit.base + g->fit.slope * g->box.x0,
                            .slope = g->fit.slope,
                            .curve = curve,
                            .ascent_px = g->fit.ascent,
                            .descent_px = g->fit.descent,
                            .xheight_px = g->fit.xheight,
                            .glyph_px = g->fit.size,
                            .gaps = gaps,
                            .n_gaps = n,
                            .stroke_px = stroke_of(found, g),
                            .ink_px = ink_of(found, g)};
    return true;
}
