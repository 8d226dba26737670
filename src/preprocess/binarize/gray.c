/* SPDX-License-Identifier: BSD-2-Clause */
#include "preprocess/ops.h"

static platen_status gray_run(const struct pl_env *env, struct pl_page_image *page,
                              const void *args, struct platen_error *err)
{
    (void)args;
    return pl_page_make_gray(env, page, err);
}

const struct pl_preprocess_op pl_op_gray = {
    .info = {.name = "gray", .help = "makes the page grey (BT.601 luma)"},
    .color = true,
    .makes_gray = true,
    .run = gray_run,
};
