/* SPDX-License-Identifier: BSD-2-Clause */
/* Convolutions of 3 x 3 by the minimal filtering F(2 x 2, 3 x 3) of Winograd (Lavin and Gray, "Fast
 * Algorithms for Convolutional Neural Networks", 2015): each tile of 2 x 2 outputs takes 16
 * products of each pair of channels instead of 36. The 16 are as many matrix products over all
 * tiles. */
#include "nn/op/op_conv.h"

#include <string.h>

enum { SIDE = 4, POINTS = SIDE * SIDE, TAPS = 9 };

/* Below these the transforms cost more than the products that they save: that of the weights, made
 * anew in each call, where pixels are few, and that of the tiles, half of which is empty in one
 * row, where channels are few (bench/runs/2026-11-27-avx2-fp32-2.md). The width may count, since
 * pictures beside each other are for quantised convolutions alone (PL_JOINS): what becomes of one
 * does not hang on the others. */
#define LEAST_CHANNELS 16
#define LEAST_PIXELS 256 /* of a plane of the output */
#define LEAST_HEIGHT 2

/* Of transformed inputs and outputs: half of a second cache. */
#define BLOCK_FLOATS ((size_t)1 << 18)

bool pl_conv_is_winograd(const struct pl_conv *v)
{
    const struct pl_window *w = &v->w;
    bool fits = w->in[0] == 1 && w->out[0] == 1 && w->kernel[0] == 1;
    for (int i = 1; i < PL_MAX_SPACE; i++)
        fits = fits && w->kernel[i] == 3 && w->stride[i] == 1 && w->dilation[i] == 1;
    return fits && v->in_channels >= LEAST_CHANNELS && v->out_channels >= LEAST_CHANNELS &&
           w->out[1] >= LEAST_HEIGHT && w->out[1] * w->out[2] >= LEAST_PIXELS;
}

/* Returns the floats from one point to the next: an odd number of cache lines, since the same place
 * of all points is written at once and may not fall into one set of a cache. */
static size_t point_step(size_t channels, size_t each)
{
    return (channels * each + 15) / 16 * 16 | 16;
}

platen_status pl_winograd_begin(struct pl_call *c, const struct pl_conv *v, struct pl_winograd *ws)
{
    const size_t rows = ((size_t)v->w.out[1] + 1) / 2, width = ((size_t)v->w.out[2] + 1) / 2;
    const size_t fit = BLOCK_FLOATS / (POINTS * (v->in_channels + v->out_channels) * width);
    ws->rows = PL_CLAMP(fit, 1, rows);
    ws->width = width;
    ws->tiles = ws->rows * width;
    ws->in_step = point_step(v->in_channels, ws->tiles);
    ws->out_step = point_step(v->out_channels, ws->tiles);
    ws->w_step = point_step(pl_conv_panels(v->out_channels), v->in_channels);
    ws->weights = pl_call_room(c, POINTS * ws->w_step, sizeof(float));
    ws->inputs = pl_call_room(c, POINTS * ws->in_step, sizeof(float));
    ws->outputs = pl_call_room(c, POINTS * ws->out_step, sizeof(float));
    ws->padded = pl_call_room(c, (2 * ws->rows + 2) * (2 * width + 2), sizeof(float));
    return ws->weights && ws->inputs && ws->outputs && ws->padded ? PLATEN_OK : PLATEN_ERR_NOMEM;
}

/* d[0..3] = G g, each of the numbers a panel of channels, which lie `step` floats apart in d. */
static void transform_taps(float *restrict d, size_t step, const float *restrict g, size_t g_step)
{
    for (size_t r = 0; r < PL_SGEMM_ROWS; r++) {
        const float a = g[r], b = g[g_step + r], c = g[2 * g_step + r];
        d[r] = a;
        d[step + r] = 0.5f * (a + b + c);
        d[2 * step + r] = 0.5f * (a - b + c);
        d[3 * step + r] = c;
    }
}

/* Transforms the packed weights of a group: G g G', in panels for each of the 16 points. */
static void transform_weights(const struct pl_winograd *ws, const struct pl_conv *v,
                              const float *panels)
{
    const size_t n = pl_conv_panels(v->out_channels) / PL_SGEMM_ROWS * v->in_channels;
    const size_t row = 3 * PL_SGEMM_ROWS;
    float half[SIDE * 3 * PL_SGEMM_ROWS];
    for (size_t i = 0; i < n; i++, panels += TAPS * PL_SGEMM_ROWS) {
        for (size_t k = 0; k < 3; k++)
            transform_taps(half + k * PL_SGEMM_ROWS, row, panels + k * PL_SGEMM_ROWS, row);
        for (size_t a = 0; a < SIDE; a++)
            transform_taps(ws->weights + a * SIDE * ws->w_step + i * PL_SGEMM_ROWS, ws->w_step,
                           half + a * row, PL_SGEMM_ROWS);
    }
}

/* Copies the rows of a plane that `count` rows of tiles from the first on read, with their padding.
 */
static void pad_rows(const struct pl_winograd *ws, const struct pl_window *w, const float *x,
                     size_t first, size_t count)
{
    const size_t before = (size_t)w->before[2], pitch = 2 * ws->width + 2;
    const size_t n = before < pitch ? PL_MIN((size_t)w->in[2], pitch - before) : 0;
    float *d = ws->padded;
    for (size_t r = 0; r < 2 * count + 2; r++, d += pitch) {
        const int64_t y = (int64_t)(2 * first + r) - w->before[1];
        const size_t there = y < 0 || y >= w->in[1] ? 0 : n, at = there ? before : 0;
        memset(d, 0, at * sizeof(*d));
        if (there)
            memcpy(d + at, x + y * w->in[2], there * sizeof(*d));
        memset(d + at + there, 0, (pitch - at - there) * sizeof(*d));
    }
}

static void multiply(const struct pl_winograd *ws, const struct pl_conv *v,
                     const struct pl_kernels *k, size_t tiles)
{
    struct pl_sgemm g = {.m = v->out_channels,
                         .n = tiles,
                         .k = v->in_channels,
                         .b_step = ws->tiles,
                         .c_step = ws->tiles};
    for (size_t p = 0; p < POINTS; p++) {
        g.a = ws->weights + p * ws->w_step;
        g.b = ws->inputs + p * ws->in_step;
        g.c = ws->outputs + p * ws->out_step;
        k->sgemm(&g);
    }
}

/* Computes `count` rows of tiles from the first on of the planes x of a group, whose output begins
 * at element `at`. */
static void run_block(const struct pl_conv_job *j, const struct pl_winograd *ws, const float *x,
                      size_t at, const float *bias, size_t first, size_t count)
{
    const struct pl_conv *v = &j->v;
    const struct pl_kernels *k = j->c->kernels;
    const size_t in = pl_window_volume(v->w.in), out = pl_window_volume(v->w.out);
    const size_t width = (size_t)v->w.out[2], pitch = 2 * ws->width + 2;
    const size_t rows = PL_MIN(2 * count, (size_t)v->w.out[1] - 2 * first);
    for (size_t c = 0; c < v->in_channels; c++) {
        pad_rows(ws, &v->w, x + c * in, first, count);
        for (size_t i = 0; i < count; i++)
            k->winograd_in(ws->inputs + c * ws->tiles + i * ws->width, ws->in_step,
                           ws->padded + 2 * i * pitch, pitch, ws->width);
    }
    multiply(ws, v, k, count * ws->width);
    at += 2 * first * width;
    for (size_t o = 0; o < v->out_channels; o++, at += out) {
        for (size_t i = 0; i < count; i++)
            k->winograd_out(j->y + at + 2 * i * width, width, PL_MIN(rows - 2 * i, (size_t)2),
                            width, ws->outputs + o * ws->tiles + i * ws->width, ws->out_step,
                            bias ? bias[o] : 0);
        pl_conv_finish(j, at, rows * width, j->y + at);
    }
}

void pl_winograd_group(const struct pl_conv_job *j, const struct pl_winograd *ws,
                       const float *panels, size_t g)
{
    transform_weights(ws, &j->v, panels);
    const struct pl_conv *v = &j->v;
    const size_t rows = ((size_t)v->w.out[1] + 1) / 2;
    for (size_t n = 0; n < v->batch; n++) {
        const size_t planes = n * v->groups + g; /* groups of them come before */
        const float *x = j->x + planes * v->in_channels * pl_window_volume(v->w.in);
        const size_t at = planes * v->out_channels * pl_window_volume(v->w.out);
        for (size_t first = 0; first < rows; first += ws->rows)
            run_block(j, ws, x, at, j->bias ? j->bias + g * v->out_channels : NULL, first,
                      PL_MIN(ws->rows, rows - first));
    }
}
