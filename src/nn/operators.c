/* SPDX-License-Identifier: BSD-2-Clause */
/* What the bodies of operators share: shapes, attributes, walks through tensors. */
#include "nn/operators.h"

#include <stdarg.h>
#include <stdio.h>
#include <assert.h>
#include <string.h>

platen_status pl_call_fail(const struct pl_call *c, platen_status code, const char *fmt, ...)
{
    char text[200];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    return pl_ir_fail(c->node, c->err, code, "%s%s",
                      code == PLATEN_ERR_UNSUPPORTED ? "not supported: " : "", text);
}

platen_status pl_call_unsupported_type(const struct pl_call *c, enum pl_dtype t)
{
    return pl_call_fail(c, PLATEN_ERR_UNSUPPORTED, "elements of type %s", pl_dtype_name(t));
}

void *pl_call_room(struct pl_call *c, size_t n, size_t size)
{
    void *p = pl_arena_room(c->scratch, PL_MAX(n, 1), size);
    if (!p && pl_fail_nomem(c->err, n * size, c->node->op->name))
        return NULL;
    return p;
}

void *pl_call_scratch(struct pl_call *c, size_t n, size_t size)
{
    void *p = pl_call_room(c, n, size);
    return p ? memset(p, 0, n * size) : NULL;
}

platen_status pl_call_keep(const struct pl_call *c, const void *v, size_t n)
{
    if (!c->kept)
        return PLATEN_OK;
    if (!*c->kept)
        *c->kept = pl_arena_alloc(c->keeper, 1, n);
    if (!*c->kept)
        return pl_fail_nomem(c->err, n, c->node->op->name);
    memcpy(*c->kept, v, n);
    return PLATEN_OK;
}

const void *pl_call_prepared(struct pl_call *c, size_t bytes, pl_prepare_fn *fill, const void *ctx)
{
    if (!c->prepared)
        return NULL;
    if (!*c->found)
        *c->found = pl_prepared_get(c->prepared, c->node, pl_in(c, 1)->data, bytes, fill, ctx);
    return *c->found;
}

platen_status pl_call_shape(const struct pl_call *c, uint32_t i, enum pl_dtype type, int rank,
                            const int64_t *dims)
{
    struct pl_tensor *t = pl_out(c, i);
    if (!t || pl_tensor_shape(t, type, rank, dims))
        return PLATEN_OK;
    return pl_call_fail(c, PLATEN_ERR_LIMIT, "output %u has a shape beyond the limits", i);
}

platen_status pl_call_like(const struct pl_call *c, uint32_t i, const struct pl_tensor *t)
{
    return pl_call_shape(c, i, t->type, t->rank, t->dims);
}

platen_status pl_call_axis(const struct pl_call *c, int64_t axis, int rank, int *ret)
{
    if (axis < -rank || axis >= rank)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "axis %lld of a tensor of rank %d",
                            (long long)axis, rank);
    *ret = (int)(axis < 0 ? axis + rank : axis);
    return PLATEN_OK;
}

platen_status pl_call_index(const struct pl_call *c, const struct pl_tensor *t, size_t i,
                            int64_t dim, size_t *ret)
{
    int64_t v = pl_tensor_i64(t, i);
    if (v < -dim || v >= dim)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "index %lld into %lld elements", (long long)v,
                            (long long)dim);
    *ret = (size_t)(v < 0 ? v + dim : v);
    return PLATEN_OK;
}

platen_status pl_call_known(struct pl_call *c, uint32_t i)
{
    const struct pl_tensor *t = pl_in(c, i);
    if (!t || t->data)
        return PLATEN_OK;
    c->needs_data = true;
    return pl_call_fail(c, PLATEN_ERR_UNSUPPORTED, "the shape depends on the values of input %u",
                        i);
}

platen_status pl_call_ints(struct pl_call *c, const char *attr, uint32_t input, int max,
                           int64_t *ret, int *ret_n)
{
    const struct pl_tensor *t = pl_in(c, input);
    const struct pl_attr *a = pl_ir_attr(c->node, attr);
    platen_status s = pl_call_known(c, input);
    *ret_n = -1;
    if (s || (!t && !a))
        return s;
    size_t n = t ? pl_tensor_count(t) : a->kind == PL_ATTR_INT ? 1 : a->n;
    if (t && (pl_dtype_is_float(t->type) || t->rank > 1))
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "input %u is no list of integers", input);
    if (n > (size_t)max)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "%zu numbers in '%s'", n, attr);
    for (size_t i = 0; i < n; i++)
        ret[i] = t ? pl_tensor_i64(t, i) : a->kind == PL_ATTR_INT ? a->v.i : a->v.ints[i];
    *ret_n = (int)n;
    return PLATEN_OK;
}

platen_status pl_call_list(const struct pl_call *c, const char *attr, int n, int64_t otherwise,
                           int64_t *ret)
{
    const struct pl_attr *a = pl_ir_attr(c->node, attr);
    if (a && a->n != (uint32_t)n)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "%u numbers in '%s', not %d", a->n, attr, n);
    for (int i = 0; i < n; i++)
        ret[i] = a ? a->v.ints[i] : otherwise;
    return PLATEN_OK;
}

platen_status pl_call_scalar(struct pl_call *c, const char *attr, uint32_t input, double otherwise,
                             double *ret)
{
    const struct pl_tensor *t = pl_in(c, input);
    const struct pl_attr *a = pl_ir_attr(c->node, attr);
    *ret = a && a->kind == PL_ATTR_FLOAT ? (double)a->v.f : otherwise;
    platen_status s = pl_call_known(c, input);
    if (s || !t)
        return s;
    if (pl_tensor_count(t) != 1)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "input %u is no scalar", input);
    *ret = pl_tensor_f64(t, 0);
    return PLATEN_OK;
}

platen_status pl_call_broadcast(const struct pl_call *c, const struct pl_tensor *a,
                                const struct pl_tensor *b, struct pl_tensor *ret)
{
    int64_t dims[PL_MAX_RANK];
    int rank = PL_MAX(a->rank, b->rank);
    for (int i = 0; i < rank; i++) {
        int64_t x = i < rank - a->rank ? 1 : a->dims[i - rank + a->rank];
        int64_t y = i < rank - b->rank ? 1 : b->dims[i - rank + b->rank];
        if (x != y && x != 1 && y != 1)
            return pl_call_fail(c, PLATEN_ERR_FORMAT, "sizes %lld and %lld do not match",
                                (long long)x, (long long)y);
        dims[i] = x == 1 ? y : x;
    }
    if (!pl_tensor_shape(ret, a->type, rank, dims))
        return pl_call_fail(c, PLATEN_ERR_LIMIT, "a shape beyond the limits");
    return PLATEN_OK;
}

void pl_dense_steps(const struct pl_tensor *t, ptrdiff_t step[PL_MAX_RANK])
{
    ptrdiff_t n = 1;
    for (int i = t->rank - 1; i >= 0; i--) {
        step[i] = n;
        n *= (ptrdiff_t)t->dims[i];
    }
}

void pl_broadcast_steps(const struct pl_tensor *t, const struct pl_tensor *out,
                        ptrdiff_t step[PL_MAX_RANK])
{
    ptrdiff_t dense[PL_MAX_RANK];
    int shift = out->rank - t->rank;
    pl_dense_steps(t, dense);
    for (int i = 0; i < out->rank; i++)
        step[i] = i < shift || t->dims[i - shift] == 1 ? 0 : dense[i - shift];
}

bool pl_odometer(int rank, const int64_t *dims, int64_t *at)
{
    for (int i = rank - 1; i >= 0; i--) {
        if (++at[i] < dims[i])
            return true;
        at[i] = 0;
    }
    return false;
}

typedef uint32_t four_words __attribute__((vector_size(16)));

/* Four rows of four. */
static void turn_four(uint8_t *dst, size_t dst_bytes, const uint8_t *src, size_t src_bytes)
{
    four_words row[4], out[4];
    for (size_t i = 0; i < 4; i++)
        memcpy(&row[i], src + i * src_bytes, sizeof(row[i]));
    const four_words low02 = __builtin_shufflevector(row[0], row[2], 0, 4, 1, 5);
    const four_words low13 = __builtin_shufflevector(row[1], row[3], 0, 4, 1, 5);
    const four_words high02 = __builtin_shufflevector(row[0], row[2], 2, 6, 3, 7);
    const four_words high13 = __builtin_shufflevector(row[1], row[3], 2, 6, 3, 7);
    out[0] = __builtin_shufflevector(low02, low13, 0, 4, 1, 5);
    out[1] = __builtin_shufflevector(low02, low13, 2, 6, 3, 7);
    out[2] = __builtin_shufflevector(high02, high13, 0, 4, 1, 5);
    out[3] = __builtin_shufflevector(high02, high13, 2, 6, 3, 7);
    for (size_t j = 0; j < 4; j++)
        memcpy(dst + j * dst_bytes, &out[j], sizeof(out[j]));
}

/* Columns that are turned together: their rows of the result stay in the first cache until what
 * lies beside them is written. */
#define TURN_COLUMNS ((size_t)16)

void pl_turn_words(void *dst, size_t dst_step, const void *src, size_t src_step, size_t rows,
                   size_t columns)
{
    const size_t to = dst_step * 4, from = src_step * 4, whole = rows / 4 * 4;
    for (size_t at = 0; at < columns; at += TURN_COLUMNS) {
        const size_t end = PL_MIN(columns, at + TURN_COLUMNS);
        uint8_t *d = dst;
        const uint8_t *s = src;
        for (size_t i = 0; i < whole; i += 4)
            for (size_t j = at; j + 4 <= end; j += 4)
                turn_four(d + j * to + i * 4, to, s + i * from + j * 4, from);
        for (size_t j = at; j < end; j++)
            for (size_t i = j < end / 4 * 4 ? whole : 0; i < rows; i++)
                memcpy(d + j * to + i * 4, s + i * from + j * 4, 4);
    }
}

#define COPY_ROW(type)                                                                             \
    do {                                                                                           \
        type *x = (type *)(void *)d;                                                               \
        const type *y = (const type *)(const void *)s;                                             \
        for (int64_t i = 0; i < n; i++)                                                            \
            x[i * dst_step] = y[i * src_step];                                                     \
    } while (0)

static void copy_row(uint8_t *d, ptrdiff_t dst_step, const uint8_t *s, ptrdiff_t src_step,
                     int64_t n, size_t size)
{
    if (dst_step == 1 && src_step == 1) {
        memcpy(d, s, (size_t)n * size);
        return;
    }
    switch (size) {
    case 1:
        COPY_ROW(uint8_t);
        break;
    case 2:
        COPY_ROW(uint16_t);
        break;
    case 4:
        COPY_ROW(uint32_t);
        break;
    default:
        COPY_ROW(uint64_t);
    }
}

/* Returns the axis along which the elements of the source follow each other, as those of the
 * destination do along the last one, so that the two make a matrix that is turned; -1: there is
 * none. */
static int turned_axis(const ptrdiff_t *dst_step, const ptrdiff_t *src_step, int rank, size_t size)
{
    if (size != 4 || rank < 2 || dst_step[rank - 1] != 1 || src_step[rank - 1] <= 1)
        return -1;
    int axis = rank - 2;
    while (axis >= 0 && (src_step[axis] != 1 || dst_step[axis] <= 0))
        axis--;
    return axis;
}

void pl_copy_box(void *dst, const ptrdiff_t *dst_step, const void *src, const ptrdiff_t *src_step,
                 int rank, const int64_t *dims, size_t size)
{
    const int last = rank - 1, turned = turned_axis(dst_step, src_step, rank, size);
    const int side = turned >= 0 ? turned : last - 1; /* of the planes that are copied */
    const ptrdiff_t bytes = (ptrdiff_t)size;
    int64_t at[2 * PL_MAX_RANK] = {0}, planes[2 * PL_MAX_RANK];
    for (int i = 0; i < rank; i++) {
        if (!dims[i])
            return;
        planes[i] = i == side ? 1 : dims[i];
    }
    const int64_t n = rank ? dims[last] : 1, rows = side >= 0 ? dims[side] : 1;
    const ptrdiff_t dn = rank ? dst_step[last] : 1, sn = rank ? src_step[last] : 1;
    const ptrdiff_t d_row = side >= 0 ? dst_step[side] : 0, s_row = side >= 0 ? src_step[side] : 0;
    do {
        uint8_t *d = dst;
        const uint8_t *s = src;
        for (int i = 0; i < last; i++) {
            d += (ptrdiff_t)at[i] * dst_step[i] * bytes;
            s += (ptrdiff_t)at[i] * src_step[i] * bytes;
        }
        if (turned >= 0)
            pl_turn_words(d, (size_t)d_row, s, (size_t)sn, (size_t)n, (size_t)rows);
        for (int64_t i = 0; i < rows && turned < 0; i++)
            copy_row(d + i * d_row * bytes, dn, s + i * s_row * bytes, sn, n, size);
    } while (pl_odometer(last, planes, at));
}

static bool narrows(const struct pl_tensor *t)
{
    return t && pl_dtype_is_float(t->type) && t->type != PL_F32;
}

platen_status pl_call_as_f32(struct pl_call *c, pl_call_fn *body)
{
    struct pl_call inner = *c;
    bool any = false;
    for (uint32_t i = 0; i < c->n_in; i++)
        any |= narrows(c->in[i]);
    for (uint32_t i = 0; i < c->n_out; i++)
        any |= narrows(c->out[i]);
    if (!any)
        return body(c);
    struct pl_tensor *t = pl_call_scratch(c, c->n_in + c->n_out, sizeof(*t));
    const struct pl_tensor **in = pl_call_scratch(c, c->n_in, sizeof(*in));
    struct pl_tensor **out = pl_call_scratch(c, c->n_out, sizeof(*out));
    if (!t || !in || !out)
        return PLATEN_ERR_NOMEM;
    for (uint32_t i = 0; i < c->n_in + c->n_out; i++) {
        const struct pl_tensor *from = i < c->n_in ? c->in[i] : c->out[i - c->n_in];
        if (!from)
            continue;
        t[i] = *from;
        if (narrows(from)) {
            t[i].type = PL_F32;
            t[i].data = pl_call_scratch(c, pl_tensor_count(from), sizeof(float));
            if (!t[i].data)
                return PLATEN_ERR_NOMEM;
        }
        if (i >= c->n_in)
            out[i - c->n_in] = &t[i];
        else
            in[i] = &t[i];
        if (i < c->n_in && narrows(from))
            pl_tensor_cast_row(t[i].data, PL_F32, from->data, from->type, pl_tensor_count(from));
    }
    inner.in = in;
    inner.out = out;
    platen_status s = body(&inner);
    for (uint32_t i = 0; i < c->n_out && !s; i++)
        if (narrows(c->out[i]))
            pl_tensor_cast_row(c->out[i]->data, c->out[i]->type, out[i]->data, PL_F32,
                               pl_tensor_count(c->out[i]));
    return s;
}
