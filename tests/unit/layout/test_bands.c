/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables whose rows are bands, which level rules or white part. */
#include "tests/unit/layout/page_fixture.h"

/* Returns how many tables there are before words make any. */
static size_t count_tables(struct page_fixture *f)
{
    size_t n = 0;
    ck_assert(pl_tables_ruled(&f->arena, &f->regions));
    for (size_t i = 0; i < f->regions.n_blocks; i++)
        n += f->regions.blocks[i].table != NULL;
    return n;
}

/* Three questions of two rows of text between level rules, with answers in the middle beside them,
 * and the names of the columns in one line above the first rule. */
static void survey_of(struct page_fixture *f, const char *names, const char *first)
{
    setup(f);
    levels(f, 100, 802, 140, 240, 340, 440);
    line(f, 110, 115, names);
    for (int i = 0; i < 3; i++) {
        line(f, 110, 160 + 100 * i, first);
        line(f, 500, 185 + 100 * i, "O");
        line(f, 600, 185 + 100 * i, "X");
        line(f, 110, 210 + 100 * i, "animal of the house");
    }
}

static void survey(struct page_fixture *f, const char *first)
{
    survey_of(f, "Question                               Yes       No", first);
}

START_TEST(level_rules_part_rows)
{
    struct page_fixture f;
    survey(&f, "What is the name of the");
    const struct pl_table *t = find(&f, 1)[0].table;
    expect_size(t, 4, 3);
    ck_assert_int_eq(t->n_head, 1);
    expect_row(t, 0, 0, "Question", "Yes", "No");
    ck_assert_uint_eq(cell_at(t, 3, 0)->n_lines, 2);
    ck_assert_int_eq(cell_at(t, 3, 0)->lines[1].join, PL_JOIN_BLANK);
    expect_row(t, 3, 1, "O", "X");
    pl_arena_done(&f.arena);
}
END_TEST

/* Names of columns stand as far above the first rule as the rows of the table do above theirs, or
 * half a size further, but not more. */
START_TEST(heads_are_as_far_as_rows)
{
    for (int far = 0; far <= 14; far += 7) {
        struct page_fixture f;
        setup(&f);
        levels(&f, 100, 802, 140, 200, 260, 320);
        line(&f, 110, 108 - far, "Question                               Yes       No");
        for (int i = 0; i < 3; i++)
            line(&f, 110, 166 + 60 * i, "What is it called                      O         X");
        expect_size(find(&f, far > 7 ? 2 : 1)[far > 7].table, far > 7 ? 3 : 4, 3);
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* A row between rules names the columns, too, where circles to choose from stand below it. */
START_TEST(heads_above_circles)
{
    struct page_fixture f;
    survey(&f, "What is the name of the");
    level(&f, 105, 100, 802);
    for (size_t i = 0; i < f.block.n_lines; i++)
        if (!strcmp(f.lines[i].text, "O"))
            f.lines[i].text = f.words[i][0].text = "\xE2\x97\x8B";
    ck_assert_int_eq(find(&f, 1)[0].table->n_head, 1);
    pl_arena_done(&f.arena);
}
END_TEST

/* What stands above the rules in the first column alone is a title. */
START_TEST(titles_are_no_heads)
{
    struct page_fixture f;
    survey(&f, "What is the name of the");
    line(&f, 110, 90, "Animals");
    const struct pl_block *b = find(&f, 2);
    ck_assert_str_eq(b[0].lines->text, "Animals");
    expect_size(b[1].table, 4, 3);
    pl_arena_done(&f.arena);
}
END_TEST

/* Names of columns may reach over the middle of the white between what stands below them. */
START_TEST(names_wider_than_columns)
{
    struct page_fixture f;
    survey_of(&f, "Question asked of all parents did    Yes  Nay", "What is the name of the");
    const struct pl_table *t = find(&f, 1)[0].table;
    expect_size(t, 4, 3);
    expect_row(t, 0, 0, "Question asked of all parents did", "Yes", "Nay");
    expect_row(t, 3, 1, "O", "X");
    pl_arena_done(&f.arena);
}
END_TEST

/* Prose above the names has no wider white where the columns meet. */
START_TEST(prose_is_no_head)
{
    struct page_fixture f;
    survey(&f, "What is the name of the");
    line(&f, 110, 90, "What the parents of the animals say to all of us");
    const struct pl_block *b = find(&f, 2);
    ck_assert_ptr_null(b[0].table);
    expect_size(b[1].table, 4, 3);
    pl_arena_done(&f.arena);
}
END_TEST

/* Where rules stand upright between the level ones, some that part columns are missing. */
START_TEST(level_rules_are_alone)
{
    struct page_fixture f;
    survey(&f, "What is the name of the");
    upright(&f, 450, 160, 230);
    ck_assert_uint_eq(count_tables(&f), 0);
    pl_arena_done(&f.arena);
}
END_TEST

/* Columns that would join what white parts are none. */
START_TEST(cells_keep_their_white)
{
    struct page_fixture f;
    survey(&f, "What is    the name of");
    ck_assert_uint_eq(count_tables(&f), 0);
    pl_arena_done(&f.arena);
}
END_TEST

/* Lines below values that are to be filled in are no rules of a table. */
START_TEST(underlines_part_no_rows)
{
    struct page_fixture f;
    setup(&f);
    for (int i = 0; i < 6; i++) {
        line(&f, 110, 110 + 40 * i, "Length");
        line(&f, 420, 110 + 40 * i, "99");
        line(&f, 520, 110 + 40 * i, "mm");
        level(&f, 130 + 40 * i, 400, 602);
    }
    ck_assert_uint_eq(count_tables(&f), 0);
    pl_arena_done(&f.arena);
}
END_TEST

/* Four rows of two rows of text each, and a price beside the first of these. */
static void price_list(struct page_fixture *f, const char *name, const char *more)
{
    setup(f);
    for (int i = 0; i < 4; i++) {
        line(f, 110, 160 + 60 * i, name);
        line(f, 600, 160 + 60 * i, "12.50");
        line(f, 110, 180 + 60 * i, more);
    }
}

/* White parts the rows between two rules. */
START_TEST(white_parts_rows)
{
    struct page_fixture f;
    price_list(&f, "A wooden door with iron", "hinges and a lock");
    levels(&f, 100, 702, 100, 140, 400);
    line(&f, 110, 115, "Article");
    line(&f, 600, 115, "Price");
    const struct pl_table *t = find(&f, 1)[0].table;
    expect_size(t, 5, 2);
    ck_assert_int_eq(t->n_head, 1);
    ck_assert_uint_eq(cell_at(t, 4, 0)->n_lines, 2);
    expect(t, 4, 1, "12.50");
    pl_arena_done(&f.arena);
}
END_TEST

/* White alone does where text goes on in a column whose line was full, or each row of the table has
 * one of text in both columns. */
START_TEST(white_alone_parts_rows)
{
    struct page_fixture f;
    price_list(&f, "A wooden door with iron", "hinges and a lock");
    for (int i = 0; i < 8; i++)
        line(&f, 400, i / 2 * 60 + (i % 2 ? 180 : 160), i % 2 ? "copper" : "brass and iron");
    expect_size(find(&f, 1)[0].table, 4, 3);
    pl_arena_done(&f.arena);
    price_list(&f, "Door", "made of wood");
    const struct pl_table *t = find(&f, 1)[0].table;
    expect_size(t, 4, 2);
    ck_assert_uint_eq(cell_at(t, 3, 0)->n_lines, 2);
    pl_arena_done(&f.arena);
}
END_TEST

/* Groups of rows are no rows. */
START_TEST(groups_are_no_rows)
{
    struct page_fixture f;
    price_list(&f, "Door", "made of wood");
    for (int i = 0; i < 4; i++)
        line(&f, 600, 180 + 60 * i, "22.50");
    ck_assert_uint_eq(count_tables(&f), 0);
    pl_arena_done(&f.arena);
}
END_TEST

/* Words below each other are no text that goes on, though none would have fitted above. */
START_TEST(words_below_each_other_are_items)
{
    struct page_fixture f;
    price_list(&f, "Doors", "locks");
    for (int i = 0; i < 4; i++)
        line(&f, 600, 180 + 60 * i, "hinge");
    ck_assert_uint_eq(count_tables(&f), 0);
    pl_arena_done(&f.arena);
}
END_TEST

/* Nor are numbered items a table. */
START_TEST(items_are_no_table)
{
    struct page_fixture f;
    setup(&f);
    for (int i = 0; i < 4; i++) {
        line(&f, 110, 160 + 60 * i, "1.");
        line(&f, 160, 160 + 60 * i, "A wooden door with iron");
        line(&f, 160, 180 + 60 * i, "hinges and a lock");
    }
    ck_assert_uint_eq(count_tables(&f), 0);
    pl_arena_done(&f.arena);
}
END_TEST

/* Three paragraphs in each of two columns, which begin at these heights; those of the right one
 * have a row less where they are `short_ones`. */
static void paragraphs(struct page_fixture *f, int left_y, int right_y, const char *right,
                       bool short_ones)
{
    setup(f);
    for (int i = 0; i < 3; i++) {
        rows(f, 110, left_y + 120 * i,
             "It was late when the first\nboats came home and the rest\nof us went to sleep.");
        rows(f, 500, right_y + 120 * i, right);
        f->block.n_lines -= short_ones && i < 2;
    }
}

/* Where white between paragraphs of two columns happens to be level, these are no rows of a table:
 * columns of prose are as wide as each other, and as high between such white, or their paragraphs
 * neither begin nor end level. */
START_TEST(level_paragraphs_are_no_rows)
{
    static const char wide[] = "They told us of the storm and\nof the light that they saw on\nthe "
                               "far side of the bay.",
                      narrow[] = "They told us of\nthe storm and of\nthe light there.";
    struct page_fixture f;
    paragraphs(&f, 100, 100, wide, false);
    ck_assert_uint_eq(count_tables(&f), 0);
    pl_arena_done(&f.arena);
    paragraphs(&f, 100, 124, wide, false);
    ck_assert_uint_eq(count_tables(&f), 0);
    pl_arena_done(&f.arena);
    paragraphs(&f, 100, 100, wide, true);
    ck_assert_uint_eq(count_tables(&f), 1);
    pl_arena_done(&f.arena);
    paragraphs(&f, 100, 100, narrow, false);
    ck_assert_uint_eq(count_tables(&f), 1);
    pl_arena_done(&f.arena);
}
END_TEST

/* Cells of one row of text beside paragraphs are labels, wherever they begin. */
START_TEST(labels_beside_paragraphs_are_a_table)
{
    struct page_fixture f;
    setup(&f);
    for (int i = 0; i < 3; i++) {
        line(&f, 110, 100 + 150 * i, "A light in the far distance");
        rows(&f, 500, 100 + 120 * i,
             "They told us of the storm and\nof the light that they saw on\nthe far side of the "
             "bay.");
    }
    ck_assert_uint_eq(count_tables(&f), 1);
    pl_arena_done(&f.arena);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("bands");
    tcase_add_test(tc, level_rules_part_rows);
    tcase_add_test(tc, heads_are_as_far_as_rows);
    tcase_add_test(tc, heads_above_circles);
    tcase_add_test(tc, titles_are_no_heads);
    tcase_add_test(tc, names_wider_than_columns);
    tcase_add_test(tc, prose_is_no_head);
    tcase_add_test(tc, level_rules_are_alone);
    tcase_add_test(tc, cells_keep_their_white);
    tcase_add_test(tc, underlines_part_no_rows);
    tcase_add_test(tc, white_parts_rows);
    tcase_add_test(tc, white_alone_parts_rows);
    tcase_add_test(tc, groups_are_no_rows);
    tcase_add_test(tc, words_below_each_other_are_items);
    tcase_add_test(tc, items_are_no_table);
    tcase_add_test(tc, level_paragraphs_are_no_rows);
    tcase_add_test(tc, labels_beside_paragraphs_are_a_table);
    Suite *s = suite_create("bands");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
