/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading order of text in frames. */
#include <check.h>

#include "tests/unit/detect/detect_fixture.h"

enum { LEFT = 60, RIGHT = 480, PITCH = 46, ROWS = 3 };

/* Rows of text in the left and in the right half, n each, with their first baselines there. */
static void halves(struct fixture *f, int left, int right, int n)
{
    setup(f, 900, 700);
    text_rows(f, LEFT, left, PITCH, n, "xxlxp xlxx");
    text_rows(f, RIGHT, right, PITCH, n, "xlx xxlx");
}

/* Frames around what begins in these rows. */
static void frame_left(struct fixture *f, int base, int n)
{
    frame(f, LEFT - 30, base - 50, 420, base + PITCH * n, 3);
}

static void frame_right(struct fixture *f, int base, int n)
{
    frame(f, RIGHT - 30, base - 50, 870, base + PITCH * n, 3);
}

/* Expects n rows of the left half from line `at` on, and those of the right half behind them; or
 * row by row. */
static void expect_halves(const struct fixture *f, size_t at, int base, int n, bool by_frames)
{
    for (int i = 0; i < 2 * n; i++) {
        const int row = by_frames ? i % n : i / 2;
        assert_at(f, at + (size_t)i, (by_frames ? i / n : i % 2) ? RIGHT : LEFT,
                  base + PITCH * row);
    }
}

/* One frame after the other, if there is one around each half and both have several rows. */
START_TEST(frames_are_read_one_after_the_other)
{
    for (int k = 0; k < 4; k++) {
        struct fixture f;
        halves(&f, 200, 200, ROWS);
        if (k != 1)
            frame_left(&f, 200, ROWS);
        if (k != 2)
            frame_right(&f, 200, ROWS);
        if (k == 3)
            fill(&f, 420, 400, 450, 403); /* a rule from one to the other changes nothing */
        detect_lines(&f, 2 * ROWS);
        expect_halves(&f, 0, 200, ROWS, k == 0 || k == 3);
        teardown(&f);
    }
}
END_TEST

/* Text above and below both is read before and behind them, and rows of frames row by row. */
START_TEST(rows_of_frames_are_read_in_turn)
{
    struct fixture f;
    halves(&f, 200, 200, ROWS);
    text(&f, 200, 90, "xxlx xlxx xxlx", 1);
    text_rows(&f, LEFT, 440, PITCH, ROWS, "xxlxp xlxx");
    text_rows(&f, RIGHT, 440, PITCH, ROWS, "xlx xxlx");
    for (int base = 200; base <= 440; base += 240) {
        frame_left(&f, base, ROWS);
        frame_right(&f, base, ROWS);
    }
    text(&f, 200, 650, "xxlx xlxx xxlx", 1);
    detect_lines(&f, 4 * ROWS + 2);
    assert_at(&f, 0, 200, 90);
    expect_halves(&f, 1, 200, ROWS, true);
    expect_halves(&f, 1 + 2 * ROWS, 440, ROWS, true);
    assert_at(&f, 4 * ROWS + 1, 200, 650);
    teardown(&f);
}
END_TEST

/* Frames below each other, beside a higher one, are read with it; so are those in a frame around
 * the page. */
START_TEST(frames_of_unequal_height)
{
    for (int around = 0; around < 2; around++) {
        struct fixture f;
        halves(&f, 120, 120, 5);
        frame_left(&f, 120, 2);
        frame(&f, LEFT - 30, 120 + 2 * PITCH + 8, 420, 120 + 5 * PITCH, 3);
        frame_right(&f, 120, 5);
        if (around)
            frame(&f, 6, 6, 894, 694, 3);
        detect_lines(&f, 10);
        expect_halves(&f, 0, 120, 5, true);
        teardown(&f);
    }
}
END_TEST

/* Where frames have one row each, or share the rule between them, or text runs out of one, rows are
 * read. */
START_TEST(other_frames_do_not_bound_the_reading)
{
    static const int left[] = {RIGHT - 60, RIGHT - 30, RIGHT + 40}; /* of the right frame */
    struct fixture f;
    setup(&f, 900, 700);
    for (int base = 200; base <= 320; base += 120) {
        text(&f, LEFT, base, "xxlxp xlxx", 1);
        frame_left(&f, base, 1);
    }
    text(&f, RIGHT, 200, "xlx xxlx", 1);
    frame_right(&f, 200, 4);
    detect_lines(&f, 3);
    expect_halves(&f, 0, 200, 1, false);
    teardown(&f);
    for (size_t i = 0; i < PL_ARRAY_LEN(left); i++) {
        halves(&f, 200, 200, ROWS);
        frame_left(&f, 200, ROWS);
        frame(&f, left[i], 150, 870, 200 + PITCH * ROWS, 3);
        detect(&f);
        assert_at(&f, 0, LEFT, 200);
        ck_assert_int_eq(line_at(&f, 1)->box.x0 == LEFT, i == 1);
        teardown(&f);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("framed");
    tcase_add_test(tc, frames_are_read_one_after_the_other);
    tcase_add_test(tc, rows_of_frames_are_read_in_turn);
    tcase_add_test(tc, frames_of_unequal_height);
    tcase_add_test(tc, other_frames_do_not_bound_the_reading);
    return run_detect_suite("framed", tc);
}
