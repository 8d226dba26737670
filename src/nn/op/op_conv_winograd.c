/* SPDX-License-Identifier: BSD-2-Clause */
/* Convolutions of 3 x 3 by the minimal filtering F(4 x 4, 3 x 3) of Winograd (Lavin and Gray, "Fast
 * Algorithms for Convolutional Neural Networks", 2015): each tile of 4 x 4 outputs takes 36
 * products of each pair of channels instead of 144. The 36 are as many matrix products over all
 * tiles. Of the points that fix the transforms, 0, +-sqrt(1 / 2), +-sqrt(2) and infinity lose less
 * than whole numbers do. */
#include "nn/op/op_conv.h"

#include <string.h>

enum { OUT = 4, SIDE = 6, POINTS = SIDE * SIDE, TAPS = 9 };

/* Below these the transforms cost more than the products that they save: that of the weights, where
 * they are no constants or too many to stay, where pixels are few, and that of the tiles, most of
 * which is empty in one row, where channels are few (bench/runs/2026-11-27-avx2-fp32-2.md, for
 * tiles of 2 x 2). The width may count, since pictures beside each other are for quantised
 * convolutions alone (PL_JOINS): what becomes of one does not hang on the others. */
#define LEAST_CHANNELS 16
#define LEAST_PIXELS 256 /* of a plane of the output */
#define LEAST_HEIGHT 2
/* Fewer pixels pay with more channels, in so many tiles, of whose outputs three quarters are there;
 * and where the weights, four times as many as those of the direct product, stay in a second cache:
 * few pixels read them (bench/runs/2026-11-29-engine.md). */
#define SMALL_CHANNELS 32
#define SMALL_TILES 12
#define SMALL_WEIGHTS ((size_t)1 << 18) /* floats */

/* Of transformed inputs and outputs: half of a second cache of 2 MB. Half and twice as many take
 * .98 to 1.68 and .97 to 1.08 of the time (bench/runs/2026-11-27-avx2-fp32-3.md). */
#define BLOCK_FLOATS ((size_t)1 << 18)
/* Of transformed weights where they serve one block alone: a quarter of a second cache of 512 KB.
 */
#define WEIGHT_FLOATS ((size_t)1 << 15)

bool pl_conv_is_winograd(const struct pl_conv *v)
{
    const struct pl_window *w = &v->w;
    const size_t channels = PL_MIN(v->in_channels, v->out_channels);
    const int64_t pixels = w->out[1] * w->out[2];
    const int64_t tiles = (w->out[1] + OUT - 1) / OUT * ((w->out[2] + OUT - 1) / OUT);
    const bool small = channels >= SMALL_CHANNELS && tiles >= SMALL_TILES &&
                       4 * pixels >= 3 * tiles * OUT * OUT &&
                       v->in_channels * v->out_channels <= SMALL_WEIGHTS / POINTS;
    bool fits = w->in[0] == 1 && w->out[0] == 1 && w->kernel[0] == 1;
    for (int i = 1; i < PL_MAX_SPACE; i++)
        fits = fits && w->kernel[i] == 3 && w->stride[i] == 1 && w->dilation[i] == 1;
    return fits && channels >= LEAST_CHANNELS && w->out[1] >= LEAST_HEIGHT &&
           (pixels >= LEAST_PIXELS || small);
}

/* Returns the floats from one point to the next: an odd number of cache lines, since the same place
 * of all points is written at once and may not fall into one set of a cache. */
static size_t point_step(size_t channels, size_t each)
{
    return (channels * each + 15) / 16 * 16 | 16;
}

/* d[0..5] = G g, each of the numbers a panel of channels, which lie `step` floats apart in d. */
static void transform_taps(float *d, size_t step, const float *g, size_t g_step)
{
    enum { N = PL_SGEMM_ROWS };
    const float half_root = 0.707106781f;
    float in[3][N], out[SIDE][N]; /* copies, which overlap nothing: the loop becomes vectors */
    for (size_t k = 0; k < 3; k++)
        memcpy(in[k], g + k * g_step, sizeof(in[k]));
    for (size_t r = 0; r < N; r++) {
        const float b = in[1][r] * half_root;
        const float near = in[0][r] + 0.5f * in[2][r], far = in[0][r] + 2 * in[2][r];
        out[0][r] = in[0][r];
        out[1][r] = (near + b) * (-2.0f / 3);
        out[2][r] = (near - b) * (-2.0f / 3);
        out[3][r] = (far + 2 * b) * (1.0f / 6);
        out[4][r] = (far - 2 * b) * (1.0f / 6);
        out[5][r] = in[2][r];
    }
    for (size_t k = 0; k < SIDE; k++)
        memcpy(d + k * step, out[k], sizeof(out[k]));
}

/* Transforms packed weights of `channels` channels of the output: G g G', in panels for each of the
 * 36 points, which lie `step` floats apart. */
static void transform_weights(float *weights, size_t step, const struct pl_conv *v,
                              const float *panels, size_t channels)
{
    const size_t n = pl_conv_panels(channels) / PL_SGEMM_ROWS * v->in_channels;
    const size_t row = 3 * PL_SGEMM_ROWS;
    float half[SIDE * 3 * PL_SGEMM_ROWS];
    for (size_t i = 0; i < n; i++, panels += TAPS * PL_SGEMM_ROWS) {
        for (size_t k = 0; k < 3; k++)
            transform_taps(half + k * PL_SGEMM_ROWS, row, panels + k * PL_SGEMM_ROWS, row);
        for (size_t a = 0; a < SIDE; a++)
            transform_taps(weights + a * SIDE * step + i * PL_SGEMM_ROWS, step, half + a * row,
                           PL_SGEMM_ROWS);
    }
}

/* Transforms the weights of all groups. */
static void transform_groups(void *block, const void *ctx)
{
    const struct pl_conv_job *j = ctx;
    const struct pl_conv *v = &j->v;
    const size_t step = point_step(pl_conv_panels(v->out_channels), v->in_channels);
    for (size_t g = 0; g < v->groups; g++)
        transform_weights((float *)block + g * POINTS * step, step, v, pl_conv_group(j, g),
                          v->out_channels);
}

platen_status pl_winograd_begin(const struct pl_conv_job *j, struct pl_winograd *ws)
{
    const struct pl_conv *v = &j->v;
    struct pl_call *c = j->c;
    const size_t rows = ((size_t)v->w.out[1] + OUT - 1) / OUT;
    const size_t width = ((size_t)v->w.out[2] + OUT - 1) / OUT;
    const size_t fit = BLOCK_FLOATS / (POINTS * (v->in_channels + v->out_channels) * width);
    const size_t panels = pl_conv_panels(v->out_channels);
    ws->rows = PL_CLAMP(fit, 1, rows);
    ws->width = width;
    ws->tiles = ws->rows * width;
    ws->channels = panels;
    if (ws->rows == rows)
        ws->channels =
            PL_CLAMP(WEIGHT_FLOATS / (POINTS * v->in_channels) / PL_SGEMM_ROWS * PL_SGEMM_ROWS,
                     PL_SGEMM_ROWS, panels);
    ws->in_step = point_step(v->in_channels, ws->tiles);
    ws->out_step = point_step(ws->channels, ws->tiles);
    ws->w_step = point_step(panels, v->in_channels);
    ws->kept =
        pl_call_prepared(c, v->groups * POINTS * ws->w_step * sizeof(float), transform_groups, j);
    if (!ws->kept)
        ws->w_step = point_step(ws->channels, v->in_channels);
    ws->weights = pl_call_room(c, ws->kept ? 1 : POINTS * ws->w_step, sizeof(float));
    ws->inputs = pl_call_room(c, POINTS * ws->in_step, sizeof(float));
    ws->outputs = pl_call_room(c, POINTS * ws->out_step, sizeof(float));
    ws->part = (ws->rows + 1) * width;
    ws->padded = pl_call_room(c, OUT * SIDE * ws->part, sizeof(float));
    ws->line = pl_call_room(c, OUT * width + 2, sizeof(float));
    return ws->weights && ws->inputs && ws->outputs && ws->padded && ws->line ? PLATEN_OK
                                                                              : PLATEN_ERR_NOMEM;
}

/* d[c * part + i] = x[4 i + c] for i < n, c < 6. */
static void part_columns(float *d, size_t part, const float *restrict x, size_t n)
{
    float *restrict p = d, *restrict q = d + part, *restrict r = d + 2 * part,
                    *restrict s = d + 3 * part;
    for (size_t i = 0; i < n; i++) {
        p[i] = x[OUT * i];
        q[i] = x[OUT * i + 1];
        r[i] = x[OUT * i + 2];
        s[i] = x[OUT * i + 3];
    }
    for (size_t c = 0; c < 2; c++, d += part) {
        memcpy(d + OUT * part, d + 1, (n - 1) * sizeof(*d));
        d[OUT * part + n - 1] = x[OUT * n + c];
    }
}

/* Copies the rows of a plane that `count` rows of tiles from the first on read, with their padding,
 * as winograd_in wants them. The padding beside a row is in ws->line already. */
static void pad_rows(const struct pl_winograd *ws, const struct pl_window *w, const float *x,
                     size_t first, size_t count)
{
    const size_t columns = OUT * ws->width + 2, before = PL_MIN((size_t)w->before[2], columns);
    const size_t n = PL_MIN((size_t)w->in[2], columns - before);
    for (size_t r = 0; r < OUT * count + 2; r++) {
        const int64_t y = (int64_t)(OUT * first + r) - w->before[1];
        float *d = ws->padded + r % OUT * SIDE * ws->part + r / OUT * ws->width;
        if (y >= 0 && y < w->in[1])
            memcpy(ws->line + before, x + y * w->in[2], n * sizeof(*d));
        for (size_t c = 0; c < SIDE && (y < 0 || y >= w->in[1]); c++)
            memset(d + c * ws->part, 0, ws->width * sizeof(*d));
        if (y >= 0 && y < w->in[1])
            part_columns(d, ws->part, ws->line, ws->width);
    }
}

static void multiply(const struct pl_winograd *ws, const struct pl_conv *v,
                     const struct pl_kernels *k, const float *weights, size_t channels,
                     size_t tiles)
{
    struct pl_sgemm g = {
        .m = channels, .n = tiles, .k = v->in_channels, .b_step = ws->tiles, .c_step = ws->tiles};
    for (size_t p = 0; p < POINTS; p++) {
        g.a = weights + p * ws->w_step;
        g.b = ws->inputs + p * ws->in_step;
        g.c = ws->outputs + p * ws->out_step;
        k->sgemm(&g);
    }
}

/* A block: `count` rows of tiles from row `first` on of a group. */
struct tile_block {
    size_t first, count;
    const float *x;       /* the planes of the input */
    const float *panels;  /* packed weights, where they are transformed here */
    const float *weights; /* transformed ones */
    size_t y;             /* the element with which the output begins */
    const float *bias;    /* or NULL */
};

static void transform_inputs(const struct pl_conv_job *j, const struct pl_winograd *ws,
                             const struct tile_block *b)
{
    const size_t in = pl_window_volume(j->v.w.in);
    memset(ws->line, 0, (OUT * ws->width + 2) * sizeof(*ws->line));
    for (size_t c = 0; c < j->v.in_channels; c++) {
        pad_rows(ws, &j->v.w, b->x + c * in, b->first, b->count);
        j->c->kernels->winograd_in(ws->inputs + c * ws->tiles, ws->in_step, ws->padded, ws->part,
                                   ws->width, b->count * ws->width);
    }
}

/* Writes output channel `o`, whose tiles are number `at` of those that were multiplied. */
static void transform_output(const struct pl_conv_job *j, const struct pl_winograd *ws,
                             const struct tile_block *b, size_t o, size_t at)
{
    const struct pl_window *w = &j->v.w;
    const size_t width = (size_t)w->out[2];
    const size_t rows = PL_MIN(OUT * b->count, (size_t)w->out[1] - OUT * b->first);
    const size_t y = b->y + o * pl_window_volume(w->out) + OUT * b->first * width;
    for (size_t i = 0; i < b->count; i++)
        j->c->kernels->winograd_out(
            j->y + y + OUT * i * width, width, PL_MIN(rows - OUT * i, (size_t)OUT), width,
            ws->outputs + at * ws->tiles + i * ws->width, ws->out_step, b->bias ? b->bias[o] : 0);
    pl_conv_finish(j, y, rows * width, j->y + y);
}

/* Computes a block, as many channels of the output at a time as the weights have room. */
static void run_block(const struct pl_conv_job *j, const struct pl_winograd *ws,
                      const struct tile_block *b)
{
    const struct pl_conv *v = &j->v;
    const bool there = ws->kept || b->first; /* of several blocks each has all channels at once */
    transform_inputs(j, ws, b);
    for (size_t o = 0; o < v->out_channels; o += ws->channels) {
        const size_t n = PL_MIN(v->out_channels - o, ws->channels);
        if (!there)
            transform_weights(ws->weights, ws->w_step, v, b->panels + o * v->in_channels * TAPS, n);
        multiply(ws, v, j->c->kernels, b->weights + (ws->kept ? o * v->in_channels : 0), n,
                 b->count * ws->width);
        for (size_t i = 0; i < n; i++)
            transform_output(j, ws, b, o + i, i);
    }
}

void pl_winograd_group(const struct pl_conv_job *j, const struct pl_winograd *ws, size_t g)
{
    const struct pl_conv *v = &j->v;
    const size_t rows = ((size_t)v->w.out[1] + OUT - 1) / OUT;
    struct tile_block b = {.panels = ws->kept ? NULL : pl_conv_group(j, g),
                           .weights = ws->kept ? ws->kept + g * POINTS * ws->w_step : ws->weights,
                           .bias = j->bias ? j->bias + g * v->out_channels : NULL};
    for (size_t n = 0; n < v->batch; n++) {
        const size_t planes = n * v->groups + g; /* groups of them come before */
        b.x = j->x + planes * v->in_channels * pl_window_volume(v->w.in);
        b.y = planes * v->out_channels * pl_window_volume(v->w.out);
        for (b.first = 0; b.first < rows; b.first += ws->rows) {
            b.count = PL_MIN(ws->rows, rows - b.first);
            run_block(j, ws, &b);
        }
    }
}
