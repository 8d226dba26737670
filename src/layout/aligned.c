/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables without rules between their columns: most rows of a block have words under words of the
 * row before, with white between them that is wider than that between words. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "layout/columns.h"
#include "layout/flow.h"
#include "layout/grid.h"
#include "layout/line_words.h"
#include "layout/tables.h"
#include "layout/text_rows.h"
#include "layout/layout_tuning.def"

/* What stands in a row of a block with white at both sides. */
struct aligned_rows {
    struct pl_text_row *v;
    size_t n;
    uint8_t *kind;        /* of each row, by pl_row_kinds_tell(); 0 before it */
    double gap_px;        /* least white between two cells that tell of a table */
    double column_gap_px; /* least white between two columns of one */
    double slack_px;      /* by which cells that stand under each other differ at most */
};

/* Fills `runs` with the runs of a row; returns how many. */
static size_t runs_of(const struct pl_text_row *r, double gap_px, double gap, struct pl_rect *runs)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++)
        n = pl_line_runs(&r->lines[i], 0, pl_line_count_words(&r->lines[i]), gap_px, gap, runs, n);
    return n;
}

static bool ends_in_colon(const struct pl_line *l, size_t word)
{
    const char *text = l->n_words ? l->words[word].text : "";
    return *text && text[strlen(text) - 1] == ':';
}

static size_t count_labels(const struct pl_text_row *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++)
        for (size_t w = 0; w < pl_line_count_words(&r->lines[i]); w++)
            n += ends_in_colon(&r->lines[i], w);
    return n;
}

/* Fills `cells` with the runs of a row; returns how many. In a row of several labels a run ends
 * with each: labels of one column stand under each other, and so do their values, but not what
 * both of them are together. */
static size_t cells_of(const struct pl_text_row *r, double gap_px, struct pl_rect *cells)
{
    size_t n = 0;
    if (count_labels(r) < 2)
        return runs_of(r, gap_px, 0, cells);
    for (size_t i = 0; i < r->n; i++) {
        const struct pl_line *l = &r->lines[i];
        const size_t words = pl_line_count_words(l);
        for (size_t w = 0, end; w < words; w = end) {
            for (end = w + 1; end < words && !ends_in_colon(l, end - 1); end++)
                continue;
            n = pl_line_runs(l, w, end, gap_px, 0, cells, n);
        }
    }
    return n;
}

static bool is_colon(const struct pl_line *l, size_t word)
{
    return l->n_words && !strcmp(l->words[word].text, ":");
}

/* Fills *ret with the words of a row whose middles lie from x0 to x1. A colon that stands by itself
 * is of the word before it. */
static void words_between(const struct pl_text_row *r, double x0, double x1,
                          struct pl_words_row *ret)
{
    ret->n = 0;
    for (size_t i = 0; i < r->n; i++)
        for (size_t w = 0; w < pl_line_count_words(&r->lines[i]) && ret->n < PL_MAX_RUNS; w++) {
            const struct pl_rect box = pl_line_word_box(&r->lines[i], w);
            if (box.x0 + box.x1 < 2 * x0 || box.x0 + box.x1 >= 2 * x1)
                continue;
            if (ret->n && is_colon(&r->lines[i], w)) {
                ret->is_label[ret->n - 1] = true;
                ret->words[ret->n - 1] = pl_rect_union(ret->words[ret->n - 1], box);
                continue;
            }
            ret->is_label[ret->n] = ends_in_colon(&r->lines[i], w);
            ret->words[ret->n++] = box;
        }
}

/* Returns whether a row has three words at least, and between them white that is everywhere the
 * same but for slack_px. */
static bool is_even(const struct pl_words_row *row, double slack_px)
{
    double least = INFINITY, most = 0;
    for (size_t i = 1; i < row->n; i++) {
        const double white = row->words[i].x0 - row->words[i - 1].x1;
        least = PL_MIN(least, white);
        most = PL_MAX(most, white);
    }
    return row->n >= LIST_CELLS && most - least <= slack_px;
}

/* Returns whether two rows have as many words, which stand under each other. */
static bool are_columns(const struct pl_words_row *a, const struct pl_words_row *b, double slack_px)
{
    bool under = a->n == b->n;
    for (size_t i = 0; under && i < a->n; i++)
        under = pl_stands_under(a->words[i], b->words[i], slack_px);
    return under;
}

/* Returns whether row i is text that was stretched to the width of its column: its words are
 * equally far from each other, and no row beside it has words under all of them. */
static bool is_stretched(const struct aligned_rows *rows, size_t i)
{
    const double slack_px = EVEN_WHITE * rows->v[i].lines->glyph_px;
    struct pl_words_row own, other;
    words_between(&rows->v[i], -INFINITY, INFINITY, &own);
    bool stretched = is_even(&own, slack_px);
    for (size_t k = i ? i - 1 : 0; stretched && k <= i + 1 && k < rows->n; k++) {
        words_between(&rows->v[k], -INFINITY, INFINITY, &other);
        stretched = k == i || !are_columns(&own, &other, slack_px);
    }
    return stretched;
}

/* Returns whether most rows of three words at least and of several cells were stretched. One such
 * row may be chance, as the names of columns are. */
static bool are_stretched(const struct aligned_rows *rows)
{
    struct pl_rect cells[PL_MAX_RUNS];
    struct pl_words_row words;
    size_t n = 0, stretched = 0;
    for (size_t i = 0; i < rows->n; i++) {
        if (cells_of(&rows->v[i], rows->gap_px, cells) < 2)
            continue;
        words_between(&rows->v[i], -INFINITY, INFINITY, &words);
        n += words.n >= LIST_CELLS;
        stretched += is_stretched(rows, i);
    }
    return 2 * stretched > n;
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

/* Returns whether a row of one cell goes on with a column but the first: the text of that cell
 * above was long, or has a note of its own. Prose begins at the left. */
static bool is_rest(const struct aligned_columns *columns, struct pl_rect cell, double tolerance)
{
    bool under = false, right = false;
    for (size_t i = 0; i < columns->n; i++) {
        under |= pl_stands_under(cell, columns->v[i], tolerance);
        right |= columns->v[i].x1 < cell.x0;
    }
    return under && right;
}

/* Returns whether so many cells stand under those of rows before that it is a table: two rows at
 * least, since one under another may be chance. Rows of one cell that take turns with rows of a
 * list, as the names of a receipt's items do with their prices, count as little as rests where
 * there are TABLE_ROWS of them at least; fewer may be chance. Text that was stretched to the width
 * of its column has cells by its white alone. */
static bool is_table(const struct aligned_rows *rows, size_t least_cells)
{
    struct pl_rect cells[PL_MAX_RUNS];
    struct aligned_columns columns = {.n = 0};
    size_t n_cells = 0, n_rows = 0, n_rests = 0, n_names = 0;
    size_t last = 0; /* row of several cells */
    const bool stretched = are_stretched(rows);
    for (size_t i = 0; i < rows->n; i++) {
        const size_t count = cells_of(&rows->v[i], rows->gap_px, cells);
        n_rests += count == 1 && is_rest(&columns, cells[0], rows->slack_px);
        if (count < 2 || (stretched && is_stretched(rows, i)))
            continue;
        const size_t hits = take_cells(&columns, cells, count, rows->slack_px);
        n_rows += hits > 0;
        n_names += hits && count >= LIST_CELLS && i == last + 2;
        last = i;
        n_cells += hits ? hits + 1 : 0;
    }
    n_rests += n_names >= TABLE_ROWS ? n_names : 0;
    return n_rows > 1 && n_cells >= least_cells &&
           (double)n_rows >= TABLE_SHARE * (double)(rows->n - 1 - n_rests);
}

/* ---- the grid ---- */

static void add_edge(struct pl_column_edges *e, double x, bool narrow)
{
    int i = e->n++;
    for (; i && e->x[i - 1] > x; i--) {
        e->x[i] = e->x[i - 1];
        e->narrow[i] = e->narrow[i - 1];
    }
    e->x[i] = x;
    e->narrow[i] = narrow;
}

static bool find_edges(struct pl_arena *arena, const struct aligned_rows *rows,
                       struct pl_column_edges *ret)
{
    struct pl_profile profile;
    struct pl_rect runs[PL_MAX_RUNS];
    double edges[PL_GRID_MAX_COLUMNS];
    if (!pl_profile_init(arena, rows->n * PL_MAX_RUNS, &profile))
        return false;
    for (size_t i = 0; i < rows->n; i++)
        pl_profile_add(&profile, runs, runs_of(&rows->v[i], rows->column_gap_px, COLUMN_GAP, runs));
    const int n = pl_profile_edges(&profile, PL_GRID_MAX_COLUMNS - 1, edges);
    *ret = (struct pl_column_edges){.n = 0};
    for (int i = 0; i < n; i++)
        add_edge(ret, edges[i], false);
    return true;
}

/* Adds the narrow edges between the others. */
static bool find_narrow_edges(struct pl_arena *arena, const struct pl_regions *regions,
                              const struct aligned_rows *rows, struct pl_column_edges *edges)
{
    const struct pl_column_edges wide = *edges;
    struct pl_profile profile;
    struct pl_words_row *words = PL_NEW(arena, struct pl_words_row, rows->n);
    double found[PL_GRID_MAX_COLUMNS];
    if (!words || !pl_profile_init(arena, rows->n * PL_MAX_RUNS, &profile))
        return false;
    for (int i = 0; i <= wide.n; i++) {
        const double x0 = i ? wide.x[i - 1] : -INFINITY, x1 = i < wide.n ? wide.x[i] : INFINITY;
        for (size_t r = 0; r < rows->n; r++) {
            words_between(&rows->v[r], -INFINITY, INFINITY, &words[r]);
            words[r].gap_px = PL_MAX(rows->column_gap_px, COLUMN_GAP * rows->v[r].lines->glyph_px);
            words[r].gap_px = pl_words_row_wide_px(&words[r]);
            words_between(&rows->v[r], x0, x1, &words[r]);
            pl_words_row_underlines(regions, rows->v[r].bottom, &words[r]);
        }
        const int n = pl_profile_close_edges(&profile, words, rows->n, regions->glyph_px,
                                             PL_GRID_MAX_COLUMNS - 1 - edges->n, found);
        for (int k = 0; k < n; k++)
            add_edge(edges, found[k], true);
    }
    return true;
}

/* Moves the edges that are not narrow to white of all rows for which they are: those of kind k, or
 * of none where they are `others`, too. Names of columns have their white elsewhere than figures.
 */
static bool settle_edges(struct pl_arena *arena, const struct aligned_rows *rows, int k,
                         bool others, struct pl_rect box, struct pl_column_edges *edges)
{
    struct pl_words_row *runs = PL_NEW(arena, struct pl_words_row, rows->n);
    size_t n = 0;
    if (!runs)
        return false;
    for (size_t r = 0; r < rows->n; r++)
        if (rows->kind[r] == k || (others && rows->kind[r] >= PL_ROW_KINDS)) {
            runs[n].n = runs_of(&rows->v[r], rows->column_gap_px, COLUMN_GAP, runs[n].words);
            n++;
        }
    pl_profile_settle_edges(runs, n, box.x0, box.x1, edges->narrow, edges->x, edges->n);
    return true;
}

/* Opens the places of row r, of kind k, between which a cell stands: across a narrow edge, a word;
 * and those that no edge of its kind parts. */
static void open_row(const struct aligned_rows *rows, int r, int k,
                     const struct pl_kind_columns *edges, const struct pl_table_grid *g)
{
    struct pl_rect runs[PL_MAX_RUNS];
    struct pl_words_row words;
    const size_t n_runs = runs_of(&rows->v[r], rows->column_gap_px, COLUMN_GAP, runs);
    for (int c = 0; c + 1 < g->n_columns; c++) {
        const bool narrow = edges->narrow[k][c];
        const double x = edges->x[c], slack = narrow ? 0 : rows->slack_px;
        if (narrow)
            words_between(&rows->v[r], g->x[c], g->x[c + 2], &words);
        const size_t n = narrow ? words.n : n_runs;
        bool opens = !edges->holds[k][c];
        for (size_t i = 0; i < n; i++) {
            const struct pl_rect box = narrow ? words.words[i] : runs[i];
            opens |= box.x0 < x - slack && box.x1 > x + slack;
        }
        g->opens_right[r * g->n_columns + c] = opens;
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
                      const struct pl_kind_columns *edges, struct pl_table_grid *ret)
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
        const int kind = rows->kind[r];
        open_row(rows, r, kind < PL_ROW_KINDS ? kind : edges->most, edges, ret);
    }
    return true;
}

/* Makes a table of the block, *ret, with these columns, if it is one. */
static bool make_table(struct pl_arena *arena, const struct pl_regions *regions,
                       const struct aligned_rows *rows, const struct pl_block *block,
                       const struct pl_kind_columns *edges, struct pl_block *ret, bool *ret_made)
{
    struct pl_table_grid grid;
    *ret_made = false;
    return !edges->n || (make_grid(arena, rows, block->box, edges, &grid) &&
                         lay_rows(arena, regions, rows, &grid, block, ret, ret_made));
}

/* Makes a table with columns that hold in all rows. */
static bool make_plain_table(struct pl_arena *arena, const struct pl_regions *regions,
                             const struct aligned_rows *rows, const struct pl_block *block,
                             struct pl_column_edges *edges, struct pl_block *ret, bool *ret_made)
{
    struct pl_kind_columns *all = PL_NEW(arena, struct pl_kind_columns, 1);
    if (!all || !settle_edges(arena, rows, 0, false, block->box, edges))
        return false;
    all->n = edges->n;
    for (int i = 0; i < edges->n; i++) {
        all->x[i] = edges->x[i];
        all->narrow[0][i] = edges->narrow[i];
        all->holds[0][i] = true;
    }
    return make_table(arena, regions, rows, block, all, ret, ret_made);
}

/* Fills `words` with those of all rows, and tells the rows' kinds and their number. */
static bool tell_kinds(struct pl_arena *arena, const struct aligned_rows *rows,
                       struct pl_words_row *words, int *ret_n)
{
    for (size_t i = 0; i < rows->n; i++) {
        words_between(&rows->v[i], -INFINITY, INFINITY, &words[i]);
        words[i].gap_px = PL_MAX(rows->column_gap_px, COLUMN_GAP * rows->v[i].lines->glyph_px);
    }
    return pl_row_kinds_tell(arena, words, rows->n, rows->slack_px, rows->kind, ret_n);
}

/* Returns how many cells the row of kind k that has the most has. */
static size_t most_cells(const struct aligned_rows *rows, int k)
{
    struct pl_rect runs[PL_MAX_RUNS];
    size_t most = 0;
    for (size_t i = 0; i < rows->n; i++)
        if (rows->kind[i] == k)
            most = PL_MAX(most, runs_of(&rows->v[i], rows->column_gap_px, COLUMN_GAP, runs));
    return most;
}

/* Finds the edges between the columns of kind k. Rows that go on with a few of its cells have no
 * say in what is between the others. */
static bool find_kind_edges(struct pl_arena *arena, const struct pl_regions *regions,
                            const struct aligned_rows *rows, const struct pl_words_row *words,
                            int k, struct pl_kind_rows *ret)
{
    const size_t most = most_cells(rows, k);
    struct pl_rect runs[PL_MAX_RUNS];
    struct aligned_rows own = *rows;
    own.v = PL_NEW(arena, struct pl_text_row, rows->n);
    own.kind = NULL; /* all are of kind k */
    own.n = ret->n = 0;
    ret->rows = PL_NEW(arena, const struct pl_words_row *, rows->n);
    if (!own.v || !ret->rows)
        return false;
    for (size_t i = 0; i < rows->n; i++)
        if (rows->kind[i] == k &&
            2 * runs_of(&rows->v[i], rows->column_gap_px, COLUMN_GAP, runs) >= most) {
            ret->rows[ret->n++] = &words[i];
            own.v[own.n++] = rows->v[i];
        }
    return find_edges(arena, &own, &ret->columns) &&
           find_narrow_edges(arena, regions, &own, &ret->columns);
}

/* Where rows are of several kinds, makes a table of the block in which each kind has columns of its
 * own. */
static bool part_kinds(struct pl_arena *arena, const struct pl_regions *regions,
                       const struct aligned_rows *rows, const struct pl_block *block,
                       struct pl_block *ret)
{
    struct pl_words_row *words = PL_NEW(arena, struct pl_words_row, rows->n);
    struct pl_kind_rows *kinds = PL_NEW(arena, struct pl_kind_rows, PL_ROW_KINDS);
    struct pl_kind_columns *edges = PL_NEW(arena, struct pl_kind_columns, 1);
    int n;
    bool made;
    if (!words || !kinds || !edges || !tell_kinds(arena, rows, words, &n))
        return false;
    for (int k = 0; n > 1 && k < n; k++)
        if (!find_kind_edges(arena, regions, rows, words, k, &kinds[k]))
            return false;
    const int most = pl_kinds_most(kinds, n);
    for (int k = 0; n > 1 && k < n; k++)
        if (!settle_edges(arena, rows, k, k == most, block->box, &kinds[k].columns))
            return false;
    return n < 2 ||
           (pl_kind_columns_join(arena, kinds, n, BLANK_WIDTH * regions->glyph_px, edges) &&
            make_table(arena, regions, rows, block, edges, ret, &made));
}

/* Returns whether the table is a list: of its two columns the first has the marks of items alone.
 */
static bool is_list(const struct pl_table *t)
{
    size_t marks = 0;
    for (size_t i = 0; i < t->n_cells; i++) {
        const struct pl_cell *c = &t->cells[i];
        if (c->column || !c->n_lines)
            continue;
        const char *text = c->lines->text ? c->lines->text : "";
        const size_t n = pl_marker_bytes(text);
        if (!n || text[n] || c->n_lines > 1 || c->n_columns > 1)
            return false;
        marks++;
    }
    return t->n_columns == 2 && marks > 0;
}

bool pl_table_aligned(struct pl_arena *arena, const struct pl_regions *regions, double xheight_px,
                      size_t least_cells, struct pl_block *block, bool *ret_made)
{
    struct aligned_rows rows = {.v = PL_NEW(arena, struct pl_text_row, block->n_lines),
                                .kind = PL_NEW(arena, uint8_t, block->n_lines),
                                .gap_px = CELL_GAP * xheight_px,
                                .column_gap_px = COLUMN_GAP * regions->glyph_px,
                                .slack_px = CELLS_ALIGNED * xheight_px};
    struct pl_column_edges edges;
    const struct pl_block text = *block;
    *ret_made = false;
    if (!rows.v || !rows.kind)
        return false;
    rows.n = pl_text_rows_of(block, rows.v);
    if (rows.n > PL_GRID_MAX_ROWS || !is_table(&rows, least_cells))
        return true;
    if (!find_edges(arena, &rows, &edges) ||
        !make_plain_table(arena, regions, &rows, &text, &edges, block, ret_made))
        return false;
    const int n = edges.n;
    bool parted; /* where that is no table, the first one stays */
    if (*ret_made && is_list(block->table)) {
        *block = text;
        *ret_made = false;
    }
    if (!*ret_made)
        return true;
    return find_narrow_edges(arena, regions, &rows, &edges) &&
           (edges.n == n ||
            make_plain_table(arena, regions, &rows, &text, &edges, block, &parted)) &&
           part_kinds(arena, regions, &rows, &text, block);
}
