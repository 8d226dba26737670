/* SPDX-License-Identifier: BSD-2-Clause */
/* Words that layout takes from lines and gives to them: check boxes and combs. */
#ifndef PL_LAYOUT_LINE_WORDS_H
#define PL_LAYOUT_LINE_WORDS_H

#include "base/arena.h"
#include "page/result.h"

/* Returns how many pixels a box has; 0 where it is empty. */
double pl_area_of(struct pl_rect r);

/* Returns whether more than half of a box lies in `outer`. */
bool pl_stands_in(struct pl_rect box, struct pl_rect outer);

/* Takes the words that stand in `outer` from a line, doubted ones as well. Its text and its box
 * stay as they were. */
void pl_words_drop(struct pl_line *l, struct pl_rect outer);

/* Puts n words into a line of the block, each before the first of its trusted words that is read
 * after it, and renews the text and the boxes of both. The words are in reading order. Returns
 * false when memory is short. */
PL_MUST_USE bool pl_words_add(struct pl_arena *arena, struct pl_block *block, struct pl_line *l,
                              const struct pl_word *words, size_t n);

#endif
