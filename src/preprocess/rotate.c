#include "preprocess/ops.h"

static const struct pl_param params[] = {
    {.name = "angle",
     .kind = PL_PARAM_NUMBER,
     .min = -360,
     .max = 360,
     .def = 90,
     .unit = "degrees",
     .help = "clockwise; multiples of 90 are exact"},
};

static platen_status run(const struct pl_env *env, struct pl_page_image *page,
                         const struct pl_arg *args, struct platen_error *err)
{
    return pl_page_turn(env, page, args[0].number, err);
}

const struct pl_preprocess_op pl_op_rotate = {
    .info = {"rotate", "turns the page (made grey) on a canvas that holds all of it, paper around",
             params, PL_ARRAY_LEN(params)},
    .run = run,
};
