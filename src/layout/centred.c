/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables without rules of which the cells are set in the middle of their row's height: beside two
 * lines of text the date and the amount stand between both, level with neither. Read by rows of
 * text, such a row of the table falls into three. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "detect/ink/sort.h"
#include "layout/band_rows.h"
#include "layout/columns.h"
#include "layout/grid.h"
#include "layout/line_words.h"
#include "layout/tables.h"
#include "layout/layout_tuning.def"

/* The most rows of text of a cell. */
#define MOST_LEVELS 5

/* What a line has between white. */
struct centred_run {
    struct pl_rect box;
    double y; /* of its baseline, with the page's slope taken out */
};

/* Runs in the order in which a walk meets them: y grows, and is turned round on the way up. */
struct centred_walk {
    struct centred_run *v;
    size_t n;
    double size;
};

struct centred_column {
    int x0, x1;
    bool single;   /* no row of the table has several rows of text in it */
    int n;         /* rows of text in the row that is looked at */
    double top, y; /* the first and the last of these */
    struct pl_rect box;
};

/* The rows of a table that were found. Columns are in no order until the end. */
struct centred_table {
    struct centred_column columns[PL_GRID_MAX_COLUMNS];
    int n_columns;
    size_t n_sure; /* rows in which text stands around what is in the middle in several columns */
    size_t n_cells;
};

/* A row of the table: runs first to end - 1 of a walk. */
struct centred_row {
    size_t first, end;
    bool several, lone;
    double top, bottom; /* edges of its ink */
};

/* ---- one row ---- */

/* Returns the column of the run: a new one where it stands under none; NULL where it stands under
 * several. */
static struct centred_column *column_of(struct centred_table *t, struct pl_rect box)
{
    struct centred_column *found = NULL;
    for (int c = 0; c < t->n_columns; c++) {
        if (box.x0 >= t->columns[c].x1 || box.x1 <= t->columns[c].x0)
            continue;
        if (found)
            return NULL;
        found = &t->columns[c];
    }
    if (!found && t->n_columns < PL_GRID_MAX_COLUMNS) {
        found = &t->columns[t->n_columns++];
        *found = (struct centred_column){.x0 = box.x0, .x1 = box.x1, .single = true};
    }
    return found;
}

/* Adds a run to its column in the row that is looked at. Returns false where it is of none, or does
 * not stand under what the column has there. */
static bool add_run(struct centred_table *t, const struct centred_walk *w, size_t i)
{
    const struct centred_run *run = &w->v[i];
    struct centred_column *c = column_of(t, run->box);
    if (!c)
        return false;
    if (!c->n) {
        c->top = run->y;
        c->box = run->box;
    }
    const bool level = c->n && run->y - c->y <= LEVEL_BASES * w->size;
    if (c->n && !level && !pl_stands_under(c->box, run->box, CELLS_ALIGNED * w->size))
        return false;
    c->n += !level;
    c->y = level ? c->y : run->y;
    c->x0 = PL_MIN(c->x0, run->box.x0);
    c->x1 = PL_MAX(c->x1, run->box.x1);
    return true;
}

/* Ends the row: returns whether each of its columns has its middle at height `y`, and one with
 * several rows of text another beside it with one. */
static bool end_row(struct centred_table *t, double y, double slack_px, struct centred_row *row)
{
    int filled = 0, most = 0, single = 0;
    for (int i = 0; i < t->n_columns; i++) {
        struct centred_column *c = &t->columns[i];
        if (c->n && fabs(0.5 * (c->top + c->y) - y) > slack_px)
            return false;
        c->single &= c->n <= 1;
        filled += c->n > 0;
        most = PL_MAX(most, c->n);
        single += c->n == 1;
        c->n = 0;
    }
    row->lone = filled == 1;
    row->several = most > 1;
    t->n_cells += (size_t)filled;
    t->n_sure += row->several && single > 1;
    return filled > 1 ? most == 1 || single : most == 1;
}

/* Returns whether the white around a row is that of a row of the table: where it has several rows
 * of text, wider than between these. Prose beside other text has rows that are level with the
 * middle of two others, too. */
static bool is_clear(const struct centred_walk *w, const struct centred_row *row, int levels)
{
    const double first = w->v[row->first].y, last = w->v[row->end - 1].y,
                 above = row->first ? first - w->v[row->first - 1].y : INFINITY,
                 below = row->end < w->n ? w->v[row->end].y - last : INFINITY,
                 least = levels > 1 ? ROW_STEP * (last - first) / (levels - 1) : w->size;
    return above >= least && below >= least;
}

/* Takes the row of the table that begins with run `first`, with `levels` rows of text in the cell
 * of that run. Returns whether it is one; *t is changed only then. */
static bool try_row(struct centred_table *t, const struct centred_walk *w, size_t first, int levels,
                    struct centred_row *ret)
{
    const double slack_px = LEVEL_BASES * w->size;
    const struct pl_rect box = w->v[first].box;
    struct centred_table next = *t;
    double last = w->v[first].y;
    size_t i = first;
    for (int k = 1; k < levels; k++) {
        do
            i++;
        while (i < w->n && (w->v[i].box.x0 >= box.x1 || w->v[i].box.x1 <= box.x0 ||
                            w->v[i].y - last <= slack_px));
        if (i >= w->n || w->v[i].y - last > NEXT_LEVEL * w->size)
            return false;
        last = w->v[i].y;
    }
    *ret = (struct centred_row){.first = first};
    for (i = first; i < w->n && w->v[i].y <= last + slack_px; i++)
        if (!add_run(&next, w, i))
            return false;
    ret->end = i;
    if (!end_row(&next, 0.5 * (w->v[first].y + last), slack_px, ret) || !is_clear(w, ret, levels))
        return false;
    *t = next;
    return true;
}

/* Takes the row of the table that begins with run `first`; one with text in one column alone only
 * where it is no other. Returns whether there is one. */
static bool take_row(struct centred_table *t, const struct centred_walk *w, size_t first,
                     struct centred_row *ret)
{
    struct centred_table alone = *t;
    struct centred_row row;
    const bool is_alone = try_row(&alone, w, first, 1, &row);
    bool found = is_alone && !row.lone;
    *ret = row;
    if (found)
        *t = alone;
    for (int levels = 2; levels <= MOST_LEVELS && !found; levels++)
        found = try_row(t, w, first, levels, ret);
    if (!found && is_alone) {
        *t = alone;
        *ret = row;
    }
    return found || is_alone;
}

/* ---- the table ---- */

/* Takes rows from run `at` on into rows[0..room); returns how many, without those at the end that
 * have text in one column alone. */
static size_t take_rows(struct centred_table *t, const struct centred_walk *w, size_t at,
                        struct centred_row *rows, size_t room)
{
    struct centred_table kept = *t;
    size_t n = 0, n_kept = 0;
    double last = at ? w->v[at - 1].y : -INFINITY;
    while (at < w->n && n < room && w->v[at].y - last <= BANDS_APART * w->size &&
           take_row(t, w, at, &rows[n])) {
        at = rows[n].end;
        last = w->v[at - 1].y;
        if (!rows[n++].lone) {
            n_kept = n;
            kept = *t;
        }
    }
    *t = kept;
    return n_kept;
}

/* Fills *ret, sorted, with the runs of all lines. Returns false when memory is short. */
static bool take_runs(struct pl_arena *arena, const struct pl_regions *regions,
                      const struct pl_band_lines *l, struct centred_walk *ret)
{
    const size_t room = l->n * PL_MAX_RUNS;
    struct centred_run *all = PL_NEW(arena, struct centred_run, room);
    uint32_t *order = PL_NEW(arena, uint32_t, room);
    double *key = PL_NEW(arena, double, room);
    size_t n = 0;
    *ret = (struct centred_walk){.v = PL_NEW(arena, struct centred_run, room),
                                 .size = regions->glyph_px};
    if (!all || !order || !key || !ret->v)
        return false;
    for (size_t i = 0; i < l->n; i++) {
        struct pl_rect runs[PL_MAX_RUNS];
        const size_t n_runs =
            pl_line_runs(l->v[i], 0, pl_line_count_words(l->v[i]), l->gap_px, 0, runs, 0);
        for (size_t k = 0; k < n_runs; k++, n++) {
            const double x = 0.5 * (runs[k].x0 + runs[k].x1);
            key[n] = pl_line_y(l->v[i], x) - regions->slope * x;
            all[n] = (struct centred_run){runs[k], key[n]};
            order[n] = (uint32_t)n;
        }
    }
    pl_sort_by_key(order, n, key);
    for (; ret->n < n; ret->n++)
        ret->v[ret->n] = all[order[ret->n]];
    return true;
}

/* Returns whether a row has text in a column that never has several rows of it. */
static bool has_single(struct centred_table *t, const struct centred_walk *w,
                       const struct centred_row *row)
{
    bool found = false;
    for (size_t i = row->first; i < row->end && !found; i++)
        found = column_of(t, w->v[i].box)->single;
    return found;
}

/* Returns whether the rows are those of a table, and some are set in the middle. */
static bool is_table(struct centred_table *t, const struct centred_walk *w,
                     const struct centred_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (rows[i].several && !has_single(t, w, &rows[i]))
            return false;
    return t->n_sure > 0 && n >= TABLE_ROWS && t->n_columns >= LIST_CELLS &&
           t->n_cells >= TABLE_CELLS;
}

static int by_left(const void *a, const void *b)
{
    const struct centred_column *x = a, *y = b;
    return (x->x0 > y->x0) - (x->x0 < y->x0);
}

/* Fills *ret with the edges of the rows, which are runs of a walk down, and of the columns. */
static void put_edges(struct centred_table *t, const struct centred_walk *w,
                      const struct centred_row *rows, size_t n, struct pl_edges *ret)
{
    *ret = (struct pl_edges){.n_columns = t->n_columns};
    qsort(t->columns, (size_t)t->n_columns, sizeof(*t->columns), by_left);
    for (int c = 1; c < t->n_columns; c++) {
        ret->x[c] = 0.5 * (t->columns[c - 1].x1 + t->columns[c].x0);
        ret->to[c] = PL_GRID_MAX_ROWS;
    }
    ret->x[0] = t->columns[0].x0;
    ret->x[t->n_columns] = t->columns[t->n_columns - 1].x1;
    ret->drawn_x[0] = ret->drawn_x[t->n_columns] = ret->drawn_y[0] = true;
    for (size_t r = 0; r < n; r++) {
        int top = INT_MAX, bottom = INT_MIN;
        for (size_t i = rows[r].first; i < rows[r].end; i++) {
            top = PL_MIN(top, w->v[i].box.y0);
            bottom = PL_MAX(bottom, w->v[i].box.y1);
        }
        ret->y[r] = r ? 0.5 * (ret->y[r] + top) : top;
        ret->y[r + 1] = bottom + 1;
        ret->n_rows++;
    }
}

/* Turns the walk round. */
static void turn_round(struct centred_walk *w)
{
    for (size_t i = 0, k = w->n; i < k; i++) {
        k--;
        const struct centred_run run = w->v[i];
        w->v[i] = w->v[k];
        w->v[k] = run;
    }
    for (size_t i = 0; i < w->n; i++)
        w->v[i].y = -w->v[i].y;
}

/* Grows a table down and up from the row that begins with run `at`: rows[0..*ret_n), which have
 * room for one a run. */
static void grow_table(struct centred_table *t, struct centred_walk *w, size_t at,
                       struct centred_row *rows, size_t *ret_n)
{
    const size_t down = take_rows(t, w, at, rows, PL_GRID_MAX_ROWS / 2);
    turn_round(w);
    const size_t up = take_rows(t, w, w->n - at, rows + down, PL_GRID_MAX_ROWS / 2);
    turn_round(w);
    for (size_t i = 0; i < up; i++) {
        struct centred_row *row = &rows[down + i];
        const size_t first = w->n - row->end;
        row->end = w->n - row->first;
        row->first = first;
    }
    *ret_n = down + up;
}

static int by_first(const void *a, const void *b)
{
    const struct centred_row *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

bool pl_bands_centred(struct pl_arena *arena, const struct pl_regions *regions, int *y,
                      struct pl_edges *ret)
{
    const struct pl_rect page = {0, *y, regions->width, regions->height};
    struct centred_row *rows = PL_NEW(arena, struct centred_row, PL_GRID_MAX_ROWS);
    struct pl_band_lines lines;
    struct centred_walk w;
    *ret = (struct pl_edges){.n_columns = 0};
    *y = regions->height;
    if (!rows || !pl_band_lines_take(arena, regions, page, &lines) ||
        !take_runs(arena, regions, &lines, &w))
        return false;
    for (size_t at = 0; at < w.n; at++) {
        struct centred_table t = {.n_columns = 0}, row = t;
        size_t n;
        if (!take_row(&row, &w, at, rows) || !rows->several)
            continue;
        grow_table(&t, &w, at, rows, &n);
        if (!is_table(&t, &w, rows, n))
            continue;
        qsort(rows, n, sizeof(*rows), by_first);
        put_edges(&t, &w, rows, n, ret);
        *y = (int)ret->y[n];
        return true;
    }
    return true;
}
