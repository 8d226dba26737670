/* Ink grown, shrunk, or both in turn; black and white pages by packed bits. */
#include "image/morph.h"
#include "preprocess/ops.h"

static const char *const modes[] = {"close", "open", "dilate", "erode", NULL};

/* What they are to ink, and to grey, where ink is the smaller value. */
static const enum pl_morph of_ink[] = {PL_CLOSE, PL_OPEN, PL_DILATE, PL_ERODE},
                           of_gray[] = {PL_OPEN, PL_CLOSE, PL_ERODE, PL_DILATE};

static const struct pl_param params[] = {
    {.name = "mode",
     .kind = PL_PARAM_CHOICE,
     .choices = modes,
     .help = "of the ink; close: gaps in it are filled, open: what is too small for the rectangle "
             "goes"},
    {.name = "width",
     .kind = PL_PARAM_INT,
     .min = 1,
     .max = 1000,
     .def = 2,
     .unit = "px",
     .help = "of the rectangle"},
    {.name = "height",
     .kind = PL_PARAM_INT,
     .min = 1,
     .max = 1000,
     .def = 2,
     .unit = "px",
     .help = "of the rectangle"},
};

static platen_status bits(const struct pl_env *env, const struct pl_image *im,
                          const struct pl_arg *args, struct pl_image *ret, struct platen_error *err)
{
    pl_auto_bits in = {0}, out = {0};
    platen_status s = pl_bits_from_image(env, im, 127, &in, err);
    if (!s)
        s = pl_morph_bits(env, &in, of_ink[(int)args[0].number], (int)args[1].number,
                          (int)args[2].number, &out, err);
    return s ? s : pl_bits_to_image(env, &out, ret, err);
}

static platen_status filter(const struct pl_env *env, const struct pl_image *im, void *ctx,
                            struct pl_image *ret, struct platen_error *err)
{
    const struct pl_arg *args = ctx;
    if (!im->bilevel)
        return pl_morph_image(env, im, of_gray[(int)args[0].number], (int)args[1].number,
                              (int)args[2].number, ret, err);
    platen_status s = bits(env, im, args, ret, err);
    if (s)
        return s;
    ret->dpi_x = im->dpi_x;
    ret->dpi_y = im->dpi_y;
    return PLATEN_OK;
}

static platen_status run(const struct pl_env *env, struct pl_page_image *page,
                         const struct pl_arg *args, struct platen_error *err)
{
    struct pl_arg copy[] = {args[0], args[1], args[2]};
    platen_status s = pl_page_make_gray(env, page, err);
    return s ? s : pl_page_transform(env, page, filter, copy, &PL_AFFINE_IDENTITY, err);
}

const struct pl_preprocess_op pl_op_morph = {
    .info = {"morph", "grows or shrinks ink by a rectangle, or both in turn (made grey)", params,
             PL_ARRAY_LEN(params)},
    .px_bytes = 6,
    .run = run,
};
