#include "preprocess/binarize/ink.h"
#include "preprocess/ops.h"

static const struct pl_param params[] = {
    {.name = "k",
     .kind = PL_PARAM_NUMBER,
     .min = 0,
     .max = 1,
     .def = PL_SAUVOLA_K,
     .help = "how far below the local mean ink must be"},
    PL_PARAM_WINDOW,
};

static platen_status run(const struct pl_env *env, struct pl_page_image *page,
                         const struct pl_arg *args, struct platen_error *err)
{
    bool as_ink =
        args[0].number == PL_SAUVOLA_K && (((int)args[1].number - 1) | 1) == PL_LOCAL_WINDOW_PX;
    return as_ink && page->ink.bits.bytes.store && !page->image.bilevel
               ? pl_ink_becomes_page(env, page, err)
               : pl_page_binarize_local(env, page, PL_LOCAL_SAUVOLA, args, err);
}

const struct pl_preprocess_op pl_op_sauvola = {
    .info = {"sauvola", "makes the page black and white by local thresholds (Sauvola 2000)", params,
             PL_ARRAY_LEN(params)},
    .run = run,
};
