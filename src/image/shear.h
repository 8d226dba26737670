/* SPDX-License-Identifier: BSD-2-Clause */
/* Levelling a sloping line of text. */
#ifndef PL_IMAGE_SHEAR_H
#define PL_IMAGE_SHEAR_H

#include "base/curve.h"
#include "image/image.h"

/* The columns of r in im (PL_GRAY8), each shifted up: row y of the result shows at column x of im
 * row r.y0 + y + (x - r.x0) * slope, and where `curve` is not NULL as much below that as the curve
 * is there below its height at r.x0; interpolated, a curve in straight pieces. Rows of r may lie
 * outside im, which reads as `border` there. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_shear(const struct pl_env *env, const struct pl_image *im,
                                   struct pl_rect r, double slope, const struct pl_curve *curve,
                                   uint8_t border, struct pl_image *ret, struct platen_error *err);

#endif
