/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines that are no rows of glyphs, squares and circles. The functions that return something return
 * false when memory is short. */
#ifndef PL_DETECT_STRAYS_STRAYS_H
#define PL_DETECT_STRAYS_STRAYS_H

#include "detect/ink/survey.h"

/* Fills found->others with lines that run up or down, made of blobs that are in no group or in a
 * weak one. The weak groups stay: which of the two is text is settled once both are read
 * (pl_layout_settle()). */
bool pl_turned_find(struct pl_found *found);

/* Adds initials, which are blobs in no group, to found->others. */
bool pl_initials_find(struct pl_found *found);

/* Adds lone dashes, which are blobs in no group, to found->others; those level with no row become
 * marks. */
bool pl_dashes_find(struct pl_found *found);

/* Joins dots that stand before a line, as in a list, to its group. A dot that no group has needs
 * one that a group has, as large, above or below it: else it may be dirt. */
bool pl_bullets_join(struct pl_found *found);

/* Lists the squares and circles among the components of the page in survey->squares, which has room
 * for PL_MAX_SQUARES; none where there are more, as in a drawing or a grid. Those that stand close
 * beside another one as large come last: they are frames of letters. */
void pl_squares_find(struct pl_survey *survey, const struct pl_bits *page);

#endif
