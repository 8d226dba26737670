/* SPDX-License-Identifier: BSD-2-Clause */
/* Pipelines of a job as requests want them: with languages, or a weight of language models, of
 * their own. Requests that want the same at a time share one, so that their lines can share calls
 * of the network; it is gone with the last of them. */
#ifndef PL_JOB_VARIANTS_H
#define PL_JOB_VARIANTS_H

#include <pthread.h>

#include "job/further.h"
#include "spec/spec.h"

/* What a request wants; a text is a value of that parameter, or NULL = as the pipeline has it. */
struct pl_variant_wish {
    const struct platen_pipeline *pipeline;
    const char *lang, *lm;
};

struct pl_variant {
    struct pl_variant *next;
    size_t users;
    const struct platen_pipeline *of;
    char *lang, *lm; /* as in the wish */
    struct platen_pipeline *pipeline;
    struct pl_decoding decoding;
    struct pl_decoder *decoder;
    /* Further models are those of the job, with decoders that are made at their first need. */
    struct pl_further_models further;
    const struct pl_further_models *models;
    struct pl_decoder *decoders[PL_MAX_FURTHER];
    pthread_mutex_t lock; /* of these decoders */
};

struct pl_variants {
    const struct pl_decoding *decoding; /* of the job; borrowed */
    struct pl_variant *first;
    pthread_mutex_t lock;
};

void pl_variants_init(struct pl_variants *v, const struct pl_decoding *decoding);
/* All of them have been given back. */
void pl_variants_done(struct pl_variants *v);
/* Gives the variant that is wanted, for pl_variants_give(). PLATEN_ERR_ARG for values that the
 * parameters cannot have or the job does not allow (pl_recognize_decoder_like()),
 * PLATEN_ERR_UNSUPPORTED where the pipeline reads no lines, PLATEN_ERR_NOMEM. From any thread. */
PL_MUST_USE platen_status pl_variants_take(struct pl_variants *v,
                                           const struct pl_variant_wish *wish,
                                           struct pl_variant **ret, struct platen_error *err);
/* NULL is fine. */
void pl_variants_give(struct pl_variants *v, struct pl_variant *one);

#endif
