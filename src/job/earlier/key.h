/* SPDX-License-Identifier: BSD-2-Clause */
/* A name for all that the output of a page depends on beside its input. */
#ifndef PL_JOB_KEY_H
#define PL_JOB_KEY_H

#include "job/page.h"

#define PL_KEY_BYTES 65 /* of a SHA-256 in hexadecimal digits */

/* Files of a job; NULL = none. */
struct pl_key_models {
    const char *detector, *recognizer;
    bool quick;      /* a quick network lies beside the recognizer and is used */
    bool language;   /* so does its language model */
    bool identifier; /* so does what tells the language of what it reads */
    const struct pl_further *further;
    const struct pl_languages *languages;
};

/* The SHA-256 of platen's version, pipeline, formats and limits, of the bytes of the user's
 * dictionary, and of what the models say of theirs, their checksums; and of `pages`, those of each
 * file that one output holds, unless it is NULL. PLATEN_ERR_IO, _NOMEM. */
PL_MUST_USE platen_status pl_key_make(const struct pl_plan *plan, const struct pl_key_models *m,
                                      const char *pages, char ret[PL_KEY_BYTES],
                                      struct platen_error *err);
/* Makes it also depend on the names of the inputs, their order, and the name of the document that
 * holds them all. */
void pl_key_add_inputs(const struct pl_inputs *in, char key[PL_KEY_BYTES]);

#endif
