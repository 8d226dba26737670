/* SPDX-License-Identifier: BSD-2-Clause */
/* The only malloc and free of the project. Every block can be made to fail by a test. */
#ifndef PL_BASE_MEM_H
#define PL_BASE_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

/* Sets *ret to a * b; returns false when that overflows. */
static inline bool pl_mul(size_t a, size_t b, size_t *ret)
{
    return !__builtin_mul_overflow(a, b, ret);
}

static inline bool pl_add(size_t a, size_t b, size_t *ret)
{
    return !__builtin_add_overflow(a, b, ret);
}

/* Returns a block for n objects of `size` bytes, or NULL when memory is short or n * size
 * overflows. Where n * size is 0 the block can still be freed. */
PL_MUST_USE void *pl_alloc(size_t n, size_t size);
PL_MUST_USE void *pl_alloc_zero(size_t n, size_t size);
/* Works as realloc(): the old block stays valid when NULL is returned. */
PL_MUST_USE void *pl_realloc(void *p, size_t n, size_t size);
/* Returns a block that is aligned to 64 bytes; pl_free() frees it like the others. */
PL_MUST_USE void *pl_alloc_aligned(size_t bytes);
/* Does what pl_realloc() does, for the library of a codec; such allocations are counted apart. p
 * may be NULL. */
PL_MUST_USE void *pl_realloc_codec(void *p, size_t bytes);
void pl_free(void *p);
/* Gives the memory pages that lie wholly in p[0..n) back to the system; what they held is gone, and
 * they can be used again. */
void pl_mem_forget(void *p, size_t n);
/* Has the system hold what it can of p[0..n), all of which will be used, in pages of 2 MB: maps
 * that are read row by row of many planes take fewer look-ups of addresses. */
void pl_mem_large_pages(void *p, size_t n);
/* Gets the memory pages of p[0..n), a mapping, at once instead of one by one. */
void pl_mem_populate(void *p, size_t n);

/* Gives what was freed and the C library kept back to the system, as far as it can. */
void pl_mem_trim(void);

/* Fault injection for tests: the n-th allocation from now fails (1 = the next; 0 = none), and with
 * `persistent` every later one too. */
void pl_mem_fail_at(uint64_t n, bool persistent);
/* Returns how many allocations this process has made through this file. */
uint64_t pl_mem_count(void);
/* Returns how many of them the libraries of codecs made. */
uint64_t pl_mem_codec_count(void);

#endif
