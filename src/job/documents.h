/* SPDX-License-Identifier: BSD-2-Clause */
/* Documents of a run into a directory: all pages of an input file, or of all inputs, go into one
 * output file of a format, in their order. One document is open at a time. It appears when it is
 * whole, and only then the journal tells of its pages. */
#ifndef PL_JOB_DOCUMENTS_H
#define PL_JOB_DOCUMENTS_H

#include "base/file.h"
#include "job/page.h"

struct pl_document_file {
    struct pl_writer file;
    struct pl_str path;
    struct pl_stream stream;
    bool open;
};

/* What the journal is told of a page when its document is whole. */
struct pl_document_note {
    struct pl_input_state state;
    uint64_t bytes; /* of its other outputs */
    bool lacking;   /* the page is not in the document */
};

struct pl_documents {
    const struct pl_plan *plan;
    const struct pl_inputs *inputs;
    struct pl_journal *journal;
    struct pl_document_file files[PL_MAX_FORMATS]; /* of the document at hand, by format */
    struct pl_map source;                          /* of a PDF that stays */
    size_t first;                                  /* its first input */
    struct pl_document_note *notes;                /* of its pages */
    size_t cap;
    platen_status status; /* why it cannot be written, if so: then `err` tells */
    struct platen_error err;
    bool broken;       /* pages of it are missing, since the run ends */
    struct pl_str out; /* scratch */
};

/* A page that is made, and what it adds. */
struct pl_document_page {
    platen_status status;
    struct pl_input_state state;
    uint64_t bytes; /* of files of its own */
    const struct pl_str *out;
    const uint8_t *format_of;
    int n_out;
};

/* Takes page `index` of the inputs, each in its turn; with the last one of a document this is
 * complete. On failure this page is in none: PLATEN_ERR_ARG, _IO, of any text that names the file.
 * A journal that cannot be written is told by *ret_journal. */
PL_MUST_USE platen_status pl_documents_add(struct pl_documents *d, size_t index,
                                           const struct pl_document_page *page,
                                           platen_status *ret_journal, struct platen_error *err);
/* Throws away what is not complete. */
void pl_documents_done(struct pl_documents *d);

#endif
