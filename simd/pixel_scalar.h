/* SPDX-License-Identifier: BSD-2-Clause */
/* Scalar bodies that other levels call for what they do not cover themselves. */
#ifndef PL_SIMD_PIXEL_SCALAR_H
#define PL_SIMD_PIXEL_SCALAR_H

#include "simd/kernels.h"

void pl_colsum_u8_scalar(uint32_t *sum, uint32_t *sumsq, const uint8_t *add, const uint8_t *sub,
                         size_t n);
void pl_warp_row_scalar(uint8_t *dst, size_t n, const uint8_t *src, size_t stride_bytes,
                        int32_t width, int32_t height, int64_t x, int64_t y, int64_t dx, int64_t dy,
                        uint8_t border);

#endif
