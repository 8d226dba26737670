/* SPDX-License-Identifier: BSD-2-Clause */
/* The names of a graph: values by name, and the domain whose operators are read. */
#include "onnx/onnx_node.h"

#include <string.h>

/* The hash of a name (FNV-1a) for a table with open addressing. */
static size_t hash_name(const char *s)
{
    uint64_t h = 14695981039346656037u;
    for (; *s; s++)
        h = (h ^ (uint8_t)*s) * 1099511628211u;
    return (size_t)(h ^ h >> 32);
}

platen_status pl_onnx_value(struct pl_onnx *o, const char *name, uint32_t *ret,
                            struct platen_error *err)
{
    struct pl_ir *g = o->g;
    size_t at = hash_name(name) & o->mask;
    for (; o->table[at] != PL_IR_NONE; at = (at + 1) & o->mask)
        if (!strcmp(g->values[o->table[at]].name, name)) {
            *ret = o->table[at];
            return PLATEN_OK;
        }
    if (g->n_values == o->max_values)
        return pl_fail(err, PLATEN_ERR_LIMIT, "more than %zu values", o->max_values);
    *ret = o->table[at] = (uint32_t)g->n_values;
    g->values[g->n_values++] =
        (struct pl_ir_value){.name = name, .t.rank = PL_IR_UNWRITTEN, .writer = PL_IR_NONE};
    return PLATEN_OK;
}

platen_status pl_onnx_add_constant(struct pl_onnx *o, struct pl_span m, struct platen_error *err)
{
    struct pl_tensor t;
    const char *name;
    uint32_t v;
    platen_status s = pl_onnx_tensor(m, o->beside, &o->g->arena, &t, &name, err);
    s = s ? s : pl_onnx_value(o, name, &v, err);
    if (s)
        return s;
    if (o->g->values[v].t.data)
        return pl_fail(err, PLATEN_ERR_FORMAT, "two constants have the name '%.60s'", name);
    o->g->values[v].t = t;
    return PLATEN_OK;
}

bool pl_onnx_default_domain(struct pl_span domain)
{
    return domain.n == 0 || (domain.n == 7 && !memcmp(domain.p, "ai.onnx", 7));
}
