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

/* Returns whether every pixel of the output meets one pixel of the input, in order, so that the
 * input is the right matrix as it lies. */
bool pl_conv_is_pointwise(const struct pl_window *w);

/* What computing a convolution takes; z is a residual or NULL. */
struct pl_conv_job {
    struct pl_call *c;
    struct pl_conv v;
    const struct pl_activation *act;
    const float *x, *weights, *bias, *z;
    float *panels; /* room for the weights of a group, where they are not packed */
    float *y;
};

/* Returns the packed weights of group g; those of another group may lie there afterwards. */
const float *pl_conv_group(const struct pl_conv_job *j, size_t g);

/* Writes elements at..at + n - 1 of the output: their sums, which may lie there, with the residual
 * and the activation. */
void pl_conv_finish(const struct pl_conv_job *j, size_t at, size_t n, const float *sums);

/* ---- op_conv_winograd.c ---- */

/* Memory for a block of tiles. */
struct pl_winograd {
    size_t rows, width, tiles;        /* rows of tiles of a block, tiles of a row and of a block */
    size_t channels;                  /* of the output at once */
    size_t w_step, in_step, out_step; /* floats from one of the 36 points to the next */
    const float *kept;                /* weights in panels, of all groups; or NULL */
    float *weights;                   /* room for those of the channels at once then */
    float *inputs, *outputs;          /* of each channel the tiles */
    float *padded;                    /* the rows of a plane for a block, by remainders by 4 */
    size_t part;                      /* floats of those of equal remainders */
    float *line;                      /* a row before its columns part */
};

/* Tells whether the tiles pay for a convolution. */
bool pl_conv_is_winograd(const struct pl_conv *v);
/* Takes memory of the call. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_winograd_begin(const struct pl_conv_job *j, struct pl_winograd *ws);
/* Computes group g of all pictures. */
void pl_winograd_group(const struct pl_conv_job *j, const struct pl_winograd *ws, size_t g);

/* ---- op_conv_pair.c ---- */

/* Tells whether two calls, the second of which alone reads what the first writes, as its input 0,
 * are convolutions of 1 x 1 that gain by running strip by strip. Looks at shapes and types alone.
 */
bool pl_conv_is_pair(struct pl_call *first, struct pl_call *second);
/* Runs both, of which pl_conv_is_pair() holds; output 0 of the first stays as it is. Memory of the
 * first call. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_conv_run_pair(struct pl_call *first, struct pl_call *second);

/* ---- op_conv_f32.c ---- */

/* y = act(conv(x, w) + b + z) for float32 inputs 0, 1, 2; z is NULL or of y's shape. */
PL_MUST_USE platen_status pl_conv_f32(struct pl_call *c, const struct pl_tensor *y, const float *z,
                                      const struct pl_activation *act);

#endif
