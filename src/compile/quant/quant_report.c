/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures the error of a network of bytes layer by layer, beside the network of floats. */
#include <stdlib.h>
#include <string.h>

#include "nn/operators.h"
#include "compile/quant.h"
#include "nn/session.h"

#define MAX_BYTES ((size_t)16 << 30)

/* Finds a value by its name. */
struct named {
    const char *name;
    uint32_t value;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

struct report {
    const struct pl_ir *g;
    struct pl_ir watched[2]; /* The networks of bytes and of floats, with outputs in pairs. */
    struct pl_quant_layer *layers;
    size_t n;
};

/* Returns whether the floats that a value of bytes stands for have their channels second, not last.
 */
static bool channels_first(const struct pl_ir *g, uint32_t value)
{
    for (int depth = 0; depth < 64; depth++) {
        const uint32_t w = g->values[value].writer;
        const struct pl_ir_node *n = w == PL_IR_NONE ? NULL : &g->nodes[w];
        if (!n || n->op->id == PL_OP_QGemm)
            return false;
        if (n->op->id == PL_OP_QuantizeLast)
            return pl_ir_int(n, "channels_first", 0) != 0;
        if (n->op->id != PL_OP_QTable && n->op->id != PL_OP_QAdd)
            return true;
        value = n->in[0];
    }
    return true;
}

/* Returns whether bytes with their channels last have the sizes of floats that have them second, or
 * last. */
static bool has_sizes(const struct pl_tensor *got, const struct pl_tensor *want, bool first)
{
    const int last = want->rank - 1, axis = first ? 1 : last;
    bool same = got->rank == want->rank && last >= axis && got->dims[last] >= want->dims[axis];
    for (int i = 0; same && i < last; i++)
        same = got->dims[i] == want->dims[first && i ? i + 1 : i];
    return same;
}

/* Adds the errors of bytes beside the floats that they stand for. Where a transpose has become
 * nothing, since the bytes have their channels last on both of its sides, the sizes tell. */
static platen_status add_bytes(struct pl_error_sums *e, const struct pl_ir_node *n,
                               const struct pl_tensor *got, const struct pl_tensor *want,
                               bool first, struct platen_error *err)
{
    first = has_sizes(got, want, first) ? first : !first;
    if (got->type != PL_U8 || !has_sizes(got, want, first))
        return pl_ir_fail(n, err, PLATEN_ERR_ARG, "no bytes of the other network's shape");
    const int axis = first ? 1 : want->rank - 1, last = got->rank - 1;
    const size_t plane = pl_tensor_span(want, axis + 1, want->rank);
    const size_t channels = (size_t)want->dims[axis], stored = (size_t)got->dims[last];
    const double scale = (double)pl_ir_float(n, "y_scale", 1);
    const int64_t zero = pl_ir_int(n, "y_zero", 0);
    const uint8_t *q = got->data;
    for (size_t i = 0; i < pl_tensor_count(want); i++) {
        const size_t c = i / plane % channels, px = i / plane / channels * plane + i % plane;
        pl_error_add_one(e, (double)(q[px * stored + c] - zero) * scale,
                         (double)((const float *)want->data)[i]);
    }
    return PLATEN_OK;
}

static platen_status add_layer(const struct report *r, size_t i, const struct pl_tensor *got,
                               const struct pl_tensor *want, struct platen_error *err)
{
    struct pl_quant_layer *l = &r->layers[i];
    if (want->type != PL_F32) /* The graph was quantised elsewhere. */
        return PLATEN_OK;
    if (got->type == PL_F32)
        return pl_error_add(&l->sums, got, want, err);
    return add_bytes(&l->sums, l->node, got, want, channels_first(r->g, l->node->out[0]), err);
}

/* Finds the pairs: results of bytes, "name/u8", and the float results of their layers. */
static platen_status pair_up(struct report *r, const struct pl_ir *floats, struct pl_arena *arena,
                             struct platen_error *err)
{
    const struct pl_ir *g = r->g;
    struct named *names = PL_NEW(arena, struct named, floats->n_values);
    r->layers = PL_NEW(arena, struct pl_quant_layer, g->n_nodes);
    for (int i = 0; i < 2; i++)
        r->watched[i].outputs = PL_NEW(arena, uint32_t, g->n_nodes);
    if (!names || !r->layers || !r->watched[0].outputs || !r->watched[1].outputs)
        return pl_fail_nomem(err, floats->n_values * sizeof(*names), "a report");
    for (uint32_t v = 0; v < floats->n_values; v++)
        names[v] = (struct named){floats->values[v].name, v};
    qsort(names, floats->n_values, sizeof(*names), by_name);
    for (size_t i = 0; i < g->n_nodes; i++) {
        const struct pl_ir_node *n = &g->nodes[i];
        char name[PL_IR_MAX_NAME_BYTES + 1];
        if (!pl_ir_attr(n, "sqnr_db") || n->out[0] == PL_IR_NONE)
            continue;
        const char *own = g->values[n->out[0]].name;
        const size_t len = PL_MIN(strlen(own), sizeof(name) - 1);
        memcpy(name, own, len);
        name[len] = '\0';
        if (len > 3 && !strcmp(name + len - 3, "/u8"))
            name[len - 3] = '\0';
        const struct named key = {name, 0};
        const struct named *found = bsearch(&key, names, floats->n_values, sizeof(*names), by_name);
        if (!found || floats->values[found->value].t.data)
            continue;
        r->layers[r->n].node = n;
        r->watched[0].outputs[r->n] = n->out[0];
        r->watched[1].outputs[r->n++] = found->value;
    }
    return PLATEN_OK;
}

static platen_status run_pair(struct report *r, const struct pl_kernels *k,
                              const struct pl_quant_sets *sets, struct platen_error *err)
{
    pl_auto(session) bytes = NULL;
    pl_auto(session) floats = NULL;
    platen_status s = pl_session_new(&r->watched[0], k, MAX_BYTES, &bytes, err);
    s = s ? s : pl_session_new(&r->watched[1], k, MAX_BYTES, &floats, err);
    for (size_t i = 0; i < sets->n && !s; i++) {
        const struct pl_tensor *in = sets->in + i * r->g->n_inputs;
        s = pl_session_run(floats, in, err);
        s = s ? s : pl_session_run(bytes, in, err);
        for (size_t l = 0; l < r->n && !s; l++)
            s = add_layer(r, l, pl_session_output(bytes, l), pl_session_output(floats, l), err);
    }
    return s;
}

platen_status pl_quant_report(const struct pl_ir *g, const struct pl_ir *floats,
                              const struct pl_kernels *k, const struct pl_quant_sets *sets,
                              struct pl_arena *arena, struct pl_quant_layer **ret, size_t *ret_n,
                              struct platen_error *err)
{
    struct report r = {.g = g, .watched = {*g, *floats}};
    platen_status s = pair_up(&r, floats, arena, err);
    r.watched[0].n_outputs = r.watched[1].n_outputs = r.n;
    s = s || !r.n ? s : run_pair(&r, k, sets, err);
    *ret = r.layers;
    *ret_n = 0;
    for (size_t i = 0; i < r.n && !s; i++) /* Only pairs that had something to compare count. */
        if (r.layers[i].sums.n > 0)
            r.layers[(*ret_n)++] = r.layers[i];
    return s;
}

void pl_quant_record(struct pl_ir *g, const struct pl_quant_layer *layers, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct pl_ir_node *node = &g->nodes[layers[i].node - g->nodes];
        for (uint32_t k = 0; k < node->n_attrs; k++) {
            /* made by the quantiser, in the graph's own memory */
            struct pl_attr *a = (struct pl_attr *)&node->attrs[k];
            if (!strcmp(a->name, "mse"))
                a->v.f = (float)pl_error_mse(&layers[i].sums);
            if (!strcmp(a->name, "sqnr_db"))
                a->v.f = (float)pl_error_sqnr_db(&layers[i].sums);
        }
    }
}
