/* SPDX-License-Identifier: BSD-2-Clause */
/* The run of platen's own detector over a picture, tile by tile. */
#include "detect/net/detector.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "nn/operators.h"
#include "nn/session.h"
#include "detect/net/net_tuning.def"

/* Columns of a tile, and how far tiles reach over their neighbours. */
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
    int reach;        /* of a step in the tile, px: farther ones are nothing to it; 0 = unknown */
    bool tried_white; /* white_most is known: the greatest logit of a core where all is white */
    float white_most;
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

/* Number i of an attribute of a window, held between 0 and TILE_PX; `otherwise` where it has none.
 */
static int window_int(const struct pl_ir_node *n, const char *name, uint32_t i, int otherwise)
{
    const struct pl_attr *a = pl_ir_attr(n, name);
    return a && i < a->n ? (int)PL_CLAMP(a->v.ints[i], 0, TILE_PX) : otherwise;
}

/* Returns how far a step of a convolution reaches, in steps of its input. */
static int window_reach(const struct pl_ir_node *n)
{
    int most = 0;
    for (uint32_t i = 0; i < 2; i++) {
        const int before = window_int(n, "pads", i, 0);
        const int whole =
            window_int(n, "dilations", i, 1) * (window_int(n, "kernel_shape", i, TILE_PX) - 1);
        most = PL_MAX(most, PL_MAX(before, whole - before));
    }
    return most;
}

/* Returns how far a step of the outputs sees, px, for a graph of convolutions; 0 for others. */
static int find_reach(const struct pl_detector *d, const struct pl_ir *g)
{
    int64_t reach = 0;
    int stride = 1;
    for (size_t i = 0; i < g->n_nodes; i++) {
        const struct pl_ir_node *n = &g->nodes[i];
        if (n->op->id == PL_OP_QuantizeLast)
            continue;
        if (n->op->id != PL_OP_QConv)
            return 0;
        reach += (int64_t)stride * window_reach(n);
        stride *= PL_MAX(window_int(n, "strides", 0, 1), window_int(n, "strides", 1, 1));
        if (stride < 1 || stride > d->stride || reach > TILE_PX)
            return 0;
    }
    return stride == d->stride ? (int)(reach + stride - 1) / stride * stride : 0;
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
    d->reach = find_reach(d, &n->g);
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
    for (int y = 0; y < m->core.height; y++) /* no text, where nothing else is said */
        memset(pl_image_row(&m->core, y), 255, (size_t)m->core.width);
    memset(m->height, 0, m->height_bytes);
    return PLATEN_OK;
}

/* Loads the part of the picture, which may reach beyond it, as a tile. */
static void load_tile(const struct pl_detector *d, const struct pl_image *gray, struct pl_rect part)
{
    uint8_t *tile = d->in.data;
    const size_t width = (size_t)pl_rect_width(part);
    const int x0 = PL_MAX(part.x0, 0), x1 = PL_MIN(part.x1, gray->width);
    memset(tile, 0, (size_t)pl_rect_height(part) * width);
    for (int y = PL_MAX(part.y0, 0); y < PL_MIN(part.y1, gray->height) && x0 < x1; y++)
        d->kernels->invert_u8(tile + (size_t)(y - part.y0) * width + (x0 - part.x0),
                              pl_image_row(gray, y) + x0, (size_t)(x1 - x0));
}

/* What the network says of a tile: map k is v + k * plane, with so many steps in a row. */
struct said {
    const float *v;
    size_t plane, columns;
};

/* Runs the network over the loaded tile. */
static platen_status run_network(struct pl_detector *d, int width, int height, struct said *ret,
                                 struct platen_error *err)
{
    const int n_maps = d->rows * d->columns + 1;
    const int64_t dims[] = {1, 1, height, width};
    const struct pl_tensor want = {
        PL_F32, 4, {1, n_maps, height / d->stride, width / d->stride}, NULL};
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
                       n_maps, width / d->stride, height / d->stride);
    *ret = (struct said){t->data, (size_t)(want.dims[2] * want.dims[3]), (size_t)want.dims[3]};
    return PLATEN_OK;
}

platen_status pl_detector_try(struct pl_detector *d, struct platen_error *err)
{
    struct said said;
    uint8_t *px = d->in.data;
    for (size_t i = 0; i < (size_t)d->height * (size_t)d->stride; i++)
        px[i] = (uint8_t)(i * TRIAL_STEP >> 8); /* so that every layer has something to do */
    return run_network(d, d->stride, d->height, &said, err);
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

/* Runs the network over the least tile of white that has every distance to its borders, and keeps
 * the greatest logit of a core. */
static platen_status try_white(struct pl_detector *d, struct platen_error *err)
{
    const int side = 2 * d->reach + d->stride;
    struct said said;
    memset(d->in.data, 0, (size_t)side * (size_t)side);
    platen_status s = run_network(d, side, side, &said, err);
    if (s)
        return s;
    d->white_most = said.v[0];
    for (size_t i = 0; i < said.plane * (size_t)(d->rows * d->columns); i++)
        d->white_most = PL_MAX(d->white_most, said.v[i]);
    d->tried_white = true;
    return PLATEN_OK;
}

static struct pl_rect grown(struct pl_rect r, int by)
{
    return (struct pl_rect){r.x0 - by, r.y0 - by, r.x1 + by, r.y1 + by};
}

/* Returns the first column from x0 on that is not white, or x1. */
static int first_ink(const uint8_t *row, int x0, int x1)
{
    uint64_t v = UINT64_MAX;
    while (x1 - x0 >= (int)sizeof(v) && (memcpy(&v, row + x0, sizeof(v)), v == UINT64_MAX))
        x0 += (int)sizeof(v);
    while (x0 < x1 && row[x0] == 255)
        x0++;
    return x0;
}

/* Returns the first column behind all that is not white between x0 and x1, or x0. */
static int ink_end(const uint8_t *row, int x0, int x1)
{
    uint64_t v = UINT64_MAX;
    while (x1 - x0 >= (int)sizeof(v) &&
           (memcpy(&v, row + x1 - sizeof(v), sizeof(v)), v == UINT64_MAX))
        x1 -= (int)sizeof(v);
    while (x1 > x0 && row[x1 - 1] == 255)
        x1--;
    return x1;
}

/* Returns the least rectangle around what is not white inside `in`; empty where all is. */
static struct pl_rect ink_in(const struct pl_image *gray, struct pl_rect in)
{
    struct pl_rect ink = {in.x1, in.y0, in.x0, in.y1};
    while (ink.y0 < in.y1 && first_ink(pl_image_row(gray, ink.y0), in.x0, in.x1) == in.x1)
        ink.y0++;
    while (ink.y1 > ink.y0 && first_ink(pl_image_row(gray, ink.y1 - 1), in.x0, in.x1) == in.x1)
        ink.y1--;
    for (int y = ink.y0; y < ink.y1; y++) {
        ink.x0 = first_ink(pl_image_row(gray, y), in.x0, ink.x0);
        ink.x1 = ink_end(pl_image_row(gray, y), ink.x1, in.x1);
    }
    return ink;
}

/* Returns the least rectangle of whole steps around what is not white in the part of the picture,
 * which may reach beyond it, counted from the part's corner; empty where all is white. */
static struct pl_rect ink_steps(const struct pl_detector *d, const struct pl_image *gray,
                                struct pl_rect part)
{
    const struct pl_rect in =
        pl_rect_intersect(part, (struct pl_rect){0, 0, gray->width, gray->height});
    const struct pl_rect ink = pl_rect_empty(in) ? in : ink_in(gray, in);
    const int s = d->stride;
    if (pl_rect_empty(ink))
        return (struct pl_rect){0, 0, 0, 0};
    return (struct pl_rect){(ink.x0 - part.x0) / s * s, (ink.y0 - part.y0) / s * s,
                            (ink.x1 - part.x0 + s - 1) / s * s, (ink.y1 - part.y0 + s - 1) / s * s};
}

/* Makes less of a tile where much of it is white: *own becomes what of it sees ink, and *tile what
 * that sees; both count from the tile's corner. What is left out is no text, and what stays comes
 * out as in the whole tile. */
static void trim(const struct pl_detector *d, struct pl_rect ink, struct pl_rect *own,
                 struct pl_rect *tile)
{
    *own = pl_rect_empty(ink) ? ink : pl_rect_intersect(*own, grown(ink, d->reach));
    *tile = pl_rect_empty(*own) ? *own : pl_rect_intersect(*tile, grown(*own, d->reach));
}

/* Whether tiles of that size may be trimmed: the network sees no text in white. */
static platen_status may_trim(struct pl_detector *d, float threshold, struct pl_rect tile,
                              bool *ret, struct platen_error *err)
{
    const int least = 2 * d->reach + d->stride;
    *ret = false;
    if (!d->reach || pl_rect_width(tile) < least || pl_rect_height(tile) < least)
        return PLATEN_OK;
    platen_status s = d->tried_white ? PLATEN_OK : try_white(d, err);
    *ret = !s && d->white_most <= threshold - WEAK_ODDS;
    return s;
}

/* Runs the tile around the steps of `own` and stores those. */
static platen_status run_tile(struct pl_detector *d, const struct pl_image *gray, float threshold,
                              struct pl_rect own, struct pl_text_maps *m, struct platen_error *err)
{
    const int stride = d->stride, left = own.x0 * stride - HALO_PX, top = own.y0 * stride - HALO_PX;
    struct pl_rect tile = {0, 0, pl_rect_width(own) * stride + 2 * HALO_PX, d->height};
    struct pl_rect want = {HALO_PX, HALO_PX, tile.x1 - HALO_PX,
                           HALO_PX + pl_rect_height(own) * stride};
    struct said said = {0};
    bool trims;
    platen_status s = may_trim(d, threshold, tile, &trims, err);
    if (!s && trims)
        trim(d, ink_steps(d, gray, (struct pl_rect){left, top, left + tile.x1, top + tile.y1}),
             &want, &tile);
    if (s || pl_rect_empty(want))
        return s;
    load_tile(d, gray,
              (struct pl_rect){left + tile.x0, top + tile.y0, left + tile.x1, top + tile.y1});
    s = run_network(d, pl_rect_width(tile), pl_rect_height(tile), &said, err);
    for (int y = want.y0; y < want.y1 && !s; y += stride) {
        const float *row = said.v + (size_t)((y - tile.y0) / stride) * said.columns;
        for (int x = want.x0; x < want.x1; x += stride)
            store_step(d, row + (x - tile.x0) / stride, said.plane, threshold, (left + x) / stride,
                       (top + y) / stride, m);
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
