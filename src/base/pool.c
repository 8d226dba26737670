#include "base/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "base/mem.h"

struct worker {
    struct pl_pool *pool;
    pthread_t thread;
    int index;
};

struct pl_pool {
    pthread_mutex_t lock;
    pthread_cond_t start, finish;
    struct worker *workers; /* threads - 1 of them; worker 0 is the caller */
    int threads, running;   /* running: workers that have not finished the present job */
    unsigned generation;    /* number of the present job */
    bool quit;
    pl_pool_fn *fn;
    void *ctx;
    size_t n;
    atomic_size_t next;
};

static void take_items(struct pl_pool *p, int worker)
{
    for (size_t i; (i = atomic_fetch_add(&p->next, 1)) < p->n;)
        p->fn(p->ctx, worker, i);
}

static void *worker_main(void *arg)
{
    struct worker *w = arg;
    struct pl_pool *p = w->pool;
    unsigned seen = 0;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (!p->quit && p->generation == seen)
            pthread_cond_wait(&p->start, &p->lock);
        if (p->quit)
            break;
        seen = p->generation;
        pthread_mutex_unlock(&p->lock);
        take_items(p, w->index);
        pthread_mutex_lock(&p->lock);
        if (--p->running == 0)
            pthread_cond_signal(&p->finish);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

platen_status pl_pool_new(int threads, struct pl_pool **ret, struct platen_error *err)
{
    pl_auto(pool) p = pl_alloc_zero(1, sizeof(*p));
    if (!p)
        return pl_fail_nomem(err, sizeof(*p), "the thread pool");
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->start, NULL);
    pthread_cond_init(&p->finish, NULL);
    p->threads = 1;
    p->workers = pl_alloc_zero((size_t)threads, sizeof(*p->workers));
    if (!p->workers)
        return pl_fail_nomem(err, (size_t)threads * sizeof(*p->workers), "the thread pool");
    for (; p->threads < threads; p->threads++) {
        struct worker *w = &p->workers[p->threads - 1];
        *w = (struct worker){.pool = p, .index = p->threads};
        int rc = pthread_create(&w->thread, NULL, worker_main, w);
        if (rc)
            return pl_fail(err, PLATEN_ERR_INTERNAL, "unable to create thread %d of %d: %s",
                           p->threads + 1, threads, strerrordesc_np(rc));
    }
    *ret = pl_steal(p);
    return PLATEN_OK;
}

void pl_pool_free(struct pl_pool *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->quit = true;
    pthread_cond_broadcast(&p->start);
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < p->threads - 1; i++)
        pthread_join(p->workers[i].thread, NULL);
    pthread_cond_destroy(&p->finish);
    pthread_cond_destroy(&p->start);
    pthread_mutex_destroy(&p->lock);
    pl_free(p->workers);
    pl_free(p);
}

int pl_pool_workers(const struct pl_pool *p)
{
    return p ? p->threads : 1;
}

void pl_pool_for(struct pl_pool *p, size_t n, pl_pool_fn *fn, void *ctx)
{
    if (!p || p->threads == 1 || n < 2) {
        for (size_t i = 0; i < n; i++)
            fn(ctx, 0, i);
        return;
    }
    pthread_mutex_lock(&p->lock);
    p->fn = fn;
    p->ctx = ctx;
    p->n = n;
    atomic_store(&p->next, 0);
    p->running = p->threads - 1;
    p->generation++;
    pthread_cond_broadcast(&p->start);
    pthread_mutex_unlock(&p->lock);
    take_items(p, 0);
    pthread_mutex_lock(&p->lock);
    while (p->running)
        pthread_cond_wait(&p->finish, &p->lock);
    pthread_mutex_unlock(&p->lock);
}
