/* SPDX-License-Identifier: BSD-2-Clause */
/* Black and white: thresholds against their definitions, strokes that are known. */
#include <check.h>
#include <math.h>

#include "preprocess/binarize/binarize.h"
#include "preprocess/binarize/ink.h"
#include "tests/unit/preprocess/preprocess_fixture.h"

START_TEST(otsu_equals_the_definition)
{
    struct pl_page_image p = blank_page(97, 61, 0);
    uint32_t seed = 7;
    for (int y = 0; y < 61; y++)
        for (int x = 0; x < 97; x++) {
            seed = seed * 1664525 + 1013904223;
            pl_image_row(&p.image, y)[x] =
                (uint8_t)((seed >> 24) / 4 + ((x / 9 + y / 7) % 3 ? 150 : 40));
        }
    /* greatest variance between the classes, from the pixels themselves */
    double best = -1;
    int level = 0;
    for (int t = 0; t < 255; t++) {
        double n[2] = {0}, sum[2] = {0};
        for (int y = 0; y < 61; y++)
            for (int x = 0; x < 97; x++) {
                int v = pl_image_row(&p.image, y)[x];
                n[v > t]++;
                sum[v > t] += v;
            }
        if (n[0] > 0 && n[1] > 0) {
            double d = sum[0] / n[0] - sum[1] / n[1], v = n[0] * n[1] * d * d;
            if (v > best * (1 + 1e-12)) {
                best = v;
                level = t;
            }
        }
    }
    struct pl_image gray = pl_image_ref(&p.image);
    ck_assert_int_eq(run_op(&p, "otsu", NULL, 0), PLATEN_OK);
    ck_assert(p.image.bilevel);
    for (int y = 0; y < 61; y++)
        for (int x = 0; x < 97; x++)
            ck_assert_int_eq(pl_image_row(&p.image, y)[x],
                             pl_image_row(&gray, y)[x] > level ? 255 : 0);
    pl_image_done(&gray);
    pl_page_image_done(&p);
}
END_TEST

/* Mean and standard deviation of the box of radius r about (x, y) that lies inside the picture. */
static void box_at(const struct pl_image *im, int x, int y, int r, double *ret_m, double *ret_s,
                   double *ret_n)
{
    double n = 0, s = 0, q = 0;
    for (int v = PL_MAX(y - r, 0); v <= PL_MIN(y + r, im->height - 1); v++)
        for (int u = PL_MAX(x - r, 0); u <= PL_MIN(x + r, im->width - 1); u++) {
            double g = pl_image_row(im, v)[u];
            n++;
            s += g;
            q += g * g;
        }
    *ret_n = n;
    *ret_m = s / n;
    *ret_s = sqrt(fmax(q / n - s / n * (s / n), 0));
}

START_TEST(local_thresholds_equal_their_definitions)
{
    enum { W = 53, H = 41, R = 7 };
    static const double strengths[] = {0.3, 0.4, 0.12, 25};
    enum pl_local_method method = (enum pl_local_method)_i;
    const double k = strengths[_i];
    struct pl_page_image p = blank_page(W, H, 0);
    uint32_t seed = 3;
    double most = 0, m, dev, n;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            seed = seed * 1664525 + 1013904223;
            pl_image_row(&p.image, y)[x] = (uint8_t)(10 + (seed >> 24) * (x + 20) / 80);
        }
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            box_at(&p.image, x, y, R, &m, &dev, &n);
            most = fmax(most, dev);
        }
    struct pl_local_threshold threshold = {method, 2 * R + 1, k};
    pl_auto_image out = {0};
    ck_assert_int_eq(pl_binarize_local(&env, &p.image, &threshold, &out, &err), PLATEN_OK);
    int close_calls = 0, ink = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            box_at(&p.image, x, y, R, &m, &dev, &n);
            double t = method == PL_LOCAL_SAUVOLA ? m * (1 + k * (dev / 128 - 1))
                       : method == PL_LOCAL_WOLF  ? m + k * (dev / most - 1) * (m - 10)
                       : method == PL_LOCAL_NICK  ? m - k * sqrt(dev * dev + m * m * (1 - 1 / n))
                                                  : m - k;
            int g = pl_image_row(&p.image, y)[x];
            if (method != PL_LOCAL_MEAN && fabs(g - t) < 2e-3) {
                close_calls++;
                continue; /* the sums are exact, the rest works in single precision */
            }
            ck_assert_int_eq(pl_image_row(&out, y)[x], g > t ? 255 : 0);
            ink += g <= t;
        }
    ck_assert_int_lt(close_calls, 5);
    ck_assert(ink > 200 && ink < W * H - 200);
    pl_auto_bits bits = {0};
    if (method == PL_LOCAL_SAUVOLA)
        ck_assert(!pl_bits_sauvola(&env, &p.image, 2 * R + 1, k, &bits, &err));
    for (int y = 0; y < bits.height; y++)
        for (int x = 0; x < bits.width; x++)
            ck_assert_int_eq(pl_bits_ink(&bits, x, y), !pl_image_row(&out, y)[x]);
    pl_page_image_done(&p);
}
END_TEST

/* Soft print under falling light, faint in places: ink is what was drawn. */
START_TEST(binarize_finds_the_strokes)
{
    struct pl_page_image p = text_page(800, 700, 0), truth = text_page(800, 700, 0);
    for (int y = 1; y < 699; y++)
        for (int x = 1; x < 799; x++) {
            double sum = 0, light = 1 - 0.0004 * x - 0.0005 * y, faint = x < 400 ? 1 : 0.45;
            for (int v = y - 1; v <= y + 1; v++)
                for (int u = x - 1; u <= x + 1; u++)
                    sum += pl_image_row(&truth.image, v)[u];
            pl_image_row(&p.image, y)[x] = (uint8_t)((240 - faint * (240 - sum / 9)) * light);
        }
    ck_assert_int_eq(run_op(&p, "binarize", NULL, 0), PLATEN_OK);
    ck_assert(p.image.bilevel && p.gray.store);
    int both = 0, only_here = 0, only_there = 0;
    for (int y = 0; y < 700; y++)
        for (int x = 0; x < 800; x++) {
            bool here = !pl_image_row(&p.image, y)[x];
            bool there = pl_image_row(&truth.image, y)[x] < 128;
            both += here && there;
            only_here += here && !there;
            only_there += there && !here;
        }
    ck_assert_msg(2.0 * both / (2 * both + only_here + only_there) > 0.97, "%d %d %d", both,
                  only_here, only_there);
    pl_page_image_done(&p);
    pl_page_image_done(&truth);
}
END_TEST

START_TEST(binarize_of_two_levels_is_exact)
{
    struct pl_page_image p = text_page(400, 300, 0), truth = text_page(400, 300, 0);
    ck_assert_int_eq(run_op(&p, "binarize", NULL, 0), PLATEN_OK);
    for (int y = 0; y < 300; y++)
        for (int x = 0; x < 400; x++)
            ck_assert_int_eq(pl_image_row(&p.image, y)[x],
                             pl_image_row(&truth.image, y)[x] < 128 ? 0 : 255);
    struct pl_image before = pl_image_ref(&p.image);
    ck_assert_int_eq(run_op(&p, "binarize", NULL, 0), PLATEN_OK);
    ck_assert_ptr_eq(p.image.px, before.px); /* what is black and white already stays */
    pl_image_done(&before);
    pl_page_image_done(&p);
    pl_page_image_done(&truth);
    p = blank_page(90, 70, 200);
    ck_assert_int_eq(run_op(&p, "binarize", NULL, 0), PLATEN_OK);
    for (int y = 0; y < 70; y++)
        for (int x = 0; x < 90; x++)
            ck_assert_int_eq(pl_image_row(&p.image, y)[x], 255);
    pl_page_image_done(&p);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("binarize");
    tcase_add_test(tc, otsu_equals_the_definition);
    tcase_add_loop_test(tc, local_thresholds_equal_their_definitions, 0, 4);
    tcase_add_test(tc, binarize_finds_the_strokes);
    tcase_add_test(tc, binarize_of_two_levels_is_exact);
    return run_env_suite("binarize", tc);
}
