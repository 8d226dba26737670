/* SPDX-License-Identifier: BSD-2-Clause */
/* The models with which a job reads lines beside its first one: each is opened at its first need,
 * so that pages that need none cost nothing. */
#ifndef PL_JOB_FURTHER_H
#define PL_JOB_FURTHER_H

#include <pthread.h>
#include <stdatomic.h>

#include "job/device.h"
#include "recognize/recognize.h"

#define PL_MAX_FURTHER 7

/* A model that may be read with; what is behind its paths is NULL or zero until it is opened. */
struct pl_further_model {
    struct pl_str path, language_path; /* of its language model; empty = it has none */
    struct pl_network *network;
    struct pl_line_model line;
    struct pl_language *language;
    struct pl_decoder *decoder;
    platen_status status; /* of opening it, with `err` */
    struct platen_error err;
    atomic_bool opened; /* well or not; nothing changes any more */
};

struct pl_further {
    struct pl_further_model v[PL_MAX_FURTHER];
    unsigned uses[PL_MAX_FURTHER];
    struct pl_further_models models; /* for the recognizers */
    const struct pl_kernels *kernels;
    struct pl_device *device;
    const struct pl_recognize_args *args;
    /* Those of the first model, set before a further one is opened; or NULL. */
    const struct pl_identifier *identifier;
    const struct pl_lexicon *words;
    pthread_mutex_t lock; /* of what is being opened */
};

/* A zeroed one is ready for pl_further_done(). Kernels, device and arguments are borrowed. */
void pl_further_init(struct pl_further *f, const struct pl_kernels *k, struct pl_device *device,
                     const struct pl_recognize_args *args);
/* Adds the model in a file for some uses (enum pl_further_use), and its language model if the
 * arguments want one and it is there. PLATEN_ERR_LIMIT, _NOMEM. */
PL_MUST_USE platen_status pl_further_add(struct pl_further *f, const char *path, unsigned uses,
                                         struct platen_error *err);
/* Opens all of them now. */
PL_MUST_USE platen_status pl_further_open_all(struct pl_further *f, struct platen_error *err);
/* Fails when a file of one that is open has changed since; *path is that file then. */
PL_MUST_USE platen_status pl_further_check(const struct pl_further *f, const char **path,
                                           struct platen_error *err);
/* Models that are open, language models among them, and their bytes. */
void pl_further_count(const struct pl_further *f, int *models, uint64_t *bytes);
void pl_further_done(struct pl_further *f);

#endif
