/* SPDX-License-Identifier: BSD-2-Clause */
/* White between columns of words, over many rows. */
#include "detect/ink/sort.h"
#include "layout/tables.h"
#include "layout/layout_tuning.def"

size_t pl_line_runs(const struct pl_line *l, size_t first, size_t end, double gap_px, double gap,
                    struct pl_rect *runs, size_t n)
{
    gap_px = PL_MAX(gap_px, gap * l->glyph_px);
    for (size_t w = first; w < end; w++) {
        const struct pl_rect box = pl_line_word_box(l, w);
        if (w > first && n && box.x0 - runs[n - 1].x1 < gap_px)
            runs[n - 1] = pl_rect_union(runs[n - 1], box);
        else if (n < PL_MAX_RUNS)
            runs[n++] = box;
    }
    return n;
}

bool pl_profile_init(struct pl_arena *arena, size_t room, struct pl_profile *ret)
{
    *ret = (struct pl_profile){.start = PL_NEW(arena, double, room),
                               .end = PL_NEW(arena, double, room)};
    return ret->start && ret->end;
}

void pl_profile_add(struct pl_profile *p, const struct pl_rect *runs, size_t n)
{
    if (n < 2)
        return;
    p->n_rows++;
    /* A run without width counts as one pixel wide: pl_profile_edges() goes through starts and ends
     * in order of place, and relies on each run to begin before it ends. */
    for (size_t i = 0; i < n; i++) {
        p->start[p->n] = runs[i].x0;
        p->end[p->n++] = PL_MAX(runs[i].x1, runs[i].x0 + 1.0);
    }
}

int pl_profile_edges(struct pl_profile *p, int most, double *edges)
{
    const int crossed = (int)(COLUMN_CROSSED * p->n_rows);
    double white = -1; /* where the present white begins; negative = there is none */
    int n = 0, rows = 0;
    size_t s = 0, e = 0;
    pl_sort_doubles(p->start, p->n);
    pl_sort_doubles(p->end, p->n);
    while (s < p->n && n < most) {
        const int before = rows;
        if (p->end[e] <= p->start[s]) {
            rows--;
            if (before > crossed && rows <= crossed)
                white = p->end[e];
            e++;
            continue;
        }
        rows++;
        if (white >= 0 && before <= crossed && rows > crossed) {
            if (p->start[s] > white)
                edges[n++] = 0.5 * (white + p->start[s]);
            white = -1;
        }
        s++;
    }
    return n;
}
