/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables without rules between their columns: most rows of a block have words under words of the
 * row before, with white between them that is wider than that between words. */
#include <stdlib.h>
#include <string.h>

#include "layout/tables.h"
#include "layout/layout_tuning.def"

/* Lines of a block beside each other (pl_same_row()). */
struct aligned_row {
    const struct pl_line *lines;
    size_t n;
    int top, bottom;
};

/* What stands in a row of a block with white at both sides. */
struct aligned_rows {
    struct aligned_row *v;
    size_t n;
    double gap_px;        /* least white between two cells that tell of a table */
    double column_gap_px; /* least white between two columns of one */
    double slack_px;      /* by which cells that stand under each other differ at most */
};

/* Fills rows->v, which has room for one a line. Returns false for a block with turned lines. */
static bool find_rows(const struct pl_block *b, struct aligned_rows *rows)
{
    for (size_t i = 0; i < b->n_lines; i++) {
        const struct pl_line *l = &b->lines[i];
        if (l->quarters)
            return false;
        if (!i || !pl_same_row(l - 1, l))
            rows->v[rows->n++] = (struct aligned_row){l, 0, l->box.y0, l->box.y1};
        struct aligned_row *row = &rows->v[rows->n - 1];
        row->n++;
        row->top = PL_MIN(row->top, l->box.y0);
        row->bottom = PL_MAX(row->bottom, l->box.y1);
    }
    return true;
}

/* Fills `runs` with the runs of a row; returns how many. */
static size_t runs_of(const struct aligned_row *r, double gap_px, double gap, struct pl_rect *runs)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++)
        n = pl_line_runs(&r->lines[i], 0, pl_line_count_words(&r->lines[i]), gap_px, gap, runs, n);
    return n;
}

/* Returns whether one stands under the other, by an edge or the middle. */
static bool is_under(struct pl_rect a, struct pl_rect b, double tolerance)
{
    return abs(a.x0 - b.x0) <= tolerance || abs(a.x1 - b.x1) <= tolerance ||
           abs(a.x0 + a.x1 - b.x0 - b.x1) <= 2 * tolerance;
}

/* The last cell of each column, of rows of which each has a cell under one of those before. */
struct aligned_columns {
    struct pl_rect v[PL_MAX_RUNS];
    size_t n;
};

/* Returns how many cells of a row but the first stand under one of a column, and takes them all for
 * the columns' last cells. Where none does, the columns begin with this row. */
static size_t take_cells(struct aligned_columns *columns, const struct pl_rect *cells, size_t n,
                         double tolerance)
{
    size_t hits = 0;
    for (size_t i = 0; i < n; i++) {
        size_t j = 0;
        while (j < columns->n && !is_under(cells[i], columns->v[j], tolerance))
            j++;
        hits += i && j < columns->n;
        if (j < PL_MAX_RUNS)
            columns->v[j] = cells[i];
        columns->n = PL_MAX(columns->n, PL_MIN(j + 1, (size_t)PL_MAX_RUNS));
    }
    if (!hits) {
        memcpy(columns->v, cells, n * sizeof(*cells));
        columns->n = n;
    }
    return hits;
}

/* Returns whether so many rows have cells under those of rows before that it is a table. */
static bool is_table(const struct aligned_rows *rows)
{
    struct pl_rect cells[PL_MAX_RUNS];
    struct aligned_columns columns = {.n = 0};
    size_t n_cells = 0, n_rows = 0;
    for (size_t i = 0; i < rows->n; i++) {
        const size_t count = runs_of(&rows->v[i], rows->gap_px, 0, cells);
        if (count < 2)
            continue;
        const size_t hits = take_cells(&columns, cells, count, rows->slack_px);
        n_rows += hits > 0;
        n_cells += hits ? hits + 1 : 0;
    }
    return n_rows >= TABLE_ROWS && n_cells >= TABLE_CELLS &&
           (double)n_rows >= TABLE_SHARE * (double)(rows->n - 1);
}

/* ---- the grid ---- */

/* Opens the places of a row between which a cell stands. */
static void open_row(const struct aligned_rows *rows, int r, const struct pl_table_grid *g)
{
    struct pl_rect cells[PL_MAX_RUNS];
    const size_t n = runs_of(&rows->v[r], rows->column_gap_px, COLUMN_GAP, cells);
    for (size_t i = 0; i < n; i++)
        for (int c = 0; c + 1 < g->n_columns; c++)
            if (cells[i].x0 < g->x[c + 1] - rows->slack_px &&
                cells[i].x1 > g->x[c + 1] + rows->slack_px)
                g->opens_right[r * g->n_columns + c] = true;
}

static bool lay_rows(struct pl_arena *arena, const struct pl_regions *regions,
                     const struct aligned_rows *rows, const struct pl_table_grid *grid,
                     struct pl_block *block, bool *ret_made)
{
    struct pl_laying laying;
    struct pl_line *outside;
    size_t words = 0, n;
    for (size_t i = 0; i < block->n_lines; i++)
        words += PL_MAX(pl_line_count_words(&block->lines[i]), (size_t)1);
    outside = PL_NEW(arena, struct pl_line, words);
    if (!outside || !pl_laying_begin(arena, regions, grid, words, &laying))
        return false;
    for (int r = 0; r < grid->n_rows; r++)
        for (size_t i = 0; i < rows->v[r].n; i++) {
            if (!pl_laying_add(arena, &laying, &rows->v[r].lines[i], r, outside, &n))
                return false;
            if (n)
                return true; /* a word reaches beyond the block's own box */
        }
    return pl_laying_end(arena, &laying, block, ret_made);
}

/* Makes the grid of the rows. *ret has one column where they have no more. */
static bool make_grid(struct pl_arena *arena, const struct aligned_rows *rows, struct pl_rect box,
                      struct pl_table_grid *ret)
{
    struct pl_profile profile;
    struct pl_rect runs[PL_MAX_RUNS];
    double edges[PL_GRID_MAX_COLUMNS];
    if (!pl_profile_init(arena, rows->n * PL_MAX_RUNS, &profile))
        return false;
    for (size_t i = 0; i < rows->n; i++)
        pl_profile_add(&profile, runs, runs_of(&rows->v[i], rows->column_gap_px, COLUMN_GAP, runs));
    const int n = pl_profile_edges(&profile, PL_GRID_MAX_COLUMNS - 1, edges);
    if (!pl_grid_init(arena, (int)rows->n, n + 1, ret))
        return false;
    ret->x[0] = box.x0;
    for (int c = 0; c < n; c++)
        ret->x[c + 1] = edges[c];
    ret->x[n + 1] = box.x1;
    ret->y[0] = box.y0;
    for (int r = 0; r < ret->n_rows; r++) {
        const bool last = r + 1 == ret->n_rows;
        const double edge = last ? box.y1 : 0.5 * (rows->v[r].bottom + rows->v[r + 1].top);
        ret->y[r + 1] = PL_MAX(edge, ret->y[r]);
        open_row(rows, r, ret);
    }
    return true;
}

bool pl_table_aligned(struct pl_arena *arena, const struct pl_regions *regions, double xheight_px,
                      struct pl_block *block, bool *ret_made)
{
    struct aligned_rows rows = {.v = PL_NEW(arena, struct aligned_row, block->n_lines),
                                .gap_px = CELL_GAP * xheight_px,
                                .column_gap_px = COLUMN_GAP * regions->glyph_px,
                                .slack_px = CELLS_ALIGNED * xheight_px};
    struct pl_table_grid grid;
    *ret_made = false;
    if (!rows.v)
        return false;
    if (!find_rows(block, &rows) || rows.n > PL_GRID_MAX_ROWS || !is_table(&rows))
        return true;
    if (!make_grid(arena, &rows, block->box, &grid))
        return false;
    return grid.n_columns < 2 || lay_rows(arena, regions, &rows, &grid, block, ret_made);
}
