/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows that one threshold for the page does not see: print much lighter than most of the page's,
 * or on a tint; and glyphs of which it sees pieces. A threshold for each place sees them, and
 * specks and grain besides: what chains to a row of glyphs is taken from it. */
#include "detect/obstacles/obstacles.h"
#include "detect/obstacles/obstacle_tuning.def"
#include "detect/ink/ink_tuning.def"

/* Returns the share of the blob that is ink in `bits`. */
static double share_in(const struct pl_survey *survey, const struct pl_blob *b,
                       const struct pl_bits *bits)
{
    uint64_t n = 0;
    for (uint32_t r = b->first_run; r < b->first_run + b->n_runs; r++) {
        struct pl_run u = survey->comps.runs[r];
        n += pl_bits_count(pl_bits_row(bits, u.y), u.x0, u.x1);
    }
    return (double)n / (double)b->ink_px;
}

static void copy(const struct pl_survey *survey, const struct pl_blob *b, const struct pl_bits *to)
{
    for (uint32_t r = b->first_run; r < b->first_run + b->n_runs; r++) {
        struct pl_run u = survey->comps.runs[r];
        for (int x = u.x0; x < u.x1; x++)
            pl_bits_set(to, x, u.y);
    }
}

bool pl_faint_add(const struct pl_found *found, const struct pl_bits *seen,
                  const struct pl_bits *to)
{
    bool any = false;
    for (uint32_t i = 0; i < found->n_groups; i++) {
        const struct pl_group *g = &found->groups[i];
        const bool is_row = g->n >= ROW_GLYPHS &&
                            g->fit.size >= FAINT_MIN_SIZE * found->survey.size &&
                            g->fit.size <= FAINT_MAX_SIZE * found->survey.size;
        for (uint32_t j = 0; is_row && j < g->n; j++) {
            const struct pl_blob *b = &found->survey.blobs[found->members[g->first + j]];
            if (share_in(&found->survey, b, seen) >= FAINT_SEEN)
                continue;
            copy(&found->survey, b, to);
            any = true;
        }
    }
    return any;
}
