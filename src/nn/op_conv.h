/* Convolutions of floats: what Conv and FusedConv share. */
#ifndef PL_NN_OP_CONV_H
#define PL_NN_OP_CONV_H

#include "nn/op_activation.h"
#include "nn/op_window.h"

/* Weights of a convolution may be packed for the matrix kernel: [groups * ceil(out / 8), in * taps,
 * 8] for `out` channels of a group, rows beyond them zeros. The node then tells kernel_shape and
 * out_channels, which is the number of channels of all groups. */
PL_MUST_USE platen_status pl_conv_weights(const struct pl_call *c, struct pl_tensor *ret_shape,
                                          bool *ret_packed);

/* Elements of the packed weights of one group. */
static inline size_t pl_conv_panel_count(size_t out_channels, size_t depth)
{
    return (out_channels + PL_SGEMM_ROWS - 1) / PL_SGEMM_ROWS * PL_SGEMM_ROWS * depth;
}

/* Rows w[0..out) of `depth` numbers into panels. */
void pl_conv_pack(float *dst, const float *w, size_t out_channels, size_t depth);

/* A convolution of one plane for each channel, the way of depthwise kernels. */
bool pl_conv_is_depthwise(const struct pl_conv *v);

/* y = act(conv(x, w) + b + z) for float32 inputs 0, 1, 2; z is NULL or of y's shape. */
PL_MUST_USE platen_status pl_conv_f32(struct pl_call *c, const struct pl_tensor *y, const float *z,
                                      const struct pl_activation *act);

#endif
