/* SPDX-License-Identifier: BSD-2-Clause */
#include "preprocess/binarize/binarize.h"
#include "preprocess/ops.h"

static platen_status otsu_run(const struct pl_env *env, struct pl_page_image *page,
                              const void *args, struct platen_error *err)
{
    (void)args;
    pl_auto_image gray = {0}, out = {0};
    platen_status s = pl_page_image_gray(env, page, &gray, err);
    if (!s)
        s = pl_binarize_otsu(env, &gray, &out, err);
    if (!s)
        pl_page_image_set_bilevel(page, &gray, &out);
    return s;
}

const struct pl_preprocess_op pl_op_otsu = {
    .info = {.name = "otsu",
             .help = "makes the page black and white at the level that parts it best (Otsu 1979)"},
    .run = otsu_run,
};
