/* SPDX-License-Identifier: BSD-2-Clause */
/* Takes out nodes whose output is their input. */
#include "compile/pass.h"

#include <string.h>

static bool all_zero(const struct pl_rewrite *r, const struct pl_ir_node *n)
{
    const struct pl_tensor *t = pl_rw_in(r, n, 1);
    const struct pl_attr *a = pl_ir_attr(n, "pads");
    if (!t && !a)
        return false;
    for (size_t i = 0; i < (t ? pl_tensor_count(t) : a->n); i++)
        if (t ? pl_tensor_i64(t, i) : a->v.ints[i])
            return false;
    return true;
}

static bool copies(const struct pl_rewrite *r, const struct pl_ir_node *n)
{
    const struct pl_attr *perm = pl_ir_attr(n, "perm");
    switch (n->op->id) {
    case PL_OP_Identity:
        return true;
    case PL_OP_Dropout:
        return n->n_in < 3;
    case PL_OP_Concat:
    case PL_OP_Sum:
    case PL_OP_Max:
    case PL_OP_Min:
        return n->n_in == 1;
    case PL_OP_Pad:
        return all_zero(r, n);
    case PL_OP_Transpose:
        for (uint32_t i = 0; perm && i < perm->n; i++)
            if (perm->v.ints[i] != i)
                return false;
        return perm;
    default:
        return false;
    }
}

platen_status pl_pass_identity(struct pl_rewrite *r)
{
    for (size_t i = 0; i < r->g->n_nodes; i++) {
        struct pl_ir_node *n = pl_rw_visit(r, i);
        if (n && copies(r, n) && n->in[0] != PL_IR_NONE && n->out[0] != PL_IR_NONE)
            pl_rw_bypass(r, n, n->in[0]);
    }
    return PLATEN_OK;
}
