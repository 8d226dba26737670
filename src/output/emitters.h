/* The emitters, one per format; emit.c lists them. */
#ifndef PL_OUTPUT_EMITTERS_H
#define PL_OUTPUT_EMITTERS_H

#include "output/emit.h"

extern const struct pl_emitter pl_emit_txt, pl_emit_json, pl_emit_ndjson, pl_emit_png, pl_emit_pnm,
    pl_emit_overlay;

/* What an emitter returns after its last addition to `out`. */
static inline platen_status pl_emit_finish(const struct pl_str *out, struct platen_error *err)
{
    return out->failed ? pl_fail_nomem(err, out->len, "the output of a page") : PLATEN_OK;
}

#endif
