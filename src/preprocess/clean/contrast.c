/* SPDX-License-Identifier: BSD-2-Clause */
/* More contrast: the greys stretched to the whole range, or equalised in parts of the page with a
 * limit (CLAHE: K. Zuiderveld, Graphics Gems IV, 1994). */
#include <math.h>
#include <string.h>

#include "image/range.h"
#include "preprocess/ops.h"
#include "preprocess/clean/clean_tuning.def"

#define TILES 8 /* a side */

struct contrast_args {
    enum { STRETCH, CLAHE } method;
    double low, high, limit;
};

static const struct pl_param params[] = {
    {.name = "method",
     PL_PARAM(struct contrast_args, method),
     .choices = (const char *const[]){[STRETCH] = "stretch", [CLAHE] = "clahe", NULL},
     .help = "stretch: the darkest and the lightest quantile become black and white; clahe: 8 x 8 "
             "parts are equalised, without seams"},
    {.name = "low",
     PL_PARAM(struct contrast_args, low),
     .min = 0,
     .max = 49,
     .def = 0.5,
     .unit = "percent",
     .help = "stretch: so much of the page becomes black"},
    {.name = "high",
     PL_PARAM(struct contrast_args, high),
     .min = 0,
     .max = 49,
     .def = 5,
     .unit = "percent",
     .help = "stretch: so much of it becomes white"},
    {.name = "limit",
     PL_PARAM(struct contrast_args, limit),
     .min = 1,
     .max = 40,
     .def = 2,
     .help = "clahe: how steep the new greys may rise with the old ones"},
};

static void count_greys(const struct pl_env *env, const struct pl_image *im, struct pl_rect r,
                        uint32_t hist[256])
{
    memset(hist, 0, 256 * sizeof(*hist));
    for (int y = r.y0; y < r.y1; y++)
        env->k->hist_u8(hist, pl_image_row(im, y) + r.x0, (size_t)pl_rect_width(r));
}

static void stretch(const struct pl_env *env, const struct pl_image *im, double low, double high,
                    const struct pl_image *out)
{
    uint32_t hist[256];
    uint8_t lut[256];
    uint64_t n = (uint64_t)im->width * (uint64_t)im->height;
    count_greys(env, im, (struct pl_rect){0, 0, im->width, im->height}, hist);
    int lo = pl_gray_rank(hist, (uint64_t)((double)n * low / 100));
    int hi = pl_gray_rank(hist, n - 1 - (uint64_t)((double)(n - 1) * high / 100));
    for (int v = 0; v < 256; v++) /* a flat page stays as it is */
        lut[v] = (uint8_t)(hi > lo ? PL_CLAMP((v - lo) * 255 / (hi - lo), 0, 255) : v);
    for (int y = 0; y < im->height; y++)
        env->k->lut_u8(pl_image_row(out, y), pl_image_row(im, y), (size_t)im->width, lut);
}

struct contrast_tiles {
    int w, h;   /* of a tile in px */
    int nx, ny; /* tiles */
    uint8_t lut[TILES * TILES][256];
};

/* The cumulative histogram, cut off at `limit` times its mean, what was cut spread evenly. */
static void equalise(uint32_t hist[256], double limit, uint8_t lut[256])
{
    uint64_t n = 0, cut = 0, sum = 0;
    for (int v = 0; v < 256; v++)
        n += hist[v];
    uint32_t most = (uint32_t)PL_MAX(limit * (double)n / 256, 1.0);
    for (int v = 0; v < 256; v++)
        if (hist[v] > most) {
            cut += hist[v] - most;
            hist[v] = most;
        }
    for (int v = 0; v < 256; v++) {
        uint64_t below = sum * 256 + cut * (uint64_t)v;
        sum += hist[v];
        uint64_t upto = sum * 256 + cut * (uint64_t)(v + 1);
        lut[v] = (uint8_t)((below + upto) * 255 / (2 * 256 * n));
    }
}

static void plan_tiles(const struct pl_env *env, const struct pl_image *im, double limit,
                       struct contrast_tiles *t)
{
    t->w = PL_MAX((im->width + TILES - 1) / TILES, CLAHE_TILE_PX);
    t->h = PL_MAX((im->height + TILES - 1) / TILES, CLAHE_TILE_PX);
    t->nx = (im->width + t->w - 1) / t->w;
    t->ny = (im->height + t->h - 1) / t->h;
    for (int y = 0; y < t->ny; y++)
        for (int x = 0; x < t->nx; x++) {
            uint32_t hist[256];
            struct pl_rect r = {x * t->w, y * t->h, PL_MIN((x + 1) * t->w, im->width),
                                PL_MIN((y + 1) * t->h, im->height)};
            count_greys(env, im, r, hist);
            equalise(hist, limit, t->lut[y * t->nx + x]);
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

static void clahe(const struct pl_env *env, const struct pl_image *im, double limit,
                  const struct pl_image *out)
{
    struct contrast_tiles t;
    plan_tiles(env, im, limit, &t);
    for (int y = 0; y < im->height; y++) {
        const uint8_t *src = pl_image_row(im, y);
        uint8_t *dst = pl_image_row(out, y);
        int ty[2], tx[2], fy = neighbours(y, t.h, t.ny, ty);
        for (int x = 0; x < im->width; x++) {
            int fx = neighbours(x, t.w, t.nx, tx), v = src[x];
            int a =
                t.lut[ty[0] * t.nx + tx[0]][v] * (256 - fx) + t.lut[ty[0] * t.nx + tx[1]][v] * fx;
            int b =
                t.lut[ty[1] * t.nx + tx[0]][v] * (256 - fx) + t.lut[ty[1] * t.nx + tx[1]][v] * fx;
            dst[x] = (uint8_t)((a * (256 - fy) + b * fy + 32768) >> 16);
        }
    }
}

static platen_status contrast_run(const struct pl_env *env, struct pl_page_image *page,
                                  const void *args, struct platen_error *err)
{
    const struct contrast_args *a = args;
    if (page->image.bilevel)
        return PLATEN_OK;
    platen_status s = pl_page_make_gray(env, page, err);
    pl_auto_image out = {0};
    const struct pl_image *im = &page->image;
    if (!s)
        s = pl_image_init(env, im->width, im->height, PL_GRAY8, &out, err);
    if (s)
        return s;
    out.dpi_x = im->dpi_x;
    out.dpi_y = im->dpi_y;
    if (a->method == CLAHE)
        clahe(env, im, a->limit, &out);
    else
        stretch(env, im, a->low, a->high, &out);
    pl_page_image_replace(page, &out);
    return PLATEN_OK;
}

const struct pl_preprocess_op pl_op_contrast = {
    .info = {"contrast", "spreads the greys of the page (made grey)",
             PL_TAKES(params, struct contrast_args)},
    .run = contrast_run,
};
