/* SPDX-License-Identifier: BSD-2-Clause */
/* Gives small ink to the rows of print in whose bands it lies: dots, accents, punctuation, pieces
 * of broken letters. */
#include <math.h>

#include "detect/ink/ink_steps.h"
#include "detect/ink/ink_tuning.def"

/* Returns whether the group is the dots of an ellipsis. */
static bool is_dots(const struct pl_survey *survey, const struct pl_group *g)
{
    return g->n <= MAX_DOTS && pl_rect_height(g->box) <= DOTS_HEIGHT * survey->size;
}

/* Returns whether the group is a row of print, to which blobs are attached. */
static bool is_host(const struct pl_survey *survey, const struct pl_group *g)
{
    return g->n >= ROW_GLYPHS && !is_dots(survey, g);
}

/* Returns how far above the baseline, in px, the middle of a blob of w by h px may lie. That
 * depends on what its shape may be: a letter or part of one, a raised figure, a dash (level with
 * small letters), or a dot or accent, which is lower than the page's letters, of height `letter`.
 */
static double highest_middle(double w, double h, const struct pl_fit *f, double letter)
{
    if (w > DASH_ASPECT * h)
        return DASH_MIDDLE * f->xheight;
    if (PL_MAX(w, h) < ACCENT_SIDE * f->size && h < ACCENT_HEIGHT * letter)
        return ACCENT_MIDDLE * f->xheight;
    return (h <= PART_HEIGHT * f->size ? PART_MIDDLE : HIGH_MIDDLE) * f->size;
}

/* The columns of a row together with what was attached to it so far, and those in which all lies
 * that may ever be attached to it. */
struct reach {
    int x0, x1, least, most;
};

static struct reach reach_of(const struct pl_group *g)
{
    const double most =
        PL_MAX(PL_MAX(ATTACH_NEAR, ATTACH_FAR), PL_MAX(LIST_DOT_GAP, SIDE_DASH_GAP));
    const int beside = (int)PL_MIN(most * g->fit.size, INT32_MAX / 4) + 1;
    return (struct reach){g->box.x0, g->box.x1, g->box.x0 - beside, g->box.x1 + beside};
}

/* Returns how far outside of columns x0..x1 the blob lies, in px; negative when it overlaps them.
 */
static double beyond(const struct pl_blob *b, int x0, int x1)
{
    return PL_MAX(x0 - b->box.x1, b->box.x0 - x1);
}

/* Returns how far the blob is from the middle of the row's band, in glyph heights of the row; -1
 * when it cannot be of this row. */
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

/* Returns whether the group is one or two glyphs of the page's size. Only a list dot or a dash may
 * be attached to those. */
static bool is_small_host(const struct pl_survey *survey, const struct pl_group *g)
{
    return g->n < ROW_GLYPHS && g->fit.size >= MIN_PRINT_SIZE * survey->size;
}

/* Returns whether the blob is a dot right behind the foot of the group, as in a numbered list. */
static bool is_list_dot(const struct pl_blob *b, const struct pl_group *g)
{
    const double size = g->fit.size, gap = b->box.x0 - g->box.x1;
    const int extent = PL_MAX(pl_rect_width(b->box), pl_rect_height(b->box));
    return extent <= LIST_DOT_SIDE * size && gap >= 0 && gap <= LIST_DOT_GAP * size &&
           fabs(b->box.y1 - (double)g->box.y1) <= LIST_DOT_LEVEL * size;
}

/* Returns whether the group may be a page number. */
static bool is_number(const struct pl_survey *survey, const struct pl_group *g)
{
    return g->n <= NUMBER_GLYPHS && g->fit.size >= MIN_PRINT_SIZE * survey->size;
}

/* Returns how far the blob is from the group beside it, px. */
static double gap_to(const struct pl_blob *b, const struct pl_group *g)
{
    return beyond(b, g->box.x0, g->box.x1);
}

/* Returns whether the blob is a dash beside the group, level with its middle, as in - 47 -. */
static bool is_side_dash(const struct pl_blob *b, const struct pl_group *g)
{
    const double size = g->fit.size, w = pl_rect_width(b->box), h = pl_rect_height(b->box);
    const double gap = gap_to(b, g), up = g->box.y1 - 0.5 * (b->box.y0 + b->box.y1);
    return w >= SIDE_DASH_ASPECT * h && w >= SIDE_DASH_MIN * size && w <= SIDE_DASH_MAX * size &&
           h <= SIDE_DASH_HEIGHT * size && gap >= 0 && gap <= SIDE_DASH_GAP * size &&
           up >= SIDE_DASH_LOW * size && up <= SIDE_DASH_HIGH * size;
}

/* Returns whether a side dash is a minus: it stands right before the figures. */
static bool is_sign(const struct pl_blob *b, const struct pl_group *g)
{
    return b->box.x1 <= g->box.x0 && g->box.x0 - b->box.x1 <= SIGN_GAP * g->fit.size;
}

/* Returns the cost of a list dot beside one or two glyphs, or of a dash beside a number; -1 for any
 * other blob. It is above every attach_cost(): a blob goes to the row in whose band it lies, if
 * there is one. */
static double mark_cost(const struct pl_survey *survey, const struct pl_blob *b,
                        const struct pl_group *g)
{
    if (!(is_small_host(survey, g) && is_list_dot(b, g)) &&
        !(is_number(survey, g) && is_side_dash(b, g)))
        return -1;
    return MARK_COST + gap_to(b, g) / g->fit.size;
}

/* Returns the group to which the blob is attached at the least cost; -1 when there is none. */
static int32_t best_host(const struct pl_found *found, const struct pl_grid *grid,
                         const struct reach *reach, const struct pl_blob *b)
{
    const uint32_t *item;
    double best = 0;
    int32_t ret = -1;
    uint32_t n =
        pl_grid_at(grid, 0.5 * (b->box.x0 + b->box.x1), 0.5 * (b->box.y0 + b->box.y1), &item);
    for (uint32_t p = 0; p < n; p++) {
        if (b->box.x1 < reach[item[p]].least || b->box.x0 > reach[item[p]].most)
            continue;
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

/* The nearest dashes beside a number, on its left and on its right; -1 where there is none. */
struct side_dashes {
    int32_t v[2];
};

/* Returns whether the number of a page stands between both dashes: they are as wide and as far from
 * it. */
static bool is_pair(const struct pl_blob *a, const struct pl_blob *b, const struct pl_group *g)
{
    const double most = SIDE_DASH_ALIKE * g->fit.size;
    return fabs((double)pl_rect_width(a->box) - pl_rect_width(b->box)) <= most &&
           fabs(gap_to(a, g) - gap_to(b, g)) <= most;
}

/* Takes dashes away from numbers again, in to[], but for the nearest ones of a page number, which
 * has one on either side, and for signs: another one may be the tick of an axis. Dashes of a row of
 * three glyphs and more that are close to it stay. Returns false when memory is short. */
static bool drop_single_dashes(struct pl_found *found, int32_t *to)
{
    const struct pl_blob *blobs = found->survey.blobs;
    struct side_dashes *beside = PL_SURVEY_NEW(&found->survey, struct side_dashes, found->n_groups);
    if (!beside)
        return false;
    for (uint32_t i = 0; i < found->n_groups; i++)
        beside[i] = (struct side_dashes){{-1, -1}};
    for (int settle = 0; settle < 2; settle++)
        for (uint32_t i = 0; i < found->survey.n_blobs; i++) {
            const struct pl_blob *b = &blobs[i];
            const struct pl_group *g = to[i] == b->group ? NULL : &found->groups[to[i]];
            if (!g || !is_number(&found->survey, g) || !is_side_dash(b, g) ||
                (!is_small_host(&found->survey, g) && gap_to(b, g) <= ATTACH_NEAR * g->fit.size))
                continue;
            int32_t *v = beside[to[i]].v, *side = &v[b->box.x0 > g->box.x0];
            if (!settle && (*side < 0 || gap_to(b, g) < gap_to(&blobs[*side], g)))
                *side = (int32_t)i;
            if (settle && !is_sign(b, g) &&
                !(*side == (int32_t)i && v[0] >= 0 && v[1] >= 0 &&
                  is_pair(&blobs[v[0]], &blobs[v[1]], g)))
                to[i] = b->group;
        }
    return true;
}

/* Returns whether the blob is small ink that no row of print has. */
static bool may_be_attached(const struct pl_found *found, const struct pl_blob *b)
{
    return (b->kind == PL_BLOB_TEXT || b->kind == PL_BLOB_SPECK) &&
           !(b->group >= 0 && is_host(&found->survey, &found->groups[b->group]));
}

/* Fills to[] with the group of each blob: that to which it is attached, or its own. Goes from left
 * to right and then back for those that found none, since a mark that was attached brings its row
 * nearer to the next one. Returns false when memory is short. */
static bool find_hosts(struct pl_found *found, const struct pl_grid *grid, int32_t *to)
{
    struct reach *reach = PL_SURVEY_NEW(&found->survey, struct reach, found->n_groups);
    if (!reach)
        return false;
    for (uint32_t i = 0; i < found->n_groups; i++)
        reach[i] = reach_of(&found->groups[i]);
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
