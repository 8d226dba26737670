/* SPDX-License-Identifier: BSD-2-Clause */
/* One page of a run: what it is, and its way through the stages into the formats (page.c). */
#ifndef PL_JOB_PAGE_H
#define PL_JOB_PAGE_H

#include <stdatomic.h>

#include "codec/codec.h"
#include "output/emit.h"
#include "job/clock.h"
#include "job/further.h"
#include "job/languages.h"
#include "job/gate.h"
#include "files/inputs.h"
#include "files/journal.h"
#include "files/kept.h"
#include "stages/stages.h"

#define PL_MAX_FORMATS 32
#define PL_MAX_PARTS 2 /* of one page (pl_preprocess_op.divide) */
#define PL_MAX_OUTS (PL_MAX_PARTS * PL_MAX_FORMATS)
#define PL_BATCH_PAGES 64 /* the most pages whose lines are read together */

#define PL_MAX_MODELS 5

/* A file that all pages of a job need. */
struct pl_shared_file {
    const struct pl_map *map;
    const char *path;
};

/* What all pages of a job share; immutable while it runs. */
struct pl_plan {
    const struct platen_pipeline *pipeline;
    struct pl_load_options load;
    const struct pl_emitter *formats[PL_MAX_FORMATS];
    size_t n_formats;
    const char *output_dir; /* NULL = a stream for each format */
    const char *steps_dir;  /* or NULL */
    bool one_file;          /* all inputs are pages of one file */
    bool update;            /* the stream is a PDF that stays and gets text: in->stays of all */
    bool documents;         /* below output_dir a format makes one file of each input file */
    bool source;            /* a format wants the bytes of the input */
    bool times, slim, join_lines, clean_pdf, pdfa;
    struct pl_pdf_sheet sheet; /* of documents of format pdf */
    float dpi;                 /* that pages have, whatever their files tell; 0 = what these tell */
    char model[96]; /* name and version of the model that reads lines, as it tells them; or "" */
    struct pl_gate *gate; /* into memory */
    struct pl_shared_file models[PL_MAX_MODELS];
    size_t n_models;
    const struct pl_decoding *decoding;   /* where the pipeline recognizes */
    const struct pl_further *further;     /* models that are opened when they are needed */
    const struct pl_languages *languages; /* language models that are, too */
    const atomic_bool *cancel;
    int wake_fd;                /* becomes readable when `cancel` is set */
    bool durable;               /* outputs below output_dir are synced to the disk */
    const struct pl_kept *kept; /* files that no output may replace */
};

/* One page, from when it is taken to its end. The members before `status` are given, the rest is
 * zero. */
struct pl_page {
    const struct pl_plan *plan;
    struct pl_input in;
    size_t index;                /* of the input */
    const atomic_bool *cancel;   /* set when nobody wants the page any more; or NULL */
    void *ctx;                   /* of who gave the page */
    struct pl_input_state input; /* the file as it was before it was read */

    platen_status status;
    struct platen_error err;
    const char *verb, *culprit, *reason; /* "unable to VERB 'CULPRIT': REASON" */
    uint64_t bytes; /* memory that the page holds in the gate: the estimate and later claims */
    uint64_t decode_bytes;          /* as pl_image_probe() told, for the decoder */
    uint64_t pixels, scratch_bytes; /* the largest picture and the scratch that `bytes` covers */
    bool alone;  /* the worker holds no other page, so that this one may wait for memory */
    bool inside; /* the page has passed the gate and not left it */
    struct pl_map map;
    struct pl_page_told told; /* of a page of a PDF */
    bool anew;                /* its picture goes into a new PDF */
    struct pl_flaw flaw;      /* what is wrong with the file, although it was read */
    int width, height;
    float dpi_x, dpi_y;
    struct pl_part first, second; /* `second` has no picture unless the page was divided */
    struct pl_reading_size size;  /* of `first` */
    size_t lines;                 /* with text */
    uint64_t output_bytes;        /* written to files */
    bool disk_full;               /* there was no room for its outputs */
    bool fatal;                   /* what failed would fail every later page: the run ends */
    struct pl_spans spans;
    enum platen_stage stage; /* in which pl_page_begin() left it; pl_page_end() goes on there */
};

/* What a worker keeps from page to page. */
struct pl_page_worker {
    struct pl_env env;
    struct pl_room room; /* of env */
    struct pl_arena arena;
    struct pl_arena names;             /* texts of the inputs */
    struct pl_recognizer *const *team; /* of all workers, borrowed; NULL where none is needed */
    struct pl_detect_net net;          /* nothing when the pipeline detects without a network */
    struct pl_page *page;              /* the one that is being made */
    /* What the page or its parts add to the streams: n_out texts, each of a format. */
    struct pl_str out[PL_MAX_OUTS];
    uint8_t format_of[PL_MAX_OUTS];
    int n_out;
    struct pl_str message; /* why the page failed; or a warning, or nothing */
    size_t name_bytes;     /* length of the quoted name that a warning in `message` begins with */
    double share;          /* of the page's ink that the warning is about, 0 to 1 */
    bool damaged;          /* rows of the page may be missing */
    struct pl_str scratch, file, path;
    struct pl_str told_of; /* pl_new_pdf_name() of the page */
    struct pl_clock clock;
};

void pl_page_worker_init(struct pl_page_worker *w);
void pl_page_worker_done(struct pl_page_worker *w);
/* Gives the memory of past pages back; called between two pages, when the next one may be long in
 * coming. */
void pl_page_worker_rest(struct pl_page_worker *w);
/* Bounds every picture of the worker's pages to max_pixels, and lets operations claim memory from
 * the gate. The worker must not move in memory afterwards. page_memory.c. */
void pl_page_worker_bound(struct pl_page_worker *w, uint64_t max_pixels);

/* Finds the bytes of memory that the page will take, as the header in page->map promises; also
 * fills page->pixels and page->scratch_bytes. Fails where the decoder hangs in the header: with
 * PLATEN_ERR_LIMIT, told in page->err. page_memory.c. */
PL_MUST_USE platen_status pl_page_estimate(struct pl_page *page, uint64_t *ret);

/* A page goes through these in turn, whatever becomes of it: page->status tells. */

/* Opens the file, and tells from its header how much memory the page will take. Nothing is done
 * when plan->cancel is set. page_in.c. */
void pl_page_open(struct pl_page_worker *w, struct pl_page *page);
/* Enters the gate if that takes no waiting, and returns whether the page is inside. page_in.c. */
bool pl_page_try_enter(struct pl_page *page);
/* Enters the gate, unless the page is inside, and takes it through its first two stages: to where
 * its lines can be read, which page->size counts. */
void pl_page_begin(struct pl_page_worker *w, struct pl_page *page);
/* Reads the lines of n pages, PL_BATCH_PAGES at most, which share a pipeline. */
void pl_pages_recognize(struct pl_page_worker *w, struct pl_page *pages, size_t n);
/* Leaves the gate early: what the page still holds is little. page_in.c. */
void pl_page_leave(struct pl_page *page);
/* Takes a page whose lines have been read to its end: fills w->out (stream) or writes its files. On
 * failure w->message tells why; otherwise it has a warning or is empty. PLATEN_ERR_CANCELED, from
 * page->cancel, leaves no output. Gives back all that the page holds. */
void pl_page_end(struct pl_page_worker *w, struct pl_page *page);

/* Returns whether colour matters: to an operation before `gray`, or to a picture that is written.
 */
bool pl_plan_needs_color(const struct pl_plan *plan);
/* Returns whether a stream is its pages one after the other, with nothing behind the last one. */
bool pl_plan_grows(const struct pl_plan *plan);

#endif
