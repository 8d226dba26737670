/* SPDX-License-Identifier: BSD-2-Clause */
/* What touches rows of text: signatures, brackets, ringed words, letters that reach the next row.
 * Such ink is one component with letters of one row or several; it is cut along the rows, so that
 * each keeps its own. */
#include <math.h>

#include "detect/ink/ink_steps.h"
#include "detect/obstacles/obstacles.h"
#include "detect/obstacles/obstacle_tuning.def"
#include "detect/ink/ink_tuning.def"

/* Limit of cells: a component of TOUCH_MAX_WIDTH has fewer. */
#define N_CELLS 64

struct cutter {
    struct pl_survey *survey;
    const struct pl_bits *page;
};

static bool may_touch(const struct pl_found *found, const struct pl_blob *b)
{
    double w = pl_rect_width(b->box), h = pl_rect_height(b->box), size = found->survey.size;
    bool alone = b->group < 0 || found->groups[b->group].n < ROW_GLYPHS;
    return alone && (b->kind == PL_BLOB_TEXT || b->kind == PL_BLOB_GRAPHIC) &&
           h >= TOUCH_MIN_HEIGHT * size && h <= TOUCH_MAX_HEIGHT * size &&
           w <= TOUCH_MAX_WIDTH * size;
}

static bool is_row(const struct pl_survey *survey, const struct pl_group *g)
{
    return g->n >= ROW_GLYPHS && g->fit.size >= TOUCH_ROW_MIN * survey->size &&
           g->fit.size <= TOUCH_ROW_MAX * survey->size;
}

/* Returns whether the part of the component between the row's baseline and its x-height is made of
 * strokes as close to each other as those of letters. */
static bool has_letters(const struct pl_survey *survey, const struct pl_blob *b,
                        const struct pl_fit *f)
{
    double strokes[N_CELLS] = {0}, middle = pl_fit_y(f, 0.5 * (b->box.x0 + b->box.x1));
    double rows = floor(middle) - ceil(middle - f->xheight) + 1, cell = LETTER_CELL * f->size;
    int n = PL_MIN((int)(pl_rect_width(b->box) / cell) + 1, N_CELLS), filled = 0;
    for (uint32_t i = b->first_run; i < b->first_run + b->n_runs; i++) {
        struct pl_run r = survey->comps.runs[i];
        double x = 0.5 * (r.x0 + r.x1), base = pl_fit_y(f, x);
        if (r.y <= base && r.y >= base - f->xheight && r.x1 - r.x0 <= LETTER_STROKE * f->size)
            strokes[PL_MIN((int)((x - b->box.x0) / cell), n - 1)]++;
    }
    for (int i = 0; i < n; i++)
        filled += strokes[i] >= CELL_STROKES * rows;
    return filled >= LETTER_SHARE * n;
}

/* Erases the pixels of the component that lie on the line `up` px above the baseline. */
static void cut(struct cutter *c, const struct pl_blob *b, const struct pl_fit *f, double up)
{
    for (uint32_t i = b->first_run; i < b->first_run + b->n_runs; i++) {
        struct pl_run r = c->survey->comps.runs[i];
        for (int x = r.x0; x < r.x1; x++)
            if (fabs(pl_fit_y(f, x) - up - r.y) < 1) { /* no diagonal step joins the sides */
                c->survey->cut_px += pl_bits_ink(c->page, x, r.y);
                pl_bits_erase(c->page, x, r.y);
            }
    }
}

/* Cuts the component above and below the row, if it has letters of that row. */
static void cut_along(struct cutter *c, const struct pl_blob *b, const struct pl_group *g)
{
    const struct pl_fit *f = &g->fit;
    double base = pl_fit_y(f, 0.5 * (b->box.x0 + b->box.x1)), out = CUT_OUTSIDE * f->size;
    double gap = PL_MAX(g->box.x0 - b->box.x1, b->box.x0 - g->box.x1);
    if (gap > TOUCH_REACH * f->size || b->box.y0 > base - TOUCH_HIGH * f->xheight ||
        b->box.y1 < base - 1 || !has_letters(c->survey, b, f))
        return;
    if (b->box.y0 < base - f->ascent - out)
        cut(c, b, f, f->ascent + 1);
    if (b->box.y1 > base + f->descent + out)
        cut(c, b, f, -f->descent - 1);
}

bool pl_touching_cut(struct pl_found *found, struct pl_bits *page)
{
    struct cutter c = {.survey = &found->survey, .page = page};
    struct pl_rows rows;
    uint32_t *id, n = 0;
    double *y;
    if (!pl_chains_build(found) || !pl_fit_groups(found))
        return false;
    id = PL_SURVEY_NEW(&found->survey, uint32_t, found->n_groups);
    y = PL_SURVEY_NEW(&found->survey, double, found->n_groups);
    if (!id || !y)
        return false;
    for (uint32_t i = 0; i < found->n_groups; i++)
        if (is_row(&found->survey, &found->groups[i])) {
            y[n] = 0.5 * (found->groups[i].box.y0 + found->groups[i].box.y1);
            id[n++] = i;
        }
    if (!pl_rows_build(&found->survey, y, n, PL_MAX(found->survey.size, 1.0), &rows))
        return false;
    for (uint32_t i = 0; i < found->survey.n_blobs && n; i++) {
        const struct pl_blob *b = &found->survey.blobs[i];
        if (!may_touch(found, b))
            continue;
        uint32_t first = pl_rows_of(&rows, b->box.y0 - found->survey.size),
                 last = pl_rows_of(&rows, b->box.y1 + found->survey.size);
        for (uint32_t p = rows.first[first]; p < rows.first[last + 1]; p++)
            cut_along(&c, b, &found->groups[id[rows.item[p]]]);
    }
    return true;
}
