/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines that are no rows of glyphs. They are false when memory is short. */
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

#endif
