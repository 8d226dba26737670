/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading order of the lines that were found. */
#ifndef PL_DETECT_ORDER_ORDER_H
#define PL_DETECT_ORDER_ORDER_H

#include "base/arena.h"
#include "page/result.h"

/* Fills regions->blocks with lines[0..n) in reading order; glyph_px, slope, rules and single_column
 * of `regions` are set. A line that runs through the white between two columns becomes two, unless
 * it has been read. Everything new lies in the arena. Returns false when memory is short. */
PL_MUST_USE bool pl_order_lines(struct pl_arena *arena, const struct pl_line *lines, uint32_t n,
                                struct pl_regions *regions);

#endif
