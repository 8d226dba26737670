/* SPDX-License-Identifier: BSD-2-Clause */
/* Products of matrices, for the bodies of several operators. */
#ifndef PL_NN_OP_OP_GEMM_H
#define PL_NN_OP_OP_GEMM_H

#include "nn/operators.h"

#define PL_GEMM_COLUMNS 48 /* of a block of B: whole tiles of the kernels */

/* C = A B + bias: element (i, j) of C is at c[i * n + j], (i, k) of A at a[i * a_row + k * a_col],
 * one of the two steps being 1, (k, j) of B at b[k * b_row + j * b_col]. C overlaps nothing. */
struct pl_gemm {
    size_t m, n, k;
    const float *a;
    size_t a_row, a_col;
    const float *b;
    size_t b_row, b_col;
    const float *blocks; /* the same B in blocks of PL_GEMM_COLUMNS; NULL = none */
    float *c;
    const float *col_bias; /* n numbers, or NULL */
    float *panels;         /* room for pl_gemm_panels() floats; NULL = taken from scratch */
};

/* Rows first..first + n - 1 of A as panels of sgemm. */
void pl_gemm_pack(float *dst, const struct pl_gemm *g, size_t first, size_t n);
/* The number of floats that a run packs at a time: rows of A. */
size_t pl_gemm_panels(size_t m, size_t k);
/* Lays out a matrix in blocks of `width` columns, the last of what is left, that are read without
 * gaps: rows x columns floats. */
void pl_gemm_lay_blocks(float *dst, const float *b, size_t rows, size_t columns, size_t width);
/* Each element begins as its bias and is summed over k in order, by fused multiply-adds: the kernel
 * sgemm. Fails when scratch is short. */
PL_MUST_USE platen_status pl_gemm_run(struct pl_call *c, const struct pl_gemm *g);

/* MatMul of float32 inputs 0 and 1, with a row that is added or NULL. */
PL_MUST_USE platen_status pl_matmul_f32(struct pl_call *c, const float *bias);

/* A product of stacks of matrices: [.., m, k] times [.., k, n]; vectors stand for a row on the left
 * and a column on the right, and lose that axis again. */
struct pl_stack {
    struct pl_tensor a, b; /* with their matrices at least */
    struct pl_tensor outer;
    int64_t m, k, n;
};

/* Sets output 0 to the type and the shape of the product of a and b. */
PL_MUST_USE platen_status pl_matmul_shape(const struct pl_call *c, const struct pl_tensor *a,
                                          const struct pl_tensor *b, enum pl_dtype type);

/* Sums of products of integers, modulo 2^64; zero points per tensor, row of A or column of B. */
struct pl_int_product {
    const struct pl_tensor *a, *b, *a_zero, *b_zero;
    int64_t *y;
};

/* All sums of a product, in scratch; y of the product is not looked at. Fills the stack. */
PL_MUST_USE platen_status pl_matmul_sums(struct pl_call *c, const struct pl_int_product *p,
                                         struct pl_stack *st, int64_t **ret);
/* Wants zero points or scales, where they are given, to be one, or n of them. */
PL_MUST_USE platen_status pl_matmul_check_zero(const struct pl_call *c, const struct pl_tensor *t,
                                               int64_t n);
/* Zero point i: 0 where they are left out, the only one where there is one. */
int64_t pl_matmul_zero(const struct pl_tensor *t, size_t i);

#endif
