/* SPDX-License-Identifier: BSD-2-Clause */
/* Print of a size that readers are made for: small print is enlarged, very large print made
 * smaller, from the picture itself, since the resolution in the file is often wrong or missing. */
#include <math.h>

#include "preprocess/binarize/ink.h"
#include "preprocess/ops.h"
#include "preprocess/geometry/geometry_tuning.def"

struct rescale_args {
    double xheight_px, min_px, max_px;
};

static const struct pl_param params[] = {
    {.name = "xheight",
     PL_PARAM(struct rescale_args, xheight_px),
     .min = 4,
     .max = 200,
     .def = 22,
     .unit = "px",
     .help = "height of small letters to reach"},
    {.name = "min",
     PL_PARAM(struct rescale_args, min_px),
     .min = 0,
     .max = 200,
     .def = 13,
     .unit = "px",
     .help = "smaller letters are enlarged, at most 4 times"},
    {.name = "max",
     PL_PARAM(struct rescale_args, max_px),
     .min = 0,
     .max = 1000,
     .def = 60,
     .unit = "px",
     .help = "larger ones are made smaller"},
};

static platen_status rescale_run(const struct pl_env *env, struct pl_page_image *page,
                                 const void *args, struct platen_error *err)
{
    const struct rescale_args *a = args;
    const struct pl_ink *ink;
    platen_status s = pl_page_make_gray(env, page, err);
    if (!s)
        s = pl_ink_of(env, page, &ink, err);
    if (s)
        return s;
    size_t letters;
    double x = pl_ink_x_height(ink, &letters);
    if (letters < RESCALE_LETTERS || (x >= a->min_px && x <= a->max_px))
        return PLATEN_OK;
    double scale = PL_MIN(a->xheight_px / x, MAX_GROWTH);
    if (!pl_env_allows(env, scale * page->image.width, scale * page->image.height))
        return PLATEN_OK;
    return pl_page_scale(env, page, (int)lround(page->image.width * scale),
                         (int)lround(page->image.height * scale), err);
}

const struct pl_preprocess_op pl_op_rescale = {
    .info = {"rescale",
             "estimates the height of the print and scales the page (made grey) if that "
             "is too small or too large to read well",
             PL_TAKES(params, struct rescale_args)},
    .run = rescale_run,
};
