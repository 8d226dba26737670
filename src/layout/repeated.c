/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists that go on in columns beside themselves, as telephone books, registers and price lists do:
 * a name and its number, and beside these a name and its number again. By its words that is one
 * wide table; it is read from top to bottom. */
#include <math.h>
#include <string.h>

#include "detect/ink/sort.h"
#include "layout/blocks.h"
#include "layout/grid.h"
#include "layout/letters.h"
#include "layout/layout_tuning.def"

/* What stands in a column of a table. */
struct list_column {
    size_t filled, figures; /* cells with text; those with no more letters than figures */
    size_t amounts;         /* cells that end in two decimals */
    double left;            /* where its text begins, the median of its cells */
};

struct list_table {
    const struct pl_table *table;
    double right, slack_px;
    struct list_column columns[PL_GRID_MAX_COLUMNS];
};

/* Returns whether a text has figures, and no more letters than these. */
static bool is_figures(const char *text)
{
    size_t figures = 0, letters = 0;
    for (; *text; text++) {
        figures += pl_is_figure(*text);
        letters += pl_is_letter(*text);
    }
    return figures && letters <= figures;
}

/* Measures a column; cells that reach into another one tell nothing. `scratch` has room for all
 * cells. */
static struct list_column measure(const struct pl_table *t, int column, double *scratch)
{
    struct list_column ret = {.left = NAN};
    for (size_t i = 0; i < t->n_cells; i++) {
        const struct pl_cell *c = &t->cells[i];
        if (c->column != column || c->n_columns > 1 || !c->n_lines || !c->lines->n_words)
            continue;
        scratch[ret.filled++] = c->lines->box.x0;
        ret.figures += is_figures(c->lines->text);
        ret.amounts += pl_is_amount(c->lines->text);
    }
    if (ret.filled)
        ret.left = pl_median(scratch, ret.filled);
    return ret;
}

/* Returns whether a column has names. */
static bool is_names(const struct list_column *c)
{
    return c->filled >= TABLE_ROWS && 2 * c->figures < c->filled;
}

/* Returns whether a column has numbers. */
static bool is_numbers(const struct list_column *c)
{
    return c->filled >= TABLE_ROWS && (double)c->figures >= LIST_NUMBERS * (double)c->filled;
}

/* Returns the first column from `first` on that begins at x; -1 where none does. */
static int column_at(const struct list_table *t, int first, double x)
{
    for (int i = first; i < t->table->n_columns; i++)
        if (fabs(t->columns[i].left - x) <= t->slack_px)
            return i;
    return -1;
}

/* Returns whether columns first to end - 1 are those of a list: names, and numbers behind them. */
static bool are_list(const struct list_table *t, int first, int end)
{
    for (int i = first + 1; is_names(&t->columns[first]) && i < end; i++)
        if (is_numbers(&t->columns[i]))
            return true;
    return false;
}

/* Fills `starts` with the columns where a list begins that goes on `pitch` px to the right, from
 * place to place up to the end of the table, the first column among them; returns how many, or 0
 * where that is none, or its last part is less than half as wide as the others. */
static int find_starts(const struct list_table *t, double pitch, int *starts)
{
    int n = 1;
    starts[0] = 0;
    for (; t->columns[0].left + n * pitch + t->slack_px < t->right; n++) {
        const int next =
            n < PL_MAX_SIDES ? column_at(t, starts[n - 1] + 1, t->columns[0].left + n * pitch) : -1;
        if (next < 0 || !are_list(t, starts[n - 1], next))
            return 0;
        starts[n] = next;
    }
    const bool wide = 2 * (t->right - t->columns[starts[n - 1]].left) > pitch;
    return wide && are_list(t, starts[n - 1], t->table->n_columns) ? n : 0;
}

/* Returns the text of a row in the first column from *column to end - 1 that has any there, and
 * moves *column behind it; "" where none has. */
static const char *next_text(const struct pl_table *t, int row, int *column, int end)
{
    for (size_t i = 0; i < t->n_cells && t->cells[i].row <= row; i++)
        if (t->cells[i].row == row && t->cells[i].n_lines && t->cells[i].column >= *column &&
            t->cells[i].column < end) {
            *column = t->cells[i].column + 1;
            return t->cells[i].lines->text;
        }
    *column = end;
    return "";
}

/* Returns whether each column of numbers has a text in the row; *ret_named is whether none of these
 * is a number. */
static bool is_full(const struct list_table *t, int row, bool *ret_named)
{
    *ret_named = true;
    for (int i = 0; i < t->table->n_columns; i++) {
        int column = i;
        const char *text = next_text(t->table, row, &column, i + 1);
        if (is_numbers(&t->columns[i]) && !*text)
            return false;
        *ret_named &= !is_numbers(&t->columns[i]) || !is_figures(text);
    }
    return true;
}

/* Returns whether a row has the same texts in columns a to end_a - 1 as in b to end_b - 1. */
static bool have_same_texts(const struct pl_table *t, int row, int a, int end_a, int b, int end_b)
{
    while (a < end_a || b < end_b)
        if (strcmp(next_text(t, row, &a, end_a), next_text(t, row, &b, end_b)))
            return false;
    return true;
}

/* Returns whether the first full row names the columns of one table: it has no numbers, and not the
 * same names for each list. */
static bool has_other_names(const struct list_table *t, const int *starts, int n)
{
    bool named = false, same = true;
    int row = 0;
    while (row < t->table->n_rows && !is_full(t, row, &named))
        row++;
    for (int i = 1; i < n; i++)
        same &= have_same_texts(t->table, row, 0, starts[1], starts[i],
                                i + 1 < n ? starts[i + 1] : t->table->n_columns);
    return row < t->table->n_rows && named && !same;
}

/* Returns whether fewer rows are enough for a list in n parts, as of articles and prices: all
 * numbers are amounts, and all parts have as many columns. */
static bool are_prices(const struct list_table *t, const int *starts, int n)
{
    bool prices = t->table->n_rows >= AMOUNT_ROWS;
    for (int i = 0; i < t->table->n_columns; i++)
        prices &= !is_numbers(&t->columns[i]) || t->columns[i].amounts == t->columns[i].figures;
    for (int i = 1; i < n; i++)
        prices &= (i + 1 < n ? starts[i + 1] : t->table->n_columns) - starts[i] == starts[1];
    return prices;
}

bool pl_table_find_lists(struct pl_arena *arena, const struct pl_block *b, double slack_px,
                         double *ret, size_t *ret_n)
{
    struct list_table t = {.table = b->table, .right = b->box.x1, .slack_px = slack_px};
    double *scratch = PL_NEW(arena, double, b->table->n_cells);
    int starts[PL_MAX_SIDES], n = 0;
    *ret_n = 0;
    if (!scratch)
        return false;
    for (int i = 0; i < t.table->n_columns; i++)
        t.columns[i] = measure(t.table, i, scratch);
    for (int i = 2; i < t.table->n_columns && n < 2; i++)
        if (t.columns[i].left > t.columns[0].left + slack_px)
            n = find_starts(&t, t.columns[i].left - t.columns[0].left, starts);
    if (t.table->n_rows < LIST_ROWS && !are_prices(&t, starts, n))
        return true;
    for (int i = 1; i < n && !has_other_names(&t, starts, n); i++)
        ret[(*ret_n)++] = t.columns[starts[i]].left - slack_px;
    return true;
}
