/* SPDX-License-Identifier: BSD-2-Clause */
/* The content of a page without its hidden text, piece by piece as it is read. */
#ifndef PL_CODEC_PDF_PDF_STRIP_H
#define PL_CODEC_PDF_PDF_STRIP_H

#include "base/text.h"

struct pl_pdf_stripped {
    struct pl_str *out; /* what stays */
    struct pl_str bare; /* of the text object at hand: without what only places hidden text */
    size_t text_at;     /* where that object begins in `out` */
    bool in_text;
    bool shows; /* the object shows text that stays */
};

/* Returns whether the operator shows text. */
bool pl_pdf_shows_text(const char *op);

/* A stretch of content that ends with an operator. */
struct pl_pdf_piece {
    const char *op; /* "" where it is a long word */
    const char *s;
    size_t n;
    const double *numbers; /* its last operands that are such */
    int n_numbers;
    bool gone;   /* it shows hidden text, and nothing else */
    bool hidden; /* text that is shown now is hidden */
};

/* Takes the next piece. */
void pl_pdf_strip_piece(struct pl_pdf_stripped *s, const struct pl_pdf_piece *p);
/* Ends the content. */
void pl_pdf_strip_end(struct pl_pdf_stripped *s);

#endif
