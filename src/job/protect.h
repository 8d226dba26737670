/* SPDX-License-Identifier: BSD-2-Clause */
/* What a job reads is safe from what it writes. */
#ifndef PL_JOB_PROTECT_H
#define PL_JOB_PROTECT_H

#include "job/job.h"

/* Notes every file that the job reads, as far as it is known before the job runs: all inputs, of
 * every share, lists, words, pipeline and models. PLATEN_ERR_ARG where the file of an option would
 * take the place of one; outputs of pages are asked for one by one (pl_page_may_put()), and names
 * that come late by the source. Makes the directories of outputs that are to be durable, and warns
 * of outputs that are left from earlier runs. */
PL_MUST_USE platen_status pl_job_protect(struct platen_job *job, struct platen_error *err);

#endif
