/* SPDX-License-Identifier: BSD-2-Clause */
/* Names that stand beside what they name, and edges of columns in white of names and values. */
#include "tests/unit/layout/page_fixture.h"

/* Lays out a row of names and n rows of values below it. */
static const struct pl_table *lay(struct page_fixture *f, const char *names, int n, const char *row)
{
    setup(f);
    line(f, 100, 100, names);
    rows_of(f, 100, 130, n, row);
    return find(f, 1)->table;
}

/* Names at the left of figures that end at the right, with white between them in all rows: each is
 * in the column of its figures, and is its name. */
START_TEST(names_join_their_values)
{
    struct page_fixture f;
    const struct pl_table *t = lay(&f, "Description     Qty            Price           Total", 4,
                                   "long screw              12             9.50           150.00");
    expect_size(t, 5, 4);
    ck_assert_int_eq(t->n_head, 1);
    expect_row(t, 0, 0, "Description", "Qty", "Price", "Total");
    expect_row(t, 4, 0, "long screw", "12", "9.50", "150.00");
    ck_assert_int_eq(cell_at(t, 1, 1)->box.x0, cell_at(t, 0, 1)->box.x0);
    pl_arena_done(&f.arena);
}
END_TEST

/* Names at the right of values, in rows of as many names as columns. */
START_TEST(names_at_the_right_of_values)
{
    struct page_fixture f;
    const struct pl_table *t = lay(&f, "Description          Code           Place", 4,
                                   "long screw      A1             B7");
    expect_size(t, 5, 3);
    expect_row(t, 0, 0, "Description", "Code", "Place");
    expect_row(t, 4, 0, "long screw", "A1", "B7");
    pl_arena_done(&f.arena);
}
END_TEST

/* The titles of the rows have no name: the first name is that of the figures to its right, and
 * where these have one, it names a column that is empty. */
START_TEST(titles_of_rows_have_no_name)
{
    struct page_fixture f;
    const struct pl_table *t = lay(&f, "                Qty            Price", 4,
                                   "long screw              12             9.50");
    expect_size(t, 5, 3);
    expect_row(t, 0, 0, "", "Qty", "Price");
    expect_row(t, 4, 0, "long screw", "12", "9.50");
    pl_arena_done(&f.arena);
    t = lay(&f, "                Note          Price     Total", 4,
            "long screw                    9.50      12.00");
    expect_size(t, 5, 4);
    expect_row(t, 0, 0, "", "Note", "Price", "Total");
    pl_arena_done(&f.arena);
}
END_TEST

/* Of columns in turn that begin and end with values, the first ones have no name. */
START_TEST(names_are_left_of_their_values)
{
    struct page_fixture f;
    const struct pl_table *t =
        lay(&f, "Description         Price", 4, "long screw     12             9.50");
    expect_size(t, 5, 3);
    expect_row(t, 0, 0, "Description", "", "Price");
    expect_row(t, 4, 0, "long screw", "12", "9.50");
    pl_arena_done(&f.arena);
}
END_TEST

/* A value that is as wide as to reach below the name of its column is one of it. */
START_TEST(a_wide_value_reaches_below_its_name)
{
    struct page_fixture f;
    setup(&f);
    line(&f, 100, 100, "Description     Qty            Total");
    for (int i = 0; i < 11; i++)
        line(&f, 100, 130 + ROW_PX * i,
             i == 5 ? "long screw              12        1,150,000.00"
                    : "long screw              12                9.00");
    const struct pl_table *t = find(&f, 1)->table;
    expect_size(t, 12, 3);
    expect_row(t, 0, 0, "Description", "Qty", "Total");
    expect_row(t, 6, 0, "long screw", "12", "1,150,000.00");
    pl_arena_done(&f.arena);
}
END_TEST

/* A number is no name, and neither is what a rule or a value in its row parts from the column. */
START_TEST(other_columns_stay)
{
    struct page_fixture f;
    expect_size(
        lay(&f, "Description     7              12.50", 4, "long screw              12     12.50"),
        5, 4);
    pl_arena_done(&f.arena);
    setup(&f);
    line(&f, 100, 100, "Description     Qty            Total");
    rows_of(&f, 100, 130, 4, "long screw              12      9.50");
    upright(&f, 315, 95, 250);
    expect_size(find(&f, 1)->table, 5, 4);
    pl_arena_done(&f.arena);
    setup(&f);
    line(&f, 100, 100, "Description     Note           Total");
    for (int i = 0; i < 12; i++)
        line(&f, 100, 130 + ROW_PX * i,
             i == 5 ? "long screw      new     12      9.50"
                    : "long screw              12      9.50");
    expect_size(find(&f, 1)->table, 13, 4);
    pl_arena_done(&f.arena);
}
END_TEST

/* A name across the edge between the figures of two columns is that of the right ones, as the left
 * ones have one. Rows below are of another kind, whose titles stand below the name. */
START_TEST(edges_stand_beside_names)
{
    struct page_fixture f;
    setup(&f);
    line(&f, 100, 100, "Description     Qty  Price      Total");
    rows_of(&f, 100, 130, 5, "long screw      12         9.50       150.00");
    rows_of(&f, 100, 280, 3, "                     Subtotal         150.00");
    const struct pl_table *t = find(&f, 1)->table;
    expect_size(t, 9, 4);
    expect_row(t, 0, 0, "Description", "Qty", "Price", "Total");
    expect_row(t, 5, 0, "long screw", "12", "9.50", "150.00");
    expect(t, 8, 2, "Subtotal");
    pl_arena_done(&f.arena);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("name_columns");
    tcase_add_test(tc, names_join_their_values);
    tcase_add_test(tc, names_at_the_right_of_values);
    tcase_add_test(tc, titles_of_rows_have_no_name);
    tcase_add_test(tc, names_are_left_of_their_values);
    tcase_add_test(tc, a_wide_value_reaches_below_its_name);
    tcase_add_test(tc, other_columns_stay);
    tcase_add_test(tc, edges_stand_beside_names);
    Suite *s = suite_create("name_columns");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
