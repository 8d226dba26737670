/* SPDX-License-Identifier: BSD-2-Clause */
#include "nn/op/quant/op_qwinograd.h"

enum {
    OUT = PL_QWINOGRAD_OUT,
    SIDE = PL_QWINOGRAD_SIDE,
    POINTS = PL_QWINOGRAD_POINTS,
    BLOCK = PL_QGEMM_BLOCK,
    LANES = 2 * BLOCK /* two inputs of a block of channels */
};

/* Of the points of a block of tiles, there and back: some of a second cache of 512 KB. */
#define TILE_BYTES ((size_t)3 << 16)
#define LEAST_TILES 16

/* Whether the weights of one sign of each channel of the output come to so little that sums modulo
 * 2^32 tell them all. */
static bool sums_fit(const int8_t *w, const struct pl_qproduct *p)
{
    if (p->k * 128 <= PL_QWINOGRAD_MOST)
        return true;
    for (size_t o = 0; o < p->stored; o++) {
        const int8_t *from = w + o / BLOCK * BLOCK * p->k + o % BLOCK * 4;
        int32_t positive = 0, negative = 0;
        for (size_t i = 0; i < p->k; i++) {
            const int32_t v = from[i / 4 * 4 * BLOCK + i % 4];
            positive += PL_MAX(v, 0);
            negative -= PL_MIN(v, 0);
        }
        if (PL_MAX(positive, negative) > PL_QWINOGRAD_MOST)
            return false;
    }
    return true;
}

/* Whether all weights of channel c of the input are 0. */
static bool is_blank(const int8_t *w, const struct pl_qproduct *p, size_t c)
{
    const size_t taps = p->stored * 9;
    int8_t any = 0;
    for (size_t i = 0; i < taps; i++)
        any |= w[(i / BLOCK * p->channels + c) / 4 * 4 * BLOCK + i % BLOCK * 4 + c % 4];
    return !any;
}

size_t pl_qwinograd_inputs(const struct pl_call *c, const struct pl_qproduct *p,
                           const struct pl_window *w)
{
    const int8_t *weights = pl_in(c, PL_QPRODUCT_WEIGHTS)->data;
    bool fits = pl_isa_takes_tiles(c->kernels->isa) && !p->to_float && p->channels % BLOCK == 0;
    for (int i = 1; i < PL_MAX_SPACE; i++)
        fits = fits && w->kernel[i] == 3 && w->stride[i] == 1 && w->dilation[i] == 1;
    size_t inputs = fits && sums_fit(weights, p) ? p->channels : 0;
    while (inputs && is_blank(weights, p, inputs - 1) && is_blank(weights, p, inputs - 2))
        inputs -= 2;
    return inputs;
}

/* d = G g: six numbers of each lane from three. */
static void to_points(int16_t d[SIDE][LANES], const int16_t g[3][LANES])
{
    for (size_t l = 0; l < LANES; l++) {
        const int near = -4 * (g[0][l] + g[2][l]), far = g[0][l] + 4 * g[2][l];
        d[0][l] = (int16_t)(6 * g[0][l]);
        d[1][l] = (int16_t)(near - 4 * g[1][l]);
        d[2][l] = (int16_t)(near + 4 * g[1][l]);
        d[3][l] = (int16_t)(far + 2 * g[1][l]);
        d[4][l] = (int16_t)(far - 2 * g[1][l]);
        d[5][l] = (int16_t)(3 * g[2][l]);
    }
}

/* Writes G w G' of two inputs of a block of channels, whose nine taps lie `step` bytes apart, as
 * qwinograd_mul wants them. */
static void transform_pair(int16_t *dst, size_t point_step, const int8_t *w, size_t step)
{
    int16_t taps[3][LANES], half[3][SIDE][LANES], d[SIDE][LANES];
    for (size_t r = 0; r < 3; r++) {
        for (size_t t = 0; t < 3; t++)
            for (size_t l = 0; l < LANES; l++)
                taps[t][l] = w[(r * 3 + t) * step + l / 2 * 4 + l % 2];
        to_points(half[r], taps);
    }
    for (size_t b = 0; b < SIDE; b++) {
        for (size_t r = 0; r < 3; r++)
            for (size_t l = 0; l < LANES; l++)
                taps[r][l] = half[r][b][l];
        to_points(d, taps);
        for (size_t a = 0; a < SIDE; a++)
            for (size_t l = 0; l < LANES; l++)
                dst[(a * SIDE + b) * point_step + l] = d[a][l];
    }
}

struct weights {
    const struct pl_qproduct *p;
    size_t inputs;
    const int8_t *w;
};

/* Writes all weights as [stored / 16][36][inputs / 2][16][2]. */
static void transform_weights(void *block, const void *ctx)
{
    const struct weights *f = ctx;
    const struct pl_qproduct *p = f->p;
    const int8_t *w = f->w;
    for (size_t o = 0; o < p->stored; o += BLOCK, w += BLOCK * p->k)
        for (size_t k = 0; k < f->inputs; k += 2)
            transform_pair((int16_t *)block + o * POINTS * f->inputs + k * BLOCK, BLOCK * f->inputs,
                           w + k / 4 * 4 * BLOCK + k % 4, BLOCK * p->channels);
}

/* Returns the tiles of an axis of the output. */
static size_t tiles_of(const struct pl_window *w, int axis)
{
    return ((size_t)w->out[axis] + OUT - 1) / OUT;
}

/* Whether tiles pay for an output of this size: so many that reading their weights, eight times
 * the bytes of the others, is little beside the products, and three quarters of them in the output
 * (bench/runs/2026-11-28-networks.md). */
static bool is_large(const struct pl_window *w)
{
    const size_t tiles = tiles_of(w, 1) * tiles_of(w, 2);
    return tiles >= LEAST_TILES && 3 * OUT * OUT * tiles <= 4 * (size_t)(w->out[1] * w->out[2]);
}

const int16_t *pl_qwinograd_weights(struct pl_call *c, const struct pl_qproduct *p,
                                    const struct pl_window *w, size_t inputs)
{
    const struct weights f = {.p = p, .inputs = inputs, .w = pl_in(c, PL_QPRODUCT_WEIGHTS)->data};
    const size_t bytes = POINTS * p->stored * inputs * sizeof(int16_t);
    return is_large(w) ? pl_call_prepared(c, bytes, transform_weights, &f) : NULL;
}

platen_status pl_qwinograd_begin(struct pl_call *c, const struct pl_qproduct *p,
                                 const struct pl_window *w, size_t inputs, const int16_t *weights,
                                 struct pl_qwinograd *ret)
{
    const size_t width = tiles_of(w, 2);
    const size_t bytes = POINTS * (p->channels * sizeof(int16_t) + BLOCK * sizeof(int32_t));
    const size_t most = PL_MAX(TILE_BYTES / bytes, (size_t)1);
    const size_t parts = (width + most - 1) / most;
    *ret = (struct pl_qwinograd){.rows = PL_CLAMP(most / width, 1, tiles_of(w, 1)),
                                 .columns = (width + parts - 1) / parts,
                                 .width = width,
                                 .inputs = inputs,
                                 .weights = weights};
    const size_t n = ret->rows * ret->columns;
    /* an odd number of cache lines: the same place of all points is written at once */
    ret->point_step = (n * p->channels + 31) / 32 * 32 | 32;
    ret->tiles = pl_call_room(c, POINTS * ret->point_step, sizeof(int16_t));
    ret->sums = pl_call_room(c, POINTS * n * BLOCK, sizeof(int32_t));
    return ret->tiles && ret->sums ? PLATEN_OK : PLATEN_ERR_NOMEM;
}

/* A block: `rows` rows of `columns` tiles from column `first` on, whose first byte of the output is
 * `at`, and as many rows and columns of pixels as lie in the output. */
struct block {
    size_t first, columns, rows, at, px_rows, px_columns;
};

static void run_block(const struct pl_call *c, const struct pl_qproduct *p,
                      const struct pl_qwinograd *t, const struct block *b, size_t row_bytes)
{
    const struct pl_qgemm g = pl_qproduct_gemm(c, p);
    const struct pl_tensor *res = pl_in(c, PL_QPRODUCT_RESIDUAL);
    uint8_t *y = (uint8_t *)pl_out(c, 0)->data + b->at;
    struct pl_qwinograd_mul m = {.tiles = t->tiles,
                                 .point_step = t->point_step,
                                 .n = b->rows * b->columns,
                                 .channels = p->channels,
                                 .inputs = t->inputs};
    struct pl_qwinograd_out o = {.point_step = m.n * BLOCK,
                                 .width = b->px_columns,
                                 .row_step = row_bytes,
                                 .px_step = p->stored};
    struct pl_requant q = p->q;
    q.residual_step = p->stored;
    for (size_t oc = 0; oc < p->stored; oc += BLOCK) {
        m.weights = t->weights + oc * POINTS * t->inputs;
        m.half = p->half_block && oc + BLOCK == p->stored;
        c->kernels->qwinograd_mul(t->sums, &m);
        o.bias = g.bias + oc;
        o.scale = g.scale + oc;
        for (size_t i = 0; i < b->rows; i++) {
            const size_t at = i * OUT * row_bytes + oc;
            o.sums = t->sums + i * b->columns * BLOCK;
            o.rows = PL_MIN(b->px_rows - i * OUT, (size_t)OUT);
            q.residual = res ? (const uint8_t *)res->data + b->at + at : NULL;
            c->kernels->qwinograd_out(y + at, &o, &q);
        }
    }
    for (size_t i = 0; i < b->px_rows; i++)
        pl_qproduct_look_up(c, y + i * row_bytes, b->px_columns * p->stored);
}

void pl_qwinograd_rows(const struct pl_call *c, const struct pl_qproduct *p,
                       const struct pl_window *w, const struct pl_qwinograd *t, const uint8_t *src,
                       size_t row, size_t at, size_t rows)
{
    const size_t width = (size_t)w->out[2];
    struct block b = {.rows = (rows + OUT - 1) / OUT, .px_rows = rows};
    for (; b.first < t->width; b.first += b.columns) {
        b.columns = PL_MIN(t->columns, t->width - b.first);
        b.px_columns = PL_MIN(b.columns * OUT, width - b.first * OUT);
        b.at = at + b.first * OUT * p->stored;
        for (size_t i = 0; i < b.rows; i++)
            c->kernels->qwinograd_in(t->tiles + i * b.columns * p->channels, t->point_step,
                                     src + i * OUT * row + b.first * OUT * p->channels, row,
                                     b.columns, p->channels);
        run_block(c, p, t, &b, width * p->stored);
    }
}
