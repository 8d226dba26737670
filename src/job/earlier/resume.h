/* SPDX-License-Identifier: BSD-2-Clause */
/* What a run takes over from earlier ones, by their journal. */
#ifndef PL_JOB_RESUME_H
#define PL_JOB_RESUME_H

#include "job/job.h"

#define PL_MAX_DEATHS 2 /* runs that a page may end before it is given up */

/* Marks the settled inputs whose outputs an earlier run into the output directory completed and
 * that are still there; those with which earlier runs ended come last, to be read alone
 * (*ret_alone: there are any), or fail. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_resume_dir(struct platen_job *job, bool *ret_alone,
                                        struct platen_error *err);

/* The same for an output file that grows: all stay in their order. */
void pl_resume_stream(struct platen_job *job, bool *ret_alone);

#endif
