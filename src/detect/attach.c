#include <math.h>

#include "detect/layout.h"

/* A group that others are attached to. */
static bool is_host(const struct pl_layout *l, const struct pl_group *g)
{
    return g->n >= 3 && g->fit.size >= l->min_height;
}

/* Where the middle of a blob of this shape may lie above the baseline, in px: a letter or part of
 * one, a raised figure, a dash (level with small letters), or a dot or accent. */
static double highest_middle(double w, double h, const struct pl_fit *f)
{
    if (w > 2.5 * h)
        return 1.1 * f->xheight;
    if (PL_MAX(w, h) < 0.6 * f->size)
        return 1.9 * f->xheight;
    return (h <= 1.1 * f->size ? 1.6 : 1.3) * f->size;
}

/* Distance of the blob from the middle of the line's band in sizes; negative when it cannot be of
 * this line. */
static double attach_cost(const struct pl_blob *b, const struct pl_group *g)
{
    const struct pl_fit *f = &g->fit;
    double x = 0.5 * (b->box.x0 + b->box.x1), y = 0.5 * (b->box.y0 + b->box.y1);
    double base = pl_fit_y(f, x), h = pl_rect_height(b->box), w = pl_rect_width(b->box);
    double up = base - b->box.y0, down = b->box.y1 - base;
    double outside = PL_MAX(g->box.x0 - b->box.x1, b->box.x0 - g->box.x1);
    if (h > 2.4 * f->size || up > 2.3 * f->size || down > 1.1 * f->size || outside > f->size)
        return -1;
    if (w > 4 * f->size && h < 0.3 * f->size)
        return -1; /* a piece of a rule */
    if (y < base - highest_middle(w, h, f) || y > base + 0.4 * f->size)
        return -1;
    return fabs(y - (base - 0.5 * f->size)) / f->size + PL_MAX(outside, 0.0) / f->size;
}

/* The same of a dot right behind the foot of one or two glyphs, as in a numbered list. */
static double dot_cost(const struct pl_layout *l, const struct pl_blob *b, const struct pl_group *g)
{
    const double size = g->fit.size, gap = b->box.x0 - g->box.x1;
    const int extent = PL_MAX(pl_rect_width(b->box), pl_rect_height(b->box));
    if (g->n >= 3 || size < PL_MAX(l->min_height, 0.5 * l->size) || extent > 0.35 * size ||
        gap < 0 || gap > 0.7 * size || fabs(b->box.y1 - (double)g->box.y1) > 0.15 * size)
        return -1;
    return 2 + gap / size; /* a host goes before */
}

static int32_t best_host(const struct pl_layout *l, const struct pl_grid *grid,
                         const struct pl_blob *b, int32_t own)
{
    const uint32_t *item;
    double best = 0;
    int32_t ret = -1;
    uint32_t n =
        pl_grid_at(grid, 0.5 * (b->box.x0 + b->box.x1), 0.5 * (b->box.y0 + b->box.y1), &item);
    for (uint32_t p = 0; p < n; p++) {
        const struct pl_group *g = &l->groups[item[p]];
        double cost = (int32_t)item[p] == own ? -1
                      : is_host(l, g)         ? attach_cost(b, g)
                                              : dot_cost(l, b, g);
        if (cost >= 0 && (ret < 0 || cost < best)) {
            best = cost;
            ret = (int32_t)item[p];
        }
    }
    return ret;
}

bool pl_groups_attach(struct pl_layout *l)
{
    struct pl_grid grid;
    int32_t *to = PL_LAYOUT_NEW(l, int32_t, l->n_blobs);
    if (!to || !pl_grid_build(l, 2.0, 0.7, 1.2, &grid))
        return false;
    for (uint32_t i = 0; i < l->n_blobs; i++) {
        const struct pl_blob *b = &l->blobs[i];
        bool settled = b->group >= 0 && is_host(l, &l->groups[b->group]);
        to[i] = b->group;
        if (settled || (b->kind != PL_BLOB_TEXT && b->kind != PL_BLOB_SPECK))
            continue;
        int32_t host = best_host(l, &grid, b, b->group);
        if (host >= 0)
            to[i] = host;
    }
    for (uint32_t i = 0; i < l->n_blobs; i++)
        l->blobs[i].group = to[i];
    return pl_groups_rebuild(l, l->n_groups) && pl_fit_groups(l);
}
