/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes in float32 what a graph computes in float16 or bfloat16: the bodies of operators would
 * convert there and back around every node, and only float32 has kernels and goes to bytes. Inputs
 * and outputs keep their types, by a Cast. */
#include "compile/pass.h"

#include <string.h>

static bool is_half(int type)
{
    return type == PL_F16 || type == PL_BF16;
}

/* Gives the tensor its numbers as float32. */
static platen_status widen(struct pl_rewrite *r, struct pl_tensor *t)
{
    struct pl_tensor wide = *t;
    wide.type = PL_F32;
    const uintptr_t p = (uintptr_t)pl_arena_alloc(&r->g->arena, pl_tensor_bytes(&wide) + 64, 1);
    if (!p)
        return pl_fail_nomem(r->err, pl_tensor_bytes(&wide), "a constant");
    wide.data = (void *)((p + 63) & ~(uintptr_t)63); /* as aligned as in a file */
    pl_tensor_cast_row(wide.data, PL_F32, t->data, t->type, pl_tensor_count(t));
    *t = wide;
    r->changes++;
    return PLATEN_OK;
}

/* Widens the tensor of an attribute, and the type that Cast and its like name. */
static platen_status widen_attr(struct pl_rewrite *r, struct pl_ir_node *n, const struct pl_attr *a)
{
    struct pl_attr wide = *a;
    if (a->kind == PL_ATTR_TENSOR && is_half(a->v.t->type)) {
        struct pl_tensor *t = PL_NEW(&r->g->arena, struct pl_tensor, 1);
        if (!t)
            return pl_fail_nomem(r->err, sizeof(*t), "a constant");
        *t = *a->v.t;
        wide.v.t = t;
        platen_status s = widen(r, t);
        return s ? s : pl_rw_set_attr(r, n, wide);
    }
    if (a->kind != PL_ATTR_INT || (strcmp(a->name, "to") && strcmp(a->name, "dtype")) ||
        !is_half((int)a->v.i))
        return PLATEN_OK;
    wide.v.i = PL_F32;
    r->changes++;
    return pl_rw_set_attr(r, n, wide);
}

/* Turns CastLike of an end or a constant of halves into a Cast. */
static platen_status widen_like(struct pl_rewrite *r, struct pl_ir_node *n)
{
    if (n->op->id != PL_OP_CastLike || !is_half(r->g->values[n->in[1]].t.type))
        return PLATEN_OK;
    n->op = pl_op_by_id(PL_OP_Cast);
    r->n_reads[n->in[1]]--;
    n->n_in = 1;
    r->changes++;
    return pl_rw_set_attr(r, n, (struct pl_attr){.name = "to", .kind = PL_ATTR_INT, .v.i = PL_F32});
}

static platen_status widen_node(struct pl_rewrite *r, struct pl_ir_node *n)
{
    const struct pl_attr *attrs = n->attrs;
    const uint32_t count = n->n_attrs;
    platen_status s = widen_like(r, n);
    for (uint32_t k = 0; k < count && !s; k++)
        s = widen_attr(r, n, &attrs[k]);
    return s;
}

/* Adds a Cast from a value to another one, which it writes. */
static platen_status add_cast(struct pl_rewrite *r, uint32_t from, uint32_t to, enum pl_dtype type)
{
    struct pl_ir *g = r->g;
    struct pl_ir_node *n = &g->nodes[g->n_nodes];
    struct pl_attr *a = PL_NEW(&g->arena, struct pl_attr, 1);
    uint32_t *edges = PL_NEW(&g->arena, uint32_t, 2);
    if (!a || !edges)
        return pl_fail_nomem(r->err, sizeof(*a), "a node");
    *a = (struct pl_attr){.name = "to", .kind = PL_ATTR_INT, .v.i = type};
    edges[0] = from;
    edges[1] = to;
    *n = (struct pl_ir_node){.name = g->values[to].name,
                             .op = pl_op_by_id(PL_OP_Cast),
                             .n_in = 1,
                             .n_out = 1,
                             .n_attrs = 1,
                             .in = edges,
                             .out = edges + 1,
                             .attrs = a};
    g->values[to].writer = (uint32_t)g->n_nodes;
    r->n_reads[from]++;
    r->dead[g->n_nodes++] = false;
    r->changes++;
    return PLATEN_OK;
}

/* Adds a value that takes over name and type of an end of the graph; the old one, between a Cast
 * and the other nodes, gets a name of its own. */
static platen_status part_end(struct pl_rewrite *r, uint32_t *end, uint32_t *ret_inner)
{
    struct pl_ir *g = r->g;
    struct pl_ir_value *old = &g->values[*end], *outer = &g->values[g->n_values];
    const char *name = pl_ir_name(g, old->name, "f32");
    if (!name)
        return pl_fail_nomem(r->err, strlen(old->name), "a name");
    if (g->n_values == PL_IR_MAX_VALUES)
        return pl_fail(r->err, PLATEN_ERR_LIMIT, "more than %zu values", g->n_values);
    *outer = *old;
    outer->writer = PL_IR_NONE;
    old->name = name;
    r->n_reads[g->n_values] = 0;
    *ret_inner = *end;
    *end = (uint32_t)g->n_values++;
    return PLATEN_OK;
}

static platen_status widen_ends(struct pl_rewrite *r)
{
    struct pl_ir *g = r->g;
    platen_status s = PLATEN_OK;
    uint32_t inner;
    for (size_t i = 0; i < g->n_outputs && !s; i++) {
        const struct pl_ir_value *v = &g->values[g->outputs[i]];
        const enum pl_dtype type = v->t.type;
        if (v->writer == PL_IR_NONE || !is_half(type))
            continue;
        s = part_end(r, &g->outputs[i], &inner);
        s = s ? s : add_cast(r, inner, g->outputs[i], type);
    }
    for (size_t i = 0; i < g->n_inputs && !s; i++) {
        if (!is_half(g->values[g->inputs[i]].t.type) || !r->n_reads[g->inputs[i]])
            continue;
        s = part_end(r, &g->inputs[i], &inner);
        if (s)
            return s;
        g->values[inner].t = (struct pl_tensor){.rank = PL_IR_UNWRITTEN};
        s = add_cast(r, g->inputs[i], inner, PL_F32);
    }
    return s;
}

/* Returns whether the node's result is float32 now, given that of its first input. */
static bool gives_f32(const struct pl_ir_node *n, bool first)
{
    pl_call_fn *const same[] = {pl_infer_same,    pl_infer_binary,    pl_infer_concat,
                                pl_infer_reshape, pl_infer_transpose, pl_infer_slice,
                                pl_infer_pool,    pl_infer_squeeze,   pl_infer_unsqueeze,
                                pl_infer_reduce,  pl_infer_resize,    pl_infer_split};
    if (n->op->id == PL_OP_Cast)
        return pl_ir_int(n, "to", 0) == PL_F32;
    if (n->op->infer == pl_infer_conv || n->op->infer == pl_infer_conv_transpose ||
        n->op->infer == pl_infer_batch_norm || n->op->infer == pl_infer_global_pool)
        return true;
    for (size_t i = 0; i < PL_ARRAY_LEN(same); i++)
        if (n->op->infer == same[i])
            return first;
    return false;
}

/* Turns a Cast from float32 to float32 into Identity. */
static platen_status drop_casts(struct pl_rewrite *r)
{
    const struct pl_ir *g = r->g;
    bool *f32 = PL_NEW(&r->scratch, bool, r->max_values);
    if (!f32)
        return pl_fail_nomem(r->err, r->max_values, "a graph");
    for (size_t v = 0; v < g->n_values; v++)
        f32[v] = g->values[v].writer == PL_IR_NONE && g->values[v].t.type == PL_F32;
    for (size_t i = 0; i < g->n_nodes; i++) {
        struct pl_ir_node *n = pl_rw_visit(r, i);
        const bool first = n && n->n_in && n->in[0] != PL_IR_NONE && f32[n->in[0]];
        if (!n)
            continue;
        if (n->op->id == PL_OP_Cast && first && pl_ir_int(n, "to", 0) == PL_F32) {
            n->op = pl_op_by_id(PL_OP_Identity);
            n->n_attrs = 0;
        }
        for (uint32_t k = 0; k < n->n_out; k++)
            if (n->out[k] != PL_IR_NONE)
                f32[n->out[k]] = gives_f32(n, first) || (n->op->id == PL_OP_Identity && first);
    }
    return PLATEN_OK;
}

bool pl_is_of_halves(const struct pl_ir *g)
{
    bool halves = false;
    for (size_t v = 0; v < g->n_values; v++)
        halves |= g->values[v].t.data && is_half(g->values[v].t.type);
    for (size_t i = 0; i < g->n_inputs; i++)
        halves |= is_half(g->values[g->inputs[i]].t.type);
    for (size_t i = 0; i < g->n_nodes; i++)
        for (uint32_t k = 0; k < g->nodes[i].n_attrs; k++) {
            const struct pl_attr *a = &g->nodes[i].attrs[k];
            halves |= a->kind == PL_ATTR_TENSOR && is_half(a->v.t->type);
        }
    return halves;
}

platen_status pl_pass_half(struct pl_rewrite *r)
{
    struct pl_ir *g = r->g;
    platen_status s = PLATEN_OK;
    if (!pl_is_of_halves(g))
        return PLATEN_OK;
    for (size_t i = 0; i < g->n_nodes && !s; i++) {
        struct pl_ir_node *n = pl_rw_visit(r, i);
        if (n)
            s = widen_node(r, n);
    }
    for (size_t v = 0; v < g->n_values && !s; v++)
        if (g->values[v].t.data && is_half(g->values[v].t.type))
            s = widen(r, &g->values[v].t);
    s = s ? s : widen_ends(r);
    return s ? s : drop_casts(r);
}
