/* SPDX-License-Identifier: BSD-2-Clause */
/* Pictures of one line, drawn here. */
#include <check.h>

#include "tests/unit/detect/detect_fixture.h"

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

int main(void)
{
    TCase *tc = tcase_create("line");
    tcase_add_test(tc, line_takes_its_own_ink_only);
    tcase_add_test(tc, line_follows_a_bow);
    tcase_add_test(tc, line_does_not_guess);
    return run_detect_suite("line", tc);
}
