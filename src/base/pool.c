/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/pool.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/system.h"

#define MAX_IDLE_S 1e6

/* A call of pl_pool_for(), on the stack of its caller. */
struct loop {
    struct loop *next;
    struct pl_pool *owner;
    pl_pool_fn *fn;
    void *ctx;
    size_t n;
    atomic_size_t taken;
    int helpers; /* other workers inside */
    bool nested;
};

/* What the seats share. */
struct crew {
    pthread_mutex_t lock;
    clockid_t clock;      /* of waits for `moved` */
    pthread_cond_t moved; /* a loop began, its last helper left, or quit */
    struct loop *loops;   /* open ones, the newest first */
    uint64_t wakes;       /* calls of pl_pool_wake() */
    bool quit;
    int threads;
};

struct pl_pool {
    struct crew *crew;
    struct pl_pool *seats; /* all of them; this one is seats[worker] */
    int worker;
    int depth; /* calls of pl_pool_for() that this worker is in */
    pthread_t thread;
    _Atomic uint64_t helped_ns;
};

static void take_items(struct loop *l, int worker)
{
    for (size_t i; (i = atomic_fetch_add(&l->taken, 1)) < l->n;)
        l->fn(l->ctx, worker, i);
}

/* One with items left. The items of an outermost loop may last as long as the pool: a worker that
 * is inside one takes none but of nested loops. */
static struct loop *find_loop(struct crew *c, bool nested)
{
    struct loop *l = c->loops;
    while (l && (atomic_load_explicit(&l->taken, memory_order_relaxed) >= l->n ||
                 (nested && !l->nested)))
        l = l->next;
    return l;
}

static uint64_t thread_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Called and left with the lock held. */
static void help(struct pl_pool *p, struct loop *l)
{
    struct crew *c = p->crew;
    l->helpers++;
    pthread_mutex_unlock(&c->lock);
    uint64_t start = thread_ns();
    p->depth++;
    take_items(l, p->worker);
    p->depth--;
    if (l->nested)
        atomic_fetch_add(&l->owner->helped_ns, thread_ns() - start);
    pthread_mutex_lock(&c->lock);
    if (--l->helpers == 0)
        pthread_cond_broadcast(&c->moved);
}

static void *worker_main(void *arg)
{
    struct pl_pool *p = arg;
    struct crew *c = p->crew;
    pthread_mutex_lock(&c->lock);
    while (!c->quit) {
        struct loop *l = find_loop(c, false);
        if (l)
            help(p, l);
        else
            pthread_cond_wait(&c->moved, &c->lock);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

static platen_status start_threads(struct crew *c, struct pl_pool *seats, int threads,
                                   struct platen_error *err)
{
    for (; c->threads < threads; c->threads++) {
        struct pl_pool *p = &seats[c->threads];
        *p = (struct pl_pool){.crew = c, .seats = seats, .worker = c->threads};
        int rc = pthread_create(&p->thread, NULL, worker_main, p);
        if (rc)
            return pl_fail(err, PLATEN_ERR_INTERNAL, "unable to create thread %d of %d: %s",
                           c->threads + 1, threads, pl_system_error(rc));
    }
    return PLATEN_OK;
}

platen_status pl_pool_new(int threads, struct pl_pool **ret, struct platen_error *err)
{
    assert(threads > 0);
    struct crew *c = pl_alloc_zero(1, sizeof(*c));
    struct pl_pool *seats = pl_alloc_zero((size_t)threads, sizeof(*seats));
    if (!c || !seats) {
        pl_free(c);
        pl_free(seats);
        return pl_fail_nomem(err, (size_t)threads * sizeof(*seats), "the thread pool");
    }
    pthread_mutex_init(&c->lock, NULL);
    c->clock = pl_system_condition(&c->moved);
    seats[0] = (struct pl_pool){.crew = c, .seats = seats};
    c->threads = 1;
    platen_status s = start_threads(c, seats, threads, err);
    if (s)
        pl_pool_free(seats);
    else
        *ret = seats;
    return s;
}

void pl_pool_free(struct pl_pool *p)
{
    if (!p)
        return;
    struct crew *c = p->crew;
    assert(p->worker == 0 && p->depth == 0);
    pthread_mutex_lock(&c->lock);
    c->quit = true;
    pthread_cond_broadcast(&c->moved);
    pthread_mutex_unlock(&c->lock);
    for (int i = 1; i < c->threads; i++)
        pthread_join(p->seats[i].thread, NULL);
    pthread_cond_destroy(&c->moved);
    pthread_mutex_destroy(&c->lock);
    pl_free(c);
    pl_free(p);
}

int pl_pool_workers(const struct pl_pool *p)
{
    return p ? p->crew->threads : 1;
}

struct pl_pool *pl_pool_seat(struct pl_pool *p, int worker)
{
    assert(!p || (worker >= 0 && worker < p->crew->threads));
    return p ? &p->seats[worker] : NULL;
}

double pl_pool_helped_s(const struct pl_pool *p)
{
    return p ? (double)atomic_load(&p->helped_ns) * 1e-9 : 0;
}

static void open_loop(struct crew *c, struct loop *l)
{
    pthread_mutex_lock(&c->lock);
    l->next = c->loops;
    c->loops = l;
    pthread_cond_broadcast(&c->moved);
    pthread_mutex_unlock(&c->lock);
}

/* Returns when all helpers have left. The outermost call has nothing else to do but to help those
 * within; a nested one does not: its own caller waits for it. */
static void close_loop(struct crew *c, struct loop *l)
{
    struct loop *other;
    pthread_mutex_lock(&c->lock);
    while (l->helpers) {
        if (!l->nested && (other = find_loop(c, false)))
            help(l->owner, other);
        else
            pthread_cond_wait(&c->moved, &c->lock);
    }
    struct loop **at = &c->loops;
    while (*at != l)
        at = &(*at)->next;
    *at = l->next;
    pthread_mutex_unlock(&c->lock);
}

static struct timespec time_after(clockid_t clock, double seconds)
{
    struct timespec t;
    clock_gettime(clock, &t);
    long ns = t.tv_nsec + (long)((seconds - floor(seconds)) * 1e9);
    t.tv_sec += (time_t)floor(seconds) + ns / 1000000000;
    t.tv_nsec = ns % 1000000000;
    return t;
}

uint64_t pl_pool_wakes(struct pl_pool *p)
{
    pthread_mutex_lock(&p->crew->lock);
    uint64_t n = p->crew->wakes;
    pthread_mutex_unlock(&p->crew->lock);
    return n;
}

void pl_pool_wake(struct pl_pool *p)
{
    pthread_mutex_lock(&p->crew->lock);
    p->crew->wakes++;
    pthread_cond_broadcast(&p->crew->moved);
    pthread_mutex_unlock(&p->crew->lock);
}

void pl_pool_idle(struct pl_pool *p, uint64_t wakes, double seconds)
{
    assert((p->depth > 0 || p->crew->threads == 1) && seconds >= 0);
    struct crew *c = p->crew;
    const bool forever = seconds > MAX_IDLE_S;
    const struct timespec end = forever ? (struct timespec){0} : time_after(c->clock, seconds);
    pthread_mutex_lock(&c->lock);
    for (int rc = 0; c->wakes == wakes && !rc;) {
        struct loop *l = find_loop(c, true);
        if (l)
            help(p, l);
        else if (forever)
            pthread_cond_wait(&c->moved, &c->lock);
        else
            rc = pthread_cond_timedwait(&c->moved, &c->lock, &end);
    }
    pthread_mutex_unlock(&c->lock);
}

void pl_pool_for(struct pl_pool *p, size_t n, pl_pool_fn *fn, void *ctx)
{
    int worker = p ? p->worker : 0;
    if (!p || p->crew->threads == 1 || n < 2) {
        for (size_t i = 0; i < n; i++)
            fn(ctx, worker, i);
        return;
    }
    struct loop l = {.owner = p, .fn = fn, .ctx = ctx, .n = n, .nested = p->depth > 0};
    open_loop(p->crew, &l);
    p->depth++;
    take_items(&l, worker);
    p->depth--;
    close_loop(p->crew, &l);
}
