/* Bump allocator: boxes and text of one page, gone together at reset. Not thread-safe. */
#ifndef PL_BASE_ARENA_H
#define PL_BASE_ARENA_H

#include <stddef.h>

#include "base/attr.h"

struct pl_arena_chunk;

struct pl_arena {
    struct pl_arena_chunk *first; /* all chunks */
    struct pl_arena_chunk *current;
    size_t least_bytes; /* of the next chunk: what was enough for the page before */
    size_t most;        /* used of the only chunk at once since the last trim */
    size_t touched;     /* and ever, as far as it was not given back */
};

void pl_arena_init(struct pl_arena *a);
/* Room for n objects of `size` bytes, 16-byte aligned, zeroed; NULL when memory is short. */
PL_MUST_USE void *pl_arena_alloc(struct pl_arena *a, size_t n, size_t size);
/* The same, not zeroed. */
PL_MUST_USE void *pl_arena_room(struct pl_arena *a, size_t n, size_t size);
/* A copy of s[0..n) with a terminating NUL; NULL when memory is short. */
PL_MUST_USE char *pl_arena_strndup(struct pl_arena *a, const char *s, size_t n);
/* Where an arena is, and back there: forgets every object that was made since. */
struct pl_arena_mark {
    struct pl_arena_chunk *chunk; /* NULL = at its beginning */
    size_t used;
};
struct pl_arena_mark pl_arena_mark(const struct pl_arena *a);
void pl_arena_rewind(struct pl_arena *a, struct pl_arena_mark mark);
/* Forgets every object but keeps the memory for the next page: one chunk, or if there were several,
 * the size of all of them for the next one, so that chunks too small for what comes lie idle for
 * one page at most. */
void pl_arena_reset(struct pl_arena *a);
/* The same between two pages: of a chunk that a large page filled, what is far more than the last
 * page used goes back to the system until it is used again. */
void pl_arena_trim(struct pl_arena *a);
void pl_arena_done(struct pl_arena *a);

#define PL_NEW(arena, type, n) ((type *)pl_arena_alloc((arena), (n), sizeof(type)))

#endif
