/* SPDX-License-Identifier: BSD-2-Clause */
/* Nodes that onnxruntime's tools write: operators of its own domain. */
#ifndef PL_ONNX_ONNX_CONTRIB_H
#define PL_ONNX_ONNX_CONTRIB_H

#include "onnx/onnx_node.h"

/* Tells whether that is the name of the domain. */
bool pl_onnx_contrib_domain(struct pl_span domain);
/* Returns how many nodes, and how many values, a node of a domain may add to the graph beside
 * itself and what it names: none where it is another domain. */
size_t pl_onnx_contrib_most(struct pl_span domain, size_t n_in);

/* Adds to the graph what computes the same as node n, whose operator of the domain is named `op`,
 * in operators of ONNX. Refuses by name an operator or an attribute that is not known, and a result
 * that is not made. The states of DynamicQuantizeLSTM stay floats, which onnxruntime rounds in each
 * step. */
PL_MUST_USE platen_status pl_onnx_add_contrib(struct pl_onnx *o, const struct pl_ir_node *n,
                                              const char *op, struct platen_error *err);

#endif
