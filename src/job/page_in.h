/* SPDX-License-Identifier: BSD-2-Clause */
/* The way of a page into memory. */
#ifndef PL_JOB_PAGE_IN_H
#define PL_JOB_PAGE_IN_H

#include "job/page.h"

/* Enters the gate, unless the page is inside; waits until there is memory for it. */
void pl_page_enter(struct pl_page *page);

/* Decodes the page into *ret. The page is inside the gate; of a pipe the rest is read first.
 * page->map holds the file afterwards if a format wants it, else nothing. */
PL_MUST_USE platen_status pl_page_load(struct pl_page_worker *w, struct pl_page *page,
                                       struct pl_image *ret);

#endif
