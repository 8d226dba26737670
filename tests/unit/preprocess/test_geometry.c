/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a page lies: turns, skew, sizes, and the way back to the input. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/preprocess/preprocess_fixture.h"

START_TEST(rescale_brings_print_to_its_height)
{
    static const struct {
        double scale;
        int width; /* of the page afterwards; the small letters of text_page() are 14 px high */
    } cases[] = {{1, 1200}, {0.5, 1886}, {6, 1886}};
    for (size_t i = 0; i < PL_ARRAY_LEN(cases); i++) {
        struct pl_page_image p = text_page(1200, 600, 0);
        ck_assert_int_eq(run_op(&p, "resize", "scale", cases[i].scale), PLATEN_OK);
        ck_assert_int_eq(run_op(&p, "rescale", NULL, 0), PLATEN_OK);
        ck_assert_msg(abs(p.image.width - cases[i].width) <= cases[i].width / 14, "%g: %d",
                      cases[i].scale, p.image.width);
        struct pl_point at = pl_affine_apply(&p.to_input, p.image.width, p.image.height);
        ck_assert_double_eq_tol(at.x, 1200, 1);
        ck_assert_double_eq_tol(at.y, 600, 1);
        pl_page_image_done(&p);
    }
    struct pl_page_image p = blank_page(300, 200, 255); /* a few marks are no text */
    for (int i = 0; i < 10; i++)
        fill(&p.image, 20 + 20 * i, 50, 25 + 20 * i, 58, 0);
    ck_assert_int_eq(run_op(&p, "rescale", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(p.image.width, 300);
    pl_page_image_done(&p);
}
END_TEST

static uint64_t claimed_px;

static void note_claim(void *ctx, uint64_t pixels, uint64_t scratch_bytes)
{
    (void)ctx;
    (void)scratch_bytes;
    claimed_px = PL_MAX(claimed_px, pixels);
}

/* What grows beyond a limit by what the page shows stays as it is; what was asked for fails. */
START_TEST(canvases_have_a_limit)
{
    static const struct {
        const char *op, *param;
        double value;
        int width, height;
        bool text;
        uint64_t max_pixels, claimed_px;
        platen_status status;
    } cases[] = {
        {"deskew", NULL, 0, 20000, 2, false, 1 << 30, 0, PLATEN_OK},
        {"deskew", NULL, 0, 1200, 600, true, 1200 * 600, 0, PLATEN_OK},
        {"deskew", NULL, 0, 1200, 600, true, 1 << 30, 1200 * 600, PLATEN_OK},
        {"rescale", NULL, 0, 600, 300, true, 600 * 300, 0, PLATEN_OK},
        {"rotate", "angle", 30, 100, 100, false, 18000, 0, PLATEN_ERR_LIMIT},
        {"rotate", "angle", 30, 100, 100, false, 19000, 18000, PLATEN_OK},
        {"rotate", "angle", 90, 100, 50, false, 5000, 5000, PLATEN_OK},
        {"resize", "scale", 2, 100, 50, false, 19999, 0, PLATEN_ERR_LIMIT},
        {"resize", "scale", 2, 100, 50, false, 20000, 20000, PLATEN_OK},
        {"border", "size", 10, 100, 50, false, 8399, 0, PLATEN_ERR_LIMIT},
        {"border", "size", 10, 100, 50, false, 8400, 8400, PLATEN_OK},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(cases); i++) {
        const struct pl_room room = {cases[i].max_pixels, note_claim, NULL};
        struct pl_page_image p = cases[i].text ? text_page(1200, 600, 5)
                                               : blank_page(cases[i].width, cases[i].height, 0);
        if (cases[i].text)
            ck_assert_int_eq(run_op(&p, "resize", "width", cases[i].width), PLATEN_OK);
        claimed_px = 0;
        env.room = &room;
        ck_assert_int_eq(run_op(&p, cases[i].op, cases[i].param, cases[i].value), cases[i].status);
        env.room = NULL;
        if (cases[i].claimed_px)
            ck_assert_msg(claimed_px >= cases[i].claimed_px, "case %zu", i);
        else
            ck_assert_int_eq(p.image.width, cases[i].width);
        ck_assert_uint_le(claimed_px, cases[i].max_pixels);
        pl_page_image_done(&p);
    }
}
END_TEST

static bool same_pixels(const struct pl_image *a, const struct pl_image *b)
{
    bool same = a->width == b->width && a->height == b->height;
    for (int y = 0; same && y < a->height; y++)
        same = !memcmp(pl_image_row(a, y), pl_image_row(b, y), (size_t)a->width);
    return same;
}

/* Quarter turns come back exactly, also of a page that is skewed. */
START_TEST(orient_sets_pages_upright)
{
    static const double skews[] = {0, 3.3, -14};
    for (size_t i = 0; i < PL_ARRAY_LEN(skews); i++)
        for (int quarters = 0; quarters < 4; quarters++) {
            struct pl_page_image p = text_page(900, 700, skews[i]);
            struct pl_image before = pl_image_ref(&p.image);
            ck_assert_int_eq(run_op(&p, "rotate", "angle", 90 * quarters), PLATEN_OK);
            ck_assert_int_eq(run_op(&p, "orient", NULL, 0), PLATEN_OK);
            ck_assert_msg(same_pixels(&p.image, &before), "%d quarters at %g", quarters, skews[i]);
            ck_assert_int_eq(p.upright, PL_UPRIGHT_SURE);
            ck_assert_int_eq(p.quarters, (4 - quarters) % 4);
            pl_image_done(&before);
            pl_page_image_done(&p);
        }
}
END_TEST

/* Letters of one height do not tell up from down, and a blank page nothing at all. */
START_TEST(orient_refuses_to_guess)
{
    struct pl_page_image p = blank_page(700, 500, 240);
    for (int y = 40; y < 440; y += 40)
        for (int x = 40; x < 640; x += 18)
            if (x / 18 % 6)
                fill(&p.image, x, y, x + 12, y + 20, 20);
    ck_assert_int_eq(run_op(&p, "rotate", "angle", 180), PLATEN_OK);
    struct pl_image before = pl_image_ref(&p.image);
    ck_assert_int_eq(run_op(&p, "orient", NULL, 0), PLATEN_OK);
    ck_assert_ptr_eq(p.image.px, before.px);
    ck_assert_int_eq(p.upright, PL_UPRIGHT_DOUBTFUL);
    pl_image_done(&before);
    pl_page_image_done(&p);
    p = blank_page(100, 300, 240);
    ck_assert_int_eq(run_op(&p, "orient", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(p.image.width, 100);
    ck_assert_int_eq(run_op(&p, "orient", "turn", 2), PLATEN_OK); /* the choice "90" */
    ck_assert_int_eq(p.image.width, 300);
    ck_assert_int_eq(p.upright, PL_UPRIGHT_SURE);
    ck_assert_int_eq(p.quarters, 1);
    pl_page_image_done(&p);
}
END_TEST

static const double angles[] = {0, 0.3, -0.3, 0.62, 2, -2.13, 4.4, -7, 10.5, 14.5, -14.5};

START_TEST(deskew_finds_the_angle)
{
    double deg = angles[_i];
    struct pl_page_image p = text_page(1100, 1400, deg);
    ck_assert_int_eq(run_op(&p, "deskew", NULL, 0), PLATEN_OK);
    ck_assert_msg(fabs(p.angle_deg - deg) < 0.05, "%g found as %g", deg, p.angle_deg);
    /* and the page is straight now */
    double again = p.angle_deg;
    ck_assert_int_eq(run_op(&p, "deskew", NULL, 0), PLATEN_OK);
    ck_assert_double_lt(fabs(p.angle_deg - again), 0.08);
    pl_page_image_done(&p);
}
END_TEST

START_TEST(deskew_leaves_what_is_level_enough)
{
    static const struct {
        double deg;
        bool turns;
    } v[] = {{0.07, false}, {-0.07, false}, {0.1, true}, {-0.1, true}};
    struct pl_page_image p = text_page(1100, 1400, v[_i].deg);
    ck_assert_int_eq(run_op(&p, "deskew", NULL, 0), PLATEN_OK);
    ck_assert_msg((p.angle_deg != 0) == v[_i].turns, "%g found as %g", v[_i].deg, p.angle_deg);
    pl_page_image_done(&p);
}
END_TEST

/* Lines of letters, each turned by an angle of its own: `deg` in the middle of the page, `fan` more
 * at the top and less at the bottom. */
static struct pl_page_image fan_page(double deg, double fan)
{
    struct pl_page_image p = blank_page(1200, 1000, 240);
    for (int line = 0; line < 20; line++) {
        double slope = tan((deg + fan * (10 - line) / 10.0) * M_PI / 180);
        for (int i = 0; i < 55; i++) {
            int x = 100 + 18 * i, foot = (int)lround(120 + 40 * line - slope * (x + 6 - 600));
            int h = (i * 5 + line) % 4 == 0 ? 22 : 14;
            if ((i * 7 + line * 3) % 11 >= 2)
                fill(&p.image, x, foot - h, x + 12, foot, 20);
        }
    }
    return p;
}

START_TEST(deskew_takes_the_middle_of_a_fan)
{
    static const double cases[][2] = {{0, 0.8}, {2, 0.6}, {-3, 1}};
    for (size_t i = 0; i < PL_ARRAY_LEN(cases); i++) {
        struct pl_page_image p = fan_page(cases[i][0], cases[i][1]);
        ck_assert_int_eq(run_op(&p, "deskew", NULL, 0), PLATEN_OK);
        ck_assert_msg(fabs(p.angle_deg - cases[i][0]) < 0.12, "%g instead of %g", p.angle_deg,
                      cases[i][0]);
        pl_page_image_done(&p);
    }
}
END_TEST

/* Nine lines, seven and four, each part turned by its own angle: the largest is set straight. */
START_TEST(deskew_follows_the_largest_part)
{
    struct pl_page_image p = blank_page(1200, 1000, 240);
    for (int line = 0; line < 20; line++) {
        int slope = line < 9 ? 12 : line < 16 ? -2 : -14; /* thousandths */
        for (int i = 0; i < 55; i++) {
            int x = 100 + 18 * i,
                foot = 120 + 40 * line - (int)lround(slope * (x + 6 - 600) / 1000.0);
            int h = (i * 5 + line) % 4 == 0 ? 22 : 14;
            fill(&p.image, x, foot - h, x + 12, foot, 20);
        }
    }
    ck_assert_int_eq(run_op(&p, "deskew", NULL, 0), PLATEN_OK);
    ck_assert_msg(fabs(p.angle_deg - 0.688) < 0.08, "%g", p.angle_deg);
    pl_page_image_done(&p);
}
END_TEST

/* What is at (u, v) of a page of two columns before it was turned. */
typedef bool two_columns(double u, double v);

/* A word of block letters from (0, 0), n letters long and 14 high; 2 of every `wide` are white. */
static bool is_word(double u, double v, int n, int wide)
{
    return u >= 0 && u < n * wide && fmod(u, wide) < wide - 2 && v >= (int)(u / wide) % 3 * 2 &&
           v < 14;
}

/* Rows of a label and a value with rules around, 26 px apart; the middles of the cells are 700 px
 * apart, so that the rules of one column line up with those two rows further down at 4.3 degrees,
 * and both words with them. */
static bool grid_at(double u, double v)
{
    int row = (int)floor((v - 100) / 26);
    double x = u - 100, y = v - 100 - row * 26;
    if (row < 0 || row >= 18 || x < 0 || x >= 1400)
        return false;
    return y < 1 || x < 1 || fabs(x - 300) < 1 || x >= 1399 ||
           is_word(x - 10, y - 5, 2, 16 + row * 5 % 4 * 3) ||
           is_word(x - 310, y - 5, 2, 16 + row * 3 % 4 * 3);
}

/* Lines of print beside others that stand 17 px lower: half the distance of two. */
static bool uneven_at(double u, double v)
{
    double x = u < 820 ? u - 100 : u - 880, y = u < 820 ? v - 100 : v - 117;
    int row = (int)floor(y / 34), word = (int)floor(x / 120);
    return row >= 0 && row < 20 && word >= 0 && word < 5 &&
           is_word(x - 120 * word, y - 34 * row, 4 + (row + word) * 3 % 4, 16);
}

/* Words under each other far apart, too few and too short for lines: the right ones stand lower. */
static bool sparse_at(double u, double v)
{
    double x = u < 820 ? u - 100 : u - 1100, y = u < 820 ? v - 100 : v - 117;
    int row = (int)floor(y / 34);
    return row >= 0 && row < 20 && is_word(x, y - 34 * row, 4 + row * 5 % 3, 16);
}

START_TEST(deskew_is_not_led_astray_by_columns)
{
    static two_columns *const pages[] = {grid_at, uneven_at, sparse_at};
    static const double turned[] = {0, -0.4, 1.5, -3, 7};
    for (size_t i = 0; i < PL_ARRAY_LEN(pages); i++)
        for (size_t k = 0; k < PL_ARRAY_LEN(turned); k++) {
            struct pl_page_image p = blank_page(1654, 900, 240);
            double c = cos(turned[k] * M_PI / 180), s = sin(turned[k] * M_PI / 180);
            for (int y = 0; y < 900; y++)
                for (int x = 0; x < 1654; x++) {
                    double dx = x + .5 - 827, dy = y + .5 - 450;
                    if (pages[i](c * dx - s * dy + 827, s * dx + c * dy + 450))
                        pl_image_row(&p.image, y)[x] = 20;
                }
            ck_assert_int_eq(run_op(&p, "deskew", NULL, 0), PLATEN_OK);
            ck_assert_msg(fabs(p.angle_deg - turned[k]) < 0.15, "page %zu: %g found as %g", i,
                          turned[k], p.angle_deg);
            pl_page_image_done(&p);
        }
}
END_TEST

/* A ladder of bars, as of a barcode, is turned by another angle than the text, and heavier. */
START_TEST(deskew_follows_the_text_beside_bars)
{
    struct pl_page_image p = fan_page(1, 0);
    fill(&p.image, 0, 400, 1200, 1000, 240);
    for (int y = 440; y < 980; y++)
        for (int x = 300; x < 900; x++)
            if ((int)floor((y + tan(4 * M_PI / 180) * x) / 6) % 2)
                pl_image_row(&p.image, y)[x] = 20;
    ck_assert_int_eq(run_op(&p, "deskew", "confidence", 100), PLATEN_OK);
    ck_assert_msg(fabs(p.angle_deg - 1) < 0.1, "%g", p.angle_deg);
    pl_page_image_done(&p);
}
END_TEST

START_TEST(deskew_refuses_what_has_no_lines)
{
    struct pl_page_image p = blank_page(600, 500, 255);
    uint32_t seed = 11;
    for (int i = 0; i < 4000; i++) {
        seed = seed * 1664525 + 1013904223;
        int x = (int)(seed >> 8) % 590, y = (int)(seed >> 18) % 490;
        fill(&p.image, x, y, x + 3, y + 3, 0);
    }
    ck_assert_int_eq(run_op(&p, "deskew", NULL, 0), PLATEN_OK);
    ck_assert_double_eq(p.angle_deg, 0);
    ck_assert_int_eq(p.image.width, 600);
    pl_page_image_done(&p);
}
END_TEST

/* After a chain of moves a mark is found where to_input says that it came from. */
START_TEST(moves_map_back_to_the_input)
{
    static const struct {
        const char *op, *param;
        double v;
    } moves[] = {{"rotate", "angle", 90},   {"rotate", "angle", -17.3}, {"resize", "scale", 1.7},
                 {"resize", "scale", 0.6},  {"crop", "x", 21},          {"border", "size", 33},
                 {"rotate", "angle", 180},  {"rotate", "angle", 270},   {"rotate", "expand", 1},
                 {"resize", "height", 170}, {"resize", "width", 310}};
    for (size_t i = 0; i < PL_ARRAY_LEN(moves); i++) {
        struct pl_page_image p = blank_page(300, 200, 255);
        fill(&p.image, 150, 60, 162, 72, 0);                      /* middle at (156, 66) */
        ck_assert_int_eq(run_op(&p, "otsu", NULL, 0), PLATEN_OK); /* so that two pictures move */
        for (size_t j = 0; j <= i; j++)
            ck_assert_int_eq(run_op(&p, moves[j].op, moves[j].param, moves[j].v), PLATEN_OK);
        double sx = 0, sy = 0, n = 0;
        for (int y = 0; y < p.image.height; y++)
            for (int x = 0; x < p.image.width; x++)
                if (!pl_image_row(&p.image, y)[x]) {
                    sx += x + .5;
                    sy += y + .5;
                    n++;
                }
        ck_assert_double_gt(n, 10);
        struct pl_point at = pl_affine_apply(&p.to_input, sx / n, sy / n);
        ck_assert_double_eq_tol(at.x, 156, 0.4);
        ck_assert_double_eq_tol(at.y, 66, 0.4);
        ck_assert_int_eq(p.gray.width, p.image.width);
        ck_assert_int_eq(p.gray.height, p.image.height);
        pl_page_image_done(&p);
    }
}
END_TEST

START_TEST(quarter_turns_are_exact)
{
    struct pl_page_image p = blank_page(3, 2, 0);
    memcpy(pl_image_row(&p.image, 0), "abc", 3);
    memcpy(pl_image_row(&p.image, 1), "def", 3);
    ck_assert_int_eq(run_op(&p, "rotate", "angle", 90), PLATEN_OK);
    ck_assert_int_eq(p.image.width, 2);
    ck_assert_int_eq(memcmp(pl_image_row(&p.image, 0), "da", 2), 0);
    ck_assert_int_eq(memcmp(pl_image_row(&p.image, 2), "fc", 2), 0);
    ck_assert_int_eq(run_op(&p, "rotate", "angle", -90), PLATEN_OK);
    ck_assert_int_eq(memcmp(pl_image_row(&p.image, 0), "abc", 3), 0);
    ck_assert_int_eq(memcmp(pl_image_row(&p.image, 1), "def", 3), 0);
    pl_page_image_done(&p);
}
END_TEST

START_TEST(paper_lies_around_a_turned_page)
{
    struct pl_page_image p = text_page(400, 300, 0); /* on paper of 240 */
    ck_assert_int_eq(run_op(&p, "rotate", "angle", 10), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 0)[0], 240);
    ck_assert_int_eq(run_op(&p, "otsu", NULL, 0), PLATEN_OK);
    ck_assert_int_eq(run_op(&p, "invert", "mode", 1), PLATEN_OK);
    ck_assert_int_eq(run_op(&p, "rotate", "angle", 10), PLATEN_OK);
    ck_assert_int_eq(pl_image_row(&p.image, 0)[0], 255); /* in black and white it is white */
    pl_page_image_done(&p);
}
END_TEST

/* A page that came in black and white: its picture stays so, and reading gets the soft edges. */
START_TEST(sizes_are_kept_or_reached)
{
    struct pl_page_image p = blank_page(300, 200, 255);
    p.image.dpi_x = p.image.dpi_y = 200;
    ck_assert_int_eq(run_op(&p, "rotate", "expand", 1), PLATEN_OK); /* a quarter turn */
    ck_assert(p.image.width == 300 && p.image.height == 200);
    ck_assert_int_eq(run_op(&p, "resize", "height", 100), PLATEN_OK);
    ck_assert(p.image.width == 150 && p.image.height == 100);
    ck_assert_double_eq_tol((double)p.image.dpi_x, 100, 1e-3);
    ck_assert_int_eq(run_op(&p, "resize", "dpi", 300), PLATEN_OK);
    ck_assert(p.image.width == 450 && p.image.height == 300);
    ck_assert_int_eq(run_op(&p, "resize", "width", 90), PLATEN_OK);
    ck_assert(p.image.width == 90 && p.image.height == 60);
    pl_page_image_done(&p);
    /* a fax: one resolution is reached from two */
    p = blank_page(204, 98, 255);
    p.image.dpi_x = 204;
    p.image.dpi_y = 98;
    ck_assert_int_eq(run_op(&p, "resize", "dpi", 102), PLATEN_OK);
    ck_assert(p.image.width == 102 && p.image.height == 102);
    ck_assert_double_eq_tol((double)p.image.dpi_y, 102, 1e-3);
    pl_page_image_done(&p);
}
END_TEST

START_TEST(pixels_of_a_fax_become_square)
{
    static const struct {
        double dpi_x, dpi_y;
        uint64_t max_pixels; /* 0: any */
        int width, height;
    } cases[] = {{204, 98, 0, 204, 204}, {204, 196, 0, 204, 98}, {204, 391, 0, 391, 98},
                 {0, 0, 0, 204, 98},     {600, 100, 0, 204, 98}, {204, 98, 204 * 203, 204, 98}};
    for (size_t i = 0; i < PL_ARRAY_LEN(cases); i++) {
        const struct pl_room room = {cases[i].max_pixels, note_claim, NULL};
        struct pl_page_image p = blank_page(204, 98, 255);
        p.image.dpi_x = (float)cases[i].dpi_x;
        p.image.dpi_y = (float)cases[i].dpi_y;
        env.room = cases[i].max_pixels ? &room : NULL;
        ck_assert_int_eq(run_op(&p, "square", NULL, 0), PLATEN_OK);
        env.room = NULL;
        ck_assert_msg(p.image.width == cases[i].width && p.image.height == cases[i].height,
                      "%zu: %d x %d", i, p.image.width, p.image.height);
        const struct pl_point at = pl_affine_apply(&p.to_input, p.image.width, p.image.height);
        ck_assert_double_eq_tol(at.x, 204, 1e-6);
        ck_assert_double_eq_tol(at.y, 98, 1e-6);
        pl_page_image_done(&p);
    }
}
END_TEST

START_TEST(turned_bilevel_has_a_grey_twin)
{
    static const char *const ops[][2] = {{"rotate", "angle"}, {"resize", "scale"}};
    for (size_t i = 0; i < 2; i++) {
        struct pl_page_image p = blank_page(300, 200, 255);
        fill(&p.image, 100, 80, 140, 110, 0);
        p.image.bilevel = true;
        ck_assert_int_eq(run_op(&p, ops[i][0], ops[i][1], 1.37), PLATEN_OK);
        ck_assert(p.image.bilevel && p.gray.store && !p.gray.bilevel);
        int soft = 0;
        for (int y = 0; y < p.image.height; y++)
            for (int x = 0; x < p.image.width; x++) {
                int v = pl_image_row(&p.gray, y)[x];
                ck_assert_int_eq(pl_image_row(&p.image, y)[x], v > 127 ? 255 : 0);
                soft += v > 0 && v < 255;
            }
        ck_assert_int_gt(soft, 40);
        pl_page_image_done(&p);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("geometry");
    tcase_add_test(tc, rescale_brings_print_to_its_height);
    tcase_add_test(tc, pixels_of_a_fax_become_square);
    tcase_add_test(tc, canvases_have_a_limit);
    tcase_add_test(tc, orient_sets_pages_upright);
    tcase_add_test(tc, orient_refuses_to_guess);
    tcase_add_loop_test(tc, deskew_finds_the_angle, 0, (int)PL_ARRAY_LEN(angles));
    tcase_add_loop_test(tc, deskew_leaves_what_is_level_enough, 0, 4);
    tcase_add_test(tc, deskew_takes_the_middle_of_a_fan);
    tcase_add_test(tc, deskew_follows_the_largest_part);
    tcase_add_test(tc, deskew_follows_the_text_beside_bars);
    tcase_add_test(tc, deskew_is_not_led_astray_by_columns);
    tcase_add_test(tc, deskew_refuses_what_has_no_lines);
    tcase_add_test(tc, moves_map_back_to_the_input);
    tcase_add_test(tc, quarter_turns_are_exact);
    tcase_add_test(tc, paper_lies_around_a_turned_page);
    tcase_add_test(tc, sizes_are_kept_or_reached);
    tcase_add_test(tc, turned_bilevel_has_a_grey_twin);
    return run_env_suite("geometry", tc);
}
