/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a page is cut for reading: the white corridor that parts two columns of prose best, or the
 * two piles in the head of a letter. */
#ifndef PL_DETECT_ORDER_CUT_H
#define PL_DETECT_ORDER_CUT_H

#include "page/result.h"

/* The corridor is x - half .. x + half; lines with top <= y <= bottom lie beside it, are set into
 * it, or run through it and are to be parted. */
struct pl_cut {
    double score; /* 0 = there is none */
    double x, half;
    double top, bottom;
};

/* What a line has on one side of a corridor. */
struct pl_cut_part {
    struct pl_rect box;
    size_t words;
    bool begins;   /* it is the first one of its row */
    uint32_t full; /* scratch: lines as long as parts of the row together that end with this one */
};

struct pl_cut_lines {
    const struct pl_line *lines;
    const struct pl_rect *reach; /* of each: its box, with the blanks to fill in beside its words */
    const double *y;             /* of each: its baseline, with the page's slope taken out */
    double first_y, last_y;      /* of the page's first and last line */
    double size;                 /* usual height of a glyph */
    double *scratch;             /* as many as there are lines */
    struct pl_cut_part *parts;   /* scratch, as many */
};

/* Returns whether line `next`, which is not above line `first`, is level with it: their baselines
 * are closer than half of the smaller one's glyphs. Lines so far apart are of one row until text
 * has told otherwise. */
bool pl_cut_same_row(const struct pl_cut_lines *p, uint32_t first, uint32_t next);

/* Returns the best cut through the lines v[0..n), which are sorted by y; score 0 where there is
 * none.
 */
struct pl_cut pl_cut_best(const struct pl_cut_lines *p, const uint32_t *v, uint32_t n);

/* Returns the cut between the name in the head of a letter, with what stands below it, and the
 * lines to its right, where the rows of both are not level; score 0 where v[0..n), which are sorted
 * by y, have no such head. */
struct pl_cut pl_cut_head(const struct pl_cut_lines *p, const uint32_t *v, uint32_t n);

/* Returns whether the type of line `a` is clearly larger than that of `b`. */
bool pl_cut_is_larger(const struct pl_line *a, const struct pl_line *b);

/* Returns whether a line begins where a box does. */
bool pl_cut_is_flush(const struct pl_line *a, struct pl_rect b);

/* Returns -1 for a box left of the corridor, 1 for one right of it, 0 for neither. A line may reach
 * a corridor's width beyond its other edge, as a letter that touches a rule between the columns
 * does. */
int pl_cut_side(const struct pl_cut *c, struct pl_rect box);

/* Returns the first word right of the corridor where a line that crosses it has a gap there that is
 * wider than its others: it is two lines in one. Returns 0 where it has none, or was read already.
 */
size_t pl_cut_gap(const struct pl_cut *c, const struct pl_line *line, double size);

#endif
