/* SPDX-License-Identifier: BSD-2-Clause */
#include <png.h>
#include <sys/resource.h>

#include "tests/unit/image_fixture.h"

#define W 13
#define H 9

/* A picture to encode: samples of `depth` bits, up to four a pixel. */
struct shot {
    int type, depth, interlace, width, height;
    uint16_t *samples;
    png_color palette[256];
    int n_palette, n_alpha;
    uint8_t alpha[256];
    bool keyed;
    png_color_16 key;
    uint32_t per_meter_x, per_meter_y;
    const uint8_t *exif;
    uint32_t n_exif;
};

static int channels_of(int type)
{
    return type == PNG_COLOR_TYPE_RGB ? 3 : type == PNG_COLOR_TYPE_RGBA ? 4 : type == 4 ? 2 : 1;
}

static void on_write(png_structp png, uint8_t *data, size_t n)
{
    pl_str_add(png_get_io_ptr(png), (const char *)data, n);
}

static void pack(const struct shot *s, int y, uint8_t *row)
{
    int n = s->width * channels_of(s->type);
    memset(row, 0, n * 2 + 1);
    for (int i = 0; i < n; i++) {
        unsigned v = s->samples[y * n + i];
        if (s->depth == 16) {
            row[2 * i] = v >> 8;
            row[2 * i + 1] = v;
        } else {
            row[i * s->depth / 8] |= v << (8 - s->depth - i * s->depth % 8);
        }
    }
}

static struct pl_str encode(const struct shot *s)
{
    struct pl_str out = {0};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(png, &out, on_write, NULL);
    png_set_IHDR(png, info, s->width, s->height, s->depth, s->type, s->interlace, 0, 0);
    if (s->n_palette)
        png_set_PLTE(png, info, s->palette, s->n_palette);
    if (s->n_alpha || s->keyed)
        png_set_tRNS(png, info, s->alpha, s->n_alpha, &s->key);
    if (s->per_meter_x)
        png_set_pHYs(png, info, s->per_meter_x, s->per_meter_y, PNG_RESOLUTION_METER);
    if (s->n_exif)
        png_set_eXIf_1(png, info, s->n_exif, (uint8_t *)s->exif);
    png_write_info(png, info);
    uint8_t *row = malloc(s->width * 8 + 1);
    int passes = png_set_interlace_handling(png);
    for (int p = 0; p < passes; p++)
        for (int y = 0; y < s->height; y++) {
            pack(s, y, row);
            png_write_row(png, row);
        }
    free(row);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return out;
}

static struct shot noise(int type, int depth, int interlace)
{
    struct shot s = {.type = type, .depth = depth, .interlace = interlace, .width = W, .height = H};
    int n = W * H * channels_of(type);
    s.samples = malloc(n * sizeof(*s.samples));
    for (int i = 0; i < n; i++)
        s.samples[i] = rand() & ((1 << depth) - 1);
    if (type != PNG_COLOR_TYPE_PALETTE)
        return s;
    s.n_palette = 1 << depth;
    for (int i = 0; i < s.n_palette; i++)
        s.palette[i] = (png_color){rand(), rand(), rand()};
    return s;
}

/* What pixel i should be: red, green, blue over white. */
static void expect(const struct shot *s, int i, int rgb[3])
{
    const uint16_t *v = s->samples + i * channels_of(s->type);
    int colors = s->type == 2 || s->type == 6 ? 3 : 1, a = 255;
    double max = (1 << s->depth) - 1;
    for (int c = 0; c < 3; c++)
        rgb[c] = to_255(v[colors == 3 ? c : 0], max);
    if (s->type & PNG_COLOR_MASK_ALPHA)
        a = to_255(v[colors], max);
    if (s->type == PNG_COLOR_TYPE_PALETTE) {
        png_color p = s->palette[v[0]];
        rgb[0] = p.red, rgb[1] = p.green, rgb[2] = p.blue;
        a = v[0] < s->n_alpha ? s->alpha[v[0]] : 255;
    }
    if (s->keyed &&
        (colors == 1 ? v[0] == s->key.gray
                     : v[0] == s->key.red && v[1] == s->key.green && v[2] == s->key.blue))
        a = 0;
    for (int c = 0; c < 3; c++)
        rgb[c] = over_white(rgb[c], a);
}

static void check(const struct shot *s, bool gray)
{
    struct pl_str file = encode(s);
    struct pl_image im = must_load(file.s, file.len, gray);
    ck_assert_int_eq(im.width, s->width);
    ck_assert_int_eq(im.height, s->height);
    ck_assert_int_eq(im.format, gray || !(s->type & PNG_COLOR_MASK_COLOR) ? PL_GRAY8 : PL_RGB8);
    for (int i = 0; i < s->width * s->height; i++) {
        int rgb[3];
        const uint8_t *p = pixel(&im, i % s->width, i / s->width);
        expect(s, i, rgb);
        if (im.format == PL_GRAY8)
            ck_assert_int_eq(p[0], luma(rgb[0], rgb[1], rgb[2]));
        else
            for (int c = 0; c < 3; c++)
                ck_assert_int_eq(p[c], rgb[c]);
    }
    pl_image_done(&im);
    pl_str_done(&file);
}

START_TEST(every_type_depth_and_interlace)
{
    static const struct {
        int type, depth;
    } kinds[] = {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}, {2, 8}, {2, 16}, {3, 1},
                 {3, 2}, {3, 4}, {3, 8}, {4, 8}, {4, 16}, {6, 8}, {6, 16}};
    for (size_t k = 0; k < PL_ARRAY_LEN(kinds); k++)
        for (int i = 0; i < 4; i++) {
            struct shot s = noise(kinds[k].type, kinds[k].depth, i & 1);
            check(&s, i & 2);
            free(s.samples);
        }
}
END_TEST

START_TEST(sixteen_bits_round_to_nearest)
{
    struct shot s = {.type = 0, .depth = 16, .width = 256, .height = 256};
    s.samples = malloc(65536 * sizeof(*s.samples));
    for (int i = 0; i < 65536; i++)
        s.samples[i] = i;
    check(&s, false);
    free(s.samples);
}
END_TEST

START_TEST(alpha_goes_over_white_exactly)
{
    struct shot s = {.type = PNG_COLOR_TYPE_GRAY_ALPHA, .depth = 8, .width = 256, .height = 256};
    s.samples = malloc(65536 * 2 * sizeof(*s.samples));
    for (int i = 0; i < 65536; i++) {
        s.samples[2 * i] = i & 255;
        s.samples[2 * i + 1] = i >> 8;
    }
    check(&s, false);
    free(s.samples);
}
END_TEST

START_TEST(transparent_keys_and_palettes)
{
    static const int kinds[][2] = {{0, 1}, {0, 4}, {0, 8}, {0, 16}, {2, 8}, {2, 16}};
    for (size_t k = 0; k < PL_ARRAY_LEN(kinds); k++) {
        struct shot s = noise(kinds[k][0], kinds[k][1], 0);
        const uint16_t *v = s.samples;
        s.keyed = true;
        s.key = (png_color_16){.gray = v[0], .red = v[0], .green = v[1], .blue = v[2]};
        /* as near to the key as 16 bits allow: the same after rounding to 8, but another colour */
        if (kinds[k][1] == 16)
            s.samples[channels_of(s.type)] = v[0] ^ 1;
        check(&s, false);
        check(&s, true);
        free(s.samples);
    }
    struct shot s = noise(PNG_COLOR_TYPE_PALETTE, 4, 1);
    s.n_alpha = 9;
    for (int i = 0; i < s.n_alpha; i++)
        s.alpha[i] = i * 31;
    check(&s, false);
    check(&s, true);
    free(s.samples);
}
END_TEST

static struct pl_image load_palette(const png_color *colors, int n, int depth)
{
    struct shot s = noise(PNG_COLOR_TYPE_PALETTE, depth, 0);
    for (int i = 0; i < W * H; i++)
        s.samples[i] %= n;
    s.n_palette = n;
    memcpy(s.palette, colors, n * sizeof(*colors));
    struct pl_str file = encode(&s);
    struct pl_image im = must_load(file.s, file.len, false);
    for (int i = 0; i < W * H && im.format == PL_GRAY8; i++)
        ck_assert_int_eq(*pixel(&im, i % W, i / W), colors[s.samples[i]].red);
    free(s.samples);
    pl_str_done(&file);
    return im;
}

START_TEST(bilevel_is_told_by_the_file)
{
    static const png_color white_black[] = {{255, 255, 255}, {0, 0, 0}},
                           near[] = {{254, 254, 254}, {0, 0, 0}},
                           tinted[] = {{255, 255, 254}, {0, 0, 0}};
    struct pl_image im = load_palette(white_black, 2, 1);
    ck_assert(im.format == PL_GRAY8 && im.bilevel);
    pl_image_done(&im);
    im = load_palette(white_black, 2, 8);
    ck_assert(im.format == PL_GRAY8 && im.bilevel);
    pl_image_done(&im);
    im = load_palette(near, 2, 1);
    ck_assert(im.format == PL_GRAY8 && !im.bilevel);
    pl_image_done(&im);
    im = load_palette(tinted, 2, 1);
    ck_assert(im.format == PL_RGB8 && !im.bilevel);
    pl_image_done(&im);
    for (int depth = 1; depth <= 16; depth *= 2) {
        struct shot s = noise(PNG_COLOR_TYPE_GRAY, depth, 0);
        struct pl_str file = encode(&s);
        im = must_load(file.s, file.len, false);
        ck_assert_int_eq(im.bilevel, depth == 1);
        pl_image_done(&im);
        pl_str_done(&file);
        free(s.samples);
    }
}
END_TEST

START_TEST(density_and_orientation)
{
    /* orientation 6, 200 by 100 dots an inch that pHYs overrules */
    static const uint8_t exif[] = "MM\0*\0\0\0\x08\0\1\1\x12\0\3\0\0\0\1\0\6\0\0\0\0\0";
    struct shot s = noise(PNG_COLOR_TYPE_GRAY, 8, 0);
    s.per_meter_x = 11811; /* 300 dpi */
    s.per_meter_y = 5906;  /* 150 dpi */
    struct pl_str file = encode(&s);
    struct pl_image im = must_load(file.s, file.len, false);
    ck_assert_double_eq_tol((double)im.dpi_x, 300, 0.01);
    ck_assert_double_eq_tol((double)im.dpi_y, 150, 0.02);
    pl_image_done(&im);
    pl_str_done(&file);
    s.exif = exif;
    s.n_exif = sizeof(exif);
    file = encode(&s);
    im = must_load(file.s, file.len, false);
    ck_assert_int_eq(im.width, H);
    ck_assert_int_eq(im.height, W);
    ck_assert_double_eq_tol((double)im.dpi_y, 300, 0.01);
    for (int y = 0; y < H; y++) /* a clockwise turn: the first row becomes the last column */
        for (int x = 0; x < W; x++)
            ck_assert_int_eq(*pixel(&im, H - 1 - y, x), s.samples[y * W + x]);
    pl_image_done(&im);
    pl_str_done(&file);
    free(s.samples);
}
END_TEST

START_TEST(truncated_at_every_byte)
{
    for (int interlace = 0; interlace < 2; interlace++) {
        struct shot s = noise(PNG_COLOR_TYPE_RGBA, 8, interlace);
        struct pl_str file = encode(&s);
        every_truncation_fails(file.s, file.len);
        must_fail(file.s, 300, PLATEN_ERR_FORMAT, "truncated at byte 300 in chunk IDAT");
        every_allocation_may_fail(file.s, file.len);
        free(s.samples);
        pl_str_done(&file);
    }
}
END_TEST

/* Also where less is left than libpng takes at once: nearly every byte counts. */
START_TEST(what_came_is_read)
{
    for (int type = 0; type < 3; type++) {
        struct shot s = noise(type ? PNG_COLOR_TYPE_RGBA : PNG_COLOR_TYPE_GRAY, 8, type == 2);
        struct pl_str file = encode(&s);
        truncations_are_told(file.s, file.len, type == 0 ? 110 : type == 1 ? 400 : 200);
        free(s.samples);
        pl_str_done(&file);
    }
}
END_TEST

/* Where the data of the first chunk of that name begins. */
static size_t chunk(const struct pl_str *file, const char *name)
{
    for (size_t i = 0; i + 4 < file->len; i++)
        if (memcmp(file->s + i, name, 4) == 0)
            return i + 4;
    ck_abort_msg("no %s", name);
}

/* All pixels come; but where a header is wrong, nothing can be told of them. */
START_TEST(a_wrong_checksum_is_told)
{
    struct shot s = noise(PNG_COLOR_TYPE_GRAY, 8, 0);
    struct pl_str file = encode(&s);
    struct pl_image whole = must_load(file.s, file.len, false), im = {0};
    struct pl_flaw flaw;
    const size_t end = chunk(&file, "IEND") - 8, header = chunk(&file, "IHDR") + 13;
    file.s[end - 1] ^= 1;
    ck_assert(!load_flawed(file.s, file.len, &im, &flaw));
    ck_assert_int_eq(rows_as_told(&im, &whole, &flaw), H);
    ck_assert_msg(strstr(flaw.text, "IDAT: CRC error"), "%s", flaw.text);
    pl_image_done(&im);
    file.s[header] ^= 1;
    ck_assert_int_eq(load_flawed(file.s, file.len, &im, &flaw), PLATEN_ERR_FORMAT);
    pl_image_done(&whole);
    pl_str_done(&file);
    free(s.samples);
}
END_TEST

static void put_be32(char *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = v >> (24 - 8 * i);
}

/* The checksum of the chunk whose data begin at `at`. */
static void fix_crc(struct pl_str *file, size_t at)
{
    const uint8_t *p = (const uint8_t *)file->s + at;
    size_t n = (size_t)p[-8] << 24 | p[-7] << 16 | p[-6] << 8 | p[-5];
    uint32_t c = 0xffffffff;
    for (size_t i = 0; i < n + 4; i++) {
        c ^= p[(ptrdiff_t)i - 4];
        for (int b = 0; b < 8; b++)
            c = c >> 1 ^ (c & 1 ? 0xedb88320 : 0);
    }
    put_be32(file->s + at + n, ~c);
}

START_TEST(damage_is_an_error)
{
    struct shot s = noise(PNG_COLOR_TYPE_RGB, 8, 0);
    struct pl_str file = encode(&s);
    size_t first = chunk(&file, "IDAT"), last = chunk(&file, "IEND") - 8;
    for (size_t i = first; i < last; i++) { /* data and checksum */
        file.s[i] ^= 0x10;
        struct pl_image im = {0};
        ck_assert_int_eq(load(file.s, file.len, false, &im), PLATEN_ERR_FORMAT);
        file.s[i] ^= 0x10;
    }
    free(s.samples);
    pl_str_done(&file);
    /* a pixel that names a colour which the palette does not have */
    s = noise(PNG_COLOR_TYPE_PALETTE, 4, 0);
    s.samples[5] = 15;
    file = encode(&s);
    size_t palette = chunk(&file, "PLTE");
    put_be32(file.s + palette - 8, 15 * 3);
    memmove(file.s + palette + 49, file.s + palette + 52, file.len - palette - 52);
    file.len -= 3;
    fix_crc(&file, palette);
    must_fail(file.s, file.len, PLATEN_ERR_FORMAT, "outside the palette");
    free(s.samples);
    pl_str_done(&file);
}
END_TEST

START_TEST(sizes_are_tested_before_memory_is_taken)
{
    static const struct {
        uint32_t w, h;
        platen_status status;
        const char *text;
    } sizes[] = {
        {20000, 90000, PLATEN_ERR_LIMIT, "20000 x 90000 pixels exceed the limit of 200000000"},
        {0x7fffffff, 1, PLATEN_ERR_LIMIT, "2147483647 x 1 pixels exceed"},
        {1, 0x7fffffff, PLATEN_ERR_LIMIT, "1 x 2147483647 pixels exceed"},
        {0x7fffffff, 0x7fffffff, PLATEN_ERR_LIMIT, "exceed"},
        {100000000, 2, PLATEN_ERR_LIMIT, "no side may exceed"},
        {0x80000000, 1, PLATEN_ERR_FORMAT, "out of range, at byte 33"},
        {0, 7, PLATEN_ERR_FORMAT, "IHDR"},
        {14000, 14000, PLATEN_ERR_FORMAT, "cannot hold 14000 x 14000 pixels"},
    };
    struct shot s = noise(PNG_COLOR_TYPE_GRAY, 8, 0);
    struct pl_str file = encode(&s);
    size_t header = chunk(&file, "IHDR");
    for (size_t i = 0; i < PL_ARRAY_LEN(sizes); i++) {
        put_be32(file.s + header, sizes[i].w);
        put_be32(file.s + header + 4, sizes[i].h);
        fix_crc(&file, header);
        must_fail(file.s, file.len, sizes[i].status, sizes[i].text);
    }
    ck_assert_uint_eq(pl_bufpool_stats(env.bufs).gets, 0);
    free(s.samples);
    pl_str_done(&file);
}
END_TEST

/* The file with the data of a chunk put in before IEND. */
static struct pl_str with_chunk(const struct pl_str *file, const char *name, const char *data,
                                size_t n)
{
    struct pl_str out = {0};
    size_t at = chunk(file, "IEND") - 8;
    char length[4];
    put_be32(length, (uint32_t)n);
    pl_str_add(&out, file->s, at);
    pl_str_add(&out, length, 4);
    pl_str_puts(&out, name);
    pl_str_add(&out, data, n);
    pl_str_add(&out, length, 4); /* room for the checksum */
    pl_str_add(&out, file->s + at, file->len - at);
    fix_crc(&out, at + 8);
    return out;
}

/* Interlaced, so that libpng reads it: it hands over more chunks than those that are asked for. */
START_TEST(orientation_comes_from_one_chunk_alone)
{
    static const char upright[] = "MM\0*\0\0\0\x08\0\1\1\x12\0\3\0\0\0\1\0\1\0\0\0\0";
    static const uint8_t turned[] = "MM\0*\0\0\0\x08\0\1\1\x12\0\3\0\0\0\1\0\6\0\0\0\0";
    static const char *const others[] = {"tEXt", "teSt"};
    struct shot s = noise(PNG_COLOR_TYPE_GRAY, 8, 1);
    s.exif = turned;
    s.n_exif = sizeof(turned);
    struct pl_str file = encode(&s);
    for (int i = 0; i < 2; i++) {
        struct pl_str more = with_chunk(&file, others[i], upright, sizeof(upright));
        struct pl_image im = must_load(more.s, more.len, false);
        ck_assert(im.width == H && im.height == W);
        pl_image_done(&im);
        pl_str_done(&more);
    }
    struct pl_str critical = with_chunk(&file, "TeSt", upright, sizeof(upright));
    must_fail(critical.s, critical.len, PLATEN_ERR_FORMAT, "unhandled critical chunk");
    pl_str_done(&critical);
    free(s.samples);
    pl_str_done(&file);
}
END_TEST

/* libpng would take as much memory as the length says before it reads the first byte. */
START_TEST(lengths_of_chunks_are_not_believed)
{
    static const uint8_t exif[] = "MM\0*\0\0\0\x08\0\0";
    struct shot s = noise(PNG_COLOR_TYPE_GRAY, 8, 0);
    s.exif = exif;
    s.n_exif = sizeof(exif);
    struct pl_str file = encode(&s);
    put_be32(file.s + chunk(&file, "eXIf") - 8, 0x60000000);
#ifndef __SANITIZE_ADDRESS__
    ck_assert(!setrlimit(RLIMIT_AS, &(struct rlimit){1 << 30, 1 << 30})); /* of this test alone */
#endif
    must_fail(file.s, file.len, PLATEN_ERR_FORMAT, "in chunk eXIf");
    free(s.samples);
    pl_str_done(&file);
}
END_TEST

/* 100 MB of zeros in a text of 100 kB: skipped, not unpacked. */
START_TEST(compressed_texts_stay_packed)
{
    struct pl_str out = {0};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    size_t n = 100000000;
    char *zeros = calloc(n + 1, 1);
    memset(zeros, 'a', n);
    char key[] = "k";
    png_text text = {
        .compression = PNG_TEXT_COMPRESSION_zTXt, .key = key, .text = zeros, .text_length = n};
    uint8_t row[1] = {7};
    png_set_write_fn(png, &out, on_write, NULL);
    png_set_IHDR(png, info, 1, 1, 8, 0, 0, 0, 0);
    png_set_text(png, info, &text, 1);
    png_write_info(png, info);
    png_write_row(png, row);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    free(zeros);
    uint64_t before = pl_mem_count();
    struct pl_image im = must_load(out.s, out.len, false);
    ck_assert_int_eq(*pixel(&im, 0, 0), 7);
    ck_assert_uint_lt(pl_mem_count() - before, 12);
    pl_image_done(&im);
    pl_str_done(&out);
}
END_TEST

static void round_trip(enum pl_format format, bool bilevel, int depth, int type)
{
    for (int width = 1; width < 20; width++) {
        struct pl_image im, back;
        struct pl_str file = {0};
        ck_assert(!pl_image_init(&env, width + 2, 7, format, &im, &err));
        for (int y = 0; y < 7; y++)
            for (int i = 0; i < (width + 2) * (int)format; i++)
                pl_image_row(&im, y)[i] = bilevel ? rand() % 2 * 255 : rand();
        im.bilevel = bilevel;
        im.dpi_x = 300;
        im.dpi_y = 600;
        struct pl_image view = pl_image_view(&im, (struct pl_rect){1, 2, 1 + width, 7});
        pl_str_puts(&file, "kept");
        ck_assert(!pl_png_encode(&view, &file, &err));
        ck_assert_int_eq(memcmp(file.s, "kept", 4), 0);
        ck_assert_int_eq(file.s[4 + 24], depth);
        ck_assert_int_eq(file.s[4 + 25], type);
        back = must_load(file.s + 4, file.len - 4, false);
        ck_assert(back.width == width && back.height == 5 && back.format == format);
        ck_assert_int_eq(back.bilevel, bilevel);
        ck_assert_double_eq_tol((double)back.dpi_x, 300, 0.01);
        ck_assert_double_eq_tol((double)back.dpi_y, 600, 0.01);
        for (int y = 0; y < 5; y++)
            ck_assert_mem_eq(pl_image_row(&back, y), pl_image_row(&view, y), width * (int)format);
        pl_image_done(&back);
        pl_image_done(&view);
        pl_image_done(&im);
        pl_str_done(&file);
    }
}

START_TEST(written_pictures_come_back)
{
    round_trip(PL_GRAY8, true, 1, PNG_COLOR_TYPE_GRAY);
    round_trip(PL_GRAY8, false, 8, PNG_COLOR_TYPE_GRAY);
    round_trip(PL_RGB8, false, 8, PNG_COLOR_TYPE_RGB);
}
END_TEST

START_TEST(writing_survives_short_memory)
{
    struct pl_image im;
    ck_assert(!pl_image_init(&env, 50, 50, PL_GRAY8, &im, &err));
    memset(im.px, 255, im.stride_bytes * 50);
    im.bilevel = true;
    writing_survives(pl_png_encode, &im);
    pl_image_done(&im);
}
END_TEST

START_TEST(probe_reads_the_header)
{
    static const int channels[] = {[0] = 1, [2] = 3, [3] = 3, [4] = 2, [6] = 4};
    for (int type = 0; type <= 6; type++) {
        if (!channels[type])
            continue;
        struct shot s = noise(type, 8, 0);
        struct pl_str file = encode(&s);
        struct pl_image_info info;
        ck_assert_int_eq(pl_image_probe((uint8_t *)file.s, 33, NULL, &info, &err), PLATEN_OK);
        ck_assert_str_eq(info.format, "png");
        ck_assert_int_eq(info.width, W);
        ck_assert_int_eq(info.height, H);
        ck_assert_int_eq(info.channels, channels[type]);
        ck_assert_int_eq(pl_image_probe((uint8_t *)file.s, 32, NULL, &info, &err),
                         PLATEN_ERR_FORMAT);
        free(s.samples);
        pl_str_done(&file);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("png");
    tcase_add_test(tc, every_type_depth_and_interlace);
    tcase_add_test(tc, sixteen_bits_round_to_nearest);
    tcase_add_test(tc, alpha_goes_over_white_exactly);
    tcase_add_test(tc, transparent_keys_and_palettes);
    tcase_add_test(tc, bilevel_is_told_by_the_file);
    tcase_add_test(tc, density_and_orientation);
    tcase_add_test(tc, truncated_at_every_byte);
    tcase_add_test(tc, what_came_is_read);
    tcase_add_test(tc, a_wrong_checksum_is_told);
    tcase_add_test(tc, damage_is_an_error);
    tcase_add_test(tc, sizes_are_tested_before_memory_is_taken);
    tcase_add_test(tc, orientation_comes_from_one_chunk_alone);
    tcase_add_test(tc, lengths_of_chunks_are_not_believed);
    tcase_add_test(tc, compressed_texts_stay_packed);
    tcase_add_test(tc, written_pictures_come_back);
    tcase_add_test(tc, writing_survives_short_memory);
    tcase_add_test(tc, probe_reads_the_header);
    return run_env_suite("png", tc);
}
