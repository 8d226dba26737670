/* SPDX-License-Identifier: BSD-2-Clause */
/* Initials: the big letters, several rows high, with which a chapter starts. An initial stands
 * before its first row, reaches down to the foot of another, and below it the rows begin where it
 * does. It becomes a line of its own, level with its first row; layout joins the two. */
#include <math.h>

#include "detect/ink/ink_steps.h"
#include "detect/strays/strays.h"
#include "detect/strays/stray_tuning.def"
#include "detect/ink/ink_tuning.def"

static bool may_be_initial(const struct pl_survey *survey, const struct pl_blob *b)
{
    double w = pl_rect_width(b->box), h = pl_rect_height(b->box);
    bool ink = b->kind == PL_BLOB_TEXT || b->kind == PL_BLOB_GRAPHIC;
    return ink && b->group < 0 && h >= INITIAL_MIN_HEIGHT * survey->size &&
           h <= INITIAL_MAX_HEIGHT * survey->size && w <= INITIAL_MAX_ASPECT * h &&
           b->ink_px >= INITIAL_MIN_INK * w * h &&
           (b->ink_px <= INITIAL_MAX_INK * w * h || w < INITIAL_I * h);
}

/* Returns the box together with the serifs of the letter in rows y0..y1-1: long thin ones were
 * taken out as rules. Strokes that reach farther than SERIF_REACH are rules beside the letter. */
static struct pl_rect with_serifs(const struct pl_survey *survey, struct pl_rect box, int y0,
                                  int y1)
{
    int reach = (int)(SERIF_REACH * pl_rect_height(box)), left = PL_MAX(box.x0 - reach, 0),
        right = PL_MIN(box.x1 + reach, survey->width);
    struct pl_rect ret = box;
    for (int y = PL_MAX(y0, 0); y < PL_MIN(y1, survey->floors.height); y++) {
        int x0 = box.x0, x1 = box.x1;
        while (x0 > left && pl_bits_ink(&survey->floors, x0 - 1, y))
            x0--;
        while (x1 < right && pl_bits_ink(&survey->floors, x1, y))
            x1++;
        if ((x0 < box.x0 || x1 > box.x1) && x0 > left && x1 < right)
            ret = pl_rect_union(ret, (struct pl_rect){x0, y, x1, y + 1});
    }
    return ret;
}

/* Returns the box of the letter with the serifs at its head and its foot. */
static struct pl_rect whole(const struct pl_survey *survey, struct pl_rect box)
{
    int thick = (int)(SERIF_THICKNESS * survey->size) + 1;
    struct pl_rect head = with_serifs(survey, box, box.y0 - thick, box.y0 + thick),
                   foot = with_serifs(survey, box, box.y1 - thick, box.y1 + thick);
    return pl_rect_union(head, foot);
}

/* Returns the row that starts right of the letter, level with its top; NULL where there is none, or
 * no row level with its foot, or none below it. */
static const struct pl_group *first_row(const struct pl_found *found, struct pl_rect box)
{
    const struct pl_group *ret = NULL;
    bool foot = false, next = false;
    for (uint32_t i = 0; i < found->n_groups; i++) {
        const struct pl_group *g = &found->groups[i];
        double size = g->fit.size, gap = g->box.x0 - box.x1, y = pl_fit_y(&g->fit, g->box.x0);
        if (g->n < ROW_GLYPHS)
            continue;
        bool beside = gap > -INITIAL_OVERLAP * size && gap < INITIAL_MAX_GAP * size;
        if (beside && fabs(y - g->fit.ascent - box.y0) <= INITIAL_MAX_OFF * size)
            ret = g;
        else if (beside && fabs(y - box.y1) <= INITIAL_MAX_OFF * size)
            foot = true;
        next |= fabs((double)g->box.x0 - box.x0) <= INITIAL_MAX_INDENT * size &&
                y > box.y1 + size && y < box.y1 + INITIAL_NEXT_ROW * size;
    }
    return foot && next ? ret : NULL;
}

/* Returns the line of an initial, which is level with its row and as high as the letter. */
static struct pl_line initial_line(const struct pl_blob *letter, struct pl_rect *box,
                                   const struct pl_group *row)
{
    struct pl_line ret = pl_line_in_row(letter, box, row);
    ret.ascent_px = ret.base_y - box->y0;
    ret.descent_px = box->y1 - ret.base_y;
    ret.initial = true;
    return ret;
}

bool pl_initials_find(struct pl_found *found)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < found->survey.n_blobs; i++)
        n += may_be_initial(&found->survey, &found->survey.blobs[i]);
    if (!n)
        return true;
    struct pl_rect *box = PL_SURVEY_NEW(&found->survey, struct pl_rect, n);
    if (!box || !pl_others_reserve(found, n))
        return false;
    for (uint32_t i = 0; i < found->survey.n_blobs; i++) {
        struct pl_blob *b = &found->survey.blobs[i];
        if (!may_be_initial(&found->survey, b))
            continue;
        *box = whole(&found->survey, b->box);
        const struct pl_group *row = first_row(found, *box);
        if (!row)
            continue;
        found->others[found->n_others++] = initial_line(b, box++, row);
        b->kind = PL_BLOB_INITIAL;
    }
    return true;
}
