/* SPDX-License-Identifier: BSD-2-Clause */
/* LSTM, GRU and the plain recurrent cell, in one or both directions, with all that ONNX lets them
 * be. Those that networks have run as op/recurrent.c (pass `rnn`). */
#include "nn/operators.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "nn/op/op_gemm.h"

#define MAX_FUNCTIONS 6 /* three for each direction */

struct function {
    float (*f)(float x, float alpha, float beta);
    float alpha, beta;
};

static float f_relu(float x, float a, float b)
{
    (void)a;
    (void)b;
    return x > 0 ? x : 0;
}

static float f_tanh(float x, float a, float b)
{
    (void)a;
    (void)b;
    return tanhf(x);
}

static float f_sigmoid(float x, float a, float b)
{
    (void)a;
    (void)b;
    return 1 / (1 + expf(-x));
}

static float f_affine(float x, float a, float b)
{
    return a * x + b;
}

static float f_leaky(float x, float a, float b)
{
    (void)b;
    return x < 0 ? a * x : x;
}

static float f_thresholded(float x, float a, float b)
{
    (void)b;
    return x >= a ? x : 0;
}

static float f_scaled_tanh(float x, float a, float b)
{
    return a * tanhf(b * x);
}

static float f_hard_sigmoid(float x, float a, float b)
{
    return fminf(fmaxf(a * x + b, 0), 1);
}

static float f_elu(float x, float a, float b)
{
    (void)b;
    return x < 0 ? a * expm1f(x) : x;
}

static float f_softsign(float x, float a, float b)
{
    (void)a;
    (void)b;
    return x / (1 + fabsf(x));
}

static float f_softplus(float x, float a, float b)
{
    (void)a;
    (void)b;
    return fmaxf(x, 0) + log1pf(expf(-fabsf(x)));
}

static const struct {
    const char *name;
    struct function function; /* with its defaults */
    int params;               /* how many of alpha and beta it takes */
} functions[] = {
    {"Relu", {f_relu, 0, 0}, 0},
    {"Tanh", {f_tanh, 0, 0}, 0},
    {"Sigmoid", {f_sigmoid, 0, 0}, 0},
    {"Affine", {f_affine, 1, 0}, 2},
    {"LeakyRelu", {f_leaky, 0.01f, 0}, 1},
    {"ThresholdedRelu", {f_thresholded, 1, 0}, 1},
    {"ScaledTanh", {f_scaled_tanh, 1, 1}, 2},
    {"HardSigmoid", {f_hard_sigmoid, 0.2f, 0.5f}, 2},
    {"Elu", {f_elu, 1, 0}, 1},
    {"Softsign", {f_softsign, 0, 0}, 0},
    {"Softplus", {f_softplus, 0, 0}, 0},
};

/* A layer: sizes, tensors and what the attributes say. */
struct ref_layer {
    int id, gates, n_functions; /* of one direction */
    int directions;
    bool backward, batch_first, input_forget, reset_after;
    float clip; /* infinity = none */
    size_t steps, batch, inputs, hidden;
    const float *w, *r, *b, *p, *h0, *c0;
    const struct pl_tensor *lengths;
    struct function f[MAX_FUNCTIONS];
};

static platen_status read_functions(const struct pl_call *c, struct ref_layer *l)
{
    static const char *const usual[] = {"Sigmoid", "Tanh", "Tanh"};
    const struct pl_attr *names = pl_ir_attr(c->node, "activations");
    const struct pl_attr *alpha = pl_ir_attr(c->node, "activation_alpha");
    const struct pl_attr *beta = pl_ir_attr(c->node, "activation_beta");
    const int n = l->n_functions * l->directions;
    uint32_t a = 0, b = 0;
    if (names && names->n != (uint32_t)n)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "%u activations, not %d", names->n, n);
    for (int i = 0; i < n; i++) {
        const char *name = names                ? names->v.strings[i]
                           : l->id == PL_OP_RNN ? "Tanh"
                                                : usual[i % l->n_functions];
        size_t k = 0;
        while (k < PL_ARRAY_LEN(functions) && strcasecmp(functions[k].name, name))
            k++;
        if (k == PL_ARRAY_LEN(functions))
            return pl_call_fail(c, PLATEN_ERR_UNSUPPORTED, "activation '%.30s'", name);
        l->f[i] = functions[k].function;
        if (functions[k].params > 0 && alpha && a < alpha->n)
            l->f[i].alpha = alpha->v.floats[a++];
        if (functions[k].params > 1 && beta && b < beta->n)
            l->f[i].beta = beta->v.floats[b++];
    }
    return PLATEN_OK;
}

static bool has_shape(const struct pl_tensor *t, size_t a, size_t b, size_t d)
{
    return !t || (t->rank == 3 && t->dims[0] == (int64_t)a && t->dims[1] == (int64_t)b &&
                  t->dims[2] == (int64_t)d);
}

static bool has_rows(const struct pl_tensor *t, size_t a, size_t b)
{
    return !t || (t->rank == 2 && t->dims[0] == (int64_t)a && t->dims[1] == (int64_t)b);
}

static platen_status read_layer(const struct pl_call *c, struct ref_layer *l)
{
    const struct pl_ir_node *n = c->node;
    const char *direction = pl_ir_string(n, "direction", "forward");
    const struct pl_tensor *x = pl_in(c, 0), *w = pl_in(c, 1), *r = pl_in(c, 2);
    const int id = pl_call_id(c);
    *l = (struct ref_layer){.id = id,
                            .gates = id == PL_OP_LSTM  ? 4
                                     : id == PL_OP_GRU ? 3
                                                       : 1,
                            .n_functions = id == PL_OP_LSTM  ? 3
                                           : id == PL_OP_GRU ? 2
                                                             : 1,
                            .directions = strcmp(direction, "bidirectional") ? 1 : 2,
                            .backward = !strcmp(direction, "reverse"),
                            .batch_first = pl_ir_int(n, "layout", 0),
                            .input_forget = pl_ir_int(n, "input_forget", 0),
                            .reset_after = pl_ir_int(n, "linear_before_reset", 0),
                            .clip = pl_ir_float(n, "clip", INFINITY),
                            .lengths = pl_in(c, 4)};
    if (x->rank != 3 || w->rank != 3 || r->rank != 3)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "inputs of the wrong rank");
    l->steps = (size_t)x->dims[l->batch_first];
    l->batch = (size_t)x->dims[!l->batch_first];
    l->inputs = (size_t)x->dims[2];
    l->hidden = (size_t)r->dims[2];
    const size_t d = (size_t)l->directions, rows = (size_t)l->gates * l->hidden;
    const struct pl_tensor *h0 = pl_in(c, 5), *c0 = pl_in(c, 6);
    const size_t s0 = l->batch_first ? l->batch : d, s1 = l->batch_first ? d : l->batch;
    if (!has_shape(w, d, rows, l->inputs) || !has_shape(r, d, rows, l->hidden) ||
        !has_rows(pl_in(c, 3), d, 2 * rows) || !has_shape(h0, s0, s1, l->hidden) ||
        !has_shape(c0, s0, s1, l->hidden) || !has_rows(pl_in(c, 7), d, 3 * l->hidden) ||
        (l->lengths && (l->lengths->rank != 1 || pl_tensor_count(l->lengths) != l->batch)))
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "the shapes of the inputs do not fit");
    return read_functions(c, l);
}

platen_status pl_infer_rnn(struct pl_call *c)
{
    struct ref_layer l;
    platen_status s = read_layer(c, &l);
    if (s)
        return s;
    const int64_t d = l.directions, b = (int64_t)l.batch, t = (int64_t)l.steps;
    const int64_t h = (int64_t)l.hidden;
    const int64_t y[4] = {l.batch_first ? b : t, l.batch_first ? t : d, l.batch_first ? d : b, h};
    const int64_t last[3] = {l.batch_first ? b : d, l.batch_first ? d : b, h};
    s = pl_call_shape(c, 0, pl_in(c, 0)->type, 4, y);
    s = s ? s : pl_call_shape(c, 1, pl_in(c, 0)->type, 3, last);
    return s ? s : pl_call_shape(c, 2, pl_in(c, 0)->type, 3, last);
}

static float limited(const struct ref_layer *l, float x)
{
    return x > l->clip ? l->clip : x < -l->clip ? -l->clip : x;
}

static float apply(const struct ref_layer *l, const struct function *f, float x)
{
    return f->f(limited(l, x), f->alpha, f->beta);
}

/* gate[i] += sum of row i of m times v. */
static void add_product(float *gate, const float *m, const float *v, size_t rows, size_t n)
{
    for (size_t i = 0; i < rows; i++) {
        float sum = 0;
        for (size_t k = 0; k < n; k++)
            sum += m[i * n + k] * v[k];
        gate[i] += sum;
    }
}

/* One step of one line. gate holds W x + the biases of W; h and cell are the state; b the biases of
 * both, p the peepholes, of this direction; tmp has room for 3 hidden. */
static void step_lstm(const struct ref_layer *l, const struct function *f, const float *r,
                      const float *p, float *gate, float *h, float *cell)
{
    const size_t n = l->hidden;
    add_product(gate, r, h, 4 * n, n);
    for (size_t k = 0; k < n; k++) {
        float i = gate[k] + (p ? p[k] * cell[k] : 0);
        float fg = gate[2 * n + k] + (p ? p[2 * n + k] * cell[k] : 0);
        i = apply(l, &f[0], i);
        fg = l->input_forget ? 1 - i : apply(l, &f[0], fg);
        cell[k] = fg * cell[k] + i * apply(l, &f[1], gate[3 * n + k]);
        float o = apply(l, &f[0], gate[n + k] + (p ? p[n + k] * cell[k] : 0));
        h[k] = o * f[2].f(cell[k], f[2].alpha, f[2].beta);
    }
}

static void step_gru(const struct ref_layer *l, const struct function *f, const float *r,
                     const float *rb, float *gate, float *h, float *tmp)
{
    const size_t n = l->hidden;
    add_product(gate, r, h, 2 * n, n);
    for (size_t k = 0; k < 2 * n; k++)
        gate[k] = apply(l, &f[0], gate[k]);
    const float *z = gate, *reset = gate + n;
    float *hidden = gate + 2 * n;
    if (l->reset_after) {
        for (size_t k = 0; k < n; k++)
            tmp[k] = rb ? rb[2 * n + k] : 0;
        add_product(tmp, r + 2 * n * n, h, n, n);
        for (size_t k = 0; k < n; k++)
            hidden[k] += reset[k] * tmp[k];
    } else {
        for (size_t k = 0; k < n; k++) {
            hidden[k] += rb ? rb[2 * n + k] : 0;
            tmp[k] = reset[k] * h[k];
        }
        add_product(hidden, r + 2 * n * n, tmp, n, n);
    }
    for (size_t k = 0; k < n; k++)
        h[k] = (1 - z[k]) * apply(l, &f[1], hidden[k]) + z[k] * h[k];
}

static void step_plain(const struct ref_layer *l, const struct function *f, const float *r,
                       float *gate, float *h)
{
    add_product(gate, r, h, l->hidden, l->hidden);
    for (size_t k = 0; k < l->hidden; k++)
        h[k] = apply(l, &f[0], gate[k]);
}

/* Biases into a gate: W's, and R's where they are simply added. */
static void start_gate(const struct ref_layer *l, float *gate, const float *product, const float *b)
{
    const size_t n = l->hidden, rows = (size_t)l->gates * n;
    for (size_t k = 0; k < rows; k++) {
        bool later = l->id == PL_OP_GRU && k >= 2 * n;
        gate[k] = product[k] + (b ? b[k] + (later ? 0 : b[rows + k]) : 0);
    }
}

struct ref_state {
    float *h, *c, *gate, *tmp, *product;
};

static void run_line(const struct ref_layer *l, const struct pl_call *c, int direction, size_t line,
                     size_t length, const struct ref_state *st)
{
    const size_t n = l->hidden, rows = (size_t)l->gates * n, d = (size_t)direction;
    const float *r = l->r + d * rows * n, *b = l->b ? l->b + d * 2 * rows : NULL;
    const float *p = l->p ? l->p + d * 3 * n : NULL;
    const struct function *f = &l->f[direction * l->n_functions];
    const bool backward = l->backward || direction;
    for (size_t i = 0; i < length; i++) {
        const size_t t = backward ? length - 1 - i : i;
        const size_t row = l->batch_first ? line * l->steps + t : t * l->batch + line;
        start_gate(l, st->gate, st->product + row * rows, b);
        if (l->id == PL_OP_LSTM)
            step_lstm(l, f, r, p, st->gate, st->h, st->c);
        else if (l->id == PL_OP_GRU)
            step_gru(l, f, r, b ? b + rows : NULL, st->gate, st->h, st->tmp);
        else
            step_plain(l, f, r, st->gate, st->h);
        const size_t dirs = (size_t)l->directions;
        const size_t at =
            l->batch_first ? (line * l->steps + t) * dirs + d : (t * dirs + d) * l->batch + line;
        if (pl_out(c, 0))
            memcpy((float *)pl_out(c, 0)->data + at * n, st->h, n * sizeof(float));
    }
}

static platen_status make_state(struct pl_call *c, const struct ref_layer *l, struct ref_state *st)
{
    const size_t n = l->hidden, rows = (size_t)l->gates * n;
    st->h = pl_call_scratch(c, n, sizeof(float));
    st->c = pl_call_scratch(c, n, sizeof(float));
    st->tmp = pl_call_scratch(c, n, sizeof(float));
    st->gate = pl_call_scratch(c, rows, sizeof(float));
    st->product = pl_call_scratch(c, l->steps * l->batch * rows, sizeof(float));
    return st->h && st->c && st->tmp && st->gate && st->product ? PLATEN_OK : PLATEN_ERR_NOMEM;
}

static platen_status line_length(const struct pl_call *c, const struct ref_layer *l, size_t line,
                                 size_t *ret)
{
    int64_t n = l->lengths ? pl_tensor_i64(l->lengths, line) : (int64_t)l->steps;
    if (n < 0 || n > (int64_t)l->steps)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "a length of %lld", (long long)n);
    *ret = (size_t)n;
    return PLATEN_OK;
}

static platen_status run_direction(struct pl_call *c, const struct ref_layer *l, int direction,
                                   const struct ref_state *st)
{
    const size_t n = l->hidden, rows = (size_t)l->gates * n, dirs = (size_t)l->directions;
    const struct pl_gemm g = {.m = l->steps * l->batch,
                              .n = rows,
                              .k = l->inputs,
                              .a = pl_in(c, 0)->data,
                              .a_row = l->inputs,
                              .a_col = 1,
                              .b = l->w + (size_t)direction * rows * l->inputs,
                              .b_row = 1,
                              .b_col = l->inputs,
                              .c = st->product};
    platen_status s = pl_gemm_run(c, &g);
    for (size_t line = 0; line < l->batch && !s; line++) {
        const size_t at =
            l->batch_first ? line * dirs + (size_t)direction : (size_t)direction * l->batch + line;
        size_t length = 0;
        for (size_t k = 0; k < n; k++) {
            st->h[k] = l->h0 ? l->h0[at * n + k] : 0;
            st->c[k] = l->c0 ? l->c0[at * n + k] : 0;
        }
        s = line_length(c, l, line, &length);
        if (s)
            return s;
        run_line(l, c, direction, line, length, st);
        if (pl_out(c, 1))
            memcpy((float *)pl_out(c, 1)->data + at * n, st->h, n * sizeof(float));
        if (pl_out(c, 2))
            memcpy((float *)pl_out(c, 2)->data + at * n, st->c, n * sizeof(float));
    }
    return s;
}

static const float *floats(const struct pl_call *c, uint32_t i)
{
    return pl_in(c, i) ? pl_in(c, i)->data : NULL;
}

static platen_status rnn_f32(struct pl_call *c)
{
    struct ref_layer l;
    struct ref_state st = {0};
    platen_status s = read_layer(c, &l);
    for (uint32_t i = 0; i < c->n_in && !s; i++)
        if (i != 4 && pl_in(c, i) && pl_in(c, i)->type != PL_F32)
            s = pl_call_unsupported_type(c, pl_in(c, i)->type);
    if (s)
        return s;
    l.w = floats(c, 1);
    l.r = floats(c, 2);
    l.b = floats(c, 3);
    l.h0 = floats(c, 5);
    l.c0 = floats(c, 6);
    l.p = floats(c, 7);
    if (pl_out(c, 0)) /* steps beyond the length of a line stay 0 */
        memset(pl_out(c, 0)->data, 0, pl_tensor_bytes(pl_out(c, 0)));
    s = make_state(c, &l, &st);
    for (int d = 0; d < l.directions && !s; d++)
        s = run_direction(c, &l, d, &st);
    return s;
}

platen_status pl_run_rnn(struct pl_call *c)
{
    return pl_call_as_f32(c, rnn_f32);
}
