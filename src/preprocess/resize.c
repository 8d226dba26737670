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
     .help = "factor for both sides, where nothing else is given"},
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
     .help = "width to reach (0: in proportion to the height, or not used)"},
    {.name = "height",
     .kind = PL_PARAM_INT,
     .min = 0,
     .max = MAX_SIDE,
     .def = 0,
     .unit = "px",
     .help = "height to reach (0: in proportion to the width, or not used)"},
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

/* Width and height win over dpi, and dpi over scale. */
static void wanted(const struct pl_image *im, const struct pl_arg *args, double *w, double *h)
{
    double scale = args[0].number, dpi = args[1].number, width = args[2].number,
           height = args[3].number;
    if (dpi > 0)
        scale = im->dpi_x > 0 ? dpi / (double)im->dpi_x : 1;
    if (width > 0 || height > 0)
        scale = width > 0 ? width / im->width : height / im->height;
    *w = width > 0 ? width : im->width * scale;
    *h = height > 0 ? height : im->height * scale;
}

static platen_status run(const struct pl_env *env, struct pl_page_image *page,
                         const struct pl_arg *args, struct platen_error *err)
{
    platen_status s = pl_page_make_gray(env, page, err);
    if (s)
        return s;
    const struct pl_image *im = &page->image;
    double w, h;
    wanted(im, args, &w, &h);
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
