/* Initials: the big letters, several rows high, with which a chapter starts. An initial stands
 * before its first row, reaches down to the foot of another, and below it the rows begin where it
 * does. It becomes a line of its own, level with its first row; recognition joins the two. */
#include <math.h>

#include "detect/layout.h"

/* Height in sizes, width and ink in those of its box. */
#define MIN_HEIGHT 2.2
#define MAX_HEIGHT 16.0
#define MAX_ASPECT 1.7
#define MIN_INK 0.08
#define MAX_INK 0.85
/* In sizes: the gap to its rows, how far its top and foot are from those of the rows, how far below
 * it the next row is and how far from its left edge that begins. */
#define MAX_GAP 1.6
#define MAX_OFF 0.8
#define NEXT_ROW 4.5
#define MAX_INDENT 1.5

static bool may_be_initial(const struct pl_layout *l, const struct pl_blob *b)
{
    double w = pl_rect_width(b->box), h = pl_rect_height(b->box);
    bool ink = b->kind == PL_BLOB_TEXT || b->kind == PL_BLOB_GRAPHIC;
    return ink && b->group < 0 && h >= MIN_HEIGHT * l->size && h <= MAX_HEIGHT * l->size &&
           w <= MAX_ASPECT * h && b->ink_px >= MIN_INK * w * h &&
           (b->ink_px <= MAX_INK * w * h || w < 0.3 * h);
}

/* The row that starts right of the letter, level with its top; NULL where there is none, or none
 * level with its foot, or none below it. */
static const struct pl_group *first_row(const struct pl_layout *l, struct pl_rect box)
{
    const struct pl_group *ret = NULL;
    bool foot = false, next = false;
    for (uint32_t i = 0; i < l->n_groups; i++) {
        const struct pl_group *g = &l->groups[i];
        double size = g->fit.size, gap = g->box.x0 - box.x1, y = pl_fit_y(&g->fit, g->box.x0);
        if (g->n < 3)
            continue;
        bool beside = gap > -0.3 * size && gap < MAX_GAP * size;
        if (beside && fabs(y - g->fit.ascent - box.y0) <= MAX_OFF * size)
            ret = g;
        else if (beside && fabs(y - box.y1) <= MAX_OFF * size)
            foot = true;
        next |= fabs((double)g->box.x0 - box.x0) <= MAX_INDENT * size && y > box.y1 + size &&
                y < box.y1 + NEXT_ROW * size;
    }
    return foot && next && pl_rect_height(box) >= MIN_HEIGHT * (ret ? ret->fit.size : l->size)
               ? ret
               : NULL;
}

/* Level with its row, and as high as it is. */
static struct pl_line initial_line(const struct pl_blob *letter, struct pl_rect *box,
                                   const struct pl_group *row)
{
    struct pl_line ret = pl_line_in_row(letter, box, row);
    ret.ascent_px = ret.base_y - box->y0;
    ret.descent_px = box->y1 - ret.base_y;
    ret.initial = true;
    return ret;
}

bool pl_initials_find(struct pl_layout *l)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->n_blobs; i++)
        n += may_be_initial(l, &l->blobs[i]);
    if (!n)
        return true;
    struct pl_rect *box = PL_LAYOUT_NEW(l, struct pl_rect, n);
    if (!box || !pl_others_reserve(l, n))
        return false;
    for (uint32_t i = 0; i < l->n_blobs; i++) {
        struct pl_blob *b = &l->blobs[i];
        const struct pl_group *row = may_be_initial(l, b) ? first_row(l, b->box) : NULL;
        if (!row)
            continue;
        *box = b->box;
        l->others[l->n_others++] = initial_line(b, box++, row);
        b->kind = PL_BLOB_INITIAL;
    }
    return true;
}
