/* SPDX-License-Identifier: BSD-2-Clause */
/* A file in memory that a job is asked to read: its pages, each of which some worker makes, and the
 * answer, which has all of them. */
#ifndef PL_JOB_ASKED_H
#define PL_JOB_ASKED_H

#include "job/page.h"
#include "job/requests/variants.h"

/* What came of a page: a text for each of its parts, and what is wrong with it. */
struct pl_asked_page {
    struct pl_str out[PL_MAX_PARTS];
    int n_out;
    struct pl_str warning, name; /* see struct platen_warning; empty = nothing is wrong */
    double share;
};

/* The members behind `opened` are guarded by whoever hands the pages out. */
struct platen_request {
    struct platen_request *next;
    struct pl_plan plan;          /* of one format */
    struct pl_variants *variants; /* where `variant` is given back */
    struct pl_variant *variant;   /* brings the pipeline of the plan, until the answer; or NULL */
    struct pl_inputs in;          /* the file, and once it is opened its pages */
    struct pl_raster raster;      /* the pixels, where it is no file */
    void *ctx;
    void (*answer)(void *ctx, const struct platen_answer *a);
    atomic_bool cancel;
    bool known; /* the file begins like one that platen reads */
    bool opened;
    size_t taken, made;          /* pages that a worker has or had, and those that are done */
    struct pl_asked_page *pages; /* in.n of them */
    uint64_t bytes;              /* of their texts */
    size_t failed;               /* the first page that failed; SIZE_MAX = none */
    platen_status status;        /* of that one */
    struct pl_str message;
    size_t read, lines; /* pages that were read, and their lines with text */
    double ms[PLATEN_STAGES];
};

/* Looks which pages the file has, and makes room for what comes of them. PLATEN_ERR_ARG where it
 * has none of those that are wanted, or several for a format that holds one; PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_asked_open(struct platen_request *r, struct platen_error *err);
/* Gives page i, to be made. */
struct pl_page pl_asked_page(struct platen_request *r, size_t i);
/* Takes over what a worker made of the page; returns the bytes of it. */
uint64_t pl_asked_keep(struct platen_request *r, struct pl_page_worker *w,
                       const struct pl_page *page);
/* Notes that the request fails: page `i` is the reason, or 0 where all of it is. Of several the
 * first page counts. */
void pl_asked_fail(struct platen_request *r, size_t i, platen_status s, const char *reason);
/* Answers when all pages are made. */
void pl_asked_answer(struct platen_request *r);
/* Answers a request that nobody began. */
void pl_asked_refuse(struct platen_request *r, const char *reason);
void pl_asked_free(struct platen_request *r);

#endif
