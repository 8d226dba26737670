/* SPDX-License-Identifier: BSD-2-Clause */
/* The sheets of a document: how large its pages are, and where on them their pictures lie. */
#ifndef PL_OUTPUT_PDF_SHEET_H
#define PL_OUTPUT_PDF_SHEET_H

#include <stdbool.h>

#include "base/status.h"

enum pl_pdf_side { PL_PDF_TOP, PL_PDF_RIGHT, PL_PDF_BOTTOM, PL_PDF_LEFT, PL_PDF_SIDES };

/* All in points. Zeros are pages of the size of their pictures. */
struct pl_pdf_sheet {
    bool wanted;          /* something is not zero */
    bool largest;         /* all pages are as large as the largest of them */
    double width, height; /* or have this paper; 0 = none */
    double margin[PL_PDF_SIDES];
    double from_left, from_top; /* the share of what is left over that lies there */
};

/* Reads what options say, each of which may be NULL: a size ("largest", the name of a paper, or
 * "210x297" in mm), margins in mm (one number, or four from the top on clockwise), and where the
 * picture lies ("center", "top", "bottom-left" ...). PLATEN_ERR_ARG. */
PL_MUST_USE platen_status pl_pdf_sheet_read(const char *size, const char *margins,
                                            const char *align, struct pl_pdf_sheet *ret,
                                            struct platen_error *err);
/* The size of a page with margins around a picture of that size. */
void pl_pdf_sheet_around(const struct pl_pdf_sheet *s, double *width, double *height);
/* The corners of the page, left and bottom, right and top, whose picture has its left bottom corner
 * at 0, 0; the largest page of the document has the size `most`. A picture that is too large for
 * its paper by more than a millimetre makes that larger; else what is over is cut. */
void pl_pdf_sheet_box(const struct pl_pdf_sheet *s, const double most[2], double width,
                      double height, double ret[4]);

#endif
