/* SPDX-License-Identifier: BSD-2-Clause */
/* softmax(q k * scale + mask) v as one node. k comes turned: what turns it tells how many axes
 * there are. */
#include "compile/pass.h"

/* The parts of the scores. */
struct scores {
    uint32_t q, k, mask;
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

/* Finds the product behind input i of n, which may be multiplied or divided by one number. */
static bool read_product(const struct pl_rewrite *r, const struct pl_ir_node *n, uint32_t i,
                         struct scores *ret, int64_t *rank)
{
    const struct pl_ir_node *w = pl_rw_feeder(r, n, i);
    float v = 1;
    ret->scale = 1;
    if (w && (w->op->id == PL_OP_Mul || w->op->id == PL_OP_Div)) {
        const bool div = w->op->id == PL_OP_Div;
        uint32_t from = 0;
        if (!pl_rw_scalar(r, w->in[1], &v)) {
            if (div || !pl_rw_scalar(r, w->in[0], &v))
                return false;
            from = 1;
        }
        ret->scale = div ? 1 / v : v;
        w = pl_rw_feeder(r, w, from);
    }
    if (!w || w->op->id != PL_OP_MatMul)
        return false;
    ret->q = w->in[0];
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
    r->changes++; /* the nodes that were replaced are dead now */
    return st ? st : pl_rw_set_attr(r, n, scale);
}

platen_status pl_pass_attention(struct pl_rewrite *r)
{
    platen_status s = PLATEN_OK;
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
