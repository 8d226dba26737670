/* SPDX-License-Identifier: BSD-2-Clause */
/* When progress is told, by a clock that the test sets. */
#include "cli/progress.h"

#include "tests/unit/suite.h"

#define START_S 1000.0

static const struct platen_progress half = {
    .done = 11, .failed = 1, .total = 24, .all_known = true};

static struct progress started(const struct progress_wish *wish)
{
    struct progress p;
    ck_assert(progress_start(&p, wish, START_S));
    return p;
}

/* Counts what is told in so many seconds, when pages end four times a second. */
static int told(struct progress_wish wish, double seconds)
{
    struct progress p = started(&wish);
    char text[PROGRESS_TEXT];
    int n = 0;
    for (double t = 0; t <= seconds; t += 0.25)
        n += progress_due(&p, &half, START_S + t, text);
    return n;
}

START_TEST(without_a_terminal_it_is_told_under_v)
{
    ck_assert_int_eq(told((struct progress_wish){0}, 300), 0);
    ck_assert_int_eq(told((struct progress_wish){.verbose = true}, 29.75), 0);
    ck_assert_int_eq(told((struct progress_wish){.verbose = true}, 30), 1);
    ck_assert_int_eq(told((struct progress_wish){.verbose = true}, 300), 10);
    ck_assert_int_eq(told((struct progress_wish){.verbose = true, .quiet = true}, 300), 0);
    ck_assert_int_eq(told((struct progress_wish){.verbose = true, .when = "never"}, 300), 0);
}
END_TEST

START_TEST(seconds_are_as_they_were_asked_for)
{
    ck_assert_int_eq(told((struct progress_wish){.when = "5"}, 60), 12);
    ck_assert_int_eq(told((struct progress_wish){.when = "5", .terminal = true}, 60), 12);
    ck_assert_int_eq(told((struct progress_wish){.when = "5", .quiet = true}, 60), 0);
}
END_TEST

START_TEST(a_terminal_has_a_line)
{
    struct progress p = started(&(struct progress_wish){.terminal = true});
    char text[PROGRESS_TEXT];
    ck_assert(progress_due(&p, &half, START_S + 0.01, text));
    ck_assert(!progress_due(&p, &half, START_S + 0.05, text));
    ck_assert(progress_due(&p, &half, START_S + 0.2, text));
    p.line_open = false; /* a message took its place */
    ck_assert(progress_due(&p, &half, START_S + 0.21, text));
    ck_assert(started(&(struct progress_wish){.when = "always"}).line);
    ck_assert(!started(&(struct progress_wish){.when = "always", .quiet = true}).line);
    ck_assert(!started(&(struct progress_wish){.when = "never", .terminal = true}).line);
}
END_TEST

static void check_text(struct platen_progress pages, double seconds, const char *want)
{
    struct progress p = started(&(struct progress_wish){.when = "always"});
    char text[PROGRESS_TEXT];
    ck_assert(progress_due(&p, &pages, START_S + seconds, text));
    ck_assert_str_eq(text, want);
}

START_TEST(text_tells_rate_and_rest)
{
    check_text(half, 6, "12 of 24 pages, 1 failed, 2.0 a second, 0:06 left");
    check_text(half, 24000, "12 of 24 pages, 1 failed, 0.0 a second, 6:40:00 left");
    check_text(half, 0, "12 of 24 pages, 1 failed, 0.0 a second");
    check_text((struct platen_progress){.done = 9, .total = 10}, 3,
               "9 pages, 0 failed, 3.0 a second"); /* more may come */
    check_text((struct platen_progress){.done = 12, .skipped = 10, .total = 14, .all_known = true},
               4, "12 of 14 pages, 0 failed, 0.5 a second, 0:04 left");
}
END_TEST

START_TEST(other_words_are_refused)
{
    const char *const words[] = {"sometimes", "", "0", "-1", "86401", "1.5"};
    struct progress p;
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        ck_assert(!progress_start(&p, &(struct progress_wish){.when = words[i]}, 0));
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("progress");
    tcase_add_test(tc, without_a_terminal_it_is_told_under_v);
    tcase_add_test(tc, seconds_are_as_they_were_asked_for);
    tcase_add_test(tc, a_terminal_has_a_line);
    tcase_add_test(tc, text_tells_rate_and_rest);
    tcase_add_test(tc, other_words_are_refused);
    Suite *s = suite_create("progress");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
