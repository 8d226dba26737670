/* SPDX-License-Identifier: BSD-2-Clause */
/* Tells what the blocks of a page are: headings, running heads and feet, captions, tables. Sizes
 * and places tell; where the lines have been read, so do capitals and the first word of a caption.
 */
#include <stdlib.h>
#include <string.h>

#include "detect/ink/sort.h"
#include "layout/steps.h"
#include "layout/tables.h"
#include "layout/layout_tuning.def"

/* Lines of a block beside each other (pl_same_row()). */
struct text_row {
    struct pl_line *lines;
    size_t n;
    int top, bottom;
    bool heading;
};

struct side_rows {
    struct text_row *rows;
    size_t n;
};

/* What the rows of a page have in common. */
struct text_page {
    const struct pl_regions *regions;
    double xheight, pitch; /* usual ones */
    double stroke;         /* usual stroke_px, in small letters' heights */
    struct pl_rect box;    /* of all text */
    size_t n_rows;
    bool capitals, bold; /* tell headings */
    struct text_row *rows;
};

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Returns whether the line has enough letters for a heading; one that was not read may have. */
static bool has_letters(const struct pl_line *l)
{
    size_t n = 0;
    for (const char *s = l->text; s && *s; s++)
        n += is_upper(*s) || is_lower(*s);
    return n >= HEADING_LETTERS || !l->text;
}

/* Returns whether the letters of the line are capitals. */
static bool in_capitals(const struct pl_line *l)
{
    for (const char *s = l->text; s && *s; s++)
        if (is_lower(*s))
            return false;
    return l->text && has_letters(l);
}

/* Returns whether the row is a number alone: "12", "- 12 -". */
static bool is_number(const struct text_row *r)
{
    size_t digits = 0;
    for (const char *s = r->lines[0].text; s && *s; s++)
        if (is_digit(*s))
            digits++;
        else if (!strchr(" -.[]()", *s))
            return false;
    return r->n == 1 && digits >= 1 && digits <= MARGIN_DIGITS;
}

/* Fills `rows`, which has room for one a line, with the rows of a block. Returns how many; 0 for a
 * block of turned lines. */
static size_t rows_of(const struct pl_block *b, struct text_row *rows)
{
    size_t n = 0;
    for (size_t i = 0; i < b->n_lines; i++) {
        struct pl_line *l = &b->lines[i];
        if (l->quarters)
            return 0;
        if (!n || !pl_same_row(&rows[n - 1].lines[rows[n - 1].n - 1], l))
            rows[n++] = (struct text_row){.lines = l, .top = l->box.y0, .bottom = l->box.y1};
        rows[n - 1].n++;
        rows[n - 1].top = PL_MIN(rows[n - 1].top, l->box.y0);
        rows[n - 1].bottom = PL_MAX(rows[n - 1].bottom, l->box.y1);
    }
    return n;
}

/* Returns how long the strokes of a line are, in heights of its small letters. */
static double stroke_of(const struct pl_line *l)
{
    return l->stroke_px / pl_line_small_px(l);
}

static bool is_bold(const struct text_page *p, const struct pl_line *l)
{
    return stroke_of(l) >= HEADING_BOLD * p->stroke;
}

/* Tells whether few enough rows are bold for headings, and it is known which are. */
static void measure_bold(struct text_page *p)
{
    size_t bold = 0;
    for (size_t b = 0; b < p->regions->n_blocks; b++) {
        size_t rows = rows_of(&p->regions->blocks[b], p->rows);
        for (size_t r = 0; r < rows; r++)
            bold += is_bold(p, p->rows[r].lines);
    }
    p->bold = p->stroke > 0 && (double)bold <= MOST_CAPITALS * (double)p->n_rows;
}

/* Measures the usual size of letters and their strokes, by words, and the usual distance of rows.
 * Returns false when memory is short. */
static bool measure_page(struct pl_arena *arena, struct text_page *p, size_t n_lines,
                         size_t n_words)
{
    double *size = PL_NEW(arena, double, n_words), *step = PL_NEW(arena, double, n_lines),
           *stroke = PL_NEW(arena, double, n_words);
    size_t n = 0, m = 0, capitals = 0;
    if (!size || !step || !stroke)
        return false;
    p->box = (struct pl_rect){p->regions->width, p->regions->height, 0, 0};
    for (size_t b = 0; b < p->regions->n_blocks; b++) {
        size_t rows = rows_of(&p->regions->blocks[b], p->rows);
        for (size_t r = 0; r < rows; r++) {
            if (r && p->rows[r].lines->base_y > p->rows[r - 1].lines->base_y)
                step[m++] = p->rows[r].lines->base_y - p->rows[r - 1].lines->base_y;
            capitals += in_capitals(p->rows[r].lines);
            p->box = pl_rect_union(p->box, p->rows[r].lines->box);
            for (size_t i = 0; i < p->rows[r].n; i++)
                for (size_t w = pl_line_count_words(&p->rows[r].lines[i]); w; w--) {
                    stroke[n] = stroke_of(&p->rows[r].lines[i]);
                    size[n++] = pl_line_small_px(&p->rows[r].lines[i]);
                }
        }
        p->n_rows += rows;
    }
    p->xheight = pl_median(size, n);
    p->stroke = pl_median(stroke, n);
    p->pitch = m ? pl_median(step, m) : USUAL_PITCH * p->xheight;
    p->capitals = (double)capitals <= MOST_CAPITALS * (double)p->n_rows;
    measure_bold(p);
    return true;
}

static bool is_large(const struct text_page *p, const struct text_row *r, double times)
{
    for (size_t i = 0; i < r->n; i++)
        if (pl_line_small_px(&r->lines[i]) < times * p->xheight)
            return false;
    return true;
}

/* Returns whether the line ends a sentence or a clause, or is the label of a field. */
static bool ends_clause(const struct pl_line *l)
{
    const size_t n = l->text ? strlen(l->text) : 0;
    return n && strchr(".,;:", l->text[n - 1]);
}

/* Returns whether two lines are of about the same size, as the rows of a heading are. */
static bool are_alike(const struct pl_line *a, const struct pl_line *b)
{
    const double x = pl_line_small_px(a), y = pl_line_small_px(b);
    return PL_MAX(x, y) <= HEADING_ALIKE * PL_MIN(x, y);
}

/* Returns whether row i of a block is bold, and stands by itself or ends before the others do: the
 * first words of a paragraph may be bold, too. */
static bool is_bold_row(const struct text_page *p, const struct text_row *rows, size_t i, size_t n)
{
    const struct pl_line *l = rows[i].lines;
    int right = 0;
    for (size_t k = 0; k < n; k++)
        right = PL_MAX(right, rows[k].lines[rows[k].n - 1].box.x1);
    return p->bold && is_bold(p, l) && !ends_clause(l) &&
           (n == 1 || pl_rect_width(l->box) <= BOLD_ROW * (right - l->box.x0));
}

static bool is_heading(const struct text_page *p, const struct text_row *rows, size_t i, size_t n)
{
    const struct pl_line *l = rows[i].lines;
    if (!has_letters(l) || is_large(p, &rows[i], HEADING_VERY_LARGE))
        return has_letters(l);
    bool first = i == 0 || (rows[i - 1].heading && are_alike(rows[i - 1].lines, l)),
         capitals = p->capitals && in_capitals(l), bold = is_bold_row(p, rows, i, n);
    return rows[i].n == 1 &&
           (is_large(p, &rows[i], HEADING_LARGE) || ((capitals || bold) && (first || i + 1 < n))) &&
           (first || l->base_y - rows[i - 1].lines->base_y >= HEADING_APART * p->pitch) &&
           pl_rect_width(l->box) <= SHORT_ROW * pl_rect_width(p->box);
}

/* ---- heads, feet, captions ---- */

static bool is_dirt(const struct pl_line *l)
{
    return l->n_words == 1 && l->words[0].n_chars <= DIRT_CHARS;
}

/* Returns how far rows must be from the rest to be a head or foot, in row distances. */
static double gap_of(const struct text_page *p, const struct text_row *v, size_t n)
{
    if (n == 1 && is_number(v))
        return MARGIN_NUMBER_GAP;
    for (size_t i = 0; i < n; i++)
        if (v[i].n == 1 && pl_rect_width(v[i].lines->box) > SHORT_ROW * pl_rect_width(p->box))
            return MARGIN_LONG_GAP;
    return MARGIN_GAP;
}

/* Returns whether nothing but dirt is beyond rows v[0..n) at this end of the page, or near them. */
static bool is_margin(const struct text_page *p, const struct text_row *v, size_t n, bool foot)
{
    const struct pl_regions *r = p->regions;
    const struct text_row *last = &v[n - 1];
    double edge = foot ? (1 - MARGIN_HEIGHT) * r->height : MARGIN_HEIGHT * r->height;
    double gap = gap_of(p, v, n) * p->pitch;
    for (size_t i = 0; i < n; i++)
        if (is_large(p, &v[i], MARGIN_LARGE) || (foot ? v[i].top < edge : v[i].bottom > edge))
            return false;
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++) {
            const struct pl_line *l = &r->blocks[b].lines[i];
            bool own = l >= v->lines && l < last->lines + last->n;
            if (!own && !l->quarters && !is_dirt(l) &&
                (foot ? l->base_y > v->lines->base_y - gap : l->base_y < last->lines->base_y + gap))
                return false;
        }
    return true;
}

/* Returns how many rows at the start of a block are the page's head, or at its end the foot. */
static size_t margin_rows(const struct text_page *p, const struct text_row *rows, size_t n,
                          bool foot)
{
    for (size_t k = PL_MIN(n, (size_t)MARGIN_ROWS); k && p->n_rows >= k + MARGIN_REST; k--)
        if (is_margin(p, foot ? rows + n - k : rows, k, foot))
            return k;
    return 0;
}

/* Returns whether the rows begin like "Table 3" or "Fig. 2a. The ...", but not "Table 3 shows ...".
 */
static bool is_caption(const struct text_row *rows, size_t n)
{
    static const char *const names[] = {"table", "figure", "fig",    "plate",
                                        "chart", "map",    "exhibit"};
    const char *s = rows[0].lines[0].text;
    char word[8];
    size_t k = 0;
    if (!s || n > CAPTION_ROWS)
        return false;
    for (; k + 1 < sizeof(word) && (is_upper(*s) || is_lower(*s)); s++)
        word[k++] = (char)(*s | 0x20);
    word[k] = 0;
    s += strspn(s, ". ");
    size_t number = strspn(s, "0123456789IVX-.");
    const char *next = s + number + strspn(s + number, "abc .:()");
    for (size_t i = 0; number && !is_lower(*next) && i < PL_ARRAY_LEN(names); i++)
        if (!strcmp(word, names[i]) && is_upper(rows[0].lines[0].text[0]))
            return true;
    return false;
}

/* ---- blocks ---- */

static void put_block(struct pl_block *b, const struct pl_regions *r, enum pl_block_kind kind,
                      const struct text_row *rows, size_t n)
{
    *b = (struct pl_block){.kind = kind, .lines = rows->lines};
    for (size_t i = 0; i < n; i++)
        b->n_lines += rows[i].n;
    b->box = pl_line_page_box(r, b->lines);
    for (size_t i = 1; i < b->n_lines; i++)
        b->box = pl_rect_union(b->box, pl_line_page_box(r, &b->lines[i]));
}

/* Returns whether text starts below that box, in the same columns. */
static bool has_text_below(const struct text_page *p, struct pl_rect box)
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
static size_t split_text(const struct text_page *p, struct text_row *rows, size_t n,
                         struct pl_block *ret)
{
    size_t n_ret = 0;
    for (size_t i = 0; i < n; i++)
        rows[i].heading = is_heading(p, rows, i, n);
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
static size_t count_cells(const struct text_page *p, const struct text_row *row)
{
    struct pl_rect cells[PL_MAX_RUNS];
    size_t n = 0;
    for (size_t i = 0; i < row->n; i++)
        n = pl_line_runs(&row->lines[i], 0, pl_line_count_words(&row->lines[i]),
                         CELL_GAP * p->xheight, 0, cells, n);
    return n;
}

/* Returns the row behind those from row i on that have as many cells each as a list. */
static size_t find_list_end(const struct text_page *p, const struct text_row *rows, size_t i,
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
static bool make_list(struct pl_arena *arena, const struct text_page *p, struct text_row *rows,
                      size_t least, size_t *first, size_t end, struct pl_block *ret, bool *ret_made)
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
static bool split_lists(struct pl_arena *arena, const struct text_page *p, struct text_row *rows,
                        size_t n, struct pl_block *ret, size_t *n_ret)
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
    ret->rows = PL_NEW(arena, struct text_row, room);
    if (!own.lines || !ret->rows)
        return false;
    for (size_t i = 0; i < b->n_lines; i++)
        if (b->lines[i].box.x0 >= x0 && b->lines[i].box.x0 < x1)
            own.lines[own.n_lines++] = b->lines[i];
    ret->n = rows_of(&own, ret->rows);
    return true;
}

/* Makes a block of rows, and a table of it if it is one by itself. Returns false when memory is
 * short. */
static bool make_side(struct pl_arena *arena, const struct text_page *p,
                      const struct side_rows *side, struct pl_block *ret, bool *ret_table)
{
    put_block(ret, p->regions, PL_BLOCK_TEXT, side->rows, side->n);
    return pl_table_aligned(arena, p->regions, p->xheight, SIDE_CELLS, ret, ret_table);
}

/* Returns whether a rule from one end of the box to the other parts two rows. */
static bool are_ruled_off(const struct text_page *p, struct pl_rect box,
                          const struct text_row *above, const struct text_row *below)
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
static bool find_parts(struct pl_arena *arena, const struct text_page *p,
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
static bool judge_side(struct pl_arena *arena, const struct text_page *p,
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
static bool take_sides(struct pl_arena *arena, const struct text_page *p,
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
static bool find_sides(struct pl_arena *arena, const struct text_page *p,
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

/* Puts the parts of a side: as the tables that they are, or as text around lists. Adds the number
 * of blocks to *n_ret. Returns false when memory is short. */
static bool name_side(struct pl_arena *arena, const struct text_page *p,
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

/* Returns the only cell with text of a row of a table; NULL where there are several, or none. */
static const struct pl_cell *only_cell(const struct pl_table *t, int row)
{
    const struct pl_cell *ret = NULL;
    for (size_t i = 0; i < t->n_cells; i++) {
        const struct pl_cell *c = &t->cells[i];
        if (!c->n_lines || row < c->row || row >= c->row + c->n_rows)
            continue;
        if (ret)
            return NULL;
        ret = c;
    }
    return ret;
}

/* Returns how many rows at the end of a table are a text that follows it: a row that runs over all
 * columns, and then rows that run over several, all from where the table begins. */
static size_t count_rows_behind(const struct text_page *p, const struct pl_block *table)
{
    const struct pl_table *t = table->table;
    const double left = table->box.x0 + p->xheight;
    int ret = 0;
    for (int n = 1; n < t->n_rows; n++) {
        const struct pl_cell *c = only_cell(t, t->n_rows - n);
        if (!c || c->lines->box.x0 > left || c->n_columns < 2 || c->n_rows > 1)
            break;
        if (c->n_columns == t->n_columns)
            ret = n;
    }
    return (size_t)ret;
}

/* Puts the rows between head and foot of a block as blocks of the kinds that they are, and adds
 * their number to *n_ret. Returns false when memory is short. */
static bool name_body(struct pl_arena *arena, const struct text_page *p, struct text_row *rows,
                      size_t n, struct pl_block *ret, size_t *n_ret)
{
    struct side_rows sides[PL_MAX_SIDES];
    struct pl_block whole;
    size_t n_sides = 0;
    bool table = false;
    if (is_caption(rows, n)) {
        put_block(&ret[(*n_ret)++], p->regions, PL_BLOCK_CAPTION, rows, n);
        return true;
    }
    put_block(&whole, p->regions, PL_BLOCK_TEXT, rows, n);
    ret[*n_ret] = whole;
    if (!pl_table_aligned(arena, p->regions, p->xheight, TABLE_CELLS, &ret[*n_ret], &table))
        return false;
    if (table && !find_sides(arena, p, &whole, sides, &n_sides))
        return false;
    for (size_t i = 0; i < n_sides; i++)
        if (!name_side(arena, p, &sides[i], ret, n_ret))
            return false;
    const size_t behind = table && !n_sides ? count_rows_behind(p, &ret[*n_ret]) : 0;
    if (behind && behind < n)
        return name_body(arena, p, rows, n - behind, ret, n_ret) &&
               split_lists(arena, p, rows + n - behind, behind, ret, n_ret);
    *n_ret += table && !n_sides;
    return table || split_lists(arena, p, rows, n, ret, n_ret);
}

/* Does the same for all rows of a block. */
static bool name_rows(struct pl_arena *arena, const struct text_page *p, struct text_row *rows,
                      size_t n, struct pl_block *ret, size_t *n_ret)
{
    size_t head = margin_rows(p, rows, n, false);
    if (head)
        put_block(&ret[(*n_ret)++], p->regions, PL_BLOCK_HEADER, rows, head);
    rows += head;
    n -= head;
    size_t foot = margin_rows(p, rows, n, true);
    n -= foot;
    if (n && !name_body(arena, p, rows, n, ret, n_ret))
        return false;
    if (foot)
        put_block(&ret[(*n_ret)++], p->regions, PL_BLOCK_FOOTER, rows + n, foot);
    return true;
}

bool pl_blocks_name(struct pl_arena *arena, struct pl_regions *regions)
{
    struct text_page p = {.regions = regions};
    size_t n_lines = 0, n_words = 0, n = 0;
    for (size_t b = 0; b < regions->n_blocks; b++) {
        n_lines += regions->blocks[b].n_lines;
        for (size_t i = 0; i < regions->blocks[b].n_lines; i++)
            n_words += pl_line_count_words(&regions->blocks[b].lines[i]);
    }
    p.rows = PL_NEW(arena, struct text_row, n_lines);
    /* at most one for each line, and the blocks without rows */
    struct pl_block *blocks = PL_NEW(arena, struct pl_block, n_lines + regions->n_blocks);
    if (!p.rows || !blocks || !measure_page(arena, &p, n_lines, n_words))
        return false;
    const struct pl_table_stack stack = {regions, p.xheight, p.pitch};
    if (!pl_blocks_below(arena, &stack, regions->blocks, &regions->n_blocks))
        return false;
    for (size_t b = 0; b < regions->n_blocks; b++) {
        const struct pl_block *from = &regions->blocks[b];
        size_t rows = from->table ? 0 : rows_of(from, p.rows);
        if (!rows)
            blocks[n++] = *from;
        else if (!name_rows(arena, &p, p.rows, rows, blocks, &n))
            return false;
    }
    if (!pl_tables_stack(arena, &stack, blocks, &n))
        return false;
    regions->blocks = blocks;
    regions->n_blocks = n;
    return pl_fields_part(arena, regions);
}
