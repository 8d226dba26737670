/* SPDX-License-Identifier: BSD-2-Clause */
/* What a page tells its user: why it failed, or a warning. */
#ifndef PL_JOB_PAGE_MESSAGE_H
#define PL_JOB_PAGE_MESSAGE_H

#include "job/page.h"

/* Notes why a page failed: "unable to VERB 'PATH': REASON". The texts are borrowed. Returns `s`. */
platen_status pl_page_fail(struct pl_page *page, platen_status s, const char *verb,
                           const char *path, const char *reason);
/* Puts what pl_page_fail() noted into w->message, in the place of any warning. */
void pl_page_tell_failure(struct pl_page_worker *w, const struct pl_page *page);

/* Adds to the warning of the page that its file is flawed, although it was read. */
void pl_page_warn_of_flaw(struct pl_page_worker *w, const struct pl_page *page);
/* Adds to the warning of the page that its text is in a script that is not read. */
void pl_page_warn_of_script(struct pl_page_worker *w, const struct pl_input *in,
                            const struct pl_regions *r);
/* Adds to the warning of the page that its text is not to be trusted, where it was read with little
 * confidence: nothing else tells of letters that were taken for others. */
void pl_page_warn_of_doubt(struct pl_page_worker *w, const struct pl_input *in,
                           const struct pl_regions *r);
/* Adds to the warning of the page that its text stays as it stands on paper, though it is read from
 * right to left: in a build that cannot turn it around. */
void pl_page_warn_of_order(struct pl_page_worker *w, const struct pl_input *in,
                           const struct pl_regions *r);
/* Adds to the warning of the page that much of its ink lies in no line or was not read. Of the two
 * parts of a page only the first that has much left over is told of. */
void pl_page_warn_of_leftover(struct pl_page_worker *w, const struct pl_input *in,
                              const struct pl_regions *r);

#endif
