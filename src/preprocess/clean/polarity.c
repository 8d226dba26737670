/* SPDX-License-Identifier: BSD-2-Clause */
#include "preprocess/clean/polarity.h"

#include "preprocess/clean/clean_tuning.def"

#define TILES 16 /* a side */
#define STEP 2   /* every second row is looked at */
#define CROSSINGS_PX 256

static int quantile(const uint32_t hist[256], uint32_t rank)
{
    uint32_t seen = 0;
    int v = 0;
    while (v < 255 && (seen += hist[v]) <= rank)
        v++;
    return v;
}

/* Counts the greys of every STEP-th row of the tile. */
static void count_greys(const struct pl_env *env, const struct pl_image *tile, uint32_t rows,
                        uint32_t hist[256])
{
    const size_t width = (size_t)tile->width;
    if (!tile->bilevel) {
        env->k->hist_u8(hist, tile->px, STEP * tile->stride_bytes, width, rows);
        return;
    }
    for (uint32_t y = 0; y < rows; y++)
        hist[255] += (uint32_t)(env->k->sum_u8(pl_image_row(tile, (int)y * STEP), width) / 255);
    hist[0] = rows * (uint32_t)width - hist[255];
}

/* Crossings of a level in a row of n pixels, at most CROSSINGS_PX: a byte counts them, so that
 * vectors hold sixteen counters. */
static uint8_t row_crossings(const uint8_t *p, int n, uint8_t level)
{
    uint8_t count = 0;
    for (int x = 1; x < n; x++)
        count = (uint8_t)(count + ((p[x] > level) != (p[x - 1] > level)));
    return count;
}

/* Crossings of the middle level along the rows: print has many, pictures and shadows few. */
static uint32_t crossings(const struct pl_image *tile, uint8_t middle)
{
    uint32_t n = 0;
    for (int y = 0; y < tile->height; y += STEP) {
        const uint8_t *p = pl_image_row(tile, y);
        for (int x = 0; x + 1 < tile->width; x += CROSSINGS_PX - 1)
            n += row_crossings(p + x, PL_MIN(CROSSINGS_PX, tile->width - x), middle);
    }
    return n;
}

/* Positive when the tile shows light on dark, negative when dark on light, by its amount of print.
 * Gives the level between the two where there is print. */
static int64_t tile_vote(const struct pl_env *env, const struct pl_image *tile, uint8_t *ret_level)
{
    uint32_t hist[256] = {0}, above = 0, rows = (uint32_t)(tile->height + STEP - 1) / STEP;
    uint32_t total = rows * (uint32_t)tile->width;
    count_greys(env, tile, rows, hist);
    int lo = quantile(hist, total / INVERT_QUANTILE),
        hi = quantile(hist, total - total / INVERT_QUANTILE - 1);
    /* sparse print does not reach the quantiles: the extremes decide whether there is any */
    if (hi - lo < INVERT_CONTRAST) {
        lo = quantile(hist, total / SPARSE_QUANTILE);
        hi = quantile(hist, total - total / SPARSE_QUANTILE - 1);
    }
    if (hi - lo < INVERT_CONTRAST)
        return 0;
    *ret_level = (uint8_t)((lo + hi) / 2);
    for (int v = *ret_level + 1; v < 256; v++)
        above += hist[v];
    int64_t print = crossings(tile, *ret_level);
    return above * 2 > total ? -print : print;
}

struct pl_polarity pl_polarity(const struct pl_env *env, const struct pl_image *im)
{
    int64_t all = 0, light = 0, levels = 0;
    int tw = PL_MAX((im->width + TILES - 1) / TILES, INVERT_TILE_PX);
    int th = PL_MAX((im->height + TILES - 1) / TILES, INVERT_TILE_PX);
    for (int y = 0; y < im->height; y += th)
        for (int x = 0; x < im->width; x += tw) {
            struct pl_rect r = {x, y, PL_MIN(x + tw, im->width), PL_MIN(y + th, im->height)};
            pl_auto_image tile = pl_image_view(im, r);
            uint8_t level = 0;
            const int64_t vote = tile_vote(env, &tile, &level);
            all += vote;
            light += PL_MAX(vote, 0);
            levels += PL_MAX(vote, 0) * level;
        }
    return (struct pl_polarity){all, (uint8_t)(light ? levels / light : 255)};
}
