/* SPDX-License-Identifier: BSD-2-Clause */
#include "layout/line_words.h"

#include <string.h>

#include "layout/layout_tuning.def"

size_t pl_line_count_words(const struct pl_line *l)
{
    return l->n_words ? l->n_words : l->n_gaps;
}

struct pl_rect pl_line_word_box(const struct pl_line *l, size_t i)
{
    return l->n_words ? l->words[i].box : l->gaps[i];
}

/* Returns whether a text has more letters and figures that are as high as a capital than lower
 * ones; *ret_small is whether it has any small letter. */
static bool is_mostly_high(const char *text, bool *ret_small)
{
    size_t low = 0, high = 0;
    *ret_small = false;
    for (const char *s = text; *s; s++) {
        const bool letter = *s >= 'a' && *s <= 'z', ascends = letter && strchr("bdfhkl", *s);
        *ret_small |= letter;
        low += letter && !ascends;
        high += ascends || (*s >= 'A' && *s <= 'Z') || (*s >= '0' && *s <= '9');
    }
    return high > low;
}

/* Where most letters and figures are high, and the ink reaches no higher than the small letters
 * seem to, their height was taken for that of small ones. */
double pl_line_small_px(const struct pl_line *l)
{
    bool small = true;
    const bool level = l->ascent_px < LEVEL_TOPS * l->xheight_px,
               high = !l->text || is_mostly_high(l->text, &small);
    return !small || (high && level) ? l->xheight_px / CAPITAL_HEIGHT : l->xheight_px;
}

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
