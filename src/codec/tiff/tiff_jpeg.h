/* SPDX-License-Identifier: BSD-2-Clause */
/* JPEG in TIFF (compression 7 of Adobe's supplement of 2002): every strip is a JPEG, whose tables
 * may stand apart. They are put together without decoding. Nothing outside src/codec includes this.
 */
#ifndef PL_CODEC_TIFF_JPEG_H
#define PL_CODEC_TIFF_JPEG_H

#include "codec/stored.h"
#include "codec/tiff/tiff_fields.h"

/* Returns whether the page of that directory is such a picture, in grey, RGB or YCbCr, that one
 * JPEG can hold: one strip or tile, or strips that differ in their coded data alone, which become
 * the intervals between restarts. Where it is not, *ret is as it was. */
bool pl_tiff_jpeg_stored(const struct pl_tiff_file *f, uint64_t at,
                         const struct pl_tiff_directory *d, struct pl_stored *ret);
/* Appends the JPEG. */
void pl_tiff_put_jpeg(const struct pl_stored *p, struct pl_str *out);

#endif
