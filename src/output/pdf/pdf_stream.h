/* SPDX-License-Identifier: BSD-2-Clause */
/* Streams and texts of a PDF. pl_pdf_begin_stream(), pl_pdf_put_stream() and pl_pdf_put_packed()
 * end a dictionary that was begun by "<<". */
#ifndef PL_OUTPUT_PDF_STREAM_H
#define PL_OUTPUT_PDF_STREAM_H

#include "base/text.h"

/* Begins and ends a stream of n bytes, which the caller puts between. */
void pl_pdf_begin_stream(struct pl_str *out, size_t n);
void pl_pdf_end_stream(struct pl_str *out);
void pl_pdf_put_stream(struct pl_str *out, const void *data, size_t n);
/* Appends text[0..n), UTF-8, as UTF-16 in hexadecimal digits; what is no UTF-8 becomes U+FFFD. */
void pl_pdf_put_utf16(struct pl_str *out, const char *text, size_t n);

/* ---- pdf_libraries.c ---- */

/* The bytes of `plain`, deflated. Without memory for that, or where `plain` has failed, `out` has
 * failed. */
void pl_pdf_put_packed(struct pl_str *out, const struct pl_str *plain);
/* Continues a CRC-32 (ISO/IEC 3309), which begins as 0, by n bytes. */
uint32_t pl_pdf_sum(uint32_t sum, const void *data, size_t n);

#endif
