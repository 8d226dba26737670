/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/image_fixture.h"

#define W 64
#define H 48
#define NEAR 6 /* how far lossy compression may take a colour */

static const uint8_t colors[2][2][3] = {{{200, 40, 40}, {40, 160, 40}},
                                        {{40, 40, 200}, {240, 240, 240}}};

static uint8_t file[4096];

/* tests/data/make_heif.c wrote it. */
static size_t read_heif(const char *name)
{
    char path[512];
    snprintf(path, sizeof(path), PL_TEST_ROOT "/tests/data/heif/%s", name);
    FILE *f = fopen(path, "rb");
    ck_assert_msg(f != NULL, "%s", path);
    const size_t n = fread(file, 1, sizeof(file), f);
    fclose(f);
    ck_assert(n && n < sizeof(file));
    return n;
}

/* The colour in the middle of the quarter of that row and column. */
static void check_quarter(const struct pl_image *im, int row, int column, const int *want)
{
    const uint8_t *p = pixel(im, (2 * column + 1) * im->width / 4, (2 * row + 1) * im->height / 4);
    for (int i = 0; i < (int)im->format; i++)
        ck_assert_msg(abs(p[i] - want[i]) <= NEAR, "quarter %d %d: %d for %d", row, column, p[i],
                      want[i]);
}

static void check_picture(const char *name, int width, int height, const int (*want)[2][3])
{
    const size_t n = read_heif(name);
    for (int gray = 0; gray < 2; gray++) {
        struct pl_image im = must_load(file, n, gray);
        ck_assert_msg(im.width == width && im.height == height, "%s: %d x %d", name, im.width,
                      im.height);
        ck_assert(im.format == (gray ? PL_GRAY8 : PL_RGB8) && !im.bilevel);
        for (int i = 0; i < 4; i++) {
            const int *c = want[i / 2][i % 2], y[1] = {luma(c[0], c[1], c[2])};
            check_quarter(&im, i / 2, i % 2, gray ? y : c);
        }
        pl_image_done(&im);
    }
}

START_TEST(pictures_come_back)
{
    int plain[2][2][3], gray[2][2][3], turned[2][2][3], seen[2][2][3];
    for (int i = 0; i < 12; i++) {
        const int y = i / 6, x = i / 3 % 2, c = i % 3;
        plain[y][x][c] = colors[y][x][c];
        gray[y][x][c] = colors[y][x][0];
        turned[x][1 - y][c] = colors[y][x][c];
        seen[y][x][c] = x ? over_white(colors[y][x][c], 192) : 255;
    }
    check_picture("quarters.heic", W, H, plain);
    check_picture("quarters.avif", W, H, plain);
    check_picture("deep.avif", W, H, plain);
    check_picture("gray.heic", W, H, gray);
    check_picture("turned.heic", H, W, turned);
    check_picture("alpha.avif", W, H, seen);
    check_picture("multiplied.avif", W, H, seen);
}
END_TEST

/* Thumbnails do not count. */
START_TEST(pictures_of_their_own_are_pages)
{
    struct pl_pages pages;
    struct pl_image im;
    size_t n = read_heif("quarters.heic");
    ck_assert(!pl_image_pages(file, n, &pages, &err));
    ck_assert_int_eq(pages.n, 1);
    n = read_heif("two.heic");
    ck_assert(!pl_image_pages(file, n, &pages, &err));
    ck_assert_int_eq(pages.n, 2);
    for (int page = 1; page <= 2; page++) {
        const struct pl_load_options opt = {.max_pixels = LIMIT, .page = page};
        ck_assert_msg(!pl_image_load(&env, file, n, &opt, &im, &err), "%s", err.text);
        ck_assert(im.width == W / page && im.height == H / page);
        pl_image_done(&im);
    }
    const struct pl_load_options third = {.max_pixels = LIMIT, .page = 3};
    ck_assert_int_eq(pl_image_load(&env, file, n, &third, &im, &err), PLATEN_ERR_FORMAT);
    ck_assert_str_eq(err.text, "no page 3: the heif has 2");
    must_fail(file, n, PLATEN_ERR_UNSUPPORTED, "the heif has 2 pages");
}
END_TEST

START_TEST(sequences_are_told)
{
    struct pl_flaw flaw;
    struct pl_image im;
    const size_t n = read_heif("quarters.heic");
    ck_assert(!load_flawed(file, n, &im, &flaw));
    ck_assert_str_eq(flaw.text, "");
    pl_image_done(&im);
    memcpy(file + n, "\0\0\0\x8moov", 8);
    ck_assert(!load_flawed(file, n + 8, &im, &flaw));
    ck_assert_str_eq(flaw.text,
                     "the file is an animation, of which the first picture alone is read");
    pl_image_done(&im);
}
END_TEST

/* Whatever stands behind it. */
START_TEST(a_file_has_an_end)
{
    static const char behind[][16] = {"P5 2 2 255\nabcd", "\x89PNG\r\n\x1a\n\0\0\0\rIHD",
                                      "\xff\xd8\xff\xe0\0\x10JFIF"};
    const size_t n = read_heif("quarters.heic");
    ck_assert_uint_eq(pl_image_next(file, n), n);
    for (size_t i = 0; i < PL_ARRAY_LEN(behind); i++) {
        memcpy(file + n, behind[i], sizeof(behind[i]));
        ck_assert_uint_eq(pl_image_next(file, n + sizeof(behind[i])), n);
    }
    memcpy(file + n, file, n);
    ck_assert_uint_eq(pl_image_next(file, 2 * n), n);
}
END_TEST

START_TEST(damage_is_told)
{
    static const char *const names[] = {"quarters.heic", "alpha.avif"};
    for (size_t i = 0; i < PL_ARRAY_LEN(names); i++) {
        const size_t n = read_heif(names[i]);
        every_truncation_fails(file, n);
        must_fail(file, n - 1, PLATEN_ERR_FORMAT, "truncated at byte");
    }
    const size_t n = read_heif("quarters.avif");
    char *size = memmem(file, n, "ispe", 4);
    ck_assert_ptr_nonnull(size);
    memcpy(size + 8, "\0\0\0\0", 4);
    must_fail(file, n, PLATEN_ERR_FORMAT, "the heif does not tell the size of its picture");
    memcpy(size, "free", 4);
    must_fail(file, n, PLATEN_ERR_FORMAT, "the heif");
}
END_TEST

START_TEST(limits_and_probe)
{
    const struct pl_load_options opt = {.max_pixels = W * H - 1};
    struct pl_image im;
    struct pl_image_info info;
    const size_t n = read_heif("turned.heic");
    ck_assert_int_eq(pl_image_load(&env, file, n, &opt, &im, &err), PLATEN_ERR_LIMIT);
    ck_assert_str_eq(err.text, "48 x 64 pixels exceed the limit of 3071");
    ck_assert_uint_eq(pl_bufpool_stats(env.bufs).gets, 0);
    ck_assert(!pl_image_probe(file, n, NULL, &info, &err));
    ck_assert_str_eq(info.format, "heif");
    ck_assert(info.width == H && info.height == W && info.channels == 3);
    every_allocation_may_fail(file, n);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("heif");
    tcase_add_test(tc, pictures_come_back);
    tcase_add_test(tc, pictures_of_their_own_are_pages);
    tcase_add_test(tc, sequences_are_told);
    tcase_add_test(tc, a_file_has_an_end);
    tcase_add_test(tc, damage_is_told);
    tcase_add_test(tc, limits_and_probe);
    return run_env_suite("heif", tc);
}
