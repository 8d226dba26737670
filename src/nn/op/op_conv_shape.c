/* SPDX-License-Identifier: BSD-2-Clause */
/* What all ways to compute a convolution share: its sizes, from its node and the shapes of its
 * inputs, its weights in panels, and what follows the sums. */
#include "nn/op/op_conv.h"

size_t pl_conv_panels(size_t channels)
{
    return (channels + PL_SGEMM_ROWS - 1) / PL_SGEMM_ROWS * PL_SGEMM_ROWS;
}

void pl_conv_pack(float *dst, const float *w, size_t channels, size_t depth)
{
    for (size_t i = 0; i < channels; i += PL_SGEMM_ROWS)
        for (size_t l = 0; l < depth; l++)
            for (size_t r = i; r < i + PL_SGEMM_ROWS; r++)
                *dst++ = r < channels ? w[r * depth + l] : 0;
}

const float *pl_conv_group(const struct pl_conv_job *j, size_t g)
{
    const struct pl_conv *v = &j->v;
    const size_t depth = v->in_channels * pl_window_volume(v->w.kernel);
    if (v->packed)
        return j->weights + g * pl_conv_panels(v->out_channels) * depth;
    pl_conv_pack(j->panels, j->weights + g * v->out_channels * depth, v->out_channels, depth);
    return j->panels;
}

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

platen_status pl_conv_shape(const struct pl_call *c, const struct pl_tensor *x,
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

void pl_window_valid(const struct pl_window *w, int axis, int64_t k, int64_t *first, int64_t *last)
{
    const int64_t off = k * w->dilation[axis] - w->before[axis], stride = w->stride[axis];
    *first = off < 0 ? (-off + stride - 1) / stride : 0;
    *last = off < w->in[axis] ? PL_MIN(w->out[axis], (w->in[axis] - 1 - off) / stride + 1) : 0;
}

void pl_conv_finish(const struct pl_conv_job *j, size_t at, size_t n, const float *sums)
{
    pl_activate(j->c->kernels, j->act, j->y + at, sums, j->z ? j->z + at : NULL, n);
}
