/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes a graph as the bytes of a container, whose records platen-model.5 describes. */
#include "compile/graph_write.h"

#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "nn/crc32c.h"
#include "nn/operators.h"

#define FORMAT_MAJOR 2 /* the version of the format is FORMAT_MAJOR.0 */

/* The sections while they are filled. */
struct out {
    struct pl_str part[PL_NET_SECTIONS];
    uint32_t n_values;
};

static void put_number(struct out *o, int part, uint64_t v, int bytes)
{
    char b[8];
    for (int i = 0; i < bytes; i++, v >>= 8)
        b[i] = (char)(v & 255);
    pl_str_add(&o->part[part], b, (size_t)bytes);
}

/* Adds a string to STRS and returns its place there. */
static uint32_t put_string(struct out *o, const char *s)
{
    uint32_t at = (uint32_t)o->part[PL_NET_STRS].len;
    pl_str_add(&o->part[PL_NET_STRS], s, strlen(s) + 1);
    return at;
}

/* Adds bytes to DATA, aligned, and returns their place there. */
static uint64_t put_data(struct out *o, const void *data, size_t n)
{
    struct pl_str *d = &o->part[PL_NET_DATA];
    while (d->len % PL_CONTAINER_ALIGN && !d->failed)
        pl_str_putc(d, '\0');
    uint64_t at = d->len;
    pl_str_add(d, data, n);
    return at;
}

/* Adds a record to VALS; `t` has data for a constant. */
static void put_value(struct out *o, const char *name, int kind, const struct pl_tensor *t)
{
    const bool constant = kind == PL_NET_CONSTANT;
    const size_t bytes = constant ? pl_tensor_bytes(t) : 0;
    const uint64_t at = constant ? put_data(o, t->data, bytes) : 0;
    put_number(o, PL_NET_VALS, put_string(o, name), 4);
    put_number(o, PL_NET_VALS, (uint64_t)kind, 1);
    put_number(o, PL_NET_VALS, kind == PL_NET_WRITTEN ? 0 : t->type, 1);
    put_number(o, PL_NET_VALS, kind == PL_NET_WRITTEN ? 0 : (uint64_t)(t->rank + 1), 1);
    put_number(o, PL_NET_VALS, 0, 1);
    for (int i = 0; i < PL_MAX_RANK; i++)
        put_number(o, PL_NET_VALS, kind != PL_NET_WRITTEN && i < t->rank ? (uint64_t)t->dims[i] : 0,
                   8);
    put_number(o, PL_NET_VALS, at, 8);
    put_number(o, PL_NET_VALS, bytes, 8);
    put_number(o, PL_NET_VALS, 0, 8);
    o->n_values++;
}

/* Adds a list of strings: their places in STRS become a list in DATA, whose place it returns. */
static uint64_t put_strings(struct out *o, const struct pl_attr *a)
{
    uint64_t at = put_data(o, "", 0);
    for (uint32_t i = 0; i < a->n; i++)
        put_number(o, PL_NET_DATA, put_string(o, a->v.strings[i]), 4);
    return at;
}

/* Adds a record to ATTR; a tensor becomes one more constant. */
static void put_attr(struct out *o, const struct pl_attr *a)
{
    uint64_t v = 0;
    uint32_t bits;
    switch (a->kind) {
    case PL_ATTR_INT:
        v = (uint64_t)a->v.i;
        break;
    case PL_ATTR_FLOAT:
        memcpy(&bits, &a->v.f, 4);
        v = bits;
        break;
    case PL_ATTR_STRING:
        v = put_string(o, a->v.s);
        break;
    case PL_ATTR_TENSOR:
        v = o->n_values;
        put_value(o, "", PL_NET_CONSTANT, a->v.t);
        break;
    case PL_ATTR_INTS:
        v = put_data(o, a->v.ints, a->n * sizeof(int64_t));
        break;
    case PL_ATTR_FLOATS:
        v = put_data(o, a->v.floats, a->n * sizeof(float));
        break;
    case PL_ATTR_STRINGS:
        v = put_strings(o, a);
        break;
    }
    put_number(o, PL_NET_ATTR, put_string(o, a->name), 4);
    put_number(o, PL_NET_ATTR, a->kind, 4);
    put_number(o, PL_NET_ATTR, a->n, 4);
    put_number(o, PL_NET_ATTR, 0, 4);
    put_number(o, PL_NET_ATTR, v, 8);
}

static void put_edges(struct out *o, const uint32_t *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put_number(o, PL_NET_EDGE, v[i], 4);
}

static void put_node(struct out *o, const struct pl_ir_node *n)
{
    for (uint32_t i = 0; i < n->n_attrs; i++)
        put_attr(o, &n->attrs[i]);
    put_number(o, PL_NET_NODE, put_string(o, n->name), 4);
    put_number(o, PL_NET_NODE, put_string(o, n->op->name), 4);
    put_number(o, PL_NET_NODE, n->n_in, 4);
    put_number(o, PL_NET_NODE, n->n_out, 4);
    put_number(o, PL_NET_NODE, n->n_attrs, 4);
    put_number(o, PL_NET_NODE, 0, 8);
    put_number(o, PL_NET_NODE, 0, 4);
    put_edges(o, n->in, n->n_in);
    put_edges(o, n->out, n->n_out);
}

static void put_graph(struct out *o, const struct pl_ir *g)
{
    put_number(o, PL_NET_EDGE, (uint64_t)g->opset, 4);
    put_number(o, PL_NET_EDGE, g->n_inputs, 4);
    put_number(o, PL_NET_EDGE, g->n_outputs, 4);
    put_edges(o, g->inputs, g->n_inputs);
    put_edges(o, g->outputs, g->n_outputs);
    for (size_t i = 0; i < g->n_values; i++) {
        const struct pl_ir_value *v = &g->values[i];
        bool input = !v->t.data && v->writer == PL_IR_NONE && v->t.rank != PL_IR_UNWRITTEN;
        put_value(o, v->name,
                  v->t.data ? PL_NET_CONSTANT
                  : input   ? PL_NET_INPUT
                            : PL_NET_WRITTEN,
                  &v->t);
    }
    for (size_t i = 0; i < g->n_nodes; i++)
        put_node(o, &g->nodes[i]);
}

static void put_le(uint8_t *p, int n, uint64_t v)
{
    for (int i = 0; i < n; i++, v >>= 8)
        p[i] = (uint8_t)v;
}

/* Makes the whole file: the header, then the sections in order. Returns NULL when memory is short.
 */
static uint8_t *build_container(const struct pl_nn_range section[PL_NET_SECTIONS], size_t *ret_n)
{
    struct pl_crc32c crc;
    size_t end = PL_CONTAINER_HEADER_BYTES + PL_NET_SECTIONS * PL_CONTAINER_SECTION_BYTES,
           total = end;
    for (size_t i = 0; i < PL_NET_SECTIONS; i++)
        total = pl_container_align(total) + section[i].size;
    total = pl_container_align(total);
    uint8_t *p = pl_alloc_zero(total, 1);
    if (!p)
        return NULL;
    pl_crc32c_init(&crc);
    for (size_t i = 0; i < PL_NET_SECTIONS; i++) {
        uint8_t *rec = p + PL_CONTAINER_HEADER_BYTES + i * PL_CONTAINER_SECTION_BYTES;
        size_t at = pl_container_align(end);
        memcpy(rec, pl_net_sections[i], 4);
        put_le(rec + 4, 4, pl_crc32c(&crc, 0, section[i].data, section[i].size));
        put_le(rec + 8, 8, at);
        put_le(rec + 16, 8, section[i].size);
        if (section[i].size)
            memcpy(p + at, section[i].data, section[i].size);
        end = at + section[i].size;
    }
    memcpy(p, pl_container_magic, sizeof(pl_container_magic));
    put_le(p + 8, 2, FORMAT_MAJOR);
    put_le(p + 12, 4, PL_CONTAINER_HEADER_BYTES);
    put_le(p + 16, 8, total);
    put_le(p + 24, 4, PL_NET_SECTIONS);
    uint32_t sum = pl_crc32c(&crc, 0, p, 60);
    put_le(p + 60, 4,
           pl_crc32c(&crc, sum, p + PL_CONTAINER_HEADER_BYTES,
                     PL_NET_SECTIONS * PL_CONTAINER_SECTION_BYTES));
    *ret_n = total;
    return p;
}

platen_status pl_network_write(const char *path, const struct pl_ir *g,
                               const struct pl_nn_meta *meta, size_t n_meta,
                               pl_network_checker *check, void *ctx, struct platen_error *err)
{
    struct out o = {0};
    struct pl_nn_range section[PL_NET_SECTIONS];
    bool failed = false;
    size_t n = 0;
    for (size_t i = 0; i < n_meta; i++)
        pl_str_printf(&o.part[PL_NET_META], "%s=%s\n", meta[i].key, meta[i].value);
    put_graph(&o, g);
    for (int i = 0; i < PL_NET_SECTIONS; i++) {
        failed |= o.part[i].failed;
        section[i] = (struct pl_nn_range){(const uint8_t *)o.part[i].s, 0, o.part[i].len};
    }
    uint8_t *file = failed ? NULL : build_container(section, &n);
    for (int i = 0; i < PL_NET_SECTIONS; i++)
        pl_str_done(&o.part[i]);
    platen_status s =
        file ? PLATEN_OK : pl_fail_nomem(err, o.part[PL_NET_DATA].len, "a model file");
    s = s || !check ? s : check(ctx, file, n, err);
    s = s ? s : pl_file_write(path, file, n, err);
    pl_free(file);
    return s;
}
