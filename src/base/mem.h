/* The only malloc and free of the project. Every block can be made to fail by a test. */
#ifndef PL_BASE_MEM_H
#define PL_BASE_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

/* a * b, or false when it overflows. */
static inline bool pl_mul(size_t a, size_t b, size_t *ret)
{
    return !__builtin_mul_overflow(a, b, ret);
}

static inline bool pl_add(size_t a, size_t b, size_t *ret)
{
    return !__builtin_add_overflow(a, b, ret);
}

/* NULL when memory is short or n * size overflows; n * size == 0 gives a block that can be freed.
 */
PL_MUST_USE void *pl_alloc(size_t n, size_t size);
PL_MUST_USE void *pl_alloc_zero(size_t n, size_t size);
/* As realloc(): the old block stays valid when NULL comes back. */
PL_MUST_USE void *pl_realloc(void *p, size_t n, size_t size);
/* 64-byte aligned. Freed by pl_free() like the others. */
PL_MUST_USE void *pl_alloc_aligned(size_t bytes);
/* pl_realloc() in the name of a codec's library, whose allocations nobody here can help; p may be
 * NULL. */
PL_MUST_USE void *pl_realloc_codec(void *p, size_t bytes);
void pl_free(void *p);
/* Gives the memory pages that lie wholly in p[0..n) back to the system; what they held is gone, and
 * they can be used again. */
void pl_mem_forget(void *p, size_t n);

/* Gives what was freed and the C library kept back to the system, as far as it can. */
void pl_mem_trim(void);

/* Fault injection for tests: the n-th allocation from now fails (1 = the next; 0 = none), and with
 * `persistent` every later one too. */
void pl_mem_fail_at(uint64_t n, bool persistent);
/* Allocations made so far by this process through this file. */
uint64_t pl_mem_count(void);
/* Those among them that codecs' libraries made. */
uint64_t pl_mem_codec_count(void);

#endif
