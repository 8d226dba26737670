/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables without rules whose cells are set in the middle of their row's height. */
#include "layout/tables.h"
#include "tests/unit/layout/page_fixture.h"

#define PITCH_PX 20 /* from one row of text of a cell to the next */

/* A row of a statement of account, whose text is in up to three rows from height y on, and the
 * others in the middle of these, or `off` px lower. Returns the height of the next one, `apart` px
 * below. */
static int entry(struct page_fixture *f, int y, int apart, int off, const char *text, int n,
                 const char *amount)
{
    const int middle = y + PITCH_PX * (n - 1) / 2 + off;
    line(f, 110, middle, "01.07.");
    for (int i = 0; i < n; i++)
        line(f, 220, y + PITCH_PX * i, i ? "of the first of July" : text);
    line(f, 600, middle, amount);
    return y + PITCH_PX * (n - 1) + apart;
}

/* Four such rows below the names of the columns; the third has n rows of text. */
static void statement(struct page_fixture *f, int n, int apart, int off)
{
    setup(f);
    line(f, 110, 100, "Date");
    line(f, 220, 100, "Text");
    line(f, 610, 100, "Sum");
    int y = 100 + apart;
    y = entry(f, y, apart, 0, "Rent of the house", 1, "745.00");
    y = entry(f, y, apart, 0, "Water and light", 1, "31.20");
    y = entry(f, y, apart, off, "Bread and butter", n, "9.95");
    entry(f, y, apart, 0, "Salary", 1, "1,020.00");
}

/* Returns how many tables there are before words make any. */
static size_t count_tables(struct page_fixture *f)
{
    size_t n = 0;
    ck_assert(pl_tables_ruled(&f->arena, &f->regions));
    for (size_t i = 0; i < f->regions.n_blocks; i++)
        n += f->regions.blocks[i].table != NULL;
    pl_arena_done(&f->arena);
    return n;
}

/* Two or three rows of text are one cell, and beside it are its date and amount. */
START_TEST(rows_of_text_are_one_cell)
{
    for (int n = 2; n <= 3; n++) {
        struct page_fixture f;
        statement(&f, n, 24, 0);
        const struct pl_table *t = find(&f, 1)[0].table;
        expect_size(t, 5, 3);
        ck_assert_int_eq(t->n_head, 1);
        expect_row(t, 0, 0, "Date", "Text", "Sum");
        expect(t, 3, 0, "01.07.");
        expect(t, 3, 2, "9.95");
        ck_assert_uint_eq(cell_at(t, 3, 1)->n_lines, (size_t)n);
        expect_row(t, 4, 0, "01.07.", "Salary", "1,020.00");
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* A text above in one column alone is no row of the table, and one that runs across all neither. */
START_TEST(text_around_stays_outside)
{
    struct page_fixture f;
    statement(&f, 2, 24, 0);
    line(&f, 110, 70, "July");
    line(&f, 110, 260, "Please look at all of these sums within the next thirty days");
    const struct pl_block *b = find(&f, 3);
    ck_assert_str_eq(b[0].lines->text, "July");
    expect_size(b[1].table, 5, 3);
    pl_arena_done(&f.arena);
}
END_TEST

/* A group of rows has its title between them. */
START_TEST(titles_of_groups_are_rows)
{
    struct page_fixture f;
    statement(&f, 2, 24, 0);
    line(&f, 110, 240, "August");
    entry(&f, 264, 24, 0, "Salary", 1, "1,020.00");
    expect_size(find(&f, 1)[0].table, 7, 3);
    pl_arena_done(&f.arena);
}
END_TEST

/* Where nothing is set in the middle, other rules tell what a table is; nor is anything where the
 * white between the rows is no wider than within. */
START_TEST(other_rows_are_no_such_table)
{
    static const struct {
        int n, apart, off;
        size_t tables;
    } tried[] = {{2, 24, 0, 1}, {1, 24, 0, 0}, {2, 24, -10, 0}, {2, 24, 10, 0}, {2, 20, 0, 0}};
    for (size_t i = 0; i < PL_ARRAY_LEN(tried); i++) {
        struct page_fixture f;
        statement(&f, tried[i].n, tried[i].apart, tried[i].off);
        ck_assert_uint_eq(count_tables(&f), tried[i].tables);
    }
}
END_TEST

/* Prose beside labels has rows that are not level with these; two columns are none either. */
START_TEST(text_beside_prose_is_no_row)
{
    struct page_fixture f;
    setup(&f);
    for (int i = 0; i < 4; i++) {
        rows(&f, 110, 100 + 80 * i, "We saw the boats come home\nin the first light of day");
        line(&f, 500, 115 + 80 * i, "9.95");
    }
    ck_assert_uint_eq(count_tables(&f), 0);
    setup(&f);
    for (int i = 0; i < 4; i++) {
        line(&f, 110, 100 + 72 * i, "Boats come home");
        line(&f, 110, 120 + 72 * i, "in the first light");
        line(&f, 400, 110 + 72 * i, "Summer");
        line(&f, 600, 100 + 72 * i, "Winter");
        line(&f, 600, 120 + 72 * i, "and the snow");
    }
    ck_assert_uint_eq(count_tables(&f), 0);
}
END_TEST

/* Where each column has several rows of text somewhere, none tells what a row of the table is. */
START_TEST(one_column_has_single_rows)
{
    for (int single = 0; single < 2; single++) {
        struct page_fixture f;
        setup(&f);
        for (int i = 0; i < 4; i++)
            for (int column = 0; column < 3; column++) {
                const bool two = i % 2 ? column > single : column == 0;
                for (int k = 0; k <= two; k++)
                    line(&f, 110 + 220 * column, 100 + 43 * i + (two ? PITCH_PX * k : 10),
                         k ? "of the boats" : "First light");
            }
        struct pl_edges edges;
        int y = 0;
        ck_assert(pl_bands_centred(&f.arena, &f.regions, &y, &edges));
        ck_assert_int_eq(edges.n_columns, single ? 3 : 0);
        pl_arena_done(&f.arena);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("centred");
    tcase_add_test(tc, rows_of_text_are_one_cell);
    tcase_add_test(tc, text_around_stays_outside);
    tcase_add_test(tc, titles_of_groups_are_rows);
    tcase_add_test(tc, other_rows_are_no_such_table);
    tcase_add_test(tc, text_beside_prose_is_no_row);
    tcase_add_test(tc, one_column_has_single_rows);
    Suite *s = suite_create("centred");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
