/* Where each activation lies in the one block of a runner. */
#ifndef PL_NN_PLAN_H
#define PL_NN_PLAN_H

#include "nn/graph.h"

/* A batch is one wide picture: at the output's resolution a column of blank, line 0, a column of
 * blank, line 1, ..., a column of blank; wider by a constant factor at the resolutions before. So
 * every convolution walks whole rows, and no line sees another one. All sizes and offsets are
 * bytes per such output column: a batch of c columns multiplies them by c. */
struct pl_nn_place {
    size_t offset;      /* of the rows, rows of padding included; multiple of 64 */
    size_t row;         /* from row to row */
    size_t columns;     /* pixels per output column */
    size_t rows;        /* stored: the tensor's, and one more above and below if it is padded */
    bool padded;        /* a reader looks beyond the borders: they must hold the zero point */
    size_t first, last; /* node that writes it (0 for the input, too), last node that reads it */
};

struct pl_nn_plan {
    struct pl_nn_place *place; /* one per tensor */
    size_t bytes;              /* of the block */
};

/* Places all tensors in m's arena-like `arena`; tensors that are alive together do not overlap.
 * The output tensor takes no place in the block. False when memory is short. */
PL_MUST_USE bool pl_nn_plan_make(const struct pl_model *m, struct pl_arena *arena,
                                 struct pl_nn_plan *ret);

#endif
