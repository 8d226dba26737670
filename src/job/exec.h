/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs pages on the thread pool; results leave in the order of inputs, or as they come. */
#ifndef PL_JOB_EXEC_H
#define PL_JOB_EXEC_H

#include "base/pool.h"
#include "job/batch.h"
#include "job/requests/requests.h"
#include "files/source.h"
#include "files/stream_file.h"

/* Takes what a page adds to the stream; one call at a time. */
typedef platen_status pl_exec_write_fn(void *ctx, const void *data, size_t n,
                                       struct platen_error *err);

struct pl_exec {
    const struct pl_plan *plan;
    struct pl_input_source *source;
    struct pl_batch *batches; /* one for each worker of the pool */
    struct pl_pool *pool;
    struct pl_stream_file *growing; /* where the stream goes, or NULL: then to `write` */
    struct pl_journal
        *journal;      /* NULL without an output directory or `growing`; in the order of the ends */
    atomic_bool *stop; /* plan->cancel: set by the caller to cancel, and here to end early */
    bool fail_fast, unordered;
    bool cautious; /* there are inputs that are read alone; all are settled */
    void *write_ctx;
    pl_exec_write_fn *write;
    void *ctx; /* of the callbacks below, which may be NULL */
    /* In the place of `write`: also tells which of the plan's formats the bytes are of. */
    platen_status (*write_format)(void *ctx, size_t format, const void *data, size_t n,
                                  struct platen_error *err);
    void (*failure)(void *ctx, platen_status why, const char *message);
    void (*warning)(void *ctx, const struct platen_warning *w);
    void (*progress)(void *ctx, const struct platen_progress *now);
    void (*page)(void *ctx, const struct platen_page *page); /* in the place of `write` */

    /* results */
    size_t done, failed, skipped; /* skipped: the ones among `done` that an earlier run completed */
    size_t damaged;               /* of those that are done, the ones that may lack rows */
    struct pl_depth waiting;      /* pages that are made, and wait for those before them */
};

/* Runs every input. In order, at most 16 results a worker wait for their turn: workers that are
 * further ahead wait too. PLATEN_OK however many pages failed; the status of the first failed
 * write, and PLATEN_ERR_IO when an output directory is full; PLATEN_ERR_CANCELED when `stop` was
 * set from outside; that of the source's list, when all pages before are done; PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_exec_run(struct pl_exec *x, struct platen_error *err);

/* Whether the run, which is over, leaves nothing to write in a format: no page came, and a picture
 * or a document without one is none, nor is one that stays and got no text. */
bool pl_exec_left_nothing(const struct pl_exec *x, const struct pl_emitter *format);

/* Reads and answers what is asked, in the same way on the same workers, until the queue is closed
 * and empty. Of `x` only plan, batches and pool are used. */
void pl_exec_serve(struct pl_exec *x, struct pl_requests *requests);

#endif
