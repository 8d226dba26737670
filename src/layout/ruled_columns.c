/* SPDX-License-Identifier: BSD-2-Clause */
/* Columns of text between two upright rules of a table: as rules part the rows of a table more
 * often than they part all of its columns, words that stand under each other part the rest. */
#include <string.h>

#include "layout/tables.h"
#include "layout/layout_tuning.def"

/* The lines of a table whose rows are those of text. */
struct columns {
    double gap_px;
    const struct pl_line *const *lines;
    size_t n;
    const struct pl_edges *edges;
};

/* Fills `runs` with those of row r between x0 and x1; returns how many. */
static size_t runs_of(const struct columns *c, int r, double x0, double x1, struct pl_rect *runs)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++) {
        const struct pl_line *l = c->lines[i];
        const double y = 0.5 * (l->box.y0 + l->box.y1);
        size_t first = 0, end = pl_line_count_words(l);
        if (y < c->edges->y[r] || y >= c->edges->y[r + 1])
            continue;
        while (first < end &&
               pl_line_word_box(l, first).x0 + pl_line_word_box(l, first).x1 < 2 * x0)
            first++;
        while (end > first &&
               pl_line_word_box(l, end - 1).x0 + pl_line_word_box(l, end - 1).x1 >= 2 * x1)
            end--;
        n = pl_line_runs(l, first, end, c->gap_px, COLUMN_GAP, runs, n);
    }
    return n;
}

/* Returns the row behind the last of those that are rows of text from row r on; r where there is
 * none. */
static int list_end(const struct pl_edges *e, int r)
{
    int end = r + 1;
    while (end < e->n_rows && !e->drawn_y[end])
        end++;
    return end > r + 1 ? end : r;
}

/* Adds the edges within column k, in rows r to end - 1 and in the row of names above them. Returns
 * false when memory is short. */
static bool part_column(struct pl_arena *arena, const struct columns *c, int k, int r, int end,
                        struct pl_edges *ret)
{
    struct pl_rect runs[PL_MAX_RUNS];
    struct pl_profile p;
    double edges[PL_GRID_MAX_COLUMNS];
    int filled = 0;
    const double x0 = c->edges->x[k], x1 = c->edges->x[k + 1];
    if (!pl_profile_init(arena, (size_t)(end - r) * PL_MAX_RUNS, &p))
        return false;
    for (int i = r; i < end; i++) {
        const size_t n = runs_of(c, i, x0, x1, runs);
        pl_profile_add(&p, runs, n);
        filled += n > 0;
    }
    if (p.n_rows < TABLE_ROWS || p.n_rows < TABLE_SHARE * filled)
        return true;
    const int n = pl_profile_edges(&p, PL_GRID_MAX_COLUMNS - ret->n_columns, edges);
    for (int i = 0; i < n; i++) {
        const int at = ++ret->n_columns;
        ret->x[at] = edges[i];
        ret->drawn_x[at] = false;
        ret->from[at] = PL_MAX(r - 1, 0);
        ret->to[at] = end;
    }
    return true;
}

/* Sorts the edges of columns by their places. */
static void sort_columns(struct pl_edges *e)
{
    for (int i = 1; i <= e->n_columns; i++)
        for (int k = i; k && e->x[k] < e->x[k - 1]; k--) {
            const double x = e->x[k];
            const bool drawn = e->drawn_x[k];
            const int from = e->from[k], to = e->to[k];
            e->x[k] = e->x[k - 1];
            e->drawn_x[k] = e->drawn_x[k - 1];
            e->from[k] = e->from[k - 1];
            e->to[k] = e->to[k - 1];
            e->x[k - 1] = x;
            e->drawn_x[k - 1] = drawn;
            e->from[k - 1] = from;
            e->to[k - 1] = to;
        }
}

bool pl_ruled_columns_part(struct pl_arena *arena, double glyph_px,
                           const struct pl_line *const *lines, size_t n, struct pl_edges *edges)
{
    struct pl_edges *old = PL_NEW(arena, struct pl_edges, 1);
    const struct columns c = {COLUMN_GAP * glyph_px, lines, n, old};
    if (!old)
        return false;
    *old = *edges;
    for (int r = 0, end; r < old->n_rows; r = PL_MAX(end, r + 1)) {
        end = list_end(old, r);
        for (int k = 0; end > r && k < old->n_columns; k++)
            if (!part_column(arena, &c, k, r, end, edges))
                return false;
    }
    sort_columns(edges);
    return true;
}
