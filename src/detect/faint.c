/* Rows that one threshold for the page does not see: print much lighter than most of the page's,
 * or on a tint; and glyphs of which it sees pieces. A threshold for each place sees them, and
 * specks and grain besides: what chains to a row of glyphs is taken from it. */
#include "detect/layout.h"

/* A row has so many glyphs, of so many of the page's sizes. The page's threshold does not see it
 * when it sees at most MAX_SEEN of its ink; it breaks a glyph of which it sees less than MIN_WHOLE.
 */
#define MIN_GLYPHS 3
#define MIN_SIZE 0.5
#define MAX_SIZE 2.5
#define MAX_SEEN 0.4
#define MIN_WHOLE 0.7

static uint64_t ink_in(const struct pl_layout *l, const struct pl_blob *b,
                       const struct pl_bits *bits)
{
    uint64_t n = 0;
    for (uint32_t r = b->first_run; r < b->first_run + b->n_runs; r++)
        for (int x = l->comps.runs[r].x0; x < l->comps.runs[r].x1; x++)
            n += pl_bits_ink(bits, x, l->comps.runs[r].y);
    return n;
}

static void copy(const struct pl_layout *l, const struct pl_blob *b, const struct pl_bits *to)
{
    for (uint32_t r = b->first_run; r < b->first_run + b->n_runs; r++) {
        struct pl_run u = l->comps.runs[r];
        for (int x = u.x0; x < u.x1; x++)
            pl_bits_set(to, x, u.y);
    }
}

/* How much of the row `seen` has. */
static double share_seen(const struct pl_layout *l, const struct pl_group *g,
                         const struct pl_bits *seen)
{
    uint64_t ink = 0, all = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        const struct pl_blob *b = &l->blobs[l->members[g->first + i]];
        ink += ink_in(l, b, seen);
        all += b->ink_px;
    }
    return (double)ink / (double)all;
}

bool pl_faint_add(const struct pl_layout *l, const struct pl_bits *seen, const struct pl_bits *to)
{
    bool any = false;
    for (uint32_t i = 0; i < l->n_groups; i++) {
        const struct pl_group *g = &l->groups[i];
        if (g->n < MIN_GLYPHS || g->fit.size < MIN_SIZE * l->size ||
            g->fit.size > MAX_SIZE * l->size)
            continue;
        const bool unseen = share_seen(l, g, seen) <= MAX_SEEN;
        for (uint32_t j = 0; j < g->n; j++) {
            const struct pl_blob *b = &l->blobs[l->members[g->first + j]];
            if (!unseen && (double)ink_in(l, b, seen) >= MIN_WHOLE * (double)b->ink_px)
                continue;
            copy(l, b, to);
            any = true;
        }
    }
    return any;
}
