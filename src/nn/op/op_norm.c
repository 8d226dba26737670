/* SPDX-License-Identifier: BSD-2-Clause */
/* Normalizations: by the statistics of channels, and over trailing axes. */
#include "nn/op/op_norm.h"

#include <math.h>
#include <string.h>

platen_status pl_norm_need_f32(const struct pl_call *c)
{
    for (uint32_t i = 0; i < c->n_in; i++)
        if (c->in[i] && c->in[i]->type != PL_F32)
            return pl_call_unsupported_type(c, c->in[i]->type);
    return PLATEN_OK;
}

platen_status pl_norm_need_count(const struct pl_call *c, uint32_t i, int64_t n)
{
    const struct pl_tensor *t = pl_in(c, i);
    if (t && pl_tensor_count(t) != (size_t)n)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "input %u has %zu elements, not %lld", i,
                            pl_tensor_count(t), (long long)n);
    return PLATEN_OK;
}

platen_status pl_infer_batch_norm(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    const bool training = pl_ir_int(c->node, "training_mode", 0);
    if (x->rank < 2)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "the input has no channels");
    if (!training && c->n_out > 1 && c->opset >= 14)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "statistics outside of training mode");
    platen_status s = pl_call_like(c, 0, x);
    for (uint32_t i = 1; i < 5 && !s; i++)
        s = pl_norm_need_count(c, i, x->dims[1]);
    for (uint32_t i = 1; i < c->n_out && !s; i++)
        s = pl_call_like(c, i, pl_in(c, i + 2 > 4 ? 4 : i + 2));
    return s;
}

/* Computes mean and variance of channel k over batch and picture. */
static void channel_moments(const struct pl_tensor *x, int64_t k, double *mean, double *var)
{
    const size_t run = pl_tensor_span(x, 2, x->rank), n = (size_t)x->dims[0] * run;
    double sum = 0, sq = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t b = 0; b < x->dims[0]; b++) {
            const float *row = (const float *)x->data + (size_t)(b * x->dims[1] + k) * run;
            for (size_t i = 0; i < run; i++) {
                double d = (double)row[i] - sum / (double)n;
                if (pass)
                    sq += d * d;
            }
            for (size_t i = 0; i < run && !pass; i++)
                sum += (double)row[i];
        }
    }
    *mean = sum / (double)n;
    *var = sq / (double)n;
}

static platen_status batch_norm_f32(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    const bool training = pl_ir_int(c->node, "training_mode", 0);
    const double eps = (double)pl_ir_float(c->node, "epsilon", 1e-5f);
    const double keep = (double)pl_ir_float(c->node, "momentum", 0.9f);
    const float *scale = pl_in(c, 1)->data, *bias = pl_in(c, 2)->data;
    const float *means = pl_in(c, 3)->data, *vars = pl_in(c, 4)->data;
    const size_t run = pl_tensor_span(x, 2, x->rank);
    platen_status s = pl_norm_need_f32(c);
    for (int64_t k = 0; k < x->dims[1] && !s; k++) {
        double mean = (double)means[k], var = (double)vars[k];
        if (training) {
            channel_moments(x, k, &mean, &var);
            if (pl_out(c, 1))
                ((float *)pl_out(c, 1)->data)[k] =
                    (float)((double)means[k] * keep + mean * (1 - keep));
            if (pl_out(c, 2))
                ((float *)pl_out(c, 2)->data)[k] =
                    (float)((double)vars[k] * keep + var * (1 - keep));
        }
        const float mul = (float)((double)scale[k] / sqrt(var + eps));
        const float add = (float)((double)bias[k] - mean * (double)scale[k] / sqrt(var + eps));
        for (int64_t b = 0; b < x->dims[0] && pl_out(c, 0); b++) {
            size_t at = (size_t)(b * x->dims[1] + k) * run;
            const float *from = (const float *)x->data + at;
            float *to = (float *)pl_out(c, 0)->data + at;
            for (size_t i = 0; i < run; i++)
                to[i] = from[i] * mul + add;
        }
    }
    return s;
}

platen_status pl_run_batch_norm(struct pl_call *c)
{
    return pl_call_as_f32(c, batch_norm_f32);
}

platen_status pl_infer_layer_norm(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    int axis;
    struct pl_tensor t = *x;
    platen_status s = pl_call_axis(c, pl_ir_int(c->node, "axis", -1), x->rank, &axis);
    s = s ? s : pl_call_like(c, 0, x);
    for (int i = axis; i < x->rank && !s; i++)
        t.dims[i] = 1;
    t.type = PL_F32;
    s = s ? s : pl_call_like(c, 1, &t);
    return s ? s : pl_call_like(c, 2, &t);
}

/* Returns scale or bias of a normalization over trailing axes, repeated to the size of one
 * group. */
static platen_status repeated(struct pl_call *c, uint32_t input, int axis, float **ret)
{
    const struct pl_tensor *x = pl_in(c, 0), *t = pl_in(c, input);
    struct pl_tensor box = *x, both;
    ptrdiff_t from[PL_MAX_RANK], to[PL_MAX_RANK];
    *ret = NULL;
    if (!t)
        return PLATEN_OK;
    for (int i = 0; i < axis; i++)
        box.dims[i] = 1;
    platen_status s = pl_call_broadcast(c, &box, t, &both);
    if (!s && !pl_tensor_same_shape(&both, &box))
        s = pl_call_fail(c, PLATEN_ERR_FORMAT, "input %u does not fit the axes", input);
    if (s)
        return s;
    *ret = pl_call_scratch(c, pl_tensor_count(&box), sizeof(float));
    if (!*ret)
        return PLATEN_ERR_NOMEM;
    pl_broadcast_steps(t, &box, from);
    pl_dense_steps(&box, to);
    pl_copy_box(*ret, to, t->data, from, box.rank, box.dims, sizeof(float));
    return PLATEN_OK;
}

static platen_status layer_norm_f32(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    const bool rms = pl_call_id(c) == PL_OP_RMSNormalization;
    const double eps = (double)pl_ir_float(c->node, "epsilon", 1e-5f);
    float *scale, *bias;
    int axis = 0;
    platen_status s = pl_norm_need_f32(c);
    s = s ? s : pl_call_axis(c, pl_ir_int(c->node, "axis", -1), x->rank, &axis);
    s = s ? s : repeated(c, 1, axis, &scale);
    s = s ? s : repeated(c, 2, axis, &bias);
    if (s)
        return s;
    const size_t outer = pl_tensor_span(x, 0, axis), n = pl_tensor_span(x, axis, x->rank);
    for (size_t o = 0; o < outer; o++) {
        const float *from = (const float *)x->data + o * n;
        double mean = 0, var = 0;
        if (n)
            c->kernels->moments_f32(&mean, &var, from, n);
        if (rms) {
            var += mean * mean;
            mean = 0;
        }
        const double inv = 1 / sqrt(var + eps);
        if (pl_out(c, 1))
            ((float *)pl_out(c, 1)->data)[o] = (float)mean;
        if (pl_out(c, 2))
            ((float *)pl_out(c, 2)->data)[o] = (float)inv;
        float *to = pl_out(c, 0) ? (float *)pl_out(c, 0)->data + o * n : NULL;
        if (to)
            c->kernels->normalize_f32(to, from, n, mean, inv, scale, bias);
    }
    return PLATEN_OK;
}

platen_status pl_run_layer_norm(struct pl_call *c)
{
    return pl_call_as_f32(c, layer_norm_f32);
}
