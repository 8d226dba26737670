/* SPDX-License-Identifier: BSD-2-Clause */
/* The head of a letter: a name in large type with what belongs to it below, and beside it another
 * pile of lines, as number and date, whose rows are not level with those. Both are too short to be
 * columns of prose, and are read one after the other all the same. */
#include <math.h>
#include <stdlib.h>

#include "detect/order/cut.h"
#include "detect/order/order_tuning.def"

/* Lines below each other that begin at one column. */
struct pile {
    uint32_t n;
    struct pl_rect box;
    double last_y;
};

/* The pile of the name, and the one to its right. */
struct head {
    struct pile pile[2];
    uint32_t level; /* lines that are level with one of the other pile */
    double top, bottom;
};

bool pl_cut_is_larger(const struct pl_line *a, const struct pl_line *b)
{
    return a->ascent_px >= LARGE_BESIDE * b->ascent_px &&
           a->xheight_px >= LARGE_BESIDE * b->xheight_px;
}

bool pl_cut_is_flush(const struct pl_line *a, struct pl_rect b)
{
    return abs(a->box.x0 - b.x0) <= EDGE_LEVEL * a->glyph_px;
}

/* Adds a line that goes on below the pile, flush with it. Returns false for another one. */
static bool pile_add(const struct pl_cut_lines *p, struct pile *pile, uint32_t line)
{
    const struct pl_line *l = &p->lines[line];
    if (!pl_cut_is_flush(l, pile->box) || p->y[line] - pile->last_y > NEXT_PITCH * l->ascent_px)
        return false;
    pile->n++;
    pile->box = pl_rect_union(pile->box, l->box);
    pile->last_y = p->y[line];
    return true;
}

/* Gives the piles that begin with the lines `name` and `beside`, as far as no other line of v[0..n)
 * comes, which are sorted by y and begin with one of both; they are empty where that one is close
 * below them. */
static struct head piles_of(const struct pl_cut_lines *p, const uint32_t *v, uint32_t n,
                            uint32_t name, uint32_t beside)
{
    struct head h = {{{0, p->lines[name].box, p->y[name]}, {0, p->lines[beside].box, p->y[beside]}},
                     .top = p->y[v[0]]};
    const int edge = h.pile[1].box.x0;
    for (uint32_t i = 0, last = 0; i < n; i++) {
        const struct pl_line *l = &p->lines[v[i]];
        const uint32_t side = 0.5 * (l->box.x0 + l->box.x1) > edge;
        if ((!side && l->box.x1 > edge - HEAD_WHITE * p->size) || !pile_add(p, &h.pile[side], v[i]))
            break;
        h.level += i > 0 && side != last && p->y[v[i]] - p->y[v[i - 1]] < LEVEL_ROWS * l->glyph_px;
        h.bottom = p->y[v[i]];
        last = side;
    }
    return h;
}

/* Returns whether line `beside` stands to the right of the name in larger type, at its height. */
static bool is_beside_name(const struct pl_cut_lines *p, uint32_t name, uint32_t beside)
{
    const struct pl_line *a = &p->lines[name], *b = &p->lines[beside];
    return pl_cut_is_larger(a, b) && b->box.x0 >= a->box.x1 + HEAD_WHITE * p->size &&
           p->y[beside] - 0.5 * b->ascent_px > p->y[name] - a->ascent_px &&
           p->y[beside] - b->ascent_px < p->y[name];
}

struct pl_cut pl_cut_head(const struct pl_cut_lines *p, const uint32_t *v, uint32_t n)
{
    uint32_t high = 0; /* lines where the page begins */
    while (high < n && p->y[v[high]] - p->first_y <= WIDE_HEAD_SPAN * p->size)
        high++;
    for (uint32_t i = 0; i < high; i++)
        for (uint32_t j = 0; j < high; j++) {
            if (!is_beside_name(p, v[i], v[j]))
                continue;
            const uint32_t first = PL_MIN(i, j);
            const struct head h = piles_of(p, v + first, n - first, v[i], v[j]);
            const uint32_t least = PL_MIN(h.pile[0].n, h.pile[1].n);
            const double left = h.pile[0].box.x1, right = h.pile[1].box.x0;
            if (least >= 2 && 2 * h.level <= least)
                return (struct pl_cut){1, 0.5 * (left + right), 0.1 * (right - left), h.top,
                                       h.bottom};
        }
    return (struct pl_cut){0};
}
