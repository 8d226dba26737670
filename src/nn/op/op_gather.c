/* Operators that are told by tensors of indices which elements to take. */
#include "nn/operators.h"

#include <string.h>

static uint8_t *at(const struct pl_tensor *t, size_t i)
{
    return (uint8_t *)t->data + i * pl_dtype_bytes(t->type);
}

/* Index i of a list; negative ones count from the end. */
static platen_status index_at(const struct pl_call *c, const struct pl_tensor *t, size_t i,
                              int64_t dim, size_t *ret)
{
    int64_t v = pl_tensor_i64(t, i);
    if (v < -dim || v >= dim)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "index %lld into %lld elements", (long long)v,
                            (long long)dim);
    *ret = (size_t)(v < 0 ? v + dim : v);
    return PLATEN_OK;
}

platen_status pl_infer_gather(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *index = pl_in(c, 1);
    int64_t dims[2 * PL_MAX_RANK];
    int axis, rank = 0;
    platen_status s = pl_call_axis(c, pl_ir_int(c->node, "axis", 0), x->rank, &axis);
    if (s)
        return s;
    for (int i = 0; i < axis; i++)
        dims[rank++] = x->dims[i];
    for (int i = 0; i < index->rank; i++)
        dims[rank++] = index->dims[i];
    for (int i = axis + 1; i < x->rank; i++)
        dims[rank++] = x->dims[i];
    return pl_call_shape(c, 0, x->type, rank, dims);
}

platen_status pl_run_gather(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *index = pl_in(c, 1), *y = pl_out(c, 0);
    int axis = 0;
    platen_status s = pl_call_axis(c, pl_ir_int(c->node, "axis", 0), x->rank, &axis);
    const size_t outer = pl_tensor_span(x, 0, axis), n = pl_tensor_count(index);
    const size_t inner = pl_tensor_span(x, axis + 1, x->rank), dim = (size_t)x->dims[axis];
    for (size_t o = 0; o < outer; o++)
        for (size_t i = 0; i < n && !s; i++) {
            size_t v = 0;
            s = index_at(c, index, i, x->dims[axis], &v);
            if (!s)
                memcpy(at(y, (o * n + i) * inner), at(x, (o * dim + v) * inner),
                       inner * pl_dtype_bytes(x->type));
        }
    return s;
}

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
        s = index_at(c, index, i, x->dims[axis], &v);
        for (int d = 0; d < x->rank; d++)
            from += (d == axis ? v : (size_t)pos[d]) * (size_t)step[d];
        if (!s)
            memcpy(at(y, i), at(x, from), pl_dtype_bytes(x->type));
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
        s = index_at(c, index, i * (size_t)n + (size_t)d, x->dims[first + d], &v);
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
            memcpy(at(y, i * run), at(x, i / tuples * whole + from), run * pl_dtype_bytes(x->type));
    }
    return s;
}

enum reduction { TAKE, ADD, MUL, MIN, MAX };

static platen_status reduction_of(const struct pl_call *c, enum reduction *ret)
{
    static const char *const names[] = {"none", "add", "mul", "min", "max"};
    const char *name = pl_ir_string(c->node, "reduction", "none");
    for (int i = 0; i < 5; i++)
        if (!strcmp(names[i], name)) {
            *ret = (enum reduction)i;
            return PLATEN_OK;
        }
    return pl_call_fail(c, PLATEN_ERR_UNSUPPORTED, "reduction '%.20s'", name);
}

#define FOLD(x, y)                                                                                 \
    (r == ADD ? (x) + (y) : r == MUL ? (x) * (y) : r == MIN ? PL_MIN(x, y) : PL_MAX(x, y))

static void fold(const struct pl_tensor *y, size_t i, const struct pl_tensor *u, size_t j,
                 enum reduction r)
{
    if (r == TAKE) {
        memcpy(at(y, i), at(u, j), pl_dtype_bytes(y->type));
    } else if (pl_dtype_is_float(y->type)) {
        double v = pl_tensor_f64(y, i), w = pl_tensor_f64(u, j);
        v = FOLD(v, w);
        pl_tensor_cast_row(at(y, i), y->type, &v, PL_F64, 1);
    } else {
        uint64_t v = (uint64_t)pl_tensor_i64(y, i), w = (uint64_t)pl_tensor_i64(u, j);
        int64_t lo = PL_MIN((int64_t)v, (int64_t)w), hi = PL_MAX((int64_t)v, (int64_t)w);
        v = r == ADD ? v + w : r == MUL ? v * w : (uint64_t)(r == MIN ? lo : hi);
        pl_tensor_cast_row(at(y, i), y->type, &v, PL_I64, 1);
    }
}

platen_status pl_run_scatter_elements(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *index = pl_in(c, 1), *u = pl_in(c, 2);
    const struct pl_tensor *y = pl_out(c, 0);
    int64_t pos[PL_MAX_RANK] = {0};
    ptrdiff_t step[PL_MAX_RANK];
    enum reduction r = TAKE;
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
        s = index_at(c, index, i, x->dims[axis], &v);
        for (int d = 0; d < x->rank; d++)
            to += (d == axis ? v : (size_t)pos[d]) * (size_t)step[d];
        if (!s)
            fold(y, to, u, i++, r);
    } while (!s && pl_odometer(index->rank, index->dims, pos));
    return s;
}

platen_status pl_run_scatter_nd(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *index = pl_in(c, 1), *u = pl_in(c, 2);
    const struct pl_tensor *y = pl_out(c, 0);
    enum reduction r = TAKE;
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
            fold(y, to + k, u, i * run + k, r);
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
        memcpy(at(y, i), at(pl_in(c, 2), hit), size);
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
                memcpy(at(y, to), at(x, (o * dim + i) * inner), inner * pl_dtype_bytes(x->type));
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

/* A FusedEmbedding or QEmbedding. */
struct embedding {
    const struct pl_tensor *table, *index, *weights; /* weights: or NULL, which is 1 */
    const float *scale, *offset;                     /* of rows of bytes */
    struct pl_tensor shape;                          /* of indices and weights together */
    int axis;                                        /* of the shape, over which rows are added */
    size_t rows, width;
};

static platen_status read_embedding(struct pl_call *c, struct embedding *e)
{
    const bool bytes = pl_call_id(c) == PL_OP_QEmbedding;
    const struct pl_tensor *scale = bytes ? pl_in(c, 3) : NULL;
    const struct pl_tensor *offset = bytes ? pl_in(c, 4) : NULL;
    *e = (struct embedding){.table = pl_in(c, 0), .index = pl_in(c, 1), .weights = pl_in(c, 2)};
    const struct pl_tensor *t = e->table;
    if (bytes ? t->type != PL_U8 || !scale || !offset || scale->type != PL_F32 ||
                    offset->type != PL_F32 || pl_tensor_count(scale) != pl_tensor_count(offset)
              : t->rank != 2 || (t->type != PL_F32 && t->type != PL_F16))
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "not a table of rows");
    e->rows = bytes ? pl_tensor_count(scale) : (size_t)t->dims[0];
    e->width = e->rows ? pl_tensor_count(t) / e->rows : 0;
    if (e->rows * e->width != pl_tensor_count(t))
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "not a table of rows");
    if (e->index->type != PL_I64 && e->index->type != PL_I32)
        return pl_call_unsupported_type(c, e->index->type);
    if (e->weights && e->weights->type != PL_F32)
        return pl_call_unsupported_type(c, e->weights->type);
    if (bytes) {
        e->scale = scale->data;
        e->offset = offset->data;
    }
    e->shape = *e->index;
    platen_status s =
        e->weights ? pl_call_broadcast(c, e->index, e->weights, &e->shape) : PLATEN_OK;
    const int64_t axis = pl_ir_int(c->node, "axis", -1);
    return s ? s : pl_call_axis(c, axis, e->shape.rank, &e->axis);
}

platen_status pl_infer_embedding(struct pl_call *c)
{
    struct embedding e;
    int64_t dims[PL_MAX_RANK + 1];
    int rank = 0;
    platen_status s = read_embedding(c, &e);
    if (s)
        return s;
    for (int i = 0; i < e.shape.rank; i++)
        if (i != e.axis || pl_ir_int(c->node, "keepdims", 0))
            dims[rank++] = i == e.axis ? 1 : e.shape.dims[i];
    dims[rank++] = (int64_t)e.width;
    return pl_call_shape(c, 0, PL_F32, rank, dims);
}

/* dst += weight * row v. */
static void add_row(const struct pl_kernels *k, const struct embedding *e, float *dst, size_t v,
                    float weight)
{
    const size_t first = v * e->width;
    if (e->table->type == PL_F32)
        k->axpy_f32(dst, (const float *)e->table->data + first, e->width, weight);
    else if (e->table->type == PL_F16)
        k->axpy_f16(dst, (const uint16_t *)e->table->data + first, e->width, weight);
    else
        k->axpy_u8(dst, (const uint8_t *)e->table->data + first, e->width, weight * e->scale[v],
                   weight * e->offset[v]);
}

platen_status pl_run_embedding(struct pl_call *c)
{
    struct embedding e;
    int64_t pos[PL_MAX_RANK] = {0};
    ptrdiff_t index_step[PL_MAX_RANK], weight_step[PL_MAX_RANK] = {0}, row_step[PL_MAX_RANK];
    platen_status s = read_embedding(c, &e);
    if (s)
        return s;
    memset(pl_out(c, 0)->data, 0, pl_tensor_bytes(pl_out(c, 0)));
    if (!pl_tensor_count(&e.shape))
        return PLATEN_OK;
    pl_broadcast_steps(e.index, &e.shape, index_step);
    if (e.weights)
        pl_broadcast_steps(e.weights, &e.shape, weight_step);
    for (ptrdiff_t i = e.shape.rank - 1, step = 1; i >= 0; i--) {
        row_step[i] = i == e.axis ? 0 : step;
        step *= i == e.axis ? 1 : (ptrdiff_t)e.shape.dims[i];
    }
    do {
        ptrdiff_t from = 0, weight = 0, row = 0;
        size_t v = 0;
        for (int i = 0; i < e.shape.rank; i++) {
            from += (ptrdiff_t)pos[i] * index_step[i];
            weight += (ptrdiff_t)pos[i] * weight_step[i];
            row += (ptrdiff_t)pos[i] * row_step[i];
        }
        s = index_at(c, e.index, (size_t)from, (int64_t)e.rows, &v);
        if (!s)
            add_row(c->kernels, &e, (float *)pl_out(c, 0)->data + (size_t)row * e.width, v,
                    e.weights ? ((const float *)e.weights->data)[weight] : 1);
    } while (!s && pl_odometer(e.shape.rank, e.shape.dims, pos));
    return s;
}
