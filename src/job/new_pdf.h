/* SPDX-License-Identifier: BSD-2-Clause */
/* What becomes of the pages of a PDF in a new one, told once for each file. */
#ifndef PL_JOB_NEW_PDF_H
#define PL_JOB_NEW_PDF_H

#include "job/page.h"

/* The pages of a file so far, in their order. */
struct pl_new_pdf {
    struct pl_str name; /* of the file, quoted; "" = there is nothing to tell */
    size_t drawn;       /* pages that became pictures */
    unsigned lost;      /* PL_LOST_LINKS and so on */
    struct pl_str text; /* a warning about the last file, that begins with its name */
    size_t name_bytes;
};

/* Appends the name of the file that the page comes from, where the page has something to tell. */
void pl_new_pdf_name(const struct pl_page *page, struct pl_str *ret);
/* Adds a page, of which pl_new_pdf_name() gave the name; `more` pages of its file follow. Returns
 * whether it was the last one, and there is something to tell of the file, in f->text. */
bool pl_new_pdf_add(struct pl_new_pdf *f, const struct pl_page_told *told,
                    const struct pl_str *name, bool more);
void pl_new_pdf_done(struct pl_new_pdf *f);

#endif
