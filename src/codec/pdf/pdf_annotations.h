/* SPDX-License-Identifier: BSD-2-Clause */
/* What lies over a page beside its content: stamps, notes, fields of forms, links (ISO 32000-1,
 * 12.5). */
#ifndef PL_CODEC_PDF_PDF_ANNOTATIONS_H
#define PL_CODEC_PDF_PDF_ANNOTATIONS_H

#include "codec/pdf/pdf.h"
#include "codec/pdf/pdf_layers.h"

#define PL_PDF_MAX_ANNOTATIONS 65536 /* of a page, that are looked at */

enum pl_pdf_sight {
    PL_PDF_UNSEEN,
    PL_PDF_SEEN,
    PL_PDF_SEEN_FILLED /* a field of a form, if what draws it shows text or a picture */
};

/* Tells whether an annotation is seen on the page: it is not hidden, and readers draw it, by the
 * stream *ret_looks, or, where that is null, by its kind. Links without a border are not seen, and
 * neither are icons that no stream draws. */
enum pl_pdf_sight pl_pdf_annotation_sight(struct pl_pdf_layers *layers, qpdf_oh annotation,
                                          qpdf_oh *ret_looks);

#endif
