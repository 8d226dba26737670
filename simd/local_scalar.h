/* SPDX-License-Identifier: BSD-2-Clause */
/* Scalar bodies that other levels call for windows too large for them. */
#ifndef PL_SIMD_LOCAL_SCALAR_H
#define PL_SIMD_LOCAL_SCALAR_H

#include "simd/kernels.h"

void pl_sauvola_row_scalar(uint8_t *out, const uint8_t *src, const uint32_t *sum,
                           const uint32_t *sumsq, size_t n, uint32_t r, uint32_t rows, float k,
                           float dynamic);
void pl_wolf_row_scalar(uint8_t *out, const uint8_t *src, const uint32_t *sum,
                        const uint32_t *sumsq, size_t n, uint32_t r, uint32_t rows, float k,
                        float darkest, float max_dev);
float pl_maxvar_row_scalar(const uint32_t *sum, const uint32_t *sumsq, size_t n, uint32_t r,
                           uint32_t rows);
void pl_nick_row_scalar(uint8_t *out, const uint8_t *src, const uint32_t *sum,
                        const uint32_t *sumsq, size_t n, uint32_t r, uint32_t rows, float k);
void pl_mean_row_scalar(uint8_t *out, const uint8_t *src, const uint32_t *sum, size_t n, uint32_t r,
                        uint32_t rows, int32_t c);

#endif
