/* SPDX-License-Identifier: BSD-2-Clause */
/* An initial and the row that it begins. */
#include <check.h>
#include <string.h>

#include "layout/steps.h"
#include "tests/unit/suite.h"

static const float sure[] = {1, 1, 1, 1, 1, 1};

/* A line of one word, as it was read. */
static struct pl_line word_line(struct pl_rect box, const char *text, struct pl_word *word)
{
    *word = (struct pl_word){
        .box = box, .text = text, .conf = 1, .char_conf = sure, .n_chars = strlen(text)};
    return (struct pl_line){.box = box,
                            .base_y = 120,
                            .glyph_px = 14,
                            .words = word,
                            .n_words = 1,
                            .text = text,
                            .conf = 1};
}

/* Joins an initial read as `letter` to "omes"; the number of lines that are left. */
static size_t join_initial(struct pl_arena *arena, const char *letter, struct pl_line lines[2])
{
    static struct pl_word words[2];
    lines[0] = word_line((struct pl_rect){50, 100, 100, 200}, letter, &words[0]);
    lines[1] = word_line((struct pl_rect){110, 100, 180, 124}, "omes", &words[1]);
    lines[0].initial = true;
    struct pl_block block = {.lines = lines, .n_lines = 2};
    struct pl_regions regions = {.blocks = &block, .n_blocks = 1};
    ck_assert(pl_initials_join(arena, NULL, NULL, &regions));
    return block.n_lines;
}

START_TEST(initials_join_their_row)
{
    struct pl_line lines[2];
    struct pl_arena arena;
    pl_arena_init(&arena);
    ck_assert_uint_eq(join_initial(&arena, "c", lines), 1);
    ck_assert_str_eq(lines[0].text, "Comes");
    ck_assert_uint_eq(lines[0].n_words, 1);
    ck_assert_str_eq(lines[0].words[0].text, "Comes");
    ck_assert_uint_eq(lines[0].words[0].n_chars, 5);
    ck_assert_int_eq(lines[0].box.x0, 50);
    ck_assert_int_eq(lines[0].box.y1, 200);
    ck_assert_int_eq(lines[0].words[0].box.x0, 50);
    ck_assert_uint_eq(join_initial(&arena, "0", lines), 1);
    ck_assert_str_eq(lines[0].text, "Oomes");
    ck_assert_uint_eq(join_initial(&arena, "%", lines), 2); /* a picture */
    ck_assert_uint_eq(lines[0].n_words, 0);
    ck_assert_str_eq(lines[1].text, "omes");
    ck_assert_uint_eq(join_initial(&arena, "TH", lines), 2);
    pl_arena_done(&arena);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("join_initials");
    tcase_add_test(tc, initials_join_their_row);
    Suite *s = suite_create("join_initials");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
