/* SPDX-License-Identifier: BSD-2-Clause */
/* Signs, headings and other short texts, of which no more than a few words tell the script. */
#ifndef PL_RECOGNIZE_SIGNS_H
#define PL_RECOGNIZE_SIGNS_H

#include "recognize/decoder.h"

/* Returns whether a line of a page that tells no language may be a sign in another script, although
 * the first model reads it surely: it has a word of letters that the language of that model's
 * decoder does not have. */
bool pl_sign_may_be(const struct pl_decoder *first, const struct pl_line *line);

/* Tells whether a line is a sign in one of `scripts`, by what the first model made of it and by the
 * reading of a further one, which has the text then. All of its letters may be of that script, and
 * none stands beside figures. Beyond that, one of these is so: no other script is expected; a
 * letter is none that Latin has, and the reading is sure; or a language of the script has every
 * word, and either a letter is none that Latin has, or both models saw the same letters and no
 * language in Latin letters has such words. What both saw alike is as sure as the first model is;
 * other words that a language has are kept, however they are doubted: a network shares what it sees
 * among letters that look the same. New texts lie in `arena`. PLATEN_ERR_NOMEM, the statuses of
 * pl_decoder_language(). */
PL_MUST_USE platen_status pl_sign_settle(struct pl_arena *arena, const struct pl_decoder *first,
                                         unsigned scripts, const struct pl_line *line,
                                         struct pl_line *reading, bool *ret_is,
                                         struct platen_error *err);

#endif
