/* SPDX-License-Identifier: BSD-2-Clause */
/* The sum of rows of a table along an axis of their indices, each perhaps times a weight, as one
 * node that holds none of the rows: Gather, Mul by an Unsqueeze, ReduceSum. */
#include "compile/pass.h"

/* The parts of the sum. */
struct bag {
    const struct pl_ir_node *gather;
    uint32_t weights; /* The value of the weights; PL_IR_NONE when there are none. */
};

/* Reads the only number of an attribute or, in newer opsets, of a constant input. */
static bool one_axis(const struct pl_rewrite *r, const struct pl_ir_node *n, int64_t *ret)
{
    const struct pl_attr *a = pl_ir_attr(n, "axes");
    const struct pl_tensor *t = pl_rw_in(r, n, 1);
    if (a ? a->n != 1 : !t || t->type != PL_I64 || pl_tensor_count(t) != 1)
        return false;
    *ret = a ? a->v.ints[0] : pl_tensor_i64(t, 0);
    return true;
}

/* Returns how many axes the network declares for an input; -1 = unknown. */
static int rank_of(const struct pl_rewrite *r, uint32_t value)
{
    const struct pl_ir_value *v = &r->g->values[value];
    return v->writer == PL_IR_NONE ? v->t.rank : -1;
}

/* Finds the weights in input i of a product: the value to which an Unsqueeze added a last axis of
 * one. */
static bool read_weights(const struct pl_rewrite *r, const struct pl_ir_node *mul, uint32_t i,
                         uint32_t *ret)
{
    const uint32_t writer = r->g->values[mul->in[i]].writer;
    const struct pl_ir_node *n = writer == PL_IR_NONE ? NULL : &r->g->nodes[writer];
    int64_t axis;
    if (!n || !n->op || n->op->id != PL_OP_Unsqueeze || !one_axis(r, n, &axis))
        return false;
    *ret = n->in[0];
    return axis == -1 || (axis >= 0 && axis == rank_of(r, n->in[0]));
}

static bool is_gather(const struct pl_ir_node *n)
{
    return n && n->op->id == PL_OP_Gather && !pl_ir_int(n, "axis", 0);
}

static bool read_bag(const struct pl_rewrite *r, const struct pl_ir_node *sum, struct bag *ret)
{
    const struct pl_ir_node *n = pl_rw_feeder(r, sum, 0);
    ret->weights = PL_IR_NONE;
    ret->gather = n;
    if (!n || n->op->id != PL_OP_Mul)
        return is_gather(n);
    for (uint32_t i = 0; i < 2; i++) {
        ret->gather = pl_rw_feeder(r, n, i);
        if (is_gather(ret->gather) && read_weights(r, n, 1 - i, &ret->weights))
            return true;
    }
    return false;
}

/* Finds the axis of the indices, counted from their end, over which the sum goes; the last axis of
 * what it reads is that of the rows. */
static bool index_axis(const struct pl_rewrite *r, const struct pl_ir_node *sum,
                       const struct bag *b, int64_t *ret)
{
    int64_t axis;
    int rank = rank_of(r, b->gather->in[1]);
    if (!one_axis(r, sum, &axis))
        return false;
    if (axis >= 0 && b->weights != PL_IR_NONE && rank >= 0)
        rank = rank_of(r, b->weights) < 0 ? -1 : PL_MAX(rank, rank_of(r, b->weights));
    *ret = axis < 0 ? axis + 1 : axis - rank;
    return *ret < 0;
}

/* Adds the constant offset[i] = -zero[i] * scale[i]. */
static platen_status make_offset(struct pl_rewrite *r, const struct pl_ir_node *dequantize,
                                 uint32_t *ret)
{
    const struct pl_tensor *scale = pl_rw_in(r, dequantize, 1), *zero = pl_rw_in(r, dequantize, 2);
    struct pl_tensor *offset;
    platen_status s = pl_rw_new_const(r, r->g->values[dequantize->in[0]].name, scale, ret, &offset);
    scale = pl_rw_in(r, dequantize, 1);
    for (size_t i = 0; !s && zero && i < pl_tensor_count(scale); i++)
        ((float *)offset->data)[i] =
            -((const float *)scale->data)[i] * (float)((const uint8_t *)zero->data)[i];
    return s;
}

/* Returns the DequantizeLinear of rows of bytes that writes a table, or NULL. */
static const struct pl_ir_node *rows_of_bytes(const struct pl_rewrite *r, uint32_t table)
{
    const uint32_t writer = r->g->values[table].writer;
    const struct pl_ir_node *n = writer == PL_IR_NONE ? NULL : &r->g->nodes[writer];
    if (!n || !n->op || n->op->id != PL_OP_DequantizeLinear || pl_ir_int(n, "axis", 1) != 0 ||
        pl_ir_attr(n, "block_size") || pl_ir_attr(n, "output_dtype"))
        return NULL;
    const struct pl_tensor *q = pl_rw_in(r, n, 0), *scale = pl_rw_in(r, n, 1);
    const bool has_zero = n->n_in > 2 && n->in[2] != PL_IR_NONE;
    const struct pl_tensor *zero = has_zero ? pl_rw_in(r, n, 2) : NULL;
    if (!q || q->type != PL_U8 || q->rank != 2 || !scale || scale->type != PL_F32 ||
        scale->rank != 1 || scale->dims[0] != q->dims[0] ||
        (has_zero && (!zero || zero->type != PL_U8 || !pl_tensor_same_shape(zero, scale))))
        return NULL;
    return n;
}

static platen_status make_embedding(struct pl_rewrite *r, struct pl_ir_node *n, const struct bag *b,
                                    int64_t axis)
{
    const uint32_t table = b->gather->in[0], index = b->gather->in[1];
    const struct pl_ir_node *bytes = rows_of_bytes(r, table);
    const struct pl_tensor *t = pl_rw_const(r, table);
    struct pl_attr attr = {.name = "axis", .kind = PL_ATTR_INT};
    struct pl_attr keep = {.name = "keepdims", .kind = PL_ATTR_INT};
    uint32_t offset;
    platen_status s = PLATEN_OK;
    if (!bytes && (!t || t->type != PL_F32 || t->rank != 2))
        return s;
    attr.v.i = axis;
    keep.v.i = pl_ir_int(n, "keepdims", 1);
    n->op = pl_op_by_id(bytes ? PL_OP_QEmbedding : PL_OP_FusedEmbedding);
    n->n_attrs = 0;
    s = pl_rw_set_attr(r, n, attr);
    s = s ? s : pl_rw_set_attr(r, n, keep);
    s = s ? s : pl_rw_set_input(r, n, 0, bytes ? bytes->in[0] : table);
    s = s ? s : pl_rw_set_input(r, n, 1, index);
    if (!s && b->weights != PL_IR_NONE)
        s = pl_rw_set_input(r, n, 2, b->weights);
    if (!s && bytes) {
        s = make_offset(r, bytes, &offset);
        s = s ? s : pl_rw_set_input(r, n, 3, bytes->in[1]);
        s = s ? s : pl_rw_set_input(r, n, 4, offset);
    }
    r->changes++; /* the nodes that were replaced are dead now */
    return s;
}

platen_status pl_pass_embedding(struct pl_rewrite *r)
{
    platen_status s = PLATEN_OK;
    for (size_t i = 0; i < r->g->n_nodes && !s; i++) {
        struct pl_ir_node *n = pl_rw_visit(r, i);
        struct bag b;
        int64_t axis;
        if (n && n->op->id == PL_OP_ReduceSum && read_bag(r, n, &b) && index_axis(r, n, &b, &axis))
            s = make_embedding(r, n, &b, axis);
    }
    return s;
}
