/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of glyphs of other heights than the usual one, which the steps of the page do not chain:
 * beside its text they are specks or graphics. */
#include "detect/ink/ink_steps.h"
#include "detect/obstacles/obstacles.h"
#include "detect/ink/ink_tuning.def"

/* Returns whether most blobs of a group are dots or dashes. */
static bool is_dotted(const struct pl_found *found, const struct pl_group *g)
{
    uint32_t dots = 0;
    for (uint32_t i = 0; i < g->n; i++)
        dots += pl_blob_is_dot(pl_group_blob(found, g, i));
    return 2 * dots > g->n;
}

/* Takes away the groups that are dotted. */
static bool drop_dotted(struct pl_found *found)
{
    bool any = false;
    for (uint32_t i = 0; i < found->n_groups; i++) {
        const struct pl_group *g = &found->groups[i];
        if (!is_dotted(found, g))
            continue;
        any = true;
        for (uint32_t k = 0; k < g->n; k++)
            found->survey.blobs[found->members[g->first + k]].group = -1;
    }
    return !any || pl_groups_rebuild(found, found->n_groups);
}

bool pl_rows_between(struct pl_found *found, double least, double most, bool in_none,
                     struct pl_found *ret, uint32_t **ret_from)
{
    const struct pl_survey *all = &found->survey;
    uint32_t *from = PL_SURVEY_NEW(&found->survey, uint32_t, all->n_blobs), n = 0;
    for (uint32_t i = 0; from && i < all->n_blobs; i++) {
        const struct pl_blob *b = &all->blobs[i];
        const int h = pl_rect_height(b->box);
        if (h >= least && h <= most && b->kind != PL_BLOB_RULE && b->kind < PL_BLOB_TURNED &&
            !(in_none && b->group >= 0))
            from[n++] = i;
    }
    *ret = (struct pl_found){.survey = *all};
    ret->survey.size = 0; /* so that rows of every height are looked up */
    ret->survey.blobs = PL_SURVEY_NEW(&found->survey, struct pl_blob, n);
    ret->survey.n_blobs = n;
    if (!from || !ret->survey.blobs)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        ret->survey.blobs[i] = all->blobs[from[i]];
        ret->survey.blobs[i].kind = PL_BLOB_TEXT;
    }
    *ret_from = from;
    return pl_chains_build(ret) && pl_bars_drop(ret) && drop_dotted(ret);
}
