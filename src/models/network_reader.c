/* SPDX-License-Identifier: BSD-2-Clause */
#include "models/network_reader.h"

#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/sized.h"
#include "base/text.h"
#include "models/graft.h"
#include "models/networks.h"
#include "nn/operators.h"
#include "nn/session.h"
#include "onnx/onnx.h"

#define MAX_KEYS_BYTES ((size_t)1 << 20)
/* The key of the metadata in which ONNX files bring their keys, as those of RapidOCR do. */
#define META_KEYS "character"
#define MIN_STD 1e-3
#define MAX_LEVEL 1e3
/* Columns of the two runs that tell the stride. */
#define NARROW 320
#define WIDE 640
/* Stands in the alphabet for a symbol of several code points. */
#define REPLACEMENT 0xFFFD

/* Tells whether a line is one of the names that lists of classes have for the blank of CTC. */
static bool names_blank(const char *p, size_t n)
{
    static const char *const names[] = {"blank", "<blank>", "[blank]", "<blk>"};
    for (size_t i = 0; i < PL_ARRAY_LEN(names); i++)
        if (strlen(names[i]) == n && !memcmp(names[i], p, n))
            return true;
    return false;
}

/* Takes line `number` of the file of keys; an empty one is kept as such. */
static platen_status take_key(struct pl_line_adapter *r, const char **list, const char *p, size_t n,
                              size_t number, struct platen_error *err)
{
    uint32_t c;
    if (names_blank(p, n))
        return pl_fail(err, PLATEN_ERR_FORMAT, "line %zu is '%.*s', and the blank has no line here",
                       number, (int)n, p);
    for (size_t at = 0, k; at < n; at += k) {
        k = pl_utf8_get(p + at, n - at, &c);
        if (!k)
            return pl_fail(err, PLATEN_ERR_FORMAT, "line %zu is no UTF-8 text", number);
        if (c < 0x20 || c == 0x7f)
            return pl_fail(err, PLATEN_ERR_FORMAT, "line %zu holds a control character", number);
        if (c == ' ' && n > 1)
            return pl_fail(err, PLATEN_ERR_FORMAT, "key '%.*s' holds a blank",
                           (int)PL_MIN(n, (size_t)40), p);
    }
    list[r->n_lines] = pl_arena_strndup(&r->arena, p, n);
    r->n_keys += n > 0;
    return list[r->n_lines++] ? PLATEN_OK : pl_fail_nomem(err, n, "keys");
}

/* Parts the file at its line feeds; a carriage return before one does not count, nor does the mark
 * of byte order that some editors put in front. */
static platen_status take_keys(struct pl_line_adapter *r, const char *p, size_t n,
                               struct platen_error *err)
{
    const char **list = PL_NEW(&r->arena, const char *, n + 1);
    platen_status s = list ? PLATEN_OK : pl_fail_nomem(err, n * sizeof(*list), "keys");
    const size_t mark = pl_utf8_mark(p, n);
    r->lines = list;
    p += mark;
    n -= mark;
    for (size_t number = 1; n && !s; number++) {
        const char *end = memchr(p, '\n', n);
        const size_t line = end ? (size_t)(end - p) : n;
        s = take_key(r, list, p, line && p[line - 1] == '\r' ? line - 1 : line, number, err);
        n -= end ? line + 1 : line;
        p += end ? line + 1 : line;
    }
    return !s && !r->n_keys ? pl_fail(err, PLATEN_ERR_FORMAT, "there are no keys") : s;
}

/* Takes the options over. */
static platen_status take_options(struct pl_line_adapter *r, const struct platen_reader_options *o,
                                  struct platen_error *err)
{
    r->blank_last = o->blank_last;
    if (o->mean != 0 || o->std != 0) {
        r->mean = (float)o->mean;
        r->std = (float)o->std;
    }
    if (!(r->std >= (float)MIN_STD && r->std <= (float)MAX_LEVEL) ||
        !(r->mean >= (float)-MAX_LEVEL && r->mean <= (float)MAX_LEVEL))
        return pl_fail(err, PLATEN_ERR_ARG, "a mean of %g and a deviation of %g", o->mean, o->std);
    if (!o->min_conf)
        return PLATEN_OK;
    if (!(*o->min_conf >= 0 && *o->min_conf <= 1))
        return pl_fail(err, PLATEN_ERR_ARG, "a least confidence of %g", *o->min_conf);
    r->min_conf = r->min_conf_text;
    snprintf(r->min_conf_text, sizeof(r->min_conf_text), "%.6g", *o->min_conf);
    return PLATEN_OK;
}

/* Takes the keys that the ONNX file brings itself. */
static platen_status take_own_keys(struct pl_line_adapter *r, const char *onnx,
                                   struct platen_error *err)
{
    struct pl_map map = {0};
    platen_status s = pl_map_open(onnx, PL_IR_MAX_FILE_BYTES, &map, err);
    if (s)
        return pl_fail_prefix(err, s, "unable to read '%s': ", onnx);
    const struct pl_span keys = pl_onnx_meta_value(map.data, map.size, META_KEYS);
    if (!keys.p)
        s = pl_fail(err, PLATEN_ERR_ARG,
                    "'%s' brings no keys: its metadata have no '" META_KEYS "'", onnx);
    else if (keys.n > MAX_KEYS_BYTES)
        s = pl_fail(err, PLATEN_ERR_LIMIT, "keys of %zu bytes in '%s'", keys.n, onnx);
    else if ((s = take_keys(r, (const char *)keys.p, keys.n, err)))
        s = pl_fail_prefix(err, s, "unable to read the keys in '%s': ", onnx);
    pl_map_close(&map);
    return s;
}

platen_status pl_line_adapter_open(struct pl_line_adapter *r, const char *onnx,
                                   const struct platen_reader_options *o, struct platen_error *err)
{
    struct platen_reader_options own = {.keys = NULL};
    struct pl_map map = {0};
    *r = (struct pl_line_adapter){.mean = 0.5f, .std = 0.5f};
    pl_arena_init(&r->arena);
    platen_status s = pl_sized_take(&own, sizeof(own), o, "platen_reader_options", err);
    s = s ? s : take_options(r, &own, err);
    if (s || !own.keys)
        return s ? s : take_own_keys(r, onnx, err);
    s = pl_map_read(own.keys, MAX_KEYS_BYTES, &map, err);
    s = s ? s : take_keys(r, (const char *)map.data, map.size, err);
    pl_map_close(&map);
    return s ? pl_fail_prefix(err, s, "unable to read keys '%s': ", own.keys) : s;
}

void pl_line_adapter_done(struct pl_line_adapter *r)
{
    pl_arena_done(&r->arena);
}

/* Puts a line of one channel, 0 on paper, before the old input: (grey / 255 - mean) / std, in each
 * of its channels. */
static void adapt_input(const struct pl_line_adapter *r, struct pl_graft *a)
{
    struct pl_ir *g = a->g;
    const uint32_t x = g->inputs[0];
    const int64_t channels = g->values[x].t.dims[1], height = g->values[x].t.dims[2], axis = 1;
    const uint32_t line = pl_graft_value(
        a, "line", (struct pl_tensor){.type = PL_F32, .rank = 4, .dims = {1, 1, height, -1}});
    const uint32_t factor = pl_graft_number(a, "line.factor", -1 / r->std);
    const uint32_t offset = pl_graft_number(a, "line.offset", (1 - r->mean) / r->std);
    g->inputs[0] = line;
    g->values[x].t = (struct pl_tensor){.rank = PL_IR_UNWRITTEN};
    const uint32_t m = pl_graft_node(a, "line.scaled", PL_OP_Mul, 2, (uint32_t[3]){line, factor},
                                     NULL, PL_IR_NONE);
    const uint32_t v = pl_graft_node(a, "line.levels", PL_OP_Add, 2, (uint32_t[3]){m, offset}, NULL,
                                     channels == 1 ? x : PL_IR_NONE);
    if (channels != 1)
        pl_graft_node(a, "line.channels", PL_OP_Concat, 3, (uint32_t[3]){v, v, v}, &axis, x);
}

/* Takes a softmax at the end away, and puts the classes in the order of the alphabet. */
static void adapt_output(const struct pl_line_adapter *r, struct pl_graft *a)
{
    struct pl_ir *g = a->g;
    const uint32_t writer = g->values[g->outputs[0]].writer;
    const struct pl_ir_node *last = writer == PL_IR_NONE ? NULL : &g->nodes[writer];
    const int64_t axis = -1;
    if (last && (last->op->id == PL_OP_Softmax || last->op->id == PL_OP_LogSoftmax))
        g->outputs[0] = last->in[0];
    g->n_outputs = 1;
    if (!r->order)
        return;
    const uint32_t list = pl_graft_value(
        a, "classes.order",
        (struct pl_tensor){
            .type = PL_I64, .rank = 1, .dims = {(int64_t)r->n_order}, .data = r->order});
    g->outputs[0] = pl_graft_node(a, "classes", PL_OP_Gather, 2, (uint32_t[3]){g->outputs[0], list},
                                  &axis, PL_IR_NONE);
}

platen_status pl_line_adapter_adapt(const struct pl_line_adapter *r, struct pl_ir *g,
                                    struct platen_error *err)
{
    struct pl_graft a = {g, err, PLATEN_OK};
    const struct pl_tensor *t = g->n_inputs == 1 ? &g->values[g->inputs[0]].t : NULL;
    if (!t || t->type != PL_F32 || t->rank != 4 || (t->dims[1] != 1 && t->dims[1] != 3) ||
        t->dims[2] < 1)
        return pl_fail(err, PLATEN_ERR_ARG,
                       "the network takes no lines: its input is not ?x1xHEIGHTx? or "
                       "?x3xHEIGHTx? floats");
    if (!pl_graft_room(g))
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
static platen_status write_alphabet(struct pl_line_adapter *r, bool space, struct platen_error *err)
{
    struct pl_str alphabet = {0}, symbols = {0};
    uint32_t c = 0;
    for (size_t i = 0; i < r->n_lines; i++) {
        const char *key = r->lines[i];
        const size_t n = strlen(key);
        if (!n)
            continue;
        if (pl_utf8_get(key, n, &c) == n && c != REPLACEMENT) {
            pl_str_puts(&alphabet, key);
            continue;
        }
        pl_str_puts(&alphabet, "\xef\xbf\xbd");
        pl_str_printf(&symbols, "%s%s", symbols.len ? " " : "", key);
    }
    if (space)
        pl_str_putc(&alphabet, ' ');
    r->alphabet = pl_arena_strndup(&r->arena, alphabet.s ? alphabet.s : "", alphabet.len);
    r->symbols = symbols.len ? pl_arena_strndup(&r->arena, symbols.s, symbols.len) : NULL;
    const bool ok =
        !alphabet.failed && !symbols.failed && r->alphabet && (!symbols.len || r->symbols);
    pl_str_done(&alphabet);
    pl_str_done(&symbols);
    return ok ? PLATEN_OK : pl_fail_nomem(err, alphabet.len, "an alphabet");
}

/* Lists the classes that have a symbol, the blank of CTC first. `empty`: each empty line is a
 * class. */
static platen_status list_classes(struct pl_line_adapter *r, bool empty, bool space,
                                  struct platen_error *err)
{
    const size_t n = r->n_keys + space + 1;
    int64_t *order = PL_NEW(&r->arena, int64_t, n), class = r->blank_last ? 0 : 1;
    if (!order)
        return pl_fail_nomem(err, n * sizeof(*order), "classes");
    r->n_order = 1;
    for (size_t i = 0; i < r->n_lines; i++) {
        const bool key = r->lines[i][0];
        if (key)
            order[r->n_order++] = class;
        class += key || empty;
    }
    if (space)
        order[r->n_order++] = class ++;
    order[0] = r->blank_last ? class : 0;
    bool same = !r->blank_last;
    for (size_t i = 0; i < n; i++)
        same = same && order[i] == (int64_t)i;
    r->order = same ? NULL : order;
    return PLATEN_OK;
}

static size_t first_empty(const struct pl_line_adapter *r)
{
    size_t i = 0;
    while (r->lines[i][0])
        i++;
    return i;
}

/* What the number of classes says of the keys: whether each empty line is a class, and whether the
 * space is one behind them, as the keys of PaddleOCR leave it out. */
static platen_status choose_keys(const struct pl_line_adapter *r, size_t classes, bool *ret_empty,
                                 bool *ret_space, struct platen_error *err)
{
    const size_t none = r->n_keys + 1, all = r->n_lines + 1;
    const bool with = classes == all || classes == all + 1;
    const bool without = classes == none || classes == none + 1;
    if (with && without && none != all)
        return pl_fail(err, PLATEN_ERR_ARG,
                       "line %zu of the keys is empty, and with %zu classes it may be one of them "
                       "or not: take it out, or write a symbol",
                       first_empty(r) + 1, classes);
    *ret_empty = with;
    *ret_space = classes == (with ? all : none) + 1;
    if (with || without)
        return PLATEN_OK;
    return pl_fail(err, PLATEN_ERR_ARG, "the network has %zu classes, and %zu keys want %zu or %zu",
                   classes, r->n_lines, all, all + 1);
}

/* Empty lines at the end count only where the number of classes wants it. */
static void drop_ends(struct pl_line_adapter *r, size_t classes)
{
    size_t n = r->n_lines;
    while (!r->lines[n - 1][0])
        n--;
    if (classes == n + 1 || classes == n + 2 || classes == r->n_keys + 1)
        r->n_lines = n;
}

platen_status pl_line_adapter_measure(struct pl_line_adapter *r, const struct pl_ir *g,
                                      const struct pl_kernels *k, struct platen_error *err)
{
    size_t narrow = 0, wide = 0, classes = 0, same = 0;
    bool empty = false, space = false;
    char stride[16];
    platen_status s = run_blank(g, k, NARROW, &narrow, &classes, err);
    s = s ? s : run_blank(g, k, WIDE, &wide, &same, err);
    if (s)
        return s;
    if (classes != same || !narrow || wide != 2 * narrow || NARROW % narrow)
        return pl_fail(err, PLATEN_ERR_ARG,
                       "the network reads no lines: %d columns give it %zu steps, and %d give %zu",
                       NARROW, narrow, WIDE, wide);
    drop_ends(r, classes);
    s = choose_keys(r, classes, &empty, &space, err);
    s = s ? s : list_classes(r, empty, space, err);
    s = s ? s : write_alphabet(r, space, err);
    snprintf(stride, sizeof(stride), "%zu", NARROW / narrow);
    r->stride = pl_arena_strndup(&r->arena, stride, strlen(stride));
    return s || r->stride ? s : pl_fail_nomem(err, sizeof(stride), "a number");
}
