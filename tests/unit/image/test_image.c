/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/exif.h"
#include "tests/unit/image_fixture.h"

/* A file in a string literal. */
#define FILE_OF(s) (s), sizeof(s) - 1

/* Loads the file and compares it with the expected samples; no rounding is left open. */
static void check(const char *file, size_t n, int width, int height, enum pl_format format,
                  const int *samples)
{
    struct pl_image im = must_load(file, n, false);
    ck_assert_int_eq(im.width, width);
    ck_assert_int_eq(im.height, height);
    ck_assert_int_eq(im.format, format);
    for (int y = 0; y < height; y++)
        for (int i = 0; i < width * (int)format; i++, samples++)
            ck_assert_msg(pl_image_row(&im, y)[i] == *samples, "row %d, sample %d: %d, not %d", y,
                          i, pl_image_row(&im, y)[i], *samples);
    pl_image_done(&im);
    every_truncation_fails(file, n);
    every_allocation_may_fail(file, n);
}

#define CHECK(file, width, height, format, ...)                                                    \
    check(file, sizeof(file) - 1, width, height, format, (const int[]){__VA_ARGS__})

/* File header, 40-byte header with width 3 (or 2) and height, 72.009 dpi. */
#define BMP(offset, width, height, bits)                                                           \
    "BM\0\0\0\0\0\0\0\0" offset "\0\0\0\x28\0\0\0" width "\0\0\0" height "\1\0" bits               \
    "\0\0\0\0\0\0\0\0\0\x13\x0b\0\0\x13\x0b\0\0\0\0\0\0\0\0\0\0"

static const char bmp24[] = BMP("\x36", "\3", "\2\0\0\0", "\x18") /* bottom row first, BGR */
    "\1\2\3\4\5\6\7\x8\x9\0\0\0"
    "\xff\0\0\0\xff\0\0\0\xff\0\0\0";
static const char bmp32[] = BMP("\x36", "\2", "\xff\xff\xff\xff", "\x20") /* top row first */
    "\1\2\3\x7f\4\5\6\0";
static const char bmp8[] = BMP("\x36", "\2", "\1\0\0\0", "\x18") "\7\7\7\x9\x9\x9\0\0";
/* a palette of one colour, and a pixel of the second */
static const char bmp_short[] = BMP("\x3a", "\2", "\1\0\0\0", "\x8") "\7\x8\x9\0\0\1\0\0";

/* Leaves no zeros where the next calls have their variables. */
__attribute__((noinline)) static void use_stack(void)
{
    volatile uint8_t used[1 << 16];
    for (size_t i = 0; i < sizeof(used); i++)
        used[i] = 99;
}

START_TEST(bmp)
{
    CHECK(bmp24, 3, 2, PL_RGB8, 0, 0, 255, 0, 255, 0, 255, 0, 0, 3, 2, 1, 6, 5, 4, 9, 8, 7);
    struct pl_image im = must_load(FILE_OF(bmp24), false);
    ck_assert_double_eq_tol((double)im.dpi_x, 72, 0.01);
    ck_assert_double_eq_tol((double)im.dpi_y, 72, 0.01);
    pl_image_done(&im);
    /* the fourth byte is reserved */
    CHECK(bmp32, 2, 1, PL_RGB8, 3, 2, 1, 6, 5, 4);
    /* colour without colour */
    CHECK(bmp8, 2, 1, PL_GRAY8, 7, 9);
    use_stack();
    CHECK(bmp_short, 2, 1, PL_RGB8, 9, 8, 7, 0, 0, 0);
}
END_TEST

#define TGA(map, kind, map_n, map_bits, width, height, bits, flags)                                \
    "\0" map kind "\0\0" map_n "\0" map_bits "\0\0\0\0" width "\0" height "\0" bits flags

static const char tga24[] =
    TGA("\0", "\2", "\0", "\0", "\2", "\2", "\x18", "\x20") /* from the top */
    "\1\2\3\4\5\6\7\x8\x9\xa\xb\xc";
static const char tga_up[] = TGA("\0", "\3", "\0", "\0", "\2", "\2", "\x8", "\0") "\1\2\3\4";
static const char tga_rle[] =
    TGA("\0", "\xa", "\0", "\0", "\3", "\1", "\x18", "\x20") "\x81\1\2\3\0\4\5\6";
static const char tga_alpha[] =
    TGA("\0", "\2", "\0", "\0", "\2", "\1", "\x20", "\x28") "\0\x64\xc8\0\0\x64\xc8\x80";
static const char tga_reserved[] =
    TGA("\0", "\2", "\0", "\0", "\1", "\1", "\x20", "\x20") "\1\2\3\0";
static const char tga_map[] =
    TGA("\1", "\1", "\2", "\x18", "\2", "\1", "\x8", "\x20") "\1\2\3\4\5\6\1\0";

START_TEST(tga)
{
    CHECK(tga24, 2, 2, PL_RGB8, 3, 2, 1, 6, 5, 4, 9, 8, 7, 12, 11, 10);
    CHECK(tga_up, 2, 2, PL_GRAY8, 3, 4, 1, 2);
    CHECK(tga_rle, 3, 1, PL_RGB8, 3, 2, 1, 3, 2, 1, 6, 5, 4);
    /* alpha 128: 200, 100 and 0 become 227.4, 177.2 and 127 */
    CHECK(tga_alpha, 2, 1, PL_RGB8, 255, 255, 255, 227, 177, 127);
    CHECK(tga_reserved, 1, 1, PL_RGB8, 3, 2, 1);
    CHECK(tga_map, 2, 1, PL_RGB8, 6, 5, 4, 3, 2, 1);
}
END_TEST

/* 2 x 2 pixels of 4 colours: codes clear 0 1 2 in 3 bits, 3 end in 4. */
#define GIF(transparent)                                                                           \
    "GIF89a\2\0\2\0\xa1\0\0\0\0\0\xff\xff\xff\x0a\x14\x1e\x80\x80\x80"                             \
    "!\xf9\4" transparent "\0\0\2\0"                                                               \
    ",\0\0\0\0\2\0\2\0\0\2\3\x44\x34\x05\0"                                                        \
    ";"

static const char gif[] = GIF("\0"), gif_hole[] = GIF("\1");

START_TEST(gif_first_frame)
{
    struct pl_image im = must_load(FILE_OF(gif), false);
    ck_assert(im.width == 2 && im.height == 2 && im.format == PL_RGB8);
    static const int want[] = {0, 0, 0, 255, 255, 255, 10, 20, 30, 128, 128, 128};
    for (int i = 0; i < 12; i++)
        ck_assert_int_eq(pl_image_row(&im, i / 6)[i % 6], want[i]);
    pl_image_done(&im);
    im = must_load(FILE_OF(gif_hole), false); /* colour 2 is a hole: white shows */
    ck_assert_int_eq(im.format, PL_GRAY8);
    ck_assert(pl_image_row(&im, 1)[0] == 255 && pl_image_row(&im, 1)[1] == 128);
    pl_image_done(&im);
    /* what follows the first frame is not read: its trailer may be missing */
    for (size_t n = 0; n < sizeof(gif) - 3; n++) {
        ck_assert_int_eq(load(gif, n, false, &im), PLATEN_ERR_FORMAT);
        ck_assert(err.text[0]);
    }
    every_allocation_may_fail(FILE_OF(gif));
}
END_TEST

#define PSD(bits)                                                                                  \
    "8BPS\0\1\0\0\0\0\0\0\0\3\0\0\0\1\0\0\0\2\0" bits "\0\3"                                       \
    "\0\0\0\0\0\0\0\0\0\0\0\0"

static const char psd8[] = PSD("\x8") "\0\0\1\2\3\4\5\6";
static const char psd_packed[] = PSD("\x8") "\0\1\0\2\0\3\0\2\xff\7\1\3\4\xff\x9";
/* 128 / 65535 is 0.498 of 255, 129 is 0.502; the high bytes alone would give 0 both times */
static const char psd16[] = PSD("\x10") "\0\0\0\x80\0\x81\xff\x7e\xff\x7f\x80\0\x7f\xff";

static const char psd16_packed[] = PSD("\x10") "\0\1\0\2\0\2\0\2\xfd\0\xfd\0\xfd\0";

START_TEST(psd)
{
    CHECK(psd8, 2, 1, PL_RGB8, 1, 3, 5, 2, 4, 6);
    CHECK(psd_packed, 2, 1, PL_RGB8, 7, 3, 9, 7, 4, 9);
    CHECK(psd16, 2, 1, PL_RGB8, 0, 254, 128, 1, 255, 127);
    must_fail(FILE_OF(psd16_packed), PLATEN_ERR_UNSUPPORTED, "packed 16-bit psd");
}
END_TEST

/* 2 pixels: 0.5, 0.25, 1 and 0, 0, 2 (clamped), shown with gamma 2.2. */
static const char hdr[] = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n"
                          "\x40\x20\x80\x81\0\0\x80\x82";

START_TEST(hdr_with_gamma)
{
    CHECK(hdr, 2, 1, PL_RGB8, (int)(pow(0.5, 1 / 2.2) * 255 + 0.5),
          (int)(pow(0.25, 1 / 2.2) * 255 + 0.5), 255, 0, 0, 255);
}
END_TEST

static const char p1[] = "P1 # bits\n3 2\n101\n0 1 0\n", p4[] = "P4\n10 2\n\x55\x7f\xff\x80",
                  p2[] = "P2\n3 1 # max next\n100\n0 50\n100 ", p5[] = "P5 2 1 255\n\1\xfe",
                  p5_deep[] = "P5 2 2 1000\n\0\0\0\1\1\xf4\3\xe8",
                  p3[] = "P3\n2 1\n255\n1 2 3 4 5 6 ", p6[] = "P6\n1 2\n255\n\1\2\3\4\5\6",
                  p6_deep[] = "P6 1 1 65535\n\0\x80\0\x81\xff\x7f";

START_TEST(pnm)
{
    struct pl_image im = must_load(FILE_OF(p1), false);
    static const uint8_t want[2][3] = {{0, 255, 0}, {255, 0, 255}};
    ck_assert(im.bilevel && im.width == 3 && im.height == 2);
    for (int y = 0; y < 2; y++)
        ck_assert_mem_eq(pl_image_row(&im, y), want[y], 3);
    pl_image_done(&im);
    CHECK(p4, 10, 2, PL_GRAY8, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
          255);
    CHECK(p5, 2, 1, PL_GRAY8, 1, 254);
    CHECK(p5_deep, 2, 2, PL_GRAY8, 0, 0, 128, 255); /* 0.255 and 127.5, rounded up */
    CHECK(p6, 1, 2, PL_RGB8, 1, 2, 3, 4, 5, 6);
    CHECK(p6_deep, 1, 1, PL_RGB8, 0, 1, 255);
    im = must_load(FILE_OF(p2), false);
    ck_assert(pl_image_row(&im, 0)[1] == 128 && pl_image_row(&im, 0)[2] == 255);
    pl_image_done(&im);
    im = must_load(FILE_OF(p3), false);
    ck_assert_mem_eq(im.px, "\1\2\3\4\5\6", 6);
    pl_image_done(&im);
    must_fail(FILE_OF("P5 2 1 255\n\1"), PLATEN_ERR_FORMAT, "truncated at byte 12 in the raster");
    must_fail(FILE_OF("P5 2 x 255\n\1\1"), PLATEN_ERR_FORMAT, "wrong header of a pnm, at byte 5");
    must_fail(FILE_OF("P5 2 1 70000\n\1\1\1\1"), PLATEN_ERR_FORMAT, "wrong header");
    must_fail(FILE_OF("P2 1 1 9\n10 "), PLATEN_ERR_FORMAT, "raster");
    must_fail(FILE_OF("P1 2 1\n12"), PLATEN_ERR_FORMAT, "wrong raster of a pnm, at byte 8");
}
END_TEST

START_TEST(pnm_bytes_written)
{
    struct pl_image im = must_load(FILE_OF(p4), false);
    struct pl_str out = {0};
    ck_assert(!pl_pnm_encode(&im, &out, &err));
    ck_assert_uint_eq(out.len, sizeof(p4) - 1);
    /* the rest of the last byte of a row is 0 */
    ck_assert_mem_eq(out.s, "P4\n10 2\n\x55\x40\xff\x80", out.len);
    pl_str_reset(&out);
    struct pl_image view = pl_image_view(&im, (struct pl_rect){1, 0, 3, 2});
    view.bilevel = false;
    ck_assert(!pl_pnm_encode(&view, &out, &err));
    ck_assert_mem_eq(out.s, "P5\n2 2\n255\n\0\xff\0\0", out.len);
    pl_image_done(&view);
    pl_image_done(&im);
    pl_str_reset(&out);
    im = must_load(FILE_OF(p6), false);
    ck_assert(!pl_pnm_encode(&im, &out, &err));
    ck_assert_mem_eq(out.s, p6, sizeof(p6) - 1);
    pl_image_done(&im);
    pl_str_done(&out);
}
END_TEST

START_TEST(what_is_refused_and_why)
{
    static const struct {
        const char *file;
        size_t n;
        platen_status status;
        const char *text;
    } cases[] = {
        {FILE_OF(""), PLATEN_ERR_FORMAT, "empty file"},
        {FILE_OF("\0\x11\"\x33"), PLATEN_ERR_FORMAT, "unknown format: first bytes 00 11 22 33"},
        {FILE_OF("Hello, world, this is text"), PLATEN_ERR_FORMAT, "plain text: no picture"},
        {FILE_OF("AT&TFORM"), PLATEN_ERR_UNSUPPORTED,
         "a DjVu file without pages: not supported; convert it with ddjvu"},
        {FILE_OF("BM\0\0\0"), PLATEN_ERR_FORMAT, "unknown format"},
        {FILE_OF(BMP("\x36", "\xff", "\xff\xff\xff\x7f", "\x20")), PLATEN_ERR_LIMIT, "exceed"},
        {FILE_OF(BMP("\x36", "\x10", "\x10\x27\0\0", "\x18")), PLATEN_ERR_FORMAT, "truncated"},
        {FILE_OF("GIF89a\xff\xff\xff\xff\0\0\0,"), PLATEN_ERR_LIMIT, "65535 x 65535 pixels exceed"},
        {FILE_OF("GIF89a\x10\x27\x10\x27\0\0\0,"), PLATEN_ERR_FORMAT, "cannot hold 10000 x 10000"},
        {FILE_OF("P5 20000 90000 255\n"), PLATEN_ERR_LIMIT,
         "20000 x 90000 pixels exceed the limit of 200000000"},
        {FILE_OF("P4 4294967295 1\n"), PLATEN_ERR_LIMIT, "exceed"},
        {FILE_OF("P4 4294967296 1\n"), PLATEN_ERR_FORMAT, "header"},
        {FILE_OF("P4 0 1\n"), PLATEN_ERR_FORMAT, "empty"},
        {FILE_OF("P1 10000 10000\n1"), PLATEN_ERR_FORMAT, "truncated"},
        {FILE_OF("8BPS\0\1\0\0\0\0\0\0\0\3\0\0\x75\x30\0\0\x75\x30\0\x8\0\3"), PLATEN_ERR_LIMIT,
         "30000 x 30000 pixels exceed"},
        {FILE_OF("#?RGBE\nFORMAT=32-bit_rle_rgbe\n\n-Y 30000 +X 30000\n"), PLATEN_ERR_LIMIT,
         "exceed"},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(cases); i++)
        must_fail(cases[i].file, cases[i].n, cases[i].status, cases[i].text);
    ck_assert_uint_eq(pl_bufpool_stats(env.bufs).gets, 0);
}
END_TEST

START_TEST(tga_needs_a_plausible_header)
{
    char file[sizeof(tga24)];
    static const struct {
        int at, value;
    } wrong[] = {{1, 1},  {1, 2},  {2, 0},   {2, 4},     {2, 12}, {12, 0},
                 {14, 0}, {16, 8}, {16, 23}, {17, 0x60}, {17, 3}, {0, 255}};
    for (size_t i = 0; i < PL_ARRAY_LEN(wrong); i++) {
        memcpy(file, tga24, sizeof(file));
        file[wrong[i].at] = wrong[i].value;
        must_fail(file, sizeof(file) - 1, PLATEN_ERR_FORMAT, "unknown format");
    }
}
END_TEST

static struct pl_exif exif(const char *bytes, size_t n)
{
    uint8_t *copy = malloc(n ? n : 1); /* exact, for the sanitizer */
    memcpy(copy, bytes, n);
    struct pl_exif e = pl_exif_parse(copy, n);
    free(copy);
    return e;
}

START_TEST(exif_is_read_and_bounded)
{
    static const char little[] = "II*\0\x08\0\0\0\3\0"
                                 "\x12\1\3\0\1\0\0\0\x8\0\0\0"
                                 "\x1a\1\5\0\1\0\0\0\x32\0\0\0"
                                 "\x1b\1\5\0\1\0\0\0\x3a\0\0\0"
                                 "\0\0\0\0"
                                 "\x2c\1\0\0\1\0\0\0"
                                 "\xbd\2\0\0\2\0\0\0";
    static const char big[] = "MM\0*\0\0\0\x08\0\1"
                              "\1\x12\0\3\0\0\0\1\0\5\0\0"
                              "\0\0\0\0";
    struct pl_exif e = exif(FILE_OF(little));
    ck_assert_int_eq(e.orientation, 8);
    ck_assert_double_eq_tol((double)e.dpi_x, 300, 0.001);
    ck_assert_double_eq_tol((double)e.dpi_y, 350.5, 0.001);
    ck_assert_int_eq(exif(FILE_OF(big)).orientation, 5);
    for (size_t n = 0; n < sizeof(little); n++)
        for (int i = 0; i < 256; i += 15) { /* cut short, each byte with other values */
            char copy[sizeof(little)];
            memcpy(copy, little, sizeof(little));
            copy[n] = i;
            e = exif(copy, sizeof(little) - 1);
            ck_assert(e.orientation >= 1 && e.orientation <= 8);
            e = exif(copy, n);
            ck_assert(e.orientation >= 1 && e.orientation <= 8);
        }
    ck_assert_int_eq(exif(FILE_OF("II*\0\xff\xff\xff\xff")).orientation, 1);
    ck_assert_int_eq(exif(FILE_OF("II*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0\x9\0\0\0")).orientation,
                     1);
}
END_TEST

START_TEST(views_share_their_pixels)
{
    struct pl_image im;
    ck_assert(!pl_image_init(&env, 100, 50, PL_RGB8, &im, &err));
    ck_assert_uint_eq((uintptr_t)im.px % 64, 0);
    for (int y = 0; y < 50; y++)
        for (int i = 0; i < 300; i++)
            pl_image_row(&im, y)[i] = (y * 7 + i) & 255;
    struct pl_image view = pl_image_view(&im, (struct pl_rect){10, 20, 30, 25});
    struct pl_image inner = pl_image_view(&view, (struct pl_rect){1, 2, 3, 4});
    pl_image_done(&im);
    pl_image_done(&view);
    ck_assert(inner.width == 2 && inner.height == 2);
    ck_assert_int_eq(pixel(&inner, 1, 1)[2], (23 * 7 + 12 * 3 + 2) & 255);
    struct pl_image again;
    ck_assert(!pl_image_init(&env, 100, 50, PL_RGB8, &again, &err));
    ck_assert_uint_eq(pl_bufpool_stats(env.bufs).hits, 0); /* the view still holds the first */
    pl_image_done(&again);
    pl_image_done(&inner);
    pl_image_done(&inner); /* an empty one */
    ck_assert(!pl_image_init(&env, 100, 50, PL_RGB8, &im, &err));
    ck_assert_uint_eq(pl_bufpool_stats(env.bufs).hits, 1);
    struct pl_image gray, same;
    ck_assert(!pl_image_to_gray(&env, &im, &gray, &err));
    ck_assert(!pl_image_to_gray(&env, &gray, &same, &err));
    ck_assert_ptr_eq(gray.px, same.px);
    pl_image_done(&im);
    pl_image_done(&gray);
    pl_image_done(&same);
}
END_TEST

static uint8_t sample_at(int x, int y, int c)
{
    return (uint8_t)(x * 37 + y * 101 + c * 11 + x * y);
}

/* Compares the turned picture with TIFF 6.0, "Orientation": where row 0 and column 0 are seen. */
static void check_turn(int width, int height, enum pl_format format, int turn)
{
    const int f = (int)format;
    struct pl_image im;
    ck_assert(!pl_image_init(&env, width, height, format, &im, &err));
    for (int y = 0; y < height; y++)
        for (int i = 0; i < width * f; i++)
            pl_image_row(&im, y)[i] = sample_at(i / f, y, i % f);
    ck_assert(!pl_image_turn(&env, &im, turn, &err));
    ck_assert_int_eq(im.width, turn < 5 ? width : height);
    for (int y = 0; y < im.height; y++)
        for (int x = 0; x < im.width; x++) {
            const bool right = turn == 2 || turn == 3 || turn == 6 || turn == 7;
            const bool bottom = turn == 3 || turn == 4 || turn == 7 || turn == 8;
            const int u = right ? im.width - 1 - x : x, v = bottom ? im.height - 1 - y : y;
            for (int c = 0; c < f; c++)
                ck_assert_int_eq(pl_image_row(&im, y)[x * f + c],
                                 turn < 5 ? sample_at(u, v, c) : sample_at(v, u, c));
        }
    pl_image_done(&im);
}

START_TEST(every_turn_of_every_width)
{
    for (int turn = 1; turn <= 8; turn++)
        for (int width = 1; width < 40; width++) {
            check_turn(width, 3, PL_GRAY8, turn);
            check_turn(3, width, PL_GRAY8, turn);
            check_turn(width, 2, PL_RGB8, turn);
        }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("image");
    tcase_add_test(tc, every_turn_of_every_width);
    tcase_add_test(tc, bmp);
    tcase_add_test(tc, tga);
    tcase_add_test(tc, gif_first_frame);
    tcase_add_test(tc, psd);
    tcase_add_test(tc, hdr_with_gamma);
    tcase_add_test(tc, pnm);
    tcase_add_test(tc, pnm_bytes_written);
    tcase_add_test(tc, what_is_refused_and_why);
    tcase_add_test(tc, tga_needs_a_plausible_header);
    tcase_add_test(tc, exif_is_read_and_bounded);
    tcase_add_test(tc, views_share_their_pixels);
    return run_env_suite("image", tc);
}
