/* SPDX-License-Identifier: BSD-2-Clause */
/* The grey of ink and paper in a picture of text. */
#ifndef PL_IMAGE_RANGE_H
#define PL_IMAGE_RANGE_H

#include <stdint.h>

/* Grey k of the sorted pixels, counted from 0; 255 beyond them. */
uint8_t pl_gray_rank(const uint32_t hist[256], uint64_t k);

/* The 1 % and 97 % quantiles of n > 0 pixels: entries floor(n / 100) and min(n - 1, floor(97 n /
 * 100)) of the sorted pixels, moved apart evenly to a distance of at least 24. */
void pl_gray_range(const uint32_t hist[256], uint64_t n, double *ret_lo, double *ret_hi);

#endif
