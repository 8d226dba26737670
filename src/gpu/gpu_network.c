/* SPDX-License-Identifier: BSD-2-Clause */
/* Networks on the device: weights that stay there, and the runs of their sessions. */
#include <string.h>

#include "base/mem.h"
#include "gpu/gpu_parts.h"
#include "nn/executor.h"

/* Columns of one call: the device has enough to do with so many. */
#define CALL_COLUMNS 16384
#define ALIGN 16 /* bytes between constants */
/* What an offset of a buffer that shaders see may have to be a multiple of, at most. */
#define TABLE_ALIGN 256

struct pl_gpu_network {
    struct pl_executor executor; /* the first member */
    struct pl_gpu *gpu;
    struct pl_gpu_network *next;
    uint32_t *at; /* by value: the word where a constant begins */
    struct pl_gpu_buffer constants;
};

/* What a session has on the device. */
struct gpu_session {
    struct pl_gpu_lane *lane;
    struct pl_gpu_step *steps;   /* by node */
    struct pl_gpu_copy *results; /* by output */
};

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

/* ---- runs ---- */

static void forget(struct pl_executor *e, void *own)
{
    struct gpu_session *g = own;
    pl_gpu_lane_free(((struct pl_gpu_network *)e)->gpu, g->lane);
    pl_free(g->steps);
    pl_free(g->results);
    pl_free(g);
}

static struct gpu_session *open_session(struct pl_gpu_network *n, const struct pl_ir *graph)
{
    struct gpu_session *g = pl_alloc_zero(1, sizeof(*g));
    if (!g)
        return NULL;
    g->steps = pl_alloc(graph->n_nodes, sizeof(*g->steps));
    g->results = pl_alloc(graph->n_outputs, sizeof(*g->results));
    g->lane = g->steps && g->results ? pl_gpu_lane_new(n->gpu) : NULL;
    if (g->lane)
        return g;
    forget(&n->executor, g);
    return NULL;
}

/* Makes steps of the nodes; *ret_n is their number. */
static bool make_steps(const struct pl_gpu_network *n, struct pl_session *s, struct gpu_session *g,
                       size_t *ret_n)
{
    *ret_n = 0;
    for (uint32_t i = 0; i < s->g->n_nodes; i++) {
        if (s->done[i] || pl_gpu_is_still(s, &s->g->nodes[i]))
            continue;
        if (s->empty[i] || !pl_gpu_step_of(s, i, n->at, &g->steps[(*ret_n)++]))
            return false;
    }
    return true;
}

/* Where the bytes of the input go: to the output of the one node that takes them. */
static bool find_input(const struct pl_session *s, struct pl_gpu_copy *ret)
{
    const struct pl_tensor *x = &s->values[s->g->inputs[0]].t;
    for (size_t i = 0; i < s->g->n_nodes; i++) {
        const struct pl_ir_node *n = &s->g->nodes[i];
        if (n->op->id != PL_OP_QuantizeLast || !pl_gpu_is_still(s, n))
            continue;
        *ret = (struct pl_gpu_copy){0, 4 * (size_t)pl_gpu_word_of(s, n->out[0]),
                                    round_up(pl_tensor_bytes(x), 4)};
        return s->values[n->out[0]].home == HOME_BLOCK;
    }
    return false;
}

/* Writes of each unit of columns from where to where its picture goes; a unit between two pictures
 * has none. */
static void write_pictures(uint32_t *table, const struct pl_joints *j)
{
    int64_t from = 0;
    for (size_t i = 0; i <= j->n; i++) {
        const int64_t to = (i < j->n ? j->at[i] : j->columns) / j->width;
        for (int64_t u = from; u < to; u++) {
            table[2 * u] = (uint32_t)from;
            table[2 * u + 1] = (uint32_t)to;
        }
        if (i < j->n)
            table[2 * to] = table[2 * to + 1] = 0;
        from = to + 1;
    }
}

static bool fill_up(struct pl_gpu *gpu, const struct pl_session *s, struct pl_gpu_lane *l,
                    struct pl_gpu_work *w)
{
    const struct pl_tensor *x = &s->values[s->g->inputs[0]].t;
    const struct pl_joints *j = s->joints;
    const size_t table = j ? (size_t)(j->columns / j->width) * 2 * sizeof(uint32_t) : TABLE_ALIGN;
    w->pictures = round_up(w->input.bytes, TABLE_ALIGN);
    if (!pl_gpu_buffer_grow(gpu, &l->up, w->pictures + table, true))
        return false;
    memcpy(l->up.mapped, x->data, pl_tensor_bytes(x));
    if (j)
        write_pictures((uint32_t *)((uint8_t *)l->up.mapped + w->pictures), j);
    return true;
}

/* Finds the results, and where in l->down each goes; *ret is the bytes of all. */
static bool place_results(const struct pl_session *s, struct gpu_session *g, size_t *ret)
{
    *ret = 0;
    for (size_t i = 0; i < s->g->n_outputs; i++) {
        const uint32_t v = s->g->outputs[i];
        if (s->values[v].home != HOME_BLOCK && s->values[v].home != HOME_SHARED)
            return false;
        const size_t bytes = round_up(pl_tensor_bytes(&s->values[v].t), 4);
        g->results[i] = (struct pl_gpu_copy){4 * (size_t)pl_gpu_word_of(s, v), *ret, bytes};
        *ret += bytes;
    }
    return true;
}

static bool run_session(struct pl_gpu_network *n, struct pl_session *s, struct gpu_session *g)
{
    struct pl_gpu_lane *l = g->lane;
    struct pl_gpu_work w = {.constants = &n->constants,
                            .steps = g->steps,
                            .results = g->results,
                            .n_results = s->g->n_outputs};
    size_t down;
    if (s->n_static < s->g->n_nodes || s->block_bytes > n->gpu->max_bytes ||
        !find_input(s, &w.input) || !make_steps(n, s, g, &w.n_steps) ||
        !place_results(s, g, &down) || down > n->gpu->max_bytes)
        return false;
    if (!pl_gpu_buffer_grow(n->gpu, &l->block, s->block_bytes, false) ||
        !pl_gpu_buffer_grow(n->gpu, &l->down, down, true) || !fill_up(n->gpu, s, l, &w) ||
        !pl_gpu_lane_run(n->gpu, l, &w))
        return false;
    for (size_t i = 0; i < s->g->n_outputs; i++) {
        const struct pl_tensor *t = &s->values[s->g->outputs[i]].t;
        memcpy(t->data, (uint8_t *)l->down.mapped + g->results[i].to, pl_tensor_bytes(t));
    }
    return true;
}

static bool run_network(struct pl_executor *e, struct pl_session *s, void **own)
{
    struct pl_gpu_network *n = (struct pl_gpu_network *)e;
    if (atomic_load(&n->gpu->failed))
        return false;
    if (!*own)
        *own = open_session(n, s->g);
    return *own && run_session(n, s, *own);
}

/* ---- weights ---- */

static platen_status check_nodes(const struct pl_ir *g, struct platen_error *err)
{
    if (g->n_inputs != 1)
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "it has %zu inputs", g->n_inputs);
    for (size_t i = 0; i < g->n_nodes; i++)
        if (!pl_gpu_has_step(&g->nodes[i]))
            return pl_ir_fail(&g->nodes[i], err, PLATEN_ERR_UNSUPPORTED, "no operator of the GPU");
    return PLATEN_OK;
}

/* Finds a place for every constant. Returns the bytes of all. */
static size_t place_constants(struct pl_gpu_network *n, const struct pl_ir *g)
{
    size_t bytes = 0;
    for (size_t v = 0; v < g->n_values; v++) {
        if (!g->values[v].t.data)
            continue;
        n->at[v] = (uint32_t)(bytes / 4);
        bytes += round_up(pl_tensor_bytes(&g->values[v].t), ALIGN);
    }
    return PL_MAX(bytes, (size_t)ALIGN);
}

static bool fill_constants(struct pl_gpu_network *n, const struct pl_ir *g, size_t bytes)
{
    struct pl_gpu_lane *l = pl_gpu_lane_new(n->gpu);
    bool ok = l && pl_gpu_buffer_grow(n->gpu, &l->up, bytes, true) &&
              pl_gpu_buffer_grow(n->gpu, &n->constants, bytes, false);
    for (size_t v = 0; v < g->n_values && ok; v++)
        if (g->values[v].t.data)
            memcpy((uint8_t *)l->up.mapped + 4 * (size_t)n->at[v], g->values[v].t.data,
                   pl_tensor_bytes(&g->values[v].t));
    ok = ok && pl_gpu_lane_fill(n->gpu, l, &n->constants, bytes);
    pl_gpu_lane_free(n->gpu, l);
    return ok;
}

static void free_network(struct pl_gpu_network *n)
{
    pl_gpu_buffer_done(n->gpu, &n->constants);
    pl_free(n->at);
    pl_free(n);
}

platen_status pl_gpu_take(struct pl_gpu *gpu, struct pl_ir *g, struct platen_error *err)
{
    platen_status s = check_nodes(g, err);
    if (s)
        return s;
    struct pl_gpu_network *n = pl_alloc_zero(1, sizeof(*n));
    if (!n)
        return pl_fail_nomem(err, sizeof(*n), "a network on the GPU");
    *n = (struct pl_gpu_network){
        .executor = {.run = run_network, .forget = forget, .columns = CALL_COLUMNS},
        .gpu = gpu,
        .at = pl_alloc_zero(g->n_values, sizeof(*n->at))};
    const size_t bytes = n->at ? place_constants(n, g) : 0;
    if (!n->at)
        s = pl_fail_nomem(err, g->n_values * sizeof(*n->at), "a network on the GPU");
    else if (bytes > gpu->max_bytes)
        s = pl_fail(err, PLATEN_ERR_UNSUPPORTED, "its %zu bytes of weights are too many", bytes);
    else if (!fill_constants(n, g, bytes))
        s = pl_fail(err, PLATEN_ERR_UNSUPPORTED, "its weights do not get there");
    if (s) {
        free_network(n);
        return s;
    }
    pthread_mutex_lock(&gpu->lock);
    n->next = gpu->networks;
    gpu->networks = n;
    pthread_mutex_unlock(&gpu->lock);
    g->executor = &n->executor;
    return PLATEN_OK;
}

bool pl_gpu_failed(struct pl_gpu *gpu, const char **why)
{
    bool refused = false;
    pthread_mutex_lock(&gpu->lock);
    for (struct pl_gpu_network *n = gpu->networks; n; n = n->next)
        refused = refused || atomic_load(&n->executor.trust) == PL_EXECUTOR_REFUSED;
    pthread_mutex_unlock(&gpu->lock);
    const bool failed = atomic_load(&gpu->failed);
    *why = failed ? gpu->why : "it computes other bytes than the processor";
    return failed || refused;
}

void pl_gpu_networks_free(struct pl_gpu *gpu)
{
    while (gpu->networks) {
        struct pl_gpu_network *n = gpu->networks;
        gpu->networks = n->next;
        free_network(n);
    }
}
