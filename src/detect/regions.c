/* SPDX-License-Identifier: BSD-2-Clause */
/* Operation `regions`: the lines of a page where a network sees them. The steps of `lines` go
 * first: they tell the height of the text, and so the scale at which the network looks; where there
 * is ink far higher, or print far lower, it looks again. Where a line lies exactly comes from the
 * ink. */
#include <assert.h>
#include <math.h>

#include "detect/banded.h"
#include "detect/lines.h"
#include "detect/sizes.h"
#include "detect/detect_tuning.def"

struct regions_args {
    int min_height_px;
    enum pl_columns columns;
    const char *model;
    double sure;
    enum { ELSE_NOTHING, ELSE_LINES } without; /* what runs where the network is not installed */
};

/* Gives the part of the page where groups are, and something around it. Returns false where there
 * are none. */
static bool part_with_groups(const struct pl_found *found, struct pl_rect *ret)
{
    const struct pl_survey *survey = &found->survey;
    if (!found->n_groups)
        return false;
    *ret = found->groups[0].box;
    for (uint32_t i = 1; i < found->n_groups; i++)
        *ret = pl_rect_union(*ret, found->groups[i].box);
    int around = (int)ceil(NET_AROUND * survey->size);
    *ret = pl_rect_intersect(
        (struct pl_rect){ret->x0 - around, ret->y0 - around, ret->x1 + around, ret->y1 + around},
        (struct pl_rect){0, 0, survey->width, survey->height});
    return true;
}

/* Looks again for lines of letters of other sizes, where there is ink of them. */
static platen_status look_again(struct pl_detector *d, struct pl_found *found,
                                const struct pl_image *gray, float threshold,
                                struct pl_text_bands *bands, struct platen_error *err)
{
    struct pl_survey *survey = &found->survey;
    struct pl_size_look looks[PL_MAX_SIZE_LOOKS];
    size_t n;
    if (!pl_sizes_list(found, looks, &n))
        return pl_survey_nomem(survey, err);
    platen_status s = PLATEN_OK;
    for (size_t i = 0; i < n && !s; i++) {
        struct pl_text_bands seen = {0};
        s = pl_text_bands_find(d, survey->env, survey->arena, gray, looks[i].part,
                               looks[i].glyph_px, threshold, &seen, err);
        s = s ? s : pl_sizes_take(survey, &looks[i], &seen, bands, err);
    }
    return s;
}

static platen_status regions_find(struct pl_found *found, struct pl_detector *d,
                                  const struct pl_page_image *page, const struct regions_args *a,
                                  struct pl_regions *ret, struct platen_error *err)
{
    pl_auto_image gray = {0};
    const struct pl_env *env = found->survey.env;
    bool columns = a->columns == PL_COLUMNS_AUTO;
    float threshold = (float)log(a->sure / (1 - a->sure));
    struct pl_text_bands bands = {0};
    struct pl_rect part;
    platen_status s = pl_page_image_gray(env, page, &gray, err);
    s = s ? s : pl_lines_find(found, &page->image, columns, err);
    if (!s && part_with_groups(found, &part))
        s = pl_text_bands_find(d, env, found->survey.arena, &gray, part, found->survey.size,
                               threshold, &bands, err);
    s = s ? s : look_again(d, found, &gray, threshold, &bands, err);
    return s ? s : pl_banded_lines(found, &bands, columns, ret, err);
}

static bool goes_without(const void *args)
{
    const struct regions_args *a = args;
    return a->without == ELSE_LINES;
}

static platen_status regions_run(const struct pl_detect_net *net, const struct pl_env *env,
                                 struct pl_arena *arena, const struct pl_page_image *page,
                                 const void *args, struct pl_regions *ret, struct platen_error *err)
{
    const struct regions_args *a = args;
    assert(net->own || goes_without(args));
    if (!net->own) {
        const struct pl_lines_args lines = {a->min_height_px, a->columns};
        return pl_detect_lines.run(NULL, env, arena, page, &lines, ret, err);
    }
    struct pl_regions regions = {0};
    struct pl_found found = pl_found_begin(env, arena, page, a->min_height_px);
    platen_status s = regions_find(&found, net->own, page, a, &regions, err);
    return pl_found_end(&found, s, &regions, ret);
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
     .help = "how sure the network must be of text; less finds more lines"},
    {.name = "else",
     PL_PARAM(struct regions_args, without),
     .choices = (const char *const[]){[ELSE_NOTHING] = "nothing", [ELSE_LINES] = "lines", NULL},
     .unit = "",
     .help = "what finds the lines where the network is not installed"},
};

const struct pl_detect_op pl_detect_regions = {
    .info = {.name = "regions",
             .help = "find text lines where a network sees text",
             PL_TAKES(params, struct regions_args)},
    .goes_without = goes_without,
    .run = regions_run,
};
