/* SPDX-License-Identifier: BSD-2-Clause */
/* Notes in the margin: a few short rows in the white beside prose, most of them not level with its
 * rows. Read row by row they would be spliced into its sentences. */
#ifndef PL_DETECT_ORDER_MARGIN_H
#define PL_DETECT_ORDER_MARGIN_H

#include "detect/order/cut.h"

/* A line of the page in a note. */
struct pl_margin_line {
    uint32_t line;   /* its number */
    uint32_t first;  /* that of the first line of its note */
    uint32_t beside; /* the line of the text that is level with the first one or nearest to that */
};

/* Takes the lines of notes from v[0..*n), which are sorted by y and stay so, and lowers *n. Gives
 * them in ret[0..returned), each note's lines behind each other from the top; there is room for n.
 * `seen` has room for one of each line of the page. */
uint32_t pl_margin_take(const struct pl_cut_lines *p, uint32_t *v, uint32_t *n, bool *seen,
                        struct pl_margin_line *ret);

#endif
