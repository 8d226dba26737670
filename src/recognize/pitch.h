/* SPDX-License-Identifier: BSD-2-Clause */
/* The pitch of a line: typewriters, terminals and fonts for code set all letters equally far apart.
 */
#ifndef PL_RECOGNIZE_PITCH_H
#define PL_RECOGNIZE_PITCH_H

#include "recognize/words.h"

/* Returns how many px the middles of neighbours stand apart where the letters of the line have one
 * pitch, a blank taking as much as a letter; 0 where they have none, or are too few to tell. */
double pl_pitch_find(const struct pl_read_char *chars, size_t n);

#endif
