/* Operators that passes make: products with their bias, sum and activation. */
#include "nn/op.h"

#include <string.h>

#include "nn/op_activation.h"
#include "nn/op_window.h"

platen_status pl_activation_read(const struct pl_call *c, struct pl_activation *ret)
{
    static const struct {
        uint8_t id, n_params;
    } known[] = {{PL_OP_Clip, 2},      {PL_OP_Gelu, 0},      {PL_OP_HardSigmoid, 2},
                 {PL_OP_HardSwish, 0}, {PL_OP_LeakyRelu, 1}, {PL_OP_Relu, 0},
                 {PL_OP_Sigmoid, 0},   {PL_OP_Swish, 1},     {PL_OP_Tanh, 0}};
    const char *name = pl_ir_string(c->node, "activation", NULL);
    const struct pl_attr *params = pl_ir_attr(c->node, "activation_params");
    *ret = (struct pl_activation){.id = -1};
    if (!name)
        return PLATEN_OK;
    for (size_t i = 0; i < PL_ARRAY_LEN(known); i++)
        if (!strcmp(pl_op_by_id(known[i].id)->name, name)) {
            if ((params ? params->n : 0) != known[i].n_params)
                return pl_call_fail(c, PLATEN_ERR_FORMAT, "parameters of %s", name);
            ret->id = known[i].id;
            for (uint32_t k = 0; k < known[i].n_params; k++)
                ret->p[k] = params->v.floats[k];
            return PLATEN_OK;
        }
    return pl_call_fail(c, PLATEN_ERR_UNSUPPORTED, "activation '%.40s'", name);
}

/* The convolution's own shape, without z. */
static platen_status conv_shape(struct pl_call *c, struct pl_tensor *ret)
{
    struct pl_call inner = *c;
    struct pl_tensor *out[] = {ret};
    inner.n_in = PL_MIN(c->n_in, 3);
    inner.n_out = 1;
    inner.out = out;
    return pl_infer_conv(&inner);
}

platen_status pl_infer_fused_conv(struct pl_call *c)
{
    struct pl_activation a;
    struct pl_tensor conv = {0}, sum;
    platen_status s = conv_shape(c, &conv);
    s = s ? s : pl_activation_read(c, &a);
    if (!s && pl_in(c, 3)) {
        s = pl_call_broadcast(c, &conv, pl_in(c, 3), &sum);
        return s ? s : pl_call_like(c, 0, &sum);
    }
    return s ? s : pl_call_like(c, 0, &conv);
}

/* y = a + z of y's shape, where a is not: the way of Add. */
static platen_status broadcast_sum(struct pl_call *c, const struct pl_tensor *a,
                                   const struct pl_tensor *z, struct pl_tensor *y)
{
    const struct pl_tensor *in[] = {a, z};
    struct pl_tensor *out[] = {y};
    struct pl_ir_node add = *c->node;
    struct pl_call inner = *c;
    add.op = pl_op_by_id(PL_OP_Add);
    inner.node = &add;
    inner.n_in = 2;
    inner.in = in;
    inner.out = out;
    return pl_run_binary(&inner);
}

static platen_status fused_conv_f32(struct pl_call *c)
{
    struct pl_tensor *y = pl_out(c, 0), conv = {0};
    const struct pl_tensor *z = pl_in(c, 3);
    struct pl_activation a;
    platen_status s = pl_activation_read(c, &a);
    if (!s && z && z->type != PL_F32)
        s = pl_call_unsupported_type(c, z->type);
    s = s ? s : conv_shape(c, &conv);
    if (s)
        return s;
    const bool plain = pl_tensor_same_shape(&conv, y);
    conv.data = plain ? y->data : pl_call_scratch(c, pl_tensor_count(&conv), sizeof(float));
    if (!conv.data)
        return PLATEN_ERR_NOMEM;
    s = pl_conv_f32(c, &conv);
    if (!s && z)
        s = broadcast_sum(c, &conv, z, y);
    if (!s)
        pl_activate(&a, y->data, pl_tensor_count(y));
    return s;
}

platen_status pl_run_fused_conv(struct pl_call *c)
{
    return pl_call_as_f32(c, fused_conv_f32);
}

platen_status pl_infer_fused_matmul(struct pl_call *c)
{
    const struct pl_tensor *w = pl_in(c, 1), *b = pl_in(c, 2);
    struct pl_activation a;
    if (w->rank != 2 || (b && (b->rank != 1 || b->dims[0] != w->dims[1])))
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "matrix and bias do not fit");
    platen_status s = pl_activation_read(c, &a);
    return s ? s : pl_infer_matmul(c);
}

static platen_status fused_matmul_f32(struct pl_call *c)
{
    const struct pl_tensor *y = pl_out(c, 0), *b = pl_in(c, 2);
    struct pl_activation a;
    struct pl_call inner = *c;
    float *d = y->data;
    inner.n_in = 2;
    platen_status s = pl_activation_read(c, &a);
    if (!s && b && b->type != PL_F32)
        s = pl_call_unsupported_type(c, b->type);
    s = s ? s : pl_run_matmul(&inner);
    const size_t n = (size_t)pl_in(c, 1)->dims[1];
    for (size_t i = 0; b && !s && i < pl_tensor_count(y); i++)
        d[i] += ((const float *)b->data)[i % n];
    if (!s)
        pl_activate(&a, d, pl_tensor_count(y));
    return s;
}

platen_status pl_run_fused_matmul(struct pl_call *c)
{
    return pl_call_as_f32(c, fused_matmul_f32);
}
