/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of words that the search is drawn to: a user's dictionary, and the words that a language
 * model file brings. Both are minimal automata (Daciuk and others, Incremental construction of
 * minimal acyclic finite-state automata, Computational Linguistics 26(1), 2000), whose layout
 * platen-model.5 tells. */
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
/* Takes the n bytes of a section of words, which stay valid as long as the lexicon and are aligned
 * to 4. PLATEN_ERR_FORMAT, PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_lexicon_map(const uint8_t *data, size_t n, struct pl_lexicon **ret,
                                         struct platen_error *err);
void pl_lexicon_free(struct pl_lexicon *l);

/* Returns the edges of the automaton. */
size_t pl_lexicon_edges(const struct pl_lexicon *l);

/* Where the automaton is after what was spelt so far. */
struct pl_spelling {
    uint32_t node; /* its first edge; 0 where no word goes on */
    bool word;     /* what was spelt is one */
};

/* Returns where the automaton is when nothing was spelt. */
struct pl_spelling pl_lexicon_start(const struct pl_lexicon *l);
/* Spells one more character, whatever its case. Returns false, and leaves *s as it was, where no
 * word goes on so. */
bool pl_lexicon_spell(const struct pl_lexicon *l, struct pl_spelling *s, const char *symbol);

/* Returns whether the list has a word, whatever its case; only its letters count, not the marks
 * around and within it. */
bool pl_lexicon_has(const struct pl_lexicon *l, const char *word);

PL_DEFINE_AUTO(lexicon)

#endif
