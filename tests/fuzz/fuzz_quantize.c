/* SPDX-License-Identifier: BSD-2-Clause */
/* The quantiser: a network of floats that runs must run in bytes, too, whatever its numbers are. */
#include <stdio.h>
#include <stdlib.h>

#include "onnx/onnx.h"
#include "compile/pass.h"
#include "compile/quant.h"
#include "nn/prepared.h"
#include "run_network.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* Runs g on the inputs; false when it is refused. */
static bool runs(const struct pl_ir *g, const struct pl_tensor *in, struct platen_error *err)
{
    struct pl_session *s = NULL;
    const bool ok =
        !pl_session_new(g, best_kernels(), MAX_BYTES, &s, err) && !pl_session_run(s, in, err);
    if (!ok && !err->text[0])
        abort(); /* refused without a reason */
    pl_session_free(s);
    return ok;
}

/* The network in bytes, its ranges measured on `in`, and all passes behind that. */
static void quantize(struct pl_ir *g, const struct pl_tensor *in, size_t n)
{
    struct platen_error err = {0};
    struct pl_quant_fixed *fixed = NULL;
    struct pl_quant_options o = {
        .per_tensor = n % 2, .narrow = n % 4 > 1, .percentile = n % 8 > 3 ? 99 : 0};
    const struct pl_quant_sets sets = {.in = in, .n = 1, .shapes_only = n % 16 > 7};
    const bool explicit = !pl_quant_explicit(g, &fixed, &o.n_fixed, &err);
    o.fixed = fixed;
    if (!explicit || pl_optimize(g, PL_PASS_ALL & ~(1u << PL_PASS_fuse), NULL, &err) ||
        !runs(g, in, &err))
        return;
    if (pl_quantize(g, best_kernels(), &o, &sets, &err) ||
        pl_optimize(g, 1u << PL_PASS_fuse | 1u << PL_PASS_dead, NULL, &err) ||
        (!runs(g, in, &err) && err.code != PLATEN_ERR_LIMIT)) {
        fprintf(stderr, "%s\n", err.text);
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct platen_error err = {0};
    struct pl_arena arena;
    struct pl_ir g;
    pl_arena_init(&arena);
    pl_ir_init(&g);
    bool ok = !pl_prepared_new(&g.prepared, &err) && !pl_onnx_read(data, n, NULL, &g, &err) &&
              g.n_nodes <= 64;
    struct pl_tensor *in = ok ? PL_NEW(&arena, struct pl_tensor, g.n_inputs) : NULL;
    for (size_t i = 0; ok && i < g.n_inputs; i++)
        ok = in && make_input(&g.values[g.inputs[i]], &arena, &in[i]);
    if (ok)
        quantize(&g, in, n);
    pl_ir_done(&g);
    pl_arena_done(&arena);
    return 0;
}
