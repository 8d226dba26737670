/* SPDX-License-Identifier: BSD-2-Clause */
/* The language model: how likely each character is after those before it, from the sum of a few
 * rows of one 8-bit table that the last characters choose (platen-model.5). */
#ifndef PL_RECOGNIZE_LANGUAGE_H
#define PL_RECOGNIZE_LANGUAGE_H

#include "recognize/language/lexicon.h"
#include "recognize/language/scorer.h"

/* How many symbols a guess looks at, and how many rows it adds up. */
#define PL_LANGUAGE_HISTORY 16
#define PL_LANGUAGE_CONTEXTS 7
#define PL_LANGUAGE_MAX_SYMBOLS PL_SCORER_MAX_NAMES

/* An opened model; fixed by the file. Symbols are numbers 0 to s.n - 1: 0 is the blank and the
 * beginning and end of a line, the last one stands for every character that has none. */
struct pl_language {
    struct pl_scorer s;
    struct pl_lexicon *words;                 /* of the language; NULL = the file has none */
    float word_gain;                          /* of each character of them, at weight 1 */
    uint8_t symbol_of[128];                   /* of ASCII */
    uint32_t points[PL_LANGUAGE_MAX_SYMBOLS]; /* of the symbols behind those of ASCII, ascending */
    size_t first_point;                       /* the first of them */
    uint8_t small[PL_LANGUAGE_MAX_SYMBOLS];   /* the symbol's small letter, or itself */
    bool letter[PL_LANGUAGE_MAX_SYMBOLS];     /* of a symbol */
    bool few_marked; /* of the letters of a text few are beyond ASCII, but some are */
};

/* Opens and checks a file. PLATEN_ERR_IO, _FORMAT, _UNSUPPORTED, _LIMIT, _NOMEM. */
PL_MUST_USE platen_status pl_language_open(const char *path, struct pl_language **ret,
                                           struct platen_error *err);
/* Does the same with bytes that stay valid as long as the model, and are aligned to 16 bytes. */
PL_MUST_USE platen_status pl_language_open_memory(const void *data, size_t n,
                                                  struct pl_language **ret,
                                                  struct platen_error *err);
void pl_language_free(struct pl_language *l);
/* Appends what `platen model info` prints: name, size, sections, metadata. */
void pl_language_describe(const struct pl_language *l, struct pl_str *out);

/* The language as its metadata tell it, a tag of BCP 47; NULL = they do not. */
const char *pl_language_tag(const struct pl_language *l);

/* Symbol of a code point: digits share that of '0', typographic quotes and dashes those of ASCII.
 */
uint8_t pl_language_symbol(const struct pl_language *l, uint32_t code_point);

/* Sets ret[s] to the natural logarithm of the probability of symbol s after `history`, whose
 * newest symbol is the last. A line begins after PL_LANGUAGE_HISTORY blanks. The bits are the
 * same on every ISA. */
void pl_language_guess(const struct pl_language *l, const struct pl_kernels *k,
                       const uint8_t history[PL_LANGUAGE_HISTORY],
                       float ret[PL_LANGUAGE_MAX_SYMBOLS]);

/* Natural logarithm of the probability of text[0..n) at the beginning of a line; what follows the
 * last whole character of it does not count. */
double pl_language_likelihood(const struct pl_language *l, const struct pl_kernels *k,
                              const char *text, size_t n);

PL_DEFINE_AUTO(language)

#endif
