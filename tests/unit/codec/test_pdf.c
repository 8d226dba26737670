/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdarg.h>
#include <stdio.h>

#include <jpeglib.h>

#include "codec/deflate.h"
#include "codec/pdf/pdf_strip.h"
#include "codec/pdf/update.h"
#include "config.h"
#include "tests/unit/image_fixture.h"

/* A PDF as text: qpdf finds the objects of a file that has no table of them. */
static struct pl_str pdf;

static void begin(void)
{
    pl_str_reset(&pdf);
    pl_str_puts(&pdf, "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n");
}

__attribute__((format(printf, 4, 5))) static void put_stream(int object, const void *data, size_t n,
                                                             const char *fmt, ...)
{
    char dict[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(dict, sizeof(dict), fmt, args);
    va_end(args);
    pl_str_printf(&pdf, "%d 0 obj<<%s/Length %zu>>stream\n", object, dict, n);
    pl_str_add(&pdf, data, n);
    pl_str_puts(&pdf, "\nendstream endobj\n");
}

/* One page with this content and these entries; images are objects 10 and up, named /I10 ... */
static void put_page(const char *entries, const char *content)
{
    pl_str_puts(&pdf, "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 72 36]"
                      "/Resources<</XObject<</I10 10 0 R/I11 11 0 R>>>>>>endobj\n");
    pl_str_printf(&pdf, "3 0 obj<</Type/Page/Parent 2 0 R/Contents 4 0 R%s>>endobj\n", entries);
    put_stream(4, content, strlen(content), " ");
}

static void end(void)
{
    pl_str_puts(&pdf, "trailer<</Root 1 0 R>>\n%%EOF\n");
    ck_assert(!pdf.failed);
}

#define IMAGE "/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent %d%s"
#define WHOLE_PAGE "q 72 0 0 36 0 0 cm /I10 Do Q"

/* 4 x 2 grey pixels: 0, 10, ... 70. */
static const uint8_t ramp[8] = {0, 10, 20, 30, 40, 50, 60, 70};

static void ramp_page(const char *entries, const char *content)
{
    begin();
    put_page(entries, content);
    put_stream(10, ramp, sizeof(ramp), IMAGE, 4, 2, 8, "/ColorSpace/DeviceGray");
    end();
}

static void expect_gray(const struct pl_image *im, int width, int height, const int *want)
{
    ck_assert_int_eq(im->width, width);
    ck_assert_int_eq(im->height, height);
    ck_assert_int_eq(im->format, PL_GRAY8);
    for (int i = 0; i < width * height; i++)
        ck_assert_msg(pl_image_row(im, i / width)[i % width] == want[i], "pixel %d is %d, not %d",
                      i, pl_image_row(im, i / width)[i % width], want[i]);
}

static void must_be_gray(int width, int height, const int *want)
{
    struct pl_image im = must_load(pdf.s, pdf.len, false);
    expect_gray(&im, width, height, want);
    pl_image_done(&im);
}

START_TEST(a_scan_comes_out_pixel_by_pixel)
{
    ramp_page("", WHOLE_PAGE);
    must_be_gray(4, 2, (int[]){0, 10, 20, 30, 40, 50, 60, 70});
    struct pl_image im = must_load(pdf.s, pdf.len, false);
    ck_assert_float_eq(im.dpi_x, 4);
    ck_assert_float_eq(im.dpi_y, 4);
    pl_image_done(&im);
}
END_TEST

START_TEST(what_stands_before_a_document_is_passed_over)
{
    static const char *const all[] = {"\n", "\xef\xbb\xbf", "HTTP/1.1 200 OK\r\n\r\n"};
    for (size_t i = 0; i < PL_ARRAY_LEN(all); i++) {
        struct pl_str file = {0};
        ramp_page("", WHOLE_PAGE);
        pl_str_puts(&file, all[i]);
        pl_str_add(&file, pdf.s, pdf.len);
        struct pl_image im = must_load(file.s, file.len, false);
        expect_gray(&im, 4, 2, (int[]){0, 10, 20, 30, 40, 50, 60, 70});
        pl_image_done(&im);
        pl_str_done(&file);
    }
    must_fail("of %PDF- and %PDF-x", 19, PLATEN_ERR_FORMAT, "plain text");
}
END_TEST

START_TEST(rotation_and_matrices_turn_it)
{
    static const struct {
        const char *entries, *content;
        int width, height, want[8];
    } all[] = {
        {"/Rotate 90", WHOLE_PAGE, 2, 4, {40, 0, 50, 10, 60, 20, 70, 30}},
        {"/Rotate 180", WHOLE_PAGE, 4, 2, {70, 60, 50, 40, 30, 20, 10, 0}},
        {"/Rotate -90", WHOLE_PAGE, 2, 4, {30, 70, 20, 60, 10, 50, 0, 40}},
        /* a mirror, upside down, and a quarter turn by the matrix alone */
        {"", "-72 0 0 36 72 0 cm /I10 Do", 4, 2, {30, 20, 10, 0, 70, 60, 50, 40}},
        {"", "72 0 0 -36 0 36 cm /I10 Do", 4, 2, {40, 50, 60, 70, 0, 10, 20, 30}},
        {"", "0 36 -72 0 72 0 cm /I10 Do", 2, 4, {30, 70, 20, 60, 10, 50, 0, 40}},
        /* the matrix that is given last is applied first */
        {"", "72 0 0 36 0 0 cm 0 1 -1 0 1 0 cm /I10 Do", 2, 4, {30, 70, 20, 60, 10, 50, 0, 40}},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(all); i++) {
        ramp_page(all[i].entries, all[i].content);
        must_be_gray(all[i].width, all[i].height, all[i].want);
    }
}
END_TEST

/* One scan of two pages stands in both, and each shows its half. */
START_TEST(what_the_page_cuts_off_is_not_read)
{
    ramp_page("/CropBox[36 0 72 36]", WHOLE_PAGE);
    must_be_gray(2, 2, (int[]){20, 30, 60, 70});
    ramp_page("/CropBox[0 18 72 36]/Rotate 90", WHOLE_PAGE);
    must_be_gray(1, 4, (int[]){0, 10, 20, 30});
    static const char *const whole[][2] = {
        {"/CropBox[0.5 0 72 36]", WHOLE_PAGE}, /* boxes are rounded */
        {"/CropBox[-50 -50 200 200]", WHOLE_PAGE},
        {"/CropBox[100 0 200 36]", WHOLE_PAGE}, /* outside of the page */
        {"", "q 0 0 36 36 re W n Q " WHOLE_PAGE},
        {"", "0 0 36 36 re n 0 0 72 36 re W n " WHOLE_PAGE},
        {"", "W n " WHOLE_PAGE},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(whole); i++) {
        ramp_page(whole[i][0], whole[i][1]);
        must_be_gray(4, 2, (int[]){0, 10, 20, 30, 40, 50, 60, 70});
    }
    /* what clips cut off */
    ramp_page(
        "",
        "q 2 0 0 1 0 0 cm 18 0 18 36 re W* n Q 36 0 m 72 0 l 72 36 l 36 36 l h W n " WHOLE_PAGE);
    must_be_gray(2, 2, (int[]){20, 30, 60, 70});
    ramp_page("", "0 0 72 36 re n 0 0 36 36 re W n " WHOLE_PAGE);
    must_be_gray(2, 2, (int[]){0, 10, 40, 50});
    ramp_page("", "0 0 54 36 re W n 36 0 36 36 re W n " WHOLE_PAGE);
    must_be_gray(1, 2, (int[]){20, 60});
    ramp_page("/Rotate 90", "0 18 72 18 re W 1 g f " WHOLE_PAGE);
    must_be_gray(1, 4, (int[]){0, 10, 20, 30});
    begin();
    put_page("", "1 0 0 1 10 0 cm /I10 Do");
    put_stream(10, "/I11 Do", 7, "/Subtype/Form/Matrix[72 0 0 36 -10 0]/BBox[.5 0 1 1]");
    put_stream(11, ramp, sizeof(ramp), IMAGE, 4, 2, 8, "/ColorSpace/DeviceGray");
    end();
    must_be_gray(2, 2, (int[]){20, 30, 60, 70});
}
END_TEST

#define STATES                                                                                     \
    "/Resources<</XObject<</I10 10 0 R>>/ExtGState<</Half<</ca .5>>/None<</ca 0>>/All<</ca 1>>"    \
    "/Mask<</SMask<</S/Alpha>>>>/Bare<</SMask/None>>>>>>"

/* Clips of other shapes than boxes, and what makes pictures transparent, are left to a program. */
START_TEST(pictures_that_are_seen_in_part_are_rendered)
{
    static const char *const partly[] = {
        "0 0 m 72 0 l 0 36 l h W n " WHOLE_PAGE,
        "36 0 m 72 0 72 36 36 36 c 0 36 0 0 36 0 c W n " WHOLE_PAGE,
        "9 9 54 18 re 0 0 72 36 re W* n " WHOLE_PAGE,
        "0 0 36 18 re 36 18 36 18 re W n " WHOLE_PAGE,
        /* strips, each of which is small, and a form that stands aslant */
        "0 0 m 72 0 l 0 36 l h W n q 1 0 0 36 0 0 cm /I10 Do Q q 1 0 0 36 9 0 cm /I10 Do Q "
        "q 1 0 0 36 18 0 cm /I10 Do Q q 1 0 0 36 27 0 cm /I10 Do Q",
        "BT 7 Tr (text) Tj ET " WHOLE_PAGE,
        "/Half gs " WHOLE_PAGE,
        "/Mask gs " WHOLE_PAGE,
    };
    static const char *const whole[] = {
        /* around the picture, which stands aslant like it; the path is closed twice */
        "q 1 .1 -.1 1 2 0 cm 0 0 m 66 0 l 66 29 l 0 29 l 0 0 l h W n 66 0 0 29 0 0 cm /I10 Do Q",
        "q 1 .1 -.1 1 2 0 cm 0 29 66 -29 re W n 66 0 0 29 0 0 cm /I10 Do Q",
        "q /Half gs Q /Mask gs /Bare gs /None gs /All gs /Unknown gs " WHOLE_PAGE,
        "0 0 m 72 0 l 72 36 l 0 36 l 0 0 l h W n " WHOLE_PAGE,
        "q 0 0 m 9 0 l 0 9 l h W n 3 0 0 3 0 0 cm /None gs /I10 Do Q " WHOLE_PAGE,
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(partly); i++) {
        ramp_page(STATES, partly[i]);
        must_fail(pdf.s, pdf.len, PLATEN_ERR_UNSUPPORTED, "cut to a shape");
    }
    for (size_t i = 0; i < PL_ARRAY_LEN(whole); i++) {
        ramp_page(STATES, whole[i]);
        must_be_gray(4, 2, (int[]){0, 10, 20, 30, 40, 50, 60, 70});
    }
    /* a small one counts neither way */
    ramp_page(STATES, WHOLE_PAGE " 1 1 m 5 1 l 1 5 l h W n 4 0 0 4 1 1 cm /I10 Do");
    struct pl_image im = must_load(pdf.s, pdf.len, true);
    pl_image_done(&im);
}
END_TEST

/* Ends a file of objects up to 11 with a table of them, as an update needs it. */
static void end_with_table(void)
{
    const size_t at = pdf.len;
    pl_str_puts(&pdf, "xref\n0 12\n0000000000 65535 f \n");
    for (int i = 1; i < 12; i++) {
        char head[20];
        const int n = snprintf(head, sizeof(head), "\n%d 0 obj", i);
        const char *found = memmem(pdf.s, at, head, (size_t)n);
        pl_str_printf(&pdf, "%010d 00000 %c \n", found ? (int)(found - pdf.s) + 1 : 0,
                      found ? 'n' : 'f');
    }
    pl_str_printf(&pdf, "trailer<</Root 1 0 R/Size 12>>\nstartxref\n%zu\n%%%%EOF\n", at);
}

/* A layer of text stands where its words are, also on a picture that stands aslant. */
START_TEST(a_layer_stands_as_its_picture_does)
{
    static const struct {
        double m[6];
        int turn; /* quarter turns of the page, clockwise */
        bool across;
    } all[] = {
        {{72, 0, 0, 36, 0, 0}, 0, false},  {{70, 2, -1, 35, 1, 0}, 0, false},
        {{70, 2, -1, 35, 1, 0}, 1, true},  {{-70, 2, -1, -35, 72, 36}, 0, false},
        {{2, 35, -70, 1, 70, 0}, 0, true}, {{70, 2, 1, -35, 1, 35}, 3, true},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(all); i++) {
        char content[100], entries[40];
        const double *m = all[i].m;
        snprintf(content, sizeof(content), "%g %g %g %g %g %g cm /I10 Do", m[0], m[1], m[2], m[3],
                 m[4], m[5]);
        snprintf(entries, sizeof(entries), "/Rotate %d", 90 * all[i].turn);
        begin();
        put_page(entries, content);
        put_stream(10, ramp, sizeof(ramp), IMAGE, 4, 2, 8, "/ColorSpace/DeviceGray");
        end_with_table();
        struct pl_image im = must_load(pdf.s, pdf.len, true);
        const struct pl_pdf_update_source src = {.data = (uint8_t *)pdf.s,
                                                 .n = pdf.len,
                                                 .page = 1,
                                                 .width = im.width,
                                                 .height = im.height};
        struct pl_pdf_update u;
        ck_assert_int_eq(im.width, all[i].across ? 2 : 4);
        ck_assert_int_eq(pl_pdf_read_update(&src, &u, &err), 0);
        /* the middle of each pixel, which its grey tells, as the matrix has it */
        for (int k = 0; k < 8; k++) {
            const int x = k % im.width, y = k / im.width, at = pl_image_row(&im, y)[x] / 10;
            const double s = (at % 4 + 0.5) / 4, t = 1 - (at / 4 + 0.5) / 2;
            const struct pl_point p = pl_affine_apply(&u.place.to_user, (x + 0.5) * u.place.scale_x,
                                                      (im.height - y - 0.5) * u.place.scale_y);
            ck_assert_double_le(fabs(p.x - (m[0] * s + m[2] * t + m[4])), 1e-6);
            ck_assert_double_le(fabs(p.y - (m[1] * s + m[3] * t + m[5])), 1e-6);
        }
        pl_pdf_update_done(&u);
        pl_image_done(&im);
    }
}
END_TEST

/* What a page takes is told by the pictures that it is made of, whatever it shows of them. */
START_TEST(memory_is_that_of_what_is_decoded)
{
    static const struct {
        const char *entries, *space;
        int width;         /* of the picture that comes out */
        uint64_t at_least; /* bytes */
    } all[] = {
        {"", "/ColorSpace/DeviceGray", 100, (2 + 1) * 5000},
        {"", "/ColorSpace/DeviceCMYK", 100, (2 * 4 + 3) * 5000},
        {"/CropBox[0 0 1 1]", "/ColorSpace/DeviceGray", 1, (2 + 2) * 5000},
        {"/CropBox[0 0 1 1]", "/ColorSpace/DeviceGray/SMask 11 0 R", 1, 2 * (2 + 2) * 5000},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(all); i++) {
        struct pl_image_info info;
        begin();
        put_page(all[i].entries, WHOLE_PAGE);
        put_stream(10, ramp, 8, IMAGE, 100, 50, 8, all[i].space);
        put_stream(11, ramp, 8, IMAGE, 100, 50, 8, "/ColorSpace/DeviceGray");
        end();
        ck_assert_int_eq(pl_image_probe((uint8_t *)pdf.s, pdf.len, NULL, &info, &err), 0);
        ck_assert_int_eq(info.width, all[i].width);
        ck_assert_uint_ge(info.decode_bytes, all[i].at_least);
        ck_assert_uint_le(info.decode_bytes, 2 * all[i].at_least);
    }
}
END_TEST

START_TEST(samples_of_every_kind)
{
    static const struct {
        const char *entries;
        int bits;
        uint8_t data[16];
        size_t n;
        int want[4];
    } all[] = {
        {"/ColorSpace/DeviceGray", 1, {0x40, 0x80}, 2, {0, 255, 255, 0}},
        {"/ColorSpace/DeviceGray/Decode[1 0]", 1, {0x40, 0x80}, 2, {255, 0, 0, 255}},
        {"/ColorSpace/DeviceGray", 2, {0x60, 0xc0}, 2, {85, 170, 255, 0}},
        {"/ColorSpace/DeviceGray", 4, {0x1f, 0x08}, 2, {17, 255, 0, 136}},
        {"/ColorSpace/DeviceGray", 16, {1, 0, 2, 0, 255, 255, 0, 0}, 8, {1, 2, 255, 0}},
        {"/ColorSpace[/Separation/Black/DeviceGray null]",
         8,
         {0, 1, 254, 255},
         4,
         {255, 254, 1, 0}},
        {"/ColorSpace[/Indexed/DeviceGray 1<c863>]", 8, {0, 1, 1, 0}, 4, {200, 99, 99, 200}},
        {"/ColorSpace[/Indexed/DeviceRGB 1<101010 ffffff>]",
         1,
         {0x40, 0x80},
         2,
         {16, 255, 255, 16}},
        {"/ImageMask true", 1, {0x40, 0x80}, 2, {0, 255, 255, 0}},
        {"/ColorSpace/DeviceGray/Decode[0 0.2]", 8, {0, 255, 100, 50}, 4, {0, 51, 20, 10}},
        {"/ColorSpace/DeviceGray/Decode[1 0]", 8, {0, 255, 100, 50}, 4, {255, 0, 155, 205}},
        {"/ColorSpace[/Indexed/DeviceGray 1<c863>]/Decode[1 0]",
         1,
         {0x40, 0x80},
         2,
         {99, 200, 200, 99}},
        {"/ColorSpace[/Indexed[/Separation/Black/DeviceGray null]1<00ff>]",
         1,
         {0x40, 0x80},
         2,
         {255, 0, 0, 255}},
        {"/ColorSpace[/DeviceN[/Black]/DeviceCMYK null]", 8, {0, 1, 254, 255}, 4, {255, 254, 1, 0}},
        {"/ColorSpace[/Separation/Light/DeviceRGB<</FunctionType 2/N 1/C0[0 0 0]/C1[1 1 1]>>]",
         8,
         {0, 1, 254, 255},
         4,
         {0, 1, 254, 255}},
        /* an index that bits of a fax are */
        {"/ColorSpace[/Indexed/DeviceGray 1<c863>]/Filter/CCITTFaxDecode"
         "/DecodeParms<</K 0/Columns 2>>",
         1,
         {0x1d, 0x0e, 0x80},
         3,
         {99, 200, 99, 200}},
        {"/ColorSpace/DeviceGray/Filter/CCITTFaxDecode/DecodeParms<</Columns 2/EncodedByteAlign "
         "true>>",
         1,
         {0x1d, 0, 0x1d, 0},
         4,
         {255, 0, 255, 0}},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(all); i++) {
        begin();
        put_page("", WHOLE_PAGE);
        put_stream(10, all[i].data, all[i].n, IMAGE, 2, 2, all[i].bits, all[i].entries);
        end();
        must_be_gray(2, 2, all[i].want);
    }
}
END_TEST

START_TEST(colours)
{
    static const struct {
        const char *space;
        uint8_t data[4];
        size_t n;
        int want[3];
    } all[] = {
        {"/ColorSpace/DeviceRGB", {1, 2, 3}, 3, {1, 2, 3}},
        {"/ColorSpace[/CalRGB<<>>]", {1, 2, 3}, 3, {1, 2, 3}},
        {"/ColorSpace/DeviceCMYK", {0, 255, 51, 0}, 4, {255, 0, 204}},
        {"/ColorSpace/DeviceCMYK", {0, 0, 0, 255}, 4, {0, 0, 0}},
        {"/ColorSpace[/DeviceN[/Cyan/Magenta/Yellow/Black]/DeviceCMYK null]",
         {0, 255, 51, 0},
         4,
         {255, 0, 204}},
        {"/ColorSpace/DeviceRGB/Decode[1 0 0 1 0 0.2]", {1, 2, 255}, 3, {254, 2, 51}},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(all); i++) {
        begin();
        put_page("", WHOLE_PAGE);
        put_stream(10, all[i].data, all[i].n, IMAGE, 1, 1, 8, all[i].space);
        end();
        struct pl_image im = must_load(pdf.s, pdf.len, false);
        ck_assert_int_eq(im.format, PL_RGB8);
        for (int c = 0; c < 3; c++)
            ck_assert_int_eq(im.px[c], all[i].want[c]);
        pl_image_done(&im);
    }
}
END_TEST

#if PL_HAVE_JP2
/* Samples of JPEG 2000 are scaled to bytes, from which indices are made again, and inks know their
 * fourth one. */
START_TEST(jpeg_2000_has_the_colours_that_the_pdf_tells)
{
    /* 0 1 2 3, 3 2 1 0 in two bits, and a pixel without ink beside one in black alone */
    static const uint8_t indices[] = {
        0xff, 0x4f, 0xff, 0x51, 0x00, 0x29, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00,
        0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00,
        0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x01, 0x01, 0x01,
        0xff, 0x52, 0x00, 0x0c, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x04, 0x04, 0x00, 0x01, 0xff,
        0x5c, 0x00, 0x04, 0x40, 0x10, 0xff, 0x90, 0x00, 0x0a, 0x00, 0x00, 0x00, 0x00, 0x00, 0x14,
        0x00, 0x01, 0xff, 0x93, 0xdd, 0x10, 0x07, 0x98, 0xdb, 0x7f, 0xff, 0xd9};
    static const uint8_t inks[] = {
        0xff, 0x4f, 0xff, 0x51, 0x00, 0x32, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00,
        0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02,
        0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04,
        0x07, 0x01, 0x01, 0x07, 0x01, 0x01, 0x07, 0x01, 0x01, 0x07, 0x01, 0x01, 0xff, 0x52,
        0x00, 0x0c, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x04, 0x04, 0x00, 0x01, 0xff, 0x5c,
        0x00, 0x04, 0x40, 0x40, 0xff, 0x90, 0x00, 0x0a, 0x00, 0x00, 0x00, 0x00, 0x00, 0x23,
        0x00, 0x01, 0xff, 0x93, 0xdf, 0x80, 0x10, 0x09, 0x3f, 0xdf, 0x80, 0x10, 0x09, 0x3f,
        0xdf, 0x80, 0x10, 0x09, 0x3f, 0xdf, 0x80, 0x18, 0x05, 0xa2, 0xdd, 0xff, 0xd9};
    begin();
    put_page("", WHOLE_PAGE);
    put_stream(10, indices, sizeof(indices), IMAGE, 4, 2, 8,
               "/ColorSpace[/Indexed/DeviceGray 3<c8640a32>]/Filter/JPXDecode");
    end();
    must_be_gray(4, 2, (int[]){200, 100, 10, 50, 50, 10, 100, 200});
    begin(); /* the file of a picture may not have many more pixels than the document tells */
    put_page("", WHOLE_PAGE);
    put_stream(10, indices, sizeof(indices), IMAGE, 3, 1, 8,
               "/ColorSpace/DeviceGray/Filter/JPXDecode");
    end();
    must_fail(pdf.s, pdf.len, PLATEN_ERR_LIMIT, "to have 3 x 1 pixels: 4 x 2 pixels exceed");
    begin();
    put_page("", WHOLE_PAGE);
    put_stream(10, inks, sizeof(inks), IMAGE, 2, 1, 8, "/ColorSpace/DeviceCMYK/Filter/JPXDecode");
    end();
    struct pl_image im = must_load(pdf.s, pdf.len, true);
    ck_assert_int_eq(im.px[0], 255);
    ck_assert_int_eq(im.px[1], 0);
    pl_image_done(&im);
}
END_TEST
#endif

/* Object 10: a JPEG of width x height pixels of these samples, eight at most across; told to have
 * other sizes. */
static void put_told_jpeg(const uint8_t *samples, int n, int width, int height, int told_width,
                          int told_height, const char *entries)
{
    struct jpeg_compress_struct c;
    struct jpeg_error_mgr errors;
    unsigned char *bytes = NULL;
    unsigned long size = 0;
    JSAMPLE pixels[8 * 4];
    JSAMPROW row = pixels;
    for (int x = 0; x < width; x++)
        memcpy(pixels + x * n, samples, (size_t)n);
    c.err = jpeg_std_error(&errors);
    jpeg_create_compress(&c);
    jpeg_mem_dest(&c, &bytes, &size);
    c.image_width = (JDIMENSION)width;
    c.image_height = (JDIMENSION)height;
    c.input_components = n;
    c.in_color_space = n == 1 ? JCS_GRAYSCALE : n == 3 ? JCS_RGB : JCS_CMYK;
    jpeg_set_defaults(&c);
    jpeg_set_colorspace(&c, c.in_color_space);
    jpeg_set_quality(&c, 100, TRUE);
    jpeg_start_compress(&c, TRUE);
    for (int y = 0; y < height; y++)
        jpeg_write_scanlines(&c, &row, 1);
    jpeg_finish_compress(&c);
    jpeg_destroy_compress(&c);
    put_stream(10, bytes, size, IMAGE "/Filter/DCTDecode", told_width, told_height, 8, entries);
    free(bytes);
}

static void put_jpeg(const uint8_t *samples, int n, const char *entries)
{
    put_told_jpeg(samples, n, 1, 1, 1, 1, entries);
}

/* Rows that are too many are left out, those that lack are white and told, and another width is
 * scaled. */
START_TEST(a_jpeg_has_the_size_that_the_pdf_tells)
{
    static const struct {
        int width, height, grey_rows;
        const char *flaw;
    } told[] = {
        {8, 16, 16, ""},
        {8, 15, 15, ""},
        {8, 20, 16, "damaged pdf: an image of 16 rows where 20 are told; 16 of 20 rows were read"},
        {9, 16, 16, ""},
        {7, 18, 18, ""},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(told); i++) {
        struct pl_image im = {0};
        struct pl_flaw flaw;
        begin();
        put_page("", WHOLE_PAGE);
        put_told_jpeg((const uint8_t[]){100}, 1, 8, 16, told[i].width, told[i].height,
                      "/ColorSpace/DeviceGray");
        end();
        ck_assert_msg(!load_flawed(pdf.s, pdf.len, &im, &flaw), "%s", err.text);
        ck_assert_str_eq(flaw.text, told[i].flaw);
        ck_assert(im.width == told[i].width && im.height == told[i].height);
        for (int y = 0; y < im.height; y++)
            for (int x = 0; x < im.width; x++)
                ck_assert_int_eq(*pixel(&im, x, y), y < told[i].grey_rows ? 100 : 255);
        pl_image_done(&im);
    }
}
END_TEST

/* A JPEG has the colours that the PDF tells, whether it is read in grey or not, and whatever the
 * mark of Adobe in it says. */
START_TEST(a_jpeg_has_the_colours_that_the_pdf_tells)
{
    static const struct {
        const char *entries;
        uint8_t samples[4];
        int n, want[3]; /* red, green and blue, or one grey */
    } all[] = {
        {"/ColorSpace/DeviceGray/Decode[1 0]", {10}, 1, {245}},
        {"/ColorSpace[/Separation/Black/DeviceGray null]", {10}, 1, {245}},
        {"/ColorSpace[/Indexed/DeviceRGB 1<102030 ffffff>]", {0}, 1, {16, 32, 48}},
        {"/ColorSpace/DeviceRGB/Decode[1 0 1 0 1 0]", {10, 100, 200}, 3, {245, 155, 55}},
        {"/ColorSpace/DeviceCMYK", {0, 255, 51, 0}, 4, {255, 0, 204}},
        {"/ColorSpace/DeviceCMYK/Decode[1 0 1 0 1 0 1 0]", {255, 0, 204, 255}, 4, {255, 0, 204}},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(all); i++) {
        const int *want = all[i].want;
        begin();
        put_page("", WHOLE_PAGE);
        put_jpeg(all[i].samples, all[i].n, all[i].entries);
        end();
        struct pl_image im = must_load(pdf.s, pdf.len, false);
        for (int c = 0; c < (int)im.format; c++)
            ck_assert_int_le(abs(im.px[c] - want[c]), 2);
        pl_image_done(&im);
        im = must_load(pdf.s, pdf.len, true);
        const double luma = 0.299 * want[0] + 0.587 * want[1] + 0.114 * want[2];
        const bool one = all[i].n == 1 && !want[1];
        ck_assert_int_eq(im.format, PL_GRAY8);
        ck_assert_double_le(fabs(im.px[0] - (one ? want[0] : luma)), 2);
        pl_image_done(&im);
    }
}
END_TEST

START_TEST(filters_are_undone)
{
    static const char hex[] = "000a141e 28323c46>";
    struct pl_str z = {0};
    begin();
    put_page("", WHOLE_PAGE);
    put_stream(10, hex, strlen(hex), IMAGE "/Filter/ASCIIHexDecode", 4, 2, 8,
               "/ColorSpace/DeviceGray");
    end();
    must_be_gray(4, 2, (int[]){0, 10, 20, 30, 40, 50, 60, 70});

    /* a run of bytes as they are, and runs of equal ones */
    static const char runs[] = {3, 0, 10, 20, 30, -1, 40, -1, 50, -128};
    begin();
    put_page("", WHOLE_PAGE);
    put_stream(10, runs, sizeof(runs), IMAGE "/Filter/RunLengthDecode", 4, 2, 8,
               "/ColorSpace/DeviceGray");
    end();
    must_be_gray(4, 2, (int[]){0, 10, 20, 30, 40, 40, 50, 50});

    /* PNG's predictors: each from the pixel to its left, then each from the row above */
    static const uint8_t rows[] = {1, 0, 10, 10, 10, 2, 40, 40, 40, 40};
    ck_assert_int_eq(pl_deflate(rows, sizeof(rows), &z, &err), PLATEN_OK);
    begin();
    put_page("", WHOLE_PAGE);
    put_stream(10, z.s, z.len, IMAGE "/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns 4>>",
               4, 2, 8, "/ColorSpace/DeviceGray");
    end();
    must_be_gray(4, 2, (int[]){0, 10, 20, 30, 40, 50, 60, 70});
    pl_str_done(&z);
}
END_TEST

START_TEST(strips_are_put_together)
{
    begin();
    put_page("", "q 72 0 0 18 0 18 cm /I10 Do Q q 72 0 0 18 0 0 cm /I11 Do Q");
    put_stream(10, ramp, 4, IMAGE, 4, 1, 8, "/ColorSpace/DeviceGray");
    put_stream(11, ramp + 4, 4, IMAGE, 4, 1, 8, "/ColorSpace/DeviceGray");
    end();
    must_be_gray(4, 2, (int[]){0, 10, 20, 30, 40, 50, 60, 70});
}
END_TEST

START_TEST(masks_paint_over_what_is_below)
{
    static const uint8_t paper[8] = {200, 200, 200, 200, 200, 200, 200, 200},
                         bits[2] = {0x60, 0x90};
    begin();
    put_page("", "72 0 0 36 0 0 cm /I10 Do 0.2 g /I11 Do");
    put_stream(10, paper, sizeof(paper), IMAGE, 4, 2, 8, "/ColorSpace/DeviceGray");
    put_stream(11, bits, sizeof(bits), IMAGE, 4, 2, 1, "/ImageMask true");
    end();
    must_be_gray(4, 2, (int[]){51, 200, 200, 51, 200, 51, 51, 200});
}
END_TEST

/* A picture shows what its mask lets through: alone on the page, in its colours, over what is below
 * it, and with the pixels of the mask where that has more. */
START_TEST(masks_of_pictures_count)
{
    static const uint8_t alpha[8] = {0, 255, 51, 255, 255, 0, 255, 0}, bits[2] = {0x50, 0xa0};
    static const struct {
        const char *content, *entries;
        int width, want[8];
    } all[] = {
        {WHOLE_PAGE, "/SMask 12 0 R", 4, {255, 10, 208, 30, 40, 255, 60, 255}},
        {WHOLE_PAGE, "/Mask 13 0 R", 4, {0, 255, 20, 255, 255, 50, 255, 70}},
        {"q 72 0 0 36 0 0 cm /I11 Do /I10 Do Q",
         "/SMask 12 0 R",
         4,
         {200, 10, 164, 30, 40, 200, 60, 200}},
        {WHOLE_PAGE, "/SMask 12 0 R", 1, {255, 0, 204, 0, 0, 255, 0, 255}},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(all); i++) {
        const int w = all[i].width;
        begin();
        put_page("", all[i].content);
        put_stream(10, ramp, (size_t)w * 2, IMAGE "%s", w, w / 2 + (w < 2), 8,
                   "/ColorSpace/DeviceGray", all[i].entries);
        put_stream(11, "\310\310", 2, IMAGE, 2, 1, 8, "/ColorSpace/DeviceGray");
        put_stream(12, alpha, sizeof(alpha), IMAGE, 4, 2, 8, "/ColorSpace/DeviceGray");
        put_stream(13, bits, sizeof(bits), IMAGE, 4, 2, 1, "/ImageMask true");
        end();
        must_be_gray(4, 2, all[i].want);
    }
    begin();
    put_page("", WHOLE_PAGE);
    put_stream(10, ramp, 6, IMAGE, 2, 1, 8, "/ColorSpace/DeviceRGB/SMask 12 0 R");
    put_stream(12, alpha, 2, IMAGE, 2, 1, 8, "/ColorSpace/DeviceGray");
    end();
    struct pl_image im = must_load(pdf.s, pdf.len, false);
    ck_assert_int_eq(im.format, PL_RGB8);
    ck_assert_mem_eq(im.px, ((uint8_t[]){255, 255, 255, 30, 40, 50}), 6);
    pl_image_done(&im);
}
END_TEST

/* Layers 20 and 22 are hidden, 21 is shown; I10 lies in the layer or condition that is named. */
START_TEST(hidden_layers_are_not_read)
{
    static const char off[] = "<</OFF[20 0 R 22 0 R]>>";
    static const struct {
        const char *shown, *entries, *content;
        bool seen;
    } all[] = {
        {off, "/OC 20 0 R", "/I10 Do", false},
        {off, "/OC 21 0 R", "/I10 Do", true},
        {off, "/OC null", "/I10 Do", true},
        {"<</BaseState/OFF/ON[21 0 R]>>", "/OC 20 0 R", "/I10 Do", false},
        {"<</BaseState/OFF/ON[21 0 R]>>", "/OC 21 0 R", "/I10 Do", true},
        {off, "", "/OC /P20 BDC /I10 Do EMC", false},
        {off, "", "/OC /P21 BDC /I10 Do EMC", true},
        {off, "", "/OC /P20 BDC /OC /P21 BDC EMC /X BMC /I10 Do EMC EMC", false},
        {off, "", "/OC /P20 BDC /X BMC EMC EMC /I10 Do", true},
        {off, "", "/OC /P21 BDC /OC /P20 BDC EMC /I10 Do EMC", true},
        {off, "", "/Span /P20 BDC /I10 Do EMC", true},
        {off, "", "/I10 Do /OC /P20 BDC 0 g 0 0 72 36 re f BT (text) Tj ET EMC", true},
        {off, "/OC<</Type/OCMD/OCGs 20 0 R>>", "/I10 Do", false},
        {off, "/OC<</Type/OCMD/OCGs[20 0 R 21 0 R]>>", "/I10 Do", true},
        {off, "/OC<</Type/OCMD/OCGs[20 0 R 22 0 R]>>", "/I10 Do", false},
        {off, "/OC<</Type/OCMD/OCGs[20 0 R 21 0 R]/P/AllOn>>", "/I10 Do", false},
        {off, "/OC<</Type/OCMD/OCGs[20 0 R 21 0 R]/P/AnyOff>>", "/I10 Do", true},
        {off, "/OC<</Type/OCMD/OCGs[20 0 R 21 0 R]/P/AllOff>>", "/I10 Do", false},
        {off, "/OC<</Type/OCMD/OCGs[20 0 R 22 0 R]/P/AllOff>>", "/I10 Do", true},
        {off, "/OC<</Type/OCMD/OCGs[null]>>", "/I10 Do", true},
        {off, "/OC<</Type/OCMD/OCGs 21 0 R/VE[/Not 21 0 R]>>", "/I10 Do", false},
        {off, "/OC<</Type/OCMD/VE[/Or 20 0 R[/Not 22 0 R]]>>", "/I10 Do", true},
        {off, "/OC<</Type/OCMD/VE[/And 21 0 R[/Or 20 0 R 22 0 R]]>>", "/I10 Do", false},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(all); i++) {
        char content[200];
        pl_str_reset(&pdf);
        pl_str_printf(
            &pdf,
            "%%PDF-1.5\n1 0 obj<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[20 0 R 21 0 "
            "R 22 0 R]/D%s>>>>endobj\n",
            all[i].shown);
        for (int layer = 20; layer < 23; layer++)
            pl_str_printf(&pdf, "%d 0 obj<</Type/OCG/Name()>>endobj\n", layer);
        snprintf(content, sizeof(content), "q 72 0 0 36 0 0 cm /I11 Do %s Q", all[i].content);
        put_page("/Resources<</XObject<</I10 10 0 R/I11 11 0 R>>/Properties<</P20 20 0 R/P21 21 0 R"
                 ">>>>",
                 content);
        put_stream(10, ramp, sizeof(ramp), IMAGE "%s", 4, 2, 8, "/ColorSpace/DeviceGray",
                   all[i].entries);
        put_stream(11, "\x99", 1, IMAGE, 1, 1, 8, "/ColorSpace/DeviceGray");
        end();
        struct pl_image im = must_load(pdf.s, pdf.len, false);
        ck_assert_msg(im.px[0] == (all[i].seen ? 0 : 0x99), "case %zu: %d", i, im.px[0]);
        pl_image_done(&im);
    }
}
END_TEST

START_TEST(forms_have_pictures_in_them)
{
    static const char content[] = "/I10 Do";
    begin();
    pl_str_puts(&pdf, "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
                      "3 0 obj<</Type/Page/Parent 2 0 R/Contents 4 0 R/MediaBox[0 0 72 36]"
                      "/Resources<</XObject<</F 5 0 R>>>>>>endobj\n");
    put_stream(4, "/F Do", 5, " ");
    put_stream(5, content, strlen(content),
               "/Subtype/Form/Matrix[72 0 0 36 0 0]/Resources<</XObject<</I10 10 0 R>>>>");
    put_stream(10, ramp, sizeof(ramp), IMAGE, 4, 2, 8, "/ColorSpace/DeviceGray");
    end();
    must_be_gray(4, 2, (int[]){0, 10, 20, 30, 40, 50, 60, 70});
}
END_TEST

/* The matrix of a form comes between those of the page and of what is in it. What a form does to
 * the matrix of the page ends with it. */
START_TEST(matrices_of_forms_are_chained)
{
    static const struct {
        const char *page, *form;
        int width, height, want[8];
    } all[] = {
        {"72 0 0 36 0 0 cm /I11 Do", "/I10 Do", 2, 4, {30, 70, 20, 60, 10, 50, 0, 40}},
        {"72 0 0 36 0 0 cm /I11 Do",
         "-1 0 0 1 1 0 cm /I10 Do",
         2,
         4,
         {0, 40, 10, 50, 20, 60, 30, 70}},
        {"-72 0 0 36 72 0 cm /I11 Do", "/I10 Do", 2, 4, {70, 30, 60, 20, 50, 10, 40, 0}},
        {"72 0 0 36 0 0 cm /I11 Do /I10 Do",
         "-1 0 0 1 1 0 cm",
         4,
         2,
         {0, 10, 20, 30, 40, 50, 60, 70}},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(all); i++) {
        begin();
        put_page("", all[i].page);
        put_stream(11, all[i].form, strlen(all[i].form),
                   "/Subtype/Form/Matrix[0 1 -1 0 1 0]/Resources<</XObject<</I10 10 0 R>>>>");
        put_stream(10, ramp, sizeof(ramp), IMAGE, 4, 2, 8, "/ColorSpace/DeviceGray");
        end();
        must_be_gray(all[i].width, all[i].height, all[i].want);
    }
}
END_TEST

START_TEST(only_what_is_seen_over_the_picture_counts)
{
    static const struct {
        const char *content, *flaw, *entries;
    } all[] = {
        {"1 g 0 0 72 36 re f " WHOLE_PAGE " BT 3 Tr (hidden) Tj ET", NULL, ""},
        {WHOLE_PAGE " BT (stamped) Tj ET", "over the scan", ""},
        {WHOLE_PAGE " 1 g 9 9 9 9 re f", "over the scan", ""},
        {WHOLE_PAGE, "over the scan", "/Annots[<</Subtype/Stamp/AP<</N 4 0 R>>>>]"},
        {WHOLE_PAGE, NULL,
         "/Annots[<</Subtype/Stamp/F 2/AP<</N 4 0 R>>>><</Subtype/Link/Border[0 0 0]/AP<</N 4 0 "
         "R>>>>]"},
        {WHOLE_PAGE, "over the scan", "/Annots[<</Subtype/Stamp/AS/b/AP<</N<</b 4 0 R>>>>>>]"},
        {WHOLE_PAGE, NULL, "/Annots[<</Subtype/Stamp/AS/a/AP<</N<</b 4 0 R>>>>>>]"},
        /* fields of forms: empty, filled in, and one that cannot be run */
        {WHOLE_PAGE, NULL, "/Annots[<</Subtype/Widget/AP<</N 12 0 R>>>>]"},
        {WHOLE_PAGE " /OC /Gone BDC", "over the scan",
         "/Annots[<</Subtype/Widget/AP<</N 13 0 R>>>>]"},
        {WHOLE_PAGE, "over the scan", "/Annots[<</Subtype/Widget/AP<</N 14 0 R>>>>]"},
        {WHOLE_PAGE " /None gs BT (not seen) Tj ET 9 9 9 9 re f", NULL, STATES},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(all); i++) {
        struct pl_image im = {0};
        struct pl_flaw flaw;
        struct pl_load_options opt = {.max_pixels = LIMIT, .ret_flaw = &flaw};
        begin();
        put_page(all[i].entries, all[i].content);
        put_stream(10, ramp, sizeof(ramp), IMAGE, 4, 2, 8, "/ColorSpace/DeviceGray");
        put_stream(12, "/Tx BMC q 9 9 9 9 re f Q EMC", 28, "/BBox[0 0 9 9]");
        put_stream(13, "/Tx BMC BT (by hand) Tj ET EMC", 30, "/BBox[0 0 9 9]");
        put_stream(14, "no text", 7, "/Filter/FlateDecode");
        end();
        ck_assert_int_eq(pl_image_load(&env, (uint8_t *)pdf.s, pdf.len, &opt, &im, &err), 0);
        ck_assert(all[i].flaw ? strstr(flaw.text, all[i].flaw) != NULL : !flaw.text[0]);
        pl_image_done(&im);
        opt.anew = true; /* a program is to render what is over it */
        ck_assert_int_eq(pl_image_load(&env, (uint8_t *)pdf.s, pdf.len, &opt, &im, &err),
                         all[i].flaw ? PLATEN_ERR_UNSUPPORTED : PLATEN_OK);
        pl_image_done(&im);
        opt.anew = false;
        opt.pdf_text = PLATEN_PDF_TEXT_FORCE;
        ck_assert_int_eq(pl_image_load(&env, (uint8_t *)pdf.s, pdf.len, &opt, &im, &err),
                         all[i].flaw ? PLATEN_ERR_UNSUPPORTED : PLATEN_OK);
        pl_image_done(&im);
    }
}
END_TEST

/* A page with a picture of 4 x 20 grey pixels, deflated, of which n bytes stand there. */
static void deflated_page(const struct pl_str *deflated, size_t n)
{
    begin();
    put_page("", WHOLE_PAGE);
    put_stream(10, deflated->s, n, IMAGE, 4, 20, 8, "/ColorSpace/DeviceGray/Filter/FlateDecode");
    end();
}

START_TEST(what_came_of_deflated_samples_is_read)
{
    uint8_t px[80];
    struct pl_str deflated = {0};
    struct pl_flaw flaw;
    struct pl_image whole, im = {0};
    int partly = 0;
    for (size_t i = 0; i < sizeof(px); i++)
        px[i] = (uint8_t)(rand() % 255);
    ck_assert(!pl_deflate(px, sizeof(px), &deflated, &err));
    deflated_page(&deflated, deflated.len);
    whole = must_load(pdf.s, pdf.len, false);
    for (size_t n = 1; n < deflated.len - 4; n++) { /* the sum need not be there */
        deflated_page(&deflated, n);
        if (load_flawed(pdf.s, pdf.len, &im, &flaw))
            continue;
        partly += rows_as_told(&im, &whole, &flaw) < 20;
        pl_image_done(&im);
    }
    ck_assert_int_gt(partly, 40);
    deflated.s[deflated.len - 1] ^= 1;
    deflated_page(&deflated, deflated.len);
    ck_assert(!load_flawed(pdf.s, pdf.len, &im, &flaw));
    ck_assert_str_eq(flaw.text,
                     "damaged pdf: the checksum of an image is wrong; 20 of 20 rows were read");
    pl_image_done(&im);
    must_fail(pdf.s, pdf.len, PLATEN_ERR_FORMAT, "checksum"); /* nobody is told */
    pl_image_done(&whole);
    pl_str_done(&deflated);
}
END_TEST

/* Of a page of several pictures those that can be read are, and the rows of all are counted; a
 * picture whose mask cannot be read is lost as a whole. */
START_TEST(damage_and_what_is_drawn_over_it_are_both_told)
{
    struct pl_image im;
    struct pl_flaw flaw;
    begin();
    put_page("", WHOLE_PAGE " 1 g 0 0 10 10 re f");
    put_stream(10, ramp, 5, IMAGE, 4, 2, 8, "/ColorSpace/DeviceGray");
    end();
    ck_assert(!load_flawed(pdf.s, pdf.len, &im, &flaw));
    ck_assert(flaw.damaged);
    ck_assert_msg(strstr(flaw.text, "; 1 of 2 rows were read; what is drawn over the scan is not"),
                  "%s", flaw.text);
    pl_image_done(&im);
}
END_TEST

START_TEST(a_damaged_picture_leaves_the_others)
{
    enum { ONE, BOTH, MASK, CASES };
    struct pl_image im = {0};
    struct pl_flaw flaw;
    for (int damaged = ONE; damaged < CASES; damaged++) {
        begin();
        put_page("", "q 72 0 0 18 0 18 cm /I10 Do Q q 72 0 0 18 0 0 cm /I11 Do Q");
        put_stream(10, ramp, damaged == BOTH ? 3 : 4, IMAGE, 4, 1, 8, "/ColorSpace/DeviceGray");
        put_stream(11, ramp, damaged == MASK ? 4 : 3, IMAGE, 4, 1, 8,
                   damaged == MASK ? "/ColorSpace/DeviceGray/SMask 12 0 R"
                                   : "/ColorSpace/DeviceGray");
        put_stream(12, ramp, 3, IMAGE, 4, 1, 8, "/ColorSpace/DeviceGray");
        end();
        const platen_status s = load_flawed(pdf.s, pdf.len, &im, &flaw);
        if (damaged != BOTH) {
            ck_assert_str_eq(flaw.text,
                             "damaged pdf: an image ends at byte 3 of 4; 1 of 2 rows were read");
            ck_assert_double_eq(flaw.lost_share, 0.5);
            expect_gray(&im, 4, 2, (int[]){0, 10, 20, 30, 255, 255, 255, 255});
        }
        ck_assert_int_eq(s, damaged == BOTH ? PLATEN_ERR_FORMAT : PLATEN_OK);
        pl_image_done(&im);
    }
}
END_TEST

START_TEST(text_below_the_picture_does_not_count)
{
    struct pl_image im = {0};
    struct pl_flaw flaw;
    struct pl_load_options opt = {.max_pixels = LIMIT, .ret_flaw = &flaw};
    ramp_page("", "BT (covered) Tj ET 0 0 m 9 9 l S " WHOLE_PAGE);
    ck_assert_int_eq(pl_image_load(&env, (uint8_t *)pdf.s, pdf.len, &opt, &im, &err), PLATEN_OK);
    ck_assert_str_eq(flaw.text, "");
    pl_image_done(&im);
}
END_TEST

/* Pieces of content; of those that begin with '-' the rest is hidden text. */
static void expect_stripped(const char *const *pieces, const char *want)
{
    struct pl_str out = {0};
    struct pl_pdf_stripped strip = {.out = &out};
    const double numbers[] = {7, 1.5, 2};
    for (; *pieces; pieces++) {
        const char *text = *pieces + (**pieces == '-'), *op = strrchr(text, ' ');
        pl_pdf_strip_piece(&strip,
                           &(struct pl_pdf_piece){op ? op + 1 : text, text, strlen(text), numbers,
                                                  3, text != *pieces, text != *pieces});
    }
    pl_pdf_strip_end(&strip);
    ck_assert(!out.failed);
    ck_assert_str_eq(out.s, want);
    pl_str_done(&out);
}

START_TEST(hidden_text_is_taken_away)
{
    expect_stripped((const char *const[]){"q", " /I Do", " Q", NULL}, "q /I Do Q\n");
    /* where all is hidden, places go, and what outlives the object stays */
    expect_stripped((const char *const[]){"BT", " 3 Tr", " /F 9 Tf", " 1 2 Td", "- (a) Tj",
                                          " 0 -9 TD", "- 1.5 2 (b) \"", "- (c) '", " ET", NULL},
                    "BT 3 Tr /F 9 Tf 0 -9 TD\n1.5 Tw 2 Tc ET\n");
    /* what is seen keeps its place */
    expect_stripped((const char *const[]){"BT", " 1 2 Td", "- (a) '", " (b) Tj", " ET", NULL},
                    "BT 1 2 Td\nT* (b) Tj ET\n");
    expect_stripped((const char *const[]){"- /T Do", " BT", " 1 2 Tm", " ET", " n", NULL},
                    " BT ET n\n");
    expect_stripped((const char *const[]){" BT", " 1 2 Tm", NULL}, " BT 1 2 Tm\n");
}
END_TEST

START_TEST(what_is_no_scan_is_refused)
{
    ramp_page("", "BT (drawn) Tj ET q 20 0 0 10 0 0 cm /I10 Do Q");
    must_fail(pdf.s, pdf.len, PLATEN_ERR_UNSUPPORTED, "--pdf-renderer");
    begin();
    put_page("", WHOLE_PAGE);
    put_stream(10, ramp, 3, IMAGE, 4, 2, 8, "/ColorSpace/DeviceGray");
    end();
    must_fail(pdf.s, pdf.len, PLATEN_ERR_FORMAT, "ends at byte 3 of 8");
    begin();
    put_page("", WHOLE_PAGE);
    put_stream(10, ramp, 8, IMAGE, 4, 2, 8, "/ColorSpace[/Lab<<>>]");
    end();
    must_fail(pdf.s, pdf.len, PLATEN_ERR_UNSUPPORTED, "/Lab");
    /* pictures of which one stands aslant, and a light shape on a dark area */
    ramp_page("", WHOLE_PAGE " 50 10 -10 25 10 0 cm /I10 Do");
    must_fail(pdf.s, pdf.len, PLATEN_ERR_UNSUPPORTED, "aslant");
    begin();
    put_page("", "0 g 0 0 72 36 re f 1 g " WHOLE_PAGE);
    put_stream(10, ramp, 2, IMAGE, 4, 2, 1, "/ImageMask true");
    end();
    must_fail(pdf.s, pdf.len, PLATEN_ERR_UNSUPPORTED, "light shapes");
    must_fail("%PDF-1.4\nnothing", 16, PLATEN_ERR_FORMAT, "damaged pdf");
    begin();
    pl_str_puts(&pdf, "2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n");
    end();
    must_fail(pdf.s, pdf.len, PLATEN_ERR_FORMAT, "no pages: none was made");
}
END_TEST

START_TEST(a_large_picture_in_a_small_file_is_refused)
{
    begin();
    put_page("", WHOLE_PAGE);
    put_stream(10, ramp, 8, IMAGE, 100000, 100000, 8, "/ColorSpace/DeviceGray");
    end();
    must_fail(pdf.s, pdf.len, PLATEN_ERR_LIMIT, "exceed the limit");
}
END_TEST

/* Forms each of which runs the next one twice; and one large picture many times. */
START_TEST(small_pages_that_ask_for_much_are_refused)
{
    begin();
    put_page("", "/I10 Do");
    for (int i = 10; i < 34; i++)
        put_stream(i, "/N Do /N Do", 11, "/Subtype/Form/Resources<</XObject<</N %d 0 R>>>>", i + 1);
    end();
    must_fail(pdf.s, pdf.len, PLATEN_ERR_LIMIT, "more than 4096 forms");
    begin();
    put_page("", "72 0 0 36 0 0 cm /I10 Do /I10 Do /I10 Do /I10 Do /I10 Do");
    put_stream(10, ramp, 8, IMAGE, 20000, 9999, 1, "/ColorSpace/DeviceGray");
    end();
    must_fail(pdf.s, pdf.len, PLATEN_ERR_LIMIT, "times the limit");
}
END_TEST

START_TEST(an_empty_page_is_white)
{
    ramp_page("", " ");
    struct pl_image im = must_load(pdf.s, pdf.len, false);
    ck_assert_int_eq(im.width, 150);
    ck_assert_int_eq(im.height, 75);
    ck_assert_int_eq(im.px[0], 255);
    pl_image_done(&im);
}
END_TEST

START_TEST(pages_are_found_by_their_objects)
{
    struct pl_pages pages;
    begin();
    pl_str_puts(&pdf, "2 0 obj<</Type/Pages/Kids[3 0 R 5 0 R]/Count 2/MediaBox[0 0 72 36]"
                      "/Resources<</XObject<</I10 10 0 R/I11 11 0 R>>>>>>endobj\n"
                      "3 0 obj<</Type/Page/Parent 2 0 R/Contents 4 0 R>>endobj\n"
                      "5 0 obj<</Type/Page/Parent 2 0 R/Contents 6 0 R>>endobj\n");
    put_stream(4, WHOLE_PAGE, strlen(WHOLE_PAGE), " ");
    put_stream(6, "72 0 0 36 0 0 cm /I11 Do", 24, " ");
    put_stream(10, ramp, 1, IMAGE, 1, 1, 8, "/ColorSpace/DeviceGray");
    put_stream(11, ramp + 7, 1, IMAGE, 1, 1, 8, "/ColorSpace/DeviceGray");
    end();
    const uint8_t *data = (const uint8_t *)pdf.s;
    ck_assert_int_eq(pl_image_pages(data, pdf.len, &pages, &err), PLATEN_OK);
    ck_assert_int_eq(pages.n, 2);
    for (int i = 0; i < 4; i++) {
        struct pl_image im = {0};
        struct pl_load_options opt = {.max_pixels = LIMIT, .page = i % 2 + 1};
        opt.page_at = i < 2 ? pages.at[i] : 0;
        ck_assert_int_eq(pl_image_load(&env, data, pdf.len, &opt, &im, &err), PLATEN_OK);
        expect_gray(&im, 1, 1, (int[]){i % 2 ? 70 : 0});
        pl_image_done(&im);
    }
    pl_pages_done(&pages);
    must_fail(pdf.s, pdf.len, PLATEN_ERR_UNSUPPORTED, "has 2 pages");
}
END_TEST

/* Pages without content, labelled so. */
static void labelled_pages(int n, const char *tree)
{
    pl_str_reset(&pdf);
    pl_str_printf(&pdf, "%%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R/PageLabels %s>>endobj\n",
                  tree);
    pl_str_printf(&pdf, "2 0 obj<</Type/Pages/Count %d/MediaBox[0 0 1 1]/Kids[", n);
    for (int i = 0; i < n; i++)
        pl_str_printf(&pdf, "%d 0 R ", 100 + i);
    pl_str_puts(&pdf, "]>>endobj\n");
    for (int i = 0; i < n; i++)
        pl_str_printf(&pdf, "%d 0 obj<</Type/Page/Parent 2 0 R>>endobj\n", 100 + i);
    end();
}

/* The labels of all pages, parted by blanks; "-" where the file names none. */
static const char *labels_of(void)
{
    static char text[1024];
    struct pl_pages pages;
    ck_assert_int_eq(pl_image_pages((const uint8_t *)pdf.s, pdf.len, &pages, &err), PLATEN_OK);
    strcpy(text, pages.labels ? "" : "-");
    const char *s = pages.labels;
    for (int i = 0; s && i < pages.n; i++, s += strlen(s) + 1)
        sprintf(text + strlen(text), "%s%s", i ? " " : "", s);
    pl_pages_done(&pages);
    return text;
}

START_TEST(pages_have_labels)
{
    static const struct {
        int n;
        const char *tree, *want;
    } all[] = {
        {3, "null", "-"},
        {5, "<</Nums[0<</S/r>>3<</S/D>>]>>", "i ii iii 1 2"},
        {4, "<</Nums[0<</S/R/St 3998>>]>>", "MMMCMXCVIII MMMCMXCIX MMMM MMMMI"},
        {4, "<</Nums[0<</S/a/St 25>>]>>", "y z aa bb"},
        {2, "<</Nums[0<</S/A/St 53/P(x.)>>]>>", "x.AAA x.BBB"},
        {4, "<</Nums[1<</P(Cover)>>2<</S/D/St 7/P(A-)>>]>>", " Cover A-7 A-8"},
        {2, "<</Nums[0<</P<feff00e9>/S/D>>]>>", "\u00e91 \u00e92"},
        /* a tree, and a broken one: what lies behind is left out */
        {4, "<</Kids[<</Nums[0<</S/r>>]>><</Nums[2<</S/D>>]>>]>>", "i ii 1 2"},
        {4, "<</Nums[2<</S/D>>0<</S/r>>9<</S/A>>]>>", "  1 2"},
        /* numbers that make no label */
        {2, "<</Nums[0<</S/r/St 99999>>]>>", " "},
        {2, "<</Nums[0<</S/D/St -5>>]>>", " "},
        {2, "<</Nums[0<</S/D/St 2147483647>>]>>", "2147483647 "},
        {1, "<</Nums[0<</P(0123456789012345678901234567890123456789012345678901234567890123)>>]>>",
         ""},
        /* no line of text */
        {2, "<</Nums[0<</P(a\\nb)>>]>>", "-"},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(all); i++) {
        labelled_pages(all[i].n, all[i].tree);
        ck_assert_str_eq(labels_of(), all[i].want);
    }
}
END_TEST

START_TEST(a_tree_of_labels_that_leads_back_ends)
{
    labelled_pages(2, "5 0 R");
    pdf.len -= strlen("trailer<</Root 1 0 R>>\n%%EOF\n");
    pl_str_puts(&pdf, "5 0 obj<</Kids[5 0 R 5 0 R]>>endobj\n");
    end();
    ck_assert_str_eq(labels_of(), " ");
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("pdf");
    tcase_add_test(tc, a_scan_comes_out_pixel_by_pixel);
    tcase_add_test(tc, what_stands_before_a_document_is_passed_over);
    tcase_add_test(tc, rotation_and_matrices_turn_it);
    tcase_add_test(tc, what_the_page_cuts_off_is_not_read);
    tcase_add_test(tc, pictures_that_are_seen_in_part_are_rendered);
    tcase_add_test(tc, a_layer_stands_as_its_picture_does);
    tcase_add_test(tc, memory_is_that_of_what_is_decoded);
    tcase_add_test(tc, samples_of_every_kind);
    tcase_add_test(tc, colours);
#if PL_HAVE_JP2
    tcase_add_test(tc, jpeg_2000_has_the_colours_that_the_pdf_tells);
#endif
    tcase_add_test(tc, a_jpeg_has_the_colours_that_the_pdf_tells);
    tcase_add_test(tc, filters_are_undone);
    tcase_add_test(tc, strips_are_put_together);
    tcase_add_test(tc, masks_paint_over_what_is_below);
    tcase_add_test(tc, masks_of_pictures_count);
    tcase_add_test(tc, hidden_layers_are_not_read);
    tcase_add_test(tc, forms_have_pictures_in_them);
    tcase_add_test(tc, matrices_of_forms_are_chained);
    tcase_add_test(tc, only_what_is_seen_over_the_picture_counts);
    tcase_add_test(tc, a_jpeg_has_the_size_that_the_pdf_tells);
    tcase_add_test(tc, what_came_of_deflated_samples_is_read);
    tcase_add_test(tc, damage_and_what_is_drawn_over_it_are_both_told);
    tcase_add_test(tc, a_damaged_picture_leaves_the_others);
    tcase_add_test(tc, text_below_the_picture_does_not_count);
    tcase_add_test(tc, hidden_text_is_taken_away);
    tcase_add_test(tc, what_is_no_scan_is_refused);
    tcase_add_test(tc, a_large_picture_in_a_small_file_is_refused);
    tcase_add_test(tc, small_pages_that_ask_for_much_are_refused);
    tcase_add_test(tc, an_empty_page_is_white);
    tcase_add_test(tc, pages_are_found_by_their_objects);
    tcase_add_test(tc, pages_have_labels);
    tcase_add_test(tc, a_tree_of_labels_that_leads_back_ends);
    int status = run_env_suite("pdf", tc);
    pl_str_done(&pdf);
    return status;
}
