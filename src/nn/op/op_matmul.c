/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrix products. */
#include "nn/operators.h"

#include <string.h>

#include "nn/op/op_gemm.h"

static platen_status stack_of(const struct pl_call *c, const struct pl_tensor *a,
                              const struct pl_tensor *b, struct pl_stack *ret)
{
    struct pl_tensor left = *a, right = *b;
    if (!a->rank || !b->rank)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "an input is a scalar");
    if (a->rank == 1) {
        left.rank = 2;
        left.dims[1] = a->dims[0];
        left.dims[0] = 1;
    }
    if (b->rank == 1) {
        right.rank = 2;
        right.dims[1] = 1;
    }
    ret->a = left;
    ret->b = right;
    ret->m = left.dims[left.rank - 2];
    ret->k = left.dims[left.rank - 1];
    ret->n = right.dims[right.rank - 1];
    if (right.dims[right.rank - 2] != ret->k)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "%lld columns times %lld rows", (long long)ret->k,
                            (long long)right.dims[right.rank - 2]);
    left.rank -= 2;
    right.rank -= 2;
    return pl_call_broadcast(c, &left, &right, &ret->outer);
}

platen_status pl_matmul_shape(const struct pl_call *c, const struct pl_tensor *a,
                              const struct pl_tensor *b, enum pl_dtype type)
{
    struct pl_stack st;
    int64_t dims[PL_MAX_RANK + 2];
    platen_status s = stack_of(c, a, b, &st);
    int rank = st.outer.rank;
    if (s)
        return s;
    memcpy(dims, st.outer.dims, sizeof(st.outer.dims));
    if (a->rank > 1)
        dims[rank++] = st.m;
    if (b->rank > 1)
        dims[rank++] = st.n;
    return pl_call_shape(c, 0, type, rank, dims);
}

platen_status pl_infer_matmul(struct pl_call *c)
{
    return pl_matmul_shape(c, pl_in(c, 0), pl_in(c, 1), pl_in(c, 0)->type);
}

/* Calls `product` for each matrix of the stack. */
typedef void product_fn(void *ctx, const struct pl_stack *s, size_t a, size_t b, size_t y);

static void each_product(const struct pl_stack *s, product_fn *fn, void *ctx)
{
    struct pl_tensor left = s->a, right = s->b;
    ptrdiff_t sa[PL_MAX_RANK], sb[PL_MAX_RANK];
    int64_t at[PL_MAX_RANK] = {0};
    size_t y = 0;
    left.rank -= 2;
    right.rank -= 2;
    pl_broadcast_steps(&left, &s->outer, sa);
    pl_broadcast_steps(&right, &s->outer, sb);
    if (!pl_tensor_count(&s->outer))
        return;
    do {
        size_t a = 0, b = 0;
        for (int i = 0; i < s->outer.rank; i++) {
            a += (size_t)(at[i] * sa[i]);
            b += (size_t)(at[i] * sb[i]);
        }
        fn(ctx, s, a * (size_t)(s->m * s->k), b * (size_t)(s->k * s->n), y);
        y += (size_t)(s->m * s->n);
    } while (pl_odometer(s->outer.rank, s->outer.dims, at));
}

struct floats {
    struct pl_call *c;
    const float *a, *b, *bias, *blocks;
    float *y, *panels;
    platen_status status;
};

static void product_f32(void *ctx, const struct pl_stack *s, size_t a, size_t b, size_t y)
{
    struct floats *f = ctx;
    const struct pl_gemm g = {.m = (size_t)s->m,
                              .n = (size_t)s->n,
                              .k = (size_t)s->k,
                              .a = f->a + a,
                              .a_row = (size_t)s->k,
                              .a_col = 1,
                              .b = f->b + b,
                              .b_row = (size_t)s->n,
                              .b_col = 1,
                              .blocks = f->blocks,
                              .c = f->y + y,
                              .col_bias = f->bias,
                              .panels = f->panels};
    if (!f->status)
        f->status = pl_gemm_run(f->c, &g);
}

static void fill_blocks(void *block, const void *ctx)
{
    const struct pl_stack *st = ctx;
    pl_gemm_lay_blocks(block, st->b.data, (size_t)st->k, (size_t)st->n, PL_GEMM_COLUMNS);
}

/* Returns the matrix of b in blocks of columns, which stay from run to run; NULL where it is no
 * wider than a block, or cannot stay. */
static const float *lay_blocks(struct pl_call *c, const struct pl_stack *st)
{
    const size_t k = (size_t)st->k, n = (size_t)st->n;
    return n > PL_GEMM_COLUMNS ? pl_call_prepared(c, n * k * sizeof(float), fill_blocks, st) : NULL;
}

platen_status pl_matmul_f32(struct pl_call *c, const float *bias)
{
    struct pl_stack st;
    platen_status s = stack_of(c, pl_in(c, 0), pl_in(c, 1), &st);
    struct floats f = {.c = c,
                       .a = pl_in(c, 0)->data,
                       .b = pl_in(c, 1)->data,
                       .bias = bias,
                       .y = pl_out(c, 0)->data};
    if (!s && (pl_in(c, 0)->type != PL_F32 || pl_in(c, 1)->type != PL_F32))
        s = pl_call_unsupported_type(c, pl_in(c, 1)->type);
    if (s)
        return s;
    if (st.b.rank == 2) { /* one matrix for all: their rows are one stack */
        st.m *= (int64_t)pl_tensor_count(&st.outer);
        st.outer.rank = 0;
        f.blocks = lay_blocks(c, &st);
    }
    f.panels = pl_call_scratch(c, pl_gemm_panels((size_t)st.m, (size_t)st.k), sizeof(float));
    if (!f.panels)
        return PLATEN_ERR_NOMEM;
    each_product(&st, product_f32, &f);
    return f.status;
}

static platen_status matmul_f32(struct pl_call *c)
{
    return pl_matmul_f32(c, NULL);
}

int64_t pl_matmul_zero(const struct pl_tensor *t, size_t i)
{
    return t ? pl_tensor_i64(t, pl_tensor_count(t) == 1 ? 0 : i) : 0;
}

static void product_i64(void *ctx, const struct pl_stack *s, size_t a, size_t b, size_t y)
{
    const struct pl_int_product *p = ctx;
    for (int64_t i = 0; i < s->m; i++)
        for (int64_t j = 0; j < s->n; j++) {
            uint64_t sum = 0;
            for (int64_t k = 0; k < s->k; k++) {
                int64_t v = pl_tensor_i64(p->a, a + (size_t)(i * s->k + k));
                int64_t w = pl_tensor_i64(p->b, b + (size_t)(k * s->n + j));
                sum += (uint64_t)(v - pl_matmul_zero(p->a_zero, (size_t)i)) *
                       (uint64_t)(w - pl_matmul_zero(p->b_zero, (size_t)j));
            }
            p->y[y + (size_t)(i * s->n + j)] = (int64_t)sum;
        }
}

platen_status pl_matmul_check_zero(const struct pl_call *c, const struct pl_tensor *t, int64_t n)
{
    size_t count = t ? pl_tensor_count(t) : 1;
    if (count != 1 && count != (size_t)n)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "%zu zero points or scales for %lld", count,
                            (long long)n);
    return PLATEN_OK;
}

platen_status pl_matmul_sums(struct pl_call *c, const struct pl_int_product *p, struct pl_stack *st,
                             int64_t **ret)
{
    struct pl_int_product q = *p;
    platen_status s = stack_of(c, p->a, p->b, st);
    s = s ? s : pl_matmul_check_zero(c, p->a_zero, st->m);
    s = s ? s : pl_matmul_check_zero(c, p->b_zero, st->n);
    if (s)
        return s;
    *ret = q.y =
        pl_call_scratch(c, pl_tensor_count(&st->outer) * (size_t)(st->m * st->n), sizeof(int64_t));
    if (!q.y)
        return PLATEN_ERR_NOMEM;
    each_product(st, product_i64, &q);
    return PLATEN_OK;
}

platen_status pl_run_matmul(struct pl_call *c)
{
    const struct pl_tensor *y = pl_out(c, 0);
    struct pl_stack st;
    int64_t *sum;
    if (pl_dtype_is_float(pl_in(c, 0)->type))
        return pl_call_as_f32(c, matmul_f32);
    struct pl_int_product p = {.a = pl_in(c, 0), .b = pl_in(c, 1)};
    platen_status s = pl_matmul_sums(c, &p, &st, &sum);
    if (!s)
        pl_tensor_cast_row(y->data, y->type, sum, PL_I64, pl_tensor_count(y));
    return s;
}

platen_status pl_infer_gemm(struct pl_call *c)
{
    const struct pl_tensor *a = pl_in(c, 0), *b = pl_in(c, 1), *bias = pl_in(c, 2);
    const bool ta = pl_ir_int(c->node, "transA", 0), tb = pl_ir_int(c->node, "transB", 0);
    struct pl_tensor t = {0}, both;
    if (a->rank != 2 || b->rank != 2 || a->dims[!ta] != b->dims[tb])
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "the matrices do not fit");
    if (!pl_tensor_shape(&t, a->type, 2, (int64_t[]){a->dims[ta], b->dims[!tb]}))
        return pl_call_fail(c, PLATEN_ERR_LIMIT, "a shape beyond the limits");
    platen_status s = bias ? pl_call_broadcast(c, &t, bias, &both) : PLATEN_OK;
    if (!s && bias && !pl_tensor_same_shape(&t, &both))
        s = pl_call_fail(c, PLATEN_ERR_FORMAT, "the bias does not fit");
    return s ? s : pl_call_like(c, 0, &t);
}

static platen_status gemm_f32(struct pl_call *c)
{
    const struct pl_tensor *a = pl_in(c, 0), *b = pl_in(c, 1), *bias = pl_in(c, 2);
    const struct pl_tensor *y = pl_out(c, 0);
    const bool ta = pl_ir_int(c->node, "transA", 0), tb = pl_ir_int(c->node, "transB", 0);
    const float alpha = pl_ir_float(c->node, "alpha", 1.0f);
    const float beta = pl_ir_float(c->node, "beta", 1.0f);
    const size_t ca = (size_t)a->dims[1], cb = (size_t)b->dims[1], n = (size_t)y->dims[1];
    if (a->type != PL_F32 || b->type != PL_F32 || (bias && bias->type != PL_F32))
        return pl_call_unsupported_type(c, a->type);
    const struct pl_gemm g = {.m = (size_t)y->dims[0],
                              .n = n,
                              .k = (size_t)a->dims[!ta],
                              .a = a->data,
                              .a_row = ta ? 1 : ca,
                              .a_col = ta ? ca : 1,
                              .b = b->data,
                              .b_row = tb ? 1 : cb,
                              .b_col = tb ? cb : 1,
                              .c = y->data};
    ptrdiff_t step[PL_MAX_RANK];
    float *out = y->data;
    platen_status s = pl_gemm_run(c, &g);
    if (s)
        return s;
    if (bias)
        pl_broadcast_steps(bias, y, step);
    for (size_t i = 0; i < pl_tensor_count(y); i++) {
        out[i] *= alpha;
        if (bias)
            out[i] += beta *
                      ((const float *)
                           bias->data)[(ptrdiff_t)(i / n) * step[0] + (ptrdiff_t)(i % n) * step[1]];
    }
    return PLATEN_OK;
}

static platen_status gemm_ints(struct pl_call *c)
{
    const struct pl_tensor *a = pl_in(c, 0), *b = pl_in(c, 1), *bias = pl_in(c, 2);
    const struct pl_tensor *y = pl_out(c, 0);
    const bool ta = pl_ir_int(c->node, "transA", 0), tb = pl_ir_int(c->node, "transB", 0);
    const double alpha = (double)pl_ir_float(c->node, "alpha", 1.0f);
    const double beta = (double)pl_ir_float(c->node, "beta", 1.0f);
    const size_t n = (size_t)y->dims[1], depth = (size_t)a->dims[!ta];
    ptrdiff_t step[PL_MAX_RANK] = {0};
    if (bias)
        pl_broadcast_steps(bias, y, step);
    for (size_t i = 0; i < pl_tensor_count(y); i++) {
        size_t row = i / n, column = i % n;
        uint64_t sum = 0;
        for (size_t k = 0; k < depth; k++)
            sum += (uint64_t)pl_tensor_i64(a, ta ? k * (size_t)a->dims[1] + row : row * depth + k) *
                   (uint64_t)pl_tensor_i64(b, tb ? column * depth + k : k * n + column);
        double v = alpha * (double)(int64_t)sum;
        if (bias)
            v += beta * (double)pl_tensor_i64(
                            bias, (size_t)((ptrdiff_t)row * step[0] + (ptrdiff_t)column * step[1]));
        pl_tensor_cast_row((uint8_t *)y->data + i * pl_dtype_bytes(y->type), y->type, &v, PL_F64,
                           1);
    }
    return PLATEN_OK;
}

platen_status pl_run_gemm(struct pl_call *c)
{
    return pl_dtype_is_float(pl_in(c, 0)->type) ? pl_call_as_f32(c, gemm_f32) : gemm_ints(c);
}
