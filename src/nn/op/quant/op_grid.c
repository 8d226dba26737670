/* SPDX-License-Identifier: BSD-2-Clause */
/* Floats on the grid of bytes, where a graph that was quantised elsewhere rounds what stays floats.
 */
#include "nn/op/quant/op_quant.h"

#include <math.h>
#include <string.h>

#include "nn/op/op_activation.h"

/* (q - zero) * scale for the byte q that is nearest to x, ties to even; a NaN becomes byte 0. */
static float round_to_grid(float x, float scale, float zero)
{
    const float q = rintf(x / scale) + zero, low = q > 0 ? q : 0;
    return (PL_MIN(low, 255.0f) - zero) * scale;
}

platen_status pl_infer_round_to_grid(struct pl_call *c)
{
    int32_t zero;
    const float scale = pl_ir_float(c->node, "scale", 0);
    platen_status s = pl_q_zero(c, "zero", &zero);
    if (!s && !(scale >= 1e-30f && scale <= 1e30f))
        s = pl_call_fail(c, PLATEN_ERR_FORMAT, "attribute 'scale' is missing or out of range");
    return s ? s : pl_call_like(c, 0, pl_in(c, 0));
}

static platen_status round_f32(struct pl_call *c)
{
    const float scale = pl_ir_float(c->node, "scale", 1);
    const float zero = (float)pl_ir_int(c->node, "zero", 0), *x = pl_in(c, 0)->data;
    float *y = pl_out(c, 0)->data;
    for (size_t i = 0; i < pl_tensor_count(pl_in(c, 0)); i++)
        y[i] = round_to_grid(x[i], scale, zero);
    return PLATEN_OK;
}

platen_status pl_run_round_to_grid(struct pl_call *c)
{
    return pl_call_as_f32(c, round_f32);
}

platen_status pl_infer_fused_gate(struct pl_call *c)
{
    struct pl_activation a;
    platen_status s = pl_activation_read(c, &a);
    return s ? s : pl_infer_round_to_grid(c);
}

static platen_status gate_f32(struct pl_call *c)
{
    const float *x = pl_in(c, 0)->data;
    const size_t n = pl_tensor_count(pl_in(c, 0));
    float *y = pl_out(c, 0)->data;
    struct pl_activation a;
    platen_status s = pl_activation_read(c, &a);
    if (s)
        return s;
    if (n)
        memcpy(y, x, n * sizeof(*y));
    pl_activate(c->kernels, &a, y, y, NULL, n);
    s = round_f32(&(struct pl_call){.node = c->node,
                                    .n_in = 1,
                                    .n_out = 1,
                                    .in = (const struct pl_tensor *[]){pl_out(c, 0)},
                                    .out = c->out});
    for (size_t i = 0; i < n && !s; i++)
        y[i] *= x[i];
    return s;
}

platen_status pl_run_fused_gate(struct pl_call *c)
{
    return pl_call_as_f32(c, gate_f32);
}
