/* SPDX-License-Identifier: BSD-2-Clause */
/* What is done to greys and to ink: paper made even, light on dark turned, specks and rules
 * taken away. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/preprocess/preprocess_fixture.h"

/* Rules between lines, under letters, through letters and upright: the page without them is known.
 */
START_TEST(unrule_leaves_the_letters)
{
    struct pl_page_image p = text_page(900, 700, 0), truth = text_page(900, 700, 0);
    fill(&p.image, 50, 115, 850, 118, 10); /* between two lines */
    fill(&p.image, 60, 150, 840, 152, 10); /* along the feet of the letters of one */
    fill(&p.image, 60, 222, 840, 224, 10); /* through the letters of another */
    fill(&p.image, 40, 60, 43, 660, 10);   /* upright, in the margin */
    fill(&p.image, 60, 380, 840, 420, 10); /* a bar, which is no rule */
    fill(&truth.image, 60, 380, 840, 420, 10);
    ck_assert_int_eq(run_op(&p, "unrule", NULL, 0), PLATEN_OK);
    int lost = 0, left = 0;
    for (int y = 0; y < 700; y++)
        for (int x = 0; x < 900; x++) {
            bool ink = pl_image_row(&p.image, y)[x] < 128;
            bool letter = pl_image_row(&truth.image, y)[x] < 128;
            lost += letter && !ink;
            left += ink && !letter;
        }
    ck_assert_int_eq(lost, 0);
    ck_assert_int_eq(left, 0);
    pl_page_image_done(&p);
    pl_page_image_done(&truth);
}
END_TEST

START_TEST(contrast_spreads_the_greys)
{
    struct pl_page_image p = blank_page(200, 100, 180);
    fill(&p.image, 20, 20, 60, 80, 60); /* 12 % */
    fill(&p.image, 80, 20, 120, 80, 120);
    ck_assert_int_eq(run_op(&p, "contrast", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 50)[30], 0);
    ck_assert_int_eq(pl_image_row(&p.image, 50)[100], 127); /* (120 - 60) * 255 / 120 */
    ck_assert_int_eq(pl_image_row(&p.image, 50)[180], 255);
    pl_page_image_done(&p);
    p = blank_page(200, 100, 180); /* a flat page stays */
    ck_assert_int_eq(run_op(&p, "contrast", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 50)[30], 180);
    pl_page_image_done(&p);
}
END_TEST

/* The grey that `before` becomes on a page that has `dark` and `light`, half each. */
static int normalized(int dark, int light, size_t n, const struct given *given, int before)
{
    struct pl_page_image p = blank_page(200, 100, (uint8_t)light);
    fill(&p.image, 0, 0, 100, 100, (uint8_t)dark);
    ck_assert_int_eq(run_op_with(&p, "normalize", n, given), PLATEN_OK);
    int ret = pl_image_row(&p.image, 50)[before == dark ? 50 : 150];
    pl_page_image_done(&p);
    return ret;
}

START_TEST(normalize_brings_greys_to_a_range)
{
    const struct given part[] = {{"low", 20}, {"high", 200}},
                       turned[] = {{"low", 255}, {"high", 0}};
    ck_assert_int_eq(normalized(60, 180, 0, NULL, 60), 0);
    ck_assert_int_eq(normalized(60, 180, 0, NULL, 180), 255);
    ck_assert_int_eq(normalized(60, 180, 2, part, 60), 20);
    ck_assert_int_eq(normalized(60, 180, 2, part, 180), 200);
    ck_assert_int_eq(normalized(60, 180, 2, turned, 60), 255);
    ck_assert_int_eq(normalized(60, 180, 2, turned, 180), 0);
    /* A gain of 4 at most: faint differences stay faint, the lightest is the fixed end. */
    ck_assert_int_eq(normalized(170, 180, 0, NULL, 170), 255 - 40);
    ck_assert_int_eq(normalized(170, 180, 2, turned, 170), 40);
    ck_assert_int_eq(normalized(170, 180, 1, &(struct given){"gain", 255}, 170), 0);
    ck_assert_int_eq(normalized(180, 180, 0, NULL, 180), 255);
    struct pl_page_image p = blank_page(200, 100, 180);
    fill(&p.image, 20, 20, 60, 80, 60);
    fill(&p.image, 80, 20, 120, 80, 120);
    ck_assert_int_eq(run_op(&p, "normalize", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 50)[100], 128); /* 255 - 60 * 2.125 = 127.5 */
    pl_page_image_done(&p);
}
END_TEST

START_TEST(normalize_gives_mean_and_deviation)
{
    const struct given wanted[] = {{"method", 1}, {"mean", 128}, {"deviation", 25}};
    ck_assert_int_eq(normalized(100, 200, 3, wanted, 100), 103);
    ck_assert_int_eq(normalized(100, 200, 3, wanted, 200), 153);
    ck_assert_int_eq(normalized(180, 184, 3, wanted, 184), 136); /* 128 + 2 * 4 */
    ck_assert_int_eq(normalized(180, 180, 3, wanted, 180), 128);
    struct pl_page_image p = blank_page(200, 100, 255);
    fill(&p.image, 0, 0, 100, 100, 0);
    p.image.bilevel = true;
    ck_assert_int_eq(run_op_with(&p, "normalize", 3, wanted), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 50)[50], 0); /* black and white stays */
    pl_page_image_done(&p);
}
END_TEST

/* A page that gets darker from left to right: with tiles its print is as dark everywhere, and no
 * step is seen where they meet. */
START_TEST(normalize_takes_tiles_without_seams)
{
    enum { SIDE = 512 };
    struct pl_page_image p = blank_page(SIDE, SIDE, 0);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            pl_image_row(&p.image, y)[x] = (uint8_t)(200 - x / 4 + ((x + y) / 4 % 2 ? 20 : -20));
    ck_assert_int_eq(run_op_with(&p, "normalize", 2, (struct given[]){{"method", 1}, {"tiles", 8}}),
                     PLATEN_OK);
    int mean[SIDE / 8];
    for (int i = 0; i < SIDE / 8; i++) {
        int64_t sum = 0;
        for (int y = 0; y < SIDE; y++)
            for (int x = 8 * i; x < 8 * i + 8; x++)
                sum += pl_image_row(&p.image, y)[x];
        mean[i] = (int)(sum / (8 * SIDE));
        if (i)
            ck_assert_int_le(abs(mean[i] - mean[i - 1]), 8);
    }
    ck_assert_int_le(abs(mean[8] - mean[SIDE / 8 - 9]), 4); /* 96 before */
    pl_page_image_done(&p);
}
END_TEST

START_TEST(whiten_keeps_ink_and_its_edges)
{
    struct pl_page_image p = text_page(400, 300, 0); /* paper of 240 */
    fill(&p.image, 10, 10, 50, 60, 200);             /* a shade */
    int x = 60;
    while (pl_image_row(&p.image, 105)[x] != 20)
        x++;
    ck_assert_int_eq(run_op(&p, "whiten", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 20)[20], 255);
    ck_assert_int_eq(pl_image_row(&p.image, 105)[x], 20);
    ck_assert_int_eq(pl_image_row(&p.image, 105)[x - 2], 240);
    ck_assert_int_eq(pl_image_row(&p.image, 105)[x - 3], 255);
    pl_page_image_done(&p);
}
END_TEST

/* A stamp in pale ink below dark print, on grainy paper. */
static struct pl_page_image faint_page(void)
{
    struct pl_page_image p = text_page(600, 500, 0);
    uint32_t seed = 5;
    for (int y = 0; y < 500; y++)
        for (int x = 0; x < 600; x++) {
            uint8_t *px = &pl_image_row(&p.image, y)[x];
            seed = seed * 1664525 + 1013904223;
            int ink = y < 240 ? 20 : y < 280 ? 240 : 190; /* a line between them stays empty */
            *px = (uint8_t)((*px == 20 ? ink : 240) + (int)(seed >> 24) % 9 - 4);
        }
    return p;
}

START_TEST(faint_print_stays)
{
    struct pl_page_image p = faint_page(), letters = text_page(600, 500, 0);
    int x = 80, lost = 0, left = 0;
    while (pl_image_row(&letters.image, 305)[x] != 20)
        x++;
    fill(&p.image, x + 4, 305, x + 6, 306, 140); /* in a pale letter */
    fill(&p.image, 20, 305, 22, 306, 140);       /* in the margin */
    ck_assert_int_eq(run_op(&p, "despeckle", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 305)[x + 4], 140);
    ck_assert_int_gt(pl_image_row(&p.image, 305)[20], 200);
    ck_assert_int_eq(run_op(&p, "whiten", NULL, 0), PLATEN_OK);
    for (int y = 0; y < 500; y++)
        for (x = 0; x < 600; x++) {
            bool far = x < 70 || x > 530 || y < 70 || y > 430;
            bool line =
                y < 240 || (y >= 280 && y < 400); /* the last one is cut in its upper half */
            bool print = line && pl_image_row(&letters.image, y)[x] == 20;
            lost += print && pl_image_row(&p.image, y)[x] > 220;
            left += far && pl_image_row(&p.image, y)[x] != 255;
        }
    ck_assert_int_eq(lost, 0);
    ck_assert_int_eq(left, 0);
    pl_page_image_done(&p);
    pl_page_image_done(&letters);
}
END_TEST

/* On a page in grey and on one in black and white, which goes by packed bits. */
START_TEST(morph_is_about_ink)
{
    static const struct {
        int mode, left, gap; /* whether the dot and the gap are ink afterwards */
    } want[] = {{0, 1, 1}, {1, 0, 0}, {2, 1, 1}, {3, 0, 0}};
    for (size_t i = 0; i < 8; i++) {
        struct pl_page_image p = blank_page(60, 30, 255);
        fill(&p.image, 10, 10, 30, 20, 0);
        fill(&p.image, 31, 10, 50, 20, 0); /* a gap of one pixel at 30 */
        fill(&p.image, 5, 5, 6, 6, 0);     /* a dot of one */
        p.image.bilevel = i % 2;
        p.image.dpi_x = 300;
        ck_assert_int_eq(run_op(&p, "morph", "mode", want[i / 2].mode), PLATEN_OK);
        ck_assert_int_eq(pl_image_row(&p.image, 5)[5] == 0, want[i / 2].left);
        ck_assert_int_eq(pl_image_row(&p.image, 15)[30] == 0, want[i / 2].gap);
        ck_assert_int_eq(pl_image_row(&p.image, 15)[20], 0);
        ck_assert(p.image.bilevel == (bool)(i % 2) && p.image.dpi_x == 300);
        pl_page_image_done(&p);
    }
}
END_TEST

START_TEST(median_and_gauss_take_noise)
{
    struct pl_page_image p = blank_page(60, 30, 200);
    fill(&p.image, 10, 10, 30, 20, 50);
    fill(&p.image, 40, 12, 41, 13, 0);
    struct pl_page_image q = {.image = pl_image_ref(&p.image), .to_input = PL_AFFINE_IDENTITY};
    ck_assert_int_eq(run_op(&p, "median", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 12)[40], 200);
    ck_assert_int_eq(pl_image_row(&p.image, 15)[10], 50);
    ck_assert_int_eq(run_op(&q, "gauss", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&q.image, 12)[40], 200 - 200 * 36 / 256);
    ck_assert_int_eq(pl_image_row(&q.image, 15)[20], 50);
    pl_page_image_done(&p);
    pl_page_image_done(&q);
}
END_TEST

/* CLAHE keeps the order of greys at a place, raises the contrast of faint print, and at limit 1
 * moves no grey by more than the rounding. */
START_TEST(clahe_is_limited)
{
    struct pl_page_image p = blank_page(256, 256, 0);
    for (int y = 0; y < 256; y++)
        for (int x = 0; x < 256; x++)
            pl_image_row(&p.image, y)[x] = (uint8_t)(100 + (x / 4 + y / 4) % 2 * 20);
    struct pl_image before = pl_image_ref(&p.image);
    ck_assert_int_eq(run_op_with(&p, "contrast", 2, (struct given[]){{"method", 1}, {"limit", 1}}),
                     PLATEN_OK);
    for (int y = 0; y < 256; y++)
        for (int x = 0; x < 256; x++)
            ck_assert_int_le(abs(pl_image_row(&p.image, y)[x] - pl_image_row(&before, y)[x]), 2);
    ck_assert_int_eq(run_op_with(&p, "contrast", 2, (struct given[]){{"method", 1}, {"limit", 8}}),
                     PLATEN_OK);
    ck_assert_int_gt(pl_image_row(&p.image, 128)[132] - pl_image_row(&p.image, 128)[128] < 0
                         ? pl_image_row(&p.image, 128)[128] - pl_image_row(&p.image, 128)[132]
                         : pl_image_row(&p.image, 128)[132] - pl_image_row(&p.image, 128)[128],
                     24);
    pl_image_done(&before);
    pl_page_image_done(&p);
}
END_TEST

START_TEST(polarity_is_seen)
{
    struct pl_page_image p = text_page(700, 600, 0);
    fill(&p.image, 0, 0, 60, 600, 10);     /* a dark scan edge */
    fill(&p.image, 300, 80, 680, 420, 30); /* and a large dark picture */
    ck_assert_int_eq(run_op(&p, "invert", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 0)[100], 240);
    ck_assert_int_eq(run_op(&p, "invert", "mode", 1), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 0)[100], 15);
    pl_page_image_done(&p);
    p = text_page(700, 600, 0);
    ck_assert_int_eq(run_op(&p, "invert", "mode", 1), PLATEN_OK); /* now light on dark */
    ck_assert_int_eq(run_op(&p, "invert", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 0)[100], 240);
    pl_page_image_done(&p);
}
END_TEST

/* A small picture of one bold word: parts of it that lie inside its strokes do not count. */
START_TEST(polarity_of_a_small_crop)
{
    for (int dark = 0; dark < 2; dark++) {
        struct pl_page_image p = blank_page(90, 21, dark ? 20 : 235);
        for (int x = 4; x < 84; x += 13) {
            fill(&p.image, x, 6, x + 4, 16, dark ? 235 : 20);
            fill(&p.image, x + 6, 6, x + 10, 16, dark ? 235 : 20);
            fill(&p.image, x, 9, x + 10, 13, dark ? 235 : 20);
        }
        ck_assert_int_eq(run_op(&p, "invert", NULL, 0), PLATEN_OK);
        ck_assert_int_eq(pl_image_row(&p.image, 0)[0], 235);
        ck_assert_int_eq(pl_image_row(&p.image, 10)[5], 20);
        pl_page_image_done(&p);
    }
}
END_TEST

START_TEST(light_letters_in_a_dark_box_are_turned)
{
    struct pl_page_image p = page_with_box(), want = page_with_box();
    for (int y = 200; y < 240; y++)
        for (int x = 100; x < 500; x++)
            pl_image_row(&want.image, y)[x] ^= 255;
    ck_assert_int_eq(run_op(&p, "invert", NULL, 0), PLATEN_OK);
    for (int y = 0; y < 600; y++)
        ck_assert_mem_eq(pl_image_row(&p.image, y), pl_image_row(&want.image, y), 700);
    pl_page_image_done(&p);
    pl_page_image_done(&want);
}
END_TEST

/* Rows of several sizes in one box, the last at its rim; also white in a box of a tint that is
 * light to the page's threshold, as yellow is, and light grey on dark grey, both dark to the page's
 * threshold. The box is turned as a whole. */
START_TEST(all_rows_of_a_dark_box_are_turned)
{
    static const uint8_t tints[][2] = {{20, 240}, {127, 240}, {110, 180}, {60, 140}, {190, 240}};
    for (size_t t = 0; t < PL_ARRAY_LEN(tints); t++) {
        struct pl_page_image p = blank_page(700, 600, 240);
        for (int y = 40; y < 560; y += 40)
            write_h(&p.image, 60, y, y < 200 || y > 360 ? 25 : 0, 20);
        fill(&p.image, 40, 190, 660, 371, tints[t][0]);
        write_h(&p.image, 80, 200, 3, tints[t][1]);
        write_h(&p.image, 80, 242, 22, tints[t][1]);
        for (int x = 80; x < 560; x += 9) /* small print */
            fill(&p.image, x, 280, x + 2, 286, tints[t][1]);
        write_h(&p.image, 80, 310, 22, tints[t][1]);
        write_h(&p.image, 80, 350, 25, tints[t][1]);
        struct pl_page_image want = blank_page(700, 600, 240);
        for (int y = 0; y < 600; y++)
            for (int x = 0; x < 700; x++) {
                bool inside = y >= 190 && y < 371 && x >= 40 && x < 660;
                pl_image_row(&want.image, y)[x] = pl_image_row(&p.image, y)[x] ^ (inside ? 255 : 0);
            }
        ck_assert_int_eq(run_op(&p, "invert", NULL, 0), PLATEN_OK);
        for (int y = 0; y < 600; y++)
            ck_assert_mem_eq(pl_image_row(&p.image, y), pl_image_row(&want.image, y), 700);
        pl_page_image_done(&p);
        pl_page_image_done(&want);
    }
}
END_TEST

/* Rows set close, words apart, and a light bar that makes more than text of the box: all rows are
 * turned, and none in part. */
START_TEST(no_row_of_a_dark_box_is_turned_in_part)
{
    struct pl_page_image p = blank_page(700, 1200, 240);
    for (int y = 580; y < 1180; y += 30)
        write_h(&p.image, 60, y, 26, 20);
    fill(&p.image, 40, 100, 660, 560, 20);
    fill(&p.image, 50, 110, 56, 340, 240);
    for (int y = 130; y < 530; y += 28)
        for (int x = 90; x < 600; x += 240)
            write_h(&p.image, x, y, 4, 240);
    ck_assert_int_eq(run_op(&p, "invert", NULL, 0), PLATEN_OK);
    for (int y = 130; y < 530; y += 28)
        for (int x = 90; x < 600; x += 240)
            for (int i = 0; i < 20; i++) {
                ck_assert_int_eq(pl_image_row(&p.image, y + i)[x + 1], 255 - 240);
                ck_assert_int_eq(pl_image_row(&p.image, y + i)[x - 2], 255 - 20);
            }
    pl_page_image_done(&p);
}
END_TEST

/* A light box of dark letters on a dim page of light ones, which is darker still elsewhere: the
 * page is turned, the box again, and not all that is as dark as its surroundings with it. */
START_TEST(a_light_box_on_a_dim_page_is_turned_alone)
{
    struct pl_page_image p = blank_page(700, 1200, 150);
    fill(&p.image, 0, 700, 700, 1200, 40);
    for (int y = 40; y < 460; y += 40)
        write_h(&p.image, 60, y, 26, 255);
    fill(&p.image, 200, 500, 460, 580, 255);
    write_h(&p.image, 230, 530, 8, 20);
    ck_assert_int_eq(run_op(&p, "invert", NULL, 0), PLATEN_OK);
    for (int y = 40; y < 460; y += 40) {
        ck_assert_int_eq(pl_image_row(&p.image, y + 2)[61], 0);
        ck_assert_int_eq(pl_image_row(&p.image, y + 2)[50], 255 - 150);
    }
    ck_assert_int_eq(pl_image_row(&p.image, 532)[231], 20);
    ck_assert_int_eq(pl_image_row(&p.image, 510)[230], 255);
    pl_page_image_done(&p);
}
END_TEST

/* Whether the row of letters that write_h() made at (x, y) is dark on light. */
static bool is_dark_row(const struct pl_page_image *p, int x, int y)
{
    const uint8_t *row = pl_image_row(&p->image, y + 2);
    return row[x + 1] < row[x - 4];
}

/* A dark head with light letters right above a grey row of dark ones, both dark to the page's
 * threshold: the head is turned, as wide as it is, and the row is not. Then the same with more grey
 * rows than head, and letters of the head that are dark to that threshold, too. */
START_TEST(a_dark_box_ends_where_its_ground_does)
{
    for (int rows = 1; rows < 8; rows += 6) {
        struct pl_page_image p = blank_page(700, 800, 240);
        for (int y = 480; y < 760; y += 40)
            write_h(&p.image, 60, y, 25, 20);
        fill(&p.image, 40, 60, 660, 100, 20);
        fill(&p.image, 40, 100, 660, 100 + 40 * rows, 100);
        write_h(&p.image, 80, 70, 5, rows == 1 ? 240 : 110);
        write_h(&p.image, 400, 70, 5, rows == 1 ? 240 : 110);
        for (int i = 0; i < rows; i++)
            write_h(&p.image, 80, 110 + 40 * i, 6, 0);
        ck_assert_int_eq(run_op(&p, "invert", NULL, 0), PLATEN_OK);
        ck_assert(is_dark_row(&p, 80, 70) && is_dark_row(&p, 400, 70));
        ck_assert_int_eq(pl_image_row(&p.image, 65)[650], 255 - 20);
        for (int i = 0; i < rows; i++)
            ck_assert(is_dark_row(&p, 80, 110 + 40 * i));
        pl_page_image_done(&p);
    }
}
END_TEST

/* A dark first column and a dark head: neither takes in the light cells that stand in the corner
 * between them. */
START_TEST(a_dark_column_takes_no_light_cells)
{
    struct pl_page_image p = blank_page(700, 600, 240);
    fill(&p.image, 40, 60, 660, 180, 20);
    fill(&p.image, 40, 180, 240, 380, 20);
    for (int y = 70; y < 380; y += 40)
        write_h(&p.image, 60, y, 6, 240);
    for (int y = 190; y < 560; y += 40)
        write_h(&p.image, 300, y, 12, 20);
    write_h(&p.image, 300, 70, 4, 240);
    ck_assert_int_eq(run_op(&p, "invert", NULL, 0), PLATEN_OK);
    for (int y = 70; y < 380; y += 40)
        ck_assert(is_dark_row(&p, 60, y));
    for (int y = 190; y < 560; y += 40)
        ck_assert(is_dark_row(&p, 300, y));
    ck_assert(is_dark_row(&p, 300, 70));
    pl_page_image_done(&p);
}
END_TEST

/* A ground that grows lighter little by little, and one with a rule across it, are one box. */
START_TEST(a_ground_may_fade_and_have_rules)
{
    struct pl_page_image p = blank_page(700, 600, 240);
    for (int y = 100; y < 240; y++)
        fill(&p.image, 40, y, 660, y + 1, (uint8_t)(20 + (y - 100) / 2));
    fill(&p.image, 40, 170, 660, 172, 0);
    write_h(&p.image, 80, 110, 6, 240);
    write_h(&p.image, 80, 210, 1, 240); /* no row by itself */
    for (int y = 280; y < 560; y += 40)
        write_h(&p.image, 60, y, 25, 20);
    ck_assert_int_eq(run_op(&p, "invert", NULL, 0), PLATEN_OK);
    ck_assert(is_dark_row(&p, 80, 110) && is_dark_row(&p, 80, 210));
    pl_page_image_done(&p);
}
END_TEST

/* A page of which most is blank paper, and whose text stands in dark boxes, but for a row, is not
 * turned as a whole. */
START_TEST(a_light_page_with_dark_boxes_stays)
{
    struct pl_page_image p = blank_page(700, 1000, 240);
    for (int y = 60; y < 400; y += 160) {
        fill(&p.image, 40, y, 660, y + 128, 20);
        for (int i = 10; i < 120; i += 30)
            write_h(&p.image, 80, y + i, 24, 240);
    }
    write_h(&p.image, 60, 600, 1, 20);
    ck_assert_int_eq(run_op(&p, "invert", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 900)[100], 240);
    ck_assert(is_dark_row(&p, 60, 600) && is_dark_row(&p, 80, 70) && is_dark_row(&p, 80, 390));
    pl_page_image_done(&p);
}
END_TEST

/* Paper between dark letters in a shadow, which is as light to the page's threshold as paper is,
 * may look like letters: where most print is dark nothing is turned. */
START_TEST(shadows_of_dark_print_stay)
{
    for (int n = 0; n < 2; n++) { /* of dark rows */
        struct pl_page_image p = blank_page(700, 600, 240);
        for (int y = 40; y < 160; y += 40)
            write_h(&p.image, 60, y, 25, 20);
        fill(&p.image, 40, 190, 660, 371, 180);
        write_h(&p.image, 80, 260, 8, 240);
        for (int i = 0; i < n; i++) {
            write_h(&p.image, 80, 235, 25, 20);
            write_h(&p.image, 80, 285, 25, 20);
        }
        ck_assert_int_eq(run_op(&p, "invert", NULL, 0), PLATEN_OK);
        ck_assert_int_eq(pl_image_row(&p.image, 255)[100], n ? 180 : 255 - 180);
        pl_page_image_done(&p);
    }
}
END_TEST

/* The box ends right below two descenders, as those of forms that are filled by machine. */
START_TEST(descenders_may_touch_the_end_of_a_dark_box)
{
    struct pl_page_image p = page_with_box();
    fill(&p.image, 100, 238, 500, 240, 240); /* the box ends at 238, the letters at 230 */
    for (int x = 182; x <= 312; x += 130)
        fill(&p.image, x, 230, x + 2, 235, 240);
    ck_assert_int_eq(run_op(&p, "invert", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 212)[182], 255 - 240);
    ck_assert_int_eq(pl_image_row(&p.image, 233)[182], 255 - 240);
    ck_assert_int_eq(pl_image_row(&p.image, 233)[190], 255 - 20);
    pl_page_image_done(&p);
}
END_TEST

/* A field for dark letters in a dark box stays as it is, and the rows around it are turned. */
START_TEST(a_white_field_in_the_box_stays)
{
    struct pl_page_image p = page_with_box();
    fill(&p.image, 410, 206, 480, 234, 240);
    write_h(&p.image, 418, 210, 2, 20);
    ck_assert_int_eq(run_op(&p, "invert", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 220)[182], 255 - 240);
    ck_assert_int_eq(pl_image_row(&p.image, 230)[415], 240);
    ck_assert_int_eq(pl_image_row(&p.image, 220)[420], 20);
    pl_page_image_done(&p);
}
END_TEST

START_TEST(a_frame_inside_the_box_is_no_letter)
{
    struct pl_page_image p = page_with_box();
    fill(&p.image, 102, 202, 498, 203, 240);
    fill(&p.image, 102, 237, 498, 238, 240);
    fill(&p.image, 102, 202, 103, 238, 240);
    fill(&p.image, 497, 202, 498, 238, 240);
    ck_assert_int_eq(run_op(&p, "invert", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 220)[182], 255 - 240);
    ck_assert_int_eq(pl_image_row(&p.image, 212)[187], 255 - 20);
    pl_page_image_done(&p);
}
END_TEST

/* Frames and rules around dark print, bold letters that touch, and dark boxes without letters stay.
 */
START_TEST(dark_print_in_frames_is_left_alone)
{
    struct pl_page_image p = blank_page(700, 600, 240), want;
    for (int i = 0; i < 3; i++) { /* three frames, 3, 6 and 12 pixels thick */
        int t = 3 << i, y = 40 + 120 * i;
        fill(&p.image, 60, y, 620, y + 90, 20);
        fill(&p.image, 60 + t, y + t, 620 - t, y + 90 - t, 240);
        write_h(&p.image, 100, y + 35, 20, 20);
    }
    fill(&p.image, 60, 420, 620, 450, 20);
    for (int x = 100; x < 300; x += 20) { /* 0 after 0, without a gap */
        fill(&p.image, x, 480, x + 20, 510, 20);
        fill(&p.image, x + 6, 486, x + 14, 504, 240);
    }
    want = p;
    want.image = pl_image_ref(&p.image);
    ck_assert_int_eq(run_op(&p, "invert", NULL, 0), PLATEN_OK);
    for (int y = 0; y < 600; y++)
        ck_assert_mem_eq(pl_image_row(&p.image, y), pl_image_row(&want.image, y), 700);
    pl_page_image_done(&p);
    pl_page_image_done(&want);
}
END_TEST

START_TEST(background_makes_paper_white_and_keeps_ink)
{
    struct pl_page_image p = text_page(800, 700, 0);
    for (int y = 0; y < 700; y++)
        for (int x = 0; x < 800; x++) { /* light falls off to the right and down */
            uint8_t *v = &pl_image_row(&p.image, y)[x];
            *v = (uint8_t)(*v * (1 - 0.0004 * x - 0.0005 * y));
        }
    struct pl_image before = pl_image_ref(&p.image);
    ck_assert_int_eq(run_op(&p, "background", NULL, 0), PLATEN_OK);
    int paper = 0, ink = 0;
    for (int y = 90; y < 600; y++)
        for (int x = 90; x < 700; x++) {
            int light = (int)(240 * (1 - 0.0004 * x - 0.0005 * y));
            bool is_ink = pl_image_row(&before, y)[x] < light / 2;
            int v = pl_image_row(&p.image, y)[x];
            paper += !is_ink && v < 235;
            ink += is_ink && v > 60;
        }
    ck_assert_int_eq(paper, 0);
    ck_assert_int_eq(ink, 0);
    pl_image_done(&before);
    pl_page_image_done(&p);
}
END_TEST

/* Multiplies the greys of a part by percent / 100. */
static void darken(const struct pl_image *im, int x0, int y0, int x1, int y1, int percent)
{
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++) {
            uint8_t *v = &pl_image_row(im, y)[x];
            *v = (uint8_t)(*v * percent / 100);
        }
}

/* Whether background:mode=shaded changes the page, which is given back. */
static bool is_evened(struct pl_page_image p)
{
    bool changed = false;
    pl_auto_image before = pl_image_ref(&p.image);
    ck_assert_int_eq(run_op(&p, "background", "mode", 1), PLATEN_OK);
    for (int y = 0; y < before.height; y++)
        changed |=
            memcmp(pl_image_row(&before, y), pl_image_row(&p.image, y), (size_t)before.width) != 0;
    pl_page_image_done(&p);
    return changed;
}

/* A page of text of which a part lies in shadow. */
static struct pl_page_image shaded_page(int x0, int percent)
{
    struct pl_page_image p = text_page(800, 700, 0);
    darken(&p.image, x0, 0, 800, 700, percent);
    return p;
}

START_TEST(background_evens_out_pages_whose_print_lies_in_shadow)
{
    ck_assert(is_evened(shaded_page(500, 12)));
    ck_assert(is_evened(shaded_page(500, 30)));
    ck_assert(is_evened(shaded_page(650, 12)));
    ck_assert(!is_evened(shaded_page(500, 45))); /* light enough */
    ck_assert(!is_evened(shaded_page(700, 12))); /* too little of the print */
    ck_assert(!is_evened(shaded_page(0, 30)));   /* all of it: the page is dark, not shaded */
    ck_assert(!is_evened(text_page(800, 700, 0)));
    ck_assert(!is_evened(blank_page(800, 700, 240)));
    struct pl_page_image p = shaded_page(500, 12);
    ck_assert_int_eq(run_op(&p, "background", "mode", 1), PLATEN_OK);
    ck_assert_int_gt(pl_image_row(&p.image, 350)[795], 100); /* four times as light: the gain */
    ck_assert_int_gt(pl_image_row(&p.image, 350)[5], 250);
    pl_page_image_done(&p);
}
END_TEST

/* What is dark and no print in shadow: a table with a coarse grain around the page, a picture. */
START_TEST(background_leaves_pages_with_other_dark_parts)
{
    struct pl_page_image p = text_page(800, 700, 0);
    uint32_t seed = 1;
    for (int y = 0; y < 700; y++)
        for (int x = 400; x < 800; x++)
            pl_image_row(&p.image, y)[x] =
                (uint8_t)(10 + (seed = seed * 1664525 + 1013904223) / 0x4000000);
    ck_assert(!is_evened(p));
    p = text_page(800, 700, 0); /* grain of a camera that sees next to no light */
    for (int y = 0; y < 700; y++)
        for (int x = 400; x < 800; x++)
            pl_image_row(&p.image, y)[x] = (uint8_t)(x % 12 ? 10 : 3);
    ck_assert(!is_evened(p));
    p = text_page(800, 700, 0); /* forms of a picture, hardly darker than what is around them */
    for (int y = 0; y < 700; y++)
        for (int x = 500; x < 800; x++) {
            uint8_t *v = &pl_image_row(&p.image, y)[x];
            *v = *v < 100 ? 55 : 75;
        }
    ck_assert(!is_evened(p));
    p = text_page(800, 700, 0); /* a picture of soft forms */
    for (int y = 0; y < 700; y++)
        for (int x = 400; x < 800; x++)
            pl_image_row(&p.image, y)[x] = (uint8_t)(60 + 40 * sin(x / 9.0) * sin(y / 11.0));
    ck_assert(!is_evened(p));
}
END_TEST

START_TEST(despeckle_keeps_dots)
{
    struct pl_page_image p = text_page(600, 500, 0);
    fill(&p.image, 100, 100, 104, 104, 20); /* a full stop: a fifth of the letters */
    fill(&p.image, 20, 20, 21, 21, 20);     /* specks */
    fill(&p.image, 560, 470, 561, 472, 20);
    ck_assert_int_eq(run_op(&p, "otsu", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(run_op(&p, "despeckle", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 102)[102], 0);
    ck_assert_int_eq(pl_image_row(&p.image, 20)[20], 255);
    ck_assert_int_eq(pl_image_row(&p.gray, 20)[20], 240); /* the paper there */
    ck_assert_int_eq(run_op(&p, "despeckle", "size", 30), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 102)[102], 255);
    pl_page_image_done(&p);
}
END_TEST

/* Frames, rules and thousands of specks must not be taken for the size of print. */
START_TEST(despeckle_knows_the_letters)
{
    struct pl_page_image p = text_page(900, 800, 0);
    fill(&p.image, 60, 60, 840, 66, 0);
    fill(&p.image, 60, 734, 840, 740, 0);
    fill(&p.image, 60, 60, 66, 740, 0);
    fill(&p.image, 834, 60, 840, 740, 0);
    fill(&p.image, 70, 300, 400, 500, 0);
    for (int i = 0; i < 5000; i++) /* dots of two pixels, far from the letters */
        fill(&p.image, 2 + i % 200 * 4, 745 + i / 200 * 2 % 50, 4 + i % 200 * 4,
             746 + i / 200 * 2 % 50, 0);
    fill(&p.image, 100, 132, 110, 135, 20); /* a hyphen between lines */
    struct pl_image before = pl_image_ref(&p.image);
    ck_assert_int_eq(run_op(&p, "despeckle", NULL, 0), PLATEN_OK);
    for (int y = 62; y < 738; y++)
        ck_assert_int_eq(memcmp(pl_image_row(&before, y), pl_image_row(&p.image, y), 900), 0);
    int dots = 0;
    for (int y = 750; y < 800; y++)
        for (int x = 0; x < 900; x++)
            dots += pl_image_row(&p.image, y)[x] < 128;
    ck_assert_int_eq(dots, 0);
    pl_image_done(&before);
    pl_page_image_done(&p);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("cleaning");
    tcase_add_test(tc, unrule_leaves_the_letters);
    tcase_add_test(tc, contrast_spreads_the_greys);
    tcase_add_test(tc, normalize_brings_greys_to_a_range);
    tcase_add_test(tc, normalize_gives_mean_and_deviation);
    tcase_add_test(tc, normalize_takes_tiles_without_seams);
    tcase_add_test(tc, whiten_keeps_ink_and_its_edges);
    tcase_add_test(tc, faint_print_stays);
    tcase_add_test(tc, morph_is_about_ink);
    tcase_add_test(tc, median_and_gauss_take_noise);
    tcase_add_test(tc, clahe_is_limited);
    tcase_add_test(tc, polarity_is_seen);
    tcase_add_test(tc, polarity_of_a_small_crop);
    tcase_add_test(tc, light_letters_in_a_dark_box_are_turned);
    tcase_add_test(tc, a_dark_box_ends_where_its_ground_does);
    tcase_add_test(tc, a_dark_column_takes_no_light_cells);
    tcase_add_test(tc, a_ground_may_fade_and_have_rules);
    tcase_add_test(tc, a_light_page_with_dark_boxes_stays);
    tcase_add_test(tc, all_rows_of_a_dark_box_are_turned);
    tcase_add_test(tc, no_row_of_a_dark_box_is_turned_in_part);
    tcase_add_test(tc, a_light_box_on_a_dim_page_is_turned_alone);
    tcase_add_test(tc, shadows_of_dark_print_stay);
    tcase_add_test(tc, descenders_may_touch_the_end_of_a_dark_box);
    tcase_add_test(tc, a_white_field_in_the_box_stays);
    tcase_add_test(tc, a_frame_inside_the_box_is_no_letter);
    tcase_add_test(tc, dark_print_in_frames_is_left_alone);
    tcase_add_test(tc, background_makes_paper_white_and_keeps_ink);
    tcase_add_test(tc, background_evens_out_pages_whose_print_lies_in_shadow);
    tcase_add_test(tc, background_leaves_pages_with_other_dark_parts);
    tcase_add_test(tc, despeckle_keeps_dots);
    tcase_add_test(tc, despeckle_knows_the_letters);
    return run_env_suite("cleaning", tc);
}
