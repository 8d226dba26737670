/* SPDX-License-Identifier: BSD-2-Clause */
/* A page of a TIFF while it is read; between tiff.c, tiff_converted.c and tiff_damage.c. */
#ifndef PL_CODEC_TIFF_TIFF_READER_H
#define PL_CODEC_TIFF_TIFF_READER_H

#include <tiffio.h>

#include "codec/decode.h"

struct tiff_reader {
    const uint8_t *data;
    size_t n, pos;
    TIFF *tif;
    uint64_t max_pixels, most_bytes; /* of one buffer */
    struct platen_error err;
    platen_status status;    /* of the first message since it was cleared, which is in err */
    struct platen_error why; /* of the first damage of the pixels */
    uint32_t lost, lost_end; /* rows that cannot be read; where the last of them ends */
    uint64_t salvaged_bytes; /* of strips that were read a second time */
    uint32_t width, height;
    uint16_t bits, samples, photometric, planar, format, compression;
    uint16_t alpha; /* EXTRASAMPLE_... of the last sample; 0 = it is no alpha */
};

static inline bool pl_tiff_is_gray(const struct tiff_reader *r)
{
    return r->photometric == PHOTOMETRIC_MINISBLACK || r->photometric == PHOTOMETRIC_MINISWHITE;
}

/* Fails as libtiff said it: mostly with a message, which was kept. */
PL_MUST_USE platen_status pl_tiff_fail(struct tiff_reader *r);

/* Notes damage of pixels, for the reason of the last message. */
void pl_tiff_note_damage(struct tiff_reader *r);

/* Gives up a part of the picture, which becomes white, for the reason of the last message. */
void pl_tiff_lose(struct tiff_reader *r, struct pl_image *im, struct pl_rect part);

/* Reads a picture by libtiff's own conversion to RGBA, a strip or tile at a time. */
PL_MUST_USE platen_status pl_tiff_read_converted(struct tiff_reader *r, const struct pl_source *src,
                                                 struct pl_image *im);

#endif
