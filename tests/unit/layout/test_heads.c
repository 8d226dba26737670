/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts beside each other in the head or foot of a letter. */
#include "tests/unit/layout/page_fixture.h"

/* A row of up to three lines; "" stands for none. */
struct head_row {
    const char *text[3];
};

static void add_rows(struct page_fixture *f, int y, const struct head_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            if (rows[i].text[k] && *rows[i].text[k])
                line(f, 100 + 300 * k, y + ROW_PX * (int)i, rows[i].text[k]);
}

/* The first lines of the blocks in which rows are read. */
#define expect_rows(table, ...)                                                                    \
    do {                                                                                           \
        struct page_fixture f;                                                                     \
        const char *const firsts[] = {__VA_ARGS__};                                                \
        setup(&f);                                                                                 \
        add_rows(&f, 130, table, PL_ARRAY_LEN(table));                                             \
        const struct pl_block *b = find(&f, PL_ARRAY_LEN(firsts));                                 \
        for (size_t i = 0; i < PL_ARRAY_LEN(firsts); i++)                                          \
            ck_assert_str_eq(b[i].lines->text, firsts[i]);                                         \
        pl_arena_done(&f.arena);                                                                   \
    } while (0)

static const struct head_row sender[] = {
    {{"Stay Land", "Tel +44 20 4086", "Sparrow Bank"}},
    {{"197 Others Street", "Fax +44 20 3301", "Iban GB22 2823"}},
    {{"Census A4 1XY", "church@shall.com", "Bic AFFEGB2L"}},
    {{"United Kingdom", "", ""}},
};

/* Each text is a block, in its order, although the rows are level and would make a table. */
START_TEST(texts_of_heads_are_blocks)
{
    expect_rows(sender, "Stay Land", "Tel +44 20 4086", "Sparrow Bank");
}
END_TEST

/* A title over them is none of them. */
START_TEST(titles_stand_over_heads)
{
    struct page_fixture f;
    setup(&f);
    line(&f, 100, 100, "The Stay Land Company of Others and Others");
    add_rows(&f, 130, sender, 4);
    const struct pl_block *b = find(&f, 4);
    ck_assert_uint_eq(b[0].n_lines, 1);
    ck_assert_str_eq(b[1].lines->text, "Stay Land");
    ck_assert_uint_eq(b[1].n_lines, 4);
    pl_arena_done(&f.arena);
}
END_TEST

/* References beside an address are one, whether their values stand in lines of their own or not. */
START_TEST(references_are_a_block)
{
    static const struct head_row whole[] = {{{"Bread & Co", "Date: 24.09.2025"}},
                                            {{"133 Class Street", "Our ref: A/46"}},
                                            {{"That E17 7XY", "Contact: Been Enough"}}},
                                 parted[] = {{{"Bread & Co", "Date:", "24.09.2025"}},
                                             {{"133 Class Street", "Our ref:", "A/46"}},
                                             {{"That E17 7XY", "Contact:", "Been Enough"}}};
    expect_rows(whole, "Bread & Co", "Date: 24.09.2025");
    expect_rows(parted, "Bread & Co", "Date:");
}
END_TEST

/* Rows of forms and of tables stay rows: where all texts have labels, where a reference is none,
 * where two rows alone have labels, where each row has the same ones, where amounts stand beside
 * labels or below a number of an account, and where a source has a link to a page. */
START_TEST(other_rows_stay)
{
    static const struct head_row form[] = {{{"Date: 1.2.20", "No: 1234"}},
                                           {{"Customer: Bread & Co", "Phone: 020 1234"}},
                                           {{"Project: Land", "Web: www.land.com"}}},
                                 unlike[] = {{{"Bread & Co", "Date: 24.09.2025"}},
                                             {{"133 Class Street", "at noon"}},
                                             {{"That E17 7XY", "Contact: Been Enough"}}},
                                 few[] = {{{"Bread & Co", "Date: 24.09.2025"}},
                                          {{"133 Class Street", "Our ref: A/46"}},
                                          {{"That E17 7XY"}}},
                                 staff[] = {{{"Ann Bread", "Tel 020 1234", "bread@land.com"}},
                                            {{"Ben Other", "Tel 020 1235", "other@land.com"}},
                                            {{"Cy Class", "Tel 020 1236", "class@land.com"}}},
                                 sums[] = {{{"Tel 020 1234", "12"}},
                                           {{"Fax 020 1235", "13"}},
                                           {{"church@shall.com", "14"}}},
                                 account[] = {{{"Iban GB22 2823"}},
                                              {{"1 May", "Rent of the house", "745.00"}},
                                              {{"2 May", "Bread & Co", "9.95"}},
                                              {{"3 May", "Water and light", "31.20"}}};
    static const struct head_row links[] = {{{"Seen on the first day at", "Plate 12 of 14"}},
                                            {{"https://www.land.com/a", "from Bread & Co"}},
                                            {{"and on the second one", "for all of us"}}};
    expect_rows(links, "Seen on the first day at");
    expect_rows(form, "Date: 1.2.20");
    expect_rows(unlike, "Bread & Co");
    expect_rows(few, "Bread & Co");
    expect_rows(staff, "Ann Bread");
    expect_rows(sums, "Tel 020 1234");
    expect_rows(account, "Iban GB22 2823");
}
END_TEST

/* Eleven rows are no head. */
START_TEST(long_texts_are_no_heads)
{
    for (int more = 0; more < 2; more++) {
        struct page_fixture f;
        setup(&f);
        add_rows(&f, 130, sender, 4);
        for (int i = 4; i < 10 + more; i++)
            line(&f, 100, 130 + ROW_PX * i, "Other Street");
        find(&f, more ? 1 : 3);
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Ways to reach somebody are lines by themselves, and no paragraph, as half of them in a text are
 * not. */
START_TEST(contacts_are_no_paragraph)
{
    static const char *const third[] = {"www.land.example.com", "of the land and others"};
    for (size_t i = 0; i < 2; i++) {
        struct page_fixture f;
        setup(&f);
        line(&f, 100, 100, "Fax 020 1234 1234 1234");
        line(&f, 100, 130, "the others of the land");
        line(&f, 100, 160, third[i]);
        const struct pl_block *b = find(&f, 1);
        ck_assert_int_eq(b->lines[1].join, i ? PL_JOIN_BLANK : PL_JOIN_NONE);
        pl_arena_done(&f.arena);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("heads");
    tcase_add_test(tc, texts_of_heads_are_blocks);
    tcase_add_test(tc, titles_stand_over_heads);
    tcase_add_test(tc, references_are_a_block);
    tcase_add_test(tc, other_rows_stay);
    tcase_add_test(tc, long_texts_are_no_heads);
    tcase_add_test(tc, contacts_are_no_paragraph);
    Suite *s = suite_create("heads");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
