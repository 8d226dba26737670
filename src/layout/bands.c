/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables whose rows are bands across the page, and whose cells may have more rows of text than
 * those beside them. Level rules part the bands, or white that is wider than between the lines of a
 * cell; white that runs down through the bands parts the columns. */
#include <math.h>
#include <string.h>

#include "layout/band_rows.h"
#include "layout/columns.h"
#include "layout/grid.h"
#include "layout/line_words.h"
#include "layout/ruling.h"
#include "layout/tables.h"
#include "layout/layout_tuning.def"

/* What stands in a band: lines first..first + n - 1. */
struct band_text {
    double top, bottom; /* edges */
    bool ruled;         /* its bottom is a rule */
    size_t first, n;
    int n_rows;    /* of text: lines that are not beside each other */
    bool parted;   /* by white: all of it or, if it is long, several of its rows */
    bool is_short; /* it has no more rows than a cell that is no prose */
};

/* Bands below each other. */
struct bands {
    struct band_text *v;
    size_t n;
};

/* ---- lines ---- */

static bool stands_over(const struct pl_line *a, const struct pl_line *b)
{
    return a->box.x0 < b->box.x1 && b->box.x0 < a->box.x1;
}

/* Returns the step down from the baseline of a line to that of another one. */
static double step_px(const struct pl_line *a, const struct pl_line *b)
{
    const double x = 0.5 * (PL_MAX(a->box.x0, b->box.x0) + PL_MIN(a->box.x1, b->box.x1));
    return pl_line_y(b, x) - pl_line_y(a, x);
}

/* Finds what lines first..end - 1 stand over among themselves. */
static void find_next(const struct pl_band_lines *l, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        size_t k = i + 1;
        while (k < end && (!stands_over(l->v[i], l->v[k]) || pl_same_row(l->v[i], l->v[k])))
            k++;
        l->next[i] = k;
    }
}

/* Adds what line l has between white to the runs[0..n) of lines above, which have room for
 * PL_MAX_RUNS, from left to right; returns how many there are then. */
static size_t add_runs(const struct pl_line *l, double gap_px, struct pl_rect *runs, size_t n)
{
    struct pl_rect all[2 * PL_MAX_RUNS];
    size_t k = 0, kept = 0;
    for (; k < n; k++)
        all[k] = runs[k];
    k += pl_line_runs(l, 0, pl_line_count_words(l), gap_px, 0, all + k, 0);
    pl_boxes_sort_left(all, k);
    for (size_t i = 0; i < k; i++)
        if (kept && all[i].x0 - runs[kept - 1].x1 < gap_px)
            runs[kept - 1] = pl_rect_union(runs[kept - 1], all[i]);
        else if (kept < PL_MAX_RUNS)
            runs[kept++] = all[i];
    return kept;
}

/* Fills `runs` with what lines i..end - 1 have between white from the first of them to the last. */
static size_t runs_through(const struct pl_band_lines *l, size_t i, size_t end,
                           struct pl_rect *runs)
{
    size_t n = 0;
    for (; i < end; i++)
        n = add_runs(l->v[i], l->gap_px, runs, n);
    return n;
}

/* ---- bands ---- */

/* Tells of a band how many rows of text it has, and whether white parts it. */
static void measure_band(const struct pl_band_lines *l, struct band_text *b)
{
    struct pl_rect runs[PL_MAX_RUNS];
    const size_t end = b->first + b->n;
    int n_parted = 0;
    b->n_rows = 0;
    for (size_t i = b->first, k; i < end; i = k, b->n_rows++) {
        k = pl_band_row_end(l, i, end);
        n_parted += runs_through(l, i, k, runs) > 1;
    }
    b->is_short = b->n_rows <= PROSE_LINES;
    b->parted = b->is_short ? runs_through(l, b->first, end, runs) > 1 : n_parted >= TABLE_ROWS;
}

/* Adds a band with the lines from `first` on that stand above `bottom`, and measures it. */
static void add_band(const struct pl_band_lines *l, size_t first, double top, double bottom,
                     bool ruled, struct bands *ret)
{
    struct band_text *b = &ret->v[ret->n++];
    *b = (struct band_text){.top = top, .bottom = bottom, .ruled = ruled, .first = first};
    while (first + b->n < l->n && pl_line_middle_y(l->v[first + b->n]) < bottom)
        b->n++;
    measure_band(l, b);
}

/* White across lines, before line `at`. */
struct white {
    size_t at;
    double y, step_px; /* its middle, and the least step down across it */
};

/* Fills `ret`, which has room for one a line, with the white between lines first..end - 1; returns
 * how much there is. A line counts with the middle half of its height: tails may touch. */
static size_t find_white(const struct pl_band_lines *l, size_t first, size_t end, struct white *ret)
{
    double bottom = -INFINITY;
    size_t n = 0;
    for (size_t i = first; i < end; i++) {
        const struct pl_rect *box = &l->v[i]->box;
        const double quarter = 0.25 * pl_rect_height(*box);
        if (i > first && box->y0 + quarter > bottom) {
            struct white w = {i, 0.5 * (bottom + box->y0 + quarter), INFINITY};
            for (size_t k = first; k < i; k++)
                if (l->next[k] >= i && l->next[k] < end)
                    w.step_px = PL_MIN(w.step_px, step_px(l->v[k], l->v[l->next[k]]));
            ret[n++] = w;
        }
        bottom = PL_MAX(bottom, box->y1 - quarter);
    }
    return n;
}

/* Keeps of n the white that is clearly wider than between lines of one cell; returns how much. */
static size_t keep_wide(struct white *v, size_t n)
{
    double least = INFINITY, sum = 0;
    size_t n_least = 0, kept = 0;
    for (size_t i = 0; i < n; i++)
        least = PL_MIN(least, v[i].step_px);
    for (size_t i = 0; i < n; i++)
        if (v[i].step_px <= BAND_STEP * least) {
            sum += v[i].step_px;
            n_least++;
        }
    for (size_t i = 0; i < n; i++)
        if (v[i].step_px > BAND_STEP * sum / (double)n_least)
            v[kept++] = v[i];
    return kept;
}

/* Appends to *ret the bands that wide white makes of band b, if most of these are parted, or else
 * the band itself. */
static bool part_band(struct pl_arena *arena, const struct pl_band_lines *l,
                      const struct band_text *b, struct bands *ret)
{
    const size_t n = ret->n;
    struct white *white = PL_NEW(arena, struct white, b->n);
    size_t n_parted = 0, first = b->first;
    double top = b->top;
    if (!white)
        return false;
    find_next(l, b->first, b->first + b->n);
    const size_t n_white = keep_wide(white, find_white(l, b->first, b->first + b->n, white));
    for (size_t i = 0; i < n_white; i++) {
        add_band(l, first, top, white[i].y, false, ret);
        first = white[i].at;
        top = white[i].y;
    }
    add_band(l, first, top, b->bottom, b->ruled, ret);
    for (size_t i = n; i < ret->n; i++)
        n_parted += ret->v[i].parted;
    if ((double)n_parted >= TABLE_SHARE * (double)(ret->n - n))
        return true;
    ret->n = n;
    ret->v[ret->n++] = *b;
    return true;
}

/* ---- columns ---- */

/* Appends what is in a band to rows[0..n): the whole of a short one, so that a cell counts as one
 * however many rows of text it has, or else each row. Returns how many there are then. */
static size_t add_rows(const struct pl_band_lines *l, const struct band_text *b,
                       struct pl_words_row *rows, size_t n)
{
    const size_t end = b->first + b->n;
    for (size_t i = b->first, k; i < end; i = k) {
        k = b->is_short ? end : pl_band_row_end(l, i, end);
        rows[n].n = runs_through(l, i, k, rows[n].words);
        n++;
    }
    return n;
}

/* Fills *ret with the edges of the bands between x0 and x1; it has no columns where they are no
 * table. */
static bool find_edges(struct pl_arena *arena, const struct pl_band_lines *l, const struct bands *b,
                       double x0, double x1, struct pl_edges *ret)
{
    struct pl_profile p;
    struct pl_words_row *rows = PL_NEW(arena, struct pl_words_row, l->n);
    size_t n_rows = 0;
    *ret = (struct pl_edges){.n_columns = 0};
    if (!rows || !pl_profile_init(arena, l->n * PL_MAX_RUNS, &p))
        return false;
    for (size_t i = 0; i < b->n; i++)
        n_rows = add_rows(l, &b->v[i], rows, n_rows);
    for (size_t i = 0; i < n_rows; i++)
        pl_profile_add(&p, rows[i].words, rows[i].n);
    const int n = pl_profile_edges(&p, PL_GRID_MAX_COLUMNS - 1, ret->x + 1);
    if (!n)
        return true;
    pl_profile_settle_edges(rows, n_rows, x0, x1, ret->narrow_x + 1, ret->x + 1, n);
    ret->n_columns = n + 1;
    for (int i = 1; i <= n; i++)
        ret->to[i] = PL_GRID_MAX_ROWS;
    ret->x[0] = x0;
    ret->x[n + 1] = x1;
    ret->drawn_x[0] = ret->drawn_x[n + 1] = true;
    ret->y[0] = b->v[0].top;
    for (size_t i = 0; i < b->n; i++) {
        ret->y[++ret->n_rows] = b->v[i].bottom;
        ret->drawn_y[ret->n_rows] = b->v[i].ruled;
    }
    ret->drawn_y[0] = true;
    return true;
}

/* Leaves in *b the first of its bands that may be a table: parted ones, and between them some with
 * few rows, as the title of a group is. Returns how many bands were looked at. */
static size_t take_run(struct bands *b, size_t *ret_parted)
{
    size_t first = 0, end;
    *ret_parted = 0;
    while (first < b->n && !b->v[first].parted)
        first++;
    for (end = first; end < b->n && (b->v[end].parted || b->v[end].n_rows <= HEAD_ROWS); end++)
        *ret_parted += b->v[end].parted;
    const size_t looked_at = end;
    while (end > first && !b->v[end - 1].parted)
        end--;
    *b = (struct bands){b->v + first, end - first};
    return looked_at;
}

/* Leaves *e without columns where the text of the bands tells that they are no table. */
static bool judge(struct pl_arena *arena, const struct pl_regions *regions,
                  const struct pl_band_lines *l, const struct bands *b, bool ruled,
                  struct pl_edges *e)
{
    struct pl_band_rows told;
    size_t n = 0;
    if (!e->n_columns)
        return true;
    for (size_t i = 0; i < b->n; i++)
        n += b->v[i].n;
    if (!pl_ruled_rows_judge(arena, regions->glyph_px, l->v + b->v->first, n, e, &told))
        return false;
    if (!told.whole || (!ruled && (!told.run_on || told.prose)))
        e->n_columns = 0;
    return true;
}

/* ---- bands between rules ---- */

/* Returns whether a rule stands upright between two of rules[0..n): others are missing, and with
 * them they would part the columns. */
static bool has_uprights(const struct pl_regions *regions, const struct pl_rule *const *rules,
                         size_t n)
{
    for (size_t i = 0; i < regions->n_rules; i++) {
        const struct pl_rect *r = &regions->rules[i].box;
        if (!regions->rules[i].upright || r->x0 < rules[0]->box.x0 || r->x1 > rules[0]->box.x1)
            continue;
        for (size_t k = 1; k < n; k++) {
            const double top = pl_rule_middle(rules[k - 1]), bottom = pl_rule_middle(rules[k]);
            if (PL_MIN(r->y1, bottom) - PL_MAX(r->y0, top) > 0.5 * (bottom - top))
                return true;
        }
    }
    return false;
}

bool pl_bands_ruled(struct pl_arena *arena, const struct pl_regions *regions,
                    const struct pl_rule *const *rules, size_t n, struct pl_edges *ret,
                    size_t *ret_used)
{
    struct pl_band_lines lines;
    struct band_text *all = PL_NEW(arena, struct band_text, n);
    struct bands whole = {.v = all}, parts = {0};
    struct pl_rect box = rules[0]->box;
    size_t n_parted;
    box.y1 = rules[n - 1]->box.y1;
    *ret = (struct pl_edges){.n_columns = 0};
    if (!all || !pl_band_lines_take(arena, regions, box, &lines))
        return false;
    for (size_t i = 1, at = 0; i < n; i++) {
        add_band(&lines, at, pl_rule_middle(rules[i - 1]), pl_rule_middle(rules[i]), true, &whole);
        at += whole.v[i - 1].n;
    }
    *ret_used = take_run(&whole, &n_parted);
    if (n_parted < 2 || has_uprights(regions, rules + (whole.v - all), whole.n + 1))
        return true;
    parts.v = PL_NEW(arena, struct band_text, whole.n + lines.n);
    if (!parts.v)
        return false;
    for (size_t i = 0; i < whole.n; i++)
        if (!part_band(arena, &lines, &whole.v[i], &parts))
            return false;
    if (parts.n > PL_GRID_MAX_ROWS)
        return true;
    return find_edges(arena, &lines, &parts, box.x0, box.x1, ret) &&
           judge(arena, regions, &lines, &parts, true, ret) &&
           (!ret->n_columns || pl_bands_add_head(arena, regions, lines.v, lines.n, ret));
}

/* ---- bands without rules ---- */

/* Rows of text below each other through which white runs down. */
struct zone {
    const struct pl_band_lines *lines;
    struct pl_rect runs[PL_MAX_RUNS];
    size_t n_runs;
    struct pl_band_row all; /* from the first row to the last */
};

/* Adds a row to the zone, where white runs through both; returns whether it does. */
static bool extend_zone(struct zone *z, const struct pl_band_row *row)
{
    struct pl_rect runs[PL_MAX_RUNS];
    size_t n = z->n_runs;
    memcpy(runs, z->runs, n * sizeof(*runs));
    for (size_t i = row->first; i < row->end; i++)
        n = add_runs(z->lines->v[i], z->lines->gap_px, runs, n);
    if (n < 2)
        return false;
    memcpy(z->runs, runs, n * sizeof(*runs));
    z->n_runs = n;
    z->all = (struct pl_band_row){PL_MIN(z->all.first, row->first), PL_MAX(z->all.end, row->end),
                                  PL_MIN(z->all.top, row->top), PL_MAX(z->all.bottom, row->bottom)};
    return true;
}

/* Begins a zone with a row that white parts; returns whether it is one. */
static bool begin_zone(struct zone *z, const struct pl_band_row *row)
{
    z->n_runs = 0;
    z->all = *row;
    return extend_zone(z, row);
}

/* Fills *z with the first zone of rows[0..n); it has no runs where there is none. */
static void find_zone(const struct pl_band_row *rows, size_t n, double apart_px, struct zone *z)
{
    size_t first = 0, end;
    while (first < n && !begin_zone(z, &rows[first]))
        first++;
    for (end = first + 1;
         end < n && rows[end].top - rows[end - 1].bottom <= apart_px && extend_zone(z, &rows[end]);
         end++)
        continue;
    while (first && first < n && rows[first].top - rows[first - 1].bottom <= apart_px &&
           extend_zone(z, &rows[first - 1]))
        first--;
}

/* Returns whether the zone is of two facing pages. */
static bool is_folded(const struct zone *z, const struct pl_regions *regions)
{
    const double x = regions->folded ? pl_fold_x(regions, 0.5 * (z->all.top + z->all.bottom)) : -1;
    return z->runs[0].x0 < x && x < z->runs[z->n_runs - 1].x1;
}

bool pl_bands_spaced(struct pl_arena *arena, const struct pl_regions *regions, int *y,
                     struct pl_edges *ret)
{
    const struct pl_rect page = {0, *y, regions->width, regions->height};
    struct pl_band_lines lines;
    struct pl_band_row *rows;
    struct zone z = {.lines = &lines};
    struct band_text whole = {.top = 0};
    struct bands parts;
    size_t n, n_parted;
    *ret = (struct pl_edges){.n_columns = 0};
    if (!pl_band_lines_take(arena, regions, page, &lines) ||
        !pl_band_rows_take(arena, &lines, &rows, &n))
        return false;
    find_zone(rows, n, BANDS_APART * regions->glyph_px, &z);
    *y = z.n_runs ? z.all.bottom : regions->height;
    if (!z.n_runs || is_folded(&z, regions))
        return true;
    whole.first = z.all.first;
    whole.n = z.all.end - z.all.first;
    whole.top = z.all.top;
    whole.bottom = z.all.bottom + 1;
    parts = (struct bands){.v = PL_NEW(arena, struct band_text, whole.n)};
    if (!parts.v || !part_band(arena, &lines, &whole, &parts))
        return false;
    take_run(&parts, &n_parted);
    if (n_parted < TABLE_ROWS || parts.n > PL_GRID_MAX_ROWS)
        return true;
    if (!find_edges(arena, &lines, &parts, z.runs[0].x0, z.runs[z.n_runs - 1].x1, ret))
        return false;
    return judge(arena, regions, &lines, &parts, false, ret);
}
