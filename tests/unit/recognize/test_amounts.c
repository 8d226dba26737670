/* SPDX-License-Identifier: BSD-2-Clause */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "recognize/amounts.h"
#include "tests/unit/suite.h"

#define MOST 32

/* A page of one line. Behind a word as it is read stands how surely its marks are: '!' very, '+'
 * less than a mark against all others would have to be, '?' hardly. */
static void settle(const char *in, const char *want)
{
    struct pl_arena arena;
    struct platen_error err;
    struct pl_word words[MOST] = {0};
    struct pl_line line = {.words = words, .text = "as it was"};
    pl_arena_init(&arena);
    for (const char *p = in; *p;) {
        const size_t n = strcspn(p, "!+?");
        words[line.n_words++] =
            (struct pl_word){.text = pl_arena_strndup(&arena, p, n), .conf = 0.9f};
        float *own = PL_NEW(&arena, float, n);
        for (size_t i = 0; i < n; i++)
            own[i] = p[n] == '!' ? 0.999f : p[n] == '+' ? 0.8f : 0.6f;
        words[line.n_words - 1].char_conf = own;
        words[line.n_words - 1].n_chars = n;
        p += n + 1;
        p += *p == ' ';
    }
    struct pl_block block = {.lines = &line, .n_lines = 1};
    struct pl_regions regions = {.blocks = &block, .n_blocks = 1};
    ck_assert_int_eq(pl_amounts_settle(&arena, &regions, &err), PLATEN_OK);
    ck_assert_str_eq(line.text, want);
    pl_arena_done(&arena);
}

START_TEST(unsure_marks_follow_the_page)
{
    settle("12,50! 1.234,56! 69.46? 4.936.99? 9,453,56? 7,80!",
           "12,50 1.234,56 69,46 4.936,99 9.453,56 7,80");
    settle("12.50! 1,234.56! 69,46? 4,936,99? 7.80! 12.345.678,90?",
           "12.50 1,234.56 69.46 4,936.99 7.80 12,345,678.90");
}
END_TEST

/* One of the marks of a number tells of the other, so that the page need not. */
START_TEST(marks_of_a_number_differ)
{
    settle("4,758,53? 1.250,00!", "4.758,53 1.250,00");
}
END_TEST

/* The surer a mark is, the more of the others it takes to change it. */
START_TEST(sure_marks_stay)
{
    settle("12,50! 3,20! 4,10! 69.46! 7,80!", "as it was");
    settle("12,50! 69.46+", "as it was");
    settle("12,50! 13,50! 14,50! 15,50! 69.46+", "12,50 13,50 14,50 15,50 69,46");
    settle("12,50! 13,50! 27.05! 28.05! 8,10! 29.05! 69.46?", "as it was");
}
END_TEST

/* Signs, letters and marks beside it do not matter. */
START_TEST(what_stands_beside_an_amount_stays)
{
    settle("12,50! 3,20! 69.46-? (5.00)? RM3.10? \u20ac1.00?",
           "12,50 3,20 69,46- (5,00) RM3,10 \u20ac1,00");
}
END_TEST

/* Dates, versions, sizes, groups without decimals, and words with two numbers are no amounts. */
START_TEST(other_numbers_stay)
{
    settle("12,50! 3,20! 4,10! 5,10! 27.05.? 27.05.24? 8.30-17.00? 1.234? 3.5? 1234.567.89? "
           "1.23.45? 0..00? 5.,? "
           "2.500.00.000? 7? "
           "a.b?",
           "as it was");
}
END_TEST

/* However many groups a number has, and however sure they are, the others are told by it. */
START_TEST(long_numbers_do_no_harm)
{
    char in[600] = "1", want[640];
    for (int i = 0; i < 120; i++)
        strcat(in, ".234");
    strcat(in, ",56");
    snprintf(want, sizeof(want), "%s 12,50 69,46", in);
    strcat(in, "! 12,50! 69.46?");
    settle(in, want);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("amounts");
    tcase_add_test(tc, unsure_marks_follow_the_page);
    tcase_add_test(tc, marks_of_a_number_differ);
    tcase_add_test(tc, sure_marks_stay);
    tcase_add_test(tc, what_stands_beside_an_amount_stays);
    tcase_add_test(tc, other_numbers_stay);
    tcase_add_test(tc, long_numbers_do_no_harm);
    Suite *s = suite_create("amounts");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
