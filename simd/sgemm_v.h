/* SPDX-License-Identifier: BSD-2-Clause */
/* The matrix product of floats for the levels that fuse a product with a sum: part of float_v.h,
 * with its vocabulary and v8f, eight floats, with v8set(), v8load() and v8fma(). */

INLINE const float *sgemm_row(const struct pl_sgemm *g, size_t l)
{
    return g->b + (g->b_at ? g->b_at[l] : l * g->b_step);
}

/* `rows` rows by `regs` registers of C, of which the last has `last` columns; every sum stays in
 * its register. `rows` and `regs` are constants where this is called. */
INLINE void sgemm_tile(const struct pl_sgemm *g, size_t i, size_t j, size_t rows, size_t regs,
                       size_t last)
{
    const float *a = g->a + i / PL_SGEMM_ROWS * g->k * PL_SGEMM_ROWS + i % PL_SGEMM_ROWS;
    const float *row = g->b + j;
    float *c = g->c + i * g->c_step + j;
    vf sum[8][8];
#pragma GCC unroll 8
    for (size_t v = 0; v < regs; v++) {
        vf start = vset(0.0f);
        if (g->col_bias)
            start = v + 1 < regs || last == LANES ? vload(g->col_bias + j + v * LANES)
                                                  : vload_n(g->col_bias + j + v * LANES, last);
#pragma GCC unroll 8
        for (size_t r = 0; r < rows; r++)
            sum[r][v] = g->row_bias ? vset(g->row_bias[i + r]) : start;
    }
    for (size_t l = 0; l < g->k; l++, a += PL_SGEMM_ROWS, row += g->b_step) {
        const float *b = g->b_at ? g->b + g->b_at[l] + j : row;
        vf x[8];
#pragma GCC unroll 8
        for (size_t v = 0; v < regs; v++)
            x[v] =
                v + 1 < regs || last == LANES ? vload(b + v * LANES) : vload_n(b + v * LANES, last);
#pragma GCC unroll 8
        for (size_t r = 0; r < rows; r++) {
            const vf w = vset(a[r]);
#pragma GCC unroll 8
            for (size_t v = 0; v < regs; v++)
                sum[r][v] = vfma(w, x[v], sum[r][v]);
        }
    }
#pragma GCC unroll 8
    for (size_t r = 0; r < rows; r++)
#pragma GCC unroll 8
        for (size_t v = 0; v < regs; v++)
            if (v + 1 < regs || last == LANES)
                vstore(c + r * g->c_step + v * LANES, sum[r][v]);
            else
                vstore_n(c + r * g->c_step + v * LANES, sum[r][v], last);
}

/* One width of tile, at full and at partial width, as a function of its own: the registers of one
 * do not spill into another's loop. */
#define TILE(rows, regs)                                                                           \
    static void tile_##rows##_##regs(const struct pl_sgemm *g, size_t i, size_t j, size_t last)    \
    {                                                                                              \
        if (last == LANES)                                                                         \
            sgemm_tile(g, i, j, rows, regs, LANES);                                                \
        else                                                                                       \
            sgemm_tile(g, i, j, rows, regs, last);                                                 \
    }

typedef void tile_fn(const struct pl_sgemm *g, size_t i, size_t j, size_t last);

/* [rows: 8, 4, 2, 1][registers - 1]; a file has those of its table. */
static tile_fn *const sgemm_tiles[4][8];
static const size_t sgemm_regs[4];

/* n columns from j on, of `rows` rows. Two tiles share what is a register more than one of them:
 * the sums of a tile of one register wait for each other. */
static void sgemm_rows(const struct pl_sgemm *g, size_t i, size_t rows, size_t j, size_t n)
{
    const size_t kind = rows == 8 ? 0 : rows == 4 ? 1 : rows == 2 ? 2 : 3;
    const size_t most = sgemm_regs[kind];
    for (size_t regs; n > most * LANES; n -= regs * LANES, j += regs * LANES) {
        regs = n > (most + 1) * LANES ? most : most - 1;
        sgemm_tiles[kind][regs - 1](g, i, j, LANES);
    }
    if (n)
        sgemm_tiles[kind][(n - 1) / LANES](g, i, j, (n - 1) % LANES + 1);
}

/* One column: lanes are rows of the panels, eight of which run side by side. */
static void sgemv(const struct pl_sgemm *g)
{
    enum { SIDE = 8 };
    float out[SIDE * PL_SGEMM_ROWS];
    for (size_t i = 0; i < g->m; i += SIDE * PL_SGEMM_ROWS) {
        const size_t rows = g->m - i < SIDE * PL_SGEMM_ROWS ? g->m - i : SIDE * PL_SGEMM_ROWS;
        const size_t panels = (rows + PL_SGEMM_ROWS - 1) / PL_SGEMM_ROWS;
        const float *a = g->a + i * g->k;
        v8f sum[SIDE];
        for (size_t r = 0; r < SIDE * PL_SGEMM_ROWS; r++)
            out[r] = r >= rows     ? 0
                     : g->row_bias ? g->row_bias[i + r]
                     : g->col_bias ? g->col_bias[0]
                                   : 0;
        memcpy(sum, out, sizeof(sum));
        if (panels == SIDE) {
            for (size_t l = 0; l < g->k; l++) {
                const v8f x = v8set(*sgemm_row(g, l));
#pragma GCC unroll 8
                for (size_t p = 0; p < SIDE; p++)
                    sum[p] = v8fma(v8load(a + (p * g->k + l) * PL_SGEMM_ROWS), x, sum[p]);
            }
        } else {
            for (size_t p = 0; p < panels; p++) {
                v8f s = sum[p];
                for (size_t l = 0; l < g->k; l++)
                    s = v8fma(v8load(a + (p * g->k + l) * PL_SGEMM_ROWS), v8set(*sgemm_row(g, l)),
                              s);
                sum[p] = s;
            }
        }
        memcpy(out, sum, sizeof(sum));
        for (size_t r = 0; r < rows; r++)
            g->c[(i + r) * g->c_step] = out[r];
    }
}

/* Floats of the columns of B that stay in a first cache of 32 KB while all rows pass, beside the
 * panel of A and the sums. */
#define SGEMM_BLOCK ((size_t)4608)

/* Rows of B that are a multiple of this apart have their columns in few sets of a first cache, so
 * that these do not stay: with so many rows of C a copy pays (time .68 to .93 on AVX2,
 * bench/runs/2026-11-27-avx2-fp32-3.md). */
#define SGEMM_SET_FLOATS 256
#define SGEMM_COPY_ROWS 64

/* All rows of n columns from j on. */
static void sgemm_columns(const struct pl_sgemm *g, size_t j, size_t n)
{
    size_t i = 0;
    for (; i + 8 <= g->m; i += 8)
        sgemm_rows(g, i, 8, j, n);
    for (size_t rows = 4; rows; rows /= 2)
        if (i + rows <= g->m) {
            sgemm_rows(g, i, rows, j, n);
            i += rows;
        }
}

/* The same from a copy of the columns of B, of which there are k n. */
static void sgemm_copied(const struct pl_sgemm *g, size_t j, size_t n)
{
    float columns[SGEMM_BLOCK * 3 / 2];
    struct pl_sgemm part = *g;
    for (size_t l = 0; l < g->k; l++)
        memcpy(columns + l * n, g->b + l * g->b_step + j, n * sizeof(*columns));
    part.b = columns;
    part.b_step = n;
    part.c += j;
    if (g->col_bias)
        part.col_bias += j;
    sgemm_columns(&part, 0, n);
}

static void sgemm_run(const struct pl_sgemm *g)
{
    const size_t most = sgemm_regs[g->m >= 8 ? 0 : g->m >= 4 ? 1 : g->m >= 2 ? 2 : 3] * LANES;
    const size_t fit = SGEMM_BLOCK / (g->k ? g->k : 1) / most * most, width = fit ? fit : most;
    const bool copied =
        fit && !g->b_at && g->b_step % SGEMM_SET_FLOATS == 0 && g->k > 1 && g->m >= SGEMM_COPY_ROWS;
    if (g->n == 1) {
        sgemv(g);
        return;
    }
    /* columns outside, so many that rows of C are written in runs; the last may be a register more,
     * which is at most a half of the others */
    for (size_t j = 0, n; j < g->n; j += n) {
        n = g->n - j <= width + LANES ? g->n - j : width;
        if (copied)
            sgemm_copied(g, j, n);
        else
            sgemm_columns(g, j, n);
    }
}

#include "simd/sgemm_runs_v.h"

static void sgemm(const struct pl_sgemm *g)
{
    struct pl_sgemm part = *g;
    if (g->runs > 1 && g->n <= PL_SGEMM_SHORT) {
        const size_t done = sgemm_runs(g);
        part.m -= done;
        part.a += done * g->k;
        part.c += done * g->c_step;
        part.row_bias = g->row_bias ? g->row_bias + done : NULL;
    }
    if (part.m)
        pl_sgemm_each_run(&part, sgemm_run);
}
