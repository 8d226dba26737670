/* SPDX-License-Identifier: BSD-2-Clause */
/* Language identifiers: whatever opens must describe itself and judge any text within its own
 * bytes. */
#include <stdlib.h>
#include <string.h>

#include "checksummed.h"
#include "recognize/language/identify.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* Reads the file's own bytes as a text. */
static void judge(const struct pl_identifier *id, const uint8_t *data, size_t n)
{
    struct pl_kernels k;
    struct pl_traits t = {.pieces = 0};
    uint32_t text[512];
    float p[PL_IDENTIFIER_MAX_LANGUAGES];
    n = PL_MIN(n, PL_ARRAY_LEN(text));
    pl_kernels_init(&k, pl_isa_best());
    for (size_t i = 0; i < n; i++)
        text[i] = (uint32_t)(data[i] * (i % 3 + 1));
    pl_identifier_add(id, &k, text, n, &t);
    pl_identifier_judge(id, &k, &t, p);
    for (size_t i = 0; i < id->s.n; i++)
        if (!(p[i] >= 0 && p[i] <= 1.001f))
            abort();
}

static void try_bytes(const uint8_t *data, size_t n)
{
    struct pl_identifier *id = NULL;
    struct platen_error err;
    if (pl_identifier_open_memory(data, n, &id, &err))
        return;
    struct pl_str text = {0};
    pl_identifier_describe(id, &text);
    pl_str_done(&text);
    judge(id, data, n);
    pl_identifier_free(id);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    return try_checksummed(data, n, try_bytes);
}
