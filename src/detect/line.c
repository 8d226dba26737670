/* SPDX-License-Identifier: BSD-2-Clause */
/* Operation `line`: the whole picture is one text line, as a caller cut it. Its rows come from the
 * profile of the ink, so that it is found whatever its letters are made of (dots, broken strokes,
 * smudges); what its neighbours left at the edges and rules are set aside. */
#include <math.h>

#include "detect/ink/ink_rows.h"
#include "detect/ink/ink_steps.h"
#include "detect/obstacles/obstacles.h"
#include "detect/lines.h"
#include "image/range.h"
#include "image/shear.h"
#include "detect/detect_tuning.def"

/* Returns whether the blob is of the line: it has its middle in the rows of `ink` and is not much
 * higher than these. */
static bool belongs(const struct pl_blob *b, struct pl_rect ink)
{
    int twice_middle = b->box.y0 + b->box.y1;
    return b->kind != PL_BLOB_RULE && twice_middle >= 2 * ink.y0 && twice_middle <= 2 * ink.y1 &&
           pl_rect_height(b->box) <= LINE_GLYPH_HEIGHT * pl_rect_height(ink) + 2;
}

/* Puts all blobs of the line into one group, the only one. Returns false when memory is short. */
static bool collect_line(struct pl_found *found, struct pl_rect ink)
{
    bool any = false;
    found->survey.bowed = false;
    for (uint32_t i = 0; i < found->survey.n_blobs; i++) {
        bool in = belongs(&found->survey.blobs[i], ink);
        found->survey.blobs[i].group = in ? 0 : -1;
        any |= in;
    }
    return pl_groups_rebuild(found, any) && pl_fit_groups(found) &&
           pl_bow_find(found, LINE_BOW_PAIRS);
}

/* The ink of the line as the levelled picture shows it, of which row y at column x is row
 * y - shift + fall_at(x) of the picture. */
struct level {
    struct pl_rect ink;
    double slope;
    bool bowed;
    struct pl_curve curve;
    int shift;
};

static const struct pl_curve *curve_of(const struct level *v)
{
    return v->bowed ? &v->curve : NULL;
}

/* Returns how far the row through the upper left corner of the picture falls up to column x. */
static double fall_at(const struct level *v, double x)
{
    return x * v->slope + (v->bowed ? pl_curve_at(&v->curve, x) - pl_curve_at(&v->curve, 0) : 0);
}

/* Gives the least and the greatest of fall_at() between columns x0 and x1. */
static void falls(const struct level *v, double x0, double x1, double *ret_least, double *ret_most)
{
    double start = v->bowed ? pl_curve_at(&v->curve, 0) : 0;
    pl_curve_range(curve_of(v), v->slope, x0, x1, ret_least, ret_most);
    *ret_least -= start;
    *ret_most -= start;
}

/* Makes the line as high as its ink. Where the glyphs do not tell the baseline, it is the lowest
 * row. `curve`, a copy of the level's, is borrowed for the life of the line; NULL = straight. */
static void fit_to_ink(struct pl_line *line, const struct level *v, const struct pl_curve *curve)
{
    struct pl_rect ink = v->ink;
    double height = pl_rect_height(ink), middle = 0.5 * (line->box.x0 + line->box.x1);
    double base = pl_line_y(line, middle), least, most;
    base += v->shift - fall_at(v, middle);
    if (!(base > ink.y0 + LINE_FOOT * height && base <= ink.y1))
        base = ink.y1;
    line->ascent_px = base - ink.y0;
    line->descent_px = ink.y1 - base;
    line->xheight_px = PL_CLAMP(line->xheight_px, LINE_XHEIGHT * line->ascent_px, line->ascent_px);
    falls(v, ink.x0, ink.x1, &least, &most);
    ink.y0 = (int)floor(ink.y0 - v->shift + least);
    ink.y1 = (int)ceil(ink.y1 - v->shift + most);
    line->box = pl_rect_union(line->box, ink);
    line->slope = v->slope;
    line->curve = curve;
    line->base_y = base - v->shift + line->box.x0 * v->slope;
    if (curve)
        line->base_y -= pl_curve_at(curve, 0);
}

/* Makes the block of the line, also where binarisation left no component of it. Returns false when
 * memory is short. */
static bool set_line(struct pl_survey *survey, const struct level *v, struct pl_regions *ret)
{
    if (pl_rect_empty(v->ink))
        return true;
    if (!ret->n_blocks) {
        ret->blocks = PL_SURVEY_NEW(survey, struct pl_block, 1);
        struct pl_line *line = PL_SURVEY_NEW(survey, struct pl_line, 1);
        if (!ret->blocks || !line)
            return false;
        ret->n_blocks = 1;
        ret->blocks[0] = (struct pl_block){.lines = line, .n_lines = 1};
    }
    struct pl_curve *curve = NULL;
    if (v->bowed) {
        curve = PL_SURVEY_NEW(survey, struct pl_curve, 1);
        if (!curve)
            return false;
        *curve = v->curve;
    }
    fit_to_ink(&ret->blocks[0].lines[0], v, curve);
    ret->blocks[0].box = ret->blocks[0].lines[0].box;
    return true;
}

/* Replaces *v by the ink of the levelled picture, from which slope and bow of the glyphs are taken,
 * if it then fills clearly fewer rows. That proves that they are those of the line. */
static platen_status try_level(struct pl_found *found, const struct pl_image *gray, struct level *v,
                               struct platen_error *err)
{
    double least, most, proof;
    struct level w = {0};
    if (found->n_groups) {
        const struct pl_fit *f = &found->groups[0].fit;
        w.slope = f->slope;
        w.bowed = f->bow;
        if (w.bowed)
            w.curve = pl_bow_row(f->bow, f->height);
    }
    if (w.bowed)
        falls(&w, v->ink.x0, v->ink.x1, &least, &most);
    else
        falls(&w, 0, gray->width, &least, &most);
    if (most - least < LINE_MIN_RISE * pl_rect_height(v->ink))
        return PLATEN_OK;
    w.shift = (int)rint((least + most) / 2);
    proof = w.bowed ? LINE_BOW_PROOF : LINE_PROOF;
    pl_auto_image level = {0};
    uint32_t hist[256] = {0};
    found->survey.env->k->hist_u8(hist, gray->px, gray->stride_bytes, (size_t)gray->width,
                                  (size_t)gray->height);
    uint8_t paper = pl_gray_rank(hist, (uint64_t)gray->width * (uint64_t)gray->height / 2);
    platen_status s = pl_shear(found->survey.env, gray,
                               (struct pl_rect){0, -w.shift, gray->width, gray->height - w.shift},
                               w.slope, curve_of(&w), paper, &level, err);
    s = s ? s : pl_ink_rows(found->survey.env, found->survey.arena, &level, &w.ink, err);
    if (!s && !pl_rect_empty(w.ink) &&
        pl_rect_height(w.ink) <= pl_rect_height(v->ink) - proof * (most - least))
        *v = w;
    return s;
}

static platen_status line_find(struct pl_found *found, const struct pl_page_image *page,
                               struct pl_regions *ret, struct platen_error *err)
{
    pl_auto_image gray = {0};
    struct level v = {0};
    platen_status s =
        pl_image_to_gray(found->survey.env, page->gray.px ? &page->gray : &page->image, &gray, err);
    s = s ? s : pl_ink_rows(found->survey.env, found->survey.arena, &gray, &v.ink, err);
    s = s ? s : pl_lines_find(found, &page->image, false, err);
    if (!s && !collect_line(found, v.ink))
        s = pl_survey_nomem(&found->survey, err);
    s = s ? s : try_level(found, &gray, &v, err);
    if (s)
        return s;
    if (!pl_lines_emit(found, false, ret) || !set_line(&found->survey, &v, ret))
        return pl_survey_nomem(&found->survey, err);
    return pl_leftover_account(found, ret, err);
}

static platen_status line_run(const struct pl_detect_net *net, const struct pl_env *env,
                              struct pl_arena *arena, const struct pl_page_image *page,
                              const void *args, struct pl_regions *ret, struct platen_error *err)
{
    (void)net;
    (void)args;
    struct pl_regions regions = {0};
    struct pl_found found = {
        .survey = {.env = env, .arena = arena, .min_height = 2, .max_height = page->image.height}};
    platen_status s = line_find(&found, page, &regions, err);
    return pl_found_end(&found, s, &regions, ret);
}

const struct pl_detect_op pl_detect_line = {
    .info = {.name = "line", .help = "take the whole picture as one text line"},
    .run = line_run,
};
