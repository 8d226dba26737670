#include <math.h>

#include "image/resample.h"
#include "preprocess/ops.h"

#define MAX_SIDE 60000

static const struct pl_param params[] = {
    {.name = "scale",
     .kind = PL_PARAM_NUMBER,
     .min = 0.01,
     .max = 16,
     .def = 1,
     .help = "factor for both sides, where neither dpi nor width is given"},
    {.name = "dpi",
     .kind = PL_PARAM_INT,
     .min = 0,
     .max = 2400,
     .def = 0,
     .unit = "dpi",
     .help = "resolution to reach, where the file tells its own (0: not used)"},
    {.name = "width",
     .kind = PL_PARAM_INT,
     .min = 0,
     .max = MAX_SIDE,
     .def = 0,
     .unit = "px",
     .help = "width to reach, the height in proportion (0: not used)"},
};

struct size {
    int width, height;
};

static platen_status scale_image(const struct pl_env *env, const struct pl_image *im, void *ctx,
                                 struct pl_image *ret, struct platen_error *err)
{
    const struct size *size = ctx;
    platen_status s = pl_resample(env, im, size->width, size->height, ret, err);
    for (int y = 0; !s && im->bilevel && y < ret->height; y++)
        env->k->threshold_u8(pl_image_row(ret, y), pl_image_row(ret, y), (size_t)ret->width, 127);
    ret->bilevel = !s && im->bilevel;
    return s;
}

static double factor(const struct pl_image *im, const struct pl_arg *args)
{
    if (args[2].number > 0)
        return args[2].number / im->width;
    if (args[1].number > 0)
        return im->dpi_x > 0 ? args[1].number / (double)im->dpi_x : 1;
    return args[0].number;
}

static platen_status run(const struct pl_env *env, struct pl_page_image *page,
                         const struct pl_arg *args, struct platen_error *err)
{
    platen_status s = pl_page_make_gray(env, page, err);
    if (s)
        return s;
    const struct pl_image *im = &page->image;
    double f = factor(im, args), w = im->width * f, h = im->height * f;
    if (w > MAX_SIDE || h > MAX_SIDE)
        return pl_fail(err, PLATEN_ERR_LIMIT, "resize to %.0f x %.0f pixels; a side may have %d", w,
                       h, MAX_SIDE);
    struct size size = {(int)PL_MAX(lround(w), 1L), (int)PL_MAX(lround(h), 1L)};
    if (size.width == im->width && size.height == im->height)
        return PLATEN_OK;
    pl_page_keep_gray(page);
    struct pl_affine to_old = {(double)im->width / size.width,   0, 0, 0,
                               (double)im->height / size.height, 0};
    return pl_page_transform(env, page, scale_image, &size, &to_old, err);
}

const struct pl_preprocess_op pl_op_resize = {
    .info = {"resize", "scales the page (made grey): area means when smaller, linear when larger",
             params, PL_ARRAY_LEN(params)},
    .run = run,
};
