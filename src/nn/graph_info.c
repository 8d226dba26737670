/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of `platen model info` on an imported network. */
#include "nn/graph_file.h"

#include <inttypes.h>
#include <math.h>

#include "nn/layer_info.h"
#include "nn/operators.h"

#define N_WORST 5

static void add_shape(struct pl_str *out, const struct pl_tensor *t)
{
    pl_str_printf(out, "%s [", pl_dtype_name(t->type));
    for (int i = 0; i < t->rank; i++) {
        pl_str_puts(out, i ? ", " : "");
        if (t->dims[i] < 0)
            pl_str_putc(out, '?');
        else
            pl_str_printf(out, "%" PRId64, t->dims[i]);
    }
    pl_str_puts(out, t->rank < 0 ? "...]" : "]");
}

static void add_edges(const struct pl_ir *g, const uint32_t *v, uint32_t n, struct pl_str *out)
{
    for (uint32_t i = 0; i < n; i++) {
        pl_str_puts(out, i ? ", " : "");
        pl_str_puts(out, v[i] == PL_IR_NONE ? "-" : g->values[v[i]].name);
    }
}

/* Appends the layers of bytes that were farthest from the floats at the import, worst first. */
static void add_worst(const struct pl_ir *g, struct pl_str *out)
{
    const struct pl_ir_node *last = NULL;
    for (int n = 0; n < N_WORST; n++) {
        const struct pl_ir_node *worst = NULL;
        for (size_t i = 0; i < g->n_nodes; i++) {
            const struct pl_ir_node *node = &g->nodes[i];
            const float db = pl_ir_float(node, "sqnr_db", NAN);
            const float before = last ? pl_ir_float(last, "sqnr_db", 0) : 0;
            if (isnan(db) || (last && (db < before || (db == before && node <= last))))
                continue;
            if (!worst || db < pl_ir_float(worst, "sqnr_db", 0))
                worst = node;
        }
        if (!worst)
            return;
        if (!n)
            pl_str_puts(out, "layers of bytes farthest from the floats:\n");
        pl_str_printf(out, "%7.1f dB  mse %.3e  %s (%s)\n",
                      (double)pl_ir_float(worst, "sqnr_db", 0),
                      (double)pl_ir_float(worst, "mse", 0), worst->name, worst->op->name);
        last = worst;
    }
}

void pl_network_describe(const struct pl_network *n, struct pl_str *out)
{
    const struct pl_ir *g = &n->g;
    size_t constants = 0, bytes = 0;
    for (size_t i = 0; i < g->n_values; i++)
        if (g->values[i].t.data) {
            constants++;
            bytes += pl_tensor_bytes(&g->values[i].t);
        }
    for (size_t i = 0; i < n->n_meta; i++)
        pl_str_printf(out, "%s = %s\n", n->meta[i].key, n->meta[i].value);
    pl_str_printf(out, "opset %d, %zu nodes, %zu constants of %zu bytes\n", g->opset, g->n_nodes,
                  constants, bytes);
    for (size_t i = 0; i < g->n_inputs; i++) {
        pl_str_printf(out, "input   %s: ", g->values[g->inputs[i]].name);
        add_shape(out, &g->values[g->inputs[i]].t);
        pl_str_putc(out, '\n');
    }
    for (size_t i = 0; i < g->n_outputs; i++)
        pl_str_printf(out, "output  %s\n", g->values[g->outputs[i]].name);
    for (size_t i = 0; i < g->n_nodes; i++) {
        const struct pl_ir_node *node = &g->nodes[i];
        pl_str_printf(out, "%5zu  %-18s %s (", i, node->op->name, node->name);
        add_edges(g, node->in, node->n_in, out);
        pl_str_puts(out, ") -> ");
        add_edges(g, node->out, node->n_out, out);
        if (!isnan(pl_ir_float(node, "sqnr_db", NAN)))
            pl_str_printf(out, "  %.1f dB", (double)pl_ir_float(node, "sqnr_db", 0));
        pl_str_putc(out, '\n');
    }
    pl_layers_describe(g, out);
    add_worst(g, out);
}
