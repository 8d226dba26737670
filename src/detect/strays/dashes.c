/* SPDX-License-Identifier: BSD-2-Clause */
/* Dashes that stand alone, as in the empty cells of a table. Each becomes a line of its own, set
 * like the row of letters that is level with it, however far that is; where there is none, it is a
 * mark, which is named as left over. */
#include <math.h>

#include "detect/ink/ink_steps.h"
#include "detect/strays/strays.h"
#include "detect/strays/stray_tuning.def"
#include "detect/ink/ink_tuning.def"

static bool may_be_dash(const struct pl_survey *survey, const struct pl_blob *b)
{
    double w = pl_rect_width(b->box), h = pl_rect_height(b->box);
    return (b->kind == PL_BLOB_TEXT || b->kind == PL_BLOB_RULE) && b->group < 0 &&
           w >= DASH_MIN_WIDTH * survey->size && w <= DASH_MAX_WIDTH * survey->size &&
           h <= DASH_MAX_HEIGHT * survey->size && w >= DASH_MIN_ASPECT * h &&
           b->ink_px >= DASH_MIN_INK * w * h;
}

/* Returns whether nothing but specks lies around blob i; the blobs are sorted by their left edges.
 */
static bool is_alone(const struct pl_survey *survey, uint32_t i)
{
    struct pl_rect box = survey->blobs[i].box;
    int beside = (int)(DASH_FREE_BESIDE * survey->size),
        above = (int)(DASH_FREE_ABOVE * survey->size);
    box = (struct pl_rect){box.x0 - beside, box.y0 - above, box.x1 + beside, box.y1 + above};
    int far = box.x0 - 2 * beside;
    for (int step = -1; step <= 1; step += 2)
        for (int64_t j = (int64_t)i + step; j >= 0 && j < survey->n_blobs; j += step) {
            const struct pl_blob *b = &survey->blobs[j];
            if (b->box.x0 < far || b->box.x0 > box.x1)
                break;
            if (b->kind != PL_BLOB_SPECK && b->box.x1 > box.x0 && b->box.y0 < box.y1 &&
                b->box.y1 > box.y0)
                return false;
        }
    return true;
}

/* Returns the nearest row that is level with the box; NULL where there is none. */
static const struct pl_group *row_of(const struct pl_found *found, struct pl_rect box)
{
    const struct pl_group *ret = NULL;
    double x = 0.5 * (box.x0 + box.x1), y = 0.5 * (box.y0 + box.y1), best = 0;
    for (uint32_t i = 0; i < found->n_groups; i++) {
        const struct pl_group *g = &found->groups[i];
        double up = pl_fit_y(&g->fit, x) - y, far = PL_MAX(g->box.x0 - x, x - g->box.x1);
        if (g->n >= ROW_GLYPHS && up >= DASH_MIN_UP * g->fit.xheight &&
            up <= DASH_MAX_UP * g->fit.xheight && (!ret || far < best)) {
            ret = g;
            best = far;
        }
    }
    return ret;
}

bool pl_dashes_find(struct pl_found *found)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < found->survey.n_blobs; i++)
        n += may_be_dash(&found->survey, &found->survey.blobs[i]);
    if (!n)
        return true;
    struct pl_rect *box = PL_SURVEY_NEW(&found->survey, struct pl_rect, n);
    if (!box || !pl_others_reserve(found, n))
        return false;
    for (uint32_t i = 0; i < found->survey.n_blobs; i++) {
        struct pl_blob *b = &found->survey.blobs[i];
        if (!may_be_dash(&found->survey, b) || !is_alone(&found->survey, i))
            continue;
        const struct pl_group *row = row_of(found, b->box);
        b->kind = row ? PL_BLOB_DASH : PL_BLOB_MARK;
        if (!row)
            continue;
        *box = b->box;
        found->others[found->n_others++] = pl_line_in_row(b, box++, row);
    }
    return true;
}
