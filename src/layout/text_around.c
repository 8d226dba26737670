/* SPDX-License-Identifier: BSD-2-Clause */
/* Text right above and below a table, in one block with it: no white parts it from the rows of the
 * table, which it does not share: it runs across their columns. */
#include <string.h>

#include "layout/columns.h"
#include "layout/line_words.h"
#include "layout/tables.h"
#include "layout/text_rows.h"
#include "layout/layout_tuning.def"

/* A row of text that no white parts, beside the columns of a table. */
struct text_across {
    bool is_text; /* it has no white, and is across, or begins with the table */
    bool leaves;  /* it reaches out of the first column, as a cell of several */
    bool across;  /* it reaches from the first column into the last one, or begins as a caption */
};

struct table_sides {
    const struct pl_table *table;
    double left, first_x, last_x; /* the left end, and where the second and the last column begin */
    double gap_px, slack_px;
};

static struct table_sides sides_of(const struct pl_block *b, double xheight_px)
{
    struct table_sides ret = {.table = b->table,
                              .left = b->box.x0,
                              .first_x = b->box.x1,
                              .last_x = b->box.x0,
                              .gap_px = CELL_GAP * xheight_px,
                              .slack_px = CELLS_ALIGNED * xheight_px};
    for (size_t i = 0; i < b->table->n_cells; i++)
        if (b->table->cells[i].column) {
            ret.first_x = PL_MIN(ret.first_x, b->table->cells[i].box.x0);
            ret.last_x = PL_MAX(ret.last_x, b->table->cells[i].box.x0);
        }
    return ret;
}

/* Returns whether a cell of a row is of several columns: names of columns that are as close to each
 * other as words are none. */
static bool spans(const struct pl_table *t, size_t row)
{
    bool ret = false;
    for (size_t i = 0; i < t->n_cells; i++)
        ret |= t->cells[i].row == (int)row && t->cells[i].n_lines && t->cells[i].n_columns > 1;
    return ret;
}

/* Tells what row i is beside the columns of the table; all is false where white parts it. */
static struct text_across look_at(const struct table_sides *s, const struct pl_text_row *rows,
                                  size_t i)
{
    const struct pl_text_row *row = &rows[i];
    struct pl_rect runs[PL_MAX_RUNS];
    struct text_across ret = {false};
    size_t n = 0;
    for (size_t k = 0; k < row->n; k++)
        n = pl_line_runs(&row->lines[k], 0, pl_line_count_words(&row->lines[k]), s->gap_px, 0, runs,
                         n);
    if (n != 1)
        return ret;
    ret.leaves = runs->x0 < s->first_x && spans(s->table, i);
    ret.across =
        (ret.leaves && runs->x1 > s->last_x + s->slack_px) || pl_text_rows_are_caption(row, 1);
    ret.is_text = ret.across || runs->x0 <= s->left + s->slack_px;
    return ret;
}

static bool has_figures(const struct pl_text_row *row)
{
    bool ret = false;
    for (size_t i = 0; i < row->n; i++)
        ret |= row->lines[i].text && strpbrk(row->lines[i].text, "0123456789");
    return ret;
}

/* Returns how many rows at the start are a text: rows that no white parts, of which one runs across
 * all columns or, above a row that names the columns, out of the first one: others may be the title
 * of the first rows. */
static size_t count_before(const struct table_sides *s, const struct pl_text_row *rows, size_t n)
{
    bool leaves = false, across = false;
    size_t i = 0;
    for (struct text_across row; i < n && (row = look_at(s, rows, i)).is_text; i++) {
        leaves |= row.leaves;
        across |= row.across;
    }
    const bool named = i + 1 < n && !has_figures(&rows[i]) && has_figures(&rows[i + 1]);
    return i < n && (across || (leaves && named)) ? i : 0;
}

/* Returns how many rows at the end are a text: one that runs across all columns, and those below
 * it. */
static size_t count_behind(const struct table_sides *s, const struct pl_text_row *rows, size_t n)
{
    size_t ret = 0;
    struct text_across row;
    for (size_t i = 1; i < n && (row = look_at(s, rows, n - i)).is_text; i++)
        ret = row.across ? i : ret;
    return ret;
}

void pl_table_find_text(const struct pl_block *table, const struct pl_text_row *rows, size_t n,
                        double xheight_px, size_t *ret_before, size_t *ret_behind)
{
    const struct table_sides s = sides_of(table, xheight_px);
    *ret_before = count_before(&s, rows, n);
    *ret_behind = count_behind(&s, rows, n);
}
