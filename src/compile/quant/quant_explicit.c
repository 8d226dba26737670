/* SPDX-License-Identifier: BSD-2-Clause */
/* Graphs that were quantised elsewhere. A value between QuantizeLinear and DequantizeLinear, or
 * beside QLinearConv and QLinearMatMul, stands for floats on a known grid: here it becomes floats
 * behind a RoundToGrid, so that the graph computes what it did (the grid limits, too: exporters
 * leave out a Relu where it ends at 0), and the grid is noted by the name of the value. */
#include <stdlib.h>
#include <string.h>

#include "compile/pass.h"
#include "compile/quant.h"

/* What the bytes of a value mean. */
struct grid {
    bool known; /* It is a value of bytes. */
    struct pl_q_scale s;
};

/* What is taken out of a graph. */
struct told {
    struct grid *grids; /* The grid of each value. */
    struct pl_quant_fixed *list;
    size_t n, max;
};

/* scale and zero point are single constants of bytes; signed ones as the unsigned that are 128
 * higher. */
static bool read_grid(const struct pl_rewrite *r, const struct pl_ir_node *n, uint32_t scale,
                      uint32_t zero, struct pl_q_scale *ret)
{
    const struct pl_tensor *s = pl_rw_in(r, n, scale), *z = pl_rw_in(r, n, zero);
    const bool left_out = zero >= n->n_in || n->in[zero] == PL_IR_NONE;
    if (!s || s->type != PL_F32 || pl_tensor_count(s) != 1 || (!z && !left_out))
        return false;
    if (z && (pl_tensor_count(z) != 1 || (z->type != PL_U8 && z->type != PL_I8)))
        return false;
    ret->scale = *(const float *)s->data;
    ret->zero = z ? (int32_t)pl_tensor_i64(z, 0) + (z->type == PL_I8 ? 128 : 0) : 0;
    return ret->scale >= 1e-12f && ret->scale <= 1e12f;
}

static bool is_end(const struct pl_ir *g, uint32_t value)
{
    for (size_t i = 0; i < g->n_outputs; i++)
        if (g->outputs[i] == value)
            return true;
    return g->values[value].writer == PL_IR_NONE && !g->values[value].t.data;
}

/* Returns whether an input is weights of bytes with constant scales: one, or one for each entry of
 * an axis. */
static bool is_weights(const struct pl_rewrite *r, const struct pl_ir_node *n, uint32_t w)
{
    const struct pl_tensor *t = pl_rw_in(r, n, w), *s = pl_rw_in(r, n, w + 1);
    return t && s && s->type == PL_F32 && s->rank <= 1 &&
           (t->type == PL_I8 || t->type == PL_U8 || t->type == PL_I32) &&
           (w + 2 >= n->n_in || n->in[w + 2] == PL_IR_NONE || pl_rw_in(r, n, w + 2));
}

/* Tells whether this file can take the node out, turn it into floats, or leave it alone. */
static bool follows(const struct pl_rewrite *r, const struct pl_ir_node *n)
{
    struct pl_q_scale s;
    switch (n->op->id) {
    case PL_OP_QuantizeLinear:
        return read_grid(r, n, 1, 2, &s) && !is_end(r->g, n->out[0]) && !pl_rw_in(r, n, 0);
    case PL_OP_DequantizeLinear:
        return pl_rw_in(r, n, 0) ? is_weights(r, n, 0) && !pl_ir_attr(n, "block_size")
                                 : read_grid(r, n, 1, 2, &s) && !is_end(r->g, n->in[0]);
    case PL_OP_QLinearConv:
        return read_grid(r, n, 1, 2, &s) && read_grid(r, n, 6, 7, &s) && is_weights(r, n, 3) &&
               !is_end(r->g, n->in[0]) && !is_end(r->g, n->out[0]) &&
               (n->n_in < 9 || n->in[8] == PL_IR_NONE || pl_rw_in(r, n, 8));
    case PL_OP_QLinearMatMul:
        return read_grid(r, n, 1, 2, &s) && read_grid(r, n, 6, 7, &s) && is_weights(r, n, 3) &&
               !is_end(r->g, n->in[0]) && !is_end(r->g, n->out[0]);
    default:
        return true;
    }
}

static bool is_product(const struct pl_ir_node *n)
{
    return n->op->id == PL_OP_QLinearConv || n->op->id == PL_OP_QLinearMatMul;
}

static void note(struct told *t, const char *name, struct pl_q_scale s, const float *steps,
                 size_t n)
{
    if (t->n < t->max)
        t->list[t->n++] = (struct pl_quant_fixed){name, s, steps, n};
}

/* Turns constant `w` of n into floats, by the scale and the zero point that stand behind it; with
 * an axis each of its entries has its own. */
static platen_status to_floats(struct pl_rewrite *r, const struct pl_ir_node *n, uint32_t w,
                               int64_t axis, uint32_t *ret)
{
    const struct pl_tensor *t = pl_rw_in(r, n, w), *s = pl_rw_in(r, n, w + 1);
    const struct pl_tensor *z = pl_rw_in(r, n, w + 2);
    struct pl_tensor shape = *t, *to;
    axis = axis < 0 ? axis + t->rank : axis;
    const size_t entries = pl_tensor_count(s);
    if (entries > 1 && (axis < 0 || axis >= t->rank || entries != (size_t)t->dims[axis]))
        return pl_ir_fail(n, r->err, PLATEN_ERR_FORMAT, "scales do not fit the weights");
    if (z && pl_tensor_count(z) != 1 && pl_tensor_count(z) != entries)
        return pl_ir_fail(n, r->err, PLATEN_ERR_FORMAT, "zero points do not fit the weights");
    const size_t inner = entries > 1 ? pl_tensor_span(t, (int)axis + 1, t->rank) : 1;
    shape.type = PL_F32;
    shape.data = NULL;
    platen_status st = pl_rw_new_const(r, r->g->values[n->in[w]].name, &shape, ret, &to);
    if (st)
        return st;
    const float *scale = s->data;
    for (size_t i = 0; i < pl_tensor_count(t); i++) {
        const size_t e = entries > 1 ? i / inner % entries : 0;
        const int64_t zero = z ? pl_tensor_i64(z, pl_tensor_count(z) == 1 ? 0 : e) : 0;
        ((float *)to->data)[i] = (float)(pl_tensor_i64(t, i) - zero) * scale[e];
    }
    if (t->type != PL_I32)
        note(r->ctx, r->g->values[n->in[w]].name, (struct pl_q_scale){1, 0}, scale, entries);
    return PLATEN_OK;
}

/* Turns the bias into floats: bias * x_scale * w_scale. */
static platen_status bias_to_floats(struct pl_rewrite *r, const struct pl_ir_node *n, uint32_t *ret)
{
    const struct pl_tensor *b = pl_rw_in(r, n, 8), *ws = pl_rw_in(r, n, 4);
    struct pl_tensor shape = *b, *to;
    struct pl_q_scale x;
    if (!read_grid(r, n, 1, 2, &x) || b->type != PL_I32 ||
        (pl_tensor_count(ws) != 1 && pl_tensor_count(ws) != pl_tensor_count(b)))
        return pl_ir_fail(n, r->err, PLATEN_ERR_FORMAT, "the bias does not fit");
    shape.type = PL_F32;
    shape.data = NULL;
    platen_status s = pl_rw_new_const(r, r->g->values[n->in[8]].name, &shape, ret, &to);
    for (size_t i = 0; i < pl_tensor_count(b) && !s; i++)
        ((float *)to->data)[i] =
            (float)((double)((const int32_t *)b->data)[i] * (double)x.scale *
                    (double)((const float *)ws->data)[pl_tensor_count(ws) == 1 ? 0 : i]);
    return s;
}

/* Makes n the rounding to a grid. */
static platen_status set_rounding(struct pl_rewrite *r, struct pl_ir_node *n, struct pl_q_scale to)
{
    n->op = pl_op_by_id(PL_OP_RoundToGrid);
    n->n_in = 1;
    n->n_attrs = 0;
    r->changes++;
    platen_status s = pl_rw_set_attr(
        r, n, (struct pl_attr){.name = "scale", .kind = PL_ATTR_FLOAT, .v.f = to.scale});
    return s ? s
             : pl_rw_set_attr(
                   r, n, (struct pl_attr){.name = "zero", .kind = PL_ATTR_INT, .v.i = to.zero});
}

/* Adds a rounding between n and what it writes. */
static platen_status add_rounding(struct pl_rewrite *r, struct pl_ir_node *n, struct pl_q_scale to)
{
    struct pl_ir *g = r->g;
    const uint32_t v = (uint32_t)g->n_values, y = n->out[0];
    struct pl_ir_node *m = &g->nodes[g->n_nodes];
    *m = (struct pl_ir_node){.name = pl_ir_name(g, n->name, "round"), .n_in = 1, .n_out = 1};
    m->in = PL_NEW(&g->arena, uint32_t, 1);
    m->out = n->out;
    n->out = PL_NEW(&g->arena, uint32_t, 1);
    if (!m->name || !m->in || !n->out)
        return pl_fail_nomem(r->err, sizeof(*m), "a node");
    m->in[0] = n->out[0] = v;
    g->values[v] = (struct pl_ir_value){.name = m->name, .writer = (uint32_t)(n - g->nodes)};
    g->values[v].t.rank = PL_IR_UNWRITTEN;
    g->values[y].writer = (uint32_t)g->n_nodes;
    r->n_reads[g->n_values++] = 1;
    r->dead[g->n_nodes++] = false;
    note(r->ctx, m->name, to, NULL, 0);
    return set_rounding(r, m, to);
}

/* Turns QLinearConv and QLinearMatMul into Conv and MatMul, with a rounding behind. */
static platen_status product_to_floats(struct pl_rewrite *r, struct pl_ir_node *n)
{
    const bool conv = n->op->id == PL_OP_QLinearConv;
    const bool biased = n->n_in > 8 && n->in[8] != PL_IR_NONE;
    uint32_t w = PL_IR_NONE, b = PL_IR_NONE;
    const struct told *t = r->ctx;
    platen_status s = to_floats(r, n, 3, conv ? 0 : -1, &w);
    s = s ? s : biased ? bias_to_floats(r, n, &b) : PLATEN_OK;
    s = s ? s : pl_rw_set_input(r, n, 1, w);
    if (!s && biased)
        s = pl_rw_set_input(r, n, 2, b);
    if (s)
        return s;
    n->op = pl_op_by_id(conv ? PL_OP_Conv : PL_OP_MatMul);
    n->n_in = biased ? 3 : 2;
    return add_rounding(r, n, t->grids[n->out[0]].s);
}

static platen_status take_quantize(struct pl_rewrite *r, struct pl_ir_node *n)
{
    struct told *t = r->ctx;
    const struct pl_q_scale grid = t->grids[n->out[0]].s;
    /* what nothing else reads may be on the grid before it is rounded */
    if (r->n_reads[n->in[0]] == 1 && !is_end(r->g, n->in[0]))
        note(t, r->g->values[n->in[0]].name, grid, NULL, 0);
    return set_rounding(r, n, grid);
}

static platen_status take_dequantize(struct pl_rewrite *r, struct pl_ir_node *n)
{
    struct told *t = r->ctx;
    uint32_t w = n->in[0];
    platen_status s = PLATEN_OK;
    if (pl_rw_in(r, n, 0))
        s = to_floats(r, n, 0, pl_ir_int(n, "axis", 1), &w);
    else
        note(t, r->g->values[n->out[0]].name, t->grids[w].s, NULL, 0);
    if (s || pl_rw_bypass(r, n, w))
        return s;
    /* an output of the graph that is an input, a constant or another output */
    n->op = pl_op_by_id(PL_OP_Identity);
    n->in[0] = w;
    n->n_in = 1;
    n->n_attrs = 0;
    r->changes++;
    return PLATEN_OK;
}

static platen_status take_out(struct pl_rewrite *r)
{
    const size_t n_nodes = r->g->n_nodes; /* nodes behind these are new */
    struct told *t = r->ctx;
    platen_status s = PLATEN_OK;
    for (size_t v = 0; v < r->g->n_values; v++)
        if (t->grids[v].known)
            note(t, r->g->values[v].name, t->grids[v].s, NULL, 0);
    for (size_t i = 0; i < n_nodes && !s; i++) {
        struct pl_ir_node *n = pl_rw_visit(r, i);
        if (!n)
            continue;
        if (n->op->id == PL_OP_DequantizeLinear)
            s = take_dequantize(r, n);
        else if (n->op->id == PL_OP_QuantizeLinear)
            s = take_quantize(r, n);
        else if (is_product(n))
            s = product_to_floats(r, n);
    }
    return s;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct pl_quant_fixed *)a)->name,
                  ((const struct pl_quant_fixed *)b)->name);
}

/* Returns whether the operator only moves what it reads, or chooses among it, so that it takes
 * bytes as well as floats. */
static bool moves(int op)
{
    static const uint8_t known[] = {PL_OP_Concat,   PL_OP_Flatten, PL_OP_Identity, PL_OP_MaxPool,
                                    PL_OP_Reshape,  PL_OP_Slice,   PL_OP_Split,    PL_OP_Squeeze,
                                    PL_OP_Tile,     PL_OP_Expand,  PL_OP_Gather,   PL_OP_Transpose,
                                    PL_OP_Unsqueeze};
    for (size_t i = 0; i < PL_ARRAY_LEN(known); i++)
        if (known[i] == op)
            return true;
    return false;
}

static bool same_grid(const struct grid *a, const struct grid *b)
{
    return a->known && b->known && a->s.scale == b->s.scale && a->s.zero == b->s.zero;
}

/* Finds the grid of what the node writes; false where what it reads is on another one than it says,
 * or it is a node that this file cannot follow. */
static bool find_grid(const struct pl_rewrite *r, const struct pl_ir_node *n, struct grid *grids,
                      struct grid *ret)
{
    const int op = n->op->id;
    const bool dequantizes = op == PL_OP_DequantizeLinear && !pl_rw_in(r, n, 0);
    struct grid in = {0}, first = {0};
    bool reads = false, all = true;
    *ret = in;
    if (!follows(r, n))
        return false;
    if (dequantizes || is_product(n)) {
        in.known = read_grid(r, n, 1, 2, &in.s);
        if (!same_grid(&in, &grids[n->in[0]]))
            return false;
    }
    if (op == PL_OP_QuantizeLinear || is_product(n)) {
        const uint32_t at = is_product(n) ? 6 : 1;
        ret->known = read_grid(r, n, at, at + 1, &ret->s);
        return !is_product(n) || ret->known;
    }
    for (uint32_t k = 0; k < n->n_in; k++) {
        const struct grid *g = n->in[k] == PL_IR_NONE ? &in : &grids[n->in[k]];
        reads |= g->known;
        first = k ? first : *g;
        all &= same_grid(g, &first);
    }
    if (!reads || dequantizes)
        return true;
    *ret = first;
    return moves(op) && first.known && (op != PL_OP_Concat || all);
}

/* Finds out whether there is something to take out, all of it can be taken out, and nothing else
 * reads the bytes. */
static bool find_grids(struct pl_rewrite *r)
{
    struct told *t = r->ctx;
    bool found = false;
    for (size_t i = 0; i < r->g->n_nodes; i++) {
        const struct pl_ir_node *n = pl_rw_visit(r, i);
        struct grid grid;
        if (!n)
            continue;
        found |= n->op->id == PL_OP_QuantizeLinear || is_product(n);
        if (!find_grid(r, n, t->grids, &grid))
            return false;
        for (uint32_t k = 0; k < n->n_out && grid.known; k++)
            if (n->out[k] != PL_IR_NONE) {
                t->grids[n->out[k]] = grid;
                if (is_end(r->g, n->out[k]))
                    return false;
            }
    }
    return found;
}

/* PyTorch writes weights as floats with QuantizeLinear behind: they become bytes. */
static platen_status quantize_constants(struct pl_rewrite *r)
{
    platen_status s = PLATEN_OK;
    for (size_t i = 0; i < r->g->n_nodes && !s; i++) {
        struct pl_ir_node *n = pl_rw_visit(r, i);
        if (n && n->op->id == PL_OP_QuantizeLinear && pl_rw_in(r, n, 0))
            s = pl_rw_fold(r, n);
    }
    return s;
}

static platen_status take_explicit(struct pl_rewrite *r)
{
    struct told *t = r->ctx;
    platen_status s = quantize_constants(r);
    if (s)
        return s;
    t->max = r->g->n_values + 4 * r->g->n_nodes;
    t->grids = PL_NEW(&r->scratch, struct grid, r->max_values);
    t->list = PL_NEW(&r->g->arena, struct pl_quant_fixed, t->max);
    if (!t->grids || !t->list)
        return pl_fail_nomem(r->err, t->max * sizeof(*t->list), "scales");
    return find_grids(r) ? take_out(r) : PLATEN_OK;
}

static bool has_quantize(const struct pl_ir *g)
{
    for (size_t i = 0; i < g->n_nodes; i++)
        if (g->nodes[i].op->id == PL_OP_QuantizeLinear || is_product(&g->nodes[i]))
            return true;
    return false;
}

platen_status pl_quant_explicit(struct pl_ir *g, struct pl_quant_fixed **ret, size_t *ret_n,
                                struct platen_error *err)
{
    /* scales may stand in nodes Constant, behind Identity, and be of float16 */
    const uint32_t before =
        1u << PL_PASS_fold | 1u << PL_PASS_half | 1u << PL_PASS_identity | 1u << PL_PASS_cse;
    struct told t = {0};
    *ret_n = 0;
    if (!has_quantize(g))
        return PLATEN_OK;
    platen_status s = pl_optimize(g, before, NULL, err);
    s = s ? s : pl_rewrite_graph(g, take_explicit, &t, NULL, err);
    if (s)
        return s;
    if (t.n)
        qsort(t.list, t.n, sizeof(*t.list), by_name);
    *ret = t.list;
    *ret_n = t.n;
    return PLATEN_OK;
}
