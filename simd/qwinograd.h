/* SPDX-License-Identifier: BSD-2-Clause */
/* Arguments of the kernels for convolutions of 3 x 3 on bytes by the minimal filtering F(4 x 4, 3 x
 * 3) of Winograd (Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", 2015) in
 * whole numbers: a tile of 4 x 4 outputs takes 36 products of each pair of channels in the place of
 * 144.
 *
 * The points are 0, 1, -1, 2, -2 and infinity. With
 *
 *     B' = 4  0 -5  0 1 0      G =  6  0  0      A' = 1 1  1 1  1 0
 *          0 -4 -4  1 1 0          -4 -4 -4           0 1 -1 2 -2 0
 *          0  4 -4 -1 1 0          -4  4 -4           0 1  1 4  4 0
 *          0 -2 -1  2 1 0           1  2  4           0 1 -1 8 -8 8
 *          0  2 -1 -2 1 0           1 -2  4
 *          0  4  0 -5 0 1           0  0  3
 *
 * A' ((G w G') (B' d B)) A, the product in the middle being one of elements, is 576 times the sums
 * for 6 x 6 bytes d and 3 x 3 weights w. Of bytes B' d B comes to at most 68 * 255, of signed bytes
 * G w G' to at most 144 * 128: both fit 16 bits. What follows is computed modulo 2^32, where 9 has
 * an inverse; 64 times a sum is left, of which only the sums up to 2^25 are all different. */
#ifndef PL_SIMD_QWINOGRAD_H
#define PL_SIMD_QWINOGRAD_H

#include "simd/qgemm.h"

/* Tiles of 4 x 4 outputs, which read 6 x 6 bytes, and the points of each. */
enum { PL_QWINOGRAD_OUT = 4, PL_QWINOGRAD_SIDE = 6, PL_QWINOGRAD_POINTS = 36 };

/* 9 times this is 1 modulo 2^32. */
#define PL_QWINOGRAD_NINTH 0x38e38e39u

/* The most that the weights of one sign of an output channel may come to: 255 times it is below
 * 2^25. */
#define PL_QWINOGRAD_MOST 131586

/* What one multiplication takes: of 16 channels of the output at all points of n tiles. */
struct pl_qwinograd_mul {
    const int16_t *tiles;   /* [36][n][channels] */
    size_t point_step;      /* numbers from one point of the tiles to the next */
    size_t n, channels;     /* channels is a multiple of 16 */
    size_t inputs;          /* channels that are multiplied: the first ones, an even number */
    const int16_t *weights; /* [36][inputs / 2][16][2] */
    bool half;              /* only if the weights of the last eight channels are 0 */
};

/* Where the sums of a row of tiles lie, and what becomes of them. */
struct pl_qwinograd_out {
    const int32_t *sums; /* [36][n tiles][16] */
    size_t point_step;   /* numbers from one point to the next */
    const int32_t *bias; /* of the 16 channels, as scale */
    const float *scale;
    size_t rows, width; /* of the output: 1 to 4, and at least 1 */
    size_t row_step;    /* bytes from row to row of dst, and of the residual */
    size_t px_step;     /* and from pixel to pixel of dst */
};

#endif
