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

/* What is left over in one row, piece by piece beside each other: one box of it. */
struct heap {
    struct pl_rect box;
    uint64_t ink_px;
};

/* Gap inside a heap, in sizes. */
#define MAX_GAP 1.0

static bool continues(const struct heap *h, struct pl_rect r, double gap)
{
    int rows = PL_MIN(h->box.y1, r.y1) - PL_MAX(h->box.y0, r.y0);
    return r.x0 - h->box.x1 <= gap && 2 * rows >= PL_MIN(pl_rect_height(h->box), pl_rect_height(r));
}

/* Heaps from left to right. Of each row of the page the last one is known that lies there. */
struct heaps {
    struct heap *v;
    uint32_t n;
    uint32_t *last; /* of a row, + 1; 0 = none */
    double pitch;   /* of the rows */
    int n_rows;
};

static bool heaps_init(struct pl_layout *l, struct heaps *h)
{
    h->pitch = PL_MAX(l->size, 8.0);
    h->n_rows = (int)(l->height / h->pitch) + 1;
    h->last = PL_LAYOUT_NEW(l, uint32_t, (size_t)h->n_rows);
    h->v = PL_LAYOUT_NEW(l, struct heap, l->n_blobs);
    return h->last && h->v;
}

static void heaps_add(struct heaps *h, const struct pl_blob *b)
{
    int row = (int)(0.5 * (b->box.y0 + b->box.y1) / h->pitch);
    for (int r = PL_MAX(row - 1, 0); r <= PL_MIN(row + 1, h->n_rows - 1); r++) {
        struct heap *heap = h->last[r] ? &h->v[h->last[r] - 1] : NULL;
        if (!heap || !continues(heap, b->box, MAX_GAP * h->pitch))
            continue;
        heap->box = pl_rect_union(heap->box, b->box);
        heap->ink_px += b->ink_px;
        h->last[row] = h->last[r];
        return;
    }
    h->v[h->n++] = (struct heap){b->box, b->ink_px};
    h->last[row] = h->n;
}

/* The boxes of the heaps with the most ink. */
static bool name_heaps(struct pl_layout *l, const struct heaps *h, struct pl_regions *ret)
{
    struct pl_rect *boxes = PL_LAYOUT_NEW(l, struct pl_rect, PL_MAX_UNEXPLAINED);
    double *key = PL_LAYOUT_NEW(l, double, h->n);
    uint32_t *index = PL_LAYOUT_NEW(l, uint32_t, h->n);
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

static double median_xheight(struct pl_layout *l)
{
    double *v = PL_LAYOUT_NEW(l, double, l->n_groups);
    for (uint32_t i = 0; v && i < l->n_groups; i++)
        v[i] = l->groups[i].fit.xheight;
    return v ? pl_median(v, l->n_groups) : 0;
}

bool pl_leftover_account(struct pl_layout *l, struct pl_regions *ret)
{
    struct heaps heaps = {0};
    uint64_t sum[UNEXPLAINED + 1] = {[RULE] = l->erased_px}, all = l->erased_px;
    if (!heaps_init(l, &heaps))
        return false;
    for (uint32_t i = 0; i < l->n_blobs; i++) {
        const struct pl_blob *b = &l->blobs[i];
        int c = class_of(l, b);
        sum[c] += b->ink_px;
        all += b->ink_px;
        if (c == UNEXPLAINED)
            heaps_add(&heaps, b);
    }
    if (!name_heaps(l, &heaps, ret))
        return false;
    ret->ink_px = all;
    ret->ink_in_lines_px = sum[IN_LINE];
    ret->rules_px = sum[RULE];
    ret->graphics_px = sum[GRAPHIC];
    ret->specks_px = sum[SPECK];
    ret->unexplained_px = sum[UNEXPLAINED];
    ret->text_height_px = median_xheight(l);
    return !l->status;
}
