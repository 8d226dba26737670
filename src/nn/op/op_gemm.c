/* SPDX-License-Identifier: BSD-2-Clause */
#include "nn/op/op_gemm.h"

#include <string.h>

#define BLOCK_ROWS 128 /* of A, packed at a time: whole panels */

/* One panel: `rows` rows from a on, and zeros below them. */
static void pack_panel(float *dst, const struct pl_gemm *g, const float *a, size_t rows)
{
    if (rows < PL_SGEMM_ROWS)
        memset(dst, 0, g->k * PL_SGEMM_ROWS * sizeof(*dst));
    if (g->a_col == 1) {
        pl_turn_words(dst, PL_SGEMM_ROWS, a, g->a_row, rows, g->k);
        return;
    }
    for (size_t l = 0; l < g->k; l++, dst += PL_SGEMM_ROWS, a += g->a_col)
        if (rows == PL_SGEMM_ROWS)
            memcpy(dst, a, PL_SGEMM_ROWS * sizeof(*dst));
        else
            memcpy(dst, a, rows * sizeof(*dst));
}

void pl_gemm_pack(float *dst, const struct pl_gemm *g, size_t first, size_t n)
{
    for (size_t i = 0; i < n; i += PL_SGEMM_ROWS)
        pack_panel(dst + i * g->k, g, g->a + (first + i) * g->a_row,
                   PL_MIN(n - i, (size_t)PL_SGEMM_ROWS));
}

/* Returns B with its columns side by side: as it lies, or transposed in tiles that stay in the
 * cache. */
static const float *lay_columns(struct pl_call *c, const struct pl_gemm *g, size_t *step)
{
    enum { TILE = 16 };
    *step = g->b_row;
    if (g->b_col == 1)
        return g->b;
    float *b = pl_call_scratch(c, g->k * g->n, sizeof(*b));
    *step = g->n;
    for (size_t l = 0; b && l < g->k; l += TILE)
        for (size_t j = 0; j < g->n; j++)
            for (size_t k = l; k < PL_MIN(l + TILE, g->k); k++)
                b[k * g->n + j] = g->b[k * g->b_row + j * g->b_col];
    return b;
}

size_t pl_gemm_panels(size_t m, size_t k)
{
    return PL_MIN((m + PL_SGEMM_ROWS - 1) & ~(size_t)(PL_SGEMM_ROWS - 1), (size_t)BLOCK_ROWS) * k;
}

void pl_gemm_lay_blocks(float *dst, const float *b, size_t rows, size_t columns, size_t width)
{
    for (size_t at = 0, n; at < columns; at += n) {
        n = PL_MIN(columns - at, width);
        for (size_t l = 0; l < rows; l++, dst += n)
            memcpy(dst, b + l * columns + at, n * sizeof(*dst));
    }
}

/* The product of packed rows with B in blocks. */
static void multiply_blocks(const struct pl_call *c, const struct pl_gemm *g,
                            const struct pl_sgemm *rows)
{
    struct pl_sgemm s = *rows;
    for (size_t at = 0; at < g->n; at += PL_GEMM_COLUMNS) {
        s.n = s.b_step = PL_MIN(g->n - at, (size_t)PL_GEMM_COLUMNS);
        s.b = g->blocks + at * g->k;
        s.c = rows->c + at;
        s.col_bias = rows->col_bias ? rows->col_bias + at : NULL;
        c->kernels->sgemm(&s);
    }
}

platen_status pl_gemm_run(struct pl_call *c, const struct pl_gemm *g)
{
    float *panels =
        g->panels ? g->panels : pl_call_scratch(c, pl_gemm_panels(g->m, g->k), sizeof(*panels));
    struct pl_sgemm s = {
        .n = g->n, .k = g->k, .a = panels, .c_step = g->n, .col_bias = g->col_bias};
    s.b = panels ? lay_columns(c, g, &s.b_step) : NULL;
    if (!s.b)
        return PLATEN_ERR_NOMEM;
    for (size_t i = 0; i < g->m; i += BLOCK_ROWS) {
        s.m = PL_MIN(g->m - i, (size_t)BLOCK_ROWS);
        s.c = g->c + i * g->n;
        pl_gemm_pack(panels, g, i, s.m);
        if (g->blocks)
            multiply_blocks(c, g, &s);
        else
            c->kernels->sgemm(&s);
    }
    return PLATEN_OK;
}
