/* SPDX-License-Identifier: BSD-2-Clause */
/* Ink grown, shrunk, or both in turn; black and white pages by packed bits. */
#include "image/morph.h"
#include "preprocess/ops.h"

struct morph_args {
    enum { CLOSE, OPEN, DILATE, ERODE } mode;
    int width_px, height_px;
};

/* What they are to ink, and to grey, where ink is the smaller value. */
static const enum pl_morph
    of_ink[] = {[CLOSE] = PL_CLOSE, [OPEN] = PL_OPEN, [DILATE] = PL_DILATE, [ERODE] = PL_ERODE},
    of_gray[] = {[CLOSE] = PL_OPEN, [OPEN] = PL_CLOSE, [DILATE] = PL_ERODE, [ERODE] = PL_DILATE};

static const struct pl_param params[] = {
    {.name = "mode",
     PL_PARAM(struct morph_args, mode),
     .choices =
         (const char *const[]){
             [CLOSE] = "close", [OPEN] = "open", [DILATE] = "dilate", [ERODE] = "erode", NULL},
     .help = "of the ink; close: gaps in it are filled, open: what is too small for the rectangle "
             "goes"},
    {.name = "width",
     PL_PARAM(struct morph_args, width_px),
     .min = 1,
     .max = 1000,
     .def = 2,
     .unit = "px",
     .help = "of the rectangle"},
    {.name = "height",
     PL_PARAM(struct morph_args, height_px),
     .min = 1,
     .max = 1000,
     .def = 2,
     .unit = "px",
     .help = "of the rectangle"},
};

static platen_status bits(const struct pl_env *env, const struct pl_image *im,
                          const struct morph_args *a, struct pl_image *ret,
                          struct platen_error *err)
{
    pl_auto_bits in = {0}, out = {0};
    platen_status s = pl_bits_from_image(env, im, 127, &in, err);
    if (!s)
        s = pl_morph_bits(env, &in, of_ink[a->mode], a->width_px, a->height_px, &out, err);
    return s ? s : pl_bits_to_image(env, &out, ret, err);
}

static platen_status filter(const struct pl_env *env, const struct pl_image *im, void *ctx,
                            struct pl_image *ret, struct platen_error *err)
{
    const struct morph_args *a = ctx;
    if (!im->bilevel)
        return pl_morph_image(env, im, of_gray[a->mode], a->width_px, a->height_px, ret, err);
    platen_status s = bits(env, im, a, ret, err);
    if (s)
        return s;
    ret->dpi_x = im->dpi_x;
    ret->dpi_y = im->dpi_y;
    return PLATEN_OK;
}

static platen_status morph_run(const struct pl_env *env, struct pl_page_image *page,
                               const void *args, struct platen_error *err)
{
    struct morph_args copy = *(const struct morph_args *)args;
    platen_status s = pl_page_make_gray(env, page, err);
    return s ? s : pl_page_transform(env, page, filter, &copy, &PL_AFFINE_IDENTITY, err);
}

const struct pl_preprocess_op pl_op_morph = {
    .info = {"morph", "grows or shrinks ink by a rectangle, or both in turn (made grey)",
             PL_TAKES(params, struct morph_args)},
    .px_bytes = 6,
    .run = morph_run,
};
