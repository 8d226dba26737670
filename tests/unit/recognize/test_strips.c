/* SPDX-License-Identifier: BSD-2-Clause */
/* The picture of a line as the network takes it. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "image/image.h"
#include "recognize/strip.h"
#include "tests/unit/parabola.h"
#include "tests/unit/suite.h"
#include "train/own_strips.h"

struct page {
    struct pl_env env;
    struct pl_kernels k;
    struct pl_image gray;
};

static void page_init(struct page *p, int width, int height)
{
    *p = (struct page){0};
    pl_kernels_init(&p->k, PL_ISA_SCALAR);
    p->env = (struct pl_env){.k = &p->k, .bufs = pl_bufpool_new()};
    ck_assert_int_eq(pl_image_init(&p->env, width, height, PL_GRAY8, &p->gray, NULL), PLATEN_OK);
    for (int y = 0; y < height; y++)
        memset(pl_image_row(&p->gray, y), 255, (size_t)width);
}

static void page_done(struct page *p)
{
    pl_image_done(&p->gray);
    pl_bufpool_free(p->env.bufs);
}

static int next_random(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return (int)(*seed >> 16);
}

static int by_value(const void *a, const void *b)
{
    return *(const uint8_t *)a - *(const uint8_t *)b;
}

START_TEST(levels_are_those_of_the_sorted_pixels)
{
    uint32_t seed = 7;
    for (int round = 0; round < 60; round++) {
        static uint8_t px[5000];
        uint32_t hist[256] = {0};
        uint8_t lut[256];
        size_t n = 1 + (size_t)next_random(&seed) % sizeof(px);
        int base = next_random(&seed) % 200, spread = 1 + next_random(&seed) % 56;
        for (size_t i = 0; i < n; i++)
            hist[px[i] = (uint8_t)(base + next_random(&seed) % spread)]++;
        pl_strip_levels(&own_strips, hist, n, lut);
        qsort(px, n, 1, by_value);
        double lo = px[n / 100], hi = px[PL_MIN(n - 1, n * 97 / 100)];
        if (hi - lo < 24) {
            lo = (px[n / 100] + px[PL_MIN(n - 1, n * 97 / 100)]) / 2.0 - 12;
            hi = lo + 24;
        }
        for (int g = 0; g < 256; g++) {
            double q = floor((hi - g) / (hi - lo) * 160 + .5) + 48;
            ck_assert_int_eq(lut[g], (int)fmin(fmax(q, 0), 255));
        }
    }
}
END_TEST

/* The strip of a line as 32 rows; gives its padded width. */
static int make(struct page *p, const struct pl_line *line, struct pl_strip_cut *cut, uint8_t *dst)
{
    struct platen_error err;
    ck_assert(pl_strip_next(line, p->gray.width, p->gray.height, &own_strips, line->box.x0, cut));
    ck_assert_int_eq(pl_strip_make(&p->env, &p->gray, &own_strips, cut, dst, &err), PLATEN_OK);
    return pl_strip_padded(&own_strips, cut->columns);
}

/* 100 px of ink height with its margins are 116 rows, or 32 of the strip. */
START_TEST(a_level_line_keeps_its_rows)
{
    struct page p;
    page_init(&p, 700, 300);
    for (int y = 100; y < 200; y++) /* full height at the left, its upper half right of it */
        memset(pl_image_row(&p.gray, y) + 50, 0, y < 150 ? 400 : 200);
    struct pl_line line = {
        .box = {50, 100, 450, 200}, .base_y = 180, .ascent_px = 80, .descent_px = 20};
    struct pl_strip_cut cut;
    static uint8_t px[32 * 1000];
    int width = make(&p, &line, &cut, px);
    ck_assert_int_eq(cut.y0, 92);
    ck_assert_int_eq(cut.y1, 208);
    ck_assert_int_eq(cut.x0, 40);
    ck_assert_int_eq(cut.x1, 460);
    ck_assert_int_eq(cut.columns, 116); /* 420 * 32 / 116 = 115.86 */
    ck_assert_int_eq(width, 132);
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < width; x++) {
            double row = 92 + (y + .5) * 116 / 32, column = 40 + (x - 8 + .5) * 420 / 116;
            bool inside = row > 100 && row < 200 && column > 50 && column < (row < 150 ? 450 : 250);
            double edge = fmin(fabs(row - 100), fabs(row - 200));
            edge = fmin(edge, fmin(fabs(column - 50), fabs(column - 450)));
            edge = fmin(edge, column > 245 ? fmin(fabs(row - 150), fabs(column - 250)) : edge);
            if (edge > 4 || x < 8 || x >= 124)
                ck_assert_int_eq(px[y * width + x], inside ? 208 : 48);
        }
    page_done(&p);
}
END_TEST

static void check_becomes_level(double slope, double bend)
{
    struct page p;
    const struct pl_curve curve = parabola(100, 900, bend);
    page_init(&p, 1000, 300);
    struct pl_line line = {.box = {100, 143, 900, 205},
                           .base_y = 200,
                           .slope = slope,
                           .curve = bend != 0 ? &curve : NULL,
                           .ascent_px = 24,
                           .descent_px = 3.6};
    for (int x = 100; x < 900; x++) /* a bar of 8 rows that stands on the baseline */
        for (int y = 0; y < 8; y++)
            pl_image_row(&p.gray, (int)rint(pl_line_y(&line, x + .5)) - 8 + y)[x] = 0;
    struct pl_strip_cut cut;
    static uint8_t px[32 * 2000];
    int width = make(&p, &line, &cut, px);
    ck_assert_int_eq(cut.y1 - cut.y0, 32);           /* 27.6 * 1.16 */
    double base = pl_line_y(&line, cut.x0) - cut.y0; /* of the strip */
    for (int x = 60; x < width - 60; x++)
        for (int y = 0; y < 32; y++) {
            double above = base - (y + .5);
            if (above > 1.6 && above < 6.4)
                ck_assert_int_ge(px[y * width + x], 180);
            if (above < -1.6 || above > 9.6)
                ck_assert_int_le(px[y * width + x], 60);
        }
    page_done(&p);
}

START_TEST(a_tilted_or_bowed_line_becomes_level)
{
    check_becomes_level(-0.06, 0);
    check_becomes_level(-0.06, 0.00015); /* 24 px down in the middle */
    check_becomes_level(0, -0.0003);
}
END_TEST

/* The baseline stays where it is, whatever the box that tells it. */
START_TEST(a_line_gets_another_box)
{
    const struct pl_curve curve = parabola(100, 900, 0.00015);
    struct pl_line line = {
        .box = {100, 143, 900, 205}, .base_y = 200, .slope = -0.06, .curve = &curve};
    double y[] = {pl_line_y(&line, 300), pl_line_y(&line, 500), pl_line_y(&line, 800)};
    ck_assert_double_eq_tol(y[1], 200 - 24 - 24, 1e-9);
    pl_line_set_box(&line, (struct pl_rect){300, 140, 800, 200});
    for (int i = 0; i < 3; i++)
        ck_assert_double_eq_tol(pl_line_y(&line, (int[]){300, 500, 800}[i]), y[i], 1e-9);
}
END_TEST

START_TEST(a_cut_ends_with_the_page)
{
    struct page p;
    page_init(&p, 60, 20);
    for (int y = 0; y < 20; y++)
        memset(pl_image_row(&p.gray, y), y % 5 ? 0 : 200, 60);
    struct pl_line line = {.box = {0, 0, 60, 20}, .base_y = 18, .ascent_px = 18, .descent_px = 2};
    struct pl_strip_cut cut;
    static uint8_t px[32 * 400];
    ck_assert_int_eq(make(&p, &line, &cut, px), 112);
    ck_assert(cut.x0 == 0 && cut.y0 == 0 && cut.x1 == 60 && cut.y1 == 20);
    line.slope = .2; /* rows outside the page read as paper */
    make(&p, &line, &cut, px);
    ck_assert(cut.slope != 0);
    line.slope = 0;
    line.base_y = 500; /* wholly outside */
    ck_assert(!pl_strip_next(&line, 60, 20, &own_strips, 0, &cut));
    line = (struct pl_line){.box = {10, 5, 12, 6}}; /* no baseline known: the box */
    make(&p, &line, &cut, px);
    ck_assert(cut.y0 <= 5 && cut.y1 >= 6 && cut.columns >= 4);
    page_done(&p);
}
END_TEST

START_TEST(long_lines_fall_into_pieces)
{
    static struct pl_rect gaps[800];
    for (int i = 0; i < 800; i++)
        gaps[i] = (struct pl_rect){i * 100, 10, i * 100 + 80, 26};
    struct pl_line line = {.box = {0, 10, 79980, 26},
                           .base_y = 24,
                           .ascent_px = 14,
                           .descent_px = 2,
                           .gaps = gaps,
                           .n_gaps = 800};
    struct pl_strip_cut cut;
    int end = 0, pieces = 0;
    for (int from = 0; pl_strip_next(&line, 80000, 40, &own_strips, from, &cut); from = cut.x1) {
        ck_assert_int_eq(cut.x0, end);
        ck_assert_int_gt(cut.x1, cut.x0);
        ck_assert_int_le(cut.columns, PL_STRIP_MAX_COLUMNS);
        ck_assert(cut.in_gap == (cut.x1 < 79980));
        if (cut.in_gap)
            ck_assert_int_eq(cut.x1 % 100, 90);
        end = cut.x1;
        pieces++;
    }
    ck_assert_int_ge(end, 79980);
    ck_assert_int_ge(pieces, 80000 * 32 / 19 / PL_STRIP_MAX_COLUMNS);
    line.n_gaps = 0; /* nowhere to break: still all of it, and no space is made up */
    end = 0;
    for (int from = 0; pl_strip_next(&line, 80000, 40, &own_strips, from, &cut); from = cut.x1) {
        ck_assert_int_eq(cut.x0, end);
        ck_assert(!cut.in_gap);
        end = cut.x1;
    }
    ck_assert_int_ge(end, 79980);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("strips");
    tcase_add_test(tc, levels_are_those_of_the_sorted_pixels);
    tcase_add_test(tc, a_level_line_keeps_its_rows);
    tcase_add_test(tc, a_tilted_or_bowed_line_becomes_level);
    tcase_add_test(tc, a_line_gets_another_box);
    tcase_add_test(tc, a_cut_ends_with_the_page);
    tcase_add_test(tc, long_lines_fall_into_pieces);
    Suite *s = suite_create("strips");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
