/* SPDX-License-Identifier: BSD-2-Clause */
/* What must be known of a PDF to add a layer to a page of it and leave every byte of it as it is
 * (ISO 32000-1, 7.5.6: incremental updates). */
#ifndef PL_CODEC_PDF_UPDATE_H
#define PL_CODEC_PDF_UPDATE_H

#include "base/geom.h"
#include "base/status.h"
#include "base/text.h"

/* Texts of dictionaries, of a page and of the document, in the syntax of PDF. */
enum pl_pdf_text {
    PL_PDF_OLD_ENTRIES,   /* of the page, but for the next two */
    PL_PDF_OLD_CONTENTS,  /* references to its streams */
    PL_PDF_OLD_RESOURCES, /* entries of its resources, but for the fonts */
    PL_PDF_OLD_FONTS,     /* entries of those */
    PL_PDF_OLD_TRAILER,   /* entries that each trailer repeats */
    PL_PDF_OLD_CATALOG,   /* of the catalogue, but for bookmarks or a language that it has not */
    /* What a new document carries over: texts, each begun by a letter of pl_pdf_info and ended by a
     * zero; bookmarks, each a pl_pdf_carried_mark and its title. */
    PL_PDF_CARRIED_INFO,
    PL_PDF_CARRIED_MARKS,
    PL_PDF_STRIPPED, /* the content in their place, without hidden text; "" = it stays */
    PL_PDF_OLD_TEXTS
};

enum pl_pdf_info {
    PL_PDF_INFO_TITLE = 'T',
    PL_PDF_INFO_AUTHOR = 'A',
    PL_PDF_INFO_SUBJECT = 'S',
    PL_PDF_INFO_KEYWORDS = 'K',
    PL_PDF_INFO_CREATED = 'D', /* as PDF writes it */
    PL_PDF_INFO_LANGUAGE = 'L',
    PL_PDF_INFO_MARKS = 'M' /* the document has bookmarks, perhaps none of this page */
};

struct pl_pdf_carried_mark {
    int order;          /* among all of the document, from 1 */
    int level;          /* 0 = it stands in no other one */
    struct pl_point at; /* right of the left upper corner of the page as it is seen, and below it,
                           in inches */
    size_t title_bytes;
};

#define PL_PDF_MAX_BELOW 64 /* of states that are restored and were not saved */

struct pl_pdf_place {
    /* A pixel of the page's picture, as it is seen, is `scale` units of the page in size; to_user
     * leads from those units, right and up from the lower left corner of the picture, to the page
     * as it is stored. */
    double scale_x, scale_y;
    struct pl_affine to_user;
    int object, generation;          /* of the page */
    int catalog, catalog_generation; /* its object; 0 = it cannot be written anew */
    bool has_outline, has_language;  /* the document, in the catalogue */
    int free_object;                 /* the first number that no object has */
    uint64_t xref_at;                /* of the last table of objects */
    bool xref_stream;                /* that table is a stream */
    bool keeps_text;                 /* the page has some that stays, and gets no other */
    int n_open;                      /* states of graphics that the page's content leaves saved */
    int n_below;                     /* states that it restores, but did not save */
};

struct pl_pdf_update {
    struct pl_pdf_place place;
    struct pl_str text[PL_PDF_OLD_TEXTS];
};

struct pl_pdf_update_source {
    const uint8_t *data;
    size_t n;
    int page; /* from 1, as in pl_load_options */
    uint64_t page_at;
    enum platen_pdf_text pdf_text;
    bool scan_alone;   /* of pl_load_options */
    bool carried;      /* nothing is asked but what a new document carries over */
    int width, height; /* of the picture that was made of the page */
};

/* PLATEN_ERR_UNSUPPORTED for a document that is encrypted, or so damaged that nothing can be added,
 * or in a build without qpdf; PLATEN_ERR_FORMAT, _NOMEM. *ret is for pl_pdf_update_done() in every
 * case. */
PL_MUST_USE platen_status pl_pdf_read_update(const struct pl_pdf_update_source *src,
                                             struct pl_pdf_update *ret, struct platen_error *err);
void pl_pdf_update_done(struct pl_pdf_update *u);

#endif
