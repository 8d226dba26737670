/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules: long thin strokes, and heavy bars, are taken out of the ink before blobs are made of it.
 */
#include <limits.h>
#include <string.h>

#include "detect/obstacles/obstacles.h"
#include "detect/ink/ink_steps.h"
#include "detect/ink/sort.h"
#include "detect/obstacles/obstacle_tuning.def"

/* Places of a stretch that are looked at to tell whether it is thin. */
#define SAMPLES 32

/* The work on a page: `keep` is the page as it was, `page` that from which rules are erased. All
 * rules are kept whole in `level` and `upright`, since these tell where two cross. */
struct eraser {
    const struct pl_bits *keep;
    struct pl_bits *page, *level, *upright;
    int length, thick, bar;
    uint64_t erased;
};

int pl_rule_min_length(const struct pl_survey *survey)
{
    return PL_MAX((int)(RULE_MIN_LENGTH * survey->size), RULE_MIN_LENGTH_PX);
}

int pl_rule_thickness(const struct pl_survey *survey)
{
    return PL_MAX((int)(RULE_THICKNESS * survey->size), LEAST_THICKNESS_PX);
}

platen_status pl_rules_begin(struct pl_survey *survey, struct platen_error *err)
{
    if (survey->walls.width)
        return PLATEN_OK;
    platen_status s =
        pl_bits_blank(survey->env, survey->width, survey->height, &survey->floors, err);
    return s ? s : pl_bits_blank(survey->env, survey->width, survey->height, &survey->walls, err);
}

static bool ink(const struct pl_bits *page, int x, int y)
{
    return x >= 0 && y >= 0 && x < page->width && y < page->height && pl_bits_ink(page, x, y);
}

/* Returns how many pixels of ink run through (x, y) along (dx, dy), at most `most` + 1. */
static int extent(const struct eraser *e, int x, int y, int dx, int dy, int most)
{
    int n = 1;
    for (int i = 1; n <= most && ink(e->keep, x + i * dx, y + i * dy); i++)
        n++;
    for (int i = 1; n <= most && ink(e->keep, x - i * dx, y - i * dy); i++)
        n++;
    return n;
}

/* Returns whether a stretch may be thicker than a rule: a long level bar, or the side of a heavy
 * frame, which goes from one level rule to another. (Other upright bars are the shadows of a
 * scanner.) */
static bool may_be_bar(const struct eraser *e, int x, int y, int dx, int n)
{
    return dx ? n >= BAR_LENGTH * e->length
              : pl_bits_ink(e->level, x, y) && pl_bits_ink(e->level, x, y + n - 1);
}

/* Returns how thick a stretch may be where it is erased; 0 when it is no rule. A bar is erased
 * whole, since no letter can be made out that crosses it. */
static int thickness(const struct eraser *e, int x, int y, int dx, int dy, int n)
{
    int thin = 0, seen = 0, step = PL_MAX(n / SAMPLES, 1);
    double across[2 * SAMPLES];
    for (int i = step / 2; i < n && seen < 2 * SAMPLES; i += step, seen++) {
        across[seen] = extent(e, x + i * dx, y + i * dy, dy, dx, e->bar);
        thin += across[seen] <= e->thick;
    }
    if (THIN_SHARE * thin >= seen)
        return e->thick;
    bool bar = may_be_bar(e, x, y, dx, n) && pl_median(across, (size_t)seen) <= e->bar;
    return bar ? INT_MAX : 0;
}

static void erase_px(struct eraser *e, int x, int y)
{
    e->erased += pl_bits_ink(e->page, x, y);
    pl_bits_erase(e->page, x, y);
}

/* Erases a straight stretch of n pixels from (x, y) along (dx, dy) if it is a rule: if enough of it
 * is thin. Its thick pixels stay, since they belong to what crosses or touches it, unless that is
 * another rule. Level stretches must come before upright ones. */
static void erase_stretch(struct eraser *e, int x, int y, int dx, int dy, int n)
{
    int most = thickness(e, x, y, dx, dy, n);
    if (!most)
        return;
    for (int i = 0; i < n; i++) {
        int at = x + i * dx, row = y + i * dy;
        if (most == INT_MAX || extent(e, at, row, dy, dx, most) <= most ||
            (dy && pl_bits_ink(e->level, at, row)))
            erase_px(e, at, row);
        pl_bits_set(dx ? e->level : e->upright, at, row);
    }
}

/* Erases the level stretches of one blob. */
static void erase_rows(struct eraser *e, const struct pl_components *c, const struct pl_blob *b)
{
    for (uint32_t i = b->first_run; i < b->first_run + b->n_runs; i++) {
        struct pl_run r = c->runs[i];
        if (r.x1 - r.x0 >= e->length)
            erase_stretch(e, r.x0, r.y, 1, 0, r.x1 - r.x0);
    }
}

/* Erases the vertical stretch of `count` px that ends above row y in column x, if it is long
 * enough. */
static void end_column(struct eraser *e, int x, int y, int32_t count)
{
    if (count >= e->length)
        erase_stretch(e, x, y - count, 0, 1, count);
}

/* Erases the vertical stretches of one blob. next[x] is the row after the last ink of column
 * x, count[x] the ink above it without a break; both must be zeros, and are zeros again. */
static void erase_columns(struct eraser *e, const struct pl_components *c, const struct pl_blob *o,
                          int32_t *next, int32_t *count)
{
    for (uint32_t i = o->first_run; i < o->first_run + o->n_runs; i++) {
        struct pl_run r = c->runs[i];
        for (int x = r.x0; x < r.x1; x++) {
            if (next[x] != r.y) {
                end_column(e, x, next[x], count[x]);
                count[x] = 0;
            }
            next[x] = r.y + 1;
            count[x]++;
        }
    }
    for (int x = o->box.x0; x < o->box.x1; x++) {
        end_column(e, x, next[x], count[x]);
        next[x] = count[x] = 0;
    }
}

static bool is_long(const struct pl_blob *b, int length)
{
    return pl_rect_width(b->box) >= length || pl_rect_height(b->box) >= length;
}

bool pl_rules_likely(const struct pl_survey *survey)
{
    int length = pl_rule_min_length(survey);
    if (survey->n_frames)
        return true;
    for (uint32_t i = 0; i < survey->n_blobs; i++)
        if (is_long(&survey->blobs[i], length))
            return true;
    return false;
}

/* Returns whether the blob is the frame of a letter. */
static bool is_frame(const struct pl_survey *survey, const struct pl_blob *b)
{
    const struct pl_square *s = survey->squares + survey->n_squares;
    for (size_t i = 0; i < survey->n_frames; i++)
        if (!memcmp(&s[i].box, &b->box, sizeof(b->box)))
            return true;
    return false;
}

/* Erases the sides of frames, which are shorter than other rules. columns is twice as long as the
 * page is wide, and zeros. */
static void erase_frames(struct eraser *e, const struct pl_survey *survey, int32_t *columns)
{
    for (uint32_t i = 0; survey->n_frames && i < survey->n_blobs; i++) {
        const struct pl_blob *b = &survey->blobs[i];
        if (!is_frame(survey, b))
            continue;
        e->length = (int)(FRAME_SIDE * PL_MIN(pl_rect_width(b->box), pl_rect_height(b->box)));
        erase_rows(e, &survey->comps, b);
        erase_columns(e, &survey->comps, b, columns, columns + survey->width);
    }
}

platen_status pl_rules_erase(struct pl_survey *survey, const struct pl_bits *keep,
                             struct pl_bits *page, struct platen_error *err)
{
    size_t width = (size_t)survey->width;
    int32_t *columns = PL_SURVEY_NEW(survey, int32_t, 2 * width);
    bool *letter = PL_SURVEY_NEW(survey, bool, survey->n_blobs);
    if (!columns || !letter)
        return pl_survey_nomem(survey, err);
    platen_status s = pl_rules_begin(survey, err);
    if (s)
        return s;
    struct eraser e = {.keep = keep,
                       .page = page,
                       .level = &survey->floors,
                       .upright = &survey->walls,
                       .length = pl_rule_min_length(survey),
                       .thick = pl_rule_thickness(survey),
                       .bar = PL_MAX((int)(BAR_THICKNESS * survey->size), LEAST_THICKNESS_PX)};
    for (uint32_t i = 0; i < survey->n_blobs; i++)
        if (is_long(&survey->blobs[i], e.length)) {
            letter[i] = pl_blob_is_large_letter(survey, i);
            if (!letter[i])
                erase_rows(&e, &survey->comps, &survey->blobs[i]);
        }
    for (uint32_t i = 0; i < survey->n_blobs; i++)
        if (!letter[i] && pl_rect_height(survey->blobs[i].box) >= e.length)
            erase_columns(&e, &survey->comps, &survey->blobs[i], columns, columns + width);
    erase_frames(&e, survey, columns);
    survey->erased_px = e.erased;
    return PLATEN_OK;
}

/* Appends the boxes of the components to the rules of *ret. */
static void list_boxes(const struct pl_components *comps, bool upright, struct pl_rule *rules,
                       size_t *n)
{
    for (size_t i = 0; i < comps->n; i++)
        rules[(*n)++] = (struct pl_rule){comps->comps[i].box, upright};
}

platen_status pl_rules_list(const struct pl_survey *survey, struct pl_regions *ret,
                            struct platen_error *err)
{
    pl_auto_components floors = {0}, walls = {0};
    if (!survey->walls.width) /* rules were not looked for */
        return PLATEN_OK;
    platen_status s = pl_components_of_bits(survey->env, &survey->floors, &floors, err);
    s = s ? s : pl_components_of_bits(survey->env, &survey->walls, &walls, err);
    if (s || floors.n + walls.n > PL_MAX_RULES)
        return s;
    struct pl_rule *rules = PL_SURVEY_NEW(survey, struct pl_rule, floors.n + walls.n);
    if (!rules)
        return pl_survey_nomem(survey, err);
    list_boxes(&floors, false, rules, &ret->n_rules);
    list_boxes(&walls, true, rules, &ret->n_rules);
    ret->rules = rules;
    return PLATEN_OK;
}

bool pl_wall_between(const struct pl_survey *survey, double x0, double x1, double y0, double y1)
{
    int left = (int)PL_MAX(x0, 0), right = (int)PL_MIN(x1, survey->walls.width), rows = 0,
        top = (int)PL_MAX(y0, 0), bottom = (int)PL_MIN(y1, survey->walls.height);
    for (int y = top; y < bottom && left < right; y++)
        rows += pl_bits_any_between(pl_bits_row(&survey->walls, y), left, right);
    return rows && rows >= WALL_SHARE * (bottom - top);
}

/* Returns whether any of the pixels from (x, y), EDGE_GAP_PX of them along (dx, dy), is of a rule.
 */
static bool meets(const struct pl_bits *rules, int x, int y, int dx, int dy)
{
    for (int i = 0; i < EDGE_GAP_PX; i++)
        if (ink(rules, x + i * dx, y + i * dy))
            return true;
    return false;
}

bool pl_is_rule_edge(const struct pl_survey *survey, const struct pl_blob *b)
{
    struct pl_rect r = b->box;
    int w = pl_rect_width(r), h = pl_rect_height(r), level = 0, upright = 0;
    for (int x = r.x0; x < r.x1 && h <= EDGE_THICKNESS * survey->size; x++)
        level +=
            meets(&survey->floors, x, r.y0 - 1, 0, -1) || meets(&survey->floors, x, r.y1, 0, 1);
    for (int y = r.y0; y < r.y1 && w <= EDGE_THICKNESS * survey->size; y++)
        upright +=
            meets(&survey->walls, r.x0 - 1, y, -1, 0) || meets(&survey->walls, r.x1, y, 1, 0);
    return level > EDGE_SHARE * w || upright > EDGE_SHARE * h;
}
