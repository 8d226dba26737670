/* SPDX-License-Identifier: BSD-2-Clause */
#include <check.h>

#include "base/attr.h"
#include "job/measure.h"
#include "tests/unit/suite.h"

START_TEST(ranks_are_within_a_step)
{
    static const double parts[] = {0.01, 0.1, 0.5, 0.9, 0.99, 1};
    static struct pl_times t, odd;
    for (int us = 1; us <= 1000000; us++)
        pl_times_add(us % 2 ? &odd : &t, us * 1e-3);
    pl_times_merge(&t, &odd);
    ck_assert_uint_eq(t.n, 1000000);
    for (size_t i = 0; i < PL_ARRAY_LEN(parts); i++) {
        double want = parts[i] * 1000, got = pl_times_rank(&t, parts[i]);
        ck_assert_msg(got > want * 0.968 && got < want * 1.032, "%g: %g", want, got);
    }
}
END_TEST

START_TEST(ranks_of_few_and_of_extremes)
{
    struct pl_times t = {0};
    ck_assert(pl_times_rank(&t, 0.5) == 0);
    pl_times_add(&t, 100);
    for (int i = 0; i <= 10; i++)
        ck_assert_double_eq_tol(pl_times_rank(&t, i / 10.0), 100, 3.2);
    pl_times_add(&t, 0);
    pl_times_add(&t, -1); /* a clock that went back */
    pl_times_add(&t, 1e300);
    ck_assert_double_le(pl_times_rank(&t, 0.5), 0.001);
    ck_assert_double_ge(pl_times_rank(&t, 1), 18 * 3600e3);
    ck_assert_uint_eq(t.n, 4);
}
END_TEST

START_TEST(depth_is_a_mean_over_time)
{
    struct pl_depth d = {0};
    pl_depth_set(&d, 2, 10); /* empty before */
    pl_depth_set(&d, 5, 11);
    pl_depth_set(&d, 0, 13);
    ck_assert_double_eq_tol(pl_depth_mean(&d, 24), 0.5, 1e-12);
    ck_assert_uint_eq(d.most, 5);
    ck_assert(pl_depth_mean(&d, 0) == 0);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("measure");
    tcase_add_test(tc, ranks_are_within_a_step);
    tcase_add_test(tc, ranks_of_few_and_of_extremes);
    tcase_add_test(tc, depth_is_a_mean_over_time);
    Suite *s = suite_create("measure");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
