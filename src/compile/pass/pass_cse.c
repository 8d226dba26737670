/* SPDX-License-Identifier: BSD-2-Clause */
/* Common subexpressions: constants of equal bytes become one, and so do nodes of one output with
 * equal operators, attributes and inputs. */
#include "compile/pass.h"

#include <string.h>

struct hash_table {
    uint32_t *slot; /* The number of a value or node, plus one; 0 when the place is free. */
    size_t mask;
};

static bool make_table(struct pl_rewrite *r, struct hash_table *t, size_t n)
{
    size_t slots = 64;
    while (slots < 2 * n)
        slots *= 2;
    t->mask = slots - 1;
    t->slot = PL_NEW(&r->scratch, uint32_t, slots);
    return t->slot;
}

/* Adds n bytes to the hash h (FNV-1a), eight at a time. */
static uint64_t mix(uint64_t h, const void *p, size_t n)
{
    const uint8_t *b = p;
    for (; n >= 8; n -= 8, b += 8) {
        uint64_t v;
        memcpy(&v, b, 8);
        h = (h ^ v) * 0x100000001b3u;
        h ^= h >> 29;
    }
    for (; n; n--, b++)
        h = (h ^ *b) * 0x100000001b3u;
    return h;
}

static uint64_t hash_tensor(uint64_t h, const struct pl_tensor *t)
{
    h = mix(h, &t->type, sizeof(t->type));
    h = mix(h, t->dims, (size_t)t->rank * sizeof(*t->dims));
    return mix(h, t->data, pl_tensor_bytes(t));
}

static bool same_tensor(const struct pl_tensor *a, const struct pl_tensor *b)
{
    return a->type == b->type && pl_tensor_same_shape(a, b) &&
           !memcmp(a->data, b->data, pl_tensor_bytes(a));
}

static bool same_attr(const struct pl_attr *a, const struct pl_attr *b)
{
    if (strcmp(a->name, b->name) || a->kind != b->kind || a->n != b->n)
        return false;
    switch (a->kind) {
    case PL_ATTR_INT:
        return a->v.i == b->v.i;
    case PL_ATTR_FLOAT:
        return !memcmp(&a->v.f, &b->v.f, sizeof(a->v.f));
    case PL_ATTR_STRING:
        return !strcmp(a->v.s, b->v.s);
    case PL_ATTR_TENSOR:
        return same_tensor(a->v.t, b->v.t);
    case PL_ATTR_INTS:
        return !memcmp(a->v.ints, b->v.ints, a->n * sizeof(*a->v.ints));
    case PL_ATTR_FLOATS:
        return !memcmp(a->v.floats, b->v.floats, a->n * sizeof(*a->v.floats));
    case PL_ATTR_STRINGS:
        for (uint32_t i = 0; i < a->n; i++)
            if (strcmp(a->v.strings[i], b->v.strings[i]))
                return false;
    }
    return true;
}

static bool same_node(const struct pl_ir_node *a, const struct pl_ir_node *b)
{
    if (a->op != b->op || a->n_in != b->n_in || a->n_attrs != b->n_attrs ||
        memcmp(a->in, b->in, a->n_in * sizeof(*a->in)))
        return false;
    for (uint32_t i = 0; i < a->n_attrs; i++)
        if (!same_attr(&a->attrs[i], &b->attrs[i]))
            return false;
    return true;
}

static platen_status merge_constants(struct pl_rewrite *r)
{
    struct pl_ir *g = r->g;
    struct hash_table t;
    if (!make_table(r, &t, g->n_values))
        return pl_fail_nomem(r->err, g->n_values * sizeof(*t.slot), "a graph");
    for (uint32_t v = 0; v < g->n_values; v++) {
        const struct pl_tensor *a = pl_rw_const(r, v);
        if (!a || !r->n_reads[v])
            continue;
        size_t at = hash_tensor(0xcbf29ce484222325u, a) & t.mask;
        while (t.slot[at] && !same_tensor(a, &g->values[t.slot[at] - 1].t))
            at = (at + 1) & t.mask;
        if (t.slot[at]) {
            r->forward[v] = t.slot[at] - 1;
            r->n_reads[t.slot[at] - 1] += r->n_reads[v];
        } else {
            t.slot[at] = v + 1;
        }
    }
    return PLATEN_OK;
}

platen_status pl_pass_cse(struct pl_rewrite *r)
{
    struct pl_ir *g = r->g;
    struct hash_table t;
    platen_status s = merge_constants(r);
    if (!s && !make_table(r, &t, g->n_nodes))
        s = pl_fail_nomem(r->err, g->n_nodes * sizeof(*t.slot), "a graph");
    for (size_t i = 0; i < g->n_nodes && !s; i++) {
        struct pl_ir_node *n = pl_rw_visit(r, i);
        if (!n || n->n_out != 1)
            continue;
        uint64_t h = mix(0xcbf29ce484222325u, &n->op->id, 1);
        size_t at = mix(h, n->in, n->n_in * sizeof(*n->in)) & t.mask;
        while (t.slot[at] && !same_node(n, &g->nodes[t.slot[at] - 1]))
            at = (at + 1) & t.mask;
        if (!t.slot[at])
            t.slot[at] = (uint32_t)i + 1;
        else
            pl_rw_bypass(r, n, g->nodes[t.slot[at] - 1].out[0]);
    }
    return s;
}
