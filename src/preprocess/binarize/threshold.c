/* SPDX-License-Identifier: BSD-2-Clause */
#include "preprocess/ops.h"

struct threshold_args {
    int level;
};

static const struct pl_param params[] = {
    {.name = "level",
     PL_PARAM(struct threshold_args, level),
     .min = 0,
     .max = 254,
     .def = 127,
     .help = "grey levels up to this one become ink"},
};

static platen_status threshold_run(const struct pl_env *env, struct pl_page_image *page,
                                   const void *args, struct platen_error *err)
{
    const struct threshold_args *a = args;
    pl_auto_image gray = {0}, out = {0};
    platen_status s = pl_page_image_gray(env, page, &gray, err);
    if (!s)
        s = pl_binarize_level(env, &gray, (uint8_t)a->level, &out, err);
    if (!s)
        pl_page_image_set_bilevel(page, &gray, &out);
    return s;
}

const struct pl_preprocess_op pl_op_threshold = {
    .info = {"threshold", "makes the page black and white at a fixed level",
             PL_TAKES(params, struct threshold_args)},
    .run = threshold_run,
};
