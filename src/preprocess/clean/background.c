/* SPDX-License-Identifier: BSD-2-Clause */
/* Uneven light: the paper's brightness is estimated on a coarse grid, and every pixel is divided by
 * the brightness of the paper around it. What is in no shadow is read as well without that: so it
 * can be left to pages on which print lies in one, which the same grid tells. */
#include <string.h>

#include "preprocess/geometry/sheets.h"
#include "preprocess/ops.h"
#include "preprocess/clean/clean_tuning.def"

#define MAX_GRID 64 /* cells a side */
#define STRIP_ROWS 64

struct background_args {
    double gain;
    enum { ALWAYS, SHADED } mode;
};

static const struct pl_param params[] = {
    {.name = "gain",
     PL_PARAM(struct background_args, gain),
     .min = 1,
     .max = 16,
     .def = 4,
     .help = "how much a dark part of the page may be lightened at most"},
    {.name = "mode",
     PL_PARAM(struct background_args, mode),
     .choices = (const char *const[]){[ALWAYS] = "always", [SHADED] = "shaded", NULL},
     .help = "shaded: only a page on which print lies in shadow"},
};

struct paper_grid {
    const struct pl_env *env;
    const struct pl_image *im;
    int cell, w, h; /* cell side in px; cells */
    uint8_t paper[MAX_GRID * MAX_GRID], other[MAX_GRID * MAX_GRID];
    uint16_t gain[MAX_GRID * MAX_GRID]; /* in 1 / 4096 */
    uint16_t *rows; /* of each worker: the gains along two rows of cells, a pixel each */
};

/* Counts the greys of some rows of cell (x, y); returns how many pixels that are. */
static uint32_t count_greys(const struct paper_grid *g, int x, int y, uint32_t hist[256])
{
    const struct pl_image *im = g->im;
    const int x0 = x * g->cell, x1 = PL_MIN(x0 + g->cell, im->width);
    const int y0 = y * g->cell, height = PL_MIN(y0 + g->cell, im->height) - y0;
    const int step = PL_MAX(height / CELL_ROWS, 1), rows = (height + step - 1) / step;
    g->env->k->hist_u8(hist, pl_image_row(im, y0) + x0, im->stride_bytes * (size_t)step,
                       (size_t)(x1 - x0), (size_t)rows);
    return (uint32_t)((x1 - x0) * rows);
}

/* The grey than which `rank` pixels are lighter; there are more. */
static int grey_from_top(const uint32_t hist[256], uint32_t rank)
{
    uint32_t seen = 0;
    int v = 255;
    while (v > 0 && (seen += hist[v]) <= rank)
        v--;
    return v;
}

static void estimate_row(void *ctx, int worker, size_t y)
{
    (void)worker;
    struct paper_grid *g = ctx;
    for (int x = 0; x < g->w; x++) {
        uint32_t hist[256] = {0}, n = count_greys(g, x, (int)y, hist);
        g->paper[(int)y * g->w + x] = (uint8_t)grey_from_top(hist, n / PAPER_SHARE);
    }
}

/* Whether cell (x, y) has dark print on paper, in whatever light: most of it is nearly as light as
 * its paper, and a little is far darker. Of grain and of pictures the middle grey lies between. */
static bool has_print(const struct paper_grid *g, int x, int y)
{
    uint32_t hist[256] = {0}, n = count_greys(g, x, y, hist);
    const int paper = g->paper[y * g->w + x], middle = grey_from_top(hist, n / 2);
    const int contrast = paper - grey_from_top(hist, n - 1 - n / PRINT_INK);
    return contrast >= PRINT_LEAST && contrast >= PRINT_CONTRAST * paper &&
           paper - middle <= PRINT_MIDDLE * contrast;
}

/* Whether enough of the page's print lies on paper far darker than the light paper of that page. */
static bool is_shaded(const struct paper_grid *g)
{
    uint32_t hist[256] = {0}, all = 0, shaded = 0;
    for (int y = 0; y < g->h; y++)
        for (int x = 0; x < g->w; x++)
            if (has_print(g, x, y)) {
                hist[g->paper[y * g->w + x]]++;
                all++;
            }
    const int light = grey_from_top(hist, all / PAPER_SHARE);
    for (int v = 0; v < SHADE * light; v++)
        shaded += hist[v];
    return shaded > SHADED_PRINT * all;
}

enum smoothing { BRIGHTEST, DARKEST, MEAN };

/* Each cell becomes the brightest, the darkest or the mean of itself and its neighbours. */
static void smooth(const struct paper_grid *g, uint8_t *dst, const uint8_t *src, enum smoothing how)
{
    for (int y = 0; y < g->h; y++)
        for (int x = 0; x < g->w; x++) {
            int sum = 0, n = 0, top = 0, low = 255;
            for (int v = PL_MAX(y - 1, 0); v <= PL_MIN(y + 1, g->h - 1); v++)
                for (int u = PL_MAX(x - 1, 0); u <= PL_MIN(x + 1, g->w - 1); u++, n++) {
                    int p = src[v * g->w + u];
                    sum += p;
                    top = PL_MAX(top, p);
                    low = PL_MIN(low, p);
                }
            int mean = (sum + n / 2) / n;
            dst[y * g->w + x] = (uint8_t)(how == BRIGHTEST ? top : how == DARKEST ? low : mean);
        }
}

/* Looks at the paper of each cell. */
static void estimate(struct paper_grid *g)
{
    int side = PL_MAX(g->im->width, g->im->height);
    g->cell = PL_MAX((side + MAX_GRID - 1) / MAX_GRID, LIGHT_CELL_PX);
    g->w = (g->im->width + g->cell - 1) / g->cell;
    g->h = (g->im->height + g->cell - 1) / g->cell;
    pl_pool_for(g->env->pool, (size_t)g->h, estimate_row, g);
}

/* The closing lets cells full of ink borrow from their neighbours, and moves no edge of the light.
 */
static void find_gains(struct paper_grid *g, double most)
{
    smooth(g, g->other, g->paper, BRIGHTEST);
    smooth(g, g->paper, g->other, DARKEST);
    smooth(g, g->other, g->paper, MEAN);
    for (int i = 0; i < g->w * g->h; i++)
        g->gain[i] = (uint16_t)PL_MIN(4096 * PL_MIN(most, 255.0 / PL_MAX(g->other[i], 1)), 65535.0);
}

/* The gains along a row of cells, linear between the middles of the cells. */
static void spread(const struct paper_grid *g, int cy, uint16_t *gains)
{
    int n = g->im->width, half = g->cell / 2;
    const uint16_t *cells = g->gain + cy * g->w;
    for (int x = 0; x < PL_MIN(half, n); x++)
        gains[x] = cells[0];
    for (int c = 0, x = half; x < n; c++, x += g->cell) {
        int at = cells[c] << 8, step = ((cells[PL_MIN(c + 1, g->w - 1)] << 8) - at) / g->cell;
        for (int i = 0; i < PL_MIN(g->cell, n - x); i++, at += step)
            gains[x + i] = (uint16_t)(at >> 8);
    }
}

/* Every pixel times the gain between those of the rows of cells above and below. */
static void divide_strip(void *ctx, int worker, size_t strip)
{
    const struct paper_grid *g = ctx;
    size_t n = (size_t)g->im->width;
    uint16_t *gains = g->rows + (size_t)worker * 2 * n;
    int y0 = (int)strip * STRIP_ROWS, y1 = PL_MIN(y0 + STRIP_ROWS, g->im->height), spread_for = -1;
    for (int y = y0; y < y1; y++) {
        int64_t pos = PL_MAX(((int64_t)(2 * y + 1) * 128) / g->cell - 128, (int64_t)0);
        int cy = PL_MIN((int)(pos >> 8), g->h - 1);
        if (cy != spread_for) {
            spread(g, cy, gains);
            spread(g, PL_MIN(cy + 1, g->h - 1), gains + n);
            spread_for = cy;
        }
        uint8_t *row = pl_image_row(g->im, y);
        g->env->k->gain_row(row, row, n, gains, gains + n, (uint16_t)((pos & 255) << 8));
    }
}

/* Divides the page, which is grey, by its paper. */
static platen_status even_out(struct paper_grid *g, struct pl_page_image *page, double most,
                              struct platen_error *err)
{
    const struct pl_env *env = g->env;
    size_t workers = env->pool ? (size_t)pl_pool_workers(env->pool) : 1;
    size_t bytes = workers * 2 * (size_t)g->im->width * sizeof(uint16_t);
    platen_status s = pl_page_own_pixels(env, page, err);
    if (s)
        return s;
    g->rows = pl_bufpool_get(env->bufs, bytes);
    if (!g->rows)
        return pl_fail_nomem(err, bytes, "gains");
    find_gains(g, most);
    pl_pool_for(env->pool, ((size_t)g->im->height + STRIP_ROWS - 1) / STRIP_ROWS, divide_strip, g);
    pl_bufpool_put(env->bufs, g->rows, bytes);
    return PLATEN_OK;
}

static platen_status background_run(const struct pl_env *env, struct pl_page_image *page,
                                    const void *args, struct platen_error *err)
{
    const struct background_args *a = args;
    if (page->image.bilevel)
        return PLATEN_OK;
    platen_status s = pl_page_make_gray(env, page, err);
    s = s ? s : pl_sheet_find(env, page, err);
    if (s || (a->mode == SHADED && page->sheet.darkest >= SHADE * 255)) /* nothing is dark */
        return s;
    struct paper_grid g = {.env = env, .im = &page->image};
    estimate(&g);
    return a->mode == SHADED && !is_shaded(&g) ? PLATEN_OK : even_out(&g, page, a->gain, err);
}

const struct pl_preprocess_op pl_op_background = {
    .info = {"background", "evens out the light, so that paper is white everywhere (made grey)",
             PL_TAKES(params, struct background_args)},
    .run = background_run,
};
