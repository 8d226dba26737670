/* SPDX-License-Identifier: BSD-2-Clause */
/* Lays lines into the grid of a table. */
#include <math.h>
#include <string.h>

#include "base/sets.h"
#include "detect/ink/sort.h"
#include "layout/grid.h"
#include "layout/line_words.h"
#include "layout/layout_tuning.def"

/* The cell of words outside of the grid. */
#define OUTSIDE UINT32_MAX

/* ---- cells: places that nothing parts ---- */

static struct pl_rect box_of_span(const struct pl_regions *regions, const struct pl_table_grid *g,
                                  const struct pl_place_span *s)
{
    const struct pl_rect page = {0, 0, regions->width, regions->height};
    const struct pl_rect box = {(int)lround(g->x[s->column0]), (int)lround(g->y[s->row0]),
                                (int)lround(g->x[s->column1]), (int)lround(g->y[s->row1])};
    return pl_rect_intersect(box, page);
}

bool pl_laying_begin(struct pl_arena *arena, const struct pl_regions *regions,
                     const struct pl_table_grid *grid, size_t room, struct pl_laying *ret)
{
    const uint32_t n = (uint32_t)(grid->n_rows * grid->n_columns);
    struct pl_places places;
    *ret = (struct pl_laying){.regions = regions,
                              .grid = grid,
                              .cells = PL_NEW(arena, struct pl_cell, n),
                              .owner = PL_NEW(arena, uint32_t, n),
                              .lines = PL_NEW(arena, struct pl_line, room),
                              .cell_of = PL_NEW(arena, double, room)};
    if (!ret->cells || !ret->owner || !ret->lines || !ret->cell_of ||
        !pl_places_join(arena, grid, &places))
        return false;
    while (pl_places_fill(&places))
        continue;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t root = pl_set_root(places.parent, i);
        const struct pl_place_span *s = &places.spans[root];
        if (root == i)
            ret->cells[ret->n_cells++] = (struct pl_cell){.box = box_of_span(regions, grid, s),
                                                          .row = s->row0,
                                                          .column = s->column0,
                                                          .n_rows = s->row1 - s->row0,
                                                          .n_columns = s->column1 - s->column0};
        ret->owner[i] = root == i ? (uint32_t)ret->n_cells - 1 : ret->owner[root];
    }
    return true;
}

/* ---- parts of lines ---- */

/* Returns the cell in which the middle of the box lies, in that row unless it is -1. */
static uint32_t cell_at(const struct pl_laying *l, struct pl_rect box, int row)
{
    const struct pl_table_grid *g = l->grid;
    const int c = pl_grid_interval(g->x, g->n_columns, 0.5 * (box.x0 + box.x1)),
              r = row < 0 ? pl_grid_interval(g->y, g->n_rows, 0.5 * (box.y0 + box.y1)) : row;
    const int place = r * g->n_columns + c;
    return c < 0 || r < 0 || g->outside[place] ? OUTSIDE : l->owner[place];
}

/* Leaves in the line the words that were found between columns x0 and x1. */
static void keep_gaps(struct pl_line *line, double x0, double x1)
{
    size_t first = 0, end = line->n_gaps;
    while (first < end && line->gaps[first].x0 + line->gaps[first].x1 < 2 * x0)
        first++;
    while (end > first && line->gaps[end - 1].x0 + line->gaps[end - 1].x1 >= 2 * x1)
        end--;
    line->gaps += first;
    line->n_gaps = end - first;
}

/* Returns the place between word i of the line and the one before it. */
static double place_before(const struct pl_line *line, size_t i)
{
    return 0.5 * (pl_line_word_box(line, i - 1).x1 + pl_line_word_box(line, i).x0);
}

bool pl_line_part(struct pl_arena *arena, const struct pl_line *line, size_t first, size_t end,
                  struct pl_line *ret)
{
    const size_t n = pl_line_count_words(line);
    *ret = *line;
    if (first == 0 && end == n)
        return true;
    struct pl_rect box = pl_line_word_box(line, first);
    for (size_t i = first + 1; i < end; i++)
        box = pl_rect_union(box, pl_line_word_box(line, i));
    pl_line_set_box(ret, box);
    ret->ink_px = line->ink_px * (end - first) / n;
    if (!line->n_words) {
        ret->gaps += first;
        ret->n_gaps = end - first;
        return true;
    }
    keep_gaps(ret, first ? place_before(line, first) : -INFINITY,
              end < n ? place_before(line, end) : INFINITY);
    ret->words += first;
    ret->n_words = end - first;
    ret->n_doubted = end < n ? 0 : line->n_doubted;
    ret->conf = pl_words_conf(ret->words, ret->n_words);
    ret->text = pl_words_join(arena, ret->words, ret->n_words);
    return ret->text;
}

/* Returns whether word i of the line follows the one before it as words do. */
static bool is_run(const struct pl_line *line, size_t i)
{
    return pl_line_word_box(line, i).x0 - pl_line_word_box(line, i - 1).x1 <
           COLUMN_GAP * line->glyph_px;
}

static void put_inside(struct pl_laying *l, uint32_t cell, const struct pl_line *line)
{
    l->cell_of[l->n_lines] = cell;
    l->lines[l->n_lines++] = *line;
}

bool pl_laying_add(struct pl_arena *arena, struct pl_laying *laying, const struct pl_line *line,
                   int row, struct pl_line *ret_outside, size_t *ret_n)
{
    const size_t n = pl_line_count_words(line);
    *ret_n = 0;
    if (line->quarters || !n) {
        const uint32_t cell = cell_at(laying, pl_line_page_box(laying->regions, line), row);
        if (cell == OUTSIDE)
            ret_outside[(*ret_n)++] = *line;
        else
            put_inside(laying, cell, line);
        return true;
    }
    uint32_t last = OUTSIDE;
    for (size_t i = 0, end; i < n; i = end) {
        struct pl_line part;
        const uint32_t cell = cell_at(laying, pl_line_word_box(line, i), row);
        for (end = i + 1; end < n && cell_at(laying, pl_line_word_box(line, end), row) == cell;
             end++)
            continue;
        if (!pl_line_part(arena, line, i, end, &part))
            return false;
        if (cell == OUTSIDE)
            ret_outside[(*ret_n)++] = part;
        else
            put_inside(laying, cell, &part);
        if (i && (last == OUTSIDE) != (cell == OUTSIDE))
            laying->n_crossing += is_run(line, i);
        else
            laying->n_close += i && is_run(line, i);
        last = cell;
    }
    return true;
}

/* ---- the table ---- */

/* Puts the lines in the order of cells, and gives the cells their lines. */
static bool sort_lines(struct pl_arena *arena, struct pl_laying *l)
{
    uint32_t *order = PL_NEW(arena, uint32_t, l->n_lines);
    struct pl_line *sorted = PL_NEW(arena, struct pl_line, l->n_lines);
    if (!order || !sorted)
        return false;
    for (size_t i = 0; i < l->n_lines; i++)
        order[i] = (uint32_t)i;
    pl_sort_by_key(order, l->n_lines, l->cell_of);
    for (size_t i = 0; i < l->n_lines; i++) {
        struct pl_cell *cell = &l->cells[(size_t)l->cell_of[order[i]]];
        sorted[i] = l->lines[order[i]];
        if (!cell->n_lines++)
            cell->lines = &sorted[i];
    }
    l->lines = sorted;
    return true;
}

/* Numbers the rows or columns in which a cell with lines begins, and leaves the others out:
 * number[i] is the new number of i, and of number[n] that of all. */
static void number_used(const struct pl_laying *l, bool rows, int n, int *number)
{
    memset(number, 0, ((size_t)n + 1) * sizeof(*number));
    for (size_t i = 0; i < l->n_cells; i++)
        if (l->cells[i].n_lines)
            number[rows ? l->cells[i].row : l->cells[i].column] = 1;
    for (int i = 0, used = 0; i <= n; i++) {
        const int next = used + number[i];
        number[i] = used;
        used = next;
    }
}

/* Takes rows and columns without text, as the white between two rules is one, out of the cells.
 * Cells that had no other are gone. */
static void drop_unused(struct pl_laying *l, const int *row, const int *column)
{
    size_t kept = 0;
    for (size_t i = 0; i < l->n_cells; i++) {
        struct pl_cell c = l->cells[i];
        const int row1 = row[c.row + c.n_rows], column1 = column[c.column + c.n_columns];
        c.row = row[c.row];
        c.column = column[c.column];
        c.n_rows = row1 - c.row;
        c.n_columns = column1 - c.column;
        if (c.n_rows && c.n_columns)
            l->cells[kept++] = c;
    }
    l->n_cells = kept;
}

/* Tells between which columns the cells with text lie: from *ret_first to before *ret_end. The
 * white between two rules is a column that has none. */
static void find_used_columns(const struct pl_laying *l, int *ret_first, int *ret_end)
{
    *ret_first = l->grid->n_columns;
    *ret_end = 0;
    for (size_t i = 0; i < l->n_lines; i++) {
        const struct pl_cell *c = &l->cells[(size_t)l->cell_of[i]];
        *ret_first = PL_MIN(*ret_first, c->column);
        *ret_end = PL_MAX(*ret_end, c->column + c->n_columns);
    }
}

/* Returns whether the only text of row r is one cell that spans columns first to end - 1, or it has
 * none. */
static bool is_title(const struct pl_laying *l, int r, int first, int end)
{
    size_t filled = 0, wide = 0;
    for (size_t i = 0; i < l->n_lines; i++) {
        const struct pl_cell *c = &l->cells[(size_t)l->cell_of[i]];
        const bool here = c->row <= r && r < c->row + c->n_rows;
        filled += here;
        wide += here && c->column <= first && c->column + c->n_columns >= end;
    }
    return filled == wide;
}

bool pl_laying_trim(const struct pl_laying *l)
{
    const struct pl_table_grid *g = l->grid;
    int first = 0, end = g->n_rows, first_column, end_column;
    find_used_columns(l, &first_column, &end_column);
    while (first < end && is_title(l, first, first_column, end_column))
        first++;
    while (first < end && is_title(l, end - 1, first_column, end_column))
        end--;
    for (int i = 0; i < g->n_rows * g->n_columns; i++)
        if (i < first * g->n_columns || i >= end * g->n_columns)
            g->outside[i] = true;
    return first > 0 || end < g->n_rows;
}

/* Returns how many rows have text in two cells at least. */
static int count_rows(const struct pl_laying *l)
{
    int rows = 0, row = -1, filled = 0;
    for (size_t i = 0; i < l->n_cells; i++) {
        if (!l->cells[i].n_lines)
            continue;
        filled = l->cells[i].row == row ? filled + 1 : 1;
        row = l->cells[i].row;
        rows += filled == 2;
    }
    return rows;
}

/* Returns whether what has `n_rows` rows is fields of a form: one row of several cells, one of
 * which has two rows of text at least, and nothing runs out of it. */
static bool is_fields(const struct pl_laying *l, int n_rows)
{
    if (n_rows != 1 || count_rows(l) != 1 || l->n_crossing || l->n_close)
        return false;
    for (size_t i = 0; i < l->n_cells; i++)
        for (size_t k = 1; k < l->cells[i].n_lines; k++)
            if (!pl_same_row(&l->cells[i].lines[k - 1], &l->cells[i].lines[k]))
                return true;
    return false;
}

/* Returns whether most words stand in cells of many lines: that is text in frames. */
static bool is_prose(const struct pl_laying *l)
{
    size_t words = 0, in_prose = 0;
    for (size_t i = 0; i < l->n_cells; i++) {
        size_t n = 0;
        for (size_t k = 0; k < l->cells[i].n_lines; k++)
            n += pl_line_count_words(&l->cells[i].lines[k]);
        words += n;
        in_prose += l->cells[i].n_lines > PROSE_LINES ? n : 0;
    }
    return 2 * in_prose > words;
}

/* Returns whether a cell has figures, or boxes or circles to choose from. */
static bool has_figure(const struct pl_cell *c)
{
    static const char *const marks[] = {"\xE2\x98\x90", "\xE2\x98\x92", "\xE2\x97\x8B",
                                        "\xE2\x97\x8F"};
    for (size_t i = 0; i < c->n_lines; i++) {
        const char *text = c->lines[i].text ? c->lines[i].text : "";
        bool any = strpbrk(text, "0123456789");
        for (size_t k = 0; k < PL_ARRAY_LEN(marks); k++)
            any |= strstr(text, marks[k]) != NULL;
        if (any)
            return true;
    }
    return false;
}

bool pl_cells_have_head(const struct pl_cell *cells, size_t n)
{
    int figures[PL_GRID_MAX_COLUMNS] = {0};
    for (size_t i = 0; i < n; i++) {
        const struct pl_cell *c = &cells[i];
        if (c->row == 0 && has_figure(c))
            return false;
        if (c->row && c->n_lines)
            figures[c->column] += has_figure(c) ? 1 : -1;
    }
    for (size_t i = 0; i < n; i++)
        if (cells[i].row == 0 && cells[i].n_lines && figures[cells[i].column] > 0)
            return true;
    return false;
}

static void make_block(const struct pl_laying *l, const struct pl_table *table,
                       struct pl_block *ret)
{
    *ret = (struct pl_block){.kind = PL_BLOCK_TABLE,
                             .lines = l->lines,
                             .n_lines = l->n_lines,
                             .box = pl_line_page_box(l->regions, l->lines),
                             .table = table};
    for (size_t i = 1; i < l->n_lines; i++)
        ret->box = pl_rect_union(ret->box, pl_line_page_box(l->regions, &l->lines[i]));
}

bool pl_laying_end(struct pl_arena *arena, struct pl_laying *laying, struct pl_block *ret,
                   bool *ret_made)
{
    const struct pl_table_grid *g = laying->grid;
    int row[PL_GRID_MAX_ROWS + 1], column[PL_GRID_MAX_COLUMNS + 1];
    struct pl_table *table = PL_NEW(arena, struct pl_table, 1);
    *ret_made = false;
    if (!table || !sort_lines(arena, laying))
        return false;
    number_used(laying, true, g->n_rows, row);
    number_used(laying, false, g->n_columns, column);
    drop_unused(laying, row, column);
    if (!is_fields(laying, row[g->n_rows]) &&
        (count_rows(laying) < 2 || is_prose(laying) ||
         (double)laying->n_crossing > LINES_CROSSING * (double)laying->n_lines))
        return true;
    const bool head = pl_cells_have_head(laying->cells, laying->n_cells);
    *table = (struct pl_table){.n_rows = row[g->n_rows],
                               .n_columns = column[g->n_columns],
                               .n_head = g->n_head ? row[g->n_head] : head,
                               .cells = laying->cells,
                               .n_cells = laying->n_cells};
    make_block(laying, table, ret);
    *ret_made = true;
    return true;
}
