/* SPDX-License-Identifier: BSD-2-Clause */
/* Text that is set vertically, as Chinese and Japanese are: in columns that run down the page, the
 * first one at the right, whose characters stand upright. Lines are found across such columns, and
 * read as surely. What tells is the distance of characters (the docstrum of O'Gorman, 1993, has it
 * by angles): those of a column touch, and columns have a gap between them. Such a page is read
 * from its picture turned left: the lines there are the columns in their order, and networks for
 * these scripts know characters that lie on their side. */
#ifndef PL_LAYOUT_VERTICAL_H
#define PL_LAYOUT_VERTICAL_H

#include "base/arena.h"
#include "page/result.h"

/* Tells whether the characters of lines that were found, and not read yet, stand in columns. */
bool pl_vertical_suspect(const struct pl_regions *rows);
/* Tells whether what was read from the picture turned left is text that is set so. */
bool pl_vertical_is_read(const struct pl_regions *columns);
/* Exchanges marks of columns that were read as what they look like on their side; new texts lie in
 * the arena. Returns false when memory is short. */
PL_MUST_USE bool pl_vertical_set_marks(struct pl_arena *arena, struct pl_regions *columns);
/* Describes columns whose layout is settled by the page as it stands, on which their lines run
 * down. Returns false when memory is short. */
PL_MUST_USE bool pl_vertical_set_back(struct pl_arena *arena, struct pl_regions *columns);

#endif
