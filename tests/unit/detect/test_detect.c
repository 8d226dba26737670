/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines, words and leftovers on pages drawn here, glyph by glyph, at known places. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tests/unit/detect/detect_fixture.h"

START_TEST(lines_words_and_baselines)
{
    struct fixture f;
    setup(&f, 700, 400);
    int end[5];
    for (int i = 0; i < 5; i++)
        end[i] = text(&f, 50, 60 + 50 * i, "xlxp xxl xixx. xxxx lxp", 1);
    detect(&f);
    ck_assert_uint_eq(count_lines(&f), 5);
    ck_assert_uint_eq(f.regions.n_blocks, 1);
    ck_assert_uint_eq(f.regions.ink_in_lines_px, f.regions.ink_px);
    for (size_t i = 0; i < 5; i++) {
        const struct pl_line *l = line_at(&f, i);
        int base = 60 + 50 * (int)i;
        assert_box(l->box, 50, base - ASCENT, end[i], base + DESCENT);
        ck_assert_double_eq_tol(l->base_y, base, 0.01);
        ck_assert_double_eq_tol(l->slope, 0, 1e-6);
        ck_assert_double_eq_tol(l->ascent_px, ASCENT, 0.01);
        ck_assert_double_eq_tol(l->descent_px, DESCENT, 0.01);
        ck_assert_double_eq_tol(l->xheight_px, XHEIGHT, 0.01);
        ck_assert_uint_eq(l->n_gaps, 5);
        for (size_t g = 1; g < l->n_gaps; g++)
            ck_assert_int_eq(l->gaps[g].x0 - l->gaps[g - 1].x1, WORD_SPACE);
    }
    ck_assert_double_eq_tol(f.regions.text_height_px, XHEIGHT, 0.01);
    teardown(&f);
}
END_TEST

/* The box of figures in small type that stand lower than the letters of their line holds all of
 * them. */
START_TEST(small_type_keeps_its_rows)
{
    struct fixture f;
    setup(&f, 500, 300);
    const int small = text(&f, 50, 100, "lll.", 2) + 2 * WORD_SPACE;
    for (int i = 0; i < 3; i++)
        frame(&f, small + 20 * i, 88, small + 20 * i + 16, 112, 4);
    for (int i = 0; i < 3; i++)
        text(&f, 50, 180 + 40 * i, "xlxx xxl xixx xxxx lxx", 1);
    detect(&f);
    ck_assert_uint_eq(count_lines(&f), 4);
    const struct pl_line *l = line_at(&f, 0);
    ck_assert_uint_eq(l->n_gaps, 2);
    ck_assert_double_eq_tol(l->descent_px, 0, 0.01);
    assert_box(l->gaps[1], small, 88, small + 56, 112);
    ck_assert_int_eq(l->box.y1, 112);
    ck_assert_uint_eq(f.regions.ink_in_lines_px, f.regions.ink_px);
    teardown(&f);
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
    detect(&f);
    ck_assert_uint_eq(count_lines(&f), 18);
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
    detect(&f);
    ck_assert_uint_eq(count_lines(&f), 4);
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
    detect(&f);
    ck_assert_uint_eq(count_lines(&f), 2);
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
    detect(&f);
    ck_assert_uint_eq(count_lines(&f), 2);
    ck_assert_int_eq(line_at(&f, 0)->box.y1, 80 + bar + ASCENT);
    ck_assert_int_ge(line_at(&f, 0)->box.y0, 80 + bar - 1);
    ck_assert_int_eq(line_at(&f, 0)->box.x0, 50);
    ck_assert_uint_eq(line_at(&f, 0)->n_gaps, 4);
    teardown(&f);
}
END_TEST

/* Strokes of a picture beside a text tell its line no slope; smaller print beside it that stands
 * higher is a line of its own. */
START_TEST(neighbours_do_not_tilt_a_line)
{
    struct fixture f;
    setup(&f, 900, 400);
    int end = 0;
    for (int i = 0; i < 3; i++)
        end = text(&f, 40, 100 + 40 * i, "xlxx xxlx xxx lxxx", 1);
    for (int i = 0; i < 18; i++)
        fill(&f, end + 30 + 14 * i, 120 + i, end + 36 + 14 * i, 140 + i);
    detect(&f);
    size_t rows = 0;
    for (size_t i = 0; i < count_lines(&f); i++) {
        const struct pl_line *line = line_at(&f, i);
        if (line->box.x0 != 40)
            continue;
        ck_assert_double_eq_tol(line->slope, 0, 0.01);
        ck_assert_double_eq_tol(line->base_y, 100 + 40 * (int)rows++, 1);
    }
    ck_assert_uint_eq(rows, 3);
    teardown(&f);
}
END_TEST

/* One line that climbs, as in a stamp, among level ones has a slope of its own. */
START_TEST(one_line_may_climb)
{
    const double slope = -0.12;
    struct fixture f;
    setup(&f, 900, 500);
    for (int i = 0; i < 4; i++)
        text(&f, 40, 60 + 40 * i, "xlxx xxlx xxx lxxx xlx", 1);
    for (int x = 40, i = 0; i < 24; i++)
        x = text(&f, x, 400 + (int)(slope * (x - 40)), "x", 1) + 6;
    detect(&f);
    ck_assert_uint_eq(count_lines(&f), 5);
    for (size_t i = 0; i < 4; i++)
        ck_assert_double_eq_tol(line_at(&f, i)->slope, 0, 0.01);
    ck_assert_double_eq_tol(line_at(&f, 4)->slope, slope, 0.01);
    ck_assert_double_eq_tol(line_at(&f, 4)->base_y, 400, 2);
    teardown(&f);
}
END_TEST

START_TEST(smaller_print_beside_a_line)
{
    struct fixture f;
    setup(&f, 900, 300);
    int end = text(&f, 40, 150, "lxxxl lxxl xxlx", 2);
    text(&f, end + 70, 134, "lxxxx llxx lxxl", 1);
    detect(&f);
    ck_assert_uint_eq(count_lines(&f), 2);
    teardown(&f);
}
END_TEST

/* A stroke that hangs far below a line does not make it higher; a row of dashes is no line. */
START_TEST(outliers_and_dashes)
{
    struct fixture f;
    setup(&f, 700, 300);
    int end = 0;
    for (int i = 0; i < 3; i++)
        end = text(&f, 50, 60 + 50 * i, "xlxp xxl xixx. xxxx lxp", 1);
    fill(&f, end + 4, 60 - 10, end + 7, 60 + 15);
    for (int i = 0; i < 30; i++)
        fill(&f, 50 + 16 * i, 220, 62 + 16 * i, 225);
    detect(&f);
    ck_assert_uint_eq(count_lines(&f), 3);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_double_eq_tol(line_at(&f, i)->ascent_px, ASCENT, 0.01);
        ck_assert_double_eq_tol(line_at(&f, i)->descent_px, DESCENT, 0.01);
        ck_assert_int_eq(line_at(&f, i)->box.y1, 60 + 50 * (int)i + DESCENT);
    }
    ck_assert_uint_eq(f.regions.rules_px + f.regions.specks_px, 30 * 12 * 5);
    teardown(&f);
}
END_TEST

/* A double space in every line is no column gutter while it wanders; a steady one is. */
START_TEST(wide_spaces_and_gutters)
{
    static const char *const lines[] = {
        "xxlxp xlxx     xxxp xlxxl xxxx", "xxlx   xlxp xlxxp xxxl xxxx",
        "xlxxp xxxxl xlxp     xxxxp xlx", "xx   xlx xxxlp xlxxp xxxlxx"};
    struct fixture f;
    setup(&f, 900, 700);
    for (int i = 0; i < 12; i++)
        text(&f, 60, 60 + 36 * i, lines[i % 4], 1);
    detect(&f);
    ck_assert_uint_eq(count_lines(&f), 12);
    for (int i = 0; i < 12; i++) /* now another column 35 px away from the longest line */
        text(&f, 525, 60 + 36 * i, "xlxx xxlxx xxl", 1);
    detect(&f);
    ck_assert_uint_eq(count_lines(&f), 24);
    ck_assert_int_eq(line_at(&f, 11)->box.x0, 60);
    ck_assert_int_eq(line_at(&f, 12)->box.x0, 525);
    teardown(&f);
}
END_TEST

/* The second stroke of a quote is far from the letters, but near to the first. */
START_TEST(quotes_keep_both_strokes)
{
    struct fixture f;
    setup(&f, 900, 600);
    paragraph(&f, 60, 100, "xxlxp xlxx xxxp xlxxl xxxx", 8);
    int end = text(&f, 60, 424, "xxlxp xlxx xxxp xlxxl xxxx", 1);
    int ends[] = {end + 9, end + 20, 47, 36};
    for (int i = 0; i < 4; i++)
        fill(&f, ends[i], 404, ends[i] + 4, 412);
    detect(&f);
    ck_assert_uint_eq(count_lines(&f), 9);
    ck_assert_int_eq(line_at(&f, 8)->box.x0, 36);
    ck_assert_int_eq(line_at(&f, 8)->box.x1, end + 24);
    teardown(&f);
}
END_TEST

/* The three dots of an ellipsis are no line: they are of the row in which they stand. */
START_TEST(ellipses_are_of_their_line)
{
    struct fixture f;
    setup(&f, 1200, 600);
    for (int base = 100; base < 500; base += 72) {
        int end = text(&f, 60, base, "xxlxp xlxx xxxp", 2);
        for (int i = 0; i < 3; i++)
            fill(&f, end + 6 + 14 * i, base - 8, end + 14 + 14 * i, base);
        text(&f, end + 50, base, "xlxxl xxxx", 2);
    }
    detect(&f);
    ck_assert_uint_eq(count_lines(&f), 6);
    for (size_t i = 0; i < 6; i++)
        ck_assert_uint_eq(line_at(&f, i)->n_gaps, 4);
    ck_assert_uint_eq(f.regions.ink_in_lines_px, f.regions.ink_px);
    teardown(&f);
}
END_TEST

/* A list: the number of each entry stands far before it, with a dot of its own. */
START_TEST(numbers_keep_their_dots)
{
    struct fixture f;
    setup(&f, 500, 300);
    for (int y = 60; y <= 180; y += 60) {
        int end = text(&f, 30, y, "l.", 1);
        text(&f, 110, y, "xlxp xxpl xlxx pxlx", 1);
        text(&f, 110, y + 30, "xxlp xpxl lxpx", 1);
        ck_assert_int_eq(end, 41);
    }
    detect(&f);
    int found = 0;
    for (size_t i = 0; i < count_lines(&f); i++)
        found += line_at(&f, i)->box.x0 == 30 && line_at(&f, i)->box.x1 >= 41;
    ck_assert_int_eq(found, 3);
    teardown(&f);
}
END_TEST

/* Draws two dashes of that width, so far from columns x0 and x1 of the row on that baseline. */
static void side_dashes(struct fixture *f, int base, int x0, int x1, int gap0, int gap1, int width)
{
    const int y0 = base - XHEIGHT / 2 - 1, y1 = base - XHEIGHT / 2 + 1;
    fill(f, x0 - gap0 - width, y0, x0 - gap0, y1);
    fill(f, x1 + gap1, y0, x1 + gap1 + width, y1);
}

/* A page number stands between its dashes, as long as an em, too; the ticks of an axis do not
 * belong to its figures, nor do dashes that are not a pair, or beyond the nearest one. */
START_TEST(page_numbers_keep_their_dashes)
{
    static const struct {
        const char *number;
        int gap, width, outer; /* of a second pair, or 0 */
    } pairs[] = {{"ll", 8, 6, 0},   {"ll", 23, 6, 0},   {"lll", 23, 6, 0},
                 {"ll", 35, 30, 0}, {"lll", 12, 30, 0}, {"ll", 12, 6, 32}};
    struct fixture f;
    int ends[PL_ARRAY_LEN(pairs)];
    setup(&f, 700, 560);
    for (int y = 60; y <= 180; y += 40)
        text(&f, 60, y, "xlxp xxpl xlxx pxlx xlx xxlp", 1);
    for (int i = 0; i < (int)PL_ARRAY_LEN(pairs); i++) {
        const int base = 240 + 40 * i, gap = pairs[i].gap, width = pairs[i].width;
        const int x1 = text(&f, 300, base, pairs[i].number, 1);
        side_dashes(&f, base, 300, x1, gap, gap, width);
        if (pairs[i].outer)
            side_dashes(&f, base, 300, x1, pairs[i].outer, pairs[i].outer, width);
        ends[i] = x1 + gap + width;
    }
    const int axis = text(&f, 300, 490, "ll", 1);
    fill(&f, axis + 8, 490 - XHEIGHT / 2 - 1, axis + 14, 490 - XHEIGHT / 2 + 1);
    text(&f, 300, 530, "ll", 1);
    side_dashes(&f, 530, 300, axis, 12, 22, 6);
    detect(&f);
    const size_t first = 4, n = first + PL_ARRAY_LEN(pairs);
    ck_assert_uint_ge(count_lines(&f), n + 2);
    for (size_t i = 0; i < PL_ARRAY_LEN(pairs); i++) {
        const struct pl_rect box = line_at(&f, first + i)->box;
        ck_assert_int_eq(box.x0, 300 - pairs[i].gap - pairs[i].width);
        ck_assert_int_eq(box.x1, ends[i]);
    }
    for (size_t i = n; i < n + 2; i++) {
        ck_assert_int_eq(line_at(&f, i)->box.x0, 300);
        ck_assert_int_eq(line_at(&f, i)->box.x1, axis);
    }
    teardown(&f);
}
END_TEST

/* A dash close before one or two glyphs is a minus; one farther off or behind them may be a tick.
 */
START_TEST(figures_keep_their_signs)
{
    struct fixture f;
    setup(&f, 700, 400);
    for (int y = 60; y <= 180; y += 40)
        text(&f, 60, y, "xlxp xxpl xlxx pxlx xlx xxlp", 1);
    for (int i = 0; i < 2; i++) {
        int base = 260 + 40 * i, gap = i ? 14 : 6;
        text(&f, 300, base, "ll", 1);
        fill(&f, 294 - gap, base - XHEIGHT / 2 - 1, 300 - gap, base - XHEIGHT / 2 + 1);
    }
    detect(&f);
    ck_assert_uint_eq(count_lines(&f), 6);
    ck_assert_int_eq(line_at(&f, 4)->box.x0, 288);
    ck_assert_int_eq(line_at(&f, 5)->box.x0, 300);
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
    detect(&f);
    ck_assert_uint_eq(count_lines(&f), 16);
    for (int i = 0; i < 8; i++) {
        ck_assert_int_eq(line_at(&f, 2 * (size_t)i)->box.x1, end[i]);
        ck_assert_int_eq(line_at(&f, 2 * (size_t)i + 1)->box.x0, 800);
    }
    ck_assert_uint_gt(f.regions.rules_px, 8 * 9 * 20);
    teardown(&f);
}
END_TEST

/* A letter three rows high starts a paragraph: it is a line of its own, before its first row. */
START_TEST(initials_stand_before_their_row)
{
    struct fixture f;
    setup(&f, 900, 600);
    paragraph(&f, 60, 80, "xxlxp xlxx xxxp xlxxl xxxx xlxxp xxl", 4);
    frame(&f, 60, 240, 110, 332, 12);
    paragraph(&f, 122, 260, "xxlxp xlxx xxxp xlxxl xxxx xlxxp", 3);
    paragraph(&f, 60, 368, "xxlxp xlxx xxxp xlxxl xxxx xlxxp xxl", 4);
    detect(&f);
    ck_assert_uint_eq(count_lines(&f), 12);
    ck_assert(line_at(&f, 4)->initial);
    assert_at(&f, 4, 60, 260);
    assert_box(line_at(&f, 4)->box, 60, 240, 110, 332);
    assert_at(&f, 5, 122, 260);
    ck_assert(!line_at(&f, 5)->initial);
    ck_assert_uint_eq(f.regions.ink_in_lines_px, f.regions.ink_px);
    teardown(&f);
}
END_TEST

/* The thin serifs of a large I are as long as rules and taken for some; they are of the letter. */
START_TEST(initials_keep_their_serifs)
{
    struct fixture f;
    setup(&f, 900, 600);
    paragraph(&f, 60, 80, "xxlxp xlxx xxxp xlxxl xxxx xlxxp xxl", 4);
    fill(&f, 84, 240, 104, 332);
    fill(&f, 58, 238, 130, 241);
    fill(&f, 58, 329, 130, 332);
    paragraph(&f, 150, 260, "xxlxp xlxx xxxp xlxxl xxxx xlxxp", 3);
    paragraph(&f, 60, 368, "xxlxp xlxx xxxp xlxxl xxxx xlxxp xxl", 4);
    detect(&f);
    ck_assert_uint_eq(count_lines(&f), 12);
    ck_assert(line_at(&f, 4)->initial);
    assert_box(line_at(&f, 4)->box, 58, 238, 130, 332);
    teardown(&f);
}
END_TEST

/* The same without text below it is a picture beside three rows. */
START_TEST(pictures_are_no_initials)
{
    struct fixture f;
    setup(&f, 900, 600);
    paragraph(&f, 60, 80, "xxlxp xlxx xxxp xlxxl xxxx xlxxp xxl", 4);
    frame(&f, 60, 240, 110, 332, 12);
    paragraph(&f, 122, 260, "xxlxp xlxx xxxp xlxxl xxxx xlxxp", 3);
    detect(&f);
    for (size_t i = 0; i < count_lines(&f); i++)
        ck_assert(!line_at(&f, i)->initial);
    teardown(&f);
}
END_TEST

/* A raised figure, of which little lies beside small letters, is of their line. */
START_TEST(raised_figures_are_of_their_line)
{
    struct fixture f;
    setup(&f, 700, 400);
    for (int i = 0; i < 5; i++) {
        int base = 70 + 60 * i, end = text(&f, 50, base, "xxxx xxx xixx xxxx xxx", 1);
        frame(&f, end + 2, base - 28, end + 10, base - 13, 2);
        text(&f, end + 22, base, "xxxx xxx", 1);
    }
    detect(&f);
    ck_assert_uint_eq(count_lines(&f), 5);
    ck_assert_uint_eq(f.regions.ink_in_lines_px, f.regions.ink_px);
    teardown(&f);
}
END_TEST

/* Of a dashed rule above a row what stands over a gap between words is no raised figure. */
START_TEST(dashes_above_do_not_raise_a_line)
{
    struct fixture f;
    setup(&f, 700, 400);
    for (int i = 0; i < 5; i++) {
        int base = 70 + 60 * i, end = text(&f, 50, base, "xlxx xxx xixx", 1);
        fill(&f, end + 4, base - 26, end + 28, base - 15);
        text(&f, end + 32, base, "xxlx xxx", 1);
    }
    detect(&f);
    ck_assert_uint_eq(count_lines(&f), 5);
    ck_assert_int_eq(line_at(&f, 0)->box.y0, 70 - ASCENT);
    teardown(&f);
}
END_TEST

/* The bars of a barcode are no letters: the height of the text is that of the letters. */
START_TEST(barcodes_are_graphics)
{
    struct fixture f;
    setup(&f, 900, 400);
    for (int i = 0; i < 3; i++) {
        text(&f, 60, 80 + 60 * i, "xl", 1);
        text(&f, 400, 80 + 60 * i, "xlx", 1);
    }
    for (int i = 0; i < 60; i++)
        fill(&f, 100 + 8 * i, 280, 103 + 8 * i + i % 3, 350);
    detect(&f);
    ck_assert_uint_eq(count_lines(&f), 6);
    ck_assert_double_eq_tol(f.regions.glyph_px, ASCENT, 7);
    ck_assert_uint_eq(f.regions.graphics_px + f.regions.rules_px, 60 * 4 * 70);
    teardown(&f);
}
END_TEST

/* The same of one that lies on its side, low on a page that is higher than wide. */
START_TEST(lying_barcodes_are_graphics)
{
    struct fixture f;
    setup(&f, 400, 900);
    for (int i = 0; i < 3; i++)
        text(&f, 60, 80 + 60 * i, "xlxx xlx xlx", 1);
    for (int i = 0; i < 60; i++)
        fill(&f, 150, 400 + 8 * i, 185, 403 + 8 * i + i % 3);
    detect(&f);
    ck_assert_uint_eq(count_lines(&f), 3);
    ck_assert_uint_eq(f.regions.graphics_px + f.regions.rules_px, 60 * 4 * 35);
    teardown(&f);
}
END_TEST

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

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
    detect(&f);
    ck_assert_uint_eq(count_lines(&f), 12);
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

/* A stroke, 3 px thick, from row y0 to row y1 that leans by `lean` columns a row. */
static void stroke(struct fixture *f, int x, int y0, int y1, double lean)
{
    for (int y = y0; y < y1; y++)
        fill(f, x + (int)(lean * (y - y0)), y, x + (int)(lean * (y - y0)) + 3, y + 1);
}

static const struct pl_line *line_on(const struct fixture *f, int base)
{
    size_t i = 0, n = count_lines(f);
    while (i < n && fabs(line_at(f, i)->base_y - base) > 1)
        i++;
    ck_assert_uint_lt(i, n);
    return line_at(f, i);
}

/* The last words of three rows, whose letters touch, are tied together by a pen: each is cut off
 * for its row. */
START_TEST(words_tied_to_other_rows_are_in_their_line)
{
    struct fixture f;
    setup(&f, 900, 600);
    paragraph(&f, 60, 100, "xxlxp xlxx xxxp xlxxl xxxx", 9);
    for (int row = 3; row < 6; row++)
        for (int i = 0; i < 4; i++)
            frame(&f, 384 + 9 * i, 100 + 36 * row - XHEIGHT, 395 + 9 * i, 100 + 36 * row, 2);
    stroke(&f, 389, 150, 300, 0.25);
    stroke(&f, 374, 170, 290, 0.4);
    detect(&f);
    for (int row = 3; row < 6; row++) {
        const struct pl_line *l = line_on(&f, 100 + 36 * row);
        ck_assert_int_eq(l->box.x0, 60);
        ck_assert_int_ge(l->box.x1, 422);
        ck_assert_int_le(pl_rect_height(l->box), 36);
    }
    teardown(&f);
}
END_TEST

/* A word whose letters touch is one component, wide and low: no rule, however small it is beside
 * the page's text. */
START_TEST(small_words_whose_letters_touch_are_text)
{
    struct fixture f;
    setup(&f, 1400, 900);
    for (int i = 0; i < 6; i++)
        text(&f, 60, 100 + 72 * i, "xxlxp xlxx xxxp xlxxl", 2);
    for (int i = 0; i < 7; i++)
        frame(&f, 60 + 10 * i, 700, 72 + 10 * i, 715, 2);
    fill(&f, 400, 705, 480, 709); /* a dash is none */
    detect(&f);
    ck_assert_uint_eq(count_lines(&f), 7);
    assert_box(line_at(&f, 6)->box, 60, 700, 132, 715);
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
    detect(&f);
    ck_assert_uint_eq(count_lines(&f), 14);
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
        detect(&f);
        ck_assert_uint_eq(count_lines(&f), 4 + 18);
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

/* A letter whose sides are paper to the threshold between black print and paper, before two that
 * are whole. */
START_TEST(broken_letters_are_mended)
{
    struct fixture f;
    setup(&f, 900, 700);
    paragraph(&f, 60, 100, "xxlxp xlxx xxxp xlxxl xxxx", 12);
    text(&f, 600, 100 + 36 * 6, "xxx", 1);
    for (int y = 100 + 36 * 6 - XHEIGHT + 3; y < 100 + 36 * 6 - 3; y++)
        for (int x = 600; x < 610; x++)
            if (!pl_image_row(&f.page.image, y)[x])
                pl_image_row(&f.page.image, y)[x] = 190;
    f.page.image.bilevel = false;
    detect(&f);
    bool found = false;
    for (size_t i = 0; i < count_lines(&f); i++)
        found |= line_at(&f, i)->box.x0 == 600 && line_at(&f, i)->box.y1 == 100 + 36 * 6;
    ck_assert(found);
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
        detect(&f);
        ck_assert_uint_eq(count_lines(&f), 9);
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

/* A figure over a row of print twice as large is no accent of that: it is a line. */
START_TEST(figures_over_large_print_are_lines)
{
    struct fixture f;
    setup(&f, 900, 700);
    paragraph(&f, 60, 100, "xxlxp xlxx xxxp xlxxl xxxx", 8);
    text(&f, 400, 600, "xllxxl", 2);
    frame(&f, 460, 543, 470, 558, 2);
    fill(&f, 460, 550, 470, 552);
    detect(&f);
    ck_assert_uint_eq(count_lines(&f), 10);
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
    detect(&f);
    ck_assert_uint_eq(count_lines(&f), 8);
    ck_assert(is_named(&f, end + 41, 98));
    ck_assert(is_named(&f, 705, 621));
    ck_assert_uint_eq(f.regions.n_unexplained, 2);
    teardown(&f);
}
END_TEST

/* In an empty cell: a line of its own in the rows of its neighbours; but not where it is level with
 * none, or one of many. Em dashes are longer than letters are high. */
START_TEST(lone_dashes_are_lines)
{
    struct fixture f;
    setup(&f, 1200, 700);
    paragraph(&f, 60, 100, "xxlxp xlxx xxxp xlxxl xxxx", 8);
    fill(&f, 800, 200, 810, 203);
    fill(&f, 1000, 200, 1026, 203);
    fill(&f, 800, 660, 810, 663);
    for (int i = 0; i < 10; i++)
        fill(&f, 700 + 20 * i, 308, 710 + 20 * i, 311);
    detect(&f);
    ck_assert_uint_eq(count_lines(&f), 10);
    const struct pl_line *l = NULL, *em = NULL;
    for (size_t i = 0; i < 10; i++) {
        const struct pl_line *at = line_at(&f, i);
        l = at->box.x0 >= 700 && at->box.x0 < 900 ? at : l;
        em = at->box.x0 >= 900 ? at : em;
    }
    ck_assert(l && em);
    assert_box(em->box, 1000, 200, 1026, 203);
    assert_box(l->box, 800, 200, 810, 203);
    ck_assert_double_eq_tol(l->base_y, 100 + 36 * 3, 1.0);
    ck_assert_double_eq_tol(l->ascent_px, ASCENT, 1.0);
    teardown(&f);
}
END_TEST

START_TEST(pages_without_text)
{
    struct fixture f;
    setup(&f, 300, 400);
    detect(&f);
    ck_assert_uint_eq(f.regions.n_blocks, 0);
    ck_assert(!(f.regions.text_height_px > 0));
    fill(&f, 0, 0, 300, 400);
    detect(&f);
    ck_assert_uint_eq(f.regions.n_blocks, 0);
    ck_assert_uint_eq(f.regions.graphics_px, 300 * 400);
    detect_with(&f, "line", 0);
    teardown(&f);
    for (int ink = 0; ink < 2; ink++) {
        setup(&f, 1, 1);
        fill(&f, 0, 0, ink, 1);
        detect(&f);
        detect_with(&f, "line", 0);
        teardown(&f);
    }
}
END_TEST

/* White noise and regular dots: slow algorithms would run into Check's time limit here. */
START_TEST(noise_ends_in_time)
{
    uint32_t seed = 5;
    for (int percent = 10; percent <= 90; percent += 20) {
        struct fixture f;
        setup(&f, 1300, 1300);
        for (int i = 0; i < 1300 * 1300; i++)
            if (next_random(&seed) % 100 < (uint32_t)percent)
                pl_image_row(&f.page.image, i / 1300)[i % 1300] = 0;
        detect(&f);
        detect_with(&f, "line", 0);
        teardown(&f);
    }
    for (int step = 2; step < 9; step += 3) {
        struct fixture f;
        setup(&f, 1300, 1300);
        for (int y = 0; y < 1300; y += step)
            for (int x = 0; x < 1300; x += step)
                fill(&f, x, y, x + step / 2, y + step / 2);
        detect(&f);
        detect_with(&f, "line", 0);
        teardown(&f);
    }
}
END_TEST

/* Ink of neighbours at both edges and rules are left out, all of the line is kept. */
START_TEST(line_takes_its_own_ink_only)
{
    struct fixture f;
    setup(&f, 500, 56);
    int end = text(&f, 30, 36, "xlxp lixx. x-xl", 1);
    fill(&f, end + 4, 36 - ASCENT - 3, end + 7, 36 + DESCENT + 3); /* a tall bracket */
    text(&f, 60, 4, "xppxp", 1); /* descenders of the line above */
    text(&f, 90, 72, "xlxl", 1); /* ascenders of the line below */
    fill(&f, 0, 50, 480, 52);    /* a rule */
    detect_with(&f, "line", 0);
    ck_assert_uint_eq(count_lines(&f), 1);
    const struct pl_line *l = line_at(&f, 0);
    assert_box(l->box, 30, 36 - ASCENT - 3, end + 7, 36 + DESCENT + 3);
    ck_assert_double_eq_tol(l->base_y, 36, 0.01);
    ck_assert_double_eq_tol(l->ascent_px, ASCENT + 3, 0.01);
    ck_assert_double_eq_tol(l->descent_px, DESCENT + 3, 0.01);
    ck_assert_uint_gt(f.regions.rules_px, 700);
    teardown(&f);
}
END_TEST

/* A picture of one line that bows, as from a book that lies open. */
START_TEST(line_follows_a_bow)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        struct fixture f;
        setup(&f, 900, 80);
        f.bow = sign * 14;
        f.tilt = 0.01;
        int base = sign < 0 ? 56 : 36,
            end = text(&f, 30, base, "xxlxp xlxx xxxp xlxxl xxxx xxxx xxxl xxlxp xlxx xxxp", 1);
        detect_with(&f, "line", 0);
        ck_assert_uint_eq(count_lines(&f), 1);
        const struct pl_line *l = line_at(&f, 0);
        for (int x = 30; x < end; x += 50) {
            double side = 2.0 * x / 900 - 1, y = base + f.tilt * x + f.bow * (1 - side * side);
            ck_assert_double_eq_tol(pl_line_y(l, x), y, 2.0);
        }
        ck_assert_double_eq_tol(l->ascent_px, ASCENT, 2.5);
        ck_assert_double_eq_tol(l->descent_px, DESCENT, 2.5);
        teardown(&f);
    }
}
END_TEST

/* A short line without ascenders or descenders keeps its plain extents. */
START_TEST(line_does_not_guess)
{
    struct fixture f;
    setup(&f, 60, 40);
    int end = text(&f, 10, 30, "xx", 1);
    detect_with(&f, "line", 0);
    ck_assert_uint_eq(count_lines(&f), 1);
    const struct pl_line *l = line_at(&f, 0);
    assert_box(l->box, 10, 30 - XHEIGHT, end, 30);
    ck_assert_double_eq_tol(l->ascent_px, XHEIGHT, 0.01);
    ck_assert_double_eq_tol(l->descent_px, 0, 0.01);
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
    detect(&f);
    ck_assert_uint_eq(count_lines(&f), 14);
    for (size_t i = 0; i < 14; i++)
        ck_assert_int_eq(line_at(&f, i)->box.x0, 200);
    teardown(&f);
}
END_TEST

/* A grey page under a lamp: paper falls from 250 to 90, ink is at 40 % of it. */
START_TEST(uneven_light)
{
    struct fixture f;
    setup(&f, 900, 600);
    paragraph(&f, 60, 100, "xxlxp xlxx xxxp xlxxl xxxx xxxx xxxl xxlxp", 12);
    for (int y = 0; y < 600; y++)
        for (int x = 0; x < 900; x++) {
            uint8_t *p = pl_image_row(&f.page.image, y) + x;
            int paper = 250 - 160 * x / 900;
            *p = (uint8_t)(*p ? paper : paper * 2 / 5);
        }
    f.page.image.bilevel = false;
    detect(&f);
    ck_assert_uint_eq(count_lines(&f), 12);
    for (size_t i = 0; i < 12; i++) {
        ck_assert_double_eq_tol(line_at(&f, i)->base_y, 100 + 36 * (int)i, 1.0);
        ck_assert_uint_eq(line_at(&f, i)->n_gaps, 8);
    }
    teardown(&f);
}
END_TEST

START_TEST(allocations_fail_in_turn)
{
    static const char *const names[] = {"lines", "line"};
    for (size_t o = 0; o < PL_ARRAY_LEN(names); o++)
        for (uint64_t n = 1;; n++) {
            struct fixture f;
            setup(&f, 300, 150);
            paragraph(&f, 30, 40, "xxlxp xlxx xxp", 3);
            f.page.image.bilevel = n % 2; /* the grey way as well */
            struct platen_error err = {0};
            struct pl_lines_args args = {.min_height_px = 4};
            pl_mem_fail_at(n / 2 + 1, true);
            platen_status s =
                pl_detect_op_of(pl_operation_find(pl_detect_ops, names[o], strlen(names[o])))
                    ->run(NULL, &f.env, &f.arena, &f.page, &args, &f.regions, &err);
            pl_mem_fail_at(0, false);
            ck_assert(!s || (s == PLATEN_ERR_NOMEM && err.code == s && !f.regions.blocks));
            teardown(&f);
            if (!s && n % 2 == 0)
                break;
            ck_assert_uint_lt(n, 400);
        }
}
END_TEST

START_TEST(registry)
{
    size_t n = 0;
    for (; pl_detect_ops[n]; n++)
        ck_assert_ptr_eq(pl_operation_find(pl_detect_ops, pl_detect_ops[n]->name,
                                           strlen(pl_detect_ops[n]->name)),
                         pl_detect_ops[n]);
    ck_assert_uint_eq(n, 4);
    ck_assert_ptr_null(pl_operation_find(pl_detect_ops, "lin", 3));
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("detect");
    tcase_add_test(tc, lines_words_and_baselines);
    tcase_add_test(tc, small_type_keeps_its_rows);
    tcase_add_test(tc, table_rows);
    tcase_add_test(tc, rules_part_close_cells);
    tcase_add_test(tc, underlined_words_keep_their_letters);
    tcase_add_test(tc, bars_leave_what_touches_them);
    tcase_add_test(tc, neighbours_do_not_tilt_a_line);
    tcase_add_test(tc, one_line_may_climb);
    tcase_add_test(tc, smaller_print_beside_a_line);
    tcase_add_test(tc, outliers_and_dashes);
    tcase_add_test(tc, wide_spaces_and_gutters);
    tcase_add_test(tc, quotes_keep_both_strokes);
    tcase_add_test(tc, ellipses_are_of_their_line);
    tcase_add_test(tc, numbers_keep_their_dots);
    tcase_add_test(tc, page_numbers_keep_their_dashes);
    tcase_add_test(tc, figures_keep_their_signs);
    tcase_add_test(tc, leaders_are_rules);
    tcase_add_test(tc, initials_stand_before_their_row);
    tcase_add_test(tc, initials_keep_their_serifs);
    tcase_add_test(tc, pictures_are_no_initials);
    tcase_add_test(tc, raised_figures_are_of_their_line);
    tcase_add_test(tc, dashes_above_do_not_raise_a_line);
    tcase_add_test(tc, barcodes_are_graphics);
    tcase_add_test(tc, lying_barcodes_are_graphics);
    tcase_add_test(tc, specks_change_nothing);
    tcase_add_test(tc, leftovers_are_named_by_weight);
    tcase_add_test(tc, words_tied_to_other_rows_are_in_their_line);
    tcase_add_test(tc, small_words_whose_letters_touch_are_text);
    tcase_add_test(tc, faint_rows_are_found);
    tcase_add_test(tc, light_rules_part_cells);
    tcase_add_test(tc, rims_of_ink_are_no_light_rules);
    tcase_add_test(tc, letters_do_not_part_light_rules);
    tcase_add_test(tc, broken_letters_are_mended);
    tcase_add_test(tc, rows_at_the_edge_of_a_tint);
    tcase_add_test(tc, what_may_be_writing_is_named);
    tcase_add_test(tc, figures_over_large_print_are_lines);
    tcase_add_test(tc, marks_beside_rows_are_named);
    tcase_add_test(tc, lone_dashes_are_lines);
    tcase_add_test(tc, pages_without_text);
    tcase_add_test(tc, noise_ends_in_time);
    tcase_add_test(tc, line_takes_its_own_ink_only);
    tcase_add_test(tc, line_follows_a_bow);
    tcase_add_test(tc, line_does_not_guess);
    tcase_add_test(tc, uneven_light);
    tcase_add_test(tc, what_lies_around_a_page_is_no_text);
    tcase_add_test(tc, allocations_fail_in_turn);
    tcase_add_test(tc, registry);
    return run_detect_suite("detect", tc);
}
