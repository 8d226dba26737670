/* SPDX-License-Identifier: BSD-2-Clause */
/* Levelling a sloping line of text. */
#ifndef PL_IMAGE_SHEAR_H
#define PL_IMAGE_SHEAR_H

#include "image/image.h"

/* The columns x0..x1-1 of im (PL_GRAY8), each shifted up: row y of the result shows row
 * r.y0 + y + (x - x0) * (slope + bend * (x - x1)) of im, interpolated; a bow is followed in
 * straight pieces. Rows of r may lie outside im, which reads as `border` there. PLATEN_ERR_NOMEM.
 */
PL_MUST_USE platen_status pl_shear(const struct pl_env *env, const struct pl_image *im,
                                   struct pl_rect r, double slope, double bend, uint8_t border,
                                   struct pl_image *ret, struct platen_error *err);

#endif
