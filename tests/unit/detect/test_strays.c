/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines that are no rows of glyphs, on pages drawn here: dashes and initials. */
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

int main(void)
{
    TCase *tc = tcase_create("strays");
    tcase_add_test(tc, initials_stand_before_their_row);
    tcase_add_test(tc, initials_keep_their_serifs);
    tcase_add_test(tc, pictures_are_no_initials);
    tcase_add_test(tc, lone_dashes_are_lines);
    return run_detect_suite("strays", tc);
}
