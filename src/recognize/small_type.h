/* SPDX-License-Identifier: BSD-2-Clause */
/* Words in much smaller type than their line that stand deeper than its letters, as second numbers
 * of a catalogue do. In the strip of the line they are too small to be read, so each is read once
 * more by itself. */
#ifndef PL_RECOGNIZE_SMALL_TYPE_H
#define PL_RECOGNIZE_SMALL_TYPE_H

#include "page/result.h"
#include "recognize/words.h"

/* Finds the first such word of a line among its ink boxes, from box *at on, and describes it as a
 * line of its own; *at is then the next box. Returns false where there is none left. */
bool pl_small_type_next(const struct pl_line *line, size_t *at, struct pl_line *ret);

/* Puts small[0..n_small), which was read in the ink box between columns x0 and x1 alone, in the
 * place of what was read there with the line, blanks around it, if it is another text, has a letter
 * or a figure, and is surely and more surely read. chars[0..n) are those of the line and have room
 * for n + n_small + 2; small does not lie in them. Gives their new number. */
size_t pl_small_type_take(const struct pl_line *line, struct pl_read_char *chars, size_t n,
                          const struct pl_read_char *small, size_t n_small, double x0, double x1);

#endif
