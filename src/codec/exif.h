/* SPDX-License-Identifier: BSD-2-Clause */
/* The three facts that platen takes from EXIF (CIPA DC-008, on the TIFF 6.0 structure). */
#ifndef PL_CODEC_EXIF_H
#define PL_CODEC_EXIF_H

#include <stddef.h>
#include <stdint.h>

struct pl_exif {
    int orientation;    /* 1..8; 1 where the file says nothing or nonsense */
    float dpi_x, dpi_y; /* 0 = unknown */
};

/* Reads the first directory of a TIFF structure ("II*\0" or "MM\0*" at its start). Damage is not an
 * error: what cannot be read stays at its default. */
struct pl_exif pl_exif_parse(const uint8_t *tiff, size_t n);

#endif
