/* SPDX-License-Identifier: BSD-2-Clause */
/* The formats of a plan, by their names. */
#ifndef PL_JOB_FORMATS_H
#define PL_JOB_FORMATS_H

#include "job/page.h"

/* Adds the format name[0..n). PLATEN_ERR_ARG where there is none of that name, where it does not
 * fit the pipeline, or the file of another format; PLATEN_ERR_LIMIT. */
PL_MUST_USE platen_status pl_plan_add_format(struct pl_plan *plan, const char *name, size_t n,
                                             struct platen_error *err);
/* Makes structs the only format of the plan. */
void pl_plan_add_tree(struct pl_plan *plan);

#endif
