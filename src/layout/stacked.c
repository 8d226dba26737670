/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables without rules that stand in several blocks: heads over them, sums below, and groups of
 * rows with white between them. */
#include <string.h>

#include "layout/columns.h"
#include "layout/grid.h"
#include "layout/line_words.h"
#include "layout/tables.h"
#include "layout/layout_tuning.def"

/* The columns of a table. */
struct table_columns {
    double x[PL_GRID_MAX_COLUMNS]; /* where column i > 0 begins */
    int n;
    double gap_px, slack_px;
};

static struct table_columns columns_of(const struct pl_table *t, double glyph_px, double xheight_px)
{
    struct table_columns ret = {
        .n = t->n_columns, .gap_px = COLUMN_GAP * glyph_px, .slack_px = CELLS_ALIGNED * xheight_px};
    for (size_t i = 0; i < t->n_cells; i++)
        ret.x[t->cells[i].column] = t->cells[i].box.x0;
    return ret;
}

/* Returns in how many columns the runs stand; -1 where one reaches from one into the next. */
static int count_columns(const struct table_columns *c, const struct pl_rect *runs, size_t n)
{
    bool filled[PL_GRID_MAX_COLUMNS] = {false};
    int ret = 0;
    for (size_t i = 0; i < n; i++) {
        int at = 0;
        for (int k = 1; k < c->n; k++) {
            if (runs[i].x0 < c->x[k] - c->slack_px && runs[i].x1 > c->x[k] + c->slack_px)
                return -1;
            at = runs[i].x0 + runs[i].x1 >= 2 * c->x[k] ? k : at;
        }
        ret += !filled[at];
        filled[at] = true;
    }
    return ret;
}

/* Returns whether the rows of a block stand in the columns: of one that is no table, they are few,
 * and fill most columns each. */
static bool stands_in(const struct pl_block *b, const struct table_columns *c)
{
    struct pl_rect runs[PL_MAX_RUNS];
    int n_rows = 0, n_filled = 0;
    for (size_t i = 0, end; i < b->n_lines; i = end, n_rows++) {
        size_t n = 0;
        for (end = i;
             end < b->n_lines && (end == i || pl_same_row(&b->lines[end - 1], &b->lines[end]));
             end++) {
            if (b->lines[end].quarters)
                return false;
            n = pl_line_runs(&b->lines[end], 0, pl_line_count_words(&b->lines[end]), c->gap_px,
                             COLUMN_GAP, runs, n);
        }
        const int columns = count_columns(c, runs, n);
        if (columns < 0)
            return false;
        n_filled += columns > 1 && 2 * columns > c->n;
    }
    return b->table ? n_filled > 0 : n_filled == n_rows && n_rows <= HEAD_ROWS;
}

/* Returns whether a block may be a part of such a table: it is none that rules made. */
static bool may_be_part(const struct pl_regions *regions, const struct pl_block *b)
{
    for (size_t i = 0; b->table && i < regions->n_blocks; i++)
        if (regions->blocks[i].table == b->table)
            return false;
    return b->n_lines && (b->table || b->kind == PL_BLOCK_TEXT || b->kind == PL_BLOCK_HEADING);
}

/* Makes one table of two blocks, of which the second one stands below the first, where the rows of
 * one stand in the columns of the other. *ret_made tells whether it did; false when memory is
 * short. */
static bool join_blocks(struct pl_arena *arena, const struct pl_table_stack *s,
                        const struct pl_block *above, const struct pl_block *below,
                        struct pl_block *ret, bool *ret_made)
{
    const bool first =
        above->table && (!below->table || above->table->n_columns >= below->table->n_columns);
    const struct pl_block *table = first ? above : below, *other = first ? below : above;
    const int white = below->box.y0 - above->box.y1;
    *ret_made = false;
    if (!table->table || white < 0 || white > TABLE_APART * s->pitch_px)
        return true;
    const struct table_columns c = columns_of(table->table, s->regions->glyph_px, s->xheight_px);
    if (other->box.x0 < table->box.x0 - c.gap_px || other->box.x1 > table->box.x1 + c.gap_px ||
        !stands_in(other, &c))
        return true;
    *ret = (struct pl_block){.kind = PL_BLOCK_TEXT,
                             .box = pl_rect_union(above->box, below->box),
                             .n_lines = above->n_lines + below->n_lines};
    ret->lines = PL_NEW(arena, struct pl_line, ret->n_lines);
    if (!ret->lines)
        return false;
    memcpy(ret->lines, above->lines, above->n_lines * sizeof(*ret->lines));
    memcpy(ret->lines + above->n_lines, below->lines, below->n_lines * sizeof(*ret->lines));
    if (!pl_table_aligned(arena, s->regions, s->xheight_px, TABLE_CELLS, ret, ret_made))
        return false;
    *ret_made = *ret_made && ret->table->n_columns >= c.n;
    return true;
}

bool pl_tables_stack(struct pl_arena *arena, const struct pl_table_stack *s,
                     struct pl_block *blocks, size_t *n)
{
    size_t kept = 0;
    for (size_t i = 0; i < *n; i++) {
        struct pl_block joined;
        bool made = false;
        if (kept && may_be_part(s->regions, &blocks[kept - 1]) &&
            may_be_part(s->regions, &blocks[i]) &&
            !join_blocks(arena, s, &blocks[kept - 1], &blocks[i], &joined, &made))
            return false;
        if (made)
            blocks[kept - 1] = joined;
        else
            blocks[kept++] = blocks[i];
    }
    *n = kept;
    return true;
}
