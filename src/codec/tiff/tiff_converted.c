/* SPDX-License-Identifier: BSD-2-Clause */
/* TIFF of YCbCr, CMYK, Lab and separate planes. */
#include "codec/tiff/tiff_reader.h"

#include "base/mem.h"

/* A pixel of libtiff's, its alpha multiplied in already, over white. */
static inline uint8_t over_white(uint32_t c, uint32_t a)
{
    return (uint8_t)PL_MIN(c + 255 - a, 255u);
}

/* A strip or tile as libtiff gives it, upside down. */
struct converted_band {
    uint32_t *px;
    uint32_t width, height; /* of a whole tile; strips are tiles as wide as the picture */
    uint8_t *row;           /* room for a row of it in RGB */
};

/* Puts rectangle `at` of the picture from the beginning of a band of `rows` rows. */
static void put_band(const struct pl_env *env, struct pl_image *im, struct pl_rect at,
                     const struct converted_band *b, uint32_t rows)
{
    const int width = pl_rect_width(at);
    for (int y = at.y0; y < at.y1; y++) {
        const uint32_t *from = b->px + (size_t)(rows - 1 - (uint32_t)(y - at.y0)) * b->width;
        for (int k = 0; k < width; k++) {
            uint32_t a = TIFFGetA(from[k]);
            b->row[3 * k] = over_white(TIFFGetR(from[k]), a);
            b->row[3 * k + 1] = over_white(TIFFGetG(from[k]), a);
            b->row[3 * k + 2] = over_white(TIFFGetB(from[k]), a);
        }
        struct pl_image part = *im;
        part.px = pl_image_row(im, y) + (size_t)at.x0 * (size_t)im->format;
        part.width = width;
        pl_rows_put(env, &part, 0, b->row, 3);
    }
}

static void read_tiles(struct tiff_reader *r, const struct pl_env *env, struct pl_image *im,
                       const struct converted_band *b)
{
    bool tiled = TIFFIsTiled(r->tif);
    for (uint32_t y = 0; y < r->height; y += b->height)
        for (uint32_t x = 0; x < r->width; x += b->width) {
            uint32_t w = PL_MIN(b->width, r->width - x), h = PL_MIN(b->height, r->height - y);
            const struct pl_rect at = {(int)x, (int)y, (int)(x + w), (int)(y + h)};
            int ok = tiled ? TIFFReadRGBATileExt(r->tif, x, y, b->px, 1)
                           : TIFFReadRGBAStripExt(r->tif, y, b->px, 1);
            if (!ok || r->status)
                pl_tiff_lose(r, im, at);
            else
                put_band(env, im, at, b, tiled ? b->height : h);
        }
}

platen_status pl_tiff_read_converted(struct tiff_reader *r, const struct pl_source *src,
                                     struct pl_image *im)
{
    char why[1024] = "";
    uint32_t tile_w = r->width, tile_h = r->height;
    const bool is_float = r->format == SAMPLEFORMAT_IEEEFP;
    const bool is_signed = r->format == SAMPLEFORMAT_INT && r->bits >= 8;
    const bool is_cmyk = r->photometric == PHOTOMETRIC_SEPARATED && r->bits == 16;
    if (r->bits > 16 || is_float || is_signed ||
        is_cmyk) /* libtiff takes signed samples for unsigned */
        return pl_fail(&r->err, PLATEN_ERR_UNSUPPORTED,
                       "a TIFF of %u-bit %ssamples: not supported; convert it to 8 bits", r->bits,
                       is_float    ? "float "
                       : is_signed ? "signed "
                       : is_cmyk   ? "CMYK "
                                   : "");
    if (!TIFFRGBAImageOK(r->tif, why))
        return pl_fail(&r->err, PLATEN_ERR_UNSUPPORTED, "tiff: %.120s", why);
    if (TIFFIsTiled(r->tif)) {
        TIFFGetField(r->tif, TIFFTAG_TILEWIDTH, &tile_w);
        TIFFGetField(r->tif, TIFFTAG_TILELENGTH, &tile_h);
    } else if (TIFFGetFieldDefaulted(r->tif, TIFFTAG_ROWSPERSTRIP, &tile_h)) {
        tile_h = PL_MIN(tile_h, r->height);
    }
    platen_status s = pl_limits_check(src->opt, tile_w, tile_h, &r->err);
    if (!s)
        s = pl_rows_init(src, (int)r->width, (int)r->height, pl_tiff_is_gray(r) ? 1 : 3, im,
                         &r->err);
    if (s)
        return s;
    size_t pixels = (size_t)tile_w * tile_h, bytes = pixels * 4 + (size_t)tile_w * 3;
    uint32_t *band = pl_bufpool_get(src->env->bufs, bytes);
    if (!band)
        return pl_fail_nomem(&r->err, bytes, "a strip of a tiff");
    read_tiles(r, src->env, im,
               &(struct converted_band){band, tile_w, tile_h, (uint8_t *)(band + pixels)});
    pl_bufpool_put(src->env->bufs, band, bytes);
    return PLATEN_OK;
}
