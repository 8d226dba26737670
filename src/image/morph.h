/* SPDX-License-Identifier: BSD-2-Clause */
/* Erosion, dilation, opening and closing by rectangles. */
#ifndef PL_IMAGE_MORPH_H
#define PL_IMAGE_MORPH_H

#include "image/bits.h"

/* A dilated pixel is the largest in the rectangle around it, an eroded one the smallest: of grey,
 * dilation lets the paper grow; of bits, the ink. What lies beyond the picture does not count. A
 * closing is a dilation and then the erosion that undoes it, an opening the reverse. The pixel is
 * in the middle of the rectangle; where a side is even, dilations have the greater part to the
 * right and below, erosions to the left and above. */
enum pl_morph { PL_DILATE, PL_ERODE, PL_CLOSE, PL_OPEN };

/* By a rectangle of width x height pixels, both at least 1. The time depends on the height not at
 * all (van Herk, Pattern Recognition Letters 13, 1992; Gil and Werman, IEEE PAMI 15, 1993), and on
 * the width little: a row in the first cache is gone through once more for every fourfold width, or
 * of bits once for every 63 pixels. im is PL_GRAY8.
 * PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_morph_image(const struct pl_env *env, const struct pl_image *im,
                                         enum pl_morph what, int width, int height,
                                         struct pl_image *ret, struct platen_error *err);
PL_MUST_USE platen_status pl_morph_bits(const struct pl_env *env, const struct pl_bits *bits,
                                        enum pl_morph what, int width, int height,
                                        struct pl_bits *ret, struct platen_error *err);

#endif
