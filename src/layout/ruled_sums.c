/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of text close below the rules of a table that are its last ones: a row of sums, say, has
 * values under those of the columns, and no rules around it. */
#include <string.h>

#include "layout/band_rows.h"
#include "layout/columns.h"
#include "layout/grid.h"
#include "layout/line_words.h"
#include "layout/tables.h"
#include "layout/layout_tuning.def"

/* A row of text below a table. */
struct sums_row {
    const struct pl_line **lines;
    size_t n_lines;
    struct pl_rect box;
    struct pl_rect words[PL_MAX_RUNS]; /* from left to right */
    size_t n_words;
};

/* Returns whether an upright line with words stands below the rules, at least with a part of it. */
static bool is_below(const struct pl_edges *e, const struct pl_line *l)
{
    return !l->quarters && pl_line_count_words(l) && pl_line_middle_y(l) >= e->y[e->n_rows] &&
           l->box.x0 < e->x[e->n_columns] && l->box.x1 > e->x[0];
}

/* Returns the highest of the lines below the rules; NULL where there is none. */
static const struct pl_line *find_highest(const struct pl_regions *regions,
                                          const struct pl_edges *e)
{
    const struct pl_line *best = NULL;
    for (size_t b = 0; b < regions->n_blocks; b++)
        for (size_t i = 0; !regions->blocks[b].table && i < regions->blocks[b].n_lines; i++) {
            const struct pl_line *l = &regions->blocks[b].lines[i];
            if (is_below(e, l) && (!best || pl_line_middle_y(l) < pl_line_middle_y(best)))
                best = l;
        }
    return best;
}

static void add_words(const struct pl_line *l, struct sums_row *row)
{
    for (size_t w = 0; w < pl_line_count_words(l) && row->n_words < PL_MAX_RUNS; w++) {
        const struct pl_rect box = pl_line_word_box(l, w);
        size_t i = row->n_words++;
        for (; i && row->words[i - 1].x0 > box.x0; i--)
            row->words[i] = row->words[i - 1];
        row->words[i] = box;
    }
}

/* Fills `row`, whose lines have room, with the first row of text below the rules. */
static void take_row(const struct pl_regions *regions, const struct pl_edges *e,
                     struct sums_row *row)
{
    const struct pl_line *first = find_highest(regions, e);
    row->n_lines = row->n_words = 0;
    for (size_t b = 0; first && b < regions->n_blocks; b++)
        for (size_t i = 0; !regions->blocks[b].table && i < regions->blocks[b].n_lines; i++) {
            const struct pl_line *l = &regions->blocks[b].lines[i];
            if (!is_below(e, l) || pl_line_middle_y(l) >= first->box.y1)
                continue;
            row->box = row->n_lines ? pl_rect_union(row->box, l->box) : l->box;
            row->lines[row->n_lines++] = l;
            add_words(l, row);
        }
}

/* Returns whether the row is no further below the rules than it is high, ends where they do, and
 * has no upright rules of its own, as one of another table has. */
static bool is_close(const struct pl_regions *regions, const struct pl_edges *e,
                     const struct sums_row *row)
{
    const double slack_px = RULES_MISS * regions->glyph_px;
    if (row->box.y0 - e->y[e->n_rows] > pl_rect_height(row->box) ||
        row->box.x0 < e->x[0] - slack_px || row->box.x1 > e->x[e->n_columns] + slack_px)
        return false;
    for (size_t i = 0; i < regions->n_rules; i++) {
        const struct pl_rect *rule = &regions->rules[i].box;
        if (regions->rules[i].upright && rule->y0 < row->box.y1 && rule->y1 > row->box.y1 &&
            rule->x1 > e->x[0] - slack_px && rule->x0 < e->x[e->n_columns] + slack_px)
            return false;
    }
    return true;
}

/* Returns the column of a word; -1 where it reaches from one into the next, or out of the table. */
static int column_of(const struct pl_edges *e, struct pl_rect word, double slack_px)
{
    for (int k = 1; k < e->n_columns; k++)
        if (word.x0 < e->x[k] - slack_px && word.x1 > e->x[k] + slack_px)
            return -1;
    return pl_grid_interval(e->x, e->n_columns, 0.5 * (word.x0 + word.x1));
}

/* Fills *ret with the lowest text of a column in lines[0..n); returns whether there is any. */
static bool find_lowest(const struct pl_edges *e, const struct pl_line *const *lines, size_t n,
                        int column, struct pl_rect *ret)
{
    const struct pl_line *last = NULL;
    for (size_t i = 0; i < n; i++)
        for (size_t w = 0; w < pl_line_count_words(lines[i]); w++) {
            const struct pl_rect box = pl_line_word_box(lines[i], w);
            if (pl_grid_interval(e->x, e->n_columns, 0.5 * (box.x0 + box.x1)) != column ||
                (last && last != lines[i] && pl_line_middle_y(last) > pl_line_middle_y(lines[i])))
                continue;
            *ret = last == lines[i] ? pl_rect_union(*ret, box) : box;
            last = lines[i];
        }
    return last;
}

/* Returns whether the row has values under those of two columns, lines[0..n), and most of its
 * values are such; what it begins with is no value. */
static bool has_values(const struct pl_edges *e, double glyph_px,
                       const struct pl_line *const *lines, size_t n, const struct sums_row *row)
{
    struct pl_rect above, values[PL_GRID_MAX_COLUMNS];
    bool filled[PL_GRID_MAX_COLUMNS] = {false};
    size_t w = 1;
    int n_values = 0, hits = 0;
    while (w < row->n_words && row->words[w].x0 - row->words[w - 1].x1 < COLUMN_GAP * glyph_px)
        w++;
    for (; w < row->n_words; w++) {
        const int c = column_of(e, row->words[w], STRADDLE * glyph_px);
        if (c < 0)
            return false;
        values[c] = filled[c] ? pl_rect_union(values[c], row->words[w]) : row->words[w];
        filled[c] = true;
    }
    for (int c = 0; c < e->n_columns; c++) {
        n_values += filled[c];
        hits += filled[c] && find_lowest(e, lines, n, c, &above) &&
                pl_stands_under(values[c], above, CELLS_ALIGNED * glyph_px);
    }
    return hits > 1 && 2 * hits > n_values;
}

void pl_ruled_sums_add(const struct pl_regions *regions, const struct pl_line **lines, size_t *n,
                       struct pl_edges *edges)
{
    struct sums_row row = {.lines = lines + *n};
    const size_t n_table = *n;
    while (edges->n_rows < PL_GRID_MAX_ROWS) {
        take_row(regions, edges, &row);
        if (!row.n_lines || !is_close(regions, edges, &row) ||
            !has_values(edges, regions->glyph_px, lines, n_table, &row))
            return;
        edges->n_below++;
        edges->y[++edges->n_rows] = row.box.y1 + 1;
        edges->drawn_y[edges->n_rows] = false;
        *n += row.n_lines;
        row.lines += row.n_lines;
    }
}
