/* SPDX-License-Identifier: BSD-2-Clause */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "image/resample.h"
#include "tests/unit/suite.h"

struct scene {
    struct pl_env env;
    struct pl_kernels k;
    struct pl_image im, out;
};

static void scene_init(struct scene *s, int width, int height)
{
    *s = (struct scene){0};
    pl_kernels_init(&s->k, pl_isa_best());
    s->env = (struct pl_env){.k = &s->k, .bufs = pl_bufpool_new()};
    ck_assert_int_eq(pl_image_init(&s->env, width, height, PL_GRAY8, &s->im, NULL), PLATEN_OK);
    uint32_t seed = (uint32_t)(width * 31 + height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            seed = seed * 1664525 + 1013904223;
            pl_image_row(&s->im, y)[x] = (uint8_t)(seed >> 24);
        }
}

static void scene_done(struct scene *s)
{
    pl_image_done(&s->im);
    pl_image_done(&s->out);
    pl_bufpool_free(s->env.bufs);
}

/* Share of old pixel `old` in new pixel `i`, by definition. */
static double weight(int n_old, int n_new, int i, int old)
{
    double scale = (double)n_old / n_new;
    if (n_new < n_old)
        return fmax(0, fmin(old + 1, (i + 1) * scale) - fmax(old, i * scale)) / scale;
    double at = fmin(fmax((i + .5) * scale - .5, 0), n_old - 1);
    return fmax(0, 1 - fabs(at - old));
}

static double expected(const struct scene *s, int width, int height, int x, int y)
{
    double sum = 0;
    for (int b = 0; b < s->im.height; b++) {
        double wy = weight(s->im.height, height, y, b);
        for (int a = 0; wy > 0 && a < s->im.width; a++)
            sum += wy * weight(s->im.width, width, x, a) * pl_image_row(&s->im, b)[a];
    }
    return sum;
}

/* Both axes shrink, both grow, one each, a single row or column, whole and odd factors. */
START_TEST(pixels_are_areas_or_interpolations)
{
    static const int sizes[][4] = {{50, 40, 20, 16}, {50, 41, 13, 32}, {20, 9, 71, 32},
                                   {33, 70, 40, 32}, {1, 1, 5, 4},     {7, 1, 3, 9},
                                   {1, 64, 1, 32},   {40, 32, 40, 32}, {300, 3, 2, 1}};
    for (size_t i = 0; i < PL_ARRAY_LEN(sizes); i++) {
        struct scene s;
        int width = sizes[i][2], height = sizes[i][3];
        struct platen_error err;
        scene_init(&s, sizes[i][0], sizes[i][1]);
        ck_assert_int_eq(pl_resample(&s.env, &s.im, width, height, &s.out, &err), PLATEN_OK);
        ck_assert(s.out.width == width && s.out.height == height);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                ck_assert_double_eq_tol(pl_image_row(&s.out, y)[x],
                                        expected(&s, width, height, x, y), 1.1);
        scene_done(&s);
    }
}
END_TEST

/* However many old pixels one new pixel takes, white stays white. */
START_TEST(flat_pictures_stay_flat)
{
    struct scene s;
    struct platen_error err;
    scene_init(&s, 20000, 3);
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 20000; x++)
            pl_image_row(&s.im, y)[x] = 255;
    s.im.dpi_x = 300;
    ck_assert_int_eq(pl_resample(&s.env, &s.im, 7, 32, &s.out, &err), PLATEN_OK);
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < 7; x++)
            ck_assert_int_eq(pl_image_row(&s.out, y)[x], 255);
    ck_assert_double_eq_tol((double)s.out.dpi_x, 300 * 7 / 20000.0, 1e-6);
    scene_done(&s);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("resample");
    tcase_add_test(tc, pixels_are_areas_or_interpolations);
    tcase_add_test(tc, flat_pictures_stay_flat);
    Suite *s = suite_create("resample");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
