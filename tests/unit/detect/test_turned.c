/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines that run up or down, lean or bow, on pages drawn here. */
#include <check.h>
#include <math.h>

#include "layout/steps.h"
#include "tests/unit/detect/detect_fixture.h"

/* Draws on the page as it stands after the quarter turns; returns the line that runs up or down. */
static const struct pl_line *turned_line(struct fixture *f, int quarters, const char *s,
                                         int *ret_end)
{
    setup(f, 800, 700);
    paragraph(f, 60, 100, "xxlxp xlxx xxxp xlxxl xxxx", 12);
    f->quarters = quarters;
    *ret_end = text(f, 100, 30, s, 1);
    detect(f);
    ck_assert_uint_eq(f->regions.unexplained_px, 0);
    const struct pl_line *last = line_at(f, count_lines(f) - 1);
    for (size_t i = 0; i < count_lines(f); i++)
        ck_assert(line_at(f, i) == last || !line_at(f, i)->quarters);
    return last;
}

/* A line up or down the margin is found as it is read, and comes last, as a block of its own. */
START_TEST(lines_up_and_down)
{
    for (int quarters = 1; quarters <= 3; quarters += 2) { /* drawn top to bottom, bottom to top */
        struct fixture f;
        int end;
        const struct pl_line *l = turned_line(&f, quarters, "xlxp xxl xixx xlpx", &end);
        ck_assert_int_eq(l->quarters, 4 - quarters);
        assert_box(l->box, 100, 30 - ASCENT, end, 30 + DESCENT);
        ck_assert_double_eq_tol(l->xheight_px, XHEIGHT, 0.01);
        ck_assert_uint_eq(l->n_gaps, 4);
        const struct pl_block *b = &f.regions.blocks[f.regions.n_blocks - 1];
        ck_assert_uint_eq(b->n_lines, 1);
        if (quarters == 1)
            assert_box(b->box, 800 - 30 - DESCENT, 100, 800 - 30 + ASCENT, end);
        else
            assert_box(b->box, 30 - ASCENT, 700 - end, 30 + DESCENT, 700 - 100);
        teardown(&f);
    }
}
END_TEST

/* The figures of a stamp run into each other: eight in three pieces are a line all the same. */
START_TEST(touching_figures_up_the_margin)
{
    struct fixture f;
    setup(&f, 800, 700);
    paragraph(&f, 60, 100, "xxlxp xlxx xxxp xlxxl xxxx", 12);
    f.quarters = 1;
    for (int i = 0, x = 100; i < 8; i++, x += 10 + (i % 3 == 0))
        frame(&f, x, 16, x + 10, 30, 2);
    detect(&f);
    const struct pl_line *last = line_at(&f, count_lines(&f) - 1);
    ck_assert_int_eq(last->quarters % 2, 1); /* equally high: either way up, until they are read */
    ck_assert_uint_eq(f.regions.unexplained_px, 0);
    teardown(&f);
}
END_TEST

/* Numbers one above the other are rows, however close. */
START_TEST(columns_of_figures_are_rows)
{
    struct fixture f;
    setup(&f, 500, 600);
    for (int i = 0; i < 10; i++)
        for (int column = 0; column < 3; column++)
            text(&f, 60 + 150 * column, 60 + 28 * i, column == 1 ? "x" : "xx", 1);
    detect_lines(&f, 30);
    for (size_t i = 0; i < 30; i++)
        ck_assert_int_eq(line_at(&f, i)->quarters, 0);
    teardown(&f);
}
END_TEST

static void set_text(struct pl_line *line, float conf, size_t n_chars, struct pl_word *word)
{
    *word = (struct pl_word){.box = line->box, .text = "x", .conf = conf, .n_chars = n_chars};
    line->words = word;
    line->n_words = 1;
    line->text = word->text;
    line->conf = conf;
}

/* Of a line up or down and upright ones in its place, the better read keep their text. */
START_TEST(rivals_are_settled)
{
    static const struct {
        float turned, upright;
        size_t upright_chars;
        bool turned_wins;
    } cases[] = {{0.95f, 0.5f, 8, true},
                 {0.95f, 0.99f, 2, true}, /* too little of it */
                 {0.95f, 0.99f, 8, false},
                 {0.95f, 0.93f, 8, false}, /* hardly less sure */
                 {0.99f, 0.9f, 8, true}};
    for (size_t c = 0; c < PL_ARRAY_LEN(cases); c++) {
        struct fixture f;
        int end;
        turned_line(&f, 1, "xlxp xxl xixx xlpx", &end);
        struct pl_line *turned = (struct pl_line *)line_at(&f, count_lines(&f) - 1),
                       *upright = (struct pl_line *)line_at(&f, 0), *far = upright;
        while (far->box.x0 != 60 || far == upright)
            far++;
        struct pl_word words[3];
        upright->box = (struct pl_rect){762, 200, 782, 212}; /* on top of it */
        set_text(turned, cases[c].turned, 8, &words[0]);
        set_text(upright, cases[c].upright, cases[c].upright_chars, &words[1]);
        turned->ink_px = c == 3 ? 5 : 0;
        set_text(far, 0.8f, 8, &words[2]);
        pl_turned_settle(&f.regions);
        ck_assert_int_eq(turned->n_words > 0, cases[c].turned_wins);
        ck_assert_int_eq(upright->n_words > 0, !cases[c].turned_wins);
        ck_assert_uint_eq(far->n_words, 1);
        ck_assert_int_eq(upright->outdone, cases[c].turned_wins); /* what loses is no loss */
        ck_assert_int_eq(turned->outdone, !cases[c].turned_wins && c != 3); /* but its own ink is */
        ck_assert(pl_unread_part(&f.arena, &f.regions));
        for (size_t i = 0; i < f.regions.n_unread; i++)
            ck_assert(!f.regions.unread[i].outdone);
        teardown(&f);
    }
}
END_TEST

START_TEST(tilted_lines_are_followed)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        struct fixture f;
        setup(&f, 1400, 600);
        f.tilt = sign * 0.0175; /* one degree */
        paragraph(&f, 60, 100, "xxlxp xlxx xxxp xlxxl xxxx xxxx xxxl xxlxp xlxx xxxp xlxxl xxxx",
                  12);
        detect_lines(&f, 12);
        for (size_t i = 0; i < 12; i++) {
            const struct pl_line *l = line_at(&f, i);
            ck_assert_double_eq_tol(l->slope, f.tilt, 0.001);
            ck_assert_double_eq_tol(l->base_y, 100 + 36 * (int)i + f.tilt * 60, 1.5);
            ck_assert_double_eq_tol(l->ascent_px, ASCENT, 1.5);
            ck_assert_double_eq_tol(l->descent_px, DESCENT, 1.5);
            ck_assert_uint_eq(l->n_gaps, 12);
        }
        teardown(&f);
    }
}
END_TEST

/* Rows of a book that lies open: straight ones beside them stay straight. */
START_TEST(bowed_lines_are_followed)
{
    static const double bows[] = {0, 2, 12, -12, 24, 40};
    for (size_t k = 0; k < PL_ARRAY_LEN(bows); k++) {
        struct fixture f;
        setup(&f, 960, 700);
        f.bow = bows[k];
        f.tilt = k % 2 ? 0.02 : 0;
        paragraph(&f, 60, 100, "xxlxp xlxx xxxp xlxxl xxxx xxxx xxxl xxlxp xlxx xxxp xlxxl xxxx",
                  12);
        detect_lines(&f, 12);
        ck_assert_double_eq_tol(f.regions.slope, f.tilt, 0.01);
        for (size_t i = 0; i < 12; i++) {
            const struct pl_line *l = line_at(&f, i);
            bool bowed = fabs(bows[k]) > 2;
            ck_assert_int_eq(l->curve != NULL, bowed);
            for (int x = l->box.x0; bowed && x < l->box.x1; x += 100) {
                double side = 2.0 * x / 960 - 1,
                       y = 100 + 36 * (int)i + f.tilt * x + f.bow * (1 - side * side);
                ck_assert_double_eq_tol(pl_line_y(l, x), y, 2.0);
            }
            ck_assert_double_eq_tol(l->ascent_px, ASCENT, 2.5);
            ck_assert_double_eq_tol(l->descent_px, DESCENT, 2.5);
            ck_assert_uint_eq(l->n_gaps, 12);
        }
        teardown(&f);
    }
}
END_TEST

/* Rows that bend up at the right end, more at the top of the page than at its end, or there down:
 * a book's under a camera. Each is one line, and they are read from the top to the end. */
START_TEST(rows_at_a_spine_are_followed)
{
    static const double lower[] = {1, 0.5, -1};
    for (size_t k = 0; k < PL_ARRAY_LEN(lower); k++) {
        struct fixture f;
        setup(&f, 1000, 700);
        f.spine = -60;
        f.lower = lower[k];
        paragraph(&f, 60, 100, "xxlxp xlxx xxxp xlxxl xxxx xxxx xxxl xxlxp xlxx xxxp xlxxl xxxx",
                  12);
        detect_lines(&f, 12);
        for (size_t i = 0; i < 12; i++) {
            const struct pl_line *l = line_at(&f, i);
            const int base = 100 + 36 * (int)i;
            for (int x = l->box.x0; x < l->box.x1; x += 20)
                ck_assert_double_eq_tol(pl_line_y(l, x), base + spine_at(&f, x, base), 2.5);
            ck_assert_double_eq_tol(l->ascent_px, ASCENT, 2.5);
            ck_assert_double_eq_tol(l->descent_px, DESCENT, 2.5);
            ck_assert_uint_eq(l->n_gaps, 12);
        }
        teardown(&f);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("turned");
    tcase_add_test(tc, lines_up_and_down);
    tcase_add_test(tc, touching_figures_up_the_margin);
    tcase_add_test(tc, columns_of_figures_are_rows);
    tcase_add_test(tc, rivals_are_settled);
    tcase_add_test(tc, tilted_lines_are_followed);
    tcase_add_test(tc, bowed_lines_are_followed);
    tcase_add_test(tc, rows_at_a_spine_are_followed);
    return run_detect_suite("turned", tc);
}
