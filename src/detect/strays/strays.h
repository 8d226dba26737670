/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines that are no rows of glyphs. They are false when memory is short. */
#ifndef PL_DETECT_STRAYS_STRAYS_H
#define PL_DETECT_STRAYS_STRAYS_H

#include "detect/ink/survey.h"

/* Fills found->others with lines that run up or down, from what no group of more than a few
 * glyphs holds; those groups stay, and which of the two is text is settled once both are
 * read (pl_layout_settle()). */
bool pl_turned_find(struct pl_found *found);

/* Adds initials, from free blobs, to found->others. */
bool pl_initials_find(struct pl_found *found);

/* Adds lone dashes, from free blobs, to found->others; those level with no row become marks. */
bool pl_dashes_find(struct pl_found *found);

#endif
