#include "preprocess/ops.h"

static const char *const yes_no[] = {"yes", "no", NULL};

static const struct pl_param params[] = {
    {.name = "angle",
     .kind = PL_PARAM_NUMBER,
     .min = -360,
     .max = 360,
     .def = 90,
     .unit = "degrees",
     .help = "clockwise; multiples of 90 are exact"},
    {.name = "expand",
     .kind = PL_PARAM_CHOICE,
     .choices = yes_no,
     .help = "yes: the page grows so that all of it stays; no: it keeps its size"},
};

static platen_status run(const struct pl_env *env, struct pl_page_image *page,
                         const struct pl_arg *args, struct platen_error *err)
{
    return pl_page_turn(env, page, args[0].number, args[1].number < 1, err);
}

const struct pl_preprocess_op pl_op_rotate = {
    .info = {"rotate", "turns the page (made grey) about its middle, paper around", params,
             PL_ARRAY_LEN(params)},
    .run = run,
};
