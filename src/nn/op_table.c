/* SPDX-License-Identifier: BSD-2-Clause */
/* The operators by name and number, and what a node must have to be one of them. */
#include "nn/operators.h"

#include <string.h>

#include "config.h"

static const struct pl_op table[PL_OP_COUNT] = {
#define PL_OP(name, min_in, max_in, max_out, traits, attrs, infer, run)                            \
    {#name, PL_OP_##name, min_in, max_in, max_out, traits, attrs, pl_infer_##infer, pl_run_##run},
#if !PL_MODEL_TOOLS
#define PL_OP_REFERENCE(name, min_in, max_in, max_out, traits, attrs, infer, run)                  \
    {#name, PL_OP_##name, min_in, max_in, max_out, traits, attrs, NULL, NULL},
#endif
#include "nn/ops.def"
};

const struct pl_op *pl_op_find(const char *name)
{
    for (size_t i = 0; i < PL_OP_COUNT; i++)
        if (!strcmp(table[i].name, name))
            return &table[i];
    return NULL;
}

const struct pl_op *pl_op_by_id(int id)
{
    return &table[id];
}

/* Returns the letter of attribute `name` in a list as "axis:i pads:I", or 0. */
static char letter_of(const char *attrs, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = attrs; *p; p += strcspn(p, " "), p += *p == ' ')
        if (!strncmp(p, name, n) && p[n] == ':')
            return p[n + 1];
    return 0;
}

platen_status pl_op_check(const struct pl_ir_node *n, struct platen_error *err)
{
    static const char letters[] = {
        [PL_ATTR_INT] = 'i',    [PL_ATTR_FLOAT] = 'f', [PL_ATTR_STRING] = 's',
        [PL_ATTR_TENSOR] = 't', [PL_ATTR_INTS] = 'I',  [PL_ATTR_FLOATS] = 'F',
        [PL_ATTR_STRINGS] = 'S'};
    const struct pl_op *op = n->op;
    if (!op->run)
        return pl_ir_fail(n, err, PLATEN_ERR_UNSUPPORTED,
                          "this build has no model tools (-Dmodel_tools)");
    if (n->n_in < op->min_in || (op->max_in != PL_OP_ANY && n->n_in > op->max_in))
        return pl_ir_fail(n, err, PLATEN_ERR_FORMAT, "%u inputs", n->n_in);
    if (!n->n_out || (op->max_out != PL_OP_ANY && n->n_out > op->max_out))
        return pl_ir_fail(n, err, PLATEN_ERR_FORMAT, "%u outputs", n->n_out);
    for (uint32_t i = 0; i < op->min_in; i++)
        if (n->in[i] == PL_IR_NONE)
            return pl_ir_fail(n, err, PLATEN_ERR_FORMAT, "input %u is left out", i);
    for (uint32_t i = 0; i < n->n_attrs; i++) {
        const struct pl_attr *a = &n->attrs[i];
        char letter = letter_of(op->attrs, a->name);
        if (!letter)
            return pl_ir_fail(n, err, PLATEN_ERR_UNSUPPORTED, "unknown attribute '%.40s'", a->name);
        if (letter != letters[a->kind])
            return pl_ir_fail(n, err, PLATEN_ERR_FORMAT, "attribute '%.40s' is of the wrong kind",
                              a->name);
    }
    return PLATEN_OK;
}
