/* SPDX-License-Identifier: BSD-2-Clause */
/* What a new document tells of itself: what the PDF told that its pages come from. `info` is as
 * PL_PDF_CARRIED_INFO has it, and may be anything: it comes from a stranger's file. */
#ifndef PL_OUTPUT_PDF_INFO_H
#define PL_OUTPUT_PDF_INFO_H

#include "base/text.h"
#include "codec/pdf/update.h"

/* Returns whether anything of a kind is there, be it empty. */
bool pl_pdf_info_has(const struct pl_str *info, enum pl_pdf_info kind);
/* Returns the language, a tag of BCP 47; NULL where there is none that may be one. */
const char *pl_pdf_info_language(const struct pl_str *info);
/* Appends the entries of the dictionary of the document. */
void pl_pdf_info_put(const struct pl_str *info, struct pl_str *out);
/* Appends the same as properties of XMP, whose namespaces dc, pdf and xmp are told before. */
void pl_pdf_info_put_xmp(const struct pl_str *info, struct pl_str *out);

#endif
