/* SPDX-License-Identifier: BSD-2-Clause */
/* PDF 1.5 (ISO 32000-1): what a document remembers of the pages that are written already. */
#ifndef PL_OUTPUT_PDF_WRITE_H
#define PL_OUTPUT_PDF_WRITE_H

#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

/* A font for each 256 code points, from U+0000 to U+10FFFF. */
#define PL_PDF_FONTS (0x110000 / 256)

/* What emit() puts before the two objects of a page: its picture and its text. */
struct pl_pdf_part {
    size_t image_bytes, text_bytes;
    double width_pt, height_pt;
    uint64_t fonts[(PL_PDF_FONTS + 63) / 64]; /* bit f: font f is used */
};

struct pl_pdf_page {
    uint64_t image_at, text_at; /* offsets in the file */
    double width_pt, height_pt;
};

struct pl_pdf {
    struct pl_pdf_page *pages;
    size_t n, cap;
    uint64_t fonts[(PL_PDF_FONTS + 63) / 64]; /* of all pages */
};

void pl_pdf_done(struct pl_pdf *pdf);

#endif
