/* SPDX-License-Identifier: BSD-2-Clause */
/* Drops nodes and constants that no output depends on. */
#include "compile/pass.h"

platen_status pl_pass_dead(struct pl_rewrite *r)
{
    struct pl_ir *g = r->g;
    uint32_t *place = PL_NEW(&r->scratch, uint32_t, g->n_values), n = 0;
    if (!place)
        return pl_fail_nomem(r->err, g->n_values * sizeof(*place), "a graph");
    for (size_t i = 0; i < g->n_nodes; i++)
        if (r->dead[i]) {
            g->nodes[i].op = NULL;
            r->changes++;
        }
    /* an input of the graph stays, read or not */
    for (size_t v = 0; v < g->n_values; v++)
        place[v] = PL_IR_NONE;
    for (size_t i = 0; i < g->n_inputs; i++)
        place[g->inputs[i]] = 0;
    for (size_t i = 0; i < g->n_nodes; i++)
        for (uint32_t k = 0; g->nodes[i].op && k < g->nodes[i].n_out; k++)
            if (g->nodes[i].out[k] != PL_IR_NONE)
                place[g->nodes[i].out[k]] = 0;
    for (size_t i = 0; i < g->n_nodes; i++)
        for (uint32_t k = 0; g->nodes[i].op && k < g->nodes[i].n_in; k++)
            if (g->nodes[i].in[k] != PL_IR_NONE)
                place[g->nodes[i].in[k]] = 0;
    for (size_t i = 0; i < g->n_outputs; i++)
        place[g->outputs[i]] = 0;
    for (size_t v = 0; v < g->n_values; v++)
        if (place[v] != PL_IR_NONE) {
            g->values[n] = g->values[v];
            place[v] = n++;
        }
    for (uint32_t v = 0; v < r->max_values; v++) /* numbers are new */
        r->forward[v] = v;
    g->n_values = n;
    for (size_t i = 0; i < g->n_nodes; i++) {
        const struct pl_ir_node *d = &g->nodes[i];
        for (uint32_t k = 0; d->op && k < d->n_in; k++)
            d->in[k] = d->in[k] == PL_IR_NONE ? PL_IR_NONE : place[d->in[k]];
        for (uint32_t k = 0; d->op && k < d->n_out; k++)
            d->out[k] = d->out[k] == PL_IR_NONE ? PL_IR_NONE : place[d->out[k]];
    }
    for (size_t i = 0; i < g->n_inputs; i++)
        g->inputs[i] = place[g->inputs[i]];
    for (size_t i = 0; i < g->n_outputs; i++)
        g->outputs[i] = place[g->outputs[i]];
    return PLATEN_OK;
}
