/* SPDX-License-Identifier: BSD-2-Clause */
/* Chains of unary nodes as one table of 256 bytes. */
#include "compile/quant/quant_convert.h"

#include <math.h>
#include <string.h>

#define SAMPLES 1024 /* points of its range at which a function is sampled */

bool pl_q_wanted(const struct pl_q_graph *q, uint32_t value)
{
    if (q->ranges[value].is_fixed)
        return true; /* it is rounded in any case */
    for (uint32_t i = q->first[value]; i < q->first[value + 1]; i++) {
        uint32_t r = q->readers[i];
        for (int depth = 0;
             depth < PL_Q_MAX_CHAIN && (q->kind[r] == PL_Q_UNARY || q->kind[r] == PL_Q_VIEW);
             depth++) {
            const uint32_t out = q->g->nodes[r].out[0];
            if (q->first[out] == q->first[out + 1])
                break;
            r = q->readers[q->first[out]];
        }
        if (q->kind[r] != PL_Q_FLOAT && q->kind[r] != PL_Q_UNARY && q->kind[r] != PL_Q_VIEW &&
            q->kind[r] != PL_Q_RECURRENT && q->kind[r] != PL_Q_EMBEDDING)
            return true;
    }
    return false;
}

/* Computes the nodes of the chain behind the skipped ones on x[0..n), in place. */
static platen_status evaluate(struct pl_q_graph *q, const struct pl_q_chain *c, float *x, size_t n)
{
    uint32_t value = c->from;
    platen_status s = PLATEN_OK;
    float *y = PL_NEW(&q->scratch, float, n);
    if (!y)
        return pl_fail_nomem(q->err, n * sizeof(*y), "a table");
    for (int i = c->skipped; i < c->n && !s; i++) {
        const struct pl_ir_node *node = &q->g->nodes[c->node[i]];
        struct pl_tensor a = {PL_F32, 1, {(int64_t)n}, x}, b = {.data = y};
        const struct pl_tensor *in[4] = {0};
        struct pl_tensor *out[] = {&b};
        for (uint32_t k = 0; k < node->n_in && k < 4; k++)
            in[k] = node->in[k] == value ? &a : pl_q_const(q, node, k);
        struct pl_call call = {.node = node,
                               .opset = q->g->opset,
                               .kernels = &q->kernels,
                               .n_in = PL_MIN(node->n_in, 4u),
                               .n_out = 1,
                               .in = in,
                               .out = out,
                               .scratch = &q->scratch,
                               .err = q->err};
        s = node->op->infer(&call);
        b.data = y;
        s = s ? s : node->op->run(&call);
        if (!s)
            memcpy(x, y, n * sizeof(*x));
        value = node->out[0];
    }
    return s;
}

/* Narrows the range [*lo, *hi] at ends where the function is flat: the bytes that it reads need not
 * tell values apart there. */
static platen_status tighten(struct pl_q_graph *q, const struct pl_q_chain *c, double tolerance,
                             double *lo, double *hi)
{
    float y[SAMPLES + 1];
    const double step = (*hi - *lo) / SAMPLES;
    size_t first = 0, last = SAMPLES;
    for (size_t i = 0; i <= SAMPLES; i++)
        y[i] = (float)(*lo + (double)i * step);
    platen_status s = evaluate(q, c, y, SAMPLES + 1);
    while (!s && first < SAMPLES && fabs((double)y[first + 1] - (double)y[0]) < tolerance)
        first++;
    while (!s && last > 0 && fabs((double)y[last - 1] - (double)y[SAMPLES]) < tolerance)
        last--;
    const double from = *lo;
    *lo = PL_MIN(from + (double)first * step, 0.0);
    *hi = PL_MAX(from + (double)last * step, 0.0);
    return s;
}

/* Computes the table of a chain whose input has scale c->s. */
static platen_status make_table(struct pl_q_graph *q, struct pl_q_chain *c)
{
    const struct pl_q_scale to = pl_q_scale_for(q, c->to);
    float y[256];
    for (int i = 0; i < 256; i++)
        y[i] = (float)(i - c->s.zero) * c->s.scale;
    platen_status s = evaluate(q, c, y, 256);
    for (int i = 0; i < 256 && !s; i++)
        c->table[i] = pl_q_byte(to, isnan(y[i]) ? 0 : (double)y[i]);
    c->has_table = true;
    pl_arena_reset(&q->scratch);
    return s;
}

/* Adds the unary nodes that follow the chain, each of which is the only reader of what it reads. */
static void extend(const struct pl_q_graph *q, struct pl_q_chain *c)
{
    while (c->n < PL_Q_MAX_CHAIN) {
        const uint32_t r = pl_q_only_reader(q, c->to);
        if (r == PL_IR_NONE || q->kind[r] != PL_Q_UNARY)
            return;
        c->node[c->n++] = r;
        c->to = q->g->nodes[r].out[0];
    }
}

static void mark_done(struct pl_q_graph *q, const struct pl_q_chain *c)
{
    for (int i = 0; i < c->n; i++)
        q->done[c->node[i]] = true;
}

/* Tells whether the node only limits a value, or rounds it. */
static bool limits(const struct pl_ir_node *n)
{
    return n->op->id == PL_OP_Relu || n->op->id == PL_OP_Clip || n->op->id == PL_OP_RoundToGrid;
}

/* Tells whether node i only limits what rounding to a grid limits anyway: each value on the grid
 * stays where it is. */
static platen_status is_implied(struct pl_q_graph *q, uint32_t i, struct pl_q_scale grid, bool *ret)
{
    const struct pl_ir_node *n = &q->g->nodes[i];
    const struct pl_q_chain one = {.from = n->in[0], .node = {i}, .n = 1};
    float y[256];
    *ret = limits(n);
    if (!*ret)
        return PLATEN_OK;
    for (int k = 0; k < 256; k++)
        y[k] = (float)(k - grid.zero) * grid.scale;
    platen_status s = evaluate(q, &one, y, 256);
    for (int k = 0; k < 256 && !s; k++)
        *ret = *ret && fabsf(y[k] - (float)(k - grid.zero) * grid.scale) < grid.scale / 2;
    pl_arena_reset(&q->scratch);
    return s;
}

/* Skips nodes at the front of the chain that rounding implies. */
static platen_status skip_implied(struct pl_q_graph *q, struct pl_q_chain *c)
{
    platen_status s = PLATEN_OK;
    bool implied = true;
    for (int i = 0; i < c->n && implied && !s; i++) {
        const uint32_t out = q->g->nodes[c->node[i]].out[0];
        s = is_implied(q, c->node[i], pl_q_scale_for(q, out), &implied);
        if (implied && pl_q_known(q, out)) {
            c->skipped = i + 1;
            c->from = out;
        }
    }
    return s;
}

platen_status pl_q_unlimited(struct pl_q_graph *q, uint32_t value, struct pl_q_scale grid,
                             uint32_t *ret)
{
    bool implied = true;
    platen_status s = PLATEN_OK;
    *ret = value;
    while (!s && implied) {
        const uint32_t w = q->g->values[*ret].writer;
        implied = w != PL_IR_NONE && limits(&q->g->nodes[w]) && q->has_floats[q->g->nodes[w].in[0]];
        s = implied ? is_implied(q, w, grid, &implied) : PLATEN_OK;
        *ret = implied ? q->g->nodes[w].in[0] : *ret;
    }
    return s;
}

/* Tells whether a table behind the skipped nodes can be made: the meaning of the bytes that it
 * reads is known, or a limit comes first, whose result then lends its own. */
static bool can_have_table(const struct pl_q_graph *q, const struct pl_q_chain *c)
{
    const struct pl_ir_node *n = &q->g->nodes[c->node[c->skipped]];
    return pl_q_known(q, c->from) || (limits(n) && pl_q_known(q, n->out[0]));
}

/* Shortens the chain until the meaning of the bytes behind it is known. Where there can be no table
 * the chain ends before it. */
static void shorten(const struct pl_q_graph *q, struct pl_q_chain *c, uint32_t value)
{
    if (c->n > c->skipped && !can_have_table(q, c))
        c->n = c->skipped;
    while (c->n && !pl_q_known(q, q->g->nodes[c->node[c->n - 1]].out[0]))
        c->n--;
    c->to = c->n ? q->g->nodes[c->node[c->n - 1]].out[0] : value;
}

/* Chooses the scale of the bytes that the table reads. */
static platen_status choose_scale(struct pl_q_graph *q, struct pl_q_chain *c)
{
    const struct pl_range *r = &q->ranges[c->from];
    double lo = r->lo, hi = r->hi;
    c->s = pl_q_scale_for(q, r->is_fixed || r->known ? c->from
                                                     : q->g->nodes[c->node[c->skipped]].out[0]);
    if (r->is_fixed || !r->known)
        return PLATEN_OK;
    platen_status s = tighten(q, c, (double)pl_q_scale_for(q, c->to).scale / 4, &lo, &hi);
    c->s = pl_q_scale_of(lo, hi);
    return s;
}

platen_status pl_q_follow(struct pl_q_graph *q, uint32_t value, struct pl_q_chain *ret)
{
    *ret = (struct pl_q_chain){.from = value, .to = value};
    extend(q, ret);
    platen_status s = skip_implied(q, ret);
    shorten(q, ret, value);
    if (s || !ret->n || !pl_q_wanted(q, ret->to)) {
        ret->n = 0;
        ret->to = value;
        return s;
    }
    mark_done(q, ret);
    if (ret->n <= ret->skipped)
        return PLATEN_OK;
    s = choose_scale(q, ret);
    return s ? s : make_table(q, ret);
}

platen_status pl_q_follow_node(struct pl_q_graph *q, uint32_t node, struct pl_q_chain *ret)
{
    const struct pl_ir_node *n = &q->g->nodes[node];
    uint32_t k = 0;
    while (pl_q_const(q, n, k))
        k++;
    *ret = (struct pl_q_chain){.from = n->in[k], .to = n->out[0], .node = {node}, .n = 1};
    if (q->bytes[ret->from].value == PL_IR_NONE) {
        ret->n = 0;
        return PLATEN_OK;
    }
    extend(q, ret);
    shorten(q, ret, ret->from);
    if (!ret->n || !pl_q_wanted(q, ret->to)) {
        ret->n = 0;
        return PLATEN_OK;
    }
    mark_done(q, ret);
    ret->s = q->bytes[ret->from].s;
    return make_table(q, ret);
}
