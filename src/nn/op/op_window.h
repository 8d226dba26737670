/* SPDX-License-Identifier: BSD-2-Clause */
/* Windows that slide over pictures: convolutions and pools. */
#ifndef PL_NN_OP_OP_WINDOW_H
#define PL_NN_OP_OP_WINDOW_H

#include "nn/operators.h"

#define PL_MAX_SPACE 3

/* `n` axes, filled up in front with axes of size 1 to PL_MAX_SPACE of them. */
struct pl_window {
    int n;
    int64_t in[PL_MAX_SPACE], out[PL_MAX_SPACE], kernel[PL_MAX_SPACE], stride[PL_MAX_SPACE],
        dilation[PL_MAX_SPACE], before[PL_MAX_SPACE], after[PL_MAX_SPACE];
};

/* Reads the attributes for pictures of the shape of x; `weights` give the kernel's size where the
 * node does not (NULL: it must). Fills all but `out`. */
PL_MUST_USE platen_status pl_window_read(const struct pl_call *c, const struct pl_tensor *x,
                                         const struct pl_tensor *weights, struct pl_window *ret);
/* Sizes of the output and the padding of auto_pad. */
PL_MUST_USE platen_status pl_window_slide(const struct pl_call *c, struct pl_window *w);

/* Outputs *first to *last - 1 along an axis for which tap k of the kernel lies on the picture. */
void pl_window_valid(const struct pl_window *w, int axis, int64_t k, int64_t *first, int64_t *last);

static inline size_t pl_window_volume(const int64_t dims[PL_MAX_SPACE])
{
    return (size_t)(dims[0] * dims[1] * dims[2]);
}

/* Pictures and channels of a convolution. */
struct pl_conv {
    struct pl_window w;
    size_t batch, groups, in_channels, out_channels; /* of one group */
    bool packed;                                     /* weights in panels (nn/op/op_conv.h) */
};

/* Reads a convolution: checks groups, channels and bias, fills the window. */
PL_MUST_USE platen_status pl_conv_read(const struct pl_call *c, const struct pl_tensor *x,
                                       const struct pl_tensor *weights,
                                       const struct pl_tensor *bias, struct pl_conv *ret);
/* Reads a convolution and sets the shape of its output, of that type. */
PL_MUST_USE platen_status pl_conv_shape(const struct pl_call *c, const struct pl_tensor *x,
                                        const struct pl_tensor *weights,
                                        const struct pl_tensor *bias, enum pl_dtype type);

#endif
