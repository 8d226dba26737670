/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a picture of one text line has its ink. */
#ifndef PL_DETECT_INK_INK_ROWS_H
#define PL_DETECT_INK_INK_ROWS_H

#include "base/arena.h"
#include "image/image.h"

/* The box of the line's ink in a loosely cut grey picture. The middle of the grey
 * range parts ink and paper, whichever is darker; rows inked over more than 80 % of the width are
 * rules and columns over 90 % of the height the sides of a box; the run of rows with most ink is
 * the line, parted from a neighbour that touches it and is cut by the picture's edge; runs nearer
 * than a quarter of its height (dots, accents, underscores) belong to it unless the edge cuts them.
 * train/line.py cuts its lines alike: the recognizer is at home in these rows. PLATEN_ERR_NOMEM;
 * the rows are 0 and 0 when there is no ink. */
PL_MUST_USE platen_status pl_ink_rows(const struct pl_env *env, struct pl_arena *arena,
                                      const struct pl_image *gray, struct pl_rect *ret,
                                      struct platen_error *err);

#endif
