/* SPDX-License-Identifier: BSD-2-Clause */
/* Weights stored as float16, for files that shall be small: each becomes a constant of halves and a
 * node that decodes it, once, while a run is planned. What computes stays in floats. */
#include <math.h>
#include <string.h>

#include "nn/op/quant/op_quant.h"
#include "compile/quant.h"

#define MIN_ELEMENTS 64 /* Smaller constants stay as they are. */

/* A weight while it is stored: its floats, what is stored, and what is read back. */
struct stored {
    const float *w;
    size_t n;
    uint16_t *halves;
    struct pl_error_sums sums;
};

static bool pack_halves(struct stored *t)
{
    for (size_t i = 0; i < t->n; i++) {
        t->halves[i] = pl_f32_to_f16(t->w[i]);
        const float back = pl_f16_to_f32(t->halves[i]);
        if (!isfinite(back))
            return false;
        pl_error_add_one(&t->sums, (double)back, (double)t->w[i]);
    }
    return true;
}

/* Adds a constant of halves, of one axis. */
static uint32_t add_const(struct pl_ir *g, const char *name, size_t n, uint16_t *data)
{
    struct pl_ir_value *v = &g->values[g->n_values];
    *v = (struct pl_ir_value){.name = name, .writer = PL_IR_NONE};
    v->t = (struct pl_tensor){.type = PL_F16, .rank = 1, .dims = {(int64_t)n}, .data = data};
    return (uint32_t)g->n_values++;
}

static void *aligned(struct pl_arena *arena, size_t bytes)
{
    const uintptr_t p = (uintptr_t)pl_arena_alloc(arena, bytes + 64, 1);
    return p ? (void *)((p + 63) & ~(uintptr_t)63) : NULL; /* as aligned as in a file */
}

/* Value `at`, which holds constant floats, from now on comes from a node. */
static platen_status store(struct pl_ir *g, uint32_t at, struct platen_error *err)
{
    struct pl_ir_value *v = &g->values[at];
    const size_t n = pl_tensor_count(&v->t);
    struct stored t = {.w = v->t.data, .n = n};
    t.halves = aligned(&g->arena, n * sizeof(*t.halves));
    struct pl_attr *attrs = PL_NEW(&g->arena, struct pl_attr, 3);
    int64_t *dims = PL_NEW(&g->arena, int64_t, PL_MAX_RANK);
    uint32_t *edges = PL_NEW(&g->arena, uint32_t, 2);
    const char *low = pl_ir_name(g, v->name, "stored"), *name = pl_ir_name(g, v->name, "decode");
    if (!t.halves || !attrs || !dims || !edges || !low || !name)
        return pl_fail_nomem(err, n * sizeof(float), "packed weights");
    if (!pack_halves(&t))
        return PLATEN_OK; /* Halves cannot hold its numbers. */
    memcpy(dims, v->t.dims, sizeof(v->t.dims));
    attrs[0] = (struct pl_attr){.name = "mse", .kind = PL_ATTR_FLOAT};
    attrs[0].v.f = (float)pl_error_mse(&t.sums);
    attrs[1] = (struct pl_attr){.name = "sqnr_db", .kind = PL_ATTR_FLOAT};
    attrs[1].v.f = (float)pl_error_sqnr_db(&t.sums);
    attrs[2] = (struct pl_attr){.name = "shape", .kind = PL_ATTR_INTS, .n = (uint32_t)v->t.rank};
    attrs[2].v.ints = dims;
    edges[0] = add_const(g, low, n, t.halves);
    edges[1] = at;
    g->nodes[g->n_nodes++] = (struct pl_ir_node){.name = name,
                                                 .op = pl_op_by_id(PL_OP_DecodeWeights),
                                                 .n_in = 1,
                                                 .n_out = 1,
                                                 .n_attrs = 3,
                                                 .in = edges,
                                                 .out = edges + 1,
                                                 .attrs = attrs};
    v->t = (struct pl_tensor){.rank = PL_IR_UNWRITTEN};
    return PLATEN_OK;
}

/* Stores a table as float16 and leaves it to the lookup, which reads rows of halves: no node
 * decodes the whole of it. */
static platen_status store_table(struct pl_ir *g, uint32_t at, struct platen_error *err)
{
    struct pl_tensor *t = &g->values[at].t;
    struct stored d = {.w = t->data, .n = pl_tensor_count(t)};
    d.halves = aligned(&g->arena, d.n * sizeof(*d.halves));
    if (!d.halves)
        return pl_fail_nomem(err, d.n * sizeof(*d.halves), "a table");
    if (pack_halves(&d)) {
        t->type = PL_F16;
        t->data = d.halves;
    }
    return PLATEN_OK;
}

static bool is_weight(const struct pl_ir_value *v)
{
    return v->t.data && v->t.type == PL_F32 && v->t.rank > 0 &&
           pl_tensor_count(&v->t) >= MIN_ELEMENTS;
}

platen_status pl_quant_store(struct pl_ir *g, struct platen_error *err)
{
    const size_t n_values = g->n_values;
    size_t n = 0;
    bool *read = PL_NEW(&g->arena, bool, n_values), *looked_up = PL_NEW(&g->arena, bool, n_values);
    platen_status s = PLATEN_OK;
    if (!read || !looked_up)
        return pl_fail_nomem(err, n_values, "a graph");
    for (size_t i = 0; i < g->n_nodes; i++)
        for (uint32_t k = 0; k < g->nodes[i].n_in; k++)
            if (g->nodes[i].in[k] != PL_IR_NONE) {
                const bool table = g->nodes[i].op->id == PL_OP_FusedEmbedding && k == 0;
                *(table ? &looked_up[g->nodes[i].in[k]] : &read[g->nodes[i].in[k]]) = true;
            }
    for (uint32_t v = 0; v < n_values && !s; v++) {
        n += read[v] && is_weight(&g->values[v]);
        if (looked_up[v] && !read[v] && is_weight(&g->values[v]))
            s = store_table(g, v, err);
    }
    if (s)
        return s;
    struct pl_ir_value *values = PL_NEW(&g->arena, struct pl_ir_value, n_values + n);
    struct pl_ir_node *nodes = PL_NEW(&g->arena, struct pl_ir_node, g->n_nodes + n);
    if (!values || !nodes)
        return pl_fail_nomem(err, (n_values + n) * sizeof(*values), "a graph");
    if (n_values + n > PL_IR_MAX_VALUES || g->n_nodes + n > PL_IR_MAX_NODES)
        return pl_fail(err, PLATEN_ERR_LIMIT, "more than %d nodes", PL_IR_MAX_NODES);
    memcpy(values, g->values, n_values * sizeof(*values));
    memcpy(nodes, g->nodes, g->n_nodes * sizeof(*nodes));
    g->values = values;
    g->nodes = nodes;
    g->max_values = n_values + n;
    g->max_nodes = g->n_nodes + n;
    for (uint32_t v = 0; v < n_values && !s; v++)
        if (read[v] && is_weight(&values[v]))
            s = store(g, v, err);
    return s ? s : pl_ir_sort(g, err);
}
