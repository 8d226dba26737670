/* SPDX-License-Identifier: BSD-2-Clause */
/* PDF 1.5 (ISO 32000-1): what a document remembers of the pages that are written already. It begins
 * anew, or behind the bytes of a document that stays as it is and gets a layer of text. */
#ifndef PL_OUTPUT_PDF_WRITE_H
#define PL_OUTPUT_PDF_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "codec/pdf/update.h"
#include "output/pdf/pdf_outline.h"
#include "output/pdf/pdf_sheet.h"

/* Bytes of the tag of a language, its end included. */
#define PL_PDF_TAG 32

/* What emit() puts before the objects of a page: its picture, what that shares with others, and its
 * text. Of a page that stays there is no picture, and perhaps no text, and perhaps a new content;
 * the texts of the update follow, or what a new page of a PDF carries over. Then come its headings,
 * and last its input file: the path, the title in bookmarks, and what the file calls the page. */
struct pl_pdf_part {
    size_t image_bytes;  /* 0 of a page of text alone */
    size_t shared_bytes; /* 0 = it shares nothing */
    size_t text_bytes;
    size_t stripped_bytes;
    double width_pt, height_pt;
    double box[4];             /* of a new page, left, bottom, right and top, where its picture has
                                  its left lower corner at 0, 0 */
    bool archive;              /* the document is PDF/A-2b */
    bool has_marks;            /* the PDF that a new page comes from has bookmarks of its own */
    struct pl_pdf_sheet sheet; /* of the document */
    char language[PL_PDF_TAG]; /* of its text, a tag of BCP 47; "" where nobody knows */
    struct pl_pdf_place place;
    size_t update_bytes[PL_PDF_OLD_TEXTS];
    size_t n_headings, heading_bytes; /* bytes: of all of them */
    size_t path_bytes, title_bytes, label_bytes;
};

/* A heading: where on the page it begins, in the units of that, its level (pl_block), and its text,
 * which follows. There is no padding: the identifier of the document is made of these bytes, too.
 */
struct pl_pdf_heading {
    struct pl_point at;
    size_t level;
    size_t text_bytes;
};

struct pl_pdf_page {
    size_t number;              /* of its first object */
    uint64_t image_at, text_at; /* offsets in the file; image_at = 0: no picture; text_at = 0: a
                                   page that stays gets none */
    uint64_t shared_at;   /* of what its picture shares; 0 = nothing, or a page before has it */
    uint64_t stripped_at; /* of a page that stays: its new content; 0 = the old one stays */
    double box[4];        /* of pl_pdf_part */
    uint64_t page_at;     /* of a page that stays: its new dictionary */
    int object, generation;
    int n_below; /* states that its content restores and did not save */
    struct pl_str text[PL_PDF_OLD_TEXTS];
    struct pl_str label; /* of a new document: what the input called the page, or nothing */
};

/* How many pages are in a language; the first ones of a document are counted. */
struct pl_pdf_language {
    char tag[PL_PDF_TAG];
    size_t pages;
};

#define PL_PDF_LANGUAGES 16

struct pl_pdf {
    struct pl_pdf_page *pages;
    size_t n, cap;
    struct pl_pdf_language languages[PL_PDF_LANGUAGES];
    struct pl_pdf_sheet sheet; /* of the last page, as of all */
    struct pl_str path;        /* of the input file of the last page */
    size_t files;              /* input files so far */
    struct pl_str shared;      /* the last object that pictures share, and its number */
    size_t shared_number;
    struct pl_pdf_outline outline;
    struct pl_str info;        /* of the input file of the first page: PL_PDF_CARRIED_INFO */
    bool archive;              /* it is PDF/A-2b */
    uint32_t sum;              /* of the bytes of its pages, for its identifier */
    bool update;               /* it stands behind another document */
    struct pl_pdf_place place; /* of the first page that gets text */
};

void pl_pdf_done(struct pl_pdf *pdf);

#endif
