/* SPDX-License-Identifier: BSD-2-Clause */
#include "preprocess/ops.h"

struct adaptive_args {
    int below;
    int window_px;
};

static const struct pl_param params[] = {
    {.name = "below",
     PL_PARAM(struct adaptive_args, below),
     .min = -255,
     .max = 255,
     .def = 25,
     .help = "grey levels that ink must be below the local mean"},
    PL_PARAM_WINDOW(struct adaptive_args),
};

static platen_status adaptive_run(const struct pl_env *env, struct pl_page_image *page,
                                  const void *args, struct platen_error *err)
{
    const struct adaptive_args *a = args;
    return pl_page_binarize_local(env, page, PL_LOCAL_MEAN, a->below, a->window_px, err);
}

const struct pl_preprocess_op pl_op_adaptive = {
    .info = {"adaptive", "makes the page black and white at a distance from the local mean",
             PL_TAKES(params, struct adaptive_args)},
    .run = adaptive_run,
};
