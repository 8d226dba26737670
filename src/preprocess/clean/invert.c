/* SPDX-License-Identifier: BSD-2-Clause */
/* Light text on a dark page or in dark boxes, made dark on light. */
#include <string.h>

#include "preprocess/ops.h"
#include "preprocess/clean/reverse.h"
#include "preprocess/clean/clean_tuning.def"

#define TILES 16 /* a side */
#define STEP 2   /* every second row is looked at */

struct invert_args {
    enum { AUTO, ALWAYS, NEVER } mode;
};

static const struct pl_param params[] = {
    {.name = "mode",
     PL_PARAM(struct invert_args, mode),
     .choices =
         (const char *const[]){[AUTO] = "auto", [ALWAYS] = "always", [NEVER] = "never", NULL},
     .help = "auto: the page if most of it is light text on dark, and dark boxes with light text"},
};

static int quantile(const uint32_t hist[256], uint32_t rank)
{
    uint32_t seen = 0;
    int v = 0;
    while (v < 255 && (seen += hist[v]) <= rank)
        v++;
    return v;
}

/* Crossings of the middle level along the rows: print has many, pictures and shadows few. */
static uint32_t crossings(const struct pl_image *tile, int middle)
{
    uint32_t n = 0;
    for (int y = 0; y < tile->height; y += STEP) {
        const uint8_t *p = pl_image_row(tile, y);
        for (int x = 1; x < tile->width; x++)
            n += (p[x] > middle) != (p[x - 1] > middle);
    }
    return n;
}

/* Positive when the tile shows light on dark, negative when dark on light, by its amount of print.
 */
static int64_t tile_vote(const struct pl_env *env, const struct pl_image *tile)
{
    uint32_t hist[256] = {0}, above = 0, rows = (uint32_t)(tile->height + STEP - 1) / STEP;
    uint32_t total = rows * (uint32_t)tile->width;
    env->k->hist_u8(hist, tile->px, STEP * tile->stride_bytes, (size_t)tile->width, rows);
    int lo = quantile(hist, total / INVERT_QUANTILE),
        hi = quantile(hist, total - total / INVERT_QUANTILE - 1);
    /* sparse print does not reach the quantiles: the extremes decide whether there is any */
    if (hi - lo < INVERT_CONTRAST) {
        lo = quantile(hist, total / SPARSE_QUANTILE);
        hi = quantile(hist, total - total / SPARSE_QUANTILE - 1);
    }
    if (hi - lo < INVERT_CONTRAST)
        return 0;
    int middle = (lo + hi) / 2;
    for (int v = middle + 1; v < 256; v++)
        above += hist[v];
    int64_t print = crossings(tile, middle);
    return above * 2 > total ? -print : print;
}

static bool is_light_on_dark(const struct pl_env *env, const struct pl_image *im)
{
    int64_t vote = 0;
    int tw = PL_MAX((im->width + TILES - 1) / TILES, INVERT_TILE_PX);
    int th = PL_MAX((im->height + TILES - 1) / TILES, INVERT_TILE_PX);
    for (int y = 0; y < im->height; y += th)
        for (int x = 0; x < im->width; x += tw) {
            struct pl_rect r = {x, y, PL_MIN(x + tw, im->width), PL_MIN(y + th, im->height)};
            pl_auto_image tile = pl_image_view(im, r);
            vote += tile_vote(env, &tile);
        }
    return vote > 0;
}

/* A picture of its own with the parts inverted that lie in boxes[0..n). */
static platen_status invert(const struct pl_env *env, const struct pl_rect *boxes, size_t n,
                            struct pl_image *im, struct platen_error *err)
{
    pl_auto_image out = {0};
    size_t px_bytes = (size_t)im->format;
    platen_status s = pl_image_init(env, im->width, im->height, im->format, &out, err);
    if (s)
        return s;
    for (int y = 0; y < im->height; y++)
        memcpy(pl_image_row(&out, y), pl_image_row(im, y), (size_t)im->width * px_bytes);
    for (size_t i = 0; i < n; i++)
        for (int y = boxes[i].y0; y < boxes[i].y1; y++) {
            uint8_t *p = pl_image_row(&out, y) + (size_t)boxes[i].x0 * px_bytes;
            env->k->invert_u8(p, p, (size_t)pl_rect_width(boxes[i]) * px_bytes);
        }
    out.bilevel = im->bilevel;
    out.dpi_x = im->dpi_x;
    out.dpi_y = im->dpi_y;
    pl_image_done(im);
    *im = pl_image_ref(&out);
    return PLATEN_OK;
}

static platen_status invert_page(const struct pl_env *env, const struct pl_rect *boxes, size_t n,
                                 struct pl_page_image *page, struct platen_error *err)
{
    if (!n)
        return PLATEN_OK;
    pl_page_image_forget_ink(page);
    platen_status s = invert(env, boxes, n, &page->image, err);
    return !s && page->gray.store ? invert(env, boxes, n, &page->gray, err) : s;
}

static platen_status invert_run(const struct pl_env *env, struct pl_page_image *page,
                                const void *args, struct platen_error *err)
{
    const struct invert_args *a = args;
    struct pl_rect whole = {0, 0, page->image.width, page->image.height};
    if (a->mode == NEVER)
        return PLATEN_OK;
    if (a->mode == ALWAYS)
        return invert_page(env, &whole, 1, page, err);
    struct pl_reverse reverse;
    pl_auto_image gray = {0};
    platen_status s = pl_page_image_gray(env, page, &gray, err);
    if (!s && is_light_on_dark(env, &gray)) {
        s = invert_page(env, &whole, 1, page, err);
        pl_image_done(&gray);
        s = s ? s : pl_page_image_gray(env, page, &gray, err);
    }
    s = s ? s : pl_reverse_find(env, &gray, &reverse, err);
    return s ? s : invert_page(env, reverse.box, reverse.n, page, err);
}

const struct pl_preprocess_op pl_op_invert = {
    .info = {"invert", "turns light text on dark into dark on light",
             PL_TAKES(params, struct invert_args)},
    .color = true,
    .px_bytes = 6,
    .run = invert_run,
};
