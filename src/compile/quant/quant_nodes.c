/* SPDX-License-Identifier: BSD-2-Clause */
/* Nodes and values of a network that is being turned into bytes. */
#include "compile/quant/quant_convert.h"

#include <math.h>
#include <string.h>

void pl_q_begin(struct pl_q_node *m, const char *name, int op)
{
    memset(m, 0, sizeof(*m));
    m->n.name = name;
    m->n.op = pl_op_by_id(op);
    m->n.in = m->in;
    m->n.attrs = m->attrs;
}

void pl_q_in(struct pl_q_node *m, uint32_t value)
{
    m->in[m->n.n_in++] = value;
}

static struct pl_attr *next_attr(struct pl_q_node *m, const char *name, enum pl_attr_kind kind)
{
    struct pl_attr *a = &m->attrs[m->n.n_attrs++];
    a->name = name;
    a->kind = kind;
    return a;
}

void pl_q_set_int(struct pl_q_node *m, const char *name, int64_t v)
{
    next_attr(m, name, PL_ATTR_INT)->v.i = v;
}

void pl_q_set_float(struct pl_q_node *m, const char *name, float v)
{
    next_attr(m, name, PL_ATTR_FLOAT)->v.f = v;
}

void pl_q_set_result(struct pl_q_node *m, struct pl_q_scale s)
{
    pl_q_set_float(m, "y_scale", s.scale);
    pl_q_set_int(m, "y_zero", s.zero);
}

void pl_q_copy(struct pl_q_node *m, const struct pl_ir_node *from, const char *name)
{
    const struct pl_attr *a = pl_ir_attr(from, name);
    if (a)
        m->attrs[m->n.n_attrs++] = *a;
}

/* PLATEN_ERR_LIMIT where there is no room for another node. */
platen_status pl_q_next_node(struct pl_q_graph *q, struct pl_ir_node **ret)
{
    if (q->n_made == q->max_made)
        return pl_fail(q->err, PLATEN_ERR_LIMIT, "more than %zu nodes", q->max_made);
    *ret = &q->made[q->n_made++];
    return PLATEN_OK;
}

platen_status pl_q_add(struct pl_q_graph *q, struct pl_q_node *m, uint32_t out)
{
    struct pl_ir_node *n = NULL;
    /* room for the figures of the report */
    const bool judged = strstr(m->n.op->attrs, "sqnr_db") != NULL;
    if (judged) {
        pl_q_set_float(m, "mse", NAN);
        pl_q_set_float(m, "sqnr_db", NAN);
    }
    platen_status s = pl_q_next_node(q, &n);
    if (s)
        return s;
    struct pl_attr *attrs = PL_NEW(&q->g->arena, struct pl_attr, m->n.n_attrs);
    *n = m->n;
    n->in = PL_NEW(&q->g->arena, uint32_t, n->n_in);
    n->out = PL_NEW(&q->g->arena, uint32_t, 1);
    n->attrs = attrs;
    n->n_out = 1;
    if (!attrs || !n->in || !n->out)
        return pl_fail_nomem(q->err, sizeof(*m), "a node");
    memcpy(n->in, m->in, n->n_in * sizeof(*n->in));
    memcpy(attrs, m->attrs, n->n_attrs * sizeof(*attrs));
    n->out[0] = out;
    return PLATEN_OK;
}

static platen_status new_value(struct pl_q_graph *q, const char *name, const char *what,
                               uint32_t *ret)
{
    struct pl_ir *g = q->g;
    if (g->n_values == q->max_values || g->n_values == PL_IR_MAX_VALUES)
        return pl_fail(q->err, PLATEN_ERR_LIMIT, "more than %zu values", g->n_values);
    struct pl_ir_value *v = &g->values[g->n_values];
    *v = (struct pl_ir_value){.name = pl_ir_name(g, name, what), .writer = PL_IR_NONE};
    v->t.rank = PL_IR_UNWRITTEN;
    *ret = (uint32_t)g->n_values++;
    return v->name ? PLATEN_OK : pl_fail_nomem(q->err, strlen(name), "a name");
}

platen_status pl_q_new_const(struct pl_q_graph *q, const char *name, const char *what,
                             enum pl_dtype type, size_t n, const void *data, uint32_t *ret)
{
    platen_status s = new_value(q, name, what, ret);
    if (s)
        return s;
    struct pl_tensor *t = &q->g->values[*ret].t;
    if (!pl_tensor_shape(t, type, 1, (int64_t[]){(int64_t)n}))
        return pl_fail(q->err, PLATEN_ERR_LIMIT, "a constant of %zu elements", n);
    uintptr_t at = (uintptr_t)pl_arena_alloc(&q->g->arena, pl_tensor_bytes(t) + 64, 1);
    if (!at)
        return pl_fail_nomem(q->err, pl_tensor_bytes(t), "a constant");
    t->data = (void *)((at + 63) & ~(uintptr_t)63); /* as aligned as in a file */
    memcpy(t->data, data, pl_tensor_bytes(t));
    return PLATEN_OK;
}

platen_status pl_q_new_bytes(struct pl_q_graph *q, uint32_t of, struct pl_q_value v, uint32_t *ret)
{
    platen_status s = new_value(q, q->g->values[of].name, "u8", ret);
    if (s)
        return s;
    v.value = *ret;
    q->bytes[of] = v;
    return s;
}

const struct pl_tensor *pl_q_const(const struct pl_q_graph *q, const struct pl_ir_node *n,
                                   uint32_t i)
{
    if (i >= n->n_in || n->in[i] == PL_IR_NONE || !q->g->values[n->in[i]].t.data)
        return NULL;
    return &q->g->values[n->in[i]].t;
}

platen_status pl_q_floats(struct pl_q_graph *q, uint32_t value)
{
    struct pl_q_node m;
    if (value == PL_IR_NONE || q->has_floats[value])
        return PLATEN_OK;
    const struct pl_q_value *v = &q->bytes[value];
    pl_q_begin(&m, pl_ir_name(q->g, q->g->values[value].name, "dequantize"), PL_OP_DequantizeLast);
    pl_q_in(&m, v->value);
    pl_q_set_int(&m, "channels_first", v->channels_first);
    pl_q_set_int(&m, "channels", (int64_t)v->channels);
    pl_q_set_float(&m, "x_scale", v->s.scale);
    pl_q_set_int(&m, "x_zero", v->s.zero);
    q->has_floats[value] = true;
    return pl_q_add(q, &m, value);
}

uint32_t pl_q_only_reader(const struct pl_q_graph *q, uint32_t value)
{
    const bool one = q->first[value + 1] - q->first[value] == 1 && !q->is_output[value];
    return one ? q->readers[q->first[value]] : PL_IR_NONE;
}

struct pl_q_scale pl_q_scale_for(const struct pl_q_graph *q, uint32_t value)
{
    if (q->ranges[value].is_fixed)
        return q->ranges[value].fixed;
    /* a value that is only joined to others has the scale of the joined one */
    for (int depth = 0; depth < PL_Q_MAX_CHAIN; depth++) {
        const uint32_t r = pl_q_only_reader(q, value);
        if (r == PL_IR_NONE || q->kind[r] != PL_Q_CONCAT)
            break;
        value = q->g->nodes[r].out[0];
    }
    if (q->ranges[value].is_fixed)
        return q->ranges[value].fixed;
    return pl_q_scale_of(q->ranges[value].lo, q->ranges[value].hi);
}
