/* SPDX-License-Identifier: BSD-2-Clause */
/* Nodes that an import adds to the ends of a graph. */
#ifndef PL_MODELS_GRAFT_H
#define PL_MODELS_GRAFT_H

#include "nn/ir.h"

/* What is added to a graph; the first thing that fails is kept. */
struct pl_graft {
    struct pl_ir *g;
    struct platen_error *err;
    platen_status s;
};

/* Makes room for some nodes more. Returns false when memory is short. */
bool pl_graft_room(struct pl_ir *g);
/* Adds a value, and a constant of one number. */
uint32_t pl_graft_value(struct pl_graft *a, const char *name, struct pl_tensor t);
uint32_t pl_graft_number(struct pl_graft *a, const char *name, float v);
/* Adds a node of up to three inputs and, with `axis`, that attribute; its result, which is `to` or,
 * for PL_IR_NONE, a new value, is returned. pl_ir_sort() is due behind the last one. */
uint32_t pl_graft_node(struct pl_graft *a, const char *name, int op, int n_in, const uint32_t in[3],
                       const int64_t *axis, uint32_t to);

#endif
