/* SPDX-License-Identifier: BSD-2-Clause */
#include "compile/quant/quant_convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES 1024
#define MAX_CHAIN 16

void pl_q_begin(struct pl_q_node *m, const char *name, int op)
{
    memset(m, 0, sizeof(*m));
    m->n.name = name;
    m->n.op = pl_op_by_id(op);
    m->n.in = m->in;
    m->n.attrs = m->attrs;
}

void pl_q_in(struct pl_q_node *m, uint32_t value)
{
    m->in[m->n.n_in++] = value;
}

static struct pl_attr *next_attr(struct pl_q_node *m, const char *name, enum pl_attr_kind kind)
{
    struct pl_attr *a = &m->attrs[m->n.n_attrs++];
    a->name = name;
    a->kind = kind;
    return a;
}

void pl_q_set_int(struct pl_q_node *m, const char *name, int64_t v)
{
    next_attr(m, name, PL_ATTR_INT)->v.i = v;
}

void pl_q_set_float(struct pl_q_node *m, const char *name, float v)
{
    next_attr(m, name, PL_ATTR_FLOAT)->v.f = v;
}

void pl_q_set_result(struct pl_q_node *m, struct pl_q_scale s)
{
    pl_q_set_float(m, "y_scale", s.scale);
    pl_q_set_int(m, "y_zero", s.zero);
}

void pl_q_copy(struct pl_q_node *m, const struct pl_ir_node *from, const char *name)
{
    const struct pl_attr *a = pl_ir_attr(from, name);
    if (a)
        m->attrs[m->n.n_attrs++] = *a;
}

/* Room for one more. */
static platen_status next_node(struct pl_q_graph *q, struct pl_ir_node **ret)
{
    if (q->n_made == q->max_made)
        return pl_fail(q->err, PLATEN_ERR_LIMIT, "more than %zu nodes", q->max_made);
    *ret = &q->made[q->n_made++];
    return PLATEN_OK;
}

platen_status pl_q_add(struct pl_q_graph *q, struct pl_q_node *m, uint32_t out)
{
    struct pl_ir_node *n = NULL;
    /* where the report puts its figures */
    const bool judged = strstr(m->n.op->attrs, "sqnr_db") != NULL;
    if (judged) {
        pl_q_set_float(m, "mse", NAN);
        pl_q_set_float(m, "sqnr_db", NAN);
    }
    platen_status s = next_node(q, &n);
    if (s)
        return s;
    struct pl_attr *attrs = PL_NEW(&q->g->arena, struct pl_attr, m->n.n_attrs);
    *n = m->n;
    n->in = PL_NEW(&q->g->arena, uint32_t, n->n_in);
    n->out = PL_NEW(&q->g->arena, uint32_t, 1);
    n->attrs = attrs;
    n->n_out = 1;
    if (!attrs || !n->in || !n->out)
        return pl_fail_nomem(q->err, sizeof(*m), "a node");
    memcpy(n->in, m->in, n->n_in * sizeof(*n->in));
    memcpy(attrs, m->attrs, n->n_attrs * sizeof(*attrs));
    n->out[0] = out;
    return PLATEN_OK;
}

static platen_status new_value(struct pl_q_graph *q, const char *name, const char *what,
                               uint32_t *ret)
{
    struct pl_ir *g = q->g;
    if (g->n_values == q->max_values || g->n_values == PL_IR_MAX_VALUES)
        return pl_fail(q->err, PLATEN_ERR_LIMIT, "more than %zu values", g->n_values);
    struct pl_ir_value *v = &g->values[g->n_values];
    *v = (struct pl_ir_value){.name = pl_ir_name(g, name, what), .writer = PL_IR_NONE};
    v->t.rank = PL_IR_UNWRITTEN;
    *ret = (uint32_t)g->n_values++;
    return v->name ? PLATEN_OK : pl_fail_nomem(q->err, strlen(name), "a name");
}

platen_status pl_q_new_const(struct pl_q_graph *q, const char *name, const char *what,
                             enum pl_dtype type, size_t n, const void *data, uint32_t *ret)
{
    platen_status s = new_value(q, name, what, ret);
    if (s)
        return s;
    struct pl_tensor *t = &q->g->values[*ret].t;
    if (!pl_tensor_shape(t, type, 1, (int64_t[]){(int64_t)n}))
        return pl_fail(q->err, PLATEN_ERR_LIMIT, "a constant of %zu elements", n);
    uintptr_t at = (uintptr_t)pl_arena_alloc(&q->g->arena, pl_tensor_bytes(t) + 64, 1);
    if (!at)
        return pl_fail_nomem(q->err, pl_tensor_bytes(t), "a constant");
    t->data = (void *)((at + 63) & ~(uintptr_t)63); /* as aligned as in a file */
    memcpy(t->data, data, pl_tensor_bytes(t));
    return PLATEN_OK;
}

platen_status pl_q_new_bytes(struct pl_q_graph *q, uint32_t of, struct pl_q_value v, uint32_t *ret)
{
    platen_status s = new_value(q, q->g->values[of].name, "u8", ret);
    if (s)
        return s;
    v.value = *ret;
    q->bytes[of] = v;
    return s;
}

const struct pl_tensor *pl_q_const(const struct pl_q_graph *q, const struct pl_ir_node *n,
                                   uint32_t i)
{
    if (i >= n->n_in || n->in[i] == PL_IR_NONE || !q->g->values[n->in[i]].t.data)
        return NULL;
    return &q->g->values[n->in[i]].t;
}

platen_status pl_q_floats(struct pl_q_graph *q, uint32_t value)
{
    struct pl_q_node m;
    if (value == PL_IR_NONE || q->has_floats[value])
        return PLATEN_OK;
    const struct pl_q_value *v = &q->bytes[value];
    pl_q_begin(&m, pl_ir_name(q->g, q->g->values[value].name, "dequantize"), PL_OP_DequantizeLast);
    pl_q_in(&m, v->value);
    pl_q_set_int(&m, "channels_first", v->channels_first);
    pl_q_set_int(&m, "channels", (int64_t)v->channels);
    pl_q_set_float(&m, "x_scale", v->s.scale);
    pl_q_set_int(&m, "x_zero", v->s.zero);
    q->has_floats[value] = true;
    return pl_q_add(q, &m, value);
}

/* The one node that reads a value, or PL_IR_NONE. */
static uint32_t only_reader(const struct pl_q_graph *q, uint32_t value)
{
    const bool one = q->first[value + 1] - q->first[value] == 1 && !q->is_output[value];
    return one ? q->readers[q->first[value]] : PL_IR_NONE;
}

struct pl_q_scale pl_q_scale_for(const struct pl_q_graph *q, uint32_t value)
{
    if (q->ranges[value].is_fixed)
        return q->ranges[value].fixed;
    /* what only goes behind others has the scale of the whole */
    for (int depth = 0; depth < MAX_CHAIN; depth++) {
        const uint32_t r = only_reader(q, value);
        if (r == PL_IR_NONE || q->kind[r] != PL_Q_CONCAT)
            break;
        value = q->g->nodes[r].out[0];
    }
    if (q->ranges[value].is_fixed)
        return q->ranges[value].fixed;
    return pl_q_scale_of(q->ranges[value].lo, q->ranges[value].hi);
}

platen_status pl_q_bytes_of(struct pl_q_graph *q, uint32_t value, bool channels_first, bool tight,
                            struct pl_q_value *ret)
{
    const struct pl_range *r = &q->ranges[value];
    const struct pl_q_value *have = &q->bytes[value];
    if (have->value != PL_IR_NONE && have->channels_first == channels_first &&
        (tight || have->stored % 16 == 0)) {
        *ret = *have;
        return PLATEN_OK;
    }
    struct pl_q_node m;
    struct pl_q_value v = {.s = pl_q_scale_for(q, value), .channels_first = channels_first};
    uint32_t out = PL_IR_NONE;
    v.channels = (size_t)r->dims[channels_first ? 1 : r->rank - 1];
    v.stored = tight && v.channels == 1   ? 1
               : tight && v.channels <= 4 ? 4
                                          : pl_q_stored(v.channels);
    platen_status s = pl_q_floats(q, value);
    s = s ? s : pl_q_new_bytes(q, value, v, &out);
    if (s)
        return s;
    pl_q_begin(&m, pl_ir_name(q->g, q->g->values[value].name, "quantize"), PL_OP_QuantizeLast);
    pl_q_in(&m, value);
    pl_q_set_int(&m, "channels_first", channels_first);
    pl_q_set_int(&m, "stored", (int64_t)v.stored);
    pl_q_set_result(&m, v.s);
    *ret = q->bytes[value];
    return pl_q_add(q, &m, out);
}

bool pl_q_wanted(const struct pl_q_graph *q, uint32_t value)
{
    for (uint32_t i = q->first[value]; i < q->first[value + 1]; i++) {
        uint32_t r = q->readers[i];
        for (int depth = 0;
             depth < MAX_CHAIN && (q->kind[r] == PL_Q_UNARY || q->kind[r] == PL_Q_VIEW); depth++) {
            const uint32_t out = q->g->nodes[r].out[0];
            if (q->first[out] == q->first[out + 1])
                break;
            r = q->readers[q->first[out]];
        }
        if (q->kind[r] != PL_Q_FLOAT && q->kind[r] != PL_Q_UNARY && q->kind[r] != PL_Q_VIEW &&
            q->kind[r] != PL_Q_RECURRENT && q->kind[r] != PL_Q_EMBEDDING)
            return true;
    }
    return false;
}

/* y = the nodes of the chain behind the skipped ones, on x[0..n), in place. */
static platen_status evaluate(struct pl_q_graph *q, const struct pl_q_chain *c, float *x, size_t n)
{
    uint32_t value = c->from;
    platen_status s = PLATEN_OK;
    float *y = PL_NEW(&q->scratch, float, n);
    if (!y)
        return pl_fail_nomem(q->err, n * sizeof(*y), "a table");
    for (int i = c->skipped; i < c->n && !s; i++) {
        const struct pl_ir_node *node = &q->g->nodes[c->node[i]];
        struct pl_tensor a = {PL_F32, 1, {(int64_t)n}, x}, b = {.data = y};
        const struct pl_tensor *in[4] = {0};
        struct pl_tensor *out[] = {&b};
        for (uint32_t k = 0; k < node->n_in && k < 4; k++)
            in[k] = node->in[k] == value ? &a : pl_q_const(q, node, k);
        struct pl_call call = {.node = node,
                               .opset = q->g->opset,
                               .kernels = &q->kernels,
                               .n_in = PL_MIN(node->n_in, 4u),
                               .n_out = 1,
                               .in = in,
                               .out = out,
                               .scratch = &q->scratch,
                               .err = q->err};
        s = node->op->infer(&call);
        b.data = y;
        s = s ? s : node->op->run(&call);
        if (!s)
            memcpy(x, y, n * sizeof(*x));
        value = node->out[0];
    }
    return s;
}

/* Where the function is flat at an end of the range, the bytes that it reads there need not tell
 * values apart. */
static platen_status tighten(struct pl_q_graph *q, const struct pl_q_chain *c, double tolerance,
                             double *lo, double *hi)
{
    float y[SAMPLES + 1];
    const double step = (*hi - *lo) / SAMPLES;
    size_t first = 0, last = SAMPLES;
    for (size_t i = 0; i <= SAMPLES; i++)
        y[i] = (float)(*lo + (double)i * step);
    platen_status s = evaluate(q, c, y, SAMPLES + 1);
    while (!s && first < SAMPLES && fabs((double)y[first + 1] - (double)y[0]) < tolerance)
        first++;
    while (!s && last > 0 && fabs((double)y[last - 1] - (double)y[SAMPLES]) < tolerance)
        last--;
    const double from = *lo;
    *lo = PL_MIN(from + (double)first * step, 0.0);
    *hi = PL_MAX(from + (double)last * step, 0.0);
    return s;
}

/* The table of a chain whose input has scale c->s. */
static platen_status make_table(struct pl_q_graph *q, struct pl_q_chain *c)
{
    const struct pl_q_scale to = pl_q_scale_for(q, c->to);
    float y[256];
    for (int i = 0; i < 256; i++)
        y[i] = (float)(i - c->s.zero) * c->s.scale;
    platen_status s = evaluate(q, c, y, 256);
    for (int i = 0; i < 256 && !s; i++)
        c->table[i] = pl_q_byte(to, isnan(y[i]) ? 0 : (double)y[i]);
    c->has_table = true;
    pl_arena_reset(&q->scratch);
    return s;
}

/* Adds unary nodes while there are any. */
static void extend(const struct pl_q_graph *q, struct pl_q_chain *c)
{
    while (c->n < MAX_CHAIN) {
        const uint32_t r = only_reader(q, c->to);
        if (r == PL_IR_NONE || q->kind[r] != PL_Q_UNARY)
            return;
        c->node[c->n++] = r;
        c->to = q->g->nodes[r].out[0];
    }
}

static void mark_done(struct pl_q_graph *q, const struct pl_q_chain *c)
{
    for (int i = 0; i < c->n; i++)
        q->done[c->node[i]] = true;
}

/* Back to a value whose bytes are known, with a table only where its input is, too. */
static void shorten(const struct pl_q_graph *q, struct pl_q_chain *c, uint32_t value)
{
    if (c->n > c->skipped && !pl_q_known(q, c->from))
        c->n = c->skipped;
    while (c->n && !pl_q_known(q, q->g->nodes[c->node[c->n - 1]].out[0]))
        c->n--;
    c->to = c->n ? q->g->nodes[c->node[c->n - 1]].out[0] : value;
}

platen_status pl_q_follow(struct pl_q_graph *q, uint32_t value, struct pl_q_chain *ret)
{
    *ret = (struct pl_q_chain){.from = value, .to = value};
    extend(q, ret);
    const int op = ret->n ? q->g->nodes[ret->node[0]].op->id : 0;
    if (op == PL_OP_Relu || op == PL_OP_Clip) { /* the range ends where they limit */
        ret->skipped = 1;
        ret->from = q->g->nodes[ret->node[0]].out[0];
    }
    shorten(q, ret, value);
    if (!ret->n || !pl_q_wanted(q, ret->to)) {
        ret->n = 0;
        ret->to = value;
        return PLATEN_OK;
    }
    mark_done(q, ret);
    if (ret->n == ret->skipped)
        return PLATEN_OK;
    double lo = q->ranges[ret->from].lo, hi = q->ranges[ret->from].hi;
    platen_status s = tighten(q, ret, (double)pl_q_scale_for(q, ret->to).scale / 4, &lo, &hi);
    ret->s = pl_q_scale_of(lo, hi);
    return s ? s : make_table(q, ret);
}

platen_status pl_q_follow_node(struct pl_q_graph *q, uint32_t node, struct pl_q_chain *ret)
{
    const struct pl_ir_node *n = &q->g->nodes[node];
    uint32_t k = 0;
    while (pl_q_const(q, n, k))
        k++;
    *ret = (struct pl_q_chain){.from = n->in[k], .to = n->out[0], .node = {node}, .n = 1};
    if (q->bytes[ret->from].value == PL_IR_NONE) {
        ret->n = 0;
        return PLATEN_OK;
    }
    extend(q, ret);
    shorten(q, ret, ret->from);
    if (!ret->n || !pl_q_wanted(q, ret->to)) {
        ret->n = 0;
        return PLATEN_OK;
    }
    mark_done(q, ret);
    ret->s = q->bytes[ret->from].s;
    return make_table(q, ret);
}

/* Keeps a node as it is, and gives it its inputs as floats. */
static platen_status keep(struct pl_q_graph *q, const struct pl_ir_node *n)
{
    struct pl_ir_node *to = NULL;
    platen_status s = PLATEN_OK;
    for (uint32_t k = 0; k < n->n_in && !s; k++)
        s = pl_q_floats(q, n->in[k]);
    s = s ? s : next_node(q, &to);
    if (s)
        return s;
    *to = *n;
    for (uint32_t k = 0; k < n->n_out; k++)
        if (n->out[k] != PL_IR_NONE)
            q->has_floats[n->out[k]] = true;
    return PLATEN_OK;
}

/* Who reads what. */
static void list_readers(struct pl_q_graph *q)
{
    const struct pl_ir *g = q->g;
    for (size_t i = 0; i < g->n_outputs; i++)
        q->is_output[g->outputs[i]] = true;
    for (int fill = 0; fill < 2; fill++) {
        for (uint32_t i = 0; i < g->n_nodes; i++)
            for (uint32_t k = 0; k < g->nodes[i].n_in; k++) {
                const uint32_t v = g->nodes[i].in[k];
                if (v != PL_IR_NONE && fill)
                    q->readers[q->first[v]++] = i;
                else if (v != PL_IR_NONE)
                    q->first[v]++;
            }
        uint32_t sum = 0;
        for (size_t v = 0; v <= q->n_old && !fill; v++) {
            const uint32_t n = q->first[v];
            q->first[v] = sum;
            sum += n;
        }
    }
    for (size_t v = q->n_old; v > 0; v--) /* they have moved by one */
        q->first[v] = q->first[v - 1];
    q->first[0] = 0;
}

static platen_status begin_graph(struct pl_q_graph *q)
{
    struct pl_ir *g = q->g;
    size_t edges = 1, out = 1;
    for (size_t i = 0; i < g->n_nodes; i++) {
        edges += g->nodes[i].n_in;
        out += g->nodes[i].n_out;
    }
    q->n_old = g->n_values;
    q->max_values = g->n_values + 10 * g->n_nodes + edges;
    q->max_made = 3 * g->n_nodes + edges + out;
    struct pl_ir_value *values = PL_NEW(&g->arena, struct pl_ir_value, q->max_values);
    q->made = PL_NEW(&g->arena, struct pl_ir_node, q->max_made);
    q->ranges = PL_NEW(&q->scratch, struct pl_range, q->n_old);
    q->bytes = PL_NEW(&q->scratch, struct pl_q_value, q->n_old);
    q->has_floats = PL_NEW(&q->scratch, bool, q->n_old);
    q->is_output = PL_NEW(&q->scratch, bool, q->n_old);
    q->done = PL_NEW(&q->scratch, bool, g->n_nodes);
    q->kind = PL_NEW(&q->scratch, uint8_t, g->n_nodes);
    q->first = PL_NEW(&q->scratch, uint32_t, q->n_old + 1);
    q->readers = PL_NEW(&q->scratch, uint32_t, edges);
    if (!values || !q->made || !q->ranges || !q->bytes || !q->has_floats || !q->is_output ||
        !q->done || !q->kind || !q->first || !q->readers)
        return pl_fail_nomem(q->err, q->max_values * sizeof(*values), "a graph");
    memcpy(values, g->values, g->n_values * sizeof(*values));
    g->values = values;
    g->max_values = q->max_values;
    for (size_t v = 0; v < q->n_old; v++) {
        q->bytes[v].value = PL_IR_NONE;
        q->has_floats[v] = g->values[v].writer == PL_IR_NONE;
    }
    list_readers(q);
    return PLATEN_OK;
}

/* node's name is in the list. */
static bool is_kept(const char *list, const char *name)
{
    const size_t n = strlen(name);
    for (const char *p = list; p && *p; p += strcspn(p, ","), p += *p == ',')
        if (strcspn(p, ",") == n && !memcmp(p, name, n))
            return true;
    return false;
}

/* Every name of the list is that of a node. */
static platen_status check_names(const struct pl_q_graph *q, const char *list)
{
    for (const char *p = list; p && *p;) {
        const size_t n = strcspn(p, ",");
        size_t i = 0;
        while (i < q->g->n_nodes &&
               (strlen(q->g->nodes[i].name) != n || memcmp(q->g->nodes[i].name, p, n)))
            i++;
        if (i == q->g->n_nodes)
            return pl_fail(q->err, PLATEN_ERR_ARG, "no node is named '%.*s'", (int)PL_MIN(n, 80u),
                           p);
        p += n + (p[n] == ',');
    }
    return PLATEN_OK;
}

static platen_status convert(struct pl_q_graph *q)
{
    struct pl_ir *g = q->g;
    platen_status s = PLATEN_OK;
    for (size_t i = 0; i < g->n_nodes; i++)
        q->kind[i] = is_kept(q->o->keep_float, g->nodes[i].name)
                         ? PL_Q_FLOAT
                         : (uint8_t)pl_q_classify(q, &g->nodes[i]);
    for (size_t i = 0; i < g->n_nodes && !s; i++) {
        bool made = q->done[i];
        if (!made && q->kind[i] != PL_Q_FLOAT)
            s = pl_q_make(q, &g->nodes[i], (enum pl_q_kind)q->kind[i], &made);
        if (!s && !made)
            s = keep(q, &g->nodes[i]);
    }
    for (size_t i = 0; i < g->n_outputs && !s; i++)
        s = pl_q_floats(q, g->outputs[i]);
    if (s)
        return s;
    g->nodes = q->made;
    g->n_nodes = q->n_made;
    g->max_nodes = q->max_made;
    return pl_ir_sort(g, q->err);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct pl_quant_fixed *)a)->name,
                  ((const struct pl_quant_fixed *)b)->name);
}

static const struct pl_quant_fixed *fixed_of(const struct pl_q_graph *q, const char *name)
{
    const struct pl_quant_fixed key = {.name = name};
    return q->o->n_fixed ? bsearch(&key, q->o->fixed, q->o->n_fixed, sizeof(key), by_name) : NULL;
}

/* The scales that the graph itself gave: the list, sorted by name. */
static void take_fixed(struct pl_q_graph *q)
{
    for (size_t v = 0; v < q->n_old; v++) {
        const struct pl_quant_fixed *f = fixed_of(q, q->g->values[v].name);
        if (f && !f->steps) {
            q->ranges[v].is_fixed = true;
            q->ranges[v].fixed = f->s;
        }
    }
}

/* The weights lie on these steps: passes may have changed them. */
static bool lies_on(const struct pl_q_weights *w, const struct pl_quant_fixed *f)
{
    const size_t n = w->in * w->kernel_h * w->kernel_w;
    for (size_t i = 0; i < w->out * n; i++) {
        const double v = (double)w->w[i] / (double)f->steps[f->n_steps == 1 ? 0 : i / n];
        if (!(fabs(v - rint(v)) < 1e-2 && fabs(v) < 128.5))
            return false;
    }
    return true;
}

void pl_q_take_steps(const struct pl_q_graph *q, const struct pl_ir_node *n, struct pl_q_weights *w)
{
    const struct pl_quant_fixed *f = fixed_of(q, q->g->values[n->in[1]].name);
    if (!f || !f->steps || (f->n_steps != 1 && f->n_steps != w->out) || !lies_on(w, f))
        return;
    w->steps = f->steps;
    w->n_steps = f->n_steps;
    w->narrow = false;
}

platen_status pl_quantize(struct pl_ir *g, const struct pl_kernels *k,
                          const struct pl_quant_options *o, const struct pl_quant_sets *sets,
                          struct platen_error *err)
{
    struct pl_q_graph q = {.g = g, .o = o, .err = err};
    struct pl_arena arena;
    pl_kernels_init(&q.kernels, PL_ISA_SCALAR);
    pl_arena_init(&q.scratch);
    platen_status s = check_names(&q, o->keep_float);
    s = s ? s : begin_graph(&q);
    arena = q.scratch; /* what lives as long as the work; scratch is for single tables */
    pl_arena_init(&q.scratch);
    s = s ? s : pl_quant_ranges(g, k, sets, o->percentile, q.ranges, err);
    if (!s)
        take_fixed(&q);
    s = s ? s : convert(&q);
    pl_arena_done(&q.scratch);
    pl_arena_done(&arena);
    return s;
}
