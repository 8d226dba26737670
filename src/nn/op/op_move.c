/* SPDX-License-Identifier: BSD-2-Clause */
/* Operators that copy elements to other places: boxes with steps. */
#include "nn/operators.h"

#include <string.h>

static size_t size_of(const struct pl_tensor *t)
{
    return pl_dtype_bytes(t->type);
}

platen_status pl_infer_concat(struct pl_call *c)
{
    struct pl_tensor t = *pl_in(c, 0);
    int axis;
    platen_status s = pl_call_axis(c, pl_ir_int(c->node, "axis", 1), t.rank, &axis);
    for (uint32_t i = 1; i < c->n_in && !s; i++) {
        const struct pl_tensor *x = pl_in(c, i);
        if (!x || x->type != t.type || x->rank != t.rank)
            return pl_call_fail(c, PLATEN_ERR_FORMAT, "input %u is of another kind", i);
        for (int d = 0; d < t.rank; d++)
            if (d != axis && x->dims[d] != t.dims[d])
                return pl_call_fail(c, PLATEN_ERR_FORMAT, "input %u has another size", i);
        t.dims[axis] += x->dims[axis];
    }
    return s ? s : pl_call_like(c, 0, &t);
}

platen_status pl_run_concat(struct pl_call *c)
{
    const struct pl_tensor *y = pl_out(c, 0);
    int axis = 0;
    platen_status s = pl_call_axis(c, pl_ir_int(c->node, "axis", 1), y->rank, &axis);
    size_t outer = pl_tensor_span(y, 0, axis), row = pl_tensor_span(y, axis, y->rank);
    uint8_t *d = y->data;
    for (uint32_t i = 0; i < c->n_in && !s; i++) {
        size_t bytes = pl_tensor_span(pl_in(c, i), axis, y->rank) * size_of(y);
        const uint8_t *x = pl_in(c, i)->data;
        for (size_t o = 0; o < outer && x != d; o++) /* not what the session has placed there */
            memcpy(d + o * row * size_of(y), x + o * bytes, bytes);
        d += bytes;
    }
    return s;
}

/* Reads the sizes of the parts into which *ret_axis is split. */
static platen_status split_sizes(struct pl_call *c, int *ret_axis, int64_t *ret)
{
    const struct pl_tensor *x = pl_in(c, 0);
    int64_t total = 0, n = c->n_out;
    int given;
    platen_status s = pl_call_axis(c, pl_ir_int(c->node, "axis", 0), x->rank, ret_axis);
    s = s ? s : pl_call_ints(c, "split", 1, (int)n, ret, &given);
    if (s)
        return s;
    const int64_t size = x->dims[*ret_axis], part = (size + n - 1) / n;
    if (given >= 0 && given != (int)n)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "%d sizes for %d outputs", given, (int)n);
    for (int i = 0; i < (int)n; i++) {
        if (given < 0)
            ret[i] = PL_MAX(PL_MIN(part, size - i * part), 0);
        if (ret[i] < 0 || ret[i] > size)
            return pl_call_fail(c, PLATEN_ERR_FORMAT, "part %d has a bad size", i);
        total += ret[i];
    }
    if (total != size)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "the parts sum to %lld, not %lld",
                            (long long)total, (long long)size);
    return PLATEN_OK;
}

platen_status pl_infer_split(struct pl_call *c)
{
    struct pl_tensor t = *pl_in(c, 0);
    int axis;
    int64_t *sizes = pl_call_scratch(c, c->n_out, sizeof(*sizes));
    platen_status s = sizes ? split_sizes(c, &axis, sizes) : PLATEN_ERR_NOMEM;
    for (uint32_t i = 0; i < c->n_out && !s; i++) {
        t.dims[axis] = sizes[i];
        s = pl_call_like(c, i, &t);
    }
    return s;
}

platen_status pl_run_split(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    int axis = 0;
    int64_t *sizes = pl_call_scratch(c, c->n_out, sizeof(*sizes));
    platen_status s = sizes ? split_sizes(c, &axis, sizes) : PLATEN_ERR_NOMEM;
    if (s)
        return s;
    size_t outer = pl_tensor_span(x, 0, axis), inner = pl_tensor_span(x, axis + 1, x->rank);
    size_t row = pl_tensor_span(x, axis, x->rank) * size_of(x), from = 0;
    for (uint32_t i = 0; i < c->n_out; i++) {
        size_t bytes = (size_t)sizes[i] * inner * size_of(x);
        uint8_t *d = pl_out(c, i) ? pl_out(c, i)->data : NULL;
        const uint8_t *part = (const uint8_t *)x->data + from;
        for (size_t o = 0; o < outer && d && part != d; o++) /* not what the session leaves there */
            memcpy(d + o * bytes, part + o * row, bytes);
        from += bytes;
    }
    return PLATEN_OK;
}

/* A slice of every axis: n elements from `start` on, `step` apart. */
struct cut {
    int64_t start[PL_MAX_RANK], step[PL_MAX_RANK], n[PL_MAX_RANK];
};

static void cut_axis(struct cut *cut, int axis, int64_t dim, int64_t start, int64_t end,
                     int64_t step)
{
    /* negative ones count from the end; what lies outside is cut off */
    start = start < 0 ? start + dim : start;
    end = end < 0 ? end + dim : end;
    int64_t n;
    if (step > 0) {
        start = PL_CLAMP(start, 0, dim);
        end = PL_CLAMP(end, 0, dim);
        n = end > start ? (end - start - 1) / step + 1 : 0;
    } else {
        start = PL_CLAMP(start, -1, dim - 1);
        end = PL_CLAMP(end, -1, dim - 1);
        n = start > end ? (start - end - 1) / -step + 1 : 0;
    }
    cut->start[axis] = start;
    cut->step[axis] = step;
    cut->n[axis] = n;
}

static platen_status read_cut(struct pl_call *c, struct cut *cut)
{
    const struct pl_tensor *x = pl_in(c, 0);
    int64_t starts[PL_MAX_RANK], ends[PL_MAX_RANK], axes[PL_MAX_RANK], steps[PL_MAX_RANK];
    int n, n_ends, n_axes, n_steps;
    platen_status s = pl_call_ints(c, "starts", 1, PL_MAX_RANK, starts, &n);
    s = s ? s : pl_call_ints(c, "ends", 2, PL_MAX_RANK, ends, &n_ends);
    s = s ? s : pl_call_ints(c, "axes", 3, PL_MAX_RANK, axes, &n_axes);
    s = s ? s : pl_call_ints(c, "", 4, PL_MAX_RANK, steps, &n_steps);
    if (s)
        return s;
    if (n < 0 || n_ends != n || (n_axes >= 0 && n_axes != n) || (n_steps >= 0 && n_steps != n) ||
        n > x->rank)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "lists of different lengths");
    for (int i = 0; i < x->rank; i++)
        cut_axis(cut, i, x->dims[i], 0, x->dims[i], 1);
    for (int i = 0; i < n; i++) {
        int axis;
        s = pl_call_axis(c, n_axes < 0 ? i : axes[i], x->rank, &axis);
        int64_t step = n_steps < 0 ? 1 : steps[i];
        if (!s && (step == 0 || step < -INT32_MAX))
            s = pl_call_fail(c, PLATEN_ERR_FORMAT, "a step of %lld", (long long)step);
        if (s)
            return s;
        cut_axis(cut, axis, x->dims[axis], starts[i], ends[i], step);
    }
    return PLATEN_OK;
}

platen_status pl_infer_slice(struct pl_call *c)
{
    struct cut cut;
    platen_status s = read_cut(c, &cut);
    return s ? s : pl_call_shape(c, 0, pl_in(c, 0)->type, pl_in(c, 0)->rank, cut.n);
}

platen_status pl_run_slice(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *y = pl_out(c, 0);
    struct cut cut;
    ptrdiff_t from[PL_MAX_RANK], to[PL_MAX_RANK], first = 0;
    platen_status s = read_cut(c, &cut);
    if (s || !pl_tensor_count(y))
        return s;
    pl_dense_steps(x, from);
    pl_dense_steps(y, to);
    for (int i = 0; i < x->rank; i++) {
        first += (ptrdiff_t)cut.start[i] * from[i];
        from[i] = cut.n[i] > 1 ? from[i] * (ptrdiff_t)cut.step[i] : 0;
    }
    pl_copy_box(y->data, to, pl_tensor_at(x, (size_t)first), from, x->rank, y->dims, size_of(x));
    return PLATEN_OK;
}

static platen_status read_perm(const struct pl_call *c, int perm[PL_MAX_RANK])
{
    const int rank = pl_in(c, 0)->rank;
    int64_t list[PL_MAX_RANK];
    unsigned seen = 0;
    platen_status s = pl_call_list(c, "perm", rank, 0, list);
    for (int i = 0; i < rank && !s; i++) {
        int64_t p = pl_ir_attr(c->node, "perm") ? list[i] : rank - 1 - i;
        if (p < 0 || p >= rank || (seen & 1u << p))
            return pl_call_fail(c, PLATEN_ERR_FORMAT, "the order of the axes is no permutation");
        seen |= 1u << p;
        perm[i] = (int)p;
    }
    return s;
}

platen_status pl_infer_transpose(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    int perm[PL_MAX_RANK];
    int64_t dims[PL_MAX_RANK];
    platen_status s = read_perm(c, perm);
    for (int i = 0; i < x->rank && !s; i++)
        dims[i] = x->dims[perm[i]];
    return s ? s : pl_call_shape(c, 0, x->type, x->rank, dims);
}

platen_status pl_run_transpose(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *y = pl_out(c, 0);
    int perm[PL_MAX_RANK];
    ptrdiff_t dense[PL_MAX_RANK], from[PL_MAX_RANK], to[PL_MAX_RANK];
    platen_status s = read_perm(c, perm);
    if (s)
        return s;
    pl_dense_steps(x, dense);
    pl_dense_steps(y, to);
    for (int i = 0; i < x->rank; i++)
        from[i] = dense[perm[i]];
    pl_copy_box(y->data, to, x->data, from, x->rank, y->dims, size_of(x));
    return PLATEN_OK;
}

platen_status pl_infer_expand(struct pl_call *c)
{
    struct pl_tensor shape = {0}, t;
    int64_t dims[PL_MAX_RANK];
    int rank;
    platen_status s = pl_call_ints(c, "", 1, PL_MAX_RANK, dims, &rank);
    if (!s && !pl_tensor_shape(&shape, pl_in(c, 0)->type, rank, dims))
        s = pl_call_fail(c, PLATEN_ERR_LIMIT, "a shape beyond the limits");
    s = s ? s : pl_call_broadcast(c, pl_in(c, 0), &shape, &t);
    return s ? s : pl_call_like(c, 0, &t);
}

platen_status pl_run_expand(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *y = pl_out(c, 0);
    ptrdiff_t from[PL_MAX_RANK], to[PL_MAX_RANK];
    pl_broadcast_steps(x, y, from);
    pl_dense_steps(y, to);
    pl_copy_box(y->data, to, x->data, from, y->rank, y->dims, size_of(x));
    return PLATEN_OK;
}

platen_status pl_infer_tile(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    int64_t repeats[PL_MAX_RANK];
    int n;
    platen_status s = pl_call_ints(c, "", 1, PL_MAX_RANK, repeats, &n);
    if (!s && n != x->rank)
        s = pl_call_fail(c, PLATEN_ERR_FORMAT, "%d repeats for %d axes", n, x->rank);
    for (int i = 0; i < x->rank && !s; i++)
        if (repeats[i] < 0 || __builtin_mul_overflow(repeats[i], x->dims[i], &repeats[i]))
            s = pl_call_fail(c, PLATEN_ERR_LIMIT, "a shape beyond the limits");
    return s ? s : pl_call_shape(c, 0, x->type, x->rank, repeats);
}

/* Copies along a box of twice the rank: repeat 0, axis 0, repeat 1, axis 1 and so on. */
platen_status pl_run_tile(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *y = pl_out(c, 0);
    ptrdiff_t dx[PL_MAX_RANK], dy[PL_MAX_RANK], from[2 * PL_MAX_RANK], to[2 * PL_MAX_RANK];
    int64_t dims[2 * PL_MAX_RANK];
    if (!pl_tensor_count(y))
        return PLATEN_OK;
    pl_dense_steps(x, dx);
    pl_dense_steps(y, dy);
    for (int i = 0; i < x->rank; i++) {
        dims[2 * i] = y->dims[i] / x->dims[i];
        dims[2 * i + 1] = x->dims[i];
        from[2 * i] = 0;
        from[2 * i + 1] = dx[i];
        to[2 * i] = dy[i] * (ptrdiff_t)x->dims[i];
        to[2 * i + 1] = dy[i];
    }
    pl_copy_box(y->data, to, x->data, from, 2 * x->rank, dims, size_of(x));
    return PLATEN_OK;
}

static platen_status block_of(const struct pl_call *c, int64_t *ret)
{
    const struct pl_tensor *x = pl_in(c, 0);
    *ret = pl_ir_int(c->node, "blocksize", 0);
    if (x->rank != 4 || *ret < 1 || *ret > 4096)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "no picture, or a bad block size");
    return PLATEN_OK;
}

platen_status pl_infer_depth_to_space(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    int64_t b;
    platen_status s = block_of(c, &b);
    if (!s && x->dims[1] % (b * b))
        s = pl_call_fail(c, PLATEN_ERR_FORMAT, "channels are no multiple of the block");
    if (s)
        return s;
    int64_t dims[4] = {x->dims[0], x->dims[1] / (b * b), x->dims[2] * b, x->dims[3] * b};
    return pl_call_shape(c, 0, x->type, 4, dims);
}

platen_status pl_run_depth_to_space(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *y = pl_out(c, 0);
    const bool crd = !strcmp(pl_ir_string(c->node, "mode", "DCR"), "CRD");
    int64_t b = 1;
    platen_status s = block_of(c, &b);
    ptrdiff_t dx[PL_MAX_RANK], dy[PL_MAX_RANK];
    pl_dense_steps(x, dx);
    pl_dense_steps(y, dy);
    /* n, c, h, block row, w, block column of the output */
    const ptrdiff_t block = (ptrdiff_t)b;
    int64_t dims[6] = {y->dims[0], y->dims[1], x->dims[2], b, x->dims[3], b};
    ptrdiff_t to[6] = {dy[0], dy[1], dy[2] * block, dy[2], dy[3] * block, dy[3]};
    ptrdiff_t channels = (ptrdiff_t)y->dims[1];
    ptrdiff_t from[6] = {dx[0], crd ? dx[1] * block * block : dx[1],
                         dx[2], crd ? dx[1] * block : dx[1] * channels * block,
                         dx[3], crd ? dx[1] : dx[1] * channels};
    if (!s)
        pl_copy_box(y->data, to, x->data, from, 6, dims, size_of(x));
    return s;
}

platen_status pl_infer_space_to_depth(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    int64_t b;
    platen_status s = block_of(c, &b);
    if (!s && (x->dims[2] % b || x->dims[3] % b))
        s = pl_call_fail(c, PLATEN_ERR_FORMAT, "sizes are no multiple of the block");
    if (s)
        return s;
    int64_t dims[4] = {x->dims[0], x->dims[1], x->dims[2] / b, x->dims[3] / b};
    if (__builtin_mul_overflow(dims[1], b * b, &dims[1]))
        return pl_call_fail(c, PLATEN_ERR_LIMIT, "a shape beyond the limits");
    return pl_call_shape(c, 0, x->type, 4, dims);
}

platen_status pl_run_space_to_depth(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *y = pl_out(c, 0);
    int64_t b = 1;
    platen_status s = block_of(c, &b);
    ptrdiff_t dx[PL_MAX_RANK], dy[PL_MAX_RANK], block = (ptrdiff_t)b;
    pl_dense_steps(x, dx);
    pl_dense_steps(y, dy);
    /* n, block row, block column, c, h, w of the output */
    int64_t dims[6] = {x->dims[0], b, b, x->dims[1], y->dims[2], y->dims[3]};
    ptrdiff_t channels = (ptrdiff_t)x->dims[1];
    ptrdiff_t to[6] = {dy[0], dy[1] * channels * block, dy[1] * channels, dy[1], dy[2], dy[3]};
    ptrdiff_t from[6] = {dx[0], dx[2], dx[3], dx[1], dx[2] * block, dx[3] * block};
    if (!s)
        pl_copy_box(y->data, to, x->data, from, 6, dims, size_of(x));
    return s;
}
