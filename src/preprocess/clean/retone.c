/* SPDX-License-Identifier: BSD-2-Clause */
#include "preprocess/clean/retone.h"

#include "preprocess/ops.h"
#include "preprocess/clean/clean_tuning.def"

struct retone_tiles {
    int w, h;   /* of a tile in px */
    int nx, ny; /* tiles */
    uint8_t lut[PL_RETONE_MAX_TILES * PL_RETONE_MAX_TILES][256];
};

static void plan_tiles(const struct pl_env *env, const struct pl_image *im, int tiles,
                       pl_retone_fn *fn, const void *args, struct retone_tiles *t)
{
    t->w = PL_MAX((im->width + tiles - 1) / tiles, RETONE_TILE_PX);
    t->h = PL_MAX((im->height + tiles - 1) / tiles, RETONE_TILE_PX);
    t->nx = (im->width + t->w - 1) / t->w;
    t->ny = (im->height + t->h - 1) / t->h;
    for (int y = 0; y < t->ny; y++)
        for (int x = 0; x < t->nx; x++) {
            uint32_t hist[256] = {0};
            struct pl_rect r = {x * t->w, y * t->h, PL_MIN((x + 1) * t->w, im->width),
                                PL_MIN((y + 1) * t->h, im->height)};
            env->k->hist_u8(hist, pl_image_row(im, r.y0) + r.x0, im->stride_bytes,
                            (size_t)pl_rect_width(r), (size_t)pl_rect_height(r));
            fn(hist, args, t->lut[y * t->nx + x]);
        }
}

/* The two tiles whose middles are around p, and the second one's weight of 256. */
static int neighbours(int p, int side, int n, int ret[2])
{
    int pos = PL_MAX((2 * p + 1) * 128 / side - 128, 0);
    ret[0] = PL_MIN(pos >> 8, n - 1);
    ret[1] = PL_MIN(ret[0] + 1, n - 1);
    return pos & 255;
}

static void interpolate(const struct retone_tiles *t, const struct pl_image *im,
                        const struct pl_image *out)
{
    for (int y = 0; y < im->height; y++) {
        const uint8_t *src = pl_image_row(im, y);
        uint8_t *dst = pl_image_row(out, y);
        int ty[2], tx[2], fy = neighbours(y, t->h, t->ny, ty);
        for (int x = 0; x < im->width; x++) {
            int fx = neighbours(x, t->w, t->nx, tx), v = src[x];
            int a = t->lut[ty[0] * t->nx + tx[0]][v] * (256 - fx) +
                    t->lut[ty[0] * t->nx + tx[1]][v] * fx;
            int b = t->lut[ty[1] * t->nx + tx[0]][v] * (256 - fx) +
                    t->lut[ty[1] * t->nx + tx[1]][v] * fx;
            dst[x] = (uint8_t)((a * (256 - fy) + b * fy + 32768) >> 16);
        }
    }
}

platen_status pl_page_retone(const struct pl_env *env, struct pl_page_image *page, int tiles,
                             pl_retone_fn *fn, const void *args, struct platen_error *err)
{
    assert(tiles > 0 && tiles <= PL_RETONE_MAX_TILES);
    if (page->image.bilevel)
        return PLATEN_OK;
    platen_status s = pl_page_make_gray(env, page, err);
    pl_auto_image out = {0};
    const struct pl_image *im = &page->image;
    s = s ? s : pl_image_init(env, im->width, im->height, PL_GRAY8, &out, err);
    if (s)
        return s;
    out.dpi_x = im->dpi_x;
    out.dpi_y = im->dpi_y;
    struct retone_tiles t;
    plan_tiles(env, im, tiles, fn, args, &t);
    if (t.nx * t.ny > 1)
        interpolate(&t, im, &out);
    else
        for (int y = 0; y < im->height; y++)
            env->k->lut_u8(pl_image_row(&out, y), pl_image_row(im, y), (size_t)im->width, t.lut[0]);
    pl_page_image_replace(page, &out);
    return PLATEN_OK;
}
