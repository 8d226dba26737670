/* SPDX-License-Identifier: BSD-2-Clause */
/* Operators one at a time, on cases small enough to work out by hand, and what they refuse.
 * tests/accuracy/onnx.py has a vector for each of them. */
#include <check.h>
#include <math.h>
#include <string.h>

#include "onnx/onnx.h"
#include "tests/onnx_bytes.h"
#include "nn/prepared.h"
#include "nn/session.h"
#include "tests/best_kernels.h"
#include "tests/unit/suite.h"

#define MAX_INPUTS 8

/* One node whose inputs a, b, ... are those of the graph, run once. */
struct bench {
    struct msg node;
    const char *op;
    int opset, n_in;
    bool out_index; /* the second output is wanted, too */
    bool constant;  /* input 1 is a constant of the graph, and the node runs twice */
    struct pl_tensor in[MAX_INPUTS];
    struct pl_ir g;
    struct pl_session *session;
    double slack; /* by which a result may be off, where rounding is more than usual */
};

static void begin(struct bench *b, const char *op, int n_in)
{
    static const char *const names[] = {"", "a", "a b", "a b c", "a b c d"};
    memset(b, 0, sizeof(*b));
    b->op = op;
    b->opset = 17;
    b->n_in = n_in;
    b->node = onnx_node("it", op, names[n_in], "y z");
}

static void attr_int(struct bench *b, const char *name, int64_t v)
{
    struct msg a = onnx_attr_int(name, v);
    put_msg(&b->node, 5, &a);
}

static void attr_ints(struct bench *b, const char *name, int n, const int64_t *v)
{
    struct msg a = onnx_attr_ints(name, n, v);
    put_msg(&b->node, 5, &a);
}

static void attr_text(struct bench *b, const char *name, const char *v)
{
    struct msg a = onnx_attr_text(name, v);
    put_msg(&b->node, 5, &a);
}

static void input(struct bench *b, int i, enum pl_dtype type, int rank, const int64_t *dims,
                  const void *data)
{
    ck_assert(pl_tensor_shape(&b->in[i], type, rank, dims));
    b->in[i].data = (void *)data;
}

static platen_status run(struct bench *b, struct platen_error *err)
{
    static struct msg m;
    struct msg graph = {.n = 0}, y = onnx_info("y", PL_F32), z = onnx_info("z", PL_F32);
    for (int i = 0; i < b->n_in; i++) {
        char name[2] = {(char)('a' + i), 0};
        struct msg info = onnx_info(name, b->in[i].type);
        put_msg(&graph, 11, &info);
    }
    /* with one output only, take the name of the second off again */
    if (!b->out_index) {
        struct msg one = {.n = 0};
        size_t k = 0;
        static const uint8_t second[] = {0x12, 1, 'z'};
        for (; k + 3 <= b->node.n && memcmp(b->node.b + k, second, 3); k++)
            ;
        memcpy(one.b, b->node.b, k);
        memcpy(one.b + k, b->node.b + k + 3, b->node.n - k - 3);
        one.n = b->node.n - 3;
        b->node = one;
    }
    put_msg(&graph, 1, &b->node);
    put_msg(&graph, 12, &y);
    if (b->out_index)
        put_msg(&graph, 12, &z);
    m = onnx_model(&graph, b->opset);
    pl_ir_init(&b->g);
    platen_status s = pl_prepared_new(&b->g.prepared, err);
    s = s ? s : pl_onnx_read(m.b, m.n, NULL, &b->g, err);
    s = s ? s : pl_session_new(&b->g, best_kernels(), 1 << 20, &b->session, err);
    if (!s && b->constant)
        b->g.values[b->g.inputs[1]].t = b->in[1];
    s = s ? s : pl_session_run(b->session, b->in, err);
    if (s || !b->constant)
        return s;
    const struct pl_tensor *first = pl_session_output(b->session, 0);
    memset(first->data, 0, pl_tensor_bytes(first));
    return pl_session_run(b->session, b->in, err);
}

static void end(struct bench *b)
{
    pl_session_free(b->session);
    pl_ir_done(&b->g);
}

/* Runs, and wants this result. */
static void expect(struct bench *b, enum pl_dtype type, int rank, const int64_t *dims,
                   const double *want)
{
    struct platen_error err = {0};
    ck_assert_msg(run(b, &err) == PLATEN_OK, "%s", err.text);
    const struct pl_tensor *y = pl_session_output(b->session, 0);
    ck_assert_int_eq(y->type, type);
    ck_assert_int_eq(y->rank, rank);
    for (int i = 0; i < rank; i++)
        ck_assert_int_eq(y->dims[i], dims[i]);
    for (size_t i = 0; i < pl_tensor_count(y); i++)
        ck_assert_msg(isnan(want[i]) ? isnan(pl_tensor_f64(y, i))
                                     : fabs(pl_tensor_f64(y, i) - want[i]) <=
                                           fmax(b->slack, 1e-6 * fmax(1, fabs(want[i]))),
                      "%s: element %zu is %.9g, not %.9g", b->op, i, pl_tensor_f64(y, i), want[i]);
    end(b);
}

static void refuse(struct bench *b, const char *words)
{
    struct platen_error err = {0};
    ck_assert(run(b, &err) != PLATEN_OK);
    ck_assert_msg(strstr(err.text, words) != NULL, "'%s' not in '%s'", words, err.text);
    ck_assert_msg(strstr(err.text, "node 'it'") != NULL, "%s", err.text);
    end(b);
}

#define D(...) ((const int64_t[]){__VA_ARGS__})
#define V(...) ((const double[]){__VA_ARGS__})

START_TEST(broadcasting)
{
    static const float a[] = {1, 2, 3, 4, 5, 6}, row[] = {10, 20, 30}, column[] = {100, 200};
    static const int8_t small[] = {127, -128, 5}, one[] = {1};
    struct bench b;
    begin(&b, "Add", 2);
    input(&b, 0, PL_F32, 2, D(2, 3), a);
    input(&b, 1, PL_F32, 1, D(3), row);
    expect(&b, PL_F32, 2, D(2, 3), V(11, 22, 33, 14, 25, 36));
    begin(&b, "Sub", 2);
    input(&b, 0, PL_F32, 2, D(2, 1), column);
    input(&b, 1, PL_F32, 3, D(1, 1, 3), row);
    expect(&b, PL_F32, 3, D(1, 2, 3), V(90, 80, 70, 190, 180, 170));
    begin(&b, "Add", 2); /* integers wrap around */
    input(&b, 0, PL_I8, 1, D(3), small);
    input(&b, 1, PL_I8, 1, D(1), one);
    expect(&b, PL_I8, 1, D(3), V(-128, -127, 6));
    begin(&b, "Less", 2);
    input(&b, 0, PL_F32, 2, D(2, 3), a);
    input(&b, 1, PL_F32, 2, D(2, 1), V(0)); /* replaced below */
    b.in[1].data = (void *)(const float[]){2.5f, 4.5f};
    expect(&b, PL_BOOL, 2, D(2, 3), V(1, 1, 0, 1, 0, 0));
    begin(&b, "Mul", 2);
    input(&b, 0, PL_F32, 2, D(2, 3), a);
    input(&b, 1, PL_F32, 1, D(2), column);
    refuse(&b, "sizes 3 and 2 do not match");
    begin(&b, "Mul", 2);
    input(&b, 0, PL_F32, 2, D(0, 3), a); /* nothing times a row is nothing */
    input(&b, 1, PL_F32, 1, D(3), row);
    expect(&b, PL_F32, 2, D(0, 3), NULL);
}
END_TEST

/* A 3 x 3 box over 1..9 with zeros around: the sums of the neighbourhoods. */
START_TEST(convolution)
{
    static const float x[] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, ones[] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    static const float k[] = {1, 10}, bias[] = {0.5f}, two[] = {2, 3};
    struct bench b;
    begin(&b, "Conv", 2);
    attr_ints(&b, "pads", 4, D(1, 1, 1, 1));
    input(&b, 0, PL_F32, 4, D(1, 1, 3, 3), x);
    input(&b, 1, PL_F32, 4, D(1, 1, 3, 3), ones);
    expect(&b, PL_F32, 4, D(1, 1, 3, 3), V(12, 21, 16, 27, 45, 33, 24, 39, 28));
    begin(&b, "Conv", 2); /* the same window, every other place */
    attr_ints(&b, "pads", 4, D(1, 1, 1, 1));
    attr_ints(&b, "strides", 2, D(2, 2));
    input(&b, 0, PL_F32, 4, D(1, 1, 3, 3), x);
    input(&b, 1, PL_F32, 4, D(1, 1, 3, 3), ones);
    expect(&b, PL_F32, 4, D(1, 1, 2, 2), V(12, 16, 24, 28));
    begin(&b, "Conv", 3); /* one axis, taps two apart, a bias */
    attr_ints(&b, "dilations", 1, D(2));
    input(&b, 0, PL_F32, 3, D(1, 1, 4), x);
    input(&b, 1, PL_F32, 3, D(1, 1, 2), k);
    input(&b, 2, PL_F32, 1, D(1), bias);
    expect(&b, PL_F32, 3, D(1, 1, 2), V(31.5, 42.5));
    begin(&b, "Conv", 2); /* two groups of one channel */
    attr_int(&b, "group", 2);
    input(&b, 0, PL_F32, 3, D(1, 2, 2), x);
    input(&b, 1, PL_F32, 3, D(2, 1, 1), two);
    expect(&b, PL_F32, 3, D(1, 2, 2), V(2, 4, 9, 12));
    begin(&b, "ConvTranspose", 2); /* each input spread over two places */
    attr_ints(&b, "strides", 1, D(2));
    input(&b, 0, PL_F32, 3, D(1, 1, 2), x);
    input(&b, 1, PL_F32, 3, D(1, 1, 2), k);
    expect(&b, PL_F32, 3, D(1, 1, 4), V(1, 10, 2, 20));
    begin(&b, "Conv", 2);
    input(&b, 0, PL_F32, 3, D(1, 2, 2), x);
    input(&b, 1, PL_F32, 3, D(2, 1, 1), two);
    refuse(&b, "2 channels, weights for 1 in 1 groups");
    begin(&b, "Conv", 2);
    input(&b, 0, PL_F32, 3, D(1, 1, 2), x);
    input(&b, 1, PL_F32, 3, D(1, 1, 3), ones);
    refuse(&b, "the kernel is larger than the picture");
}
END_TEST

/* A convolution: of two numbers the first is along the height, the second along the width. */
struct taps {
    int64_t in[2], pads[4], kernel[2], stride[2], dilation[2];
};

/* The sum of all taps whose first one lies at row `top` and column `left`. */
static double tap_sum(const float *x, const float *w, const struct taps *t, int64_t channels,
                      int64_t top, int64_t left)
{
    const int64_t n = t->kernel[0] * t->kernel[1];
    double sum = 0;
    for (int64_t i = 0; i < channels * n; i++) {
        const int64_t row = top + i % n / t->kernel[1] * t->dilation[0];
        const int64_t column = left + i % t->kernel[1] * t->dilation[1];
        if (row >= 0 && row < t->in[0] && column >= 0 && column < t->in[1])
            sum += (double)w[i] * (double)x[(i / n * t->in[0] + row) * t->in[1] + column];
    }
    return sum;
}

/* Two pictures in two groups; numbers of which no sum is rounded, so that every way of computing
 * them gives the same, but for tiles: these are off by some roundings of sums up to 20000. */
static void convolve_channels(struct taps t, int64_t in, int64_t each, double slack, bool constant)
{
    enum { GROUPS = 2, IN = 32, OUT = 33, BATCH = 2, PIXELS = 1764, TAPS = 49 };
    static float x[BATCH * GROUPS * IN * PIXELS], w[GROUPS * OUT * IN * TAPS], bias[GROUPS * OUT];
    static double want[BATCH * GROUPS * OUT * PIXELS];
    int64_t out[2];
    struct bench b;
    for (int i = 0; i < 2; i++)
        out[i] = (t.in[i] + t.pads[i] + t.pads[i + 2] - (t.kernel[i] - 1) * t.dilation[i] - 1) /
                     t.stride[i] +
                 1;
    const int64_t plane = t.in[0] * t.in[1], n = t.kernel[0] * t.kernel[1], px = out[0] * out[1];
    ck_assert(plane <= PIXELS && n <= TAPS && px <= PIXELS && in <= IN && each <= OUT);
    for (size_t i = 0; i < PL_ARRAY_LEN(x); i++)
        x[i] = (float)(i * 7 % 11) - 5;
    for (size_t i = 0; i < PL_ARRAY_LEN(w); i++)
        w[i] = 4 * ((float)(i * 5 % 7) - 3);
    for (size_t i = 0; i < PL_ARRAY_LEN(bias); i++)
        bias[i] = (float)i;
    for (int64_t i = 0; i < BATCH * GROUPS * each * px; i++) {
        const int64_t channel = i / px % (GROUPS * each),
                      group = i / px / each; /* of all pictures */
        want[i] = (double)bias[channel] + tap_sum(x + group * in * plane, w + channel * in * n, &t,
                                                  in, i / out[1] % out[0] * t.stride[0] - t.pads[0],
                                                  i % out[1] * t.stride[1] - t.pads[1]);
    }
    begin(&b, "Conv", 3);
    b.slack = slack;
    b.constant = constant;
    attr_ints(&b, "pads", 4, t.pads);
    attr_ints(&b, "strides", 2, t.stride);
    attr_ints(&b, "dilations", 2, t.dilation);
    attr_int(&b, "group", GROUPS);
    input(&b, 0, PL_F32, 4, D(BATCH, GROUPS * in, t.in[0], t.in[1]), x);
    input(&b, 1, PL_F32, 4, D(GROUPS * each, in, t.kernel[0], t.kernel[1]), w);
    input(&b, 2, PL_F32, 1, D(GROUPS * each), bias);
    expect(&b, PL_F32, 4, D(BATCH, GROUPS * each, out[0], out[1]), want);
}

static void convolve(struct taps t, double slack, bool constant)
{
    convolve_channels(t, 32, 33, slack, constant);
}

/* With weights that are an input, and that are constants, of which a session keeps what it makes.
 */
static void convolve_in_tiles(struct taps t)
{
    convolve(t, 0.02, false);
    convolve(t, 0.02, true);
}

START_TEST(convolution_in_tiles)
{
    convolve_in_tiles((struct taps){{16, 16}, {1, 1, 1, 1}, {3, 3}, {1, 1}, {1, 1}});
    convolve_in_tiles((struct taps){{14, 14}, {1, 1, 1, 1}, {3, 3}, {1, 1}, {1, 1}});
    convolve_in_tiles((struct taps){{19, 21}, {0, 0, 0, 0}, {3, 3}, {1, 1}, {1, 1}});
    convolve_in_tiles((struct taps){{17, 15}, {2, 1, 0, 2}, {3, 3}, {1, 1}, {1, 1}});
    convolve_in_tiles((struct taps){{133, 3}, {1, 1, 1, 1}, {3, 3}, {1, 1}, {1, 1}});
    convolve_in_tiles((struct taps){{128, 2}, {0, 2, 2, 0}, {3, 3}, {1, 1}, {1, 1}});
    convolve_in_tiles((struct taps){{4, 75}, {1, 1, 1, 1}, {3, 3}, {1, 1}, {1, 1}});
    convolve_in_tiles((struct taps){{8, 48}, {1, 1, 1, 1}, {3, 3}, {1, 1}, {1, 1}});
    convolve_in_tiles(
        (struct taps){{36, 49}, {1, 1, 1, 1}, {3, 3}, {1, 1}, {1, 1}}); /* two blocks */
    convolve_in_tiles((struct taps){{2, 128}, {1, 1, 1, 1}, {3, 3}, {1, 1}, {1, 1}});
}
END_TEST

/* Pixels in two blocks, read where they lie or from a copy. */
START_TEST(convolution_of_pixels)
{
    convolve((struct taps){{30, 37}, {0, 0, 0, 0}, {1, 1}, {1, 1}, {1, 1}}, 0, false);
    convolve((struct taps){{32, 32}, {0, 0, 0, 0}, {1, 1}, {1, 1}, {1, 1}}, 0, false);
}
END_TEST

/* One product over several rows, over each row alone (where rows are short or their width fits the
 * tiles), and from gathered blocks (where they are narrow). */
START_TEST(convolution_in_bands)
{
    convolve((struct taps){{15, 20}, {1, 1, 1, 1}, {3, 3}, {2, 1}, {1, 1}}, 0, false);
    convolve((struct taps){{19, 7}, {1, 1, 1, 1}, {3, 3}, {1, 1}, {1, 1}}, 0, false);
    convolve((struct taps){{12, 12}, {1, 1, 1, 1}, {3, 3}, {2, 2}, {1, 1}}, 0, false);
    convolve((struct taps){{20, 20}, {3, 3, 3, 3}, {7, 7}, {2, 2}, {1, 1}}, 0, false);
    convolve((struct taps){{14, 10}, {2, 2, 2, 2}, {3, 3}, {1, 1}, {2, 2}}, 0, false);
    convolve((struct taps){{9, 11}, {0, 0, 0, 0}, {1, 1}, {2, 2}, {1, 1}}, 0, false);
    convolve((struct taps){{17, 15}, {1, 2, 0, 1}, {3, 2}, {3, 2}, {1, 3}}, 0, false);
    convolve((struct taps){{11, 16}, {0, 1, 0, 1}, {2, 3}, {4, 1}, {1, 1}}, 0, false);
    convolve((struct taps){{3, 16}, {0, 1, 0, 1}, {2, 3}, {9, 1}, {1, 1}}, 0, false);
    convolve((struct taps){{5, 48}, {1, 1, 1, 1}, {3, 3}, {1, 1}, {1, 1}}, 0, false);
    convolve((struct taps){{7, 3}, {1, 1, 1, 1}, {3, 3}, {1, 1}, {1, 1}}, 0, false);
}
END_TEST

/* Planes that do not mix: taps that are rows of the picture, and those that a stride or a dilation
 * parts. */
START_TEST(convolution_of_planes)
{
    convolve_channels((struct taps){{13, 29}, {2, 2, 2, 2}, {5, 5}, {1, 1}, {1, 1}}, 1, 1, 0,
                      false);
    convolve_channels((struct taps){{13, 29}, {1, 1, 1, 1}, {3, 3}, {1, 2}, {1, 1}}, 1, 1, 0,
                      false);
    convolve_channels((struct taps){{13, 29}, {0, 1, 0, 1}, {2, 3}, {1, 1}, {1, 1}}, 1, 1, 0,
                      false);
    convolve_channels((struct taps){{13, 29}, {1, 1, 1, 1}, {3, 3}, {2, 1}, {1, 1}}, 1, 1, 0,
                      false);
    convolve_channels((struct taps){{13, 29}, {2, 2, 2, 2}, {3, 3}, {1, 1}, {2, 2}}, 1, 1, 0,
                      false);
}
END_TEST

START_TEST(pools)
{
    static const float x[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    static const float holes[] = {-1, -2, -9, -3, NAN, -6, -7, -4, -8, -9, -6, -5};
    struct bench b;
    begin(&b, "MaxPool", 1);
    attr_ints(&b, "kernel_shape", 2, D(2, 2));
    attr_ints(&b, "strides", 2, D(2, 2));
    attr_int(&b, "ceil_mode", 1);
    input(&b, 0, PL_F32, 4, D(1, 1, 3, 3), x);
    expect(&b, PL_F32, 4, D(1, 1, 2, 2), V(5, 6, 8, 9));
    begin(&b, "MaxPool", 1); /* padding counts for nothing; a NaN stays */
    attr_ints(&b, "kernel_shape", 2, D(2, 3));
    attr_ints(&b, "pads", 4, D(1, 1, 0, 1));
    attr_ints(&b, "strides", 2, D(1, 3));
    input(&b, 0, PL_F32, 4, D(1, 1, 3, 4), holes);
    expect(&b, PL_F32, 4, D(1, 1, 3, 2), V(-1, -3, (double)NAN, -3, (double)NAN, -4));
    begin(&b, "AveragePool", 1); /* places beyond the border do not count */
    attr_ints(&b, "kernel_shape", 2, D(2, 2));
    attr_ints(&b, "pads", 4, D(1, 1, 0, 0));
    attr_ints(&b, "strides", 2, D(2, 2));
    input(&b, 0, PL_F32, 4, D(1, 1, 3, 3), x);
    expect(&b, PL_F32, 4, D(1, 1, 2, 2), V(1, 2.5, 5.5, 7));
    begin(&b, "GlobalAveragePool", 1);
    input(&b, 0, PL_F32, 3, D(1, 3, 3), x);
    expect(&b, PL_F32, 3, D(1, 3, 1), V(2, 5, 8));
}
END_TEST

/* Rows of windows of two planes, which are more than are computed at a time. */
START_TEST(pool_of_planes)
{
    enum { HIGH = 99, WIDE = 45, ROWS = (HIGH + 1) / 2, COLUMNS = (WIDE + 1) / 2 };
    static float x[2 * HIGH * WIDE];
    static double want[2 * ROWS * COLUMNS];
    struct bench b;
    for (int i = 0; i < 2 * HIGH * WIDE; i++)
        x[i] = (float)((i * 7919) % 1009);
    for (int i = 0; i < 2 * ROWS * COLUMNS; i++) {
        const int plane = i / (ROWS * COLUMNS), row = i / COLUMNS % ROWS, column = i % COLUMNS;
        for (int k = 0; k < 9; k++) {
            const int h = 2 * row + k / 3 - 1, w = 2 * column + k % 3 - 1;
            if (h >= 0 && h < HIGH && w >= 0 && w < WIDE)
                want[i] = fmax(want[i], (double)x[(plane * HIGH + h) * WIDE + w]);
        }
    }
    begin(&b, "MaxPool", 1);
    attr_ints(&b, "kernel_shape", 2, D(3, 3));
    attr_ints(&b, "pads", 4, D(1, 1, 1, 1));
    attr_ints(&b, "strides", 2, D(2, 2));
    input(&b, 0, PL_F32, 4, D(1, 2, HIGH, WIDE), x);
    expect(&b, PL_F32, 4, D(1, 2, ROWS, COLUMNS), want);
}
END_TEST

START_TEST(products)
{
    static const float a[] = {1, 2, 3, 4}, v[] = {5, 6};
    static const uint8_t q[] = {1, 2, 3, 4}, zero[] = {1};
    struct bench b;
    begin(&b, "MatMul", 2);
    input(&b, 0, PL_F32, 2, D(2, 2), a);
    input(&b, 1, PL_F32, 1, D(2), v);
    expect(&b, PL_F32, 1, D(2), V(17, 39));
    static float wide[2 * 50];
    static double twice[2 * 50];
    for (size_t i = 0; i < 100; i++) { /* columns in two blocks */
        wide[i] = (float)(i % 50 + i / 50);
        twice[i] = i < 50 ? 3 * (double)i + 2 : 7 * (double)(i - 50) + 4;
    }
    begin(&b, "MatMul", 2);
    b.constant = true;
    input(&b, 0, PL_F32, 2, D(2, 2), a);
    input(&b, 1, PL_F32, 2, D(2, 50), wide);
    expect(&b, PL_F32, 2, D(2, 50), twice);
    begin(&b, "Gemm", 3);
    attr_int(&b, "transA", 1);
    input(&b, 0, PL_F32, 2, D(2, 2), a);
    input(&b, 1, PL_F32, 2, D(2, 2), a);
    input(&b, 2, PL_F32, 1, D(2), v);
    expect(&b, PL_F32, 2, D(2, 2), V(15, 20, 19, 26));
    begin(&b, "MatMulInteger", 3);
    input(&b, 0, PL_U8, 2, D(2, 2), q);
    input(&b, 1, PL_U8, 2, D(2, 2), q);
    input(&b, 2, PL_U8, 0, NULL, zero);
    expect(&b, PL_I32, 2, D(2, 2), V(3, 4, 11, 16));
}
END_TEST

START_TEST(movement)
{
    static const float x[] = {1, 2, 3, 4, 5, 6};
    static const int64_t starts[] = {-1}, ends[] = {INT64_MIN}, axes[] = {1}, steps[] = {-2};
    static const int64_t shape[] = {0, -1, 1}, index[] = {-1, 0}, pads[] = {1, -1};
    struct bench b;
    begin(&b, "Transpose", 1);
    input(&b, 0, PL_F32, 2, D(2, 3), x);
    expect(&b, PL_F32, 2, D(3, 2), V(1, 4, 2, 5, 3, 6));
    begin(&b, "Slice", 4);
    b.node = onnx_node("it", "Slice", "a b c d e", "y z");
    b.n_in = 5;
    input(&b, 0, PL_F32, 2, D(2, 3), x);
    input(&b, 1, PL_I64, 1, D(1), starts);
    input(&b, 2, PL_I64, 1, D(1), ends);
    input(&b, 3, PL_I64, 1, D(1), axes);
    input(&b, 4, PL_I64, 1, D(1), steps);
    expect(&b, PL_F32, 2, D(2, 2), V(3, 1, 6, 4));
    begin(&b, "Reshape", 2);
    input(&b, 0, PL_F32, 2, D(2, 3), x);
    input(&b, 1, PL_I64, 1, D(3), shape);
    expect(&b, PL_F32, 3, D(2, 3, 1), V(1, 2, 3, 4, 5, 6));
    begin(&b, "Gather", 2);
    attr_int(&b, "axis", 1);
    input(&b, 0, PL_F32, 2, D(2, 3), x);
    input(&b, 1, PL_I64, 1, D(2), index);
    expect(&b, PL_F32, 2, D(2, 2), V(3, 1, 6, 4));
    begin(&b, "Gather", 2);
    input(&b, 0, PL_F32, 2, D(1, 3), x);
    input(&b, 1, PL_I64, 1, D(2), V(0));
    b.in[1].data = (void *)(const int64_t[]){0, 1};
    refuse(&b, "index 1 into 1 elements");
    begin(&b, "Pad", 2); /* one more in front, one less behind */
    attr_text(&b, "mode", "edge");
    input(&b, 0, PL_F32, 1, D(6), x);
    input(&b, 1, PL_I64, 1, D(2), pads);
    expect(&b, PL_F32, 1, D(6), V(1, 1, 2, 3, 4, 5));
    begin(&b, "Concat", 2);
    attr_int(&b, "axis", -1);
    input(&b, 0, PL_F32, 2, D(2, 1), x);
    input(&b, 1, PL_F32, 2, D(2, 2), x);
    expect(&b, PL_F32, 2, D(2, 3), V(1, 1, 2, 2, 3, 4));
}
END_TEST

/* Matrices whose axes have another between them: blocks of four by four, and what is left beside
 * and below them. */
START_TEST(turning)
{
    enum { A = 2, B = 3 };
    static float x[A * B * 21 * 21];
    static double want[A * B * 21 * 21];
    struct bench b;
    for (int rows = 1; rows <= 21; rows++) {
        const int columns = 22 - rows;
        for (int i = 0; i < A * B * rows * columns; i++)
            x[i] = (float)i;
        for (int a = 0, to = 0; a < A; a++)
            for (int j = 0; j < columns; j++)
                for (int m = 0; m < B; m++)
                    for (int i = 0; i < rows; i++, to++)
                        want[to] = ((a * rows + i) * B + m) * columns + j;
        begin(&b, "Transpose", 1);
        attr_ints(&b, "perm", 4, D(0, 3, 2, 1));
        input(&b, 0, PL_F32, 4, D(A, rows, B, columns), x);
        expect(&b, PL_F32, 4, D(A, columns, B, rows), want);
    }
}
END_TEST

START_TEST(axes)
{
    static const float x[] = {0, 0, 0, 0, 3, 1, 2, 3}, far[] = {0, 100, 7, 7, 3, -97};
    struct bench b;
    begin(&b, "LogSoftmax", 1);
    input(&b, 0, PL_F32, 2, D(3, 2), far);
    expect(&b, PL_F32, 2, D(3, 2),
           V(-100, 0, (double)-0.693147182f, (double)-0.693147182f, 0, -100));
    begin(&b, "Softmax", 1); /* from opset 13 on, the last axis */
    input(&b, 0, PL_F32, 2, D(1, 4), x);
    expect(&b, PL_F32, 2, D(1, 4), V(.25, .25, .25, .25));
    begin(&b, "Softmax", 1); /* before, all axes from 1 on together */
    b.opset = 11;
    input(&b, 0, PL_F32, 3, D(1, 2, 2), x);
    expect(&b, PL_F32, 3, D(1, 2, 2), V(.25, .25, .25, .25));
    begin(&b, "ReduceMean", 1);
    attr_ints(&b, "axes", 1, D(0));
    attr_int(&b, "keepdims", 0);
    input(&b, 0, PL_F32, 2, D(2, 4), x);
    expect(&b, PL_F32, 1, D(4), V(1.5, .5, 1, 1.5));
    begin(&b, "ReduceMean", 1);
    attr_ints(&b, "axes", 1, D(1));
    input(&b, 0, PL_F32, 3, D(2, 2, 2), x);
    expect(&b, PL_F32, 3, D(2, 1, 2), V(0, 0, 2.5, 2));
    begin(&b, "ArgMax", 1);
    attr_int(&b, "axis", 1);
    attr_int(&b, "select_last_index", 1);
    input(&b, 0, PL_F32, 2, D(2, 4), x);
    expect(&b, PL_I64, 2, D(2, 1), V(3, 3));
}
END_TEST

START_TEST(sums)
{
    static const float x[] = {1, 2, 3, 4}, w[] = {1, 0, 2, 0, 1, 3}, many[1 << 13];
    struct bench b;
    begin(&b, "Einsum", 2);
    attr_text(&b, "equation", "ij, jk -> ki");
    input(&b, 0, PL_F32, 2, D(2, 2), x);
    input(&b, 1, PL_F32, 2, D(2, 3), w);
    expect(&b, PL_F32, 2, D(3, 2), V(1, 3, 2, 4, 8, 18));
    begin(&b, "Einsum", 1); /* a diagonal; without an arrow what comes twice is summed */
    attr_text(&b, "equation", "...ii");
    input(&b, 0, PL_F32, 3, D(1, 2, 2), x);
    expect(&b, PL_F32, 1, D(1), V(5));
    begin(&b, "Einsum", 2);
    attr_text(&b, "equation", "a...,b->b...");
    input(&b, 0, PL_F32, 2, D(2, 2), x);
    input(&b, 1, PL_F32, 1, D(3), w);
    expect(&b, PL_F32, 2, D(3, 2), V(4, 6, 0, 0, 8, 12));
    static const char *const wrong[] = {"ij,jk", "ijk->i", "ij->k", "ij->i,", "i1->i", ".ij->i"};
    for (size_t i = 0; i < PL_ARRAY_LEN(wrong); i++) {
        begin(&b, "Einsum", 1);
        attr_text(&b, "equation", wrong[i]);
        input(&b, 0, PL_F32, 2, D(2, 2), x);
        refuse(&b, "the equation does not fit");
    }
    begin(&b, "Einsum", 2);
    attr_text(&b, "equation", "i,j->");
    input(&b, 0, PL_F32, 1, D(1 << 13), many);
    input(&b, 1, PL_F32, 1, D(1 << 13), many);
    expect(&b, PL_F32, 0, NULL, V(0));
    begin(&b, "Einsum", 3);
    attr_text(&b, "equation", "i,j,k->");
    for (int i = 0; i < 3; i++)
        input(&b, i, PL_F32, 1, D(1 << 13), many);
    refuse(&b, "too many products");
}
END_TEST

START_TEST(sampling)
{
    static const float x[] = {1, 2, 3, 4}, g[] = {-1, -1, 0, 0, 1, 0, 3, 0};
    struct bench b;
    begin(&b, "GridSample", 2);
    attr_int(&b, "align_corners", 1);
    input(&b, 0, PL_F32, 4, D(1, 1, 2, 2), x);
    input(&b, 1, PL_F32, 4, D(1, 1, 4, 2), g);
    expect(&b, PL_F32, 4, D(1, 1, 1, 4), V(1, 2.5, 3, 0));
    begin(&b, "GridSample", 2);
    attr_text(&b, "padding_mode", "border");
    input(&b, 0, PL_F32, 4, D(1, 1, 2, 2), x);
    input(&b, 1, PL_F32, 4, D(1, 1, 4, 2), g);
    expect(&b, PL_F32, 4, D(1, 1, 1, 4), V(1, 2.5, 3, 3));
    begin(&b, "GridSample", 2);
    attr_text(&b, "mode", "nearest");
    attr_text(&b, "padding_mode", "reflection");
    input(&b, 0, PL_F32, 4, D(1, 1, 2, 2), x);
    input(&b, 1, PL_F32, 4, D(1, 1, 4, 2), g);
    expect(&b, PL_F32, 4, D(1, 1, 1, 4), V(1, 1, 2, 1));
    begin(&b, "GridSample", 2);
    input(&b, 0, PL_F32, 3, D(1, 2, 2), x);
    input(&b, 1, PL_F32, 4, D(1, 1, 4, 2), g);
    refuse(&b, "pictures of 1 axes");
    begin(&b, "NonZero", 1);
    input(&b, 0, PL_F32, 2, D(2, 4), g);
    expect(&b, PL_I64, 2, D(2, 4), V(0, 0, 1, 1, 0, 1, 0, 2));
}
END_TEST

START_TEST(resizing)
{
    static const float x[] = {1, 2, 3, 4}, none[] = {0}, scales[] = {2};
    struct bench b;
    begin(&b, "Resize", 3);
    attr_text(&b, "mode", "linear"); /* half pixels: places -1/4, 1/4, 3/4, 5/4, ... */
    input(&b, 0, PL_F32, 1, D(4), x);
    input(&b, 1, PL_F32, 1, D(0), none);
    input(&b, 2, PL_F32, 1, D(1), scales);
    expect(&b, PL_F32, 1, D(8), V(1, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75, 4));
    begin(&b, "Resize", 3);
    attr_text(&b, "mode", "nearest");
    attr_text(&b, "coordinate_transformation_mode", "asymmetric");
    attr_text(&b, "nearest_mode", "floor");
    input(&b, 0, PL_F32, 1, D(4), x);
    input(&b, 1, PL_F32, 1, D(0), none);
    input(&b, 2, PL_F32, 1, D(1), scales);
    expect(&b, PL_F32, 1, D(8), V(1, 1, 2, 2, 3, 3, 4, 4));
}
END_TEST

/* Weights of 0: gates at sigmoid(0) = 1/2, so the cell is halved at each step and the new value is
 * tanh(bias) / 2. */
START_TEST(recurrent)
{
    static const float x[] = {7, 7}, w[4] = {0}, r[4] = {0};
    static const float bias[8] = {0, 0, 0, 1, 0, 0, 0, 0}; /* of the new value, W's part */
    struct bench b;
    const double t = tanh(1), c1 = t / 2, c2 = c1 / 2 + t / 2;
    begin(&b, "LSTM", 4);
    attr_int(&b, "hidden_size", 1);
    input(&b, 0, PL_F32, 3, D(2, 1, 1), x);
    input(&b, 1, PL_F32, 3, D(1, 4, 1), w);
    input(&b, 2, PL_F32, 3, D(1, 4, 1), r);
    input(&b, 3, PL_F32, 2, D(1, 8), bias);
    expect(&b, PL_F32, 4, D(2, 1, 1, 1), V(tanh(c1) / 2, tanh(c2) / 2));
    /* GRU: update gate 1/2; the new value is tanh(bias of R / 2) when it is reset after */
    begin(&b, "GRU", 4);
    attr_int(&b, "hidden_size", 1);
    attr_int(&b, "linear_before_reset", 1);
    input(&b, 0, PL_F32, 3, D(2, 1, 1), x);
    input(&b, 1, PL_F32, 3, D(1, 3, 1), w);
    input(&b, 2, PL_F32, 3, D(1, 3, 1), r);
    input(&b, 3, PL_F32, 2, D(1, 6), (const float[]){0, 0, 0, 0, 0, 1});
    const double h1 = tanh(.5) / 2;
    expect(&b, PL_F32, 4, D(2, 1, 1, 1), V(h1, tanh(.5) / 2 + h1 / 2));
}
END_TEST

START_TEST(quantized)
{
    static const float x[] = {-1, 0, .5f, 1.5f, 2.5f, 1000}, scale[] = {1};
    static const uint8_t zero[] = {10}, q[] = {0, 12};
    struct bench b;
    begin(&b, "QuantizeLinear", 3); /* ties to even */
    input(&b, 0, PL_F32, 1, D(6), x);
    input(&b, 1, PL_F32, 0, NULL, scale);
    input(&b, 2, PL_U8, 0, NULL, zero);
    expect(&b, PL_U8, 1, D(6), V(9, 10, 10, 12, 12, 255));
    begin(&b, "DequantizeLinear", 3);
    input(&b, 0, PL_U8, 1, D(2), q);
    input(&b, 1, PL_F32, 0, NULL, (const float[]){.5f});
    input(&b, 2, PL_U8, 0, NULL, zero);
    expect(&b, PL_F32, 1, D(2), V(-5, 1));
}
END_TEST

START_TEST(half_precision)
{
    static const uint16_t x[] = {0x3c00, 0xc000}; /* 1, -2 */
    struct bench b;
    begin(&b, "HardSwish", 1); /* x * clip(x / 6 + 1/2) */
    input(&b, 0, PL_F16, 1, D(2), x);
    b.opset = 17;
    struct platen_error err = {0};
    ck_assert_msg(run(&b, &err) == PLATEN_OK, "%s", err.text);
    const struct pl_tensor *y = pl_session_output(b.session, 0);
    ck_assert(fabs(pl_tensor_f64(y, 0) - 2. / 3) < 1e-3);
    ck_assert(fabs(pl_tensor_f64(y, 1) + 1. / 3) < 1e-3);
    end(&b);
    begin(&b, "Conv", 2);
    input(&b, 0, PL_F16, 3, D(1, 1, 2), x);
    input(&b, 1, PL_F16, 3, D(1, 1, 2), x);
    expect(&b, PL_F16, 3, D(1, 1, 1), V(5));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("operators");
    TCase *t = tcase_create("operators");
    tcase_add_test(t, broadcasting);
    tcase_add_test(t, convolution);
    tcase_add_test(t, convolution_in_tiles);
    tcase_add_test(t, convolution_of_pixels);
    tcase_add_test(t, convolution_in_bands);
    tcase_add_test(t, convolution_of_planes);
    tcase_add_test(t, pools);
    tcase_add_test(t, pool_of_planes);
    tcase_add_test(t, products);
    tcase_add_test(t, movement);
    tcase_add_test(t, turning);
    tcase_add_test(t, axes);
    tcase_add_test(t, sums);
    tcase_add_test(t, sampling);
    tcase_add_test(t, resizing);
    tcase_add_test(t, recurrent);
    tcase_add_test(t, quantized);
    tcase_add_test(t, half_precision);
    suite_add_tcase(s, t);
    return run_suite(s);
}
