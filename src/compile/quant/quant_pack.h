/* SPDX-License-Identifier: BSD-2-Clause */
/* Weights of a layer as bytes, in the layout of the kernels. */
#ifndef PL_COMPILE_QUANT_QUANT_PACK_H
#define PL_COMPILE_QUANT_QUANT_PACK_H

#include "compile/quant.h"

/* The weights of a layer: w[((o * in + c) * kernel_h + i) * kernel_w + j] of output o, input c of
 * its group. */
struct pl_q_weights {
    const float *w, *bias; /* The bias has a number for each output, or is NULL. */
    size_t out, in, groups, kernel_h, kernel_w;
    size_t stored; /* An input pixel takes this many bytes. */
    bool depthwise, per_tensor;
    bool flat;   /* The layer is depthwise, and pl_q_is_flat() holds. */
    bool narrow; /* Weights for which pl_qgemm_is_narrow(), or else _is_paired(), holds are wanted.
                  */
    struct pl_q_scale x; /* The meaning of the input's bytes. */
    float y_scale;       /* The scale of the result; 1 when the result is floats. */
    /* The steps of weights that the graph says: one for all outputs, or one for each; or NULL. */
    const float *steps;
    size_t n_steps;
};

/* Weights in the order in which the kernels read them; the arrays are in the arena. */
struct pl_q_packed {
    int8_t *weights;
    int32_t *bias;
    float *scale;
    size_t n_weights, n_out; /* n_out counts outputs with their fill (pl_q_stored()). */
    bool narrow;             /* pl_qgemm_is_narrow() holds for the weights. */
};

/* Rounds and packs weights; the bias takes in the input's zero point. Returns false when memory is
 * short. */
PL_MUST_USE bool pl_q_pack(const struct pl_q_weights *q, struct pl_arena *arena,
                           struct pl_q_packed *ret);
/* Makes room for the packed weights of n matrices like p. Returns false when memory is short. */
PL_MUST_USE bool pl_q_packed_new(const struct pl_q_packed *p, size_t n, struct pl_arena *arena,
                                 struct pl_q_packed *ret);
/* Puts packed weights at place i of such room, which is narrow when all of its parts are. */
void pl_q_packed_put(struct pl_q_packed *all, const struct pl_q_packed *p, size_t i);
/* Returns the scale of bytes that cover lo..hi, where lo <= 0 <= hi. */
struct pl_q_scale pl_q_scale_of(double lo, double hi);
/* Returns the byte that is closest to v. */
uint8_t pl_q_byte(struct pl_q_scale s, double v);

#endif
