/* SPDX-License-Identifier: BSD-2-Clause */
/* The outline of a document: bookmarks that stand in each other by their levels (ISO 32000-1,
 * 12.3.3). */
#ifndef PL_OUTPUT_PDF_OUTLINE_H
#define PL_OUTPUT_PDF_OUTLINE_H

#include "base/geom.h"
#include "base/status.h"
#include "base/text.h"

struct pl_pdf_mark {
    size_t order;            /* among those of its file, which come in that order; 0 = as it came */
    int level;               /* it stands in the last mark before it of a lower level */
    size_t page;             /* of the document, from 0 */
    struct pl_point at;      /* on it, in its units, up from the lower left corner */
    struct pl_str title;     /* as the digits of a string */
    size_t parent, children; /* how many marks stand in it, not counting those in these */
    size_t first, last;      /* of them */
    size_t previous, next;   /* with the same parent */
};

/* Marks are counted from 1 in the order of pages, and 0 is the root, or none. */
struct pl_pdf_outline {
    struct pl_pdf_mark *v; /* v[0] is the root; NULL without any mark */
    size_t n, cap;         /* n: marks, without the root */
};

void pl_pdf_outline_done(struct pl_pdf_outline *o);
/* Adds a mark behind the others, with the title text[0..n) in UTF-8. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_pdf_outline_add(struct pl_pdf_outline *o,
                                             const struct pl_pdf_mark *place, const char *text,
                                             size_t n, struct platen_error *err);
/* Takes away the first mark. */
void pl_pdf_outline_drop_first(struct pl_pdf_outline *o);
/* Finds what stands in what; called once, behind the last mark. */
void pl_pdf_outline_link(struct pl_pdf_outline *o);
/* Appends the dictionary of mark i, whose page is object `page` of that generation. The root is
 * object `root`, and mark k is object root + k. */
void pl_pdf_outline_put(const struct pl_pdf_outline *o, size_t i, size_t root, size_t page,
                        int generation, struct pl_str *out);

#endif
