/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/palette.h"

#include <string.h>

#include "codec/decode.h"

void pl_palette_init(const struct pl_env *env, uint8_t rgba[256 * 4], int n, struct pl_palette *ret)
{
    struct pl_palette *p = ret;
    *p = (struct pl_palette){.n = n, .gray = true, .bilevel = true};
    struct pl_image line = {.px = p->colors[0], .width = 256, .height = 1, .format = PL_RGB8};
    pl_rows_put(env, &line, 0, rgba, 4);
    for (int i = 0; i < n; i++) {
        const uint8_t *c = p->colors[i];
        p->gray = p->gray && c[0] == c[1] && c[1] == c[2];
        p->bilevel = p->bilevel && p->gray && (c[0] == 0 || c[0] == 255);
    }
    env->k->gray_rgb(p->grays, p->colors[0], 256);
}

void pl_palette_row(const struct pl_env *env, const struct pl_palette *p, struct pl_image *im,
                    int y, const uint8_t *indices)
{
    uint8_t *to = pl_image_row(im, y);
    size_t n = (size_t)im->width;
    if (im->format == PL_GRAY8)
        env->k->lut_u8(to, indices, n, p->grays);
    else
        for (size_t x = 0; x < n; x++)
            memcpy(to + 3 * x, p->colors[indices[x]], 3);
}
