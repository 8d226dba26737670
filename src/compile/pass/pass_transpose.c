/* SPDX-License-Identifier: BSD-2-Clause */
/* Two transposes in a row become one; one before an elementwise operator moves behind it, where it
 * may meet another. */
#include "compile/pass.h"

static const struct pl_attr *perm_of(const struct pl_ir_node *n)
{
    return n && n->op && n->op->id == PL_OP_Transpose ? pl_ir_attr(n, "perm") : NULL;
}

static bool valid(const struct pl_attr *a)
{
    unsigned seen = 0;
    for (uint32_t i = 0; a && i < a->n; i++)
        if (a->n > PL_MAX_RANK || a->v.ints[i] < 0 || a->v.ints[i] >= a->n)
            return false;
        else
            seen |= 1u << a->v.ints[i];
    return a && seen == (1u << a->n) - 1;
}

/* Makes of n, which reads the transpose w, the one transpose that does what both did. */
static platen_status join_transposes(struct pl_rewrite *r, struct pl_ir_node *n,
                                     const struct pl_ir_node *w)
{
    const struct pl_attr *outer = perm_of(n), *inner = perm_of(w);
    int64_t *perm = PL_NEW(&r->g->arena, int64_t, outer->n);
    if (!perm)
        return pl_fail_nomem(r->err, outer->n * sizeof(*perm), "a node");
    for (uint32_t i = 0; i < outer->n; i++)
        perm[i] = inner->v.ints[outer->v.ints[i]];
    const struct pl_attr a = {
        .name = "perm", .kind = PL_ATTR_INTS, .n = outer->n, .v = {.ints = perm}};
    r->changes++;
    platen_status s = pl_rw_set_input(r, n, 0, w->in[0]);
    return s ? s : pl_rw_set_attr(r, n, a);
}

/* The edge of an elementwise node that a transpose may pass along; the others hold one number. */
static bool elementwise(const struct pl_rewrite *r, const struct pl_ir_node *n, uint32_t *edge)
{
    float number;
    *edge = 0;
    if (n->op->run == pl_run_unary)
        return true;
    if (n->n_in != 2 || (n->op->id != PL_OP_Add && n->op->id != PL_OP_Mul &&
                         n->op->id != PL_OP_Sub && n->op->id != PL_OP_Div))
        return false;
    for (*edge = 0; *edge < 2; ++*edge)
        if (pl_rw_scalar(r, n->in[1 - *edge], &number) && pl_rw_in(r, n, 1 - *edge)->rank == 0)
            return true;
    return false;
}

/* Lets two nodes change places: what each of them is moves, with its name, into the place of the
 * other. */
static void swap(struct pl_rewrite *r, struct pl_ir_node *n, struct pl_ir_node *w, uint32_t edge)
{
    const struct pl_ir_node transpose = *w, other = *n;
    const uint32_t from = transpose.in[0], between = transpose.out[0], to = other.out[0];
    *w = other;
    w->in[edge] = from;
    w->out[0] = between;
    *n = transpose;
    n->in[0] = between;
    n->out[0] = to;
    r->changes++;
}

platen_status pl_pass_transpose(struct pl_rewrite *r)
{
    platen_status s = PLATEN_OK;
    for (size_t i = 0; i < r->g->n_nodes && !s; i++) {
        struct pl_ir_node *n = pl_rw_visit(r, i), *w;
        uint32_t edge = 0;
        if (!n)
            continue;
        if (n->n_out == 1 && elementwise(r, n, &edge)) {
            w = pl_rw_feeder(r, n, edge);
            if (valid(perm_of(w)))
                swap(r, n, w, edge);
            continue;
        }
        const uint32_t writer =
            n->op->id == PL_OP_Transpose ? r->g->values[n->in[0]].writer : PL_IR_NONE;
        w = writer == PL_IR_NONE ? NULL : &r->g->nodes[writer];
        if (valid(perm_of(n)) && valid(perm_of(w)) && perm_of(n)->n == perm_of(w)->n)
            s = join_transposes(r, n, w);
    }
    /* transposes that change nothing are taken out */
    return s ? s : pl_pass_identity(r);
}
