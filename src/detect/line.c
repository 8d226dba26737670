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

/* Fits the line anew as a bowed one where it is long enough to tell. (On a page it takes several
 * rows to tell a bow.) */
static bool fit_bowed(struct pl_found *found)
{
    double *scratch = PL_SURVEY_NEW(&found->survey, double, found->survey.n_blobs);
    if (!scratch)
        return false;
    return !pl_fit_bend(found, &found->groups[0], scratch, &found->survey.bend) ||
           pl_fit_groups(found);
}

/* Puts all blobs of the line into one group, the only one. Returns false when memory is short. */
static bool collect_line(struct pl_found *found, struct pl_rect ink)
{
    bool any = false;
    found->survey.bend = 0;
    for (uint32_t i = 0; i < found->survey.n_blobs; i++) {
        bool in = belongs(&found->survey.blobs[i], ink);
        found->survey.blobs[i].group = in ? 0 : -1;
        any |= in;
    }
    return pl_groups_rebuild(found, any) && pl_fit_groups(found) && (!any || fit_bowed(found));
}

/* The ink of the line as the levelled picture, `width` px wide, shows it: row y at column x of that
 * is row y - shift + x * (slope + bend * (x - width)) of the picture. */
struct level {
    struct pl_rect ink;
    double slope, bend, width;
    int shift;
};

static double rise_at(const struct level *v, double x)
{
    return x * (v->slope + v->bend * (x - v->width));
}

static double picture_y(const struct level *v, double y, double x)
{
    return y - v->shift + rise_at(v, x);
}

/* Gives the least and the greatest rise between columns x0 and x1. */
static void rises(const struct level *v, double x0, double x1, double *ret_least, double *ret_most)
{
    double a = rise_at(v, x0), b = rise_at(v, x1), turn = x0;
    if (v->bend != 0)
        turn = PL_CLAMP((v->width - v->slope / v->bend) / 2, x0, x1);
    double c = rise_at(v, turn);
    *ret_least = fmin(fmin(a, b), c);
    *ret_most = fmax(fmax(a, b), c);
}

/* Makes the line as high as its ink. Where the glyphs do not tell the baseline, it is the lowest
 * row. */
static void fit_to_ink(struct pl_line *line, const struct level *v)
{
    struct pl_rect ink = v->ink;
    double height = pl_rect_height(ink), middle = 0.5 * (line->box.x0 + line->box.x1);
    double base = pl_line_y(line, middle), least, most;
    base += v->shift - rise_at(v, middle);
    if (!(base > ink.y0 + LINE_FOOT * height && base <= ink.y1))
        base = ink.y1;
    line->ascent_px = base - ink.y0;
    line->descent_px = ink.y1 - base;
    line->xheight_px = PL_CLAMP(line->xheight_px, LINE_XHEIGHT * line->ascent_px, line->ascent_px);
    rises(v, ink.x0, ink.x1, &least, &most);
    ink.y0 = (int)floor(ink.y0 - v->shift + least);
    ink.y1 = (int)ceil(ink.y1 - v->shift + most);
    line->box = pl_rect_union(line->box, ink);
    line->bend = v->bend;
    line->base_y = picture_y(v, base, line->box.x0);
    line->slope = v->slope;
    if (v->bend != 0) /* a straight line keeps its slope to the bit */
        line->slope =
            (picture_y(v, base, line->box.x1) - line->base_y) / PL_MAX(pl_rect_width(line->box), 1);
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
    fit_to_ink(&ret->blocks[0].lines[0], v);
    ret->blocks[0].box = ret->blocks[0].lines[0].box;
    return true;
}

/* Returns how the baseline of the glyphs rises along a picture of that width. */
static struct level level_of(const struct pl_fit *f, double width)
{
    struct level v = {.slope = f->slope, .bend = f->bend, .width = width};
    if (f->bend != 0) /* from the ends of the line to those of the picture */
        v.slope += f->bend * (width - f->x0 - f->x1);
    return v;
}

/* Replaces *v by the ink of the levelled picture, from which slope and bow of the glyphs are taken,
 * if it then fills clearly fewer rows. That proves that they are those of the line. */
static platen_status try_level(struct pl_found *found, const struct pl_image *gray, struct level *v,
                               struct platen_error *err)
{
    double least, most, proof;
    struct level w = {0};
    if (found->n_groups)
        w = level_of(&found->groups[0].fit, gray->width);
    if (w.bend != 0)
        rises(&w, v->ink.x0, v->ink.x1, &least, &most);
    else
        rises(&w, 0, gray->width, &least, &most);
    if (most - least < LINE_MIN_RISE * pl_rect_height(v->ink))
        return PLATEN_OK;
    w.shift = (int)rint((least + most) / 2);
    proof = w.bend != 0 ? LINE_BOW_PROOF : LINE_PROOF;
    pl_auto_image level = {0};
    uint32_t hist[256] = {0};
    found->survey.env->k->hist_u8(hist, gray->px, gray->stride_bytes, (size_t)gray->width,
                                  (size_t)gray->height);
    uint8_t paper = pl_gray_rank(hist, (uint64_t)gray->width * (uint64_t)gray->height / 2);
    platen_status s = pl_shear(found->survey.env, gray,
                               (struct pl_rect){0, -w.shift, gray->width, gray->height - w.shift},
                               w.slope, w.bend, paper, &level, err);
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
    pl_survey_done(&found.survey);
    if (!s)
        *ret = regions;
    return s;
}

const struct pl_detect_op pl_detect_line = {
    .info = {.name = "line", .help = "take the whole picture as one text line"},
    .run = line_run,
};
