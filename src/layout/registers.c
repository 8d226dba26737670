/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers, as the index of a book: lists in the order of the alphabet that go on in columns
 * beside themselves. Their lines are as short and as level as those of a table, which is read row
 * by row; but each column is in order, and the next one goes on where it ends. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "detect/ink/sort.h"
#include "detect/order/order.h"
#include "layout/layout_tuning.def"
#include "layout/grid.h"
#include "layout/letters.h"
#include "layout/steps.h"

#define MAX_COLUMNS 8

/* Lines that begin at one x and have letters, from the top. */
struct register_column {
    const struct pl_line **v;
    size_t n;
    double x; /* the leftmost of them */
};

struct register_page {
    struct pl_line *lines;  /* upright ones, with room for two in the place of each */
    struct pl_line *turned; /* those that run up or down */
    size_t n, n_turned;
    double slack_px; /* by which lines of one column begin apart at most */
    struct register_column columns[MAX_COLUMNS];
    size_t n_columns;
    int y0, y1; /* what is read column by column */
};

/* Moves s to the next byte that counts in the order of the alphabet, and returns it: figures,
 * letters without their case, and what is not ASCII; 0 at the end. */
static unsigned next_key(const char **s)
{
    for (; **s; ++*s) {
        const unsigned char c = (unsigned char)**s;
        if (c >= 'A' && c <= 'Z')
            return ++*s, c + ('a' - 'A');
        if ((c >= '0' && c <= '9') || pl_is_letter((char)c))
            return ++*s, c;
    }
    return 0;
}

/* Returns whether text b stands before text a in the order of the alphabet. */
static bool is_before(const char *b, const char *a)
{
    unsigned x, y;
    do {
        x = next_key(&b);
        y = next_key(&a);
    } while (x && x == y);
    return x < y;
}

/* Returns whether most texts of a column stand behind the one above them in the alphabet. */
static bool is_sorted(const struct register_column *c)
{
    size_t odd = 0;
    for (size_t i = 1; i < c->n; i++)
        odd += !is_before(c->v[i - 1]->text, c->v[i]->text);
    return (double)odd <= UNSORTED * (double)c->n;
}

/* Returns whether column b goes on where column a ends. The texts in the middle of each tell, so
 * that nothing depends on a single one. */
static bool goes_on(const struct register_column *a, const struct register_column *b)
{
    size_t odd = 0;
    for (size_t i = 0; i < a->n; i++)
        odd += is_before(b->v[b->n / 2]->text, a->v[i]->text);
    for (size_t i = 0; i < b->n; i++)
        odd += is_before(b->v[i]->text, a->v[a->n / 2]->text);
    return (double)odd <= UNSORTED * (double)(a->n + b->n);
}

/* Returns the upright lines by where they begin: indices in the arena, NULL when memory is short.
 * `key` has room for one a line. */
static uint32_t *by_left(struct pl_arena *arena, const struct register_page *p, double *key)
{
    uint32_t *order = PL_NEW(arena, uint32_t, p->n);
    for (size_t i = 0; order && i < p->n; i++) {
        order[i] = (uint32_t)i;
        key[i] = p->lines[i].box.x0;
    }
    if (order)
        pl_sort_by_key(order, p->n, key);
    return order;
}

/* Fills *ret, whose v has room for n, with those of the lines order[0..n) that have letters. */
static void take_column(const struct register_page *p, uint32_t *order, size_t n, double *key,
                        struct register_column *ret)
{
    ret->x = p->lines[order[0]].box.x0;
    ret->n = 0;
    for (size_t i = 0; i < n; i++)
        key[order[i]] = p->lines[order[i]].base_y;
    pl_sort_by_key(order, n, key);
    for (size_t i = 0; i < n; i++)
        if (pl_has_letters(p->lines[order[i]].text))
            ret->v[ret->n++] = &p->lines[order[i]];
}

/* Leaves out what heads the page or the list, flush with a column. */
static void trim_head(struct register_column *c)
{
    while (c->n > REGISTER_ROWS &&
           c->v[1]->box.y0 - c->v[0]->box.y1 > REGISTER_HEAD * c->v[1]->glyph_px) {
        c->v++;
        c->n--;
    }
}

/* Finds the columns of a register. Returns false when memory is short. */
static bool find_columns(struct pl_arena *arena, struct register_page *p)
{
    double *key = PL_NEW(arena, double, p->n);
    const struct pl_line **v = PL_NEW(arena, const struct pl_line *, p->n);
    uint32_t *order = key && v ? by_left(arena, p, key) : NULL;
    if (!order)
        return false;
    p->n_columns = 0;
    for (size_t i = 0, end; i < p->n; i = end) {
        struct register_column c = {.v = v + i};
        const double x = p->lines[order[i]].box.x0;
        for (end = i + 1; end < p->n; end++)
            if (p->lines[order[end]].box.x0 > x + p->slack_px)
                break;
        take_column(p, order + i, end - i, key, &c);
        trim_head(&c);
        if (c.n >= REGISTER_ROWS && is_sorted(&c) && p->n_columns < MAX_COLUMNS &&
            (!p->n_columns || goes_on(&p->columns[p->n_columns - 1], &c)))
            p->columns[p->n_columns++] = c;
    }
    return true;
}

/* Returns the column that a line is in: the last one that does not begin behind it. */
static size_t column_of(const struct register_page *p, const struct pl_line *l)
{
    size_t c = p->n_columns - 1;
    while (c && p->columns[c].x - p->slack_px > l->box.x0)
        c--;
    return c;
}

/* Returns whether a line reaches into the next column. */
static bool is_across(const struct register_page *p, const struct pl_line *l)
{
    const size_t next = column_of(p, l) + 1;
    return next < p->n_columns && l->box.x1 > p->columns[next].x;
}

static int middle_of(const struct pl_line *l)
{
    return (l->box.y0 + l->box.y1) / 2;
}

static bool stands_in(const struct register_page *p, const struct pl_line *l)
{
    return middle_of(l) >= p->y0 && middle_of(l) < p->y1;
}

/* Returns the height of the next line below y that runs across the columns. */
static int next_across(const struct register_page *p, int y)
{
    int next = INT_MAX;
    for (size_t i = 0; i < p->n; i++)
        if (is_across(p, &p->lines[i]) && middle_of(&p->lines[i]) > y)
            next = PL_MIN(next, middle_of(&p->lines[i]));
    return next;
}

/* Counts the entries of all columns between two heights. */
static size_t count_between(const struct register_page *p, int y0, int y1)
{
    size_t n = 0;
    for (size_t c = 0; c < p->n_columns; c++)
        for (size_t i = 0; i < p->columns[c].n; i++)
            n += middle_of(p->columns[c].v[i]) > y0 && middle_of(p->columns[c].v[i]) < y1;
    return n;
}

/* Leaves of a column what stands between two heights. */
static void cut_column(struct register_column *c, int y0, int y1)
{
    for (; c->n && middle_of(c->v[0]) <= y0; c->v++)
        c->n--;
    while (c->n && middle_of(c->v[c->n - 1]) >= y1)
        c->n--;
}

/* Leaves of the columns what stands between two lines that run across them, wherever there is the
 * most; gives the lower end of that. Returns whether they are those of a register still. */
static bool cut_columns(struct register_page *p, int *ret_end)
{
    int from = INT_MIN, to = next_across(p, from);
    for (int y0 = to, y1; y0 < INT_MAX; y0 = y1) {
        y1 = next_across(p, y0);
        if (count_between(p, y0, y1) > count_between(p, from, to)) {
            from = y0;
            to = y1;
        }
    }
    bool good = true;
    for (size_t i = 0; i < p->n_columns; i++) {
        struct register_column *c = &p->columns[i];
        cut_column(c, from, to);
        good = good && c->n >= REGISTER_ROWS && is_sorted(c) && (!i || goes_on(c - 1, c));
    }
    *ret_end = to;
    return good;
}

/* Finds from where to where the columns are read: from the first entry to the last one, with what
 * goes on below that. Returns false where there is too little between lines that run across. */
static bool find_span(struct register_page *p)
{
    int end;
    if (!cut_columns(p, &end))
        return false;
    p->y0 = INT_MAX;
    p->y1 = INT_MIN;
    for (size_t c = 0; c < p->n_columns; c++) {
        p->y0 = PL_MIN(p->y0, p->columns[c].v[0]->box.y0);
        p->y1 = PL_MAX(p->y1, p->columns[c].v[p->columns[c].n - 1]->box.y1);
    }
    for (bool grows = true; grows;) {
        grows = false;
        for (size_t i = 0; i < p->n; i++) {
            const struct pl_line *l = &p->lines[i];
            if (middle_of(l) >= p->y1 && middle_of(l) < end &&
                l->box.y0 <= p->y1 + REGISTER_NEXT * l->glyph_px) {
                p->y1 = l->box.y1;
                grows = true;
            }
        }
    }
    return true;
}

/* Returns the part of the page that a line is in: 0 above the columns, then these, then the rest.
 */
static size_t part_of(const struct register_page *p, const struct pl_line *l)
{
    if (stands_in(p, l))
        return column_of(p, l) + 1;
    return middle_of(l) < p->y0 ? 0 : p->n_columns + 1;
}

/* Puts the lines of a part in order, and appends their blocks to `blocks`. Returns false when
 * memory is short. */
static bool order_part(struct pl_arena *arena, const struct register_page *p, size_t part,
                       const struct pl_regions *r, struct pl_line *scratch, struct pl_block *blocks,
                       size_t *n_blocks)
{
    uint32_t n = 0;
    struct pl_regions own = *r;
    own.single_column = part && part <= p->n_columns;
    for (size_t i = 0; i < p->n; i++)
        if (part_of(p, &p->lines[i]) == part)
            scratch[n++] = p->lines[i];
    for (size_t i = 0; part > p->n_columns && i < p->n_turned; i++)
        scratch[n++] = p->turned[i];
    if (n && !pl_order_lines(arena, scratch, n, &own))
        return false;
    for (size_t b = 0; n && b < own.n_blocks; b++) {
        blocks[*n_blocks] = own.blocks[b];
        blocks[(*n_blocks)++].of_register = own.single_column;
    }
    return true;
}

/* Reads the page part by part. */
static bool order_page(struct pl_arena *arena, const struct register_page *p, struct pl_regions *r)
{
    struct pl_line *scratch = PL_NEW(arena, struct pl_line, p->n + p->n_turned);
    struct pl_block *blocks =
        PL_NEW(arena, struct pl_block, p->n + p->n_turned); /* none is empty */
    size_t n = 0;
    if (!scratch || !blocks)
        return false;
    for (size_t part = 0; part < p->n_columns + 2; part++)
        if (!order_part(arena, p, part, r, scratch, blocks, &n))
            return false;
    r->blocks = blocks;
    r->n_blocks = n;
    return true;
}

/* Takes the lines of the page. Returns false when memory is short. */
static bool take_lines(struct pl_arena *arena, const struct pl_regions *r, struct register_page *p)
{
    size_t n = 0;
    for (size_t b = 0; b < r->n_blocks; b++)
        n += r->blocks[b].n_lines;
    p->lines = PL_NEW(arena, struct pl_line, 2 * n);
    p->turned = PL_NEW(arena, struct pl_line, n);
    if (!p->lines || !p->turned)
        return false;
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++) {
            const struct pl_line *l = &r->blocks[b].lines[i];
            if (l->quarters)
                p->turned[p->n_turned++] = *l;
            else
                p->lines[p->n++] = *l;
        }
    return true;
}

/* Returns the word of a line that begins where the next column does; 0 where none does. */
static size_t word_of_next(const struct register_page *p, const struct pl_line *l)
{
    const double x = p->columns[column_of(p, l) + 1].x;
    for (size_t i = 1; i < l->n_words; i++)
        if (fabs(l->words[i].box.x0 - x) <= p->slack_px)
            return i;
    return 0;
}

/* Makes two of each line that runs on from one column in the next, where little white is between
 * them. Returns false when memory is short. */
static bool part_lines(struct pl_arena *arena, struct register_page *p)
{
    for (size_t i = 0, n = p->n; i < n; i++) {
        const struct pl_line whole = p->lines[i];
        const size_t at = is_across(p, &whole) ? word_of_next(p, &whole) : 0;
        if (!at)
            continue;
        if (!pl_line_part(arena, &whole, 0, at, &p->lines[i]) ||
            !pl_line_part(arena, &whole, at, whole.n_words, &p->lines[p->n++]))
            return false;
    }
    return true;
}

bool pl_registers_order(struct pl_arena *arena, struct pl_regions *r)
{
    struct register_page p = {.slack_px = BLANK_WIDTH * r->glyph_px};
    if (r->single_column || !r->n_blocks)
        return true;
    if (!take_lines(arena, r, &p) || (p.n && !find_columns(arena, &p)))
        return false;
    if (p.n_columns < 2)
        return true;
    if (!part_lines(arena, &p) || !find_columns(arena, &p))
        return false;
    return p.n_columns < 2 || !find_span(&p) || order_page(arena, &p, r);
}
