/* SPDX-License-Identifier: BSD-2-Clause */
/* Constants, and operators that only read or change a shape. */
#include "nn/operators.h"

#include <math.h>
#include <string.h>

static platen_status dtype_attr(const struct pl_call *c, const char *name, enum pl_dtype otherwise,
                                enum pl_dtype *ret)
{
    int64_t t = pl_ir_int(c->node, name, otherwise);
    if (t < 0 || t > 255 || !pl_dtype_bytes((int)t))
        return pl_call_fail(c, PLATEN_ERR_UNSUPPORTED, "elements of type %lld", (long long)t);
    *ret = (enum pl_dtype)t;
    return PLATEN_OK;
}

platen_status pl_infer_cast(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    enum pl_dtype to = pl_call_id(c) == PL_OP_CastLike ? pl_in(c, 1)->type : PL_F32;
    platen_status s = PLATEN_OK;
    if (pl_call_id(c) == PL_OP_Cast)
        s = dtype_attr(c, "to", 0, &to);
    return s ? s : pl_call_shape(c, 0, to, x->rank, x->dims);
}

platen_status pl_run_cast(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *y = pl_out(c, 0);
    pl_tensor_cast_row(y->data, y->type, x->data, x->type, pl_tensor_count(x));
    return PLATEN_OK;
}

platen_status pl_run_copy(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *y = pl_out(c, 0);
    memcpy(y->data, x->data, pl_tensor_bytes(x));
    return PLATEN_OK;
}

platen_status pl_infer_dropout(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    double ratio, training;
    platen_status s = pl_call_scalar(c, "ratio", 1, 0.5, &ratio);
    s = s ? s : pl_call_scalar(c, "", 2, 0, &training);
    if (!s && training != 0 && ratio != 0)
        s = pl_call_fail(c, PLATEN_ERR_UNSUPPORTED, "in training mode");
    s = s ? s : pl_call_like(c, 0, x);
    return s ? s : pl_call_shape(c, 1, c->opset < 10 ? x->type : PL_BOOL, x->rank, x->dims);
}

platen_status pl_run_dropout(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *mask = pl_out(c, 1);
    static const uint8_t one = 1;
    if (pl_out(c, 0))
        memcpy(pl_out(c, 0)->data, x->data, pl_tensor_bytes(x));
    for (size_t i = 0; mask && i < pl_tensor_count(mask); i++)
        pl_tensor_cast_row((uint8_t *)mask->data + i * pl_dtype_bytes(mask->type), mask->type, &one,
                           PL_BOOL, 1);
    return PLATEN_OK;
}

/* Returns the one attribute of a Constant as a tensor. */
static platen_status constant_of(const struct pl_call *c, struct pl_tensor *ret)
{
    const struct pl_attr *a = c->node->n_attrs == 1 ? &c->node->attrs[0] : NULL;
    if (!a || a->kind == PL_ATTR_STRING || a->kind == PL_ATTR_STRINGS)
        return pl_call_fail(c, PLATEN_ERR_UNSUPPORTED, "no value that is a number");
    const int64_t n = a->n;
    const bool list = a->kind == PL_ATTR_INTS || a->kind == PL_ATTR_FLOATS;
    const bool ints = a->kind == PL_ATTR_INT || a->kind == PL_ATTR_INTS;
    if (a->kind == PL_ATTR_TENSOR) {
        *ret = *a->v.t;
        return PLATEN_OK;
    }
    *ret = (struct pl_tensor){0};
    if (!pl_tensor_shape(ret, ints ? PL_I64 : PL_F32, list, &n))
        return pl_call_fail(c, PLATEN_ERR_LIMIT, "too many numbers");
    ret->data = list ? (void *)a->v.ints : (void *)&a->v;
    return PLATEN_OK;
}

platen_status pl_infer_constant(struct pl_call *c)
{
    struct pl_tensor t;
    platen_status s = constant_of(c, &t);
    return s ? s : pl_call_like(c, 0, &t);
}

platen_status pl_run_constant(struct pl_call *c)
{
    struct pl_tensor t;
    platen_status s = constant_of(c, &t);
    if (!s)
        memcpy(pl_out(c, 0)->data, t.data, pl_tensor_bytes(&t));
    return s;
}

platen_status pl_infer_constant_of_shape(struct pl_call *c)
{
    const struct pl_attr *a = pl_ir_attr(c->node, "value");
    int64_t dims[PL_MAX_RANK];
    int rank;
    platen_status s = pl_call_ints(c, "", 0, PL_MAX_RANK, dims, &rank);
    if (!s && a && pl_tensor_count(a->v.t) != 1)
        s = pl_call_fail(c, PLATEN_ERR_FORMAT, "the value is no scalar");
    return s ? s : pl_call_shape(c, 0, a ? a->v.t->type : PL_F32, rank, dims);
}

platen_status pl_run_constant_of_shape(struct pl_call *c)
{
    const struct pl_attr *a = pl_ir_attr(c->node, "value");
    const struct pl_tensor *y = pl_out(c, 0);
    const size_t size = pl_dtype_bytes(y->type);
    static const uint64_t zero = 0;
    for (size_t i = 0; i < pl_tensor_count(y); i++)
        memcpy((uint8_t *)y->data + i * size, a ? a->v.t->data : &zero, size);
    return PLATEN_OK;
}

platen_status pl_infer_eye_like(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    enum pl_dtype type = x->type;
    platen_status s = dtype_attr(c, "dtype", x->type, &type);
    if (!s && x->rank != 2)
        s = pl_call_fail(c, PLATEN_ERR_FORMAT, "the input is no matrix");
    return s ? s : pl_call_shape(c, 0, type, 2, x->dims);
}

platen_status pl_run_eye_like(struct pl_call *c)
{
    const struct pl_tensor *y = pl_out(c, 0);
    const size_t size = pl_dtype_bytes(y->type);
    int64_t k = pl_ir_int(c->node, "k", 0);
    static const uint8_t one = 1;
    memset(y->data, 0, pl_tensor_bytes(y));
    for (int64_t row = 0; row < y->dims[0]; row++)
        if (row + k >= 0 && row + k < y->dims[1])
            pl_tensor_cast_row((uint8_t *)y->data + (size_t)(row * y->dims[1] + row + k) * size,
                               y->type, &one, PL_BOOL, 1);
    return PLATEN_OK;
}

platen_status pl_infer_range(struct pl_call *c)
{
    double v[3];
    platen_status s = PLATEN_OK;
    for (uint32_t i = 0; i < 3 && !s; i++)
        s = pl_call_scalar(c, "", i, 0, &v[i]);
    if (s)
        return s;
    double n = ceil((v[1] - v[0]) / v[2]);
    if (!(v[2] != 0) || !(n <= (double)PL_MAX_ELEMENTS))
        return pl_call_fail(c, PLATEN_ERR_LIMIT, "a step of 0, or too many elements");
    int64_t dim = n > 0 ? (int64_t)n : 0;
    return pl_call_shape(c, 0, pl_in(c, 0)->type, 1, &dim);
}

platen_status pl_run_range(struct pl_call *c)
{
    const struct pl_tensor *y = pl_out(c, 0);
    const size_t size = pl_dtype_bytes(y->type);
    const bool ints = !pl_dtype_is_float(y->type);
    for (size_t i = 0; i < pl_tensor_count(y); i++) {
        double v = pl_tensor_f64(pl_in(c, 0), 0) + (double)i * pl_tensor_f64(pl_in(c, 2), 0);
        int64_t n = (int64_t)((uint64_t)pl_tensor_i64(pl_in(c, 0), 0) +
                              i * (uint64_t)pl_tensor_i64(pl_in(c, 2), 0));
        pl_tensor_cast_row((uint8_t *)y->data + i * size, y->type,
                           ints ? (const void *)&n : (const void *)&v, ints ? PL_I64 : PL_F64, 1);
    }
    return PLATEN_OK;
}

static void shape_span(const struct pl_call *c, int *from, int *to)
{
    const int rank = pl_in(c, 0)->rank;
    int64_t start = pl_ir_int(c->node, "start", 0), end = pl_ir_int(c->node, "end", rank);
    start = PL_CLAMP(start < 0 ? start + rank : start, 0, rank);
    end = PL_CLAMP(end < 0 ? end + rank : end, start, rank);
    *from = (int)start;
    *to = (int)end;
}

platen_status pl_infer_shape(struct pl_call *c)
{
    int from, to;
    shape_span(c, &from, &to);
    return pl_call_shape(c, 0, PL_I64, 1, (int64_t[]){to - from});
}

platen_status pl_run_shape(struct pl_call *c)
{
    int from, to;
    shape_span(c, &from, &to);
    memcpy(pl_out(c, 0)->data, &pl_in(c, 0)->dims[from], (size_t)(to - from) * sizeof(int64_t));
    return PLATEN_OK;
}

platen_status pl_infer_size(struct pl_call *c)
{
    return pl_call_shape(c, 0, PL_I64, 0, NULL);
}

platen_status pl_run_size(struct pl_call *c)
{
    *(int64_t *)pl_out(c, 0)->data = (int64_t)pl_tensor_count(pl_in(c, 0));
    return PLATEN_OK;
}

platen_status pl_infer_flatten(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    int64_t axis = pl_ir_int(c->node, "axis", 1);
    axis = axis < 0 ? axis + x->rank : axis;
    if (axis < 0 || axis > x->rank)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "no such axis");
    int64_t dims[2] = {(int64_t)pl_tensor_span(x, 0, (int)axis),
                       (int64_t)pl_tensor_span(x, (int)axis, x->rank)};
    return pl_call_shape(c, 0, x->type, 2, dims);
}

platen_status pl_infer_reshape(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    const bool allow_zero = pl_ir_int(c->node, "allowzero", 0);
    int64_t dims[PL_MAX_RANK];
    int rank, open = -1;
    platen_status s = pl_call_ints(c, "", 1, PL_MAX_RANK, dims, &rank);
    if (s)
        return s;
    struct pl_tensor known = {0};
    for (int i = 0; i < rank; i++) {
        if (dims[i] == 0 && !allow_zero) {
            if (i >= x->rank)
                return pl_call_fail(c, PLATEN_ERR_FORMAT, "size 0 at axis %d has no model", i);
            dims[i] = x->dims[i];
        }
        if (dims[i] == -1) {
            if (open >= 0)
                return pl_call_fail(c, PLATEN_ERR_FORMAT, "two open sizes");
            open = i;
            dims[i] = 1;
        }
    }
    if (!pl_tensor_shape(&known, x->type, rank, dims))
        return pl_call_fail(c, PLATEN_ERR_LIMIT, "a shape beyond the limits");
    size_t count = pl_tensor_count(x), rest = pl_tensor_count(&known);
    if (open >= 0)
        dims[open] = rest ? (int64_t)(count / rest) : 0;
    if (open >= 0 && rest ? count % rest : count != rest)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "%zu elements do not fit the shape", count);
    return pl_call_shape(c, 0, x->type, rank, dims);
}

/* Marks the axes of a list, which are counted within `rank`. */
static platen_status mark_axes(const struct pl_call *c, const int64_t *axes, int n, int rank,
                               bool marked[2 * PL_MAX_RANK])
{
    for (int i = 0; i < n; i++) {
        int axis;
        platen_status s = pl_call_axis(c, axes[i], rank, &axis);
        if (s)
            return s;
        if (marked[axis])
            return pl_call_fail(c, PLATEN_ERR_FORMAT, "axis %d twice", axis);
        marked[axis] = true;
    }
    return PLATEN_OK;
}

platen_status pl_infer_squeeze(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    int64_t axes[PL_MAX_RANK], dims[PL_MAX_RANK];
    bool gone[2 * PL_MAX_RANK] = {false};
    int n, rank = 0;
    platen_status s = pl_call_ints(c, "axes", 1, PL_MAX_RANK, axes, &n);
    s = s ? s : mark_axes(c, axes, n, x->rank, gone);
    for (int i = 0; i < x->rank && !s; i++) {
        if (gone[i] && x->dims[i] != 1)
            s = pl_call_fail(c, PLATEN_ERR_FORMAT, "axis %d has size %lld, not 1", i,
                             (long long)x->dims[i]);
        if (!gone[i] && (n >= 0 || x->dims[i] != 1))
            dims[rank++] = x->dims[i];
    }
    return s ? s : pl_call_shape(c, 0, x->type, rank, dims);
}

platen_status pl_infer_unsqueeze(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    int64_t axes[PL_MAX_RANK], dims[2 * PL_MAX_RANK];
    bool new_axis[2 * PL_MAX_RANK] = {false};
    int n, at = 0;
    platen_status s = pl_call_ints(c, "axes", 1, PL_MAX_RANK, axes, &n);
    if (!s && n < 0)
        s = pl_call_fail(c, PLATEN_ERR_FORMAT, "no axes");
    s = s ? s : mark_axes(c, axes, n, x->rank + n, new_axis);
    for (int i = 0; !s && i < x->rank + n; i++)
        dims[i] = new_axis[i] ? 1 : x->dims[at++];
    return s ? s : pl_call_shape(c, 0, x->type, x->rank + n, dims);
}
