/* SPDX-License-Identifier: BSD-2-Clause */
/* Two convolutions of 1 x 1, the second of which alone reads the first: strip by strip of pixels,
 * so that what lies between them stays in a second cache and is never a map of its own. Each number
 * is summed as by the two bodies. */
#include "nn/op/op_conv.h"

#include <assert.h>
#include <string.h>

/* Of what lies between in a strip: an eighth of a second cache of 512 KB, beside the input and the
 * output of the strip. */
#define STRIP_FLOATS ((size_t)1 << 14)
#define TILE 48 /* pixels: strips are whole tiles of the kernels */
/* A smaller map stays in a second cache as a whole: strips took 1.01 to 1.07 of the time
 * (bench/runs/2026-11-27-avx2-fp32-4.md). */
#define LEAST_FLOATS ((size_t)3 << 15)

/* Reads one of the two; false where it is no packed convolution of 1 x 1 of floats, in one group,
 * whose residual has the shape of its output. */
static bool read_pointwise(struct pl_call *c, struct pl_activation *a, struct pl_conv_job *j)
{
    const struct pl_tensor *x = pl_in(c, 0), *weights = pl_in(c, 1), *bias = pl_in(c, 2);
    const struct pl_tensor *z = pl_in(c, 3), *y = pl_out(c, 0);
    if (pl_call_id(c) != PL_OP_FusedConv || !y || x->type != PL_F32 || weights->type != PL_F32 ||
        (bias && bias->type != PL_F32) ||
        (z && (z->type != PL_F32 || !pl_tensor_same_shape(z, y))) || pl_activation_read(c, a) ||
        pl_conv_read(c, x, weights, bias, &j->v))
        return false;
    j->c = c;
    j->act = a;
    j->x = x->data;
    j->weights = weights->data;
    j->bias = bias ? bias->data : NULL;
    j->z = z ? z->data : NULL;
    j->y = y->data;
    return j->v.packed && j->v.groups == 1 && pl_conv_is_pointwise(&j->v.w) &&
           (size_t)y->dims[1] == j->v.out_channels;
}

bool pl_conv_is_pair(struct pl_call *first, struct pl_call *second)
{
    struct pl_activation a[2];
    struct pl_conv_job j[2];
    return read_pointwise(first, &a[0], &j[0]) && read_pointwise(second, &a[1], &j[1]) &&
           j[0].v.out_channels * pl_window_volume(j[0].v.w.out) > LEAST_FLOATS;
}

/* Memory for a strip, of `pixels` pixels. */
struct pair_strip {
    size_t pixels;
    float *input, *between;
};

/* Computes n pixels of picture `picture` from pixel `at` on. */
static void run_strip(const struct pl_conv_job j[2], const struct pair_strip *s, size_t picture,
                      size_t at, size_t n)
{
    const size_t plane = pl_window_volume(j[0].v.w.in), between = j[0].v.out_channels;
    const float *x = j[0].x + picture * j[0].v.in_channels * plane + at;
    const size_t middle = picture * between * plane + at;
    const size_t y = picture * j[1].v.out_channels * plane + at;
    struct pl_sgemm g = {.m = between,
                         .n = n,
                         .k = j[0].v.in_channels,
                         .a = j[0].weights,
                         .b = s->input,
                         .b_step = s->pixels,
                         .c = s->between,
                         .c_step = s->pixels,
                         .row_bias = j[0].bias};
    for (size_t k = 0; k < g.k; k++)
        memcpy(s->input + k * s->pixels, x + k * plane, n * sizeof(*x));
    j[0].c->kernels->sgemm(&g);
    for (size_t o = 0; o < between; o++)
        pl_activate(j[0].c->kernels, j[0].act, s->between + o * s->pixels,
                    s->between + o * s->pixels, j[0].z ? j[0].z + middle + o * plane : NULL, n);
    g.m = j[1].v.out_channels;
    g.k = between;
    g.a = j[1].weights;
    g.b = s->between;
    g.c = j[1].y + y;
    g.c_step = plane;
    g.row_bias = j[1].bias;
    j[1].c->kernels->sgemm(&g);
    for (size_t o = 0; o < g.m; o++)
        pl_conv_finish(&j[1], y + o * plane, n, g.c + o * plane);
}

platen_status pl_conv_run_pair(struct pl_call *first, struct pl_call *second)
{
    struct pl_activation a[2];
    struct pl_conv_job j[2];
    const bool pair = read_pointwise(first, &a[0], &j[0]) && read_pointwise(second, &a[1], &j[1]);
    assert(pair);
    (void)pair;
    const size_t plane = pl_window_volume(j[0].v.w.in), channels = j[0].v.out_channels;
    struct pair_strip s = {.pixels = PL_MAX(STRIP_FLOATS / channels / TILE * TILE, (size_t)TILE)};
    s.input = pl_call_room(first, j[0].v.in_channels * s.pixels, sizeof(float));
    s.between = pl_call_room(first, channels * s.pixels, sizeof(float));
    if (!s.input || !s.between)
        return PLATEN_ERR_NOMEM;
    for (size_t i = 0; i < j[0].v.batch; i++)
        for (size_t at = 0; at < plane; at += s.pixels)
            run_strip(j, &s, i, at, PL_MIN(plane - at, s.pixels));
    return PLATEN_OK;
}
