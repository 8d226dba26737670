/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a picture of one text line has its ink. */
#ifndef PL_DETECT_INK_INK_ROWS_H
#define PL_DETECT_INK_INK_ROWS_H

#include "base/arena.h"
#include "image/image.h"

/* Gives the box of the line's ink in a loosely cut grey picture; it is empty when there is no ink.
 * PLATEN_ERR_NOMEM.
 *
 * The middle of the grey range parts ink and paper, whichever is darker. Rows with more ink than
 * ROW_RULE_SHARE are rules, and columns with more than POST_SHARE the sides of a box. The run of
 * rows with most ink is the line, parted from a neighbour that touches it and is cut by the
 * picture's edge. Runs nearer than JOIN_ROWS_GAP (dots, accents, underscores) belong to it unless
 * the edge cuts them. train/line.py cuts its lines in the same way, so that the recognizer knows
 * such rows. */
PL_MUST_USE platen_status pl_ink_rows(const struct pl_env *env, struct pl_arena *arena,
                                      const struct pl_image *gray, struct pl_rect *ret,
                                      struct platen_error *err);

#endif
