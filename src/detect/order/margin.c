/* SPDX-License-Identifier: BSD-2-Clause */
#include "detect/order/margin.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "detect/order/order_tuning.def"

/* Rows below each other that may be a note. */
struct note {
    uint32_t n;
    uint32_t first, last; /* lines */
    struct pl_rect box;
    double xheight_px; /* mean */
};

/* The column of prose that a note stands beside, as far as its rows are near the note. */
struct beside {
    struct pl_rect box;
    uint32_t rows; /* that fill it and begin at its left edge */
    double xheight_px;
    uint32_t nearest; /* its line that is nearest to the first row of the note */
};

static bool share_columns(struct pl_rect a, struct pl_rect b)
{
    return a.x0 < b.x1 && b.x0 < a.x1;
}

static bool share_rows(struct pl_rect a, struct pl_rect b)
{
    return a.y0 < b.y1 && b.y0 < a.y1;
}

static bool stands_within(struct pl_rect a, struct pl_rect b)
{
    return a.x0 >= b.x0 && a.x1 <= b.x1 && a.y0 >= b.y0 && a.y1 <= b.y1;
}

static bool is_prose_line(const struct pl_cut_lines *p, const struct pl_line *l)
{
    return pl_rect_width(l->box) >= PROSE_LENGTH * p->size && l->n_gaps >= PHRASE_WORDS;
}

/* Returns whether the type of line `a` is clearly larger, also where the other one has small
 * letters alone or capitals alone. */
static bool is_larger(const struct pl_line *a, const struct pl_line *b)
{
    return a->glyph_px > LARGE_BESIDE * b->glyph_px && pl_cut_is_larger(a, b);
}

/* Adds a line that goes on below the note, in type of its size. Returns false for another one. */
static bool note_add(const struct pl_cut_lines *p, struct note *note, uint32_t line)
{
    const struct pl_line *l = &p->lines[line], *last = &p->lines[note->last];
    const double step = p->y[line] - p->y[note->last];
    const double usual =
        note->n > 1 ? (p->y[note->last] - p->y[note->first]) / (note->n - 1) : step;
    if (step > BLOCK_PITCH * usual || step > NEXT_PITCH * PL_MAX(l->ascent_px, last->ascent_px) ||
        step < SAME_ROW * l->glyph_px || is_larger(l, last) || is_larger(last, l) ||
        !share_columns(l->box, note->box))
        return false;
    note->xheight_px = (note->xheight_px * note->n + l->xheight_px) / (note->n + 1);
    note->n++;
    note->box = pl_rect_union(note->box, l->box);
    note->last = line;
    return true;
}

/* Gives the rows from v[at] down, as many as ret has room for; marks in `seen` all that go on, also
 * beyond these. */
static struct note note_from(const struct pl_cut_lines *p, const uint32_t *v, uint32_t n,
                             uint32_t at, bool *seen, struct pl_margin_line *ret)
{
    const struct pl_line *first = &p->lines[v[at]];
    struct note note = {1, v[at], v[at], first->box, first->xheight_px};
    seen[v[at]] = true;
    ret[0].line = v[at];
    for (uint32_t i = at + 1; i < n && p->y[v[i]] - p->y[note.last] <= RUNNING_PITCH * p->size; i++)
        if (!seen[v[i]] && note_add(p, &note, v[i])) {
            seen[v[i]] = true;
            if (note.n <= NOTE_ROWS)
                ret[note.n - 1].line = v[i];
        }
    return note;
}

/* Returns the line of prose next to the note on one side among v[0..n), NULL where there is none;
 * side < 0: the note is left of it. */
static const struct pl_line *next_beside(const struct pl_cut_lines *p, const uint32_t *v,
                                         uint32_t n, const struct note *note, int side)
{
    const struct pl_line *next = NULL;
    for (uint32_t i = 0; i < n; i++) {
        const struct pl_line *l = &p->lines[v[i]];
        const double gap = side < 0 ? l->box.x0 - note->box.x1 : note->box.x0 - l->box.x1;
        if (gap >= COLUMN_WHITE * p->size && is_prose_line(p, l) &&
            (!next || (side < 0 ? l->box.x0 < next->box.x0 : l->box.x1 > next->box.x1)))
            next = l;
    }
    return next;
}

/* Counts the row if it fills the column whose left edge is `left_px`. */
static void beside_add(const struct pl_cut_lines *p, struct beside *b, uint32_t line, int left_px,
                       double first_y)
{
    const struct pl_line *l = &p->lines[line];
    if (!is_prose_line(p, l) || abs(l->box.x0 - left_px) > EDGE_LEVEL * l->glyph_px)
        return;
    if (!b->rows || fabs(p->y[line] - first_y) < fabs(p->y[b->nearest] - first_y))
        b->nearest = line;
    b->box = b->rows ? pl_rect_union(b->box, l->box) : l->box;
    b->xheight_px = (b->xheight_px * b->rows + l->xheight_px) / (b->rows + 1);
    b->rows++;
}

/* Gives the column on one side of the note among v[0..n), lines near it. */
static struct beside column_beside(const struct pl_cut_lines *p, const uint32_t *v, uint32_t n,
                                   const struct note *note, int side)
{
    struct beside b = {.rows = 0};
    const struct pl_line *next = next_beside(p, v, n, note, side);
    int left_px = next ? next->box.x0 : 0;
    for (uint32_t i = 0; next && i < n; i++) {
        const struct pl_line *l = &p->lines[v[i]];
        if (is_prose_line(p, l) && share_columns(l->box, next->box) &&
            !share_columns(l->box, note->box))
            left_px = PL_MIN(left_px, l->box.x0);
    }
    for (uint32_t i = 0; next && i < n; i++)
        beside_add(p, &b, v[i], left_px, p->y[note->first]);
    return b;
}

/* Returns whether nothing but the column stands beside the note, and that by itself: no line of
 * v[0..n) lies on its other side, between both or across the white there, and most rows fill the
 * column. */
static bool stands_free(const struct pl_cut_lines *p, const uint32_t *v, uint32_t n,
                        const struct note *note, const struct beside *b, int side)
{
    const struct pl_rect own = note->box, text = b->box;
    const double white = side < 0 ? text.x0 - own.x1 : own.x0 - text.x1;
    const int common = PL_MIN(own.y1, text.y1) - PL_MAX(own.y0, text.y0);
    uint32_t others = 0;
    if (white < COLUMN_WHITE * p->size || 2 * common < pl_rect_height(own))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const struct pl_rect l = p->reach[v[i]];
        const bool beyond = side < 0 ? l.x0 >= text.x0 : l.x1 <= text.x1;
        if (stands_within(l, own))
            continue;
        const bool across = share_columns(l, own) && share_columns(l, text);
        if (!beyond && (share_rows(l, own) || (across && is_prose_line(p, &p->lines[v[i]]))))
            return false;
        others += share_columns(l, text) && beyond;
    }
    return 2 * b->rows >= others;
}

/* Counts the rows of the note that are level with another line of v[0..n). */
static uint32_t count_level(const struct pl_cut_lines *p, const uint32_t *v, uint32_t n,
                            const struct pl_margin_line *lines, const struct note *note)
{
    uint32_t level = 0;
    for (uint32_t k = 0; k < note->n; k++) {
        const double slack = LEVEL_ROWS * p->lines[lines[k].line].glyph_px;
        bool found = false;
        for (uint32_t i = 0; i < n && !found; i++)
            found = !stands_within(p->lines[v[i]].box, note->box) &&
                    fabs(p->y[v[i]] - p->y[lines[k].line]) < slack;
        level += found;
    }
    return level;
}

/* Returns whether the rows are a note beside a column of v[0..n), on one side of it; *ret_beside is
 * the line of that where it stands. */
static bool is_note(const struct pl_cut_lines *p, const uint32_t *v, uint32_t n,
                    const struct pl_margin_line *lines, const struct note *note, int side,
                    uint32_t *ret_beside)
{
    const struct beside b = column_beside(p, v, n, note, side);
    if (b.rows < NOTE_BESIDE || pl_rect_width(note->box) > NOTE_WIDTH * pl_rect_width(b.box) ||
        !stands_free(p, v, n, note, &b, side))
        return false;
    *ret_beside = b.nearest;
    const uint32_t level = count_level(p, v, n, lines, note);
    return 2 * level < note->n || (level < note->n && note->xheight_px <= NOTE_SIZE * b.xheight_px);
}

/* Returns how many lines the note that begins with v[at] has, which are in `ret`; 0 where none
 * begins. */
static uint32_t take_note(const struct pl_cut_lines *p, const uint32_t *v, uint32_t n, uint32_t at,
                          bool *seen, struct pl_margin_line *ret)
{
    const double around = 2 * RUNNING_PITCH * p->size; /* two rows at least */
    const struct note note = note_from(p, v, n, at, seen, ret);
    uint32_t from = at, to = at, beside;
    if (note.n < 2 || note.n > NOTE_ROWS ||
        pl_rect_width(note.box) < BULLET_LENGTH * p->lines[note.first].glyph_px)
        return 0;
    while (from > 0 && p->y[note.first] - p->y[v[from - 1]] <= around)
        from--;
    while (to < n && p->y[v[to]] - p->y[note.last] <= around)
        to++;
    if (!is_note(p, v + from, to - from, ret, &note, -1, &beside) &&
        !is_note(p, v + from, to - from, ret, &note, 1, &beside))
        return 0;
    for (uint32_t i = 0; i < note.n; i++) {
        ret[i].first = ret[0].line;
        ret[i].beside = beside;
    }
    return note.n;
}

/* Takes the lines of a note, which are in their order, from v[0..n). */
static void leave_out(uint32_t *v, uint32_t n, const struct pl_margin_line *note, uint32_t n_note)
{
    uint32_t left = 0, k = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (k < n_note && v[i] == note[k].line)
            k++;
        else
            v[left++] = v[i];
    }
    assert(k == n_note);
}

uint32_t pl_margin_take(const struct pl_cut_lines *p, uint32_t *v, uint32_t *n, bool *seen,
                        struct pl_margin_line *ret)
{
    uint32_t taken = 0, i = 0;
    for (uint32_t k = 0; k < *n; k++)
        seen[v[k]] = false;
    while (i < *n) {
        const uint32_t lines = seen[v[i]] ? 0 : take_note(p, v, *n, i, seen, ret + taken);
        if (!lines) {
            i++;
            continue;
        }
        leave_out(v, *n, ret + taken, lines);
        seen[ret[taken].beside] = true; /* what a note follows is in none */
        taken += lines;
        *n -= lines;
    }
    return taken;
}
