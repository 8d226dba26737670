/* SPDX-License-Identifier: BSD-2-Clause */
/* softmax(q k * scale + mask) v as one node; the scale may come from the scores or from q. k comes
 * turned: what turns it tells how many axes there are. */
#include "compile/pass.h"

/* The parts of the scores. */
struct scores {
    uint32_t q, k, mask, factor; /* the last two may be PL_IR_NONE */
    float scale;
};

/* Returns the node that writes input i, if n alone reads it and it is that operator; else NULL. */
static struct pl_ir_node *feeder(const struct pl_rewrite *r, const struct pl_ir_node *n, uint32_t i,
                                 int op)
{
    struct pl_ir_node *w = pl_rw_feeder(r, n, i);
    return w && w->op->id == op ? w : NULL;
}

/* Returns how many axes the right side of a product has, if a Transpose has written it; else 0. */
static int64_t turned_rank(const struct pl_rewrite *r, const struct pl_ir_node *product)
{
    const uint32_t writer = r->g->values[product->in[1]].writer;
    const struct pl_ir_node *n = writer == PL_IR_NONE ? NULL : &r->g->nodes[writer];
    const struct pl_attr *perm =
        n && n->op && n->op->id == PL_OP_Transpose ? pl_ir_attr(n, "perm") : NULL;
    return perm && perm->n >= 2 ? (int64_t)perm->n : 0;
}

/* Tells whether a value is one number that adds no axes to the scores; a run finds its size. */
static bool is_factor(const struct pl_rewrite *r, uint32_t value)
{
    const struct pl_extent *known = (const struct pl_extent *)r->ctx + value;
    return known->count == 1 && (known->rank == 0 || known->rank == 1);
}

/* Reads the number by which n, a product or quotient, scales its other side, which becomes *from.
 */
static bool read_scale(const struct pl_rewrite *r, const struct pl_ir_node *n, struct scores *ret,
                       uint32_t *from)
{
    const bool div = n->op->id == PL_OP_Div;
    float v = 1;
    for (*from = 0; *from < (div ? 1 : 2); ++*from) {
        const uint32_t other = n->in[1 - *from];
        if (pl_rw_scalar(r, other, &v)) {
            ret->scale = div ? 1 / v : v;
            return true;
        }
        if (!div && is_factor(r, other)) {
            ret->factor = other;
            return true;
        }
    }
    return false;
}

/* Takes over the number by which the queries alone are multiplied, on their way to the product n.
 */
static void read_queries(const struct pl_rewrite *r, const struct pl_ir_node *n, struct scores *ret)
{
    const struct pl_ir_node *mul = feeder(r, n, 0, PL_OP_Mul);
    float v;
    ret->q = n->in[0];
    for (uint32_t i = 0; mul && i < 2; i++)
        if (pl_rw_scalar(r, mul->in[1 - i], &v)) {
            ret->q = mul->in[i];
            ret->scale *= v;
            return;
        }
}

/* Finds the product behind input i of n, which may be multiplied or divided by one number. */
static bool read_product(const struct pl_rewrite *r, const struct pl_ir_node *n, uint32_t i,
                         struct scores *ret, int64_t *rank)
{
    const struct pl_ir_node *w = pl_rw_feeder(r, n, i);
    uint32_t from;
    ret->scale = 1;
    ret->factor = PL_IR_NONE;
    if (w && (w->op->id == PL_OP_Mul || w->op->id == PL_OP_Div)) {
        if (!read_scale(r, w, ret, &from))
            return false;
        w = pl_rw_feeder(r, w, from);
    }
    if (!w || w->op->id != PL_OP_MatMul)
        return false;
    read_queries(r, w, ret);
    ret->k = w->in[1];
    *rank = turned_rank(r, w);
    return *rank > 0;
}

/* Finds the parts of the scores that a softmax reads. */
static bool read_scores(const struct pl_rewrite *r, const struct pl_ir_node *softmax,
                        struct scores *ret, int64_t *rank)
{
    const struct pl_ir_node *sum = feeder(r, softmax, 0, PL_OP_Add);
    ret->mask = PL_IR_NONE;
    if (!sum)
        return read_product(r, softmax, 0, ret, rank);
    for (uint32_t i = 0; i < 2; i++)
        if (read_product(r, sum, i, ret, rank)) {
            ret->mask = sum->in[1 - i];
            return true;
        }
    return false;
}

static bool over_last_axis(const struct pl_rewrite *r, const struct pl_ir_node *softmax,
                           int64_t rank)
{
    const int64_t axis = pl_ir_int(softmax, "axis", r->g->opset < 13 ? 1 : -1);
    return axis == -1 || axis == rank - 1;
}

static platen_status make_attention(struct pl_rewrite *r, struct pl_ir_node *n,
                                    const struct scores *s)
{
    const uint32_t v = n->in[1];
    struct pl_attr scale = {.name = "scale", .kind = PL_ATTR_FLOAT};
    scale.v.f = s->scale;
    n->op = pl_op_by_id(PL_OP_FusedAttention);
    platen_status st = pl_rw_set_input(r, n, 0, s->q);
    st = st ? st : pl_rw_set_input(r, n, 1, s->k);
    st = st ? st : pl_rw_set_input(r, n, 2, v);
    if (!st && s->mask != PL_IR_NONE)
        st = pl_rw_set_input(r, n, 3, s->mask);
    if (!st && s->factor != PL_IR_NONE)
        st = pl_rw_set_input(r, n, 4, s->factor);
    r->changes++; /* the nodes that were replaced are dead now */
    return st ? st : pl_rw_set_attr(r, n, scale);
}

platen_status pl_pass_attention(struct pl_rewrite *r)
{
    struct pl_extent *known;
    platen_status s = pl_rw_extents(r, &known);
    if (!s)
        r->ctx = known;
    for (size_t i = 0; i < r->g->n_nodes && !s; i++) {
        struct pl_ir_node *n = pl_rw_visit(r, i);
        const struct pl_ir_node *softmax =
            n && n->op->id == PL_OP_MatMul ? feeder(r, n, 0, PL_OP_Softmax) : NULL;
        struct scores scores;
        int64_t rank = 0;
        if (softmax && read_scores(r, softmax, &scores, &rank) && over_last_axis(r, softmax, rank))
            s = make_attention(r, n, &scores);
    }
    return s;
}
