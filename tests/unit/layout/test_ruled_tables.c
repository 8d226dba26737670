/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables whose cells are parted by rules. */
#include "tests/unit/layout/page_fixture.h"

/* A grid of three rows and columns; the first cell of row 1 spans two columns, and one line runs
 * through two cells. */
START_TEST(rules_part_cells)
{
    struct page_fixture f;
    setup(&f);
    for (int i = 0; i < 4; i++)
        level(&f, 100 + 40 * i, 100, 702);
    upright(&f, 100, 100, 222);
    upright(&f, 300, 100, 142);
    upright(&f, 300, 180, 222);
    uprights(&f, 100, 222, 500, 700);
    line(&f, 110, 60, "before the table");
    line(&f, 110, 115, "Item                Size");
    line(&f, 510, 115, "Price");
    line(&f, 110, 155, "both columns");
    line(&f, 510, 155, "12.50");
    line(&f, 110, 195, "bolt");
    line(&f, 510, 195, "3.20");
    line(&f, 110, 260, "behind the table");
    const struct pl_block *b = find(&f, 3);
    ck_assert_ptr_null(b[0].table);
    ck_assert_str_eq(b[0].lines->text, "before the table");
    ck_assert_str_eq(b[2].lines->text, "behind the table");
    const struct pl_table *t = b[1].table;
    ck_assert_int_eq(b[1].kind, PL_BLOCK_TABLE);
    expect_size(t, 3, 3);
    ck_assert_int_eq(t->n_head, 1);
    expect_row(t, 0, 0, "Item", "Size", "Price");
    expect(t, 1, 0, "both columns");
    ck_assert_ptr_eq(cell_at(t, 1, 0), cell_at(t, 1, 1));
    expect_row(t, 2, 1, "", "3.20");
    pl_arena_done(&f.arena);
}
END_TEST

/* Columns are ruled, rows are not: rows of text are rows of the table, but for a line that goes on
 * in its column; columns of words without a rule between them are columns. */
START_TEST(rows_of_text_are_rows)
{
    struct page_fixture f;
    setup(&f);
    levels(&f, 100, 702, 100, 140, 400);
    uprights(&f, 100, 402, 100, 350, 520, 700);
    line(&f, 110, 115, "No     Name");
    line(&f, 360, 115, "Remark");
    line(&f, 560, 115, "Price");
    for (int i = 0; i < 4; i++) {
        line(&f, 110, 150 + 30 * i, i % 2 ? "12     Bolt" : "7      Screw");
        line(&f, 360, 150 + 30 * i, i == 3 ? "made of brass" : "brass");
        line(&f, 600, 150 + 30 * i, "12.50");
    }
    line(&f, 360, 270, "and copper");
    const struct pl_table *t = find(&f, 1)[0].table;
    expect_size(t, 5, 4);
    ck_assert_int_eq(t->n_head, 1);
    expect_row(t, 0, 0, "No", "Name");
    expect(t, 2, 1, "Bolt");
    ck_assert_uint_eq(cell_at(t, 4, 2)->n_lines, 2);
    ck_assert_int_eq(cell_at(t, 4, 2)->lines[1].join, PL_JOIN_BLANK);
    pl_arena_done(&f.arena);
}
END_TEST

/* Between two rules, too, columns meet where rows have a blank in one place and the head has the
 * white of columns; a row that is not full goes on with the one above only where it stands under
 * it: one that begins further to the left is a row of its own, even if the line above was full. */
START_TEST(close_columns_between_rules)
{
    struct page_fixture f;
    setup(&f);
    uprights(&f, 100, 502, 100, 300, 420, 540, 660, 800);
    levels(&f, 100, 802, 100, 140, 500);
    line(&f, 110, 115, "No    Name");
    line(&f, 310, 115, "Made of");
    line(&f, 430, 115, "Size");
    line(&f, 550, 115, "Weight");
    line(&f, 710, 115, "Price");
    for (int i = 0; i < 5; i++) {
        line(&f, 110, 150 + 60 * i, i % 2 ? "12.1" : "12.1 remarks:");
        if (i % 2)
            line(&f, 160, 150 + 60 * i, "remarks:");
        line(&f, 320, 150 + 60 * i, "old");
        line(&f, 160, 180 + 60 * i, i % 2 ? "iron-bolt-2" : "long-screw-31");
        line(&f, 310, 180 + 60 * i, "brass");
        line(&f, 430, 180 + 60 * i, "12 mm");
        line(&f, 550, 180 + 60 * i, "80 g");
        line(&f, 710, 180 + 60 * i, "12.50");
    }
    const struct pl_table *t = find(&f, 1)[0].table;
    expect_size(t, 11, 6);
    expect_row(t, 0, 0, "No", "Name");
    expect_row(t, 1, 0, "12.1", "remarks:");
    expect(t, 2, 1, "long-screw-31");
    expect(t, 2, 5, "12.50");
    expect(t, 3, 1, "remarks:");
    pl_arena_done(&f.arena);
}
END_TEST

/* A grid of n rows of two columns, of which the first has three columns of words. */
static void columns_in_a_column(struct page_fixture *f, int n, int row_px)
{
    setup(f);
    for (int i = 0; i <= n; i++)
        level(f, 100 + row_px * i, 100, 702);
    for (int i = 0; i < 3; i++)
        upright(f, (const int[]){100, 500, 700}[i], 100, 102 + row_px * n);
    for (int i = 0; i < n; i++) {
        line(f, 110, 110 + row_px * i, i ? "1.0  SPOT  bolt" : "No   Type  Name");
        line(f, 510, 110 + row_px * i, i ? "12.50" : "Price");
    }
}

/* Words of rows that rules part stand in columns, too; not those of cells with several rows of
 * text. */
START_TEST(columns_between_ruled_rows)
{
    struct page_fixture f;
    columns_in_a_column(&f, 6, 40);
    const struct pl_table *t = find(&f, 1)[0].table;
    expect_size(t, 6, 4);
    expect(t, 0, 1, "Type");
    expect(t, 1, 0, "1.0");
    expect_row(t, 5, 2, "bolt", "12.50");
    pl_arena_done(&f.arena);
    columns_in_a_column(&f, 6, 80);
    for (int i = 0; i < 6; i++)
        line(&f, 110, 140 + 80 * i, "and  more  of it");
    t = find(&f, 1)[0].table;
    expect_size(t, 6, 2);
    pl_arena_done(&f.arena);
}
END_TEST

/* Three of nine rows have numbers before their text, as the first of several of one item has: the
 * text of the others begins where that of the three does. Rows of numbers alone tell nothing. */
START_TEST(rows_without_numbers)
{
    for (int numbers = 0; numbers < 2; numbers++) {
        struct page_fixture f;
        setup(&f);
        for (int i = 0; i < 10; i++)
            level(&f, 100 + 40 * i, 100, 702);
        uprights(&f, 100, 462, 100, 500, 700);
        for (int i = 0; i < 9; i++) {
            line(&f, i < 3 || numbers ? 110 : 170, 110 + 40 * i,
                 i < 3     ? "1.0   bolt"
                 : numbers ? "1.0"
                           : "bolt");
            line(&f, 510, 110 + 40 * i, "12.50");
        }
        const struct pl_table *t = find(&f, 1)[0].table;
        ck_assert_int_eq(t->n_columns, numbers ? 2 : 3);
        expect(t, 0, 0, numbers ? "1.0   bolt" : "1.0");
        expect(t, 5, 0, numbers ? "1.0" : "");
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Rows within the same frame that no rules part into columns have others. */
START_TEST(rows_without_rules_have_other_columns)
{
    struct page_fixture f;
    setup(&f);
    for (int i = 0; i < 10; i++)
        level(&f, 100 + 40 * i, 100, 702);
    for (int i = 0; i < 4; i++)
        upright(&f, (const int[]){100, 300, 500, 700}[i], 100, i % 3 ? 222 : 462);
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < (i < 3 ? 3 : 1); k++)
            line(&f, 110 + 200 * k, 110 + 40 * i,
                 i < 3 ? "bolt" : "Sep    0.00    9.00    a wide text    0.00");
    ck_assert_int_eq(find(&f, 2)[0].table->n_columns, 3);
    pl_arena_done(&f.arena);
}
END_TEST

/* Within the frame of the page, whose rules stand close to those of a table, rows below the table
 * run from side to side: they are none of it, whatever rules part them, and another table. */
START_TEST(rows_below_in_a_frame)
{
    struct page_fixture f;
    setup(&f);
    for (int i = 0; i < 8; i++)
        level(&f, 100 + 40 * i, 80, i == 6 ? 250 : 722);
    for (int i = 0; i < 6; i++)
        upright(&f, (const int[]){80, 100, 300, 500, 700, 720}[i], 100, i / 2 == 1 ? 222 : 382);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            line(&f, 110 + 200 * k, 110 + 40 * i, "bolt");
    for (int i = 0; i < 4; i++)
        line(&f, 110, 230 + 40 * i, "Sep    0.00    9.00    0.00    a-wide-text-and    0.00");
    const struct pl_block *b = find(&f, 2);
    expect_size(b[0].table, 3, 3);
    expect_size(b[1].table, 4, 6);
    pl_arena_done(&f.arena);
}
END_TEST

/* A box of sums stands below the rows of a list, whose rules between columns run through it: its
 * rule parts the columns beside it, too, so that the label over two columns stays in its row. */
START_TEST(sums_are_rows_of_their_own)
{
    struct page_fixture f;
    setup(&f);
    levels(&f, 100, 702, 100, 140);
    level(&f, 240, 440, 702);
    level(&f, 320, 100, 702);
    for (int i = 0; i < 5; i++)
        upright(&f, 100 + 150 * i, 100, 322);
    line(&f, 110, 115, "No");
    line(&f, 260, 115, "Name");
    line(&f, 410, 115, "Count");
    line(&f, 560, 115, "Price");
    for (int i = 0; i < 3; i++) {
        line(&f, 110, 150 + 30 * i, "7");
        line(&f, 260, 150 + 30 * i, "bolt");
        line(&f, 410, 150 + 30 * i, "2");
        line(&f, 610, 150 + 30 * i, "3.20");
    }
    line(&f, 380, 255, "Gross");
    line(&f, 610, 255, "9.60");
    line(&f, 380, 285, "Net");
    line(&f, 610, 285, "8.16");
    const struct pl_table *t = find(&f, 1)[0].table;
    ck_assert_int_eq(t->n_rows, 6);
    expect_row(t, 3, 1, "bolt", "2");
    ck_assert_ptr_eq(cell_at(t, 4, 1), cell_at(t, 4, 2));
    expect(t, 4, 1, "Gross");
    expect(t, 4, 3, "9.60");
    pl_arena_done(&f.arena);
}
END_TEST

/* A table of rules with five columns, and text from x on, `below` its last rule. */
static void row_below(struct page_fixture *f, int below, int x, const char *text)
{
    setup(f);
    for (int i = 0; i < 6; i++)
        upright(f, 100 + 120 * i, 100, 222);
    for (int i = 0; i < 4; i++)
        level(f, 100 + 40 * i, 100, 702);
    for (int i = 0; i < 3; i++)
        line(f, 110, 110 + 40 * i,
             i ? "bolt        12          2.50        7           A4"
               : "Item        Count       Price       Days        Bin");
    line(f, x, 220 + below, text);
}

static void is_no_row(struct page_fixture *f)
{
    ck_assert_int_eq(find(f, 2)[0].table->n_rows, 3);
    pl_arena_done(&f->arena);
}

/* A row of text close below the rules, with values under those of the columns, is the last one of
 * the table; what it begins with may reach over several columns. So is a further one. */
START_TEST(sums_below_the_rules)
{
    struct page_fixture f;
    row_below(&f, 8, 110, "Sum of every bolt       5.00        14");
    line(&f, 110, 250, "Net                     4.10        14");
    line(&f, 110, 280, "Payment  within  30 days");
    const struct pl_block *b = find(&f, 2);
    expect_size(b[0].table, 5, 5);
    expect(b[0].table, 3, 0, "Sum of every bolt");
    ck_assert_int_eq(cell_at(b[0].table, 3, 0)->n_columns, 2);
    expect_row(b[0].table, 3, 2, "5.00", "14", "");
    expect(b[0].table, 4, 2, "4.10");
    pl_arena_done(&f.arena);
}
END_TEST

/* Text that has one value alone, or others elsewhere, or that runs on, or stands lower, outside, or
 * between rules of its own, is no row of a table above. */
START_TEST(other_text_below_the_rules)
{
    struct page_fixture f;
    row_below(&f, 18, 110, "Total       24          5.00        14");
    is_no_row(&f);
    row_below(&f, 8, 110, "Total                   5.00");
    is_no_row(&f);
    row_below(&f, 8, 110, "Total         24          5.00      14          A4");
    is_no_row(&f);
    row_below(&f, 8, 110, "Total             gross-5.00        14          A4");
    is_no_row(&f);
    row_below(&f, 8, 110, "we thank you for the order that you gave us");
    is_no_row(&f);
    row_below(&f, 8, 70, "Total           24          5.00        14");
    is_no_row(&f);
    row_below(&f, 8, 110, "Total       24          5.00        14");
    upright(&f, 300, 226, 252);
    is_no_row(&f);
}
END_TEST

/* Prose in two columns with rules around them, below titles, is no table; nor is a drawing whose
 * lines run through text. */
START_TEST(frames_are_no_tables)
{
    struct page_fixture f;
    setup(&f);
    levels(&f, 100, 702, 100, 140, 600);
    uprights(&f, 100, 602, 100, 400, 700);
    line(&f, 110, 115, "left title");
    line(&f, 410, 115, "right title");
    for (int i = 0; i < 12; i++) {
        line(&f, 110, 150 + 30 * i, i % 5 == 4 ? "ends here" : "it goes on and on and so it");
        line(&f, 410, 150 + 30 * i, i % 4 == 3 ? "short" : "and so it goes on and on at");
    }
    no_ruled_table(&f);
    setup(&f);
    levels(&f, 200, 602, 100, 200, 300);
    uprights(&f, 100, 302, 200, 400, 600);
    for (int i = 0; i < 4; i++) {
        line(&f, 120, 130 + 50 * i, "someone of that name");
        line(&f, 520, 130 + 50 * i, "someone of that name");
    }
    no_ruled_table(&f);
}
END_TEST

/* Above the rows of cells there may be an empty one and a title, which are no part of the table;
 * within it one without text is none of its rows. Figures do not name columns. */
START_TEST(empty_rows_are_left_out)
{
    struct page_fixture f;
    setup(&f);
    for (int i = 0; i < 6; i++)
        level(&f, 100 + 40 * i, 100, 702);
    upright(&f, 100, 100, 302);
    upright(&f, 400, 180, 302);
    upright(&f, 700, 100, 302);
    line(&f, 110, 155, "the title of this table");
    for (int i = 2; i < 5; i += 2) {
        line(&f, 110, 115 + 40 * i, "bolt 12");
        line(&f, 410, 115 + 40 * i, "12.50");
    }
    const struct pl_block *b = find(&f, 2);
    ck_assert_str_eq(b[0].lines->text, "the title of this table");
    ck_assert_int_eq(b[1].table->n_rows, 2);
    ck_assert_int_eq(b[1].table->n_head, 0);
    expect(b[1].table, 0, 0, "bolt 12");
    expect(b[1].table, 1, 1, "12.50");
    pl_arena_done(&f.arena);
}
END_TEST

/* Five rows of two columns within rules, `n` of which level ones between them, and text beside
 * each. */
static void rows_beside_a_frame(struct page_fixture *f, int n)
{
    setup(f);
    levels(f, 100, 502, 100, 300);
    for (int i = 1; i <= n; i++)
        level(f, 100 + 40 * i, 100, 502);
    for (int i = 0; i < 3; i++)
        upright(f, 100 + 200 * i, 100, 302);
    for (int i = 0; i < 5; i++) {
        line(f, 110, 115 + 40 * i, "bolt");
        line(f, 310, 115 + 40 * i, "brass");
        line(f, 600, 115 + 40 * i, "12.50");
    }
}

/* Rules around a part of the columns of a larger table make no table of them; rows that rules part
 * are one, whatever stands beside, and what stands to its right is read behind it. */
START_TEST(a_part_of_a_table_is_none)
{
    struct page_fixture f;
    rows_beside_a_frame(&f, 0);
    no_ruled_table(&f);
    rows_beside_a_frame(&f, 1);
    no_ruled_table(&f);
    rows_beside_a_frame(&f, 4);
    const struct pl_block *b = find(&f, 2);
    expect_size(b[0].table, 5, 2);
    ck_assert_ptr_null(b[1].table);
    pl_arena_done(&f.arena);
}
END_TEST

/* Boxes of other columns that stand on each other are tables of their own. */
START_TEST(other_columns_are_another_table)
{
    struct page_fixture f;
    setup(&f);
    for (int i = 0; i < 5; i++)
        level(&f, 100 + 40 * i, 100, 702);
    uprights(&f, 100, 262, 100, 700);
    uprights(&f, 100, 182, 250, 420);
    uprights(&f, 180, 262, 340, 560);
    for (int i = 0; i < 2; i++) {
        line(&f, 110, 115 + 40 * i, "one");
        line(&f, 260, 115 + 40 * i, "two");
        line(&f, 430, 115 + 40 * i, "three");
        line(&f, 110, 195 + 40 * i, "four");
        line(&f, 350, 195 + 40 * i, "five");
        line(&f, 570, 195 + 40 * i, "six");
    }
    const struct pl_block *b = find(&f, 2);
    expect_size(b[0].table, 2, 3);
    expect(b[0].table, 1, 2, "three");
    expect(b[1].table, 0, 1, "five");
    pl_arena_done(&f.arena);
}
END_TEST

/* Rules around a row of two fields, and between them. */
static void frame_fields(struct page_fixture *f)
{
    setup(f);
    level(f, 100, 100, 702);
    level(f, 240, 100, 702);
    upright(f, 400, 100, 242);
}

/* A row of two fields with a rule between them. */
static void two_fields(struct page_fixture *f, const char *left, const char *right)
{
    frame_fields(f);
    line(f, 110, 110, left);
    line(f, 410, 110, right);
    line(f, 110, 150, "Bolt & Nut");
    line(f, 410, 150, "1850");
}

/* Fields beside each other are read one after the other. */
START_TEST(fields_are_read_by_themselves)
{
    struct page_fixture f;
    two_fields(&f, "Title, if there is any", "Name on whose behalf all of");
    for (int i = 0; i < 4; i++)
        line(&f, 410, (const int[]){130, 170, 190, 210}[i], "that it has been sent out to");
    line(&f, 760, 110, "beside");
    line(&f, 110, 300, "below");
    const struct pl_block *b = find(&f, 3);
    for (int i = 0; i < 3; i++)
        ck_assert_ptr_null(b[i].table);
    ck_assert_uint_eq(b[0].n_lines, 2);
    ck_assert_str_eq(b[0].lines[1].text, "Bolt & Nut");
    ck_assert_uint_eq(b[1].n_lines, 6);
    ck_assert_str_eq(b[1].lines[1].text, "that it has been sent out to");
    ck_assert_str_eq(b[2].lines[0].text, "beside");
    ck_assert_str_eq(b[2].lines[1].text, "below");
    pl_arena_done(&f.arena);
}
END_TEST

/* Columns that are numbered one after the other are fields; else, a label with a value below it is
 * two rows of a table. */
START_TEST(numbered_columns_are_fields)
{
    static const char *const heads[][2] = {{"1. Name", "2. Registration No."},
                                           {"1. Name", "3. Registration No."},
                                           {"1 Name", "2 Registration No."},
                                           {"Name", "Registration No."}};
    for (size_t i = 0; i < PL_ARRAY_LEN(heads); i++) {
        struct page_fixture f;
        two_fields(&f, heads[i][0], heads[i][1]);
        const struct pl_block *b = find(&f, i ? 1 : 2);
        if (i) {
            ck_assert_int_eq(b->table->n_rows, 2);
            expect(b->table, 1, 0, "Bolt & Nut");
        } else {
            ck_assert_str_eq(b[0].lines[1].text, "Bolt & Nut");
            ck_assert_str_eq(b[1].lines[0].text, "2. Registration No.");
        }
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Rows of fields whose numbers go on are no table; rows of others are. */
START_TEST(rows_of_fields_are_no_table)
{
    static const char *const below[][2] = {{"3. Sent by", "4. Copies"},
                                           {"5. Sent by", "6. Copies"}};
    for (size_t i = 0; i < PL_ARRAY_LEN(below); i++) {
        struct page_fixture f;
        two_fields(&f, "1. Name", "2. No.");
        level(&f, 340, 100, 702);
        level(&f, 380, 100, 702);
        upright(&f, 400, 240, 382);
        line(&f, 110, 250, below[i][0]);
        line(&f, 410, 250, below[i][1]);
        line(&f, 110, 290, "Mail");
        line(&f, 410, 290, "40");
        line(&f, 110, 350, "Total");
        line(&f, 410, 350, "12");
        const struct pl_block *b = find(&f, i ? 1 : 5);
        for (int k = 0; !i && k < 4; k++)
            ck_assert_uint_eq(b[k].n_lines, 2);
        if (i)
            ck_assert_int_eq(b->table->n_rows, 3);
        else
            ck_assert_str_eq(b[3].lines[0].text, "4. Copies");
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Gives the last n lines another size: `px` is the height of small letters, of which figures have
 * none and are 1.4 times as high. */
static void set_small_px(struct page_fixture *f, size_t n, double px)
{
    for (size_t i = f->block.n_lines - n; i < f->block.n_lines; i++)
        f->lines[i].xheight_px = strpbrk(f->lines[i].text, "aeiou") ? px : 1.4 * px;
}

/* Labels in smaller type than the values below them are of fields, each row by itself; in type that
 * is nearly as large they are heads. */
START_TEST(small_labels_are_of_fields)
{
    for (int i = 0; i < 2; i++) {
        struct page_fixture f;
        two_fields(&f, "Name", "Number");
        set_small_px(&f, 2, i ? 10.5 : 12);
        level(&f, 380, 100, 702);
        upright(&f, 400, 240, 382);
        line(&f, 110, 250, "Town");
        line(&f, 410, 250, "Code");
        line(&f, 410, 290, "40");
        set_small_px(&f, 1, i ? 10.5 : 12);
        const struct pl_block *b = find(&f, i ? 1 : 4);
        if (i) {
            expect(b->table, 1, 1, "1850");
        } else {
            ck_assert_str_eq(b[0].lines[1].text, "Bolt & Nut");
            ck_assert_str_eq(b[1].lines[0].text, "Number");
            ck_assert_str_eq(b[2].lines[0].text, "Town");
            ck_assert_str_eq(b[3].lines[1].text, "40");
        }
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Labels are in smaller type than all that was filled in below them, in two rows at most; a field
 * of one row in their type was left empty. */
START_TEST(small_rows_are_labels)
{
    static const size_t want[][2] = {{1, 1}, {2, 1}, {0, 0}, {1, 1}, {0, 0}};
    for (size_t i = 0; i < PL_ARRAY_LEN(want); i++) {
        struct page_fixture f;
        frame_fields(&f);
        line(&f, 110, 110, "Name of registrant and");
        line(&f, 110, 130, "address");
        line(&f, 410, 110, "Date");
        line(&f, 110, 170, "Bolt & Nut");
        line(&f, 110, 200, "Leeds");
        line(&f, 410, 150, "May");
        f.block.n_lines -= i > 2; /* the second field has one row */
        set_small_px(&f, f.block.n_lines, 14);
        f.lines[0].xheight_px = f.lines[2].xheight_px = 10;
        f.lines[1].xheight_px = i == 1 || i == 2 ? 10 : 14;
        f.lines[3].xheight_px = i == 2 ? 10 : 14; /* three rows in small type */
        f.lines[2].xheight_px = i == 4 ? 14 : 10; /* no label, in the type of what was filled in */
        const struct pl_block *b = find(&f, 2);
        for (int k = 0; k < 2; k++)
            ck_assert_msg(b[k].n_label == want[i][k], "%zu: %zu of field %d", i, b[k].n_label, k);
        if (b->n_label)
            ck_assert_int_eq(b->lines[b->n_label].join, PL_JOIN_NONE);
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* The label of a numbered field is a sentence: it goes on below where its row was full. */
START_TEST(numbered_sentences_are_labels)
{
    static const struct {
        const char *left, *right, *below;
        size_t want[2];
    } cases[] = {
        {"1. Name", "2. Registration number", "1850", {1, 1}},
        {"1. Name", "2. Registration number of it", "sent", {1, 2}},
        {"1. Name", "2. Registration number of it", "Sent", {1, 1}},
        {"1. Name", "2. Registration", "sent", {1, 1}},
        {"1. Name", "2. Registration number of it", "sent out to all of these, or", {1, 0}},
        {"1. Name", "2. Number (if there", "is one)", {1, 2}},
        {"1. Name", "2. Number, if any,", "or name", {1, 2}},
        {"1. Name", "2. Number (or name)", "is not known", {1, 1}},
        {"I. Name", "2. Registration number of it", "sent", {1, 2}},
        {"-", "2. Registration number of it", "sent", {0, 2}},
        {"Name", "Registration number of it", "sent", {0, 0}},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(cases); i++) {
        struct page_fixture f;
        frame_fields(&f);
        line(&f, 110, 110, cases[i].left);
        line(&f, 410, 110, cases[i].right);
        line(&f, 110, 190, "Bolt & Nut");
        line(&f, 410, 130, cases[i].below);
        line(&f, 410, 150, "to whom it may be of use");
        line(&f, 410, 170, "Utah");
        const struct pl_block *b = find(&f, 2);
        for (int k = 0; k < 2; k++)
            ck_assert_msg(b[k].n_label == cases[i].want[k], "%zu: %zu of field %d", i, b[k].n_label,
                          k);
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Below small heads a list of rows is one, and so are rows of which a column has no head. */
START_TEST(lists_below_small_heads)
{
    for (int i = 0; i < 2; i++) {
        struct page_fixture f;
        two_fields(&f, "Name", "Number");
        if (i) {
            level(&f, 100, 700, 902);
            level(&f, 240, 700, 902);
            upright(&f, 700, 100, 242);
            line(&f, 710, 150, "new");
        } else {
            line(&f, 110, 190, "Screw");
            line(&f, 410, 190, "20");
        }
        set_small_px(&f, i ? 3 : 4, 12);
        expect(find(&f, 1)->table, 1, 1, "1850");
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* What stands alone in its column, between the rows of text of the others and in the middle of all,
 * tells that these are one row of cells. */
START_TEST(centred_cells_are_one_row)
{
    static const struct {
        int y, rows; /* of what stands alone, and of the table */
    } tried[] = {{165, 2}, {168, 2}, {169, 4}, {162, 2}, {161, 4}, {150, 3}};
    for (size_t k = 0; k < PL_ARRAY_LEN(tried); k++) {
        struct page_fixture f;
        setup(&f);
        levels(&f, 100, 702, 100, 140, 200);
        uprights(&f, 100, 202, 100, 300, 500, 700);
        line(&f, 110, 115, "Hour");
        line(&f, 310, 115, "Monday");
        line(&f, 510, 115, "Tuesday");
        line(&f, 110, tried[k].y, "7");
        for (int i = 0; i < 2; i++) {
            line(&f, 310, 150 + 30 * i, i ? "Wu" : "Art");
            line(&f, 510, 150 + 30 * i, i ? "Li" : "Song");
        }
        const struct pl_table *t = find(&f, 1)[0].table;
        ck_assert_int_eq(t->n_rows, tried[k].rows);
        ck_assert_uint_eq(cell_at(t, 1, 1)->n_lines, tried[k].rows == 2 ? 2 : 1);
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* A rule between two words of a line, as a scanner draws it, does not part fields. */
START_TEST(words_across_a_rule_stay)
{
    struct page_fixture f;
    setup(&f);
    level(&f, 100, 100, 702);
    level(&f, 240, 100, 702);
    upright(&f, 400, 100, 242);
    line(&f, 110, 110, "To give notice of a change in infor-");
    line(&f, 110, 150, "mation");
    f.words[0][7].box.x0 += 5; /* a blank of 15 px around the rule */
    ck_assert_str_eq(find(&f, 1)->lines[0].text, "To give notice of a change in infor-");
    pl_arena_done(&f.arena);
}
END_TEST

/* Where a line runs out of the rules, they do not part fields. */
START_TEST(fields_that_run_out_stay)
{
    struct page_fixture f;
    two_fields(&f, "1. Title", "2. Name on whose behalf all of it was sent out");
    const struct pl_block *b = find(&f, 1);
    ck_assert_str_eq(b->lines[1].text, "2. Name on whose behalf all of it was sent out");
    pl_arena_done(&f.arena);
}
END_TEST

/* Two texts in one frame, as of a ticket and its stub, are rows of a table where these are level; a
 * row or two that happen to be level tell nothing. */
START_TEST(texts_beside_each_other_are_no_rows)
{
    static const struct {
        int step, last; /* from row to row of the right one, and to its last one besides */
        size_t blocks;
    } tried[] = {{30, 0, 1}, {30, 6, 1}, {33, 0, 2}};
    for (size_t k = 0; k < PL_ARRAY_LEN(tried); k++) {
        struct page_fixture f;
        setup(&f);
        levels(&f, 100, 702, 100, 400);
        uprights(&f, 100, 402, 100, 400, 700);
        for (int i = 0; i < 5; i++) {
            line(&f, 120, 120 + 30 * i, "Cabin for two");
            line(&f, 420, 120 + tried[k].step * i + (i == 4 ? tried[k].last : 0), "Deck C");
        }
        const struct pl_block *b = find(&f, tried[k].blocks);
        ck_assert_int_eq(b->table != NULL, tried[k].blocks == 1);
        ck_assert_uint_eq(b->n_lines, tried[k].blocks == 1 ? 10 : 5);
        pl_arena_done(&f.arena);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("ruled_tables");
    tcase_add_test(tc, rules_part_cells);
    tcase_add_test(tc, rows_of_text_are_rows);
    tcase_add_test(tc, close_columns_between_rules);
    tcase_add_test(tc, columns_between_ruled_rows);
    tcase_add_test(tc, rows_without_numbers);
    tcase_add_test(tc, rows_without_rules_have_other_columns);
    tcase_add_test(tc, rows_below_in_a_frame);
    tcase_add_test(tc, sums_are_rows_of_their_own);
    tcase_add_test(tc, sums_below_the_rules);
    tcase_add_test(tc, other_text_below_the_rules);
    tcase_add_test(tc, frames_are_no_tables);
    tcase_add_test(tc, empty_rows_are_left_out);
    tcase_add_test(tc, a_part_of_a_table_is_none);
    tcase_add_test(tc, other_columns_are_another_table);
    tcase_add_test(tc, fields_are_read_by_themselves);
    tcase_add_test(tc, numbered_columns_are_fields);
    tcase_add_test(tc, rows_of_fields_are_no_table);
    tcase_add_test(tc, small_labels_are_of_fields);
    tcase_add_test(tc, small_rows_are_labels);
    tcase_add_test(tc, numbered_sentences_are_labels);
    tcase_add_test(tc, lists_below_small_heads);
    tcase_add_test(tc, centred_cells_are_one_row);
    tcase_add_test(tc, words_across_a_rule_stay);
    tcase_add_test(tc, fields_that_run_out_stay);
    tcase_add_test(tc, texts_beside_each_other_are_no_rows);
    Suite *s = suite_create("ruled_tables");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
