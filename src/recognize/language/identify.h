/* SPDX-License-Identifier: BSD-2-Clause */
/* Tells the language of a text by the pieces of its words (platen-model.5, LANGUAGE IDENTIFIERS).
 */
#ifndef PL_RECOGNIZE_IDENTIFY_H
#define PL_RECOGNIZE_IDENTIFY_H

#include "recognize/language/scorer.h"
#include "recognize/language/scripts.h"

#define PL_IDENTIFIER_MAX_WIDTH 64
#define PL_IDENTIFIER_MAX_LANGUAGES PL_SCORER_MAX_NAMES

/* An opened file. Its names are tags of BCP 47: languages ("de"); "und", codes and figures of no
 * language; "und-Cyrl" and the like, what a recognizer makes of a script that it does not read. */
struct pl_identifier {
    struct pl_scorer s;
};

/* As those of language models: PLATEN_ERR_IO, _FORMAT, _UNSUPPORTED, _LIMIT, _NOMEM. */
PL_MUST_USE platen_status pl_identifier_open(const char *path, struct pl_identifier **ret,
                                             struct platen_error *err);
PL_MUST_USE platen_status pl_identifier_open_memory(const void *data, size_t n,
                                                    struct pl_identifier **ret,
                                                    struct platen_error *err);
void pl_identifier_free(struct pl_identifier *id);
/* Appends what `platen model info` prints. */
void pl_identifier_describe(const struct pl_identifier *id, struct pl_str *out);

/* What the words of a text say of its language; all zero = no text. */
struct pl_traits {
    float sum[PL_IDENTIFIER_MAX_WIDTH];
    uint32_t pieces, letters;
    uint32_t cyrillic, greek; /* of the letters */
};

/* The script of most letters: Cyrillic, Greek, or else Latin. */
enum pl_script pl_traits_script(const struct pl_traits *t);
/* Adds a text of n code points. Sums depend on the order in which texts are added. A text with a
 * word in Cyrillic or Greek letters alone is that of such words: Latin names stand in every
 * language. */
void pl_identifier_add(const struct pl_identifier *id, const struct pl_kernels *k,
                       const uint32_t *text, size_t n, struct pl_traits *t);
/* Adds the traits of another text. */
void pl_traits_add(struct pl_traits *to, const struct pl_traits *more);
/* ret[i] = probability of name i of the file; there are no pieces without a text: all are alike.
 * The same bits on every ISA. */
void pl_identifier_judge(const struct pl_identifier *id, const struct pl_kernels *k,
                         const struct pl_traits *t, float ret[PL_IDENTIFIER_MAX_LANGUAGES]);

PL_DEFINE_AUTO(identifier)

#endif
