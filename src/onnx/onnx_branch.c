/* SPDX-License-Identifier: BSD-2-Clause */
#include "onnx/onnx_branch.h"

#include <string.h>

#include "nn/operators.h"
#include "onnx/onnx_contrib.h"

enum { NODE_NAME = 3, NODE_OP = 4, NODE_ATTR = 5 };
enum { ATTR_NAME = 1, ATTR_GRAPH = 6 };
enum { GRAPH_NODE = 1, GRAPH_INIT = 5, GRAPH_OUTPUT = 12 };

/* Parts of a NodeProto; p is NULL where there is none. */
struct parts {
    struct pl_span name, op, domain, in, then_branch, else_branch;
    size_t n_in, n_out;
};

static bool is(struct pl_span s, const char *text)
{
    return s.n == strlen(text) && !memcmp(s.p, text, s.n);
}

static void read_branch(struct pl_span m, struct parts *p)
{
    struct pl_field f;
    struct pl_span name = {NULL, 0}, graph = {NULL, 0};
    while (pl_pb_next(&m, &f)) {
        if (f.number == ATTR_NAME && f.wire == PL_WIRE_BYTES)
            name = f.bytes;
        if (f.number == ATTR_GRAPH && f.wire == PL_WIRE_BYTES)
            graph = f.bytes;
    }
    if (is(name, "then_branch"))
        p->then_branch = graph;
    if (is(name, "else_branch"))
        p->else_branch = graph;
}

static struct parts read_parts(struct pl_span m)
{
    struct parts p = {.n_in = 0};
    struct pl_field f;
    while (pl_pb_next(&m, &f)) {
        if (f.wire != PL_WIRE_BYTES)
            continue;
        if (f.number == PL_ONNX_NODE_IN && !p.n_in++)
            p.in = f.bytes;
        p.n_out += f.number == PL_ONNX_NODE_OUT;
        if (f.number == NODE_NAME)
            p.name = f.bytes;
        if (f.number == NODE_OP)
            p.op = f.bytes;
        if (f.number == PL_ONNX_NODE_DOMAIN)
            p.domain = f.bytes;
        if (f.number == NODE_ATTR)
            read_branch(f.bytes, &p);
    }
    return p;
}

bool pl_onnx_is_branch(struct pl_span node)
{
    const struct parts p = read_parts(node);
    return is(p.op, "If") && pl_onnx_default_domain(p.domain);
}

static void count_graph(struct pl_span m, struct pl_onnx_branch_counts *c)
{
    struct pl_field f;
    while (pl_pb_next(&m, &f)) {
        if (f.number != GRAPH_NODE && f.number != GRAPH_INIT && f.number != GRAPH_OUTPUT)
            continue;
        const struct parts p = read_parts(f.number == GRAPH_NODE ? f.bytes : (struct pl_span){0});
        const size_t more = pl_onnx_contrib_most(p.domain, p.n_in);
        c->nodes += 1 + more;
        c->names += 1 + more + p.n_in + p.n_out;
    }
}

void pl_onnx_count_branch(struct pl_span node, struct pl_onnx_branch_counts *c)
{
    const struct parts p = read_parts(node);
    count_graph(p.then_branch, c);
    count_graph(p.else_branch, c);
}

/* Returns whether the graph has one node of that operator, beside constants, and what that reads.
 */
static bool is_lone(struct pl_span m, const char *op, struct pl_span *ret_in)
{
    struct pl_field f;
    size_t n = 0;
    bool others = false;
    while (pl_pb_next(&m, &f)) {
        if (f.number != GRAPH_NODE)
            continue;
        const struct parts p = read_parts(f.bytes);
        if (is(p.op, op)) {
            *ret_in = p.in;
            n++;
        } else {
            others |= !is(p.op, "Constant");
        }
    }
    return n == 1 && !others;
}

/* Returns whether one graph squeezes what the other one copies. */
static bool squeezes(struct pl_span one, struct pl_span other)
{
    struct pl_span a = {NULL, 0}, b = {NULL, 0};
    return is_lone(one, "Squeeze", &a) && is_lone(other, "Identity", &b) && a.n && a.n == b.n &&
           !memcmp(a.p, b.p, a.n);
}

/* Returns the constant that a value is, or that a node before makes of it, or NULL. */
static const struct pl_tensor *constant_of(const struct pl_ir *g, uint32_t value)
{
    if (g->values[value].t.data)
        return &g->values[value].t;
    for (size_t i = 0; i < g->n_nodes; i++) {
        const struct pl_ir_node *n = &g->nodes[i];
        const struct pl_attr *a = pl_ir_attr(n, "value");
        if (n->op->id == PL_OP_Constant && n->n_out && n->out[0] == value && a &&
            a->kind == PL_ATTR_TENSOR)
            return a->v.t;
    }
    return NULL;
}

/* Chooses the branch that runs. */
static platen_status choose(struct pl_onnx *o, const struct parts *p, const char *name,
                            struct pl_span *ret, struct platen_error *err)
{
    const char *cond;
    uint32_t v;
    if (p->n_in != 1 || !p->in.n || !p->then_branch.p || !p->else_branch.p)
        return pl_fail(err, PLATEN_ERR_FORMAT, "node '%.60s' (If): not a condition and two graphs",
                       name);
    platen_status s = pl_onnx_name(p->in, &o->g->arena, &cond, err);
    s = s ? s : pl_onnx_value(o, cond, &v, err);
    if (s)
        return s;
    const struct pl_tensor *t = constant_of(o->g, v);
    if (t && t->type == PL_BOOL && pl_tensor_count(t) == 1)
        *ret = pl_tensor_i64(t, 0) ? p->then_branch : p->else_branch;
    else if (squeezes(p->then_branch, p->else_branch))
        *ret = p->then_branch;
    else if (squeezes(p->else_branch, p->then_branch))
        *ret = p->else_branch;
    else
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED,
                       "node '%.60s' (If): which of its graphs runs is known in a run alone", name);
    return PLATEN_OK;
}

/* Adds a node that copies output `k` of the branch to output k of the If. */
static platen_status add_output(struct pl_onnx *o, struct pl_span info, struct pl_span to,
                                struct platen_error *err)
{
    struct pl_ir *g = o->g;
    struct pl_ir_node *n = &g->nodes[g->n_nodes];
    struct pl_field f;
    const char *from = "", *name = "";
    uint32_t *edges = PL_NEW(&g->arena, uint32_t, 2);
    platen_status s = edges ? PLATEN_OK : pl_fail_nomem(err, 2 * sizeof(*edges), "a node");
    while (!s && pl_pb_next(&info, &f))
        if (f.number == 1)
            s = pl_onnx_name(f.bytes, &g->arena, &from, err);
    s = s ? s : pl_onnx_name(to, &g->arena, &name, err);
    s = s ? s : pl_onnx_value(o, from, &edges[0], err);
    s = s ? s : pl_onnx_value(o, name, &edges[1], err);
    if (s)
        return s;
    *n = (struct pl_ir_node){.name = name,
                             .op = pl_op_by_id(PL_OP_Identity),
                             .n_in = 1,
                             .n_out = 1,
                             .in = edges,
                             .out = edges + 1};
    g->n_nodes++;
    return PLATEN_OK;
}

/* Returns output k of a node, or an empty name. */
static struct pl_span output_of(struct pl_span node, size_t k)
{
    struct pl_field f;
    while (pl_pb_next(&node, &f))
        if (f.number == PL_ONNX_NODE_OUT && f.wire == PL_WIRE_BYTES && !k--)
            return f.bytes;
    return (struct pl_span){(const uint8_t *)"", 0};
}

platen_status pl_onnx_add_branch(struct pl_onnx *o, struct pl_span node, struct platen_error *err)
{
    const struct parts p = read_parts(node);
    const struct pl_span label = p.name.n ? p.name : output_of(node, 0);
    struct pl_span graph = {NULL, 0};
    struct pl_field f;
    const char *name;
    size_t n_out = 0;
    platen_status s = pl_onnx_name(label, &o->g->arena, &name, err);
    s = s ? s : choose(o, &p, name, &graph, err);
    while (!s && pl_pb_next(&graph, &f)) {
        if (f.number == GRAPH_INIT)
            s = pl_onnx_add_constant(o, f.bytes, err);
        else if (f.number == GRAPH_NODE)
            s = pl_onnx_add_node(o, f.bytes, err);
        else if (f.number == GRAPH_OUTPUT && output_of(node, n_out).n)
            s = add_output(o, f.bytes, output_of(node, n_out++), err);
    }
    if (!s && (pl_pb_malformed(&graph) || n_out != p.n_out))
        s = pl_fail(err, PLATEN_ERR_FORMAT, "node '%.60s' (If): its graph has other results", name);
    return s;
}
