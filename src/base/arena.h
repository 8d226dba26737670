/* Bump allocator: boxes and text of one page, gone together at reset. Not thread-safe. */
#ifndef PL_BASE_ARENA_H
#define PL_BASE_ARENA_H

#include <stddef.h>

#include "base/attr.h"

struct pl_arena_chunk;

struct pl_arena {
    struct pl_arena_chunk *first; /* all chunks, kept over a reset */
    struct pl_arena_chunk *current;
};

void pl_arena_init(struct pl_arena *a);
/* Room for n objects of `size` bytes, 16-byte aligned, zeroed; NULL when memory is short. */
PL_MUST_USE void *pl_arena_alloc(struct pl_arena *a, size_t n, size_t size);
/* A copy of s[0..n) with a terminating NUL; NULL when memory is short. */
PL_MUST_USE char *pl_arena_strndup(struct pl_arena *a, const char *s, size_t n);
/* Forgets every object but keeps the memory for the next page. */
void pl_arena_reset(struct pl_arena *a);
void pl_arena_done(struct pl_arena *a);

#define PL_NEW(arena, type, n) ((type *)pl_arena_alloc((arena), (n), sizeof(type)))

#endif
