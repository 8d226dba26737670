/* SPDX-License-Identifier: BSD-2-Clause */
/* A document that stays open from page to page. */
#ifndef PL_CODEC_PDF_PDF_DOCUMENT_H
#define PL_CODEC_PDF_PDF_DOCUMENT_H

#include <stdbool.h>

/* From now on the document that is read stays open for the next page of it, which saves reading its
 * table of objects for each. For a process of one thread that is given the same bytes each time. */
void pl_pdf_keep_open(void);
/* Whether one is open now. */
bool pl_pdf_stays_open(void);

#endif
