/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/cli.h"

int cmd_ops(const struct arguments *a)
{
    struct platen_error err;
    char *text = NULL;
    if (a->n_operands > 1)
        return fail_usage("ops takes one operation at most");
    platen_status s = platen_ops_describe(
        a->n_operands ? a->operands[0] : NULL,
        a->given[OPTION_JSON] ? PLATEN_FORM_JSON : PLATEN_FORM_TEXT, &text, &err);
    return print_described(s, text, &err);
}
