/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of the most probable classes, and how sure it is. */
#include <check.h>
#include <math.h>
#include <string.h>

#include "base/attr.h"
#include "recognize/ctc.h"
#include "simd/kernels.h"
#include "tests/unit/suite.h"

#define CLASSES 4 /* blank, a, b, space */

static size_t greedy(const float *logits, size_t steps, struct pl_ctc_run *ret)
{
    struct pl_kernels k;
    uint32_t best[100];
    float share[100];
    pl_kernels_init(&k, pl_isa_best());
    k.softmax_top(best, share, logits, steps, CLASSES);
    return pl_ctc_greedy(&(struct pl_ctc_line){.steps = steps, .best = best, .share = share}, ret);
}

/* Logits whose winners are the letters of `path`: '-' blank, 'a', 'b', '_' space. The winner of
 * step t leads by lead[t % 3]. */
static size_t decode(const char *path, struct pl_ctc_run *ret)
{
    static const float lead[] = {1, 3, 2};
    static float logits[100 * CLASSES];
    size_t n = strlen(path);
    for (size_t t = 0; t < n; t++)
        for (size_t c = 0; c < CLASSES; c++)
            logits[t * CLASSES + c] = -5 + ("-ab_"[c] == path[t] ? lead[t % 3] : 0);
    return greedy(logits, n, ret);
}

static void check_path(const char *path, const char *want)
{
    struct pl_ctc_run runs[100];
    size_t n = decode(path, runs);
    ck_assert_uint_eq(n, strlen(want));
    for (size_t i = 0; i < n; i++)
        ck_assert_int_eq("-ab_"[runs[i].class_id], want[i]);
}

START_TEST(ctc_joins_repeats_and_drops_blanks)
{
    check_path("", "");
    check_path("-----", "");
    check_path("a", "a");
    check_path("aaaa", "a");
    check_path("aa-aa", "aa");
    check_path("ab", "ab");
    check_path("-a--bb_b-", "ab_b");
    check_path("_a_", "_a_");
    check_path("a_-_b", "a__b");
}
END_TEST

START_TEST(ctc_gives_steps_and_posteriors)
{
    struct pl_ctc_run runs[100];
    ck_assert_uint_eq(decode("-aaa-b", runs), 2);
    ck_assert_uint_eq(runs[0].first, 1);
    ck_assert_uint_eq(runs[0].end, 4);
    ck_assert_uint_eq(runs[1].first, 5);
    ck_assert_uint_eq(runs[1].end, 6);
    ck_assert_double_eq_tol((double)runs[0].conf, exp(3) / (exp(3) + 3),
                            1e-6); /* the best step's lead */
    ck_assert_double_eq_tol((double)runs[1].conf, exp(2) / (exp(2) + 3), 1e-6);
    const float huge[] = {-1e30f, 1e30f, 0, 0, 5, 5, 5, 5};
    ck_assert_uint_eq(greedy(huge, 2, runs), 1); /* all equal: blank wins */
    ck_assert_float_eq(runs[0].conf, 1);
}
END_TEST

/* Steps with a winner and, maybe, a rival: the rest of the posterior is all that is left to it. */
static float sureness(const char *path, const float *share, const char *rival)
{
    uint32_t best[8], first[9] = {0};
    struct pl_ctc_rival rivals[8];
    struct pl_ctc_run runs[8];
    struct pl_ctc_line l = {strlen(path), best, share, first, rivals};
    for (size_t t = 0; t < l.steps; t++) {
        best[t] = (uint32_t)(strchr("-ab_", path[t]) - "-ab_");
        first[t + 1] = first[t] + (rival[t] != ' ');
        if (rival[t] != ' ')
            rivals[first[t]] = (struct pl_ctc_rival){(uint32_t)(strchr("-ab_", rival[t]) - "-ab_"),
                                                     logf((1 - share[t]) / share[t])};
    }
    const size_t n = pl_ctc_greedy(&l, runs);
    return pl_ctc_sureness(&l, runs, n);
}

START_TEST(ctc_tells_how_sure_the_text_is)
{
    static const struct {
        const char *path, *rival;
        float share[6], want;
    } cases[] = {
        {"-a-b-", "     ", {1, 1, 1, 1, 1}, 1},
        {"", "", {0}, 1},
        {"aa-b", "bb  ", {.6f, .9f, 1, .8f}, .8f},           /* the best step of a run counts */
        {"-a-", "b  ", {.75f, 1, 1}, .75f},                  /* a b that may stand before it */
        {"-a-b-", "a a b", {.6f, 1, .6f, 1, .6f}, 1},        /* these may begin or end later */
        {"-a-b-", "b   a", {.75f, 1, 1, 1, .5f}, .5f},       /* but not beyond the other */
        {"--a---", "bb b  ", {.9f, .7f, 1, .8f, 1, 1}, .7f}, /* once for each stretch */
        {"a", "-", {.7f}, .7f},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(cases); i++) {
        const float got = sureness(cases[i].path, cases[i].share, cases[i].rival);
        ck_assert_msg(fabsf(got - cases[i].want) < 1e-5f, "case %zu: %g", i, (double)got);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("ctc");
    tcase_add_test(tc, ctc_joins_repeats_and_drops_blanks);
    tcase_add_test(tc, ctc_gives_steps_and_posteriors);
    tcase_add_test(tc, ctc_tells_how_sure_the_text_is);
    Suite *s = suite_create("ctc");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
