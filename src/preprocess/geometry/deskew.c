/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>

#include "preprocess/binarize/ink.h"
#include "preprocess/geometry/sheets.h"
#include "preprocess/ops.h"
#include "preprocess/geometry/geometry_tuning.def"

struct deskew_args {
    double max_deg, min_deg, confidence;
};

/* `min`: turning takes sharpness from small print, and the search may be off by half a pixel in a
 * row of a screenshot that is level. Chosen of 0.05, 0.075, 0.1 and 0.15
 * (bench/runs/2026-11-27-screens.md). */
static const struct pl_param params[] = {
    {.name = "max",
     PL_PARAM(struct deskew_args, max_deg),
     .min = 0,
     .max = 30,
     .def = 15,
     .unit = "degrees",
     .help = "largest skew that is looked for"},
    {.name = "min",
     PL_PARAM(struct deskew_args, min_deg),
     .min = 0,
     .max = 30,
     .def = 0.075,
     .unit = "degrees",
     .help = "a smaller skew is left alone"},
    {.name = "confidence",
     PL_PARAM(struct deskew_args, confidence),
     .min = 1,
     .max = 100,
     .def = 1.4,
     .help = "how far the best angle must stand out of the others; below that five lines must "
             "agree, or the page stays"},
};

/* Whether the letters of lines and words run in another direction than `deg`: the rows of different
 * columns fit together at false angles too, those of one line do not. */
static bool deny(const struct pl_line_skew *lines, double deg)
{
    double off = fabs(lines->shared_deg - deg);
    return off > DENYING_DEG && off > DENYING_ERRORS * lines->shared_error_deg;
}

/* The projection of the whole page uses all of its ink, and is exact where all lines run parallel.
 * Where they do not, or where it does not convince, the lines themselves decide. */
static platen_status find_skew(const struct pl_env *env, struct pl_page_image *page, double max_deg,
                               double confidence, double *ret_deg, bool *ret_sure,
                               struct platen_error *err)
{
    double found;
    struct pl_line_skew lines;
    const struct pl_ink *ink;
    platen_status s = pl_ink_of(env, page, &ink, err);
    if (!s)
        s = pl_skew_find(env, &ink->bits, max_deg, confidence, ret_deg, &found, err);
    if (!s)
        s = pl_skew_of_lines(env, ink, *ret_deg, &lines, err);
    if (s)
        return s;
    *ret_sure = found >= confidence;
    if (lines.lines >= AGREEING_LINES && fabs(lines.deg) <= max_deg &&
        lines.parallel != *ret_sure) {
        *ret_deg = lines.deg;
        *ret_sure = true;
    } else if (fabs(lines.shared_deg) <= max_deg && deny(&lines, *ret_deg)) {
        *ret_deg = lines.shared_deg;
    }
    return PLATEN_OK;
}

static platen_status deskew_run(const struct pl_env *env, struct pl_page_image *page,
                                const void *args, struct platen_error *err)
{
    const struct deskew_args *a = args;
    double angle;
    bool sure;
    platen_status s = find_skew(env, page, a->max_deg, a->confidence, &angle, &sure, err);
    if (s || fabs(angle) < a->min_deg || !sure || !pl_page_turn_is_modest(env, page, angle))
        return s;
    pl_page_image_forget_ink(page);
    s = pl_sheet_find(env, page, err);
    s = s ? s : pl_page_turn(env, page, angle, true, err);
    if (!s)
        page->angle_deg += angle;
    return s;
}

const struct pl_preprocess_op pl_op_deskew = {
    .info = {"deskew", "finds the skew of the text and turns the page (made grey) straight",
             PL_TAKES(params, struct deskew_args)},
    .run = deskew_run,
};
