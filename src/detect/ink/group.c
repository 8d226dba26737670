/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes groups of what their blobs say. */
#include "detect/ink/ink_steps.h"

#include <assert.h>

static void grow_group(struct pl_group *g, const struct pl_blob *b)
{
    g->box = g->n ? pl_rect_union(g->box, b->box) : b->box;
    g->n++;
}

/* Blobs are sorted by x0: groups that are numbered at their first blob are sorted so, too. */
bool pl_groups_rebuild(struct pl_found *found, uint32_t n_roots)
{
    int32_t *number = PL_SURVEY_NEW(&found->survey, int32_t, n_roots);
    struct pl_group *groups = PL_SURVEY_NEW(&found->survey, struct pl_group, n_roots);
    uint32_t *members = PL_SURVEY_NEW(&found->survey, uint32_t, found->survey.n_blobs), n = 0,
             first = 0;
    if (!number || !groups || !members)
        return false;
    for (uint32_t i = 0; i < found->survey.n_blobs; i++) {
        struct pl_blob *b = &found->survey.blobs[i];
        if (b->group < 0)
            continue;
        assert((uint32_t)b->group < n_roots);
        if (!number[b->group])
            number[b->group] = (int32_t)++n;
        b->group = number[b->group] - 1;
        grow_group(&groups[b->group], b);
    }
    for (uint32_t g = 0; g < n; g++) {
        groups[g].first = first;
        first += groups[g].n;
        groups[g].n = 0;
    }
    for (uint32_t i = 0; i < found->survey.n_blobs; i++)
        if (found->survey.blobs[i].group >= 0) {
            struct pl_group *g = &groups[found->survey.blobs[i].group];
            members[g->first + g->n++] = i;
        }
    found->groups = groups;
    found->members = members;
    found->n_groups = n;
    return true;
}
