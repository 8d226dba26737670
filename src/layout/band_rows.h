/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines and rows of text across the page, of which bands (bands.c) and the names of their columns
 * (band_head.c) are. */
#ifndef PL_LAYOUT_BAND_ROWS_H
#define PL_LAYOUT_BAND_ROWS_H

#include "base/arena.h"
#include "page/result.h"

/* Lines, sorted by the heights of their middles. */
struct pl_band_lines {
    const struct pl_line **v;
    size_t n;
    size_t *next; /* of each line of a band: the first one that it stands over, or the band's end */
    double gap_px; /* of white between two columns */
};

static inline double pl_line_middle_y(const struct pl_line *l)
{
    return 0.5 * (l->box.y0 + l->box.y1);
}

/* Fills *ret with the upright lines of no table that have words and reach into the box; what they
 * stand over is not found yet. Returns false when memory is short. */
PL_MUST_USE bool pl_band_lines_take(struct pl_arena *arena, const struct pl_regions *regions,
                                    struct pl_rect box, struct pl_band_lines *ret);

/* Returns the line behind those from line i on of which each reaches below the top of the next. */
size_t pl_band_row_end(const struct pl_band_lines *l, size_t i, size_t end);

/* A row of text: lines first..end - 1. */
struct pl_band_row {
    size_t first, end;
    int top, bottom;
};

/* Fills *ret, a new array, with the rows of text of all lines. Returns false when memory is short.
 */
PL_MUST_USE bool pl_band_rows_take(struct pl_arena *arena, const struct pl_band_lines *l,
                                   struct pl_band_row **ret, size_t *ret_n);

#endif
