/* SPDX-License-Identifier: BSD-2-Clause */
/* The plan of a session: shapes, values that are known before a run, and a place for each value. */
#include "nn/session_parts.h"

#include <assert.h>
#include <inttypes.h>

#include "nn/op/op_conv.h"

#define MAX_KNOWN_BYTES ((size_t)1 << 22) /* of values that are computed while planning */

/* Tells whether all that node n can look at before the run is constants of the graph. */
static bool is_steady(const struct pl_session *s, const struct pl_ir_node *n)
{
    for (uint32_t k = 0; k < n->n_in; k++)
        if (n->in[k] != PL_IR_NONE && s->values[n->in[k]].t.data && !s->g->values[n->in[k]].t.data)
            return false;
    return true;
}

/* Returns the budget from which a node that runs while planning takes the bytes of its results. */
static size_t *budget_of(struct pl_session *s, const struct pl_ir_node *n)
{
    return n->op->traits & PL_STORED ? &s->stored_left : &s->known_left;
}

/* Tells whether a node can be computed while planning: its inputs are shapes or known values, and
 * its results fit into the budget. */
static bool is_known(struct pl_session *s, const struct pl_ir_node *n)
{
    const bool shape = n->op->traits & PL_OF_SHAPES;
    const size_t left = *budget_of(s, n);
    for (uint32_t k = 0; k < n->n_in && !shape; k++)
        if (s->in[k] && !s->in[k]->data)
            return false;
    for (uint32_t k = 0; k < n->n_out; k++)
        if (s->out[k] && pl_tensor_bytes(s->out[k]) > left)
            return false;
    return true;
}

/* Runs a node while planning. */
static platen_status compute(struct pl_session *s, const struct pl_ir_node *n, struct pl_call *c)
{
    for (uint32_t k = 0; k < n->n_out; k++) {
        struct pl_tensor *t = s->out[k];
        if (!t)
            continue;
        *budget_of(s, n) -= pl_tensor_bytes(t);
        t->data = pl_arena_alloc(&s->known, PL_MAX(pl_tensor_bytes(t), 1), 1);
        if (!t->data)
            return pl_fail_nomem(c->err, pl_tensor_bytes(t), "values of a network");
        s->values[n->out[k]].home = HOME_FIXED;
    }
    platen_status st = pl_session_writes_nothing(s, n) ? PLATEN_OK : n->op->run(c);
    pl_arena_reset(&s->scratch);
    return st;
}

/* Tells whether input k of a node has its place for itself among the inputs: the others lie
 * elsewhere, or are the same numbers. */
static bool lies_alone(const struct pl_session *s, const struct pl_ir_node *n, uint32_t k)
{
    const struct pl_session_value *x = &s->values[n->in[k]];
    for (uint32_t i = 0; i < n->n_in; i++) {
        const struct pl_session_value *other = n->in[i] == PL_IR_NONE ? NULL : &s->values[n->in[i]];
        if (other && other->home != HOME_FIXED && other->root == x->root &&
            (other->part != x->part || pl_tensor_bytes(&other->t) != pl_tensor_bytes(&x->t)))
            return false;
    }
    return true;
}

/* Returns the input whose place output 0 of node `at` may take over: the one that it copies, or one
 * of its shape that no node reads later. PL_IR_NONE = there is none. */
static uint32_t shares(const struct pl_session *s, const struct pl_ir_node *n, uint32_t at)
{
    const struct pl_tensor *y = n->out[0] == PL_IR_NONE ? NULL : &s->values[n->out[0]].t;
    const bool copies = n->op->traits & PL_COPIES;
    for (uint32_t k = 0; y && n->n_out == 1 && k < n->n_in; k++) {
        if (n->in[k] == PL_IR_NONE || (copies && k))
            continue;
        const struct pl_session_value *x = &s->values[n->in[k]];
        if (x->home != HOME_BLOCK && x->home != HOME_SHARED)
            continue;
        assert(s->values[x->root].root == x->root); /* places are shared with their owner */
        if (copies ||
            (n->op->traits & PL_IN_PLACE && s->values[x->root].last == at && x->t.type == y->type &&
             pl_tensor_same_shape(&x->t, y) && lies_alone(s, n, k)))
            return n->in[k];
    }
    return PL_IR_NONE;
}

/* Moves what lies in the place of value `from` to byte `part` of that of `to`. */
static void move_place(struct pl_session *s, uint32_t from, uint32_t to, size_t part)
{
    size_t old = 0, new = 0;
    for (size_t i = 0; i < s->n_places; i++)
        if (s->places[i].value == from)
            old = i;
        else if (s->places[i].value == to)
            new = i;
    assert(s->places[old].value == from && s->places[new].value == to);
    s->places[new].first = PL_MIN(s->places[new].first, s->places[old].first);
    s->values[to].last = PL_MAX(s->values[to].last, s->values[from].last);
    for (size_t i = 0; i < s->g->n_values; i++) {
        struct pl_session_value *v = &s->values[i];
        if ((v->home == HOME_BLOCK || v->home == HOME_SHARED) && v->root == from) {
            v->home = HOME_SHARED;
            v->root = to;
            v->part += part;
        }
    }
    s->places[old] = s->places[--s->n_places];
}

/* Of a Concat whose inputs lie one behind the other in its output: has their writers write there.
 * Inputs that share their place with more than their copies, and what would not be aligned, are
 * copied by the body. */
static void place_inputs(struct pl_session *s, const struct pl_ir_node *n)
{
    const struct pl_tensor *y = &s->values[n->out[0]].t;
    const int64_t given = pl_ir_int(n, "axis", 1);
    size_t at = 0;
    if (pl_tensor_span(y, 0, (int)(given < 0 ? given + y->rank : given)) != 1)
        return;
    for (uint32_t k = 0; k < n->n_in; k++) {
        const struct pl_session_value *x = &s->values[n->in[k]];
        const struct pl_session_value *root = &s->values[x->root];
        const size_t bytes = pl_tensor_bytes(&x->t);
        if ((x->home == HOME_BLOCK || x->home == HOME_SHARED) && x->root != n->out[0] &&
            root->last != PL_IR_NONE && at % PL_PLAN_ALIGN == 0 &&
            pl_tensor_bytes(&root->t) == bytes)
            move_place(s, x->root, n->out[0], at);
        at += bytes;
    }
}

/* Tells whether output k of a node is a part of its input that lies there in one piece, and
 * aligned: then it stays there, *part bytes behind the input's first. */
static bool is_part(const struct pl_session *s, const struct pl_ir_node *n, uint32_t k,
                    size_t *part)
{
    const struct pl_session_value *x = &s->values[n->in[0]];
    const int64_t axis = pl_ir_int(n, "axis", 0);
    if (n->op->id != PL_OP_Split || (x->home != HOME_BLOCK && x->home != HOME_SHARED) ||
        pl_tensor_span(&x->t, 0, (int)(axis < 0 ? axis + x->t.rank : axis)) != 1)
        return false;
    *part = 0;
    for (uint32_t i = 0; i < k; i++) {
        if (n->out[i] == PL_IR_NONE)
            return false;
        *part += pl_tensor_bytes(&s->values[n->out[i]].t);
    }
    return (x->part + *part) % PL_PLAN_ALIGN == 0;
}

/* Gives the outputs of node `at` their places; false when there are too many values. */
static bool place_outputs(struct pl_session *s, const struct pl_ir_node *n, uint32_t at)
{
    const uint32_t whole = shares(s, n, at);
    for (uint32_t k = 0; k < n->n_out; k++) {
        size_t part = 0;
        if (n->out[k] == PL_IR_NONE)
            continue;
        struct pl_session_value *v = &s->values[n->out[k]];
        const uint32_t last = s->last[n->out[k]];
        const uint32_t in = is_part(s, n, k, &part) ? n->in[0] : whole;
        v->part = 0;
        if (in != PL_IR_NONE) {
            v->home = HOME_SHARED;
            v->root = s->values[in].root;
            v->part = s->values[in].part + part;
            s->values[v->root].last = PL_MAX(s->values[v->root].last, last);
            continue;
        }
        if (s->n_places == PL_SESSION_MAX_PLACES)
            return false;
        v->home = HOME_BLOCK;
        v->root = n->out[k];
        v->last = last;
        s->places[s->n_places++] =
            (struct pl_place){.value = n->out[k], .first = at, .bytes = pl_tensor_bytes(&v->t)};
    }
    if (n->op->id == PL_OP_Concat && n->out[0] != PL_IR_NONE)
        place_inputs(s, n);
    return true;
}

/* Finds shapes and places of the outputs of node `at`; *late is set when they wait for the run. */
static platen_status plan_node(struct pl_session *s, uint32_t at, bool *late,
                               struct platen_error *err)
{
    const struct pl_ir_node *n = &s->g->nodes[at];
    s->steady[at] = is_steady(s, n);
    s->done[at] = false;
    struct pl_call c = pl_session_call(s, at, err);
    platen_status st = pl_session_check_inputs(s, n, err);
    if (!st && s->joints && !(n->op->traits & PL_JOINS))
        st = pl_ir_fail(n, err, PLATEN_ERR_UNSUPPORTED, "over pictures beside each other");
    st = st ? st : n->op->infer(&c);
    pl_arena_reset(&s->scratch);
    if (st) {
        *late = c.needs_data && !s->joints;
        return *late ? PLATEN_OK : st;
    }
    s->empty[at] = pl_session_writes_nothing(s, n);
    if (is_known(s, n)) {
        s->done[at] = true;
        return compute(s, n, &c);
    }
    *late = !place_outputs(s, n, at);
    return *late && s->joints
               ? pl_ir_fail(n, err, PLATEN_ERR_UNSUPPORTED, "over pictures beside each other")
               : PLATEN_OK;
}

/* Tells whether some node looks at more of a value than its type. */
static bool has_reader(const struct pl_ir *g, uint32_t value)
{
    for (size_t i = 0; i < g->n_nodes; i++)
        for (uint32_t k = 0; k < g->nodes[i].n_in; k++)
            if (g->nodes[i].in[k] == value && !(k == 1 && g->nodes[i].op->traits & PL_TYPE_OF_1))
                return true;
    return false;
}

/* Sets the values as they are before the first node runs: constants, and inputs without their data.
 */
static platen_status set_start_values(struct pl_session *s, const struct pl_tensor *in,
                                      struct platen_error *err)
{
    const struct pl_ir *g = s->g;
    for (uint32_t i = 0; i < g->n_values; i++) {
        struct pl_session_value *v = &s->values[i];
        const bool constant = g->values[i].t.data;
        v->t = constant ? g->values[i].t : (struct pl_tensor){0};
        v->home = constant ? HOME_FIXED : HOME_NONE;
        v->root = i;
    }
    for (size_t i = 0; i < g->n_inputs; i++) {
        const struct pl_ir_value *v = &g->values[g->inputs[i]];
        const struct pl_byte_input *b = &s->byte_inputs[i];
        const enum pl_dtype type = b->given && v->t.type == PL_F32 ? PL_U8 : v->t.type;
        if (in[i].data && in[i].type != type)
            return pl_fail(err, PLATEN_ERR_ARG, "input '%.60s' is %s, not %s", v->name,
                           pl_dtype_name(in[i].type), pl_dtype_name(type));
        if (in[i].data && v->t.rank >= 0 && v->t.rank != in[i].rank && has_reader(g, g->inputs[i]))
            return pl_fail(err, PLATEN_ERR_ARG, "input '%.60s' has rank %d, not %d", v->name,
                           in[i].rank, v->t.rank);
        s->shapes[i] = in[i];
        s->values[g->inputs[i]].t = in[i];
        s->values[g->inputs[i]].t.data = NULL;
        if (b->given && !b->direct)
            s->values[g->inputs[i]].t.type = v->t.type;
        s->values[g->inputs[i]].home = in[i].data ? HOME_FIXED : HOME_NONE;
    }
    return PLATEN_OK;
}

/* Tells whether node `at` + 1 alone reads what node `at` writes, as its input 0. */
static bool feeds_next(const struct pl_session *s, uint32_t at)
{
    const struct pl_ir_node *n = &s->g->nodes[at], *next = n + 1;
    const uint32_t v = n->out[0];
    bool once = v != PL_IR_NONE && next->in[0] == v && s->values[v].home == HOME_BLOCK &&
                s->values[v].root == v && s->values[v].last == at + 1;
    for (uint32_t k = 1; k < next->n_in; k++)
        once = once && next->in[k] != v;
    return once;
}

/* Has nodes run by twos where that is faster: what the first reads then lives as long as what the
 * second does. */
static void find_pairs(struct pl_session *s, struct platen_error *err)
{
    for (uint32_t i = 0; i < s->g->n_nodes; i++)
        s->pairs[i] = false;
    for (uint32_t i = 0; i + 1 < s->n_static; i++) {
        const struct pl_ir_node *n = &s->g->nodes[i];
        struct pl_session_two two;
        if (n[0].op->id != PL_OP_FusedConv || n[1].op->id != PL_OP_FusedConv || s->done[i] ||
            s->done[i + 1] || s->empty[i] || !feeds_next(s, i))
            continue;
        pl_session_two_calls(s, i, &two, err);
        s->pairs[i] = pl_conv_is_pair(&two.call[0], &two.call[1]);
        for (uint32_t k = 0; k < n->n_in && s->pairs[i]; k++)
            if (n->in[k] != PL_IR_NONE) {
                uint32_t *last = &s->values[s->values[n->in[k]].root].last;
                *last = PL_MAX(*last, i + 1);
            }
        i += s->pairs[i];
    }
}

/* Finds the layout of the block. Values that nodes behind the static ones read live to the end. */
static platen_status place_all(struct pl_session *s, struct platen_error *err)
{
    for (size_t i = 0; i < s->n_places; i++)
        s->places[i].last = s->values[s->places[i].value].last;
    s->block_bytes = pl_plan_places(s->places, s->n_places, s->work);
    for (size_t i = 0; i < s->n_places; i++)
        s->values[s->places[i].value].offset = s->places[i].offset;
    if (s->block_bytes > s->max_bytes)
        return pl_fail(err, PLATEN_ERR_LIMIT, "%zu bytes more than the %zu that values may take",
                       s->block_bytes, s->max_bytes);
    return PLATEN_OK;
}

platen_status pl_session_plan(struct pl_session *s, const struct pl_tensor *in,
                              struct platen_error *err)
{
    bool late = false;
    s->planned = false;
    s->n_places = 0;
    s->n_static = 0;
    s->known_left = MAX_KNOWN_BYTES;
    s->stored_left = 2 * s->constant_bytes; /* halves as floats */
    pl_arena_reset(&s->known);
    platen_status st = set_start_values(s, in, err);
    while (!st && s->n_static < s->g->n_nodes) {
        st = plan_node(s, s->n_static, &late, err);
        if (late)
            break;
        s->n_static++;
    }
    for (uint32_t i = s->n_static; !st && i < s->g->n_nodes; i++)
        s->done[i] = s->steady[i] = false;
    if (!st)
        find_pairs(s, err);
    st = st ? st : place_all(s, err);
    s->planned = !st;
    return st;
}

size_t pl_session_work_bytes(const struct pl_session *s)
{
    size_t sum = 0;
    for (uint32_t i = 0; i < s->n_static; i++)
        for (uint32_t k = 0; k < s->g->nodes[i].n_out; k++)
            if (s->g->nodes[i].out[k] != PL_IR_NONE)
                sum += pl_tensor_bytes(&s->values[s->g->nodes[i].out[k]].t);
    return sum;
}

platen_status pl_session_describe(struct pl_session *s, const struct pl_tensor *in,
                                  struct pl_str *out, struct platen_error *err)
{
    platen_status st = pl_session_plan(s, in, err);
    size_t sum = 0;
    if (st)
        return st;
    for (size_t i = 0; i < s->n_places; i++) {
        const struct pl_place *p = &s->places[i];
        sum += p->bytes;
        pl_str_printf(out, "%10zu bytes at %10zu, nodes %5" PRIu32 " to ", p->bytes, p->offset,
                      p->first);
        if (p->last == PL_IR_NONE)
            pl_str_puts(out, "  end");
        else
            pl_str_printf(out, "%5" PRIu32, p->last);
        pl_str_printf(out, "  %s\n", s->g->values[p->value].name);
    }
    pl_str_printf(out, "%zu values of %zu bytes in a block of %zu bytes", s->n_places, sum,
                  s->block_bytes);
    pl_str_printf(out, "; %zu of %zu nodes wait for numbers\n", s->g->n_nodes - s->n_static,
                  s->g->n_nodes);
    return PLATEN_OK;
}
