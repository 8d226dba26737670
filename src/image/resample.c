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

/* Old rows to new rows. */
static platen_status scale_rows(const struct pl_env *env, const struct pl_image *im, int height,
                                struct pl_image *ret, struct platen_error *err)
{
    if (height == im->height) {
        *ret = pl_image_ref(im);
        return PLATEN_OK;
    }
    struct resample_axis x;
    platen_status s = axis_init(env, im->height, height, &x, err);
    if (s)
        return s;
    const uint8_t **rows = pl_bufpool_get(env->bufs, x.taps * sizeof(*rows));
    s = rows ? pl_image_init(env, im->width, height, PL_GRAY8, ret, err)
             : pl_fail_nomem(err, x.taps * sizeof(*rows), "the rows of a resize");
    for (size_t y = 0; y < x.n_new && !s; y++) {
        for (size_t j = 0; j < x.taps; j++)
            rows[j] = pl_image_row(im, x.start[y] + (int)j);
        env->k->resize_rows(pl_image_row(ret, (int)y), rows, x.weights + y * x.taps, x.taps,
                            (size_t)im->width);
    }
    pl_bufpool_put(env->bufs, rows, x.taps * sizeof(*rows));
    axis_done(env, &x);
    return s;
}

static platen_status scale_columns(const struct pl_env *env, const struct pl_image *im, int width,
                                   struct pl_image *ret, struct platen_error *err)
{
    struct resample_axis x;
    platen_status s = axis_init(env, im->width, width, &x, err);
    if (s)
        return s;
    s = pl_image_init(env, width, im->height, PL_GRAY8, ret, err);
    for (int y = 0; y < im->height && !s; y++)
        env->k->resize_cols(pl_image_row(ret, y), pl_image_row(im, y), x.start, x.weights, x.taps,
                            x.n_new);
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
    pl_auto_image tall = {0};
    if (im->width == 2 * width && im->height == 2 * height)
        return halve(env, im, ret, err);
    platen_status s = scale_rows(env, im, height, &tall, err);
    return s ? s : scale_columns(env, &tall, width, ret, err);
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
