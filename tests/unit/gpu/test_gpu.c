/* SPDX-License-Identifier: BSD-2-Clause */
/* Networks on a device of Vulkan: the bytes of the kernels, whatever the device is, and what a
 * device that fails costs. Where there is none the program says why and is skipped. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "gpu/gpu_parts.h"
#include "gpu/shaders/blobs.h"
#include "nn/executor.h"
#include "nn/session.h"
#include "recognize/line_net.h"
#include "tests/best_kernels.h"
#include "tests/unit/suite.h"

#define SHIPPED PL_TEST_ROOT "/models/eng.platen"
#define TINY PL_TEST_ROOT "/tests/data/model/tiny.platen"
#define MAPS PL_TEST_ROOT "/tests/data/model/maps.platen"
#define REGIONS PL_TEST_ROOT "/models/regions.platen"

static struct pl_gpu *gpu;
static struct platen_error err;

static void open_device(void)
{
    ck_assert_msg(!pl_gpu_open(0, &gpu, &err), "%s", err.text);
}

static void close_device(void)
{
    pl_gpu_free(gpu);
    gpu = NULL;
}

static uint32_t seed = 1;

static uint32_t next_random(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

/* ---- an executor that counts the runs of another one ---- */

struct counter {
    struct pl_executor e;
    struct pl_executor *inner;
    int ran;
    bool wrong; /* it changes a byte of the result */
};

static bool count_run(struct pl_executor *e, struct pl_session *s, void **own)
{
    struct counter *c = (struct counter *)e;
    if (!c->inner->run(c->inner, s, own))
        return false;
    c->ran++;
    if (c->wrong)
        ((uint8_t *)s->values[s->g->outputs[0]].t.data)[0] ^= 1;
    return true;
}

static void count_forget(struct pl_executor *e, void *own)
{
    struct counter *c = (struct counter *)e;
    c->inner->forget(c->inner, own);
}

static struct counter counter;

/* Lets the device run the graph, and counts its runs. */
static void take(struct pl_ir *g)
{
    ck_assert_msg(!pl_gpu_take(gpu, g, &err), "%s", err.text);
    counter = (struct counter){
        .e = {.run = count_run, .forget = count_forget, .columns = g->executor->columns},
        .inner = g->executor};
    atomic_store(&counter.e.trust, PL_EXECUTOR_TRUSTED); /* of itself, without a look */
    g->executor = &counter.e;
}

/* ---- one operator behind a convolution that makes its input ---- */

/* Sizes of a kernel and of its steps, and what else a product may have. */
struct product {
    const char *op;
    int kernel_h, kernel_w, stride_h, stride_w, top, left, dilation;
    int in, out; /* channels */
    bool residual, table, to_float;
};

static struct pl_attr ints(struct pl_ir *g, const char *name, uint32_t n, int64_t a, int64_t b)
{
    int64_t *v = PL_NEW(&g->arena, int64_t, 4);
    for (uint32_t i = 0; i < n; i++)
        v[i] = i % 2 ? b : a;
    return (struct pl_attr){.name = name, .kind = PL_ATTR_INTS, .n = n, .v.ints = v};
}

static struct pl_attr integer(const char *name, int64_t i)
{
    return (struct pl_attr){.name = name, .kind = PL_ATTR_INT, .v.i = i};
}

static struct pl_attr number(const char *name, float f)
{
    return (struct pl_attr){.name = name, .kind = PL_ATTR_FLOAT, .v.f = f};
}

static uint32_t constant(struct pl_ir *g, enum pl_dtype type, size_t n)
{
    struct pl_ir_value *v = &g->values[g->n_values];
    *v = (struct pl_ir_value){.name = "constant", .writer = PL_IR_NONE};
    ck_assert(pl_tensor_shape(&v->t, type, 1, (int64_t[]){(int64_t)n}));
    v->t.data = pl_arena_alloc(&g->arena, n, pl_dtype_bytes(type));
    for (size_t i = 0; i < n; i++) {
        if (type == PL_F32)
            ((float *)v->t.data)[i] = (float)(next_random() % 1000 + 1) * 1e-5f;
        else if (type == PL_I32)
            ((int32_t *)v->t.data)[i] = (int32_t)(next_random() % 4000) - 2000;
        else
            ((uint8_t *)v->t.data)[i] = (uint8_t)next_random();
    }
    return (uint32_t)g->n_values++;
}

static uint32_t value(struct pl_ir *g, const char *name, uint32_t writer)
{
    g->values[g->n_values] = (struct pl_ir_value){.name = name, .writer = writer};
    g->values[g->n_values].t.rank = PL_IR_UNWRITTEN;
    return (uint32_t)g->n_values++;
}

static uint32_t node(struct pl_ir *g, const char *op, const uint32_t *in, uint32_t n_in,
                     const struct pl_attr *attrs, uint32_t n_attrs)
{
    struct pl_ir_node *n = &g->nodes[g->n_nodes];
    struct pl_attr *a = PL_NEW(&g->arena, struct pl_attr, n_attrs);
    *n = (struct pl_ir_node){.name = op, .op = pl_op_find(op), .n_in = n_in, .n_out = 1};
    n->in = PL_NEW(&g->arena, uint32_t, n_in);
    n->out = PL_NEW(&g->arena, uint32_t, 1);
    memcpy(n->in, in, n_in * sizeof(*in));
    memcpy(a, attrs, n_attrs * sizeof(*a));
    n->attrs = a;
    n->n_attrs = n_attrs;
    n->out[0] = value(g, op, (uint32_t)g->n_nodes++);
    ck_assert_msg(!pl_op_check(n, &err), "%s", err.text);
    return n->out[0];
}

/* Packed weights of `blocks` times 16 channels, whose runs of `words` words have `used` bytes each:
 * the others of a run are zero. */
static uint32_t packed(struct pl_ir *g, size_t blocks, size_t runs, size_t words, size_t used)
{
    const uint32_t v = constant(g, PL_I8, blocks * runs * words * 64);
    uint8_t *w = g->values[v].t.data;
    for (size_t i = 0; i < blocks * runs * words * 64; i++)
        if (i / 64 % words * 4 + i % 4 >= used)
            w[i] = 0;
    return v;
}

static uint32_t add_product(struct pl_ir *g, uint32_t x, const struct product *p, uint32_t residual)
{
    const bool planes = !strcmp(p->op, "QDepthwiseConv"), gemm = !strcmp(p->op, "QGemm");
    const size_t stored = (size_t)(p->out + 15) / 16 * 16;
    const size_t of = p->in == 1 ? 1 : (size_t)(p->in + 15) / 16 * 16;
    const bool flat = p->kernel_h == 1 && p->stride_w == 1 && !p->residual;
    const size_t h = (size_t)p->kernel_h, w = (size_t)p->kernel_w, used = w * of;
    const uint32_t in[] = {x,
                           !planes ? packed(g, stored / 16, h, (used + 3) / 4, used)
                           : flat  ? packed(g, stored / 16, 1, (w + 3) / 4, w)
                                   : packed(g, stored / 16, w, (h + 3) / 4, h),
                           constant(g, PL_I32, stored),
                           constant(g, PL_F32, stored),
                           p->residual ? residual : PL_IR_NONE,
                           p->table ? constant(g, PL_U8, 256) : PL_IR_NONE};
    const struct pl_attr attrs[] = {integer("channels", p->out),
                                    integer("x_zero", 3),
                                    integer("y_zero", p->table ? 0 : 37),
                                    integer("t_zero", 101),
                                    integer("residual_zero", 90),
                                    number("residual_ratio", 0.37f),
                                    ints(g, "kernel_shape", 2, p->kernel_h, p->kernel_w),
                                    ints(g, "strides", 2, p->stride_h, p->stride_w),
                                    ints(g, "pads", 4, p->top, p->left),
                                    ints(g, "dilations", 2, p->dilation, 1),
                                    integer("to_float", p->to_float)};
    const uint32_t n = planes ? 10 : 11;
    if (!gemm)
        return node(g, p->op, in, 6, attrs, n);
    struct pl_attr few[7];
    memcpy(few, attrs, 6 * sizeof(*attrs));
    few[6] = attrs[10];
    return node(g, p->op, in, 6, few, 7);
}

/* input, its bytes, a convolution, and the operator. */
static void make(struct pl_ir *g, const struct product *p)
{
    const struct product first = {"QConv", 3, 3, 1, 1, 1, 1, 1, 1, p->in, false, false, false};
    pl_ir_init(g);
    g->opset = 13;
    g->values = PL_NEW(&g->arena, struct pl_ir_value, 32);
    g->nodes = PL_NEW(&g->arena, struct pl_ir_node, 4);
    g->inputs = PL_NEW(&g->arena, uint32_t, 1);
    g->outputs = PL_NEW(&g->arena, uint32_t, 1);
    g->n_inputs = g->n_outputs = 1;
    g->inputs[0] = value(g, "input", PL_IR_NONE);
    ck_assert(pl_tensor_shape(&g->values[g->inputs[0]].t, PL_F32, 4, (int64_t[]){1, 1, 1, 1}));
    for (int i = 0; i < 4; i++)
        g->values[g->inputs[0]].t.dims[i] = -1;
    const struct pl_attr attrs[] = {integer("channels_first", 1), integer("stored", 1),
                                    number("y_scale", 0.5f), integer("y_zero", 3)};
    uint32_t x = node(g, "QuantizeLast", &g->inputs[0], 1, attrs, 4);
    x = p->in == 1 ? x : add_product(g, x, &first, PL_IR_NONE);
    g->outputs[0] = add_product(g, x, p, x);
}

static struct pl_session *session_of(const struct pl_ir *g)
{
    struct pl_session *s = NULL;
    ck_assert_msg(!pl_session_new(g, best_kernels(), 1 << 26, &s, &err), "%s", err.text);
    ck_assert(pl_session_take_bytes(s, 0, 0.5f, 3));
    return s;
}

/* Runs sizes that fill no group of the shaders, by both, again and again. */
static void check_sizes(struct pl_ir *g)
{
    static const int sizes[][3] = {{1, 5, 7}, {2, 4, 9}, {1, 17, 33}, {3, 8, 5}, {1, 5, 130}};
    static uint8_t px[3 * 17 * 130];
    struct pl_session *own = session_of(g);
    take(g);
    struct pl_session *other = session_of(g);
    for (size_t i = 0; i < PL_ARRAY_LEN(sizes); i++) {
        struct pl_tensor x = {.data = px};
        const int64_t dims[] = {sizes[i][0], 1, sizes[i][1], sizes[i][2]};
        ck_assert(pl_tensor_shape(&x, PL_U8, 4, dims));
        for (size_t k = 0; k < pl_tensor_count(&x); k++)
            px[k] = (uint8_t)next_random();
        ck_assert_msg(!pl_session_run(own, &x, &err), "%s", err.text);
        ck_assert_msg(!pl_session_run(other, &x, &err), "%s", err.text);
        const struct pl_tensor *a = pl_session_output(own, 0), *b = pl_session_output(other, 0);
        ck_assert_mem_eq(a->data, b->data, pl_tensor_bytes(a));
    }
    ck_assert_int_eq(counter.ran, PL_ARRAY_LEN(sizes));
    pl_session_free(own);
    pl_session_free(other);
}

static const struct product products[] = {
    {"QConv", 1, 1, 1, 1, 0, 0, 1, 16, 20, false, false, false},
    {"QConv", 3, 3, 1, 1, 1, 1, 1, 16, 16, true, false, false},
    {"QConv", 3, 3, 2, 2, 1, 1, 1, 1, 9, false, false, false},
    {"QConv", 3, 5, 2, 1, 1, 2, 1, 1, 33, false, true, false},
    {"QConv", 2, 3, 1, 2, 0, 1, 1, 32, 48, false, false, false},
    {"QConv", 3, 1, 1, 1, 2, 0, 2, 16, 16, false, true, false},
    {"QConv", 4, 1, 4, 1, 0, 0, 1, 32, 17, false, false, true},
    {"QConv", 3, 3, 2, 2, 1, 1, 1, 20, 5, false, false, true},
    {"QDepthwiseConv", 1, 7, 1, 1, 0, 3, 1, 32, 32, false, false, false},
    {"QDepthwiseConv", 1, 8, 1, 1, 0, 4, 1, 16, 16, false, true, false},
    {"QDepthwiseConv", 3, 3, 1, 1, 1, 1, 1, 48, 48, true, false, false},
    {"QDepthwiseConv", 5, 5, 2, 2, 2, 2, 1, 16, 16, false, false, false},
    {"QDepthwiseConv", 1, 3, 1, 2, 0, 1, 1, 32, 32, false, true, false},
    {"QGemm", 1, 1, 1, 1, 0, 0, 1, 32, 250, false, false, true},
    {"QGemm", 1, 1, 1, 1, 0, 0, 1, 48, 48, true, true, false},
};

START_TEST(product_equals_the_kernels)
{
    struct pl_ir g;
    open_device();
    make(&g, &products[_i]);
    check_sizes(&g);
    close_device();
    pl_ir_done(&g);
}
END_TEST

/* ---- whole networks ---- */

static void draw(uint8_t *px, size_t n)
{
    for (size_t i = 0; i < n; i++)
        px[i] = (uint8_t)(i % 5 ? next_random() : 48);
}

/* Lines alone and in company, on the device and by the kernels. */
static void check_lines(const char *path, const int *widths, size_t n)
{
    struct pl_network *net = NULL;
    struct pl_line_model m;
    struct pl_line_net *by[2] = {NULL, NULL};
    ck_assert_msg(!pl_network_open(path, &net, &err), "%s", err.text);
    ck_assert_msg(!pl_line_model_read(net, &m, &err), "%s", err.text);
    ck_assert(!pl_line_net_new(net, &m, best_kernels(), NULL, &by[0], &err));
    open_device();
    take(&net->g);
    ck_assert(!pl_line_net_new(net, &m, best_kernels(), NULL, &by[1], &err));
    for (size_t together = 1; together <= n; together += n - 1)
        for (size_t i = 0; i < n; i += together) {
            for (size_t k = i; k < i + together; k++) {
                const size_t bytes = (size_t)(m.height * widths[k]);
                uint8_t *a = pl_line_net_add(by[0], widths[k]);
                uint8_t *b = pl_line_net_add(by[1], widths[k]);
                draw(a, bytes);
                memcpy(b, a, bytes);
            }
            ck_assert_msg(!pl_line_net_run(by[0], &err), "%s", err.text);
            ck_assert_msg(!pl_line_net_run(by[1], &err), "%s", err.text);
            for (size_t k = 0; k < together; k++) {
                const struct pl_line_scores a = pl_line_net_scores(by[0], k),
                                            b = pl_line_net_scores(by[1], k);
                ck_assert_mem_eq(a.values, b.values, a.steps * m.n_classes * sizeof(float));
            }
        }
    ck_assert_int_eq(counter.ran, (int)n + 1);
    pl_line_net_free(by[0]);
    pl_line_net_free(by[1]);
    close_device();
    pl_line_model_done(&m);
    pl_network_free(net);
}

START_TEST(lines_equal_the_kernels)
{
    static const int widths[] = {4, 8, 64, 20, 132, 12, 4, 252};
    check_lines(TINY, widths, PL_ARRAY_LEN(widths));
}
END_TEST

START_TEST(shipped_model_equals_the_kernels)
{
    static const int widths[] = {24, 100, 4};
    check_lines(SHIPPED, widths, PL_ARRAY_LEN(widths));
}
END_TEST

/* A network of maps, whose results have their channels first. */
static void check_maps(const char *path, int height, float scale)
{
    static uint8_t px[256 * 72];
    struct pl_network *net = NULL;
    struct pl_session *by[2] = {NULL, NULL};
    struct pl_tensor x = {.data = px};
    ck_assert_msg(!pl_network_open(path, &net, &err), "%s", err.text);
    ck_assert(!pl_session_new(&net->g, best_kernels(), 1 << 28, &by[0], &err));
    open_device();
    take(&net->g);
    ck_assert(!pl_session_new(&net->g, best_kernels(), 1 << 28, &by[1], &err));
    for (int width = 8; width <= 72; width += 32) {
        ck_assert(pl_tensor_shape(&x, PL_U8, 4, (int64_t[]){1, 1, height, width}));
        draw(px, (size_t)(height * width));
        for (int i = 0; i < 2; i++) {
            pl_session_take_bytes(by[i], 0, scale, 0);
            ck_assert_msg(!pl_session_run(by[i], &x, &err), "%s", err.text);
        }
        const struct pl_tensor *a = pl_session_output(by[0], 0), *b = pl_session_output(by[1], 0);
        ck_assert_mem_eq(a->data, b->data, pl_tensor_bytes(a));
    }
    ck_assert_int_eq(counter.ran, 3);
    pl_session_free(by[0]);
    pl_session_free(by[1]);
    close_device();
    pl_network_free(net);
}

START_TEST(maps_equal_the_kernels)
{
    check_maps(MAPS, 32, 1 / 255.0f);
    check_maps(REGIONS, 256, 1 / 255.0f);
}
END_TEST

/* ---- the code itself ---- */

#define DECORATE 71
#define NO_CONTRACTION 42
#define ADD 129 /* of floats, as the next */
#define MULTIPLY 133
#define MOST_IDS 8192

/* A driver may fuse a product with a sum, which rounds once, unless the code forbids it: each
 * operation must. A driver that does not fuse would not tell. */
static void check_contraction(const uint32_t *code, size_t words)
{
    static bool kept[MOST_IDS];
    size_t found = 0;
    memset(kept, 0, sizeof(kept));
    ck_assert_uint_lt(code[3], MOST_IDS);
    for (size_t at = 5; at < words; at += code[at] >> 16) {
        const uint32_t op = code[at] & 0xffff;
        if (op == DECORATE && code[at + 2] == NO_CONTRACTION)
            kept[code[at + 1]] = true;
        if (op != ADD && op != MULTIPLY)
            continue;
        found++;
        ck_assert(kept[code[at + 2]]);
    }
    ck_assert_uint_ge(found, 3);
}

START_TEST(nothing_is_fused)
{
    check_contraction(product_code, PL_ARRAY_LEN(product_code));
    check_contraction(depthwise_code, PL_ARRAY_LEN(depthwise_code));
}
END_TEST

/* ---- what goes wrong ---- */

static int runs_left;
static VkResult (*submit_well)(VkQueue, uint32_t, const VkSubmitInfo *, VkFence);
static VkResult (*allocate_well)(VkDevice, const VkMemoryAllocateInfo *,
                                 const VkAllocationCallbacks *, VkDeviceMemory *);

static VkResult submit_badly(VkQueue q, uint32_t n, const VkSubmitInfo *info, VkFence fence)
{
    return runs_left-- > 0 ? submit_well(q, n, info, fence) : VK_ERROR_DEVICE_LOST;
}

static VkResult allocate_badly(VkDevice d, const VkMemoryAllocateInfo *info,
                               const VkAllocationCallbacks *a, VkDeviceMemory *ret)
{
    return runs_left-- > 0 ? allocate_well(d, info, a, ret) : VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

/* Runs a picture by the kernels and by a session whose device may fail; returns what the device
 * says then, or NULL. */
static const char *run_with_faults(void)
{
    static uint8_t px[9 * 40];
    struct pl_ir g;
    const char *why;
    make(&g, &products[1]);
    struct pl_session *own = session_of(&g);
    const bool taken = !pl_gpu_take(gpu, &g, &err);
    struct pl_session *other = session_of(&g);
    for (int i = 0; i < 3; i++) {
        struct pl_tensor x = {.data = px};
        ck_assert(pl_tensor_shape(&x, PL_U8, 4, (int64_t[]){1, 1, 9, 8 + 16 * i}));
        draw(px, sizeof(px));
        ck_assert(!pl_session_run(own, &x, &err) && !pl_session_run(other, &x, &err));
        const struct pl_tensor *a = pl_session_output(own, 0), *b = pl_session_output(other, 0);
        ck_assert_mem_eq(a->data, b->data, pl_tensor_bytes(a));
    }
    pl_session_free(own);
    pl_session_free(other);
    pl_ir_done(&g);
    ck_assert(taken || pl_gpu_failed(gpu, &why));
    return pl_gpu_failed(gpu, &why) ? why : NULL;
}

START_TEST(lost_device)
{
    for (int n = 0;; n++) {
        open_device();
        runs_left = n;
        submit_well = gpu->vk.QueueSubmit;
        gpu->vk.QueueSubmit = submit_badly;
        const char *why = run_with_faults();
        ck_assert(!why || strstr(why, "the device was lost"));
        close_device();
        if (!why) {
            ck_assert_int_eq(n, 4); /* the weights, and three runs */
            break;
        }
    }
}
END_TEST

START_TEST(short_device_memory)
{
    for (int n = 0;; n++) {
        open_device();
        runs_left = n;
        allocate_well = gpu->vk.AllocateMemory;
        gpu->vk.AllocateMemory = allocate_badly;
        const char *why = run_with_faults();
        ck_assert(!why || strstr(why, "out of device memory"));
        close_device();
        if (!why) {
            ck_assert_int_gt(n, 3);
            break;
        }
    }
}
END_TEST

/* Every allocation of the host fails once: the bytes stay, or the run fails as it says. */
START_TEST(short_memory)
{
    bool done = false;
    for (uint64_t n = 1; !done; n++) {
        struct pl_gpu *one = NULL;
        struct pl_ir g;
        make(&g, &products[0]);
        struct pl_session *s = NULL;
        static uint8_t px[9 * 40];
        struct pl_tensor x = {.data = px};
        ck_assert(pl_tensor_shape(&x, PL_U8, 4, (int64_t[]){1, 1, 9, 40}));
        pl_mem_fail_at(n, false);
        const uint64_t before = pl_mem_count();
        platen_status st = pl_gpu_open(0, &one, &err);
        st = st ? st : pl_gpu_take(one, &g, &err);
        st = st ? st : pl_session_new(&g, best_kernels(), 1 << 26, &s, &err);
        if (!st)
            pl_session_take_bytes(s, 0, 0.5f, 3);
        st = st ? st : pl_session_run(s, &x, &err);
        done = pl_mem_count() - before < n;
        pl_mem_fail_at(0, false);
        ck_assert(!done || !st);
        ck_assert(!st || st == PLATEN_ERR_NOMEM || st == PLATEN_ERR_UNSUPPORTED);
        pl_session_free(s);
        pl_gpu_free(one);
        pl_ir_done(&g);
    }
}
END_TEST

/* A device that computes other bytes is found out at its first run, whose result is right. */
START_TEST(wrong_bytes)
{
    static uint8_t px[9 * 40];
    const char *why;
    struct pl_ir g;
    struct pl_tensor x = {.data = px};
    ck_assert(pl_tensor_shape(&x, PL_U8, 4, (int64_t[]){1, 1, 9, 40}));
    open_device();
    make(&g, &products[1]);
    struct pl_session *own = session_of(&g);
    take(&g);
    counter.wrong = true;
    atomic_store(&counter.e.trust, PL_EXECUTOR_UNTRIED);
    struct pl_session *other = session_of(&g);
    for (int i = 0; i < 3; i++) {
        draw(px, sizeof(px));
        ck_assert(!pl_session_run(own, &x, &err) && !pl_session_run(other, &x, &err));
        const struct pl_tensor *a = pl_session_output(own, 0), *b = pl_session_output(other, 0);
        ck_assert_mem_eq(a->data, b->data, pl_tensor_bytes(a));
    }
    ck_assert_int_eq(counter.ran, 1);
    ck_assert_int_eq(atomic_load(&counter.e.trust), PL_EXECUTOR_REFUSED);
    atomic_store(&counter.inner->trust, PL_EXECUTOR_REFUSED);
    ck_assert(pl_gpu_failed(gpu, &why) && strstr(why, "other bytes"));
    pl_session_free(own);
    pl_session_free(other);
    close_device();
    pl_ir_done(&g);
}
END_TEST

START_TEST(no_such_device)
{
    struct pl_gpu *one = NULL;
    ck_assert_int_eq(pl_gpu_open(999, &one, &err), PLATEN_ERR_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(err.text, "none has the number 999"));
}
END_TEST

/* An operator that has no shader: the graph stays as it was. */
START_TEST(other_operators)
{
    struct pl_ir g;
    open_device();
    make(&g, &products[0]);
    g.nodes[1].op = pl_op_find("QTable");
    ck_assert_int_eq(pl_gpu_take(gpu, &g, &err), PLATEN_ERR_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(err.text, "(QTable): no operator of the GPU"));
    ck_assert_ptr_null(g.executor);
    close_device();
    pl_ir_done(&g);
}
END_TEST

/* An instance that stays open, so that the loader keeps the driver in memory to the end: what a
 * driver holds in its own variables is no leak, and would look like one when the driver has been
 * unloaded. */
static struct pl_vk held;

int main(void)
{
    if (pl_vk_open(&held, &err) || pl_gpu_open(0, &gpu, &err)) {
        printf("1..0 # SKIP %s\n", err.text);
        return EXIT_SUCCESS;
    }
    close_device();
    Suite *s = suite_create("gpu");
    TCase *t = tcase_create("gpu");
    tcase_add_loop_test(t, product_equals_the_kernels, 0, PL_ARRAY_LEN(products));
    tcase_add_test(t, lines_equal_the_kernels);
    tcase_add_test(t, shipped_model_equals_the_kernels);
    tcase_add_test(t, maps_equal_the_kernels);
    tcase_add_test(t, nothing_is_fused);
    tcase_add_test(t, lost_device);
    tcase_add_test(t, short_device_memory);
    tcase_add_test(t, short_memory);
    tcase_add_test(t, wrong_bytes);
    tcase_add_test(t, no_such_device);
    tcase_add_test(t, other_operators);
    suite_add_tcase(s, t);
    return run_suite(s);
}
