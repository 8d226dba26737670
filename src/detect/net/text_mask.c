/* SPDX-License-Identifier: BSD-2-Clause */
/* The mask of a page: what the detector calls core, widened to the lines that are around it. */
#include "detect/net/text_mask.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "image/components.h"
#include "image/resample.h"
#include "detect/net/net_tuning.def"

/* Limit of the pixels of a picture that the detector sees. */
#define MAX_NET_PX 12e6
/* The range of heights, in 1/256 octaves. */
#define N_HEIGHTS 2049

/* What the detector says of the page at one scale. */
struct mask_scale {
    struct pl_text_maps maps;
    double scale; /* px of the picture per px of the page */
};

static void look_done(struct mask_scale *k)
{
    pl_text_maps_done(&k->maps);
}

#define auto_look __attribute__((cleanup(look_done))) struct mask_scale

void pl_text_mask_done(struct pl_text_mask *m)
{
    pl_image_done(&m->part);
}

static platen_status take_look(struct pl_detector *d, const struct pl_env *env,
                               const struct pl_image *gray, double scale, float threshold,
                               struct mask_scale *ret, struct platen_error *err)
{
    pl_auto_image small = {0};
    double area = (double)gray->width * gray->height;
    scale = PL_MIN(scale, sqrt(MAX_NET_PX / area));
    int w = (int)PL_MAX(rint(gray->width * scale), 1.0);
    int h = (int)PL_MAX(rint(gray->height * scale), 1.0);
    platen_status s = pl_resample(env, gray, w, h, &small, err);
    look_done(ret);
    ret->scale = (double)w / gray->width;
    return s ? s : pl_detector_run(d, env, &small, threshold, &ret->maps, err);
}

/* Returns the height that the map tells for the step in which a part lies. */
static int height_at(const struct mask_scale *k, int column, int row)
{
    int x = column / (k->maps.core.width / k->maps.nx),
        y = row / (k->maps.core.height / k->maps.ny);
    return k->maps.height[(size_t)y * (size_t)k->maps.nx + (size_t)x];
}

static int middle(const uint32_t *hist, uint64_t n)
{
    uint64_t sum = 0;
    for (int i = 0; i < N_HEIGHTS; i++)
        if ((sum += hist[i]) * 2 > n)
            return i - N_HEIGHTS / 2;
    return 0;
}

/* Gives the median height of all parts that are core. Returns false where there are none. */
static bool usual_height(const struct mask_scale *k, int *ret)
{
    uint32_t hist[N_HEIGHTS] = {0};
    uint64_t n = 0;
    for (int y = 0; y < k->maps.core.height; y++)
        for (int x = 0; x < k->maps.core.width; x++)
            if (!pl_image_row(&k->maps.core, y)[x]) {
                hist[height_at(k, x, y) + N_HEIGHTS / 2]++;
                n++;
            }
    *ret = middle(hist, n);
    return n > 0;
}

static int component_height(const struct mask_scale *k, const struct pl_components *c, size_t i)
{
    uint32_t hist[N_HEIGHTS] = {0};
    for (uint32_t r = 0; r < c->comps[i].n_runs; r++) {
        struct pl_run u = c->runs[c->comps[i].first_run + r];
        for (int x = u.x0; x < u.x1; x++)
            hist[height_at(k, x, u.y) + N_HEIGHTS / 2]++;
    }
    return middle(hist, c->comps[i].ink_px);
}

/* Opens the mask around the runs of core number i, whose text has that height. */
static void open_around(const struct pl_detector *d, const struct mask_scale *k,
                        const struct pl_components *c, size_t i, int height, struct pl_text_mask *m)
{
    double unit = pl_detector_xheight(d) * exp2(height / 256.0); /* px of the picture */
    double px = pl_detector_part_width(d), py = pl_detector_part_height(d);
    double fx = 1 / (k->scale * m->part_width_px), fy = 1 / (k->scale * m->part_height_px);
    for (uint32_t r = 0; r < c->comps[i].n_runs; r++) {
        struct pl_run u = c->runs[c->comps[i].first_run + r];
        int x0 = (int)floor((u.x0 * px - LINE_BESIDE * unit) * fx);
        int x1 = (int)ceil((u.x1 * px + LINE_BESIDE * unit) * fx);
        int y0 = (int)floor((u.y * py - LINE_ABOVE * unit) * fy);
        int y1 = (int)ceil(((u.y + 1) * py + LINE_BELOW * unit) * fy);
        x0 = PL_CLAMP(x0, 0, m->part.width);
        x1 = PL_CLAMP(x1, x0, m->part.width);
        for (int y = PL_MAX(y0, 0); y < PL_MIN(y1, m->part.height); y++)
            memset(pl_image_row(&m->part, y) + x0, 0, (size_t)(x1 - x0));
    }
}

static platen_status open_mask(const struct pl_detector *d, const struct pl_env *env,
                               const struct mask_scale *k, int least, struct pl_text_mask *m,
                               struct platen_error *err)
{
    pl_auto_components c = {0};
    platen_status s = pl_components_find(env, &k->maps.core, &c, err);
    for (size_t i = 0; i < c.n && !s; i++) {
        int height = component_height(k, &c, i);
        if (c.comps[i].ink_px >= MIN_PARTS && height >= least)
            open_around(d, k, &c, i, height, m);
    }
    return s;
}

/* Makes a closed mask, with the parts of the maps of k. */
static platen_status mask_init(const struct pl_detector *d, const struct pl_env *env,
                               const struct mask_scale *k, struct pl_text_mask *m,
                               struct platen_error *err)
{
    const struct pl_image *core = &k->maps.core;
    platen_status s = pl_image_init(env, core->width, core->height, PL_GRAY8, &m->part, err);
    m->part_width_px = pl_detector_part_width(d) / k->scale;
    m->part_height_px = pl_detector_part_height(d) / k->scale;
    m->part.bilevel = true;
    for (int y = 0; y < core->height && !s; y++)
        memset(pl_image_row(&m->part, y), 255, (size_t)core->width);
    return s;
}

platen_status pl_text_mask_make(struct pl_detector *d, const struct pl_env *env,
                                const struct pl_image *gray, float threshold,
                                struct pl_text_mask *ret, struct platen_error *err)
{
    auto_look near = {0}, far = {0};
    pl_auto_text_mask m = {0};
    int usual = 0;
    double scale = PL_MIN(1.0, FIRST_WIDTH_PX / gray->width);
    platen_status s = take_look(d, env, gray, scale, threshold, &near, err);
    if (!s && usual_height(&near, &usual) && abs(usual) > FAR_OFF) {
        scale = PL_MIN(near.scale * exp2(-usual / 256.0), MAX_ENLARGE);
        s = take_look(d, env, gray, scale, threshold, &near, err);
    }
    s = s ? s : mask_init(d, env, &near, &m, err);
    s = s ? s : open_mask(d, env, &near, INT16_MIN, &m, err);
    s = s ? s : take_look(d, env, gray, near.scale / 2, threshold, &far, err);
    s = s ? s : open_mask(d, env, &far, LARGE_TEXT, &m, err);
    if (!s) {
        *ret = m;
        m = (struct pl_text_mask){0};
    }
    return s;
}

/* Parts a row of ink: that where text may be goes to `in`, the rest to `out`. Both are paper
 * before. */
static void split_row(const struct pl_text_mask *m, const uint8_t *part, const uint8_t *page,
                      int width, uint8_t *in, uint8_t *out)
{
    for (int c = 0, x = 0; x < width; c++) {
        bool open = !part[PL_MIN(c, m->part.width - 1)];
        while (c + 1 < m->part.width && !part[c + 1] == open)
            c++;
        int end = c + 1 < m->part.width ? (int)ceil((c + 1) * m->part_width_px) : width;
        end = PL_CLAMP(end, x, width);
        pl_bits_copy(open ? in : out, page, x, end);
        x = end;
    }
}

platen_status pl_text_mask_split(const struct pl_env *env, const struct pl_text_mask *m,
                                 const struct pl_bits *page, struct pl_bits *ret_in,
                                 struct pl_bits *ret_out, struct platen_error *err)
{
    pl_auto_bits in = {0}, out = {0};
    size_t bytes = (size_t)page->bytes.width;
    platen_status s = pl_bits_init(env, page->width, page->height, &in, err);
    s = s ? s : pl_bits_init(env, page->width, page->height, &out, err);
    if (s)
        return s;
    for (int y = 0; y < page->height; y++) {
        int row = PL_MIN((int)(y / m->part_height_px), m->part.height - 1);
        memset(pl_bits_row(&in, y), 0, bytes);
        memset(pl_bits_row(&out, y), 0, bytes);
        split_row(m, pl_image_row(&m->part, row), pl_bits_row(page, y), page->width,
                  pl_bits_row(&in, y), pl_bits_row(&out, y));
    }
    *ret_in = in;
    *ret_out = out;
    in = out = (struct pl_bits){0}; /* given away */
    return PLATEN_OK;
}
