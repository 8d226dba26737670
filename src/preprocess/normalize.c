/* Uneven light: the paper's brightness is estimated on a coarse grid, and every pixel is divided by
 * the brightness of the paper around it. */
#include <string.h>

#include "preprocess/ops.h"

#define MIN_CELL 16
#define MAX_GRID 64    /* cells a side */
#define PAPER_SHARE 10 /* the paper is brighter than all but a tenth of a cell */

static const struct pl_param params[] = {
    {.name = "gain",
     .kind = PL_PARAM_NUMBER,
     .min = 1,
     .max = 16,
     .def = 6,
     .help = "how much a dark part of the page may be lightened at most"},
};

struct grid {
    int cell, w, h; /* cell side in px; cells */
    uint8_t paper[MAX_GRID * MAX_GRID], spread[MAX_GRID * MAX_GRID];
};

static uint8_t cell_paper(const struct pl_env *env, const struct pl_image *im, struct pl_rect r)
{
    uint32_t hist[256] = {0}, seen = 0;
    for (int y = r.y0; y < r.y1; y++)
        env->k->hist_u8(hist, pl_image_row(im, y) + r.x0, (size_t)pl_rect_width(r));
    uint32_t rank = (uint32_t)(pl_rect_width(r) * pl_rect_height(r)) / PAPER_SHARE;
    int v = 255;
    while (v > 0 && (seen += hist[v]) <= rank)
        v--;
    return (uint8_t)v;
}

/* The brightest (pick = 1) or the mean (0) of each cell and its neighbours. */
static void smooth(const struct grid *g, uint8_t *dst, const uint8_t *src, bool brightest)
{
    for (int y = 0; y < g->h; y++)
        for (int x = 0; x < g->w; x++) {
            int sum = 0, n = 0, top = 0;
            for (int v = PL_MAX(y - 1, 0); v <= PL_MIN(y + 1, g->h - 1); v++)
                for (int u = PL_MAX(x - 1, 0); u <= PL_MIN(x + 1, g->w - 1); u++, n++) {
                    sum += src[v * g->w + u];
                    top = PL_MAX(top, src[v * g->w + u]);
                }
            dst[y * g->w + x] = (uint8_t)(brightest ? top : (sum + n / 2) / n);
        }
}

static void estimate(const struct pl_env *env, const struct pl_image *im, struct grid *g)
{
    int side = PL_MAX(im->width, im->height);
    g->cell = PL_MAX((side + MAX_GRID - 1) / MAX_GRID, MIN_CELL);
    g->w = (im->width + g->cell - 1) / g->cell;
    g->h = (im->height + g->cell - 1) / g->cell;
    for (int y = 0; y < g->h; y++)
        for (int x = 0; x < g->w; x++) {
            struct pl_rect r = {x * g->cell, y * g->cell, PL_MIN((x + 1) * g->cell, im->width),
                                PL_MIN((y + 1) * g->cell, im->height)};
            g->paper[y * g->w + x] = cell_paper(env, im, r);
        }
    smooth(g, g->spread, g->paper, true); /* cells full of ink borrow from their neighbours */
    smooth(g, g->paper, g->spread, false);
}

/* Brightness of the paper along a row, times 256, linear between the cells' middles. */
static uint32_t paper_at(const struct grid *g, const uint8_t *upper, const uint8_t *lower,
                         uint32_t fy, int x)
{
    int64_t pos = PL_MAX(((int64_t)(2 * x + 1) * 128) / g->cell - 128, (int64_t)0);
    int cx = PL_MIN((int)(pos >> 8), g->w - 1), next = PL_MIN(cx + 1, g->w - 1);
    uint32_t fx = (uint32_t)pos & 255;
    uint32_t a = upper[cx] * (256 - fy) + lower[cx] * fy;
    uint32_t b = upper[next] * (256 - fy) + lower[next] * fy;
    return (a * (256 - fx) + b * fx) >> 8;
}

static void divide_row(const struct grid *g, uint8_t *dst, const uint8_t *src, int n, int y,
                       uint32_t least)
{
    int64_t pos = PL_MAX(((int64_t)(2 * y + 1) * 128) / g->cell - 128, (int64_t)0);
    int cy = PL_MIN((int)(pos >> 8), g->h - 1), next = PL_MIN(cy + 1, g->h - 1);
    for (int x = 0; x < n; x++) {
        uint32_t paper =
            paper_at(g, g->paper + cy * g->w, g->paper + next * g->w, (uint32_t)pos & 255, x);
        uint32_t v = (src[x] * 65280u + PL_MAX(paper, least) / 2) / PL_MAX(paper, least);
        dst[x] = (uint8_t)PL_MIN(v, 255u);
    }
}

static platen_status run(const struct pl_env *env, struct pl_page_image *page,
                         const struct pl_arg *args, struct platen_error *err)
{
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
    struct grid g;
    estimate(env, im, &g);
    uint32_t least = (uint32_t)(65280 / args[0].number);
    for (int y = 0; y < im->height; y++)
        divide_row(&g, pl_image_row(&out, y), pl_image_row(im, y), im->width, y, least);
    pl_page_image_replace(page, &out);
    return PLATEN_OK;
}

const struct pl_preprocess_op pl_op_normalize = {
    .info = {"normalize", "evens out the light, so that paper is white everywhere (made grey)",
             params, PL_ARRAY_LEN(params)},
    .run = run,
};
