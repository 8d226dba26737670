#include "preprocess/binarize.h"

#include <string.h>

#define SAUVOLA_DYNAMIC 128.0f
#define STRIP_ROWS 512

static platen_status new_bilevel(const struct pl_env *env, const struct pl_image *like,
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

struct sauvola {
    const struct pl_env *env;
    const struct pl_image *im, *out;
    int r;
    float k;
    uint32_t *sums; /* of each worker: width sums, then width sums of squares */
};

/* The column sums slide down: row y sees the rows y - r .. y + r that there are. They are whole
 * numbers, so that a strip may begin anywhere. */
static void sauvola_strip(void *ctx, int worker, size_t strip)
{
    const struct sauvola *sv = ctx;
    const struct pl_image *im = sv->im;
    size_t n = (size_t)im->width;
    uint32_t *sum = sv->sums + (size_t)worker * 2 * n, *sumsq = sum + n;
    int y0 = (int)strip * STRIP_ROWS, y1 = PL_MIN(y0 + STRIP_ROWS, im->height), r = sv->r;
    memset(sum, 0, 2 * n * sizeof(*sum));
    for (int y = PL_MAX(y0 - r, 0); y < PL_MIN(y0 + r, im->height); y++)
        sv->env->k->colsum_u8(sum, sumsq, pl_image_row(im, y), NULL, n);
    for (int y = y0; y < y1; y++) {
        int enter = y + r, leave = y - r - 1;
        const uint8_t *add = enter < im->height ? pl_image_row(im, enter) : NULL;
        const uint8_t *sub = leave >= 0 && y > y0 ? pl_image_row(im, leave) : NULL;
        if (add || sub)
            sv->env->k->colsum_u8(sum, sumsq, add, sub, n);
        int rows = PL_MIN(enter, im->height - 1) - PL_MAX(leave, -1);
        sv->env->k->sauvola_row(pl_image_row(sv->out, y), pl_image_row(im, y), sum, sumsq, n,
                                (uint32_t)r, (uint32_t)rows, sv->k, SAUVOLA_DYNAMIC);
    }
}

platen_status pl_binarize_sauvola(const struct pl_env *env, const struct pl_image *gray,
                                  int window_px, double k, struct pl_image *ret,
                                  struct platen_error *err)
{
    pl_auto_image out = {0};
    platen_status s = new_bilevel(env, gray, &out, err);
    if (s)
        return s;
    size_t workers = env->pool ? (size_t)pl_pool_workers(env->pool) : 1;
    size_t bytes = workers * (size_t)gray->width * 2 * sizeof(uint32_t);
    struct sauvola sv = {env,           gray,     &out,
                         window_px / 2, (float)k, pl_bufpool_get(env->bufs, bytes)};
    if (!sv.sums)
        return pl_fail_nomem(err, bytes, "column sums");
    pl_pool_for(env->pool, ((size_t)gray->height + STRIP_ROWS - 1) / STRIP_ROWS, sauvola_strip,
                &sv);
    pl_bufpool_put(env->bufs, sv.sums, bytes);
    *ret = out;
    out = (struct pl_image){0}; /* given away */
    return PLATEN_OK;
}

/* The level that parts the histogram into the two classes with the greatest variance between. */
static uint8_t otsu_level(const uint32_t hist[256])
{
    double n = 0, sum = 0, below = 0, below_sum = 0, best = 0;
    uint8_t level = 127;
    for (int i = 0; i < 256; i++) {
        n += hist[i];
        sum += (double)i * hist[i];
    }
    for (int i = 0; i < 255; i++) {
        below += hist[i];
        below_sum += (double)i * hist[i];
        if (!(below > 0) || !(n - below > 0))
            continue;
        double d = below_sum / below - (sum - below_sum) / (n - below);
        double v = below * (n - below) * d * d;
        if (v > best) {
            best = v;
            level = (uint8_t)i;
        }
    }
    return level;
}

platen_status pl_binarize_otsu(const struct pl_env *env, const struct pl_image *gray,
                               struct pl_image *ret, struct platen_error *err)
{
    uint32_t hist[256] = {0};
    platen_status s = new_bilevel(env, gray, ret, err);
    if (s)
        return s;
    for (int y = 0; y < gray->height; y++)
        env->k->hist_u8(hist, pl_image_row(gray, y), (size_t)gray->width);
    uint8_t level = otsu_level(hist);
    for (int y = 0; y < gray->height; y++)
        env->k->threshold_u8(pl_image_row(ret, y), pl_image_row(gray, y), (size_t)gray->width,
                             level);
    return PLATEN_OK;
}
