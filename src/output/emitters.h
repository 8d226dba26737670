/* SPDX-License-Identifier: BSD-2-Clause */
/* The emitters, one per format; emit.c lists them. */
#ifndef PL_OUTPUT_EMITTERS_H
#define PL_OUTPUT_EMITTERS_H

#include "output/emit.h"

extern const struct pl_emitter pl_emit_txt, pl_emit_layout, pl_emit_json, pl_emit_ndjson,
    pl_emit_tsv, pl_emit_box, pl_emit_hocr, pl_emit_alto, pl_emit_page, pl_emit_pdf,
    pl_emit_textpdf, pl_emit_html, pl_emit_md, pl_emit_csv, pl_emit_png, pl_emit_tiff, pl_emit_pnm,
    pl_emit_overlay;

/* Joins the pages of a PDF, and ends it. */
platen_status pl_pdf_join(struct pl_stream *st, const struct pl_str *page, struct pl_str *out,
                          struct platen_error *err);

/* What an emitter returns after its last addition to `out`. */
static inline platen_status pl_emit_finish(const struct pl_str *out, struct platen_error *err)
{
    return out->failed ? pl_fail_nomem(err, out->len, "the output of a page") : PLATEN_OK;
}

#endif
