/* SPDX-License-Identifier: BSD-2-Clause */
/* Transposed convolutions of floats. */
#include "nn/op/op_conv.h"

#include <string.h>

#include "nn/op/op_gemm.h"

platen_status pl_infer_conv(struct pl_call *c)
{
    return pl_conv_shape(c, pl_in(c, 0), pl_in(c, 1), pl_in(c, 2), pl_in(c, 0)->type);
}

/* Reads the window of a transposed convolution, in which input and output change places. */
static platen_status read_transposed(const struct pl_call *c, struct pl_conv *v)
{
    const struct pl_tensor *x = pl_in(c, 0), *weights = pl_in(c, 1), *bias = pl_in(c, 2);
    const int64_t groups = pl_ir_int(c->node, "group", 1);
    const char *mode = pl_ir_string(c->node, "auto_pad", "NOTSET");
    const struct pl_attr *shape = pl_ir_attr(c->node, "output_shape");
    struct pl_window *w = &v->w;
    int64_t extra[PL_MAX_SPACE], wanted[2 + PL_MAX_SPACE] = {0};
    platen_status s = pl_window_read(c, x, weights, w);
    s = s ? s : pl_call_list(c, "output_padding", w->n, 0, extra);
    if (!s && shape) /* may name batch and channels, too */
        s = pl_call_list(c, "output_shape", shape->n == (uint32_t)x->rank ? x->rank : w->n, 0,
                         wanted);
    if (s)
        return s;
    if (groups < 1 || x->dims[1] != weights->dims[0] || x->dims[1] % groups ||
        (bias && (bias->rank != 1 || bias->dims[0] != weights->dims[1] * groups)))
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "channels, groups or bias do not fit");
    for (int i = 0; i < PL_MAX_SPACE; i++) {
        int at = i - (PL_MAX_SPACE - w->n);
        int64_t full = w->stride[i] * (w->in[i] - 1) + (w->kernel[i] - 1) * w->dilation[i] + 1;
        full += at < 0 ? 0 : extra[at];
        w->out[i] = full - w->before[i] - w->after[i];
        if (at >= 0 && (shape || !strncmp(mode, "SAME", 4))) {
            w->out[i] = !shape                          ? w->in[i] * w->stride[i]
                        : shape->n == (uint32_t)x->rank ? wanted[2 + at]
                                                        : wanted[at];
            int64_t pad = PL_MAX(full - w->out[i], 0);
            w->before[i] = !strcmp(mode, "SAME_UPPER") ? pad / 2 : pad - pad / 2;
            w->after[i] = pad - w->before[i];
        }
        if (w->out[i] < 1 || (at >= 0 && extra[at] < 0) || !w->kernel[i])
            return pl_call_fail(c, PLATEN_ERR_FORMAT, "the output is empty");
    }
    v->batch = (size_t)x->dims[0];
    v->groups = (size_t)groups;
    v->in_channels = (size_t)(x->dims[1] / groups);
    v->out_channels = (size_t)weights->dims[1];
    return PLATEN_OK;
}

platen_status pl_infer_conv_transpose(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    struct pl_conv v;
    int64_t dims[PL_MAX_RANK];
    platen_status s = read_transposed(c, &v);
    if (s)
        return s;
    dims[0] = x->dims[0];
    dims[1] = (int64_t)(v.groups * v.out_channels);
    for (int i = 2; i < x->rank; i++)
        dims[i] = v.w.out[PL_MAX_SPACE - v.w.n + i - 2];
    return pl_call_shape(c, 0, x->type, x->rank, dims);
}

/* A strip: the rows of the input whose products are computed, first..first + n - 1 of depth *
 * height. */
struct conv_strip {
    size_t first, n;
};

/* Returns the row of the output plane to which tap (kd, kh) adds input row i of the strip; NULL
 * where that lies outside. */
static float *scatter_row(const struct pl_window *w, float *y, int64_t kd, int64_t kh,
                          const struct conv_strip *s, size_t i)
{
    const int64_t row = (int64_t)(s->first + i);
    const int64_t d = row / w->in[1] * w->stride[0] + kd * w->dilation[0] - w->before[0];
    const int64_t h = row % w->in[1] * w->stride[1] + kh * w->dilation[1] - w->before[1];
    const bool inside = d >= 0 && d < w->out[0] && h >= 0 && h < w->out[1];
    return inside ? y + (d * w->out[1] + h) * w->out[2] : NULL;
}

/* Adds the products of one tap, which are as wide as the input, to one plane of the output. The
 * output and input of pl_window_valid() change places. */
static void scatter_tap(const struct pl_window *w, float *y, const float *products, int64_t tap,
                        const struct conv_strip *s)
{
    struct pl_window r = *w;
    const int64_t kd = tap / w->kernel[2] / w->kernel[1];
    const int64_t kh = tap / w->kernel[2] % w->kernel[1], kw = tap % w->kernel[2];
    const int64_t stride = w->stride[2];
    int64_t first, last;
    memcpy(r.in, w->out, sizeof(r.in));
    memcpy(r.out, w->in, sizeof(r.out));
    pl_window_valid(&r, 2, kw, &first, &last);
    for (size_t i = 0; i < s->n; i++, products += w->in[2]) {
        float *to = scatter_row(w, y, kd, kh, s, i);
        for (int64_t k = first; to && k < last; k++)
            to[k * stride + kw * w->dilation[2] - w->before[2]] += products[k];
    }
}

/* Returns whether the output is twice as wide as the input, so that the columns of two taps
 * beside each other take turns. Their products are then added in one go, with the same sums. */
static bool takes_turns(const struct pl_window *w)
{
    return w->kernel[2] == 2 && w->stride[2] == 2 && w->dilation[2] == 1 && !w->before[2] &&
           w->out[2] == 2 * w->in[2];
}

static void scatter_pair(const struct pl_window *w, float *y, const float *products, size_t step,
                         int64_t tap, const struct conv_strip *s)
{
    const int64_t kd = tap / 2 / w->kernel[1], kh = tap / 2 % w->kernel[1];
    for (size_t i = 0; i < s->n; i++, products += w->in[2]) {
        float *to = scatter_row(w, y, kd, kh, s, i);
        for (int64_t k = 0; to && k < w->in[2]; k++) {
            to[2 * k] += products[k];
            to[2 * k + 1] += products[step + (size_t)k];
        }
    }
}

/* Computes one group of one picture: the products of all taps with each strip of the input,
 * which are then added at their places. */
static platen_status transpose_group(struct pl_call *c, const struct pl_conv *v, const float *x,
                                     const float *weights, float *y, float *products, float *panels,
                                     size_t strip_rows)
{
    const size_t taps = pl_window_volume(v->w.kernel), width = (size_t)v->w.in[2],
                 in = pl_window_volume(v->w.in);
    const size_t rows = in / width;
    const bool pairs = takes_turns(&v->w);
    platen_status s = PLATEN_OK;
    for (struct conv_strip at = {0, 0}; at.first < rows && !s; at.first += at.n) {
        at.n = PL_MIN(rows - at.first, strip_rows);
        const struct pl_gemm g = {.m = v->out_channels * taps,
                                  .n = at.n * width,
                                  .k = v->in_channels,
                                  .a = weights,
                                  .a_row = 1,
                                  .a_col = v->out_channels * taps,
                                  .b = x + at.first * width,
                                  .b_row = in,
                                  .b_col = 1,
                                  .c = products,
                                  .panels = panels};
        s = pl_gemm_run(c, &g);
        for (size_t i = 0; i < g.m && !s && pairs; i += 2)
            scatter_pair(&v->w, y + i / taps * pl_window_volume(v->w.out), products + i * g.n, g.n,
                         (int64_t)(i % taps), &at);
        for (size_t i = 0; i < g.m && !s && !pairs; i++)
            scatter_tap(&v->w, y + i / taps * pl_window_volume(v->w.out), products + i * g.n,
                        (int64_t)(i % taps), &at);
    }
    return s;
}

static platen_status conv_transpose_f32(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *weights = pl_in(c, 1), *bias = pl_in(c, 2);
    struct pl_conv v;
    platen_status s = read_transposed(c, &v);
    if (!s && (x->type != PL_F32 || weights->type != PL_F32 || (bias && bias->type != PL_F32)))
        s = pl_call_unsupported_type(c, x->type);
    if (s)
        return s;
    const size_t in = pl_window_volume(v.w.in), out = pl_window_volume(v.w.out),
                 taps = pl_window_volume(v.w.kernel);
    const size_t channels = v.groups * v.out_channels, width = (size_t)v.w.in[2];
    const size_t strip = PL_MAX(1024 / PL_MAX(width, 1), 1);
    float *y = pl_out(c, 0)->data;
    float *products =
        pl_call_scratch(c, v.out_channels * taps * PL_MIN(strip * width, in), sizeof(*products));
    float *panels =
        pl_call_scratch(c, pl_gemm_panels(v.out_channels * taps, v.in_channels), sizeof(*panels));
    if (!products || !panels)
        return PLATEN_ERR_NOMEM;
    for (size_t i = 0; i < v.batch * channels; i++) {
        const float start = bias ? ((const float *)bias->data)[i % channels] : 0;
        for (size_t k = 0; k < out; k++)
            y[i * out + k] = start;
    }
    for (size_t i = 0; i < v.batch * v.groups && in && !s; i++)
        s = transpose_group(c, &v, (const float *)x->data + i * v.in_channels * in,
                            (const float *)weights->data +
                                i % v.groups * v.in_channels * v.out_channels * taps,
                            y + i * v.out_channels * out, products, panels, strip);
    return s;
}

platen_status pl_run_conv_transpose(struct pl_call *c)
{
    return pl_call_as_f32(c, conv_transpose_f32);
}
