/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/mem.h"

#include <stdatomic.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#include <pthread.h>
#endif
#include <sys/mman.h>
#include <unistd.h>

static _Atomic uint64_t allocations, codec_allocations;
static _Atomic uint64_t fail_at; /* absolute number of the allocation that fails; 0 = none */
static atomic_bool fail_on;

void pl_mem_fail_at(uint64_t n, bool persistent)
{
    atomic_store(&fail_on, persistent);
    atomic_store(&fail_at, n ? atomic_load(&allocations) + n : 0);
}

uint64_t pl_mem_count(void)
{
    return atomic_load(&allocations);
}

uint64_t pl_mem_codec_count(void)
{
    return atomic_load(&codec_allocations);
}

static bool refused(void)
{
    uint64_t k = atomic_fetch_add(&allocations, 1) + 1;
    uint64_t at = atomic_load(&fail_at);
    return at && (k == at || (k > at && atomic_load(&fail_on)));
}

void *pl_alloc(size_t n, size_t size)
{
    size_t bytes;
    if (refused() || !pl_mul(n, size, &bytes))
        return NULL;
    return malloc(bytes ? bytes : 1);
}

void *pl_alloc_zero(size_t n, size_t size)
{
    if (refused())
        return NULL;
    return calloc(n ? n : 1, size ? size : 1);
}

void *pl_realloc(void *p, size_t n, size_t size)
{
    size_t bytes;
    if (refused() || !pl_mul(n, size, &bytes))
        return NULL;
    return realloc(p, bytes ? bytes : 1);
}

void *pl_realloc_codec(void *p, size_t bytes)
{
    atomic_fetch_add(&codec_allocations, 1);
    return pl_realloc(p, bytes, 1);
}

void *pl_alloc_aligned(size_t bytes)
{
    size_t rounded;
    if (refused() || !pl_add(bytes, 63, &rounded))
        return NULL;
    return aligned_alloc(64, PL_MAX(rounded & ~(size_t)63, (size_t)64));
}

void pl_free(void *p)
{
    free(p);
}

void pl_mem_forget(void *p, size_t n)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t from = ((uintptr_t)p + page - 1) & ~(page - 1),
                    to = ((uintptr_t)p + n) & ~(page - 1);
    if (to > from)
        madvise((void *)from, to - from, MADV_DONTNEED); /* advice: it may fail */
}

void pl_mem_large_pages(void *p, size_t n)
{
    const uintptr_t page = (uintptr_t)2 << 20;
    const uintptr_t from = ((uintptr_t)p + page - 1) & ~(page - 1),
                    to = ((uintptr_t)p + n) & ~(page - 1);
    if (to > from)
        madvise((void *)from, to - from, 14 /* MADV_HUGEPAGE */); /* advice: it may fail */
}

void pl_mem_populate(void *p, size_t n)
{
    madvise(p, n, 23 /* MADV_POPULATE_WRITE */); /* advice: it may fail */
}

void pl_mem_trim(void)
{
#ifdef __GLIBC__
    /* Where another allocator has taken malloc()'s place (AddressSanitizer, one that is preloaded),
     * the first call sets up the C library's, which says too early that it is: a second thread
     * would find its lists unmade. */
    static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&one);
    malloc_trim(0);
    pthread_mutex_unlock(&one);
#endif
}
