/* SPDX-License-Identifier: BSD-2-Clause */
/* Text beside text: the head of a letter or an invoice has an address, labels with their values and
 * a box of numbers side by side, each with rows at its own distances. Their rows are not level, as
 * those of one table are. */
#include <math.h>
#include <stdlib.h>

#include "detect/ink/sort.h"
#include "layout/tables.h"
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

/* Sorts the lines of a block by their left edges into v, and finds where the white between piles
 * of them begins: pile i is v[first[i]] to v[first[i + 1] - 1]. Returns how many there are. */
static size_t find_piles(const struct pl_block *b, double white_px, const struct pl_line **v,
                         size_t *first)
{
    size_t n = 0;
    int end = 0;
    for (size_t i = 0; i < b->n_lines; i++)
        v[i] = &b->lines[i];
    qsort(v, b->n_lines, sizeof(*v), by_left);
    for (size_t i = 0; i < b->n_lines; i++) {
        if (!i || v[i]->box.x0 - end >= white_px)
            first[n++] = i;
        end = i ? PL_MAX(end, v[i]->box.x1) : v[i]->box.x1;
    }
    first[n] = b->n_lines;
    return n;
}

bool pl_block_find_sides(struct pl_arena *arena, const struct pl_block *b, double glyph_px,
                         double *ret, size_t *ret_n)
{
    const struct pl_line **v = PL_NEW(arena, const struct pl_line *, b->n_lines);
    double *scratch = PL_NEW(arena, double, b->n_lines);
    size_t *first = PL_NEW(arena, size_t, b->n_lines + 1);
    *ret_n = 0;
    if (!v || !scratch || !first)
        return false;
    const size_t n = find_piles(b, COLUMN_GAP * glyph_px, v, first);
    for (size_t i = 1; i < n && *ret_n < PL_MAX_SIDES - 1; i++) {
        const struct beside_sides s = {v + first[i - 1], first[i] - first[i - 1],
                                       first[i + 1] - first[i - 1], LEVEL_BASES * glyph_px};
        if (are_apart(&s, scratch))
            ret[(*ret_n)++] = v[first[i]]->box.x0;
    }
    return true;
}
