/* SPDX-License-Identifier: BSD-2-Clause */
/* Arguments of the int8 kernels beside the matrix product: depthwise convolutions in two
 * dimensions, sums, and the borders between bytes and floats. A byte q of a tensor means (q - zero)
 * * scale. */
#ifndef PL_SIMD_QMAP_H
#define PL_SIMD_QMAP_H

#include <stddef.h>
#include <stdint.h>

/* Most rows and columns of a depthwise kernel. */
#define PL_QPLANE_MAX_KERNEL 16

/* Rows of the output of a depthwise convolution over pixels of `channels` bytes, a multiple of 16.
 * Row r, pixel t, channel c: bias[c] + the sum over i < kernel_h and j < kernel_w of src[(r * down
 * + i) * row_stride + (t * stride + j) * channels + c] times the weight of c, i and j. */
struct pl_qplane {
    const uint8_t *src; /* for each row kernel_h rounded up to a multiple of 4 rows may be read */
    size_t row_stride, stride, down, channels, n_px, n_rows;
    size_t kernel_h, kernel_w;
    const int8_t
        *weights; /* [channels / 16][kernel_w][ceil(kernel_h / 4)][16][4]; 0 beyond kernel_h */
    const int32_t *bias;
    const float *scale;
};

/* f = (float)(a - a_zero) * a_ratio + (float)(b - b_zero) * b_ratio, both products rounded; then as
 * struct pl_requant says from the limits on. */
struct pl_qadd {
    int32_t a_zero, b_zero, zero;
    float a_ratio, b_ratio;
};

#endif
