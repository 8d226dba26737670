/* SPDX-License-Identifier: BSD-2-Clause */
/* Operation `lines`: the text lines of a page without a network. Connected components are chained
 * to runs of similar glyphs, these to lines, and lines to blocks in reading order; every size is
 * relative to the height of the text, which the chains tell. */
#include "detect/lines.h"

#include <string.h>

#include "detect/ink/ink_steps.h"
#include "detect/obstacles/obstacles.h"
#include "detect/strays/circles.h"
#include "detect/strays/strays.h"
#include "detect/order/order.h"
#include "preprocess/binarize/binarize.h"
#include "detect/detect_tuning.def"

/* Makes blobs of the components of `ink`, and classifies them where the size of text is known. What
 * was made of other components before is gone. */
static platen_status read_blobs(struct pl_found *found, const struct pl_bits *ink,
                                struct platen_error *err)
{
    pl_components_done(&found->survey.comps);
    pl_arena_rewind(found->survey.arena, found->survey.start);
    found->survey.n_blobs = found->n_groups = 0;
    platen_status s = pl_components_of_bits(found->survey.env, ink, &found->survey.comps, err);
    if (s)
        return s;
    if (!pl_blobs_build(&found->survey))
        return pl_survey_nomem(&found->survey, err);
    if (found->survey.size > 0)
        pl_blobs_classify(&found->survey);
    return PLATEN_OK;
}

/* Takes the rules off the page, cuts what joins rows of text to other ink, and makes blobs of what
 * is left. */
static platen_status drop_rules(struct pl_found *found, const struct pl_bits *page,
                                struct platen_error *err)
{
    if (!pl_rules_likely(&found->survey)) {
        pl_blobs_classify(&found->survey);
        return PLATEN_OK;
    }
    pl_auto_bits left = {0};
    platen_status s = pl_bits_init(found->survey.env, page->width, page->height, &left, err);
    if (s)
        return s;
    for (int y = 0; y < page->height; y++)
        memcpy(pl_bits_row(&left, y), pl_bits_row(page, y), (size_t)page->bytes.width);
    s = pl_rules_erase(&found->survey, page, &left, err);
    s = s ? s : read_blobs(found, &left, err);
    if (s)
        return s;
    if (!pl_touching_cut(found, &left))
        return pl_survey_nomem(&found->survey, err);
    return found->survey.cut_px ? read_blobs(found, &left, err) : PLATEN_OK;
}

/* Surveys a picture for the first time: blobs, chains, and from these the height of the text. */
static platen_status survey_bits(struct pl_found *found, const struct pl_bits *ink,
                                 struct platen_error *err)
{
    found->survey.size = found->survey.slope = 0;
    platen_status s = read_blobs(found, ink, err);
    if (!s && !(pl_chains_build(found) && pl_bars_drop(found) && pl_text_height(found)))
        s = pl_survey_nomem(&found->survey, err);
    return s;
}

/* How much text a survey saw. */
struct evidence {
    double length_px; /* of its long chains */
    double ink_share; /* of all ink, that is in them */
};

static struct evidence evidence_of(const struct pl_found *found)
{
    double length = 0, in_chains = 0, ink = 0;
    for (uint32_t i = 0; i < found->n_groups; i++) {
        const struct pl_group *group = &found->groups[i];
        if (group->n < EVIDENCE_GLYPHS || group->fit.size <= EVIDENCE_SIZE * found->survey.size)
            continue;
        length += pl_rect_width(group->box);
        for (uint32_t k = group->first; k < group->first + group->n; k++)
            in_chains += found->survey.blobs[found->members[k]].ink_px;
    }
    for (uint32_t i = 0; i < found->survey.n_blobs; i++)
        ink += found->survey.blobs[i].ink_px;
    return (struct evidence){length, ink > 0 ? in_chains / ink : 0};
}

/* A grey page as ink and paper: by one threshold, by a local one, and of the local one the glyphs
 * that the first does not see or breaks. */
struct looks {
    struct pl_bits global, local, faint;
    int window_px;
    struct evidence seen; /* by the local one */
    bool any_faint;
};

static void looks_done(struct looks *k)
{
    pl_bits_done(&k->global);
    pl_bits_done(&k->local);
    pl_bits_done(&k->faint);
}

#define auto_looks __attribute__((cleanup(looks_done))) struct looks

static platen_status survey_local(struct pl_found *found, struct looks *k, struct platen_error *err)
{
    platen_status s = survey_bits(found, &k->local, err);
    pl_bits_done(&k->faint);
    s = s ? s
          : pl_bits_blank(found->survey.env, found->survey.width, found->survey.height, &k->faint,
                          err);
    if (s)
        return s;
    k->seen = evidence_of(found);
    k->any_faint = pl_faint_add(found, &k->global, &k->faint);
    return PLATEN_OK;
}

/* Surveys the page as one threshold shows it. What lies around the page and is grain to the local
 * threshold becomes black there; the local picture is then surveyed anew. */
static platen_status survey_global(struct pl_found *found, struct looks *k,
                                   struct platen_error *err)
{
    bool any = false;
    platen_status s = survey_bits(found, &k->global, err);
    if (!s && !pl_surround_blacken(&found->survey, &k->global, &k->local, &any))
        s = pl_survey_nomem(&found->survey, err);
    if (s || !any)
        return s;
    s = survey_local(found, k, err);
    return s ? s : survey_bits(found, &k->global, err);
}

/* Finds the rules that are too light for one threshold, and takes the upright ones out of what the
 * local threshold sees: beside print it sees pieces of them, which look like letters. */
static platen_status drop_light_rules(struct pl_found *found, const struct pl_image *gray,
                                      const struct looks *k, struct platen_error *err)
{
    const struct pl_survey *survey = &found->survey;
    platen_status s = pl_light_rules_find(&found->survey, gray, &k->global, err);
    if (s || !survey->walls.width)
        return s;
    pl_bits_drop(&k->local, &survey->walls);
    pl_bits_drop(&k->faint, &survey->walls);
    return PLATEN_OK;
}

/* Surveys a grey page and gives its ink. One threshold for the whole page keeps the shapes of a
 * clean scan best, and tints are mended in its picture; where a local threshold sees clearly more
 * text (shadows, faint print), that is taken, unless what it sees is grain of the paper, whose
 * specks stand in rows by chance. */
static platen_status survey_gray(struct pl_found *found, const struct pl_image *gray,
                                 struct pl_bits *ret, struct platen_error *err)
{
    auto_looks k = {.window_px = PL_CLAMP(PL_MIN(gray->width, gray->height) / WINDOW_SHARE,
                                          MIN_WINDOW_PX, MAX_WINDOW_PX) |
                                 1};
    bool tints = false;
    platen_status s =
        pl_bits_sauvola(found->survey.env, gray, k.window_px, WINDOW_STRENGTH, &k.local, err);
    s = s ? s
          : pl_bits_from_image(found->survey.env, gray, pl_otsu_find(found->survey.env, gray).level,
                               &k.global, err);
    s = s ? s : survey_local(found, &k, err);
    s = s ? s : survey_global(found, &k, err);
    s = s ? s : drop_light_rules(found, gray, &k, err);
    s = s ? s
          : pl_tints_mend(&found->survey, gray, k.window_px, WINDOW_STRENGTH, &k.global, &tints,
                          err);
    if (!s && tints)
        s = survey_bits(found, &k.global, err);
    if (s)
        return s;
    struct evidence seen = evidence_of(found);
    bool grainy = k.seen.ink_share < EVIDENCE_PURITY * seen.ink_share;
    bool keep_local = !grainy && seen.length_px < EVIDENCE_SHARE * k.seen.length_px;
    struct pl_bits *kept = keep_local ? &k.local : &k.global;
    if (keep_local) {
        s = survey_bits(found, kept, err);
    } else if (k.any_faint && !grainy) {
        pl_bits_add(kept, &k.faint);
        s = read_blobs(found, kept, err);
    }
    if (s)
        return s;
    *ret = *kept;
    *kept = (struct pl_bits){0}; /* given away */
    return PLATEN_OK;
}

/* Takes circles to choose from out of the glyphs, and finds the height of the text anew, which may
 * have been theirs. Returns false when memory is short. */
static bool leave_out_circles(struct pl_found *found)
{
    if (!pl_circles_drop(&found->survey))
        return true;
    if (!pl_chains_build(found) || !pl_text_height(found))
        return false;
    pl_blobs_classify(&found->survey);
    (void)pl_circles_drop(&found->survey);
    return true;
}

platen_status pl_lines_find(struct pl_found *found, const struct pl_image *im, bool columns,
                            struct platen_error *err)
{
    pl_auto_image gray = {0};
    pl_auto_bits page = {0};
    found->survey.squares = PL_SURVEY_NEW(&found->survey, struct pl_square, PL_MAX_SQUARES);
    if (!found->survey.squares)
        return pl_survey_nomem(&found->survey, err);
    found->survey.start = pl_arena_mark(found->survey.arena);
    found->survey.width = im->width;
    found->survey.height = im->height;
    platen_status s = pl_image_to_gray(found->survey.env, im, &gray, err);
    if (!s && im->bilevel) {
        s = pl_bits_from_image(found->survey.env, im, 127, &page, err);
        s = s ? s : survey_bits(found, &page, err);
    } else if (!s) {
        s = survey_gray(found, &gray, &page, err);
    }
    if (!s) {
        pl_squares_find(&found->survey, &page); /* before their sides are taken for rules */
        s = drop_rules(found, &page, err);
    }
    if (!s && !leave_out_circles(found))
        s = pl_survey_nomem(&found->survey, err);
    if (!s && !(pl_leaders_drop(&found->survey) && pl_groups_find(found, columns)))
        s = pl_survey_nomem(&found->survey, err);
    return s;
}

struct pl_found pl_found_begin(const struct pl_env *env, struct pl_arena *arena,
                               const struct pl_page_image *page, int min_height_px)
{
    return (struct pl_found){
        .survey = {.env = env,
                   .arena = arena,
                   .page = page,
                   .min_height = min_height_px,
                   .max_height = PL_MAX(page->image.height / MAX_TEXT_SHARE, MAX_TEXT_PX)}};
}

void pl_survey_done(struct pl_survey *survey)
{
    pl_components_done(&survey->comps);
    pl_bits_done(&survey->walls);
    pl_bits_done(&survey->floors);
}

platen_status pl_found_end(struct pl_found *found, platen_status s,
                           const struct pl_regions *regions, struct pl_regions *ret)
{
    pl_survey_done(&found->survey);
    if (!s)
        *ret = *regions;
    return s;
}

bool pl_lines_emit(struct pl_found *found, bool columns, struct pl_regions *ret)
{
    if (!pl_initials_find(found) || !pl_dashes_find(found))
        return false;
    struct pl_line *lines =
        PL_SURVEY_NEW(&found->survey, struct pl_line, found->n_groups + found->n_others);
    for (uint32_t i = 0; lines && i < found->n_groups; i++)
        if (!pl_line_emit(found, &found->groups[i], &lines[i]))
            return false;
    if (lines && found->n_others)
        memcpy(lines + found->n_groups, found->others, found->n_others * sizeof(*lines));
    ret->width = found->survey.width;
    ret->height = found->survey.height;
    ret->glyph_px = found->survey.size;
    ret->slope = found->survey.slope;
    ret->single_column = !columns;
    ret->folded = found->survey.page && pl_sheet_fold(&found->survey.page->sheet,
                                                      &found->survey.page->to_input, ret->fold);
    ret->squares = found->survey.squares;
    ret->n_squares = found->survey.n_squares;
    return lines &&
           pl_order_lines(found->survey.arena, lines, found->n_groups + found->n_others, ret);
}

static platen_status lines_run(const struct pl_detect_net *net, const struct pl_env *env,
                               struct pl_arena *arena, const struct pl_page_image *page,
                               const void *args, struct pl_regions *ret, struct platen_error *err)
{
    (void)net;
    const struct pl_lines_args *a = args;
    bool columns = a->columns == PL_COLUMNS_AUTO;
    struct pl_regions regions = {0};
    struct pl_found found = pl_found_begin(env, arena, page, a->min_height_px);
    platen_status s = pl_lines_find(&found, &page->image, columns, err);
    s = s ? s : pl_rules_list(&found.survey, &regions, err);
    if (!s && !(pl_bullets_join(&found) && pl_turned_find(&found) &&
                pl_lines_emit(&found, columns, &regions)))
        s = pl_survey_nomem(&found.survey, err);
    s = s ? s : pl_leftover_account(&found, &regions, err);
    return pl_found_end(&found, s, &regions, ret);
}

static const struct pl_param params[] = {
    PL_LINES_MIN_HEIGHT(struct pl_lines_args),
    PL_LINES_COLUMNS(struct pl_lines_args),
};

const struct pl_detect_op pl_detect_lines = {
    .info = {.name = "lines",
             .help = "find text lines by connected components",
             PL_TAKES(params, struct pl_lines_args)},
    .run = lines_run,
};
