/* SPDX-License-Identifier: BSD-2-Clause */
/* Tells what the blocks of a page are, by their rows (text_rows.h), and which of them are tables.
 */
#include <string.h>

#include "layout/blocks.h"
#include "layout/columns.h"
#include "layout/line_words.h"
#include "layout/steps.h"
#include "layout/tables.h"
#include "layout/text_rows.h"
#include "layout/layout_tuning.def"

struct side_rows {
    struct pl_text_row *rows;
    size_t n;
};

static void put_block(struct pl_block *b, const struct pl_regions *r, enum pl_block_kind kind,
                      const struct pl_text_row *rows, size_t n)
{
    *b = (struct pl_block){.kind = kind, .lines = rows->lines};
    for (size_t i = 0; i < n; i++)
        b->n_lines += rows[i].n;
    b->box = pl_line_page_box(r, b->lines);
    for (size_t i = 1; i < b->n_lines; i++)
        b->box = pl_rect_union(b->box, pl_line_page_box(r, &b->lines[i]));
}

/* Returns whether text starts below that box, in the same columns. */
static bool has_text_below(const struct pl_text_page *p, struct pl_rect box)
{
    const struct pl_regions *r = p->regions;
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++) {
            const struct pl_line *l = &r->blocks[b].lines[i];
            if (!l->quarters && l->base_y > box.y1 &&
                l->box.y0 < box.y1 + HEADING_BELOW * p->pitch && l->box.x0 < box.x1 &&
                l->box.x1 > box.x0)
                return true;
        }
    return false;
}

/* Puts the rows as blocks of text and of headings. Returns how many blocks it put. */
static size_t split_text(const struct pl_text_page *p, struct pl_text_row *rows, size_t n,
                         struct pl_block *ret)
{
    size_t n_ret = 0;
    for (size_t i = 0; i < n; i++)
        rows[i].heading = pl_text_row_is_heading(p, rows, i, n);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && rows[end].heading == rows[i].heading; end++)
            continue;
        struct pl_block *b = &ret[n_ret++];
        put_block(b, p->regions, PL_BLOCK_TEXT, rows + i, end - i);
        if (rows[i].heading && end - i <= HEADING_ROWS && has_text_below(p, b->box))
            b->kind = PL_BLOCK_HEADING;
    }
    return n_ret;
}

/* Returns how many cells a row of a table without rules would have. */
static size_t count_cells(const struct pl_text_page *p, const struct pl_text_row *row)
{
    struct pl_rect cells[PL_MAX_RUNS];
    size_t n = 0;
    for (size_t i = 0; i < row->n; i++)
        n = pl_line_runs(&row->lines[i], 0, pl_line_count_words(&row->lines[i]),
                         CELL_GAP * p->xheight, 0, cells, n);
    return n;
}

/* Returns the row behind those from row i on that have as many cells each as a list. */
static size_t find_list_end(const struct pl_text_page *p, const struct pl_text_row *rows, size_t i,
                            size_t n)
{
    while (i < n && count_cells(p, &rows[i]) >= LIST_CELLS)
        i++;
    return i;
}

/* Returns whether the first row of a table may name its columns: it has two cells at least, each in
 * one column. */
static bool has_names(const struct pl_table *t)
{
    int filled = 0;
    for (size_t i = 0; i < t->n_cells && t->cells[i].row == 0; i++) {
        if (t->cells[i].n_lines && t->cells[i].n_columns > 1)
            return false;
        filled += t->cells[i].n_lines > 0;
    }
    return filled > 1;
}

/* Makes a table of rows *first to end - 1 of a list. Where the row before them, if it is not before
 * row `least`, names the columns, it is of the table, and *first is moved to it. *ret_made is false
 * where the table would have too few columns: prose that was widened has gaps in a row, too.
 * Returns false when memory is short. */
static bool make_list(struct pl_arena *arena, const struct pl_text_page *p,
                      struct pl_text_row *rows, size_t least, size_t *first, size_t end,
                      struct pl_block *ret, bool *ret_made)
{
    struct pl_block with_names;
    bool made = false;
    put_block(ret, p->regions, PL_BLOCK_TEXT, rows + *first, end - *first);
    if (!pl_table_aligned(arena, p->regions, p->xheight, TABLE_CELLS, ret, ret_made))
        return false;
    *ret_made = *ret_made && ret->table->n_columns >= LIST_CELLS;
    if (!*ret_made || *first == least)
        return true;
    put_block(&with_names, p->regions, PL_BLOCK_TEXT, rows + *first - 1, end - *first + 1);
    if (!pl_table_aligned(arena, p->regions, p->xheight, TABLE_CELLS, &with_names, &made))
        return false;
    if (made && with_names.table->n_columns >= ret->table->n_columns &&
        has_names(with_names.table)) {
        *ret = with_names;
        --*first;
    }
    return true;
}

/* Puts the rows of a block that is no table as a whole: lists within it as tables, what is around
 * them as text and headings. Adds the number of blocks to *n_ret. Returns false when memory
 * is short. */
static bool split_lists(struct pl_arena *arena, const struct pl_text_page *p,
                        struct pl_text_row *rows, size_t n, struct pl_block *ret, size_t *n_ret)
{
    size_t done = 0;
    for (size_t i = 0, end; i < n; i = PL_MAX(end, i + 1)) {
        struct pl_block part;
        bool made;
        end = find_list_end(p, rows, i, n);
        if (end - i < TABLE_ROWS)
            continue;
        if (!make_list(arena, p, rows, done, &i, end, &part, &made))
            return false;
        if (!made)
            continue;
        *n_ret += split_text(p, rows + done, i - done, &ret[*n_ret]);
        ret[(*n_ret)++] = part;
        done = end;
    }
    *n_ret += split_text(p, rows + done, n - done, &ret[*n_ret]);
    return true;
}

/* Fills *ret with the rows of the lines of a block whose left edges lie from x0 to x1. Returns
 * false when memory is short. */
static bool take_side(struct pl_arena *arena, const struct pl_block *b, double x0, double x1,
                      struct side_rows *ret)
{
    struct pl_block own = {.n_lines = 0};
    size_t room = 0;
    for (size_t i = 0; i < b->n_lines; i++)
        room += b->lines[i].box.x0 >= x0 && b->lines[i].box.x0 < x1 ? 1 : 0;
    own.lines = PL_NEW(arena, struct pl_line, room);
    ret->rows = PL_NEW(arena, struct pl_text_row, room);
    if (!own.lines || !ret->rows)
        return false;
    for (size_t i = 0; i < b->n_lines; i++)
        if (b->lines[i].box.x0 >= x0 && b->lines[i].box.x0 < x1)
            own.lines[own.n_lines++] = b->lines[i];
    ret->n = pl_text_rows_of(&own, ret->rows);
    return true;
}

/* Makes a block of rows, and a table of it if it is one by itself. Returns false when memory is
 * short. */
static bool make_side(struct pl_arena *arena, const struct pl_text_page *p,
                      const struct side_rows *side, struct pl_block *ret, bool *ret_table)
{
    put_block(ret, p->regions, PL_BLOCK_TEXT, side->rows, side->n);
    return pl_table_aligned(arena, p->regions, p->xheight, SIDE_CELLS, ret, ret_table);
}

/* Returns whether a rule from one end of the box to the other parts two rows. */
static bool are_ruled_off(const struct pl_text_page *p, struct pl_rect box,
                          const struct pl_text_row *above, const struct pl_text_row *below)
{
    const int slack_px = (int)(RULES_MISS * p->regions->glyph_px);
    for (size_t i = 0; i < p->regions->n_rules; i++) {
        const struct pl_rule *r = &p->regions->rules[i];
        const int y = r->box.y0 + r->box.y1;
        if (!r->upright && y > above->top + above->bottom && y < below->top + below->bottom &&
            r->box.x0 <= box.x0 + slack_px && r->box.x1 >= box.x1 - slack_px)
            return true;
    }
    return false;
}

/* Fills *ret, a new array, with the parts of a side: all of it where that is a table, or else what
 * stands between rules that part all of it: below the bottom of a frame is another text. Returns
 * false when memory is short. */
static bool find_parts(struct pl_arena *arena, const struct pl_text_page *p,
                       const struct side_rows *side, struct side_rows **ret, size_t *ret_n)
{
    struct pl_block b;
    bool table;
    *ret = PL_NEW(arena, struct side_rows, side->n);
    *ret_n = 0;
    if (!*ret || !make_side(arena, p, side, &b, &table))
        return false;
    for (size_t i = 0; i < side->n; i++) {
        if (!i || (!table && are_ruled_off(p, b.box, &side->rows[i - 1], &side->rows[i])))
            (*ret)[(*ret_n)++] = (struct side_rows){&side->rows[i], 0};
        (*ret)[*ret_n - 1].n++;
    }
    return true;
}

/* Tells whether a part of a side is a table by itself; *ret_lost is whether the others have cells
 * that would be lost. Returns false when memory is short. */
static bool judge_side(struct pl_arena *arena, const struct pl_text_page *p,
                       const struct side_rows *side, bool *ret_table, bool *ret_lost)
{
    struct side_rows *parts;
    struct pl_block b;
    size_t n, n_lost = 0;
    *ret_table = false;
    if (!find_parts(arena, p, side, &parts, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        bool table;
        if (!make_side(arena, p, &parts[i], &b, &table))
            return false;
        *ret_table |= table;
        for (size_t k = 0; !table && k < parts[i].n; k++)
            n_lost += count_cells(p, &parts[i].rows[k]) > 1;
    }
    *ret_lost = n_lost >= TABLE_ROWS;
    return true;
}

/* Takes the sides of a block from x[i] to x[i + 1] each, i < n, into `sides`, up to the first one
 * that is to go with the one before it, which is *ret_lost, or n: it loses cells, or both are no
 * tables but are one together. *ret_any tells whether any is a table by itself. Returns false when
 * memory is short. */
static bool take_sides(struct pl_arena *arena, const struct pl_text_page *p,
                       const struct pl_block *whole, const double *x, size_t n,
                       struct side_rows *sides, bool *ret_any, size_t *ret_lost)
{
    bool table = true, lost = false;
    size_t i = 0;
    *ret_any = false;
    for (; i < n && !lost; i++) {
        const bool before = table;
        struct side_rows both;
        bool loses;
        if (!take_side(arena, whole, x[i], x[i + 1], &sides[i]) ||
            !judge_side(arena, p, &sides[i], &table, &lost))
            return false;
        *ret_any |= table;
        if (i && !before && !table && !lost &&
            (!take_side(arena, whole, x[i - 1], x[i + 1], &both) ||
             !judge_side(arena, p, &both, &lost, &loses)))
            return false;
    }
    *ret_lost = i - lost;
    return true;
}

/* Fills `sides`, which has room for PL_MAX_SIDES, with what stands beside each other in a block, if
 * any is a table by itself; *ret_n is 0 if not. A side that would lose cells goes with the one
 * before it. Returns false when memory is short. */
static bool find_sides(struct pl_arena *arena, const struct pl_text_page *p,
                       const struct pl_block *whole, struct side_rows *sides, size_t *ret_n)
{
    double x[PL_MAX_SIDES + 1];
    size_t n, lost;
    bool any;
    *ret_n = 0;
    if (!pl_block_find_sides(arena, whole, p->regions->glyph_px, x + 1, &n))
        return false;
    x[0] = whole->box.x0;
    x[++n] = whole->box.x1 + 1;
    for (; n > 1; n--) {
        if (!take_sides(arena, p, whole, x, n, sides, &any, &lost))
            return false;
        if (lost == n) {
            *ret_n = any ? n : 0;
            return true;
        }
        lost = PL_MAX(lost, (size_t)1);
        memmove(x + lost, x + lost + 1, (n - lost) * sizeof(*x));
    }
    return true;
}

/* Fills `sides` with the parts of a block that begin at x[1] to x[n], if n > 0; *ret_n is 0 if not.
 * x has room for two more. Returns false when memory is short. */
static bool take_parts(struct pl_arena *arena, const struct pl_block *b, double *x, size_t n,
                       struct side_rows *sides, size_t *ret_n)
{
    *ret_n = 0;
    if (!n)
        return true;
    x[0] = b->box.x0;
    x[++n] = b->box.x1 + 1;
    for (; *ret_n < n; ++*ret_n)
        if (!take_side(arena, b, x[*ret_n], x[*ret_n + 1], &sides[*ret_n]))
            return false;
    return true;
}

/* Fills `sides`, which has room for PL_MAX_SIDES, with the parts of a list that goes on in columns
 * beside itself, if the table is one; *ret_n is 0 if not. Returns false when memory is short. */
static bool find_lists(struct pl_arena *arena, const struct pl_text_page *p,
                       const struct pl_block *table, struct side_rows *sides, size_t *ret_n)
{
    double x[PL_MAX_SIDES + 1];
    size_t n;
    return pl_table_find_lists(arena, table, CELLS_ALIGNED * p->xheight, x + 1, &n) &&
           take_parts(arena, table, x, n, sides, ret_n);
}

/* Does the same with the texts in the head or foot of a letter. */
static bool find_heads(struct pl_arena *arena, const struct pl_text_page *p,
                       const struct pl_block *whole, struct side_rows *sides, size_t *ret_n)
{
    double x[PL_MAX_SIDES + 1];
    size_t n;
    return pl_block_find_heads(arena, whole, p->regions->glyph_px, x + 1, &n) &&
           take_parts(arena, whole, x, n, sides, ret_n);
}

/* Puts the parts of a side: as the tables that they are, or as text around lists. Adds the number
 * of blocks to *n_ret. Returns false when memory is short. */
static bool name_side(struct pl_arena *arena, const struct pl_text_page *p,
                      const struct side_rows *side, struct pl_block *ret, size_t *n_ret)
{
    struct side_rows *parts;
    size_t n;
    bool table;
    if (!find_parts(arena, p, side, &parts, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!make_side(arena, p, &parts[i], &ret[*n_ret], &table))
            return false;
        *n_ret += table;
        if (!table && !split_lists(arena, p, parts[i].rows, parts[i].n, ret, n_ret))
            return false;
    }
    return true;
}

/* Puts the rows of a text right above a table, whose last ones may be its caption, and adds the
 * number of blocks to *n_ret. Returns false when memory is short. */
static bool name_before(struct pl_arena *arena, const struct pl_text_page *p,
                        struct pl_text_row *rows, size_t n, struct pl_block *ret, size_t *n_ret)
{
    size_t text = 0;
    while (text < n && !pl_text_rows_are_caption(rows + text, n - text))
        text++;
    if (text && !split_lists(arena, p, rows, text, ret, n_ret))
        return false;
    if (text < n)
        put_block(&ret[(*n_ret)++], p->regions, PL_BLOCK_CAPTION, rows + text, n - text);
    return true;
}

/* Puts the rows between head and foot of a block as blocks of the kinds that they are, and adds
 * their number to *n_ret. Returns false when memory is short. */
static bool name_body(struct pl_arena *arena, const struct pl_text_page *p,
                      struct pl_text_row *rows, size_t n, struct pl_block *ret, size_t *n_ret)
{
    struct side_rows sides[PL_MAX_SIDES];
    struct pl_block whole;
    size_t n_sides = 0, before = 0, behind = 0;
    bool table = false;
    put_block(&whole, p->regions, PL_BLOCK_TEXT, rows, n);
    ret[*n_ret] = whole;
    if (!pl_table_aligned(arena, p->regions, p->xheight, TABLE_CELLS, &ret[*n_ret], &table))
        return false;
    if (table)
        pl_table_find_text(&ret[*n_ret], rows, n, p->xheight, &before, &behind);
    if (before || behind)
        return name_before(arena, p, rows, before, ret, n_ret) &&
               name_body(arena, p, rows + before, n - before - behind, ret, n_ret) &&
               (!behind || split_lists(arena, p, rows + n - behind, behind, ret, n_ret));
    if (table && (!find_lists(arena, p, &ret[*n_ret], sides, &n_sides) ||
                  (!n_sides && !find_sides(arena, p, &whole, sides, &n_sides))))
        return false;
    for (size_t i = 0; i < n_sides; i++)
        if (!name_side(arena, p, &sides[i], ret, n_ret))
            return false;
    *n_ret += table && !n_sides;
    if (table)
        return true;
    if (!pl_text_rows_are_caption(rows, n))
        return split_lists(arena, p, rows, n, ret, n_ret);
    put_block(&ret[(*n_ret)++], p->regions, PL_BLOCK_CAPTION, rows, n);
    return true;
}

/* Puts the rows of a block that is the head or foot of a letter: the texts that stand beside each
 * other, below titles over them, if any; else *ret_made is false. Adds the number of blocks to
 * *n_ret. Returns false when memory is short. */
static bool name_heads(struct pl_arena *arena, const struct pl_text_page *p,
                       struct pl_text_row *rows, size_t n, struct pl_block *ret, size_t *n_ret,
                       bool *ret_made)
{
    struct side_rows sides[PL_MAX_SIDES];
    struct pl_block whole;
    size_t titles = 0, n_sides = 0;
    for (; titles < n && titles <= HEADING_ROWS; titles++) {
        put_block(&whole, p->regions, PL_BLOCK_TEXT, rows + titles, n - titles);
        if (!find_heads(arena, p, &whole, sides, &n_sides))
            return false;
        if (n_sides || rows[titles].n > 1)
            break;
    }
    *ret_made = n_sides > 0;
    if (!n_sides)
        return true;
    if (titles && !split_lists(arena, p, rows, titles, ret, n_ret))
        return false;
    for (size_t i = 0; i < n_sides; i++)
        if (!name_side(arena, p, &sides[i], ret, n_ret))
            return false;
    return true;
}

/* Puts all rows of a block, in the same way. */
static bool name_rows(struct pl_arena *arena, const struct pl_text_page *p,
                      struct pl_text_row *rows, size_t n, struct pl_block *ret, size_t *n_ret)
{
    bool made;
    if (!name_heads(arena, p, rows, n, ret, n_ret, &made))
        return false;
    if (made)
        return true;
    size_t head = pl_text_rows_margin(p, rows, n, false);
    if (head)
        put_block(&ret[(*n_ret)++], p->regions, PL_BLOCK_HEADER, rows, head);
    rows += head;
    n -= head;
    size_t foot = pl_text_rows_margin(p, rows, n, true);
    n -= foot;
    if (n && !name_body(arena, p, rows, n, ret, n_ret))
        return false;
    if (foot)
        put_block(&ret[(*n_ret)++], p->regions, PL_BLOCK_FOOTER, rows + n, foot);
    return true;
}

bool pl_blocks_name(struct pl_arena *arena, struct pl_regions *regions)
{
    struct pl_text_page p = {.regions = regions};
    size_t n_lines = 0, n_words = 0, n = 0;
    if (!pl_cards_part(arena, regions))
        return false;
    for (size_t b = 0; b < regions->n_blocks; b++) {
        n_lines += regions->blocks[b].n_lines;
        for (size_t i = 0; i < regions->blocks[b].n_lines; i++)
            n_words += pl_line_count_words(&regions->blocks[b].lines[i]);
    }
    p.rows = PL_NEW(arena, struct pl_text_row, n_lines);
    /* at most one for each line, and the blocks without rows */
    struct pl_block *blocks = PL_NEW(arena, struct pl_block, n_lines + regions->n_blocks);
    if (!p.rows || !blocks || !pl_text_page_measure(arena, &p, n_lines, n_words))
        return false;
    const struct pl_table_stack stack = {regions, p.xheight, p.pitch};
    if (!pl_blocks_below(arena, &stack, regions->blocks, &regions->n_blocks))
        return false;
    for (size_t b = 0; b < regions->n_blocks; b++) {
        const struct pl_block *from = &regions->blocks[b];
        size_t rows = from->table || from->code ? 0 : pl_text_rows_of(from, p.rows);
        if (!rows)
            blocks[n++] = *from;
        else if (!name_rows(arena, &p, p.rows, rows, blocks, &n))
            return false;
    }
    if (!pl_tables_stack(arena, &stack, blocks, &n))
        return false;
    for (size_t b = 0; b < n; b++)
        if (blocks[b].table && (!pl_table_join_names(arena, regions, &blocks[b]) ||
                                !pl_table_join_rows(arena, regions, &blocks[b])))
            return false;
    regions->blocks = blocks;
    regions->n_blocks = n;
    return pl_headings_rank(arena, &p, regions) && pl_fields_part(arena, regions);
}
