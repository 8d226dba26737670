/* SPDX-License-Identifier: BSD-2-Clause */
/* The places of a grid: joined to cells, and parted into areas of cells. */
#include "base/sets.h"
#include "layout/grid.h"

bool pl_grid_init(struct pl_arena *arena, int n_rows, int n_columns, struct pl_table_grid *ret)
{
    const size_t places = (size_t)n_rows * (size_t)n_columns;
    *ret = (struct pl_table_grid){.n_rows = n_rows,
                                  .n_columns = n_columns,
                                  .x = PL_NEW(arena, double, (size_t)n_columns + 1),
                                  .y = PL_NEW(arena, double, (size_t)n_rows + 1),
                                  .opens_right = PL_NEW(arena, bool, places),
                                  .opens_below = PL_NEW(arena, bool, places),
                                  .outside = PL_NEW(arena, bool, places)};
    return ret->x && ret->y && ret->opens_right && ret->opens_below && ret->outside;
}

int pl_grid_interval(const double *edges, int n, double v)
{
    int i = 0;
    if (!(v >= edges[0] && v < edges[n]))
        return -1;
    while (v >= edges[i + 1])
        i++;
    return i;
}

static bool places_init(struct pl_arena *arena, const struct pl_table_grid *g,
                        struct pl_places *ret)
{
    const uint32_t n = (uint32_t)(g->n_rows * g->n_columns);
    *ret =
        (struct pl_places){g, PL_NEW(arena, uint32_t, n), PL_NEW(arena, struct pl_place_span, n)};
    for (uint32_t i = 0; ret->parent && i < n; i++)
        ret->parent[i] = i;
    return ret->parent && ret->spans;
}

/* Finds the rectangle around each joined set of places. */
static void measure_spans(const struct pl_places *p)
{
    const uint32_t n = (uint32_t)(p->grid->n_rows * p->grid->n_columns);
    for (uint32_t i = 0; i < n; i++) {
        const int r = (int)i / p->grid->n_columns, c = (int)i % p->grid->n_columns;
        const uint32_t root = pl_set_root(p->parent, i);
        struct pl_place_span *s = &p->spans[root];
        if (root == i) /* the first place of its set */
            *s = (struct pl_place_span){r, c, r + 1, c + 1, 0};
        s->column0 = PL_MIN(s->column0, c);
        s->row1 = PL_MAX(s->row1, r + 1);
        s->column1 = PL_MAX(s->column1, c + 1);
        s->n++;
    }
}

bool pl_places_join(struct pl_arena *arena, const struct pl_table_grid *g, struct pl_places *ret)
{
    if (!places_init(arena, g, ret))
        return false;
    for (int r = 0; r < g->n_rows; r++)
        for (int c = 0; c < g->n_columns; c++) {
            const uint32_t i = (uint32_t)(r * g->n_columns + c), below = i + (uint32_t)g->n_columns;
            if (g->outside[i])
                continue;
            if (c + 1 < g->n_columns && g->opens_right[i] && !g->outside[i + 1])
                pl_sets_join(ret->parent, i, i + 1);
            if (r + 1 < g->n_rows && g->opens_below[i] && !g->outside[below])
                pl_sets_join(ret->parent, i, below);
        }
    measure_spans(ret);
    return true;
}

bool pl_places_fill(const struct pl_places *p)
{
    const uint32_t n = (uint32_t)(p->grid->n_rows * p->grid->n_columns);
    bool any = false;
    for (uint32_t i = 0; i < n; i++) {
        if (p->parent[i] != i)
            continue;
        const struct pl_place_span s = p->spans[i];
        for (int r = s.row0; r < s.row1; r++)
            for (int c = s.column0; c < s.column1; c++)
                any |= pl_sets_join(p->parent, i, (uint32_t)(r * p->grid->n_columns + c));
    }
    measure_spans(p);
    return any;
}

/* ---- areas ---- */

/* Marks the places of sets that are no rectangles and reach from side to side of the grid. */
static void mark_background(const struct pl_places *p)
{
    const struct pl_table_grid *g = p->grid;
    const uint32_t n = (uint32_t)(g->n_rows * g->n_columns);
    for (uint32_t i = 0; i < n; i++) {
        const struct pl_place_span *s = &p->spans[pl_set_root(p->parent, i)];
        const int rows = s->row1 - s->row0, columns = s->column1 - s->column0;
        g->outside[i] = s->n != rows * columns && (rows == g->n_rows || columns == g->n_columns);
    }
}

bool pl_grid_areas(struct pl_arena *arena, const struct pl_table_grid *g, uint32_t **ret)
{
    const uint32_t n = (uint32_t)(g->n_rows * g->n_columns);
    struct pl_places cells, areas;
    uint32_t *area = PL_NEW(arena, uint32_t, n);
    if (!area || !pl_places_join(arena, g, &cells) || !places_init(arena, g, &areas))
        return false;
    mark_background(&cells);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t right = i + 1, below = i + (uint32_t)g->n_columns;
        if (right % (uint32_t)g->n_columns && g->outside[i] == g->outside[right])
            pl_sets_join(areas.parent, i, right);
        if (below < n && g->outside[i] == g->outside[below])
            pl_sets_join(areas.parent, i, below);
    }
    for (uint32_t i = 0; i < n; i++)
        area[i] = g->outside[i] ? PL_NO_AREA : pl_set_root(areas.parent, i);
    *ret = area;
    return true;
}

/* ---- tables that stand on each other ---- */

/* Returns whether an edge parts columns c and c + 1 of the table in row r. */
static bool has_edge(const struct pl_table_grid *g, int r, int c)
{
    const int i = r * g->n_columns + c;
    return !g->opens_right[i] && !g->outside[i] && !g->outside[i + 1];
}

bool pl_grid_edge_used(const struct pl_table_grid *g, int first, int end, int c)
{
    for (int r = first; r < end; r++) {
        const int i = r * g->n_columns + c;
        if (has_edge(g, r, c) || g->outside[i] != g->outside[i + 1])
            return true;
    }
    return false;
}

/* Returns whether two rows have other columns: less than half of the edges of the row that has
 * fewer are in both. */
static bool has_other_columns(const struct pl_table_grid *g, int r, int next)
{
    int above = 0, below = 0, both = 0;
    for (int c = 0; c + 1 < g->n_columns; c++) {
        const bool a = has_edge(g, r, c), b = has_edge(g, next, c);
        above += a;
        below += b;
        both += a && b;
    }
    return 2 * both < PL_MIN(above, below);
}

/* Returns whether most places of row r are parted from those below: a margin may run on. */
static bool is_parted(const struct pl_table_grid *g, int r)
{
    int parted = 0;
    for (int i = r * g->n_columns; i < (r + 1) * g->n_columns; i++)
        parted += g->outside[i] ? 0 : g->opens_below[i] ? -1 : 1;
    return parted > 0;
}

int pl_grid_stack_end(const struct pl_table_grid *g, int r)
{
    int last = r; /* with columns */
    for (r++; r < g->n_rows; r++) {
        if (is_parted(g, r - 1) && has_other_columns(g, last, r))
            return r;
        for (int c = 0; c + 1 < g->n_columns; c++)
            if (has_edge(g, r, c))
                last = r;
    }
    return g->n_rows;
}
