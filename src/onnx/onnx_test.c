/* SPDX-License-Identifier: BSD-2-Clause */
#include "onnx/onnx_test.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/map.h"
#include "base/mem.h"
#include "onnx/onnx.h"
#include "onnx/onnx_network.h"
#include "compile/pass.h"
#include "nn/session.h"

#define MAX_VALUE_BYTES ((size_t)1 << 30)
#define MAX_SETS 1000
#define MAX_PATH 4096
#define MAX_DEPTH 16

/* Tensors of a test directory: the maps they point into, and one arena. */
struct files {
    struct pl_arena arena;
    struct pl_map *maps;
    struct pl_tensor *tensors;
    size_t n, most;
};

static void files_done(struct files *f)
{
    for (size_t i = 0; i < f->n; i++)
        pl_map_close(&f->maps[i]);
    pl_arena_done(&f->arena);
}

/* Opens DIR/PREFIX_0.pb and so on while they exist, at most `most`. Those left out stay without
 * data. */
static platen_status files_open(struct files *f, const char *dir, const char *prefix, size_t most,
                                struct platen_error *err)
{
    char path[MAX_PATH];
    platen_status s = PLATEN_OK;
    pl_arena_init(&f->arena);
    f->n = 0;
    f->most = most;
    f->maps = PL_NEW(&f->arena, struct pl_map, most);
    f->tensors = PL_NEW(&f->arena, struct pl_tensor, most);
    if (!f->maps || !f->tensors)
        return pl_fail_nomem(err, most * sizeof(*f->tensors), "tensors");
    while (!s && f->n < most) {
        snprintf(path, sizeof(path), "%s/%s_%zu.pb", dir, prefix, f->n);
        if (access(path, R_OK))
            break;
        struct pl_map *m = &f->maps[f->n];
        s = pl_map_open(path, PL_IR_MAX_FILE_BYTES, m, err);
        if (s)
            break;
        f->n++;
        s = pl_onnx_tensor((struct pl_span){m->data, m->size}, NULL, &f->arena,
                           &f->tensors[f->n - 1], NULL, err);
    }
    return s ? pl_fail_prefix(err, s, "%s_%zu.pb: ", prefix, f->n ? f->n - 1 : 0) : s;
}

/* Compares as the suite does, with a wider bound for bfloat16: its steps are 2^-8, and not every
 * library rounds to the nearest. */
static bool close_enough(double got, double want, enum pl_dtype type)
{
    const double relative = type == PL_BF16 ? 0x1p-7 : 1e-3;
    if (isnan(want))
        return isnan(got);
    if (isinf(want) || isinf(got))
        return got == want;
    return fabs(got - want) <= 1e-7 + relative * fabs(want);
}

static platen_status compare_output(const struct pl_tensor *got, const struct pl_tensor *want,
                                    size_t at, struct platen_error *err)
{
    if (got->type != want->type)
        return pl_fail(err, PLATEN_ERR_INTERNAL, "output %zu is %s, not %s", at,
                       pl_dtype_name(got->type), pl_dtype_name(want->type));
    if (!pl_tensor_same_shape(got, want))
        return pl_fail(err, PLATEN_ERR_INTERNAL, "output %zu has another shape", at);
    for (size_t i = 0; i < pl_tensor_count(want); i++) {
        double a = pl_tensor_f64(got, i), b = pl_tensor_f64(want, i);
        if (!close_enough(a, b, want->type))
            return pl_fail(err, PLATEN_ERR_INTERNAL, "output %zu: element %zu is %g, not %g", at, i,
                           a, b);
    }
    return PLATEN_OK;
}

/* Takes the declared type and shape for bfloat16, which ONNX's suite writes as a row of uint16 with
 * the same bits. */
static void as_declared(struct pl_tensor *t, const struct pl_tensor *declared)
{
    struct pl_tensor d = *declared;
    if (t->type != PL_U16 || declared->type != PL_BF16)
        return;
    t->type = PL_BF16;
    if (d.rank >= 0 && pl_tensor_shape(&d, PL_BF16, d.rank, d.dims) &&
        pl_tensor_count(&d) == pl_tensor_count(t)) {
        d.data = t->data;
        *t = d;
    }
}

static platen_status run_set(const struct pl_ir *g, struct pl_session *session, const char *dir,
                             struct platen_error *err)
{
    struct files in = {0}, out = {0};
    platen_status s = files_open(&in, dir, "input", g->n_inputs, err);
    s = s ? s : files_open(&out, dir, "output", g->n_outputs, err);
    if (!s && out.n != g->n_outputs)
        s = pl_fail(err, PLATEN_ERR_FORMAT, "%zu results for %zu outputs", out.n, g->n_outputs);
    for (size_t i = 0; i < in.n && !s; i++)
        as_declared(&in.tensors[i], &g->values[g->inputs[i]].t);
    s = s ? s : pl_session_run(session, in.tensors, err);
    for (size_t i = 0; i < out.n && !s; i++) {
        as_declared(&out.tensors[i], pl_session_output(session, i));
        s = compare_output(pl_session_output(session, i), &out.tensors[i], i, err);
    }
    files_done(&in);
    files_done(&out);
    return s;
}

static platen_status run_sets(const struct pl_ir *g, const struct pl_kernels *k, const char *dir,
                              struct platen_error *err)
{
    char path[MAX_PATH];
    pl_auto(session) session = NULL;
    size_t n = 0;
    platen_status s = pl_session_new(g, k, MAX_VALUE_BYTES, &session, err);
    for (; n < MAX_SETS && !s; n++) {
        snprintf(path, sizeof(path), "%s/test_data_set_%zu", dir, n);
        if (access(path, R_OK))
            break;
        s = run_set(g, session, path, err);
    }
    return !s && !n ? pl_fail(err, PLATEN_ERR_FORMAT, "no test_data_set_0") : s;
}

platen_status pl_onnx_test(const char *dir, uint32_t passes, const struct pl_kernels *k,
                           struct platen_error *err)
{
    char path[MAX_PATH];
    pl_auto(network) n = NULL;
    snprintf(path, sizeof(path), "%s/model.onnx", dir);
    platen_status s = pl_onnx_open(path, &n, err);
    s = s ? s : pl_optimize(&n->g, passes, NULL, err);
    return s ? s : run_sets(&n->g, k, dir, err);
}

struct case_search {
    void (*fn)(void *ctx, const char *dir);
    void *ctx;
    size_t found;
};

static bool is_directory(const char *path)
{
    struct stat st;
    return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static int visible(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

static platen_status search_dir(struct case_search *f, const char *dir, int depth,
                                struct platen_error *err)
{
    char path[MAX_PATH];
    struct dirent **names;
    platen_status s = PLATEN_OK;
    snprintf(path, sizeof(path), "%s/model.onnx", dir);
    if (!access(path, F_OK)) {
        f->fn(f->ctx, dir);
        f->found++;
        return PLATEN_OK;
    }
    int n = scandir(dir, &names, visible, alphasort);
    if (n < 0)
        return pl_fail_errno(err, PLATEN_ERR_IO, "unable to read '%s'", dir);
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof(path), "%s/%s", dir, names[i]->d_name);
        if (!s && depth < MAX_DEPTH && is_directory(path))
            s = search_dir(f, path, depth + 1, err);
        free(names[i]);
    }
    free(names);
    return s;
}

platen_status pl_onnx_find_tests(const char *dir, void (*fn)(void *ctx, const char *dir), void *ctx,
                                 struct platen_error *err)
{
    struct case_search f = {.fn = fn, .ctx = ctx};
    platen_status s = search_dir(&f, dir, 0, err);
    return s || f.found ? s : pl_fail(err, PLATEN_ERR_IO, "no model.onnx at or below '%s'", dir);
}
