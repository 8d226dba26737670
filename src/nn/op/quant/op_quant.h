/* SPDX-License-Identifier: BSD-2-Clause */
/* Operators on bytes that the quantiser makes. Their values are u8, channels last: a picture that
 * the graph has as [n, c, h, w] is [n, h, w, stored], c filled up to a multiple of 16 (of a
 * network's input to 1 or a multiple of 4); what the channels beyond c hold means nothing. A byte q
 * stands for (q - zero) * scale. */
#ifndef PL_NN_OP_QUANT_OP_QUANT_H
#define PL_NN_OP_QUANT_OP_QUANT_H

#include "nn/op/op_window.h"

/* The attribute, which must be from lo to hi (else PLATEN_ERR_FORMAT). */
PL_MUST_USE platen_status pl_q_int(const struct pl_call *c, const char *name, int64_t lo,
                                   int64_t hi, int64_t *ret);
/* "y_zero" and the like: 0..255. */
PL_MUST_USE platen_status pl_q_zero(const struct pl_call *c, const char *name, int32_t *ret);
/* Wants input i to be there, dense bytes of rank lo..hi. */
PL_MUST_USE platen_status pl_q_bytes(const struct pl_call *c, uint32_t i, int lo, int hi);
/* Wants input i to be of the type and to have n elements. */
PL_MUST_USE platen_status pl_q_array(const struct pl_call *c, uint32_t i, enum pl_dtype type,
                                     size_t n);
/* Weights [n_oc][runs * run_bytes] at input i that a node calls narrow must be that: told before
 * the runs. */
PL_MUST_USE platen_status pl_q_narrow(struct pl_call *c, uint32_t i, size_t n_oc, size_t runs,
                                      size_t run_bytes);
/* Sums that begin with the biases at input i must not leave their 32 bits: the same. */
PL_MUST_USE platen_status pl_q_bias(struct pl_call *c, uint32_t i);
/* The window over a picture with its channels last, rank 3 or 4, at most two axes of space. */
PL_MUST_USE platen_status pl_q_window(const struct pl_call *c, const struct pl_tensor *x,
                                      struct pl_window *ret);

/* Depthwise kernels of one row go by another kernel (qdw_u8 in simd/qgemm.h, whose weights lie as
 * it reads them), where they step by one and nothing is added. */
static inline bool pl_q_is_flat(int64_t kernel_h, int64_t stride_w, bool has_residual)
{
    return kernel_h == 1 && stride_w == 1 && !has_residual;
}

/* A state of recurrent layers as a byte: from -1 to 1, which no LSTM leaves, nor a GRU whose state
 * begins there. */
#define PL_Q_STATE_ZERO 128
#define PL_Q_STATE_SCALE (1 / 127.0f)

/* Bytes of the state of `hidden` cells: those of a row of weights, a multiple of 4. */
static inline size_t pl_q_state_bytes(size_t hidden)
{
    return (hidden + 3) / 4 * 4;
}

/* Whether node n would turn floats (q - zero) * scale of one channel into the bytes q again: it
 * then takes the bytes q as well. */
bool pl_q_takes_bytes(const struct pl_ir_node *n, float scale, int32_t zero);

/* Channels as they are stored. */
static inline size_t pl_q_stored(size_t channels)
{
    return (channels + 15) / 16 * 16;
}

#endif
