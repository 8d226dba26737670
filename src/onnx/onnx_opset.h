/* SPDX-License-Identifier: BSD-2-Clause */
/* Nodes of the first opsets. */
#ifndef PL_ONNX_ONNX_OPSET_H
#define PL_ONNX_ONNX_OPSET_H

#include "base/status.h"
#include "nn/ir.h"

/* Brings a sorted graph of opset 6 or older to opset 7: the attributes `broadcast`, `axis` and
 * `is_test`, slopes of PRelu, the shape of Reshape and the type of Cast get the form that they have
 * since then. Refuses by name a node that trains, and one whose alignment depends on a rank that
 * the file does not tell. */
PL_MUST_USE platen_status pl_onnx_raise(struct pl_ir *g, struct platen_error *err);

#endif
