/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists that go on in columns beside themselves. */
#include "tests/unit/layout/page_fixture.h"

/* Rows from y on, in turn even and odd ones. */
static void list(struct page_fixture *f, int y, int n, const char *even, const char *odd)
{
    for (int i = 0; i < n; i++)
        line(f, 100, y + ROW_PX * i, i % 2 ? odd : even);
}

static void expect_table(const struct pl_block *b, int n_rows, int n_columns, const char *first)
{
    expect_size(b->table, n_rows, n_columns);
    ck_assert_str_eq(b->lines->text, first);
}

/* Names with their numbers beside each other are read from top to bottom. */
START_TEST(lists_are_read_down)
{
    struct page_fixture f;
    setup(&f);
    list(&f, 100, 8, "Absolute  763 1133     Laudamus  997 8282     Rimer     205 7498",
         "Adam      673 1160     Lost      949 6187     Scurvy    480 6660");
    const struct pl_block *b = find(&f, 3);
    expect_table(&b[0], 8, 2, "Absolute");
    expect_table(&b[1], 8, 2, "Laudamus");
    expect_table(&b[2], 8, 2, "Rimer");
    expect(b[2].table, 7, 1, "480 6660");
    pl_arena_done(&f.arena);
}
END_TEST

/* Seven rows may be labels and values of a form. */
START_TEST(few_rows_stay_rows)
{
    struct page_fixture f;
    setup(&f);
    list(&f, 100, 7, "Absolute  7631133     Laudamus  9978282",
         "Adam      6731160     Lost      9496187");
    expect_table(find(&f, 1), 7, 4, "Absolute");
    pl_arena_done(&f.arena);
}
END_TEST

/* Five rows are enough where all numbers are amounts, with two decimals. */
START_TEST(few_amounts_are_a_list)
{
    static const char *const even[] = {
        "Anchor    39.00      Lantern   127.80", "Anchor    39.00      Lantern   127.8",
        "Anchor    39.00      Lantern   12780", "Anchor    39.00      Lantern   $.80"};
    for (size_t k = 0; k < PL_ARRAY_LEN(even); k++) {
        struct page_fixture f;
        setup(&f);
        list(&f, 100, 5, even[k], "Rope      4,50 $     Sail      14.50");
        const struct pl_block *b = find(&f, k ? 1 : 2);
        expect_table(b, 5, k ? 4 : 2, "Anchor");
        pl_arena_done(&f.arena);
    }
    struct page_fixture f;
    setup(&f);
    list(&f, 100, 4, even[0], "Rope      4,50       Sail      14.50");
    expect_table(find(&f, 1), 4, 4, "Anchor");
    pl_arena_done(&f.arena);
}
END_TEST

/* Lists are equally far apart: the columns of other tables are as wide as their texts. */
START_TEST(other_columns_stay)
{
    struct page_fixture f;
    setup(&f);
    list(&f, 100, 8, "Absolute  763     Laudamus  997        Rimer     205",
         "Adam      673     Lost      949        Scurvy    480");
    expect_table(find(&f, 1), 8, 6, "Absolute");
    pl_arena_done(&f.arena);
}
END_TEST

/* Columns without numbers are no lists, nor are those of which half are none. */
START_TEST(texts_stay)
{
    static const char *const odd[] = {"Adam      left      Lost      left",
                                      "Adam      673       Lost      none"};
    for (size_t k = 0; k < 2; k++) {
        struct page_fixture f;
        setup(&f);
        list(&f, 100, 8,
             k ? "Absolute  763       Laudamus  997" : "Absolute  right     Laudamus  right",
             odd[k]);
        expect_table(find(&f, 1), 8, 4, "Absolute");
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Names of columns above are those of one table, unless each list has the same ones. */
START_TEST(names_tell_lists)
{
    static const char *const names[] = {"Station   Dep.      Station   Arr.",
                                        "Station   Dep.      Station   Dep."};
    for (size_t same = 0; same < 2; same++) {
        struct page_fixture f;
        setup(&f);
        line(&f, 100, 100, names[same]);
        list(&f, 130, 8, "Absolute  7:63      Laudamus  9:97",
             "Adam      6:73      Lost      9:49");
        expect_table(find(&f, 1 + same), 9, same ? 2 : 4, "Station");
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Numbers that are two columns in one list and one in the next are its numbers all the same, and
 * what stands behind them is none of its names. */
START_TEST(numbers_of_several_columns)
{
    struct page_fixture f;
    setup(&f);
    list(&f, 100, 8, "Absolute  763    mm  Laudamus  997 mm",
         "Adam      673    mm  Lost      949 mm");
    const struct pl_block *b = find(&f, 2);
    expect_table(&b[0], 8, 3, "Absolute");
    ck_assert_str_eq(b[1].lines->text, "Laudamus");
    pl_arena_done(&f.arena);
}
END_TEST

/* Text behind the lists is read behind all of them. */
START_TEST(text_behind_lists)
{
    struct page_fixture f;
    setup(&f);
    list(&f, 100, 8, "Absolute  763       Laudamus  997", "Adam      673       Lost      949");
    line(&f, 100, 340, "all of these numbers are those of today");
    const struct pl_block *b = find(&f, 3);
    expect_table(&b[1], 8, 2, "Laudamus");
    ck_assert_str_eq(b[2].lines->text, "all of these numbers are those of today");
    pl_arena_done(&f.arena);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("repeated");
    tcase_add_test(tc, lists_are_read_down);
    tcase_add_test(tc, few_rows_stay_rows);
    tcase_add_test(tc, few_amounts_are_a_list);
    tcase_add_test(tc, other_columns_stay);
    tcase_add_test(tc, texts_stay);
    tcase_add_test(tc, names_tell_lists);
    tcase_add_test(tc, numbers_of_several_columns);
    tcase_add_test(tc, text_behind_lists);
    Suite *s = suite_create("repeated");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
