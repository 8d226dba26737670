/* SPDX-License-Identifier: BSD-2-Clause */
/* Files in memory that a running job is asked to read: the workers take a page of each in turn. */
#ifndef PL_JOB_REQUESTS_H
#define PL_JOB_REQUESTS_H

#include <pthread.h>

#include "base/pool.h"
#include "job/requests/asked.h"

struct pl_requests {
    pthread_mutex_t lock;
    struct pl_pool *pool; /* its workers take the requests; NULL while there are none */
    struct platen_request *first, **end;
    size_t waiting;             /* requests that nobody has begun */
    size_t asked, done, failed; /* pages */
    size_t damaged;             /* of those that are done, the ones that may lack rows */
    uint64_t bytes, most_bytes; /* of pages that are made and not answered yet */
    bool closed;
};

void pl_requests_init(struct pl_requests *q);
void pl_requests_done(struct pl_requests *q);
/* From now on, and with NULL no longer, these workers take the requests. Answers that are being
 * made may have so many bytes, all in all. */
void pl_requests_serve(struct pl_requests *q, struct pl_pool *pool, uint64_t most_bytes);

/* PLATEN_ERR_CANCELED once the queue is closed. */
PL_MUST_USE platen_status pl_requests_add(struct pl_requests *q, struct platen_request *r,
                                          struct platen_error *err);
/* Nobody wants the answer any more: it comes within the call unless pages are being made. Wakes the
 * workers, for one may hold a page of it that waits for others. */
void pl_requests_cancel(struct pl_requests *q, struct platen_request *r);
/* Tells how long a worker may wait from now on, in ms; -1 = any time. */
typedef int pl_requests_patience_fn(const void *ctx);
/* Gives the next page to make to a worker of the pool, which helps others until there is one, or
 * for as long as `patience` allows, which is asked anew at each wake: a request that is canceled is
 * one. False then, and when the queue is closed and empty. */
bool pl_requests_take(struct pl_requests *q, struct pl_pool *seat,
                      pl_requests_patience_fn *patience, const void *ctx, struct pl_page *ret);
/* Nothing more comes in. */
void pl_requests_close(struct pl_requests *q);
/* The same, and whoever waits is refused: there are no workers any more. */
void pl_requests_abandon(struct pl_requests *q);
/* Requests that nobody has begun. */
size_t pl_requests_waiting(struct pl_requests *q);

/* Takes a page that is done, and answers with the last one of its file: as pl_batch_done_fn, of the
 * queue. */
void pl_requests_made(void *queue, struct pl_page_worker *w, struct pl_page *page);

#endif
