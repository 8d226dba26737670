/* SPDX-License-Identifier: BSD-2-Clause */
/* Names that stand beside their columns: a name that begins at the left above figures that end at
 * the right has white between them in all rows, and is in a column of its own. A column that has
 * nothing but a name, and the one beside it that has nothing but values, are one. */
#include "base/attr.h"
#include "layout/grid.h"
#include "layout/tables.h"
#include "layout/layout_tuning.def"

/* The text of a column. */
struct text_column {
    int first, n; /* row, and how many cells; 0 = none */
    int left, right;
    bool beside; /* a row has text in the next column, too */
};

struct columns_table {
    const struct pl_regions *regions;
    struct pl_table *t;
    struct text_column columns[PL_GRID_MAX_COLUMNS];
    int n_names; /* rows at the top that may be names: none of their cells is a number */
};

static void add_text(struct text_column *column, const struct pl_cell *c)
{
    column->first = column->n ? column->first : c->row;
    column->n++;
    for (size_t i = 0; i < c->n_lines; i++) {
        column->left = PL_MIN(column->left, c->lines[i].box.x0);
        column->right = PL_MAX(column->right, c->lines[i].box.x1);
    }
}

static void measure(struct columns_table *w)
{
    const struct pl_cell *last = NULL;
    w->n_names = HEAD_LINES;
    for (int i = 0; i < w->t->n_columns; i++)
        w->columns[i] = (struct text_column){.left = w->regions->width};
    for (size_t i = 0; i < w->t->n_cells; i++) {
        const struct pl_cell *c = &w->t->cells[i];
        if (!c->n_lines)
            continue;
        add_text(&w->columns[c->column], c);
        if (last && last->row == c->row && last->column + last->n_columns == c->column)
            w->columns[c->column - 1].beside = true;
        if (pl_cell_is_number(c))
            w->n_names = PL_MIN(w->n_names, c->row);
        last = c;
    }
}

/* Returns whether an upright rule stands between the texts of two columns beside each other. */
static bool are_ruled_apart(const struct columns_table *w, const struct pl_rect *table, int left)
{
    for (size_t i = 0; i < w->regions->n_rules; i++) {
        const struct pl_rule *r = &w->regions->rules[i];
        if (r->upright && r->box.y0 < table->y1 && r->box.y1 > table->y0 &&
            r->box.x0 >= w->columns[left].right && r->box.x1 <= w->columns[left + 1].left)
            return true;
    }
    return false;
}

/* Returns whether column `name` has the name of column `values`, which has none, and hardly any
 * value: some may be as wide as to reach below the name. */
static bool is_name_of(const struct columns_table *w, int name, int values)
{
    const struct text_column *b = &w->columns[values];
    const int end = PL_MIN(w->n_names, b->first);
    int n_names = 0, n_others = 0;
    for (size_t i = 0; i < w->t->n_cells; i++) {
        const struct pl_cell *c = &w->t->cells[i];
        if (c->n_lines && c->column == name) {
            n_names += c->row < end;
            n_others += c->row >= end;
        }
    }
    return n_names && b->n > 1 && n_others <= COLUMN_CROSSED * (n_names + n_others + b->n);
}

/* Returns whether columns `left` and `left` + 1 are a name and its values. What stands left of all
 * other columns is titles of rows, which have no name often: the next one names others. */
static bool is_pair(const struct columns_table *w, const struct pl_rect *table, int left)
{
    return !w->columns[left].beside &&
           (is_name_of(w, left, left + 1) || (left && is_name_of(w, left + 1, left))) &&
           !are_ruled_apart(w, table, left);
}

/* Marks which columns go with the one to their right. In a row of names and values in turn each
 * name goes with the values to its right, unless it begins with values and ends with a name. */
static bool find_pairs(const struct columns_table *w, const struct pl_rect *table, bool *joins)
{
    bool any = false;
    for (int c = 0, end; c < w->t->n_columns; c = end + 1) {
        for (end = c; end + 1 < w->t->n_columns && is_pair(w, table, end); end++)
            continue;
        if ((end - c) % 2 == 0 && end > c && !is_name_of(w, c, c + 1))
            c++;
        for (; c < end; c += 2)
            any = joins[c] = true;
    }
    return any;
}

/* Takes one column from `cell`, at its left or right end; returns whether it has others. */
static bool narrow_cell(struct pl_cell *cell, bool left)
{
    cell->column += left;
    return --cell->n_columns > 0;
}

/* Adds the next cell to cells[0..n), where the place of the last one may be its own, too: the one
 * that has text there keeps it. Returns how many cells there are then. */
static size_t add_cell(struct pl_cell *cells, size_t n, struct pl_cell next)
{
    struct pl_cell *last = n ? &cells[n - 1] : NULL;
    if (!last || last->row != next.row || last->column + last->n_columns <= next.column) {
        cells[n] = next;
        return n + 1;
    }
    const struct pl_rect both = pl_rect_union(last->box, next.box);
    if (!next.n_lines || (last->n_lines && last->n_columns == 1)) {
        if (narrow_cell(&next, true))
            cells[n++] = next;
        else
            last->box = both;
        return n;
    }
    if (narrow_cell(last, false)) {
        cells[n] = next;
        return n + 1;
    }
    *last = next;
    last->box = both;
    return n;
}

/* Makes one column of each that is marked and the one to its right. */
static void join_columns(struct pl_table *t, const bool *joins)
{
    int column[PL_GRID_MAX_COLUMNS]; /* the new number of each */
    const size_t n = t->n_cells;
    for (int c = 0; c < t->n_columns; c++)
        column[c] = c ? column[c - 1] + !joins[c - 1] : 0;
    t->n_columns = column[t->n_columns - 1] + 1;
    t->n_cells = 0;
    for (size_t i = 0; i < n; i++) {
        struct pl_cell c = t->cells[i];
        const int end = column[c.column + c.n_columns - 1] + 1;
        c.column = column[c.column];
        c.n_columns = end - c.column;
        t->n_cells = add_cell(t->cells, t->n_cells, c);
    }
}

static bool has_high_cells(const struct pl_table *t)
{
    bool ret = false;
    for (size_t i = 0; i < t->n_cells; i++)
        ret |= t->cells[i].n_rows > 1;
    return ret;
}

bool pl_table_join_names(struct pl_arena *arena, const struct pl_regions *regions,
                         struct pl_block *block)
{
    struct columns_table *w = PL_NEW(arena, struct columns_table, 1);
    struct pl_table *t = PL_NEW(arena, struct pl_table, 1);
    bool joins[PL_GRID_MAX_COLUMNS] = {false};
    if (!w || !t)
        return false;
    *t = *block->table;
    *w = (struct columns_table){.regions = regions, .t = t};
    measure(w);
    if (has_high_cells(t) || !find_pairs(w, &block->box, joins))
        return true;
    join_columns(t, joins);
    t->n_head = t->n_head ? t->n_head : pl_cells_have_head(t->cells, t->n_cells);
    block->table = t;
    return true;
}
