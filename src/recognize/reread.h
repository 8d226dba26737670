/* SPDX-License-Identifier: BSD-2-Clause */
/* Which model reads a line: the first one, or a further one for its language or its script; or
 * none, where the other side of the sheet shows through. */
#ifndef PL_RECOGNIZE_REREAD_H
#define PL_RECOGNIZE_REREAD_H

#include "recognize/recognizer.h"

/* Reads lines of n pages, which the team's own models have read, with the further ones. A line in a
 * language that a further model tells, and the first one does not, is what that model reads. Of
 * other pages a few lines that are unsure, or have unsure words, are tried with models of further
 * scripts, or that tell no languages; where one wins, the page's other unsure lines are read too,
 * and where most do, all lines, and of each the better reading stays, with the first model's words
 * in its own scripts. Where a language is expected in a script that a further model adds, that
 * reads all lines that may be in it, and on a page that nothing else tells they are. So other pages
 * in the first model's languages cost a few lines more at most, and what becomes of a page depends
 * on that page alone.
 *
 * The first model then reads a few unsure lines as a mirror shows them. Where it is much surer of
 * one, the other side of the sheet shows through: all unsure lines are read so, and the words of
 * those of which it is surer are doubted; not with a min_conf of 0, which keeps all. */
void pl_reread(const struct pl_reader *r, struct pl_reading *const *pages, size_t n);

#endif
