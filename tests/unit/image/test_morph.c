/* SPDX-License-Identifier: BSD-2-Clause */
/* Erosion, dilation, opening, closing, the median and Gaussians of pictures against their
 * definitions, on every level of this machine and with threads. */
#include "base/pool.h"
#include "image/morph.h"
#include "image/smooth.h"
#include "tests/unit/image_fixture.h"

static uint32_t seed;

static uint32_t next_random(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

/* Noise whose few dark pixels an opening may fill. Behind the rows: 77. */
static struct pl_image make_noise(int w, int h)
{
    struct pl_image im;
    ck_assert_int_eq(pl_image_init(&env, w, h, PL_GRAY8, &im, NULL), PLATEN_OK);
    for (int y = 0; y < h; y++) {
        memset(pl_image_row(&im, y), 77, im.stride_bytes);
        for (int x = 0; x < w; x++)
            pl_image_row(&im, y)[x] = (uint8_t)(next_random() % 8 ? 255 - next_random() % 9 : 0);
    }
    return im;
}

/* The extreme of the rectangle around each pixel, as morph.h states it. */
static struct pl_image expect_extreme(const struct pl_image *im, bool largest, int w, int h)
{
    struct pl_image out;
    ck_assert_int_eq(pl_image_init(&env, im->width, im->height, PL_GRAY8, &out, NULL), PLATEN_OK);
    int left = largest ? (w - 1) / 2 : w / 2, up = largest ? (h - 1) / 2 : h / 2;
    for (int y = 0; y < im->height; y++)
        for (int x = 0; x < im->width; x++) {
            uint8_t v = largest ? 0 : 255;
            for (int r = PL_MAX(y - up, 0); r < PL_MIN(y - up + h, im->height); r++)
                for (int c = PL_MAX(x - left, 0); c < PL_MIN(x - left + w, im->width); c++) {
                    uint8_t p = pl_image_row(im, r)[c];
                    v = largest ? PL_MAX(v, p) : PL_MIN(v, p);
                }
            pl_image_row(&out, y)[x] = v;
        }
    return out;
}

static struct pl_image expect_morph(const struct pl_image *im, enum pl_morph what, int w, int h)
{
    bool first = what == PL_DILATE || what == PL_CLOSE;
    struct pl_image out = expect_extreme(im, first, w, h);
    if (what == PL_CLOSE || what == PL_OPEN) {
        struct pl_image half = out;
        out = expect_extreme(&half, !first, w, h);
        pl_image_done(&half);
    }
    return out;
}

static void equal(const struct pl_image *want, const struct pl_image *got, int w, int h)
{
    ck_assert_int_eq(got->width, want->width);
    ck_assert_int_eq(got->height, want->height);
    for (int y = 0; y < want->height; y++)
        for (int x = 0; x < want->width; x++)
            ck_assert_msg(pl_image_row(want, y)[x] == pl_image_row(got, y)[x],
                          "%d x %d by %d x %d on %s: pixel %d, %d is %d, not %d", want->width,
                          want->height, w, h, pl_isa_name(kernels.isa), x, y,
                          pl_image_row(got, y)[x], pl_image_row(want, y)[x]);
}

/* Of bits, ink is the larger: the expectation is that of the negative. */
static void check_bits(const struct pl_image *im, enum pl_morph what, int w, int h)
{
    pl_auto_bits bits = {0}, out = {0};
    pl_auto_image bilevel = {0}, back = {0};
    ck_assert_int_eq(pl_bits_from_image(&env, im, 127, &bits, &err), PLATEN_OK);
    ck_assert_int_eq(pl_bits_to_image(&env, &bits, &bilevel, &err), PLATEN_OK);
    ck_assert(bilevel.bilevel);
    for (int y = 0; y < im->height; y++)
        for (int x = 0; x < im->width; x++)
            ck_assert_int_eq(pl_image_row(&bilevel, y)[x], pl_image_row(im, y)[x] > 127 ? 255 : 0);
    kernels.invert_u8(bilevel.px, bilevel.px, bilevel.stride_bytes * (size_t)bilevel.height);
    struct pl_image want = expect_morph(&bilevel, what, w, h);
    ck_assert_int_eq(pl_morph_bits(&env, &bits, what, w, h, &out, &err), PLATEN_OK);
    for (int y = 0; y < im->height; y++)
        if (im->width % 8)
            ck_assert_int_eq(pl_bits_row(&out, y)[im->width / 8] & 255 >> im->width % 8, 0);
    ck_assert_int_eq(pl_bits_to_image(&env, &out, &back, &err), PLATEN_OK);
    kernels.invert_u8(back.px, back.px, back.stride_bytes * (size_t)back.height);
    equal(&want, &back, w, h);
    pl_image_done(&want);
}

static void check_image(const struct pl_image *im, enum pl_morph what, int w, int h)
{
    pl_auto_image got = {0};
    struct pl_image want = expect_morph(im, what, w, h);
    ck_assert_int_eq(pl_morph_image(&env, im, what, w, h, &got, &err), PLATEN_OK);
    equal(&want, &got, w, h);
    pl_image_done(&want);
}

static void each_level(void (*test)(void))
{
    for (int isa = 0; isa < PL_ISA_COUNT; isa++)
        if (pl_isa_available((enum pl_isa)isa)) {
            pl_kernels_init(&kernels, (enum pl_isa)isa);
            seed = 7;
            test();
        }
}

static void rectangles(void)
{
    static const int sizes[][2] = {{1, 1}, {2, 3}, {7, 9}, {8, 1}, {9, 40}, {67, 21}, {130, 7}};
    static const int sides[] = {1, 2, 3, 4, 5, 16, 17, 50, 1000000000};
    for (size_t s = 0; s < PL_ARRAY_LEN(sizes); s++) {
        struct pl_image im = make_noise(sizes[s][0], sizes[s][1]);
        for (size_t i = 0; i < PL_ARRAY_LEN(sides); i++)
            for (size_t j = 0; j < PL_ARRAY_LEN(sides); j++) {
                enum pl_morph what = (enum pl_morph)(next_random() % 4);
                int w = sides[i], h = sides[j];
                check_image(&im, what, w, h);
                check_bits(&im, what, w, h);
            }
        pl_image_done(&im);
    }
}

START_TEST(rectangles_as_defined)
{
    each_level(rectangles);
}
END_TEST

START_TEST(all_four_operations)
{
    seed = 3;
    struct pl_image im = make_noise(90, 33);
    for (int what = PL_DILATE; what <= PL_OPEN; what++) {
        check_image(&im, (enum pl_morph)what, 4, 5);
        check_bits(&im, (enum pl_morph)what, 3, 6);
    }
    pl_image_done(&im);
}
END_TEST

/* A closing never darkens, an opening never brightens, and a second one changes nothing. */
START_TEST(closings_are_closings)
{
    seed = 5;
    struct pl_image im = make_noise(77, 60);
    for (int w = 1; w < 7; w++)
        for (int h = 1; h < 9; h += 2) {
            pl_auto_image closed = {0}, again = {0}, opened = {0};
            ck_assert(!pl_morph_image(&env, &im, PL_CLOSE, w, h, &closed, &err));
            ck_assert(!pl_morph_image(&env, &closed, PL_CLOSE, w, h, &again, &err));
            ck_assert(!pl_morph_image(&env, &im, PL_OPEN, w, h, &opened, &err));
            equal(&closed, &again, w, h);
            for (int y = 0; y < im.height; y++)
                for (int x = 0; x < im.width; x++) {
                    uint8_t v = pl_image_row(&im, y)[x];
                    ck_assert(pl_image_row(&closed, y)[x] >= v);
                    ck_assert(pl_image_row(&opened, y)[x] <= v);
                }
        }
    pl_image_done(&im);
}
END_TEST

/* Several strips, a block of rows that begins in one and ends in the next, and threads. */
START_TEST(strips_and_threads)
{
    seed = 11;
    struct pl_image im = make_noise(21, 1500);
    check_image(&im, PL_CLOSE, 3, 7);
    check_image(&im, PL_ERODE, 5, 700);
    pl_auto_image alone = {0}, together = {0}, gauss = {0}, gauss_together = {0};
    ck_assert(!pl_morph_image(&env, &im, PL_OPEN, 9, 33, &alone, &err));
    ck_assert(!pl_gauss(&env, &im, 2.5, &gauss, &err));
    ck_assert(!pl_pool_new(3, &env.pool, &err));
    ck_assert(!pl_morph_image(&env, &im, PL_OPEN, 9, 33, &together, &err));
    ck_assert(!pl_gauss(&env, &im, 2.5, &gauss_together, &err));
    pl_pool_free(env.pool);
    env.pool = NULL;
    equal(&alone, &together, 9, 33);
    equal(&gauss, &gauss_together, 0, 0);
    pl_image_done(&im);
}
END_TEST

static uint8_t pixel_near(const struct pl_image *im, int x, int y)
{
    return pl_image_row(im, PL_CLAMP(y, 0, im->height - 1))[PL_CLAMP(x, 0, im->width - 1)];
}

static int by_value(const void *a, const void *b)
{
    return *(const uint8_t *)a - *(const uint8_t *)b;
}

static void medians(void)
{
    static const int sizes[][2] = {{1, 1}, {2, 1}, {1, 5}, {66, 70}, {1030, 3}};
    for (size_t s = 0; s < PL_ARRAY_LEN(sizes); s++) {
        struct pl_image im = make_noise(sizes[s][0], sizes[s][1]);
        pl_auto_image got = {0};
        ck_assert(!pl_median3(&env, &im, &got, &err));
        for (int y = 0; y < im.height; y++)
            for (int x = 0; x < im.width; x++) {
                uint8_t v[9];
                for (int j = 0; j < 9; j++)
                    v[j] = pixel_near(&im, x + j % 3 - 1, y + j / 3 - 1);
                qsort(v, 9, 1, by_value);
                ck_assert_int_eq(pl_image_row(&got, y)[x], v[4]);
            }
        pl_image_done(&im);
    }
}

START_TEST(median_as_defined)
{
    each_level(medians);
}
END_TEST

/* The Gaussian itself in floating point: two roundings, and weights of 14 bits, may part from it by
 * little more than one grey. */
static void gaussians(void)
{
    static const double sigmas[] = {0.3, 0.8, 1.7, 5, 50};
    struct pl_image im = make_noise(41, 37);
    for (size_t i = 0; i < PL_ARRAY_LEN(sigmas); i++) {
        pl_auto_image got = {0};
        double sigma = sigmas[i];
        int r = (int)ceil(3 * sigma);
        ck_assert(!pl_gauss(&env, &im, sigma, &got, &err));
        for (int y = 0; y < im.height; y += 4)
            for (int x = 0; x < im.width; x += 3) {
                double sum = 0, total = 0;
                for (int dy = -r; dy <= r; dy++)
                    for (int dx = -r; dx <= r; dx++) {
                        double w = exp(-.5 * (dx * dx + dy * dy) / (sigma * sigma));
                        sum += w * pixel_near(&im, x + dx, y + dy);
                        total += w;
                    }
                ck_assert_double_eq_tol(pl_image_row(&got, y)[x], sum / total, 1.1);
            }
    }
    pl_auto_image binomial = {0};
    static const double w5[] = {1, 4, 6, 4, 1};
    ck_assert(!pl_gauss(&env, &im, 1, &binomial, &err));
    for (int y = 0; y < im.height; y++)
        for (int x = 0; x < im.width; x++) {
            double sum = 0;
            for (int j = 0; j < 25; j++)
                sum += w5[j / 5] * w5[j % 5] * pixel_near(&im, x + j % 5 - 2, y + j / 5 - 2);
            ck_assert_int_eq(pl_image_row(&binomial, y)[x], (int)floor(sum / 256 + .5));
        }
    pl_image_done(&im);
}

START_TEST(gaussian_as_defined)
{
    each_level(gaussians);
}
END_TEST

START_TEST(allocations_fail_in_turn)
{
    struct pl_image im = make_noise(40, 40);
    for (int what = 0; what < 3; what++)
        for (uint64_t n = 1;; n++) {
            struct pl_env own = {.k = &kernels, .bufs = pl_bufpool_new()};
            pl_auto_image out = {0};
            pl_auto_bits bits = {0}, closed = {0};
            platen_status s = PLATEN_OK;
            pl_mem_fail_at(n, false);
            if (what == 0)
                s = pl_morph_image(&own, &im, PL_CLOSE, 9, 9, &out, &err);
            else if (what == 1)
                s = pl_gauss(&own, &im, 3, &out, &err);
            else
                s = pl_bits_from_image(&own, &im, 127, &bits, &err);
            if (what == 2 && !s)
                s = pl_morph_bits(&own, &bits, PL_OPEN, 9, 9, &closed, &err);
            pl_mem_fail_at(0, false);
            ck_assert(!s || (s == PLATEN_ERR_NOMEM && err.code == s && !out.store));
            pl_image_done(&out);
            pl_bits_done(&bits);
            pl_bits_done(&closed);
            pl_bufpool_free(own.bufs);
            if (!s)
                break;
            ck_assert_uint_lt(n, 50);
        }
    pl_image_done(&im);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("morph");
    tcase_add_test(tc, rectangles_as_defined);
    tcase_add_test(tc, all_four_operations);
    tcase_add_test(tc, closings_are_closings);
    tcase_add_test(tc, strips_and_threads);
    tcase_add_test(tc, median_as_defined);
    tcase_add_test(tc, gaussian_as_defined);
    tcase_add_test(tc, allocations_fail_in_turn);
    return run_env_suite("morph", tc);
}
