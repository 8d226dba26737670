/* SPDX-License-Identifier: BSD-2-Clause */
/* Tells which kind of layer a node is, and makes it of bytes. */
#include "compile/quant/quant_layers.h"

/* The kind of layer that the operator and the sizes allow. */
static enum pl_q_kind kind_of(const struct pl_q_graph *q, const struct pl_ir_node *n)
{
    if (!n->n_in || n->in[0] == PL_IR_NONE || n->out[0] == PL_IR_NONE || !q->ranges[n->out[0]].rank)
        return PL_Q_FLOAT;
    if (pl_q_is_unary(q, n))
        return PL_Q_UNARY;
    if (n->op->id == PL_OP_FusedEmbedding)
        return pl_q_fits_embedding(q, n) ? PL_Q_EMBEDDING : PL_Q_FLOAT;
    if (pl_q_const(q, n, 0) || !q->ranges[n->in[0]].rank)
        return PL_Q_FLOAT;
    switch (n->op->id) {
    case PL_OP_Conv:
    case PL_OP_FusedConv:
        return !pl_ir_attr(n, "activation") && pl_q_fits_conv(q, n) ? PL_Q_CONV : PL_Q_FLOAT;
    case PL_OP_ConvTranspose:
        return pl_q_fits_transposed(q, n) ? PL_Q_TRANSPOSED : PL_Q_FLOAT;
    case PL_OP_MatMul:
    case PL_OP_FusedMatMul:
        return !pl_ir_attr(n, "activation") && pl_q_fits_matmul(q, n) ? PL_Q_MATMUL : PL_Q_FLOAT;
    case PL_OP_FusedGRU:
    case PL_OP_FusedLSTM:
        return pl_q_fits_recurrent(q, n) ? PL_Q_RECURRENT : PL_Q_FLOAT;
    case PL_OP_Add:
        return !pl_q_const(q, n, 1) && pl_q_same_dims(pl_q_range(q, n, 0), pl_q_range(q, n, 1))
                   ? PL_Q_ADD
                   : PL_Q_FLOAT;
    case PL_OP_Mul:
        return pl_q_is_gate(q, n) ? PL_Q_GATE : PL_Q_FLOAT;
    case PL_OP_MaxPool:
    case PL_OP_AveragePool:
        return pl_q_fits_pool(q, n) ? PL_Q_POOL : PL_Q_FLOAT;
    case PL_OP_GlobalAveragePool:
    case PL_OP_ReduceMean:
        return pl_q_is_average(q, n) ? PL_Q_AVERAGE : PL_Q_FLOAT;
    case PL_OP_Concat:
        return q->ranges[n->in[0]].rank >= 3 && pl_ir_int(n, "axis", 0) == 1 ? PL_Q_CONCAT
                                                                             : PL_Q_FLOAT;
    case PL_OP_Squeeze:
    case PL_OP_Transpose:
        return pl_q_fits_view(q, n) ? PL_Q_VIEW : PL_Q_FLOAT;
    case PL_OP_Resize:
    case PL_OP_Upsample:
        return pl_q_fits_resize(q, n) ? PL_Q_RESIZE : PL_Q_FLOAT;
    default:
        return PL_Q_FLOAT;
    }
}

enum pl_q_kind pl_q_classify(const struct pl_q_graph *q, const struct pl_ir_node *n)
{
    const enum pl_q_kind kind = kind_of(q, n);
    const bool weights = kind == PL_Q_CONV || kind == PL_Q_TRANSPOSED || kind == PL_Q_MATMUL ||
                         kind == PL_Q_RECURRENT || kind == PL_Q_EMBEDDING;
    return weights && !pl_q_may_have_bytes(q, n) ? PL_Q_FLOAT : kind;
}

platen_status pl_q_make(struct pl_q_graph *q, const struct pl_ir_node *n, enum pl_q_kind kind,
                        bool *ret_made)
{
    *ret_made = true;
    switch (kind) {
    case PL_Q_CONV:
    case PL_Q_TRANSPOSED:
    case PL_Q_MATMUL:
        return pl_q_make_product(q, n, kind, ret_made);
    case PL_Q_RECURRENT:
        return pl_q_make_recurrent(q, n, ret_made);
    case PL_Q_EMBEDDING:
        return pl_q_make_embedding(q, n, ret_made);
    case PL_Q_UNARY:
        return pl_q_make_unary(q, n, ret_made);
    case PL_Q_ADD:
        return pl_q_make_sum(q, n, ret_made);
    case PL_Q_GATE:
        return pl_q_make_gate(q, n, ret_made);
    case PL_Q_POOL:
        return pl_q_make_pool(q, n, ret_made);
    case PL_Q_AVERAGE:
        return pl_q_make_average(q, n, ret_made);
    case PL_Q_CONCAT:
        return pl_q_make_concat(q, n, ret_made);
    case PL_Q_RESIZE:
        return pl_q_make_resize(q, n, ret_made);
    case PL_Q_VIEW:
        return pl_q_make_view(q, n, ret_made);
    default:
        *ret_made = false;
        return PLATEN_OK;
    }
}
