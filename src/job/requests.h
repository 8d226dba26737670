/* SPDX-License-Identifier: BSD-2-Clause */
/* Pictures in memory that a running job is asked to read, in the order of their coming. */
#ifndef PL_JOB_REQUESTS_H
#define PL_JOB_REQUESTS_H

#include <pthread.h>

#include "base/pool.h"
#include "job/page.h"

struct platen_request {
    struct platen_request *next;
    struct pl_plan plan; /* of one format */
    struct pl_input in;
    void *ctx;
    void (*answer)(void *ctx, const struct platen_answer *a);
    atomic_bool cancel;
};

struct pl_requests {
    pthread_mutex_t lock;
    struct pl_pool *pool; /* its workers take the requests; NULL while there are none */
    struct platen_request *first, **end;
    size_t waiting, asked, done, failed;
    bool closed;
};

void pl_requests_init(struct pl_requests *q);
void pl_requests_done(struct pl_requests *q);
/* From now on, and with NULL no longer, these workers take the requests. */
void pl_requests_serve(struct pl_requests *q, struct pl_pool *pool);

/* PLATEN_ERR_CANCELED once the queue is closed. */
PL_MUST_USE platen_status pl_requests_add(struct pl_requests *q, struct platen_request *r,
                                          struct platen_error *err);
/* Takes a request that waits out of the queue; false when it does not. */
bool pl_requests_remove(struct pl_requests *q, struct platen_request *r);
/* The next request, for a worker of the pool, which helps others until there is one, or at most so
 * many milliseconds (-1 = any time); NULL then, and when the queue is closed and empty. */
struct platen_request *pl_requests_take(struct pl_requests *q, struct pl_pool *seat, int wait_ms);
/* Nothing more comes in. */
void pl_requests_close(struct pl_requests *q);
/* The same, and whoever waits is refused: there are no workers any more. */
void pl_requests_abandon(struct pl_requests *q);
/* Requests that wait. */
size_t pl_requests_waiting(struct pl_requests *q);

/* Answers with a page that is done: as pl_batch_done_fn, of the queue; page->ctx is the request. */
void pl_request_answer(void *queue, struct pl_page_worker *w, struct pl_page *page);
/* Answers a request that nobody began. */
void pl_request_refuse(struct platen_request *r, const char *reason);

#endif
