/* SPDX-License-Identifier: BSD-2-Clause */
/* Pipelines, text and JSON: whatever parses must print, and what is printed must parse to the same
 * pipeline. */
#include <stdlib.h>
#include <string.h>

#include "spec/spec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check(const struct platen_pipeline *p)
{
    struct platen_error err;
    struct platen_pipeline *again = NULL;
    char *once = NULL, *twice = NULL;
    if (platen_pipeline_print(p, &once, &err))
        return;
    /* all parameters spelled out may be longer than a text is allowed to be */
    if (strlen(once) <= PL_SPEC_MAX_TEXT) {
        if (pl_spec_parse(once, strlen(once), &again, NULL, &err) ||
            platen_pipeline_print(again, &twice, &err) || strcmp(once, twice))
            abort();
        pl_spec_free(again);
    }
    platen_free(once);
    platen_free(twice);
}

static void try_form(const uint8_t *data, size_t n, enum platen_form form)
{
    struct platen_error err;
    struct platen_pipeline *p = NULL;
    size_t column = 0;
    char *text = malloc(n ? n : 1); /* its own block: reading beyond it is seen */
    if (!text)
        return;
    memcpy(text, data, n);
    if (!platen_pipeline_parse(text, n, form, &p, &column, &err))
        check(p);
    else if (column > n + 1 && text[0] != '@')
        abort();
    platen_pipeline_free(p);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    try_form(data, n, PLATEN_FORM_TEXT);
    try_form(data, n, PLATEN_FORM_JSON);
    return 0;
}
