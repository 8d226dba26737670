/* Pictures from and to bytes. Formats are recognised by content, never by name. */
#ifndef PL_IMAGE_CODEC_H
#define PL_IMAGE_CODEC_H

#include "base/text.h"
#include "image/image.h"

struct pl_load_options {
    bool gray;           /* only grey is needed: JPEG gives its luma plane without conversion */
    uint64_t max_pixels; /* width * height above this is PLATEN_ERR_LIMIT, before any allocation */
    int page;            /* from 1; 0 = the file must hold one alone */
    bool mapped;         /* the data is a mapped file: what was read need not stay in memory */
};

/* Decodes data[0..n): PNG (ISA-L and kernels, or libpng), JPEG (libjpeg-turbo), what stb_image
 * reads beside them (BMP, GIF, PSD, TGA, PNM, HDR to 8 bits), and TIFF (libtiff), WebP (libwebp)
 * and JPEG 2000 (OpenJPEG) where the build has them. EXIF orientation is applied, alpha goes over
 * white, 16 bits become 8 (rounded), palettes and 1-bit pictures are expanded; a file without
 * colour, or any file with opt->gray, gives PL_GRAY8; dpi and bilevel are set where the file tells.
 * A file that is truncated or damaged is an error, never a partly grey picture. PLATEN_ERR_FORMAT,
 * _UNSUPPORTED, _LIMIT or _NOMEM; the text says what is wrong
 * ("truncated at byte 812"), not the file's name. */
PL_MUST_USE platen_status pl_image_load(const struct pl_env *env, const uint8_t *data, size_t n,
                                        const struct pl_load_options *opt, struct pl_image *ret,
                                        struct platen_error *err);

/* Whether data[0..n) begins like a file of one of these formats. */
bool pl_image_known(const uint8_t *data, size_t n);

/* How many pages data[0..n) holds, without decoding them: 1 for every format but TIFF, whose
 * thumbnails and masks do not count. Fails where nothing could be read at all. */
PL_MUST_USE platen_status pl_image_pages(const uint8_t *data, size_t n, int *ret,
                                         struct platen_error *err);

/* Size and kind from the header alone, for limits and schedules. */
struct pl_image_info {
    const char *format; /* "png", "jpeg", ... */
    int width, height;  /* as the file has it, before EXIF orientation */
    int channels;       /* 1 grey, 2 grey + alpha, 3 colour, 4 colour + alpha */
};

PL_MUST_USE platen_status pl_image_probe(const uint8_t *data, size_t n, struct pl_image_info *ret,
                                         struct platen_error *err);

/* EXIF orientation, 1..8, of a JPEG of one or three components: what other programs show as
 * pl_image_load() does. 0 for a JPEG of four, other formats and a header that cannot be read. */
int pl_jpeg_turn(const uint8_t *data, size_t n);

/* Appends a PNG: 1 bit when im->bilevel, else 8-bit grey or RGB; fast settings; dpi kept. */
PL_MUST_USE platen_status pl_png_encode(const struct pl_image *im, struct pl_str *out,
                                        struct platen_error *err);
/* Appends a TIFF: fax group 4 when im->bilevel, else 8-bit grey or RGB, deflated; dpi kept. Only
 * where the build has libtiff. */
PL_MUST_USE platen_status pl_tiff_encode(const struct pl_image *im, struct pl_str *out,
                                         struct platen_error *err);
/* Appends a raw PNM: PBM (P4) when im->bilevel, PGM (P5) when grey, else PPM (P6). */
PL_MUST_USE platen_status pl_pnm_encode(const struct pl_image *im, struct pl_str *out,
                                        struct platen_error *err);

#endif
