/* SPDX-License-Identifier: BSD-2-Clause */
/* The pool of threads. An executor has one and passes it down; NULL means that work is done in the
 * calling thread. */
#ifndef PL_BASE_POOL_H
#define PL_BASE_POOL_H

#include <stddef.h>

#include "base/attr.h"
#include "base/status.h"

/* The seat of one worker in a pool, which that worker passes down. */
struct pl_pool;

/* Called for every i in [0, n), in any order; `worker` is in [0, pl_pool_workers()). */
typedef void pl_pool_fn(void *ctx, int worker, size_t i);

/* `threads` workers in all, the caller counted as worker 0, whose seat *ret is: threads - 1 are
 * created, so 1 creates none. Fails with PLATEN_ERR_NOMEM or PLATEN_ERR_INTERNAL (a thread could
 * not be created). */
PL_MUST_USE platen_status pl_pool_new(int threads, struct pl_pool **ret, struct platen_error *err);
/* Ends the threads; p is the seat of worker 0. */
void pl_pool_free(struct pl_pool *p);
int pl_pool_workers(const struct pl_pool *p);
/* Returns the seat of another worker; of NULL it is NULL. */
struct pl_pool *pl_pool_seat(struct pl_pool *p, int worker);

/* Runs fn for 0..n-1 and returns when all are done. Indices are handed out in increasing order. The
 * worker of the seat p takes part, and so do workers that have nothing else to do; an fn may call
 * again with its own worker's seat. */
void pl_pool_for(struct pl_pool *p, size_t n, pl_pool_fn *fn, void *ctx);

/* Within an fn: waits until pl_pool_wakes() is no longer `wakes`, which was read before it was
 * found that there is nothing to do, or so many seconds (HUGE_VAL = any time), and helps meanwhile
 * with the calls that others make from within theirs. */
void pl_pool_idle(struct pl_pool *p, uint64_t wakes, double seconds);
uint64_t pl_pool_wakes(struct pl_pool *p);
/* Ends these waits. From any thread. */
void pl_pool_wake(struct pl_pool *p);

/* Processor time in seconds that other workers spent in calls that this seat made from within an
 * fn; it only grows. */
double pl_pool_helped_s(const struct pl_pool *p);

PL_DEFINE_AUTO(pool)

#endif
