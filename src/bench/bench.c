/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/bench.h"

#include <string.h>

static const struct {
    const char *name;
    pl_bench_subject *run;
    const char *operands; /* what it needs at least one of; NULL = nothing */
} subjects[] = {
    {"kernels", pl_bench_all_kernels, NULL}, {"memory", pl_bench_memory, NULL},
    {"threads", pl_bench_threads, "inputs"}, {"batching", pl_bench_batching, "inputs"},
    {"models", pl_bench_models, "models"},   {"quantizing", pl_bench_quantizing, "ONNX files"},
};

platen_status platen_bench(const char *subject, const char *const *names, size_t n,
                           const char *models,
                           void (*fn)(void *ctx, const struct platen_bench_row *row), void *ctx,
                           struct platen_error *err)
{
    const struct pl_bench_input in = {names, n, models};
    const struct pl_bench_reader to = {fn, ctx};
    platen_status s = PL_NEED(err, subject);
    s = s ? s : PL_NEED_WHEN(err, n, names);
    s = s ? s : PL_NEED_WHEN(err, true, fn);
    if (s)
        return s;
    for (size_t i = 0; i < PL_ARRAY_LEN(subjects); i++) {
        if (strcmp(subjects[i].name, subject))
            continue;
        if (!n && subjects[i].operands)
            return pl_fail(err, PLATEN_ERR_ARG, "bench %s needs %s", subject, subjects[i].operands);
        return subjects[i].run(&in, &to, err);
    }
    return pl_fail(
        err, PLATEN_ERR_ARG,
        "bench knows kernels, memory, threads, batching, models and quantizing, not '%s'", subject);
}
