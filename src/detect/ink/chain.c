/* SPDX-License-Identifier: BSD-2-Clause */
/* Chains: blobs that are each other's nearest neighbours of like height, from left to right. */
#include <math.h>

#include "detect/ink/ink_steps.h"
#include "detect/obstacles/obstacles.h"
#include "detect/ink/ink_tuning.def"

#define NONE UINT32_MAX

struct chain_search {
    const struct pl_survey *survey;
    const struct pl_rows *rows;
    const uint32_t *id; /* blob of each item of rows */
};

/* Returns how badly blob b continues blob a to the right, in px; -1 when it does not. */
static double link_cost(const struct pl_blob *a, const struct pl_blob *b)
{
    int ha = pl_rect_height(a->box), hb = pl_rect_height(b->box);
    int lo = PL_MIN(ha, hb), hi = PL_MAX(ha, hb);
    int overlap = PL_MIN(a->box.y1, b->box.y1) - PL_MAX(a->box.y0, b->box.y0);
    int gap = b->box.x0 - a->box.x1;
    if (hi > CHAIN_MAX_RATIO * lo || overlap < CHAIN_MIN_OVERLAP * lo || gap > CHAIN_MAX_GAP * hi)
        return -1;
    if (a->box.x0 + a->box.x1 >= b->box.x0 + b->box.x1 ||
        gap < -CHAIN_MAX_BACK * pl_rect_width(a->box))
        return -1;
    return PL_MAX(gap, 0) + CHAIN_STEP_COST * (lo - overlap) + CHAIN_HEIGHT_COST * (hi - lo);
}

/* Returns the first position in rows->item, within row `row`, whose blob starts at x or later. */
static uint32_t lower_bound(const struct chain_search *s, uint32_t row, int x)
{
    uint32_t lo = s->rows->first[row], hi = s->rows->first[row + 1];
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (s->survey->blobs[s->id[s->rows->item[mid]]].box.x0 < x)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Offers every neighbour on the right of item i to it, and it to them. right[] and left[] keep the
 * best offer of each item, right_cost[] and left_cost[] its cost. */
static void link_item(const struct chain_search *s, uint32_t i, uint32_t *right, uint32_t *left,
                      double *right_cost, double *left_cost)
{
    const struct pl_blob *blobs = s->survey->blobs, *a = &blobs[s->id[i]];
    int h = pl_rect_height(a->box);
    double mid = 0.5 * (a->box.y0 + a->box.y1), reach = 0.5 * CHAIN_MAX_RATIO * h + 1;
    int last = a->box.x1 + (int)(CHAIN_MAX_GAP * CHAIN_MAX_RATIO * h) + 1;
    uint32_t end = pl_rows_of(s->rows, mid + reach);
    for (uint32_t row = pl_rows_of(s->rows, mid - reach); row <= end; row++)
        for (uint32_t p = lower_bound(s, row, a->box.x0); p < s->rows->first[row + 1]; p++) {
            uint32_t j = s->rows->item[p];
            const struct pl_blob *b = &blobs[s->id[j]];
            if (b->box.x0 > last)
                break;
            double cost = i == j ? -1 : link_cost(a, b);
            if (cost < 0 ||
                pl_wall_between(s->survey, a->box.x1 - 1, b->box.x0 + 1,
                                PL_MAX(a->box.y0, b->box.y0), PL_MIN(a->box.y1, b->box.y1)))
                continue;
            if (right[i] == NONE || cost < right_cost[i]) {
                right[i] = j;
                right_cost[i] = cost;
            }
            if (left[j] == NONE || cost < left_cost[j]) {
                left[j] = i;
                left_cost[j] = cost;
            }
        }
}

/* Takes the blobs that may be glyphs as items, sorted into rows by the heights of their middles. */
static bool make_items(struct pl_survey *survey, struct pl_rows *rows, uint32_t **ret_id,
                       uint32_t *ret_n)
{
    uint32_t *id = PL_SURVEY_NEW(survey, uint32_t, survey->n_blobs), n = 0;
    double *y = PL_SURVEY_NEW(survey, double, survey->n_blobs);
    if (!id || !y)
        return false;
    for (uint32_t i = 0; i < survey->n_blobs; i++) {
        struct pl_blob *b = &survey->blobs[i];
        b->group = -1;
        if (b->kind != PL_BLOB_TEXT || pl_rect_height(b->box) < survey->min_height)
            continue;
        y[n] = 0.5 * (b->box.y0 + b->box.y1);
        id[n++] = i;
    }
    *ret_id = id;
    *ret_n = n;
    return pl_rows_build(survey, y, n,
                         survey->size > 0 ? CHAIN_ROW_PITCH * survey->size : MIN_CELL_PX, rows);
}

bool pl_chains_build(struct pl_found *found)
{
    struct pl_rows rows;
    uint32_t *id, n;
    if (!make_items(&found->survey, &rows, &id, &n))
        return false;
    uint32_t *right = PL_SURVEY_NEW(&found->survey, uint32_t, n),
             *left = PL_SURVEY_NEW(&found->survey, uint32_t, n);
    double *right_cost = PL_SURVEY_NEW(&found->survey, double, n),
           *left_cost = PL_SURVEY_NEW(&found->survey, double, n);
    if (!right || !left || !right_cost || !left_cost)
        return false;
    for (uint32_t i = 0; i < n; i++)
        right[i] = left[i] = NONE;
    struct chain_search s = {&found->survey, &rows, id};
    for (uint32_t i = 0; i < n; i++)
        link_item(&s, i, right, left, right_cost, left_cost);
    uint32_t chains = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (left[i] != NONE && right[left[i]] == i)
            continue; /* not the first of its chain */
        for (uint32_t j = i;;) {
            found->survey.blobs[id[j]].group = (int32_t)chains;
            uint32_t next = right[j];
            if (next == NONE || left[next] != j)
                break;
            j = next;
        }
        chains++;
    }
    return pl_groups_rebuild(found, chains);
}
