/* SPDX-License-Identifier: BSD-2-Clause */
/* Operators that passes make: products with their bias, sum and activation. */
#include "nn/operators.h"

#include <string.h>

#include "nn/op/op_conv.h"
#include "nn/op/op_gemm.h"

/* Sets the shape of the convolution alone, without the sum with z. */
static platen_status conv_shape(struct pl_call *c, struct pl_tensor *ret)
{
    const struct pl_tensor *x = pl_in(c, 0), *weights = pl_in(c, 1);
    struct pl_conv v;
    int64_t dims[PL_MAX_RANK];
    platen_status s = pl_conv_read(c, x, weights, pl_in(c, 2), &v);
    if (s)
        return s;
    dims[0] = x->dims[0];
    dims[1] = (int64_t)(v.groups * v.out_channels);
    for (int i = 2; i < x->rank; i++)
        dims[i] = v.w.out[PL_MAX_SPACE - v.w.n + i - 2];
    if (!pl_tensor_shape(ret, x->type, x->rank, dims))
        return pl_call_fail(c, PLATEN_ERR_LIMIT, "a shape beyond the limits");
    return PLATEN_OK;
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

/* Computes y = a + z by the body of Add, for an a that is broadcast. */
static platen_status broadcast_sum(struct pl_call *c, const struct pl_tensor *a,
                                   const struct pl_tensor *z, struct pl_tensor *y)
{
    static const struct pl_op op = {.name = "Add", .id = PL_OP_Add};
    const struct pl_tensor *in[] = {a, z};
    struct pl_tensor *out[] = {y};
    struct pl_ir_node add = *c->node;
    struct pl_call inner = *c;
    add.op = &op;
    inner.node = &add;
    inner.n_in = 2;
    inner.in = in;
    inner.out = out;
    return pl_run_binary(&inner);
}

static platen_status fused_conv_f32(struct pl_call *c)
{
    const struct pl_activation none = {.id = -1};
    struct pl_tensor *y = pl_out(c, 0), conv = {0};
    const struct pl_tensor *z = pl_in(c, 3);
    struct pl_activation a;
    platen_status s = pl_activation_read(c, &a);
    if (!s && z && z->type != PL_F32)
        s = pl_call_unsupported_type(c, z->type);
    s = s ? s : conv_shape(c, &conv);
    if (s)
        return s;
    if (!z || (pl_tensor_same_shape(&conv, y) && pl_tensor_same_shape(z, y)))
        return pl_conv_f32(c, y, z ? z->data : NULL, &a);
    conv.data = pl_call_scratch(c, pl_tensor_count(&conv), sizeof(float));
    if (!conv.data)
        return PLATEN_ERR_NOMEM;
    s = pl_conv_f32(c, &conv, NULL, &none);
    s = s ? s : broadcast_sum(c, &conv, z, y);
    if (!s)
        pl_activate(c->kernels, &a, y->data, y->data, NULL, pl_tensor_count(y));
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
    platen_status s = pl_activation_read(c, &a);
    if (!s && b && b->type != PL_F32)
        s = pl_call_unsupported_type(c, b->type);
    s = s ? s : pl_matmul_f32(c, b ? b->data : NULL);
    if (!s)
        pl_activate(c->kernels, &a, y->data, y->data, NULL, pl_tensor_count(y));
    return s;
}

platen_status pl_run_fused_matmul(struct pl_call *c)
{
    return pl_call_as_f32(c, fused_matmul_f32);
}
