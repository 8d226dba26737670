#include <math.h>

#include "preprocess/ink.h"
#include "preprocess/ops.h"

static const struct pl_param params[] = {
    {.name = "max",
     .kind = PL_PARAM_NUMBER,
     .min = 0,
     .max = 30,
     .def = 15,
     .unit = "degrees",
     .help = "largest skew that is looked for"},
    {.name = "min",
     .kind = PL_PARAM_NUMBER,
     .min = 0,
     .max = 30,
     .def = 0.05,
     .unit = "degrees",
     .help = "a smaller skew is left alone"},
    {.name = "confidence",
     .kind = PL_PARAM_NUMBER,
     .min = 1,
     .max = 100,
     .def = 1.4,
     .help = "how far the best angle must stand out of the others; below that the page stays"},
};

static platen_status run(const struct pl_env *env, struct pl_page_image *page,
                         const struct pl_arg *args, struct platen_error *err)
{
    const struct pl_image *ink;
    platen_status s = pl_ink_bilevel(env, page, &ink, err);
    double angle, confidence;
    if (!s)
        s = pl_skew_find(env, ink, args[0].number, &angle, &confidence, err);
    if (s || fabs(angle) < args[1].number || confidence < args[2].number)
        return s;
    pl_page_image_forget_ink(page);
    s = pl_page_turn(env, page, angle, true, err);
    if (!s)
        page->angle_deg += angle;
    return s;
}

const struct pl_preprocess_op pl_op_deskew = {
    .info = {"deskew", "finds the skew of the text and turns the page (made grey) straight", params,
             PL_ARRAY_LEN(params)},
    .run = run,
};
