/* SPDX-License-Identifier: BSD-2-Clause */
/* Many warnings become one line, with the worst pages in it. */
#include <stdio.h>
#include <string.h>

#include "cli/warnings.h"

#include "tests/unit/suite.h"

static const char *told(const double *shares, size_t n)
{
    static char text[WARNINGS_TEXT];
    struct warnings all = {0};
    for (size_t i = 0; i < n; i++) {
        char name[32], line[64];
        snprintf(name, sizeof(name), "'%zu.png'", i);
        snprintf(line, sizeof(line), "%s: something%s", name, shares[i] < 0 ? " else" : "");
        warnings_add(&all,
                     &(struct platen_warning){.text = line, .name = name, .share = shares[i]});
    }
    warnings_tell(&all, text);
    return text;
}

START_TEST(one_is_told_as_it_is)
{
    ck_assert_str_eq(told((const double[]){0.4}, 1), "'0.png': something");
}
END_TEST

START_TEST(few_are_all_named)
{
    ck_assert_str_eq(told((const double[]){0.04, 0}, 2),
                     "2 pages were read with warnings: '0.png' (4 %), "
                     "'1.png'");
    ck_assert_str_eq(told((const double[]){0, -1}, 2),
                     "2 pages were read with warnings: '0.png', '1.png'");
}
END_TEST

START_TEST(one_reason_for_all)
{
    ck_assert_str_eq(told((const double[]){0, 0, 0, 0}, 4), "4 pages, as '0.png': something");
}
END_TEST

START_TEST(of_many_the_worst)
{
    static const double shares[] = {0.1, 0, 0.3, 0.1, 0.9, 0.3, 0.2};
    ck_assert_str_eq(told(shares, 7), "7 pages were read with warnings; the worst: '4.png' "
                                      "(90 %), '2.png' (30 %), '5.png' (30 %)");
}
END_TEST

/* Whatever the order, the same pages are named. */
START_TEST(in_any_order)
{
    for (int code = 0; code < 120; code++) {
        double shares[5];
        int left[5] = {1, 2, 3, 4, 5}, c = code;
        for (int i = 0; i < 5; i++) {
            int k = c % (5 - i);
            c /= 5 - i;
            shares[i] = left[k] / 10.0;
            memmove(&left[k], &left[k + 1], (size_t)(4 - k) * sizeof(left[0]));
        }
        const char *text = told(shares, 5);
        const char *a = strstr(text, "(50 %)"), *b = strstr(text, "(40 %)"),
                   *d = strstr(text, "(30 %)");
        ck_assert_msg(a && b && d && a < b && b < d && !strstr(text, "(20 %)"), "%s", text);
    }
}
END_TEST

START_TEST(long_names_fit)
{
    static char name[5000], text[WARNINGS_TEXT];
    struct warnings all = {0};
    memset(name, 'x', sizeof(name) - 1);
    for (int i = 0; i < 5; i++)
        warnings_add(&all, &(struct platen_warning){.text = name, .name = name, .share = 0.5});
    warnings_tell(&all, text);
    ck_assert_str_eq(text + strlen(text) - 6, "(50 %)");
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("warnings");
    tcase_add_test(t, one_is_told_as_it_is);
    tcase_add_test(t, few_are_all_named);
    tcase_add_test(t, one_reason_for_all);
    tcase_add_test(t, of_many_the_worst);
    tcase_add_test(t, in_any_order);
    tcase_add_test(t, long_names_fit);
    Suite *s = suite_create("warnings");
    suite_add_tcase(s, t);
    return run_suite(s);
}
