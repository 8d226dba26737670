/* SPDX-License-Identifier: BSD-2-Clause */
/* Palettes of PNG and TIFF: indices to grey or colour. */
#ifndef PL_CODEC_PALETTE_H
#define PL_CODEC_PALETTE_H

#include "image/image.h"

struct pl_palette {
    uint8_t colors[256][3]; /* over white */
    uint8_t grays[256];
    int n;
    bool gray;    /* no entry has colour */
    bool bilevel; /* every entry is black or white */
};

/* Makes a palette of the first n entries rgba[4i..4i+3], n <= 256, behind which there are zeros;
 * rgba is overwritten. */
void pl_palette_init(const struct pl_env *env, uint8_t rgba[256 * 4], int n,
                     struct pl_palette *ret);
/* Fills row y of im, which is grey or in colour, from its indices. */
void pl_palette_row(const struct pl_env *env, const struct pl_palette *p, struct pl_image *im,
                    int y, const uint8_t *indices);

#endif
