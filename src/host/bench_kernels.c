/* SPDX-License-Identifier: BSD-2-Clause */
/* `platen bench kernels`: the rows of simd/kernel_bench.h in the terms of platen.h. */
#include "simd/kernel_bench.h"

struct forward {
    void (*fn)(void *ctx, const struct platen_bench_row *row);
    void *ctx;
};

static void forward_row(void *ctx, const struct pl_bench_row *row)
{
    const struct forward *f = ctx;
    struct platen_bench_row out = {.size = sizeof(out),
                                   .kernel = pl_kernel_name(row->kernel),
                                   .isa = pl_isa_name(row->isa),
                                   .data = row->size,
                                   .ns = row->ns,
                                   .speedup = row->speedup};
    f->fn(f->ctx, &out);
}

platen_status platen_bench_kernels(const char *const *names, size_t n,
                                   void (*fn)(void *ctx, const struct platen_bench_row *row),
                                   void *ctx, struct platen_error *err)
{
    struct forward f = {fn, ctx};
    return pl_bench_kernels(names, n, forward_row, &f, err);
}
