/* SPDX-License-Identifier: BSD-2-Clause */
#include "layout/line_words.h"

#include <string.h>

#include "layout/tables.h"

double pl_area_of(struct pl_rect r)
{
    return pl_rect_empty(r) ? 0 : (double)pl_rect_width(r) * pl_rect_height(r);
}

bool pl_stands_in(struct pl_rect box, struct pl_rect outer)
{
    return 2 * pl_area_of(pl_rect_intersect(box, outer)) > pl_area_of(box);
}

/* Takes the words that stand in `outer` from words[0..n-1], and returns how many are left. */
static size_t drop(struct pl_word *words, size_t n, struct pl_rect outer)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (!pl_stands_in(words[i].box, outer))
            words[kept++] = words[i];
    return kept;
}

void pl_words_drop(struct pl_line *l, struct pl_rect outer)
{
    const size_t n = l->n_words, all = n + l->n_doubted;
    l->n_words = drop(l->words, n, outer);
    if (all > n) {
        l->n_doubted = drop(l->words + n, all - n, outer);
        memmove(l->words + l->n_words, l->words + n, l->n_doubted * sizeof(*l->words));
    }
}

bool pl_words_add(struct pl_arena *arena, struct pl_block *block, struct pl_line *l,
                  const struct pl_word *words, size_t n)
{
    struct pl_word *all = PL_NEW(arena, struct pl_word, l->n_words + l->n_doubted + n);
    size_t at = 0, taken = 0;
    if (!all)
        return false;
    for (size_t i = 0; i < n; i++) {
        while (taken < l->n_words && (l->words[taken].box.x0 < words[i].box.x0) != l->from_right)
            all[at++] = l->words[taken++];
        all[at++] = words[i];
        pl_line_set_box(l, pl_rect_union(l->box, words[i].box));
        block->box = pl_rect_union(block->box, words[i].box);
    }
    while (taken < l->n_words + l->n_doubted)
        all[at++] = l->words[taken++];
    l->words = all;
    l->n_words += n;
    l->text = pl_words_join(arena, l->words, l->n_words);
    return l->text;
}
