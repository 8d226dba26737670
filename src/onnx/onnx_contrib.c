/* SPDX-License-Identifier: BSD-2-Clause */
#include "onnx/onnx_contrib.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nn/operators.h"

#define MAX_RESULTS 10 /* that the steps of a recipe have */

/* An operator in steps, parted by `;`: the name of an ONNX operator and what it reads, inputs of
 * the node by number and results of earlier steps by letter. Behind the name `*` stands for the
 * attributes of the node, but for `told`, which must be 0, and `=name:value` for one of its own; a
 * value of `!name` is 1 where the node has no such attribute or one of 0, else 0. A step that
 * begins with ?N copies its first operand where input N is left out. The last step writes the
 * result of the node. */
static const struct recipe {
    const char *op, *steps, *told;
} recipes[] = {
    {"BiasGelu", "Add 0 1;Gelu a", NULL},
    {"DynamicQuantizeMatMul",
     "DynamicQuantizeLinear 0;MatMulInteger a 1 c 3;Cast=to:1 d;Mul b 2;Mul e f;?4 Add g 4", NULL},
    {"FastGelu", "?1 Add 0 1;Gelu=approximate:tanh a", NULL},
    {"Gelu", "Gelu 0", NULL},
    {"MatMulIntegerToFloat", "MatMulInteger 0 1 4 5;Cast=to:1 a;Mul 2 3;Mul b c;?6 Add d 6", NULL},
    {"QGemm",
     "Mul 1 4;DequantizeLinear 0 1 2;DequantizeLinear=axis:!transB 3 4 5;"
     "?6 DequantizeLinear=axis:0 6 a;Gemm* b c d;?7 QuantizeLinear e 7 8",
     NULL},
    {"QLinearAdd", "DequantizeLinear 0 1 2;DequantizeLinear 3 4 5;Add a b;QuantizeLinear c 6 7",
     NULL},
    {"QLinearAveragePool", "DequantizeLinear 0 1 2;AveragePool* a;QuantizeLinear b 3 4",
     "channels_last"},
    {"QLinearGlobalAveragePool", "DequantizeLinear 0 1 2;GlobalAveragePool* a;QuantizeLinear b 3 4",
     "channels_last"},
    {"QLinearLeakyRelu", "DequantizeLinear 0 1 2;LeakyRelu* a;QuantizeLinear b 3 4", NULL},
    {"QLinearMul", "DequantizeLinear 0 1 2;DequantizeLinear 3 4 5;Mul a b;QuantizeLinear c 6 7",
     NULL},
    {"QLinearSigmoid", "DequantizeLinear 0 1 2;Sigmoid a;QuantizeLinear b 3 4", NULL},
};

/* A node while it is taken apart. */
struct apart {
    struct pl_onnx *o;
    const struct pl_ir_node *n;
    const char *op;
    size_t n_values;               /* that were added */
    uint32_t results[MAX_RESULTS]; /* of the steps so far */
    size_t n_results;
    struct platen_error *err;
};

bool pl_onnx_contrib_domain(struct pl_span domain)
{
    return domain.n == 13 && !memcmp(domain.p, "com.microsoft", 13);
}

static platen_status refuse(const struct apart *a, const char *why, const char *what)
{
    return pl_fail(a->err, PLATEN_ERR_UNSUPPORTED, "node '%.60s' (com.microsoft.%.40s): %s%.40s",
                   a->n->name, a->op, why, what);
}

static uint32_t input(const struct apart *a, uint32_t i)
{
    return i < a->n->n_in ? a->n->in[i] : PL_IR_NONE;
}

/* Adds a value with the name of the node's result and a number behind it. */
static platen_status add_value(struct apart *a, uint32_t *ret)
{
    struct pl_ir *g = a->o->g;
    char number[24];
    snprintf(number, sizeof(number), "%zu", a->n_values);
    const char *name = pl_ir_name(g, g->values[a->n->out[0]].name, number);
    platen_status s = name ? pl_onnx_value(a->o, name, ret, a->err)
                           : pl_fail_nomem(a->err, sizeof(number), "a name");
    a->n_values++;
    return s;
}

/* Adds a node with room for attributes and inputs, which the caller fills in. It writes new values,
 * or the result of the node where it is the last one. */
static platen_status add_step(struct apart *a, const char *op, uint32_t n_in, bool last,
                              struct pl_ir_node **ret)
{
    struct pl_ir *g = a->o->g;
    struct pl_ir_node *n = &g->nodes[g->n_nodes];
    *n = (struct pl_ir_node){.name = a->n->name, .op = pl_op_find(op), .n_in = n_in};
    n->in = PL_NEW(&g->arena, uint32_t, n_in);
    n->out = PL_NEW(&g->arena, uint32_t, 3);
    struct pl_attr *attrs = PL_NEW(&g->arena, struct pl_attr, a->n->n_attrs + 1);
    n->attrs = attrs;
    if (!n->in || !n->out || !attrs)
        return pl_fail_nomem(a->err, n_in * sizeof(*n->in), "a node");
    const uint32_t n_out = n->op->id == PL_OP_DynamicQuantizeLinear ? 3 : 1;
    platen_status s = PLATEN_OK;
    for (; n->n_out < n_out && !last && !s; n->n_out++)
        s = add_value(a, &n->out[n->n_out]);
    if (last)
        n->out[n->n_out++] = a->n->out[0];
    else if (!s)
        n->name = g->values[n->out[0]].name;
    g->n_nodes++;
    *ret = n;
    return s;
}

static void add_attr(struct pl_ir_node *n, struct pl_attr attr)
{
    ((struct pl_attr *)n->attrs)[n->n_attrs++] = attr;
}

/* Gives n the attributes of the node that is taken apart. */
static platen_status copy_attrs(const struct apart *a, struct pl_ir_node *n, const char *told)
{
    for (uint32_t i = 0; i < a->n->n_attrs; i++) {
        if (!told || strcmp(a->n->attrs[i].name, told))
            add_attr(n, a->n->attrs[i]);
        else if (a->n->attrs[i].kind != PL_ATTR_INT || a->n->attrs[i].v.i)
            return refuse(a, "it has the attribute ", told);
    }
    return PLATEN_OK;
}

/* Reads "name:value", and adds the attribute. */
static platen_status add_own(const struct apart *a, struct pl_ir_node *n, const char *text,
                             size_t size)
{
    char *name = pl_arena_strndup(&a->o->g->arena, text, size);
    if (!name)
        return pl_fail_nomem(a->err, size, "an attribute");
    char *value = strchr(name, ':');
    *value++ = 0;
    struct pl_attr attr = {.name = name, .kind = PL_ATTR_INT};
    if (*value == '!') {
        attr.v.i = !pl_ir_int(a->n, value + 1, 0);
    } else if (*value >= '0' && *value <= '9') {
        attr.v.i = strtol(value, NULL, 10);
    } else {
        attr.kind = PL_ATTR_STRING;
        attr.v.s = value;
    }
    add_attr(n, attr);
    return PLATEN_OK;
}

static uint32_t operand(const struct apart *a, char c)
{
    return c >= 'a' ? a->results[c - 'a'] : input(a, (uint32_t)(c - '0'));
}

/* Adds the step that text[0..size) tells. */
static platen_status take_step(struct apart *a, const struct recipe *r, const char *text,
                               size_t size, bool last)
{
    const bool maybe = *text == '?',
               copies = maybe && input(a, (uint32_t)(text[1] - '0')) == PL_IR_NONE;
    const char *end = text + size, *op = text + (maybe ? 3 : 0);
    const char *in = memchr(op, ' ', (size_t)(end - op));
    const size_t name = strcspn(op, " *=");
    char found[32];
    struct pl_ir_node *n;
    if (copies && operand(a, in[1]) == PL_IR_NONE) {
        a->results[a->n_results++] = PL_IR_NONE;
        return PLATEN_OK;
    }
    snprintf(found, sizeof(found), "%.*s", (int)name, op);
    const uint32_t n_in = copies ? 1 : (uint32_t)(end - in) / 2;
    platen_status s = add_step(a, copies ? "Identity" : found, n_in, last, &n);
    if (s)
        return s;
    for (uint32_t i = 0; i < n_in; i++)
        n->in[i] = operand(a, in[1 + 2 * i]);
    for (uint32_t i = 0; i < n->n_out; i++)
        a->results[a->n_results++] = n->out[i];
    if (!copies && op[name] == '*')
        s = copy_attrs(a, n, r->told);
    if (!copies && op[name] == '=')
        s = add_own(a, n, op + name + 1, (size_t)(in - op) - name - 1);
    return s;
}

static platen_status take_recipe(struct apart *a, const struct recipe *r)
{
    platen_status s = PLATEN_OK;
    for (const char *p = r->steps; *p && !s;) {
        const size_t size = strcspn(p, ";");
        s = take_step(a, r, p, size, !p[size]);
        p += size + (p[size] == ';');
    }
    return s;
}

/* QLinearConcat: y_scale, y_zero, then x, x_scale and x_zero of each part. */
static platen_status take_concat(struct apart *a)
{
    const uint32_t parts = a->n->n_in < 5 ? 0 : (a->n->n_in - 2) / 3;
    struct pl_ir *g = a->o->g;
    struct pl_ir_node *n, *concat = NULL;
    uint32_t *in = PL_NEW(&g->arena, uint32_t, parts);
    platen_status s = in ? PLATEN_OK : pl_fail_nomem(a->err, parts * sizeof(*in), "a node");
    if (!s && a->n->n_in != 2 + 3 * parts)
        s = refuse(a, "not a scale, a zero point and parts of three inputs", "");
    for (uint32_t i = 0; i < parts && !s; i++) {
        s = add_step(a, "DequantizeLinear", 3, false, &n);
        if (s)
            return s;
        memcpy(n->in, a->n->in + 2 + 3 * i, 3 * sizeof(*n->in));
        in[i] = n->out[0];
    }
    s = s ? s : add_step(a, "Concat", parts, false, &concat);
    s = s ? s : copy_attrs(a, concat, NULL);
    s = s ? s : add_step(a, "QuantizeLinear", 3, true, &n);
    if (s)
        return s;
    memcpy(concat->in, in, parts * sizeof(*in));
    memcpy(n->in, (uint32_t[]){concat->out[0], a->n->in[0], a->n->in[1]}, 3 * sizeof(*n->in));
    return PLATEN_OK;
}

/* Adds the constant of floats that bytes [directions, in, rows] stand for, as [directions, rows,
 * in]; scales and zero points are one for each direction, or for each of its rows. */
static platen_status add_weights(struct apart *a, uint32_t w, uint32_t scale, uint32_t *ret)
{
    const uint32_t at[] = {input(a, w), input(a, scale), input(a, scale + 1)};
    const struct pl_tensor *t[3];
    for (int i = 0; i < 3; i++) {
        if (at[i] == PL_IR_NONE || !a->o->g->values[at[i]].t.data)
            return refuse(a, "its weights, scales and zero points are no constants", "");
        t[i] = &a->o->g->values[at[i]].t;
    }
    const bool weights = t[0]->rank == 3 && pl_dtype_bytes(t[0]->type) == 1 && t[1]->type == PL_F32;
    const size_t dirs = weights ? (size_t)t[0]->dims[0] : 0,
                 in = weights ? (size_t)t[0]->dims[1] : 0;
    const size_t rows = weights ? (size_t)t[0]->dims[2] : 0, scales = pl_tensor_count(t[1]);
    if (!weights || (scales != dirs && scales != dirs * rows) || pl_tensor_count(t[2]) != scales)
        return refuse(a, "its scales or zero points do not fit its weights", "");
    struct pl_tensor to = {.rank = 0};
    if (!pl_tensor_shape(&to, PL_F32, 3, (int64_t[]){(int64_t)dirs, (int64_t)rows, (int64_t)in}))
        return refuse(a, "its weights are too large", "");
    float *y = to.data = pl_arena_alloc(&a->o->g->arena, PL_MAX(dirs * rows * in, 1), sizeof(*y));
    if (!y)
        return pl_fail_nomem(a->err, pl_tensor_bytes(&to), "weights");
    for (size_t i = 0; i < dirs * rows * in; i++) {
        const size_t row = i / in, of = scales == dirs ? row / rows : row;
        const size_t from = (row / rows * in + i % in) * rows + row % rows;
        y[i] = (float)(pl_tensor_i64(t[0], from) - pl_tensor_i64(t[2], of)) *
               ((const float *)t[1]->data)[of];
    }
    platen_status s = add_value(a, ret);
    if (!s)
        a->o->g->values[*ret].t = to;
    return s;
}

/* DynamicQuantizeLSTM: the inputs of LSTM, then scale and zero point of W and of R. */
static platen_status take_lstm(struct apart *a)
{
    struct pl_ir_node *n;
    uint32_t w = PL_IR_NONE, r = PL_IR_NONE;
    platen_status s = add_weights(a, 1, 8, &w);
    s = s ? s : add_weights(a, 2, 10, &r);
    s = s ? s : add_step(a, "LSTM", 8, true, &n);
    s = s ? s : copy_attrs(a, n, NULL);
    if (s)
        return s;
    memcpy(n->in, a->n->in, 8 * sizeof(*n->in));
    n->in[1] = w;
    n->in[2] = r;
    n->out = a->n->out;
    n->n_out = a->n->n_out;
    return PLATEN_OK;
}

platen_status pl_onnx_add_contrib(struct pl_onnx *o, const struct pl_ir_node *n, const char *op,
                                  struct platen_error *err)
{
    struct apart a = {.o = o, .n = n, .op = op, .err = err};
    const bool lstm = !strcmp(op, "DynamicQuantizeLSTM");
    for (uint32_t i = 0; i < n->n_out; i++)
        if (i ? !lstm && n->out[i] != PL_IR_NONE : n->out[i] == PL_IR_NONE)
            return refuse(&a, i ? "only its first result is made" : "its first result is left out",
                          "");
    if (!strcmp(op, "QGemm") && pl_ir_float(n, "alpha", 1) != 1)
        return refuse(&a, "its alpha is not 1", "");
    if (!n->n_out)
        return refuse(&a, "it has no result", "");
    if (lstm)
        return take_lstm(&a);
    if (!strcmp(op, "QLinearConcat"))
        return take_concat(&a);
    for (size_t i = 0; i < PL_ARRAY_LEN(recipes); i++)
        if (!strcmp(op, recipes[i].op))
            return take_recipe(&a, &recipes[i]);
    return refuse(&a, "unknown operator", "");
}
