/* Rows that one threshold for the page does not see: print much lighter than most of the page's,
 * or on a tint. A threshold for each place sees them, and specks and grain besides: what chains to
 * a row of glyphs is taken from it. */
#include "detect/layout.h"

/* A row has so many glyphs, of so many of the page's sizes, and the page's threshold sees at most
 * this share of their ink. */
#define MIN_GLYPHS 4
#define MIN_SIZE 0.5
#define MAX_SIZE 2.5
#define MAX_SEEN 0.4

static uint64_t ink_in(const struct pl_layout *l, const struct pl_group *g,
                       const struct pl_bits *bits)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        const struct pl_blob *b = &l->blobs[l->members[g->first + i]];
        for (uint32_t r = b->first_run; r < b->first_run + b->n_runs; r++)
            for (int x = l->comps.runs[r].x0; x < l->comps.runs[r].x1; x++)
                n += pl_bits_ink(bits, x, l->comps.runs[r].y);
    }
    return n;
}

static uint64_t all_ink(const struct pl_layout *l, const struct pl_group *g)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < g->n; i++)
        n += l->blobs[l->members[g->first + i]].ink_px;
    return n;
}

static void copy(const struct pl_layout *l, const struct pl_group *g, const struct pl_bits *to)
{
    for (uint32_t i = 0; i < g->n; i++) {
        const struct pl_blob *b = &l->blobs[l->members[g->first + i]];
        for (uint32_t r = b->first_run; r < b->first_run + b->n_runs; r++) {
            struct pl_run u = l->comps.runs[r];
            for (int x = u.x0; x < u.x1; x++)
                pl_bits_set(to, x, u.y);
        }
    }
}

bool pl_faint_add(const struct pl_layout *l, const struct pl_bits *seen, const struct pl_bits *to)
{
    bool any = false;
    for (uint32_t i = 0; i < l->n_groups; i++) {
        const struct pl_group *g = &l->groups[i];
        if (g->n < MIN_GLYPHS || g->fit.size < MIN_SIZE * l->size ||
            g->fit.size > MAX_SIZE * l->size ||
            (double)ink_in(l, g, seen) > MAX_SEEN * (double)all_ink(l, g))
            continue;
        copy(l, g, to);
        any = true;
    }
    return any;
}
