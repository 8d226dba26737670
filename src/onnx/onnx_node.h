/* SPDX-License-Identifier: BSD-2-Clause */
/* The graph while it is read, for the parts of the ONNX reader. */
#ifndef PL_ONNX_ONNX_NODE_H
#define PL_ONNX_ONNX_NODE_H

#include "onnx/onnx.h"

enum { PL_ONNX_NODE_IN = 1, PL_ONNX_NODE_OUT = 2, PL_ONNX_NODE_DOMAIN = 7 };

/* A graph while it is read. */
struct pl_onnx {
    struct pl_ir *g;
    struct pl_beside *beside; /* or NULL */
    uint32_t *table; /* The numbers of values in a hash table by name, of mask + 1 places. */
    size_t mask, max_values; /* g->values has room for max_values. */
};

/* Finds the value of that name, or adds it. The name must last as long as the graph. */
PL_MUST_USE platen_status pl_onnx_value(struct pl_onnx *o, const char *name, uint32_t *ret,
                                        struct platen_error *err);
/* Adds a TensorProto, a constant of the graph. */
PL_MUST_USE platen_status pl_onnx_add_constant(struct pl_onnx *o, struct pl_span m,
                                               struct platen_error *err);
/* Adds a NodeProto. */
PL_MUST_USE platen_status pl_onnx_add_node(struct pl_onnx *o, struct pl_span m,
                                           struct platen_error *err);
/* Tells whether that is the name of the domain whose operators are read. */
bool pl_onnx_default_domain(struct pl_span domain);

#endif
