/* One page through the stages of a pipeline and into its formats. */
#ifndef PL_PIPELINE_PAGE_H
#define PL_PIPELINE_PAGE_H

#include <stdatomic.h>
#include <time.h>

#include "image/codec.h"
#include "output/emit.h"
#include "pipeline/gate.h"
#include "pipeline/inputs.h"
#include "pipeline/journal.h"
#include "pipeline/measure.h"
#include "pipeline/spec.h"

#define PL_MAX_FORMATS 16
#define PL_MAX_PARTS 2 /* of one page (pl_preprocess_op.divide) */

/* What all pages of a job share; immutable while it runs. */
struct pl_plan {
    const struct platen_pipeline *pipeline;
    struct pl_load_options load;
    const struct pl_emitter *formats[PL_MAX_FORMATS];
    size_t n_formats;
    const char *output_dir; /* NULL = a stream, of one format */
    const char *steps_dir;  /* or NULL */
    bool source;            /* a format wants the bytes of the input */
    bool times;
    struct pl_gate *gate; /* into memory */
    const atomic_bool *cancel;
};

/* What a worker keeps from page to page. */
struct pl_page_worker {
    struct pl_env env;
    struct pl_arena arena;
    struct pl_arena names; /* texts of the input */
    struct pl_recognizer *const
        *team;                       /* of all workers; NULL without a recognize stage; borrowed */
    struct pl_detect_net net;        /* nothing when the pipeline detects without a network */
    struct pl_str out[PL_MAX_PARTS]; /* what the page adds to the stream, or its parts do */
    int n_out;
    struct pl_str message; /* why the page failed; or a warning, or nothing */
    struct pl_str scratch, file, path;
    struct pl_input_state input;                      /* of this page, before it was read */
    uint64_t admitted_bytes;                          /* to the gate; 0 = the page is not inside */
    uint64_t output_bytes;                            /* written to files for this page */
    size_t lines;                                     /* with text, of this page */
    bool disk_full;                                   /* this page found no room for its outputs */
    double ms[PLATEN_STAGES];                         /* of this page, or this part of it, wall */
    double page_ms[PLATEN_STAGES];                    /* of this page */
    struct pl_times times[PLATEN_STAGES], page_times; /* of all pages */
    double core_s[PLATEN_STAGES];                     /* of all pages */
    enum platen_stage stage;                          /* the running one, since the two marks */
    struct timespec wall_mark;
    double cpu_mark_s;
};

void pl_page_worker_init(struct pl_page_worker *w);
void pl_page_worker_done(struct pl_page_worker *w);

/* What the names of a part's outputs have behind the page's: "" for part 0, the whole of it. */
const char *pl_part_suffix(int part);

/* Runs one page, the index-th input: fills w->out (stream) or writes its files; on failure fills
 * w->message, which otherwise has a warning or is empty. PLATEN_ERR_CANCELED, from plan->cancel
 * before the page is begun and from w->env.cancel before it is done, leaves no output. */
PL_MUST_USE platen_status pl_page_run(const struct pl_plan *plan, struct pl_page_worker *w,
                                      const struct pl_input *in, size_t index);

/* What pl_page_run() put into w->out as a file of its own, in w->file: the page with all that its
 * format wants around it. PLATEN_ERR_ARG where the format has no room for both parts of one. */
PL_MUST_USE platen_status pl_page_wrap(const struct pl_emitter *e, struct pl_page_worker *w,
                                       struct platen_error *err);

/* Whether colour matters: to an operation before `gray`, or to a picture that is written. */
bool pl_plan_needs_color(const struct pl_plan *plan);

#endif
