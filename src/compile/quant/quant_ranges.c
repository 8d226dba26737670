/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures the ranges of values. The network of floats is run with every value as an output; a
 * second run counts values by size, and of a few ranges the one with the least squared error is
 * chosen. */
#include "compile/quant.h"

#include <math.h>
#include <string.h>

#include "nn/session.h"

#define BINS 2048
#define MAX_BYTES ((size_t)16 << 30) /* The values of a run take no more together. */

/* A value while it is measured. */
struct measured {
    float min, max;
    float *count; /* A histogram of BINS. */
};

struct study {
    const struct pl_ir *g;
    struct pl_arena arena;
    struct measured *values;
    struct pl_range *ranges;
    bool counting, shapes_only;
};

static void take_extremes(struct measured *m, const float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (isfinite(x[i])) {
            m->min = x[i] < m->min ? x[i] : m->min;
            m->max = x[i] > m->max ? x[i] : m->max;
        }
}

static void take_counts(struct measured *m, const float *x, size_t n)
{
    const float step = (m->max - m->min) / BINS;
    for (size_t i = 0; i < n && step > 0; i++)
        if (isfinite(x[i]))
            m->count[PL_MIN((size_t)((x[i] - m->min) / step), (size_t)BINS - 1)]++;
}

static platen_status take_samples(struct study *s, uint32_t value, const struct pl_tensor *t,
                                  struct platen_error *err)
{
    struct measured *m = &s->values[value];
    struct pl_range *r = &s->ranges[value];
    if (t->type != PL_F32 || !t->data)
        return PLATEN_OK;
    r->known = !s->shapes_only;
    if (s->counting) {
        take_counts(m, t->data, pl_tensor_count(t));
        return PLATEN_OK;
    }
    if (!m->count)
        m->count = PL_NEW(&s->arena, float, BINS);
    if (!m->count)
        return pl_fail_nomem(err, BINS * sizeof(float), "a histogram");
    r->rank = t->rank;
    for (int i = 0; i < t->rank; i++)
        r->dims[i] = PL_MAX(r->dims[i], t->dims[i]);
    take_extremes(m, t->data, pl_tensor_count(t));
    return PLATEN_OK;
}

/* Returns the expected squared error of all values, with 255 steps from lo to hi. */
static double expected_error(const struct measured *m, double lo, double hi)
{
    const double width = (double)(m->max - m->min) / BINS, step = (hi - lo) / 255;
    double sum = 0;
    for (size_t i = 0; i < BINS; i++) {
        const double v = (double)m->min + ((double)i + 0.5) * width;
        const double beyond = v < lo ? lo - v : v > hi ? v - hi : 0;
        sum += (double)m->count[i] * (beyond > 0 ? beyond * beyond : step * step / 12);
    }
    return sum;
}

/* Finds the range that leaves out a share of (1 - share) / 2 at each end. */
static void cut(const struct measured *m, double share, double *lo, double *hi)
{
    const double width = (double)(m->max - m->min) / BINS;
    double total = 0, below = 0, above = 0;
    size_t first = 0, last = BINS;
    for (size_t i = 0; i < BINS; i++)
        total += (double)m->count[i];
    const double most = total * (1 - share) / 2;
    while (first < BINS && below + (double)m->count[first] <= most)
        below += (double)m->count[first++];
    while (last > first && above + (double)m->count[last - 1] <= most)
        above += (double)m->count[--last];
    *lo = PL_MIN((double)m->min + (double)first * width, 0.0);
    *hi = PL_MAX((double)m->min + (double)last * width, 0.0);
}

static void choose(const struct measured *m, double percentile, struct pl_range *r)
{
    static const double shares[] = {0.99999, 0.9999, 0.999};
    r->lo = PL_MIN((double)m->min, 0.0);
    r->hi = PL_MAX((double)m->max, 0.0);
    if (percentile > 0 && percentile < 100)
        cut(m, percentile / 100, &r->lo, &r->hi);
    if (percentile > 0)
        return;
    double best = expected_error(m, r->lo, r->hi);
    for (size_t i = 0; i < PL_ARRAY_LEN(shares); i++) {
        double lo, hi;
        cut(m, shares[i], &lo, &hi);
        const double error = hi > lo ? expected_error(m, lo, hi) : best;
        if (error < best) {
            best = error;
            r->lo = lo;
            r->hi = hi;
        }
    }
}

/* Runs the sets once. */
static platen_status run_sets(struct study *s, struct pl_session *session,
                              const struct pl_ir *watched, const struct pl_quant_sets *sets,
                              struct platen_error *err)
{
    const size_t n_in = s->g->n_inputs;
    platen_status st = PLATEN_OK;
    for (size_t i = 0; i < sets->n && !st; i++) {
        const struct pl_tensor *in = sets->in + i * n_in;
        st = pl_session_run(session, in, err);
        for (size_t k = 0; k < n_in && !st; k++)
            st = take_samples(s, s->g->inputs[k], &in[k], err);
        for (size_t k = 0; k < watched->n_outputs && !st; k++)
            st = take_samples(s, watched->outputs[k], pl_session_output(session, k), err);
    }
    return st;
}

/* Makes a copy of the graph that has the result of every node as an output. */
static platen_status watch(struct study *s, struct pl_ir *ret, struct platen_error *err)
{
    *ret = *s->g;
    ret->n_outputs = 0;
    ret->outputs = PL_NEW(&s->arena, uint32_t, s->g->n_values);
    s->values = PL_NEW(&s->arena, struct measured, s->g->n_values);
    if (!ret->outputs || !s->values)
        return pl_fail_nomem(err, s->g->n_values * sizeof(*s->values), "ranges");
    for (uint32_t i = 0; i < s->g->n_nodes; i++)
        for (uint32_t k = 0; k < s->g->nodes[i].n_out; k++)
            if (s->g->nodes[i].out[k] != PL_IR_NONE)
                ret->outputs[ret->n_outputs++] = s->g->nodes[i].out[k];
    return PLATEN_OK;
}

platen_status pl_quant_ranges(const struct pl_ir *g, const struct pl_kernels *k,
                              const struct pl_quant_sets *sets, double percentile,
                              struct pl_range *ret, struct platen_error *err)
{
    struct study s = {.g = g, .ranges = ret, .shapes_only = sets->shapes_only};
    struct pl_ir watched;
    pl_auto(session) session = NULL;
    pl_arena_init(&s.arena);
    memset(ret, 0, g->n_values * sizeof(*ret));
    platen_status st = watch(&s, &watched, err);
    st = st ? st : pl_session_new(&watched, k, MAX_BYTES, &session, err);
    st = st ? st : run_sets(&s, session, &watched, sets, err);
    s.counting = true;
    st = st ? st : run_sets(&s, session, &watched, sets, err);
    for (size_t v = 0; v < g->n_values && !st; v++)
        if (s.values[v].count)
            choose(&s.values[v], percentile, &ret[v]);
    pl_arena_done(&s.arena);
    return st;
}
