/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens ONNX files, runs networks on arrays, and runs ONNX's own tests. */
#include "models/network_tools.h"

#include <string.h>

#include "compile/pass.h"
#include "models/arrays.h"
#include "nn/session.h"
#include "onnx/npy.h"
#include "onnx/onnx_network.h"
#include "onnx/onnx_test.h"

platen_status pl_network_passes(const char *list, uint32_t *ret, struct platen_error *err)
{
    *ret = PL_PASS_ALL;
    return list ? pl_passes_parse(list, ret, err) : PLATEN_OK;
}

platen_status pl_network_load_set(const char *path, uint32_t passes, struct pl_str *log,
                                  struct pl_network **ret, struct platen_error *err)
{
    pl_auto(network) n = NULL;
    platen_status s = pl_onnx_open(path, &n, err);
    if (s)
        s = pl_fail_prefix(err, s, "unable to open model '%s': ", path);
    if (!s && n->is_onnx)
        s = pl_optimize(&n->g, passes, log, err);
    if (!s)
        *ret = pl_steal(n);
    return s;
}

platen_status pl_network_load(const char *path, const char *passes, struct pl_network **ret,
                              struct platen_error *err)
{
    uint32_t set;
    platen_status s = pl_network_passes(passes, &set, err);
    return s ? s : pl_network_load_set(path, set, NULL, ret, err);
}

static platen_status write_outputs(const struct pl_session *session, const struct pl_ir *g,
                                   const char *out, struct platen_error *err)
{
    struct pl_str path = {0};
    platen_status s = PLATEN_OK;
    for (size_t i = 0; i < g->n_outputs && !s; i++) {
        const char *dot = strrchr(out, '.');
        size_t stem = dot && !strcmp(dot, ".npy") ? (size_t)(dot - out) : strlen(out);
        pl_str_reset(&path);
        pl_str_add(&path, out, stem);
        if (i)
            pl_str_printf(&path, ".%zu", i);
        pl_str_puts(&path, out + stem);
        s = path.failed ? pl_fail_nomem(err, stem, "a name")
                        : pl_npy_write(path.s, pl_session_output(session, i), err);
        if (s)
            s = pl_fail_prefix(err, s, "unable to write '%s': ", path.failed ? out : path.s);
    }
    pl_str_done(&path);
    return s;
}

platen_status platen_model_run(const char *model, const struct platen_network_options *o,
                               const char *const *in, size_t n, const char *out,
                               struct platen_error *err)
{
    pl_auto(network) net = NULL;
    pl_auto(session) session = NULL;
    const char *passes;
    struct pl_kernels k;
    struct pl_arrays a = {0};
    platen_status s = PL_NEED(err, model, out);
    s = s ? s : PL_NEED_WHEN(err, n, in);
    s = s ? s : pl_network_settings(o, &passes, &k, err);
    s = s ? s : pl_network_load(model, passes, &net, err);
    if (!s && n != net->g.n_inputs)
        s = pl_fail(err, PLATEN_ERR_ARG, "'%s' has %zu inputs, not %zu", model, net->g.n_inputs, n);
    s = s ? s : pl_arrays_open(&a, in, n, err);
    s = s ? s : pl_session_new(&net->g, &k, PL_NETWORK_MAX_VALUE_BYTES, &session, err);
    s = s ? s : pl_session_run(session, a.tensors, err);
    s = s ? s : write_outputs(session, &net->g, out, err);
    pl_arrays_done(&a);
    return s;
}

struct onnx_tests {
    uint32_t passes;
    struct pl_kernels kernels;
    void (*fn)(void *ctx, const char *test, enum platen_verdict v, const char *why);
    void *ctx;
};

static void run_onnx_test(void *ctx, const char *dir)
{
    const struct onnx_tests *t = ctx;
    struct platen_error err = {0};
    platen_status s = pl_onnx_test(dir, t->passes, &t->kernels, &err);
    bool refused = s == PLATEN_ERR_UNSUPPORTED || s == PLATEN_ERR_LIMIT;
    t->fn(t->ctx, dir, !s ? PLATEN_PASSED : refused ? PLATEN_UNSUPPORTED : PLATEN_FAILED, err.text);
}

platen_status platen_model_onnx_test(const char *dir, const struct platen_network_options *o,
                                     void (*fn)(void *ctx, const char *test, enum platen_verdict v,
                                                const char *why),
                                     void *ctx, struct platen_error *err)
{
    struct onnx_tests t = {.fn = fn, .ctx = ctx};
    const char *passes;
    platen_status s = PL_NEED(err, dir);
    s = s ? s : PL_NEED_WHEN(err, true, fn);
    s = s ? s : pl_network_settings(o, &passes, &t.kernels, err);
    s = s ? s : pl_network_passes(passes, &t.passes, err);
    return s ? s : pl_onnx_find_tests(dir, run_onnx_test, &t, err);
}
