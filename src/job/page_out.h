/* What a page leaves: its part of a stream, or its files. */
#ifndef PL_JOB_PAGE_OUT_H
#define PL_JOB_PAGE_OUT_H

#include "job/page.h"

/* Writes the file that w->path names below the directory `dir`, unless it would take the place of
 * what the job reads. */
PL_MUST_USE platen_status pl_page_put(struct pl_page_worker *w, const struct pl_plan *plan,
                                      const char *dir, const struct pl_input *in,
                                      const struct pl_str *bytes, struct platen_error *err);
void pl_page_reset_out(struct pl_page_worker *w);
/* Adds w->page, or a part of it, to w->out, or writes its files. What fails is told in its err. */
PL_MUST_USE platen_status pl_page_emit(struct pl_page_worker *w,
                                       const struct pl_page_result *result);
/* In a stream, a format may have a record for a page that failed: w->page. */
void pl_page_emit_failure(struct pl_page_worker *w);

#endif
