/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "bench/bench.h"

platen_status pl_bench_case(const struct pl_bench_case *c, struct pl_turns *t, pl_turn_fn *fn,
                            void *ctx, const struct pl_bench_reader *to, struct platen_error *err)
{
    platen_status s = pl_turns_run(t, fn, ctx, err);
    for (size_t way = 0; !s && way < t->ways; way++) {
        const struct platen_bench_row row = {.size = sizeof(row),
                                             .subject = c->subject,
                                             .data = c->data,
                                             .way = c->ways[way],
                                             .unit = c->unit,
                                             .time = pl_turns_ns(t, way) / c->unit_ns,
                                             .speedup = pl_turns_speedup(t, 0, way)};
        to->fn(to->ctx, &row);
    }
    return s;
}

const char *pl_bench_leaf(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
