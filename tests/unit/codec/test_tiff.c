/* SPDX-License-Identifier: BSD-2-Clause */
#include <tiffio.h>

#include "tests/unit/image_fixture.h"

#define W 37
#define H 29

/* A file in memory. */
struct memory {
    uint8_t *data;
    size_t n, pos, cap;
};

static tmsize_t mem_read(thandle_t ctx, void *to, tmsize_t n)
{
    struct memory *m = ctx;
    size_t k = m->pos < m->n ? PL_MIN((size_t)n, m->n - m->pos) : 0;
    memcpy(to, m->data + m->pos, k);
    m->pos += k;
    return k;
}

static tmsize_t mem_write(thandle_t ctx, void *from, tmsize_t n)
{
    struct memory *m = ctx;
    if (m->pos + n > m->cap) {
        m->cap = 2 * (m->pos + n);
        m->data = realloc(m->data, m->cap);
    }
    if (m->pos > m->n)
        memset(m->data + m->n, 0, m->pos - m->n);
    memcpy(m->data + m->pos, from, n);
    m->pos += n;
    m->n = PL_MAX(m->n, m->pos);
    return n;
}

static toff_t mem_seek(thandle_t ctx, toff_t to, int whence)
{
    struct memory *m = ctx;
    return m->pos = to + (whence == SEEK_CUR ? m->pos : whence == SEEK_END ? m->n : 0);
}

static int mem_close(thandle_t ctx)
{
    (void)ctx;
    return 0;
}

static toff_t mem_size(thandle_t ctx)
{
    return ((struct memory *)ctx)->n;
}

/* A picture to encode: noise, but with runs. */
struct shot {
    int bits, samples, photometric, compression, tile, planar, alpha;
    int orientation, resolution_unit, kind;
    bool no_photometric; /* the tag is not written */
    bool is_signed;
    const char *mode; /* of libtiff: "wl", "wb", ... */
    uint16_t px[H][W][4], map[3][256];
};

static struct shot noise(int bits, int samples, int photometric)
{
    struct shot s = {.bits = bits,
                     .samples = samples,
                     .photometric = photometric,
                     .compression = COMPRESSION_NONE,
                     .planar = PLANARCONFIG_CONTIG,
                     .mode = "wl"};
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            for (int c = 0; c < samples; c++)
                s.px[y][x][c] = x && rand() % 3 ? s.px[y][x - 1][c] : rand() & ((1 << bits) - 1);
    for (int i = 0; i < 3 * 256; i++)
        s.map[i / 256][i % 256] = rand();
    return s;
}

/* Samples first..first + n of the row that begins at (x, y), as libtiff wants them. */
static void pack(const struct shot *s, int x, int y, int width, int first, int n, uint8_t *row)
{
    memset(row, 0, width * n * 2 + 1);
    for (int i = 0; i < width * n; i++) {
        unsigned v = y < H && x + i / n < W ? s->px[y][x + i / n][first + i % n] : 0;
        if (s->bits == 16)
            memcpy(row + 2 * i, &(uint16_t){v}, 2);
        else
            row[i * s->bits / 8] |= v << (8 - s->bits - i * s->bits % 8);
    }
}

static void write_rows(TIFF *t, const struct shot *s, int first, int n, int plane)
{
    uint8_t row[64 * 8 + 1], tile[64 * 64 * 8];
    for (int y = 0; y < H && !s->tile; y++) {
        pack(s, 0, y, W, first, n, row);
        ck_assert_int_eq(TIFFWriteScanline(t, row, y, plane), 1);
    }
    size_t bytes = (size_t)s->tile * n * s->bits / 8;
    for (int y = 0; s->tile && y < H; y += s->tile)
        for (int x = 0; x < W; x += s->tile) {
            for (int i = 0; i < s->tile; i++) {
                pack(s, x, y + i, s->tile, first, n, row);
                memcpy(tile + i * bytes, row, bytes);
            }
            ck_assert_int_ge(TIFFWriteTile(t, tile, x, y, 0, plane), 0);
        }
}

static void write_page(TIFF *t, const struct shot *s)
{
    TIFFSetField(t, TIFFTAG_IMAGEWIDTH, W);
    TIFFSetField(t, TIFFTAG_IMAGELENGTH, H);
    TIFFSetField(t, TIFFTAG_BITSPERSAMPLE, s->bits);
    TIFFSetField(t, TIFFTAG_SAMPLESPERPIXEL, s->samples);
    if (!s->no_photometric)
        TIFFSetField(t, TIFFTAG_PHOTOMETRIC, s->photometric);
    TIFFSetField(t, TIFFTAG_COMPRESSION, s->compression);
    TIFFSetField(t, TIFFTAG_PLANARCONFIG, s->planar);
    if (s->tile) {
        TIFFSetField(t, TIFFTAG_TILEWIDTH, s->tile);
        TIFFSetField(t, TIFFTAG_TILELENGTH, s->tile);
    } else {
        TIFFSetField(t, TIFFTAG_ROWSPERSTRIP, 10);
    }
    if (s->is_signed)
        TIFFSetField(t, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_INT);
    if (s->alpha)
        TIFFSetField(t, TIFFTAG_EXTRASAMPLES, 1, &(uint16_t){s->alpha});
    if (s->photometric == PHOTOMETRIC_PALETTE)
        TIFFSetField(t, TIFFTAG_COLORMAP, s->map[0], s->map[1], s->map[2]);
    if (s->orientation)
        TIFFSetField(t, TIFFTAG_ORIENTATION, s->orientation);
    if (s->kind)
        TIFFSetField(t, TIFFTAG_SUBFILETYPE, s->kind);
    if (s->resolution_unit) {
        TIFFSetField(t, TIFFTAG_RESOLUTIONUNIT, s->resolution_unit);
        TIFFSetField(t, TIFFTAG_XRESOLUTION, 300.0);
        TIFFSetField(t, TIFFTAG_YRESOLUTION, 150.0);
    }
    if (s->planar == PLANARCONFIG_CONTIG)
        write_rows(t, s, 0, s->samples, 0);
    for (int c = 0; s->planar == PLANARCONFIG_SEPARATE && c < s->samples; c++)
        write_rows(t, s, c, 1, c);
    ck_assert_int_eq(TIFFWriteDirectory(t), 1);
}

static struct memory encode(const struct shot *pages, int n)
{
    struct memory m = {0};
    TIFF *t = TIFFClientOpen("", pages->mode, &m, mem_read, mem_write, mem_seek, mem_close,
                             mem_size, NULL, NULL);
    for (int i = 0; i < n; i++)
        write_page(t, &pages[i]);
    TIFFClose(t);
    return m;
}

/* Red, green, blue over white. */
static void expect(const struct shot *s, int x, int y, int rgb[3])
{
    const uint16_t *v = s->px[y][x];
    double max = (1 << s->bits) - 1;
    int colors = s->photometric == PHOTOMETRIC_RGB ? 3 : 1;
    for (int c = 0; c < 3; c++) {
        rgb[c] = to_255(v[colors == 3 ? c : 0], max);
        if (s->photometric == PHOTOMETRIC_MINISWHITE)
            rgb[c] = 255 - rgb[c];
        if (s->photometric == PHOTOMETRIC_PALETTE)
            rgb[c] = to_255(s->map[c][v[0]], 65535);
        if (s->alpha == EXTRASAMPLE_UNASSALPHA)
            rgb[c] = over_white(rgb[c], to_255(v[colors], max));
    }
}

/* within: what libtiff's own rounding may add */
static void check_within(const struct shot *s, bool gray, int within)
{
    struct memory file = encode(s, 1);
    struct pl_image im = must_load(file.data, file.n, gray);
    bool color = s->photometric == PHOTOMETRIC_RGB || s->photometric == PHOTOMETRIC_PALETTE;
    ck_assert(im.width == W && im.height == H);
    ck_assert_int_eq(im.format, color && !gray ? PL_RGB8 : PL_GRAY8);
    ck_assert_int_eq(im.bilevel, !color && s->bits == 1);
    for (int i = 0; i < W * H; i++) {
        int rgb[3];
        const uint8_t *p = pixel(&im, i % W, i / W);
        expect(s, i % W, i / W, rgb);
        if (im.format == PL_GRAY8)
            ck_assert_int_le(abs(p[0] - luma(rgb[0], rgb[1], rgb[2])), within);
        for (int c = 0; im.format == PL_RGB8 && c < 3; c++)
            ck_assert_int_le(abs(p[c] - rgb[c]), within);
    }
    pl_image_done(&im);
    free(file.data);
}

static const int kinds[][3] = {{1, 1, PHOTOMETRIC_MINISWHITE},  {1, 1, PHOTOMETRIC_MINISBLACK},
                               {2, 1, PHOTOMETRIC_MINISBLACK},  {4, 1, PHOTOMETRIC_MINISWHITE},
                               {8, 1, PHOTOMETRIC_MINISBLACK},  {8, 1, PHOTOMETRIC_MINISWHITE},
                               {16, 1, PHOTOMETRIC_MINISBLACK}, {16, 1, PHOTOMETRIC_MINISWHITE},
                               {8, 3, PHOTOMETRIC_RGB},         {16, 3, PHOTOMETRIC_RGB},
                               {1, 1, PHOTOMETRIC_PALETTE},     {4, 1, PHOTOMETRIC_PALETTE},
                               {8, 1, PHOTOMETRIC_PALETTE}};

START_TEST(every_kind_of_sample)
{
    static const char *const modes[] = {"wl", "wb", "wl8", "wb8"};
    static const int packings[] = {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE,
                                   COMPRESSION_PACKBITS};
    for (size_t k = 0; k < PL_ARRAY_LEN(kinds); k++)
        for (int i = 0; i < 4; i++) {
            struct shot s = noise(kinds[k][0], kinds[k][1], kinds[k][2]);
            s.mode = modes[i];
            s.compression = packings[(i + k) % 4];
            check_within(&s, i & 1, 0);
        }
}
END_TEST

START_TEST(fax_compressions)
{
    static const int packings[] = {COMPRESSION_CCITTRLE, COMPRESSION_CCITTFAX3,
                                   COMPRESSION_CCITTFAX4};
    for (int i = 0; i < 3; i++) {
        struct shot s = noise(1, 1, PHOTOMETRIC_MINISWHITE);
        s.compression = packings[i];
        check_within(&s, i & 1, 0);
    }
}
END_TEST

START_TEST(fax_without_photometric_is_ink_on_paper)
{
    struct shot fax = noise(1, 1, PHOTOMETRIC_MINISWHITE),
                plain = noise(8, 1, PHOTOMETRIC_MINISBLACK);
    fax.compression = COMPRESSION_CCITTFAX4;
    fax.no_photometric = plain.no_photometric = true;
    check_within(&fax, false, 0);
    check_within(&plain, false, 0);
}
END_TEST

/* Runs of 100 bytes over rows of W: against the letter of TIFF 6.0, but other programs read them.
 */
START_TEST(runs_of_packbits_may_cross_rows)
{
    struct shot s = noise(8, 1, PHOTOMETRIC_MINISBLACK);
    struct memory file = {0};
    uint8_t runs[2 * (W * H / 100 + 1)];
    int n = 0;
    for (int at = 0; at < W * H; at += 100) {
        int length = PL_MIN(100, W * H - at);
        runs[n++] = 257 - length;
        runs[n++] = at / 100 * 3;
    }
    TIFF *t = TIFFClientOpen("", "wl", &file, mem_read, mem_write, mem_seek, mem_close, mem_size,
                             NULL, NULL);
    TIFFSetField(t, TIFFTAG_IMAGEWIDTH, W);
    TIFFSetField(t, TIFFTAG_IMAGELENGTH, H);
    TIFFSetField(t, TIFFTAG_BITSPERSAMPLE, s.bits);
    TIFFSetField(t, TIFFTAG_PHOTOMETRIC, s.photometric);
    TIFFSetField(t, TIFFTAG_COMPRESSION, COMPRESSION_PACKBITS);
    TIFFSetField(t, TIFFTAG_ROWSPERSTRIP, H);
    ck_assert_int_eq(TIFFWriteRawStrip(t, 0, runs, n), n);
    TIFFClose(t);
    struct pl_image im = must_load(file.data, file.n, false);
    for (int i = 0; i < W * H; i++)
        ck_assert_int_eq(*pixel(&im, i % W, i / W), i / 100 * 3);
    pl_image_done(&im);
    free(file.data);
}
END_TEST

/* A stored block that is longer than its strip: libtiff takes the strip for read and writes none of
 * it. What the memory held before must not become a picture. */
START_TEST(strips_that_are_not_filled_are_black)
{
    enum { LENGTH = W * H + 1 };
    struct memory file = {0};
    uint8_t stored[7 + LENGTH] = {
        0x78, 1, 1, LENGTH & 255, LENGTH >> 8, ~LENGTH & 255, ~LENGTH >> 8 & 255};
    TIFF *t = TIFFClientOpen("", "wl", &file, mem_read, mem_write, mem_seek, mem_close, mem_size,
                             NULL, NULL);
    TIFFSetField(t, TIFFTAG_IMAGEWIDTH, W);
    TIFFSetField(t, TIFFTAG_IMAGELENGTH, H);
    TIFFSetField(t, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(t, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(t, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
    TIFFSetField(t, TIFFTAG_ROWSPERSTRIP, H);
    ck_assert_int_eq(TIFFWriteRawStrip(t, 0, stored, sizeof(stored)), sizeof(stored));
    TIFFClose(t);
    uint8_t *used = pl_bufpool_get(env.bufs, W * H);
    memset(used, 99, W * H);
    pl_bufpool_put(env.bufs, used, W * H);
    struct pl_image im = must_load(file.data, file.n, false);
    for (int i = 0; i < W * H; i++)
        ck_assert_int_eq(*pixel(&im, i % W, i / W), 0);
    pl_image_done(&im);
    free(file.data);
}
END_TEST

START_TEST(tiles_and_planes)
{
    for (size_t k = 0; k < PL_ARRAY_LEN(kinds); k++) {
        struct shot s = noise(kinds[k][0], kinds[k][1], kinds[k][2]);
        s.tile = 16;
        s.compression = k % 2 ? COMPRESSION_LZW : COMPRESSION_ADOBE_DEFLATE;
        check_within(&s, k & 1, 0);
    }
    struct shot s = noise(8, 3, PHOTOMETRIC_RGB);
    s.planar = PLANARCONFIG_SEPARATE;
    check_within(&s, false, 0);
    s.tile = 32;
    check_within(&s, false, 0);
}
END_TEST

START_TEST(alpha_goes_over_white)
{
    static const int with_alpha[][3] = {{8, 2, PHOTOMETRIC_MINISBLACK},
                                        {16, 2, PHOTOMETRIC_MINISBLACK},
                                        {8, 4, PHOTOMETRIC_RGB},
                                        {16, 4, PHOTOMETRIC_RGB}};
    for (size_t k = 0; k < PL_ARRAY_LEN(with_alpha); k++) {
        struct shot s = noise(with_alpha[k][0], with_alpha[k][1], with_alpha[k][2]);
        s.alpha = EXTRASAMPLE_UNASSALPHA;
        check_within(&s, false, 0);
        check_within(&s, true, 0);
        s.tile = 16;
        s.compression = COMPRESSION_LZW;
        check_within(&s, false, 0);
    }
    /* colours that alpha is in already: c + 255 - a */
    struct shot s = noise(8, 4, PHOTOMETRIC_RGB);
    s.alpha = EXTRASAMPLE_ASSOCALPHA;
    for (int i = 0; i < W * H; i++) {
        uint16_t *v = s.px[i / W][i % W];
        for (int c = 0; c < 3; c++)
            v[c] = v[c] * v[3] / 255;
    }
    struct memory file = encode(&s, 1);
    struct pl_image im = must_load(file.data, file.n, false);
    for (int i = 0; i < W * H; i++)
        for (int c = 0; c < 3; c++)
            ck_assert_int_eq(pixel(&im, i % W, i / W)[c],
                             s.px[i / W][i % W][c] + 255 - s.px[i / W][i % W][3]);
    pl_image_done(&im);
    free(file.data);
}
END_TEST

/* That wrote behind the row. */
START_TEST(a_single_sample_is_no_alpha)
{
    struct shot s = noise(8, 1, PHOTOMETRIC_MINISBLACK);
    s.alpha = EXTRASAMPLE_UNASSALPHA;
    struct memory file = encode(&s, 1);
    struct pl_image im = must_load(file.data, file.n, false);
    for (int i = 0; i < W * H; i++)
        ck_assert_int_eq(*pixel(&im, i % W, i / W), s.px[i / W][i % W][0]);
    pl_image_done(&im);
    free(file.data);
}
END_TEST

START_TEST(bytes_in_the_palette_are_understood)
{
    struct shot s = noise(8, 1, PHOTOMETRIC_PALETTE);
    for (int i = 0; i < 3 * 256; i++)
        s.map[i / 256][i % 256] = i % 256;
    struct memory file = encode(&s, 1);
    struct pl_image im = must_load(file.data, file.n, false);
    ck_assert_int_eq(im.format, PL_GRAY8); /* no entry has colour */
    for (int i = 0; i < W * H; i++)
        ck_assert_int_eq(*pixel(&im, i % W, i / W), s.px[i / W][i % W][0]);
    pl_image_done(&im);
    free(file.data);
}
END_TEST

START_TEST(jpeg_inside)
{
    struct shot s = noise(8, 3, PHOTOMETRIC_RGB);
    for (int i = 0; i < W * H; i++) /* smooth, so that little is lost */
        memcpy(s.px[i / W][i % W], (uint16_t[3]){i % W * 4, i / W * 5, 90}, 6);
    s.compression = COMPRESSION_JPEG;
    for (int tile = 0; tile <= 16; tile += 16) {
        s.tile = tile;
        s.mode = "wl";
        struct memory file = {0};
        TIFF *t = TIFFClientOpen("", "wl", &file, mem_read, mem_write, mem_seek, mem_close,
                                 mem_size, NULL, NULL);
        struct shot ycc = s;
        ycc.photometric = PHOTOMETRIC_YCBCR;
        TIFFSetField(t, TIFFTAG_COMPRESSION, COMPRESSION_JPEG);
        TIFFSetField(t, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_YCBCR);
        TIFFSetField(t, TIFFTAG_YCBCRSUBSAMPLING, 1, 1);
        TIFFSetField(t, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        TIFFSetField(t, TIFFTAG_JPEGQUALITY, 98);
        TIFFSetField(t, TIFFTAG_IMAGEWIDTH, W);
        TIFFSetField(t, TIFFTAG_IMAGELENGTH, H);
        TIFFSetField(t, TIFFTAG_BITSPERSAMPLE, 8);
        TIFFSetField(t, TIFFTAG_SAMPLESPERPIXEL, 3);
        TIFFSetField(t, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
        if (tile) {
            TIFFSetField(t, TIFFTAG_TILEWIDTH, tile);
            TIFFSetField(t, TIFFTAG_TILELENGTH, tile);
        } else {
            TIFFSetField(t, TIFFTAG_ROWSPERSTRIP, 8);
        }
        write_rows(t, &ycc, 0, 3, 0);
        TIFFClose(t);
        struct pl_image im = must_load(file.data, file.n, false);
        ck_assert_int_eq(im.format, PL_RGB8);
        long off = 0;
        for (int i = 0; i < W * H; i++)
            for (int c = 0; c < 3; c++)
                off += abs(pixel(&im, i % W, i / W)[c] - s.px[i / W][i % W][c]);
        ck_assert_int_lt(off, W * H * 3 * 2);
        pl_image_done(&im);
        free(file.data);
    }
}
END_TEST

START_TEST(density_and_orientation)
{
    struct shot s = noise(8, 1, PHOTOMETRIC_MINISBLACK);
    s.orientation = ORIENTATION_RIGHTTOP;
    s.resolution_unit = RESUNIT_CENTIMETER;
    s.compression = COMPRESSION_LZW;
    for (int tile = 0; tile <= 16; tile += 16) {
        s.tile = tile;
        struct memory file = encode(&s, 1);
        struct pl_image im = must_load(file.data, file.n, false);
        ck_assert(im.width == H && im.height == W);
        ck_assert_double_eq_tol((double)im.dpi_x, 150 * 2.54, 0.01);
        ck_assert_double_eq_tol((double)im.dpi_y, 300 * 2.54, 0.01);
        for (int y = 0; y < H; y++) /* a clockwise turn */
            for (int x = 0; x < W; x++)
                ck_assert_int_eq(*pixel(&im, H - 1 - y, x), s.px[y][x][0]);
        pl_image_done(&im);
        free(file.data);
    }
    s = noise(1, 1, PHOTOMETRIC_MINISBLACK);
    s.resolution_unit = RESUNIT_NONE; /* 300 of something */
    struct memory file = encode(&s, 1);
    struct pl_image im = must_load(file.data, file.n, false);
    ck_assert(im.dpi_x == 0 && im.dpi_y == 0);
    pl_image_done(&im);
    free(file.data);
}
END_TEST

static platen_status load_page(const struct memory *m, int page, struct pl_image *ret)
{
    struct pl_load_options opt = {.max_pixels = LIMIT, .page = page};
    return pl_image_load(&env, m->data, m->n, &opt, ret, &err);
}

/* Or the status, below 0. */
static int count_pages(const uint8_t *data, size_t n)
{
    struct pl_pages pages;
    platen_status status = pl_image_pages(data, n, &pages, &err);
    int count = status ? -(int)status : pages.n;
    pl_pages_done(&pages);
    return count;
}

START_TEST(pages_are_counted_and_found)
{
    struct shot s[4];
    for (int i = 0; i < 4; i++)
        s[i] = noise(8, 1, PHOTOMETRIC_MINISBLACK);
    s[0].kind = FILETYPE_REDUCEDIMAGE; /* a thumbnail */
    s[2].kind = FILETYPE_MASK;
    struct memory file = encode(s, 4);
    struct pl_image im = {0};
    ck_assert_int_eq(count_pages(file.data, file.n), 2);
    for (int page = 1; page <= 2; page++) {
        ck_assert(!load_page(&file, page, &im));
        ck_assert_int_eq(*pixel(&im, 5, 6), s[2 * page - 1].px[6][5][0]);
        pl_image_done(&im);
    }
    ck_assert_int_eq(load_page(&file, 3, &im), PLATEN_ERR_FORMAT);
    ck_assert_str_eq(err.text, "no page 3: the tiff has 2");
    ck_assert_int_eq(load_page(&file, 0, &im), PLATEN_ERR_UNSUPPORTED);
    ck_assert_str_eq(err.text, "2 pages where one picture is wanted");
    free(file.data);
    file = encode(s, 2); /* one page beside its thumbnail */
    ck_assert(!load_page(&file, 0, &im));
    ck_assert_int_eq(*pixel(&im, 5, 6), s[1].px[6][5][0]);
    pl_image_done(&im);
    free(file.data);
    file = encode(s, 1); /* a thumbnail alone */
    ck_assert_int_eq(count_pages(file.data, file.n), 1);
    ck_assert_int_eq(load_page(&file, 0, &im), PLATEN_ERR_FORMAT);
    ck_assert_str_eq(err.text, "no page 1: the tiff has 0");
    free(file.data);
    ck_assert_int_eq(count_pages((const uint8_t *)"P5 1 1 255 x", 12), 1);
    ck_assert_int_eq(count_pages((const uint8_t *)"II*\0", 4), -PLATEN_ERR_FORMAT);
}
END_TEST

START_TEST(a_damaged_page_leaves_those_before_it)
{
    struct shot s[2] = {noise(8, 1, PHOTOMETRIC_MINISBLACK), noise(8, 1, PHOTOMETRIC_MINISBLACK)};
    struct memory one = encode(s, 1), two = encode(s, 2);
    struct pl_image im = {0};
    two.n = one.n + 8; /* the second directory is gone */
    ck_assert_int_eq(count_pages(two.data, two.n), 2);
    ck_assert(!load_page(&two, 1, &im));
    pl_image_done(&im);
    ck_assert_int_eq(load_page(&two, 2, &im), PLATEN_ERR_FORMAT);
    ck_assert_msg(strstr(err.text, "damaged tiff: "), "%s", err.text);
    free(one.data);
    free(two.data);
}
END_TEST

/* A small file of many directories with many entries each, which lie over each other. */
START_TEST(directories_lie_beside_each_other)
{
    enum { DIRS = 250, ENTRIES = 100, STEP = 12, BYTES = 8 + STEP * (DIRS + ENTRIES) + 8 };
    uint8_t file[BYTES] = "II*\0\10";
    for (int i = 0; i < DIRS; i++) {
        const int at = 8 + STEP * i, next = i + 1 < DIRS ? at + STEP : 0;
        file[at] = ENTRIES;
        file[at + 2 + 12 * ENTRIES] = (uint8_t)next;
        file[at + 2 + 12 * ENTRIES + 1] = (uint8_t)(next >> 8);
    }
    ck_assert_int_eq(count_pages(file, BYTES), BYTES / (12 * ENTRIES) + 1);
}
END_TEST

START_TEST(truncated_at_every_byte)
{
    static const int packings[] = {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE,
                                   COMPRESSION_CCITTFAX4, COMPRESSION_CCITTFAX3};
    for (size_t i = 0; i < PL_ARRAY_LEN(packings); i++) {
        struct shot s = noise(i < 3 ? 8 : 1, 1, PHOTOMETRIC_MINISBLACK);
        s.compression = packings[i];
        s.tile = i == 1 ? 16 : 0;
        struct memory file = encode(&s, 1);
        every_truncation_fails(file.data, file.n);
        every_allocation_may_fail(file.data, file.n);
        free(file.data);
    }
}
END_TEST

/* The value of a field of the first directory of a little-endian file. */
static uint8_t *field(struct memory *m, unsigned tag)
{
    uint32_t at;
    memcpy(&at, m->data + 4, 4);
    for (unsigned i = 0, n = m->data[at] | m->data[at + 1] << 8; i < n; i++) {
        uint8_t *entry = m->data + at + 2 + 12 * i;
        if ((entry[0] | entry[1] << 8) == (int)tag)
            return entry + 8;
    }
    ck_abort_msg("no field %u", tag);
}

START_TEST(sizes_are_tested_before_memory_is_taken)
{
    static const struct {
        uint32_t w, h;
        platen_status status;
        const char *text;
    } sizes[] = {
        {20000, 90000, PLATEN_ERR_LIMIT, "20000 x 90000 pixels exceed the limit of 200000000"},
        {0xffffffff, 0xffffffff, PLATEN_ERR_FORMAT, "damaged tiff: "},
        {100000000, 2, PLATEN_ERR_LIMIT, "no side may exceed"},
        {14000, 14000, PLATEN_ERR_FORMAT, "cannot hold 14000 x 14000 pixels"},
    };
    struct shot s = noise(8, 1, PHOTOMETRIC_MINISBLACK);
    struct memory file = encode(&s, 1);
    for (size_t i = 0; i < PL_ARRAY_LEN(sizes); i++) {
        for (int b = 0; b < 4; b++) {
            field(&file, TIFFTAG_IMAGEWIDTH)[b] = sizes[i].w >> 8 * b;
            field(&file, TIFFTAG_IMAGELENGTH)[b] = sizes[i].h >> 8 * b;
        }
        field(&file, TIFFTAG_IMAGEWIDTH)[-6] = TIFF_LONG;
        field(&file, TIFFTAG_IMAGELENGTH)[-6] = TIFF_LONG;
        must_fail(file.data, file.n, sizes[i].status, sizes[i].text);
    }
    ck_assert_uint_eq(pl_bufpool_stats(env.bufs).gets, 0);
    free(file.data);
}
END_TEST

START_TEST(what_is_not_for_pages_is_refused)
{
    struct shot s = noise(8, 1, PHOTOMETRIC_MINISBLACK);
    struct memory file = encode(&s, 1);
    field(&file, TIFFTAG_BITSPERSAMPLE)[0] = 32;
    must_fail(file.data, file.n, PLATEN_ERR_UNSUPPORTED, "32-bit samples");
    field(&file, TIFFTAG_COMPRESSION)[0] = 34712 & 255;
    field(&file, TIFFTAG_COMPRESSION)[1] = 34712 >> 8;
    must_fail(file.data, file.n, PLATEN_ERR_UNSUPPORTED, "a tiff of compression 34712");
    free(file.data);
    s = noise(16, 1, PHOTOMETRIC_MINISBLACK);
    s.is_signed = true;
    file = encode(&s, 1);
    must_fail(file.data, file.n, PLATEN_ERR_UNSUPPORTED, "a TIFF of 16-bit signed samples");
    free(file.data);
    s = noise(16, 4, PHOTOMETRIC_SEPARATED);
    file = encode(&s, 1);
    must_fail(file.data, file.n, PLATEN_ERR_UNSUPPORTED, "a TIFF of 16-bit CMYK samples");
    free(file.data);
}
END_TEST

START_TEST(damaged_fax_lines_are_an_error)
{
    struct shot s = noise(1, 1, PHOTOMETRIC_MINISWHITE);
    s.compression = COMPRESSION_CCITTFAX4;
    struct memory file = encode(&s, 1);
    struct pl_image im = {0};
    int refused = 0, n = 0;
    for (size_t i = 8; i < 60; i++, n++) { /* in the first strip */
        file.data[i] ^= 0xff;
        platen_status status = load(file.data, file.n, false, &im);
        ck_assert(status == PLATEN_OK || status == PLATEN_ERR_FORMAT);
        refused += status != PLATEN_OK;
        pl_image_done(&im);
        file.data[i] ^= 0xff;
    }
    ck_assert_int_gt(refused, n / 2); /* other codes may be codes, too */
    free(file.data);
}
END_TEST

/* Where the second value of a field of several is; *ret_bytes: its size, as the type tells. */
static uint8_t *second(struct memory *m, unsigned tag, size_t *ret_bytes)
{
    const uint8_t *entry = field(m, tag) - 8;
    uint32_t list;
    memcpy(&list, entry + 8, 4);
    *ret_bytes = entry[2] == TIFF_SHORT ? 2 : 4;
    return m->data + list + *ret_bytes;
}

static uint32_t get_second(struct memory *m, unsigned tag)
{
    size_t bytes;
    uint32_t v = 0;
    const uint8_t *from = second(m, tag, &bytes);
    memcpy(&v, from, bytes);
    return v;
}

static void set_second(struct memory *m, unsigned tag, uint32_t v)
{
    size_t bytes;
    uint8_t *to = second(m, tag, &bytes);
    memcpy(to, &v, bytes);
}

/* The second strip, of ten rows, stands at the end of the file, which lacks half of it; or it tells
 * half of its bytes. The rows before that come, and the other strips. */
START_TEST(what_came_of_a_strip_is_read)
{
    static const int packings[] = {COMPRESSION_NONE,      COMPRESSION_LZW,
                                   COMPRESSION_PACKBITS,  COMPRESSION_ADOBE_DEFLATE,
                                   COMPRESSION_CCITTFAX4, COMPRESSION_CCITTFAX3};
    for (size_t i = 0; i < 2 * PL_ARRAY_LEN(packings); i++) {
        if (i == 1) /* libtiff knows how long rows are that are not packed */
            continue;
        struct shot s = noise(i / 2 < 4 ? 8 : 1, 1, PHOTOMETRIC_MINISWHITE);
        s.compression = packings[i / 2];
        struct memory file = encode(&s, 1);
        struct pl_image whole = must_load(file.data, file.n, false), im = {0};
        struct pl_flaw flaw;
        uint32_t at = get_second(&file, TIFFTAG_STRIPOFFSETS),
                 bytes = get_second(&file, TIFFTAG_STRIPBYTECOUNTS);
        if (i % 2) {
            set_second(&file, TIFFTAG_STRIPBYTECOUNTS, bytes / 2);
        } else {
            const uint32_t end = (uint32_t)file.n;
            file.data = realloc(file.data, file.n + bytes);
            memcpy(file.data + end, file.data + at, bytes / 2);
            set_second(&file, TIFFTAG_STRIPOFFSETS, end);
            file.n += bytes / 2;
        }
        ck_assert_msg(!load_flawed(file.data, file.n, &im, &flaw), "%zu: %s", i, err.text);
        ck_assert_msg(flaw.damaged, "case %zu", i);
        const int rows = rows_as_told(&im, &whole, &flaw);
        ck_assert_msg(rows > H - 10 && rows < H, "%zu: %s", i, flaw.text);
        ck_assert_mem_eq(pl_image_row(&im, 20), pl_image_row(&whole, 20), W);
        pl_image_done(&im);
        must_fail(file.data, file.n, PLATEN_ERR_FORMAT, "damaged tiff"); /* nobody is told */
        pl_image_done(&whole);
        free(file.data);
    }
}
END_TEST

START_TEST(a_damaged_tile_is_white)
{
    struct shot s = noise(8, 1, PHOTOMETRIC_MINISBLACK);
    s.compression = COMPRESSION_ADOBE_DEFLATE;
    s.tile = 16;
    struct memory file = encode(&s, 1);
    struct pl_image im = {0};
    struct pl_flaw flaw;
    memset(file.data + get_second(&file, TIFFTAG_TILEOFFSETS), 0xff,
           8); /* the second one of the first row */
    ck_assert(!load_flawed(file.data, file.n, &im, &flaw));
    ck_assert_double_eq_tol(flaw.lost_share, 16 / (double)H, 1e-9);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            ck_assert_int_eq(*pixel(&im, x, y), y < 16 && x >= 16 && x < 32 ? 255 : s.px[y][x][0]);
    pl_image_done(&im);
    free(file.data);
}
END_TEST

/* Group 3 finds the next line again: what is bent costs a few rows at most. */
START_TEST(a_bad_line_of_fax_costs_itself)
{
    struct shot s = noise(1, 1, PHOTOMETRIC_MINISWHITE);
    s.compression = COMPRESSION_CCITTFAX3;
    struct memory file = encode(&s, 1);
    int told = 0;
    for (size_t i = 8; i < 60; i++) {
        struct pl_image im = {0};
        struct pl_flaw flaw;
        file.data[i] ^= 0xff;
        ck_assert_msg(!load_flawed(file.data, file.n, &im, &flaw), "%s", err.text);
        ck_assert_double_le(flaw.lost_share * H, 4);
        told += flaw.damaged;
        pl_image_done(&im);
        file.data[i] ^= 0xff;
    }
    ck_assert_int_gt(told, 26);
    free(file.data);
}
END_TEST

static void round_trip(enum pl_format format, bool bilevel)
{
    for (int width = 1; width < 40; width += 6) {
        struct pl_image im;
        struct pl_str file = {0};
        ck_assert(!pl_image_init(&env, width + 2, 9, format, &im, &err));
        for (int y = 0; y < 9; y++)
            for (int i = 0; i < (width + 2) * (int)format; i++)
                pl_image_row(&im, y)[i] = bilevel ? rand() % 2 * 255 : rand();
        im.bilevel = bilevel;
        im.dpi_x = 300;
        im.dpi_y = 200;
        struct pl_image view = pl_image_view(&im, (struct pl_rect){1, 2, 1 + width, 9});
        pl_str_puts(&file, "kept");
        ck_assert(!pl_tiff_encode(&view, &file, &err));
        ck_assert_int_eq(memcmp(file.s, "kept", 4), 0);
        struct memory m = {(uint8_t *)file.s + 4, file.len - 4, 0, 0};
        ck_assert_int_eq(field(&m, TIFFTAG_COMPRESSION)[0], bilevel ? 4 : 8);
        struct pl_image back = must_load(m.data, m.n, false);
        ck_assert(back.width == width && back.height == 7 && back.format == format);
        ck_assert_int_eq(back.bilevel, bilevel);
        ck_assert(back.dpi_x == 300 && back.dpi_y == 200);
        for (int y = 0; y < 7; y++)
            ck_assert_mem_eq(pl_image_row(&back, y), pl_image_row(&view, y), width * (int)format);
        pl_image_done(&back);
        pl_image_done(&view);
        pl_image_done(&im);
        pl_str_done(&file);
    }
}

START_TEST(written_pictures_come_back)
{
    round_trip(PL_GRAY8, true);
    round_trip(PL_GRAY8, false);
    round_trip(PL_RGB8, false);
}
END_TEST

START_TEST(writing_survives_short_memory)
{
    struct pl_image im;
    ck_assert(!pl_image_init(&env, 50, 50, PL_GRAY8, &im, &err));
    for (size_t i = 0; i < im.stride_bytes * 50; i++)
        im.px[i] = rand();
    writing_survives(pl_tiff_encode, &im);
    pl_image_done(&im);
}
END_TEST

START_TEST(probe_reads_the_header)
{
    struct shot s = noise(8, 3, PHOTOMETRIC_RGB);
    struct memory file = encode(&s, 1);
    struct pl_image_info info;
    ck_assert(!pl_image_probe(file.data, file.n, NULL, &info, &err));
    ck_assert_str_eq(info.format, "tiff");
    ck_assert(info.width == W && info.height == H && info.channels == 3);
    ck_assert_int_eq(pl_image_probe(file.data, 8, NULL, &info, &err), PLATEN_ERR_FORMAT);
    free(file.data);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("tiff");
    tcase_add_test(tc, every_kind_of_sample);
    tcase_add_test(tc, fax_compressions);
    tcase_add_test(tc, fax_without_photometric_is_ink_on_paper);
    tcase_add_test(tc, runs_of_packbits_may_cross_rows);
    tcase_add_test(tc, strips_that_are_not_filled_are_black);
    tcase_add_test(tc, tiles_and_planes);
    tcase_add_test(tc, alpha_goes_over_white);
    tcase_add_test(tc, a_single_sample_is_no_alpha);
    tcase_add_test(tc, bytes_in_the_palette_are_understood);
    tcase_add_test(tc, jpeg_inside);
    tcase_add_test(tc, density_and_orientation);
    tcase_add_test(tc, pages_are_counted_and_found);
    tcase_add_test(tc, a_damaged_page_leaves_those_before_it);
    tcase_add_test(tc, directories_lie_beside_each_other);
    tcase_add_test(tc, truncated_at_every_byte);
    tcase_add_test(tc, sizes_are_tested_before_memory_is_taken);
    tcase_add_test(tc, what_is_not_for_pages_is_refused);
    tcase_add_test(tc, damaged_fax_lines_are_an_error);
    tcase_add_test(tc, what_came_of_a_strip_is_read);
    tcase_add_test(tc, a_damaged_tile_is_white);
    tcase_add_test(tc, a_bad_line_of_fax_costs_itself);
    tcase_add_test(tc, written_pictures_come_back);
    tcase_add_test(tc, writing_survives_short_memory);
    tcase_add_test(tc, probe_reads_the_header);
    return run_env_suite("tiff", tc);
}
