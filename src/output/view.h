/* SPDX-License-Identifier: BSD-2-Clause */
/* What several emitters ask about a page: places in the input picture, names, confidence. */
#ifndef PL_OUTPUT_VIEW_H
#define PL_OUTPUT_VIEW_H

#include "output/emit.h"

/* The smallest upright box of the input picture around r, which is of the page picture (l is NULL)
 * or of line l. */
struct pl_rect pl_view_box(const struct pl_page_result *page, const struct pl_line *l,
                           struct pl_rect r);
/* Its corners in the input picture, from the top left one of the text on; the second holds them
 * inside it. */
struct pl_quad pl_view_corners(const struct pl_page_result *page, const struct pl_line *l,
                               struct pl_rect r);
struct pl_quad pl_view_quad(const struct pl_page_result *page, const struct pl_line *l,
                            struct pl_rect r);
/* The point of the line's baseline at column x of its picture, in the input picture. */
struct pl_point pl_view_baseline(const struct pl_page_result *page, const struct pl_line *l,
                                 double x);

/* The points of the baseline from the start of the line to its end: two, or so many where it bows;
 * returns their number. */
#define PL_BASELINE_POINTS 17
size_t pl_view_baseline_points(const struct pl_page_result *page, const struct pl_line *l,
                               struct pl_point ret[PL_BASELINE_POINTS]);

/* Returns the kind of a block as formats name it: "text", "heading", "header", "footer", "caption",
 * "table" or "code". */
const char *pl_view_kind(const struct pl_block *b);

/* Appends the lines of the cell as they stand: those in one row of text parted by blanks, others by
 * `apart`. pl_prose_cell() appends its paragraphs. */
void pl_view_cell_text(const struct pl_cell *c, const char *apart, struct pl_str *out);

/* " KEY=\"" + text + "\"" with the text escaped for XML. */
void pl_view_attribute(struct pl_str *out, const char *key, const char *text);

#endif
