/* SPDX-License-Identifier: BSD-2-Clause */
/* Outputs of earlier runs that belong to no page any more. */
#ifndef PL_JOB_STALE_H
#define PL_JOB_STALE_H

#include "job/job.h"

/* Gives notice of outputs that the journal names and no input of this run would write: their
 * picture is gone, or is called otherwise since another of its name came. Pictures that are there
 * and were not given to this run do not count. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_stale_tell(const struct platen_job *job, struct platen_error *err);

#endif
