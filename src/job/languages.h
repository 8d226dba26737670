/* SPDX-License-Identifier: BSD-2-Clause */
/* The language models of a job for other languages than that of its first model: each is opened at
 * the first page in that language. */
#ifndef PL_JOB_LANGUAGES_H
#define PL_JOB_LANGUAGES_H

#include <pthread.h>
#include <stdatomic.h>

#include "recognize/decoder.h"

struct pl_language_file {
    const char *tag; /* of BCP 47; a name of the identifier */
    struct pl_str path;
    struct pl_language *model; /* NULL until it is opened */
    platen_status status;      /* of opening it, with `err` */
    struct platen_error err;
    atomic_bool opened; /* well or not; nothing changes any more */
};

struct pl_languages {
    struct pl_language_file v[PL_IDENTIFIER_MAX_LANGUAGES];
    size_t n;
    struct pl_language_models models; /* for the decoder */
    pthread_mutex_t lock;             /* of what is being opened */
};

/* Notes the language models that lie beside a model, for the languages that the identifier tells.
 * What is zeroed, or was given to this, is ready for pl_languages_done(). The identifier is
 * borrowed. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_languages_find(struct pl_languages *l, const char *model,
                                            const struct pl_identifier *id,
                                            struct platen_error *err);
/* Fails when a file of one that is open has changed since; *path is that file then. */
PL_MUST_USE platen_status pl_languages_check(const struct pl_languages *l, const char **path,
                                             struct platen_error *err);
/* Adds those that are open, and their bytes. */
void pl_languages_count(const struct pl_languages *l, int *models, uint64_t *bytes);
void pl_languages_done(struct pl_languages *l);

#endif
