/* SPDX-License-Identifier: BSD-2-Clause */
/* `platen bench quantizing`: ONNX files as networks of floats, halves and bytes: how long they take
 * to make, to open and to run. */
#include "bench/bench.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "models/network_check.h"
#include "models/networks.h"
#include "nn/session.h"
#include "onnx/npy.h"

#define MADE_SIZE 320 /* of an axis that may vary, but the first */
#define MAKE_ROUNDS 3
#define RUN_ROUNDS 9

static const enum platen_quantize kinds[] = {PLATEN_QUANTIZE_NONE, PLATEN_QUANTIZE_FP16,
                                             PLATEN_QUANTIZE_INT8};
static const char *const ways[] = {"float32", "float16", "int8"};
#define N_KINDS PL_ARRAY_LEN(kinds)

/* One ONNX file, and what is made of it in a folder of its own. */
struct conversion {
    const char *onnx, *dir;
    struct pl_kernels k;
    struct pl_arena arena;
    struct pl_quant_sets set;
    const char **arrays; /* files of the inputs */
    size_t n_arrays;
    const char *made[N_KINDS];
    struct pl_network *networks[N_KINDS];
    struct pl_session *sessions[N_KINDS];
};

static platen_status make_way(void *ctx, size_t way, struct platen_error *err)
{
    const struct conversion *c = ctx;
    const struct platen_quantize_options q = {
        .size = sizeof(q), .kind = kinds[way], .calibrate = c->arrays, .n_calibrate = c->n_arrays};
    return platen_model_import(c->onnx, c->made[way], NULL, &q, NULL, NULL, NULL, NULL, err);
}

static platen_status open_way(void *ctx, size_t way, struct platen_error *err)
{
    const struct conversion *c = ctx;
    pl_auto(network) n = NULL;
    return pl_network_load(c->made[way], NULL, &n, err);
}

static platen_status run_way(void *ctx, size_t way, struct platen_error *err)
{
    const struct conversion *c = ctx;
    return pl_session_run(c->sessions[way], c->set.in, err);
}

/* A name in the folder; NULL when memory is short. */
static const char *name_in(struct conversion *c, const char *stem, size_t i, const char *end)
{
    return pl_arena_printf(&c->arena, "%s/%s%zu%s", c->dir, stem, i, end);
}

/* Makes inputs of the shapes that the file declares, and writes them as arrays. */
static platen_status make_arrays(struct conversion *c, struct platen_error *err)
{
    pl_auto(network) n = NULL;
    platen_status s = pl_network_load(c->onnx, "none", &n, err);
    if (!s && !n->is_onnx)
        s = pl_fail(err, PLATEN_ERR_ARG, "'%s' is a model file already", c->onnx);
    s = s ? s : pl_network_make_inputs(&n->g, MADE_SIZE, &c->arena, &c->set, err);
    if (s)
        return s;
    c->arrays = PL_NEW(&c->arena, const char *, n->g.n_inputs);
    for (size_t i = 0; !s && c->arrays && i < n->g.n_inputs; i++) {
        c->arrays[i] = name_in(c, "in", i, ".npy");
        if (!c->arrays[i])
            break;
        c->n_arrays++;
        s = pl_npy_write(c->arrays[i], &c->set.in[i], err);
    }
    return s || c->n_arrays == n->g.n_inputs ? s : pl_fail_nomem(err, strlen(c->dir), "a name");
}

static platen_status bench_making(struct conversion *c, const struct pl_bench_reader *to,
                                  struct platen_error *err)
{
    struct pl_turns t = {.ways = N_KINDS, .rounds = MAKE_ROUNDS, .clock = CLOCK_THREAD_CPUTIME_ID};
    const struct pl_bench_case what = {"making", pl_bench_leaf(c->onnx), "ms", ways, 1e6};
    for (size_t i = 0; i < N_KINDS; i++)
        if (!(c->made[i] = name_in(c, "made", i, ".platen")))
            return pl_fail_nomem(err, strlen(c->dir), "a name");
    return pl_bench_case(&what, &t, make_way, c, to, err);
}

static platen_status bench_using(struct conversion *c, const struct pl_bench_reader *to,
                                 struct platen_error *err)
{
    struct pl_turns t = {
        .ways = N_KINDS, .rounds = RUN_ROUNDS, .clock = CLOCK_THREAD_CPUTIME_ID, .least_ns = 5e6};
    const char *file = pl_bench_leaf(c->onnx);
    const struct pl_bench_case opening = {"opening", file, "us", ways, 1e3};
    const struct pl_bench_case running = {"running", file, "ms", ways, 1e6};
    platen_status s = pl_bench_case(&opening, &t, open_way, c, to, err);
    for (size_t i = 0; !s && i < N_KINDS; i++) {
        s = pl_network_load(c->made[i], NULL, &c->networks[i], err);
        s = s ? s
              : pl_session_new(&c->networks[i]->g, &c->k, PL_NETWORK_MAX_VALUE_BYTES,
                               &c->sessions[i], err);
    }
    return s ? s : pl_bench_case(&running, &t, run_way, c, to, err);
}

/* Removes the folder with what was made in it. */
static void done(struct conversion *c)
{
    for (size_t i = 0; i < N_KINDS; i++) {
        pl_session_free(c->sessions[i]);
        pl_network_free(c->networks[i]);
        if (c->made[i])
            unlink(c->made[i]);
    }
    for (size_t i = 0; i < c->n_arrays; i++)
        unlink(c->arrays[i]);
    rmdir(c->dir);
    pl_arena_done(&c->arena);
}

static platen_status bench_file(const char *onnx, const struct pl_bench_reader *to,
                                struct platen_error *err)
{
    const char *tmp = getenv("TMPDIR"), *passes;
    struct conversion c = {.onnx = onnx};
    pl_arena_init(&c.arena);
    char *dir = pl_arena_printf(&c.arena, "%s/platen-bench-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!dir || !mkdtemp(dir)) {
        platen_status s =
            pl_fail(err, PLATEN_ERR_IO, "unable to make a temporary folder: %s", strerror(errno));
        pl_arena_done(&c.arena);
        return s;
    }
    c.dir = dir;
    platen_status s = pl_network_settings(NULL, &passes, &c.k, err);
    s = s ? s : make_arrays(&c, err);
    s = s ? s : bench_making(&c, to, err);
    s = s ? s : bench_using(&c, to, err);
    done(&c);
    return s;
}

platen_status pl_bench_quantizing(const struct pl_bench_input *in, const struct pl_bench_reader *to,
                                  struct platen_error *err)
{
    platen_status s = PLATEN_OK;
    for (size_t i = 0; !s && i < in->n; i++)
        s = bench_file(in->names[i], to, err);
    return s;
}
