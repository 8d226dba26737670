/* SPDX-License-Identifier: BSD-2-Clause */
#include "image/smooth.h"
#include "preprocess/ops.h"

struct gauss_args {
    double sigma_px;
};

static const struct pl_param params[] = {
    {.name = "sigma",
     PL_PARAM(struct gauss_args, sigma_px),
     .min = PL_GAUSS_MIN_SIGMA,
     .max = PL_GAUSS_MAX_SIGMA,
     .def = 1,
     .unit = "px",
     .help = "standard deviation"},
};

static platen_status gauss_run(const struct pl_env *env, struct pl_page_image *page,
                               const void *args, struct platen_error *err)
{
    const struct gauss_args *a = args;
    if (page->image.bilevel)
        return PLATEN_OK;
    pl_auto_image out = {0};
    platen_status s = pl_page_make_gray(env, page, err);
    if (!s)
        s = pl_gauss(env, &page->image, a->sigma_px, &out, err);
    if (!s)
        pl_page_image_replace(page, &out);
    return s;
}

const struct pl_preprocess_op pl_op_gauss = {
    .info = {"gauss", "smooths the greys of the page (made grey) by a Gaussian",
             PL_TAKES(params, struct gauss_args)},
    .run = gauss_run,
};
