/* SPDX-License-Identifier: BSD-2-Clause */
/* Convolutions of 3 x 3 on bytes in tiles of 4 x 4 outputs (simd/qwinograd.h): fewer products, the
 * same bytes. */
#ifndef PL_NN_OP_QUANT_OP_QWINOGRAD_H
#define PL_NN_OP_QUANT_OP_QWINOGRAD_H

#include "nn/op/quant/op_qproduct.h"

/* Memory for a block of tiles, and the transformed weights. */
struct pl_qwinograd {
    size_t rows, columns; /* tiles of a block */
    size_t width;         /* tiles of a row of the output */
    size_t inputs;        /* channels that are multiplied */
    size_t point_step;    /* numbers from one of the 36 points of the tiles to the next */
    int16_t *tiles;
    int32_t *sums;
    const int16_t *weights;
};

/* Returns how many channels of the input tiles multiply, an even number: those behind them have
 * weights of 0 alone. 0 where tiles do not give the same bytes, or never pay. */
size_t pl_qwinograd_inputs(const struct pl_call *c, const struct pl_qproduct *p,
                           const struct pl_window *w);
/* Returns the transformed weights, which the graph keeps, or NULL where it cannot, or where tiles
 * do not pay for an output of this size: then the convolution goes without tiles. */
const int16_t *pl_qwinograd_weights(struct pl_call *c, const struct pl_qproduct *p,
                                    const struct pl_window *w, size_t inputs);
/* Takes memory of the call. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_qwinograd_begin(struct pl_call *c, const struct pl_qproduct *p,
                                             const struct pl_window *w, size_t inputs,
                                             const int16_t *weights, struct pl_qwinograd *ret);
/* Writes the bytes from `at` on of the output: `rows` whole rows, from the padded rows of the input
 * that begin at src, `row` bytes apart. */
void pl_qwinograd_rows(const struct pl_call *c, const struct pl_qproduct *p,
                       const struct pl_window *w, const struct pl_qwinograd *t, const uint8_t *src,
                       size_t row, size_t at, size_t rows);

#endif
