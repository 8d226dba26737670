/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/bufpool.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/poison.h"

#define MIN_CLASS 12 /* 4 KiB */
#define N_CLASSES 36 /* up to 128 TiB: never the limit */

/* Buffers are kept until they and those in use come to 5/4 of the most that was in use at once in
 * this period or the last; then the stalest go back to the system. So pages of mixed size do not
 * leave a set of buffers of each size behind, and one huge page does not set the size of the
 * process for good. Small ones stay: the C library would keep them. */
#define LEAST_FREED_CLASS 5 /* 128 KiB */
#define LEAST_FORGOTTEN 8   /* of a buffer's bytes, this part behind them */
#define PERIOD_GETS 2048    /* some pages of print, or a hundred of a line */

#define HUGE_FROM_BYTES ((size_t)2 << 20)

struct kept {
    struct kept *next;
    uint64_t put_at; /* count of gets then */
    size_t touched;  /* bytes that its last user had */
};

struct pl_bufpool {
    pthread_mutex_t lock;
    struct kept *kept[N_CLASSES]; /* each list begins with the buffer that was put last */
    struct pl_bufpool_stats stats;
    bool huge;
    uint64_t period_end;             /* count of gets then */
    size_t used_bytes;               /* handed out */
    size_t most_bytes, before_bytes; /* at once, in this period and in the last */
};

struct pl_bufpool *pl_bufpool_new(void)
{
    struct pl_bufpool *p = pl_alloc_zero(1, sizeof(*p));
    if (p)
        pthread_mutex_init(&p->lock, NULL);
    return p;
}

static void free_all(struct kept *k)
{
    for (struct kept *next; k; k = next) {
        next = k->next;
        pl_free(k);
    }
}

void pl_bufpool_free(struct pl_bufpool *p)
{
    if (!p)
        return;
    assert(!p->used_bytes); /* a buffer that is still out would be lost */
    for (size_t c = 0; c < N_CLASSES; c++)
        free_all(p->kept[c]);
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

static size_t size_of(size_t class)
{
    return (size_t)1 << (class + MIN_CLASS);
}

/* Takes the one that was put longest ago out of its list; NULL when there is none. */
static struct kept *take_stalest(struct pl_bufpool *p)
{
    struct kept **stalest = NULL;
    size_t class = 0;
    for (size_t c = LEAST_FREED_CLASS; c < N_CLASSES; c++)
        for (struct kept **k = &p->kept[c]; *k; k = &(*k)->next)
            if (!(*k)->next && (!stalest || (*k)->put_at < (*stalest)->put_at)) {
                stalest = k;
                class = c;
            }
    if (!stalest)
        return NULL;
    struct kept *taken = *stalest;
    *stalest = NULL;
    p->stats.live_bytes -= size_of(class);
    return taken;
}

/* Takes out what there is no room for beside `bytes` more, to be freed without the lock. */
static struct kept *trim(struct pl_bufpool *p, size_t bytes)
{
    struct kept *stale = NULL;
    size_t most = PL_MAX(p->most_bytes, p->before_bytes);
    while (p->stats.live_bytes + bytes > most + most / 4) {
        struct kept *k = take_stalest(p);
        if (!k)
            break;
        k->next = stale;
        stale = k;
    }
    return stale;
}

/* Counts a get of `bytes`; true when a period has ended. */
static bool count_get(struct pl_bufpool *p, size_t bytes)
{
    bool ended = p->stats.gets++ == p->period_end;
    if (ended) {
        p->period_end += PERIOD_GETS;
        p->before_bytes = p->most_bytes;
        p->most_bytes = 0;
    }
    p->used_bytes += bytes;
    p->most_bytes = PL_MAX(p->most_bytes, p->used_bytes);
    return ended;
}

static void uncount(struct pl_bufpool *p, size_t bytes)
{
    pthread_mutex_lock(&p->lock);
    assert(p->used_bytes >= bytes && p->stats.live_bytes >= bytes);
    p->used_bytes -= bytes;
    p->stats.live_bytes -= bytes;
    pthread_mutex_unlock(&p->lock);
}

/* Gives what was touched behind the first `bytes` of a buffer back to the system, where it is a
 * good part of them. Else, on pages of mixed size, every buffer ends up resident as a whole. */
static void forget_tail(struct kept *k, size_t bytes)
{
    if (k->touched > bytes &&
        k->touched - bytes >= PL_MAX(bytes / LEAST_FORGOTTEN, size_of(LEAST_FREED_CLASS)))
        pl_mem_forget((unsigned char *)k + bytes, k->touched - bytes);
}

void pl_bufpool_use_huge(struct pl_bufpool *p)
{
    p->huge = true;
}

static void ask_for_huge(void *buf, size_t size)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = (uintptr_t)buf & ~(page - 1);
#ifdef MADV_HUGEPAGE
    madvise((void *)from, (uintptr_t)buf + size - from, MADV_HUGEPAGE); /* advice: it may fail */
#endif
}

/* The first `bytes` of a buffer may be used, and nothing else of it. */
static void hand_out(void *buf, size_t bytes, size_t size)
{
    pl_unpoison(buf, bytes);
    pl_poison((unsigned char *)buf + bytes, size - bytes);
}

void *pl_bufpool_get(struct pl_bufpool *p, size_t bytes)
{
    size_t c = class_of(bytes);
    if (c == N_CLASSES)
        return NULL;
    size_t size = size_of(c);
    struct kept *stale = NULL;
    pthread_mutex_lock(&p->lock);
    bool ended = count_get(p, size);
    struct kept *k = p->kept[c];
    if (k) {
        p->kept[c] = k->next;
        p->stats.hits++;
    }
    if (!k || ended)
        stale = trim(p, k ? 0 : size);
    if (!k) {
        p->stats.live_bytes += size;
        p->stats.peak_bytes = PL_MAX(p->stats.peak_bytes, p->stats.live_bytes);
    }
    pthread_mutex_unlock(&p->lock);
    free_all(stale);
    if (k) {
        forget_tail(k, bytes);
        hand_out(k, bytes, size);
        return k;
    }
    void *buf = pl_alloc_aligned(size);
    if (!buf) {
        uncount(p, size);
        return NULL;
    }
    if (p->huge && size >= HUGE_FROM_BYTES)
        ask_for_huge(buf, size);
    hand_out(buf, bytes, size);
    return buf;
}

void pl_bufpool_put(struct pl_bufpool *p, void *buf, size_t bytes)
{
    if (!buf)
        return;
    struct kept *k = buf;
    size_t c = class_of(bytes);
    hand_out(k, sizeof(*k), size_of(c));
    pthread_mutex_lock(&p->lock);
    assert(c < N_CLASSES && p->used_bytes >= size_of(c) && p->kept[c] != k);
    k->next = p->kept[c];
    k->put_at = p->stats.gets;
    k->touched = bytes;
    p->kept[c] = k;
    p->used_bytes -= size_of(c);
    pthread_mutex_unlock(&p->lock);
}

void pl_bufpool_trim(struct pl_bufpool *p)
{
    struct kept *all[N_CLASSES];
    pthread_mutex_lock(&p->lock);
    for (size_t c = 0; c < N_CLASSES; c++) {
        all[c] = p->kept[c];
        p->kept[c] = NULL;
        for (const struct kept *k = all[c]; k; k = k->next)
            p->stats.live_bytes -= size_of(c);
    }
    p->most_bytes = p->used_bytes;
    p->before_bytes = 0;
    pthread_mutex_unlock(&p->lock);
    for (size_t c = 0; c < N_CLASSES; c++)
        free_all(all[c]);
}

struct pl_bufpool_stats pl_bufpool_stats(struct pl_bufpool *p)
{
    pthread_mutex_lock(&p->lock);
    struct pl_bufpool_stats s = p->stats;
    pthread_mutex_unlock(&p->lock);
    return s;
}
