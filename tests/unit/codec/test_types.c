/* SPDX-License-Identifier: BSD-2-Clause */
/* What a file is, in words that help; and where a picture ends. */
#include "config.h"
#include "tests/unit/image_fixture.h"

#define FILE_OF(s) (s), sizeof(s) - 1
#define REST "................................................................"

START_TEST(each_type_is_named)
{
    static const struct {
        const char *file;
        size_t n;
        platen_status status;
        const char *text;
    } cases[] = {
        {FILE_OF("\0\0\0\x18"
                 "ftypmp42" REST),
         PLATEN_ERR_FORMAT, "an MPEG-4 file: no picture"},
        {FILE_OF("\xff\x0a" REST), PLATEN_ERR_UNSUPPORTED,
         "a JPEG XL picture: not supported; convert it with djxl"},
        {FILE_OF("AT&TFORM" REST), PLATEN_ERR_UNSUPPORTED,
         "a DjVu file without pages: not supported; convert it with ddjvu"},
        {FILE_OF("%!PS-Adobe-3.0 EPSF-3.0\n"), PLATEN_ERR_UNSUPPORTED,
         "an EPS file: not supported; convert it with gs"},
        {FILE_OF("%!PS-Adobe-3.0\n"), PLATEN_ERR_UNSUPPORTED,
         "a PostScript document: not supported; gs makes pictures of its pages"},
        {FILE_OF("\0\0\1\0\1\0" REST), PLATEN_ERR_UNSUPPORTED,
         "an ICO file: not supported; convert it with icotool"},
        {FILE_OF("qoif" REST), PLATEN_ERR_UNSUPPORTED, "a QOI picture: not supported"},
        {FILE_OF("PK\3\4" REST), PLATEN_ERR_FORMAT, "a ZIP archive or Office document: no picture"},
        {FILE_OF("\x1f\x8b\x8\0" REST), PLATEN_ERR_FORMAT,
         "a gzip file: no picture; unpack it first"},
        {FILE_OF("<!DOCTYPE html>\n<title>404 not found</title>"), PLATEN_ERR_FORMAT,
         "an HTML page: no picture; was it saved in place of one?"},
        {FILE_OF("\xEF\xBB\xBF\r\n <HTML>"), PLATEN_ERR_FORMAT, "an HTML page"},
        {FILE_OF("<?xml version=\"1.0\"?>\n<!-- a drawing -->\n<svg width=\"1\"/>"),
         PLATEN_ERR_UNSUPPORTED, "an SVG drawing: not supported; convert it with rsvg-convert"},
        {FILE_OF("<svg width=\"1\"/>"), PLATEN_ERR_UNSUPPORTED, "an SVG drawing"},
        {FILE_OF("<?xml version=\"1.0\"?><html/>"), PLATEN_ERR_FORMAT, "an HTML page"},
        {FILE_OF("<?xml version=\"1.0\"?><a/>"), PLATEN_ERR_FORMAT, "an XML file: no picture"},
        {FILE_OF("caf\xc3\xa9\n"), PLATEN_ERR_FORMAT, "plain text: no picture"},
        {FILE_OF("caf\xe9\n"), PLATEN_ERR_FORMAT, "unknown format: first bytes 63 61 66 e9 0a"},
        {FILE_OF("8BPS\0\1\0\0\0\0\0\0\0\1\0\0\0\x8\0\0\0\x8\0\x8\0\1" REST),
         PLATEN_ERR_UNSUPPORTED, "a PSD in grey: not supported; save it in RGB"},
        {FILE_OF("8BPS\0\1\0\0\0\0\0\0\0\4\0\0\0\x8\0\0\0\x8\0\x8\0\4" REST),
         PLATEN_ERR_UNSUPPORTED, "a PSD in CMYK: not supported; save it in RGB"},
        {FILE_OF("BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\1\0\0\0\1\0\0\0\1\0\x8\0\1\0\0\0" REST),
         PLATEN_ERR_UNSUPPORTED,
         "a BMP packed as run lengths: not supported; save it without compression"},
        {FILE_OF("BM\0\0\0\0\0\0\0\0\x20\0\0\0\x0c\0\0\0\1\0\1\0\1\0\1\0\xff\xff\xff\0\0\0" REST),
         PLATEN_ERR_UNSUPPORTED,
         "a BMP of OS/2: not supported; save it as one of Windows, or as PNG"},
        {FILE_OF("BM\0\0\0\0\0\0\0\0\x4e\0\0\0\x40\0\0\0\1\0\0\0\1\0\0\0\1\0\x18\0" REST),
         PLATEN_ERR_UNSUPPORTED, "a BMP of OS/2: not supported"},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(cases); i++)
        must_fail(cases[i].file, cases[i].n, cases[i].status, cases[i].text);
}
END_TEST

START_TEST(names_are_told_by_their_extension)
{
    static const char *const pictures_of[] = {"a.png",  "A.JPG", "x.y.Jpeg",   "b.tif",  "b.TIFF",
                                              "c.pbm",  "d.jpx", ".pdf",       "f.HEIC", "g.avif",
                                              "h.djvu", "e.hdr", "/a.b/c.webp"};
    static const char *const others[] = {"png",   "a.",     "a.p",        "a.pn", "a.pngx", "a.jxl",
                                         "a.txt", "a.jpg ", "a.jpg jpeg", "a.ng", ""};
    for (size_t i = 0; i < PL_ARRAY_LEN(pictures_of); i++)
        ck_assert_msg(pl_image_is_name(pictures_of[i]), "'%s'", pictures_of[i]);
    for (size_t i = 0; i < PL_ARRAY_LEN(others); i++)
        ck_assert_msg(!pl_image_is_name(others[i]), "'%s'", others[i]);
}
END_TEST

#define JP2_SIGN "\0\0\0\x0cjP  \r\n\x87\n"
#define CODE_STREAM "\xff\x64\0\4\xff\xd9\xff\x90\0\x0a\0\0\0\0\0\0\0\1ab\xff\xd9"

static const struct {
    const char *file;
    size_t n;
} pictures[] = {
    {FILE_OF("P5 2 2 255\nabcd")},
    {FILE_OF("P6 1 1 65535\nabcdef")},
    {FILE_OF("P4 # 9 bits\n9 1\nab")},
    {FILE_OF("P1 3 2\n101\n0 1 0\n")},
    {FILE_OF("P2 2 2 255\n1 20\n# two\n30 4")},
    {FILE_OF("GIF89a\1\0\1\0\x80\0\0abcdef!\xf9\4\0\0\0\0\0,\0\0\0\0\1\0\1\0\0\2\2D\1\0;")},
    {FILE_OF("BM\x3a\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\1\0\0\0\1\0\0\0\1\0\x18\0\0\0\0\0\0\0\0\0"
             "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\2\3\0")},
    {FILE_OF("\x89PNG\r\n\x1a\n\0\0\0\1IDATxcccc\0\0\0\0IENDcccc")},
    {FILE_OF("\xff\xd8\xff\xe0\0\4ab\xff\xff\xda\0\2\1\xff\0\xff\xd1\xff\xff\xda\0\2xy\xff\xd9")},
    {FILE_OF("AT&TFORM\0\0\0\6DJVUab")},
#if PL_HAVE_JP2
    {FILE_OF(JP2_SIGN "\0\0\0\x0ajp2cab\0\0\0\x0buuid\xff\xd9x")},
    {FILE_OF(JP2_SIGN "\0\0\0\0jp2c\xff\x4f" CODE_STREAM)}, /* a box and a tile without length */
    {FILE_OF("\xff\x4f\xff\x51\0\4\xff\xd9\xff\x90\0\x0a\0\0\0\0\0\x0e\0\1\xff\xd9" CODE_STREAM)},
#endif
#if PL_HAVE_PDF
    {FILE_OF("%PDF-1.4\n%%EOF\n1 0 obj\nstream\n%PDF-1.4\n%%EOF\nendstream\n%%EOF")},
#endif
};

/* One is none more; two are, also with blanks between them. */
START_TEST(a_second_picture_is_seen)
{
    uint8_t two[512];
    for (size_t i = 0; i < PL_ARRAY_LEN(pictures); i++) {
        const size_t n = pictures[i].n;
        const uint8_t *one = (const uint8_t *)pictures[i].file;
        ck_assert_msg(pl_image_next(one, n) == n, "picture %zu", i);
        for (size_t k = 0; k < n; k++)
            ck_assert_msg(pl_image_next(one, k) == k, "picture %zu, %zu bytes", i, k);
        for (size_t j = 0; j < PL_ARRAY_LEN(pictures); j++)
            for (size_t gap = 0; gap < 2; gap++) {
                memcpy(two, one, n);
                two[n] = '\n';
                memcpy(two + n + gap, pictures[j].file, pictures[j].n);
                ck_assert_msg(pl_image_next(two, n + gap + pictures[j].n) == n + gap, "%zu, %zu", i,
                              j);
            }
        memset(two + n, 0xff, 9); /* what cameras put behind a picture */
        ck_assert_uint_eq(pl_image_next(two, n + 9), n + 9);
    }
}
END_TEST

/* Phones put a second picture behind the first one, and say so in it. */
START_TEST(one_that_belongs_to_the_first)
{
    static const char file[] = "\xff\xd8\xff\xe2\0\6MPF\0\xff\xda\0\2x\xff\xd9\xff\xd8\xff\xe0";
    ck_assert_uint_eq(pl_image_next((const uint8_t *)file, sizeof(file) - 1), sizeof(file) - 1);
}
END_TEST

START_TEST(first_bytes_tell)
{
    ck_assert(pl_image_begins((const uint8_t *)"P5 1", 4));
    ck_assert(pl_image_begins((const uint8_t *)pictures[6].file, 20));
    ck_assert(!pl_image_begins((const uint8_t *)"BMW, a maker of cars", 20));
    ck_assert(!pl_image_begins((const uint8_t *)"AT&TFORM", 8));
    ck_assert(!pl_image_begins((const uint8_t *)"\0\0\2\0\0\0\0\0\0\0\0\0\1\0\1\0\x18\0abc", 21));
    ck_assert(!pl_image_begins((const uint8_t *)"", 0));
}
END_TEST

/* Rows come from below, or, where the height is told as a negative one, from above. */
START_TEST(bmp_that_is_cut_off)
{
    enum { W = 6, H = 20, ROW = (3 * W + 3) / 4 * 4, N = 54 + ROW * H };
    for (int downward = 0; downward < 2; downward++) {
        const uint32_t height = downward ? (uint32_t)-H : H;
        uint8_t bmp[N] = {'B', 'M', 0, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40,
                          0,   0,   0, W, 0, 0, 0, 0, 0, 0, 0,  1, 0, 24};
        memcpy(bmp + 22, &height, sizeof(height)); /* the machines that platen knows are like it */
        for (int i = 54; i < N; i++)
            bmp[i] = (uint8_t)(i * 7 % 251);
        truncations_are_told(bmp, N, ROW * H * 8 / 10);
    }
}
END_TEST

/* Grey, of a palette and in colour, from the bottom to the top and the other way round. */
START_TEST(tga_that_is_cut_off)
{
    enum { W = 5, H = 7, HEADER = 18, ID = 3, MAP = 4 * 3 };
    for (int upside_down = 0; upside_down < 2; upside_down++)
        for (int kind = 1; kind <= 3; kind++) {
            const int bytes = kind == 2 ? 3 : 1, map = kind == 1 ? MAP : 0;
            const size_t from = HEADER + ID + (size_t)map, n = from + (size_t)(W * H * bytes);
            uint8_t tga[HEADER + ID + MAP + W * H * 3] = {
                [0] = ID, [2] = (uint8_t)kind, [12] = W, [14] = H, [16] = (uint8_t)(8 * bytes)};
            tga[1] = kind == 1;
            tga[5] = kind == 1 ? 4 : 0;
            tga[7] = kind == 1 ? 24 : 0;
            tga[17] = upside_down ? 0x20 : 0;
            for (size_t i = HEADER + ID; i < n; i++)
                tga[i] = (uint8_t)(i >= from && map ? i * 7 % 4 : i * 7 % 251);
            truncations_are_told(tga, n, (H - 1) * W * bytes);
        }
}
END_TEST

static char vanishing[] = "P6 1 1 255\nabc";

static void gray_of_vanishing(uint8_t *dst, const uint8_t *rgb, size_t n)
{
    memset(vanishing, 0, sizeof(vanishing));
    env.k->gray_rgb(dst, rgb, n);
}

/* A mapped file that becomes shorter in the middle has no bytes any more that tell its type. */
START_TEST(one_whose_bytes_go_while_it_is_decoded)
{
    struct pl_kernels k = *env.k;
    struct pl_env here = env;
    struct pl_flaw flaw;
    struct pl_load_options opt = {.gray = true, .max_pixels = LIMIT, .ret_flaw = &flaw};
    struct pl_image im = {0};
    k.gray_rgb = gray_of_vanishing;
    here.k = &k;
    ck_assert_int_eq(
        pl_image_load(&here, (const uint8_t *)vanishing, sizeof(vanishing) - 1, &opt, &im, &err),
        PLATEN_OK);
    ck_assert(!vanishing[0]);
    ck_assert_str_eq(flaw.text, "");
    pl_image_done(&im);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("types");
    tcase_add_test(tc, each_type_is_named);
    tcase_add_test(tc, names_are_told_by_their_extension);
    tcase_add_test(tc, a_second_picture_is_seen);
    tcase_add_test(tc, one_that_belongs_to_the_first);
    tcase_add_test(tc, bmp_that_is_cut_off);
    tcase_add_test(tc, tga_that_is_cut_off);
    tcase_add_test(tc, first_bytes_tell);
    tcase_add_test(tc, one_whose_bytes_go_while_it_is_decoded);
    return run_env_suite("types", tc);
}
