/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes zeros around a picture the padding of the convolution that reads it. */
#include "compile/pass.h"

#include <string.h>

/* Returns the 2 * rank pads of a Pad that only puts zeros around spatial axes; NULL for another
 * one. */
static const int64_t *zeros_around(struct pl_rewrite *r, const struct pl_ir_node *n, int rank)
{
    const struct pl_tensor *t = pl_rw_in(r, n, 1);
    const struct pl_attr *a = pl_ir_attr(n, "pads");
    const bool old = r->g->opset < 11;
    float value = pl_ir_float(n, "value", 0);
    const bool given = n->n_in > 2 && n->in[2] != PL_IR_NONE;
    if (strcmp(pl_ir_string(n, "mode", "constant"), "constant") ||
        (given && !pl_rw_scalar(r, n->in[2], &value)) || value != 0 || n->n_in > 3 ||
        (old ? !a : !t || t->type != PL_I64))
        return NULL;
    const int64_t *pads = old ? a->v.ints : t->data;
    if ((old ? a->n : pl_tensor_count(t)) != 2 * (size_t)rank)
        return NULL;
    for (int i = 0; i < 2 * rank; i++)
        if (pads[i] < 0 || pads[i] > PL_MAX_ELEMENTS || (i % rank < 2 && pads[i]))
            return NULL;
    return pads;
}

static platen_status merge(struct pl_rewrite *r, struct pl_ir_node *conv, const int64_t *pads,
                           int rank)
{
    const struct pl_attr *own = pl_ir_attr(conv, "pads");
    const uint32_t n = 2 * (uint32_t)(rank - 2);
    int64_t *sum = PL_NEW(&r->g->arena, int64_t, n);
    if (!sum)
        return pl_fail_nomem(r->err, n * sizeof(*sum), "a node");
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t half = n / 2, side = i / half;
        sum[i] = (own ? own->v.ints[i] : 0) + pads[side * (uint32_t)rank + 2 + i % half];
    }
    return pl_rw_set_attr(
        r, conv,
        (struct pl_attr){.name = "pads", .kind = PL_ATTR_INTS, .n = n, .v = {.ints = sum}});
}

platen_status pl_pass_pad(struct pl_rewrite *r)
{
    platen_status s = PLATEN_OK;
    for (size_t i = 0; i < r->g->n_nodes && !s; i++) {
        struct pl_ir_node *n = pl_rw_visit(r, i);
        if (!n || n->op->id != PL_OP_Conv)
            continue;
        const struct pl_tensor *w = pl_rw_in(r, n, 1);
        const struct pl_attr *own = pl_ir_attr(n, "pads");
        struct pl_ir_node *pad = pl_rw_feeder(r, n, 0);
        if (!w || w->rank < 3 || w->rank > 5 || !pad || pad->op->id != PL_OP_Pad ||
            strcmp(pl_ir_string(n, "auto_pad", "NOTSET"), "NOTSET") ||
            (own && own->n != 2 * (uint32_t)(w->rank - 2)))
            continue;
        const int64_t *pads = zeros_around(r, pad, w->rank);
        if (!pads)
            continue;
        s = merge(r, n, pads, w->rank);
        if (!s)
            pl_rw_bypass(r, pad, pad->in[0]);
    }
    return s;
}
