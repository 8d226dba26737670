/* SPDX-License-Identifier: BSD-2-Clause */
/* Weights stored in fewer bits, for files that shall be small: each becomes a constant of halves or
 * of four bits and a node that decodes it, once, while a run is planned. What computes stays in
 * floats. */
#include <math.h>
#include <string.h>

#include "nn/op/quant/op_quant.h"
#include "compile/quant.h"

#define MIN_ELEMENTS 64  /* Smaller constants stay as they are. */
#define MIN_INT4_DB 20.0 /* Weights that four bits hold worse are stored as halves. */

/* A weight while it is stored: its floats, what is stored, and what is read back. */
struct stored {
    const float *w;
    size_t n;
    uint16_t *halves; /* The weights or, of four bits, the scales of blocks. */
    uint8_t *packed;
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

/* Packs one block; its number of the largest size becomes -8 steps. */
static bool pack_block(struct stored *t, size_t first, size_t n)
{
    float most = 0;
    for (size_t i = first; i < first + n; i++)
        most = fabsf(t->w[i]) > fabsf(most) ? t->w[i] : most;
    const uint16_t half = pl_f32_to_f16(most / -8);
    const float step = pl_f16_to_f32(half);
    if (!isfinite(step))
        return false;
    for (size_t i = first; i < first + n; i++) {
        const float v = step != 0 ? rintf(t->w[i] / step) : 0;
        if (isnan(v))
            return false;
        const int q = (int)PL_CLAMP(v, -8.0f, 7.0f);
        t->packed[i / 2] |= (uint8_t)((q + 8) << i % 2 * 4);
        pl_error_add_one(&t->sums, (double)(step * (float)q), (double)t->w[i]);
    }
    t->halves[first / PL_INT4_BLOCK] = half;
    return true;
}

static bool pack_int4(struct stored *t)
{
    bool ok = true;
    for (size_t i = 0; i < t->n && ok; i += PL_INT4_BLOCK)
        ok = pack_block(t, i, PL_MIN(t->n - i, (size_t)PL_INT4_BLOCK));
    return ok;
}

/* Adds a constant of one axis. */
static uint32_t add_const(struct pl_ir *g, const char *name, enum pl_dtype type, size_t n,
                          void *data)
{
    struct pl_ir_value *v = &g->values[g->n_values];
    *v = (struct pl_ir_value){.name = name, .writer = PL_IR_NONE};
    v->t = (struct pl_tensor){.type = type, .rank = 1, .dims = {(int64_t)n}, .data = data};
    return (uint32_t)g->n_values++;
}

static void *aligned(struct pl_arena *arena, size_t bytes)
{
    const uintptr_t p = (uintptr_t)pl_arena_alloc(arena, bytes + 64, 1);
    return p ? (void *)((p + 63) & ~(uintptr_t)63) : NULL; /* as aligned as in a file */
}

/* Value `at`, which holds constant floats, from now on comes from a node; of four bits if they are
 * wanted and good enough. */
static platen_status store(struct pl_ir *g, uint32_t at, bool int4, struct platen_error *err)
{
    struct pl_ir_value *v = &g->values[at];
    const size_t n = pl_tensor_count(&v->t), blocks = (n + PL_INT4_BLOCK - 1) / PL_INT4_BLOCK;
    struct stored t = {.w = v->t.data, .n = n};
    t.halves = aligned(&g->arena, n * sizeof(*t.halves));
    t.packed = aligned(&g->arena, (n + 1) / 2);
    struct pl_attr *attrs = PL_NEW(&g->arena, struct pl_attr, 3);
    int64_t *dims = PL_NEW(&g->arena, int64_t, PL_MAX_RANK);
    uint32_t *edges = PL_NEW(&g->arena, uint32_t, 3);
    const char *low = pl_ir_name(g, v->name, "stored");
    const char *name = pl_ir_name(g, v->name, "decode"), *scale = pl_ir_name(g, v->name, "scale");
    if (!t.halves || !t.packed || !attrs || !dims || !edges || !low || !name || !scale)
        return pl_fail_nomem(err, n * sizeof(float), "packed weights");
    int4 = int4 && pack_int4(&t) && pl_error_sqnr_db(&t.sums) >= MIN_INT4_DB;
    if (!int4)
        t.sums = (struct pl_error_sums){0};
    if (!int4 && !pack_halves(&t))
        return PLATEN_OK; /* Halves cannot hold its numbers. */
    memcpy(dims, v->t.dims, sizeof(v->t.dims));
    attrs[0] = (struct pl_attr){.name = "mse", .kind = PL_ATTR_FLOAT};
    attrs[0].v.f = (float)pl_error_mse(&t.sums);
    attrs[1] = (struct pl_attr){.name = "sqnr_db", .kind = PL_ATTR_FLOAT};
    attrs[1].v.f = (float)pl_error_sqnr_db(&t.sums);
    attrs[2] = (struct pl_attr){.name = "shape", .kind = PL_ATTR_INTS, .n = (uint32_t)v->t.rank};
    attrs[2].v.ints = dims;
    edges[0] = add_const(g, low, int4 ? PL_U8 : PL_F16, int4 ? (n + 1) / 2 : n,
                         int4 ? (void *)t.packed : (void *)t.halves);
    edges[1] = int4 ? add_const(g, scale, PL_F16, blocks, t.halves) : PL_IR_NONE;
    edges[2] = at;
    g->nodes[g->n_nodes++] = (struct pl_ir_node){.name = name,
                                                 .op = pl_op_by_id(PL_OP_DecodeWeights),
                                                 .n_in = int4 ? 2 : 1,
                                                 .n_out = 1,
                                                 .n_attrs = 3,
                                                 .in = edges,
                                                 .out = edges + 2,
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

platen_status pl_quant_store(struct pl_ir *g, bool int4, struct platen_error *err)
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
    struct pl_ir_value *values = PL_NEW(&g->arena, struct pl_ir_value, n_values + 2 * n);
    struct pl_ir_node *nodes = PL_NEW(&g->arena, struct pl_ir_node, g->n_nodes + n);
    if (!values || !nodes)
        return pl_fail_nomem(err, (n_values + 2 * n) * sizeof(*values), "a graph");
    if (n_values + 2 * n > PL_IR_MAX_VALUES || g->n_nodes + n > PL_IR_MAX_NODES)
        return pl_fail(err, PLATEN_ERR_LIMIT, "more than %d nodes", PL_IR_MAX_NODES);
    memcpy(values, g->values, n_values * sizeof(*values));
    memcpy(nodes, g->nodes, g->n_nodes * sizeof(*nodes));
    g->values = values;
    g->nodes = nodes;
    g->max_values = n_values + 2 * n;
    g->max_nodes = g->n_nodes + n;
    for (uint32_t v = 0; v < n_values && !s; v++)
        if (read[v] && is_weight(&values[v]))
            s = store(g, v, int4, err);
    return s ? s : pl_ir_sort(g, err);
}
