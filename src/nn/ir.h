/* SPDX-License-Identifier: BSD-2-Clause */
/* An imported network in memory: values, and the nodes between them in the order in which they run.
 * The semantics are those of the ONNX operators at the opset of the graph. */
#ifndef PL_NN_IR_H
#define PL_NN_IR_H

#include "base/arena.h"
#include "base/status.h"
#include "nn/tensor.h"

/* Limits, tested while a file is read. */
#define PL_IR_MAX_FILE_BYTES ((size_t)1 << 31)
#define PL_IR_MAX_NODES 65536
#define PL_IR_MAX_VALUES 131072
#define PL_IR_MAX_NAME_BYTES 512

#define PL_IR_NONE UINT32_MAX
/* Ranks of a value that has no data: an input of unknown shape, and what a node has to write. */
#define PL_IR_ANY_RANK (-1)
#define PL_IR_UNWRITTEN (-2)

enum pl_attr_kind {
    PL_ATTR_INT = 1,
    PL_ATTR_FLOAT,
    PL_ATTR_STRING,
    PL_ATTR_TENSOR,
    PL_ATTR_INTS,
    PL_ATTR_FLOATS,
    PL_ATTR_STRINGS,
};

struct pl_attr {
    const char *name;
    enum pl_attr_kind kind;
    uint32_t n; /* of the lists */
    union {
        int64_t i;
        float f;
        const char *s;
        const struct pl_tensor *t;
        const int64_t *ints;
        const float *floats;
        const char *const *strings;
    } v;
};

struct pl_op;

struct pl_ir_node {
    const char *name; /* never empty: an unnamed node has the name of its first output */
    const struct pl_op *op;
    uint32_t n_in, n_out, n_attrs;
    uint32_t *in, *out; /* values; PL_IR_NONE = left out */
    const struct pl_attr *attrs;
};

struct pl_ir_value {
    const char *name;
    struct pl_tensor t; /* a constant has data; else a declared input has type and shape, sizes
                           that may vary as -1, and an output its declared type or 0 */
    uint32_t writer;    /* node, or PL_IR_NONE for constants and inputs */
};

struct pl_executor;
struct pl_prepared;

struct pl_ir {
    struct pl_arena arena; /* all that follows points into it or into the file */
    int opset;
    struct pl_ir_value *values;
    struct pl_ir_node *nodes;
    uint32_t *inputs, *outputs;
    size_t n_values, n_nodes, n_inputs, n_outputs;
    size_t max_values; /* room in `values` that a rewrite has made; 0 = none beyond n_values */
    size_t max_nodes;  /* the same for `nodes` */
    /* what runs the sessions in the place of the bodies (nn/executor.h), borrowed; NULL = nothing
     */
    struct pl_executor *executor;
    /* what nodes make of constants for all sessions (nn/prepared.h), owned; NULL = nothing */
    struct pl_prepared *prepared;
};

void pl_ir_init(struct pl_ir *g);
void pl_ir_done(struct pl_ir *g);

/* Finds who writes each value and puts the nodes in an order in which every value is written before
 * it is read; a graph that is in order already stays as it is. Refuses, by name, a value that two
 * nodes write, one that nothing writes, and a circle. */
PL_MUST_USE platen_status pl_ir_sort(struct pl_ir *g, struct platen_error *err);

/* Attributes of a node; NULL or `otherwise` where there is none of that name. The kinds were
 * checked against the operator when the node was made. */
const struct pl_attr *pl_ir_attr(const struct pl_ir_node *n, const char *name);
int64_t pl_ir_int(const struct pl_ir_node *n, const char *name, int64_t otherwise);
float pl_ir_float(const struct pl_ir_node *n, const char *name, float otherwise);
const char *pl_ir_string(const struct pl_ir_node *n, const char *name, const char *otherwise);

/* "name/what" in the graph's memory, or the name alone where that is too long for a file; NULL when
 * memory is short. */
const char *pl_ir_name(struct pl_ir *g, const char *name, const char *what);

/* "node 'a' (Conv): " and the text; for errors of one node. */
PL_MUST_USE platen_status pl_ir_fail(const struct pl_ir_node *n, struct platen_error *err,
                                     platen_status code, const char *fmt, ...) PL_PRINTF(4, 5);

#endif
