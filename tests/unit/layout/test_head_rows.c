/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of columns in several rows of text. */
#include "tests/unit/layout/page_fixture.h"

/* Lays out two rows of text, the second one `step` px below the first, and four rows of figures
 * ROW_PX apart below them. */
static const struct pl_table *lay(struct page_fixture *f, const char *above, const char *below,
                                  int step, const char *row)
{
    setup(f);
    line(f, 100, 100, above);
    line(f, 100, 100 + step, below);
    rows_of(f, 100, 100 + step + ROW_PX, 4, row);
    return find(f, 1)->table;
}

/* Checks that the cell of a column in row 0 has these two lines. */
static void expect_name(const struct pl_table *t, int column, const char *above, const char *below)
{
    const struct pl_cell *c = cell_at(t, 0, column);
    ck_assert_uint_eq(c->n_lines, 2);
    ck_assert_str_eq(c->lines[0].text, above);
    ck_assert_str_eq(c->lines[1].text, below);
}

/* Two rows of names that are closer than the rows of the table are one; names in one row stand in
 * the lower one, or in the upper one. A year names a column as a word does. */
START_TEST(close_names_are_one_row)
{
    struct page_fixture f;
    const struct pl_table *t =
        lay(&f, "          Quantity  Unit", "Item      ordered   price     Sum", 25,
            "bolt      12        12.50     150.00");
    expect_size(t, 5, 4);
    ck_assert_int_eq(t->n_head, 1);
    expect(t, 0, 0, "Item");
    expect_name(t, 1, "Quantity", "ordered");
    expect_name(t, 2, "Unit", "price");
    expect_row(t, 4, 0, "bolt", "12", "12.50", "150.00");
    ck_assert_ptr_eq(cell_at(t, 0, 0)->lines, f.regions.blocks->lines);
    pl_arena_done(&f.arena);
    t = lay(&f, "Item      Quantity  Unit      Sum", "          ordered   2023", 25,
            "bolt      12        12.50     150.00");
    expect_size(t, 5, 4);
    expect_name(t, 2, "Unit", "2023");
    pl_arena_done(&f.arena);
}
END_TEST

/* Rows that are as far apart as those of the table stay rows, with white below them, too, unless a
 * rule parts them from these; with one between them they stay. */
START_TEST(rules_tell_of_names)
{
    struct page_fixture f;
    ck_assert_int_eq(lay(&f, "          Quantity  Unit", "Item      ordered   price", ROW_PX,
                         "bolt      12        12.50")
                         ->n_rows,
                     6);
    pl_arena_done(&f.arena);
    setup(&f);
    line(&f, 100, 70, "          Quantity  Unit");
    line(&f, 100, 100, "Item      ordered   price");
    rows_of(&f, 100, 160, 4, "bolt      12        12.50");
    ck_assert_int_eq(find(&f, 1)->table->n_rows, 6);
    pl_arena_done(&f.arena);
    for (int rules = 1; rules <= 2; rules++) {
        setup(&f);
        line(&f, 100, 100, "          Quantity  Unit");
        line(&f, 100, 130, "Item      ordered   price");
        rows_of(&f, 100, 160, 4, "bolt      12        12.50");
        level(&f, 151, 100, 350);
        if (rules == 2)
            level(&f, 121, 190, 350);
        expect_size(find(&f, 1)->table, rules == 1 ? 5 : 6, 3);
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Close rows of which one has numbers, or below which there are none, are rows of the table. */
START_TEST(close_rows_of_others_stay)
{
    struct page_fixture f;
    ck_assert_int_eq(lay(&f, "nut       9         8.00", "Item      ordered   price", 25,
                         "bolt      12        9.50")
                         ->n_rows,
                     6);
    pl_arena_done(&f.arena);
    ck_assert_int_eq(lay(&f, "Part      Colour    Place", "wanted    wanted    wanted", 25,
                         "bolt      red       left")
                         ->n_rows,
                     6);
    pl_arena_done(&f.arena);
}
END_TEST

/* What stands above the first name alone is a title; so is what stands under none of the names, or
 * runs over several. */
START_TEST(titles_are_no_names)
{
    struct page_fixture f;
    static const char *const titles[] = {"Hardware", "            St",
                                         "          Quantities of all"};
    for (size_t i = 0; i < PL_ARRAY_LEN(titles); i++) {
        const struct pl_table *t = lay(&f, titles[i], "Item      orderedtoday   price", 25,
                                       "bolt      12             12.50");
        ck_assert_ptr_nonnull(t);
        ck_assert_int_eq(t->n_rows, 6);
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Lays out names, and three items of which the second one goes on in rows of text `step` px below
 * each other. */
static const struct pl_table *lay_wrapped(struct page_fixture *f, int step, const char *row,
                                          const char *rest)
{
    setup(f);
    line(f, 100, 100, "Item            Count     Sum");
    line(f, 100, 140, "bolt            12        12.50");
    line(f, 100, 180, row);
    line(f, 100, 180 + step, rest);
    line(f, 100, 180 + 2 * step, rest);
    line(f, 100, 220 + 2 * step, "nut             7         8.00");
    return find(f, 1)->table;
}

/* Text that goes on closer below a row than any row begins is of that row; numbers are not, nor
 * what stands below a row of two cells or as far as rows are apart. */
START_TEST(broken_text_goes_on_in_its_row)
{
    static const struct {
        int step, rows;
        const char *row, *rest;
    } tried[] = {{30, 4, "nut and         9         8.00", "washers"},
                 {39, 6, "nut and         9         8.00", "washers"},
                 {30, 6, "nut and         9         8.00", "                9"},
                 {30, 6, "nut and                   8.00", "washers"}};
    for (size_t k = 0; k < PL_ARRAY_LEN(tried); k++) {
        struct page_fixture f;
        const struct pl_table *t = lay_wrapped(&f, tried[k].step, tried[k].row, tried[k].rest);
        expect_size(t, tried[k].rows, 3);
        ck_assert_int_eq(t->n_head, 1);
        ck_assert_uint_eq(cell_at(t, 2, 0)->n_lines, tried[k].rows == 4 ? 3 : 1);
        expect_row(t, tried[k].rows - 1, 0, "nut", "7", "8.00");
        pl_arena_done(&f.arena);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("head_rows");
    tcase_add_test(tc, close_names_are_one_row);
    tcase_add_test(tc, rules_tell_of_names);
    tcase_add_test(tc, close_rows_of_others_stay);
    tcase_add_test(tc, titles_are_no_names);
    tcase_add_test(tc, broken_text_goes_on_in_its_row);
    Suite *s = suite_create("head_rows");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
