/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>

#include "preprocess/ops.h"

struct resize_args {
    double scale;
    int dpi, width_px, height_px;
};

static const struct pl_param params[] = {
    {.name = "scale",
     PL_PARAM(struct resize_args, scale),
     .min = 0.01,
     .max = 16,
     .def = 1,
     .help = "factor for both sides, where nothing else is given"},
    {.name = "dpi",
     PL_PARAM(struct resize_args, dpi),
     .min = 0,
     .max = 2400,
     .def = 0,
     .unit = "dpi",
     .help = "resolution to reach, where the file tells its own (0: not used)"},
    {.name = "width",
     PL_PARAM(struct resize_args, width_px),
     .min = 0,
     .max = PL_SCALE_MAX_SIDE,
     .def = 0,
     .unit = "px",
     .help = "width to reach (0: in proportion to the height, or not used)"},
    {.name = "height",
     PL_PARAM(struct resize_args, height_px),
     .min = 0,
     .max = PL_SCALE_MAX_SIDE,
     .def = 0,
     .unit = "px",
     .help = "height to reach (0: in proportion to the width, or not used)"},
};

/* Width and height win over dpi, and dpi over scale. */
static void wanted(const struct pl_image *im, const struct resize_args *a, double *w, double *h)
{
    const double width = a->width_px, height = a->height_px;
    double across = a->scale, down = a->scale;
    if (a->dpi > 0) { /* pixels that are not square, as those of a fax, become square */
        across = im->dpi_x > 0 ? a->dpi / (double)im->dpi_x : 1;
        down = im->dpi_y > 0 ? a->dpi / (double)im->dpi_y : 1;
    }
    if (width > 0 || height > 0)
        across = down = width > 0 ? width / im->width : height / im->height;
    *w = width > 0 ? width : im->width * across;
    *h = height > 0 ? height : im->height * down;
}

static platen_status resize_run(const struct pl_env *env, struct pl_page_image *page,
                                const void *args, struct platen_error *err)
{
    platen_status s = pl_page_make_gray(env, page, err);
    if (s)
        return s;
    double w, h;
    wanted(&page->image, args, &w, &h);
    if (w > PL_SCALE_MAX_SIDE || h > PL_SCALE_MAX_SIDE)
        return pl_fail(err, PLATEN_ERR_LIMIT, "%.0f x %.0f pixels; a side may have %d", w, h,
                       PL_SCALE_MAX_SIDE);
    return pl_page_scale(env, page, (int)lround(w), (int)lround(h), err);
}

const struct pl_preprocess_op pl_op_resize = {
    .info = {"resize", "scales the page (made grey): area means when smaller, linear when larger",
             PL_TAKES(params, struct resize_args)},
    .run = resize_run,
};
