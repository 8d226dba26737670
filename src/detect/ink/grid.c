/* SPDX-License-Identifier: BSD-2-Clause */
/* A grid of cells in which the groups near a place are looked up. */
#include <math.h>
#include <string.h>

#include "detect/ink/ink_steps.h"
#include "detect/ink/ink_tuning.def"

struct cell_span {
    int lo, hi; /* inclusive; empty when hi < lo */
};

static struct cell_span clamp_span(double lo, double hi, double cell, int n)
{
    return (struct cell_span){(int)PL_CLAMP(floor(lo / cell), 0.0, n - 1.0),
                              (int)PL_CLAMP(floor(hi / cell), 0.0, n - 1.0)};
}

/* Visits every cell that the band of group `o` crosses. With `item` = NULL counts the group there;
 * else puts its number `id` before those that were put, and counts down. */
static void enter(const struct pl_grid *g, const struct pl_group *o, uint32_t id, double up,
                  double down, double side, uint32_t *count, uint32_t *item)
{
    double s = o->fit.size;
    struct cell_span xs = clamp_span(o->box.x0 - side * s, o->box.x1 + side * s, g->cell, g->nx);
    for (int x = xs.lo; x <= xs.hi; x++) {
        double ya = pl_fit_y(&o->fit, x * g->cell), yb = pl_fit_y(&o->fit, (x + 1) * g->cell);
        struct cell_span ys =
            clamp_span(PL_MIN(ya, yb) - up * s, PL_MAX(ya, yb) + down * s, g->cell, g->ny);
        for (int y = ys.lo; y <= ys.hi; y++) {
            uint32_t *c = &count[y * g->nx + x];
            if (item)
                item[--*c] = id;
            else
                ++*c;
        }
    }
}

bool pl_grid_build(struct pl_found *found, double up, double down, double side, struct pl_grid *ret)
{
    struct pl_grid g = {.cell = PL_MAX(found->survey.size, MIN_CELL_PX)};
    g.nx = (int)(found->survey.width / g.cell) + 1;
    g.ny = (int)(found->survey.height / g.cell) + 1;
    size_t cells = (size_t)g.nx * (size_t)g.ny;
    g.first = PL_SURVEY_NEW(&found->survey, uint32_t, cells + 1);
    if (!g.first)
        return false;
    for (uint32_t i = 0; i < found->n_groups; i++)
        enter(&g, &found->groups[i], i, up, down, side, g.first, NULL);
    for (size_t i = 1; i <= cells; i++)
        g.first[i] += g.first[i - 1];
    g.item = PL_SURVEY_NEW(&found->survey, uint32_t, g.first[cells]);
    if (!g.item)
        return false;
    for (uint32_t i = found->n_groups; i-- > 0;)
        enter(&g, &found->groups[i], i, up, down, side, g.first, g.item);
    *ret = g;
    return true;
}

uint32_t pl_grid_at(const struct pl_grid *g, double x, double y, const uint32_t **ret_item)
{
    struct cell_span xs = clamp_span(x, x, g->cell, g->nx), ys = clamp_span(y, y, g->cell, g->ny);
    const uint32_t *first = &g->first[ys.lo * g->nx + xs.lo];
    *ret_item = g->item + first[0];
    return first[1] - first[0];
}
