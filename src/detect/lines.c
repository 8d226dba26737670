/* SPDX-License-Identifier: BSD-2-Clause */
/* Operation `lines`: the text lines of a page without a network. Connected components are chained
 * to runs of similar glyphs, these to lines, and lines to blocks in reading order; every size is
 * relative to the height of the text, which the chains tell. */
#include "detect/lines.h"

#include <string.h>

#include "detect/ink/ink_steps.h"
#include "detect/obstacles/obstacles.h"
#include "detect/strays/strays.h"
#include "detect/order/order.h"
#include "preprocess/binarize/binarize.h"
#include "detect/detect_tuning.def"

/* The components of `ink` as blobs, classified once the text height is known; what was made of
 * other components before is gone. */
static platen_status read_blobs(struct pl_layout *l, const struct pl_bits *ink,
                                struct platen_error *err)
{
    pl_components_done(&l->comps);
    pl_arena_rewind(l->arena, l->start);
    l->n_blobs = l->n_groups = 0;
    platen_status s = pl_components_of_bits(l->env, ink, &l->comps, err);
    if (s)
        return s;
    if (!pl_blobs_build(l))
        return pl_layout_nomem(l, err);
    if (l->size > 0)
        pl_blobs_classify(l);
    return PLATEN_OK;
}

/* Takes the rules off the page and parts what they and other strokes joined; the blobs of what is
 * left. */
static platen_status drop_rules(struct pl_layout *l, const struct pl_bits *page,
                                struct platen_error *err)
{
    if (!pl_rules_likely(l)) {
        pl_blobs_classify(l);
        return PLATEN_OK;
    }
    pl_auto_bits left = {0};
    platen_status s = pl_bits_init(l->env, page->width, page->height, &left, err);
    if (s)
        return s;
    for (int y = 0; y < page->height; y++)
        memcpy(pl_bits_row(&left, y), pl_bits_row(page, y), (size_t)page->bytes.width);
    s = pl_rules_erase(l, page, &left, err);
    s = s ? s : read_blobs(l, &left, err);
    if (s)
        return s;
    if (!pl_touching_cut(l, &left))
        return pl_layout_nomem(l, err);
    return l->cut_px ? read_blobs(l, &left, err) : PLATEN_OK;
}

/* First look at a picture: blobs, chains, and from these the height of the text. */
static platen_status survey(struct pl_layout *l, const struct pl_bits *ink,
                            struct platen_error *err)
{
    l->size = l->slope = l->bend = 0;
    platen_status s = read_blobs(l, ink, err);
    if (!s && !(pl_chains_build(l) && pl_bars_drop(l) && pl_text_height(l)))
        s = pl_layout_nomem(l, err);
    return s;
}

/* How much text a survey saw: length of its long chains, px. */
static double evidence(const struct pl_layout *l)
{
    double sum = 0;
    for (uint32_t i = 0; i < l->n_groups; i++)
        if (l->groups[i].n >= EVIDENCE_GLYPHS && l->groups[i].fit.size > EVIDENCE_SIZE * l->size)
            sum += pl_rect_width(l->groups[i].box);
    return sum;
}

static void add_bits(const struct pl_bits *to, const struct pl_bits *more)
{
    for (int y = 0; y < to->height; y++) {
        uint8_t *row = pl_bits_row(to, y);
        const uint8_t *add = pl_bits_row(more, y);
        for (int i = 0; i < to->bytes.width; i++)
            row[i] |= add[i];
    }
}

/* A grey page as ink and paper: by one threshold, by a local one, and of the latter the rows that
 * the first does not see at all. */
struct looks {
    struct pl_bits global, local, faint;
    int window_px;
    double seen; /* by the local one */
    bool any_faint;
};

static void looks_done(struct looks *k)
{
    pl_bits_done(&k->global);
    pl_bits_done(&k->local);
    pl_bits_done(&k->faint);
}

#define auto_looks __attribute__((cleanup(looks_done))) struct looks

static platen_status survey_local(struct pl_layout *l, struct looks *k, struct platen_error *err)
{
    platen_status s = survey(l, &k->local, err);
    pl_bits_done(&k->faint);
    s = s ? s : pl_bits_blank(l->env, l->width, l->height, &k->faint, err);
    if (s)
        return s;
    k->seen = evidence(l);
    k->any_faint = pl_faint_add(l, &k->global, &k->faint);
    return PLATEN_OK;
}

/* Surveys the page as one threshold shows it. What is grain to the local one around the page
 * becomes black there, and its evidence is taken anew. */
static platen_status survey_global(struct pl_layout *l, struct looks *k, struct platen_error *err)
{
    bool any = false;
    platen_status s = survey(l, &k->global, err);
    if (!s && !pl_surround_blacken(l, &k->global, &k->local, &any))
        s = pl_layout_nomem(l, err);
    if (s || !any)
        return s;
    s = survey_local(l, k, err);
    return s ? s : survey(l, &k->global, err);
}

/* One threshold for the whole page keeps the shapes of a clean scan best, its tints looked at once
 * more; where a local one sees clearly more text (shadows, faint print), it is taken. */
static platen_status survey_gray(struct pl_layout *l, const struct pl_image *gray,
                                 struct pl_bits *ret, struct platen_error *err)
{
    auto_looks k = {.window_px = PL_CLAMP(PL_MIN(gray->width, gray->height) / WINDOW_SHARE,
                                          MIN_WINDOW_PX, MAX_WINDOW_PX) |
                                 1};
    bool tints = false;
    platen_status s = pl_bits_sauvola(l->env, gray, k.window_px, WINDOW_STRENGTH, &k.local, err);
    s = s ? s : pl_bits_from_image(l->env, gray, pl_otsu_find(l->env, gray).level, &k.global, err);
    s = s ? s : survey_local(l, &k, err);
    s = s ? s : survey_global(l, &k, err);
    s = s ? s : pl_tints_mend(l, gray, k.window_px, WINDOW_STRENGTH, &k.global, &tints, err);
    if (!s && tints)
        s = survey(l, &k.global, err);
    if (s)
        return s;
    bool keep_local = evidence(l) < EVIDENCE_SHARE * k.seen;
    struct pl_bits *kept = keep_local ? &k.local : &k.global;
    if (keep_local) {
        s = survey(l, kept, err);
    } else if (k.any_faint) {
        add_bits(kept, &k.faint);
        s = read_blobs(l, kept, err);
    }
    if (s)
        return s;
    *ret = *kept;
    *kept = (struct pl_bits){0}; /* given away */
    return PLATEN_OK;
}

/* Leaves on the page the ink where there may be text, surveyed again. */
static platen_status keep_text(struct pl_layout *l, struct pl_bits *page, struct platen_error *err)
{
    struct pl_bits inside = {0};
    platen_status s = pl_text_mask_split(l->env, l->text, page, &inside, &l->outside, err);
    if (s)
        return s;
    pl_bits_done(page);
    *page = inside;
    return survey(l, page, err);
}

platen_status pl_layout_find(struct pl_layout *l, const struct pl_image *im, bool columns,
                             struct platen_error *err)
{
    pl_auto_image gray = {0};
    pl_auto_bits page = {0};
    l->start = pl_arena_mark(l->arena);
    l->width = im->width;
    l->height = im->height;
    platen_status s = pl_image_to_gray(l->env, im, &gray, err);
    if (!s && im->bilevel) {
        s = pl_bits_from_image(l->env, im, 127, &page, err);
        s = s ? s : survey(l, &page, err);
    } else if (!s) {
        s = survey_gray(l, &gray, &page, err);
    }
    if (!s && l->text)
        s = keep_text(l, &page, err);
    if (!s)
        s = drop_rules(l, &page, err);
    if (!s && !(pl_leaders_drop(l) && pl_layout_group(l, columns)))
        s = pl_layout_nomem(l, err);
    return s;
}

int pl_layout_max_height(int page_height)
{
    return PL_MAX(page_height / MAX_TEXT_SHARE, MAX_TEXT_PX);
}

void pl_layout_done(struct pl_layout *l)
{
    pl_components_done(&l->comps);
    pl_bits_done(&l->outside);
    pl_bits_done(&l->walls);
    pl_bits_done(&l->floors);
}

bool pl_layout_emit(struct pl_layout *l, bool columns, struct pl_regions *ret)
{
    if (!pl_initials_find(l) || !pl_dashes_find(l))
        return false;
    struct pl_line *lines = PL_LAYOUT_NEW(l, struct pl_line, l->n_groups + l->n_others);
    for (uint32_t i = 0; lines && i < l->n_groups; i++)
        if (!pl_line_emit(l, &l->groups[i], &lines[i]))
            return false;
    if (lines && l->n_others)
        memcpy(lines + l->n_groups, l->others, l->n_others * sizeof(*lines));
    ret->width = l->width;
    ret->height = l->height;
    ret->glyph_px = l->size;
    ret->slope = l->slope;
    ret->single_column = !columns;
    return lines && pl_order_lines(l->arena, lines, l->n_groups + l->n_others, ret);
}

static platen_status lines_run(const struct pl_detect_net *net, const struct pl_env *env,
                               struct pl_arena *arena, const struct pl_page_image *page,
                               const void *args, struct pl_regions *ret, struct platen_error *err)
{
    (void)net;
    const struct pl_lines_args *a = args;
    bool columns = a->columns == PL_COLUMNS_AUTO;
    struct pl_regions regions = {0};
    struct pl_layout l = {.env = env,
                          .arena = arena,
                          .min_height = a->min_height_px,
                          .max_height = pl_layout_max_height(page->image.height)};
    platen_status s = pl_layout_find(&l, &page->image, columns, err);
    if (!s && !(pl_turned_find(&l) && pl_layout_emit(&l, columns, &regions)))
        s = pl_layout_nomem(&l, err);
    s = s ? s : pl_leftover_account(&l, &regions, err);
    pl_layout_done(&l);
    if (!s)
        *ret = regions;
    return s;
}

static const struct pl_param params[] = {
    PL_LAYOUT_MIN_HEIGHT(struct pl_lines_args),
    PL_LAYOUT_COLUMNS(struct pl_lines_args),
};

const struct pl_detect_op pl_detect_lines = {
    .info = {.name = "lines",
             .help = "find text lines by connected components",
             PL_TAKES(params, struct pl_lines_args)},
    .run = lines_run,
};
