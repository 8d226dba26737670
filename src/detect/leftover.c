/* Every ink pixel is in a line, a rule, a graphic, a speck, or unexplained. */
#include "detect/layout.h"
#include "detect/sort.h"

static enum {
    IN_LINE,
    RULE,
    GRAPHIC,
    SPECK,
    UNEXPLAINED
} class_of(const struct pl_layout *l, const struct pl_blob *b)
{
    double h = pl_rect_height(b->box), w = pl_rect_width(b->box);
    if (b->group >= 0 || b->kind == PL_BLOB_TURNED || b->kind == PL_BLOB_INITIAL)
        return IN_LINE;
    if (b->kind == PL_BLOB_RULE)
        return RULE;
    if (b->kind == PL_BLOB_GRAPHIC || h > 3 * l->size)
        return GRAPHIC;
    if (b->kind == PL_BLOB_SPECK || PL_MAX(w, h) < 0.5 * l->size)
        return SPECK;
    return PL_MIN(w, h) < 0.2 * PL_MAX(w, h) ? RULE : UNEXPLAINED;
}

static double median_xheight(struct pl_layout *l)
{
    double *v = PL_LAYOUT_NEW(l, double, l->n_groups);
    for (uint32_t i = 0; v && i < l->n_groups; i++)
        v[i] = l->groups[i].fit.xheight;
    return v ? pl_median(v, l->n_groups) : 0;
}

bool pl_leftover_account(struct pl_layout *l, struct pl_regions *ret)
{
    struct pl_rect *boxes = PL_LAYOUT_NEW(l, struct pl_rect, PL_MAX_UNEXPLAINED);
    uint64_t sum[UNEXPLAINED + 1] = {[RULE] = l->erased_px}, all = l->erased_px;
    if (!boxes)
        return false;
    for (uint32_t i = 0; i < l->n_blobs; i++) {
        const struct pl_blob *b = &l->blobs[i];
        int c = class_of(l, b);
        sum[c] += b->ink_px;
        all += b->ink_px;
        if (c == UNEXPLAINED && ret->n_unexplained < PL_MAX_UNEXPLAINED)
            boxes[ret->n_unexplained++] = b->box;
    }
    ret->unexplained = boxes;
    ret->ink_px = all;
    ret->ink_in_lines_px = sum[IN_LINE];
    ret->rules_px = sum[RULE];
    ret->graphics_px = sum[GRAPHIC];
    ret->specks_px = sum[SPECK];
    ret->unexplained_px = sum[UNEXPLAINED];
    ret->text_height_px = median_xheight(l);
    return !l->status;
}
