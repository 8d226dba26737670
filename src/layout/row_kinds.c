/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of several kinds in turn, as an order has them whose items have rows of dates below them,
 * with names of their own: each kind has columns of its own, and all of them are those of one
 * table. Cells that stand under those of a row before tell that two rows are of a kind. */
#include <math.h>
#include <string.h>

#include "layout/columns.h"
#include "layout/grid.h"
#include "layout/layout_tuning.def"

#define MOST_KINDS 16 /* that are looked at, before those of few rows are left out */
#define NO_KIND UINT8_MAX

/* The last cell of each column of the rows of a kind. */
struct row_kind {
    struct pl_rect cells[PL_MAX_RUNS];
    size_t n;
    size_t n_rows, n_last; /* rows, and cells of the last one */
};

/* Fills `cells` with the runs of a row; returns how many. */
static size_t cells_of(const struct pl_words_row *r, struct pl_rect *cells)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++)
        if (n && r->words[i].x0 - cells[n - 1].x1 < r->gap_px)
            cells[n - 1] = pl_rect_union(cells[n - 1], r->words[i]);
        else
            cells[n++] = r->words[i];
    return n;
}

static size_t find_column(const struct row_kind *k, struct pl_rect cell, double tolerance_px)
{
    size_t i = 0;
    while (i < k->n && !pl_stands_under(k->cells[i], cell, tolerance_px))
        i++;
    return i;
}

static size_t count_under(const struct row_kind *k, const struct pl_rect *cells, size_t n,
                          double tolerance_px)
{
    size_t hits = 0;
    for (size_t i = 0; i < n; i++)
        hits += find_column(k, cells[i], tolerance_px) < k->n;
    return hits;
}

/* Returns the kind of which most cells stand under those of rows before: more than half of them
 * and, where they are as many as a list has, of those of its last row, since a few cells stand
 * under some of many by chance. n where there is none. */
static size_t find_kind(const struct row_kind *kinds, size_t n, const struct pl_rect *cells,
                        size_t n_cells, double tolerance_px)
{
    size_t best = n, most = n_cells / 2;
    for (size_t i = 0; i < n; i++) {
        const size_t hits = count_under(&kinds[i], cells, n_cells, tolerance_px);
        if (hits > most && (n_cells < LIST_CELLS || 2 * hits > kinds[i].n_last)) {
            best = i;
            most = hits;
        }
    }
    return best;
}

static void add_row(struct row_kind *k, const struct pl_rect *cells, size_t n, double tolerance_px)
{
    k->n_rows++;
    k->n_last = n;
    for (size_t i = 0; i < n; i++) {
        const size_t at = find_column(k, cells[i], tolerance_px);
        if (at < PL_MAX_RUNS)
            k->cells[at] = cells[i];
        k->n = PL_MAX(k->n, PL_MIN(at + 1, (size_t)PL_MAX_RUNS));
    }
}

/* Numbers the kinds that have enough rows; returns how many there are. */
static int number_kinds(const struct row_kind *kinds, size_t n, uint8_t *number)
{
    int kept = 0;
    for (size_t i = 0; i < n; i++)
        number[i] =
            kinds[i].n_rows >= TABLE_ROWS && kept < PL_ROW_KINDS ? (uint8_t)kept++ : NO_KIND;
    return kept;
}

bool pl_row_kinds_tell(struct pl_arena *arena, const struct pl_words_row *rows, size_t n,
                       double tolerance_px, uint8_t *kind, int *ret_n)
{
    struct row_kind *kinds = PL_NEW(arena, struct row_kind, MOST_KINDS);
    struct pl_rect cells[PL_MAX_RUNS];
    uint8_t number[MOST_KINDS];
    size_t n_kinds = 0;
    if (!kinds)
        return false;
    for (size_t i = 0; i < n; i++) {
        const size_t n_cells = cells_of(&rows[i], cells);
        const size_t at = find_kind(kinds, n_kinds, cells, n_cells, tolerance_px);
        kind[i] = n_cells < 2 || at == MOST_KINDS ? NO_KIND : (uint8_t)at;
        if (kind[i] == NO_KIND)
            continue;
        n_kinds = PL_MAX(n_kinds, at + 1);
        add_row(&kinds[at], cells, n_cells, tolerance_px);
    }
    *ret_n = number_kinds(kinds, n_kinds, number);
    for (size_t i = 0; i < n; i++)
        kind[i] = kind[i] == NO_KIND ? NO_KIND : number[kind[i]];
    return true;
}

/* ---- the columns of all kinds ---- */

/* Returns whether nearly all rows have no word between x0 and x1. */
static bool is_white(const struct pl_kind_rows *k, double x0, double x1)
{
    size_t filled = 0;
    for (size_t i = 0; i < k->n; i++) {
        bool any = false;
        for (size_t w = 0; w < k->rows[i]->n; w++)
            any |= k->rows[i]->words[w].x0 < x1 && k->rows[i]->words[w].x1 > x0;
        filled += any;
    }
    return (double)filled <= COLUMN_CROSSED * (double)k->n;
}

/* Returns whether in rows of the kind edges at a and b are one: there is no text between them. */
static bool are_one(const struct pl_kind_rows *k, double a, double b)
{
    return is_white(k, PL_MIN(a, b), PL_MAX(a, b));
}

/* Returns how far an edge at `from` can be moved towards `to` in rows of the kind. */
static double reach_of(const struct pl_kind_rows *k, double from, double to)
{
    double white = from, text = to;
    if (are_one(k, from, to))
        return to;
    while (fabs(text - white) > 1) {
        const double x = 0.5 * (white + text);
        if (are_one(k, from, x))
            white = x;
        else
            text = x;
    }
    return white;
}

/* Returns whether edge i and one at x in rows of kind k can be the same edge: all kinds have a
 * blank in one place between. Writes to *ret_x where it is then. */
static bool can_meet(const struct pl_kind_columns *c, const struct pl_kind_rows *kinds, int k,
                     int i, double x, double blank_px, double *ret_x)
{
    const double at = c->x[i], other = reach_of(&kinds[k], x, at);
    double own = x;
    for (int h = 0; h < PL_ROW_KINDS; h++) {
        const double reach = c->holds[h][i] ? reach_of(&kinds[h], at, x) : x;
        own = fabs(reach - at) < fabs(own - at) ? reach : own;
    }
    *ret_x = other == at ? at : 0.5 * (own + other);
    return other == at || fabs(other - x) + fabs(own - at) >= fabs(x - at) + blank_px;
}

/* Lets an edge of kind k hold in its rows: the nearest one that can be the same and does not hold
 * there yet, or a new one. */
static void add_edge(const struct pl_kind_rows *kinds, int k, double blank_px, int edge,
                     struct pl_kind_columns *ret)
{
    const double x = kinds[k].columns.x[edge];
    int best = ret->n;
    double best_x = x, met;
    for (int i = 0; i < ret->n; i++)
        if (!ret->holds[k][i] && can_meet(ret, kinds, k, i, x, blank_px, &met) &&
            (best == ret->n || fabs(ret->x[i] - x) < fabs(ret->x[best] - x))) {
            best = i;
            best_x = met;
        }
    if (best == PL_GRID_MAX_COLUMNS - 1)
        return;
    ret->n = PL_MAX(ret->n, best + 1);
    ret->x[best] = best_x;
    ret->holds[k][best] = true;
    ret->narrow[k][best] = kinds[k].columns.narrow[edge];
}

static void add_edges(const struct pl_kind_rows *kinds, int k, double blank_px,
                      struct pl_kind_columns *ret)
{
    for (int i = 0; i < kinds[k].columns.n; i++)
        add_edge(kinds, k, blank_px, i, ret);
}

/* Returns whether edge i may part the rows of kind k, too: they have white there, and text between
 * it and each edge that holds in them. */
static bool is_apart(const struct pl_kind_columns *c, const struct pl_kind_rows *kinds, int k,
                     int i)
{
    bool ret = is_white(&kinds[k], c->x[i], c->x[i]);
    for (int at = 0; at < c->n; at++)
        ret = ret && !(c->holds[k][at] && are_one(&kinds[k], c->x[i], c->x[at]));
    return ret;
}

/* Lets edges of kind `from` hold in rows of kind k where these have columns without text. */
static void lend_edges(const struct pl_kind_rows *kinds, int from, int k,
                       struct pl_kind_columns *ret)
{
    bool lent[PL_GRID_MAX_COLUMNS];
    for (int i = 0; i < ret->n; i++)
        lent[i] = ret->holds[from][i] && is_apart(ret, kinds, k, i);
    for (int i = 0; i < ret->n; i++)
        if (lent[i]) {
            ret->holds[k][i] = true;
            ret->narrow[k][i] = ret->narrow[from][i];
        }
}

/* Fills *ret with the edges of `c`, from left to right. */
static void sort_columns(const struct pl_kind_columns *c, struct pl_kind_columns *ret)
{
    *ret = (struct pl_kind_columns){.n = c->n};
    for (int i = 0; i < c->n; i++) {
        int at = 0; /* how many are to the left */
        for (int k = 0; k < c->n; k++)
            at += c->x[k] < c->x[i] || (c->x[k] == c->x[i] && k < i);
        ret->x[at] = c->x[i];
        for (int k = 0; k < PL_ROW_KINDS; k++) {
            ret->holds[k][at] = c->holds[k][i];
            ret->narrow[k][at] = c->narrow[k][i];
        }
    }
}

int pl_kinds_most(const struct pl_kind_rows *kinds, int n)
{
    int most = 0;
    for (int k = 1; k < n; k++)
        most = kinds[k].columns.n > kinds[most].columns.n ? k : most;
    return most;
}

bool pl_kind_columns_join(struct pl_arena *arena, const struct pl_kind_rows *kinds, int n,
                          double blank_px, struct pl_kind_columns *ret)
{
    struct pl_kind_columns *c = PL_NEW(arena, struct pl_kind_columns, 1);
    if (!c)
        return false;
    const int most = pl_kinds_most(kinds, n);
    add_edges(kinds, most, blank_px, c);
    for (int k = 0; k < n; k++)
        if (k != most)
            add_edges(kinds, k, blank_px, c);
    for (int k = 0; k < n; k++)
        if (k != most)
            lend_edges(kinds, most, k, c);
    sort_columns(c, ret);
    ret->most = most;
    return true;
}
