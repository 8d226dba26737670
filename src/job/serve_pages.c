/* SPDX-License-Identifier: BSD-2-Clause */
/* The workers of a job of requests: pl_exec_serve(). */
#include "job/exec.h"

#include <math.h>

#include "host/host.h"

struct service {
    struct pl_exec *x;
    struct pl_requests *requests;
};

/* A server that has had nothing to do for this time gives back the memory that pages took. */
#define REST_MS 1000

static int patience_of_batch(const void *batch)
{
    return pl_batch_patience(batch);
}

static int time_to_rest(const void *end_s)
{
    return (int)fmax(ceil((*(const double *)end_s - pl_host_seconds()) * 1e3), 0);
}

static bool next_page(struct service *service, struct pl_batch *b, struct pl_page *ret)
{
    const double rest_s = pl_host_seconds() + REST_MS * 1e-3;
    struct pl_pool *seat = b->w->env.pool;
    if (!b->n && pl_requests_take(service->requests, seat, time_to_rest, &rest_s, ret))
        return true;
    if (!b->n)
        pl_page_worker_rest(b->w);
    return pl_requests_take(service->requests, seat, patience_of_batch, b, ret);
}

static void serve(void *ctx, int worker, size_t unused)
{
    struct service *service = ctx;
    struct pl_batch *b = &service->x->batches[worker];
    struct pl_page page;
    (void)unused;
    pl_batch_deliver_to(b, pl_requests_made, service->requests);
    for (bool any = true; any;) {
        const bool waiting = b->n;
        any = next_page(service, b, &page);
        if (any)
            pl_batch_take(b, &page);
        else
            pl_batch_finish(b);
        any = any || waiting;
    }
}

void pl_exec_serve(struct pl_exec *x, struct pl_requests *requests)
{
    struct service service = {x, requests};
    pl_requests_serve(requests, x->pool, pl_gate_input_bytes(x->plan->gate));
    pl_pool_for(x->pool, (size_t)pl_pool_workers(x->pool), serve, &service);
    pl_requests_serve(requests, NULL, 0);
    x->done = requests->done;
    x->failed = requests->failed;
    x->damaged = requests->damaged;
}
