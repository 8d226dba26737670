/* SPDX-License-Identifier: BSD-2-Clause */
/* platen's own side: the kernels by rows, and the functions on whole pictures, with the best level
 * of this machine and with the scalar one. */
#include <string.h>

#include "image/components.h"
#include "image/morph.h"
#include "image/resample.h"
#include "image/smooth.h"
#include "peers.h"
#include "preprocess/binarize/binarize.h"
#include "preprocess/ops.h"

#define WINDOW 31

struct side {
    struct pl_kernels k;
    struct pl_env env;
};

static struct side best, scalar;
static struct platen_error err;

static void check(platen_status s)
{
    if (s)
        peer_fail(err.text);
}

static struct side *side_of(bool simd)
{
    struct side *s = simd ? &best : &scalar;
    if (!s->env.bufs) {
        pl_kernels_init(&s->k, simd ? pl_isa_best() : PL_ISA_SCALAR);
        s->env = (struct pl_env){.k = &s->k, .bufs = pl_bufpool_new()};
    }
    return s;
}

static struct pl_image view(const struct peer_data *d, uint8_t *px, bool bilevel)
{
    return (struct pl_image){.px = px,
                             .stride_bytes = (size_t)d->width,
                             .width = d->width,
                             .height = d->height,
                             .format = PL_GRAY8,
                             .bilevel = bilevel};
}

static struct pl_bits bits_view(const struct peer_data *d)
{
    size_t stride = ((size_t)d->width + 7) / 8;
    return (struct pl_bits){.bytes = {.px = d->bits,
                                      .stride_bytes = stride,
                                      .width = (int)stride,
                                      .height = d->height,
                                      .format = PL_GRAY8},
                            .width = d->width,
                            .height = d->height};
}

/* A whole picture comes back in memory of its own; what is compared is copied outside the timing.
 */
static void keep(const struct peer_data *d, struct pl_image *im, struct peer_result *ret)
{
    size_t n = (size_t)im->width;
    for (int y = 0; ret && y < im->height; y++)
        memcpy(d->out + (size_t)y * n, pl_image_row(im, y), n);
    if (ret)
        ret->n = n * (size_t)im->height;
    pl_image_done(im);
}

static void keep_components(struct pl_components *c, struct peer_result *ret)
{
    if (ret)
        ret->number = (long)c->n;
    pl_components_done(c);
}

static size_t area(const struct peer_data *d)
{
    return (size_t)d->width * (size_t)d->height;
}

static size_t bits_stride(const struct peer_data *d)
{
    return ((size_t)d->width + 7) / 8;
}

#define EACH_ROW(d, y) for (size_t y = 0; y < (size_t)(d)->height; y++)

/* The cases that are one kernel: in one piece, as others take pictures without gaps, or row by row
 * where rows of bits begin at whole bytes. */
static bool run_kernel(const struct pl_kernels *k, enum peer_case c, const struct peer_data *d,
                       struct peer_result *ret)
{
    size_t w = (size_t)d->width, bw = bits_stride(d), n = area(d);
    uint32_t hist[256] = {0}, *sums = (uint32_t *)(void *)d->out;
    switch (c) {
    case CASE_gray_rgb:
        k->gray_rgb(d->out, d->rgb, n);
        break;
    case CASE_gray_rgba:
        k->gray_rgba(d->out, d->rgba, n);
        break;
    case CASE_invert:
        k->invert_u8(d->out, d->gray, n);
        break;
    case CASE_threshold:
        k->threshold_u8(d->out, d->gray, n, 128);
        break;
    case CASE_threshold_bits:
        EACH_ROW(d, y) k->threshold_bits(d->out + y * bw, d->gray + y * w, w, 127);
        n = bw * (size_t)d->height;
        break;
    case CASE_unpack_bits:
        EACH_ROW(d, y) k->unpack_bits(d->out + y * w, d->bits + y * bw, w, 255, 0);
        break;
    case CASE_histogram:
        k->hist_u8(hist, d->gray, n, n, 1);
        memcpy(d->out, hist, n = sizeof(hist));
        break;
    case CASE_row_profile_bits:
        EACH_ROW(d, y) sums[y] = (uint32_t)k->count_bits(d->bits + y * bw, w);
        n = (size_t)d->height * sizeof(*sums);
        break;
    case CASE_column_profile_bits:
        memset(sums, 0, n = w * sizeof(*sums));
        EACH_ROW(d, y) k->colsum_bits(sums, d->bits + y * bw, w);
        break;
    case CASE_normalize:
        k->norm_u8_f32((float *)(void *)d->out, d->gray, n, 127.5f, 1 / 127.5f);
        n = 0; /* others round at other places */
        break;
    default:
        return false;
    }
    if (ret)
        ret->n = n;
    return true;
}

static bool run_threshold(const struct pl_env *env, enum peer_case c, const struct peer_data *d,
                          struct peer_result *ret)
{
    struct pl_image im = view(d, d->gray, false), out = {0};
    struct pl_local_threshold t = {.window_px = WINDOW};
    switch (c) {
    case CASE_otsu:
        check(pl_binarize_otsu(env, &im, &out, &err));
        keep(d, &out, ret);
        return true;
    case CASE_adaptive_mean_31:
        t.method = PL_LOCAL_MEAN;
        t.k = 10;
        break;
    case CASE_sauvola_31:
        t.method = PL_LOCAL_SAUVOLA;
        t.k = 0.34;
        break;
    case CASE_wolf_31:
        t.method = PL_LOCAL_WOLF;
        t.k = 0.5;
        break;
    case CASE_nick_31:
        t.method = PL_LOCAL_NICK;
        t.k = 0.2;
        break;
    default:
        return false;
    }
    check(pl_binarize_local(env, &im, &t, &out, &err));
    keep(d, &out, ret);
    return true;
}

static bool run_filter(const struct pl_env *env, enum peer_case c, const struct peer_data *d,
                       struct peer_result *ret)
{
    struct pl_image im = view(d, d->gray, false), ink = view(d, d->bilevel, true), out = {0};
    int w = d->width, h = d->height;
    switch (c) {
    case CASE_half_size:
        check(pl_resample(env, &im, w / 2, h / 2, &out, &err));
        break;
    case CASE_two_thirds:
        check(pl_resample(env, &im, w * 2 / 3, h * 2 / 3, &out, &err));
        break;
    case CASE_median_3:
        check(pl_median3(env, &im, &out, &err));
        break;
    case CASE_gauss_5:
        check(pl_gauss(env, &im, 1, &out, &err));
        break;
    case CASE_gauss_sigma_5:
        check(pl_gauss(env, &im, 5, &out, &err));
        break;
    case CASE_close_3:
        check(pl_morph_image(env, &ink, PL_CLOSE, 3, 3, &out, &err));
        break;
    case CASE_close_15:
        check(pl_morph_image(env, &ink, PL_CLOSE, 15, 15, &out, &err));
        break;
    case CASE_close_101:
        check(pl_morph_image(env, &ink, PL_CLOSE, 101, 101, &out, &err));
        break;
    default:
        return false;
    }
    keep(d, &out, ret);
    return true;
}

static bool run_turn(const struct pl_env *env, enum peer_case c, const struct peer_data *d,
                     struct peer_result *ret)
{
    if (c != CASE_rotate_1_7 && c != CASE_rotate_90)
        return false;
    struct pl_page_image page = {.image = view(d, d->gray, false), .to_input = PL_AFFINE_IDENTITY};
    check(pl_page_turn(env, &page, c == CASE_rotate_90 ? 90 : 1.7, c == CASE_rotate_90, &err));
    keep(d, &page.image, ret);
    return true;
}

static bool run_bits(const struct pl_env *env, enum peer_case c, const struct peer_data *d,
                     struct peer_result *ret)
{
    struct pl_bits bits = bits_view(d), out = {0};
    switch (c) {
    case CASE_close_bits_3:
        check(pl_morph_bits(env, &bits, PL_CLOSE, 3, 3, &out, &err));
        break;
    case CASE_close_bits_15:
        check(pl_morph_bits(env, &bits, PL_CLOSE, 15, 15, &out, &err));
        break;
    case CASE_close_bits_25_1:
        check(pl_morph_bits(env, &bits, PL_CLOSE, 25, 1, &out, &err));
        break;
    default:
        return false;
    }
    keep(d, &out.bytes, ret);
    return true;
}

static bool run_components(const struct pl_env *env, enum peer_case c, const struct peer_data *d,
                           struct peer_result *ret)
{
    struct pl_components found = {0};
    struct pl_image ink = view(d, d->bilevel, true);
    struct pl_bits bits = bits_view(d);
    if (c == CASE_components)
        check(pl_components_find(env, &ink, &found, &err));
    else if (c == CASE_components_bits)
        check(pl_components_of_bits(env, &bits, &found, &err));
    else
        return false;
    keep_components(&found, ret);
    return true;
}

static bool run_side(const struct side *s, enum peer_case c, const struct peer_data *d,
                     struct peer_result *ret)
{
    return run_kernel(&s->k, c, d, ret) || run_threshold(&s->env, c, d, ret) ||
           run_filter(&s->env, c, d, ret) || run_turn(&s->env, c, d, ret) ||
           run_bits(&s->env, c, d, ret) || run_components(&s->env, c, d, ret);
}

static bool run_best(enum peer_case c, const struct peer_data *d, struct peer_result *ret)
{
    return run_side(side_of(true), c, d, ret);
}

static bool run_scalar(enum peer_case c, const struct peer_data *d, struct peer_result *ret)
{
    return run_side(side_of(false), c, d, ret);
}

const struct peer peer_platen = {"platen", NULL, run_best};
const struct peer peer_scalar = {"platen, scalar", NULL, run_scalar};
