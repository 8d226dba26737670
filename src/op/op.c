/* SPDX-License-Identifier: BSD-2-Clause */
#include "op/op.h"

#include <assert.h>
#include <string.h>

const char *platen_stage_name(enum platen_stage s)
{
    static const char *const names[PLATEN_STAGES] = {
        [PLATEN_STAGE_DECODE] = "decode", [PLATEN_STAGE_PREPROCESS] = "preprocess",
        [PLATEN_STAGE_DETECT] = "detect", [PLATEN_STAGE_RECOGNIZE] = "recognize",
        [PLATEN_STAGE_OUTPUT] = "output",
    };
    return (unsigned)s < PLATEN_STAGES ? names[s] : "unknown";
}

const struct pl_op_info *pl_operation_find(const struct pl_op_info *const *list, const char *name,
                                           size_t n)
{
    while (*list && !(strlen((*list)->name) == n && !memcmp((*list)->name, name, n)))
        list++;
    return *list;
}

void pl_args_init(const struct pl_op_info *op, void *args)
{
    for (size_t i = 0; i < op->n_params; i++) {
        const struct pl_param *param = &op->params[i];
        if (param->kind == PL_PARAM_TEXT)
            pl_arg_set_text(param, args, param->def_text);
        else
            pl_arg_set_number(param, args, param->def);
    }
}

double pl_arg_number(const struct pl_param *param, const void *args)
{
    const void *at = (const char *)args + param->offset;
    switch (param->kind) {
    case PL_PARAM_NUMBER:
        return *(const double *)at;
    case PL_PARAM_INT:
        return *(const int *)at;
    case PL_PARAM_CHOICE:
        return *(const unsigned *)at;
    case PL_PARAM_TEXT:
        break;
    }
    return 0;
}

const char *pl_arg_text(const struct pl_param *param, const void *args)
{
    const void *at = (const char *)args + param->offset;
    return param->kind == PL_PARAM_TEXT ? *(const char *const *)at : NULL;
}

void pl_arg_set_number(const struct pl_param *param, void *args, double value)
{
    assert(param->kind != PL_PARAM_TEXT);
    void *at = (char *)args + param->offset;
    switch (param->kind) {
    case PL_PARAM_NUMBER:
        *(double *)at = value;
        break;
    case PL_PARAM_INT:
        *(int *)at = (int)value;
        break;
    case PL_PARAM_CHOICE:
        *(unsigned *)at = (unsigned)value;
        break;
    case PL_PARAM_TEXT:
        break;
    }
}

void pl_arg_set_text(const struct pl_param *param, void *args, const char *value)
{
    assert(param->kind == PL_PARAM_TEXT);
    void *at = (char *)args + param->offset;
    if (param->kind == PL_PARAM_TEXT)
        *(const char **)at = value;
}

const struct pl_param *pl_op_param_naming(const struct pl_op_info *op, enum pl_param_names what)
{
    for (size_t i = 0; i < op->n_params; i++)
        if (op->params[i].names == what)
            return &op->params[i];
    return NULL;
}
