/* SPDX-License-Identifier: BSD-2-Clause */
/* The quantiser: layers of bytes beside the floats that they stand for. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compile/pass.h"
#include "compile/quant.h"
#include "compile/quant/quant_pack.h"
#include "nn/layer_info.h"
#include "nn/prepared.h"
#include "nn/session.h"
#include "simd/qgemm.h"
#include "tests/best_kernels.h"
#include "tests/unit/suite.h"

#define D(...) ((const int64_t[]){__VA_ARGS__})
#define MAX_NODES 32
#define MAX_VALUES 96

/* A graph being written down. */
struct build {
    struct pl_ir g;
    struct pl_ir_value values[MAX_VALUES];
    struct pl_ir_node nodes[MAX_NODES];
    struct pl_attr attrs[MAX_NODES][8];
    uint32_t in[MAX_NODES][5], out[MAX_NODES], inputs[1], outputs[2];
    uint32_t rng;
};

static float next(struct build *b)
{
    b->rng = b->rng * 1664525 + 1013904223;
    return (float)(b->rng >> 8) / 8388608.0f - 1;
}

static uint32_t value(struct build *b, const char *name)
{
    struct pl_ir_value *v = &b->values[b->g.n_values];
    *v = (struct pl_ir_value){.name = name, .writer = PL_IR_NONE};
    v->t.rank = PL_IR_UNWRITTEN;
    return (uint32_t)b->g.n_values++;
}

static void begin(struct build *b, int rank)
{
    memset(b, 0, sizeof(*b));
    pl_ir_init(&b->g);
    ck_assert(!pl_prepared_new(&b->g.prepared, NULL));
    b->g.opset = 17;
    b->g.values = b->values;
    b->g.nodes = b->nodes;
    b->g.inputs = b->inputs;
    b->g.outputs = b->outputs;
    b->g.n_inputs = 1;
    value(b, "x");
    b->values[0].t = (struct pl_tensor){.type = PL_F32, .rank = rank, .dims = {-1, -1, -1, -1}};
}

/* Numbers from -size to size. */
static uint32_t constant(struct build *b, int rank, const int64_t *dims, float size)
{
    const uint32_t v = value(b, "");
    struct pl_tensor *t = &b->values[v].t;
    ck_assert(pl_tensor_shape(t, PL_F32, rank, dims));
    t->data = pl_arena_alloc(&b->g.arena, PL_MAX(pl_tensor_count(t), 1), 4);
    for (size_t i = 0; i < pl_tensor_count(t); i++)
        ((float *)t->data)[i] = size * next(b);
    return v;
}

static uint32_t node(struct build *b, const char *name, int op, int n_in, const uint32_t *in)
{
    const size_t i = b->g.n_nodes++;
    struct pl_ir_node *n = &b->nodes[i];
    memcpy(b->in[i], in, (size_t)n_in * sizeof(*in));
    b->out[i] = value(b, name);
    *n = (struct pl_ir_node){.name = name,
                             .op = pl_op_by_id(op),
                             .n_in = (uint32_t)n_in,
                             .n_out = 1,
                             .in = b->in[i],
                             .out = &b->out[i],
                             .attrs = b->attrs[i]};
    return b->out[i];
}
#define IN(...)                                                                                    \
    (int)(sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)), (const uint32_t[])                \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* Attributes of the last node. */
static void ints(struct build *b, const char *name, uint32_t n, const int64_t *list)
{
    struct pl_ir_node *node = &b->nodes[b->g.n_nodes - 1];
    int64_t *copy = PL_NEW(&b->g.arena, int64_t, n);
    memcpy(copy, list, n * sizeof(*copy));
    struct pl_attr *a = &b->attrs[b->g.n_nodes - 1][node->n_attrs++];
    *a = (struct pl_attr){.name = name, .kind = PL_ATTR_INTS, .n = n};
    a->v.ints = copy;
}

static void number(struct build *b, const char *name, int64_t v)
{
    struct pl_ir_node *node = &b->nodes[b->g.n_nodes - 1];
    struct pl_attr *a = &b->attrs[b->g.n_nodes - 1][node->n_attrs++];
    *a = (struct pl_attr){.name = name, .kind = PL_ATTR_INT};
    a->v.i = v;
}

static void text(struct build *b, const char *name, const char *v)
{
    struct pl_ir_node *node = &b->nodes[b->g.n_nodes - 1];
    struct pl_attr *a = &b->attrs[b->g.n_nodes - 1][node->n_attrs++];
    *a = (struct pl_attr){.name = name, .kind = PL_ATTR_STRING};
    a->v.s = v;
}

static void finish(struct build *b, uint32_t output)
{
    b->outputs[b->g.n_outputs++] = output;
    ck_assert_int_eq(pl_ir_sort(&b->g, NULL), PLATEN_OK);
}

static int count(const struct pl_ir *g, int op)
{
    int n = 0;
    for (size_t i = 0; i < g->n_nodes; i++)
        n += g->nodes[i].op->id == op;
    return n;
}

/* Inputs of the shape, two of them. */
static struct pl_quant_sets make_sets(struct build *b, int rank, const int64_t *dims)
{
    static float data[2][20000];
    static struct pl_tensor in[2];
    for (int i = 0; i < 2; i++) {
        ck_assert(pl_tensor_shape(&in[i], PL_F32, rank, dims));
        in[i].data = data[i];
        ck_assert(pl_tensor_count(&in[i]) <= PL_ARRAY_LEN(data[i]));
        for (size_t k = 0; k < pl_tensor_count(&in[i]); k++)
            data[i][k] = 2 * next(b) + 0.3f;
    }
    return (struct pl_quant_sets){.in = in, .n = 2};
}

/* Runs the graph in floats and in bytes: no layer and no output may be farther than that. The graph
 * of bytes stays in b. */
static double check(struct build *b, const struct pl_quant_options *o, int rank,
                    const int64_t *dims, double least_db)
{
    struct platen_error err = {0};
    const struct pl_quant_sets sets = make_sets(b, rank, dims);
    struct pl_ir floats = b->g;
    struct pl_quant_layer *layers;
    struct pl_session *s, *t;
    struct pl_arena arena;
    struct pl_error_sums sums = {0};
    size_t n;
    pl_arena_init(&arena);
    ck_assert_msg(!pl_quantize(&b->g, best_kernels(), o, &sets, &err), "%s", err.text);
    ck_assert_msg(
        !pl_quant_report(&b->g, &floats, best_kernels(), &sets, &arena, &layers, &n, &err), "%s",
        err.text);
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(pl_error_sqnr_db(&layers[i].sums) > least_db, "%s (%s): %.1f dB",
                      layers[i].node->name, layers[i].node->op->name,
                      pl_error_sqnr_db(&layers[i].sums));
    ck_assert_int_eq(pl_session_new(&b->g, best_kernels(), 1 << 24, &s, &err), PLATEN_OK);
    ck_assert_int_eq(pl_session_new(&floats, best_kernels(), 1 << 24, &t, &err), PLATEN_OK);
    ck_assert_msg(!pl_session_run(s, sets.in, &err), "%s", err.text);
    ck_assert_msg(!pl_session_run(t, sets.in, &err), "%s", err.text);
    ck_assert(!pl_error_add(&sums, pl_session_output(s, 0), pl_session_output(t, 0), &err));
    ck_assert_msg(pl_error_sqnr_db(&sums) > least_db, "output: %.1f dB", pl_error_sqnr_db(&sums));
    pl_session_free(s);
    pl_session_free(t);
    pl_arena_done(&arena);
    return pl_error_sqnr_db(&sums);
}

static const struct pl_quant_options plain = {.percentile = 100};

/* Convolutions of every kind that goes to bytes, one after another; a ReLU keeps them there. */
START_TEST(convolutions)
{
    static const struct {
        int64_t in, out, groups, kernel[2], stride[2], pads[4], dilation;
        const char *auto_pad;
    } cases[] = {
        {3, 16, 1, {3, 3}, {2, 2}, {1, 1, 1, 1}, 1, NULL},
        {1, 16, 1, {3, 3}, {1, 1}, {1, 1, 1, 1}, 1, NULL},
        {1, 20, 1, {5, 2}, {1, 2}, {2, 0, 0, 1}, 1, NULL},
        {4, 8, 1, {1, 1}, {1, 1}, {0, 0, 0, 0}, 1, NULL},
        {5, 7, 1, {3, 3}, {1, 1}, {0, 0, 0, 0}, 1, NULL},
        {16, 24, 1, {1, 1}, {1, 1}, {0, 0, 0, 0}, 1, NULL},
        {16, 24, 1, {1, 1}, {2, 2}, {0, 0, 0, 0}, 1, NULL},
        {24, 33, 1, {3, 3}, {1, 1}, {1, 1, 1, 1}, 1, NULL},
        {16, 16, 1, {1, 7}, {1, 1}, {0, 3, 0, 3}, 1, NULL},
        {16, 16, 1, {3, 1}, {2, 1}, {1, 0, 1, 0}, 1, NULL},
        {8, 8, 1, {3, 1}, {1, 1}, {2, 0, 2, 0}, 2, NULL},
        {8, 12, 4, {3, 3}, {1, 1}, {1, 1, 1, 1}, 1, NULL},
        {6, 6, 2, {1, 1}, {1, 1}, {0, 0, 0, 0}, 1, NULL},
        {16, 16, 16, {3, 3}, {1, 1}, {1, 1, 1, 1}, 1, NULL},
        {20, 20, 20, {3, 3}, {2, 2}, {1, 1, 1, 1}, 1, NULL},
        {33, 33, 33, {5, 5}, {1, 2}, {2, 2, 2, 2}, 1, NULL},
        {16, 16, 16, {1, 5}, {1, 1}, {0, 2, 0, 2}, 1, NULL},
        {16, 16, 16, {4, 4}, {1, 1}, {0, 0, 0, 0}, 1, NULL},
        {16, 16, 1, {3, 3}, {2, 2}, {0, 0, 0, 0}, 1, "SAME_UPPER"},
        {16, 16, 16, {2, 2}, {1, 1}, {0, 0, 0, 0}, 1, "SAME_LOWER"},
        {2, 3, 1, {3, 3}, {1, 1}, {5, 6, 7, 8}, 1, NULL},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(cases); i++)
        for (int per_tensor = 0; per_tensor < 2; per_tensor++) {
            struct build b;
            begin(&b, 4);
            b.rng = (uint32_t)i;
            const int64_t in = cases[i].in / cases[i].groups;
            const uint32_t w =
                constant(&b, 4, D(cases[i].out, in, cases[i].kernel[0], cases[i].kernel[1]), 0.5f);
            const uint32_t bias = constant(&b, 1, D(cases[i].out), 2);
            uint32_t y = node(&b, "conv", PL_OP_Conv, IN(0, w, bias));
            number(&b, "group", cases[i].groups);
            ints(&b, "strides", 2, cases[i].stride);
            if (cases[i].auto_pad)
                text(&b, "auto_pad", cases[i].auto_pad);
            else
                ints(&b, "pads", 4, cases[i].pads);
            ints(&b, "dilations", 2, D(cases[i].dilation, 1));
            y = node(&b, "relu", PL_OP_Relu, IN(y));
            const uint32_t one = constant(&b, 4, D(4, cases[i].out, 1, 1), 1);
            y = node(&b, "last", PL_OP_Conv, IN(y, one));
            finish(&b, y);
            check(&b, &(struct pl_quant_options){.per_tensor = per_tensor, .percentile = 100}, 4,
                  D(2, cases[i].in, 9, 14), 30);
            const bool planes = cases[i].groups == cases[i].in && cases[i].groups > 1;
            ck_assert_int_eq(count(&b.g, PL_OP_QDepthwiseConv), planes);
            ck_assert_int_eq(count(&b.g, PL_OP_QConv), 2 - planes);
            ck_assert_int_eq(count(&b.g, PL_OP_Relu) + count(&b.g, PL_OP_Conv), 0);
            pl_ir_done(&b.g);
        }
}
END_TEST

static uint32_t conv(struct build *b, const char *name, uint32_t x, int64_t in, int64_t out)
{
    const uint32_t w = constant(b, 4, D(out, in, 1, 1), 1.0f / sqrtf((float)in));
    const uint32_t y = node(b, name, PL_OP_Conv, IN(x, w, constant(b, 1, D(out), 1)));
    return y;
}

static void fill(struct build *b, uint32_t v, float with)
{
    for (size_t i = 0; i < pl_tensor_count(&b->values[v].t); i++)
        ((float *)b->values[v].t.data)[i] = with;
}

/* The output of the graph on the first set, by the kernels of a level, in two runs, which agree; of
 * one picture or of those beside each other. */
static void output_of(const struct pl_ir *g, enum pl_isa isa, const struct pl_quant_sets *sets,
                      const struct pl_joints *joints, float *ret, size_t n)
{
    struct platen_error err = {0};
    struct pl_kernels k;
    struct pl_session *s;
    pl_kernels_init(&k, isa);
    ck_assert_int_eq(pl_session_new(g, &k, 1 << 24, &s, &err), PLATEN_OK);
    pl_session_join(s, joints);
    for (int run = 0; run < 2; run++) {
        ck_assert_msg(!pl_session_run(s, sets->in, &err), "%s", err.text);
        ck_assert_uint_eq(pl_tensor_count(pl_session_output(s, 0)), n);
        ck_assert(!run || !memcmp(ret, pl_session_output(s, 0)->data, n * sizeof(*ret)));
        memcpy(ret, pl_session_output(s, 0)->data, n * sizeof(*ret));
    }
    pl_session_free(s);
}

/* Convolutions of 3 x 3 that step by one, which some levels compute in tiles: on all levels as on
 * the scalar one, which does not. */
START_TEST(tiles)
{
    static const struct {
        int64_t in, out, pads[4], height, width;
        int behind; /* the operator between this and the next */
        bool residual, largest;
    } cases[] = {
        {16, 16, {1, 1, 1, 1}, 16, 16, PL_OP_Relu, false, false},
        {16, 24, {1, 1, 1, 1}, 19, 14, PL_OP_HardSwish, false, false},
        {24, 33, {0, 2, 3, 1}, 18, 21, PL_OP_Relu, false, false},
        {48, 40, {0, 0, 0, 0}, 17, 21, PL_OP_Relu, false, false},
        {33, 16, {0, 0, 0, 0}, 14, 43, PL_OP_HardSwish, false, false},
        {32, 32, {1, 1, 1, 1}, 11, 23, PL_OP_Relu, true, false},
        {64, 64, {1, 1, 1, 1}, 17, 31, PL_OP_HardSwish, true, false},
        {96, 16, {5, 0, 6, 7}, 21, 35, PL_OP_Relu, false, false},
        {96, 32, {1, 1, 1, 1}, 7, 131, PL_OP_HardSwish, false, false},
        {128, 16, {0, 0, 0, 0}, 14, 26, PL_OP_Relu, false, true},
        {128, 24, {1, 1, 1, 1}, 12, 24, PL_OP_Relu, false, false},
        {16, 16, {1, 1, 1, 1}, 2, 65, PL_OP_Relu, true, false}, /* too few rows for tiles */
    };
    static float want[40000], got[40000];
    for (size_t i = 0; i < PL_ARRAY_LEN(cases); i++) {
        const int64_t *pads = cases[i].pads;
        const int64_t height = cases[i].height + pads[0] + pads[2] - 2;
        const int64_t width = cases[i].width + pads[1] + pads[3] - 2;
        const size_t n = (size_t)(2 * 4 * height * width);
        struct build b;
        begin(&b, 4);
        b.rng = (uint32_t)i;
        const uint32_t x = node(&b, "front", PL_OP_Relu, IN(conv(&b, "a", 0, 3, cases[i].in)));
        const uint32_t w = constant(&b, 4, D(cases[i].out, cases[i].in, 3, 3), 0.5f);
        const uint32_t bias = constant(&b, 1, D(cases[i].out), 2);
        if (cases[i].largest) { /* all bytes 255, nearly, and all weights 127 */
            fill(&b, b.in[0][1], 1e-4f);
            fill(&b, b.in[0][2], 1);
            fill(&b, w, 0.5f);
        }
        uint32_t y = node(&b, "b", PL_OP_FusedConv, cases[i].residual ? 4 : 3,
                          (const uint32_t[]){x, w, bias, x});
        ints(&b, "pads", 4, pads);
        y = node(&b, "behind", cases[i].behind, IN(y));
        finish(&b, conv(&b, "c", y, cases[i].out, 4));
        const struct pl_quant_options o = {.percentile = 100, .narrow = i % 2};
        const int64_t *dims = D(2, 3, cases[i].height, cases[i].width);
        check(&b, &o, 4, dims, 20);
        const struct pl_quant_sets sets = make_sets(&b, 4, dims);
        const struct pl_joints two = {D(7), 1, 3, cases[i].width};
        const bool same = width == cases[i].width && width > 10;
        for (int joined = 0; joined <= same; joined++)
            for (int isa = 0; isa < PL_ISA_COUNT; isa++) {
                if (!pl_isa_available((enum pl_isa)isa))
                    continue;
                output_of(&b.g, (enum pl_isa)isa, &sets, joined ? &two : NULL, got, n);
                if (isa == PL_ISA_SCALAR)
                    memcpy(want, got, n * sizeof(*got));
                ck_assert_msg(!memcmp(want, got, n * sizeof(*got)), "case %zu on %s%s", i,
                              pl_isa_name((enum pl_isa)isa), joined ? ", joined" : "");
            }
        pl_ir_done(&b.g);
    }
}
END_TEST

/* Of the weights at[0..n) of one sign, which may come to the limit: whether none should have given
 * way less and another more; adds to *full where they are at the limit. w are the numbers that they
 * stand for, in steps. */
static bool shared_well(const double *w, const int8_t *rounded, const size_t *at, size_t n,
                        int sign, size_t *full)
{
    int sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += PL_MAX(sign * rounded[at[i]], 0);
    bool well = sum <= PL_QGEMM_NARROW;
    *full += sum == PL_QGEMM_NARROW;
    for (size_t i = 0; i < n && sum == PL_QGEMM_NARROW; i++)
        for (size_t j = 0; j < n; j++) {
            const double less = sign * (w[at[i]] - rounded[at[i]]);
            const double more = sign * (w[at[j]] - rounded[at[j]]);
            const bool both = sign * rounded[at[i]] > 0 && sign * w[at[j]] > 0 && i != j;
            well = well && (!both || more - less <= 1.001);
        }
    return well;
}

/* Where weights of one sign are too many for a 16-bit lane all of them give way alike: four in a
 * lane, or two where that would cost too much, as where many are large. */
START_TEST(limited)
{
    enum { IN = 256, OUT = 16 };
    for (int round = 0; round < 8; round++) {
        struct build b;
        struct pl_q_packed p;
        static float w[OUT * IN];
        const bool four = round % 2;
        const size_t meet = four ? 4 : 2;
        size_t full = 0;
        begin(&b, 2);
        b.rng = (uint32_t)round;
        for (size_t i = 0; i < OUT * IN; i++)
            w[i] = four ? fabsf(next(&b)) * (i % 2 ? -1 : 1) : next(&b);
        const struct pl_q_weights q = {.w = w,
                                       .out = OUT,
                                       .in = IN,
                                       .groups = 1,
                                       .kernel_h = 1,
                                       .kernel_w = 1,
                                       .stored = IN,
                                       .narrow = true,
                                       .x = {1, 0},
                                       .y_scale = 1};
        ck_assert(pl_q_pack(&q, &b.g.arena, &p));
        ck_assert_int_eq(p.narrow, four);
        ck_assert(pl_qgemm_is_paired(p.weights, OUT, IN));
        for (size_t o = 0; o < OUT; o++) {
            double exact[IN];
            int8_t rounded[IN];
            for (size_t k = 0; k < IN; k++) {
                exact[k] = (double)w[o * IN + k] / (double)p.scale[o];
                rounded[k] = p.weights[k / 4 * 64 + o * 4 + k % 4];
            }
            for (size_t k = 0; k < IN; k += k % 4 && four ? 6 : 2)
                for (int sign = -1; sign < 2; sign += 2)
                    ck_assert(shared_well(exact, rounded, (const size_t[]){k, k + 1, k + 4, k + 5},
                                          meet, sign, &full));
        }
        ck_assert_uint_gt(full, 0);
        pl_ir_done(&b.g);
    }
}
END_TEST

/* In one dimension. */
START_TEST(flat)
{
    struct build b;
    begin(&b, 3);
    const uint32_t w = constant(&b, 3, D(16, 16, 5), 0.3f), p = constant(&b, 3, D(16, 1, 3), 1);
    uint32_t y = node(&b, "conv", PL_OP_Conv, IN(0, w));
    ints(&b, "pads", 2, D(2, 2));
    y = node(&b, "planes", PL_OP_Conv, IN(y, p));
    number(&b, "group", 16);
    ints(&b, "strides", 1, D(2));
    y = node(&b, "pool", PL_OP_MaxPool, IN(y));
    ints(&b, "kernel_shape", 1, D(3));
    y = node(&b, "last", PL_OP_Conv, IN(y, constant(&b, 3, D(4, 16, 1), 1)));
    finish(&b, y);
    check(&b, &plain, 3, D(2, 16, 41), 30);
    ck_assert_int_eq(count(&b.g, PL_OP_QConv), 2);
    ck_assert_int_eq(count(&b.g, PL_OP_QMaxPool), 1);
    pl_ir_done(&b.g);
}
END_TEST

/* A picture of one row that loses it, long kernels along it, of which one adds and one steps. */
START_TEST(line)
{
    struct build b;
    begin(&b, 4);
    uint32_t y = node(&b, "conv", PL_OP_Conv, IN(0, constant(&b, 4, D(16, 1, 3, 3), 0.5f)));
    ints(&b, "pads", 4, D(0, 1, 0, 1));
    y = node(&b, "relu", PL_OP_Relu, IN(y));
    y = node(&b, "flat", PL_OP_Squeeze, IN(y));
    ints(&b, "axes", 1, D(2));
    static const char *const names[] = {"long", "short", "step"};
    const int64_t taps[] = {32, 5, 7};
    for (int i = 0; i < 3; i++) {
        y = node(&b, names[i], PL_OP_Conv, IN(y, constant(&b, 3, D(16, 1, taps[i]), 0.5f)));
        number(&b, "group", 16);
        ints(&b, "pads", 2, D(taps[i] / 2, (taps[i] - 1) / 2));
        if (i == 2)
            ints(&b, "strides", 1, D(2));
    }
    y = node(&b, "last", PL_OP_Conv, IN(y, constant(&b, 3, D(4, 16, 1), 1)));
    finish(&b, y);
    check(&b, &plain, 4, D(2, 1, 3, 41), 30);
    ck_assert_int_eq(count(&b.g, PL_OP_QDepthwiseConv), 3);
    ck_assert_int_eq(count(&b.g, PL_OP_DequantizeLast), 0);
    ck_assert_int_eq(count(&b.g, PL_OP_Squeeze), 1);
    pl_ir_done(&b.g);
}
END_TEST

/* Channels that go last and first again are a view of the same bytes; rows that become columns are
 * not. */
START_TEST(turned)
{
    struct build b;
    begin(&b, 3);
    uint32_t y = node(&b, "conv", PL_OP_Conv, IN(0, constant(&b, 3, D(20, 4, 1), 0.5f)));
    y = node(&b, "last", PL_OP_Transpose, IN(y));
    ints(&b, "perm", 3, D(0, 2, 1));
    y = node(&b, "product", PL_OP_MatMul, IN(y, constant(&b, 2, D(20, 24), 0.3f)));
    y = node(&b, "first", PL_OP_Transpose, IN(y));
    ints(&b, "perm", 3, D(0, 2, 1));
    y = node(&b, "behind", PL_OP_Conv, IN(y, constant(&b, 3, D(8, 24, 1), 0.3f)));
    finish(&b, y);
    check(&b, &plain, 3, D(2, 4, 30), 30);
    ck_assert_int_eq(count(&b.g, PL_OP_Transpose), 0);
    ck_assert_int_eq(count(&b.g, PL_OP_DequantizeLast), 0);
    ck_assert_int_eq(count(&b.g, PL_OP_QuantizeLast), 1);
    pl_ir_done(&b.g);

    begin(&b, 4);
    y = node(&b, "conv", PL_OP_Conv, IN(0, constant(&b, 4, D(20, 4, 1, 1), 0.5f)));
    y = node(&b, "sides", PL_OP_Transpose, IN(y));
    ints(&b, "perm", 4, D(0, 1, 3, 2));
    y = node(&b, "behind", PL_OP_Conv, IN(y, constant(&b, 4, D(8, 20, 1, 1), 0.3f)));
    finish(&b, y);
    check(&b, &plain, 4, D(1, 4, 5, 6), 30);
    ck_assert_int_eq(count(&b.g, PL_OP_Transpose), 1);
    pl_ir_done(&b.g);
}
END_TEST

/* Everything that stays in bytes between two products: one of each, and nothing in floats but the
 * gate, which reads means of more bytes than 16 bits have room for. */
START_TEST(between)
{
    struct build b;
    begin(&b, 4);
    const uint32_t half = constant(&b, 0, NULL, 0.5f);
    uint32_t a = conv(&b, "a", 0, 3, 24);
    a = node(&b, "swish", PL_OP_HardSwish, IN(a));
    a = node(&b, "scaled", PL_OP_Mul, IN(a, half));
    uint32_t gate = node(&b, "mean", PL_OP_GlobalAveragePool, IN(a));
    gate = node(&b, "gate", PL_OP_Conv, IN(gate, constant(&b, 4, D(24, 24, 1, 1), 1)));
    gate = node(&b, "sigmoid", PL_OP_HardSigmoid, IN(gate));
    uint32_t y = node(&b, "gated", PL_OP_Mul, IN(gate, a));
    uint32_t c = conv(&b, "c", y, 24, 24);
    y = node(&b, "sum", PL_OP_Add, IN(c, a));
    y = node(&b, "gelu", PL_OP_Gelu, IN(y));
    uint32_t small = node(&b, "pool", PL_OP_MaxPool, IN(y));
    ints(&b, "kernel_shape", 2, D(2, 2));
    ints(&b, "strides", 2, D(2, 2));
    small = node(&b, "mean2", PL_OP_AveragePool, IN(small));
    ints(&b, "kernel_shape", 2, D(3, 2));
    ints(&b, "pads", 4, D(1, 0, 1, 1));
    const uint32_t scales = constant(&b, 1, D(4), 1);
    memcpy(b.values[scales].t.data, ((const float[]){1, 1, 2, 2}), 4 * sizeof(float));
    const uint32_t none = PL_IR_NONE;
    uint32_t large = node(&b, "large", PL_OP_Resize, IN(small, none, scales));
    text(&b, "coordinate_transformation_mode", "asymmetric");
    text(&b, "nearest_mode", "floor");
    y = node(&b, "cat", PL_OP_Concat, IN(y, large, c));
    number(&b, "axis", 1);
    y = node(&b, "up", PL_OP_ConvTranspose,
             IN(y, constant(&b, 4, D(72, 20, 2, 3), 0.2f), constant(&b, 1, D(20), 1)));
    ints(&b, "strides", 2, D(2, 3));
    y = node(&b, "relu", PL_OP_Relu, IN(y));
    y = node(&b, "last", PL_OP_ConvTranspose, IN(y, constant(&b, 4, D(20, 2, 2, 2), 0.5f)));
    ints(&b, "strides", 2, D(2, 2));
    finish(&b, y);
    check(&b, &plain, 4, D(2, 3, 44, 50), 25);
    static const int once[] = {PL_OP_QAdd,         PL_OP_QScale,  PL_OP_QMaxPool,
                               PL_OP_QAveragePool, PL_OP_QConcat, PL_OP_QGlobalAverage,
                               PL_OP_Resize};
    for (size_t i = 0; i < PL_ARRAY_LEN(once); i++)
        ck_assert_msg(count(&b.g, once[i]) == 1, "%s", pl_op_by_id(once[i])->name);
    ck_assert_int_eq(count(&b.g, PL_OP_QConvTranspose), 2);
    ck_assert_int_eq(count(&b.g, PL_OP_QConv), 2);
    ck_assert_int_eq(count(&b.g, PL_OP_Conv), 1);
    ck_assert_int_eq(count(&b.g, PL_OP_DequantizeLast), 0);
    pl_ir_done(&b.g);
}
END_TEST

/* The largest of windows that move by one pixel or more, reach beyond the picture, or over all of
 * a row of it. */
START_TEST(windows)
{
    static const struct {
        int64_t kernel[2], strides[2], pads[4];
    } cases[] = {{{2, 2}, {1, 1}, {0, 0, 1, 1}},
                 {{3, 3}, {2, 2}, {1, 1, 1, 1}},
                 {{5, 4}, {1, 3}, {2, 1, 2, 1}},
                 {{1, 2}, {1, 2}, {0, 0, 0, 0}},
                 {{2, 12}, {2, 1}, {0, 3, 0, 2}}};
    for (size_t i = 0; i < PL_ARRAY_LEN(cases); i++) {
        struct build b;
        begin(&b, 4);
        uint32_t y = conv(&b, "a", 0, 3, 20);
        y = node(&b, "pool", PL_OP_MaxPool, IN(y));
        ints(&b, "kernel_shape", 2, cases[i].kernel);
        ints(&b, "strides", 2, cases[i].strides);
        ints(&b, "pads", 4, cases[i].pads);
        finish(&b, conv(&b, "last", y, 20, 4));
        check(&b, &plain, 4, D(2, 3, 12, 10), 30);
        ck_assert_int_eq(count(&b.g, PL_OP_QMaxPool), 1);
        pl_ir_done(&b.g);
    }
}
END_TEST

/* Transposed convolutions whose windows overlap, leave gaps, reach beyond the picture or are cut.
 */
START_TEST(transposed)
{
    static const struct {
        int64_t kernel[2], strides[2], pads[4], more[2];
    } cases[] = {
        {{3, 3}, {2, 2}, {1, 1, 1, 1}, {1, 1}}, {{4, 4}, {2, 2}, {1, 1, 1, 1}, {0, 0}},
        {{5, 3}, {2, 3}, {2, 0, 1, 2}, {1, 0}}, {{2, 3}, {3, 4}, {0, 0, 0, 0}, {2, 3}},
        {{3, 2}, {1, 1}, {1, 0, 0, 1}, {0, 0}}, {{7, 1}, {2, 2}, {3, 0, 3, 0}, {1, 1}},
        {{5, 5}, {2, 2}, {4, 3, 4, 4}, {0, 1}}, {{1, 6}, {1, 4}, {0, 5, 0, 5}, {0, 0}},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(cases); i++) {
        struct build b;
        begin(&b, 4);
        uint32_t y = conv(&b, "a", 0, 3, 20);
        for (int k = 0; k < 2; k++) { /* to bytes by a table, and to floats */
            const int64_t out = k ? 3 : 20;
            const uint32_t w =
                constant(&b, 4, D(20, out, cases[i].kernel[0], cases[i].kernel[1]), 0.3f);
            y = node(&b, k ? "last" : "up", PL_OP_ConvTranspose,
                     IN(y, w, constant(&b, 1, &out, 1)));
            ints(&b, "strides", 2, cases[i].strides);
            ints(&b, "pads", 4, cases[i].pads);
            ints(&b, "output_padding", 2, cases[i].more);
            if (!k)
                y = node(&b, "gelu", PL_OP_Gelu, IN(y));
        }
        finish(&b, y);
        check(&b, &plain, 4, D(2, 3, 6, 7), 25);
        ck_assert_int_eq(count(&b.g, PL_OP_QConvTranspose), 2);
        pl_ir_done(&b.g);
    }
}
END_TEST

/* What is said of layers in bytes: their weights without what fills vectors, and one sum. */
START_TEST(sizes)
{
    static const struct {
        int64_t in, out, kernel, groups;
    } cases[] = {{5, 7, 3, 1}, {1, 20, 5, 1}, {16, 33, 1, 1}, {24, 24, 3, 24}};
    for (size_t i = 0; i < PL_ARRAY_LEN(cases); i++) {
        struct build b;
        struct pl_str told = {0};
        size_t bytes, all_bytes;
        double ratio, all_ratio;
        const int64_t in = cases[i].in, out = cases[i].out, k = cases[i].kernel;
        begin(&b, 4);
        const uint32_t w = constant(&b, 4, D(out, in / cases[i].groups, k, k), 0.3f);
        const uint32_t y = node(&b, "only", PL_OP_Conv, IN(0, w, constant(&b, 1, &out, 1)));
        number(&b, "group", cases[i].groups);
        finish(&b, y);
        check(&b, &plain, 4, D(2, in, 9, 8), 25);
        pl_layers_describe(&b.g, &told);
        const char *first = strchr(told.s, '\n'), *last = first ? strchr(first + 1, '\n') : NULL;
        ck_assert_ptr_nonnull(last);
        ck_assert_int_eq(sscanf(first, "%zu %lf", &bytes, &ratio), 2);
        ck_assert_int_eq(sscanf(last, "%zu %lf all", &all_bytes, &all_ratio), 2);
        const double floats = 4. * (double)(out * in / cases[i].groups * k * k + out);
        ck_assert_msg(fabs(ratio - floats / (double)bytes) < 0.06, "%zu: %s", i, told.s);
        ck_assert(bytes == all_bytes && ratio == all_ratio);
        pl_str_done(&told);
        pl_ir_done(&b.g);
    }
}
END_TEST

/* What two maps mark, and what is no map of what is marked. */
START_TEST(masks)
{
    float want[] = {0, 0.2f, 0.4f, 1, 0.9f, 0.31f}, got[] = {0, 0.4f, 0.5f, 0.2f, 1, 0.29f};
    struct pl_tensor w, g;
    struct pl_error_sums sums = {0}, none = {0}, row = {0}, beyond = {0};
    ck_assert(pl_tensor_shape(&w, PL_F32, 4, D(1, 1, 2, 3)));
    w.data = want;
    g = w;
    g.data = got;
    ck_assert_int_eq(pl_error_add(&sums, &g, &w, NULL), PLATEN_OK);
    ck_assert_double_eq_tol(pl_error_mask_iou(&sums), 2 / 5., 1e-9);
    ck_assert_int_eq(pl_error_add(&sums, &w, &w, NULL), PLATEN_OK);
    ck_assert_double_eq_tol(pl_error_mask_iou(&sums), 6 / 9., 1e-9);
    ck_assert(pl_tensor_shape(&w, PL_F32, 4, D(1, 2, 1, 3)));
    w.data = want;
    ck_assert_int_eq(pl_error_add(&row, &w, &w, NULL), PLATEN_OK);
    ck_assert(isnan(pl_error_mask_iou(&row)));
    ck_assert(pl_tensor_shape(&w, PL_F32, 4, D(1, 1, 2, 3)));
    w.data = want;
    want[5] = 1.5f;
    ck_assert_int_eq(pl_error_add(&beyond, &w, &w, NULL), PLATEN_OK);
    ck_assert(isnan(pl_error_mask_iou(&beyond)));
    memset(want, 0, sizeof(want));
    ck_assert_int_eq(pl_error_add(&none, &w, &w, NULL), PLATEN_OK);
    ck_assert(isnan(pl_error_mask_iou(&none)));
}
END_TEST

/* A sum that a convolution adds itself, with and without a table behind it. */
START_TEST(residual)
{
    for (int depthwise = 0; depthwise < 2; depthwise++) {
        struct build b;
        begin(&b, 4);
        uint32_t a = conv(&b, "a", 0, 3, 16);
        a = node(&b, "relu", PL_OP_Relu, IN(a));
        const uint32_t w = constant(&b, 4, depthwise ? D(16, 1, 3, 3) : D(16, 16, 3, 3), 0.3f);
        uint32_t y = node(&b, "sum", PL_OP_FusedConv, IN(a, w, PL_IR_NONE, a));
        ints(&b, "pads", 4, D(1, 1, 1, 1));
        number(&b, "group", depthwise ? 16 : 1);
        y = node(&b, "sigmoid", PL_OP_Sigmoid, IN(y));
        y = conv(&b, "last", y, 16, 3);
        finish(&b, y);
        check(&b, &plain, 4, D(2, 3, 8, 10), 30);
        ck_assert_int_eq(count(&b.g, PL_OP_FusedConv) + count(&b.g, PL_OP_Sigmoid), 0);
        pl_ir_done(&b.g);
    }
}
END_TEST

START_TEST(products)
{
    struct build b;
    begin(&b, 3);
    uint32_t y = node(&b, "up", PL_OP_FusedMatMul,
                      IN(0, constant(&b, 2, D(18, 40), 0.3f), constant(&b, 1, D(40), 1)));
    y = node(&b, "gelu", PL_OP_Gelu, IN(y));
    y = node(&b, "down", PL_OP_MatMul, IN(y, constant(&b, 2, D(40, 7), 0.3f)));
    y = node(&b, "soft", PL_OP_Softmax, IN(y));
    finish(&b, y);
    check(&b, &plain, 3, D(2, 11, 18), 30);
    ck_assert_int_eq(count(&b.g, PL_OP_QGemm), 2);
    ck_assert_int_eq(count(&b.g, PL_OP_Gelu), 0);
    pl_ir_done(&b.g);
}
END_TEST

/* Lines of other lengths, and of 1 to 3 rows each unless `rows` says how many, whose steps are
 * taken together, give on every ISA what each gives alone. */
static void check_together(const struct pl_ir *g, int64_t rows, int64_t columns)
{
    enum { N = 5 };
    static const int64_t steps[N] = {9, 4, 9, 1, 30};
    static float data[20000];
    struct build random = {.rng = 3};
    for (size_t i = 0; i < PL_ARRAY_LEN(data); i++)
        data[i] = 2 * next(&random);
    for (int isa = 0; isa < PL_ISA_COUNT; isa++) {
        struct platen_error err = {0};
        struct pl_kernels k;
        struct pl_session *alone, *s[N];
        struct pl_tensor x[N];
        const struct pl_tensor *in[N];
        if (!pl_isa_available((enum pl_isa)isa))
            continue;
        pl_kernels_init(&k, (enum pl_isa)isa);
        ck_assert_int_eq(pl_session_new(g, &k, 1 << 24, &alone, &err), PLATEN_OK);
        for (int i = 0; i < N; i++) {
            const int64_t batch = rows ? rows : 1 + i % 3;
            ck_assert_int_eq(pl_session_new(g, &k, 1 << 24, &s[i], &err), PLATEN_OK);
            ck_assert(pl_tensor_shape(&x[i], PL_F32, 3, D(steps[i], batch, columns)));
            ck_assert(pl_tensor_count(&x[i]) + 17 * N <= PL_ARRAY_LEN(data));
            x[i].data = data + 17 * i;
            in[i] = &x[i];
        }
        ck_assert_msg(!pl_session_run_together(s, in, N, &err), "%s", err.text);
        for (int i = 0; i < N; i++) {
            const struct pl_tensor *got = pl_session_output(s[i], 0);
            ck_assert_msg(!pl_session_run(alone, &x[i], &err), "%s", err.text);
            const struct pl_tensor *want = pl_session_output(alone, 0);
            ck_assert(pl_tensor_same_shape(got, want));
            ck_assert_mem_eq(got->data, want->data, pl_tensor_bytes(want));
            pl_session_free(s[i]);
        }
        pl_session_free(alone);
    }
}

/* The output of n numbers is the same on every level of this processor. */
static void same_on_all_levels(const struct pl_ir *g, const struct pl_quant_sets *sets, size_t n)
{
    static float want[10000], got[10000];
    ck_assert_uint_le(n, PL_ARRAY_LEN(want));
    output_of(g, PL_ISA_SCALAR, sets, NULL, want, n);
    for (int isa = 0; isa < PL_ISA_COUNT; isa++)
        if (pl_isa_available((enum pl_isa)isa)) {
            output_of(g, (enum pl_isa)isa, sets, NULL, got, n);
            ck_assert_msg(!memcmp(want, got, n * sizeof(*got)), "%s",
                          pl_isa_name((enum pl_isa)isa));
        }
}

/* Steps of recurrent layers, the states of which are given or not, in both directions. */
START_TEST(recurrent)
{
    const int ops[] = {PL_OP_FusedLSTM, PL_OP_FusedGRU};
    for (int i = 0; i < 8; i++) {
        const bool gru = i % 2, given = i / 2 % 2;
        const int64_t d = i / 4 + 1, hidden = 19 + i, rows = (gru ? 3 : 4) * hidden;
        const struct pl_quant_options o = {.percentile = 100, .narrow = i % 3 == 0};
        struct build b;
        begin(&b, 3);
        const uint32_t r = constant(&b, 3, D(d, hidden, rows), 0.5f);
        const uint32_t bias = gru ? constant(&b, 2, D(d, rows), 0.3f) : PL_IR_NONE;
        const uint32_t h = constant(&b, 3, D(d, 3, hidden), 1);
        const uint32_t c = gru ? PL_IR_NONE : constant(&b, 3, D(d, 3, hidden), 1);
        const uint32_t y =
            given ? node(&b, "steps", ops[gru], gru ? 4 : 5, (const uint32_t[]){0, r, bias, h, c})
                  : node(&b, "steps", ops[gru], 3, (const uint32_t[]){0, r, bias});
        text(&b, "direction", d == 2 ? "bidirectional" : given ? "reverse" : "forward");
        finish(&b, y);
        check_together(&b.g, given ? 3 : 0, d * rows);
        check(&b, &o, 3, D(9, 3, d * rows), 30);
        check_together(&b.g, given ? 3 : 0, d * rows);
        const struct pl_quant_sets sets = make_sets(&b, 3, D(9, 3, d * rows));
        same_on_all_levels(&b.g, &sets, (size_t)(9 * d * 3 * hidden));
        ck_assert_int_eq(count(&b.g, gru ? PL_OP_QGRU : PL_OP_QLSTM), 1);
        ck_assert_int_eq(count(&b.g, ops[gru]), 0);
        pl_ir_done(&b.g);
    }
}
END_TEST

/* Layers that stay, by name. */
/* Weighted sums of rows of a table, by indices that are made of x. */
static void bags(struct build *b)
{
    begin(b, 2);
    const uint32_t table = constant(b, 2, D(9, 21), 1);
    uint32_t i = node(b, "i", PL_OP_Cast, IN(0));
    number(b, "to", PL_I64);
    i = node(b, "sum", PL_OP_FusedEmbedding, IN(table, i, 0));
    number(b, "axis", -1);
    finish(b, i);
}

START_TEST(embedding)
{
    struct build b;
    struct pl_session *s;
    struct platen_error err = {0};
    float want[4 * 21];
    bags(&b);
    ck_assert_int_eq(pl_session_new(&b.g, best_kernels(), 1 << 20, &s, &err), PLATEN_OK);
    const struct pl_quant_sets sets = make_sets(&b, 2, D(4, 6));
    ck_assert_msg(!pl_session_run(s, sets.in, &err), "%s", err.text);
    memcpy(want, pl_session_output(s, 0)->data, sizeof(want));
    pl_session_free(s);
    for (size_t bag = 0; bag < 4; bag++) /* the law */
        for (size_t k = 0; k < 21; k++) {
            const float *table = b.values[1].t.data, *x = (const float *)sets.in->data + bag * 6;
            double sum = 0;
            for (size_t i = 0; i < 6; i++)
                sum += (double)x[i] * (double)table[((int)x[i] + 9) % 9 * 21 + (int)k];
            ck_assert(fabs((double)want[bag * 21 + k] - sum) < 1e-5);
        }
    ck_assert_int_eq(pl_quant_store(&b.g, &err), PLATEN_OK); /* halves, not decoded */
    ck_assert_int_eq(b.g.values[1].t.type, PL_F16);
    ck_assert_uint_eq(b.g.n_nodes, 2);
    ck_assert_int_eq(pl_session_new(&b.g, best_kernels(), 1 << 20, &s, &err), PLATEN_OK);
    ck_assert_msg(!pl_session_run(s, sets.in, &err), "%s", err.text);
    for (size_t i = 0; i < PL_ARRAY_LEN(want); i++)
        ck_assert(fabsf(((const float *)pl_session_output(s, 0)->data)[i] - want[i]) < 5e-3f);
    pl_session_free(s);
    pl_ir_done(&b.g);
    bags(&b);
    check(&b, &plain, 2, D(4, 6), 40);
    ck_assert_int_eq(count(&b.g, PL_OP_QEmbedding), 1);
    pl_ir_done(&b.g);
    bags(&b);
    ((float *)b.values[1].t.data)[5] = INFINITY; /* which bytes do not hold */
    ck_assert(!pl_quantize(&b.g, best_kernels(), &plain, &sets, &err));
    ck_assert_int_eq(count(&b.g, PL_OP_QEmbedding), 0);
    pl_ir_done(&b.g);
}
END_TEST

START_TEST(kept)
{
    struct build b;
    struct platen_error err;
    begin(&b, 4);
    uint32_t y = conv(&b, "a", 0, 3, 16);
    y = node(&b, "relu", PL_OP_Relu, IN(y));
    y = conv(&b, "b", y, 16, 16);
    y = conv(&b, "c", y, 16, 3);
    finish(&b, y);
    const struct pl_quant_sets sets = make_sets(&b, 4, D(1, 3, 8, 8));
    const struct pl_quant_options unknown = {.keep_float = "b,nosuch"};
    ck_assert_int_eq(pl_quantize(&b.g, best_kernels(), &unknown, &sets, &err), PLATEN_ERR_ARG);
    ck_assert_str_eq(err.text, "no node is named 'nosuch'");
    check(&b, &(struct pl_quant_options){.keep_float = "b,c"}, 4, D(1, 3, 8, 8), 30);
    ck_assert_int_eq(count(&b.g, PL_OP_QConv), 1);
    ck_assert_int_eq(count(&b.g, PL_OP_Conv), 2);
    pl_ir_done(&b.g);
}
END_TEST

/* Ranges: of one outlier among many the percentile lets go; the least error does when it pays. */
START_TEST(ranges)
{
    struct build b;
    struct pl_range r[4];
    static float data[10001];
    begin(&b, 1);
    finish(&b, node(&b, "y", PL_OP_Neg, IN(0)));
    for (size_t i = 0; i < 10000; i++)
        data[i] = next(&b);
    data[10000] = 3;
    struct pl_tensor x = {PL_F32, 1, {10001}, data};
    const struct pl_quant_sets sets = {.in = &x, .n = 1};
    ck_assert(!pl_quant_ranges(&b.g, best_kernels(), &sets, 100, r, NULL));
    ck_assert(r[0].hi == 3 && r[0].lo < -0.99 && r[0].lo >= -1 && r[1].lo == -3);
    ck_assert(!pl_quant_ranges(&b.g, best_kernels(), &sets, 99, r, NULL));
    ck_assert(r[0].hi < 1.01 && r[0].hi > 0.95);
    data[10000] = 1000; /* its own error is larger than what the others gain */
    ck_assert(!pl_quant_ranges(&b.g, best_kernels(), &sets, 0, r, NULL));
    ck_assert(r[0].hi == 1000);
    pl_ir_done(&b.g);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("quant");
    TCase *t = tcase_create("quant");
    tcase_add_test(t, convolutions);
    tcase_add_test(t, tiles);
    tcase_add_test(t, limited);
    tcase_add_test(t, flat);
    tcase_add_test(t, line);
    tcase_add_test(t, turned);
    tcase_add_test(t, between);
    tcase_add_test(t, windows);
    tcase_add_test(t, transposed);
    tcase_add_test(t, sizes);
    tcase_add_test(t, masks);
    tcase_add_test(t, residual);
    tcase_add_test(t, products);
    tcase_add_test(t, recurrent);
    tcase_add_test(t, embedding);
    tcase_add_test(t, kept);
    tcase_add_test(t, ranges);
    suite_add_tcase(s, t);
    return run_suite(s);
}
