/* SPDX-License-Identifier: BSD-2-Clause */
/* What the operations share among themselves: the list, and the steps that several of them take. */
#ifndef PL_PREPROCESS_OPS_H
#define PL_PREPROCESS_OPS_H

#include "preprocess/binarize/binarize.h"
#include "op/op.h"

extern const struct pl_preprocess_op pl_op_gray, pl_op_invert, pl_op_background, pl_op_contrast,
    pl_op_normalize, pl_op_whiten, pl_op_resize, pl_op_rescale, pl_op_rotate, pl_op_orient,
    pl_op_deskew, pl_op_threshold, pl_op_binarize, pl_op_otsu, pl_op_sauvola, pl_op_wolf,
    pl_op_nick, pl_op_adaptive, pl_op_despeckle, pl_op_unrule, pl_op_median, pl_op_gauss,
    pl_op_morph, pl_op_crop, pl_op_border, pl_op_split, pl_op_square;

/* Makes page->image grey when it is in colour. */
PL_MUST_USE platen_status pl_page_make_gray(const struct pl_env *env, struct pl_page_image *page,
                                            struct platen_error *err);

/* The second parameter of the operations that threshold locally. */
#define PL_PARAM_WINDOW(type)                                                                      \
    {                                                                                              \
        .name = "window", PL_PARAM(type, window_px), .min = 3, .max = PL_LOCAL_MAX_WINDOW,         \
        .def = PL_LOCAL_WINDOW_PX, .unit = "px",                                                   \
        .help = "side of the neighbourhood; an even one counts as the next smaller"                \
    }

/* What those operations do. `k` is the parameter of the method; an even window counts as the next
 * smaller one. */
PL_MUST_USE platen_status pl_page_binarize_local(const struct pl_env *env,
                                                 struct pl_page_image *page,
                                                 enum pl_local_method method, double k,
                                                 int window_px, struct platen_error *err);

/* A copy of im's pixels, and all that is known of them. */
PL_MUST_USE platen_status pl_page_copy_image(const struct pl_env *env, const struct pl_image *im,
                                             struct pl_image *ret, struct platen_error *err);

/* Before pixels are changed in place: the pictures of the page are copied as far as others share
 * them, and its ink is forgotten. */
PL_MUST_USE platen_status pl_page_own_pixels(const struct pl_env *env, struct pl_page_image *page,
                                             struct platen_error *err);

/* Rows become columns; im is PL_GRAY8. */
PL_MUST_USE platen_status pl_image_transpose(const struct pl_env *env, const struct pl_image *im,
                                             struct pl_image *ret, struct platen_error *err);

/* Replaces each picture of the page by fn's and chains `to_old` (new pixels to old) into to_input.
 */
typedef platen_status pl_geometry_fn(const struct pl_env *env, const struct pl_image *im, void *ctx,
                                     struct pl_image *ret, struct platen_error *err);
PL_MUST_USE platen_status pl_page_transform(const struct pl_env *env, struct pl_page_image *page,
                                            pl_geometry_fn *fn, void *ctx,
                                            const struct pl_affine *to_old,
                                            struct platen_error *err);

/* Keeps a part of the page, which lies inside of it. */
PL_MUST_USE platen_status pl_page_crop(const struct pl_env *env, struct pl_page_image *page,
                                       struct pl_rect part, struct platen_error *err);

/* Turns the page clockwise by `angle_deg` about its middle, paper (its median grey) around: on a
 * canvas that holds all of it, or with `expand` false on one of the old size. Quarter turns that
 * change no more than the order of pixels are exact. Adds nothing to page->angle_deg. */
PL_MUST_USE platen_status pl_page_turn(const struct pl_env *env, struct pl_page_image *page,
                                       double angle_deg, bool expand, struct platen_error *err);

/* Whether the canvas of that is worth it: a thin strip of ink, which may lie at any angle, would
 * stand on one that grows by the square of its length. */
bool pl_page_turn_is_modest(const struct pl_env *env, const struct pl_page_image *page,
                            double angle_deg);

/* The same by quarter turns that set it upright; says so in the page. */
PL_MUST_USE platen_status pl_page_set_upright(const struct pl_env *env, struct pl_page_image *page,
                                              int quarters, struct platen_error *err);

/* A longer side is PLATEN_ERR_LIMIT. */
#define PL_SCALE_MAX_SIDE 60000

/* Scales the page to width x height pixels (at least one each way). */
PL_MUST_USE platen_status pl_page_scale(const struct pl_env *env, struct pl_page_image *page,
                                        int width, int height, struct platen_error *err);

/* Skew of a page's ink in degrees, positive where the text rises to the right, within
 * +-max_deg; *ret_confidence is how far the best angle stands out (1 = not at all). Where one
 * within 5 degrees stands out by `sure` among those, farther ones are not looked at. */
PL_MUST_USE platen_status pl_skew_find(const struct pl_env *env, const struct pl_bits *ink,
                                       double max_deg, double sure, double *ret_angle,
                                       double *ret_confidence, struct platen_error *err);

struct pl_line_skew {
    double deg;    /* the median of them by length; where they are not parallel, the densest */
    bool parallel; /* the first and the third quarter of them differ by less than 0.4 degrees */
    size_t lines;  /* how many were found: 0 = nothing is known */
    /* of all lines and single words together, and its standard error; infinite: too few lines */
    double shared_deg, shared_error_deg;
};

/* Skew of the text lines that run within some degrees of about_deg; as pl_skew_find() counts it. */
PL_MUST_USE platen_status pl_skew_of_lines(const struct pl_env *env, const struct pl_ink *ink,
                                           double about_deg, struct pl_line_skew *ret,
                                           struct platen_error *err);

#endif
