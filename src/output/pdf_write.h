/* SPDX-License-Identifier: BSD-2-Clause */
/* PDF 1.5 (ISO 32000-1): what a document remembers of the pages that are written already. */
#ifndef PL_OUTPUT_PDF_WRITE_H
#define PL_OUTPUT_PDF_WRITE_H

#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

/* What emit() puts before the objects of a page: its picture, and its text. */
struct pl_pdf_part {
    size_t image_bytes; /* 0 of a page of text alone */
    size_t text_bytes;
    double width_pt, height_pt;
};

struct pl_pdf_page {
    size_t number;              /* of its first object */
    uint64_t image_at, text_at; /* offsets in the file; image_at = 0: no picture */
    double width_pt, height_pt;
};

struct pl_pdf {
    struct pl_pdf_page *pages;
    size_t n, cap;
};

void pl_pdf_done(struct pl_pdf *pdf);

#endif
