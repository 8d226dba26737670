/* Pages on the thread pool, their results in input order. */
#ifndef PL_PIPELINE_EXEC_H
#define PL_PIPELINE_EXEC_H

#include "base/pool.h"
#include "pipeline/page.h"

/* Takes what a page adds to the stream; called in input order, one call at a time. */
typedef platen_status pl_exec_write_fn(void *ctx, const void *data, size_t n,
                                       struct platen_error *err);

struct pl_exec {
    const struct pl_plan *plan;
    const struct pl_inputs *inputs;
    struct pl_page_worker *workers; /* one for each worker of the pool */
    struct pl_pool *pool;
    struct pl_journal *journal; /* NULL without an output directory */
    atomic_bool *stop; /* plan->cancel: set by the caller to cancel, and here to end early */
    bool fail_fast;
    void *write_ctx;
    pl_exec_write_fn *write;
    void *ctx; /* of the two below, which may be NULL */
    void (*failure)(void *ctx, const char *message);
    void (*progress)(void *ctx, size_t done, size_t failed, size_t total);

    /* results */
    size_t done, failed, skipped; /* skipped: the ones among `done` that an earlier run completed */
};

/* Runs every input. At most 16 results a worker wait for their turn: workers that are further ahead
 * wait too. PLATEN_OK however many pages failed; the status of the first failed write, and
 * PLATEN_ERR_IO when an output directory is full; PLATEN_ERR_CANCELED when `stop` was set from
 * outside; PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_exec_run(struct pl_exec *x, struct platen_error *err);

#endif
