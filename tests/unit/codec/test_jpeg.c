/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>

#include <jpeglib.h>

#include "codec/stored.h"
#include "tests/unit/image_fixture.h"

struct shot {
    int width, height, channels;
    J_COLOR_SPACE from, to;
    bool progressive, arithmetic, no_adobe, no_jfif;
    int unit, x_density, y_density;
    const uint8_t *exif; /* the TIFF structure */
    size_t n_exif;
    const jpeg_scan_info *script;
    int n_scans, restart_rows;
    uint8_t *px;
};

static struct pl_str encode(const struct shot *s)
{
    struct jpeg_compress_struct c;
    struct jpeg_error_mgr errors;
    uint8_t *bytes = NULL, app1[200] = "Exif\0";
    unsigned long n = 0;
    c.err = jpeg_std_error(&errors);
    jpeg_create_compress(&c);
    jpeg_mem_dest(&c, &bytes, &n);
    c.image_width = s->width;
    c.image_height = s->height;
    c.input_components = s->channels;
    c.in_color_space = s->from;
    jpeg_set_defaults(&c);
    jpeg_set_colorspace(&c, s->to);
    jpeg_set_quality(&c, 100, TRUE);
    for (int i = 0; i < c.num_components; i++)
        c.comp_info[i].h_samp_factor = c.comp_info[i].v_samp_factor = 1;
    c.arith_code = s->arithmetic;
    c.restart_in_rows = s->restart_rows;
    c.write_JFIF_header = c.write_JFIF_header && !s->no_jfif;
    c.write_Adobe_marker = c.write_Adobe_marker && !s->no_adobe;
    c.density_unit = s->unit;
    c.X_density = s->x_density;
    c.Y_density = s->y_density;
    if (s->progressive)
        jpeg_simple_progression(&c);
    if (s->script) {
        c.scan_info = s->script;
        c.num_scans = s->n_scans;
    }
    jpeg_start_compress(&c, TRUE);
    if (s->exif) {
        memcpy(app1 + 6, s->exif, s->n_exif);
        jpeg_write_marker(&c, JPEG_APP0 + 1, app1, 6 + s->n_exif);
    }
    for (int y = 0; y < s->height; y++) {
        uint8_t *row = s->px + y * s->width * s->channels;
        jpeg_write_scanlines(&c, &row, 1);
    }
    jpeg_finish_compress(&c);
    jpeg_destroy_compress(&c);
    struct pl_str out = {0};
    pl_str_add(&out, (char *)bytes, n);
    free(bytes);
    return out;
}

/* Soft ramps: at quality 100 they come back within 3. */
static struct shot ramps(J_COLOR_SPACE from, J_COLOR_SPACE to, int channels)
{
    struct shot s = {.width = 37, .height = 21, .channels = channels, .from = from, .to = to};
    s.px = malloc(s.width * s.height * channels);
    for (int i = 0; i < s.width * s.height; i++)
        for (int c = 0; c < channels; c++)
            s.px[i * channels + c] = c == 0   ? i % s.width * 6
                                     : c == 1 ? i / s.width * 11
                                     : c == 2 ? 200 - i % s.width * 5
                                              : 60 + i / s.width * 8;
    return s;
}

/* Red, green and blue of pixel i as they were given to the encoder. `ink` is how CMYK was meant:
 * true = 255 is full ink. */
static void wanted(const struct shot *s, int i, bool ink, int rgb[3])
{
    const uint8_t *p = s->px + i * s->channels;
    for (int c = 0; c < 3; c++)
        if (s->channels == 4)
            rgb[c] = lround((ink ? 255 - p[c] : p[c]) * (ink ? 255 - p[3] : p[3]) / 255.0);
        else
            rgb[c] = p[s->channels == 3 ? c : 0];
}

static void check(const struct shot *s, bool ink, int tolerance)
{
    struct pl_str file = encode(s);
    for (int gray = 0; gray < 2; gray++) {
        struct pl_image im = must_load(file.s, file.len, gray);
        ck_assert(im.width == s->width && im.height == s->height && !im.bilevel);
        ck_assert_int_eq(im.format, gray || s->channels == 1 ? PL_GRAY8 : PL_RGB8);
        for (int i = 0; i < s->width * s->height; i++) {
            int rgb[3];
            const uint8_t *p = pixel(&im, i % s->width, i / s->width);
            wanted(s, i, ink, rgb);
            if (im.format == PL_GRAY8)
                ck_assert_int_le(abs(p[0] - luma(rgb[0], rgb[1], rgb[2])), tolerance);
            else
                for (int c = 0; c < 3; c++)
                    ck_assert_int_le(abs(p[c] - rgb[c]), tolerance);
        }
        pl_image_done(&im);
    }
    pl_str_done(&file);
}

START_TEST(colour_spaces)
{
    static const struct {
        J_COLOR_SPACE from, to;
        int channels;
    } kinds[] = {{JCS_GRAYSCALE, JCS_GRAYSCALE, 1},
                 {JCS_RGB, JCS_YCbCr, 3},
                 {JCS_RGB, JCS_RGB, 3},
                 {JCS_CMYK, JCS_CMYK, 4},
                 {JCS_CMYK, JCS_YCCK, 4}};
    for (size_t k = 0; k < PL_ARRAY_LEN(kinds); k++)
        for (int i = 0; i < 4; i++) {
            struct shot s = ramps(kinds[k].from, kinds[k].to, kinds[k].channels);
            s.progressive = i & 1;
            s.arithmetic = i & 2;
            check(&s, false, 4);
            free(s.px);
        }
    /* without Adobe's marker CMYK is ink */
    struct shot s = ramps(JCS_CMYK, JCS_CMYK, 4);
    s.no_adobe = true;
    check(&s, true, 4);
    free(s.px);
}
END_TEST

/* With opt->gray the luma plane is taken as it is: the same bytes as libjpeg's grey output. */
START_TEST(gray_is_the_luma_plane)
{
    struct shot s = ramps(JCS_RGB, JCS_YCbCr, 3);
    struct pl_str file = encode(&s);
    struct pl_image im = must_load(file.s, file.len, true);
    struct jpeg_decompress_struct d;
    struct jpeg_error_mgr errors;
    d.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&d);
    jpeg_mem_src(&d, (uint8_t *)file.s, file.len);
    jpeg_read_header(&d, TRUE);
    d.out_color_space = JCS_GRAYSCALE;
    jpeg_start_decompress(&d);
    uint8_t row[37], *rows = row;
    for (int y = 0; y < s.height; y++) {
        jpeg_read_scanlines(&d, &rows, 1);
        ck_assert_mem_eq(row, pl_image_row(&im, y), s.width);
    }
    jpeg_destroy_decompress(&d);
    pl_image_done(&im);
    pl_str_done(&file);
    free(s.px);
}
END_TEST

static void density(const struct shot *s, double x, double y)
{
    struct pl_str file = encode(s);
    struct pl_image im = must_load(file.s, file.len, true);
    ck_assert_double_eq_tol((double)im.dpi_x, x, 0.01);
    ck_assert_double_eq_tol((double)im.dpi_y, y, 0.01);
    pl_image_done(&im);
    pl_str_done(&file);
}

/* Orientation `o`, 100 dots a centimetre across and 50 down. */
static const uint8_t *exif_of(int o)
{
    static uint8_t e[] = "II*\0\x08\0\0\0\4\0"
                         "\x12\1\3\0\1\0\0\0?\0\0\0"
                         "\x1a\1\5\0\1\0\0\0\x3e\0\0\0"
                         "\x1b\1\5\0\1\0\0\0\x46\0\0\0"
                         "\x28\1\3\0\1\0\0\0\3\0\0\0"
                         "\0\0\0\0"
                         "\x64\0\0\0\1\0\0\0\x64\0\0\0\2\0\0";
    e[18] = o;
    return e;
}

START_TEST(density_of_jfif_then_exif)
{
    struct shot s = ramps(JCS_GRAYSCALE, JCS_GRAYSCALE, 1);
    s.unit = 1, s.x_density = 300, s.y_density = 600;
    density(&s, 300, 600);
    s.unit = 2, s.x_density = 100, s.y_density = 200;
    density(&s, 254, 508);
    s.unit = 0; /* an aspect ratio */
    density(&s, 0, 0);
    s.exif = exif_of(1);
    s.n_exif = 78;
    density(&s, 254, 127);
    s.exif = exif_of(6);
    density(&s, 127, 254);
    s.unit = 1;
    density(&s, 200, 100);
    s.no_jfif = true;
    density(&s, 127, 254);
    free(s.px);
}
END_TEST

START_TEST(eight_orientations)
{
    /* blocks of 16 x 16 pixels  a b   as they are to be seen, row by row, for orientations 1 to 8
     */
    /*                           c d                                                              */
    /*                           e f                                                              */
    static const char *const seen[] = {"ab cd ef", "ba dc fe", "fe dc ba", "ef cd ab",
                                       "ace bdf",  "eca fdb",  "fdb eca",  "bdf ace"};
    for (int color = 0; color < 2; color++)
        for (int o = 1; o <= 8; o++) {
            int channels = color ? 3 : 1;
            struct shot s = {.width = 32, .height = 48, .channels = channels, .n_exif = 78};
            s.from = color ? JCS_RGB : JCS_GRAYSCALE;
            s.to = color ? JCS_YCbCr : JCS_GRAYSCALE;
            s.exif = exif_of(o);
            s.px = malloc(32 * 48 * channels);
            for (int i = 0; i < 32 * 48; i++) {
                int v = 40 * (i / 32 / 16 * 2 + i % 32 / 16);
                for (int c = 0; c < channels; c++)
                    s.px[i * channels + c] = c == 1 ? 255 - v : v;
            }
            struct pl_str file = encode(&s);
            struct pl_image im = must_load(file.s, file.len, false);
            int columns = o < 5 ? 2 : 3;
            ck_assert_int_eq(im.width, 16 * columns);
            ck_assert_int_eq(im.height, 16 * (5 - columns));
            for (int y = 0; y < im.height; y++)
                for (int x = 0; x < im.width; x++) {
                    int v = 40 * (seen[o - 1][y / 16 * (columns + 1) + x / 16] - 'a');
                    ck_assert_int_le(abs(pixel(&im, x, y)[0] - v), 3);
                    if (color)
                        ck_assert_int_le(abs(pixel(&im, x, y)[1] - (255 - v)), 3);
                }
            pl_image_done(&im);
            pl_str_done(&file);
            free(s.px);
        }
}
END_TEST

START_TEST(truncated_at_every_byte)
{
    for (int i = 0; i < 3; i++) {
        struct shot s =
            ramps(i == 2 ? JCS_CMYK : JCS_RGB, i == 2 ? JCS_YCCK : JCS_YCbCr, 3 + i / 2);
        s.progressive = i == 1;
        struct pl_str file = encode(&s);
        every_truncation_fails(file.s, file.len - 2);
        must_fail(file.s, 9, PLATEN_ERR_FORMAT, "truncated at byte 9 of the header");
        must_fail(file.s, file.len - 30, PLATEN_ERR_FORMAT, "of the picture data");
        every_allocation_may_fail(file.s, file.len);
        free(s.px);
        pl_str_done(&file);
    }
}
END_TEST

/* Where that marker stands. */
static size_t marker(const struct pl_str *file, uint8_t code)
{
    for (size_t i = 0; i + 1 < file->len; i++)
        if ((uint8_t)file->s[i] == 0xff && (uint8_t)file->s[i + 1] == code)
            return i;
    ck_abort_msg("no marker %02x", code);
}

static void must_be_equal(const struct pl_image *a, const struct pl_image *b)
{
    ck_assert(a->width == b->width && a->height == b->height && a->format == b->format);
    for (int y = 0; y < a->height; y++)
        ck_assert(
            !memcmp(pl_image_row(a, y), pl_image_row(b, y), (size_t)a->width * (size_t)a->format));
}

/* _i: bit 0 = progressive, bit 1 = CMYK. A file that lacks its end mark, or half of it, has every
 * pixel, and tells. */
START_TEST(without_its_end)
{
    struct shot s = _i & 2 ? ramps(JCS_CMYK, JCS_YCCK, 4) : ramps(JCS_RGB, JCS_YCbCr, 3);
    s.progressive = _i & 1;
    struct pl_str file = encode(&s);
    struct pl_image whole = {0}, cut = {0};
    struct pl_flaw flaw;
    ck_assert(!load_flawed(file.s, file.len, &whole, &flaw));
    ck_assert_str_eq(flaw.text, "");
    for (size_t lost = 1; lost <= 2; lost++) {
        ck_assert_msg(!load_flawed(file.s, file.len - lost, &cut, &flaw), "%s", err.text);
        ck_assert_str_eq(flaw.text, "the mark of its end is missing, but no pixel");
        must_be_equal(&cut, &whole);
        pl_image_done(&cut);
    }
    pl_image_done(&whole);
    free(s.px);
    pl_str_done(&file);
}
END_TEST

/* Between two scans there is nothing that a decoder misses but what never came. */
START_TEST(scans_that_are_missing)
{
    static const jpeg_scan_info by_component[] = {
        {1, {0}, 0, 63, 0, 0}, {1, {1}, 0, 63, 0, 0}, {1, {2}, 0, 63, 0, 0}};
    for (int turn = 0; turn < 2; turn++) {
        struct shot s = ramps(JCS_RGB, JCS_YCbCr, 3);
        s.progressive = turn;
        s.script = turn ? NULL : by_component;
        s.n_scans = turn ? 0 : 3;
        struct pl_str file = encode(&s);
        int scans = 0;
        for (size_t i = 1; i + 1 < file.len; i++)
            if ((uint8_t)file.s[i] == 0xff && (uint8_t)file.s[i + 1] == 0xda && ++scans > 1)
                must_fail(file.s, i, PLATEN_ERR_FORMAT, "truncated at byte");
        ck_assert_int_ge(scans, 3);
        free(s.px);
        pl_str_done(&file);
    }
}
END_TEST

/* _i: bit 0 = grey, bit 1 = with an arithmetic code, bit 2 = restarts behind each row of blocks. */
START_TEST(what_came_is_read)
{
    struct shot s = _i & 1 ? ramps(JCS_GRAYSCALE, JCS_GRAYSCALE, 1) : ramps(JCS_RGB, JCS_YCbCr, 3);
    s.arithmetic = _i & 2;
    s.restart_rows = _i & 4 ? 1 : 0;
    struct pl_str file = encode(&s);
    truncations_are_told(file.s, file.len, 20);
    free(s.px);
    pl_str_done(&file);
}
END_TEST

/* A bad code costs the rows up to the next restart, and those alone; without restarts the rest. */
START_TEST(damage_ends_at_a_restart)
{
    for (int restarts = 0; restarts < 2; restarts++) {
        struct shot s = ramps(JCS_GRAYSCALE, JCS_GRAYSCALE, 1);
        s.restart_rows = restarts;
        struct pl_str file = encode(&s);
        struct pl_image whole = must_load(file.s, file.len, false), im = {0};
        struct pl_flaw flaw;
        const size_t scan = marker(&file, 0xda) + 10,
                     at = restarts ? marker(&file, 0xd0) + 8 : scan + (file.len - scan) / 2;
        memcpy(file.s + at, "\xff\0\xff\0\xff\0", 6); /* no code has so many ones */
        ck_assert(!load_flawed(file.s, file.len, &im, &flaw));
        ck_assert_int_eq(rows_as_told(&im, &whole, &flaw), restarts ? 13 : 8);
        ck_assert(strstr(flaw.text, "corrupt JPEG data"));
        pl_image_done(&im);
        must_fail(file.s, file.len, PLATEN_ERR_FORMAT, "corrupt JPEG data"); /* nobody is told */
        pl_image_done(&whole);
        free(s.px);
        pl_str_done(&file);
    }
}
END_TEST

/* A progressive file of which the last bits of the brightness alone are missing is read. */
START_TEST(the_last_scans_may_be_missing)
{
    struct shot s = ramps(JCS_GRAYSCALE, JCS_GRAYSCALE, 1);
    s.progressive = true;
    struct pl_str file = encode(&s);
    struct pl_image im = {0};
    struct pl_flaw flaw;
    size_t last = 0;
    for (size_t i = 0; i + 1 < file.len; i++)
        if ((uint8_t)file.s[i] == 0xff && (uint8_t)file.s[i + 1] == 0xda)
            last = i;
    ck_assert(!load_flawed(file.s, last + 12, &im, &flaw));
    ck_assert_msg(strstr(flaw.text, "; 21 of 21 rows were read"), "%s", flaw.text);
    for (int i = 0; i < 37 * 21; i++)
        ck_assert_int_le(abs(*pixel(&im, i % 37, i / 37) - s.px[i]), 6);
    pl_image_done(&im);
    ck_assert_int_eq(load_flawed(file.s, marker(&file, 0xda) + 30, &im, &flaw), PLATEN_ERR_FORMAT);
    free(s.px);
    pl_str_done(&file);
}
END_TEST

/* An arithmetic code goes on behind the end of its data: there every byte must be. */
START_TEST(arithmetic_truncated)
{
    struct shot s = ramps(JCS_RGB, JCS_YCbCr, 3);
    s.arithmetic = true;
    struct pl_str file = encode(&s);
    every_truncation_fails(file.s, file.len);
    free(s.px);
    pl_str_done(&file);
}
END_TEST

static bool has_marker(const struct pl_str *file, uint8_t code)
{
    for (size_t i = 0; i + 1 < file->len; i++)
        if ((uint8_t)file->s[i] == 0xff && (uint8_t)file->s[i + 1] == code)
            return true;
    return false;
}

/* What readers of PDF need not know becomes what they do, to the same pixels. */
START_TEST(recoded_without_loss)
{
    for (int kind = 0; kind < 4; kind++)
        for (int cut = 0; cut < 2; cut++) {
            struct shot s =
                kind & 2 ? ramps(JCS_GRAYSCALE, JCS_GRAYSCALE, 1) : ramps(JCS_RGB, JCS_YCbCr, 3);
            s.progressive = kind & 1;
            s.arithmetic = !cut;
            struct pl_str file = encode(&s), plain = {0};
            struct pl_image before = {0}, after = {0};
            size_t n = file.len - (size_t)(2 * cut);
            struct pl_flaw flaw;
            struct pl_stored stored;
            ck_assert(!pl_image_stored(NULL, (uint8_t *)file.s, n, NULL, &stored));
            ck_assert_int_eq(stored.form, PL_STORED_JPEG);
            ck_assert_msg(!pl_jpeg_recode(&env, (uint8_t *)file.s, n, &plain, &err), "%s",
                          err.text);
            ck_assert(pl_image_stored(NULL, (uint8_t *)plain.s, plain.len, NULL, &stored));
            ck_assert_uint_eq(stored.bytes, plain.len);
            ck_assert(has_marker(&plain, 0xc0) && !has_marker(&plain, 0xc9));
            ck_assert(!load_flawed(file.s, n, &before, &flaw));
            ck_assert(!load_flawed(plain.s, plain.len, &after, &flaw));
            ck_assert_str_eq(flaw.text, "");
            must_be_equal(&before, &after);
            pl_image_done(&before);
            pl_image_done(&after);
            free(s.px);
            pl_str_done(&file);
            pl_str_done(&plain);
        }
}
END_TEST

static void note_claim(void *ctx, uint64_t pixels, uint64_t scratch_bytes)
{
    uint64_t *most = ctx;
    (void)pixels;
    *most = PL_MAX(*most, scratch_bytes);
}

/* The coefficients take 2 bytes a sample, for which there must be memory. */
START_TEST(recoding_claims_memory)
{
    struct shot s = ramps(JCS_GRAYSCALE, JCS_GRAYSCALE, 1);
    s.arithmetic = true;
    struct pl_str file = encode(&s), plain = {0};
    uint64_t claimed = 0;
    const struct pl_room room = {LIMIT, note_claim, &claimed};
    struct pl_env own = env;
    own.room = &room;
    ck_assert(!pl_jpeg_recode(&own, (uint8_t *)file.s, file.len, &plain, &err));
    ck_assert_uint_ge(claimed, 2 * 37 * 21 + file.len);
    pl_str_done(&plain);
    pl_str_done(&file);
    free(s.px);
}
END_TEST

/* Files that are not whole, and memory that is short, leave nothing behind. */
START_TEST(recoding_fails)
{
    struct shot s = ramps(JCS_RGB, JCS_YCbCr, 3);
    s.arithmetic = true;
    struct pl_str file = encode(&s);
    for (size_t n = 0; n < file.len; n += 7) {
        struct pl_str plain = {0};
        err = (struct platen_error){0};
        ck_assert_int_ne(pl_jpeg_recode(&env, (uint8_t *)file.s, n, &plain, &err), PLATEN_OK);
        ck_assert_uint_gt(strlen(err.text), 0);
        pl_str_done(&plain);
    }
    struct pl_str plain = {0};
    pl_mem_fail_at(1, true);
    ck_assert_int_eq(pl_jpeg_recode(&env, (uint8_t *)file.s, file.len, &plain, &err),
                     PLATEN_ERR_NOMEM);
    pl_mem_fail_at(0, false);
    pl_str_done(&plain);
    free(s.px);
    pl_str_done(&file);
}
END_TEST

START_TEST(damage_and_limits)
{
    struct shot s = ramps(JCS_RGB, JCS_YCbCr, 3);
    struct pl_str file = encode(&s);
    /* a marker in the middle of the scan: pixels are missing behind it */
    size_t scan = marker(&file, 0xda), frame = marker(&file, 0xc0);
    char kept[2] = {file.s[scan + 60], file.s[scan + 61]};
    memcpy(file.s + scan + 60, "\xff\xd9", 2);
    must_fail(file.s, file.len, PLATEN_ERR_FORMAT, "premature end");
    memcpy(file.s + scan + 60, kept, 2);
    /* zeros behind the last block are padding */
    pl_str_add(&file, "\0\0\0\xff\xd9", 5);
    memset(file.s + file.len - 7, 0, 5);
    struct pl_image im = must_load(file.s, file.len, false);
    pl_image_done(&im);
    uint64_t gets = pl_bufpool_stats(env.bufs).gets;
    memcpy(file.s + frame + 5, "\xfd\xe8\xfd\xe8", 4);
    must_fail(file.s, file.len, PLATEN_ERR_LIMIT,
              "65000 x 65000 pixels exceed the limit of 200000000");
    ck_assert_uint_eq(pl_bufpool_stats(env.bufs).gets, gets); /* no memory was taken */
    file.s[frame + 4] = 12;
    must_fail(file.s, file.len, PLATEN_ERR_UNSUPPORTED, "precision");
    file.s[frame + 4] = 8;
    file.s[frame + 1] = (char)0xc3; /* lossless */
    must_fail(file.s, file.len, PLATEN_ERR_UNSUPPORTED, "SOF type");
    free(s.px);
    pl_str_done(&file);
}
END_TEST

/* Each bit of each coefficient in a scan of its own: legal, and a way to make a decoder work for
 * hours. */
START_TEST(scans_are_counted)
{
    static jpeg_scan_info script[64 * 10];
    struct shot s = ramps(JCS_GRAYSCALE, JCS_GRAYSCALE, 1);
    for (int i = 0; i < 640; i++)
        script[i] = (jpeg_scan_info){1, {0}, i / 10, i / 10, i % 10 ? 10 - i % 10 : 0, 9 - i % 10};
    s.script = script;
    s.n_scans = 640;
    struct pl_str file = encode(&s);
    must_fail(file.s, file.len, PLATEN_ERR_LIMIT, "more than 500 scans");
    pl_str_done(&file);
    s.script = script;
    s.n_scans = 490;
    file = encode(&s);
    struct pl_image im = must_load(file.s, file.len, false);
    pl_image_done(&im);
    pl_str_done(&file);
    free(s.px);
}
END_TEST

START_TEST(probe_reads_the_header)
{
    struct shot s = ramps(JCS_RGB, JCS_YCbCr, 3);
    s.exif = exif_of(6);
    s.n_exif = 78;
    struct pl_str file = encode(&s);
    struct pl_image_info info;
    size_t scan = marker(&file, 0xda);
    ck_assert_int_eq(pl_image_probe((uint8_t *)file.s, scan + 20, NULL, &info, &err), PLATEN_OK);
    ck_assert_str_eq(info.format, "jpeg");
    ck_assert_int_eq(info.width, 37);
    ck_assert_int_eq(info.height, 21);
    ck_assert_int_eq(info.channels, 3);
    ck_assert_int_eq(pl_jpeg_turn((uint8_t *)file.s, file.len), 6);
    ck_assert_int_eq(pl_jpeg_turn((uint8_t *)file.s, scan), 0);
    ck_assert_int_eq(pl_image_probe((uint8_t *)file.s, scan, NULL, &info, &err), PLATEN_ERR_FORMAT);
    free(s.px);
    pl_str_done(&file);
}
END_TEST

/* The file has a comment whose length is said to be one byte; the length itself takes two. */
START_TEST(length_without_room_for_itself)
{
    struct shot s = ramps(JCS_RGB, JCS_YCbCr, 3);
    struct pl_str file = encode(&s), odd = {0};
    struct pl_image_info info;
    size_t tables = marker(&file, 0xdb);
    pl_str_add(&odd, file.s, tables);
    pl_str_add(&odd, "\xff\xfe\0\1", 4);
    pl_str_add(&odd, file.s + tables, file.len - tables);
    struct pl_image a = must_load(file.s, file.len, false), b = must_load(odd.s, odd.len, false);
    must_be_equal(&a, &b);
    ck_assert_int_eq(pl_image_probe((uint8_t *)odd.s, odd.len, NULL, &info, &err), PLATEN_OK);
    ck_assert(info.width == 37 && info.height == 21);
    ck_assert_int_eq(pl_jpeg_turn((uint8_t *)odd.s, odd.len), 1);
    pl_image_done(&a);
    pl_image_done(&b);
    free(s.px);
    pl_str_done(&file);
    pl_str_done(&odd);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("jpeg");
    tcase_add_test(tc, colour_spaces);
    tcase_add_test(tc, gray_is_the_luma_plane);
    tcase_add_test(tc, density_of_jfif_then_exif);
    tcase_add_test(tc, eight_orientations);
    tcase_add_test(tc, truncated_at_every_byte);
    tcase_add_loop_test(tc, without_its_end, 0, 4);
    tcase_add_test(tc, scans_that_are_missing);
    tcase_add_test(tc, arithmetic_truncated);
    tcase_add_loop_test(tc, what_came_is_read, 0, 8);
    tcase_add_test(tc, damage_ends_at_a_restart);
    tcase_add_test(tc, the_last_scans_may_be_missing);
    tcase_add_test(tc, recoded_without_loss);
    tcase_add_test(tc, recoding_claims_memory);
    tcase_add_test(tc, recoding_fails);
    tcase_add_test(tc, damage_and_limits);
    tcase_add_test(tc, scans_are_counted);
    tcase_add_test(tc, probe_reads_the_header);
    tcase_add_test(tc, length_without_room_for_itself);
    return run_env_suite("jpeg", tc);
}
