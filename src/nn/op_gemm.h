/* What the bodies of products share. */
#ifndef PL_NN_OP_GEMM_H
#define PL_NN_OP_GEMM_H

#include "nn/op.h"

/* C = A B: element (i, j) of C is at c[i * n + j], (i, k) of A at a[i * a_row + k * a_col], (k, j)
 * of B at b[k * b_row + j * b_col]. C overlaps nothing. */
struct pl_gemm {
    size_t m, n, k;
    const float *a;
    size_t a_row, a_col;
    const float *b;
    size_t b_row, b_col;
    float *c;
};

/* Each element is summed over k in order. */
void pl_gemm_run(const struct pl_gemm *g);

/* y[i] = v rounded to nearest even, plus zero, limited to the range of y's type. */
void pl_quantize_into(const struct pl_tensor *y, size_t i, double v, int64_t zero);

#endif
