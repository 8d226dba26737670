/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of a PDF document, which names what was written as pages came: what the ends of new
 * documents and of those that stay have in common. */
#ifndef PL_OUTPUT_PDF_END_H
#define PL_OUTPUT_PDF_END_H

#include "output/emit.h"

/* The numbers of the objects: these, and then those of each page. A picture is not in every page,
 * and what it shares in one of those that share it. */
enum {
    PL_PDF_OBJECT_CATALOG = 1,
    PL_PDF_OBJECT_PAGES,
    PL_PDF_OBJECT_INFO,
    PL_PDF_OBJECT_FONT,
    PL_PDF_OBJECT_CHARACTERS,
    PL_PDF_OBJECT_DESCRIPTOR,
    PL_PDF_OBJECT_FONT_FILE,
    PL_PDF_OBJECT_GLYPHS,
    PL_PDF_OBJECT_UNICODE,
    PL_PDF_OBJECT_FIRST_PAGE
};
enum { PL_PDF_OF_TEXT, PL_PDF_OF_PAGE, PL_PDF_OF_IMAGE, PL_PDF_OF_SHARED };
#define PL_PDF_ARCHIVE_OBJECTS 2
/* Behind another document those of the font come first, from its first free number on, then a
 * stream that saves the state of graphics, and of each page its text and its new content, either of
 * which may be missing. */
enum { PL_PDF_OBJECT_SAVE = PL_PDF_OBJECT_FIRST_PAGE, PL_PDF_OBJECT_FIRST_LAYER };

/* What is added to the numbers of objects. */
size_t pl_pdf_base_of(const struct pl_pdf *pdf);
/* The number of the next object, of which pl_pdf_base_of() is not a part. */
size_t pl_pdf_next_number(const struct pl_pdf *pdf);
/* The language that most pages are in, the first of several; "" where no page tells one. */
const char *pl_pdf_language_of(const struct pl_pdf *pdf);

struct pl_pdf_ending {
    struct pl_stream *st;
    struct pl_str *out;
    size_t start;        /* of `out` */
    size_t base;         /* what is added to the numbers of objects */
    uint64_t *offset;    /* of object base + i */
    size_t objects;      /* numbers in use, without the base and those below it */
    uint64_t catalog_at; /* of a document that stays: its new catalogue; 0 = it has the old one */
};

/* Where in the document the next byte will stand. */
uint64_t pl_pdf_end_place(const struct pl_pdf_ending *e);
/* Begins an object, and notes its place. */
void pl_pdf_end_object(struct pl_pdf_ending *e, size_t number);
/* An object that holds `plain`, deflated; `more` stands in its dictionary. */
void pl_pdf_end_packed(struct pl_pdf_ending *e, size_t number, const char *more,
                       struct pl_str *plain);
/* The objects of the font. */
void pl_pdf_end_font(struct pl_pdf_ending *e);
/* The objects of the bookmarks, which have the numbers behind those of the pages. */
void pl_pdf_end_outline(struct pl_pdf_ending *e);
/* An entry of the table of objects. */
void pl_pdf_end_entry(struct pl_pdf_ending *e, uint64_t at, int generation);
/* The last lines of a document. */
void pl_pdf_end_startxref(struct pl_pdf_ending *e, uint64_t table_at);

/* The whole end of a new document, pdf_end_new.c, and of one that stands behind another one,
 * pdf_end_layers.c. */
void pl_pdf_end_new(struct pl_pdf_ending *e);
void pl_pdf_end_layers(struct pl_pdf_ending *e);

#endif
