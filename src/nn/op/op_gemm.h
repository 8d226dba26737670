/* What the bodies of products share. */
#ifndef PL_NN_OP_OP_GEMM_H
#define PL_NN_OP_OP_GEMM_H

#include "nn/operators.h"

/* C = A B + bias: element (i, j) of C is at c[i * n + j], (i, k) of A at a[i * a_row + k * a_col],
 * (k, j) of B at b[k * b_row + j * b_col]. C overlaps nothing. */
struct pl_gemm {
    size_t m, n, k;
    const float *a;
    size_t a_row, a_col;
    const float *b;
    size_t b_row, b_col;
    float *c;
    const float *col_bias; /* n numbers, or NULL */
    float *panels;         /* room for pl_gemm_panels() floats; NULL = taken from scratch */
};

/* Rows first..first + n - 1 of A as panels of sgemm. */
void pl_gemm_pack(float *dst, const struct pl_gemm *g, size_t first, size_t n);
/* What a run packs at a time, in floats: rows of A. */
size_t pl_gemm_panels(size_t m, size_t k);
/* Each element begins as its bias and is summed over k in order, by fused multiply-adds: the kernel
 * sgemm. Fails when scratch is short. */
PL_MUST_USE platen_status pl_gemm_run(struct pl_call *c, const struct pl_gemm *g);

/* MatMul of float32 inputs 0 and 1, with a row that is added or NULL. */
PL_MUST_USE platen_status pl_matmul_f32(struct pl_call *c, const float *bias);

/* y[i] = v rounded to nearest even, plus zero, limited to the range of y's type. */
void pl_quantize_into(const struct pl_tensor *y, size_t i, double v, int64_t zero);

#endif
