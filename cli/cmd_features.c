/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>

#include "cli/cli.h"

int cmd_features(const struct arguments *a)
{
    struct platen_error err;
    char *text = NULL;
    if (a->n_operands)
        return fail_usage("detect-features takes no operands");
    platen_status s = platen_features_describe(
        wanted_isa(a), getenv("PLATEN_MODELS"),
        a->given[OPTION_JSON] ? PLATEN_FORM_JSON : PLATEN_FORM_TEXT, &text, &err);
    return print_described(s, text, &err);
}
