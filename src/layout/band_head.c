/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of columns above the first rule of a table of bands. They may be wider than what stands
 * below them: the edges of the columns are moved to white that both have. */
#include <math.h>

#include "layout/band_rows.h"
#include "layout/columns.h"
#include "layout/grid.h"
#include "layout/line_words.h"
#include "layout/tables.h"
#include "layout/layout_tuning.def"

/* The columns of a table: the white in which the edge before each of them may stand, and whether it
 * has a name. */
struct head_columns {
    double left[PL_GRID_MAX_COLUMNS], right[PL_GRID_MAX_COLUMNS];
    bool named[PL_GRID_MAX_COLUMNS];
    int n;
};

/* Fills *ret with the white around the edges in lines[0..n), of the table; where a word runs across
 * one, its place alone. */
static void find_white(const struct pl_edges *e, const struct pl_line *const *lines, size_t n,
                       struct head_columns *ret)
{
    *ret = (struct head_columns){.n = e->n_columns};
    for (int c = 1; c < e->n_columns; c++) {
        ret->left[c] = e->x[c - 1];
        ret->right[c] = e->x[c + 1];
    }
    for (size_t i = 0; i < n; i++)
        for (size_t w = 0; w < pl_line_count_words(lines[i]); w++) {
            const struct pl_rect box = pl_line_word_box(lines[i], w);
            const int c = pl_grid_interval(e->x, e->n_columns, 0.5 * (box.x0 + box.x1));
            if (c >= 0 && c + 1 < e->n_columns)
                ret->left[c + 1] = PL_MAX(ret->left[c + 1], (double)box.x1);
            if (c > 0)
                ret->right[c] = PL_MIN(ret->right[c], (double)box.x0);
        }
    for (int c = 1; c < e->n_columns; c++)
        if (ret->left[c] > ret->right[c])
            ret->left[c] = ret->right[c] = e->x[c];
}

/* Fills *ret with the words of a row of text. */
static void take_words(const struct pl_band_lines *l, const struct pl_band_row *row,
                       struct pl_words_row *ret)
{
    *ret = (struct pl_words_row){.gap_px = l->gap_px};
    for (size_t i = row->first; i < row->end; i++)
        ret->n = pl_line_runs(l->v[i], 0, pl_line_count_words(l->v[i]), 0, 0, ret->words, ret->n);
    pl_boxes_sort_left(ret->words, ret->n);
}

/* Returns where the white before word k begins; without a word before it there is no end to it. */
static double white_left(const struct pl_words_row *w, size_t k)
{
    return k ? w->words[k - 1].x1 : -HUGE_VAL;
}

static double white_right(const struct pl_words_row *w, size_t k)
{
    return k < w->n ? w->words[k].x0 : HUGE_VAL;
}

/* Returns the word before which the row's widest white is that reaches into that of column c;
 * SIZE_MAX where a word runs across all of it. White before or behind all words counts as little as
 * such that tells of columns at all. */
static size_t find_name(const struct pl_words_row *w, const struct head_columns *columns, int c)
{
    const double wide_px = pl_words_row_wide_px(w);
    size_t best = SIZE_MAX;
    double best_px = -HUGE_VAL;
    for (size_t k = 0; k <= w->n; k++) {
        const double x0 = white_left(w, k), x1 = white_right(w, k);
        const double white_px = k && k < w->n ? x1 - x0 : wide_px;
        if (x0 <= columns->right[c] && x1 >= columns->left[c] && white_px > best_px) {
            best = k;
            best_px = white_px;
        }
    }
    return best;
}

/* Leaves of the white of the columns what the row shares with it, and marks those that it names.
 * Returns whether the row names columns, not the first one alone: across no edge a word runs, and
 * the white there is as wide as between columns, or clearly wider than all between other words, as
 * that of prose is not. */
static bool share_white(const struct pl_words_row *w, struct head_columns *columns)
{
    bool parts[PL_MAX_RUNS + 1] = {false};
    double widest = 0, least = w->gap_px;
    size_t at = 0;
    for (int c = 1; c <= columns->n; c++) {
        const size_t next = c < columns->n ? find_name(w, columns, c) : w->n;
        if (next == SIZE_MAX || (c == 1 && next == w->n))
            return false;
        columns->named[c - 1] |= next > at;
        parts[next] = true;
        at = next;
        if (c < columns->n) {
            columns->left[c] = PL_MAX(columns->left[c], white_left(w, next));
            columns->right[c] = PL_MIN(columns->right[c], white_right(w, next));
        }
    }
    for (size_t k = 1; k < w->n; k++) {
        const double white_px = w->words[k].x0 - w->words[k - 1].x1;
        least = parts[k] ? PL_MIN(least, white_px) : least;
        widest = parts[k] ? widest : PL_MAX(widest, white_px);
    }
    return least >= w->gap_px || least >= WIDE_BLANK * widest;
}

/* Returns whether the middles of all words lie within the table, as those of its cells do. */
static bool lies_within(const struct pl_words_row *w, const struct pl_edges *e)
{
    bool ret = true;
    for (size_t i = 0; i < w->n; i++)
        ret &= pl_grid_interval(e->x, e->n_columns, 0.5 * (w->words[i].x0 + w->words[i].x1)) >= 0;
    return ret;
}

static int count_named(const struct head_columns *columns)
{
    int n = 0;
    for (int c = 0; c < columns->n; c++)
        n += columns->named[c];
    return n;
}

/* Adds to *e a row from `top` on, above all others, whose edges the columns tell. */
static void add_row(struct pl_edges *e, double top, const struct head_columns *columns)
{
    for (int c = 1; c < e->n_columns; c++)
        e->x[c] = 0.5 * (columns->left[c] + columns->right[c]);
    for (int r = ++e->n_rows; r; r--) {
        e->y[r] = e->y[r - 1];
        e->drawn_y[r] = e->drawn_y[r - 1];
    }
    e->y[0] = top;
    e->n_head = 1;
}

/* Returns how far the text of the table's first row stands above the rule below it, by its last
 * baseline; 0 where there is no rule. */
static double base_above_rule(const struct pl_line *const *body, size_t n, const struct pl_edges *e)
{
    double base = e->y[0];
    for (size_t i = 0; i < n; i++)
        if (pl_line_middle_y(body[i]) < e->y[1])
            base = PL_MAX(base, (double)body[i]->base_y);
    return e->drawn_y[1] && base > e->y[0] ? e->y[1] - base : 0;
}

/* Returns the lowest baseline of a row of text. */
static double base_of(const struct pl_band_lines *l, const struct pl_band_row *row)
{
    double base = 0;
    for (size_t i = row->first; i < row->end; i++)
        base = PL_MAX(base, (double)l->v[i]->base_y);
    return base;
}

/* Returns whether a row of text is close above `top`, where the rows that go on below begin: no
 * further than it is high or, above the rule, than the table's first row is above its own. */
static bool is_close(const struct pl_regions *regions, const struct pl_band_lines *l,
                     const struct pl_band_row *row, double top, double base_px,
                     const struct pl_edges *e)
{
    const double slack_px = RULES_MISS * regions->glyph_px;
    return top - row->bottom <= row->bottom - row->top ||
           (base_px > 0 && top == e->y[0] && top - base_of(l, row) <= base_px + slack_px);
}

bool pl_bands_add_head(struct pl_arena *arena, const struct pl_regions *regions,
                       const struct pl_line *const *body, size_t n_body, struct pl_edges *e)
{
    const struct pl_rect above = {(int)e->x[0], 0, (int)e->x[e->n_columns], (int)e->y[0]};
    struct pl_band_lines l;
    struct pl_band_row *rows;
    struct head_columns columns, shared;
    struct pl_words_row words;
    size_t i;
    const double base_px = base_above_rule(body, n_body, e);
    double top = e->y[0];
    if (!pl_band_lines_take(arena, regions, above, &l) || !pl_band_rows_take(arena, &l, &rows, &i))
        return false;
    find_white(e, body, n_body, &columns);
    for (; i && is_close(regions, &l, &rows[i - 1], top, base_px, e); i--) {
        take_words(&l, &rows[i - 1], &words);
        shared = columns;
        if (!lies_within(&words, e) || !share_white(&words, &shared))
            break;
        columns = shared;
        top = rows[i - 1].top;
    }
    if (count_named(&columns) > 1 && e->n_rows < PL_GRID_MAX_ROWS)
        add_row(e, top, &columns);
    return true;
}
