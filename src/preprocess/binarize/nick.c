/* SPDX-License-Identifier: BSD-2-Clause */
#include "preprocess/ops.h"

struct nick_args {
    double k;
    int window_px;
};

static const struct pl_param params[] = {
    {.name = "k",
     PL_PARAM(struct nick_args, k),
     .min = 0,
     .max = 1,
     .def = 0.15,
     .help = "how far below the local mean ink must be"},
    PL_PARAM_WINDOW(struct nick_args),
};

static platen_status nick_run(const struct pl_env *env, struct pl_page_image *page,
                              const void *args, struct platen_error *err)
{
    const struct nick_args *a = args;
    return pl_page_binarize_local(env, page, PL_LOCAL_NICK, a->k, a->window_px, err);
}

const struct pl_preprocess_op pl_op_nick = {
    .info =
        {"nick",
         "makes the page black and white by local thresholds, for dark paper too (Khurshid 2009)",
         PL_TAKES(params, struct nick_args)},
    .run = nick_run,
};
