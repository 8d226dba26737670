/* SPDX-License-Identifier: BSD-2-Clause */
/* Language models: whatever opens must describe itself and guess within its own bytes. */
#include <stdlib.h>
#include <string.h>

#include "checksummed.h"
#include "recognize/language/language.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void guess(const struct pl_language *l)
{
    struct pl_kernels k;
    uint8_t history[PL_LANGUAGE_HISTORY] = {0};
    float p[PL_LANGUAGE_MAX_SYMBOLS];
    pl_kernels_init(&k, pl_isa_best());
    for (size_t i = 0; i < l->s.n; i++) {
        memmove(history, history + 1, sizeof(history) - 1);
        history[sizeof(history) - 1] = (uint8_t)i;
        pl_language_guess(l, &k, history, p);
        for (size_t j = 0; j < l->s.n; j++)
            if (!(p[j] <= 1e-3f)) /* the logarithm of a probability */
                abort();
    }
}

/* Spells the alphabet over and over: whatever the edges say, the walk stays within them and ends.
 */
static void spell(const struct pl_language *l)
{
    struct pl_spelling s = {0};
    if (!l->words)
        return;
    for (size_t i = 0; i < 4 * l->s.n; i++)
        if (!pl_lexicon_spell(l->words, &s, l->s.names[i % l->s.n]))
            s = pl_lexicon_start(l->words);
}

static void try_bytes(const uint8_t *data, size_t n)
{
    struct pl_language *l = NULL;
    struct platen_error err;
    if (pl_language_open_memory(data, n, &l, &err))
        return;
    struct pl_str text = {0};
    pl_language_describe(l, &text);
    pl_str_done(&text);
    guess(l);
    spell(l);
    pl_language_free(l);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    return try_checksummed(data, n, try_bytes);
}
