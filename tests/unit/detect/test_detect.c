/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines and words of ink, on pages drawn here, glyph by glyph, at known places. */
#include <check.h>
#include <math.h>
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
    detect_lines(&f, 5);
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
    text_rows(&f, 50, 180, 40, 3, "xlxx xxl xixx xxxx lxx");
    detect_lines(&f, 4);
    const struct pl_line *l = line_at(&f, 0);
    ck_assert_uint_eq(l->n_gaps, 2);
    ck_assert_double_eq_tol(l->descent_px, 0, 0.01);
    assert_box(l->gaps[1], small, 88, small + 56, 112);
    ck_assert_int_eq(l->box.y1, 112);
    ck_assert_uint_eq(f.regions.ink_in_lines_px, f.regions.ink_px);
    teardown(&f);
}
END_TEST

/* Strokes of a picture beside a text tell its line no slope; smaller print beside it that stands
 * higher is a line of its own. */
START_TEST(neighbours_do_not_tilt_a_line)
{
    struct fixture f;
    setup(&f, 900, 400);
    const int end = text_rows(&f, 40, 100, 40, 3, "xlxx xxlx xxx lxxx");
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
    text_rows(&f, 40, 60, 40, 4, "xlxx xxlx xxx lxxx xlx");
    for (int x = 40, i = 0; i < 24; i++)
        x = text(&f, x, 400 + (int)(slope * (x - 40)), "x", 1) + 6;
    detect_lines(&f, 5);
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
    detect_lines(&f, 2);
    teardown(&f);
}
END_TEST

/* A stroke that hangs far below a line does not make it higher; a row of dashes is no line. */
START_TEST(outliers_and_dashes)
{
    struct fixture f;
    setup(&f, 700, 300);
    const int end = text_rows(&f, 50, 60, 50, 3, "xlxp xxl xixx. xxxx lxp");
    fill(&f, end + 4, 60 - 10, end + 7, 60 + 15);
    for (int i = 0; i < 30; i++)
        fill(&f, 50 + 16 * i, 220, 62 + 16 * i, 225);
    detect_lines(&f, 3);
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
    detect_lines(&f, 12);
    for (int i = 0; i < 12; i++) /* now another column 35 px away from the longest line */
        text(&f, 525, 60 + 36 * i, "xlxx xxlxx xxl", 1);
    detect_lines(&f, 24);
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
    detect_lines(&f, 9);
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
    detect_lines(&f, 6);
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
    detect_lines(&f, 6);
    ck_assert_int_eq(line_at(&f, 4)->box.x0, 288);
    ck_assert_int_eq(line_at(&f, 5)->box.x0, 300);
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
    detect_lines(&f, 5);
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
    detect_lines(&f, 5);
    ck_assert_int_eq(line_at(&f, 0)->box.y0, 70 - ASCENT);
    teardown(&f);
}
END_TEST

/* An accent on the only high letter of a row is of its line; a speck there, what is left of a rule,
 * and what stands too high, or beside the letter, are not. */
START_TEST(accents_raise_their_line)
{
    static const struct pl_rect mark[] = {
        {-1, 22, 5, 26}, {1, 22, 2, 26}, {-1, 23, 5, 26}, {-1, 28, 5, 32}, {7, 22, 13, 26}};
    struct fixture f;
    setup(&f, 700, 400);
    for (int i = 0; i < 5; i++) {
        const int base = 70 + 60 * i, x = text(&f, 50, base, "xxxx xxx xxxx", 1) + 16;
        text(&f, x, base, "lxxx xxx", 1);
        fill(&f, x + mark[i].x0, base - mark[i].y1, x + mark[i].x1, base - mark[i].y0);
        if (i == 2)
            fill(&f, 40, base - 29, 600, base - 27);
    }
    detect_lines(&f, 5);
    for (int i = 0; i < 5; i++)
        ck_assert_int_eq(line_at(&f, (size_t)i)->box.y0, 70 + 60 * i - (i ? ASCENT : 26));
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
    detect_lines(&f, 6);
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
    text_rows(&f, 60, 80, 60, 3, "xlxx xlx xlx");
    for (int i = 0; i < 60; i++)
        fill(&f, 150, 400 + 8 * i, 185, 403 + 8 * i + i % 3);
    detect_lines(&f, 3);
    ck_assert_uint_eq(f.regions.graphics_px + f.regions.rules_px, 60 * 4 * 35);
    teardown(&f);
}
END_TEST

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
    detect_lines(&f, 7);
    assert_box(line_at(&f, 6)->box, 60, 700, 132, 715);
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

/* A figure over a row of print twice as large is no accent of that: it is a line. */
START_TEST(figures_over_large_print_are_lines)
{
    struct fixture f;
    setup(&f, 900, 700);
    paragraph(&f, 60, 100, "xxlxp xlxx xxxp xlxxl xxxx", 8);
    text(&f, 400, 600, "xllxxl", 2);
    frame(&f, 460, 543, 470, 558, 2);
    fill(&f, 460, 550, 470, 552);
    detect_lines(&f, 10);
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

/* On a page without rows the letters tell their height: a single one that fills it, and one beside
 * dust, of which there is more. */
START_TEST(lone_letters)
{
    for (int dust = 0; dust < 2; dust++) {
        struct fixture f;
        const int zoom = dust ? 4 : 10;
        setup(&f, 400, 400);
        text(&f, 80, 240, "p", zoom);
        for (int i = 0; i < 6 * dust; i++)
            fill(&f, 20 + 60 * i, 30 + i * 13 % 40, 24 + 60 * i, 34 + i * 13 % 40);
        detect(&f);
        ck_assert_uint_eq(f.regions.n_blocks, 1);
        ck_assert_uint_eq(f.regions.blocks[0].n_lines, 1);
        ck_assert_uint_eq(f.regions.graphics_px, 0);
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
    detect_lines(&f, 12);
    for (size_t i = 0; i < 12; i++) {
        ck_assert_double_eq_tol(line_at(&f, i)->base_y, 100 + 36 * (int)i, 1.0);
        ck_assert_uint_eq(line_at(&f, i)->n_gaps, 8);
    }
    teardown(&f);
}
END_TEST

/* A letter on paper with grain as a camera makes it in the dark (a deviation of 40 grey levels, cut
 * off at white): the local threshold makes ink of the grain, and rows of specks of that. */
START_TEST(grain_is_no_text)
{
    uint32_t seed = 7;
    struct fixture f;
    setup(&f, 900, 1200);
    paragraph(&f, 60, 100, "xxlxp xlxx xxxp xlxxl xxxx xxxx xxxl xxlxp", 12);
    for (int y = 0; y < 1200; y++)
        for (int x = 0; x < 900; x++) {
            uint8_t *p = pl_image_row(&f.page.image, y) + x;
            int grain = -360;
            for (int i = 0; i < 12; i++)
                grain += (int)(next_random(&seed) % 61);
            *p = (uint8_t)PL_CLAMP((*p ? 255 : 0) + grain * 2 / 3, 0, 255);
        }
    f.page.image.bilevel = false;
    detect_lines(&f, 12);
    for (size_t i = 0; i < 12; i++)
        ck_assert_double_eq_tol(line_at(&f, i)->base_y, 100 + 36 * (int)i, 1.0);
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
    tcase_add_test(tc, raised_figures_are_of_their_line);
    tcase_add_test(tc, dashes_above_do_not_raise_a_line);
    tcase_add_test(tc, accents_raise_their_line);
    tcase_add_test(tc, barcodes_are_graphics);
    tcase_add_test(tc, lying_barcodes_are_graphics);
    tcase_add_test(tc, words_tied_to_other_rows_are_in_their_line);
    tcase_add_test(tc, small_words_whose_letters_touch_are_text);
    tcase_add_test(tc, broken_letters_are_mended);
    tcase_add_test(tc, figures_over_large_print_are_lines);
    tcase_add_test(tc, pages_without_text);
    tcase_add_test(tc, lone_letters);
    tcase_add_test(tc, noise_ends_in_time);
    tcase_add_test(tc, uneven_light);
    tcase_add_test(tc, grain_is_no_text);
    tcase_add_test(tc, allocations_fail_in_turn);
    tcase_add_test(tc, registry);
    return run_detect_suite("detect", tc);
}
