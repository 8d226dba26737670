/* SPDX-License-Identifier: BSD-2-Clause */
/* TIFF through libtiff, one page at a time. Grey, RGB and palette pictures are read as they are, by
 * rows or tiles; all else as tiff_converted.c has it. */
#include <string.h>
#include <tiffio.h>

#include "base/mem.h"
#include "codec/decode.h"
#include "codec/palette.h"
#include "codec/tiff/tiff_dirs.h"
#include "codec/tiff/tiff_reader.h"

/* Of a strip that is unpacked as a whole where rows of it could not be. */
#define MAX_STRIP_BYTES ((size_t)1 << 24)
/* Modes of TIFFOpen(): without a map of its own, and with the first directory or none. */
#define FIRST "rm"
#define HEADER "rmh"

static tmsize_t on_read(thandle_t ctx, void *to, tmsize_t n)
{
    struct tiff_reader *r = ctx;
    size_t k = PL_MIN((size_t)n, r->n - r->pos);
    memcpy(to, r->data + r->pos, k);
    r->pos += k;
    return (tmsize_t)k;
}

static tmsize_t on_write(thandle_t ctx PL_UNUSED, void *from PL_UNUSED, tmsize_t n PL_UNUSED)
{
    return -1;
}

static toff_t on_seek(thandle_t ctx, toff_t to, int whence)
{
    struct tiff_reader *r = ctx;
    toff_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? r->pos : r->n;
    r->pos = (size_t)PL_MIN(base + to, (toff_t)r->n);
    return base + to > r->n ? (toff_t)-1 : r->pos;
}

static int on_close(thandle_t ctx PL_UNUSED)
{
    return 0;
}

static toff_t on_size(thandle_t ctx)
{
    const struct tiff_reader *r = ctx;
    return r->n;
}

/* Of the first message alone: what follows is its echo. */
static PL_PRINTF(4, 0) int on_error(TIFF *tif PL_UNUSED, void *ctx, const char *where PL_UNUSED,
                                    const char *fmt, va_list args)
{
    struct tiff_reader *r = ctx;
    char text[160];
    vsnprintf(text, sizeof(text), fmt, args);
    size_t len = strlen(text);
    if (len && text[len - 1] == '.')
        text[len - 1] = 0;
    if (!r->status) /* some begin with the name of the file, which has none here */
        r->status =
            pl_fail(&r->err, PLATEN_ERR_FORMAT, "damaged tiff: %s", text + strspn(text, ": "));
    return 1;
}

/* The fax decoders, libjpeg and PackBits warn, and go on with made-up pixels: for platen these are
 * errors. */
static PL_PRINTF(4, 0) int on_warning(TIFF *tif, void *ctx, const char *where, const char *fmt,
                                      va_list args)
{
    bool made_up = where && (!strncmp(where, "Fax", 3) || !strcmp(where, "JPEGLib") ||
                             !strcmp(where, "JPEGPreDecode") || /* smaller than its strip */
                             !strncmp(where, "PackBits", 8));
    return made_up ? on_error(tif, ctx, where, fmt, args) : 1;
}

/* `mode` of TIFFOpen(). */
static platen_status open_reader(struct tiff_reader *r, uint64_t max_pixels, const char *mode)
{
    TIFFOpenOptions *o = TIFFOpenOptionsAlloc();
    if (!o)
        return pl_fail_nomem(&r->err, r->n, "decoding a tiff");
    /* a strip or tile may be as large as the picture, of four 16-bit samples */
    r->most_bytes = PL_MIN(max_pixels, (uint64_t)1 << 40) * 8 + (1 << 24);
    TIFFOpenOptionsSetMaxSingleMemAlloc(o, (tmsize_t)r->most_bytes);
    TIFFOpenOptionsSetErrorHandlerExtR(o, on_error, r);
    TIFFOpenOptionsSetWarningHandlerExtR(o, on_warning, r);
    r->tif = TIFFClientOpenExt("", mode, r, on_read, on_write, on_seek, on_close, on_size, NULL,
                               NULL, o);
    TIFFOpenOptionsFree(o);
    return r->tif ? PLATEN_OK : pl_tiff_fail(r);
}

static void close_reader(struct tiff_reader *r)
{
    if (r->tif)
        TIFFClose(r->tif);
}

platen_status pl_tiff_pages(const uint8_t *data, size_t n, struct pl_pages *ret,
                            struct platen_error *err)
{
    struct pl_tiff_pages pages;
    platen_status s = pl_tiff_find_pages(data, n, &pages, err);
    if (s)
        return s;
    if (!pages.n) { /* none but thumbnails: a page that fails, not one that is lost */
        pl_free(pages.at);
        pages.at = NULL;
    }
    *ret = (struct pl_pages){.n = PL_MAX(pages.n, 1), .at = pages.at};
    return PLATEN_OK;
}

static int colors_of(const struct tiff_reader *r)
{
    return r->photometric == PHOTOMETRIC_RGB ? 3 : 1;
}

/* Of a directory that does not say it; fax is ink on paper, as libtiff itself takes it. */
static uint16_t usual_photometric(uint16_t compression)
{
    bool fax = compression == COMPRESSION_CCITTRLE || compression == COMPRESSION_CCITTRLEW ||
               compression == COMPRESSION_CCITTFAX3 || compression == COMPRESSION_CCITTFAX4;
    return fax ? PHOTOMETRIC_MINISWHITE : PHOTOMETRIC_MINISBLACK;
}

static platen_status read_fields(struct tiff_reader *r)
{
    TIFF *t = r->tif;
    if (!TIFFGetField(t, TIFFTAG_IMAGEWIDTH, &r->width) ||
        !TIFFGetField(t, TIFFTAG_IMAGELENGTH, &r->height))
        return pl_fail(&r->err, PLATEN_ERR_FORMAT, "damaged tiff: no size");
    TIFFGetFieldDefaulted(t, TIFFTAG_BITSPERSAMPLE, &r->bits);
    TIFFGetFieldDefaulted(t, TIFFTAG_SAMPLESPERPIXEL, &r->samples);
    TIFFGetFieldDefaulted(t, TIFFTAG_PLANARCONFIG, &r->planar);
    TIFFGetFieldDefaulted(t, TIFFTAG_SAMPLEFORMAT, &r->format);
    TIFFGetFieldDefaulted(t, TIFFTAG_COMPRESSION, &r->compression);
    if (!TIFFIsCODECConfigured(r->compression))
        return pl_fail(&r->err, PLATEN_ERR_UNSUPPORTED, "a tiff of compression %u", r->compression);
    uint16_t n_extra = 0, *extra = NULL;
    TIFFGetFieldDefaulted(t, TIFFTAG_EXTRASAMPLES, &n_extra, &extra);
    r->alpha = n_extra == 1 ? extra[0] : 0;
    if (!TIFFGetField(t, TIFFTAG_PHOTOMETRIC, &r->photometric))
        r->photometric = usual_photometric(r->compression);
    if (r->samples <= colors_of(r)) /* the only sample cannot be alpha */
        r->alpha = 0;
    return PLATEN_OK;
}

/* Whether the rows can be read as they are. */
static bool is_plain(const struct tiff_reader *r)
{
    bool indexed = r->photometric == PHOTOMETRIC_PALETTE && r->samples == 1 && r->bits <= 8;
    bool known = indexed || pl_tiff_is_gray(r) || r->photometric == PHOTOMETRIC_RGB;
    bool small = (r->bits == 1 || r->bits == 2 || r->bits == 4) && r->samples == 1;
    return known && (small || r->bits == 8 || r->bits == 16) && r->samples >= colors_of(r) &&
           (r->planar == PLANARCONFIG_CONTIG || r->samples == 1) && r->format <= SAMPLEFORMAT_UINT;
}

static platen_status read_palette(struct tiff_reader *r, const struct pl_env *env,
                                  struct pl_palette *ret)
{
    uint16_t *map[3];
    uint8_t rgba[256 * 4] = {0};
    int n = 1 << r->bits;
    unsigned most = 0;
    if (!TIFFGetField(r->tif, TIFFTAG_COLORMAP, &map[0], &map[1], &map[2]))
        return pl_fail(&r->err, PLATEN_ERR_FORMAT, "damaged tiff: no palette");
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            most = PL_MAX(most, map[c][i]);
    for (int i = 0; i < n; i++) {
        for (int c = 0; c < 3; c++) /* some writers put bytes where 16 bits belong */
            rgba[4 * i + c] = most < 256 ? (uint8_t)map[c][i] : pl_from_16(map[c][i]);
        rgba[4 * i + 3] = 255;
    }
    pl_palette_init(env, rgba, n, ret);
    return PLATEN_OK;
}

/* Samples of 2, 4 and 16 bits to a byte each, in place; those below 8 bits keep their value. */
static void widen(uint8_t *row, size_t n, unsigned bits)
{
    const uint16_t *wide = (const uint16_t *)(const void *)row;
    if (bits == 16)
        for (size_t i = 0; i < n; i++)
            row[i] = pl_from_16(wide[i]);
    else if (bits < 8)
        for (size_t i = n; i-- > 0;)
            row[i] = (uint8_t)((unsigned)row[i * bits / 8] >> (8 - bits - i * bits % 8) &
                               ((1u << bits) - 1));
}

/* Drops the samples that are neither colour nor alpha, in place; colours that alpha is multiplied
 * into go over white. Returns how many samples are left. */
static int compact(const struct tiff_reader *r, uint8_t *row)
{
    int colors = colors_of(r), kept = colors + (r->alpha == EXTRASAMPLE_UNASSALPHA);
    bool multiplied = r->alpha == EXTRASAMPLE_ASSOCALPHA;
    if (r->samples == kept)
        return kept;
    for (size_t x = 0; x < r->width; x++) {
        const uint8_t *from = row + x * r->samples;
        unsigned white = multiplied ? 255u - from[colors] : 0;
        for (int c = 0; c < kept; c++)
            row[x * (size_t)kept + (size_t)c] = (uint8_t)PL_MIN(from[c] + white, 255u);
    }
    return kept;
}

static void invert(const struct pl_env *env, uint8_t *row, size_t n, int channels)
{
    if (channels == 1)
        env->k->invert_u8(row, row, n);
    else
        for (size_t x = 0; x < n; x++)
            row[2 * x] = (uint8_t)(255 - row[2 * x]);
}

/* One row of libtiff's, `row`, into im. */
static void put_row(const struct tiff_reader *r, const struct pl_env *env,
                    const struct pl_palette *p, struct pl_image *im, int y, uint8_t *row)
{
    bool inverted = r->photometric == PHOTOMETRIC_MINISWHITE;
    size_t n = (size_t)r->width * r->samples;
    if (r->bits == 1 && pl_tiff_is_gray(r)) {
        env->k->unpack_bits(pl_image_row(im, y), row, n, inverted ? 255 : 0, inverted ? 0 : 255);
        return;
    }
    widen(row, n, r->bits);
    if (r->photometric == PHOTOMETRIC_PALETTE) {
        pl_palette_row(env, p, im, y, row);
        return;
    }
    if (r->bits < 8)
        for (size_t i = 0; i < n; i++)
            row[i] = (uint8_t)(row[i] * (255u / ((1u << r->bits) - 1)));
    int channels = compact(r, row);
    if (inverted)
        invert(env, row, r->width, channels);
    pl_rows_put(env, im, y, row, channels);
}

/* A band of whole rows: one, or those of a tile or of a strip that is unpacked as a whole. */
struct tiff_band {
    uint8_t *rows, *piece; /* piece: room for one tile or strip; NULL where rows are read singly */
    size_t stride, piece_row_bytes, bytes;
    uint32_t height, piece_width;
};

/* Bytes of a strip that is to be unpacked as a whole; 0 = its rows are read one by one. libtiff
 * loses runs of PackBits that go on in the next row where it reads by rows, and does not look at
 * the checksum behind deflated data. */
static size_t whole_strip(struct tiff_reader *r, struct tiff_band *b)
{
    uint32_t rows = r->height;
    bool wanted = r->compression == COMPRESSION_PACKBITS || r->compression == COMPRESSION_DEFLATE ||
                  r->compression == COMPRESSION_ADOBE_DEFLATE;
    if (!wanted || TIFFIsTiled(r->tif))
        return 0;
    TIFFGetFieldDefaulted(r->tif, TIFFTAG_ROWSPERSTRIP, &rows);
    rows = PL_MIN(rows, r->height);
    size_t row = (size_t)TIFFScanlineSize64(r->tif), bytes;
    if (!pl_mul(row, rows, &bytes) || bytes > MAX_STRIP_BYTES)
        return 0;
    *b = (struct tiff_band){.height = rows, .piece_width = r->width, .piece_row_bytes = row};
    return bytes;
}

static platen_status band_init(struct tiff_reader *r, const struct pl_env *env, struct tiff_band *b)
{
    *b = (struct tiff_band){.height = 1};
    size_t row = (size_t)TIFFScanlineSize64(r->tif), piece = whole_strip(r, b);
    if (TIFFIsTiled(r->tif)) {
        TIFFGetField(r->tif, TIFFTAG_TILEWIDTH, &b->piece_width);
        TIFFGetField(r->tif, TIFFTAG_TILELENGTH, &b->height);
        piece = (size_t)TIFFTileSize64(r->tif);
        b->piece_row_bytes = (size_t)TIFFTileRowSize64(r->tif);
        if (!piece || !b->piece_width || !b->height || b->piece_width % 16)
            return pl_fail(&r->err, PLATEN_ERR_FORMAT, "damaged tiff: tiles of %u x %u pixels",
                           b->piece_width, b->height);
        row = (r->width + (size_t)b->piece_width - 1) / b->piece_width * b->piece_row_bytes;
    }
    b->stride = PL_MAX(row, (size_t)r->width * r->samples); /* room for a byte a sample */
    bool in_place = b->stride == b->piece_row_bytes;        /* a piece is a band */
    if (!pl_mul(b->stride, b->height, &b->bytes) ||
        !pl_add(b->bytes, in_place ? 0 : piece, &b->bytes) || b->bytes > r->most_bytes)
        return pl_fail(&r->err, PLATEN_ERR_LIMIT, "tiles of %u x %u pixels exceed the limit",
                       b->piece_width, b->height);
    b->rows = pl_bufpool_get(env->bufs, b->bytes);
    if (b->rows && piece)
        b->piece = in_place ? b->rows : b->rows + b->stride * b->height;
    if (b->rows) /* libtiff takes some damaged strips for read that it has not filled */
        memset(b->rows, 0, b->bytes);
    return b->rows ? PLATEN_OK : pl_fail_nomem(&r->err, b->bytes, "rows of a tiff");
}

/* The tile at (x, y), or the strip of row y, into b->piece. */
static bool read_piece(struct tiff_reader *r, uint32_t x, uint32_t y, const struct tiff_band *b)
{
    if (TIFFIsTiled(r->tif))
        return TIFFReadTile(r->tif, b->piece, x, y, 0, 0) >= 0 && !r->status;
    size_t bytes = PL_MIN(b->height, r->height - y) * b->piece_row_bytes;
    return TIFFReadEncodedStrip(r->tif, TIFFComputeStrip(r->tif, y, 0), b->piece,
                                (tmsize_t)bytes) == (tmsize_t)bytes &&
           !r->status;
}

/* What turns rows of libtiff's into those of the picture. */
struct tiff_rows {
    struct tiff_reader *r;
    const struct pl_source *src;
    struct pl_palette p;
    struct tiff_band b;
    struct pl_image *im;
};

/* Puts a tile or strip in its place in the band, where it was not read there. */
static void place_piece(const struct tiff_band *b, uint32_t x)
{
    uint8_t *to = b->rows + x / b->piece_width * b->piece_row_bytes;
    for (uint32_t i = 0; b->piece != b->rows && i < b->height; i++)
        memcpy(to + i * b->stride, b->piece + i * b->piece_row_bytes, b->piece_row_bytes);
}

static void put_rows(struct tiff_rows *t, uint32_t y)
{
    for (uint32_t i = 0; i < PL_MIN(t->b.height, t->r->height - y); i++)
        put_row(t->r, t->src->env, &t->p, t->im, (int)(y + i), t->b.rows + i * t->b.stride);
}

/* Puts a band of tiles, but for those that are damaged. */
static void read_tile_band(struct tiff_rows *t, uint32_t y)
{
    struct tiff_reader *r = t->r;
    const struct tiff_band *b = &t->b;
    const uint32_t end = PL_MIN(y + b->height, r->height);
    struct pl_rect bad = {0};
    for (uint32_t x = 0; x < r->width; x += b->piece_width) {
        if (!read_piece(r, x, y, b)) {
            pl_tiff_note_damage(r);
            bad.x0 = bad.x1 ? bad.x0 : (int)x;
            bad.x1 = (int)PL_MIN(x + b->piece_width, r->width);
            memset(b->piece, 0, b->piece_row_bytes * b->height);
        }
        place_piece(b, x);
    }
    put_rows(t, y);
    if (bad.x1)
        pl_tiff_lose(r, t->im, (struct pl_rect){bad.x0, (int)y, bad.x1, (int)end});
}

/* Decodes as many rows of a strip as the n bytes of it give, no more than `rows`; returns how many.
 */
static uint32_t decode_beginning(struct tiff_reader *r, uint32_t strip, uint8_t *data, size_t n,
                                 uint32_t rows, size_t row_bytes, uint8_t *to)
{
    uint32_t least = 0, most = rows;
    while (least < most) {
        const uint32_t half = least + (most - least + 1) / 2;
        r->status = PLATEN_OK;
        const bool ok = TIFFReadFromUserBuffer(r->tif, strip, data, (tmsize_t)n, to,
                                               (tmsize_t)(half * row_bytes)) &&
                        !r->status;
        least = ok ? half : least;
        most = ok ? most : half - 1;
    }
    r->status = PLATEN_OK;
    if (least && !TIFFReadFromUserBuffer(r->tif, strip, data, (tmsize_t)n, to,
                                         (tmsize_t)(least * row_bytes)))
        return 0;
    return least;
}

/* Puts the rows of the damaged strip from y to `end` that come before the damage; returns where
 * they end. Strips that lie on each other are read no more often than there are bytes for. */
static uint32_t salvage_strip(struct tiff_rows *t, uint32_t y, uint32_t end)
{
    struct tiff_reader *r = t->r;
    const uint32_t strip = TIFFComputeStrip(r->tif, y, 0);
    const size_t row = (size_t)TIFFScanlineSize64(r->tif), rows = end - y;
    const uint64_t at = TIFFGetStrileOffset(r->tif, strip),
                   told = TIFFGetStrileByteCount(r->tif, strip),
                   n = at < r->n ? PL_MIN(told, r->n - at) : 0;
    size_t bytes;
    r->salvaged_bytes += n;
    if (!n || r->salvaged_bytes > r->n || !pl_mul(row, rows, &bytes) || bytes > r->most_bytes)
        return y;
    pl_env_claim_scratch(t->src->env, n + bytes);
    uint8_t *data = pl_alloc((size_t)n, 1), *to = pl_alloc_zero(bytes, 1);
    if (data && to) {
        memcpy(data, r->data + at, (size_t)n);
        end = y + decode_beginning(r, strip, data, (size_t)n, (uint32_t)rows, row, to);
    } else {
        end = y;
    }
    for (const uint8_t *from = to; y < end; y++, from += row) {
        memcpy(t->b.rows, from, row);
        put_row(r, t->src->env, &t->p, t->im, (int)y, t->b.rows);
    }
    pl_free(data);
    pl_free(to);
    return end;
}

/* Whether the strip lies in part behind the end of the file. */
static bool is_cut(const struct tiff_reader *r, uint32_t y)
{
    const uint32_t strip = TIFFComputeStrip(r->tif, y, 0);
    const uint64_t at = TIFFGetStrileOffset(r->tif, strip),
                   n = TIFFGetStrileByteCount(r->tif, strip);
    return at > r->n || n > r->n - at;
}

/* Goes on from a row at y that cannot be read; returns the row that is to be read next. Fax of
 * group 3 finds its place again in the next row. */
static uint32_t pass_damage(struct tiff_rows *t, uint32_t y)
{
    struct tiff_reader *r = t->r;
    uint32_t strip_rows = r->height;
    TIFFGetFieldDefaulted(r->tif, TIFFTAG_ROWSPERSTRIP, &strip_rows);
    strip_rows = PL_MIN(PL_MAX(strip_rows, 1u), r->height);
    const bool cut = is_cut(r, y);
    pl_tiff_note_damage(r);
    const uint32_t end = r->compression == COMPRESSION_CCITTFAX3 && !cut
                             ? y + 1
                             : PL_MIN((y / strip_rows + 1) * strip_rows, r->height);
    const uint32_t from = t->b.piece || (cut && y % strip_rows == 0) ? salvage_strip(t, y, end) : y;
    if (from < end)
        pl_tiff_lose(r, t->im, (struct pl_rect){0, (int)from, t->im->width, (int)end});
    return end;
}

/* Puts a row, or the rows of a strip; returns the row that is to be read next. */
static uint32_t read_strip_rows(struct tiff_rows *t, uint32_t y)
{
    struct tiff_reader *r = t->r;
    if (t->b.piece ? !read_piece(r, 0, y, &t->b)
                   : TIFFReadScanline(r->tif, t->b.rows, y, 0) < 0 || r->status)
        return pass_damage(t, y);
    if (t->b.piece)
        place_piece(&t->b, 0);
    put_rows(t, y);
    return y + PL_MIN(t->b.height, r->height - y);
}

static void read_all_rows(struct tiff_rows *t)
{
    const uint32_t height = t->r->height;
    if (!TIFFIsTiled(t->r->tif)) {
        for (uint32_t y = 0; y < height;)
            y = read_strip_rows(t, y);
        return;
    }
    for (uint32_t y = 0; y < height; y += PL_MIN(t->b.height, height - y))
        read_tile_band(t, y);
}

static platen_status read_plain(struct tiff_reader *r, const struct pl_source *src,
                                struct pl_image *im)
{
    struct tiff_rows t = {.r = r, .src = src, .im = im};
    bool indexed = r->photometric == PHOTOMETRIC_PALETTE;
    platen_status s = indexed ? read_palette(r, src->env, &t.p) : PLATEN_OK;
    if (!s)
        s = pl_rows_init(src, (int)r->width, (int)r->height,
                         indexed ? (t.p.gray ? 1 : 3) : colors_of(r), im, &r->err);
    if (!s)
        s = band_init(r, src->env, &t.b);
    if (s)
        return s;
    im->bilevel = indexed ? t.p.bilevel : r->bits == 1;
    read_all_rows(&t);
    pl_bufpool_put(src->env->bufs, t.b.rows, t.b.bytes);
    return PLATEN_OK;
}

static void take_metadata(struct tiff_reader *r, struct pl_decoded *d)
{
    uint16_t turn = 1, unit = RESUNIT_INCH;
    float x = 0, y = 0;
    TIFFGetFieldDefaulted(r->tif, TIFFTAG_ORIENTATION, &turn);
    TIFFGetFieldDefaulted(r->tif, TIFFTAG_RESOLUTIONUNIT, &unit);
    d->turn = turn >= 1 && turn <= 8 ? turn : 1;
    if (!TIFFGetField(r->tif, TIFFTAG_XRESOLUTION, &x) ||
        !TIFFGetField(r->tif, TIFFTAG_YRESOLUTION, &y) || unit == RESUNIT_NONE || !(x > 0) ||
        !(y > 0) || x > 1e6f || y > 1e6f)
        return;
    d->image.dpi_x = unit == RESUNIT_CENTIMETER ? x * 2.54f : x;
    d->image.dpi_y = unit == RESUNIT_CENTIMETER ? y * 2.54f : y;
}

static platen_status go_to(struct tiff_reader *r, uint64_t at)
{
    platen_status s = open_reader(r, r->max_pixels, HEADER);
    return s || TIFFSetSubDirectory(r->tif, at) ? s : pl_tiff_fail(r);
}

/* Where no page is named the file must have one alone. */
static platen_status go_to_page(struct tiff_reader *r, int page)
{
    struct pl_tiff_pages pages;
    platen_status s = pl_tiff_find_pages(r->data, r->n, &pages, &r->err);
    if (s)
        return s;
    const int wanted = PL_MAX(page, 1);
    if (!page && pages.n > 1)
        s = pl_fail(&r->err, PLATEN_ERR_UNSUPPORTED, "%d pages where one picture is wanted",
                    pages.n);
    else if (wanted > pages.n)
        s = pl_fail(&r->err, PLATEN_ERR_FORMAT, "no page %d: the tiff has %d", wanted, pages.n);
    else if (!pages.at[wanted - 1])
        s = pl_fail(&r->err, PLATEN_ERR_FORMAT, "damaged tiff: %s",
                    pages.ring ? "its directories form a ring"
                               : "a directory, which tells where a picture is, lies behind the end "
                                 "of the file: is it cut off?");
    else
        s = go_to(r, pages.at[wanted - 1]);
    pl_free(pages.at);
    return s;
}

static platen_status decode_tiff(struct tiff_reader *r, const struct pl_source *src,
                                 struct pl_decoded *ret)
{
    r->max_pixels = src->opt->max_pixels;
    platen_status s =
        src->opt->page_at ? go_to(r, src->opt->page_at) : go_to_page(r, src->opt->page);
    if (!s)
        s = read_fields(r);
    if (!s)
        s = pl_limits_check(src->opt, r->width, r->height, &r->err);
    if (!s && r->compression == COMPRESSION_NONE)
        s = pl_bytes_check(src->n, r->width, r->height, 8, &r->err);
    if (s)
        return s;
    if (src->fax_runs_on)
        TIFFSetField(r->tif, TIFFTAG_FAXMODE, FAXMODE_NOEOL);
    take_metadata(r, ret);
    /* libtiff would turn each strip by itself */
    TIFFSetField(r->tif, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    r->status = PLATEN_OK; /* of directories that were passed over */
    float dpi_x = ret->image.dpi_x, dpi_y = ret->image.dpi_y;
    s = is_plain(r) ? read_plain(r, src, &ret->image) : pl_tiff_read_converted(r, src, &ret->image);
    ret->image.dpi_x = dpi_x;
    ret->image.dpi_y = dpi_y;
    return s || !r->why.code ? s
                             : pl_damage_settle(PLATEN_ERR_FORMAT, &r->why, r->height - r->lost,
                                                r->height, &ret->damage, &r->err);
}

platen_status pl_tiff_decode(const struct pl_source *src, struct pl_decoded *ret,
                             struct platen_error *err)
{
    struct tiff_reader r = {.data = src->data, .n = src->n};
    struct pl_decoded d = {0};
    platen_status s = decode_tiff(&r, src, &d);
    close_reader(&r);
    if (s)
        pl_image_done(&d.image);
    else
        *ret = d;
    if (s && err)
        *err = r.err;
    return s;
}
