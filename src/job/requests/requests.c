/* SPDX-License-Identifier: BSD-2-Clause */
#include "job/requests/requests.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

void pl_requests_init(struct pl_requests *q)
{
    *q = (struct pl_requests){.end = NULL};
    q->end = &q->first;
    pthread_mutex_init(&q->lock, NULL);
}

void pl_requests_done(struct pl_requests *q)
{
    assert(!q->first); /* who asked was answered or refused */
    pthread_mutex_destroy(&q->lock);
}

/* Wakes the workers. Called with the lock held, so that the pool exists. */
static void wake(struct pl_requests *q)
{
    if (q->pool)
        pl_pool_wake(q->pool);
}

void pl_requests_serve(struct pl_requests *q, struct pl_pool *pool, uint64_t most_bytes)
{
    pthread_mutex_lock(&q->lock);
    q->pool = pool;
    q->most_bytes = most_bytes;
    pthread_mutex_unlock(&q->lock);
}

/* Puts the request at the end. Called with the lock held. */
static void append(struct pl_requests *q, struct platen_request *r)
{
    r->next = NULL;
    *q->end = r;
    q->end = &r->next;
    wake(q);
}

platen_status pl_requests_add(struct pl_requests *q, struct platen_request *r,
                              struct platen_error *err)
{
    pthread_mutex_lock(&q->lock);
    bool closed = q->closed;
    if (!closed) {
        append(q, r);
        q->waiting++;
        q->asked++;
    }
    pthread_mutex_unlock(&q->lock);
    return closed ? pl_fail(err, PLATEN_ERR_CANCELED, "the job takes no more pictures") : PLATEN_OK;
}

/* Unlinks *at; called with the lock held. */
static void unlink_at(struct pl_requests *q, struct platen_request **at)
{
    assert(*at);
    q->waiting -= !(*at)->opened;
    *at = (*at)->next;
    if (!*at)
        q->end = at;
}

/* Leaves the pages that nobody has taken; whether the request is complete by that. Called with the
 * lock held. */
static bool leave_rest(struct pl_requests *q, struct platen_request *r)
{
    const size_t n = r->in.n - r->taken;
    pl_asked_fail(r, r->taken, PLATEN_ERR_CANCELED, NULL);
    q->failed += n;
    r->taken += n;
    r->made += n;
    return n && r->made == r->in.n;
}

void pl_requests_cancel(struct pl_requests *q, struct platen_request *r)
{
    atomic_store(&r->cancel, true);
    pthread_mutex_lock(&q->lock);
    struct platen_request **at = &q->first;
    while (*at && *at != r)
        at = &(*at)->next;
    const bool found = *at, begun = found && r->opened;
    if (found)
        unlink_at(q, at);
    const bool complete = begun && leave_rest(q, r);
    wake(q);
    pthread_mutex_unlock(&q->lock);
    if (complete)
        pl_asked_answer(r);
    else if (found && !begun)
        pl_asked_refuse(r, "canceled");
}

/* Takes the next request out of the queue, or returns NULL; *ret_closed tells whether no more can
 * come. Of one that is open, *ret_page is the next page, and the request goes to the end while it
 * has more. */
static struct platen_request *pop(struct pl_requests *q, size_t *ret_page, bool *ret_closed)
{
    pthread_mutex_lock(&q->lock);
    struct platen_request *r = q->first;
    if (r)
        unlink_at(q, &q->first);
    if (r && r->opened) {
        *ret_page = r->taken++;
        if (r->taken < r->in.n)
            append(q, r);
    }
    *ret_closed = q->closed;
    pthread_mutex_unlock(&q->lock);
    return r;
}

/* Opens a request: its first page is for the caller, and the others go into the queue. Returns
 * whether there is one; otherwise it was answered. */
static bool open_request(struct pl_requests *q, struct platen_request *r)
{
    struct platen_error err;
    const platen_status s = pl_asked_open(r, &err);
    bool complete = s != PLATEN_OK;
    pthread_mutex_lock(&q->lock);
    if (s) {
        pl_asked_fail(r, 0, s, err.text);
        q->failed++;
    } else {
        q->asked += r->in.n - 1;
        r->taken = 1;
        if (atomic_load(&r->cancel))
            leave_rest(q, r);
        else if (r->in.n > 1)
            append(q, r);
    }
    pthread_mutex_unlock(&q->lock);
    if (complete)
        pl_asked_answer(r);
    return !complete;
}

bool pl_requests_take(struct pl_requests *q, struct pl_pool *seat,
                      pl_requests_patience_fn *patience, const void *ctx, struct pl_page *ret)
{
    for (bool closed;;) {
        const uint64_t wakes = pl_pool_wakes(seat);
        size_t page = 0;
        struct platen_request *r = pop(q, &page, &closed);
        if (r && (r->opened || open_request(q, r))) {
            *ret = pl_asked_page(r, page);
            return true;
        }
        if (r)
            continue;
        const int left_ms = patience(ctx);
        if (closed || !left_ms)
            return false;
        pl_pool_idle(seat, wakes, left_ms < 0 ? HUGE_VAL : left_ms * 1e-3);
    }
}

void pl_requests_close(struct pl_requests *q)
{
    pthread_mutex_lock(&q->lock);
    q->closed = true;
    wake(q);
    pthread_mutex_unlock(&q->lock);
}

void pl_requests_abandon(struct pl_requests *q)
{
    size_t page;
    bool closed;
    pl_requests_close(q);
    for (struct platen_request *r; (r = pop(q, &page, &closed));)
        pl_asked_refuse(r, "the job ended");
}

size_t pl_requests_waiting(struct pl_requests *q)
{
    pthread_mutex_lock(&q->lock);
    size_t n = q->waiting;
    pthread_mutex_unlock(&q->lock);
    return n;
}

/* Gives up a request whose pages take more memory than there is for answers. */
static void bound(struct pl_requests *q, struct platen_request *r)
{
    char reason[100];
    if (q->bytes <= q->most_bytes || r->in.n < 2 || atomic_load(&r->cancel))
        return;
    snprintf(reason, sizeof(reason),
             "the answer takes more than the memory for answers: %llu bytes",
             (unsigned long long)q->most_bytes);
    pl_asked_fail(r, 0, PLATEN_ERR_LIMIT, reason);
    atomic_store(&r->cancel, true);
}

void pl_requests_made(void *queue, struct pl_page_worker *w, struct pl_page *page)
{
    struct pl_requests *q = queue;
    struct platen_request *r = page->ctx;
    pthread_mutex_lock(&q->lock);
    q->done += !page->status;
    q->damaged += !page->status && page->flaw.damaged;
    q->failed += page->status != PLATEN_OK;
    q->bytes += pl_asked_keep(r, w, page);
    bound(q, r);
    const bool complete = ++r->made == r->in.n;
    const uint64_t bytes = r->bytes;
    pthread_mutex_unlock(&q->lock);
    if (!complete)
        return;
    pl_asked_answer(r);
    pthread_mutex_lock(&q->lock);
    q->bytes -= bytes;
    pthread_mutex_unlock(&q->lock);
}
