/* SPDX-License-Identifier: BSD-2-Clause */
/* `platen bench models`: opening networks, of files that are mapped and of files that are read. */
#include "bench/bench.h"

#include "models/models.h"
#include "nn/graph_file.h"
#include "nn/ir.h"

enum { READ, MAPPED };

static platen_status open_way(void *ctx, size_t way, struct platen_error *err)
{
    const char *path = ctx;
    pl_auto(network) n = NULL;
    struct pl_map map;
    if (way == MAPPED)
        return pl_network_open(path, &n, err);
    platen_status s = pl_map_read(path, PL_MAP_READ_BYTES, &map, err);
    if (s)
        return pl_fail_prefix(err, s, "unable to read '%s': ", path);
    s = pl_network_open_memory(map.data, map.size, &n, err);
    pl_network_free(n);
    n = NULL;
    pl_map_close(&map);
    return s ? pl_fail_prefix(err, s, "unable to open '%s': ", path) : s;
}

platen_status pl_bench_models(const struct pl_bench_input *in, const struct pl_bench_reader *to,
                              struct platen_error *err)
{
    static const char *const ways[] = {"read", "mapped"};
    struct pl_str path = {0};
    platen_status s = PLATEN_OK;
    for (size_t i = 0; !s && i < in->n; i++) {
        struct pl_turns t = {.ways = PL_ARRAY_LEN(ways),
                             .rounds = PL_TURNS_MOST_ROUNDS,
                             .clock = CLOCK_THREAD_CPUTIME_ID,
                             .least_ns = 5e6};
        const struct pl_bench_case c = {"opening", pl_bench_leaf(in->names[i]), "us", ways, 1e3};
        s = pl_models_find(in->names[i], in->models, &path, err);
        s = s ? s : pl_bench_case(&c, &t, open_way, path.s, to, err);
    }
    pl_str_done(&path);
    return s;
}
