/* Every ink pixel is in a line, a rule, a graphic, a speck, or unexplained. */
#include "detect/layout.h"
#include "detect/sort.h"

/* What is smaller, in sizes, is a speck; what is larger is no letter, and where it blackens less of
 * its box and is not larger than that, it may be writing: a signature, words of a logo. */
#define LEAST 0.4
#define LETTER 3.0
#define SOLID 0.7
#define MAX_HEIGHT 12.0
#define MAX_WIDTH 40.0

static enum {
    IN_LINE,
    RULE,
    GRAPHIC,
    WRITING, /* a graphic that is named */
    SPECK,
    UNEXPLAINED,
    N_CLASSES
} class_of(const struct pl_layout *l, const struct pl_blob *b)
{
    double h = pl_rect_height(b->box), w = pl_rect_width(b->box);
    if (b->group >= 0 || b->kind >= PL_BLOB_TURNED)
        return IN_LINE;
    if (b->kind == PL_BLOB_RULE)
        return RULE;
    if (h > LETTER * l->size || b->kind == PL_BLOB_GRAPHIC) {
        bool small = h <= MAX_HEIGHT * l->size && w <= MAX_WIDTH * l->size;
        return small && b->ink_px < SOLID * w * h ? WRITING : GRAPHIC;
    }
    if (b->kind == PL_BLOB_SPECK || PL_MAX(w, h) < LEAST * l->size)
        return SPECK;
    bool strokes = b->n_runs >= 3 * h && b->ink_px < SOLID * w * h;
    return PL_MIN(w, h) < 0.2 * PL_MAX(w, h) && !strokes ? RULE : UNEXPLAINED;
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
    h->v = PL_LAYOUT_NEW(l, struct heap, 2 * (size_t)l->n_blobs);
    return h->last && h->v;
}

static void heaps_add(struct heaps *h, struct pl_rect box, uint64_t ink_px)
{
    int row = (int)(0.5 * (box.y0 + box.y1) / h->pitch);
    for (int r = PL_MAX(row - 1, 0); r <= PL_MIN(row + 1, h->n_rows - 1); r++) {
        struct heap *heap = h->last[r] ? &h->v[h->last[r] - 1] : NULL;
        if (!heap || !continues(heap, box, MAX_GAP * h->pitch))
            continue;
        heap->box = pl_rect_union(heap->box, box);
        heap->ink_px += ink_px;
        h->last[row] = h->last[r];
        return;
    }
    h->v[h->n++] = (struct heap){box, ink_px};
    h->last[row] = h->n;
}

/* A part of a blob in a line that reaches so far out of the line's rows, in sizes, is not read. */
#define STICKS_OUT 0.8

/* Adds to the heaps (NULL: nowhere) what of a blob lies in rows y0..y1-1; returns its ink. */
static uint64_t add_rows(const struct pl_layout *l, struct heaps *h, const struct pl_blob *b,
                         int y0, int y1)
{
    struct pl_rect box = {b->box.x1, y0, b->box.x0, y1};
    uint64_t ink = 0;
    for (uint32_t i = b->first_run; i < b->first_run + b->n_runs; i++) {
        struct pl_run r = l->comps.runs[i];
        if (r.y < y0 || r.y >= y1)
            continue;
        ink += (uint64_t)(r.x1 - r.x0);
        box.x0 = PL_MIN(box.x0, r.x0);
        box.x1 = PL_MAX(box.x1, r.x1);
    }
    if (h)
        heaps_add(h, box, ink);
    return ink;
}

/* Ink of a blob above and below the rows of its line, where it reaches far out of them. */
static uint64_t add_outside(const struct pl_layout *l, struct heaps *h, const struct pl_blob *b)
{
    if (b->group < 0)
        return 0;
    const struct pl_fit *f = &l->groups[b->group].fit;
    double y = pl_fit_y(f, 0.5 * (b->box.x0 + b->box.x1)), out = STICKS_OUT * f->size;
    int top = (int)(y - f->ascent), bottom = (int)(y + f->descent) + 1;
    uint64_t ink = 0;
    if (b->box.y0 < top - out)
        ink += add_rows(l, h, b, b->box.y0, PL_MIN(top, b->box.y1));
    if (b->box.y1 > bottom + out)
        ink += add_rows(l, h, b, PL_MAX(bottom, b->box.y0), b->box.y1);
    return ink;
}

uint64_t pl_leftover_outside(const struct pl_layout *l, const struct pl_blob *b)
{
    return add_outside(l, NULL, b);
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
    uint64_t sum[N_CLASSES] = {[RULE] = l->erased_px, [GRAPHIC] = l->cut_px};
    uint64_t all = l->erased_px + l->cut_px;
    if (!heaps_init(l, &heaps))
        return false;
    for (uint32_t i = 0; i < l->n_blobs; i++) {
        const struct pl_blob *b = &l->blobs[i];
        int c = class_of(l, b);
        uint64_t outside = c == IN_LINE ? add_outside(l, &heaps, b) : 0;
        sum[c] += b->ink_px - outside;
        sum[GRAPHIC] += outside;
        all += b->ink_px;
        if (c == UNEXPLAINED || c == WRITING)
            heaps_add(&heaps, b->box, b->ink_px);
    }
    if (!name_heaps(l, &heaps, ret))
        return false;
    ret->ink_px = all;
    ret->ink_in_lines_px = sum[IN_LINE];
    ret->rules_px = sum[RULE];
    ret->graphics_px = sum[GRAPHIC] + sum[WRITING];
    ret->specks_px = sum[SPECK];
    ret->unexplained_px = sum[UNEXPLAINED];
    ret->text_height_px = median_xheight(l);
    return !l->status;
}
