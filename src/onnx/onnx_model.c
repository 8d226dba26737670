/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads ModelProto and GraphProto, and makes numbered values and nodes of their names. */
#include "onnx/onnx.h"

#include <string.h>

#include "onnx/onnx_branch.h"
#include "onnx/onnx_contrib.h"
#include "onnx/onnx_opset.h"
#include "nn/operators.h"

enum { MODEL_GRAPH = 7, MODEL_OPSET = 8 };
enum { OPSET_DOMAIN = 1, OPSET_VERSION = 2 };
enum { GRAPH_NODE = 1, GRAPH_INIT = 5, GRAPH_INPUT = 11, GRAPH_OUTPUT = 12, GRAPH_SPARSE = 15 };
enum { INFO_NAME = 1, INFO_TYPE = 2 };

static platen_status malformed(struct platen_error *err, const char *what)
{
    return pl_fail(err, PLATEN_ERR_FORMAT, "malformed %s", what);
}

/* TypeProto.Tensor {1 elem_type, 2 shape {1 dim {1 value, 2 name}}}: fills t, sizes that are not
 * fixed as -1. */
static platen_status read_shape(struct pl_span m, struct pl_tensor *t, struct platen_error *err)
{
    struct pl_field dim, f;
    t->rank = 0;
    while (pl_pb_next(&m, &dim)) {
        if (dim.number != 1 || dim.wire != PL_WIRE_BYTES)
            continue;
        if (t->rank == PL_MAX_RANK)
            return pl_fail(err, PLATEN_ERR_LIMIT, "more than %d dimensions", PL_MAX_RANK);
        int64_t size = -1;
        while (pl_pb_next(&dim.bytes, &f))
            if (f.number == 1 && f.wire == PL_WIRE_VARINT)
                size = (int64_t)f.value;
        if (pl_pb_malformed(&dim.bytes))
            return malformed(err, "shape");
        t->dims[t->rank++] = size > 0 ? size : -1;
    }
    return pl_pb_malformed(&m) ? malformed(err, "shape") : PLATEN_OK;
}

static platen_status read_type(struct pl_span m, struct pl_tensor *t, const char *name,
                               struct platen_error *err)
{
    struct pl_field kind, f;
    uint64_t type = 0;
    platen_status s = PLATEN_OK;
    *t = (struct pl_tensor){.rank = PL_IR_ANY_RANK};
    while (pl_pb_next(&m, &kind)) {
        if (kind.number != 1 && kind.wire == PL_WIRE_BYTES && kind.number < 10 && kind.number != 6)
            return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "'%.60s' is not a tensor", name);
        while (kind.number == 1 && !s && pl_pb_next(&kind.bytes, &f)) {
            if (f.number == 1)
                type = f.value;
            else if (f.number == 2 && f.wire == PL_WIRE_BYTES)
                s = read_shape(f.bytes, t, err);
        }
        if (s || (kind.number == 1 && pl_pb_malformed(&kind.bytes)))
            return s ? s : malformed(err, "type");
    }
    if (pl_pb_malformed(&m))
        return malformed(err, "type");
    if (type > 255 || !pl_dtype_bytes((int)type))
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "'%.60s' has elements of type %llu", name,
                       (unsigned long long)type);
    t->type = (enum pl_dtype)type;
    return PLATEN_OK;
}

/* Reads a ValueInfoProto: the number of its value and, for an input, the declared type and shape.
 */
static platen_status read_info(struct pl_onnx *o, struct pl_span m, struct pl_tensor *ret_type,
                               uint32_t *ret, struct platen_error *err)
{
    struct pl_field f;
    struct pl_span type = {(const uint8_t *)"", 0};
    const char *name = "";
    platen_status s = PLATEN_OK;
    while (!s && pl_pb_next(&m, &f)) {
        if (f.number == INFO_NAME && f.wire == PL_WIRE_BYTES)
            s = pl_onnx_name(f.bytes, &o->g->arena, &name, err);
        else if (f.number == INFO_TYPE && f.wire == PL_WIRE_BYTES)
            type = f.bytes;
    }
    if (!s && pl_pb_malformed(&m))
        s = malformed(err, "input or output");
    if (!s && !*name)
        s = pl_fail(err, PLATEN_ERR_FORMAT, "an input or output has no name");
    if (!s && ret_type)
        s = read_type(type, ret_type, name, err);
    return s ? s : pl_onnx_value(o, name, ret, err);
}

/* Adds an input. In old files constants are listed as inputs, too: such a value stays a constant.
 */
static platen_status add_input(struct pl_onnx *o, struct pl_span m, struct platen_error *err)
{
    struct pl_ir *g = o->g;
    struct pl_tensor t;
    uint32_t v;
    platen_status s = read_info(o, m, &t, &v, err);
    if (s)
        return s;
    struct pl_ir_value *value = &g->values[v];
    if (value->t.data)
        return PLATEN_OK;
    if (value->t.rank != PL_IR_UNWRITTEN)
        return pl_fail(err, PLATEN_ERR_FORMAT, "two inputs have the name '%.60s'", value->name);
    value->t = t;
    g->inputs[g->n_inputs++] = v;
    return PLATEN_OK;
}

/* Adds an output, and notes its declared type where it is one of a tensor. */
static platen_status add_output(struct pl_onnx *o, struct pl_span m, struct platen_error *err)
{
    struct pl_tensor t;
    uint32_t v;
    platen_status s = read_info(o, m, NULL, &v, err);
    if (s)
        return s;
    o->g->outputs[o->g->n_outputs++] = v;
    if (o->g->values[v].t.rank == PL_IR_UNWRITTEN && !read_info(o, m, &t, &v, NULL))
        o->g->values[v].t.type = t.type;
    return PLATEN_OK;
}

static platen_status add_node(struct pl_onnx *o, struct pl_span m, struct platen_error *err)
{
    return pl_onnx_is_branch(m) ? pl_onnx_add_branch(o, m, err) : pl_onnx_add_node(o, m, err);
}

/* Calls `add` for each field of the graph with that number. */
static platen_status each(struct pl_onnx *o, struct pl_span graph, uint32_t number,
                          platen_status (*add)(struct pl_onnx *, struct pl_span,
                                               struct platen_error *),
                          struct platen_error *err)
{
    struct pl_field f;
    platen_status s = PLATEN_OK;
    while (!s && pl_pb_next(&graph, &f))
        if (f.number == number && f.wire == PL_WIRE_BYTES)
            s = add(o, f.bytes, err);
    return s;
}

struct onnx_counts {
    size_t nodes, constants, inputs, outputs, names;
};

/* Counts the names of a node, and what is made in the place of a branch or of one of onnxruntime's.
 */
static void count_node(struct pl_span m, struct onnx_counts *c)
{
    struct pl_onnx_branch_counts branch = {0};
    struct pl_field f;
    pl_onnx_count_branch(m, &branch);
    c->nodes += branch.nodes;
    c->names += branch.names;
    struct pl_span domain = {NULL, 0};
    size_t inputs = 0;
    while (pl_pb_next(&m, &f)) {
        inputs += f.number == PL_ONNX_NODE_IN;
        c->names += f.number == PL_ONNX_NODE_IN || f.number == PL_ONNX_NODE_OUT;
        if (f.number == PL_ONNX_NODE_DOMAIN)
            domain = f.bytes;
    }
    c->nodes += pl_onnx_contrib_most(domain, inputs);
    c->names += pl_onnx_contrib_most(domain, inputs);
}

static platen_status count_fields(struct pl_span graph, struct onnx_counts *c,
                                  struct platen_error *err)
{
    struct pl_field f;
    while (pl_pb_next(&graph, &f)) {
        if (f.wire != PL_WIRE_BYTES)
            continue;
        c->nodes += f.number == GRAPH_NODE;
        c->constants += f.number == GRAPH_INIT;
        c->inputs += f.number == GRAPH_INPUT;
        c->outputs += f.number == GRAPH_OUTPUT;
        if (f.number == GRAPH_SPARSE)
            return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "the graph has sparse constants");
        if (f.number == GRAPH_NODE)
            count_node(f.bytes, c);
    }
    c->names += c->constants + c->inputs + c->outputs;
    if (pl_pb_malformed(&graph))
        return malformed(err, "graph");
    if (c->nodes > PL_IR_MAX_NODES)
        return pl_fail(err, PLATEN_ERR_LIMIT, "more than %d nodes", PL_IR_MAX_NODES);
    return PLATEN_OK;
}

static platen_status make_room(struct pl_onnx *o, const struct onnx_counts *c,
                               struct platen_error *err)
{
    struct pl_ir *g = o->g;
    size_t slots = 64;
    o->max_values = PL_MIN(c->names, (size_t)PL_IR_MAX_VALUES);
    while (slots < 2 * o->max_values)
        slots *= 2;
    o->mask = slots - 1;
    o->table = PL_NEW(&g->arena, uint32_t, slots);
    g->values = PL_NEW(&g->arena, struct pl_ir_value, o->max_values);
    g->nodes = PL_NEW(&g->arena, struct pl_ir_node, c->nodes);
    g->inputs = PL_NEW(&g->arena, uint32_t, c->inputs);
    g->outputs = PL_NEW(&g->arena, uint32_t, c->outputs);
    if (!o->table || !g->values || !g->nodes || !g->inputs || !g->outputs)
        return pl_fail_nomem(err, o->max_values * sizeof(*g->values), "a graph");
    memset(o->table, 0xff, slots * sizeof(*o->table));
    return PLATEN_OK;
}

static platen_status read_graph(struct pl_onnx *o, struct pl_span graph, struct platen_error *err)
{
    struct onnx_counts c = {0};
    platen_status s = count_fields(graph, &c, err);
    s = s ? s : make_room(o, &c, err);
    s = s ? s : each(o, graph, GRAPH_INIT, pl_onnx_add_constant, err);
    s = s ? s : each(o, graph, GRAPH_INPUT, add_input, err);
    s = s ? s : each(o, graph, GRAPH_NODE, add_node, err);
    s = s ? s : each(o, graph, GRAPH_OUTPUT, add_output, err);
    if (!s && !c.outputs)
        s = pl_fail(err, PLATEN_ERR_FORMAT, "the graph has no outputs");
    s = s ? s : pl_ir_sort(o->g, err);
    if (!s && o->g->opset < 7)
        s = pl_onnx_raise(o->g, err);
    for (size_t i = 0; i < o->g->n_nodes && !s; i++)
        s = pl_op_check(&o->g->nodes[i], err);
    return s;
}

/* Reads an OperatorSetIdProto; only the default domain counts. */
static platen_status read_opset(struct pl_span m, int *ret, struct platen_error *err)
{
    struct pl_field f;
    struct pl_span domain = {NULL, 0};
    uint64_t version = 0;
    while (pl_pb_next(&m, &f)) {
        if (f.number == OPSET_DOMAIN)
            domain = f.bytes;
        if (f.number == OPSET_VERSION)
            version = f.value;
    }
    if (pl_pb_malformed(&m))
        return malformed(err, "opset");
    if (!pl_onnx_default_domain(domain))
        return PLATEN_OK;
    if (version < 1 || version > 1000)
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "opset %llu is not known",
                       (unsigned long long)version);
    *ret = (int)version;
    return PLATEN_OK;
}

platen_status pl_onnx_read(const void *data, size_t n, struct pl_beside *beside, struct pl_ir *g,
                           struct platen_error *err)
{
    struct pl_onnx o = {.g = g, .beside = beside};
    struct pl_span m = {data, n}, graph = {NULL, 0};
    struct pl_field f;
    platen_status s = PLATEN_OK;
    while (!s && pl_pb_next(&m, &f)) {
        if (f.number == MODEL_GRAPH && f.wire == PL_WIRE_BYTES)
            graph = f.bytes;
        else if (f.number == MODEL_OPSET && f.wire == PL_WIRE_BYTES)
            s = read_opset(f.bytes, &g->opset, err);
    }
    if (s)
        return s;
    if (pl_pb_malformed(&m) || !graph.p)
        return pl_fail(err, PLATEN_ERR_FORMAT, "neither a platen model file nor an ONNX model");
    g->opset = PL_MAX(g->opset, 1); /* files of the first years do not tell it */
    return read_graph(&o, graph, err);
}
