/* SPDX-License-Identifier: BSD-2-Clause */
/* x + x * s, as the excitation of channels behind a residual is written out (Hu and others,
 * "Squeeze-and-Excitation Networks", 2018), becomes x * (s + 1): s has a number for each channel,
 * so that a map is read and written once and not twice. */
#include "compile/pass.h"

static struct pl_ir_node *writer(const struct pl_rewrite *r, uint32_t value)
{
    const uint32_t w = value == PL_IR_NONE ? PL_IR_NONE : r->g->values[value].writer;
    return w == PL_IR_NONE || !r->g->nodes[w].op ? NULL : &r->g->nodes[w];
}

/* Tells whether a value is a sigmoid of a convolution of floats: the type of 1 hangs on it. */
static bool is_excitation(const struct pl_rewrite *r, uint32_t value)
{
    const struct pl_ir_node *n = writer(r, value);
    if (!n || (n->op->id != PL_OP_Sigmoid && n->op->id != PL_OP_HardSigmoid))
        return false;
    const struct pl_ir_node *conv = writer(r, n->in[0]);
    const struct pl_tensor *w = conv && conv->op->id == PL_OP_Conv ? pl_rw_in(r, conv, 1) : NULL;
    return w && w->type == PL_F32;
}

/* The product becomes the sum with 1, the sum n the product. */
static platen_status change(struct pl_rewrite *r, struct pl_ir_node *n, uint32_t x,
                            struct pl_ir_node *product, uint32_t s)
{
    const struct pl_tensor scalar = {.type = PL_F32};
    const uint32_t sum = product->out[0];
    struct pl_tensor *data;
    uint32_t one;
    platen_status st = pl_rw_new_const(r, "one", &scalar, &one, &data);
    if (st)
        return st;
    *(float *)data->data = 1;
    product->op = pl_op_by_id(PL_OP_Add);
    n->op = pl_op_by_id(PL_OP_Mul);
    r->changes++;
    st = pl_rw_set_input(r, product, 0, s);
    st = st ? st : pl_rw_set_input(r, product, 1, one);
    st = st ? st : pl_rw_set_input(r, n, 0, x);
    return st ? st : pl_rw_set_input(r, n, 1, sum);
}

platen_status pl_pass_excitation(struct pl_rewrite *r)
{
    platen_status st = PLATEN_OK;
    for (size_t i = 0; i < r->g->n_nodes && !st; i++) {
        struct pl_ir_node *n = pl_rw_visit(r, i);
        bool found = false;
        for (uint32_t k = 0; n && n->op->id == PL_OP_Add && k < 4 && !found && !st; k++) {
            const uint32_t x = n->in[k / 2];
            struct pl_ir_node *product = pl_rw_feeder(r, n, 1 - k / 2);
            found = product && product->op->id == PL_OP_Mul && product->in[k % 2] == x &&
                    is_excitation(r, product->in[1 - k % 2]);
            if (found)
                st = change(r, n, x, product, product->in[1 - k % 2]);
        }
    }
    return st;
}
