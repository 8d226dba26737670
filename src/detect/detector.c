#include "detect/detector.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

/* Columns of a tile, and what tiles share on each side: the network sees about this far. */
#define TILE_PX 1024
#define HALO_PX 24
#define MAX_MAPS 64

struct pl_detector {
    const struct pl_detector_model *model;
    struct pl_runner *runner;
    int rows, columns; /* parts of a step */
    double xheight;
    uint8_t *tile; /* height x TILE_PX */
};

/* Channels core.0.0, core.0.1 ... row by row, then height. */
static bool maps_ok(struct pl_detector *d)
{
    const struct pl_detector_model *m = d->model;
    size_t n = m->n_maps - 1;
    d->columns = 0;
    while ((size_t)d->columns < n && !strncmp(m->map[d->columns], "core.0.", 7))
        d->columns++;
    if (!d->columns || n % (size_t)d->columns || strcmp(m->map[n], "height"))
        return false;
    d->rows = (int)n / d->columns;
    for (size_t i = 0; i < n; i++) {
        char name[32];
        snprintf(name, sizeof(name), "core.%d.%d", (int)i / d->columns, (int)i % d->columns);
        if (strcmp(m->map[i], name))
            return false;
    }
    return m->stride % d->rows == 0 && m->stride % d->columns == 0;
}

static platen_status read_facts(struct pl_detector *d, const struct pl_model *m,
                                struct platen_error *err)
{
    const char *v = pl_model_meta(m, "xheight");
    if (!d->model || !maps_ok(d))
        return pl_fail(err, PLATEN_ERR_ARG, "the model is no detector of text lines");
    if (!v || !pl_parse_double(v, strlen(v), &d->xheight) || !(d->xheight >= 2 && d->xheight <= 64))
        return pl_fail(err, PLATEN_ERR_FORMAT, "metadata key 'xheight' is missing or not 2 to 64");
    if (d->model->height <= 2 * HALO_PX || TILE_PX % d->model->stride || HALO_PX % d->model->stride)
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "tiles of %d rows in steps of %d",
                       d->model->height, d->model->stride);
    return PLATEN_OK;
}

platen_status pl_detector_new(const struct pl_model *m, const struct pl_kernels *k,
                              struct pl_detector **ret, struct platen_error *err)
{
    pl_auto(detector) d = pl_alloc_zero(1, sizeof(*d));
    if (!d)
        return pl_fail_nomem(err, sizeof(*d), "a detector");
    d->model = pl_model_detector(m);
    platen_status s = read_facts(d, m, err);
    s = s ? s : pl_runner_new(m, k, &d->runner, err);
    if (s)
        return s;
    d->tile = pl_alloc((size_t)d->model->height, TILE_PX);
    if (!d->tile)
        return pl_fail_nomem(err, (size_t)d->model->height * TILE_PX, "a detector");
    *ret = pl_steal(d);
    return PLATEN_OK;
}

void pl_detector_free(struct pl_detector *d)
{
    if (!d)
        return;
    pl_runner_free(d->runner);
    pl_free(d->tile);
    pl_free(d);
}

double pl_detector_xheight(const struct pl_detector *d)
{
    return d->xheight;
}

int pl_detector_step(const struct pl_detector *d)
{
    return d->model->stride;
}

int pl_detector_part_width(const struct pl_detector *d)
{
    return d->model->stride / d->columns;
}

int pl_detector_part_height(const struct pl_detector *d)
{
    return d->model->stride / d->rows;
}

void pl_text_maps_done(struct pl_text_maps *m)
{
    pl_image_done(&m->core);
    if (m->bufs)
        pl_bufpool_put(m->bufs, m->height, m->height_bytes);
    *m = (struct pl_text_maps){0};
}

static platen_status maps_init(const struct pl_detector *d, const struct pl_env *env,
                               const struct pl_image *gray, struct pl_text_maps *m,
                               struct platen_error *err)
{
    int stride = d->model->stride;
    *m = (struct pl_text_maps){.nx = (gray->width + stride - 1) / stride,
                               .ny = (gray->height + stride - 1) / stride};
    m->height_bytes = (size_t)m->nx * (size_t)m->ny * sizeof(*m->height);
    platen_status s =
        pl_image_init(env, m->nx * d->columns, m->ny * d->rows, PL_GRAY8, &m->core, err);
    if (s)
        return s;
    m->core.bilevel = true;
    m->height = pl_bufpool_get(env->bufs, m->height_bytes);
    if (!m->height)
        return pl_fail_nomem(err, m->height_bytes, "maps of text");
    m->bufs = env->bufs;
    return PLATEN_OK;
}

/* One tile: it begins at (x, y) of the picture, which may lie outside, and is `width` px wide. */
static void load_tile(const struct pl_detector *d, const struct pl_image *gray, int x, int y,
                      int width)
{
    int x0 = PL_MAX(x, 0), x1 = PL_MIN(x + width, gray->width);
    memset(d->tile, d->model->input_zero, (size_t)d->model->height * (size_t)width);
    for (int r = PL_MAX(-y, 0); r < d->model->height && y + r < gray->height; r++) {
        const uint8_t *src = pl_image_row(gray, y + r);
        uint8_t *dst = d->tile + (size_t)r * (size_t)width - x;
        for (int c = x0; c < x1; c++)
            dst[c] = (uint8_t)(255 - src[c]);
    }
}

/* Step (sx, sy) of the maps from its values. */
static void store_step(const struct pl_detector *d, const float *v, float threshold, int sx, int sy,
                       struct pl_text_maps *m)
{
    for (int r = 0; r < d->rows; r++) {
        uint8_t *row = pl_image_row(&m->core, sy * d->rows + r) + sx * d->columns;
        for (int c = 0; c < d->columns; c++)
            row[c] = v[r * d->columns + c] > threshold ? 0 : 255;
    }
    float h = v[d->rows * d->columns];
    h = h > -4 ? h < 4 ? h : 4 : -4;
    m->height[(size_t)sy * (size_t)m->nx + (size_t)sx] = (int16_t)rintf(256 * h);
}

/* The tile whose own steps are those from (x0, y0) to before (x1, y1). */
static platen_status run_tile(struct pl_detector *d, const struct pl_image *gray, float threshold,
                              struct pl_rect own, struct pl_text_maps *m, struct platen_error *err)
{
    int stride = d->model->stride, halo = HALO_PX / stride;
    int width = (pl_rect_width(own) + 2 * halo) * stride;
    struct pl_strip tile = {d->tile, (size_t)width, width};
    struct pl_logits out;
    load_tile(d, gray, (own.x0 - halo) * stride, (own.y0 - halo) * stride, width);
    platen_status s = pl_runner_run(d->runner, &tile, 1, &out, err);
    for (int y = own.y0; y < own.y1 && !s; y++) {
        size_t row = (size_t)(y - own.y0 + halo) * (size_t)(width / stride);
        for (int x = own.x0; x < own.x1; x++)
            store_step(d, out.values + (row + (size_t)(x - own.x0 + halo)) * out.n_classes,
                       threshold, x, y, m);
    }
    return s;
}

platen_status pl_detector_run(struct pl_detector *d, const struct pl_env *env,
                              const struct pl_image *gray, float threshold,
                              struct pl_text_maps *ret, struct platen_error *err)
{
    int high = d->model->rows - 2 * HALO_PX / d->model->stride;
    int wide = (TILE_PX - 2 * HALO_PX) / d->model->stride;
    pl_auto_text_maps m = {0};
    platen_status s = maps_init(d, env, gray, &m, err);
    for (int y = 0; y < m.ny && !s; y += high)
        for (int x = 0; x < m.nx && !s; x += wide)
            s = run_tile(d, gray, threshold,
                         (struct pl_rect){x, y, PL_MIN(x + wide, m.nx), PL_MIN(y + high, m.ny)}, &m,
                         err);
    if (!s) {
        *ret = m;
        m = (struct pl_text_maps){0};
    }
    return s;
}
