/* SPDX-License-Identifier: BSD-2-Clause */
/* Running sums, the largest elements and reversed parts along an axis; triangles of matrices. */
#include "nn/op/op_reduce.h"

#include <string.h>

platen_status pl_run_cum_sum(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *y = pl_out(c, 0), *which = pl_in(c, 1);
    const bool exclusive = pl_ir_int(c->node, "exclusive", 0);
    const bool reverse = pl_ir_int(c->node, "reverse", 0);
    const bool floats = pl_dtype_is_float(x->type);
    int axis = 0;
    if (pl_tensor_count(which) != 1)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "the axis is no scalar");
    platen_status s = pl_call_axis(c, pl_tensor_i64(which, 0), x->rank, &axis);
    if (s)
        return s;
    const struct pl_axis_line l = pl_line_of(x, axis);
    for (size_t j = 0; j < l.outer * l.inner; j++) {
        double sum = 0;
        uint64_t whole = 0;
        for (size_t i = 0; i < l.n; i++) {
            size_t at = (j / l.inner * l.n + (reverse ? l.n - 1 - i : i)) * l.inner + j % l.inner;
            double v = sum + pl_tensor_f64(x, at);
            uint64_t w = whole + (uint64_t)pl_tensor_i64(x, at);
            const void *now = floats ? (const void *)(exclusive ? &sum : &v)
                                     : (const void *)(exclusive ? &whole : &w);
            pl_tensor_cast_row((uint8_t *)y->data + at * pl_dtype_bytes(y->type), y->type, now,
                               floats ? PL_F64 : PL_I64, 1);
            sum = v;
            whole = w;
        }
    }
    return PLATEN_OK;
}

platen_status pl_infer_top_k(struct pl_call *c)
{
    struct pl_tensor t = *pl_in(c, 0);
    double k;
    int axis;
    platen_status s = pl_call_scalar(c, "", 1, 0, &k);
    s = s ? s : pl_call_axis(c, pl_ir_int(c->node, "axis", -1), t.rank, &axis);
    if (!s && !(k >= 0 && k <= (double)t.dims[axis]))
        s = pl_call_fail(c, PLATEN_ERR_FORMAT, "k is larger than the axis");
    if (s)
        return s;
    t.dims[axis] = (int64_t)k;
    s = pl_call_like(c, 0, &t);
    return s ? s : pl_call_shape(c, 1, PL_I64, t.rank, t.dims);
}

/* Selection of the k best, equal ones in the order of their indices. */
platen_status pl_run_top_k(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *y = pl_out(c, 0), *index = pl_out(c, 1);
    const bool largest = pl_ir_int(c->node, "largest", 1);
    int axis = 0;
    platen_status s = pl_call_axis(c, pl_ir_int(c->node, "axis", -1), x->rank, &axis);
    if (s)
        return s;
    const struct pl_axis_line l = pl_line_of(x, axis);
    const size_t k = (size_t)(y ? y : index)->dims[axis], size = pl_dtype_bytes(x->type);
    bool *taken = pl_call_scratch(c, l.n, sizeof(bool));
    if (!taken)
        return PLATEN_ERR_NOMEM;
    for (size_t j = 0; j < l.outer * l.inner; j++) {
        const size_t from = j / l.inner * l.n * l.inner + j % l.inner;
        const size_t to = j / l.inner * k * l.inner + j % l.inner;
        memset(taken, 0, l.n);
        for (size_t r = 0; r < k; r++) {
            size_t best = l.n;
            for (size_t i = 0; i < l.n; i++) {
                if (taken[i])
                    continue;
                double v = pl_tensor_f64(x, from + i * l.inner);
                double top = best < l.n ? pl_tensor_f64(x, from + best * l.inner) : 0;
                if (best == l.n || (largest ? v > top : v < top))
                    best = i;
            }
            taken[best] = true;
            if (y)
                memcpy((uint8_t *)y->data + (to + r * l.inner) * size,
                       (const uint8_t *)x->data + (from + best * l.inner) * size, size);
            if (index)
                ((int64_t *)index->data)[to + r * l.inner] = (int64_t)best;
        }
    }
    return PLATEN_OK;
}

platen_status pl_run_trilu(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *y = pl_out(c, 0), *k = pl_in(c, 1);
    const bool upper = pl_ir_int(c->node, "upper", 1);
    if (x->rank < 2 || (k && pl_tensor_count(k) != 1))
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "no matrices, or a bad diagonal");
    int64_t diagonal = k ? PL_CLAMP(pl_tensor_i64(k, 0), -PL_MAX_ELEMENTS, PL_MAX_ELEMENTS) : 0;
    const int64_t rows = x->dims[x->rank - 2], columns = x->dims[x->rank - 1];
    memcpy(y->data, x->data, pl_tensor_bytes(x));
    for (size_t i = 0; i < pl_tensor_count(x); i++) {
        int64_t row = (int64_t)i / columns % rows, column = (int64_t)i % columns;
        if (upper ? column < row + diagonal : column > row + diagonal)
            memset(pl_tensor_at(y, i), 0, pl_dtype_bytes(y->type));
    }
    return PLATEN_OK;
}

platen_status pl_run_reverse_sequence(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *lens = pl_in(c, 1), *y = pl_out(c, 0);
    const int64_t time = pl_ir_int(c->node, "time_axis", 0);
    const int64_t batch = pl_ir_int(c->node, "batch_axis", 1);
    if (x->rank < 2 || time + batch != 1 || time < 0 || time > 1 || lens->rank != 1 ||
        lens->dims[0] != x->dims[batch])
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "axes or lengths do not fit");
    const size_t row = pl_tensor_span(x, 2, x->rank) * pl_dtype_bytes(x->type);
    for (int64_t b = 0; b < x->dims[batch]; b++) {
        int64_t n = pl_tensor_i64(lens, (size_t)b);
        if (n < 0 || n > x->dims[time])
            return pl_call_fail(c, PLATEN_ERR_FORMAT, "length %lld", (long long)n);
        for (int64_t t = 0; t < x->dims[time]; t++) {
            int64_t from = t < n ? n - 1 - t : t;
            size_t to_row = (size_t)(time ? b * x->dims[1] + t : t * x->dims[1] + b);
            size_t from_row = (size_t)(time ? b * x->dims[1] + from : from * x->dims[1] + b);
            memcpy((uint8_t *)y->data + to_row * row, (const uint8_t *)x->data + from_row * row,
                   row);
        }
    }
    return PLATEN_OK;
}
