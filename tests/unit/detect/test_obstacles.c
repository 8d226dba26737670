/* SPDX-License-Identifier: BSD-2-Clause */
/* What is in the way of text, and what is left over, on pages drawn here. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "detect/obstacles/obstacles.h"
#include "tests/unit/detect/detect_fixture.h"

/* Stems and bars of a title in light type are as long and thin as rules; they stand in a row of
 * letters. Where nothing wider is beside them they are rules. */
START_TEST(light_letters_are_no_rules)
{
    for (int letters = 0; letters < 2; letters++) {
        struct fixture f;
        setup(&f, 900, 600);
        paragraph(&f, 60, 200, "xxlxp xlxx xxxp xlxxl xxxx xlxxp xxl", 8);
        for (int x = 60; x < 260; x += 50) {
            if (letters)
                frame(&f, x, 80, x + 36, 140, 2);
            else
                fill(&f, x, 80, x + 2, 140);
        }
        fill(&f, 260, 80, 263, 140);
        fill(&f, 276, 80, 279, 140);
        detect(&f);
        if (letters) {
            assert_box(line_at(&f, 0)->box, 60, 80, 279, 140);
            ck_assert_uint_eq(f.regions.rules_px, 0);
        } else {
            ck_assert_int_ge(line_at(&f, 0)->box.y0, 150);
            ck_assert_uint_eq(f.regions.rules_px, 60 * (4 * 2 + 2 * 3));
        }
        teardown(&f);
    }
}
END_TEST

/* Cells in ruled rows: all text survives, the rules do not count as text, rows are kept. */
START_TEST(table_rows)
{
    struct fixture f;
    setup(&f, 800, 500);
    for (int row = 0; row <= 6; row++)
        fill(&f, 40, 60 + 50 * row, 760, 63 + 50 * row);
    for (int column = 0; column <= 3; column++)
        fill(&f, 40 + 240 * column, 60, 43 + 240 * column, 363);
    for (int row = 0; row < 6; row++)
        for (int column = 0; column < 3; column++)
            text(&f, 60 + 240 * column, 96 + 50 * row, column ? "xlx" : "xxlx xxx", 1);
    detect_lines(&f, 18);
    for (size_t i = 0; i < 18; i++) {
        ck_assert_int_eq(line_at(&f, i)->box.x0, 60 + 240 * (int)(i % 3));
        ck_assert_int_eq(line_at(&f, i)->box.y1, 96 + 50 * (int)(i / 3));
    }
    uint64_t rules = 7 * 3 * 720 + 4 * 3 * 303 - 7 * 3 * 3 * 4; /* the right one is outside */
    ck_assert_uint_ge(f.regions.rules_px + f.regions.specks_px, rules - 300);
    ck_assert_uint_eq(f.regions.unexplained_px, 0);
    teardown(&f);
}
END_TEST

/* An upright rule parts cells, however close their words are; where it crosses others nothing of
 * them is left to widen a line. */
START_TEST(rules_part_close_cells)
{
    struct fixture f;
    setup(&f, 600, 400);
    for (int row = 0; row < 3; row++)
        fill(&f, 20, 150 + 36 * row, 580, 153 + 36 * row);
    int wall = text(&f, 60, 181, "xlxx xxlx", 1) + 6;
    text(&f, 60, 217, "xlxx xxlx", 1);
    for (int row = 0; row < 2; row++)
        text(&f, wall + 8, 181 + 36 * row, "xxl", 1);
    fill(&f, wall, 120, wall + 3, 280);
    detect_lines(&f, 4);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_int_eq(line_at(&f, i)->box.x0, i % 2 ? wall + 8 : 60);
        ck_assert_int_eq(line_at(&f, i)->box.y1, 181 + 36 * (int)(i / 2));
        ck_assert_int_le(line_at(&f, i)->box.x1, i % 2 ? 580 : wall);
    }
    ck_assert_uint_eq(f.regions.unexplained_px, 0);
    teardown(&f);
}
END_TEST

START_TEST(underlined_words_keep_their_letters)
{
    struct fixture f;
    setup(&f, 600, 200);
    int end = text(&f, 50, 80, "xlxx xxlx xxxl", 1);
    fill(&f, 50, 80, end, 82); /* touches every letter */
    text(&f, 50, 140, "xlxx xxlx xxxl", 1);
    detect_lines(&f, 2);
    ck_assert_uint_eq(line_at(&f, 0)->n_gaps, 3);
    ck_assert_double_eq_tol(line_at(&f, 0)->base_y, 80, 2.5);
    teardown(&f);
}
END_TEST

/* Letters that touch a thick bar are not lost with it, as in a box with a heavy frame. */
START_TEST(bars_leave_what_touches_them)
{
    struct fixture f;
    setup(&f, 600, 300);
    int bar = (ASCENT + 1) / 2;
    fill(&f, 30, 80, 570, 80 + bar);
    text(&f, 50, 80 + bar + ASCENT, "lxxl xlxx xxxl lx", 1);
    text(&f, 50, 200, "xlxx xxlx xxxl", 1);
    detect_lines(&f, 2);
    ck_assert_int_eq(line_at(&f, 0)->box.y1, 80 + bar + ASCENT);
    ck_assert_int_ge(line_at(&f, 0)->box.y0, 80 + bar - 1);
    ck_assert_int_eq(line_at(&f, 0)->box.x0, 50);
    ck_assert_uint_eq(line_at(&f, 0)->n_gaps, 4);
    teardown(&f);
}
END_TEST

/* Dots between a title and its number belong to neither; the full stop of a title stays with it. */
START_TEST(leaders_are_rules)
{
    struct fixture f;
    setup(&f, 900, 400);
    int end[8];
    for (int i = 0; i < 8; i++) {
        int y = 60 + 40 * i;
        end[i] = text(&f, 40, y, i % 2 ? "xlxp xxpl xlxx pxlx." : "xxlp xpxl lxpx xlx", 1);
        for (int x = end[i] + 11; x < 790; x += 18)
            fill(&f, x, y - 3, x + 3, y);
        text(&f, 800, y, "lxl", 1);
    }
    detect_lines(&f, 16);
    for (int i = 0; i < 8; i++) {
        ck_assert_int_eq(line_at(&f, 2 * (size_t)i)->box.x1, end[i]);
        ck_assert_int_eq(line_at(&f, 2 * (size_t)i + 1)->box.x0, 800);
    }
    ck_assert_uint_gt(f.regions.rules_px, 8 * 9 * 20);
    teardown(&f);
}
END_TEST

START_TEST(specks_change_nothing)
{
    struct fixture f;
    setup(&f, 900, 600);
    paragraph(&f, 60, 100, "xxlxp xlxx xxxp xlxxl xxxx xxxx xxxl", 12);
    uint32_t seed = 3;
    for (int i = 0; i < 1500; i++) {
        int x = (int)(next_random(&seed) % 900), y = (int)(next_random(&seed) % 600);
        fill(&f, x, y, x + 2, y + 1);
    }
    detect_lines(&f, 12);
    for (size_t i = 0; i < 12; i++) {
        ck_assert_double_eq_tol(line_at(&f, i)->base_y, 100 + 36 * (int)i, 1.0);
        ck_assert_int_le(abs(line_at(&f, i)->box.x0 - 60), 20);
    }
    ck_assert_uint_gt(f.regions.specks_px, 1000);
    teardown(&f);
}
END_TEST

/* More is left over than there are boxes for: what lies side by side is one, and those with the
 * most ink are named. */
START_TEST(leftovers_are_named_by_weight)
{
    struct fixture f;
    setup(&f, 1600, 900);
    paragraph(&f, 40, 100, "some lines of text that tell the size", 4);
    for (int i = 0; i < 90; i++) /* solid squares, no letters */
        fill(&f, 60 + i % 15 * 70, 400 + i / 15 * 60, 78 + i % 15 * 70, 418 + i / 15 * 60);
    fill(&f, 1400, 500, 1430, 530);
    fill(&f, 1434, 502, 1464, 532);
    detect(&f);
    ck_assert_uint_eq(f.regions.unexplained_px, 90 * 18 * 18 + 2 * 30 * 30);
    ck_assert_uint_eq(f.regions.n_unexplained, PL_MAX_UNEXPLAINED);
    assert_box(f.regions.unexplained[0], 1400, 500, 1464, 532);
    for (size_t i = 1; i < PL_MAX_UNEXPLAINED; i++)
        ck_assert_int_eq(pl_rect_width(f.regions.unexplained[i]), 18);
    teardown(&f);
}
END_TEST

/* The upper 300 rows of a page of 1600 x 900 lie around its sheet. */
static void see_around(struct fixture *f)
{
    f->page.to_input = PL_AFFINE_IDENTITY;
    f->page.sheet = (struct pl_sheet){
        .known = true, .any_around = true, .to_cells = {64 / 1600.0, 0, 0, 0, 64 / 1600.0, 0}};
    for (int y = 0; y < 12; y++)
        f->page.sheet.around[y] = UINT64_MAX;
}

START_TEST(what_lies_around_a_sheet_is_no_lost_text)
{
    for (int around = 0; around < 2; around++) {
        struct fixture f;
        setup(&f, 1600, 900);
        paragraph(&f, 40, 400, "some lines of text that tell the size", 4);
        for (int i = 0; i < 30; i++) /* solid squares, no letters */
            fill(&f, 60 + 45 * i, 40 + 67 * i % 220, 78 + 45 * i, 58 + 67 * i % 220);
        fill(&f, 1400, 500, 1430, 530);
        if (around)
            see_around(&f);
        detect(&f);
        ck_assert_uint_eq(f.regions.unexplained_px, 900 + (around ? 0 : 30 * 18 * 18));
        ck_assert_uint_eq(f.regions.graphics_px, around ? 30 * 18 * 18 : 0);
        ck_assert_uint_eq(f.regions.ink_px, f.regions.ink_in_lines_px + f.regions.rules_px +
                                                f.regions.graphics_px + f.regions.specks_px +
                                                f.regions.unexplained_px);
        teardown(&f);
    }
}
END_TEST

START_TEST(unread_lines_around_a_sheet_are_graphics)
{
    struct fixture f;
    setup(&f, 1600, 900);
    see_around(&f);
    struct pl_line unread[] = {{.box = {100, 400, 300, 420}, .ink_px = 50},
                               {.box = {100, 100, 300, 120}, .ink_px = 70}};
    struct pl_regions r = {.width = 1600,
                           .height = 900,
                           .unread = unread,
                           .n_unread = 2,
                           .unread_px = 130, /* and that of doubted words */
                           .graphics_px = 5};
    pl_around_take(&f.page, &r);
    ck_assert_uint_eq(r.n_unread, 1);
    ck_assert_int_eq(r.unread[0].box.y0, 400);
    ck_assert_uint_eq(r.unread_px, 60);
    ck_assert_uint_eq(r.graphics_px, 75);
    teardown(&f);
}
END_TEST

/* Letters far larger or smaller than the text that are in no line are named row by row, and are no
 * graphics or specks; pieces of a signature, on no foot, are not. */
START_TEST(rows_of_other_sizes_are_named)
{
    for (int large = 0; large < 2; large++) {
        struct fixture f;
        setup(&f, 1600, 900);
        text(&f, 40, 350, "xxxx", 20);
        for (int i = 0; i < (large ? 8 : 2); i++)
            text(&f, 40, (large ? 500 : 820) + 35 * i,
                 large ? "xxlpx xxlxx lxxx xxlppp xxp" : "xxlxxlxx", 1);
        detect(&f);
        ck_assert_uint_eq(f.regions.letters_left, large ? 4 : 16);
        ck_assert_uint_eq(f.regions.n_unexplained, large ? 1 : 2);
        ck_assert_uint_eq(f.regions.graphics_px + f.regions.specks_px, 0);
        ck_assert_int_eq(f.regions.unexplained[0].x0, 40);
        teardown(&f);
    }
    struct fixture f;
    setup(&f, 1600, 900);
    paragraph(&f, 40, 100, "some lines of text that tell the size", 4);
    for (int i = 0; i < 5; i++) {
        fill(&f, 500 + 120 * i, 300 + 60 * i, 600 + 120 * i, 340 + 60 * i);
        fill(&f, 500 + 120 * i, 340 + 60 * i, 530 + 120 * i, 580 + 60 * i);
    }
    detect(&f);
    ck_assert_uint_eq(f.regions.letters_left, 0);
    teardown(&f);
}
END_TEST

/* Grey print that is paper to the threshold between black print and paper. */
START_TEST(faint_rows_are_found)
{
    struct fixture f;
    setup(&f, 900, 700);
    paragraph(&f, 60, 100, "xxlxp xlxx xxxp xlxxl xxxx xxxx xxxl xxlxp", 14);
    for (int y = 100 + 36 * 12 + 10; y < 700; y++)
        for (int x = 0; x < 900; x++)
            if (!pl_image_row(&f.page.image, y)[x])
                pl_image_row(&f.page.image, y)[x] = 190;
    f.page.image.bilevel = false;
    detect_lines(&f, 14);
    ck_assert_double_eq_tol(line_at(&f, 13)->base_y, 100 + 36 * 13, 1.0);
    ck_assert_uint_eq(line_at(&f, 13)->n_gaps, 8);
    teardown(&f);
}
END_TEST

/* Paints what is lighter in the box with that grey. */
static void shade(struct fixture *f, struct pl_rect box, uint8_t grey)
{
    for (int y = box.y0; y < box.y1; y++)
        for (int x = box.x0; x < box.x1; x++)
            pl_image_row(&f->page.image, y)[x] = PL_MIN(pl_image_row(&f->page.image, y)[x], grey);
    f->page.image.bilevel = false;
}

static size_t count_rules(const struct fixture *f, bool upright)
{
    size_t n = 0;
    for (size_t i = 0; i < f->regions.n_rules; i++)
        n += f->regions.rules[i].upright == upright;
    return n;
}

/* Rules of a table in a grey that one threshold does not see, on paper and on a tint, which is none
 * itself. Those close to letters are no letters: a local threshold sees them there. */
START_TEST(light_rules_part_cells)
{
    static const uint8_t greys[] = {150, 204, 221, 238};
    for (size_t g = 0; g < PL_ARRAY_LEN(greys); g++) {
        struct fixture f;
        setup(&f, 1100, 1000);
        paragraph(&f, 60, 100, "xxlxp xlxx xxxp xlxxl xxxx xxxx", 4);
        for (int row = 0; row < 6; row++)
            for (int column = 0; column < 3; column++)
                text(&f, 88 + 240 * column, 290 + 36 * row, "xlx xxx xxxlxx xx", 1);
        for (int row = 0; row <= 6; row++)
            shade(&f, (struct pl_rect){60, 260 + 36 * row, 783, 263 + 36 * row}, greys[g]);
        for (int column = 0; column <= 3; column++)
            shade(&f, (struct pl_rect){60 + 240 * column, 260, 63 + 240 * column, 479}, greys[g]);
        shade(&f, (struct pl_rect){60, 476, 783, 512}, (uint8_t)(greys[g] + 14));
        detect_lines(&f, 4 + 18);
        ck_assert_uint_eq(count_rules(&f, false), 7);
        ck_assert_uint_eq(count_rules(&f, true), 4);
        teardown(&f);
    }
}
END_TEST

/* The grey rims of rules and letters that are ink, and short strokes, are no rules beside them. */
START_TEST(rims_of_ink_are_no_light_rules)
{
    struct fixture f;
    setup(&f, 800, 500);
    paragraph(&f, 60, 100, "xxlxp xlxx xxxp xlxxl xxxx xxxx", 4);
    fill(&f, 60, 300, 740, 302);
    shade(&f, (struct pl_rect){60, 299, 740, 303}, 230);
    shade(&f, (struct pl_rect){100, 400, 140, 403}, 200);
    detect(&f);
    ck_assert_uint_eq(count_rules(&f, false), 1);
    ck_assert_int_eq(f.regions.rules[0].box.y0, 300);
    ck_assert_int_eq(f.regions.rules[0].box.y1, 302);
    ck_assert_uint_eq(count_rules(&f, true), 0);
    teardown(&f);
}
END_TEST

/* A level rule that tails of letters cross is one rule; white parts two. */
START_TEST(letters_do_not_part_light_rules)
{
    struct fixture f;
    setup(&f, 800, 500);
    paragraph(&f, 60, 100, "xxlxp xlxx xxxp xlxxl xxxx xxxx", 4);
    text(&f, 200, 300, "xxpxpxxx", 1);
    shade(&f, (struct pl_rect){60, 302, 400, 305}, 204);
    shade(&f, (struct pl_rect){430, 302, 740, 305}, 204);
    detect(&f);
    ck_assert_uint_eq(count_rules(&f, false), 2);
    ck_assert_int_eq(f.regions.rules[0].box.x0, 60);
    ck_assert_int_eq(f.regions.rules[0].box.x1, 400);
    ck_assert_int_eq(f.regions.rules[1].box.x0, 430);
    teardown(&f);
}
END_TEST

/* Letters on a band of grey, up to its lower edge and near its sides: the white beyond these is no
 * measure of what is dark inside. */
START_TEST(rows_at_the_edge_of_a_tint)
{
    static const int tints[] = {90, 127, 170};
    for (size_t t = 0; t < PL_ARRAY_LEN(tints); t++) {
        struct fixture f;
        setup(&f, 900, 700);
        paragraph(&f, 60, 80, "xxlxp xlxx xxxp xlxxl xxxx xxxx xxxl xxlxp", 5);
        paragraph(&f, 60, 300, "xxlx xlxx xxx xlxxl xxxx xxxx xxxl xxlx", 4);
        for (int y = 271; y < 413; y++)
            for (int x = 50; x < 760; x++)
                if (pl_image_row(&f.page.image, y)[x])
                    pl_image_row(&f.page.image, y)[x] = (uint8_t)tints[t];
        f.page.image.bilevel = false;
        detect_lines(&f, 9);
        for (size_t i = 0; i < 4; i++) {
            const struct pl_line *line = line_at(&f, 5 + i);
            ck_assert_double_eq_tol(line->base_y, 300 + 36 * (int)i, 1.0);
            ck_assert_int_eq(line->box.x0, 60);
            ck_assert_int_eq(line->box.y1, 300 + 36 * (int)i);
            ck_assert_uint_eq(line->n_gaps, 8);
        }
        ck_assert_uint_eq(f.regions.unexplained_px, 0);
        teardown(&f);
    }
}
END_TEST

static bool is_named(const struct fixture *f, int x, int y)
{
    for (size_t i = 0; i < f->regions.n_unexplained; i++) {
        struct pl_rect r = f->regions.unexplained[i];
        if (x >= r.x0 && x < r.x1 && y >= r.y0 && y < r.y1)
            return true;
    }
    return false;
}

/* What is larger than letters may be writing: it is named though it counts as a graphic, as does
 * what of a letter reaches far out of its row. Black areas and rules are neither. */
START_TEST(what_may_be_writing_is_named)
{
    struct fixture f;
    setup(&f, 900, 700);
    paragraph(&f, 60, 100, "xxlxp xlxx xxxp xlxxl xxxx", 4);
    stroke(&f, 101, 208, 228, 0.4);
    for (int i = 0; i < 3; i++) /* a signature */
        stroke(&f, 500 + 15 * i, 400, 480, i % 2 ? -0.2 : 0.5);
    fill(&f, 60, 300, 400, 360);
    fill(&f, 60, 600, 800, 603);
    detect(&f);
    ck_assert(is_named(&f, 520, 440));
    ck_assert(is_named(&f, 106, 222));
    ck_assert(!is_named(&f, 200, 330));
    ck_assert(!is_named(&f, 200, 601));
    ck_assert_uint_eq(f.regions.unexplained_px, 0);
    ck_assert_uint_gt(f.regions.graphics_px, 340 * 60);
    teardown(&f);
}
END_TEST

/* Marks too small to be told from dirt are named where they are level with letters, and dashes
 * wherever nothing is around them; specks elsewhere, and the rough edges of rules, are not. */
START_TEST(marks_beside_rows_are_named)
{
    struct fixture f;
    setup(&f, 900, 700);
    paragraph(&f, 60, 100, "xxlxp xlxx xxxp xlxxl xxxx", 8);
    int end = text(&f, 60, 100, "xxlxp xlxx xxxp xlxxl xxxx", 1);
    fill(&f, end + 40, 97, end + 43, 100);    /* a full stop far from its row */
    fill(&f, end + 40, 117, end + 43, 120);   /* dirt between rows */
    fill(&f, end + 150, 133, end + 153, 136); /* and beyond them */
    fill(&f, 700, 620, 709, 623);
    fill(&f, 60, 500, 800, 503);
    for (int i = 0; i < 9; i++) /* its ragged edge */
        fill(&f, 100 + 60 * i, 504, 112 + 60 * i + i % 3, 509);
    detect_lines(&f, 8);
    ck_assert(is_named(&f, end + 41, 98));
    ck_assert(is_named(&f, 705, 621));
    ck_assert_uint_eq(f.regions.n_unexplained, 2);
    teardown(&f);
}
END_TEST

/* A page on dark cloth, whose weave is no text. */
START_TEST(what_lies_around_a_page_is_no_text)
{
    struct fixture f;
    setup(&f, 1200, 900);
    paragraph(&f, 200, 220, "xxlxp xlxx xxxp xlxxl xxxx xxxx xxxl xxlxp", 14);
    for (int y = 0; y < 900; y++)
        for (int x = 0; x < 1200; x++) {
            uint8_t *p = pl_image_row(&f.page.image, y) + x;
            bool around = x < 150 || x >= 1050 || y < 150 || y >= 750;
            bool thread = x % 9 < 6 && y % 16 < 12;
            *p = around ? thread ? 25 : 75 : *p ? 230 : 40;
        }
    f.page.image.bilevel = false;
    detect_lines(&f, 14);
    for (size_t i = 0; i < 14; i++)
        ck_assert_int_eq(line_at(&f, i)->box.x0, 200);
    teardown(&f);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("obstacles");
    tcase_add_test(tc, light_letters_are_no_rules);
    tcase_add_test(tc, table_rows);
    tcase_add_test(tc, rules_part_close_cells);
    tcase_add_test(tc, underlined_words_keep_their_letters);
    tcase_add_test(tc, bars_leave_what_touches_them);
    tcase_add_test(tc, leaders_are_rules);
    tcase_add_test(tc, specks_change_nothing);
    tcase_add_test(tc, leftovers_are_named_by_weight);
    tcase_add_test(tc, what_lies_around_a_sheet_is_no_lost_text);
    tcase_add_test(tc, unread_lines_around_a_sheet_are_graphics);
    tcase_add_test(tc, rows_of_other_sizes_are_named);
    tcase_add_test(tc, faint_rows_are_found);
    tcase_add_test(tc, light_rules_part_cells);
    tcase_add_test(tc, rims_of_ink_are_no_light_rules);
    tcase_add_test(tc, letters_do_not_part_light_rules);
    tcase_add_test(tc, rows_at_the_edge_of_a_tint);
    tcase_add_test(tc, what_may_be_writing_is_named);
    tcase_add_test(tc, marks_beside_rows_are_named);
    tcase_add_test(tc, what_lies_around_a_page_is_no_text);
    return run_detect_suite("obstacles", tc);
}
