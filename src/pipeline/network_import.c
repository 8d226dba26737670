/* From ONNX to model files, and one network beside another. */
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nn/pass.h"
#include "nn/quant.h"
#include "nn/session.h"
#include "pipeline/arrays.h"
#include "pipeline/describe.h"
#include "pipeline/networks.h"

#define N_WORST 5
#define MIN_SQNR_DB 80
#define MIN_QUANTISED_SQNR_DB 20

/* Two networks on the same sets of inputs: sums[i] of output i. */
static platen_status compare_outputs(const struct pl_ir *g, const struct pl_ir *against,
                                     const struct pl_kernels *k, const struct pl_quant_sets *sets,
                                     struct pl_error_sums *sums, struct platen_error *err)
{
    pl_auto(session) one = NULL;
    pl_auto(session) two = NULL;
    if (g->n_inputs != against->n_inputs || g->n_outputs != against->n_outputs)
        return pl_fail(err, PLATEN_ERR_ARG, "the networks differ in inputs or outputs");
    platen_status s = pl_session_new(g, k, PL_NETWORK_MAX_VALUE_BYTES, &one, err);
    s = s ? s : pl_session_new(against, k, PL_NETWORK_MAX_VALUE_BYTES, &two, err);
    for (size_t i = 0; i < sets->n && !s; i++) {
        s = pl_session_run(one, sets->in + i * g->n_inputs, err);
        s = s ? s : pl_session_run(two, sets->in + i * g->n_inputs, err);
        for (size_t o = 0; o < g->n_outputs && !s; o++)
            s = pl_error_add(&sums[o], pl_session_output(one, o), pl_session_output(two, o), err);
    }
    return s;
}

static int worst_first(const void *a, const void *b)
{
    const double x = pl_error_sqnr_db(&((const struct pl_quant_layer *)a)->sums);
    const double y = pl_error_sqnr_db(&((const struct pl_quant_layer *)b)->sums);
    return x < y ? -1 : x > y;
}

/* Sorts the layers. */
static void describe_layers(struct pl_quant_layer *layers, size_t n, struct pl_str *out)
{
    qsort(layers, n, sizeof(*layers), worst_first);
    if (n)
        pl_str_printf(out, "%zu layers in bytes; the farthest from the floats:\n", n);
    for (size_t i = 0; i < n && i < N_WORST; i++)
        pl_str_printf(out, "%7.1f dB  mse %.3e  %s (%s)\n", pl_error_sqnr_db(&layers[i].sums),
                      pl_error_mse(&layers[i].sums), layers[i].node->name,
                      layers[i].node->op->name);
}

/* The figures of the import, and what it was made of, for the file. */
struct notes {
    struct pl_nn_meta meta[8];
    size_t n;
    char sum[SHA256_DIGEST_STRING_LENGTH], sets[24], sqnr[32];
};

static void note(struct notes *m, const char *key, const char *value)
{
    m->meta[m->n++] = (struct pl_nn_meta){key, value};
}

/* Bytes in the place of floats: n, optimised without `fuse`, beside a second copy that stays. */
static platen_status to_int8(struct pl_network *n, const struct pl_network *floats,
                             const struct pl_kernels *k, const struct platen_quantize_options *q,
                             struct notes *notes, struct pl_str *log, struct platen_error *err)
{
    const struct pl_quant_options o = {q->per_tensor, q->percentile, q->keep_float};
    struct pl_arrays a = {0};
    struct pl_quant_sets sets = {0};
    struct pl_quant_layer *layers = NULL;
    size_t n_layers = 0;
    struct pl_error_sums sums = {0};
    platen_status s = pl_arrays_open(&a, q->calibrate, q->n_calibrate, err);
    s = s ? s : pl_arrays_sets(&a, &n->g, &sets.n, err);
    sets.in = a.tensors;
    s = s ? s : pl_quantize(&n->g, k, &o, &sets, err);
    s = s ? s : pl_quant_report(&n->g, &floats->g, k, &sets, &a.arena, &layers, &n_layers, err);
    if (!s) {
        pl_quant_record(&n->g, layers, n_layers);
        struct pl_error_sums *all = PL_NEW(&a.arena, struct pl_error_sums, n->g.n_outputs);
        s = all ? compare_outputs(&n->g, &floats->g, k, &sets, all, err)
                : pl_fail_nomem(err, sizeof(sums), "figures");
        sums = all ? all[0] : sums;
    }
    if (!s) {
        snprintf(notes->sets, sizeof(notes->sets), "%zu", sets.n);
        snprintf(notes->sqnr, sizeof(notes->sqnr), "%.1f", pl_error_sqnr_db(&sums));
        note(notes, "quantize", "int8");
        note(notes, "quantize.sets", notes->sets);
        note(notes, "quantize.sqnr_db", notes->sqnr);
        if (log)
            describe_layers(layers, n_layers, log);
    }
    pl_arrays_done(&a);
    return s;
}

static platen_status quantize(struct pl_network *n, const char *onnx, uint32_t passes,
                              const struct platen_network_options *o,
                              const struct platen_quantize_options *q, struct notes *notes,
                              struct pl_str *log, struct platen_error *err)
{
    pl_auto(network) floats = NULL;
    struct pl_kernels k;
    platen_status s = pl_network_kernels(o, &k, err);
    s = s ? s : pl_network_load(onnx, passes & ~(1u << PL_PASS_fuse), NULL, &floats, err);
    s = s ? s : to_int8(n, floats, &k, q, notes, log, err);
    return s ? s : pl_optimize(&n->g, (passes & 1u << PL_PASS_fuse) | 1u << PL_PASS_dead, log, err);
}

static platen_status import(const char *onnx, const char *path,
                            const struct platen_network_options *o,
                            const struct platen_quantize_options *q, struct pl_str *log,
                            struct platen_error *err)
{
    pl_auto(network) n = NULL;
    struct notes notes = {0};
    const char *slash = strrchr(onnx, '/');
    const bool int8 = q && q->kind == PLATEN_QUANTIZE_INT8;
    uint32_t set = PL_PASS_ALL;
    platen_status s = pl_network_passes(o, &set, err);
    s = s ? s : pl_network_load(onnx, int8 ? set & ~(1u << PL_PASS_fuse) : set, log, &n, err);
    if (!s && !n->is_onnx)
        s = pl_fail(err, PLATEN_ERR_ARG, "'%s' is a model file already", onnx);
    if (!s && !SHA256Data(n->map.data, n->map.size, notes.sum))
        s = pl_fail_nomem(err, n->map.size, "a checksum");
    if (s)
        return s;
    note(&notes, "source", slash ? slash + 1 : onnx);
    note(&notes, "source_sha256", notes.sum);
    for (const char *p = notes.meta[0].value; *p; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            return pl_fail(err, PLATEN_ERR_ARG, "the name of '%s' holds control characters", onnx);
    if (int8)
        s = quantize(n, onnx, set, o, q, &notes, log, err);
    if (s)
        return s;
    s = pl_network_write(path, &n->g, notes.meta, notes.n, err);
    return s ? pl_fail_prefix(err, s, "unable to write '%s': ", path) : s;
}

platen_status platen_model_import(const char *onnx, const char *path,
                                  const struct platen_network_options *o,
                                  const struct platen_quantize_options *q, char **ret_log,
                                  struct platen_error *err)
{
    struct pl_str log = {0};
    platen_status s = import(onnx, path, o, q, ret_log ? &log : NULL, err);
    if (!s && ret_log)
        return pl_describe_give(&log, ret_log, err);
    pl_str_done(&log);
    return s;
}

/* A line for each output; *ret_far when one is beyond the bound. */
static void describe_outputs(const struct pl_ir *g, const struct pl_error_sums *sums, double bound,
                             struct pl_str *out, bool *ret_far)
{
    for (size_t i = 0; i < g->n_outputs; i++) {
        const struct pl_error_sums *e = &sums[i];
        const double sqnr = pl_error_sqnr_db(e);
        pl_str_printf(out, "output %s: sqnr %.1f dB, mse %.3e, largest error %.3e of %.3e%s\n",
                      g->values[g->outputs[i]].name, sqnr, pl_error_mse(e), e->max_error,
                      e->max_wanted, sqnr < bound ? ": too far" : "");
        *ret_far = *ret_far || sqnr < bound;
    }
}

static platen_status compare(const struct pl_network *n, const struct pl_network *floats,
                             const struct pl_kernels *k, const struct pl_arrays *a, double bound,
                             struct pl_str *out, bool *ret_far, struct platen_error *err)
{
    struct pl_quant_sets sets = {.in = a->tensors};
    struct pl_quant_layer *layers = NULL;
    size_t n_layers = 0;
    struct pl_arena arena;
    pl_arena_init(&arena);
    struct pl_error_sums *sums = PL_NEW(&arena, struct pl_error_sums, n->g.n_outputs);
    const bool quantised = pl_container_value(n->meta, n->n_meta, "quantize") != NULL;
    platen_status s = sums ? pl_arrays_sets(a, &n->g, &sets.n, err)
                           : pl_fail_nomem(err, n->g.n_outputs * sizeof(*sums), "figures");
    s = s ? s : compare_outputs(&n->g, &floats->g, k, &sets, sums, err);
    s = s ? s : pl_quant_report(&n->g, &floats->g, k, &sets, &arena, &layers, &n_layers, err);
    bound = bound > 0 ? bound : quantised ? MIN_QUANTISED_SQNR_DB : MIN_SQNR_DB;
    if (!s) {
        describe_outputs(&n->g, sums, bound, out, ret_far);
        describe_layers(layers, n_layers, out);
    }
    pl_arena_done(&arena);
    return s;
}

platen_status platen_model_compare(const char *model, const char *against,
                                   const struct platen_network_options *o, const char *const *in,
                                   size_t n, double min_sqnr_db, char **ret, bool *ret_far,
                                   struct platen_error *err)
{
    pl_auto(network) one = NULL;
    pl_auto(network) two = NULL;
    struct pl_kernels k;
    struct pl_arrays a = {0};
    struct pl_str out = {0};
    uint32_t set = PL_PASS_ALL;
    *ret_far = false;
    platen_status s = pl_network_kernels(o, &k, err);
    s = s ? s : pl_network_passes(o, &set, err);
    s = s ? s : pl_network_load(model, set, NULL, &one, err);
    /* values that are compared layer by layer stand before their activations */
    s = s ? s : pl_network_load(against, set & ~(1u << PL_PASS_fuse), NULL, &two, err);
    s = s ? s : pl_arrays_open(&a, in, n, err);
    s = s ? s : compare(one, two, &k, &a, min_sqnr_db, &out, ret_far, err);
    pl_arrays_done(&a);
    if (!s)
        return pl_describe_give(&out, ret, err);
    pl_str_done(&out);
    return s;
}
