/* SPDX-License-Identifier: BSD-2-Clause */
/* Moves an activation into the convolution or product that it alone reads, and numbers that the
 * result of a convolution is multiplied by and that are added to it. */
#include "compile/pass.h"

#include <string.h>

/* Reads the parameters of an activation as FusedConv takes them; returns their number, or -1 when
 * the activation must stay. */
static int params_of(const struct pl_rewrite *r, const struct pl_ir_node *n, float p[2])
{
    switch (n->op->id) {
    case PL_OP_Relu:
    case PL_OP_HardSwish:
    case PL_OP_Sigmoid:
    case PL_OP_Tanh:
        return 0;
    case PL_OP_Gelu:
        return strcmp(pl_ir_string(n, "approximate", "none"), "none") ? -1 : 0;
    case PL_OP_HardSigmoid:
        p[0] = pl_ir_float(n, "alpha", 0.2f);
        p[1] = pl_ir_float(n, "beta", 0.5f);
        return 2;
    case PL_OP_LeakyRelu:
        p[0] = pl_ir_float(n, "alpha", 0.01f);
        return 1;
    case PL_OP_Swish:
        p[0] = pl_ir_float(n, "alpha", 1.0f);
        return 1;
    case PL_OP_Clip:
        if (n->n_in == 3 ? !pl_rw_scalar(r, n->in[1], &p[0]) || !pl_rw_scalar(r, n->in[2], &p[1])
                         : n->n_in != 1 || !pl_ir_attr(n, "min") || !pl_ir_attr(n, "max"))
            return -1;
        if (n->n_in == 1) {
            p[0] = pl_ir_float(n, "min", 0);
            p[1] = pl_ir_float(n, "max", 0);
        }
        return 2;
    default:
        return -1;
    }
}

static bool takes_activation(const struct pl_ir_node *n)
{
    return (n->op->id == PL_OP_Conv || n->op->id == PL_OP_FusedConv ||
            n->op->id == PL_OP_FusedMatMul) &&
           !pl_ir_attr(n, "activation");
}

static platen_status fuse(struct pl_rewrite *r, struct pl_ir_node *into, struct pl_ir_node *n,
                          const float *params, int n_params)
{
    float *list = PL_NEW(&r->g->arena, float, 2);
    if (!list)
        return pl_fail_nomem(r->err, 2 * sizeof(*list), "a node");
    memcpy(list, params, 2 * sizeof(*list));
    platen_status s = pl_rw_set_attr(
        r, into,
        (struct pl_attr){.name = "activation", .kind = PL_ATTR_STRING, .v = {.s = n->op->name}});
    if (!s && n_params)
        s = pl_rw_set_attr(r, into,
                           (struct pl_attr){.name = "activation_params",
                                            .kind = PL_ATTR_FLOATS,
                                            .n = (uint32_t)n_params,
                                            .v = {.floats = list}});
    if (into->op->id == PL_OP_Conv)
        into->op = pl_op_by_id(PL_OP_FusedConv);
    if (!s)
        pl_rw_absorb(r, into, n);
    return s;
}

/* Returns whether the convolution can take a product or sum with a number, as its attribute `name`:
 * those behind that one are still free, and the number adds no axes to the result. */
static bool takes_number(const struct pl_rewrite *r, const struct pl_ir_node *into,
                         const struct pl_tensor *number, const char *name)
{
    const struct pl_tensor *w = into ? pl_rw_in(r, into, 1) : NULL;
    return w && into->op->id == PL_OP_FusedConv && number->rank <= w->rank &&
           !pl_ir_attr(into, name) && !pl_ir_attr(into, "offset");
}

static platen_status fuse_number(struct pl_rewrite *r, struct pl_ir_node *n)
{
    const char *name = n->op->id == PL_OP_Mul ? "factor" : "offset";
    for (uint32_t i = 0; i < 2; i++) {
        struct pl_attr attr = {.name = name, .kind = PL_ATTR_FLOAT};
        struct pl_ir_node *into = pl_rw_feeder(r, n, i);
        if (!pl_rw_scalar(r, n->in[1 - i], &attr.v.f) ||
            !takes_number(r, into, pl_rw_in(r, n, 1 - i), name))
            continue;
        platen_status s = pl_rw_set_attr(r, into, attr);
        if (!s)
            pl_rw_absorb(r, into, n);
        return s;
    }
    return PLATEN_OK;
}

platen_status pl_pass_fuse(struct pl_rewrite *r)
{
    platen_status s = PLATEN_OK;
    for (size_t i = 0; i < r->g->n_nodes && !s; i++) {
        struct pl_ir_node *n = pl_rw_visit(r, i);
        if (n && (n->op->id == PL_OP_Add || n->op->id == PL_OP_Mul)) {
            s = fuse_number(r, n);
            continue;
        }
        float params[2] = {0};
        const int n_params = n ? params_of(r, n, params) : -1;
        struct pl_ir_node *into = n_params < 0 ? NULL : pl_rw_feeder(r, n, 0);
        if (into && takes_activation(into))
            s = fuse(r, into, n, params, n_params);
    }
    return s;
}
