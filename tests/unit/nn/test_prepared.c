/* SPDX-License-Identifier: BSD-2-Clause */
/* Weights in other layouts: made once for all sessions of a graph. */
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "nn/operators.h"
#include "nn/session_parts.h"
#include "onnx/onnx_network.h"
#include "tests/best_kernels.h"
#include "tests/onnx_bytes.h"
#include "tests/unit/suite.h"

#define D(...) ((const int64_t[]){__VA_ARGS__})

static atomic_int fills;

/* Fills a block of 64 bytes. */
static void fill(void *block, const void *ctx)
{
    atomic_fetch_add(&fills, 1);
    memset(block, *(const int *)ctx, 64);
}

static const uint8_t *get(struct pl_prepared *p, const struct pl_ir_node *n, const void *weights,
                          int value)
{
    return pl_prepared_get(p, n, weights, 64, fill, &value);
}

START_TEST(one_block_for_a_node)
{
    struct pl_prepared *p;
    const struct pl_ir_node a = {.op = pl_op_find("Conv")}, b = {.op = pl_op_find("Conv")};
    struct pl_ir_node changed = a;
    const float w[2] = {0};
    atomic_store(&fills, 0);
    ck_assert(!pl_prepared_new(&p, NULL));
    const uint8_t *first = get(p, &changed, &w[0], 1);
    ck_assert(first && (uintptr_t)first % 64 == 0 && first[0] == 1 && first[63] == 1);
    ck_assert_ptr_eq(get(p, &changed, &w[0], 2), first);
    ck_assert_int_eq(atomic_load(&fills), 1);
    ck_assert_int_eq(get(p, &b, &w[0], 3)[0], 3);       /* another node */
    ck_assert_int_eq(get(p, &changed, &w[1], 4)[0], 4); /* other weights */
    changed.op = pl_op_find("MatMul");
    ck_assert_int_eq(get(p, &changed, &w[0], 5)[0], 5); /* another operator in the same place */
    changed.op = a.op;
    ck_assert_ptr_eq(get(p, &changed, &w[0], 6), first);
    ck_assert_int_eq(first[0], 1);
    ck_assert_int_eq(atomic_load(&fills), 4);
    pl_prepared_free(p);
    pl_prepared_free(NULL);
}
END_TEST

static void fill_nothing(void *block, const void *ctx)
{
    (void)block, (void)ctx;
}

START_TEST(no_more_than_the_limit)
{
    struct pl_prepared *p;
    const struct pl_ir_node n[3] = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
    const size_t half = (size_t)8 << 20;
    ck_assert(!pl_prepared_new(&p, NULL));
    ck_assert_ptr_null(pl_prepared_get(p, &n[0], n, 0, fill_nothing, NULL));
    ck_assert_ptr_null(pl_prepared_get(p, &n[0], n, SIZE_MAX, fill_nothing, NULL));
    const void *first = pl_prepared_get(p, &n[0], n, half, fill_nothing, NULL);
    ck_assert_ptr_nonnull(first);
    ck_assert_ptr_null(pl_prepared_get(p, &n[1], n, half + 1, fill_nothing, NULL));
    pl_mem_fail_at(1, false);
    ck_assert_ptr_null(pl_prepared_get(p, &n[1], n, half, fill_nothing, NULL));
    pl_mem_fail_at(0, false);
    ck_assert_ptr_nonnull(pl_prepared_get(p, &n[1], n, half, fill_nothing, NULL));
    ck_assert_ptr_null(pl_prepared_get(p, &n[2], n, 1, fill_nothing, NULL));
    ck_assert_ptr_eq(pl_prepared_get(p, &n[0], n, half, fill_nothing, NULL), first);
    pl_prepared_free(p);
}
END_TEST

enum { CHANNELS = 16, SIDE = 20, THREADS = 4 };

/* Two convolutions of 3 x 3, which tiles compute, of the same weights: input 1, as a constant. */
static void make(struct pl_network **ret)
{
    static float numbers[CHANNELS * CHANNELS * 9];
    static struct msg m;
    _Alignas(16) static uint8_t bytes[sizeof(m.b)];
    struct msg graph = {.n = 0}, x = onnx_info("x", PL_F32), y = onnx_info("y", PL_F32);
    struct platen_error err = {0};
    struct msg w = onnx_info("w", PL_F32);
    struct msg a = onnx_node("a", "Conv", "x w", "s"), b = onnx_node("b", "Conv", "s w", "y");
    put_msg(&graph, 11, &x);
    put_msg(&graph, 11, &w);
    put_msg(&graph, 1, &a);
    put_msg(&graph, 1, &b);
    put_msg(&graph, 12, &y);
    m = onnx_model(&graph, 13);
    memcpy(bytes, m.b, m.n);
    ck_assert_msg(!pl_onnx_open_memory(bytes, m.n, ret, &err), "%s", err.text);
    struct pl_tensor *t = &(*ret)->g.values[(*ret)->g.inputs[1]].t;
    ck_assert(pl_tensor_shape(t, PL_F32, 4, D(CHANNELS, CHANNELS, 3, 3)));
    t->data = numbers;
}

/* Takes its time, so that the others ask meanwhile. */
static void fill_slowly(void *block, const void *ctx)
{
    const struct timespec nap = {.tv_nsec = 50000000};
    nanosleep(&nap, NULL);
    fill(block, ctx);
}

static void *get_slowly(void *ctx)
{
    static const struct pl_ir_node n;
    const int value = 7;
    return (void *)pl_prepared_get(ctx, &n, &n, 64, fill_slowly, &value);
}

START_TEST(one_thread_fills)
{
    struct pl_prepared *p;
    pthread_t threads[THREADS];
    void *got[THREADS];
    atomic_store(&fills, 0);
    ck_assert(!pl_prepared_new(&p, NULL));
    for (int i = 0; i < THREADS; i++)
        ck_assert(!pthread_create(&threads[i], NULL, get_slowly, p));
    for (int i = 0; i < THREADS; i++) {
        ck_assert(!pthread_join(threads[i], &got[i]));
        ck_assert_ptr_eq(got[i], got[0]);
        ck_assert_int_eq(((const uint8_t *)got[i])[63], 7);
    }
    ck_assert_int_eq(atomic_load(&fills), 1);
    pl_prepared_free(p);
}
END_TEST

struct job {
    const struct pl_network *n;
    const struct pl_kernels *k;
    atomic_int *waiting;
    struct pl_session *s;
};

static void *run(void *ctx)
{
    struct job *j = ctx;
    static float px[CHANNELS * SIDE * SIDE];
    struct pl_tensor in[2] = {{.data = px}, j->n->g.values[j->n->g.inputs[1]].t};
    bool fine = pl_tensor_shape(&in[0], PL_F32, 4, D(1, CHANNELS, SIDE, SIDE)) &&
                !pl_session_new(&j->n->g, j->k, 1 << 22, &j->s, NULL);
    atomic_fetch_sub(j->waiting, 1);
    while (atomic_load(j->waiting)) /* so that all begin at once */
        continue;
    return fine && !pl_session_run(j->s, in, NULL) ? j->s : NULL;
}

START_TEST(threads_share)
{
    struct pl_network *n = NULL;
    pthread_t threads[THREADS];
    struct job jobs[THREADS];
    atomic_int waiting = THREADS;
    make(&n);
    for (int i = 0; i < THREADS; i++) {
        jobs[i] = (struct job){.n = n, .k = best_kernels(), .waiting = &waiting};
        ck_assert(!pthread_create(&threads[i], NULL, run, &jobs[i]));
    }
    for (int i = 0; i < THREADS; i++) {
        void *s = NULL;
        ck_assert(!pthread_join(threads[i], &s) && s);
    }
    for (size_t node = 0; node < n->g.n_nodes; node++) {
        ck_assert_ptr_nonnull(jobs[0].s->prepared[node]);
        for (int i = 1; i < THREADS; i++)
            ck_assert_ptr_eq(jobs[i].s->prepared[node], jobs[0].s->prepared[node]);
    }
    ck_assert_ptr_ne(jobs[0].s->prepared[0], jobs[0].s->prepared[1]);
    for (int i = 0; i < THREADS; i++)
        pl_session_free(jobs[i].s);
    pl_network_free(n);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("prepared");
    TCase *t = tcase_create("prepared");
    tcase_add_test(t, one_block_for_a_node);
    tcase_add_test(t, no_more_than_the_limit);
    tcase_add_test(t, one_thread_fills);
    tcase_add_test(t, threads_share);
    suite_add_tcase(s, t);
    return run_suite(s);
}
