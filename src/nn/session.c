#include "nn/session.h"

#include <string.h>

#include "base/mem.h"
#include "nn/op.h"

struct pl_session {
    const struct pl_ir *g;
    struct pl_arena arena, scratch;
    struct pl_tensor *values;
    uint32_t *last;              /* node that reads a value last; PL_IR_NONE = kept to the end */
    bool *owned;                 /* its data is ours */
    const struct pl_tensor **in; /* of the node being run */
    struct pl_tensor **out;
    size_t live_bytes, max_bytes;
};

/* Finds how many edges the widest node has, and where each value is read last. */
static void study(struct pl_session *s, uint32_t *max_in, uint32_t *max_out)
{
    const struct pl_ir *g = s->g;
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        const struct pl_ir_node *n = &g->nodes[i];
        *max_in = PL_MAX(*max_in, n->n_in);
        *max_out = PL_MAX(*max_out, n->n_out);
        for (uint32_t k = 0; k < n->n_out && s->last; k++)
            if (n->out[k] != PL_IR_NONE)
                s->last[n->out[k]] = i; /* read by none: gone at once */
        for (uint32_t k = 0; k < n->n_in && s->last; k++)
            if (n->in[k] != PL_IR_NONE)
                s->last[n->in[k]] = i;
    }
    for (size_t i = 0; i < g->n_outputs && s->last; i++)
        s->last[g->outputs[i]] = PL_IR_NONE;
}

platen_status pl_session_new(const struct pl_ir *g, size_t max_bytes, struct pl_session **ret,
                             struct platen_error *err)
{
    pl_auto(session) s = pl_alloc_zero(1, sizeof(*s));
    uint32_t max_in = 0, max_out = 0;
    if (!s)
        return pl_fail_nomem(err, sizeof(*s), "a session");
    pl_arena_init(&s->arena);
    pl_arena_init(&s->scratch);
    s->g = g;
    s->max_bytes = max_bytes;
    study(s, &max_in, &max_out);
    s->values = PL_NEW(&s->arena, struct pl_tensor, g->n_values);
    s->last = PL_NEW(&s->arena, uint32_t, g->n_values);
    s->owned = PL_NEW(&s->arena, bool, g->n_values);
    s->in = PL_NEW(&s->arena, const struct pl_tensor *, max_in);
    s->out = PL_NEW(&s->arena, struct pl_tensor *, max_out);
    if (!s->values || !s->last || !s->owned || !s->in || !s->out)
        return pl_fail_nomem(err, g->n_values * sizeof(*s->values), "a session");
    study(s, &max_in, &max_out);
    *ret = pl_steal(s);
    return PLATEN_OK;
}

static void release(struct pl_session *s, uint32_t v)
{
    if (!s->owned[v])
        return;
    s->live_bytes -= pl_tensor_bytes(&s->values[v]);
    pl_free(s->values[v].data);
    s->values[v].data = NULL;
    s->owned[v] = false;
}

static void release_all(struct pl_session *s)
{
    for (uint32_t v = 0; v < s->g->n_values && s->owned; v++)
        release(s, v);
}

void pl_session_free(struct pl_session *s)
{
    if (!s)
        return;
    release_all(s);
    pl_arena_done(&s->arena);
    pl_arena_done(&s->scratch);
    pl_free(s);
}

static platen_status allocate(struct pl_session *s, const struct pl_ir_node *n,
                              struct platen_error *err)
{
    for (uint32_t k = 0; k < n->n_out; k++) {
        struct pl_tensor *t = s->out[k];
        if (!t)
            continue;
        size_t bytes = pl_tensor_bytes(t);
        if (bytes > s->max_bytes - s->live_bytes)
            return pl_ir_fail(n, err, PLATEN_ERR_LIMIT,
                              "%zu bytes more than the %zu that values may take", bytes,
                              s->max_bytes);
        t->data = pl_alloc_aligned(PL_MAX(bytes, 1));
        if (!t->data)
            return pl_fail_nomem(err, bytes, "values of a network");
        s->owned[n->out[k]] = true;
        s->live_bytes += bytes;
    }
    return PLATEN_OK;
}

/* Nothing to compute, and no loop over the other sizes of an empty tensor. */
static bool all_empty(const struct pl_session *s, const struct pl_ir_node *n)
{
    for (uint32_t k = 0; k < n->n_out; k++)
        if (s->out[k] && pl_tensor_count(s->out[k]))
            return false;
    return true;
}

static platen_status run_node(struct pl_session *s, uint32_t at, struct platen_error *err)
{
    const struct pl_ir_node *n = &s->g->nodes[at];
    struct pl_call c = {.node = n,
                        .opset = s->g->opset,
                        .n_in = n->n_in,
                        .n_out = n->n_out,
                        .in = s->in,
                        .out = s->out,
                        .scratch = &s->scratch,
                        .err = err};
    for (uint32_t k = 0; k < n->n_in; k++) {
        s->in[k] = n->in[k] == PL_IR_NONE ? NULL : &s->values[n->in[k]];
        if (s->in[k] && !s->in[k]->data)
            return pl_ir_fail(n, err, PLATEN_ERR_ARG, "input '%.60s' has no value",
                              s->g->values[n->in[k]].name);
    }
    for (uint32_t k = 0; k < n->n_out; k++)
        s->out[k] = n->out[k] == PL_IR_NONE ? NULL : &s->values[n->out[k]];
    platen_status st = n->op->infer(&c);
    st = st ? st : allocate(s, n, err);
    pl_arena_reset(&s->scratch);
    st = st || all_empty(s, n) ? st : n->op->run(&c);
    pl_arena_reset(&s->scratch);
    for (uint32_t k = 0; k < n->n_in; k++)
        if (n->in[k] != PL_IR_NONE && s->last[n->in[k]] == at)
            release(s, n->in[k]);
    for (uint32_t k = 0; k < n->n_out; k++)
        if (n->out[k] != PL_IR_NONE && s->last[n->out[k]] == at)
            release(s, n->out[k]);
    return st;
}

/* Values as they are before the first node: constants and inputs. */
static platen_status load(struct pl_session *s, const struct pl_tensor *in,
                          struct platen_error *err)
{
    const struct pl_ir *g = s->g;
    for (size_t i = 0; i < g->n_values; i++)
        s->values[i] = g->values[i].t.data ? g->values[i].t : (struct pl_tensor){0};
    for (size_t i = 0; i < g->n_inputs; i++) {
        const struct pl_ir_value *v = &g->values[g->inputs[i]];
        if (in[i].data && in[i].type != v->t.type)
            return pl_fail(err, PLATEN_ERR_ARG, "input '%.60s' is %s, not %s", v->name,
                           pl_dtype_name(in[i].type), pl_dtype_name(v->t.type));
        if (in[i].data && v->t.rank >= 0 && v->t.rank != in[i].rank)
            return pl_fail(err, PLATEN_ERR_ARG, "input '%.60s' has rank %d, not %d", v->name,
                           in[i].rank, v->t.rank);
        s->values[g->inputs[i]] = in[i];
    }
    return PLATEN_OK;
}

platen_status pl_session_run(struct pl_session *s, const struct pl_tensor *in,
                             struct platen_error *err)
{
    release_all(s);
    platen_status st = load(s, in, err);
    for (uint32_t i = 0; i < s->g->n_nodes && !st; i++)
        st = run_node(s, i, err);
    for (size_t i = 0; i < s->g->n_outputs && !st; i++)
        if (!s->values[s->g->outputs[i]].data)
            st = pl_fail(err, PLATEN_ERR_ARG, "output '%.60s' has no value",
                         s->g->values[s->g->outputs[i]].name);
    return st;
}

const struct pl_tensor *pl_session_output(const struct pl_session *s, size_t i)
{
    return &s->values[s->g->outputs[i]];
}
