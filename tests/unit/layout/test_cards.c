/* SPDX-License-Identifier: BSD-2-Clause */
/* Cards beside and below each other. */
#include "layout/blocks.h"
#include "tests/unit/layout/page_fixture.h"

#define MOST_BLOCKS 4

/* A page of blocks below each other, each with rows of a line at x and one 300 px to the right. */
struct sheet {
    struct page_fixture f;
    struct pl_block blocks[MOST_BLOCKS];
    size_t n;
};

static void add_block(struct sheet *s, int x, const char *const rows[][2], size_t n)
{
    const size_t first = s->f.block.n_lines;
    struct pl_block *b = &s->blocks[s->n];
    for (size_t i = 0; i < n; i++)
        for (int c = 0; c < 2; c++)
            line(&s->f, x + 300 * c, 100 + 200 * (int)s->n + ROW_PX * (int)i, rows[i][c]);
    *b = (struct pl_block){.lines = s->f.lines + first, .n_lines = 2 * n};
    b->box = b->lines->box;
    for (size_t i = 1; i < b->n_lines; i++)
        b->box = pl_rect_union(b->box, b->lines[i].box);
    s->f.regions.blocks = s->blocks;
    s->f.regions.n_blocks = ++s->n;
}

/* n equal blocks. */
static void begin(struct sheet *s, const char *const rows[][2], size_t n_rows, size_t n)
{
    setup(&s->f);
    s->n = 0;
    for (size_t i = 0; i < n; i++)
        add_block(s, 100, rows, n_rows);
}

/* Parts the cards, which are so many blocks then. */
static void expect_blocks(struct sheet *s, size_t n)
{
    ck_assert(pl_cards_part(&s->f.arena, &s->f.regions));
    ck_assert_uint_eq(s->f.regions.n_blocks, n);
}

static const char *const labels[][2] = {
    {"Anna Walker", "Peter Brown"}, {"19 Mill Road", "4 Church Lane"}, {"Norton", "Askham"}};

START_TEST(cards_are_blocks)
{
    struct sheet s;
    begin(&s, labels, 3, 3);
    expect_blocks(&s, 6);
    for (size_t i = 0; i < 6; i++) {
        const struct pl_block *b = &s.f.regions.blocks[i];
        ck_assert_uint_eq(b->n_lines, 3);
        for (size_t r = 0; r < 3; r++)
            ck_assert_str_eq(b->lines[r].text, labels[r][i % 2]);
        ck_assert_int_eq(b->box.x0, b->lines->box.x0);
        ck_assert_int_eq(b->box.y1, b->lines[2].box.y1);
    }
    pl_arena_done(&s.f.arena);
}
END_TEST

/* Two rows of them may be paragraphs beside each other. */
START_TEST(few_are_none)
{
    struct sheet s;
    begin(&s, labels, 3, 2);
    expect_blocks(&s, 2);
    pl_arena_done(&s.f.arena);
}
END_TEST

/* Groups of rows of a table have words in one column and numbers in another, or words in both. */
START_TEST(groups_of_rows_are_none)
{
    static const char *const items[][2] = {{"bolt", "12.50"}, {"nut", "0.50"}};
    static const char *const words[][2] = {{"bolt", "steel"}, {"nut", "brass"}};
    static const char *const numbers[][2] = {{"7 bolts", "12.50"}, {"8 nuts", "0.50"}};
    struct sheet s;
    begin(&s, items, 2, 3);
    expect_blocks(&s, 3);
    pl_arena_done(&s.f.arena);
    begin(&s, words, 2, 3);
    expect_blocks(&s, 3);
    pl_arena_done(&s.f.arena);
    begin(&s, numbers, 2, 3);
    expect_blocks(&s, 3);
    pl_arena_done(&s.f.arena);
}
END_TEST

/* Some lines have figures in one column and none in the other: labels and values of a form. */
START_TEST(unlike_lines_are_none)
{
    static const char *const fields[][2] = {
        {"Name", "Peter Brown"}, {"12 May", "14 May"}, {"Number", "19"}};
    struct sheet s;
    begin(&s, fields, 3, 3);
    expect_blocks(&s, 3);
    pl_arena_done(&s.f.arena);
}
END_TEST

/* Those of one row stand elsewhere, or have other rows. */
START_TEST(cards_stand_under_each_other)
{
    struct sheet s;
    begin(&s, labels, 3, 2);
    add_block(&s, 150, labels, 3);
    expect_blocks(&s, 3);
    pl_arena_done(&s.f.arena);
    begin(&s, labels, 3, 2);
    add_block(&s, 100, labels, 2);
    expect_blocks(&s, 3);
    pl_arena_done(&s.f.arena);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("cards");
    tcase_add_test(tc, cards_are_blocks);
    tcase_add_test(tc, few_are_none);
    tcase_add_test(tc, groups_of_rows_are_none);
    tcase_add_test(tc, unlike_lines_are_none);
    tcase_add_test(tc, cards_stand_under_each_other);
    Suite *s = suite_create("cards");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
