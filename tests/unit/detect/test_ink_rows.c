/* SPDX-License-Identifier: BSD-2-Clause */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "detect/detect.h"
#include "detect/ink/ink_rows.h"
#include "image/range.h"
#include "tests/unit/suite.h"

#define W 300
#define H 60

struct crop {
    struct pl_env env;
    struct pl_kernels k;
    struct pl_arena arena;
    struct pl_image im;
};

static void fill(struct crop *c, int x0, int y0, int x1, int y1, int v)
{
    for (int y = y0; y < y1; y++)
        memset(pl_image_row(&c->im, y) + x0, v, (size_t)(x1 - x0));
}

/* Letters of 12 x 20 px on rows 20..39, every second one reaching up to row 14. */
static void crop_init(struct crop *c)
{
    *c = (struct crop){0};
    pl_kernels_init(&c->k, PL_ISA_SCALAR);
    c->env = (struct pl_env){.k = &c->k, .bufs = pl_bufpool_new()};
    pl_arena_init(&c->arena);
    ck_assert_int_eq(pl_image_init(&c->env, W, H, PL_GRAY8, &c->im, NULL), PLATEN_OK);
    fill(c, 0, 0, W, H, 230);
    for (int i = 0; i < 14; i++) {
        fill(c, 10 + 20 * i, i % 2 ? 20 : 14, 13 + 20 * i, 40, 20);
        fill(c, 10 + 20 * i, 37, 22 + 20 * i, 40, 20);
    }
}

static void crop_done(struct crop *c)
{
    pl_image_done(&c->im);
    pl_arena_done(&c->arena);
    pl_bufpool_free(c->env.bufs);
}

static void check_rows(struct crop *c, int top, int bottom)
{
    struct pl_rect r;
    struct platen_error err;
    ck_assert_int_eq(pl_ink_rows(&c->env, &c->arena, &c->im, &r, &err), PLATEN_OK);
    ck_assert_msg(r.y0 == top && r.y1 == bottom, "rows %d..%d, not %d..%d", r.y0, r.y1, top,
                  bottom);
    if (bottom) /* from the first letter's stem to the last one's foot */
        ck_assert(r.x0 == 10 && r.x1 == 282);
}

START_TEST(rows_of_plain_lines)
{
    struct crop c;
    crop_init(&c);
    check_rows(&c, 14, 40);
    for (int y = 0; y < H; y++) /* light on dark is the same */
        c.k.invert_u8(pl_image_row(&c.im, y), pl_image_row(&c.im, y), W);
    check_rows(&c, 14, 40);
    fill(&c, 0, 0, W, H, 200);
    check_rows(&c, 0, 0);
    crop_done(&c);
}
END_TEST

START_TEST(dots_and_tails_belong_to_the_line)
{
    struct crop c;
    crop_init(&c);
    fill(&c, 30, 9, 34, 11, 20);  /* the dot of an i, three rows above */
    fill(&c, 70, 43, 90, 45, 20); /* an underscore */
    check_rows(&c, 9, 45);
    fill(&c, 110, 1, 114, 2, 20); /* dirt seven rows above that */
    check_rows(&c, 9, 45);
    crop_done(&c);
}
END_TEST

START_TEST(neighbours_rules_and_boxes_are_left_out)
{
    struct crop c;
    crop_init(&c);
    fill(&c, 20, 0, 100, 10, 20); /* the line above, cut by the edge, 4 rows off */
    fill(&c, 20, 45, 90, 60, 20); /* the line below */
    fill(&c, 0, 42, W, 44, 20);   /* a rule under the line */
    fill(&c, 2, 0, 4, H, 20);     /* the side of a box */
    check_rows(&c, 14, 40);
    fill(&c, 200, 10, 204, 14, 20); /* a tail of the line above touches a letter */
    check_rows(&c, 10, 40);
    crop_done(&c);
}
END_TEST

START_TEST(range_is_kept_apart)
{
    uint32_t hist[256] = {0};
    double lo, hi;
    hist[10] = 1;
    hist[50] = 98;
    hist[99] = 1; /* 100 pixels: entries 1 and 97 are 50 */
    pl_gray_range(hist, 100, &lo, &hi);
    ck_assert(lo == 38 && hi == 62);
    hist[10] = 2;
    hist[99] = 3; /* 103 pixels: entry 1 is 10, entry 99 is 50 */
    pl_gray_range(hist, 103, &lo, &hi);
    ck_assert(lo == 10 && hi == 50);
    hist[99] = 4; /* 104 pixels: entry 100 is 99 */
    pl_gray_range(hist, 104, &lo, &hi);
    ck_assert(lo == 10 && hi == 99);
}
END_TEST

START_TEST(a_sloping_line_is_levelled)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        struct crop c;
        crop_init(&c);
        fill(&c, 0, 0, W, H, 255);
        for (int i = 0; i < 14; i++) { /* the letters of crop_init, 0.1 px lower per column */
            int x = 10 + 20 * i, dy = 4 + sign * (2 * i - 13);
            fill(&c, x, (i % 2 ? 20 : 14) + dy, x + 3, 40 + dy, 0);
            fill(&c, x, 37 + dy, x + 12, 40 + dy, 0);
        }
        struct pl_page_image page = {.image = c.im};
        page.image.bilevel = true;
        struct pl_regions r = {0};
        struct platen_error err;
        const struct pl_detect_op *op =
            pl_detect_op_of(pl_operation_find(pl_detect_ops, "line", 4));
        ck_assert_int_eq(op->run(NULL, &c.env, &c.arena, &page, NULL, &r, &err), PLATEN_OK);
        ck_assert_uint_eq(r.n_blocks, 1);
        const struct pl_line *l = &r.blocks[0].lines[0];
        ck_assert_double_eq_tol(l->slope, sign * 0.1, 0.01);
        ck_assert_double_eq_tol(l->ascent_px + l->descent_px, 26, 3); /* level, it would be 52 */
        double middle = l->base_y + l->slope * (0.5 * (10 + 282) - l->box.x0);
        ck_assert_double_eq_tol(middle, 44, 2);
        ck_assert(l->box.x0 == 10 && l->box.x1 == 282);
        crop_done(&c);
    }
}
END_TEST

/* Faint ink that binarisation takes for paper is still a line. */
START_TEST(line_is_found_in_the_grey)
{
    struct crop c;
    crop_init(&c);
    struct pl_page_image page = {.gray = c.im};
    ck_assert_int_eq(pl_image_init(&c.env, W, H, PL_GRAY8, &page.image, NULL), PLATEN_OK);
    page.image.bilevel = true;
    for (int y = 0; y < H; y++)
        memset(pl_image_row(&page.image, y), 255, W);
    struct pl_regions r = {0};
    struct platen_error err;
    const struct pl_detect_op *op = pl_detect_op_of(pl_operation_find(pl_detect_ops, "line", 4));
    ck_assert_int_eq(op->run(NULL, &c.env, &c.arena, &page, NULL, &r, &err), PLATEN_OK);
    ck_assert_uint_eq(r.n_blocks, 1);
    const struct pl_line *l = &r.blocks[0].lines[0];
    ck_assert(l->box.x0 == 10 && l->box.y0 == 14 && l->box.x1 == 282 && l->box.y1 == 40);
    ck_assert_double_eq_tol(l->ascent_px + l->descent_px, 26, 1e-9);
    fill(&c, 0, 0, W, H, 255);
    ck_assert_int_eq(op->run(NULL, &c.env, &c.arena, &page, NULL, &r, &err), PLATEN_OK);
    ck_assert_uint_eq(r.n_blocks, 0);
    pl_image_done(&page.image);
    crop_done(&c);
}
END_TEST

/* Letters of separate dots, as a needle printer makes them: no component is a glyph. */
START_TEST(line_fills_its_rows_whatever_it_is_made_of)
{
    struct crop c;
    crop_init(&c);
    fill(&c, 0, 0, W, H, 255);
    for (int x = 20; x < 280; x += 4)
        for (int y = 16; y < 44; y += 3)
            fill(&c, x, y, x + 2, y + 2, 0);
    fill(&c, 40, 0, 60, 5, 0);
    struct pl_page_image page = {.image = c.im};
    page.image.bilevel = true;
    struct pl_regions r = {0};
    struct platen_error err;
    const struct pl_detect_op *op = pl_detect_op_of(pl_operation_find(pl_detect_ops, "line", 4));
    ck_assert_int_eq(op->run(NULL, &c.env, &c.arena, &page, NULL, &r, &err), PLATEN_OK);
    ck_assert_uint_eq(r.n_blocks, 1);
    ck_assert_uint_eq(r.blocks[0].n_lines, 1);
    const struct pl_line *l = &r.blocks[0].lines[0];
    ck_assert_double_eq_tol(l->base_y - l->ascent_px, 16, 1e-9);
    ck_assert_double_eq_tol(l->base_y + l->descent_px, 45, 1e-9);
    ck_assert(l->box.x0 == 20 && l->box.x1 == 278);
    ck_assert(l->box.y0 == 16 && l->box.y1 == 45);
    crop_done(&c);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("ink_rows");
    tcase_add_test(tc, rows_of_plain_lines);
    tcase_add_test(tc, dots_and_tails_belong_to_the_line);
    tcase_add_test(tc, neighbours_rules_and_boxes_are_left_out);
    tcase_add_test(tc, range_is_kept_apart);
    tcase_add_test(tc, line_fills_its_rows_whatever_it_is_made_of);
    tcase_add_test(tc, a_sloping_line_is_levelled);
    tcase_add_test(tc, line_is_found_in_the_grey);
    Suite *s = suite_create("ink_rows");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
