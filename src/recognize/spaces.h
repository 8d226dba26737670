/* SPDX-License-Identifier: BSD-2-Clause */
/* Blanks between words, by what was read and by the gaps that the ink shows. */
#ifndef PL_RECOGNIZE_SPACES_H
#define PL_RECOGNIZE_SPACES_H

#include "recognize/words.h"

/* Puts a blank into a gap as wide as the line's word gaps, and much wider than those of its
 * letters, where none was read. A blank that was read stays, but for narrow ones before marks and
 * inside quotes, and for doubtful ones in lines of one pitch (pitch.h) that have no place for them:
 * taking out all in narrow gaps lost more right ones than wrong ones on the development lines.
 * chars has room for 2 * n; gives the new number. */
size_t pl_spaces_settle(const struct pl_line_ink *ink, struct pl_read_char *chars, size_t n);

#endif
