/* SPDX-License-Identifier: BSD-2-Clause */
/* Convolutions of floats: what Conv and FusedConv share. */
#ifndef PL_NN_OP_OP_CONV_H
#define PL_NN_OP_OP_CONV_H

#include "nn/op/op_activation.h"
#include "nn/op/op_window.h"

/* Channels of a group as packed weights have them: whole panels of the matrix kernel. */
size_t pl_conv_panels(size_t channels);
/* Rows w[0..channels) of `depth` numbers into panels, rows beyond them zeros. */
void pl_conv_pack(float *dst, const float *w, size_t channels, size_t depth);

/* Tells whether each output channel reads one plane of the input, as depthwise kernels do. */
bool pl_conv_is_depthwise(const struct pl_conv *v);

/* y = act(conv(x, w) + b + z) for float32 inputs 0, 1, 2; z is NULL or of y's shape. */
PL_MUST_USE platen_status pl_conv_f32(struct pl_call *c, const struct pl_tensor *y, const float *z,
                                      const struct pl_activation *act);

#endif
