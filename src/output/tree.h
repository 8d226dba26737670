/* SPDX-License-Identifier: BSD-2-Clause */
/* The result of a page as the structs of platen.h, and the only place that makes them. */
#ifndef PL_OUTPUT_TREE_H
#define PL_OUTPUT_TREE_H

#include "output/emit.h"

/* A form of output like the others, but with no name to ask for it by: emit() writes one block of
 * memory that holds a struct platen_page and all that it points to. Its text may be swapped with
 * another one, but not copied or added to. */
extern const struct pl_emitter pl_emit_tree;

/* The page that pl_emit_tree wrote into the text; valid as long as the text is. */
const struct platen_page *pl_tree_page(const struct pl_str *text);

#endif
