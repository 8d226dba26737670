#include "preprocess/binarize.h"
#include "preprocess/ops.h"

static const struct pl_param params[] = {
    {.name = "k",
     .kind = PL_PARAM_NUMBER,
     .min = 0,
     .max = 1,
     .def = PL_SAUVOLA_K,
     .help = "how far below the local mean ink must be"},
    {.name = "window",
     .kind = PL_PARAM_INT,
     .min = 3,
     .max = PL_SAUVOLA_MAX_WINDOW,
     .def = PL_SAUVOLA_WINDOW_PX,
     .unit = "px",
     .help = "side of the neighbourhood; an even one counts as the next smaller"},
};

static platen_status run(const struct pl_env *env, struct pl_page_image *page,
                         const struct pl_arg *args, struct platen_error *err)
{
    pl_auto_image gray = {0}, out = {0};
    platen_status s = pl_page_image_gray(env, page, &gray, err);
    if (!s)
        s = pl_binarize_sauvola(env, &gray, ((int)args[1].number - 1) | 1, args[0].number, &out,
                                err);
    if (!s)
        pl_page_image_set_bilevel(page, &gray, &out);
    return s;
}

const struct pl_preprocess_op pl_op_sauvola = {
    .info = {"sauvola", "makes the page black and white by local thresholds (Sauvola 2000)", params,
             PL_ARRAY_LEN(params)},
    .run = run,
};
