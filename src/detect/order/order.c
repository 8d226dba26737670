/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading order: the page is cut where a white corridor parts two columns of prose; the part above
 * the columns, the left one, the right one, what is set into both, and the part below are cut again
 * in the same way. So are both piles in the head of a letter. What has no such corridor (a column,
 * a form, a table) is read row by row, with the notes in its margins behind the blocks beside them.
 */
#include "detect/order/order.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "detect/ink/sort.h"
#include "detect/order/cut.h"
#include "detect/order/framed.h"
#include "detect/order/margin.h"
#include "detect/order/order_tuning.def"

#define MAX_DEPTH 24

/* Lines that were two are parted where the columns are. That may tell of others, which are looked
 * for again this many times at most. */
#define MAX_ROUNDS 6

struct orderer {
    struct pl_cut_lines p;
    double *y;       /* p.y */
    double *key;     /* scratch for sorting, by line */
    uint32_t *out;   /* lines in reading order */
    uint32_t *block; /* block number of out[i] */
    uint32_t n_out, n_blocks;
    size_t *part; /* of each line: the word at which it is to be parted; 0 = nowhere */
    uint32_t n_parted;
    const struct pl_regions *page; /* its rules and slope are set */
    struct pl_page_frames frames;
    bool *below_rule;             /* scratch of best_cut() and read_with_notes() */
    struct pl_margin_line *notes; /* of the rows that are being read */
    uint32_t n_notes;
};

static void put_line(struct orderer *o, uint32_t line)
{
    assert(o->n_blocks > 0);
    o->block[o->n_out] = o->n_blocks - 1;
    o->out[o->n_out++] = line;
}

/* Puts the notes that stand beside lines out[from..n_out), each as a block of its own. */
static void put_notes(struct orderer *o, uint32_t from)
{
    const uint32_t end = o->n_out;
    for (uint32_t i = 0; i < o->n_notes; i++) {
        const struct pl_margin_line *note = &o->notes[i];
        uint32_t k = from;
        while (k < end && o->out[k] != note->beside)
            k++;
        if (k == end)
            continue;
        o->n_blocks += note->line == note->first;
        put_line(o, note->line);
    }
}

/* Returns how many lines the first row of v[0..n) has, which is sorted by y: those that are level
 * with its first line. */
static uint32_t row_end(const struct orderer *o, const uint32_t *v, uint32_t n)
{
    assert(n > 0);
    uint32_t i = 1;
    while (i < n && pl_cut_same_row(&o->p, v[0], v[i]))
        i++;
    return i;
}

/* Returns the usual distance of the rows of v[0..n), as it is within paragraphs: those between
 * them, which are wider, may be more than half. */
static double row_pitch(const struct orderer *o, const uint32_t *v, uint32_t n)
{
    uint32_t m = 0;
    double last = o->p.y[v[0]];
    for (uint32_t i = row_end(o, v, n); i < n; i += row_end(o, v + i, n - i)) {
        o->key[m++] = o->p.y[v[i]] - last;
        last = o->p.y[v[i]];
    }
    pl_sort_doubles(o->key, m);
    return m ? o->key[(uint32_t)(WITHIN_SHARE * m)] : 0;
}

/* Returns whether line v[i] of v[0..n), a row by itself, is the indented first row of a paragraph:
 * the rows before and behind it are single lines too, clear of it, and both begin at the left edge
 * of the text; and it ends near the right one, as the lines of an address do not. */
static bool is_indented(const struct orderer *o, const uint32_t *v, uint32_t n, uint32_t i)
{
    if (i < 1 || i + 1 >= n || (i > 1 && pl_cut_same_row(&o->p, v[i - 2], v[i - 1])) ||
        row_end(o, v + i - 1, n - i + 1) > 1 || row_end(o, v + i, n - i) > 1 ||
        row_end(o, v + i + 1, n - i - 1) > 1)
        return false;
    const struct pl_line *line = &o->p.lines[v[i]];
    const struct pl_rect b = line->box, up = o->p.lines[v[i - 1]].box,
                         down = o->p.lines[v[i + 1]].box;
    const double size = line->glyph_px, left = PL_MAX(up.x0, down.x0),
                 width = PL_MAX(PL_MAX(up.x1, down.x1), b.x1) - left;
    return b.y0 + b.y1 > 2 * up.y1 && down.y0 + down.y1 > 2 * b.y1 &&
           abs(up.x0 - down.x0) <= EDGE_LEVEL * size && b.x0 - left >= MIN_INDENT * size &&
           b.x0 - left <= MAX_INDENT * size && b.x1 - left >= INDENTED_FILL * width;
}

/* Returns whether the first word of `next`, with a blank, would have fitted behind `line` in the
 * longest of three rows. */
static bool had_room(const struct pl_line *line, const struct pl_line *next,
                     const struct pl_line *third)
{
    const int right = PL_MAX(line->box.x1, PL_MAX(next->box.x1, third->box.x1));
    const int blank = next->n_gaps > 1 ? next->gaps[1].x0 - next->gaps[0].x1 : 0;
    return next->n_gaps && line->box.x1 + blank + pl_rect_width(next->gaps[0]) <= right;
}

/* Returns whether the rows of v[0..n) hang, as those of a list of books do: of the rows that are
 * indented below one that is not, more go on an entry than begin a paragraph. They go on where
 * another row begins at their place below them, or where the row above was full and they are not;
 * they begin a paragraph where that row was not full. A single row may look so by chance. */
static bool are_hanging(const struct orderer *o, const uint32_t *v, uint32_t n)
{
    uint32_t hanging = 0, paragraphs = 0;
    for (uint32_t i = 1; i + 1 < n; i++) {
        const struct pl_line *up = &o->p.lines[v[i - 1]], *line = &o->p.lines[v[i]],
                             *down = &o->p.lines[v[i + 1]];
        const double indent = line->box.x0 - up->box.x0;
        if (pl_cut_same_row(&o->p, v[i - 1], v[i]) || pl_cut_same_row(&o->p, v[i], v[i + 1]) ||
            indent < MIN_INDENT * line->glyph_px || indent > MAX_INDENT * line->glyph_px)
            continue;
        if (pl_cut_is_flush(line, down->box))
            hanging++;
        else if (had_room(up, line, down))
            paragraphs++;
        else
            hanging += had_room(line, down, up);
    }
    return hanging > 1 && hanging > paragraphs;
}

/* Returns whether a line stands beside one of larger type, at the height of its letters. */
static bool is_beside_large(const struct orderer *o, uint32_t line, uint32_t large)
{
    const struct pl_line *a = &o->p.lines[line], *b = &o->p.lines[large];
    return pl_cut_is_larger(b, a) && (a->box.x1 <= b->box.x0 || a->box.x0 >= b->box.x1) &&
           o->y[line] - 0.5 * a->ascent_px > o->y[large] - b->ascent_px;
}

/* Returns whether one of the lines v[0..n) is of one pile with a line: in its type, flush with it
 * and not far above or below. */
static bool any_in_pile(const struct orderer *o, const uint32_t *v, uint32_t n, uint32_t line)
{
    const struct pl_line *a = &o->p.lines[line];
    bool found = false;
    for (uint32_t i = 0; i < n && !found; i++) {
        const struct pl_line *b = &o->p.lines[v[i]];
        found = fabs(o->y[v[i]] - o->y[line]) <= NEXT_PITCH * a->ascent_px &&
                pl_cut_is_flush(a, b->box) && !pl_cut_is_larger(a, b) && !pl_cut_is_larger(b, a);
    }
    return found;
}

/* Reads a line of large type with that beside it, above its baseline, with which a pile begins that
 * goes on below it: the name in a head would else part what is set beside it, level with its top.
 * Takes v[0..n) sorted by y, and leaves it so. */
static void raise_large(struct orderer *o, uint32_t *v, uint32_t n)
{
    for (uint32_t i = n; i-- > 0;) {
        const double y = o->y[v[i]];
        for (uint32_t j = i; j-- > 0 && y - o->y[v[j]] < o->p.lines[v[i]].ascent_px;)
            if (is_beside_large(o, v[j], v[i]) && !any_in_pile(o, v, j, v[j]) &&
                any_in_pile(o, v + i + 1, n - i - 1, v[j]))
                o->y[v[i]] = o->y[v[j]];
    }
    pl_sort_by_key(v, n, o->y);
}

/* Reads v[0..n) row by row. A step down that is wider than usual starts a block, and so does the
 * indented first row of a paragraph. A note follows the block beside which it begins. */
static void read_rows(struct orderer *o, uint32_t *v, uint32_t n)
{
    raise_large(o, v, n);
    double pitch = row_pitch(o, v, n), last = 0;
    const bool hanging = are_hanging(o, v, n);
    uint32_t block = o->n_out; /* where it begins */
    for (uint32_t i = 0, end; i < n; i = end) {
        end = i + row_end(o, v + i, n - i);
        double y = o->p.y[v[i]];
        if (i == 0 || y - last > BLOCK_PITCH * pitch || (!hanging && is_indented(o, v, n, i))) {
            put_notes(o, block);
            block = o->n_out;
            o->n_blocks++;
        }
        last = y;
        for (uint32_t j = i; j < end; j++)
            o->key[v[j]] = o->p.lines[v[j]].box.x0;
        pl_sort_by_key(v + i, end - i, o->key);
        for (uint32_t j = i; j < end; j++)
            put_line(o, v[j]);
    }
    put_notes(o, block);
}

/* Reads v[0..n) row by row, but for the notes in its margins. */
static void read_with_notes(struct orderer *o, uint32_t *v, uint32_t n)
{
    o->n_notes = pl_margin_take(&o->p, v, &n, o->below_rule, o->notes);
    read_rows(o, v, n);
    o->n_notes = 0;
}

enum part { ABOVE, LEFT, RIGHT, INSET, BELOW, N_PARTS };

static enum part part_of(const struct pl_cut *c, struct pl_rect box, double y)
{
    if (y < c->top || y > c->bottom)
        return y < c->top ? ABOVE : BELOW;
    int side = pl_cut_side(c, box);
    return side < 0 ? LEFT : side > 0 ? RIGHT : INSET;
}

/* Moves the members of v[0..n) that lie in that part of the cut to the front, their order kept;
 * returns how many. The others keep theirs by way of `scratch`. */
static uint32_t take_part(const struct orderer *o, uint32_t *v, uint32_t n, const struct pl_cut *c,
                          enum part part, uint32_t *scratch)
{
    uint32_t taken = 0, left = 0;
    for (uint32_t i = 0; i < n; i++) {
        enum part p = part_of(c, o->p.lines[v[i]].box, o->p.y[v[i]]);
        if (p == part)
            v[taken++] = v[i];
        else
            scratch[left++] = v[i];
    }
    memcpy(v + taken, scratch, left * sizeof(*v));
    return taken;
}

/* Notes where the lines of v[0..n) that run through the corridor are to be parted. */
static void note_parts(struct orderer *o, const uint32_t *v, uint32_t n, const struct pl_cut *c)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct pl_line *line = &o->p.lines[v[i]];
        if (part_of(c, line->box, o->p.y[v[i]]) == INSET) {
            o->part[v[i]] = pl_cut_gap(c, line, o->p.size);
            o->n_parted += o->part[v[i]] > 0;
        }
    }
}

static struct pl_rect box_of(const struct orderer *o, const uint32_t *v, uint32_t n)
{
    assert(n > 0);
    struct pl_rect box = o->p.lines[v[0]].box;
    for (uint32_t i = 1; i < n; i++)
        box = pl_rect_union(box, o->p.lines[v[i]].box);
    return box;
}

/* Returns whether an upright rule within the text goes through a level one. */
static bool is_crossed(const struct orderer *o, struct pl_rect level, struct pl_rect text)
{
    const double beyond = CROSSING * o->p.size;
    bool found = false;
    for (size_t i = 0; i < o->page->n_rules && !found; i++) {
        const struct pl_rect b = o->page->rules[i].box;
        found = o->page->rules[i].upright && b.x0 > text.x0 && b.x1 < text.x1 &&
                level.y0 - b.y0 > beyond && b.y1 - level.y1 > beyond;
    }
    return found;
}

/* Returns whether the rule ends all columns of the text in `box`: it runs across nearly all of it,
 * and what parts the columns does not go on through it, as in a grid of quarters. */
static bool ends_columns(const struct orderer *o, const struct pl_rule *rule, struct pl_rect box)
{
    const int common = PL_MIN(rule->box.x1, box.x1) - PL_MAX(rule->box.x0, box.x0);
    return !rule->upright && common >= WIDE_RULE * pl_rect_width(box) &&
           !is_crossed(o, rule->box, box);
}

/* Notes which of the lines v[0..n), n > 0, are the first ones below a rule that ends all columns.
 */
static void note_rules(struct orderer *o, const uint32_t *v, uint32_t n)
{
    const struct pl_rect box = box_of(o, v, n);
    memset(o->below_rule, 0, n * sizeof(*o->below_rule));
    for (size_t r = 0; r < o->page->n_rules; r++) {
        if (!ends_columns(o, &o->page->rules[r], box))
            continue;
        const struct pl_rect b = o->page->rules[r].box;
        const double y = 0.5 * (b.y0 + b.y1 - o->page->slope * (b.x0 + b.x1));
        uint32_t i = 0;
        while (i < n && o->p.y[v[i]] - 0.5 * o->p.size < y)
            i++;
        if (i < n)
            o->below_rule[i] = true;
    }
}

/* Returns the best cut through v[0..n), n > 0. No column goes on beyond a rule that ends all of
 * them: each part of the page between two such rules is looked at by itself. */
static struct pl_cut best_cut(struct orderer *o, const uint32_t *v, uint32_t n)
{
    struct pl_cut best = {0};
    note_rules(o, v, n);
    for (uint32_t first = 0, end; first < n; first = end) {
        end = first + 1;
        while (end < n && !o->below_rule[end])
            end++;
        const struct pl_cut c = pl_cut_best(&o->p, v + first, end - first);
        best = c.score > best.score ? c : best;
    }
    return best;
}

static void read_region(struct orderer *o, uint32_t *v, uint32_t n, uint32_t *scratch, int depth);

/* Reads v[0..n) with the columns of frames side by side one after the other; returns whether it has
 * such frames. */
static bool read_frames(struct orderer *o, uint32_t *v, uint32_t n, uint32_t *scratch, int depth)
{
    uint32_t sizes[PL_MAX_FRAMES + 2] = {0};
    const size_t columns = pl_frames_part(&o->frames, &o->p, v, n, o->key);
    if (!columns)
        return false;
    for (uint32_t i = 0; i < n; i++)
        sizes[(size_t)o->key[v[i]]]++;
    pl_sort_by_key(v, n, o->key);
    for (size_t i = 0; i <= columns + 1; i++) {
        pl_sort_by_key(v, sizes[i], o->y);
        read_region(o, v, sizes[i], scratch, depth + 1);
        v += sizes[i];
    }
    return true;
}

static void read_region(struct orderer *o, uint32_t *v, uint32_t n, uint32_t *scratch, int depth)
{
    if (!n || (depth < MAX_DEPTH && read_frames(o, v, n, scratch, depth)))
        return;
    struct pl_cut c = depth < MAX_DEPTH ? best_cut(o, v, n) : (struct pl_cut){0};
    if (!(c.score > 0) && depth < MAX_DEPTH)
        c = pl_cut_head(&o->p, v, n);
    if (!(c.score > 0)) {
        read_with_notes(o, v, n);
        return;
    }
    note_parts(o, v, n, &c);
    for (enum part part = ABOVE; part < N_PARTS; part++) {
        uint32_t m = take_part(o, v, n, &c, part, scratch);
        read_region(o, v, m, scratch, depth + 1);
        v += m;
        n -= m;
    }
}

/* Returns where the fold of the book is beside a line. */
static double fold_beside(const struct orderer *o, uint32_t line)
{
    const struct pl_rect b = o->p.lines[line].box;
    return pl_fold_x(o->page, 0.5 * (b.y0 + b.y1));
}

/* Returns the word of a line with which the right one of two facing pages begins; 0 where the line
 * is all of one page, or has no space at the fold. */
static size_t word_behind_fold(const struct orderer *o, uint32_t line)
{
    const struct pl_line *l = &o->p.lines[line];
    const double x = fold_beside(o, line);
    const struct pl_cut fold = {.x = x};
    return l->box.x1 <= x || l->box.x0 >= x ? 0 : pl_cut_gap(&fold, l, o->p.size);
}

/* Returns whether v[0..n) are lines of two facing pages: a fold lies between them, and they do not
 * go on over it, as on a sheet that was folded. */
static bool face_each_other(const struct orderer *o, const uint32_t *v, uint32_t n)
{
    uint32_t across = 0;
    if (!o->page->folded)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const struct pl_rect b = o->p.lines[v[i]].box;
        const double x = fold_beside(o, v[i]);
        across += b.x1 > x && b.x0 < x && !o->p.lines[v[i]].words && !word_behind_fold(o, v[i]);
    }
    return across * FOLD_ACROSS <= n;
}

/* Reads v[0..n) of two facing pages, the left one first. */
static void read_facing(struct orderer *o, uint32_t *v, uint32_t n, uint32_t *scratch)
{
    uint32_t left = 0, right = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct pl_rect b = o->p.lines[v[i]].box;
        o->part[v[i]] = word_behind_fold(o, v[i]);
        o->n_parted += o->part[v[i]] > 0;
        if (0.5 * (b.x0 + b.x1) < fold_beside(o, v[i]))
            v[left++] = v[i];
        else
            scratch[right++] = v[i];
    }
    memcpy(v + left, scratch, right * sizeof(*v));
    read_region(o, v, left, scratch, 0);
    read_region(o, v + left, right, scratch, 0);
}

/* Reads the lines of the page, v[0..upright), sorted by y, and then those that run up or down, each
 * a block, v[upright..n). */
static void read_page(struct orderer *o, uint32_t *v, uint32_t upright, uint32_t n, bool columns,
                      uint32_t *scratch)
{
    if (columns && face_each_other(o, v, upright))
        read_facing(o, v, upright, scratch);
    else if (columns)
        read_region(o, v, upright, scratch, 0);
    else if (upright)
        read_rows(o, v, upright);
    for (uint32_t i = upright; i < n; i++) {
        o->n_blocks++;
        put_line(o, v[i]);
    }
}

/* Fills ret->blocks with the lines in their order. */
static bool put_blocks(const struct orderer *o, struct pl_arena *arena, struct pl_regions *ret)
{
    struct pl_block *blocks = PL_NEW(arena, struct pl_block, o->n_blocks);
    struct pl_line *lines = PL_NEW(arena, struct pl_line, o->n_out);
    if (!blocks || !lines)
        return false;
    memset(blocks, 0, o->n_blocks * sizeof(*blocks));
    for (uint32_t i = 0; i < o->n_out; i++) {
        struct pl_block *b = &blocks[o->block[i]];
        lines[i] = o->p.lines[o->out[i]];
        struct pl_rect box = pl_line_page_box(ret, &lines[i]);
        if (!b->n_lines)
            b->lines = &lines[i];
        b->box = b->n_lines ? pl_rect_union(b->box, box) : box;
        b->n_lines++;
    }
    ret->blocks = blocks;
    ret->n_blocks = o->n_blocks;
    return true;
}

/* Returns the height of the line's middle, with the page's slope taken out. */
static double level(const struct pl_line *line, double slope)
{
    double half = 0.5 * pl_rect_width(line->box);
    return line->base_y + line->slope * half - slope * (line->box.x0 + half);
}

/* Returns whether the rule lies on the line's baseline. */
static bool is_on_baseline(const struct pl_line *line, struct pl_rect rule)
{
    const double x = 0.5 * (rule.x0 + rule.x1), y = 0.5 * (rule.y0 + rule.y1);
    return fabs(y - pl_line_y(line, x)) <= BLANK_LEVEL * line->glyph_px;
}

/* Returns whether a part of one of the lines stands on the rule. */
static bool is_filled_in(const struct pl_line *lines, uint32_t n, struct pl_rect rule)
{
    for (uint32_t i = 0; i < n; i++) {
        const int common = PL_MIN(lines[i].box.x1, rule.x1) - PL_MAX(lines[i].box.x0, rule.x0);
        if (!lines[i].quarters && common > BLANK_LEVEL * lines[i].glyph_px &&
            is_on_baseline(&lines[i], rule))
            return true;
    }
    return false;
}

/* Returns the box of lines[at] with the rules on its baseline that go on where its words end and on
 * which nothing stands: what is to be filled in there belongs to it. */
static struct pl_rect reach_of(const struct pl_line *lines, uint32_t n, uint32_t at,
                               const struct pl_regions *r)
{
    const struct pl_line *line = &lines[at];
    struct pl_rect reach = line->box;
    for (size_t i = 0; i < r->n_rules && !line->quarters; i++) {
        const struct pl_rect b = r->rules[i].box;
        const double apart = PL_MAX(b.x0 - line->box.x1, line->box.x0 - b.x1);
        if (!r->rules[i].upright && is_on_baseline(line, b) &&
            apart <= BLANK_GAP * line->glyph_px && !is_filled_in(lines, n, b)) {
            reach.x0 = PL_MIN(reach.x0, b.x0);
            reach.x1 = PL_MAX(reach.x1, b.x1);
        }
    }
    return reach;
}

/* Parts the line before its word `at`, into ret[0] and ret[1]; its ink is shared out by their
 * widths.
 */
static void part_line(const struct pl_line *line, size_t at, struct pl_line *ret)
{
    assert(at > 0 && at < line->n_gaps);
    for (int i = 0; i < 2; i++) {
        struct pl_line *half = &ret[i];
        *half = *line;
        half->gaps = line->gaps + (i ? at : 0);
        half->n_gaps = i ? line->n_gaps - at : at;
        struct pl_rect box = half->gaps[0];
        for (size_t g = 1; g < half->n_gaps; g++)
            box = pl_rect_union(box, half->gaps[g]);
        pl_line_set_box(half, box);
    }
    double left = pl_rect_width(ret[0].box), right = pl_rect_width(ret[1].box);
    ret[0].ink_px = (uint64_t)((double)line->ink_px * left / (left + right));
    ret[1].ink_px = line->ink_px - ret[0].ink_px;
}

/* Returns all lines, with two in the place of each that is to be parted; NULL when memory is short.
 */
static const struct pl_line *part_lines(struct pl_arena *arena, const struct orderer *o, uint32_t n)
{
    struct pl_line *lines = PL_NEW(arena, struct pl_line, n + o->n_parted);
    for (uint32_t i = 0, k = 0; lines && i < n; i++) {
        if (o->part[i])
            part_line(&o->p.lines[i], o->part[i], &lines[k]);
        else
            lines[k] = o->p.lines[i];
        k += o->part[i] ? 2 : 1;
    }
    return lines;
}

static bool orderer_init(struct orderer *o, struct pl_arena *arena, const struct pl_line *lines,
                         uint32_t n, double *y, const struct pl_regions *page)
{
    *o = (struct orderer){.page = page,
                          .y = y,
                          .key = PL_NEW(arena, double, n),
                          .out = PL_NEW(arena, uint32_t, n),
                          .block = PL_NEW(arena, uint32_t, n),
                          .part = PL_NEW(arena, size_t, n),
                          .below_rule = PL_NEW(arena, bool, n),
                          .notes = PL_NEW(arena, struct pl_margin_line, n)};
    o->p = (struct pl_cut_lines){.lines = lines,
                                 .y = y,
                                 .size = page->glyph_px,
                                 .scratch = o->key,
                                 .parts = PL_NEW(arena, struct pl_cut_part, n)};
    return y && o->key && o->out && o->block && o->part && o->below_rule && o->notes && o->p.parts;
}

/* Takes one round: *ret has read lines[0..n), and noted those that are to be parted. */
static bool read_lines(struct pl_arena *arena, const struct pl_line *lines, uint32_t n,
                       const struct pl_regions *regions, const struct pl_page_frames *frames,
                       struct orderer *ret)
{
    uint32_t *v = PL_NEW(arena, uint32_t, n), *scratch = PL_NEW(arena, uint32_t, n);
    uint32_t upright = 0, k = 0;
    double *y = PL_NEW(arena, double, n);
    struct pl_rect *reach = PL_NEW(arena, struct pl_rect, n);
    if (!v || !scratch || !reach || !orderer_init(ret, arena, lines, n, y, regions))
        return false;
    memset(ret->part, 0, n * sizeof(*ret->part));
    ret->p.reach = reach;
    ret->frames = *frames;
    for (uint32_t i = 0; i < n; i++) {
        y[i] = level(&lines[i], regions->slope);
        reach[i] = reach_of(lines, n, i, regions);
        if (!lines[i].quarters)
            v[upright++] = i;
        else
            scratch[k++] = i;
    }
    memcpy(v + upright, scratch, k * sizeof(*v));
    pl_sort_by_key(v, upright, y);
    if (upright) {
        ret->p.first_y = y[v[0]];
        ret->p.last_y = y[v[upright - 1]];
    }
    read_page(ret, v, upright, n, !regions->single_column, scratch);
    return true;
}

bool pl_order_lines(struct pl_arena *arena, const struct pl_line *lines, uint32_t n,
                    struct pl_regions *regions)
{
    struct orderer o;
    struct pl_page_frames frames;
    if (!pl_frames_find(arena, regions, &frames))
        return false;
    for (int round = 0; read_lines(arena, lines, n, regions, &frames, &o); round++) {
        if (!o.n_parted || round == MAX_ROUNDS)
            return put_blocks(&o, arena, regions);
        lines = part_lines(arena, &o, n);
        if (!lines)
            return false;
        n += o.n_parted;
    }
    return false;
}
