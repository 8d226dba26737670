/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers, as the index of a book or a directory: lists in the order of the alphabet that go on
 * in columns beside themselves. Their lines are as short and as level as those of a table, which is
 * read row by row; but each column is in order, and the next one goes on where it ends. */
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "detect/ink/sort.h"
#include "detect/order/order.h"
#include "layout/layout_tuning.def"
#include "layout/grid.h"
#include "layout/letters.h"
#include "layout/steps.h"

#define MAX_COLUMNS 8

/* Lines that begin entries, begin at one x and have letters, from the top. */
struct register_column {
    const struct pl_line **v;
    size_t n;
    double x;      /* where the leftmost line begins */
    size_t n_head; /* lines that head the page or the list, before v[0] */
    double row_px; /* from row to row of an entry; 0 = each line is one */
};

struct register_page {
    struct pl_line *lines;  /* upright ones, with room for two in the place of each */
    struct pl_line *turned; /* those that run up or down */
    size_t n, n_turned;
    double slack_px; /* by which lines of one column begin apart at most */
    /* Scratch and what it holds, all with room for as many as `lines`: */
    double *key, *steps;
    uint32_t *order;           /* lines from the left, and then from the top */
    bool *is_entry, *is_alone; /* no other line begins at its place */
    const struct pl_line **v;  /* of all columns */
    struct register_column columns[MAX_COLUMNS];
    size_t n_columns;
    int y0, y1; /* what is read column by column */
};

/* Moves s to the next byte that counts in the order of the alphabet, and returns it: figures,
 * letters without their case, what is not ASCII, and between words a blank, if they count; 0 at the
 * end. */
static unsigned next_key(const char **s, bool words)
{
    for (; **s; ++*s) {
        const unsigned char c = (unsigned char)**s;
        if (c >= 'A' && c <= 'Z')
            return ++*s, c + ('a' - 'A');
        if ((c >= '0' && c <= '9') || pl_is_letter((char)c) || (words && c == ' '))
            return ++*s, c;
    }
    return 0;
}

static bool is_before_by(const char *b, const char *a, bool words)
{
    unsigned x, y;
    do {
        x = next_key(&b, words);
        y = next_key(&a, words);
    } while (x && x == y);
    return x < y;
}

/* Returns whether text b stands before text a in the order of the alphabet, letter by letter or
 * word by word, as Beck Mark before Becker Jane. */
static bool is_before(const char *b, const char *a)
{
    return is_before_by(b, a, false) || is_before_by(b, a, true);
}

/* Returns whether most texts of a column stand behind the one above them in the alphabet. */
static bool is_sorted(const struct register_column *c)
{
    size_t odd = 0;
    for (size_t i = 1; i < c->n; i++)
        odd += !is_before(c->v[i - 1]->text, c->v[i]->text);
    return (double)odd <= UNSORTED * (double)c->n;
}

/* Returns whether column b goes on where column a ends: text by text its upper half comes behind
 * the lower half of a, and its lower half behind the upper one, so that nothing depends on a single
 * one. Half of the texts do not where both are in order row by row, or b begins anew. */
static bool goes_on(const struct register_column *a, const struct register_column *b)
{
    const size_t n = PL_MAX(a->n, b->n);
    size_t odd = 0;
    for (size_t i = 0; i < n; i++)
        odd += !is_before(a->v[(a->n / 2 + i * a->n / n) % a->n]->text, b->v[i * b->n / n]->text);
    return (double)odd <= UNSORTED * (double)n;
}

/* Sorts order[0..n) of the page by where the lines begin, or by their baselines. */
static void sort_lines(struct register_page *p, uint32_t *order, size_t n, bool by_left)
{
    for (size_t i = 0; i < n; i++) {
        const struct pl_line *l = &p->lines[order[i]];
        p->key[order[i]] = by_left ? l->box.x0 : l->base_y;
    }
    pl_sort_by_key(order, n, p->key);
}

/* Returns the step from a line to the one below it, of order[0..n). */
static double step_to(const struct register_page *p, const uint32_t *order, size_t i)
{
    return p->lines[order[i]].base_y - p->lines[order[i - 1]].base_y;
}

/* Returns the step from row to row within entries, of the lines order[0..n), which begin at one x:
 * the lower quartile, since every other step leads to the next entry where they have two rows. */
static double step_within(struct register_page *p, const uint32_t *order, size_t n)
{
    for (size_t i = 1; i < n; i++)
        p->steps[i - 1] = step_to(p, order, i);
    pl_sort_doubles(p->steps, n - 1);
    return n > 1 ? p->steps[(n - 1) / 4] : 0;
}

/* Fills *ret, whose v has room for n, with those of the lines order[0..n), from the top, that have
 * letters and are `step_px` below the one above them at least. */
static void take_entries(const struct register_page *p, const uint32_t *order, size_t n,
                         double step_px, struct register_column *ret)
{
    ret->n = 0;
    for (size_t i = 0; i < n; i++)
        if (pl_has_letters(p->lines[order[i]].text) && (!i || step_to(p, order, i) >= step_px))
            ret->v[ret->n++] = &p->lines[order[i]];
    ret->n_head = 0;
}

/* Returns whether a line stands between two others that are below each other. */
static bool has_between(const struct register_page *p, const struct pl_line *above,
                        const struct pl_line *below)
{
    const int left = PL_MIN(above->box.x0, below->box.x0),
              right = PL_MAX(above->box.x1, below->box.x1);
    bool found = false;
    for (size_t i = 0; i < p->n && !found; i++) {
        const struct pl_rect *b = &p->lines[i].box;
        found = b->y0 >= above->box.y1 && b->y1 <= below->box.y0 && b->x0 < right && b->x1 > left;
    }
    return found;
}

/* Returns the usual step from an entry to the next one of a column of several. */
static double usual_step(struct register_page *p, const struct register_column *c)
{
    for (size_t i = 1; i < c->n; i++)
        p->steps[i - 1] = c->v[i]->base_y - c->v[i - 1]->base_y;
    return pl_median(p->steps, c->n - 1);
}

/* Leaves out what heads the page or the list, flush with a column, above white that is wider than
 * between entries. */
static void trim_head(struct register_page *p, struct register_column *c)
{
    if (c->n <= REGISTER_ROWS)
        return;
    const double step_px = BAND_STEP * usual_step(p, c);
    while (c->n > REGISTER_ROWS && c->n_head < HEADING_ROWS &&
           c->v[1]->box.y0 - c->v[0]->box.y1 > REGISTER_HEAD * c->v[1]->glyph_px &&
           c->v[1]->base_y - c->v[0]->base_y > step_px && !has_between(p, c->v[0], c->v[1])) {
        c->v++;
        c->n--;
        c->n_head++;
    }
}

/* Fills *ret, whose v has room for n, with the entries of the lines order[0..n), n > 0, which begin
 * at one x: each is one, or those below wider white, as the names of a directory are, above street
 * and town. Returns whether they are in order. */
static bool take_column(struct register_page *p, uint32_t *order, size_t n,
                        struct register_column *ret)
{
    const struct pl_line **v = ret->v;
    ret->x = p->lines[order[0]].box.x0;
    sort_lines(p, order, n, false);
    take_entries(p, order, n, -INFINITY, ret);
    trim_head(p, ret);
    if (is_sorted(ret))
        return true;
    ret->v = v;
    ret->row_px = step_within(p, order, n);
    take_entries(p, order, n, BAND_STEP * ret->row_px, ret);
    trim_head(p, ret);
    return is_sorted(ret);
}

/* Returns whether a column, which is in order, is one more of the register. Behind two that are as
 * far apart as it and the last one are, it may have few entries. */
static bool is_next(const struct register_page *p, const struct register_column *c)
{
    const struct register_column *next = p->columns + p->n_columns;
    if (p->n_columns == MAX_COLUMNS || c->n < 2 || (p->n_columns && !goes_on(next - 1, c)))
        return false;
    return c->n >= REGISTER_ROWS ||
           (p->n_columns > 1 && fabs(c->x - 2 * next[-1].x + next[-2].x) <= p->slack_px);
}

/* Returns whether line v[0] of column c is out of order: not before v[1], the one below it, or not
 * behind the middle one of the column before it. */
static bool is_odd(const struct register_page *p, size_t c, const struct pl_line *const *v)
{
    const struct register_column *own = &p->columns[c];
    return !is_before(v[0]->text, v[1]->text) ||
           (c && !is_before(own[-1].v[own[-1].n / 2]->text, v[0]->text));
}

/* Returns the first line of column c that is level with another one, of those with a line below
 * them; NULL where none is. */
static const struct pl_line *const *find_level(const struct register_column *c,
                                               const struct pl_line *other)
{
    const struct pl_line *const *end = c->v + c->n - 1;
    for (const struct pl_line *const *v = c->v - c->n_head; v < end; v++)
        if (fabs(v[0]->base_y - other->base_y) <= LEVEL_BASES * other->glyph_px)
            return v;
    return NULL;
}

/* Returns whether the columns have a name each, as those of a table do: level with the first line
 * of the second one, they are different and out of order. */
static bool are_named(const struct register_page *p)
{
    const struct pl_line *first = p->columns[1].v[-(ptrdiff_t)p->columns[1].n_head];
    for (size_t c = 0; c < p->n_columns; c++) {
        const struct pl_line *const *name = find_level(&p->columns[c], first);
        if (!name || !is_odd(p, c, name) || (c != 1 && !strcmp((*name)->text, first->text)))
            return false;
    }
    return true;
}

/* Finds the columns of a register; there are none in a table. */
static void find_columns(struct register_page *p)
{
    for (size_t i = 0; i < p->n; i++)
        p->order[i] = (uint32_t)i;
    sort_lines(p, p->order, p->n, true);
    p->n_columns = 0;
    for (size_t i = 0, end; i < p->n; i = end) {
        struct register_column c = {.v = p->v + i};
        const double x = p->lines[p->order[i]].box.x0;
        for (end = i + 1; end < p->n; end++)
            if (p->lines[p->order[end]].box.x0 > x + p->slack_px)
                break;
        for (size_t k = i; k < end; k++)
            p->is_alone[p->order[k]] = end == i + 1;
        if (take_column(p, p->order + i, end - i, &c) && is_next(p, &c))
            p->columns[p->n_columns++] = c;
    }
    if (p->n_columns > 1 && are_named(p))
        p->n_columns = 0;
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

/* Sorts all lines from the top, by their middles, and notes which are entries. */
static void sort_from_top(struct register_page *p)
{
    for (size_t i = 0; i < p->n; i++) {
        p->order[i] = (uint32_t)i;
        p->key[i] = middle_of(&p->lines[i]);
        p->is_entry[i] = false;
    }
    pl_sort_by_key(p->order, p->n, p->key);
    for (size_t c = 0; c < p->n_columns; c++)
        for (size_t i = 0; i < p->columns[c].n; i++)
            p->is_entry[p->columns[c].v[i] - p->lines] = true;
}

/* Gives the heights of the two lines that run across the columns, with none between them, between
 * which the most entries stand. */
static void find_most(const struct register_page *p, int *ret_from, int *ret_to)
{
    size_t n = 0, most = 0;
    int from = INT_MIN;
    *ret_from = *ret_to = INT_MIN;
    for (size_t i = 0; i <= p->n; i++) {
        const bool end = i == p->n;
        const struct pl_line *l = end ? NULL : &p->lines[p->order[i]];
        if (!end && !is_across(p, l)) {
            n += p->is_entry[p->order[i]];
            continue;
        }
        const int to = end ? INT_MAX : middle_of(l);
        if (n > most) {
            most = n;
            *ret_from = from;
            *ret_to = to;
        }
        from = to;
        n = 0;
    }
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
    int from, to;
    bool good = true;
    find_most(p, &from, &to);
    for (size_t i = 0; i < p->n_columns; i++) {
        struct register_column *c = &p->columns[i];
        cut_column(c, from, to);
        good = good && c->n >= (i < 2 ? REGISTER_ROWS : 1) && is_sorted(c) &&
               (!i || goes_on(c - 1, c));
    }
    *ret_end = to;
    return good;
}

/* Finds from where to where the columns are read: from the first entry to the last one, with what
 * goes on below that. Returns false where there is too little between lines that run across. */
static bool find_span(struct register_page *p)
{
    int end;
    sort_from_top(p);
    if (!cut_columns(p, &end))
        return false;
    double row_px = 0;
    p->y0 = INT_MAX;
    p->y1 = INT_MIN;
    for (size_t c = 0; c < p->n_columns; c++) {
        row_px = PL_MAX(row_px, p->columns[c].row_px);
        p->y0 = PL_MIN(p->y0, p->columns[c].v[0]->box.y0);
        p->y1 = PL_MAX(p->y1, p->columns[c].v[p->columns[c].n - 1]->box.y1);
    }
    for (size_t i = 0; i < p->n; i++) {
        const struct pl_line *l = &p->lines[p->order[i]];
        if (middle_of(l) >= p->y1 && middle_of(l) < end &&
            l->box.y0 <= p->y1 + PL_MAX(REGISTER_NEXT * l->glyph_px, row_px))
            p->y1 = l->box.y1;
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

/* Takes the lines of the page, and scratch. Returns false when memory is short. */
static bool take_lines(struct pl_arena *arena, const struct pl_regions *r, struct register_page *p)
{
    size_t n = 0;
    for (size_t b = 0; b < r->n_blocks; b++)
        n += r->blocks[b].n_lines;
    p->lines = PL_NEW(arena, struct pl_line, 2 * n);
    p->turned = PL_NEW(arena, struct pl_line, n);
    p->key = PL_NEW(arena, double, 2 * n);
    p->steps = PL_NEW(arena, double, 2 * n);
    p->order = PL_NEW(arena, uint32_t, 2 * n);
    p->is_entry = PL_NEW(arena, bool, 2 * n);
    p->is_alone = PL_NEW(arena, bool, 2 * n);
    p->v = PL_NEW(arena, const struct pl_line *, 2 * n);
    if (!p->lines || !p->turned || !p->key || !p->steps || !p->order || !p->is_entry ||
        !p->is_alone || !p->v)
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

/* Returns whether the white before word `at` of a line is clearly wider than every other one. */
static bool is_widest(const struct pl_line *l, size_t at)
{
    int other = 0;
    for (size_t i = 1; i < l->n_words; i++)
        other = PL_MAX(other, i == at ? 0 : l->words[i].box.x0 - l->words[i - 1].box.x1);
    return l->words[at].box.x0 - l->words[at - 1].box.x1 > WIDE_BLANK * other;
}

/* Makes two of each line that runs on from one column in the next, where little white is between
 * them; a title across the columns begins where no other line does. Returns false when memory is
 * short. */
static bool part_lines(struct pl_arena *arena, struct register_page *p)
{
    for (size_t i = 0, n = p->n; i < n; i++) {
        const struct pl_line whole = p->lines[i];
        const size_t at = is_across(p, &whole) ? word_of_next(p, &whole) : 0;
        if (!at || (p->is_alone[i] && !is_widest(&whole, at)))
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
    if (!take_lines(arena, r, &p))
        return false;
    find_columns(&p);
    if (p.n_columns < 2)
        return true;
    if (!part_lines(arena, &p))
        return false;
    find_columns(&p);
    return p.n_columns < 2 || !find_span(&p) || order_page(arena, &p, r);
}
