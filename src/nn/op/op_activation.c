/* SPDX-License-Identifier: BSD-2-Clause */
/* The activations that passes make a part of another operator. */
#include "nn/op/op_activation.h"

#include <string.h>

bool pl_activation_kernel(int id, float alpha, float beta, struct pl_act_use *ret)
{
    static const struct {
        uint8_t id, act;
    } known[] = {
        {PL_OP_Clip, PL_ACT_CLIP},
        {PL_OP_Erf, PL_ACT_ERF},
        {PL_OP_Gelu, PL_ACT_GELU},
        {PL_OP_HardSigmoid, PL_ACT_HARD_SIGMOID},
        {PL_OP_HardSwish, PL_ACT_HARD_SWISH},
        {PL_OP_LeakyRelu, PL_ACT_LEAKY_RELU},
        {PL_OP_Relu, PL_ACT_RELU},
        {PL_OP_Sigmoid, PL_ACT_SIGMOID},
        {PL_OP_Swish, PL_ACT_SWISH},
        {PL_OP_Tanh, PL_ACT_TANH},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(known); i++)
        if (known[i].id == id) {
            *ret = (struct pl_act_use){.act = known[i].act,
                                       .a = id == PL_OP_HardSwish ? 1.0f / 6 : alpha,
                                       .b = id == PL_OP_HardSwish ? 0.5f : beta};
            return true;
        }
    return false;
}

void pl_activate(const struct pl_kernels *k, const struct pl_activation *a, float *y,
                 const float *x, const float *z, size_t n)
{
    struct pl_act_use use = {.act = PL_ACT_NONE};
    const bool any = a->id >= 0 && pl_activation_kernel(a->id, a->p[0], a->p[1], &use);
    use.scaled = a->scaled;
    use.factor = a->factor;
    use.offset = a->offset;
    if (any || z || a->scaled)
        k->act_f32(y, x, z, n, &use);
    else if (y != x)
        memcpy(y, x, n * sizeof(*y));
}

platen_status pl_activation_read(const struct pl_call *c, struct pl_activation *ret)
{
#define ACTIVATION(op, n_params)                                                                   \
    {                                                                                              \
#op, PL_OP_##op, n_params                                                                  \
    }
    static const struct {
        const char *name;
        uint8_t id, n_params;
    } known[] = {ACTIVATION(Clip, 2),      ACTIVATION(Gelu, 0),      ACTIVATION(HardSigmoid, 2),
                 ACTIVATION(HardSwish, 0), ACTIVATION(LeakyRelu, 1), ACTIVATION(Relu, 0),
                 ACTIVATION(Sigmoid, 0),   ACTIVATION(Swish, 1),     ACTIVATION(Tanh, 0)};
    const char *name = pl_ir_string(c->node, "activation", NULL);
    const struct pl_attr *params = pl_ir_attr(c->node, "activation_params");
    *ret = (struct pl_activation){
        .id = -1,
        .scaled = pl_ir_attr(c->node, "factor") || pl_ir_attr(c->node, "offset"),
        .factor = pl_ir_float(c->node, "factor", 1),
        .offset = pl_ir_float(c->node, "offset", -0.0f)}; /* what changes no number */
    if (!name)
        return PLATEN_OK;
    for (size_t i = 0; i < PL_ARRAY_LEN(known); i++)
        if (!strcmp(known[i].name, name)) {
            if ((params ? params->n : 0) != known[i].n_params)
                return pl_call_fail(c, PLATEN_ERR_FORMAT, "%s has other parameters", name);
            ret->id = known[i].id;
            for (uint32_t k = 0; k < known[i].n_params; k++)
                ret->p[k] = params->v.floats[k];
            return PLATEN_OK;
        }
    return pl_call_fail(c, PLATEN_ERR_UNSUPPORTED, "activation '%.40s'", name);
}
