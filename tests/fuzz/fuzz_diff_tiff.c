/* SPDX-License-Identifier: BSD-2-Clause */
/* The first page of a TIFF beside TIFFReadRGBAImage.
 *
 * Allowed: libtiff goes on behind damage with a message, where ours refuses; it cuts 16-bit samples
 * of grey and of palettes, and rounds once more where alpha is multiplied in: one step of 255.
 * Extra samples that are no alpha, and alpha beside grey, are shown by it as they come: sizes alone
 * are compared. */
#include <tiffio.h>

#include "diff_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

struct reader {
    const uint8_t *data;
    size_t n, pos;
    struct other other;
};

static tmsize_t on_read(thandle_t ctx, void *to, tmsize_t n)
{
    struct reader *r = ctx;
    size_t k = PL_MIN((size_t)n, r->n - r->pos);
    memcpy(to, r->data + r->pos, k);
    r->pos += k;
    return (tmsize_t)k;
}

static tmsize_t on_write(thandle_t ctx, void *from, tmsize_t n)
{
    (void)ctx, (void)from, (void)n;
    return -1;
}

static toff_t on_seek(thandle_t ctx, toff_t to, int whence)
{
    struct reader *r = ctx;
    toff_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? r->pos : r->n;
    r->pos = (size_t)PL_MIN(base + to, (toff_t)r->n);
    return base + to > r->n ? (toff_t)-1 : r->pos;
}

static int on_close(thandle_t ctx)
{
    (void)ctx;
    return 0;
}

static toff_t on_size(thandle_t ctx)
{
    const struct reader *r = ctx;
    return r->n;
}

__attribute__((format(printf, 4, 0))) static int on_message(TIFF *tif, void *ctx, const char *where,
                                                            const char *fmt, va_list args)
{
    struct reader *r = ctx;
    (void)tif, (void)where;
    r->other.forgiving = true;
    vsnprintf(r->other.why, sizeof(r->other.why), fmt, args);
    return 1;
}

static TIFF *open_other(struct reader *r)
{
    TIFFOpenOptions *o = TIFFOpenOptionsAlloc();
    if (!o)
        return NULL;
    TIFFOpenOptionsSetMaxSingleMemAlloc(o, 1 << 26);
    TIFFOpenOptionsSetErrorHandlerExtR(o, on_message, r);
    TIFFOpenOptionsSetWarningHandlerExtR(o, on_message, r);
    TIFF *tif = TIFFClientOpenExt("", "rm", r, on_read, on_write, on_seek, on_close, on_size, NULL,
                                  NULL, o);
    TIFFOpenOptionsFree(o);
    return tif;
}

/* The first directory that is neither thumbnail nor mask. */
static bool find_page(TIFF *tif)
{
    for (;;) {
        uint32_t kind = 0;
        TIFFGetField(tif, TIFFTAG_SUBFILETYPE, &kind);
        if (!(kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)))
            return true;
        if (!TIFFReadDirectory(tif))
            return false;
    }
}

/* How far pixels may differ, by what the directory says. */
static void allow(TIFF *tif, struct other *o)
{
    uint16_t bits, samples, photometric = PHOTOMETRIC_MINISBLACK, n_extra = 0, *extra = NULL;
    TIFFGetFieldDefaulted(tif, TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetFieldDefaulted(tif, TIFFTAG_SAMPLESPERPIXEL, &samples);
    TIFFGetFieldDefaulted(tif, TIFFTAG_EXTRASAMPLES, &n_extra, &extra);
    TIFFGetField(tif, TIFFTAG_PHOTOMETRIC, &photometric);
    int colors = photometric == PHOTOMETRIC_RGB || photometric == PHOTOMETRIC_YCBCR          ? 3
                 : photometric == PHOTOMETRIC_SEPARATED || photometric == PHOTOMETRIC_CIELAB ? 4
                                                                                             : 1;
    bool alpha = n_extra == 1 && extra[0] != EXTRASAMPLE_UNSPECIFIED && samples == colors + 1;
    o->most = bits == 16 || alpha || photometric == PHOTOMETRIC_PALETTE;
    o->unlike = samples > colors && !(alpha && colors == 3);
}

/* libtiff refuses strips of a vertical subsampling of 0 whatever their colours are. Only to YCbCr
 * does it mean something. */
static bool is_refused_for_nothing(TIFF *tif)
{
    uint16_t photometric = PHOTOMETRIC_MINISBLACK, across, down;
    TIFFGetField(tif, TIFFTAG_PHOTOMETRIC, &photometric);
    TIFFGetFieldDefaulted(tif, TIFFTAG_YCBCRSUBSAMPLING, &across, &down);
    return photometric != PHOTOMETRIC_YCBCR && !down;
}

/* False when the picture is larger than ours may be, or of a kind that libtiff does not convert. */
static bool read_other(struct reader *r, TIFF *tif)
{
    char why[1024] = "";
    uint32_t width = 0, height = 0;
    if (!find_page(tif) || !TIFFGetField(tif, TIFFTAG_IMAGEWIDTH, &width) ||
        !TIFFGetField(tif, TIFFTAG_IMAGELENGTH, &height))
        return true;
    if ((uint64_t)width * height > MAX_PIXELS || !TIFFRGBAImageOK(tif, why) ||
        is_refused_for_nothing(tif))
        return false;
    allow(tif, &r->other);
    TIFFSetField(tif, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    size_t pixels = (size_t)width * height;
    uint32_t *raster = malloc(pixels * 4 + 1);
    uint8_t *rgb = malloc(pixels * 3 + 1);
    if (raster && rgb &&
        TIFFReadRGBAImageOriented(tif, width, height, raster, ORIENTATION_TOPLEFT, 1)) {
        for (size_t i = 0; i < pixels; i++) {
            unsigned white = 255 - TIFFGetA(raster[i]);
            rgb[3 * i] = (uint8_t)PL_MIN(TIFFGetR(raster[i]) + white, 255u);
            rgb[3 * i + 1] = (uint8_t)PL_MIN(TIFFGetG(raster[i]) + white, 255u);
            rgb[3 * i + 2] = (uint8_t)PL_MIN(TIFFGetB(raster[i]) + white, 255u);
        }
        r->other.rgb = rgb;
        r->other.width = (int)width;
        r->other.height = (int)height;
    } else {
        free(rgb);
    }
    free(raster);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct reader r = {.data = data, .n = n};
    if (n < 4 || (memcmp(data, "II", 2) && memcmp(data, "MM", 2)))
        return 0;
    TIFF *tif = open_other(&r);
    bool fits = !tif || read_other(&r, tif);
    if (tif)
        TIFFClose(tif);
    if (fits)
        compare_decoders(pl_tiff_decode, data, n, &r.other);
    return 0;
}
