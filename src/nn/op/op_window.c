/* SPDX-License-Identifier: BSD-2-Clause */
#include "nn/op/op_window.h"

#include <string.h>

/* Sizes up to this one keep all sums of sizes far from overflow. */
#define MAX_SIZE ((int64_t)1 << 31)

static platen_status read_list(const struct pl_call *c, const char *name, int n, int64_t otherwise,
                               int64_t least, int64_t *ret)
{
    int64_t list[PL_MAX_SPACE];
    platen_status s = pl_call_list(c, name, n, otherwise, list);
    for (int i = 0; i < PL_MAX_SPACE && !s; i++) {
        int from = i - (PL_MAX_SPACE - n);
        ret[i] = from < 0 ? (least ? 1 : 0) : list[from];
        if (ret[i] < least || ret[i] > MAX_SIZE)
            s = pl_call_fail(c, PLATEN_ERR_FORMAT, "'%s' may not be %lld", name, (long long)ret[i]);
    }
    return s;
}

static platen_status read_pads(const struct pl_call *c, struct pl_window *w)
{
    int64_t list[2 * PL_MAX_SPACE];
    platen_status s = pl_call_list(c, "pads", 2 * w->n, 0, list);
    const char *mode = pl_ir_string(c->node, "auto_pad", "NOTSET");
    for (int i = 0; i < w->n && !s; i++) {
        int axis = PL_MAX_SPACE - w->n + i;
        w->before[axis] = list[i];
        w->after[axis] = list[w->n + i];
        if (list[i] < 0 || list[i] > MAX_SIZE || list[w->n + i] < 0 || list[w->n + i] > MAX_SIZE)
            s = pl_call_fail(c, PLATEN_ERR_UNSUPPORTED, "negative or huge padding");
    }
    if (!s && strcmp(mode, "NOTSET"))
        memset(w->before, 0, sizeof(w->before));
    if (!s && strcmp(mode, "NOTSET"))
        memset(w->after, 0, sizeof(w->after));
    return s;
}

platen_status pl_window_read(const struct pl_call *c, const struct pl_tensor *x,
                             const struct pl_tensor *weights, struct pl_window *ret)
{
    const int n = x->rank - 2;
    if (n < 1 || n > PL_MAX_SPACE || (weights && weights->rank != x->rank))
        return pl_call_fail(c, PLATEN_ERR_UNSUPPORTED, "pictures of rank %d", x->rank);
    *ret = (struct pl_window){.n = n};
    platen_status s = read_list(c, "strides", n, 1, 1, ret->stride);
    s = s ? s : read_list(c, "dilations", n, 1, 1, ret->dilation);
    if (!s && !weights && !pl_ir_attr(c->node, "kernel_shape"))
        s = pl_call_fail(c, PLATEN_ERR_FORMAT, "no kernel_shape");
    s = s ? s : read_list(c, "kernel_shape", n, 1, 1, ret->kernel);
    for (int i = 0; i < PL_MAX_SPACE && !s; i++) {
        int axis = i - (PL_MAX_SPACE - n) + 2;
        ret->in[i] = axis < 2 ? 1 : x->dims[axis];
        if (weights && axis >= 2) {
            if (pl_ir_attr(c->node, "kernel_shape") && ret->kernel[i] != weights->dims[axis])
                return pl_call_fail(c, PLATEN_ERR_FORMAT, "kernel_shape is not the weights'");
            ret->kernel[i] = weights->dims[axis];
        }
    }
    return s ? s : read_pads(c, ret);
}

static platen_status slide_axis(const struct pl_call *c, struct pl_window *w, int i,
                                const char *mode, bool ceil_mode)
{
    const int64_t stride = w->stride[i], reach = (w->kernel[i] - 1) * w->dilation[i] + 1;
    if (!strncmp(mode, "SAME", 4)) {
        w->out[i] = (w->in[i] + stride - 1) / stride;
        int64_t pad = PL_MAX((w->out[i] - 1) * stride + reach - w->in[i], 0);
        w->before[i] = !strcmp(mode, "SAME_LOWER") ? pad - pad / 2 : pad / 2;
        w->after[i] = pad - w->before[i];
        return PLATEN_OK;
    }
    int64_t room = w->in[i] + w->before[i] + w->after[i] - reach;
    if (room < 0 || w->kernel[i] < 1)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "the kernel is larger than the picture");
    w->out[i] = room / stride + 1;
    /* a last window that is not whole counts, unless it begins beyond the picture */
    if (ceil_mode && room % stride && w->out[i] * stride < w->in[i] + w->before[i])
        w->out[i]++;
    return PLATEN_OK;
}

platen_status pl_window_slide(const struct pl_call *c, struct pl_window *w)
{
    const char *mode = pl_ir_string(c->node, "auto_pad", "NOTSET");
    const bool ceil_mode = pl_ir_int(c->node, "ceil_mode", 0);
    platen_status s = PLATEN_OK;
    if (strcmp(mode, "NOTSET") && strcmp(mode, "VALID") && strcmp(mode, "SAME_UPPER") &&
        strcmp(mode, "SAME_LOWER"))
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "auto_pad '%.20s'", mode);
    for (int i = 0; i < PL_MAX_SPACE && !s; i++)
        s = slide_axis(c, w, i, mode, ceil_mode);
    return s;
}
