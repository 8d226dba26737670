/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums, means and extremes over axes, the places of extremes, and softmax. */
#include "nn/op/op_reduce.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void put_f64(const struct pl_tensor *t, size_t i, double v)
{
    pl_tensor_cast_row((uint8_t *)t->data + i * pl_dtype_bytes(t->type), t->type, &v, PL_F64, 1);
}

/* Marks the axes that are reduced. Where the node names none, these are all, unless it says that
 * they are none. */
static platen_status reduced_axes(struct pl_call *c, bool gone[PL_MAX_RANK])
{
    const int rank = pl_in(c, 0)->rank;
    int64_t axes[PL_MAX_RANK];
    int n;
    platen_status s = pl_call_ints(c, "axes", 1, PL_MAX_RANK, axes, &n);
    bool all = n <= 0 && !pl_ir_int(c->node, "noop_with_empty_axes", 0);
    for (int i = 0; i < rank; i++)
        gone[i] = all;
    for (int i = 0; i < n && !s; i++) {
        int axis;
        s = pl_call_axis(c, axes[i], rank, &axis);
        if (!s)
            gone[axis] = true;
    }
    return s;
}

platen_status pl_infer_reduce(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    const bool keep = pl_ir_int(c->node, "keepdims", 1);
    bool gone[PL_MAX_RANK];
    int64_t dims[PL_MAX_RANK];
    int rank = 0;
    platen_status s = reduced_axes(c, gone);
    for (int i = 0; i < x->rank && !s; i++)
        if (!gone[i] || keep)
            dims[rank++] = gone[i] ? 1 : x->dims[i];
    return s ? s : pl_call_shape(c, 0, x->type, rank, dims);
}

/* The axes of x as two boxes: of those that are kept, and of those that are reduced. */
struct reduced_axes {
    int id, n_kept, n_gone;
    enum pl_lane lane;
    int64_t kept[PL_MAX_RANK], gone[PL_MAX_RANK];
    ptrdiff_t kept_step[PL_MAX_RANK], gone_step[PL_MAX_RANK];
    size_t count; /* elements that become one */
};

static bool is_max(int id)
{
    return id == PL_OP_ReduceMax;
}

static bool extreme(int id)
{
    return id == PL_OP_ReduceMax || id == PL_OP_ReduceMin;
}

/* Takes one element into a reduction of floats, in binary64. `shift` is the largest element for
 * LogSumExp. */
static double step_f64(int id, double a, double v, double shift)
{
    switch (id) {
    case PL_OP_ReduceMax:
        return v > a || isnan(v) ? v : a;
    case PL_OP_ReduceMin:
        return v < a || isnan(v) ? v : a;
    case PL_OP_ReduceProd:
        return a * v;
    case PL_OP_ReduceL1:
        return a + fabs(v);
    case PL_OP_ReduceL2:
    case PL_OP_ReduceSumSquare:
        return a + v * v;
    case PL_OP_ReduceLogSumExp:
        return a + exp(v - shift);
    default:
        return a + v;
    }
}

static double last_f64(int id, double a, size_t n, double shift)
{
    switch (id) {
    case PL_OP_ReduceMean:
        return a / (double)n;
    case PL_OP_ReduceL2:
        return sqrt(a);
    case PL_OP_ReduceLogSum:
        return log(a);
    case PL_OP_ReduceLogSumExp:
        return log(a) + shift;
    default:
        return a;
    }
}

static uint64_t step_u64(int id, uint64_t a, uint64_t v, bool is_signed)
{
    bool less = is_signed ? (int64_t)v < (int64_t)a : v < a;
    switch (id) {
    case PL_OP_ReduceMax:
        return less ? a : v;
    case PL_OP_ReduceMin:
        return less ? v : a;
    case PL_OP_ReduceProd:
        return a * v;
    case PL_OP_ReduceL1:
        return a + (is_signed && (int64_t)v < 0 ? 0 - v : v);
    case PL_OP_ReduceSumSquare:
        return a + v * v;
    default:
        return a + v;
    }
}

static double element(const struct pl_tensor *t, ptrdiff_t i)
{
    return t->type == PL_F32 ? (double)((const float *)t->data)[i] : pl_tensor_f64(t, (size_t)i);
}

/* Reduces the elements that become the one at `base`, in the order of the input. */
static double reduce_f64(const struct reduced_axes *r, const struct pl_tensor *x, ptrdiff_t base,
                         int id, double start, double shift)
{
    int64_t at[PL_MAX_RANK] = {0};
    const int inner = r->n_gone - 1;
    double a = start;
    if (!r->count)
        return a;
    if (inner < 0)
        return step_f64(id, a, element(x, base), shift);
    do {
        ptrdiff_t p = base;
        for (int i = 0; i < inner; i++)
            p += (ptrdiff_t)at[i] * r->gone_step[i];
        if (r->gone_step[inner] == 1 && x->type == PL_F32 &&
            (id == PL_OP_ReduceSum || id == PL_OP_ReduceMean)) {
            a += pl_sum_f32((const float *)x->data + p, (size_t)r->gone[inner]);
            continue;
        }
        for (int64_t i = 0; i < r->gone[inner]; i++)
            a = step_f64(id, a, element(x, p + (ptrdiff_t)i * r->gone_step[inner]), shift);
    } while (pl_odometer(inner, r->gone, at));
    return a;
}

static double reduce_floats(const struct reduced_axes *r, const struct pl_tensor *x, ptrdiff_t base)
{
    double start = r->id == PL_OP_ReduceProd  ? 1
                   : r->id == PL_OP_ReduceMax ? -INFINITY
                   : r->id == PL_OP_ReduceMin ? INFINITY
                                              : 0;
    double shift = 0;
    if (r->id == PL_OP_ReduceLogSumExp && r->count) {
        shift = reduce_f64(r, x, base, PL_OP_ReduceMax, -INFINITY, 0);
        shift = isfinite(shift) ? shift : 0;
    }
    return last_f64(r->id, reduce_f64(r, x, base, r->id, start, shift), r->count, shift);
}

static uint64_t reduce_ints(const struct reduced_axes *r, const struct pl_tensor *x, ptrdiff_t base)
{
    int64_t at[PL_MAX_RANK] = {0};
    const bool is_signed = r->lane == PL_LANE_I64;
    uint64_t a = r->id == PL_OP_ReduceProd, v;
    if (extreme(r->id)) /* of nothing: the end of the type's range */
        a = is_max(r->id) ? (is_signed ? (uint64_t)INT64_MIN : 0)
                          : (is_signed ? (uint64_t)INT64_MAX : UINT64_MAX);
    if (!r->count)
        return x->type == PL_BOOL ? !is_max(r->id) : a;
    do {
        ptrdiff_t p = base;
        for (int i = 0; i < r->n_gone; i++)
            p += (ptrdiff_t)at[i] * r->gone_step[i];
        pl_lane_load(&v, (const uint8_t *)x->data + p * (ptrdiff_t)pl_dtype_bytes(x->type), x->type,
                     1, 0);
        a = step_u64(r->id, a, v, is_signed);
    } while (pl_odometer(r->n_gone, r->gone, at));
    if (r->id == PL_OP_ReduceMean)
        return is_signed ? (uint64_t)((int64_t)a / (int64_t)r->count) : a / r->count;
    return a;
}

/* Reduces integers by way of floats where the result is no integer. */
static bool through_floats(int id)
{
    return id == PL_OP_ReduceL2 || id == PL_OP_ReduceLogSum || id == PL_OP_ReduceLogSumExp;
}

/* Sums or means of floats over one axis, n numbers `inner` apart, for `inner` results at a time:
 * sums begin with 0 and take the numbers in order. */
static void reduce_columns(float *y, const float *x, double *sums, size_t n, size_t inner,
                           double divisor)
{
    memset(sums, 0, inner * sizeof(*sums));
    for (size_t i = 0; i < n; i++, x += inner)
        for (size_t k = 0; k < inner; k++)
            sums[k] += (double)x[k];
    for (size_t k = 0; k < inner; k++)
        y[k] = (float)(sums[k] / divisor);
}

/* Tells whether reduce_columns() computes the reduction. */
static bool has_columns(const struct reduced_axes *r, const struct pl_tensor *x)
{
    return x->type == PL_F32 && r->n_gone == 1 && r->gone_step[0] > 1 && r->count &&
           (r->id == PL_OP_ReduceSum || r->id == PL_OP_ReduceMean);
}

static platen_status run_columns(struct pl_call *c, const struct reduced_axes *r)
{
    const size_t inner = (size_t)r->gone_step[0], whole = r->count * inner;
    const size_t outer = pl_tensor_count(pl_in(c, 0)) / whole;
    double *sums = pl_call_room(c, inner, sizeof(*sums));
    for (size_t o = 0; o < outer && sums; o++)
        reduce_columns((float *)pl_out(c, 0)->data + o * inner,
                       (const float *)pl_in(c, 0)->data + o * whole, sums, r->count, inner,
                       r->id == PL_OP_ReduceMean ? (double)r->count : 1);
    return sums ? PLATEN_OK : PLATEN_ERR_NOMEM;
}

platen_status pl_run_reduce(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *y = pl_out(c, 0);
    struct reduced_axes r = {.id = pl_call_id(c), .lane = pl_lane_of(x->type), .count = 1};
    bool gone[PL_MAX_RANK];
    ptrdiff_t step[PL_MAX_RANK];
    int64_t at[PL_MAX_RANK] = {0};
    platen_status s = reduced_axes(c, gone);
    if (s || !pl_tensor_count(y))
        return s;
    pl_dense_steps(x, step);
    for (int i = 0; i < x->rank; i++) {
        int64_t *dims = gone[i] ? r.gone : r.kept;
        ptrdiff_t *steps = gone[i] ? r.gone_step : r.kept_step;
        int *n = gone[i] ? &r.n_gone : &r.n_kept;
        dims[*n] = x->dims[i];
        steps[(*n)++] = step[i];
        r.count *= gone[i] ? (size_t)x->dims[i] : 1;
    }
    if (has_columns(&r, x))
        return run_columns(c, &r);
    const bool floats = r.lane <= PL_LANE_F64 || through_floats(r.id);
    size_t i = 0;
    do {
        ptrdiff_t base = 0;
        for (int d = 0; d < r.n_kept; d++)
            base += (ptrdiff_t)at[d] * r.kept_step[d];
        if (floats) {
            put_f64(y, i, reduce_floats(&r, x, base));
        } else {
            uint64_t v = reduce_ints(&r, x, base);
            pl_lane_store((uint8_t *)y->data + i * pl_dtype_bytes(y->type), y->type, &v, 1);
        }
        i++;
    } while (pl_odometer(r.n_kept, r.kept, at));
    return PLATEN_OK;
}

platen_status pl_infer_arg(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    const bool keep = pl_ir_int(c->node, "keepdims", 1);
    int64_t dims[PL_MAX_RANK];
    int axis, rank = 0;
    platen_status s = pl_call_axis(c, pl_ir_int(c->node, "axis", 0), x->rank, &axis);
    for (int i = 0; i < x->rank && !s; i++)
        if (i != axis || keep)
            dims[rank++] = i == axis ? 1 : x->dims[i];
    if (!s && !x->dims[axis])
        s = pl_call_fail(c, PLATEN_ERR_FORMAT, "over an empty axis");
    return s ? s : pl_call_shape(c, 0, PL_I64, rank, dims);
}

platen_status pl_run_arg(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    const bool last = pl_ir_int(c->node, "select_last_index", 0);
    const bool max = pl_call_id(c) == PL_OP_ArgMax;
    int axis = 0;
    platen_status s = pl_call_axis(c, pl_ir_int(c->node, "axis", 0), x->rank, &axis);
    const struct pl_axis_line l = pl_line_of(x, axis);
    int64_t *y = pl_out(c, 0)->data;
    for (size_t o = 0; o < l.outer && !s; o++)
        for (size_t k = 0; k < l.inner; k++) {
            size_t best = 0;
            double top = pl_tensor_f64(x, o * l.n * l.inner + k);
            for (size_t i = 1; i < l.n; i++) {
                double v = pl_tensor_f64(x, (o * l.n + i) * l.inner + k);
                if ((max ? v > top : v < top) || (last && v == top)) {
                    top = v;
                    best = i;
                }
            }
            y[o * l.inner + k] = (int64_t)best;
        }
    return s;
}

static void softmax_line(int id, const float *x, float *y, size_t n, size_t step)
{
    float top = x[0];
    size_t best = 0;
    double sum = 0;
    for (size_t i = 1; i < n; i++)
        if (x[i * step] > top) {
            top = x[i * step];
            best = i;
        }
    for (size_t i = 0; i < n && id != PL_OP_Hardmax; i++) {
        float e = expf(x[i * step] - top);
        sum += (double)e;
        y[i * step] = id == PL_OP_Softmax ? e : x[i * step] - top;
    }
    const float scale = (float)(1 / sum), shift = (float)log(sum);
    for (size_t i = 0; i < n; i++)
        y[i * step] = id == PL_OP_Hardmax   ? (float)(i == best)
                      : id == PL_OP_Softmax ? y[i * step] * scale
                                            : y[i * step] - shift;
}

/* Computes softmax, or its logarithm, along the last axis. */
static platen_status softmax_rows(struct pl_call *c, const float *x, float *y, size_t rows,
                                  size_t n)
{
    const bool logs = pl_call_id(c) == PL_OP_LogSoftmax;
    float *row = pl_call_room(c, n, sizeof(*row));
    if (!row)
        return PLATEN_ERR_NOMEM;
    for (size_t i = 0; i < rows; i++, x += n, y += n) {
        float top = -FLT_MAX, sum = 0;
        memcpy(row, x, n * sizeof(*row));
        c->kernels->softmax_part(row, n, 1, &top, &sum);
        const float factor = 1 / sum, shift = (float)log((double)sum);
        for (size_t j = 0; j < n; j++)
            y[j] = logs ? x[j] - top - shift : row[j] * factor;
    }
    return PLATEN_OK;
}

static platen_status softmax_f32(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    int axis = 0;
    platen_status s =
        pl_call_axis(c, pl_ir_int(c->node, "axis", c->opset < 13 ? 1 : -1), x->rank, &axis);
    if (!s && x->type != PL_F32)
        s = pl_call_unsupported_type(c, x->type);
    if (s || !pl_tensor_count(x))
        return s;
    struct pl_axis_line l = pl_line_of(x, axis);
    if (c->opset < 13) { /* all axes from this one on are one */
        l.n *= l.inner;
        l.inner = 1;
    }
    const float *from = x->data;
    float *to = pl_out(c, 0)->data;
    if (l.inner == 1 && pl_call_id(c) != PL_OP_Hardmax)
        return softmax_rows(c, from, to, l.outer, l.n);
    for (size_t o = 0; o < l.outer; o++)
        for (size_t k = 0; k < l.inner; k++)
            softmax_line(pl_call_id(c), from + o * l.n * l.inner + k, to + o * l.n * l.inner + k,
                         l.n, l.inner);
    return PLATEN_OK;
}

platen_status pl_run_softmax(struct pl_call *c)
{
    return pl_call_as_f32(c, softmax_f32);
}
