/* SPDX-License-Identifier: BSD-2-Clause */
/* Transposed convolutions of floats. */
#include "nn/op/op_conv.h"

#include <string.h>

#include "nn/op/op_gemm.h"

/* Of the products of a strip: they stay in a second cache of 512 KB until they are added. */
#define STRIP_FLOATS ((size_t)1 << 15)

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

/* Returns whether windows of 2 x 2 cover the output once: the columns of two taps beside each other
 * take turns, and each product is all that its element gets. */
static bool covers_once(const struct pl_window *w)
{
    bool once = w->kernel[0] == 1 && w->stride[0] == 1 && !w->before[0] && w->out[0] == w->in[0];
    for (int i = 1; i < PL_MAX_SPACE; i++)
        once = once && w->kernel[i] == 2 && w->stride[i] == 2 && w->dilation[i] == 1 &&
               !w->before[i] && w->out[i] == 2 * w->in[i];
    return once;
}

/* y[2 i] and y[2 i + 1] = start + a[i] and b[i]. */
static void take_turns(float *restrict y, const float *restrict a, const float *restrict b,
                       size_t n, float start)
{
    for (size_t i = 0; i < n; i++) {
        y[2 * i] = start + a[i];
        y[2 * i + 1] = start + b[i];
    }
}

/* What transposing a group takes besides its input and output. */
struct transposing {
    struct pl_conv v;
    bool once;         /* covers_once() */
    size_t strip;      /* rows */
    float *products;   /* of a strip */
    float *panels;     /* weights of the group */
    const float *bias; /* of the group, or NULL */
};

/* Writes the products of a strip at their places in the planes y, or adds them there. */
static void scatter_strip(const struct transposing *t, float *y, const struct conv_strip *s)
{
    const struct pl_window *w = &t->v.w;
    const size_t taps = pl_window_volume(w->kernel), n = s->n * (size_t)w->in[2];
    const float *p = t->products;
    for (size_t o = 0; o < t->v.out_channels; o++, y += pl_window_volume(w->out))
        for (size_t k = 0; k < taps; k += t->once ? 2 : 1, p += t->once ? 2 * n : n)
            if (t->once)
                for (size_t i = 0; i < s->n; i++)
                    take_turns(scatter_row(w, y, 0, (int64_t)k / 2, s, i), p + i * (size_t)w->in[2],
                               p + n + i * (size_t)w->in[2], (size_t)w->in[2],
                               t->bias ? t->bias[o] : 0);
            else
                scatter_tap(w, y, p, (int64_t)k, s);
}

/* Computes one group of one picture: the products of all taps with each strip of the input. */
static void transpose_group(const struct pl_call *c, const struct transposing *t, const float *x,
                            float *y)
{
    const struct pl_window *w = &t->v.w;
    const size_t in = pl_window_volume(w->in), out = pl_window_volume(w->out);
    const size_t width = (size_t)w->in[2], rows = width ? in / width : 0;
    struct pl_sgemm g = {.m = t->v.out_channels * pl_window_volume(w->kernel),
                         .k = t->v.in_channels,
                         .a = t->panels,
                         .b_step = in,
                         .c = t->products};
    for (size_t i = 0; i < t->v.out_channels * out && !t->once; i++)
        y[i] = t->bias ? t->bias[i / out] : 0;
    for (struct conv_strip at = {0, 0}; at.first < rows; at.first += at.n) {
        at.n = PL_MIN(rows - at.first, t->strip);
        g.n = g.c_step = at.n * width;
        g.b = x + at.first * width;
        c->kernels->sgemm(&g);
        scatter_strip(t, y, &at);
    }
}

/* Takes memory for the products of as many rows as fit STRIP_FLOATS, and for panels. */
static platen_status transposing_begin(struct pl_call *c, struct transposing *t)
{
    const size_t width = (size_t)t->v.w.in[2], in = pl_window_volume(t->v.w.in);
    const size_t rows = t->v.out_channels * pl_window_volume(t->v.w.kernel); /* of a product */
    t->once = covers_once(&t->v.w);
    t->strip = PL_MAX(STRIP_FLOATS / PL_MAX(rows * width, 1), 1);
    t->products = pl_call_room(c, rows * PL_MIN(t->strip * width, in), sizeof(float));
    t->panels = pl_call_room(c, pl_conv_panels(rows) * t->v.in_channels, sizeof(float));
    return t->products && t->panels ? PLATEN_OK : PLATEN_ERR_NOMEM;
}

static platen_status conv_transpose_f32(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *weights = pl_in(c, 1), *bias = pl_in(c, 2);
    struct transposing t;
    platen_status s = read_transposed(c, &t.v);
    if (!s && (x->type != PL_F32 || weights->type != PL_F32 || (bias && bias->type != PL_F32)))
        s = pl_call_unsupported_type(c, x->type);
    s = s ? s : transposing_begin(c, &t);
    if (s)
        return s;
    const size_t in = pl_window_volume(t.v.w.in), out = pl_window_volume(t.v.w.out);
    const size_t channels = t.v.out_channels;
    const size_t rows = channels * pl_window_volume(t.v.w.kernel);
    for (size_t g = 0; g < t.v.groups; g++) {
        const struct pl_gemm pack = {.k = t.v.in_channels,
                                     .a = (const float *)weights->data + g * t.v.in_channels * rows,
                                     .a_row = 1,
                                     .a_col = rows};
        pl_gemm_pack(t.panels, &pack, 0, rows);
        t.bias = bias ? (const float *)bias->data + g * channels : NULL;
        for (size_t n = 0; n < t.v.batch; n++)
            transpose_group(c, &t,
                            (const float *)x->data + (n * t.v.groups + g) * t.v.in_channels * in,
                            (float *)pl_out(c, 0)->data + (n * t.v.groups + g) * channels * out);
    }
    return PLATEN_OK;
}

platen_status pl_run_conv_transpose(struct pl_call *c)
{
    return pl_call_as_f32(c, conv_transpose_f32);
}
