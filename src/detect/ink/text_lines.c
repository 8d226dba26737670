/* SPDX-License-Identifier: BSD-2-Clause */
/* From blobs to text lines: the steps in their order, and lines that are no groups. */
#include <string.h>

#include "detect/ink/ink_steps.h"
#include "detect/obstacles/obstacles.h"

bool pl_groups_find(struct pl_found *found, bool columns)
{
    if (!pl_chains_build(found) || !pl_bars_drop(found) || !pl_fit_groups(found) ||
        !pl_groups_merge(found, columns) || !pl_groups_attach(found) ||
        !pl_groups_merge(found, columns) || !pl_groups_prune(found))
        return false;
    return pl_groups_rebuild(found, found->n_groups) && pl_fit_groups(found);
}

bool pl_others_reserve(struct pl_found *found, size_t n)
{
    struct pl_line *lines = PL_SURVEY_NEW(&found->survey, struct pl_line, found->n_others + n);
    if (!lines)
        return false;
    if (found->n_others)
        memcpy(lines, found->others, found->n_others * sizeof(*lines));
    found->others = lines;
    return true;
}

struct pl_line pl_line_in_row(const struct pl_blob *b, struct pl_rect *box,
                              const struct pl_group *row)
{
    return (struct pl_line){.box = *box,
                            .base_y = pl_fit_y(&row->fit, box->x0),
                            .slope = row->fit.slope,
                            .ascent_px = row->fit.ascent,
                            .descent_px = row->fit.descent,
                            .xheight_px = row->fit.xheight,
                            .glyph_px = row->fit.size,
                            .gaps = box,
                            .n_gaps = 1,
                            .ink_px = b->ink_px};
}
