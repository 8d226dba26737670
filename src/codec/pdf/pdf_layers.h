/* SPDX-License-Identifier: BSD-2-Clause */
/* Which layers of a PDF are shown: its optional content (ISO 32000-1, 8.11). */
#ifndef PL_CODEC_PDF_PDF_LAYERS_H
#define PL_CODEC_PDF_PDF_LAYERS_H

#include "codec/pdf/qpdf_library.h"

struct pl_pdf_layers {
    qpdf_data pdf;
    bool base_hidden; /* layers that are not listed are hidden, and the listed ones shown */
    int *listed;      /* their objects, in order */
    size_t n;
    int n_asked; /* layers and conditions that were looked at so far */
};

/* Reads how the document is shown when it is opened. PLATEN_ERR_LIMIT, _NOMEM; ret is for
 * pl_pdf_layers_done() in every case. */
PL_MUST_USE platen_status pl_pdf_layers_read(qpdf_data pdf, struct pl_pdf_layers *ret,
                                             struct platen_error *err);
void pl_pdf_layers_done(struct pl_pdf_layers *l);

/* Returns whether what belongs to `content`, a layer or a condition on several, is shown. True for
 * anything else, and behind many thousand questions. */
bool pl_pdf_layers_show(struct pl_pdf_layers *l, qpdf_oh content);

#endif
