/* SPDX-License-Identifier: BSD-2-Clause */
/* A user's dictionary: words that the search is drawn to. */
#ifndef PL_RECOGNIZE_LEXICON_H
#define PL_RECOGNIZE_LEXICON_H

#include "base/status.h"

struct pl_lexicon;

#define PL_LEXICON_MAX_BYTES ((size_t)16 << 20)
#define PL_LEXICON_MAX_WORD_BYTES 128

/* Reads UTF-8 text of one word a line; blanks around a word and empty lines do not count, nor does
 * case. PLATEN_ERR_FORMAT names the line: not UTF-8, a blank or control character within a word;
 * PLATEN_ERR_LIMIT, PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_lexicon_parse(const void *text, size_t n, struct pl_lexicon **ret,
                                           struct platen_error *err);
/* Does the same with a file, whose name is in the error. */
PL_MUST_USE platen_status pl_lexicon_open(const char *path, struct pl_lexicon **ret,
                                          struct platen_error *err);
void pl_lexicon_free(struct pl_lexicon *l);

/* The words that begin with what was spelt so far: first..end-1 of the sorted list. */
struct pl_spelling {
    uint32_t first, end, bytes;
};

struct pl_spelling pl_lexicon_start(const struct pl_lexicon *l);
/* Spells one more character. Returns false, and leaves *s as it was, where no word goes on so. */
bool pl_lexicon_spell(const struct pl_lexicon *l, struct pl_spelling *s, const char *symbol);
/* Returns whether what was spelt is a word. */
bool pl_lexicon_complete(const struct pl_lexicon *l, const struct pl_spelling *s);

PL_DEFINE_AUTO(lexicon)

#endif
