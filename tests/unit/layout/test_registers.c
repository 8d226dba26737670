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

/* Case and marks do not count, and a fifth of the entries may have been read wrongly, be it in the
 * middle of a column. */
START_TEST(the_order_is_that_of_the_alphabet)
{
    for (int wrong = 1; wrong <= 2; wrong++) {
        struct page_fixture f;
        setup(&f);
        rows(&f, LEFT, TOP, "\\apple 3\n@Apricot 5\nbanana 8\nCherry 1");
        rows(&f, LEFT, TOP + 4 * ROW_PX,
             wrong == 1 ? "pate 4\nElder 12\n.fig 2" : "date 4\nElder 12\n.fig 2");
        rows(&f, LEFT, TOP + 7 * ROW_PX,
             wrong == 1 ? "Grape 9\nHip 7" : "1rape 9\nHip 7\n1ug 7\nIvy 1\n1ris 2");
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

static const char *const names[] = {"Allen", "Bell",   "Carr", "Day",  "Ellis",  "Fox",  "Gray",
                                    "Hall",  "Ives",   "Kerr", "Lane", "Moss",   "Nash", "Owen",
                                    "Page",  "Quaife", "Reed", "Shaw", "Thorne", "Upton"};

/* Puts n entries of a name, a street and a number from name `first` on below each other, their rows
 * row_px apart; after three rows of text one is left free. */
static void entries(struct page_fixture *f, int x, int row_px, int first, int n)
{
    for (int i = first, y = TOP; i < first + n; i++, y += 4 * row_px) {
        line(f, x, y, names[i]);
        line(f, x, y + row_px, i % 3 ? "7 Mill Lane" : "15 Canal Street");
        line(f, x, y + 2 * row_px, "555-0134");
    }
}

/* Words may count before letters, as in lists of people, or not. */
START_TEST(short_words_may_come_first)
{
    for (int words = 0; words < 2; words++) {
        struct page_fixture f;
        setup(&f);
        rows(&f, LEFT, TOP,
             words ? "Beck M\nBecker J\nFrank S\nFranke B\nHart T\nHarte A\nHolt S\nHolte B"
                   : "Newark\nNew York\nOrange\nOr else\nPart\nPa yes\nRose\nRo ta");
        rows(&f, RIGHT, TOP, "Sand\nSander\nTag\nTidy\nUlm\nVest\nWall\nZest");
        expect_page(&f, 2, SIZES(8, 8), words ? "Beck M" : "Newark", "Sand");
    }
}
END_TEST

/* In a directory the names below wider white are in order, not the streets below them. */
START_TEST(entries_may_have_several_rows)
{
    for (int row_px = ROW_PX; row_px <= 2 * ROW_PX; row_px += ROW_PX) {
        struct page_fixture f;
        setup(&f);
        entries(&f, LEFT, row_px, 0, 8);
        entries(&f, RIGHT, row_px, 8, 8);
        expect_page(&f, 16, SIZES(3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3), "Allen", "Bell",
                    "Carr", "Day", "Ellis", "Fox", "Gray", "Hall", "Ives", "Kerr", "Lane", "Moss",
                    "Nash", "Owen", "Page", "Quaife");
    }
}
END_TEST

/* White as between all entries heads none, and neither does white in which rows of the entry stand
 * that begin elsewhere. */
START_TEST(entries_far_apart_are_no_heads)
{
    for (int indented = 0; indented < 2; indented++) {
        struct page_fixture f;
        setup(&f);
        for (int i = 0, y = TOP; i < 18; i++, y = i == 9 ? TOP : y + 3 * ROW_PX) {
            const bool is_single = indented && i % 9;
            y -= is_single && i % 9 > 1 ? 2 * ROW_PX : 0;
            line(&f, i < 9 ? LEFT : RIGHT, y, fruit[i]);
            for (int k = 1; indented && !is_single && k < 3; k++)
                line(&f, (i < 9 ? LEFT : RIGHT) + 30, y + ROW_PX * k, "in war 3");
        }
        ck_assert(pl_registers_order(&f.arena, &f.regions));
        ck_assert_str_eq(f.regions.blocks[0].lines->text, fruit[0]);
        size_t n = 0;
        for (size_t b = 0; b < f.regions.n_blocks; b++)
            for (size_t i = 0; i < f.regions.blocks[b].n_lines; i++, n++)
                ck_assert_int_eq(f.regions.blocks[b].lines[i].box.x0 >= RIGHT,
                                 n >= f.block.n_lines / 2);
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Behind two columns one with a few entries is the last, where it stands as far from them as these
 * from each other. */
START_TEST(the_last_column_may_be_short)
{
    for (int apart = 0; apart < 2; apart++) {
        struct page_fixture f;
        setup(&f);
        column(&f, LEFT, 0, 1, 8);
        column(&f, RIGHT, 8, 1, 8);
        column(&f, 2 * RIGHT - LEFT + 60 * apart, 16, 1, 2);
        if (!apart)
            expect_page(&f, 3, SIZES(8, 8, 2), "Apple 3", "Hip 7", "Rowan 3");
        else
            expect_page(&f, 2, SIZES(8, 10), "Apple 3", "Hip 7");
    }
}
END_TEST

/* A name above each column, which is none of the list, tells that they are those of a table; the
 * same one above all does not, nor does a letter that is in order. */
START_TEST(named_columns_are_a_table)
{
    static const struct {
        const char *left, *right;
        bool found;
    } tried[] = {{"Home", "Away", false},
                 {"Home", "Visitors", false},
                 {"Visitors", "Visitors", true},
                 {"A", "K", true},
                 {"Home", "K", true}};
    for (size_t k = 0; k < PL_ARRAY_LEN(tried); k++) {
        struct page_fixture f;
        setup(&f);
        line(&f, LEFT, TOP - 2 * ROW_PX, "Second round");
        line(&f, LEFT, TOP - ROW_PX, tried[k].left);
        column(&f, LEFT, 0, 1, 9);
        line(&f, RIGHT, TOP - ROW_PX, tried[k].right);
        column(&f, RIGHT, 9, 1, 9);
        ck_assert(pl_registers_order(&f.arena, &f.regions));
        ck_assert_msg((f.regions.n_blocks > 1) == tried[k].found, "%s %s", tried[k].left,
                      tried[k].right);
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* A title below the columns runs across them, be there a word where one begins; numbers behind a
 * leader that run on in the next column with wider white do not. */
START_TEST(titles_across_stay_whole)
{
    for (int wide = 0; wide < 2; wide++) {
        struct page_fixture f;
        setup(&f);
        column(&f, LEFT, 0, 1, 9);
        column(&f, RIGHT, 9, 1, 9);
        line(&f, RIGHT - 120 - 15 * wide, TOP + (wide ? 9 : 12) * ROW_PX,
             wide ? "104, 12, 213 Swede 4" : "The history of towns");
        for (int i = 3; wide && i < 5; i++) {
            f.lines[18].words[i].box.x0 += 5;
            f.lines[18].words[i].box.x1 += 5;
        }
        if (wide)
            expect_page(&f, 2, SIZES(10, 10), "Apple 3", "Kiwi 6");
        else
            expect_page(&f, 3, SIZES(9, 9, 1), "Apple 3", "Kiwi 6", "The history of towns");
    }
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
    tcase_add_test(tc, short_words_may_come_first);
    tcase_add_test(tc, entries_may_have_several_rows);
    tcase_add_test(tc, entries_far_apart_are_no_heads);
    tcase_add_test(tc, the_last_column_may_be_short);
    tcase_add_test(tc, named_columns_are_a_table);
    tcase_add_test(tc, titles_across_stay_whole);
    Suite *s = suite_create("registers");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
