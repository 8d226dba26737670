/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PL_DETECT_STRAYS_CIRCLES_H
#define PL_DETECT_STRAYS_CIRCLES_H

#include "detect/ink/survey.h"

/* A component that may be a circle to choose from. */
struct pl_circle {
    struct pl_square square;
    bool plain;         /* there is nothing in an open one but its mark */
    bool large;         /* it is larger than a square may be */
    bool alone;         /* nothing stands close beside it */
    bool full;          /* it is a disc */
    bool text;          /* text begins close behind it */
    bool word;          /* it may be the first letter of that: more text follows or stands close */
    bool holds;         /* it is open, around a piece of ink */
    bool in_grid;       /* by pl_circles_settle(): it stands in rows and columns of its like */
    uint32_t letter_px; /* ink of the first letter of the text, or of that in it; 0 = none */
};

/* Looks at component `at`, which is as large as a circle may be. Returns whether it may be a circle
 * to choose from, and not only a letter.
 */
bool pl_circle_see(const struct pl_components *comps, const struct pl_bits *page, size_t at,
                   struct pl_circle *ret);

/* Gives in ret[0..returned), which has room for n, those of the circles that are what one is chosen
 * by. */
size_t pl_circles_settle(struct pl_circle *circles, size_t n, struct pl_square *ret);

/* Takes the circles that stand close beside a letter or around it out of the glyphs: as high
 * letters of the row they would make the others seem small. Returns whether there are any. */
bool pl_circles_drop(struct pl_survey *survey);

#endif
