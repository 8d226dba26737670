/* SPDX-License-Identifier: BSD-2-Clause */
/* The handler of SIGBUS does what may be done in one: it reads and sets atomics and maps zeros over
 * what is missing, so that the reader goes on, through whatever library it is in, and fails later.
 */
#include "base/map_guard.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/attr.h"

#define MOST_GUARDED 4096
#define RESERVED ((uintptr_t)1) /* no mapping begins there */

struct pl_map_guard {
    atomic_uintptr_t from; /* 0: free */
    atomic_size_t bytes;
    atomic_bool torn;
    struct pl_file_version version; /* of the file, for pl_map_guard_version() */
};

static struct pl_map_guard guards[MOST_GUARDED];
static atomic_size_t n_used; /* guards from here on were never taken */
static struct sigaction before;
static uintptr_t page_bytes;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The mapping that holds `at` stays for as long as its reader is here; others come and go, and one
 * that did between the two loads is not it. */
static struct pl_map_guard *guard_of(uintptr_t at, uintptr_t *ret_end)
{
    size_t n = atomic_load(&n_used);
    for (size_t i = 0; i < n; i++) {
        struct pl_map_guard *g = &guards[i];
        uintptr_t from = atomic_load(&g->from);
        size_t bytes = atomic_load(&g->bytes);
        if (from > RESERVED && at >= from && at - from < bytes && atomic_load(&g->from) == from) {
            *ret_end = from + bytes;
            return g;
        }
    }
    return NULL;
}

/* Zeros from the page of `at` to the end of the mapping: what lies behind is most likely gone, too.
 */
static bool patch(struct pl_map_guard *g, uintptr_t at, uintptr_t end)
{
    uintptr_t page = at & ~(page_bytes - 1);
    atomic_store(&g->torn, true);
    return mmap((void *)page, end - page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
                0) != MAP_FAILED;
}

/* What came before this handler gets what is not its business. */
static void pass_on(int signal, siginfo_t *info, void *context)
{
    if (before.sa_flags & SA_SIGINFO)
        before.sa_sigaction(signal, info, context);
    else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
        before.sa_handler(signal);
    else
        sigaction(SIGBUS, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
}

static void on_bus(int signal, siginfo_t *info, void *context)
{
    int kept = errno;
    uintptr_t at = (uintptr_t)info->si_addr, end;
    struct pl_map_guard *g = info->si_code > 0 ? guard_of(at, &end) : NULL;
    if (!g || !patch(g, at, end))
        pass_on(signal, info, context);
    errno = kept;
}

static void install(void)
{
    struct sigaction sa = {.sa_sigaction = on_bus, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
    sigemptyset(&sa.sa_mask);
    sigaction(SIGBUS, &sa, &before);
}

struct pl_map_guard *pl_map_guard_take(const void *data, size_t n,
                                       const struct pl_file_version *version)
{
    assert(n > 0 && (uintptr_t)data > RESERVED);
    pthread_once(&once, install);
    for (size_t i = 0; i < MOST_GUARDED; i++) {
        struct pl_map_guard *g = &guards[i];
        uintptr_t none = 0;
        if (!atomic_compare_exchange_strong(&g->from, &none, RESERVED))
            continue;
        atomic_store(&g->torn, false);
        atomic_store(&g->bytes, n);
        g->version = *version;
        atomic_store(&g->from, (uintptr_t)data);
        size_t used = atomic_load(&n_used);
        while (used < i + 1 && !atomic_compare_exchange_weak(&n_used, &used, i + 1))
            ;
        return g;
    }
    return NULL;
}

void pl_map_guard_drop(struct pl_map_guard *g)
{
    assert(!g || atomic_load(&g->from) > RESERVED); /* dropped once */
    if (g)
        atomic_store(&g->from, 0);
}

bool pl_map_guard_version(const void *data, size_t n, struct pl_file_version *ret)
{
    uintptr_t end;
    const struct pl_map_guard *g = guard_of((uintptr_t)data, &end);
    if (!g || atomic_load(&g->from) != (uintptr_t)data || end - (uintptr_t)data != n ||
        atomic_load(&g->torn))
        return false;
    *ret = g->version;
    return true;
}

bool pl_map_guard_torn(const struct pl_map_guard *g)
{
    return g && atomic_load(&g->torn);
}
