/* SPDX-License-Identifier: BSD-2-Clause */
/* What a new document carries over from the one that its page comes from: what that tells of itself
 * and its language, and its bookmarks; and what it lacks of it. */
#ifndef PL_CODEC_PDF_PDF_CARRIED_H
#define PL_CODEC_PDF_PDF_CARRIED_H

#include "codec/pdf/pdf.h"

/* Appends to text[PL_PDF_CARRIED_INFO] and text[PL_PDF_CARRIED_MARKS], as update.h has them, those
 * of the document, and the bookmarks that lead to the page, which is page `number` from 1 on. A
 * bookmark that leads nowhere goes with the next one that leads somewhere. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_pdf_read_carried(qpdf_data pdf, qpdf_oh page, int number,
                                              struct pl_str *text, struct platen_error *err);

/* Returns what of the page and of its document a new one lacks: a set of PL_LOST_LINKS and so on.
 */
unsigned pl_pdf_lost(qpdf_data pdf, qpdf_oh page);

#endif
