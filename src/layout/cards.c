/* SPDX-License-Identifier: BSD-2-Clause */
/* Cards beside and below each other, as labels, price tags and coupons are printed on a sheet: each
 * row of them is a block whose rows of text run through all its cards. What tells them from a table
 * in groups of rows is that cards are alike: where one has figures, all have, and where one has
 * none, none has. */
#include <string.h>

#include "layout/blocks.h"
#include "layout/columns.h"
#include "layout/layout_tuning.def"

/* A block of rows that have one line in each column: lines[row * n_columns + column]. */
struct card_row {
    const struct pl_line *lines;
    size_t n_rows, n_columns; /* no columns: the block is none */
};

static bool has_figures(const struct pl_line *l)
{
    return l->text && strpbrk(l->text, "0123456789");
}

static struct pl_rect box_of_card(const struct card_row *c, size_t column)
{
    struct pl_rect ret = c->lines[column].box;
    for (size_t r = 1; r < c->n_rows; r++)
        ret = pl_rect_union(ret, c->lines[r * c->n_columns + column].box);
    return ret;
}

/* Returns whether all lines of the block stand in rows of n, from left to right. */
static bool are_rows_of(const struct pl_block *b, size_t n)
{
    for (size_t i = 1; i < b->n_lines; i++) {
        const struct pl_line *above = &b->lines[i - 1], *l = &b->lines[i];
        if (l->quarters || pl_same_row(above, l) != (i % n != 0) ||
            (i % n && l->box.x0 < above->box.x1))
            return false;
    }
    return !b->lines->quarters;
}

/* Returns the cards that a block may be a row of: two rows of text at least, as many as a cell has
 * at most, and white from top to bottom between two columns. */
static struct card_row cards_of(const struct pl_block *b, double gap_px)
{
    const struct card_row none = {0};
    struct card_row ret = {.lines = b->lines, .n_columns = 1};
    if (b->table || b->code || b->kind != PL_BLOCK_TEXT || !b->n_lines)
        return none;
    while (ret.n_columns < b->n_lines &&
           pl_same_row(&b->lines[ret.n_columns - 1], &b->lines[ret.n_columns]))
        ret.n_columns++;
    ret.n_rows = b->n_lines / ret.n_columns;
    if (ret.n_columns < 2 || ret.n_rows < 2 || ret.n_rows > PROSE_LINES ||
        b->n_lines % ret.n_columns || !are_rows_of(b, ret.n_columns))
        return none;
    for (size_t c = 1; c < ret.n_columns; c++)
        if (box_of_card(&ret, c).x0 - box_of_card(&ret, c - 1).x1 < gap_px)
            return none;
    return ret;
}

/* Returns whether the cards of one row stand under those of another, and have as many lines. */
static bool are_under(const struct card_row *above, const struct card_row *below, double slack_px)
{
    bool ret = above->n_columns == below->n_columns && above->n_rows == below->n_rows;
    for (size_t c = 0; ret && c < above->n_columns; c++)
        ret = pl_stands_under(box_of_card(above, c), box_of_card(below, c), slack_px);
    return ret;
}

/* Returns whether the cards of n > 0 rows are alike: some lines have figures in most rows of cards,
 * others have none, and hardly any have in some cards alone. */
static bool are_alike(const struct card_row *rows, size_t n)
{
    size_t mixed = 0, with = 0, without = 0;
    for (size_t line = 0; line < rows->n_rows; line++) {
        size_t all = 0, none = 0;
        for (size_t i = 0; i < n; i++) {
            size_t figures = 0;
            for (size_t c = 0; c < rows->n_columns; c++)
                figures += has_figures(&rows[i].lines[line * rows->n_columns + c]);
            all += figures == rows->n_columns;
            none += figures == 0;
        }
        mixed += n - all - none;
        with += 2 * all > n;
        without += 2 * none > n;
    }
    return with && without && (double)mixed <= COLUMN_CROSSED * (double)(n * rows->n_rows);
}

/* Appends the cards of a row to blocks[0..*n), one block each. */
static bool put_cards(struct pl_arena *arena, const struct pl_regions *regions,
                      const struct card_row *row, struct pl_block *blocks, size_t *n)
{
    struct pl_line *lines = PL_NEW(arena, struct pl_line, row->n_rows * row->n_columns);
    if (!lines)
        return false;
    for (size_t c = 0; c < row->n_columns; c++, lines += row->n_rows) {
        struct pl_block *b = &blocks[(*n)++];
        *b = (struct pl_block){.kind = PL_BLOCK_TEXT, .lines = lines, .n_lines = row->n_rows};
        for (size_t r = 0; r < row->n_rows; r++) {
            lines[r] = row->lines[r * row->n_columns + c];
            const struct pl_rect box = pl_line_page_box(regions, &lines[r]);
            b->box = r ? pl_rect_union(b->box, box) : box;
        }
    }
    return true;
}

bool pl_cards_part(struct pl_arena *arena, struct pl_regions *regions)
{
    size_t n = 0, room = regions->n_blocks;
    for (size_t i = 0; i < regions->n_blocks; i++)
        room += regions->blocks[i].n_lines;
    struct card_row *rows = PL_NEW(arena, struct card_row, regions->n_blocks);
    struct pl_block *blocks = PL_NEW(arena, struct pl_block, room);
    if (!rows || !blocks)
        return false;
    for (size_t i = 0; i < regions->n_blocks; i++)
        rows[i] = cards_of(&regions->blocks[i], COLUMN_GAP * regions->glyph_px);
    for (size_t i = 0, end; i < regions->n_blocks; i = end) {
        for (end = i + 1; end < regions->n_blocks && rows[i].n_columns &&
                          are_under(&rows[end - 1], &rows[end], regions->glyph_px);
             end++)
            continue;
        const bool cards = end - i >= TABLE_ROWS && are_alike(&rows[i], end - i);
        for (size_t k = i; k < end; k++)
            if (!cards)
                blocks[n++] = regions->blocks[k];
            else if (!put_cards(arena, regions, &rows[k], blocks, &n))
                return false;
    }
    regions->blocks = blocks;
    regions->n_blocks = n;
    return true;
}
