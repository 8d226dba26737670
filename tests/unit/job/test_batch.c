/* SPDX-License-Identifier: BSD-2-Clause */
/* How many lines wait for others, and what has no room beside others. */
#include <check.h>

#include "base/attr.h"
#include "host/host.h"
#include "job/batch.h"
#include "spec/spec.h"
#include "tests/unit/suite.h"

/* Lines that are enough after batches that took so long each. */
static size_t adapt(size_t enough, const double *took_ms, size_t n, bool full)
{
    for (size_t i = 0; i < n; i++)
        enough = pl_batch_adapt(enough, 16, 50, took_ms[i], full);
    return enough;
}

START_TEST(lines_that_wait_follow_the_time)
{
    static const double fast[] = {10, 50, 49, 1}, slow[] = {51, 90};
    double always_fast[40];
    for (size_t i = 0; i < PL_ARRAY_LEN(always_fast); i++)
        always_fast[i] = 20;
    ck_assert_uint_eq(adapt(1, fast, PL_ARRAY_LEN(fast), true), 5);  /* one more each time */
    ck_assert_uint_eq(adapt(16, slow, PL_ARRAY_LEN(slow), true), 4); /* half as many each time */
    ck_assert_uint_eq(adapt(1, slow, PL_ARRAY_LEN(slow), true), 1);
    ck_assert_uint_eq(adapt(1, always_fast, PL_ARRAY_LEN(always_fast), true), 16);
    /* more would not have been used */
    ck_assert_uint_eq(adapt(3, always_fast, PL_ARRAY_LEN(always_fast), false), 3);
    ck_assert_uint_eq(adapt(3, slow, 1, false), 1);
}
END_TEST

/* Where each line that waits takes 4 ms, the batches settle about the target. */
START_TEST(the_time_settles_below_the_target)
{
    size_t enough = 1;
    double sum_ms = 0;
    for (int i = 0; i < 1000; i++) {
        const double took_ms = 4.0 * (double)enough;
        sum_ms += took_ms;
        enough = pl_batch_adapt(enough, 64, 50, took_ms, true);
    }
    ck_assert_double_lt(sum_ms / 1000, 50);
    ck_assert_double_gt(sum_ms / 1000, 30);
}
END_TEST

/* Lines wait until there are enough of them, and no longer than there is room for their pages. */
START_TEST(pages_wait_while_there_is_room)
{
    const struct platen_pipeline whole = {.divides = false}, divided = {.divides = true};
    const struct pl_plan plan = {.pipeline = &whole}, dividing = {.pipeline = &divided};
    struct pl_page page = {.plan = &plan};
    struct pl_batch b = {.pages = &page, .n = 1, .enough = 16, .size = {.lines = 15}};
    ck_assert(!pl_batch_is_ready(&b));
    b.size.lines = 16;
    ck_assert(pl_batch_is_ready(&b));
    b.size.lines = 0;
    ck_assert(pl_batch_is_ready(&b));
    b.size.lines = 1;
    b.bytes = PL_BATCH_BYTES;
    ck_assert(!pl_batch_is_ready(&b));
    ck_assert(pl_batch_has_room(&b, 0));
    ck_assert(!pl_batch_has_room(&b, 1));
    b.bytes++;
    ck_assert(pl_batch_is_ready(&b));
    b.bytes = 0;
    ck_assert(pl_batch_has_room(&b, PL_BATCH_BYTES));
    ck_assert(!pl_batch_has_room(&b, PL_BATCH_BYTES + 1));
    b.n = PL_BATCH_PAGES;
    ck_assert(pl_batch_is_ready(&b));
    b.n = 1;
    page.plan = &dividing;
    ck_assert(pl_batch_is_ready(&b));
}
END_TEST

START_TEST(a_batch_has_patience_until_a_page_is_canceled)
{
    const struct pl_batch_rules rules = {.wait_ms = 60000};
    atomic_bool cancel = false;
    struct pl_page pages[3] = {{.cancel = NULL}, {.cancel = &cancel}, {.cancel = NULL}};
    struct pl_batch b = {.rules = &rules, .pages = pages};
    ck_assert_int_eq(pl_batch_patience(&b), -1);
    b.n = 3;
    ck_assert_int_eq(pl_batch_patience(&b), 0); /* the first page came long ago */
    b.since_s = pl_host_seconds();
    ck_assert_int_gt(pl_batch_patience(&b), 0);
    atomic_store(&cancel, true);
    ck_assert_int_eq(pl_batch_patience(&b), 0);
}
END_TEST

START_TEST(a_gate_is_tried_in_turn)
{
    struct pl_gate g;
    pl_gate_init(&g, 100);
    ck_assert(pl_gate_try(&g, 60));
    ck_assert(!pl_gate_try(&g, 41));
    ck_assert(pl_gate_try(&g, 40));
    ck_assert_uint_eq(g.inside, 2);
    pl_gate_leave(&g, 60);
    pl_gate_leave(&g, 40);
    ck_assert(pl_gate_try(&g, 1000)); /* alone */
    ck_assert(!pl_gate_try(&g, 1));
    pl_gate_leave(&g, 1000);
    g.next_ticket++; /* somebody waits */
    ck_assert(!pl_gate_try(&g, 1));
    ck_assert_uint_eq(g.delayed, 0);
    pl_gate_done(&g);
}
END_TEST

struct grower {
    struct pl_gate *gate;
    uint64_t bytes;
    pthread_t thread;
};

static void *grow(void *ctx)
{
    const struct grower *g = ctx;
    pl_gate_grow(g->gate, g->bytes, true);
    pl_gate_leave(g->gate, 40 + g->bytes);
    return NULL;
}

static void wait_for_growing(struct pl_gate *g, size_t n)
{
    for (size_t now = 0; now != n;) {
        pthread_mutex_lock(&g->lock);
        now = g->growing;
        pthread_mutex_unlock(&g->lock);
    }
}

/* Pages that want more than there is do not wait for each other for ever. */
START_TEST(pages_inside_a_gate_grow)
{
    struct pl_gate g;
    pl_gate_init(&g, 100);
    ck_assert(pl_gate_try(&g, 40));
    ck_assert(pl_gate_try(&g, 40));
    pl_gate_grow(&g, 20, true);
    ck_assert(!pl_gate_try(&g, 1));
    pl_gate_give(&g, 20);
    struct grower a = {.gate = &g, .bytes = 50}, b = {.gate = &g, .bytes = 60};
    ck_assert_int_eq(pthread_create(&a.thread, NULL, grow, &a), 0);
    wait_for_growing(&g, 1); /* it waits: the other one may leave */
    ck_assert_uint_eq(g.used_bytes, 80);
    ck_assert_int_eq(pthread_create(&b.thread, NULL, grow, &b), 0);
    pthread_join(a.thread, NULL);
    pthread_join(b.thread, NULL);
    ck_assert_uint_eq(g.used_bytes, 0);
    ck_assert_uint_le(g.most_bytes, 80 + 60); /* one after the other */
    ck_assert(pl_gate_try(&g, 40));
    pl_gate_grow(&g, 1000, false);
    ck_assert_uint_eq(g.used_bytes, 1040);
    pl_gate_leave(&g, 1040);
    pl_gate_done(&g);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("batch");
    tcase_add_test(t, lines_that_wait_follow_the_time);
    tcase_add_test(t, the_time_settles_below_the_target);
    tcase_add_test(t, pages_wait_while_there_is_room);
    tcase_add_test(t, a_batch_has_patience_until_a_page_is_canceled);
    tcase_add_test(t, a_gate_is_tried_in_turn);
    tcase_add_test(t, pages_inside_a_gate_grow);
    Suite *s = suite_create("batch");
    suite_add_tcase(s, t);
    return run_suite(s);
}
