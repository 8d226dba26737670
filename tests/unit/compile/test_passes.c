/* SPDX-License-Identifier: BSD-2-Clause */
/* Passes over graphs small enough to see what must become of them: the operators that are left, and
 * the same results as before. Whole networks, where they are at hand: tests/accuracy/networks.py.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/onnx_bytes.h"
#include "base/mem.h"
#include "onnx/onnx.h"
#include "compile/pass.h"
#include "nn/prepared.h"
#include "nn/session.h"
#include "tests/best_kernels.h"
#include "tests/unit/suite.h"

#define D(...) ((const int64_t[]){__VA_ARGS__})

/* A graph with the input x and the output y. */
struct graph {
    struct msg g, model;
    int opset;
};

static void begin(struct graph *b)
{
    memset(b, 0, sizeof(*b));
    b->opset = 14;
}

static void node(struct graph *b, const char *op, const char *in, const char *out)
{
    struct msg n = onnx_node("", op, in, out);
    put_msg(&b->g, 1, &n);
}

static void node_ints(struct graph *b, const char *op, const char *in, const char *out,
                      const char *attr, int count, const int64_t *v)
{
    struct msg n = onnx_node("", op, in, out), a = onnx_attr_ints(attr, count, v);
    put_msg(&n, 5, &a);
    put_msg(&b->g, 1, &n);
}

/* A constant of floats that look random, or that are all the same. */
static void constant(struct graph *b, const char *name, int rank, const int64_t *dims, float same)
{
    float v[512];
    size_t n = 1;
    for (int i = 0; i < rank; i++)
        n *= (size_t)dims[i];
    ck_assert_uint_le(n, PL_ARRAY_LEN(v));
    for (size_t i = 0; i < n; i++)
        v[i] = same != 0 ? same : 0.05f + (float)((i * 37 + strlen(name) * 11) % 23) / 23;
    struct msg t = onnx_tensor(name, PL_F32, rank, dims, v, n * sizeof(*v));
    put_msg(&b->g, 5, &t);
}

static void ints(struct graph *b, const char *name, int n, const int64_t *v)
{
    struct msg t = onnx_tensor(name, PL_I64, 1, D(n), v, (size_t)n * sizeof(*v));
    put_msg(&b->g, 5, &t);
}

static void open_graph(struct graph *b, struct pl_ir *g)
{
    struct platen_error err = {0};
    pl_ir_init(g);
    ck_assert(!pl_prepared_new(&g->prepared, NULL));
    ck_assert_msg(pl_onnx_read(b->model.b, b->model.n, NULL, g, &err) == PLATEN_OK, "%s", err.text);
}

#define MOST 8000 /* numbers of an input or output */

static void run(const struct pl_ir *g, int rank, const int64_t *dims, float *y, size_t *n)
{
    static float data[MOST];
    struct pl_session *s = NULL;
    struct platen_error err = {0};
    struct pl_tensor x = {.data = data};
    ck_assert(pl_tensor_shape(&x, PL_F32, rank, dims));
    for (size_t i = 0; i < pl_tensor_count(&x); i++)
        data[i] = (float)(i * 31 % 67) / 8 - 4;
    ck_assert_int_eq(pl_session_new(g, best_kernels(), 1 << 20, &s, NULL), PLATEN_OK);
    ck_assert_msg(pl_session_run(s, &x, &err) == PLATEN_OK, "%s", err.text);
    const struct pl_tensor *t = pl_session_output(s, 0);
    *n = pl_tensor_count(t);
    ck_assert_uint_le(*n, MOST);
    memcpy(y, t->data, *n * sizeof(*y));
    memset(t->data, 0, *n * sizeof(*y));
    ck_assert_int_eq(pl_session_run(s, &x, &err), PLATEN_OK); /* with what the first run has kept */
    ck_assert(!memcmp(y, pl_session_output(s, 0)->data, *n * sizeof(*y)));
    pl_session_free(s);
}

static void operators(const struct pl_ir *g, char *text, size_t size)
{
    size_t at = 0;
    for (size_t i = 0; i < g->n_nodes; i++)
        at += (size_t)snprintf(text + at, size - at, "%s%s", i ? " " : "", g->nodes[i].op->name);
    text[at] = 0;
}

/* The pass (and those before it, when named) leaves these operators and the results. */
static void expect(struct graph *b, const char *passes, const char *ops, int rank,
                   const int64_t *dims)
{
    static float want[MOST], got[MOST];
    char text[512];
    size_t n, m;
    uint32_t set;
    struct pl_ir plain, g;
    struct platen_error err = {0};
    struct msg x = onnx_info("x", PL_F32), y = onnx_info("y", PL_F32);
    put_msg(&b->g, 11, &x);
    put_msg(&b->g, 12, &y);
    b->model = onnx_model(&b->g, b->opset);
    open_graph(b, &plain);
    open_graph(b, &g);
    ck_assert_int_eq(pl_passes_parse(passes, &set, NULL), PLATEN_OK);
    ck_assert_msg(pl_optimize(&g, set, NULL, &err) == PLATEN_OK, "%s", err.text);
    operators(&g, text, sizeof(text));
    ck_assert_str_eq(text, ops);
    run(&plain, rank, dims, want, &n);
    run(&g, rank, dims, got, &m);
    ck_assert_uint_eq(n, m);
    float most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmaxf(most, fabsf(want[i]));
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(fabsf(got[i] - want[i]) <= 1e-5f * fmaxf(fabsf(want[i]), most / 10),
                      "%s: element %zu is %g, not %g", passes, i, (double)got[i], (double)want[i]);
    pl_ir_done(&plain);
    pl_ir_done(&g);
}

START_TEST(fold)
{
    struct graph b;
    begin(&b);
    constant(&b, "c", 1, D(3), 0);
    node(&b, "Exp", "c", "e");
    node(&b, "Add", "e c", "f");
    node(&b, "Mul", "x f", "y");
    expect(&b, "fold", "Mul", 2, D(2, 3));
}
END_TEST

START_TEST(identity)
{
    struct graph b;
    begin(&b); /* the name of the output stays */
    node(&b, "Identity", "x", "a");
    node(&b, "Dropout", "a", "b");
    node(&b, "Exp", "b", "c");
    node_ints(&b, "Transpose", "c", "d", "perm", 2, D(0, 1));
    node(&b, "Identity", "d", "y");
    expect(&b, "identity", "Exp", 2, D(2, 3));
    begin(&b); /* an input that is an output cannot go */
    node(&b, "Identity", "x", "y");
    expect(&b, "all", "Identity", 1, D(3));
}
END_TEST

START_TEST(cse)
{
    struct graph b;
    begin(&b);
    constant(&b, "c", 1, D(3), 2);
    constant(&b, "d", 1, D(3), 2);
    node(&b, "Mul", "x c", "p");
    node(&b, "Mul", "x d", "q");
    node(&b, "Sub", "x c", "r"); /* another operator */
    node(&b, "Sum", "p q r", "y");
    expect(&b, "cse", "Mul Sub Sum", 2, D(2, 3));
}
END_TEST

START_TEST(transpose)
{
    struct graph b;
    begin(&b);
    node_ints(&b, "Transpose", "x", "a", "perm", 3, D(2, 0, 1));
    node(&b, "Relu", "a", "b");
    node_ints(&b, "Transpose", "b", "c", "perm", 3, D(1, 2, 0));
    node(&b, "Exp", "c", "y");
    expect(&b, "transpose,dead", "Relu Exp", 3, D(2, 3, 4));
    begin(&b);
    node_ints(&b, "Transpose", "x", "a", "perm", 3, D(2, 0, 1));
    node_ints(&b, "Transpose", "a", "y", "perm", 3, D(2, 0, 1));
    expect(&b, "transpose,dead", "Transpose", 3, D(2, 3, 4));
}
END_TEST

START_TEST(activation)
{
    struct graph b;
    begin(&b);
    constant(&b, "root", 1, D(1), 1.41421354f);
    constant(&b, "one", 1, D(1), 1);
    constant(&b, "half", 1, D(1), 0.5f);
    node(&b, "Div", "x root", "a");
    node(&b, "Erf", "a", "b");
    node(&b, "Add", "b one", "c");
    node(&b, "Mul", "x c", "d");
    node(&b, "Mul", "d half", "y");
    expect(&b, "activation,dead", "Gelu", 2, D(5, 7));
    begin(&b);
    constant(&b, "three", 1, D(1), 3);
    constant(&b, "six", 0, NULL, 6);
    struct msg z = onnx_tensor("none", PL_F32, 0, NULL, (const float[]){0}, 4);
    put_msg(&b.g, 5, &z);
    node(&b, "Add", "x three", "a");
    node(&b, "Clip", "a none six", "b");
    node(&b, "Mul", "x b", "c");
    node(&b, "Div", "c six", "y");
    expect(&b, "activation,dead", "HardSwish", 2, D(5, 7));
    begin(&b);
    node(&b, "Sigmoid", "x", "a");
    node(&b, "Mul", "a x", "y");
    expect(&b, "activation,dead", "Swish", 2, D(5, 7));
    begin(&b); /* another number is no GELU */
    constant(&b, "root", 1, D(1), 1.5f);
    constant(&b, "one", 1, D(1), 1);
    constant(&b, "half", 1, D(1), 0.5f);
    node(&b, "Div", "x root", "a");
    node(&b, "Erf", "a", "b");
    node(&b, "Add", "b one", "c");
    node(&b, "Mul", "x c", "d");
    node(&b, "Mul", "d half", "y");
    expect(&b, "activation,dead", "Div Erf Add Mul Mul", 2, D(5, 7));
}
END_TEST

/* f = s times a size of x, as a list of so many numbers that are the same. */
static void sizes_as_factor(struct graph *b, int n)
{
    struct msg cast = onnx_node("", "Cast", "size", "factor"), to = onnx_attr_int("to", PL_F32);
    ints(b, "at", n, D(1, 1));
    node(b, "Shape", "x", "shape");
    node(b, "Gather", "shape at", "size");
    put_msg(&cast, 5, &to);
    put_msg(&b->g, 1, &cast);
    node(b, "Mul", "s factor", "f");
}

/* Scores of x times `columns` columns of it, softmax over the axis, times x. */
static void attention_of(struct graph *b, int64_t axis, const char *between, const char *scores)
{
    begin(b);
    constant(b, "w", 2, D(4, 4), 0);
    constant(b, "c", 0, NULL, 7);
    constant(b, "m", 2,
             strchr(between, 'w')   ? D(1, 290)
             : strchr(between, 'o') ? D(5, 5)
                                    : D(1, 5),
             0);
    node(b, "MatMul", "x w", "q");
    node_ints(b, "Transpose", "x", "k", "perm", 3, D(0, 2, 1));
    if (strchr(between, 'q'))
        node(b, "Mul", "c q", "u");
    node(b, "MatMul", strchr(between, 'q') ? "u k" : "q k", "s");
    if (strchr(between, 'f'))
        sizes_as_factor(b, strchr(between, '2') ? 2 : 1);
    if (strchr(between, 'r'))
        node(b, "Mul", "s m", "r");
    if (strchr(between, 'd'))
        node(b, "Div", "s c", "d");
    if (strchr(between, 't'))
        node(b, "Mul", "c s", "t");
    if (strchr(between, 'e'))
        node(b, "Add", strchr(between, 'd') ? "m d" : "s m", "e");
    struct msg n = onnx_node("", "Softmax", scores, "p"), a = onnx_attr_int("axis", axis);
    put_msg(&n, 5, &a);
    put_msg(&b->g, 1, &n);
    node(b, "MatMul", "p x", "y");
}

/* A table of bytes with a scale and a zero for each row; fold leaves it alone. */
static void byte_table(struct graph *b)
{
    uint8_t q[45], zero[9];
    float scale[9];
    for (size_t i = 0; i < 45; i++)
        q[i] = (uint8_t)(i * 77);
    for (size_t i = 0; i < 9; i++) {
        zero[i] = (uint8_t)(100 + i);
        scale[i] = 0.01f * (float)(i + 1);
    }
    struct msg t = onnx_tensor("q", PL_U8, 2, D(9, 5), q, sizeof(q));
    put_msg(&b->g, 5, &t);
    t = onnx_tensor("scale", PL_F32, 1, D(9), scale, sizeof(scale));
    put_msg(&b->g, 5, &t);
    t = onnx_tensor("zero", PL_U8, 1, D(9), zero, sizeof(zero));
    put_msg(&b->g, 5, &t);
    struct msg n = onnx_node("", "DequantizeLinear", "q scale zero", "t");
    struct msg axis = onnx_attr_int("axis", 0);
    put_msg(&n, 5, &axis);
    put_msg(&b->g, 1, &n);
}

/* Indices from x, which is of floats. With bytes the axes are inputs, else attributes. */
static void bags(struct graph *b, int64_t axis, bool weighted, bool bytes, int keepdims)
{
    begin(b);
    if (bytes)
        byte_table(b);
    else
        constant(b, "t", 2, D(9, 5), 0);
    ints(b, "last", 1, D(-1));
    ints(b, "over", 1, &axis);
    node(b, "Abs", "x", "a");
    struct msg n = onnx_node("", "Cast", "a", "i"), to = onnx_attr_int("to", PL_I64);
    put_msg(&n, 5, &to);
    put_msg(&b->g, 1, &n);
    node(b, "Gather", "t i", "rows");
    if (weighted && bytes)
        node(b, "Unsqueeze", "x last", "w");
    else if (weighted)
        node_ints(b, "Unsqueeze", "x", "w", "axes", 1, D(-1));
    if (weighted)
        node(b, "Mul", "w rows", "m");
    const char *in = weighted ? bytes ? "m over" : "m" : bytes ? "rows over" : "rows";
    struct msg sum = onnx_node("", "ReduceSum", in, "y");
    struct msg axes = onnx_attr_ints("axes", 1, &axis), keep = onnx_attr_int("keepdims", keepdims);
    if (!bytes)
        put_msg(&sum, 5, &axes);
    put_msg(&sum, 5, &keep);
    put_msg(&b->g, 1, &sum);
}

START_TEST(embedding)
{
    struct graph b;
    bags(&b, -2, true, false, 0);
    expect(&b, "embedding,dead", "Abs Cast FusedEmbedding", 2, D(3, 7));
    bags(&b, -3, true, false, 1); /* down the columns */
    expect(&b, "embedding,dead", "Abs Cast FusedEmbedding", 2, D(3, 7));
    bags(&b, -2, true, false, 1);
    expect(&b, "embedding,dead", "Abs Cast FusedEmbedding", 3, D(2, 3, 0)); /* empty bags */
    bags(&b, -2, false, false, 0);
    expect(&b, "embedding,dead", "Abs Cast FusedEmbedding", 2, D(3, 7));
    bags(&b, -2, true, true, 0);
    expect(&b, "fold,embedding,dead", "Abs Cast QEmbedding", 2, D(3, 7));
    bags(&b, -3, false, true, 1);
    expect(&b, "fold,embedding,dead", "Abs Cast QEmbedding", 2, D(3, 7));
    bags(&b, -1, true, false, 0); /* along the rows */
    expect(&b, "embedding", "Abs Cast Gather Unsqueeze Mul ReduceSum", 2, D(3, 7));
    bags(&b, 1, true, false, 0); /* how many axes there are nobody knows */
    expect(&b, "embedding", "Abs Cast Gather Unsqueeze Mul ReduceSum", 2, D(3, 7));
}
END_TEST

START_TEST(attention)
{
    struct graph b;
    attention_of(&b, -1, "de", "e");
    expect(&b, "attention,dead", "MatMul Transpose FusedAttention", 3, D(2, 5, 4));
    attention_of(&b, 2, "e", "e");
    expect(&b, "attention,dead", "MatMul Transpose FusedAttention", 3, D(2, 5, 4));
    attention_of(&b, -1, "t", "t"); /* more than a tile both ways */
    expect(&b, "attention,dead", "MatMul Transpose FusedAttention", 3, D(1, 290, 4));
    attention_of(&b, -1, "we", "e"); /* each of so many keys has a number in the mask */
    expect(&b, "attention,dead", "MatMul Transpose FusedAttention", 3, D(1, 290, 4));
    attention_of(&b, -1, "oe", "e"); /* each query and key has one */
    expect(&b, "attention,dead", "MatMul Transpose FusedAttention", 3, D(2, 5, 4));
    attention_of(&b, -1, "", "s");
    expect(&b, "attention,dead", "MatMul Transpose FusedAttention", 3, D(3, 1, 4));
    attention_of(&b, -1, "qt", "t"); /* both the queries and the scores are multiplied */
    expect(&b, "attention,dead", "MatMul Transpose FusedAttention", 3, D(2, 5, 4));
    attention_of(&b, 1, "", "s"); /* over the queries */
    expect(&b, "attention,dead", "MatMul Transpose MatMul Softmax MatMul", 3, D(2, 5, 4));
    attention_of(&b, -1, "f", "f"); /* by a number that the size of the input gives */
    expect(&b, "attention,dead", "MatMul Transpose Shape Gather Cast FusedAttention", 3,
           D(2, 5, 4));
    attention_of(&b, -1, "f2", "f"); /* by two numbers, on two keys */
    expect(&b, "attention,dead", "MatMul Transpose MatMul Shape Gather Cast Mul Softmax MatMul", 3,
           D(3, 2, 4));
    attention_of(&b, -1, "r", "r"); /* each key has a number of its own */
    expect(&b, "attention,dead", "MatMul Transpose MatMul Mul Softmax MatMul", 3, D(2, 5, 4));
    attention_of(&b, -1, "", "s"); /* the scores are read by others, too */
    node(&b, "MatMul", "s x", "z");
    struct msg z = onnx_info("z", PL_F32);
    put_msg(&b.g, 12, &z);
    expect(&b, "attention,dead", "MatMul Transpose MatMul Softmax MatMul MatMul", 3, D(2, 5, 4));
}
END_TEST

/* The layer normalization of `in` over rows of eight, written out; `axis` is that of both means and
 * `square` writes the squares of d. */
static void layer_norm_of(struct graph *b, const char *in, int64_t axis, const char *square)
{
    char text[16];
    constant(b, "epsilon", 0, NULL, 0.125f);
    constant(b, "two", 0, NULL, 2);
    constant(b, "scale", 1, D(8), 0);
    constant(b, "bias", 1, D(8), 0);
    node_ints(b, "ReduceMean", in, "mean", "axes", 1, &axis);
    snprintf(text, sizeof(text), "%s mean", in);
    node(b, "Sub", text, "d");
    node(b, square, strcmp(square, "Pow") ? "d d" : "d two", "squares");
    node_ints(b, "ReduceMean", "squares", "variance", "axes", 1, &axis);
    node(b, "Add", "variance epsilon", "sum");
    node(b, "Sqrt", "sum", "deviation");
    node(b, "Div", "d deviation", "normal");
    node(b, "Mul", "scale normal", "scaled");
}

START_TEST(layer_norm)
{
    static const char whole[] = "ReduceMean Sub Pow ReduceMean Add Sqrt Div Mul Add";
    struct graph b;
    begin(&b);
    layer_norm_of(&b, "x", -1, "Pow");
    node(&b, "Add", "bias scaled", "y");
    expect(&b, "layernorm,dead", "LayerNormalization", 3, D(2, 5, 8));
    begin(&b); /* the last axis by its number, where the graph tells how many there are */
    node_ints(&b, "Transpose", "x", "t", "perm", 3, D(0, 2, 1));
    layer_norm_of(&b, "t", 2, "Mul");
    node(&b, "Add", "scaled bias", "y");
    expect(&b, "layernorm,dead", "Transpose LayerNormalization", 3, D(2, 8, 5));
    begin(&b); /* without a bias, since others read the product */
    layer_norm_of(&b, "x", -1, "Pow");
    node(&b, "Add", "bias scaled", "a");
    node(&b, "Mul", "a scaled", "y");
    expect(&b, "layernorm,dead", "LayerNormalization Add Mul", 2, D(5, 8));
    begin(&b); /* how many axes there are nobody knows */
    layer_norm_of(&b, "x", 2, "Pow");
    node(&b, "Add", "bias scaled", "y");
    expect(&b, "layernorm,dead", whole, 3, D(2, 5, 8));
    begin(&b); /* over another axis */
    node_ints(&b, "Transpose", "x", "t", "perm", 3, D(0, 2, 1));
    layer_norm_of(&b, "t", 1, "Pow");
    node(&b, "Add", "bias scaled", "y");
    expect(&b, "layernorm,dead", "Transpose ReduceMean Sub Pow ReduceMean Add Sqrt Div Mul Add", 3,
           D(2, 8, 5));
    begin(&b); /* fourth powers of d are no variance */
    layer_norm_of(&b, "x", -1, "Pow");
    constant(&b, "four", 0, NULL, 4);
    node(&b, "Pow", "d four", "fourth");
    node_ints(&b, "ReduceMean", "fourth", "m", "axes", 1, D(-1));
    node(&b, "Add", "m epsilon", "n");
    node(&b, "Sqrt", "n", "o");
    node(&b, "Div", "d o", "p");
    node(&b, "Mul", "scale p", "y");
    expect(&b, "layernorm,dead", "ReduceMean Sub Pow ReduceMean Add Sqrt Div Mul", 2, D(5, 8));
}
END_TEST

START_TEST(pad)
{
    struct graph b;
    begin(&b);
    constant(&b, "w", 4, D(2, 1, 3, 3), 0);
    ints(&b, "p", 8, D(0, 0, 1, 2, 0, 0, 0, 1));
    node(&b, "Pad", "x p", "a");
    node_ints(&b, "Conv", "a w", "y", "pads", 4, D(1, 0, 0, 1));
    expect(&b, "pad", "Conv", 4, D(1, 1, 4, 5));
    begin(&b); /* other values than zeros stay */
    constant(&b, "w", 4, D(2, 1, 3, 3), 0);
    constant(&b, "v", 0, NULL, 3);
    ints(&b, "p", 8, D(0, 0, 1, 2, 0, 0, 0, 1));
    node(&b, "Pad", "x p v", "a");
    node(&b, "Conv", "a w", "y");
    expect(&b, "pad", "Pad Conv", 4, D(1, 1, 4, 5));
}
END_TEST

START_TEST(norm)
{
    struct graph b;
    begin(&b);
    constant(&b, "w", 4, D(4, 2, 3, 3), 0);
    constant(&b, "bias", 1, D(4), 0);
    constant(&b, "scale", 1, D(4), 0);
    constant(&b, "b", 1, D(4), 0);
    constant(&b, "mean", 1, D(4), 0);
    constant(&b, "variance", 1, D(4), 0);
    constant(&b, "shift", 3, D(4, 1, 1), 0);
    node(&b, "Conv", "x w bias", "a");
    node(&b, "BatchNormalization", "a scale b mean variance", "c");
    node(&b, "Mul", "shift c", "d");
    node(&b, "Sub", "d shift", "y");
    expect(&b, "norm", "Conv", 4, D(2, 2, 5, 4));
    begin(&b); /* in groups, turned round */
    constant(&b, "w", 4, D(4, 3, 2, 2), 0);
    constant(&b, "scale", 1, D(6), 0);
    constant(&b, "b", 1, D(6), 0);
    constant(&b, "mean", 1, D(6), 0);
    constant(&b, "variance", 1, D(6), 0);
    struct msg n = onnx_node("", "ConvTranspose", "x w", "a"), a = onnx_attr_int("group", 2);
    put_msg(&n, 5, &a);
    put_msg(&b.g, 1, &n);
    node(&b, "BatchNormalization", "a scale b mean variance", "y");
    expect(&b, "norm", "ConvTranspose", 4, D(1, 4, 3, 2));
    begin(&b); /* along the width: not numbers of channels */
    constant(&b, "w", 4, D(3, 2, 1, 1), 0);
    constant(&b, "c", 1, D(3), 0);
    node(&b, "Conv", "x w", "a");
    node(&b, "Add", "a c", "y");
    expect(&b, "norm", "Conv Add", 4, D(1, 2, 4, 3));
}
END_TEST

START_TEST(matmul)
{
    struct graph b;
    begin(&b);
    constant(&b, "w", 2, D(3, 4), 0);
    constant(&b, "b", 1, D(4), 0);
    node(&b, "MatMul", "x w", "a");
    node(&b, "Add", "b a", "y");
    expect(&b, "matmul", "FusedMatMul", 3, D(2, 5, 3));
    begin(&b);
    constant(&b, "w", 2, D(4, 3), 0);
    constant(&b, "b", 2, D(1, 4), 0);
    struct msg n = onnx_node("", "Gemm", "x w b", "y"), a = onnx_attr_int("transB", 1);
    struct msg beta = {.n = 0};
    put_text(&beta, 1, "beta");
    put_f32(&beta, 2, 0.5f);
    put_int(&beta, 20, 1);
    put_msg(&n, 5, &a);
    put_msg(&n, 5, &beta);
    put_msg(&b.g, 1, &n);
    expect(&b, "matmul", "FusedMatMul", 2, D(5, 3));
}
END_TEST

/* A constant of numbers of both signs, so small that sums of some of them do not saturate. */
static void small_constant(struct graph *b, const char *name, int rank, const int64_t *dims)
{
    static float v[1452];
    size_t n = 1;
    for (int i = 0; i < rank; i++)
        n *= (size_t)dims[i];
    ck_assert_uint_le(n, PL_ARRAY_LEN(v));
    for (size_t i = 0; i < n; i++)
        v[i] = ((float)((i * 37 + strlen(name) * 11) % 23) - 11) / 23;
    struct msg t = onnx_tensor(name, PL_F32, rank, dims, v, n * sizeof(*v));
    put_msg(&b->g, 5, &t);
}

/* A layer of 3 inputs that reads x; its first result is y. */
static void recurrent(struct graph *b, const char *op, const char *direction, const char *in,
                      int64_t after, int64_t hidden)
{
    struct msg n = onnx_node("", op, in, "y"), a = onnx_attr_int("hidden_size", hidden);
    struct msg d = onnx_attr_text("direction", direction);
    struct msg l = onnx_attr_int("linear_before_reset", after);
    put_msg(&n, 5, &a);
    put_msg(&n, 5, &d);
    if (strcmp(op, "LSTM"))
        put_msg(&n, 5, &l);
    put_msg(&b->g, 1, &n);
}

/* Two convolutions of 1 x 1 with so much between them that they run strip by strip; what the first
 * reads, no node reads later. */
START_TEST(pair)
{
    struct graph b;
    begin(&b);
    constant(&b, "u", 4, D(4, 2, 1, 1), 0);
    constant(&b, "first", 4, D(100, 2, 1, 1), 0);
    constant(&b, "second", 4, D(4, 100, 1, 1), 0);
    constant(&b, "bias", 1, D(100), 0);
    node(&b, "Neg", "x", "m");
    node(&b, "Conv", "m u", "z");
    node(&b, "Conv", "m first bias", "p");
    node(&b, "Relu", "p", "q");
    node(&b, "Conv", "q second", "r");
    node(&b, "Add", "r z", "y");
    expect(&b, "all", "Neg FusedConv FusedConv FusedConv", 4, D(2, 2, 20, 50));
}
END_TEST

START_TEST(rnn)
{
    struct graph b;
    begin(&b);
    constant(&b, "w", 3, D(2, 8, 3), 0);
    constant(&b, "r", 3, D(2, 8, 2), 0);
    constant(&b, "b", 2, D(2, 16), 0);
    constant(&b, "h", 3, D(2, 4, 2), 0);
    constant(&b, "cell", 3, D(2, 4, 2), 0);
    recurrent(&b, "LSTM", "bidirectional", "x w r b - h cell", 0, 2);
    expect(&b, "rnn", "FusedMatMul FusedLSTM", 3, D(5, 4, 3));
    for (int biased = 0; biased < 2; biased++) {
        begin(&b);
        constant(&b, "w", 3, D(1, 6, 3), 0);
        constant(&b, "r", 3, D(1, 6, 2), 0);
        constant(&b, "b", 2, D(1, 12), 0);
        recurrent(&b, "GRU", biased ? "reverse" : "forward", biased ? "x w r b" : "x w r", 1, 2);
        expect(&b, "rnn", "FusedMatMul FusedGRU", 3, D(5, 4, 3));
    }
    begin(&b);
    constant(&b, "w", 3, D(2, 6, 3), 0);
    constant(&b, "r", 3, D(2, 6, 2), 0);
    constant(&b, "b", 2, D(2, 12), 0);
    recurrent(&b, "GRU", "bidirectional", "x w r b", 1, 2);
    expect(&b, "rnn", "FusedMatMul FusedGRU", 3, D(5, 9, 3));
    begin(&b); /* the reset comes before the product */
    constant(&b, "w", 3, D(1, 6, 3), 0);
    constant(&b, "r", 3, D(1, 6, 2), 0);
    recurrent(&b, "GRU", "forward", "x w r", 0, 2);
    expect(&b, "rnn", "GRU", 3, D(5, 4, 3));
    begin(&b); /* a matrix of two blocks, with a bias of its own */
    small_constant(&b, "w", 3, D(1, 66, 3));
    small_constant(&b, "r", 3, D(1, 66, 22));
    small_constant(&b, "b", 2, D(1, 132));
    recurrent(&b, "GRU", "forward", "x w r b", 1, 22);
    expect(&b, "rnn", "FusedMatMul FusedGRU", 3, D(5, 4, 3));
}
END_TEST

/* x + x * s, s a sigmoid of a convolution of the means of x. */
static void excitation_of(struct graph *b, const char *s, const char *product, const char *sum)
{
    begin(b);
    constant(b, "w", 4, D(2, 2, 1, 1), 0);
    node(b, "GlobalAveragePool", "x", "m");
    node(b, "Conv", "m w", "c");
    node(b, s, "c", "s");
    node(b, "Mul", product, "p");
    node(b, "Add", sum, "y");
}

START_TEST(excitation)
{
    static const char *const changed = "GlobalAveragePool Conv HardSigmoid Add Mul";
    struct graph b;
    excitation_of(&b, "HardSigmoid", "x s", "x p");
    expect(&b, "excitation", changed, 4, D(2, 2, 3, 4));
    excitation_of(&b, "HardSigmoid", "s x", "p x");
    expect(&b, "excitation", changed, 4, D(2, 2, 3, 4));
    excitation_of(&b, "Sigmoid", "s x", "x p");
    expect(&b, "excitation", "GlobalAveragePool Conv Sigmoid Add Mul", 4, D(2, 2, 3, 4));
    excitation_of(&b, "HardSigmoid", "x s", "s p"); /* another sum */
    expect(&b, "excitation", "GlobalAveragePool Conv HardSigmoid Mul Add", 4, D(2, 2, 3, 4));
    excitation_of(&b, "Relu", "x s", "x p"); /* whatever s is */
    expect(&b, "excitation", "GlobalAveragePool Conv Relu Mul Add", 4, D(2, 2, 3, 4));
}
END_TEST

START_TEST(residual)
{
    struct graph b;
    begin(&b);
    constant(&b, "w", 4, D(2, 2, 1, 1), 0);
    node(&b, "Relu", "x", "z");
    node(&b, "Conv", "x w", "a");
    node(&b, "Add", "z a", "y");
    expect(&b, "residual", "Relu FusedConv", 4, D(2, 2, 3, 4));
    begin(&b); /* shapes that only broadcast, the convolution's being the smaller one */
    constant(&b, "w", 4, D(2, 2, 3, 4), 0);
    node(&b, "Relu", "x", "z");
    node(&b, "Conv", "x w", "a");
    node(&b, "Add", "z a", "y");
    expect(&b, "residual", "Relu FusedConv", 4, D(2, 2, 3, 4));
}
END_TEST

START_TEST(fuse)
{
    static const char *const names[] = {"Relu", "HardSwish",   "Sigmoid",
                                        "Tanh", "HardSigmoid", "LeakyRelu"};
    struct graph b;
    for (size_t i = 0; i < PL_ARRAY_LEN(names); i++) {
        begin(&b);
        constant(&b, "w", 4, D(2, 2, 1, 1), 0);
        node(&b, "Conv", "x w", "a");
        node(&b, names[i], "a", "y");
        expect(&b, "fuse", "FusedConv", 4, D(2, 2, 3, 4));
    }
    begin(&b);
    constant(&b, "w", 2, D(4, 3), 0);
    constant(&b, "lo", 0, NULL, -1);
    constant(&b, "hi", 0, NULL, 2);
    node(&b, "MatMul", "x w", "a");
    node(&b, "Clip", "a lo hi", "y");
    expect(&b, "matmul,fuse", "FusedMatMul", 2, D(5, 4));
    begin(&b); /* numbers behind it, once each, in this order */
    constant(&b, "w", 4, D(2, 2, 1, 1), 0);
    constant(&b, "s", 0, NULL, 3);
    constant(&b, "t", 1, D(1), -0.7f);
    node(&b, "Conv", "x w", "a");
    node(&b, "Relu", "a", "b");
    node(&b, "Mul", "s b", "c");
    node(&b, "Add", "c t", "d");
    node(&b, "Mul", "d s", "y");
    expect(&b, "fuse", "FusedConv Mul", 4, D(2, 2, 3, 4));
    begin(&b); /* a number that adds an axis */
    constant(&b, "w", 4, D(2, 2, 1, 1), 0);
    constant(&b, "t", 5, D(1, 1, 1, 1, 1), 2);
    node(&b, "Conv", "x w", "a");
    node(&b, "Relu", "a", "b");
    node(&b, "Add", "b t", "y");
    expect(&b, "fuse", "FusedConv Add", 4, D(2, 2, 3, 4));
    begin(&b); /* what others read stays */
    constant(&b, "w", 4, D(2, 2, 1, 1), 0);
    node(&b, "Conv", "x w", "a");
    node(&b, "Relu", "a", "b");
    node(&b, "Add", "a b", "y");
    expect(&b, "fuse", "Conv Relu Add", 4, D(2, 2, 3, 4));
}
END_TEST

START_TEST(pack)
{
    struct graph b;
    begin(&b);
    constant(&b, "w", 4, D(5, 2, 3, 3), 0);
    constant(&b, "b", 1, D(5), 0);
    node_ints(&b, "Conv", "x w b", "a", "pads", 4, D(1, 1, 1, 1));
    node(&b, "Relu", "a", "y");
    expect(&b, "fuse,pack", "FusedConv", 4, D(2, 2, 7, 19));
    begin(&b); /* two groups of nine channels, narrow */
    constant(&b, "w", 3, D(18, 2, 3), 0);
    struct msg n = onnx_node("", "Conv", "x w", "y"), a = onnx_attr_int("group", 2);
    put_msg(&n, 5, &a);
    put_msg(&b.g, 1, &n);
    expect(&b, "pack", "FusedConv", 3, D(2, 4, 5));
    begin(&b); /* depthwise kernels read them as they are */
    constant(&b, "w", 4, D(3, 1, 3, 3), 0);
    n = onnx_node("", "Conv", "x w", "y");
    a = onnx_attr_int("group", 3);
    put_msg(&n, 5, &a);
    put_msg(&b.g, 1, &n);
    expect(&b, "pack", "Conv", 4, D(1, 3, 7, 19));
}
END_TEST

START_TEST(dead)
{
    struct graph b;
    begin(&b);
    constant(&b, "c", 1, D(3), 0);
    node(&b, "Mul", "x c", "a");
    node(&b, "Exp", "a", "b");
    node(&b, "Neg", "x", "y");
    expect(&b, "dead", "Neg", 1, D(3));
}
END_TEST

START_TEST(lists)
{
    uint32_t set;
    struct platen_error err;
    ck_assert_int_eq(pl_passes_parse("all", &set, NULL), PLATEN_OK);
    ck_assert_uint_eq(set, PL_PASS_ALL);
    ck_assert_int_eq(pl_passes_parse("none", &set, NULL), PLATEN_OK);
    ck_assert_uint_eq(set, 0);
    ck_assert_int_eq(pl_passes_parse("fold,cse", &set, NULL), PLATEN_OK);
    ck_assert_uint_eq(set, 1u << PL_PASS_fold | 1u << PL_PASS_cse);
    ck_assert_int_eq(pl_passes_parse("-dead", &set, NULL), PLATEN_OK);
    ck_assert_uint_eq(set, PL_PASS_ALL & ~(1u << PL_PASS_dead));
    ck_assert_int_eq(pl_passes_parse("fold,nosuch", &set, &err), PLATEN_ERR_ARG);
    ck_assert_ptr_nonnull(strstr(err.text, "'nosuch'"));
}
END_TEST

START_TEST(short_memory)
{
    struct graph b;
    int n = 0;
    begin(&b);
    constant(&b, "w", 4, D(2, 2, 1, 1), 0);
    constant(&b, "c", 3, D(2, 1, 1), 0);
    node(&b, "Neg", "c", "d");
    node(&b, "Conv", "x w", "a");
    node(&b, "Add", "a d", "e");
    node(&b, "Relu", "e", "y");
    struct msg x = onnx_info("x", PL_F32), y = onnx_info("y", PL_F32);
    put_msg(&b.g, 11, &x);
    put_msg(&b.g, 12, &y);
    b.model = onnx_model(&b.g, b.opset);
    for (bool done = false; !done; n++) {
        struct pl_ir g;
        struct platen_error err;
        open_graph(&b, &g);
        pl_mem_fail_at((uint64_t)n + 1, false);
        platen_status s = pl_optimize(&g, PL_PASS_ALL, NULL, &err);
        pl_mem_fail_at(0, false);
        done = !s;
        ck_assert(done || s == PLATEN_ERR_NOMEM);
        pl_ir_done(&g);
    }
    ck_assert_int_gt(n, 3);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("passes");
    TCase *t = tcase_create("passes");
    tcase_add_test(t, fold);
    tcase_add_test(t, identity);
    tcase_add_test(t, cse);
    tcase_add_test(t, transpose);
    tcase_add_test(t, activation);
    tcase_add_test(t, embedding);
    tcase_add_test(t, attention);
    tcase_add_test(t, layer_norm);
    tcase_add_test(t, pad);
    tcase_add_test(t, norm);
    tcase_add_test(t, matmul);
    tcase_add_test(t, pair);
    tcase_add_test(t, rnn);
    tcase_add_test(t, excitation);
    tcase_add_test(t, residual);
    tcase_add_test(t, fuse);
    tcase_add_test(t, pack);
    tcase_add_test(t, dead);
    tcase_add_test(t, lists);
    tcase_add_test(t, short_memory);
    suite_add_tcase(s, t);
    return run_suite(s);
}
