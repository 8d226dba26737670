/* SPDX-License-Identifier: BSD-2-Clause */
/* Graphs that were quantised elsewhere. A value between QuantizeLinear and DequantizeLinear, or
 * beside QLinearConv and QLinearMatMul, stands for floats on a known grid: here it becomes these
 * floats, and the grid is noted by its name. */
#include <stdlib.h>
#include <string.h>

#include "compile/pass.h"
#include "compile/quant.h"

struct fixed_values {
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

static void note_scale(struct fixed_values *m, const char *name, struct pl_q_scale s,
                       const float *steps, size_t n)
{
    if (m->n < m->max)
        m->list[m->n++] = (struct pl_quant_fixed){name, s, steps, n};
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
        note_scale(r->ctx, r->g->values[n->in[w]].name, (struct pl_q_scale){1, 0}, scale, entries);
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

/* Turns QLinearConv and QLinearMatMul into Conv and MatMul. */
static platen_status product_to_floats(struct pl_rewrite *r, struct pl_ir_node *n)
{
    const bool conv = n->op->id == PL_OP_QLinearConv;
    const bool biased = n->n_in > 8 && n->in[8] != PL_IR_NONE;
    uint32_t w = PL_IR_NONE, b = PL_IR_NONE;
    struct pl_q_scale x = {0}, y = {0};
    if (read_grid(r, n, 1, 2, &x))
        note_scale(r->ctx, r->g->values[n->in[0]].name, x, NULL, 0);
    if (read_grid(r, n, 6, 7, &y))
        note_scale(r->ctx, r->g->values[n->out[0]].name, y, NULL, 0);
    platen_status s = to_floats(r, n, 3, conv ? 0 : -1, &w);
    s = s ? s : biased ? bias_to_floats(r, n, &b) : PLATEN_OK;
    s = s ? s : pl_rw_set_input(r, n, 1, w);
    if (!s && biased)
        s = pl_rw_set_input(r, n, 2, b);
    if (s)
        return s;
    n->op = pl_op_by_id(conv ? PL_OP_Conv : PL_OP_MatMul);
    n->n_in = biased ? 3 : 2;
    r->changes++;
    return PLATEN_OK;
}

static platen_status take_out(struct pl_rewrite *r)
{
    platen_status s = PLATEN_OK;
    for (size_t i = 0; i < r->g->n_nodes && !s; i++) {
        struct pl_ir_node *n = pl_rw_visit(r, i);
        struct pl_q_scale grid;
        uint32_t w;
        if (!n)
            continue;
        switch (n->op->id) {
        case PL_OP_DequantizeLinear:
            if (pl_rw_in(r, n, 0)) {
                s = to_floats(r, n, 0, pl_ir_int(n, "axis", 1), &w);
                if (!s)
                    pl_rw_bypass(r, n, w);
                continue;
            }
            /* fall through */
        case PL_OP_QuantizeLinear:
            if (read_grid(r, n, 1, 2, &grid)) {
                note_scale(r->ctx, r->g->values[n->in[0]].name, grid, NULL, 0);
                note_scale(r->ctx, r->g->values[n->out[0]].name, grid, NULL, 0);
            }
            pl_rw_bypass(r, n, n->in[0]);
            continue;
        case PL_OP_QLinearConv:
        case PL_OP_QLinearMatMul:
            s = product_to_floats(r, n);
            continue;
        default:
            continue;
        }
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

/* Finds out whether there is something to take out, all of it can be taken out, and nothing else
 * reads the bytes. */
static platen_status find_scales(struct pl_rewrite *r)
{
    bool *found = r->ctx, fits = true;
    bool *bytes =
        PL_NEW(&r->scratch, bool, r->g->n_values); /* values of bytes that are not weights */
    if (!bytes)
        return pl_fail_nomem(r->err, r->g->n_values, "a graph");
    for (size_t i = 0; i < r->g->n_nodes && fits; i++) {
        const struct pl_ir_node *n = &r->g->nodes[i];
        const int op = n->op->id;
        const bool product = op == PL_OP_QLinearConv || op == PL_OP_QLinearMatMul;
        bool reads = false;
        *found |= op == PL_OP_QuantizeLinear || product;
        for (uint32_t k = 0; k < n->n_in; k++)
            reads |= n->in[k] != PL_IR_NONE && bytes[n->in[k]];
        fits = follows(r, n) && (!reads || product || op == PL_OP_DequantizeLinear || moves(op));
        for (uint32_t k = 0; k < n->n_out; k++)
            if (n->out[k] != PL_IR_NONE && op != PL_OP_DequantizeLinear) {
                bytes[n->out[k]] = reads || product || op == PL_OP_QuantizeLinear;
                fits = fits && !(bytes[n->out[k]] && is_end(r->g, n->out[k]));
            }
        if ((product || (op == PL_OP_DequantizeLinear && !pl_rw_in(r, n, 0))) && !bytes[n->in[0]])
            fits = false; /* bytes from elsewhere */
    }
    *found = *found && fits;
    return PLATEN_OK;
}

platen_status pl_quant_explicit(struct pl_ir *g, struct pl_quant_fixed **ret, size_t *ret_n,
                                struct platen_error *err)
{
    struct fixed_values m = {.max = 4 * g->n_nodes};
    bool found = false;
    *ret_n = 0;
    platen_status s = pl_rewrite_graph(g, find_scales, &found, NULL, err);
    if (s || !found)
        return s;
    m.list = PL_NEW(&g->arena, struct pl_quant_fixed, m.max);
    if (!m.list)
        return pl_fail_nomem(err, m.max * sizeof(*m.list), "scales");
    s = pl_rewrite_graph(g, take_out, &m, NULL, err);
    if (s)
        return s;
    qsort(m.list, m.n, sizeof(*m.list), by_name);
    *ret = m.list;
    *ret_n = m.n;
    return PLATEN_OK;
}
