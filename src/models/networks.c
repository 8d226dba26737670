/* Imported networks for the command line: run, plan, ONNX's own tests. */
#include <stdlib.h>
#include <string.h>

#include "nn/npy.h"
#include "nn/onnx_test.h"
#include "nn/pass.h"
#include "nn/session.h"
#include "models/arrays.h"
#include "spec/describe.h"
#include "simd/cpu.h"
#include "models/networks.h"

platen_status pl_network_passes(const struct platen_network_options *o, uint32_t *ret,
                                struct platen_error *err)
{
    *ret = PL_PASS_ALL;
    return o && o->passes ? pl_passes_parse(o->passes, ret, err) : PLATEN_OK;
}

platen_status pl_network_kernels(const struct platen_network_options *o, struct pl_kernels *ret,
                                 struct platen_error *err)
{
    enum pl_isa isa = pl_isa_best();
    platen_status s = o && o->isa ? pl_isa_choose(o->isa, &isa, err) : PLATEN_OK;
    if (!s)
        pl_kernels_init(ret, isa);
    return s;
}

platen_status pl_network_load(const char *path, uint32_t passes, struct pl_str *log,
                              struct pl_network **ret, struct platen_error *err)
{
    pl_auto(network) n = NULL;
    platen_status s = pl_network_open(path, &n, err);
    if (!s && n->is_onnx)
        s = pl_optimize(&n->g, passes, log, err);
    if (!s)
        *ret = pl_steal(n);
    return s;
}

/* The same with the passes of the options. */
static platen_status open_network(const char *path, const struct platen_network_options *o,
                                  struct pl_network **ret, struct platen_error *err)
{
    uint32_t set = PL_PASS_ALL;
    platen_status s = pl_network_passes(o, &set, err);
    return s ? s : pl_network_load(path, set, NULL, ret, err);
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
    struct pl_kernels k;
    struct pl_arrays a = {0};
    platen_status s = pl_network_kernels(o, &k, err);
    s = s ? s : open_network(model, o, &net, err);
    if (!s && n != net->g.n_inputs)
        s = pl_fail(err, PLATEN_ERR_ARG, "'%s' has %zu inputs, not %zu", model, net->g.n_inputs, n);
    s = s ? s : pl_arrays_open(&a, in, n, err);
    s = s ? s : pl_session_new(&net->g, &k, PL_NETWORK_MAX_VALUE_BYTES, &session, err);
    s = s ? s : pl_session_run(session, a.tensors, err);
    s = s ? s : write_outputs(session, &net->g, out, err);
    pl_arrays_done(&a);
    return s;
}

/* "1x3x48x320,..." as shapes of the inputs. Data that nothing looks at marks them as given. */
static platen_status read_sizes(const char *sizes, const struct pl_ir *g, struct pl_tensor *ret,
                                struct platen_error *err)
{
    static char given;
    const char *p = sizes;
    for (size_t i = 0; i < g->n_inputs; i++) {
        int64_t dims[PL_MAX_RANK];
        int rank = 0;
        char *end;
        while (rank < PL_MAX_RANK) {
            dims[rank] = strtoll(p, &end, 10);
            rank += end != p;
            if (end == p || *end != 'x')
                break;
            p = end + 1;
        }
        const bool last = i + 1 == g->n_inputs;
        p = end;
        if (*p != (last ? '\0' : ',') ||
            !pl_tensor_shape(&ret[i], g->values[g->inputs[i]].t.type, rank, dims))
            return pl_fail(err, PLATEN_ERR_ARG, "sizes '%.80s' are not those of %zu inputs", sizes,
                           g->n_inputs);
        ret[i].data = &given;
        p += !last;
    }
    return PLATEN_OK;
}

static platen_status describe_plan(const struct pl_ir *g, const struct pl_kernels *k,
                                   const char *sizes, struct pl_str *out, struct platen_error *err)
{
    pl_auto(session) session = NULL;
    struct pl_arena arena;
    pl_arena_init(&arena);
    struct pl_tensor *in = PL_NEW(&arena, struct pl_tensor, g->n_inputs);
    platen_status s = in ? read_sizes(sizes, g, in, err)
                         : pl_fail_nomem(err, g->n_inputs * sizeof(*in), "a plan");
    s = s ? s : pl_session_new(g, k, PL_NETWORK_MAX_VALUE_BYTES, &session, err);
    s = s ? s : pl_session_describe(session, in, out, err);
    pl_arena_done(&arena);
    return s;
}

platen_status platen_model_plan(const char *model, const struct platen_network_options *o,
                                const char *sizes, char **ret, struct platen_error *err)
{
    pl_auto(network) n = NULL;
    struct pl_kernels k;
    struct pl_str out = {0};
    platen_status s = pl_network_kernels(o, &k, err);
    s = s ? s : open_network(model, o, &n, err);
    s = s ? s : describe_plan(&n->g, &k, sizes, &out, err);
    if (!s)
        return pl_describe_give(&out, ret, err);
    pl_str_done(&out);
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
    platen_status s = pl_network_passes(o, &t.passes, err);
    s = s ? s : pl_network_kernels(o, &t.kernels, err);
    return s ? s : pl_onnx_find_tests(dir, run_onnx_test, &t, err);
}
