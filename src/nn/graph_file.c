/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads a graph from the bytes of a container. Every field is checked, and nothing is copied but
 * lists of numbers and of places of names. */
#include "nn/graph_file.h"

#include <string.h>

#include "base/byte_order.h"
#include "base/mem.h"
#include "nn/operators.h"
#include "nn/prepared.h"

#define MAX_LIST_STRINGS 65536

const char pl_net_sections[PL_NET_SECTIONS][5] = {"META", "STRS", "VALS", "NODE",
                                                  "EDGE", "ATTR", "DATA"};

/* A file while it is read. */
struct in {
    struct pl_nn_range part[PL_NET_SECTIONS];
    struct pl_ir *g;
    size_t n_edges, n_attrs, next_edge, next_attr; /* nodes take theirs one after the other */
    size_t n_strings;                              /* of lists, so far */
    struct pl_attr *attrs;
};

static platen_status malformed(struct platen_error *err, const char *what, size_t i)
{
    return pl_fail(err, PLATEN_ERR_FORMAT, "%s %zu is malformed", what, i);
}

/* Returns the string at a place of STRS, or NULL when there is none. The section ends in a zero
 * byte. */
static const char *string_at(const struct in *f, uint64_t at)
{
    const struct pl_nn_range *s = &f->part[PL_NET_STRS];
    if (at >= s->size || (at && s->data[at - 1]))
        return NULL;
    const char *p = (const char *)s->data + at;
    return strnlen(p, PL_IR_MAX_NAME_BYTES + 1) <= PL_IR_MAX_NAME_BYTES ? p : NULL;
}

static uint32_t edge(const struct in *f, size_t i)
{
    return pl_le32(f->part[PL_NET_EDGE].data + 4 * i);
}

static platen_status read_value(struct in *f, size_t i, struct platen_error *err)
{
    const uint8_t *r = f->part[PL_NET_VALS].data + i * PL_NET_VALUE_BYTES;
    struct pl_ir_value *v = &f->g->values[i];
    const struct pl_nn_range *data = &f->part[PL_NET_DATA];
    const uint64_t at = pl_le64(r + 72), bytes = pl_le64(r + 80);
    const int kind = r[4], rank = r[6] - 1;
    int64_t dims[PL_MAX_RANK];
    *v = (struct pl_ir_value){.name = string_at(f, pl_le32(r)), .writer = PL_IR_NONE};
    v->t.rank = PL_IR_UNWRITTEN;
    if (!v->name || kind > PL_NET_CONSTANT || r[7] || pl_le64(r + 88) || r[6] > PL_MAX_RANK + 1)
        return malformed(err, "value", i);
    for (int d = 0; d < PL_MAX_RANK; d++) {
        dims[d] = (int64_t)pl_le64(r + 8 + 8 * d);
        if (d >= rank && dims[d])
            return malformed(err, "value", i);
    }
    if (kind != PL_NET_CONSTANT && (at || bytes))
        return malformed(err, "value", i);
    if (kind == PL_NET_WRITTEN)
        return r[5] || r[6] ? malformed(err, "value", i) : PLATEN_OK;
    if (!pl_dtype_bytes(r[5]))
        return malformed(err, "value", i);
    if (kind == PL_NET_INPUT) {
        v->t.type = r[5];
        v->t.rank = rank;
        for (int d = 0; d < rank; d++) {
            if (dims[d] < -1 || dims[d] > PL_MAX_ELEMENTS)
                return malformed(err, "value", i);
            v->t.dims[d] = dims[d];
        }
        return PLATEN_OK;
    }
    if (rank < 0 || !pl_tensor_shape(&v->t, r[5], rank, dims) || bytes != pl_tensor_bytes(&v->t) ||
        at % PL_CONTAINER_ALIGN || at > data->size || bytes > data->size - at)
        return malformed(err, "constant", i);
    v->t.data = (void *)(data->data + at);
    return PLATEN_OK;
}

static platen_status read_strings(struct in *f, struct pl_attr *a, uint64_t v, size_t i,
                                  struct platen_error *err)
{
    const struct pl_nn_range *data = &f->part[PL_NET_DATA];
    if (v % PL_CONTAINER_ALIGN || v > data->size || a->n > (data->size - v) / 4)
        return malformed(err, "attribute", i);
    f->n_strings += a->n;
    if (f->n_strings > MAX_LIST_STRINGS)
        return pl_fail(err, PLATEN_ERR_LIMIT, "more than %d strings in lists", MAX_LIST_STRINGS);
    const char **list = PL_NEW(&f->g->arena, const char *, a->n);
    if (!list)
        return pl_fail_nomem(err, a->n * sizeof(*list), "an attribute");
    for (uint32_t k = 0; k < a->n; k++) {
        list[k] = string_at(f, pl_le32(data->data + v + 4 * k));
        if (!list[k])
            return malformed(err, "attribute", i);
    }
    a->v.strings = list;
    return PLATEN_OK;
}

static platen_status read_attr(struct in *f, size_t i, struct platen_error *err)
{
    const uint8_t *r = f->part[PL_NET_ATTR].data + i * PL_NET_ATTR_BYTES;
    const struct pl_nn_range *data = &f->part[PL_NET_DATA];
    const uint64_t v = pl_le64(r + 16);
    const uint32_t kind = pl_le32(r + 4), n = pl_le32(r + 8);
    struct pl_attr *a = &f->attrs[i];
    *a = (struct pl_attr){.name = string_at(f, pl_le32(r)), .kind = kind, .n = n};
    if (!a->name || pl_le32(r + 12) || (n && kind < PL_ATTR_INTS))
        return malformed(err, "attribute", i);
    switch (kind) {
    case PL_ATTR_INT:
        a->v.i = (int64_t)v;
        return PLATEN_OK;
    case PL_ATTR_FLOAT:
        a->v.f = pl_lef32(r + 16);
        return v >> 32 ? malformed(err, "attribute", i) : PLATEN_OK;
    case PL_ATTR_STRING:
        a->v.s = string_at(f, v);
        return a->v.s ? PLATEN_OK : malformed(err, "attribute", i);
    case PL_ATTR_TENSOR:
        if (v >= f->g->n_values || !f->g->values[v].t.data)
            return malformed(err, "attribute", i);
        a->v.t = &f->g->values[v].t;
        return PLATEN_OK;
    case PL_ATTR_INTS:
    case PL_ATTR_FLOATS:
        if (v % PL_CONTAINER_ALIGN || v > data->size ||
            n > (data->size - v) / (kind == PL_ATTR_INTS ? 8 : 4))
            return malformed(err, "attribute", i);
        a->v.ints = (const void *)(data->data + v);
        return PLATEN_OK;
    case PL_ATTR_STRINGS:
        return read_strings(f, a, v, i, err);
    default:
        return malformed(err, "attribute", i);
    }
}

/* Copies the next n values of EDGE; PL_IR_NONE is allowed only where values may be left out. */
static platen_status read_edges(struct in *f, uint32_t n, bool optional, uint32_t **ret,
                                struct platen_error *err)
{
    if (n > f->n_edges - f->next_edge)
        return pl_fail(err, PLATEN_ERR_FORMAT, "edges lie beyond their section");
    *ret = PL_NEW(&f->g->arena, uint32_t, n);
    if (!*ret)
        return pl_fail_nomem(err, n * sizeof(**ret), "edges");
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = edge(f, f->next_edge++);
        if (v >= f->g->n_values && !(optional && v == PL_IR_NONE))
            return pl_fail(err, PLATEN_ERR_FORMAT, "edge %zu is no value", f->next_edge - 1);
        (*ret)[i] = v;
    }
    return PLATEN_OK;
}

static platen_status read_node(struct in *f, size_t i, struct platen_error *err)
{
    const uint8_t *r = f->part[PL_NET_NODE].data + i * PL_NET_NODE_BYTES;
    struct pl_ir_node *n = &f->g->nodes[i];
    const char *op = string_at(f, pl_le32(r + 4));
    n->name = string_at(f, pl_le32(r));
    n->n_in = pl_le32(r + 8);
    n->n_out = pl_le32(r + 12);
    n->n_attrs = pl_le32(r + 16);
    if (!n->name || !*n->name || !op || n->n_attrs > f->n_attrs - f->next_attr || pl_le32(r + 20) ||
        pl_le64(r + 24))
        return malformed(err, "node", i);
    n->op = pl_op_find(op);
    if (!n->op)
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "node '%.60s' (%.40s): unknown operator",
                       n->name, op);
    n->attrs = f->attrs + f->next_attr;
    f->next_attr += n->n_attrs;
    platen_status s = read_edges(f, n->n_in, true, &n->in, err);
    s = s ? s : read_edges(f, n->n_out, true, &n->out, err);
    return s ? s : pl_op_check(n, err);
}

/* Reads opset, inputs and outputs at the front of EDGE. The record of an input must say that it is
 * one. */
static platen_status read_ends(struct in *f, struct platen_error *err)
{
    struct pl_ir *g = f->g;
    if (f->n_edges < 3)
        return pl_fail(err, PLATEN_ERR_FORMAT, "no inputs and outputs");
    g->opset = (int)PL_MIN(edge(f, 0), 1001u);
    g->n_inputs = edge(f, 1);
    g->n_outputs = edge(f, 2);
    if (g->opset < 1 || g->opset > 1000 || !g->n_outputs)
        return pl_fail(err, PLATEN_ERR_FORMAT, "no outputs, or an unknown opset");
    f->next_edge = 3;
    platen_status s = read_edges(f, (uint32_t)g->n_inputs, false, &g->inputs, err);
    s = s ? s : read_edges(f, (uint32_t)g->n_outputs, false, &g->outputs, err);
    size_t declared = 0;
    for (size_t i = 0; i < g->n_values && !s; i++)
        declared += !g->values[i].t.data && g->values[i].t.rank != PL_IR_UNWRITTEN;
    for (size_t i = 0; i < g->n_inputs && !s; i++) {
        struct pl_ir_value *v = &g->values[g->inputs[i]];
        if (v->t.data || v->t.rank == PL_IR_UNWRITTEN || v->writer != PL_IR_NONE)
            s = malformed(err, "input", i);
        v->writer = 0; /* seen; pl_ir_sort() sets it anew */
    }
    return !s && declared != g->n_inputs
               ? pl_fail(err, PLATEN_ERR_FORMAT, "%zu inputs, not %zu", g->n_inputs, declared)
               : s;
}

static platen_status make_room(struct in *f, struct platen_error *err)
{
    struct pl_ir *g = f->g;
    const struct pl_nn_range *p = f->part;
    const struct pl_nn_range *strs = &p[PL_NET_STRS];
    if (p[PL_NET_VALS].size % PL_NET_VALUE_BYTES || p[PL_NET_NODE].size % PL_NET_NODE_BYTES ||
        p[PL_NET_ATTR].size % PL_NET_ATTR_BYTES || p[PL_NET_EDGE].size % 4 ||
        (strs->size && strs->data[strs->size - 1]))
        return pl_fail(err, PLATEN_ERR_FORMAT, "a section ends within a record");
    g->n_values = p[PL_NET_VALS].size / PL_NET_VALUE_BYTES;
    g->n_nodes = p[PL_NET_NODE].size / PL_NET_NODE_BYTES;
    f->n_attrs = p[PL_NET_ATTR].size / PL_NET_ATTR_BYTES;
    f->n_edges = p[PL_NET_EDGE].size / 4;
    if (g->n_values > PL_IR_MAX_VALUES || g->n_nodes > PL_IR_MAX_NODES)
        return pl_fail(err, PLATEN_ERR_LIMIT, "%zu values and %zu nodes", g->n_values, g->n_nodes);
    g->values = PL_NEW(&g->arena, struct pl_ir_value, g->n_values);
    g->nodes = PL_NEW(&g->arena, struct pl_ir_node, g->n_nodes);
    f->attrs = PL_NEW(&g->arena, struct pl_attr, f->n_attrs);
    return g->values && g->nodes && f->attrs
               ? PLATEN_OK
               : pl_fail_nomem(err, g->n_values * sizeof(*g->values), "a network");
}

static platen_status read_container(const uint8_t *data, size_t size, struct pl_network *n,
                                    struct platen_error *err)
{
    static const struct pl_container_form form = {.major = 2,
                                                  .names = pl_net_sections,
                                                  .n_sections = PL_NET_SECTIONS,
                                                  .least = PL_NET_SECTIONS};
    struct in f = {.g = &n->g};
    platen_status s = pl_container_read(data, size, &form, f.part, err);
    s = s ? s : pl_container_meta(&f.part[PL_NET_META], &n->g.arena, &n->meta, &n->n_meta, err);
    s = s ? s : make_room(&f, err);
    for (size_t i = 0; i < n->g.n_values && !s; i++)
        s = read_value(&f, i, err);
    for (size_t i = 0; i < f.n_attrs && !s; i++)
        s = read_attr(&f, i, err);
    s = s ? s : read_ends(&f, err);
    for (size_t i = 0; i < n->g.n_nodes && !s; i++)
        s = read_node(&f, i, err);
    if (!s && (f.next_edge != f.n_edges || f.next_attr != f.n_attrs))
        s = pl_fail(err, PLATEN_ERR_FORMAT, "edges or attributes of no node");
    return s ? s : pl_ir_sort(&n->g, err);
}

platen_status pl_network_open_memory(const void *data, size_t n, struct pl_network **ret,
                                     struct platen_error *err)
{
    if ((uintptr_t)data % 16)
        return pl_fail(err, PLATEN_ERR_ARG, "model bytes are not aligned to 16");
    pl_auto(network) net = pl_alloc_zero(1, sizeof(*net));
    if (!net)
        return pl_fail_nomem(err, sizeof(*net), "a network");
    pl_ir_init(&net->g);
    platen_status s = pl_prepared_new(&net->g.prepared, err);
    s = s ? s : read_container(data, n, net, err);
    if (!s)
        *ret = pl_steal(net);
    return s;
}

platen_status pl_network_open(const char *path, struct pl_network **ret, struct platen_error *err)
{
    struct pl_map map = {0};
    struct pl_network *n = NULL;
    platen_status s = pl_map_read(path, PL_IR_MAX_FILE_BYTES, &map, err);
    s = s ? s : pl_network_open_memory(map.data, map.size, &n, err);
    if (s) {
        pl_map_close(&map);
        return pl_fail_prefix(err, s, "unable to open model '%s': ", path);
    }
    n->map = map;
    *ret = n;
    return PLATEN_OK;
}

const char *pl_network_meta(const struct pl_network *n, const char *key)
{
    return pl_container_value(n->meta, n->n_meta, key);
}

platen_status pl_network_number(const struct pl_network *n, const char *key, double lo, double hi,
                                double *ret, struct platen_error *err)
{
    const char *v = pl_network_meta(n, key);
    double number;
    if (!v || !pl_parse_double(v, strlen(v), &number) || !(number >= lo && number <= hi))
        return pl_fail(err, PLATEN_ERR_FORMAT, "metadata key '%s' is missing or not %g to %g", key,
                       lo, hi);
    *ret = number;
    return PLATEN_OK;
}

platen_status pl_network_int(const struct pl_network *n, const char *key, int lo, int hi, int *ret,
                             struct platen_error *err)
{
    double number = 0;
    platen_status s = pl_network_number(n, key, lo, hi, &number, err);
    if (!s && number != (int)number)
        s = pl_fail(err, PLATEN_ERR_FORMAT, "metadata key '%s' is no whole number", key);
    if (!s)
        *ret = (int)number;
    return s;
}

void pl_network_free(struct pl_network *n)
{
    if (!n)
        return;
    for (size_t i = 0; i < n->n_beside; i++)
        pl_map_close(&n->beside[i]);
    pl_ir_done(&n->g);
    pl_map_close(&n->map);
    pl_free(n);
}
