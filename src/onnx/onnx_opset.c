/* SPDX-License-Identifier: BSD-2-Clause */
#include "onnx/onnx_opset.h"

#include <string.h>

#include "nn/operators.h"

#define UNKNOWN (-1) /* The file does not tell the rank. */

/* A graph whose nodes are copied, with what has to stand before them, to a new list. */
struct raised {
    struct pl_ir *g;
    struct pl_ir_node *nodes; /* There is room for two for each node of g. */
    size_t n_nodes;
    int *rank; /* The rank of each value, or UNKNOWN. */
    struct platen_error *err;
};

/* Removes an attribute from a list that belongs to the node alone. */
static void drop(struct pl_ir_node *n, struct pl_attr *attrs, const char *name)
{
    uint32_t k = 0;
    for (uint32_t i = 0; i < n->n_attrs; i++)
        if (strcmp(attrs[i].name, name))
            attrs[k++] = attrs[i];
    n->n_attrs = k;
}

/* Adds a value of that rank, and sets input i of n to it. */
static platen_status give_input(struct raised *r, struct pl_ir_node *n, uint32_t i, int rank)
{
    struct pl_ir *g = r->g;
    const uint32_t count = PL_MAX(n->n_in, i + 1);
    uint32_t *in = PL_NEW(&g->arena, uint32_t, count);
    const char *name = pl_ir_name(g, n->name, "raised");
    if (!in || !name)
        return pl_fail_nomem(r->err, count * sizeof(*in), "a node");
    if (g->n_values == PL_IR_MAX_VALUES)
        return pl_fail(r->err, PLATEN_ERR_LIMIT, "more than %d values", PL_IR_MAX_VALUES);
    memcpy(in, n->in, n->n_in * sizeof(*in));
    r->rank[g->n_values] = rank;
    g->values[g->n_values] =
        (struct pl_ir_value){.name = name, .t.rank = PL_IR_UNWRITTEN, .writer = PL_IR_NONE};
    in[i] = (uint32_t)g->n_values++;
    n->in = in;
    n->n_in = count;
    return PLATEN_OK;
}

/* Appends `n` axes of one element to input 1 of the node, which has `rank` axes. */
static platen_status append_axes(struct raised *r, struct pl_ir_node *node, int rank, int n)
{
    struct pl_arena *arena = &r->g->arena;
    const uint32_t from = node->in[1];
    struct pl_attr *a = PL_NEW(arena, struct pl_attr, 1);
    int64_t *axes = PL_NEW(arena, int64_t, (size_t)n);
    uint32_t *edges = PL_NEW(arena, uint32_t, 2);
    if (!a || !axes || !edges)
        return pl_fail_nomem(r->err, sizeof(*a), "a node");
    platen_status s = give_input(r, node, 1, rank + n);
    if (s)
        return s;
    for (int i = 0; i < n; i++)
        axes[i] = rank + i;
    *a = (struct pl_attr){.name = "axes", .kind = PL_ATTR_INTS, .n = (uint32_t)n};
    a->v.ints = axes;
    edges[0] = from;
    edges[1] = node->in[1];
    r->nodes[r->n_nodes++] = (struct pl_ir_node){.name = r->g->values[node->in[1]].name,
                                                 .op = pl_op_by_id(PL_OP_Unsqueeze),
                                                 .n_in = 1,
                                                 .n_out = 1,
                                                 .n_attrs = 1,
                                                 .in = edges,
                                                 .out = edges + 1,
                                                 .attrs = a};
    return PLATEN_OK;
}

/* Makes the axes of input 1 lie below those of input 0 from `axis` on. Later opsets align the last
 * ones. */
static platen_status align(struct raised *r, struct pl_ir_node *n, int64_t axis)
{
    if (n->n_in < 2 || n->in[0] == PL_IR_NONE || n->in[1] == PL_IR_NONE)
        return PLATEN_OK; /* The check of the node refuses it. */
    const int a = r->rank[n->in[0]], b = r->rank[n->in[1]];
    if (a == UNKNOWN || b == UNKNOWN)
        return pl_ir_fail(n, r->err, PLATEN_ERR_UNSUPPORTED,
                          "'axis' aligns inputs of unknown rank");
    axis += axis < 0 ? a : 0;
    if (axis < 0 || axis + b > a)
        return pl_ir_fail(n, r->err, PLATEN_ERR_FORMAT, "'axis' is beyond the input");
    return axis + b == a ? PLATEN_OK : append_axes(r, n, b, a - b - (int)axis);
}

/* Turns the attribute `shape` into input 1. */
static platen_status raise_reshape(struct raised *r, struct pl_ir_node *n)
{
    const struct pl_attr *a = pl_ir_attr(n, "shape");
    if (!a || a->kind != PL_ATTR_INTS)
        return PLATEN_OK;
    platen_status s = give_input(r, n, 1, 1);
    if (s)
        return s;
    struct pl_tensor *t = &r->g->values[n->in[1]].t;
    *t = (struct pl_tensor){.type = PL_I64, .rank = 1, .dims = {a->n}, .data = (void *)a->v.ints};
    return PLATEN_OK;
}

/* Turns the name of a type into its number. */
static void raise_cast(const struct pl_ir_node *n, struct pl_attr *attrs)
{
    static const char *const names[] = {"UNDEFINED", "FLOAT",  "UINT8",  "INT8",   "UINT16",
                                        "INT16",     "INT32",  "INT64",  "STRING", "BOOL",
                                        "FLOAT16",   "DOUBLE", "UINT32", "UINT64"};
    for (uint32_t i = 0; i < n->n_attrs; i++)
        for (size_t k = 0; k < PL_ARRAY_LEN(names) && attrs[i].kind == PL_ATTR_STRING; k++)
            if (!strcmp(attrs[i].name, "to") && !strcmp(attrs[i].v.s, names[k])) {
                attrs[i].kind = PL_ATTR_INT;
                attrs[i].v.i = (int64_t)k;
            }
}

static platen_status raise_node(struct raised *r, struct pl_ir_node *n, struct pl_attr *attrs)
{
    const bool aligned = pl_ir_attr(n, "axis") && pl_ir_int(n, "broadcast", 0);
    platen_status s = PLATEN_OK;
    drop(n, attrs, "consumed_inputs");
    switch (n->op->id) {
    case PL_OP_Add:
    case PL_OP_And:
    case PL_OP_Div:
    case PL_OP_Equal:
    case PL_OP_Greater:
    case PL_OP_Less:
    case PL_OP_Mul:
    case PL_OP_Or:
    case PL_OP_Pow:
    case PL_OP_Sub:
    case PL_OP_Xor:
        if (aligned)
            s = align(r, n, pl_ir_int(n, "axis", 0));
        drop(n, attrs, "axis");
        /* fall through */
    case PL_OP_Gemm:
        drop(n, attrs, "broadcast");
        return s;
    case PL_OP_PRelu:
        return n->n_in == 2 && n->in[1] != PL_IR_NONE && r->rank[n->in[1]] == 1 ? align(r, n, 1)
                                                                                : PLATEN_OK;
    case PL_OP_BatchNormalization:
    case PL_OP_Dropout:
        if (!pl_ir_int(n, "is_test", 0))
            return pl_ir_fail(n, r->err, PLATEN_ERR_UNSUPPORTED, "it trains ('is_test' is 0)");
        drop(n, attrs, "is_test");
        return PLATEN_OK;
    case PL_OP_Reshape:
        s = raise_reshape(r, n);
        drop(n, attrs, "shape");
        return s;
    case PL_OP_Cast:
        raise_cast(n, attrs);
        return PLATEN_OK;
    default:
        return PLATEN_OK;
    }
}

/* Returns the rank of what the node writes, as far as the operators of old networks tell it. */
static int rank_behind(const struct raised *r, const struct pl_ir_node *n)
{
    const struct pl_attr *constant = pl_ir_attr(n, "value");
    const uint32_t second = n->n_in > 1 ? n->in[1] : PL_IR_NONE;
    pl_call_fn *const keeping[] = {
        pl_infer_same,      pl_infer_binary,         pl_infer_compare, pl_infer_pow,
        pl_infer_conv,      pl_infer_conv_transpose, pl_infer_pool,    pl_infer_global_pool,
        pl_infer_concat,    pl_infer_batch_norm,     pl_infer_dropout, pl_infer_cast,
        pl_infer_pad,       pl_infer_split,          pl_infer_slice,   pl_infer_resize,
        pl_infer_transpose, pl_infer_variadic,       pl_infer_tile};
    if (n->op->id == PL_OP_Constant && constant && constant->kind == PL_ATTR_TENSOR)
        return constant->v.t->rank;
    if (n->op->id == PL_OP_Gemm || n->op->id == PL_OP_Flatten)
        return 2;
    if (n->op->id == PL_OP_Reshape && second != PL_IR_NONE && r->g->values[second].t.data)
        return (int)pl_tensor_count(&r->g->values[second].t);
    for (size_t i = 0; i < PL_ARRAY_LEN(keeping); i++)
        if (n->op->infer == keeping[i] && n->n_in && n->in[0] != PL_IR_NONE)
            return r->rank[n->in[0]];
    return UNKNOWN;
}

/* Copies a node, and what goes before it. */
static platen_status copy_node(struct raised *r, const struct pl_ir_node *from)
{
    struct pl_ir_node n = *from;
    struct pl_attr *attrs = PL_NEW(&r->g->arena, struct pl_attr, n.n_attrs);
    if (!attrs)
        return pl_fail_nomem(r->err, n.n_attrs * sizeof(*attrs), "a node");
    memcpy(attrs, n.attrs, n.n_attrs * sizeof(*attrs));
    n.attrs = attrs;
    platen_status s = raise_node(r, &n, attrs);
    if (s)
        return s;
    const int rank = rank_behind(r, &n);
    for (uint32_t k = 0; k < n.n_out; k++)
        if (n.out[k] != PL_IR_NONE)
            r->rank[n.out[k]] = rank;
    r->nodes[r->n_nodes++] = n;
    return PLATEN_OK;
}

platen_status pl_onnx_raise(struct pl_ir *g, struct platen_error *err)
{
    const size_t most = g->n_values + g->n_nodes; /* A node gets one new value at most. */
    struct raised r = {.g = g, .nodes = PL_NEW(&g->arena, struct pl_ir_node, 2 * g->n_nodes)};
    struct pl_ir_value *values = PL_NEW(&g->arena, struct pl_ir_value, most);
    platen_status s = PLATEN_OK;
    r.rank = PL_NEW(&g->arena, int, most);
    r.err = err;
    if (!r.nodes || !values || !r.rank)
        return pl_fail_nomem(err, most * sizeof(*values), "a graph");
    memcpy(values, g->values, g->n_values * sizeof(*values));
    g->values = values;
    for (size_t v = 0; v < g->n_values; v++)
        r.rank[v] = values[v].t.rank < 0 ? UNKNOWN : values[v].t.rank;
    for (size_t i = 0; i < g->n_nodes && !s; i++)
        s = copy_node(&r, &g->nodes[i]);
    if (!s && r.n_nodes > PL_IR_MAX_NODES)
        s = pl_fail(err, PLATEN_ERR_LIMIT, "more than %d nodes", PL_IR_MAX_NODES);
    g->nodes = r.nodes;
    g->n_nodes = r.n_nodes;
    g->opset = 7;
    return s ? s : pl_ir_sort(g, err);
}
