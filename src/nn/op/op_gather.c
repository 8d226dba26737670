/* SPDX-License-Identifier: BSD-2-Clause */
/* Operators that take the elements which a tensor of indices names. */
#include "nn/operators.h"

#include <string.h>

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
            s = pl_call_index(c, index, i, x->dims[axis], &v);
            if (!s)
                memcpy(pl_tensor_at(y, (o * n + i) * inner), pl_tensor_at(x, (o * dim + v) * inner),
                       inner * pl_dtype_bytes(x->type));
        }
    return s;
}

/* The inputs and attributes of FusedEmbedding and QEmbedding. */
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

/* Adds row v of the table, times its weight, to dst. */
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
        s = pl_call_index(c, e.index, (size_t)from, (int64_t)e.rows, &v);
        if (!s)
            add_row(c->kernels, &e, (float *)pl_out(c, 0)->data + (size_t)row * e.width, v,
                    e.weights ? ((const float *)e.weights->data)[weight] : 1);
    } while (!s && pl_odometer(e.shape.rank, e.shape.dims, pos));
    return s;
}
