/* SPDX-License-Identifier: BSD-2-Clause */
/* Nodes that choose one of two graphs. */
#ifndef PL_ONNX_ONNX_BRANCH_H
#define PL_ONNX_ONNX_BRANCH_H

#include "onnx/onnx_node.h"

/* What a branch could add to the graph. */
struct pl_onnx_branch_counts {
    size_t nodes, names;
};

/* Tells whether that is a NodeProto of the operator If. */
bool pl_onnx_is_branch(struct pl_span node);
/* Adds to *c what the branches of such a node could add. */
void pl_onnx_count_branch(struct pl_span node, struct pl_onnx_branch_counts *c);

/* Adds to the graph, in the place of an If, the nodes of the branch that runs: the one that a
 * constant condition chooses, or Squeeze where the other branch is Identity, which PyTorch writes
 * where it does not know whether an axis has one element; a run with more of them fails. Refuses by
 * name every other If. */
PL_MUST_USE platen_status pl_onnx_add_branch(struct pl_onnx *o, struct pl_span node,
                                             struct platen_error *err);

#endif
