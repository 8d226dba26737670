/* SPDX-License-Identifier: BSD-2-Clause */
#include "output/emit.h"

#include <string.h>

#include "config.h"
#include "output/emitters.h"

const struct pl_emitter *const pl_emitters[] = {
    &pl_emit_txt,     &pl_emit_layout,
    &pl_emit_json,    &pl_emit_ndjson,
    &pl_emit_tsv,     &pl_emit_hocr,
    &pl_emit_alto,    &pl_emit_page,
    &pl_emit_pdf,     &pl_emit_textpdf,
    &pl_emit_box,     &pl_emit_html,
    &pl_emit_md,      &pl_emit_csv,
    &pl_emit_png,     &pl_emit_pnm,
#if PL_HAVE_TIFF
    &pl_emit_tiff,
#endif
    &pl_emit_overlay, NULL,
};

const struct pl_emitter *pl_emitter_find(const char *name, size_t n)
{
    for (const struct pl_emitter *const *e = pl_emitters; *e; e++)
        if (strlen((*e)->name) == n && !memcmp((*e)->name, name, n))
            return *e;
    return NULL;
}
