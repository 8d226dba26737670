/* SPDX-License-Identifier: BSD-2-Clause */
/* Weights of a layer as bytes, in the layout of the kernels. */
#ifndef PL_COMPILE_QUANT_QUANT_PACK_H
#define PL_COMPILE_QUANT_QUANT_PACK_H

#include "compile/quant.h"

/* The weights of a layer: w[((o * in + c) * kernel_h + i) * kernel_w + j] of output o, input c of
 * its group. */
struct pl_q_weights {
    const float *w, *bias; /* bias: NULL, or one for each output */
    size_t out, in, groups, kernel_h, kernel_w;
    size_t stored; /* bytes of an input pixel */
    bool depthwise, per_tensor;
    bool flat;   /* depthwise, as pl_q_is_flat() */
    bool narrow; /* weights that pl_qgemm_is_narrow() are wanted */
    struct pl_q_scale x;
    float y_scale;      /* 1 for a result of floats */
    const float *steps; /* NULL, or n_steps of them: one for all, or one for each output */
    size_t n_steps;
};

/* Weights in the order in which the kernels read them; the arrays are in the arena. */
struct pl_q_packed {
    int8_t *weights;
    int32_t *bias;
    float *scale;
    size_t n_weights, n_out; /* n_out: outputs as stored */
    bool narrow;             /* pl_qgemm_is_narrow() */
};

/* Rounds and packs; the bias has the input's zero point worked in. False when memory is short. */
PL_MUST_USE bool pl_q_pack(const struct pl_q_weights *q, struct pl_arena *arena,
                           struct pl_q_packed *ret);
/* Room for n like p behind each other: false when memory is short. */
PL_MUST_USE bool pl_q_packed_new(const struct pl_q_packed *p, size_t n, struct pl_arena *arena,
                                 struct pl_q_packed *ret);
/* Number i of them; they are narrow when all are. */
void pl_q_packed_put(struct pl_q_packed *all, const struct pl_q_packed *p, size_t i);
/* The scale of bytes over lo..hi, lo <= 0 <= hi. */
struct pl_q_scale pl_q_scale_of(double lo, double hi);
/* v as a byte. */
uint8_t pl_q_byte(struct pl_q_scale s, double v);

#endif
