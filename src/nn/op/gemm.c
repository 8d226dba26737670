#include "nn/op_gemm.h"

#include <string.h>

void pl_gemm_run(const struct pl_gemm *g)
{
    for (size_t i = 0; i < g->m; i++) {
        float *c = g->c + i * g->n;
        memset(c, 0, g->n * sizeof(*c));
        for (size_t k = 0; k < g->k; k++) {
            const float a = g->a[i * g->a_row + k * g->a_col], *b = g->b + k * g->b_row;
            for (size_t j = 0; j < g->n; j++)
                c[j] += a * b[j * g->b_col];
        }
    }
}
