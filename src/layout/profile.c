/* SPDX-License-Identifier: BSD-2-Clause */
/* White between columns of words, over many rows. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "detect/ink/sort.h"
#include "layout/columns.h"
#include "layout/grid.h"
#include "layout/line_words.h"
#include "layout/layout_tuning.def"

/* Returns the widest white between two words of a line, word - 1 and `word`, in pixels; it is
 * negative where they are read from right to left. Words that were read but not trusted are ink. */
static double white_px(const struct pl_line *l, size_t word)
{
    const int end = pl_line_word_box(l, word).x0;
    int ink = pl_line_word_box(l, word - 1).x1, widest = INT_MIN;
    for (size_t i = l->n_words; i < l->n_words + l->n_doubted; i++) {
        const struct pl_rect doubted = l->words[i].box;
        if (doubted.x1 <= ink || doubted.x0 >= end)
            continue;
        widest = PL_MAX(widest, doubted.x0 - ink);
        ink = doubted.x1;
    }
    return PL_MAX(widest, end - ink);
}

static int by_left(const void *a, const void *b)
{
    const struct pl_rect *x = a, *y = b;
    const int order = (x->x0 > y->x0) - (x->x0 < y->x0);
    return order ? order : (x->x1 > y->x1) - (x->x1 < y->x1);
}

void pl_boxes_sort_left(struct pl_rect *v, size_t n)
{
    qsort(v, n, sizeof(*v), by_left);
}

size_t pl_line_runs(const struct pl_line *l, size_t first, size_t end, double gap_px, double gap,
                    struct pl_rect *runs, size_t n)
{
    gap_px = PL_MAX(gap_px, gap * l->glyph_px);
    for (size_t w = first; w < end; w++) {
        const struct pl_rect box = pl_line_word_box(l, w);
        if (w > first && n && white_px(l, w) < gap_px)
            runs[n - 1] = pl_rect_union(runs[n - 1], box);
        else if (n < PL_MAX_RUNS)
            runs[n++] = box;
    }
    return n;
}

bool pl_stands_under(struct pl_rect a, struct pl_rect b, double tolerance_px)
{
    return abs(a.x0 - b.x0) <= tolerance_px || abs(a.x1 - b.x1) <= tolerance_px ||
           abs(a.x0 + a.x1 - b.x0 - b.x1) <= 2 * tolerance_px;
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

/* White around an edge. */
struct edge_white {
    double left, right;
};

/* Returns the run of a row that is across x; n where there is none. */
static size_t find_across(const struct pl_words_row *row, double x)
{
    size_t i = 0;
    while (i < row->n && !(row->words[i].x0 < x && row->words[i].x1 > x))
        i++;
    return i;
}

/* Returns whether the middle of a run of the row, but run i, lies between x0 and x1. */
static bool has_run(const struct pl_words_row *row, size_t i, double x0, double x1)
{
    bool ret = false;
    for (size_t k = 0; k < row->n; k++) {
        const double middle = 0.5 * (row->words[k].x0 + row->words[k].x1);
        ret |= k != i && middle > x0 && middle < x1;
    }
    return ret;
}

/* Takes from the white what the runs of a row with none across x have there. */
static void take_runs(const struct pl_words_row *row, double x, struct edge_white *white)
{
    for (size_t i = 0; i < row->n; i++)
        if (row->words[i].x1 <= x)
            white->left = PL_MAX(white->left, (double)row->words[i].x1);
        else
            white->right = PL_MIN(white->right, (double)row->words[i].x0);
}

/* Takes a run across x that begins in the white between x0 and x1 from that, with what is left of
 * it at one side: the run's own column is the one to the right, unless it ends in the white, too,
 * and the row has a run in the column to the right alone. Returns whether it does. */
static bool take_across(const struct pl_words_row *row, size_t i, double x0, double x, double x1,
                        struct edge_white *white)
{
    const struct pl_rect run = row->words[i];
    const bool within = run.x1 < white->right, has_left = has_run(row, i, x0, x);
    if (run.x0 <= white->left || (within && has_left == has_run(row, i, x, x1)))
        return false;
    if (within && !has_left)
        white->left = run.x1;
    else
        white->right = run.x0;
    return true;
}

/* Returns where the edge at x, between those at x0 and x1, is to stand. */
static double settle_edge(const struct pl_words_row *rows, size_t n, double x0, double x, double x1)
{
    struct edge_white white = {x0, x1};
    bool any = false;
    for (size_t i = 0; i < n; i++)
        if (rows[i].n > 1 && find_across(&rows[i], x) == rows[i].n)
            take_runs(&rows[i], x, &white);
    for (size_t i = 0; i < n; i++) {
        const size_t across = find_across(&rows[i], x);
        if (rows[i].n > 1 && across < rows[i].n)
            any |= take_across(&rows[i], across, x0, x, x1, &white);
    }
    return any ? 0.5 * (white.left + white.right) : x;
}

void pl_profile_settle_edges(const struct pl_words_row *rows, size_t n, double x0, double x1,
                             const bool *narrow, double *edges, int n_edges)
{
    bool moved = true;
    for (int sweep = 0; moved && sweep < n_edges; sweep++) {
        moved = false;
        for (int i = 0; i < n_edges; i++) {
            const double old = edges[i], left = i ? edges[i - 1] : x0,
                         right = i + 1 < n_edges ? edges[i + 1] : x1;
            if (!narrow[i])
                edges[i] = settle_edge(rows, n, left, old, right);
            moved |= edges[i] != old;
        }
    }
}

double pl_words_row_wide_px(const struct pl_words_row *row)
{
    double blanks[PL_MAX_RUNS];
    size_t n = 0;
    for (size_t i = 1; i < row->n; i++) {
        const double white = row->words[i].x0 - row->words[i - 1].x1;
        if (white > 0 && white < row->gap_px)
            blanks[n++] = white;
    }
    return n ? PL_MIN(row->gap_px, WIDE_BLANK * pl_median(blanks, n)) : row->gap_px;
}

/* Returns whether the rule runs below most of a word. */
static bool underlines(const struct pl_rule *rule, struct pl_rect word)
{
    const int both = PL_MIN(rule->box.x1, word.x1) - PL_MAX(rule->box.x0, word.x0);
    return 2 * both > pl_rect_width(word);
}

void pl_words_row_underlines(const struct pl_regions *regions, double y, struct pl_words_row *row)
{
    const double slack_px = RULES_MISS * regions->glyph_px;
    for (size_t w = 0; w < PL_MAX_RUNS; w++)
        row->ends_name[w] = false;
    for (size_t i = 0; i < regions->n_rules; i++) {
        const struct pl_rule *rule = &regions->rules[i];
        if (rule->upright || fabs(0.5 * (rule->box.y0 + rule->box.y1) - y) > slack_px)
            continue;
        for (size_t w = 1; w < row->n; w++)
            row->ends_name[w - 1] |=
                underlines(rule, row->words[w - 1]) != underlines(rule, row->words[w]);
    }
}

/* From the least to the most of an edge of some words. */
struct edge_span {
    int min, max;
};

#define NO_EDGES ((struct edge_span){INT_MAX, INT_MIN})

static void add_to_span(struct edge_span *s, int edge)
{
    s->min = PL_MIN(s->min, edge);
    s->max = PL_MAX(s->max, edge);
}

/* Where the words beside a place begin and end. */
struct edge_spans {
    struct edge_span x0, x1;
};

/* What rows have at a place. */
struct place_votes {
    size_t filled, beside, across; /* rows with words, on both sides, with one that runs across */
    size_t labels;                 /* of those beside: the left word is a label */
    bool wide;                     /* a row has white there that is as wide as between columns */
    int least_px;                  /* white of a row with words on both sides, at least */
    struct edge_spans left, right; /* of the words next to it */
};

static struct place_votes count_votes(const struct pl_words_row *rows, size_t n_rows, double x)
{
    struct place_votes v = {
        .left = {NO_EDGES, NO_EDGES}, .right = {NO_EDGES, NO_EDGES}, .least_px = INT_MAX};
    for (size_t i = 0; i < n_rows; i++) {
        const struct pl_rect *words = rows[i].words;
        const size_t n = rows[i].n;
        size_t left = 0;
        while (left < n && words[left].x1 <= x)
            left++;
        const bool across = left < n && words[left].x0 < x, beside = left && left < n && !across;
        v.filled += n > 0;
        v.across += across;
        v.beside += beside;
        v.labels += beside && rows[i].is_label[left - 1];
        v.wide |= beside && (words[left].x0 - words[left - 1].x1 >= rows[i].gap_px ||
                             rows[i].ends_name[left - 1]);
        if (beside) {
            v.least_px = PL_MIN(v.least_px, words[left].x0 - words[left - 1].x1);
            add_to_span(&v.left.x0, words[left - 1].x0);
            add_to_span(&v.left.x1, words[left - 1].x1);
            add_to_span(&v.right.x0, words[left].x0);
            add_to_span(&v.right.x1, words[left].x1);
        }
    }
    return v;
}

static double extent_px(struct edge_span s)
{
    return s.max - s.min;
}

/* Returns whether the words on the left all end at the place, but begin at several, and those on
 * the right the other way round: in text that runs on, a blank moves with the words before it. */
static bool is_flush(const struct place_votes *v, double glyph_px)
{
    const double flush_px = FLUSH_WORDS * glyph_px;
    return extent_px(v->left.x1) <= flush_px && extent_px(v->right.x0) <= flush_px &&
           extent_px(v->left.x0) > glyph_px && extent_px(v->right.x1) > glyph_px;
}

/* Returns whether two rows at least have words between x0 and x1. */
static bool is_column(const struct pl_words_row *rows, size_t n_rows, double x0, double x1)
{
    size_t filled = 0;
    for (size_t i = 0; i < n_rows; i++) {
        bool any = false;
        for (size_t w = 0; w < rows[i].n; w++)
            any |= rows[i].words[w].x0 >= x0 && rows[i].words[w].x1 <= x1;
        filled += any;
    }
    return filled > 1;
}

/* Adds an edge to edges[0..*n), with the least white of each. Of two between which one row alone
 * has words, as a name of several words has above white of the others, the one is left out whose
 * white is clearly less. */
static void add_close_edge(const struct pl_words_row *rows, size_t n_rows, double x, int least_px,
                           double *edges, int *least, int *n)
{
    while (*n && !is_column(rows, n_rows, edges[*n - 1], x) &&
           WIDE_BLANK * least[*n - 1] <= least_px)
        --*n;
    if (*n && !is_column(rows, n_rows, edges[*n - 1], x) && WIDE_BLANK * least_px <= least[*n - 1])
        return;
    edges[*n] = x;
    least[(*n)++] = least_px;
}

int pl_profile_close_edges(struct pl_profile *p, const struct pl_words_row *rows, size_t n_rows,
                           double glyph_px, int most, double *edges)
{
    int kept = 0, least[PL_GRID_MAX_COLUMNS];
    p->n = 0;
    p->n_rows = 0;
    for (size_t i = 0; i < n_rows; i++)
        pl_profile_add(p, rows[i].words, rows[i].n);
    const int n = pl_profile_edges(p, most, edges);
    for (int i = 0; i < n; i++) {
        const struct place_votes v = count_votes(rows, n_rows, edges[i]);
        const bool told = v.wide || (glyph_px > 0 && is_flush(&v, glyph_px)),
                   labelled = 2 * v.labels > v.beside;
        if (((told && 2 * v.beside > v.filled) || labelled) && v.beside >= TABLE_ROWS &&
            (double)v.across <= COLUMN_CROSSED * (double)v.filled)
            add_close_edge(rows, n_rows, edges[i], v.least_px, edges, least, &kept);
    }
    return kept;
}
