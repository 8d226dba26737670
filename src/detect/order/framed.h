/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames side by side: what is in one is read before what is in the next. */
#ifndef PL_DETECT_ORDER_FRAMED_H
#define PL_DETECT_ORDER_FRAMED_H

#include "base/arena.h"
#include "detect/order/cut.h"
#include "page/result.h"

/* Frames of a page: the four rules of each meet at its corners and end there. */
struct pl_page_frames {
    struct pl_rect *v;
    size_t n;
};

#define PL_MAX_FRAMES 256 /* a page with more has none: they are a pattern */

/* Finds the frames of a page, whose rules are set. Returns false when memory is short. */
PL_MUST_USE bool pl_frames_find(struct pl_arena *arena, const struct pl_regions *page,
                                struct pl_page_frames *ret);

/* Fills key[line] of each line of v[0..n), which are sorted by y: 0 above the first frames side
 * by side that bound the reading, 1 and on in each column of frames from left to right, and the
 * last one below all. Returns how many columns there are; 0 where there are no such frames, and the
 * keys are not filled. */
size_t pl_frames_part(const struct pl_page_frames *f, const struct pl_cut_lines *p,
                      const uint32_t *v, uint32_t n, double *key);

#endif
