/* SPDX-License-Identifier: BSD-2-Clause */
#include "image/smooth.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define STRIP_ROWS 64
#define ONE 16384 /* of the kernel resize_rows */
#define MAX_RADIUS 150
#define MAX_TAPS (2 * MAX_RADIUS + 1)

_Static_assert(MAX_RADIUS >= 3 * PL_GAUSS_MAX_SIGMA, "the largest filter must fit");

struct filter;
typedef void row_fn(const struct filter *f, int worker, int y);

struct filter {
    const struct pl_env *env;
    const struct pl_image *src, *dst;
    row_fn *row;
    int radius;
    int16_t weights[MAX_TAPS];
    uint8_t *wide; /* of each worker: a row and `radius` pixels at both ends */
    size_t wide_bytes;
};

/* Rows y - radius .. y + radius, those of the edges repeating. */
static void rows_around(const struct filter *f, int y, int radius, const uint8_t **rows)
{
    for (int d = -radius; d <= radius; d++)
        rows[d + radius] = pl_image_row(f->src, PL_CLAMP(y + d, 0, f->src->height - 1));
}

static void median_row(const struct filter *f, int worker, int y)
{
    (void)worker;
    const uint8_t *rows[3];
    rows_around(f, y, 1, rows);
    f->env->k->median3_row(pl_image_row(f->dst, y), rows, (size_t)f->src->width);
}

static void binomial_row(const struct filter *f, int worker, int y)
{
    (void)worker;
    const uint8_t *rows[5];
    rows_around(f, y, 2, rows);
    f->env->k->binomial5_row(pl_image_row(f->dst, y), rows, (size_t)f->src->width);
}

/* The same kernel both ways: the taps of a row are the row itself, each a pixel further on. */
static void gauss_row(const struct filter *f, int worker, int y)
{
    const uint8_t *rows[MAX_TAPS];
    size_t n = (size_t)f->src->width, r = (size_t)f->radius, taps = 2 * r + 1;
    uint8_t *wide = f->wide + (size_t)worker * f->wide_bytes, *middle = wide + r;
    rows_around(f, y, f->radius, rows);
    f->env->k->resize_rows(middle, rows, f->weights, taps, n);
    memset(wide, middle[0], r);
    memset(middle + n, middle[n - 1], r);
    for (size_t j = 0; j < taps; j++)
        rows[j] = wide + j;
    f->env->k->resize_rows(pl_image_row(f->dst, y), rows, f->weights, taps, n);
}

static void filter_strip(void *ctx, int worker, size_t strip)
{
    const struct filter *f = ctx;
    int y0 = (int)strip * STRIP_ROWS, y1 = PL_MIN(y0 + STRIP_ROWS, f->src->height);
    for (int y = y0; y < y1; y++)
        f->row(f, worker, y);
}

static platen_status smooth_image(struct filter *f, struct pl_image *ret, struct platen_error *err)
{
    assert(f->src->format == PL_GRAY8);
    pl_auto_image out = {0};
    const struct pl_image *im = f->src;
    platen_status s = pl_image_init(f->env, im->width, im->height, PL_GRAY8, &out, err);
    if (s)
        return s;
    out.bilevel = im->bilevel && f->row == median_row; /* it invents no grey */
    out.dpi_x = im->dpi_x;
    out.dpi_y = im->dpi_y;
    f->dst = &out;
    pl_pool_for(f->env->pool, ((size_t)im->height + STRIP_ROWS - 1) / STRIP_ROWS, filter_strip, f);
    *ret = pl_image_ref(&out);
    return PLATEN_OK;
}

platen_status pl_median3(const struct pl_env *env, const struct pl_image *im, struct pl_image *ret,
                         struct platen_error *err)
{
    struct filter f = {.env = env, .src = im, .row = median_row};
    return smooth_image(&f, ret, err);
}

/* Rounding the running sum, not each weight, keeps their total exact; from the middle outward on
 * both sides alike. */
static void fill_weights(struct filter *f, double sigma)
{
    double total = 0, sum = 0;
    int before = 0;
    for (int d = -f->radius; d <= f->radius; d++)
        total += exp(-.5 * d * d / (sigma * sigma));
    for (int d = f->radius; d > 0; d--) {
        sum += exp(-.5 * d * d / (sigma * sigma));
        int half = (int)lrint(sum / total * ONE);
        f->weights[f->radius - d] = f->weights[f->radius + d] = (int16_t)(half - before);
        before = half;
    }
    f->weights[f->radius] = (int16_t)(ONE - 2 * before);
}

platen_status pl_gauss(const struct pl_env *env, const struct pl_image *im, double sigma,
                       struct pl_image *ret, struct platen_error *err)
{
    assert(sigma > 0);
    struct filter f = {.env = env, .src = im, .row = binomial_row};
    if (fabs(sigma - 1) < 1e-9)
        return smooth_image(&f, ret, err);
    f.row = gauss_row;
    f.radius = (int)ceil(3 * sigma);
    fill_weights(&f, sigma);
    f.wide_bytes = (size_t)im->width + 2 * (size_t)f.radius;
    size_t bytes = f.wide_bytes * (env->pool ? (size_t)pl_pool_workers(env->pool) : 1);
    f.wide = pl_bufpool_get(env->bufs, bytes);
    if (!f.wide)
        return pl_fail_nomem(err, bytes, "a row of a Gaussian");
    platen_status s = smooth_image(&f, ret, err);
    pl_bufpool_put(env->bufs, f.wide, bytes);
    return s;
}
