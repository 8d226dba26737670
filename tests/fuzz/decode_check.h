/* SPDX-License-Identifier: BSD-2-Clause */
/* What must hold for any bytes that pl_image_load() is given; shared by the decoder targets. */
#ifndef DECODE_CHECK_H
#define DECODE_CHECK_H

#include <stdlib.h>
#include <string.h>

#include "codec/stored.h"

#define MAX_PIXELS ((uint64_t)1 << 18) /* a run stays short */

static inline void require(bool ok)
{
    if (!ok)
        abort();
}

/* Every byte can be read, bilevel is no lie, and PNG keeps the picture. */
static inline void check_picture(const struct pl_env *env, const struct pl_image *im)
{
    struct pl_str png = {0};
    struct pl_image back = {0};
    struct pl_load_options opt = {.max_pixels = MAX_PIXELS};
    require(im->width > 0 && im->height > 0);
    require((uint64_t)im->width * (uint64_t)im->height <= MAX_PIXELS);
    require(!pl_png_encode(im, &png, NULL));
    require(!pl_image_load(env, (const uint8_t *)png.s, png.len, &opt, &back, NULL));
    require(back.width == im->width && back.height == im->height && back.format == im->format);
    for (int y = 0; y < im->height; y++)
        require(!memcmp(pl_image_row(im, y), pl_image_row(&back, y),
                        (size_t)im->width * (size_t)im->format));
    pl_image_done(&back);
    pl_str_done(&png);
}

/* The header told the size, as it is before the picture is turned. */
static inline void check_size(const uint8_t *data, size_t n, const struct pl_load_options *opt,
                              const struct pl_image *im)
{
    struct pl_image_info info;
    require(!pl_image_probe(data, n, opt, &info, NULL));
    require((im->width == info.width && im->height == info.height) ||
            (im->width == info.height && im->height == info.width));
}

/* What can be copied into a PDF lies in the file, or in memory of its own, and is a picture of that
 * size. */
static inline void check_stored(const uint8_t *data, size_t n, const struct pl_load_options *opt,
                                const struct pl_image *im)
{
    struct pl_stored p;
    struct pl_str copy = {0};
    if (!pl_image_stored(NULL, data, n, opt, &p))
        return;
    require(p.form != PL_STORED_NONE && p.turn >= 1 && p.turn <= 8);
    require(p.own || (p.data >= data && p.n <= n && p.data <= data + n - p.n));
    require(p.n_shared == 0 || p.shared == p.data + p.n);
    require(!p.palette || (p.palette >= data && p.palette + 3 * p.n_colors <= data + n));
    require(im->width == (p.turn > 4 ? p.height : p.width));
    require(im->height == (p.turn > 4 ? p.width : p.height));
    pl_stored_put(&p, &copy);
    require(copy.len == p.bytes);
    pl_str_done(&copy);
    pl_stored_done(&p);
}

/* page as in struct pl_load_options */
static inline void check_load(const uint8_t *data, size_t n, int page)
{
    struct pl_kernels k;
    pl_kernels_init(&k, PL_ISA_SCALAR);
    struct pl_env env = {.k = &k, .bufs = pl_bufpool_new()};
    require(env.bufs != NULL);
    for (int gray = 0; gray < 2; gray++) {
        struct pl_image im = {0};
        struct platen_error err = {0};
        struct pl_flaw flaw = {.text = ""};
        struct pl_load_options opt = {
            .gray = gray, .max_pixels = MAX_PIXELS, .page = page, .ret_flaw = &flaw};
        if (pl_image_load(&env, data, n, &opt, &im, &err))
            require(err.text[0] && !im.store && !im.px);
        else {
            require(!flaw.damaged || flaw.text[0]);
            require(flaw.lost_share >= 0 && flaw.lost_share <= 0.9);
            check_size(data, n, &opt, &im);
            check_picture(&env, &im);
            if (!flaw.damaged) /* such a one is not copied */
                check_stored(data, n, &opt, &im);
        }
        pl_image_done(&im);
    }
    const size_t next = pl_image_next(data, n);
    require(next <= n && (next || !n));
    struct pl_image_info info;
    if (!pl_image_probe(data, n, NULL, &info, NULL))
        require(info.width > 0 && info.height > 0 && info.channels >= 1 && info.channels <= 4);
    pl_bufpool_free(env.bufs);
}

/* The bytes as one picture, and as the first pages of several. */
static inline void check_pages(const uint8_t *data, size_t n)
{
    struct pl_pages pages;
    check_load(data, n, 0);
    if (!pl_image_pages(data, n, &pages, NULL))
        require(pages.n >= 1);
    for (int page = 1; page <= PL_MIN(pages.n, 3); page++)
        check_load(data, n, page);
    pl_pages_done(&pages);
}

#endif
