/* SPDX-License-Identifier: BSD-2-Clause */
/* Operators that indices or conditions tell which elements to take or to replace. */
#include "nn/operators.h"

#include <string.h>

platen_status pl_infer_gather_elements(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *index = pl_in(c, 1);
    int axis;
    platen_status s = pl_call_axis(c, pl_ir_int(c->node, "axis", 0), x->rank, &axis);
    for (int i = 0; i < x->rank && !s; i++)
        if (index->rank != x->rank || (i != axis && index->dims[i] > x->dims[i]))
            s = pl_call_fail(c, PLATEN_ERR_FORMAT, "the indices do not fit");
    return s ? s : pl_call_shape(c, 0, x->type, index->rank, index->dims);
}

platen_status pl_run_gather_elements(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *index = pl_in(c, 1), *y = pl_out(c, 0);
    int64_t pos[PL_MAX_RANK] = {0};
    ptrdiff_t step[PL_MAX_RANK];
    int axis = 0;
    size_t i = 0, v = 0;
    platen_status s = pl_call_axis(c, pl_ir_int(c->node, "axis", 0), x->rank, &axis);
    pl_dense_steps(x, step);
    if (s || !pl_tensor_count(index))
        return s;
    do {
        size_t from = 0;
        s = pl_call_index(c, index, i, x->dims[axis], &v);
        for (int d = 0; d < x->rank; d++)
            from += (d == axis ? v : (size_t)pos[d]) * (size_t)step[d];
        if (!s)
            memcpy(pl_tensor_at(y, i), pl_tensor_at(x, from), pl_dtype_bytes(x->type));
        i++;
    } while (!s && pl_odometer(index->rank, index->dims, pos));
    return s;
}

platen_status pl_infer_gather_nd(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *index = pl_in(c, 1);
    const int64_t batch = pl_ir_int(c->node, "batch_dims", 0);
    int64_t dims[2 * PL_MAX_RANK];
    int rank = 0;
    if (index->rank < 1 || x->rank < 1 || batch < 0 || batch >= index->rank || batch >= x->rank ||
        index->dims[index->rank - 1] < 1 || batch + index->dims[index->rank - 1] > x->rank)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "the indices do not fit");
    for (int i = 0; i < (int)batch; i++)
        if (index->dims[i] != x->dims[i])
            return pl_call_fail(c, PLATEN_ERR_FORMAT, "the batches do not fit");
    for (int i = 0; i < index->rank - 1; i++)
        dims[rank++] = index->dims[i];
    for (int i = (int)(batch + index->dims[index->rank - 1]); i < x->rank; i++)
        dims[rank++] = x->dims[i];
    return pl_call_shape(c, 0, x->type, rank, dims);
}

/* Element where the tuple number i of `index` points to within x, from axis `first` on. */
static platen_status tuple_offset(const struct pl_call *c, const struct pl_tensor *x, int first,
                                  const struct pl_tensor *index, size_t i, size_t *ret)
{
    const int n = (int)index->dims[index->rank - 1];
    platen_status s = PLATEN_OK;
    *ret = 0;
    for (int d = 0; d < n && !s; d++) {
        size_t v = 0;
        s = pl_call_index(c, index, i * (size_t)n + (size_t)d, x->dims[first + d], &v);
        *ret += v * pl_tensor_span(x, first + d + 1, x->rank);
    }
    return s;
}

platen_status pl_run_gather_nd(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *index = pl_in(c, 1), *y = pl_out(c, 0);
    const int batch = (int)pl_ir_int(c->node, "batch_dims", 0);
    const int n = (int)index->dims[index->rank - 1];
    const size_t tuples = pl_tensor_span(index, batch, index->rank - 1);
    const size_t total = tuples * pl_tensor_span(index, 0, batch);
    const size_t whole = pl_tensor_span(x, batch, x->rank);
    const size_t run = pl_tensor_span(x, batch + n, x->rank);
    platen_status s = PLATEN_OK;
    for (size_t i = 0; i < total && !s; i++) {
        size_t from = 0;
        s = tuple_offset(c, x, batch, index, i, &from);
        if (!s)
            memcpy(pl_tensor_at(y, i * run), pl_tensor_at(x, i / tuples * whole + from),
                   run * pl_dtype_bytes(x->type));
    }
    return s;
}

enum ref_reduction { TAKE, ADD, MUL, MIN, MAX };

static platen_status reduction_of(const struct pl_call *c, enum ref_reduction *ret)
{
    static const char *const names[] = {"none", "add", "mul", "min", "max"};
    const char *name = pl_ir_string(c->node, "reduction", "none");
    for (int i = 0; i < 5; i++)
        if (!strcmp(names[i], name)) {
            *ret = (enum ref_reduction)i;
            return PLATEN_OK;
        }
    return pl_call_fail(c, PLATEN_ERR_UNSUPPORTED, "reduction '%.20s'", name);
}

#define FOLD(x, y)                                                                                 \
    (r == ADD ? (x) + (y) : r == MUL ? (x) * (y) : r == MIN ? PL_MIN(x, y) : PL_MAX(x, y))

static void reduce_into(const struct pl_tensor *y, size_t i, const struct pl_tensor *u, size_t j,
                        enum ref_reduction r)
{
    if (r == TAKE) {
        memcpy(pl_tensor_at(y, i), pl_tensor_at(u, j), pl_dtype_bytes(y->type));
    } else if (pl_dtype_is_float(y->type)) {
        double v = pl_tensor_f64(y, i), w = pl_tensor_f64(u, j);
        v = FOLD(v, w);
        pl_tensor_cast_row(pl_tensor_at(y, i), y->type, &v, PL_F64, 1);
    } else {
        uint64_t v = (uint64_t)pl_tensor_i64(y, i), w = (uint64_t)pl_tensor_i64(u, j);
        int64_t lo = PL_MIN((int64_t)v, (int64_t)w), hi = PL_MAX((int64_t)v, (int64_t)w);
        v = r == ADD ? v + w : r == MUL ? v * w : (uint64_t)(r == MIN ? lo : hi);
        pl_tensor_cast_row(pl_tensor_at(y, i), y->type, &v, PL_I64, 1);
    }
}

platen_status pl_run_scatter_elements(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *index = pl_in(c, 1), *u = pl_in(c, 2);
    const struct pl_tensor *y = pl_out(c, 0);
    int64_t pos[PL_MAX_RANK] = {0};
    ptrdiff_t step[PL_MAX_RANK];
    enum ref_reduction r = TAKE;
    int axis = 0;
    size_t i = 0, v = 0;
    platen_status s = pl_call_axis(c, pl_ir_int(c->node, "axis", 0), x->rank, &axis);
    s = s ? s : reduction_of(c, &r);
    if (!s && (!pl_tensor_same_shape(index, u) || index->rank != x->rank || u->type != x->type))
        s = pl_call_fail(c, PLATEN_ERR_FORMAT, "indices and updates do not fit");
    for (int d = 0; d < x->rank && !s; d++)
        if (d != axis && index->dims[d] > x->dims[d])
            s = pl_call_fail(c, PLATEN_ERR_FORMAT, "indices and updates do not fit");
    if (s)
        return s;
    memcpy(y->data, x->data, pl_tensor_bytes(x));
    pl_dense_steps(x, step);
    if (!pl_tensor_count(index))
        return PLATEN_OK;
    do {
        size_t to = 0;
        s = pl_call_index(c, index, i, x->dims[axis], &v);
        for (int d = 0; d < x->rank; d++)
            to += (d == axis ? v : (size_t)pos[d]) * (size_t)step[d];
        if (!s)
            reduce_into(y, to, u, i++, r);
    } while (!s && pl_odometer(index->rank, index->dims, pos));
    return s;
}

platen_status pl_run_scatter_nd(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *index = pl_in(c, 1), *u = pl_in(c, 2);
    const struct pl_tensor *y = pl_out(c, 0);
    enum ref_reduction r = TAKE;
    platen_status s = reduction_of(c, &r);
    if (s)
        return s;
    if (index->rank < 1 || index->dims[index->rank - 1] < 1 ||
        index->dims[index->rank - 1] > x->rank || u->type != x->type)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "indices and updates do not fit");
    const size_t tuples = pl_tensor_span(index, 0, index->rank - 1);
    const size_t run = pl_tensor_span(x, (int)index->dims[index->rank - 1], x->rank);
    if (pl_tensor_count(u) != tuples * run)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "indices and updates do not fit");
    memcpy(y->data, x->data, pl_tensor_bytes(x));
    for (size_t i = 0; i < tuples && !s; i++) {
        size_t to = 0;
        s = tuple_offset(c, x, 0, index, i, &to);
        for (size_t k = 0; k < run && !s; k++)
            reduce_into(y, to + k, u, i * run + k, r);
    }
    return s;
}

platen_status pl_infer_one_hot(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    int64_t dims[PL_MAX_RANK + 1];
    double depth;
    int axis;
    platen_status s = pl_call_scalar(c, "", 1, 0, &depth);
    s = s ? s : pl_call_axis(c, pl_ir_int(c->node, "axis", -1), x->rank + 1, &axis);
    if (!s &&
        (!(depth >= 0 && depth <= (double)PL_MAX_ELEMENTS) || pl_tensor_count(pl_in(c, 2)) != 2))
        s = pl_call_fail(c, PLATEN_ERR_FORMAT, "a bad depth, or not two values");
    for (int i = 0; i <= x->rank && !s; i++)
        dims[i] = i == axis ? (int64_t)depth : x->dims[i < axis ? i : i - 1];
    return s ? s : pl_call_shape(c, 0, pl_in(c, 2)->type, x->rank + 1, dims);
}

platen_status pl_run_one_hot(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *y = pl_out(c, 0);
    int axis = 0;
    platen_status s = pl_call_axis(c, pl_ir_int(c->node, "axis", -1), y->rank, &axis);
    const size_t inner = pl_tensor_span(y, axis + 1, y->rank), size = pl_dtype_bytes(y->type);
    const int64_t depth = y->dims[axis];
    for (size_t i = 0; i < pl_tensor_count(y) && !s; i++) {
        int64_t k = (int64_t)(i / inner) % depth;
        int64_t v = pl_tensor_i64(x, i / inner / (size_t)depth * inner + i % inner);
        bool hit = v == k || v + depth == k;
        memcpy(pl_tensor_at(y, i), pl_tensor_at(pl_in(c, 2), hit), size);
    }
    return s;
}

/* The axis of a Compress, or -1 where the input is taken as one long row. */
static platen_status compress_axis(const struct pl_call *c, int *ret)
{
    const struct pl_attr *a = pl_ir_attr(c->node, "axis");
    *ret = -1;
    return a ? pl_call_axis(c, a->v.i, pl_in(c, 0)->rank, ret) : PLATEN_OK;
}

platen_status pl_infer_compress(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *keep = pl_in(c, 1);
    struct pl_tensor t = *x;
    int axis;
    int64_t n = 0;
    platen_status s = pl_call_known(c, 1);
    s = s ? s : compress_axis(c, &axis);
    if (s)
        return s;
    const size_t most = axis < 0 ? pl_tensor_count(x) : (size_t)x->dims[axis];
    for (size_t i = 0; i < PL_MIN(pl_tensor_count(keep), most); i++)
        n += pl_tensor_i64(keep, i) != 0;
    if (axis < 0)
        return pl_call_shape(c, 0, x->type, 1, &n);
    t.dims[axis] = n;
    return pl_call_like(c, 0, &t);
}

platen_status pl_run_compress(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *keep = pl_in(c, 1), *y = pl_out(c, 0);
    int axis;
    platen_status s = compress_axis(c, &axis);
    if (s)
        return s;
    const size_t outer = axis < 0 ? 1 : pl_tensor_span(x, 0, axis);
    const size_t dim = axis < 0 ? pl_tensor_count(x) : (size_t)x->dims[axis];
    const size_t inner = axis < 0 ? 1 : pl_tensor_span(x, axis + 1, x->rank);
    size_t to = 0;
    for (size_t o = 0; o < outer; o++)
        for (size_t i = 0; i < PL_MIN(pl_tensor_count(keep), dim); i++)
            if (pl_tensor_i64(keep, i)) {
                memcpy(pl_tensor_at(y, to), pl_tensor_at(x, (o * dim + i) * inner),
                       inner * pl_dtype_bytes(x->type));
                to += inner;
            }
    return PLATEN_OK;
}

platen_status pl_infer_non_zero(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    int64_t n = 0;
    platen_status s = pl_call_known(c, 0);
    for (size_t i = 0; !s && i < pl_tensor_count(x); i++)
        n += pl_tensor_f64(x, i) != 0;
    return s ? s : pl_call_shape(c, 0, PL_I64, 2, (int64_t[]){PL_MAX(x->rank, 1), n});
}

/* Indices of the elements that are not zero, in the order of the elements, one row for each axis.
 */
platen_status pl_run_non_zero(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    const size_t n = (size_t)pl_out(c, 0)->dims[1];
    int64_t *y = pl_out(c, 0)->data, pos[PL_MAX_RANK] = {0};
    size_t i = 0, k = 0;
    do {
        if (pl_tensor_f64(x, i++) == 0)
            continue;
        for (int axis = 0; axis < PL_MAX(x->rank, 1); axis++)
            y[(size_t)axis * n + k] = pos[axis];
        k++;
    } while (pl_odometer(x->rank, x->dims, pos));
    return PLATEN_OK;
}
