/* SPDX-License-Identifier: BSD-2-Clause */
/* The words of lines, and what check boxes and combs take from lines and give to them. */
#ifndef PL_LAYOUT_LINE_WORDS_H
#define PL_LAYOUT_LINE_WORDS_H

#include "base/arena.h"
#include "page/result.h"

/* Words of a line: those that were read, or before that those that were found. */
size_t pl_line_count_words(const struct pl_line *l);
struct pl_rect pl_line_word_box(const struct pl_line *l, size_t i);
/* Returns the height that small letters of a line have, or would have. */
double pl_line_small_px(const struct pl_line *l);

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
