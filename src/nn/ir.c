/* SPDX-License-Identifier: BSD-2-Clause */
#include "nn/ir.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "nn/operators.h"
#include "nn/prepared.h"

void pl_ir_init(struct pl_ir *g)
{
    *g = (struct pl_ir){0};
    pl_arena_init(&g->arena);
}

void pl_ir_done(struct pl_ir *g)
{
    pl_arena_done(&g->arena);
    pl_prepared_free(g->prepared);
}

const struct pl_attr *pl_ir_attr(const struct pl_ir_node *n, const char *name)
{
    for (uint32_t i = 0; i < n->n_attrs; i++)
        if (!strcmp(n->attrs[i].name, name))
            return &n->attrs[i];
    return NULL;
}

int64_t pl_ir_int(const struct pl_ir_node *n, const char *name, int64_t otherwise)
{
    const struct pl_attr *a = pl_ir_attr(n, name);
    return a && a->kind == PL_ATTR_INT ? a->v.i : otherwise;
}

float pl_ir_float(const struct pl_ir_node *n, const char *name, float otherwise)
{
    const struct pl_attr *a = pl_ir_attr(n, name);
    return a && a->kind == PL_ATTR_FLOAT ? a->v.f : otherwise;
}

const char *pl_ir_string(const struct pl_ir_node *n, const char *name, const char *otherwise)
{
    const struct pl_attr *a = pl_ir_attr(n, name);
    return a && a->kind == PL_ATTR_STRING ? a->v.s : otherwise;
}

const char *pl_ir_name(struct pl_ir *g, const char *name, const char *what)
{
    const size_t n = strlen(name), more = strlen(what) + 1;
    if (n + more > PL_IR_MAX_NAME_BYTES)
        return name;
    char *p = pl_arena_alloc(&g->arena, n + more + 1, 1);
    if (p) {
        memcpy(p, name, n);
        p[n] = '/';
        memcpy(p + n + 1, what, more);
    }
    return p;
}

platen_status pl_ir_fail(const struct pl_ir_node *n, struct platen_error *err, platen_status code,
                         const char *fmt, ...)
{
    char text[200];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    return pl_fail(err, code, "node '%.60s' (%s): %s", n->name, n->op->name, text);
}

static platen_status set_writers(struct pl_ir *g, struct platen_error *err)
{
    for (size_t i = 0; i < g->n_values; i++)
        g->values[i].writer = PL_IR_NONE;
    for (size_t i = 0; i < g->n_nodes; i++) {
        const struct pl_ir_node *n = &g->nodes[i];
        for (uint32_t o = 0; o < n->n_out; o++) {
            if (n->out[o] == PL_IR_NONE)
                continue;
            struct pl_ir_value *v = &g->values[n->out[o]];
            if (v->writer != PL_IR_NONE)
                return pl_ir_fail(n, err, PLATEN_ERR_FORMAT,
                                  "'%.60s' is also written by node '%.60s'", v->name,
                                  g->nodes[v->writer].name);
            if (v->t.data)
                return pl_ir_fail(n, err, PLATEN_ERR_FORMAT, "writes the constant '%.60s'",
                                  v->name);
            v->writer = (uint32_t)i;
        }
    }
    for (size_t i = 0; i < g->n_inputs; i++)
        if (g->values[g->inputs[i]].writer != PL_IR_NONE)
            return pl_ir_fail(&g->nodes[g->values[g->inputs[i]].writer], err, PLATEN_ERR_FORMAT,
                              "writes the graph's input '%.60s'", g->values[g->inputs[i]].name);
    return PLATEN_OK;
}

/* A depth-first walk from reader to writer, without recursion. */
struct walk {
    struct pl_ir *g;
    struct frame {
        uint32_t node, next; /* input to look at next */
    } * stack;
    uint8_t *state; /* of a node: 0 = not seen, 1 = on the stack, 2 = in order */
    size_t depth, n_done;
    uint32_t *order;
};

static platen_status visit_input(struct walk *w, const struct pl_ir_node *n, uint32_t value,
                                 struct platen_error *err)
{
    if (value == PL_IR_NONE)
        return PLATEN_OK;
    const struct pl_ir_value *v = &w->g->values[value];
    if (v->writer == PL_IR_NONE) {
        if (v->t.data || v->t.rank != PL_IR_UNWRITTEN)
            return PLATEN_OK;
        return pl_ir_fail(n, err, PLATEN_ERR_FORMAT, "reads '%.60s', which nothing writes",
                          v->name);
    }
    if (w->state[v->writer] == 1)
        return pl_ir_fail(n, err, PLATEN_ERR_FORMAT,
                          "a circle: it reads '%.60s', which depends on it", v->name);
    if (!w->state[v->writer]) {
        w->state[v->writer] = 1;
        w->stack[w->depth++] = (struct frame){v->writer, 0};
    }
    return PLATEN_OK;
}

static platen_status visit_from(struct walk *w, uint32_t root, struct platen_error *err)
{
    w->state[root] = 1;
    w->stack[w->depth++] = (struct frame){root, 0};
    while (w->depth) {
        struct frame *f = &w->stack[w->depth - 1];
        const struct pl_ir_node *n = &w->g->nodes[f->node];
        if (f->next < n->n_in) {
            platen_status s = visit_input(w, n, n->in[f->next++], err);
            if (s)
                return s;
        } else {
            w->state[f->node] = 2;
            w->order[w->n_done++] = f->node;
            w->depth--;
        }
    }
    return PLATEN_OK;
}

/* Puts the nodes in order, into the array `sorted`. */
static platen_status sort_nodes(struct walk *w, struct pl_ir_node *sorted, struct platen_error *err)
{
    struct pl_ir *g = w->g;
    platen_status s = PLATEN_OK;
    for (uint32_t i = 0; i < g->n_nodes && !s; i++)
        if (!w->state[i])
            s = visit_from(w, i, err);
    for (size_t i = 0; i < g->n_nodes && !s; i++)
        sorted[i] = g->nodes[w->order[i]];
    if (!s && g->n_nodes)
        memcpy(g->nodes, sorted, g->n_nodes * sizeof(*sorted));
    return s;
}

platen_status pl_ir_sort(struct pl_ir *g, struct platen_error *err)
{
    const size_t n = g->n_nodes;
    struct pl_arena scratch;
    pl_arena_init(&scratch);
    struct walk w = {.g = g,
                     .stack = PL_NEW(&scratch, struct frame, n),
                     .state = PL_NEW(&scratch, uint8_t, n),
                     .order = PL_NEW(&scratch, uint32_t, n)};
    struct pl_ir_node *sorted = PL_NEW(&scratch, struct pl_ir_node, n);
    platen_status s = w.stack && w.state && w.order && sorted
                          ? set_writers(g, err)
                          : pl_fail_nomem(err, n * sizeof(*sorted), "a graph");
    s = s ? s : sort_nodes(&w, sorted, err);
    pl_arena_done(&scratch);
    s = s ? s : set_writers(g, err);
    for (size_t i = 0; i < g->n_outputs && !s; i++) {
        const struct pl_ir_value *v = &g->values[g->outputs[i]];
        if (v->writer == PL_IR_NONE && !v->t.data && v->t.rank == PL_IR_UNWRITTEN)
            s = pl_fail(err, PLATEN_ERR_FORMAT, "nothing writes the output '%.60s'", v->name);
    }
    return s;
}
