/* SPDX-License-Identifier: BSD-2-Clause */
/* The loops of operators that work along one axis. */
#ifndef PL_NN_OP_OP_REDUCE_H
#define PL_NN_OP_OP_REDUCE_H

#include "nn/operators.h"

/* An axis of a tensor as three loops: element (o, i, k) lies at (o * n + i) * inner + k. */
struct pl_axis_line {
    size_t outer, n, inner;
};

static inline struct pl_axis_line pl_line_of(const struct pl_tensor *t, int axis)
{
    return (struct pl_axis_line){pl_tensor_span(t, 0, axis), (size_t)t->dims[axis],
                                 pl_tensor_span(t, axis + 1, t->rank)};
}

#endif
