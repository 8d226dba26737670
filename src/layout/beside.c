/* SPDX-License-Identifier: BSD-2-Clause */
/* Text beside text: the head of a letter or an invoice has an address, labels with their values and
 * a box of numbers side by side, each with rows at its own distances. Their rows are not level, as
 * those of one table are. */
#include <math.h>
#include <stdlib.h>

#include "detect/ink/sort.h"
#include "layout/blocks.h"
#include "layout/layout_tuning.def"

/* The lines at both sides of a place, the left ones first. */
struct beside_sides {
    const struct pl_line *const *v;
    size_t n_left, n;
    double level_px; /* by which baselines of one row differ at most */
};

/* Returns by how much the baseline of a line on the other side that stands beside line i is below
 * its own, of several the one nearest to `wanted`; NAN where none stands beside it. */
static double offset_of(const struct beside_sides *s, size_t i, double wanted)
{
    const struct pl_line *own = s->v[i];
    const bool left = i < s->n_left;
    double best = NAN;
    for (size_t k = left ? s->n_left : 0, end = left ? s->n : s->n_left; k < end; k++) {
        const struct pl_line *other = s->v[k];
        const double offset = other->base_y - own->base_y;
        if (own->box.y0 < other->box.y1 && other->box.y0 < own->box.y1 &&
            !(fabs(offset - wanted) >= fabs(best - wanted)))
            best = offset;
    }
    return best;
}

/* Returns the share of the lines first to end - 1, among those with any beside them, that are not
 * level with one when the right side is `lower` px lower; 0 where too few have any. */
static double odd_share(const struct beside_sides *s, size_t first, size_t end, double lower)
{
    const double wanted = first < s->n_left ? lower : -lower;
    size_t odd = 0, n = 0;
    for (size_t i = first; i < end; i++) {
        const double offset = offset_of(s, i, wanted);
        n += isnan(offset) ? 0 : 1;
        odd += fabs(offset - wanted) > s->level_px;
    }
    return n < TABLE_ROWS ? 0 : (double)odd / (double)n;
}

/* Returns whether many rows of either side are level with none of the other, even if a page that is
 * not quite straight has all of one side a bit lower. `scratch` has room for the left lines. */
static bool are_apart(const struct beside_sides *s, double *scratch)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n_left; i++) {
        const double offset = offset_of(s, i, 0);
        if (!isnan(offset))
            scratch[n++] = offset;
    }
    const double lower = n ? pl_median(scratch, n) : 0;
    return odd_share(s, 0, s->n_left, lower) >= ODD_ROWS &&
           odd_share(s, s->n_left, s->n, lower) >= ODD_ROWS;
}

/* Of lines that begin at one place the first of the block comes first, whatever qsort() does. */
static int by_left(const void *a, const void *b)
{
    const struct pl_line *x = *(const struct pl_line *const *)a,
                         *y = *(const struct pl_line *const *)b;
    const int order = (x->box.x0 > y->box.x0) - (x->box.x0 < y->box.x0);
    return order ? order : (x > y) - (x < y);
}

/* Appends the piles of lines from..to - 1, between which there is white that at most `crossed`
 * lines reach into. */
static void add_piles(struct pl_piles *p, size_t from, size_t to, size_t crossed)
{
    double white = -INFINITY; /* where the last white begins */
    size_t open = 0, e = 0;
    for (size_t i = from; i < to; i++) /* a line without width counts as one pixel wide */
        p->end[i - from] = PL_MAX(p->v[i]->box.x1, p->v[i]->box.x0 + 1);
    pl_sort_doubles(p->end, to - from);
    p->first[p->n++] = from;
    for (size_t i = from; i < to; i++) {
        const double x = p->v[i]->box.x0;
        for (; p->end[e] <= x; e++)
            white = open-- == crossed + 1 ? p->end[e] : white;
        if (open++ != crossed || !isfinite(white) || x - white < p->white_px)
            continue;
        size_t k = i;
        while (k > p->first[p->n - 1] + 1 && p->v[k - 1]->box.x0 >= x - p->slack_px)
            k--;
        p->first[p->n++] = k;
    }
}

/* Fills *p, which has its arrays. `scratch` has room for one a line, and one more. */
static void find_piles(const struct pl_block *b, struct pl_piles *p, size_t *scratch)
{
    size_t *const first = p->first;
    for (size_t i = 0; i < b->n_lines; i++)
        p->v[i] = &b->lines[i];
    qsort(p->v, b->n_lines, sizeof(*p->v), by_left);
    p->first = scratch;
    add_piles(p, 0, b->n_lines, 0);
    const size_t n = p->n;
    scratch[n] = b->n_lines;
    p->first = first;
    p->n = 0;
    for (size_t i = 0; i < n; i++)
        add_piles(p, scratch[i], scratch[i + 1],
                  (size_t)(COLUMN_CROSSED * (double)(scratch[i + 1] - scratch[i])));
    first[p->n] = b->n_lines;
}

bool pl_piles_find(struct pl_arena *arena, const struct pl_block *b, double glyph_px,
                   struct pl_piles *ret)
{
    size_t *scratch = PL_NEW(arena, size_t, b->n_lines + 1);
    *ret = (struct pl_piles){.v = PL_NEW(arena, const struct pl_line *, b->n_lines),
                             .end = PL_NEW(arena, double, b->n_lines),
                             .first = PL_NEW(arena, size_t, b->n_lines + 1),
                             .white_px = COLUMN_GAP * glyph_px,
                             .slack_px = BLANK_WIDTH * glyph_px};
    if (!ret->v || !ret->end || !ret->first || !scratch)
        return false;
    find_piles(b, ret, scratch);
    return true;
}

/* Returns whether piles from..i - 1 and pile i are apart. */
static bool parts_piles(const struct pl_piles *p, size_t from, size_t i, double level_px)
{
    const size_t first = p->first[from];
    const struct beside_sides s = {p->v + first, p->first[i] - first, p->first[i + 1] - first,
                                   level_px};
    return are_apart(&s, p->end);
}

bool pl_block_find_sides(struct pl_arena *arena, const struct pl_block *b, double glyph_px,
                         double *ret, size_t *ret_n)
{
    struct pl_piles p;
    const double level_px = LEVEL_BASES * glyph_px;
    *ret_n = 0;
    if (!pl_piles_find(arena, b, glyph_px, &p))
        return false;
    for (size_t i = 1, side = 0; i < p.n && *ret_n < PL_MAX_SIDES - 1; i++) {
        if (!parts_piles(&p, i - 1, i, level_px) && !parts_piles(&p, side, i, level_px))
            continue;
        ret[(*ret_n)++] = p.v[p.first[i]]->box.x0;
        side = i;
    }
    return true;
}
