/* SPDX-License-Identifier: BSD-2-Clause */
/* Leaders: the rows of dots that take the eye from a title to its number, or that are to be written
 * on. They guide like a rule and are taken for one: as blobs of text, those at the ends would be
 * taken for full stops of what stands beside them. */
#include <math.h>
#include <stdlib.h>

#include "detect/ink/ink_steps.h"
#include "detect/obstacles/obstacles.h"
#include "detect/obstacles/obstacle_tuning.def"

struct dots {
    const struct pl_blob *blobs;
    struct pl_rows rows;
    uint32_t *id; /* blob of each item of rows */
    int *step_px; /* of each item: of the last leader in which it lies, to its end; 0 = in none */
    uint32_t n;
    double size;
};

static bool is_dot(const struct pl_blob *b, double size)
{
    int w = pl_rect_width(b->box), h = pl_rect_height(b->box);
    return b->kind <= PL_BLOB_SPECK && PL_MAX(w, h) <= LEADER_DOT * size &&
           w <= LEADER_DOT_ASPECT * h && h <= LEADER_DOT_ASPECT * w;
}

static bool dots_find(struct pl_survey *survey, struct dots *ret)
{
    struct dots d = {.blobs = survey->blobs, .size = survey->size};
    double *y = PL_SURVEY_NEW(survey, double, survey->n_blobs);
    d.id = PL_SURVEY_NEW(survey, uint32_t, survey->n_blobs);
    d.step_px = PL_SURVEY_NEW(survey, int, survey->n_blobs);
    if (!y || !d.id || !d.step_px)
        return false;
    for (uint32_t i = 0; i < survey->n_blobs; i++)
        if (is_dot(&survey->blobs[i], survey->size)) {
            y[d.n] = 0.5 * (survey->blobs[i].box.y0 + survey->blobs[i].box.y1);
            d.step_px[d.n] = 0;
            d.id[d.n++] = i;
        }
    *ret = d;
    return pl_rows_build(survey, y, d.n, LEADER_PITCH * survey->size, &ret->rows);
}

/* Returns the first position in d->rows.item, within row `row`, whose dot starts at x or later. */
static uint32_t lower_bound(const struct dots *d, uint32_t row, int x)
{
    uint32_t lo = d->rows.first[row], hi = d->rows.first[row + 1];
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (d->blobs[d->id[d->rows.item[mid]]].box.x0 < x)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Returns whether two dots are of one height and level with each other. */
static bool alike(const struct pl_blob *a, const struct pl_blob *b, double size)
{
    double slack = PL_MAX(LEADER_LEVEL * size, 1);
    return abs(a->box.y0 - b->box.y0) <= slack && abs(a->box.y1 - b->box.y1) <= slack;
}

/* Returns the item of the dot that follows item i, `step` px behind it or, with step = 0, at any
 * step; d->n when there is none. Of several it is the first of the page's blobs, which are sorted
 * from left to right. */
static uint32_t next_dot(const struct dots *d, uint32_t i, double step)
{
    const struct pl_blob *a = &d->blobs[d->id[i]];
    double y = 0.5 * (a->box.y0 + a->box.y1), reach = LEADER_LEVEL * d->size + 1;
    double slack = PL_MAX(STEP_SPREAD * step, STEP_SPREAD_PX);
    double least = step > 0 ? step - slack : pl_rect_width(a->box) + 1;
    double most = step > 0 ? step + slack : LEADER_STEP * d->size;
    uint32_t best = d->n, last = pl_rows_of(&d->rows, y + reach);
    for (uint32_t row = pl_rows_of(&d->rows, y - reach); row <= last; row++)
        for (uint32_t p = lower_bound(d, row, a->box.x0 + (int)ceil(least));
             p < d->rows.first[row + 1]; p++) {
            uint32_t j = d->rows.item[p];
            const struct pl_blob *b = &d->blobs[d->id[j]];
            if (b->box.x0 > a->box.x0 + most || (best < d->n && j > best))
                break;
            if (alike(a, b, d->size))
                best = j;
        }
    return best;
}

/* Returns how many dots, up to `most`, follow each other in even steps from item i on. */
static uint32_t count_dots(const struct dots *d, uint32_t i, int step, uint32_t most)
{
    uint32_t n = 0;
    for (; i < d->n && n < most; i = next_dot(d, i, step))
        n++;
    return n;
}

/* Marks the dots that follow each other in such steps, up to where that was done before: in a
 * halftone picture a row of dots leads to the row above it from each of them. */
static void mark_dots(const struct dots *d, uint32_t i, int step)
{
    for (; i < d->n && d->step_px[i] != step; i = next_dot(d, i, step))
        d->step_px[i] = step;
}

/* Returns whether a letter ends right before dot number i of the page's blobs. */
static bool ends_sentence(const struct pl_survey *survey, uint32_t i, double step)
{
    struct pl_rect dot = survey->blobs[i].box;
    if (step < WIDE_STEP * survey->size)
        return false;
    for (uint32_t j = i;
         j-- > 0 && survey->blobs[j].box.x0 >= dot.x0 - LEADER_STEP * survey->size;) {
        struct pl_rect b = survey->blobs[j].box;
        if (b.x1 <= dot.x0 && dot.x0 - b.x1 < FULL_STOP_GAP * step && b.y0 < dot.y0 &&
            b.y1 > dot.y0 && pl_rect_height(b) > LEADER_DOT * survey->size)
            return true;
    }
    return false;
}

/* Marks the leader that starts with item i, if there is one. */
static void mark_leader(const struct pl_survey *survey, const struct dots *d, uint32_t i)
{
    uint32_t next = next_dot(d, i, 0);
    if (next == d->n)
        return;
    const int step = d->blobs[d->id[next]].box.x0 - d->blobs[d->id[i]].box.x0;
    const bool close = step < NEEDLE_STEP * pl_rect_width(d->blobs[d->id[i]].box);
    const uint32_t least = close ? LEADER_NEEDLES : LEADER_DOTS;
    if (count_dots(d, i, step, least) == least)
        mark_dots(d, ends_sentence(survey, d->id[i], step) ? next : i, step);
}

bool pl_leaders_drop(struct pl_survey *survey)
{
    struct dots d;
    if (!dots_find(survey, &d))
        return false;
    for (uint32_t i = 0; i < d.n; i++)
        if (!d.step_px[i])
            mark_leader(survey, &d, i);
    for (uint32_t i = 0; i < d.n; i++)
        if (d.step_px[i])
            survey->blobs[d.id[i]].kind = PL_BLOB_RULE;
    return true;
}
