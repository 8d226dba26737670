/* SPDX-License-Identifier: BSD-2-Clause */
/* The float kernels of the networks. fma(a, b, c) is a * b + c rounded once; every other operation
 * is rounded on its own. With the order below that fixes every bit, on every level. */
#ifndef PL_SIMD_FLOAT_H
#define PL_SIMD_FLOAT_H

#include <stdbool.h>
#include <stddef.h>

/* C = A B + bias. C[i][j] begins as row_bias[i], col_bias[j] or 0, then C[i][j] =
 * fma(A[i][l], B[l][j], C[i][j]) for l = 0, 1, .. k - 1.
 *
 * A is packed in panels of PL_SGEMM_ROWS rows: A[i][l] = a[(i / 8 * k + l) * 8 + i % 8]; what pads
 * the last panel may be read, and is finite. B[l][j] = b[b_at[l] + j], or b[l * b_step + j] where
 * b_at is NULL: rows of B may overlap, as those of a convolution do. C[i][j] = c[i * c_step + j]. C
 * overlaps nothing.
 *
 * With `runs` above 1 there are as many such products with the same A and row_bias and without
 * col_bias: that of run r begins at b + r * b_run and c + r * c_run. 0 is as 1. Where n is at most
 * PL_SGEMM_SHORT, kernels of eight lanes and more leave none of these empty then, save for the rows
 * of C behind the last whole PL_SGEMM_SIDE. */
#define PL_SGEMM_ROWS 8
#define PL_SGEMM_SHORT 16
#define PL_SGEMM_SIDE 32

struct pl_sgemm {
    size_t m, n, k;
    const float *a;
    const float *b;
    size_t b_step;
    const size_t *b_at;
    float *c;
    size_t c_step;
    const float *row_bias, *col_bias; /* at most one of them; NULL = none */
    size_t runs, b_run, c_run;
};

/* Calls `product` for each of the runs of g, as a product by itself. */
static inline void pl_sgemm_each_run(const struct pl_sgemm *g,
                                     void (*product)(const struct pl_sgemm *))
{
    struct pl_sgemm one = *g;
    for (size_t r = 0; r < g->runs || !r; r++) {
        product(&one);
        one.b += g->b_run;
        one.c += g->c_run;
    }
}

/* One plane of a depthwise convolution: dst[y * width + x] begins as bias, then, for each tap t in
 * order, = fma(weights[t], src[y * row_step + tap[t] + x], dst[y * width + x]). src holds the
 * padding. Where `across` is not 0, n_taps is a multiple of it and the taps are as many rows, which
 * lie in the rows of src: tap[t] = tap[t % across] + t / across * row_step. */
struct pl_sdw {
    const float *src, *weights;
    const size_t *tap;
    size_t n_taps, across, row_step, width, height;
    float bias;
};

/* Activations; one of a NaN is a NaN. e(x) = exp(min(max(x, -87), 88)), as simd/float_math.h
 * computes it. */
enum pl_act {
    PL_ACT_RELU,         /* max(x, 0) */
    PL_ACT_CLIP,         /* min(max(x, a), b) */
    PL_ACT_HARD_SIGMOID, /* min(max(fma(x, a, b), 0), 1) */
    PL_ACT_HARD_SWISH,   /* x * the same */
    PL_ACT_LEAKY_RELU,   /* x < 0 ? a * x : x */
    PL_ACT_SIGMOID,      /* 1 / (1 + e(-x)) */
    PL_ACT_SWISH,        /* x / (1 + e(-a x)) */
    PL_ACT_TANH,
    PL_ACT_ERF,
    PL_ACT_GELU, /* x / 2 * (1 + erf(x / sqrt 2)) */
    PL_ACT_EXP,  /* e(x) */
    PL_ACT_NONE, /* x */
    PL_ACT_COUNT
};

/* What becomes of a number x: the activation of x + z, where there is a z, then, where `scaled`,
 * times `factor`, plus `offset`. Every operation is rounded. */
struct pl_act_use {
    enum pl_act act;
    float a, b;
    bool scaled;
    float factor, offset;
};

#endif
