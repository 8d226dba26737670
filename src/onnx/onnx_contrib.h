/* SPDX-License-Identifier: BSD-2-Clause */
/* Nodes that onnxruntime's tools write: operators of its own domain. */
#ifndef PL_ONNX_ONNX_CONTRIB_H
#define PL_ONNX_ONNX_CONTRIB_H

#include "onnx/onnx_node.h"

/* A node adds no more than this to the graph, nodes and values alike, and one for each of its
 * inputs. */
#define PL_ONNX_CONTRIB_MOST 8

/* Tells whether that is the name of the domain. */
bool pl_onnx_contrib_domain(struct pl_span domain);

/* Adds to the graph what computes the same as node n, whose operator of the domain is named `op`,
 * in operators of ONNX. Refuses by name an operator or an attribute that is not known, and a result
 * that is not made. The states of DynamicQuantizeLSTM stay floats, which onnxruntime rounds in each
 * step. */
PL_MUST_USE platen_status pl_onnx_add_contrib(struct pl_onnx *o, const struct pl_ir_node *n,
                                              const char *op, struct platen_error *err);

#endif
