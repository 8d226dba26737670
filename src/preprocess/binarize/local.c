/* SPDX-License-Identifier: BSD-2-Clause */
#include "preprocess/ops.h"

platen_status pl_page_binarize_local(const struct pl_env *env, struct pl_page_image *page,
                                     enum pl_local_method method, double k, int window_px,
                                     struct platen_error *err)
{
    struct pl_local_threshold t = {method, (window_px - 1) | 1, k};
    pl_auto_image gray = {0}, out = {0};
    platen_status s = pl_page_image_gray(env, page, &gray, err);
    if (!s)
        s = pl_binarize_local(env, &gray, &t, &out, err);
    if (!s)
        pl_page_image_set_bilevel(page, &gray, &out);
    return s;
}
