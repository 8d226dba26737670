/* SPDX-License-Identifier: BSD-2-Clause */
#include "image/resample.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define ONE 16384 /* of the kernels resize_rows and resize_cols */

/* One axis: new pixel i is the sum of old pixels start[i] + j times weights[i * taps + j]. */
struct resample_axis {
    size_t n_old, n_new, taps;
    int32_t *start;
    int16_t *weights;
    void *memory; /* of both arrays, from the pool */
    size_t bytes;
};

/* Weights of the old pixels under [a, b), which spans at most `taps` of them. Rounding the running
 * sum, not each weight, keeps their total exact however many there are. */
static void area_weights(const struct resample_axis *x, double a, double b, int32_t *start,
                         int16_t *w)
{
    size_t first = PL_MIN((size_t)a, x->n_old - x->taps);
    long before = 0;
    for (size_t j = 0; j < x->taps; j++) {
        double covered = PL_CLAMP((double)(first + j + 1) - a, 0, b - a) / (b - a);
        long sum = j + 1 == x->taps ? ONE : lrint(covered * ONE);
        w[j] = (int16_t)(sum - before);
        before = sum;
    }
    *start = (int32_t)first;
}

static void linear_weights(const struct resample_axis *x, double center, int32_t *start, int16_t *w)
{
    double last = (double)x->n_old - 1, at = PL_CLAMP(center, 0, last);
    size_t first = PL_MIN((size_t)at, x->n_old - x->taps);
    long right = lrint((at - (double)first) * ONE);
    if (x->taps == 2)
        w[1] = (int16_t)right;
    w[0] = (int16_t)(x->taps == 2 ? ONE - right : ONE);
    *start = (int32_t)first;
}

static void fill_weights(struct resample_axis *x)
{
    double scale = (double)x->n_old / (double)x->n_new;
    for (size_t i = 0; i < x->n_new; i++) {
        int16_t *w = x->weights + i * x->taps;
        if (x->n_new < x->n_old)
            area_weights(x, (double)i * scale, (double)(i + 1) * scale, &x->start[i], w);
        else
            linear_weights(x, ((double)i + 0.5) * scale - 0.5, &x->start[i], w);
    }
}

static platen_status axis_init(const struct pl_env *env, int n_old, int n_new,
                               struct resample_axis *ret, struct platen_error *err)
{
    struct resample_axis x = {.n_old = (size_t)n_old, .n_new = (size_t)n_new};
    /* areas that begin between two pixels reach into one more */
    size_t area = (size_t)((n_old + n_new - 1) / n_new) + (n_old % n_new != 0);
    size_t taps = n_new < n_old ? area : 2;
    x.taps = PL_MIN(taps, x.n_old);
    x.bytes = x.n_new * (sizeof(*x.start) + x.taps * sizeof(*x.weights));
    x.memory = pl_bufpool_get(env->bufs, x.bytes);
    if (!x.memory)
        return pl_fail_nomem(err, x.bytes, "the weights of a resize");
    x.start = x.memory;
    x.weights = (int16_t *)(x.start + x.n_new);
    fill_weights(&x);
    *ret = x;
    return PLATEN_OK;
}

static void axis_done(const struct pl_env *env, struct resample_axis *x)
{
    pl_bufpool_put(env->bufs, x->memory, x->bytes);
}

/* Old rows to a new one. */
struct row_maker {
    const struct pl_env *env;
    const struct pl_image *im;
    struct resample_axis axis; /* without weights where there are as many new rows as old ones */
    const uint8_t **rows;      /* the old rows of a new one, then the new row */
    size_t bytes;
};

static platen_status row_maker_init(const struct pl_env *env, const struct pl_image *im, int height,
                                    struct row_maker *ret, struct platen_error *err)
{
    struct row_maker m = {.env = env, .im = im};
    if (height != im->height) {
        platen_status s = axis_init(env, im->height, height, &m.axis, err);
        if (s)
            return s;
        m.bytes = m.axis.taps * sizeof(*m.rows) + (size_t)im->width;
        m.rows = pl_bufpool_get(env->bufs, m.bytes);
        if (!m.rows) {
            axis_done(env, &m.axis);
            return pl_fail_nomem(err, m.bytes, "the rows of a resize");
        }
    }
    *ret = m;
    return PLATEN_OK;
}

static void row_maker_done(struct row_maker *m)
{
    if (!m->rows)
        return;
    pl_bufpool_put(m->env->bufs, m->rows, m->bytes);
    axis_done(m->env, &m->axis);
}

/* Returns new row y, which lasts until the next one is made. */
static const uint8_t *make_row(const struct row_maker *m, int y)
{
    const struct resample_axis *x = &m->axis;
    if (!m->rows)
        return pl_image_row(m->im, y);
    uint8_t *row = (uint8_t *)(m->rows + x->taps);
    for (size_t j = 0; j < x->taps; j++)
        m->rows[j] = pl_image_row(m->im, x->start[y] + (int)j);
    m->env->k->resize_rows(row, m->rows, x->weights + (size_t)y * x->taps, x->taps,
                           (size_t)m->im->width);
    return row;
}

/* Row by row, so that a row goes through both axes in the cache. */
static platen_status scale_axes(const struct pl_env *env, const struct pl_image *im, int width,
                                int height, struct pl_image *ret, struct platen_error *err)
{
    struct resample_axis x;
    struct row_maker m = {0};
    platen_status s = axis_init(env, im->width, width, &x, err);
    if (s)
        return s;
    s = row_maker_init(env, im, height, &m, err);
    s = s ? s : pl_image_init(env, width, height, PL_GRAY8, ret, err);
    for (int y = 0; y < height && !s; y++)
        env->k->resize_cols(pl_image_row(ret, y), make_row(&m, y), x.start, x.weights, x.taps,
                            x.n_new);
    row_maker_done(&m);
    axis_done(env, &x);
    return s;
}

/* Both axes by half: areas of 2 x 2 pixels, rounded once. */
static platen_status halve(const struct pl_env *env, const struct pl_image *im,
                           struct pl_image *ret, struct platen_error *err)
{
    platen_status s = pl_image_init(env, im->width / 2, im->height / 2, PL_GRAY8, ret, err);
    for (int y = 0; !s && y < ret->height; y++)
        env->k->halve_rows(pl_image_row(ret, y), pl_image_row(im, 2 * y),
                           pl_image_row(im, 2 * y + 1), (size_t)ret->width);
    return s;
}

static platen_status scale(const struct pl_env *env, const struct pl_image *im, int width,
                           int height, struct pl_image *ret, struct platen_error *err)
{
    if (im->width == 2 * width && im->height == 2 * height)
        return halve(env, im, ret, err);
    return scale_axes(env, im, width, height, ret, err);
}

platen_status pl_resample(const struct pl_env *env, const struct pl_image *im, int width,
                          int height, struct pl_image *ret, struct platen_error *err)
{
    assert(im->format == PL_GRAY8 && width > 0 && height > 0);
    struct pl_image out = {0};
    platen_status s = scale(env, im, width, height, &out, err);
    if (s)
        return s;
    out.dpi_x = im->dpi_x * (float)width / (float)im->width;
    out.dpi_y = im->dpi_y * (float)height / (float)im->height;
    *ret = out;
    return PLATEN_OK;
}
