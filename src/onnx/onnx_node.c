/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads NodeProto and AttributeProto. */
#include "onnx/onnx_node.h"

#include <string.h>

#include "nn/operators.h"
#include "onnx/onnx_contrib.h"

enum { NODE_NAME = 3, NODE_OP = 4, NODE_ATTR = 5 };
enum {
    ATTR_NAME = 1,
    ATTR_F = 2,
    ATTR_I = 3,
    ATTR_S = 4,
    ATTR_T = 5,
    ATTR_G = 6,
    ATTR_FLOATS = 7,
    ATTR_INTS = 8,
    ATTR_STRINGS = 9,
    ATTR_GRAPHS = 11,
    ATTR_TYPE = 20,
    ATTR_REF = 21
};

/* Returns the kind of an AttributeProto.AttributeType; 0 for types that no operator here takes. */
static enum pl_attr_kind kind_of(uint64_t type)
{
    static const uint8_t kinds[] = {0, PL_ATTR_FLOAT,  PL_ATTR_INT,  PL_ATTR_STRING, PL_ATTR_TENSOR,
                                    0, PL_ATTR_FLOATS, PL_ATTR_INTS, PL_ATTR_STRINGS};
    return type < PL_ARRAY_LEN(kinds) ? kinds[type] : 0;
}

/* Returns the kind of an attribute by the field that is filled in: files of the first years leave
 * out the type. */
static enum pl_attr_kind kind_of_field(uint32_t number)
{
    switch (number) {
    case ATTR_F:
        return PL_ATTR_FLOAT;
    case ATTR_I:
        return PL_ATTR_INT;
    case ATTR_S:
        return PL_ATTR_STRING;
    case ATTR_T:
        return PL_ATTR_TENSOR;
    case ATTR_FLOATS:
        return PL_ATTR_FLOATS;
    case ATTR_INTS:
        return PL_ATTR_INTS;
    case ATTR_STRINGS:
        return PL_ATTR_STRINGS;
    default:
        return 0;
    }
}

/* An attribute while it is read: its numbers are counted first, and read in a second pass. */
struct attr_parts {
    const char *name, *s;
    enum pl_attr_kind kind;
    int64_t i;
    float f;
    struct pl_span message, tensor;
    size_t n; /* A list has this many numbers or strings. */
};

static float bits_f32(uint64_t v)
{
    uint32_t bits = (uint32_t)v;
    float f;
    memcpy(&f, &bits, 4);
    return f;
}

static platen_status read_part(struct attr_parts *p, struct pl_field f, struct pl_arena *arena,
                               struct platen_error *err)
{
    uint64_t v;
    if (!p->kind)
        p->kind = kind_of_field(f.number);
    switch (f.number) {
    case ATTR_NAME:
        return pl_onnx_name(f.bytes, arena, &p->name, err);
    case ATTR_F:
        p->f = bits_f32(f.value);
        break;
    case ATTR_I:
        p->i = (int64_t)f.value;
        break;
    case ATTR_S:
        if (f.wire == PL_WIRE_BYTES && !memchr(f.bytes.p, 0, f.bytes.n))
            p->s = pl_arena_strndup(arena, (const char *)f.bytes.p, f.bytes.n);
        return p->s ? PLATEN_OK : pl_fail(err, PLATEN_ERR_FORMAT, "malformed string");
    case ATTR_T:
        p->tensor = f.bytes;
        break;
    case ATTR_TYPE:
        p->kind = kind_of(f.value);
        break;
    case ATTR_FLOATS:
    case ATTR_INTS:
        while (pl_pb_number(&f, f.number == ATTR_FLOATS ? 4 : 0, &v))
            p->n++;
        return f.bytes.p ? PLATEN_OK : pl_fail(err, PLATEN_ERR_FORMAT, "malformed list");
    case ATTR_STRINGS:
        p->n++;
        break;
    default:
        break;
    }
    return PLATEN_OK;
}

static platen_status fill_list(const struct attr_parts *p, struct pl_attr *a,
                               struct pl_arena *arena, struct platen_error *err)
{
    int64_t *ints = PL_NEW(arena, int64_t, p->n); /* room for floats and pointers as well */
    float *floats = (float *)ints;
    const char **strings = (const char **)ints;
    struct pl_span m = p->message;
    struct pl_field f;
    uint64_t v;
    size_t n = 0;
    if (!ints)
        return pl_fail_nomem(err, p->n * 8, "an attribute");
    while (pl_pb_next(&m, &f) && n < p->n) {
        if (a->kind == PL_ATTR_INTS && f.number == ATTR_INTS)
            while (n < p->n && pl_pb_number(&f, 0, &v))
                ints[n++] = (int64_t)v;
        else if (a->kind == PL_ATTR_FLOATS && f.number == ATTR_FLOATS)
            while (n < p->n && pl_pb_number(&f, 4, &v))
                floats[n++] = bits_f32(v);
        else if (a->kind == PL_ATTR_STRINGS && f.number == ATTR_STRINGS) {
            platen_status s = f.wire == PL_WIRE_BYTES
                                  ? pl_onnx_name(f.bytes, arena, &strings[n++], err)
                                  : pl_fail(err, PLATEN_ERR_FORMAT, "malformed list");
            if (s)
                return s;
        }
    }
    a->n = (uint32_t)n;
    a->v.ints = ints;
    return PLATEN_OK;
}

static platen_status fill_attr(const struct pl_onnx *o, const struct attr_parts *p,
                               struct pl_attr *a, struct platen_error *err)
{
    struct pl_arena *arena = &o->g->arena;
    struct pl_tensor *t;
    *a = (struct pl_attr){.name = p->name, .kind = p->kind};
    switch (p->kind) {
    case PL_ATTR_INT:
        a->v.i = p->i;
        return PLATEN_OK;
    case PL_ATTR_FLOAT:
        a->v.f = p->f;
        return PLATEN_OK;
    case PL_ATTR_STRING:
        a->v.s = p->s ? p->s : "";
        return PLATEN_OK;
    case PL_ATTR_TENSOR:
        t = PL_NEW(arena, struct pl_tensor, 1);
        a->v.t = t;
        return t ? pl_onnx_tensor(p->tensor, o->beside, arena, t, NULL, err)
                 : pl_fail_nomem(err, sizeof(*t), "an attribute");
    default:
        return fill_list(p, a, arena, err);
    }
}

static platen_status read_attr(const struct pl_onnx *o, struct pl_span m, struct pl_attr *a,
                               struct platen_error *err)
{
    struct attr_parts p = {.name = "", .message = m, .tensor = {(const uint8_t *)"", 0}};
    struct pl_field f;
    platen_status s = PLATEN_OK;
    while (!s && pl_pb_next(&m, &f)) {
        s = read_part(&p, f, &o->g->arena, err);
        if (f.number == ATTR_REF || f.number == ATTR_G || f.number == ATTR_GRAPHS)
            s = pl_fail(err, PLATEN_ERR_UNSUPPORTED, "attribute '%.40s' holds a graph", p.name);
    }
    if (s)
        return s;
    if (pl_pb_malformed(&m))
        return pl_fail(err, PLATEN_ERR_FORMAT, "malformed attribute '%.40s'", p.name);
    if (!*p.name || !p.kind)
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "attribute '%.40s' is of an unknown kind",
                       p.name);
    return fill_attr(o, &p, a, err);
}

/* A node while it is read, whose operator is still a name. */
struct node_parts {
    const char *name, *op;
    const char *result; /* The first value that it writes. */
    struct pl_span domain;
    size_t n_in, n_out, n_attrs;
};

static platen_status count_parts(struct pl_span m, struct node_parts *p, struct pl_arena *arena,
                                 struct platen_error *err)
{
    struct pl_field f;
    platen_status s = PLATEN_OK;
    while (!s && pl_pb_next(&m, &f)) {
        if (f.wire != PL_WIRE_BYTES)
            continue;
        p->n_in += f.number == PL_ONNX_NODE_IN;
        p->n_out += f.number == PL_ONNX_NODE_OUT;
        p->n_attrs += f.number == NODE_ATTR;
        if (f.number == PL_ONNX_NODE_DOMAIN)
            p->domain = f.bytes;
        if (f.number == NODE_NAME || f.number == NODE_OP)
            s = pl_onnx_name(f.bytes, arena, f.number == NODE_OP ? &p->op : &p->name, err);
        if (f.number == PL_ONNX_NODE_OUT && !s && !*p->result)
            s = pl_onnx_name(f.bytes, arena, &p->result, err);
    }
    if (!s && pl_pb_malformed(&m))
        return pl_fail(err, PLATEN_ERR_FORMAT, "malformed node");
    if (!*p->name)
        p->name = *p->result ? p->result : p->op;
    return s;
}

static platen_status find_op(const struct node_parts *p, const struct pl_op **ret,
                             struct platen_error *err)
{
    if (!pl_onnx_default_domain(p->domain))
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED,
                       "node '%.60s' (%.40s): operators of the domain '%.*s' are not known",
                       p->name, p->op, (int)PL_MIN(p->domain.n, 40u), (const char *)p->domain.p);
    /* the name that onnxruntime gave it before it came to ONNX */
    const bool simplified = !strcmp(p->op, "SimplifiedLayerNormalization");
    *ret = pl_op_find(simplified ? "RMSNormalization" : p->op);
    if (!*ret || ((*ret)->traits & PL_INTERNAL))
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "node '%.60s' (%.40s): unknown operator",
                       p->name, p->op);
    return PLATEN_OK;
}

static platen_status add_edge(struct pl_onnx *o, struct pl_span name, uint32_t *edge,
                              struct platen_error *err)
{
    const char *s;
    *edge = PL_IR_NONE;
    if (!name.n)
        return PLATEN_OK;
    platen_status st = pl_onnx_name(name, &o->g->arena, &s, err);
    return st ? st : pl_onnx_value(o, s, edge, err);
}

static platen_status fill_node(struct pl_onnx *o, struct pl_span m, const char *op,
                               struct pl_ir_node *n, struct pl_attr *attrs,
                               struct platen_error *err)
{
    struct pl_field f;
    platen_status s = PLATEN_OK;
    while (!s && pl_pb_next(&m, &f)) {
        if (f.wire != PL_WIRE_BYTES)
            continue;
        if (f.number == PL_ONNX_NODE_IN) {
            s = add_edge(o, f.bytes, &n->in[n->n_in++], err);
        } else if (f.number == PL_ONNX_NODE_OUT) {
            s = add_edge(o, f.bytes, &n->out[n->n_out++], err);
        } else if (f.number == NODE_ATTR) {
            s = read_attr(o, f.bytes, &attrs[n->n_attrs++], err);
            if (s)
                s = pl_fail_prefix(err, s, "node '%.60s' (%.40s): ", n->name, op);
        }
    }
    return s;
}

platen_status pl_onnx_add_node(struct pl_onnx *o, struct pl_span m, struct platen_error *err)
{
    struct pl_arena *arena = &o->g->arena;
    struct node_parts p = {.name = "", .op = "", .result = ""};
    struct pl_ir_node n = {.op = NULL};
    platen_status s = count_parts(m, &p, arena, err);
    const bool contrib = pl_onnx_contrib_domain(p.domain);
    if (!s && !contrib)
        s = find_op(&p, &n.op, err);
    if (s)
        return s;
    n.name = p.name;
    struct pl_attr *attrs = PL_NEW(arena, struct pl_attr, p.n_attrs);
    n.attrs = attrs;
    n.in = PL_NEW(arena, uint32_t, p.n_in);
    n.out = PL_NEW(arena, uint32_t, p.n_out);
    if (!attrs || !n.in || !n.out)
        return pl_fail_nomem(err, p.n_attrs * sizeof(*attrs), "a node");
    s = fill_node(o, m, p.op, &n, attrs, err);
    if (!s && contrib)
        return pl_onnx_add_contrib(o, &n, p.op, err);
    if (!s)
        o->g->nodes[o->g->n_nodes++] = n;
    return s;
}
