/* SPDX-License-Identifier: BSD-2-Clause */
/* A session from its making to its end, and what its caller sets. */
#include "nn/session_parts.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "nn/executor.h"
#include "nn/op/quant/op_quant.h"

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

platen_status pl_session_new(const struct pl_ir *g, const struct pl_kernels *k, size_t max_bytes,
                             struct pl_session **ret, struct platen_error *err)
{
    pl_auto(session) s = pl_alloc_zero(1, sizeof(*s));
    uint32_t max_in = 0, max_out = 0;
    if (!s)
        return pl_fail_nomem(err, sizeof(*s), "a session");
    pl_arena_init(&s->arena);
    pl_arena_init(&s->scratch);
    pl_arena_init(&s->known);
    s->g = g;
    s->kernels = k;
    s->max_bytes = max_bytes;
    s->executor = g->executor;
    study(s, &max_in, &max_out);
    for (size_t v = 0; v < g->n_values; v++)
        s->constant_bytes += g->values[v].t.data ? pl_tensor_bytes(&g->values[v].t) : 0;
    s->values = PL_NEW(&s->arena, struct pl_session_value, g->n_values);
    s->last = PL_NEW(&s->arena, uint32_t, g->n_values);
    s->done = PL_NEW(&s->arena, bool, g->n_nodes);
    s->empty = PL_NEW(&s->arena, bool, g->n_nodes);
    s->steady = PL_NEW(&s->arena, bool, g->n_nodes);
    s->pairs = PL_NEW(&s->arena, bool, g->n_nodes);
    s->kept = PL_NEW(&s->arena, void *, g->n_nodes);
    s->prepared = PL_NEW(&s->arena, const void *, g->n_nodes);
    s->in = PL_NEW(&s->arena, const struct pl_tensor *, max_in);
    s->out = PL_NEW(&s->arena, struct pl_tensor *, max_out);
    s->places =
        PL_NEW(&s->arena, struct pl_place, PL_MIN(g->n_values, (size_t)PL_SESSION_MAX_PLACES));
    s->work = PL_NEW(&s->arena, const struct pl_place *,
                     PL_MIN(g->n_values, (size_t)PL_SESSION_MAX_PLACES));
    s->shapes = PL_NEW(&s->arena, struct pl_tensor, g->n_inputs);
    s->byte_inputs = PL_NEW(&s->arena, struct pl_byte_input, g->n_inputs);
    if (!s->values || !s->last || !s->done || !s->empty || !s->steady || !s->pairs || !s->kept ||
        !s->prepared || !s->in || !s->out || !s->places || !s->work || !s->shapes ||
        !s->byte_inputs)
        return pl_fail_nomem(err, g->n_values * sizeof(*s->values), "a session");
    study(s, &max_in, &max_out);
    *ret = pl_steal(s);
    return PLATEN_OK;
}

void pl_session_free(struct pl_session *s)
{
    if (!s)
        return;
    if (s->elsewhere)
        s->executor->forget(s->executor, s->elsewhere);
    for (size_t v = 0; s->values && v < s->g->n_values; v++)
        pl_free(s->values[v].buffer);
    for (size_t i = 0; s->byte_inputs && i < s->g->n_inputs; i++)
        pl_free(s->byte_inputs[i].floats);
    pl_free(s->block);
    pl_arena_done(&s->arena);
    pl_arena_done(&s->scratch);
    pl_arena_done(&s->known);
    pl_free(s);
}

void pl_session_join(struct pl_session *s, const struct pl_joints *joints)
{
    assert(!joints || (joints->n > 0 && joints->width > 0));
    s->planned = s->planned && !s->joints == !joints;
    s->joints = joints;
}

bool pl_session_take_bytes(struct pl_session *s, size_t i, float scale, int32_t zero)
{
    assert(i < s->g->n_inputs && scale > 0);
    const struct pl_ir *g = s->g;
    struct pl_byte_input *b = &s->byte_inputs[i];
    bool direct = s->last[g->inputs[i]] != PL_IR_NONE; /* no output of the graph */
    for (size_t n = 0; n < g->n_nodes; n++)
        for (uint32_t k = 0; k < g->nodes[n].n_in; k++)
            if (g->nodes[n].in[k] == g->inputs[i])
                direct = direct && pl_q_takes_bytes(&g->nodes[n], scale, zero);
    b->given = true;
    b->direct = direct;
    b->scale = scale;
    b->zero = zero;
    s->planned = false;
    return direct;
}

struct pl_call pl_session_call(struct pl_session *s, uint32_t at, struct platen_error *err)
{
    const struct pl_ir_node *n = &s->g->nodes[at];
    const uint32_t weights = n->n_in > 1 ? n->in[1] : PL_IR_NONE;
    const bool constant = weights != PL_IR_NONE && s->g->values[weights].t.data;
    for (uint32_t k = 0; k < n->n_in; k++)
        s->in[k] = n->in[k] == PL_IR_NONE ? NULL : &s->values[n->in[k]].t;
    for (uint32_t k = 0; k < n->n_out; k++)
        s->out[k] = n->out[k] == PL_IR_NONE ? NULL : &s->values[n->out[k]].t;
    return (struct pl_call){.node = n,
                            .opset = s->g->opset,
                            .kernels = s->kernels,
                            .n_in = n->n_in,
                            .n_out = n->n_out,
                            .in = s->in,
                            .out = s->out,
                            .joints = s->joints,
                            .scratch = &s->scratch,
                            .keeper = &s->arena,
                            .kept = s->steady[at] ? &s->kept[at] : NULL,
                            .prepared = constant ? s->g->prepared : NULL,
                            .found = &s->prepared[at],
                            .err = err};
}

void pl_session_two_calls(struct pl_session *s, uint32_t at, struct pl_session_two *ret,
                          struct platen_error *err)
{
    for (uint32_t i = 0; i < 2; i++) {
        ret->call[i] = pl_session_call(s, at + i, err);
        assert(ret->call[i].n_in <= PL_PAIR_IN && ret->call[i].n_out == 1);
        memcpy(ret->in[i], s->in, ret->call[i].n_in * sizeof(*s->in));
        ret->out[i] = s->out[0];
        ret->call[i].in = ret->in[i];
        ret->call[i].out = &ret->out[i];
    }
}

platen_status pl_session_check_inputs(const struct pl_session *s, const struct pl_ir_node *n,
                                      struct platen_error *err)
{
    for (uint32_t k = 0; k < n->n_in; k++)
        if (n->in[k] != PL_IR_NONE && s->values[n->in[k]].home == HOME_NONE)
            return pl_ir_fail(n, err, PLATEN_ERR_ARG, "input '%.60s' has no value",
                              s->g->values[n->in[k]].name);
    return PLATEN_OK;
}

bool pl_session_writes_nothing(const struct pl_session *s, const struct pl_ir_node *n)
{
    for (uint32_t k = 0; k < n->n_out; k++)
        if (s->out[k] && pl_tensor_count(s->out[k]))
            return false;
    return true;
}

bool pl_session_copied_in_place(const struct pl_session *s, const struct pl_ir_node *n)
{
    if (!(n->op->traits & PL_COPIES) || n->in[0] == PL_IR_NONE || n->out[0] == PL_IR_NONE)
        return false;
    const struct pl_session_value *x = &s->values[n->in[0]], *y = &s->values[n->out[0]];
    return y->home == HOME_SHARED && (x->home == HOME_BLOCK || x->home == HOME_SHARED) &&
           y->root == x->root && y->part == x->part;
}
