/* SPDX-License-Identifier: BSD-2-Clause */
/* The run of platen's own detector over a picture, tile by tile. */
#include "detect/net/detector.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "nn/session.h"
#include "detect/net/net_tuning.def"

/* Columns of a tile, and how far tiles reach over their neighbours: the network sees about HALO_PX.
 */
#define TILE_PX 1024
#define HALO_PX 24
#define MAX_MAPS 64
/* From a byte of the picture of a trial to the next, in 256ths: 2^16 over the golden ratio, so that
 * the bytes spread evenly. */
#define TRIAL_STEP 40503
#define MAX_TILE_PX 1024
#define MAX_VALUE_BYTES ((size_t)1 << 28)

struct pl_detector {
    const struct pl_kernels *kernels;
    struct pl_session *session;
    int height, stride; /* of a tile, and of a step both ways, px */
    int rows, columns;  /* parts of a step */
    double xheight;
    struct pl_tensor in; /* a tile: bytes, 0 = white and 255 = black, which is 1 */
};

/* Takes the next word off a list. Returns whether it is `name`. */
static bool take_word(const char **list, const char *name)
{
    const size_t n = strcspn(*list, " ");
    const bool is = strlen(name) == n && !memcmp(*list, name, n);
    *list += n + ((*list)[n] == ' ');
    return is;
}

/* Counts the rows and columns of parts in the list of maps. Returns whether these are core.0.0
 * core.0.1
 * ... row by row, and then height. */
static bool maps_ok(struct pl_detector *d, const char *maps)
{
    const char *p = maps;
    char name[32];
    size_t words = 1;
    for (; *p; p++)
        words += *p == ' ';
    d->columns = 0;
    for (p = maps; !strncmp(p, "core.0.", 7); p += strcspn(p, " "), p += *p == ' ')
        d->columns++;
    if (!d->columns || words > MAX_MAPS || (words - 1) % (size_t)d->columns)
        return false;
    d->rows = (int)(words - 1) / d->columns;
    p = maps;
    for (int i = 0; i < d->rows * d->columns; i++) {
        snprintf(name, sizeof(name), "core.%d.%d", i / d->columns, i % d->columns);
        if (!take_word(&p, name))
            return false;
    }
    return take_word(&p, "height") && d->stride % d->rows == 0 && d->stride % d->columns == 0;
}

static platen_status read_facts(struct pl_detector *d, const struct pl_network *n,
                                struct platen_error *err)
{
    const struct pl_ir *g = &n->g;
    const struct pl_tensor *t = g->n_inputs == 1 ? &g->values[g->inputs[0]].t : NULL;
    const char *maps = pl_network_meta(n, "maps");
    if (!t || t->type != PL_F32 || t->rank != 4 || t->dims[0] != 1 || t->dims[1] != 1 ||
        t->dims[2] < 1 || t->dims[2] > MAX_TILE_PX || t->dims[3] >= 0 || !maps)
        return pl_fail(err, PLATEN_ERR_ARG, "the network is no detector of text lines");
    platen_status s = pl_network_int(n, "stride", 1, 64, &d->stride, err);
    s = s ? s : pl_network_number(n, "xheight", 2, 64, &d->xheight, err);
    if (s)
        return s;
    d->height = (int)t->dims[2];
    if (!maps_ok(d, maps))
        return pl_fail(err, PLATEN_ERR_ARG,
                       "the network is no detector of text lines: maps '%.80s'", maps);
    if (d->height <= 2 * HALO_PX || d->height % d->stride || TILE_PX % d->stride ||
        HALO_PX % d->stride)
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "tiles of %d rows in steps of %d", d->height,
                       d->stride);
    return PLATEN_OK;
}

platen_status pl_detector_new(const struct pl_network *n, const struct pl_kernels *k,
                              struct pl_detector **ret, struct platen_error *err)
{
    pl_auto(detector) d = pl_alloc_zero(1, sizeof(*d));
    if (!d)
        return pl_fail_nomem(err, sizeof(*d), "a detector");
    d->kernels = k;
    platen_status s = read_facts(d, n, err);
    s = s ? s : pl_session_new(&n->g, k, MAX_VALUE_BYTES, &d->session, err);
    if (s)
        return s;
    pl_session_take_bytes(d->session, 0, 1 / 255.0f, 0);
    d->in.data = pl_alloc((size_t)d->height * TILE_PX, 1);
    if (!d->in.data)
        return pl_fail_nomem(err, (size_t)d->height * TILE_PX, "a detector");
    *ret = pl_steal(d);
    return PLATEN_OK;
}

void pl_detector_free(struct pl_detector *d)
{
    if (!d)
        return;
    pl_session_free(d->session);
    pl_free(d->in.data);
    pl_free(d);
}

void pl_detector_rest(struct pl_detector *d)
{
    pl_session_rest(d ? d->session : NULL);
}

double pl_detector_xheight(const struct pl_detector *d)
{
    return d->xheight;
}

int pl_detector_step(const struct pl_detector *d)
{
    return d->stride;
}

int pl_detector_part_width(const struct pl_detector *d)
{
    return d->stride / d->columns;
}

int pl_detector_part_height(const struct pl_detector *d)
{
    return d->stride / d->rows;
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
    int stride = d->stride;
    *m = (struct pl_text_maps){.nx = (gray->width + stride - 1) / stride,
                               .ny = (gray->height + stride - 1) / stride};
    m->height_bytes = (size_t)m->nx * (size_t)m->ny * sizeof(*m->height);
    platen_status s =
        pl_image_init(env, m->nx * d->columns, m->ny * d->rows, PL_GRAY8, &m->core, err);
    if (s)
        return s;
    m->height = pl_bufpool_get(env->bufs, m->height_bytes);
    if (!m->height)
        return pl_fail_nomem(err, m->height_bytes, "maps of text");
    m->bufs = env->bufs;
    return PLATEN_OK;
}

/* Loads the tile of `width` columns that begins at (x, y) of the picture, which may lie outside of
 * it. */
static void load_tile(const struct pl_detector *d, const struct pl_image *gray, int x, int y,
                      int width)
{
    uint8_t *tile = d->in.data;
    int x0 = PL_MAX(x, 0), x1 = PL_MIN(x + width, gray->width);
    memset(tile, 0, (size_t)d->height * (size_t)width);
    for (int r = PL_MAX(-y, 0); r < d->height && y + r < gray->height; r++) {
        if (x0 < x1)
            d->kernels->invert_u8(tile + (size_t)r * (size_t)width + (x0 - x),
                                  pl_image_row(gray, y + r) + x0, (size_t)(x1 - x0));
    }
}

/* Runs the network over the loaded tile of `width` columns. *ret points to the first map; each map
 * is *ret_plane floats behind the one before. */
static platen_status run_network(struct pl_detector *d, int width, const float **ret,
                                 size_t *ret_plane, struct platen_error *err)
{
    const int n_maps = d->rows * d->columns + 1;
    const int64_t dims[] = {1, 1, d->height, width};
    const struct pl_tensor want = {
        PL_F32, 4, {1, n_maps, d->height / d->stride, width / d->stride}, NULL};
    if (!pl_tensor_shape(&d->in, PL_U8, 4, dims))
        return pl_fail(err, PLATEN_ERR_LIMIT, "a tile of %d px", width);
    platen_status s = pl_session_run(d->session, &d->in, err);
    if (s)
        return s;
    const struct pl_tensor *t = pl_session_output(d->session, 0);
    if (t->type != PL_F32 || !pl_tensor_same_shape(t, &want))
        return pl_fail(err, PLATEN_ERR_ARG,
                       "the network gives no %d maps of %d x %d: its metadata 'maps' or 'stride' "
                       "do not fit",
                       n_maps, width / d->stride, d->height / d->stride);
    *ret = t->data;
    *ret_plane = (size_t)(want.dims[2] * want.dims[3]);
    return PLATEN_OK;
}

platen_status pl_detector_try(struct pl_detector *d, struct platen_error *err)
{
    const float *maps;
    size_t plane;
    uint8_t *px = d->in.data;
    for (size_t i = 0; i < (size_t)d->height * (size_t)d->stride; i++)
        px[i] = (uint8_t)(i * TRIAL_STEP >> 8); /* so that every layer has something to do */
    return run_network(d, d->stride, &maps, &plane, err);
}

/* Stores step (sx, sy) of the maps: its values begin at v. */
static void store_step(const struct pl_detector *d, const float *v, size_t plane, float threshold,
                       int sx, int sy, struct pl_text_maps *m)
{
    for (int r = 0; r < d->rows; r++) {
        uint8_t *row = pl_image_row(&m->core, sy * d->rows + r) + sx * d->columns;
        for (int c = 0; c < d->columns; c++, v += plane)
            row[c] = *v > threshold ? PL_CORE : *v > threshold - WEAK_ODDS ? PL_WEAK : 255;
    }
    float h = *v;
    h = h > -4 ? h < 4 ? h : 4 : -4;
    m->height[(size_t)sy * (size_t)m->nx + (size_t)sx] = (int16_t)rintf(256 * h);
}

/* Runs the tile around the steps of `own` and stores those. */
static platen_status run_tile(struct pl_detector *d, const struct pl_image *gray, float threshold,
                              struct pl_rect own, struct pl_text_maps *m, struct platen_error *err)
{
    int stride = d->stride, halo = HALO_PX / stride;
    int width = (pl_rect_width(own) + 2 * halo) * stride;
    const float *maps = NULL;
    size_t plane = 0;
    load_tile(d, gray, (own.x0 - halo) * stride, (own.y0 - halo) * stride, width);
    platen_status s = run_network(d, width, &maps, &plane, err);
    for (int y = own.y0; y < own.y1 && !s; y++) {
        size_t row = (size_t)(y - own.y0 + halo) * (size_t)(width / stride);
        for (int x = own.x0; x < own.x1; x++)
            store_step(d, maps + row + (size_t)(x - own.x0 + halo), plane, threshold, x, y, m);
    }
    return s;
}

platen_status pl_detector_run(struct pl_detector *d, const struct pl_env *env,
                              const struct pl_image *gray, float threshold,
                              struct pl_text_maps *ret, struct platen_error *err)
{
    int high = (d->height - 2 * HALO_PX) / d->stride;
    int wide = (TILE_PX - 2 * HALO_PX) / d->stride;
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
