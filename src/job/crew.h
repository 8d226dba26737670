/* SPDX-License-Identifier: BSD-2-Clause */
/* The workers of a job, one for each thread of its pool. */
#ifndef PL_JOB_CREW_H
#define PL_JOB_CREW_H

#include "job/batch.h"

struct pl_crew {
    int n;
    struct pl_page_worker *workers;
    struct pl_batch *batches;    /* one for each worker */
    struct pl_recognizer **team; /* NULL when the pipeline does not recognize */
};

/* What the workers share; borrowed. */
struct pl_crew_kit {
    const struct pl_kernels *kernels;
    struct pl_bufpool *bufs;
    const struct pl_network *model;   /* of lines; NULL when the pipeline does not recognize */
    const struct pl_line_model *line; /* what `model` tells of itself */
    size_t n_further;                 /* models of lines beside `model` */
    struct pl_line_calls *calls;
    const struct pl_batch_rules *rules;
    const struct pl_step *detect;      /* NULL when the pipeline does not detect */
    const struct pl_network *detector; /* NULL when detection needs none */
    uint64_t max_pixels;               /* of a picture that an operation makes */
};

/* Whatever comes back, pl_crew_done() frees it. */
PL_MUST_USE platen_status pl_crew_init(struct pl_crew *c, const struct pl_crew_kit *kit,
                                       struct pl_pool *pool, struct platen_error *err);
/* Puts what the workers measured of their pages into *ret, which has zeros there. A zeroed crew has
 * measured nothing. */
void pl_crew_summarize(const struct pl_crew *c, struct platen_summary *ret);
/* Frees the workers; a zeroed crew has none. */
void pl_crew_done(struct pl_crew *c);

#endif
