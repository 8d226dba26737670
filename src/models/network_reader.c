/* SPDX-License-Identifier: BSD-2-Clause */
#include "models/network_reader.h"

#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/sized.h"
#include "base/text.h"
#include "models/networks.h"
#include "nn/operators.h"
#include "nn/session.h"

#define MAX_KEYS_BYTES ((size_t)1 << 20)
#define MIN_STD 1e-3
#define MAX_LEVEL 1e3
/* Columns of the two runs that tell the stride. */
#define NARROW 320
#define WIDE 640
/* Stands in the alphabet for a symbol of several code points. */
#define REPLACEMENT 0xFFFD

/* Takes line `number` of the file of keys. */
static platen_status take_key(struct pl_line_adapter *r, const char **list, const char *p, size_t n,
                              size_t number, struct platen_error *err)
{
    uint32_t c;
    if (!n)
        return pl_fail(err, PLATEN_ERR_FORMAT, "line %zu is empty", number);
    for (size_t at = 0, k; at < n; at += k) {
        k = pl_utf8_get(p + at, n - at, &c);
        if (!k || c < 0x20 || c == 0x7f)
            return pl_fail(err, PLATEN_ERR_FORMAT, "line %zu is no UTF-8 text", number);
    }
    list[r->n_keys] = pl_arena_strndup(&r->arena, p, n);
    return list[r->n_keys++] ? PLATEN_OK : pl_fail_nomem(err, n, "keys");
}

/* Parts the file at its line feeds; a carriage return before one does not count. */
static platen_status take_keys(struct pl_line_adapter *r, const char *p, size_t n,
                               struct platen_error *err)
{
    const char **list = PL_NEW(&r->arena, const char *, n + 1);
    platen_status s = list ? PLATEN_OK : pl_fail_nomem(err, n * sizeof(*list), "keys");
    r->keys = list;
    for (size_t number = 1; n && !s; number++) {
        const char *end = memchr(p, '\n', n);
        const size_t line = end ? (size_t)(end - p) : n;
        s = take_key(r, list, p, line && p[line - 1] == '\r' ? line - 1 : line, number, err);
        n -= end ? line + 1 : line;
        p += end ? line + 1 : line;
    }
    return !s && !r->n_keys ? pl_fail(err, PLATEN_ERR_FORMAT, "there are no keys") : s;
}

platen_status pl_line_adapter_open(struct pl_line_adapter *r, const struct platen_reader_options *o,
                                   struct platen_error *err)
{
    struct platen_reader_options own = {.keys = NULL};
    struct pl_map map = {0};
    *r = (struct pl_line_adapter){.mean = 0.5f, .std = 0.5f};
    pl_arena_init(&r->arena);
    platen_status s = pl_sized_take(&own, sizeof(own), o, "platen_reader_options", err);
    if (!s && !own.keys)
        s = pl_fail(err, PLATEN_ERR_ARG, "a network that reads lines needs its keys");
    if (s)
        return s;
    r->blank_last = own.blank_last;
    if (own.mean != 0 || own.std != 0) {
        r->mean = (float)own.mean;
        r->std = (float)own.std;
    }
    if (!(r->std >= (float)MIN_STD && r->std <= (float)MAX_LEVEL) ||
        !(r->mean >= (float)-MAX_LEVEL && r->mean <= (float)MAX_LEVEL))
        return pl_fail(err, PLATEN_ERR_ARG, "a mean of %g and a deviation of %g", own.mean,
                       own.std);
    s = pl_map_read(own.keys, MAX_KEYS_BYTES, &map, err);
    s = s ? s : take_keys(r, (const char *)map.data, map.size, err);
    pl_map_close(&map);
    return s ? pl_fail_prefix(err, s, "unable to read keys '%s': ", own.keys) : s;
}

void pl_line_adapter_done(struct pl_line_adapter *r)
{
    pl_arena_done(&r->arena);
}

/* A graph with room for what is added in front of it and behind. */
struct adapting {
    struct pl_ir *g;
    struct platen_error *err;
    platen_status s;
};

#define ADDED_NODES 4
#define ADDED_VALUES 10

static bool make_room(struct pl_ir *g)
{
    struct pl_ir_value *values = PL_NEW(&g->arena, struct pl_ir_value, g->n_values + ADDED_VALUES);
    struct pl_ir_node *nodes = PL_NEW(&g->arena, struct pl_ir_node, g->n_nodes + ADDED_NODES);
    if (!values || !nodes)
        return false;
    memcpy(values, g->values, g->n_values * sizeof(*values));
    memcpy(nodes, g->nodes, g->n_nodes * sizeof(*nodes));
    g->values = values;
    g->nodes = nodes;
    return true;
}

static uint32_t add_value(struct adapting *a, const char *name, struct pl_tensor t)
{
    a->g->values[a->g->n_values] = (struct pl_ir_value){.name = name, .t = t, .writer = PL_IR_NONE};
    return (uint32_t)a->g->n_values++;
}

static uint32_t add_number(struct adapting *a, const char *name, float v)
{
    float *data = pl_arena_alloc(&a->g->arena, 16, 16);
    if (data)
        *data = v;
    else if (!a->s)
        a->s = pl_fail_nomem(a->err, sizeof(*data), "a number");
    return add_value(a, name, (struct pl_tensor){.type = PL_F32, .data = data});
}

/* Adds a node of up to three inputs and, with `axis`, that attribute; its result, which is `to` or
 * a new value, is returned. */
static uint32_t add_node(struct adapting *a, const char *name, int op, int n_in,
                         const uint32_t in[3], const int64_t *axis, uint32_t to)
{
    struct pl_ir *g = a->g;
    struct pl_ir_node *n = &g->nodes[g->n_nodes++];
    uint32_t *edges = PL_NEW(&g->arena, uint32_t, 4);
    struct pl_attr *attr = PL_NEW(&g->arena, struct pl_attr, 1);
    if (to == PL_IR_NONE)
        to = add_value(a, name, (struct pl_tensor){.rank = PL_IR_UNWRITTEN});
    *n = (struct pl_ir_node){.name = name,
                             .op = pl_op_by_id(op),
                             .n_in = (uint32_t)n_in,
                             .n_out = 1,
                             .n_attrs = axis ? 1 : 0};
    if (!edges || !attr) {
        a->s = a->s ? a->s : pl_fail_nomem(a->err, sizeof(*attr), "a node");
        n->n_in = n->n_out = n->n_attrs = 0;
        return to;
    }
    memcpy(edges, in, (size_t)n_in * sizeof(*in));
    edges[3] = to;
    *attr = (struct pl_attr){.name = "axis", .kind = PL_ATTR_INT, .v.i = axis ? *axis : 0};
    n->in = edges;
    n->out = edges + 3;
    n->attrs = attr;
    return to;
}

/* Puts a line of one channel, 0 on paper, before the old input: (grey / 255 - mean) / std, in each
 * of its channels. */
static void adapt_input(const struct pl_line_adapter *r, struct adapting *a)
{
    struct pl_ir *g = a->g;
    const uint32_t x = g->inputs[0];
    const int64_t channels = g->values[x].t.dims[1], height = g->values[x].t.dims[2], axis = 1;
    const uint32_t line = add_value(
        a, "line", (struct pl_tensor){.type = PL_F32, .rank = 4, .dims = {1, 1, height, -1}});
    const uint32_t factor = add_number(a, "line.factor", -1 / r->std);
    const uint32_t offset = add_number(a, "line.offset", (1 - r->mean) / r->std);
    g->inputs[0] = line;
    g->values[x].t = (struct pl_tensor){.rank = PL_IR_UNWRITTEN};
    const uint32_t m =
        add_node(a, "line.scaled", PL_OP_Mul, 2, (uint32_t[3]){line, factor}, NULL, PL_IR_NONE);
    const uint32_t v = add_node(a, "line.levels", PL_OP_Add, 2, (uint32_t[3]){m, offset}, NULL,
                                channels == 1 ? x : PL_IR_NONE);
    if (channels != 1)
        add_node(a, "line.channels", PL_OP_Concat, 3, (uint32_t[3]){v, v, v}, &axis, x);
}

/* Takes a softmax at the end away, and puts the last class first where it is the blank. */
static void adapt_output(const struct pl_line_adapter *r, struct adapting *a)
{
    struct pl_ir *g = a->g;
    const uint32_t writer = g->values[g->outputs[0]].writer;
    const struct pl_ir_node *last = writer == PL_IR_NONE ? NULL : &g->nodes[writer];
    const int64_t axis = -1;
    if (last && (last->op->id == PL_OP_Softmax || last->op->id == PL_OP_LogSoftmax))
        g->outputs[0] = last->in[0];
    g->n_outputs = 1;
    if (!r->blank_last)
        return;
    const size_t n = r->n_keys + 1;
    int64_t *order = PL_NEW(&g->arena, int64_t, n);
    if (!order) {
        a->s = a->s ? a->s : pl_fail_nomem(a->err, n * sizeof(*order), "classes");
        return;
    }
    for (size_t i = 0; i < n; i++)
        order[i] = i ? (int64_t)i - 1 : -1;
    const uint32_t list = add_value(
        a, "classes.order",
        (struct pl_tensor){.type = PL_I64, .rank = 1, .dims = {(int64_t)n}, .data = order});
    g->outputs[0] = add_node(a, "classes", PL_OP_Gather, 2, (uint32_t[3]){g->outputs[0], list},
                             &axis, PL_IR_NONE);
}

platen_status pl_line_adapter_adapt(const struct pl_line_adapter *r, struct pl_ir *g,
                                    struct platen_error *err)
{
    struct adapting a = {g, err, PLATEN_OK};
    const struct pl_tensor *t = g->n_inputs == 1 ? &g->values[g->inputs[0]].t : NULL;
    if (!t || t->type != PL_F32 || t->rank != 4 || (t->dims[1] != 1 && t->dims[1] != 3) ||
        t->dims[2] < 1)
        return pl_fail(err, PLATEN_ERR_ARG,
                       "the network takes no lines: its input is not ?x1xHEIGHTx? or "
                       "?x3xHEIGHTx? floats");
    if (!make_room(g))
        return pl_fail_nomem(err, g->n_values * sizeof(*g->values), "a graph");
    adapt_input(r, &a);
    adapt_output(r, &a);
    return a.s ? a.s : pl_ir_sort(g, err);
}

/* Runs the graph on blank paper: steps and classes. */
static platen_status run_blank(const struct pl_ir *g, const struct pl_kernels *k, int columns,
                               size_t *ret_steps, size_t *ret_classes, struct platen_error *err)
{
    const int64_t dims[] = {1, 1, g->values[g->inputs[0]].t.dims[2], columns};
    pl_auto(session) session = NULL;
    struct pl_arena arena;
    struct pl_tensor in = {0};
    pl_arena_init(&arena);
    platen_status s = pl_tensor_shape(&in, PL_F32, 4, dims)
                          ? PLATEN_OK
                          : pl_fail(err, PLATEN_ERR_LIMIT, "lines of %d columns", columns);
    in.data = s ? NULL : pl_arena_alloc(&arena, pl_tensor_count(&in), sizeof(float));
    if (!s && !in.data)
        s = pl_fail_nomem(err, pl_tensor_bytes(&in), "a line");
    s = s ? s : pl_session_new(g, k, PL_NETWORK_MAX_VALUE_BYTES, &session, err);
    s = s ? s : pl_session_run(session, &in, err);
    if (!s) {
        const struct pl_tensor *t = pl_session_output(session, 0);
        *ret_classes = t->rank < 2 ? 0 : (size_t)t->dims[t->rank - 1];
        *ret_steps = *ret_classes ? pl_tensor_count(t) / *ret_classes : 0;
    }
    pl_arena_done(&arena);
    return s;
}

/* Writes the symbols as metadata: those of several code points stand in a list of their own. */
static platen_status write_alphabet(struct pl_line_adapter *r, bool blank, struct platen_error *err)
{
    struct pl_str alphabet = {0}, symbols = {0};
    platen_status s = PLATEN_OK;
    uint32_t c = 0;
    for (size_t i = 0; i < r->n_keys && !s; i++) {
        const char *key = r->keys[i];
        const size_t n = strlen(key);
        if (pl_utf8_get(key, n, &c) == n && c != REPLACEMENT) {
            pl_str_puts(&alphabet, key);
            continue;
        }
        if (strchr(key, ' '))
            s = pl_fail(err, PLATEN_ERR_FORMAT, "key '%.40s' holds a blank", key);
        pl_str_puts(&alphabet, "\xef\xbf\xbd");
        pl_str_printf(&symbols, "%s%s", symbols.len ? " " : "", key);
    }
    if (blank)
        pl_str_putc(&alphabet, ' ');
    r->alphabet = pl_arena_strndup(&r->arena, alphabet.s ? alphabet.s : "", alphabet.len);
    r->symbols = symbols.len ? pl_arena_strndup(&r->arena, symbols.s, symbols.len) : NULL;
    if (!s && (alphabet.failed || symbols.failed || !r->alphabet || (symbols.len && !r->symbols)))
        s = pl_fail_nomem(err, alphabet.len, "an alphabet");
    pl_str_done(&alphabet);
    pl_str_done(&symbols);
    return s;
}

platen_status pl_line_adapter_measure(struct pl_line_adapter *r, const struct pl_ir *g,
                                      const struct pl_kernels *k, struct platen_error *err)
{
    size_t narrow = 0, wide = 0, classes = 0, same = 0;
    char stride[16];
    platen_status s = run_blank(g, k, NARROW, &narrow, &classes, err);
    s = s ? s : run_blank(g, k, WIDE, &wide, &same, err);
    if (s)
        return s;
    if (classes != same || !narrow || wide != 2 * narrow || NARROW % narrow)
        return pl_fail(err, PLATEN_ERR_ARG,
                       "the network reads no lines: %d columns give it %zu steps, and %d give %zu",
                       NARROW, narrow, WIDE, wide);
    /* the keys of PaddleOCR leave out a blank that their networks have behind them */
    const bool blank = classes == r->n_keys + 2;
    if (!blank && classes != r->n_keys + 1)
        return pl_fail(err, PLATEN_ERR_ARG,
                       "the network has %zu classes, and %zu keys want %zu or %zu", classes,
                       r->n_keys, r->n_keys + 1, r->n_keys + 2);
    snprintf(stride, sizeof(stride), "%zu", NARROW / narrow);
    r->stride = pl_arena_strndup(&r->arena, stride, strlen(stride));
    return r->stride ? write_alphabet(r, blank, err) : pl_fail_nomem(err, 16, "a number");
}
