/* SPDX-License-Identifier: BSD-2-Clause */
/* Books the time of a worker to the stages of the page that it makes. */
#ifndef PL_JOB_CLOCK_H
#define PL_JOB_CLOCK_H

#include <time.h>

#include "base/pool.h"
#include "job/measure.h"
#include "platen.h"

/* Wall milliseconds by stage. */
struct pl_spans {
    double part[PLATEN_STAGES]; /* of a page, or of the part of one that is being made */
    double all[PLATEN_STAGES];  /* of the page */
};

/* A zeroed clock is stopped. */
struct pl_clock {
    struct pl_pool *seat;   /* the time of those who help from this seat counts, too; or NULL */
    struct pl_spans *spans; /* of the page that is being made */
    enum platen_stage stage;
    struct timespec wall_mark; /* when the stage began, and the processor time then */
    double cpu_mark_s;
    struct pl_times times[PLATEN_STAGES], page_times; /* of all pages */
    double core_s[PLATEN_STAGES];                     /* of all pages */
};

/* Starts to book time to the stage, in these spans. */
void pl_clock_start(struct pl_clock *c, struct pl_spans *spans, enum platen_stage stage);
/* Books the time since the last call, and goes on with another stage. */
void pl_clock_enter(struct pl_clock *c, enum platen_stage next);
/* Books the time since the last call, and stops: what comes until the next start is nobody's. */
void pl_clock_stop(struct pl_clock *c);
/* Counts the times of a page that is done. A stage that it did not come to has none. */
void pl_clock_page(struct pl_clock *c, const struct pl_spans *spans);

#endif
