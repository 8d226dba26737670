/* SPDX-License-Identifier: BSD-2-Clause */
/* Barcodes: chains of bars, which look like letters of one height to the other steps. */
#include "detect/ink/ink_steps.h"
#include "detect/obstacles/obstacles.h"
#include "detect/obstacles/obstacle_tuning.def"

/* Returns whether most of a long chain are bars. */
static bool is_barcode(const struct pl_found *found, const struct pl_group *g)
{
    uint32_t slender = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        struct pl_rect b = found->survey.blobs[found->members[g->first + i]].box;
        slender += pl_rect_height(b) >= CODE_SLENDER * pl_rect_width(b);
    }
    return g->n >= CODE_BARS && slender >= CODE_SHARE * g->n;
}

bool pl_bars_drop(struct pl_found *found)
{
    bool any = false;
    for (uint32_t i = 0; i < found->n_groups; i++) {
        const struct pl_group *g = &found->groups[i];
        if (!is_barcode(found, g))
            continue;
        any = true;
        for (uint32_t j = 0; j < g->n; j++) {
            struct pl_blob *b = &found->survey.blobs[found->members[g->first + j]];
            b->group = -1;
            b->kind = PL_BLOB_GRAPHIC;
        }
    }
    return !any || pl_groups_rebuild(found, found->n_groups);
}
