/* SPDX-License-Identifier: BSD-2-Clause */
/* Which model reads a line: the first one, or a further one where that is surer. */
#ifndef PL_RECOGNIZE_REREAD_H
#define PL_RECOGNIZE_REREAD_H

#include "recognize/recognizer.h"

/* Reads lines of n pages, which the team's own models have read, with the further ones, and keeps
 * of each line the better reading. A few of a page's unsure lines are tried; where one wins, the
 * page's other unsure lines are read too, and where most do, all lines. So pages in a script of the
 * first model cost a few lines more at most, and what becomes of a page depends on that page alone.
 */
void pl_reread(const struct pl_reader *r, struct pl_reading *const *pages, size_t n);

#endif
