/* SPDX-License-Identifier: BSD-2-Clause */
/* Pixels that are not square: a fax of the usual quality has 204 dpi across and 98 down (ITU-T
 * T.4), and its letters are half as high as they are wide for what looks at pixels. */
#include <math.h>

#include "preprocess/ops.h"
#include "preprocess/geometry/geometry_tuning.def"

static platen_status square_run(const struct pl_env *env, struct pl_page_image *page,
                                const void *args, struct platen_error *err)
{
    (void)args;
    const struct pl_image *im = &page->image;
    const double most = (double)PL_MAX(im->dpi_x, im->dpi_y),
                 least = (double)PL_MIN(im->dpi_x, im->dpi_y);
    if (!(least > 0) || most < least * SQUARE_FROM || most > least * SQUARE_TO)
        return PLATEN_OK;
    const double w = im->width * (most / (double)im->dpi_x),
                 h = im->height * (most / (double)im->dpi_y);
    if (w > PL_SCALE_MAX_SIDE || h > PL_SCALE_MAX_SIDE || !pl_env_allows(env, w, h))
        return PLATEN_OK;
    return pl_page_scale(env, page, (int)lround(w), (int)lround(h), err);
}

const struct pl_preprocess_op pl_op_square = {
    .info = {.name = "square",
             .help = "enlarges the shorter way a page (made grey) whose pixels are not square by "
                     "its resolution, as those of a fax"},
    .run = square_run,
};
