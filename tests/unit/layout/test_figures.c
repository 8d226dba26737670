/* SPDX-License-Identifier: BSD-2-Clause */
/* Letters that stand in columns of numbers. */
#include "tests/unit/layout/page_fixture.h"

#define LEFT 200
#define TOP 100

/* Settles a column of words, ROW_PX * `step` apart, and expects `want` of the word `at`. */
static void expect_settled(const char *const words[4], int step, size_t at, const char *want)
{
    struct page_fixture f;
    setup(&f);
    for (int i = 0; i < 4 && words[i]; i++)
        line(&f, LEFT, TOP + ROW_PX * step * i, words[i]);
    ck_assert(pl_figures_settle(&f.arena, &f.regions));
    ck_assert_str_eq(f.lines[at].text, want);
    pl_arena_done(&f.arena);
}

START_TEST(letters_among_numbers_are_figures)
{
    expect_settled((const char *const[4]){"10", "O", "20"}, 1, 1, "0");
    expect_settled((const char *const[4]){"$5.00", "lO", "x"}, 1, 1, "lO");
    expect_settled((const char *const[4]){"$5.00", "lO"}, 1, 1, "10");
    expect_settled((const char *const[4]){"IO2", "103"}, 1, 0, "102");
    expect_settled((const char *const[4]){"(12)", "I|o"}, 1, 1, "110");
    expect_settled((const char *const[4]){"12", "OK"}, 1, 1, "OK");
    expect_settled((const char *const[4]){"12\u20AC", "O"}, 1, 1, "0");
}
END_TEST

/* A number that was found tells of those beside it in turn; letters alone tell of none. */
START_TEST(columns_are_settled_in_turn)
{
    expect_settled((const char *const[4]){"IOO", "IOI", "IO2", "103"}, 1, 0, "100");
    expect_settled((const char *const[4]){"O", "O", "O", "O"}, 1, 1, "O");
    expect_settled((const char *const[4]){"I", "II", "III", "IV"}, 1, 0, "I");
    expect_settled((const char *const[4]){"II", "Kings", "4"}, 1, 0, "II");
}
END_TEST

START_TEST(numbers_far_away_say_nothing)
{
    expect_settled((const char *const[4]){"O", "12"}, 7, 0, "0");
    expect_settled((const char *const[4]){"O", "12"}, 8, 0, "O");
    expect_settled((const char *const[4]){"12", "O"}, 7, 1, "0");
    expect_settled((const char *const[4]){"12", "O"}, 8, 1, "O");
}
END_TEST

/* A single letter beside words is one; words of several letters may stand beside others. */
START_TEST(letters_in_rows_are_letters)
{
    static const struct {
        const char *row, *want;
    } tried[] = {{"I went", "I went"}, {"O  x", "O  x"}, {"O   x", "0 x"}, {"IO went", "10 went"}};
    for (size_t k = 0; k < PL_ARRAY_LEN(tried); k++) {
        struct page_fixture f;
        setup(&f);
        line(&f, LEFT, TOP, "17");
        line(&f, LEFT, TOP + ROW_PX, tried[k].row);
        line(&f, LEFT, TOP + 2 * ROW_PX, "18");
        ck_assert(pl_figures_settle(&f.arena, &f.regions));
        ck_assert_str_eq(f.lines[1].text, tried[k].want);
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Numbers that stand aside, or in turned lines, are in no column with the letter. */
START_TEST(other_columns_say_nothing)
{
    for (int k = 0; k < 3; k++) {
        struct page_fixture f;
        setup(&f);
        line(&f, LEFT, TOP, "O");
        line(&f, k == 1 ? LEFT + 6 : LEFT, TOP + ROW_PX, "7");
        f.lines[1].quarters = k == 2;
        ck_assert(pl_figures_settle(&f.arena, &f.regions));
        ck_assert_str_eq(f.lines[0].text, k ? "O" : "0");
        pl_arena_done(&f.arena);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("figures");
    tcase_add_test(tc, letters_among_numbers_are_figures);
    tcase_add_test(tc, columns_are_settled_in_turn);
    tcase_add_test(tc, numbers_far_away_say_nothing);
    tcase_add_test(tc, letters_in_rows_are_letters);
    tcase_add_test(tc, other_columns_say_nothing);
    Suite *s = suite_create("figures");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
