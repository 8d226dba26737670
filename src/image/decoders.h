/* The decoders behind pl_image_load(), one per library, and the parts that they share. */
#ifndef PL_IMAGE_DECODERS_H
#define PL_IMAGE_DECODERS_H

#include "image/codec.h"

typedef platen_status pl_decode_fn(const struct pl_env *env, const uint8_t *data, size_t n,
                                   const struct pl_load_options *opt, struct pl_image *ret,
                                   struct platen_error *err);
typedef platen_status pl_probe_fn(const uint8_t *data, size_t n, struct pl_image_info *ret,
                                  struct platen_error *err);

pl_decode_fn pl_png_decode, pl_jpeg_decode, pl_stb_decode;
pl_probe_fn pl_png_probe, pl_jpeg_probe, pl_stb_probe;

/* PLATEN_ERR_LIMIT when width x height is more than max_pixels, or a side is beyond INT32_MAX / 8.
 */
PL_MUST_USE platen_status pl_check_size(uint64_t width, uint64_t height, uint64_t max_pixels,
                                        struct platen_error *err);

/* One row of `channels` (1 grey, 2 grey + alpha, 3 RGB, 4 RGBA) interleaved bytes into a row of
 * `format`; alpha goes over white, rounded to nearest. src may be overwritten. */
void pl_convert_row(const struct pl_kernels *k, uint8_t *dst, enum pl_format format, uint8_t *src,
                    int channels, size_t width);

/* What EXIF says; 0 = nothing. orientation is 1..8 (Exif 2.3, tag 0x0112). */
struct pl_exif {
    int orientation;
    float dpi_x, dpi_y;
};

/* Reads a TIFF-structured EXIF block (without the "Exif\0\0" in front). Damage is ignored: what was
 * found up to there counts. */
struct pl_exif pl_exif_parse(const uint8_t *data, size_t n);

/* Turns *im as EXIF orientation 1..8 asks, replacing it. */
PL_MUST_USE platen_status pl_orient(const struct pl_env *env, struct pl_image *im, int orientation,
                                    struct platen_error *err);

#endif
