/* SPDX-License-Identifier: BSD-2-Clause */
/* The one font of the documents that platen writes: nothing is drawn with it. Its codes are UTF-16,
 * and every character is half an em wide. */
#ifndef PL_OUTPUT_PDF_FONT_H
#define PL_OUTPUT_PDF_FONT_H

#include "base/text.h"

/* What pages call it. OCRmyPDF takes the text of a page over only with a font of this name. */
#define PL_PDF_FONT "f-0-0"
#define PL_PDF_EM 1000 /* units of the font in an em */
#define PL_PDF_CHAR 500
#define PL_PDF_ASCENT 718
#define PL_PDF_DESCENT (-207)

/* Appends the font as a TrueType file of two empty glyphs. */
void pl_pdf_font_file(struct pl_str *out);
/* Appends a map that gives every character glyph 1. */
void pl_pdf_font_glyphs(struct pl_str *out);
/* Appends the CMap that tells that codes are UTF-16. */
void pl_pdf_font_unicode(struct pl_str *out);

#endif
