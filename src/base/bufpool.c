#include "base/bufpool.h"

#include <pthread.h>

#include "base/mem.h"

#define MIN_CLASS 12 /* 4 KiB */
#define N_CLASSES 36 /* up to 128 TiB: never the limit */

/* A buffer that nobody took while so many others were taken is given back to the system, so that
 * one huge page does not set the size of the process for good: some dozens of pages. */
#define STALE_GETS 65536
#define GETS_PER_SWEEP 256

struct kept {
    struct kept *next;
    uint64_t put_at; /* count of gets then */
};

struct pl_bufpool {
    pthread_mutex_t lock;
    struct kept *kept[N_CLASSES];
    struct pl_bufpool_stats stats;
    uint64_t next_sweep;
};

struct pl_bufpool *pl_bufpool_new(void)
{
    struct pl_bufpool *p = pl_alloc_zero(1, sizeof(*p));
    if (p)
        pthread_mutex_init(&p->lock, NULL);
    return p;
}

void pl_bufpool_free(struct pl_bufpool *p)
{
    if (!p)
        return;
    for (size_t c = 0; c < N_CLASSES; c++)
        for (struct kept *k = p->kept[c], *next; k; k = next) {
            next = k->next;
            pl_free(k);
        }
    pthread_mutex_destroy(&p->lock);
    pl_free(p);
}

/* Index of the smallest class that holds `bytes`; N_CLASSES when none does. */
static size_t class_of(size_t bytes)
{
    size_t c = 0;
    while (c < N_CLASSES && ((size_t)1 << (c + MIN_CLASS)) < bytes)
        c++;
    return c;
}

void *pl_bufpool_get(struct pl_bufpool *p, size_t bytes)
{
    size_t c = class_of(bytes);
    if (c == N_CLASSES)
        return NULL;
    pthread_mutex_lock(&p->lock);
    struct kept *k = p->kept[c];
    p->stats.gets++;
    if (k) {
        p->kept[c] = k->next;
        p->stats.hits++;
    }
    pthread_mutex_unlock(&p->lock);
    if (k)
        return k;
    size_t size = (size_t)1 << (c + MIN_CLASS);
    void *buf = pl_alloc_aligned(size);
    if (buf) {
        pthread_mutex_lock(&p->lock);
        p->stats.live_bytes += size;
        p->stats.peak_bytes = PL_MAX(p->stats.peak_bytes, p->stats.live_bytes);
        pthread_mutex_unlock(&p->lock);
    }
    return buf;
}

/* Each list begins with the buffer that was put last: behind the first stale one all are stale. */
static void sweep(struct pl_bufpool *p)
{
    for (size_t c = 0; c < N_CLASSES; c++) {
        struct kept **k = &p->kept[c];
        while (*k && p->stats.gets - (*k)->put_at <= STALE_GETS)
            k = &(*k)->next;
        for (struct kept *stale = *k, *next; stale; stale = next) {
            next = stale->next;
            pl_free(stale);
            p->stats.live_bytes -= (size_t)1 << (c + MIN_CLASS);
        }
        *k = NULL;
    }
}

void pl_bufpool_put(struct pl_bufpool *p, void *buf, size_t bytes)
{
    if (!buf)
        return;
    struct kept *k = buf;
    size_t c = class_of(bytes);
    pthread_mutex_lock(&p->lock);
    k->next = p->kept[c];
    k->put_at = p->stats.gets;
    p->kept[c] = k;
    if (p->stats.gets >= p->next_sweep) {
        sweep(p);
        p->next_sweep = p->stats.gets + GETS_PER_SWEEP;
    }
    pthread_mutex_unlock(&p->lock);
}

struct pl_bufpool_stats pl_bufpool_stats(struct pl_bufpool *p)
{
    pthread_mutex_lock(&p->lock);
    struct pl_bufpool_stats s = p->stats;
    pthread_mutex_unlock(&p->lock);
    return s;
}
