/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables of columns of words, without rules. */
#include <stdio.h>

#include "layout/columns.h"
#include "tests/unit/layout/page_fixture.h"

/* Without rules: four rows of three columns; the white between two is as wide as two x-heights at
 * least, and a row may span them. */
START_TEST(aligned_columns_are_a_table)
{
    struct page_fixture f;
    setup(&f);
    line(&f, 100, 100, "Item      Size      Price");
    rows_of(&f, 100, 130, 4, "bolt      12        12.50");
    const struct pl_block *b = find(&f, 1);
    ck_assert_int_eq(b->kind, PL_BLOCK_TABLE);
    expect_size(b->table, 5, 3);
    ck_assert_int_eq(b->table->n_head, 1);
    expect(b->table, 0, 1, "Size");
    expect(b->table, 4, 2, "12.50");
    ck_assert_uint_eq(b->n_lines, 15);
    pl_arena_done(&f.arena);
}
END_TEST

/* Rows of text close below a table, the first of which runs over all columns, are none of it; a row
 * that ends in a column, as a sum may, is. */
START_TEST(text_behind_a_table_is_none_of_it)
{
    struct page_fixture f;
    setup(&f);
    line(&f, 100, 100, "Item      Size      Price");
    rows_of(&f, 100, 130, 4, "bolt      12        12.50");
    line(&f, 100, 250, "we ship all of these free");
    line(&f, 100, 280, "within the week.");
    expect_size(find(&f, 2)->table, 5, 3);
    ck_assert_ptr_null(f.regions.blocks[1].table);
    ck_assert_uint_eq(f.regions.blocks[1].n_lines, 2);
    pl_arena_done(&f.arena);
    setup(&f);
    line(&f, 100, 100, "Item      Size      Price");
    rows_of(&f, 100, 130, 4, "bolt      12        12.50");
    line(&f, 100, 250, "within the week.");
    expect_size(find(&f, 1)->table, 6, 3);
    pl_arena_done(&f.arena);
}
END_TEST

/* Rows of text close above a table, of which one runs over all columns, are none of it, and neither
 * is one that runs out of the first column above names of columns. */
START_TEST(text_before_a_table_is_none_of_it)
{
    struct page_fixture f;
    setup(&f);
    line(&f, 100, 100, "we ship all of these free");
    line(&f, 100, 130, "within the week.");
    line(&f, 100, 160, "Item      Size      Price");
    rows_of(&f, 100, 190, 4, "bolt      12        12.50");
    line(&f, 100, 310, "no matter how many of them");
    line(&f, 100, 340, "you want.");
    const struct pl_block *b = find(&f, 3);
    ck_assert_int_eq(b[0].kind, PL_BLOCK_TEXT);
    ck_assert_uint_eq(b[0].n_lines, 2);
    expect_size(b[1].table, 5, 3);
    expect(b[1].table, 0, 1, "Size");
    ck_assert_uint_eq(b[2].n_lines, 2);
    pl_arena_done(&f.arena);
    setup(&f);
    line(&f, 100, 100, "bolts and nuts");
    line(&f, 100, 130, "Item      Size      Price");
    rows_of(&f, 100, 160, 4, "bolt      12        12.50");
    expect_size(find(&f, 2)[1].table, 5, 3);
    pl_arena_done(&f.arena);
}
END_TEST

/* A title of the first rows of a table is one of its rows, and so is what may be the first row of a
 * name. */
START_TEST(titles_of_rows_are_of_the_table)
{
    struct page_fixture f;
    setup(&f);
    line(&f, 100, 100, "bolts and nuts");
    rows_of(&f, 100, 130, 4, "bolt      12        12.50");
    expect_size(find(&f, 1)->table, 5, 3);
    pl_arena_done(&f.arena);
    setup(&f);
    line(&f, 100, 100, "Kind of");
    line(&f, 100, 130, "item      Size      Price");
    rows_of(&f, 100, 160, 4, "bolt      12        12.50");
    expect_size(find(&f, 1)->table, 6, 3);
    pl_arena_done(&f.arena);
}
END_TEST

/* A caption is none of a table, however short it is and wherever it stands, and is a block of its
 * own below other text. */
START_TEST(captions_close_above_a_table)
{
    struct page_fixture f;
    setup(&f);
    line(&f, 100, 100, "we ship all of these free");
    line(&f, 150, 130, "Table 2.");
    line(&f, 100, 160, "Item      Size      Price");
    rows_of(&f, 100, 190, 4, "bolt      12        12.50");
    const struct pl_block *b = find(&f, 3);
    ck_assert_int_eq(b[0].kind, PL_BLOCK_TEXT);
    ck_assert_int_eq(b[1].kind, PL_BLOCK_CAPTION);
    expect_size(b[2].table, 5, 3);
    pl_arena_done(&f.arena);
    setup(&f);
    line(&f, 100, 100, "Table 2.");
    line(&f, 100, 130, "Item      Size      Price");
    rows_of(&f, 100, 160, 3, "bolt      12        12.50");
    b = find(&f, 2);
    ck_assert_int_eq(b[0].kind, PL_BLOCK_CAPTION);
    expect_size(b[1].table, 4, 3);
    pl_arena_done(&f.arena);
}
END_TEST

/* A cell stands in a column also where the row before has none in it. */
START_TEST(rows_with_holes_are_a_table)
{
    struct page_fixture f;
    setup(&f);
    rows(&f, 100, 100,
         "Item      Size      Price\n"
         "bolt      12        12.50\n"
         "nut       13\n"
         "washer              0.50");
    const struct pl_block *b = find(&f, 1);
    ck_assert_int_eq(b->kind, PL_BLOCK_TABLE);
    ck_assert_int_eq(b->table->n_columns, 3);
    expect(b->table, 3, 2, "0.50");
    pl_arena_done(&f.arena);
}
END_TEST

/* Three rows are enough where they have four columns; with three they may stand so by chance, and
 * so may two rows. */
START_TEST(few_rows_want_many_columns)
{
    struct page_fixture f;
    setup(&f);
    rows(&f, 100, 100,
         "Code      %         Amount    Tax\n"
         "SR        6         140.00    8.40\n"
         "ZR        0         20.00     0.00");
    ck_assert_int_eq(find(&f, 1)->table->n_columns, 4);
    pl_arena_done(&f.arena);
    setup(&f);
    rows(&f, 100, 100,
         "Code      %         Tax\n"
         "SR        6         8.40\n"
         "ZR        0         0.00");
    ck_assert_ptr_null(find(&f, 1)->table);
    pl_arena_done(&f.arena);
    setup(&f);
    line(&f, 100, 100, "a      b      c      d      e      f      g      h");
    line(&f, 100, 130, "1      2      3      4      5      6      7      8");
    ck_assert_ptr_null(find(&f, 1)->table);
    pl_arena_done(&f.arena);
}
END_TEST

/* Makes blocks of the lines: block i begins with line first[i]. */
static void split(struct page_fixture *f, const size_t *first, size_t n, struct pl_block *blocks)
{
    for (size_t i = 0; i < n; i++) {
        const size_t end = i + 1 < n ? first[i + 1] : f->block.n_lines;
        blocks[i] = (struct pl_block){
            .lines = f->lines + first[i], .n_lines = end - first[i], .box = f->lines[first[i]].box};
        for (size_t k = first[i]; k < end; k++)
            blocks[i].box = pl_rect_union(blocks[i].box, f->lines[k].box);
    }
    f->regions.blocks = blocks;
    f->regions.n_blocks = n;
}

/* A page of five rows from y on, with what stands above and below them in blocks of their own. */
static void parted(struct page_fixture *f, const char *above, const char *below, int white,
                   struct pl_block blocks[3])
{
    setup(f);
    line(f, 100, 300 - GLYPH_PX - white, above);
    rows_of(f, 100, 300, 5, "bolt      12        12.50");
    line(f, 100, 420 + GLYPH_PX + white, below);
    split(f, (const size_t[]){0, 1, 6}, 3, blocks);
}

/* The head and the sums of a table, and a second part of it, are of the table also where white or
 * a rule parts them from it. */
START_TEST(parts_of_a_table_are_joined)
{
    struct page_fixture f;
    struct pl_block blocks[3];
    parted(&f, "Item      Size      Price", "sum                 62.50", 60, blocks);
    const struct pl_block *b = find(&f, 1);
    expect_size(b->table, 7, 3);
    ck_assert_int_eq(b->table->n_head, 1);
    expect(b->table, 0, 1, "Size");
    expect(b->table, 6, 0, "sum");
    expect(b->table, 6, 2, "62.50");
    pl_arena_done(&f.arena);

    setup(&f);
    for (int i = 0; i < 8; i++)
        line(&f, 100, 300 + 30 * i + (i < 4 ? 0 : 30), "bolt      12        12.50");
    split(&f, (const size_t[]){0, 4}, 2, blocks);
    ck_assert_int_eq(find(&f, 1)->table->n_rows, 8);
    pl_arena_done(&f.arena);
}
END_TEST

/* What is farther away is not, nor what fills few columns or runs across them. */
START_TEST(other_blocks_stay)
{
    struct page_fixture f;
    struct pl_block blocks[3];
    parted(&f, "Item      Size      Price", "sum                 62.50", 61, blocks);
    ck_assert_int_eq(find(&f, 3)[1].table->n_rows, 5);
    pl_arena_done(&f.arena);
    parted(&f, "Items of our stock  Price", "a note on all of it 62.50", 30, blocks);
    ck_assert_int_eq(find(&f, 3)[1].table->n_rows, 5);
    pl_arena_done(&f.arena);
    parted(&f, "Items", "                    Sizes", 30, blocks);
    ck_assert_int_eq(find(&f, 3)[1].table->n_rows, 5);
    pl_arena_done(&f.arena);
}
END_TEST

/* Where all rows have a blank in one place and the head has the white of columns, two columns meet;
 * a word that runs across is of both. */
START_TEST(heads_part_columns_that_are_close)
{
    struct page_fixture f;
    setup(&f);
    line(&f, 100, 100, "Day   Item                Price");
    for (int i = 1; i < 12; i++)
        line(&f, 100, 100 + 30 * i,
             i % 2 ? "31Jul large bolt          12.50" : "01Aug nut                  2.50");
    line(&f, 100, 460, "31Julwasher               12.50");
    const struct pl_block *b = find(&f, 1);
    ck_assert_int_eq(b->table->n_columns, 3);
    expect(b->table, 0, 1, "Item");
    expect_row(b->table, 1, 0, "31Jul", "large bolt");
    expect(b->table, 2, 1, "nut");
    ck_assert_int_eq(cell_at(b->table, 12, 0)->n_columns, 2);
    pl_arena_done(&f.arena);
}
END_TEST

/* So does a head in which the white there is clearly wider than its other blanks. */
START_TEST(wide_blanks_part_columns)
{
    for (int even = 0; even < 2; even++) {
        struct page_fixture f;
        setup(&f);
        line(&f, 100, 100, "Air Time Show            Price");
        f.words[0][2].box.x0 += even ? 0 : 5; /* blanks are 10 px wide */
        for (int r = 1; r < 6; r++)
            line(&f, 100, 100 + 30 * r,
                 r % 2 ? "8:47 AM  The View        12.50" : "10:15 AM Judge Judy       9.00");
        for (int r = 1; r < 6; r += 2)
            for (size_t w = 0; w < 2; w++) { /* times end where the others do */
                f.words[r][w].box.x0 += CHAR_PX;
                f.words[r][w].box.x1 += CHAR_PX;
            }
        f.words[2][2].box.x0 += 3; /* not all begin in one place */
        const struct pl_table *t = find(&f, 1)[0].table;
        ck_assert_int_eq(t->n_columns, even ? 2 : 3);
        if (!even)
            expect_row(t, 1, 0, "8:47 AM", "The View", "12.50");
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* A colon that stands by itself is of the label before it. */
START_TEST(lone_colons_are_of_labels)
{
    struct page_fixture f;
    setup(&f);
    for (int r = 0; r < 5; r++) {
        line(&f, 100, 100 + 30 * r,
             r % 2 ? "Total GST (RM) :     18.81" : "Net Sales (RM) :    313.50");
        f.words[r][3].box.x0 += 5;
        f.words[r][3].box.x1 += 5;
    }
    const struct pl_table *t = find(&f, 1)[0].table;
    expect_size(t, 5, 2);
    expect(t, 1, 0, "Total GST (RM) :");
    pl_arena_done(&f.arena);
}
END_TEST

/* So do names that have lines under them, each one of its own; not names on one line. */
START_TEST(underlined_names_part_columns)
{
    for (int own = 0; own < 2; own++) {
        struct page_fixture f;
        setup(&f);
        line(&f, 100, 100, "Day   Item          Price");
        rows_of(&f, 100, 130, 11, "01Jul bolt          12.50");
        f.words[0][0].box.x1 = 150; /* as wide as what is below */
        level(&f, 116, 100, own ? 150 : 200);
        if (own)
            level(&f, 116, 160, 200);
        const struct pl_table *t = find(&f, 1)[0].table;
        ck_assert_int_eq(t->n_columns, own ? 3 : 2);
        expect(t, 1, 0, own ? "01Jul" : "01Jul bolt");
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* So do words that all end and begin there, though they are of many lengths; not a blank that moves
 * by a part of a letter, nor one that stands still as the words before it are all as long. */
START_TEST(flush_words_part_columns)
{
    for (int k = 0; k < 3; k++) {
        struct page_fixture f;
        setup(&f);
        line(&f, 100, 100,
             k < 2 ? "  Length Ad-ID            Rate" : "Len Ad-ID               Rate");
        for (int r = 1; r < 6; r++)
            line(&f, 100, 100 + 30 * r,
                 k < 2 ? "     :30 BLPM2001H      150.00" : ":30 BLPM2001H         150.00");
        if (k == 1)
            for (size_t w = 0; w < 2; w++) {
                f.words[3][w].box.x0 += 3;
                f.words[3][w].box.x1 += 3;
            }
        const struct pl_table *t = find(&f, 1)[0].table;
        ck_assert_int_eq(t->n_columns, k ? 2 : 3);
        if (!k)
            expect_row(t, 1, 0, ":30", "BLPM2001H", "150.00");
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Items of a receipt on two rows each are a table; not three of them, and not rows of two cells,
 * which take turns with other text by chance. */
START_TEST(items_on_two_rows_are_a_table)
{
    for (int k = 0; k < 3; k++) {
        struct page_fixture f;
        const int items = k == 1 ? 3 : 5;
        setup(&f);
        for (int i = 0; i < items; i++) {
            line(&f, 100, 100 + 60 * i, i % 2 ? "Tomato tin" : "Wholemeal bread");
            line(&f, 100, 130 + 60 * i, k < 2 ? "2 x      0.89    1.78   SR" : "2 x      0.89");
        }
        const struct pl_block *b = find(&f, 1);
        if (k) {
            ck_assert_ptr_null(b[0].table);
        } else {
            expect_size(b[0].table, 10, 4);
            expect(b[0].table, 2, 0, "Tomato tin");
            expect_row(b[0].table, 3, 0, "2 x", "0.89", "1.78", "SR");
        }
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Without such a head they are words of one column. */
START_TEST(blanks_in_one_place_part_none)
{
    struct page_fixture f;
    setup(&f);
    line(&f, 100, 100, "Part No.            Table No.");
    for (int i = 1; i < 12; i++)
        line(&f, 100, 100 + 30 * i,
             i % 2 ? "12                  13 A" : "104                 14 B");
    const struct pl_block *b = find(&f, 1);
    ck_assert_int_eq(b->table->n_columns, 2);
    expect(b->table, 1, 1, "13 A");
    pl_arena_done(&f.arena);
}
END_TEST

/* Finds a list of twelve rows within a block of prose, and checks that it is a table of n_rows
 * rows; `above` is the row before it. */
static void list_in_a_block(struct page_fixture *f, const char *above, size_t lines_above,
                            int n_rows)
{
    setup(f);
    rows_of(f, 100, 100, 10, "thank you for your order of the twelfth");
    line(f, 100, 400, above);
    for (int i = 0; i < 12; i++)
        line(f, 100, 430 + 30 * i,
             i % 2 ? "bolt             12    1.50" : "washer          100   12.25");
    line(f, 100, 790, "with all our good wishes to your wife");
    line(f, 100, 820, "and the children we remain as ever");
    const struct pl_block *b = find(f, 3);
    ck_assert_uint_eq(b[0].n_lines, lines_above);
    ck_assert_ptr_nonnull(b[1].table);
    ck_assert_int_eq(b[1].table->n_rows, n_rows);
    expect(b[1].table, n_rows - 1, 2, "1.50");
    ck_assert_uint_eq(b[2].n_lines, 2);
    pl_arena_done(&f->arena);
}

/* An item of an order and, below it, days with names of their own: words of each stand across the
 * white of the other. Each kind of rows has columns of its own; an edge that can be that of both is
 * one, and beyond the days the columns of items go on. Two such rows are no kind. */
START_TEST(rows_of_two_kinds)
{
    for (int n = 2; n <= 4; n += 2) {
        struct page_fixture f;
        setup(&f);
        for (int i = 0; i < 4; i++) {
            line(&f, 100, 100 + 60 * i, "bolt        12          12.50     6.00    steel");
            if (i < n)
                line(&f, 105, 130 + 60 * i, "  every-week  from-a-monday   sundays");
        }
        const struct pl_table *t = find(&f, 1)[0].table;
        ck_assert_ptr_nonnull(t);
        if (n > 2) {
            ck_assert_int_eq(t->n_columns, 6);
            expect_row(t, 0, 0, "bolt", "12");
            ck_assert_int_eq(cell_at(t, 0, 1)->n_columns, 2);
            expect(t, 0, 3, "12.50");
            expect(t, 0, 5, "steel");
            expect(t, 1, 0, "every-week");
            ck_assert_int_eq(cell_at(t, 1, 0)->n_columns, 2);
            expect(t, 1, 2, "from-a-monday");
            ck_assert_int_eq(cell_at(t, 1, 2)->n_columns, 2);
            expect_row(t, 1, 4, "sundays", "");
        } else {
            ck_assert_int_eq(t->n_columns, 4);
        }
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Days whose first two cells stand under those of the items by chance, two of five, are a kind of
 * their own. */
START_TEST(rows_under_others_by_chance)
{
    struct page_fixture f;
    setup(&f);
    for (int i = 0; i < 4; i++) {
        line(&f, 100, 100 + 60 * i, "bolt        12          12.50     6.00    steel");
        line(&f, 105, 130 + 60 * i, "each-week  from-a-monday    sundays");
    }
    const struct pl_table *t = find(&f, 1)[0].table;
    expect_row(t, 0, 0, "bolt", "12", "12.50");
    expect(t, 1, 1, "from-a-monday");
    pl_arena_done(&f.arena);
}
END_TEST

/* A row whose last two columns begin 5 px closer to those before them than its text says. */
static void close_row(struct page_fixture *f, int y, const char *text)
{
    static const int columns[] = {300, 400};
    line(f, 100, y, text);
    struct pl_line *l = &f->lines[f->block.n_lines - 1];
    for (size_t w = 0; w < l->n_words; w++) {
        int closer = 0;
        for (size_t c = 0; c < PL_ARRAY_LEN(columns); c++)
            closer += l->words[w].box.x0 >= columns[c] ? 5 : 0;
        l->words[w].box.x0 -= closer;
        l->words[w].box.x1 -= closer;
    }
}

/* A table whose names are hardly further apart than their words. */
static void names_over_white(const char *row)
{
    struct page_fixture f;
    setup(&f);
    close_row(&f, 100, "Item      Unit cost  Net gain  Sum");
    for (int i = 0; i < 4; i++)
        close_row(&f, 130 + ROW_PX * i, row);
    const struct pl_table *t = find(&f, 1)->table;
    expect_size(t, 5, 4);
    expect_row(t, 0, 0, "Item", "Unit cost", "Net gain", "Sum");
    expect_row(t, 1, 0, "bolt", "12 %", "64 %", "250");
    pl_arena_done(&f.arena);
}

/* A name of several words that reaches above white of the other rows is in one column, whichever of
 * its words stands above the others' text. */
START_TEST(a_name_over_white_is_one)
{
    names_over_white("bolt           12 %      64 %  250");
    names_over_white("bolt      12 %       64 %      250");
}
END_TEST

/* Rows that go on with a few cells do not hide that the columns of the others meet at blanks. */
START_TEST(rows_of_a_kind_go_on)
{
    struct page_fixture f;
    setup(&f);
    line(&f, 100, 100, "Day   Item                Price     Sum       No    Of    In");
    for (int i = 0; i < 6; i++) {
        line(&f, 100, 130 + 120 * i,
             "31Jul nut                 12.50     25.00     a1    b2    c3");
        line(&f, 100, 160 + 120 * i, "      of steel            each      net");
        line(&f, 100, 190 + 120 * i, "      in boxes            each      net");
        line(&f, 100, 220 + 120 * i, "   every-monday-noon  in-may        sunday");
    }
    const struct pl_table *t = find(&f, 1)[0].table;
    expect(t, 1, 0, "31Jul");
    expect(t, 4, 0, "every-monday-noon");
    pl_arena_done(&f.arena);
}
END_TEST

/* A list within a block of other rows is a table of its own, with the names of its columns, but
 * without a row that runs across these; prose that was widened, whose gaps stand under each other
 * by chance, is none. */
START_TEST(a_list_in_a_block_is_a_table)
{
    struct page_fixture f;
    list_in_a_block(&f, "Item           Count", 10, 13);
    list_in_a_block(&f, "as soon as our       in", 11, 12);
    setup(&f);
    rows(&f, 100, 100,
         "thank you for your order of the twelfth\n"
         "which we will send to you in two parts\n"
         "as soon as our ship has come in\n"
         "and is   unloaded and   all the goods are\n"
         "there    which   takes a day or two when\n"
         "it is    not a holiday of the   city nor\n"
         "one of   the men who do that   work is\n"
         "ill      of the   fever that we have here\n"
         "with all our good wishes to your wife\n"
         "and the children we remain as ever\n"
         "your most humble servants in this");
    ck_assert_ptr_null(find(&f, 1)->table);
    pl_arena_done(&f.arena);
}
END_TEST

/* Labels with values, and to their right n rows of `beside`, from y on and so far apart. */
static void text_beside_text(struct page_fixture *f, const char *beside, int n, int y, int pitch)
{
    int left = 0, right = 0;
    setup(f);
    while (left < 7 || right < n)
        if (right == n || (left < 7 && 310 + 30 * left <= y + pitch * right))
            line(f, 100, 310 + 30 * left++, "Label     value");
        else
            line(f, 400, y + pitch * right++, beside);
}

/* What stands beside a table in rows of its own is another block, and a table if it has cells that
 * it would lose as text; rows that are a bit lower, by about as much each, are of the table. */
START_TEST(text_beside_a_table)
{
    struct page_fixture f;
    text_beside_text(&f, "Street-and-town", 5, 300, 40);
    const struct pl_block *b = find(&f, 2);
    expect_size(b[0].table, 7, 2);
    ck_assert_ptr_null(b[1].table);
    ck_assert_uint_eq(b[1].n_lines, 5);
    pl_arena_done(&f.arena);
    text_beside_text(&f, "No       12345", 4, 300, 40);
    b = find(&f, 2);
    ck_assert_int_eq(b[0].table->n_rows, 7);
    expect_size(b[1].table, 4, 2);
    pl_arena_done(&f.arena);
    text_beside_text(&f, "No       12345", 3, 300, 40);
    ck_assert_int_eq(find(&f, 1)[0].table->n_columns, 4);
    pl_arena_done(&f.arena);
    for (int lower = 0; lower < 2; lower++) {
        text_beside_text(&f, "No       12345", 7, lower ? 316 : 309, lower ? 30 : 31);
        b = find(&f, 1);
        expect_size(b[0].table, 7, 4);
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Labels with values, and beside them numbers above a row with other columns. */
static void numbers_and_text(struct page_fixture *f)
{
    text_beside_text(f, "No       12345", 4, 300, 40);
    line(f, 400, 502, "A-long-label-of-it   normal");
}

/* A rule from side to side of what stands beside a table parts it: the numbers above are a table
 * that the text below spoils. So does no shorter rule, and none where more would be lost
 * or all of it is a table. */
START_TEST(rules_part_text_beside_a_table)
{
    struct page_fixture f;
    numbers_and_text(&f);
    level(&f, 460, 390, 680);
    const struct pl_block *b = find(&f, 3);
    ck_assert_int_eq(b[0].table->n_rows, 7);
    expect_size(b[1].table, 4, 2);
    ck_assert_ptr_null(b[2].table);
    ck_assert_uint_eq(b[2].n_lines, 1);
    pl_arena_done(&f.arena);
    for (int i = 0; i < 5; i++) {
        numbers_and_text(&f);
        if (i == 4) {
            level(&f, 460, 390, 800);
            line(&f, 400, 532, "An-other    twelve");
            line(&f, 400, 562, "One                    thing");
        }
        if (i == 0)
            level(&f, 460, 390, 560);
        if (i == 1)
            level(&f, 460, 500, 680);
        if (i == 2)
            level(&f, 330, 390, 680);
        ck_assert_ptr_nonnull(find(&f, 1)[0].table);
        pl_arena_done(&f.arena);
    }
    text_beside_text(&f, "No       12345", 4, 300, 40);
    level(&f, 367, 390, 680);
    ck_assert_int_eq(find(&f, 2)[1].table->n_rows, 4);
    pl_arena_done(&f.arena);
}
END_TEST

/* Of twelve lines beside each other one may reach into the white between, not two. */
START_TEST(few_lines_reach_into_white)
{
    for (int n = 0; n < 3; n++) {
        struct page_fixture f;
        text_beside_text(&f, "Street-and-town", 5, 300, 40);
        for (int i = 0; i < n; i++)
            f.words[1 + 5 * i][1].box.x1 = f.lines[1 + 5 * i].box.x1 = 390;
        const struct pl_block *b = find(&f, n < 2 ? 2 : 1);
        ck_assert_int_eq(b[0].table->n_columns, n < 2 ? 2 : 3);
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Lines of an address in two places, too few in each to tell that they are level with no labels. */
START_TEST(address_in_two_places)
{
    struct page_fixture f;
    setup(&f);
    line(&f, 100, 300, "Street");
    line(&f, 400, 310, "Label     value");
    line(&f, 400, 340, "Label     value");
    line(&f, 100, 350, "Town");
    line(&f, 250, 360, "Station");
    for (int i = 2; i < 7; i++) {
        line(&f, 400, 310 + 30 * i, "Label     value");
        if (i == 3)
            line(&f, 250, 410, "and-more");
    }
    const struct pl_block *b = find(&f, 2);
    ck_assert_uint_eq(b[0].n_lines, 4);
    expect_size(b[1].table, 7, 2);
    pl_arena_done(&f.arena);
}
END_TEST

/* Labels whose values are not quite level with them are no text beside text: together they are a
 * table, and none by themselves. */
START_TEST(labels_stay_with_values)
{
    struct page_fixture f;
    setup(&f);
    for (int left = 0, right = 0; left < 7 || right < 4;)
        if (right == 4 || (left < 7 && 310 + 30 * left <= 300 + 40 * right)) {
            line(&f, 100, 310 + 30 * left++, "Label     value");
        } else {
            line(&f, 400, 300 + 40 * right, "No");
            line(&f, 490, 300 + 40 * right + 6 * (right % 2), "12345");
            right++;
        }
    const struct pl_block *b = find(&f, 2);
    ck_assert_int_eq(b[0].table->n_rows, 7);
    expect_size(b[1].table, 4, 2);
    pl_arena_done(&f.arena);
}
END_TEST

/* Rows with wide gaps of which few stand under each other are no table. */
START_TEST(gaps_at_random_are_no_table)
{
    struct page_fixture f;
    setup(&f);
    rows_of(&f, 100, 100, 5, "one      two");
    for (int i = 5; i < 14; i++)
        line(&f, 100, 100 + 30 * i, i % 2 ? "a                    line" : "another     line");
    ck_assert_ptr_null(find(&f, 1)->table);
    pl_arena_done(&f.arena);
}
END_TEST

/* A run without width is a pixel wide. */
START_TEST(empty_runs_have_a_place)
{
    const struct pl_rect rows[2][3] = {{{0, 0, 10, 9}, {50, 0, 50, 9}, {90, 0, 99, 9}},
                                       {{0, 20, 10, 29}, {50, 20, 50, 29}, {90, 20, 90, 29}}};
    struct pl_arena arena;
    struct pl_profile p;
    double edges[4];
    pl_arena_init(&arena);
    ck_assert(pl_profile_init(&arena, 6, &p));
    for (int r = 0; r < 2; r++)
        pl_profile_add(&p, rows[r], 3);
    ck_assert_int_eq(pl_profile_edges(&p, 4, edges), 2);
    ck_assert_double_eq(edges[0], 30);
    ck_assert_double_eq(edges[1], 70.5);
    pl_arena_done(&arena);
}
END_TEST

/* Tells that the words that are `text` were read but not trusted. */
static void doubt(struct page_fixture *f, const char *text)
{
    for (size_t i = 0; i < f->block.n_lines; i++) {
        struct pl_line *l = &f->lines[i];
        struct pl_word doubted[MAX_WORDS];
        size_t kept = 0, n = 0;
        for (size_t w = 0; w < l->n_words; w++)
            if (strcmp(l->words[w].text, text))
                l->words[kept++] = l->words[w];
            else
                doubted[n++] = l->words[w];
        memcpy(l->words + kept, doubted, n * sizeof(*doubted));
        l->n_words = kept;
        l->n_doubted = n;
    }
}

/* Where words stood that are not trusted there is no white between columns, unless there is beside
 * them. */
START_TEST(doubted_words_are_ink)
{
    struct page_fixture f;
    setup(&f);
    rows_of(&f, 100, 100, 6, "sent unread today");
    doubt(&f, "unread");
    ck_assert_ptr_null(find(&f, 1)->table);
    pl_arena_done(&f.arena);
    setup(&f);
    rows_of(&f, 100, 100, 6, "bolt      unread today");
    doubt(&f, "unread");
    expect_size(find(&f, 1)->table, 6, 2);
    pl_arena_done(&f.arena);
}
END_TEST

/* A row that is one run tells nothing of columns. */
START_TEST(lone_runs_do_not_count)
{
    const struct pl_rect row[] = {{0, 0, 10, 9}, {50, 0, 60, 9}}, lone = {0, 0, 60, 9};
    struct pl_arena arena;
    struct pl_profile p;
    double edges[4];
    pl_arena_init(&arena);
    ck_assert(pl_profile_init(&arena, 8, &p));
    for (int i = 0; i < 2; i++) {
        pl_profile_add(&p, row, 2);
        pl_profile_add(&p, &lone, 1);
    }
    ck_assert_int_eq(pl_profile_edges(&p, 4, edges), 1);
    ck_assert_double_eq(edges[0], 30);
    pl_arena_done(&arena);
}
END_TEST

/* Four rows of three cells, each with two rows of text at x below it. */
static void rows_with_notes(struct page_fixture *f, int x, const char *note)
{
    setup(f);
    for (int i = 0; i < 4; i++) {
        line(f, 100, 100 + 90 * i,
             i % 2 ? "bolt      brass      12.50" : "nut       zinc        3.20");
        line(f, x, 130 + 90 * i, note);
        line(f, x, 160 + 90 * i, note);
    }
}

/* A row with a note under one of its cells is one of a table; text that begins where rows do is
 * none. */
START_TEST(notes_below_cells_are_no_prose)
{
    struct page_fixture f;
    rows_with_notes(&f, 200, "and tin");
    const struct pl_table *t = find(&f, 1)[0].table;
    ck_assert_ptr_nonnull(t);
    ck_assert_int_eq(t->n_columns, 3);
    expect(t, 0, 1, "zinc");
    expect_row(t, 1, 0, "", "and tin");
    pl_arena_done(&f.arena);
    rows_with_notes(&f, 100, "and some text about it");
    ck_assert_ptr_null(find(&f, 1)[0].table);
    pl_arena_done(&f.arena);
}
END_TEST

/* Four rows of a text before a value in nearly one place, a blank apart, and two other columns. */
static void rows_of_values(struct page_fixture *f, const char *a, const char *b, const char *c)
{
    const char *const v[] = {a, b, c, "Con# 26803072"};
    setup(f);
    for (int i = 0; i < 4; i++) {
        line(f, 200 + 3 * (i % 2) - CHAR_PX * (int)strcspn(v[i], " "), 100 + 30 * i, v[i]);
        line(f, 400, 100 + 30 * i, "12.50      NM");
    }
}

/* Labels are a column of their own, even if their values stand as close as words do: three of four
 * rows have one. */
START_TEST(labels_are_a_column)
{
    struct page_fixture f;
    rows_of_values(&f, "Agency: Medien", "Flight: Mai", "Office: Wien");
    const struct pl_table *t = find(&f, 1)[0].table;
    ck_assert_int_eq(t->n_columns, 4);
    expect_row(t, 0, 0, "Agency:", "Medien");
    expect(t, 3, 0, "Con#");
    pl_arena_done(&f.arena);
    rows_of_values(&f, "Agency: Medien", "Flight Mai", "Office: Wien");
    ck_assert_int_eq(find(&f, 1)[0].table->n_columns, 3);
    pl_arena_done(&f.arena);
}
END_TEST

/* So are those that few rows have, of rows that come in turn. */
START_TEST(labels_of_few_rows_are_a_column)
{
    struct page_fixture f;
    setup(&f);
    for (int i = 0; i < 3; i++) {
        line(&f, 100, 100 + 90 * i, "Spots: No   Day     Rate");
        line(&f, 100, 130 + 90 * i, "       1    Mo      2.00");
        line(&f, 100, 160 + 90 * i, "       2    Tu      2.50");
    }
    const struct pl_table *t = find(&f, 1)[0].table;
    ck_assert_int_eq(t->n_columns, 4);
    expect_row(t, 0, 0, "Spots:", "No", "Day");
    expect_row(t, 1, 0, "", "1", "Mo");
    pl_arena_done(&f.arena);
}
END_TEST

/* Labels and values of two columns, a blank apart: neither begin, end nor have their middles under
 * each other as a whole. Returns the block that they are. */
static struct pl_block fields_beside(struct page_fixture *f, bool first, bool second)
{
    static const char *const fields[][4] = {{"CPE", "322/1349", "Flight", "May to July"},
                                            {"Agency", "Medien Wien", "Advertiser", "Tillis"},
                                            {"Office", "Linz", "Order no.", "8865413"},
                                            {"Salesperson", "Nubar", "Buyer", "Media"},
                                            {"Station", "WYDO Steyr", "Type", "politics, vote"}};
    setup(f);
    for (int i = 0; i < 5; i++) {
        char row[128];
        snprintf(row, sizeof(row), "%11s%s %-14s%11s%s %s", fields[i][0], first ? ":" : "",
                 fields[i][1], fields[i][2], second ? ":" : "", fields[i][3]);
        line(f, 100, 100 + 30 * i, row);
    }
    return find(f, 1)[0];
}

/* Fields beside each other are a table by their labels, but one label in a row tells nothing. */
START_TEST(fields_beside_fields_are_a_table)
{
    struct page_fixture f;
    const struct pl_block b = fields_beside(&f, true, true);
    expect_size(b.table, 5, 4);
    expect_row(b.table, 1, 0, "Agency:", "Medien Wien", "Advertiser:", "Tillis");
    pl_arena_done(&f.arena);
    ck_assert_ptr_null(fields_beside(&f, true, false).table);
    pl_arena_done(&f.arena);
}
END_TEST

/* Items of one row, each with four rows in a frame below it, as blocks of their own, `white` apart.
 */
static void items_and_frames(struct page_fixture *f, int white, struct pl_block blocks[6])
{
    const int step = 118 + 2 * white;
    setup(f);
    for (int i = 0; i < 3; i++) {
        line(f, 100, 100 + step * i,
             i ? "nut       zinc        3.20" : "bolt      brass       2.10");
        line(f, 150, 114 + white + step * i, "Start     End         Rate");
        for (int k = 1; k < 4; k++)
            line(f, 150, 114 + white + 30 * k + step * i, "01/06     01/12       5.00");
    }
    split(f, (const size_t[]){0, 1, 5, 6, 10, 11}, 6, blocks);
}

/* Blocks in turn, of which some are too small for a table, are one where the same columns come
 * again and no white as between texts is in between. */
START_TEST(blocks_in_turn_are_a_table)
{
    struct page_fixture f;
    struct pl_block blocks[6];
    items_and_frames(&f, 26, blocks);
    const struct pl_table *t = find(&f, 1)[0].table;
    ck_assert_ptr_nonnull(t);
    ck_assert_int_eq(t->n_rows, 15);
    expect(t, 0, 0, "bolt");
    expect(t, 5, 0, "nut");
    pl_arena_done(&f.arena);
    items_and_frames(&f, 120, blocks);
    find(&f, 6);
    pl_arena_done(&f.arena);
    items_and_frames(&f, 26, blocks);
    f.lines[11].quarters = 1; /* of the last block, which is none of them */
    find(&f, 2);
    pl_arena_done(&f.arena);
    items_and_frames(&f, 26, blocks);
    f.regions.n_blocks = 2;
    find(&f, 2);
    pl_arena_done(&f.arena);
}
END_TEST

/* Where most rows have two cells alone, blocks in turn are no table. */
START_TEST(blocks_of_pairs_stay)
{
    struct page_fixture f;
    struct pl_block blocks[6];
    items_and_frames(&f, 26, blocks);
    for (size_t i = 0; i < f.block.n_lines; i++)
        if (i % 5 > 1)
            f.lines[i].n_words = 2;
    find(&f, 6);
    pl_arena_done(&f.arena);
}
END_TEST

/* Blocks whose cells stand in other columns are not one table, even if all rows begin at one place.
 */
START_TEST(blocks_of_other_columns_stay)
{
    for (int other = 0; other < 2; other++) {
        struct page_fixture f;
        struct pl_block blocks[2];
        setup(&f);
        for (int i = 0; i < 3; i++)
            line(&f, 100, 100 + 30 * i,
                 other ? "bolt      brass       2.10" : "bolt            tin              2.10");
        rows_of(&f, 100, 210, 4, "01/06           End              5.00");
        split(&f, (const size_t[]){0, 3}, 2, blocks);
        const struct pl_block *b = find(&f, other ? 2 : 1);
        ck_assert_int_eq(b[other].table->n_rows, other ? 4 : 7);
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Nor are blocks of which one is a table that would lose cells. */
START_TEST(blocks_that_lose_cells_stay)
{
    for (int wide = 0; wide < 2; wide++) {
        struct page_fixture f;
        struct pl_block blocks[2];
        setup(&f);
        rows_of(&f, 100, 100, 4, "aa    bb    cc    dd");
        for (int i = 0; i < 2; i++)
            line(&f, 100, 240 + 30 * i, wide ? "aa    bb-with-ti  dd" : "aa    bb          dd");
        split(&f, (const size_t[]){0, 4}, 2, blocks);
        const struct pl_block *b = find(&f, wide ? 2 : 1);
        ck_assert_int_eq(b[0].table->n_columns, 4);
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Rows of three words or four, stretched to the width of their column: the white within a row is
 * the same everywhere, and another one in the next row. Where it is not the same, or the next row
 * has the same, words stand in columns. */
START_TEST(stretched_rows_are_no_table)
{
    static const char *const prose[] = {"It        was        late", "when       the       rest",
                                        "landed      with      the", "of        all        that"},
                             *const columns[] = {"It       was         late",
                                                 "when     the         rest",
                                                 "landed   with         the",
                                                 "of       all         that"},
                             *const grid[] = {
                                 "It        was        late", "no        man        came",
                                 "We        saw        rain", "on        the        land"};
    const char *const *const pages[] = {prose, columns, grid};
    for (int k = 0; k < 3; k++) {
        struct page_fixture f;
        setup(&f);
        for (int i = 0; i < 4; i++)
            line(&f, 100, 100 + ROW_PX * i, pages[k][i]);
        ck_assert_int_eq(find(&f, 1)->table != NULL, k > 0);
        pl_arena_done(&f.arena);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("word_tables");
    tcase_add_test(tc, aligned_columns_are_a_table);
    tcase_add_test(tc, text_behind_a_table_is_none_of_it);
    tcase_add_test(tc, text_before_a_table_is_none_of_it);
    tcase_add_test(tc, titles_of_rows_are_of_the_table);
    tcase_add_test(tc, captions_close_above_a_table);
    tcase_add_test(tc, rows_with_holes_are_a_table);
    tcase_add_test(tc, few_rows_want_many_columns);
    tcase_add_test(tc, parts_of_a_table_are_joined);
    tcase_add_test(tc, other_blocks_stay);
    tcase_add_test(tc, heads_part_columns_that_are_close);
    tcase_add_test(tc, wide_blanks_part_columns);
    tcase_add_test(tc, lone_colons_are_of_labels);
    tcase_add_test(tc, underlined_names_part_columns);
    tcase_add_test(tc, flush_words_part_columns);
    tcase_add_test(tc, items_on_two_rows_are_a_table);
    tcase_add_test(tc, blanks_in_one_place_part_none);
    tcase_add_test(tc, rows_of_two_kinds);
    tcase_add_test(tc, rows_under_others_by_chance);
    tcase_add_test(tc, a_name_over_white_is_one);
    tcase_add_test(tc, rows_of_a_kind_go_on);
    tcase_add_test(tc, a_list_in_a_block_is_a_table);
    tcase_add_test(tc, text_beside_a_table);
    tcase_add_test(tc, rules_part_text_beside_a_table);
    tcase_add_test(tc, few_lines_reach_into_white);
    tcase_add_test(tc, address_in_two_places);
    tcase_add_test(tc, labels_stay_with_values);
    tcase_add_test(tc, gaps_at_random_are_no_table);
    tcase_add_test(tc, stretched_rows_are_no_table);
    tcase_add_test(tc, empty_runs_have_a_place);
    tcase_add_test(tc, doubted_words_are_ink);
    tcase_add_test(tc, lone_runs_do_not_count);
    tcase_add_test(tc, notes_below_cells_are_no_prose);
    tcase_add_test(tc, labels_are_a_column);
    tcase_add_test(tc, labels_of_few_rows_are_a_column);
    tcase_add_test(tc, fields_beside_fields_are_a_table);
    tcase_add_test(tc, blocks_in_turn_are_a_table);
    tcase_add_test(tc, blocks_of_pairs_stay);
    tcase_add_test(tc, blocks_of_other_columns_stay);
    tcase_add_test(tc, blocks_that_lose_cells_stay);
    Suite *s = suite_create("word_tables");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
