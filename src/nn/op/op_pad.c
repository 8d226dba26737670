/* SPDX-License-Identifier: BSD-2-Clause */
#include "nn/operators.h"

#include <string.h>

/* How many elements are added before and after each axis; negative numbers cut off. */
struct pads {
    int64_t before[PL_MAX_RANK], after[PL_MAX_RANK];
};

static platen_status read_pads(struct pl_call *c, struct pads *ret)
{
    const int rank = pl_in(c, 0)->rank;
    int64_t list[2 * PL_MAX_RANK], axes[PL_MAX_RANK];
    int n = 0, n_axes = 0;
    platen_status s = pl_call_ints(c, "pads", 1, 2 * PL_MAX_RANK, list, &n);
    s = s ? s : pl_call_ints(c, "", 3, PL_MAX_RANK, axes, &n_axes);
    n_axes = n_axes < 0 ? rank : n_axes;
    *ret = (struct pads){0};
    if (!s && n != 2 * n_axes)
        s = pl_call_fail(c, PLATEN_ERR_FORMAT, "%d pads for %d axes", n, n_axes);
    for (int i = 0; i < n_axes && !s; i++) {
        int axis = i;
        if (pl_in(c, 3))
            s = pl_call_axis(c, axes[i], rank, &axis);
        if (!s && (PL_MAX(list[i], list[n_axes + i]) > PL_MAX_ELEMENTS ||
                   PL_MIN(list[i], list[n_axes + i]) < -PL_MAX_ELEMENTS))
            s = pl_call_fail(c, PLATEN_ERR_LIMIT, "pads beyond the limits");
        if (!s) {
            ret->before[axis] = list[i];
            ret->after[axis] = list[n_axes + i];
        }
    }
    return s;
}

platen_status pl_infer_pad(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    struct pads p;
    int64_t dims[PL_MAX_RANK];
    platen_status s = read_pads(c, &p);
    for (int i = 0; i < x->rank && !s; i++)
        dims[i] = x->dims[i] + p.before[i] + p.after[i];
    return s ? s : pl_call_shape(c, 0, x->type, x->rank, dims);
}

/* Returns the element of the input that element i of a padded axis copies; -1 for the constant. */
static int64_t source(const char *mode, int64_t i, int64_t n)
{
    if (i >= 0 && i < n)
        return i;
    if (!strcmp(mode, "edge"))
        return i < 0 ? 0 : n - 1;
    if (!strcmp(mode, "wrap"))
        return (i % n + n) % n;
    if (!strcmp(mode, "reflect")) {
        const int64_t period = 2 * PL_MAX(n - 1, 1);
        int64_t k = (i % period + period) % period;
        return n == 1 ? 0 : k < n ? k : period - k;
    }
    return -1;
}

static void fill(const struct pl_call *c, const struct pl_tensor *y)
{
    const struct pl_tensor *value = pl_in(c, 2);
    const float v = pl_ir_float(c->node, "value", 0.0f);
    const size_t size = pl_dtype_bytes(y->type);
    uint64_t bits = 0;
    if (value)
        memcpy(&bits, value->data, size);
    else
        pl_tensor_cast_row(&bits, y->type, &v, PL_F32, 1);
    for (size_t i = 0; i < pl_tensor_count(y); i++)
        memcpy((uint8_t *)y->data + i * size, &bits, size);
}

platen_status pl_run_pad(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *y = pl_out(c, 0), *value = pl_in(c, 2);
    const char *mode = pl_ir_string(c->node, "mode", "constant");
    const size_t size = pl_dtype_bytes(y->type);
    struct pads p;
    ptrdiff_t step[PL_MAX_RANK];
    int64_t at[PL_MAX_RANK] = {0};
    size_t i = 0;
    platen_status s = read_pads(c, &p);
    if (!s && value && (value->type != x->type || pl_tensor_count(value) != 1))
        s = pl_call_fail(c, PLATEN_ERR_FORMAT, "the value is no scalar of the input's type");
    if (!s && strcmp(mode, "constant") && strcmp(mode, "edge") && strcmp(mode, "reflect") &&
        strcmp(mode, "wrap"))
        s = pl_call_fail(c, PLATEN_ERR_UNSUPPORTED, "mode '%.20s'", mode);
    if (!s && strcmp(mode, "constant") && !pl_tensor_count(x) && pl_tensor_count(y))
        s = pl_call_fail(c, PLATEN_ERR_FORMAT, "nothing to repeat");
    if (s || !pl_tensor_count(y))
        return s;
    fill(c, y);
    pl_dense_steps(x, step);
    do {
        ptrdiff_t from = 0;
        bool inside = true;
        for (int d = 0; d < x->rank && inside; d++) {
            int64_t k = source(mode, at[d] - p.before[d], x->dims[d]);
            inside = k >= 0;
            from += (ptrdiff_t)k * step[d];
        }
        if (inside)
            memcpy((uint8_t *)y->data + i * size, (const uint8_t *)x->data + from * (ptrdiff_t)size,
                   size);
        i++;
    } while (pl_odometer(y->rank, y->dims, at));
    return PLATEN_OK;
}
