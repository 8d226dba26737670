/* SPDX-License-Identifier: BSD-2-Clause */
#include "preprocess/ops.h"

struct wolf_args {
    double k;
    int window_px;
};

static const struct pl_param params[] = {
    {.name = "k",
     PL_PARAM(struct wolf_args, k),
     .min = 0,
     .max = 1,
     .def = 0.4,
     .help = "how far below the local mean ink must be"},
    PL_PARAM_WINDOW(struct wolf_args),
};

static platen_status wolf_run(const struct pl_env *env, struct pl_page_image *page,
                              const void *args, struct platen_error *err)
{
    const struct wolf_args *a = args;
    return pl_page_binarize_local(env, page, PL_LOCAL_WOLF, a->k, a->window_px, err);
}

const struct pl_preprocess_op pl_op_wolf = {
    .info = {"wolf",
             "makes the page black and white by local thresholds, for faint print too (Wolf 2002)",
             PL_TAKES(params, struct wolf_args)},
    .run = wolf_run,
};
