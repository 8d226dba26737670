/* SPDX-License-Identifier: BSD-2-Clause */
#include "models/graft.h"

#include <string.h>

#include "nn/operators.h"

#define ADDED_NODES 4
#define ADDED_VALUES 10

bool pl_graft_room(struct pl_ir *g)
{
    struct pl_ir_value *values = PL_NEW(&g->arena, struct pl_ir_value, g->n_values + ADDED_VALUES);
    struct pl_ir_node *nodes = PL_NEW(&g->arena, struct pl_ir_node, g->n_nodes + ADDED_NODES);
    if (!values || !nodes)
        return false;
    memcpy(values, g->values, g->n_values * sizeof(*values));
    memcpy(nodes, g->nodes, g->n_nodes * sizeof(*nodes));
    g->values = values;
    g->nodes = nodes;
    return true;
}

uint32_t pl_graft_value(struct pl_graft *a, const char *name, struct pl_tensor t)
{
    a->g->values[a->g->n_values] = (struct pl_ir_value){.name = name, .t = t, .writer = PL_IR_NONE};
    return (uint32_t)a->g->n_values++;
}

uint32_t pl_graft_number(struct pl_graft *a, const char *name, float v)
{
    float *data = pl_arena_alloc(&a->g->arena, 16, 16);
    if (data)
        *data = v;
    else if (!a->s)
        a->s = pl_fail_nomem(a->err, sizeof(*data), "a number");
    return pl_graft_value(a, name, (struct pl_tensor){.type = PL_F32, .data = data});
}

uint32_t pl_graft_node(struct pl_graft *a, const char *name, int op, int n_in, const uint32_t in[3],
                       const int64_t *axis, uint32_t to)
{
    struct pl_ir *g = a->g;
    struct pl_ir_node *n = &g->nodes[g->n_nodes++];
    uint32_t *edges = PL_NEW(&g->arena, uint32_t, 4);
    struct pl_attr *attr = PL_NEW(&g->arena, struct pl_attr, 1);
    if (to == PL_IR_NONE)
        to = pl_graft_value(a, name, (struct pl_tensor){.rank = PL_IR_UNWRITTEN});
    *n = (struct pl_ir_node){.name = name,
                             .op = pl_op_by_id(op),
                             .n_in = (uint32_t)n_in,
                             .n_out = 1,
                             .n_attrs = axis ? 1 : 0};
    if (!edges || !attr) {
        a->s = a->s ? a->s : pl_fail_nomem(a->err, sizeof(*attr), "a node");
        n->n_in = n->n_out = n->n_attrs = 0;
        return to;
    }
    memcpy(edges, in, (size_t)n_in * sizeof(*in));
    edges[3] = to;
    *attr = (struct pl_attr){.name = "axis", .kind = PL_ATTR_INT, .v.i = axis ? *axis : 0};
    n->in = edges;
    n->out = edges + 3;
    n->attrs = attr;
    return to;
}
