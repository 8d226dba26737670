/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines that are no rows of glyphs, on pages drawn here: dashes and initials; and
 * squares. */
#include <check.h>

#include "tests/unit/detect/detect_fixture.h"

/* Sets up a page with three rows from column x on, which leave room for a large letter before them,
 * and with text above and, where `below` is set, below them. */
static void setup_beside_initial(struct fixture *f, int x, bool below)
{
    setup(f, 900, 600);
    paragraph(f, 60, 80, "xxlxp xlxx xxxp xlxxl xxxx xlxxp xxl", 4);
    paragraph(f, x, 260, "xxlxp xlxx xxxp xlxxl xxxx xlxxp", 3);
    if (below)
        paragraph(f, 60, 368, "xxlxp xlxx xxxp xlxxl xxxx xlxxp xxl", 4);
}

/* A letter three rows high starts a paragraph: it is a line of its own, before its first row. */
START_TEST(initials_stand_before_their_row)
{
    struct fixture f;
    setup_beside_initial(&f, 122, true);
    frame(&f, 60, 240, 110, 332, 12);
    detect_lines(&f, 12);
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
    setup_beside_initial(&f, 150, true);
    fill(&f, 84, 240, 104, 332);
    fill(&f, 58, 238, 130, 241);
    fill(&f, 58, 329, 130, 332);
    detect_lines(&f, 12);
    ck_assert(line_at(&f, 4)->initial);
    assert_box(line_at(&f, 4)->box, 58, 238, 130, 332);
    teardown(&f);
}
END_TEST

/* The same without text below it is a picture beside three rows. */
START_TEST(pictures_are_no_initials)
{
    struct fixture f;
    setup_beside_initial(&f, 122, false);
    frame(&f, 60, 240, 110, 332, 12);
    detect(&f);
    for (size_t i = 0; i < count_lines(&f); i++)
        ck_assert(!line_at(&f, i)->initial);
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
    detect_lines(&f, 10);
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

/* Frames of about the height of letters are squares, as long as nearly all of each side is there,
 * with how much stands in them; solid ones, letters and larger frames are none. Their sides are no
 * rules, however long these may be. */
START_TEST(frames_are_squares)
{
    static const struct {
        int w, h, thick, gap; /* rows of its left or columns of its upper side that are white */
        bool is;
    } tried[] = {
        {20, 20, 2, 0, true},   {20, 20, 2, 4, true}, {20, 20, 2, 5, false}, {33, 20, 2, 0, true},
        {35, 20, 2, 0, false},  {16, 20, 2, 0, true}, {15, 20, 2, 0, false}, {20, 20, 6, 0, true},
        {20, 20, 10, 0, false}, {8, 8, 1, 0, false},  {40, 40, 2, 0, true},  {44, 44, 2, 0, false},
        {60, 36, 2, 0, true},
    };
    for (size_t k = 0; k < PL_ARRAY_LEN(tried); k++)
        for (int side = 0; side < 2; side++) {
            struct fixture f;
            const int w = tried[k].w, h = tried[k].h, gap = tried[k].gap;
            setup(&f, 900, 600);
            paragraph(&f, 60, 80, "xxlxp xlxx xxxp xlxxl xxxx xlxxp xxl", 4);
            frame(&f, 60, 300, 60 + w, 300 + h, tried[k].thick);
            for (int i = 6; i < 6 + gap; i++)
                for (int t = 0; t < tried[k].thick; t++)
                    pl_image_row(&f.page.image, 300 + (side ? t : i))[60 + (side ? i : t)] = 255;
            detect(&f);
            ck_assert_msg(f.regions.n_squares == tried[k].is, "case %zu", k);
            if (tried[k].is) {
                assert_box(f.regions.squares->box, 60, 300, 60 + w, 300 + h);
                ck_assert_float_eq_tol(f.regions.squares->sides, 1 - gap / 20.0, 1e-6);
            }
            teardown(&f);
        }
}
END_TEST

/* The mark is told by the rows in the middle that it has ink in; what stands beside the frame has
 * no part in it. */
START_TEST(marks_in_squares)
{
    struct fixture f;
    setup(&f, 900, 600);
    paragraph(&f, 60, 80, "xxlxp xlxx xxxp xlxxl xxxx xlxxp xxl", 4);
    for (int i = 0; i < 4; i++)
        frame(&f, 60 + 60 * i, 300, 80 + 60 * i, 320, 2);
    stroke(&f, 124, 302, 318,
           0.6); /* a stroke from end to end, one of a third of the height, a speck */
    fill(&f, 188, 310, 192, 316);
    fill(&f, 241, 303, 242, 304);
    detect(&f);
    ck_assert_uint_eq(f.regions.n_squares, 4);
    const float marks[] = {0, 1, 0.5f, 0};
    for (size_t i = 0; i < 4; i++)
        ck_assert_float_eq_tol(f.regions.squares[i].mark, marks[i], 1e-6);
    teardown(&f);
}
END_TEST

/* Squares with straight sides that are empty or crossed are no letters; what is round at a corner,
 * or has strokes in it that do not cross, may be one. */
START_TEST(plain_squares_are_no_letters)
{
    enum { EMPTY, STROKE, CROSS, FORK };
    static const struct {
        int corner; /* columns and rows at one that are white */
        int inside;
        bool plain;
    } tried[] = {{0, EMPTY, true},  {1, EMPTY, true}, {4, EMPTY, false}, {0, CROSS, true},
                 {4, CROSS, false}, {0, FORK, false}, {0, STROKE, false}};
    for (size_t k = 0; k < PL_ARRAY_LEN(tried); k++) {
        struct fixture f;
        setup(&f, 900, 600);
        paragraph(&f, 60, 80, "xxlxp xlxx xxxp xlxxl xxxx xlxxp xxl", 4);
        frame(&f, 60, 300, 84, 324, 2);
        for (int i = 0; i < tried[k].corner; i++)
            memset(pl_image_row(&f.page.image, 300 + i) + 60, 255, (size_t)(tried[k].corner - i));
        if (tried[k].inside >= STROKE)
            stroke(&f, 62, 302, 322, 1);
        if (tried[k].inside >= CROSS)
            stroke(&f, 79, 302, 322, -1);
        if (tried[k].inside == FORK)
            fill(&f, 71, 302, 74, 312);
        detect(&f);
        ck_assert_uint_eq(f.regions.n_squares, 1);
        ck_assert_msg(f.regions.squares->plain == tried[k].plain, "case %zu", k);
        teardown(&f);
    }
}
END_TEST

/* Squares as large side by side are frames of letters: their sides are rules, and what stands in
 * them is in lines. Those that are farther apart, or of other sizes, are squares. */
START_TEST(squares_side_by_side_are_frames)
{
    static const struct {
        int step, higher; /* px from one to the next, by which every second one is higher */
        bool frames;
    } tried[] = {{36, 0, true}, {52, 0, true}, {53, 0, false}, {36, 3, true}, {36, 5, false}};
    for (size_t k = 0; k < PL_ARRAY_LEN(tried); k++) {
        struct fixture f;
        setup(&f, 900, 600);
        paragraph(&f, 60, 80, "xxlxp xlxx xxxp xlxxl xxxx xlxxp xxl", 4);
        for (int i = 0; i < 5; i++) {
            const int x = 60 + tried[k].step * i;
            frame(&f, x, 300 - i % 2 * tried[k].higher, x + 34, 336, 2);
            text(&f, x + 10, 325, "x", 1);
        }
        detect(&f);
        int uprights = 0, letters = 0;
        for (size_t i = 0; i < f.regions.n_rules; i++)
            uprights += f.regions.rules[i].upright;
        for (size_t b = 0; b < f.regions.n_blocks; b++)
            for (size_t i = 0; i < f.regions.blocks[b].n_lines; i++)
                letters += f.regions.blocks[b].lines[i].box.y0 >= 311 &&
                           f.regions.blocks[b].lines[i].box.y1 <= 325;
        ck_assert_msg(f.regions.n_squares == (tried[k].frames ? 0 : 5), "case %zu", k);
        ck_assert_int_eq(uprights, tried[k].frames ? 10 : 0);
        ck_assert(letters > 0 || !tried[k].frames);
        teardown(&f);
    }
}
END_TEST

/* A ring of that radius around (x, y), 2.5 px thick, or a disc, `squash` times as high as wide. */
static void circle(struct fixture *f, int x, int y, int radius, double squash, bool full)
{
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++) {
            const double r = hypot(dx, dy / squash);
            if (r <= radius && (full || r > radius - 2.5))
                set_ink(f, x + dx, y + dy);
        }
}

/* Circles are told where three as large stand alone and one of them is open; bullets, ovals, what
 * stands close beside other ink and circles of another size are none. */
START_TEST(circles_stand_alone)
{
    static const struct {
        int n, full;       /* circles, and how many of them are full */
        int close, larger; /* px to the ink beside each, and by which one is larger */
        int radius;
        double squash;
        size_t told;
    } tried[] = {
        {3, 0, 30, 0, 10, 1, 3}, {2, 0, 30, 0, 10, 1, 0},   {3, 2, 30, 0, 10, 1, 3},
        {3, 3, 30, 0, 10, 1, 0}, {3, 0, 12, 0, 10, 1, 3},   {3, 0, 9, 0, 10, 1, 0},
        {3, 1, 30, 0, 7, 1, 3},  {4, 0, 30, 1, 10, 1, 4},   {4, 0, 30, 4, 10, 1, 3},
        {4, 0, 30, 0, 15, 1, 4}, {4, 0, 30, 0, 15, 0.9, 4}, {4, 0, 30, 0, 15, 0.86, 0},
    };
    for (size_t k = 0; k < PL_ARRAY_LEN(tried); k++) {
        struct fixture f;
        setup(&f, 900, 600);
        paragraph(&f, 60, 80, "xxlxp xlxx xxxp xlxxl xxxx xlxxp xxl", 4);
        for (int i = 0; i < tried[k].n; i++) {
            const int radius = tried[k].radius + (i ? 0 : tried[k].larger);
            circle(&f, 100 + 120 * i, 310, radius, tried[k].squash, i < tried[k].full);
            fill(&f, 100 + 120 * i + radius + tried[k].close, 300,
                 100 + 120 * i + radius + tried[k].close + 4, 320);
        }
        fill(&f, 100, 400, 121, 421); /* a solid square, as large as some */
        detect(&f);
        ck_assert_msg(f.regions.n_squares == tried[k].told, "case %zu: %zu", k,
                      f.regions.n_squares);
        for (size_t i = 0; i < f.regions.n_squares; i++) {
            ck_assert(f.regions.squares[i].round);
            ck_assert_int_eq(f.regions.squares[i].mark > 0,
                             f.regions.squares[i].box.x0 < 40 + 120 * tried[k].full);
        }
        teardown(&f);
    }
}
END_TEST

/* A page with more squares than may be check boxes has none. */
START_TEST(grids_of_squares_are_none)
{
    for (int more = 0; more < 2; more++) {
        struct fixture f;
        setup(&f, 1100, 1000);
        paragraph(&f, 60, 80, "xxlxp xlxx xxxp xlxxl xxxx xlxxp xxl", 4);
        for (int i = 0; i < PL_MAX_SQUARES + more; i++)
            frame(&f, 60 + 31 * (i % 32), 300 + 31 * (i / 32), 80 + 31 * (i % 32),
                  320 + 31 * (i / 32), 2);
        detect(&f);
        ck_assert_uint_eq(f.regions.n_squares, more ? 0 : PL_MAX_SQUARES);
        teardown(&f);
    }
}
END_TEST

/* Circles with a letter close behind them or in them are told in rows and columns of their like,
 * where the letters of a row differ; where a word follows, a disc must be among them. */
START_TEST(circles_in_rows_and_columns)
{
    static const struct {
        int rows, columns;
        bool differ, word, full, inside, told;
    } tried[] = {
        {3, 3, true, false, false, false, true},  {3, 3, false, false, false, false, false},
        {3, 3, false, false, true, false, true},  {3, 2, true, false, false, false, false},
        {2, 3, true, false, false, false, false}, {3, 3, true, true, false, false, false},
        {3, 3, true, true, true, false, true},    {3, 3, true, false, false, true, true},
    };
    for (size_t k = 0; k < PL_ARRAY_LEN(tried); k++) {
        struct fixture f;
        const int radius = tried[k].inside ? 18 : 10;
        size_t letters = 0;
        setup(&f, 900, 600);
        paragraph(&f, 60, 80, "xxlxp xlxx xxxp xlxxl xxxx xlxxp xxl", 4);
        for (int i = 0; i < tried[k].rows * tried[k].columns; i++) {
            const int x = 100 + 120 * (i % tried[k].columns), y = 280 + 60 * (i / tried[k].columns),
                      wide = tried[k].differ ? 4 + 2 * (i % tried[k].columns) : 6,
                      at = tried[k].inside ? x - wide / 2 : x + radius + 7;
            circle(&f, x, y, radius, 1, tried[k].full && i % tried[k].columns == 0);
            fill(&f, at, y - 8, at + wide, y + 8);
            if (tried[k].word)
                fill(&f, at + wide + 3, y - 8, at + wide + 6, y + 8);
        }
        detect(&f);
        const size_t n = (size_t)(tried[k].rows * tried[k].columns);
        ck_assert_msg(f.regions.n_squares == (tried[k].told ? n : 0), "case %zu: %zu", k,
                      f.regions.n_squares);
        for (size_t i = 0; i < f.regions.n_squares; i++) {
            ck_assert(f.regions.squares[i].round && f.regions.squares[i].plain);
            letters += f.regions.squares[i].holds_letter;
        }
        ck_assert_uint_eq(letters, tried[k].inside ? n : 0);
        teardown(&f);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("strays");
    tcase_add_test(tc, initials_stand_before_their_row);
    tcase_add_test(tc, initials_keep_their_serifs);
    tcase_add_test(tc, pictures_are_no_initials);
    tcase_add_test(tc, lone_dashes_are_lines);
    tcase_add_test(tc, frames_are_squares);
    tcase_add_test(tc, marks_in_squares);
    tcase_add_test(tc, plain_squares_are_no_letters);
    tcase_add_test(tc, squares_side_by_side_are_frames);
    tcase_add_test(tc, circles_stand_alone);
    tcase_add_test(tc, circles_in_rows_and_columns);
    tcase_add_test(tc, grids_of_squares_are_none);
    return run_detect_suite("strays", tc);
}
