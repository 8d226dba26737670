/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory that an arena or a pool holds and has not handed out. AddressSanitizer takes it for
 * allocated and would see neither a read behind an object nor one of an object that was given back;
 * so it is told. In builds without it nothing happens here. */
#ifndef PL_BASE_POISON_H
#define PL_BASE_POISON_H

#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#define PL_POISONS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PL_POISONS 1
#endif
#endif
#ifndef PL_POISONS
#define PL_POISONS 0
#endif

#if PL_POISONS
#include <sanitizer/asan_interface.h>
#endif

/* What an arena leaves free behind each object, for accesses beyond it to be seen. */
#define PL_RED_ZONE_BYTES ((size_t)(PL_POISONS ? 32 : 0))

/* Nobody may read or write p[0..n) until it is handed out again. free() takes it as it is. */
static inline void pl_poison(const void *p, size_t n)
{
#if PL_POISONS
    __asan_poison_memory_region(p, n);
#else
    (void)p, (void)n;
#endif
}

/* p[0..n) is handed out. */
static inline void pl_unpoison(const void *p, size_t n)
{
#if PL_POISONS
    __asan_unpoison_memory_region(p, n);
#else
    (void)p, (void)n;
#endif
}

#endif
