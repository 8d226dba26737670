/* SPDX-License-Identifier: BSD-2-Clause */
/* Paper around the page, or the scanner's dark edges made paper. */
#include <string.h>

#include "image/morph.h"
#include "preprocess/binarize/ink.h"
#include "preprocess/ops.h"
#include "preprocess/clean/clean_tuning.def"

#define WHITE 255
#define INK 0

struct border_args {
    enum { ADD, CLEAR } mode;
    int size_px;
};

static const struct pl_param params[] = {
    {.name = "mode",
     PL_PARAM(struct border_args, mode),
     .choices = (const char *const[]){[ADD] = "add", [CLEAR] = "clear", NULL},
     .help = "add: white paper around; clear: dark ink that runs along an edge becomes paper"},
    {.name = "size",
     PL_PARAM(struct border_args, size_px),
     .min = 0,
     .max = 10000,
     .def = 10,
     .unit = "px",
     .help = "of the added paper, on each side"},
};

static platen_status frame(const struct pl_env *env, const struct pl_image *im, void *ctx,
                           struct pl_image *ret, struct platen_error *err)
{
    int size = *(const int *)ctx;
    size_t bytes = (size_t)im->format;
    platen_status s =
        pl_image_init(env, im->width + 2 * size, im->height + 2 * size, im->format, ret, err);
    if (s)
        return s;
    ret->bilevel = im->bilevel;
    ret->dpi_x = im->dpi_x;
    ret->dpi_y = im->dpi_y;
    for (int y = 0; y < ret->height; y++) {
        memset(pl_image_row(ret, y), WHITE, (size_t)ret->width * bytes);
        if (y >= size && y < size + im->height)
            memcpy(pl_image_row(ret, y) + (size_t)size * bytes, pl_image_row(im, y - size),
                   (size_t)im->width * bytes);
    }
    return PLATEN_OK;
}

/* Ink where the shadows are. */
static platen_status shadow_mask(const struct pl_env *env, const struct pl_ink *ink,
                                 const struct pl_image *like, struct pl_image *ret,
                                 struct platen_error *err)
{
    platen_status s = pl_bilevel_init(env, like, ret, err);
    for (int y = 0; !s && y < ret->height; y++)
        memset(pl_image_row(ret, y), WHITE, (size_t)ret->width);
    for (size_t i = 0; !s && i < ink->cs.n; i++) {
        const struct pl_component *c = &ink->cs.comps[i];
        for (uint32_t j = 0; pl_ink_is_edge_shadow(ink, c) && j < c->n_runs; j++) {
            struct pl_run r = ink->cs.runs[c->first_run + j];
            memset(pl_image_row(ret, r.y) + r.x0, INK, (size_t)(r.x1 - r.x0));
        }
    }
    return s;
}

/* Paper where the shadows are, and of a picture in greys where they fade, up to other ink. */
static platen_status without_shadows(const struct pl_env *env, const struct pl_image *im, void *ctx,
                                     struct pl_image *ret, struct platen_error *err)
{
    const struct pl_ink *ink = ctx;
    pl_auto_image shadow = {0}, around = {0};
    int side = 2 * (PL_MAX(im->width, im->height) / SHADOW_FADE) + 1;
    platen_status s = shadow_mask(env, ink, im, &shadow, err);
    if (!s)
        s = pl_morph_image(env, &shadow, PL_ERODE, im->bilevel ? 1 : side, im->bilevel ? 1 : side,
                           &around, err);
    if (!s)
        s = pl_page_copy_image(env, im, ret, err);
    size_t bytes = (size_t)im->format;
    for (int y = 0; !s && y < im->height; y++) {
        const uint8_t *near = pl_image_row(&around, y), *in = pl_image_row(&shadow, y);
        for (int x = 0; x < im->width; x++)
            if (near[x] == INK && (in[x] == INK || !pl_bits_ink(&ink->bits, x, y)))
                memset(pl_image_row(ret, y) + (size_t)x * bytes, WHITE, bytes);
    }
    return s;
}

/* By Otsu's method, for dark areas. */
static platen_status dark_ink(const struct pl_env *env, const struct pl_page_image *page,
                              struct pl_ink *ret, struct platen_error *err)
{
    pl_auto_image gray = {0};
    platen_status s = pl_page_image_gray(env, page, &gray, err);
    uint8_t level = s || page->image.bilevel ? 127 : pl_otsu_find(env, &gray).level;
    if (!s)
        s = pl_bits_from_image(env, page->image.bilevel ? &page->image : &gray, level, &ret->bits,
                               err);
    return s ? s : pl_components_of_bits(env, &ret->bits, &ret->cs, err);
}

static platen_status clear(const struct pl_env *env, struct pl_page_image *page,
                           struct platen_error *err)
{
    pl_auto_ink ink = {0};
    platen_status s = dark_ink(env, page, &ink, err);
    size_t i = 0;
    while (i < ink.cs.n && !pl_ink_is_edge_shadow(&ink, &ink.cs.comps[i]))
        i++;
    if (s || i == ink.cs.n)
        return s;
    return pl_page_transform(env, page, without_shadows, &ink, &PL_AFFINE_IDENTITY, err);
}

static platen_status border_run(const struct pl_env *env, struct pl_page_image *page,
                                const void *args, struct platen_error *err)
{
    const struct border_args *a = args;
    if (a->mode == CLEAR)
        return clear(env, page, err);
    int size = a->size_px;
    struct pl_affine to_old = {1, 0, -size, 0, 1, -size};
    platen_status s = pl_env_claim_picture(env, page->image.width + 2.0 * size,
                                           page->image.height + 2.0 * size, err);
    if (s)
        return s;
    return pl_page_transform(env, page, frame, &size, &to_old, err);
}

const struct pl_preprocess_op pl_op_border = {
    .info = {"border", "adds white paper around the page, or clears dark scan edges",
             PL_TAKES(params, struct border_args)},
    .color = true,
    .run = border_run,
};
