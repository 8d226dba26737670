/* SPDX-License-Identifier: BSD-2-Clause */
/* Ranks of values, and how many elements small ones have, as far as the graph alone tells them. */
#include "compile/pass.h"

static const struct pl_extent unknown = {.rank = -1, .count = -1};

/* Returns what is known of input i of a node. */
static struct pl_extent in_of(const struct pl_ir_node *n, uint32_t i, const struct pl_extent *known)
{
    return i < n->n_in && n->in[i] != PL_IR_NONE ? known[n->in[i]] : unknown;
}

/* Returns what an elementwise operator gives of two inputs. */
static struct pl_extent broadcast(struct pl_extent a, struct pl_extent b)
{
    struct pl_extent ret = unknown;
    if (a.rank >= 0 && b.rank >= 0)
        ret.rank = PL_MAX(a.rank, b.rank);
    if (a.count == 1 || b.count == 1)
        ret.count = a.count == 1 ? b.count : a.count;
    return ret;
}

/* Returns x with as many more axes as the node lists, in an attribute or a constant input, or with
 * `sign` -1 as many fewer. */
static struct pl_extent reshaped(const struct pl_rewrite *r, const struct pl_ir_node *n,
                                 struct pl_extent x, int sign)
{
    const struct pl_attr *axes = pl_ir_attr(n, "axes");
    const struct pl_tensor *t = pl_rw_in(r, n, 1);
    const int64_t k = axes ? (int64_t)axes->n : t ? (int64_t)pl_tensor_count(t) : -1;
    const bool told = k >= 0 && x.rank >= 0 && x.rank + sign * k >= 0;
    return (struct pl_extent){.rank = told ? x.rank + sign * k : -1, .count = x.count};
}

/* Returns the inputs of a node one after the other: of lists the sum of their counts. */
static struct pl_extent joined(const struct pl_ir_node *n, const struct pl_extent *known)
{
    struct pl_extent ret = in_of(n, 0, known);
    for (uint32_t i = 1; i < n->n_in; i++) {
        const int64_t more = in_of(n, i, known).count;
        ret.count = ret.rank == 1 && ret.count >= 0 && more >= 0 ? ret.count + more : -1;
    }
    return ret;
}

/* Returns the first number of a constant list of one number. */
static bool one_of(const struct pl_rewrite *r, const struct pl_ir_node *n, uint32_t i, int64_t *ret)
{
    const struct pl_tensor *t = pl_rw_in(r, n, i);
    if (!t || pl_tensor_count(t) != 1 || pl_dtype_is_float(t->type))
        return false;
    *ret = pl_tensor_i64(t, 0);
    return true;
}

/* A part of a list, as shapes are cut: [first, end) by constants, each below 0 from its end. */
static struct pl_extent sliced(const struct pl_rewrite *r, const struct pl_ir_node *n,
                               struct pl_extent x)
{
    int64_t first, end, step = 1;
    struct pl_extent ret = {.rank = x.rank, .count = -1};
    const bool stepped = n->n_in > 4 && !one_of(r, n, 4, &step);
    if (x.rank != 1 || x.count < 0 || stepped || step != 1 || !one_of(r, n, 1, &first) ||
        !one_of(r, n, 2, &end))
        return ret;
    first = PL_CLAMP(first < 0 ? first + x.count : first, 0, x.count);
    end = PL_CLAMP(end < 0 ? end + x.count : end, 0, x.count);
    ret.count = PL_MAX(end - first, 0);
    return ret;
}

/* Returns what is known of the first output of a node. */
static struct pl_extent result_of(const struct pl_rewrite *r, const struct pl_ir_node *n,
                                  const struct pl_extent *known)
{
    const struct pl_extent a = in_of(n, 0, known), b = in_of(n, 1, known);
    const struct pl_attr *perm = pl_ir_attr(n, "perm");
    struct pl_extent ret = unknown;
    switch (n->op->id) {
    case PL_OP_Add:
    case PL_OP_Sub:
    case PL_OP_Mul:
    case PL_OP_Div:
    case PL_OP_Pow:
        return broadcast(a, b);
    case PL_OP_Cast:
    case PL_OP_Identity:
    case PL_OP_Sqrt:
    case PL_OP_Reciprocal:
    case PL_OP_Relu:
    case PL_OP_Sigmoid:
    case PL_OP_Gelu:
    case PL_OP_Swish:
    case PL_OP_HardSwish:
    case PL_OP_Softmax:
    case PL_OP_LayerNormalization:
        return a;
    case PL_OP_Conv:
    case PL_OP_ConvTranspose:
    case PL_OP_BatchNormalization:
    case PL_OP_MaxPool:
    case PL_OP_AveragePool:
    case PL_OP_Split:
        ret.rank = a.rank;
        return ret;
    case PL_OP_ReduceMax:
    case PL_OP_ReduceMean:
    case PL_OP_ReduceSum:
        ret.rank = pl_ir_int(n, "keepdims", 1) ? a.rank : -1;
        return ret;
    case PL_OP_MatMul:
    case PL_OP_FusedMatMul:
        ret.rank = a.rank >= 2 && b.rank >= 2 ? PL_MAX(a.rank, b.rank) : -1;
        return ret;
    case PL_OP_Concat:
        return joined(n, known);
    case PL_OP_Shape:
        return (struct pl_extent){.rank = 1, .count = n->n_attrs ? -1 : a.rank};
    case PL_OP_Gather:
        ret.rank = a.rank >= 1 && b.rank >= 0 ? a.rank + b.rank - 1 : -1;
        ret.count = a.rank == 1 ? b.count : -1;
        return ret;
    case PL_OP_Slice:
        return sliced(r, n, a);
    case PL_OP_Unsqueeze:
        return reshaped(r, n, a, 1);
    case PL_OP_Squeeze:
        return reshaped(r, n, a, -1);
    case PL_OP_Reshape:
        return (struct pl_extent){.rank = b.count, .count = a.count};
    case PL_OP_Transpose:
        return (struct pl_extent){.rank = perm ? (int64_t)perm->n : a.rank, .count = a.count};
    default:
        return ret;
    }
}

platen_status pl_rw_extents(struct pl_rewrite *r, struct pl_extent **ret)
{
    struct pl_extent *known = PL_NEW(&r->scratch, struct pl_extent, r->max_values);
    if (!known)
        return pl_fail_nomem(r->err, r->max_values * sizeof(*known), "a graph");
    for (size_t v = 0; v < r->max_values; v++) {
        const struct pl_tensor *t = v < r->g->n_values ? &r->g->values[v].t : NULL;
        const bool told = t && (t->data || r->g->values[v].writer == PL_IR_NONE);
        known[v] = unknown;
        if (told && t->rank >= 0)
            known[v].rank = t->rank;
        if (told && t->data)
            known[v].count = (int64_t)pl_tensor_count(t);
    }
    for (size_t i = 0; i < r->g->n_nodes; i++) {
        const struct pl_ir_node *n = &r->g->nodes[i];
        for (uint32_t k = 0; k < n->n_out; k++)
            if (n->out[k] != PL_IR_NONE)
                known[n->out[k]] = k && n->op->id != PL_OP_Split ? unknown : result_of(r, n, known);
    }
    *ret = known;
    return PLATEN_OK;
}
