/* SPDX-License-Identifier: BSD-2-Clause */
/* In what language a page and its lines are, by the best paths of all lines, and what that means
 * for how they are read. */
#ifndef PL_RECOGNIZE_PAGE_LANGUAGE_H
#define PL_RECOGNIZE_PAGE_LANGUAGE_H

#include "recognize/recognizer.h"

/* Tells the language of a page in its regions and lines, of its n lines, and chooses the language
 * model of each. What seems to be in a script that the network does not read is noted as misread.
 * Depends on nothing but these lines and the decoder. The statuses of pl_decoder_language(). */
PL_MUST_USE platen_status pl_language_settle(const struct pl_decoder *d, const struct pl_kernels *k,
                                             struct pl_page_line *lines, size_t n,
                                             struct pl_regions *regions, struct platen_error *err);

/* Tells the language of each of n lines of one page that a further model reads with the decoder
 * `d`, and chooses its language model: the one that goes with the further model, or else the one
 * that `first`, the decoder of the first model, has for that language. What was told before stays
 * where the further model tells that language; otherwise these lines, as they are read now, say in
 * what language those of each script are together and each of them surely by itself. The statuses
 * of pl_decoder_language(). */
PL_MUST_USE platen_status pl_language_settle_further(const struct pl_decoder *first,
                                                     const struct pl_decoder *d,
                                                     const struct pl_kernels *k,
                                                     struct pl_page_line *lines, size_t n,
                                                     struct platen_error *err);

/* Returns how likely those words of a line that were read with less confidence than `below`,
 * doubted ones among them, are what the network makes of text in one of the scripts (of enum
 * pl_script); 1 where the decoder cannot tell. */
float pl_language_misread(const struct pl_decoder *d, const struct pl_kernels *k,
                          const struct pl_line *line, float below, unsigned scripts);

/* Settles what is told of a page once further models have had their say. A misread page is of a
 * language if it was read after all; else nothing of it is kept, unless min_conf is 0. Of a page of
 * which hardly anything is trusted only lines are kept that are, and no language is told. Others
 * are in the language that most of their lines tell, unless hardly a word is one of that; where
 * those of their lines that are not trusted are in a script that is not read, that is noted, and
 * nothing of these lines is kept. New objects lie in `arena`. PLATEN_ERR_NOMEM, the statuses of
 * pl_decoder_language(). */
PL_MUST_USE platen_status pl_language_conclude(const struct pl_decoder *d,
                                               const struct pl_kernels *k, float min_conf,
                                               struct pl_arena *arena, struct pl_regions *regions,
                                               struct platen_error *err);

#endif
