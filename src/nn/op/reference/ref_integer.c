/* SPDX-License-Identifier: BSD-2-Clause */
/* ONNX's convolutions and products of integers with scales and zero points. */
#include "nn/op/op_conv.h"
#include "nn/op/op_gemm.h"
#include "nn/op/reference/ref_quant.h"

#include <string.h>

/* Adds one plane of the input times its kernel to one plane of the output: for each tap, row by
 * row. */
static void add_plane(const struct pl_window *w, int32_t *y, const int32_t *x, const int32_t *k)
{
    const int64_t *in = w->in, *out = w->out, *size = w->kernel;
    for (int64_t tap = 0; tap < size[0] * size[1] * size[2]; tap++) {
        const int64_t kd = tap / size[2] / size[1], kh = tap / size[2] % size[1];
        const int64_t kw = tap % size[2];
        int64_t d0, d1, h0, h1, w0, w1;
        pl_window_valid(w, 0, kd, &d0, &d1);
        pl_window_valid(w, 1, kh, &h0, &h1);
        pl_window_valid(w, 2, kw, &w0, &w1);
        for (int64_t d = d0; d < d1; d++)
            for (int64_t h = h0; h < h1; h++) {
                int64_t id = d * w->stride[0] + kd * w->dilation[0] - w->before[0];
                int64_t ih = h * w->stride[1] + kh * w->dilation[1] - w->before[1];
                const int32_t *from =
                    x + (id * in[1] + ih) * in[2] + kw * w->dilation[2] - w->before[2];
                int32_t *to = y + (d * out[1] + h) * out[2];
                for (int64_t i = w0; i < w1; i++)
                    to[i] += k[tap] * from[i * w->stride[2]];
            }
    }
}

static void add_planes(const struct pl_conv *v, int32_t *y, const int32_t *x, const int32_t *k)
{
    const size_t in = pl_window_volume(v->w.in), out = pl_window_volume(v->w.out);
    const size_t taps = pl_window_volume(v->w.kernel), channels = v->groups * v->out_channels;
    for (size_t b = 0; b < v->batch * channels; b++)
        for (size_t i = 0; i < v->in_channels; i++) {
            const size_t o = b % channels, group = o / v->out_channels;
            const size_t plane = (b / channels * v->groups + group) * v->in_channels + i;
            add_plane(&v->w, y + b * out, x + plane * in, k + (o * v->in_channels + i) * taps);
        }
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
        add_planes(v, y, a, k);
    return s;
}

platen_status pl_infer_conv_integer(struct pl_call *c)
{
    return pl_conv_shape(c, pl_in(c, 0), pl_in(c, 1), NULL, PL_I32);
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
    return pl_conv_shape(c, pl_in(c, 0), pl_in(c, 3), pl_in(c, 8), pl_in(c, 7)->type);
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
        size_t k = i / pl_window_volume(v.w.out) % channels;
        double acc = (double)sum[i] + (bias ? (double)((const int32_t *)bias->data)[k] : 0);
        double scale = x_scale * pl_tensor_f64(sw, scales == 1 ? 0 : k) / y_scale;
        pl_quantize_into(y, i, acc * scale, zero);
    }
    return s;
}

platen_status pl_infer_matmul_integer(struct pl_call *c)
{
    return pl_matmul_shape(c, pl_in(c, 0), pl_in(c, 1), PL_I32);
}

platen_status pl_run_matmul_integer(struct pl_call *c)
{
    const struct pl_tensor *y = pl_out(c, 0);
    struct pl_stack st;
    int64_t *sum;
    struct pl_int_product p = {pl_in(c, 0), pl_in(c, 1), pl_in(c, 2), pl_in(c, 3), NULL};
    platen_status s = pl_matmul_sums(c, &p, &st, &sum);
    if (!s)
        pl_tensor_cast_row(y->data, y->type, sum, PL_I64, pl_tensor_count(y));
    return s;
}

platen_status pl_infer_qlinear_matmul(struct pl_call *c)
{
    return pl_matmul_shape(c, pl_in(c, 0), pl_in(c, 3), pl_in(c, 7)->type);
}

/* a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero */
platen_status pl_run_qlinear_matmul(struct pl_call *c)
{
    const struct pl_tensor *y = pl_out(c, 0);
    const struct pl_tensor *sa = pl_in(c, 1), *sb = pl_in(c, 4), *sy = pl_in(c, 6);
    struct pl_stack st;
    int64_t *sum;
    struct pl_int_product p = {pl_in(c, 0), pl_in(c, 3), pl_in(c, 2), pl_in(c, 5), NULL};
    platen_status s = pl_matmul_sums(c, &p, &st, &sum);
    s = s ? s : pl_matmul_check_zero(c, sa, st.m);
    s = s ? s : pl_matmul_check_zero(c, sb, st.n);
    s = s ? s : pl_matmul_check_zero(c, sy, 1);
    s = s ? s : pl_matmul_check_zero(c, pl_in(c, 7), 1);
    for (size_t i = 0; !s && i < pl_tensor_count(y); i++) {
        size_t row = i / (size_t)st.n % (size_t)st.m, column = i % (size_t)st.n;
        double scale = pl_tensor_f64(sa, pl_tensor_count(sa) == 1 ? 0 : row) *
                       pl_tensor_f64(sb, pl_tensor_count(sb) == 1 ? 0 : column);
        pl_quantize_into(y, i, (double)sum[i] * scale / pl_tensor_f64(sy, 0),
                         pl_matmul_zero(pl_in(c, 7), 0));
    }
    return s;
}
