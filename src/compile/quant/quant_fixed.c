/* SPDX-License-Identifier: BSD-2-Clause */
/* Scales and steps that the graph tells itself, and that are taken as they are. */
#include "compile/quant/quant_convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct pl_quant_fixed *)a)->name,
                  ((const struct pl_quant_fixed *)b)->name);
}

static const struct pl_quant_fixed *fixed_of(const struct pl_q_graph *q, const char *name)
{
    const struct pl_quant_fixed key = {.name = name};
    return q->o->n_fixed ? bsearch(&key, q->o->fixed, q->o->n_fixed, sizeof(key), by_name) : NULL;
}

/* Takes the scales that the graph gives, from a list that is sorted by name. */
void pl_q_take_fixed(struct pl_q_graph *q)
{
    for (size_t v = 0; v < q->n_old; v++) {
        const struct pl_quant_fixed *f = fixed_of(q, q->g->values[v].name);
        if (f && !f->steps) {
            q->ranges[v].is_fixed = true;
            q->ranges[v].fixed = f->s;
        }
    }
}

/* Returns whether the weights still lie on these steps: passes may have changed the weights. */
static bool lies_on(const struct pl_q_weights *w, const struct pl_quant_fixed *f)
{
    const size_t n = w->in * w->kernel_h * w->kernel_w;
    for (size_t i = 0; i < w->out * n; i++) {
        const double v = (double)w->w[i] / (double)f->steps[f->n_steps == 1 ? 0 : i / n];
        if (!(fabs(v - rint(v)) < 1e-2 && fabs(v) < 128.5))
            return false;
    }
    return true;
}

void pl_q_take_steps(const struct pl_q_graph *q, const struct pl_ir_node *n, struct pl_q_weights *w)
{
    const struct pl_quant_fixed *f = fixed_of(q, q->g->values[n->in[1]].name);
    if (!f || !f->steps || (f->n_steps != 1 && f->n_steps != w->out) || !lies_on(w, f))
        return;
    w->steps = f->steps;
    w->n_steps = f->n_steps;
    w->narrow = false;
}
