/* SPDX-License-Identifier: BSD-2-Clause */
/* Normalizations over groups of channels, over neighbouring channels, by a norm, over any axes. */
#include "nn/op/op_norm.h"

#include <math.h>

/* Groups of channels of each picture; an instance is a group of one. Scale and bias come per
 * channel, and per group up to opset 20 of GroupNormalization. */
static platen_status group_norm_f32(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    const bool instance = pl_call_id(c) == PL_OP_InstanceNormalization;
    const double eps = (double)pl_ir_float(c->node, "epsilon", 1e-5f);
    if (x->rank < 2)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "the input has no channels");
    const int64_t channels = x->dims[1];
    const int64_t groups = instance ? channels : pl_ir_int(c->node, "num_groups", 0);
    const bool per_group = !instance && c->opset < 21;
    if (groups < 1 || channels % groups)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "%lld channels in %lld groups",
                            (long long)channels, (long long)groups);
    const size_t per = (size_t)(channels / groups), run = pl_tensor_span(x, 2, x->rank);
    platen_status s = pl_norm_need_f32(c);
    for (uint32_t i = 1; i < 3 && !s; i++)
        s = pl_norm_need_count(c, i, per_group ? groups : channels);
    const float *scale = pl_in(c, 1)->data, *bias = pl_in(c, 2)->data;
    for (size_t g = 0; g < (size_t)(x->dims[0] * groups) && !s; g++) {
        const float *from = (const float *)x->data + g * per * run;
        float *to = (float *)pl_out(c, 0)->data + g * per * run;
        double mean = 0, var = 0;
        if (per * run > 0)
            c->kernels->moments_f32(&mean, &var, from, per * run);
        const double inv = 1 / sqrt(var + eps);
        for (size_t i = 0; i < per * run; i++) {
            size_t k = g % (size_t)groups;
            k = per_group ? k : k * per + i / run;
            to[i] = (float)(((double)from[i] - mean) * inv) * scale[k] + bias[k];
        }
    }
    return s;
}

platen_status pl_run_group_norm(struct pl_call *c)
{
    return pl_call_as_f32(c, group_norm_f32);
}

static platen_status lrn_f32(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    const int64_t size = pl_ir_int(c->node, "size", 1);
    const double alpha = (double)pl_ir_float(c->node, "alpha", 1e-4f) / (double)size;
    const double beta = (double)pl_ir_float(c->node, "beta", 0.75f);
    const double bias = (double)pl_ir_float(c->node, "bias", 1.0f);
    platen_status s = pl_norm_need_f32(c);
    if (s || x->rank < 2 || size < 1)
        return s ? s : pl_call_fail(c, PLATEN_ERR_FORMAT, "no channels, or a bad size");
    const size_t run = pl_tensor_span(x, 2, x->rank);
    const float *from = x->data;
    float *to = pl_out(c, 0)->data;
    for (size_t i = 0; i < pl_tensor_count(x); i++) {
        int64_t k = (int64_t)(i / run) % x->dims[1];
        int64_t lo = PL_MAX(0, k - (size - 1) / 2), hi = PL_MIN(x->dims[1] - 1, k + size / 2);
        double sum = 0;
        for (int64_t j = lo; j <= hi; j++) {
            double v = (double)from[(int64_t)i + (j - k) * (int64_t)run];
            sum += v * v;
        }
        to[i] = (float)((double)from[i] / pow(bias + alpha * sum, beta));
    }
    return PLATEN_OK;
}

platen_status pl_run_lrn(struct pl_call *c)
{
    return pl_call_as_f32(c, lrn_f32);
}

static platen_status lp_norm_f32(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    const int64_t p = pl_ir_int(c->node, "p", 2);
    int axis = 0;
    platen_status s = pl_norm_need_f32(c);
    s = s ? s : pl_call_axis(c, pl_ir_int(c->node, "axis", -1), x->rank, &axis);
    if (s)
        return s;
    const size_t n = (size_t)x->dims[axis], inner = pl_tensor_span(x, axis + 1, x->rank);
    const float *from = x->data;
    float *to = pl_out(c, 0)->data;
    for (size_t j = 0; j < pl_tensor_span(x, 0, axis) * inner; j++) {
        size_t base = j / inner * n * inner + j % inner;
        double sum = 0;
        for (size_t i = 0; i < n; i++) {
            double v = (double)from[base + i * inner];
            sum += p == 1 ? fabs(v) : v * v;
        }
        sum = p == 1 ? sum : sqrt(sum);
        for (size_t i = 0; i < n; i++)
            to[base + i * inner] = sum == 0 ? 0 : (float)((double)from[base + i * inner] / sum);
    }
    return PLATEN_OK;
}

platen_status pl_run_lp_norm(struct pl_call *c)
{
    return pl_call_as_f32(c, lp_norm_f32);
}

/* (x - mean) / (deviation + 1e-9) over axes: elements are sorted into their groups by a key. */
static platen_status mean_variance_f32(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    const struct pl_attr *a = pl_ir_attr(c->node, "axes");
    static const int64_t usual[] = {0, 2, 3};
    ptrdiff_t key_step[PL_MAX_RANK] = {0};
    int64_t at[PL_MAX_RANK] = {0};
    bool gone[PL_MAX_RANK] = {false};
    size_t groups = 1, i = 0;
    platen_status s = pl_norm_need_f32(c);
    for (uint32_t k = 0; k < (a ? a->n : 3) && !s; k++) {
        int axis;
        s = pl_call_axis(c, a ? a->v.ints[k] : usual[k], x->rank, &axis);
        if (!s)
            gone[axis] = true;
    }
    for (int d = x->rank - 1; d >= 0; d--) {
        key_step[d] = gone[d] ? 0 : (ptrdiff_t)groups;
        groups *= gone[d] ? 1 : (size_t)x->dims[d];
    }
    double *sum = pl_call_scratch(c, 2 * groups, sizeof(double)), *sq = sum + groups;
    if (s || !sum || !pl_tensor_count(x))
        return s || sum ? s : PLATEN_ERR_NOMEM;
    const double n = (double)pl_tensor_count(x) / (double)groups;
    const float *from = x->data;
    float *to = pl_out(c, 0)->data;
    for (int pass = 0; pass < 3; pass++) {
        i = 0;
        do {
            ptrdiff_t k = 0;
            for (int d = 0; d < x->rank; d++)
                k += (ptrdiff_t)at[d] * key_step[d];
            double v = (double)from[i], off = v - sum[k] / n;
            if (pass == 0)
                sum[k] += v;
            else if (pass == 1)
                sq[k] += off * off;
            else
                to[i] = (float)(off / (sqrt(sq[k] / n) + 1e-9));
            i++;
        } while (pl_odometer(x->rank, x->dims, at));
    }
    return PLATEN_OK;
}

platen_status pl_run_mean_variance(struct pl_call *c)
{
    return pl_call_as_f32(c, mean_variance_f32);
}
