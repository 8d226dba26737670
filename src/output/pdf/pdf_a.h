/* SPDX-License-Identifier: BSD-2-Clause */
/* What PDF/A-2b (ISO 19005-2) asks of a document beside its pages: metadata that tell of it, and
 * what the device colours of its pictures mean. */
#ifndef PL_OUTPUT_PDF_A_H
#define PL_OUTPUT_PDF_A_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* Appends the metadata, as XMP: what the document tells of itself (PL_PDF_CARRIED_INFO), too. */
void pl_pdf_a_metadata(const struct pl_str *info, struct pl_str *out);
/* Appends an ICC profile of sRGB. */
void pl_pdf_a_profile(struct pl_str *out);
/* Appends the entries of the catalogue that lead to the objects of these numbers. */
void pl_pdf_a_entries(size_t metadata, size_t profile, struct pl_str *out);

/* ---- pdf_libraries.c ---- */

/* Appends the trailer's identifier: a hash of the sum of all pages and the places of n objects. */
void pl_pdf_a_identifier(uint32_t sum, const uint64_t *places, size_t n, struct pl_str *out);

#endif
