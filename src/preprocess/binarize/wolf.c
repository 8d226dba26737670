#include "preprocess/ops.h"

static const struct pl_param params[] = {
    {.name = "k",
     .kind = PL_PARAM_NUMBER,
     .min = 0,
     .max = 1,
     .def = 0.4,
     .help = "how far below the local mean ink must be"},
    PL_PARAM_WINDOW,
};

static platen_status run(const struct pl_env *env, struct pl_page_image *page,
                         const struct pl_arg *args, struct platen_error *err)
{
    return pl_page_binarize_local(env, page, PL_LOCAL_WOLF, args, err);
}

const struct pl_preprocess_op pl_op_wolf = {
    .info = {"wolf",
             "makes the page black and white by local thresholds, for faint print too (Wolf 2002)",
             params, PL_ARRAY_LEN(params)},
    .run = run,
};
