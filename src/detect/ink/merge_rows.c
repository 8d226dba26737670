/* SPDX-License-Identifier: BSD-2-Clause */
/* Joins the pieces of a text line, which stand on one baseline: words, and parts of words. */
#include <math.h>

#include "detect/ink/ink_steps.h"
#include "detect/obstacles/obstacles.h"
#include "detect/ink/ink_tuning.def"

#define NONE UINT32_MAX

/* Returns whether the group may be a word by itself; others wait to be attached. */
static bool is_seed(const struct pl_survey *survey, const struct pl_group *g)
{
    return g->fit.size >= survey->min_height &&
           (g->n >= ROW_GLYPHS || g->fit.size >= MIN_PRINT_SIZE * survey->size);
}

/* Returns how badly group d continues group c to the right, in px; -1 when it does not. */
static double join_cost(const struct pl_group *c, const struct pl_group *d, double max_gap)
{
    double hi = PL_MAX(c->fit.size, d->fit.size), lo = PL_MIN(c->fit.size, d->fit.size);
    double gap = d->box.x0 - c->box.x1;
    if (hi > JOIN_MAX_RATIO * lo || gap > max_gap * hi || gap < -JOIN_MAX_OVERLAP * hi)
        return -1;
    if (c->box.x0 + c->box.x1 >= d->box.x0 + d->box.x1)
        return -1;
    double x = 0.5 * (c->box.x1 + d->box.x0), yc = pl_fit_y(&c->fit, x), yd = pl_fit_y(&d->fit, x);
    double overlap = PL_MIN(yc, yd) - PL_MAX(yc - c->fit.size, yd - d->fit.size);
    if (overlap < JOIN_MIN_LEVEL * lo ||
        (gap > JOIN_NEAR_GAP * hi && fabs(yc - yd) > JOIN_MAX_STEP * lo))
        return -1;
    return PL_MAX(gap, 0) + JOIN_STEP_COST * fabs(yc - yd) + JOIN_SIZE_COST * (hi - lo);
}

/* The best neighbour of each group on either side so far, and its cost. */
struct links {
    uint32_t *right, *left;
    double *right_cost, *left_cost;
};

static bool links_new(struct pl_found *found, struct links *k)
{
    k->right = PL_SURVEY_NEW(&found->survey, uint32_t, found->n_groups);
    k->left = PL_SURVEY_NEW(&found->survey, uint32_t, found->n_groups);
    k->right_cost = PL_SURVEY_NEW(&found->survey, double, found->n_groups);
    k->left_cost = PL_SURVEY_NEW(&found->survey, double, found->n_groups);
    if (!k->right || !k->left || !k->right_cost || !k->left_cost)
        return false;
    for (uint32_t i = 0; i < found->n_groups; i++)
        k->right[i] = k->left[i] = NONE;
    return true;
}

/* Offers group j as the right neighbour of group i, and i as the left one of j. */
static void offer(struct links *k, uint32_t i, uint32_t j, double cost)
{
    if (k->right[i] == NONE || cost < k->right_cost[i]) {
        k->right[i] = j;
        k->right_cost[i] = cost;
    }
    if (k->left[j] == NONE || cost < k->left_cost[j]) {
        k->left[j] = i;
        k->left_cost[j] = cost;
    }
}

/* Returns whether an upright rule stands in the gap. */
static bool is_walled(const struct pl_survey *survey, const struct pl_group *c,
                      const struct pl_group *d)
{
    double base = pl_fit_y(&c->fit, c->box.x1);
    return pl_wall_between(survey, c->box.x1 - 1, d->box.x0 + 1, base - c->fit.size, base);
}

/* Offers every group that lies right of group i, level with its middle. */
static void link_group(const struct pl_found *found, const struct pl_grid *grid, uint32_t i,
                       bool columns, struct links *k)
{
    const struct pl_group *c = &found->groups[i];
    double max_gap = columns ? JOIN_MAX_GAP : 1e6;
    double end = PL_MIN(c->box.x1 + max_gap * JOIN_MAX_RATIO * c->fit.size + grid->cell,
                        (double)found->survey.width);
    for (double x = c->box.x1 - JOIN_MAX_OVERLAP * c->fit.size; x < end; x += grid->cell) {
        const uint32_t *item;
        uint32_t n = pl_grid_at(grid, x, pl_fit_y(&c->fit, x) - 0.5 * c->fit.size, &item);
        for (uint32_t p = 0; p < n; p++) {
            if (item[p] == i || !is_seed(&found->survey, &found->groups[item[p]]))
                continue;
            const struct pl_group *d = &found->groups[item[p]];
            double cost = join_cost(c, d, max_gap);
            if (cost < 0 || (columns && (is_walled(&found->survey, c, d) ||
                                         pl_gap_is_gutter(found, grid, i, item[p]))))
                continue;
            offer(k, i, item[p], cost);
            end = PL_MIN(end, x + JOIN_LOOK_ON * c->fit.size +
                                  grid->cell); /* none that is nearer begins later */
        }
    }
}

/* Gives the groups that are linked to each other one number, which their blobs keep. Returns how
 * many numbers there are. */
static uint32_t number_chains(struct pl_found *found, const struct links *k)
{
    uint32_t chains = 0;
    for (uint32_t i = 0; i < found->n_groups; i++) {
        if (k->left[i] != NONE && k->right[k->left[i]] == i)
            continue;
        for (uint32_t j = i;;) {
            const struct pl_group *g = &found->groups[j];
            for (uint32_t m = 0; m < g->n; m++)
                found->survey.blobs[found->members[g->first + m]].group = (int32_t)chains;
            uint32_t next = k->right[j];
            if (next == NONE || k->left[next] != j)
                break;
            j = next;
        }
        chains++;
    }
    return chains;
}

bool pl_groups_merge(struct pl_found *found, bool columns)
{
    struct pl_grid grid;
    struct links k;
    if (!pl_grid_build(found, JOIN_BAND_UP, JOIN_BAND_DOWN, 0, &grid) || !links_new(found, &k))
        return false;
    for (uint32_t i = 0; i < found->n_groups; i++)
        if (is_seed(&found->survey, &found->groups[i]))
            link_group(found, &grid, i, columns, &k);
    return pl_groups_rebuild(found, number_chains(found, &k)) && pl_fit_groups(found);
}
