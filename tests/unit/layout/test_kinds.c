/* SPDX-License-Identifier: BSD-2-Clause */
/* What blocks are, on pages of lines laid out here: 12 px for each character, small letters 10 px
 * high, rows 30 px apart. */
#include <check.h>
#include <string.h>

#include "layout/steps.h"
#include "layout/text_rows.h"
#include "tests/unit/suite.h"

#define WIDTH 1000
#define HEIGHT 1400
#define MAX_LINES 64
#define CHAR_PX 12
#define ROW_PX 30

struct fixture {
    struct pl_arena arena;
    struct pl_line lines[MAX_LINES];
    struct pl_word words[MAX_LINES];
    struct pl_block blocks[MAX_LINES];
    struct pl_regions regions;
    size_t n;
};

static void setup(struct fixture *f)
{
    memset(f, 0, sizeof(*f));
    pl_arena_init(&f->arena);
    f->regions = (struct pl_regions){.width = WIDTH, .height = HEIGHT, .blocks = f->blocks};
}

static void block(struct fixture *f)
{
    f->blocks[f->regions.n_blocks++] = (struct pl_block){.lines = &f->lines[f->n]};
}

/* A line of the last block, `size` times as large; a word, as tables want them. */
static void line(struct fixture *f, int x, int base, const char *text, double size)
{
    int w = (int)(CHAR_PX * size * (double)strlen(text)), up = (int)(14 * size);
    bool small = strpbrk(text, "abcdefghijklmnopqrstuvwxyz");
    struct pl_rect box = {x, base - up, x + w, base};
    f->words[f->n] = (struct pl_word){.box = box, .text = text, .n_chars = strlen(text)};
    f->lines[f->n] = (struct pl_line){.box = box,
                                      .base_y = base,
                                      .ascent_px = up,
                                      .xheight_px = small ? 10 * size : up,
                                      .words = &f->words[f->n],
                                      .n_words = 1,
                                      .text = text};
    f->n++;
    f->blocks[f->regions.n_blocks - 1].n_lines++;
}

static void prose(struct fixture *f, int base, int rows)
{
    block(f);
    for (int i = 0; i < rows; i++)
        line(f, 100, base + ROW_PX * i, "it goes on and on and so it does for a while longer,", 1);
}

static const struct pl_block *name(struct fixture *f, size_t n)
{
    ck_assert(pl_blocks_name(&f->arena, &f->regions));
    ck_assert_uint_eq(f->regions.n_blocks, n);
    return f->regions.blocks;
}

/* The running head is two lines in a row, the number of the page is in the block of the text. */
START_TEST(heads_and_feet)
{
    struct fixture f;
    setup(&f);
    block(&f);
    line(&f, 100, 80, "26", 1);
    line(&f, 500, 80, "THE CHILD OF THE MOAT", 1);
    prose(&f, 140, 39);
    line(&f, 480, 140 + ROW_PX * 39, "26", 1);
    const struct pl_block *b = name(&f, 3);
    ck_assert_int_eq(b[0].kind, PL_BLOCK_HEADER);
    ck_assert_uint_eq(b[0].n_lines, 2);
    ck_assert_int_eq(b[1].kind, PL_BLOCK_TEXT);
    ck_assert_uint_eq(b[1].n_lines, 39);
    ck_assert_int_eq(b[2].kind, PL_BLOCK_FOOTER);
    ck_assert_int_eq(b[2].box.x0, 480);
    pl_arena_done(&f.arena);
}
END_TEST

/* Cells as short as dirt are none where they stand beside others: the first rows of their table are
 * no running head. */
START_TEST(short_cells_are_no_dirt)
{
    struct fixture f;
    setup(&f);
    block(&f);
    line(&f, 100, 80, "Days", 1);
    line(&f, 300, 80, "Two", 1);
    line(&f, 500, 80, "Three", 1);
    for (int i = 1; i < 12; i++) {
        line(&f, 100, 80 + i * ROW_PX, "1", 1);
        line(&f, 300, 80 + i * ROW_PX, "-2", 1);
        line(&f, 500, 80 + i * ROW_PX, "3", 1);
    }
    const struct pl_block *b = name(&f, 1);
    ck_assert_int_eq(b->kind, PL_BLOCK_TABLE);
    ck_assert_uint_eq(b->n_lines, 36);
    pl_arena_done(&f.arena);
}
END_TEST

START_TEST(no_heads_inside_or_on_short_pages)
{
    struct fixture f;
    setup(&f);
    prose(&f, 80, 2); /* a short paragraph is none */
    prose(&f, 80 + (int)(2.5 * ROW_PX), 20);
    ck_assert_int_eq(name(&f, 2)[0].kind, PL_BLOCK_TEXT);
    pl_arena_done(&f.arena);
    setup(&f);
    block(&f);
    line(&f, 100, 80, "Dear madam,", 1);
    prose(&f, 140, 2);
    const struct pl_block *b = name(&f, 2);
    ck_assert_int_eq(b[0].kind, PL_BLOCK_TEXT);
    pl_arena_done(&f.arena);
    setup(&f);
    prose(&f, 80, 20); /* text begins at the top, */
    block(&f);
    line(&f, 100, 900, "Yours truly", 1); /* and ends in the middle */
    b = name(&f, 2);
    ck_assert_int_eq(b[0].kind, PL_BLOCK_TEXT);
    ck_assert_int_eq(b[1].kind, PL_BLOCK_TEXT);
    pl_arena_done(&f.arena);
}
END_TEST

/* By size, and by capitals where these are few; inside a block, too. */
START_TEST(headings)
{
    struct fixture f;
    setup(&f);
    block(&f);
    line(&f, 100, 300, "Of large letters", 1.6);
    prose(&f, 360, 6);
    line(&f, 200, 360 + ROW_PX * 7, "OF COKING COAL", 1);
    for (int i = 8; i < 14; i++)
        line(&f, 100, 360 + ROW_PX * i, "which goes on in the next row of the same paragraph", 1);
    line(&f, 100, 360 + ROW_PX * 14, "USA 1952", 1);
    line(&f, 100, 360 + ROW_PX * 15, "is no heading, as it has no space before it, you see", 1);
    const struct pl_block *b = name(&f, 4);
    ck_assert_int_eq(b[0].kind, PL_BLOCK_HEADING);
    ck_assert_int_eq(b[1].kind, PL_BLOCK_TEXT);
    ck_assert_int_eq(b[2].kind, PL_BLOCK_HEADING);
    ck_assert_int_eq(b[2].box.x0, 200);
    ck_assert_int_eq(b[3].kind, PL_BLOCK_TEXT);
    ck_assert_uint_eq(b[3].n_lines, 8);
    pl_arena_done(&f.arena);
}
END_TEST

/* Sets how long the strokes of a line are. */
static void weigh(struct fixture *f, size_t i, double px)
{
    f->lines[i].stroke_px = px;
}

/* By bold letters, where these are few: a row apart from the one before it that ends before the
 * others do, and is neither a sentence nor a label. */
START_TEST(bold_headings)
{
    static const struct {
        const char *text;
        double stroke_px;
        int apart, n_bold; /* rows that are bold, too */
        bool is;
    } tried[] = {
        {"1 Introduction", 2.6, 15, 0, true},
        {"1 Introduction", 2.4, 15, 0, false},
        {"1 Introduction", 2.6, 0, 0, false},
        {"1 Introduction", 2.6, 15, 5, false},
        {"1 Introduction:", 2.6, 15, 0, false},
        {"He left it.", 2.6, 15, 0, false},
        {"Many words of the first row of another one it is", 2.6, 15, 0, false},
    };
    for (size_t k = 0; k < PL_ARRAY_LEN(tried); k++) {
        struct fixture f;
        const int y = 300 + 6 * ROW_PX + tried[k].apart;
        setup(&f);
        prose(&f, 300, 6);
        line(&f, 100, y, tried[k].text, 1);
        for (int i = 1; i < 7; i++)
            line(&f, 100, y + ROW_PX * i, "which goes on in the next row of the same paragraph", 1);
        block(&f);
        line(&f, 800, y + ROW_PX * 7, "beside", 1);
        for (size_t i = 0; i < f.n; i++)
            weigh(&f, i, i == 6 || (int)i < tried[k].n_bold ? tried[k].stroke_px : 2);
        const struct pl_block *b = name(&f, tried[k].is ? 4 : 2);
        ck_assert_int_eq(b[tried[k].is].kind, tried[k].is ? PL_BLOCK_HEADING : PL_BLOCK_TEXT);
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* The second row of a heading is of its size. */
START_TEST(rows_of_a_heading_are_alike)
{
    for (int alike = 0; alike < 2; alike++) {
        struct fixture f;
        setup(&f);
        block(&f);
        line(&f, 100, 300, "Of large letters", 1.6);
        line(&f, 100, 330, alike ? "on two rows" : "in the year 12", alike ? 1.45 : 1.26);
        prose(&f, 396, 6);
        ck_assert_uint_eq(name(&f, alike ? 2 : 3)->n_lines, alike ? 2 : 1);
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* The figures of a date are as high as capitals, and were taken for small letters; a title whose
 * letters are as high as that is one. A label and a value in capitals are no heading, another label
 * is one. */
START_TEST(dates_are_no_headings)
{
    static const struct {
        const char *text;
        double xheight, ascent;
        enum pl_block_kind kind;
    } tried[] = {{"Date: 14.11.2026", 14, 14, PL_BLOCK_TEXT},
                 {"Date: 14.11.2026", 14, 20, PL_BLOCK_HEADING},
                 {"so as we are now", 14, 14, PL_BLOCK_HEADING},
                 {"DATE: 14 MAY", 14, 14, PL_BLOCK_TEXT},
                 {"PART TWO: THE END", 14, 14, PL_BLOCK_HEADING}};
    for (size_t i = 0; i < PL_ARRAY_LEN(tried); i++) {
        struct fixture f;
        setup(&f);
        block(&f);
        line(&f, 100, 300, tried[i].text, 1);
        f.lines[0].xheight_px = tried[i].xheight;
        f.lines[0].ascent_px = tried[i].ascent;
        prose(&f, 400, 12);
        ck_assert_int_eq(name(&f, 2)->kind, tried[i].kind);
        pl_arena_done(&f.arena);
    }
}
END_TEST

START_TEST(capitals_everywhere_mark_nothing)
{
    struct fixture f;
    setup(&f);
    block(&f);
    for (int i = 0; i < 12; i++)
        line(&f, 100, 400 + 2 * ROW_PX * i, "ALL OF THIS IS A TELEX", 1);
    ck_assert_int_eq(name(&f, 1)->kind, PL_BLOCK_TEXT);
    pl_arena_done(&f.arena);
}
END_TEST

/* What has nothing below it heads nothing: initials under a letter, a stamp at the foot. */
START_TEST(headings_have_text_below)
{
    struct fixture f;
    setup(&f);
    prose(&f, 300, 12);
    block(&f);
    line(&f, 100, 300 + 15 * ROW_PX, "DRD/LA", 1);
    block(&f);
    line(&f, 700, 300 + 20 * ROW_PX, "Draft", 2);
    const struct pl_block *b = name(&f, 3);
    ck_assert_int_eq(b[1].kind, PL_BLOCK_TEXT);
    ck_assert_int_eq(b[2].kind, PL_BLOCK_TEXT);
    pl_arena_done(&f.arena);
    setup(&f);
    prose(&f, 300, 12);
    block(&f);
    line(&f, 100, 300 + 15 * ROW_PX, "THE NEXT ONE", 1);
    prose(&f, 300 + 17 * ROW_PX, 12);
    b = name(&f, 3);
    ck_assert_int_eq(b[1].kind, PL_BLOCK_HEADING);
    pl_arena_done(&f.arena);
}
END_TEST

START_TEST(captions)
{
    static const char *const yes[] = {"Table 3. Receipts", "FIG. 2a: A sketch", "Plate IV",
                                      "Figure 3-12. Water"},
                             *const no[] = {"Table 3 shows the rest",
                                            "Figures are given below",
                                            "figure 2. x",
                                            "Tables 3",
                                            "Fig",
                                            ""};
    struct fixture f;
    for (size_t i = 0; i < PL_ARRAY_LEN(yes) + PL_ARRAY_LEN(no); i++) {
        bool caption = i < PL_ARRAY_LEN(yes);
        setup(&f);
        prose(&f, 400, 6);
        block(&f);
        line(&f, 100, 800, caption ? yes[i] : no[i - PL_ARRAY_LEN(yes)], 1);
        prose(&f, 900, 6);
        ck_assert_msg((name(&f, 3)[1].kind == PL_BLOCK_CAPTION) == caption, "%s", f.lines[6].text);
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Cells under each other make a table; two columns of ragged phrases in rows do not. */
START_TEST(tables)
{
    struct fixture f;
    setup(&f);
    block(&f);
    for (int i = 0; i < 6; i++) {
        line(&f, 100, 400 + ROW_PX * i, i % 2 ? "bread" : "cheese and wine", 1);
        line(&f, 400, 400 + ROW_PX * i, "12", 1);
        line(&f, 620 - 12 * (i % 3), 400 + ROW_PX * i,
             i % 3 == 2 ? "114.00"
             : i % 3    ? "99.20"
                        : "7.00",
             1);
    }
    ck_assert_int_eq(name(&f, 1)->kind, PL_BLOCK_TABLE);
    pl_arena_done(&f.arena);
    setup(&f);
    block(&f);
    for (int i = 0; i < 6; i++) {
        line(&f, 100, 400 + ROW_PX * i, "some words here", 1);
        line(&f, 350 + 31 * i, 400 + ROW_PX * i, "and others", 1 + 0.03 * i);
    }
    ck_assert_int_eq(name(&f, 1)->kind, PL_BLOCK_TEXT);
    pl_arena_done(&f.arena);
}
END_TEST

/* Lines that run up the page keep their blocks as they are. */
START_TEST(turned_lines_are_text)
{
    struct fixture f;
    setup(&f);
    prose(&f, 400, 12);
    block(&f);
    line(&f, 20, 80, "TURNED LINE", 1);
    f.lines[f.n - 1].quarters = 1;
    const struct pl_block *b = name(&f, 2);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(b[i].kind, PL_BLOCK_TEXT);
    pl_arena_done(&f.arena);
    setup(&f);
    name(&f, 0);
    pl_arena_done(&f.arena);
}
END_TEST

/* Checks the levels of the headings of a page that has these lines, each above prose; of `n` of
 * them. */
struct ranked {
    int x;
    const char *text;
    double size;
    int level;
};

static void check_levels(const struct ranked *v, size_t n)
{
    struct fixture f;
    setup(&f);
    for (size_t i = 0; i < n; i++) {
        block(&f);
        line(&f, v[i].x, 300 + 200 * (int)i, v[i].text, v[i].size);
        prose(&f, 360 + 200 * (int)i, 4);
    }
    ck_assert(pl_blocks_name(&f.arena, &f.regions));
    ck_assert_uint_eq(f.regions.n_blocks, 2 * n);
    for (size_t i = 0; i < n; i++) {
        ck_assert_int_eq(f.regions.blocks[2 * i].kind, PL_BLOCK_HEADING);
        ck_assert_msg(f.regions.blocks[2 * i].level == v[i].level, "%s: %d", v[i].text,
                      f.regions.blocks[2 * i].level);
        ck_assert_int_eq(f.regions.blocks[2 * i + 1].level, 0);
    }
    pl_arena_done(&f.arena);
}

/* Numbers tell levels, whatever the size; those without one have that of their size, or of a number
 * of their size, and stand above smaller ones. */
START_TEST(headings_have_levels)
{
    static const struct ranked sizes[] = {{100, "A report of it", 2, 1},
                                          {100, "Its first part", 1.4, 2},
                                          {100, "A part of that", 1.26, 3}};
    static const struct ranked numbers[] = {{100, "Whole of it all", 1.6, 1},
                                            {100, "1 Its first part", 1.3, 2},
                                            {100, "2.1. A part of that", 1.26, 3},
                                            {100, "Summary of it", 1.3, 2}};
    static const struct ranked small[] = {{100, "1 Its first part", 1.26, 2},
                                          {100, "Summary of it", 1.26, 2}};
    static const struct ranked title[] = {{270, "The title of this", 1.4, 1},
                                          {100, "1999 was a good year", 1.4, 2}};
    static const struct ranked close[] = {{100, "Much larger ones", 2.4, 1},
                                          {100, "A chapter of it", 1.8, 2},
                                          {100, "Its first part", 1.5, 3}};
    check_levels(sizes, PL_ARRAY_LEN(sizes));
    check_levels(numbers, PL_ARRAY_LEN(numbers));
    check_levels(small, PL_ARRAY_LEN(small));
    check_levels(title, PL_ARRAY_LEN(title));
    check_levels(close, PL_ARRAY_LEN(close));
    ck_assert_int_eq(pl_section_parts("3.1.2 Scope"), 3);
    ck_assert_int_eq(pl_section_parts("12. Scope"), 1);
    ck_assert_int_eq(pl_section_parts("1999 Scope"), 0);
    ck_assert_int_eq(pl_section_parts("3.1"), 0);
    ck_assert_int_eq(pl_section_parts(NULL), 0);
}
END_TEST

/* The number of a part of a section marks a heading of the size of the text; what ends like a
 * sentence is a clause, and what ends with a page is an entry of the contents. */
START_TEST(numbers_mark_headings)
{
    static const struct {
        const char *text;
        enum pl_block_kind kind;
    } v[] = {{"2.1 Scope of it", PL_BLOCK_HEADING},
             {"2.1 scope of it", PL_BLOCK_TEXT},
             {"2.1 Scope of it.", PL_BLOCK_TEXT},
             {"2.1 Scope of it 14", PL_BLOCK_TEXT},
             {"2 Scope of it all", PL_BLOCK_TEXT}};
    for (size_t i = 0; i < PL_ARRAY_LEN(v); i++) {
        struct fixture f;
        setup(&f);
        prose(&f, 300, 8);
        block(&f);
        line(&f, 100, 620, v[i].text, 1);
        prose(&f, 680, 8);
        ck_assert(pl_blocks_name(&f.arena, &f.regions));
        ck_assert_uint_eq(f.regions.n_blocks, 3);
        ck_assert_msg(f.regions.blocks[1].kind == v[i].kind, "%s", v[i].text);
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* A title of two rows, of which the first is as long as prose, is one, though its rows are blocks;
 * what has room in its first row is another heading. */
START_TEST(titles_go_on)
{
    static const struct {
        const char *first;
        size_t n;
    } v[] = {{"A title that is as long as the prose of it", 2}, {"A title", 3}};
    for (size_t i = 0; i < PL_ARRAY_LEN(v); i++) {
        struct fixture f;
        setup(&f);
        block(&f);
        line(&f, 100, 300, v[i].first, 1.4);
        block(&f);
        line(&f, 100, 340, "Subtitle", 1.4);
        prose(&f, 420, 8);
        ck_assert(pl_blocks_name(&f.arena, &f.regions));
        ck_assert_uint_eq(f.regions.n_blocks, v[i].n);
        ck_assert_int_eq(f.regions.blocks[0].kind, PL_BLOCK_HEADING);
        ck_assert_uint_eq(f.regions.blocks[0].n_lines, i ? 1 : 2);
        pl_arena_done(&f.arena);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("kinds");
    tcase_add_test(tc, heads_and_feet);
    tcase_add_test(tc, short_cells_are_no_dirt);
    tcase_add_test(tc, no_heads_inside_or_on_short_pages);
    tcase_add_test(tc, headings);
    tcase_add_test(tc, headings_have_levels);
    tcase_add_test(tc, numbers_mark_headings);
    tcase_add_test(tc, titles_go_on);
    tcase_add_test(tc, bold_headings);
    tcase_add_test(tc, rows_of_a_heading_are_alike);
    tcase_add_test(tc, dates_are_no_headings);
    tcase_add_test(tc, capitals_everywhere_mark_nothing);
    tcase_add_test(tc, headings_have_text_below);
    tcase_add_test(tc, captions);
    tcase_add_test(tc, tables);
    tcase_add_test(tc, turned_lines_are_text);
    Suite *s = suite_create("kinds");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
