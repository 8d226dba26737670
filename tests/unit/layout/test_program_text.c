/* SPDX-License-Identifier: BSD-2-Clause */
/* Program text among prose; all letters of these pages have one pitch unless a test says more. */
#include "tests/unit/layout/page_fixture.h"

#define MAX_BLOCKS 8

struct fixture {
    struct page_fixture page;
    struct pl_block blocks[MAX_BLOCKS];
};

/* Begins a page, and leaves the one before it, if any. */
static void begin_page(struct fixture *f)
{
    pl_arena_done(&f->page.arena);
    setup(&f->page);
    f->page.regions.blocks = f->blocks;
    f->page.regions.n_blocks = 0;
}

/* A block of rows at x, with white beside the letters. */
static void block(struct fixture *f, int x, int y, const char *text)
{
    struct pl_block *b = &f->blocks[f->page.regions.n_blocks++];
    const size_t first = f->page.block.n_lines;
    rows(&f->page, x, y, text);
    *b = (struct pl_block){.lines = &f->page.lines[first],
                           .n_lines = f->page.block.n_lines - first,
                           .box = f->page.lines[first].box};
    for (size_t i = 0; i < b->n_lines; i++) {
        b->box = pl_rect_union(b->box, b->lines[i].box);
        for (size_t w = 0; w < b->lines[i].n_words; w++) {
            b->lines[i].words[w].box.x0++;
            b->lines[i].words[w].box.x1 -= 2;
        }
    }
}

/* Narrows the letters of the last block, each word by itself. */
static void set_in_other_type(struct fixture *f)
{
    const struct pl_block *b = &f->blocks[f->page.regions.n_blocks - 1];
    for (size_t i = 0; i < b->n_lines; i++)
        for (size_t w = 0; w < b->lines[i].n_words; w++)
            b->lines[i].words[w].box.x1 -= (int)(3 + w % 3) * (int)b->lines[i].words[w].n_chars;
}

/* Checks of what kind the blocks are: 'c' for code, 't' for text. */
static void expect_kinds(struct fixture *f, const char *kinds)
{
    ck_assert(pl_program_text_tell(&f->page.arena, &f->page.regions));
    ck_assert_uint_eq(f->page.regions.n_blocks, strlen(kinds));
    for (size_t i = 0; kinds[i]; i++) {
        const struct pl_block *b = &f->page.regions.blocks[i];
        ck_assert_int_eq(b->kind, kinds[i] == 'c' ? PL_BLOCK_CODE : PL_BLOCK_TEXT);
        ck_assert_int_eq(b->code != NULL, kinds[i] == 'c');
    }
}

static const char listing[] = "static int count(const char *s)\n"
                              "{\n"
                              "    int words = 0;\n"
                              "    for (size_t i = 0; s[i]; i++)\n"
                              "        words += s[i] == 32;\n"
                              "    return words;\n"
                              "}",
                  prose[] = "Dear Sir, we thank you for your letter of the 4th\n"
                            "and ask you to send us the other part(s) of it; we\n"
                            "have not seen them yet, and cannot say a word on it",
                  settings[] = "listen = all\nworkers = four\ntimeout = quite long";

START_TEST(listings_are_code)
{
    struct fixture f = {0};
    begin_page(&f);
    block(&f, 100, 100, listing);
    expect_kinds(&f, "c");
    ck_assert_double_eq_tol(f.page.regions.blocks[0].code->pitch_px, CHAR_PX, .1);
    ck_assert_double_eq(f.page.regions.blocks[0].code->step_px, ROW_PX);
    pl_arena_done(&f.page.arena);
}
END_TEST

/* So are the rows of one within a block of other text, which stays as it is around them. */
START_TEST(rows_of_a_block_are_code)
{
    struct fixture f = {0};
    begin_page(&f);
    block(&f, 100, 100, prose);
    set_in_other_type(&f);
    block(&f, 100, 100 + 3 * ROW_PX, listing);
    block(&f, 100, 100 + 10 * ROW_PX, prose);
    set_in_other_type(&f);
    f.blocks[0].n_lines = 13;
    f.blocks[0].box = pl_rect_union(f.blocks[0].box, f.blocks[2].box);
    f.page.regions.n_blocks = 1;
    expect_kinds(&f, "tct");
    ck_assert_uint_eq(f.page.regions.blocks[1].n_lines, 7);
    ck_assert_uint_eq(f.page.regions.blocks[2].n_lines, 3);
    ck_assert_int_eq(f.page.regions.blocks[2].box.y0, 100 + 10 * ROW_PX);
    begin_page(&f);
    block(&f, 100, 100, prose);
    set_in_other_type(&f);
    block(&f, 100, 100 + 3 * ROW_PX, prose);
    f.blocks[0].n_lines = 6;
    f.page.regions.n_blocks = 1;
    expect_kinds(&f, "t");
    ck_assert_uint_eq(f.page.regions.blocks[0].n_lines, 6);
    pl_arena_done(&f.page.arena);
}
END_TEST

/* Modes of files, times, options and paths are signs of what stood in a terminal. */
START_TEST(terminals_are_code)
{
    static const struct {
        const char *text, *kinds;
    } v[] = {
        {"drwxr-xr-x 4 anna staff 128 Feb 27 docs\n-rwxr-xr-x 1 anna staff 480 Mar 4 run\n"
         "-rw-r--r-- 1 anna staff 120 Mar 3 notes",
         "c"},
        {"2026-03-04 09:12:01 INFO server started\n[2026-03-04 09:12:07 client connected\n"
         "09:13:40 ERROR connection reset by peer",
         "c"},
        {"mount all of /var/lib to here\nmake -j4 and then the other\ncopy ./run to this place",
         "c"},
        {"the hours from 09:12 to 09:40 are\nand/or those that were -and are-\n"
         "- as told on the 4th/5th of it -",
         "t"},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(v); i++) {
        struct fixture f = {0};
        begin_page(&f);
        block(&f, 100, 100, v[i].text);
        expect_kinds(&f, v[i].kinds);
        pl_arena_done(&f.page.arena);
    }
}
END_TEST

/* What was typed is none, even where three rows have signs: there are too few of them. */
START_TEST(typed_letters_are_text)
{
    struct fixture f = {0};
    begin_page(&f);
    block(&f, 100, 100, prose);
    block(&f, 100, 300, prose);
    block(&f, 100, 500, prose);
    block(&f, 100, 700, settings);
    expect_kinds(&f, "tttt");
    pl_arena_done(&f.page.arena);
}
END_TEST

/* Nor is one row with signs beside one without. */
START_TEST(two_rows_are_text)
{
    struct fixture f = {0};
    begin_page(&f);
    block(&f, 100, 100, "the sum of all = the sum of each\nand that is what it is in the end");
    expect_kinds(&f, "t");
    pl_arena_done(&f.page.arena);
}
END_TEST

START_TEST(other_type_is_text)
{
    struct fixture f = {0};
    begin_page(&f);
    block(&f, 100, 100, listing);
    set_in_other_type(&f);
    expect_kinds(&f, "t");
    begin_page(&f);
    block(&f, 100, 100, listing);
    block(&f, 100, 310, prose);
    set_in_other_type(&f);
    expect_kinds(&f, "ct");
    pl_arena_done(&f.page.arena);
}
END_TEST

/* Figures are equally wide in most type. */
START_TEST(figures_tell_no_pitch)
{
    struct fixture f = {0};
    begin_page(&f);
    block(&f, 100, 100, "1900 <100 <200 <300\n1910 <110 <210 <310\n1920 <120 <220 <320");
    expect_kinds(&f, "t");
    pl_arena_done(&f.page.arena);
}
END_TEST

/* What stands below a prompt is the answer of a terminal, and what a colon leads to is indented. */
START_TEST(prompts_and_indents_tell)
{
    struct fixture f = {0};
    begin_page(&f);
    block(&f, 100, 100, "$ show the words of it\nall of them are here\nand some are there");
    block(&f, 100, 400, prose);
    expect_kinds(&f, "cc");
    begin_page(&f);
    block(&f, 100, 100,
          "web:\n  image: some other one\n  ports:\n    - the first one\n  after:\n    - it");
    expect_kinds(&f, "c");
    begin_page(&f);
    block(&f, 100, 100, "$ 100 for the words of it\nall of them are here\nand some are there");
    expect_kinds(&f, "t");
    pl_arena_done(&f.page.arena);
}
END_TEST

/* A brace that is a block of its own goes on with the listing; one between columns of letters, one
 * far below and large letters do not. */
START_TEST(small_blocks_go_with_code)
{
    struct fixture f = {0};
    begin_page(&f);
    block(&f, 100, 100, listing);
    block(&f, 140, 310, "}");
    expect_kinds(&f, "c");
    ck_assert_uint_eq(f.page.regions.blocks[0].n_lines, 8);
    ck_assert_int_eq(f.page.regions.blocks[0].box.y1, 310 + GLYPH_PX);
    begin_page(&f);
    block(&f, 100, 40, "here");
    block(&f, 100, 100, listing);
    expect_kinds(&f, "c");
    ck_assert_str_eq(f.page.regions.blocks[0].lines->text, "here");
    begin_page(&f);
    block(&f, 100, 100, listing);
    block(&f, 145, 310, "}");
    expect_kinds(&f, "ct");
    begin_page(&f);
    block(&f, 100, 100, listing);
    block(&f, 100, 400, "}");
    expect_kinds(&f, "ct");
    begin_page(&f);
    block(&f, 100, 100, listing);
    block(&f, 100, 310, "here");
    f.blocks[1].lines->xheight_px = 13;
    expect_kinds(&f, "ct");
    pl_arena_done(&f.page.arena);
}
END_TEST

/* Numbers of rows that are a block beside them stand before these. */
START_TEST(rows_of_blocks_beside_each_other)
{
    struct fixture f = {0};
    begin_page(&f);
    block(&f, 150, 100, settings);
    block(&f, 100, 101, "one\ntwo\nthree");
    expect_kinds(&f, "c");
    static const char *const texts[] = {"one", "listen = all", "two", "workers = four"};
    for (size_t i = 0; i < PL_ARRAY_LEN(texts); i++)
        ck_assert_str_eq(f.page.regions.blocks[0].lines[i].text, texts[i]);
    pl_arena_done(&f.page.arena);
}
END_TEST

/* It stays what it is while other blocks become headings and tables. */
START_TEST(code_is_no_table)
{
    struct fixture f = {0};
    begin_page(&f);
    block(&f, 100, 100,
          "mov =     eax,      done\nadd =     rsi,      four\nsub =     edx,      five\n"
          "jmp =     all,      loop");
    block(&f, 100, 300, prose);
    set_in_other_type(&f);
    const struct pl_block *b = find(&f.page, 2);
    ck_assert_int_eq(b[0].kind, PL_BLOCK_CODE);
    ck_assert_ptr_null(b[0].table);
    pl_arena_done(&f.page.arena);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("program_text");
    tcase_add_test(tc, listings_are_code);
    tcase_add_test(tc, rows_of_a_block_are_code);
    tcase_add_test(tc, terminals_are_code);
    tcase_add_test(tc, typed_letters_are_text);
    tcase_add_test(tc, two_rows_are_text);
    tcase_add_test(tc, other_type_is_text);
    tcase_add_test(tc, figures_tell_no_pitch);
    tcase_add_test(tc, prompts_and_indents_tell);
    tcase_add_test(tc, small_blocks_go_with_code);
    tcase_add_test(tc, rows_of_blocks_beside_each_other);
    tcase_add_test(tc, code_is_no_table);
    Suite *s = suite_create("program_text");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
