/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes nodes that read constants alone, with the same bodies that would run them. Products wait
 * for the run, and so do scales of integers, which tell how a graph was quantized. */
#include "compile/pass.h"

#include <string.h>

#define MAX_BYTES ((size_t)1 << 24) /* All results of a graph take no more. */

static bool foldable(const struct pl_rewrite *r, const struct pl_ir_node *n)
{
    switch (n->op->id) {
    case PL_OP_Conv:
    case PL_OP_ConvInteger:
    case PL_OP_ConvTranspose:
    case PL_OP_DequantizeLinear:
    case PL_OP_DynamicQuantizeLinear:
    case PL_OP_GRU:
    case PL_OP_Gemm:
    case PL_OP_LSTM:
    case PL_OP_MatMul:
    case PL_OP_MatMulInteger:
    case PL_OP_QLinearConv:
    case PL_OP_QLinearMatMul:
    case PL_OP_QuantizeLinear:
    case PL_OP_RNN:
        return false;
    default:
        break;
    }
    for (uint32_t k = 0; k < n->n_in; k++)
        if (n->in[k] != PL_IR_NONE && !pl_rw_const(r, n->in[k]))
            return false;
    return true;
}

/* Makes the node's call on its constants, with outputs that have no data yet; false when memory is
 * short. */
static bool make_call(const struct pl_rewrite *r, const struct pl_ir_node *n,
                      struct pl_arena *arena, struct pl_call *c)
{
    const struct pl_tensor **in = PL_NEW(arena, const struct pl_tensor *, n->n_in);
    struct pl_tensor **out = PL_NEW(arena, struct pl_tensor *, n->n_out);
    struct pl_tensor *t = PL_NEW(arena, struct pl_tensor, n->n_out);
    if (!in || !out || !t)
        return false;
    for (uint32_t k = 0; k < n->n_in; k++)
        in[k] = pl_rw_const(r, n->in[k]);
    for (uint32_t k = 0; k < n->n_out; k++)
        out[k] = n->out[k] == PL_IR_NONE ? NULL : &t[k];
    *c = (struct pl_call){.node = n,
                          .opset = r->g->opset,
                          .n_in = n->n_in,
                          .n_out = n->n_out,
                          .in = in,
                          .out = out,
                          .kernels = &r->kernels,
                          .scratch = arena};
    return true;
}

/* Computes a node; false when it has to wait for the run: it fails, which the run will tell, or its
 * results are too large. */
static bool compute(struct pl_rewrite *r, struct pl_call *c, size_t *left)
{
    size_t bytes = 0;
    bool empty = true;
    if (c->node->op->infer(c))
        return false;
    for (uint32_t k = 0; k < c->n_out; k++)
        if (c->out[k]) {
            bytes += pl_tensor_bytes(c->out[k]);
            empty &= !pl_tensor_count(c->out[k]);
        }
    if (bytes > *left)
        return false;
    *left -= bytes;
    for (uint32_t k = 0; k < c->n_out; k++)
        if (c->out[k]) {
            uintptr_t p =
                (uintptr_t)pl_arena_alloc(&r->g->arena, pl_tensor_bytes(c->out[k]) + 64, 1);
            if (!p)
                return false;
            c->out[k]->data = (void *)((p + 63) & ~(uintptr_t)63);
        }
    return empty || !c->node->op->run(c);
}

/* Computes a node on its constants and removes it. */
static platen_status fold_node(struct pl_rewrite *r, struct pl_ir_node *n, struct pl_arena *arena,
                               size_t *left)
{
    struct pl_call c;
    if (!make_call(r, n, arena, &c))
        return pl_fail_nomem(r->err, n->n_in * sizeof(void *), "a graph");
    if (!compute(r, &c, left))
        return PLATEN_OK;
    for (uint32_t k = 0; k < n->n_out; k++)
        if (n->out[k] != PL_IR_NONE)
            r->g->values[n->out[k]].t = *c.out[k];
    pl_rw_remove(r, n);
    return PLATEN_OK;
}

platen_status pl_pass_fold(struct pl_rewrite *r)
{
    struct pl_arena arena; /* It is emptied after each call. */
    size_t left = MAX_BYTES;
    platen_status s = PLATEN_OK;
    pl_arena_init(&arena);
    for (size_t i = 0; i < r->g->n_nodes && !s; i++) {
        struct pl_ir_node *n = pl_rw_visit(r, i);
        if (n && foldable(r, n))
            s = fold_node(r, n, &arena, &left);
        pl_arena_reset(&arena);
    }
    pl_arena_done(&arena);
    return s;
}

platen_status pl_rw_fold(struct pl_rewrite *r, struct pl_ir_node *n)
{
    struct pl_arena arena;
    size_t left = MAX_BYTES;
    pl_arena_init(&arena);
    platen_status s = fold_node(r, n, &arena, &left);
    pl_arena_done(&arena);
    return s;
}
