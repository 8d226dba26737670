/* SPDX-License-Identifier: BSD-2-Clause */
/* Layer normalization (Ba and others, 2016) as exporters below opset 17 write it out:
 * d = x - mean(x); d / sqrt(mean(d * d) + epsilon) * scale + bias, the means over the last axis. */
#include "compile/pass.h"

/* Returns the node that writes a value, if it is that operator; else NULL. */
static const struct pl_ir_node *writer(const struct pl_rewrite *r, uint32_t value, int op)
{
    const uint32_t w = value == PL_IR_NONE ? PL_IR_NONE : r->g->values[value].writer;
    const struct pl_ir_node *n = w == PL_IR_NONE ? NULL : &r->g->nodes[w];
    return n && n->op && n->op->id == op ? n : NULL;
}

/* Tells whether n is a mean over the last axis alone, which stays with one element. */
static bool is_mean(const struct pl_rewrite *r, const struct pl_ir_node *n)
{
    const struct pl_extent *known = r->ctx;
    const struct pl_attr *attr = pl_ir_attr(n, "axes");
    const struct pl_tensor *input = pl_rw_in(r, n, 1);
    int64_t axis = 0;
    if (attr && attr->n == 1)
        axis = attr->v.ints[0];
    else if (input && input->type == PL_I64 && pl_tensor_count(input) == 1)
        axis = pl_tensor_i64(input, 0);
    else
        return false;
    const int64_t rank = known[n->in[0]].rank;
    return pl_ir_int(n, "keepdims", 1) && (axis == -1 || (rank > 0 && axis == rank - 1));
}

/* value = the mean of the squares of d */
static bool is_variance(const struct pl_rewrite *r, uint32_t value, uint32_t d)
{
    const struct pl_ir_node *mean = writer(r, value, PL_OP_ReduceMean);
    const struct pl_ir_node *square = mean ? writer(r, mean->in[0], PL_OP_Mul) : NULL;
    float exponent;
    if (!mean || !is_mean(r, mean))
        return false;
    if (square)
        return square->in[0] == d && square->in[1] == d;
    square = writer(r, mean->in[0], PL_OP_Pow);
    return square && square->in[0] == d && pl_rw_scalar(r, square->in[1], &exponent) &&
           exponent == 2;
}

/* value = sqrt(variance of d + epsilon) */
static bool is_deviation(const struct pl_rewrite *r, uint32_t value, uint32_t d, float *ret_epsilon)
{
    const struct pl_ir_node *root = writer(r, value, PL_OP_Sqrt);
    const struct pl_ir_node *sum = root ? writer(r, root->in[0], PL_OP_Add) : NULL;
    for (uint32_t i = 0; sum && i < 2; i++)
        if (pl_rw_scalar(r, sum->in[i], ret_epsilon) && is_variance(r, sum->in[1 - i], d))
            return true;
    return false;
}

/* value = d / deviation of d, d = x - mean of x */
static bool is_normal(const struct pl_rewrite *r, uint32_t value, uint32_t *ret_x,
                      float *ret_epsilon)
{
    const struct pl_ir_node *div = writer(r, value, PL_OP_Div);
    const struct pl_ir_node *sub = div ? writer(r, div->in[0], PL_OP_Sub) : NULL;
    const struct pl_ir_node *mean = sub ? writer(r, sub->in[1], PL_OP_ReduceMean) : NULL;
    if (!mean || mean->in[0] != sub->in[0] || !is_mean(r, mean) ||
        !is_deviation(r, div->in[1], div->in[0], ret_epsilon))
        return false;
    *ret_x = sub->in[0];
    return true;
}

/* Returns the length of a constant row of floats that is input i, or 0. */
static int64_t row_length(const struct pl_rewrite *r, const struct pl_ir_node *n, uint32_t i)
{
    const struct pl_tensor *t = pl_rw_in(r, n, i);
    return t && t->type == PL_F32 && t->rank == 1 ? t->dims[0] : 0;
}

/* Makes the product with the scale the whole, but for the bias. */
static platen_status find_scaled(struct pl_rewrite *r, struct pl_ir_node *n)
{
    struct pl_attr epsilon = {.name = "epsilon", .kind = PL_ATTR_FLOAT};
    uint32_t x;
    for (uint32_t i = 0; i < 2; i++) {
        if (!row_length(r, n, i) || !is_normal(r, n->in[1 - i], &x, &epsilon.v.f))
            continue;
        const uint32_t scale = n->in[i];
        n->op = pl_op_by_id(PL_OP_LayerNormalization);
        r->changes++; /* the nodes that were replaced are dead now */
        platen_status s = pl_rw_set_input(r, n, 0, x);
        s = s ? s : pl_rw_set_input(r, n, 1, scale);
        return s ? s : pl_rw_set_attr(r, n, epsilon);
    }
    return PLATEN_OK;
}

/* Takes a sum with a constant row into the normalization before it as its bias. */
static platen_status add_bias(struct pl_rewrite *r, struct pl_ir_node *n)
{
    for (uint32_t i = 0; i < 2; i++) {
        struct pl_ir_node *norm = pl_rw_feeder(r, n, 1 - i);
        if (!norm || norm->op->id != PL_OP_LayerNormalization || norm->n_in != 2 ||
            pl_ir_int(norm, "axis", -1) != -1 || !row_length(r, n, i) ||
            row_length(r, n, i) != row_length(r, norm, 1))
            continue;
        platen_status s = pl_rw_set_input(r, norm, 2, n->in[i]);
        if (!s)
            pl_rw_absorb(r, norm, n);
        return s;
    }
    return PLATEN_OK;
}

platen_status pl_pass_layernorm(struct pl_rewrite *r)
{
    struct pl_extent *known;
    platen_status s = pl_rw_extents(r, &known);
    if (!s)
        r->ctx = known;
    for (size_t i = 0; i < r->g->n_nodes && !s; i++) {
        struct pl_ir_node *n = pl_rw_visit(r, i);
        if (n && n->op->id == PL_OP_Mul)
            s = find_scaled(r, n);
        else if (n && n->op->id == PL_OP_Add)
            s = add_bias(r, n);
    }
    return s;
}
