/* Convolutions of floats and of integers. */
#include "nn/op/op_conv.h"

#include <string.h>

#include "nn/op/op_gemm.h"

platen_status pl_conv_read(const struct pl_call *c, const struct pl_tensor *x,
                           const struct pl_tensor *weights, const struct pl_tensor *bias,
                           struct pl_conv *ret)
{
    const int64_t groups = pl_ir_int(c->node, "group", 1);
    const int64_t channels = pl_ir_int(c->node, "channels", weights->dims[0]);
    platen_status s = pl_window_read(c, x, weights, &ret->w);
    s = s ? s : pl_window_slide(c, &ret->w);
    if (s)
        return s;
    ret->packed = pl_ir_attr(c->node, "channels") != NULL;
    if (groups < 1 || channels < 0 || channels % groups || x->dims[1] % groups ||
        weights->dims[1] != x->dims[1] / groups ||
        (ret->packed && (channels > weights->dims[0] ||
                         (size_t)weights->dims[0] !=
                             (size_t)groups * pl_conv_panels((size_t)(channels / groups)))))
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "%lld channels, weights for %lld in %lld groups",
                            (long long)x->dims[1], (long long)weights->dims[1], (long long)groups);
    if (bias && (bias->rank != 1 || bias->dims[0] != channels))
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "the bias does not fit");
    ret->batch = (size_t)x->dims[0];
    ret->groups = (size_t)groups;
    ret->in_channels = (size_t)weights->dims[1];
    ret->out_channels = (size_t)(channels / groups);
    return PLATEN_OK;
}

static platen_status conv_shape(const struct pl_call *c, const struct pl_tensor *x,
                                const struct pl_tensor *weights, const struct pl_tensor *bias,
                                enum pl_dtype type)
{
    struct pl_conv v;
    int64_t dims[PL_MAX_RANK];
    platen_status s = pl_conv_read(c, x, weights, bias, &v);
    if (s)
        return s;
    dims[0] = x->dims[0];
    dims[1] = weights->dims[0];
    for (int i = 2; i < x->rank; i++)
        dims[i] = v.w.out[PL_MAX_SPACE - v.w.n + i - 2];
    return pl_call_shape(c, 0, type, x->rank, dims);
}

/* Outputs first..last-1 for which tap k lies on the picture. */
static void valid_range(const struct pl_window *w, int axis, int64_t k, int64_t *first,
                        int64_t *last)
{
    const int64_t off = k * w->dilation[axis] - w->before[axis], stride = w->stride[axis];
    *first = off < 0 ? (-off + stride - 1) / stride : 0;
    *last = off < w->in[axis] ? PL_MIN(w->out[axis], (w->in[axis] - 1 - off) / stride + 1) : 0;
}

/* Adds one plane of the input times its kernel to one plane of the output: for each tap, row by
 * row. */
#define DEFINE_PLANE(NAME, T)                                                                      \
    static void NAME(const struct pl_window *w, T *y, const T *x, const T *k)                      \
    {                                                                                              \
        const int64_t *in = w->in, *out = w->out, *size = w->kernel;                               \
        for (int64_t tap = 0; tap < size[0] * size[1] * size[2]; tap++) {                          \
            const int64_t kd = tap / size[2] / size[1], kh = tap / size[2] % size[1];              \
            const int64_t kw = tap % size[2];                                                      \
            const T v = k[tap];                                                                    \
            int64_t d0, d1, h0, h1, w0, w1;                                                        \
            valid_range(w, 0, kd, &d0, &d1);                                                       \
            valid_range(w, 1, kh, &h0, &h1);                                                       \
            valid_range(w, 2, kw, &w0, &w1);                                                       \
            for (int64_t d = d0; d < d1; d++)                                                      \
                for (int64_t h = h0; h < h1; h++) {                                                \
                    int64_t id = d * w->stride[0] + kd * w->dilation[0] - w->before[0];            \
                    int64_t ih = h * w->stride[1] + kh * w->dilation[1] - w->before[1];            \
                    const T *from =                                                                \
                        x + (id * in[1] + ih) * in[2] + kw * w->dilation[2] - w->before[2];        \
                    T *to = y + (d * out[1] + h) * out[2];                                         \
                    const int64_t step = w->stride[2];                                             \
                    for (int64_t i = w0; i < w1; i++)                                              \
                        to[i] += v * from[i * step];                                               \
                }                                                                                  \
        }                                                                                          \
    }

DEFINE_PLANE(plane_i32, int32_t)

static size_t volume(const int64_t *dims)
{
    return (size_t)(dims[0] * dims[1] * dims[2]);
}

#define EACH_PLANE(v, plane_fn, T, y, x, k)                                                        \
    do {                                                                                           \
        const size_t in_ = volume((v)->w.in), out_ = volume((v)->w.out);                           \
        const size_t taps_ = volume((v)->w.kernel), ocs_ = (v)->out_channels;                      \
        for (size_t b_ = 0; b_ < (v)->batch * (v)->groups * ocs_; b_++)                            \
            for (size_t i_ = 0; i_ < (v)->in_channels; i_++) {                                     \
                const size_t o_ = b_ % ((v)->groups * ocs_), g_ = o_ / ocs_;                       \
                const size_t n_ = b_ / ((v)->groups * ocs_);                                       \
                const size_t plane_ = (n_ * (v)->groups + g_) * (v)->in_channels + i_;             \
                plane_fn(&(v)->w, (T *)(y) + b_ * out_, (const T *)(x) + plane_ * in_,             \
                         (const T *)(k) + (o_ * (v)->in_channels + i_) * taps_);                   \
            }                                                                                      \
    } while (0)

platen_status pl_infer_conv(struct pl_call *c)
{
    return conv_shape(c, pl_in(c, 0), pl_in(c, 1), pl_in(c, 2), pl_in(c, 0)->type);
}

/* t - zero as int32; zero points per tensor or per entry of axis 0. */
static platen_status centre(struct pl_call *c, const struct pl_tensor *t,
                            const struct pl_tensor *zero, int32_t **ret)
{
    const size_t n = pl_tensor_count(t), zeros = zero ? pl_tensor_count(zero) : 1;
    const size_t per = t->dims[0] ? n / (size_t)t->dims[0] : 1;
    if (pl_dtype_bytes(t->type) != 1 || (zeros != 1 && zeros != (size_t)t->dims[0]))
        return pl_call_fail(c, PLATEN_ERR_UNSUPPORTED, "%s with %zu zero points",
                            pl_dtype_name(t->type), zeros);
    *ret = pl_call_scratch(c, n, sizeof(**ret));
    for (size_t i = 0; *ret && i < n; i++)
        (*ret)[i] = (int32_t)(pl_tensor_i64(t, i) -
                              (zero ? pl_tensor_i64(zero, zeros == 1 ? 0 : i / per) : 0));
    return *ret ? PLATEN_OK : PLATEN_ERR_NOMEM;
}

/* Sums of an integer convolution into y, dense int32 of the output's shape. */
static platen_status conv_sums(struct pl_call *c, const struct pl_tensor *x,
                               const struct pl_tensor *x_zero, const struct pl_tensor *weights,
                               const struct pl_tensor *w_zero, int32_t *y, struct pl_conv *v)
{
    platen_status s = pl_conv_read(c, x, weights, NULL, v);
    int32_t *a = NULL, *k = NULL;
    s = s ? s : centre(c, x, x_zero, &a);
    s = s ? s : centre(c, weights, w_zero, &k);
    if (!s)
        EACH_PLANE(v, plane_i32, int32_t, y, a, k);
    return s;
}

platen_status pl_infer_conv_integer(struct pl_call *c)
{
    return conv_shape(c, pl_in(c, 0), pl_in(c, 1), NULL, PL_I32);
}

platen_status pl_run_conv_integer(struct pl_call *c)
{
    const struct pl_tensor *y = pl_out(c, 0);
    struct pl_conv v;
    memset(y->data, 0, pl_tensor_bytes(y));
    return conv_sums(c, pl_in(c, 0), pl_in(c, 2), pl_in(c, 1), pl_in(c, 3), y->data, &v);
}

/* x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero, bias */
platen_status pl_infer_qlinear_conv(struct pl_call *c)
{
    return conv_shape(c, pl_in(c, 0), pl_in(c, 3), pl_in(c, 8), pl_in(c, 7)->type);
}

platen_status pl_run_qlinear_conv(struct pl_call *c)
{
    const struct pl_tensor *y = pl_out(c, 0), *sw = pl_in(c, 4), *bias = pl_in(c, 8);
    const size_t channels = (size_t)pl_in(c, 3)->dims[0], scales = pl_tensor_count(sw);
    struct pl_conv v;
    int32_t *sum = pl_call_scratch(c, pl_tensor_count(y), sizeof(*sum));
    if (!sum)
        return PLATEN_ERR_NOMEM;
    if (pl_tensor_count(pl_in(c, 1)) != 1 || pl_tensor_count(pl_in(c, 6)) != 1 ||
        pl_tensor_count(pl_in(c, 7)) != 1 || (scales != 1 && scales != channels) ||
        (bias && bias->type != PL_I32))
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "scales or zero points do not fit");
    platen_status s = conv_sums(c, pl_in(c, 0), pl_in(c, 2), pl_in(c, 3), pl_in(c, 5), sum, &v);
    const double x_scale = pl_tensor_f64(pl_in(c, 1), 0), y_scale = pl_tensor_f64(pl_in(c, 6), 0);
    const int64_t zero = pl_tensor_i64(pl_in(c, 7), 0);
    for (size_t i = 0; !s && i < pl_tensor_count(y); i++) {
        size_t k = i / volume(v.w.out) % channels;
        double acc = (double)sum[i] + (bias ? (double)((const int32_t *)bias->data)[k] : 0);
        double scale = x_scale * pl_tensor_f64(sw, scales == 1 ? 0 : k) / y_scale;
        pl_quantize_into(y, i, acc * scale, zero);
    }
    return s;
}

/* The window of a transposed convolution: in and out change places. */
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

/* Rows of the input whose products are there: first..first + n - 1 of depth * height. */
struct strip {
    size_t first, n;
};

/* The row of the output plane that tap (kd, kh) adds input row i of the strip to; NULL = outside.
 */
static float *scatter_row(const struct pl_window *w, float *y, int64_t kd, int64_t kh,
                          const struct strip *s, size_t i)
{
    const int64_t row = (int64_t)(s->first + i);
    const int64_t d = row / w->in[1] * w->stride[0] + kd * w->dilation[0] - w->before[0];
    const int64_t h = row % w->in[1] * w->stride[1] + kh * w->dilation[1] - w->before[1];
    const bool inside = d >= 0 && d < w->out[0] && h >= 0 && h < w->out[1];
    return inside ? y + (d * w->out[1] + h) * w->out[2] : NULL;
}

/* Adds the products of one tap, as wide as the input, to one plane of the output: out and in of
 * valid_range() change places. */
static void scatter_tap(const struct pl_window *w, float *y, const float *products, int64_t tap,
                        const struct strip *s)
{
    struct pl_window r = *w;
    const int64_t kd = tap / w->kernel[2] / w->kernel[1];
    const int64_t kh = tap / w->kernel[2] % w->kernel[1], kw = tap % w->kernel[2];
    const int64_t stride = w->stride[2];
    int64_t first, last;
    memcpy(r.in, w->out, sizeof(r.in));
    memcpy(r.out, w->in, sizeof(r.out));
    valid_range(&r, 2, kw, &first, &last);
    for (size_t i = 0; i < s->n; i++, products += w->in[2]) {
        float *to = scatter_row(w, y, kd, kh, s, i);
        for (int64_t k = first; to && k < last; k++)
            to[k * stride + kw * w->dilation[2] - w->before[2]] += products[k];
    }
}

/* Two taps side by side that double the width, so that columns take turns: the same sums as tap by
 * tap, in one go. */
static bool takes_turns(const struct pl_window *w)
{
    return w->kernel[2] == 2 && w->stride[2] == 2 && w->dilation[2] == 1 && !w->before[2] &&
           w->out[2] == 2 * w->in[2];
}

static void scatter_pair(const struct pl_window *w, float *y, const float *products, size_t step,
                         int64_t tap, const struct strip *s)
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

/* One group of one picture: products of all taps with strips of the input, each added where it
 * belongs. */
static platen_status transpose_group(struct pl_call *c, const struct pl_conv *v, const float *x,
                                     const float *weights, float *y, float *products, float *panels,
                                     size_t strip_rows)
{
    const size_t taps = volume(v->w.kernel), width = (size_t)v->w.in[2], in = volume(v->w.in);
    const size_t rows = in / width;
    const bool pairs = takes_turns(&v->w);
    platen_status s = PLATEN_OK;
    for (struct strip at = {0, 0}; at.first < rows && !s; at.first += at.n) {
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
            scatter_pair(&v->w, y + i / taps * volume(v->w.out), products + i * g.n, g.n,
                         (int64_t)(i % taps), &at);
        for (size_t i = 0; i < g.m && !s && !pairs; i++)
            scatter_tap(&v->w, y + i / taps * volume(v->w.out), products + i * g.n,
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
    const size_t in = volume(v.w.in), out = volume(v.w.out), taps = volume(v.w.kernel);
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
