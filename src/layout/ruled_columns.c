/* SPDX-License-Identifier: BSD-2-Clause */
/* Columns of text between two upright rules of a table: as rules part the rows of a table more
 * often than they part all of its columns, words that stand under each other part the rest. */
#include <string.h>

#include "layout/columns.h"
#include "layout/grid.h"
#include "layout/line_words.h"
#include "layout/tables.h"
#include "layout/layout_tuning.def"

/* The lines of a table whose rows are those of text or parted by rules. */
struct columns {
    double gap_px;
    const struct pl_line *const *lines;
    size_t n;
    const struct pl_edges *edges;
    const struct pl_table_grid *grid;
};

/* Returns whether line l is in row r and has words whose middles lie between x0 and x1, and tells
 * then which: from *ret_first to before *ret_end. */
static bool find_words(const struct columns *c, const struct pl_line *l, int r, double x0,
                       double x1, size_t *ret_first, size_t *ret_end)
{
    const double y = 0.5 * (l->box.y0 + l->box.y1);
    if (y < c->edges->y[r] || y >= c->edges->y[r + 1])
        return false;
    size_t first = 0, end = pl_line_count_words(l);
    while (first < end && pl_line_word_box(l, first).x0 + pl_line_word_box(l, first).x1 < 2 * x0)
        first++;
    while (end > first &&
           pl_line_word_box(l, end - 1).x0 + pl_line_word_box(l, end - 1).x1 >= 2 * x1)
        end--;
    *ret_first = first;
    *ret_end = end;
    return end > first;
}

/* Returns whether rules stand at both sides of column k in row r, and no text in it below other
 * text. */
static bool is_single(const struct columns *c, int r, int k)
{
    const bool *opens = &c->grid->opens_right[r * c->grid->n_columns + k];
    const struct pl_line *last = NULL;
    size_t first, end;
    if ((k && opens[-1]) || (k + 1 < c->grid->n_columns && *opens))
        return false;
    for (size_t i = 0; i < c->n; i++) {
        const struct pl_line *l = c->lines[i];
        if (!find_words(c, l, r, c->edges->x[k], c->edges->x[k + 1], &first, &end))
            continue;
        if (last && !pl_same_row(last, l))
            return false;
        last = l;
    }
    return true;
}

/* Fills `runs` with those of row r between x0 and x1; returns how many. */
static size_t runs_of(const struct columns *c, int r, double x0, double x1, struct pl_rect *runs)
{
    size_t n = 0, first, end;
    for (size_t i = 0; i < c->n; i++)
        if (find_words(c, c->lines[i], r, x0, x1, &first, &end))
            n = pl_line_runs(c->lines[i], first, end, c->gap_px, COLUMN_GAP, runs, n);
    return n;
}

/* Fills *ret with the words of row r between x0 and x1. */
static void take_words(const struct columns *c, int r, double x0, double x1,
                       struct pl_words_row *ret)
{
    size_t first, end;
    ret->n = 0;
    ret->gap_px = c->gap_px;
    for (size_t i = 0; i < c->n; i++) {
        const struct pl_line *l = c->lines[i];
        if (!find_words(c, l, r, x0, x1, &first, &end))
            continue;
        ret->gap_px = PL_MAX(ret->gap_px, COLUMN_GAP * l->glyph_px);
        for (size_t w = first; w < end && ret->n < PL_MAX_RUNS; w++)
            ret->words[ret->n++] = pl_line_word_box(l, w);
    }
    pl_boxes_sort_left(ret->words, ret->n);
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

/* Returns the row behind the last of those from row r on that rules part from each other. */
static int drawn_end(const struct pl_edges *e, int r)
{
    while (r < e->n_rows && list_end(e, r) == r)
        r++;
    return r;
}

/* Rows from row `begin` to row end - 1: of text, then the row of names is the one above them, or
 * parted by rules. */
struct text_rows {
    int begin, end;
    bool drawn;
};

static int first_of(const struct text_rows *rows)
{
    return rows->drawn ? rows->begin : PL_MAX(rows->begin - 1, 0);
}

static void add_edges(const struct text_rows *rows, const double *edges, int n, bool narrow,
                      struct pl_edges *ret)
{
    for (int i = 0; i < n; i++) {
        const int at = ++ret->n_columns;
        ret->x[at] = edges[i];
        ret->drawn_x[at] = false;
        ret->narrow_x[at] = narrow;
        ret->from[at] = first_of(rows);
        ret->to[at] = rows->end;
    }
}

/* Adds the edges between x0 and x1, in column k, where columns are no wider apart than words.
 * Returns false when memory is short. */
static bool part_close(struct pl_arena *arena, const struct columns *c, int k,
                       const struct text_rows *rows, double x0, double x1, struct pl_edges *ret)
{
    const int first = first_of(rows);
    const size_t n = (size_t)(rows->end - first);
    struct pl_words_row *words = PL_NEW(arena, struct pl_words_row, n);
    struct pl_profile p;
    double edges[PL_GRID_MAX_COLUMNS];
    if (!words || !pl_profile_init(arena, n * PL_MAX_RUNS, &p))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!rows->drawn || is_single(c, first + (int)i, k))
            take_words(c, first + (int)i, x0, x1, &words[i]);
    add_edges(rows, edges, /* rules part columns that are so close: words need not tell */
              pl_profile_close_edges(&p, words, n, 0, PL_GRID_MAX_COLUMNS - ret->n_columns, edges),
              true, ret);
    return true;
}

/* Fills `runs` with those of column k in row i, if the row counts; returns how many. */
static size_t runs_of_column(const struct columns *c, const struct text_rows *rows, int i, int k,
                             struct pl_rect *runs)
{
    if (rows->drawn && !is_single(c, i, k))
        return 0;
    return runs_of(c, i, c->edges->x[k], c->edges->x[k + 1], runs);
}

/* Returns whether enough of the rows that have text in column k are parted by edges[0]: they have
 * text on both sides, or their text begins behind it. */
static bool are_parted(const struct columns *c, const struct text_rows *rows, int k, double edge)
{
    struct pl_rect runs[PL_MAX_RUNS];
    int parted = 0, filled = 0;
    for (int i = rows->begin; i < rows->end; i++) {
        const size_t n = runs_of_column(c, rows, i, k, runs);
        filled += n > 0;
        parted += n > 1 || (n == 1 && runs[0].x0 >= edge);
    }
    return parted >= TABLE_SHARE * filled;
}

/* Adds the edges within column k. Returns false when memory is short. */
static bool part_column(struct pl_arena *arena, const struct columns *c, int k,
                        const struct text_rows *rows, struct pl_edges *ret)
{
    struct pl_rect runs[PL_MAX_RUNS];
    struct pl_profile p;
    double edges[PL_GRID_MAX_COLUMNS];
    int n = 0;
    const double x0 = c->edges->x[k], x1 = c->edges->x[k + 1];
    if (!pl_profile_init(arena, (size_t)(rows->end - rows->begin) * PL_MAX_RUNS, &p))
        return false;
    for (int i = rows->begin; i < rows->end; i++)
        pl_profile_add(&p, runs, runs_of_column(c, rows, i, k, runs));
    if (p.n_rows >= TABLE_ROWS)
        n = pl_profile_edges(&p, PL_GRID_MAX_COLUMNS - ret->n_columns, edges);
    if (n && !are_parted(c, rows, k, edges[0]))
        n = 0;
    add_edges(rows, edges, n, false, ret);
    for (int i = 0; i <= n; i++)
        if (!part_close(arena, c, k, rows, i ? edges[i - 1] : x0, i < n ? edges[i] : x1, ret))
            return false;
    return true;
}

/* Sorts the edges of columns by their places. */
static void sort_columns(struct pl_edges *e)
{
    for (int i = 1; i <= e->n_columns; i++)
        for (int k = i; k && e->x[k] < e->x[k - 1]; k--) {
            const double x = e->x[k];
            const bool drawn = e->drawn_x[k], narrow = e->narrow_x[k];
            const int from = e->from[k], to = e->to[k];
            e->x[k] = e->x[k - 1];
            e->drawn_x[k] = e->drawn_x[k - 1];
            e->narrow_x[k] = e->narrow_x[k - 1];
            e->from[k] = e->from[k - 1];
            e->to[k] = e->to[k - 1];
            e->x[k - 1] = x;
            e->drawn_x[k - 1] = drawn;
            e->narrow_x[k - 1] = narrow;
            e->from[k - 1] = from;
            e->to[k - 1] = to;
        }
}

bool pl_ruled_columns_part(struct pl_arena *arena, double glyph_px,
                           const struct pl_line *const *lines, size_t n,
                           const struct pl_table_grid *grid, struct pl_edges *edges)
{
    struct pl_edges *old = PL_NEW(arena, struct pl_edges, 1);
    const struct columns c = {COLUMN_GAP * glyph_px, lines, n, old, grid};
    if (!old)
        return false;
    *old = *edges;
    for (int r = 0, end; r < old->n_rows; r = PL_MAX(end, r + 1)) {
        const bool drawn = list_end(old, r) == r;
        end = drawn ? drawn_end(old, r) : list_end(old, r);
        const struct text_rows rows = {r, end, drawn};
        for (int k = 0; end > r && k < old->n_columns; k++)
            if (!part_column(arena, &c, k, &rows, edges))
                return false;
    }
    sort_columns(edges);
    return true;
}
