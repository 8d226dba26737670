/* Model files: whatever opens must describe itself and run within its own bytes. */
#include <stdlib.h>
#include <string.h>

#include "../model_bytes.h"
#include "nn/language.h"
#include "nn/run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void run(const struct pl_model *m)
{
    struct pl_kernels k;
    struct pl_runner *r = NULL;
    struct pl_logits logits;
    static uint8_t px[256 * 64]; /* the highest line, 64 columns wide */
    const struct pl_line_model *line = pl_model_line(m);
    int stride = line ? line->stride : pl_model_detector(m)->stride;
    pl_kernels_init(&k, pl_isa_best());
    struct pl_strip lines[2] = {{px, 64, 3 * stride}, {px, 64, stride}};
    if (!pl_runner_new(m, &k, &r, NULL) && !pl_runner_run(r, lines, 2, &logits, NULL) &&
        logits.first_step[2] != 4)
        abort();
    pl_runner_free(r);
}

static void guess(const struct pl_language *l)
{
    struct pl_kernels k;
    uint8_t history[PL_LANGUAGE_HISTORY] = {0};
    float p[128];
    pl_kernels_init(&k, pl_isa_best());
    for (size_t i = 0; i < l->n_symbols; i++) {
        memmove(history, history + 1, sizeof(history) - 1);
        history[sizeof(history) - 1] = (uint8_t)i;
        pl_language_guess(l, &k, history, p);
        for (size_t j = 0; j < l->n_symbols; j++)
            if (!(p[j] <= 1e-3f)) /* the logarithm of a probability */
                abort();
    }
}

static void try_bytes(const uint8_t *data, size_t n)
{
    struct pl_model *m = NULL;
    struct platen_error err;
    if (pl_model_open_memory(data, n, &m, &err))
        return;
    struct pl_str text = {0};
    pl_model_describe(m, &text);
    pl_str_done(&text);
    if (pl_model_language(m))
        guess(pl_model_language(m));
    else
        run(m);
    pl_model_free(m);
}

/* Once as the bytes are, once with their checksums put right: else no mutation gets past them. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    uint8_t *copy = aligned_alloc(64, (n + 64) & ~(size_t)63);
    if (!copy)
        return 0;
    memcpy(copy, data, n);
    try_bytes(copy, n);
    fix_checksums(copy, n);
    if (memcmp(copy, data, n))
        try_bytes(copy, n);
    free(copy);
    return 0;
}
