/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations that move pixels: both pictures of the page move together, and to_input follows. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "image/resample.h"
#include "preprocess/ops.h"

#define STRIP_ROWS 64
#define TILE 128
#define CHUNK_PX 4096 /* the step from pixel to pixel is rounded: begin anew before it matters */
#define WHITE 255
#define BLACK 127 /* and what is darker, of a bilevel page that was interpolated */
#define MODEST 4  /* times as many pixels as before, or MODEST_PX of them */
#define MODEST_PX 4e6
#define PAPER_ROWS 256 /* that the grey of paper is taken from */

platen_status pl_page_make_gray(const struct pl_env *env, struct pl_page_image *page,
                                struct platen_error *err)
{
    if (page->image.format == PL_GRAY8)
        return PLATEN_OK;
    pl_auto_image gray = {0};
    platen_status s = pl_image_to_gray(env, &page->image, &gray, err);
    if (!s)
        pl_page_image_replace(page, &gray);
    return s;
}

platen_status pl_page_copy_image(const struct pl_env *env, const struct pl_image *im,
                                 struct pl_image *ret, struct platen_error *err)
{
    platen_status s = pl_image_init(env, im->width, im->height, im->format, ret, err);
    if (s)
        return s;
    ret->bilevel = im->bilevel;
    ret->dpi_x = im->dpi_x;
    ret->dpi_y = im->dpi_y;
    for (int y = 0; y < im->height; y++)
        memcpy(pl_image_row(ret, y), pl_image_row(im, y), (size_t)im->width * (size_t)im->format);
    return PLATEN_OK;
}

static platen_status own(const struct pl_env *env, struct pl_image *im, struct platen_error *err)
{
    struct pl_image copy;
    if (!im->store || !pl_image_is_shared(im))
        return PLATEN_OK;
    platen_status s = pl_page_copy_image(env, im, &copy, err);
    if (!s) {
        pl_image_done(im);
        *im = copy;
    }
    return s;
}

platen_status pl_page_own_pixels(const struct pl_env *env, struct pl_page_image *page,
                                 struct platen_error *err)
{
    pl_page_image_forget_ink(page);
    platen_status s = own(env, &page->image, err);
    return s ? s : own(env, &page->gray, err);
}

platen_status pl_page_transform(const struct pl_env *env, struct pl_page_image *page,
                                pl_geometry_fn *fn, void *ctx, const struct pl_affine *to_old,
                                struct platen_error *err)
{
    pl_auto_image image = {0}, gray = {0};
    bool twins = page->gray.store && page->gray.px == page->image.px; /* keep_gray() */
    platen_status s = twins ? PLATEN_OK : fn(env, &page->image, ctx, &image, err);
    if (!s && page->gray.store)
        s = fn(env, &page->gray, ctx, &gray, err);
    if (!s && twins)
        s = pl_binarize_level(env, &gray, BLACK, &image, err);
    if (s)
        return s;
    assert(!gray.store || (gray.width == image.width && gray.height == image.height));
    pl_page_image_done(page);
    page->image = pl_image_ref(&image);
    page->gray = pl_image_ref(&gray);
    page->to_input = pl_affine_chain(to_old, &page->to_input);
    return PLATEN_OK;
}

static platen_status view(const struct pl_env *env, const struct pl_image *im, void *ctx,
                          struct pl_image *ret, struct platen_error *err)
{
    (void)env;
    (void)err;
    *ret = pl_image_view(im, *(const struct pl_rect *)ctx);
    return PLATEN_OK;
}

platen_status pl_page_crop(const struct pl_env *env, struct pl_page_image *page,
                           struct pl_rect part, struct platen_error *err)
{
    struct pl_affine to_old = {1, 0, part.x0, 0, 1, part.y0};
    return pl_page_transform(env, page, view, &part, &to_old, err);
}

/* Before pixels are interpolated: a black and white page without a grey picture gets one, so that
 * the soft edges that come of it are there for reading. */
static void keep_gray(struct pl_page_image *page)
{
    if (!page->image.bilevel || page->gray.store)
        return;
    page->gray = pl_image_ref(&page->image);
    page->gray.bilevel = false;
}

struct page_turn {
    struct pl_affine to_old; /* pixels of the new picture to pixels of the old one */
    int width, height;       /* of the new picture */
    int quarters;            /* 1..3: an exact quarter turn clockwise; 0: not one */
};

struct warp {
    const struct pl_env *env;
    const struct page_turn *turn;
    const struct pl_image *src, *dst;
    uint8_t around; /* what lies outside the old picture */
};

/* The median grey, which is the paper: white beside darker paper would make an edge, and edges are
 * taken for ink. Some hundred rows are enough. */
static uint8_t paper_of(const struct pl_env *env, const struct pl_image *im)
{
    uint32_t hist[256] = {0};
    uint64_t seen = 0;
    int v = 0, step = PL_MAX(im->height / PAPER_ROWS, 1), rows = (im->height + step - 1) / step;
    uint64_t total = (uint64_t)rows * (uint64_t)im->width;
    if (im->bilevel)
        return WHITE;
    env->k->hist_u8(hist, im->px, im->stride_bytes * (size_t)step, (size_t)im->width, (size_t)rows);
    while ((seen += hist[v]) * 2 < total)
        v++;
    return (uint8_t)v;
}

static int64_t fixed16(double v)
{
    return llround(v * 65536);
}

static void warp_strip(void *ctx, int worker, size_t strip)
{
    (void)worker;
    const struct warp *w = ctx;
    const struct pl_affine *m = &w->turn->to_old;
    int y0 = (int)strip * STRIP_ROWS, y1 = PL_MIN(y0 + STRIP_ROWS, w->dst->height);
    for (int y = y0; y < y1; y++) {
        uint8_t *row = pl_image_row(w->dst, y);
        for (int x = 0; x < w->dst->width; x += CHUNK_PX) {
            struct pl_point p = pl_affine_apply(m, x + 0.5, y + 0.5);
            size_t n = (size_t)PL_MIN(CHUNK_PX, w->dst->width - x);
            w->env->k->warp_row(row + x, n, w->src->px, w->src->stride_bytes, w->src->width,
                                w->src->height, fixed16(p.x - 0.5), fixed16(p.y - 0.5),
                                fixed16(m->a), fixed16(m->d), w->around);
        }
        if (w->dst->bilevel)
            w->env->k->threshold_u8(row, row, (size_t)w->dst->width, BLACK);
    }
}

/* Columns become rows, tile by tile so that both sides stay in the cache. */
static void transpose(const struct pl_env *env, const struct pl_image *dst,
                      const struct pl_image *src)
{
    for (int y = 0; y < src->height; y += TILE)
        for (int x = 0; x < src->width; x += TILE)
            env->k->transpose_u8(pl_image_row(dst, x) + y, dst->stride_bytes,
                                 pl_image_row(src, y) + x, src->stride_bytes,
                                 (size_t)PL_MIN(TILE, src->width - x),
                                 (size_t)PL_MIN(TILE, src->height - y));
}

platen_status pl_image_transpose(const struct pl_env *env, const struct pl_image *im,
                                 struct pl_image *ret, struct platen_error *err)
{
    platen_status s = pl_image_init(env, im->height, im->width, PL_GRAY8, ret, err);
    if (s)
        return s;
    transpose(env, ret, im);
    ret->bilevel = im->bilevel;
    ret->dpi_x = im->dpi_y;
    ret->dpi_y = im->dpi_x;
    return PLATEN_OK;
}

static void reverse(uint8_t *row, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        uint8_t v = row[i];
        row[i] = row[n - 1 - i];
        row[n - 1 - i] = v;
    }
}

static void swap_rows(const struct pl_image *im, int a, int b)
{
    uint8_t kept[4096], *p = pl_image_row(im, a), *q = pl_image_row(im, b);
    for (size_t n = (size_t)im->width, at = 0, m; at < n; at += m) {
        m = PL_MIN(n - at, sizeof(kept));
        memcpy(kept, p + at, m);
        memcpy(p + at, q + at, m);
        memcpy(q + at, kept, m);
    }
}

/* Clockwise is a transposition with its rows read backward, counter-clockwise one with the rows in
 * the opposite order, half a turn both without the transposition. */
static platen_status turn_quarters(const struct pl_env *env, const struct pl_image *im,
                                   int quarters, struct pl_image *ret, struct platen_error *err)
{
    assert(quarters >= 1 && quarters <= 3);
    platen_status s = quarters == 2 ? pl_page_copy_image(env, im, ret, err)
                                    : pl_image_transpose(env, im, ret, err);
    if (s)
        return s;
    for (int y = 0; quarters != 3 && y < ret->height; y++)
        reverse(pl_image_row(ret, y), (size_t)ret->width);
    for (int y = 0; quarters != 1 && y < ret->height / 2; y++)
        swap_rows(ret, y, ret->height - 1 - y);
    return PLATEN_OK;
}

static platen_status turn_image(const struct pl_env *env, const struct pl_image *im, void *ctx,
                                struct pl_image *ret, struct platen_error *err)
{
    const struct page_turn *t = ctx;
    if (t->quarters)
        return turn_quarters(env, im, t->quarters, ret, err);
    platen_status s = pl_image_init(env, t->width, t->height, PL_GRAY8, ret, err);
    if (s)
        return s;
    ret->bilevel = im->bilevel;
    ret->dpi_x = im->dpi_x;
    ret->dpi_y = im->dpi_y;
    struct warp w = {env, t, im, ret, paper_of(env, im)};
    pl_pool_for(env->pool, ((size_t)t->height + STRIP_ROWS - 1) / STRIP_ROWS, warp_strip, &w);
    return PLATEN_OK;
}

/* Clockwise by the angle: a new pixel's place in the old picture is itself turned back. */
static struct page_turn plan_turn(const struct pl_image *im, double angle_deg, bool expand)
{
    double quarters = angle_deg / 90, rad = angle_deg * M_PI / 180, c = cos(rad), s = sin(rad);
    struct page_turn t = {0};
    if (quarters == floor(quarters)) {
        t.quarters = (int)(((long)quarters % 4 + 4) % 4);
        c = t.quarters == 0 ? 1 : t.quarters == 2 ? -1 : 0;
        s = t.quarters == 1 ? 1 : t.quarters == 3 ? -1 : 0;
    }
    double w = im->width, h = im->height;
    t.width = (int)ceil(fabs(c) * w + fabs(s) * h - 1e-6);
    t.height = (int)ceil(fabs(s) * w + fabs(c) * h - 1e-6);
    if (!expand && (t.width != im->width || t.height != im->height)) {
        t.width = im->width;
        t.height = im->height;
        t.quarters = 0;
    }
    t.to_old = (struct pl_affine){c, s, 0, -s, c, 0};
    struct pl_point middle = pl_affine_apply(&t.to_old, t.width / 2.0, t.height / 2.0);
    t.to_old.c = w / 2 - middle.x;
    t.to_old.f = h / 2 - middle.y;
    return t;
}

bool pl_page_turn_is_modest(const struct pl_env *env, const struct pl_page_image *page,
                            double angle_deg)
{
    const struct pl_image *im = &page->image;
    struct page_turn t = plan_turn(im, angle_deg, true);
    double px = (double)t.width * t.height, before = (double)im->width * im->height;
    return pl_env_allows(env, t.width, t.height) && px <= PL_MAX(MODEST * before, MODEST_PX);
}

platen_status pl_page_turn(const struct pl_env *env, struct pl_page_image *page, double angle_deg,
                           bool expand, struct platen_error *err)
{
    platen_status s = pl_page_make_gray(env, page, err);
    if (s)
        return s;
    struct page_turn t = plan_turn(&page->image, angle_deg, expand);
    if (!t.quarters && t.to_old.a == 1)
        return PLATEN_OK;
    s = pl_env_claim_picture(env, t.width, t.height, err);
    if (s)
        return s;
    if (!t.quarters)
        keep_gray(page);
    return pl_page_transform(env, page, turn_image, &t, &t.to_old, err);
}

struct size {
    int width, height;
};

static platen_status scale_image(const struct pl_env *env, const struct pl_image *im, void *ctx,
                                 struct pl_image *ret, struct platen_error *err)
{
    const struct size *size = ctx;
    platen_status s = pl_resample(env, im, size->width, size->height, ret, err);
    for (int y = 0; !s && im->bilevel && y < ret->height; y++)
        env->k->threshold_u8(pl_image_row(ret, y), pl_image_row(ret, y), (size_t)ret->width, BLACK);
    ret->bilevel = !s && im->bilevel;
    return s;
}

platen_status pl_page_scale(const struct pl_env *env, struct pl_page_image *page, int width,
                            int height, struct platen_error *err)
{
    platen_status s = pl_page_make_gray(env, page, err);
    const struct pl_image *im = &page->image;
    struct size size = {PL_MAX(width, 1), PL_MAX(height, 1)};
    if (s || (size.width == im->width && size.height == im->height))
        return s;
    if (size.width > PL_SCALE_MAX_SIDE || size.height > PL_SCALE_MAX_SIDE)
        return pl_fail(err, PLATEN_ERR_LIMIT, "%d x %d pixels; a side may have %d", size.width,
                       size.height, PL_SCALE_MAX_SIDE);
    s = pl_env_claim_picture(env, size.width, size.height, err);
    if (s)
        return s;
    keep_gray(page);
    struct pl_affine to_old = {(double)im->width / size.width,   0, 0, 0,
                               (double)im->height / size.height, 0};
    return pl_page_transform(env, page, scale_image, &size, &to_old, err);
}
