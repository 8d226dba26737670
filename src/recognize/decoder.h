/* SPDX-License-Identifier: BSD-2-Clause */
/* How the logits of lines become text: what may be read and what is likely, shared by all workers
 * of a job. */
#ifndef PL_RECOGNIZE_DECODER_H
#define PL_RECOGNIZE_DECODER_H

#include "recognize/language.h"
#include "recognize/lexicon.h"
#include "recognize/line_model.h"
#include "recognize/scripts.h"

struct pl_decode_options {
    const char *chars;     /* the set of characters that may be read (platen.1); NULL = all */
    const char *words;     /* a file of words to prefer; NULL = none */
    float language_weight; /* 0 = no language model */
};

enum pl_char_kind { PL_CHAR_OTHER, PL_CHAR_BLANK, PL_CHAR_LETTER, PL_CHAR_DIGIT };

/* The kind of a Unicode code point. */
enum pl_char_kind pl_char_kind_of(uint32_t c);

/* What the decoder knows of a class. */
struct pl_class {
    const char *symbol;
    uint8_t kind;     /* enum pl_char_kind */
    uint8_t language; /* symbol of the language model, where there is one */
    bool forbidden;   /* by --chars */
};

/* A decoder does not change once it is made. */
struct pl_decoder {
    const struct pl_line_model *model;
    const struct pl_language *language; /* NULL = none */
    float weight;                       /* of the language model */
    struct pl_lexicon *lexicon;         /* NULL = none */
    struct pl_class *classes;           /* model->n_classes */
    bool restricted;                    /* a class is forbidden */
    unsigned scripts;                   /* of the letters (enum pl_script) */
};

/* The models are borrowed; `language` may be NULL. PLATEN_ERR_ARG for a malformed set or one
 * without characters of the model; PLATEN_ERR_IO, _FORMAT, _LIMIT of the words; PLATEN_ERR_NOMEM.
 */
PL_MUST_USE platen_status pl_decoder_new(const struct pl_line_model *model,
                                         const struct pl_language *language,
                                         const struct pl_decode_options *o, struct pl_decoder **ret,
                                         struct platen_error *err);
void pl_decoder_free(struct pl_decoder *d);

PL_DEFINE_AUTO(decoder)

#endif
