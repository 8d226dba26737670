/* SPDX-License-Identifier: BSD-2-Clause */
/* TIFF of YCbCr, CMYK, Lab and separate planes. */
#include "codec/tiff/tiff_reader.h"

#include "base/mem.h"

/* A pixel of libtiff's, its alpha multiplied in already, over white. */
static inline uint8_t over_white(uint32_t c, uint32_t a)
{
    return (uint8_t)PL_MIN(c + 255 - a, 255u);
}

/* Rows y.. of the band that libtiff gave upside down: `rows` of them, `stride` pixels each. */
static void put_band(const struct pl_env *env, struct pl_image *im, int x, int y, int width,
                     int rows, const uint32_t *band, size_t stride, int lines, uint8_t *row)
{
    for (int i = 0; i < rows; i++) {
        const uint32_t *from = band + (size_t)(lines - 1 - i) * stride;
        for (int k = 0; k < width; k++) {
            uint32_t a = TIFFGetA(from[k]);
            row[3 * k] = over_white(TIFFGetR(from[k]), a);
            row[3 * k + 1] = over_white(TIFFGetG(from[k]), a);
            row[3 * k + 2] = over_white(TIFFGetB(from[k]), a);
        }
        struct pl_image part = *im;
        part.px = pl_image_row(im, y + i) + (size_t)x * (size_t)im->format;
        part.width = width;
        pl_rows_put(env, &part, 0, row, 3);
    }
}

/* Strips are tiles as wide as the picture. */
static void read_tiles(struct tiff_reader *r, const struct pl_env *env, struct pl_image *im,
                       uint32_t tile_w, uint32_t tile_h, uint32_t *band, uint8_t *row)
{
    bool tiled = TIFFIsTiled(r->tif);
    for (uint32_t y = 0; y < r->height; y += tile_h)
        for (uint32_t x = 0; x < r->width; x += tile_w) {
            uint32_t w = PL_MIN(tile_w, r->width - x), h = PL_MIN(tile_h, r->height - y);
            int ok = tiled ? TIFFReadRGBATileExt(r->tif, x, y, band, 1)
                           : TIFFReadRGBAStripExt(r->tif, y, band, 1);
            if (!ok || r->status) {
                pl_tiff_lose(r, im, (struct pl_rect){(int)x, (int)y, (int)(x + w), (int)(y + h)});
                continue;
            }
            put_band(env, im, (int)x, (int)y, (int)w, (int)h, band, tile_w,
                     (int)(tiled ? tile_h : h), row);
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
    read_tiles(r, src->env, im, tile_w, tile_h, band, (uint8_t *)(band + pixels));
    pl_bufpool_put(src->env->bufs, band, bytes);
    return PLATEN_OK;
}
