#include "preprocess/ops.h"

static const struct pl_param params[] = {
    {.name = "below",
     .kind = PL_PARAM_INT,
     .min = -255,
     .max = 255,
     .def = 25,
     .help = "grey levels that ink must be below the local mean"},
    PL_PARAM_WINDOW,
};

static platen_status run(const struct pl_env *env, struct pl_page_image *page,
                         const struct pl_arg *args, struct platen_error *err)
{
    return pl_page_binarize_local(env, page, PL_LOCAL_MEAN, args, err);
}

const struct pl_preprocess_op pl_op_adaptive = {
    .info = {"adaptive", "makes the page black and white at a distance from the local mean", params,
             PL_ARRAY_LEN(params)},
    .run = run,
};
