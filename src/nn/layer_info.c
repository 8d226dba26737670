/* SPDX-License-Identifier: BSD-2-Clause */
#include "nn/layer_info.h"

#include <math.h>

#include "nn/operators.h"

#define BLOCK 16 /* outputs whose weights lie interleaved, in fours (platen-model.5) */

/* The numbers of floats that a layer stands for, and the bytes of its constants. */
struct layer_sizes {
    size_t floats, bytes;
};

/* Counts the weights of 16 outputs that are no fill: in rows of fill no output has a weight. */
static size_t count_block(const int8_t *w, size_t rows, size_t *ret_outputs)
{
    unsigned outputs = 0;
    size_t used = 0;
    for (size_t k = 0; k < rows; k++) {
        unsigned in_row = 0;
        for (unsigned o = 0; o < BLOCK; o++)
            in_row |= (unsigned)(w[k / 4 * 4 * BLOCK + o * 4 + k % 4] != 0) << o;
        outputs |= in_row;
        used += in_row != 0;
    }
    *ret_outputs = (size_t)__builtin_popcount(outputs);
    return used * *ret_outputs;
}

/* Weights as the kernels read them, and a bias for each output. A run will refuse what is no such
 * thing; it counts for nothing here. */
static size_t count_product(const struct pl_tensor *weights, const struct pl_tensor *bias)
{
    const size_t blocks = pl_tensor_count(bias) / BLOCK;
    const size_t rows = blocks ? pl_tensor_count(weights) / blocks / BLOCK / 4 * 4 : 0;
    size_t floats = 0, outputs;
    if (weights->type != PL_I8)
        return 0;
    for (size_t b = 0; b < blocks; b++) {
        floats += count_block((const int8_t *)weights->data + b * rows * BLOCK, rows, &outputs);
        floats += outputs;
    }
    return floats;
}

static const struct pl_tensor *constant(const struct pl_ir *g, const struct pl_ir_node *n,
                                        uint32_t i)
{
    const bool has = i < n->n_in && n->in[i] != PL_IR_NONE;
    return has && g->values[n->in[i]].t.data ? &g->values[n->in[i]].t : NULL;
}

/* Returns how many floats the node's constants stand for; 0 = it has none in fewer bits. */
static size_t count_floats(const struct pl_ir *g, const struct pl_ir_node *n)
{
    const struct pl_tensor *first = constant(g, n, 0), *weights = constant(g, n, 1),
                           *bias = constant(g, n, 2);
    switch (n->op->id) {
    case PL_OP_QConv:
    case PL_OP_QDepthwiseConv:
    case PL_OP_QConvTranspose:
    case PL_OP_QGemm:
    case PL_OP_QGRU:
    case PL_OP_QLSTM:
        return weights && bias ? count_product(weights, bias) : 0;
    case PL_OP_DecodeWeights:
    case PL_OP_QEmbedding:
        return first ? pl_tensor_count(first) : 0;
    default:
        return first && first->type == PL_F16 ? pl_tensor_count(first) : 0;
    }
}

static struct layer_sizes sizes_of(const struct pl_ir *g, const struct pl_ir_node *n)
{
    struct layer_sizes s = {.floats = count_floats(g, n)};
    for (uint32_t i = 0; s.floats && i < n->n_in; i++) {
        const struct pl_tensor *t = constant(g, n, i);
        s.bytes += t ? pl_tensor_bytes(t) : 0;
    }
    return s;
}

static double times_less(struct layer_sizes s)
{
    return (double)s.floats * sizeof(float) / (double)PL_MAX(s.bytes, (size_t)1);
}

void pl_layers_describe(const struct pl_ir *g, struct pl_str *out)
{
    struct layer_sizes all = {0};
    for (size_t i = 0; i < g->n_nodes; i++) {
        const struct pl_ir_node *n = &g->nodes[i];
        const struct layer_sizes s = sizes_of(g, n);
        const float db = pl_ir_float(n, "sqnr_db", NAN);
        if (!s.floats)
            continue;
        if (!all.floats)
            pl_str_puts(out, "layers in fewer bits: bytes, times less than in floats, error beside "
                             "the floats\n");
        all.floats += s.floats;
        all.bytes += s.bytes;
        pl_str_printf(out, "%9zu  %4.1f  ", s.bytes, times_less(s));
        if (isnan(db))
            pl_str_printf(out, "%26s", "");
        else
            pl_str_printf(out, "%7.1f dB  mse %.3e", (double)db, (double)pl_ir_float(n, "mse", 0));
        pl_str_printf(out, "  %s (%s)\n", n->name, n->op->name);
    }
    if (all.floats)
        pl_str_printf(out, "%9zu  %4.1f  all of them\n", all.bytes, times_less(all));
}
