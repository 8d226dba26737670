/* SPDX-License-Identifier: BSD-2-Clause */
/* A job: what its options came to, before and while it runs. */
#ifndef PL_JOB_JOB_H
#define PL_JOB_JOB_H

#include "files/kept.h"
#include "job/device.h"
#include "job/further.h"
#include "job/earlier/key.h"
#include "job/languages.h"
#include "job/page.h"
#include "job/requests/requests.h"
#include "files/source.h"
#include "recognize/line_net.h"

struct platen_job {
    struct platen_options o; /* as they were given, with defaults */
    struct pl_plan plan;     /* what the pages share of all below */
    struct pl_input_source source;
    struct pl_requests requests;
    struct pl_kernels kernels;
    struct pl_network *model;         /* reads lines; NULL = the pipeline does not recognize */
    struct pl_network *quick;         /* reads lines before `model`; NULL = none */
    struct pl_language *language;     /* the language model of `model`; NULL = none */
    struct pl_identifier *identifier; /* tells the language of what was read; NULL = none */
    struct pl_network *detector;      /* NULL = detection needs none, or goes without */
    const struct pl_step *detect;     /* the step that runs `detector`; NULL without one */
    struct pl_device device;          /* runs the networks */
    struct pl_line_model line;        /* what `model` tells of itself */
    struct pl_decoder *decoder;       /* of `model`; NULL as that is */
    struct pl_further further;        /* models of lines beside `model` */
    struct pl_decoding decoding;      /* decoder and further models, as recognizers take them */
    struct pl_variants variants;      /* pipelines changed by what requests want */
    struct pl_languages languages;    /* language models beside `language` */
    struct pl_line_calls calls;       /* of the networks that read lines */
    size_t batch_preferred;           /* as many lines are not kept waiting for others */
    struct pl_str model_path, quick_path, detector_path, language_path, identifier_path;
    struct pl_kept kept;    /* files that the job reads, which no output may replace */
    const char *list_path;  /* NULL without a list */
    char key[PL_KEY_BYTES]; /* of the journal: what outputs depend on */
    struct pl_journal journal;
    struct pl_bufpool *bufs;
    struct pl_gate gate;
    uint64_t max_mem_bytes, allocations_before;
    int threads;
    atomic_bool stop;
    struct pl_str roots; /* names that platen_job_add() took, each ended by a zero */
    bool lists;          /* a list of names was added */
    int status_fd;       /* /proc/self/status, where it cannot be opened any more; or -1 */
    double start_s;      /* by pl_host_seconds() */
    bool settled, ran;   /* pl_job_settle(), platen_job_run() was called */
    bool renders;        /* the program for drawn pages was started, and is to be ended */
    bool unnoted;        /* another run has the journal of the output directory */
};

/* The checks that need the inputs, and what outputs are called; once. */
PL_MUST_USE platen_status pl_job_settle(struct platen_job *job, struct platen_error *err);

/* ---- job_models.c ---- */

/* Opens what reads lines and all that goes with it, where the pipeline has a recognize stage. */
PL_MUST_USE platen_status pl_job_open_model(struct platen_job *job, struct platen_error *err);
/* Opens the network of the detect stage, if its operation has one. */
PL_MUST_USE platen_status pl_job_open_detector(struct platen_job *job, struct platen_error *err);
/* Lists the files of the models for the pages, each of which checks that they have not changed. */
void pl_job_watch_models(struct platen_job *job);
/* Whether a pipeline can do with the decoders and the network of detection that the job has. */
bool pl_job_shares_models(const struct platen_job *job, const struct platen_pipeline *p);

#endif
