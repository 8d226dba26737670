/* SPDX-License-Identifier: BSD-2-Clause */
/* The run of an imported detector: sizes that it takes, its input, its map. */
#include "detect/net/db_net.h"

#include <math.h>

#include "base/mem.h"
#include "image/resample.h"
#include "nn/session.h"

/* Sizes that may vary are multiples of this: the networks halve their maps five times. */
#define STEP 32
/* Sides of the picture of a trial, where they may vary. */
#define TRIAL 64
/* Limit of the values that a run holds. */
#define MAX_VALUE_BYTES PL_MIN((uint64_t)4 << 30, SIZE_MAX)

enum { BATCH, CHANNELS, ROWS, COLUMNS, RANK };

struct pl_db_net {
    struct pl_session *session;
    struct pl_tensor in; /* with the sizes of the last picture */
    size_t room;         /* floats */
    int channels;
    int fixed_width, fixed_height; /* 0 = may vary */
    int side;
    const struct pl_kernels *kernels;
    float mean[PL_DB_CHANNELS], inv_std[PL_DB_CHANNELS]; /* of greys from 0 to 255 */
    struct pl_db_rules rules;
};

static platen_status check_input(const struct pl_ir *g, struct platen_error *err)
{
    if (g->n_inputs != 1 || !g->n_outputs)
        return pl_fail(err, PLATEN_ERR_ARG,
                       "no detector of text: it has %zu inputs and %zu outputs", g->n_inputs,
                       g->n_outputs);
    const struct pl_tensor *t = &g->values[g->inputs[0]].t;
    if (t->type != PL_F32 || t->rank != RANK || t->dims[BATCH] > 1 ||
        (t->dims[CHANNELS] > 1 && t->dims[CHANNELS] != PL_DB_CHANNELS))
        return pl_fail(err, PLATEN_ERR_ARG,
                       "no detector of text: its input is not a picture (float32, 1x3xHxW)");
    return PLATEN_OK;
}

static int fixed_size(int64_t size)
{
    return size > 0 ? (int)PL_MIN(size, INT16_MAX) : 0;
}

platen_status pl_db_net_new(const struct pl_network *n, const struct pl_kernels *k,
                            const struct pl_db_options *o, struct pl_db_net **ret,
                            struct platen_error *err)
{
    platen_status s = check_input(&n->g, err);
    if (s)
        return s;
    const struct pl_tensor *t = &n->g.values[n->g.inputs[0]].t;
    pl_auto(db_net) d = pl_alloc_zero(1, sizeof(*d));
    if (!d)
        return pl_fail_nomem(err, sizeof(*d), "a detector");
    d->side = o->side;
    d->rules = o->rules;
    d->channels = t->dims[CHANNELS] == 1 ? 1 : PL_DB_CHANNELS;
    d->fixed_height = fixed_size(t->dims[ROWS]);
    d->fixed_width = fixed_size(t->dims[COLUMNS]);
    d->kernels = k;
    for (int c = 0; c < PL_DB_CHANNELS; c++) {
        d->mean[c] = 255 * o->mean[c];
        d->inv_std[c] = 1 / (255 * o->std[c]);
    }
    s = pl_session_new(&n->g, k, MAX_VALUE_BYTES, &d->session, err);
    if (!s)
        *ret = pl_steal(d);
    return s;
}

void pl_db_net_free(struct pl_db_net *d)
{
    if (!d)
        return;
    pl_session_free(d->session);
    pl_free(d->in.data);
    pl_free(d);
}

const struct pl_db_rules *pl_db_net_rules(const struct pl_db_net *d)
{
    return &d->rules;
}

void pl_db_net_rest(struct pl_db_net *d)
{
    pl_session_rest(d ? d->session : NULL);
}

/* One side of the input, and how much of it the picture takes, px. */
struct side {
    int whole, used;
};

static struct side side_of(int fixed, double size)
{
    if (fixed)
        return (struct side){fixed, (int)PL_CLAMP(rint(size), 1, fixed)};
    int whole = PL_MAX((int)rint(size / STEP), 1) * STEP;
    return (struct side){whole, whole};
}

static platen_status reserve(struct pl_db_net *d, int width, int height, struct platen_error *err)
{
    const int64_t dims[RANK] = {1, d->channels, height, width};
    if (!pl_tensor_shape(&d->in, PL_F32, RANK, dims))
        return pl_fail(err, PLATEN_ERR_LIMIT, "a picture of %d x %d for the network", width,
                       height);
    size_t n = pl_tensor_count(&d->in);
    if (n <= d->room)
        return PLATEN_OK;
    pl_free(d->in.data);
    d->in.data = pl_alloc(n, sizeof(float));
    d->room = d->in.data ? n : 0;
    return d->in.data ? PLATEN_OK : pl_fail_nomem(err, n * sizeof(float), "a network's picture");
}

/* Puts the picture into the upper left corner of every channel, and paper around it. */
static void fill(struct pl_db_net *d, const struct pl_image *im)
{
    float *dst = d->in.data;
    const int width = (int)d->in.dims[COLUMNS], height = (int)d->in.dims[ROWS];
    for (int c = 0; c < d->channels; c++) {
        const float paper = (255 - d->mean[c]) * d->inv_std[c];
        for (int y = 0; y < height; y++, dst += width) {
            const int used = y < im->height ? PL_MIN(width, im->width) : 0;
            if (used)
                d->kernels->norm_u8_f32(dst, pl_image_row(im, y), (size_t)used, d->mean[c],
                                        d->inv_std[c]);
            for (int x = used; x < width; x++)
                dst[x] = paper;
        }
    }
}

/* Tells whether an output can be a map of the picture: it is no larger. Steps and classes, as
 * readers of lines give them, have three axes; one side of such a map is not twice as coarse as the
 * other. */
static bool is_map(const struct pl_db_net *d, const struct pl_tensor *t)
{
    const int64_t width = d->in.dims[COLUMNS], height = d->in.dims[ROWS];
    if (t->type != PL_F32 || t->rank < RANK - 1 || !pl_tensor_count(t))
        return false;
    const int64_t w = t->dims[t->rank - 1], h = t->dims[t->rank - 2];
    return w <= width && h <= height &&
           (t->rank >= RANK || (width * h < 2 * height * w && height * w < 2 * width * h));
}

static platen_status read_map(const struct pl_db_net *d, struct pl_db_map *ret,
                              struct platen_error *err)
{
    const struct pl_tensor *t = pl_session_output(d->session, 0);
    if (!is_map(d, t))
        return pl_fail(err, PLATEN_ERR_ARG,
                       "no detector of text: its output is not a float32 map of the picture");
    ret->text = t->data;
    ret->width = (int)t->dims[t->rank - 1];
    ret->height = (int)t->dims[t->rank - 2];
    return PLATEN_OK;
}

platen_status pl_db_net_try(struct pl_db_net *d, struct pl_db_map *ret, struct platen_error *err)
{
    const struct pl_image none = {0};
    platen_status s = reserve(d, side_of(d->fixed_width, TRIAL).whole,
                              side_of(d->fixed_height, TRIAL).whole, err);
    if (s)
        return s;
    fill(d, &none);
    s = pl_session_run(d->session, &d->in, err);
    return s ? s : read_map(d, ret, err);
}

platen_status pl_db_net_run(struct pl_db_net *d, const struct pl_env *env,
                            const struct pl_image *gray, struct pl_db_map *ret,
                            struct platen_error *err)
{
    pl_auto_image small = {0};
    double scale = PL_MIN((double)(d->fixed_width ? d->fixed_width : d->side) / gray->width,
                          (double)(d->fixed_height ? d->fixed_height : d->side) / gray->height);
    scale = PL_MIN(scale, 1.0);
    struct side w = side_of(d->fixed_width, gray->width * scale);
    struct side h = side_of(d->fixed_height, gray->height * scale);
    platen_status s = reserve(d, w.whole, h.whole, err);
    s = s ? s : pl_resample(env, gray, w.used, h.used, &small, err);
    if (s)
        return s;
    fill(d, &small);
    s = pl_session_run(d->session, &d->in, err);
    s = s ? s : read_map(d, ret, err);
    if (s)
        return s;
    ret->scale_x = (double)w.whole / ret->width * gray->width / w.used;
    ret->scale_y = (double)h.whole / ret->height * gray->height / h.used;
    return PLATEN_OK;
}
