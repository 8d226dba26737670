/* SPDX-License-Identifier: BSD-2-Clause */
/* Indexes of books and other lists in the order of the alphabet. */
#include "tests/unit/layout/page_fixture.h"

#define LEFT 100
#define RIGHT 400
#define TOP 100

static const char *const fruit[] = {"Apple 3",  "Apricot 5", "Banana 8", "Cherry 1", "Date 4",
                                    "Elder 12", "Fig 2",     "Grape 9",  "Hip 7",    "Kiwi 6",
                                    "Lemon 3",  "Mango 11",  "Nut 2",    "Olive 5",  "Pear 14",
                                    "Quince 8", "Rowan 3",   "Sloe 4"};

/* Puts n of the texts from `first` on, each `step` behind the one before it, below each other. */
static void column(struct page_fixture *f, int x, int first, int step, int n)
{
    for (int i = 0; i < n; i++)
        line(f, x, TOP + ROW_PX * i, fruit[(first + step * i) % 18]);
}

/* Checks how many lines the blocks of the page have, in their order, and with what each begins. */
static void expect_blocks(struct page_fixture *f, size_t n, const size_t *lines,
                          const char *const *texts)
{
    ck_assert(pl_registers_order(&f->arena, &f->regions));
    ck_assert_uint_eq(f->regions.n_blocks, n);
    for (size_t i = 0; i < n; i++) {
        ck_assert_uint_eq(f->regions.blocks[i].n_lines, lines[i]);
        ck_assert_str_eq(f->regions.blocks[i].lines->text, texts[i]);
    }
    pl_arena_done(&f->arena);
}

#define SIZES(...) ((const size_t[]){__VA_ARGS__})
#define expect_page(f, n, lines, ...) expect_blocks(f, n, lines, (const char *const[]){__VA_ARGS__})

/* A list that goes on at the top of the next column is read column by column; of others the blocks
 * stay as they are: too short, not in order, in order row by row, or the same text over and over.
 */
START_TEST(sorted_columns_are_read_one_by_one)
{
    static const struct {
        int rows, first, step, first_right, step_right;
        bool found;
    } tried[] = {
        {9, 0, 1, 9, 1, true},  {8, 0, 1, 9, 1, true},    {7, 0, 1, 9, 1, false},
        {9, 9, 1, 0, 1, false}, {9, 17, 17, 9, 1, false}, {9, 0, 2, 1, 2, false},
        {9, 0, 0, 9, 0, false},
    };
    for (size_t k = 0; k < PL_ARRAY_LEN(tried); k++) {
        struct page_fixture f;
        setup(&f);
        column(&f, LEFT, tried[k].first, tried[k].step, tried[k].rows);
        column(&f, RIGHT, tried[k].first_right, tried[k].step_right, tried[k].rows);
        if (tried[k].found)
            expect_page(&f, 2, SIZES(tried[k].rows, tried[k].rows), "Apple 3", "Kiwi 6");
        else
            expect_page(&f, 1, SIZES(2 * tried[k].rows), fruit[tried[k].first]);
    }
}
END_TEST

/* Case and marks do not count, and a fifth of the entries may have been read wrongly. */
START_TEST(the_order_is_that_of_the_alphabet)
{
    for (int wrong = 1; wrong <= 2; wrong++) {
        struct page_fixture f;
        setup(&f);
        rows(&f, LEFT, TOP, "\\apple 3\n@Apricot 5\nbanana 8\nCherry 1\ndate 4\nElder 12\n.fig 2");
        rows(&f, LEFT, TOP + 7 * ROW_PX,
             wrong == 1 ? "Grape 9\n1ip 7" : "1rape 9\nHip 7\n1ug 7\nIvy 1\n1ris 2");
        column(&f, RIGHT, 9, 1, 9);
        if (wrong == 1)
            expect_page(&f, 2, SIZES(9, 9), "\\apple 3", "Kiwi 6");
        else
            expect_page(&f, 1, SIZES(21), "\\apple 3");
    }
}
END_TEST

/* What runs across the columns ends them, and so does white below what heads the page; numbers
 * below an entry go with it. */
START_TEST(lines_across_end_the_columns)
{
    struct page_fixture f;
    setup(&f);
    line(&f, LEFT, 20, "Index");
    line(&f, RIGHT + 100, 20, "213");
    column(&f, LEFT, 0, 1, 9);
    line(&f, LEFT + 40, TOP + 9 * ROW_PX, "104, 107");
    column(&f, RIGHT, 9, 1, 9);
    line(&f, LEFT, TOP + 11 * ROW_PX, "Numbers in italic are those of pictures");
    line(&f, LEFT, TOP + 12 * ROW_PX, "Zest");
    line(&f, RIGHT, TOP + 12 * ROW_PX, "Zebra");
    expect_page(&f, 4, SIZES(2, 10, 9, 3), "Index", "Apple 3", "Kiwi 6",
                "Numbers in italic are those of pictures");
}
END_TEST

/* A line that runs on from one column in the next, as a long entry beside another, is two. */
START_TEST(lines_over_two_columns_are_parted)
{
    struct page_fixture f;
    setup(&f);
    column(&f, LEFT, 0, 1, 8);
    line(&f, LEFT, TOP + 8 * ROW_PX, "Hip of the dog rose, rose hip Rowan 3");
    column(&f, RIGHT, 9, 1, 8);
    expect_page(&f, 2, SIZES(9, 9), "Apple 3", "Kiwi 6");
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("registers");
    tcase_add_test(tc, sorted_columns_are_read_one_by_one);
    tcase_add_test(tc, the_order_is_that_of_the_alphabet);
    tcase_add_test(tc, lines_across_end_the_columns);
    tcase_add_test(tc, lines_over_two_columns_are_parted);
    Suite *s = suite_create("registers");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
