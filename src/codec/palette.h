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

/* The first n of rgba[4i..4i+3], which are used up; n <= 256. */
void pl_palette_init(const struct pl_env *env, uint8_t rgba[256 * 4], int n,
                     struct pl_palette *ret);
/* Row y of im, grey or colour as im is, from its indices. */
void pl_palette_row(const struct pl_env *env, const struct pl_palette *p, struct pl_image *im,
                    int y, const uint8_t *indices);

#endif
