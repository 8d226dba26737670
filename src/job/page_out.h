/* SPDX-License-Identifier: BSD-2-Clause */
/* The way of a page into the formats: its part of a stream, or its files. */
#ifndef PL_JOB_PAGE_OUT_H
#define PL_JOB_PAGE_OUT_H

#include "job/page.h"

/* PLATEN_ERR_ARG when an output of that name would take the place of one that the job reads. */
PL_MUST_USE platen_status pl_page_may_put(const struct pl_plan *plan, const char *path,
                                          const struct pl_input *in, struct platen_error *err);
/* Forgets what w->out has. */
void pl_page_reset_out(struct pl_page_worker *w);
/* Writes the picture of a part of w->page as it is behind the operation `name`, where the user
 * asked for the steps. */
PL_MUST_USE platen_status pl_page_put_step(struct pl_page_worker *w, const struct pl_part *part,
                                           const char *name, struct platen_error *err);
/* Adds a part of w->page to w->out, or writes its files. What fails is told in the page's err. */
PL_MUST_USE platen_status pl_page_emit(struct pl_page_worker *w, const struct pl_part *part);
/* Puts the record of w->page, which failed, into w->out, where the format has records for that. */
void pl_page_emit_failure(struct pl_page_worker *w);

/* Fills `out` with the name of an output below the directory: of piece number `piece`, or with 0 of
 * an emitter without pieces. */
void pl_output_path(struct pl_str *out, const char *dir, const char *stem, int part,
                    const struct pl_emitter *e, size_t piece);

#endif
