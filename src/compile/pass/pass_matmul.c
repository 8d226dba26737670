/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes one product with a bias of MatMul and Add, or of Gemm, by a constant matrix. */
#include "compile/pass.h"

static bool is_matrix(const struct pl_tensor *t)
{
    return t && t->type == PL_F32 && t->rank == 2;
}

/* Adds a bias of n numbers behind a product without one. */
static platen_status add_bias(struct pl_rewrite *r, struct pl_ir_node *n, uint32_t from)
{
    struct pl_ir_node *w = pl_rw_feeder(r, n, from);
    const struct pl_tensor *bias = pl_rw_in(r, n, 1 - from);
    if (!w || w->op->id != PL_OP_FusedMatMul || w->n_in != 2 || !bias || bias->type != PL_F32 ||
        bias->rank != 1 || bias->dims[0] != pl_rw_in(r, w, 1)->dims[1])
        return PLATEN_OK;
    platen_status s = pl_rw_set_input(r, w, 2, n->in[1 - from]);
    if (!s)
        pl_rw_absorb(r, w, n);
    return s;
}

/* Makes the matrix alpha B, transposed where the node says so. */
static platen_status gemm_matrix(struct pl_rewrite *r, struct pl_ir_node *n)
{
    const struct pl_tensor *b = pl_rw_in(r, n, 1);
    const bool transposed = pl_ir_int(n, "transB", 0);
    const float alpha = pl_ir_float(n, "alpha", 1.0f);
    const size_t rows = (size_t)b->dims[transposed], columns = (size_t)b->dims[!transposed];
    struct pl_tensor shape = {0}, *ret;
    uint32_t value;
    if (!transposed && alpha == 1)
        return PLATEN_OK;
    if (!pl_tensor_shape(&shape, PL_F32, 2, (int64_t[]){(int64_t)rows, (int64_t)columns}))
        return PLATEN_ERR_INTERNAL;
    platen_status s = pl_rw_new_const(r, r->g->values[n->in[1]].name, &shape, &value, &ret);
    if (s)
        return s;
    const float *from = b->data;
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < columns; k++)
            ((float *)ret->data)[i * columns + k] =
                alpha * from[transposed ? k * rows + i : i * columns + k];
    return pl_rw_set_input(r, n, 1, value);
}

static platen_status gemm_bias(struct pl_rewrite *r, struct pl_ir_node *n, size_t columns)
{
    const struct pl_tensor *c = pl_rw_in(r, n, 2);
    const float beta = pl_ir_float(n, "beta", 1.0f);
    struct pl_tensor shape = {0}, *ret;
    uint32_t value;
    if (!c)
        return PLATEN_OK;
    if (!pl_tensor_shape(&shape, PL_F32, 1, (int64_t[]){(int64_t)columns}))
        return PLATEN_ERR_INTERNAL;
    platen_status s = pl_rw_new_const(r, r->g->values[n->in[2]].name, &shape, &value, &ret);
    for (size_t i = 0; i < columns && !s; i++)
        ((float *)ret->data)[i] = beta * ((const float *)c->data)[pl_tensor_count(c) == 1 ? 0 : i];
    return s ? s : pl_rw_set_input(r, n, 2, value);
}

static platen_status from_gemm(struct pl_rewrite *r, struct pl_ir_node *n)
{
    const struct pl_tensor *b = pl_rw_in(r, n, 1), *c = pl_rw_in(r, n, 2);
    const bool biased = n->n_in > 2 && n->in[2] != PL_IR_NONE;
    if (!is_matrix(b) || pl_ir_int(n, "transA", 0))
        return PLATEN_OK;
    const int64_t columns = b->dims[!pl_ir_int(n, "transB", 0)];
    if (biased && (!c || c->type != PL_F32 || c->rank > 2 || (c->rank == 2 && c->dims[0] != 1) ||
                   (pl_tensor_count(c) != 1 && pl_tensor_count(c) != (size_t)columns)))
        return PLATEN_OK;
    platen_status s = gemm_matrix(r, n);
    s = s ? s : gemm_bias(r, n, (size_t)columns);
    n->op = pl_op_by_id(PL_OP_FusedMatMul);
    n->n_in = biased ? 3 : 2;
    n->n_attrs = 0;
    r->changes++;
    return s;
}

platen_status pl_pass_matmul(struct pl_rewrite *r)
{
    platen_status s = PLATEN_OK;
    for (size_t i = 0; i < r->g->n_nodes && !s; i++) {
        struct pl_ir_node *n = pl_rw_visit(r, i);
        if (!n)
            continue;
        if (n->op->id == PL_OP_MatMul && is_matrix(pl_rw_in(r, n, 1))) {
            n->op = pl_op_by_id(PL_OP_FusedMatMul);
            r->changes++;
        } else if (n->op->id == PL_OP_Gemm) {
            s = from_gemm(r, n);
        } else if (n->op->id == PL_OP_Add) {
            s = add_bias(r, n, 0);
            s = s || !n->op ? s : add_bias(r, n, 1);
        }
    }
    return s;
}
