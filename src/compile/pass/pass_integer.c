/* SPDX-License-Identifier: BSD-2-Clause */
/* Convolutions and products of bytes whose sums become floats at once, as onnxruntime's
 * quantize_dynamic() writes them: they compute in floats, on the same whole numbers. Sums below
 * 2^24 are exact so. And weights of bytes with scales, which become floats once and not in each
 * run. */
#include "compile/pass.h"

/* Makes the weights floats, less their zero points: one, or one for each entry of the axis. */
static platen_status make_weights(struct pl_rewrite *r, const struct pl_ir_node *n, int axis,
                                  uint32_t *ret)
{
    const struct pl_tensor *w = pl_rw_in(r, n, 1), *zero = pl_rw_in(r, n, 3);
    const size_t zeros = zero ? pl_tensor_count(zero) : 1;
    const size_t inner = pl_tensor_span(w, axis + 1, w->rank);
    struct pl_tensor shape = *w, *to;
    shape.type = PL_F32;
    shape.data = NULL;
    platen_status s = pl_rw_new_const(r, pl_ir_name(r->g, n->name, "weights"), &shape, ret, &to);
    for (size_t i = 0; i < pl_tensor_count(w) && !s; i++) {
        const size_t k = zeros == 1 ? 0 : i / inner % zeros;
        ((float *)to->data)[i] = (float)(pl_tensor_i64(w, i) - (zero ? pl_tensor_i64(zero, k) : 0));
    }
    return s;
}

/* Adds the node that makes floats of the bytes, less their zero point. */
static platen_status add_input(struct pl_rewrite *r, const struct pl_ir_node *n, uint32_t *ret)
{
    struct pl_ir *g = r->g;
    struct pl_tensor shape = {.type = PL_F32}, *one;
    const char *name = pl_ir_name(g, n->name, "floats");
    uint32_t scale;
    platen_status s =
        name ? pl_rw_new_const(r, name, &shape, &scale, &one) : pl_fail_nomem(r->err, 1, "a name");
    uint32_t *edges = PL_NEW(&g->arena, uint32_t, 4);
    if (!s && !edges)
        s = pl_fail_nomem(r->err, 4 * sizeof(*edges), "a node");
    if (s)
        return s;
    *(float *)one->data = 1;
    *ret = (uint32_t)g->n_values;
    edges[0] = n->in[0];
    edges[1] = scale;
    edges[2] = n->n_in > 2 ? n->in[2] : PL_IR_NONE;
    edges[3] = *ret;
    for (int k = 0; k < 3; k++)
        if (edges[k] != PL_IR_NONE)
            r->n_reads[edges[k]]++;
    g->nodes[g->n_nodes] = (struct pl_ir_node){.name = name,
                                               .op = pl_op_by_id(PL_OP_DequantizeLinear),
                                               .n_in = 3,
                                               .n_out = 1,
                                               .in = edges,
                                               .out = edges + 3};
    g->values[g->n_values] = (struct pl_ir_value){
        .name = name, .t.rank = PL_IR_UNWRITTEN, .writer = (uint32_t)g->n_nodes};
    r->n_reads[g->n_values++] = 0;
    r->dead[g->n_nodes++] = false;
    return PLATEN_OK;
}

/* Returns whether the bytes have one zero point. */
static bool has_one_zero(const struct pl_rewrite *r, const struct pl_ir_node *n)
{
    const uint32_t zero = n->n_in > 2 ? n->in[2] : PL_IR_NONE;
    const struct pl_tensor *t = pl_rw_const(r, zero);
    const uint32_t writer = zero == PL_IR_NONE ? PL_IR_NONE : r->g->values[zero].writer;
    if (writer != PL_IR_NONE)
        return r->g->nodes[writer].op->id == PL_OP_DynamicQuantizeLinear;
    return zero == PL_IR_NONE || (t && pl_tensor_count(t) == 1);
}

/* Returns whether weights and zero points are such constants as the node takes. */
static bool fits(const struct pl_rewrite *r, const struct pl_ir_node *n, bool conv)
{
    const struct pl_tensor *w = pl_rw_in(r, n, 1), *zero = pl_rw_in(r, n, 3);
    const bool given = n->n_in > 3 && n->in[3] != PL_IR_NONE;
    if (!w || pl_dtype_bytes(w->type) != 1 || w->rank < 2 || (given && !zero) ||
        !has_one_zero(r, n))
        return false;
    return !zero || pl_tensor_count(zero) == 1 ||
           (zero->rank == 1 && zero->dims[0] == w->dims[conv ? 0 : w->rank - 1]);
}

static platen_status to_floats(struct pl_rewrite *r, struct pl_ir_node *n, struct pl_ir_node *cast)
{
    const bool conv = n->op->id == PL_OP_ConvInteger;
    uint32_t x, w;
    platen_status s = make_weights(r, n, conv ? 0 : pl_rw_in(r, n, 1)->rank - 1, &w);
    s = s ? s : add_input(r, n, &x);
    s = s ? s : pl_rw_set_input(r, n, 0, x);
    s = s ? s : pl_rw_set_input(r, n, 1, w);
    if (s)
        return s;
    for (uint32_t k = 2; k < n->n_in; k++)
        if (n->in[k] != PL_IR_NONE)
            r->n_reads[n->in[k]]--;
    n->n_in = 2;
    n->op = pl_op_by_id(conv ? PL_OP_Conv : PL_OP_MatMul);
    pl_rw_absorb(r, n, cast);
    r->changes++;
    return PLATEN_OK;
}

/* Notes the values in which rows are looked up: pass `embedding` keeps the bytes of such tables. */
static platen_status find_tables(struct pl_rewrite *r, bool **ret)
{
    bool *tables = PL_NEW(&r->scratch, bool, r->max_values);
    if (!tables)
        return pl_fail_nomem(r->err, r->max_values, "a graph");
    for (size_t i = 0; i < r->g->n_nodes; i++) {
        const struct pl_ir_node *n = pl_rw_visit(r, i);
        if (n && n->op->id == PL_OP_Gather)
            tables[n->in[0]] = true;
    }
    *ret = tables;
    return PLATEN_OK;
}

/* Returns whether the node makes floats of bytes, or moves numbers, and reads constants alone. */
static bool makes_weights(const struct pl_rewrite *r, const struct pl_ir_node *n,
                          const bool *tables)
{
    const int op = n->op->id;
    if ((op != PL_OP_DequantizeLinear && op != PL_OP_Transpose && op != PL_OP_Reshape) ||
        tables[n->out[0]])
        return false;
    for (uint32_t k = 0; k < n->n_in; k++)
        if (n->in[k] != PL_IR_NONE && !pl_rw_const(r, n->in[k]))
            return false;
    return true;
}

platen_status pl_pass_integer(struct pl_rewrite *r)
{
    const size_t n_nodes = r->g->n_nodes; /* The nodes behind these are new ones. */
    bool *tables = NULL;
    platen_status s = find_tables(r, &tables);
    for (size_t i = 0; i < n_nodes && !s; i++) {
        struct pl_ir_node *cast = pl_rw_visit(r, i);
        if (cast && makes_weights(r, cast, tables)) {
            s = pl_rw_fold(r, cast);
            continue;
        }
        if (!cast || cast->op->id != PL_OP_Cast || pl_ir_int(cast, "to", 0) != PL_F32)
            continue;
        struct pl_ir_node *n = pl_rw_feeder(r, cast, 0);
        if (n && (n->op->id == PL_OP_ConvInteger || n->op->id == PL_OP_MatMulInteger) &&
            fits(r, n, n->op->id == PL_OP_ConvInteger))
            s = to_floats(r, n, cast);
    }
    return s;
}
