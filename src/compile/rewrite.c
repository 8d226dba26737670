/* SPDX-License-Identifier: BSD-2-Clause */
/* The graph while a pass changes it: who reads what, what is removed, what takes its place. */
#include "compile/pass.h"

#include <assert.h>
#include <string.h>

/* Counts the readers of each value, and marks nodes on which no output depends. It goes backwards,
 * so that a node comes after all that read it. */
static void count_reads(struct pl_rewrite *r)
{
    const struct pl_ir *g = r->g;
    for (size_t v = 0; v < r->max_values; v++)
        r->forward[v] = (uint32_t)v;
    for (size_t i = 0; i < g->n_outputs; i++)
        r->n_reads[g->outputs[i]]++;
    for (size_t i = g->n_nodes; i-- > 0;) {
        const struct pl_ir_node *n = &g->nodes[i];
        r->dead[i] = true;
        for (uint32_t k = 0; k < n->n_out; k++)
            r->dead[i] &= n->out[k] == PL_IR_NONE || !r->n_reads[n->out[k]];
        for (uint32_t k = 0; k < n->n_in && !r->dead[i]; k++)
            if (n->in[k] != PL_IR_NONE)
                r->n_reads[n->in[k]]++;
    }
}

/* Returns how many nodes a pass may add where it parts others. */
static size_t count_parted(const struct pl_ir *g)
{
    static const uint8_t parted[] = {PL_OP_ConvInteger,   PL_OP_GRU,         PL_OP_LSTM,
                                     PL_OP_MatMulInteger, PL_OP_QLinearConv, PL_OP_QLinearMatMul,
                                     PL_OP_Einsum,        PL_OP_Einsum /* both of its sides */};
    size_t n = 0;
    for (size_t i = 0; i < g->n_nodes; i++)
        for (size_t k = 0; k < PL_ARRAY_LEN(parted); k++)
            n += g->nodes[i].op->id == parted[k];
    return n;
}

static platen_status make_room(struct pl_rewrite *r, struct pl_ir *g)
{
    const size_t parted = count_parted(g);
    const size_t ends = g->n_inputs + g->n_outputs;
    /* a pass adds at most three values for a node that it changes, five for one that it parts, and
     * a value and a node at each end */
    r->max_values = g->n_values + 3 * g->n_nodes + 2 * parted + ends;
    r->max_nodes = g->n_nodes + parted + ends;
    if (g->max_values < r->max_values) {
        struct pl_ir_value *values = PL_NEW(&g->arena, struct pl_ir_value, r->max_values);
        if (!values)
            return pl_fail_nomem(r->err, r->max_values * sizeof(*values), "a graph");
        memcpy(values, g->values, g->n_values * sizeof(*values));
        g->values = values;
        g->max_values = r->max_values;
    }
    if (g->max_nodes < r->max_nodes) {
        struct pl_ir_node *nodes = PL_NEW(&g->arena, struct pl_ir_node, r->max_nodes);
        if (!nodes)
            return pl_fail_nomem(r->err, r->max_nodes * sizeof(*nodes), "a graph");
        memcpy(nodes, g->nodes, g->n_nodes * sizeof(*nodes));
        g->nodes = nodes;
        g->max_nodes = r->max_nodes;
    }
    return PLATEN_OK;
}

static platen_status begin_rewrite(struct pl_rewrite *r, struct pl_ir *g, struct platen_error *err)
{
    *r = (struct pl_rewrite){.g = g, .err = err};
    pl_kernels_init(&r->kernels, PL_ISA_SCALAR);
    pl_arena_init(&r->scratch);
    platen_status s = make_room(r, g);
    if (s)
        return s;
    r->n_reads = PL_NEW(&r->scratch, uint32_t, r->max_values);
    r->forward = PL_NEW(&r->scratch, uint32_t, r->max_values);
    r->dead = PL_NEW(&r->scratch, bool, r->max_nodes);
    if (!r->n_reads || !r->forward || !r->dead)
        return pl_fail_nomem(err, r->max_values * sizeof(*r->forward), "a graph");
    count_reads(r);
    return PLATEN_OK;
}

static uint32_t resolve(const struct pl_rewrite *r, uint32_t v)
{
    while (v != PL_IR_NONE && r->forward[v] != v)
        v = r->forward[v];
    return v;
}

/* Gives nodes the values that took the place of their inputs, and closes the gaps of removed nodes.
 * After a change dead nodes are removed as well, since they may read what has no writer any more.
 */
static platen_status finish_rewrite(struct pl_rewrite *r)
{
    struct pl_ir *g = r->g;
    size_t n = 0;
    for (size_t i = 0; i < g->n_nodes; i++) {
        if (!g->nodes[i].op || (r->changes && r->dead[i]))
            continue;
        g->nodes[n] = g->nodes[i];
        for (uint32_t k = 0; k < g->nodes[n].n_in; k++)
            g->nodes[n].in[k] = resolve(r, g->nodes[n].in[k]);
        n++;
    }
    g->n_nodes = n;
    return pl_ir_sort(g, r->err);
}

platen_status pl_rewrite_graph(struct pl_ir *g, pl_pass_fn *fn, void *ctx, size_t *ret_changes,
                               struct platen_error *err)
{
    struct pl_rewrite r;
    platen_status s = begin_rewrite(&r, g, err);
    r.ctx = ctx;
    s = s ? s : fn(&r);
    s = s ? s : finish_rewrite(&r);
    if (!s && ret_changes)
        *ret_changes = r.changes;
    pl_arena_done(&r.scratch);
    return s;
}

const struct pl_tensor *pl_rw_const(const struct pl_rewrite *r, uint32_t value)
{
    const struct pl_ir_value *v = value == PL_IR_NONE ? NULL : &r->g->values[value];
    return v && v->t.data ? &v->t : NULL;
}

const struct pl_tensor *pl_rw_in(const struct pl_rewrite *r, const struct pl_ir_node *n, uint32_t i)
{
    return i < n->n_in ? pl_rw_const(r, n->in[i]) : NULL;
}

bool pl_rw_scalar(const struct pl_rewrite *r, uint32_t value, float *ret)
{
    const struct pl_tensor *t = pl_rw_const(r, value);
    if (!t || t->type != PL_F32 || pl_tensor_count(t) != 1)
        return false;
    *ret = *(const float *)t->data;
    return true;
}

struct pl_ir_node *pl_rw_feeder(const struct pl_rewrite *r, const struct pl_ir_node *n, uint32_t i)
{
    if (i >= n->n_in || n->in[i] == PL_IR_NONE || r->n_reads[n->in[i]] != 1)
        return NULL;
    uint32_t writer = r->g->values[n->in[i]].writer;
    struct pl_ir_node *w = writer == PL_IR_NONE ? NULL : &r->g->nodes[writer];
    return w && w->op && w->n_out == 1 ? w : NULL;
}

struct pl_ir_node *pl_rw_visit(struct pl_rewrite *r, size_t i)
{
    struct pl_ir_node *n = &r->g->nodes[i];
    if (r->dead[i] || !n->op)
        return NULL;
    for (uint32_t k = 0; k < n->n_in; k++)
        n->in[k] = resolve(r, n->in[k]);
    return n;
}

void pl_rw_remove(struct pl_rewrite *r, struct pl_ir_node *n)
{
    assert(n->op); /* nobody removes it twice */
    for (uint32_t k = 0; k < n->n_in; k++)
        if (n->in[k] != PL_IR_NONE)
            r->n_reads[n->in[k]]--;
    for (uint32_t k = 0; k < n->n_out; k++)
        if (n->out[k] != PL_IR_NONE)
            r->g->values[n->out[k]].writer = PL_IR_NONE;
    n->op = NULL;
    r->changes++;
}

static bool is_output(const struct pl_ir *g, uint32_t value)
{
    for (size_t i = 0; i < g->n_outputs; i++)
        if (g->outputs[i] == value)
            return true;
    return false;
}

bool pl_rw_bypass(struct pl_rewrite *r, struct pl_ir_node *n, uint32_t from)
{
    assert(n->n_out >= 1 && n->out[0] != PL_IR_NONE && from < r->g->n_values);
    struct pl_ir *g = r->g;
    const uint32_t out = n->out[0];
    for (uint32_t k = 1; k < n->n_out; k++)
        if (n->out[k] != PL_IR_NONE && r->n_reads[n->out[k]])
            return false;
    if (!is_output(g, out)) {
        pl_rw_remove(r, n);
        r->forward[out] = from;
        r->n_reads[from] += r->n_reads[out];
        return true;
    }
    /* the name of an output stays: the node that wrote the copied value writes the output */
    const uint32_t writer = g->values[from].writer;
    if (writer == PL_IR_NONE || is_output(g, from))
        return false;
    struct pl_ir_node *w = &g->nodes[writer];
    pl_rw_remove(r, n);
    for (uint32_t k = 0; k < w->n_out; k++)
        if (w->out[k] == from)
            w->out[k] = out;
    g->values[out].writer = writer;
    g->values[from].writer = PL_IR_NONE;
    r->forward[from] = out;
    r->n_reads[out] += r->n_reads[from];
    return true;
}

void pl_rw_absorb(struct pl_rewrite *r, struct pl_ir_node *into, struct pl_ir_node *n)
{
    assert(into->op && into != n && into->n_out == 1);
    const uint32_t out = n->out[0], old = into->out[0];
    pl_rw_remove(r, n);
    r->g->values[old].writer = PL_IR_NONE;
    r->g->values[out].writer = (uint32_t)(into - r->g->nodes);
    into->out[0] = out;
}

platen_status pl_rw_set_input(struct pl_rewrite *r, struct pl_ir_node *n, uint32_t i,
                              uint32_t value)
{
    assert(value < r->g->n_values);
    const uint32_t count = PL_MAX(n->n_in, i + 1);
    uint32_t *in = PL_NEW(&r->g->arena, uint32_t, count);
    if (!in)
        return pl_fail_nomem(r->err, count * sizeof(*in), "a node");
    for (uint32_t k = 0; k < count; k++)
        in[k] = k < n->n_in ? n->in[k] : PL_IR_NONE;
    if (in[i] != PL_IR_NONE)
        r->n_reads[in[i]]--;
    in[i] = value;
    r->n_reads[value]++;
    n->in = in;
    n->n_in = count;
    return PLATEN_OK;
}

platen_status pl_rw_set_attr(struct pl_rewrite *r, struct pl_ir_node *n, struct pl_attr attr)
{
    struct pl_attr *attrs = PL_NEW(&r->g->arena, struct pl_attr, n->n_attrs + 1);
    uint32_t k = 0;
    if (!attrs)
        return pl_fail_nomem(r->err, (n->n_attrs + 1) * sizeof(*attrs), "a node");
    for (uint32_t i = 0; i < n->n_attrs; i++)
        if (strcmp(n->attrs[i].name, attr.name))
            attrs[k++] = n->attrs[i];
    attrs[k++] = attr;
    n->attrs = attrs;
    n->n_attrs = k;
    return PLATEN_OK;
}

platen_status pl_rw_new_const(struct pl_rewrite *r, const char *name, const struct pl_tensor *shape,
                              uint32_t *ret, struct pl_tensor **ret_tensor)
{
    struct pl_ir *g = r->g;
    if (g->n_values == r->max_values || g->n_values == PL_IR_MAX_VALUES)
        return pl_fail(r->err, PLATEN_ERR_LIMIT, "more than %zu values", g->n_values);
    struct pl_ir_value *v = &g->values[g->n_values];
    *v = (struct pl_ir_value){.name = name, .t = *shape, .writer = PL_IR_NONE};
    /* as aligned as in a file */
    uintptr_t data = (uintptr_t)pl_arena_alloc(&g->arena, pl_tensor_bytes(shape) + 64, 1);
    if (!data)
        return pl_fail_nomem(r->err, pl_tensor_bytes(shape), "a constant");
    v->t.data = (void *)((data + 63) & ~(uintptr_t)63);
    r->n_reads[g->n_values] = 0;
    *ret = (uint32_t)g->n_values++;
    *ret_tensor = &v->t;
    return PLATEN_OK;
}

bool pl_rw_per_channel(const struct pl_tensor *t, int rank, size_t channels)
{
    if (!t || t->type != PL_F32 || t->rank > rank)
        return false;
    for (int i = 0; i < t->rank; i++) {
        const int axis = rank - t->rank + i;
        if (t->dims[i] != 1 && (axis != 1 || t->dims[i] != (int64_t)channels))
            return false;
    }
    return true;
}
