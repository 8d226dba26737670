/* SPDX-License-Identifier: BSD-2-Clause */
/* The ONNX reader: what opens, in which order, and what is refused by which words. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/onnx_bytes.h"
#include "base/mem.h"
#include "onnx/onnx.h"
#include "nn/operators.h"
#include "nn/session.h"
#include "tests/best_kernels.h"
#include "tests/unit/suite.h"

#define GRAPH_NODE 1
#define GRAPH_CONSTANT 5
#define GRAPH_INPUT 11
#define GRAPH_OUTPUT 12

/* A graph with the float input x and the output y, and the nodes given so far. */
static struct msg graph;

static void start(void)
{
    struct msg x = onnx_info("x", PL_F32), y = onnx_info("y", PL_F32);
    graph.n = 0;
    put_msg(&graph, GRAPH_INPUT, &x);
    put_msg(&graph, GRAPH_OUTPUT, &y);
}

static void node(const char *name, const char *op, const char *in, const char *out)
{
    struct msg n = onnx_node(name, op, in, out);
    put_msg(&graph, GRAPH_NODE, &n);
}

static platen_status read_graph(struct pl_ir *g, struct platen_error *err)
{
    static struct msg m; /* the graph points into it */
    m = onnx_model(&graph, 17);
    pl_ir_init(g);
    return pl_onnx_read(m.b, m.n, NULL, g, err);
}

static void refused(platen_status status, const char *words)
{
    struct platen_error err = {0};
    struct pl_ir g;
    platen_status s = read_graph(&g, &err);
    ck_assert_msg(s == status, "%s: status %d (%s)", words, s, err.text);
    ck_assert_msg(strstr(err.text, words) != NULL, "'%s' not in '%s'", words, err.text);
    pl_ir_done(&g);
}

/* The graph of the first opsets, as read_graph() reads one of opset 17. */
static platen_status read_old_graph(struct pl_ir *g, struct platen_error *err)
{
    static struct msg m;
    m = onnx_model(&graph, 6);
    pl_ir_init(g);
    return pl_onnx_read(m.b, m.n, NULL, g, err);
}

static void refused_as_old(platen_status status, const char *words)
{
    struct platen_error err = {0};
    struct pl_ir g;
    ck_assert_int_eq(read_old_graph(&g, &err), status);
    ck_assert_msg(strstr(err.text, words) != NULL, "'%s' not in '%s'", words, err.text);
    pl_ir_done(&g);
}

/* A node with an attribute, and a second one unless `b` is NULL. */
static void node_with(struct msg n, struct msg a, const struct msg *b)
{
    put_msg(&n, 5, &a);
    if (b)
        put_msg(&n, 5, b);
    put_msg(&graph, GRAPH_NODE, &n);
}

START_TEST(wire)
{
    struct pl_span s = {(const uint8_t *)"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10};
    uint64_t v;
    ck_assert(pl_pb_varint(&s, &v) && v == UINT64_MAX && s.n == 0);
    s = (struct pl_span){(const uint8_t *)"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10};
    ck_assert(!pl_pb_varint(&s, &v)); /* 65 bits */
    s = (struct pl_span){(const uint8_t *)"\x80\x80", 2};
    ck_assert(!pl_pb_varint(&s, &v)); /* cut short */
    struct pl_field f;
    s = (struct pl_span){(const uint8_t *)"\x0a\x03"
                                          "ab",
                         4};
    ck_assert(!pl_pb_next(&s, &f) && pl_pb_malformed(&s)); /* longer than the message */
    s = (struct pl_span){(const uint8_t *)"\x0b", 1};
    ck_assert(!pl_pb_next(&s, &f) && pl_pb_malformed(&s)); /* a group */
    s = (struct pl_span){(const uint8_t *)"\x12\x03\x01\xac\x02\x10\x07", 7};
    ck_assert(pl_pb_next(&s, &f) && f.number == 2);
    ck_assert(pl_pb_number(&f, 0, &v) && v == 1);
    ck_assert(pl_pb_number(&f, 0, &v) && v == 300);
    ck_assert(!pl_pb_number(&f, 0, &v) && f.bytes.p);
    ck_assert(pl_pb_next(&s, &f) && pl_pb_number(&f, 0, &v) && v == 7);
    ck_assert(!pl_pb_number(&f, 0, &v) && f.bytes.p);
    ck_assert(!pl_pb_next(&s, &f) && !pl_pb_malformed(&s));
}
END_TEST

START_TEST(runs)
{
    const float two[] = {2}, in[] = {1, -3, 5};
    struct msg c = onnx_tensor("two", PL_F32, 1, (int64_t[]){1}, two, 4);
    struct pl_tensor x = {.data = (void *)in};
    struct pl_session *s = NULL;
    struct pl_ir g;
    start();
    put_msg(&graph, GRAPH_CONSTANT, &c);
    /* written backwards, with a node that nobody reads: the reader puts them in order */
    node("last", "Relu", "b", "y");
    node("unread", "Neg", "a", "c");
    node("second", "Add", "a two", "b");
    node("first", "Mul", "x two", "a");
    ck_assert_int_eq(read_graph(&g, NULL), PLATEN_OK);
    ck_assert_uint_eq(g.n_nodes, 4);
    ck_assert_str_eq(g.nodes[0].name, "first");
    ck_assert_str_eq(g.nodes[1].name, "second");
    ck_assert_str_eq(g.nodes[2].name, "last");
    ck_assert(pl_tensor_shape(&x, PL_F32, 1, (int64_t[]){3}));
    ck_assert_int_eq(pl_session_new(&g, best_kernels(), 1000, &s, NULL), PLATEN_OK);
    for (int run = 0; run < 2; run++) {
        ck_assert_int_eq(pl_session_run(s, &x, NULL), PLATEN_OK);
        const float *y = pl_session_output(s, 0)->data;
        ck_assert(y[0] == 4 && y[1] == 0 && y[2] == 12);
    }
    pl_session_free(s);
    /* values that are alive together */
    struct platen_error err = {0};
    ck_assert_int_eq(pl_session_new(&g, best_kernels(), 23, &s, NULL), PLATEN_OK);
    ck_assert_int_eq(pl_session_run(s, &x, &err), PLATEN_ERR_LIMIT);
    ck_assert_msg(strstr(err.text, "more than the 23 that values may take") != NULL, "%s",
                  err.text);
    x.type = PL_F64;
    ck_assert_int_eq(pl_session_run(s, &x, &err), PLATEN_ERR_ARG);
    pl_session_free(s);
    pl_ir_done(&g);
}
END_TEST

START_TEST(refuses_graphs)
{
    start();
    node("p", "Relu", "b", "a");
    node("q", "Relu", "a", "b");
    node("r", "Add", "x b", "y");
    refused(PLATEN_ERR_FORMAT, "a circle");
    start();
    node("p", "Add", "x y", "y");
    refused(PLATEN_ERR_FORMAT, "node 'p' (Add): a circle");
    start();
    node("p", "Relu", "x", "y");
    node("q", "Neg", "x", "y");
    refused(PLATEN_ERR_FORMAT, "node 'q' (Neg): 'y' is also written by node 'p'");
    start();
    node("p", "Relu", "nowhere", "y");
    refused(PLATEN_ERR_FORMAT, "node 'p' (Relu): reads 'nowhere', which nothing writes");
    start();
    node("p", "Relu", "y", "x");
    refused(PLATEN_ERR_FORMAT, "writes the graph's input 'x'");
    start();
    node("p", "Relu", "x", "z");
    refused(PLATEN_ERR_FORMAT, "nothing writes the output 'y'");
    start();
    node("p", "Frobnicate", "x", "y");
    refused(PLATEN_ERR_UNSUPPORTED, "node 'p' (Frobnicate): unknown operator");
    start();
    node("", "Relu", "x x", "y"); /* no name: its output's */
    refused(PLATEN_ERR_FORMAT, "node 'y' (Relu): 2 inputs");
    start();
    node("p", "Add", "x -", "y");
    refused(PLATEN_ERR_FORMAT, "input 1 is left out");
    struct msg x = onnx_info("x", PL_F32), text = onnx_info("t", 8);
    start();
    put_msg(&graph, GRAPH_INPUT, &x);
    node("p", "Relu", "x", "y");
    refused(PLATEN_ERR_FORMAT, "two inputs have the name 'x'");
    start();
    put_msg(&graph, GRAPH_INPUT, &text);
    refused(PLATEN_ERR_UNSUPPORTED, "'t' has elements of type 8");
}
END_TEST

START_TEST(refuses_nodes)
{
    struct msg n = onnx_node("p", "Relu", "x", "y"), a = onnx_attr_int("axis", 1);
    put_msg(&n, 5, &a);
    start();
    put_msg(&graph, GRAPH_NODE, &n);
    refused(PLATEN_ERR_UNSUPPORTED, "node 'p' (Relu): unknown attribute 'axis'");
    n = onnx_node("p", "Softmax", "x", "y");
    a = onnx_attr_text("axis", "1");
    put_msg(&n, 5, &a);
    start();
    put_msg(&graph, GRAPH_NODE, &n);
    refused(PLATEN_ERR_FORMAT, "attribute 'axis' is of the wrong kind");
    n = onnx_node("p", "Relu", "x", "y");
    put_text(&n, 7, "com.example");
    start();
    put_msg(&graph, GRAPH_NODE, &n);
    refused(PLATEN_ERR_UNSUPPORTED, "domain 'com.example'");
    n = onnx_node("p", "Identity", "x", "y");
    a = (struct msg){.n = 0};
    put_text(&a, 1, "body");
    put_msg(&a, 6, &graph);
    put_int(&a, 20, 5);
    put_msg(&n, 5, &a);
    start();
    put_msg(&graph, GRAPH_NODE, &n);
    refused(PLATEN_ERR_UNSUPPORTED, "attribute 'body' holds a graph");
}
END_TEST

/* A node of onnxruntime's own domain. */
static struct msg contrib_node(const char *op, const char *in, const char *out)
{
    struct msg n = onnx_node("p", op, in, out);
    put_text(&n, 7, "com.microsoft");
    return n;
}

static void refuse_contrib(const struct msg *n, platen_status status, const char *words)
{
    start();
    put_msg(&graph, GRAPH_NODE, n);
    refused(status, words);
}

START_TEST(refuses_contrib)
{
    struct msg n = contrib_node("Attention", "x", "y"), a = onnx_attr_int("channels_last", 1);
    refuse_contrib(&n, PLATEN_ERR_UNSUPPORTED,
                   "node 'p' (com.microsoft.Attention): unknown operator");
    n = contrib_node("QLinearGlobalAveragePool", "x x x x x", "y");
    put_msg(&n, 5, &a);
    refuse_contrib(&n, PLATEN_ERR_UNSUPPORTED, "it has the attribute channels_last");
    n = contrib_node("QLinearAdd", "x x x", "y");
    refuse_contrib(&n, PLATEN_ERR_FORMAT, "input 0 is left out");
    n = contrib_node("QLinearAdd", "x x x x x x x x", "y z");
    refuse_contrib(&n, PLATEN_ERR_UNSUPPORTED, "it has results that are not made");
    n = contrib_node("QLinearAdd", "x x x x x x x x", "-");
    refuse_contrib(&n, PLATEN_ERR_UNSUPPORTED, "its first result is left out");
    n = contrib_node("QLinearAdd", "x x x x x x x x", "");
    refuse_contrib(&n, PLATEN_ERR_UNSUPPORTED, "it has no result");
    n = contrib_node("QLinearSoftmax", "x x x x x", "y");
    a = onnx_attr_int("opset", 12);
    put_msg(&n, 5, &a);
    refuse_contrib(&n, PLATEN_ERR_UNSUPPORTED, "it has the attribute opset");
    n = contrib_node("QLinearConcat", "x x x x", "y");
    refuse_contrib(&n, PLATEN_ERR_UNSUPPORTED, "parts of three inputs");
    n = contrib_node("QLinearConcat", "x x", "y");
    refuse_contrib(&n, PLATEN_ERR_FORMAT, "(Concat): 0 inputs");
    n = contrib_node("DynamicQuantizeLSTM", "x x x - - - - - x x x x", "y");
    refuse_contrib(&n, PLATEN_ERR_UNSUPPORTED, "are no constants");
    n = contrib_node("QGemm", "x x x x x x", "y");
    a = (struct msg){.n = 0};
    put_text(&a, 1, "alpha");
    put_f32(&a, 2, 2);
    put_int(&a, 20, 1);
    put_msg(&n, 5, &a);
    refuse_contrib(&n, PLATEN_ERR_UNSUPPORTED, "its alpha is not 1");
    n = contrib_node("SkipLayerNormalization", "x x x", "y m");
    refuse_contrib(&n, PLATEN_ERR_UNSUPPORTED, "it has results that are not made");
    n = contrib_node("FusedConv", "x x", "y");
    a = (struct msg){.n = 0};
    put_text(&a, 1, "activation");
    put_text(&a, 4, "Sin");
    put_int(&a, 20, 3);
    put_msg(&n, 5, &a);
    refuse_contrib(&n, PLATEN_ERR_UNSUPPORTED, "the activation is not known: Sin");
    n = contrib_node("MatMulNBits", "x x x", "y");
    refuse_contrib(&n, PLATEN_ERR_UNSUPPORTED, "are no constants");
}
END_TEST

/* Reads a product by constant weights of a few bits, as so many bytes, with one scale. */
static void refuse_few_bits(int64_t k, int64_t n_out, int64_t bits, int64_t block, size_t bytes,
                            const char *in, const char *words)
{
    const int64_t one = 1, w_dims[] = {1, 1, (int64_t)bytes};
    const uint8_t w[64] = {0};
    const float scale = 1;
    const struct msg wt = onnx_tensor("w", PL_U8, 3, w_dims, w, bytes),
                     st = onnx_tensor("s", PL_F32, 1, &one, &scale, sizeof(scale));
    struct msg n = contrib_node("MatMulNBits", in, "y");
    const struct msg attrs[] = {onnx_attr_int("K", k), onnx_attr_int("N", n_out),
                                onnx_attr_int("bits", bits), onnx_attr_int("block_size", block)};
    for (size_t i = 0; i < PL_ARRAY_LEN(attrs); i++)
        put_msg(&n, 5, &attrs[i]);
    start();
    put_msg(&graph, GRAPH_CONSTANT, &wt);
    put_msg(&graph, GRAPH_CONSTANT, &st);
    put_msg(&graph, GRAPH_NODE, &n);
    if (words) {
        refused(PLATEN_ERR_UNSUPPORTED, words);
        return;
    }
    struct pl_ir g;
    ck_assert_int_eq(read_graph(&g, NULL), PLATEN_OK);
    pl_ir_done(&g);
}

START_TEST(refuses_few_bits)
{
    refuse_few_bits(16, 1, 4, 16, 8, "x w s", NULL);
    refuse_few_bits(9, 1, 4, 16, 8, "x w s", NULL); /* the block is not full */
    refuse_few_bits(16, 1, 4, 16, 7, "x w s", "do not fit its weights");
    refuse_few_bits(16, 1, 4, 16, 9, "x w s", "do not fit its weights");
    refuse_few_bits(17, 1, 4, 16, 8, "x w s", "do not fit its weights");
    refuse_few_bits(16, 2, 4, 16, 8, "x w s", "do not fit its weights");
    refuse_few_bits(16, 1, 4, 16, 8, "x w s s", NULL); /* zero points may be floats */
    refuse_few_bits(16, 1, 4, 16, 8, "x w s w", "do not fit its weights");
    refuse_few_bits(16, 1, 4, 16, 8, "x w s - w", "in an order of their own");
    refuse_few_bits(16, 1, 3, 16, 6, "x w s", "sizes that are not known");
    refuse_few_bits(16, 1, 4, 12, 6, "x w s", "sizes that are not known");
    refuse_few_bits(0, 1, 4, 16, 8, "x w s", "sizes that are not known");
    refuse_few_bits(INT64_MAX, INT64_MAX, 4, 16, 8, "x w s", "sizes that are not known");
    refuse_few_bits(INT32_MAX, INT32_MAX, 8, 65536, 8, "x w s", "do not fit its weights");
}
END_TEST

/* A graph of one node as an attribute. */
static struct msg branch(const char *name, const char *op, const char *out)
{
    const struct msg n = onnx_node("n", op, "x", out), y = onnx_info(out, PL_F32);
    struct msg g = {.n = 0}, a = {.n = 0};
    put_msg(&g, GRAPH_NODE, &n);
    put_msg(&g, GRAPH_OUTPUT, &y);
    put_text(&a, 1, name);
    put_msg(&a, 6, &g);
    put_int(&a, 20, 5);
    return a;
}

/* The graph of a branch makes room for what becomes of such nodes. */
START_TEST(branch_of_contrib)
{
    struct msg n = onnx_node("p", "If", "c", "y"), one = {.n = 0}, two = {.n = 0}, a = {.n = 0};
    const uint8_t yes = 1;
    const struct msg c = onnx_tensor("c", PL_BOOL, 0, NULL, &yes, 1), r = onnx_info("r9", PL_F32);
    for (int i = 0; i < 10; i++) {
        char in[16], out[8];
        snprintf(in, sizeof(in), i ? "r%d x x x x" : "x x x x x", i - 1);
        snprintf(out, sizeof(out), "r%d", i);
        const struct msg m = contrib_node("SkipLayerNormalization", in, out);
        put_msg(&one, GRAPH_NODE, &m);
    }
    put_msg(&one, GRAPH_OUTPUT, &r);
    put_text(&a, 1, "then_branch");
    put_msg(&a, 6, &one);
    put_int(&a, 20, 5);
    put_msg(&n, 5, &a);
    two = branch("else_branch", "Neg", "b");
    put_msg(&n, 5, &two);
    start();
    put_msg(&graph, GRAPH_CONSTANT, &c);
    put_msg(&graph, GRAPH_NODE, &n);
    struct pl_ir g;
    struct platen_error err = {0};
    ck_assert_msg(read_graph(&g, &err) == PLATEN_OK, "%s", err.text);
    ck_assert_uint_eq(g.n_nodes, 31);
    pl_ir_done(&g);
}
END_TEST

START_TEST(refuses_branches)
{
    const struct msg one = branch("then_branch", "Relu", "a"),
                     two = branch("else_branch", "Neg", "b");
    const struct msg copy = branch("then_branch", "Identity", "a");
    struct msg n = onnx_node("p", "If", "x", "y");
    put_msg(&n, 5, &one);
    start();
    put_msg(&graph, GRAPH_NODE, &n);
    refused(PLATEN_ERR_FORMAT, "node 'p' (If): not a condition and two graphs");
    put_msg(&n, 5, &two);
    start();
    put_msg(&graph, GRAPH_NODE, &n);
    refused(PLATEN_ERR_UNSUPPORTED, "node 'p' (If): which of its graphs runs");
    n = onnx_node("", "If", "x", "y"); /* neither branch squeezes */
    put_msg(&n, 5, &copy);
    put_msg(&n, 5, &two);
    start();
    put_msg(&graph, GRAPH_NODE, &n);
    refused(PLATEN_ERR_UNSUPPORTED, "node 'y' (If): which of its graphs runs");
    const uint8_t yes = 1;
    const struct msg c = onnx_tensor("c", PL_BOOL, 0, NULL, &yes, 1);
    n = onnx_node("p", "If", "c", "y z"); /* a branch has one result */
    put_msg(&n, 5, &one);
    put_msg(&n, 5, &two);
    start();
    put_msg(&graph, GRAPH_CONSTANT, &c);
    put_msg(&graph, GRAPH_NODE, &n);
    refused(PLATEN_ERR_FORMAT, "node 'p' (If): its graph has other results");
}
END_TEST

/* A node may have a name that is present and empty, before its results or behind them. */
START_TEST(empty_names)
{
    struct pl_ir g;
    struct msg n = {.n = 0};
    put_text(&n, 1, "x");
    put_text(&n, 2, "y");
    put_text(&n, 3, "");
    put_text(&n, 4, "Relu");
    start();
    put_msg(&graph, GRAPH_NODE, &n);
    node("", "Neg", "x", "-"); /* and no result that could name it */
    ck_assert_int_eq(read_graph(&g, NULL), PLATEN_OK);
    ck_assert_str_eq(g.nodes[0].name, "y");
    ck_assert_str_eq(g.nodes[1].name, "Neg");
    pl_ir_done(&g);
}
END_TEST

/* Runs the old graph on x = 1 .. 12 of shape [1, 2, 2, 3] and checks y[0..12). */
static void old_results(const float *want)
{
    struct pl_tensor x = {.data = (float[]){1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}};
    struct pl_session *s = NULL;
    struct platen_error err = {0};
    struct pl_ir g;
    ck_assert_msg(!read_old_graph(&g, &err), "%s", err.text);
    ck_assert(pl_tensor_shape(&x, PL_F32, 4, (int64_t[]){1, 2, 2, 3}));
    ck_assert_int_eq(pl_session_new(&g, best_kernels(), 1000, &s, NULL), PLATEN_OK);
    ck_assert_msg(!pl_session_run(s, &x, &err), "%s", err.text);
    ck_assert(pl_tensor_same_shape(pl_session_output(s, 0), &x));
    for (int i = 0; i < 12; i++)
        ck_assert_float_eq_tol(((const float *)pl_session_output(s, 0)->data)[i], want[i], 1e-4f);
    pl_session_free(s);
    pl_ir_done(&g);
}

/* ValueInfoProto of floats with so many axes of any size. */
static struct msg info_of_rank(const char *name, int rank)
{
    const struct msg any = {.n = 0};
    struct msg shape = {.n = 0}, tensor = {.n = 0}, type = {.n = 0}, info = {.n = 0};
    for (int k = 0; k < rank; k++)
        put_msg(&shape, 1, &any);
    put_int(&tensor, 1, PL_F32);
    put_msg(&tensor, 2, &shape);
    put_msg(&type, 1, &tensor);
    put_text(&info, 1, name);
    put_msg(&info, 2, &type);
    return info;
}

/* What opset 7 took out of the operators: `broadcast` with an axis, slopes of PRelu along the
 * channels, `is_test`, shapes as attributes, types by name. */
START_TEST(first_opsets)
{
    const float v[] = {100, 200, .5f, -1}, one[] = {1, 1};
    struct msg per_channel = onnx_tensor("c", PL_F32, 1, (int64_t[]){2}, v, 8);
    struct msg slopes = onnx_tensor("s", PL_F32, 1, (int64_t[]){2}, v + 2, 8);
    struct msg ones = onnx_tensor("u", PL_F32, 1, (int64_t[]){2}, one, 8);
    struct msg broadcast = onnx_attr_int("broadcast", 1), axis = onnx_attr_int("axis", 1);
    const struct msg test = onnx_attr_int("is_test", 1), y = onnx_info("y", PL_F32);
    const struct msg x = info_of_rank("x", 4);
    graph.n = 0;
    put_msg(&graph, GRAPH_INPUT, &x);
    put_msg(&graph, GRAPH_OUTPUT, &y);
    put_msg(&graph, GRAPH_CONSTANT, &per_channel);
    put_msg(&graph, GRAPH_CONSTANT, &slopes);
    put_msg(&graph, GRAPH_CONSTANT, &ones);
    const struct msg ends = graph;
    node_with(onnx_node("p", "Add", "x c", "y"), broadcast, &axis);
    old_results((float[]){101, 102, 103, 104, 105, 106, 207, 208, 209, 210, 211, 212});
    graph = ends; /* the rank comes through the nodes before */
    node("q", "Neg", "x", "n");
    node("p", "PRelu", "n s", "y");
    old_results((float[]){-.5f, -1, -1.5f, -2, -2.5f, -3, 7, 8, 9, 10, 11, 12});
    graph = ends; /* a mean and a variance of one */
    node_with(onnx_node("p", "BatchNormalization", "x u u u u", "b"), test, NULL);
    node_with(onnx_node("q", "Dropout", "b", "y"), test, NULL);
    const float one_with_epsilon = 1 / sqrtf(1 + 1e-5f);
    float want[12];
    for (int i = 0; i < 12; i++)
        want[i] = (float)i * one_with_epsilon + 1;
    old_results(want);
    graph = ends;
    node_with(onnx_node("p", "Reshape", "x", "r"),
              onnx_attr_ints("shape", 4, (int64_t[]){1, 1, 2, 6}), NULL);
    node_with(onnx_node("q", "Reshape", "r", "t"),
              onnx_attr_ints("shape", 4, (int64_t[]){1, 2, 2, 3}), NULL);
    node_with(onnx_node("o", "Cast", "t", "y"), onnx_attr_text("to", "FLOAT"), NULL);
    old_results((float[]){1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
    graph = ends;
    node_with(onnx_node("p", "BatchNormalization", "x u u u u", "y"), onnx_attr_int("is_test", 0),
              NULL);
    refused_as_old(PLATEN_ERR_UNSUPPORTED, "it trains");
    axis = onnx_attr_int("axis", 4);
    graph = ends;
    node_with(onnx_node("p", "Add", "x c", "y"), broadcast, &axis);
    refused_as_old(PLATEN_ERR_FORMAT, "'axis' is beyond the input");
    start(); /* x of any shape */
    put_msg(&graph, GRAPH_CONSTANT, &per_channel);
    node_with(onnx_node("p", "Add", "x c", "y"), broadcast, &axis);
    refused_as_old(PLATEN_ERR_UNSUPPORTED, "'axis' aligns inputs of unknown rank");
}
END_TEST

static void refuse_tensor(const struct msg *t, platen_status status, const char *words)
{
    start();
    put_msg(&graph, GRAPH_CONSTANT, t);
    node("p", "Relu", "x", "y");
    refused(status, words);
}

START_TEST(refuses_tensors)
{
    const float v[4] = {1, 2, 3, 4};
    const int64_t d[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    struct msg t = onnx_tensor("c", PL_F32, 1, (int64_t[]){3}, v, 16);
    refuse_tensor(&t, PLATEN_ERR_FORMAT, "tensor 'c' has not the data of its shape");
    t = onnx_tensor("c", PL_F32, 9, d, v, 4);
    refuse_tensor(&t, PLATEN_ERR_LIMIT, "more than 8 dimensions");
    t = onnx_tensor("c", PL_F32, 2, (int64_t[]){1ll << 32, 1ll << 32}, v, 0);
    refuse_tensor(&t, PLATEN_ERR_LIMIT, "a shape beyond the limits");
    t = onnx_tensor("c", PL_F32, 1, (int64_t[]){-4}, v, 16);
    refuse_tensor(&t, PLATEN_ERR_LIMIT, "a shape beyond the limits");
    t = onnx_tensor("c", 99, 1, (int64_t[]){4}, v, 16);
    refuse_tensor(&t, PLATEN_ERR_UNSUPPORTED, "elements of type 99");
    t = onnx_tensor("c", PL_F32, 1, (int64_t[]){4}, v, 16);
    put_int(&t, 14, 1);
    refuse_tensor(&t, PLATEN_ERR_UNSUPPORTED, "tensor 'c' has its data in another file");
    t = onnx_tensor("c", PL_F32, 1, (int64_t[]){4}, v, 16);
    put_f32(&t, 4, 1);
    refuse_tensor(&t, PLATEN_ERR_FORMAT, "tensor 'c' has its data twice");
    t = (struct msg){.n = 0};
    put_text(&t, 8, "c");
    put_int(&t, 1, 1 << 30); /* far more than the file could hold: refused before any memory */
    put_int(&t, 2, PL_F32);
    put_f32(&t, 4, 1);
    refuse_tensor(&t, PLATEN_ERR_FORMAT, "tensor 'c' has not the data of its shape");
    t = (struct msg){.n = 0};
    put_text(&t, 8, "c");
    put_int(&t, 1, 1);
    put_int(&t, 2, PL_F32);
    put_int(&t, 5, 1); /* int32_data */
    refuse_tensor(&t, PLATEN_ERR_FORMAT, "keeps float32 in the wrong field");
}
END_TEST

static struct pl_tensor read_tensor(const struct msg *t, struct pl_arena *arena)
{
    struct pl_tensor r;
    const char *name;
    ck_assert_int_eq(pl_onnx_tensor((struct pl_span){t->b, t->n}, NULL, arena, &r, &name, NULL),
                     PLATEN_OK);
    ck_assert_str_eq(name, "c");
    return r;
}

/* The same numbers, kept in each of the ways that the format has. */
START_TEST(tensor_encodings)
{
    struct pl_arena arena;
    struct msg t = {.n = 0}, packed = {.n = 0};
    pl_arena_init(&arena);
    put_text(&t, 8, "c");
    put_int(&t, 1, 2);
    put_int(&t, 2, PL_F16);
    put_int(&t, 5, 0x3c00); /* one by one */
    put_varint(&packed, 0xc000);
    put_msg(&t, 5, &packed); /* and packed */
    struct pl_tensor r = read_tensor(&t, &arena);
    ck_assert(pl_tensor_f64(&r, 0) == 1 && pl_tensor_f64(&r, 1) == -2);

    t = (struct msg){.n = 0};
    put_text(&t, 8, "c");
    put_int(&t, 1, 2);
    put_int(&t, 2, PL_I8);
    put_int(&t, 5, -7);
    put_int(&t, 5, 100);
    r = read_tensor(&t, &arena);
    ck_assert(pl_tensor_i64(&r, 0) == -7 && pl_tensor_i64(&r, 1) == 100);

    t = (struct msg){.n = 0};
    put_text(&t, 8, "c");
    put_int(&t, 2, PL_I64); /* a scalar */
    put_int(&t, 7, INT64_MIN);
    r = read_tensor(&t, &arena);
    ck_assert(r.rank == 0 && pl_tensor_i64(&r, 0) == INT64_MIN);

    /* raw data at every alignment */
    for (int shift = 0; shift < 4; shift++) {
        const float v[2] = {1.5f, -0.25f};
        t = (struct msg){.n = 0};
        for (int i = 0; i < shift; i++)
            put_int(&t, 99, 1), t.n--, t.b[t.n++] = 1; /* unknown fields are passed over */
        struct msg rest = onnx_tensor("c", PL_F32, 1, (int64_t[]){2}, v, 8);
        char pad[8] = "aaaaaaa";
        put_bytes(&t, 12, pad, (size_t)shift); /* doc_string */
        memcpy(t.b + t.n, rest.b, rest.n);
        t.n += rest.n;
        r = read_tensor(&t, &arena);
        ck_assert_uint_eq((uintptr_t)r.data % 4, 0);
        ck_assert(pl_tensor_f64(&r, 0) == 1.5 && pl_tensor_f64(&r, 1) == -0.25);
    }
    pl_arena_done(&arena);
}
END_TEST

/* Every half is a float; going back gives the same bits. Known values from IEEE 754. */
START_TEST(halves)
{
    for (uint32_t h = 0; h < 65536; h++) {
        float f = pl_f16_to_f32((uint16_t)h);
        if ((h & 0x7c00) == 0x7c00 && (h & 0x3ff))
            ck_assert(isnan(f) && isnan(pl_f16_to_f32(pl_f32_to_f16(f))));
        else
            ck_assert_uint_eq(pl_f32_to_f16(f), h);
    }
    ck_assert(pl_f16_to_f32(0x0001) == 0x1p-24f && pl_f16_to_f32(0x7bff) == 65504);
    ck_assert_uint_eq(pl_f32_to_f16(65519.996f), 0x7bff);
    ck_assert_uint_eq(pl_f32_to_f16(65520), 0x7c00);
    ck_assert_uint_eq(pl_f32_to_f16(1 + 0x1p-11f), 0x3c00); /* ties to even */
    ck_assert_uint_eq(pl_f32_to_f16(1 + 3 * 0x1p-11f), 0x3c02);
    ck_assert_uint_eq(pl_f32_to_f16(0x1p-25f), 0);
    ck_assert_uint_eq(pl_f32_to_f16(0x1.1p-25f), 1);
}
END_TEST

START_TEST(casts)
{
    const float f[] = {3.9f, -3.9f, 1e30f, -1e30f, NAN, 0.25f};
    int64_t i[6];
    uint8_t b[6];
    int8_t n;
    const int32_t big = 0x12345680;
    pl_tensor_cast_row(i, PL_I64, f, PL_F32, 6);
    ck_assert(i[0] == 3 && i[1] == -3 && i[2] == INT64_MAX && i[3] == INT64_MIN && i[4] == 0);
    pl_tensor_cast_row(b, PL_BOOL, f, PL_F32, 6);
    ck_assert(b[0] == 1 && b[4] == 1 && b[5] == 1); /* 0.25 is not 0 */
    pl_tensor_cast_row(&n, PL_I8, &big, PL_I32, 1);
    ck_assert_int_eq(n, -128);
}
END_TEST

/* Any file, cut at every byte, opens or is refused; nothing is read beyond its end. */
START_TEST(cut_files)
{
    const float two[] = {2};
    struct msg c = onnx_tensor("two", PL_F32, 1, (int64_t[]){1}, two, 4);
    start();
    put_msg(&graph, GRAPH_CONSTANT, &c);
    node("p", "Mul", "x two", "y");
    struct msg m = onnx_model(&graph, 17);
    for (size_t n = 0; n < m.n; n++) {
        uint8_t *copy = pl_alloc(PL_MAX(n, 1), 1); /* exact: a sanitizer sees one byte more */
        struct pl_ir g;
        memcpy(copy, m.b, n);
        pl_ir_init(&g);
        ck_assert_int_ne(pl_onnx_read(copy, n, NULL, &g, NULL), PLATEN_OK);
        pl_ir_done(&g);
        pl_free(copy);
    }
}
END_TEST

START_TEST(short_memory)
{
    struct platen_error err;
    struct pl_ir g;
    int n = 0;
    const float two[] = {2};
    struct msg c = onnx_tensor("two", PL_F32, 1, (int64_t[]){1}, two, 4);
    start();
    put_msg(&graph, GRAPH_CONSTANT, &c);
    node("p", "Mul", "x two", "y");
    for (bool done = false; !done; n++) {
        pl_mem_fail_at((uint64_t)n + 1, false);
        platen_status s = read_graph(&g, &err);
        struct pl_session *session = NULL;
        const float in = 3;
        struct pl_tensor x = {.data = (void *)&in};
        ck_assert(pl_tensor_shape(&x, PL_F32, 0, NULL));
        s = s ? s : pl_session_new(&g, best_kernels(), 1000, &session, &err);
        s = s ? s : pl_session_run(session, &x, &err);
        done = !s;
        ck_assert(done || s == PLATEN_ERR_NOMEM);
        pl_session_free(session);
        pl_ir_done(&g);
    }
    pl_mem_fail_at(0, false);
    ck_assert_int_gt(n, 3);
}
END_TEST

/* The same while nodes of the first opsets are rewritten. */
START_TEST(short_memory_of_first_opsets)
{
    const float v[] = {1, 2};
    const struct msg x = info_of_rank("x", 4), y = onnx_info("y", PL_F32);
    struct msg c = onnx_tensor("c", PL_F32, 1, (int64_t[]){2}, v, 8);
    platen_status s = PLATEN_ERR_NOMEM;
    uint64_t n = 0;
    graph.n = 0;
    put_msg(&graph, GRAPH_INPUT, &x);
    put_msg(&graph, GRAPH_OUTPUT, &y);
    put_msg(&graph, GRAPH_CONSTANT, &c);
    node("p", "PRelu", "x c", "a");
    node_with(onnx_node("q", "Reshape", "a", "y"), onnx_attr_ints("shape", 1, (int64_t[]){-1}),
              NULL);
    while (s) {
        struct pl_ir g;
        pl_mem_fail_at(++n, false);
        s = read_old_graph(&g, NULL);
        ck_assert(!s || s == PLATEN_ERR_NOMEM);
        pl_ir_done(&g);
    }
    pl_mem_fail_at(0, false);
    ck_assert_uint_gt(n, 1);
}
END_TEST

static void put_entry(struct msg *m, const char *key, const char *value)
{
    struct msg e = {.n = 0};
    put_text(&e, 1, key);
    put_text(&e, 2, value);
    put_msg(m, 14, &e);
}

/* What a model file's metadata can hold is taken, the first of a key. */
START_TEST(metadata)
{
    static struct msg m;
    static char many[300][8];
    struct pl_arena arena;
    struct pl_nn_meta *meta = NULL;
    size_t n = 0;
    pl_arena_init(&arena);
    start();
    node("n", "Relu", "x", "y");
    m = onnx_model(&graph, 17);
    put_entry(&m, "alphabet", " a=\303\251");
    put_entry(&m, "Stride", "4");
    put_entry(&m, "two words", "4");
    put_entry(&m, "lines", "a\nb");
    put_entry(&m, "bytes", "\xff");
    put_entry(&m, "empty", "");
    put_entry(&m, "", "x");
    put_entry(&m, "empty", "no more");
    ck_assert_int_eq(pl_onnx_meta(m.b, m.n, &arena, &meta, &n, NULL), PLATEN_OK);
    ck_assert_uint_eq(n, 2);
    ck_assert_str_eq(pl_container_value(meta, n, "alphabet"), " a=\303\251");
    ck_assert_str_eq(pl_container_value(meta, n, "empty"), "");
    /* there is room for an import's own notes */
    m = onnx_model(&graph, 17);
    for (int i = 0; i < 300; i++) {
        snprintf(many[i], sizeof(many[i]), "k%d", i);
        put_entry(&m, many[i], "");
    }
    ck_assert_int_eq(pl_onnx_meta(m.b, m.n, &arena, &meta, &n, NULL), PLATEN_OK);
    ck_assert_uint_eq(n, PL_CONTAINER_MAX_META_KEYS - 16);
    m = onnx_model(&graph, 17);
    put_bytes(&m, 14, "\x0a\x05xx", 4);
    ck_assert_int_eq(pl_onnx_meta(m.b, m.n, &arena, &meta, &n, NULL), PLATEN_ERR_FORMAT);
    pl_arena_done(&arena);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("onnx");
    TCase *t = tcase_create("onnx");
    tcase_add_test(t, wire);
    tcase_add_test(t, runs);
    tcase_add_test(t, refuses_graphs);
    tcase_add_test(t, refuses_nodes);
    tcase_add_test(t, refuses_contrib);
    tcase_add_test(t, refuses_few_bits);
    tcase_add_test(t, branch_of_contrib);
    tcase_add_test(t, refuses_branches);
    tcase_add_test(t, empty_names);
    tcase_add_test(t, first_opsets);
    tcase_add_test(t, refuses_tensors);
    tcase_add_test(t, tensor_encodings);
    tcase_add_test(t, halves);
    tcase_add_test(t, casts);
    tcase_add_test(t, cut_files);
    tcase_add_test(t, short_memory);
    tcase_add_test(t, short_memory_of_first_opsets);
    tcase_add_test(t, metadata);
    suite_add_tcase(s, t);
    return run_suite(s);
}
