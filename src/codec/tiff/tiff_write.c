/* SPDX-License-Identifier: BSD-2-Clause */
#include <assert.h>
#include <string.h>
#include <tiffio.h>

#include "base/byte_order.h"
#include "base/mem.h"
#include "codec/decode.h"

/* What one strip holds, so that readers need not take the whole picture. */
#define STRIP_BYTES ((size_t)1 << 18)

struct tiff_writer {
    struct pl_str *out;
    size_t first, pos; /* where the file begins in `out`; the place in it */
    struct platen_error *err;
    platen_status status;
};

static tmsize_t on_read(thandle_t ctx, void *to, tmsize_t n)
{
    struct tiff_writer *w = ctx;
    size_t k = PL_MIN((size_t)n, w->out->len - w->first - w->pos);
    memcpy(to, w->out->s + w->first + w->pos, k);
    w->pos += k;
    return (tmsize_t)k;
}

/* Over what is there already, then behind it. */
static tmsize_t on_write(thandle_t ctx, void *from, tmsize_t n)
{
    struct tiff_writer *w = ctx;
    size_t over = PL_MIN((size_t)n, w->out->len - w->first - w->pos);
    if (over)
        memcpy(w->out->s + w->first + w->pos, from, over);
    pl_str_add(w->out, (const char *)from + over, (size_t)n - over);
    if (w->out->failed)
        return -1;
    w->pos += (size_t)n;
    return n;
}

static toff_t on_seek(thandle_t ctx, toff_t to, int whence)
{
    struct tiff_writer *w = ctx;
    size_t n = w->out->len - w->first;
    toff_t at = to + (whence == SEEK_SET ? 0 : whence == SEEK_CUR ? w->pos : n);
    static const char zeros[1] = {0};
    while (at > w->out->len - w->first && !w->out->failed) /* a byte, to an even place */
        pl_str_add(w->out, zeros, 1);
    w->pos = w->out->failed ? w->pos : (size_t)at;
    return w->pos;
}

static int on_close(thandle_t ctx PL_UNUSED)
{
    return 0;
}

static toff_t on_size(thandle_t ctx)
{
    const struct tiff_writer *w = ctx;
    return w->out->len - w->first;
}

static PL_PRINTF(4, 0) int on_error(TIFF *tif PL_UNUSED, void *ctx, const char *where PL_UNUSED,
                                    const char *fmt, va_list args)
{
    struct tiff_writer *w = ctx;
    char text[160];
    vsnprintf(text, sizeof(text), fmt, args);
    if (!w->status && !w->out->failed)
        w->status = pl_fail(w->err, PLATEN_ERR_INTERNAL, "libtiff: %s", text);
    return 1;
}

static int on_warning(TIFF *tif PL_UNUSED, void *ctx PL_UNUSED, const char *where PL_UNUSED,
                      const char *fmt PL_UNUSED, va_list args PL_UNUSED)
{
    return 1;
}

static TIFF *open_writer(struct tiff_writer *w)
{
    TIFFOpenOptions *o = TIFFOpenOptionsAlloc();
    if (!o)
        return NULL;
    TIFFOpenOptionsSetErrorHandlerExtR(o, on_error, w);
    TIFFOpenOptionsSetWarningHandlerExtR(o, on_warning, w);
    TIFF *t = TIFFClientOpenExt("", "wl", w, on_read, on_write, on_seek, on_close, on_size, NULL,
                                NULL, o);
    TIFFOpenOptionsFree(o);
    return t;
}

/* The predictor works in the row that it is given, so that rows are copies. */
static size_t row_bytes_of(const struct pl_image *im)
{
    return im->bilevel ? ((size_t)im->width + 7) / 8 : (size_t)im->width * (size_t)im->format;
}

static void set_fields(TIFF *t, const struct pl_image *im)
{
    uint32_t rows =
        (uint32_t)PL_MIN(PL_MAX(STRIP_BYTES / row_bytes_of(im), (size_t)1), (size_t)im->height);
    TIFFSetField(t, TIFFTAG_IMAGEWIDTH, (uint32_t)im->width);
    TIFFSetField(t, TIFFTAG_IMAGELENGTH, (uint32_t)im->height);
    TIFFSetField(t, TIFFTAG_BITSPERSAMPLE, im->bilevel ? 1 : 8);
    TIFFSetField(t, TIFFTAG_SAMPLESPERPIXEL, (int)im->format);
    TIFFSetField(t, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(t, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    TIFFSetField(t, TIFFTAG_PHOTOMETRIC,
                 im->bilevel             ? PHOTOMETRIC_MINISWHITE
                 : im->format == PL_RGB8 ? PHOTOMETRIC_RGB
                                         : PHOTOMETRIC_MINISBLACK);
    TIFFSetField(t, TIFFTAG_COMPRESSION,
                 im->bilevel ? COMPRESSION_CCITTFAX4 : COMPRESSION_ADOBE_DEFLATE);
    if (!im->bilevel) {
        TIFFSetField(t, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
        TIFFSetField(t, TIFFTAG_ZIPQUALITY, 1);
    }
    /* one strip of bits: small, and some fax readers know no other */
    TIFFSetField(t, TIFFTAG_ROWSPERSTRIP, im->bilevel ? (uint32_t)im->height : rows);
    if (im->dpi_x > 0 && im->dpi_y > 0) {
        TIFFSetField(t, TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
        TIFFSetField(t, TIFFTAG_XRESOLUTION, (double)im->dpi_x);
        TIFFSetField(t, TIFFTAG_YRESOLUTION, (double)im->dpi_y);
    }
}

static bool write_rows(TIFF *t, const struct pl_image *im, uint8_t *copy)
{
    for (int y = 0; y < im->height; y++) {
        if (im->bilevel)
            pl_bits_pack(copy, pl_image_row(im, y), (size_t)im->width, 0xff);
        else
            memcpy(copy, pl_image_row(im, y), row_bytes_of(im));
        if (TIFFWriteScanline(t, copy, (uint32_t)y, 0) < 0)
            return false;
    }
    return TIFFFlushData(t);
}

/* Writes the whole file, all but its end, and leaves it open where that succeeds. */
static platen_status write_file(struct tiff_writer *w, const struct pl_image *im, TIFF **ret)
{
    uint8_t *copy = pl_alloc(row_bytes_of(im), 1);
    TIFF *t = copy ? open_writer(w) : NULL;
    bool ok = t != NULL;
    if (t) {
        set_fields(t, im);
        ok = write_rows(t, im, copy);
    }
    pl_free(copy);
    *ret = t;
    if (w->status)
        return w->status;
    return ok && !w->out->failed ? PLATEN_OK
                                 : pl_fail_nomem(w->err, w->out->len, "encoding a tiff");
}

platen_status pl_tiff_encode(const struct pl_image *im, struct pl_str *out,
                             struct platen_error *err)
{
    struct tiff_writer w = {.out = out, .first = out->len, .err = err};
    TIFF *t;
    platen_status s = write_file(&w, im, &t);
    if (t)
        TIFFClose(t);
    if (s || w.status)
        return s ? s : w.status;
    return out->failed ? pl_fail_nomem(err, out->len, "encoding a tiff") : PLATEN_OK;
}

/* ---- pages of a longer file ---- */

/* libtiff was asked for a file of 32 bits, the low byte first. */
void pl_tiff_set_place(uint8_t *at, uint32_t place)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(place >> 8 * i);
}

static void add_to_place(uint8_t *at, uint32_t by)
{
    pl_tiff_set_place(at, pl_le32(at) + by);
}

/* Bytes of a value of that type. */
static size_t bytes_of_type(unsigned type)
{
    return type == TIFF_RATIONAL ? 8 : type == TIFF_LONG ? 4 : type == TIFF_SHORT ? 2 : 1;
}

/* An entry of a directory: its tag, type and count, and its values or the place of them. */
static void move_entry(uint8_t *file, uint8_t *entry, uint32_t by)
{
    const unsigned tag = pl_le32(entry) & 0xffff, type = pl_le32(entry) >> 16;
    const uint32_t n = pl_le32(entry + 4);
    uint8_t *values = entry + 8;
    if (n * bytes_of_type(type) > 4) {
        values = file + pl_le32(values);
        add_to_place(entry + 8, by);
    }
    assert(tag != TIFFTAG_STRIPOFFSETS || type == TIFF_LONG);
    for (uint32_t i = 0; tag == TIFFTAG_STRIPOFFSETS && i < n; i++)
        add_to_place(values + 4 * i, by);
}

platen_status pl_tiff_move(uint8_t *file, size_t n, uint64_t by, uint32_t *ret_page,
                           size_t *ret_next, struct platen_error *err)
{
    if (n > UINT32_MAX || by > UINT32_MAX - n)
        return pl_fail(err, PLATEN_ERR_LIMIT, "a tiff cannot be longer than 4 GiB");
    const uint32_t directory = pl_le32(file + 4), entries = pl_le32(file + directory) & 0xffff;
    for (uint32_t i = 0; i < entries; i++)
        move_entry(file, file + directory + 2 + 12 * i, (uint32_t)by);
    *ret_page = directory + (uint32_t)by;
    *ret_next = directory + 2 + 12 * entries;
    return PLATEN_OK;
}

platen_status pl_fax_encode(const struct pl_image *im, struct pl_str *out, struct platen_error *err)
{
    struct pl_str file = {0};
    struct tiff_writer w = {.out = &file, .err = err};
    TIFF *t;
    uint64_t *at = NULL, *n = NULL;
    platen_status s = write_file(&w, im, &t);
    if (!s && TIFFGetField(t, TIFFTAG_STRIPOFFSETS, &at) &&
        TIFFGetField(t, TIFFTAG_STRIPBYTECOUNTS, &n) && at[0] + n[0] <= file.len)
        pl_str_add(out, file.s + at[0], n[0]);
    else if (!s)
        s = pl_fail(err, PLATEN_ERR_INTERNAL, "libtiff: no strip");
    if (t)
        TIFFClose(t);
    pl_str_done(&file);
    return s || !out->failed ? s : pl_fail_nomem(err, out->len, "encoding a fax");
}
