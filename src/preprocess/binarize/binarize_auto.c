/* SPDX-License-Identifier: BSD-2-Clause */
/* Black and white without parameters to choose. Where two levels explain the page, Otsu's threshold
 * is right everywhere. Elsewhere Sauvola's method, as strict as the contrast of the page allows,
 * says where ink is, and then every pixel is held against a level between the mean grey of the ink
 * and that of the paper around it: that places the edges of the strokes, which a single pass gets
 * too thick in dark and too thin in faint print (after B. Su, S. Lu, C. L. Tan, DAS 2010). */
#include <string.h>

#include "preprocess/binarize/binarize.h"
#include "preprocess/ops.h"
#include "preprocess/binarize/binarize_tuning.def"

#define CELL 16 /* px; the means are taken over three cells each way */

struct binarize_args {
    double level;
};

static const struct pl_param params[] = {
    {.name = "level",
     PL_PARAM(struct binarize_args, level),
     .min = 0.1,
     .max = 0.9,
     .def = PL_AUTO_LEVEL,
     .help = "where ink begins on the way from the grey of paper (0) to that of ink (1)"},
};

/* Sums over a cell. */
struct cell_sums {
    uint32_t ink_px, ink, px, all;
};

/* The level of a cell in 1/16 grey; weight 0 where there is no ink to tell it. */
struct cell_level {
    uint16_t weight, level;
};

struct midway {
    const struct pl_env *env;
    const struct pl_image *gray, *ink, *out;
    double share;
    int w, h; /* cells */
    struct cell_sums *cells;
    struct cell_level *levels;
};

static void add_pixels(struct cell_sums *c, const uint8_t *gray, const uint8_t *ink, int n)
{
    uint32_t ink_px = 0, dark = 0, all = 0;
    for (int i = 0; i < n; i++) {
        ink_px += ink[i] == 0;
        dark += gray[i] & (uint8_t)~ink[i];
        all += gray[i];
    }
    c->ink_px += ink_px;
    c->ink += dark;
    c->all += all;
    c->px += (uint32_t)n;
}

static void sum_row(void *ctx, int worker, size_t cy)
{
    (void)worker;
    const struct midway *m = ctx;
    struct cell_sums *cells = m->cells + cy * (size_t)m->w;
    int y1 = PL_MIN(((int)cy + 1) * CELL, m->gray->height);
    memset(cells, 0, (size_t)m->w * sizeof(*cells));
    for (int y = (int)cy * CELL; y < y1; y++) {
        const uint8_t *gray = pl_image_row(m->gray, y), *ink = pl_image_row(m->ink, y);
        for (int x = 0; x < m->gray->width; x += CELL)
            add_pixels(&cells[x / CELL], gray + x, ink + x, PL_MIN(CELL, m->gray->width - x));
    }
}

static struct cell_level level_at(const struct midway *m, int cx, int cy)
{
    struct cell_sums c = {0};
    for (int y = PL_MAX(cy - 1, 0); y <= PL_MIN(cy + 1, m->h - 1); y++)
        for (int x = PL_MAX(cx - 1, 0); x <= PL_MIN(cx + 1, m->w - 1); x++) {
            const struct cell_sums *o = &m->cells[y * m->w + x];
            c.ink_px += o->ink_px;
            c.ink += o->ink;
            c.px += o->px;
            c.all += o->all;
        }
    if (c.ink_px < AUTO_MIN_INK_PX)
        return (struct cell_level){0};
    double ink = (double)c.ink / c.ink_px;
    double paper = c.px > c.ink_px ? (double)(c.all - c.ink) / (c.px - c.ink_px) : 255;
    return (struct cell_level){1, (uint16_t)(16 * (paper + m->share * (ink - paper)))};
}

/* Levels and weights along row y, in 1/16 grey times 32 and in 1/32. */
static void levels_of_row(const struct midway *m, int y, uint16_t *weight, uint32_t *level)
{
    int pos = PL_MAX(2 * y + 1 - CELL, 0), cy = PL_MIN(pos / (2 * CELL), m->h - 1);
    int next = PL_MIN(cy + 1, m->h - 1);
    uint32_t f = (uint32_t)pos % (2 * CELL), g = 2 * CELL - f;
    for (int x = 0; x < m->w; x++) {
        struct cell_level a = m->levels[cy * m->w + x], b = m->levels[next * m->w + x];
        weight[x] = (uint16_t)(a.weight * g + b.weight * f);
        level[x] = a.weight * a.level * g + b.weight * b.level * f;
    }
}

/* CELL pixels between the middles of two cells. */
static void span(uint8_t *out, const uint8_t *gray, const uint16_t weight[2],
                 const uint32_t level[2])
{
    for (uint32_t i = 0; i < CELL; i++) {
        uint32_t f = 2 * i + 1, g = 2 * CELL - f;
        uint32_t t = level[0] * g + level[1] * f, w = weight[0] * g + weight[1] * f;
        out[i] = w && gray[i] * w * 16 <= t ? 0 : 255;
    }
}

static void decide_row(void *ctx, int worker, size_t cy)
{
    (void)worker;
    const struct midway *m = ctx;
    int n = m->gray->width, y1 = PL_MIN(((int)cy + 1) * CELL, m->gray->height);
    /* the cells' memory is free again by now: one row of cells holds a row's levels */
    uint32_t *level = (uint32_t *)(m->cells + cy * (size_t)m->w);
    uint16_t *weight = (uint16_t *)(level + m->w);
    for (int y = (int)cy * CELL; y < y1; y++) {
        uint8_t *out = pl_image_row(m->out, y);
        const uint8_t *gray = pl_image_row(m->gray, y);
        levels_of_row(m, y, weight, level);
        for (int c = -1; c < m->w; c++) {
            int a = PL_MAX(c, 0), b = PL_MIN(c + 1, m->w - 1), x = c * CELL + CELL / 2;
            int x0 = PL_MAX(x, 0), x1 = PL_MIN(x + CELL, n);
            uint8_t in[CELL] = {0}, result[CELL];
            if (x0 >= x1)
                continue;
            memcpy(in + (x0 - x), gray + x0, (size_t)(x1 - x0));
            span(result, in, (const uint16_t[]){weight[a], weight[b]},
                 (const uint32_t[]){level[a], level[b]});
            memcpy(out + x0, result + (x0 - x), (size_t)(x1 - x0));
        }
    }
}

static platen_status midway(const struct pl_env *env, const struct pl_image *gray,
                            const struct pl_image *ink, double share, struct pl_image *ret,
                            struct platen_error *err)
{
    struct midway m = {.env = env, .gray = gray, .ink = ink, .out = ret, .share = share};
    m.w = (gray->width + CELL - 1) / CELL;
    m.h = (gray->height + CELL - 1) / CELL;
    size_t n = (size_t)m.w * (size_t)m.h, bytes = n * (sizeof(*m.cells) + sizeof(*m.levels));
    m.cells = pl_bufpool_get(env->bufs, bytes);
    if (!m.cells)
        return pl_fail_nomem(err, bytes, "local levels");
    m.levels = (struct cell_level *)(m.cells + n);
    pl_pool_for(env->pool, (size_t)m.h, sum_row, &m);
    for (int y = 0; y < m.h; y++)
        for (int x = 0; x < m.w; x++)
            m.levels[y * m.w + x] = level_at(&m, x, y);
    platen_status s = pl_bilevel_init(env, gray, ret, err);
    if (!s)
        pl_pool_for(env->pool, (size_t)m.h, decide_row, &m);
    pl_bufpool_put(env->bufs, m.cells, bytes);
    return s;
}

platen_status pl_binarize_auto(const struct pl_env *env, const struct pl_image *gray, double share,
                               struct pl_image *ret, struct platen_error *err)
{
    struct pl_otsu o = pl_otsu_find(env, gray);
    if (o.separation >= TWO_LEVELS)
        return pl_binarize_level(env, gray, o.level, ret, err);
    pl_auto_image ink = {0};
    double contrast = 1 - o.dark / PL_MAX(o.light, 1.0);
    double k = PL_CLAMP(AUTO_STRICT * contrast, AUTO_MIN_K, AUTO_MAX_K);
    platen_status s = pl_binarize_sauvola(env, gray, PL_LOCAL_WINDOW_PX, k, &ink, err);
    return s ? s : midway(env, gray, &ink, share, ret, err);
}

static platen_status binarize_run(const struct pl_env *env, struct pl_page_image *page,
                                  const void *args, struct platen_error *err)
{
    const struct binarize_args *a = args;
    pl_auto_image gray = {0}, out = {0};
    if (page->image.bilevel)
        return PLATEN_OK;
    platen_status s = pl_page_image_gray(env, page, &gray, err);
    if (!s)
        s = pl_binarize_auto(env, &gray, a->level, &out, err);
    if (!s)
        pl_page_image_set_bilevel(page, &gray, &out);
    return s;
}

const struct pl_preprocess_op pl_op_binarize = {
    .info = {"binarize",
             "makes the page black and white by what its greys call for: one level, or local ones",
             PL_TAKES(params, struct binarize_args)},
    .run = binarize_run,
};
