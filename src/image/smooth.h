/* SPDX-License-Identifier: BSD-2-Clause */
/* Small filters of a whole picture. Beyond its edges the nearest pixel repeats. */
#ifndef PL_IMAGE_SMOOTH_H
#define PL_IMAGE_SMOOTH_H

#include "image/image.h"

#define PL_GAUSS_MIN_SIGMA 0.3
#define PL_GAUSS_MAX_SIGMA 50

/* The median of each pixel and its eight neighbours; im is PL_GRAY8. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_median3(const struct pl_env *env, const struct pl_image *im,
                                     struct pl_image *ret, struct platen_error *err);

/* A Gaussian of `sigma` pixels, PL_GAUSS_MIN_SIGMA to PL_GAUSS_MAX_SIGMA, reaching three sigma to
 * each side; weights are 14-bit fixed point, and columns are filtered, and rounded, before rows.
 * With sigma 1 it is the binomial 1 4 6 4 1 both ways, rounded once. im is PL_GRAY8.
 * PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_gauss(const struct pl_env *env, const struct pl_image *im,
                                   double sigma, struct pl_image *ret, struct platen_error *err);

#endif
