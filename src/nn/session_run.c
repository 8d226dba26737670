/* SPDX-License-Identifier: BSD-2-Clause */
/* A run of a session: inputs in, node after node, outputs out. */
#include "nn/session_parts.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "nn/executor.h"
#include "nn/op/op_conv.h"

static bool same_shapes(const struct pl_session *s, const struct pl_tensor *in)
{
    for (size_t i = 0; i < s->g->n_inputs; i++)
        if (!in[i].data != !s->shapes[i].data || in[i].type != s->shapes[i].type ||
            !pl_tensor_same_shape(&in[i], &s->shapes[i]))
            return false;
    return true;
}

/* What an input took that is much larger than the next one goes back to the system from this size
 * on: else the widest line of a long run stays in memory. */
#define LEAST_FORGOTTEN ((size_t)2 << 20)

/* The plan fits the buffer: what lies far behind it goes back. */
static void forget_tail(struct pl_session *s)
{
    if (s->block_touched < s->block_bytes + LEAST_FORGOTTEN) {
        s->block_touched = PL_MAX(s->block_touched, s->block_bytes);
        return;
    }
    pl_mem_forget(s->block + s->block_bytes, s->block_touched - s->block_bytes);
    s->block_touched = s->block_bytes;
}

static platen_status grow_block(struct pl_session *s, struct platen_error *err)
{
    size_t capacity = (size_t)1 << 16;
    if (s->block_bytes <= s->block_capacity) {
        forget_tail(s);
        return PLATEN_OK;
    }
    while (capacity < s->block_bytes)
        capacity *= 2;
    pl_free(s->block);
    s->block_capacity = s->block_touched = 0;
    s->block = pl_alloc_aligned(capacity);
    if (!s->block)
        return pl_fail_nomem(err, capacity, "values of a network");
    pl_mem_large_pages(s->block, s->block_bytes);
    s->block_capacity = capacity;
    s->block_touched = s->block_bytes;
    return PLATEN_OK;
}

void pl_session_rest(struct pl_session *s)
{
    if (!s)
        return;
    pl_free(s->block);
    s->block = NULL;
    s->block_capacity = s->block_touched = 0;
}

/* Makes room for the floats of inputs that come as bytes, where nodes want floats. */
static platen_status grow_inputs(struct pl_session *s, const struct pl_tensor *in,
                                 struct platen_error *err)
{
    for (size_t i = 0; i < s->g->n_inputs; i++) {
        struct pl_byte_input *b = &s->byte_inputs[i];
        const size_t n = pl_tensor_count(&in[i]);
        if (!b->given || b->direct || n <= b->room)
            continue;
        pl_free(b->floats);
        b->floats = pl_alloc(n, sizeof(float));
        b->room = b->floats ? n : 0;
        if (!b->floats)
            return pl_fail_nomem(err, n * sizeof(float), "an input");
    }
    return PLATEN_OK;
}

platen_status pl_session_prepare(struct pl_session *s, const struct pl_tensor *in,
                                 struct platen_error *err)
{
    platen_status st = PLATEN_OK;
    if (!s->planned || !same_shapes(s, in))
        st = pl_session_plan(s, in, err);
    st = st ? st : grow_inputs(s, in, err);
    return st ? st : grow_block(s, err);
}

/* Returns what the nodes read of input i: its own data, or floats that are made of its bytes. */
static void *input_data(struct pl_session *s, const struct pl_tensor *in, size_t i)
{
    const struct pl_byte_input *b = &s->byte_inputs[i];
    if (!b->given || b->direct || !in[i].data)
        return in[i].data;
    s->kernels->dequantize_u8(b->floats, in[i].data, pl_tensor_count(&in[i]), b->scale, b->zero);
    return b->floats;
}

/* Sets the data pointers of all values that have a place. */
static void set_places(struct pl_session *s, const struct pl_tensor *in)
{
    const struct pl_ir *g = s->g;
    for (size_t i = 0; i < g->n_inputs; i++)
        s->values[g->inputs[i]].t.data = input_data(s, in, i);
    for (size_t i = 0; i < s->n_places; i++) {
        struct pl_session_value *v = &s->values[s->places[i].value];
        assert(v->offset + s->places[i].bytes <= s->block_capacity);
        v->t.data = s->block + v->offset;
    }
    for (size_t i = 0; i < g->n_values; i++)
        if (s->values[i].home == HOME_SHARED)
            s->values[i].t.data =
                (uint8_t *)s->values[s->values[i].root].t.data + s->values[i].part;
}

static platen_status too_large(const struct pl_session *s, const struct pl_ir_node *n, size_t bytes,
                               struct platen_error *err)
{
    return pl_ir_fail(n, err, PLATEN_ERR_LIMIT, "%zu bytes more than the %zu that values may take",
                      bytes, s->max_bytes);
}

/* Finds a buffer for each output of a node whose shapes are known only in the run. */
static platen_status allocate(struct pl_session *s, const struct pl_ir_node *n,
                              struct platen_error *err)
{
    for (uint32_t k = 0; k < n->n_out; k++) {
        if (n->out[k] == PL_IR_NONE)
            continue;
        struct pl_session_value *v = &s->values[n->out[k]];
        size_t bytes = pl_tensor_bytes(&v->t), capacity = 64;
        while (capacity < bytes)
            capacity *= 2;
        if (bytes > s->max_bytes || s->live_bytes > s->max_bytes - bytes)
            return too_large(s, n, bytes, err);
        s->live_bytes += bytes;
        if (v->capacity < bytes) {
            pl_free(v->buffer);
            v->capacity = 0;
            v->buffer = pl_alloc_aligned(capacity);
            if (!v->buffer)
                return pl_fail_nomem(err, bytes, "values of a network");
            v->capacity = capacity;
        }
        v->t.data = v->buffer;
        v->home = HOME_DYNAMIC;
    }
    return PLATEN_OK;
}

static void release(struct pl_session *s, uint32_t value, uint32_t at)
{
    if (value == PL_IR_NONE || s->last[value] != at || s->values[value].home != HOME_DYNAMIC)
        return;
    const size_t bytes = pl_tensor_bytes(&s->values[value].t);
    assert(s->live_bytes >= bytes);
    s->live_bytes -= bytes;
}

static platen_status run_node(struct pl_session *s, uint32_t at, struct platen_error *err)
{
    const struct pl_ir_node *n = &s->g->nodes[at];
    struct pl_call c = pl_session_call(s, at, err);
    platen_status st = PLATEN_OK;
    const bool dynamic = at >= s->n_static;
    if (dynamic) {
        st = pl_session_check_inputs(s, n, err);
        st = st ? st : n->op->infer(&c);
        st = st ? st : allocate(s, n, err);
        s->empty[at] = !st && pl_session_writes_nothing(s, n);
    }
    pl_arena_reset(&s->scratch);
    const bool there = !dynamic && pl_session_copied_in_place(s, n);
    st = st || s->empty[at] || there ? st : n->op->run(&c);
    pl_arena_reset(&s->scratch);
    for (uint32_t k = 0; k < n->n_in && dynamic; k++)
        release(s, n->in[k], at);
    for (uint32_t k = 0; k < n->n_out && dynamic; k++)
        release(s, n->out[k], at);
    return st;
}

/* Fails where an output has no value: it is an input that the caller left out. */
static platen_status check_outputs(const struct pl_session *s, struct platen_error *err)
{
    for (size_t i = 0; i < s->g->n_outputs; i++)
        if (s->values[s->g->outputs[i]].home == HOME_NONE)
            return pl_fail(err, PLATEN_ERR_ARG, "output '%.60s' has no value",
                           s->g->values[s->g->outputs[i]].name);
    return PLATEN_OK;
}

static platen_status run_pair(struct pl_session *s, uint32_t at, struct platen_error *err)
{
    struct pl_session_two two;
    pl_session_two_calls(s, at, &two, err);
    pl_arena_reset(&s->scratch);
    const platen_status st = pl_conv_run_pair(&two.call[0], &two.call[1]);
    pl_arena_reset(&s->scratch);
    return st;
}

/* Runs the nodes from..to-1. */
static platen_status run_some(struct pl_session *s, size_t from, size_t to,
                              struct platen_error *err)
{
    platen_status st = PLATEN_OK;
    for (size_t i = from; i < to && !st; i += s->pairs[i] ? 2 : 1)
        if (!s->done[i])
            st = s->pairs[i] ? run_pair(s, (uint32_t)i, err) : run_node(s, (uint32_t)i, err);
    return st;
}

static platen_status run_nodes(struct pl_session *s, struct platen_error *err)
{
    s->live_bytes = s->block_bytes;
    return run_some(s, 0, s->g->n_nodes, err);
}

/* Copies the bytes of all outputs, one behind the other, to or from `bytes`; returns their number.
 * NULL: only that. */
static size_t save_outputs(const struct pl_session *s, uint8_t *bytes)
{
    size_t n = 0;
    for (size_t i = 0; i < s->g->n_outputs; i++) {
        const struct pl_tensor *t = &s->values[s->g->outputs[i]].t;
        if (bytes)
            memcpy(bytes + n, t->data, pl_tensor_bytes(t));
        n += pl_tensor_bytes(t);
    }
    return n;
}

/* Runs a network by its executor and by the bodies, whose outputs stay, and settles whether the
 * executor is trusted. Of pictures beside each other some bytes mean nothing: there the bodies run
 * alone. */
static platen_status run_both(struct pl_session *s, struct platen_error *err)
{
    struct pl_executor *e = s->executor;
    const bool ran = !s->joints && e->run(e, s, &s->elsewhere);
    const size_t n = ran ? save_outputs(s, NULL) : 0;
    uint8_t *got = pl_alloc(2, PL_MAX(n, 1));
    if (!got)
        return pl_fail_nomem(err, 2 * n, "outputs of a network");
    if (ran)
        save_outputs(s, got);
    platen_status st = run_nodes(s, err);
    if (ran && !st) {
        save_outputs(s, got + n);
        atomic_store(&e->trust,
                     memcmp(got, got + n, n) ? PL_EXECUTOR_REFUSED : PL_EXECUTOR_TRUSTED);
    }
    pl_free(got);
    return st;
}

static platen_status compute(struct pl_session *s, struct platen_error *err)
{
    struct pl_executor *e = s->executor;
    const int trust = e ? atomic_load(&e->trust) : PL_EXECUTOR_REFUSED;
    if (trust == PL_EXECUTOR_UNTRIED)
        return run_both(s, err);
    if (trust == PL_EXECUTOR_TRUSTED && e->run(e, s, &s->elsewhere))
        return PLATEN_OK;
    return run_nodes(s, err);
}

platen_status pl_session_run(struct pl_session *s, const struct pl_tensor *in,
                             struct platen_error *err)
{
    platen_status st = pl_session_prepare(s, in, err);
    if (st)
        return st;
    set_places(s, in);
    st = compute(s, err);
    return st ? st : check_outputs(s, err);
}

/* Of a recurrent layer whose matrices, of all directions, have at least so many bytes, it pays to
 * read them once for all lines: with 256 cells floats gain 16 to 30 percent, bytes 5. With 96 cells
 * the values of several sessions, which push each other out of the second-level cache, cost more.
 */
#define MIN_TOGETHER_BYTES ((size_t)384 << 10)

bool pl_session_gains_together(const struct pl_ir *g)
{
    for (size_t i = 0; i < g->n_nodes; i++) {
        const struct pl_ir_node *n = &g->nodes[i];
        if (n->op->traits & PL_TOGETHER &&
            pl_tensor_bytes(&g->values[n->in[1]].t) >= MIN_TOGETHER_BYTES)
            return true;
    }
    return false;
}

/* Runs node `at` of all sessions by one call of its body; one after the other where it waited for
 * the run in some of them, or has nothing to do there. */
static platen_status run_node_together(struct pl_session *const *s, size_t n, uint32_t at,
                                       struct platen_error *err)
{
    struct pl_call calls[PL_SESSION_TOGETHER];
    bool alike = true;
    platen_status st = PLATEN_OK;
    for (size_t i = 0; i < n; i++) {
        alike = alike && at < s[i]->n_static && !s[i]->done[at] && !s[i]->empty[at];
        calls[i] = pl_session_call(s[i], at, err);
    }
    for (size_t i = 0; i < n && !alike && !st; i++)
        st = run_some(s[i], at, at + 1, err);
    if (!alike)
        return st;
    calls[0].others = calls + 1;
    calls[0].n_others = n - 1;
    pl_arena_reset(&s[0]->scratch);
    st = calls[0].node->op->run(&calls[0]);
    pl_arena_reset(&s[0]->scratch);
    return st;
}

/* Each session runs up to the next node that is run for all, so that its values stay in the cache
 * for that long. */
static platen_status run_nodes_together(struct pl_session *const *s, size_t n,
                                        struct platen_error *err)
{
    const struct pl_ir *g = s[0]->g;
    platen_status st = PLATEN_OK;
    for (size_t i = 0; i < n; i++)
        s[i]->live_bytes = s[i]->block_bytes;
    for (size_t at = 0, end; at < g->n_nodes && !st; at = end + 1) {
        for (end = at; end < g->n_nodes && !(g->nodes[end].op->traits & PL_TOGETHER);)
            end++;
        for (size_t i = 0; i < n && !st; i++)
            st = run_some(s[i], at, end, err);
        if (!st && end < g->n_nodes)
            st = run_node_together(s, n, (uint32_t)end, err);
    }
    return st;
}

platen_status pl_session_run_together(struct pl_session *const *s,
                                      const struct pl_tensor *const *in, size_t n,
                                      struct platen_error *err)
{
    assert(n > 0 && n <= PL_SESSION_TOGETHER);
    const bool alone = n == 1 || s[0]->executor;
    platen_status st = PLATEN_OK;
    for (size_t i = 0; i < n && alone && !st; i++)
        st = pl_session_run(s[i], in[i], err);
    if (alone)
        return st;
    for (size_t i = 0; i < n && !st; i++) {
        assert(s[i]->g == s[0]->g);
        st = pl_session_prepare(s[i], in[i], err);
        if (!st)
            set_places(s[i], in[i]);
    }
    st = st ? st : run_nodes_together(s, n, err);
    for (size_t i = 0; i < n && !st; i++)
        st = check_outputs(s[i], err);
    return st;
}

const struct pl_tensor *pl_session_output(const struct pl_session *s, size_t i)
{
    assert(i < s->g->n_outputs);
    return &s->values[s->g->outputs[i]].t;
}
