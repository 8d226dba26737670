/* SPDX-License-Identifier: BSD-2-Clause */
/* Activations that exporters write out as products:
 * GELU      x * (1 + erf(x / sqrt 2)) * 0.5
 * HardSwish x * clip(x + 3, 0, 6) / 6, x * hardsigmoid(x) with 1/6 and 1/2
 * Swish     x * sigmoid(x)
 * and the last two with the second factor rounded to a grid, as graphs have it that others
 * quantised. */
#include "compile/pass.h"

#include <math.h>
#include <string.h>

/* A product of at most two values and a number, in whatever order it is written. */
struct factors {
    uint32_t factor[2];
    int n;
    float number;
    int depth;
};

static bool near(float a, double b)
{
    return fabs((double)a - b) <= 1e-6 * fabs(b);
}

static bool collect_factors(const struct pl_rewrite *r, const struct pl_ir_node *n,
                            struct factors *p)
{
    const bool div = n->op->id == PL_OP_Div;
    float v;
    if (++p->depth > 4)
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        const struct pl_ir_node *w = pl_rw_feeder(r, n, i);
        if (pl_rw_scalar(r, n->in[i], &v)) {
            if (div && !i)
                return false;
            p->number = div ? p->number / v : p->number * v;
        } else if (div && i) {
            return false;
        } else if (w && (w->op->id == PL_OP_Mul || w->op->id == PL_OP_Div)) {
            if (!collect_factors(r, w, p))
                return false;
        } else if (p->n == 2) {
            return false;
        } else {
            p->factor[p->n++] = n->in[i];
        }
    }
    return true;
}

static const struct pl_ir_node *writer(const struct pl_rewrite *r, uint32_t value, int op)
{
    uint32_t w = value == PL_IR_NONE ? PL_IR_NONE : r->g->values[value].writer;
    const struct pl_ir_node *n = w == PL_IR_NONE ? NULL : &r->g->nodes[w];
    return n && n->op && n->op->id == op ? n : NULL;
}

/* value = x + number, either way round. */
static bool is_sum(const struct pl_rewrite *r, uint32_t value, double number, uint32_t *ret)
{
    const struct pl_ir_node *n = writer(r, value, PL_OP_Add);
    float v;
    for (uint32_t i = 0; n && i < 2; i++)
        if (pl_rw_scalar(r, n->in[1 - i], &v) && near(v, number)) {
            *ret = n->in[i];
            return true;
        }
    return false;
}

/* value = 1 + erf(x / sqrt 2) */
static bool is_erf(const struct pl_rewrite *r, uint32_t value, uint32_t x)
{
    uint32_t e;
    const struct pl_ir_node *n = is_sum(r, value, 1, &e) ? writer(r, e, PL_OP_Erf) : NULL;
    struct factors p = {.number = 1};
    const struct pl_ir_node *m = n ? writer(r, n->in[0], PL_OP_Div) : NULL;
    m = m || !n ? m : writer(r, n->in[0], PL_OP_Mul);
    return m && collect_factors(r, m, &p) && p.n == 1 && p.factor[0] == x &&
           near(p.number, M_SQRT1_2);
}

/* value = clip(x + 3, 0, 6) */
static bool is_clip(const struct pl_rewrite *r, uint32_t value, uint32_t x)
{
    const struct pl_ir_node *n = writer(r, value, PL_OP_Clip);
    float lo, hi;
    uint32_t from;
    if (!n || !is_sum(r, n->in[0], 3, &from) || from != x)
        return false;
    if (n->n_in == 3)
        return pl_rw_scalar(r, n->in[1], &lo) && pl_rw_scalar(r, n->in[2], &hi) && lo == 0 &&
               hi == 6;
    return n->n_in == 1 && pl_ir_float(n, "min", -1) == 0 && pl_ir_float(n, "max", 0) == 6;
}

static bool is_hard_sigmoid(const struct pl_rewrite *r, uint32_t value, uint32_t x)
{
    const struct pl_ir_node *n = writer(r, value, PL_OP_HardSigmoid);
    return n && n->in[0] == x && near(pl_ir_float(n, "alpha", 0.2f), 1.0 / 6) &&
           near(pl_ir_float(n, "beta", 0.5f), 0.5);
}

static bool is_sigmoid(const struct pl_rewrite *r, uint32_t value, uint32_t x)
{
    const struct pl_ir_node *n = writer(r, value, PL_OP_Sigmoid);
    return n && n->in[0] == x;
}

static int recognise(const struct pl_rewrite *r, const struct factors *p, uint32_t x, uint32_t f)
{
    if (near(p->number, 0.5) && is_erf(r, f, x))
        return PL_OP_Gelu;
    if (near(p->number, 1.0 / 6) && is_clip(r, f, x))
        return PL_OP_HardSwish;
    if (near(p->number, 1) && is_hard_sigmoid(r, f, x))
        return PL_OP_HardSwish;
    if (near(p->number, 1) && is_sigmoid(r, f, x))
        return PL_OP_Swish;
    return -1;
}

/* value = the activation of x, rounded; *ret is the activation. */
static const struct pl_ir_node *rounding(const struct pl_rewrite *r, uint32_t value, uint32_t x,
                                         const struct pl_ir_node **ret)
{
    const struct pl_ir_node *n = writer(r, value, PL_OP_RoundToGrid);
    const struct pl_ir_node *sigmoid = n ? writer(r, n->in[0], PL_OP_Sigmoid) : NULL;
    *ret = sigmoid || !n ? sigmoid : writer(r, n->in[0], PL_OP_HardSigmoid);
    return *ret && (*ret)->in[0] == x ? n : NULL;
}

/* Makes n the product of x with its activation on a grid. */
static platen_status make_gate(struct pl_rewrite *r, struct pl_ir_node *n, uint32_t x,
                               const struct pl_ir_node *round, const struct pl_ir_node *activation)
{
    struct pl_attr *attrs = PL_NEW(&r->g->arena, struct pl_attr, 4);
    float *params = PL_NEW(&r->g->arena, float, 2);
    if (!attrs || !params)
        return pl_fail_nomem(r->err, 4 * sizeof(*attrs), "a node");
    params[0] = pl_ir_float(activation, "alpha", 0.2f);
    params[1] = pl_ir_float(activation, "beta", 0.5f);
    memcpy(attrs, round->attrs, 2 * sizeof(*attrs)); /* scale, zero */
    attrs[2] = (struct pl_attr){
        .name = "activation", .kind = PL_ATTR_STRING, .v = {.s = activation->op->name}};
    attrs[3] = (struct pl_attr){
        .name = "activation_params", .kind = PL_ATTR_FLOATS, .n = 2, .v = {.floats = params}};
    n->op = pl_op_by_id(PL_OP_FusedGate);
    n->attrs = attrs;
    n->n_attrs = activation->op->id == PL_OP_HardSigmoid ? 4 : 3;
    n->in[0] = x;
    n->n_in = 1;
    r->changes++;
    return PLATEN_OK;
}

/* Finds products of a value with its rounded activation. */
static platen_status find_gate(struct pl_rewrite *r, struct pl_ir_node *n)
{
    for (uint32_t k = 0; k < 2; k++) {
        const struct pl_ir_node *activation;
        const struct pl_ir_node *round = rounding(r, n->in[1 - k], n->in[k], &activation);
        if (round)
            return make_gate(r, n, n->in[k], round, activation);
    }
    return PLATEN_OK;
}

platen_status pl_pass_activation(struct pl_rewrite *r)
{
    platen_status s = PLATEN_OK;
    for (size_t i = 0; i < r->g->n_nodes && !s; i++) {
        struct pl_ir_node *n = pl_rw_visit(r, i);
        struct factors p = {.number = 1};
        if (n && n->op->id == PL_OP_Mul)
            s = find_gate(r, n);
        if (!n || (n->op->id != PL_OP_Mul && n->op->id != PL_OP_Div) ||
            !collect_factors(r, n, &p) || p.n != 2)
            continue;
        for (int k = 0; k < 2; k++) {
            const int op = recognise(r, &p, p.factor[k], p.factor[1 - k]);
            if (op < 0)
                continue;
            /* the rest is dead now */
            n->op = pl_op_by_id(op);
            n->attrs = NULL;
            n->n_attrs = 0;
            n->in[0] = p.factor[k];
            n->n_in = 1;
            r->changes++;
            break;
        }
    }
    return s;
}
