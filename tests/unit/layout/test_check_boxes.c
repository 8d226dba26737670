/* SPDX-License-Identifier: BSD-2-Clause */
/* Squares beside words, which become check boxes. */
#include <stdio.h>

#include "tests/unit/layout/page_fixture.h"

#define EMPTY "\xE2\x98\x90"
#define TICKED "\xE2\x98\x92"
#define TOP 100 /* of the row that has the square */

/* Tells the check boxes of a page with a square of `side` px at x and y. */
static void tell(struct page_fixture *f, int x, int y, int side, float mark)
{
    const struct pl_square square = {{x, y, x + side, y + side}, 0.9f, mark, false, false, false};
    f->regions.squares = &square;
    f->regions.n_squares = 1;
    ck_assert(pl_check_boxes_tell(&f->arena, &f->regions));
}

/* Expects the texts of the lines. */
#define expect_lines(f, ...)                                                                       \
    for (size_t i = 0; i < PL_ARRAY_LEN(((const char *const[]){__VA_ARGS__})); i++)                \
    ck_assert_str_eq((f)->lines[i].text, ((const char *const[]){__VA_ARGS__})[i])

/* A square in a row of words, near one of them and about as high, is a word of the nearest line at
 * its place. */
START_TEST(squares_beside_words)
{
    static const struct {
        int x, y, side;
        const char *left, *right;
    } tried[] = {
        {70, TOP, 14, EMPTY " Adult", "Child"},
        {175, TOP, 14, "Adult " EMPTY, "Child"},
        {280, TOP, 14, "Adult", EMPTY " Child"},
        {401, TOP, 14, "Adult", "Child"}, /* too far from both */
        {70, TOP - 5, 14, EMPTY " Adult", "Child"},
        {70, TOP - 6, 14, "Adult", "Child"}, /* not level with them */
        {70, TOP, 9, EMPTY " Adult", "Child"},
        {70, TOP, 8, "Adult", "Child"}, /* lower than an x */
        {60, TOP - 9, 30, EMPTY " Adult", "Child"},
        {50, TOP - 9, 31, "Adult", "Child"},
        {130, TOP, 14, "Adult", "Child"}, /* a letter of a word */
    };
    for (size_t k = 0; k < PL_ARRAY_LEN(tried); k++) {
        struct page_fixture f;
        setup(&f);
        line(&f, 100, TOP, "Adult");
        line(&f, 300, TOP, "Child");
        tell(&f, tried[k].x, tried[k].y, tried[k].side, 0);
        expect_lines(&f, tried[k].left, tried[k].right);
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* The box, how sure it is, and what has the box in it. */
START_TEST(boxes_are_words)
{
    static const struct {
        float mark, conf;
        const char *text;
    } tried[] = {{0, 0.9f, EMPTY}, {0.2f, 0.675f, EMPTY}, {0.4f, 0.45f, TICKED}, {1, 0.9f, TICKED}};
    for (size_t k = 0; k < PL_ARRAY_LEN(tried); k++) {
        struct page_fixture f;
        setup(&f);
        line(&f, 100, TOP, "the     good");
        tell(&f, 150, TOP - 1, 16, tried[k].mark);
        ck_assert_uint_eq(f.lines[0].n_words, 3);
        const struct pl_word *w = &f.lines[0].words[1];
        ck_assert_str_eq(w->text, tried[k].text);
        ck_assert_int_eq(w->box.x0, 150);
        ck_assert_uint_eq(w->n_chars, 1);
        ck_assert_float_eq_tol(w->conf, tried[k].conf, 1e-5);
        ck_assert_float_eq(w->char_conf[0], w->conf);
        ck_assert_int_eq(f.lines[0].box.y0, TOP - 1);
        ck_assert_int_eq(f.block.box.y1, TOP + 15);
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* What was read in an empty frame is the frame, and in a ticked one the mark: both go, but for a
 * letter or figure that was read surely, and for more than a frame with a mark may look like. */
START_TEST(readings_of_frames_go)
{
    static const struct {
        const char *read;
        float conf, mark;
        const char *text;
    } tried[] = {
        {"]", 1, 0, EMPTY},   {"[]", 1, 0, EMPTY},   {"D", 1, 0, EMPTY},
        {"X", 1, 1, TICKED},  {"[x)", 1, 1, TICKED}, {"M", 0.9f, 1, TICKED},
        {"M", 0.96f, 1, "M"}, {"7", 0.96f, 1, "7"},  {"SEP.", 0.9f, 1, "SEP."},
    };
    for (size_t k = 0; k < PL_ARRAY_LEN(tried); k++) {
        struct page_fixture f;
        char row[32];
        setup(&f);
        snprintf(row, sizeof(row), "the  %s     good", tried[k].read);
        line(&f, 100, TOP, row);
        f.words[0][1].conf = tried[k].conf;
        f.words[0][1].box = (struct pl_rect){148, TOP, 162, TOP + 14};
        tell(&f, 150, TOP, 14, tried[k].mark);
        ck_assert_uint_eq(f.lines[0].n_words, 3);
        ck_assert_str_eq(f.lines[0].words[1].text, tried[k].text);
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* A frame that was read as a line of its own goes to the words beside it; without any it is a line,
 * also where nothing was read of it, or nothing that is trusted. */
START_TEST(frames_as_lines)
{
    for (int k = 0; k < 4; k++) {
        struct page_fixture f;
        setup(&f);
        line(&f, 100, TOP, "Adult");
        line(&f, k ? 500 : 160, TOP, "D");
        f.lines[1].n_words = k < 2;
        f.lines[1].n_doubted = k == 2;
        tell(&f, k ? 500 : 160, TOP, 14, 0);
        expect_lines(&f, k ? "Adult" : "Adult " EMPTY);
        ck_assert_int_eq(f.lines[1].outdone, !k);
        if (k) {
            expect_lines(&f, "Adult", EMPTY);
            ck_assert_uint_eq(f.lines[1].n_words, 1);
            ck_assert_uint_eq(f.lines[1].n_doubted, 0);
            ck_assert_float_eq_tol(f.lines[1].conf, 0.9, 1e-5);
        }
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Words that were doubted stay behind the others. */
START_TEST(doubted_words_stay)
{
    for (size_t read = 1; read <= 2; read++) {
        struct page_fixture f;
        setup(&f);
        line(&f, 100, TOP, "Adult  ]  dirt");
        f.lines[0].n_words = read;
        f.lines[0].n_doubted = 3 - read;
        tell(&f, 170, TOP, 14, 0);
        expect_lines(&f, "Adult " EMPTY);
        ck_assert_uint_eq(f.lines[0].n_doubted, 1);
        ck_assert_str_eq(f.lines[0].words[2].text, "dirt");
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* A letter of a word is no box, however unsure the word is. */
START_TEST(letters_of_doubted_words)
{
    struct page_fixture f;
    setup(&f);
    line(&f, 100, TOP, "the dirt");
    f.lines[0].n_words = f.lines[0].n_doubted = 1;
    tell(&f, 150, TOP, 14, 0);
    ck_assert_uint_eq(f.lines[0].n_words, 1);
    ck_assert_uint_eq(f.lines[0].n_doubted, 1);
    pl_arena_done(&f.arena);
}
END_TEST

/* Words that are read from right to left come in that order; no box is of a turned line. */
START_TEST(boxes_of_other_lines)
{
    struct page_fixture f;
    setup(&f);
    line(&f, 100, TOP, "two     one");
    const struct pl_word two = f.words[0][0];
    f.words[0][0] = f.words[0][1];
    f.words[0][1] = two;
    f.lines[0].from_right = true;
    tell(&f, 150, TOP, 14, 0);
    expect_lines(&f, "one " EMPTY " two");
    f.lines[0].quarters = 1;
    tell(&f, 240, TOP, 14, 0);
    ck_assert_uint_eq(f.lines[0].n_words, 3);
    pl_arena_done(&f.arena);
}
END_TEST

/* A circle is a word as a square is, whatever letter it was read as; a letter of a longer word is
 * none. */
START_TEST(circles_are_words)
{
    static const struct {
        const char *read, *text;
        float mark;
    } tried[] = {{"O  Yes", "\u25CB Yes", 0}, {"O  Yes", "\u25CF Yes", 1}, {"Of  no", "Of  no", 0}};
    for (size_t k = 0; k < PL_ARRAY_LEN(tried); k++) {
        const struct pl_square circle = {
            {100, TOP, 112, TOP + 12}, 1, tried[k].mark, true, false, false};
        struct page_fixture f;
        setup(&f);
        line(&f, 100, TOP, tried[k].read);
        f.regions.squares = &circle;
        f.regions.n_squares = 1;
        ck_assert(pl_check_boxes_tell(&f.arena, &f.regions));
        ck_assert_str_eq(f.lines[0].text, tried[k].text);
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Circles of a row that stand far from any word are one line, full ones, of which nothing was read,
 * with them; words near a circle have it. */
START_TEST(rows_of_circles)
{
    struct pl_square circles[3];
    for (int i = 0; i < 3; i++)
        circles[i] = (struct pl_square){
            {300 + 200 * i, TOP, 312 + 200 * i, TOP + 12}, 1, i == 0, true, false, false};
    for (int near = 0; near < 2; near++) {
        struct page_fixture f;
        setup(&f);
        line(&f, 500, TOP, "O");
        line(&f, 700, TOP, "O");
        line(&f, near ? 730 : 800, TOP, "Yes");
        f.regions.squares = circles;
        f.regions.n_squares = 3;
        ck_assert(pl_check_boxes_tell(&f.arena, &f.regions));
        expect_lines(&f, near ? "\u25CF \u25CB" : "\u25CF \u25CB \u25CB", "",
                     near ? "\u25CB Yes" : "Yes");
        ck_assert(f.lines[1].outdone);
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Circles of a grid are words of the nearest line at their height, however large they are and far
 * away; the letter in one stays, and follows it. */
START_TEST(circles_of_a_grid)
{
    const struct pl_square circles[2] = {{{100, TOP - 10, 134, TOP + 24}, 1, 0, true, true, true},
                                         {{300, TOP - 10, 334, TOP + 24}, 1, 1, true, true, false}};
    struct page_fixture f;
    setup(&f);
    line(&f, 112, TOP, "B");
    f.lines[0].words[0].box.x0 = 95; /* as words of wide rows may begin */
    f.regions.squares = circles;
    f.regions.n_squares = 2;
    ck_assert(pl_check_boxes_tell(&f.arena, &f.regions));
    ck_assert_str_eq(f.lines[0].text, "\u25CB B \u25CF");
    pl_arena_done(&f.arena);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("check_boxes");
    tcase_add_test(tc, squares_beside_words);
    tcase_add_test(tc, boxes_are_words);
    tcase_add_test(tc, readings_of_frames_go);
    tcase_add_test(tc, frames_as_lines);
    tcase_add_test(tc, doubted_words_stay);
    tcase_add_test(tc, letters_of_doubted_words);
    tcase_add_test(tc, boxes_of_other_lines);
    tcase_add_test(tc, circles_are_words);
    tcase_add_test(tc, rows_of_circles);
    tcase_add_test(tc, circles_of_a_grid);
    Suite *s = suite_create("check_boxes");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
