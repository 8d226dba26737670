/* SPDX-License-Identifier: BSD-2-Clause */
/* Labels on a sheet, panels of a comic and coupons stand in frames of their own: the rows of one
 * have nothing to do with those of the next. Cells of a table share their rules, which go on beyond
 * a corner; they are no frames. */
#include "detect/order/framed.h"

#include <limits.h>
#include <math.h>

#include "detect/order/order_tuning.def"

/* ---- frames of a page ---- */

static bool meet(double a, double b, double slack_px)
{
    return fabs(a - b) <= slack_px;
}

static double middle(const struct pl_rule *r)
{
    return r->upright ? 0.5 * (r->box.x0 + r->box.x1) : 0.5 * (r->box.y0 + r->box.y1);
}

/* The sides of a frame that is being found. */
struct frame_sides {
    const struct pl_rule *left, *top, *bottom;
};

/* Returns whether a level rule begins at the upper or the lower end of the left side. */
static bool begins_at(const struct pl_rule *r, const struct frame_sides *s, bool lower,
                      double slack_px)
{
    return !r->upright && meet(r->box.x0, middle(s->left), slack_px) &&
           meet(middle(r), lower ? s->left->box.y1 : s->left->box.y0, slack_px);
}

/* Returns whether an upright rule joins the right ends of both level sides. */
static bool closes(const struct pl_rule *r, const struct frame_sides *s, double slack_px)
{
    return r->upright && meet(middle(r), s->top->box.x1, slack_px) &&
           meet(middle(r), s->bottom->box.x1, slack_px) &&
           meet(r->box.y0, middle(s->top), slack_px) &&
           meet(r->box.y1, middle(s->bottom), slack_px);
}

/* Returns the right side of a frame; NULL where it has none. */
static const struct pl_rule *find_right(const struct pl_regions *page, const struct frame_sides *s,
                                        double slack_px)
{
    for (size_t i = 0; i < page->n_rules; i++)
        if (closes(&page->rules[i], s, slack_px))
            return &page->rules[i];
    return NULL;
}

/* Adds the frames to *f that have one left side. */
static void add_frames(const struct pl_regions *page, const struct pl_rule *left, double slack_px,
                       struct pl_page_frames *f)
{
    struct frame_sides s = {.left = left};
    for (size_t t = 0; t < page->n_rules; t++) {
        s.top = &page->rules[t];
        if (!begins_at(s.top, &s, false, slack_px))
            continue;
        for (size_t b = 0; b < page->n_rules && f->n < PL_MAX_FRAMES; b++) {
            s.bottom = &page->rules[b];
            const struct pl_rule *right =
                s.bottom != s.top && begins_at(s.bottom, &s, true, slack_px)
                    ? find_right(page, &s, slack_px)
                    : NULL;
            if (right)
                f->v[f->n++] = pl_rect_union(left->box, right->box);
        }
    }
}

bool pl_frames_find(struct pl_arena *arena, const struct pl_regions *page,
                    struct pl_page_frames *ret)
{
    *ret = (struct pl_page_frames){.v = PL_NEW(arena, struct pl_rect, PL_MAX_FRAMES)};
    for (size_t i = 0; ret->v && i < page->n_rules; i++)
        if (page->rules[i].upright)
            add_frames(page, &page->rules[i], FRAME_MISS * page->glyph_px, ret);
    if (ret->n == PL_MAX_FRAMES)
        ret->n = 0;
    return ret->v;
}

/* ---- frames side by side ---- */

static bool contains(struct pl_rect frame, struct pl_rect box)
{
    const int x = box.x0 + box.x1, y = box.y0 + box.y1;
    return x > 2 * frame.x0 && x < 2 * frame.x1 && y > 2 * frame.y0 && y < 2 * frame.y1;
}

/* Returns whether two frames stand side by side, and share no rule. */
static bool are_beside(struct pl_rect a, struct pl_rect b, double slack_px)
{
    return PL_MIN(a.y1, b.y1) - PL_MAX(a.y0, b.y0) > slack_px &&
           PL_MAX(a.x0, b.x0) - PL_MIN(a.x1, b.x1) > slack_px;
}

/* Returns how many rows of text of v[0..n) a frame has. */
static size_t count_rows(const struct pl_cut_lines *p, const uint32_t *v, uint32_t n,
                         struct pl_rect frame)
{
    size_t rows = 0;
    uint32_t last = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!contains(frame, p->lines[v[i]].box))
            continue;
        rows += !rows || !pl_cut_same_row(p, last, v[i]);
        last = v[i];
    }
    return rows;
}

/* Frames that stand side by side, from the top to the bottom of all of them. */
struct frame_band {
    struct pl_rect columns[PL_MAX_FRAMES]; /* around the frames above each other */
    size_t n_columns;
    int top, bottom;
    size_t n_texts; /* frames with several rows of text */
};

/* Returns whether a frame with text stands beside another one. */
static bool has_neighbour(const struct pl_page_frames *f, const size_t *rows, size_t i,
                          double slack_px)
{
    bool found = false;
    for (size_t k = 0; k < f->n && !found; k++)
        found = rows[k] && are_beside(f->v[i], f->v[k], slack_px);
    return rows[i] && found;
}

/* Fills *ret with the frames that stand beside others, and are not inside of such a one, from the
 * top; `rows` is scratch, which has room for one a frame, and has those of text then. */
static void take_beside(const struct pl_page_frames *f, const struct pl_cut_lines *p,
                        const uint32_t *v, uint32_t n, struct pl_page_frames *ret, size_t *rows)
{
    bool beside[PL_MAX_FRAMES];
    ret->n = 0;
    for (size_t i = 0; i < f->n; i++)
        rows[i] = count_rows(p, v, n, f->v[i]);
    for (size_t i = 0; i < f->n; i++)
        beside[i] = has_neighbour(f, rows, i, FRAME_MISS * p->size);
    for (size_t i = 0; i < f->n; i++) {
        bool inside = false;
        for (size_t k = 0; k < f->n; k++)
            inside |= k != i && beside[k] && contains(f->v[k], f->v[i]) &&
                      pl_rect_width(f->v[k]) > pl_rect_width(f->v[i]);
        if (!beside[i] || inside)
            continue;
        rows[ret->n] = rows[i];
        ret->v[ret->n++] = f->v[i];
    }
}

/* Adds a frame to the columns of the band. */
static void add_frame(struct frame_band *b, struct pl_rect frame)
{
    size_t kept = 0;
    for (size_t c = 0; c < b->n_columns; c++)
        if (b->columns[c].x0 < frame.x1 && frame.x0 < b->columns[c].x1)
            frame = pl_rect_union(frame, b->columns[c]);
        else
            b->columns[kept++] = b->columns[c];
    size_t at = kept;
    for (; at && b->columns[at - 1].x0 > frame.x0; at--)
        b->columns[at] = b->columns[at - 1];
    b->columns[at] = frame;
    b->n_columns = kept + 1;
}

/* Fills *ret with the band of frames f->v[0..f->n) that begins highest, not above height `y`.
 * Returns false where there is none. */
static bool find_band(const struct pl_page_frames *f, const size_t *rows, int y,
                      struct frame_band *ret)
{
    int top = INT_MAX;
    for (size_t i = 0; i < f->n; i++)
        if (f->v[i].y0 >= y)
            top = PL_MIN(top, f->v[i].y0);
    if (top == INT_MAX)
        return false;
    *ret = (struct frame_band){.top = top, .bottom = top + 1};
    for (int bottom = top; bottom < ret->bottom;) {
        bottom = ret->bottom;
        ret->n_columns = ret->n_texts = 0;
        for (size_t i = 0; i < f->n; i++) {
            if (f->v[i].y0 < y || f->v[i].y0 >= bottom)
                continue;
            add_frame(ret, f->v[i]);
            ret->n_texts += rows[i] > 1;
            ret->bottom = PL_MAX(ret->bottom, f->v[i].y1);
        }
    }
    return true;
}

/* Returns the number of the column of a line between top and bottom of the band, from 1 on; 0 where
 * it reaches out of it, or stands in none. */
static size_t column_of(const struct frame_band *b, struct pl_rect box, double slack_px)
{
    for (size_t c = 0; c < b->n_columns; c++)
        if (box.x0 >= b->columns[c].x0 - slack_px && box.x1 <= b->columns[c].x1 + slack_px)
            return c + 1;
    return 0;
}

/* Fills the keys. Returns false where a line of the band stands in no column. */
static bool put_keys(const struct frame_band *b, const struct pl_cut_lines *p, const uint32_t *v,
                     uint32_t n, double *key)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct pl_rect box = p->lines[v[i]].box;
        const int y = box.y0 + box.y1;
        size_t column = 0; /* above the band */
        if (y >= 2 * b->top) {
            column = y > 2 * b->bottom ? b->n_columns + 1 : column_of(b, box, FRAME_MISS * p->size);
            if (!column)
                return false;
        }
        key[v[i]] = (double)column;
    }
    return true;
}

size_t pl_frames_part(const struct pl_page_frames *f, const struct pl_cut_lines *p,
                      const uint32_t *v, uint32_t n, double *key)
{
    struct pl_rect frames[PL_MAX_FRAMES];
    struct pl_page_frames beside = {.v = frames};
    size_t rows[PL_MAX_FRAMES];
    struct frame_band band;
    take_beside(f, p, v, n, &beside, rows);
    for (int y = INT_MIN; find_band(&beside, rows, y, &band); y = band.bottom)
        if (band.n_columns > 1 && band.n_texts > 1 && put_keys(&band, p, v, n, key))
            return band.n_columns;
    return 0;
}
