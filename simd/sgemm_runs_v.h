/* SPDX-License-Identifier: BSD-2-Clause */
/* Products whose columns are in short runs, as those of a network's small maps are: part of
 * sgemm_v.h, with its vocabulary. A lane is a row of C, so that none is empty however short a run
 * is. A file gives RUN_REGS, the registers of rows side by side, and the widest tile. */

#define RUN_ROWS (RUN_REGS * LANES) /* of C side by side: whole panels */
#define RUN_DEPTH 128               /* the weights of so many products stay in a first cache */
#define RUN_SUMS 128                /* columns whose sums stay there with them */

/* Register v of the rows that begin in panel a, as one product takes them. */
INLINE vf run_rows(const float *a, size_t k, size_t v)
{
    const size_t row = v * LANES;
#if LANES > PL_SGEMM_ROWS
    return vload_halves(a + row * k, a + (row + PL_SGEMM_ROWS) * k);
#else
    return vload(a + row / PL_SGEMM_ROWS * PL_SGEMM_ROWS * k + row % PL_SGEMM_ROWS);
#endif
}

/* Adds products l..end - 1 of some columns, whose number is a constant where this is called, to
 * their sums. */
INLINE void run_tile(float *sums, const struct pl_sgemm *g, const float *a, const float *b,
                     size_t l, size_t end, size_t columns)
{
    vf sum[8][RUN_REGS];
#pragma GCC unroll 8
    for (size_t j = 0; j < columns; j++)
#pragma GCC unroll 4
        for (size_t v = 0; v < RUN_REGS; v++)
            sum[j][v] = vload(sums + j * RUN_ROWS + v * LANES);
    for (a += l * PL_SGEMM_ROWS; l < end; l++, a += PL_SGEMM_ROWS) {
        const float *x = b + (g->b_at ? g->b_at[l] : l * g->b_step);
        vf w[RUN_REGS];
#pragma GCC unroll 4
        for (size_t v = 0; v < RUN_REGS; v++)
            w[v] = run_rows(a, g->k, v);
#pragma GCC unroll 8
        for (size_t j = 0; j < columns; j++) {
            const vf one = vset(x[j]);
#pragma GCC unroll 4
            for (size_t v = 0; v < RUN_REGS; v++)
                sum[j][v] = vfma(w[v], one, sum[j][v]);
        }
    }
#pragma GCC unroll 8
    for (size_t j = 0; j < columns; j++)
#pragma GCC unroll 4
        for (size_t v = 0; v < RUN_REGS; v++)
            vstore(sums + j * RUN_ROWS + v * LANES, sum[j][v]);
}

#define RUN_TILE(columns)                                                                          \
    static void run_tile_##columns(float *sums, const struct pl_sgemm *g, const float *a,          \
                                   const float *b, size_t l, size_t end)                           \
    {                                                                                              \
        run_tile(sums, g, a, b, l, end, columns);                                                  \
    }

typedef void run_tile_fn(float *sums, const struct pl_sgemm *g, const float *a, const float *b,
                         size_t l, size_t end);

/* By columns, from one on. */
static run_tile_fn *const run_tiles[RUN_COLUMNS];

/* All columns of a run, in tiles of about the same width. */
static void add_run(float *sums, const struct pl_sgemm *g, const float *a, const float *b, size_t l,
                    size_t end)
{
    const size_t tiles = (g->n + RUN_COLUMNS - 1) / RUN_COLUMNS;
    for (size_t t = 0, j = 0, n; t < tiles; t++, j += n) {
        n = (g->n - j) / (tiles - t);
        run_tiles[n - 1](sums + j * RUN_ROWS, g, a, b + j, l, end);
    }
}

/* RUN_ROWS rows of C from row i on, of `runs` runs from run `first` on. */
static void run_block(const struct pl_sgemm *g, size_t i, size_t first, size_t runs)
{
    float sums[RUN_SUMS * RUN_ROWS];
    float *c = g->c + i * g->c_step + first * g->c_run;
    for (size_t s = 0; s < runs * g->n * RUN_ROWS; s++)
        sums[s] = g->row_bias ? g->row_bias[i + s % RUN_ROWS] : 0;
    for (size_t l = 0; l < g->k; l += RUN_DEPTH)
        for (size_t r = 0; r < runs; r++)
            add_run(sums + r * g->n * RUN_ROWS, g, g->a + i * g->k, g->b + (first + r) * g->b_run,
                    l, g->k - l < RUN_DEPTH ? g->k : l + RUN_DEPTH);
    for (size_t row = 0; row < RUN_ROWS; row++, c += g->c_step)
        for (size_t r = 0; r < runs; r++)
            for (size_t j = 0; j < g->n; j++)
                c[r * g->c_run + j] = sums[(r * g->n + j) * RUN_ROWS + row];
}

/* The rows that are side by side; returns how many there are. */
static size_t sgemm_runs(const struct pl_sgemm *g)
{
    const size_t most = RUN_SUMS / g->n, rows = g->m / RUN_ROWS * RUN_ROWS;
    for (size_t i = 0; i < rows; i += RUN_ROWS)
        for (size_t first = 0, n; first < g->runs; first += n) {
            n = g->runs - first < most ? g->runs - first : most;
            run_block(g, i, first, n);
        }
    return rows;
}
