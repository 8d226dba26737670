/* Imported networks for the command line: import, run, ONNX's own tests. */
#include <sha2.h>
#include <string.h>

#include "nn/graph_file.h"
#include "nn/npy.h"
#include "nn/onnx_test.h"
#include "nn/pass.h"
#include "nn/session.h"
#include "pipeline/describe.h"
#include "platen.h"

#define MAX_VALUE_BYTES ((size_t)4 << 30) /* of a run */

/* Opens a network and runs the passes of the list on it unless it has seen them. */
static platen_status open_network(const char *path, const char *passes, struct pl_str *log,
                                  struct pl_network **ret, struct platen_error *err)
{
    uint32_t set = PL_PASS_ALL;
    pl_auto(network) n = NULL;
    platen_status s = passes ? pl_passes_parse(passes, &set, err) : PLATEN_OK;
    s = s ? s : pl_network_open(path, &n, err);
    if (!s && n->is_onnx)
        s = pl_optimize(&n->g, set, log, err);
    if (!s)
        *ret = pl_steal(n);
    return s;
}

static platen_status import(const char *onnx, const char *path, const char *passes,
                            struct pl_str *log, struct platen_error *err)
{
    pl_auto(network) n = NULL;
    char sum[SHA256_DIGEST_STRING_LENGTH];
    const char *slash = strrchr(onnx, '/');
    platen_status s = open_network(onnx, passes, log, &n, err);
    if (s)
        return s;
    if (!SHA256Data(n->map.data, n->map.size, sum))
        return pl_fail_nomem(err, n->map.size, "a checksum");
    const struct pl_nn_meta meta[] = {{"source", slash ? slash + 1 : onnx}, {"source_sha256", sum}};
    for (const char *p = meta[0].value; *p; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            return pl_fail(err, PLATEN_ERR_ARG, "the name of '%s' holds control characters", onnx);
    s = pl_network_write(path, &n->g, meta, PL_ARRAY_LEN(meta), err);
    return s ? pl_fail_prefix(err, s, "unable to write '%s': ", path) : s;
}

platen_status platen_model_import(const char *onnx, const char *path, const char *passes,
                                  char **ret_log, struct platen_error *err)
{
    struct pl_str log = {0};
    platen_status s = import(onnx, path, passes, ret_log ? &log : NULL, err);
    if (!s && ret_log)
        return pl_describe_give(&log, ret_log, err);
    pl_str_done(&log);
    return s;
}

/* The arrays of a run: files, and the tensors in them. */
struct arrays {
    struct pl_arena arena;
    struct pl_map *maps;
    struct pl_tensor *tensors;
    size_t n;
};

static platen_status open_arrays(struct arrays *a, const char *const *paths, size_t n,
                                 struct platen_error *err)
{
    platen_status s = PLATEN_OK;
    a->maps = PL_NEW(&a->arena, struct pl_map, n);
    a->tensors = PL_NEW(&a->arena, struct pl_tensor, n);
    if (!a->maps || !a->tensors)
        return pl_fail_nomem(err, n * sizeof(*a->tensors), "arrays");
    while (a->n < n && !s) {
        struct pl_map *m = &a->maps[a->n];
        const char *path = paths[a->n];
        s = pl_map_open(path, PL_IR_MAX_FILE_BYTES, m, err);
        a->n += !s;
        s = s ? s : pl_npy_read(m->data, m->size, &a->tensors[a->n - 1], err);
        if (s)
            s = pl_fail_prefix(err, s, "unable to read '%s': ", path);
    }
    return s;
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

platen_status platen_model_run(const char *model, const char *passes, const char *const *in,
                               size_t n, const char *out, struct platen_error *err)
{
    pl_auto(network) net = NULL;
    pl_auto(session) session = NULL;
    struct arrays a = {0};
    pl_arena_init(&a.arena);
    platen_status s = open_network(model, passes, NULL, &net, err);
    if (!s && n != net->g.n_inputs)
        s = pl_fail(err, PLATEN_ERR_ARG, "'%s' has %zu inputs, not %zu", model, net->g.n_inputs, n);
    s = s ? s : open_arrays(&a, in, n, err);
    s = s ? s : pl_session_new(&net->g, MAX_VALUE_BYTES, &session, err);
    s = s ? s : pl_session_run(session, a.tensors, err);
    s = s ? s : write_outputs(session, &net->g, out, err);
    for (size_t i = 0; i < a.n; i++)
        pl_map_close(&a.maps[i]);
    pl_arena_done(&a.arena);
    return s;
}

struct onnx_tests {
    uint32_t passes;
    void (*fn)(void *ctx, const char *test, enum platen_verdict v, const char *why);
    void *ctx;
};

static void run_onnx_test(void *ctx, const char *dir)
{
    const struct onnx_tests *t = ctx;
    struct platen_error err = {0};
    platen_status s = pl_onnx_test(dir, t->passes, &err);
    bool refused = s == PLATEN_ERR_UNSUPPORTED || s == PLATEN_ERR_LIMIT;
    t->fn(t->ctx, dir, !s ? PLATEN_PASSED : refused ? PLATEN_UNSUPPORTED : PLATEN_FAILED, err.text);
}

platen_status platen_model_onnx_test(const char *dir, const char *passes,
                                     void (*fn)(void *ctx, const char *test, enum platen_verdict v,
                                                const char *why),
                                     void *ctx, struct platen_error *err)
{
    struct onnx_tests t = {PL_PASS_ALL, fn, ctx};
    platen_status s = passes ? pl_passes_parse(passes, &t.passes, err) : PLATEN_OK;
    return s ? s : pl_onnx_find_tests(dir, run_onnx_test, &t, err);
}
