/* Big letters before the first row of a chapter, once both are read. */
#ifndef PL_LAYOUT_JOIN_INITIALS_H
#define PL_LAYOUT_JOIN_INITIALS_H

#include "base/arena.h"
#include "page/result.h"
#include "recognize/decoder.h"

/* Puts every initial that was read as one letter before the text of its row, as a part of its first
 * word or as a word, whichever is likelier by the language model (without one: a part), and takes
 * it from the lines. One that was read otherwise keeps its place and loses its text. false when
 * memory is short. */
PL_MUST_USE bool pl_initials_join(struct pl_arena *arena, const struct pl_kernels *k,
                                  const struct pl_language *language, struct pl_regions *regions);

#endif
