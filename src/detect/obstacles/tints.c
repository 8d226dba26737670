/* SPDX-License-Identifier: BSD-2-Clause */
/* Letters on tinted boxes. The page's threshold takes a dark tint for ink, so that what is printed
 * on it is lost. A local threshold sees it, if the picture has nothing but the tint: with the white
 * around it, the rim of the box would be ink, and the letters near the rim a part of that. */
#include <string.h>

#include "detect/obstacles/obstacles.h"
#include "image/range.h"
#include "preprocess/binarize/binarize.h"
#include "detect/obstacles/obstacle_tuning.def"

/* Returns whether the component is a large filled box. */
static bool is_tint(const struct pl_survey *survey, const struct pl_component *c)
{
    double w = pl_rect_width(c->box), h = pl_rect_height(c->box);
    return PL_MIN(w, h) >= TINT_SIDE * survey->size && PL_MAX(w, h) >= TINT_LENGTH * survey->size &&
           c->ink_px >= TINT_FILL * w * h;
}

/* Returns the median grey of a component. */
static uint8_t gray_of(const struct pl_survey *survey, const struct pl_image *gray,
                       const struct pl_component *c)
{
    uint32_t hist[256] = {0};
    for (uint32_t r = c->first_run; r < c->first_run + c->n_runs; r++) {
        struct pl_run u = survey->comps.runs[r];
        survey->env->k->hist_u8(hist, pl_image_row(gray, u.y) + u.x0, 0, (size_t)(u.x1 - u.x0), 1);
    }
    return pl_gray_rank(hist, c->ink_px / 2);
}

/* Gives a picture of the box `r`: the component on a ground of its median grey. */
static platen_status cut_out(const struct pl_survey *survey, const struct pl_image *gray,
                             const struct pl_component *c, struct pl_rect r, struct pl_image *ret,
                             struct platen_error *err)
{
    uint8_t ground = gray_of(survey, gray, c);
    platen_status s =
        pl_image_init(survey->env, pl_rect_width(r), pl_rect_height(r), PL_GRAY8, ret, err);
    if (s)
        return s;
    for (int y = 0; y < ret->height; y++)
        memset(pl_image_row(ret, y), ground, (size_t)ret->width);
    for (uint32_t i = c->first_run; i < c->first_run + c->n_runs; i++) {
        struct pl_run u = survey->comps.runs[i];
        memcpy(pl_image_row(ret, u.y - r.y0) + u.x0 - r.x0, pl_image_row(gray, u.y) + u.x0,
               (size_t)(u.x1 - u.x0));
    }
    return PLATEN_OK;
}

/* Replaces the pixels of the component on `page` by what the local threshold sees in it. */
static platen_status mend(const struct pl_survey *survey, const struct pl_image *gray,
                          int window_px, double k, const struct pl_component *c,
                          struct pl_bits *page, struct platen_error *err)
{
    pl_auto_image tint = {0};
    pl_auto_bits local = {0};
    struct pl_rect r = c->box;
    r.x0 &= ~7; /* so that the bytes of the bits are the page's */
    platen_status s = cut_out(survey, gray, c, r, &tint, err);
    s = s ? s : pl_bits_sauvola(survey->env, &tint, window_px, k, &local, err);
    for (uint32_t i = c->first_run; !s && i < c->first_run + c->n_runs; i++) {
        struct pl_run u = survey->comps.runs[i];
        pl_bits_copy(pl_bits_row(page, u.y) + r.x0 / 8, pl_bits_row(&local, u.y - r.y0),
                     u.x0 - r.x0, u.x1 - r.x0);
    }
    return s;
}

platen_status pl_tints_mend(const struct pl_survey *survey, const struct pl_image *gray,
                            int window_px, double k, struct pl_bits *page, bool *ret_any,
                            struct platen_error *err)
{
    platen_status s = PLATEN_OK;
    bool any = false;
    for (size_t i = 0; i < survey->comps.n && !s; i++)
        if (is_tint(survey, &survey->comps.comps[i])) {
            s = mend(survey, gray, window_px, k, &survey->comps.comps[i], page, err);
            any = true;
        }
    *ret_any = any;
    return s;
}
