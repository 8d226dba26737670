/* SPDX-License-Identifier: BSD-2-Clause */
#include "preprocess/binarize/ink.h"
#include "preprocess/ops.h"

struct sauvola_args {
    double k;
    int window_px;
};

static const struct pl_param params[] = {
    {.name = "k",
     PL_PARAM(struct sauvola_args, k),
     .min = 0,
     .max = 1,
     .def = PL_SAUVOLA_K,
     .help = "how far below the local mean ink must be"},
    PL_PARAM_WINDOW(struct sauvola_args),
};

static platen_status sauvola_run(const struct pl_env *env, struct pl_page_image *page,
                                 const void *args, struct platen_error *err)
{
    const struct sauvola_args *a = args;
    bool as_ink = a->k == PL_SAUVOLA_K && ((a->window_px - 1) | 1) == PL_LOCAL_WINDOW_PX;
    return as_ink && page->ink.bits.bytes.store && !page->image.bilevel
               ? pl_ink_becomes_page(env, page, err)
               : pl_page_binarize_local(env, page, PL_LOCAL_SAUVOLA, a->k, a->window_px, err);
}

const struct pl_preprocess_op pl_op_sauvola = {
    .info = {"sauvola", "makes the page black and white by local thresholds (Sauvola 2000)",
             PL_TAKES(params, struct sauvola_args)},
    .run = sauvola_run,
};
