/* SPDX-License-Identifier: BSD-2-Clause */
/* Boxes, of which files of JPEG 2000 (ITU-T T.800, annex I.4) and HEIF (ISO/IEC 14496-12, 4.2)
 * consist. Nothing outside src/codec includes this. */
#ifndef PL_CODEC_BOXES_H
#define PL_CODEC_BOXES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pl_box {
    const uint8_t *type, *data; /* four letters, and what the box holds */
    size_t n;                   /* bytes of data */
};

/* Takes the box at *at, at most n, and goes on behind it; returns false where none is whole. */
bool pl_box_next(const uint8_t *d, size_t n, size_t *at, struct pl_box *ret);

bool pl_box_is(const struct pl_box *b, const char *type);

#endif
