/* SPDX-License-Identifier: BSD-2-Clause */
/* What a picture shows beside its page: what lies around it, and the fold of an open book. Both are
 * found once, on the grey picture before its light is evened out, and are told in pixels of the
 * input, so that no later operation moves them. */
#ifndef PL_PAGE_SHEET_H
#define PL_PAGE_SHEET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/geom.h"

#define PL_SHEET_CELLS 64 /* most cells a side */

/* Zeroed, nobody has looked: then nothing lies around the page, and it has no fold. */
struct pl_sheet {
    bool known;
    struct pl_affine to_cells;       /* from pixels of the input */
    uint64_t around[PL_SHEET_CELLS]; /* bit x of around[y]: that cell shows nothing of the page */
    bool any_around;
    /* Grey of the lightest quarter of the darkest cell, of the picture in little: no part of the
     * picture's paper is much darker. 0 where nobody looked, or the picture is too small. */
    uint8_t darkest;
    bool folded;
    struct pl_point fold[2]; /* the ends of the fold, in pixels of the input */
};

/* Returns whether a point of the input lies beside the page. */
bool pl_sheet_is_around(const struct pl_sheet *sheet, struct pl_point input);

/* Gives the ends of the fold on a picture that `to_input` takes to the input, the upper one first.
 * Returns false where there is none, or one that runs across. */
bool pl_sheet_fold(const struct pl_sheet *sheet, const struct pl_affine *to_input,
                   struct pl_point ret[2]);

#endif
