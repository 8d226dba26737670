/* SPDX-License-Identifier: BSD-2-Clause */
/* The edges of a sheet: crop, border, and two pages in one picture. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/preprocess/preprocess_fixture.h"

START_TEST(crop_passes_over_specks_and_edges)
{
    struct pl_page_image p = text_page(800, 600, 0);
    fill(&p.image, 0, 0, 9, 600, 5);   /* a dark scan edge */
    fill(&p.image, 780, 5, 781, 6, 5); /* and a speck */
    ck_assert_int_eq(run_op(&p, "crop", NULL, 0), PLATEN_OK);
    struct pl_point at = pl_affine_apply(&p.to_input, 0, 0);
    ck_assert(at.x >= 80 && at.x < 100 && at.y >= 80 && at.y < 100);
    ck_assert(at.x + p.image.width <= 720 && at.y + p.image.height <= 520);
    pl_page_image_done(&p);
}
END_TEST

START_TEST(border_clear_leaves_a_dark_page)
{
    struct pl_page_image p = blank_page(300, 200, 30);
    fill(&p.image, 100, 80, 200, 120, 230);
    ck_assert_int_eq(run_op(&p, "border", "mode", 1), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 10)[10], 30);
    pl_page_image_done(&p);
}
END_TEST

START_TEST(crop_and_border)
{
    struct pl_page_image p = blank_page(200, 150, 255);
    fill(&p.image, 50, 40, 120, 90, 0);
    ck_assert_int_eq(run_op(&p, "crop", NULL, 0), PLATEN_OK); /* the ink's box */
    ck_assert_int_eq(p.image.width, 70);
    ck_assert_int_eq(p.image.height, 50);
    ck_assert_int_eq(run_op(&p, "crop", "x", 70), PLATEN_ERR_ARG);
    ck_assert_str_eq(err.text, "what it keeps lies outside the page of 70 x 50 pixels");
    ck_assert_int_eq(run_op(&p, "border", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(p.image.width, 90);
    ck_assert_int_eq(pl_image_row(&p.image, 9)[45], 255);
    ck_assert_int_eq(pl_image_row(&p.image, 10)[45], 0);
    pl_page_image_done(&p);
    p = blank_page(200, 150, 255);
    fill(&p.image, 0, 0, 12, 150, 0); /* a scan edge */
    fill(&p.image, 90, 70, 100, 80, 0);
    ck_assert_int_eq(run_op(&p, "border", "mode", 1), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 75)[5], 255);
    ck_assert_int_eq(pl_image_row(&p.image, 75)[95], 0);
    pl_page_image_done(&p);
}
END_TEST

/* A shadow fades out: what is left of it would look like a line. Ink in the fading part stays. */
START_TEST(border_clears_the_soft_side_of_a_shadow)
{
    struct pl_page_image p = blank_page(900, 700, 255);
    fill(&p.image, 0, 0, 12, 700, 0);
    fill(&p.image, 12, 0, 16, 700, 190);
    fill(&p.image, 13, 300, 25, 310, 20);
    fill(&p.image, 400, 300, 440, 340, 20);
    ck_assert_int_eq(run_op(&p, "border", "mode", 1), PLATEN_OK);
    for (int x = 0; x < 30; x++)
        ck_assert_int_eq(pl_image_row(&p.image, 100)[x], 255);
    ck_assert_int_eq(pl_image_row(&p.image, 305)[14], 20);
    ck_assert_int_eq(pl_image_row(&p.image, 320)[420], 20);
    pl_page_image_done(&p);
}
END_TEST

/* Two text pages side by side. */
static struct pl_page_image double_page(int w, int h)
{
    struct pl_page_image p = blank_page(w, h, 240), half = text_page(w / 2, h, 0);
    for (int y = 0; y < h; y++) {
        memcpy(pl_image_row(&p.image, y), pl_image_row(&half.image, y), (size_t)(w / 2));
        memcpy(pl_image_row(&p.image, y) + w / 2, pl_image_row(&half.image, y), (size_t)(w / 2));
    }
    pl_page_image_done(&half);
    return p;
}

/* Where split cuts the page; 0: it stays whole. */
static int cut_of(struct pl_page_image *p)
{
    const struct pl_preprocess_op *op =
        pl_preprocess_op_of(pl_operation_find(pl_preprocess_ops, "split", 5));
    struct pl_page_image second = {0};
    int width = p->image.width, height = p->image.height, cut = 0;
    ck_assert_int_eq(op->divide(&env, p, NULL, &second, &err), PLATEN_OK);
    if (second.image.store) {
        struct pl_point at = pl_affine_apply(&second.to_input, 0, 0);
        cut = p->image.width;
        ck_assert_double_eq_tol(at.x, cut, 1e-9);
        ck_assert_int_eq(cut + second.image.width, width);
        ck_assert_int_eq(second.image.height, height);
    }
    pl_page_image_done(&second);
    pl_page_image_done(p);
    return cut;
}

START_TEST(split_parts_facing_pages)
{
    struct pl_page_image p = double_page(1400, 900); /* an empty gutter */
    ck_assert_int_le(abs(cut_of(&p) - 700), 20);
    p = double_page(1400, 900);
    ck_assert_int_eq(run_op(&p, "otsu", NULL, 0), PLATEN_OK);
    ck_assert_int_le(abs(cut_of(&p) - 700), 20);
    for (int lean = 0; lean <= 30; lean += 30) { /* a fold, upright and askew */
        p = double_page(1400, 900);
        for (int y = 0; y < 900; y++)
            for (int x = -25; x <= 25; x++)
                pl_image_row(&p.image, y)[660 + x + lean * y / 900] = (uint8_t)(90 + 6 * abs(x));
        ck_assert_int_le(abs(cut_of(&p) - 660 - lean / 2), 20);
    }
}
END_TEST

/* The edges of two sheets that were scanned as one, dirt on them, a picture that reaches over. */
START_TEST(split_finds_a_gutter_that_is_not_empty)
{
    struct pl_page_image p = double_page(1400, 900);
    fill(&p.image, 0, 0, 6, 900, 10);
    fill(&p.image, 698, 0, 701, 900, 10);
    fill(&p.image, 1394, 0, 1400, 900, 10);
    for (int i = 0; i < 12; i++)
        fill(&p.image, 640 + 9 * i, 40 + 5 * i * i, 645 + 9 * i, 44 + 5 * i * i, 60);
    ck_assert_int_le(abs(cut_of(&p) - 700), 20);
    p = double_page(1400, 900);
    fill(&p.image, 500, 300, 660, 500, 60);
    int cut = cut_of(&p);
    ck_assert(cut > 670 && cut < 770);
    p = double_page(1400, 900);
    fill(&p.image, 300, 300, 1100, 600, 60); /* across: this is one page */
    ck_assert_int_eq(cut_of(&p), 0);
}
END_TEST

START_TEST(split_leaves_single_pages_whole)
{
    static const int sides[][2] = {{900, 1200}, {1200, 1150}, {1400, 900}, {2600, 900}};
    for (size_t i = 0; i < PL_ARRAY_LEN(sides); i++) {
        struct pl_page_image p = text_page(sides[i][0], sides[i][1], 0);
        ck_assert_int_eq(cut_of(&p), 0);
    }
    struct pl_page_image p = text_page(1400, 900, 0); /* two columns, margins as wide as the gap */
    fill(&p.image, 665, 0, 735, 900, 240);
    ck_assert_int_eq(cut_of(&p), 0);
    p = text_page(1400, 900, 0); /* three columns */
    fill(&p.image, 350, 0, 450, 900, 240);
    fill(&p.image, 650, 0, 760, 900, 240);
    ck_assert_int_eq(cut_of(&p), 0);
    p = double_page(1400, 900); /* a title across, and a rule between columns */
    fill(&p.image, 100, 20, 1300, 60, 20);
    fill(&p.image, 698, 0, 701, 900, 20);
    ck_assert_int_eq(cut_of(&p), 0);
    p = blank_page(1400, 900, 240); /* no print */
    fill(&p.image, 680, 0, 720, 900, 60);
    ck_assert_int_eq(cut_of(&p), 0);
}
END_TEST

/* The sheet on grained ground of that grey, `margin` px around it. */
static struct pl_page_image on_ground(struct pl_page_image *sheet, int margin, int grey)
{
    const int w = sheet->image.width, h = sheet->image.height;
    struct pl_page_image p = blank_page(w + 2 * margin, h + 2 * margin, (uint8_t)grey);
    for (int y = 0; y < p.image.height; y++)
        for (int x = 0; x < p.image.width; x++)
            pl_image_row(&p.image, y)[x] =
                (uint8_t)(pl_image_row(&p.image, y)[x] + (x * 7 + y * 13) % 23 * 2);
    for (int y = 0; y < h; y++)
        memcpy(pl_image_row(&p.image, y + margin) + margin, pl_image_row(&sheet->image, y),
               (size_t)w);
    pl_page_image_done(sheet);
    return p;
}

static void draw_fold(const struct pl_image *im, int at)
{
    for (int y = 0; y < im->height; y++)
        for (int x = -25; x <= 25; x++)
            pl_image_row(im, y)[at + x] = (uint8_t)(90 + 6 * abs(x));
}

/* Returns a book on a ground, whose fold alone tells of two pages: letters stand in the gap. */
static struct pl_page_image book_on_ground(int grey)
{
    struct pl_page_image book = double_page(1400, 900);
    write_h(&book.image, 600, 850, 9, 20);
    draw_fold(&book.image, 690);
    return on_ground(&book, 90, grey);
}

START_TEST(split_looks_for_the_fold_within_the_book)
{
    for (int grey = 30; grey <= 110; grey += 40) {
        struct pl_page_image p = book_on_ground(grey);
        ck_assert_int_le(abs(cut_of(&p) - 780), 20);
    }
    struct pl_page_image flat = double_page(1400, 900); /* no fold: the gap between the pages */
    flat = on_ground(&flat, 90, 60);
    ck_assert_int_le(abs(cut_of(&flat) - 790), 20);
    struct pl_page_image p = book_on_ground(60); /* a picture near the fold that is darker */
    fill(&p.image, 590, 400, 690, 600, 20);
    ck_assert_int_le(abs(cut_of(&p) - 780), 20);
    p = text_page(1400, 900, 0); /* a sheet alone */
    p = on_ground(&p, 90, 60);
    ck_assert_int_eq(cut_of(&p), 0);
}
END_TEST

/* Other operations may come first. */
START_TEST(split_finds_the_fold_of_a_turned_page)
{
    struct pl_page_image p = book_on_ground(60);
    ck_assert_int_eq(run_op(&p, "background", NULL, 0), PLATEN_OK);
    ck_assert_int_le(abs(cut_of(&p) - 780), 20);
    p = book_on_ground(60);
    ck_assert_int_eq(run_op(&p, "rotate", "angle", 90), PLATEN_OK);
    ck_assert_int_eq(run_op(&p, "background", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(cut_of(&p), 0); /* it runs across */
    p = book_on_ground(60);
    ck_assert_int_eq(run_op(&p, "rotate", "angle", 90), PLATEN_OK);
    p.sheet = (struct pl_sheet){0}; /* first seen as it lies on its side */
    ck_assert_int_eq(run_op(&p, "background", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(run_op(&p, "rotate", "angle", 270), PLATEN_OK);
    ck_assert_int_le(abs(cut_of(&p) - 780), 20);
}
END_TEST

static bool is_around(const struct pl_page_image *p, int x, int y)
{
    return pl_sheet_is_around(&p->sheet, pl_affine_apply(&p->to_input, x, y));
}

/* In light that falls by half from one corner to the other. */
static void shade(const struct pl_image *im)
{
    for (int y = 0; y < im->height; y++)
        for (int x = 0; x < im->width; x++) {
            uint8_t *px = pl_image_row(im, y) + x;
            *px = (uint8_t)(*px * (1 - 0.25 * x / im->width - 0.25 * y / im->height));
        }
}

START_TEST(what_lies_around_a_sheet)
{
    struct pl_page_image p = text_page(700, 900, 0);
    p = on_ground(&p, 80, 60);
    shade(&p.image);
    ck_assert(!is_around(&p, 5, 5)); /* nobody has looked */
    ck_assert_int_eq(run_op(&p, "background", NULL, 0), PLATEN_OK);
    ck_assert(is_around(&p, 5, 5) && is_around(&p, 430, 20) && is_around(&p, 850, 1050));
    ck_assert(!is_around(&p, 100, 100) && !is_around(&p, 430, 530) && !is_around(&p, 760, 960));
    ck_assert_int_eq(run_op(&p, "rotate", "angle", 10), PLATEN_OK);
    ck_assert(!is_around(&p, p.image.width / 2, p.image.height / 2));
    ck_assert(is_around(&p, 200, p.image.height / 2 - 470));
    pl_page_image_done(&p);
    p = text_page(700, 900, 0); /* a picture at the rim is printed */
    fill(&p.image, 0, 0, 300, 200, 60);
    ck_assert_int_eq(run_op(&p, "background", NULL, 0), PLATEN_OK);
    ck_assert(!is_around(&p, 50, 50));
    pl_page_image_done(&p);
}
END_TEST

/* Light specks on a dark ground look like light print; the sheet does not. */
START_TEST(invert_looks_at_the_sheet)
{
    struct pl_page_image p = text_page(700, 900, 0);
    p = on_ground(&p, 300, 40);
    for (int y = 10; y < 1490; y += 40)
        for (int x = 10; x < 1200; x += 300)
            if (y < 260 || y > 1210 || x < 200 || x > 1000)
                write_h(&p.image, x, y, 9, 120);
    ck_assert_int_eq(run_op(&p, "invert", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 310)[310], 240);
    pl_page_image_done(&p);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("sheets");
    tcase_add_test(tc, crop_passes_over_specks_and_edges);
    tcase_add_test(tc, border_clear_leaves_a_dark_page);
    tcase_add_test(tc, crop_and_border);
    tcase_add_test(tc, border_clears_the_soft_side_of_a_shadow);
    tcase_add_test(tc, split_parts_facing_pages);
    tcase_add_test(tc, split_finds_a_gutter_that_is_not_empty);
    tcase_add_test(tc, split_leaves_single_pages_whole);
    tcase_add_test(tc, split_looks_for_the_fold_within_the_book);
    tcase_add_test(tc, split_finds_the_fold_of_a_turned_page);
    tcase_add_test(tc, what_lies_around_a_sheet);
    tcase_add_test(tc, invert_looks_at_the_sheet);
    return run_env_suite("sheets", tc);
}
