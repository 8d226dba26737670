#include <string.h>

#include "detect/layout.h"

/* Measured: what blobs and all that is made of them take at most, on a page of nothing but dots. */
#define BYTES_PER_BLOB 1500

/* Sorted by left edge: a counting sort, since a noisy page has very many. */
bool pl_blobs_build(struct pl_layout *l)
{
    size_t n = l->comps.n;
    pl_env_claim_scratch(l->env, (uint64_t)n * BYTES_PER_BLOB);
    uint32_t *first = PL_LAYOUT_NEW(l, uint32_t, (size_t)l->width + 1);
    struct pl_blob *blobs = PL_LAYOUT_NEW(l, struct pl_blob, n);
    if (!first || !blobs)
        return false;
    for (size_t i = 0; i < n; i++)
        first[l->comps.comps[i].box.x0 + 1]++;
    for (int x = 0; x < l->width; x++)
        first[x + 1] += first[x];
    for (size_t i = 0; i < n; i++) {
        const struct pl_component *c = &l->comps.comps[i];
        blobs[first[c->box.x0]++] = (struct pl_blob){.box = c->box,
                                                     .ink_px = c->ink_px,
                                                     .first_run = c->first_run,
                                                     .n_runs = c->n_runs,
                                                     .group = -1};
    }
    l->blobs = blobs;
    l->n_blobs = (uint32_t)n;
    return true;
}

/* One stroke from end to end, level or a little tilted: its rows have one run or two each, while a
 * line of touching letters has many. `along` and `across` are the sides of its box. */
static bool is_stroke(const struct pl_blob *b, double along, double across, double size)
{
    double rows = pl_rect_height(b->box), runs = b->n_runs;
    return along >= 3 * size && along > 6 * across && across < 1.5 * size &&
           b->ink_px / along < 0.4 * size && runs < 2.5 * rows;
}

/* A word is so many heights long; so many strokes cross each of its rows of pixels, and in
 * each length of its height so many; halftones have more. */
#define SHORTEST_WORD 2.5
#define LONGEST_WORD 20.0
#define WORD_STROKES 3.0
#define LEAST_DENSE 0.6
#define MOST_DENSE 1.6

bool pl_blob_is_word(const struct pl_blob *b)
{
    double w = pl_rect_width(b->box), h = pl_rect_height(b->box), n = b->n_runs;
    return w >= SHORTEST_WORD * h && w <= LONGEST_WORD * h && n >= WORD_STROKES * h &&
           n >= LEAST_DENSE * w && n <= MOST_DENSE * w;
}

static enum pl_blob_kind kind_of(const struct pl_blob *b, double size)
{
    double w = pl_rect_width(b->box), h = pl_rect_height(b->box);
    if (!(size > 0))
        return PL_BLOB_TEXT; /* nothing to compare with */
    if (is_stroke(b, w, h, size) || is_stroke(b, h, w, size))
        return PL_BLOB_RULE;
    if (h > 12 * size || (h > 4 * size && w > 12 * size))
        return PL_BLOB_GRAPHIC;
    if (PL_MAX(w, h) < 0.2 * size)
        return PL_BLOB_SPECK;
    return PL_BLOB_TEXT;
}

void pl_blobs_classify(struct pl_layout *l)
{
    for (uint32_t i = 0; i < l->n_blobs; i++)
        l->blobs[i].kind = (uint8_t)kind_of(&l->blobs[i], l->size);
}
