/* SPDX-License-Identifier: BSD-2-Clause */
/* What the products on bytes have in common: matrix products, convolutions, and transposed
 * convolutions. Each is matrix products of rows of bytes with packed weights, which lie as the
 * kernels of simd/qgemm.h read them. */
#ifndef PL_NN_OP_QUANT_OP_QPRODUCT_H
#define PL_NN_OP_QUANT_OP_QPRODUCT_H

#include "nn/op/quant/op_quant.h"

/* The inputs of every product, by number; the residual and the table may be missing. */
enum {
    PL_QPRODUCT_X,
    PL_QPRODUCT_WEIGHTS,
    PL_QPRODUCT_BIAS,
    PL_QPRODUCT_SCALE,
    PL_QPRODUCT_RESIDUAL,
    PL_QPRODUCT_TABLE
};

/* A product: its sizes, and how its sums become bytes. */
struct pl_qproduct {
    size_t channels; /* bytes of a pixel that is read */
    size_t out;      /* channels that are written */
    size_t stored;   /* and the bytes that they take, where bytes are written */
    size_t run;      /* bytes of a row of the kernel, a multiple of 4 */
    size_t k;        /* bytes of all rows of the kernel */
    int32_t x_zero;
    struct pl_requant q;
    bool to_float, narrow;
    bool paired, half_block; /* of all sets of weights: pl_qgemm_is_paired(), .._has_half_block() */
};

/* Reads the attributes of the node and checks its inputs but for the weights. Biases and scales are
 * `sets` arrays, one behind the other. */
PL_MUST_USE platen_status pl_qproduct_read(const struct pl_call *c, size_t sets,
                                           struct pl_qproduct *ret);
/* Sets run and k, and checks that the weights are `sets` packed matrices of that size. */
PL_MUST_USE platen_status pl_qproduct_weights(const struct pl_call *c, struct pl_qproduct *p,
                                              size_t kernel_h, size_t kernel_w, size_t sets);
/* Checks what the kernels rely on: small biases, and narrow weights where the node says so. `runs`
 * is the number of rows of the kernel. */
PL_MUST_USE platen_status pl_qproduct_numbers(struct pl_call *c, const struct pl_qproduct *p,
                                              size_t runs, size_t sets);
/* Sets the shape of the result, whose n axes of space are given: bytes with their channels last, or
 * floats with their channels first. */
PL_MUST_USE platen_status pl_qproduct_shape(const struct pl_call *c, const struct pl_qproduct *p,
                                            const int64_t *space, int n);
/* Checks that the residual, if there is one, has the shape of the result. */
PL_MUST_USE platen_status pl_qproduct_residual(const struct pl_call *c);
/* Returns whether input X is what a product that was kept from an earlier call can read. */
bool pl_qproduct_fits(const struct pl_call *c, const struct pl_qproduct *p);

/* Returns the arguments of the kernel, without its source, for one run of all k bytes. */
struct pl_qgemm pl_qproduct_gemm(const struct pl_call *c, const struct pl_qproduct *p);
/* Multiplies the first n pixels of input X by the matrix and writes them as the result. */
void pl_qproduct_run_rows(const struct pl_call *c, const struct pl_qproduct *p, size_t n);
/* Looks n bytes of a result up in the table of the product, if it has one. */
void pl_qproduct_look_up(const struct pl_call *c, uint8_t *y, size_t n);
/* Writes one row of floats, [width][channels], to its places in planes of `plane` floats each. */
void pl_qproduct_turn_row(float *y, const float *row, size_t width, size_t channels, size_t plane);

#endif
