/* SPDX-License-Identifier: BSD-2-Clause */
#include "preprocess/binarize/binarize.h"

#include <math.h>
#include <string.h>

#define SAUVOLA_DYNAMIC 128.0f
#define STRIP_ROWS 512
#define PAPER 255

platen_status pl_bilevel_init(const struct pl_env *env, const struct pl_image *like,
                              struct pl_image *ret, struct platen_error *err)
{
    platen_status s = pl_image_init(env, like->width, like->height, PL_GRAY8, ret, err);
    if (!s) {
        ret->bilevel = true;
        ret->dpi_x = like->dpi_x;
        ret->dpi_y = like->dpi_y;
    }
    return s;
}

struct local {
    const struct pl_env *env;
    const struct pl_image *im;
    const struct pl_image *out; /* what is made: this, or `bits` */
    const struct pl_bits *bits;
    uint32_t r;
    enum pl_local_method method;
    float k;
    float max_dev, darkest; /* of the page, for Wolf's method */
    float *strip_variance;  /* the largest of each strip; NULL except when they are looked for */
    uint32_t *sums;         /* of each worker: width sums, then width sums of squares */
    uint8_t *rows;          /* of each worker, for bits: a row as bytes */
};

static void local_row(const struct local *l, int worker, int y, const uint32_t *sum,
                      const uint32_t *sumsq, uint32_t rows)
{
    const struct pl_kernels *k = l->env->k;
    size_t n = (size_t)l->im->width;
    uint8_t *out = l->bits ? l->rows + (size_t)worker * n : pl_image_row(l->out, y);
    const uint8_t *src = pl_image_row(l->im, y);
    switch (l->method) {
    case PL_LOCAL_SAUVOLA:
        k->sauvola_row(out, src, sum, sumsq, n, l->r, rows, l->k, SAUVOLA_DYNAMIC);
        break;
    case PL_LOCAL_WOLF:
        k->wolf_row(out, src, sum, sumsq, n, l->r, rows, l->k, l->darkest, l->max_dev);
        break;
    case PL_LOCAL_NICK:
        k->nick_row(out, src, sum, sumsq, n, l->r, rows, -l->k);
        break;
    case PL_LOCAL_MEAN:
        k->mean_row(out, src, sum, n, l->r, rows, (int32_t)lroundf(l->k));
        break;
    }
    if (l->bits)
        k->threshold_bits(pl_bits_row(l->bits, y), out, n, 127);
}

/* The column sums slide down: row y sees the rows y - r .. y + r that there are. They are whole
 * numbers, so that a strip may begin anywhere. */
static void local_strip(void *ctx, int worker, size_t strip)
{
    const struct local *l = ctx;
    const struct pl_image *im = l->im;
    size_t n = (size_t)im->width;
    uint32_t *sum = l->sums + (size_t)worker * 2 * n;
    uint32_t *sumsq = l->method == PL_LOCAL_MEAN ? NULL : sum + n;
    int y0 = (int)strip * STRIP_ROWS, y1 = PL_MIN(y0 + STRIP_ROWS, im->height), r = (int)l->r;
    float most = 0;
    memset(sum, 0, 2 * n * sizeof(*sum));
    for (int y = PL_MAX(y0 - r, 0); y < PL_MIN(y0 + r, im->height); y++)
        l->env->k->colsum_u8(sum, sumsq, pl_image_row(im, y), NULL, n);
    for (int y = y0; y < y1; y++) {
        int enter = y + r, leave = y - r - 1;
        const uint8_t *add = enter < im->height ? pl_image_row(im, enter) : NULL;
        const uint8_t *sub = leave >= 0 && y > y0 ? pl_image_row(im, leave) : NULL;
        if (add || sub)
            l->env->k->colsum_u8(sum, sumsq, add, sub, n);
        uint32_t rows = (uint32_t)(PL_MIN(enter, im->height - 1) - PL_MAX(leave, -1));
        if (!l->strip_variance) {
            local_row(l, worker, y, sum, sumsq, rows);
            continue;
        }
        most = fmaxf(most, l->env->k->maxvar_row(sum, sumsq, n, l->r, rows));
    }
    if (l->strip_variance)
        l->strip_variance[strip] = most;
}

static uint8_t darkest_of(const struct pl_env *env, const struct pl_image *im)
{
    uint32_t hist[256] = {0};
    int v = 0;
    env->k->hist_u8(hist, im->px, im->stride_bytes, (size_t)im->width, (size_t)im->height);
    while (v < 255 && !hist[v])
        v++;
    return (uint8_t)v;
}

static platen_status find_extremes(struct local *l, size_t strips, struct platen_error *err)
{
    size_t bytes = strips * sizeof(float);
    l->darkest = darkest_of(l->env, l->im);
    l->strip_variance = pl_bufpool_get(l->env->bufs, bytes);
    if (!l->strip_variance)
        return pl_fail_nomem(err, bytes, "variances");
    pl_pool_for(l->env->pool, strips, local_strip, l);
    for (size_t i = 0; i < strips; i++)
        l->max_dev = fmaxf(l->max_dev, sqrtf(l->strip_variance[i]));
    pl_bufpool_put(l->env->bufs, l->strip_variance, bytes);
    l->strip_variance = NULL;
    return PLATEN_OK;
}

/* Makes l->out or l->bits, which have their size. */
static platen_status threshold(struct local *l, const struct pl_local_threshold *t,
                               struct platen_error *err)
{
    platen_status s = PLATEN_OK;
    size_t workers = l->env->pool ? (size_t)pl_pool_workers(l->env->pool) : 1;
    size_t width = (size_t)l->im->width, sums = workers * width * 2 * sizeof(uint32_t);
    size_t bytes = sums + (l->bits ? workers * width : 0);
    size_t strips = ((size_t)l->im->height + STRIP_ROWS - 1) / STRIP_ROWS;
    l->r = (uint32_t)t->window_px / 2;
    l->method = t->method;
    l->k = (float)t->k;
    l->sums = pl_bufpool_get(l->env->bufs, bytes);
    if (!l->sums)
        return pl_fail_nomem(err, bytes, "column sums");
    l->rows = (uint8_t *)l->sums + sums;
    if (t->method == PL_LOCAL_WOLF)
        s = find_extremes(l, strips, err);
    if (!s && t->method == PL_LOCAL_WOLF && !(l->max_dev > 0)) /* a flat page: all paper */
        for (int y = 0; y < l->out->height; y++)
            memset(pl_image_row(l->out, y), PAPER, width);
    else if (!s)
        pl_pool_for(l->env->pool, strips, local_strip, l);
    pl_bufpool_put(l->env->bufs, l->sums, bytes);
    return s;
}

platen_status pl_binarize_local(const struct pl_env *env, const struct pl_image *gray,
                                const struct pl_local_threshold *t, struct pl_image *ret,
                                struct platen_error *err)
{
    pl_auto_image out = {0};
    struct local l = {.env = env, .im = gray, .out = &out};
    platen_status s = pl_bilevel_init(env, gray, &out, err);
    if (!s)
        s = threshold(&l, t, err);
    if (s)
        return s;
    *ret = out;
    out = (struct pl_image){0}; /* given away */
    return PLATEN_OK;
}

platen_status pl_binarize_sauvola(const struct pl_env *env, const struct pl_image *gray,
                                  int window_px, double k, struct pl_image *ret,
                                  struct platen_error *err)
{
    struct pl_local_threshold t = {PL_LOCAL_SAUVOLA, window_px, k};
    return pl_binarize_local(env, gray, &t, ret, err);
}

platen_status pl_bits_sauvola(const struct pl_env *env, const struct pl_image *gray, int window_px,
                              double k, struct pl_bits *ret, struct platen_error *err)
{
    pl_auto_bits bits = {0};
    struct pl_local_threshold t = {PL_LOCAL_SAUVOLA, window_px, k};
    struct local l = {.env = env, .im = gray, .bits = &bits};
    platen_status s = pl_bits_init(env, gray->width, gray->height, &bits, err);
    if (!s)
        s = threshold(&l, &t, err);
    if (s)
        return s;
    *ret = bits;
    bits = (struct pl_bits){0}; /* given away */
    return PLATEN_OK;
}

struct pl_otsu pl_otsu_of(const uint32_t hist[256])
{
    double n = 0, sum = 0, squares = 0, below = 0, below_sum = 0, best = 0;
    struct pl_otsu o = {.level = 127};
    for (int i = 0; i < 256; i++) {
        n += hist[i];
        sum += (double)i * hist[i];
        squares += (double)i * i * hist[i];
    }
    o.dark = o.light = sum / n;
    for (int i = 0; i < 255; i++) {
        below += hist[i];
        below_sum += (double)i * hist[i];
        if (!(below > 0) || !(n - below > 0))
            continue;
        double dark = below_sum / below, light = (sum - below_sum) / (n - below), d = dark - light;
        double v = below * (n - below) * d * d;
        if (v > best) {
            best = v;
            o.level = (uint8_t)i;
            o.dark = dark;
            o.light = light;
        }
    }
    if (best > 0)
        o.separation = best / (n * squares - sum * sum);
    return o;
}

struct pl_otsu pl_otsu_find(const struct pl_env *env, const struct pl_image *gray)
{
    uint32_t hist[256] = {0};
    env->k->hist_u8(hist, gray->px, gray->stride_bytes, (size_t)gray->width, (size_t)gray->height);
    return pl_otsu_of(hist);
}

platen_status pl_binarize_level(const struct pl_env *env, const struct pl_image *gray,
                                uint8_t level, struct pl_image *ret, struct platen_error *err)
{
    platen_status s = pl_bilevel_init(env, gray, ret, err);
    for (int y = 0; !s && y < gray->height; y++)
        env->k->threshold_u8(pl_image_row(ret, y), pl_image_row(gray, y), (size_t)gray->width,
                             level);
    return s;
}

platen_status pl_binarize_otsu(const struct pl_env *env, const struct pl_image *gray,
                               struct pl_image *ret, struct platen_error *err)
{
    return pl_binarize_level(env, gray, pl_otsu_find(env, gray).level, ret, err);
}
