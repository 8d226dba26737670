/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks below each other that are one table: rows in frames, or at uneven distances, are blocks by
 * themselves, each too small for a table. */
#include <string.h>

#include "layout/columns.h"
#include "layout/line_words.h"
#include "layout/tables.h"
#include "layout/layout_tuning.def"

/* What is known of a block by itself. */
struct block_rows {
    size_t n;                /* rows */
    struct pl_rect *cells;   /* of rows with as many as a list has */
    size_t n_cells, n_lists; /* these cells, and rows */
    bool turned;
};

/* Fills `runs` with those of the row that begins with line i; returns the line behind it. */
static size_t take_row(const struct pl_block *b, size_t i, double gap_px, struct pl_rect *runs,
                       size_t *ret_n)
{
    size_t end = i;
    *ret_n = 0;
    do
        *ret_n = pl_line_runs(&b->lines[end], 0, pl_line_count_words(&b->lines[end]), gap_px, 0,
                              runs, *ret_n);
    while (++end < b->n_lines && pl_same_row(&b->lines[end - 1], &b->lines[end]));
    return end;
}

/* Returns false when memory is short. */
static bool take_rows(struct pl_arena *arena, const struct pl_block *b, double gap_px,
                      struct block_rows *ret)
{
    struct pl_rect runs[PL_MAX_RUNS];
    size_t room = 0;
    *ret = (struct block_rows){0};
    for (size_t i = 0; i < b->n_lines; i++) {
        room += pl_line_count_words(&b->lines[i]);
        ret->turned |= b->lines[i].quarters != 0;
    }
    ret->cells = PL_NEW(arena, struct pl_rect, room);
    if (!ret->cells)
        return false;
    for (size_t i = 0, n; i < b->n_lines; ret->n++) {
        i = take_row(b, i, gap_px, runs, &n);
        ret->n_lists += n >= LIST_CELLS;
        for (size_t k = 0; n >= LIST_CELLS && k < n; k++)
            ret->cells[ret->n_cells++] = runs[k];
    }
    return true;
}

/* Returns whether a block may be a part of such a table: text with a row of cells, or a row or two
 * between such blocks. */
static bool may_be_part(const struct pl_block *b, const struct block_rows *rows)
{
    return b->kind == PL_BLOCK_TEXT && b->n_lines && !rows->turned &&
           (rows->n_cells || rows->n <= HEAD_ROWS);
}

static bool follows(const struct pl_block *above, const struct pl_block *below, double apart_px)
{
    const int white = below->box.y0 - above->box.y1;
    return below->box.y0 > above->box.y0 && white <= apart_px && below->box.x0 < above->box.x1 &&
           above->box.x0 < below->box.x1;
}

/* Returns whether most cells of block a stand under those of block b. */
static bool are_aligned(const struct block_rows *a, const struct block_rows *b, double tolerance_px)
{
    size_t hits = 0;
    for (size_t i = 0; i < a->n_cells; i++) {
        size_t k = 0;
        while (k < b->n_cells && !pl_stands_under(a->cells[i], b->cells[k], tolerance_px))
            k++;
        hits += k < b->n_cells;
    }
    return 2 * hits > a->n_cells;
}

/* Returns the block behind the last of those from block i on that may be one table: with each of
 * them, one above stands in the same columns, and so all those between. */
static size_t find_end(const struct pl_table_stack *s, const struct pl_block *blocks,
                       const struct block_rows *rows, size_t i, size_t n)
{
    const double tolerance_px = CELLS_ALIGNED * s->xheight_px;
    size_t run = i, end = i + 1;
    while (run < n && may_be_part(&blocks[run], &rows[run]) &&
           (run == i || follows(&blocks[run - 1], &blocks[run], TABLE_APART * s->pitch_px)))
        run++;
    for (size_t k = i; k < end && k < run; k++)
        for (size_t j = end; j < run; j++)
            if (are_aligned(&rows[k], &rows[j], tolerance_px) ||
                are_aligned(&rows[j], &rows[k], tolerance_px))
                end = j + 1;
    return end;
}

/* Returns how many cells with text a table has between two heights. */
static size_t count_filled(const struct pl_table *t, int y0, int y1)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n_cells; i++) {
        const struct pl_cell *c = &t->cells[i];
        n += c->n_lines && c->lines->box.y0 >= y0 && c->lines->box.y0 < y1;
    }
    return n;
}

/* Tells whether the table of all blocks is better than those of each: a block with rows of cells is
 * none by itself, and none that is has more cells. */
static bool judge(struct pl_arena *arena, const struct pl_table_stack *s,
                  const struct pl_block *blocks, const struct block_rows *rows, size_t n,
                  const struct pl_table *joined, bool *ret_better)
{
    bool gains = false, loses = false;
    for (size_t i = 0; i < n; i++) {
        struct pl_block b = blocks[i];
        bool made;
        if (!rows[i].n_cells)
            continue;
        if (!pl_table_aligned(arena, s->regions, s->xheight_px, TABLE_CELLS, &b, &made))
            return false;
        gains |= !made;
        loses |= made && count_filled(b.table, b.box.y0, b.box.y1) >
                             count_filled(joined, b.box.y0, b.box.y1);
    }
    *ret_better = gains && !loses;
    return true;
}

/* Returns whether most rows of the blocks are those of lists. */
static bool are_lists(const struct block_rows *rows, size_t n)
{
    size_t n_rows = 0, n_lists = 0;
    for (size_t i = 0; i < n; i++) {
        n_rows += rows[i].n;
        n_lists += rows[i].n_lists;
    }
    return 2 * n_lists > n_rows;
}

/* Fills *ret with the lines of n blocks. */
static bool append_blocks(struct pl_arena *arena, const struct pl_block *blocks, size_t n,
                          struct pl_block *ret)
{
    *ret = (struct pl_block){.kind = PL_BLOCK_TEXT, .box = blocks->box};
    for (size_t i = 0; i < n; i++)
        ret->n_lines += blocks[i].n_lines;
    ret->lines = PL_NEW(arena, struct pl_line, ret->n_lines);
    if (!ret->lines)
        return false;
    for (size_t i = 0, at = 0; i < n; at += blocks[i++].n_lines) {
        memcpy(ret->lines + at, blocks[i].lines, blocks[i].n_lines * sizeof(*ret->lines));
        ret->box = pl_rect_union(ret->box, blocks[i].box);
    }
    return true;
}

/* Makes one block of n, *ret, if that is a table. */
static bool try_join(struct pl_arena *arena, const struct pl_table_stack *s,
                     const struct pl_block *blocks, const struct block_rows *rows, size_t n,
                     struct pl_block *ret, bool *ret_made)
{
    struct pl_block table;
    bool made = false;
    *ret_made = false;
    if (!are_lists(rows, n))
        return true;
    if (!append_blocks(arena, blocks, n, ret))
        return false;
    table = *ret;
    if (!pl_table_aligned(arena, s->regions, s->xheight_px, TABLE_CELLS, &table, &made))
        return false;
    return !made || judge(arena, s, blocks, rows, n, table.table, ret_made);
}

bool pl_blocks_below(struct pl_arena *arena, const struct pl_table_stack *s,
                     struct pl_block *blocks, size_t *n)
{
    struct block_rows *rows = PL_NEW(arena, struct block_rows, *n);
    size_t kept = 0;
    if (!rows)
        return false;
    for (size_t i = 0; i < *n; i++)
        if (!take_rows(arena, &blocks[i], CELL_GAP * s->xheight_px, &rows[i]))
            return false;
    for (size_t i = 0, end; i < *n; i = end) {
        struct pl_block joined;
        bool made = false;
        end = find_end(s, blocks, rows, i, *n);
        if (end > i + 1 && !try_join(arena, s, blocks + i, rows + i, end - i, &joined, &made))
            return false;
        if (made)
            blocks[kept++] = joined;
        for (size_t k = i; !made && k < end; k++)
            blocks[kept++] = blocks[k];
    }
    *n = kept;
    return true;
}
