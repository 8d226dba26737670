/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of text that are one row of a table. Names of columns in two or three rows ("Quantity" above
 * "ordered") are closer to each other than the rows of the table, or a rule parts them from these;
 * text that was broken to fit into its column goes on closer below it than any row begins. */
#include <math.h>
#include <string.h>

#include "detect/ink/sort.h"
#include "layout/columns.h"
#include "layout/letters.h"
#include "layout/tables.h"
#include "layout/layout_tuning.def"

/* A table before its rows are joined. */
struct headed_table {
    const struct pl_regions *regions;
    const struct pl_block *block;
    const struct pl_table *t;
    struct pl_cell **cells; /* of each place of the grid */
    double *base;           /* of each row, the mean height of its baselines */
    bool *spans;            /* of each row: a cell is of several columns */
    double *step_px;        /* from the row above to each row; of the first one 0 */
    double usual_px;        /* step to a row of the table */
};

static struct pl_cell *cell_at(const struct headed_table *w, int row, int column)
{
    return w->cells[row * w->t->n_columns + column];
}

static bool is_filled(const struct headed_table *w, int row, int column)
{
    return cell_at(w, row, column)->n_lines > 0;
}

static int count_filled(const struct headed_table *w, int row)
{
    int n = 0;
    for (int c = 0; c < w->t->n_columns; c++)
        n += is_filled(w, row, c);
    return n;
}

/* Returns the box of the text of a cell that has some. */
static struct pl_rect text_box(const struct pl_cell *c)
{
    struct pl_rect box = c->lines->box;
    for (size_t i = 1; i < c->n_lines; i++)
        box = pl_rect_union(box, c->lines[i].box);
    return box;
}

/* Returns whether a text is a year of the last century or of this one, which names a column as
 * words do. */
static bool is_year(const char *text)
{
    return strlen(text) == 4 && strspn(text, "0123456789") == 4 &&
           (!strncmp(text, "19", 2) || !strncmp(text, "20", 2));
}

bool pl_cell_is_number(const struct pl_cell *c)
{
    bool figures = false;
    for (size_t i = 0; i < c->n_lines; i++) {
        const char *text = c->lines[i].text ? c->lines[i].text : "";
        if (pl_has_letters(text))
            return false;
        figures |= strpbrk(text, "0123456789") && !is_year(text);
    }
    return figures;
}

/* ---- what is known of the rows ---- */

/* Fills in what is known of a row; no cell is of several rows. */
static void measure_row(struct headed_table *w, int row)
{
    double sum = 0;
    size_t n = 0;
    for (int column = 0; column < w->t->n_columns; column++) {
        const struct pl_cell *c = cell_at(w, row, column);
        w->spans[row] |= c->n_columns > 1;
        for (size_t i = 0; i < c->n_lines; i++, n++)
            sum += pl_line_y(&c->lines[i], 0.5 * (c->lines[i].box.x0 + c->lines[i].box.x1));
    }
    w->base[row] = n ? sum / (double)n : 0;
    w->step_px[row] = row ? w->base[row] - w->base[row - 1] : 0;
}

static bool measure(struct pl_arena *arena, struct headed_table *w)
{
    const int n = w->t->n_rows, columns = w->t->n_columns;
    double *steps = PL_NEW(arena, double, (size_t)n);
    size_t n_steps = 0;
    w->cells = PL_NEW(arena, struct pl_cell *, (size_t)(n * columns));
    w->base = PL_NEW(arena, double, (size_t)n);
    w->step_px = PL_NEW(arena, double, (size_t)n);
    w->spans = PL_NEW(arena, bool, (size_t)n);
    if (!steps || !w->cells || !w->base || !w->step_px || !w->spans)
        return false;
    for (size_t i = 0; i < w->t->n_cells; i++) {
        struct pl_cell *c = &w->t->cells[i];
        for (int r = c->row; r < c->row + c->n_rows; r++)
            for (int k = c->column; k < c->column + c->n_columns; k++)
                w->cells[r * columns + k] = c;
    }
    for (int r = 0; r < n; r++) {
        measure_row(w, r);
        if (r && 2 * count_filled(w, r) > columns)
            steps[n_steps++] = w->step_px[r];
    }
    w->usual_px = pl_median(steps, n_steps);
    return true;
}

/* Returns whether level rules part most of a row from the one above. */
static bool is_ruled_off(const struct headed_table *w, int row)
{
    const struct pl_rect *box = &w->block->box;
    int ruled = 0;
    for (size_t i = 0; i < w->regions->n_rules; i++) {
        const struct pl_rule *r = &w->regions->rules[i];
        const int y = r->box.y0 + r->box.y1;
        if (!r->upright && y > 2 * w->base[row - 1] - w->regions->glyph_px &&
            y < 2 * w->base[row] - w->regions->glyph_px)
            ruled += PL_MAX(PL_MIN(r->box.x1, box->x1) - PL_MAX(r->box.x0, box->x0), 0);
    }
    return 2 * ruled > pl_rect_width(*box);
}

/* Returns whether a row is clearly closer to the one above than rows of the table are. */
static bool is_close(const struct headed_table *w, int row)
{
    return HEAD_STEP * w->step_px[row] < w->usual_px;
}

/* ---- which rows are one ---- */

/* Returns whether the text of a cell stands under that of row `above` in its column. */
static bool is_under(const struct headed_table *w, int above, int row, int column)
{
    return pl_stands_under(text_box(cell_at(w, above, column)), text_box(cell_at(w, row, column)),
                           CELLS_ALIGNED * w->regions->glyph_px);
}

/* Returns whether row `row` goes on with those above: its cells stand under the last ones of their
 * columns, and of the row and the others one has text in all columns in which the other has. */
static bool goes_on(const struct headed_table *w, int row)
{
    int both = 0, own = 0, above = 0;
    if (w->spans[row] || w->spans[row - 1] || is_ruled_off(w, row))
        return false;
    for (int c = 0; c < w->t->n_columns; c++) {
        int last = row - 1;
        while (last >= 0 && !is_filled(w, last, c))
            last--;
        if (last >= 0 && is_filled(w, row, c) && !is_under(w, last, row, c))
            return false;
        both += last >= 0 && is_filled(w, row, c);
        own += last < 0 && is_filled(w, row, c);
        above += last >= 0 && !is_filled(w, row, c);
    }
    return both && !(own && above);
}

/* Returns whether most cells with text below the first n rows are numbers in a column in which
 * these have a name. */
static bool names_numbers(const struct headed_table *w, int n)
{
    for (int c = 0; c < w->t->n_columns; c++) {
        int numbers = 0;
        bool named = false;
        for (int r = 0; r < n; r++)
            named |= is_filled(w, r, c);
        for (int r = n; r < w->t->n_rows; r++)
            if (is_filled(w, r, c))
                numbers += pl_cell_is_number(cell_at(w, r, c)) ? 1 : -1;
        if (named && numbers > 0)
            return true;
    }
    return false;
}

/* Returns whether the first n rows name the columns: they have words, of which some are not in the
 * first column, below which numbers stand, and are closer to each other than the rows below, or a
 * rule parts them from these. */
static bool is_head(const struct headed_table *w, int n)
{
    bool close = n + 1 < w->t->n_rows && HEAD_STEP * w->step_px[1] < w->step_px[n];
    int later = 0;
    for (int c = 1; c < w->t->n_columns; c++)
        later += is_filled(w, 0, c);
    for (int r = 0; r < n; r++) {
        for (int c = 0; c < w->t->n_columns; c++)
            if (pl_cell_is_number(cell_at(w, r, c)))
                return false;
        if (r && (!goes_on(w, r) || w->step_px[r] > HEAD_STEP * w->usual_px))
            return false;
        close &= !r || is_close(w, r);
    }
    return later && (close || is_ruled_off(w, n)) && names_numbers(w, n);
}

/* Returns how many rows at the top are one; 1 where none is known to go on. */
static int count_head(const struct headed_table *w)
{
    int n = HEAD_LINES;
    while (n > 1 && (n >= w->t->n_rows || !is_head(w, n)))
        n--;
    return n;
}

/* Returns whether a row may go on with the row of the table that begins with row `first`, and has
 * as many cells as a list: it has text, none of it numbers, in fewer columns, and in each of these
 * under what that has there. */
static bool may_go_on(const struct headed_table *w, int first, int row)
{
    int own = 0;
    if (w->spans[first] || w->spans[row] || is_ruled_off(w, row))
        return false;
    for (int c = 0; c < w->t->n_columns; c++) {
        if (!is_filled(w, row, c))
            continue;
        if (pl_cell_is_number(cell_at(w, row, c)) || !is_filled(w, first, c) ||
            !is_under(w, first, row, c))
            return false;
        own++;
    }
    return own && own < count_filled(w, first) && count_filled(w, first) >= LIST_CELLS;
}

/* Marks the rows behind the first `head` ones that go on with the row above: those that may, if
 * they are all clearly closer to it than any other row is. Returns whether there are any. */
static bool find_wraps(const struct headed_table *w, int head, bool *joins)
{
    double widest = 0, least = INFINITY;
    for (int r = head + 1, first = head; r < w->t->n_rows; r++) {
        joins[r] = may_go_on(w, first, r);
        first = joins[r] ? first : r;
        if (joins[r])
            widest = PL_MAX(widest, w->step_px[r]);
        else
            least = PL_MIN(least, w->step_px[r]);
    }
    const bool close = widest > 0 && isfinite(least) && HEAD_STEP * widest < least;
    for (int r = head + 1; r < w->t->n_rows && !close; r++)
        joins[r] = false;
    return close;
}

/* ---- the table in which they are ---- */

/* Appends the lines of column c of rows first to end - 1, and makes *ret their cell, of row `row`.
 */
static void join_cells(const struct headed_table *w, int first, int end, int c, int row,
                       struct pl_cell *ret, struct pl_line *lines, size_t *n_lines)
{
    *ret = *cell_at(w, first, c);
    ret->row = row;
    ret->lines = lines + *n_lines;
    ret->n_lines = 0;
    for (int r = first; r < end; r++) {
        const struct pl_cell *part = cell_at(w, r, c);
        ret->box = pl_rect_union(ret->box, part->box);
        if (part->n_lines)
            memcpy(lines + *n_lines, part->lines, part->n_lines * sizeof(*lines));
        ret->n_lines += part->n_lines;
        *n_lines += part->n_lines;
    }
}

/* Makes one row of each row of the block's table that is not marked and the marked ones below. */
static bool join_rows(struct pl_arena *arena, const struct headed_table *w, const bool *joins,
                      int n_head, struct pl_block *block)
{
    struct pl_table *t = PL_NEW(arena, struct pl_table, 1);
    struct pl_line *lines = PL_NEW(arena, struct pl_line, block->n_lines);
    size_t n_lines = 0;
    if (!t || !lines)
        return false;
    *t = (struct pl_table){.n_columns = w->t->n_columns,
                           .n_head = n_head,
                           .cells = PL_NEW(arena, struct pl_cell, w->t->n_cells)};
    if (!t->cells)
        return false;
    for (int r = 0, end; r < w->t->n_rows; r = end, t->n_rows++) {
        for (end = r + 1; end < w->t->n_rows && joins[end]; end++)
            continue;
        for (int c = 0; c < t->n_columns; c += t->cells[t->n_cells++].n_columns)
            join_cells(w, r, end, c, t->n_rows, &t->cells[t->n_cells], lines, &n_lines);
    }
    block->lines = lines;
    block->table = t;
    return true;
}

bool pl_table_join_rows(struct pl_arena *arena, const struct pl_regions *regions,
                        struct pl_block *block)
{
    struct headed_table w = {.regions = regions, .block = block, .t = block->table};
    bool joins[PL_GRID_MAX_ROWS] = {false};
    for (size_t i = 0; i < w.t->n_cells; i++)
        if (w.t->cells[i].n_rows > 1)
            return true;
    if (!measure(arena, &w))
        return false;
    const int head = count_head(&w);
    for (int r = 1; r < head; r++)
        joins[r] = true;
    const bool any = find_wraps(&w, head > 1 ? head : w.t->n_head, joins);
    return (head < 2 && !any) || join_rows(arena, &w, joins, head > 1 ? 1 : w.t->n_head, block);
}
