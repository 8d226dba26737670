/* SPDX-License-Identifier: BSD-2-Clause */
/* Turns a network of floats into one of bytes, node by node. */
#include "compile/quant/quant_convert.h"

#include <string.h>

/* Keeps a node as it is, and gives it its inputs as floats. */
static platen_status keep(struct pl_q_graph *q, const struct pl_ir_node *n)
{
    struct pl_ir_node *to = NULL;
    platen_status s = PLATEN_OK;
    for (uint32_t k = 0; k < n->n_in && !s; k++)
        s = pl_q_floats(q, n->in[k]);
    s = s ? s : pl_q_next_node(q, &to);
    if (s)
        return s;
    *to = *n;
    for (uint32_t k = 0; k < n->n_out; k++)
        if (n->out[k] != PL_IR_NONE)
            q->has_floats[n->out[k]] = true;
    return PLATEN_OK;
}

/* Lists the nodes that read each value, in q->first and q->readers. */
static void list_readers(struct pl_q_graph *q)
{
    const struct pl_ir *g = q->g;
    for (size_t i = 0; i < g->n_outputs; i++)
        q->is_output[g->outputs[i]] = true;
    for (int fill = 0; fill < 2; fill++) {
        for (uint32_t i = 0; i < g->n_nodes; i++)
            for (uint32_t k = 0; k < g->nodes[i].n_in; k++) {
                const uint32_t v = g->nodes[i].in[k];
                if (v != PL_IR_NONE && fill)
                    q->readers[q->first[v]++] = i;
                else if (v != PL_IR_NONE)
                    q->first[v]++;
            }
        uint32_t sum = 0;
        for (size_t v = 0; v <= q->n_old && !fill; v++) {
            const uint32_t n = q->first[v];
            q->first[v] = sum;
            sum += n;
        }
    }
    for (size_t v = q->n_old; v > 0; v--) /* they have moved by one */
        q->first[v] = q->first[v - 1];
    q->first[0] = 0;
}

static platen_status begin_graph(struct pl_q_graph *q)
{
    struct pl_ir *g = q->g;
    size_t edges = 1, out = 1;
    for (size_t i = 0; i < g->n_nodes; i++) {
        edges += g->nodes[i].n_in;
        out += g->nodes[i].n_out;
    }
    q->n_old = g->n_values;
    q->max_values = g->n_values + 10 * g->n_nodes + edges;
    q->max_made = 3 * g->n_nodes + edges + out;
    struct pl_ir_value *values = PL_NEW(&g->arena, struct pl_ir_value, q->max_values);
    q->made = PL_NEW(&g->arena, struct pl_ir_node, q->max_made);
    q->ranges = PL_NEW(&q->scratch, struct pl_range, q->n_old);
    q->bytes = PL_NEW(&q->scratch, struct pl_q_value, q->n_old);
    q->has_floats = PL_NEW(&q->scratch, bool, q->n_old);
    q->is_output = PL_NEW(&q->scratch, bool, q->n_old);
    q->done = PL_NEW(&q->scratch, bool, g->n_nodes);
    q->kind = PL_NEW(&q->scratch, uint8_t, g->n_nodes);
    q->first = PL_NEW(&q->scratch, uint32_t, q->n_old + 1);
    q->readers = PL_NEW(&q->scratch, uint32_t, edges);
    if (!values || !q->made || !q->ranges || !q->bytes || !q->has_floats || !q->is_output ||
        !q->done || !q->kind || !q->first || !q->readers)
        return pl_fail_nomem(q->err, q->max_values * sizeof(*values), "a graph");
    memcpy(values, g->values, g->n_values * sizeof(*values));
    g->values = values;
    g->max_values = q->max_values;
    for (size_t v = 0; v < q->n_old; v++) {
        q->bytes[v].value = PL_IR_NONE;
        q->has_floats[v] = g->values[v].writer == PL_IR_NONE;
    }
    list_readers(q);
    return PLATEN_OK;
}

/* Returns whether the node's name is in the list. */
static bool is_kept(const char *list, const char *name)
{
    const size_t n = strlen(name);
    for (const char *p = list; p && *p; p += strcspn(p, ","), p += *p == ',')
        if (strcspn(p, ",") == n && !memcmp(p, name, n))
            return true;
    return false;
}

/* Fails for a name in the list that no node has. */
static platen_status check_names(const struct pl_q_graph *q, const char *list)
{
    for (const char *p = list; p && *p;) {
        const size_t n = strcspn(p, ",");
        size_t i = 0;
        while (i < q->g->n_nodes &&
               (strlen(q->g->nodes[i].name) != n || memcmp(q->g->nodes[i].name, p, n)))
            i++;
        if (i == q->g->n_nodes)
            return pl_fail(q->err, PLATEN_ERR_ARG, "no node is named '%.*s'", (int)PL_MIN(n, 80u),
                           p);
        p += n + (p[n] == ',');
    }
    return PLATEN_OK;
}

static platen_status convert(struct pl_q_graph *q)
{
    struct pl_ir *g = q->g;
    platen_status s = PLATEN_OK;
    for (size_t i = 0; i < g->n_nodes; i++)
        q->kind[i] = is_kept(q->o->keep_float, g->nodes[i].name)
                         ? PL_Q_FLOAT
                         : (uint8_t)pl_q_classify(q, &g->nodes[i]);
    for (size_t i = 0; i < g->n_nodes && !s; i++) {
        bool made = q->done[i];
        if (!made && q->kind[i] != PL_Q_FLOAT)
            s = pl_q_make(q, &g->nodes[i], (enum pl_q_kind)q->kind[i], &made);
        if (!s && !made)
            s = keep(q, &g->nodes[i]);
    }
    for (size_t i = 0; i < g->n_outputs && !s; i++)
        s = pl_q_floats(q, g->outputs[i]);
    if (s)
        return s;
    g->nodes = q->made;
    g->n_nodes = q->n_made;
    g->max_nodes = q->max_made;
    return pl_ir_sort(g, q->err);
}

platen_status pl_quantize(struct pl_ir *g, const struct pl_kernels *k,
                          const struct pl_quant_options *o, const struct pl_quant_sets *sets,
                          struct platen_error *err)
{
    struct pl_q_graph q = {.g = g, .o = o, .only_told = sets->shapes_only, .err = err};
    struct pl_arena arena;
    pl_kernels_init(&q.kernels, PL_ISA_SCALAR);
    pl_arena_init(&q.scratch);
    platen_status s = check_names(&q, o->keep_float);
    s = s ? s : begin_graph(&q);
    arena = q.scratch; /* this arena lives as long as the work; scratch is for single tables */
    pl_arena_init(&q.scratch);
    s = s ? s : pl_quant_ranges(g, k, sets, o->percentile, q.ranges, err);
    if (!s)
        pl_q_take_fixed(&q);
    s = s ? s : convert(&q);
    pl_arena_done(&q.scratch);
    pl_arena_done(&arena);
    return s;
}
