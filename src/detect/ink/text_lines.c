/* SPDX-License-Identifier: BSD-2-Clause */
/* From blobs to text lines: the steps in their order, and lines that are no groups. */
#include <string.h>

#include "detect/ink/ink_steps.h"
#include "detect/obstacles/obstacles.h"

bool pl_layout_group(struct pl_layout *l, bool columns)
{
    if (!pl_chains_build(l) || !pl_bars_drop(l) || !pl_fit_groups(l) ||
        !pl_groups_merge(l, columns) || !pl_groups_attach(l) || !pl_groups_merge(l, columns) ||
        !pl_groups_prune(l))
        return false;
    return pl_groups_rebuild(l, l->n_groups) && pl_fit_groups(l);
}

bool pl_others_reserve(struct pl_layout *l, size_t n)
{
    struct pl_line *lines = PL_LAYOUT_NEW(l, struct pl_line, l->n_others + n);
    if (!lines)
        return false;
    if (l->n_others)
        memcpy(lines, l->others, l->n_others * sizeof(*lines));
    l->others = lines;
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
