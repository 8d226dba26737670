/* SPDX-License-Identifier: BSD-2-Clause */
/* Arguments of the int8 kernels: u8 activations times packed s8 weights, exact in int32, then
 * requantised by one fixed sequence of float operations. */
#ifndef PL_SIMD_QGEMM_H
#define PL_SIMD_QGEMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longest sum of products: 4096 * 255 * 128 stays far below 2^31. */
#define PL_QGEMM_MAX_K 4096
/* Output channels of a block of packed weights. */
#define PL_QGEMM_BLOCK 16
/* Of narrow and of paired weights: the most that the weights of one sign in a 16-bit lane come to.
 * 255 times it stays in 16 bits. */
#define PL_QGEMM_NARROW 128
/* Most taps of a depthwise filter, padding included. */
#define PL_QDW_MAX_TAPS 32

/* How an accumulator becomes a byte. In floats, one rounding each, no fused multiply-add:
 *     f = (float)acc * scale[channel]
 *     f = f + (float)(residual - residual_zero) * residual_scale       only where there is one
 *     f = min(f, 255 - zero);  f = max(f, -zero)
 *     q = f rounded to the nearest integer, ties to even, + zero
 * 0 <= zero <= 255; zero = 0 makes it a ReLU. */
struct pl_requant {
    int32_t zero;
    const uint8_t *residual; /* of pixel i, channel c: residual[i * residual_step + c]; or NULL */
    size_t residual_step;
    int32_t residual_zero;
    float residual_scale;
};

/* Pixel i, channel o: bias[o] + the sum over the K = runs * run_bytes bytes that pixel i reads, run
 * r at src + i * src_step + r * run_stride. Neither this sum nor any part of it leaves int32. */
struct pl_qgemm {
    const uint8_t *src;
    size_t src_step, run_stride;
    size_t runs, run_bytes; /* run_bytes is a multiple of 4; K <= PL_QGEMM_MAX_K */
    size_t n_px, n_oc;
    const int8_t *weights; /* [ceil(n_oc / 16)][K / 4][16][4] */
    bool narrow;           /* only if pl_qgemm_is_narrow(): sums of four products fit 16 bits */
    bool paired;           /* only if pl_qgemm_is_paired(): those of two do */
    bool half_block;       /* only if pl_qgemm_has_half_block(): sums of 0 need not be computed */
    const int32_t *bias;   /* n_oc rounded up to 16 values, as scale */
    const float *scale;
    size_t dst_step; /* from pixel to pixel, in elements of dst; dst overlaps no input */
};

/* Pixel t, channel c: bias[c] + the sum over k < taps of src[(t + k) * channels + c] times the
 * weight of channel c and tap k. */
struct pl_qdw {
    const uint8_t *src;    /* n_px + taps - 1 rows of `channels` bytes */
    size_t n_px, channels; /* channels is a multiple of 16 */
    size_t taps;           /* a multiple of 4, at most PL_QDW_MAX_TAPS */
    const int8_t *weights; /* [channels / 16][taps / 4][16][4] */
    const int32_t *bias;
    const float *scale;
};

/* Whether in each run of each channel, of every eight inputs, the first two of both fours together
 * and the last two of both fours have positive weights of no more than PL_QGEMM_NARROW in sum, and
 * negative ones of no less than -PL_QGEMM_NARROW: then vpmaddubsw and one addition behind it are
 * exact, which makes the levels without a dot product about twice as fast. Weights as in struct
 * pl_qgemm. */
bool pl_qgemm_is_narrow(const int8_t *weights, size_t n_oc, size_t runs, size_t run_bytes);

/* Whether of each channel's inputs 2 i and 2 i + 1 positive weights come to no more than
 * PL_QGEMM_NARROW, and negative ones to no less than -PL_QGEMM_NARROW: then vpmaddubsw is exact,
 * but no addition behind it. All narrow weights are that. k is the number of bytes that a pixel
 * reads. */
bool pl_qgemm_is_paired(const int8_t *weights, size_t n_oc, size_t k);

/* Whether the weights of the last eight channels of the last block are all 0, as where a layer has
 * 24 channels; k is the number of bytes that a pixel reads. */
bool pl_qgemm_has_half_block(const int8_t *weights, size_t n_oc, size_t k);

#endif
