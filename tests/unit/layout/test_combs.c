/* SPDX-License-Identifier: BSD-2-Clause */
/* Letters in the cells of a form, which become words. */
#include "tests/unit/layout/page_fixture.h"

#define LEFT 100
#define TOP 100   /* of the cells */
#define CELL 20   /* px from one upright rule to the next */
#define HEIGHT 24 /* of the rules */

/* n + 1 upright rules, `pitch` px apart. */
static void cells(struct page_fixture *f, int n, int pitch)
{
    for (int i = 0; i <= n; i++)
        upright(f, LEFT + pitch * i, TOP, TOP + HEIGHT);
}

/* A line for each letter of `text` that is no blank, in cells of `pitch` px. */
static void letters(struct page_fixture *f, const char *text, int pitch)
{
    for (int i = 0; text[i]; i++)
        if (text[i] != ' ')
            line(f, LEFT + pitch * i + (pitch - CHAR_PX) / 2, TOP + 5, (char[]){text[i], '\0'});
}

static void join(struct page_fixture *f)
{
    ck_assert(pl_combs_join(&f->arena, &f->regions));
}

/* What is read in the cells is one line with a blank for each run of empty cells. */
START_TEST(letters_become_words)
{
    static const struct {
        const char *cells, *text;
    } tried[] = {
        {"DE", "DE"},
        {"SMITH      ", "SMITH"},
        {"21 04 1975", "21 04 1975"},
        {"  A   B", "A B"},
        {"1O4", "104"},
        {"O1l", "011"},
        {"B0B", "B0B"},
        {"OO", "OO"},
        {"I9 OX", "19 OX"},
    };
    for (size_t k = 0; k < PL_ARRAY_LEN(tried); k++) {
        struct page_fixture f;
        setup(&f);
        cells(&f, (int)strlen(tried[k].cells), CELL);
        letters(&f, tried[k].cells, CELL);
        join(&f);
        ck_assert_str_eq(f.lines[0].text, tried[k].text);
        for (size_t i = 1; i < f.block.n_lines; i++) {
            ck_assert(f.lines[i].outdone);
            ck_assert_uint_eq(f.lines[i].n_words, 0);
        }
        pl_arena_done(&f.arena);
    }
}
END_TEST

START_TEST(words_have_boxes_and_confidences)
{
    struct page_fixture f;
    setup(&f);
    cells(&f, 3, CELL);
    letters(&f, "ABC", CELL);
    f.words[0][0].conf = 0.25f;
    join(&f);
    const struct pl_word *w = f.lines[0].words;
    ck_assert_uint_eq(f.lines[0].n_words, 1);
    ck_assert_uint_eq(w->n_chars, 3);
    ck_assert_float_eq(w->char_conf[0], 0.25f);
    ck_assert_float_eq_tol(w->conf, 0.62996, 1e-4); /* the cube root of 0.25 */
    ck_assert_int_eq(w->box.x0, LEFT + 5);
    ck_assert_int_eq(w->box.x1, LEFT + 2 * CELL + 15);
    ck_assert_int_eq(f.lines[0].box.x1, w->box.x1);
    pl_arena_done(&f.arena);
}
END_TEST

/* Rules that are too far apart, too close, not level or not evenly apart make no comb. */
START_TEST(other_rules_make_none)
{
    for (int k = 0; k < 6; k++) {
        struct page_fixture f;
        setup(&f);
        const int pitch = (const int[]){20, 33, 34, 10, 9, 20}[k];
        cells(&f, k == 5 ? 0 : 2, pitch);
        if (k == 5) {
            upright(&f, LEFT + CELL, TOP, TOP + HEIGHT);
            upright(&f, LEFT + 2 * CELL, TOP + 4, TOP + HEIGHT + 4);
        }
        letters(&f, "AB", pitch);
        join(&f);
        ck_assert_str_eq(f.lines[0].text, k == 2 || k >= 4 ? "A" : "AB");
        pl_arena_done(&f.arena);
    }
}
END_TEST

START_TEST(cells_may_differ_a_little)
{
    for (int k = 0; k < 2; k++) {
        struct page_fixture f;
        setup(&f);
        cells(&f, 1, CELL);
        upright(&f, LEFT + CELL + (k ? 30 : 29), TOP, TOP + HEIGHT);
        letters(&f, "A", CELL);
        line(&f, LEFT + CELL + 9, TOP + 5, "B");
        join(&f);
        ck_assert_str_eq(f.lines[0].text, k ? "A" : "AB");
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* A row in which a word does not keep to the cells stays, and so does one with a single letter. */
START_TEST(words_across_cells_stay)
{
    struct page_fixture f;
    setup(&f);
    cells(&f, 6, CELL);
    letters(&f, "A", CELL);
    line(&f, LEFT + CELL, TOP + 5, "total");
    join(&f);
    ck_assert_str_eq(f.lines[0].text, "A");
    ck_assert_str_eq(f.lines[1].text, "total");
    f.block.n_lines = 1;
    join(&f);
    ck_assert_ptr_eq(f.lines[0].words, f.words[0]);
    pl_arena_done(&f.arena);
}
END_TEST

/* Figures below each other are the columns of a table, of which none may be lost. */
START_TEST(columns_of_figures_stay)
{
    struct page_fixture f;
    setup(&f);
    for (int i = 0; i <= 3; i++)
        upright(&f, LEFT + 60 * i, TOP, TOP + 80);
    for (int row = 0; row < 2; row++)
        for (int i = 0; i < 3; i++)
            line(&f, LEFT + 60 * i + 25, TOP + 5 + 30 * row, (char[]){(char)('1' + row), '\0'});
    join(&f);
    for (size_t i = 0; i < f.block.n_lines; i++)
        ck_assert_str_eq(f.lines[i].text, i < 3 ? "1" : "2");
    pl_arena_done(&f.arena);
}
END_TEST

/* A word with a letter for each cell that it reaches over is read in these. */
START_TEST(words_over_cells)
{
    struct page_fixture f;
    setup(&f);
    cells(&f, 4, CELL);
    letters(&f, "A", CELL);
    line(&f, LEFT + CELL + 5, TOP + 5, "BCD");
    f.words[1][0].box.x1 = f.lines[1].box.x1 = LEFT + 4 * CELL - 5;
    join(&f);
    ck_assert_str_eq(f.lines[0].text, "ABCD");
    pl_arena_done(&f.arena);
}
END_TEST

/* Of two readings of a cell the surer one stays; doubted ones are readings, too. */
START_TEST(doubted_letters_are_told)
{
    struct page_fixture f;
    setup(&f);
    cells(&f, 3, CELL);
    letters(&f, "AB", CELL);
    letters(&f, " D", CELL);
    letters(&f, " FE", CELL);
    f.words[1][0].conf = 0.5f;
    f.words[3][0].conf = 0.25f;
    f.lines[4].n_words = 0;
    f.lines[4].n_doubted = 1;
    join(&f);
    ck_assert_str_eq(f.lines[0].text, "ADE");
    ck_assert_uint_eq(f.lines[4].n_doubted, 0);
    pl_arena_done(&f.arena);
}
END_TEST

/* Where most letters are doubted the rules are no cells, but bars it may be. */
START_TEST(doubted_rows_stay)
{
    for (int doubted = 1; doubted <= 2; doubted++) {
        struct page_fixture f;
        setup(&f);
        cells(&f, 3, CELL);
        letters(&f, "ABC", CELL);
        for (int i = 0; i < doubted; i++) {
            f.lines[2 - i].n_words = 0;
            f.lines[2 - i].n_doubted = 1;
        }
        join(&f);
        ck_assert_str_eq(f.lines[0].text, doubted == 1 ? "ABC" : "A");
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Words of the line beside the comb stay in it, and turned lines are none of its. */
START_TEST(other_words_stay)
{
    struct page_fixture f;
    setup(&f);
    cells(&f, 3, CELL);
    line(&f, LEFT - 45, TOP + 5, "No:  7   years");
    letters(&f, " 88", CELL);
    f.lines[2].quarters = 1;
    join(&f);
    ck_assert_str_eq(f.lines[0].text, "No: 78 years");
    ck_assert_str_eq(f.lines[2].text, "8");
    pl_arena_done(&f.arena);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("combs");
    tcase_add_test(tc, letters_become_words);
    tcase_add_test(tc, words_have_boxes_and_confidences);
    tcase_add_test(tc, other_rules_make_none);
    tcase_add_test(tc, cells_may_differ_a_little);
    tcase_add_test(tc, words_across_cells_stay);
    tcase_add_test(tc, columns_of_figures_stay);
    tcase_add_test(tc, words_over_cells);
    tcase_add_test(tc, doubted_letters_are_told);
    tcase_add_test(tc, doubted_rows_stay);
    tcase_add_test(tc, other_words_stay);
    Suite *s = suite_create("combs");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
