/* SPDX-License-Identifier: BSD-2-Clause */
#include "onnx/onnx_contrib.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nn/operators.h"

#define MAX_RESULTS 10 /* that the steps of a recipe have */

/* An operator in steps, parted by `;`: the name of an ONNX operator and what it reads, inputs of
 * the node by number and results of earlier steps by letter. Behind the name `*` stands for the
 * attributes of the node, but for `told`, which is_granted() must allow, and `=name:value` for one
 * of its own; a value of `!name` is 1 where the node has no such attribute or one of 0, else 0, and
 * a value with a point is a float that the node may give itself. A step that begins with ?N copies
 * its first operand where input N is left out; one that begins with >N writes result N of the node,
 * and falls away where nobody asks for that. The last step writes the first result. */
static const struct recipe {
    const char *op, *steps, *told;
} recipes[] = {
    {"BiasGelu", "Add 0 1;Gelu a", NULL},
    {"DequantizeLinear", "DequantizeLinear* 0 1 2", NULL},
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
    {"QLinearSoftmax", "DequantizeLinear 0 1 2;Softmax* a;QuantizeLinear b 3 4", "opset"},
    {"QLinearWhere",
     "DequantizeLinear 1 2 3;DequantizeLinear 4 5 6;Where 0 a b;QuantizeLinear c 7 8", NULL},
    {"QuantizeLinear", "QuantizeLinear* 0 1 2", NULL},
    {"QuickGelu", "Swish=alpha:1.702 0", NULL},
    {"SkipLayerNormalization",
     "Add 0 1;?4 Add a 4;>3 Identity b;LayerNormalization=epsilon:1.e-12 b 2 3", NULL},
};

/* The activations of FusedConv and FusedGemm: an ONNX operator and its parameters. */
static const struct fused_activation {
    const char *op, *params[2];
} activations[] = {
    {"Celu", {"alpha"}},
    {"Clip", {"min", "max"}},
    {"Elu", {"alpha"}},
    {"HardSigmoid", {"alpha", "beta"}},
    {"HardSwish", {NULL}},
    {"LeakyRelu", {"alpha"}},
    {"Relu", {NULL}},
    {"Selu", {"alpha", "gamma"}},
    {"Sigmoid", {NULL}},
    {"Softplus", {NULL}},
    {"Softsign", {NULL}},
    {"Tanh", {NULL}},
    {"ThresholdedRelu", {"alpha"}},
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

size_t pl_onnx_contrib_most(struct pl_span domain, size_t n_in)
{
    return pl_onnx_contrib_domain(domain) ? MAX_RESULTS + n_in : 0;
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

/* Returns result i of the node, or PL_IR_NONE where nobody asks for it. */
static uint32_t result(const struct apart *a, uint32_t i)
{
    return i < a->n->n_out ? a->n->out[i] : PL_IR_NONE;
}

/* Adds a node with room for attributes and inputs, which the caller fills in. It writes new values,
 * or the first result of the node where it is the last one. */
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

/* Adds a constant of floats of that shape, for the caller to fill. */
static platen_status add_floats(struct apart *a, int rank, const int64_t *dims, uint32_t *ret,
                                float **ret_data)
{
    struct pl_tensor t = {.rank = 0};
    if (!pl_tensor_shape(&t, PL_F32, rank, dims))
        return refuse(a, "its weights are too large", "");
    t.data = *ret_data =
        pl_arena_alloc(&a->o->g->arena, PL_MAX(pl_tensor_count(&t), 1), sizeof(**ret_data));
    if (!t.data)
        return pl_fail_nomem(a->err, pl_tensor_bytes(&t), "weights");
    platen_status s = add_value(a, ret);
    if (!s)
        a->o->g->values[*ret].t = t;
    return s;
}

static void add_attr(struct pl_ir_node *n, struct pl_attr attr)
{
    ((struct pl_attr *)n->attrs)[n->n_attrs++] = attr;
}

/* Tells whether an attribute that is not copied is as the step takes it for granted: 0, and `opset`
 * on the same side of 13, where Softmax changed, as that of the graph. */
static bool is_granted(const struct apart *a, const struct pl_attr *attr)
{
    const bool opset = !strcmp(attr->name, "opset");
    return attr->kind == PL_ATTR_INT &&
           (opset ? (attr->v.i < 13) == (a->o->g->opset < 13) : !attr->v.i);
}

/* Gives n the attributes of the node that is taken apart. */
static platen_status copy_attrs(const struct apart *a, struct pl_ir_node *n, const char *told)
{
    for (uint32_t i = 0; i < a->n->n_attrs; i++) {
        if (!told || strcmp(a->n->attrs[i].name, told))
            add_attr(n, a->n->attrs[i]);
        else if (!is_granted(a, &a->n->attrs[i]))
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
    } else if (strchr(value, '.')) {
        attr.kind = PL_ATTR_FLOAT;
        attr.v.f = pl_ir_float(a->n, name, strtof(value, NULL));
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
    const bool maybe = *text == '?', further = *text == '>';
    const bool copies = maybe && input(a, (uint32_t)(text[1] - '0')) == PL_IR_NONE;
    const uint32_t also = further ? result(a, (uint32_t)(text[1] - '0')) : PL_IR_NONE;
    const char *end = text + size, *op = text + (maybe || further ? 3 : 0);
    const char *in = memchr(op, ' ', (size_t)(end - op));
    const size_t name = strcspn(op, " *=");
    char found[32];
    struct pl_ir_node *n;
    if (further ? also == PL_IR_NONE : copies && operand(a, in[1]) == PL_IR_NONE) {
        a->results[a->n_results++] = PL_IR_NONE;
        return PLATEN_OK;
    }
    snprintf(found, sizeof(found), "%.*s", (int)name, op);
    const uint32_t n_in = copies ? 1 : (uint32_t)(end - in) / 2;
    platen_status s = add_step(a, copies ? "Identity" : found, n_in, last, &n);
    if (s)
        return s;
    if (further)
        n->out[0] = also;
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

/* Adds the activation of a fused node, whose parameters stand in a list (FusedConv) or in
 * attributes of their own (FusedGemm). */
static platen_status add_activation(struct apart *a, const char *name, uint32_t x)
{
    const struct pl_attr *list = pl_ir_attr(a->n, "activation_params");
    struct pl_ir_node *n;
    size_t k = 0;
    while (k < PL_ARRAY_LEN(activations) && strcmp(activations[k].op, name))
        k++;
    if (k == PL_ARRAY_LEN(activations))
        return refuse(a, "the activation is not known: ", name);
    platen_status s = add_step(a, name, 1, true, &n);
    if (s)
        return s;
    n->in[0] = x;
    for (uint32_t i = 0; i < 2 && activations[k].params[i]; i++) {
        struct pl_attr attr = {.name = activations[k].params[i], .kind = PL_ATTR_FLOAT};
        char own[32];
        snprintf(own, sizeof(own), "activation_%s", attr.name);
        const bool listed = list && list->kind == PL_ATTR_FLOATS && i < list->n;
        if (listed)
            attr.v.f = list->v.floats[i];
        else if (pl_ir_attr(a->n, own))
            attr.v.f = pl_ir_float(a->n, own, 0);
        else
            continue;
        add_attr(n, attr);
    }
    return PLATEN_OK;
}

/* FusedConv: the inputs of Conv, and what is added to its result. FusedGemm: those of Gemm. An
 * activation comes last. */
static platen_status take_fused(struct apart *a, const char *op)
{
    const char *activation = pl_ir_string(a->n, "activation", "");
    const bool active = *activation, sums = input(a, 3) != PL_IR_NONE;
    struct pl_ir_node *n, *sum;
    platen_status s = add_step(a, op, 3, !active && !sums, &n);
    if (s)
        return s;
    for (uint32_t i = 0; i < 3; i++)
        n->in[i] = input(a, i);
    for (uint32_t i = 0; i < a->n->n_attrs; i++)
        if (strncmp(a->n->attrs[i].name, "activation", 10))
            add_attr(n, a->n->attrs[i]);
    uint32_t x = n->out[0];
    if (sums) {
        s = add_step(a, "Add", 2, !active, &sum);
        if (s)
            return s;
        sum->in[0] = x;
        sum->in[1] = input(a, 3);
        x = sum->out[0];
    }
    return active ? add_activation(a, activation, x) : PLATEN_OK;
}

static platen_status take_conv(struct apart *a)
{
    return take_fused(a, "Conv");
}

static platen_status take_gemm(struct apart *a)
{
    return take_fused(a, "Gemm");
}

/* FusedMatMul: the two axes of the matrices of either side may be turned, or lie around the other
 * axes instead of behind them, as Einsum says for any rank; and the product has a factor. */
static platen_status take_matmul(struct apart *a)
{
    static const char *const forms[2][4] = {{"...ik", "...ki", "i...k", "k...i"},
                                            {"...kj", "...jk", "k...j", "j...k"}};
    const float alpha = pl_ir_float(a->n, "alpha", 1);
    const int left =
        (pl_ir_int(a->n, "transA", 0) != 0) + 2 * (pl_ir_int(a->n, "transBatchA", 0) != 0);
    const int right =
        (pl_ir_int(a->n, "transB", 0) != 0) + 2 * (pl_ir_int(a->n, "transBatchB", 0) != 0);
    struct pl_ir_node *n, *product;
    uint32_t factor;
    float *value;
    char equation[32];
    snprintf(equation, sizeof(equation), "%s,%s->...ij", forms[0][left], forms[1][right]);
    const char *kept = pl_arena_strndup(&a->o->g->arena, equation, strlen(equation));
    platen_status s = kept ? PLATEN_OK : pl_fail_nomem(a->err, sizeof(equation), "an equation");
    s = s ? s : add_step(a, left || right ? "Einsum" : "MatMul", 2, alpha == 1, &n);
    if (s)
        return s;
    n->in[0] = input(a, 0);
    n->in[1] = input(a, 1);
    if (left || right)
        add_attr(n, (struct pl_attr){.name = "equation", .kind = PL_ATTR_STRING, .v.s = kept});
    if (alpha == 1)
        return PLATEN_OK;
    s = add_floats(a, 0, NULL, &factor, &value);
    s = s ? s : add_step(a, "Mul", 2, true, &product);
    if (s)
        return s;
    *value = alpha;
    product->in[0] = n->out[0];
    product->in[1] = factor;
    return PLATEN_OK;
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

/* Returns the constant that is input i of the node, or NULL. */
static const struct pl_tensor *constant(const struct apart *a, uint32_t i)
{
    const uint32_t v = input(a, i);
    return v != PL_IR_NONE && a->o->g->values[v].t.data ? &a->o->g->values[v].t : NULL;
}

/* Adds the constant of floats that bytes [directions, in, rows] stand for, as [directions, rows,
 * in]; scales and zero points are one for each direction, or for each of its rows. */
static platen_status add_weights(struct apart *a, uint32_t w, uint32_t scale, uint32_t *ret)
{
    const struct pl_tensor *t[] = {constant(a, w), constant(a, scale), constant(a, scale + 1)};
    if (!t[0] || !t[1] || !t[2])
        return refuse(a, "its weights, scales and zero points are no constants", "");
    const bool weights = t[0]->rank == 3 && pl_dtype_bytes(t[0]->type) == 1 && t[1]->type == PL_F32;
    const size_t dirs = weights ? (size_t)t[0]->dims[0] : 0,
                 in = weights ? (size_t)t[0]->dims[1] : 0;
    const size_t rows = weights ? (size_t)t[0]->dims[2] : 0, scales = pl_tensor_count(t[1]);
    if (!weights || (scales != dirs && scales != dirs * rows) || pl_tensor_count(t[2]) != scales)
        return refuse(a, "its scales or zero points do not fit its weights", "");
    float *y;
    platen_status s =
        add_floats(a, 3, (int64_t[]){(int64_t)dirs, (int64_t)rows, (int64_t)in}, ret, &y);
    for (size_t i = 0; i < dirs * rows * in && !s; i++) {
        const size_t row = i / in, of = scales == dirs ? row / rows : row;
        const size_t from = (row / rows * in + i % in) * rows + row % rows;
        y[i] = (float)(pl_tensor_i64(t[0], from) - pl_tensor_i64(t[2], of)) *
               ((const float *)t[1]->data)[of];
    }
    return s;
}

/* Weights of a few bits each, in blocks along the input: [outputs][blocks][bytes of a block], the
 * first number in the low bits. */
struct few_bits {
    size_t bits, in, out, block, blocks;
    const struct pl_tensor *w, *scales, *zeros; /* zeros may be NULL */
};

/* Returns number i of those whose bits begin at `row`. */
static unsigned bits_at(const struct few_bits *b, const uint8_t *row, size_t i)
{
    const size_t at = i * b->bits;
    return (unsigned)row[at / 8] >> at % 8 & ((1u << b->bits) - 1);
}

static float weight_at(const struct few_bits *b, size_t out, size_t in)
{
    const size_t block = out * b->blocks + in / b->block;
    const uint8_t *w = (const uint8_t *)b->w->data + block * (b->block * b->bits / 8);
    const size_t zero_row = out * ((b->blocks * b->bits + 7) / 8);
    double zero = (double)(1u << (b->bits - 1));
    if (b->zeros && b->zeros->type != PL_U8)
        zero = pl_tensor_f64(b->zeros, block);
    else if (b->zeros)
        zero = bits_at(b, (const uint8_t *)b->zeros->data + zero_row, in / b->block);
    return (float)((bits_at(b, w, in % b->block) - zero) * pl_tensor_f64(b->scales, block));
}

static platen_status read_few_bits(const struct apart *a, struct few_bits *b)
{
    const int64_t in = pl_ir_int(a->n, "K", 0), out = pl_ir_int(a->n, "N", 0);
    const int64_t bits = pl_ir_int(a->n, "bits", 4), block = pl_ir_int(a->n, "block_size", 0);
    *b = (struct few_bits){.w = constant(a, 1), .scales = constant(a, 2), .zeros = constant(a, 3)};
    if (!b->w || !b->scales || (!b->zeros && input(a, 3) != PL_IR_NONE))
        return refuse(a, "its weights, scales and zero points are no constants", "");
    if (input(a, 4) != PL_IR_NONE)
        return refuse(a, "its blocks are in an order of their own", "");
    if ((bits != 2 && bits != 4 && bits != 8) || block < 8 || block > 65536 || block % 8 ||
        in < 1 || in > INT32_MAX || out < 1 || out > INT32_MAX)
        return refuse(a, "its weights have sizes that are not known", "");
    b->bits = (size_t)bits;
    b->block = (size_t)block;
    b->in = (size_t)in;
    b->out = (size_t)out;
    b->blocks = (b->in + b->block - 1) / b->block;
    const size_t count = b->out * b->blocks; /* below 2^60 */
    const size_t zeros = b->zeros ? pl_tensor_count(b->zeros) : 0;
    const bool packed = b->zeros && b->zeros->type == PL_U8;
    if (b->w->type != PL_U8 || count > pl_tensor_count(b->w) ||
        pl_tensor_count(b->w) != count * (b->block * b->bits / 8) ||
        !pl_dtype_is_float(b->scales->type) || pl_tensor_count(b->scales) != count ||
        (b->zeros && (packed ? zeros != b->out * ((b->blocks * b->bits + 7) / 8)
                             : zeros != count || !pl_dtype_is_float(b->zeros->type))))
        return refuse(a, "its scales or zero points do not fit its weights", "");
    return PLATEN_OK;
}

/* MatMulNBits: the product by weights of 2, 4 or 8 bits, which become floats; input 5 is added. */
static platen_status take_few_bits(struct apart *a)
{
    struct few_bits b;
    struct pl_ir_node *n, *sum;
    uint32_t w;
    float *y;
    const bool biased = input(a, 5) != PL_IR_NONE;
    platen_status s = read_few_bits(a, &b);
    s = s ? s : add_floats(a, 2, (int64_t[]){(int64_t)b.in, (int64_t)b.out}, &w, &y);
    s = s ? s : add_step(a, "MatMul", 2, !biased, &n);
    if (s)
        return s;
    for (size_t i = 0; i < b.in * b.out; i++)
        y[i] = weight_at(&b, i % b.out, i / b.out);
    n->in[0] = input(a, 0);
    n->in[1] = w;
    if (!biased)
        return PLATEN_OK;
    s = add_step(a, "Add", 2, true, &sum);
    if (s)
        return s;
    sum->in[0] = n->out[0];
    sum->in[1] = input(a, 5);
    return PLATEN_OK;
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

/* Tells whether a step of the recipe writes result i. */
static bool writes(const struct recipe *r, uint32_t i)
{
    return strstr(r->steps, (char[]){'>', (char)('0' + i % 10), 0}) && i < 10;
}

/* Refuses a node without its first result, or with one that is not made. */
static platen_status check_results(const struct apart *a, const struct recipe *r)
{
    const bool lstm = !strcmp(a->op, "DynamicQuantizeLSTM");
    if (!a->n->n_out)
        return refuse(a, "it has no result", "");
    if (result(a, 0) == PL_IR_NONE)
        return refuse(a, "its first result is left out", "");
    for (uint32_t i = 1; i < a->n->n_out && !lstm; i++)
        if (result(a, i) != PL_IR_NONE && !(r && writes(r, i)))
            return refuse(a, "it has results that are not made", "");
    return PLATEN_OK;
}

platen_status pl_onnx_add_contrib(struct pl_onnx *o, const struct pl_ir_node *n, const char *op,
                                  struct platen_error *err)
{
    static const struct {
        const char *op;
        platen_status (*take)(struct apart *);
    } others[] = {{"DynamicQuantizeLSTM", take_lstm}, {"FusedConv", take_conv},
                  {"FusedGemm", take_gemm},           {"FusedMatMul", take_matmul},
                  {"MatMulNBits", take_few_bits},     {"QLinearConcat", take_concat}};
    struct apart a = {.o = o, .n = n, .op = op, .err = err};
    const struct recipe *r = NULL;
    for (size_t i = 0; i < PL_ARRAY_LEN(recipes); i++)
        r = strcmp(op, recipes[i].op) ? r : &recipes[i];
    platen_status s = check_results(&a, r);
    if (!s && !strcmp(op, "QGemm") && pl_ir_float(n, "alpha", 1) != 1)
        s = refuse(&a, "its alpha is not 1", "");
    if (s || r)
        return s ? s : take_recipe(&a, r);
    for (size_t i = 0; i < PL_ARRAY_LEN(others); i++)
        if (!strcmp(op, others[i].op))
            return others[i].take(&a);
    return refuse(&a, "unknown operator", "");
}
