/* SPDX-License-Identifier: BSD-2-Clause */
/* Accounts for every ink pixel: it is in a line, a rule, a graphic or a speck, or unexplained. */
#include <math.h>
#include <string.h>

#include "detect/ink/ink_steps.h"
#include "detect/obstacles/obstacles.h"
#include "detect/ink/sort.h"
#include "detect/obstacles/obstacle_tuning.def"
#include "detect/ink/ink_tuning.def"

static enum {
    IN_LINE,
    RULE,
    GRAPHIC,
    WRITING, /* a graphic that is named */
    SPECK,
    MARK, /* a speck that is named */
    UNEXPLAINED,
    N_CLASSES
} class_of(const struct pl_survey *survey, const struct pl_blob *b)
{
    double h = pl_rect_height(b->box), w = pl_rect_width(b->box);
    if (b->group >= 0 || b->kind >= PL_BLOB_TURNED)
        return IN_LINE;
    if (b->kind == PL_BLOB_RULE || pl_is_rule_edge(survey, b))
        return RULE;
    if (b->kind == PL_BLOB_MARK)
        return MARK;
    if (b->kind == PL_BLOB_CIRCLE)
        return GRAPHIC;
    if (h > LEFT_LETTER * survey->size || b->kind == PL_BLOB_GRAPHIC) {
        bool small = h <= WRITING_HEIGHT * survey->size && w <= WRITING_WIDTH * survey->size;
        return small && b->ink_px < WRITING_INK * w * h ? WRITING : GRAPHIC;
    }
    if (b->kind == PL_BLOB_SPECK || PL_MAX(w, h) < LEFT_SPECK * survey->size)
        return SPECK;
    bool strokes = b->n_runs >= LEFT_STROKES * h && b->ink_px < WRITING_INK * w * h;
    return PL_MIN(w, h) < LEFT_SLENDER * PL_MAX(w, h) && !strokes ? RULE : UNEXPLAINED;
}

/* Returns whether a box lies beside the sheet: there is no text. */
static bool is_around(const struct pl_survey *survey, struct pl_rect box)
{
    return survey->page && pl_around_holds(survey->page, box);
}

/* Pieces of what is left over that lie beside each other in one row: they are named by one box. */
struct heap {
    struct pl_rect box;
    uint64_t ink_px;
};

/* Returns whether box r lies beside the heap, in its row. */
static bool continues(const struct heap *h, struct pl_rect r, double gap)
{
    int rows = PL_MIN(h->box.y1, r.y1) - PL_MAX(h->box.y0, r.y0);
    return r.x0 - h->box.x1 <= gap && 2 * rows >= PL_MIN(pl_rect_height(h->box), pl_rect_height(r));
}

/* All heaps, made from left to right. For each row of the page the last heap that lies there is
 * known. */
struct heaps {
    struct heap *v;
    uint32_t n;
    uint32_t *last; /* of a row, + 1; 0 = none */
    double pitch;   /* of the rows */
    int n_rows;
};

static bool heaps_init(struct pl_survey *survey, struct heaps *h)
{
    h->pitch = PL_MAX(survey->size, MIN_CELL_PX);
    h->n_rows = (int)(survey->height / h->pitch) + 1;
    h->last = PL_SURVEY_NEW(survey, uint32_t, (size_t)h->n_rows);
    h->v = PL_SURVEY_NEW(survey, struct heap, 2 * (size_t)survey->n_blobs);
    return h->last && h->v;
}

/* Adds a box to the heap beside which it lies, or as a new heap. */
static void heaps_add(struct heaps *h, struct pl_rect box, uint64_t ink_px)
{
    int row = (int)(0.5 * (box.y0 + box.y1) / h->pitch);
    for (int r = PL_MAX(row - 1, 0); r <= PL_MIN(row + 1, h->n_rows - 1); r++) {
        struct heap *heap = h->last[r] ? &h->v[h->last[r] - 1] : NULL;
        if (!heap || !continues(heap, box, HEAP_GAP * h->pitch))
            continue;
        heap->box = pl_rect_union(heap->box, box);
        heap->ink_px += ink_px;
        h->last[row] = h->last[r];
        return;
    }
    h->v[h->n++] = (struct heap){box, ink_px};
    h->last[row] = h->n;
}

/* Returns how many blobs of a row stand on one foot and are wider than bars, as letters do: pieces
 * of a signature do not. v[] has room for the row. */
static uint32_t count_letters(const struct pl_found *rows, const struct pl_group *g, double *v)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->n; i++)
        v[i] = pl_group_blob(rows, g, i)->box.y1;
    const double foot = pl_median(v, g->n);
    for (uint32_t i = 0; i < g->n; i++) {
        const struct pl_rect r = pl_group_blob(rows, g, i)->box;
        const double h = pl_rect_height(r);
        const bool on_foot = fabs(r.y1 - foot) <= PL_MAX(LARGE_LEVEL * h, 1);
        n += on_foot && pl_rect_width(r) >= LARGE_NARROW * h;
    }
    return n;
}

/* Names the rows of `least_glyphs` letters and more, of heights from `least` to `most` px, that are
 * in no line, one heap each, and marks their blobs in left[]. Returns false when memory is short.
 */
static bool name_rows(struct pl_found *found, double least, double most, uint32_t least_glyphs,
                      struct heaps *h, bool *left, size_t *letters)
{
    struct pl_found rows;
    uint32_t *from;
    double *v = PL_SURVEY_NEW(&found->survey, double, found->survey.n_blobs);
    if (!v || !pl_rows_between(found, least, most, true, &rows, &from))
        return false;
    for (uint32_t i = 0; i < rows.n_groups; i++) {
        const struct pl_group *g = &rows.groups[i];
        const uint32_t n = count_letters(&rows, g, v);
        struct heap heap = {g->box, 0};
        if (n < least_glyphs || 2 * n < g->n || is_around(&found->survey, g->box))
            continue;
        for (uint32_t k = 0; k < g->n; k++) {
            heap.ink_px += pl_group_blob(&rows, g, k)->ink_px;
            left[from[rows.members[g->first + k]]] = true;
        }
        h->v[h->n++] = heap;
        *letters += g->n;
    }
    return true;
}

/* Finds the rows of letters in no line that are so much larger or smaller than the text that one by
 * one they are graphics and specks. Gives which blobs are in them. */
static bool *left_rows(struct pl_found *found, struct heaps *h, size_t *ret_letters)
{
    const struct pl_survey *survey = &found->survey;
    bool *left = PL_SURVEY_NEW(&found->survey, bool, survey->n_blobs);
    *ret_letters = 0;
    if (!left ||
        !name_rows(found, LEFT_LETTER * survey->size, survey->height, ROW_GLYPHS, h, left,
                   ret_letters) ||
        !name_rows(found, survey->min_height, LEFT_SPECK * survey->size, LEFT_ROW, h, left,
                   ret_letters))
        return NULL;
    return left;
}

/* Returns the ink of a blob in rows y0..y1-1. The part of it that no line's box covers is added to
 * the heaps if it is at least `least` px high; h may be NULL. */
static uint64_t add_rows(const struct pl_survey *survey, const struct pl_bits *covered,
                         struct heaps *h, const struct pl_blob *b, int y0, int y1, double least)
{
    struct pl_rect bare = {b->box.x1, y1, b->box.x0, y0};
    uint64_t ink = 0, bare_px = 0;
    for (uint32_t i = b->first_run; i < b->first_run + b->n_runs; i++) {
        struct pl_run r = survey->comps.runs[i];
        if (r.y < y0 || r.y >= y1)
            continue;
        ink += (uint64_t)(r.x1 - r.x0);
        for (int x = r.x0; h && x < r.x1; x++)
            if (!pl_bits_ink(covered, x, r.y)) {
                bare_px++;
                bare = (struct pl_rect){PL_MIN(bare.x0, x), PL_MIN(bare.y0, r.y),
                                        PL_MAX(bare.x1, x + 1), PL_MAX(bare.y1, r.y + 1)};
            }
    }
    if (bare_px && pl_rect_height(bare) >= least)
        heaps_add(h, bare, bare_px);
    return ink;
}

/* Returns the ink of a blob above and below the rows of its line, where it reaches far out of them,
 * and adds it to the heaps as add_rows() does. */
static uint64_t add_outside(const struct pl_found *found, const struct pl_bits *covered,
                            struct heaps *h, const struct pl_blob *b)
{
    if (b->group < 0)
        return 0;
    const struct pl_fit *f = &found->groups[b->group].fit;
    if (pl_rect_height(b->box) < f->ascent)
        return 0; /* small type may stand deep */
    double y = pl_fit_y(f, 0.5 * (b->box.x0 + b->box.x1)),
           least = STICKS_OUT * PL_MIN(f->size, found->survey.size);
    int top = (int)(y - f->ascent), bottom = (int)(y + f->descent) + 1;
    uint64_t ink = 0;
    if (top - b->box.y0 >= least)
        ink += add_rows(&found->survey, covered, h, b, b->box.y0, PL_MIN(top, b->box.y1), least);
    if (b->box.y1 - bottom >= least)
        ink += add_rows(&found->survey, covered, h, b, PL_MAX(bottom, b->box.y0), b->box.y1, least);
    return ink;
}

uint64_t pl_leftover_outside(const struct pl_found *found, const struct pl_blob *b)
{
    return add_outside(found, NULL, NULL, b);
}

/* Returns whether a dot or dash that is too small to be told from dirt is level with a row of
 * letters near it, and so may be of that row. */
static bool may_be_mark(const struct pl_found *found, const struct pl_grid *rows,
                        const struct pl_bits *covered, const struct pl_blob *b)
{
    int w = pl_rect_width(b->box), h = pl_rect_height(b->box);
    double x = 0.5 * (b->box.x0 + b->box.x1), y = 0.5 * (b->box.y0 + b->box.y1);
    const uint32_t *item;
    if (pl_bits_ink(covered, (int)x, (int)y))
        return false;
    for (uint32_t i = pl_grid_at(rows, x, y, &item); i-- > 0;) {
        const struct pl_group *g = &found->groups[item[i]];
        double up = pl_fit_y(&g->fit, x) - y, size = g->fit.size;
        double gap = PL_MAX(g->box.x0 - b->box.x1, b->box.x0 - g->box.x1);
        if (PL_MAX(w, h) >= MARK_SIDE * size && gap <= MARK_BESIDE * size &&
            up <= MARK_HIGHEST * g->fit.xheight && up >= -MARK_LOWEST * size)
            return true;
    }
    return false;
}

/* Gives the pixels that the boxes of lines cover. */
static platen_status cover(struct pl_survey *survey, const struct pl_regions *r,
                           struct pl_bits *ret, struct platen_error *err)
{
    uint8_t *full = PL_SURVEY_NEW(survey, uint8_t, (size_t)survey->width / 8 + 1);
    platen_status s = full ? pl_bits_blank(survey->env, survey->width, survey->height, ret, err)
                           : pl_survey_nomem(survey, err);
    if (s)
        return s;
    memset(full, 0xff, (size_t)survey->width / 8 + 1);
    for (size_t i = 0; i < r->n_blocks; i++)
        for (size_t j = 0; j < r->blocks[i].n_lines; j++) {
            struct pl_rect box = pl_line_page_box(r, &r->blocks[i].lines[j]);
            for (int y = PL_MAX(box.y0, 0); y < PL_MIN(box.y1, survey->height); y++)
                pl_bits_copy(pl_bits_row(ret, y), full, PL_MAX(box.x0, 0),
                             PL_MIN(box.x1, survey->width));
        }
    return PLATEN_OK;
}

/* Names the heaps with the most ink in ret->unexplained. Returns false when memory is short. */
static bool name_heaps(struct pl_survey *survey, const struct heaps *h, struct pl_regions *ret)
{
    struct pl_rect *boxes = PL_SURVEY_NEW(survey, struct pl_rect, PL_MAX_UNEXPLAINED);
    double *key = PL_SURVEY_NEW(survey, double, h->n);
    uint32_t *index = PL_SURVEY_NEW(survey, uint32_t, h->n);
    if (!boxes || !key || !index)
        return false;
    for (uint32_t i = 0; i < h->n; i++) {
        index[i] = i;
        key[i] = -(double)h->v[i].ink_px;
    }
    pl_sort_by_key(index, h->n, key);
    ret->n_unexplained = PL_MIN(h->n, PL_MAX_UNEXPLAINED);
    for (size_t i = 0; i < ret->n_unexplained; i++)
        boxes[i] = h->v[index[i]].box;
    ret->unexplained = boxes;
    return true;
}

static bool median_xheight(struct pl_found *found, double *ret)
{
    double *v = PL_SURVEY_NEW(&found->survey, double, found->n_groups);
    if (!v)
        return false;
    for (uint32_t i = 0; i < found->n_groups; i++)
        v[i] = found->groups[i].fit.xheight;
    *ret = pl_median(v, found->n_groups);
    return true;
}

platen_status pl_leftover_account(struct pl_found *found, struct pl_regions *ret,
                                  struct platen_error *err)
{
    pl_auto_bits covered = {0};
    struct heaps heaps = {0};
    struct pl_grid rows;
    const bool *left;
    uint64_t sum[N_CLASSES] = {[RULE] = found->survey.erased_px, [GRAPHIC] = found->survey.cut_px};
    uint64_t all = found->survey.erased_px + found->survey.cut_px;
    platen_status s = cover(&found->survey, ret, &covered, err);
    if (s)
        return s;
    if (!heaps_init(&found->survey, &heaps) ||
        !pl_grid_build(found, MARK_BAND_UP, MARK_LOWEST, MARK_BESIDE, &rows) ||
        !(left = left_rows(found, &heaps, &ret->letters_left)))
        return pl_survey_nomem(&found->survey, err);
    for (uint32_t i = 0; i < found->survey.n_blobs; i++) {
        const struct pl_blob *b = &found->survey.blobs[i];
        int c = left[i] ? (int)UNEXPLAINED : (int)class_of(&found->survey, b);
        if (c >= WRITING && is_around(&found->survey, b->box))
            c = GRAPHIC;
        if (c == SPECK && may_be_mark(found, &rows, &covered, b))
            c = MARK;
        uint64_t outside = c == IN_LINE ? add_outside(found, &covered, &heaps, b) : 0;
        sum[c] += b->ink_px - outside;
        sum[GRAPHIC] += outside;
        all += b->ink_px;
        ret->letters += c == IN_LINE;
        if ((c == UNEXPLAINED && !left[i]) || c == WRITING || c == MARK)
            heaps_add(&heaps, b->box, b->ink_px);
    }
    if (!name_heaps(&found->survey, &heaps, ret) || !median_xheight(found, &ret->text_height_px))
        return pl_survey_nomem(&found->survey, err);
    ret->ink_px = all;
    ret->ink_in_lines_px = sum[IN_LINE];
    ret->rules_px = sum[RULE];
    ret->graphics_px = sum[GRAPHIC] + sum[WRITING];
    ret->specks_px = sum[SPECK] + sum[MARK];
    ret->unexplained_px = sum[UNEXPLAINED];
    return PLATEN_OK;
}
