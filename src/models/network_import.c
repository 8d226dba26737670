/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes model files from ONNX files, and compares the results of two networks. */
#include <math.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sized.h"
#include "compile/graph_write.h"
#include "compile/pass.h"
#include "compile/quant.h"
#include "nn/session.h"
#include "models/arrays.h"
#include "models/models.h"
#include "models/network_check.h"
#include "models/network_detector.h"
#include "models/network_reader.h"
#include "spec/describe.h"
#include "models/network_tools.h"

#define N_WORST 5
#define MAX_ROUNDS 8 /* in which layers are given back to floats */
#define MIN_SQNR_DB 80
#define MIN_QUANTISED_SQNR_DB 20

static int worst_first(const void *a, const void *b)
{
    const double x = pl_error_sqnr_db(&((const struct pl_quant_layer *)a)->sums);
    const double y = pl_error_sqnr_db(&((const struct pl_quant_layer *)b)->sums);
    return x < y ? -1 : x > y;
}

/* Appends the layers that lose the most; sorts `layers` by what they lose. */
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

/* What the import notes in the metadata of the file: its figures, and what it was made of. */
struct import_notes {
    struct pl_nn_meta meta[PL_CONTAINER_MAX_META_KEYS];
    size_t n;
    char sum[SHA256_DIGEST_STRING_LENGTH], sets[24], sqnr[32], iou[32];
};

static void note(struct import_notes *m, const char *key, const char *value)
{
    m->meta[m->n++] = (struct pl_nn_meta){key, value};
}

/* The state of one import. */
struct import_job {
    const char *onnx;
    const struct platen_network_options *o;
    const struct platen_quantize_options *q;
    struct pl_line_adapter *reader;       /* or NULL */
    struct pl_detector_adapter *detector; /* or NULL */
    bool measured;                        /* the detector */
    uint32_t passes;
    struct pl_kernels k;
    struct pl_arrays arrays;
    struct pl_quant_sets sets;
    struct import_notes notes;
    struct pl_str *log, *result;
    struct pl_str keep; /* nodes that stay in floats, parted by commas */
    double sqnr_db;     /* signal to error of the first output; NAN before it was measured */
    size_t n_values;    /* of the ONNX file */
    bool gave_back;     /* layers were added to `keep`: there has to be another round */
    int round;
};

/* Opens the ONNX file, makes it a reader of lines where that is asked for, and runs passes. */
static platen_status open_source(const struct import_job *j, uint32_t passes,
                                 struct pl_network **ret, struct platen_error *err)
{
    pl_auto(network) n = NULL;
    platen_status s = pl_network_load_set(j->onnx, 0, NULL, &n, err);
    if (!s && !n->is_onnx)
        s = pl_fail(err, PLATEN_ERR_ARG, "'%s' is a model file already", j->onnx);
    if (!s && j->reader)
        s = pl_line_adapter_adapt(j->reader, &n->g, err);
    if (!s && j->detector && j->measured)
        s = pl_detector_adapter_adapt(j->detector, &n->g, err);
    s = s ? s : pl_optimize(&n->g, passes, NULL, err);
    if (!s)
        *ret = pl_steal(n);
    return s;
}

/* Opens what the check compares with: every node as it stands. */
static platen_status open_for_check(const void *job, struct pl_network **ret,
                                    struct platen_error *err)
{
    return open_source(job, 1u << PL_PASS_dead, ret, err);
}

/* Makes inputs of zeros in the declared shapes. */
static platen_status make_shapes(struct import_job *j, const struct pl_ir *g,
                                 struct platen_error *err)
{
    struct pl_arena *arena = &j->arrays.arena;
    struct pl_tensor *in = PL_NEW(arena, struct pl_tensor, g->n_inputs);
    if (!in)
        return pl_fail_nomem(err, g->n_inputs * sizeof(*in), "inputs");
    for (size_t i = 0; i < g->n_inputs; i++) {
        if (!pl_network_input_shape(&g->values[g->inputs[i]].t, PL_NETWORK_MADE_SIZE, &in[i]))
            return pl_fail(err, PLATEN_ERR_ARG, "the shape of input '%.60s' is not known",
                           g->values[g->inputs[i]].name);
        in[i].data = pl_arena_alloc(arena, pl_tensor_bytes(&in[i]) + 1, 1);
        if (!in[i].data)
            return pl_fail_nomem(err, pl_tensor_bytes(&in[i]), "an input");
    }
    j->sets = (struct pl_quant_sets){in, 1, true};
    return PLATEN_OK;
}

/* A layer, and by how many decibels its signal to error is below that of what it reads. */
struct loss {
    const char *name;
    double db;
};

static int largest_loss_first(const void *a, const void *b)
{
    const double x = ((const struct loss *)a)->db, y = ((const struct loss *)b)->db;
    return x > y ? -1 : x < y;
}

/* Returns whether the node was made of one node of the network of floats, whose name it then has.
 */
static bool is_layer(const struct pl_ir_node *n)
{
    const int id = n->op->id;
    return (id == PL_OP_QConv || id == PL_OP_QDepthwiseConv || id == PL_OP_QConvTranspose ||
            id == PL_OP_QGemm || id == PL_OP_QGRU || id == PL_OP_QLSTM || id == PL_OP_QAdd ||
            id == PL_OP_QScale) &&
           !strchr(n->name, ',');
}

/* Lists what the layers of g lose, from their recorded figures; the list is in the arena. */
static size_t list_losses(const struct pl_ir *g, struct pl_arena *arena, struct loss **ret)
{
    double *at = PL_NEW(arena, double, g->n_values);
    size_t n = 0;
    *ret = PL_NEW(arena, struct loss, g->n_nodes);
    for (size_t v = 0; at && v < g->n_values; v++)
        at[v] = PL_SQNR_MAX_DB;
    for (size_t i = 0; at && *ret && i < g->n_nodes; i++) {
        const struct pl_ir_node *node = &g->nodes[i];
        double in = PL_SQNR_MAX_DB;
        for (uint32_t k = 0; k < node->n_in; k++)
            if (node->in[k] != PL_IR_NONE)
                in = PL_MIN(in, at[node->in[k]]);
        const double own = (double)pl_ir_float(node, "sqnr_db", NAN);
        for (uint32_t k = 0; k < node->n_out; k++)
            if (node->out[k] != PL_IR_NONE)
                at[node->out[k]] = isnan(own) ? in : own;
        if (!isnan(own) && is_layer(node))
            (*ret)[n++] = (struct loss){node->name, in - own};
    }
    return n;
}

/* Called when the output is too far from that of floats: a sixteenth of the layers, those that lose
 * the most, stay in floats from the next round on. */
static platen_status give_back(struct import_job *j, const struct pl_ir *g,
                               struct platen_error *err)
{
    struct loss *list;
    if (j->sqnr_db >= j->q->min_sqnr_db || j->round == MAX_ROUNDS)
        return PLATEN_OK;
    const size_t n = list_losses(g, &j->arrays.arena, &list);
    if (n)
        qsort(list, n, sizeof(*list), largest_loss_first);
    for (size_t i = 0; i < (n + 15) / 16; i++) {
        pl_str_printf(&j->keep, "%s%s", j->keep.len ? "," : "", list[i].name);
        if (j->log)
            pl_str_printf(j->log, "%.1f dB: '%s' loses %.1f dB and stays in floats\n", j->sqnr_db,
                          list[i].name, list[i].db);
        j->gave_back = true;
    }
    return j->keep.failed ? pl_fail_nomem(err, j->keep.len, "names of layers") : PLATEN_OK;
}

/* Measures how far n is from `floats`, layer by layer, and records it in the nodes of n and in the
 * notes. */
static platen_status judge(struct import_job *j, struct pl_network *n,
                           const struct pl_network *floats, struct platen_error *err)
{
    struct pl_arena *arena = &j->arrays.arena;
    struct pl_quant_layer *layers = NULL;
    size_t n_layers = 0;
    struct pl_error_sums *sums = PL_NEW(arena, struct pl_error_sums, n->g.n_outputs);
    platen_status s = sums ? PLATEN_OK : pl_fail_nomem(err, sizeof(*sums), "figures");
    s = s ? s : pl_quant_report(&n->g, &floats->g, &j->k, &j->sets, arena, &layers, &n_layers, err);
    s = s ? s : pl_network_compare(&n->g, &floats->g, &j->k, &j->sets, sums, err);
    if (s)
        return s;
    pl_quant_record(&n->g, layers, n_layers);
    j->sqnr_db = pl_error_sqnr_db(&sums[0]);
    snprintf(j->notes.sets, sizeof(j->notes.sets), "%zu", j->sets.n);
    snprintf(j->notes.sqnr, sizeof(j->notes.sqnr), "%.1f", j->sqnr_db);
    note(&j->notes, "quantize.sets", j->notes.sets);
    note(&j->notes, "quantize.sqnr_db", j->notes.sqnr);
    snprintf(j->notes.iou, sizeof(j->notes.iou), "%.3f", pl_error_mask_iou(&sums[0]));
    if (!isnan(pl_error_mask_iou(&sums[0])))
        note(&j->notes, "quantize.mask_iou", j->notes.iou);
    if (j->log)
        describe_layers(layers, n_layers, j->log);
    return PLATEN_OK;
}

/* Returns whether some layer computes in bytes. */
static bool has_bytes(const struct pl_ir *g)
{
    for (size_t i = 0; i < g->n_nodes; i++)
        if (is_layer(&g->nodes[i]) || g->nodes[i].op->id == PL_OP_QEmbedding)
            return true;
    return false;
}

/* Makes a network of bytes. A second copy of the network stays in floats, to measure the error
 * against. */
static platen_status to_int8(struct import_job *j, struct pl_network *n,
                             const struct pl_quant_options *o, struct platen_error *err)
{
    const uint32_t late = 1u << PL_PASS_fuse | 1u << PL_PASS_pack, before = j->passes & ~late;
    const uint32_t behind = (j->passes & late) | 1u << PL_PASS_dead;
    pl_auto(network) floats = NULL;
    struct pl_quant_fixed *fixed;
    size_t n_fixed;
    platen_status s = pl_optimize(&n->g, before, j->log, err);
    s = s ? s : open_source(j, 0, &floats, err);
    s = s ? s : pl_quant_explicit(&floats->g, &fixed, &n_fixed, err);
    s = s ? s : pl_optimize(&floats->g, before, NULL, err);
    s = s ? s : pl_quantize(&n->g, &j->k, o, &j->sets, err);
    if (!s && has_bytes(&n->g))
        note(&j->notes, "quantize", "int8");
    else if (!s && j->q->kind == PLATEN_QUANTIZE_INT8 && !j->round)
        s = pl_fail(err, PLATEN_ERR_UNSUPPORTED, "no layer of '%s' can compute in bytes", j->onnx);
    s = s || j->sets.shapes_only ? s : judge(j, n, floats, err);
    if (!s && !j->sets.shapes_only)
        s = give_back(j, &n->g, err);
    return s ? s : pl_optimize(&n->g, behind, j->log, err);
}

/* Stores the weights as float16. Where there are arrays, the error is measured on them. */
static platen_status to_stored(struct import_job *j, struct pl_network *n, struct platen_error *err)
{
    pl_auto(network) floats = NULL;
    platen_status s = pl_optimize(&n->g, j->passes, j->log, err);
    s = s ? s : pl_quant_store(&n->g, err);
    note(&j->notes, "quantize", "fp16");
    if (s || !j->q->n_calibrate)
        return s;
    s = pl_arrays_open(&j->arrays, j->q->calibrate, j->q->n_calibrate, err);
    j->sets.in = j->arrays.tensors;
    s = s ? s : pl_arrays_sets(&j->arrays, &n->g, &j->sets.n, err);
    s = s ? s : open_source(j, j->passes, &floats, err);
    return s ? s : judge(j, n, floats, err);
}

static platen_status optimize(struct import_job *j, struct pl_network *n, struct platen_error *err)
{
    const struct platen_quantize_options *q = j->q;
    struct pl_quant_options o = {.per_tensor = q->per_tensor,
                                 .narrow = q->narrow,
                                 .percentile = q->percentile,
                                 .keep_float = j->keep.s};
    struct pl_quant_fixed *fixed = NULL;
    platen_status s = PLATEN_OK;
    if (q->kind == PLATEN_QUANTIZE_FP16)
        return to_stored(j, n, err);
    if (q->kind != PLATEN_QUANTIZE_NONE)
        s = pl_quant_explicit(&n->g, &fixed, &o.n_fixed, err);
    o.fixed = fixed;
    if (!s && q->kind == PLATEN_QUANTIZE_AUTO && !o.n_fixed && pl_is_of_halves(&n->g))
        return to_stored(j, n, err);
    if (s || q->kind == PLATEN_QUANTIZE_NONE || (q->kind == PLATEN_QUANTIZE_AUTO && !o.n_fixed))
        return s ? s : pl_optimize(&n->g, j->passes, j->log, err);
    if (!q->n_calibrate && !o.n_fixed)
        return pl_fail(err, PLATEN_ERR_ARG,
                       "the graph has no scales of its own: arrays are needed");
    s = pl_arrays_open(&j->arrays, q->calibrate, q->n_calibrate, err);
    j->sets.in = j->arrays.tensors;
    s = s                ? s
        : q->n_calibrate ? pl_arrays_sets(&j->arrays, &n->g, &j->sets.n, err)
                         : make_shapes(j, &n->g, err);
    return s ? s : to_int8(j, n, &o, err);
}

/* Finds out what has to be known of a network before it is adapted whole. */
static platen_status measure(struct import_job *j, struct platen_error *err)
{
    pl_auto(network) n = NULL;
    if (!j->reader && !j->detector)
        return PLATEN_OK;
    platen_status s = open_source(j, 0, &n, err);
    if (!s && j->reader)
        s = pl_line_adapter_measure(j->reader, &n->g, &j->k, err);
    if (!s && j->detector)
        s = pl_detector_adapter_measure(j->detector, n, &j->k, err);
    j->measured = !s;
    return s;
}

/* Notes what a line recognizer tells of itself (platen-model.5). */
static void note_reader(struct import_job *j)
{
    const struct pl_line_adapter *r = j->reader;
    note(&j->notes, "alphabet", r->alphabet);
    if (r->symbols)
        note(&j->notes, "symbols", r->symbols);
    note(&j->notes, "stride", r->stride);
    note(&j->notes, "pad_left", r->stride);
    note(&j->notes, "pad_right", r->stride);
    note(&j->notes, "input_scale", "0.00392156862745098"); /* a byte of 255 is ink */
    note(&j->notes, "input_zero", "0");
    if (r->min_conf)
        note(&j->notes, "min_conf", r->min_conf);
}

/* Runs one round, which makes a network that could be written. */
static platen_status make(struct import_job *j, struct pl_network **ret, struct platen_error *err)
{
    pl_auto(network) n = NULL;
    const char *slash = strrchr(j->onnx, '/');
    platen_status s = open_source(j, 0, &n, err);
    if (!s && !SHA256Data(n->map.data, n->map.size, j->notes.sum))
        s = pl_fail_nomem(err, n->map.size, "a checksum");
    if (s)
        return s;
    j->n_values = n->g.n_values;
    j->notes.n = 0;
    note(&j->notes, "source", slash ? slash + 1 : j->onnx);
    note(&j->notes, "source_sha256", j->notes.sum);
    for (const char *p = j->notes.meta[0].value; *p; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            return pl_fail(err, PLATEN_ERR_ARG, "the name of '%s' holds control characters",
                           j->onnx);
    if (j->reader)
        note_reader(j);
    for (size_t i = 0; j->detector && i < j->detector->n_notes; i++)
        note(&j->notes, j->detector->notes[i].key, j->detector->notes[i].value);
    s = optimize(j, n, err);
    /* metadata of the ONNX file come behind the notes of this import */
    for (size_t i = 0; i < n->n_meta && !s; i++)
        if (!pl_container_value(j->notes.meta, j->notes.n, n->meta[i].key))
            note(&j->notes, n->meta[i].key, n->meta[i].value);
    if (!s)
        *ret = pl_steal(n);
    return s;
}

static platen_status import(struct import_job *j, const char *path, struct platen_error *err)
{
    pl_auto(network) n = NULL;
    const char *passes;
    platen_status s = pl_network_settings(j->o, &passes, &j->k, err);
    s = s ? s : pl_network_passes(passes, &j->passes, err);
    s = s ? s : measure(j, err);
    if (!s && j->q->keep_float)
        pl_str_puts(&j->keep, j->q->keep_float);
    for (; !s && (!j->round || j->gave_back); j->round++) {
        j->gave_back = false;
        pl_network_free(n);
        n = NULL;
        pl_arrays_done(&j->arrays);
        s = make(j, &n, err);
    }
    if (s)
        return s;
    struct pl_network_check check = {.onnx = j->onnx,
                                     .open = open_for_check,
                                     .job = j,
                                     .kernels = &j->k,
                                     .sets = j->sets,
                                     .n_values = j->n_values,
                                     .result = j->result};
    if (j->sets.shapes_only)
        check.sets.n = 0;
    s = pl_network_write(path, &n->g, j->notes.meta, j->notes.n, pl_network_check, &check, err);
    return s ? pl_fail_prefix(err, s, "unable to write '%s': ", path) : s;
}

/* Says so where a model that reads lines has no language model. */
static platen_status describe_language(const char *path, struct pl_str *out,
                                       struct platen_error *err)
{
    struct pl_str beside = {0};
    pl_models_language(path, &beside);
    platen_status s = beside.failed ? pl_fail_nomem(err, beside.len, "a name") : PLATEN_OK;
    if (!s && access(beside.s, F_OK))
        pl_str_printf(out, "no language model '%s' beside it: the network alone decides\n",
                      beside.s);
    pl_str_done(&beside);
    return s;
}

platen_status platen_model_import(const char *onnx, const char *path,
                                  const struct platen_network_options *o,
                                  const struct platen_quantize_options *q,
                                  const struct platen_reader_options *r,
                                  const struct platen_detector_options *d, char **ret_log,
                                  char **ret_result, struct platen_error *err)
{
    struct pl_line_adapter reader = {.n_keys = 0};
    struct pl_detector_adapter detector = {.logits = false};
    struct pl_str log = {0}, result = {0};
    struct platen_quantize_options own = {.kind = PLATEN_QUANTIZE_AUTO};
    struct import_job j = {.onnx = onnx, .o = o, .q = &own, .result = &result};
    j.log = ret_log ? &log : NULL;
    platen_status s = PL_NEED(err, onnx, path);
    if (!s && q)
        s = pl_sized_take(&own, sizeof(own), q, "platen_quantize_options", err);
    s = s ? s : PL_NEED_WHEN(err, own.n_calibrate, own.calibrate);
    if (!s && r) {
        s = pl_line_adapter_open(&reader, onnx, r, err);
        j.reader = &reader;
    }
    if (!s && d) {
        s = pl_detector_adapter_open(&detector, d, err);
        j.detector = &detector;
    }
    s = s ? s : import(&j, path, err);
    if (!s && r)
        s = describe_language(path, &result, err);
    pl_line_adapter_done(&reader);
    pl_detector_adapter_done(&detector);
    pl_arrays_done(&j.arrays);
    pl_str_done(&j.keep);
    if (!s && ret_result)
        s = pl_describe_give(&result, ret_result, err);
    else
        pl_str_done(&result);
    if (!s && ret_log)
        return pl_describe_give(&log, ret_log, err);
    pl_str_done(&log);
    return s;
}

/* Appends a line for each output; sets *ret_far when one has more error than is allowed. */
static void describe_outputs(const struct pl_ir *g, const struct pl_error_sums *sums, double bound,
                             struct pl_str *out, bool *ret_far)
{
    for (size_t i = 0; i < g->n_outputs; i++) {
        const struct pl_error_sums *e = &sums[i];
        const double sqnr = pl_error_sqnr_db(e);
        const double iou = pl_error_mask_iou(e);
        pl_str_printf(out, "output %s: sqnr %.1f dB, mse %.3e, largest error %.3e of %.3e",
                      g->values[g->outputs[i]].name, sqnr, pl_error_mse(e), e->max_error,
                      e->max_wanted);
        if (!isnan(iou))
            pl_str_printf(out, ", mask IoU %.3f", iou);
        pl_str_puts(out, sqnr < bound ? ": too far\n" : "\n");
        *ret_far = *ret_far || sqnr < bound;
    }
}

static platen_status compare_networks(const struct pl_network *n, const struct pl_network *floats,
                                      const struct pl_kernels *k, const struct pl_arrays *a,
                                      double bound, struct pl_str *out, bool *ret_far,
                                      struct platen_error *err)
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
    s = s ? s : pl_network_compare(&n->g, &floats->g, k, &sets, sums, err);
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
    const char *passes;
    struct pl_kernels k;
    struct pl_arrays a = {0};
    struct pl_str out = {0};
    uint32_t set = PL_PASS_ALL;
    platen_status s = PL_NEED(err, model, against, ret, ret_far);
    s = s ? s : PL_NEED_WHEN(err, n, in);
    if (s)
        return s;
    *ret_far = false;
    s = pl_network_settings(o, &passes, &k, err);
    s = s ? s : pl_network_passes(passes, &set, err);
    s = s ? s : pl_network_load_set(model, set, NULL, &one, err);
    /* layers are compared by their values before the activation, which pass `fuse` would hide */
    s = s ? s : pl_network_load_set(against, set & ~(1u << PL_PASS_fuse), NULL, &two, err);
    s = s ? s : pl_arrays_open(&a, in, n, err);
    s = s ? s : compare_networks(one, two, &k, &a, min_sqnr_db, &out, ret_far, err);
    pl_arrays_done(&a);
    if (!s)
        return pl_describe_give(&out, ret, err);
    pl_str_done(&out);
    return s;
}
