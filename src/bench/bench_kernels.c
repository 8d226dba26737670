/* SPDX-License-Identifier: BSD-2-Clause */
/* `platen bench kernels`: the rows of simd/kernel_bench.h in the terms of platen.h. */
#include "bench/bench.h"
#include "simd/kernel_bench.h"

static void forward_row(void *ctx, const struct pl_bench_row *row)
{
    const struct pl_bench_reader *to = ctx;
    const struct platen_bench_row out = {.size = sizeof(out),
                                         .subject = pl_kernel_name(row->kernel),
                                         .data = row->size,
                                         .way = pl_isa_name(row->isa),
                                         .unit = "ns/element",
                                         .time = row->ns,
                                         .speedup = row->speedup,
                                         .by_hand = row->by_hand};
    to->fn(to->ctx, &out);
}

platen_status pl_bench_all_kernels(const struct pl_bench_input *in,
                                   const struct pl_bench_reader *to, struct platen_error *err)
{
    struct pl_bench_reader copy = *to;
    return pl_bench_kernels(in->names, in->n, forward_row, &copy, err);
}
