#include "image/smooth.h"
#include "preprocess/ops.h"

static const struct pl_param params[] = {
    {.name = "sigma",
     .kind = PL_PARAM_NUMBER,
     .min = PL_GAUSS_MIN_SIGMA,
     .max = PL_GAUSS_MAX_SIGMA,
     .def = 1,
     .unit = "px",
     .help = "standard deviation"},
};

static platen_status run(const struct pl_env *env, struct pl_page_image *page,
                         const struct pl_arg *args, struct platen_error *err)
{
    if (page->image.bilevel)
        return PLATEN_OK;
    pl_auto_image out = {0};
    platen_status s = pl_page_make_gray(env, page, err);
    if (!s)
        s = pl_gauss(env, &page->image, args[0].number, &out, err);
    if (!s)
        pl_page_image_replace(page, &out);
    return s;
}

const struct pl_preprocess_op pl_op_gauss = {
    .info = {"gauss", "smooths the greys of the page (made grey) by a Gaussian", params,
             PL_ARRAY_LEN(params)},
    .run = run,
};
