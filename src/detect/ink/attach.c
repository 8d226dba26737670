/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>

#include "detect/ink/ink_steps.h"
#include "detect/ink/ink_tuning.def"

/* The dots of an ellipsis. */
static bool is_dots(const struct pl_survey *survey, const struct pl_group *g)
{
    return g->n <= MAX_DOTS && pl_rect_height(g->box) <= DOTS_HEIGHT * survey->size;
}

/* A group that others are attached to. */
static bool is_host(const struct pl_survey *survey, const struct pl_group *g)
{
    return g->n >= ROW_GLYPHS && !is_dots(survey, g);
}

/* Where the middle of a blob of this shape may lie above the baseline, in px: a letter or part of
 * one, a raised figure, a dash (level with small letters), or a dot or accent, which is smaller
 * than the page's letters, of height `letter`. */
static double highest_middle(double w, double h, const struct pl_fit *f, double letter)
{
    if (w > DASH_ASPECT * h)
        return DASH_MIDDLE * f->xheight;
    if (PL_MAX(w, h) < ACCENT_SIDE * f->size && h < ACCENT_HEIGHT * letter)
        return ACCENT_MIDDLE * f->xheight;
    return (h <= PART_HEIGHT * f->size ? PART_MIDDLE : HIGH_MIDDLE) * f->size;
}

/* The columns of a line and of what was attached to it. */
struct reach {
    int x0, x1;
};

static double beyond(const struct pl_blob *b, int x0, int x1)
{
    return PL_MAX(x0 - b->box.x1, b->box.x0 - x1);
}

/* Distance of the blob from the middle of the line's band in sizes; negative when it cannot be of
 * this line. */
static double attach_cost(const struct pl_survey *survey, const struct pl_blob *b,
                          const struct pl_group *g, const struct reach *r)
{
    const struct pl_fit *f = &g->fit;
    double x = 0.5 * (b->box.x0 + b->box.x1), y = 0.5 * (b->box.y0 + b->box.y1);
    double base = pl_fit_y(f, x), h = pl_rect_height(b->box), w = pl_rect_width(b->box);
    double up = base - b->box.y0, down = b->box.y1 - base;
    double outside = beyond(b, g->box.x0, g->box.x1);
    bool mark = PL_MAX(w, h) < MARK_MAX_SIDE * f->size &&
                PL_MAX(w, h) > MARK_MIN_SIDE * f->size && /* no dirt */
                beyond(b, r->x0, r->x1) <= ATTACH_NEAR * f->size;
    if (h > ATTACH_HEIGHT * f->size || up > ATTACH_UP * f->size || down > ATTACH_DOWN * f->size ||
        outside > (mark ? ATTACH_FAR : ATTACH_NEAR) * f->size)
        return -1;
    if (w > RULE_PIECE_WIDTH * f->size && h < RULE_PIECE_HEIGHT * f->size)
        return -1; /* a piece of a rule */
    if (y < base - highest_middle(w, h, f, survey->size) || y > base + ATTACH_MIDDLE_DOWN * f->size)
        return -1;
    return fabs(y - (base - 0.5 * f->size)) / f->size + PL_MAX(outside, 0.0) / f->size;
}

/* One or two glyphs of the page's size: they take marks that many others would not need. */
static bool is_small_host(const struct pl_survey *survey, const struct pl_group *g)
{
    return g->n < ROW_GLYPHS && g->fit.size >= MIN_PRINT_SIZE * survey->size;
}

/* A dot right behind the foot, as in a numbered list. */
static bool is_list_dot(const struct pl_blob *b, const struct pl_group *g)
{
    const double size = g->fit.size, gap = b->box.x0 - g->box.x1;
    const int extent = PL_MAX(pl_rect_width(b->box), pl_rect_height(b->box));
    return extent <= LIST_DOT_SIDE * size && gap >= 0 && gap <= LIST_DOT_GAP * size &&
           fabs(b->box.y1 - (double)g->box.y1) <= LIST_DOT_LEVEL * size;
}

/* What may be a page number. */
static bool is_number(const struct pl_survey *survey, const struct pl_group *g)
{
    return g->n <= NUMBER_GLYPHS && g->fit.size >= MIN_PRINT_SIZE * survey->size;
}

/* A dash level with the middle, as those of - 47 -. */
static bool is_side_dash(const struct pl_blob *b, const struct pl_group *g)
{
    const double size = g->fit.size, w = pl_rect_width(b->box), h = pl_rect_height(b->box);
    const double gap = PL_MAX(g->box.x0 - b->box.x1, b->box.x0 - g->box.x1);
    const double up = g->box.y1 - 0.5 * (b->box.y0 + b->box.y1);
    return w >= SIDE_DASH_ASPECT * h && w >= SIDE_DASH_MIN * size && w <= SIDE_DASH_MAX * size &&
           h <= SIDE_DASH_HEIGHT * size && gap >= 0 && gap <= SIDE_DASH_GAP * size &&
           up >= SIDE_DASH_LOW * size && up <= SIDE_DASH_HIGH * size;
}

/* Of side dashes: a minus right before the figures. */
static bool is_sign(const struct pl_blob *b, const struct pl_group *g)
{
    return b->box.x1 <= g->box.x0 && g->box.x0 - b->box.x1 <= SIGN_GAP * g->fit.size;
}

/* The cost of a mark beside one or two glyphs, or of a dash beside a number; what is of a line by
 * its place goes before. */
static double mark_cost(const struct pl_survey *survey, const struct pl_blob *b,
                        const struct pl_group *g)
{
    const double gap = PL_MAX(g->box.x0 - b->box.x1, b->box.x0 - g->box.x1);
    if (!(is_small_host(survey, g) && is_list_dot(b, g)) &&
        !(is_number(survey, g) && is_side_dash(b, g)))
        return -1;
    return MARK_COST + gap / g->fit.size;
}

static int32_t best_host(const struct pl_found *found, const struct pl_grid *grid,
                         const struct reach *reach, const struct pl_blob *b)
{
    const uint32_t *item;
    double best = 0;
    int32_t ret = -1;
    uint32_t n =
        pl_grid_at(grid, 0.5 * (b->box.x0 + b->box.x1), 0.5 * (b->box.y0 + b->box.y1), &item);
    for (uint32_t p = 0; p < n; p++) {
        const struct pl_group *g = &found->groups[item[p]];
        bool other = (int32_t)item[p] != b->group;
        double cost = other && is_host(&found->survey, g)
                          ? attach_cost(&found->survey, b, g, &reach[item[p]])
                          : -1;
        if (other && cost < 0)
            cost = mark_cost(&found->survey, b, g);
        if (cost >= 0 && (ret < 0 || cost < best)) {
            best = cost;
            ret = (int32_t)item[p];
        }
    }
    return ret;
}

/* Dashes stay beside one or two glyphs, or far beside a number, where there is one on either side:
 * a page number; and right before them: a sign. Another one alone may be the tick of an axis. */
static bool drop_single_dashes(struct pl_found *found, int32_t *to)
{
    uint8_t *sides = PL_SURVEY_NEW(&found->survey, uint8_t, found->n_groups);
    if (!sides)
        return false;
    for (int settle = 0; settle < 2; settle++)
        for (uint32_t i = 0; i < found->survey.n_blobs; i++) {
            const struct pl_blob *b = &found->survey.blobs[i];
            const struct pl_group *g = to[i] == b->group ? NULL : &found->groups[to[i]];
            if (!g || !is_number(&found->survey, g) || !is_side_dash(b, g) ||
                (!is_small_host(&found->survey, g) &&
                 beyond(b, g->box.x0, g->box.x1) <= ATTACH_NEAR * g->fit.size))
                continue;
            if (settle && sides[to[i]] != 3 && !is_sign(b, g))
                to[i] = b->group;
            else
                sides[to[i]] |= b->box.x0 < g->box.x0 ? 1 : 2;
        }
    return true;
}

static bool may_be_attached(const struct pl_found *found, const struct pl_blob *b)
{
    return (b->kind == PL_BLOB_TEXT || b->kind == PL_BLOB_SPECK) &&
           !(b->group >= 0 && is_host(&found->survey, &found->groups[b->group]));
}

/* Finds the line of each blob, from left to right, and then from right to left of those that found
 * none: what was attached is nearer to the next than the line. */
static bool find_hosts(struct pl_found *found, const struct pl_grid *grid, int32_t *to)
{
    struct reach *reach = PL_SURVEY_NEW(&found->survey, struct reach, found->n_groups);
    if (!reach)
        return false;
    for (uint32_t i = 0; i < found->n_groups; i++)
        reach[i] = (struct reach){found->groups[i].box.x0, found->groups[i].box.x1};
    for (uint32_t i = 0; i < found->survey.n_blobs; i++)
        to[i] = found->survey.blobs[i].group;
    for (uint32_t turn = 0; turn < 2 * found->survey.n_blobs; turn++) {
        uint32_t i = turn < found->survey.n_blobs ? turn : 2 * found->survey.n_blobs - 1 - turn;
        const struct pl_blob *b = &found->survey.blobs[i];
        if (to[i] != b->group || !may_be_attached(found, b))
            continue;
        int32_t host = best_host(found, grid, reach, b);
        if (host < 0)
            continue;
        to[i] = host;
        reach[host].x0 = PL_MIN(reach[host].x0, b->box.x0);
        reach[host].x1 = PL_MAX(reach[host].x1, b->box.x1);
    }
    return true;
}

bool pl_groups_attach(struct pl_found *found)
{
    struct pl_grid grid;
    int32_t *to = PL_SURVEY_NEW(&found->survey, int32_t, found->survey.n_blobs);
    if (!to ||
        !pl_grid_build(found, ATTACH_BAND_UP, ATTACH_BAND_DOWN, ATTACH_FAR + ATTACH_BAND_SIDE,
                       &grid) ||
        !find_hosts(found, &grid, to) || !drop_single_dashes(found, to))
        return false;
    for (uint32_t i = 0; i < found->survey.n_blobs; i++)
        found->survey.blobs[i].group = to[i];
    return pl_groups_rebuild(found, found->n_groups) && pl_fit_groups(found);
}
