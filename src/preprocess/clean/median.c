/* SPDX-License-Identifier: BSD-2-Clause */
#include "image/smooth.h"
#include "preprocess/ops.h"

static platen_status filter(const struct pl_env *env, const struct pl_image *im, void *ctx,
                            struct pl_image *ret, struct platen_error *err)
{
    (void)ctx;
    return pl_median3(env, im, ret, err);
}

static platen_status median_run(const struct pl_env *env, struct pl_page_image *page,
                                const void *args, struct platen_error *err)
{
    (void)args;
    platen_status s = pl_page_make_gray(env, page, err);
    return s ? s : pl_page_transform(env, page, filter, NULL, &PL_AFFINE_IDENTITY, err);
}

const struct pl_preprocess_op pl_op_median = {
    .info = {.name = "median",
             .help = "takes the median of 3 x 3 pixels (made grey): noise of single pixels goes"},
    .run = median_run,
};
