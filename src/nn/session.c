/* SPDX-License-Identifier: BSD-2-Clause */
#include "nn/session.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "nn/plan.h"
#include "nn/op/op_quant.h"

#define MAX_PLANNED 4096                  /* values with a place: finding it takes n squared */
#define MAX_KNOWN_BYTES ((size_t)1 << 22) /* of values that are computed while planning */

/* The place of the data of a value. */
enum home {
    HOME_NONE,    /* nowhere: not written, not given */
    HOME_FIXED,   /* a constant, an input, or computed while planning */
    HOME_BLOCK,   /* its own place in the block */
    HOME_SHARED,  /* the place of another value, which it is or overwrites */
    HOME_DYNAMIC, /* its own buffer, of a size that only the run tells */
};

struct value {
    struct pl_tensor t;
    enum home home;
    uint32_t root; /* the value whose place this is */
    uint32_t last; /* node that reads it last; of a root, or any that shares its place */
    size_t offset; /* of a root */
    void *buffer;  /* HOME_DYNAMIC: kept from run to run */
    size_t capacity;
};

struct bound {
    void *data;
    size_t bytes;
};

/* An input that comes as bytes. */
struct byte_input {
    bool given, direct; /* direct: nodes read the bytes, and no floats are made */
    float scale;
    int32_t zero;
    float *floats;
    size_t room;
};

struct pl_session {
    const struct pl_ir *g;
    const struct pl_kernels *kernels;
    struct pl_arena arena, scratch, known; /* known: values computed while planning */
    struct value *values;
    uint32_t *last;              /* node that reads a value last; PL_IR_NONE = kept to the end */
    bool *done, *empty;          /* nodes: nothing to run; nothing to compute */
    bool *steady;                /* nodes that know nothing beside constants of the graph */
    void **kept;                 /* what steady nodes keep */
    const struct pl_tensor **in; /* of the node being run */
    struct pl_tensor **out;
    struct pl_place *places;
    const struct pl_place **work;
    size_t n_places;
    struct bound *bound;
    const struct pl_joints *joints;
    struct byte_input *byte_inputs; /* of the graph's inputs */
    struct pl_tensor *shapes;       /* of the inputs that the plan is for */
    bool planned;
    uint32_t n_static; /* nodes before the first whose shapes wait for numbers */
    uint8_t *block;
    size_t block_bytes, block_capacity;
    size_t live_bytes, max_bytes, known_left;
    size_t stored_left; /* of what decoded weights may take while planning */
    size_t constant_bytes;
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
    study(s, &max_in, &max_out);
    for (size_t v = 0; v < g->n_values; v++)
        s->constant_bytes += g->values[v].t.data ? pl_tensor_bytes(&g->values[v].t) : 0;
    s->values = PL_NEW(&s->arena, struct value, g->n_values);
    s->last = PL_NEW(&s->arena, uint32_t, g->n_values);
    s->done = PL_NEW(&s->arena, bool, g->n_nodes);
    s->empty = PL_NEW(&s->arena, bool, g->n_nodes);
    s->steady = PL_NEW(&s->arena, bool, g->n_nodes);
    s->kept = PL_NEW(&s->arena, void *, g->n_nodes);
    s->in = PL_NEW(&s->arena, const struct pl_tensor *, max_in);
    s->out = PL_NEW(&s->arena, struct pl_tensor *, max_out);
    s->places = PL_NEW(&s->arena, struct pl_place, PL_MIN(g->n_values, (size_t)MAX_PLANNED));
    s->work = PL_NEW(&s->arena, const struct pl_place *, PL_MIN(g->n_values, (size_t)MAX_PLANNED));
    s->bound = PL_NEW(&s->arena, struct bound, g->n_outputs);
    s->shapes = PL_NEW(&s->arena, struct pl_tensor, g->n_inputs);
    s->byte_inputs = PL_NEW(&s->arena, struct byte_input, g->n_inputs);
    if (!s->values || !s->last || !s->done || !s->empty || !s->steady || !s->kept || !s->in ||
        !s->out || !s->places || !s->work || !s->bound || !s->shapes || !s->byte_inputs)
        return pl_fail_nomem(err, g->n_values * sizeof(*s->values), "a session");
    study(s, &max_in, &max_out);
    *ret = pl_steal(s);
    return PLATEN_OK;
}

void pl_session_free(struct pl_session *s)
{
    if (!s)
        return;
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

void pl_session_bind(struct pl_session *s, size_t i, void *data, size_t bytes)
{
    assert(i < s->g->n_outputs);
    s->bound[i] = (struct bound){data, data ? bytes : 0};
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
    struct byte_input *b = &s->byte_inputs[i];
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

static platen_status too_large(const struct pl_session *s, const struct pl_ir_node *n, size_t bytes,
                               struct platen_error *err)
{
    return pl_ir_fail(n, err, PLATEN_ERR_LIMIT, "%zu bytes more than the %zu that values may take",
                      bytes, s->max_bytes);
}

/* The call of node `at` on the values as they are now. */
static struct pl_call call_of(struct pl_session *s, uint32_t at, struct platen_error *err)
{
    const struct pl_ir_node *n = &s->g->nodes[at];
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
                            .err = err};
}

static platen_status check_inputs(const struct pl_session *s, const struct pl_ir_node *n,
                                  struct platen_error *err)
{
    for (uint32_t k = 0; k < n->n_in; k++)
        if (n->in[k] != PL_IR_NONE && s->values[n->in[k]].home == HOME_NONE)
            return pl_ir_fail(n, err, PLATEN_ERR_ARG, "input '%.60s' has no value",
                              s->g->values[n->in[k]].name);
    return PLATEN_OK;
}

/* Tells whether all outputs are empty: then there is nothing to compute, and no body has to loop
 * over the other sizes of an empty tensor. */
static bool all_empty(const struct pl_session *s, const struct pl_ir_node *n)
{
    for (uint32_t k = 0; k < n->n_out; k++)
        if (s->out[k] && pl_tensor_count(s->out[k]))
            return false;
    return true;
}

/* Tells whether all that node n can look at before the run is constants of the graph. */
static bool is_steady(const struct pl_session *s, const struct pl_ir_node *n)
{
    for (uint32_t k = 0; k < n->n_in; k++)
        if (n->in[k] != PL_IR_NONE && s->values[n->in[k]].t.data && !s->g->values[n->in[k]].t.data)
            return false;
    return true;
}

/* The budget from which a node that runs while planning takes the bytes of its results. */
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
    platen_status st = all_empty(s, n) ? PLATEN_OK : n->op->run(c);
    pl_arena_reset(&s->scratch);
    return st;
}

/* The value whose place output 0 of node `at` may take over: the one it copies, or one of its shape
 * that nobody reads later. */
static uint32_t shares(const struct pl_session *s, const struct pl_ir_node *n, uint32_t at)
{
    const struct pl_tensor *y = n->out[0] == PL_IR_NONE ? NULL : &s->values[n->out[0]].t;
    const bool copies = n->op->traits & PL_COPIES;
    for (uint32_t k = 0; y && n->n_out == 1 && k < n->n_in; k++) {
        if (n->in[k] == PL_IR_NONE || (copies && k))
            continue;
        const struct value *x = &s->values[n->in[k]];
        if (x->home != HOME_BLOCK && x->home != HOME_SHARED)
            continue;
        assert(s->values[x->root].root == x->root); /* places are shared with their owner */
        if (copies || (n->op->traits & PL_IN_PLACE && s->values[x->root].last == at &&
                       x->t.type == y->type && pl_tensor_same_shape(&x->t, y)))
            return x->root;
    }
    return PL_IR_NONE;
}

/* Places for the outputs of node `at`; false when there are too many. */
static bool place_outputs(struct pl_session *s, const struct pl_ir_node *n, uint32_t at)
{
    const uint32_t root = shares(s, n, at);
    for (uint32_t k = 0; k < n->n_out; k++) {
        if (n->out[k] == PL_IR_NONE)
            continue;
        struct value *v = &s->values[n->out[k]];
        const uint32_t last = s->last[n->out[k]];
        if (root != PL_IR_NONE) {
            v->home = HOME_SHARED;
            v->root = root;
            s->values[root].last = PL_MAX(s->values[root].last, last);
            continue;
        }
        if (s->n_places == MAX_PLANNED)
            return false;
        v->home = HOME_BLOCK;
        v->root = n->out[k];
        v->last = last;
        s->places[s->n_places++] =
            (struct pl_place){.value = n->out[k], .first = at, .bytes = pl_tensor_bytes(&v->t)};
    }
    return true;
}

/* Shapes and places of node `at`; *late is set when they wait for the run. */
static platen_status plan_node(struct pl_session *s, uint32_t at, bool *late,
                               struct platen_error *err)
{
    const struct pl_ir_node *n = &s->g->nodes[at];
    s->steady[at] = is_steady(s, n);
    s->done[at] = false;
    struct pl_call c = call_of(s, at, err);
    platen_status st = check_inputs(s, n, err);
    if (!st && s->joints && !(n->op->traits & PL_JOINS))
        st = pl_ir_fail(n, err, PLATEN_ERR_UNSUPPORTED, "over pictures beside each other");
    st = st ? st : n->op->infer(&c);
    pl_arena_reset(&s->scratch);
    if (st) {
        *late = c.needs_data && !s->joints;
        return *late ? PLATEN_OK : st;
    }
    s->empty[at] = all_empty(s, n);
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
        struct value *v = &s->values[i];
        const bool constant = g->values[i].t.data;
        v->t = constant ? g->values[i].t : (struct pl_tensor){0};
        v->home = constant ? HOME_FIXED : HOME_NONE;
        v->root = i;
    }
    for (size_t i = 0; i < g->n_inputs; i++) {
        const struct pl_ir_value *v = &g->values[g->inputs[i]];
        const struct byte_input *b = &s->byte_inputs[i];
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

static platen_status grow_block(struct pl_session *s, struct platen_error *err)
{
    size_t capacity = (size_t)1 << 16;
    if (s->block_bytes <= s->block_capacity)
        return PLATEN_OK;
    while (capacity < s->block_bytes)
        capacity *= 2;
    pl_free(s->block);
    s->block_capacity = 0;
    s->block = pl_alloc_aligned(capacity);
    if (!s->block)
        return pl_fail_nomem(err, capacity, "values of a network");
    s->block_capacity = capacity;
    return PLATEN_OK;
}

/* Room for the floats of inputs that come as bytes, where nodes want floats. */
static platen_status grow_inputs(struct pl_session *s, const struct pl_tensor *in,
                                 struct platen_error *err)
{
    for (size_t i = 0; i < s->g->n_inputs; i++) {
        struct byte_input *b = &s->byte_inputs[i];
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

/* What the nodes read of input i. */
static void *input_data(struct pl_session *s, const struct pl_tensor *in, size_t i)
{
    const struct byte_input *b = &s->byte_inputs[i];
    if (!b->given || b->direct || !in[i].data)
        return in[i].data;
    s->kernels->dequantize_u8(b->floats, in[i].data, pl_tensor_count(&in[i]), b->scale, b->zero);
    return b->floats;
}

/* Finds the block's layout; what lives on behind the static nodes lives to the end. */
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

static platen_status plan_run(struct pl_session *s, const struct pl_tensor *in,
                              struct platen_error *err)
{
    bool late = false;
    s->planned = false;
    s->n_places = 0;
    s->n_static = 0;
    s->known_left = MAX_KNOWN_BYTES;
    s->stored_left = 8 * s->constant_bytes; /* four bits and their scales as floats */
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
    st = st ? st : place_all(s, err);
    s->planned = !st;
    return st;
}

static bool same_shapes(const struct pl_session *s, const struct pl_tensor *in)
{
    for (size_t i = 0; i < s->g->n_inputs; i++)
        if (!in[i].data != !s->shapes[i].data || in[i].type != s->shapes[i].type ||
            !pl_tensor_same_shape(&in[i], &s->shapes[i]))
            return false;
    return true;
}

/* Sets the data pointers of all values that have a place. An output for which the caller gave a
 * buffer is written there. */
static void set_places(struct pl_session *s, const struct pl_tensor *in)
{
    const struct pl_ir *g = s->g;
    for (size_t i = 0; i < g->n_inputs; i++)
        s->values[g->inputs[i]].t.data = input_data(s, in, i);
    for (size_t i = 0; i < s->n_places; i++) {
        struct value *v = &s->values[s->places[i].value];
        assert(v->offset + s->places[i].bytes <= s->block_capacity);
        v->t.data = s->block + v->offset;
    }
    for (size_t i = 0; i < g->n_outputs; i++) {
        struct value *v = &s->values[g->outputs[i]];
        if ((v->home == HOME_BLOCK || v->home == HOME_SHARED) && s->bound[i].data &&
            pl_tensor_bytes(&v->t) <= s->bound[i].bytes &&
            pl_tensor_bytes(&s->values[v->root].t) <= s->bound[i].bytes)
            s->values[v->root].t.data = s->bound[i].data;
    }
    for (size_t i = 0; i < g->n_values; i++)
        if (s->values[i].home == HOME_SHARED)
            s->values[i].t.data = s->values[s->values[i].root].t.data;
}

/* Finds a buffer for each output of a node whose shapes are known only in the run. */
static platen_status allocate(struct pl_session *s, const struct pl_ir_node *n,
                              struct platen_error *err)
{
    for (uint32_t k = 0; k < n->n_out; k++) {
        if (n->out[k] == PL_IR_NONE)
            continue;
        struct value *v = &s->values[n->out[k]];
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
    struct pl_call c = call_of(s, at, err);
    platen_status st = PLATEN_OK;
    const bool dynamic = at >= s->n_static;
    if (dynamic) {
        st = check_inputs(s, n, err);
        st = st ? st : n->op->infer(&c);
        st = st ? st : allocate(s, n, err);
        s->empty[at] = !st && all_empty(s, n);
    }
    pl_arena_reset(&s->scratch);
    /* a copy that shares its place is there already */
    const bool there = !dynamic && n->op->traits & PL_COPIES && n->out[0] != PL_IR_NONE &&
                       s->values[n->out[0]].home == HOME_SHARED;
    st = st || s->empty[at] || there ? st : n->op->run(&c);
    pl_arena_reset(&s->scratch);
    for (uint32_t k = 0; k < n->n_in && dynamic; k++)
        release(s, n->in[k], at);
    for (uint32_t k = 0; k < n->n_out && dynamic; k++)
        release(s, n->out[k], at);
    return st;
}

/* Copies results that lie elsewhere into the buffers of the caller. */
static platen_status give_outputs(struct pl_session *s, struct platen_error *err)
{
    for (size_t i = 0; i < s->g->n_outputs; i++) {
        const struct pl_tensor *t = &s->values[s->g->outputs[i]].t;
        const struct bound *b = &s->bound[i];
        if (s->values[s->g->outputs[i]].home == HOME_NONE)
            return pl_fail(err, PLATEN_ERR_ARG, "output '%.60s' has no value",
                           s->g->values[s->g->outputs[i]].name);
        if (b->data && t->data != b->data && pl_tensor_bytes(t) <= b->bytes)
            memcpy(b->data, t->data, pl_tensor_bytes(t));
    }
    return PLATEN_OK;
}

platen_status pl_session_prepare(struct pl_session *s, const struct pl_tensor *in,
                                 struct platen_error *err)
{
    platen_status st = PLATEN_OK;
    if (!s->planned || !same_shapes(s, in))
        st = plan_run(s, in, err);
    st = st ? st : grow_inputs(s, in, err);
    return st ? st : grow_block(s, err);
}

platen_status pl_session_run(struct pl_session *s, const struct pl_tensor *in,
                             struct platen_error *err)
{
    platen_status st = pl_session_prepare(s, in, err);
    if (st)
        return st;
    s->live_bytes = s->block_bytes;
    set_places(s, in);
    for (uint32_t i = 0; i < s->g->n_nodes && !st; i++)
        st = s->done[i] ? st : run_node(s, i, err);
    return st ? st : give_outputs(s, err);
}

const struct pl_tensor *pl_session_output(const struct pl_session *s, size_t i)
{
    assert(i < s->g->n_outputs);
    return &s->values[s->g->outputs[i]].t;
}

platen_status pl_session_describe(struct pl_session *s, const struct pl_tensor *in,
                                  struct pl_str *out, struct platen_error *err)
{
    platen_status st = plan_run(s, in, err);
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
