/* One emitter per format; every format is a view of the same result tree. */
#ifndef PL_OUTPUT_EMIT_H
#define PL_OUTPUT_EMIT_H

#include "base/text.h"
#include "detect/region.h"
#include "preprocess/op.h"

enum pl_stage {
    PL_STAGE_DECODE,
    PL_STAGE_PREPROCESS,
    PL_STAGE_DETECT,
    PL_STAGE_RECOGNIZE,
    PL_STAGE_COUNT
};

/* A page that is done, or failed. */
struct pl_page_result {
    const char *path;   /* the input as the user named it */
    int page;           /* from 1 */
    int width, height;  /* of the input picture, EXIF applied; 0 when it failed early */
    float dpi_x, dpi_y; /* 0 = unknown */
    platen_status status;
    const char *error; /* text of the failure; NULL when status is PLATEN_OK */
    const double *ms;  /* PL_STAGE_COUNT wall times; NULL = leave them out, so that the
                          bytes are the same for every run */
    const struct pl_page_image *image; /* NULL when it failed */
    const struct pl_regions *regions;  /* NULL when the pipeline has no detect stage */
    bool recognized;                   /* the pipeline has a recognize stage */
};

/* Appends the page to `out`. */
typedef platen_status pl_emit_fn(const struct pl_env *env, const struct pl_page_result *page,
                                 struct pl_str *out, struct platen_error *err);

struct pl_emitter {
    const char *name;      /* "txt", as in -f */
    const char *extension; /* "txt", of output files */
    const char *help;      /* one line */
    const char *separator; /* between pages in one stream: "\f" for txt, "" for ndjson */
    int needs;             /* stages that the pipeline must have: 1 (preprocess), 2 (detect) or 3 */
    bool binary;           /* refused on a terminal */
    bool failures; /* has a form for a page that failed (ndjson); else such pages are left out */
    pl_emit_fn *emit;
};

extern const struct pl_emitter *const pl_emitters[]; /* NULL-terminated */
const struct pl_emitter *pl_emitter_find(const char *name, size_t n);

#endif
