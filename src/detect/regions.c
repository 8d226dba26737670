/* SPDX-License-Identifier: BSD-2-Clause */
/* Operation `regions`: the lines of a page among what is no text. A network says where on the page
 * there is text at all; the steps of `lines` find the lines in the ink that lies there, so that
 * their geometry is as exact as without a network. */
#include <math.h>

#include "detect/ink/ink_steps.h"
#include "detect/obstacles/obstacles.h"
#include "detect/lines.h"
#include "detect/net/text_mask.h"

struct regions_args {
    int min_height_px;
    enum pl_columns columns;
    const char *model;
    double sure;
};

/* Adds the boxes of `more` to those of unexplained ink, as far as there is room. Returns false when
 * memory is short. */
static bool add_boxes(struct pl_survey *survey, const struct pl_regions *more,
                      struct pl_regions *ret)
{
    size_t room = PL_MAX_UNEXPLAINED - ret->n_unexplained, n = PL_MIN(more->n_unexplained, room);
    struct pl_rect *boxes = PL_SURVEY_NEW(survey, struct pl_rect, PL_MAX_UNEXPLAINED);
    if (!boxes)
        return false;
    for (size_t i = 0; i < ret->n_unexplained; i++)
        boxes[i] = ret->unexplained[i];
    for (size_t i = 0; i < n; i++)
        boxes[ret->n_unexplained + i] = more->unexplained[i];
    ret->unexplained = boxes;
    ret->n_unexplained += n;
    return true;
}

/* Accounts for the ink where the network sees no text. It is reported by its shapes, as `lines`
 * reports what it leaves over. */
static platen_status account_outside(struct pl_found *found, struct pl_regions *ret,
                                     struct platen_error *err)
{
    const struct pl_survey *all = &found->survey;
    struct pl_found rest = {.survey = {.env = all->env,
                                       .arena = all->arena,
                                       .width = all->width,
                                       .height = all->height,
                                       .size = all->size}};
    struct pl_regions sums = {0};
    platen_status s = pl_components_of_bits(all->env, &all->outside, &rest.survey.comps, err);
    if (!s && !pl_blobs_build(&rest.survey))
        s = pl_survey_nomem(&rest.survey, err);
    if (!s) {
        pl_blobs_classify(&rest.survey);
        s = pl_leftover_account(&rest, &sums, err);
    }
    pl_components_done(&rest.survey.comps);
    ret->ink_px += sums.ink_px;
    ret->rules_px += sums.rules_px;
    ret->graphics_px += sums.graphics_px;
    ret->specks_px += sums.specks_px;
    ret->unexplained_px += sums.unexplained_px;
    if (!s && !add_boxes(&found->survey, &sums, ret))
        s = pl_survey_nomem(&found->survey, err);
    return s;
}

static platen_status lines_to_regions(struct pl_found *found, bool columns,
                                      const struct pl_image *im, struct pl_regions *ret,
                                      struct platen_error *err)
{
    platen_status s = pl_lines_find(found, im, columns, err);
    if (!s && !pl_lines_emit(found, columns, ret))
        s = pl_survey_nomem(&found->survey, err);
    s = s ? s : pl_leftover_account(found, ret, err);
    s = s ? s : pl_rules_list(&found->survey, ret, err);
    return s ? s : account_outside(found, ret, err);
}

static platen_status regions_run(const struct pl_detect_net *net, const struct pl_env *env,
                                 struct pl_arena *arena, const struct pl_page_image *page,
                                 const void *args, struct pl_regions *ret, struct platen_error *err)
{
    const struct regions_args *a = args;
    pl_auto_image gray = {0};
    pl_auto_text_mask mask = {0};
    struct pl_regions regions = {0};
    float threshold = (float)log(a->sure / (1 - a->sure));
    struct pl_found found = {.survey = {.env = env,
                                        .arena = arena,
                                        .text = &mask,
                                        .min_height = a->min_height_px,
                                        .max_height = pl_letters_max_height(page->image.height)}};
    platen_status s = pl_page_image_gray(env, page, &gray, err);
    s = s ? s : pl_text_mask_make(net->own, env, &gray, threshold, &mask, err);
    s = s ? s
          : lines_to_regions(&found, a->columns == PL_COLUMNS_AUTO, &page->image, &regions, err);
    pl_survey_done(&found.survey);
    if (!s)
        *ret = regions;
    return s;
}

static const struct pl_param params[] = {
    PL_LINES_MIN_HEIGHT(struct regions_args),
    PL_LINES_COLUMNS(struct regions_args),
    {.name = "model",
     PL_PARAM(struct regions_args, model),
     .names = PL_NAMES_MODEL,
     .def_text = "regions",
     .unit = "",
     .help = "the network: a name or a file"},
    {.name = "sure",
     PL_PARAM(struct regions_args, sure),
     .min = 0.001,
     .max = 0.999,
     .def = 0.15,
     .unit = "",
     .help = "how sure the network must be of text; less keeps more ink"},
};

const struct pl_detect_op pl_detect_regions = {
    .info = {.name = "regions",
             .help = "find text lines where a network sees text",
             PL_TAKES(params, struct regions_args)},
    .run = regions_run,
};
