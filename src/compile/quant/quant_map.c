/* SPDX-License-Identifier: BSD-2-Clause */
/* Layers that work byte by byte: functions of one value, sums, gates, joined channels. */
#include "compile/quant/quant_layers.h"

/* Tells whether the node is a function of one value of floats and of constants of one element. */
bool pl_q_is_unary(const struct pl_q_graph *q, const struct pl_ir_node *n)
{
    int values = 0;
    const bool binary = n->op->id == PL_OP_Add || n->op->id == PL_OP_Sub ||
                        n->op->id == PL_OP_Mul || n->op->id == PL_OP_Div;
    const bool unary = n->op->run == pl_run_unary || n->op->id == PL_OP_Clip ||
                       n->op->id == PL_OP_RoundToGrid || n->op->id == PL_OP_FusedGate;
    if ((!unary && !binary) || n->n_in > 4 || n->n_out != 1)
        return false;
    for (uint32_t i = 0; i < n->n_in; i++) {
        const struct pl_tensor *t = pl_q_const(q, n, i);
        if (t && (!pl_q_is_floats(t) || pl_tensor_count(t) != 1))
            return false;
        values += n->in[i] != PL_IR_NONE && !t;
        if (n->in[i] != PL_IR_NONE && !t &&
            !pl_q_same_dims(&q->ranges[n->in[i]], &q->ranges[n->out[0]]))
            return false;
    }
    return values == 1;
}

/* Where n multiplies x by one factor for each picture and channel, returns which input is x; else
 * -1. */
static int gated(const struct pl_q_graph *q, const struct pl_ir_node *n)
{
    const struct pl_range *a = pl_q_range(q, n, 0), *b = pl_q_range(q, n, 1);
    if (pl_q_const(q, n, 0) || pl_q_const(q, n, 1) || a->rank != b->rank || a->rank < 3 ||
        a->dims[0] != b->dims[0] || a->dims[1] != b->dims[1])
        return -1;
    return pl_q_area(b) == 1 && pl_q_area(a) > 1   ? 0
           : pl_q_area(a) == 1 && pl_q_area(b) > 1 ? 1
                                                   : -1;
}

bool pl_q_is_gate(const struct pl_q_graph *q, const struct pl_ir_node *n)
{
    return gated(q, n) >= 0;
}

/* Adds a node that takes bytes through a table to another scale. */
static platen_status add_table(struct pl_q_graph *q, const char *name, uint32_t from,
                               const uint8_t table[256], uint32_t of, struct pl_q_value y,
                               uint32_t *ret)
{
    struct pl_q_node m;
    uint32_t t;
    pl_q_begin(&m, name, PL_OP_QTable);
    platen_status s = pl_q_new_const(q, name, "table", PL_U8, 256, table, &t);
    s = s ? s : pl_q_new_bytes(q, of, y, ret);
    if (s)
        return s;
    pl_q_in(&m, from);
    pl_q_in(&m, t);
    pl_q_set_result(&m, y.s);
    return pl_q_add(q, &m, *ret);
}

/* Tells whether the table of the chain gives each byte back, with the meaning `to`. */
static bool keeps_bytes(const struct pl_q_chain *c, struct pl_q_scale to)
{
    bool same = c->s.scale == to.scale && c->s.zero == to.zero;
    for (int i = 0; i < 256 && same; i++)
        same = c->table[i] == i;
    return same;
}

platen_status pl_q_make_unary(struct pl_q_graph *q, const struct pl_ir_node *n, bool *ret_made)
{
    struct pl_q_chain c;
    uint32_t out;
    platen_status s = pl_q_follow_node(q, (uint32_t)(n - q->g->nodes), &c);
    *ret_made = !s && c.n;
    if (s || !c.n)
        return s;
    struct pl_q_value y = q->bytes[c.from];
    if (keeps_bytes(&c, pl_q_scale_for(q, c.to))) {
        q->bytes[c.to] = y;
        return PLATEN_OK;
    }
    y.s = pl_q_scale_for(q, c.to);
    return add_table(q, n->name, q->bytes[c.from].value, c.table, c.to, y, &out);
}

/* Makes a sum of bytes where at least one input has bytes already; the other gets the same layout.
 */
platen_status pl_q_make_sum(struct pl_q_graph *q, const struct pl_ir_node *n, bool *ret_made)
{
    const struct pl_q_value *one = &q->bytes[n->in[0]], *two = &q->bytes[n->in[1]];
    const struct pl_q_value *have = one->value != PL_IR_NONE ? one : two;
    struct pl_q_value a, b, y;
    struct pl_q_node m;
    uint32_t out;
    *ret_made = have->value != PL_IR_NONE && pl_q_wanted(q, n->out[0]) &&
                pl_q_known(q, n->out[0]) && pl_q_known(q, n->in[0]) && pl_q_known(q, n->in[1]);
    if (!*ret_made)
        return PLATEN_OK;
    const bool first = have->channels_first;
    platen_status s = pl_q_bytes_of(q, n->in[0], first, false, &a);
    s = s ? s : pl_q_bytes_of(q, n->in[1], first, false, &b);
    y = a;
    y.s = pl_q_scale_for(q, n->out[0]);
    s = s ? s : pl_q_new_bytes(q, n->out[0], y, &out);
    if (s)
        return s;
    pl_q_begin(&m, n->name, PL_OP_QAdd);
    pl_q_in(&m, a.value);
    pl_q_in(&m, b.value);
    pl_q_set_int(&m, "a_zero", a.s.zero);
    pl_q_set_float(&m, "a_ratio", a.s.scale / y.s.scale);
    pl_q_set_int(&m, "b_zero", b.s.zero);
    pl_q_set_float(&m, "b_ratio", b.s.scale / y.s.scale);
    pl_q_set_result(&m, y.s);
    return pl_q_add(q, &m, out);
}

platen_status pl_q_make_gate(struct pl_q_graph *q, const struct pl_ir_node *n, bool *ret_made)
{
    const uint32_t at = (uint32_t)gated(q, n), x = n->in[at], gate = n->in[1 - at];
    struct pl_q_value v, y;
    struct pl_q_node m;
    uint32_t out;
    *ret_made = q->bytes[x].value != PL_IR_NONE && q->bytes[x].channels_first && pl_q_known(q, x) &&
                pl_q_known(q, n->out[0]);
    if (!*ret_made)
        return PLATEN_OK;
    platen_status s = pl_q_bytes_of(q, x, true, false, &v);
    s = s ? s : pl_q_floats(q, gate);
    y = v;
    y.s = pl_q_scale_for(q, n->out[0]);
    s = s ? s : pl_q_new_bytes(q, n->out[0], y, &out);
    if (s)
        return s;
    pl_q_begin(&m, n->name, PL_OP_QScale);
    pl_q_in(&m, v.value);
    pl_q_in(&m, gate);
    pl_q_set_int(&m, "channels", (int64_t)v.channels);
    pl_q_set_int(&m, "x_zero", v.s.zero);
    pl_q_set_float(&m, "ratio", v.s.scale / y.s.scale);
    pl_q_set_result(&m, y.s);
    return pl_q_add(q, &m, out);
}

/* Brings input i of a Concat to the scale of the result. */
static platen_status same_scale(struct pl_q_graph *q, const struct pl_ir_node *n, uint32_t i,
                                struct pl_q_scale s, struct pl_q_value *ret)
{
    uint8_t table[256];
    uint32_t out;
    platen_status st = pl_q_bytes_of(q, n->in[i], true, false, ret);
    if (st || (ret->s.scale == s.scale && ret->s.zero == s.zero))
        return st;
    for (int k = 0; k < 256; k++)
        table[k] = pl_q_byte(s, (double)(k - ret->s.zero) * (double)ret->s.scale);
    const struct pl_q_value before = *ret;
    ret->s = s;
    st = add_table(q, q->g->values[n->in[i]].name, before.value, table, n->in[i], *ret, &out);
    q->bytes[n->in[i]] = before; /* other nodes still read the input as it was */
    ret->value = out;
    return st;
}

platen_status pl_q_make_concat(struct pl_q_graph *q, const struct pl_ir_node *n, bool *ret_made)
{
    struct pl_q_value x, y = {.s = pl_q_scale_for(q, n->out[0]), .channels_first = true};
    struct pl_q_node m;
    platen_status s = PLATEN_OK;
    uint32_t out, ready = 0;
    for (uint32_t i = 0; i < n->n_in; i++)
        ready += n->in[i] != PL_IR_NONE && !pl_q_const(q, n, i) &&
                 q->bytes[n->in[i]].value != PL_IR_NONE && q->bytes[n->in[i]].channels_first;
    *ret_made = n->n_in <= PL_ARRAY_LEN(m.in) && ready == n->n_in && pl_q_wanted(q, n->out[0]) &&
                pl_q_known(q, n->out[0]);
    if (!*ret_made)
        return PLATEN_OK;
    int64_t *list = PL_NEW(&q->g->arena, int64_t, n->n_in);
    if (!list)
        return pl_fail_nomem(q->err, n->n_in * sizeof(*list), "a node");
    pl_q_begin(&m, n->name, PL_OP_QConcat);
    for (uint32_t i = 0; i < n->n_in && !s; i++) {
        s = same_scale(q, n, i, y.s, &x);
        pl_q_in(&m, x.value);
        list[i] = (int64_t)x.channels;
        y.channels += x.channels;
    }
    y.stored = pl_q_stored(y.channels);
    struct pl_attr *a = &m.attrs[m.n.n_attrs++];
    *a = (struct pl_attr){.name = "channels", .kind = PL_ATTR_INTS, .n = n->n_in};
    a->v.ints = list;
    pl_q_set_result(&m, y.s);
    s = s ? s : pl_q_new_bytes(q, n->out[0], y, &out);
    return s ? s : pl_q_add(q, &m, out);
}
