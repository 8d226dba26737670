/* SPDX-License-Identifier: BSD-2-Clause */
#include "job/requests.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "host/host.h"
#include "output/tree.h"

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

void pl_requests_serve(struct pl_requests *q, struct pl_pool *pool)
{
    pthread_mutex_lock(&q->lock);
    q->pool = pool;
    pthread_mutex_unlock(&q->lock);
}

platen_status pl_requests_add(struct pl_requests *q, struct platen_request *r,
                              struct platen_error *err)
{
    pthread_mutex_lock(&q->lock);
    bool closed = q->closed;
    if (!closed) {
        r->next = NULL;
        *q->end = r;
        q->end = &r->next;
        q->waiting++;
        q->asked++;
        wake(q);
    }
    pthread_mutex_unlock(&q->lock);
    return closed ? pl_fail(err, PLATEN_ERR_CANCELED, "the job takes no more pictures") : PLATEN_OK;
}

/* Unlinks *at; called with the lock held. */
static void unlink_at(struct pl_requests *q, struct platen_request **at)
{
    assert(*at && q->waiting > 0);
    *at = (*at)->next;
    if (!*at)
        q->end = at;
    q->waiting--;
}

bool pl_requests_remove(struct pl_requests *q, struct platen_request *r)
{
    pthread_mutex_lock(&q->lock);
    struct platen_request **at = &q->first;
    while (*at && *at != r)
        at = &(*at)->next;
    bool found = *at;
    if (found)
        unlink_at(q, at);
    pthread_mutex_unlock(&q->lock);
    return found;
}

/* Takes the next request, or returns NULL; *ret_closed tells whether no more can come. */
static struct platen_request *pop(struct pl_requests *q, bool *ret_closed)
{
    pthread_mutex_lock(&q->lock);
    struct platen_request *r = q->first;
    if (r)
        unlink_at(q, &q->first);
    *ret_closed = q->closed;
    pthread_mutex_unlock(&q->lock);
    return r;
}

struct platen_request *pl_requests_take(struct pl_requests *q, struct pl_pool *seat, int wait_ms)
{
    const double end_s = pl_host_seconds() + wait_ms * 1e-3;
    for (bool closed;;) {
        uint64_t wakes = pl_pool_wakes(seat);
        struct platen_request *r = pop(q, &closed);
        double left_s = wait_ms < 0 ? HUGE_VAL : end_s - pl_host_seconds();
        if (r || closed || left_s <= 0)
            return r;
        pl_pool_idle(seat, wakes, left_s);
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
    bool closed;
    pl_requests_close(q);
    for (struct platen_request *r; (r = pop(q, &closed));)
        pl_request_refuse(r, "the job ended");
}

size_t pl_requests_waiting(struct pl_requests *q)
{
    pthread_mutex_lock(&q->lock);
    size_t n = q->waiting;
    pthread_mutex_unlock(&q->lock);
    return n;
}

static void count_answer(struct pl_requests *q, platen_status s)
{
    pthread_mutex_lock(&q->lock);
    q->done += !s;
    q->failed += s != PLATEN_OK;
    pthread_mutex_unlock(&q->lock);
}

static void answer_failure(struct platen_request *r, struct platen_answer *a, const char *reason)
{
    a->data = reason;
    a->data_bytes = strlen(reason);
    r->answer(r->ctx, a);
}

void pl_request_answer(void *queue, struct pl_page_worker *w, struct pl_page *page)
{
    struct platen_request *r = page->ctx;
    struct platen_error err = {.text = ""};
    platen_status s = page->status;
    const bool tree = r->plan.formats[0] == &pl_emit_tree;
    const struct platen_page *pages[PL_MAX_PARTS];
    bool wrapped = !s && !tree;
    if (wrapped)
        s = pl_page_wrap(r->plan.formats[0], w, &err);
    struct platen_answer a = {.size = sizeof(a),
                              .status = s,
                              .begun = true,
                              .known = pl_image_known(r->in.data, r->in.size),
                              .lines = page->lines};
    memcpy(a.ms, page->spans.part, sizeof(a.ms));
    count_answer(queue, s);
    if (s) {
        const char *text = wrapped ? err.text : w->message.s;
        answer_failure(r, &a, text && *text ? text : platen_status_name(s));
        return;
    }
    for (int i = 0; tree && i < w->n_out; i++)
        pages[a.n_pages++] = pl_tree_page(&w->out[i]);
    if (tree) {
        a.pages = pages;
    } else {
        a.data = w->file.len ? w->file.s : "";
        a.data_bytes = w->file.len;
    }
    r->answer(r->ctx, &a);
}

void pl_request_refuse(struct platen_request *r, const char *reason)
{
    struct platen_answer a = {.size = sizeof(a), .status = PLATEN_ERR_CANCELED};
    answer_failure(r, &a, reason);
}
