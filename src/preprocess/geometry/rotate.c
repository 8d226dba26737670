/* SPDX-License-Identifier: BSD-2-Clause */
#include "preprocess/geometry/sheets.h"
#include "preprocess/ops.h"

struct rotate_args {
    double angle_deg;
    enum { YES, NO } expand;
};

static const struct pl_param params[] = {
    {.name = "angle",
     PL_PARAM(struct rotate_args, angle_deg),
     .min = -360,
     .max = 360,
     .def = 90,
     .unit = "degrees",
     .help = "clockwise; multiples of 90 are exact"},
    {.name = "expand",
     PL_PARAM(struct rotate_args, expand),
     .choices = (const char *const[]){[YES] = "yes", [NO] = "no", NULL},
     .help = "yes: the page grows so that all of it stays; no: it keeps its size"},
};

static platen_status rotate_run(const struct pl_env *env, struct pl_page_image *page,
                                const void *args, struct platen_error *err)
{
    const struct rotate_args *a = args;
    platen_status s = pl_sheet_find(env, page, err);
    return s ? s : pl_page_turn(env, page, a->angle_deg, a->expand == YES, err);
}

const struct pl_preprocess_op pl_op_rotate = {
    .info = {"rotate", "turns the page (made grey) about its middle, paper around",
             PL_TAKES(params, struct rotate_args)},
    .run = rotate_run,
};
