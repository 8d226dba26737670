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

/* Returns whether a weight still lies on steps of that size, within bytes: passes may have changed
 * it. */
static bool lies_on(float weight, float step)
{
    const double v = (double)weight / (double)step;
    return fabs(v - rint(v)) < 1e-2 && v > -128.5 && v < 127.5;
}

/* The same of all weights of a layer. */
static bool all_lie_on(const struct pl_q_weights *w, const struct pl_quant_fixed *f)
{
    const size_t n = w->in * w->kernel_h * w->kernel_w;
    for (size_t i = 0; i < w->out * n; i++)
        if (!lies_on(w->w[i], f->steps[f->n_steps == 1 ? 0 : i / n]))
            return false;
    return true;
}

void pl_q_take_steps(const struct pl_q_graph *q, const struct pl_ir_node *n, struct pl_q_weights *w)
{
    const struct pl_quant_fixed *f = fixed_of(q, q->g->values[n->in[1]].name);
    if (!f || !f->steps || (f->n_steps != 1 && f->n_steps != w->out) || !all_lie_on(w, f))
        return;
    w->steps = f->steps;
    w->n_steps = f->n_steps;
    w->narrow = false;
}

/* Returns whether the graph tells steps on which the weights lie: one for all, or one for each of
 * their entries along `axis`. */
static bool tells_steps(const struct pl_q_graph *q, const struct pl_ir_node *n, int axis)
{
    const struct pl_quant_fixed *f = fixed_of(q, q->g->values[n->in[1]].name);
    const struct pl_tensor *w = pl_q_const(q, n, 1);
    if (!f || !f->steps || !w || (f->n_steps != 1 && f->n_steps != (size_t)w->dims[axis]))
        return false;
    const size_t inner = pl_tensor_span(w, axis + 1, w->rank), entries = (size_t)w->dims[axis];
    for (size_t i = 0; i < pl_tensor_count(w); i++)
        if (!lies_on(((const float *)w->data)[i],
                     f->steps[f->n_steps == 1 ? 0 : i / inner % entries]))
            return false;
    return true;
}

bool pl_q_may_have_bytes(const struct pl_q_graph *q, const struct pl_ir_node *n)
{
    if (!q->only_told)
        return true;
    switch (n->op->id) {
    case PL_OP_Conv:
    case PL_OP_FusedConv:
        return tells_steps(q, n, 0);
    case PL_OP_ConvTranspose:
    case PL_OP_MatMul:
    case PL_OP_FusedMatMul:
        return tells_steps(q, n, 1);
    default:
        return false;
    }
}
