/* SPDX-License-Identifier: BSD-2-Clause */
/* Sessions: the plan of a run, and what it does not do. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/onnx_bytes.h"
#include "base/mem.h"
#include "nn/plan.h"
#include "onnx/onnx.h"
#include "compile/pass.h"
#include "nn/graph_file.h"
#include "nn/session.h"
#include "nn/session_parts.h"
#include "tests/best_kernels.h"
#include "tests/unit/resident.h"
#include "tests/unit/suite.h"

#define D(...) ((const int64_t[]){__VA_ARGS__})

/* Places at random: what lives together lies apart, and nothing is larger than it must be at least.
 */
START_TEST(layout)
{
    enum { MOST = 60 };
    struct pl_place p[MOST];
    const struct pl_place *work[MOST];
    uint32_t rng = 1;
    for (int round = 0; round < 200; round++) {
        size_t n = 1 + (size_t)(rng >> 8) % MOST, sum = 0, largest = 0;
        for (size_t i = 0; i < n; i++) {
            rng = rng * 1664525 + 1013904223;
            p[i] = (struct pl_place){.value = (uint32_t)i, .first = (rng >> 8) % 40};
            p[i].last = p[i].first + (rng >> 16) % 10;
            p[i].bytes = (rng >> 12) % 1000;
            sum += (p[i].bytes + PL_PLAN_ALIGN - 1) / PL_PLAN_ALIGN * PL_PLAN_ALIGN;
            largest = PL_MAX(largest, p[i].bytes);
        }
        size_t total = pl_plan_places(p, n, work);
        ck_assert(total >= largest && total <= sum);
        for (size_t i = 0; i < n; i++) {
            ck_assert(p[i].offset % PL_PLAN_ALIGN == 0 && p[i].offset + p[i].bytes <= total);
            for (size_t k = 0; k < i; k++)
                ck_assert(p[i].last < p[k].first || p[k].last < p[i].first ||
                          p[i].offset + p[i].bytes <= p[k].offset ||
                          p[k].offset + p[k].bytes <= p[i].offset);
        }
    }
}
END_TEST

static struct msg graph;

static void node(const char *op, const char *in, const char *out)
{
    struct msg n = onnx_node("", op, in, out);
    put_msg(&graph, 1, &n);
}

/* x [n, 2, h, w] through a convolution, a reshape to [n, -1] made of its shape, and an activation
 * in place; `names` are the outputs. */
static void make(struct pl_ir *g, const char *names)
{
    static struct msg m;
    static float w[2 * 2 * 9];
    static const int64_t zero = 0, minus[] = {-1}, axis[] = {0};
    struct platen_error err = {0};
    graph.n = 0;
    for (size_t i = 0; i < PL_ARRAY_LEN(w); i++)
        w[i] = (float)(i % 7) - 3;
    struct msg c = onnx_tensor("w", PL_F32, 4, D(2, 2, 3, 3), w, sizeof(w));
    put_msg(&graph, 5, &c);
    c = onnx_tensor("zero", PL_I64, 0, NULL, &zero, 8);
    put_msg(&graph, 5, &c);
    c = onnx_tensor("minus", PL_I64, 1, D(1), minus, 8);
    put_msg(&graph, 5, &c);
    c = onnx_tensor("axis", PL_I64, 1, D(1), axis, 8);
    put_msg(&graph, 5, &c);
    struct msg x = onnx_info("x", PL_F32);
    put_msg(&graph, 11, &x);
    node("Conv", "x w", "a");
    node("Shape", "a", "s");
    node("Gather", "s zero", "n");
    node("Unsqueeze", "n axis", "u");
    struct msg cat = onnx_node("", "Concat", "u minus", "dims"), at = onnx_attr_int("axis", 0);
    put_msg(&cat, 5, &at);
    put_msg(&graph, 1, &cat);
    node("Reshape", "a dims", "flat");
    node("Neg", "flat", "b");
    node("Relu", "b", "y");
    for (const char *p = names; *p; p++) {
        struct msg info = onnx_info((char[]){*p, 0}, PL_F32);
        put_msg(&graph, 12, &info);
    }
    m = onnx_model(&graph, 13);
    pl_ir_init(g);
    ck_assert_msg(pl_onnx_read(m.b, m.n, NULL, g, &err) == PLATEN_OK, "%s", err.text);
}

static struct pl_tensor picture(int64_t n, int64_t h, int64_t w)
{
    static float data[2000];
    struct pl_tensor x = {.data = data};
    ck_assert(pl_tensor_shape(&x, PL_F32, 4, D(n, 2, h, w)));
    for (size_t i = 0; i < PL_ARRAY_LEN(data); i++)
        data[i] = (float)(i % 11) - 5;
    return x;
}

START_TEST(no_allocation)
{
    struct pl_ir g;
    struct pl_session *s = NULL;
    make(&g, "y");
    ck_assert_int_eq(pl_session_new(&g, best_kernels(), 1 << 20, &s, NULL), PLATEN_OK);
    struct pl_tensor x = picture(2, 9, 20);
    ck_assert_int_eq(pl_session_run(s, &x, NULL), PLATEN_OK);
    uint64_t before = pl_mem_count();
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(pl_session_run(s, &x, NULL), PLATEN_OK);
    ck_assert_uint_eq(pl_mem_count(), before);
    /* a smaller shape fits what is there, and the results are those of a new session */
    struct pl_tensor small = picture(1, 5, 7);
    ck_assert_int_eq(pl_session_run(s, &small, NULL), PLATEN_OK);
    ck_assert_uint_eq(pl_mem_count(), before);
    struct pl_session *fresh = NULL;
    ck_assert_int_eq(pl_session_new(&g, best_kernels(), 1 << 20, &fresh, NULL), PLATEN_OK);
    ck_assert_int_eq(pl_session_run(fresh, &small, NULL), PLATEN_OK);
    const struct pl_tensor *y = pl_session_output(s, 0), *z = pl_session_output(fresh, 0);
    ck_assert(y->rank == 2 && y->dims[0] == 1 && y->dims[1] == 2 * 3 * 5);
    ck_assert(pl_tensor_same_shape(y, z) && !memcmp(y->data, z->data, pl_tensor_bytes(y)));
    pl_session_free(s);
    pl_session_free(fresh);
    pl_ir_done(&g);
}
END_TEST

/* What one large input needed does not stay with the small ones that follow it. */
START_TEST(memory_of_a_large_input_goes_back)
{
    enum { SIDE = 1000, LEAST = 4 << 20, MOST = 64 << 10 };
    struct pl_ir g;
    struct pl_session *s = NULL;
    struct pl_tensor large = {.data = calloc((size_t)SIDE * SIDE * 2, sizeof(float))};
    ck_assert(large.data && pl_tensor_shape(&large, PL_F32, 4, D(1, 2, SIDE, SIDE)));
    make(&g, "y");
    ck_assert_int_eq(pl_session_new(&g, best_kernels(), 1 << 28, &s, NULL), PLATEN_OK);
    ck_assert_int_eq(pl_session_run(s, &large, NULL), PLATEN_OK);
    const size_t capacity = s->block_capacity, used = s->block_bytes;
    ck_assert_uint_ge(resident(s->block, used), LEAST);
    struct pl_tensor small = picture(1, 5, 7);
    ck_assert_int_eq(pl_session_run(s, &small, NULL), PLATEN_OK);
    ck_assert_uint_le(resident(s->block, used), MOST);
    ck_assert_int_eq(pl_session_run(s, &large, NULL), PLATEN_OK);
    ck_assert_uint_eq(s->block_capacity, capacity);
    free(large.data);
    pl_session_free(s);
    pl_ir_done(&g);
}
END_TEST

/* In one place: the convolution's result, its reshaped view, and what overwrites it. */
START_TEST(one_place)
{
    struct pl_ir g;
    struct pl_session *s = NULL;
    struct pl_str text = {0};
    make(&g, "y");
    ck_assert_int_eq(pl_session_new(&g, best_kernels(), 1 << 20, &s, NULL), PLATEN_OK);
    struct pl_tensor x = picture(2, 9, 20);
    ck_assert_int_eq(pl_session_describe(s, &x, &text, NULL), PLATEN_OK);
    ck_assert_ptr_nonnull(
        strstr(text.s, "1 values of 2016 bytes in a block of 2016 bytes; 0 of 8"));
    pl_str_done(&text);
    pl_session_free(s);
    pl_ir_done(&g);
    make(&g, "ya"); /* an output is not overwritten */
    ck_assert_int_eq(pl_session_new(&g, best_kernels(), 1 << 20, &s, NULL), PLATEN_OK);
    ck_assert_int_eq(pl_session_run(s, &x, NULL), PLATEN_OK);
    const float *y = pl_session_output(s, 0)->data, *a = pl_session_output(s, 1)->data;
    for (size_t i = 0; i < 504; i++)
        ck_assert(y[i] == (a[i] < 0 ? -a[i] : 0));
    pl_session_free(s);
    pl_ir_done(&g);
}
END_TEST

/* The mean of the channels and how far each is below the largest, one behind the other, then the
 * mean is added to all: what is written where a Concat wants it must be there until the last
 * reader. */
static void make_parts(struct pl_ir *g)
{
    static struct msg m;
    struct platen_error err = {0};
    graph.n = 0;
    struct msg x = onnx_info("x", PL_F32), y = onnx_info("y", PL_F32), n, attr;
    put_msg(&graph, 11, &x);
    attr = onnx_attr_ints("axes", 1, D(1));
    n = onnx_node("", "ReduceMean", "x", "mean");
    put_msg(&n, 5, &attr);
    put_msg(&graph, 1, &n);
    n = onnx_node("", "ReduceMax", "x", "top");
    put_msg(&n, 5, &attr);
    put_msg(&graph, 1, &n);
    node("Sub", "top x", "below");
    n = onnx_node("", "Concat", "mean below", "both");
    attr = onnx_attr_int("axis", 1);
    put_msg(&n, 5, &attr);
    put_msg(&graph, 1, &n);
    node("Add", "both mean", "y");
    put_msg(&graph, 12, &y);
    m = onnx_model(&graph, 13);
    pl_ir_init(g);
    ck_assert_msg(pl_onnx_read(m.b, m.n, NULL, g, &err) == PLATEN_OK, "%s", err.text);
}

/* Runs that network on pictures whose parts are aligned or not, and lie one behind the other or, of
 * two pictures, not. */
static void add_mean(int64_t pictures, int64_t h, int64_t w, const char *plan)
{
    struct pl_ir g;
    struct pl_session *s = NULL;
    struct pl_str text = {0};
    make_parts(&g);
    ck_assert_int_eq(pl_session_new(&g, best_kernels(), 1 << 20, &s, NULL), PLATEN_OK);
    struct pl_tensor in = picture(pictures, h, w);
    ck_assert_int_eq(pl_session_describe(s, &in, &text, NULL), PLATEN_OK);
    ck_assert_msg(strstr(text.s, plan) != NULL, "%s", text.s);
    ck_assert_int_eq(pl_session_run(s, &in, NULL), PLATEN_OK);
    const float *x = in.data, *y = pl_session_output(s, 0)->data;
    for (int64_t p = 0; p < pictures; p++, x += 2 * h * w, y += 3 * h * w)
        for (int64_t i = 0; i < h * w; i++) {
            const float a = x[i], b = x[h * w + i], mean = (a + b) / 2, top = PL_MAX(a, b);
            ck_assert(y[i] == 2 * mean && y[h * w + i] == top - a + mean &&
                      y[2 * h * w + i] == top - b + mean);
        }
    pl_str_done(&text);
    pl_session_free(s);
    pl_ir_done(&g);
}

START_TEST(parts_of_a_place)
{
    add_mean(1, 4, 8, "3 values of 896 bytes");
    add_mean(1, 3, 5, "4 values of 540 bytes"); /* the second part would begin at byte 60 */
    add_mean(2, 4, 8, "4 values of 1792 bytes");
}
END_TEST

/* x [3, 2 columns] and what is made of the parts of relu(x), split along the axis, in the order in
 * which `nodes` of them are listed: operator, inputs, output. `text` says what lies in memory. */
static void split(int64_t axis, int64_t columns, const char *const (*nodes)[3], const char *text,
                  const float *want)
{
    static struct msg m;
    static float data[96];
    struct pl_ir g;
    struct pl_session *s = NULL;
    struct pl_str plan = {0};
    struct pl_tensor in = {.data = data};
    graph.n = 0;
    for (int i = 0; i < 96; i++)
        data[i] = (float)i;
    struct msg x = onnx_info("x", PL_F32), y = onnx_info("y", PL_F32), n, a;
    put_msg(&graph, 11, &x);
    put_msg(&graph, 12, &y);
    node("Relu", "x", "a");
    n = onnx_node("", "Split", "a", axis ? "first others" : "first second third");
    a = onnx_attr_int("axis", axis);
    put_msg(&n, 5, &a);
    put_msg(&graph, 1, &n);
    for (; (*nodes)[0]; nodes++)
        node((*nodes)[0], (*nodes)[1], (*nodes)[2]);
    m = onnx_model(&graph, 13);
    pl_ir_init(&g);
    ck_assert(!pl_onnx_read(m.b, m.n, NULL, &g, NULL));
    ck_assert(!pl_session_new(&g, best_kernels(), 1 << 20, &s, NULL));
    ck_assert(pl_tensor_shape(&in, PL_F32, 2, D(3, 2 * columns)));
    ck_assert(!pl_session_describe(s, &in, &plan, NULL));
    ck_assert_msg(strstr(plan.s, text) != NULL, "%s", plan.s);
    ck_assert(!pl_session_run(s, &in, NULL));
    const struct pl_tensor *out = pl_session_output(s, 0);
    for (size_t i = 0; i < pl_tensor_count(out); i++)
        ck_assert(((const float *)out->data)[i] == want[i]);
    pl_str_done(&plan);
    pl_session_free(s);
    pl_ir_done(&g);
}

/* Parts stay where they are, but for those that would not be aligned or lie in pieces. */
START_TEST(parts_of_an_input)
{
    static const char *const rows[][3] = {
        {"Neg", "second", "n"}, {"Add", "n third", "s"}, {"Mul", "s first", "y"}, {NULL}};
    static const char *const columns[][3] = {{"Sub", "first others", "y"}, {NULL}};
    float want[48];
    for (int i = 0; i < 32; i++)
        want[i] = 32 * (float)i;
    split(0, 16, rows, "2 values of 512 bytes", want);
    for (int i = 0; i < 30; i++)
        want[i] = 30 * (float)i;
    split(0, 15, rows, "3 values of 600 bytes", want); /* a row is 120 bytes */
    for (int i = 0; i < 48; i++)
        want[i] = -16;
    split(1, 16, columns, "3 values of 768 bytes", want);
}
END_TEST

/* A Concat's input that is a copy of the network's input is copied to its part. */
START_TEST(part_that_copies_an_input)
{
    static struct msg m;
    struct pl_ir g;
    struct pl_session *s = NULL;
    graph.n = 0;
    struct msg x = onnx_info("x", PL_F32), y = onnx_info("y", PL_F32);
    put_msg(&graph, 11, &x);
    put_msg(&graph, 12, &y);
    node("Flatten", "x", "flat");
    struct msg n = onnx_node("", "Concat", "flat flat", "y"), axis = onnx_attr_int("axis", 0);
    put_msg(&n, 5, &axis);
    put_msg(&graph, 1, &n);
    m = onnx_model(&graph, 13);
    pl_ir_init(&g);
    ck_assert_int_eq(pl_onnx_read(m.b, m.n, NULL, &g, NULL), PLATEN_OK);
    ck_assert_int_eq(pl_session_new(&g, best_kernels(), 1 << 20, &s, NULL), PLATEN_OK);
    struct pl_tensor in = picture(1, 3, 5);
    ck_assert_int_eq(pl_session_run(s, &in, NULL), PLATEN_OK);
    const float *both = pl_session_output(s, 0)->data;
    for (size_t i = 0; i < 60; i++)
        ck_assert(both[i] == ((const float *)in.data)[i % 30]);
    pl_session_free(s);
    pl_ir_done(&g);
}
END_TEST

/* A shape that depends on numbers: the nodes behind it wait for them. */
START_TEST(late_shapes)
{
    static const uint8_t keep[] = {1, 0, 1};
    static const float v[] = {1, 2, 3};
    static struct msg m;
    struct pl_ir g;
    struct pl_session *s = NULL;
    graph.n = 0;
    struct msg x = onnx_info("x", PL_F32), k = onnx_info("k", PL_BOOL), y = onnx_info("y", PL_F32);
    put_msg(&graph, 11, &x);
    put_msg(&graph, 11, &k);
    put_msg(&graph, 12, &y);
    node("Neg", "x", "a");
    node("Compress", "a k", "b");
    node("Exp", "b", "c");
    node("Log", "c", "y");
    m = onnx_model(&graph, 13);
    pl_ir_init(&g);
    ck_assert_int_eq(pl_onnx_read(m.b, m.n, NULL, &g, NULL), PLATEN_OK);
    struct pl_tensor in[2] = {{.data = (void *)v}, {.data = (void *)keep}};
    ck_assert(pl_tensor_shape(&in[0], PL_F32, 1, D(3)));
    ck_assert(pl_tensor_shape(&in[1], PL_BOOL, 1, D(3)));
    ck_assert_int_eq(pl_session_new(&g, best_kernels(), 1 << 10, &s, NULL), PLATEN_OK);
    uint64_t count = 0;
    for (int run = 0; run < 3; run++) {
        ck_assert_int_eq(pl_session_run(s, in, NULL), PLATEN_OK);
        const struct pl_tensor *t = pl_session_output(s, 0);
        const float *r = t->data;
        ck_assert(t->dims[0] == 2 && r[0] < -0.99f && r[0] > -1.01f && r[1] < -2.99f);
        ck_assert(!run || pl_mem_count() == count);
        count = pl_mem_count();
    }
    pl_session_free(s);
    pl_ir_done(&g);
}
END_TEST

/* An input of another rank than its own is refused, but where its type alone is read. */
START_TEST(ranks)
{
    static const float v[] = {1, -2};
    static struct msg m;
    const char *const ops[] = {"CastLike", "Add"};
    for (int i = 0; i < 2; i++) {
        struct platen_error err = {0};
        struct pl_ir g;
        struct pl_session *s = NULL;
        graph.n = 0;
        struct msg x = onnx_info("x", PL_F32), k = onnx_info("k", PL_F32),
                   y = onnx_info("y", PL_F32);
        put_msg(&graph, 11, &x);
        put_msg(&graph, 11, &k);
        put_msg(&graph, 12, &y);
        node(ops[i], "x k", "y");
        m = onnx_model(&graph, 15);
        pl_ir_init(&g);
        ck_assert_int_eq(pl_onnx_read(m.b, m.n, NULL, &g, NULL), PLATEN_OK);
        g.values[g.inputs[1]].t.rank = 2;
        struct pl_tensor in[2] = {{.data = (void *)v}, {.data = (void *)v}};
        ck_assert(pl_tensor_shape(&in[0], PL_F32, 1, D(2)));
        ck_assert(pl_tensor_shape(&in[1], PL_F32, 1, D(2)));
        ck_assert_int_eq(pl_session_new(&g, best_kernels(), 1 << 10, &s, NULL), PLATEN_OK);
        ck_assert_int_eq(pl_session_run(s, in, &err), i ? PLATEN_ERR_ARG : PLATEN_OK);
        if (i)
            ck_assert_str_eq(err.text, "input 'k' has rank 1, not 2");
        pl_session_free(s);
        pl_ir_done(&g);
    }
}
END_TEST

/* Output 0 of g for the picture of bytes, read as bytes and as the floats that they stand for; true
 * where the nodes read the bytes themselves. */
static bool bytes_equal_floats(const struct pl_ir *g, const struct pl_tensor *bytes, float scale,
                               int32_t zero)
{
    struct pl_session *s[2];
    struct pl_tensor x = *bytes;
    const size_t n = pl_tensor_count(bytes);
    float *v = malloc(n * sizeof(*v));
    x.type = PL_F32;
    x.data = v;
    for (size_t i = 0; i < n; i++)
        v[i] = (float)(((const uint8_t *)bytes->data)[i] - zero) * scale;
    for (int i = 0; i < 2; i++)
        ck_assert(!pl_session_new(g, best_kernels(), 1 << 24, &s[i], NULL));
    const bool direct = pl_session_take_bytes(s[1], 0, scale, zero);
    for (int round = 0; round < 2; round++) {
        ck_assert(!pl_session_run(s[0], &x, NULL) && !pl_session_run(s[1], bytes, NULL));
        const struct pl_tensor *a = pl_session_output(s[0], 0), *b = pl_session_output(s[1], 0);
        ck_assert(pl_tensor_same_shape(a, b) && !memcmp(a->data, b->data, pl_tensor_bytes(a)));
    }
    ck_assert_int_eq(pl_session_run(s[1], &x, NULL), PLATEN_ERR_ARG);
    pl_session_free(s[0]);
    pl_session_free(s[1]);
    free(v);
    return direct;
}

START_TEST(bytes)
{
    static const char *const files[] = {"/models/eng.platen", "/models/regions.platen",
                                        "/tests/data/model/tiny.platen"};
    struct pl_ir floats;
    static uint8_t px[256 * 256];
    struct pl_tensor x = {.data = px};
    for (size_t i = 0; i < sizeof(px); i++)
        px[i] = (uint8_t)(i * 7 % 251);
    for (int i = 0; i < 3; i++) {
        struct pl_network *n = NULL;
        char path[512];
        snprintf(path, sizeof(path), PL_TEST_ROOT "%s", files[i]);
        ck_assert(!pl_network_open(path, &n, NULL));
        const struct pl_ir_node *first = &n->g.nodes[0];
        const float scale = pl_ir_float(first, "y_scale", 0);
        const int32_t zero = (int32_t)pl_ir_int(first, "y_zero", -1);
        const int64_t height = n->g.values[n->g.inputs[0]].t.dims[2];
        ck_assert(pl_tensor_shape(&x, PL_U8, 4, D(1, 1, height, 64)));
        if (i == 0) /* what the recognizer and the detector ask for */
            ck_assert(strtof(pl_network_meta(n, "input_scale"), NULL) == scale);
        if (i == 1)
            ck_assert(scale == 1 / 255.0f && zero == 0);
        ck_assert(bytes_equal_floats(&n->g, &x, scale, zero));
        ck_assert(!bytes_equal_floats(&n->g, &x, 2 * scale, zero));
        ck_assert(!bytes_equal_floats(&n->g, &x, scale, zero + 1));
        pl_network_free(n);
    }
    make(&floats, "y");
    ck_assert(pl_tensor_shape(&x, PL_U8, 4, D(2, 2, 9, 20)));
    ck_assert(!bytes_equal_floats(&floats, &x, 0.25f, 3));
    pl_ir_done(&floats);
}
END_TEST

START_TEST(short_memory)
{
    struct pl_ir g;
    int n = 0;
    make(&g, "y");
    struct pl_tensor x = picture(2, 9, 20);
    for (bool done = false; !done; n++) {
        struct pl_session *s = NULL;
        pl_mem_fail_at((uint64_t)n + 1, false);
        platen_status st = pl_session_new(&g, best_kernels(), 1 << 20, &s, NULL);
        st = st ? st : pl_session_run(s, &x, NULL);
        pl_mem_fail_at(0, false);
        done = !st;
        ck_assert(done || st == PLATEN_ERR_NOMEM);
        pl_session_free(s);
    }
    ck_assert_int_gt(n, 3);
    pl_ir_done(&g);
}
END_TEST

/* What was planned for one picture is planned anew for pictures beside each other, which the
 * convolution of this graph cannot read; and a plan for one is there again when they are apart. */
START_TEST(joined_pictures_are_another_plan)
{
    const struct pl_joints joints = {.at = D(8), .n = 1, .width = 4, .columns = 20};
    struct platen_error err = {0};
    struct pl_ir g;
    struct pl_session *s = NULL;
    make(&g, "y");
    ck_assert_int_eq(pl_session_new(&g, best_kernels(), 1 << 20, &s, NULL), PLATEN_OK);
    struct pl_tensor x = picture(1, 9, 20);
    ck_assert_int_eq(pl_session_run(s, &x, &err), PLATEN_OK);
    pl_session_join(s, &joints);
    ck_assert_int_eq(pl_session_run(s, &x, &err), PLATEN_ERR_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(err.text, "over pictures beside each other"));
    pl_session_join(s, NULL);
    ck_assert_int_eq(pl_session_run(s, &x, &err), PLATEN_OK);
    pl_session_free(s);
    pl_ir_done(&g);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("session");
    TCase *t = tcase_create("session");
    tcase_add_test(t, layout);
    tcase_add_test(t, no_allocation);
    tcase_add_test(t, memory_of_a_large_input_goes_back);
    tcase_add_test(t, one_place);
    tcase_add_test(t, parts_of_a_place);
    tcase_add_test(t, parts_of_an_input);
    tcase_add_test(t, part_that_copies_an_input);
    tcase_add_test(t, bytes);
    tcase_add_test(t, late_shapes);
    tcase_add_test(t, ranks);
    tcase_add_test(t, joined_pictures_are_another_plan);
    tcase_add_test(t, short_memory);
    suite_add_tcase(s, t);
    return run_suite(s);
}
