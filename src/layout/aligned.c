/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables without rules between their columns: most rows of a block have words under words of the
 * row before, with white between them that is wider than that between words. */
#include <math.h>
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
        while (j < columns->n && !pl_stands_under(cells[i], columns->v[j], tolerance))
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

/* Returns whether so many cells stand under those of rows before that it is a table: two rows at
 * least, since one under another may be chance. */
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
    return n_rows > 1 && n_cells >= TABLE_CELLS &&
           (double)n_rows >= TABLE_SHARE * (double)(rows->n - 1);
}

/* ---- the grid ---- */

/* Where columns meet. Across a narrow edge most rows have no more than a blank. */
struct column_edges {
    double x[PL_GRID_MAX_COLUMNS];
    bool narrow[PL_GRID_MAX_COLUMNS];
    int n;
};

static void add_edge(struct column_edges *e, double x, bool narrow)
{
    int i = e->n++;
    for (; i && e->x[i - 1] > x; i--) {
        e->x[i] = e->x[i - 1];
        e->narrow[i] = e->narrow[i - 1];
    }
    e->x[i] = x;
    e->narrow[i] = narrow;
}

/* Fills `words` with those of a row whose middles lie from x0 to x1; returns how many. */
static size_t words_between(const struct aligned_row *r, double x0, double x1,
                            struct pl_rect *words)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++)
        for (size_t w = 0; w < pl_line_count_words(&r->lines[i]) && n < PL_MAX_RUNS; w++) {
            const struct pl_rect box = pl_line_word_box(&r->lines[i], w);
            if (box.x0 + box.x1 >= 2 * x0 && box.x0 + box.x1 < 2 * x1)
                words[n++] = box;
        }
    return n;
}

static bool find_edges(struct pl_arena *arena, const struct aligned_rows *rows,
                       struct column_edges *ret)
{
    struct pl_profile profile;
    struct pl_rect runs[PL_MAX_RUNS];
    double edges[PL_GRID_MAX_COLUMNS];
    if (!pl_profile_init(arena, rows->n * PL_MAX_RUNS, &profile))
        return false;
    for (size_t i = 0; i < rows->n; i++)
        pl_profile_add(&profile, runs, runs_of(&rows->v[i], rows->column_gap_px, COLUMN_GAP, runs));
    const int n = pl_profile_edges(&profile, PL_GRID_MAX_COLUMNS - 1, edges);
    *ret = (struct column_edges){.n = 0};
    for (int i = 0; i < n; i++)
        add_edge(ret, edges[i], false);
    return true;
}

/* Adds the narrow edges between the others. */
static bool find_narrow_edges(struct pl_arena *arena, const struct aligned_rows *rows,
                              struct column_edges *edges)
{
    const struct column_edges wide = *edges;
    struct pl_profile profile;
    struct pl_words_row *words = PL_NEW(arena, struct pl_words_row, rows->n);
    double found[PL_GRID_MAX_COLUMNS];
    if (!words || !pl_profile_init(arena, rows->n * PL_MAX_RUNS, &profile))
        return false;
    for (int i = 0; i <= wide.n; i++) {
        const double x0 = i ? wide.x[i - 1] : -INFINITY, x1 = i < wide.n ? wide.x[i] : INFINITY;
        for (size_t r = 0; r < rows->n; r++) {
            words[r].n = words_between(&rows->v[r], x0, x1, words[r].words);
            words[r].gap_px = PL_MAX(rows->column_gap_px, COLUMN_GAP * rows->v[r].lines->glyph_px);
        }
        const int n = pl_profile_close_edges(&profile, words, rows->n,
                                             PL_GRID_MAX_COLUMNS - 1 - edges->n, found);
        for (int k = 0; k < n; k++)
            add_edge(edges, found[k], true);
    }
    return true;
}

/* Opens the places of a row between which a cell stands: across a narrow edge, a word. */
static void open_row(const struct aligned_rows *rows, int r, const struct column_edges *edges,
                     const struct pl_table_grid *g)
{
    struct pl_rect runs[PL_MAX_RUNS], words[PL_MAX_RUNS];
    const size_t n_runs = runs_of(&rows->v[r], rows->column_gap_px, COLUMN_GAP, runs);
    for (int c = 0; c + 1 < g->n_columns; c++) {
        const bool narrow = edges->narrow[c];
        const double x = edges->x[c], slack = narrow ? 0 : rows->slack_px;
        const size_t n = narrow ? words_between(&rows->v[r], g->x[c], g->x[c + 2], words) : n_runs;
        for (size_t i = 0; i < n; i++) {
            const struct pl_rect box = narrow ? words[i] : runs[i];
            if (box.x0 < x - slack && box.x1 > x + slack)
                g->opens_right[r * g->n_columns + c] = true;
        }
    }
}

static bool lay_rows(struct pl_arena *arena, const struct pl_regions *regions,
                     const struct aligned_rows *rows, const struct pl_table_grid *grid,
                     const struct pl_block *block, struct pl_block *ret, bool *ret_made)
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
    return pl_laying_end(arena, &laying, ret, ret_made);
}

static bool make_grid(struct pl_arena *arena, const struct aligned_rows *rows, struct pl_rect box,
                      const struct column_edges *edges, struct pl_table_grid *ret)
{
    if (!pl_grid_init(arena, (int)rows->n, edges->n + 1, ret))
        return false;
    ret->x[0] = box.x0;
    memcpy(ret->x + 1, edges->x, (size_t)edges->n * sizeof(*edges->x));
    ret->x[edges->n + 1] = box.x1;
    ret->y[0] = box.y0;
    for (int r = 0; r < ret->n_rows; r++) {
        const bool last = r + 1 == ret->n_rows;
        const double edge = last ? box.y1 : 0.5 * (rows->v[r].bottom + rows->v[r + 1].top);
        ret->y[r + 1] = PL_MAX(edge, ret->y[r]);
        open_row(rows, r, edges, ret);
    }
    return true;
}

/* Makes a table of the block, *ret, with these columns, if it is one. */
static bool make_table(struct pl_arena *arena, const struct pl_regions *regions,
                       const struct aligned_rows *rows, const struct pl_block *block,
                       const struct column_edges *edges, struct pl_block *ret, bool *ret_made)
{
    struct pl_table_grid grid;
    *ret_made = false;
    return !edges->n || (make_grid(arena, rows, block->box, edges, &grid) &&
                         lay_rows(arena, regions, rows, &grid, block, ret, ret_made));
}

bool pl_table_aligned(struct pl_arena *arena, const struct pl_regions *regions, double xheight_px,
                      struct pl_block *block, bool *ret_made)
{
    struct aligned_rows rows = {.v = PL_NEW(arena, struct aligned_row, block->n_lines),
                                .gap_px = CELL_GAP * xheight_px,
                                .column_gap_px = COLUMN_GAP * regions->glyph_px,
                                .slack_px = CELLS_ALIGNED * xheight_px};
    struct column_edges edges;
    const struct pl_block text = *block;
    *ret_made = false;
    if (!rows.v)
        return false;
    if (!find_rows(block, &rows) || rows.n > PL_GRID_MAX_ROWS || !is_table(&rows))
        return true;
    if (!find_edges(arena, &rows, &edges) ||
        !make_table(arena, regions, &rows, &text, &edges, block, ret_made))
        return false;
    const int n = edges.n;
    bool parted; /* where that is no table, the first one stays */
    if (!*ret_made)
        return true;
    return find_narrow_edges(arena, &rows, &edges) &&
           (edges.n == n || make_table(arena, regions, &rows, &text, &edges, block, &parted));
}
