#include "op/op.h"

struct pl_arg *pl_op_defaults(struct pl_arena *arena, const struct pl_op_info *op)
{
    struct pl_arg *args = PL_NEW(arena, struct pl_arg, op->n_params);
    for (size_t i = 0; args && i < op->n_params; i++)
        args[i] = (struct pl_arg){op->params[i].def, op->params[i].def_text};
    return args;
}
