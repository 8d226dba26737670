/* SPDX-License-Identifier: BSD-2-Clause */
/* The subjects of `platen bench`. */
#ifndef PL_BENCH_BENCH_H
#define PL_BENCH_BENCH_H

#include "base/attr.h"
#include "base/turns.h"
#include "platen.h"

/* Who takes the rows. */
struct pl_bench_reader {
    void (*fn)(void *ctx, const struct platen_bench_row *row);
    void *ctx;
};

/* What is timed. */
struct pl_bench_input {
    const char *const *names;
    size_t n;
    const char *models; /* directories to search for models, or NULL */
};

typedef platen_status pl_bench_subject(const struct pl_bench_input *in,
                                       const struct pl_bench_reader *to, struct platen_error *err);

PL_MUST_USE pl_bench_subject pl_bench_all_kernels;
PL_MUST_USE pl_bench_subject pl_bench_memory;
PL_MUST_USE pl_bench_subject pl_bench_threads, pl_bench_batching;
PL_MUST_USE pl_bench_subject pl_bench_models;
PL_MUST_USE pl_bench_subject pl_bench_quantizing;

/* Runs the ways and gives a row for each, the first of which the others are compared with.
 * `unit_ns` is how many nanoseconds for one thing done are one `unit`. */
struct pl_bench_case {
    const char *subject, *data, *unit;
    const char *const *ways;
    double unit_ns;
};
PL_MUST_USE platen_status pl_bench_case(const struct pl_bench_case *c, struct pl_turns *t,
                                        pl_turn_fn *fn, void *ctx, const struct pl_bench_reader *to,
                                        struct platen_error *err);

/* The last part of a path. */
const char *pl_bench_leaf(const char *path);

#endif
