/* SPDX-License-Identifier: BSD-2-Clause */
/* Scaling a grey picture. */
#ifndef PL_IMAGE_RESAMPLE_H
#define PL_IMAGE_RESAMPLE_H

#include "image/image.h"

/* im (PL_GRAY8) in width x height pixels, both at least 1. An axis that shrinks averages the area
 * that each new pixel covers, one that grows is interpolated linearly between pixel centres;
 * weights are 14-bit fixed point and the rows are scaled, and rounded, before the columns; half the
 * size each way is rounded once. The dpi is scaled alike. PLATEN_ERR_NOMEM, PLATEN_ERR_LIMIT. */
PL_MUST_USE platen_status pl_resample(const struct pl_env *env, const struct pl_image *im,
                                      int width, int height, struct pl_image *ret,
                                      struct platen_error *err);

#endif
