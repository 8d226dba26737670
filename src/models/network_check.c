/* SPDX-License-Identifier: BSD-2-Clause */
#include "models/network_check.h"

#include <math.h>
#include <string.h>

#include "compile/pass.h"
#include "models/networks.h"
#include "nn/operators.h"
#include "nn/session.h"

#define MAX_SETS 8                 /* that are compared, of those given */
#define MAX_MADE_NUMBERS (1 << 24) /* of an input that is made here */
/* Networks that take more than this in memory, or in what their nodes write, take arrays. */
#define MAX_MADE_BYTES ((size_t)64 << 20)
#define MAX_MADE_WORK_BYTES ((size_t)1 << 30)
#define MAX_MADE_VALUES 16384

/* The least ratio of signal to error: of floats, whose sums are only ordered otherwise; of weights
 * in halves, or of a graph that rounds to halves at every node; of bytes, where
 * less is no rounding but a fault. */
#define MIN_FLOATS_DB 60.0
#define MIN_HALVES_DB 30.0
#define MIN_BYTES_DB 6.0

platen_status pl_network_compare(const struct pl_ir *g, const struct pl_ir *against,
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

/* The range of the numbers that are made for an input: that of the grid on which the graph puts it,
 * or -1 to 1. */
static void range_of(const struct pl_ir *g, uint32_t input, double *lo, double *hi)
{
    *lo = -1;
    *hi = 1;
    for (size_t i = 0; i < g->n_nodes; i++) {
        const struct pl_ir_node *n = &g->nodes[i];
        if (n->op->id != PL_OP_QuantizeLinear || n->in[0] != input)
            continue;
        const struct pl_tensor *s = &g->values[n->in[1]].t;
        const struct pl_tensor *z = n->n_in > 2 ? &g->values[n->in[2]].t : NULL;
        if (!s->data || pl_tensor_count(s) != 1 || (z && (!z->data || pl_tensor_count(z) != 1)))
            continue;
        const double zero = z ? (double)pl_tensor_i64(z, 0) : 0;
        const double first = z && z->type == PL_I8 ? -128 : 0;
        *lo = (first - zero) * pl_tensor_f64(s, 0);
        *hi = (first + 255 - zero) * pl_tensor_f64(s, 0);
    }
}

/* Fills an input: floats with numbers that look random and are the same each time, all else with
 * zeros. */
static void fill(const struct pl_ir *g, uint32_t input, const struct pl_tensor *t)
{
    uint32_t state = 1;
    double lo, hi;
    range_of(g, input, &lo, &hi);
    for (size_t i = 0; i < pl_tensor_count(t) && pl_dtype_is_float(t->type); i++) {
        state = state * 1664525 + 1013904223;
        const float v = (float)(lo + (hi - lo) * (double)(state >> 8) / 16777216.0);
        pl_tensor_cast_row(pl_tensor_at(t, i), t->type, &v, PL_F32, 1);
    }
}

bool pl_network_input_shape(const struct pl_tensor *declared, int64_t size, struct pl_tensor *ret)
{
    int64_t dims[PL_MAX_RANK];
    for (int d = 0; d < declared->rank; d++)
        dims[d] = declared->dims[d] >= 0 ? declared->dims[d] : d ? size : 1;
    return declared->rank >= 0 && pl_tensor_shape(ret, declared->type, declared->rank, dims);
}

platen_status pl_network_make_inputs(const struct pl_ir *g, int64_t size, struct pl_arena *arena,
                                     struct pl_quant_sets *ret, struct platen_error *err)
{
    struct pl_tensor *in = PL_NEW(arena, struct pl_tensor, g->n_inputs);
    if (!in)
        return pl_fail_nomem(err, g->n_inputs * sizeof(*in), "inputs");
    for (size_t i = 0; i < g->n_inputs; i++) {
        if (!pl_network_input_shape(&g->values[g->inputs[i]].t, size, &in[i]) ||
            pl_tensor_count(&in[i]) > MAX_MADE_NUMBERS)
            return pl_fail(err, PLATEN_ERR_ARG, "no input '%.60s' can be made of its shape",
                           g->values[g->inputs[i]].name);
        in[i].data = pl_arena_alloc(arena, pl_tensor_bytes(&in[i]) + 1, 1);
        if (!in[i].data)
            return pl_fail_nomem(err, pl_tensor_bytes(&in[i]), "an input");
        fill(g, g->inputs[i], &in[i]);
    }
    *ret = (struct pl_quant_sets){.in = in, .n = 1};
    return PLATEN_OK;
}

/* Makes inputs and tries the graph on them. */
static platen_status try_made(const struct pl_ir *g, const struct pl_kernels *k,
                              struct pl_arena *arena, struct pl_quant_sets *ret,
                              struct platen_error *err)
{
    pl_auto(session) session = NULL;
    platen_status s = pl_network_make_inputs(g, PL_NETWORK_MADE_SIZE, arena, ret, err);
    s = s ? s : pl_session_new(g, k, MAX_MADE_BYTES, &session, err);
    s = s ? s : pl_session_prepare(session, ret->in, err);
    if (!s && pl_session_work_bytes(session) > MAX_MADE_WORK_BYTES)
        return pl_fail(err, PLATEN_ERR_LIMIT, "a run writes more than %zu bytes",
                       MAX_MADE_WORK_BYTES);
    return s ? s : pl_session_run(session, ret->in, err);
}

static double bound_of(const struct pl_network *n, const struct pl_ir *source)
{
    const char *kind = pl_network_meta(n, "quantize");
    if (kind && strcmp(kind, "fp16"))
        return MIN_BYTES_DB;
    return kind || pl_is_of_halves(source) ? MIN_HALVES_DB : MIN_FLOATS_DB;
}

/* The name of the ONNX file without its folder. */
static const char *name_of(const struct pl_network_check *c)
{
    const char *slash = strrchr(c->onnx, '/');
    return slash ? slash + 1 : c->onnx;
}

/* Compares the networks and writes the line. Whole numbers, of which a class may be one, count only
 * where there are no floats. */
static platen_status judge(const struct pl_network_check *c, const struct pl_network *n,
                           const struct pl_network *source, const struct pl_quant_sets *sets,
                           struct pl_arena *arena, struct platen_error *err)
{
    const double bound = bound_of(n, &source->g);
    struct pl_error_sums *sums = PL_NEW(arena, struct pl_error_sums, n->g.n_outputs);
    if (!sums)
        return pl_fail_nomem(err, n->g.n_outputs * sizeof(*sums), "figures");
    platen_status s = pl_network_compare(&n->g, &source->g, c->kernels, sets, sums, err);
    double worst[2] = {PL_SQNR_MAX_DB, PL_SQNR_MAX_DB};
    const double iou = s ? NAN : pl_error_mask_iou(&sums[0]);
    bool floats = false;
    for (size_t o = 0; o < n->g.n_outputs && !s; o++) {
        const double db = pl_error_sqnr_db(&sums[o]);
        floats |= sums[o].is_float;
        worst[sums[o].is_float] = fmin(worst[sums[o].is_float], db);
    }
    if (s)
        return s;
    if (worst[floats] < bound)
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "sqnr %.1f dB against '%s' is less than %g",
                       worst[floats], c->onnx, bound);
    pl_str_printf(c->result, "sqnr %.1f dB", worst[floats]);
    if (!isnan(iou))
        pl_str_printf(c->result, ", mask IoU %.3f", iou);
    pl_str_printf(c->result, " against '%s', on %zu set%s of %s arrays\n", name_of(c), sets->n,
                  sets->n == 1 ? "" : "s", c->sets.n ? "the" : "made");
    return PLATEN_OK;
}

static platen_status compare_with(const struct pl_network_check *c, const struct pl_network *n,
                                  const struct pl_network *source, struct pl_arena *arena,
                                  struct platen_error *err)
{
    struct pl_quant_sets sets = c->sets;
    struct platen_error why;
    sets.n = PL_MIN(sets.n, (size_t)MAX_SETS);
    if (!sets.n && try_made(&source->g, c->kernels, arena, &sets, &why)) {
        pl_str_printf(c->result, "not compared with '%s': %s\n", name_of(c), why.text);
        return PLATEN_OK;
    }
    return judge(c, n, source, &sets, arena, err);
}

platen_status pl_network_check(void *ctx, const void *data, size_t n, struct platen_error *err)
{
    const struct pl_network_check *c = ctx;
    pl_auto(network) net = NULL;
    pl_auto(network) source = NULL;
    struct pl_arena arena;
    if (!c->sets.n && c->n_values > MAX_MADE_VALUES) {
        pl_str_printf(c->result, "not compared with '%s': %zu values are more than %d\n",
                      name_of(c), c->n_values, MAX_MADE_VALUES);
        return PLATEN_OK;
    }
    pl_arena_init(&arena);
    platen_status s = pl_network_open_memory(data, n, &net, err);
    s = s ? s : c->open(c->job, &source, err);
    s = s ? s : compare_with(c, net, source, &arena, err);
    pl_arena_done(&arena);
    return s;
}
