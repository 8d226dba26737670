/* SPDX-License-Identifier: BSD-2-Clause */
/* Lets the convolution of conv(x) + z add z itself. Shapes are known in the run alone: where that
 * of z is another one, FusedConv broadcasts as Add does. */
#include "compile/pass.h"

static bool takes_sum(const struct pl_ir_node *n)
{
    return n && n->op->id == PL_OP_Conv;
}

platen_status pl_pass_residual(struct pl_rewrite *r)
{
    platen_status s = PLATEN_OK;
    for (size_t i = 0; i < r->g->n_nodes && !s; i++) {
        struct pl_ir_node *n = pl_rw_visit(r, i);
        if (!n || n->op->id != PL_OP_Add)
            continue;
        struct pl_ir_node *a = pl_rw_feeder(r, n, 0), *b = pl_rw_feeder(r, n, 1);
        /* of two, the one that runs later: the other's result is there by then */
        struct pl_ir_node *conv = takes_sum(b) && (!takes_sum(a) || b > a) ? b
                                  : takes_sum(a)                           ? a
                                                                           : NULL;
        if (!conv)
            continue;
        const uint32_t z = n->in[conv == a];
        if (pl_rw_const(r, z))
            continue;
        conv->op = pl_op_by_id(PL_OP_FusedConv);
        s = pl_rw_set_input(r, conv, 3, z);
        if (!s)
            pl_rw_absorb(r, conv, n);
    }
    return s;
}
