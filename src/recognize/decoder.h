/* SPDX-License-Identifier: BSD-2-Clause */
/* How the logits of lines become text: what may be read and what is likely, shared by all workers
 * of a job. */
#ifndef PL_RECOGNIZE_DECODER_H
#define PL_RECOGNIZE_DECODER_H

#include "recognize/language/identify.h"
#include "recognize/language/language.h"
#include "recognize/language/lexicon.h"
#include "recognize/line_model.h"
#include "recognize/language/scripts.h"

struct pl_decode_options {
    const char *chars; /* the set of characters that are read, or are not (platen.1); NULL = all */
    const char *words; /* a file of words to prefer; NULL = none */
    const char *lang;  /* codes of languages that are expected, as "de+fra"; NULL = any */
    float language_weight; /* 0 = no language model */
};

enum pl_char_kind { PL_CHAR_OTHER, PL_CHAR_BLANK, PL_CHAR_LETTER, PL_CHAR_DIGIT };

/* Whether a set of characters is all but those that it lists: "^0-9". */
static inline bool pl_chars_are_others(const char *set)
{
    return set[0] == '^' && set[1];
}

/* The kind of a Unicode code point. */
enum pl_char_kind pl_char_kind_of(uint32_t c);

/* What the decoder knows of a class. */
struct pl_class {
    const char *symbol;
    uint32_t code_point;
    uint8_t kind;   /* enum pl_char_kind */
    bool forbidden; /* by --chars */
};

/* The language models of languages beside the one that goes with the network. */
struct pl_language_models {
    void *ctx;
    /* Gives the model of a language, a tag of BCP 47, or NULL where there is none; it is opened at
     * the first call, and any worker may call. What failed once fails again. */
    platen_status (*open)(void *ctx, const char *tag, const struct pl_language **ret,
                          struct platen_error *err);
};

/* The files with which the text of lines is judged, borrowed; each may be NULL. */
struct pl_text_models {
    const struct pl_language *language;
    const struct pl_identifier *identifier;
    const struct pl_language_models *others;
    const struct pl_lexicon *words; /* that another decoder has opened, in the place of a file */
};

/* A decoder does not change once it is made. */
struct pl_decoder {
    const struct pl_line_model *model;
    struct pl_text_models text; /* without language models where they have no weight */
    const char *tag;            /* of the language of text that nobody can tell; NULL = any */
    bool expected[PL_IDENTIFIER_MAX_LANGUAGES]; /* names of the identifier; none = any */
    size_t n_expected;
    unsigned expected_scripts;        /* of these languages (enum pl_script); 0 = any */
    enum pl_script first_script;      /* that of the first one; NONE = any */
    float weight;                     /* of the language model */
    const struct pl_lexicon *lexicon; /* NULL = none */
    struct pl_lexicon *own_lexicon;   /* the same, where this decoder has opened it */
    const struct pl_class *classes;   /* model->n_classes */
    struct pl_class *own_classes;     /* the same, where they are not those of another decoder */
    bool restricted;                  /* a class is forbidden */
    bool lacks_letters;               /* most of A to Z are: what is read tells no language */
    unsigned scripts;                 /* of the letters (enum pl_script) */
};

/* The models are borrowed. PLATEN_ERR_ARG for a malformed set or one without characters of the
 * model, or for a language that nobody knows; PLATEN_ERR_IO, _FORMAT, _LIMIT of the words;
 * PLATEN_ERR_NOMEM.
 */
PL_MUST_USE platen_status pl_decoder_new(const struct pl_line_model *model,
                                         const struct pl_text_models *text,
                                         const struct pl_decode_options *o, struct pl_decoder **ret,
                                         struct platen_error *err);
/* Makes a decoder that differs from another one in languages and weight alone; that one is
 * borrowed. PLATEN_ERR_ARG for a language that nobody knows; PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_decoder_like(const struct pl_decoder *of, const char *lang,
                                          float language_weight, struct pl_decoder **ret,
                                          struct platen_error *err);
void pl_decoder_free(struct pl_decoder *d);
/* Gives the language model for text in a language, a tag of BCP 47 or NULL where nobody knows; NULL
 * where there is none. The statuses of pl_language_open(). */
PL_MUST_USE platen_status pl_decoder_language(const struct pl_decoder *d, const char *tag,
                                              const struct pl_language **ret,
                                              struct platen_error *err);

PL_DEFINE_AUTO(decoder)

#endif
