/* SPDX-License-Identifier: BSD-2-Clause */
/* Text set in columns: what tells it from rows, and the marks in it. The whole way from a picture
 * is in tests/imports.py. */
#include <check.h>
#include <string.h>

#include "layout/vertical.h"
#include "tests/unit/suite.h"

#define EM 40 /* px, of a character's place */
#define INK 36
#define ROWS 6
#define CHARS 4 /* of a row at most */

struct page {
    struct pl_line lines[ROWS];
    struct pl_rect gaps[ROWS][CHARS];
    struct pl_word words[ROWS];
    struct pl_block block;
    struct pl_regions regions;
};

/* Rows of n words that begin `across` px after each other and are `width` px wide; the rows are
 * `down` px apart. */
static void lay_out(struct page *p, size_t n, int width, int across, int down)
{
    memset(p, 0, sizeof(*p));
    for (int i = 0; i < ROWS; i++) {
        const int y = 100 + i * down;
        for (int k = 0; k < (int)n; k++)
            p->gaps[i][k] =
                (struct pl_rect){100 + k * across, y, 100 + k * across + width, y + INK};
        p->lines[i] = (struct pl_line){.box = pl_rect_union(p->gaps[i][0], p->gaps[i][n - 1]),
                                       .gaps = p->gaps[i],
                                       .n_gaps = n};
    }
    p->block = (struct pl_block){.lines = p->lines, .n_lines = ROWS};
    p->regions = (struct pl_regions){
        .width = 1000, .height = 800, .blocks = &p->block, .n_blocks = 1, .glyph_px = INK};
}

static bool suspect(size_t n, int width, int across, int down)
{
    struct page p;
    lay_out(&p, n, width, across, down);
    return pl_vertical_suspect(&p.regions);
}

START_TEST(distances_tell)
{
    ck_assert(suspect(CHARS, INK, 2 * EM, EM));
    ck_assert(suspect(CHARS, INK, 2 * EM, 5 * EM / 4)); /* letter-spaced */
    ck_assert(suspect(1, INK, 0, EM));                  /* one column */
    ck_assert(!suspect(1, CHARS * EM, 0, 2 * EM));      /* a row */
    ck_assert(!suspect(CHARS, INK, EM, EM));            /* nothing tells */
    ck_assert(!suspect(CHARS, INK, 4 * EM, 2 * EM));    /* a table of figures */
    ck_assert(!suspect(CHARS, 2 * INK, 3 * EM, EM));    /* words */
}
END_TEST

START_TEST(turned_lines_tell)
{
    struct page p;
    lay_out(&p, 1, CHARS * EM, 0, 2 * EM);
    for (int i = 0; i < 3; i++)
        p.lines[i].quarters = 1;
    ck_assert(!pl_vertical_suspect(&p.regions));
    p.lines[3].quarters = 1;
    ck_assert(pl_vertical_suspect(&p.regions));
    p.regions.glyph_px = 0; /* no text */
    ck_assert(!pl_vertical_suspect(&p.regions));
}
END_TEST

START_TEST(few_characters_tell_nothing)
{
    struct page p;
    lay_out(&p, 1, INK, 0, EM);
    p.block.n_lines = 4; /* below the last one there is none */
    ck_assert(!pl_vertical_suspect(&p.regions));
    p.block.n_lines = 5;
    ck_assert(pl_vertical_suspect(&p.regions));
}
END_TEST

/* What was read of each line. */
static void put_text(struct page *p, const char *text, float conf)
{
    for (int i = 0; i < ROWS; i++) {
        p->words[i] = (struct pl_word){.text = text, .conf = conf};
        p->lines[i].words = &p->words[i];
        p->lines[i].n_words = 1;
        p->lines[i].text = text;
        p->lines[i].conf = conf;
    }
}

static bool is_read(const char *text, float conf, int quarters)
{
    struct page p;
    lay_out(&p, 1, CHARS * EM, 0, 2 * EM);
    put_text(&p, text, conf);
    for (int i = 0; i < ROWS; i++)
        p.lines[i].quarters = quarters;
    return pl_vertical_is_read(&p.regions);
}

START_TEST(columns_are_read)
{
    ck_assert(is_read("甲乙甲乙", 0.9f, 0));
    ck_assert(is_read("甲乙°‘", 0.9f, 0));
    ck_assert(!is_read("甲乙甲乙", 0.7f, 0)); /* the network knows no lying characters */
    ck_assert(!is_read("1234", 0.9f, 0));     /* no script that is set so */
    ck_assert(!is_read("甲乙甲乙", 0.9f, 1)); /* it stands upright: these are rows */
}
END_TEST

static void set_marks(const char *text, int quarters, const char *want)
{
    struct page p;
    struct pl_arena arena;
    pl_arena_init(&arena);
    lay_out(&p, 1, CHARS * EM, 0, 2 * EM);
    put_text(&p, text, 0.9f);
    p.lines[0].quarters = quarters;
    p.words[1].text = "甲’";
    p.lines[0].n_words = 0;
    p.lines[0].n_doubted = 1;
    ck_assert(pl_vertical_set_marks(&arena, &p.regions));
    ck_assert_str_eq(p.lines[0].text, want);
    ck_assert_str_eq(p.words[0].text, want);
    ck_assert_str_eq(p.words[1].text, "甲，");
    pl_arena_done(&arena);
}

START_TEST(marks_as_they_lie)
{
    set_marks("甲乙°甲’乙‘丙丶丁´甲`乙'", 0, "甲乙。甲，乙，丙、丁、甲、乙，");
    set_marks("甲乙5°丙丁", 0, "甲乙5。丙丁");
    set_marks("甲乙丙丁戊25°C", 0, "甲乙丙丁戊25°C"); /* Latin words lie on their side */
    set_marks("甲乙丙丁it's", 0, "甲乙丙丁it's");
    set_marks("甲°", 1, "甲°"); /* a row beside the columns */
    set_marks("5°", 0, "5°");   /* a line of Latin text */
}
END_TEST

START_TEST(heads_come_first)
{
    struct pl_arena arena;
    pl_arena_init(&arena);
    /* on the picture turned left: two columns, then a foot and a head, which are turned lines */
    struct pl_line lines[] = {{.quarters = 0}, {.quarters = 0}, {.quarters = 1}, {.quarters = 1}};
    struct pl_cell cell = {.box = {200, 100, 300, 130}};
    const struct pl_table table = {.cells = &cell, .n_cells = 1};
    struct pl_block blocks[] = {{.box = {200, 100, 600, 130}, .table = &table},
                                {.box = {200, 160, 600, 190}},
                                {.box = {700, 100, 740, 300}},
                                {.box = {50, 100, 90, 300}}};
    for (size_t i = 0; i < 4; i++) {
        blocks[i].lines = &lines[i];
        blocks[i].n_lines = 1;
    }
    const struct pl_rect unexplained = {0, 10, 20, 40};
    const struct pl_rule rule = {{100, 200, 500, 202}, false};
    struct pl_regions r = {.width = 800,
                           .height = 400,
                           .blocks = blocks,
                           .n_blocks = 4,
                           .rules = &rule,
                           .n_rules = 1,
                           .unexplained = &unexplained,
                           .n_unexplained = 1};
    ck_assert(pl_vertical_set_back(&arena, &r));
    const struct pl_rect want[] = {
        {100, 50, 300, 90}, {270, 200, 300, 600}, {210, 200, 240, 600}, {100, 700, 300, 740}};
    const int quarters[] = {0, 3, 3, 0};
    for (size_t i = 0; i < 4; i++) {
        ck_assert_mem_eq(&blocks[i].box, &want[i], sizeof(want[i]));
        ck_assert_int_eq(blocks[i].lines->quarters, quarters[i]);
    }
    ck_assert_mem_eq(&cell.box, (&(struct pl_rect){270, 200, 300, 300}), sizeof(cell.box));
    ck_assert_mem_eq(&r.unexplained[0], (&(struct pl_rect){360, 0, 390, 20}), sizeof(unexplained));
    ck_assert_mem_eq(&r.rules[0].box, (&(struct pl_rect){198, 100, 200, 500}), sizeof(rule.box));
    ck_assert(r.rules[0].upright);
    ck_assert_int_eq(r.width, 400);
    ck_assert_int_eq(r.height, 800);
    pl_arena_done(&arena);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("vertical");
    TCase *tc = tcase_create("vertical");
    tcase_add_test(tc, distances_tell);
    tcase_add_test(tc, turned_lines_tell);
    tcase_add_test(tc, few_characters_tell_nothing);
    tcase_add_test(tc, columns_are_read);
    tcase_add_test(tc, marks_as_they_lie);
    tcase_add_test(tc, heads_come_first);
    suite_add_tcase(s, tc);
    return run_suite(s);
}
